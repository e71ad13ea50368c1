"""How many coders chose each category for each item, and sums of these counts. Only numpy here.

`DenseCounts` is for few categories, `SparseCounts` for many. Both have the same methods, and neither makes an array of
items times categories squared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from pandas_agreement.core.arrays import Array, places, ranges
from pandas_agreement.core.classes import dataclass

MAX_CELLS = 32  # cells of a table per label that it is made from
ROWS_PER_BLOCK = 1 << 16  # rows or items whose temporaries stay in the processor's cache
TIED = 1e-12  # difference of two votes that can be a rounding error


def blocks(n: int, size: int = ROWS_PER_BLOCK) -> Iterator[slice]:
    """Slices of 0..n whose temporaries stay in the processor's cache."""
    return (slice(start, min(start + size, n)) for start in range(0, n, size))


def renumber(codes: Array, size: int) -> tuple[Array, Array]:
    """Codes renumbered among those that occur, and the codes that occur; -1 stays."""
    if size > max(MAX_CELLS * len(codes), ROWS_PER_BLOCK):
        found, place = np.unique(codes, return_inverse=True)
        lost = np.count_nonzero(found < 0)
        return place - lost, found[lost:]
    used = np.zeros(size + 1, bool)  # the last is for code -1
    used[-1] = True
    for rows in blocks(len(codes)):
        used[codes[rows]] = True
        if used.all():  # usually after a few blocks
            return codes, np.arange(size)
    return np.append(np.cumsum(used[:-1]) - 1, -1)[codes], np.flatnonzero(used[:-1])


def group_sum(values: Array, group: Array | None, n_groups: int) -> Array:
    """Sum over the items of each group: (I,) -> (G,)."""
    if group is None:
        return np.array([values.sum()], float)
    return np.bincount(group, values, minlength=n_groups)


def sum_rows(values: Array, group: Array, n_groups: int) -> Array:
    """Sums of the rows of each group: (P, K) -> (G, K)."""
    if len(values) < values.shape[1]:
        out = np.zeros((n_groups, values.shape[1]))
        for row, owner in zip(values, group, strict=True):
            out[owner] += row
        return out
    sums = [np.bincount(group, column, minlength=n_groups) for column in values.T]
    return np.array(sums, float).reshape(values.shape[1], n_groups).T


def spread(table: Array, group: Array | None) -> Array:
    """The value of each item's group: (G, ...) -> (I, ...), or a broadcastable (1, ...) when there is one group."""
    return table[:1] if group is None else table[group]


