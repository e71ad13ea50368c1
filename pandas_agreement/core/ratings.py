"""The labels of all coders as integer codes, in two layouts with the same methods.

- `WideRatings`: one array of codes per coder;
- `LongRatings`: one entry (item, coder, code) per label. Those of a table of counts are made only when they are needed.

Items have a `group` and a `weight`, the number of times they occur. Two coders are stored as the cells of their
contingency table: ten million rows become K x K weighted items.

Only numpy here. Shapes: I items, C coders, K categories, G groups, N labels; code -1 is a missing label.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np

from pandas_agreement.core.arrays import Array, number_within
from pandas_agreement.core.category_counts import (
    Counts,
    DenseCounts,
    SparseCounts,
    blocks,
    count_type,
    dense_is_small,
    group_sum,
    renumber,
)
from pandas_agreement.core.classes import dataclass

MAX_CATEGORIES_ONE_BY_ONE = 32  # categories that are counted by one comparison each
MIN_COUNTED = 1000  # items; of fewer those of one size are not counted first


R = TypeVar("R", bound="Ratings")


class Labels(NamedTuple):
    """Item, coder and category code of each label; int64, because cell numbers are computed from them."""

    item: Array
    coder: Array
    code: Array

    def of(self, items: Array) -> ChosenLabels:
        """The labels of some items (a boolean array); the items are renumbered."""
        return ChosenLabels(self, items)

    def recode(self, lookup: Array, n_categories: int) -> Labels:
        """The labels with category `lookup[k]` in place of k; `lookup` is (K,)."""
        return Labels(self.item, self.coder, lookup[self.code])


class ChosenLabels:
    """The labels of some items; each array is made on first use, as many coefficients need only the counts."""

    def __init__(self, source: Labels | ChosenLabels, items: Array) -> None:
        self._source, self._items = source, items

    @cached_property
    def _chosen(self) -> Array:
        return self._items[self._source.item]

    @cached_property
    def item(self) -> Array:
        return (np.cumsum(self._items) - 1)[self._source.item[self._chosen]]

    @cached_property
    def coder(self) -> Array:
        return self._source.coder[self._chosen]

    @cached_property
    def code(self) -> Array:
        return self._source.code[self._chosen]

    def of(self, items: Array) -> ChosenLabels:
        return ChosenLabels(self, items)

    def recode(self, lookup: Array, n_categories: int) -> Labels:
        return Labels(self.item, self.coder, lookup[self.code])


class CountedLabels:
    """The labels of a table of counts, whose coders are numbers within each item; each array is made on first use."""

    def __init__(self, counts: DenseCounts) -> None:
        self.counts = counts

    @cached_property
    def _labels(self) -> tuple[Array, Array]:
        item, code = np.nonzero(self.counts.counts.T)
        times = self.counts.counts[code, item]
        return np.repeat(item, times), np.repeat(code, times)

    @property
    def item(self) -> Array:
        return self._labels[0]

    @cached_property
    def coder(self) -> Array:
        return number_within(self.item)

    @property
    def code(self) -> Array:
        return self._labels[1]

    def of(self, items: Array) -> CountedLabels:
        return CountedLabels(self.counts.select(items))

    def recode(self, lookup: Array, n_categories: int) -> CountedLabels:
        counts = np.zeros((n_categories, len(self.counts.sizes)), count_type(int(self.counts.sizes.max(initial=0))))
        for category, row in zip(lookup, self.counts.counts, strict=True):
            counts[category] += row.astype(counts.dtype)
        return CountedLabels(DenseCounts(counts))


@dataclass(frozen=True, eq=False)
class Ratings:
    """Weighted items in groups; the labels are in the subclasses."""

    n_coders: int
    n_categories: int
    n_groups: int
    group: Array | None  # (I,) or None: all items in one group
    weight: Array | None  # (I,) or None: every item counts once

    identified = True  # the coder of each label is known
    numbered = False  # items come as numbers, some of which may belong to no item

    @property
    def counts(self) -> Counts:
        raise NotImplementedError

    @property
    def n_items(self) -> int:
        raise NotImplementedError

    @property
    def sizes(self) -> Array:
        """Number of labels of each item: (I,)."""
        return self.counts.sizes

    @cached_property
    def weights(self) -> Array:
        """How often each item occurs: (I,)."""
        return np.ones(self.n_items) if self.weight is None else self.weight

    @property
    def item_group(self) -> Array:
        """Group of each item: (I,)."""
        return np.zeros(self.n_items, np.int64) if self.group is None else self.group

    def size_counts(self) -> tuple[Array, Array, Array]:
        """Groups, numbers of labels, and how many items of the group have that number; a pair may occur again: (N,)."""
        side = int(self.sizes.max(initial=0)) + 1
        if self.n_groups * side > self.n_items or self.n_items <= MIN_COUNTED:
            return self.item_group, self.sizes, self.weights
        cell = self.sizes if self.group is None else self.group * side + self.sizes
        number = np.bincount(cell, self.weight)
        cells = np.flatnonzero(number)
        return cells // side, cells % side, number[cells].astype(float)

    def sum(self, values: Array) -> Array:
        """Weighted sum over the items of each group: (I,) -> (G,)."""
        return group_sum(values if self.weight is None else values * self.weight, self.group, self.n_groups)

    def number(self) -> Array:
        """Number of items in each group: (G,)."""
        if self.group is None or self.weight is not None:
            return self.sum(np.ones(self.n_items))
        return np.bincount(self.group, minlength=self.n_groups).astype(float)

    def label_totals(self) -> Array:
        """Number of labels of each category in each group: (G, K)."""
        return self.counts.total(self.weights, self.group, self.n_groups)

    def _kept(self, items: Array) -> dict[str, Any]:
        """Group and weight of some items."""
        parts = {"group": self.group, "weight": self.weight}
        return {name: None if values is None else values[items] for name, values in parts.items()}

    def select(self: R, items: Array) -> R:
        """Only these items (a boolean array)."""
        chosen = self.at(items)
        if "counts" in self.__dict__:  # already computed
            chosen.__dict__["counts"] = self.counts.select(items)
        return chosen

    def repeated(self: R) -> R:
        """Every item as often as its weight says, each with weight 1."""
        if self.weight is None:
            return self
        return replace(self.at(np.repeat(np.arange(self.n_items), np.rint(self.weight).astype(np.int64))), weight=None)

    def at(self: R, items: Array) -> R:
        """Some items: a boolean array, or numbers, some of them several times."""
        raise NotImplementedError

    def active_coders(self) -> Array:
        """Number of coders with a label in each group: (G,)."""
        return self._active

    @cached_property
    def _active(self) -> Array:
        raise NotImplementedError

    @cached_property
    def disagreement(self) -> Array:
        """Share of the pairs of labels of each item that differ: (I,), 0 for a single label."""
        sizes = self.sizes.astype(float)
        return (sizes * sizes - self.counts.squares()) / np.maximum(sizes * (sizes - 1), 1)

    def codes_of(self, coder: int) -> Array:
        """The label of one coder for every item: (I,), -1 where there is none."""
        raise NotImplementedError

    def as_long(self) -> LongRatings:
        """The same labels, one entry for each."""
        raise NotImplementedError

    def as_wide(self) -> WideRatings:
        """The same labels, one array per coder; for few coders or few missing labels."""
        raise NotImplementedError

    def without(self, coder: int) -> Ratings:
        """The ratings of all other coders, who are numbered again."""
        raise NotImplementedError

    def recode(self, lookup: Array, n_categories: int) -> Ratings:
        """The ratings with category `lookup[k]` in place of k, -1 for none; `lookup` is (K,)."""
        raise NotImplementedError

    def coder_totals(self) -> Array:
        """Number of labels of each coder in each category and group: (G, C, K)."""
        raise NotImplementedError

    def gather(self, table: Array) -> Array:
        """Sum over the labels of each item of a value given by group, coder and category: (G, C, K) -> (I,)."""
        raise NotImplementedError

    def directed(self, matrix: Array) -> Array:
        """Entry of a matrix at the labels of the first and the second coder: (I,), 0 where one is missing."""
        first, second = self.as_wide().codes
        return np.where((first >= 0) & (second >= 0), matrix[first, second], 0.0)


@dataclass(frozen=True, eq=False)
class WideRatings(Ratings):
    """One array of codes per coder, all of one length."""

    codes: tuple[Array, ...] = ()

    @property
    def n_items(self) -> int:
        return len(self.codes[0])

    @cached_property
    def counts(self) -> Counts:
        n_labels = int(sum(np.count_nonzero(code >= 0) for code in self.codes))
        if not dense_is_small(self.n_categories, self.n_items, n_labels):
            return self._sparse()
        counts = np.zeros((self.n_categories, self.n_items), count_type(self.n_coders))
        for category, row in enumerate(counts):
            for code in self.codes:
                row += code == category
        return DenseCounts(counts)

    @cached_property
    def sizes(self) -> Array:
        if self.n_coders != 2:
            return super().sizes
        first, second = self.codes  # coefficients of two coders hardly need the counts
        return (first >= 0).astype(np.int64) + (second >= 0)

    @cached_property
    def disagreement(self) -> Array:
        if self.n_coders != 2:
            return super().disagreement
        first, second = self.codes
        return ((first != second) & (self.sizes == 2)).astype(float)

    def _sparse(self) -> SparseCounts:
        rated = [np.flatnonzero(code >= 0) for code in self.codes]
        codes = [code[items].astype(np.int64) for code, items in zip(self.codes, rated, strict=True)]
        return SparseCounts.of(np.concatenate(rated), np.concatenate(codes), self.n_items, self.n_categories)

    def at(self, items: Array) -> WideRatings:
        return replace(self, codes=tuple(code[items] for code in self.codes), **self._kept(items))

    def _cells(self, code: Array) -> Array:
        """The cell of each label in a (G, K + 1) table; column 0 is for missing labels."""
        cell = code.astype(np.int64) + 1
        if self.group is not None:
            cell += self.group * (self.n_categories + 1)
        return cell

    def coder_totals(self) -> Array:
        size = self.n_groups * (self.n_categories + 1)
        plain = self.weight is None and self.group is None
        if size <= MAX_CATEGORIES_ONE_BY_ONE and plain:  # comparing bytes is quicker than counting
            each = [[np.count_nonzero(code == k) for k in range(self.n_categories)] for code in self.codes]
            return np.array(each, float).reshape(1, self.n_coders, self.n_categories)
        totals = [np.bincount(self._cells(code), self.weight, minlength=size) for code in self.codes]
        table = np.array(totals, float).reshape(self.n_coders, self.n_groups, self.n_categories + 1)
        return table[:, :, 1:].transpose(1, 0, 2)

    def gather(self, table: Array) -> Array:
        out = np.zeros(self.n_items)
        padded = np.concatenate([np.zeros((*table.shape[:2], 1)), table], axis=2)  # (G, C, K + 1), missing labels first
        tables = padded.transpose(1, 0, 2).reshape(self.n_coders, -1)  # each coder's (G * (K + 1),)
        start = self.item_group * (self.n_categories + 1) + 1
        for rows in blocks(self.n_items):
            for table, code in zip(tables, self.codes, strict=True):
                out[rows] += table[start[rows] + code[rows]]
        return out

    @cached_property
    def _active(self) -> Array:
        if self.group is None:
            return np.array([sum(bool((code >= 0).any()) for code in self.codes)])
        active = np.zeros((self.n_coders, self.n_groups), bool)
        for code, groups in zip(self.codes, active, strict=True):
            for rows in blocks(self.n_items):
                rated = code[rows] >= 0
                groups[self.group[rows] if rated.all() else self.group[rows][rated]] = True
                if groups.all():  # usually after a few blocks
                    break
        return active.sum(0)

    def codes_of(self, coder: int) -> Array:
        return self.codes[coder].astype(np.int64)

    def as_wide(self) -> WideRatings:
        return self

    def as_long(self) -> LongRatings:
        codes = np.stack(self.codes, 1)  # (I, C)
        item, coder = np.nonzero(codes >= 0)
        labels = Labels(item, coder, codes[item, coder].astype(np.int64))
        sizes = self.n_coders, self.n_categories, self.n_groups
        return LongRatings(*sizes, self.group, self.weight, labels, self.n_items)

    def without(self, coder: int) -> WideRatings:
        codes = tuple(code for number, code in enumerate(self.codes) if number != coder)
        return replace(self, n_coders=self.n_coders - 1, codes=codes)

    def recode(self, lookup: Array, n_categories: int) -> WideRatings:
        padded = np.append(lookup.astype(np.min_scalar_type(-max(n_categories, 1))), -1)  # -1 stays -1
        return replace(self, n_categories=n_categories, codes=tuple(padded[code] for code in self.codes))


@dataclass(frozen=True, eq=False)
class LongRatings(Ratings):
    """Labels as (item, coder, code), in any order, at most one per item and coder; an item may have none.

    The labels are not pivoted, as there may be thousands of coders.
    """

    labels: Labels | ChosenLabels | CountedLabels = None  # type: ignore[assignment]
    total_items: int = 0
    identified: bool = True  # else coders are numbers within each item
    numbered: bool = True

    @classmethod
    def of_counts(cls, counts: Array, n_groups: int, group: Array | None, weight: Array | None) -> LongRatings:
        """From the number of labels of each category and item: (K, I)."""
        table = DenseCounts(counts)
        sizes = int(table.sizes.max(initial=0)), len(counts), n_groups
        return cls(*sizes, group, weight, CountedLabels(table), len(table.sizes), identified=False, numbered=False)

    @property
    def item(self) -> Array:
        return self.labels.item

    @property
    def coder(self) -> Array:
        return self.labels.coder

    @property
    def code(self) -> Array:
        return self.labels.code

    @property
    def n_items(self) -> int:
        return self.total_items

    @cached_property
    def by_item(self) -> LongRatings:
        """The same ratings, sorted by item."""
        if (self.item[1:] >= self.item[:-1]).all():
            return self
        return self._with_labels(np.lexsort((self.coder, self.item)))

    def _with_labels(self, chosen: Array) -> LongRatings:
        """The ratings with some labels only, or with all in another order."""
        return replace(self, labels=Labels(self.item[chosen], self.coder[chosen], self.code[chosen]))

    @cached_property
    def counts(self) -> Counts:
        if isinstance(self.labels, CountedLabels):
            return self.labels.counts
        if not dense_is_small(self.n_categories, self.n_items, len(self.item)):
            return SparseCounts.of(self.item, self.code, self.n_items, self.n_categories)
        counts = np.zeros(self.n_categories * self.n_items, count_type(self.n_coders))
        for rows in blocks(len(self.item)):
            np.add.at(counts, self.code[rows] * self.n_items + self.item[rows], counts.dtype.type(1))
        return DenseCounts(counts.reshape(self.n_categories, self.n_items))

    def at(self, items: Array) -> LongRatings:
        if items.dtype == bool:
            n_items = int(np.count_nonzero(items))
            return replace(self, labels=self.labels.of(items), total_items=n_items, **self._kept(items))
        own = self.by_item
        start, stop = (np.searchsorted(own.item, items, side=side) for side in ("left", "right"))
        item = np.repeat(np.arange(len(items)), stop - start)
        label = np.repeat(start, stop - start) + number_within(item)
        labels = Labels(item, own.coder[label], own.code[label])
        return replace(self, labels=labels, total_items=len(items), **self._kept(items))

    @cached_property
    def _local(self) -> tuple[Array, int]:
        """Number of each label's coder within the group, and the largest number of coders in a group.

        A (G, C, K) table then has no empty rows for the coders of other groups.
        """
        if self.group is None:
            return self.coder, self.n_coders
        active, which = self._active_pairs
        group = active // self.n_coders
        number = np.arange(len(active)) - np.searchsorted(group, group)
        return number[which], int(number.max(initial=0)) + 1

    @cached_property
    def _active_pairs(self) -> tuple[Array, Array]:
        """Pairs (group, active coder) as sorted numbers, and the pair of each label."""
        group = 0 if self.group is None else self.group[self.item]
        which, active = renumber(group * np.int64(self.n_coders) + self.coder, self.n_groups * self.n_coders)
        return active, which

    @cached_property
    def _active(self) -> Array:
        if not self.identified:  # as many as the item with most labels has
            largest = np.zeros(self.n_groups, np.int64)
            np.maximum.at(largest, self.item_group, self.sizes)
            return largest
        if self.group is None:
            return np.array([np.count_nonzero(np.bincount(self.coder))])
        return np.bincount(self._active_pairs[0] // max(self.n_coders, 1), minlength=self.n_groups)

    def codes_of(self, coder: int) -> Array:
        out, own = np.full(self.n_items, -1), self.coder == coder
        out[self.item[own]] = self.code[own]
        return out

    def as_long(self) -> LongRatings:
        return self

    def without(self, coder: int) -> LongRatings:
        rest = self._with_labels(self.coder != coder)
        labels = Labels(rest.item, rest.coder - (rest.coder > coder), rest.code)
        return replace(rest, n_coders=self.n_coders - 1, labels=labels)

    def recode(self, lookup: Array, n_categories: int) -> LongRatings:
        kept = self if lookup.min(initial=0) >= 0 else self._with_labels(lookup[self.code] >= 0)
        labels = kept.labels.recode(lookup.astype(np.int64), n_categories)
        return replace(self, n_categories=n_categories, labels=labels)

    @property
    def local_coder(self) -> Array:
        """Number of each label's coder within its group: (N,)."""
        return self._local[0]

    @cached_property
    def _cell(self) -> Array:
        """The cell of each label in a (G, C, K) table."""
        coder, n_coders = self._local
        row = coder if self.group is None else self.group[self.item] * n_coders + coder
        return row * self.n_categories + self.code

    def coder_totals(self) -> Array:
        shape = self.n_groups, self._local[1], self.n_categories
        weight = None if self.weight is None else self.weight[self.item]
        totals = np.bincount(self._cell, weight, minlength=shape[0] * shape[1] * shape[2])
        return totals.reshape(shape).astype(float)

    def gather(self, table: Array) -> Array:
        return np.bincount(self.item, table.ravel()[self._cell], minlength=self.n_items)

    def as_wide(self) -> WideRatings:
        codes = np.full((self.n_coders, self.n_items), -1, np.min_scalar_type(-self.n_categories - 1))
        codes[self.coder, self.item] = self.code
        return WideRatings(self.n_coders, self.n_categories, self.n_groups, self.group, self.weight, tuple(codes))
