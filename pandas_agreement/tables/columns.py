"""The columns of a table: headers for readers and cells as text.

Columns stand in the order of the result. What is known about a column comes from the schemas of the results, so that a
result with columns or rows left out still has its table; nothing here knows a method.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import floor, log10, nan
from typing import Any, Literal

import pandas as pd
from pandas.api.types import is_bool_dtype, is_numeric_dtype

from pandas_agreement.breakdown.diagnose import ADVICE
from pandas_agreement.characters import visible
from pandas_agreement.coefficients.registry import REGISTRY
from pandas_agreement.errors import InputError, choose, shown, wrong_value
from pandas_agreement.formatting import cell as own_cell
from pandas_agreement.formatting import coefficient_name, confidence, is_missing, label_text, number, weights_name
from pandas_agreement.results.facts import LEVEL, coefficient_of, fact, noted
from pandas_agreement.results.frames import TEXT
from pandas_agreement.results.schemas import CCC_DETAIL, ICC_DETAIL, KAPPA_DETAIL, KENDALL_DETAIL, PLANS, Schema
from pandas_agreement.results.tidy import SCHEMAS

WIDTH = 79  # of 80 characters, as pandas prints an empty index before the table
SMALLEST = 1e-12  # what is smaller is rounding error
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
    "p_coders": "p (coders)", "npv": "NPV", "pabak": "PABAK", "null_se": "Null SE", "lower": "Lower limit",
    "upper": "Upper limit", "loglik": "Log-likelihood", "alpha": "Significance", "human_only": "Humans alone",
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
#: texts, which may go beyond the width of a line
TEXTS = {"evidence", "advice"}
#: default columns that are left out, the first ones first, if a line is too long
SPARE = (
    "expected", "observed", "npv", "n_judge", "n_human", "epsilon", "baseline_passed", "statistic", "others", "share",
    "n_labels", "alpha_without", "role", "p_value", "n_runs", "se", "diagonal", "smoothing", "objective", "n_sweeps",
    "n_categories", "n_gold", "gold_accuracy", "entropy", "agreement", "n_coders", "n_items",
)  # fmt: skip
#: the same of plans
SPARE_IN_PLANS = ("alternative", "ci_level", "cost_human_only")
#: texts that are left out of a result with all its columns
IDLE = {"remarks", "null"}
#: columns of `detail=True` that are never left out to make room
NEVER = {*TEXTS, "weights", "ci_level"}


#: columns that `detail=True` adds for some coefficients
DETAILS = {**KAPPA_DETAIL, **CCC_DETAIL, **ICC_DETAIL, **KENDALL_DETAIL}
#: all columns of results, with their dtypes
KNOWN: dict[Hashable, tuple[str, str]] = {
    name: column for schema in (*SCHEMAS, DETAILS) for name, column in schema.items() if name not in LEVELS
}


@dataclass(frozen=True, eq=False)
class Column:
    """One column of a table: the column of the result that it shows, its header and its cells."""

    source: Hashable
    header: str
    cells: list[str]
    is_key: bool = False

    def width(self) -> int:
        """Characters in a line as pandas prints it, which puts a blank before a column and one before its cells."""
        longest = 0 if self.source in TEXTS else max(map(len, self.cells), default=0)
        return max(len(self.header), longest + 1) + 1


@dataclass(frozen=True)
class NumberForm:
    """How numbers are written."""

    style: Style
    digits: int
    own_unit: bool = False

    def number(self, value: float, name: Hashable = "estimate") -> str:
        """A number of a column."""
        if pd.isna(value):
            return ""
        if str(name).startswith("p_"):
            text, bounded = "< 0.001" if value < 0.001 else f"{value:.3f}", True
        else:
            text, bounded = decimals(value, self.digits), name not in UNBOUNDED and not self.own_unit and value <= 1
        return re.sub(r"(?<!\d)0\.", ".", text) if bounded and self.style == "apa" else text

    def interval(self, low: float, high: float, name: Hashable = "estimate") -> str:
        """Both bounds as one cell."""
        return "" if pd.isna(low) and pd.isna(high) else f"[{self.number(low, name)}, {self.number(high, name)}]"


def decimals(value: float, digits: int) -> str:
    """A number with `digits` decimals, and with two significant digits where it would be 0 and is not.

    >>> decimals(0.5, 2), decimals(-0.0034, 2), decimals(0.0, 2), decimals(3e-7, 2)
    ('0.50', '-0.0034', '0.00', '3.0e-07')
    """
    text = number(value, digits)
    if float(text) or abs(value) < SMALLEST:
        return text
    return f"{value:.1e}" if abs(value) < 1e-4 else f"{value:.{1 - floor(log10(abs(value)))}f}"


# ---------------------------------------------------------------------------------------------------------- result


def check(result: Any, style: str, digits: Any) -> None:
    """Raise for what is no result, and for options that are none."""
    if not isinstance(result, pd.DataFrame):
        problem = f"expected a result of df.agree, which is a DataFrame, not a {type(result).__name__}"
        raise InputError(problem, "for one column write result[['estimate']]", code="no result")
    if noted(result, "left_out") is not None:
        raise InputError("this is a table already", "give the result it was made from", code="no result")
    choose("style", style, STYLES)
    if isinstance(digits, bool) or not isinstance(digits, int) or not 0 <= digits <= 10:
        raise wrong_value("digits", digits, "must be a whole number between 0 and 10")


@lru_cache(maxsize=256)
def schema_of(columns: frozenset[Hashable]) -> Schema:
    """The schema that has most of the columns: rather one whose default columns are all there, and a short one."""
    return max(SCHEMAS, key=lambda one: (columns.issuperset(one.shown), len(columns & one.keys()), -len(one)))


def is_cut(result: pd.DataFrame) -> bool:
    """Whether somebody has chosen columns, so that all of them are wanted."""
    columns = frozenset(result.columns)
    return not columns.issuperset(schema_of(columns).shown) and OF_ROWS.isdisjoint(columns)


def detail_of(result: pd.DataFrame) -> list[str]:
    """The columns that the result has with `detail=True` only."""
    schema = schema_of(frozenset(result.columns))
    return [name for name in (*DETAILS, *schema.detail) if name not in schema.shown]


def columns_of(result: pd.DataFrame, form: NumberForm) -> list[Column]:
    """All columns of the table, in the order of the result; those without any value are left out."""
    keys, others = _parts(result)
    names = {name for name, _ in [*keys, *others]}
    schema, cut, level = schema_of(frozenset(result.columns)), is_cut(result), _level(result)
    form = replace(form, own_unit=not OWN_UNIT.isdisjoint(names))
    found = [_key(name, values, result, names) for name, values in keys]
    bounds = {name: _bounds(name, names, schema, cut) for name, _ in others}
    beside = {bound for pair in bounds.values() for bound in pair}
    for name, values in others:
        title, cells = header(name), _cells(name, values, schema, form)
        if name == "estimate":
            title = estimate_name(result, names) or title
        if bounds[name]:
            low, high = (_floats(result[bound]) for bound in bounds[name])
            limits = [form.interval(*both, name) for both in zip(low, high, strict=True)]
            both = [f"{one} {two}".strip() for one, two in zip(cells, limits, strict=True)]
            title, cells = (f"{level}CI", limits) if name == "ci_low" else (f"{title} [{level}CI]", both)
        if bounds[name] or name not in beside:
            found.append(Column(name, title, cells))
    return [each for each in _with_advice(found, cut) if each.source == "estimate" or any(each.cells) or not each.cells]


Part = tuple[Hashable, Any]  # a name and its values


def _parts(result: pd.DataFrame) -> tuple[list[Part], list[Part]]:
    """The keys of the rows and the other columns: index levels, or what stands before the columns of a result."""
    columns: list[Part] = [(name, result.iloc[:, place]) for place, name in enumerate(result.columns)]
    first = next(
        (place for place, (name, _) in enumerate(columns) if name in KNOWN and KNOWN[name][0] != "label"), None
    )
    if first is None:
        problem = f"this frame is not a result of df.agree: its columns are {shown(list(result.columns[:4]))}"
        raise InputError(problem, "give what a method of df.agree returned", code="no result")
    levels: list[Part] = [(name, result.index.get_level_values(n)) for n, name in enumerate(result.index.names)]
    keys = [level for level in levels if level[0] is not None]
    if not keys and not OF_ROWS.isdisjoint(result.columns):  # they keep the index of the user's frame
        return [("Row", result.index)], columns
    if not keys:
        first = next(place for place, (name, _) in enumerate(columns) if name in KNOWN)
        keys, columns = columns[:first], columns[first:]
    named = [column for column in columns if column[0] == LEVEL]
    return [*keys, *named], [column for column in columns if column[0] != LEVEL]


def _bounds(name: Hashable, names: set[Hashable], schema: Schema, cut: bool) -> tuple[str, ...]:
    """The columns of the bounds that stand in the cells of a column."""
    stem = "ci" if name == "ci_low" else name
    low, high = f"{stem}_low", f"{stem}_high"
    return (low, high) if {low, high} <= names and (cut or low in schema.shown) else ()


def estimate_name(result: pd.DataFrame, names: Iterable[Hashable]) -> str:
    """The name of the one coefficient that no column tells; empty if it is not known."""
    known = None if LEVEL in names else coefficient_of(result)
    return coefficient(known[0], _n_coders(result, names)[0]) if known is not None and len(known) else ""


def header(name: Hashable) -> str:
    """The name of a column or level for readers; those of the user are as they are."""
    if name in KNOWN or name in LEVELS:
        return HEADERS.get(str(name)) or _words(str(name).removeprefix("n_"))
    return str(name)


def _words(name: str) -> str:
    """A name with blanks and a capital."""
    return name.replace("_", " ").capitalize()


def _level(result: pd.DataFrame) -> str:
    """The level of the intervals, such as '95% '; empty if it is not known, or not the same in all rows."""
    level = fact(result, "ci_level")
    return f"{confidence(level)} " if level else ""


def _with_advice(columns: list[Column], cut: bool) -> list[Column]:
    """With the advice on findings: beside the evidence, or looked up by the name of the finding."""
    of = {each.source: each for each in columns}
    if "evidence" in of and "advice" in of:
        cells = [f"{one}. Advice: {two}." for one, two in zip(of["evidence"].cells, of["advice"].cells, strict=True)]
        both = Column("evidence", "Evidence and advice", cells)
        return [both if each.source == "evidence" else each for each in columns if each.source != "advice"]
    if "finding" in of and "advice" not in of and not cut:
        return [*columns, Column("advice", "Advice", [ADVICE.get(cell, "") for cell in of["finding"].cells])]
    return columns


# ----------------------------------------------------------------------------------------------------------- cells


def _key(name: Hashable, values: Any, result: pd.DataFrame, names: set[Hashable]) -> Column:
    """A column that says what a row is about; a key such as "about" is the user's."""
    if name == LEVEL:
        cells = [coefficient(*each) for each in zip(values, _n_coders(result, names), strict=True)]
    else:
        cells = [label_cell(value, name) for value in values.tolist()]
    return Column(name, header(name) if name in LEVELS else str(name), cells, True)


