"""Corrected rates and means: the oracles, plain loops, every design, and what is refused."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t

from pandas_agreement import AgreementWarning, InputError
from pandas_agreement.core.ratings import WideRatings
from pandas_agreement.data import Reading
from pandas_agreement.data.labels import CategorySet
from pandas_agreement.judges.panel import Judged
from pandas_agreement.judges.reference import standard_of
from tests.benchmarks import corrected as simulated
from tests.helpers import refuses, same

Z = 1.959963984540054
CELLS = {("pass", "pass"): 40, ("fail", "pass"): 5, ("pass", "fail"): 3, ("fail", "fail"): 12}  # judge, human


def judged_items(both: dict[tuple[str, str], int], alone: dict[str, int]) -> pd.DataFrame:
    """Items with both labels, then those of the judge alone."""
    rows: list[tuple[Any, Any]] = [pair for pair, n in both.items() for _ in range(n)]
    rows += [(label, None) for label, n in alone.items() for _ in range(n)]
    return pd.DataFrame(rows, columns=["gpt", "ann"])


FRAME = judged_items(CELLS, {"pass": 657, "fail": 283})


def rate(frame: pd.DataFrame, *judges: str, humans: Any = ("ann",), **options: Any) -> pd.DataFrame:
    roles = {name: options.pop(name) for name in ("categories", "invalid") if name in options}
    return frame.agree.judges(*(judges or ("gpt",)), humans=list(humans), **roles).corrected_rate(
        **options, detail=True
    )


def mean(frame: pd.DataFrame, humans: Any = ("ann",), **options: Any) -> pd.DataFrame:
    return frame.agree.judges("gpt", humans=list(humans)).corrected_mean(**options, detail=True)


def drawn(n: int, seed: int, labels: str = "xyz", human: float = 0.4) -> pd.DataFrame:
    """Two judges and two humans; the second human labels some of the items of the first."""
    rng = np.random.default_rng(seed)
    names = np.array(list(labels), object)
    truth = rng.integers(0, len(labels), n)
    columns = {}
    for name, skill in {"gpt": 0.7, "llama": 0.4, "ann": 0.9, "bob": 0.8}.items():
        columns[name] = names[np.where(rng.random(n) < skill, truth, rng.integers(0, len(labels), n))]
    frame = pd.DataFrame(columns).assign(topic=rng.integers(0, 12, n), batch=rng.choice(["p", "q"], n))
    frame.loc[rng.random(n) > human, "ann"] = None
    frame.loc[frame["ann"].isna() | (rng.random(n) > 0.7), "bob"] = None
    frame.loc[rng.random(n) < 0.05, "gpt"] = None
    return frame


# ------------------------------------------------------------------------------------------------------------ oracles


def test_the_published_random_subset() -> None:
    found = rate(FRAME, design="random").loc[("gpt", "pass")]
    assert found["estimate"] == pytest.approx(0.739398, abs=1e-6)
    assert found["se"] == pytest.approx(0.043860, abs=1e-6)
    assert [found["ci_low"], found["ci_high"]] == pytest.approx([0.649308, 0.822662], abs=1e-6)
    assert found["reliability"] == pytest.approx(0.438212, abs=1e-6)
    assert found["worth"] == pytest.approx(100.2, abs=0.05)
    assert found[["judge_share", "human_share", "n_items", "n_human"]].tolist() == [0.7, 0.75, 1000, 60]


def test_the_published_separate_set() -> None:
    frame = judged_items({("y", "y"): 180, ("n", "y"): 20, ("y", "n"): 60, ("n", "n"): 140}, {"y": 400, "n": 600})
    found = rate(frame, design="separate").loc[("gpt", "y")]
    assert found["estimate"] == pytest.approx(0.166667, abs=1e-6)
    assert [found["ci_low"], found["ci_high"]] == pytest.approx([0.056351, 0.262733], abs=1e-6)
    assert [found["estimate"] - Z * found["se"], found["estimate"] + Z * found["se"]] == pytest.approx(
        [0.064319, 0.269015], abs=1e-6
    )
    assert found[["n_items", "n_human"]].tolist() == [1000, 400]
    other = rate(frame, design="separate").loc[("gpt", "n")]  # the mirror
    assert other["estimate"] == pytest.approx(1 - found["estimate"])
    assert [other["ci_low"], other["ci_high"]] == pytest.approx([1 - found["ci_high"], 1 - found["ci_low"]])


def test_ppi() -> None:
    """ppi_py 0.2.3: .739759, [.655643, .823874] with n and z; here n - 1 and t."""
    found = mean(FRAME.apply(lambda column: column.map({"pass": 1.0, "fail": 0.0})), design="random").iloc[0]
    assert found["estimate"] == pytest.approx(0.739759, abs=1e-6)
    se = (0.823874 - 0.655643) / 2 / Z
    power = (0.75 - 0.739759) / (43 / 60 - 657 / 940)
    other = power**2 * (657 / 940) * (283 / 940) / 940
    assert found["se"] == pytest.approx(math.sqrt((se**2 - other) * 60 / 59 + other), abs=2e-6)
    assert found["ci_high"] - found["estimate"] == pytest.approx(t.ppf(0.975, 59) * found["se"])


# -------------------------------------------------------------------------------------------------------- brute force


def by_hand(pairs: list[tuple[Any, Any]], k: Any, n_categories: int) -> tuple[float, float, float, float]:
    """Estimate, standard error and limits of one category; pairs of judge and human labels."""
    N = Counter(judge for judge, _ in pairs)
    m = Counter(judge for judge, human in pairs if human is not None)
    x = Counter(judge for judge, human in pairs if human == k)
    total = len(pairs)
    theta = sum(N[s] / total * x[s] / m[s] for s in N)
    variance = sum((N[s] / total) ** 2 * (x[s] / m[s]) * (1 - x[s] / m[s]) / m[s] for s in N)
    variance += sum(N[s] / total * (x[s] / m[s] - theta) ** 2 for s in N) / total
    p = {s: (x[s] + 1 / n_categories) / (m[s] + 1) for s in N}
    centre = sum(N[s] / total * p[s] for s in N)
    spread = sum((N[s] / total) ** 2 * p[s] * (1 - p[s]) / (m[s] + 1) for s in N)
    spread += sum(N[s] / total * (p[s] - centre) ** 2 for s in N) / total
    width = Z * math.sqrt(spread)
    return theta, math.sqrt(variance), max(centre - width, 0), min(centre + width, 1)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("judge", ["gpt", "llama"])
def test_a_random_subset_is_its_definition(seed: int, judge: str) -> None:
    frame = drawn(300, seed)
    found = rate(frame, "gpt", "llama", design="random").loc[judge]
    rows = frame.dropna(subset=[judge])
    pairs = [(f, None if pd.isna(y) else y) for f, y in zip(rows[judge], rows["ann"], strict=True)]
    for k in "xyz":
        row = found.loc[k, ["estimate", "se", "ci_low", "ci_high"]].to_numpy(float)
        assert row == pytest.approx(by_hand(pairs, k, 3), abs=1e-12)


def test_the_majority_and_its_ties() -> None:
    frame = drawn(300, 5)
    found = rate(frame, humans=["ann", "bob"], design="random", reference="majority")
    vote = frame["ann"].where(frame["bob"].isna() | (frame["ann"] == frame["bob"]))
    expected = rate(frame.assign(vote=vote), humans=["vote"], design="random")
    same(found.drop(columns=["note", "remarks"]), expected.drop(columns=["note", "remarks"]))
    ties = ((frame["ann"] != frame["bob"]) & frame["bob"].notna() & frame["gpt"].notna()).sum()
    assert found["remarks"].str.startswith(f"{ties} items whose humans are tied have no majority").all()
    one = rate(frame, humans=["ann", "bob"], design="random", reference="bob")
    same(
        one.drop(columns=["note", "remarks"]),
        rate(frame, humans=["bob"], design="random").drop(columns=["note", "remarks"]),
    )


def test_a_judge_whose_labels_are_other_ones() -> None:
    """Strata need not be categories of the humans."""
    frame = drawn(300, 6).assign(gpt=lambda f: f["gpt"].map({"x": "low", "y": "low", "z": "high"}))
    found = rate(frame, design="random").loc["gpt"]
    rows = frame.dropna(subset=["gpt"])
    pairs = [(f, None if pd.isna(y) else y) for f, y in zip(rows["gpt"], rows["ann"], strict=True)]
    for k in "xyz":
        expected = by_hand(pairs, k, 5)
        row = found.loc[k, ["estimate", "se", "ci_low", "ci_high"]].to_numpy(float)
        assert row == pytest.approx(expected, abs=1e-12)
    assert found.loc["high", "estimate"] == 0


# ----------------------------------------------------------------------------------------------------------- clusters


@pytest.mark.parametrize("design", ["random", "separate"])
def test_clusters_of_one_item_have_the_standard_errors_of_items(design: str) -> None:
    frame = drawn(300, 7, "xy").assign(own=range(300))
    plain, clustered = rate(frame, design=design), rate(frame, design=design, clusters="own")
    n = frame["gpt"].notna().sum()
    assert clustered["se"].to_numpy() == pytest.approx(plain["se"].to_numpy() * math.sqrt(n / (n - 1)))


@pytest.mark.parametrize("design", ["random", "separate"])
def test_clusters_that_are_copies(design: str) -> None:
    """Every item four times: a clustered standard error is that of the items once, but for n / (n - 1)."""
    frame = drawn(200, 8, "xy").assign(own=range(200))
    copies = pd.concat([frame] * 4, ignore_index=True)
    once, often = rate(frame, design=design, clusters="own"), rate(copies, design=design, clusters="own")
    assert often["estimate"].to_numpy() == pytest.approx(once["estimate"].to_numpy())
    assert often["se"].to_numpy() == pytest.approx(once["se"].to_numpy())
    assert rate(copies, design=design)["se"].to_numpy() == pytest.approx(
        rate(frame, design=design)["se"].to_numpy() / 2
    )


# ------------------------------------------------------------------------------------------------ known probabilities


def test_known_probabilities_by_hand() -> None:
    rng = np.random.default_rng(2)
    frame = drawn(500, 9, human=1.0).dropna(subset=["gpt"])
    frame["chance"] = np.where(frame["gpt"] == "x", 0.6, 0.2)
    frame.loc[rng.random(len(frame)) > frame["chance"], "ann"] = None
    found = rate(frame, probability="chance").loc["gpt"]
    for k in "xyz":
        values = []
        for f, y, chance in zip(frame["gpt"], frame["ann"], frame["chance"], strict=True):
            said = float(f == k)
            values.append(said if pd.isna(y) else said + (float(y == k) - said) / chance)
        assert found.loc[k, "estimate"] == pytest.approx(np.mean(values))
        assert found.loc[k, "se"] == pytest.approx(np.std(values, ddof=1) / math.sqrt(len(values)))
        assert found.loc[k, "ci_high"] == pytest.approx(np.mean(values) + Z * found.loc[k, "se"])
    assert found["remarks"].unique().tolist() == ["the largest weight of a human label is 5"]
    assert found["design"].unique().tolist() == ["probability"]
    scored = frame.assign(**{name: frame[name].map({"x": 1.0, "y": 2.0, "z": 3.0}) for name in ("gpt", "ann")})
    score = mean(scored, probability="chance")["estimate"].iloc[0]
    assert score == pytest.approx(found["estimate"] @ [1, 2, 3])
    names = ["gpt", "ann"]
    long = frame.reset_index(names="doc").melt(["doc", "chance"], names, "who", "tag")
    way = long.agree.long(item="doc", coder="who", label="tag").judges("gpt", humans=["ann"])
    same(way.corrected_rate(probability="chance", detail=True).loc["gpt"], found)


@pytest.mark.parametrize("value", [0, -0.1, 1.5, None])
def test_impossible_probabilities(value: Any) -> None:
    frame = FRAME.assign(chance=0.5)
    frame.loc[3, "chance"] = value
    message = (
        "1 item has a probability in 'chance' that is not above 0 and at most 1. An item that could not get a human "
        "label cannot be corrected: leave such items out."
    )
    with refuses(InputError, message):
        rate(frame, probability="chance")


def test_probabilities_that_are_no_numbers_or_a_second_design() -> None:
    with refuses(InputError, "probability='gpt' is not a column of numbers."):
        rate(FRAME, probability="gpt")
    message = "design='random' and probability= are two designs. Leave out one of them."
    with refuses(InputError, message):
        rate(FRAME.assign(chance=0.5), probability="chance", design="random")


# -------------------------------------------------------------------------------------------------------- what is asked


def test_the_design_is_asked_for() -> None:
    message = (
        "design= is missing: some judged items have no human label, and how the others were chosen matters. Say "
        "'random' if the human labels are those of a random subset of the judged items; 'separate' if they are of "
        "another "
        "set, with the same error rates, and the other judged items are meant; or probability= with the column of "
        "their known probabilities."
    )
    with refuses(InputError, message):
        rate(FRAME)
    complete = rate(FRAME.dropna())
    same(complete, rate(FRAME.dropna(), design="random"))
    assert complete["estimate"].to_numpy() == pytest.approx(complete["human_share"].to_numpy())
    with refuses(InputError, "design='radnom' is not known. Use one of 'random', 'separate'; did you mean 'random'?"):
        rate(FRAME, design="radnom")


def test_the_standard_is_asked_for() -> None:
    frame = drawn(60, 1)
    message = (
        "reference= is missing: there are several humans, and which of them is the standard is yours to say. Write "
        "reference='majority' or one of them, as in reference='ann'."
    )
    with refuses(InputError, message):
        rate(frame, humans=["ann", "bob"], design="random")
    with refuses(InputError, "reference='bobb' is not among the humans. Did you mean 'bob'?"):
        rate(frame, humans=["ann", "bob"], design="random", reference="bobb")
    named = frame.rename(columns={"bob": "majority"})
    with pytest.raises(InputError, match="A human is called 'majority'"):
        rate(named, humans=["ann", "majority"], design="random", reference="majority")


def test_a_separate_set_needs_other_items_and_two_categories() -> None:
    message = "design='separate' is about judged items without a human label, and there are none. Use design='random'."
    with refuses(InputError, message):
        rate(FRAME.dropna(), design="separate")
    with pytest.raises(InputError, match=r"^design='separate' is for two categories, and there are 3"):
        rate(drawn(60, 1), design="separate")


def test_scores_are_asked_for() -> None:
    with refuses(InputError, "corrected_mean needs scores, and 'fail' is not a number. Use corrected_rate for labels."):
        mean(FRAME, design="random")
    scored = FRAME.apply(lambda column: column.map({"pass": 1.0, "fail": 0.0}))
    with pytest.raises(InputError, match=r"^design='separate' needs error rates, which scores do not have"):
        mean(scored, design="separate")
    two = scored.assign(bob=scored["ann"] + 1)
    both = mean(two, humans=["ann", "bob"], reference="mean", design="random")["estimate"].iloc[0]
    assert both == pytest.approx(mean(scored, design="random")["estimate"].iloc[0] + 0.5)


# --------------------------------------------------------------------------------------------------------- edge cases


def test_a_judge_no_better_than_chance() -> None:
    frame = judged_items({("y", "y"): 10, ("n", "y"): 10, ("y", "n"): 10, ("n", "n"): 10}, {"y": 40, "n": 60})
    with pytest.warns(AgreementWarning, match="2 of 2 estimates are undefined"):
        found = rate(frame, design="separate")
    assert found["estimate"].isna().all()
    assert found["remarks"].unique().tolist() == ["the judge is no better than chance on the items with a human label"]


def test_an_estimate_beyond_its_range_is_clipped() -> None:
    frame = judged_items({("y", "y"): 30, ("n", "y"): 10, ("y", "n"): 10, ("n", "n"): 30}, {"y": 20, "n": 80})
    found = rate(frame, design="separate").loc[("gpt", "y")]
    assert [found["estimate"], found["ci_low"]] == [0, 0]
    assert found["remarks"] == "the estimate is outside 0 to 1 and was set to the nearer end"
    assert found["ci_high"] > 0
    never = pd.concat([frame, judged_items({}, {"n": 2000})], ignore_index=True)
    found = rate(never, design="separate").loc[("gpt", "y")]
    assert np.isnan(found["ci_high"])
    assert found["remarks"].startswith(
        "the estimate is outside 0 to 1 and was set to the nearer end; no share fits: the judge's"
    )


def test_a_label_of_the_judge_without_human_ones() -> None:
    rare = pd.concat([FRAME, judged_items({}, {"odd": 50})], ignore_index=True)
    found = rate(rare, design="random").loc["gpt"]
    assert found.loc["pass", "estimate"] == pytest.approx(0.739398, abs=1e-6)  # as if the items were not there
    assert found.loc["pass", "ci_high"] - found.loc["pass", "ci_low"] > 0.822662 - 0.649308
    assert found["remarks"].unique().tolist() == ["no human label among the 50 items judged 'odd'"]
    often = pd.concat([FRAME, judged_items({}, {"odd": 150})], ignore_index=True)
    with pytest.warns(AgreementWarning, match="3 of 3 estimates are undefined"):
        found = rate(often, design="random")
    assert found["estimate"].isna().all()
    assert found["remarks"].str.contains("items judged 'odd'; human labels of a random subset would be more even").all()


def test_no_human_label_and_no_judged_item() -> None:
    with pytest.warns(AgreementWarning, match="no human label among the judged items"):
        found = rate(FRAME.assign(ann=pd.Series(dtype=object)), design="random")
    assert found["estimate"].isna().all()
    assert found["n_human"].tolist() == [0, 0]
    frame = pd.concat([FRAME.assign(batch="p"), FRAME.assign(batch="q", gpt=None)], ignore_index=True)
    for design in ("random", "separate"):
        with pytest.warns(AgreementWarning, match="2 of 4 estimates are undefined"):
            found = rate(frame, design=design, by="batch")
        assert found.loc["q", "estimate"].isna().all()
        same(found.loc["p"], rate(FRAME, design=design))


def test_one_human_class_only() -> None:
    frame = judged_items({("pass", "pass"): 30, ("fail", "pass"): 10}, {"pass": 100, "fail": 20})
    found = rate(frame, design="random", categories=["fail", "pass"]).loc[("gpt", "pass")]
    assert [found["estimate"], found["se"], found["ci_high"]] == [1, 0, 1]
    assert 0.8 < found["ci_low"] < 1
    with pytest.warns(AgreementWarning, match="one category only"):
        assert rate(frame, design="separate", categories=["fail", "pass"])["estimate"].isna().all()


def test_labels_outside_the_categories_are_a_stratum_or_left_out() -> None:
    odd = pd.concat([FRAME, judged_items({("hm", "pass"): 5, ("hm", "fail"): 5}, {"hm": 30})], ignore_index=True)
    declared = {"categories": ["fail", "pass"]}
    left_out = rate(odd, design="random", invalid="missing", **declared)
    same(left_out.drop(columns=["note", "remarks"]), rate(FRAME, design="random").drop(columns=["note", "remarks"]))
    assert left_out["remarks"].str.endswith("40 labels outside the categories left out").all()
    kept = rate(odd, design="random", invalid="wrong", **declared).loc["gpt"]
    assert kept["remarks"].unique().tolist() == ["40 labels outside the categories counted as a label of their own"]
    assert kept["n_items"].tolist() == [1040, 1040]
    assert kept["estimate"].sum() == pytest.approx(1)
    assert kept["judge_share"].sum() == pytest.approx(1000 / 1040)
    assert kept.loc["pass", "estimate"] == pytest.approx((1000 * 0.739398 + 40 * 0.5) / 1040, abs=1e-6)


def test_few_labels_and_the_estimate_alone() -> None:
    few = judged_items({("y", "y"): 5, ("n", "n"): 5}, {"y": 40, "n": 40})
    assert rate(few, design="random")["remarks"].tolist() == ["fewer than 30 human labels"] * 2
    alone = rate(FRAME, design="random", ci=None)
    assert alone[["ci_low", "ci_high", "se", "ci_level"]].isna().all().all()
    assert alone["ci_method"].tolist() == ["", ""]
    assert alone["estimate"].tolist() == rate(FRAME, design="random")["estimate"].tolist()


def test_a_mean_of_all_items_is_their_mean() -> None:
    frame = pd.DataFrame({"gpt": [1.0, 2, 3, 4], "ann": [2.0, 2, 5, 3]})
    found = mean(frame).iloc[0]
    assert [found["estimate"], found["se"]] == pytest.approx([3, math.sqrt(2) / 2])
    with pytest.warns(AgreementWarning, match="no human label"):
        assert np.isnan(mean(frame.assign(ann=np.nan), design="random")["estimate"].iloc[0])


# ----------------------------------------------------------------------------------------------------------- coverage


@pytest.mark.parametrize("place", range(len(simulated.RANDOM)))
def test_the_interval_of_a_random_subset_covers_as_printed(place: int) -> None:
    cell = simulated.RANDOM[place]
    found = simulated.random_cell(cell, runs=2000, seed=place)
    assert found["coverage"] == pytest.approx(cell[5], abs=0.015)
    assert found["width"] == pytest.approx(cell[6], rel=0.03)


@pytest.mark.parametrize("place", range(len(simulated.SEPARATE)))
def test_the_interval_of_a_separate_set_covers(place: int) -> None:
    assert simulated.separate_cell(simulated.SEPARATE[place], runs=2000, seed=place)["coverage"] > 0.94


@pytest.mark.parametrize("shares", simulated.SHARES)
def test_the_interval_of_several_categories_covers(shares: tuple[float, ...]) -> None:
    for n in (50, 100, 200):
        assert simulated.several_cell(shares, n, runs=1000, seed=n)["coverage"].min() > 0.93


@pytest.mark.slow
@pytest.mark.parametrize("n", [20, 50])
def test_the_interval_of_a_mean_covers(n: int) -> None:
    rng, runs, N = np.random.default_rng(n), 1000, 300
    human = np.clip(np.round(rng.normal(3, 1, (runs, N))), 1, 5)
    judge = np.clip(np.round(human + 0.5 + rng.normal(0, 1, (runs, N))), 1, 5)
    frame = pd.DataFrame({"run": np.repeat(np.arange(runs), N), "gpt": judge.ravel()})
    frame["ann"] = np.where(np.tile(np.arange(N) < n, runs), human.ravel(), np.nan)
    found = mean(frame, design="random", by="run")
    truth = human.mean()
    assert 0.935 < ((found["ci_low"] <= truth) & (truth <= found["ci_high"])).mean() < 0.975


@pytest.mark.slow
def test_the_interval_of_known_probabilities_covers_where_the_plain_share_does_not() -> None:
    rng, runs, N = np.random.default_rng(3), 600, 1000
    human = rng.random((runs, N)) < 0.8
    judge = np.where(rng.random((runs, N)) < np.where(human, 0.9, 0.3), "pass", "fail")
    chance = np.where(judge == "fail", 0.6, 0.1)
    frame = pd.DataFrame({"run": np.repeat(np.arange(runs), N), "gpt": judge.ravel(), "chance": chance.ravel()})
    known = rng.random((runs, N)) < chance
    frame["ann"] = np.where(known, np.where(human, "pass", "fail"), None).ravel()
    found = rate(frame, probability="chance", by="run").xs("pass", level="category")
    assert 0.92 < ((found["ci_low"] <= 0.8) & (found["ci_high"] >= 0.8)).mean() < 0.97
    assert abs(found["human_share"].mean() - 0.8) > 0.1


@pytest.mark.parametrize("options", [{}, {"reference": "majority", "design": "random"}, {"probability": "chance"}])
def test_very_many_labels_are_refused_before_memory_is_taken(options: dict[str, Any]) -> None:
    numbers = np.arange(10_000)
    frame = pd.DataFrame({"gpt": numbers, "ann": numbers, "bob": numbers + 10_000, "chance": 1.0})
    humans = ["ann", "bob"] if "reference" in options else ["ann"]
    n_labels, gigabytes = ("20,000", 18) if len(humans) == 2 else ("10,000", 4)
    problem = f"corrected_rate is for categories, and tables of {n_labels} different labels would need about"
    with refuses(InputError, f"{problem} {gigabytes} GB. Merge labels, or use corrected_mean for scores."):
        frame.agree.judges("gpt", humans=humans).corrected_rate(**options)


@pytest.mark.parametrize("n_categories", [3, 500])  # counted in a table, and sorted
def test_majority_and_mean_of_humans_are_those_of_a_loop(n_categories: int) -> None:
    rng = np.random.default_rng(n_categories)
    codes = tuple(np.where(rng.random(200) < 0.7, rng.integers(n_categories, size=200), -1) for _ in range(6))
    wide = WideRatings(6, n_categories, 1, None, None, codes)
    values = rng.normal(size=n_categories - 1)
    for ratings in (wide, wide.as_long()):
        reading = Reading(ratings, CategorySet(pd.RangeIndex(n_categories), False, False), list("jabcdx"), None, True)
        judged = Judged(reading, ["j"], list("abcd"), True, np.zeros((1, 1)))
        (vote, tied), (mean, _) = standard_of(judged, "majority"), standard_of(judged, "mean", values)
        for item in range(200):
            said = [int(code[item]) for code in codes[1:5] if code[item] >= 0]
            top = [label for label, n in Counter(said).items() if n == max(Counter(said).values())]
            assert vote[item] == (top[0] if len(top) == 1 else -1)
            assert tied[item] == (len(top) > 1)
            scores = [values[code] for code in said if code < len(values)]
            assert mean[item] == pytest.approx(np.mean(scores) if scores else math.nan, nan_ok=True)
