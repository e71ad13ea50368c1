"""The columns of a file: which are coders, which hold numbers, and which cells cannot be labels."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from shlex import quote
from typing import Any

import pandas as pd
from pandas.api.types import is_bool_dtype, is_numeric_dtype

from pandas_agreement.data.guesses import check_columns, role_of
from pandas_agreement.errors import ColumnError, InputError, nearest, warn

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
CODE = re.compile(r"[+-]?0\d")  # 007 is a name, not a number
NAMED = (
    "name the coders: --coders A B; for one row per judgment --item I --coder C --label L (without --coder if the "
    "raters are anonymous, with --start S --end E for spans); for all ratings of an item in one cell --cells C "
    "--sep '|'; for a table of numbers --counts or --crosstab"
)
FREQUENCIES = re.compile(r"n|(.*[\W_])?(freq|frequency|count)", re.IGNORECASE)  # names of columns
CELLS = "a cell is a text, a number, true, false or a list of these"


def known_columns(frame: pd.DataFrame, named: Mapping[str, Sequence[str]]) -> None:
    """Check that the columns named by each option exist and are named once."""
    for option, names in named.items():
        for name in names:
            if name not in frame.columns:
                raise ColumnError(f"{option}: no column {name!r}", nearest(name, frame.columns))
        twice = repeated(names)
        if twice is not None:
            raise InputError(f"{option}: column {twice!r} is named twice")


def repeated(names: Sequence[str]) -> str | None:
    """The first name that occurs more than once, if there is one."""
    return next((name for name, n in Counter(names).items() if n > 1), None)


def separator_hint(names: Sequence[str]) -> str:
    """A hint for a single column whose name contains a separator: the cells were not separated."""
    marks = [mark for mark in (";", "\t", "|", ",") if mark in names[0]] if len(names) == 1 else []
    return f"the only column is {names[0]!r}: should it be --delimiter {marks[0]!r}?" if marks else ""


# ----------------------------------------------------------------------------------------------------- coders
def guess_coders(frame: pd.DataFrame, others: Sequence[str], decimal: str) -> list[str]:
    """All columns but `others`; an error where one of them may be no coder's."""
    names = [str(name) for name in frame.columns if name not in others]
    columns = [as_numbers(frame, [name], decimal)[name] for name in names]
    counts = [name for name, column in zip(names, columns, strict=True) if is_numeric_dtype(column.dtype)]
    frequency = next(filter(FREQUENCIES.fullmatch, counts), None)
    if frequency is not None:
        remedy = f"name the coders: --coders A B, with --frequency {quote(frequency)} if a row stands for several items"
        raise InputError(f"column {frequency!r} is called like a frequency", remedy)
    for doubt in check_columns(frame, columns, names, True, False):
        problem = doubt.problem if doubt.column is None else f"column {doubt.column!r} does not look like a coder's"
        raise InputError(problem, NAMED)
    odd = next((name for name in names if role_of(name) == "item"), None)
    if odd is not None:
        raise InputError(f"column {odd!r} is called like an item", NAMED)
    texts: dict[bool, set[str]] = {True: set(), False: set()}
    for column in columns:
        texts[is_numeric_dtype(column.dtype)].update(frame[column.name].dropna().astype(str))
    if all(texts.values()) and texts[True].isdisjoint(texts[False]):
        raise InputError("some columns hold numbers and others text, so that not all of them are coders'", NAMED)
    return names


# ------------------------------------------------------------------------------------------------------ cells
def check_cells(frame: pd.DataFrame, columns: Iterable[str]) -> None:
    """Refuse cells that cannot be compared: records, and lists of anything but labels."""
    for name in columns:
        cells = frame[name].tolist() if frame[name].dtype == object else []
        row = next((row for row, cell in enumerate(cells, 1) if not isinstance(cell, Hashable)), None)
        if row is not None:
            raise InputError(f"column {name!r} holds a record, or a list of lists, in row {row}", CELLS)


