"""Sums over items: all that a coefficient is computed from, and what it gives back.

`SufficientStatistics` are plain sums of per-item statistics. Their leading axes may be groups, leave-one-out samples or
replicates: a kernel is the same for all. Only numpy here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def divide(top: Array, bottom: Array) -> Array:
    """Quotient, NaN where the divisor is 0, without a warning."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(bottom != 0, top / bottom, np.nan)


@dataclass(frozen=True, eq=False)
class SufficientStatistics:
    """Sums over items, with any leading axes "...". An item counts 1, or for alpha as many as it has labels."""

    disagreement: Array  # (...) of the items' mean pairwise distances
    pairable: Array  # (...) of the items with two or more labels
    make_totals: Callable[[], Array]  # not every coefficient wants them
    coders: Array | None = None  # (..., C, K) labels of each coder
    rank_sums: Array | None = None  # (..., K) ordinal alpha: summed ranks of the labels paired with each category

    @cached_property
    def totals(self) -> Array:
        """Of the items' category shares: (..., K)."""
        return self.make_totals()

    @cached_property
    def observed(self) -> Array:
        """Mean observed disagreement."""
        return divide(self.disagreement, self.pairable)

    @cached_property
    def size(self) -> Array:
        return self.totals.sum(-1)

    @cached_property
    def profile(self) -> Array:
        """Share of each category: (..., K)."""
        return divide(self.totals, self.size[..., None])

    @cached_property
    def coder_sizes(self) -> Array:
        """Labels of each coder: (..., C)."""
        return self._coders.sum(-1)

    @cached_property
    def margins(self) -> Array:
        """P(category | coder): (..., C, K), zero for a coder without labels."""
        sizes = self.coder_sizes[..., None]
        return np.divide(self._coders, sizes, out=np.zeros(self._coders.shape), where=sizes > 0)

    @property
    def _coders(self) -> Array:
        if self.coders is None:
            raise TypeError("these sums do not know the coders")
        return self.coders


@dataclass(frozen=True, eq=False)
class Estimate:
    """A coefficient of some sums and its derivatives by them; shapes as in `SufficientStatistics`."""

    value: Array
    observed: Array  # disagreements
    expected: Array
    by_observed: Array
    by_totals: Array | None = None
    by_coders: Array | None = None
