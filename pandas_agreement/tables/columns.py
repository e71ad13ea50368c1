"""The columns of a table: headers for readers and cells as text.

Columns stand in the order of the result, and the schemas of the results say what each holds, so that a result with
columns or rows left out still has its table. Nothing here knows a method.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from math import floor, log10, nan
from typing import Any, Literal

import numpy as np
import pandas as pd
from pandas.api.types import is_bool_dtype, is_integer_dtype, is_numeric_dtype

from pandas_agreement.breakdown.diagnose import ADVICE
from pandas_agreement.characters import visible
from pandas_agreement.coefficients.registry import REGISTRY
from pandas_agreement.errors import InputError, called, choose, shown, wrong_value
from pandas_agreement.formatting import cell as own_cell
from pandas_agreement.formatting import coefficient_name, is_missing, label_text, number, weights_name
from pandas_agreement.options import is_whole
from pandas_agreement.results.frames import TEXT
from pandas_agreement.results.schemas import CCC_DETAIL, FINDINGS, ICC_DETAIL, KAPPA_DETAIL, KENDALL_DETAIL, Columns
from pandas_agreement.results.tidy import LEVEL, SCHEMAS, coefficient_of, level_of, noted, of_rows

SMALLEST = 1e-12  # what is smaller is rounding error
TABLE = "table"  # what a table notes about itself
WORD = "word"  # the column of `interpret` with detail=True before the probabilities
Style = Literal["plain", "apa"]
STYLES = {"plain": "leading zeros", "apa": "none for numbers that cannot exceed 1"}

#: what stands in the index of results beside group keys
LEVELS = {
    "category", "coder", "coder_1", "coder_2", LEVEL, "test", "judge", "judge_1", "judge_2", "finding", "candidate",
    "candidate_1", "candidate_2", "first", "second", "field", "method", "coder_group", "coder_group_1", "coder_group_2",
    "pooling", "true", "given",
}  # fmt: skip
#: headers; those of the other columns are their names with a capital
HEADERS = {
    "n_items": "n", "n": "n", "n_human": "Human labels", "n_judge": "Judge labels", "se": "SE", "sd": "SD", "df": "df",
    "ci_low": "CI low", "ci_high": "CI high", "ci_level": "CI level", "ci_method": "CI method", "p_value": "p",
    "p_holm": "p (Holm)", "p_by": "p (B-Y)", "p_noninferior": "p (not worse)", "p_equivalent": "p (as good)",
    "p_coders": "p (coders)", "npv": "NPV", "pabak": "PABAK", "null_se": "Null SE", "lower": "Lower",
    "upper": "Upper", "loglik": "Log-likelihood", "alpha": "Significance", "human_only": "Humans alone",
    "cost_human_only": "Cost alone", "true": "True label", "given": "Given label", "coder_group": "Coders",
    "coder_group_1": "Coders 1", "coder_group_2": "Coders 2", "favours_by": "By", "f": "F", "df1": "df 1",
    "df2": "df 2", "sem": "SEM", "var_items": "Item variance", "var_coders": "Coder variance",
    "var_error": "Error variance", "chi2": "Chi-squared",
}  # fmt: skip
#: tests, methods and coefficients whose names are not their words
NAMES = {
    "stuart_maxwell": "Stuart-Maxwell", "mcnemar": "McNemar", "cochran_q": "Cochran's Q", "dawid_skene": "Dawid-Skene",
    "mace": "MACE", "one_coin": "One-coin", "specific": "Specific agreement", "macro_f1": "Macro F1",
}  # fmt: skip
#: numbers that may be above 1, so that they keep their leading zero
UNBOUNDED = {
    "statistic", "df", "loglik", "objective", "wins", "worth", "n", "rank", "sd", "lower", "upper", "bias",
    "judge_mean", "human_mean", "smoothing", "diagonal", "n_human", "n_judge", "threshold", "prevalence_index",
    "bias_index", "cost", "cost_human_only", "location_shift", "scale_shift", "f", "df1", "df2", "chi2", "var_items",
    "var_coders", "var_error", "sem",
}  # fmt: skip
#: results whose estimate is no coefficient: log-odds, scores, findings
OWN_UNIT = {"rank", "lower", "judge_mean", "finding"}
#: columns of results whose rows are those of the user's frame, with the user's columns
OF_ROWS = {"tie", "inferred", "influence"}


def _known() -> dict[Hashable, list[Columns]]:
    """The schemas that have a column, by its name, which may be a label in one and a number in another."""
    found: dict[Hashable, list[Columns]] = defaultdict(list)
    for schema in (*SCHEMAS, KAPPA_DETAIL, CCC_DETAIL, ICC_DETAIL, KENDALL_DETAIL):
        for name in schema.keys() - LEVELS:
            if schema[name][0] not in [other[name][0] for other in found[name]]:
                found[name].append(schema)
    return dict(found)


KNOWN = _known()


@dataclass(frozen=True, eq=False)
class Column:
    """One column of a table: the column of the result that it shows, its header and its cells."""

    source: Hashable
    header: str
    cells: list[str]
    is_key: bool = False


@dataclass(frozen=True)
class NumberForm:
    """How numbers are written."""

    style: Style
    digits: int
    own_unit: bool = False

    def number(self, value: float, name: Hashable = "estimate") -> str:
        """A number of a column."""
        if value != value:
            return ""
        if str(name).startswith("p_"):
            text, bounded = "< 0.001" if value < 0.001 else f"{value:.3f}", True
        else:
            text, bounded = decimals(value, self.digits), name not in UNBOUNDED and not self.own_unit and value <= 1
        return re.sub(r"(?<!\d)0\.", ".", text) if bounded and self.style == "apa" else text

    def interval(self, low: float, high: float, name: Hashable = "estimate") -> str:
        """Both bounds as one cell."""
        return "" if low != low and high != high else f"[{self.number(low, name)}, {self.number(high, name)}]"


def decimals(value: float, digits: int) -> str:
    """A number with `digits` decimals, and with two significant digits where it would be 0 and is not.

    >>> decimals(0.5, 2), decimals(-0.0034, 2), decimals(0.0, 2), decimals(3e-7, 2)
    ('0.50', '-0.0034', '0.00', '3.0e-07')
    """
    text = number(value, digits)
    if float(text) or abs(value) < SMALLEST:
        return text
    return f"{value:.1e}" if abs(value) < 1e-4 else f"{value:.{1 - floor(log10(abs(value)))}f}"


def check(result: Any, style: str, digits: Any) -> None:
    """Raise for what is no result, and for options that are none."""
    if not isinstance(result, pd.DataFrame):
        problem = f"expected a result of df.agree, which is a DataFrame, not {called(result)}"
        raise InputError(problem, "for one column write result[['estimate']]", code="no result")
    if noted(result, "result") == TABLE:
        raise InputError("this is a table already", "give the result it was made from", code="no result")
    choose("style", style, STYLES)
    if not (is_whole(digits, 0) and digits <= 10):
        raise wrong_value("digits", digits, "must be a whole number between 0 and 10")


def columns_of(result: pd.DataFrame, form: NumberForm) -> list[Column]:
    """The columns of the table, in the order of the result, without those that have no value."""
    keys, parts = _parts(result)
    others = dict(parts)
    form = replace(form, own_unit=not OWN_UNIT.isdisjoint([*others, *(name for name, _ in keys)]))
    found = [_key(name, values, result) for name, values in keys]
    found += [] if "weights" in others else _level_of_fields(result)
    level = level_of(result)
    joined = {name: bounds for name in others if (bounds := _bounds(name, others))}
    hidden = {bound for bounds in joined.values() for bound in bounds} - joined.keys()
    hidden |= {"ci_level"} if level and joined else set()
    for name, values in parts:
        if name not in hidden:
            found.append(_column(name, values, result, form, level, joined.get(name)))
    if set(FINDINGS.shown) <= others.keys() and "advice" not in others:
        found.append(_advice(found))
    return [each for each in found if each.source == "estimate" or any(each.cells) or not each.cells]


def _column(
    name: Hashable, values: pd.Series, result: pd.DataFrame, form: NumberForm, level: str, bounds: list[str] | None
) -> Column:
    """A column that is no key, with the interval that belongs to it."""
    title, cells = header(name), _cells(name, values, result, form)
    if name == "estimate":
        title = estimate_name(result) or title
    if name == "weights":
        title = weights_header(result)
    if bounds is None:
        return Column(name, title, cells)
    low, high = (_floats(result[bound]) for bound in bounds)
    limits = [form.interval(*both, name) for both in zip(low, high, strict=True)]
    if name == "ci_low":
        return Column(name, f"{level}CI", limits)
    both = [f"{one} {two}".strip() for one, two in zip(cells, limits, strict=True)]
    return Column(name, f"{title} [{level}CI]", both)


Part = tuple[Hashable, Any]  # a name and its values


def _parts(result: pd.DataFrame) -> tuple[list[Part], list[Part]]:
    """The keys of the rows and the other columns: index levels, or what stands before the columns of a result."""
    columns: list[Part] = list(result.items())
    known = [place for place, (name, _) in enumerate(columns) if name in KNOWN]
    if all(dtype_of(columns[place][0], result) == "label" for place in known):
        problem = f"this frame is not a result of df.agree: its columns are {shown(list(result.columns[:4]))}"
        raise InputError(problem, "give what a method of df.agree returned", code="no result")
    index = result.index
    keys = [(name, index.get_level_values(n)) for n, name in enumerate(index.names) if name is not None]
    if not keys and not OF_ROWS.isdisjoint(result.columns):  # they keep the index of the user's frame
        return [("Row", index)], columns
    if not keys:
        keys, columns = columns[: known[0]], columns[known[0] :]
    named = [column for column in columns if column[0] == LEVEL]
    return [*keys, *named], [column for column in columns if column[0] != LEVEL]


def _bounds(name: Hashable, names: Iterable[Hashable]) -> list[str] | None:
    """The columns of the bounds that stand in the cells of a column, if there are both."""
    stem = "ci" if name == "ci_low" else name
    both = [f"{stem}_low", f"{stem}_high"]
    return both if {*both} <= {*names} else None


def estimate_name(result: pd.DataFrame) -> str:
    """The name of the one coefficient that no column tells; empty if it is not known."""
    known = None if LEVEL in [*result.index.names, *result.columns] else coefficient_of(result)
    return coefficient(known[0], _n_coders(result)[0]) if known is not None and len(known) else ""


def header(name: Hashable) -> str:
    """The name of a column or level for readers; those of the user are as they are."""
    if name in KNOWN or name in LEVELS:
        return HEADERS.get(str(name)) or _words(str(name).removeprefix("n_"))
    return str(name)


def _words(name: str) -> str:
    """A name with blanks and a capital."""
    return name.replace("_", " ").capitalize()


def _level_of_fields(result: pd.DataFrame) -> list[Column]:
    """The level of each row, where label columns have different ones."""
    levels = of_rows(result, "weights")
    if levels is None or levels.nunique() < 2:
        return []
    return [Column("weights", weights_header(result), list(map(weights_name, levels)))]


def weights_header(result: pd.DataFrame) -> str:
    """The word for the weights of the rows: alpha has a level."""
    names = coefficient_of(result)
    return "Level" if names is not None and set(names) == {"alpha"} else "Weights"


def _advice(columns: list[Column]) -> Column:
    """The advice on findings, looked up by their names."""
    names = next((each.cells for each in columns if each.source == "finding"), [""] * len(columns[0].cells))
    return Column("advice", "Advice", [ADVICE.get(name, "") for name in names])


def _key(name: Hashable, values: Any, result: pd.DataFrame) -> Column:
    """A column that says what a row is about; a key such as "about" is the user's."""
    if name == LEVEL:
        cells = [coefficient(*each) for each in zip(values, _n_coders(result), strict=True)]
    else:
        cells = [label_cell(value, name) for value in values.tolist()]
    return Column(name, header(name) if name in LEVELS else str(name), cells, True)


