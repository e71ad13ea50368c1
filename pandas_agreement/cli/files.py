"""Read a file for the command line: CSV, TSV, JSON, JSON lines or Parquet.

A file is read once, into memory, so that it may be a pipe. One that cannot be read is an `InputError` with its problem
and remedy; the command line adds the name of the file. The columns are checked in `columns`.
"""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import sys
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Any

import numpy as np
import pandas as pd
from pandas.api.types import is_object_dtype

from pandas_agreement.cli.columns import CELLS, refuse_quoted, repeated, separator_hint
from pandas_agreement.errors import InputError, counted, nearest

SEPARATORS = {".tsv": "\t", ".tab": "\t"}
NAMES_FIRST = "the first line should hold the names of the columns"
IN_PARTS = "read it in Python, in parts: see pandas_agreement.stream"
BY_FORMAT = "name it by its format, such as .csv"
PARQUET = b"PAR1"  # the first bytes of the format
MAX_EXPANDED = 2 * 10**9  # bytes that a compressed file may hold
WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # .xlsx and .ods are archives; .xls

#: options of `pd.read_csv` beside the path and the separator
TEXT_OPTIONS: dict[str, Any] = {"keep_default_na": False, "na_values": [""]}


@dataclass(frozen=True)
class FileTable:
    """The frame of a file, and how to read it in Python.

    `function` of pandas reads it with `options`; `steps` are further lines of Python; `sets` are the columns in which
    lists became sets.
    """

    frame: pd.DataFrame
    function: str
    options: dict[str, Any] = field(default_factory=dict)
    steps: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()


def read_table(path: str, sep: str | None = None, lists: str | None = None) -> FileTable:
    """Read a file by its extension; `-` is CSV on standard input.

    Only the empty cell is missing; cells of a text file stay text until `as_numbers`. Lists become sets of labels, but
    for the column `lists`, in which an element is the label of one rater.
    """
    reader = READERS.get(_ending(path), _read_text)
    if sep is not None and reader is not _read_text:
        raise InputError(f"--delimiter is for text files such as CSV, not for {_ending(path)}")
    try:
        table = reader(path, sep)
    except InputError:
        raise
    except tuple(READ_ERRORS) as error:
        explain = next(explain for kind, explain in READ_ERRORS.items() if isinstance(error, kind))
        raise InputError(*explain(path, error)) from None
    if table.frame.empty:
        raise InputError("there are no rows", NAMES_FIRST)
    return table if table.function == "read_csv" else _with_sets(table, lists)


def _ending(path: str) -> str:
    """The extension without compression: `.csv` of `labels.CSV.gz`."""
    endings = [suffix.lower() for suffix in Path(path).suffixes]
    if endings and endings[-1] in EXPANDED:
        endings.pop()
    return endings[-1] if endings else ""


def _read_text(path: str, sep: str | None) -> FileTable:
    """Read separated cells as text, unchanged; only column names lose the blanks around them."""
    separator = (sep or SEPARATORS.get(_ending(path), ",")).replace("\\t", "\t")
    if len(separator) != 1:
        raise InputError(f"--delimiter {sep!r} must be a single character, or \\t for a tab")
    text = _contents(path)
    _refuse_other_formats(path, text)
    options = {**({} if separator == "," else {"sep": separator}), **TEXT_OPTIONS}
    reading = {"dtype": str, "encoding": "utf-8-sig", **options}
    names = pd.read_csv(io.BytesIO(text), header=None, nrows=1, **reading).iloc[0].dropna()
    refuse_quoted(names, "name")
    _refuse_repeated([name.strip() for name in names], "the first line")
    hint = separator_hint(names.tolist())
    try:
        frame = pd.read_csv(io.BytesIO(text), **reading)
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
    return FileTable(frame.set_axis(stripped, axis=1), "read_csv", options, steps)


def _contents(path: str) -> bytes:
    """All bytes of a file, without compression."""
    raw = _standard_input() if path == "-" else Path(path).read_bytes()
    ending = Path(path).suffix.lower()
    return _expanded(raw, ending) if ending in EXPANDED else raw


