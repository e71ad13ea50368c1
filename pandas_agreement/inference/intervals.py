"""Confidence intervals from standard errors, within the range of the coefficient.

The score interval has the values that the estimate does not contradict, with the variance an item would have at each.
If there were tau times as many disagreements of the kind seen, at the same category shares, the value would be
1 - tau D_o / D_e and the variance of an item's influence

    V(tau) = v tau^2 + A tau (1 - tau),

v at the estimate and 0 without any disagreement. The limits solve (estimate - value)^2 = t^2 V(tau) / n, a quadratic
equation. With two coders and two categories they are those of Bloch and Kraemer (1989). What has not been seen yet
counts as a quarter of a disagreement of two labels drawn from the shares. Only numpy here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from pandas_agreement.coefficients.registry import Coefficient
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.item_statistics import ItemStatistics, ValueStatistics, paired_weight
from pandas_agreement.core.quantiles import least_agreement, t_quantile
from pandas_agreement.core.sums import divide, dot, pooled_shares
from pandas_agreement.inference.evaluation import Evaluation, Uncertainty, analytic, jackknife

ROUNDING = 1e-12  # a value so little below the range is at its end


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


# ---------------------------------------------------------------------------------------------------------- all methods


def symmetric(
    record: Coefficient, evaluation: Evaluation, uncertainty: Uncertainty, level: float
) -> tuple[Array, Array]:
    """The estimate plus and minus t times the standard error."""
    width = t_quantile(uncertainty.df, level) * uncertainty.se
    return evaluation.value - width, evaluation.value + width


def on_log_scale(
    record: Coefficient, evaluation: Evaluation, uncertainty: Uncertainty, level: float
) -> tuple[Array, Array]:
    """Symmetric on the scale of log(1 - value): the upper limit is below 1."""
    rest = 1 - evaluation.value
    width = t_quantile(uncertainty.df, level) * divide(uncertainty.se, rest)
    return 1 - rest * np.exp(width), 1 - rest * np.exp(-width)


StandardError = Callable[[Evaluation, Array | None], Uncertainty]
Interval = Callable[[Coefficient, Evaluation, Uncertainty, float], tuple[Array, Array]]
METHODS: dict[str, tuple[StandardError, Interval]] = {
    "score": (analytic, score),
    "analytic": (analytic, symmetric),
    "log": (analytic, on_log_scale),
    "jackknife": (jackknife, symmetric),
}


def interval(
    record: Coefficient, evaluation: Evaluation, uncertainty: Uncertainty, level: float, method: str
) -> tuple[Array, Array]:
    """Lower and upper limits: (G,), (G,)."""
    low, high = METHODS[method][1](record, evaluation, uncertainty, level)
    return bounded(record, evaluation, uncertainty, level, low, high)


def bounded(
    record: Coefficient, evaluation: Evaluation, uncertainty: Uncertainty, level: float, low: Array, high: Array
) -> tuple[Array, Array]:
    """Limits clipped to the range of the coefficient, with the bound at perfect agreement."""
    if record.perfect is not None:
        low, high = _at_perfect(record.perfect, evaluation, uncertainty, level, low, high)
    bottom, top = _range(record, evaluation)
    low, high = np.minimum(np.maximum([low, high], bottom), top)  # `np.clip` is slow on few groups
    return low, high


def _range(record: Coefficient, evaluation: Evaluation) -> tuple[Array | float, float]:
    """The range of the coefficient; bias can be negative if the distances are not of negative type.

    With weights some coefficients can be below -1: the lowest value is that of full disagreement. None is the lowest
    where chance is estimated from other items too, as single labels are.
    """
    bottom, top = record.range
    distance = evaluation.statistics.distance
    if record.perfect is None:
        return (bottom if distance.negative_type else -1.0), top
    if record.correction != "ratio":
        return bottom, top
    free = distance.name != "nominal" and (record.depends_on_k or not distance.negative_type)
    below = evaluation.value < bottom - ROUNDING
    if not (free or below.any()):
        return bottom, top
    n_items, paired = evaluation.statistics.n_items
    lowest = 1 - divide(np.broadcast_to(evaluation.unit(), evaluation.expected.shape), evaluation.expected)
    lowest = np.where(n_items > paired, -np.inf, lowest)
    return np.where(free | below, np.fmin(bottom, lowest), bottom), top


def _at_perfect(
    best: float, evaluation: Evaluation, uncertainty: Uncertainty, level: float, low: Array, high: Array
) -> tuple[Array, Array]:
    """Where agreement is perfect the standard error is 0; the lower limit is the value at the least agreement."""
    n = np.minimum(evaluation.statistics.n_items[1], uncertainty.df + 1)  # items, or clusters of them
    perfect = (evaluation.observed == 0) & (evaluation.value == best) & (n > 1)
    if not perfect.any():
        return low, high
    bound = evaluation.value_at((1 - least_agreement(n, level)) * evaluation.unit())
    return np.where(perfect, bound, low), np.where(perfect, best, high)
