"""The columns of a table: which of a result it shows, how they are called, and how their cells are written.

It goes by the columns of any result, as `results/schemas.py` names them, so a result with columns or rows left out
still has its table. Names, order and form are data here; nothing knows a method.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import pandas as pd
from pandas.api.types import is_bool_dtype, is_numeric_dtype

from pandas_agreement.characters import visible
from pandas_agreement.coefficients.registry import REGISTRY
from pandas_agreement.errors import InputError, choose, shown, wrong_value
from pandas_agreement.formatting import cell as own_cell
from pandas_agreement.formatting import coefficient_name, confidence, label_text, number, weights_name
from pandas_agreement.interpret import check_at_least, settled
from pandas_agreement.results import schemas
from pandas_agreement.tables.frame import NOTE, WIDTH, Table

MAX_KEY = 22  # characters of a key in one line, if there is no room for more
EASY = 34  # characters of a text that reads well
Style = Literal["plain", "apa"]
STYLES = {"plain": "leading zeros", "apa": "none for numbers that cannot exceed 1"}

#: what stands in the index of results beside group keys
LEVELS = {
    "category": "Category", "coder": "Coder", "coder_1": "Coder 1", "coder_2": "Coder 2", "coefficient": "Coefficient",
    "test": "Test", "judge": "Judge", "finding": "Finding", "candidate": "Candidate", "candidate_1": "Candidate 1",
    "candidate_2": "Candidate 2", "first": "First", "second": "Second", "field": "Field", "method": "Method",
    "coder_group": "Coders", "pooling": "Pooling", "replicate": "Replicate", "true": "True label",
    "given": "Given label", "judge_1": "Judge 1", "judge_2": "Judge 2", "coder_group_1": "Coders 1",
    "coder_group_2": "Coders 2",
}  # fmt: skip
#: names of columns; the others are their own with a capital
HEADERS = {
    "n_items": "n", "n": "n", "n_human": "Human labels", "n_judge": "Judge labels", "f": "F", "sem": "SEM",
    "var_items": "Item variance", "var_coders": "Coder variance", "var_error": "Error variance", "se": "SE",
    "sd": "SD", "df": "df", "df1": "df 1", "df2": "df 2", "ci_level": "CI level", "ci_method": "CI method",
    "p_value": "p", "p_holm": "p (Holm)", "p_by": "p (B-Y)",
    "p_noninferior": "p (not worse)", "p_equivalent": "p (as good)", "npv": "NPV",
    "pabak": "PABAK", "null_se": "Null SE", "estimate_1": "Estimate 1", "estimate_2": "Estimate 2",
    "lower": "Lower limit", "upper": "Upper limit", "evidence": "Evidence and advice", "loglik": "Log-likelihood",
    "p_coders": "p (coders)", "chi2": "Chi-squared", "note": NOTE, "alpha": "Significance",
    "human_only": "Humans alone", "cost_human_only": "Cost alone",
}  # fmt: skip
#: columns that come before the others if not all fit, the first ones first
FIRST = (
    "evidence", "about", "difference", "ci_low", "verdict", "estimate", "bias", "lower", "upper", "p_value", "n_items",
    "n", "weights", "estimate_1", "estimate_2", "p_holm", "ceiling", "label", "inferred", "reason", "probability",
    "accuracy", "statistic", "passed", "winning_rate", "share", "null",
)  # fmt: skip
#: columns about how a number was made: shown if someone has chosen them
LAST = {"ci_level", "ci_method", "missing", "n_categories", "severity", "threshold", "advice", "df", "df1", "df2"}
#: numbers that may be above 1, so that they keep their leading zero
UNBOUNDED = {"statistic", "df", "df1", "df2", "loglik", "objective", "log_loss", "calibrated_loss", "exponent", "wins",
             "worth", "n", "rank", "sd", "lower", "upper", "location_shift", "scale_shift", "f", "chi2",
             "var_items", "var_coders", "var_error", "sem", "judge_mean", "human_mean", "smoothing", "diagonal",
             "n_human", "n_judge", "threshold", "prevalence_index", "bias_index", "value", "bias",
             "cost", "cost_human_only"}  # fmt: skip
SMALL = {"influence": 2}  # further digits of numbers that are close to 0
LONG = {
    "evidence": 40,
    "null": 28,
    "advice": 30,
    "at_least": 12,
    "about": 12,
}  # texts that are wrapped, and their least width
TESTS = {"stuart_maxwell": "Stuart-Maxwell", "mcnemar": "McNemar", "cochran_q": "Cochran's Q"}  # fmt: skip
METHODS = {"dawid_skene": "Dawid-Skene", "mace": "MACE", "one_coin": "One-coin"}
#: results whose estimate is no coefficient: log-odds, mean scores, findings
OWN_UNIT = {"strength", "lower", "candidate", "candidate_1", "judge_mean", "measure"}
#: columns that rows of the user's frame have beside the user's own: those of items and of the queue
OF_ROWS = {"tie", "inferred"}

SCHEMAS = [schema for name, schema in vars(schemas).items() if name.isupper()]


def _known(chosen: Iterable[schemas.Schema]) -> dict[str, str]:
    """The columns of results and their dtypes."""
    columns = {column: dtype for schema in chosen for column, (dtype, _) in schema.items()} | {"value": "float64"}
    return {column: dtype for column, dtype in columns.items() if column not in LEVELS}


KNOWN = _known(SCHEMAS)


@dataclass(frozen=True, eq=False)
class Column:
    """One column of a table: the column of the result that it shows, its header and its cells."""

    source: Hashable
    header: str
    cells: list[str]
    is_key: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "header", visible(self.header))
        object.__setattr__(self, "cells", [visible(cell) for cell in self.cells])

    def width(self) -> int:
        """Characters in a line as pandas prints it, which puts a blank before a column and one before its cells."""
        longest = 0 if self.source == "note" else max(map(len, self.cells), default=0)  # notes are letters
        return printed(self.header, longest)

    def least(self) -> int:
        """Characters that the column needs in a line; texts and keys may be wrapped."""
        if self.source in KNOWN and self.source not in LONG:
            return self.width()
        return min(self.width(), printed(self.header, LONG.get(str(self.source), MAX_KEY)))


def printed(header: str, longest: int) -> int:
    return max(len(header), longest + 1) + 1


# ---------------------------------------------------------------------------------------------------------- result


def check(result: Any, style: str, digits: Any) -> None:
    """Raise for what is no result, and for options that are none."""
    if not isinstance(result, pd.DataFrame):
        problem = f"expected a result of df.agree, which is a DataFrame, not a {type(result).__name__}"
        raise InputError(problem, "for one column write result[['estimate']]", code="no result")
    if isinstance(result, Table):
        raise InputError("this is a table already", "give the result it was made from", code="no result")
    choose("style", style, STYLES)
    if isinstance(digits, bool) or not isinstance(digits, int) or not 0 <= digits <= 10:
        raise wrong_value("digits", digits, "must be a whole number between 0 and 10")


def flat(result: pd.DataFrame) -> tuple[pd.DataFrame, list[Hashable]]:
    """The result with its named index levels as columns, and which of the columns are keys."""
    if not any(KNOWN.get(name) not in (None, "label") for name in result.columns if isinstance(name, str)):
        problem = f"this frame is not a result of df.agree: its columns are {shown(list(result.columns[:4]))}"
        raise InputError(problem, "give what a method of df.agree returned", code="no result")
    keys = [name for name in result.index.names if name is not None]
    if not keys and not OF_ROWS.isdisjoint(result.columns):  # they keep the index of the user's frame
        return result.reset_index(names="Row").reset_index(drop=True), ["Row"]
    whole = result.reset_index([level for level, name in enumerate(result.index.names) if name is not None])
    if not keys:
        first = next(place for place, name in enumerate(whole.columns) if name in KNOWN)
        keys = list(whole.columns[:first])
    return whole.reset_index(drop=True), keys


def is_cut(result: pd.DataFrame) -> bool:
    """Whether somebody has chosen columns, so that all of them are wanted."""
    whole = any(schema.keys() <= set(result.columns) for schema in SCHEMAS)
    return not whole and schemas.PLANS.keys().isdisjoint(result.columns)  # a plan has some of its columns


def is_late(name: Hashable, result: pd.DataFrame) -> bool:
    """Columns about how a number was made, of a result with all its columns, and weights that are none."""
    if is_cut(result):
        return False
    return name in LAST or (name == "weights" and bool((result["weights"] == "nominal").all()))


# ----------------------------------------------------------------------------------------------------------- cells

Writer = Callable[[Any, Hashable], str]


def columns_of(result: pd.DataFrame, style: Style, digits: int, at_least: float | None) -> list[Column]:
    """All columns of the table, in the order of the result."""
    whole, keys = flat(result)
    names = list(whole.columns)
    write = writer(style, digits, not OWN_UNIT.isdisjoint(names))
    columns = []
    for place, name in enumerate(names):
        if name in ("ci_high", "advice") and {"ci_high": "ci_low", "advice": "evidence"}[name] in names:
            continue
        if isinstance(name, str) and (name.endswith(("_low", "_high"))) and name.rpartition("_")[0] in names:
            continue
        cells = _cells(whole.iloc[:, place], name, whole, write, name in keys)
        ours = name not in keys or name in LEVELS or "_" in str(name)  # a key such as "about" is the user's
        title = _header(name, whole) if ours else str(name)
        columns.append(Column(name, title, cells, name in keys))
    if at_least is not None:
        asked = check_at_least(at_least, result)
        answer = Column("at_least", f"At least {asked:g}", settled(result, asked))
        columns.insert(next((i for i, each in enumerate(columns) if each.source == "note"), len(columns)), answer)
    return [each for each in columns if each.source == "estimate" or any(each.cells) or not len(whole)]


def writer(style: Style, digits: int, own_unit: bool) -> Writer:
    """The function that writes a number of a column."""

    def write(value: Any, name: Hashable) -> str:
        if pd.isna(value):
            return ""
        if isinstance(name, str) and (name == "p" or name.startswith("p_")):
            least = 10.0**-3
            text = f"< {least:.3f}" if value < least else f"{value:.3f}"
            return text.replace("0.", ".", 1) if style == "apa" else text
        text = number(value, digits + SMALL.get(str(name), 0))
        bounded = style == "apa" and name not in UNBOUNDED and not own_unit and abs(value) <= 1
        return text.replace("0.", ".", 1) if bounded and text.lstrip("-").startswith("0.") else text

    return write


def _header(name: Hashable, whole: pd.DataFrame) -> str:
    if name == "ci_low" and "ci_high" in whole:
        return f"{_level(whole)}CI"
    if _has_limits(name, whole):
        return f"{HEADERS.get(str(name), _words(str(name)))} [{_level(whole)}CI]"
    return header(name)


def _has_limits(name: Hashable, whole: pd.DataFrame) -> bool:
    """Whether a number has its own interval beside it; limits of agreement do not, so that both fit beside the bias."""
    return f"{name}_low" in whole and f"{name}_high" in whole and not (name in ("lower", "upper") and "bias" in whole)


def header(name: Hashable) -> str:
    """The name of a column or level for readers; those of the user are as they are."""
    if name in KNOWN or name in LEVELS:
        return (LEVELS | HEADERS).get(str(name)) or _words(str(name).removeprefix("n_"))
    return str(name)


def _words(name: str) -> str:
    """A name with blanks and a capital."""
    return name.replace("_", " ").capitalize().replace("f1", "F1")


def _level(whole: pd.DataFrame) -> str:
    """The level of the intervals, such as '95% '; empty if it is not known, or not the same in all rows."""
    levels: Any = whole["ci_level"].dropna().unique() if "ci_level" in whole else []
    return f"{confidence(levels[0])} " if len(levels) == 1 else ""


def _cells(values: pd.Series, name: Hashable, whole: pd.DataFrame, write: Writer, is_key: bool) -> list[str]:
    """The cells of one column; an estimate with its own limits has them beside it."""
    if name == "ci_low" and "ci_high" in whole:
        return [_interval(low, high, name, write) for low, high in zip(values, whole["ci_high"], strict=True)]
    if _has_limits(name, whole):
        low, high = f"{name}_low", f"{name}_high"
        limits = [_interval(one, two, name, write) for one, two in zip(whole[low], whole[high], strict=True)]
        return [f"{write(v, name)} {limit}".strip() for v, limit in zip(values, limits, strict=True)]
    if name == "coefficient":
        coders = whole["n_coders"] if "n_coders" in whole else [None] * len(whole)
        return [coefficient(value, n) for value, n in zip(values, coders, strict=True)]
    if name == "evidence" and "advice" in whole:
        return [f"{one}. Advice: {two}." for one, two in zip(values, whole["advice"], strict=True)]
    if name == "weights":
        return [weights_name(value) if isinstance(value, str) else "" for value in values]
    if name == "test":
        return [TESTS.get(value) or _words(str(value)) for value in values]
    if name == "method":
        return [METHODS.get(value) or label_text(value) for value in values]
    if name not in KNOWN and not is_key:
        return [own_cell(value) for value in values]
    return [*map(_cell_writer(values, name, _dtypes(whole).get(str(name)), write), values)]


def _dtypes(whole: pd.DataFrame) -> dict[str, str]:
    """The dtypes of columns, first of the schema that fits best: a name may be a label in one, a number in another."""
    best = max(SCHEMAS, key=lambda schema: len(schema.keys() & set(whole.columns)))
    return KNOWN | _known([best])


def _cell_writer(values: pd.Series, name: Hashable, dtype: str | None, write: Writer) -> Callable[[Any], str]:
    """The function that writes a cell of a column."""
    if is_bool_dtype(values.dtype):
        return lambda value: "yes" if value else "no"
    if is_numeric_dtype(values.dtype) and dtype not in (None, "label"):
        if dtype == "int64" or (name in UNBOUNDED and bool((values.dropna() % 1 == 0).all())):
            return lambda value: "" if pd.isna(value) else f"{value:,.0f}"
        return lambda value: write(value, name)
    return lambda value: _text_cell(value, name)


def _text_cell(value: Any, name: Hashable) -> str:
    if isinstance(value, str):
        return value if name in KNOWN else label_text(value)
    return "" if pd.api.types.is_scalar(value) and pd.isna(value) else label_text(value)


def _interval(low: Any, high: Any, name: Hashable, write: Writer) -> str:
    if pd.isna(low) and pd.isna(high):
        return ""
    return f"[{write(low, name)}, {write(high, name)}]"


def coefficient(name: Any, n_coders: Any) -> str:
    """The name of a coefficient for readers; some have one for two coders and another for more."""
    record = REGISTRY.get(name)
    if record is None:
        return "Specific agreement" if name == "specific" else _words(str(name))
    if record.display is None or n_coders is None or n_coders < 2:
        return coefficient_name(record)
    return record.display[0 if n_coders == 2 else 1]


# ----------------------------------------------------------------------------------------------------------- width


def fitting(columns: list[Column], result: pd.DataFrame) -> list[Column]:
    """The columns that fit in a line: keys, answer, note and the first number always, then by importance."""
    rank = {name: place for place, name in enumerate(FIRST)}
    wanted = [each for each in columns if not is_late(each.source, result)]
    known = sorted((each for each in wanted if each.source in KNOWN and each.source != "note"), key=_rank(rank))
    others_lead = {"difference", "evidence"} & set(result.columns)  # before an estimate
    main = [each for each in known if each.source == "estimate" and not others_lead] or known[:1]
    own_rows = not OF_ROWS.isdisjoint(result.columns)  # with many columns of the user's
    must = [each for each in wanted if each.is_key or each.source == "note" or each in main]
    must += [each for each in wanted if each.source not in KNOWN and not own_rows and not each.is_key]
    chosen, left, full = list(must), WIDTH - sum(each.least() for each in must), False
    wish = sum(min(each.width(), EASY) - each.least() for each in must if each.least() < EASY)  # of texts
    for each in sorted((each for each in wanted if each not in must), key=_rank(rank)):
        first = each.source in rank or each.source not in KNOWN
        fits = each.least() <= (left if first else left - wish) and (first or not full)
        full = full or not fits
        if fits or is_cut(result):
            chosen.append(each)
            left -= each.least()
    return [each for each in columns if each in chosen]


def _rank(rank: dict[str, int]) -> Callable[[Column], float]:
    """The place of a column: those in FIRST, then the user's own, then the rest."""
    return lambda each: rank.get(str(each.source), len(rank) + (each.source in KNOWN))


def frame(columns: Sequence[Column]) -> Table:
    """The table of these columns."""
    n_rows = len(columns[0].cells) if columns else 0
    made = Table(dict(enumerate(each.cells for each in columns)), index=[""] * n_rows, dtype=object)
    return made.set_axis(_unique([column.header for column in columns]), axis=1)


def _unique(headers: Sequence[str]) -> list[str]:
    """Headers of which none is there twice."""
    seen: list[str] = []
    for header in headers:
        again = sum(other == header or other.startswith(f"{header} (") for other in seen)
        seen.append(f"{header} ({again + 1})" if header in seen else header)
    return seen
