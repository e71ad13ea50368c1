"""Numeric ratings: who gave which item which number, and how to add it up. Only numpy here.

`Scores` hold (item, coder, number) triples in groups, items ascending, and never a table of items times coders.
`ScorePairs` holds the numbers that two coders gave the same items, for all pairs at once; a pair is then what a group
is elsewhere. Everything is centred within its group or pair before it is squared, so a large offset costs no digits.

Shapes: I items, C coders, G groups, N ratings, M cells (the coders of each group), P pairs, B numbers in pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pandas_agreement.core.category_counts import group_sum, pairs_within, spread
from pandas_agreement.core.ratings import LongRatings, Ratings, WideRatings
from pandas_agreement.core.sums import divide
from pandas_agreement.errors import InputError

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Scores(Ratings):
    """Numbers as triples; an item belongs to one group and has at most one score from a coder."""

    item: Array  # (N,) ascending
    coder: Array  # (N,)
    value: Array  # (N,) finite
    total_items: int
    numbered: bool = False  # items are numbers, of which some may belong to no item

    def __post_init__(self) -> None:
        finite = np.isfinite(self.value)
        if not finite.all():
            place = int(np.argmin(finite))
            raise InputError(
                f"ratings must be finite numbers, but coder {int(self.coder[place])} gave item "
                f"{int(self.item[place])} the value {self.value[place]}",
                "replace it by a number, or by NaN for a gap",
            )

    @classmethod
    def from_columns(cls, columns: Sequence[Array], group: Array | None = None, n_groups: int = 1) -> Scores:
        """From an array a coder, NaN for a gap.

        >>> Scores.from_columns([np.array([1.0, 2.0]), np.array([np.nan, 3.0])]).value
        array([1., 2., 3.])
        """
        table = np.stack([np.asarray(column, float) for column in columns], -1)  # (I, C)
        n_items, n_coders = table.shape
        rated = ~np.isnan(table)
        item, coder = np.nonzero(rated)
        return cls(n_coders, 0, n_groups, group, None, item, coder, table[rated], n_items)

    @classmethod
    def from_triples(
        cls, item: Array, coder: Array, value: Array, n_coders: int, group: Array | None = None, n_groups: int = 1
    ) -> Scores:
        """From a row a rating in any order, NaN for a gap; `group` has a number an item."""
        rated = ~np.isnan(value)
        item, coder, value = item[rated], coder[rated], np.asarray(value[rated], float)
        if np.any(item[1:] < item[:-1]):
            order = np.argsort(item, kind="stable")
            item, coder, value = item[order], coder[order], value[order]
        n_items = int(item.max(initial=-1)) + 1 if group is None else len(group)
        return cls(n_coders, 0, n_groups, group, None, item, coder, value, n_items, numbered=True)

    @property
    def n_items(self) -> int:
        return self.total_items

    # ---------------------------------------------------------------------------------------------------- adding up

    def per_group(self, values: Array) -> Array:
        """Over the scores of each group: (N,) -> (G,)."""
        return group_sum(values, None if self.group is None else self.owner, self.n_groups)

    def per_item(self, values: Array) -> Array:
        """Over the ratings of each item: (N,) -> (I,)."""
        return np.bincount(self.item, values, minlength=self.n_items)

    def per_cell(self, values: Array) -> Array:
        """Over the ratings of each coder in each group: (N,) -> (M,)."""
        return np.bincount(self.cell, values, minlength=len(self.cell_owner))

    def over_cells(self, values: Array) -> Array:
        """Over the coders of each group: (M,) -> (G,)."""
        return np.bincount(self.cell_owner, values, minlength=self.n_groups)

    @cached_property
    def owner(self) -> Array:
        """The group of each rating: (N,)."""
        return np.zeros(len(self.item), np.int64) if self.group is None else self.group[self.item]

    @cached_property
    def sizes(self) -> Array:
        """Scores of each item: (I,)."""
        return np.bincount(self.item, minlength=self.n_items)

    @cached_property
    def _cells(self) -> tuple[Array, Array]:
        """Which (group, coder) there are, ascending, and which of them each rating belongs to."""
        key = self.owner * np.int64(self.n_coders) + self.coder
        room = self.n_groups * self.n_coders
        if room > max(4 * len(key), 1 << 16):
            keys, where = np.unique(key, return_inverse=True)
            return keys, where
        there = np.bincount(key, minlength=room) > 0
        return np.flatnonzero(there), (np.cumsum(there) - 1)[key]

    @property
    def cell(self) -> Array:
        return self._cells[1]

    @cached_property
    def cell_owner(self) -> Array:
        """The group of each cell: (M,)."""
        return self._cells[0] // max(self.n_coders, 1)

    @cached_property
    def cell_coder(self) -> Array:
        """The coder of each cell: (M,)."""
        return self._cells[0] % max(self.n_coders, 1)

    @cached_property
    def cell_sizes(self) -> Array:
        return np.bincount(self.cell, minlength=len(self.cell_owner))

    @cached_property
    def _active(self) -> Array:
        return np.bincount(self.cell_owner, minlength=self.n_groups)

    @cached_property
    def centred(self) -> Array:
        """Ratings less the mean of their group: (N,), exactly 0 where all are equal."""
        return centre(self.value, self.owner, self.n_groups)[0]

    @cached_property
    def item_means(self) -> Array:
        """Of the centred ratings: (I,), 0 without a rating."""
        return np.nan_to_num(divide(self.per_item(self.centred), self.sizes))

    # ----------------------------------------------------------------------------------------------------- choosing

    @cached_property
    def whole(self) -> Array:
        """Items rated by every coder at work in their group: (I,) of bool."""
        return (self.sizes > 0) & (self.sizes == spread(self.active_coders(), self.group))

    @cached_property
    def complete(self) -> Array:
        """Groups without a gap: (G,) of bool; an item without any rating is no gap."""
        return self.sum(((self.sizes > 0) & ~self.whole).astype(float)) == 0

    def select(self, items: Array) -> Scores:
        """Only these items (a boolean array)."""
        if items.all():
            return self
        mine = items[self.item]
        place = np.cumsum(items) - 1
        group = None if self.group is None else self.group[items]
        kept: dict[str, Any] = {"item": place[self.item[mine]], "coder": self.coder[mine], "value": self.value[mine]}
        return replace(self, group=group, total_items=int(items.sum()), **kept)

    def select_groups(self, groups: Array) -> Scores:
        """Only these groups (a boolean array), numbered anew."""
        if groups.all():
            return self
        items = np.broadcast_to(spread(groups, self.group), self.n_items)
        chosen = self.select(items)
        number = np.cumsum(groups) - 1
        group = np.zeros(chosen.n_items, np.int64) if chosen.group is None else number[chosen.group]
        return replace(chosen, group=group, n_groups=int(groups.sum()))

    def take(self, chosen: Array, group: Array, n_groups: int) -> Scores:
        """These items, some of them several times, each in the group given for it."""
        starts = np.searchsorted(self.item, np.arange(self.n_items))
        times = self.sizes[chosen]
        item = np.repeat(np.arange(len(chosen)), times)
        offset = np.arange(len(item)) - np.repeat(np.cumsum(times) - times, times)
        place = np.repeat(starts[chosen], times) + offset
        taken: dict[str, Any] = {"item": item, "coder": self.coder[place], "value": self.value[place]}
        return replace(self, group=group, n_groups=n_groups, total_items=len(chosen), **taken)

    def pairs(self) -> ScorePairs:
        """What every two coders said about the items that both rated; two coders: a pair for each group."""
        one, two = pairs_within(self.item)
        swap = self.coder[one] > self.coder[two]
        one, two = np.where(swap, two, one), np.where(swap, one, two)
        numbers = self.value[one], self.value[two], self.item[one]
        if self.n_coders == 2:
            owner = np.arange(self.n_groups)
            return ScorePairs(self.owner[one], *numbers, owner, np.zeros_like(owner), np.ones_like(owner))
        n = np.int64(self.n_coders)
        keys, pair = np.unique((self.owner[one] * n + self.coder[one]) * n + self.coder[two], return_inverse=True)
        return ScorePairs(pair, *numbers, keys // (n * n), keys // n % n, keys % n)


@dataclass(frozen=True, eq=False)
class ScorePairs:
    """Two numbers for the same item, and the pair of coders who gave them."""

    pair: Array  # (B,)
    x: Array  # (B,) of the first coder
    y: Array  # (B,)
    item: Array  # (B,)
    owner: Array  # (P,) the group of each pair
    first: Array  # (P,) its coders
    second: Array

    @property
    def n_pairs(self) -> int:
        return len(self.owner)

    def sum(self, values: Array) -> Array:
        """Over the items of each pair: (B,) -> (P,)."""
        return np.bincount(self.pair, values, minlength=self.n_pairs)

    @cached_property
    def sizes(self) -> Array:
        return np.bincount(self.pair, minlength=self.n_pairs).astype(float)

    def mean_over_pairs(self, values: Array, n_groups: int) -> Array:
        """Plain mean over the pairs of each group that have a value: (P,) -> (G,)."""
        known = ~np.isnan(values)
        total = np.bincount(self.owner[known], values[known], minlength=n_groups)
        return divide(total, np.bincount(self.owner[known], minlength=n_groups))


def centre(value: Array, owner: Array, n: int) -> tuple[Array, Array]:
    """Numbers less the mean of their owner: (N,), and those means: (n,).

    One number of each owner is subtracted first: equal numbers become exactly 0, and nothing is lost to an offset.
    """
    if n == 1 and len(value):  # no need to look up whose number it is
        shifted = value - value[-1]
        mean = shifted.mean(keepdims=True)
        return shifted - mean, value[-1:] + mean
    start = np.zeros(n)
    start[owner] = value
    shifted = value - start[owner]
    mean = divide(np.bincount(owner, shifted, minlength=n), np.bincount(owner, minlength=n))
    return shifted - mean[owner], start + mean


def span(value: Array, owner: Array, n: int) -> Array:
    """From the smallest to the largest number of each owner: (n,), 0 without a number."""
    top, bottom = np.full(n, -np.inf), np.full(n, np.inf)
    np.maximum.at(top, owner, value)
    np.minimum.at(bottom, owner, value)
    return np.where(top >= bottom, top, 0.0) - np.where(top >= bottom, bottom, 0.0)


def average_ranks(owner: Array, value: Array) -> Array:
    """Rank of each number among those of its owner, from 1; equal numbers share the mean of their ranks.

    >>> average_ranks(np.array([0, 0, 0, 1]), np.array([5.0, 3.0, 5.0, 9.0]))
    array([2.5, 1. , 2.5, 1. ])
    """
    order = np.lexsort((value, owner))
    owners, values = owner[order], value[order]
    starts = np.flatnonzero(np.r_[True, (owners[1:] != owners[:-1]) | (values[1:] != values[:-1])][: len(order)])
    stops = np.r_[starts[1:], len(order)]
    before = np.searchsorted(owners, owners[starts])  # numbers of smaller owners
    ranks = np.empty(len(order))
    ranks[order] = np.repeat((starts + stops + 1) / 2 - before, stops - starts)
    return ranks


def to_scores(ratings: Ratings, numbers: Array) -> Scores:
    """The numbers behind the codes; an item that occurs several times is there as often."""
    if isinstance(ratings, WideRatings):
        padded = np.append(numbers, np.nan)  # code -1 is a gap
        columns, group = [padded[code] for code in ratings.codes], ratings.group
        if ratings.weight is not None:
            times = ratings.weight.astype(np.int64)
            columns = [np.repeat(column, times) for column in columns]
            group = None if group is None else np.repeat(group, times)
        return Scores.from_columns(columns, group, ratings.n_groups)
    if isinstance(ratings, LongRatings):
        group = np.zeros(ratings.n_items, np.int64) if ratings.group is None else ratings.group
        value = numbers[ratings.code]
        return Scores.from_triples(ratings.item, ratings.coder, value, ratings.n_coders, group, ratings.n_groups)
    raise TypeError("numbers need to know who said what")
