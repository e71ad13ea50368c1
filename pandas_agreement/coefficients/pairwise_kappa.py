"""Coefficients computed from the contingency tables of all pairs of coders."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pandas_agreement.coefficients.chance import expected_by_marginals
from pandas_agreement.coefficients.registry import coefficient
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.distances import Distance
from pandas_agreement.core.sums import SufficientStatistics, divide


class PairStatistics(NamedTuple):
    """What a coefficient may use of P pairs of coders, or its derivatives by these: (..., P) each."""

    n: Array  # items
    observed: Array  # disagreement
    expected: Array  # disagreement by the margins

    @classmethod
    def of(cls, sums: SufficientStatistics, distance: Distance) -> PairStatistics:
        """From the sums over the items of each pair, which hold the labels of both coders."""
        return cls(sums.pairable, sums.observed, expected_by_marginals(sums, distance)[0])

    @classmethod
    def of_tables(cls, tables: Array, distance: Distance) -> PairStatistics:
        """From contingency tables (..., P, K, K)."""
        coders = np.stack([tables.sum(-1), tables.sum(-2)], -2)  # (..., P, 2, K)
        disagreement = (tables * distance.as_matrix()).sum((-1, -2))
        sums = SufficientStatistics(disagreement, tables.sum((-1, -2)), lambda: tables.sum(-1), coders)
        return cls.of(sums, distance)

    def but_nan(self) -> PairStatistics:
        """With 0 for what is undefined."""
        return PairStatistics(*map(np.nan_to_num, self))


@dataclass(frozen=True, eq=False)
class PairRule:
    """How a coefficient is computed from the statistics of P pairs of coders.

    `parts` are the terms of each pair, which are summed over pairs; `value` is the coefficient as a function of the
    sums; `slopes` are its derivatives by the statistics of each pair.
    """

    parts: Callable[[PairStatistics], Array]  # -> (..., P, M)
    value: Callable[[Array], Array]  # sums (..., M) -> (...)
    slopes: Callable[[PairStatistics, Array], PairStatistics]  # and the group's sums (P, M)


def _mean_parts(pairs: PairStatistics) -> Array:
    """Value, number of pairs, observed and expected disagreement."""
    defined, value = pairs.expected > 0, 1 - divide(pairs.observed, pairs.expected)
    parts = np.where(defined, value, 0.0), defined, np.where(defined, pairs.observed, 0)
    return np.stack([*parts, np.where(defined, pairs.expected, 0)], -1)


def _mean_slopes(pairs: PairStatistics, sums: Array) -> PairStatistics:
    defined, zero = pairs.expected > 0, np.zeros_like(pairs.n)
    share = np.where(defined, divide(np.ones_like(pairs.n), sums[:, 1]), 0.0)
    by_observed = np.where(defined, -divide(share, pairs.expected), 0.0)
    by_expected = np.where(defined, divide(share * pairs.observed, pairs.expected**2), 0.0)
    return PairStatistics(zero, by_observed, by_expected)


def _pooled_parts(pairs: PairStatistics) -> Array:
    n = pairs.n
    return np.stack([np.zeros_like(n), n, n * pairs.observed, n * pairs.expected], -1)


def _pooled_slopes(pairs: PairStatistics, sums: Array) -> PairStatistics:
    n, top, bottom = pairs.n, sums[:, 2], sums[:, 3]
    by_top, by_bottom = -divide(np.ones_like(n), bottom), divide(top, bottom**2)
    by_size = by_top * pairs.observed + by_bottom * pairs.expected
    return PairStatistics(by_size, by_top * n, by_bottom * n)


#: the unweighted mean of the pairs' kappas; undefined ones are left out
MEAN = PairRule(_mean_parts, lambda sums: divide(sums[..., 0], sums[..., 1]), _mean_slopes)

#: 1 - sum of D_o / sum of D_e, a pair counting as many times as it has items
POOLED = PairRule(_pooled_parts, lambda sums: 1 - divide(sums[..., 2], sums[..., 3]), _pooled_slopes)


@coefficient(
    "light_kappa",
    aliases=("lights_kappa", "mean_kappa", "average_kappa"),
    chance="as kappa, pair by pair",
    use_when="you report the average of the pairwise kappas",
    formula="mean over pairs of coders g, h of kappa_gh, Cohen's kappa of the pair",
    reference=(
        "Light, R. J. (1971). Measures of response agreement for qualitative data: some generalizations and "
        "alternatives. Psychological Bulletin 76, 365-377."
    ),
    needs_coders=True,
    zero_if_constant=True,
    kind="pairs",
    correction="other",  # a mean of ratios
)
def light_kappa() -> PairRule:
    """Light's kappa: the plain mean of Cohen's kappa over all pairs of coders.

    A pair whose kappa is undefined is left out and named in the note.

    Examples
    --------
    >>> df.agree.light_kappa()["estimate"].round(3)
    coefficient
    light_kappa    0.551
    Name: estimate, dtype: float64
    """
    return MEAN


def pooled_kappa() -> PairRule:
    """Kappa pooled over pairs of coders: each pair counts as many times as it has items."""
    return POOLED
