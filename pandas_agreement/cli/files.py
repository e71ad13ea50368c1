"""Read a file for the command line: CSV, TSV, JSON, JSON lines or Parquet, also compressed.

A file is read once, into memory, so that it may be a pipe. One that cannot be read is an `InputError` with its problem
and remedy; the command line adds the name of the file. The columns are checked in `columns`.
"""

from __future__ import annotations

import argparse
import codecs
import gzip
import io
import json
import lzma
import sys
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import is_object_dtype
from pandas.io.common import get_handle, infer_compression

from pandas_agreement.cli.columns import CELLS, repeated, separator_hint
from pandas_agreement.errors import InputError, nearest
from pandas_agreement.exports import read
from pandas_agreement.exports.unpack import MAX_EXPANDED

READ = "pandas_agreement.read"  # the function for exports; others are of pandas
PARQUET = (".parquet", ".pq")
SEPARATORS = {".tsv": "\t", ".tab": "\t"}
OF_TEXT = ("delimiter", "encoding", "decimal")  # options of text files
NAMES_FIRST = "the first line should hold the names of the columns"
IN_PARTS = "read it in Python, in parts: see pandas_agreement.stream"
AS_WRITTEN: dict[str, Any] = {"dtype": str, "keep_default_na": False, "na_values": [""]}
#: texts that `pd.read_csv` takes for missing values, besides the empty one
MISSING_TEXTS = frozenset(
    {
        *("NA", "N/A", "n/a", "<NA>", "#NA", "#N/A", "#N/A N/A", "NaN", "-NaN", "nan", "-nan", "None", "NULL", "null"),
        *("1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN"),
    }
)


@dataclass(frozen=True)
class FileTable:
    """The frame of a file, and how to read it in Python.

    `function` of pandas reads it with `options`; `steps` are further lines of Python; `sets` are the columns in which
    lists became sets; `missing` has the columns with texts that are read as missing, and their cells.
    """

    frame: pd.DataFrame
    function: str
    options: dict[str, Any] = field(default_factory=dict)
    steps: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    missing: Mapping[str, Sequence[str]] = field(default_factory=dict)


def read_table(options: argparse.Namespace) -> FileTable:
    """Read a file by its extension; `-` is CSV on standard input.

    Cells of a text file stay text until `as_numbers`. Lists become sets of labels, but for the column of --cells, in
    which an element is the label of one rater. Rows are numbered from 1; records by id keep their ids.
    """
    ending = _ending(options.file)
    reader = READERS.get(ending, _read_text)
    for name in OF_TEXT:
        if getattr(options, name) is not None and reader is not _read_text:
            raise InputError(f"--{name} is for text files such as CSV, not for {ending}")
    try:
        table = reader(options)
    except InputError:
        raise
    except tuple(READ_ERRORS) as error:
        raise _explained(options.file, error) from None
    if table.frame.empty:
        raise InputError("there are no rows", NAMES_FIRST)
    return table if table.function == "read_csv" else _with_sets(table, options.cells)


def read_export(options: argparse.Namespace, asked: Mapping[str, Any]) -> FileTable:
    """Read the export of a tool; labels that are all numbers have the type of numbers."""
    try:
        frame = read(options.file, **asked)
    except MemoryError as error:
        raise _explained(options.file, error) from None
    except InputError as error:  # it names the file
        error.facts["of_read"] = True
        raise
    return FileTable(frame.assign(label=frame["label"].infer_objects()), READ, dict(asked))


def _ending(path: str) -> str:
    """The extension without compression: `.csv` of `labels.CSV.gz`."""
    endings = [suffix.lower() for suffix in Path(path).suffixes]
    if endings and infer_compression(path, "infer"):
        endings.pop()
    return endings[-1] if endings else ""


def _contents(path: str) -> bytes:
    """All bytes of a file; what is compressed is expanded by pandas, up to a limit."""
    if path == "-":
        return _standard_input()
    compression = infer_compression(path, "infer")
    with open(path, "rb") as file, get_handle(file, "rb", compression=compression, is_text=False) as opened:
        data: bytes = opened.handle.read(MAX_EXPANDED + 1 if compression else -1)
    if compression and len(data) > MAX_EXPANDED:
        raise InputError(f"the compressed file holds more than {MAX_EXPANDED / 1e9:g} GB", IN_PARTS)
    return data


