"""Tests of equal margins (marginal homogeneity) and of symmetry, and Holm's correction for several tests.

A test takes tables T (..., K, K) of counts, the first coder's labels in the rows, and tests each table. No constant is
added to zero cells. Without discordant items the statistic is 0 with 0 degrees of freedom, and p is 1. The results of a
table without items are NaN. Only numpy here, and scipy.special for p-values.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pandas_agreement.core.arrays import Array, number_within
from pandas_agreement.core.classes import dataclass
from pandas_agreement.core.sums import divide
from pandas_agreement.errors import choose


@dataclass(frozen=True, eq=False)
class Test:
    """Results of tests, (...) each; the degrees of freedom of an exact test are NaN."""

    statistic: Array
    df: Array
    p_value: Array


def _tested(statistic: Array, df: Array, p_value: Array, n: Array) -> Test:
    """The results, NaN where there are no items."""
    statistic, df, p_value = (np.where(n > 0, part, np.nan) for part in (statistic, df, p_value))
    return Test(statistic, df, p_value)


def _chi2_tested(statistic: Array, df: Array, n: Array) -> Test:
    """The results of chi-squared tests of n items."""
    from scipy.special import gammaincc  # imported here: it would double the time to import the package

    # without degrees of freedom the statistic is 0, and p is 1 for any positive df
    p_value = gammaincc(np.where(df > 0, df, 1) / 2, statistic / 2)
    return _tested(statistic, df, p_value, n)


def mcnemar(T: Array, method: str = "mid-p") -> Test:
    """McNemar's test that two coders choose the first of two categories equally often, of tables (..., 2, 2).

    Parameters
    ----------
    T : array (..., 2, 2)
    method : {"mid-p", "exact", "chi2", "corrected"}
        The first two are binomial tests of the discordant items with probability 1/2. Their statistic is the smaller
        discordant count, and p is two-sided. "corrected" is the chi-square with continuity correction.

    Notes
    -----
    Without discordant items p is 1 for every method. The published rule for mid-p would give one half.

    References
    ----------
    McNemar, Q. (1947). Psychometrika 12, 153-157. Fagerland, M. W., Lydersen, S. and Laake, P. (2013). The McNemar test
    for binary matched-pairs data: mid-p and asymptotic are better than exact conditional. BMC Medical Research
    Methodology 13, 91.

    Examples
    --------
    >>> float(mcnemar(np.array([[400, 90], [60, 450]]), "exact").p_value.round(6))
    0.017598
    """
    (a, b), (c, d) = np.moveaxis(np.asarray(T, float), (-2, -1), (0, 1))
    return choose("method", method, MCNEMAR)(b, c, a + b + c + d)


def _mid_p(b: Array, c: Array, n: Array) -> Test:
    m = np.minimum(b, c)
    fewer, up_to = _binomial(m, b + c)
    equal = 1 - (up_to - fewer) / 2  # both tails contain the observed point, half of which counts
    p_value = np.where(b == c, equal, fewer + up_to)
    return _tested(m, np.full(m.shape, np.nan), np.where(b + c > 0, p_value, 1.0), n)


def _exact(b: Array, c: Array, n: Array) -> Test:
    m = np.minimum(b, c)
    return _tested(m, np.full(m.shape, np.nan), np.minimum(2 * _binomial(m, b + c)[1], 1.0), n)


def _binomial(k: Array, n: Array) -> tuple[Array, Array]:
    """P(X < k) and P(X <= k) of a binomial X with n trials and probability 1/2, for k at most n / 2."""
    from scipy.special import betainc

    fewer = np.where(k > 0, betainc(n - k + 1, np.maximum(k, 1), 0.5), 0.0)
    up_to = np.where(n > 0, betainc(np.maximum(n - k, 0.5), k + 1, 0.5), 1.0)
    return fewer, up_to


def _chi2(b: Array, c: Array, n: Array, correction: float = 0.0) -> Test:
    difference = np.maximum(np.abs(b - c) - correction, 0)
    return _chi2_tested(_or_zero(difference**2, b + c), (b + c > 0).astype(float), n)


MCNEMAR: dict[str, Callable[[Array, Array, Array], Test]] = {
    "mid-p": _mid_p,
    "exact": _exact,
    "chi2": _chi2,
    "corrected": lambda b, c, n: _chi2(b, c, n, correction=1.0),
}


def cochran_q(coder_totals: Array, items_by_positives: Array, n_coders: Array | None = None) -> Test:
    """Cochran's Q test that C coders choose one of two categories equally often, over the items that all labelled.

    Parameters
    ----------
    coder_totals : array (..., C)
        How often each coder chose the category.
    items_by_positives : array (..., C + 1)
        The number of items for which 0, 1, ..., C coders chose it.
    n_coders : array (...), optional
        Active coders, where some of the C are inactive (and chose it 0 times).

    References
    ----------
    Cochran, W. G. (1950). The comparison of percentages in matched samples. Biometrika 37, 256-266.

    Examples
    --------
    >>> cochran_q(np.array([490, 460]), np.array([450, 150, 400])).statistic  # two coders: McNemar's chi-square
    array(6.)
    """
    totals, items = np.asarray(coder_totals, float), np.asarray(items_by_positives, float)
    C = np.asarray(totals.shape[-1] if n_coders is None else n_coders, float)
    s = np.arange(items.shape[-1])
    between = C * (totals**2).sum(-1) - totals.sum(-1) ** 2
    within = (items * s).sum(-1) * C - (items * s**2).sum(-1)  # 0 when all items are unanimous
    return _chi2_tested(_or_zero((C - 1) * between, within), np.where(within > 0, C - 1, 0.0), items.sum(-1))


def stuart_maxwell(T: Array) -> Test:
    """Stuart and Maxwell's test that two coders use all categories equally often, of tables (..., K, K).

    d'V^{-1}d for the differences d of the margins. V is the Laplacian of the graph in which two categories are joined
    if they were confused. The degrees of freedom are its rank, K minus the number of connected components: an unused
    category, or one without disagreement, adds none. With two categories it is McNemar's chi-square.

    References
    ----------
    Stuart, A. (1955). A test for homogeneity of the marginal distributions in a two-way classification. Biometrika 42,
    412-416. Maxwell, A. E. (1970). Comparing the classification of subjects by two independent judges. British Journal
    of Psychiatry 116, 651-655.

    Examples
    --------
    >>> float(stuart_maxwell(np.array([[5, 1, 0], [1, 9, 1], [1, 1, 1]])).statistic.round(6))
    0.5
    """
    T = np.asarray(T, float)
    K, n = T.shape[-1], T.sum((-1, -2))
    d = T.sum(-1) - T.sum(-2)  # (..., K)
    confused = (T + T.swapaxes(-1, -2)) * ~np.eye(K, dtype=bool)  # (..., K, K)
    degree = confused.sum(-1)
    V = degree[..., None] * np.eye(K) - confused
    joined = _connected(confused > 0)
    # V is singular on the constants of each connected component, to which d is orthogonal: filling this direction makes
    # the system solvable without changing the result, and needs no tolerance for zero
    fill = np.maximum(degree.max(-1, initial=0), 1.0)[..., None, None] * joined
    statistic = (d * np.linalg.solve(V + fill, d[..., None])[..., 0]).sum(-1)
    df = K - np.rint((1 / joined.sum(-1)).sum(-1))
    return _chi2_tested(statistic, df, n)


def _connected(linked: Array) -> Array:
    """Whether two categories are in the same connected component: (..., K, K) of bool."""
    K = linked.shape[-1]
    reached = linked | np.eye(K, dtype=bool)
    for _ in range(K.bit_length()):  # each step doubles the length of the paths
        paths = reached.astype(np.float32)  # numpy multiplies floats faster than bools
        reached = paths @ paths > 0
    return reached


def bhapkar(T: Array) -> Test:
    """Bhapkar's test of equal margins, S / (1 - S / n) with Stuart and Maxwell's S; more powerful, the same at large n.

    NaN where S = n, that is where every item is discordant and all in one direction: its covariance matrix is then
    singular.

    References
    ----------
    Bhapkar, V. P. (1966). A note on the equivalence of two test criteria for hypotheses in categorical data. Journal of
    the American Statistical Association 61, 228-235.

    Examples
    --------
    >>> float(bhapkar(np.array([[5, 1, 0], [1, 9, 1], [1, 1, 1]])).statistic.round(6))
    0.512821
    """
    test, n = stuart_maxwell(T), np.asarray(T, float).sum((-1, -2))
    bottom = n - test.statistic  # at least the number of items on the diagonal
    statistic = divide(test.statistic * n, np.where(bottom > 1e-12 * n, bottom, 0.0))
    return _chi2_tested(statistic, test.df, n)


def bowker(T: Array) -> Test:
    """Bowker's test of symmetry, that each confusion is as frequent as its reverse, of tables (..., K, K).

    The degrees of freedom are the pairs of categories that were confused, those with n_ij + n_ji > 0: a pair without
    items can show no asymmetry. With every pair confused they are Bowker's K (K - 1) / 2. R's `mcnemar.test` always
    counts K (K - 1) / 2, and its statistic is then NaN if a pair was never confused.

    References
    ----------
    Bowker, A. H. (1948). A test for symmetry in contingency tables. Journal of the American Statistical Association 43,
    572-574.

    Examples
    --------
    >>> bowker(np.array([[5, 3, 0], [1, 9, 1], [0, 1, 1]])).statistic
    array(1.)
    """
    T = np.asarray(T, float)
    above = np.triu_indices(T.shape[-1], 1)
    one, two = T[(..., *above)], T.swapaxes(-1, -2)[(..., *above)]  # (..., K (K - 1) / 2)
    statistic = _or_zero((one - two) ** 2, one + two).sum(-1)
    return _chi2_tested(statistic, (one + two > 0).sum(-1).astype(float), T.sum((-1, -2)))


def _or_zero(top: Array, bottom: Array) -> Array:
    return np.divide(top, bottom, out=np.zeros(np.shape(bottom)), where=bottom > 0)


def holm(p: Array) -> Array:
    """Holm's adjustment of p-values for their number along the last axis; NaN is no test, and stays NaN.

    References
    ----------
    Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 6,
    65-70.

    Examples
    --------
    >>> holm(np.array([0.04, np.nan, 0.01, 0.03]))
    array([0.06,  nan, 0.03, 0.06])
    """
    p = np.asarray(p, float)
    order = np.argsort(p, axis=-1)  # NaN last
    left = (~np.isnan(p)).sum(-1, keepdims=True) - np.arange(p.shape[-1])
    stepped = np.maximum.accumulate(np.take_along_axis(p, order, -1) * left, axis=-1)
    adjusted = np.empty(p.shape)
    np.put_along_axis(adjusted, order, np.minimum(stepped, 1.0), -1)
    return adjusted


def holm_within(p: Array, group: Array) -> Array:
    """Holm's adjustment within each group of p-values; `group` is a number: (N,).

    >>> holm_within(np.array([0.04, 0.01, 0.03]), np.array([0, 1, 0]))
    array([0.06, 0.01, 0.06])
    """
    order, place = np.argsort(group, kind="stable"), np.empty(len(group), np.int64)
    place[order] = number_within(group[order])
    table = np.full((int(group.max(initial=-1)) + 1, int(place.max(initial=-1)) + 1), np.nan)
    table[group, place] = p
    return holm(table)[group, place]
