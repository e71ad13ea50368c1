"""Results for readers: `table` makes a small frame of strings, `sentence` text to paste.

Both work on the columns of any result, as `results/schemas.py` names them, so a result with columns or rows left out
still has its table. Which columns come first and how they are called and written is data here; nothing knows a method.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import pandas as pd
from pandas.api.types import is_bool_dtype, is_numeric_dtype

from pandas_agreement.coefficients.registry import REGISTRY
from pandas_agreement.errors import InputError, choose, shown, wrong_value
from pandas_agreement.formatting import coefficient_name, confidence, count, label_text, notes_of, number
from pandas_agreement.interpret import check_at_least, settled
from pandas_agreement.results import schemas

__all__ = ["sentence", "table"]

WIDTH = 78  # of 80, as pandas prints an empty index before the table
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
    "given": "Given label",
}  # fmt: skip
#: names of columns; the others are their own with a capital
HEADERS = {
    "n_items": "n", "n": "n", "n_human": "Human labels", "n_judge": "Judge labels", "items": "Item variance",
    "coders": "Coder variance", "error": "Error variance", "se": "SE", "sd": "SD", "df": "df", "df1": "df 1",
    "df2": "df 2", "ci_level": "CI level", "ci_method": "CI method", "p_value": "p", "p_holm": "p (Holm)",
    "p_by": "p (B-Y)", "p_noninferior": "p (not worse)", "p_equivalent": "p (as good)", "ccc": "CCC", "npv": "NPV",
    "pabak": "PABAK", "null_se": "Null SE", "estimate_1": "Estimate 1", "estimate_2": "Estimate 2",
    "lower": "Lower limit", "upper": "Upper limit", "evidence": "Evidence and advice",
}  # fmt: skip
#: columns that come before the others if not all fit, the first ones first
FIRST = (
    "evidence", "about", "difference", "ci_low", "verdict", "estimate", "bias", "lower", "upper", "p_value", "n_items",
    "n", "estimate_1", "estimate_2", "p_holm", "ceiling", "label", "accuracy", "statistic", "passed", "winning_rate",
    "share", "null",
)  # fmt: skip
#: columns about how a number was made: shown if someone has chosen them
LAST = {"ci_level", "ci_method", "missing", "n_categories", "severity", "threshold", "advice", "df", "df1", "df2"}
#: numbers that may be above 1, so that they keep their leading zero
UNBOUNDED = {"statistic", "df", "df1", "df2", "loglik", "objective", "log_loss", "calibrated_loss", "exponent", "wins",
             "worth", "n", "rank", "sd", "lower", "upper", "location_shift", "scale_shift", "items", "coders",
             "error", "judge_mean", "human_mean", "smoothing", "diagonal", "n_human", "n_judge", "threshold",
             "prevalence_index", "bias_index", "value"}  # fmt: skip
LONG = {"evidence": 40, "note": 15, "null": 28, "advice": 30}  # texts that are wrapped, and their least width
TESTS = {"stuart_maxwell": "Stuart-Maxwell", "mcnemar": "McNemar", "cochran_q": "Cochran's Q", "icc_1": "ICC(1)",
         "icc_c": "ICC(C)", "kendall_chi2": "Kendall's chi-squared", "kendall_f": "Kendall's F"}  # fmt: skip
#: results whose estimate is no coefficient: log-odds, mean scores, findings
OWN_UNIT = {"strength", "sd", "candidate", "candidate_1", "judge_mean", "measure"}


SCHEMAS = [schema for name, schema in vars(schemas).items() if name.isupper()]


def _known() -> dict[str, str]:
    """Every column of every result and its dtype."""
    columns = {column: dtype for schema in SCHEMAS for column, (dtype, _) in schema.items()} | {"value": "float64"}
    return {column: dtype for column, dtype in columns.items() if column not in LEVELS}


KNOWN = _known()


@dataclass(frozen=True, eq=False)
class Column:
    """One column of a table: the columns of the result that it shows, its header and its cells."""

    source: Hashable
    header: str
    cells: list[str]

    def width(self) -> int:
        """Characters in a line as pandas prints it, which puts a blank before a column and one before its cells."""
        return _printed(self.header, max(map(len, self.cells), default=0))


def _printed(header: str, longest: int) -> int:
    return max(len(header), longest + 1) + 1


# --------------------------------------------------------------------------------------------------------- public


def table(result: pd.DataFrame, style: Style = "plain", digits: int = 2, at_least: float | None = None) -> pd.DataFrame:
    """A result as a small table of strings, to read, print and put into a paper.

    Parameters
    ----------
    result : DataFrame
        What a method of `df.agree` returned, as it is, rounded, or with rows or columns left out.
    style : {'plain', 'apa'}, default 'plain'
        'apa' leaves out the zero before the point of numbers that cannot exceed 1.
    digits : int, default 2
        Digits after the point.
    at_least : float, optional
        Adds the answer to "is it at least so much?", row by row: "yes" if the lower limit of the interval is at or
        above it, "no" if the upper limit is below it, otherwise "not settled", or why there is no answer.

    Returns
    -------
    DataFrame
        Strings, with names for readers and an empty index. The interval is one cell. The most important columns
        come first into the 80 characters of a line, and others as they fit; columns that you have chosen are all
        there. Notes are in the last column, "as above" if they repeat, and long texts go on in the rows below, so
        that nothing is lost when the table is printed or written with ``to_markdown(index=False,
        disable_numparse=True)``, which keeps the digits, ``to_latex(index=False, escape=True)`` or great_tables'
        ``GT(...)`` (``pip install "pandas-agreement[tables]"``).

    See Also
    --------
    sentence : The same as text.

    Examples
    --------
    >>> import pandas_agreement
    >>> example = pandas_agreement.load_example()
    >>> pandas_agreement.table(example.agree.summary("ann", "bob", metrics=["kappa", "alpha"]), style="apa")
               Coefficient Estimate      95% CI   SE Observed Expected Coders    n
             Cohen's kappa      .61  [.55, .67]  .03      .74      .32      2  418
      Krippendorff's alpha      .61  [.55, .67]  .03      .74      .32      2  418
    """
    return _lines(_fitting(_columns(result, style, digits, at_least), result))


def sentence(result: pd.DataFrame, style: Style = "apa", digits: int = 2) -> str:
    """A result as text to paste: one line per row.

    Parameters
    ----------
    result : DataFrame
        What a method of `df.agree` returned, as it is, rounded, or with rows or columns left out.
    style : {'apa', 'plain'}, default 'apa'
        'apa' leaves out the zero before the point of numbers that cannot exceed 1.
    digits : int, default 2
        Digits after the point.

    Returns
    -------
    str
        Group keys, what was measured, its value, interval, items and coders. A row that is undefined says why.

    See Also
    --------
    table : The same as a table.

    Examples
    --------
    >>> import pandas_agreement
    >>> example = pandas_agreement.load_example()
    >>> print(pandas_agreement.sentence(example.agree.alpha("ann", "bob", "cleo", "dev")))
    Krippendorff's alpha = .51, 95% CI [.47, .55], 580 items, 4 coders
    """
    columns = [column for column in _columns(result, style, digits, None) if not _is_late(column.source, result)]
    flat = _flat(result)
    return "\n".join(_row_text(flat.iloc[row], row, columns) for row in range(len(flat)))


# -------------------------------------------------------------------------------------------------------- columns


def _flat(result: Any) -> pd.DataFrame:
    """The result with its named index levels as columns; raises for anything else."""
    if not isinstance(result, pd.DataFrame):
        problem = f"expected a result of df.agree, which is a DataFrame, not a {type(result).__name__}"
        raise InputError(problem, "for one column write result[['estimate']]", code="no result")
    names = [name for name in result.index.names if name is not None]
    if not any(KNOWN.get(name) not in (None, "label") for name in result.columns if isinstance(name, str)):
        problem = f"this frame is not a result of df.agree: its columns are {shown(list(result.columns[:4]))}"
        raise InputError(problem, "give what a method of df.agree returned", code="no result")
    kept = result.reset_index([level for level, name in enumerate(result.index.names) if name is not None])
    if not names and not {"tie", "inferred"}.isdisjoint(result.columns):  # items keep the index of the user's frame
        kept = result.reset_index(names="Item")
    return kept.reset_index(drop=True)


def _columns(result: pd.DataFrame, style: Style, digits: int, at_least: float | None) -> list[Column]:
    """All columns of the table, in the order of the result."""
    choose("style", style, STYLES)
    if isinstance(digits, bool) or not isinstance(digits, int) or not 0 <= digits <= 10:
        raise wrong_value("digits", digits, "must be a whole number between 0 and 10")
    flat = _flat(result)
    names = list(flat.columns)
    own_unit = not OWN_UNIT.isdisjoint(names)
    columns = []
    for place, name in enumerate(names):
        if name in ("ci_high", "advice") and {"ci_high": "ci_low", "advice": "evidence"}[name] in names:
            continue
        if isinstance(name, str) and (name.endswith(("_low", "_high"))) and name.rpartition("_")[0] in names:
            continue
        values = flat.iloc[:, place]
        columns.append(Column(name, _header(name, flat), _cells(values, name, flat, _writer(style, digits, own_unit))))
    if at_least is not None:
        asked = check_at_least(at_least, result)
        answer = Column("at_least", f"At least {asked:g}", settled(result, asked))
        columns.insert(next((i for i, each in enumerate(columns) if each.source == "note"), len(columns)), answer)
    return [each for each in columns if each.source == "estimate" or any(each.cells) or not len(flat)]


Writer = Callable[[Any, Hashable], str]


def _writer(style: Style, digits: int, own_unit: bool) -> Writer:
    """The function that writes a number of a column."""

    def write(value: Any, name: Hashable) -> str:
        if pd.isna(value):
            return ""
        if isinstance(name, str) and (name == "p" or name.startswith("p_")):
            least = 10.0**-3
            text = f"< {least:.3f}" if value < least else f"{value:.3f}"
            return text.replace("0.", ".", 1) if style == "apa" else text
        text = number(value, digits)
        bounded = style == "apa" and name not in UNBOUNDED and not own_unit and abs(value) <= 1
        return text.replace("0.", ".", 1) if bounded and text.lstrip("-").startswith("0.") else text

    return write


def _header(name: Hashable, flat: pd.DataFrame) -> str:
    if name == "ci_low" and "ci_high" in flat:
        return f"{_level(flat)}CI"
    if f"{name}_low" in flat and f"{name}_high" in flat:
        return f"{HEADERS.get(str(name), _words(str(name)))} [{_level(flat)}CI]"
    if name in KNOWN or name in LEVELS:
        return (LEVELS | HEADERS).get(str(name)) or _words(str(name).removeprefix("n_"))
    return str(name)


def _words(name: str) -> str:
    """A name with blanks and a capital."""
    return name.replace("_", " ").capitalize().replace("f1", "F1")


def _level(flat: pd.DataFrame) -> str:
    """The level of the intervals, such as '95% '; empty if it is not known, or not the same in all rows."""
    levels: Any = flat["ci_level"].dropna().unique() if "ci_level" in flat else []
    return f"{confidence(levels[0])} " if len(levels) == 1 else ""


def _cells(values: pd.Series, name: Hashable, flat: pd.DataFrame, write: Writer) -> list[str]:
    """The cells of one column; an estimate with its own limits has them beside it."""
    if name == "ci_low" and "ci_high" in flat:
        return [_interval(low, high, name, write) for low, high in zip(values, flat["ci_high"], strict=True)]
    low, high = f"{name}_low", f"{name}_high"
    if low in flat and high in flat:
        limits = [_interval(one, two, name, write) for one, two in zip(flat[low], flat[high], strict=True)]
        return [f"{write(v, name)} {limit}".strip() for v, limit in zip(values, limits, strict=True)]
    if name == "coefficient":
        coders = flat["n_coders"] if "n_coders" in flat else [None] * len(flat)
        return [_coefficient(value, n) for value, n in zip(values, coders, strict=True)]
    if name == "evidence" and "advice" in flat:
        return [f"{one}. Advice: {two}." for one, two in zip(values, flat["advice"], strict=True)]
    if name == "test":
        return [TESTS.get(value, _words(str(value))) for value in values]
    if name == "note":
        before = [None, *values]
        return ["as above" if value and value == last else value for value, last in zip(values, before, strict=False)]
    return [_cell(value, name, values, write) for value in values]


def _cell(value: Any, name: Hashable, values: pd.Series, write: Writer) -> str:
    if is_bool_dtype(values.dtype):
        return "yes" if value else "no"
    whole = KNOWN.get(str(name)) == "int64" or (name in UNBOUNDED and bool((values.dropna() % 1 == 0).all()))
    if is_numeric_dtype(values.dtype) and name in KNOWN and KNOWN[str(name)] != "label":
        return ("" if pd.isna(value) else f"{value:,.0f}") if whole else write(value, name)
    if pd.api.types.is_scalar(value) and pd.isna(value):
        return ""
    return str(value) if name in KNOWN and isinstance(value, str) else label_text(value)


def _interval(low: Any, high: Any, name: Hashable, write: Writer) -> str:
    if pd.isna(low) and pd.isna(high):
        return ""
    return f"[{write(low, name)}, {write(high, name)}]"


def _coefficient(name: Any, n_coders: Any) -> str:
    """The name of a coefficient for readers; some have one for two coders and another for more."""
    record = REGISTRY.get(name)
    if record is None:
        return "Specific agreement" if name == "specific" else _words(str(name))
    if record.display is None or n_coders is None or n_coders < 2:
        return coefficient_name(record)
    return record.display[0 if n_coders == 2 else 1]


# ----------------------------------------------------------------------------------------------------------- width


def _is_late(name: Hashable, result: pd.DataFrame) -> bool:
    """Columns about how a number was made, of a result with all its columns, and weights that are none."""
    if _is_cut(result):
        return False
    return name in LAST or (name == "weights" and bool((result["weights"] == "nominal").all()))


def _is_cut(result: pd.DataFrame) -> bool:
    """Whether somebody has chosen columns, so that all of them are wanted."""
    return not any(schema.keys() <= set(result.columns) for schema in SCHEMAS)


def _fitting(columns: list[Column], result: pd.DataFrame) -> list[Column]:
    """The columns that fit in a line: keys, answer, note and the first number always, then by importance."""
    rank = {name: place for place, name in enumerate(FIRST)}
    others = [each for each in columns if each.source in KNOWN and not _is_late(each.source, result)]
    others.sort(key=lambda each: -1 if each.source == "note" else rank.get(str(each.source), len(FIRST)))  # stable
    must = [each for each in columns if each.source not in KNOWN] + [each for each in others if each.source == "note"]
    numbers = [each for each in others if each.source != "note"]
    others_lead = {"difference", "evidence"} & set(result.columns)  # before an estimate
    must += [each for each in numbers if each.source == "estimate" and not others_lead] or numbers[:1]
    chosen, left, full = list(must), WIDTH - sum(map(_least, must)), False
    wish = sum(min(each.width(), EASY) - _least(each) for each in must if _least(each) < EASY)  # of texts
    for each in [each for each in others if each not in must]:
        room = left if each.source in rank else left - wish
        fits = _least(each) <= room and not (full and each.source not in rank)
        full = full or not fits
        if fits or _is_cut(result):
            chosen.append(each)
            left -= _least(each)
    return _spread([each for each in columns if each in chosen], left)


def _spread(columns: list[Column], left: int) -> list[Column]:
    """The columns with texts wrapped, after those that are too long got what is left of the line."""
    wrapped = []
    for each in columns:
        more = min(each.width() - _least(each), max(left, 0))
        left -= more
        wrapped.append(_wrapped(each, _least(each) - 2 + more))
    return wrapped


def _least(column: Column) -> int:
    """Characters that a column needs in a line."""
    if column.source in KNOWN and column.source not in (*LONG, "about"):
        return column.width()
    return min(column.width(), _printed(column.header, LONG.get(str(column.source), MAX_KEY)))


def _wrapped(column: Column, width: int) -> Column:
    """The column with line breaks in cells that are too long, and these padded, so that they begin at one edge."""
    if all(len(cell) <= width for cell in column.cells):
        return column
    lines = [textwrap.wrap(cell, width) or [""] for cell in column.cells]
    longest = max(len(line) for each in lines for line in each)
    return Column(column.source, column.header, ["\n".join(line.ljust(longest) for line in each) for each in lines])


def _lines(columns: Sequence[Column]) -> pd.DataFrame:
    """The frame of the table; a cell of several lines goes on in the rows below."""
    cells = [[cell.split("\n") for cell in column.cells] for column in columns]
    heights = [max(map(len, row)) for row in zip(*cells, strict=True)]
    data = [
        [line for cell, height in zip(column, heights, strict=True) for line in [*cell, *[""] * (height - len(cell))]]
        for column in cells
    ]
    frame = pd.DataFrame(dict(enumerate(data)), index=[""] * sum(heights), dtype=object)
    return frame.set_axis(_unique([column.header for column in columns]), axis=1)


def _unique(headers: Sequence[str]) -> list[str]:
    """Headers of which none is there twice."""
    seen: list[str] = []
    for header in headers:
        again = sum(other == header or other.startswith(f"{header} (") for other in seen)
        seen.append(f"{header} ({again + 1})" if header in seen else header)
    return seen


# -------------------------------------------------------------------------------------------------------- sentence


def _row_text(row: pd.Series, place: int, columns: Sequence[Column]) -> str:
    """The sentence of one row: who or what, the value with its interval, and the numbers behind it."""
    cells = {each.source: each.cells[place] for each in columns if each.cells[place]}
    names = [each.source for each in columns]
    first = next((number for number, name in enumerate(names) if name in KNOWN), len(names))  # then come numbers
    keys = [cells[name] for name in names[:first] if name in cells and name != "coefficient"]
    where = f"{', '.join(keys)}: " if keys else ""
    if "evidence" in cells:
        return where + cells["evidence"]
    name = cells.get("coefficient", "estimate")
    if "estimate" in row.index and pd.isna(row["estimate"]):
        note = notes_of(row["note"])[0] if row.get("note") else "there is no estimate"
        return f"{where}{name} is undefined: {note}{_behind(cells)}"
    parts = [f"{name} = {cells['estimate']}"] if "estimate" in cells else []
    if "ci_low" in row.index and "ci_low" not in cells and row.get("note"):
        parts.append(f"no interval ({notes_of(row['note'])[0]})")
    headers = {each.source: each.header for each in columns}
    told = {"estimate", "coefficient", "n_items", "n_coders", "note", "se", "observed", "expected", "weights"}
    for source, cell in cells.items():
        if source in KNOWN and source not in told:
            parts.append(_part(source, headers[source], cell))
    if cells.get("weights"):
        parts.append(f"weights {cells['weights']}")
    return f"{where}{', '.join(parts)}{_behind(cells)}"


def _part(source: Hashable, header: str, cell: str) -> str:
    """One number of a sentence."""
    if source == "ci_low":
        return f"{header} {cell}"
    if str(source).startswith("p_"):
        name = header.replace("p (Holm)", "adjusted p")
        return f"{name} {cell}" if cell.startswith("<") else f"{name} = {cell}"
    return f"{header[0].lower()}{header[1:]} = {cell}" if header[1:2].islower() else f"{header} = {cell}"


def _behind(cells: dict[Hashable, str]) -> str:
    """The items and coders behind a number."""
    whole = {"item": cells.get("n_items"), "coder": cells.get("n_coders")}
    return "".join(f", {count(int(n.replace(',', '')), what)}" for what, n in whole.items() if n)
