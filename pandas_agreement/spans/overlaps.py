"""Pairs of spans that share positions: the one table behind alpha and F1. Only numpy here."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pandas_agreement.core.arrays import Array, ranges
from pandas_agreement.errors import check_memory
from pandas_agreement.spans.span_set import FEWER, SpanSet

BYTES_PER_PAIR = 80  # of its two spans, of what they share, and of what is made from them


class Overlaps(NamedTuple):
    """Pairs of spans in one document: the numbers of both, and how many positions they share: (X,) each."""

    first: Array
    second: Array
    shared: Array

    def only(self, chosen: Array) -> Overlaps:
        return Overlaps(*(part[chosen] for part in self))

    def iou(self, spans: SpanSet) -> Array:
        """Shared positions over those of either."""
        size = spans.size
        return self.shared / (size[self.first] + size[self.second] - self.shared)


def find_overlaps(spans: SpanSet) -> tuple[Overlaps, Overlaps]:
    """The pairs of spans of two coders, the coder with the lower number first, and those of one coder."""
    start, end = (spans.offset[spans.document] + each for each in (spans.start, spans.end))
    order = np.argsort(start, kind="stable")
    start, end = start[order], end[order]
    place = np.arange(len(order))
    n_later = np.searchsorted(start, end) - place - 1  # those that start later, before this one ends
    check_memory("pairs of overlapping spans", float(n_later.sum()) * BYTES_PER_PAIR, FEWER)
    one, two = np.repeat(place, n_later), ranges(place + 1, n_later)
    shared = np.minimum(end[one], end[two]) - start[two]
    one, two = order[one], order[two]
    swapped = spans.coder[one] > spans.coder[two]
    found = Overlaps(np.where(swapped, two, one), np.where(swapped, one, two), shared)
    same = spans.coder[one] == spans.coder[two]
    return found.only(~same), found.only(same)
