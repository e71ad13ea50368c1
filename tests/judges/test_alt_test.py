"""`alt_test`: the authors' numbers, the constant answer, and brute force."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import pandas_agreement
from pandas_agreement import AgreementWarning, InputError
from pandas_agreement.judges.votes import benjamini_yekutieli
from tests.helpers import refuses, same
from tests.judges.helpers import HUMANS, counting_rows, judged_scores, prevalence

EXAMPLE = pandas_agreement.load_example()
JUDGED = EXAMPLE.agree.judges("dev", humans=HUMANS)


def test_the_example() -> None:
    detail = JUDGED.alt_test(epsilon=0.2, by_human=True, detail=True).loc["dev"]
    assert detail["n_items"].tolist() == [386, 356, 372]
    assert detail["difference"].tolist() == pytest.approx([-0.145078, -0.073034, -0.096774], abs=5e-7)
    assert detail["se"].tolist() == pytest.approx([0.025663, 0.028700, 0.028298], abs=5e-7)
    assert detail["p_value"].tolist() == pytest.approx([0.016487, 0.000006, 0.000151], abs=5e-7)
    assert detail["p_by"].tolist() == pytest.approx([0.030226, 0.000036, 0.000416], abs=5e-7)
    row = JUDGED.alt_test(annotators="expert", detail=True).iloc[0]
    assert (row["winning_rate"], row["passed"], row["baseline"], row["n_humans"]) == (1.0, True, "bug", 3)
    assert (row["advantage"], row["baseline_advantage"]) == pytest.approx((0.801050, 0.591073), abs=5e-7)
    assert (row["baseline_winning_rate"], row["baseline_passed"]) == (0.0, False)
    assert JUDGED.alt_test(annotators="crowd", detail=True)["winning_rate"].iloc[0] == 0


def test_on_skewed_labels_the_constant_answer_passes_and_the_note_says_so() -> None:
    frame = prevalence(200, [0.9, 0.1], [0.8] * 4, seed=0).assign(gpt=0)
    row = frame.agree.judges("gpt", humans=HUMANS).alt_test(annotators="expert", detail=True).iloc[0]
    assert (row["passed"], row["baseline_passed"], row["baseline"]) == (True, True, 0)
    assert row["remarks"] == "a constant answer passes too: this data cannot tell"


def brute(rows: Any, human: int, weight: Any, epsilon: float) -> tuple[float, float, float]:
    """Share of items that the judge wins and loses, and p."""
    signs = []
    for row in rows:
        others = [x for place, x in enumerate(row) if place not in (0, human) and x is not None]
        if row[human] is None or not others:
            continue
        ours = np.mean([weight(row[0], x) for x in others])
        theirs = np.mean([weight(row[human], x) for x in others])
        signs.append(0 if math.isclose(ours, theirs) else int(np.sign(theirs - ours)))
    d = np.array(signs)
    p = stats.ttest_1samp(d, epsilon, alternative="less").pvalue
    return float((d < 0).mean()), float((d > 0).mean()), float(p)


@pytest.mark.parametrize("weights", ["nominal", "linear", "quadratic"])
def test_brute_force(weights: str) -> None:
    frame = judged_scores(120, gaps=0.15)
    power = {"linear": 1, "quadratic": 2}.get(weights)
    judged = frame.agree.judges("dev", humans=HUMANS)
    found = judged.alt_test(epsilon=0.15, weights=weights, by_human=True, detail=True).loc["dev"]
    for number, name in enumerate(HUMANS, 1):
        wins, losses, p = brute(
            counting_rows(frame, "dev"),
            number,
            (lambda a, b: -(abs(a - b) ** power)) if power else (lambda a, b: float(a == b)),
            0.15,
        )
        row = found.loc[name]
        assert (row["judge_wins"], row["human_wins"], row["p_value"]) == pytest.approx((wins, losses, p))
        assert row["ties"] == pytest.approx(1 - wins - losses)


def test_adjusted_p_values() -> None:
    p = np.array([0.01, np.nan, 0.04, 0.03])
    expected = stats.false_discovery_control([0.01, 0.04, 0.03], method="by")
    found = benjamini_yekutieli(p)
    assert found[[0, 2, 3]].tolist() == pytest.approx(expected.tolist())
    assert math.isnan(found[1])


def test_epsilon_is_asked_for() -> None:
    message = (
        "alt_test needs the advantage that the judge gets for being cheaper than the annotators. Give annotators=, one "
        "of "
        "'expert' (0.2), 'skilled' (0.15), 'crowd' (0.1), or epsilon="
    )
    for given in ({}, {"annotators": "expert", "epsilon": 0.2}):
        with refuses(InputError, message):
            JUDGED.alt_test(**given)
    with pytest.raises(InputError, match="annotators='experts' is not known"):
        JUDGED.alt_test(annotators="experts")
    with pytest.raises(InputError, match="epsilon=20 must be a number from 0 to below 1"):
        JUDGED.alt_test(epsilon=20)
    for wrong in (0, 1, 2.5, "30", True):
        with pytest.raises(InputError, match=f"min_items={wrong!r} must be a whole number of 2 or more"):
            JUDGED.alt_test(epsilon=0.2, min_items=wrong)


def test_few_items_and_few_humans() -> None:
    frame = judged_scores(25, gaps=0)
    with pytest.warns(AgreementWarning, match="The winning rate is undefined"):
        row = frame.agree.judges("dev", humans=HUMANS).alt_test(epsilon=0.2, detail=True).iloc[0]
    assert math.isnan(row["winning_rate"])
    assert (row["passed"], row["n_humans"], row["remarks"]) == (False, 0, "no human has 30 items or more")
    detail = frame.agree.judges("dev", humans=HUMANS).alt_test(epsilon=0.2, by_human=True, detail=True)
    assert detail["remarks"].tolist() == ["fewer than 30 items: not tested"] * 3
    with pytest.raises(InputError, match="Name at least two humans"):
        frame.agree.judges("dev", humans=["ann"]).alt_test(epsilon=0.2)
    row = frame.agree.judges("dev", humans=["ann", "bob"]).alt_test(epsilon=0.2, min_items=10, detail=True).iloc[0]
    assert row["remarks"] == "two humans: each is the only reference of the other"


def test_all_items_alike() -> None:
    frame = pd.DataFrame({name: ["a", "b"] * 30 for name in ["gpt", *HUMANS]})
    row = frame.agree.judges("gpt", humans=HUMANS).alt_test(epsilon=0.2, detail=True).iloc[0]
    assert (row["winning_rate"], row["advantage"], row["ties"]) == (1, 1, 1)
    row = frame.agree.judges("gpt", humans=HUMANS).alt_test(epsilon=0.0, detail=True).iloc[0]
    assert row["winning_rate"] == 0


@pytest.mark.parametrize("weights", ["linear", "ordinal", "radical", "ratio", "bipolar", "quadratic", "nominal"])
def test_many_values_need_no_matrix(monkeypatch: pytest.MonkeyPatch, weights: str) -> None:
    frame = judged_scores(90, gaps=0.1)
    judged = frame.agree.judges("dev", "eve", humans=HUMANS)
    calls = [
        lambda: judged.alt_test(epsilon=0.1, weights=weights, by_human=True, detail=True),
        lambda: judged.versus_humans(metrics="observed", weights=weights, by_human=True, detail=True),
        lambda: judged.ceilings(detail=True),
        lambda: judged.versus_humans(weights=weights, detail=True),
    ]
    matrix = [call() for call in calls]
    monkeypatch.setattr("pandas_agreement.core.weights.MAX_DENSE_CATEGORIES", 2)
    monkeypatch.setattr("pandas_agreement.core.ratings.dense_is_small", lambda *sizes: False)
    for call, expected in zip(calls, matrix, strict=True):
        same(call(), expected, rtol=1e-9)
