"""The input of a coefficient's kernel, sums over items, and its output, an estimate with derivatives.

`SufficientStatistics` are sums of item statistics. Their leading axes may be groups, leave-one-out samples or
bootstrap replicates; a kernel treats all alike.

A coefficient that is corrected for chance gives only its chance model: the expected disagreement D_e and its
derivatives by the marginal distributions. `corrected` computes with disagreements, not agreements: nothing cancels, and
a coefficient is undefined exactly where D_e = 0. Only numpy here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.classes import dataclass


def divide(top: Array | float, bottom: Array) -> Array:
    """Quotient, NaN where the divisor is 0, without a warning."""
    return top / np.where(bottom, bottom, np.nan)


def positive(sizes: Array) -> Array:
    """Sizes to divide by: infinite in place of 0, so that nothing is left of what nobody has."""
    return np.where(sizes > 0, sizes, np.inf)


def dot(first: Array, second: Array) -> Array:
    """Sum of the products of two arrays over their last axis: (..., K), (..., K) -> (...).

    Quicker than `sum` where there are many short rows.
    """
    return np.einsum("...k,...k->...", first, second)


def power_of_two(width: Array) -> Array:
    """What to divide numbers of a very large or small range by, so that their squares neither overflow nor vanish.

    A power of two costs no precision. It is 1 for ordinary numbers.
    """
    exponent = np.where(np.isinf(width), 1023, np.frexp(width)[1] - 1)
    return np.where((width > 1e50) | ((width < 1e-50) & (width > 0)), np.ldexp(1.0, exponent), 1.0)


@dataclass(frozen=True, eq=False)
class SufficientStatistics:
    """Sums over items, with any leading axes "...". An item counts once, for alpha once per label."""

    disagreement: Array  # (...) sum of the items' mean pairwise distances
    pairable: Array  # (...) number of items with two or more labels
    make_totals: Callable[[], Array]  # computes `totals`, which not every coefficient needs
    coders: Array | None = None  # (..., C, K) labels of each coder by category
    rank_sums: Array | None = None  # (..., K) ordinal alpha: sum of the ranks of the labels paired with each category

    @cached_property
    def totals(self) -> Array:
        """Sum of the items' category shares: (..., K)."""
        return self.make_totals()

    @cached_property
    def observed(self) -> Array:
        """Observed disagreement D_o: (...)."""
        return divide(self.disagreement, self.pairable)

    @cached_property
    def size(self) -> Array:
        """Sum of `totals`: items with a label, for alpha labels: (...)."""
        return self.totals.sum(-1)

    @cached_property
    def profile(self) -> Array:
        """Pooled marginal distribution, the share of each category: (..., K)."""
        return divide(self.totals, self.size[..., None])

    @cached_property
    def coder_sizes(self) -> Array:
        """Number of labels of each coder: (..., C)."""
        return np.einsum("...k->...", self._coders)

    @cached_property
    def margins(self) -> Array:
        """Individual marginal distributions P(category | coder): (..., C, K), 0 for a coder without labels."""
        return self._coders / positive(self.coder_sizes)[..., None]

    @property
    def _coders(self) -> Array:
        if self.coders is None:
            raise TypeError("these sums have no labels by coder")
        return self.coders


def pooled_shares(sums: SufficientStatistics) -> Array:
    """The share of each category among the labels of all coders, however chance is modelled: (..., K)."""
    totals = sums.totals if sums.coders is None else sums.coders.sum(-2)
    return divide(totals, totals.sum(-1, keepdims=True))


@dataclass(frozen=True, eq=False)
class Estimate:
    """The value of a coefficient and its derivatives by the sums; shapes as in `SufficientStatistics`."""

    value: Array
    observed: Array  # observed disagreement D_o
    expected: Array  # expected disagreement D_e
    by_observed: Array  # derivative by D_o
    by_totals: Array | None = None  # by `totals`
    by_coders: Array | None = None  # by `coders`


# ------------------------------------------------------------------------------------------------ correction for chance


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
