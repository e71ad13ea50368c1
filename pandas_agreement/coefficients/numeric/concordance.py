"""Agreement of scores: concordance correlations and limits of agreement.

Lin's concordance correlation and Bland and Altman's limits are for two coders and computed for all pairs at once. The
overall concordance correlation is for any number of coders; it is kappa with quadratic weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from pandas_agreement.coefficients.numeric.crossed import clean, ratio, residuals
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.category_counts import spread
from pandas_agreement.core.classes import dataclass
from pandas_agreement.core.quantiles import normal_quantile, perfect_bound, t_quantile, t_test
from pandas_agreement.core.scores import ScorePairs, Scores, centre, span
from pandas_agreement.core.sums import divide

NO_CHANGE = 1e-14  # a smaller standard error is a rounding error


@dataclass(frozen=True, eq=False)
class PairMoments:
    """PairMoments of two coders over the items that both rated, variances divided by n: (P,) each."""

    n: Array
    shift: Array  # mean of x minus mean of y
    sxx: Array
    syy: Array
    sxy: Array

    @classmethod
    def of(cls, pairs: ScorePairs, x: Array | None = None, y: Array | None = None) -> PairMoments:
        """The moments of the scores, or of `x` and `y` in their place (ranks)."""
        x, y = pairs.x if x is None else x, pairs.y if y is None else y
        n, shift = pairs.sizes, divide(pairs.sum(x - y), pairs.sizes)
        x, y = (centre(scores, pairs.pair, pairs.n_pairs)[0] for scores in (x, y))
        sxx, syy, sxy = (divide(pairs.sum(product), n) for product in (x * x, y * y, x * y))
        return cls(n, shift, sxx, syy, sxy)

    @cached_property
    def r(self) -> Array:
        """Pearson's correlation, exactly 1 or -1 up to rounding."""
        r = divide(self.sxy, np.sqrt(self.sxx) * np.sqrt(self.syy))
        return np.where(1 - np.abs(r) < 1e-14, np.sign(r), r)


@dataclass(frozen=True, eq=False)
class CCC:
    """Lin's concordance correlation and its two factors, precision and accuracy: (P,) each."""

    value: Array
    rho: Array  # Pearson's correlation: how close to a line
    accuracy: Array  # C_b: how close that line is to equality
    location_shift: Array  # u, in units of the geometric mean of the standard deviations
    scale_shift: Array  # v, the ratio of the standard deviations


def ccc(pairs: ScorePairs) -> CCC:
    """Lin's concordance correlation of two coders: 2 s_xy / (s_xx + s_yy + (m_x - m_y)^2), moments divided by n.

    It equals kappa with quadratic weights.

    Lin, L. I. (1989). A concordance correlation coefficient to evaluate reproducibility. Biometrics 45, 255-268;
    correction 56 (2000), 324-325.

    Examples
    --------
    >>> columns = np.array([1.0, 2, 3, 4, 5]), np.array([1.0, 2, 4, 4, 6])
    >>> ccc(Scores.from_columns(columns).pairs()).value.round(3)
    array([0.923])
    """
    m = PairMoments.of(pairs)
    expected = m.sxx + m.syy + m.shift**2  # disagreement expected by chance
    scale = np.sqrt(m.sxx) * np.sqrt(m.syy)
    accuracy = divide(2 * scale, expected)  # C_b
    v = divide(np.sqrt(m.sxx), np.sqrt(m.syy))
    return CCC(divide(2 * m.sxy, expected), m.r, accuracy, divide(m.shift, np.sqrt(scale)), v)


def on_z_scale(r: Array, se: Array, quantile: Array | float) -> tuple[Array, Array]:
    """Limits that are symmetric on the scale of atanh(r); NaN at -1 and 1."""
    inside = np.abs(r) < 1
    z = np.arctanh(np.where(inside, r, 0.0))
    width = np.where(inside, quantile * se, np.nan)
    return np.tanh(z - width), np.tanh(z + width)


@dataclass(frozen=True, eq=False)
class LimitsOfAgreement:
    """Bias and limits of agreement of Bland and Altman, with intervals: (P,) each."""

    value: Array  # bias: mean of the first coder minus that of the second
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


