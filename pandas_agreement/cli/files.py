"""Read a file for the command line: CSV, TSV, JSON, JSON lines or Parquet.

A file that cannot be read is an `InputError` with its problem and remedy; the command line adds the name of the file.
The columns are checked in `columns`.
"""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import sys
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import numpy as np
import pandas as pd
from pandas.api.types import is_object_dtype

from pandas_agreement.cli.columns import refuse_quoted, separator_hint
from pandas_agreement.errors import InputError, nearest

SEPARATORS = {".tsv": "\t", ".tab": "\t"}
OPENERS: dict[str, Callable[..., IO[str]]] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
NAMES_FIRST = "the first line should hold the names of the columns"
ZIP = b"PK\x03\x04"  # workbooks are archives
COMPRESSED = {*OPENERS, ".zip", ".zst"}

#: options of `pd.read_csv` beside the path and the separator
TEXT_OPTIONS: dict[str, Any] = {"keep_default_na": False, "na_values": [""]}


@dataclass(frozen=True)
class Table:
    """The frame of a file, and how to read it in Python.

    `function` of pandas reads it with `options`; `steps` are further lines of Python; `sets` are the columns in which
    lists became sets.
    """

    frame: pd.DataFrame
    function: str
    options: dict[str, Any] = field(default_factory=dict)
    steps: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()


def read_table(path: str, sep: str | None = None) -> Table:
    """Read a file by its extension; `-` is CSV on standard input.

    Only the empty cell is missing; cells of a text file stay text until `as_numbers`.
    """
    reader = READERS.get(_ending(path), _read_text)
    if sep is not None and reader is not _read_text:
        raise InputError(f"--sep is for text files such as CSV, not for {_ending(path)}")
    try:
        table = reader(path, sep)
    except InputError:
        raise
    except tuple(READ_ERRORS) as error:
        explain = next(explain for kind, explain in READ_ERRORS.items() if isinstance(error, kind))
        raise InputError(*explain(path, error)) from None
    if table.frame.empty:
        raise InputError("there are no rows", NAMES_FIRST)
    return table


def _ending(path: str) -> str:
    """The extension without compression: `.csv` of `labels.CSV.gz`."""
    endings = [suffix.lower() for suffix in Path(path).suffixes]
    if endings and endings[-1] in COMPRESSED:
        endings.pop()
    return endings[-1] if endings else ""


def _read_text(path: str, sep: str | None) -> Table:
    """Read separated cells as text, unchanged; only column names lose the blanks around them."""
    separator = (sep or SEPARATORS.get(_ending(path), ",")).replace("\\t", "\t")
    if len(separator) != 1:
        raise InputError(f"--sep {sep!r} must be a single character, or \\t for a tab")
    source = _opener(path)
    options = {**({} if separator == "," else {"sep": separator}), **TEXT_OPTIONS}
    names = pd.read_csv(source(), header=None, nrows=1, dtype=str, encoding="utf-8-sig", **options).iloc[0].dropna()
    refuse_quoted(names, "name")
    _refuse_repeated([name.strip() for name in names], "the first line")
    hint = separator_hint(names.tolist())
    try:
        frame = pd.read_csv(source(), dtype=str, encoding="utf-8-sig", **options)
    except pd.errors.ParserError:
        if hint:
            raise InputError(hint) from None
        raise
    if not isinstance(frame.index, pd.RangeIndex):  # pandas made the first columns an index
        if hint:
            raise InputError(hint)
        raise InputError("the rows have more cells than the first line has names", "give every column a name")
    stripped = frame.columns.str.strip()
    steps = () if stripped.equals(frame.columns) else ("df.columns = df.columns.str.strip()",)
    return Table(frame.set_axis(stripped, axis=1), "read_csv", options, steps)


def _opener(path: str) -> Callable[[], Any]:
    """A function that gives the file to pandas, more than once: standard input is read here."""
    if path != "-":
        return lambda: path
    text = getattr(sys.stdin, "buffer", sys.stdin).read()
    return lambda: io.BytesIO(text) if isinstance(text, bytes) else io.StringIO(text)


def _refuse_repeated(names: Sequence[str], where: str) -> None:
    twice = [name for name in names if list(names).count(name) > 1]
    if twice:
        raise InputError(f"column {twice[0]!r} stands twice in {where}", "give each column a name of its own")


def _read_json(path: str, sep: str | None) -> Table:
    """A list of records."""
    with _open(path) as lines:
        try:
            records = json.load(lines, object_pairs_hook=_unrepeated)
        except json.JSONDecodeError as error:
            problem = f"line {error.lineno} is not JSON ({error.msg})"
            raise InputError(problem, "one record per line is .jsonl") from None
    return _from_records(records, {}, "expected a list of records: [{...}, {...}]")


def _read_json_lines(path: str, sep: str | None) -> Table:
    """One record per line."""
    records = []
    with _open(path) as lines:
        for number, line in enumerate(lines, 1):
            try:
                records += [json.loads(line, object_pairs_hook=_unrepeated)] if line.strip() else []
            except json.JSONDecodeError as error:
                problem = f"line {number} is not JSON ({error.msg})"
                raise InputError(problem, "expected one record per line") from None
    return _from_records(records, {"lines": True}, 'expected one record per line: {"item": ..., "ann": ...}')


