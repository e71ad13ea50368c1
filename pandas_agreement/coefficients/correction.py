"""Correction for chance: the value 1 - D_o / D_e and its derivatives.

A coefficient of this family gives only its chance model: the expected disagreement D_e and its derivatives by the
marginal distributions. The computation uses disagreements, not agreements: nothing cancels, and a coefficient is
undefined exactly where D_e = 0.
"""

from __future__ import annotations

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.classes import dataclass
from pandas_agreement.core.sums import Estimate, SufficientStatistics, divide, dot, positive


@dataclass(frozen=True, eq=False)
class Chance:
    """Expected disagreement and its derivatives."""

    disagreement: Array  # (...)
    by_profile: Array | None = None  # (..., K) by the pooled share of each category
    by_margins: Array | None = None  # (..., C, K) by the shares of each coder
    by_size: Array | None = None  # (...) by the number of labels


def corrected(sums: SufficientStatistics, chance: Chance) -> Estimate:
    """1 - D_o / D_e, NaN where D_e is 0."""
    observed, expected = sums.observed, np.where(chance.disagreement > 0, chance.disagreement, 0.0)
    ratio = divide(observed, expected)
    by_expected = divide(ratio, expected)
    by_observed = -divide(1.0, expected)
    by_coders = None
    if chance.by_margins is not None:
        by_coders = by_labels(sums, chance.by_margins)
        by_coders *= by_expected[..., None, None]
    by_totals = _by_totals(sums, chance, by_expected)
    return Estimate(1 - ratio, observed, chance.disagreement, by_observed, by_totals, by_coders)


def _by_totals(sums: SufficientStatistics, chance: Chance, by_expected: Array) -> Array | None:
    """Derivative of the value by the category totals, through their shares: (..., K)."""
    if chance.by_profile is None:
        return None
    slope = chance.by_profile - dot(sums.profile, chance.by_profile)[..., None]
    slope /= np.where(sums.size > 0, sums.size, np.nan)[..., None]  # in place: there may be a million categories
    if chance.by_size is not None:
        slope += chance.by_size[..., None]
    slope *= by_expected[..., None]
    return slope


def by_labels(sums: SufficientStatistics, by_margins: Array) -> Array:
    """Derivative by the number of labels of each coder and category, from that by P(category | coder): (..., C, K)."""
    slope = by_margins - dot(sums.margins, by_margins)[..., None]
    slope /= positive(sums.coder_sizes)[..., None]
    return slope
