"""Intraclass correlations of resamples, and without each item in turn."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from pandas_agreement.coefficients.registry import find
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.scores import Scores
from pandas_agreement.engine import NO_DISTANCE
from pandas_agreement.inference import evaluation
from tests.coefficients.numeric.helpers import simulated, values_of


def influence_on(name: str, scores: Scores) -> Array:
    return evaluation.evaluate(find(name), scores, NO_DISTANCE).influence()


def test_influence_is_that_of_samples_without_each_item(monkeypatch: pytest.MonkeyPatch) -> None:
    ratings, kernel = simulated(16, 3, gaps=0.2, seed=1), find("icc_a1").of_scores
    monkeypatch.setattr(evaluation, "MAX_BLOCK", 48)  # samples in blocks of four
    found = influence_on("icc_a1", values_of(ratings))
    without = [kernel(values_of(np.delete(ratings, item, 0)), 0.95).value[0] for item in range(16)]
    np.testing.assert_allclose(found, 15 * (np.mean(without) - without), atol=1e-6)


def test_parts_of_many_items_have_the_acceleration_of_single_items(monkeypatch: pytest.MonkeyPatch) -> None:
    ratings = simulated(600, 3) + np.random.default_rng(0).exponential(2, (600, 1))  # skewed

    def acceleration() -> float:
        influence = influence_on("icc_1", values_of(ratings))
        return float((influence**3).sum() / (influence**2).sum() ** 1.5)

    exact = acceleration()
    monkeypatch.setattr(evaluation, "MAX_LEFT_OUT", 200)
    assert acceleration() == pytest.approx(exact, rel=0.15)
    assert exact > 0.3


def test_groups_do_not_influence_one_another() -> None:
    frame = pd.DataFrame(simulated(60, 3, gaps=0.2, seed=2), columns=list("abc"))
    frame["group"] = np.arange(60) % 4
    found = frame.agree.icc("a", "b", "c", by="group")[["estimate", "ci_low", "ci_high"]]
    loop = [part.agree.icc("a", "b", "c")[found.columns] for _, part in frame.groupby("group")]
    np.testing.assert_allclose(found, pd.concat(loop), rtol=1e-9, atol=1e-10)
    again = frame.agree.icc_a1("a", "b", "c", by="group", method="bca", rng=1, n_resamples=100)
    alone = frame[frame["group"] < 3].agree.icc_a1("a", "b", "c", by="group", method="bca", rng=1, n_resamples=100)
    pd.testing.assert_frame_equal(again.iloc[:3], alone)


def test_bca_of_complete_scores_is_near_the_normal_interval() -> None:
    frame = pd.DataFrame(simulated(400, 3, seed=3, coder=0.0), columns=list("abc"))
    row = frame.agree.icc_c1(method="bca", rng=1, n_resamples=300).iloc[0]
    analytic = frame.agree.icc_c1().iloc[0]
    assert row["ci_high"] - row["ci_low"] == pytest.approx(analytic["ci_high"] - analytic["ci_low"], rel=0.25)
