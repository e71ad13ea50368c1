"""Two models of labels, and the variance of a coefficient under them: for tests of several estimates at once.

Every coder copies the truth with probability c and else draws from the category shares, or an item is easy (all know
it) with probability c^2 and else all draw from the shares. Both give the pairs of coders the level of agreement
L = c^2. The variance of an item's influence is the mean of the two, corrected by what the data show. Two coders and two
categories are the case of Bloch and Kraemer (1989). Only numpy here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.polynomial import Polynomial

from pandas_agreement.coefficients.registry import Coefficient
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.classes import dataclass
from pandas_agreement.core.item_statistics import ItemStatistics, ValueStatistics
from pandas_agreement.core.sums import divide, dot, pooled_shares
from pandas_agreement.inference.evaluation import Evaluation, Uncertainty

MAX_RATIO = 4.0  # of the variance in the data to that of the models
DEGREE = 6  # of V as a polynomial in c

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
class LabelModel:
    """The models of labels at the category shares and item sizes of each group: (G,) each, polynomials (7, G)."""

    largest: Array  # d1: mean distance of two labels drawn from the shares
    expected: Array  # D_e of the coefficient at these shares
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

    @classmethod
    def joined(cls, models: Sequence[LabelModel]) -> LabelModel:
        """The models of the groups of one after another."""
        arrays: Any = {name: np.concatenate([getattr(model, name) for model in models], -1) for name in ARRAYS}
        return replace(models[0], **arrays)

    def take(self, groups: Array) -> LabelModel:
        """The models of some groups, in any arrangement."""
        arrays: Any = {name: getattr(self, name)[..., groups] for name in ARRAYS}
        return replace(self, **arrays)

    def variance_at(self, level: Array) -> Array:
        """Variance of the influence of an item at a level of agreement, which may be below 0."""
        found = np.maximum(evaluate_at(self.variance, powers_of(strength(level))), 0.0)
        return found * np.where(level < 0, 1 - level, 1.0) if self.grows else found


ARRAYS = ("largest", "expected", "variance", "diversity")  # the fields of `LabelModel` by group


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


def model_of(record: Coefficient, evaluation: Evaluation) -> LabelModel:
    """The models of labels for a coefficient that has its chance model at pooled shares."""
    if record.at_shares is None:
        raise TypeError(f"{record.name} has no chance model at pooled shares")
    statistics = evaluation.statistics
    sums = statistics.sums
    moments = moments_of(record, statistics)
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
    return LabelModel(d1, expected, variance, 1 - same, record.depends_on_k)


class ShareMoments(NamedTuple):
    """Of labels k, l drawn from the shares p, with the distance d = d[k, l], D = Dp and the slope g of D_e: (G,)."""

    d1: Array  # mean of d
    d2: Array  # of d^2
    d3: Array  # of D^2
    expected: Array  # D_e
    h1: Array  # mean of g
    h2: Array  # of g^2
    dh: Array  # of g D
    same: Array  # probability that the labels are equal


def moments_of(record: Coefficient, statistics: ItemStatistics) -> ShareMoments:
    """The moments of a coefficient that has its chance model at pooled shares."""
    return _of_values(statistics) if isinstance(statistics, ValueStatistics) else _of_shares(record, statistics)


def _of_shares(record: Coefficient, statistics: ItemStatistics) -> ShareMoments:
    sums, distance = statistics.sums, statistics.distance
    p = pooled_shares(sums)
    Dp = distance.apply(p)
    expected, g = record.at_shares(p, distance, Dp)  # type: ignore[misc]
    p_Dp, p_g = p * Dp, p * g
    of_distance = dot(p, Dp), distance.mean_square(p), dot(p_Dp, Dp)
    return ShareMoments(*of_distance, expected, dot(p, g), dot(p_g, g), dot(p_g, Dp), dot(p, p))


def _of_values(statistics: ValueStatistics) -> ShareMoments:
    """The same of interval alpha: with variance v and fourth moment f, D = (x - mean)^2 + v and g = 2 D."""
    d1, f = statistics.sums.mean_distance, statistics.fourth_moment()
    d3 = f + 0.75 * d1**2
    return ShareMoments(d1, 2 * f + 1.5 * d1**2, d3, d1, 2 * d1, 4 * d3, 2 * d3, statistics.ties())


def fit(record: Coefficient, evaluation: Evaluation, uncertainty: Uncertainty) -> tuple[LabelModel, Array]:
    """The models of labels, and the ratio of the variance in the data to theirs: (G,) each."""
    model, n = model_of(record, evaluation), evaluation.statistics.n_items[1]
    ratio = divide(n * uncertainty.of_independent**2, model.variance_at(model.level(evaluation.value)))
    return model, np.where(np.isfinite(ratio), ratio, 1.0)


def capped_ratio(ratio: Array, n: Array, diversity: Array) -> Array:
    """The ratio of variances as far as n items allow: more than the models say up to a limit, less with caution."""
    slack = divide(1.0, diversity * np.sqrt(n))
    return np.where(ratio >= 1, np.minimum(ratio, MAX_RATIO), np.minimum(ratio + slack, 1.0))
