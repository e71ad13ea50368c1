"""Association of scores: Pearson's and Spearman's correlations, Kendall's W and Cronbach's alpha.

The correlations are computed for all pairs of coders at once, the other two for any number of coders. None of them
measures agreement: for coders who differ by a constant all are 1.
"""

from __future__ import annotations

import numpy as np

from pandas_agreement.coefficients.numeric.concordance import PairMoments, on_z_scale
from pandas_agreement.coefficients.numeric.crossed import ratio
from pandas_agreement.coefficients.numeric.icc import Design, icc
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.classes import dataclass
from pandas_agreement.core.quantiles import chi2_test, normal_quantile, t_test
from pandas_agreement.core.scores import ScorePairs, Scores, average_ranks, centre, over_pairs
from pandas_agreement.core.sums import divide


@dataclass(frozen=True, eq=False)
class Correlation:
    """A correlation, its interval, and the t test of no correlation: (P,) each."""

    value: Array
    low: Array
    high: Array
    statistic: Array
    df: Array
    p: Array
    n: Array


def pearson(pairs: ScorePairs, level: float = 0.95) -> Correlation:
    """Pearson's correlation over the items that both coders rated, interval on Fisher's z scale.

    It measures association, not agreement. There is no interval at -1 or 1, nor with fewer than four items.

    Fisher, R. A. (1921). On the probable error of a coefficient of correlation. Metron 1, 3-32.

    Examples
    --------
    >>> columns = np.array([1.0, 2, 3, 4, 5]), np.array([11.0, 12, 14, 14, 16])
    >>> pearson(Scores.from_columns(columns).pairs()).value.round(3)
    array([0.973])
    """
    m = PairMoments.of(pairs)
    return _correlation(m.r, m.n, np.ones_like(m.n), level)


def spearman(pairs: ScorePairs, level: float = 0.95) -> Correlation:
    """Spearman's rank correlation over the items that both coders rated; ties have their mean rank.

    The interval is on Fisher's z scale, with the variance (1 + r^2 / 2) / (n - 3) of ranks.

    Bonett, D. G. and Wright, T. A. (2000). Sample size requirements for estimating Pearson, Kendall and Spearman
    correlations. Psychometrika 65, 23-28.

    Examples
    --------
    >>> columns = np.array([1.0, 2, 3, 4, 5]), np.array([1.0, 8, 27, 25, 125])
    >>> spearman(Scores.from_columns(columns).pairs()).value.round(3)
    array([0.9])
    """
    m = PairMoments.of(pairs, *pairs.ranks())
    return _correlation(m.r, m.n, 1 + np.nan_to_num(m.r) ** 2 / 2, level)


def _correlation(r: Array, n: Array, inflation: Array, level: float) -> Correlation:
    df = np.maximum(n - 2, 0)
    statistic = np.sign(r) * np.sqrt(ratio(r**2 * df, 1 - r**2))
    low, high = on_z_scale(r, np.sqrt(divide(inflation, np.maximum(n - 3, 0))), normal_quantile(level))
    return Correlation(r, low, high, statistic, df, t_test(statistic, df), n)


@dataclass(frozen=True, eq=False)
class KendallW:
    """Concordance of rankings, its test, and what is left out: (G,) each."""

    value: Array
    statistic: Array  # chi-squared
    df: Array
    p: Array
    n: Array  # items rated by every coder
    m: Array  # coders whose scores vary
    left_out: Array  # items with a missing score
    constant: Array  # (D, 2) group and coder of constant coders, who are left out


def kendall_w(values: Scores) -> KendallW:
    """Kendall's coefficient of concordance W of the rankings of the coders, corrected for ties.

    Items with a missing score are left out and counted; a coder who gives all items the same score is left out.
    The chi-squared test is Friedman's.

    Kendall, M. G. and Babington Smith, B. (1939). The problem of m rankings. Annals of Mathematical Statistics 10,
    275-287.

    Examples
    --------
    >>> columns = np.array([1.0, 2, 3, 4, 5]), np.array([1.0, 2, 4, 4, 6]), np.array([1.0, 3, 2, 4, 5])
    >>> kendall_w(Scores.from_columns(columns)).value.round(3)
    array([0.932])
    """
    left_out = values.n_incomplete
    values = values.select(values.whole)
    n = values.sum(np.ones(values.n_items))
    rank = average_ranks(values.cell, values.value) - ((n + 1) / 2)[values.owner]
    squares = values.per_cell(rank**2)  # (M,) n times the variance of a coder's ranks
    m = values.over_cells((squares > 0).astype(float))
    defined = m >= 2
    sums = values.sum(values.per_item(rank) ** 2)
    W = np.where(defined, divide(sums, m * values.over_cells(squares)), np.nan)
    chi2 = m * (n - 1) * W
    constant = np.stack([values.cell_owner, values.cell_coder], -1)[squares == 0]
    tests = chi2, n - 1, chi2_test(chi2, n - 1)
    return KendallW(W, *tests, n, m, left_out, constant)


