"""`pandas_agreement.read`: from whatever an annotation tool or an evaluation log wrote to one long frame."""

from __future__ import annotations

import gc
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from typing import Any

import pandas as pd

from pandas_agreement.characters import HALF
from pandas_agreement.errors import InputError, called, choose, nearest, public, shown, warn_once, wrong_value
from pandas_agreement.exports.long_frame import COLUMNS, MAX_INTEGER, chosen, long_frame, with_numbers
from pandas_agreement.exports.row import Export, Found, Row, Tool, Wish, looked_up, places
from pandas_agreement.exports.texts import records_of
from pandas_agreement.exports.tools import SOME, TOOLS, listed, tool_of
from pandas_agreement.exports.unpack import Unpacker

FORM_ERRORS = (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError, RecursionError)
SCALARS = (str, int, float)  # a bool is an int


@contextmanager
def _no_collecting() -> Iterator[None]:
    """Pause the collector of cycles, of which records have none: else it searches all of them again and again."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@public
@_no_collecting()
def read(
    source: Any,
    field: str | None = None,
    *,
    tool: str | None = None,
    item: str | None = None,
    models: bool | None = None,
    data: str | Sequence[str] = (),
) -> pd.DataFrame:
    """Read the export of an annotation tool, or an evaluation log, as one long frame.

    The tool is recognized from the file: Label Studio, Prodigy, doccano, Argilla, Mechanical Turk, WebAnno (INCEpTION),
    brat, one table or sheet per coder, promptfoo, Inspect, Langfuse, MLflow or Phoenix. `df.agree.long()` and
    `df.agree.spans()` find the columns by their names.

    Parameters
    ----------
    source : path, list of paths, dict, list of records or DataFrame
        A file, a folder, an archive (.zip, .gz) or a workbook with one sheet per coder; several files; a dict with a
        file for each coder; or data that are already loaded.
    field : str, optional
        The question. By default all questions are read. Spans are then left out and counted, unless there is nothing
        else.
    tool : str, optional
        The tool, if it is not recognized, such as 'label_studio' or 'coders'.
    item : str, optional
        Another key of the record or of its inputs that identifies the item.
    models : bool, optional
        Whether to read the answers of models. By default predictions and suggestions are left out, and the scores of
        evaluation logs are read.
    data : str or list of str
        Keys of the record or of its inputs to add as columns, for `by=`.

    Returns
    -------
    DataFrame
        One row per judgment, with `item`, `coder`, `field`, `label`, `kind` ('person', 'model' or 'gold'), `time`, and
        the columns of `data`. Spans also have `start` and `end`, and those of WebAnno and brat the `length` of the
        document. `attrs["source"]` has the tool and the number of answers that were left out, by reason.

    Examples
    --------
    >>> import pandas_agreement
    >>> task = {"text": "Fine.", "_input_hash": 7, "_annotator_id": "ann", "answer": "accept"}
    >>> pandas_agreement.read([{**task, "accept": ["good"]}])[["item", "coder", "field", "label", "kind"]]
       item coder   field label    kind
    0     7   ann  choice  good  person
    """
    forced = None if tool is None else choose("tool", tool, TOOLS)
    if models not in (None, True, False):
        raise wrong_value("models", models, "must be True or False", "choose coders in the result, by their names")
    asked = Wish(_word("field", field), _word("item", item), _names(data))
    parts = [replace(part, asked=asked) for part in _parts(source)]
    found = forced or tool_of(parts)
    if found is None:
        return _finished(long_frame([], False), None, Counter(), {name: [] for name in asked.data})
    _check_names(found, parts)
    _check_known(asked, parts)
    found.check(parts)
    rows, left_out = _gathered(found, parts)
    rows, spans = chosen(rows, left_out, asked, found.models if models is None else models)
    frame = long_frame(with_numbers(rows) if any(part.plain for part in parts) and not spans else rows, spans)
    records = [record for part in parts for record in part.records]
    remark = found.doubt(frame, records[0])
    warn_once([remark] if remark else [])
    inputs = {name: [looked_up(one, name) for one in records] for name in (*found.carried, *asked.data)}
    known = {name: values for name, values in inputs.items() if name in asked.data or any(values)}
    return _finished(frame, found.name, left_out, known)


def _word(option: str, value: Any) -> str | None:
    if value is not None and not isinstance(value, str):
        raise wrong_value(option, value, "must be text")
    return value


def _names(data: str | Sequence[str]) -> tuple[str, ...]:
    names = data if isinstance(data, (list, tuple)) else [data]
    for name in names:
        if name in COLUMNS or not isinstance(name, str):
            raise wrong_value(
                "data", name, "must name inputs", "rename those that are called like columns of the result"
            )
    return tuple(dict.fromkeys(names))


# --------------------------------------------------------------------------------------------------- from the source


def _parts(source: Any) -> list[Export]:
    """The files of a source, or the records that were loaded already."""
    unpacker = Unpacker()
    if isinstance(source, pd.DataFrame):
        return [Export("the frame", records_of(source))]
    if isinstance(source, Mapping) and source and all(map(_is_path, source.values())):
        named = ((str(coder), part) for coder, path in source.items() for part in unpacker.files(path))
        return [replace(part, name=coder, coder=coder) for coder, part in named]
    if _is_path(source) or (isinstance(source, Sequence) and source and all(map(_is_path, source))):
        parts = [part for path in ([source] if _is_path(source) else source) for part in unpacker.files(path)]
        return [replace(part, coder=part.place.stem) for part in parts] if len(parts) > 1 else parts
    if isinstance(source, (list, Mapping)):
        return [Export("the data", listed(source, "the data"))]
    problem = f"read takes a path, a list of paths, a folder, records or a DataFrame, not {called(source)}"
    raise InputError(problem, "write pandas_agreement.read('export.json')", option="source", code="invalid value")


def _is_path(value: Any) -> bool:
    return isinstance(value, (str, os.PathLike))


def _check_names(tool: Tool, parts: Sequence[Export]) -> None:
    """Raise if two files of different coders have the same name."""
    files = Counter(part.coder for part in parts if part.coder != part.name)
    twice = [name for name, n in files.items() if n > 1 and tool.by_file]
    if twice:
        problem = f"two files are called {twice[0]!r}, and their names are those of the coders"
        raise InputError(problem, "name the coders: read({'ann': path, 'bob': path})", code="same name")


# ------------------------------------------------------------------------------------------------------- the records


def _gathered(tool: Tool, parts: Iterable[Export]) -> tuple[list[Row], Counter[str]]:
    """The rows of all records, and the reasons why others were left out."""
    rows, left_out, number = list[Row](), Counter[str](), count()
    for part in parts:
        for place, record in enumerate(part.records, 1):
            try:
                _gather(tool.reader(record, part), next(number), rows, left_out)
            except InputError:
                raise
            except FORM_ERRORS as error:
                raise _another_form(tool, part, place, error) from None
    return rows, left_out


def _gather(answers: Found, number: int, rows: list[Row], left_out: Counter[str]) -> None:
    for found in answers:
        if isinstance(found, str):
            left_out[found] += 1
        elif found.coder is None:
            left_out["no coder"] += found.field is not None
        else:
            rows.append(_checked(found, number))


def _another_form(tool: Tool, part: Export, place: int, error: Exception) -> InputError:
    what = f"{type(error).__name__}: {shown(error.args[0]) if error.args else 'no reason'}"
    problem = f"record {place} of {part.name} is not as {tool.title} writes it ({what})"
    return InputError(problem, "if another tool wrote it, name it: tool='...'", code="another form", record=place)


def _checked(row: Row, number: int) -> Row:
    """The row with its coder and question as text, if its item and label can be such."""
    label, places = row.label, (row.start, row.end)
    if places != (None, None) and not all(type(place) is int and abs(place) < MAX_INTEGER for place in places):
        raise ValueError(f"a span is from {shown(row.start)} to {shown(row.end)}")
    for one in label if isinstance(label, (list, frozenset)) and row.start is None else (label,):
        if one is not None and not isinstance(one, SCALARS):
            raise TypeError(f"a label is {called(one)}")
        if _is_cut(one):
            raise ValueError(f"the label is {shown(one)}")
    field = row.field if row.field is None else str(_name(row.field, "question"))
    item, coder = _name(row.item, "item"), str(_name(row.coder, "coder"))
    return row._replace(item=item, coder=coder, field=field, record=number)


def _name(name: Any, what: str) -> int | str:
    """A name; of numbers only whole ones, and of text only what can be written."""
    name = int(name) if type(name) is float and name.is_integer() else name  # pandas makes them floats beside None
    if type(name) not in (int, str) or _is_cut(name):
        raise ValueError(f"there is no {what}" if name is None else f"the {what} is {shown(name)}")
    return name


def _is_cut(value: Any) -> bool:
    """Whether a text has half a character."""
    return type(value) is str and not value.isascii() and HALF.search(value) is not None


# --------------------------------------------------------------------------------------------------------- the frame


def _check_known(asked: Wish, parts: Iterable[Export]) -> None:
    """Raise for the name of an input that no record has."""
    records = [record for part in parts for record in part.records if isinstance(record, Mapping)]
    wanted = [("item", asked.item), *(("data", name) for name in asked.data)]
    for option, name in wanted:
        if name is not None and records and not any(name in place for record in records for place in places(record)):
            keys = dict.fromkeys(key for record in records[:SOME] for place in places(record) for key in place)
            raise InputError(f"no record has {name!r}", nearest(name, keys), option=option, code="unknown field")


def _finished(
    frame: pd.DataFrame, tool: str | None, left_out: Mapping[str, int], data: Mapping[str, Sequence[Any]]
) -> pd.DataFrame:
    """The frame with the columns of `data`, and what is known about its source."""
    for name, values in data.items():
        whole = [HALF.sub("\ufffd", value) if _is_cut(value) else value for value in values]  # texts may be cut
        frame[name] = pd.Series(whole, dtype=object).reindex(frame.index).infer_objects()
    frame = frame.reset_index(drop=True)
    frame.attrs["source"] = {"tool": tool, "left_out": {reason: n for reason, n in left_out.items() if n}}
    return frame
