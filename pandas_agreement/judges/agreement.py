"""Agreement of a judge with humans, and of humans with each other, with the influence of each item on the difference.

`of_pairs` averages a coefficient of two coders over pairs, `of_items` averages agreement over items. Both take the
ratings of `JudgedItems`, in which the judge is coder 0, and give one number per group of these. Only numpy here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from pandas_agreement.coefficients.registry import Coefficient
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.distances import Distance
from pandas_agreement.core.item_statistics import ItemStatistics
from pandas_agreement.core.pairs import Pairs, pair_up
from pandas_agreement.core.ratings import Ratings, WideRatings
from pandas_agreement.core.sums import divide, dot
from pandas_agreement.inference.evaluation import Evaluation, evaluate

JUDGE = 0  # number of the judge among the coders


@dataclass(frozen=True, eq=False)
class Agreement:
    """Agreement of the judge (`estimate`) and of the humans (`ceiling`): (G,) each."""

    estimate: Array
    ceiling: Array
    influence: Callable[[], Array]  # (I,) of each item on the difference; the item's own difference for `of_items`

    @property
    def difference(self) -> Array:
        return self.estimate - self.ceiling


def of_sets(record: Coefficient) -> Coefficient:
    """The coefficient with the levels that compare sets: percent agreement needs no more than a distance."""
    return record if record.corrected else replace(record, options=("level", "sep"))


Measure = Callable[[Ratings], Agreement]


# ----------------------------------------------------------------------------------------------------- means of pairs


@dataclass(frozen=True, eq=False)
class PairValues:
    """A coefficient of every pair of coders: (P,) each."""

    ratings: Ratings
    pairs: Pairs
    evaluation: Evaluation
    constant: Array  # a human of the pair used one category only, and the coefficient is then 0 by definition

    @classmethod
    def of(cls, record: Coefficient, ratings: Ratings, distance: Distance) -> PairValues:
        pairs = pair_up(ratings)
        evaluation = evaluate(record, pairs.ratings, distance)
        constant = np.zeros(len(pairs.owner), bool)
        if record.zero_if_constant:
            single = (pairs.ratings.coder_totals() > 0).sum(-1) == 1  # (P, 2)
            constant = single[:, 1] | (single[:, 0] & (pairs.first != JUDGE))
        return cls(ratings, pairs, evaluation, constant)

    @cached_property
    def value(self) -> Array:
        return self.evaluation.value

    @cached_property
    def n(self) -> Array:
        """Common items of each pair."""
        return self.pairs.ratings.number()

    @cached_property
    def used(self) -> Array:
        """Pairs with a value that means something."""
        return ~np.isnan(self.value) & ~self.constant

    @property
    def of_judge(self) -> Array:
        return self.pairs.first == JUDGE

    def sum(self, values: Array) -> Array:
        """Over the pairs of each group: (P,) -> (G,)."""
        return np.bincount(self.pairs.owner, values, minlength=self.ratings.n_groups)

    @cached_property
    def equal(self) -> Array:
        """Items on which both coders of a pair gave the same label."""
        cells = self.pairs.ratings
        return np.bincount(cells.item_group, cells.weights * (cells.codes[0] == cells.codes[1]), minlength=len(self.n))

    @cached_property
    def _by_cell(self) -> Array:
        """Influence of one item of each cell over the number of the pair's items."""
        influence = np.nan_to_num(self.evaluation.influence())
        return influence / self.n[self.pairs.ratings.item_group] if len(self.n) else influence

    @cached_property
    def unit(self) -> Array:
        """A disagreement on the scale of the coefficient, the mean over the pairs in use: (G,).

        Of a pair it is E(d^2) / E(d) over the expected disagreement, for two labels of its coders drawn at random.
        """
        statistics = self.evaluation.statistics
        shares, distance = statistics.sums.profile, statistics.distance  # (P, K)
        ratio = divide(distance.mean_square(shares), dot(shares, distance.apply(shares)))
        ratio = np.where(np.isnan(ratio), self.evaluation.unit(), ratio)
        of_pair = np.where(self.used, divide(ratio, self.evaluation.expected), 0.0)
        return divide(self.sum(of_pair), self.sum(self.used))

    def agreement(self, with_judge: Array, among_humans: Array) -> Agreement:
        """The mean of some pairs (P,) of bool, and that of others."""
        shares, means = [], []
        for chosen in (with_judge & self.used, among_humans & self.used):
            number = self.sum(chosen)
            means.append(divide(self.sum(np.where(chosen, self.value, 0.0)), number))
            shares.append(np.where(chosen, np.nan_to_num(divide(np.ones_like(number), number))[self.pairs.owner], 0.0))
        slope = (shares[0] - shares[1]) * self.ratings.number()[self.pairs.owner]

        def influence() -> Array:
            return self.pairs.to_items(self._by_cell * slope[self.pairs.ratings.item_group])

        return Agreement(means[0], means[1], influence)

    def all(self) -> Agreement:
        """All pairs of the judge and a human, and all pairs of humans."""
        return self.agreement(self.of_judge, ~self.of_judge)

    def judge_alone(self) -> Agreement:
        """All pairs of the judge and a human; the humans count as 0."""
        return self.agreement(self.of_judge, np.zeros(len(self.n), bool))

    def of_human(self, human: int) -> Agreement:
        """The judge with one human, and this human with the others."""
        theirs = (self.pairs.first == human) | (self.pairs.second == human)
        return self.agreement(theirs & self.of_judge, theirs & ~self.of_judge)