def label_cell(value: Any, name: Hashable = None) -> str:
    """A label or key as text."""
    if name in ("test", "method") and isinstance(value, str):
        return NAMES.get(value) or _words(value)
    return "" if is_missing(value) else label_text(value)


def _n_coders(result: pd.DataFrame) -> list[Any]:
    """The number of coders behind each row, if anything tells."""
    if "n_coders" in result:
        return result["n_coders"].tolist()
    return [2 if "coder_1" in [*result.index.names, *result.columns] else None] * len(result)


def coefficient(name: Any, n_coders: Any) -> str:
    """The name of a coefficient or another measure for readers."""
    record = REGISTRY.get(name)
    if record is None:
        return NAMES.get(name) or _words(str(name))
    return coefficient_name(record, n_coders)


def dtype_of(name: Hashable, result: pd.DataFrame) -> str:
    """The dtype of a column by the schema that has it; of several, a short one with most columns of the result."""
    schemas = KNOWN[name]
    if len(schemas) > 1:
        columns = {*result.columns}
        schemas = [max(schemas, key=lambda one: (len(one.keys() & columns), -len(one)))]
    return schemas[0][str(name)][0]


def _cells(name: Hashable, values: pd.Series, result: pd.DataFrame, form: NumberForm) -> list[str]:
    """The cells of a column that is no key."""
    if name not in KNOWN:
        return [*map(own_cell, values.tolist())]
    dtype = dtype_of(name, result)
    if name == "weights":
        return [weights_name(value) if isinstance(value, str) else "" for value in values.tolist()]
    if is_bool_dtype(values.dtype) or dtype == "bool":
        return ["" if is_missing(value) else "yes" if value else "no" for value in values.tolist()]
    if dtype in ("float64", "int64") and is_numeric_dtype(values.dtype):
        numbers = _floats(values)
        if dtype == "int64" or (name in UNBOUNDED and all(one.is_integer() for one in numbers if one == one)):
            return [_whole(one) for one in numbers]
        return [form.number(one, name) for one in numbers]
    return [value if isinstance(value, str) and dtype == "str" else label_cell(value) for value in values.tolist()]