@dataclass(frozen=True, eq=False)
class DenseCounts:
    """`counts` (K, I): one row of small integers per category."""

    counts: Array

    @cached_property
    def sizes(self) -> Array:
        """Labels of each item: (I,)."""
        out = np.empty(self.counts.shape[1], np.int64)
        most = count_type(len(self.counts) * int(np.iinfo(self.counts.dtype).max))
        for rows in blocks(len(out)):
            out[rows] = self.counts[:, rows].sum(0, dtype=most)
        return out

    def _blocks(self) -> Iterator[tuple[slice, Array]]:
        """Blocks of items as floats; they are summed by einsum, as BLAS would start its threads for every block."""
        step = max(ROWS_PER_BLOCK // max(len(self.counts), 4), 256)
        return ((rows, self.counts[:, rows].astype(float)) for rows in blocks(self.counts.shape[1], step))

    def squares(self) -> Array:
        """Sum of the squared counts of each item: (I,)."""
        largest = int(self.sizes.max(initial=0)) ** 2
        dtype = np.min_scalar_type(largest) if largest < 1 << 53 else np.float64
        return np.einsum("ki,ki->i", self.counts, self.counts, dtype=dtype, casting="unsafe")

    def dot(self, table: Array, group: Array | None) -> Array:
        """Sum over the labels of each item of a value given by group and category: (G, K) -> (I,)."""
        out = np.empty(self.counts.shape[1])
        for items, counts in self._blocks():
            values = table[:1] if group is None else table[group[items]]
            out[items] = np.einsum("ik,ki->i", np.broadcast_to(values, counts.T.shape), counts)
        return out

    def total(self, weight: Array, group: Array | None, n_groups: int) -> Array:
        """Weighted category totals of each group: (G, K)."""
        if group is None:
            parts = [np.einsum("ki,i->k", counts, weight[items]) for items, counts in self._blocks()]
            return np.sum(parts, axis=0).reshape(1, -1) if parts else np.zeros((1, len(self.counts)))
        totals = [np.bincount(group, row * weight, minlength=n_groups) for row in self.counts]
        return np.array(totals).reshape(len(totals), n_groups).T

    def quadratic(self, matrix: Array) -> Array:
        """n' M n for the counts n of each item: (I,)."""
        out = np.empty(self.counts.shape[1])
        for rows, counts in self._blocks():
            out[rows] = np.einsum("ki,ki->i", counts, matrix @ counts)
        return out

    def sparse(self) -> SparseCounts:
        """The same counts without the zeros."""
        item, code = np.nonzero(self.counts.T)
        number = self.counts[code, item].astype(np.int64)
        return SparseCounts(item, code, number, self.counts.shape[1], len(self.counts))

    def profiles(self, items: slice | Array) -> Array:
        """The counts of some items: (len(items), K)."""
        return self.counts[:, items].T.astype(float)

    def leaders(self) -> tuple[Array, Array, Array]:
        """Modal category of each item (the first of several), its count, and how many categories have that count."""
        top = self.counts.max(0, initial=0)
        first = self.counts.argmax(0) if len(self.counts) else np.zeros(self.counts.shape[1], np.int64)
        return first, top, (self.counts == top).sum(0)

    def entropy(self) -> Array:
        """Entropy of the labels of each item, in nats."""
        sizes = np.maximum(self.sizes, 1)
        out = np.zeros(len(sizes))
        for row in self.counts:
            share = row / sizes
            out -= share * np.log(np.where(row > 0, share, 1.0))
        return out

    def n_distinct(self) -> Array:
        """Different labels of each item: (I,)."""
        return np.count_nonzero(self.counts, axis=0)

    def select(self, items: Array) -> DenseCounts:
        return DenseCounts(np.compress(items, self.counts, axis=1))


@dataclass(frozen=True, eq=False)
class SparseCounts:
    """`number` coders gave `item` the category `code`; items, then categories ascending.

    The methods are those of `DenseCounts`.
    """

    item: Array
    code: Array
    number: Array
    n_items: int
    n_categories: int

    @classmethod
    def of(cls, item: Array, code: Array, n_items: int, n_categories: int) -> SparseCounts:
        keys, number = np.unique(item.astype(np.int64) * n_categories + code, return_counts=True)
        return cls(keys // n_categories, keys % n_categories, number, n_items, n_categories)

    def sparse(self) -> SparseCounts:
        return self

    @cached_property
    def sizes(self) -> Array:
        return self.over_items(self.number).astype(np.int64)

    def over_items(self, values: Array) -> Array:
        """Sums of a value of each entry: (M,) -> (I,)."""
        return np.bincount(self.item, values, minlength=self.n_items)

    def number_of(self, item: Array, code: Array) -> Array:
        """How many coders gave these items these categories: (N,) -> (N,)."""
        own, asked = (i.astype(np.int64) * self.n_categories + k for i, k in ((self.item, self.code), (item, code)))
        place = np.minimum(np.searchsorted(own, asked), len(own) - 1)
        return np.where(own[place] == asked, self.number[place], 0) if len(own) else np.zeros(len(asked), np.int64)

    @cached_property
    def _starts(self) -> Array:
        """The first entry of each item, and the end: (I + 1,)."""
        return np.searchsorted(self.item, np.arange(self.n_items + 1))

    def votes_of_others(self, item: Array, code: Array, weight: Array | None = None) -> tuple[Array, Array, Array]:
        """The votes of the other labels of items, for labels (N,): which label, a category that leads, its share.

        Tied categories share the vote equally; a label without others has no vote. `weight` is what each label adds to
        its category, 1 unless given.
        """
        number = np.diff(self._starts)[item]
        label = np.repeat(np.arange(len(item)), number)
        entry = ranges(self._starts[item], number)
        own = self.code[entry] == code[label]
        others = self.number[entry] - (own if weight is None else own * weight[label])
        if not len(label):
            return label, label, np.zeros(0)
        most = np.maximum.reduceat(others, np.cumsum(number) - number)  # of each label: its item has an entry or more
        leads = np.flatnonzero(others >= np.repeat(np.maximum(most - TIED * np.maximum(most, 1), TIED), number))
        label = label[leads]
        return label, self.code[entry[leads]], 1 / np.bincount(label, minlength=len(item))[label]

    def squares(self) -> Array:
        return self.over_items(self.number.astype(float) ** 2)

    def dot(self, table: Array, group: Array | None) -> Array:
        values = table[0][self.code] if group is None else table[group[self.item], self.code]
        values *= self.number
        return self.over_items(values)

    def total(self, weight: Array, group: Array | None, n_groups: int) -> Array:
        key = self.code if group is None else group[self.item] * self.n_categories + self.code
        values = weight[self.item]
        values *= self.number
        totals = np.bincount(key, values, minlength=n_groups * self.n_categories)
        return totals.reshape(n_groups, self.n_categories)

    def quadratic(self, matrix: Array) -> Array:
        return self.over_pairs(lambda one, two: matrix[one, two])

    def over_pairs(self, distance: Callable[[Array, Array], Array]) -> Array:
        """Sum of a symmetric distance over all ordered pairs of labels of each item: (I,)."""
        out = np.zeros(self.n_items)
        for start, stop in pairwise(self._blocks()):
            first, second = pairs_within(self.item[start:stop])
            first, second = first + start, second + start
            value = distance(self.code[first], self.code[second]) * self.number[first] * self.number[second]
            out += np.bincount(self.item[first], 2 * value, minlength=self.n_items)
        return out

    def from_each(self, distance: Callable[[Array, Array, Array], Array]) -> Array:
        """Sum of a symmetric distance of each entry's category from all labels of its item: (M,).

        `distance` takes two categories and their item.
        """
        out = np.zeros(len(self.item))
        for start, stop in pairwise(self._blocks()):
            first, second = pairs_within(self.item[start:stop])
            first, second = first + start, second + start
            value = distance(self.code[first], self.code[second], self.item[first])
            for one, other in ((first, second), (second, first)):
                out += np.bincount(one, value * self.number[other], minlength=len(out))
        return out

    def _blocks(self) -> Array:
        """Borders of blocks of items; a block has a bounded number of pairs of categories."""
        categories = np.bincount(self.item, minlength=self.n_items)
        pairs = np.cumsum(categories * (categories - 1) // 2)
        steps = np.arange(0, int(pairs[-1]) + 1 if len(pairs) else 1, 1 << 20)
        borders = np.unique(np.append(np.searchsorted(pairs, steps), self.n_items))
        return np.searchsorted(self.item, np.unique(np.append(0, borders)))

    def profiles(self, items: slice | Array) -> Array:
        chosen = np.arange(self.n_items)[items]
        position = places(chosen, self.n_items)
        entries = position[self.item] >= 0
        out = np.zeros((len(chosen), self.n_categories))
        out[position[self.item[entries]], self.code[entries]] = self.number[entries]
        return out

    def leaders(self) -> tuple[Array, Array, Array]:
        top = np.zeros(self.n_items, self.number.dtype)
        np.maximum.at(top, self.item, self.number)
        leading = np.flatnonzero(self.number >= top[self.item] * (1 - TIED))
        first = np.zeros(self.n_items, np.int64)
        first[self.item[leading][::-1]] = self.code[leading][::-1]  # the first of several is written last
        return first, top, np.bincount(self.item[leading], minlength=self.n_items)

    def entropy(self) -> Array:
        share = self.number / self.sizes[self.item]
        return self.over_items(-share * np.log(share))

    def n_distinct(self) -> Array:
        return np.bincount(self.item, minlength=self.n_items)

    def select(self, items: Array) -> SparseCounts:
        entries = items[self.item]
        item = (np.cumsum(items) - 1)[self.item[entries]]
        return SparseCounts(item, self.code[entries], self.number[entries], int(items.sum()), self.n_categories)


Counts = DenseCounts | SparseCounts


def pairs_within(item: Array) -> tuple[Array, Array]:
    """Positions of all pairs of entries of the same item; `item` is ascending."""
    position = np.arange(len(item))
    later = np.searchsorted(item, item, side="right") - position - 1  # entries of the same item that follow
    return np.repeat(position, later), ranges(position + 1, later)


def coder_pairs_within(item: Array, coder: Array) -> tuple[Array, Array]:
    """Positions of all pairs of labels of the same item, the coder with the lower number first; `item` is ascending."""
    one, two = pairs_within(item)
    swap = coder[one] > coder[two]
    return np.where(swap, two, one), np.where(swap, one, two)


def dense_is_small(n_categories: int, n_items: int, n_labels: int) -> bool:
    """Whether an array of categories times items takes little memory."""
    return n_categories * n_items <= max(MAX_CELLS * n_labels, 1 << 20)


def count_type(largest: int) -> Any:
    """The smallest integer type that holds counts up to this one."""
    return np.min_scalar_type(max(largest, 1))
