"""The score interval: the values k that the estimate does not contradict, (estimate - k)^2 <= t^2 V(k) / n.

V(k) is the variance of an item's influence if the true value is k. It comes from two models of labels: every coder
copies the truth with probability c and else draws from the category shares, or an item is easy (all know it) with
probability c^2 and else all draw from the shares. Both give the pairs of coders the level of agreement L = c^2; V is
the mean of the two, corrected by what the data show. Idea: Bloch and Kraemer (1989), Donner and Eliasziw (1992), who
have the case of two coders and two categories. Only numpy here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.polynomial import Polynomial

from pandas_agreement.coefficients.registry import Coefficient
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.item_statistics import ItemStatistics
from pandas_agreement.core.quantiles import normal_quantile, t_quantile
from pandas_agreement.core.sums import divide, dot
from pandas_agreement.core.values import ValueStatistics
from pandas_agreement.inference.evaluation import Evaluation
from pandas_agreement.inference.standard_errors import Uncertainty

MAX_RATIO = 4.0  # of the variance in the data to that of the models
FEW_DISAGREEMENTS = 4.0  # below this number of disagreeing items the upper limit is that of a rare event
NODES = np.linspace(0.0, 1.0, 33)  # values of c between which the limits are searched
DEGREE = 6  # of V as a polynomial in c
POWERS = NODES[:, None] ** np.arange(DEGREE + 1)
ORDERS = np.arange(1.0, DEGREE + 1)[:, None]  # factors of the derivative
MAX_STEPS = 60  # of Newton's method; from the node beyond a narrow interval it takes a step for each halving
CLOSE = 1e-4  # a step so much smaller than the distance from the estimate is the last

_C = Polynomial([0.0, 1.0])
_DIFFERENT = 1 - _C**2  # two labels are not both copies
_ONE_COPIED = _C**2 * (1 - _C)
_ONE_GUESSED = ((1 - _C) ** 2 * (1 + 2 * _C) + _DIFFERENT) / 2
_TWO_GUESSED = ((1 - _C) ** 3 * (1 + 3 * _C) + _DIFFERENT) / 2


def _table(polynomials: list[Polynomial]) -> Array:
    """The coefficients of polynomials in c: (DEGREE + 1, number)."""
    return np.stack([np.pad(each.coef, (0, DEGREE + 1 - len(each.coef))) for each in polynomials], -1)


#: the squared disagreement of an item as polynomials in c
SQUARE = _table([_DIFFERENT, _ONE_COPIED / 2, _ONE_GUESSED, 2 * _C**2 * (1 - _C) ** 2, _TWO_GUESSED])
#: the rest of its variance: squared mean, covariance with the shares, variance of the shares
REST = _table(
    [
        _DIFFERENT**2,
        _DIFFERENT * _ONE_COPIED,
        _DIFFERENT * _ONE_GUESSED,
        _DIFFERENT**2 * _C**2,
    ]
)


@dataclass(frozen=True, eq=False)
class Law:
    """The models of labels at the category shares and item sizes of each group: (G,) each, polynomials (7, G)."""

    largest: Array  # d1: mean distance of two labels drawn from the shares
    expected: Array  # D_e of the coefficient at these shares
    square: Array  # polynomial: mean squared disagreement of an item
    variance: Array  # polynomial: variance V of its influence
    diversity: Array  # 1 - sum of squared shares
    grows: bool  # below L = 0 the variance is V(0) (1 - L), else V(0)

    @cached_property
    def unit(self) -> Array:
        """How far the value of the coefficient falls if the level of agreement falls by 1."""
        return divide(self.largest, self.expected)

    def level(self, value: Array) -> Array:
        """The level of agreement L of the pairs at a value of the coefficient."""
        return 1 - divide(1 - value, self.unit)

    def value(self, level: Array) -> Array:
        return 1 - (1 - level) * self.unit

    @classmethod
    def joined(cls, laws: Sequence[Law]) -> Law:
        """The models of the groups of one after another."""
        arrays: Any = {name: np.concatenate([getattr(law, name) for law in laws], -1) for name in ARRAYS}
        return replace(laws[0], **arrays)

    def take(self, groups: Array) -> Law:
        """The models of some groups, in any arrangement."""
        arrays: Any = {name: getattr(self, name)[..., groups] for name in ARRAYS}
        return replace(self, **arrays)

    def variance_at(self, level: Array) -> Array:
        """Variance of the influence of an item at a level of agreement, which may be below 0."""
        found = np.maximum(evaluate_at(self.variance, powers_of(strength(level))), 0.0)
        return found * np.where(level < 0, 1 - level, 1.0) if self.grows else found

    def square_at(self, level: Array) -> Array:
        """Mean squared disagreement of an item at a level of agreement, which may be below 0."""
        return evaluate_at(self.square, powers_of(strength(level))) * np.where(level < 0, 1 - level, 1.0)


ARRAYS = ("largest", "expected", "square", "variance", "diversity")  # the fields of `Law` by group


def strength(level: Array) -> Array:
    """The probability c of a copy at a level of agreement, 0 below 0."""
    return np.sqrt(np.minimum(np.maximum(level, 0.0), 1.0))


def powers_of(c: Array) -> Array:
    """The powers 0 to DEGREE of c: (DEGREE + 1, ...)."""
    powers = np.empty((DEGREE + 1, *c.shape))
    powers[0], powers[1:] = 1.0, c
    return np.multiply.accumulate(powers, out=powers)


def evaluate_at(polynomial: Array, powers: Array) -> Array:
    """Polynomials (number, G) at the powers (number, ..., G) of c, by their sum: Horner's rule takes more steps."""
    return np.einsum("p...,p...->...", polynomial, powers)


