"""Estimates that are compared with each other, and the differences between pairs of them.

The interval of a difference is made from the score intervals of both (Zou 2007), and its test from the same intervals:
the statistic is the t at which the interval ends at 0. Standard errors at the estimates themselves would be smallest
where an estimate is extreme by chance, 0 where agreement is perfect, and such a test rejects too often. A test of many
estimates at once uses the standard errors at their common value, from models of the labels. Coefficients without a
score interval keep their own standard errors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.coefficients.registry import Coefficient
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.classes import dataclass
from pandas_agreement.core.quantiles import t_quantile, t_tail
from pandas_agreement.core.remarks import Remarks, warn_undefined
from pandas_agreement.core.sums import divide
from pandas_agreement.inference.evaluation import Evaluation, Uncertainty
from pandas_agreement.inference.intervals import Curve
from pandas_agreement.inference.label_model import LabelModel, capped_ratio, fit
from pandas_agreement.results import frames, schemas

Tail = Callable[[Any, Callable[[Any], Any]], Any]
#: p-value of a statistic, from the lower tail of its distribution
TAILS: dict[str, Tail] = {
    "two-sided": lambda statistic, cdf: 2 * cdf(-np.abs(statistic)),
    "greater": lambda statistic, cdf: cdf(-statistic),
    "less": lambda statistic, cdf: cdf(statistic),
}
OF_CODERS = "coders", "groups of coders: see coder_groups"  # a remark
ROUNDING = 1e-14  # relative variance of a difference that can be a rounding error
STEPS = 4  # towards the common value, whose weights depend on it
DOUBLINGS, HALVINGS = 20, 60  # of t, in search of the interval that ends at 0


@dataclass(frozen=True, eq=False)
class Scored:
    """What the score intervals of estimates are made of, and the models of labels behind joint tests: (N,) each."""

    curve: Curve
    fall: Array  # how far the value falls if all items disagree, where agreement is perfect; NaN elsewhere
    units: Array  # items, or clusters of them
    model: LabelModel
    ratio: Array  # variance in the data to that of the models
    design: Array  # design effect of clusters

    @classmethod
    def of(cls, record: Coefficient, evaluation: Evaluation, uncertainty: Uncertainty) -> Scored:
        """Those of the groups of an evaluation."""
        curve = Curve.of(record, evaluation, uncertainty)
        perfect = (evaluation.observed == 0) & (evaluation.value == record.perfect)
        fall = np.where(perfect, divide(evaluation.unit(), evaluation.expected), np.nan)
        units = np.minimum(curve.n, uncertainty.df + 1)
        return cls(curve, fall, units, *fit(record, evaluation, uncertainty), uncertainty.design_effect)

    @classmethod
    def joined(cls, parts: Sequence[Scored]) -> Scored:
        curve, model = Curve.joined([part.curve for part in parts]), LabelModel.joined([part.model for part in parts])
        names = "fall", "units", "ratio", "design"
        arrays: Any = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
        return cls(curve=curve, model=model, **arrays)

    def arms(self, places: Array, t: Array, df: Array) -> tuple[Array, Array]:
        """How far the interval at t reaches below and above some estimates."""
        curve, fall = self.curve.take(places), self.fall[places]
        low, high = curve.limits(t)
        perfect, bound = np.isfinite(fall), fall * (1 - t_tail(t, df) ** divide(1.0, self.units[places]))
        return np.where(perfect, bound, curve.value - low), np.where(perfect, 0.0, high - curve.value)


@dataclass(frozen=True, eq=False)
class Estimates:
    """Estimates with what a test of their differences needs: (N,) each."""

    value: Array
    n: Array  # items
    se: Array  # 0 is no certainty, so a test has none
    df: Array
    scored: Scored | None = None  # None: only the own standard errors are known

    @classmethod
    def of(cls, record: Coefficient, evaluation: Evaluation, uncertainty: Uncertainty) -> Estimates:
        """Those of the groups of an evaluation."""
        n, scored = evaluation.statistics.n_items[1], None
        if record.at_shares is not None:
            scored = Scored.of(record, evaluation, uncertainty)
        return cls(evaluation.value, n, uncertainty.se, uncertainty.df, scored)

    @property
    def testable(self) -> Array:
        """Which estimates can be compared with others: (N,) of bool."""
        known = ~np.isnan(self.value) & (self.n > 1)
        return known & (self.scored.model.largest > 0 if self.scored is not None else self.se > 0)

    def at_common_value(self, members: Array) -> Array:
        """Standard errors of sets of estimates (S, M) if the estimates of a set have the same true value."""
        if self.scored is None:
            return np.where(self.se > 0, self.se, np.nan)[members]
        estimate, model = self.value[members], self.scored.model.take(members)
        n = np.where(self.n > 1, self.n, np.nan)[members]
        total = n.sum(-1, keepdims=True)
        averaged = self.scored.ratio[members], model.diversity, estimate
        mean = [divide((n * each).sum(-1, keepdims=True), total) for each in averaged]
        ratio, value = capped_ratio(mean[0], total, mean[1]) * self.scored.design[members], mean[2]
        for _ in range(STEPS):
            weight = divide(n, model.variance_at(model.level(value)))
            value = divide((weight * estimate).sum(-1, keepdims=True), weight.sum(-1, keepdims=True))
        return np.sqrt(divide(ratio * model.variance_at(model.level(value)), n))


def joined(parts: Sequence[Estimates]) -> Estimates:
    """Several estimates of each group as one: those of the first part come first."""
    value, n, se, df = (np.concatenate([getattr(part, name) for part in parts]) for name in ("value", "n", "se", "df"))
    scored = [part.scored for part in parts if part.scored is not None]
    return Estimates(value, n, se, df, Scored.joined(scored) if len(scored) == len(parts) else None)


def differences(
    estimates: Estimates, first: Array, second: Array, r: Array | float, tail: Tail, ci: float | None
) -> dict[str, Array]:
    """The columns of differences between pairs of estimates, whose correlation is `r`."""
    from scipy.special import stdtr

    value = estimates.value
    difference = value[first] - value[second]
    compared = _by_standard_errors if estimates.scored is None else _by_intervals
    se, df, statistic, low, high = compared(estimates, first, second, r, ci)
    return {
        "estimate_1": value[first],
        "estimate_2": value[second],
        "difference": difference,
        "difference_low": low,
        "difference_high": high,
        "se": se,
        "statistic": statistic,
        "df": df,
        "p_value": tail(statistic, lambda x: stdtr(np.maximum(df, 1), x)),
        "ci_level": np.full(difference.shape, np.nan if ci is None else ci),
    }


def _by_standard_errors(
    estimates: Estimates, first: Array, second: Array, r: Array | float, ci: float | None
) -> tuple[Array, ...]:
    """Standard error, degrees of freedom, t and symmetric limits of differences."""
    difference, se = estimates.value[first] - estimates.value[second], np.where(estimates.se > 0, estimates.se, np.nan)
    error, df = _apart(se[first], se[second], r), np.minimum(estimates.df[first], estimates.df[second])
    width = np.full(difference.shape, np.nan) if ci is None else t_quantile(df, ci) * error
    return error, df, divide(difference, error), difference - width, difference + width


def _by_intervals(
    estimates: Estimates, first: Array, second: Array, r: Array | float, ci: float | None
) -> tuple[Array, ...]:
    """The same from score intervals; the statistic is the t at which the interval ends at 0."""
    scored: Any = estimates.scored
    difference = estimates.value[first] - estimates.value[second]
    variance = divide(scored.curve.variance, scored.curve.n)
    a, b = variance[first], variance[second]
    df = divide((a + b) ** 2, divide(a**2, estimates.df[first]) + divide(b**2, estimates.df[second]))
    higher, lower = np.where(difference < 0, (second, first), (first, second))

    def reach(t: Array, upper: Array, under: Array) -> Array:
        """How far an interval reaches from the difference of two estimates towards lower differences."""
        return _apart(scored.arms(upper, t, df)[0], scored.arms(under, t, df)[1], r)

    error = _apart(np.sqrt(a), np.sqrt(b), r)
    statistic = np.sign(difference) * _largest_t(lambda t: reach(t, higher, lower) < np.abs(difference), df)
    statistic = np.where(error > 0, statistic, np.nan)  # the same labels twice
    t = np.full(difference.shape, np.nan) if ci is None else t_quantile(df, ci)
    low, high = difference - reach(t, first, second), difference + reach(t, second, first)
    return error, df, statistic, low, high


def _largest_t(is_outside: Callable[[Array], Array], df: Array) -> Array:
    """The t up to which 0 is outside of the interval, infinite if it always is; NaN without degrees of freedom."""
    inside, outside = np.ones(df.shape), np.zeros(df.shape)
    for _ in range(DOUBLINGS):
        inside = np.where(is_outside(inside), 2 * inside, inside)
    never = is_outside(inside)
    for _ in range(HALVINGS):
        t = (inside + outside) / 2
        further = is_outside(t)
        inside, outside = np.where(further, inside, t), np.where(further, t, outside)
    return np.where(df > 0, np.where(never, np.inf, inside), np.nan)


def _apart(one: Array, other: Array, r: Array | float) -> Array:
    """Root of the variance of a difference; exactly 0 for an estimate minus itself."""
    total, shared = one**2 + other**2, 2 * r * one * other
    return np.sqrt(np.where(total - shared <= ROUNDING * total, 0.0, total - shared))


# -------------------------------------------------------------------------------------- what estimates have in common


@dataclass(frozen=True, eq=False)
class Influences:
    """Influence values of estimates by independent unit, an item or a cluster; estimates that share units correlate."""

    table: Any  # sparse: (estimates, units)

    @classmethod
    def of(cls, estimate: Array, unit: Array, value: Array, n_estimates: int) -> Influences:
        """From the influence of items (N,), which are summed over their unit."""
        from scipy import sparse

        shape = n_estimates, int(unit.max(initial=-1)) + 1
        return cls(sparse.csr_array((value, (estimate, unit)), shape=shape))

    @property
    def n_units(self) -> Array:
        """The number of units behind each estimate."""
        return np.diff(self.table.indptr).astype(np.int64)

    def products(self, first: Array, second: Array) -> Array:
        """Sums of the products of pairs of estimates, of any shape."""
        first, second = np.broadcast_arrays(first, second)
        one, two = self.table[first.ravel()], self.table[second.ravel()]
        return np.asarray(one.multiply(two).sum(axis=1)).reshape(first.shape)

    def correlations(self, first: Array, second: Array) -> Array:
        """Those of pairs of estimates, 0 if one does not vary."""
        scale = np.sqrt(self.products(first, first) * self.products(second, second))
        return np.clip(np.nan_to_num(divide(self.products(first, second), scale)), -1.0, 1.0)


def warn_of_undefined(difference: Array) -> None:
    """Warn of differences whose coefficients are undefined."""
    undefined = int(np.isnan(difference).sum())
    warn_undefined(Counter({"a coefficient is undefined": undefined}), difference.size, "difference")


def contrast_frame(
    columns: Mapping[str, Array],
    labels: Sequence[tuple[Any, Any]],
    groups: pd.Index | None,
    of_coders: bool = False,
    between: Mapping[str, Sequence[Any]] | None = None,
) -> pd.DataFrame:
    """The differences of each group, (G, rows); `labels` say what is compared in each row, or in some of them.

    The level `between` group and labels has one entry for each repetition of the labels. Groups may be of coders.
    """
    flat: dict[str, Any] = {name: values.ravel() for name, values in columns.items()}
    n, unknown = len(flat["p_value"]), np.isnan(flat["p_value"])
    remarks = Remarks(n).add(unknown, "not tested", "no difference can be tested")
    flat |= remarks.add(of_coders, *OF_CODERS).columns()
    flat["n_items"] = np.nan_to_num(flat["n_items"])
    times, n_groups = n // max(len(labels), 1), len(columns["p_value"])
    levels: dict[str, Any] = dict(between or {})
    levels |= {"first": [a for a, _ in labels] * times, "second": [b for _, b in labels] * times}
    keys = None if groups is None else groups.repeat(n // max(n_groups, 1))
    return frames.result(frames.index_of(keys, levels), flat, schemas.CONTRASTS)
