"""Spans as arrays, and the same spans with one document per pair of coders. Only numpy here."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from pandas_agreement.core.arrays import Array, number_within, places, ranges
from pandas_agreement.errors import check_memory

BYTES_PER_SPAN = 150  # of its numbers, of their order, and of what is made from them
FEWER = "take fewer coders or documents"


@dataclass(frozen=True, eq=False)
class SpanSet:
    """Spans (S,), the pairs of document and coder who saw it (P,), and the documents (D,)."""

    n_coders: int
    n_labels: int
    document: Array  # (S,) sorted
    coder: Array
    start: Array
    end: Array
    label: Array
    row: Array  # position in the user's frame
    seen_document: Array  # (P,) sorted by document, then by coder
    seen_coder: Array
    length: Array  # (D,)
    group: Array  # (D,) -1: none
    n_groups: int
    unit: Array  # (D,) cluster, or the document itself

    @property
    def n_documents(self) -> int:
        return len(self.length)

    @property
    def size(self) -> Array:
        """Positions of each span: (S,)."""
        return self.end - self.start

    @cached_property
    def n_seen(self) -> Array:
        """Coders who saw each document: (D,)."""
        return np.bincount(self.seen_document, minlength=self.n_documents)

    @cached_property
    def offset(self) -> Array:
        """Where each document begins on one line of all documents, which do not touch: (D,)."""
        return np.cumsum(self.length + 1) - (self.length + 1)

    def of_coders(self, coders: Array) -> SpanSet:
        """What these coders saw and marked; they are renumbered in this order."""
        number = places(coders, self.n_coders)
        own, seen = number[self.coder] >= 0, number[self.seen_coder] >= 0
        order = np.lexsort((number[self.seen_coder[seen]], self.seen_document[seen]))
        chosen = replace(
            self._with_spans(own),
            n_coders=len(coders),
            seen_document=self.seen_document[seen][order],
            seen_coder=number[self.seen_coder[seen]][order],
        )
        return replace(chosen, coder=number[chosen.coder])

    def pairable(self) -> SpanSet:
        """What counts: documents in a group that two or more coders saw."""
        return self.of_documents((self.n_seen > 1) & (self.group >= 0))

    def of_documents(self, kept: Array) -> SpanSet:
        """Some documents; the others keep their numbers and have no spans and no group."""
        if kept.all():
            return self
        seen = kept[self.seen_document]
        return replace(
            self._with_spans(kept[self.document]),
            seen_document=self.seen_document[seen],
            seen_coder=self.seen_coder[seen],
            group=np.where(kept, self.group, -1),
        )

    def _with_spans(self, chosen: Array) -> SpanSet:
        """Some of the spans, or all in another order."""
        names = ("document", "coder", "start", "end", "label", "row")
        return replace(self, **{name: getattr(self, name)[chosen] for name in names})

    def count(self, values: Array, weights: Array | None = None) -> Array:
        """Sums of spans or of their pairs by document and label, given as `by_label`: (N,) -> (D, K)."""
        size = self.n_documents * self.n_labels
        return np.bincount(values, weights, size).reshape(self.n_documents, self.n_labels).astype(float)

    @cached_property
    def by_label(self) -> Array:
        """The number of each span's document and label: (S,)."""
        return self.document * self.n_labels + self.label

    def by_coder_pair(self) -> PairedSpans:
        """Every document once for each two coders who saw it, with the spans of the two."""
        place = number_within(self.seen_document)
        later = self.n_seen[self.seen_document] - 1 - place
        one = np.repeat(np.arange(len(later)), later)
        two = ranges(np.arange(len(later)) + 1, later)
        key = self.document * self.n_coders + self.coder
        order = np.argsort(key, kind="stable")
        seen = self.seen_document * self.n_coders + self.seen_coder
        first, stop = (np.searchsorted(key[order], seen, side=side) for side in ("left", "right"))
        number = stop - first
        sides = np.stack([one, two], -1).ravel()  # the two coders of a document follow one another
        check_memory("spans of pairs of coders", float(number[sides].sum()) * BYTES_PER_SPAN, FEWER)
        spans = order[ranges(first[sides], number[sides])]
        owner = np.repeat(np.arange(len(sides)) // 2, number[sides])
        source = self.seen_document[one]
        paired = PairedSpans(**vars(self._with_spans(spans)) | {"source": source})
        return replace(
            paired,
            document=owner,
            seen_document=np.arange(len(sides)) // 2,
            seen_coder=self.seen_coder[sides],
            length=self.length[source],
            group=self.group[source],
            unit=self.unit[source],
        )


@dataclass(frozen=True, eq=False)
class PairedSpans(SpanSet):
    """Spans with one document per document and pair of coders."""

    source: Array = None  # type: ignore[assignment]  # (D,) the document that each is a copy of

    @property
    def coders(self) -> Array:
        """The two coders of each document: (D, 2)."""
        return self.seen_coder.reshape(-1, 2)

    def grouped_by_pair(self, first: Array, second: Array) -> SpanSet:
        """The pairs of coders as groups within the groups: the pair `first[p], second[p]` is part p."""
        number = np.full((self.n_coders, self.n_coders), -1)
        number[first, second] = np.arange(len(first))
        one, two = self.coders.T
        group = np.where(self.group < 0, -1, self.group * len(first) + number[one, two])
        return replace(self, group=group, n_groups=self.n_groups * len(first))
