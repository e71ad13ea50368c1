"""Intervals from standard errors, within the range of the coefficient. Only numpy, and scipy.special when used."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pandas_agreement.coefficients.registry import Coefficient
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.distances import Distance
from pandas_agreement.core.quantiles import least_agreement as least_agreement
from pandas_agreement.core.quantiles import t_quantile as t_quantile
from pandas_agreement.core.sums import divide
from pandas_agreement.inference.evaluation import Evaluation
from pandas_agreement.inference.standard_errors import Uncertainty, analytic, jackknife


def symmetric(value: Array, se: Array, quantile: Array) -> tuple[Array, Array]:
    """The estimate plus and minus t standard errors."""
    return value - quantile * se, value + quantile * se


def on_log_scale(value: Array, se: Array, quantile: Array) -> tuple[Array, Array]:
    """Symmetric for log(1 - value), so that the upper end stays below 1."""
    gap = 1 - value
    width = quantile * divide(se, gap)
    return 1 - gap * np.exp(width), 1 - gap * np.exp(-width)


#: method: (standard error, interval)
METHODS: dict[str, tuple[Callable[..., Uncertainty], Callable[..., tuple[Array, Array]]]] = {
    "analytic": (analytic, symmetric),
    "log": (analytic, on_log_scale),
    "jackknife": (jackknife, symmetric),
}


def interval(
    record: Coefficient, evaluation: Evaluation, known: Uncertainty, level: float, method: str
) -> tuple[Array, Array]:
    """Lower and upper limits: (G,), (G,)."""
    value, se = evaluation.value, known.se
    low, high = METHODS[method][1](value, se, t_quantile(known.df, level))
    return bounded(record, evaluation, known, level, low, high)


def bounded(
    record: Coefficient, evaluation: Evaluation, known: Uncertainty, level: float, low: Array, high: Array
) -> tuple[Array, Array]:
    """Limits within the range of the coefficient, with the rule for perfect agreement."""
    if record.perfect is not None:
        low, high = _at_the_boundary(record.perfect, evaluation, known, level, low, high)
    bottom, top = _limits(record, evaluation.statistics.distance)
    return np.clip(low, bottom, top), np.clip(high, bottom, top)


def _limits(record: Coefficient, distance: Distance) -> tuple[float, float]:
    """The range of the coefficient; bias can be negative when the distances allow it."""
    bottom, top = record.range
    return (-1.0 if record.perfect is None and not distance.negative_type else bottom), top


def _at_the_boundary(
    best: float, evaluation: Evaluation, known: Uncertainty, level: float, low: Array, high: Array
) -> tuple[Array, Array]:
    """Perfect agreement: no item varies, so the least agreement that could have looked perfect bounds it."""
    n = np.minimum(evaluation.statistics.n_items[1], known.df + 1)  # items, or clusters of them
    perfect = (evaluation.observed == 0) & (evaluation.value == best) & (n > 1)
    if not perfect.any():
        return low, high
    bound = evaluation.value_at((1 - least_agreement(n, level)) * evaluation.unit())
    return np.where(perfect, bound, low), np.where(perfect, best, high)
