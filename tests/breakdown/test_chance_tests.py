"""Tests against chance: all permutations, closed forms, and where they meet."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from pandas.testing import assert_frame_equal, assert_series_equal
from scipy.special import stdtr

from pandas_agreement import InputError
from pandas_agreement.results import schemas
from tests.data_sets import as_long, scores, to_counts

# ------------------------------------------------------------------------------------------------------- against chance


def row_of(agree: Any, **options: Any) -> pd.Series:
    """The row of kappa with all columns."""
    return agree.test.chance(**({"metrics": "kappa", "detail": True} | options)).iloc[0]


@pytest.mark.parametrize("weights", ["nominal", "linear"])
def test_permutations_and_the_analytic_test_meet(weights: str) -> None:
    df = scores(60, 3, gaps=0, seed=9)
    shuffled = df.apply(lambda column: np.random.default_rng(1).permutation(column))
    options = {"weights": weights, "alternative": "greater"}
    exact = row_of(shuffled.agree, **options)
    drawn = row_of(shuffled.agree, method="permutation", rng=0, n_resamples=20_000, **options)
    assert drawn["expected"] == pytest.approx(exact["expected"], abs=0.003)
    assert drawn["null_se"] == pytest.approx(exact["null_se"], rel=0.05)
    assert drawn["statistic"] == pytest.approx(exact["statistic"], abs=0.1)
    assert drawn["p_value"] == pytest.approx(exact["p_value"], abs=0.06)


def test_a_permutation_is_the_same_for_all_coefficients_whose_chance_it_keeps() -> None:
    df = scores(60, 3, gaps=0.2).assign(g=[1, 2] * 30)
    options = {"by": "g", "rng": 0, "n_resamples": 500, "method": "permutation"}
    found = df.agree.test.chance("ann", "bob", "cleo", **options)
    assert found.index.get_level_values("coefficient").unique().tolist() == ["kappa", "pi", "alpha"]
    assert found.columns.tolist() == list(schemas.CHANCE.shown)
    assert found["p_value"].groupby("g").nunique().tolist() == [1, 1]
    assert found["p_value"].max() < 0.02
    assert found["statistic"].groupby("g").nunique().tolist() == [1, 1]
    estimates = df.agree.summary("ann", "bob", "cleo", by="g", metrics=["kappa", "pi", "alpha"])["estimate"]
    assert_series_equal(found["estimate"], estimates)


def test_one_call_has_the_distances_of_each_coefficient() -> None:
    df = scores(60, 2, gaps=0, seed=9)
    options = {"method": "permutation", "rng": 0, "n_resamples": 500}
    both = df.agree.test.chance(metrics=["kappa", "alpha"], level="ordinal", **options)
    for name, word in (("kappa", "weights"), ("alpha", "level")):
        assert_frame_equal(both.loc[[name]], df.agree.test.chance(metrics=name, **{word: "ordinal"}, **options))
    assert both["statistic"].nunique() == 2  # ranks are not positions


def test_the_null_of_ranks_is_that_of_each_group() -> None:
    df = scores(60, 3, gaps=0, seed=9).assign(batch=["x", "y"] * 30)
    options = {"metrics": "alpha", "level": "ordinal", "detail": True}
    drawn = df.agree.test.chance("ann", "bob", "cleo", by="batch", method="permutation", rng=0, **options)
    exact = df.agree.test.chance("ann", "bob", "cleo", by="batch", **options)
    for name, error in {"observed": 1e-12, "expected": 0.02, "null_se": 0.02}.items():
        assert_allclose(drawn[name], exact[name], atol=error)


def test_too_many_permutations_are_refused_before_they_are_drawn() -> None:
    table = pd.DataFrame([[400_000, 100_000], [50_000, 450_000]])
    with pytest.raises(InputError) as caught:
        row_of(table.agree.crosstab(), method="permutation", rng=0)
    assert str(caught.value) == (
        "5,000 permutations of 2,000,000 labels and 1,000,000 pairs would take minutes. Use method='analytic', or a "
        "lower n_resamples="
    )
    assert row_of((table * 100).agree.crosstab())["p_value"] == 0


@pytest.mark.parametrize("gaps", [0.0, 0.3])
@pytest.mark.parametrize("n_items", [30, 400])
def test_the_same_seed_shuffles_the_same_items_in_any_order_and_format(gaps: float, n_items: int) -> None:
    df = scores(n_items, 3, gaps=gaps)
    options = {"rng": 3, "n_resamples": 500, "method": "permutation"}
    found = df.agree.test.chance(**options)
    for other in (df.sample(frac=1, random_state=0).agree, as_long(df)):
        assert_frame_equal(other.test.chance(**options), found, rtol=1e-12)


@pytest.mark.filterwarnings("ignore::pandas_agreement.AgreementWarning")
@pytest.mark.parametrize("method", ["analytic", "permutation"])
def test_only_one_possible_value_is_no_test_and_says_so(method: str) -> None:
    for labels in (
        {"a": list("xxxx"), "b": list("xyxy")},
        {"a": list("xxxxx"), "b": list("xxxxx"), "c": list("xxxxx")},
    ):
        row = row_of(pd.DataFrame(labels).agree, method=method, rng=0)
        assert row[["statistic", "p_value"]].isna().all()
        assert row["remarks"] == "no test: one value possible"
        assert row["note"] == "no variation"


def test_counts_have_the_tests_that_need_no_coder() -> None:
    df = scores(40, 3, gaps=0)
    counts = to_counts(df, [1, 2, 3, 4]).agree.counts()
    assert_frame_equal(counts.test.chance(), df.agree.test.chance(metrics=["pi", "alpha", "ac1", "s"]))
    with pytest.raises(InputError, match=r"^method='permutation' needs the coder of each label, which these data do"):
        counts.test.chance(metrics="pi", method="permutation")


@pytest.mark.parametrize("name", ["ac1", "s", "light_kappa"])
def test_a_coefficient_whose_chance_shuffles_change_has_no_permutation_test(name: str) -> None:
    message = rf"^method='permutation' does not test {name}, whose agreement by chance is not that of shuffles\. Use"
    with pytest.raises(InputError, match=message):
        scores(20).agree.test.chance(metrics=name, method="permutation")


# -------------------------------------------------------------------------------------------- p-values of coefficients


def test_p_values_join_to_the_estimates_by_index() -> None:
    df = scores(60, 3).assign(batch=["x", "y"] * 30)
    metrics = ["kappa", "pi", "alpha", "ac1", "s", "light_kappa"]
    estimates = df.agree.summary("ann", "bob", "cleo", by="batch", metrics=metrics)
    found = df.agree.test.chance("ann", "bob", "cleo", by="batch", metrics=metrics, detail=True)
    assert found.columns.tolist() == list(schemas.CHANCE)
    assert found.index.equals(estimates.index)
    assert_allclose(found["estimate"], estimates["estimate"])
    assert_allclose(found["statistic"], found["estimate"] / found["null_se"])
    assert (found["note"] == "").all()
    alone = df[df["batch"] == "y"].agree.test.chance("ann", "bob", "cleo", metrics=metrics, detail=True)
    assert_frame_equal(found.loc["y"], alone)


def test_the_null_standard_error_of_fleiss_cohen_and_everitt() -> None:
    # SAS and Fleiss (1981): se0 = sqrt(sum of chances) / ((1 - p_e) sqrt(n)); exact permutation has n - 1
    table = pd.DataFrame([[88, 14, 18], [10, 40, 10], [2, 6, 12]])
    row = table.agree.crosstab().test.chance(metrics=["kappa"], detail=True).iloc[0]
    p, q = np.array([0.6, 0.3, 0.1]), np.array([0.5, 0.3, 0.2])
    e = p @ q
    published = np.sqrt(e + e**2 - (p * q * (p + q)).sum()) / ((1 - e) * np.sqrt(200))
    assert row["null_se"] == pytest.approx(published * np.sqrt(200 / 199))
    assert row["estimate"] == pytest.approx(0.4915, abs=1e-4)


def test_the_null_standard_error_of_fleiss_nee_and_landis_from_counts() -> None:
    text = "0 0 0 0 14 0 2 6 4 2 0 0 3 5 6 0 3 9 2 0 2 2 8 1 1 7 7 0 0 0 3 2 6 3 0 2 5 3 2 2 6 5 2 1 0 0 2 2 3 7"
    counts = pd.DataFrame(np.array(text.split(), int).reshape(10, 5))
    row = counts.agree.counts().test.chance(metrics=["pi"], detail=True).iloc[0]
    assert row["estimate"] == pytest.approx(0.209931, abs=1e-6)
    assert row["null_se"] == pytest.approx(0.016965, abs=1e-6)


def test_a_coefficient_without_a_chance_distribution_is_refused() -> None:
    with pytest.raises(InputError, match=r"^Observed has no test against chance\. Use one of 'kappa'"):
        scores(20).agree.test.chance(metrics=["observed"])


@pytest.mark.parametrize("name", ["kappa", "pi", "alpha", "light_kappa"])
@pytest.mark.parametrize("gaps", [0.0, 0.3])
@pytest.mark.filterwarnings("ignore:2 of 1000 estimates are undefined")
def test_p_values_of_coefficients_hold_their_level_with_gaps(name: str, gaps: float) -> None:
    rng, runs, n = np.random.default_rng(4), 1000, 40
    labels = rng.choice(["x", "y"], (runs * n, 5), p=[0.95, 0.05]).astype(object)
    labels[rng.random(labels.shape) < gaps] = None
    df = pd.DataFrame(labels, columns=list("abcde")).assign(run=np.repeat(np.arange(runs), n))
    p = df.agree.test.chance(*"abcde", metrics=[name], by="run")["p_value"]
    assert (p <= 0.05).sum() / p.notna().sum() <= 0.065


def test_perfect_agreement_is_tested_against_items_that_agree_or_not() -> None:
    df = pd.DataFrame({"x": [*"abcd", *"ab"]}).assign(y=lambda frame: frame["x"])
    found = df.agree.test.chance(metrics=["s", "ac1"])
    assert found["note"].eq("").all()
    # of each item the disagreement is 0 or 1, with the mean 3/4
    assert found.loc["s", "statistic"] == pytest.approx(0.75 / np.sqrt(0.75 * 0.25 / 6))
    assert found.loc["s", "p_value"] == pytest.approx(2 * stdtr(5, -0.75 / np.sqrt(0.75 * 0.25 / 6)))


@pytest.mark.parametrize("name", ["s", "ac1", "ac2"])
@pytest.mark.parametrize("strength", [0.0, 0.15, 0.3])
def test_p_values_of_a_true_value_of_0_are_those_of_the_interval(name: str, strength: float) -> None:
    rng, runs, n = np.random.default_rng(6), 40, 30
    truth, guesses = rng.choice(3, runs * n), rng.choice(3, (4, runs * n), p=[0.5, 0.3, 0.2])
    labels = np.where(rng.random((4, runs * n)) < strength, truth, guesses)
    df = pd.DataFrame(labels.T, columns=list("abcd")).assign(run=np.repeat(np.arange(runs), n))
    options = {"by": "run", "metrics": [name]} | ({"weights": "linear"} if name == "ac2" else {})
    p = df.agree.test.chance(*"abcd", **options)["p_value"]
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
    p = df.agree.test.chance(*range(len(shares)), metrics=["s"], by="run")["p_value"]
    assert 0.015 <= (p <= 0.05).mean() <= 0.07  # two coders whose margins differ disagree more evenly than most


def test_both_sides_of_a_permutation() -> None:
    df = scores(30, 3, gaps=0, seed=5)
    greater, less, both = (
        row_of(df.agree, method="permutation", alternative=side, rng=1, n_resamples=999)
        for side in ("greater", "less", "two-sided")
    )
    assert (greater["p_value"], less["p_value"], both["p_value"]) == pytest.approx((0.001, 1, 0.002))
    assert greater["note"] == ""


@pytest.mark.filterwarnings("ignore::pandas_agreement.AgreementWarning")
def test_one_item_is_observed_and_not_row_of() -> None:
    row = row_of(pd.DataFrame({"a": ["x"], "b": ["x"]}).agree)
    assert row["observed"] == 1
    assert row[["expected", "statistic", "p_value"]].isna().all()
    assert row["remarks"] == "no test: fewer than two items"
    assert row["note"] == "not tested"


def test_two_items_have_two_outcomes_and_a_test() -> None:
    df = pd.DataFrame({"a": list("xy"), "b": list("xy")})
    for method in ("permutation", "analytic"):
        row = row_of(df.agree, method=method, rng=0, n_resamples=200)
        assert row["note"] == ""
        assert row["expected"] == pytest.approx(0.5, abs=0.1)
        assert row["statistic"] == pytest.approx(1, abs=0.2)
        assert row["null_se"] == pytest.approx(1, abs=0.2)
        assert row["p_value"] > 0


@pytest.mark.filterwarnings("ignore::pandas_agreement.AgreementWarning")
def test_no_items_have_no_observed_agreement() -> None:
    df = pd.DataFrame({"a": ["x", "y", None], "b": ["x", "x", "y"], "g": [1, 1, 2]})
    found = df.agree.test.chance("a", "b", by="g", metrics=["kappa"], detail=True).loc[2].iloc[0]
    assert found[["observed", "expected", "p_value"]].isna().all()
    assert (found["n_items"], found["remarks"]) == (0, "no test: fewer than two items")