def _unrepeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        _refuse_repeated([name for name, _ in pairs], "a record")
    return record


def _from_records(records: Any, options: Mapping[str, Any], otherwise: str) -> Table:
    """A frame of JSON records; an empty text is missing, as in a text file."""
    if not (isinstance(records, list) and all(isinstance(record, dict) for record in records)):
        raise InputError(otherwise)
    empty = any(value == "" for record in records for value in record.values())
    rows = [{name: None if value == "" else value for name, value in record.items()} for record in records]
    frame, sets = _with_sets(pd.DataFrame(rows))
    steps = ("df = df.replace('', None)",) if empty else ()
    return Table(frame, "read_json", {**options, "dtype": False, "convert_axes": False}, steps, sets)


def _with_sets(frame: pd.DataFrame) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Convert lists of labels to sets; a list that cannot be a set stays, and `check_cells` refuses it."""
    sets = {}
    for name in frame.columns:
        if is_object_dtype(frame[name].dtype) and any(isinstance(cell, (list, np.ndarray)) for cell in frame[name]):
            sets[name] = pd.Series([_as_set(cell) for cell in frame[name]], index=frame.index, dtype=object)
    return frame.assign(**sets), tuple(sets)


def _as_set(cell: Any) -> Any:
    if not isinstance(cell, (list, np.ndarray)):
        return cell
    try:
        return frozenset(cell)
    except TypeError:  # a list of lists
        return cell


def _open(path: str) -> IO[str]:
    opener: Callable[..., IO[str]] = OPENERS.get(Path(path).suffix.lower(), open)
    return opener(path, mode="rt", encoding="utf-8-sig")


def _read_parquet(path: str, sep: str | None) -> Table:
    """Read Parquet, for which pandas needs pyarrow; a named index becomes columns."""
    try:
        frame = pd.read_parquet(path)
    except ImportError:
        raise InputError("reading Parquet needs pyarrow", "install it with: pip install pyarrow") from None
    except ValueError as error:
        raise InputError(f"this is not a Parquet file ({_first_line(error)})") from None
    steps: list[str] = []
    if list(frame.index.names) != [None]:
        frame, steps = frame.reset_index(), ["df = df.reset_index()"]
    if not all(isinstance(name, str) for name in frame.columns):
        frame, steps = frame.set_axis(frame.columns.map(str), axis=1), [*steps, "df.columns = df.columns.map(str)"]
    _refuse_repeated(list(frame.columns), "the file")
    frame, sets = _with_sets(frame)
    return Table(frame, "read_parquet", {}, tuple(steps), sets)


def _refuse_workbook(path: str, sep: str | None) -> Table:
    """The sheets of a workbook have to be read by something else."""
    Path(path).open("rb").close()  # or there is no such file
    raise InputError(*_workbook(path))


def _workbook(path: str) -> tuple[str, str]:
    read = f"df = pd.read_excel({Path(path).name!r})"
    return "this is a workbook, not a text file", f"save the sheet as CSV, or read it in Python with {read}"


READERS: dict[str, Callable[[str, str | None], Table]] = {
    ".json": _read_json,
    ".jsonl": _read_json_lines,
    ".ndjson": _read_json_lines,
    ".parquet": _read_parquet,
    ".pq": _read_parquet,
    **dict.fromkeys((".xlsx", ".xlsm", ".xls", ".ods"), _refuse_workbook),
}


def _no_such_file(path: str, error: BaseException) -> tuple[str, str]:
    folder = Path(path).parent
    names = [entry.name for entry in folder.iterdir()] if folder.is_dir() else []
    return "no such file", nearest(Path(path).name, names, hint=False) or "check the path"


def _bad_table(path: str, error: BaseException) -> tuple[str, str]:
    reason = _first_line(error).removeprefix("Error tokenizing data. C error: ")
    return reason, "check that line, or name the separator, such as --sep ';'"


def _fixed(problem: str, remedy: str) -> Callable[[str, BaseException], tuple[str, str]]:
    return lambda path, error: (problem, remedy)


def _not_text(path: str, error: BaseException) -> tuple[str, str]:
    if path != "-" and Path(path).suffix.lower() not in COMPRESSED and Path(path).read_bytes()[:4] == ZIP:
        return _workbook(path)
    return "the text is not UTF-8", "save the file as UTF-8"


def _unreadable(path: str, error: BaseException) -> tuple[str, str]:
    return f"cannot be read ({_first_line(error)})", ""


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")


#: from the first kind of error that fits to the problem and the remedy
READ_ERRORS: dict[type[BaseException], Callable[[str, BaseException], tuple[str, str]]] = {
    FileNotFoundError: _no_such_file,
    IsADirectoryError: _fixed("this is a directory", "name a file in it"),
    PermissionError: _fixed("no permission to read it", ""),
    OSError: _unreadable,
    EOFError: _fixed("the compressed file ends early", "copy it again"),
    zlib.error: _fixed("the compressed file is damaged", "copy it again"),
    lzma.LZMAError: _fixed("the compressed file is damaged", "copy it again"),
    UnicodeDecodeError: _not_text,
    pd.errors.EmptyDataError: _fixed("the file is empty", NAMES_FIRST),
    pd.errors.ParserError: _bad_table,
    ValueError: _unreadable,
}
