"""Files for the command line: any of the usual formats to a frame, and which of its columns are coders.

A file that cannot be read is an `InputError` whose message says what is wrong and what to do; the command
line puts the name of the file in front.
"""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import re
import sys
import zlib
from collections.abc import Callable, Hashable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import pandas as pd
from pandas.api.types import is_bool_dtype, is_numeric_dtype

from pandas_agreement.errors import ColumnError, InputError, nearest

SEPARATORS = {".tsv": "\t", ".tab": "\t"}
OPENERS: dict[str, Callable[..., IO[str]]] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
COMPRESSED = {*OPENERS, ".zip", ".zst"}
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
CODE = re.compile(r"[+-]?0\d")  # 007 is a name, not a number
FEW = 10  # values; so few may all differ by chance


def read_table(path: str, sep: str | None = None) -> pd.DataFrame:
    """Read a file by its ending; `-` is CSV on standard input.

    Only the empty cell is missing; cells of a text file stay text until `as_numbers` looks at them.
    """
    reader = READERS.get(_ending(path), _read_text)
    if sep is not None and reader is not _read_text:
        raise InputError(f"--sep is for text files such as CSV, not for {_ending(path)}")
    try:
        frame = reader(path, sep)
    except InputError:
        raise
    except tuple(READ_ERRORS) as error:
        words = next(words for kind, words in READ_ERRORS.items() if isinstance(error, kind))
        raise InputError(words(path, error)) from None
    if frame.empty:
        raise InputError("there are no rows; the first line should hold the names of the columns")
    return frame


def _ending(path: str) -> str:
    """`.csv` of `labels.CSV.gz`."""
    endings = [suffix.lower() for suffix in Path(path).suffixes]
    if endings and endings[-1] in COMPRESSED:
        endings.pop()
    return endings[-1] if endings else ""


def _read_text(path: str, sep: str | None) -> pd.DataFrame:
    """Cells between separators, as text."""
    separator = (sep or SEPARATORS.get(_ending(path), ",")).replace("\\t", "\t")
    if len(separator) != 1:
        raise InputError(f"--sep {sep!r} must be a single character, or \\t for a tab")
    frame = pd.read_csv(
        getattr(sys.stdin, "buffer", sys.stdin) if path == "-" else path,
        sep=separator,
        dtype=str,
        keep_default_na=False,
        na_values=[""],
        skipinitialspace=True,
        encoding="utf-8-sig",
    )
    if not isinstance(frame.index, pd.RangeIndex):  # pandas takes what has no name for an index, and shifts the rest
        raise InputError("the rows have more cells than the first line has names; give every column a name")
    return frame


def _read_json(path: str, sep: str | None) -> pd.DataFrame:
    """A list of records."""
    with _open(path) as lines:
        try:
            records = json.load(lines)
        except json.JSONDecodeError as error:
            raise InputError(f"line {error.lineno} is not JSON ({error.msg}); a record a line is .jsonl") from None
    return _from_records(records, "expected a list of records: [{...}, {...}]")


def _read_json_lines(path: str, sep: str | None) -> pd.DataFrame:
    """A record a line."""
    records = []
    with _open(path) as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                records.append(_record(line, number))
    return _from_records(records, 'expected a record a line: {"item": ..., "ann": ...}')


def _record(line: str, number: int) -> Any:
    try:
        return json.loads(line)
    except json.JSONDecodeError as error:
        raise InputError(f"line {number} is not JSON ({error.msg}); expected a record a line") from None


def _from_records(records: Any, otherwise: str) -> pd.DataFrame:
    if not (isinstance(records, list) and all(isinstance(record, dict) for record in records)):
        raise InputError(otherwise)
    return pd.DataFrame([{key: _cell(value) for key, value in record.items()} for record in records])


def _cell(value: Any) -> Any:
    """A list is a set of labels; an empty text is missing, as in a text file."""
    if isinstance(value, list):
        return frozenset(value)
    return None if value == "" else value


def _open(path: str) -> IO[str]:
    opener: Callable[..., IO[str]] = OPENERS.get(Path(path).suffix.lower(), open)
    return opener(path, mode="rt", encoding="utf-8-sig")


def _read_parquet(path: str, sep: str | None) -> pd.DataFrame:
    """Parquet, where pandas can; a named index becomes columns again."""
    try:
        frame = pd.read_parquet(path)
    except ImportError:
        raise InputError("reading Parquet needs pyarrow; install it with: pip install pyarrow") from None
    except ValueError as error:
        raise InputError(f"this is not a Parquet file ({_first_line(error)})") from None
    named = frame if list(frame.index.names) == [None] else frame.reset_index()
    return named.set_axis(named.columns.map(str), axis=1)


READERS: dict[str, Callable[[str, str | None], pd.DataFrame]] = {
    ".json": _read_json,
    ".jsonl": _read_json_lines,
    ".ndjson": _read_json_lines,
    ".parquet": _read_parquet,
    ".pq": _read_parquet,
}


