"""Quantiles and tails of the usual distributions, and the bound where agreement is perfect.

NaN where degrees of freedom are missing, never a warning.

`scipy.special` is imported inside the functions: at the top it would double the time to import the package.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pandas_agreement.core.sums import divide

Array = NDArray[Any]


def _usable(*numbers: ArrayLike) -> tuple[Array, list[Array]]:
    """Where all degrees of freedom are positive and finite, and the numbers with 1 elsewhere."""
    arrays = np.broadcast_arrays(*[np.asarray(number, float) for number in numbers])
    usable = np.all([np.isfinite(array) & (array > 0) for array in arrays], axis=0)
    return usable, [np.where(usable, array, 1.0) for array in arrays]


def normal_quantile(level: float) -> float:
    """Standard normal quantile for a two-sided interval."""
    from scipy.special import ndtri

    return float(ndtri((1 + level) / 2))


def t_quantile(df: ArrayLike, level: float) -> Array:
    """Student's t for a two-sided interval; evaluated once for each different number of degrees of freedom."""
    from scipy.special import stdtrit

    usable, (known,) = _usable(df)
    distinct, where = np.unique(known, return_inverse=True)
    return np.where(usable, stdtrit(distinct, (1 + level) / 2)[where].reshape(known.shape), np.nan)


def t_test(statistic: Array, df: ArrayLike) -> Array:
    """Two-sided p-value of Student's t."""
    from scipy.special import stdtr

    usable, (known,) = _usable(df)
    return np.where(usable & ~np.isnan(statistic), 2 * stdtr(known, -np.abs(np.nan_to_num(statistic))), np.nan)


def f_quantile(share: float, df1: ArrayLike, df2: ArrayLike) -> Array:
    """The value of F that a given share of the distribution lies below."""
    from scipy.special import fdtri

    usable, (first, second) = _usable(df1, df2)
    return np.where(usable, fdtri(first, second, share), np.nan)


def f_test(statistic: Array, df1: ArrayLike, df2: ArrayLike) -> Array:
    """How often F is larger than this."""
    from scipy.special import fdtrc

    usable, (first, second) = _usable(df1, df2)
    finite = np.isfinite(statistic)
    tail = fdtrc(first, second, np.where(finite, np.maximum(statistic, 0), 0.0))
    return np.where(usable & ~np.isnan(statistic), np.where(finite, tail, 0.0), np.nan)


def chi2_test(statistic: Array, df: ArrayLike) -> Array:
    """How often chi-squared is larger than this."""
    from scipy.special import chdtrc

    usable, (known,) = _usable(df)
    return np.where(usable & ~np.isnan(statistic), chdtrc(known, np.nan_to_num(statistic)), np.nan)


def perfect_bound(n: Array, span: Array, expected: Array, level: float, floor: float = -1.0) -> Array:
    """Lower limit where n items agree perfectly: the lowest value that could have looked so.

    Up to 1 - ((1 - level) / 2)^(1 / n) of the items may disagree, by the squared range of the ratings at most;
    `expected` is the mean squared difference expected by chance.
    """
    share = 1 - ((1 - level) / 2) ** divide(np.ones_like(n), n)
    return np.maximum(1 - divide(share * span**2, expected), floor)
