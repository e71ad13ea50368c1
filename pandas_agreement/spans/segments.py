"""Documents cut at every start and end: one row per segment and coder, for coefficients of positions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from pandas_agreement.core.arrays import Array, number_within, ranges
from pandas_agreement.core.ratings import Labels, LongRatings
from pandas_agreement.data import Reading
from pandas_agreement.data.labels import CategorySet
from pandas_agreement.errors import check_memory
from pandas_agreement.spans.span_set import FEWER, SpanSet

NONE = "(none)"
BYTES_PER_ROW = 60


@dataclass(frozen=True, eq=False)
class Segments:
    """Segments (N,), and a row for each of them and each coder who saw the document (R,)."""

    document: Array
    start: Array
    width: Array
    segment: Array  # (R,)
    coder: Array
    label: Array  # -1: nothing is marked


def cut_documents(spans: SpanSet) -> Segments:
    """The segments of the documents that count, in which no spans of one coder overlap."""
    inside = np.flatnonzero((spans.group >= 0) & (spans.length > 0))
    offset = spans.offset
    start, end = (offset[spans.document] + each for each in (spans.start, spans.end))
    cuts = np.unique(np.concatenate([start, end, offset[inside], offset[inside] + spans.length[inside]]))
    document = np.searchsorted(offset, cuts, side="right") - 1
    first = np.flatnonzero(cuts < offset[document] + spans.length[document])
    document, place = document[first], np.full(len(cuts), -1)
    place[first] = np.arange(len(first))
    n_coders = spans.n_seen[document]
    check_memory("segments of documents", float(n_coders.sum()) * BYTES_PER_ROW, FEWER)
    segment = np.repeat(np.arange(len(first)), n_coders)
    begins = np.cumsum(n_coders) - n_coders  # the first row of each segment
    first_seen = np.searchsorted(spans.seen_document, document)
    coder = spans.seen_coder[ranges(first_seen, n_coders)]
    label = np.full(len(segment), -1)
    covered = np.searchsorted(cuts, end) - np.searchsorted(cuts, start)
    here = place[ranges(np.searchsorted(cuts, start), covered)]
    seen = spans.seen_document * spans.n_coders + spans.seen_coder
    local = number_within(spans.seen_document)[np.searchsorted(seen, spans.document * spans.n_coders + spans.coder)]
    label[begins[here] + np.repeat(local, covered)] = np.repeat(spans.label, covered)
    return Segments(document, cuts[first] - offset[document], cuts[first + 1] - cuts[first], segment, coder, label)


def cut(spans: SpanSet, without: Array) -> Reading:
    """The segments as ratings of weighted items; groups in which spans of one coder overlap are left empty."""
    if without.any():
        spans = spans.of_documents((spans.group >= 0) & ~without[spans.group])
    found = cut_documents(spans)
    labels = Labels(found.segment, found.coder, found.label + 1)
    K = spans.n_labels + 1
    width, group = found.width.astype(float), spans.group[found.document]
    ratings = LongRatings(spans.n_coders, K, spans.n_groups, group, width, labels, len(width))
    categories = CategorySet(pd.RangeIndex(K), ordered=False, declared=True)
    groups = pd.RangeIndex(spans.n_groups)
    return Reading(ratings, categories, list(range(spans.n_coders)), groups, False, spans.unit[found.document])
