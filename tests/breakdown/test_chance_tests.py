"""Tests against chance: all permutations, closed forms, and where they meet."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from pandas.testing import assert_frame_equal, assert_series_equal

from pandas_agreement import InputError
from tests.data_sets import as_long, scores, to_counts

# ------------------------------------------------------------------------------------------------------- against chance


def test_moments_of_two_coders_are_those_of_all_permutations() -> None:
    from itertools import permutations

    df = pd.DataFrame({"a": list("xxyyz"), "b": list("xyyzz")})
    row = df.agree.chance_test(tests="moments").iloc[0]
    agreed = [np.mean([x == y for x, y in zip(df["a"], order, strict=True)]) for order in permutations(df["b"])]
    assert row["expected"] == pytest.approx(np.mean(agreed))
    assert row["statistic"] == pytest.approx((row["observed"] - np.mean(agreed)) / np.std(agreed))


def test_permutation_and_moments_meet() -> None:
    df = scores(60, 3, gaps=0, seed=9)
    shuffled = df.apply(lambda column: np.random.default_rng(1).permutation(column))
    table = shuffled.agree.chance_test(rng=0, n_resamples=20_000, alternative="greater")
    assert table.loc["permutation", "expected"] == pytest.approx(table.loc["moments", "expected"], abs=0.003)
    assert table.loc["permutation", "statistic"] == pytest.approx(table.loc["moments", "statistic"], abs=0.1)
    assert table.loc["permutation", "p_value"] == pytest.approx(table.loc["moments", "p_value"], abs=0.06)


def test_the_null_test_of_fleiss() -> None:
    # Wikipedia's 10 x 14 table: kappa .209931, null standard error .016965
    text = "0 0 0 0 14 0 2 6 4 2 0 0 3 5 6 0 3 9 2 0 2 2 8 1 1 7 7 0 0 0 3 2 6 3 0 2 5 3 2 2 6 5 2 1 0 0 2 2 3 7"
    counts = np.array(text.split(), int).reshape(10, 5)
    rows = [np.repeat(np.arange(5), row) for row in counts]
    df = pd.DataFrame(rows, columns=[f"c{i}" for i in range(14)])
    row = df.agree.chance_test(tests="fleiss_nee_landis").iloc[0]
    assert row["statistic"] == pytest.approx(0.209931 / 0.016965, rel=1e-3)


def test_gaps_leave_only_permutation() -> None:
    df = scores(60, 3, gaps=0.2)
    table = df.agree.chance_test(rng=0, n_resamples=500)
    assert table.loc["permutation", "p_value"] == pytest.approx(2 / 501)
    assert table.loc["moments", "note"] == "gaps: use tests='permutation'"
    grouped = df.assign(g=[1, 2] * 30).agree.chance_test("ann", "bob", "cleo", by="g", rng=0, n_resamples=500)
    assert grouped.index.names == ["g", "test"]


# -------------------------------------------------------------------------------------------------- clusters everywhere


def test_expected_agreement_is_known_when_none_is_observed() -> None:
    df = pd.DataFrame({"a": list("xxyy"), "b": list("yyxx")})
    assert df.agree.chance_test(tests="moments")["expected"].iloc[0] == pytest.approx(0.5)


def test_weighted_agreement_against_chance() -> None:
    df = scores(60, 2, gaps=0, seed=9)
    table = df.agree.chance_test(weights="quadratic", rng=0, n_resamples=4000)
    kappa = df.agree.kappa(weights="quadratic").iloc[0]
    assert_allclose(table["observed"], kappa["observed"])
    assert table.loc["moments", "expected"] == pytest.approx(kappa["expected"])
    assert table.loc["permutation", "statistic"] == pytest.approx(table.loc["moments", "statistic"], rel=0.05)


def test_three_coders_are_shuffled_with_weights_too() -> None:
    df = scores(40, 3, gaps=0, seed=3)
    table = df.agree.chance_test(weights="linear", rng=0, n_resamples=2000)
    assert table.loc["permutation", "expected"] == pytest.approx(table.loc["moments", "expected"], abs=0.005)
    assert table.loc["permutation", "statistic"] == pytest.approx(table.loc["moments", "statistic"], rel=0.06)


def test_a_large_crosstab_is_not_repeated_item_by_item() -> None:
    table = pd.DataFrame([[60_000_000, 1_000_000], [500_000, 400_000]])
    found = table.agree.crosstab().chance_test(rng=0, n_resamples=500)
    assert found.loc["permutation", "expected"] == pytest.approx(found.loc["moments", "expected"], abs=1e-5)
    with pytest.raises(
        InputError, match=r"^so many shuffles of so many labels would take about [\d,]+ minutes; use tests="
    ):
        (table * 50).agree.crosstab().chance_test(rng=0)
    assert (table * 50).agree.crosstab().chance_test(tests="moments")["p_value"].iloc[0] == 0


@pytest.mark.parametrize("gaps", [0.0, 0.3])
@pytest.mark.parametrize("n_items", [30, 400])
def test_the_same_seed_shuffles_the_same_items_in_any_order_and_format(gaps: float, n_items: int) -> None:
    df = scores(n_items, 3, gaps=gaps)
    found = df.agree.chance_test(rng=3, n_resamples=500, tests="permutation")
    for other in (df.sample(frac=1, random_state=0).agree, as_long(df)):
        assert_frame_equal(other.chance_test(rng=3, n_resamples=500, tests="permutation"), found, rtol=1e-12)


def test_only_one_possible_value_is_no_test_and_says_so() -> None:
    for labels in (
        {"a": list("xxxx"), "b": list("xyxy")},
        {"a": list("xxxxx"), "b": list("xxxxx"), "c": list("xxxxx")},
    ):
        table = pd.DataFrame(labels).agree.chance_test(rng=0)
        assert table[["statistic", "p_value"]].isna().all(axis=None)
        assert (table["note"] == "no test: one value possible").all()


def test_counts_have_the_test_that_needs_no_coder() -> None:
    df = scores(40, 3, gaps=0)
    expected = df.agree.chance_test(tests="fleiss_nee_landis")
    assert_frame_equal(to_counts(df, [1, 2, 3, 4]).agree.counts().chance_test(tests="fleiss_nee_landis"), expected)
    with pytest.raises(
        InputError, match=r"^tests='moments' needs the coder of each label, which these data do not hold"
    ):
        to_counts(df, [1, 2, 3, 4]).agree.counts().chance_test(tests=["fleiss_nee_landis", "moments"])


# -------------------------------------------------------------------------------------------- p-values of coefficients


def test_p_values_join_to_the_estimates_by_index() -> None:
    df = scores(60, 3).assign(batch=["x", "y"] * 30)
    metrics = ["kappa", "pi", "alpha", "ac1", "s", "light_kappa"]
    estimates = df.agree.summary("ann", "bob", "cleo", by="batch", metrics=metrics)
    found = df.agree.p_values("ann", "bob", "cleo", by="batch", metrics=metrics)
    assert found.index.equals(estimates.index)
    assert_allclose(found["estimate"], estimates["estimate"])
    assert_allclose(found["statistic"], found["estimate"] / found["null_se"])
    assert (found["note"] == "").all()
    alone = df[df["batch"] == "y"].agree.p_values("ann", "bob", "cleo", metrics=metrics)
    assert_frame_equal(found.loc["y"], alone)


def test_the_null_standard_error_of_fleiss_cohen_and_everitt() -> None:
    # SAS and Fleiss (1981): se0 = sqrt(sum of chances) / ((1 - p_e) sqrt(n)); exact permutation has n - 1
    table = pd.DataFrame([[88, 14, 18], [10, 40, 10], [2, 6, 12]])
    row = table.agree.crosstab().p_values(metrics=["kappa"]).iloc[0]
    p, q = np.array([0.6, 0.3, 0.1]), np.array([0.5, 0.3, 0.2])
    e = p @ q
    published = np.sqrt(e + e**2 - (p * q * (p + q)).sum()) / ((1 - e) * np.sqrt(200))
    assert row["null_se"] == pytest.approx(published * np.sqrt(200 / 199))
    assert row["estimate"] == pytest.approx(0.4915, abs=1e-4)


def test_the_null_standard_error_of_fleiss_nee_and_landis_from_counts() -> None:
    text = "0 0 0 0 14 0 2 6 4 2 0 0 3 5 6 0 3 9 2 0 2 2 8 1 1 7 7 0 0 0 3 2 6 3 0 2 5 3 2 2 6 5 2 1 0 0 2 2 3 7"
    counts = pd.DataFrame(np.array(text.split(), int).reshape(10, 5))
    row = counts.agree.counts().p_values(metrics=["pi"]).iloc[0]
    assert row["estimate"] == pytest.approx(0.209931, abs=1e-6)
    assert row["null_se"] == pytest.approx(0.016965, abs=1e-6)


def test_two_coders_have_one_kappa() -> None:
    found = scores(40, 2).agree.p_values(metrics=["kappa", "light_kappa"]).drop(columns="note")
    assert_allclose(*found.drop(columns="null").to_numpy())


def test_a_coefficient_without_a_chance_distribution_is_refused() -> None:
    with pytest.raises(
        InputError, match=r"^observed has no closed form of its distribution by chance; use one of 'kappa'"
    ):
        scores(20).agree.p_values(metrics=["observed"])


@pytest.mark.parametrize("name", ["kappa", "pi", "alpha", "light_kappa"])
@pytest.mark.parametrize("gaps", [0.0, 0.3])
def test_p_values_of_coefficients_hold_their_level_with_gaps(name: str, gaps: float) -> None:
    rng, runs, n = np.random.default_rng(4), 1000, 40
    labels = rng.choice(["x", "y"], (runs * n, 5), p=[0.95, 0.05]).astype(object)
    labels[rng.random(labels.shape) < gaps] = None
    df = pd.DataFrame(labels, columns=list("abcde")).assign(run=np.repeat(np.arange(runs), n))
    p = df.agree.p_values(*"abcde", metrics=[name], by="run")["p_value"]
    assert (p <= 0.05).sum() / p.notna().sum() <= 0.065


@pytest.mark.parametrize("name", ["s", "ac1", "ac2"])
@pytest.mark.parametrize("strength", [0.0, 0.15, 0.3])
def test_p_values_of_a_true_value_of_0_are_those_of_the_interval(name: str, strength: float) -> None:
    rng, runs, n = np.random.default_rng(6), 40, 30
    truth, guesses = rng.choice(3, runs * n), rng.choice(3, (4, runs * n), p=[0.5, 0.3, 0.2])
    labels = np.where(rng.random((4, runs * n)) < strength, truth, guesses)
    df = pd.DataFrame(labels.T, columns=list("abcd")).assign(run=np.repeat(np.arange(runs), n))
    options = {"by": "run", "metrics": [name]} | ({"weights": "linear"} if name == "ac2" else {})
    p = df.agree.p_values(*"abcd", **options)["p_value"]
    interval = df.agree.summary(*"abcd", **options)
    outside = (interval["ci_low"] > 0) | (interval["ci_high"] < 0)
    assert_series_equal(p < 0.05, outside, check_names=False)
    assert outside.any()
    assert name == "ac2" or not outside.all()


@pytest.mark.parametrize(
    ("shares", "split"),
    {
        "two coders": ([0.9, 0.5], 0.0),
        "six coders": ([0.9, *[0.5] * 5], 0.0),
        "items on which six coders split": ([0.8] * 6, 0.18 / 0.28),
    }.values(),
)
def test_p_values_of_s_hold_their_level_with_unequal_shares(shares: list[float], split: float) -> None:
    rng, runs, n = np.random.default_rng(5), 1000, 100  # pairs agree on half of the items in all: S is 0
    labels = rng.random((runs * n, len(shares))) < shares
    halves = rng.permuted(np.tile(np.arange(len(shares)) % 2 == 0, (runs * n, 1)), axis=1)
    labels = np.where(rng.random((runs * n, 1)) < split, halves, labels)
    df = pd.DataFrame(labels).assign(run=np.repeat(np.arange(runs), n))
    p = df.agree.p_values(*range(len(shares)), metrics=["s"], by="run")["p_value"]
    assert 0.025 <= (p <= 0.05).mean() <= 0.07


@pytest.mark.parametrize("test", ["moments", "fleiss_nee_landis"])
def test_both_sides_of_a_closed_form_add_up_to_1(test: str) -> None:
    df = scores(30, 3, gaps=0, seed=5)
    greater, less = (
        df.agree.chance_test(tests=test, alternative=side)["p_value"].item() for side in ("greater", "less")
    )
    assert greater < 0.01
    assert greater + less == pytest.approx(1)


def test_both_sides_of_a_permutation() -> None:
    df = scores(30, 3, gaps=0, seed=5)
    greater, less, both = (
        df.agree.chance_test(tests="permutation", alternative=side, rng=1, n_resamples=999).iloc[0]
        for side in ("greater", "less", "two-sided")
    )
    assert (greater["p_value"], less["p_value"], both["p_value"]) == pytest.approx((0.001, 1, 0.002))
    assert greater["note"] == ""


def test_one_item_is_observed_and_not_tested() -> None:
    row = pd.DataFrame({"a": ["x"], "b": ["x"]}).agree.chance_test(tests="moments").iloc[0]
    assert row["observed"] == 1
    assert row[["expected", "statistic", "p_value"]].isna().all()
    assert row["note"] == "no test: fewer than two items"


def test_two_items_have_two_outcomes_and_a_test() -> None:
    df = pd.DataFrame({"a": list("xy"), "b": list("xy")})
    found = df.agree.chance_test(tests=["permutation", "moments"], rng=0, n_resamples=200)
    assert found["note"].tolist() == ["", ""]
    assert found["expected"].tolist() == pytest.approx([0.5, 0.5], abs=0.1)
    assert found["statistic"].tolist() == pytest.approx([1, 1], abs=0.2)
    assert found["p_value"].notna().all()
    p_values = df.agree.p_values(metrics=["kappa"]).iloc[0]
    assert (p_values["null_se"], p_values["note"]) == (pytest.approx(1), "")


def test_no_items_have_no_observed_agreement() -> None:
    df = pd.DataFrame({"a": ["x", "y", None], "b": ["x", "x", "y"], "g": [1, 1, 2]})
    found = df.agree.chance_test("a", "b", by="g", tests="moments").loc[2].iloc[0]
    assert found[["observed", "expected", "p_value"]].isna().all()
    assert (found["n_items"], found["note"]) == (0, "no test: fewer than two items")