def law_of(record: Coefficient, evaluation: Evaluation) -> Law:
    """The models of labels for a coefficient that has its chance model at pooled shares."""
    if record.at_shares is None:
        raise TypeError(f"{record.name} has no chance model at pooled shares")
    statistics = evaluation.statistics
    sums = statistics.sums
    moments = _of_values(statistics) if isinstance(statistics, ValueStatistics) else _of_shares(record, statistics)
    d1, d2, d3, expected, h1, h2, dh, same = moments
    mean_weight = divide(sums.pairable, statistics.n_items[1])  # of an item: 1, for alpha its mean number of labels
    w, a, i = divide(statistics.size_sums, statistics.n_items[1] * mean_weight**2)
    b, e = 4 * i - 2 * a, w - 4 * i + a  # pairs of pairs of labels that share one label, or none
    square = SQUARE @ np.array([a * d2, b * d2, b * d3, e * d3, e * d1**2])
    k1 = divide(d1, expected)
    rest = [
        -w * d1**2 - 2 * k1 * (2 * i * dh - w * d1 * h1) + k1**2 * (h2 - h1**2) * i,
        -2 * k1 * (w - 2 * i) * dh,
        -2 * k1 * (w - 2 * i) * d1 * h1,
        k1**2 * (h2 - h1**2) * (w - i),
    ]
    variance = divide(square + REST @ np.array(rest), expected**2)
    return Law(d1, expected, square, variance, 1 - same, record.depends_on_k)


class Moments(NamedTuple):
    """Of labels k, l drawn from the shares p, with the distance d = d[k, l], D = Dp and the slope g of D_e: (G,)."""

    d1: Array  # mean of d
    d2: Array  # of d^2
    d3: Array  # of D^2
    expected: Array  # D_e
    h1: Array  # mean of g
    h2: Array  # of g^2
    dh: Array  # of g D
    same: Array  # probability that the labels are equal


def _of_shares(record: Coefficient, statistics: ItemStatistics) -> Moments:
    sums, distance = statistics.sums, statistics.distance
    totals = sums.totals if sums.coders is None else sums.coders.sum(-2)
    p = divide(totals, totals.sum(-1, keepdims=True))
    Dp = distance.apply(p)
    expected, g = record.at_shares(p, distance, Dp)  # type: ignore[misc]
    p_Dp, p_g = p * Dp, p * g
    of_distance = dot(p, Dp), distance.mean_square(p), dot(p_Dp, Dp)
    return Moments(*of_distance, expected, dot(p, g), dot(p_g, g), dot(p_g, Dp), dot(p, p))


def _of_values(statistics: ValueStatistics) -> Moments:
    """The same of interval alpha: with variance v and fourth moment f, D = (x - mean)^2 + v and g = 2 D."""
    d1, f = statistics.sums.mean_distance, statistics.fourth_moment()
    d3 = f + 0.75 * d1**2
    return Moments(d1, 2 * f + 1.5 * d1**2, d3, d1, 2 * d1, 4 * d3, 2 * d3, statistics.ties())


def score(record: Coefficient, evaluation: Evaluation, uncertainty: Uncertainty, level: float) -> tuple[Array, Array]:
    """Lower and upper limits: (G,), (G,)."""
    return limits_of(*fit(record, evaluation, uncertainty), evaluation, uncertainty, level)


def limits_of(
    law: Law, ratio: Array, design: Array, evaluation: Evaluation, uncertainty: Uncertainty, level: float
) -> tuple[Array, Array]:
    """Lower and upper limits from the models that were fitted: (G,), (G,)."""
    n = evaluation.statistics.n_items[1]
    ratio = believed(ratio, n, law.diversity) * design
    with np.errstate(invalid="ignore"):  # groups without an estimate stay NaN
        low, high = outermost(law, evaluation.value, divide(t_quantile(uncertainty.df, level) ** 2 * ratio, n))
        return low, np.maximum(high, _of_rare_event(law, evaluation, ratio, level))