def _expanded(raw: bytes, ending: str) -> bytes:
    beginning, opened = EXPANDED[ending]
    if not raw.startswith(beginning):
        raise InputError(f"this is not a {ending} file", BY_FORMAT)
    try:
        with opened(io.BytesIO(raw)) as file:
            expanded = file.read(MAX_EXPANDED + 1)
    except (InputError, MemoryError):
        raise
    except Exception:  # each kind of compression has its own
        raise InputError("the compressed file is damaged or incomplete", "copy it again") from None
    if len(expanded) > MAX_EXPANDED:
        problem = f"the compressed file holds more than {MAX_EXPANDED / 1e9:g} GB"
        raise InputError(problem, IN_PARTS)
    return expanded


def _standard_input() -> bytes:
    if sys.stdin is None:
        raise InputError("it is closed", "name a file, or pipe one in")
    text = getattr(sys.stdin, "buffer", sys.stdin).read()
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")


def _in_archive(raw: IO[bytes]) -> IO[bytes]:
    archive = zipfile.ZipFile(raw)
    names = [name for name in archive.namelist() if not name.endswith("/")]
    if len(names) != 1:
        raise InputError(f"the archive holds {counted(len(names), 'file', 'files')}", "name an archive of one file")
    return archive.open(names[0])


def _zstandard(raw: IO[bytes]) -> Any:
    """Zstandard, for which Python before 3.14 needs a package, as pandas does."""
    try:
        import zstandard
    except ImportError:
        raise InputError("reading .zst needs zstandard", "install it with: pip install zstandard") from None
    return zstandard.ZstdDecompressor().stream_reader(raw, read_across_frames=True)


#: the first bytes of a compressed file, and the function that opens it
EXPANDED: dict[str, tuple[bytes, Callable[[IO[bytes]], Any]]] = {
    ".gz": (b"\x1f\x8b", gzip.open),
    ".bz2": (b"BZh", bz2.open),
    ".xz": (b"\xfd7zXZ\x00", lzma.open),
    ".zip": (b"PK", _in_archive),
    ".zst": (b"(\xb5/\xfd", _zstandard),
}


def _refuse_other_formats(path: str, text: bytes) -> None:
    """Refuse what its first bytes show to be no text."""
    if text.startswith(WORKBOOKS):
        raise InputError(*_workbook(path))
    beginnings = {".parquet": PARQUET} | {ending: beginning for ending, (beginning, _) in EXPANDED.items()}
    for ending, beginning in beginnings.items():
        if text.startswith(beginning) and not text[:64].isascii():  # a name may begin with the letters of a format
            raise InputError(f"this is a {ending} file, not a text file", f"give it a name that ends in {ending}")


def _refuse_repeated(names: Sequence[str], where: str) -> None:
    twice = repeated(names)
    if twice is not None:
        raise InputError(f"column {twice!r} stands twice in {where}", "give each column a name of its own")


def _read_json(path: str, sep: str | None) -> FileTable:
    """A list of records, or records by their ids, which become the index."""
    records = _parsed(_decoded(path), "one record per line is .jsonl")
    if isinstance(records, dict) and records and all(isinstance(record, dict) for record in records.values()):
        table = _from_records(list(records.values()), {"orient": "index"}, "")
        return replace(table, frame=table.frame.set_axis(pd.Index(list(records)), axis=0))
    return _from_records(records, {}, 'expected a list of records: [{...}, {...}], or records by id: {"1": {...}}')


def _read_json_lines(path: str, sep: str | None) -> FileTable:
    """One record per line."""
    lines = enumerate(io.StringIO(_decoded(path), newline=None), 1)
    records = [_parsed(line, "expected one record per line", number) for number, line in lines if line.strip()]
    return _from_records(records, {"lines": True}, 'expected one record per line: {"item": ..., "ann": ...}')


