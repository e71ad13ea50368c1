"""The width of the interval of an intraclass correlation of complete scores, before and after a pilot. Only numpy here.

A score is the sum of item, coder and error, all normal. Before there are any, the mean squares are those to be
expected, except that of the coders: few of them say little about how much coders differ, and the width is the mean over
what they may say.

After a pilot with random coders, ICC(A,.), items make the interval narrower only down to what the number of coders
allows. The variances of items, coders and error come from a result: the estimate is the share of the items, and that of
the coders is the one for which McGraw and Wong's interval has the limits of the result. The widths for other numbers of
items and coders follow from the expected mean squares.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pandas_agreement.coefficients.numeric.icc import MeanSquares, agreement_limits, spearman_brown
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.quantiles import f_quantile
from pandas_agreement.errors import InputError
from pandas_agreement.planning.checks import fewest

FORMS = ("icc_1", "icc_1k", "icc_c1", "icc_ck", "icc_a1", "icc_ak")
QUANTILES = (np.arange(64) + 0.5) / 64  # of the mean square of the coders


MOST_ITEMS = 2.0**24  # as good as endless
MOST_CODERS = 2.0**10
GRID = np.linspace(0.0, 1.0, 257) ** 3  # shares of the coders that are tried first; most shares are small
FINER = np.linspace(0.0, 1.0, 17)  # shares between the neighbours of the best ones, several times
ROUNDS = 6
CANDIDATES = 4  # best shares, as several may fit one limit


@dataclass(frozen=True)
class ScorePlan:
    """An intraclass correlation, and the share of the variance of a score that is the coder's."""

    name: str
    coder_share: float

    def width(self, value: float, n_items: float, n_coders: int, level: float) -> float:
        """Of the interval, if the correlation has this value."""
        limits = self._of_agreement if self.name.startswith("icc_a") else self._of_consistency
        low, high = limits(self._single(value, n_coders), n_items, n_coders, level)
        if self._of_means:
            low, high = (spearman_brown(limit, np.asarray(float(n_coders))) for limit in (low, high))
        return float(np.mean(np.maximum(high, -1.0) - np.maximum(low, -1.0)))

    def items(self, value: float, width: float, n_coders: int, level: float) -> int:
        """The fewest items for an interval that is no wider."""
        least = self.width(value, MOST_ITEMS, n_coders, level)
        if least > width:
            problem = (
                f"width={width:g} cannot be reached: {n_coders} coders limit {self.name} to a width of {least:.2g}"
            )
            raise InputError(problem, "plan more coders, or a wider interval", option="width", code="out of reach")
        return int(fewest(lambda n: self.width(value, float(n), n_coders, level) <= width))

    @property
    def _of_means(self) -> bool:
        return self.name.endswith("k")

    def _single(self, value: float, k: int) -> float:
        """The correlation of single scores."""
        return value / (k - (k - 1) * value) if self._of_means else value

    def _of_consistency(self, single: float, n: float, k: int, level: float) -> tuple[Array, Array]:
        """Shrout and Fleiss's limits of ICC(1) and ICC(C,1)."""
        df = n * (k - 1.0) if self.name.startswith("icc_1") else (n - 1.0) * (k - 1)
        F, tail = (k * single + 1 - single) / (1 - single), (1 - level) / 2
        ends = np.stack([F / f_quantile(1 - tail, n - 1.0, df), F * f_quantile(1 - tail, df, n - 1.0)])
        low, high = (ends - 1) / (ends + k - 1)
        return low, high

    def _of_agreement(self, single: float, n: float, k: int, level: float) -> tuple[Array, Array]:
        """McGraw and Wong's limits of ICC(A,1), one for each mean square of the coders: (Q,)."""
        from scipy.special import chdtri

        error = 1 - single - self.coder_share
        if error <= 0:
            problem = f"coder_share={self.coder_share:g} and the items' share {single:.3g} leave nothing for errors"
            raise InputError(problem, "they must add up to less than 1", option="coder_share", code="out of reach")
        of_coders = (n * self.coder_share + error) * chdtri(k - 1, 1 - QUANTILES) / (k - 1)
        of_items, df = k * single + error, (n - 1, k - 1, (n - 1) * (k - 1))
        parts = np.broadcast_arrays(of_coders, n, k, of_items, of_coders, error, *df)[1:]
        table = MeanSquares(*(part.astype(float) for part in parts))
        return agreement_limits(table, table.agreement(), level)


# -------------------------------------------------------------------------------------------------------- after a pilot


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
