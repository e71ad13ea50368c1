"""Estimates that are compared with each other, and the differences between pairs of them.

A test uses the standard errors at the common value of the estimates it compares, from the models of the score interval:
those at the estimates themselves are smallest where an estimate is extreme by chance, 0 where agreement is perfect, and
such a test rejects too often. Coefficients without these models keep their own standard errors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pandas_agreement.coefficients.registry import Coefficient
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.quantiles import t_quantile
from pandas_agreement.core.sums import divide
from pandas_agreement.inference.evaluation import Evaluation
from pandas_agreement.inference.intervals import bounded
from pandas_agreement.inference.score import Law, believed, fit, limits_of
from pandas_agreement.inference.standard_errors import Uncertainty

Tail = Callable[[Any, Callable[[Any], Any]], Any]
#: p-value of a statistic, from the lower tail of its distribution
TAILS: dict[str, Tail] = {
    "two-sided": lambda statistic, cdf: 2 * cdf(-np.abs(statistic)),
    "greater": lambda statistic, cdf: cdf(-statistic),
    "less": lambda statistic, cdf: cdf(statistic),
}
ROUNDING = 1e-14  # relative variance of a difference that can be a rounding error
STEPS = 4  # towards the common value, whose weights depend on it


@dataclass(frozen=True, eq=False)
class Estimates:
    """Estimates with what a test of their differences needs: (N,) each."""

    value: Array
    n: Array  # items
    se: Array  # 0 is no certainty, so a test has none
    df: Array
    low: Array | None = None  # limits of the score intervals
    high: Array | None = None
    law: Law | None = None  # the models of the score interval; None: only the own standard errors are known
    ratio: Array | None = None  # variance in the data to that of the models
    design: Array | None = None  # design effect of clusters

    @classmethod
    def of(cls, record: Coefficient, evaluation: Evaluation, uncertainty: Uncertainty, level: float) -> Estimates:
        """Those of the groups of an evaluation."""
        n = evaluation.statistics.n_items[1]
        plain = cls(evaluation.value, n, uncertainty.se, uncertainty.df)
        if record.at_shares is None:
            return plain
        law, ratio, design = fit(record, evaluation, uncertainty)
        limits = limits_of(law, ratio, design, evaluation, uncertainty, level)
        low, high = bounded(record, evaluation, uncertainty, level, *limits)
        return replace(plain, low=low, high=high, law=law, ratio=ratio, design=design)

    @property
    def testable(self) -> Array:
        """Which estimates can be compared with others: (N,) of bool."""
        known = ~np.isnan(self.value) & (self.n > 1)
        return known & (self.law.largest > 0 if self.law is not None else self.se > 0)

    def at_common_value(self, members: Array) -> Array:
        """Standard errors of sets of estimates (S, M) if the estimates of a set have the same true value."""
        if self.law is None or self.ratio is None or self.design is None:
            return np.where(self.se > 0, self.se, np.nan)[members]
        estimate, law = self.value[members], self.law.take(members)
        n = np.where(self.n > 1, self.n, np.nan)[members]
        total = n.sum(-1, keepdims=True)
        mean = [divide((n * x).sum(-1, keepdims=True), total) for x in (self.ratio[members], law.diversity, estimate)]
        ratio, value = believed(mean[0], total, mean[1]) * self.design[members], mean[2]
        for _ in range(STEPS):
            weight = divide(n, law.variance_at(law.level(value)))
            value = divide((weight * estimate).sum(-1, keepdims=True), weight.sum(-1, keepdims=True))
        return np.sqrt(divide(ratio * law.variance_at(law.level(value)), n))


def joined(parts: Sequence[Estimates]) -> Estimates:
    """Several estimates of each group as one: those of the first part come first."""
    laws = [part.law for part in parts]
    names = ["value", "n", "se", "df", *([] if None in laws else ["low", "high", "ratio", "design"])]
    arrays = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
    return Estimates(**arrays, law=None if None in laws else Law.joined(laws))  # type: ignore[arg-type]


def differences(
    estimates: Estimates, first: Array, second: Array, r: Array | float, tail: Tail, ci: float | None
) -> dict[str, Array]:
    """The columns of differences between pairs of estimates, whose correlation is `r`."""
    from scipy.special import stdtr

    value, se = estimates.value, estimates.at_common_value(np.stack([first, second], -1))
    a, b = se[..., 0], se[..., 1]
    error = _apart(a, b, r)
    difference = value[first] - value[second]
    df = _df(estimates, first, second, a, b)
    low, high = _limits(estimates, first, second, r, error, df, ci)
    statistic = divide(difference, error)
    return {
        "estimate_1": value[first],
        "estimate_2": value[second],
        "difference": difference,
        "difference_low": low,
        "difference_high": high,
        "se": error,
        "statistic": statistic,
        "df": df,
        "p_value": tail(statistic, lambda x: stdtr(np.maximum(df, 1), x)),
        "ci_level": np.full(difference.shape, np.nan if ci is None else ci),
    }


def _df(estimates: Estimates, first: Array, second: Array, a: Array, b: Array) -> Array:
    """Satterthwaite's degrees of freedom; own standard errors come from all items together."""
    one, other = estimates.df[first], estimates.df[second]
    if estimates.law is None:
        return np.minimum(one, other)
    return divide((a**2 + b**2) ** 2, divide(a**4, one) + divide(b**4, other))


def _limits(
    estimates: Estimates, first: Array, second: Array, r: Array | float, error: Array, df: Array, ci: float | None
) -> tuple[Array, Array]:
    """Limits of differences, from those of the estimates (Zou 2007), or symmetric."""
    difference = estimates.value[first] - estimates.value[second]
    if ci is None or estimates.low is None or estimates.high is None:
        width = np.nan if ci is None else t_quantile(df, ci) * error
        return difference - width, difference + width
    down, up = estimates.value - estimates.low, estimates.high - estimates.value
    return difference - _apart(down[first], up[second], r), difference + _apart(up[first], down[second], r)


def _apart(one: Array, other: Array, r: Array | float) -> Array:
    """Root of the variance of a difference; exactly 0 for an estimate minus itself."""
    total, shared = one**2 + other**2, 2 * r * one * other
    return np.sqrt(np.where(total - shared <= ROUNDING * total, 0.0, total - shared))
