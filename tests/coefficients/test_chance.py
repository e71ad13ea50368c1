"""Perreault and Leigh's I_r, whose value is not 1 - D_o / D_e: the root, chance, perfect agreement."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from pandas_agreement import InputError, interpret, plan
from tests.data_sets import scores

BELOW = pd.DataFrame({"ann": list("yynnyynn"), "bob": list("nnyynnyy"), "cleo": list("ynynynyn")})
NOTE = "not above chance: no se"


@pytest.mark.parametrize(("agreement", "categories"), [(0.8, 2), (0.5, 2), (0.8, 3), (0.95, 10), (0.1, 2)])
def test_it_is_the_formula_of_the_paper(agreement: float, categories: int) -> None:
    """I_r = sqrt((F_o / N - 1 / k) (k / (k - 1))), 0 below chance."""
    different = round(100 * (1 - agreement))
    df = pd.DataFrame({"ann": [1] * 100, "bob": [1] * (100 - different) + [2] * different})
    found = df.agree.perreault_leigh(categories=list(range(1, categories + 1)))["estimate"].iloc[0]
    assert found == pytest.approx(math.sqrt(max(0, (agreement - 1 / categories) * categories / (categories - 1))))


def test_its_standard_error_is_that_of_s_by_the_slope_of_the_root() -> None:
    both = scores(80).agree.summary(metrics=["s", "perreault_leigh"])
    root = math.sqrt(both.loc["s", "estimate"])
    assert both.loc["perreault_leigh", "estimate"] == pytest.approx(root)
    assert both.loc["perreault_leigh", "se"] == pytest.approx(both.loc["s", "se"] / (2 * root))
    assert both["expected"].nunique() == 1


@pytest.mark.parametrize("method", ["analytic", "log", "jackknife"])
@pytest.mark.parametrize("sampling", ["items", "coders", "both"])
def test_agreement_below_chance_is_0_without_a_standard_error(method: str, sampling: str) -> None:
    row = BELOW.agree.perreault_leigh(method=method, sampling=sampling, detail=True).iloc[0]
    assert BELOW.agree.s()["estimate"].iloc[0] < -0.3
    assert row["estimate"] == 0
    assert row[["se", "ci_low", "ci_high"]].isna().all()
    assert row["remarks"] == NOTE


def test_rounding_is_not_agreement() -> None:
    """Observed agreement of 1 / K, 8 thirds in 16 items, which floats add up to a little more."""
    df = pd.DataFrame(
        {"ann": list("2414144005351101"), "bob": list("3045055052522552"), "cleo": list("1245055540241453")}
    )
    row = df.agree.perreault_leigh(detail=True).iloc[0]
    assert 0 < df.agree.s()["estimate"].iloc[0] < 1e-15
    assert row["estimate"] == 0
    assert row["remarks"].startswith(NOTE)


def test_resamples_go_through_the_root() -> None:
    """The root keeps the order, so percentiles of I_r are roots of those of S, also below chance."""
    df = pd.DataFrame({"ann": list("yynnyynnyn"), "bob": list("yynnnnyyny")})
    options = {"method": "percentile", "rng": 1, "n_resamples": 999}
    ours = df.agree.perreault_leigh(**options)[["ci_low", "ci_high"]].to_numpy()
    of_s = df.agree.s(**options)[["ci_low", "ci_high"]].to_numpy()
    assert of_s[0, 0] < 0 < of_s[0, 1]
    assert ours == pytest.approx(np.sqrt(np.maximum(of_s, 0)), abs=0.02)


def test_nothing_is_tested_against_a_value_at_chance() -> None:
    df = BELOW.assign(dan=BELOW["ann"].where(BELOW.index > 0, "n"))
    sets = ["ann", "bob"], ["ann", "dan"], ["bob", "dan"]
    found = df.agree.compare(*sets, metric="perreault_leigh", detail=True)
    assert found["se"].isna().all()
    assert (found["remarks"] == "no difference can be tested").all()


def test_chance_cannot_be_planned_for() -> None:
    message = r"^null=0 is chance, where perreault_leigh has no standard error\. Choose a larger value\.$"
    with pytest.raises(InputError, match=message):
        plan.items_for_power("perreault_leigh", estimate=0.8, null=0)


def test_the_benchmark_scales_are_not_about_a_root() -> None:
    found = interpret(scores().agree.summary(metrics=["s", "perreault_leigh", "observed"]))
    assert found.notna().tolist() == [True, False, False]
