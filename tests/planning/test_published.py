"""Published formulas for numbers of items: their tables and other packages."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm

from pandas_agreement import InputError, plan


@pytest.mark.parametrize(("estimate", "null", "way", "n"), [(0.7, 0.85, "less", 96), (0.85, 0.7, "greater", 117)])
def test_cantor(estimate: float, null: float, way: str, n: int) -> None:
    """R irr 0.84.1: N.cohen.kappa(0.5, 0.5, 0.7, 0.85) and N.cohen.kappa(0.5, 0.5, 0.85, 0.7)."""
    assert plan.cantor(estimate=estimate, null=null, rate_1=0.5, rate_2=0.5, alternative=way) == n


@pytest.mark.parametrize(("rate_2", "most"), [(0.4, "0.783"), (0.5, "0.600")])
def test_cantor_refuses_tables_that_cannot_be(rate_2: float, most: str) -> None:
    """R irr 0.84.1 N.cohen.kappa(0.3, 0.4, 0.8, 0.6, power=0.9) gives 114 (143 two-sided), from a negative cell."""
    with pytest.raises(InputError, match=f"^estimate=0.8 is out of reach: .* to {most}$"):
        plan.cantor(estimate=0.8, null=0.5, rate_1=0.3, rate_2=rate_2)


def kappa_of(table: np.ndarray) -> float:
    table = table / table.sum()
    chance = float(table.sum(0) @ table.sum(1))
    return (float(np.trace(table)) - chance) / (1 - chance)


def numeric_sd(table: np.ndarray) -> float:
    """Standard deviation that an item contributes to kappa, from numerical derivatives."""
    slopes = np.zeros_like(table)
    for cell in np.ndindex(table.shape):
        step = np.zeros_like(table)
        step[cell] = 1e-6
        slopes[cell] = (kappa_of(table + step) - kappa_of(table - step)) / 2e-6
    return math.sqrt((table * slopes**2).sum() - (table * slopes).sum() ** 2)


def test_coders_who_differ() -> None:
    """Rates 0.3 and 0.4: the tables with kappa 0.4 and 0.7, written out."""
    tables = []
    for kappa in (0.4, 0.7):
        both = 0.3 * 0.4 + kappa * 0.46 / 2  # 0.46 = 1 - (0.3 * 0.4 + 0.7 * 0.6)
        tables.append(np.array([[both, 0.3 - both], [0.4 - both, 0.3 + both]]))
        assert kappa_of(tables[-1]) == pytest.approx(kappa)
    n = ((norm.ppf(0.975) * numeric_sd(tables[0]) + norm.ppf(0.9) * numeric_sd(tables[1])) / 0.3) ** 2
    options: dict[str, Any] = {"estimate": 0.7, "null": 0.4, "power": 0.9}
    assert plan.cantor(rate_1=0.3, rate_2=0.4, **options) == math.ceil(n)
    assert plan.flack([0.3, 0.7], other_shares=[0.4, 0.6], **options) == math.ceil(n)  # four cells leave no choice


@pytest.mark.parametrize(
    ("shares", "estimate", "null", "power", "n"),
    [  # R irr 0.84.1: N2.cohen.kappa(mrg, k1, k0, power=)
        ([0.2, 0.25, 0.55], 0.6, 0.4, 0.8, 101),
        ([0.2, 0.25, 0.55], 0.6, 0.4, 0.9, 136),
        ([0.2, 0.05, 0.2, 0.05, 0.2, 0.3], 0.5, 0.1, 0.8, 18),
    ],
)
def test_flack(shares: list[float], estimate: float, null: float, power: float, n: int) -> None:
    assert plan.flack(shares, estimate=estimate, null=null, power=power, alternative="greater") == n


def test_flack_is_the_worst_case() -> None:
    ours = plan.items_for_power("kappa", estimate=0.6, null=0.4, shares=(0.2, 0.25, 0.55))["n_items"].iloc[0]
    assert ours < plan.flack([0.2, 0.25, 0.55], estimate=0.6, null=0.4)


@pytest.mark.parametrize(
    ("shares", "n"),
    [  # R kappaSize 1.2, two raters: PowerBinary 190.456, Power4Cats 87.108, Power5Cats 79.507
        ([0.3, 0.7], 191),
        ([0.2, 0.25, 0.25, 0.3], 88),
        ([0.1, 0.2, 0.2, 0.2, 0.3], 80),
    ],
)
def test_donner_eliasziw(shares: list[float], n: int) -> None:
    assert plan.donner_eliasziw(shares, estimate=0.6, null=0.4) == n


def test_intervals_of_the_goodness_of_fit_are_near() -> None:
    """R kappaSize 1.2 CIBinary(0.4, 0.3, 0.5, props=0.3): 397; presize 0.3.7 prec_kappa(0.7, n=100, props=0.3): 0.298.

    Their interval is another one (not symmetric), so the numbers are only near.
    """
    n = plan.items_for_width("kappa", estimate=0.4, width=0.2, shares=(0.3, 0.7))["n_items"].iloc[0]
    assert n == pytest.approx(397, rel=0.06)
    assert 2 * norm.ppf(0.975) * math.sqrt(plan.bloch_kraemer(0.7, 0.3, 100)) == pytest.approx(0.298, rel=0.04)


@pytest.mark.parametrize(("alpha_min", "n"), [(0.8, 139), (0.667, 81)])
def test_krippendorff(alpha_min: float, n: int) -> None:
    """Krippendorff's table for four categories alike and level 0.05."""
    assert plan.krippendorff_items(alpha_min, 0.25, 0.05) == n
