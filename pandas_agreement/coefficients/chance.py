"""Observed agreement and the coefficients that correct it for chance: kappa, pi, AC1, AC2, S, I_r.

A kernel takes sums over items (any leading axes) and a distance between categories. In the notation of the literature
p (..., K) is the pooled marginal distribution, P (..., C, K) holds the marginal distribution of each coder.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pandas_agreement.coefficients.registry import coefficient
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.distances import Distance
from pandas_agreement.core.sums import Chance, Estimate, SufficientStatistics, corrected, divide, dot

ROUNDING = 1e-12  # agreement above chance that can be a rounding error

_SHARES = {"p_k": "mean share of category :math:`k` over items", "n": "number of items with two or more labels"}


@coefficient(
    "observed",
    aliases=("percent_agreement", "raw_agreement", "observed_agreement", "holsti"),
    chance="none: it is the share of pairs that agree",
    use_when="you want the share of agreeing pairs in addition to a corrected coefficient",
    formula=(
        r"A_o = \frac{1}{n} \sum_{i=1}^{n} a_i, \qquad "
        r"a_i = \frac{\sum_{k, l} w_{kl}\, n_{ik} (n_{il} - [k = l])}{r_i (r_i - 1)}"
    ),
    letters={"a_i": "share of agreeing pairs of item :math:`i`", "n": "number of items with two or more labels"},
    reference="Holsti, O. R. (1969). Content Analysis for the Social Sciences and Humanities. Addison-Wesley.",
    range=(0.0, 1.0),
    correction="none",
)
def observed(sums: SufficientStatistics, distance: Distance) -> Estimate:
    """Observed agreement: the share of agreeing pairs of labels, not corrected for chance.

    For each item it is the share of pairs of coders who gave the same label (with weights, their mean weight), averaged
    over items. With `weights=scales.within(1)` two numbers agree if they differ by at most 1. For two coders this is
    the percent agreement of other packages (irr's `agree`). For more coders other packages check instead whether the
    largest and the smallest number of an item differ by at most 1.

    Examples
    --------
    >>> df.agree.observed("ann", "bob")["estimate"].round(3)
    coefficient
    observed    0.7
    Name: estimate, dtype: float64
    >>> scores = pd.DataFrame({"ann": [1, 2, 3, 4, 4, 1], "bob": [1, 3, 1, 4, 3, 2]})
    >>> from pandas_agreement import scales
    >>> scores.agree.observed(weights=scales.within(1), detail=True).filter(["estimate", "weights"]).round(3)
                 estimate    weights
    coefficient
    observed        0.833  within(1)
    """
    disagreement = sums.observed
    unknown = np.full(disagreement.shape, np.nan)
    return Estimate(1 - disagreement, disagreement, unknown, by_observed=-np.ones(disagreement.shape))


def by_shares(p: Array, distance: Distance, Dp: Array | None = None) -> tuple[Array, Array]:
    """Expected disagreement of two labels drawn from the pooled shares, and its derivatives by them."""
    Dp = distance.apply(p) if Dp is None else Dp
    return dot(p, Dp), 2 * Dp


def by_guessing(p: Array, distance: Distance, Dp: Array | None = None) -> tuple[Array, Array]:
    """Gwet's: 1 - D_e is the sum of all agreement weights over K (K - 1), times the sum of p (1 - p)."""
    K, total = distance.number, distance.sum_of_all
    c = divide(np.asarray(K * K - total), np.asarray(K * (K - 1)))  # (), or (...) if groups have different categories
    return 1 - c * dot(p, 1 - p), 2 * c[..., None] * p


def by_equal_shares(p: Array, distance: Distance, Dp: Array | None = None) -> tuple[Array, Array]:
    """Expected disagreement of two labels if every category is equally likely, whatever the shares."""
    return _equally_likely(p.shape[:-1], distance), np.zeros(p.shape)


def _equally_likely(shape: tuple[int, ...], distance: Distance) -> Array:
    """Mean distance of two categories, each being equally likely: the shape."""
    return np.full(shape, distance.sum_of_all / np.maximum(distance.number, 1) ** 2)


def expected_by_marginals(sums: SufficientStatistics, distance: Distance) -> tuple[Array, Array]:
    """Expected disagreement of kappa (...), and its derivatives by the individual marginals (..., C, K).

    The mean over pairs of coders of the disagreement of two labels, each drawn from the marginals of its coder.
    """
    P = sums.margins  # (..., C, K)
    active = sums.coder_sizes > 0
    C = active.sum(-1)
    pairs = np.where(C > 1, C * (C - 1), np.nan)
    if P.shape[-2] == 2:
        others = P[..., ::-1, :]
    else:  # summed marginals of the other coders; exactly 0 for a category that only this coder used
        others = P.sum(-2, keepdims=True) - P
        others[sums.coders >= sums.coders.sum(-2, keepdims=True)] = 0.0  # type: ignore[union-attr]
    D_others = _directed(distance, others)
    D_others[~active] = 0.0
    D_e = dot(P, D_others).sum(-1) / pairs
    D_others *= 2  # in place: there may be millions of categories
    D_others /= pairs[..., None, None]
    return D_e, D_others


def _directed(distance: Distance, others: Array) -> Array:
    """Mean distance to the labels of the other coders; with two coders the matrix may be asymmetric."""
    matrix = getattr(distance, "directed", None)
    if matrix is None or others.shape[-2] != 2:
        return distance.apply(others)
    return np.stack([others[..., 0, :] @ matrix.T, others[..., 1, :] @ matrix], -2)


@coefficient(
    "kappa",
    display=("Cohen's kappa", "Conger's kappa"),
    aliases=(
        "conger",
        "cohen_kappa",
        "cohens_kappa",
        "conger_kappa",
        "weighted_kappa",
        "davies_fleiss_kappa",
        "multi_kappa",
    ),
    chance="every coder guesses from their own label distribution",
    use_when="the same few coders labelled everything and their label distributions may differ",
    formula=(
        r"\kappa = \frac{A_o - A_e}{1 - A_e}, \qquad "
        r"A_e = \frac{2}{C (C - 1)} \sum_{g < h} \sum_{k, l} w_{kl} P_{gk} P_{hl}"
    ),
    letters={"P_{gk}": "share of category :math:`k` among the labels of coder :math:`g`", "C": "number of coders"},
    reference=(
        "Cohen, J. (1960). A coefficient of agreement for nominal scales. Educational and Psychological Measurement "
        "20, 37-46. Cohen, J. (1968). Psychological Bulletin 70, 213-220 (weights). Conger, A. J. (1980). "
        "Psychological Bulletin 88, 322-328; Davies, M. and Fleiss, J. L. (1982). Biometrics 38, 1047-1051 (many "
        "coders)."
    ),
    options=("weights", "pool"),
    needs_coders=True,
    zero_if_constant=True,
    at_shares=by_shares,
)
def kappa(sums: SufficientStatistics, distance: Distance) -> Estimate:
    """Kappa: chance agreement comes from each coder's own label distribution.

    For two coders it is Cohen's kappa, or weighted kappa with `weights`. For more coders it is the generalization of
    Conger, which is also that of Davies and Fleiss and of Artstein and Poesio. Expected agreement is the mean over all
    pairs of coders.

    Examples
    --------
    >>> df.agree.kappa("ann", "bob").filter(["estimate", "observed", "expected"]).round(3)
                 estimate  observed  expected
    coefficient
    kappa           0.348       0.7      0.54
    """
    D_e, by_margins = expected_by_marginals(sums, distance)
    return corrected(sums, Chance(D_e, by_margins=by_margins))


@coefficient(
    "pi",
    display=("Scott's pi", "Fleiss' kappa"),
    aliases=("fleiss", "scott_pi", "scotts_pi", "fleiss_kappa", "fleiss_pi", "multi_pi"),
    chance="all coders guess from one pooled label distribution",
    use_when="coders are interchangeable, or different coders labelled different items",
    formula=(
        r"\pi = \frac{A_o - A_e}{1 - A_e}, \qquad A_e = \sum_{k, l} w_{kl}\, p_k p_l, \qquad "
        r"p_k = \frac{1}{n} \sum_{i} \frac{n_{ik}}{r_i}"
    ),
    letters=_SHARES,
    reference=(
        "Scott, W. A. (1955). Reliability of content analysis: the case of nominal scale coding. Public Opinion "
        "Quarterly 19, 321-325. Fleiss, J. L. (1971). Psychological Bulletin 76, 378-382 (many coders)."
    ),
    at_shares=by_shares,
)
def pi(sums: SufficientStatistics, distance: Distance) -> Estimate:
    """Pi: chance agreement comes from one label distribution, pooled over coders.

    For two coders it is Scott's pi. For more coders it is known as Fleiss' kappa. Items may have any number of labels.

    Examples
    --------
    >>> df.agree.pi("ann", "bob")["estimate"].round(3)
    coefficient
    pi    0.341
    Name: estimate, dtype: float64
    """
    D_e, by_profile = by_shares(sums.profile, distance)
    return corrected(sums, Chance(D_e, by_profile=by_profile))


_GWET = (
    "Gwet, K. L. (2008). Computing inter-rater reliability and its variance in the presence of high agreement. "
    "British Journal of Mathematical and Statistical Psychology 61, 29-48."
)


def _gwet(sums: SufficientStatistics, distance: Distance) -> Estimate:
    D_e, by_profile = by_guessing(sums.profile, distance)
    return corrected(sums, Chance(D_e, by_profile=by_profile))


@coefficient(
    "ac1",
    aliases=("gwet", "gwet_ac1", "gwets_ac1"),
    chance="coders guess only on hard items, and choose every category equally often",
    use_when="one category dominates, so that kappa is low although coders agree",
    formula=(
        r"\mathrm{AC1} = \frac{A_o - A_e}{1 - A_e}, \qquad A_e = \frac{1}{K - 1} \sum_{k} p_k (1 - p_k), \qquad "
        r"p_k = \frac{1}{n} \sum_{i} \frac{n_{ik}}{r_i}"
    ),
    letters=_SHARES,
    reference=_GWET,
    options=(),
    depends_on_k=True,
    at_shares=by_guessing,
)
def ac1(sums: SufficientStatistics, distance: Distance) -> Estimate:
    """Gwet's AC1: coders guess only on hard items, and choose every category equally often.

    AC1 depends on the number of categories. Declare them (a Categorical or `categories=`) if some may go unused.

    Examples
    --------
    >>> df.agree.ac1("ann", "bob")["estimate"].round(3)
    coefficient
    ac1    0.45
    Name: estimate, dtype: float64
    """
    return _gwet(sums, distance)


@coefficient(
    "ac2",
    aliases=("gwet_ac2", "gwets_ac2", "gwet_gamma"),
    chance="as for AC1: coders guess only on hard items",
    use_when="you would use AC1, and the labels are steps of a scale",
    formula=(
        r"\mathrm{AC2} = \frac{A_o - A_e}{1 - A_e}, \qquad "
        r"A_e = \frac{\sum_{k, l} w_{kl}}{K (K - 1)} \sum_{k} p_k (1 - p_k), \qquad "
        r"p_k = \frac{1}{n} \sum_{i} \frac{n_{ik}}{r_i}"
    ),
    letters=_SHARES,
    reference=_GWET,
    needs_weights=True,
    depends_on_k=True,
    at_shares=by_guessing,
)
def ac2(sums: SufficientStatistics, distance: Distance) -> Estimate:
    """Gwet's AC2: AC1 with weights for partial agreement.

    `weights` has no default here. AC2 depends on the number of categories. Declare them (a Categorical or
    `categories=`) if some may go unused.

    Examples
    --------
    >>> scores = pd.DataFrame({"ann": [1, 2, 3, 4, 4, 1], "bob": [1, 2, 4, 4, 3, 2]})
    >>> scores.agree.ac2(weights="linear")["estimate"].round(3)
    coefficient
    ac2    0.61
    Name: estimate, dtype: float64
    """
    return _gwet(sums, distance)


@coefficient(
    "s",
    aliases=("bennett_s", "brennan_prediger", "randolph_kappa", "free_marginal_kappa", "pabak"),
    chance="every category is equally likely",
    use_when="coders had no reason to expect one category more than another",
    formula=r"S = \frac{A_o - A_e}{1 - A_e}, \qquad A_e = \frac{1}{K^2} \sum_{k, l} w_{kl}",
    reference=(
        "Bennett, E. M., Alpert, R. and Goldstein, A. C. (1954). Communications through limited-response questioning. "
        "Public Opinion Quarterly 18, 303-308. Brennan, R. L. and Prediger, D. J. (1981). Educational and "
        "Psychological Measurement 41, 687-699."
    ),
    depends_on_k=True,
    at_shares=by_equal_shares,
)
def s(sums: SufficientStatistics, distance: Distance) -> Estimate:
    """Bennett's S: by chance every category is equally likely.

    It is also known as Brennan and Prediger's kappa, Randolph's free-marginal kappa and, for two categories, PABAK. S
    depends on the number of categories. Declare them (a Categorical or `categories=`) if some may go unused.

    Examples
    --------
    >>> df.agree.s("ann", "bob")["estimate"].round(3)
    coefficient
    s    0.4
    Name: estimate, dtype: float64
    """
    return corrected(sums, Chance(_equally_likely(sums.pairable.shape, distance)))


@coefficient(
    "perreault_leigh",
    aliases=("perreault_leigh_i", "i_r"),
    chance="every category is equally likely",
    use_when="you report the reliability of a single coder, as marketing research does",
    formula=r"I_r = \sqrt{\max\left(A_o - \frac{1}{K},\, 0\right) \frac{K}{K - 1}}",
    reference=(
        "Perreault, W. D. and Leigh, L. E. (1989). Reliability of nominal data based on qualitative judgments. Journal "
        "of Marketing Research 26, 135-148."
    ),
    options=(),
    depends_on_k=True,
    range=(0.0, 1.0),
    correction="other",  # the root of a ratio
)
def perreault_leigh(sums: SufficientStatistics, distance: Distance) -> Estimate:
    r"""Perreault and Leigh's I_r: the share of items that a coder labels without guessing.

    A guess chooses every category equally often. The index is the square root of Bennett's S, because a pair agrees
    beyond chance only if neither coder guesses. It is therefore higher than S, and the benchmarks of kappa do not apply
    to it. For more than two coders it is the root of S of all pairs. Agreement at chance or below gives 0, without a
    standard error. The interval is computed from the influence of the items, as for kappa; the interval of the authors
    is :math:`I_r \pm 1.96 \sqrt{I_r (1 - I_r) / n}`. The index depends on the number of categories. Declare them (a
    Categorical or `categories=`) if some may go unused.

    Examples
    --------
    >>> df.agree.summary("ann", "bob", metrics=["s", "perreault_leigh"])["estimate"].round(3)
    coefficient
    s                  0.400
    perreault_leigh    0.632
    Name: estimate, dtype: float64
    """
    bennett = s(sums, distance)
    root = np.sqrt(np.where(bennett.value < ROUNDING, 0.0, bennett.value))
    return replace(bennett, value=root, by_observed=divide(bennett.by_observed, 2 * root))
