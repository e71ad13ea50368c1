"""Kappa of each pair of coders and its combination over all pairs of a group; pairs across two groups of coders."""

from __future__ import annotations

from functools import partial

import numpy as np

from pandas_agreement.coefficients.chance import kappa
from pandas_agreement.coefficients.registry import Coefficient, Kernel, coefficient
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.coder_groups import AcrossStatistics
from pandas_agreement.core.distances import Distance
from pandas_agreement.core.sums import Chance, Estimate, SufficientStatistics, corrected, divide


def pair_terms(record: Coefficient, sums: SufficientStatistics, distance: Distance) -> Array:
    """What is summed over P pairs of coders, whose sums have the axes (..., P): (..., P, 4).

    The weight of the pair, and with this weight its value, observed and expected disagreement. A pair whose value is
    undefined has no weight in the mean; pooled, a pair weighs as many times as it has items.
    """
    found = record.kernel(sums, distance)
    weight = sums.pairable if record.over_pairs == "pooled" else found.expected > 0
    terms = np.stack([np.ones_like(found.value), found.value, found.observed, found.expected], -1)
    return np.nan_to_num(terms) * weight[..., None]


def over_pairs(record: Coefficient, terms: Array) -> Array:
    """The mean of the pairs' values, or 1 - sum of D_o / sum of D_e, from summed terms: (..., 4) -> (...)."""
    weight, value, observed, expected = np.moveaxis(terms, -1, 0)
    return 1 - divide(observed, expected) if record.over_pairs == "pooled" else divide(value, weight)


@coefficient(
    "light_kappa",
    aliases=("lights_kappa", "mean_kappa", "average_kappa"),
    chance="each coder of a pair guesses from their own label distribution",
    use_when="you report the mean of the pairwise kappas",
    formula=r"\kappa_{\text{Light}} = \frac{2}{C (C - 1)} \sum_{g < h} \kappa_{gh}",
    letters={
        r"\kappa_{gh}": "Cohen's kappa of coders :math:`g` and :math:`h`",
        "C": "number of coders",
    },
    reference=(
        "Light, R. J. (1971). Measures of response agreement for qualitative data: some generalizations and "
        "alternatives. Psychological Bulletin 76, 365-377."
    ),
    needs_coders=True,
    zero_if_constant=True,
    over_pairs="mean",
    correction="other",  # a mean of ratios
)
def light_kappa(sums: SufficientStatistics, distance: Distance) -> Estimate:
    """Light's kappa: the mean of Cohen's kappa over all pairs of coders.

    A pair whose kappa is undefined is left out, and a remark names it.

    Examples
    --------
    >>> df.agree.light_kappa()["estimate"].round(3)
    coefficient
    light_kappa    0.551
    Name: estimate, dtype: float64
    """
    return kappa(sums, distance)


# -------------------------------------------------------------------------------------- pairs of coders from two groups


def across_kernel(record: Coefficient, statistics: AcrossStatistics) -> Kernel:
    """The kernel of a coefficient for pairs of coders from two groups."""
    if not record.needs_coders:
        return record.kernel
    return partial(kappa_across, second=statistics.second_coders)


def kappa_across(sums: SufficientStatistics, distance: Distance, second: Array) -> Estimate:
    """Kappa of the pairs with one coder of each group; `second` (..., C) are the coders of the second one."""
    D_e, by_margins = expected_across(sums, distance, second)
    return corrected(sums, Chance(D_e, by_margins=by_margins))


def expected_across(sums: SufficientStatistics, distance: Distance, second: Array) -> tuple[Array, Array]:
    """Expected disagreement (...), and its derivatives by the individual marginals (..., C, K).

    The mean over the pairs of one coder of each group of the disagreement of two labels, each drawn from the marginals
    of its coder. It is the mean distance of the mean marginals of both groups, so no pair of coders is visited.
    """
    P = sums.margins  # (..., C, K)
    active = sums.coder_sizes > 0
    sides = [active & ~second, active & second]  # (..., C)
    number = [side.sum(-1) for side in sides]
    pairs = np.where((number[0] > 0) & (number[1] > 0), number[0] * number[1], np.nan)
    of_first, of_second = (np.where(side[..., None], P, 0.0).sum(-2) for side in sides)  # (..., K)
    D_first, D_second = distance.apply(of_first), distance.apply(of_second)
    D_e = (of_first * D_second).sum(-1) / pairs
    others = np.where(second[..., None], D_first[..., None, :], D_second[..., None, :])
    return D_e, np.where(active[..., None], others, 0.0) / pairs[..., None, None]
