"""A gate for tests and pipelines: `assert_agreement` fails if agreement is too low, undefined or rests on few items.

The command line uses the same rules for `--fail-under` and `--min-items`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from pandas_agreement.coefficients.registry import ALIASES, REGISTRY
from pandas_agreement.errors import ColumnError, InputError, choose, counted, nearest, plain, public, wrong_value
from pandas_agreement.formatting import number
from pandas_agreement.options import is_number, is_whole
from pandas_agreement.results.tidy import coefficient_of

__all__ = ["assert_agreement"]

ESTIMATE, LOWER = "estimate", "ci_low"
COLUMNS = (ESTIMATE, LOWER)
DIFFERENCE_LOWER = "difference_low"
DIFFERENCES = ("difference", DIFFERENCE_LOWER)


def __dir__() -> list[str]:
    return __all__


@dataclass(frozen=True)
class Miss:
    """A row that does not reach what is required: which value it is, where, and the option that requires it."""

    what: str
    where: str
    option: str
    required: str

    def text(self, options: Mapping[str, str]) -> str:
        """One line; `options` are the names of the options for the reader."""
        where = f", in {self.where}" if self.where else ""
        return f"{self.what}{where}: {options.get(self.option, self.option)} requires {self.required}"


@public
def assert_agreement(
    result: pd.DataFrame,
    at_least: Mapping[str, float],
    *,
    on: str = LOWER,
    min_items: int = 0,
) -> None:
    """Raise an AssertionError if agreement is too low, which lists the rows.

    Parameters
    ----------
    result : DataFrame
        The result of `df.agree.kappa(...)`, `summary`, `by_pair`, `by_category`, `versus_humans` or a similar method.
    at_least : dict
        The smallest acceptable value of each coefficient, such as ``{"alpha": 0.8}``, which every row of that
        coefficient has to reach. ``{"difference_low": -0.1}`` is about this column of `versus_humans`, in every row.
    on : {'ci_low', 'estimate'}
        What has to reach the value: the lower bound of the interval, so that a small number of items cannot pass by
        luck, or the estimate.
    min_items : int
        The smallest acceptable number of items of a row.

    Raises
    ------
    AssertionError
        If rows are lower, are undefined (with the reason), have no interval, or have fewer items.

    Examples
    --------
    >>> import pandas_agreement
    >>> from pandas_agreement.testing import assert_agreement
    >>> df = pandas_agreement.load_example()
    >>> assert_agreement(df.agree.summary("ann", "bob"), {"kappa": 0.5, "alpha": 0.5}, min_items=50)
    >>> assert_agreement(df.agree.kappa("ann", "bob", by="batch"), {"kappa": 0.3})
    Traceback (most recent call last):
    ...
    AssertionError: 2 values are not as required:
    kappa.ci_low is 0.1617, in batch 2026-w01: at_least requires 0.3
    kappa.ci_low is 0.2101, in batch 2026-w03: at_least requires 0.3
    """
    if not isinstance(result, pd.DataFrame):
        problem = f"assert_agreement takes the frame that df.agree.kappa(...) gives, not {type(result).__name__}"
        raise InputError(problem, code="no result")
    if not isinstance(at_least, Mapping) or not at_least:
        raise wrong_value("at_least", at_least, "must be a dictionary of least values, such as {'alpha': 0.8}")
    choose("on", on, dict.fromkeys(COLUMNS))
    if not is_whole(min_items, 0):
        raise wrong_value("min_items", min_items, "must be a whole number of 0 or more")
    least = int(min_items)
    missed = [miss for name, value in at_least.items() for miss in misses(result, name, on, plain(value), least)]
    if missed:
        start = counted(len(missed), "value is not as required", "values are not as required")
        raise AssertionError("\n".join([f"{start}:", *(miss.text({}) for miss in missed)]))


def check_least(name: str, value: Any) -> float:
    """A least value; an error for what no coefficient reaches, such as a percentage."""
    if not is_number(value):
        raise InputError(f"{name}={value!r}: the least value must be a number, such as 0.8", option="at_least")
    least = float(value)
    if not -1 <= least <= 1:
        hint = f"did you mean {name}={least / 100:g}?" if 1 < least <= 100 else ""
        raise InputError(f"{name}={least:g}: agreement lies between -1 and 1", hint, option="at_least")
    return least


def _rows(result: pd.DataFrame, name: str, on: str) -> tuple[pd.DataFrame, str]:
    """The rows and the column to check: those of a coefficient, or all rows for a difference."""
    known = coefficient_of(result)
    if name in REGISTRY or name in ALIASES or (known is not None and name in known):  # coefficients of spans
        return _rows_of_coefficient(result, ALIASES.get(name, name), on), on
    if name in DIFFERENCES and name in result.columns:
        return result, name
    columns = [column for column in DIFFERENCES if column in result.columns]
    problem = f"{name!r} is neither a coefficient nor a difference in the result"
    raise InputError(problem, nearest(name, [*REGISTRY, *ALIASES, *columns], hint=False), option="at_least")


def _rows_of_coefficient(result: pd.DataFrame, name: str, on: str) -> pd.DataFrame:
    names = coefficient_of(result)
    if names is None:
        remedy = "compute it with detail=True, which adds the column 'coefficient'"
        raise InputError("the result does not say which coefficient it holds", remedy, code="no result")
    if on == LOWER and "difference" in result.columns:
        remedy = "check 'difference_low', or use on='estimate'"
        raise InputError(
            f"the interval of this result is that of 'difference', not of {name!r}", remedy, code="of difference"
        )
    if len(result) and name not in names:
        listed = ", ".join(map(repr, names.unique().tolist()))
        raise InputError(f"the result has no {name!r}", f"there are: {listed}", option="at_least")
    return result[names == name]


def misses(result: pd.DataFrame, name: str, on: str, least: Any, min_items: int = 0) -> Iterator[Miss]:
    """The rows of one coefficient or column that do not reach the least value or the number of items."""
    threshold, (rows, column) = f"{check_least(name, least):g}", _rows(result, name, on)
    for needed in (column, "n_items", "note"):
        if needed not in rows.columns:
            raise ColumnError.missing(needed, rows.columns)
    name = ALIASES.get(name, name)
    shown = f"{name}.{on}" if column == LOWER else name
    if not len(rows):
        yield Miss(f"{shown} is undefined (the result has no rows)", "", "at_least", threshold)
    levels = [level for level in rows.index.names if level not in ("coefficient", None)]
    for row in rows.reset_index().to_dict("records"):
        where = ", ".join(f"{level} {row[level]}" for level in levels)
        if not row[column] >= least:
            yield Miss(f"{shown} is {_value(row, column)}", where, "at_least", threshold)
        if row["n_items"] < min_items:
            yield Miss(f"{name} rests on {row['n_items']:,} items", where, "min_items", f"{min_items:,}")


def _value(row: Mapping[Hashable, Any], column: str) -> str:
    if not pd.isna(row[column]):
        return number(row[column], 4)
    reason = row.get("remarks") or row["note"] or ("there is no interval" if column == LOWER else "")
    return f"undefined ({reason})" if reason else "undefined"
