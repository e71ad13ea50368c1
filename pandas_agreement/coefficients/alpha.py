"""Krippendorff's alpha: expected disagreement as for pi, in a finite sample, with every label counting once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pandas_agreement.coefficients.chance import by_shares
from pandas_agreement.coefficients.registry import coefficient
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.distances import Distance, Points
from pandas_agreement.core.item_statistics import ValueSums
from pandas_agreement.core.sums import Chance, Estimate, SufficientStatistics, corrected, divide


@coefficient(
    "alpha",
    aliases=("krippendorff", "krippendorff_alpha", "krippendorffs_alpha"),
    chance="labels are drawn without replacement from all labels",
    use_when="there are missing labels, many coders or a scale; it is the standard of content analysis",
    formula=(
        r"\alpha = 1 - \frac{D_o}{D_e}, \qquad "
        r"D_o = \frac{1}{n} \sum_{i} \sum_{k, l} \frac{n_{ik}\, n_{il}\, d_{kl}}{r_i - 1}, \qquad "
        r"D_e = \frac{1}{n (n - 1)} \sum_{k, l} n_k\, n_l\, d_{kl}"
    ),
    letters={"n_k": "number of labels of category :math:`k`", "n": "number of labels, on items with two or more"},
    reference=(
        "Krippendorff, K. (2018). Content Analysis: An Introduction to Its Methodology, 4th ed., ch. 12. Sage. "
        "Hayes, A. F. and Krippendorff, K. (2007). Communication Methods and Measures 1, 77-89."
    ),
    options=("level", "sep"),
    unit="label",
    at_shares=by_shares,
    methods=("analytic", "log", "jackknife", "percentile", "bca", "kalpha"),
)
def alpha(sums: SufficientStatistics, distance: Distance) -> Estimate:
    """Krippendorff's alpha: chance agreement comes from all labels, shuffled over items and coders.

    It allows any number of coders, missing labels and any level of measurement. Only items with two or more labels
    count. The ordinal level uses the ranks of the labels in the data, and its standard error takes this into account.
    Every label counts once, so `observed` may differ slightly from the observed agreement of other coefficients.

    Examples
    --------
    >>> df.agree.alpha("ann", "bob")["estimate"].round(3)
    coefficient
    alpha    0.374
    Name: estimate, dtype: float64
    >>> scores = pd.DataFrame({"ann": [1, 2, 3, 4, None], "bob": [1, 2, 4, 4, 2], "cleo": [1, 3, 3, None, 2]})
    >>> scores.agree.alpha(level="ordinal", detail=True).filter(["estimate", "weights"]).round(3)
                 estimate  weights
    coefficient
    alpha           0.885  ordinal
    """
    if isinstance(sums, ValueSums):
        return _of_values(sums)
    n, p = sums.size, sums.profile
    mean, by_profile = by_shares(p, distance)
    finite = divide(n, n - 1)
    by_size = -divide(mean, (n - 1) ** 2)
    estimate = corrected(sums, Chance(finite * mean, by_profile=finite[..., None] * by_profile, by_size=by_size))
    if sums.rank_sums is None:
        return estimate
    return replace(estimate, by_totals=estimate.by_totals + _by_ranks(sums, distance, estimate))


def _of_values(sums: ValueSums) -> Estimate:
    """Interval alpha of numbers; `by_totals` is its derivative by the expected disagreement."""
    n = sums.size
    estimate = corrected(sums, Chance(divide(n, n - 1) * sums.mean_distance))
    return replace(estimate, by_totals=divide(estimate.observed, estimate.expected**2))


def _by_ranks(sums: SufficientStatistics, distance: Distance, estimate: Estimate) -> Array:
    """Derivative by the totals through the ranks: one more label in a category raises the ranks of all above it."""
    if not isinstance(distance, Points) or sums.rank_sums is None:
        raise TypeError("only the ranks of ordinal alpha depend on the totals")
    R, n_k, n = distance.points[..., 0], sums.totals, sums.size[..., None]
    by_rank_o = 4 * (n_k * R - sums.rank_sums)
    by_rank_e = 4 * n_k * (n * R - (n_k * R).sum(-1, keepdims=True))
    by_expected = divide(estimate.observed, estimate.expected**2)
    by_rank = estimate.by_observed[..., None] * divide(by_rank_o, n)
    by_rank = by_rank + by_expected[..., None] * divide(by_rank_e, n * (n - 1))
    return _of_higher(by_rank, R)


def _of_higher(values: Array, ranks: Array) -> Array:
    """Sum over the categories of higher rank, plus half of the category itself: (..., K)."""
    order = np.argsort(ranks, -1, kind="stable")
    ascending = np.take_along_axis(values, order, -1)
    from_top = ascending[..., ::-1].cumsum(-1)[..., ::-1] - ascending / 2
    out = np.empty(values.shape)
    np.put_along_axis(out, order, from_top, -1)
    return out
