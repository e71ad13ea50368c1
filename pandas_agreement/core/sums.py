"""The input of a coefficient's kernel, sums over items, and its output, an estimate with derivatives.

`SufficientStatistics` are sums of item statistics. Their leading axes may be groups, leave-one-out samples or
bootstrap replicates; a kernel treats all alike. Only numpy here.
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
