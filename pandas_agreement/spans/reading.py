"""A frame with one row per span as arrays, checked: documents, who saw them, and what was marked."""

from __future__ import annotations

import numbers
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.category_counts import renumber
from pandas_agreement.data.labels import encode
from pandas_agreement.data.reading import check_names, cluster_codes, columns_of, group_of
from pandas_agreement.errors import ColumnError, InputError, check_memory, choose, counted, shown
from pandas_agreement.spans.span_set import SpanSet

Unmarked = Literal["raise", "seen", "absent"]
Length = Hashable | Mapping[Any, int] | pd.Series
MARKED = "marked"  # the label of all spans without label=
UNITS = "characters, tokens, milliseconds"
MOST_SHOWN = 3  # rows of a message
MOST = 2.0**53  # whole numbers above are not exact as floats


@dataclass(frozen=True)
class SpanColumns:
    """The names of the columns."""

    item: tuple[Hashable, ...]
    coder: Hashable
    start: Hashable
    end: Hashable
    label: Hashable | None


@dataclass(frozen=True, eq=False)
class SpanReading:
    """The spans of a frame, with the names of what the arrays number."""

    frame: pd.DataFrame
    columns: SpanColumns
    documents: pd.Index
    document_of_row: Array
    coders: Sequence[Hashable]
    labels: pd.Index
    spans: SpanSet
    guessed_length: bool
    n_unseen: int  # pairs of document and coder without a row, taken for not seen

    def chosen(self, coders: Sequence[Hashable]) -> SpanReading:
        """These coders only; none means all."""
        if not coders:
            return self
        check_names(coders, "name at least two")
        known = {name: number for number, name in enumerate(self.coders)}
        for name in coders:
            if name not in known:
                raise ColumnError.missing(name, self.coders, "coder")
        numbers = np.array([known[name] for name in coders])
        return replace(self, coders=list(coders), spans=self.spans.of_coders(numbers))

    def grouped(self, by: Any, clusters: Any) -> tuple[SpanReading, pd.Index | None]:
        """The documents in groups and clusters; and the keys of the groups."""
        groups, cluster = group_of(self.frame, by), cluster_codes(self.frame, clusters)
        spans = self.spans
        if groups is not None:
            group = self._of_documents(groups.codes, "by", "groups")
            spans = replace(spans, group=group, n_groups=len(groups.index))
        if cluster is not None:
            spans = replace(spans, unit=self._of_documents(cluster, "clusters", "clusters"))
        return replace(self, spans=spans), None if groups is None else groups.index

    def _of_documents(self, codes: Array, option: str, what: str) -> Array:
        """What is the same in all rows of a document: (D,)."""
        out = np.full(len(self.documents), -2)
        out[self.document_of_row] = codes
        wrong = np.flatnonzero(out[self.document_of_row] != codes)
        if len(wrong):
            problem = f"document {self.name_of(self.document_of_row[wrong[0]])} is in two {what}"
            raise InputError(problem, "a document belongs to only one", option=option, code=f"two {what}")
        alone = np.flatnonzero(out == -2)
        if len(alone):
            rows = counted(len(alone), "document has no row", "documents have no row")
            problem = f"{rows}, such as {self.name_of(alone[0])}, and therefore no {what[:-1]}"
            remedy = "give it a row with empty start and end, or leave it out of length="
            raise InputError(problem, remedy, option=option, code=f"no {what}")
        return out

    def name_of(self, document: int) -> str:
        return _first(self.documents[document:])


def read_spans(
    frame: pd.DataFrame, columns: SpanColumns, length: Any = None, unmarked: Unmarked = "raise"
) -> SpanReading:
    """Read and check the spans of a frame."""
    choose("unmarked", unmarked, dict.fromkeys(get_args(Unmarked)))
    rows = _Rows.of(frame, columns)
    rows.check_places(columns)
    documents, known = _lengths(frame, rows, length, unmarked)
    lengths = rows.last_ends() if known is None else known
    rows.check_spans(lengths, columns)
    seen = _seen(rows.document * len(rows.coders) + rows.coder, unmarked, documents, rows.coders)
    names = documents, rows.document, rows.coders.tolist(), rows.labels
    n_unseen = len(documents) * len(rows.coders) - len(seen)
    return SpanReading(frame, columns, *names, rows.spans(seen, lengths), known is None, n_unseen)


def _identify(columns: Sequence[pd.Series], names: Sequence[Hashable]) -> tuple[Array, pd.Index]:
    """The number of each row's document in order of appearance, -1 without a name; and the names."""
    if len(columns) == 1:
        codes, found = pd.factorize(columns[0])
        return codes.astype(np.int64), pd.Index(found, name=names[0], tupleize_cols=False)
    parts = [pd.factorize(column) for column in columns]
    keys = pd.DataFrame({place: codes for place, (codes, _) in enumerate(parts)})
    lost = (keys < 0).any(axis=1).to_numpy()
    first = keys[~lost].drop_duplicates()
    together = pd.MultiIndex.from_frame(first)
    levels = [pd.Index(found).take(first[place]) for place, (_, found) in enumerate(parts)]
    return together.get_indexer(pd.MultiIndex.from_frame(keys)), pd.MultiIndex.from_arrays(levels, names=list(names))


