"""Results by document and by span: documents, spans that differ, and segments as rows of a frame."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.core.arrays import Array
from pandas_agreement.errors import ColumnError, InputError, shown
from pandas_agreement.results import frames, schemas
from pandas_agreement.spans import matching, unitizing
from pandas_agreement.spans.measuring import Measured
from pandas_agreement.spans.overlaps import find_overlaps
from pandas_agreement.spans.reading import SpanReading
from pandas_agreement.spans.segments import NONE, cut_documents
from pandas_agreement.spans.span_set import PairedSpans, SpanSet

KINDS = np.array(["both", "label", "boundary"], object)  # same place + 2 * same label
MISSING = "missing"


def by_item(data: Measured, spans: SpanSet) -> pd.DataFrame:
    """One row per document; `spans` are those of all documents, also of one coder."""
    overlap = np.zeros(spans.n_documents, bool)
    overlap[data.spans.document[data.own_overlaps.first]] = True
    alpha = unitizing.alpha(data.sums).value[:, 0]
    columns = {
        "n_coders": spans.n_seen,
        "n_spans": np.bincount(spans.document, minlength=spans.n_documents),
        "length": spans.length,
        "f1": matching.f1(matching.hits_of(data.spans, data.overlaps, 1)).value[:, 0],
        "u_alpha": np.where(overlap, np.nan, alpha),
    }
    return frames.result(data.read.documents, columns, schemas.SPAN_ITEMS)


def one_document(read: SpanReading, name: Hashable) -> pd.DataFrame:
    """The spans of a document, by coder and start; a row without a place for a coder who marked nothing."""
    if name not in read.documents:
        raise ColumnError.missing(name, read.documents.tolist(), "document")
    document, spans = read.documents.get_loc(name), read.spans
    chosen = np.flatnonzero(spans.document == document)
    seen = spans.seen_coder[spans.seen_document == document]
    lone = np.setdiff1d(seen, spans.coder[chosen])
    coder = np.concatenate([spans.coder[chosen], lone])
    take = np.concatenate([chosen, np.full(len(lone), -1)])
    columns = {
        "coder": pd.Index(list(read.coders), tupleize_cols=False).take(coder),
        "start": _taken(pd.Series(spans.start), take),
        "end": _taken(pd.Series(spans.end), take),
        "label": pd.Categorical.from_codes(np.append(spans.label, -1)[take], read.labels),
        "length": spans.length[document],
    }
    order = np.lexsort((np.append(spans.end, 0)[take], np.append(spans.start, 0)[take], coder))
    return pd.DataFrame(columns).iloc[order].reset_index(drop=True)


# -------------------------------------------------------------------------------------------------------- differences


def disagreements(read: SpanReading, spans: SpanSet, detail: bool) -> pd.DataFrame:
    """One row per pair of spans that differ, and per span that meets none of the other coder."""
    paired = spans.pairable().by_coder_pair()
    first, second, kind = _differences(paired)
    known = np.where(first >= 0, first, second)
    rows = np.append(paired.row, -1)  # with an extra -1 for a missing side
    document, (one, two) = paired.document[known], paired.coders[paired.document[known]].T
    levels = frames.pair_levels(read.coders, one, two)
    columns: dict[str, Any] = {name: pd.Index(values, tupleize_cols=False).array for name, values in levels.items()}
    columns["kind"] = kind
    for number, side in ((1, first), (2, second)):
        columns |= _side(read, paired, side, rows[side], number)
    index = pd.RangeIndex(len(known))
    made = frames.result(index, columns, schemas.SPAN_DIFFERENCES)
    if detail:
        made = made.assign(**_own_columns(read, rows[first], rows[second]))
    return _with_documents(made, read, paired.source[document])


def _differences(paired: PairedSpans) -> tuple[Array, Array, Array]:
    """The two spans of each row, -1 for none, and what differs."""
    found = find_overlaps(paired)[0]
    start, end, label = (part[found.first] == part[found.second] for part in (paired.start, paired.end, paired.label))
    twin = np.zeros(len(paired.row), bool)
    for side in found[:2]:
        twin[side[start & end & label]] = True
    rest = ~twin[found.first] & ~twin[found.second]
    met = twin.copy()
    for side in found[:2]:
        met[side[rest]] = True
    alone, none = np.flatnonzero(~met), np.full(np.count_nonzero(~met), -1)
    is_first = paired.coder[alone] == paired.coders[paired.document[alone], 0]
    first = np.concatenate([found.first[rest], np.where(is_first, alone, none)])
    second = np.concatenate([found.second[rest], np.where(is_first, none, alone)])
    kind = np.concatenate([KINDS[((start & end) + 2 * label)[rest]], np.full(len(alone), MISSING, object)])
    begin = np.append(paired.start, np.iinfo(np.int64).max)
    document = paired.document[np.where(first >= 0, first, second)]
    order = np.lexsort((begin[second], begin[first], np.minimum(begin[first], begin[second]), document))
    return first[order], second[order], kind[order]


def _side(read: SpanReading, paired: PairedSpans, span: Array, row: Array, number: int) -> dict[str, Any]:
    """The columns of one coder's spans."""
    parts = {
        "start": pd.Series(paired.start),
        "end": pd.Series(paired.end),
        "label": pd.Series(read.labels.take(paired.label)),
    }
    columns = {f"{name}_{number}": _taken(values, span) for name, values in parts.items()}
    return columns | {f"row_{number}": _taken(pd.Series(read.frame.index), row)}


def _taken(values: pd.Series, place: Array) -> Any:
    """Values by position, missing for -1; whole numbers stay whole."""
    if values.dtype.kind in "iu" and isinstance(values.dtype, np.dtype):
        values = values.astype("Int64")
    return values.array.take(place, allow_fill=True)


def _own_columns(read: SpanReading, first: Array, second: Array) -> dict[str, Any]:
    """The user's other columns, of both spans."""
    columns, frame = read.columns, read.frame
    used = {*columns.item, columns.coder, columns.start, columns.end, columns.label}
    others = [name for name in frame.columns if name not in used]
    return {
        f"{name}_{number}": _taken(frame[name], rows) for name in others for number, rows in ((1, first), (2, second))
    }


def _with_documents(result: pd.DataFrame, read: SpanReading, document: Array) -> pd.DataFrame:
    """The columns that name the documents, before the others."""
    names = read.documents.take(document)
    for place, name in enumerate(read.columns.item):
        if name in result.columns:
            problem = f"the documents are in a column called {shown(name)}, as one of the result is"
            raise InputError(problem, "rename it", column=name, code="name taken")
        result.insert(place, name, names.get_level_values(place).array)
    return result


# ------------------------------------------------------------------------------------------------------------ segments


def to_long(data: Measured) -> pd.DataFrame:
    """One row per segment and coder who saw the document."""
    read, found = data.read, cut_documents(data.spans)
    columns = read.columns
    label = "label" if columns.label is None else columns.label
    names: list[Hashable] = ["start", "width", columns.coder, label]
    labels = pd.Series(read.labels.astype(object)).reindex(found.label).fillna(NONE).array
    parts: Sequence[Any] = [
        found.start[found.segment],
        found.width[found.segment],
        pd.Index(list(read.coders), tupleize_cols=False).take(found.coder),
        labels,
    ]
    if len(set(names)) < len(names):
        problem = "the columns of coders and labels cannot be called 'start' or 'width' here, as those of segments are"
        raise InputError(problem, "rename them", code="name taken")
    made = pd.DataFrame(dict(zip(names, parts, strict=True)))
    return _with_documents(made, read, found.document[found.segment])
