"""Groups of coders: the labels of an item by group, and the statistics of pairs of coders from two groups.

`within_groups` splits every item into the labels of each group of coders, `across_groups` into those of each pair of
groups. Both give ratings in which a group of coders, or a pair of them, is a group like any other.
`AcrossStatistics` are item statistics whose pairs of labels have one label from each side. Only numpy here.

Shapes: I items, N labels, C coders, G groups of items, Q groups of coders.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, cached_property

import numpy as np

from pandas_agreement.core.arrays import Array, ranges
from pandas_agreement.core.category_counts import pairs_within, spread
from pandas_agreement.core.classes import dataclass
from pandas_agreement.core.distances import Distance
from pandas_agreement.core.item_statistics import ItemStatistics
from pandas_agreement.core.ratings import Labels, LongRatings
from pandas_agreement.core.sums import SufficientStatistics, divide


@dataclass(frozen=True, eq=False)
class Within:
    """The labels of each group of coders: items and groups of items are split."""

    ratings: LongRatings  # its group is g * Q + q
    item: Array  # the item of each part


@dataclass(frozen=True, eq=False)
class Across:
    """The labels of each pair of groups of coders, on items with labels of both."""

    ratings: LongRatings  # of both sides; its group is g * Q (Q - 1) / 2 + the number of the pair
    first: LongRatings  # labels of the first side; the same items and groups
    second: LongRatings
    item: Array  # the item of each part
    second_side: Array  # (N,) of bool: which labels of `ratings` are those of the second side


def within_groups(ratings: LongRatings, camp: Array, n_camps: int) -> Within:
    """The labels by group of coders; `camp` (1 or G, C) holds the group of each coder, -1 is none."""
    part, _ = _split(ratings, camp, n_camps)
    return part


def _split(ratings: LongRatings, camp: Array, n_camps: int) -> tuple[Within, Array]:
    """The parts of the items, and the group of coders of each part."""
    group = ratings.item_group
    of_label = camp[np.minimum(group[ratings.item], len(camp) - 1), ratings.coder]
    kept = of_label >= 0
    key = ratings.item[kept] * np.int64(n_camps) + of_label[kept]
    keys, part = np.unique(key, return_inverse=True)
    item, side = keys // n_camps, keys % n_camps
    labels = Labels(part, ratings.coder[kept], ratings.code[kept])
    split = replace(
        ratings,
        group=group[item] * n_camps + side,
        n_groups=ratings.n_groups * n_camps,
        weight=_of(ratings.weight, item),
        labels=labels,
        total_items=len(keys),
    )
    return Within(split, item), side


def _of(values: Array | None, places: Array) -> Array | None:
    return None if values is None else values[places]


def pair_numbers(n_camps: int) -> tuple[Array, Array]:
    """The two groups of each pair of groups of coders."""
    first, second = np.triu_indices(n_camps, 1)
    return first, second


def across_groups(ratings: LongRatings, camp: Array, n_camps: int) -> Across:
    """The labels by pair of groups of coders, on items with labels of both; `camp` as in `within_groups`."""
    parts, side = _split(ratings, camp, n_camps)
    one, two = pairs_within(parts.item)  # parts of the same item, that of the lower group first
    item = parts.item[one]
    numbers = np.zeros((n_camps, n_camps), np.int64)
    n_pairs = n_camps * (n_camps - 1) // 2
    numbers[pair_numbers(n_camps)] = np.arange(n_pairs)
    group = ratings.item_group[item] * n_pairs + numbers[side[one], side[two]]
    empty = replace(
        ratings,
        group=group,
        n_groups=ratings.n_groups * n_pairs,
        weight=_of(ratings.weight, item),
        total_items=len(one),
    )
    sides = [replace(empty, labels=_copied(parts.ratings, places)) for places in (one, two)]
    both = Labels(*(np.concatenate(parts) for parts in zip(*(each.labels for each in sides), strict=True)))
    second_side = np.arange(len(both.item)) >= len(sides[0].item)
    return Across(replace(empty, labels=both), sides[0], sides[1], item, second_side)


def _copied(ratings: LongRatings, parts: Array) -> Labels:
    """The labels of some items, in their order; an item may occur several times."""
    order = np.argsort(ratings.item, kind="stable")
    number = np.bincount(ratings.item, minlength=ratings.n_items)
    start = np.cumsum(number) - number
    times = number[parts]
    place = np.repeat(np.arange(len(parts)), times)
    chosen = order[ranges(start[parts], times)]
    return Labels(place, ratings.coder[chosen], ratings.code[chosen])


class AcrossStatistics(ItemStatistics):
    """The statistics of items whose pairs of labels have one label of each side.

    With a labels on one side and b on the other an item has a b pairs. Each side has half of the weight of an item in
    the category totals, so these are the margins of the pairs. The weight is 1, for alpha a + b.
    """

    nothing = "no item has labels of both groups"

    def __init__(self, across: Across, distance: Distance, unit: str = "item", coders: bool = False) -> None:
        super().__init__(across.ratings, distance, unit, coders)
        self.across = across

    @property
    def _sides(self) -> tuple[LongRatings, LongRatings]:
        return self.across.first, self.across.second

    @cached_property
    def paired(self) -> Array:
        """Weight of an item in observed agreement: (I,)."""
        sizes = self.ratings.sizes.astype(float)
        return sizes if self.unit == "label" else np.ones(len(sizes))

    @cached_property
    def side_shares(self) -> tuple[Array, Array]:
        """Weight of one label of each side in the category totals: (I,), (I,)."""
        first, second = (self.paired / (2 * np.maximum(side.sizes, 1)) for side in self._sides)
        return first, second

    @cached_property
    def _make_totals(self) -> Callable[[], Array]:
        ratings, sides, shares = self.ratings, self._sides, self.side_shares

        def totals() -> Array:
            parts = [
                side.counts.total(share * ratings.weights, ratings.group, ratings.n_groups)
                for side, share in zip(sides, shares, strict=True)
            ]
            return parts[0] + parts[1]

        return cache(totals)

    @cached_property
    def disagreement(self) -> Array:
        """Mean distance between a label of one side and a label of the other: (I,)."""
        distance = self.distance
        total = distance.sum_over_pairs(self.ratings.counts, self.ratings.group)
        apart = sum(distance.sum_over_pairs(side.counts, self.ratings.group) for side in self._sides)
        pairs = np.prod([np.maximum(side.sizes, 1).astype(float) for side in self._sides], axis=0)
        # n' D n of both minus of each, 0 if all labels are the same
        return np.maximum(total - apart, 0.0) / (2 * pairs)

    @cached_property
    def size_sums(self) -> Array:
        """As for other items, with the chances that two pairs are the same, and that two labels are: (3, G)."""
        a, b = (np.maximum(side.sizes, 1).astype(float) for side in self._sides)
        squared = self.paired**2
        parts = squared, squared / (a * b), squared * (1 / a + 1 / b) / 4
        return np.stack([self.ratings.sum(values) for values in parts])

    def _rank_sums(self) -> Array:
        ranks = self.distance.points[..., 0]  # type: ignore[attr-defined]
        ratings, (first, second) = self.ratings, self._sides
        pairs = np.maximum(first.sizes, 1) * np.maximum(second.sizes, 1)
        weight = ratings.weights * self.paired / (2 * pairs)
        args = ratings.group, ratings.n_groups
        one = first.counts.total(weight * second.counts.dot(ranks, ratings.group), *args)
        return one + second.counts.total(weight * first.counts.dot(ranks, ratings.group), *args)

    def slope(self, by_observed: Array, by_totals: Array | None = None, by_coders: Array | None = None) -> Array:
        group = self.ratings.group
        difference = self.disagreement - spread(self.sums.observed, group)
        slope = self.paired * difference * spread(divide(by_observed, self.sums.pairable), group)
        if by_totals is not None:
            for side, share in zip(self._sides, self.side_shares, strict=True):
                slope = slope + share * side.counts.dot(by_totals, group)
        if by_coders is not None:
            slope = slope + self.ratings.gather(by_coders)
        return slope

    def leave_one_out(self) -> Iterator[tuple[slice, SufficientStatistics, Distance]]:
        raise TypeError("pairs of groups of coders have no jackknife")

    @cached_property
    def second_coders(self) -> Array:
        """Which coders are those of the second side: (G, C) of bool, numbered as in the sums by coder."""
        ratings = self.across.ratings
        out = np.zeros(ratings.coder_totals().shape[:2], bool)
        group = ratings.item_group[ratings.item]
        out[group, ratings.local_coder] = self.across.second_side
        return out
