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
from pandas_agreement.core.distances import Distance, Formula, Nominal, Points, Ranks, Table
from pandas_agreement.core.ratings import LongRatings, Ratings, WideRatings
from pandas_agreement.core.scores import Scores, as_scores, ascending, span
from pandas_agreement.core.sums import Estimate, SufficientStatistics, divide
from pandas_agreement.errors import InputError

MAX_BLOCK = 1 << 20  # entries of one block of leave-one-out samples
MAX_LEFT_OUT = 1e11  # products for all leave-one-out samples, about a minute
PRODUCTS = 64  # for a statistic of a sample, where the distance needs no pairs of categories
MIN_CATEGORIES = 1000  # fewer are counted, whatever the number of groups
MAX_TABLE = 1 << 20  # entries of a table of groups and categories; instead of a larger one the numbers are summed
SOME_SCORES = 4000  # that tell whether scores are equal so seldom that they need not be counted
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


# --------------------------------------------------------------------------------------------------------------- scores


@dataclass(frozen=True, eq=False)
class ValueSums(SufficientStatistics):
    """Sums over items of scores; `totals` are the number of scores, their sum and that of their squares: (..., 3)."""

    @cached_property
    def size(self) -> Array:
        return self.totals[..., 0]

    @property
    def mean_distance(self) -> Array:
        """Mean squared difference of two scores drawn with replacement: (...)."""
        n, total, square = np.moveaxis(self.totals, -1, 0)
        return 2 * np.maximum(divide(square, n) - divide(total, n) ** 2, 0.0)


class ValueLayout(Layout):
    """The layout of three categories, in the places of which are the three sums over the scores of an item."""

    def read(self, sums: Array, distance: Distance) -> tuple[ValueSums, Distance]:
        read = super().read(sums, distance)[0]
        return ValueSums(read.disagreement, read.pairable, read.make_totals), distance


class ValueStatistics(ItemStatistics):
    """The statistics of items of scores, for interval alpha; scores are in the unit of their group."""

    ratings: Scores
    layout = ValueLayout(3)

    @cached_property
    def _centred(self) -> Array:
        """Scores minus the weighted mean of their group: (N,)."""
        scores = self.ratings
        if scores.weight is None:
            return scores.centred
        mean = divide(scores.sum(scores.per_item(scores.centred)), scores.sum(scores.sizes))
        return scores.centred - mean[scores.owner]

    @cached_property
    def item_totals(self) -> Array:
        """Sum of the scores of each item from the mean of its group: (I,)."""
        return self.ratings.per_item(self._centred)

    @cached_property
    def item_squares(self) -> Array:
        """Sum of their squares: (I,)."""
        return self.ratings.squares_per_item(self._centred)

    @cached_property
    def disagreement(self) -> Array:
        """Mean squared difference of two scores of each item: (I,), exactly 0 for equal ones, 0 for one score."""
        scores, r = self.ratings, self.ratings.sizes
        difference = scores.minus_items(self._centred, scores.first_of_items(self._centred))
        total, square = scores.per_item(difference), scores.squares_per_item(difference)
        return 2 * np.maximum(square - total * total / np.maximum(r, 1), 0.0) / np.maximum(r - 1, 1)

    @property
    def totals(self) -> Array:
        """Scores of each group that equal one of them, and all others, as far as it matters: (G, 2)."""
        several = self._range > 0
        return np.stack([np.where(several, self.sums.size - 1, self.sums.size), several], -1)

    @cached_property
    def sums(self) -> ValueSums:
        ratings = self.ratings
        columns = self.paired, self.paired * self.disagreement, ratings.sizes, self.item_squares
        paired, apart, labels, square = map(ratings.sum, columns)
        none = np.zeros(ratings.n_groups)  # scores are centred
        return self.layout.read(np.stack([paired, apart, labels, none, square], -1), self.distance)[0]

    def table(self, items: slice) -> Array:
        parts = self.paired, self.paired * self.disagreement, self.ratings.sizes, self.item_totals, self.item_squares
        return np.stack([part[items] for part in parts], -1)

    def sparse_table(self) -> Array:
        return self.table(slice(0, self.ratings.n_items))

    def slope(self, by_observed: Array, by_totals: Array | None = None, by_coders: Array | None = None) -> Array:
        """Derivative of a value by the weight of each item; `by_totals` is that by the expected disagreement (G,)."""
        slope = super().slope(by_observed)
        if by_totals is None:
            return slope
        sums, group = self.sums, self.ratings.group
        n = np.where(sums.size > 1, sums.size, np.nan)
        per_square, per_label = by_totals * 2 / (n - 1), -by_totals * sums.mean_distance * n / (n - 1) ** 2
        return slope + spread(per_square, group) * self.item_squares + spread(per_label, group) * self.ratings.sizes

    @cached_property
    def _range(self) -> Array:
        """Range of the scores of each group: (G,)."""
        return span(self.ratings.scaled, self.ratings.owner, self.ratings.n_groups)

    def full_disagreement(self) -> Array:
        """Largest squared difference of two scores of each group, 1 if all are equal: (G,)."""
        return np.where(self._range > 0, self._range**2, 1.0)

    def fourth_moment(self) -> Array:
        """Mean fourth power of the scores about the mean of their group: (G,)."""
        return divide(self.ratings.sum(self.ratings.squares_per_item(self._centred**2)), self.sums.size)

    def ties(self) -> Array:
        """Probability that two scores drawn with replacement are equal: (G,).

        Of many scores some are looked at first: if no two of them are equal, so few are that it does not matter.
        """
        scores = self.ratings
        step = len(scores.value) // SOME_SCORES
        if step > 1 and scores.weight is None and scores.group is None:
            some = np.sort(scores.value[::step])
            if (some[1:] != some[:-1]).all():
                return 1 / self.sums.size
        weight = None if scores.weight is None else scores.weight[scores.item]
        return divide(squared_numbers(scores.value, scores.owner, weight, scores.n_groups), self.sums.size**2)


def squared_numbers(value: Array, owner: Array, weight: Array | None, n: int) -> Array:
    """Sum over the different values of each owner of their squared number: (n,)."""
    if n == 1 and weight is None:
        value = np.sort(value)  # in a part of the time of `argsort`
        edges = np.flatnonzero(value[1:] != value[:-1]) + 1
        return np.array([(np.diff(np.r_[0, edges, len(value)]).astype(float) ** 2).sum()])
    order = ascending(owner, value)
    value, owner = value[order], owner[order]
    new = np.r_[True, (value[1:] != value[:-1]) | (owner[1:] != owner[:-1])][: len(value)]
    number = np.bincount(np.cumsum(new) - 1, None if weight is None else weight[order])
    return np.bincount(owner[new], number.astype(float) ** 2, minlength=n)


def statistics_of(ratings: Ratings, distance: Distance, unit: str = "item", coders: bool = False) -> ItemStatistics:
    """The statistics of items of labels, or of scores."""
    if isinstance(ratings, Scores):
        return ValueStatistics(ratings, distance, unit)
    return ItemStatistics(ratings, distance, unit, coders)


def without_categories(ratings: Ratings, distance: Distance) -> Ratings:
    """Coded ratings as scores, if a table of groups and categories would be large and differences are squared."""
    points = distance.points if isinstance(distance, Points) else None
    if points is None or points.shape[1:] != (1,) or distance.bounded or distance.n_chosen is not None:
        return ratings
    if ratings.n_categories < MIN_CATEGORIES or ratings.n_groups * ratings.n_categories <= MAX_TABLE:
        return ratings
    return as_scores(ratings, points[:, 0])
