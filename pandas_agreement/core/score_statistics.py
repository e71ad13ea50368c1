"""Interval alpha from scores: item statistics without categories or codes.

The distance between two scores is the square of their difference, so all sums over pairs of scores are sums of powers
over scores. Only numpy here.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.category_counts import spread
from pandas_agreement.core.classes import dataclass
from pandas_agreement.core.distances import Distance, Points
from pandas_agreement.core.item_statistics import ItemStatistics, Layout
from pandas_agreement.core.ratings import Ratings
from pandas_agreement.core.scores import Scores, as_scores, ascending, span
from pandas_agreement.core.sums import SufficientStatistics, divide

MIN_CATEGORIES = 1000  # fewer are counted, whatever the number of groups
MAX_TABLE = 1 << 20  # entries of a table of groups and categories; instead of a larger one the numbers are summed
SOME_SCORES = 4000  # that tell whether scores are equal so seldom that they need not be counted


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
