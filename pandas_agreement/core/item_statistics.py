"""The statistics of items, their sums, and the influence of each item on a coefficient.

`ItemStatistics` computes sums over items from ratings. From the derivatives of a coefficient by these sums it computes
the influence of each item. A `Layout` is the order of an item's statistics in an array; sums, leave-one-out samples,
resamples and moments share it. Only numpy here.

The statistics of an item, in this order:

1. its weight in observed agreement, 0 without a pair of labels;
2. its disagreement, times this weight;
3. the share of each category: K numbers;
4. `with_pairs`: the share of each pair of different categories, K x K numbers; distances that depend on the totals
   (ordinal alpha) need them;
5. which coder gave which category: C x K numbers of 0 and 1;
6. `with_numbers`: 1, whether the item has two or more labels, and the three `size_statistics` of score intervals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, cached_property, partial
from typing import Any

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.category_counts import DenseCounts, group_sum, spread
from pandas_agreement.core.classes import dataclass
from pandas_agreement.core.distances import Distance, Formula, Nominal, Ranks, Table
from pandas_agreement.core.ratings import LongRatings, Ratings, WideRatings
from pandas_agreement.core.sums import Estimate, SufficientStatistics, divide
from pandas_agreement.errors import InputError

MAX_BLOCK = 1 << 20  # entries of one block of leave-one-out samples
MAX_LEFT_OUT = 1e11  # products for all leave-one-out samples, about a minute
PRODUCTS = 64  # for a statistic of a sample, where the distance needs no pairs of categories
PAIRED, APART, SHARES = range(3)  # positions: weight, disagreement, first category share
N_NUMBERS = 5  # statistics of `with_numbers`


@dataclass(frozen=True, eq=False)
class Layout:
    """Where each part of an item's statistics begins."""

    n_categories: int
    n_coders: int = 0  # 0: labels of individual coders are not kept
    with_pairs: bool = False
    with_numbers: bool = False

    @property
    def pairs(self) -> int:
        return SHARES + self.n_categories

    @property
    def labels(self) -> int:
        return self.pairs + (self.n_categories**2 if self.with_pairs else 0)

    @property
    def one(self) -> int:
        """Position of the 1; "two or more labels" and the statistics of its size follow."""
        return self.labels + self.n_coders * self.n_categories

    @property
    def size(self) -> int:
        return self.one + (N_NUMBERS if self.with_numbers else 0)

    def read(self, sums: Array, distance: Distance) -> tuple[SufficientStatistics, Distance]:
        """Sums of statistics (..., size) as a kernel takes them, and the distance at these totals."""
        totals = sums[..., SHARES : self.pairs]
        distance_at_totals = distance.at(totals) if isinstance(distance, Ranks) else distance
        disagreement = sums[..., APART]
        if self.with_pairs and not isinstance(distance, Nominal):
            disagreement = (sums[..., self.pairs : self.labels] * self.flat(distance_at_totals)).sum(-1)
        coders = None
        if self.n_coders:
            coders = sums[..., self.labels : self.one].reshape(*sums.shape[:-1], self.n_coders, self.n_categories)
        return SufficientStatistics(disagreement, sums[..., PAIRED], lambda: totals, coders), distance_at_totals

    def flat(self, distance: Distance) -> Array:
        """The distance of each pair of categories: (..., K * K)."""
        matrix = distance.as_matrix()
        return matrix.reshape(*matrix.shape[:-2], self.n_categories**2)

    def moved(self, other: Layout, categories: Array, coders: Array, place: Array) -> Array:
        """New positions of some statistics in another layout, given the new numbers of categories and coders: (n,)."""
        k, side = other.n_categories, max(self.n_categories, 1)
        borders = SHARES, self.pairs, self.labels, self.one
        share, pair, label, number = (
            (start <= place) & (place < stop) for start, stop in zip(borders, (*borders[1:], self.size), strict=True)
        )
        out = place.astype(np.int64)
        out[share] = SHARES + categories[place[share] - SHARES]
        one, two = (categories[each] for each in np.divmod(place[pair] - self.pairs, side))
        out[pair] = other.pairs + np.minimum(one, two) * k + np.maximum(one, two)
        coder, category = np.divmod(place[label] - self.labels, side)
        out[label] = other.labels + coders[coder] * k + categories[category]
        out[number] += other.one - self.one
        return out