def _labels(frame: pd.DataFrame, name: Hashable | None) -> tuple[Array, pd.Index]:
    """The label of each row, -1 without one, and the labels."""
    if name is None:
        return np.zeros(len(frame), np.int64), pd.Index([MARKED])
    (codes,), category_set = encode(columns_of(frame, [name]), [name])
    return codes.astype(np.int64), category_set.labels


# ------------------------------------------------------------------------------------------------------------- places


@dataclass(frozen=True, eq=False)
class _Rows:
    """The rows of a frame: (R,) each, and the names of what they number."""

    index: pd.Index
    document: Array
    documents: pd.Index
    coder: Array
    coders: pd.Index
    start: Array  # NaN where it is empty
    end: Array
    label: Array
    labels: pd.Index

    @classmethod
    def of(cls, frame: pd.DataFrame, columns: SpanColumns) -> _Rows:
        *items, who = columns_of(frame, [*columns.item, columns.coder])
        document, documents = _identify(items, columns.item)
        (code,), found = encode([who], [columns.coder])
        coder, used = renumber(code.astype(np.int64), len(found.labels))
        start, end = (_positions(frame, "start", columns.start), _positions(frame, "end", columns.end))
        places = document, documents, coder, found.labels[used], start, end
        return cls(frame.index, *places, *_labels(frame, columns.label))

    @property
    def empty(self) -> Array:
        """Rows without a span."""
        return np.isnan(self.start) & np.isnan(self.end)

    def refuse(self, rows: Array, what: str, remedy: str, column: Hashable = None, code: str = "invalid span") -> None:
        """Raise if there is such a row, with their number and the first of them."""
        if rows.any():
            some = ", ".join(map(shown, self.index[rows][:MOST_SHOWN].tolist()))
            n = int(rows.sum())
            problem = f"{counted(n, 'row', 'rows')}, such as {some}: {what}"
            raise InputError(problem, remedy, column=column, code=code, n=n)

    def check_places(self, columns: SpanColumns) -> None:
        """Raise for rows without names, and for spans without a place, without positions, or without a label."""
        seen_only = "leave {} empty for a document that was seen and not marked"
        half = np.isnan(self.start) != np.isnan(self.end)
        unplaced = self.empty & (self.label >= 0) & (columns.label is not None)
        self.refuse((self.document < 0) | (self.coder < 0), "no document or no coder", "drop them")
        self.refuse(half, "start or end is missing", seen_only.format("both"))
        self.refuse(unplaced, "a label without start and end", seen_only.format("all three"), columns.label)
        halfopen = "spans are half-open: the last position plus 1 is the end"
        self.refuse(self.start >= self.end, "a span ends where it starts, or before", halfopen, columns.end)
        self.refuse(self.start < 0, "a span starts below 0", "count from the start of the document", columns.start)
        remedy = "label or drop it, or leave label= out"
        self.refuse(~self.empty & (self.label < 0), "a span has no label", remedy, columns.label)

    def check_spans(self, lengths: Array, columns: SpanColumns) -> None:
        """Raise for spans behind the end of their document, and for a span that one coder has twice."""
        late = self.end > lengths[self.document]
        which = [f" ({self.end[n]:.0f} > {lengths[self.document[n]]:.0f})" for n in np.flatnonzero(late)[:1]]
        self.refuse(
            late,
            f"a span ends after its document{''.join(which)}",
            "length= and end= count in different units?",
            columns.end,
        )
        parts = (self.document, self.coder, self.start, self.end, self.label)
        again = pd.DataFrame(dict(enumerate(parts))).duplicated().to_numpy()
        names = [*columns.item, columns.coder, columns.start, columns.end]
        remedy = f"drop it with df.drop_duplicates({names + [columns.label] * (columns.label is not None)!r})"
        self.refuse(again & ~self.empty, "the same span of the same coder again", remedy, code="same span")

    def last_ends(self) -> Array:
        """The last end of any coder in each document: (D,)."""
        ends = np.zeros(len(self.documents))
        np.maximum.at(ends, self.document[~self.empty], self.end[~self.empty])
        return ends

    def spans(self, seen: Array, lengths: Array) -> SpanSet:
        """The spans, sorted by document, in one group."""
        marked = np.flatnonzero(~self.empty)
        row = marked[np.argsort(self.document[marked], kind="stable")]
        columns = (self.document, self.coder, self.start, self.end, self.label)
        document, coder, start, end, label = (column[row].astype(np.int64) for column in columns)
        C, D = max(len(self.coders), 1), len(lengths)
        length, group, unit = lengths.astype(np.int64), np.zeros(D, np.int64), np.arange(D)
        sizes, of_spans = (len(self.coders), len(self.labels)), (document, coder, start, end, label, row)
        return SpanSet(*sizes, *of_spans, seen // C, seen % C, length, group, 1, unit)


def _positions(frame: pd.DataFrame, role: str, name: Hashable) -> Array:
    """A column of positions as floats; NaN where it is empty."""
    (column,) = columns_of(frame, [name])
    named = f"df[{shown(name)}]"
    is_number = pd.api.types.is_numeric_dtype(column.infer_objects())
    remedy = f"for seconds write ({named} * 1000).round()" if is_number else f"for text write pd.to_numeric({named})"
    return _whole(column, role, frame.index, "row", remedy)


def _whole(column: pd.Series, option: str, names: pd.Index, of: str, remedy: str) -> Array:
    """Whole numbers as floats, NaN where there are none; raises for anything else."""
    values = _as_floats(column)
    wrong = np.isinf(values) | (np.abs(values) >= MOST) | (values != np.floor(values)) & ~np.isnan(values)
    wrong |= np.isnan(values) & column.notna().to_numpy()
    if wrong.any():
        words = wrong & pd.to_numeric(column.astype(str), errors="coerce").isna().to_numpy()  # among numbers as text
        place = int((words if words.any() else wrong).argmax())
        holds = f"{of} {_first(names[place:])} holds {shown(column.iloc[place])}"
        problem = f"{option}= must hold whole numbers ({UNITS}), and {holds}"
        raise InputError(problem, remedy, option=option, code="not whole", holds=holds)
    return values


def _as_floats(column: pd.Series) -> Array:
    """The numbers of a column; NaN for whatever is none."""
    column = column.infer_objects()
    if column.dtype.kind in "iuf":
        return column.to_numpy(dtype=float, na_value=np.nan)
    cells = column.to_numpy(dtype=object)
    numeric = [isinstance(cell, numbers.Real) and not isinstance(cell, (bool, np.bool_)) for cell in cells]
    return np.array([float(cell) if number else np.nan for cell, number in zip(cells, numeric, strict=True)], float)


# ------------------------------------------------------------------------------------------------------------ lengths


def _lengths(frame: pd.DataFrame, rows: _Rows, length: Any, unmarked: str) -> tuple[pd.Index, Array | None]:
    """The documents, also those that only the lengths know, and their lengths; None if there are none."""
    documents = rows.documents
    if length is None:
        return documents, None
    if isinstance(length, numbers.Real):
        length = pd.Series(length, documents, dtype=object)
    if not isinstance(length, (Mapping, pd.Series)):
        (column,) = columns_of(frame, [length])
        return documents, _per_document(column, rows.document, documents)
    given = pd.Series(length, dtype=object)
    if unmarked != "absent":  # or documents without rows do not exist
        more = given.index[documents.get_indexer(given.index) < 0].unique().set_names(documents.names)
        documents = documents.append(more).set_names(documents.names) if len(more) else documents
    place = documents.get_indexer(given.index)
    return documents, _per_document(given[place >= 0], place[place >= 0], documents)


def _per_document(column: pd.Series, document: Array, documents: pd.Index) -> Array:
    """The one length of each document: (D,)."""
    names = documents[document]
    values = _whole(column, "length", names, "document", "count the positions of the document")
    known = ~np.isnan(values)
    out = np.full(len(documents), np.nan)
    out[document[known]] = values[known]
    two, missing = names[known & (out[document] != values)], documents[~(out >= 0)]
    if len(two):
        problem = f"document {_first(two)} has two lengths"
        raise InputError(problem, "give every document one length", option="length", code="two lengths")
    if len(missing):
        n = counted(len(missing), "document has no length", "documents have no length")
        problem = f"{n}, such as {_first(missing)}"
        raise InputError(problem, "give every document one length", option="length", code="no length")
    return out


def _first(names: pd.Index) -> str:
    """The first name as messages show it."""
    return shown(names[[0]].tolist()[0])


# --------------------------------------------------------------------------------------------------------------- seen


def _seen(keys: Array, unmarked: str, documents: pd.Index, coders: pd.Index) -> Array:
    """The pairs of document and coder who saw it, as sorted numbers."""
    seen, every = np.unique(keys), len(documents) * len(coders)
    n_missing = every - len(seen)
    if unmarked == "absent" or not n_missing:
        return seen
    if unmarked == "seen":
        check_memory("pairs of document and coder", 100.0 * every, "write unmarked='absent'")
        return np.arange(every)
    gap = np.flatnonzero(seen != np.arange(len(seen)))
    document, coder = divmod(int(gap[0]) if len(gap) else len(seen), len(coders))
    problem = f"{n_missing} of {every} pairs of document and coder have no row, "
    problem += f"such as {_first(documents[document:])} and {_first(coders[coder:])}"
    remedy = "write unmarked='seen' if these coders saw the document and marked nothing, unmarked='absent' if they "
    remedy += "did not see it"
    raise InputError(problem, remedy, option="unmarked", code="no row", n=n_missing)
