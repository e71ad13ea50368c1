"""Chance agreement of pairs of coders from two groups of coders.

Most coefficients use the kernel of their own: the totals are the margins of the pairs. Kappa has the margins of each
coder, and only pairs of coders from different groups count.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from pandas_agreement.coefficients.correction import Chance, corrected
from pandas_agreement.coefficients.registry import Coefficient, Kernel
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.coder_groups import AcrossStatistics
from pandas_agreement.core.distances import Distance
from pandas_agreement.core.sums import Estimate, SufficientStatistics


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
