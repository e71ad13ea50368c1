"""Indices from the contingency table of two coders: prevalence, bias, bounds of kappa, kappa of each category.

Tables T (..., K, K) are counts, the first coder's labels in the rows; R and C (..., K) are their margins, n (...) the
number of items. Variances divide by n - 1, as everywhere in this package. Only numpy here; scipy.optimize is imported
for weights without a closed form.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.sums import divide


def _margins(T: Array) -> tuple[Array, Array, Array]:
    """Margins R (..., K), C (..., K) and number of items n (...)."""
    return T.sum(-1), T.sum(-2), T.sum((-1, -2))


def _diagonal(T: Array) -> Array:
    return np.diagonal(T, axis1=-2, axis2=-1)


def prevalence_index(T: Array) -> Array:
    """Prevalence index (a - d) / n of a table of two categories; NaN for any other number of categories.

    References
    ----------
    Byrt, T., Bishop, J. and Carlin, J. B. (1993). Bias, prevalence and kappa. Journal of Clinical Epidemiology 46,
    423-429.

    Examples
    --------
    >>> float(prevalence_index(np.array([[20, 5], [10, 15]])))
    0.1
    """
    return _two_by_two(T, lambda a, b, c, d: a - d)


def bias_index(T: Array) -> Array:
    """Bias index (b - c) / n of a table of two categories: positive if the first coder uses the first one more often.

    NaN for any other number of categories. Reference as for `prevalence_index`.

    Examples
    --------
    >>> float(bias_index(np.array([[20, 5], [10, 15]])))
    -0.1
    """
    return _two_by_two(T, lambda a, b, c, d: b - c)


def _two_by_two(T: Array, top: Callable[[Array, Array, Array, Array], Array]) -> Array:
    T = np.asarray(T, float)
    n = T.sum((-1, -2))
    if T.shape[-1] != 2:
        return np.full(n.shape, np.nan)
    return divide(top(T[..., 0, 0], T[..., 0, 1], T[..., 1, 0], T[..., 1, 1]), n)


def pabak(T: Array) -> Array:
    """Prevalence- and bias-adjusted kappa: kappa if every category were equally likely, (K A_o - 1) / (K - 1).

    With two categories kappa = (PABAK - PI^2 + BI^2) / (1 - PI^2 + BI^2). Reference as for `prevalence_index`.

    Examples
    --------
    >>> float(pabak(np.array([[17, 1], [2, 0]])))
    0.7
    """
    T = np.asarray(T, float)
    K, n = T.shape[-1], T.sum((-1, -2))
    return divide(K * _diagonal(T).sum(-1) - n, n * (K - 1))


def indices(T: Array, weights: Array) -> tuple[Array, Array, Array, Array, Array]:
    """The least and the greatest kappa, PABAK, prevalence index and bias index: (...) each.

    Examples
    --------
    >>> [round(float(index), 2) for index in indices(np.array([[20, 5], [10, 15]]), np.eye(2))]
    [-0.8, 0.8, 0.4, 0.1, -0.1]
    """
    return *kappa_bounds(T, weights), pabak(T), prevalence_index(T), bias_index(T)


def kappa_bounds(T: Array, weights: Array) -> tuple[Array, Array]:
    """The smallest and the largest kappa of all tables with these margins: (...), (...).

    NaN where kappa is undefined. `weights` are agreement weights (K, K) with ones in the diagonal.

    References
    ----------
    Cohen, J. (1960). A coefficient of agreement for nominal scales. Educational and Psychological Measurement 20,
    37-46.

    Examples
    --------
    >>> least, most = kappa_bounds(np.array([[20, 5], [10, 15]]), np.eye(2))
    >>> float(least.round(3)), float(most.round(3))
    (-0.8, 0.8)
    """
    R, C, n = _margins(np.asarray(T, float))
    D = 1.0 - np.asarray(weights, float)
    least, most = _solver(D)(R, C, D)
    expected = divide(((R @ D) * C).sum(-1), n)  # total disagreement, as least and most
    return 1 - divide(most, expected), 1 - divide(least, expected)


def _solver(D: Array) -> Callable[[Array, Array, Array], tuple[Array, Array]]:
    """The function that gives the least and the most disagreement; sorted labels are optimal if D is a Monge array."""
    if np.array_equal(D, 1 - np.eye(len(D))):
        return _nominal
    crossing = D[:-1, 1:] + D[1:, :-1] - D[:-1, :-1] - D[1:, 1:]
    return _ordered if (crossing >= -1e-12 * np.abs(D).max()).all() else _transported


def _nominal(R: Array, C: Array, D: Array) -> tuple[Array, Array]:
    """Least and most items on which the coders differ."""
    n = R.sum(-1)
    forced = (R + C - n[..., None]).max(-1, initial=0)  # r + c labels of n items have r + c - n items in common
    return n - np.minimum(R, C).sum(-1), n - forced


def _ordered(R: Array, C: Array, D: Array) -> tuple[Array, Array]:
    """Labels of both coders in the same order, and in opposite orders."""
    return _sorted_distance(R, C, D), _sorted_distance(R, C[..., ::-1], D[:, ::-1])


def _sorted_distance(R: Array, C: Array, D: Array) -> Array:
    """Total distance when both coders' labels are paired in order, in at most 2 K runs of equal pairs."""
    K = R.shape[-1]
    ends = np.concatenate([R.cumsum(-1), C.cumsum(-1)], -1)  # (..., 2 K)
    order = np.argsort(ends, axis=-1, kind="stable")
    length = np.diff(np.take_along_axis(ends, order, -1), axis=-1, prepend=0)
    ended = np.cumsum(order < K, -1) - (order < K)  # categories of the first coder that end before a run
    row, column = np.minimum(ended, K - 1), np.minimum(np.arange(2 * K) - ended, K - 1)
    return (length * D[row, column]).sum(-1)