def _standard_input() -> bytes:
    if sys.stdin is None:
        raise InputError("it is closed", "name a file, or pipe one in")
    text = getattr(sys.stdin, "buffer", sys.stdin).read()
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")


# ------------------------------------------------------------------------------------------------------- text
def _read_text(options: argparse.Namespace) -> FileTable:
    """Read separated cells as text, unchanged; only column names lose the blanks around them."""
    chosen, raw = _text_options(options), _contents(options.file)
    reading: dict[str, Any] = {"encoding": "utf-8-sig", **chosen, **AS_WRITTEN}
    names = pd.read_csv(io.BytesIO(raw), header=None, nrows=1, **reading).iloc[0].dropna().str.strip().tolist()
    _check_names(names)
    frame = pd.read_csv(io.BytesIO(raw), **reading)
    if not isinstance(frame.index, pd.RangeIndex):  # pandas made the first columns an index
        raise InputError("the rows have more cells than the first line has names", "give every column a name")
    stripped = frame.columns.str.strip()
    steps = () if stripped.equals(frame.columns) else ("df.columns = df.columns.str.strip()",)
    frame = frame.set_axis(stripped, axis=1)
    is_missing = frame.isin(MISSING_TEXTS)
    missing = {name: frame.loc[is_missing[name], name].tolist() for name in frame.columns[is_missing.any()]}
    return FileTable(frame.mask(is_missing), "read_csv", chosen, steps, missing=missing)


def _text_options(options: argparse.Namespace) -> dict[str, str]:
    """The options of `pd.read_csv` that are not its defaults."""
    separator = (options.delimiter or SEPARATORS.get(_ending(options.file), ",")).replace("\\t", "\t")
    for name, character in (("delimiter", separator), ("decimal", options.decimal or ".")):
        if len(character) != 1:
            tab = ", or \\t for a tab" if name == "delimiter" else ", such as a comma"
            raise InputError(f"--{name} {getattr(options, name)!r} must be a single character{tab}")
    if options.decimal == separator:
        raise InputError(f"--decimal and --delimiter are both {separator!r}", "name the delimiter, such as ';'")
    chosen = {"sep": separator, "decimal": options.decimal, "encoding": _encoding(options.encoding)}
    return {name: value for name, value in chosen.items() if value not in (None, {"sep": ","}.get(name))}


def _encoding(name: str | None) -> str | None:
    try:
        return name and codecs.lookup(name) and name
    except LookupError:
        raise InputError(f"--encoding {name!r} is not known", "such as utf-8, cp1252 or utf-16") from None


def _check_names(names: Sequence[str]) -> None:
    """Refuse names that stand twice, that were not separated, or that have a quotation mark in them."""
    _refuse_repeated(names, "the first line")
    if hint := separator_hint(names):
        raise InputError(hint)
    quoted = next((name for name in names if name.startswith('"')), None)
    if quoted is not None:
        problem = f"the name {quoted} has a blank before its quotation mark, which makes the mark a part of it"
        raise InputError(problem, "take out the blanks after the separators")


def _refuse_repeated(names: Sequence[str], where: str) -> None:
    twice = repeated(names)
    if twice is not None:
        raise InputError(f"column {twice!r} stands twice in {where}", "give each column a name of its own")


# ------------------------------------------------------------------------------------------------------- records
def _read_json(options: argparse.Namespace) -> FileTable:
    """A list of records, or records by their ids, which become the index."""
    records = _parsed(_contents(options.file).decode("utf-8-sig"), "one record per line is .jsonl")
    if isinstance(records, dict) and records and all(isinstance(record, dict) for record in records.values()):
        table = _from_records(list(records.values()), {"orient": "index"}, "")
        return replace(table, frame=table.frame.set_axis(pd.Index(list(records)), axis=0))
    return _from_records(records, {}, 'expected a list of records: [{...}, {...}], or records by id: {"1": {...}}')


