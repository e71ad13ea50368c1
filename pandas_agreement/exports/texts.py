"""From the text of a file to records: JSON, JSON lines, and tables such as CSV."""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.errors import InputError
from pandas_agreement.exports import webanno

SEPARATORS = ",;\t"
LINES = (".jsonl", ".ndjson", ".manifest")  # endings of files with one record per line


def decoded(raw: bytes, name: str, encoding: str = "utf-8-sig") -> str:
    """The text of a file."""
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        problem = f"{name} is not text in UTF-8 (byte {error.start} is wrong)"
        raise InputError(problem, "save it as UTF-8, or as one of the forms that read knows", code="encoding") from None


def parsed(raw: bytes, name: str) -> tuple[Any, bool]:
    """What the bytes of a file hold, and whether it is a table of plain text."""
    text = decoded(raw, name)
    begins = text[:100].lstrip()
    if begins.startswith("<"):
        remedy = "export JSON or CSV, of INCEpTION WebAnno TSV v3.3; cassis reads its XMI"
        raise InputError(f"{name} is XML, which read does not know", remedy, code="unknown tool")
    spans = webanno.records(text, name)
    if spans is not None:
        return spans, False
    if begins.startswith(("[", "{")):
        return _json(text, name), False
    return (_table(text, name), True) if text.strip() else ([], False)


def _json(text: str, name: str) -> Any:
    try:
        document = _loads(text, name)
    except json.JSONDecodeError as error:
        if not _begins_with_a_record(text):
            raise _broken(name, error.lineno) from None
        return _json_lines(text, name)
    return [document] if isinstance(document, dict) and name.endswith(LINES) else document


def _loads(text: str, name: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        raise
    except (RecursionError, ValueError):
        problem = f"{name} is nested too deeply, or holds a number of thousands of digits"
        raise InputError(problem, "no tool writes this; export it again", code="broken file") from None


def _begins_with_a_record(text: str) -> bool:
    """Whether the first line is a whole object, so that the others should be too."""
    try:
        return isinstance(json.loads(text.lstrip().partition("\n")[0]), dict)
    except ValueError:
        return False


def _json_lines(text: str, name: str) -> list[Any]:
    records = []
    for number, line in enumerate(text.split("\n"), 1):  # splitlines would split within texts
        try:
            records += [_loads(line, name)] if line.strip() else []
        except json.JSONDecodeError:
            raise _broken(name, number) from None
    return records


def _broken(name: str, line: int) -> InputError:
    problem = f"{name} is broken at line {line}: it is not JSON"
    return InputError(problem, "it may have been cut off; export it again", code="broken file", line=line)


def separator_of(first: str) -> str:
    """What separates the cells of a table, from its first line."""
    return max(SEPARATORS, key=first.count)


def _table(text: str, name: str) -> list[dict[str, Any]]:
    separator = separator_of(text.partition("\n")[0])
    try:
        frame = pd.read_csv(io.StringIO(text), sep=separator, dtype=str, keep_default_na=False, na_values=[""])
    except (pd.errors.ParserError, pd.errors.EmptyDataError, ValueError, OverflowError):
        frame = None
    longer = frame is not None and not isinstance(frame.index, pd.RangeIndex)  # rows than the first line
    if frame is None or longer or frame.shape == (0, 1):
        problem = f"{name} is neither JSON nor a table with the names of its columns in the first line"
        raise InputError(problem, "export it again, as JSON or CSV", code="broken file")
    return records_of(frame)


def records_of(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows of a frame; a named index is a column, and missing cells are None."""
    named = frame.reset_index() if any(name is not None for name in frame.index.names) else frame
    names = list(map(str, named.columns))
    columns = [_cells(named.iloc[:, place]) for place in range(len(names))]
    return [dict(zip(names, cells, strict=True)) for cells in zip(*columns, strict=True)]


def _cells(column: pd.Series) -> list[Any]:
    """The cells of a column as values of Python; missing ones are None."""
    cells = zip(column.tolist(), column.notna(), strict=True)
    return [(cell.tolist() if isinstance(cell, np.ndarray) else cell) if known else None for cell, known in cells]