# ------------------------------------------------------------------------------------------- what went wrong


def _no_such_file(path: str, error: BaseException) -> str:
    folder = Path(path).parent
    names = [entry.name for entry in folder.iterdir()] if folder.is_dir() else []
    return "no such file" + (nearest(Path(path).name, names, hint=False) or "; check the path")


def _bad_table(path: str, error: BaseException) -> str:
    reason = _first_line(error).removeprefix("Error tokenizing data. C error: ")
    return f"{reason}; check that line, or name the separator, such as --sep ';'"


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")


# The first kind that fits decides.
READ_ERRORS: dict[type[BaseException], Callable[[str, BaseException], str]] = {
    FileNotFoundError: _no_such_file,
    IsADirectoryError: lambda path, error: "this is a directory; name a file in it",
    PermissionError: lambda path, error: "no permission to read it",
    OSError: lambda path, error: f"cannot be read ({_first_line(error)})",
    EOFError: lambda path, error: "the compressed file ends early; copy it again",
    zlib.error: lambda path, error: "the compressed file is damaged; copy it again",
    lzma.LZMAError: lambda path, error: "the compressed file is damaged; copy it again",
    UnicodeDecodeError: lambda path, error: "the text is not UTF-8; save the file as UTF-8",
    pd.errors.EmptyDataError: lambda path, error: (
        "the file is empty; the first line should hold the names of the columns"
    ),
    pd.errors.ParserError: _bad_table,
    ValueError: lambda path, error: f"cannot be read ({_first_line(error)})",
}


# ----------------------------------------------------------------------------------------------- the columns


def known_columns(frame: pd.DataFrame, named: Mapping[str, Sequence[str]]) -> None:
    """Check that the columns named by each option exist, and only once."""
    for option, names in named.items():
        for name in names:
            if name not in frame.columns:
                found = _separator_hint(frame) or nearest(name, frame.columns)
                raise ColumnError(f"{option}: no column {name!r}{found}")
        twice = [name for name in names if list(names).count(name) > 1]
        if twice:
            raise InputError(f"{option}: column {twice[0]!r} is named twice")


def _separator_hint(frame: pd.DataFrame) -> str:
    """A single column whose name holds a separator: the cells were not taken apart."""
    name = str(frame.columns[0])
    found = [mark for mark in (";", "\t", "|", ",") if mark in name] if len(frame.columns) == 1 else []
    return f"; the only column is {name!r}: should it be --sep {found[0]!r}?" if found else ""


def guess_coders(frame: pd.DataFrame, by: Sequence[str]) -> list[str]:
    """All columns but the keys, unless one does not look like a coder: then the user has to say.

    A coder's column shares labels with another coder's. Names and texts differ from row to row.
    """
    hint = _separator_hint(frame)
    if hint:
        raise InputError(hint.removeprefix("; "))
    columns = [str(name) for name in frame.columns if name not in by]
    values = {name: set(frame[name].dropna().astype(str)) for name in columns}
    odd = [name for name in columns if _is_odd(name, values, int(frame[name].notna().sum()))]
    likely = [name for name in columns if name not in odd]
    if not odd and len(likely) > 1:
        return likely
    if len(likely) > 1:
        remedy = f"name the coders: --coders {' '.join(likely)}"
    else:
        remedy = "name the columns: --coders A B, or, for a row a judgment, --item I --coder C --label L"
    listed = ", ".join(map(repr, odd or columns))
    why = "all values differ, or no other column shares them"
    raise InputError(f"not every column looks like a coder's: {listed} ({why}); {remedy}")


def _is_odd(name: str, values: Mapping[str, set[str]], n: int) -> bool:
    own = values[name]
    shared = any(own & others for other, others in values.items() if other != name)
    return bool(own) and (not shared or (n >= FEW and len(own) == n))


def as_numbers(frame: pd.DataFrame, columns: Sequence[Hashable]) -> pd.DataFrame:
    """Turn the columns to numbers if every cell of all of them is a number or empty; else leave them alone.

    Together, because the same label must not be 1 in one column and "1" in the next.
    """
    if not all(_is_numeric(frame[name]) for name in columns):
        return frame
    return frame.assign(**{str(name): pd.to_numeric(frame[name]) for name in columns})


def _is_numeric(column: pd.Series) -> bool:
    if is_numeric_dtype(column.dtype):
        return not is_bool_dtype(column.dtype)
    cells = column.dropna()
    plain = not isinstance(column.dtype, pd.CategoricalDtype) and set(map(type, cells)) <= {str}
    return plain and all(map(is_number, cells.unique()))


def is_number(text: str) -> bool:
    """Whether a cell is written like a number; nan, inf and 007 are not."""
    return NUMBER.fullmatch(text) is not None and CODE.match(text) is None