def _decoded(path: str) -> str:
    return _contents(path).decode("utf-8-sig")


def _parsed(text: str, remedy: str, line: int = 0) -> Any:
    """The value of a text in JSON, which begins in the given line of a file, or is the whole file."""
    try:
        return json.loads(text, object_pairs_hook=_unrepeated)
    except json.JSONDecodeError as error:
        raise InputError(f"line {line or error.lineno} is not JSON ({error.msg})", remedy) from None
    except InputError:
        raise
    except ValueError:  # Python's limit of the digits of an integer
        raise InputError("a number has too many digits", "write it as text, in quotation marks") from None
    except RecursionError:
        where = f" in line {line}" if line else ""
        raise InputError(f"lists or records are nested too deeply{where}", CELLS) from None


def _unrepeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        _refuse_repeated([name for name, _ in pairs], "a record")
    return record


def _from_records(records: Any, options: Mapping[str, Any], otherwise: str) -> FileTable:
    """A frame of JSON records; an empty text is missing, as in a text file."""
    if not (isinstance(records, list) and all(isinstance(record, dict) for record in records)):
        raise InputError(otherwise)
    empty = any(value == "" for record in records for value in record.values())
    rows = [{name: None if value == "" else value for name, value in record.items()} for record in records]
    frame = pd.DataFrame(rows)
    steps = ("df = df.replace('', None)",) if empty else ()
    return FileTable(frame, "read_json", {**options, "dtype": False, "convert_axes": False}, steps)


def _with_sets(table: FileTable, lists: str | None) -> FileTable:
    """Convert lists of labels to sets; a list that cannot be a set stays, and `check_cells` refuses it."""
    frame, sets = table.frame, {}
    for name in (name for name in frame.columns if name != lists):
        if is_object_dtype(frame[name].dtype) and any(isinstance(cell, (list, np.ndarray)) for cell in frame[name]):
            sets[name] = pd.Series([_as_set(cell) for cell in frame[name]], index=frame.index, dtype=object)
    return replace(table, frame=frame.assign(**sets), sets=tuple(sets))


def _as_set(cell: Any) -> Any:
    if not isinstance(cell, (list, np.ndarray)):
        return cell
    try:
        return frozenset(cell)
    except TypeError:  # a list of lists
        return cell


def _read_parquet(path: str, sep: str | None) -> FileTable:
    """Read Parquet, for which pandas needs pyarrow; a named index becomes columns."""
    folder = Path(path).is_dir()  # of several files
    raw = b"" if folder else _contents(path)
    if not folder and not raw.startswith(PARQUET):
        raise InputError("this is not a Parquet file", BY_FORMAT)
    try:
        frame = pd.read_parquet(path if folder else io.BytesIO(raw))
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
    return FileTable(frame, "read_parquet", {}, tuple(steps))


def _refuse_workbook(path: str, sep: str | None) -> FileTable:
    """The sheets of a workbook have to be read by something else."""
    if not _contents(path).startswith(WORKBOOKS):
        raise InputError("this is not a workbook", BY_FORMAT)
    raise InputError(*_workbook(path))


def _workbook(path: str) -> tuple[str, str]:
    read = f"df = pd.read_excel({Path(path).name!r})"
    return "this is a workbook, not a text file", f"save the sheet as CSV, or read it in Python with {read}"


READERS: dict[str, Callable[[str, str | None], FileTable]] = {
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
    return reason, "check that line, or name the separator, such as --delimiter ';'"


def _fixed(problem: str, remedy: str) -> Callable[[str, BaseException], tuple[str, str]]:
    return lambda path, error: (problem, remedy)


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
    UnicodeDecodeError: _fixed("the text is not UTF-8", "save the file as UTF-8"),
    pd.errors.EmptyDataError: _fixed("the file is empty", NAMES_FIRST),
    pd.errors.ParserError: _bad_table,
    ValueError: _unreadable,
    MemoryError: _fixed("there is not enough memory to read it", IN_PARTS),
}