@dataclass(frozen=True, eq=False)
class Replicates:
    """Readings behind scores that are means of them: (N,) each, in the order of the scores."""

    item: Array
    coder: Array
    number: Array  # readings of each score
    spread: Array  # sum of their squared deviations from the mean, in the unit of `scaled`

    def single(self, pairs: ScorePairs, chosen: Array) -> tuple[Array, Array]:
        """What single readings of a coder add to the variance of a difference, and its own variance: (P,), (P,)."""
        C = np.int64(pairs.scores.n_coders)
        order = np.argsort(self.item * C + self.coder, kind="stable")
        wanted = pairs.scores.item[chosen] * C + pairs.scores.coder[chosen]
        place = order[np.searchsorted((self.item * C + self.coder)[order], wanted)]
        df = pairs.sum(self.number[place] - 1)
        within = np.nan_to_num(divide(pairs.sum(self.spread[place]), df))
        part = 1 - divide(pairs.sum(1 / self.number[place]), pairs.sizes)
        return part * within, np.nan_to_num(divide(2 * (part * within) ** 2, df))


def bland_altman(
    pairs: ScorePairs, level: float = 0.95, share: float = 0.95, replicates: Replicates | None = None
) -> LimitsOfAgreement:
    """Limits of agreement: a `share` of the differences of two coders lies between them, bias +- 1.96 sd for 95 %.

    The intervals of bias and limits use Student's t; the variance of a limit is sd^2 (1 / n + z^2 / (2 (n - 1))). Where
    scores are means of replicates, the variance of the differences of single readings is larger by (1 - mean 1 / m) s^2
    for each coder, with m replicates of an item and their variance s^2.

    Bland, J. M. and Altman, D. G. (1999). Measuring agreement in method comparison studies. Statistical Methods in
    Medical Research 8, 135-160.

    Examples
    --------
    >>> columns = np.array([1.0, 2, 3, 4, 5]), np.array([1.0, 2, 4, 4, 6])
    >>> limits = bland_altman(Scores.from_columns(columns).pairs())
    >>> np.concatenate([limits.lower, limits.value, limits.upper]).round(3)
    array([-1.474, -0.4  ,  0.674])
    """
    n, df = pairs.sizes, pairs.sizes - 1
    residual, bias = centre(pairs.x - pairs.y, pairs.pair, pairs.n_pairs)
    variance = divide(pairs.sum(residual**2), np.maximum(df, 0))
    of_single, noise = variance, divide(2 * variance**2, df)
    if replicates is not None:
        for chosen in (pairs.one, pairs.two):
            more, sampling = replicates.single(pairs, chosen)
            of_single, noise = of_single + more, noise + sampling
    z, t = normal_quantile(share), t_quantile(df, level)
    sd, se = np.sqrt(of_single), np.sqrt(divide(variance, n))
    noise = divide(noise, 4 * np.where(of_single == 0, 1.0, of_single))  # of sd
    width = t * np.sqrt(se**2 + z * z * noise)
    lower, upper = bias - z * sd, bias + z * sd
    statistic = np.sign(bias) * ratio(np.abs(bias), se)
    return LimitsOfAgreement(
        *(bias, bias - t * se, bias + t * se, sd),
        *(lower, lower - width, lower + width),
        *(upper, upper - width, upper + width),
        *(statistic, df, t_test(statistic, df), n),
    )


@dataclass(frozen=True, eq=False)
class OCCC:
    """Overall concordance correlation: (G,) each; influence of the items and values without them: (I,) each."""

    value: Array
    low: Array
    high: Array
    se: Array  # from the influence of the items
    se_jackknife: Array  # from the values without each item, NaN if all are the same
    n: Array  # items with two or more ratings
    influence: Array  # (I,) 0 for an item that is not used
    without: Array  # (I,) the value without this item, NaN for an item that is not used


def occc(values: Scores, level: float = 0.95) -> OCCC:
    """Overall concordance correlation of any number of coders: kappa with quadratic weights of scores.

    1 - D_o / D_e: D_o is the mean squared difference of two scores of an item, D_e that of two coders who rate at
    random, each with their own mean and variance. Only items with two or more scores count. Neither standard error
    assumes a distribution. The interval is on Fisher's z scale, with Student's t and the jackknife: with few items the
    variance from the influences is too small (mean coverage with 15 items, normal scores: .90 against .93).

    Barnhart, H. X., Haber, M. and Song, J. (2002). Overall concordance correlation coefficient for evaluating
    agreement among multiple observers. Biometrics 58, 1020-1027.

    Examples
    --------
    >>> columns = np.array([1.0, 2, 3, 4, 5]), np.array([1.0, 2, 4, 4, 6]), np.array([1.0, 3, 3, 4, 5])
    >>> occc(Scores.from_columns(columns)).value.round(3)
    array([0.913])
    """
    pairable = values.sizes >= 2
    influence, without = np.zeros(values.n_items), np.full(values.n_items, np.nan)
    values = values.select(pairable)
    differences = _Differences.of(values)
    n, value = differences.n, 1 - divide(differences.D_o, differences.D_e)
    influence[pairable], without[pairable] = differences.influence(), differences.left_out()
    se = np.sqrt(divide(values.sum(influence[pairable] ** 2), n * (n - 1)))
    deviation = without[pairable] - spread(divide(values.sum(without[pairable]), n), values.group)
    jackknife = np.sqrt(divide((n - 1) * values.sum(deviation**2), n))
    jackknife = np.where((jackknife > NO_CHANGE) | (value == 1), jackknife, np.nan)  # as with a constant coder
    low, high = on_z_scale(value, divide(jackknife, 1 - value**2), t_quantile(n - 1, level))
    bound = perfect_bound(n, span(values.centred, values.owner, values.n_groups), differences.D_e, level)
    low, high = np.where(value == 1, bound, low), np.where(value == 1, 1.0, high)
    return OCCC(value, low, high, se, jackknife, n, influence, without)


