"""Disagreement within items of labels that are given place by place, for many replicates at once."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, combinations, islice

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.hypothesis_tests.judgments import Judgments

#: measured nanoseconds for one item of a replicate: to compare two labels or count one, to look up the distance of two
#: labels, to multiply a count by a distance
PER_COMPARISON, PER_LOOKUP, PER_PRODUCT = 0.12, 3.0, 0.3
MAX_BYTE = 255  # labels that are counted at a time: bytes are added fastest


class Items:
    """Some of the items, ordered by group and number of labels; each label has a place in its item.

    `cells` (S, I) has the label at each place of each item, -1 where there is none.
    """

    def __init__(self, labels: Judgments, place: Array, chosen: Array) -> None:
        from scipy.sparse import csr_array

        groups, group = np.unique(labels.group, return_inverse=True)
        owner = np.zeros(len(labels.weight), np.int64)  # the group of each item
        owner[labels.item] = group
        order = np.flatnonzero(chosen)
        order = order[np.lexsort((labels.sizes[order], owner[order]))]
        number = np.empty(len(labels.weight), np.int64)
        number[order] = np.arange(len(order))
        own = np.flatnonzero(chosen[labels.item])
        self.cells = np.full((int(place[own].max(initial=0)) + 1, len(order)), -1)
        self.cells[place[own], number[labels.item[own]]] = own
        size, of = labels.sizes[order], owner[order]
        self.starts = np.flatnonzero((np.diff(size, prepend=-1) != 0) | (np.diff(of, prepend=-1) != 0))
        r, of = size[self.starts], of[self.starts]  # of each segment of items of one group and size
        n_items = np.bincount(owner[labels.sizes > 1], minlength=len(groups))
        share = np.where(r > 1, 2 / np.maximum(r * (r - 1) * n_items[of], 1), 0.0)  # of a pair of labels
        self.shares = csr_array((share, (of, np.arange(len(r)))), shape=(len(groups), len(r)))
        self.n, self.size = len(order), size

    @classmethod
    def by_size(cls, labels: Judgments) -> list[Items]:
        """Items with about the same number of labels together, so that few places are empty."""
        place = np.arange(len(labels.item)) - np.searchsorted(labels.item, labels.item)
        doublings = np.ceil(np.log2(np.maximum(labels.sizes, 1)))
        return [cls(labels, place, doublings == one) for one in np.unique(doublings)]

    def mean(self, values: Array) -> Array:
        """Sums over the pairs of each item, as means over the pairs and items of each group: (b, I) -> (g, b)."""
        exact = float if values.dtype.kind == "f" else np.int64
        return self.shares @ np.add.reduceat(values, self.starts, axis=1, dtype=exact).T.astype(float)


class Comparison:
    """Compares the labels of each item, pair by pair or, if that is cheaper, by the counts of the categories."""

    def __init__(self, distance: Array, n_places: int) -> None:
        K = len(distance)
        self.nominal, self.distance = is_nominal(distance), distance
        pairs, counts = costs_of_comparing(n_places, K, self.nominal)
        self.by_counts = bool(counts < pairs) and (self.nominal or bool((distance == distance.T).all()))
        self.width = (K + 2 if self.by_counts else n_places) * (1 if self.nominal else 8)  # bytes of an item's labels
        self._beyond = np.pad(distance, (0, 1)).astype(float)  # a gap is one more category, without a distance

    def mean(self, items: Items, labels: Iterable[Array]) -> Array:
        """The part of these items in the disagreement of each group, from labels (b, I) place by place: (g, b)."""
        if not self.nominal:
            apart = self._apart_by_counts(items, labels) / 2 if self.by_counts else self._apart(labels)
            return items.mean(apart)
        pairs = items.size * (items.size - 1) // 2  # (I,)
        if self.by_counts:
            return items.mean(pairs[None]) - items.mean(self._equal_by_counts(items, labels)) / 2
        gaps = len(items.cells) - items.size  # which equal each other
        return items.mean((pairs + gaps * (gaps - 1) // 2)[None]) - items.mean(_equal(list(labels)))

    def _counts(self, items: Items, labels: Iterable[Array]) -> Array:
        """How many labels of each item have each category: (K, b, I)."""
        labels, number = iter(labels), np.zeros((), np.min_scalar_type(len(items.cells)))
        for first in labels:
            part = np.zeros((len(self.distance), *first.shape), np.uint8)
            same = np.empty(first.shape, bool)
            for label in chain([first], islice(labels, MAX_BYTE - 1)):
                for category, total in enumerate(part[:-1]):
                    total += np.equal(label, category, out=same).view(np.uint8)
            number = number + part.astype(number.dtype)  # (K, b, I); numpy 1 would add them as bytes
        number[-1] = items.size - number[:-1].sum(0)
        return number

    def _equal_by_counts(self, items: Items, labels: Iterable[Array]) -> Array:
        """Twice the number of equal pairs, the sum of n (n - 1) over the categories."""
        number = self._counts(items, labels)
        wide = np.uint16 if number.dtype == np.uint8 else np.uint32  # holds the square of the number of labels
        equal = np.zeros(number.shape[1:], wide)
        for n in number:
            equal += np.multiply(n, n - (n > 0), dtype=wide)
        return equal

    def _apart_by_counts(self, items: Items, labels: Iterable[Array]) -> Array:
        """Twice the distances of all pairs, the quadratic form of the counts."""
        number = self._counts(items, labels).astype(float)
        return np.einsum("kbi,kbi->bi", number, np.tensordot(self.distance, number, 1))

    def _apart(self, labels: Iterable[Array]) -> Array:
        """The distances of all pairs."""
        own = [label.astype(np.intp) for label in labels]
        flat, width, apart = self._beyond.ravel(), len(self._beyond), np.zeros(own[0].shape)
        for one, two in combinations(own, 2):
            apart += flat.take(one * width + two)
        return apart


def _equal(labels: list[Array]) -> Array:
    """The number of equal pairs."""
    equal = np.zeros(labels[0].shape, np.min_scalar_type(len(labels) * (len(labels) - 1) // 2))
    for one, two in combinations(labels, 2):
        equal += one == two
    return equal


def is_nominal(distance: Array) -> bool:
    return bool((distance == 1 - np.eye(len(distance))).all())


def costs_of_comparing(n_places: Array | int, K: int, nominal: bool) -> tuple[Array | float, Array | float]:
    """Nanoseconds for one item of a replicate, by pairs and by counts."""
    pairs = n_places * (n_places - 1) / 2 * (PER_COMPARISON if nominal else PER_LOOKUP)
    return pairs, K * (PER_COMPARISON * n_places + PER_PRODUCT * (1 if nominal else 2 + K))
