"""Labels to buy: the printed numbers, brute force, and simulated data of the planned size."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pandas_agreement
from pandas_agreement import InputError, plan
from pandas_agreement.planning.judging import vote_accuracy
from tests.benchmarks import corrected as simulated
from tests.helpers import refuses

# -------------------------------------------------------------------------------------------------------- judge labels


@pytest.mark.parametrize(
    ("reliability", "n", "N"), [(0.25, 542, 3128), (0.5, 376, 3756), (0.75, 200, 3469), (0.9, 89, 2663)]
)
def test_the_printed_numbers(reliability: float, n: int, N: int) -> None:
    """Printed to the nearest whole number; here rounded up."""
    found = plan.judge_labels(width=0.06, reliability=reliability, share=0.8).iloc[0]
    assert n <= found["n_human"] <= n + 1
    assert N <= found["n_judged"] <= N + 1
    assert found["human_only"] == 683


@pytest.mark.parametrize("reliability", [0.3, 0.6, 0.9])
def test_no_other_numbers_cost_less(reliability: float) -> None:
    found = plan.judge_labels(width=0.1, reliability=reliability, share=0.7, cost_judge=0.05).iloc[0]
    limit = (0.05 / 1.959963984540054) ** 2
    best = min(
        n + 0.05 * N
        for n in range(5, 400)
        for N in [math.ceil(reliability / (limit / 0.21 - (1 - reliability) / n))]
        if limit / 0.21 > (1 - reliability) / n and n <= N
    )
    assert best - 1e-9 <= found["cost"] <= best + 1.1  # both numbers are rounded up


def test_a_judge_that_is_not_worth_its_price() -> None:
    found = plan.judge_labels(width=0.06, reliability=[0.02, 0.2], share=0.8, cost_judge=0.5)
    assert found["n_judged"].tolist() == [0, 0]
    assert found["n_human"].tolist() == [683, 683]
    assert found["note"].unique().tolist() == ["the judge is not worth its price: human labels alone cost less"]


def test_a_given_number_of_items() -> None:
    found = plan.judge_labels(width=0.06, reliability=0.75, share=0.8, n_items=3469).iloc[0]
    assert found["n_human"] == 201
    few = plan.judge_labels(width=0.06, reliability=0.75, share=0.8, n_items=600).iloc[0]
    assert few["n_human"] is pd.NA
    assert few["note"] == "human labels of all 600 items would not be enough"
    just = plan.judge_labels(width=0.06, reliability=0.75, share=0.8, n_items=683).iloc[0]
    assert just["n_human"] == 683


@pytest.mark.parametrize("cell", [(0.8, 0.9, 0.7), (0.5, 0.9, 0.8), (0.7, 0.8, 0.6)])
def test_data_of_the_planned_size_have_the_planned_width(cell: tuple[float, float, float]) -> None:
    share, sensitivity, specificity = cell
    judge = simulated.binary(sensitivity, specificity)
    joint = np.array([share, 1 - share])[:, None] * judge
    said = joint.sum(0)[0]
    phi = (joint[0, 0] - share * said) / math.sqrt(share * (1 - share) * said * (1 - said))
    planned = plan.judge_labels(width=0.1, reliability=phi**2, share=share).iloc[0]
    found = simulated.random_cell((*cell, planned["n_human"], planned["n_judged"]), runs=1000, seed=1)
    assert found["width"] == pytest.approx(0.1, rel=0.03)
    assert found["coverage"] > 0.93


@pytest.mark.parametrize(
    "wrong", [{"reliability": 0}, {"reliability": 1}, {"share": 1}, {"width": 0}, {"cost_judge": 0}]
)
def test_impossible_values(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=f"^{next(iter(wrong))}="):
        plan.judge_labels(**({"width": 0.1, "reliability": 0.5} | wrong))


# ------------------------------------------------------------------------------------------------------ non-inferiority


def test_the_printed_items() -> None:
    found = plan.items_for_noninferiority([0.05, 0.1], se=0.438217)
    assert found["n_items"].tolist() == [475, 119]
    assert plan.items_for_noninferiority(0.1, se=0.438217, difference=-0.02)["n_items"].tolist() == [186]


def test_a_pilot_of_the_example() -> None:
    df = pandas_agreement.load_example()
    row = df.agree.judges("dev", humans=["ann", "bob", "cleo"]).versus_humans(metric="observed", detail=True).iloc[0]
    found = plan.items_for_noninferiority(0.05, se=row["se"], n_items=int(row["n_items"])).iloc[0]
    assert found["sd"] == pytest.approx(row["se"] * math.sqrt(row["n_items"]))
    assert found["n_items"] == pytest.approx(475, abs=3)


def test_the_planned_number_has_the_planned_power() -> None:
    """Judges and humans who are equal, three humans: the share of data sets that show it at the margin."""
    rng, runs = np.random.default_rng(3), 400

    def labels(n: int) -> pd.DataFrame:
        truth = rng.random(n) < 0.5
        return pd.DataFrame({name: np.where(rng.random(n) < 0.8, truth, rng.random(n) < 0.5) for name in "jabc"})

    pilot = labels(20_000).agree.judges("j", humans=list("abc")).versus_humans(metric="observed", detail=True).iloc[0]
    n = int(plan.items_for_noninferiority(0.08, se=pilot["se"], n_items=20_000)["n_items"].iloc[0])
    frame = labels(n * runs).assign(run=np.repeat(np.arange(runs), n))
    found = frame.agree.judges("j", humans=list("abc")).versus_humans(
        metric="observed", margin=0.08, by="run", detail=True
    )
    assert (found["p_noninferior"] <= 0.05).mean() == pytest.approx(0.8, abs=0.06)


def test_a_difference_beyond_the_margin() -> None:
    problem = "difference=-0.1 is not above minus the margin 0.05, so no number of items can show it"
    with refuses(InputError, f"{problem}. Choose a larger margin."):
        plan.items_for_noninferiority(0.05, se=0.4, difference=-0.1)


# ----------------------------------------------------------------------------------------------------- labels per item


@pytest.mark.parametrize(
    ("accuracy", "votes"),
    [
        (0.7, [0.7, 0.784, 0.8369, 0.874, 0.9012, 0.9218]),
        (0.8, [0.8, 0.896, 0.9421, 0.9667, 0.9804, 0.9883]),
        (0.6, [0.6, 0.648, 0.6826, 0.7102, 0.7334, 0.7535]),
        (0.9, [0.9, 0.972, 0.9914, 0.9973, 0.9991, 0.9997]),
    ],
)
def test_the_printed_votes(accuracy: float, votes: list[float]) -> None:
    assert [vote_accuracy(accuracy, n, 2) for n in (1, 3, 5, 7, 9, 11)] == pytest.approx(votes, abs=5e-5)


@pytest.mark.parametrize(("n", "K"), [(1, 4), (2, 3), (3, 3), (4, 3), (5, 3), (4, 4), (5, 4), (6, 2)])
def test_every_vote_written_out(n: int, K: int) -> None:
    accuracy, total = 0.55, 0.0
    for vote in itertools.product(range(K), repeat=n):  # category 0 is right
        chance = math.prod(accuracy if label == 0 else (1 - accuracy) / (K - 1) for label in vote)
        counts = [vote.count(label) for label in range(K)]
        total += chance * (counts[0] == max(counts)) / counts.count(max(counts))
    assert vote_accuracy(accuracy, n, K) == pytest.approx(total, abs=1e-12)


def test_the_fewest_labels() -> None:
    found = plan.labels_per_item([0.7, 0.8], [0.8, 0.95], n_categories=[2, 4])
    for row in found.itertuples():
        assert row.vote_accuracy >= row.target
        assert vote_accuracy(row.accuracy, row.n_labels - 1, row.n_categories) < row.target
        assert row.vote_accuracy == vote_accuracy(row.accuracy, row.n_labels, row.n_categories)
    assert plan.labels_per_item(0.9, 0.85)["n_labels"].tolist() == [1]


def test_a_target_beyond_99_labels() -> None:
    found = plan.labels_per_item(0.51, 0.99).iloc[0]
    assert found["n_labels"] is pd.NA
    assert 0.51 < found["vote_accuracy"] < 0.99
    assert vote_accuracy(0.6, 99, 12) == pytest.approx(1, abs=1e-6)


def test_coders_who_guess() -> None:
    with refuses(InputError, "accuracy=0.5 is not above 1 / 2, the share of a guess, so votes do not help."):
        plan.labels_per_item(0.5, 0.9)
