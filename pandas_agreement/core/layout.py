"""The order of an item's statistics in an array; sums, leave-one-out samples, resamples and moments share it.

The statistics of an item, in this order:

1. its weight in observed agreement, 0 without a pair of labels;
2. its disagreement, times this weight;
3. the share of each category: K numbers;
4. `with_pairs`: the share of each pair of different categories, K x K numbers; distances that depend on the totals
   (ordinal alpha) need them;
5. which coder gave which category: C x K numbers of 0 and 1;
6. `with_numbers`: 1, whether the item has two or more labels, and the three `size_statistics` of score intervals.

Only numpy here.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.distances import Distance, Nominal, Ranks
from pandas_agreement.core.sums import SufficientStatistics

PAIRED, APART, SHARES = range(3)  # positions: weight, disagreement, first category share
N_NUMBERS = 5  # statistics of `with_numbers`


@dataclass(frozen=True, eq=False)
class Layout:
    """Where each part of an item's statistics begins."""

    n_categories: int
    n_coders: int = 0  # 0: labels of individual coders are not kept
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
        """Position of the 1; "two or more labels" and the statistics of its size follow."""
        return self.labels + self.n_coders * self.n_categories

    @property
    def size(self) -> int:
        return self.one + (N_NUMBERS if self.with_numbers else 0)

    def read(self, sums: Array, distance: Distance) -> tuple[SufficientStatistics, Distance]:
        """Sums of statistics (..., size) as a kernel takes them, and the distance at these totals."""
        totals = sums[..., SHARES : self.pairs]
        distance_at_totals = distance.at(totals) if isinstance(distance, Ranks) else distance
        disagreement = sums[..., APART]
        if self.with_pairs and not isinstance(distance, Nominal):
            disagreement = (sums[..., self.pairs : self.labels] * self.flat(distance_at_totals)).sum(-1)
        coders = None
        if self.n_coders:
            coders = sums[..., self.labels : self.one].reshape(*sums.shape[:-1], self.n_coders, self.n_categories)
        return SufficientStatistics(disagreement, sums[..., PAIRED], lambda: totals, coders), distance_at_totals

    def flat(self, distance: Distance) -> Array:
        """The distance of each pair of categories: (..., K * K)."""
        matrix = distance.as_matrix()
        return matrix.reshape(*matrix.shape[:-2], self.n_categories**2)

    def moved(self, other: Layout, categories: Array, coders: Array, place: Array) -> Array:
        """New positions of some statistics in another layout, given the new numbers of categories and coders: (n,)."""
        k, side = other.n_categories, max(self.n_categories, 1)
        borders = SHARES, self.pairs, self.labels, self.one
        share, pair, label, number = (
            (start <= place) & (place < stop) for start, stop in zip(borders, (*borders[1:], self.size), strict=True)
        )
        out = place.astype(np.int64)
        out[share] = SHARES + categories[place[share] - SHARES]
        one, two = (categories[each] for each in np.divmod(place[pair] - self.pairs, side))
        out[pair] = other.pairs + np.minimum(one, two) * k + np.maximum(one, two)
        coder, category = np.divmod(place[label] - self.labels, side)
        out[label] = other.labels + coders[coder] * k + categories[category]
        out[number] += other.one - self.one
        return out
