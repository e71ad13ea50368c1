"""What the coders said, as codes, and how to add it up over items.

`Ratings` hold weighted items: `group` says which group an item belongs to, `weight` how often it occurs (two coders are
stored as the cells of their table, so ten million rows become K x K weighted items). Three layouts have the same
methods: `WideRatings` (one array of codes per coder), `LongRatings` (item, coder, code) and `CountRatings` (counts
without coders).

Only numpy here. Shapes: I items, C coders, K categories, G groups, N labels; code -1 is "not rated".
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pandas_agreement.core.category_counts import (
    Counts,
    DenseCounts,
    SparseCounts,
    blocks,
    count_type,
    dense_is_small,
    group_sum,
)
from pandas_agreement.core.judgments import ChosenLabels, Labels

Array = NDArray[Any]

MAX_CATEGORIES_ONE_BY_ONE = 32  # categories that are counted one by one
MAX_LOOKUP_SIZE = 1 << 12  # combinations of labels that are looked up at once


@dataclass(frozen=True, eq=False)
class Ratings:
    """Weighted items in groups; the subclasses know who said what."""

    n_coders: int
    n_categories: int
    n_groups: int
    group: Array | None  # (I,) or None: all items in one group
    weight: Array | None  # (I,) or None: every item counts once

    identified = True  # it is known which coder said what

    @property
    def counts(self) -> Counts:
        raise NotImplementedError

    @property
    def n_items(self) -> int:
        raise NotImplementedError

    @property
    def sizes(self) -> Array:
        """How many coders rated each item."""
        return self.counts.sizes

    @cached_property
    def weights(self) -> Array:
        return np.ones(self.n_items) if self.weight is None else self.weight

    def sum(self, values: Array) -> Array:
        """Weighted sum over the items of each group: (I,) -> (G,)."""
        return group_sum(values if self.weight is None else values * self.weight, self.group, self.n_groups)

    def number(self) -> Array:
        """How many items there are in each group: (G,)."""
        if self.group is None or self.weight is not None:
            return self.sum(np.ones(self.n_items))
        return np.bincount(self.group, minlength=self.n_groups).astype(float)

    def label_totals(self) -> Array:
        """How often each category was chosen in each group: (G, K)."""
        return self.counts.total(self.weights, self.group, self.n_groups)

    def _kept(self, items: Array) -> dict[str, Any]:
        return {
            "group": None if self.group is None else self.group[items],
            "weight": None if self.weight is None else self.weight[items],
        }

    def select(self, items: Array) -> Ratings:
        """Only these items (a boolean array)."""
        raise NotImplementedError

    def active_coders(self) -> Array:
        """How many coders labelled something in each group: (G,)."""
        return self._active

    @cached_property
    def _active(self) -> Array:
        raise NotImplementedError

    @cached_property
    def disagreement(self) -> Array:
        """Share of the pairs of an item's labels that differ: (I,), 0 for a single label."""
        sizes = self.sizes.astype(float)
        return (sizes * sizes - self.counts.squares()) / np.maximum(sizes * (sizes - 1), 1)

    def without(self, coder: int) -> Ratings:
        """The ratings of all other coders."""
        raise NotImplementedError

    def recode(self, lookup: Array, n_categories: int) -> Ratings:
        """Other categories in place of these: `lookup` (K,) says which."""
        raise NotImplementedError

    def coder_totals(self) -> Array:
        """How often each coder of each group used each category: (G, C, K)."""
        raise NotImplementedError

    def gather(self, table: Array) -> Array:
        """Sum over the labels of an item of a number that depends on group, coder and category: (G, C, K) -> (I,)."""
        raise NotImplementedError

    def directed(self, matrix: Array) -> Array:
        """The value of a matrix at (first coder's label, second coder's label): (I,), 0 where one is missing."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class WideRatings(Ratings):
    """A code array a coder, all of one length."""

    codes: tuple[Array, ...] = ()

    @property
    def n_items(self) -> int:
        return len(self.codes[0])

    @cached_property
    def counts(self) -> Counts:
        n_labels = int(sum(np.count_nonzero(code >= 0) for code in self.codes))
        if not dense_is_small(self.n_categories, self.n_items, n_labels):
            return self._sparse_rows() if 2 * n_labels > self.n_items * self.n_coders else self._sparse()
        counts = np.zeros((self.n_categories, self.n_items), count_type(self.n_coders))
        for category, row in enumerate(counts):
            for code in self.codes:
                row += code == category
        return DenseCounts(counts)

    def _sparse_rows(self) -> SparseCounts:
        """Sorted item by item, which is quick where few coders left gaps."""
        table = np.sort(np.stack(self.codes, 1), axis=1)  # (I, C), gaps first
        first = table >= 0
        first[:, 1:] &= table[:, 1:] != table[:, :-1]
        start = np.flatnonzero(first)
        item = start // self.n_coders
        stop = np.minimum(np.append(start[1:], table.size), (item + 1) * self.n_coders)
        number = (stop - start).astype(np.int32)
        return SparseCounts(
            item.astype(np.int32), table.ravel()[start].astype(np.int32), number, self.n_items, self.n_categories
        )

    def _sparse(self) -> SparseCounts:
        rated = [np.flatnonzero(code >= 0) for code in self.codes]
        codes = [code[items].astype(np.int64) for code, items in zip(self.codes, rated, strict=True)]
        return SparseCounts.of(np.concatenate(rated), np.concatenate(codes), self.n_items, self.n_categories)

    def select(self, items: Array) -> WideRatings:
        chosen = replace(self, codes=tuple(code[items] for code in self.codes), **self._kept(items))
        if "counts" in self.__dict__:  # counted already: keep the work
            chosen.__dict__["counts"] = self.counts.select(items)
        return chosen

    def _cells(self, code: Array) -> Array:
        """Which cell of a (G, K + 1) table a label falls in; column 0 is "not rated"."""
        cell = code.astype(np.int64) + 1
        if self.group is not None:
            cell += self.group * (self.n_categories + 1)
        return cell

    def coder_totals(self) -> Array:
        size = self.n_groups * (self.n_categories + 1)
        if (
            size <= MAX_CATEGORIES_ONE_BY_ONE and self.weight is None and self.group is None
        ):  # comparing bytes is quicker than counting
            each = [[np.count_nonzero(code == k) for k in range(self.n_categories)] for code in self.codes]
            return np.array(each, float).reshape(1, self.n_coders, self.n_categories)
        totals = [np.bincount(self._cells(code), self.weight, minlength=size) for code in self.codes]
        table = np.array(totals, float).reshape(self.n_coders, self.n_groups, self.n_categories + 1)
        return table[:, :, 1:].transpose(1, 0, 2)

    def gather(self, table: Array) -> Array:
        padded = np.concatenate([np.zeros((*table.shape[:2], 1)), table], axis=2)  # (G, C, K + 1), 0 is "not rated"
        out = np.zeros(self.n_items)
        if self.group is None:
            return self._gather_several(padded[0], out) if self.n_items else out
        for rows in blocks(self.n_items):
            for coder, code in enumerate(self.codes):
                out[rows] += padded[self.group[rows], coder, code[rows] + 1]
        return out

    def _gather_several(self, table: Array, out: Array) -> Array:
        """Some coders at a time: their labels are one number, whose value is looked up once. (C, K + 1), (I,)"""
        side, step = self.n_categories + 1, 1
        while step < self.n_coders and side ** (step + 1) <= MAX_LOOKUP_SIZE:
            step += 1
        for start in range(0, self.n_coders, step):
            codes, values = self.codes[start : start + step], np.zeros(1)
            for coder in table[start : start + step]:
                values = (values[:, None] + coder).ravel()
            for rows in blocks(self.n_items):
                number: Array = codes[0][rows].astype(np.int16 if side <= MAX_LOOKUP_SIZE else np.int64) + 1
                for code in codes[1:]:
                    number *= side
                    number += code[rows] + 1
                out[rows] += values[number]
        return out

    @cached_property
    def _active(self) -> Array:
        if self.group is None:
            return np.array([sum(bool((code >= 0).any()) for code in self.codes)])
        busy = np.zeros((self.n_coders, self.n_groups), bool)
        for code, mine in zip(self.codes, busy, strict=True):
            for rows in blocks(self.n_items):
                mine[self.group[rows][code[rows] >= 0]] = True
                if mine.all():  # often soon
                    break
        return busy.sum(0)

    def as_long(self) -> LongRatings:
        """The same ratings, a row a label."""
        codes = np.stack(self.codes, 1)  # (I, C)
        item, coder = np.nonzero(codes >= 0)
        return LongRatings(
            self.n_coders,
            self.n_categories,
            self.n_groups,
            self.group,
            self.weight,
            Labels(item, coder, codes[item, coder].astype(np.int64)),
            self.n_items,
        )

    def without(self, coder: int) -> WideRatings:
        codes = tuple(code for number, code in enumerate(self.codes) if number != coder)
        return replace(self, n_coders=self.n_coders - 1, codes=codes)

    def recode(self, lookup: Array, n_categories: int) -> WideRatings:
        padded = np.append(lookup.astype(np.min_scalar_type(-max(n_categories, 1))), -1)  # -1 stays -1
        return replace(self, n_categories=n_categories, codes=tuple(padded[code] for code in self.codes))

    def directed(self, matrix: Array) -> Array:
        first, second = self.codes
        return np.where((first >= 0) & (second >= 0), matrix[first, second], 0.0)


@dataclass(frozen=True, eq=False)
class LongRatings(Ratings):
    """Labels as (item, coder, code), in any order, at most one of a coder for an item; an item may have none.

    Never pivoted: coders may be thousands.
    """

    labels: Labels | ChosenLabels = None  # type: ignore[assignment]
    total_items: int = 0

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
        """The same, items and within them coders ascending."""
        item, coder, code = self.item, self.coder, self.code
        if (item[1:] >= item[:-1]).all():
            return self
        order = np.lexsort((coder, item))
        return replace(self, labels=Labels(item[order], coder[order], code[order]))

    @cached_property
    def counts(self) -> Counts:
        if not dense_is_small(self.n_categories, self.n_items, len(self.item)):
            return SparseCounts.of(self.item, self.code, self.n_items, self.n_categories)
        counts = np.zeros(self.n_categories * self.n_items, count_type(self.n_coders))
        for rows in blocks(len(self.item)):
            np.add.at(counts, self.code[rows] * self.n_items + self.item[rows], counts.dtype.type(1))
        return DenseCounts(counts.reshape(self.n_categories, self.n_items))

    def select(self, items: Array) -> LongRatings:
        labels = self.labels.of(items)
        chosen = replace(self, labels=labels, total_items=int(np.count_nonzero(items)), **self._kept(items))
        if "counts" in self.__dict__:  # counted already: keep the work
            chosen.__dict__["counts"] = self.counts.select(items)
        return chosen

    @cached_property
    def _local(self) -> tuple[Array, int]:
        """Coders numbered within their group, so that a (G, C, K) table has no room for coders never seen there."""
        if self.group is None:
            return self.coder, self.n_coders
        pairs, where = self._places
        owner = pairs // self.n_coders
        rank = np.arange(len(pairs)) - np.searchsorted(owner, owner)
        return rank[where], int(rank.max(initial=0)) + 1

    @cached_property
    def _places(self) -> tuple[Array, Array]:
        """Coders at work in a group, as one sorted number each, and which of them gave each label."""
        group = 0 if self.group is None else self.group[self.item]
        return np.unique(group * np.int64(self.n_coders) + self.coder, return_inverse=True)

    @cached_property
    def _active(self) -> Array:
        if self.group is None:
            return np.array([np.count_nonzero(np.bincount(self.coder))])
        return np.bincount(self._places[0] // max(self.n_coders, 1), minlength=self.n_groups)

    def as_long(self) -> LongRatings:
        return self

    def without(self, coder: int) -> LongRatings:
        others = self.coder != coder
        return replace(self, labels=Labels(self.item[others], self.coder[others], self.code[others]))

    def recode(self, lookup: Array, n_categories: int) -> LongRatings:
        code = lookup.astype(np.int64)[self.code]
        return replace(self, n_categories=n_categories, labels=Labels(self.item, self.coder, code))

    @property
    def local_coder(self) -> Array:
        return self._local[0]

    @cached_property
    def _cell(self) -> Array:
        coder, most = self._local
        row = coder if self.group is None else self.group[self.item] * most + coder
        return row * self.n_categories + self.code

    def coder_totals(self) -> Array:
        shape = self.n_groups, self._local[1], self.n_categories
        weight = None if self.weight is None else self.weight[self.item]
        totals = np.bincount(self._cell, weight, minlength=shape[0] * shape[1] * shape[2])
        return totals.reshape(shape).astype(float)

    def gather(self, table: Array) -> Array:
        return np.bincount(self.item, table.ravel()[self._cell], minlength=self.n_items)

    def as_wide(self) -> WideRatings:
        """The same ratings, a column a coder; for few coders or few gaps."""
        codes = np.full((self.n_coders, self.n_items), -1, np.min_scalar_type(-self.n_categories - 1))
        codes[self.coder, self.item] = self.code
        return WideRatings(self.n_coders, self.n_categories, self.n_groups, self.group, self.weight, tuple(codes))

    def directed(self, matrix: Array) -> Array:
        return self.as_wide().directed(matrix)


@dataclass(frozen=True, eq=False)
class CountRatings(Ratings):
    """Only the counts: a row an item, a column a category."""

    table: DenseCounts = None  # type: ignore[assignment]
    identified = False

    @property
    def n_items(self) -> int:
        return self.table.counts.shape[1]

    @property
    def counts(self) -> Counts:
        return self.table

    @cached_property
    def _active(self) -> Array:
        """Unknown; the most labels that an item of the group has."""
        most = np.zeros(self.n_groups, np.int64)
        group = np.zeros(self.n_items, np.int64) if self.group is None else self.group
        np.maximum.at(most, group, self.sizes)
        return most

    def select(self, items: Array) -> CountRatings:
        return replace(self, table=self.table.select(items), **self._kept(items))

    def recode(self, lookup: Array, n_categories: int) -> CountRatings:
        counts = np.zeros((n_categories, self.n_items), count_type(int(self.sizes.max(initial=0))))
        for category, row in zip(lookup.astype(np.int64), self.table.counts, strict=True):
            counts[category] += row.astype(counts.dtype)
        return replace(self, n_categories=n_categories, table=DenseCounts(counts))