def _whole(value: float) -> str:
    return "" if value != value else f"{value:,.0f}"


def _floats(values: pd.Series) -> list[float]:
    is_plain = isinstance(values.dtype, np.dtype)  # needs no search for missing values
    found: list[float] = (values.to_numpy(float) if is_plain else values.to_numpy(float, na_value=nan)).tolist()
    return found


# -------------------------------------------------------------------------------------------- one column per label


def is_matrix(result: pd.DataFrame) -> bool:
    """Whether all cells are numbers of one kind, after a word or not, and names say what rows or columns are."""
    if not KNOWN.keys().isdisjoint(map(str, result.columns)) or result.index.names[0] is None:
        return False
    named = result.columns.name is not None or not LEVELS.isdisjoint(result.index.names)
    return named and all(map(is_numeric_dtype, result.dtypes.drop(WORD, errors="ignore")))


def matrix_columns(result: pd.DataFrame, form: NumberForm) -> list[Column]:
    """The keys, the last of which also names the columns, and one column per label."""
    *keys, last = matrix_keys(result)
    name = matrix_name(result)
    title = rf"{last.header} \ {name}" if name else last.header
    return [*keys, replace(last, header=title), *matrix_numbers(result, form)]


def matrix_name(result: pd.DataFrame) -> str:
    """What the columns are; nothing for the words of a benchmark, which say it themselves."""
    return "" if result.columns.name is None or WORD in result.columns else header(result.columns.name)