def kendall_w_with_gaps(values: Scores, progress: bool = False) -> Array:
    """Kendall's W of all items with two or more scores: (G,). Without missing scores it is that of `kendall_w`.

    W = (1 + r (k - 1)) / k, as for complete rankings (Kendall 1962, p. 95): k is the mean number of scores per item, r
    the mean of Spearman's correlations over all pairs of coders. A pair is ranked on the n items that both scored and
    weighs n - 1 (Taylor 1987). This is Brueckl's generalization. His correlations have a correction for ties of their
    own; here r is the sum of the covariances over the sum of the variances of the ranks, as in W itself.

    Brueckl, M. (2011). Altersbedingte Veraenderungen der Stimme und Sprechweise von Frauen. Logos, 88-103. Taylor, J.
    M. G. (1987). Kendall's and Spearman's correlation coefficients in the presence of a blocking variable. Biometrics
    43, 409-416.

    Examples
    --------
    >>> gap = np.nan
    >>> columns = np.array([1.0, 2, 3, 4, gap]), np.array([1.0, gap, 3, 5, 6]), np.array([gap, 3, 2, 4, 5])
    >>> kendall_w_with_gaps(Scores.from_columns(columns)).round(3)
    array([0.903])
    """
    values = values.without_constant_coders()
    whole = kendall_w(values).value
    if values.complete.all():
        return whole
    several = values.sizes >= 2
    k = divide(values.sum(np.where(several, values.sizes, 0)), values.sum(several.astype(float)))
    pairs, found = over_pairs(values, _rank_products, progress)
    r = divide(*(np.bincount(pairs.owner, part, minlength=values.n_groups) for part in (found.xy, found.xx)))
    return np.where(values.complete, whole, divide(1 + r * (k - 1), k))


@dataclass(frozen=True, eq=False)
class RankProducts:
    """Covariance and variance of the ranks of a pair, which weighs n - 1: (P,) each."""

    xy: Array
    xx: Array


def _rank_products(pairs: ScorePairs) -> RankProducts:
    n = pairs.sizes
    x, y = (ranks - ((n + 1) / 2)[pairs.pair] for ranks in pairs.ranks())
    weight = divide(np.full(n.shape, 12.0), n * (n + 1))  # times the variance of n ranks without ties: n - 1
    products = pairs.sum(x * y), pairs.sum(x**2 + y**2) / 2
    return RankProducts(*(np.nan_to_num(weight * part) for part in products))


@dataclass(frozen=True, eq=False)
class CronbachAlpha:
    """Reliability of the mean of all coders: (G,) each; without each coder in turn: (M,) each."""

    value: Array
    low: Array
    high: Array
    statistic: Array  # F
    df1: Array
    df2: Array
    p: Array
    n: Array  # items rated by every coder
    k: Array
    left_out: Array  # items with a missing score
    owner: Array  # (M,) the group of a coder
    coder: Array  # (M,)
    without: Array  # (M,) alpha without this coder


def cronbach_alpha(values: Scores, level: float = 0.95) -> CronbachAlpha:
    """Cronbach's alpha: the reliability of the mean of all k coders, ICC(C,k), with Feldt's interval.

    k / (k - 1) (1 - sum of the coders' variances / variance of the sum). Items with a missing score are left out and
    counted; ICC(C,k) itself uses them. `without` is alpha without each coder.

    Cronbach, L. J. (1951). Coefficient alpha and the internal structure of tests. Psychometrika 16, 297-334. Feldt, L.
    S., Woodruff, D. J. and Salih, F. A. (1987). Applied Psychological Measurement 11, 93-103.

    Examples
    --------
    >>> columns = np.array([1.0, 2, 3, 4, 5]), np.array([1.0, 2, 4, 4, 6]), np.array([1.0, 3, 2, 4, 5])
    >>> alpha = cronbach_alpha(Scores.from_columns(columns))
    >>> alpha.value.round(3), alpha.without.round(3)
    (array([0.957]), array([0.885, 0.947, 0.976]))
    """
    left_out = values.n_incomplete
    values = values.select(values.whole)
    design = Design(values)
    alpha = icc(design, "ICC(C,k)", level)
    k = values.active_coders().astype(float)
    limits = alpha.low, alpha.high, alpha.statistic, alpha.df1, alpha.df2, alpha.p
    cells = values.cell_owner, values.cell_coder, _without_each(values, k)
    return CronbachAlpha(alpha.value, *limits, design.n_items, k, left_out, *cells)


def _without_each(values: Scores, k: Array) -> Array:
    """Alpha of the other coders: (M,)."""
    n_cells = len(values.cell_owner)
    rest = values.per_item(values.centred)[values.item] - values.centred  # sum of the scores of the others
    own, others = (values.per_cell(centre(x, values.cell, n_cells)[0] ** 2) for x in (values.centred, rest))
    variances = values.over_cells(own)[values.cell_owner] - own
    number = k[values.cell_owner] - 1
    return divide(number, np.maximum(number - 1, 0)) * (1 - divide(variances, others))
