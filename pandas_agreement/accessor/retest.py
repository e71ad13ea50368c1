"""Repeated judgments of the same items by the same coders: `retest`, and columns that hold them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from pandas_agreement import engine
from pandas_agreement.accessor import docs
from pandas_agreement.accessor.base import Base, by_coefficient
from pandas_agreement.accessor.signatures import groups_of, takes
from pandas_agreement.coefficients.registry import Coefficient
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.progress import bar_of
from pandas_agreement.data.grouping import Groups, nested
from pandas_agreement.data.labels import encode
from pandas_agreement.data.reading import columns_of, group_of, scores_of
from pandas_agreement.errors import InputError, plain, shown
from pandas_agreement.options import Options
from pandas_agreement.results.frames import with_totals

#: the options that `retest` takes beside those of its coefficients, and those that it cannot use
AGAIN: dict[str, Any] = {"metric": "metrics", "one_word": True, "without": ("sep", "sampling", "frequency", "pool")}
OF_AGAIN = ("by", "missing", "ci", "categories", "progress", "detail")


def columns_of_coders(what: str, judgments: Sequence[Any], least: int = 2) -> dict[Hashable, list[Hashable]]:
    """The columns of each coder, of a method that takes them as a dict."""
    remedy = f"write df.agree.{what}({{'ann': ['ann_1', 'ann_2'], 'bob': ['bob_1', 'bob_2']}})"
    if len(judgments) != 1 or not isinstance(judgments[0], Mapping) or not judgments[0]:
        problem = f"{what} on wide data takes a dict of coders and their columns"
        raise InputError(problem, remedy, code="no judgments")
    found: dict[Hashable, list[Hashable]] = {}
    for coder, columns in judgments[0].items():
        names = list(map(plain, columns)) if isinstance(columns, (list, pd.Index)) else []
        if len(set(names)) < least:
            needed = "a list of its columns" if least == 1 else "two columns or more"
            problem = f"{what} needs {needed} for each coder, and {shown(coder)} has {shown(columns)}"
            raise InputError(problem, remedy, code="no judgments")
        found[plain(coder)] = names
    _check_once(what, [name for names in found.values() for name in names])
    return found


def _check_once(what: str, names: Sequence[Hashable]) -> None:
    """Raise for a column that is named twice: it always agrees with itself, and has one coder."""
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        problem = f"{what} names the column {shown(twice)} twice"
        raise InputError(problem, "name each column only once, for one coder", column=twice, code="repeated name")


def with_replicates(view: Any, coders: Sequence[Any], options: Options) -> tuple[list[Base], Sequence[Hashable]]:
    """Data, and the names of the coders; for a dict of columns means, numbers of replicates and squared deviations."""
    if not any(isinstance(each, Mapping) for each in coders):
        return [view], coders
    if view._format != "wide data":
        problem = "bland_altman takes a dict of columns for wide data"
        raise InputError(problem, "give the coders' names", code="too many names")
    columns = columns_of_coders("bland_altman", coders, least=1)
    every = [name for names in columns.values() for name in names]
    scores_of(view._read(every, options, scores=True), "bland_altman")  # raises for what is no number
    values = {coder: view._frame[names].apply(pd.to_numeric).astype("float64") for coder, names in columns.items()}
    rest = view._frame.drop(columns=every)
    means = {coder: part.mean(axis=1) for coder, part in values.items()}
    number = {coder: part.count(axis=1).where(lambda n: n > 0) for coder, part in values.items()}
    spread = {coder: number[coder] * part.var(axis=1, ddof=0) for coder, part in values.items()}
    return [view._on(pd.concat([rest, pd.DataFrame(each)], axis=1)) for each in (means, number, spread)], list(columns)


class Again(NamedTuple):
    """Repeated judgments: the data, in which a coder's judgments of an item are those of one item."""

    view: Any
    names: Sequence[Hashable]  # of the columns
    groups: Groups | None
    coders: Groups
    items: Array  # the number of each row's item
    options: Options

    def measure(self, record: Coefficient) -> pd.DataFrame:
        """A coefficient of each coder, and of all of them."""
        show, options = bar_of(self.options.progress), self.options.without("progress")
        parts, owner, coders = nested(self.groups, self.coders)
        together = {"ci": None} if record.needs_numbers else {"clusters": self.items}
        calls = options.but(by=parts), options.but(by=self.groups, **together)
        each, every = [self._measured(record, one) for one in show(calls)]
        return with_totals(each, every, None if self.groups is None else self.groups.index, owner, {"coder": coders})

    def _measured(self, record: Coefficient, options: Options) -> pd.DataFrame:
        read = self.view._read_for([record], self.names, options, values=True)
        return engine.measure(replace(read, named=False), [record], options)  # a coder may have fewer judgments


