"""From rows of answers to the long frame that `read` returns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import compress
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.errors import InputError
from pandas_agreement.exports.row import Row, Wish, unknown_field

COLUMNS = ("item", "coder", "field", "label", "start", "end", "kind", "time")
NUMBER = re.compile(r"-?(0|[1-9]\d{0,14})(\.\d{1,15})?")  # '01' and '1e5' are names
MAX_INTEGER = 1 << 63


def chosen(rows: list[Row], left_out: Counter[str], asked: Wish, models: bool) -> tuple[list[Row], bool]:
    """The rows that were asked for, and whether they are spans; others are counted."""
    fields = dict.fromkeys(row.field for row in rows if row.field is not None)
    if asked.field is not None and fields and asked.field not in fields:
        raise unknown_field(asked.field, list(fields))
    if not fields:
        _refuse_regions(left_out)
    spans = {row.field for row in rows if row.field is not None and row.start is not None}
    wanted = {asked.field} if asked.field is not None else (set(fields) - spans) or spans
    reasons = [_reason(row, wanted, asked, models) for row in rows]
    left_out.update(reason for reason in reasons if reason)
    kept = [row for row, reason in zip(rows, reasons, strict=True) if reason is None]
    if wanted & spans:
        return _with_unmarked(_newest(kept, left_out), sorted(wanted & spans), left_out), True
    return _with_labels(kept, left_out), False


def _reason(row: Row, wanted: Collection[str], asked: Wish, models: bool) -> str | None:
    """Why a row is left out; empty if the user asked for another question."""
    if row.field is not None and row.field not in wanted and asked.field is not None:
        return ""
    if row.kind == "model" and not models:
        return "by a model" if row.field is not None else ""
    return "spans" if row.field is not None and row.field not in wanted else None


def _refuse_regions(left_out: Iterable[str]) -> None:
    """Raise if there is nothing but what has no label."""
    kinds = [reason.removesuffix(" (no label)") for reason in left_out if reason.endswith(" (no label)")]
    if kinds:
        problem = f"the export holds no labels but only: {', '.join(kinds)}"
        remedy = "agreement is about labels, ratings, numbers and spans of text"
        raise InputError(problem, remedy, code="no labels")


def _newest(rows: list[Row], left_out: Counter[str]) -> list[Row]:
    """The rows of the newest time a coder saw an item: spans of two times would be those of one annotation."""
    seen = [(row.item, row.coder) for row in rows if row.field is None]
    if len(seen) == len(set(seen)):
        return rows
    moments = times([row.time for row in rows]).to_numpy("datetime64[ns]").view("int64")
    last: dict[Any, int] = {}
    for row, moment in zip(rows, moments, strict=True):
        last[row.item, row.coder] = max(last.get((row.item, row.coder), moment), moment)
    older = [moment < last[row.item, row.coder] for row, moment in zip(rows, moments, strict=True)]
    left_out["annotated again"] += sum(row.start is not None for row in compress(rows, older))
    return [row for row, is_older in zip(rows, older, strict=True) if not is_older]


def _with_unmarked(rows: Sequence[Row], fields: Sequence[str], left_out: Counter[str]) -> list[Row]:
    """Spans, each once, and one row without a span for each coder who saw an item and marked nothing."""
    marked = {(row.item, row.coder, row.field) for row in rows if row.start != row.end}
    found: dict[Any, Row] = {}
    for row in rows:
        if row.start == row.end:
            left_out["span without a character"] += row.start is not None
            unmarked = [name for name in fields if (row.item, row.coder, name) not in marked]
            nothing = row._replace(label=None, start=None, end=None)
            found |= {(row.item, row.coder, name): nothing._replace(field=name) for name in unmarked}
        else:
            span = (row.item, row.coder, row.field, row.label, row.start, row.end)
            left_out["marked twice"] += span in found
            found[span] = row
    return list(found.values())


def _with_labels(rows: Sequence[Row], left_out: Counter[str]) -> list[Row]:
    """Rows whose labels are all sets or all scalars within a question; those without a label are counted."""
    answers = [row for row in rows if row.field is not None]
    sets = {row.field for row in answers if _is_set(row.label)}
    labelled = [row._replace(label=_label(row.label, row.field in sets)) for row in answers]
    found = [row for row in labelled if row.label is not None and row.label == row.label]
    left_out["no label"] += len(answers) - len(found)
    return found


def _is_set(label: Any) -> bool:
    return type(label) is frozenset or (type(label) is list and len(set(label)) > 1)


def _label(label: Any, as_set: bool) -> Any:
    many = isinstance(label, (list, frozenset))
    if as_set:
        return frozenset(label if many else [label]) if label is not None else None
    return next(iter(label), None) if many else label


def with_numbers(rows: Sequence[Row]) -> list[Row]:
    """Labels of a text file as numbers, in questions where all are plain numbers."""
    words = {row.field for row in rows if type(row.label) is not str or not NUMBER.fullmatch(row.label)}
    broken = {row.field for row in rows if row.field not in words and "." in row.label}
    number = {row.field: float if row.field in broken else int for row in rows if row.field not in words}
    return [row._replace(label=number[row.field](row.label)) if row.field in number else row for row in rows]


def long_frame(rows: Sequence[Row], spans: bool) -> pd.DataFrame:
    """The frame, with items as they first appear and the judgments of an item by time; its index is the record."""
    get = dict(zip(Row._fields, zip(*rows, strict=True), strict=True)) if rows else dict.fromkeys(Row._fields, ())
    found: dict[str, pd.Series] = {"item": _items(list(get["item"]))}
    found |= {name: pd.Series(list(get[name]), dtype=str) for name in ("coder", "field")}
    found["label"] = pd.Series(list(get["label"]), dtype=object)
    found |= {name: pd.Series(list(get[name]), dtype="Int64") for name in ("start", "end") if spans}
    found |= {"kind": pd.Series(list(get["kind"]), dtype=str), "time": times(list(get["time"]))}
    frame = pd.DataFrame(found).set_axis(pd.Index(get["record"], dtype="int64"), axis=0)
    order = np.lexsort((frame["time"].to_numpy("datetime64[ns]").view("int64"), pd.factorize(frame["item"])[0]))
    return frame.iloc[order]


def _items(items: list[Any]) -> pd.Series:
    """Items as numbers if all are, or else as text."""
    if items and all(type(item) is int and abs(item) < MAX_INTEGER for item in items):
        return pd.Series(items, dtype="int64")
    return pd.Series(list(map(str, items)), dtype=str)


def times(values: list[Any]) -> pd.Series:
    """Times in UTC: numbers are seconds since 1970, what cannot be read is NaT."""
    given = pd.Series([value.isoformat() if hasattr(value, "isoformat") else value for value in values], dtype=object)
    is_number = given.map(lambda value: type(value) in (int, float) and abs(value) < MAX_SECONDS).astype(bool)
    found = pd.Series(pd.NaT, index=given.index, dtype="datetime64[ns, UTC]")
    found[is_number] = _clipped(pd.to_datetime(given[is_number].astype(float), unit="s", utc=True))
    texts = given[given.map(lambda value: type(value) is str).astype(bool)]
    found[texts.index] = _clipped(pd.to_datetime(texts, format="ISO8601", utc=True, errors="coerce"))
    return found


MAX_SECONDS = 9e9  # beyond the year 2255


def _clipped(found: pd.Series) -> pd.Series:
    """Times in nanoseconds, without those that these cannot hold."""
    low, high = pd.Timestamp.min.tz_localize("UTC"), pd.Timestamp.max.tz_localize("UTC")
    return found.where((found > low) & (found < high)).astype("datetime64[ns, UTC]")
