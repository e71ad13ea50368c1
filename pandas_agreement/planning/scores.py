"""The width to expect of the interval of an intraclass correlation of complete scores, before there are any.

A score is the sum of item, coder and error, all normal. The mean squares are those to be expected, except that of the
coders: few of them say little about how much coders differ, and the width is the mean over what they may say. Only
numpy here.
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
MOST_ITEMS = 1 << 24  # as good as endless
QUANTILES = (np.arange(64) + 0.5) / 64  # of the mean square of the coders


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
