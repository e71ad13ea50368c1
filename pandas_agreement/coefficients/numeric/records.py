"""The registered coefficients of scores: intraclass correlations, concordance, association.

The computations are in `icc`, `concordance` and `association`. Only numpy here.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pandas_agreement.coefficients.numeric import association, concordance
from pandas_agreement.coefficients.numeric.icc import ICC, Design, icc
from pandas_agreement.coefficients.registry import ScoreEstimate, score_coefficient
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.category_counts import spread
from pandas_agreement.core.scores import ScorePairs, Scores, over_pairs
from pandas_agreement.core.sums import divide

_MCGRAW_WONG = (
    "McGraw, K. O. and Wong, S. P. (1996). Forming inferences about some intraclass correlation coefficients. "
    "Psychological Methods 1, 30-46. Shrout, P. E. and Fleiss, J. L. (1979). Psychological Bulletin 86, 420-428."
)


NO_VARIANCE = "undefined", "no reliability of means: their variance is estimated as 0 or less"
NOT_CONVERGED = "no converge", "the search for the variance components did not converge"
NOT_NORMAL = "narrow ci", 'items are not normal: see method="percentile"'
MAX_SKEWNESS, MAX_KURTOSIS = 1.0, 2.0  # of the items' means, and no more than sampling explains


def far_from_normal(values: Scores) -> Array:
    """Groups whose items have skewed means, or some far from the others: (G,) of bool."""
    n = values.sum((values.sizes > 0).astype(float))
    away = values.item_means - spread(divide(values.sum(values.item_means), n), values.group)
    away = np.where(values.sizes > 0, away, 0.0)
    square = away * away
    two, three, four = (divide(values.sum(power), n) for power in (square, square * away, square * square))
    skewness, kurtosis = divide(three, two**1.5), divide(four, two**2) - 3
    skewed = np.abs(skewness) > np.maximum(MAX_SKEWNESS, 3 * np.sqrt(divide(6.0, n)))
    return skewed | (kurtosis > np.maximum(MAX_KURTOSIS, 3 * np.sqrt(divide(24.0, n))))


def undefined_average(found: ICC | association.CronbachAlpha) -> Array:
    """Groups with a test of single scores and no reliability of their mean: (G,) of bool."""
    return np.isnan(found.value) & ~np.isnan(found.statistic)


#: the intraclass correlations, in the order of `icc`
FORMS = {"1": "icc_1", "C1": "icc_c1", "A1": "icc_a1", "1k": "icc_1k", "Ck": "icc_ck", "Ak": "icc_ak"}
_ICC_FORMULAS = {
    "ICC(1)": "(MSR - MSW) / (MSR + (k - 1) MSW)",
    "ICC(1,k)": "(MSR - MSW) / MSR",
    "ICC(C,1)": "(MSR - MSE) / (MSR + (k - 1) MSE)",
    "ICC(C,k)": "(MSR - MSE) / MSR",
    "ICC(A,1)": "(MSR - MSE) / (MSR + (k - 1) MSE + k (MSC - MSE) / n)",
    "ICC(A,k)": "(MSR - MSE) / (MSR + (MSC - MSE) / n)",
}
_MEAN_SQUARES = {"MSR": "between items", "MSC": "between coders", "MSW": "within items", "MSE": "error"}
_ICC_MORE = {
    "1": "With missing ratings it uses the mean squares of the unbalanced design, with degrees of freedom that fit.",
    "C": "With missing ratings it is estimated by restricted maximum likelihood, its interval by exact F ratios.",
    "A": "With missing ratings it is estimated by restricted maximum likelihood, its interval by profile likelihood.\n"
    "    The interval is for other items and other coders; those of resamples and of `ccc` are for other items with\n"
    "    the same coders, and shorter.",
}


def _icc_formula(form: str) -> str:
    formula = f"{form} = {_ICC_FORMULAS[form]}"
    letters = ", ".join(f"{name} {meaning}" for name, meaning in _MEAN_SQUARES.items() if name in formula)
    return f"{formula}\nmean squares: {letters}\nn items with k ratings each, none missing"


def _icc(name: str, form: str, aliases: tuple[str, ...], about: str, use_when: str, example: str) -> None:
    """Register one of the six forms; those of the one-way model do not tell coders apart."""

    def kernel(values: Scores, level: float, progress: bool = False) -> ScoreEstimate:
        design = Design(values)
        result = icc(design, form, level)
        profile = design.gaps & ("A" in form)
        how = np.where(profile, "profile likelihood", "F").astype(object)
        remarks = {NO_VARIANCE: undefined_average(result), NOT_CONVERGED: profile & ~design.converged}
        remarks |= {NOT_NORMAL: far_from_normal(values)} if level else {}
        return ScoreEstimate(result.value, result.low, result.high, how, remarks=remarks)

    kernel.__name__ = name
    kernel.__doc__ = f"""{form}: {about}

    The interval is McGraw and Wong's and needs normal data: 95 % intervals cover 83 to 89 % with exponential items, 53
    to 79 % with lognormal ones. For skewed items use `method="percentile"` or `"bca"`, or `ccc`.
    {_ICC_MORE[form[4]]}

    Examples
    --------
    >>> scores = pd.DataFrame({{"ann": [9, 6, 8, 7, 10, 6], "bob": [2, 1, 4, 1, 5, 2], "cleo": [5, 3, 6, 2, 6, 4]}})
    >>> scores.agree.{name}()["estimate"].round(3)
    coefficient
    {name}    {example}
    Name: estimate, dtype: float64
    """
    register = score_coefficient(
        name,
        aliases=aliases,
        chance="none: share of the variance that is between items",
        use_when=use_when,
        formula=_icc_formula(form),
        reference=_MCGRAW_WONG,
        hidden=True,
        needs_coders=not form.startswith("ICC(1"),
        random_coders="A" in form,
        range=(-np.inf, 1.0),
    )
    register(kernel)


_icc(
    "icc_1",
    "ICC(1)",
    ("icc1",),
    "one rating, items labelled by different coders, who are not told apart.",
    "every item was rated by other coders",
    "-0.02",
)
_icc(
    "icc_1k",
    "ICC(1,k)",
    ("icc1k",),
    "the mean of k ratings, coders not told apart.",
    "you would use icc_1, and work with means of k ratings",
    "-0.063",
)
_icc(
    "icc_c1",
    "ICC(C,1)",
    ("icc3", "icc_3"),
    "consistency of one rating: coders may differ in level.",
    "only the order and distance of items matter, not the level of a coder",
    "0.788",
)
_icc(
    "icc_ck",
    "ICC(C,k)",
    ("icc3k", "icc_3k"),
    "consistency of the mean of k ratings.",
    "you would use icc_c1, and work with means of k ratings",
    "0.918",
)
_icc(
    "icc_a1",
    "ICC(A,1)",
    ("icc2", "icc_2"),
    "absolute agreement of one rating: differences in level count as disagreement.",
    "coders must give the same number, not only the same order",
    "0.224",
)
_icc(
    "icc_ak",
    "ICC(A,k)",
    ("icc2k", "icc_2k"),
    "absolute agreement of the mean of k ratings.",
    "you would use icc_a1, and work with means of k ratings",
    "0.463",
)


@score_coefficient(
    "ccc",
    aliases=("lin_ccc", "lins_ccc", "concordance_correlation"),
    chance="none: closeness to the line of equality",
    use_when="two methods or coders measure the same quantity",
    formula=(
        "CCC = 2 s_xy / (s_x^2 + s_y^2 + (m_x - m_y)^2)\n"
        "C coders: sum_{g != h} s_gh / ((C - 1) sum_g s_gg + C sum_g (m_g - m)^2)\n"
        "m means, s variances and covariances with 1 / n"
    ),
    reference=(
        "Lin, L. I. (1989). A concordance correlation coefficient to evaluate reproducibility. Biometrics 45, 255-268; "
        "corrections 2000, 56, 324-325. Barnhart, H. X., Haber, M. and Song, J. (2002). Biometrics 58, 1020-1027."
    ),
)
def ccc(values: Scores, level: float, progress: bool = False) -> ScoreEstimate:
    """Lin's concordance correlation: Pearson's correlation, reduced for differences in mean and scale.

    Two coders: Lin's. More: the overall coefficient. It equals kappa with quadratic weights. The interval is made by
    the jackknife on the z scale and needs no normal data, but it still covers too little if items are very skewed: 95 %
    intervals cover 90 to 94 % with exponential items and 77 to 87 % with lognormal ones. For two coders `detail=True`
    adds `precision`, `accuracy`, `location_shift` and `scale_shift`; for each pair of more coders
    `by_pair(metrics="ccc", detail=True)` has them.

    Examples
    --------
    >>> scores = pd.DataFrame({"ann": [1.0, 2.1, 3.3, 4.0, 5.2], "bob": [1.2, 1.9, 3.0, 4.4, 5.0]})
    >>> scores.agree.ccc()[["estimate", "ci_low", "ci_high"]].round(3)
                 estimate  ci_low  ci_high
    coefficient
    ccc             0.982   0.802    0.999
    """
    found = concordance.occc(values, level)
    remarks = {("no se", "same without each item: no se"): np.isnan(found.se_jackknife) & (found.n > 1)}
    return ScoreEstimate(found.value, found.low, found.high, "jackknife z", found.se_jackknife, remarks=remarks)


def _mean_of_pairs(
    values: Scores, level: float, correlate: Callable[[ScorePairs, float], association.Correlation], progress: bool
) -> ScoreEstimate:
    """The correlation of two coders with its interval, or the plain mean over all pairs without an interval."""
    pairs, correlation = over_pairs(values, lambda part: correlate(part, level), progress)
    one_pair = np.bincount(pairs.owner, minlength=values.n_groups) == 1
    parts = correlation.value, correlation.low, correlation.high
    mean, low, high = (pairs.mean_over_pairs(part, values.n_groups) for part in parts)
    low, high = np.where(one_pair, low, np.nan), np.where(one_pair, high, np.nan)
    return ScoreEstimate(mean, low, high, np.where(one_pair, "Fisher z", "").astype(object))


@score_coefficient(
    "pearson",
    aliases=("pearson_r",),
    chance="none: association, not agreement",
    use_when="you ask whether coders rise and fall together, whatever their level and unit",
    formula="r = s_xy / (s_x s_y)\ns_xy: covariance of the two coders; s_x, s_y: their standard deviations",
    reference="Fisher, R. A. (1921). On the probable error of a coefficient of correlation. Metron 1, 3-32 (interval).",
)
def pearson(values: Scores, level: float, progress: bool = False) -> ScoreEstimate:
    """Pearson's correlation of two coders: association, not agreement; of more, the plain mean over pairs.

    Fisher's interval needs normal data; for skewed items use `method="percentile"` or `"bca"`, or `spearman`. With more
    than two coders there is an interval only with these two methods.

    Examples
    --------
    >>> scores = pd.DataFrame({"ann": [1.0, 2, 3, 4, 5], "bob": [11.0, 12, 14, 13, 15]})
    >>> scores.agree.summary(metrics=["pearson", "ccc"])["estimate"].round(3)
    coefficient
    pearson    0.900
    ccc        0.035
    Name: estimate, dtype: float64
    """
    return _mean_of_pairs(values, level, association.pearson, progress)


@score_coefficient(
    "spearman",
    aliases=("spearman_rho",),
    chance="none: association of ranks, not agreement",
    use_when="you ask whether coders rank the items alike",
    formula="Pearson's r of the ranks; ties have their mean rank",
    reference="Bonett, D. G. and Wright, T. A. (2000). Psychometrika 65, 23-28 (interval).",
)
def spearman(values: Scores, level: float, progress: bool = False) -> ScoreEstimate:
    """Spearman's rank correlation of two coders: association, not agreement; of more, the plain mean over pairs.

    The interval of two coders is Bonett and Wright's. With more coders there is one only with `method="percentile"` or
    `"bca"`.

    Examples
    --------
    >>> scores = pd.DataFrame({"ann": [1.0, 2, 3, 4, 5], "bob": [11.0, 12, 14, 13, 99]})
    >>> scores.agree.spearman()["estimate"].round(3)
    coefficient
    spearman    0.9
    Name: estimate, dtype: float64
    """
    return _mean_of_pairs(values, level, association.spearman, progress)


@score_coefficient(
    "kendall_w",
    aliases=("kendalls_w",),
    chance="none: concordance of rankings",
    use_when="coders rank the items",
    formula=(
        "W = 12 S / (C^2 (n^3 - n) - C sum_g T_g)\n"
        "S: sum of squares of the rank sums about their mean\n"
        "T_g = sum of t^3 - t over the ties of coder g; t: items in a tie\n"
        "n items, C coders, no missing ratings"
    ),
    reference=(
        "Kendall, M. G. and Babington Smith, B. (1939). The problem of m rankings. Annals of Mathematical Statistics "
        "10, 275-287. Brueckl, M. (2011). Altersbedingte Veraenderungen der Stimme und Sprechweise von Frauen. Logos, "
        "88-103; Taylor, J. M. G. (1987). Biometrics 43, 409-416 (gaps)."
    ),
)
def kendall_w(values: Scores, level: float, progress: bool = False) -> ScoreEstimate:
    """Kendall's W: how far the coders rank the items alike, corrected for ties; `detail=True` adds its test.

    It has an interval only with `method="percentile"` or `"bca"`.
    With missing ratings W = (1 + r (k - 1)) / k, as without: k is the mean number of ratings per item with two or more,
    r the mean of Spearman's correlations of all pairs of coders. A pair is ranked on the n items that both
    rated and weighs n - 1 (Brueckl 2011, after Taylor 1987). For ties r is the sum of the covariances of the ranks over
    the sum of their variances, so that without gaps W is the usual one. With gaps it may fall below 0.
    `missing="complete"` leaves out items with gaps. A coder who gives all items the same rating is left out.

    Examples
    --------
    >>> scores = pd.DataFrame({"ann": [1, 2, 3, 4, 5], "bob": [1, 2, 4, 4, 6], "cleo": [1, 3, 2, 4, 5]})
    >>> scores.agree.kendall_w()["estimate"].round(3)
    coefficient
    kendall_w    0.932
    Name: estimate, dtype: float64
    """
    w = association.kendall_w_with_gaps(values, progress)
    unknown = np.full(w.shape, np.nan)
    return ScoreEstimate(w, unknown, unknown, "")


@score_coefficient(
    "cronbach_alpha",
    aliases=("cronbach", "cronbachs_alpha"),
    chance="none: reliability of a sum",
    use_when="you add up the coders' (or items') scores",
    formula=(
        "alpha = C / (C - 1) (1 - sum_g s_g^2 / s_total^2)\n"
        "s_g^2: variance of the ratings of coder g; s_total^2: of their sum; C coders"
    ),
    reference=(
        "Cronbach, L. J. (1951). Psychometrika 16, 297-334. Feldt, L. S. (1965). Psychometrika 30, 357-370 (interval)."
    ),
    range=(-np.inf, 1.0),
)
def cronbach_alpha(values: Scores, level: float, progress: bool = False) -> ScoreEstimate:
    """Cronbach's alpha: how reliable the sum of the ratings is; the same as ICC(C,k). Not Krippendorff's.

    Items with a missing rating are left out. Name all coders but one for its value without that coder. Feldt's
    interval needs normal data; for skewed items use `method="percentile"` or `"bca"`.

    Examples
    --------
    >>> scores = pd.DataFrame({"ann": [9, 6, 8, 7, 10, 6], "bob": [2, 1, 4, 1, 5, 2], "cleo": [5, 3, 6, 2, 6, 4]})
    >>> scores.agree.cronbach_alpha()["estimate"].round(3)
    coefficient
    cronbach_alpha    0.918
    Name: estimate, dtype: float64
    """
    alpha = association.cronbach_alpha(values, level)
    remarks = {NO_VARIANCE: undefined_average(alpha)}
    remarks |= {NOT_NORMAL: far_from_normal(values)} if level else {}
    return ScoreEstimate(alpha.value, alpha.low, alpha.high, "Feldt", left_out=alpha.left_out, remarks=remarks)
