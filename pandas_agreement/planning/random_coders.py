"""Items and coders for an interval in which the coders are a random sample too: ICC(A,.), or `sampling="both"`.

Items make such an interval narrower only down to what the number of coders allows. The variances of items, coders and
error come from a result: the estimate is the share of the items, and that of the coders is the one for which McGraw and
Wong's interval has the limits of the result. The widths for other numbers of items and coders follow from the expected
mean squares. Scores are complete. Only numpy here.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pandas_agreement.coefficients.numeric.icc import MeanSquares, agreement_limits, spearman_brown
from pandas_agreement.core.arrays import Array
from pandas_agreement.planning.checks import fewest

MOST_ITEMS = 2.0**24  # as good as endless
MOST_CODERS = 2.0**10
GRID = np.linspace(0.0, 1.0, 257) ** 3  # shares of the coders that are tried first; most shares are small
FINER = np.linspace(0.0, 1.0, 17)  # shares between the neighbours of the best ones, several times
ROUNDS = 6
CANDIDATES = 4  # best shares, as several may fit one limit


@dataclass(frozen=True, eq=False)
class Shares:
    """Shares of the variance of a score, and whether the ICC is that of the mean of all coders: (R,) each."""

    item: Array
    coder: Array
    of_means: Array

    def limits(self, n_items: Array, n_coders: Array, level: Array) -> tuple[Array, Array]:
        """The interval if the mean squares are those to be expected."""
        n, k, error = n_items, n_coders, 1 - self.item - self.coder
        squares = k * self.item + error, n * self.coder + error, error
        table = MeanSquares(n, k, *squares, n - 1, k - 1, (n - 1) * (k - 1))
        low, high = (np.maximum(limit, -1.0) for limit in agreement_limits(table, self.item, level))
        mean_low, mean_high = (np.maximum(spearman_brown(limit, k), -1.0) for limit in (low, high))
        return np.where(self.of_means, mean_low, low), np.where(self.of_means, mean_high, high)

    def width(self, n_items: Array, n_coders: Array, level: Array) -> Array:
        low, high = self.limits(n_items, n_coders, level)
        return high - low

    def items_needed(self, n_items: Array, n_coders: Array, level: Array, width: float) -> Array:
        """The fewest items for a width; NaN where no number is enough."""
        return fewest(lambda n: self.width(n, n_coders, level) <= width, n_items.shape, MOST_ITEMS)

    def coders_needed(self, n_items: Array, n_coders: Array, level: Array, width: float) -> Array:
        """The fewest coders of the same items for a width; NaN where no number is enough."""
        return fewest(lambda k: self.width(n_items, k, level) <= width, n_coders.shape, MOST_CODERS)

    def least_width(self, n_coders: Array, level: Array) -> Array:
        """The width that no number of items makes narrower."""
        return self.width(np.full(n_coders.shape, MOST_ITEMS), n_coders, level)


def shares_of(
    estimate: Array, low: Array, high: Array, n_items: Array, n_coders: Array, level: Array, of_means: Array
) -> Shares:
    """The shares behind results, from their estimates and intervals: (R,) each."""
    single = np.where(of_means, estimate / (n_coders - (n_coders - 1) * estimate), estimate)
    least, most = -(1 - single) / (n_items - 1), (1 - single) * (1 - 1e-12)  # a variance may be estimated below 0
    known = [part[:, None, None] for part in (single, of_means, n_items, n_coders, level, low, high)]
    tried = (least[:, None] + (most - least)[:, None] * GRID)[:, None]  # (R, 1, shares)
    best = _minima(_misfit(tried, *known)[:, 0])  # (R, candidates)
    for _ in range(ROUNDS):
        first, last = (_at(tried, best + move) for move in (-1, 1))
        tried = first[..., None] + (last - first)[..., None] * FINER  # (R, candidates, shares)
        gap = _misfit(tried, *known)
        best = gap.argmin(-1)
    place, candidate = np.arange(len(single)), gap.min(-1).argmin(-1)
    return Shares(single, _at(tried, best)[place, candidate], of_means)


def _at(tried: Array, position: Array) -> Array:
    """The shares at some positions, or at the nearest end: (R, C, S) and (R, C) -> (R, C)."""
    every = np.broadcast_to(tried, (*position.shape, tried.shape[-1]))
    return np.take_along_axis(every, np.clip(position, 0, tried.shape[-1] - 1)[..., None], -1)[..., 0]


def _misfit(
    coder: Array, item: Array, of_means: Array, n: Array, k: Array, level: Array, low: Array, high: Array
) -> Array:
    """How far the limits at some shares of the coders are from those of the result."""
    found = Shares(np.broadcast_to(item, coder.shape), coder, of_means).limits(n, k, level)
    gap = np.abs(found[0] - low) + np.abs(found[1] - high)
    return np.where(np.isnan(gap), np.inf, gap)


def _minima(gap: Array) -> Array:
    """Where the smallest local minima are: (R, shares) -> (R, CANDIDATES)."""
    wall = np.full((len(gap), 1), np.inf)
    lowest = (gap <= np.hstack([wall, gap[:, :-1]])) & (gap <= np.hstack([gap[:, 1:], wall]))
    return np.where(lowest, gap, np.inf).argsort(1)[:, :CANDIDATES]