@dataclass(frozen=True, eq=False)
class _Differences:
    """Mean squared differences of two scores: observed within items, and expected by chance."""

    values: Scores  # only items with two or more scores
    n: Array  # (G,)
    observed: Array  # (I,) mean over the pairs of scores of an item
    residual: Array  # (N,) score minus the mean of its coder
    mean: Array  # (M,) of each coder
    variance: Array  # (M,)

    @classmethod
    def of(cls, values: Scores) -> _Differences:
        within = residuals(values)
        squares = clean(values.per_group(within**2), values.per_group(values.centred**2))
        observed = 2 * values.per_item(within**2 * (squares > 0)[values.owner]) / np.maximum(values.sizes - 1, 1)
        residual, mean = centre(values.centred, values.cell, len(values.cell_owner))
        variance = values.per_cell(residual**2) / np.maximum(values.cell_sizes, 1)
        return cls(values, values.sum(np.ones(values.n_items)), observed, residual, mean, variance)

    @cached_property
    def D_o(self) -> Array:  # noqa: N802 (the name in the literature)
        return divide(self.values.sum(self.observed), self.n)

    @cached_property
    def _sums(self) -> Array:
        """Sums over coders of 1, the variances, the means and the squared means: (4, G)."""
        parts = np.ones_like(self.mean), self.variance, self.mean, self.mean**2
        return np.stack([self.values.over_cells(part) for part in parts])

    @cached_property
    def D_e(self) -> Array:  # noqa: N802
        return _expected(self._sums)

    def influence(self) -> Array:
        """Influence of each item on 1 - D_o / D_e: (I,)."""
        values, cell, owner = self.values, self.values.cell, self.values.owner
        C, _, means, _ = self._sums
        offset = self.mean[cell] - divide(means, C)[owner]
        change = divide(np.full(C.shape, 2.0), C)[owner] * (self.residual**2 - self.variance[cell])
        change = change + divide(np.full(C.shape, 4.0), C - 1)[owner] * offset * self.residual
        expected = values.per_item(change * self.n[owner] / values.cell_sizes[cell])
        observed = self.observed - spread(self.D_o, values.group)
        quotient, D_e = (spread(part, values.group) for part in (divide(self.D_o, self.D_e), self.D_e))
        return -divide(observed - quotient * expected, D_e)

    def left_out(self) -> Array:
        """1 - D_o / D_e without each item, from the means and variances of the coders without its scores: (I,)."""
        values, cell = self.values, self.values.cell
        others = values.cell_sizes - 1.0  # (M,); a coder without another score is left out with the item
        each = np.nan_to_num(divide(np.ones(()), others))
        mean = np.where(others > 0, self.mean, 0.0)[cell] - each[cell] * self.residual
        gain, loss = np.where(others > 0, each, -1.0) * self.variance, (others + 1) * each**2
        without = [
            values.per_item(-(others == 0).astype(float)[cell]),
            values.per_item(gain[cell] - loss[cell] * self.residual**2),
            values.per_item(mean - self.mean[cell]),
            values.per_item(mean**2 - (self.mean**2)[cell]),
        ]
        for part, sums in zip(without, self._sums, strict=True):
            part += spread(sums, values.group)
        D_e = _expected(without)
        n = spread(self.n, values.group) - 1
        return 1 - divide(divide(spread(self.n * self.D_o, values.group) - self.observed, n), D_e)


def _expected(sums: Sequence[Array] | Array) -> Array:
    """Mean squared difference of two coders who rate at random, from sums over the coders: (4, ...) -> (...)."""
    C, variances, means, squares = sums
    between = np.maximum(squares - divide(means**2, C), 0.0)
    return divide(2 * variances, C) + divide(2 * between, np.where(C > 1, C - 1, 0))
