"""From rows of answers to the long frame that `read` returns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.errors import InputError
from pandas_agreement.exports.row import Row, Wish, unknown_field

COLUMNS = ("item", "coder", "field", "label", "start", "end", "kind", "time")
NUMBER = re.compile(r"-?(0|[1-9]\d{0,14})(\.\d{1,15})?")  # '01' and '1e5' are names
MAX_ITEM = 1 << 63


@dataclass
class Answers:
    """The rows of all records, the number of the record of each, and what was left out."""

    rows: list[Row] = field(default_factory=list)
    records: list[int] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)

    def only(self, kept: Sequence[bool]) -> Answers:
        """The rows that are kept; nothing else changes."""
        rows = [row for row, keep in zip(self.rows, kept, strict=True) if keep]
        records = [record for record, keep in zip(self.records, kept, strict=True) if keep]
        return Answers(rows, records, self.left_out)

    def with_rows(self, rows: Iterable[Row]) -> Answers:
        """Other rows of the same records."""
        return Answers([*rows], self.records, self.left_out)

    @property
    def fields(self) -> list[str]:
        """The questions, in the order in which they appear."""
        return list(dict.fromkeys(row.field for row in self.rows if row.field is not None))


def chosen(answers: Answers, asked: Wish, models: bool) -> tuple[Answers, bool]:
    """The answers that were asked for, and whether they are spans."""
    if asked.field is not None and answers.fields and asked.field not in answers.fields:
        raise unknown_field(asked.field, answers.fields)
    _refuse_regions(answers)
    spans = {row.field for row in answers.rows if row.start is not None}
    labels = set(answers.fields) - spans
    wanted: set[str | None] = {asked.field} if asked.field is not None else {*(labels or spans)}
    left, kept = answers.left_out, []
    for row in answers.rows:
        reason = _reason(row, wanted, asked, models)
        kept.append(reason is None)
        if reason:
            left[reason] += 1
    found = answers.only(kept)
    if wanted & spans:
        return _with_unmarked(found, sorted(name for name in wanted & spans if name)), True
    return _with_labels(found.only([row.field is not None for row in found.rows])), False


def _reason(row: Row, wanted: set[str | None], asked: Wish, models: bool) -> str | None:
    """Why a row is left out; empty if the user asked for another question."""
    if row.field is not None and row.field not in wanted and asked.field is not None:
        return ""
    if row.kind == "model" and not models:
        return "by a model" if row.field is not None else ""
    return "spans" if row.field is not None and row.field not in wanted else None


def _refuse_regions(answers: Answers) -> None:
    """Raise if there is nothing but what has no label."""
    kinds = [reason.removesuffix(" (no label)") for reason in answers.left_out if reason.endswith(" (no label)")]
    if kinds and not answers.fields:
        problem = f"the export holds no labels but only: {', '.join(kinds)}"
        remedy = "agreement is about labels, ratings, numbers and spans of text"
        raise InputError(problem, remedy, code="no labels")


def _with_unmarked(answers: Answers, fields: Sequence[str]) -> Answers:
    """Spans, and one row without a span for each coder who saw an item and marked nothing."""
    marked = {(row.item, row.coder, row.field) for row in answers.rows if row.start is not None}
    found = Answers(left_out=answers.left_out)
    for row, record in zip(answers.rows, answers.records, strict=True):
        unmarked = [name for name in fields if row.start is None and (row.item, row.coder, name) not in marked]
        marked |= {(row.item, row.coder, name) for name in unmarked}
        found.rows += [row] if row.start is not None else [row._replace(field=name, label=None) for name in unmarked]
        found.records += [record] * (len(found.rows) - len(found.records))
    return found


def _with_labels(answers: Answers) -> Answers:
    """Rows whose labels are all sets or all scalars within a question; those without a label are counted."""
    sets = {row.field for row in answers.rows if _is_set(row.label)}
    rows = [row._replace(label=_label(row.label, row.field in sets)) for row in answers.rows]
    kept = [row.label is not None and row.label == row.label for row in rows]
    answers.left_out["no label"] += kept.count(False)
    return answers.with_rows(rows).only(kept)


def _is_set(label: Any) -> bool:
    return type(label) is frozenset or (type(label) is list and len(set(label)) > 1)


def _label(label: Any, as_set: bool) -> Any:
    many = isinstance(label, (list, frozenset))
    if as_set:
        return frozenset(label if many else [label]) if label is not None else None
    return next(iter(label), None) if many else label


def with_numbers(answers: Answers) -> Answers:
    """Labels of a text file as numbers, in questions where all are plain numbers."""
    words = {row.field for row in answers.rows if type(row.label) is not str or not NUMBER.fullmatch(row.label)}
    broken = {row.field for row in answers.rows if row.field not in words and "." in row.label}
    kinds = {name: float if name in broken else int for name in answers.fields if name not in words}
    rows = (row._replace(label=kinds[row.field](row.label)) if row.field in kinds else row for row in answers.rows)
    return answers.with_rows(rows)


def long_frame(answers: Answers, spans: bool) -> pd.DataFrame:
    """The frame, with items as they first appear and the judgments of an item by time; its index is the record."""
    columns = dict(zip(Row._fields, zip(*answers.rows, strict=True), strict=True)) if answers.rows else {}
    get = {name: list(columns.get(name, ())) for name in COLUMNS}
    found: dict[str, pd.Series] = {"item": _items(get["item"])}
    found |= {name: pd.Series(get[name], dtype=str) for name in ("coder", "field")}
    found["label"] = pd.Series(get["label"], dtype=object)
    found |= {name: pd.Series(get[name], dtype="Int64") for name in ("start", "end") if spans}
    found |= {"kind": pd.Series(get["kind"], dtype=str), "time": times(get["time"])}
    frame = pd.DataFrame(found).set_axis(pd.Index(answers.records, dtype="int64"), axis=0)
    order = np.lexsort((frame["time"].to_numpy("datetime64[ns]").view("int64"), pd.factorize(frame["item"])[0]))
    return frame.iloc[order]


def _items(items: list[Any]) -> pd.Series:
    """Items as numbers if all are, or else as text."""
    if items and all(type(item) is int and -MAX_ITEM <= item < MAX_ITEM for item in items):
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
