"""F1 of spans: the most hits that pair the spans of two coders one to one. Only numpy and scipy here."""

from __future__ import annotations

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.sums import divide
from pandas_agreement.spans.overlaps import Overlaps
from pandas_agreement.spans.span_set import SpanSet
from pandas_agreement.spans.unitizing import Values

ROUNDING = 1e-12  # of a quotient of whole numbers


def find_hits(spans: SpanSet, overlaps: Overlaps, iou: float) -> Array:
    """The spans of the first coders of the hits, with a span as often as it has hits: (H,)."""
    edges = overlaps.only(spans.label[overlaps.first] == spans.label[overlaps.second])
    edges = edges.only(edges.iou(spans) >= iou - ROUNDING)
    return edges.first if iou == 1 else _matched(spans, edges)


def _matched(spans: SpanSet, edges: Overlaps) -> Array:
    """A maximum matching for all documents and pairs of coders at once; a node is a span and the other coder."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    C = spans.n_coders
    left, row = np.unique(edges.first * C + spans.coder[edges.second], return_inverse=True)
    right, column = np.unique(edges.second * C + spans.coder[edges.first], return_inverse=True)
    nodes = row.astype(np.int32), column.astype(np.int32)  # scipy below 1.13 matches no other indices
    graph = csr_array((np.ones(len(row), np.int8), nodes), shape=(len(left), len(right)))
    return left[maximum_bipartite_matching(graph, perm_type="column") >= 0] // C


def hits_of(spans: SpanSet, overlaps: Overlaps, iou: float) -> Array:
    """Hits of each document and label, counted for both spans, and what they can be at most: (D, 2 K)."""
    hits = find_hits(spans, overlaps, iou)
    possible = spans.count(spans.by_label, (spans.n_seen[spans.document] - 1).astype(float))
    return np.concatenate([2 * spans.count(spans.by_label[hits]), possible], -1)


def f1(table: Array) -> Values:
    """Hits of all labels over all spans: (..., 2 K) -> (..., 1)."""
    hits, possible = (part.sum(-1, keepdims=True) for part in np.split(table, 2, -1))
    return _f1(hits, possible)


def f1_of_each_label(table: Array) -> Values:
    """The same by label: (..., 2 K) -> (..., K)."""
    hits, possible = np.split(table, 2, -1)
    return _f1(hits, possible)


def _f1(hits: Array, possible: Array) -> Values:
    value = divide(hits, possible)
    unknown = np.full(value.shape, np.nan)
    return Values(value, value, unknown, unknown)
