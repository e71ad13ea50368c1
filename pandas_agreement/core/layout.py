"""Which statistic of an item stands where, for sums, leave-one-out samples, resamples and moments alike.

The statistics of an item: what it counts towards observed agreement; its disagreement; the share of each category;
on request the share of each pair of different categories, for distances that are known only with the sums; which coder
gave which category; and on request 1 and whether it has two or more labels. Only numpy here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pandas_agreement.core.distances import Distance, Nominal, Ranks
from pandas_agreement.core.sums import SufficientStatistics

Array = NDArray[Any]

PAIRED, APART, SHARES = range(3)  # the shares of the categories begin at the third place


@dataclass(frozen=True, eq=False)
class Layout:
    """K shares of categories, then K x K pairs of them if they are kept, then C x K labels, then the numbers."""

    n_categories: int
    n_coders: int = 0  # 0: who said what is not kept
    with_pairs: bool = False
    with_numbers: bool = False

    @property
    def pairs(self) -> int:
        return SHARES + self.n_categories

    @property
    def labels(self) -> int:
        return self.pairs + (self.n_categories**2 if self.with_pairs else 0)

    @property
    def one(self) -> int:
        """Where the 1 stands; "two or more labels" follows."""
        return self.labels + self.n_coders * self.n_categories

    @property
    def size(self) -> int:
        return self.one + (2 if self.with_numbers else 0)

    def read(self, sums: Array, distance: Distance) -> tuple[SufficientStatistics, Distance]:
        """Sums of statistics (..., size) as a kernel takes them, and the distance that they imply."""
        totals = sums[..., SHARES : self.pairs]
        near = distance.at(totals) if isinstance(distance, Ranks) else distance
        apart = sums[..., APART]
        if self.with_pairs and not isinstance(distance, Nominal):
            apart = (sums[..., self.pairs : self.labels] * self.flat(near)).sum(-1)
        coders = None
        if self.n_coders:
            coders = sums[..., self.labels : self.one].reshape(*sums.shape[:-1], self.n_coders, self.n_categories)
        return SufficientStatistics(apart, sums[..., PAIRED], lambda: totals, coders), near

    def flat(self, distance: Distance) -> Array:
        """The distance of each pair of categories: (..., K * K)."""
        between = distance.between()
        return between.reshape(*between.shape[:-2], self.n_categories**2)

    def moved(self, other: Layout, categories: Array, coders: Array) -> Array:
        """Where each statistic stands in another layout, given the new numbers of categories and coders: (size,)."""
        k = other.n_categories
        low = np.minimum(categories[:, None], categories)
        high = np.maximum(categories[:, None], categories)
        pairs = other.pairs + (low * k + high).ravel() if self.with_pairs else np.zeros(0, np.int64)
        labels = other.labels + (coders[:, None] * k + categories).ravel()
        numbers = other.one + np.arange(self.size - self.one)
        return np.concatenate([np.arange(SHARES), SHARES + categories, pairs, labels, numbers]).astype(np.int64)
