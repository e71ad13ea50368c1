"""Confidence intervals from standard errors, within the range of the coefficient. Only numpy here."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pandas_agreement.coefficients.registry import Coefficient
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.quantiles import least_agreement, t_quantile
from pandas_agreement.core.sums import divide
from pandas_agreement.inference.evaluation import Evaluation, Uncertainty, analytic, jackknife
from pandas_agreement.inference.score import score

ROUNDING = 1e-12  # a value so little below the range is at its end


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