def label_cell(value: Any, name: Hashable = None) -> str:
    """A label or key as text."""
    if name in ("test", "method") and isinstance(value, str):
        return NAMES.get(value) or _words(value)
    return "" if is_missing(value) else label_text(value)


def _n_coders(result: pd.DataFrame, names: Iterable[Hashable]) -> list[Any]:
    """The number of coders behind each row, if anything tells."""
    if "n_coders" in result:
        return result["n_coders"].tolist()
    return [2 if "coder_1" in names else None] * len(result)


def coefficient(name: Any, n_coders: Any) -> str:
    """The name of a coefficient for readers; some have one for two coders and another for more."""
    record = REGISTRY.get(name)
    if record is None:
        return NAMES.get(name) or _words(str(name))
    if record.display is None or n_coders is None or n_coders < 2:
        return coefficient_name(record)
    return record.display[0 if n_coders == 2 else 1]


def _cells(name: Hashable, values: pd.Series, schema: Schema, form: NumberForm) -> list[str]:
    """The cells of a column that is no key."""
    if name not in KNOWN:
        return [*map(own_cell, values.tolist())]
    dtype = schema.get(str(name), KNOWN[name])[0]  # a name may be a label in one and a number in another
    if name == "weights":
        return [weights_name(value) if isinstance(value, str) else "" for value in values.tolist()]
    if is_bool_dtype(values.dtype) or dtype == "bool":
        return ["" if is_missing(value) else "yes" if value else "no" for value in values.tolist()]
    if dtype in ("float64", "int64") and is_numeric_dtype(values.dtype):
        numbers = _floats(values)
        if dtype == "int64" or (name in UNBOUNDED and all(one.is_integer() for one in numbers if one == one)):
            return ["" if one != one else f"{one:,.0f}" for one in numbers]
        return [form.number(one, name) for one in numbers]
    return [value if isinstance(value, str) and dtype == "str" else label_cell(value) for value in values.tolist()]


