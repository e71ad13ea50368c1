"""Correction for chance, written once.

A coefficient of this family is its chance model: a function that gives the disagreement to expect by chance and how
that grows with the margins. Everything else, the value 1 - D_o / D_e and the derivatives by every sum, follows.
Disagreements and not agreements: no cancellation, and "undefined" is exactly D_e = 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.sums import Estimate, SufficientStatistics, divide


@dataclass(frozen=True, eq=False)
class Chance:
    """Disagreement expected by chance and its derivatives by the margins it was computed from."""

    disagreement: Array  # (...)
    by_profile: Array | None = None  # (..., K)
    by_margins: Array | None = None  # (..., C, K)
    by_size: Array | None = None  # (...)


def corrected(sums: SufficientStatistics, chance: Chance) -> Estimate:
    """1 - D_o / D_e, NaN where no disagreement can be expected."""
    observed, expected = sums.observed, np.where(chance.disagreement > 0, chance.disagreement, 0.0)
    ratio = divide(observed, expected)
    slope = divide(ratio, expected)  # of the value by D_e
    return Estimate(
        value=1 - ratio,
        observed=observed,
        expected=chance.disagreement,
        by_observed=-divide(np.ones_like(expected), expected),
        by_totals=_by_totals(sums, chance, slope),
        by_coders=None if chance.by_margins is None else slope[..., None, None] * by_labels(sums, chance.by_margins),
    )


def _by_totals(sums: SufficientStatistics, chance: Chance, slope: Array) -> Array | None:
    """From the shares of the categories to their totals."""
    if chance.by_profile is None:
        return None
    drift = chance.by_profile - (sums.profile * chance.by_profile).sum(-1, keepdims=True)
    drift /= np.where(sums.size > 0, sums.size, np.nan)[..., None]  # in place: categories may be a million values
    if chance.by_size is not None:
        drift += chance.by_size[..., None]
    drift *= slope[..., None]
    return drift


def by_labels(sums: SufficientStatistics, by_margins: Array) -> Array:
    """From P(category | coder) to the labels of a coder: (..., C, K)."""
    drift = by_margins - (sums.margins * by_margins).sum(-1, keepdims=True)
    sizes = sums.coder_sizes[..., None]
    return np.divide(drift, sizes, out=np.zeros(drift.shape), where=sizes > 0)
