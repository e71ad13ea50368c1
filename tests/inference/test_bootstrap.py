"""Resampling: replicates, percentile and BCa intervals, clusters, pairs as Krippendorff draws them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

from pandas_agreement import engine
from pandas_agreement.coefficients.registry import REGISTRY
from pandas_agreement.core.ratings import WideRatings
from pandas_agreement.errors import AgreementWarning, InputError
from pandas_agreement.inference import bootstrap
from pandas_agreement.options import Options, make_options
from tests.data_sets import as_long, scores
from tests.helpers import defaults, row_of

LABELS = [name for name, record in REGISTRY.items() if not record.needs_numbers]


def draws_of(df: pd.DataFrame, metric: str, **given: Any) -> np.ndarray:
    """The values of a coefficient in the resamples behind its interval."""
    record = REGISTRY[metric]
    options = make_options(given, metric, [record])
    reading = df.agree._read_for([record], (), options, values=True)
    reading, record = engine.used_items(reading, record, options), engine._pooled_over(record, options)
    ((_, values),) = engine._draws(record, reading.ratings, reading, options)
    return values.ravel()


# ------------------------------------------------------------------------------------------------------------ bootstrap


@pytest.mark.parametrize("name", [*LABELS, "ordinal", "pooled"])
@pytest.mark.parametrize("n_coders", [2, 3])
def test_replicates_are_the_coefficient_of_resampled_items(name: str, n_coders: int) -> None:
    df = scores(25, n_coders, gaps=0.2, seed=6)
    df = df[df.notna().sum(axis=1) >= 2].reset_index(drop=True)
    special = {"ordinal": ("alpha", {"level": "ordinal"}), "pooled": ("kappa", {"pool": "pairs"})}
    metric, options = special[name] if name in special else (name, defaults(name))
    draws = draws_of(df, metric, rng=5, n_resamples=200, categories=[1, 2, 3, 4], **options)
    # the same weights, on the distinct items, by hand
    from pandas_agreement.data import read_wide

    ratings = read_wide(df, list(df.columns), Options(categories=[1, 2, 3, 4])).ratings
    record = REGISTRY[metric]
    merged = bootstrap.distinct(ratings, record.needs_coders)
    weights = bootstrap._weights(merged.weights.astype(int), 200, bootstrap.generator(5, None))
    codes = np.stack(ratings.codes, 1)  # type: ignore[attr-defined]
    profile = codes if record.needs_coders else np.stack([(codes == k).sum(1) for k in range(4)], 1)
    kinds, first = np.unique(profile, axis=0, return_index=True)
    assert len(kinds) == len(merged.weights)
    order = resampling_order(profile[first], record.needs_coders)
    for replicate in range(5):
        rows = np.repeat(first[order], weights[replicate])
        again = getattr(df.iloc[rows].agree, metric)(ci=None, categories=[1, 2, 3, 4], **options)["estimate"].iloc[0]
        assert draws[replicate] == pytest.approx(again, abs=1e-12)


def resampling_order(kinds: np.ndarray, coders: bool) -> np.ndarray:
    """Distinct items in the order of their keys: the first coder (or category) counts most."""
    return np.lexsort(kinds.T[::-1])


def test_a_seed_gives_the_same_numbers_whatever_the_blocks_and_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    df = scores(90, 3).assign(batch=["x", "y", "z"] * 30)
    coders = ["ann", "bob", "cleo"]
    options = {"method": "bca", "rng": 3, "n_resamples": 500}
    whole = df.agree.alpha(*coders, by="batch", **options)
    assert_frame_equal(df.sample(frac=1, random_state=0).agree.alpha(*coders, by="batch", **options), whole)
    two = df[df["batch"] != "y"].agree.alpha(*coders, by="batch", **options)
    assert_frame_equal(two, whole.drop("y"))
    door = as_long(df, ("batch",))
    assert_frame_equal(door.alpha(by="batch", **options), whole)
    monkeypatch.setattr(bootstrap, "MAX_BLOCK", 700)
    assert_frame_equal(df.agree.alpha(*coders, by="batch", **options), whole)
    other = df.agree.alpha(*coders, by="batch", **(options | {"rng": 4}))
    assert (other["ci_low"] != whole["ci_low"]).all()
    generated = df.agree.alpha(*coders, by="batch", **(options | {"rng": np.random.default_rng(1)}))
    again = df.agree.alpha(*coders, by="batch", **(options | {"rng": np.random.default_rng(1)}))
    assert_frame_equal(generated, again)


@pytest.mark.parametrize("other", [("light_kappa", {}), ("kappa", {"pool": "pairs"})])
def test_resamples_of_one_pair_of_coders_are_those_of_kappa_also_with_asymmetric_weights(other: Any) -> None:
    df, (name, options) = scores(40, 2), other
    gap = np.subtract.outer(np.arange(4), np.arange(4))
    asked = {"weights": 1 - np.where(gap > 0, gap, -gap / 2) / 4, "method": "percentile", "n_resamples": 200, "rng": 1}
    parts = ["estimate", "ci_low", "ci_high", "se"]
    with pytest.warns(AgreementWarning, match="is not symmetric"):
        expected, found = df.agree.kappa(**asked), getattr(df.agree, name)(**asked, **options)
    np.testing.assert_allclose(found[parts].to_numpy(), expected[parts].to_numpy(), rtol=1e-12)


def test_undefined_resamples_are_counted_and_too_many_refused() -> None:
    rng = np.random.default_rng(2)  # thirty items, a category of one in twelve: other packages give NaN or fail here
    truth = np.where(rng.random(30) < 0.08, "yes", "no")
    df = pd.DataFrame({"a": truth, "b": truth, "c": truth})
    df.loc[0, "a"] = "yes" if truth[0] == "no" else "no"
    row = df.agree.pi(method="percentile", rng=0, detail=True).iloc[0]
    assert row["remarks"].partition("%")[2].startswith(" of resamples undefined")
    assert not np.isnan(row["estimate"])
    rare = pd.DataFrame({"a": ["no"] * 29 + ["yes"], "b": ["no"] * 29 + ["yes"]})
    refused = rare.agree.kappa(method="percentile", rng=0, detail=True).iloc[0]
    assert "of resamples undefined: no interval" in refused["remarks"]
    assert refused["note"] == "no se+"  # the estimate stands
    assert refused["estimate"] == 1
    assert np.isnan(refused["ci_low"])


def test_clusters_are_drawn_whole() -> None:
    df = scores(300, 2, gaps=0).assign(doc=np.arange(300) // 6)
    doubled = pd.concat([df, df])
    once = row_of(df.agree, "kappa", "ann", "bob", clusters="doc", method="percentile", rng=0, n_resamples=3000)
    twice = row_of(doubled.agree, "kappa", "ann", "bob", clusters="doc", method="percentile", rng=0, n_resamples=3000)
    assert twice["se"] == pytest.approx(once["se"], rel=0.02)
    naive = row_of(doubled.agree, "kappa", "ann", "bob", method="percentile", rng=0, n_resamples=3000)
    assert naive["se"] < 0.8 * once["se"]


@pytest.mark.parametrize("name", ["icc_a1", "icc_1", "ccc", "kendall_w", "cronbach_alpha", "pearson"])
def test_numbers_are_resampled_too(name: str) -> None:
    df = scores(80, 3, gaps=0)
    row = row_of(df.agree, name, method="percentile", rng=1, n_resamples=400)
    draws = draws_of(df, name, rng=1, n_resamples=400)
    assert (row["ci_low"], row["ci_high"]) == pytest.approx(tuple(np.quantile(draws, [0.025, 0.975])))
    by_hand = [
        row_of(df.sample(frac=1, replace=True, random_state=i).agree, name, ci=None)["estimate"] for i in range(100)
    ]
    assert draws.mean() == pytest.approx(np.mean(by_hand), abs=4 * np.std(by_hand) / 10)
    assert draws.std() == pytest.approx(np.std(by_hand), rel=0.35)


def test_perfect_agreement_keeps_its_bound() -> None:
    df = pd.DataFrame({"a": [1, 2, 3] * 10, "b": [1, 2, 3] * 10})
    plain, drawn = row_of(df.agree, "kappa"), row_of(df.agree, "kappa", method="bca", rng=0)
    assert (drawn["ci_low"], drawn["ci_high"]) == (plain["ci_low"], 1)


# ------------------------------------------------------------------------------------------------------------- clusters


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_one_cluster_has_no_interval(method: str) -> None:
    df = scores(40, 2, gaps=0).assign(doc=1)
    row = df.agree.kappa("ann", "bob", clusters="doc", method=method, rng=0, detail=True).iloc[0]
    assert np.isnan(row["se"])
    assert row["remarks"].startswith("100.0% of resamples undefined: no interval")


def test_the_acceleration_of_bca_is_that_of_the_clusters() -> None:
    df = scores(200, 2, gaps=0).assign(doc=np.arange(200) // 4)
    once = df.agree.kappa("ann", "bob", clusters="doc", method="bca", rng=0).iloc[0]
    twice = pd.concat([df, df]).agree.kappa("ann", "bob", clusters="doc", method="bca", rng=0).iloc[0]
    assert (twice["ci_low"], twice["ci_high"]) == pytest.approx((once["ci_low"], once["ci_high"]), abs=1e-9)


# ----------------------------------------------------------------------------------------------- kalpha, bca of numbers


# Hayes, A. F. and Krippendorff, K. (2007). Communication Methods and Measures 1, 77-89: 40 items, 5 observers, ordinal
HAYES = [
    "112.2",
    "1101.",
    "2333.",
    ".00.0",
    "000.0",
    "000.0",
    "102.1",
    "1.20.",
    "222.2",
    "2111.",
    ".100.",
    "0000.",
    "1222.",
    "33223",
    "111.1",
    "111.1",
    "212.2",
    "1233.",
    "1101.",
    "000.0",
    "0011.",
    "00.00",
    "2333.",
    "0000.",
    "12.22",
    "0111.",
    "00010",
    "1212.",
    "1122.",
    "112.2",
    "110.0",
    "2121.",
    "22.22",
    "3222.",
    "222.2",
    "223.2",
    "222.2",
    "22.12",
    "2222.",
    "111.1",
]


def test_the_published_interval_of_hayes_and_krippendorff() -> None:
    df = pd.DataFrame([[np.nan if x == "." else int(x) for x in row] for row in HAYES])
    row = df.agree.alpha(level="ordinal", method="kalpha", rng=0, n_resamples=10_000).iloc[0]
    assert row["estimate"] == pytest.approx(0.7598, abs=5e-5)
    assert (row["ci_low"], row["ci_high"]) == pytest.approx((0.7078, 0.8078), abs=0.003)  # theirs is a bootstrap, too


def test_pairs_are_drawn_as_krippendorff_does() -> None:
    df = scores(200, 2, gaps=0)
    kalpha = df.agree.alpha(method="kalpha", rng=0, level="interval", detail=True).iloc[0]
    assert kalpha["ci_method"] == "kalpha"
    plain = df.agree.alpha(level="interval").iloc[0]
    assert kalpha["estimate"] == plain["estimate"]
    assert kalpha["ci_low"] < plain["estimate"] < kalpha["ci_high"]
    # all pairs that there are, as long as 25 for each different pair are not fewer: the error of a mean of pairs
    few = df.iloc[:40]
    row = few.agree.alpha(method="kalpha", rng=0, n_resamples=20_000).iloc[0]
    apart, n = (few["ann"] != few["bob"]).mean(), 40
    assert row["se"] == pytest.approx(np.sqrt(apart * (1 - apart) / n) / (1 - row["expected"]), rel=0.03)
    # more items of the same kind do not make it narrower once the cap is reached
    wide = [pd.concat([df] * k).agree.alpha(method="kalpha", rng=0)["se"].iloc[0] for k in (3, 9)]
    assert wide[0] == pytest.approx(wide[1], rel=0.05)


@pytest.mark.parametrize("name", ["icc_a1", "ccc", "pearson", "cronbach_alpha"])
def test_numbers_have_a_corrected_bootstrap(name: str) -> None:
    df = scores(60, 3, gaps=0) if name != "pearson" else scores(60, 2, gaps=0)
    row = row_of(df.agree, name, method="bca", rng=1, n_resamples=600)
    draws = draws_of(df, name, rng=1, n_resamples=600)
    without = np.array([row_of(df.drop(index=i).agree, name, ci=None)["estimate"] for i in df.index])
    influence = (len(df) - 1) * (without.mean() - without)
    bend = (influence**3).sum() / (6 * (influence**2).sum() ** 1.5)
    assert (row["ci_low"], row["ci_high"]) == pytest.approx(bootstrap.bca(draws, 0.95, row["estimate"], bend))


def test_clusters_of_numbers_are_drawn_whole() -> None:
    df = scores(120, 3, gaps=0).assign(doc=np.arange(120) // 3)
    coders = ["ann", "bob", "cleo"]
    options = {"method": "percentile", "rng": 0, "n_resamples": 1500}
    once = row_of(df.agree, "icc_c1", *coders, clusters="doc", **options)
    twice = row_of(pd.concat([df, df]).agree, "icc_c1", *coders, clusters="doc", **options)
    assert twice["se"] == pytest.approx(once["se"], rel=0.03)
    naive = row_of(pd.concat([df, df]).agree, "icc_c1", *coders, **options)
    assert naive["se"] < 0.85 * once["se"]
    alone = row_of(df.assign(doc=range(120)).agree, "icc_c1", *coders, clusters="doc", **options)
    assert alone["ci_low"] == row_of(df.agree, "icc_c1", *coders, **options)["ci_low"]  # clusters of one are items
    with pytest.raises(InputError) as caught:
        df.agree.icc_c1(*coders, clusters="doc")
    assert str(caught.value) == "icc_c1 accounts for clusters= only with method='percentile'."


def test_bca_is_that_of_scipy_on_the_same_resamples() -> None:
    from scipy import stats

    x = np.random.default_rng(0).exponential(size=40) ** 2  # skewed, so that the bend matters
    theirs = stats.bootstrap((x,), np.mean, method="BCa", n_resamples=2000)
    items = WideRatings(1, 2, 1, None, None, (np.zeros(40, int),))
    bend, again = (bootstrap.acceleration(items, (x - x.mean()) * unit) for unit in (1, 7))
    assert again == pytest.approx(bend)  # the unit of the influence does not matter
    ours = bootstrap.bca(theirs.bootstrap_distribution, 0.95, x.mean(), bend[0])
    assert ours == pytest.approx([theirs.confidence_interval.low, theirs.confidence_interval.high], rel=1e-9)


def test_resamples_equal_to_the_estimate_count_half_for_bca_whatever_their_rounding() -> None:
    values = np.array([0.1, 0.2, 0.3, 0.3, 0.3, 0.4, 0.5, 0.6])
    noisy = np.where(values == 0.3, 0.1 + 0.2, values)
    found, exact = (bootstrap.bca(each, 0.9, 0.3, -0.1) for each in (noisy, values))
    assert found == pytest.approx(exact)
    assert exact[0] < 0.3 < exact[1]


@pytest.mark.parametrize("name", ["alpha", "kappa", "pi", "light_kappa"])
@pytest.mark.parametrize("clusters", [None, "cluster"])
def test_many_categories_have_the_resamples_of_few(
    monkeypatch: pytest.MonkeyPatch, name: str, clusters: str | None
) -> None:
    df = scores(60, 3, 30).assign(batch=["x", "y", "z"] * 20, cluster=np.arange(60) // 3)
    options = {"method": "bca", "rng": 3, "n_resamples": 300, "by": "batch", "clusters": clusters}
    dense = getattr(df.agree, name)("ann", "bob", "cleo", **options)
    monkeypatch.setattr(bootstrap, "MAX_DENSE_SIZE", 0)
    assert_frame_equal(getattr(df.agree, name)("ann", "bob", "cleo", **options), dense)


def test_items_drawn_one_by_one_have_the_distribution_of_multinomial_numbers() -> None:
    number = np.array([3, 1, 1, 2])
    drawn = bootstrap._weights(number, 40_000, np.random.default_rng(0))  # few different items: one by one
    assert (drawn.sum(1) == 7).all()
    p = number / 7
    assert drawn.mean(0) == pytest.approx(7 * p, abs=0.03)
    assert np.cov(drawn.T) == pytest.approx(7 * (np.diag(p) - np.outer(p, p)), abs=0.06)
