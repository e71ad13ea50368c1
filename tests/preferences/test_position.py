"""Swaps: the oracle, brute force by loops, designs with one order, edge cases."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom, t
from scipy.stats import binomtest as binomial

from pandas_agreement import AgreementWarning
from tests.helpers import same
from tests.preferences.helpers import COLUMNS, SWAPS, drawn, swapped

ROWS = ["position", "consistency", "kappa", "win_rate", "win_rate_consistent"]


def bias(frame: pd.DataFrame, item: Any = "prompt", **options: Any) -> pd.DataFrame:
    return frame.agree.preferences(**COLUMNS, item=item, tie="tie").position_bias(**({"detail": True} | options))


def test_the_published_example() -> None:
    found = bias(swapped())
    assert found.index.tolist() == ROWS
    assert found["estimate"].to_numpy() == pytest.approx([0.1125, 0.7, 0.416058, 0.61875, 18 / 27], abs=1e-6)
    position = found.loc["position"]
    assert [position["ci_low"], position["ci_high"]] == pytest.approx([-0.060067, 0.274353], abs=1e-6)
    assert position["p_value"] == pytest.approx(0.266846, abs=1e-6)
    assert [position["n_first"], position["n_second"]] == [8, 4]
    assert found.loc["win_rate", "se"] == pytest.approx(0.063288, abs=1e-6)
    assert found["n_items"].tolist() == [40, 40, 40, 40, 27]


# -------------------------------------------------------------------------------------------------------- brute force


def scores_of(frame: pd.DataFrame) -> list[tuple[float, float]]:
    """Scores of the candidate that sorts first, shown first and second, of each item and two candidates."""
    found: dict[Any, dict[int, float]] = defaultdict(dict)
    for row in frame.itertuples():
        one, two = sorted([row.a, row.b])
        score = 0.5 if row.won == "tie" else float(row.won == one)
        found[row.prompt, one, two][int(row.a != one)] = score
    return [(pair[0], pair[1]) for pair in found.values() if len(pair) == 2]


def by_hand(frame: pd.DataFrame) -> dict[str, list[float]]:
    """Estimate, lower and upper limit, p of each row."""
    pairs = scores_of(frame)
    n, z, q = len(pairs), 1.959963984540054, t.ppf(0.975, len(pairs) - 1)
    b, m = [one - two for one, two in pairs], [(one + two) / 2 for one, two in pairs]
    centre = sum(b) / (n + 2)
    se = math.sqrt(((sum(x * x for x in b) + 1) / (n + 2) - centre**2) / (n + 1))
    up, down = sum(x > 0 for x in b), sum(x < 0 for x in b)
    few, total = min(up, down), up + down
    mid = binom.cdf(few - 1, total, 0.5) + binom.cdf(few, total, 0.5) if up != down else 1 - binom.pmf(few, total, 0.5)
    mean, sd = float(np.mean(m)), float(np.std(m, ddof=1)) / math.sqrt(n)
    won = [one for one, two in pairs if one == two != 0.5]

    def wilson(x: float, k: int) -> list[float]:
        p = x / k
        half = z * math.sqrt(p * (1 - p) / k + z * z / (4 * k * k)) / (1 + z * z / k)
        return [p, (p + z * z / (2 * k)) / (1 + z * z / k) - half, (p + z * z / (2 * k)) / (1 + z * z / k) + half]

    return {
        "position": [sum(b) / n, centre - q * se, centre + q * se, mid],
        "consistency": wilson(sum(one == two for one, two in pairs), n),
        "win_rate": [mean, mean - q * sd, mean + q * sd, 2 * t.sf(abs(mean - 0.5) / sd, n - 1)],
        "win_rate_consistent": [*wilson(sum(won), len(won)), binomial(int(sum(won)), len(won)).pvalue],
    }


def random_swaps(seed: int, n: int = 60) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    both = ["A", "B", "tie"]
    return swapped({(one, two): int(rng.integers(1, n // 6)) for one in both for two in both})


@pytest.mark.parametrize("seed", range(4))
def test_every_row_is_its_definition(seed: int) -> None:
    frame = random_swaps(seed).sample(frac=1, random_state=seed)
    found = bias(frame)
    for name, expected in by_hand(frame).items():
        row = found.loc[name, ["estimate", "ci_low", "ci_high", "p_value"][: len(expected)]]
        assert row.to_numpy(float) == pytest.approx(expected, abs=1e-9), name


def test_kappa_is_that_of_the_two_orders() -> None:
    frame = swapped()
    wide = frame.assign(order=np.where(frame["a"] == "A", "one", "two")).pivot(
        index="prompt", columns="order", values="won"
    )
    expected = wide.agree.kappa("one", "two", categories=["A", "B", "tie"], detail=True).iloc[0]
    found = bias(frame).loc["kappa"]
    for name in ("estimate", "ci_low", "ci_high", "se", "ci_method"):
        assert found[name] == (expected[name] if name == "ci_method" else pytest.approx(expected[name], abs=1e-12))


@pytest.mark.parametrize("by", ["judge", "grouped"])
def test_groups_are_the_loop(by: str) -> None:
    frame = pd.concat([random_swaps(seed).assign(judge=name) for seed, name in enumerate("zyx")], ignore_index=True)
    if by == "judge":
        found = bias(frame, by="judge")
    else:
        found = frame.groupby("judge").agree.preferences(**COLUMNS, item="prompt", tie="tie").position_bias(detail=True)
    for name, part in frame.groupby("judge"):
        same(found.loc[name].drop(columns="p_holm"), bias(part).drop(columns="p_holm"))
    p = found["p_value"].unstack()
    assert found["p_holm"].unstack()["position"].max() == pytest.approx(min(1, max(_holm(p["position"]))))


def _holm(p: pd.Series) -> list[float]:
    ordered, most, out = sorted(p), 0.0, []
    for place, value in enumerate(ordered):
        most = max(most, min(1.0, value * (len(ordered) - place)))
        out.append(most)
    return out


def test_several_judges_of_a_prompt_need_their_name_in_the_item() -> None:
    frame = pd.concat([random_swaps(1).assign(judge="x"), random_swaps(2).assign(judge="y")], ignore_index=True)
    with pytest.raises(ValueError, match="several verdicts on the same candidates") as caught:
        bias(frame)
    assert str(caught.value).endswith(". Name what tells the verdicts apart, as in item=['prompt', 'judge'].")
    together = bias(frame, item=["prompt", "judge"])
    assert together.loc["position", "n_items"] == len(frame) // 2


def test_clusters_by_hand() -> None:
    frame = random_swaps(3).assign(topic=lambda f: f["prompt"] // 5)
    found = bias(frame, clusters="topic")
    pairs = scores_of(frame)
    b = [one - two for one, two in pairs]
    n, centre = len(b), sum(b) / (len(b) + 2)
    topics = defaultdict(float)
    for place, value in enumerate(b):
        topics[place // 5] += value - centre
    C = len(topics)
    variance = (sum(x * x for x in topics.values()) + 1 + 2 * centre**2) * (C + 2) / (C + 1) / (n + 2) ** 2
    row = found.loc["position"]
    assert row["se"] == pytest.approx(math.sqrt(variance), abs=1e-12)
    assert row["p_value"] == pytest.approx(2 * t.sf(abs(centre) / math.sqrt(variance), C - 1), abs=1e-12)
    m = [(one + two) / 2 for one, two in pairs]
    sums = defaultdict(float)
    for place, value in enumerate(m):
        sums[place // 5] += value - float(np.mean(m))
    assert found.loc["win_rate", "se"] == pytest.approx(math.sqrt(C / (C - 1) * sum(x * x for x in sums.values())) / n)
    assert found.loc["consistency", "ci_high"] > found.loc["consistency", "estimate"]


# --------------------------------------------------------------------------------------------------------- one order


def test_one_random_order_is_read_from_the_slots() -> None:
    frame = drawn(200, "xyz", position=0.8, ties=0.1, seed=2).assign(prompt=range(200))
    with pytest.warns(AgreementWarning, match="4 of 5 estimates are undefined"):
        found = bias(frame)
    score = np.where(frame["won"] == "tie", 0.5, (frame["won"] == frame["a"]).astype(float))
    row = found.loc["position"]
    assert row["estimate"] == pytest.approx(2 * score.mean() - 1)
    assert [row["n_first"], row["n_second"]] == [(score == 1).sum(), (score == 0).sum()]
    assert row["remarks"] == "one order per item: right only if the order was random"
    assert (found["remarks"][1:] == "no item was judged in both orders").all()


def test_the_same_order_always_is_refused() -> None:
    frame = pd.DataFrame({"a": ["x", "x", "y"], "b": ["y", "y", "z"], "won": ["x", "x", "z"], "prompt": [1, 2, 3]})
    with pytest.warns(AgreementWarning, match="cannot be separated"):
        found = bias(frame)
    assert found["estimate"].isna().all()
    assert np.isnan(found.loc["position", "p_value"])
    assert found.loc["position", "remarks"].startswith("every pair of candidates is always in the same order")


def test_without_items_only_candidates_that_occur_once_in_each_order_are_swaps() -> None:
    once = pd.DataFrame({"a": ["x", "y", "x", "z"], "b": ["y", "x", "z", "x"], "won": ["x", "y", "x", "x"]})
    assert bias(once, item=None).loc["position", ["estimate", "n_items"]].tolist() == [0.5, 2]
    with pytest.warns(AgreementWarning):
        twice = bias(pd.concat([once, once]), item=None)
    assert twice.loc["position", "remarks"].startswith("one order per item")
    assert twice.loc["position", "n_items"] == 8


def test_verdicts_without_a_swap_are_counted() -> None:
    more = pd.DataFrame({"prompt": [90, 91], "a": "A", "b": "B", "won": ["A", "B"]})
    found = bias(pd.concat([swapped(), more], ignore_index=True))
    assert found["remarks"].tolist() == ["2 verdicts without a swap left out"] * 5
    same(found.drop(columns=["note", "remarks"]), bias(swapped()).drop(columns=["note", "remarks"]))


# -------------------------------------------------------------------------------------------------------- edge cases


def test_all_consistent() -> None:
    found = bias(swapped({("A", "A"): 5, ("B", "B"): 5}))
    assert found.loc["position", ["estimate", "p_value", "n_first", "n_second"]].tolist() == [0, 1, 0, 0]
    assert found.loc["position", "ci_low"] < -0.1
    assert found.loc["kappa", "estimate"] == 1


def test_one_verdict_for_all() -> None:
    with pytest.warns(AgreementWarning, match="no variation"):
        found = bias(swapped({("A", "A"): 8}))
    assert found.loc["win_rate", ["estimate", "ci_high", "ci_method"]].tolist() == [1, 1, "wilson"]
    assert 0 < found.loc["win_rate", "ci_low"] < 1
    assert found.loc["win_rate", "p_value"] == pytest.approx(0.5**8)  # mid-p
    assert np.isnan(found.loc["kappa", "estimate"])


def test_only_ties() -> None:
    with pytest.warns(AgreementWarning):
        found = bias(swapped({("tie", "tie"): 4}))
    assert found.loc["win_rate", ["estimate", "p_value"]].tolist() == [0.5, 1]
    assert found.loc["win_rate_consistent", "remarks"] == "no consistent verdict without a tie"
    assert found.loc["win_rate_consistent", "n_items"] == 0


def test_one_swap() -> None:
    with pytest.warns(AgreementWarning):
        found = bias(swapped({("A", "B"): 1}))
    assert found.loc["position", "estimate"] == 1
    assert np.isnan(found.loc["position", "ci_low"])


def test_an_empty_frame_and_a_group_without_verdicts() -> None:
    with pytest.warns(AgreementWarning, match=r"5 of 5 estimates are undefined \(NaN\): no verdicts"):
        found = bias(swapped().iloc[:0])
    assert found["n_items"].tolist() == [0] * 5
    frame = pd.concat([swapped().assign(judge="x"), swapped().assign(judge="y", won=None)], ignore_index=True)
    with pytest.warns(AgreementWarning, match=r"5 of 10 estimates are undefined \(NaN\): no verdicts"):
        found = bias(frame, by="judge")
    assert found.loc["y", "remarks"].unique().tolist() == ["no verdicts; 80 rows without a winner left out"]
    same(found.loc["x"].drop(columns="p_holm"), bias(swapped()).drop(columns="p_holm"))


def test_exchanging_all_rows_changes_nothing() -> None:
    frame = swapped(SWAPS)
    same(bias(frame.iloc[::-1].reset_index(drop=True)), bias(frame))


@pytest.mark.slow
@pytest.mark.parametrize(("keep", "slip"), [(0.7, 0.0), (0.7, 0.2), (0.9, 0.1)])
def test_the_interval_of_the_position_covers(keep: float, slip: float) -> None:
    """2,000 data sets of 50 swaps; printed coverage .945 to .973."""
    rng, runs, n = np.random.default_rng(5), 2000, 50
    shape = runs, n
    better = rng.random(shape) < 0.6
    one, two = (np.where(rng.random(shape) < keep, better, rng.random(shape) < 0.5) for _ in range(2))
    one, two = np.where(rng.random(shape) < slip, True, one), np.where(rng.random(shape) < slip, False, two)
    frame = pd.DataFrame({"run": np.repeat(np.arange(runs), n), "prompt": np.tile(np.arange(n), runs)})
    shown = [
        frame.assign(a=a, b=b, won=np.where(s.ravel(), "A", "B")) for a, b, s in (("A", "B", one), ("B", "A", two))
    ]
    found = bias(pd.concat(shown, ignore_index=True), by="run").xs("position", level="coefficient")
    covered = ((found["ci_low"] <= slip) & (slip <= found["ci_high"])).mean()
    assert 0.935 < covered < 0.985
    if slip == 0:
        assert (found["p_value"] < 0.05).mean() < 0.065