def matrix_keys(result: pd.DataFrame) -> list[Column]:
    levels = [(name, result.index.get_level_values(place)) for place, name in enumerate(result.index.names)]
    return [replace(_key(name, values, result), header=header(name)) for name, values in levels]


def matrix_numbers(result: pd.DataFrame, form: NumberForm) -> list[Column]:
    found = []
    for name, values in result.items():
        whole = is_integer_dtype(values.dtype)
        cells = [one if isinstance(one, str) else _whole(one) if whole else form.number(one) for one in values.tolist()]
        found.append(Column(name, "Word" if name == WORD else label_text(name), cells))
    return found


# ----------------------------------------------------------------------------------------------------------- frame


def frame(columns: list[Column]) -> pd.DataFrame:
    """The table of these columns."""
    headers: list[str] = []
    for each in columns:
        again = sum(other == each.header or other.startswith(f"{each.header} (") for other in headers)
        headers.append(f"{each.header} ({again + 1})" if each.header in headers else each.header)
    data = {place: [*map(visible, each.cells)] for place, each in enumerate(columns)}
    made = pd.DataFrame(data, index=[""] * len(columns[0].cells), dtype=TEXT)
    made.columns = pd.Index([*map(visible, headers)])
    made.attrs["agree"] = {"result": TABLE}
    return made