def fit(record: Coefficient, evaluation: Evaluation, uncertainty: Uncertainty) -> tuple[Law, Array, Array]:
    """The models of labels, the ratio of the variance in the data to theirs, and the design effect: (G,) each."""
    law, n = law_of(record, evaluation), evaluation.statistics.n_items[1]
    of_items = uncertainty.se if uncertainty.of_items is None else uncertainty.of_items
    ratio = divide(n * of_items**2, law.variance_at(law.level(evaluation.value)))
    return law, np.where(np.isfinite(ratio), ratio, 1.0), _design_effect(uncertainty)


def _design_effect(uncertainty: Uncertainty) -> Array:
    """How many times larger clusters make the variance: (G,)."""
    if uncertainty.of_items is None:
        return np.ones(uncertainty.se.shape)
    effect = divide(uncertainty.se, uncertainty.of_items) ** 2
    return np.where(np.isfinite(effect), effect, 1.0)


def believed(ratio: Array, n: Array, diversity: Array) -> Array:
    """The ratio of variances as far as n items allow: more than the models say up to a limit, less with caution."""
    slack = divide(1.0, diversity * np.sqrt(n))
    return np.where(ratio >= 1, np.minimum(ratio, MAX_RATIO), np.minimum(ratio + slack, 1.0))


def _of_rare_event(law: Law, evaluation: Evaluation, ratio: Array, level: float) -> Array:
    """Upper limit if few items disagree, their number being like that of a rare event; -inf if there are many."""
    value, n = evaluation.value, evaluation.statistics.n_items[1]
    square = law.square_at(law.level(value))
    events = np.maximum(divide(n * evaluation.observed**2, ratio * square), 1.0)  # as many independent items
    z = normal_quantile(2 * level - 1)
    lower = (1 - 1 / (9 * events) - z / (3 * np.sqrt(events))) ** 3  # Wilson and Hilferty (1931)
    return np.where(events < FEW_DISAGREEMENTS, 1 - (1 - value) * lower, -np.inf)


def outermost(law: Law, value: Array, scale: Array) -> tuple[Array, Array]:
    """The least and the largest k with (value - k)^2 <= scale V(k): (G,), (G,)."""
    level = law.level(value)  # value - k is the unit times c^2 - level
    inside = (law.unit * (NODES[:, None] ** 2 - level)) ** 2 <= scale * (POWERS @ law.variance)  # (nodes, G)
    own = strength(level)  # the estimate itself is inside
    some = inside.any(0)
    first = np.where(some, np.minimum(NODES[inside.argmax(0)], own), own)
    last = np.where(some, np.maximum(NODES[::-1][inside[::-1].argmax(0)], own), own)
    beyond = np.array([np.ceil(first / NODES[1]) - 1, np.floor(last / NODES[1]) + 1]) * NODES[1]  # the next nodes
    c = _between(law, level, scale, np.array([first, last]), np.minimum(np.maximum(beyond, 0.0), 1.0))
    low, high = law.value(c**2)
    below = _below_zero(law, value, scale)
    negative = level < 0
    return np.where(negative | (first == 0), below[0], low), np.where(negative & ~some, below[1], high)


def _between(law: Law, level: Array, scale: Array, inside: Array, outside: Array) -> Array:
    """The c at which each limit lies, between one c inside and one outside: Newton's method from outside, kept between.

    It starts at twice the width at the estimate if that is outside, and so near enough however narrow the interval is.
    """
    low, high, own = np.minimum(inside, outside), np.maximum(inside, outside), strength(level)
    variance, slope = scale * law.variance, scale * law.variance[1:] * ORDERS

    def excess(c: Array) -> tuple[Array, Array]:
        """(value - k)^2 - scale V(k), positive outside of the interval, and its slope."""
        powers, away = powers_of(c), law.unit * (c**2 - level)
        return away**2 - evaluate_at(variance, powers), 4 * law.unit * c * away - evaluate_at(slope, powers[:-1])

    width = 2 * divide(np.sqrt(scale * law.variance_at(level)), law.unit)
    near = np.fmax(np.fmin(strength(np.array([level - width, level + width])), high), low)
    c = np.where(excess(near)[0] > 0, near, outside)
    going = np.ones(c.shape, bool)
    for _ in range(MAX_STEPS):
        step = divide(*excess(c))
        before, c = c, np.where(going, np.fmax(np.fmin(c - step, high), low), c)  # each group to its own end
        going &= np.abs(c - before) > CLOSE * np.abs(c - own)
        if not going.any():
            break
    return c


def _below_zero(law: Law, value: Array, scale: Array) -> tuple[Array, Array]:
    """The limits where L is below 0 and the variance is V(0), or V(0) (1 - L)."""
    at_zero = scale * law.variance[0]
    if not law.grows:
        return value - np.sqrt(at_zero), value + np.sqrt(at_zero)
    half = divide(at_zero, law.unit) / 2
    centre, width = value - half, np.sqrt(2 * half * (1 - value) + half**2)
    return centre - width, centre + width
