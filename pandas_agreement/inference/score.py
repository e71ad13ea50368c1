"""The score interval: the values that the estimate does not contradict, with the variance an item would have at each.

If there were tau times as many disagreements of the kind seen, at the same category shares, the value would be
1 - tau D_o / D_e and the variance of an item's influence

    V(tau) = v tau^2 + A tau (1 - tau),

v at the estimate and 0 without any disagreement. The limits solve (estimate - value)^2 = t^2 V(tau) / n, a quadratic
equation. With two coders and two categories they are those of Bloch and Kraemer (1989). What has not been seen yet
counts as a quarter of a disagreement of two labels drawn from the shares. Only numpy here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pandas_agreement.coefficients.registry import Coefficient
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.item_statistics import ItemStatistics, ValueStatistics, paired_weight
from pandas_agreement.core.quantiles import t_quantile
from pandas_agreement.core.sums import divide, dot, pooled_shares
from pandas_agreement.inference.evaluation import Evaluation, Uncertainty


class Curve(NamedTuple):
    """The variance of an item's influence as a function of tau: (G,) each."""

    value: Array
    rest: Array  # 1 - value
    variance: Array  # v
    below: Array  # A for values below the estimate
    above: Array  # A for values above it
    n: Array  # items

    @classmethod
    def of(cls, record: Coefficient, evaluation: Evaluation, uncertainty: Uncertainty) -> Curve:
        """The curve of a coefficient that has its chance model at pooled shares."""
        statistics, expected, rest = evaluation.statistics, evaluation.expected, 1 - evaluation.value
        everything, n = statistics.n_items
        labels, squared_weight = _sizes(statistics)
        far, slopes = _of_chance(record, statistics)
        unseen = divide(far, 2 * labels * n * expected**2)
        _, by_observed, by_chance = evaluation.squares() * divide(n, everything**2)
        v = n * uncertainty.of_independent**2 + unseen
        within = np.maximum(divide(rest, expected) ** 2 * slopes * squared_weight - by_chance, 0.0)
        below = v + np.maximum(by_observed + unseen - v, 0.0) * 2 / labels
        above = np.maximum(by_observed + unseen + within / 2, v)
        effect = uncertainty.design_effect
        return cls(evaluation.value, rest, v * effect, below * effect, above * effect, n)

    @classmethod
    def joined(cls, curves: Sequence[Curve]) -> Curve:
        """The curves of the groups of one after another."""
        return cls(*map(np.concatenate, zip(*curves, strict=True)))

    def take(self, groups: Array) -> Curve:
        return Curve(*(part[groups] for part in self))

    def variance_at(self, value: Array) -> Array:
        """The variance of an item if this were the true value: (G,)."""
        tau = divide(1 - value, self.rest)
        return self.variance * tau**2 + np.where(tau > 1, self.below, self.above) * tau * (1 - tau)

    def limits(self, t: Array) -> tuple[Array, Array]:
        """Lower and upper limits at t standard errors: (G,), (G,)."""
        k, square = divide(t**2, self.n), self.rest**2

        def root(a: Array) -> Array:
            half = k * a / 2
            return square + half + np.sqrt(half**2 + k * self.variance * square)

        divisor = square + k * (self.below - self.variance)
        return 1 - divide(self.rest * root(self.below), divisor), 1 - divide(self.rest * square, root(self.above))


def _sizes(statistics: ItemStatistics) -> tuple[Array, Array]:
    """Mean number of labels of the items with two or more, and mean square of their weights, whose mean is 1: (G,)."""
    group, sizes, number = statistics.ratings.size_counts()
    number, weight = np.where(sizes > 1, number, 0.0), paired_weight(sizes, statistics.unit)
    sums = [np.bincount(group, number * each, statistics.ratings.n_groups) for each in (sizes, weight, weight**2)]
    n = statistics.n_items[1]
    return divide(sums[0], n), divide(n * sums[2], sums[1] ** 2)


def _of_chance(record: Coefficient, statistics: ItemStatistics) -> tuple[Array, Array]:
    """Mean squared distance of two labels drawn from the shares, and variance of the slope of D_e at a label: (G,)."""
    if isinstance(statistics, ValueStatistics):  # the slope of x is 2 ((x - mean)^2 + variance)
        distance, fourth = statistics.sums.mean_distance, statistics.fourth_moment()
        return 2 * fourth + 1.5 * distance**2, 4 * fourth - distance**2
    p = pooled_shares(statistics.sums)
    slope = record.at_shares(p, statistics.distance, statistics.distance.apply(p))[1]  # type: ignore[misc]
    return statistics.distance.mean_square(p), np.maximum(dot(p, slope**2) - dot(p, slope) ** 2, 0.0)


def score(record: Coefficient, evaluation: Evaluation, uncertainty: Uncertainty, level: float) -> tuple[Array, Array]:
    """Lower and upper limits: (G,), (G,)."""
    with np.errstate(invalid="ignore"):  # groups without an estimate stay NaN
        return Curve.of(record, evaluation, uncertainty).limits(t_quantile(uncertainty.df, level))