def _read_json_lines(options: argparse.Namespace) -> FileTable:
    """One record per line."""
    lines = enumerate(io.StringIO(_contents(options.file).decode("utf-8-sig"), newline=None), 1)
    records = [_parsed(line, "expected one record per line", number) for number, line in lines if line.strip()]
    return _from_records(records, {"lines": True}, 'expected one record per line: {"item": ..., "ann": ...}')


def _parsed(text: str, remedy: str, line: int = 0) -> Any:
    """The value of a text in JSON, which begins in the given line of a file, or is the whole file."""
    try:
        return json.loads(text, object_pairs_hook=_record)
    except json.JSONDecodeError as error:
        raise InputError(f"line {line or error.lineno} is not JSON ({error.msg})", remedy) from None


def _record(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A record, whose names differ: of two equal ones only the last would count."""
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
    steps = ("df = df.replace('', None)",) if empty else ()
    return FileTable(pd.DataFrame(rows), "read_json", {**options, "dtype": False, "convert_axes": False}, steps)


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


def _read_parquet(options: argparse.Namespace) -> FileTable:
    """Read Parquet, for which pandas needs pyarrow; a named index becomes columns."""
    path = options.file
    frame = pd.read_parquet(path if Path(path).is_dir() else io.BytesIO(_contents(path)))
    steps: list[str] = []
    if list(frame.index.names) != [None]:
        frame, steps = frame.reset_index(), ["df = df.reset_index()"]
    if not all(isinstance(name, str) for name in frame.columns):
        frame, steps = frame.set_axis(frame.columns.map(str), axis=1), [*steps, "df.columns = df.columns.map(str)"]
    _refuse_repeated(list(frame.columns), "the file")
    return FileTable(frame, "read_parquet", {}, tuple(steps))


def _refuse_workbook(options: argparse.Namespace) -> FileTable:
    """The sheets of a workbook have to be read by something else."""
    path = Path(options.file)
    path.stat()  # an error of its own if there is none
    read = f"df = pd.read_excel({path.name!r})"
    raise InputError("this is a workbook", f"save the sheet as CSV, or read it in Python with {read}")


READERS: dict[str, Callable[[argparse.Namespace], FileTable]] = {
    ".json": _read_json,
    **dict.fromkeys((".jsonl", ".ndjson"), _read_json_lines),
    **dict.fromkeys(PARQUET, _read_parquet),
    **dict.fromkeys((".xlsx", ".xlsm", ".xls", ".ods"), _refuse_workbook),
}

DAMAGED = ("the compressed file is damaged, incomplete or of another format", "copy it again, or correct its name")
#: from the first kind of error that fits to the problem and the remedy
READ_ERRORS: dict[type[BaseException], tuple[str, str]] = {
    FileNotFoundError: ("no such file", "check the path"),
    IsADirectoryError: ("this is a directory", "name a file in it"),
    PermissionError: ("no permission to read it", ""),
    **dict.fromkeys((EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, gzip.BadGzipFile), DAMAGED),
    UnicodeError: ("the text is not in the encoding that was expected", "name its encoding, such as --encoding cp1252"),
    pd.errors.EmptyDataError: ("the file is empty", NAMES_FIRST),
    pd.errors.ParserError: ("{reason}", "check that line, or name the separator, such as --delimiter ';'"),
    ImportError: ("reading it needs another package", "pip install pyarrow for Parquet, or zstandard for .zst"),
    RecursionError: ("lists or records are nested too deeply", CELLS),
    MemoryError: ("there is not enough memory to read it", IN_PARTS),
    OSError: ("cannot be read ({reason})", ""),
    ValueError: ("cannot be read ({reason})", ""),
}


def _explained(path: str, error: BaseException) -> InputError:
    """The error for a file that cannot be read."""
    problem, remedy = next(explained for kind, explained in READ_ERRORS.items() if isinstance(error, kind))
    reason = (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")
    folder = Path(path).parent
    if isinstance(error, FileNotFoundError) and folder.is_dir():
        remedy = nearest(Path(path).name, [entry.name for entry in folder.iterdir()], hint=False) or remedy
    return InputError(problem.format(reason=reason.removeprefix("Error tokenizing data. C error: ")), remedy)
