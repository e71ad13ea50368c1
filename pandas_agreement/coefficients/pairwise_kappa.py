"""Coefficients computed from the contingency tables of all pairs of coders."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pandas_agreement.coefficients.registry import coefficient
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.sums import divide


@dataclass(frozen=True, eq=False)
class PairRule:
    """How a coefficient is computed from the number of items n and the disagreements D_o, D_e of P pairs, (P,) each.

    `parts` are the terms of each pair, which are summed over pairs; `value` is the coefficient as a function of the
    sums; `slopes` are its derivatives by n, D_o and D_e of each pair.
    """

    parts: Callable[[Array, Array, Array], Array]  # n, observed, expected -> (P, M)
    value: Callable[[Array], Array]  # sums (..., M) -> (...)
    slopes: Callable[[Array, Array, Array, Array], tuple[Array, Array, Array]]  # and the group's sums (P, M)


def _mean_parts(n: Array, observed: Array, expected: Array) -> Array:
    defined = expected > 0
    kappas = np.where(defined, 1 - divide(observed, expected), 0.0)
    return np.stack([kappas, defined, np.where(defined, observed, 0), np.where(defined, expected, 0)], -1)


def _mean_slopes(n: Array, observed: Array, expected: Array, sums: Array) -> tuple[Array, Array, Array]:
    defined = expected > 0
    share = np.where(defined, divide(np.ones_like(n), sums[:, 1]), 0.0)
    by_observed = np.where(defined, -divide(share, expected), 0.0)
    by_expected = np.where(defined, divide(share * observed, expected**2), 0.0)
    return np.zeros_like(n), by_observed, by_expected


def _pooled_slopes(n: Array, observed: Array, expected: Array, sums: Array) -> tuple[Array, Array, Array]:
    top, bottom = sums[:, 2], sums[:, 3]
    by_top, by_bottom = -divide(np.ones_like(n), bottom), divide(top, bottom**2)
    return by_top * observed + by_bottom * expected, by_top * n, by_bottom * n


#: the unweighted mean of the pairs' kappas; undefined ones are left out
MEAN = PairRule(_mean_parts, lambda sums: divide(sums[..., 0], sums[..., 1]), _mean_slopes)

#: 1 - sum of D_o / sum of D_e, a pair counting as many times as it has items
POOLED = PairRule(
    lambda n, observed, expected: np.stack([np.zeros_like(n), n, n * observed, n * expected], -1),
    lambda sums: 1 - divide(sums[..., 2], sums[..., 3]),
    _pooled_slopes,
)


@coefficient(
    "light_kappa",
    aliases=("lights_kappa", "mean_kappa", "average_kappa"),
    chance="as kappa, pair by pair",
    use_when="you report the average of the pairwise kappas",
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
