"""Agreement of numeric ratings, measured on their own scale.

Two coders, all pairs at once: Lin's concordance correlation, and Bland and Altman's limits of agreement. Any number of
coders: the overall concordance correlation, which is kappa with quadratic weights.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pandas_agreement.coefficients.crossed import ratio, within_items
from pandas_agreement.counts import spread
from pandas_agreement.quantiles import normal_quantile, perfect_bound, t_quantile, t_test
from pandas_agreement.tally import divide
from pandas_agreement.values import Pairing, Values, centre, span

Array = NDArray[Any]


@dataclass(frozen=True)
class Moments:
    """Means, variances and covariance of two coders over the items that both rated, divided by n: (P,) each."""

    n: Array
    shift: Array  # mean of x less mean of y
    sxx: Array
    syy: Array
    sxy: Array

    @classmethod
    def of(cls, pairs: Pairing, x: Array | None = None, y: Array | None = None) -> Moments:
        """Of the numbers of the pairs, or of others in their place."""
        x, y = pairs.x if x is None else x, pairs.y if y is None else y
        n, shift = pairs.sizes, divide(pairs.sum(x - y), pairs.sizes)
        x, y = (centre(numbers, pairs.pair, pairs.n_pairs)[0] for numbers in (x, y))
        sxx, syy, sxy = (divide(pairs.sum(product), n) for product in (x * x, y * y, x * y))
        return cls(n, shift, sxx, syy, sxy)

    @cached_property
    def r(self) -> Array:
        """Pearson's correlation, exactly 1 or -1 if only rounding is missing."""
        r = divide(self.sxy, np.sqrt(self.sxx) * np.sqrt(self.syy))
        return np.where(1 - np.abs(r) < 1e-14, np.sign(r), r)


# ----------------------------------------------------------------------------------------------- two coders: agreement


@dataclass(frozen=True)
class CCC:
    """Lin's concordance correlation and its two factors, precision and accuracy: (P,) each."""

    value: Array
    low: Array
    high: Array
    se: Array
    rho: Array  # Pearson's correlation: how close to a line
    accuracy: Array  # C_b: how close that line is to equality
    location_shift: Array  # u, in units of the geometric mean of the standard deviations
    scale_shift: Array  # v, the ratio of the standard deviations
    n: Array


def ccc(pairs: Pairing, level: float = 0.95) -> CCC:
    """Lin's concordance correlation of two coders: 2 s_xy / (s_xx + s_yy + (m_x - m_y)^2), moments divided by n.

    The same number as kappa with quadratic weights. Variance as corrected in 2000, interval on Fisher's z scale. Where
    agreement is perfect the lower limit is the bound that kappa has there; a constant coder has no interval.

    Lin, L. I. (1989). A concordance correlation coefficient to evaluate reproducibility. Biometrics 45, 255-268;
    correction 56 (2000), 324-325.

    Examples
    --------
    >>> columns = np.array([1.0, 2, 3, 4, 5]), np.array([1.0, 2, 4, 4, 6])
    >>> ccc(Values.from_columns(columns).pairs()).value.round(3)
    array([0.923])
    """
    m = Moments.of(pairs)
    expected = m.sxx + m.syy + m.shift**2  # disagreement expected by chance
    value = divide(2 * m.sxy, expected)
    scale = np.sqrt(m.sxx) * np.sqrt(m.syy)
    accuracy = divide(2 * scale, expected)  # C_b
    u = divide(m.shift, np.sqrt(scale))
    se = np.sqrt(np.maximum(_lin_variance(value, m.r, accuracy, u, m.n), 0.0))
    perfect = value == 1
    low, high = on_z_scale(value, divide(se, 1 - value**2), normal_quantile(level))
    bound = perfect_bound(m.n, span(pairs.x, pairs.pair, pairs.n_pairs), expected, level)
    low, high = np.where(perfect, bound, low), np.where(perfect, 1.0, high)
    return CCC(value, low, high, se, m.r, accuracy, u, divide(np.sqrt(m.sxx), np.sqrt(m.syy)), m.n)


def _lin_variance(value: Array, r: Array, accuracy: Array, u: Array, n: Array) -> Array:
    """Written in C_b = value / r, which does not break down at r = 0."""
    shape = (1 - r**2) * accuracy**2 * (1 - value**2)
    shift = 2 * accuracy * value**2 * (1 - value) * u**2 - accuracy**2 * value**2 * u**4 / 2
    return divide(shape + shift, np.maximum(n - 2, 0))


def on_z_scale(r: Array, se: Array, quantile: Array | float) -> tuple[Array, Array]:
    """Limits that are symmetric for atanh(r); none at -1 and 1."""
    inside = np.abs(r) < 1
    z = np.arctanh(np.where(inside, r, 0.0))
    width = np.where(inside, quantile * se, np.nan)
    return np.tanh(z - width), np.tanh(z + width)


@dataclass(frozen=True)
class LimitsOfAgreement:
    """Bland and Altman: the mean difference, the range that holds most differences, all with intervals: (P,) each."""

    value: Array  # bias: mean of the first coder less the second
    low: Array
    high: Array
    sd: Array  # of the differences
    lower: Array
    lower_low: Array
    lower_high: Array
    upper: Array
    upper_low: Array
    upper_high: Array
    statistic: Array  # t test of no bias
    df: Array
    p: Array
    n: Array


