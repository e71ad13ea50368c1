"""The registered coefficients of scores: intraclass correlations, concordance, association.

The computations are in `icc`, `concordance` and `association`. Only numpy here.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pandas_agreement.coefficients.numeric import association, concordance
from pandas_agreement.coefficients.numeric.icc import ICC, Design, icc
from pandas_agreement.coefficients.registry import ScoreEstimate, mentions, score_coefficient
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
    "ICC(1)": r"\frac{MS_R - MS_W}{MS_R + (k - 1) MS_W}",
    "ICC(1,k)": r"\frac{MS_R - MS_W}{MS_R}",
    "ICC(C,1)": r"\frac{MS_R - MS_E}{MS_R + (k - 1) MS_E}",
    "ICC(C,k)": r"\frac{MS_R - MS_E}{MS_R}",
    "ICC(A,1)": r"\frac{MS_R - MS_E}{MS_R + (k - 1) MS_E + \frac{k}{n} (MS_C - MS_E)}",
    "ICC(A,k)": r"\frac{MS_R - MS_E}{MS_R + \frac{1}{n} (MS_C - MS_E)}",
}
_ICC_LETTERS = {
    "MS_R": "mean square between items",
    "MS_C": "mean square between coders",
    "MS_W": "mean square within items",
    "MS_E": "mean square of the error",
    "n": "number of items",
    "k": "number of ratings per item, none of which is missing",
}
_ICC_MORE = {
    "1": "With missing ratings it uses the mean squares of the unbalanced design and adjusts the degrees of freedom.",
    "C": "With missing ratings the estimate comes from restricted maximum likelihood, and the interval from exact F\n"
    "    ratios.",
    "A": "With missing ratings the estimate comes from restricted maximum likelihood, and the interval from the "
    "profile\n"
    "    likelihood. The interval is about other items and other coders; intervals from resamples and that of `ccc`\n"
    "    are about other items with the same coders, and narrower.",
}


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

    The interval is that of McGraw and Wong and assumes normal data: the coverage of 95% intervals is 83% to 89% with
    exponential items, and 53% to 79% with lognormal items. For skewed items use `method="percentile"` or `"bca"`, or
    `ccc`. {_ICC_MORE[form[4]]}

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
        chance="none: it is the share of the variance that lies between items",
        use_when=use_when,
        formula=rf"\mathrm{{{form}}} = {_ICC_FORMULAS[form]}",
        letters={name: meaning for name, meaning in _ICC_LETTERS.items() if mentions(_ICC_FORMULAS[form], name)},
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
    "a single rating, where different coders rate different items.",
    "different coders rated each item",
    "-0.02",
)
_icc(
    "icc_1k",
    "ICC(1,k)",
    ("icc1k",),
    "the mean of k ratings, where different coders rate different items.",
    "you would use icc_1, and you use the mean of k ratings",
    "-0.063",
)
_icc(
    "icc_c1",
    "ICC(C,1)",
    ("icc3", "icc_3"),
    "consistency of a single rating, where coders may differ in level.",
    "only the order and the distances of items matter, not the level of a coder",
    "0.788",
)
_icc(
    "icc_ck",
    "ICC(C,k)",
    ("icc3k", "icc_3k"),
    "consistency of the mean of k ratings.",
    "you would use icc_c1, and you use the mean of k ratings",
    "0.918",
)
_icc(
    "icc_a1",
    "ICC(A,1)",
    ("icc2", "icc_2"),
    "absolute agreement of a single rating, where differences in level count as disagreement.",
    "coders have to give the same score, not only the same order",
    "0.224",
)
_icc(
    "icc_ak",
    "ICC(A,k)",
    ("icc2k", "icc_2k"),
    "absolute agreement of the mean of k ratings.",
    "you would use icc_a1, and you use the mean of k ratings",
    "0.463",
)


@score_coefficient(
    "ccc",
    aliases=("lin_ccc", "lins_ccc", "concordance_correlation"),
    chance="none: it is the closeness to the line of equality",
    use_when="two methods or coders measure the same quantity",
    formula=(
        r"\rho_c = \frac{2 s_{xy}}{s_x^2 + s_y^2 + (\bar{x} - \bar{y})^2}, \qquad \text{for } C \text{ coders} \quad "
        r"\frac{\sum_{g \neq h} s_{gh}}{(C - 1) \sum_g s_g^2 + C \sum_g (\bar{x}_g - \bar{x})^2}"
    ),
    letters={
        r"\bar{x}": "mean",
        "s_x^2": "variance, dividing by the number of items",
        "s_{xy}": "covariance, dividing by the number of items",
    },
    reference=(
        "Lin, L. I. (1989). A concordance correlation coefficient to evaluate reproducibility. Biometrics 45, 255-268; "
        "corrections 2000, 56, 324-325. Barnhart, H. X., Haber, M. and Song, J. (2002). Biometrics 58, 1020-1027."
    ),
)
def ccc(values: Scores, level: float, progress: bool = False) -> ScoreEstimate:
    """Lin's concordance correlation: Pearson's correlation, reduced for differences in mean and scale.

    For two coders it is Lin's coefficient, for more coders the overall coefficient. It equals kappa with quadratic
    weights. The interval comes from the jackknife on the z scale. It does not assume normal data, but it is too narrow
    if items are very skewed: the coverage of 95% intervals is 90% to 94% with exponential items, and 77% to 87% with
    lognormal items. For two coders `detail=True` adds `precision`, `accuracy`, `location_shift` and `scale_shift`. For
    more coders `by_pair(metrics="ccc", detail=True)` has these columns for each pair.

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
    chance="none: it is association, not agreement",
    use_when="it only matters whether scores rise and fall together",
    formula=r"r = \frac{s_{xy}}{s_x s_y}",
    letters={"s_{xy}": "covariance of the two coders", "s_x": "standard deviation of the scores of a coder"},
    reference="Fisher, R. A. (1921). On the probable error of a coefficient of correlation. Metron 1, 3-32 (interval).",
)
def pearson(values: Scores, level: float, progress: bool = False) -> ScoreEstimate:
    """Pearson's correlation: association of scores, not agreement.

    For more than two coders it is the mean over all pairs. Fisher's interval assumes normal data. For skewed items use
    `method="percentile"` or `"bca"`, or `spearman`. For more than two coders only these two methods give an interval.

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
    chance="none: it is association of ranks, not agreement",
    use_when="it only matters whether coders rank the items in the same order",
    formula=r"\rho = \operatorname{cor}\bigl(\operatorname{rank}(x), \operatorname{rank}(y)\bigr)",
    letters={r"\operatorname{rank}": "rank, the mean rank for ties"},
    reference="Bonett, D. G. and Wright, T. A. (2000). Psychometrika 65, 23-28 (interval).",
)
def spearman(values: Scores, level: float, progress: bool = False) -> ScoreEstimate:
    """Spearman's rank correlation: association of ranks, not agreement.

    For more than two coders it is the mean over all pairs. The interval for two coders is that of Bonett and Wright.
    For more coders only `method="percentile"` and `"bca"` give an interval.

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
    chance="none: it is the concordance of rankings",
    use_when="coders rank the items",
    formula=r"W = \frac{12 S}{C^2 (n^3 - n) - C \sum_g T_g}, \qquad T_g = \sum_t (t^3 - t)",
    letters={
        "S": "sum of squares of the rank sums about their mean",
        "t": "number of items in a tie of coder :math:`g`",
        "n": "number of items",
        "C": "number of coders; no rating is missing",
    },
    reference=(
        "Kendall, M. G. and Babington Smith, B. (1939). The problem of m rankings. Annals of Mathematical Statistics "
        "10, 275-287. Brueckl, M. (2011). Altersbedingte Veraenderungen der Stimme und Sprechweise von Frauen. Logos, "
        "88-103; Taylor, J. M. G. (1987). Biometrics 43, 409-416 (missing ratings)."
    ),
)
def kendall_w(values: Scores, level: float, progress: bool = False) -> ScoreEstimate:
    r"""Kendall's W: how similarly the coders rank the items, corrected for ties.

    `detail=True` adds its test. Only `method="percentile"` and `"bca"` give an interval. With missing ratings
    :math:`W = (1 + r (k - 1)) / k`, as without them, where :math:`k` is the mean number of ratings of items with two or
    more, and :math:`r` the mean of Spearman's correlations of all pairs of coders. A pair is ranked on the :math:`n`
    items that both rated, and its weight is :math:`n - 1` (Brueckl 2011, after Taylor 1987). If there are ties,
    :math:`r` is the sum of the covariances of the ranks divided by the sum of their variances, so that W has its usual
    value if no rating is missing. With missing ratings it may be negative. `missing="complete"` leaves out items with a
    missing rating. A coder who gives all items the same rating is left out.

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
    chance="none: it is the reliability of a sum",
    use_when="you add up the coders' (or items') scores",
    formula=r"\alpha_C = \frac{C}{C - 1} \left(1 - \frac{\sum_g s_g^2}{s_{\text{total}}^2}\right)",
    letters={
        "s_g^2": "variance of the ratings of coder :math:`g`",
        r"s_{\text{total}}^2": "variance of the sum of the ratings",
        "C": "number of coders",
    },
    reference=(
        "Cronbach, L. J. (1951). Psychometrika 16, 297-334. Feldt, L. S. (1965). Psychometrika 30, 357-370 (interval)."
    ),
    range=(-np.inf, 1.0),
)
def cronbach_alpha(values: Scores, level: float, progress: bool = False) -> ScoreEstimate:
    """Cronbach's alpha: the reliability of the sum of the ratings.

    It is equal to ICC(C,k), and unrelated to Krippendorff's alpha. Items with a missing rating are left out. To get
    alpha without one coder, name all the others. Feldt's interval assumes normal data. For skewed items use
    `method="percentile"` or `"bca"`.

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