class ItemStatistics:
    """The statistics of the items of one set of ratings under one distance, and their sums by group."""

    nothing = "no item with two labels"  # the note where no item counts

    def __init__(self, ratings: Ratings, distance: Distance, unit: str = "item", coders: bool = False) -> None:
        self.ratings = ratings
        self.unit = unit
        self._distance = distance
        self._with_coders = coders

    @cached_property
    def share(self) -> Array:
        """Weight of one label of an item in the category totals: (I,)."""
        return label_share(self.ratings, self.unit)

    @cached_property
    def paired(self) -> Array:
        """Weight of an item in observed agreement: (I,), 0 for a single label."""
        return paired_weight(self.ratings.sizes, self.unit)

    @cached_property
    def _make_totals(self) -> Callable[[], Array]:
        return cache(partial(_totals, self.ratings, self.unit))  # no reference to self: it would keep itself alive

    @property
    def totals(self) -> Array:
        """Weighted category totals of each group: (G, K)."""
        return self._make_totals()

    @cached_property
    def distance(self) -> Distance:
        return self._distance.at(self.totals) if isinstance(self._distance, Ranks) else self._distance

    @cached_property
    def disagreement(self) -> Array:
        """Mean distance between two labels of an item: (I,), 0 for a single label."""
        ratings = self.ratings
        directed = getattr(self.distance, "directed", None)
        if directed is not None and self._with_coders and ratings.n_coders == 2:
            return ratings.directed(directed)
        if isinstance(self.distance, Nominal):
            return ratings.disagreement
        sizes = ratings.sizes.astype(float)
        pairs = np.maximum(sizes * (sizes - 1), 1)
        return self.distance.sum_over_pairs(ratings.counts, ratings.group) / pairs

    @cached_property
    def n_items(self) -> Array:
        """Number of items, and of items with two or more labels: (2, G)."""
        ratings, several = self.ratings, self.ratings.sizes >= 2
        number = ratings.number()
        return np.array([number, number if several.all() else ratings.sum(several.astype(float))])

    @cached_property
    def size_sums(self) -> Array:
        """Sums over items with r labels of their squared weight times 1, 2 / (r (r - 1)) and 1 / r: (3, G)."""
        group, sizes, number = self.ratings.size_counts()
        statistics = size_statistics(paired_weight(sizes, self.unit), sizes)
        return np.array([np.bincount(group, number * each, self.ratings.n_groups) for each in statistics])

    @cached_property
    def sums(self) -> SufficientStatistics:
        ratings = self.ratings
        return SufficientStatistics(
            disagreement=ratings.sum(self.paired * self.disagreement),
            pairable=ratings.sum(self.paired) if self.unit == "label" else self.n_items[1],
            make_totals=self._make_totals,
            coders=ratings.coder_totals() if self._with_coders else None,
            rank_sums=self._rank_sums() if isinstance(self._distance, Ranks) else None,
        )

    def _rank_sums(self) -> Array:
        """For each category k the sum over l of the coincidences (k, l) times the rank of l: (G, K)."""
        ratings, ranks = self.ratings, self.distance.points[..., 0]  # type: ignore[attr-defined]
        others = ratings.weights / np.maximum(ratings.sizes - 1, 1)
        summed = ratings.counts.dot(ranks, ratings.group)  # (I,)
        args = ratings.group, ratings.n_groups
        return ratings.counts.total(others * summed, *args) - ranks * ratings.counts.total(others, *args)

    def slope(self, by_observed: Array, by_totals: Array | None = None, by_coders: Array | None = None) -> Array:
        """Derivative of a value by the weight of each item, from its derivatives by the sums: (I,)."""
        ratings, group = self.ratings, self.ratings.group
        difference = self.disagreement - spread(self.sums.observed, group)
        slope = self.paired * difference * spread(divide(by_observed, self.sums.pairable), group)
        if by_totals is not None:
            slope = slope + self.share * ratings.counts.dot(by_totals, group)
        if by_coders is not None:
            slope = slope + ratings.gather(by_coders)
        return slope

    def influence(self, estimate: Estimate) -> Array:
        """Influence function of a coefficient at each item, its slope times the number of items: (I,), mean 0."""
        n = self.n_items[0]
        slope = self.slope(estimate.by_observed, estimate.by_totals, estimate.by_coders)
        value = slope * spread(n, self.ratings.group)
        if self.unit == "label":  # alpha also depends on the number of labels
            value = value - spread(divide(self.ratings.sum(value), n), self.ratings.group)
        return value

    def squares(self, estimate: Estimate) -> Array:
        """Sums of squares of the influence, of its part that is the disagreement, and of that by chance: (3, G)."""
        each, ratings = divide(estimate.by_observed * self.n_items[0], self.sums.pairable), self.ratings
        whole = self.influence(estimate)
        apart = self.paired * self.disagreement * spread(each, ratings.group)
        observed = apart - self.paired * spread(each * self.sums.observed, ratings.group)
        return np.stack([ratings.sum(part**2) for part in (whole, apart, whole - observed)])

    def full_disagreement(self) -> Array:
        """Largest distance between two categories in use in each group: (G,)."""
        return self.distance.largest(self.totals > 0)

    @cached_property
    def layout(self) -> Layout:
        """The layout of the statistics; ranks depend on the totals, so their items keep the pairs of categories."""
        n_coders = self.sums.coders.shape[-2] if self.sums.coders is not None else 0
        return Layout(self.ratings.n_categories, n_coders, with_pairs=isinstance(self._distance, Ranks))

    def table(self, items: slice) -> Array:
        """The statistics of some items: (b, size)."""
        ratings, layout = self.ratings, self.layout
        counts, paired = ratings.counts.profiles(items), self.paired[items]
        out = np.zeros((items.stop - items.start, layout.size))
        out[:, PAIRED], out[:, APART] = paired, paired * self.disagreement[items]
        out[:, SHARES : layout.pairs] = counts * self.share[items, None]
        if layout.with_pairs:
            sizes = ratings.sizes[items].astype(float)
            each = 2 * paired / np.maximum(sizes * (sizes - 1), 1)
            pairs = np.triu(counts[:, :, None] * counts[:, None, :], 1) * each[:, None, None]
            out[:, layout.pairs : layout.labels] = pairs.reshape(len(out), layout.n_categories**2)
        if layout.n_coders:
            labels = one_hot(ratings, items, layout.n_coders)
            out[:, layout.labels :] = labels.reshape(len(out), layout.size - layout.labels)
        return out

    def sparse_table(self) -> Any:
        """The statistics of all items as a sparse matrix, for many categories; not with pairs of categories."""
        from scipy.sparse import csr_array

        ratings, layout, item = self.ratings, self.layout, np.arange(self.ratings.n_items)
        counts = ratings.counts.sparse() if isinstance(ratings.counts, DenseCounts) else ratings.counts
        entries = [
            (item, np.full(len(item), PAIRED), self.paired),
            (item, np.full(len(item), APART), self.paired * self.disagreement),
            (counts.item, SHARES + counts.code, counts.number * self.share[counts.item]),
        ]
        if layout.n_coders:
            labels = ratings.as_long()
            cell = layout.labels + labels.local_coder * layout.n_categories + labels.code
            entries.append((labels.item, cell, np.ones(len(cell))))
        row, column, value = (np.concatenate(parts) for parts in zip(*entries, strict=True))
        return csr_array((value, (row, column)), shape=(len(item), layout.size))

    def _summed(self) -> Array:
        """The sums of the statistics of each group: (G, size)."""
        layout, sums = self.layout, self.sums
        out = np.zeros((self.ratings.n_groups, layout.size))
        out[:, PAIRED], out[:, APART], out[:, SHARES : layout.pairs] = sums.pairable, sums.disagreement, sums.totals
        if layout.with_pairs:
            pairs = 2 * np.triu(self.coincidences, 1)
            out[:, layout.pairs : layout.labels] = pairs.reshape(len(out), layout.n_categories**2)
        if sums.coders is not None:
            out[:, layout.labels :] = sums.coders.reshape(len(out), layout.size - layout.labels)
        return out

    def leave_one_out(self) -> Iterator[tuple[slice, SufficientStatistics, Distance]]:
        """Blocks of items, with the sums of their group without each item in turn, and the distance at these sums."""
        ratings, summed = self.ratings, self._summed()
        self._check_left_out()
        step = max(1, MAX_BLOCK // max(self.layout.size, 1))
        for start in range(0, ratings.n_items, step):
            items = slice(start, min(start + step, ratings.n_items))
            group = ratings.item_group[items]
            yield items, *self.layout.read(summed[group] - self.table(items), self._distance.in_groups(group))

    def _check_left_out(self) -> None:
        """Refuse samples of so many items and categories that their sums would take minutes."""
        n, K = self.ratings.n_items, self.ratings.n_categories
        if n * self.layout.size * (K if isinstance(self.distance, (Table, Formula)) else PRODUCTS) > MAX_LEFT_OUT:
            problem = f"the jackknife leaves out each of {n:,} different items, and there are {K:,} different labels"
            raise InputError(problem, "use method='analytic'", option="method", code="too large")

    @cached_property
    def coincidences(self) -> Array:
        """Krippendorff's coincidences, the pairs of labels of an item counting 1 / (r - 1): (G, K, K)."""
        ratings = self.ratings
        others = ratings.weights / np.maximum(ratings.sizes - 1, 1)
        rows = []
        for category, unit in enumerate(np.eye(ratings.n_categories)):
            weight = others * ratings.counts.dot(unit[None], None)  # times the labels of this category
            row = ratings.counts.total(weight, ratings.group, ratings.n_groups)
            row[:, category] -= group_sum(weight, ratings.group, ratings.n_groups)
            rows.append(row)
        return np.stack(rows, 1) if rows else np.zeros((ratings.n_groups, 0, 0))


def paired_weight(sizes: Array, unit: str) -> Array:
    """Weight of an item of so many labels in observed agreement; 0 for a single label."""
    return np.where(sizes >= 2, sizes if unit == "label" else 1.0, 0.0)


def size_statistics(paired: Array, sizes: Array) -> tuple[Array, Array, Array]:
    """The squared weight of each item times 1, 2 / (r (r - 1)) and 1 / r, where r is its number of labels."""
    r, squared = np.maximum(sizes.astype(float), 1.0), paired**2
    return squared, 2 * squared / np.maximum(r * (r - 1), 1.0), squared / r


def label_share(ratings: Ratings, unit: str) -> Array:
    """Weight of one label of an item in the category totals: (I,)."""
    return np.ones(ratings.n_items) if unit == "label" else 1 / np.maximum(ratings.sizes, 1)


def _totals(ratings: Ratings, unit: str) -> Array:
    """Category totals of each group: (G, K)."""
    share = label_share(ratings, unit)
    weighted = share if ratings.weight is None else share * ratings.weight
    return ratings.counts.total(weighted, ratings.group, ratings.n_groups)


def one_hot(ratings: Ratings, items: slice, n_coders: int) -> Array:
    """Whether each coder gave each category to each of these items: (b, C, K) of 0 and 1."""
    out = np.zeros((items.stop - items.start, n_coders, ratings.n_categories))
    if isinstance(ratings, WideRatings):
        for coder, code in enumerate(ratings.codes):
            rated = np.flatnonzero(code[items] >= 0)
            out[rated, coder, code[items][rated]] = 1
    if isinstance(ratings, LongRatings):
        ratings = ratings.by_item
        labels = slice(*np.searchsorted(ratings.item, [items.start, items.stop]))
        out[ratings.item[labels] - items.start, ratings.local_coder[labels], ratings.code[labels]] = 1
    return out