def check_unordered(records: Sequence[Coefficient]) -> None:
    """Raise for a coefficient that tells the first judgment from the second, which long data do not."""
    for record in records:
        if record.needs_coders:
            problem = f"{record.name} distinguishes first and second judgments of an item, and long data have no order"
            remedy = f"use 'alpha', 'pi', 'ac1' or 'icc_1', or columns: df.agree.retest(..., metrics={record.name!r})"
            raise InputError(problem, remedy, option="metrics", code="needs coders")


@docs.completed
class WideRetest(Base):
    """Repeated judgments in columns."""

    __slots__ = ()

    @takes(*OF_AGAIN, **AGAIN)
    def retest(
        self,
        *judgments: Mapping[Hashable, Sequence[Hashable]],
        metrics: str | Sequence[str] = "alpha",
        options: Options,
    ) -> pd.DataFrame:
        """Agreement of coders with themselves, from repeated judgments of the same items.

        The columns of a coder are compared with each other like those of different coders. The last row is for the
        judgments of all coders together.

        Parameters
        ----------
        *judgments : dict
            The columns with the judgments of each coder: ``{"ann": ["ann_1", "ann_2"], "bob": ["bob_1", "bob_2"]}``.
        metrics : str or list of str
            Coefficients, such as 'kappa' (with `weights`) or 'icc_a1'.
        **options
            The options of the coefficients, such as `level`.

        Returns
        -------
        DataFrame
            One row per coder and one for all coders, in each group, indexed by the group keys and `coder` ('(all)'
            comes last), with the columns of `kappa`. `n_items` is the number of items judged more than once, in the
            last row summed over coders. The interval of that row treats all judgments of an item as one cluster.
            Coefficients of numbers have no interval there.

        Examples
        --------
        >>> df.agree.retest({"ann": ["ann", "bob"]})["estimate"].round(3)
        coder
        ann      0.374
        (all)    0.374
        Name: estimate, dtype: float64
        """
        columns, records = columns_of_coders("retest", judgments), self._records(metrics, options.weights)
        stacked, n = _stacked(self._frame, list(columns.values())), len(self._frame)
        rows, place = np.tile(np.arange(n), len(columns)), np.repeat(np.arange(len(columns)), n)
        coders = Groups(place, pd.Index(list(columns), tupleize_cols=False), frozenset())
        groups = group_of(self._frame, groups_of(options, self._made_groups))
        groups = None if groups is None else groups.only(rows)
        of = Again(self._on(stacked), list(stacked.columns), groups, coders, rows, options)
        return by_coefficient(of.measure, metrics, records)


def _stacked(frame: pd.DataFrame, columns: Sequence[Sequence[Hashable]]) -> pd.DataFrame:
    """The judgments of all coders one below the other: one column for the first ones, one for the second ones ..."""
    names, n = [name for each in columns for name in each], len(frame)
    known = dict(zip(names, _alike(columns_of(frame, names), names), strict=True))
    stacked: dict[Hashable, pd.Series] = {}
    for number in range(max(map(len, columns))):
        chosen = {place: each[number] for place, each in enumerate(columns) if number < len(each)}
        moved = [known[name].set_axis(range(place * n, (place + 1) * n)) for place, name in chosen.items()]
        name = ", ".join(map(str, chosen.values()))  # columns 1 and "1" may have the same
        stacked[number if name in stacked else name] = pd.concat(moved).reindex(range(n * len(columns)))
    return pd.DataFrame(stacked)


def _alike(columns: Sequence[pd.Series], names: Sequence[Hashable]) -> Sequence[pd.Series]:
    """The columns; Categoricals all get the same categories, in their order."""
    if not any(isinstance(column.dtype, pd.CategoricalDtype) for column in columns):
        return columns
    codes, known = encode(columns, names)
    dtype = pd.CategoricalDtype(known.labels, ordered=known.ordered)
    return [pd.Series(pd.Categorical.from_codes(each, dtype=dtype)) for each in codes]
