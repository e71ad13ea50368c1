"""Quantiles and p-values of the normal, t, F, chi-squared and gamma distributions, and bounds for perfect agreement.

Without degrees of freedom the result is NaN, without a warning. `scipy.special` is imported inside the functions: at
the top it would double the time to import the package.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.sums import divide


def _usable(*dfs: ArrayLike) -> tuple[Array, list[Array]]:
    """Where all degrees of freedom are positive and finite, and these with 1 elsewhere."""
    arrays = np.broadcast_arrays(*[np.asarray(df, float) for df in dfs])
    usable = np.all([np.isfinite(array) & (array > 0) for array in arrays], axis=0)
    return usable, [np.where(usable, array, 1.0) for array in arrays]


def level_of(ci: float | None) -> float:
    """The level of intervals; without one it is NaN, and so are its quantiles and the limits made of them."""
    return np.nan if ci is None else ci


def normal_quantile(level: float) -> float:
    """Standard normal quantile for a two-sided interval."""
    from scipy.special import ndtri

    return float(ndtri((1 + level) / 2))


def t_quantile(df: ArrayLike, level: float) -> Array:
    """Quantile of Student's t for a two-sided interval; evaluated once for each distinct `df`."""
    from scipy.special import stdtrit

    df = np.asarray(df, float)
    usable = np.isfinite(df) & (df > 0)
    safe = np.where(usable, df, 1.0)
    if df.size > 1:
        distinct, which = np.unique(safe, return_inverse=True)
        return np.where(usable, stdtrit(distinct, (1 + level) / 2)[which].reshape(df.shape), np.nan)
    return np.where(usable, stdtrit(safe, (1 + level) / 2), np.nan)


def t_test(statistic: Array, df: ArrayLike) -> Array:
    """Two-sided p-value of Student's t."""
    return 2 * t_tail(np.abs(statistic), df)


def t_tail(statistic: Array, df: ArrayLike) -> Array:
    """P(T >= statistic) of Student's t."""
    from scipy.special import stdtr

    usable, (df,) = _usable(df)
    return np.where(usable & ~np.isnan(statistic), stdtr(df, -np.nan_to_num(statistic)), np.nan)


def f_quantile(share: ArrayLike, df1: ArrayLike, df2: ArrayLike) -> Array:
    """The value of F below which a share of the distribution lies; one share is evaluated once for each pair of df."""
    from scipy.special import fdtri

    usable, (df1, df2) = _usable(*np.broadcast_arrays(df1, df2))
    if np.ndim(share) or df1.size == 1:
        return np.where(usable, fdtri(df1, df2, share), np.nan)
    distinct, which = np.unique(df1 + 1j * df2, return_inverse=True)
    return np.where(usable, fdtri(distinct.real, distinct.imag, share)[which].reshape(df1.shape), np.nan)


def f_test(statistic: Array, df1: ArrayLike, df2: ArrayLike) -> Array:
    """p-value of F, its upper tail."""
    from scipy.special import fdtrc

    usable, (df1, df2) = _usable(df1, df2)
    finite = np.isfinite(statistic)
    tail = fdtrc(df1, df2, np.where(finite, np.maximum(statistic, 0), 0.0))
    return np.where(usable & ~np.isnan(statistic), np.where(finite, tail, 0.0), np.nan)


def chi2_test(statistic: Array, df: ArrayLike) -> Array:
    """p-value of chi-squared, its upper tail."""
    from scipy.special import chdtrc

    usable, (df,) = _usable(df)
    return np.where(usable & ~np.isnan(statistic), chdtrc(df, np.nan_to_num(statistic)), np.nan)


def gamma_tail(z: Array, skew: Array) -> Array:
    """P(Z >= z) of a gamma distribution with mean 0, variance 1 and this skewness; normal for 0.

    >>> gamma_tail(np.array(1.645), np.array([0.0, 1.0])).round(3)
    array([0.05 , 0.068])
    """
    from scipy.special import gammainc, gammaincc, ndtr

    lean = np.abs(skew)
    shape = 4 / np.where(lean > 1e-3, lean, 1.0) ** 2
    right, left = (np.maximum(shape + sign * z * np.sqrt(shape), 0.0) for sign in (1, -1))
    gamma = np.where(skew > 0, gammaincc(shape, right), gammainc(shape, left))
    return np.where(np.isnan(z), np.nan, np.where(lean > 1e-3, gamma, ndtr(-z)))


def least_agreement(n: Array, level: float) -> Array:
    """Exact lower limit of the share of items that agree, if n of n do: ((1 - level) / 2)^(1 / n)."""
    return ((1 - level) / 2) ** divide(np.ones_like(n), n)


def perfect_bound(n: Array, span: Array, expected: Array, level: float, floor: float = -1.0) -> Array:
    """Lower limit of a coefficient where n items agree perfectly.

    Up to 1 - `least_agreement` of the items may disagree, at most by the squared range `span` of the ratings.
    `expected` is the mean squared difference expected by chance.
    """
    return np.maximum(1 - divide((1 - least_agreement(n, level)) * span**2, expected), floor)
