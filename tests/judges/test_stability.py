"""`stability`: repeated runs of a judge."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from pandas_agreement import AgreementWarning, InputError
from tests.helpers import refuses, same
from tests.judges.helpers import HUMANS, prevalence

RUNS = ["g1", "g2", "g3"]


def runs(n_items: int = 60, seed: int = 0) -> pd.DataFrame:
    """Three runs of a judge and three humans."""
    frame = prevalence(n_items, [0.4, 0.3, 0.3], [0.7] * 6, seed).set_axis([*RUNS, *HUMANS], axis=1) + 1
    return frame.assign(doc=range(n_items), batch=["x", "y"] * (n_items // 2))


def test_by_hand() -> None:
    frame = runs()
    found = frame.agree.judges(*RUNS, humans=HUMANS).stability(runs={"gpt": RUNS}, detail=True).loc["gpt"]
    same_label, unanimous, single, vote, means, within = [], [], [], [], [], []
    for row in frame.itertuples():
        own, people = [getattr(row, name) for name in RUNS], [getattr(row, name) for name in HUMANS]
        same_label.append(np.mean([a == b for a, b in combinations(own, 2)]))
        unanimous.append(len(set(own)) == 1)
        single.append(np.mean([a == b for a in own for b in people]))
        most = max(own.count(label) for label in own)
        leaders = sorted({label for label in own if own.count(label) == most})
        vote.append(np.mean([np.mean([label == b for b in people]) for label in leaders]))
        means.append(np.mean(own))
        within.append(np.var(own, ddof=1))
    expected = {
        "observed": np.mean(same_label),
        "flip_rate": 1 - np.mean(same_label),
        "unanimous": np.mean(unanimous),
        "human_single": np.mean(single),
        "human_vote": np.mean(vote),
        "vote_gain": np.mean(vote) - np.mean(single),
        "mean": np.mean(means),
        "sd_within": math.sqrt(np.mean(within)),
    }
    for name, value in expected.items():
        assert found.loc[name, "estimate"] == pytest.approx(value), name
    assert found.loc["alpha", "estimate"] == pytest.approx(frame[RUNS].agree.alpha()["estimate"].iloc[0])
    assert found.loc["icc_1", "estimate"] == pytest.approx(frame[RUNS].agree.icc(form="1")["estimate"].iloc[0])
    assert found.loc["mean", "se"] == pytest.approx(np.std(means, ddof=1) / math.sqrt(60))
    gain = np.array(vote) - np.array(single)
    assert found.loc["vote_gain", "se"] == pytest.approx(np.std(gain, ddof=1) / math.sqrt(60))
    share = np.mean(within) / 3 / np.var(means, ddof=1)
    assert found.loc["mean", "remarks"] == f"more runs can remove {share:.0%} of its variance"
    assert found.loc["unanimous", "remarks"] == "in all of 3 runs: the more runs, the fewer"


def test_the_standard_error_of_a_mean_is_that_of_the_items() -> None:
    """200 items, four runs: the runs of an item are not independent."""
    rng = np.random.default_rng(1)
    item = rng.normal(0, 0.3, (400, 200, 1))
    verdicts = (item + rng.normal(0, 0.3, (400, 200, 4))).round(6)
    true_sd = verdicts.mean((1, 2)).std(ddof=1)
    frame = pd.DataFrame(verdicts[0], columns=list("abcd"))
    row = frame.agree.judges(*"abcd", humans=[]).stability().loc[("a", "mean")]
    naive = verdicts[0].std(ddof=1) / math.sqrt(800)
    assert row["se"] == pytest.approx(true_sd, rel=0.15)
    assert naive < 0.8 * row["se"]


def test_long_data_have_a_column_of_runs() -> None:
    frame = runs()
    wide = frame.agree.judges(*RUNS, humans=HUMANS).stability(runs={"gpt": RUNS}, by="batch", detail=True)
    long = frame.melt(["doc", "batch"], var_name="who", value_name="tag")
    long["seed"] = long["who"].where(long["who"].isin(RUNS))
    long["who"] = long["who"].where(~long["who"].isin(RUNS), "gpt")
    judged = long.agree.long(item="doc", coder="who", label="tag").judges("gpt", humans=HUMANS, run="seed")
    same(judged.stability(by="batch", detail=True), wide)
    with refuses(
        InputError,
        "versus_humans needs one label per item and judge, and run= says that there are several. Choose one run, as in "
        "df[df['seed'] == 1].",
    ):
        judged.versus_humans()
    again = long.agree.long(item="doc", coder="who", label="tag").judges("gpt", humans=HUMANS)
    with pytest.raises(InputError, match="Judgments are repeated"):
        again.versus_humans()


def test_groups_are_the_loop_over_groups() -> None:
    frame = runs()
    found = frame.agree.judges(*RUNS, humans=HUMANS).stability(by="batch", detail=True)
    for batch, part in frame.groupby("batch"):
        same(found.loc[batch], part.agree.judges(*RUNS, humans=HUMANS).stability(detail=True))


def test_agreement_with_humans_is_that_of_tables_of_items_and_categories() -> None:
    """Few labels, which are counted as a table, and many; gaps, ties of the vote, items that a side left out."""
    for n_labels in (3, 400):
        frame = runs(300)
        rng = np.random.default_rng(n_labels)
        labels = rng.integers(n_labels, size=(300, 1)).repeat(6, axis=1)
        labels = np.where(rng.random((300, 6)) < 0.6, labels, rng.integers(n_labels, size=(300, 6)))
        frame[[*RUNS, *HUMANS]] = np.where(rng.random((300, 6)) < 0.3, np.nan, labels)
        found = frame.agree.judges(*RUNS, humans=HUMANS).stability(runs={"gpt": RUNS}, by="batch")
        for batch, part in frame.groupby("batch"):
            own, people = (
                (part[names].to_numpy()[:, :, None] == np.arange(n_labels)).sum(1) for names in (RUNS, HUMANS)
            )
            own, people = (table[(own.sum(1) > 0) & (people.sum(1) > 0)] for table in (own, people))
            share = people / people.sum(1, keepdims=True)
            leads = own == own.max(1, keepdims=True)
            single, vote = ((table * share).sum(1) / table.sum(1) for table in (own, leads))
            gain = (vote - single)[own.sum(1) > 1]
            expected = {"human_single": single, "human_vote": vote, "vote_gain": gain}
            for name, values in expected.items():
                row = found.loc[(batch, "gpt", name)]
                assert row["estimate"] == pytest.approx(values.mean(), abs=1e-14), name
                assert row["se"] == pytest.approx(values.std(ddof=1) / math.sqrt(len(values)), rel=1e-12), name
                assert row["n_items"] == len(values)


def test_one_run_and_runs_that_never_differ() -> None:
    frame = runs()
    with pytest.warns(AgreementWarning, match="one run: nothing to compare"):
        found = frame.agree.judges("g1", humans=HUMANS).stability().loc["g1"]
    assert found["estimate"].dropna().index.tolist() == ["mean", "human_single"]
    frame = frame.assign(g2=frame["g1"], g3=frame["g1"])
    found = frame.agree.judges(*RUNS, humans=[]).stability().loc["g1"]
    assert found.loc[["observed", "alpha", "unanimous", "flip_rate"], "estimate"].tolist() == [1, 1, 1, 0]
    assert found.loc["unanimous", "ci_low"] < 1
    with pytest.warns(AgreementWarning, match="only one category used"):
        found = frame.assign(g1=1, g2=1, g3=1).agree.judges(*RUNS, humans=[]).stability().loc["g1"]
    assert math.isnan(found.loc["alpha", "estimate"])
    assert found.loc["observed", "estimate"] == 1


def test_wrong_runs() -> None:
    judged = runs().agree.judges(*RUNS, humans=HUMANS)
    with refuses(InputError, "runs= has 'g4', which is not among the judges. Name all runs in judges(...)."):
        judged.stability(runs={"gpt": ["g1", "g4"]})
    with pytest.raises(InputError, match="runs='gpt' must be a dict of judges and their runs"):
        judged.stability(runs="gpt")
    with pytest.raises(InputError, match="must have a list of names for every judge"):
        judged.stability(runs={"gpt": "g1"})
    with pytest.raises(InputError, match="Stability compares runs, and there is one: 'g1'"):
        runs().agree.judges("g1", humans=[]).stability()
    with pytest.raises(InputError, match=r"versus_humans compares with humans, and humans= is empty"):
        runs().agree.judges("g1", humans=[]).versus_humans()


def test_runs_without_any_label_are_undefined() -> None:
    df = pd.DataFrame({"gpt": [None, None], "gpt_2": [None, None], "ann": [None, None]}, dtype=object)
    with pytest.warns(AgreementWarning):
        found = df.agree.judges("gpt", "gpt_2", humans=["ann"]).stability()
    assert found["estimate"].isna().all()
    assert (found["n_items"] == 0).all()


def test_no_items_and_no_humans() -> None:
    df = pd.DataFrame({"g1": [], "g2": []}, dtype=object)
    with pytest.warns(AgreementWarning):
        found = df.agree.judges("g1", "g2", humans=[]).stability()
    assert found["estimate"].isna().all()