def bland_altman(pairs: Pairing, level: float = 0.95, share: float = 0.95) -> LimitsOfAgreement:
    """Between which limits lies a `share` of the differences of two coders? Bias +- 1.96 sd for 95 %.

    Intervals of bias and limits with Student's t; the variance of a limit is sd^2 (1 / n + z^2 / (2 (n - 1))).

    Bland, J. M. and Altman, D. G. (1999). Measuring agreement in method comparison studies. Statistical Methods in
    Medical Research 8, 135-160.

    Examples
    --------
    >>> columns = np.array([1.0, 2, 3, 4, 5]), np.array([1.0, 2, 4, 4, 6])
    >>> limits = bland_altman(Values.from_columns(columns).pairs())
    >>> np.concatenate([limits.lower, limits.value, limits.upper]).round(3)
    array([-1.474, -0.4  ,  0.674])
    """
    n, df = pairs.sizes, pairs.sizes - 1
    left, bias = centre(pairs.x - pairs.y, pairs.pair, pairs.n_pairs)
    sd = np.sqrt(divide(pairs.sum(left**2), np.maximum(df, 0)))
    z, t = normal_quantile(share), t_quantile(df, level)
    se = sd * np.sqrt(divide(np.ones_like(n), n))
    wide = t * sd * np.sqrt(divide(np.ones_like(n), n) + divide(np.full(n.shape, z * z / 2), df))
    lower, upper = bias - z * sd, bias + z * sd
    statistic = np.sign(bias) * ratio(np.abs(bias), se)
    return LimitsOfAgreement(
        *(bias, bias - t * se, bias + t * se, sd),
        *(lower, lower - wide, lower + wide),
        *(upper, upper - wide, upper + wide),
        *(statistic, df, t_test(statistic, df), n),
    )


# --------------------------------------------------------------------------------------------- any number of coders


@dataclass(frozen=True)
class OCCC:
    """Overall concordance correlation: (G,) each, and the influence of each item on it: (I,)."""

    value: Array
    low: Array
    high: Array
    se: Array
    n: Array  # items with two or more ratings
    influence: Array


def occc(values: Values, level: float = 0.95) -> OCCC:
    """Overall concordance correlation of any number of coders: kappa with quadratic weights on numbers.

    1 - D_o / D_e: the mean squared difference of two ratings of an item, over that of two coders who rate at random,
    each with their own mean and variance. Only items with two or more ratings count. The standard error comes from the
    influence of the items, so it assumes no distribution; the interval is on Fisher's z scale with Student's t.

    Barnhart, H. X., Haber, M. and Song, J. (2002). Overall concordance correlation coefficient for evaluating
    agreement among multiple observers. Biometrics 58, 1020-1027.

    Examples
    --------
    >>> columns = np.array([1.0, 2, 3, 4, 5]), np.array([1.0, 2, 4, 4, 6]), np.array([1.0, 3, 3, 4, 5])
    >>> occc(Values.from_columns(columns)).value.round(3)
    array([0.913])
    """
    pairable, influence = values.sizes >= 2, np.zeros(values.n_items)
    values = values.select(pairable)
    n, group = values.sum(np.ones(values.n_items)), values.group
    within, squares = within_items(values)
    observed = 2 * values.per_item(within**2) / np.maximum(values.sizes - 1, 1)  # (I,)
    D_o = np.where(squares > 0, divide(values.sum(observed), n), 0.0)
    D_e, by_rating = _expected_difference(values, n)
    quotient = divide(D_o, D_e)
    change = observed - spread(D_o, group) - spread(quotient, group) * values.per_item(by_rating)
    influence[pairable] = -divide(change, spread(D_e, group))
    se = np.sqrt(divide(values.sum(influence[pairable] ** 2), n * (n - 1)))
    value = 1 - quotient
    low, high = on_z_scale(value, divide(se, 1 - value**2), t_quantile(n - 1, level))
    bound = perfect_bound(n, span(values.centred, values.owner, values.n_groups), D_e, level)
    return OCCC(value, np.where(value == 1, bound, low), np.where(value == 1, 1.0, high), se, n, influence)


def _expected_difference(values: Values, n: Array) -> tuple[Array, Array]:
    """Squared difference of two coders who rate at random: (G,), and what a rating of an item adds to it: (N,)."""
    C = values.n_coders_at_work.astype(float)
    left, mean = centre(values.centred, values.cell, len(values.cell_owner))  # (N,), (M,)
    variance = values.per_cell(left**2) / np.maximum(values.cell_sizes, 1)
    offset = mean - divide(values.over_cells(mean), C)[values.cell_owner]
    of_variance, of_offset = divide(np.full(C.shape, 2.0), C), divide(np.full(C.shape, 2.0), C - 1)
    D_e = of_variance * values.over_cells(variance) + of_offset * values.over_cells(offset**2)
    owner, cell = values.owner, values.cell
    change = of_variance[owner] * (left**2 - variance[cell]) + 2 * of_offset[owner] * offset[cell] * left
    return D_e, change * n[owner] / values.cell_sizes[cell]