def of_pairs(record: Coefficient, distance: Distance) -> Measure:
    """The mean of a coefficient of two coders over pairs of coders."""
    return lambda ratings: PairValues.of(record, ratings, distance).all()


# ----------------------------------------------------------------------------------------------------- means of items


def item_agreement(ratings: Ratings, distance: Distance) -> tuple[Array, Array]:
    """Mean agreement of the judge with the humans of each item, and of these with each other: (I,), (I,)."""
    humans = ratings.without(JUDGE)
    r = humans.sizes.astype(float)
    inside = ItemStatistics(humans, distance).disagreement * r * (r - 1)  # sums over ordered pairs
    everything = ItemStatistics(ratings, distance).disagreement * r * (r + 1)
    return 1 - divide(everything - inside, 2 * r), np.where(r > 1, 1 - divide(inside, r * (r - 1)), np.nan)


def of_items(distance: Distance) -> Measure:
    """The mean over items of agreement with the humans of the item."""

    def measure(ratings: Ratings) -> Agreement:
        judge, humans = item_agreement(ratings, distance)
        n = ratings.number()
        means = divide(ratings.sum(judge), n), divide(ratings.sum(humans), n)
        return Agreement(*means, lambda: judge - humans)

    return measure


# ------------------------------------------------------------------------------------------------ the constant answer


def modal_label(ratings: Ratings) -> Array:
    """The label that the humans gave most often, the first of several: (G,)."""
    totals = ratings.without(JUDGE).label_totals()
    return totals.argmax(-1) if totals.shape[-1] else np.zeros(len(totals), np.int64)


def constant_pairs(record: Coefficient, ratings: Ratings, distance: Distance, answer: Array) -> Array:
    """The mean coefficient of a judge who always gives one answer and each human: (G,)."""
    totals = ratings.without(JUDGE).coder_totals()  # (G, C, K)
    G, C, K = totals.shape
    if record.zero_if_constant:
        value = np.where((totals > 0).sum(-1) > 1, 0.0, np.nan)
    else:
        group, coder, code = np.nonzero(totals)
        cells = WideRatings(2, K, G * C, group * C + coder, totals[group, coder, code], (answer[group], code))
        value = evaluate(record, cells, distance).value.reshape(G, C)
    defined = ~np.isnan(value) & (totals.sum(-1) > 0)
    return divide(np.where(defined, value, 0.0).sum(-1), defined.sum(-1))


def constant_items(ratings: Ratings, distance: Distance, answer: Array) -> Array:
    """The agreement of each item's humans with a judge who always gives one answer: (I,)."""
    humans = ratings.without(JUDGE)
    given = np.zeros((ratings.n_groups, ratings.n_categories))
    given[np.arange(len(answer)), answer] = 1.0
    away = humans.counts.dot(distance.apply(given), ratings.group)  # (I,) sums of distances
    return 1 - divide(away, humans.sizes.astype(float))