def refuse_no_labels(frame: pd.DataFrame, columns: Sequence[str]) -> None:
    """Raise where no cell of these columns has a label."""
    if columns and frame[list(columns)].isna().all(axis=None):
        problem = f"there is no label in {', '.join(map(repr, columns))}: every cell is empty"
        raise InputError(problem, "name the columns that hold the labels", code="no labels")


def note_blanks(frame: pd.DataFrame, columns: Sequence[str], what: str) -> None:
    """Warn of names that differ only in the blanks around them: they count as different."""
    texts = {cell for name in columns for cell in frame[name].dropna().unique() if isinstance(cell, str)}
    twin = min((text for text in texts if text != text.strip() and text.strip() in texts), default=None)
    if twin is not None:
        problem = f"the {what}s {twin!r} and {twin.strip()!r} differ only in the blanks around them"
        warn(f"{problem} and count as different", "take the blanks out of the file if they should not")


def note_missing(texts: Sequence[str]) -> None:
    """Say that texts such as NA are read as missing values, as pandas does."""
    if texts:
        shown = ", ".join(map(repr, sorted(set(texts))))
        n = f"{len(texts):,} cells are" if len(texts) > 1 else "1 cell is"
        warn(f"{n} read as missing, as in pandas: {shown}", "write a label that means something in another way")


# ---------------------------------------------------------------------------------------------------- numbers
def as_numbers(frame: pd.DataFrame, columns: Sequence[str], decimal: str = ".") -> pd.DataFrame:
    """Convert the columns to numbers if all their cells are numbers or empty; else leave them as they are.

    All together, because the same label must not be 1 in one column and "1" in another. Numbers of more digits than an
    integer of 64 bits or a float can have stay text, or different labels would become the same.
    """
    if not all(_is_numeric(frame[name], decimal) for name in columns):
        return frame
    numbers = {name: _to_numbers(frame[name], decimal) for name in columns}
    return frame if any(map(_is_too_large, numbers.values())) else frame.assign(**numbers)


def _to_numbers(column: pd.Series, decimal: str) -> pd.Series:
    points = column if decimal == "." or is_numeric_dtype(column.dtype) else column.str.replace(decimal, ".")
    try:
        return pd.to_numeric(points)
    except ValueError:  # pandas 2 refuses integers that are too large
        return column


def _is_too_large(numbers: pd.Series) -> bool:
    return not is_numeric_dtype(numbers.dtype) or bool(numbers.isin([math.inf, -math.inf]).any())


def _is_numeric(column: pd.Series, decimal: str) -> bool:
    if is_numeric_dtype(column.dtype):
        return not is_bool_dtype(column.dtype)
    cells = column.dropna()
    plain = not isinstance(column.dtype, pd.CategoricalDtype) and set(map(type, cells)) <= {str}
    return plain and all(is_number(text, decimal) for text in cells.unique())


def is_number(text: str, decimal: str = ".") -> bool:
    """Whether a cell is a number, with or without blanks around it; nan, inf and 007 are not.

    >>> [is_number(text) for text in ("1", " 2.5", "007", "nan", "2,5")]
    [True, True, False, False, False]
    >>> [is_number(text, decimal=",") for text in ("1", "2,5", "2.5")]
    [True, True, False]
    """
    bare = text.strip()
    if decimal != ".":
        bare = bare.translate(str.maketrans(f".{decimal}", f"{decimal}."))
    return NUMBER.fullmatch(bare) is not None and CODE.match(bare) is None


def may_be_inferred(column: pd.Series, decimal: str) -> bool:
    """Whether pandas would by default convert some of these texts: 007 to 7, True to a bool."""
    texts: Any = pd.Series(column.dropna().unique(), dtype=object)
    numbers = pd.to_numeric(texts.str.replace(decimal, "."), errors="coerce").notna()
    return bool((numbers | texts.str.strip().str.lower().isin(["true", "false"])).any())