def _floats(values: pd.Series) -> list[float]:
    found: list[float] = values.to_numpy(float, na_value=nan).tolist()
    return found


# ----------------------------------------------------------------------------------------------------------- width


def fitting(columns: list[Column], result: pd.DataFrame) -> tuple[list[Column], list[str]]:
    """The columns that fit in a line, and the names of those that were left out."""
    plan = not PLANS.keys().isdisjoint(result.columns)  # which has some of the columns of its schema
    if is_cut(result) and not plan:
        return columns, []
    of = {each.source: each for each in columns}
    detail = [] if plan else detail_of(result)
    told = {"ci_level"} if _level(result) and any("CI" in each.header for each in columns) else set()
    idle = told | {name for name in detail if name in IDLE or name.endswith(("_low", "_high"))}
    if "weights" in of and set(of["weights"].cells) <= {"nominal", ""}:
        idle.add("weights")
    own = [each.source for each in columns if each.source not in KNOWN and not each.is_key]
    spare = [*(own if not OF_ROWS.isdisjoint(of) else ()), *[name for name in detail if name not in NEVER]][::-1]
    room = WIDTH - sum(each.width() for each in columns if each.source not in idle)
    for name in [*spare, *(SPARE_IN_PLANS if plan else ()), *SPARE]:
        if room < 0 and name in of and name not in idle:
            idle.add(name)
            room += of[name].width()
    return [each for each in columns if each.source not in idle], [str(name) for name in of if name in idle - told]


def frame(columns: Sequence[Column], left_out: Sequence[str] = ()) -> pd.DataFrame:
    """The table of these columns."""
    headers: list[str] = []
    for each in columns:
        again = sum(other == each.header or other.startswith(f"{each.header} (") for other in headers)
        headers.append(f"{each.header} ({again + 1})" if each.header in headers else each.header)
    data = {place: [*map(visible, each.cells)] for place, each in enumerate(columns)}
    made = pd.DataFrame(data, index=[""] * len(columns[0].cells), dtype=TEXT)
    made.columns = pd.Index([*map(visible, headers)])
    made.attrs["agree"] = {"left_out": [*left_out]}
    return made