def _transported(R: Array, C: Array, D: Array) -> tuple[Array, Array]:
    """Any other distance: one transport problem per table and bound."""
    K = R.shape[-1]
    margins = list(zip(R.reshape(-1, K), C.reshape(-1, K), strict=True))
    least, most = ([sign * _transport(r, c, sign * D) for r, c in margins] for sign in (1, -1))
    return np.array(least).reshape(R.shape[:-1]), np.array(most).reshape(R.shape[:-1])


def _transport(r: Array, c: Array, cost: Array) -> float:
    """The least total cost of a table with these margins."""
    from scipy.optimize import linprog

    if not r.any():
        return np.nan
    cost, r, c = cost[np.ix_(r > 0, c > 0)], r[r > 0], c[c > 0]
    rows = np.kron(np.eye(len(r)), np.ones(len(c)))
    columns = np.kron(np.ones(len(r)), np.eye(len(c)))
    return float(linprog(cost.ravel(), A_eq=np.vstack([rows, columns]), b_eq=np.concatenate([r, c])).fun)


def conditional_kappa(T: Array) -> tuple[Array, Array]:
    """Kappa of the items to which the first coder gave a category, and its variance: (..., K), (..., K).

    The chance-corrected probability that the second coder chose a category, given that the first coder did. For the
    other direction transpose the tables. NaN for a category that the first coder never or the second always uses.

    References
    ----------
    Light, R. J. (1971). Measures of response agreement for qualitative data: some generalizations and alternatives.
    Psychological Bulletin 76, 365-377. Bishop, Y. M. M., Fienberg, S. E. and Holland, P. W. (1975). Discrete
    Multivariate Analysis, section 11.4.

    Examples
    --------
    >>> value, variance = conditional_kappa(np.array([[75, 1, 4], [5, 4, 1], [0, 0, 10]]))
    >>> value.round(3)
    array([0.688, 0.368, 1.   ])
    """
    T = np.asarray(T, float)
    R, C, n = _margins(T)
    n = n[..., None]
    p, r, c = (divide(part, n) for part in (_diagonal(T), R, C))
    observed = divide(R - _diagonal(T), n)  # disagreement
    expected = divide(R * (n - C), n**2)  # r (1 - c), exactly 0 where undefined
    value = 1 - divide(observed, expected)
    top = observed * (observed * (r * c - p) + p * (1 - r - c + p))
    return value, divide(np.maximum(top, 0.0), expected**3 * (n - 1))
