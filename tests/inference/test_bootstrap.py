"""Bootstrap, comparison, pooling and tests against chance."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

import pandas_agreement
from pandas_agreement.coefficients.registry import REGISTRY
from pandas_agreement.inference import bootstrap
from pandas_agreement.results import schemas
from tests.data_sets import scores, to_long

LABELS = [name for name, record in REGISTRY.items() if not record.needs_numbers]
DEFAULTS = {"ac2": {"weights": "linear"}}


def run(agree: object, name: str, *coders: str, **options: object) -> pd.Series:
    return getattr(agree, name)(*coders, **(DEFAULTS.get(name, {}) | options)).iloc[0]


# ------------------------------------------------------------------------------------------------- bootstrap


@pytest.mark.parametrize("name", [*LABELS, "ordinal", "pooled"])
@pytest.mark.parametrize("n_coders", [2, 3])
def test_replicates_are_the_coefficient_of_resampled_items(name: str, n_coders: int) -> None:
    df = scores(25, n_coders, gaps=0.2, seed=6)
    df = df[df.notna().sum(axis=1) >= 2].reset_index(drop=True)
    special = {"ordinal": ("alpha", {"level": "ordinal"}), "pooled": ("kappa", {"pool": "pairs"})}
    metric, options = special.get(name, (name, DEFAULTS.get(name, {})))
    draws = df.agree.replicates(metric=metric, rng=5, n_resamples=200, categories=[1, 2, 3, 4], **options)["value"]
    assert draws.index.names == ["coefficient", "replicate"]
    # the same weights by hand: multinomial draws on the distinct items
    from pandas_agreement.data import read_wide

    ratings = read_wide(df, list(df.columns), categories=[1, 2, 3, 4], rows=True).ratings
    record = REGISTRY[metric]
    merged = bootstrap.distinct(ratings, record.needs_coders)
    weights = bootstrap.generator(5, None).multinomial(len(df), merged.weights / len(df), size=200)
    codes = np.stack(ratings.codes, 1)  # type: ignore[attr-defined]
    profile = codes if record.needs_coders else np.stack([(codes == k).sum(1) for k in range(4)], 1)
    kinds, first = np.unique(profile, axis=0, return_index=True)
    assert len(kinds) == len(merged.weights)
    order = resampling_order(profile[first], record.needs_coders)
    for replicate in range(5):
        rows = np.repeat(first[order], weights[replicate])
        again = getattr(df.iloc[rows].agree, metric)(ci=None, categories=[1, 2, 3, 4], **options)["estimate"].iloc[0]
        assert draws.iloc[replicate] == pytest.approx(again, abs=1e-12)


def resampling_order(kinds: np.ndarray, coders: bool) -> np.ndarray:
    """Distinct items in the order of their keys: the first coder (or category) counts most."""
    return np.lexsort(kinds.T[::-1])


@pytest.mark.parametrize("name", [name for name in LABELS if name != "bias"])  # near 0 bias is not normal at any size
@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_bootstrap_and_analytic_intervals_meet_in_large_samples(name: str, method: str) -> None:
    df = scores(1500, 3, gaps=0.2, seed=1)
    plain, drawn = run(df.agree, name), run(df.agree, name, method=method, rng=0, n_resamples=3000)
    assert drawn["ci_method"] == method
    assert drawn["estimate"] == plain["estimate"]
    assert drawn["se"] == pytest.approx(plain["se"], rel=0.08)
    for end in ("ci_low", "ci_high"):
        assert drawn[end] == pytest.approx(plain[end], abs=0.5 * plain["se"])


def test_a_seed_gives_the_same_numbers_whatever_the_blocks_and_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    df = scores(90, 3).assign(batch=["x", "y", "z"] * 30)
    coders = ["ann", "bob", "cleo"]
    options = {"method": "bca", "rng": 3, "n_resamples": 500}
    whole = df.agree.alpha(*coders, by="batch", **options)
    assert_frame_equal(df.sample(frac=1, random_state=0).agree.alpha(*coders, by="batch", **options), whole)
    two = df[df["batch"] != "y"].agree.alpha(*coders, by="batch", **options)
    assert_frame_equal(two, whole.drop("y"))
    door = to_long(df, ("batch",)).agree.long(item="doc", coder="who", label="tag")
    assert_frame_equal(door.alpha(by="batch", **options), whole)
    monkeypatch.setattr(bootstrap, "ROOM", 700)
    assert_frame_equal(df.agree.alpha(*coders, by="batch", **options), whole)
    other = df.agree.alpha(*coders, by="batch", **(options | {"rng": 4}))
    assert (other["ci_low"] != whole["ci_low"]).all()
    generated = df.agree.alpha(*coders, by="batch", **(options | {"rng": np.random.default_rng(1)}))
    again = df.agree.alpha(*coders, by="batch", **(options | {"rng": np.random.default_rng(1)}))
    assert_frame_equal(generated, again)


def test_undefined_resamples_are_counted_and_too_many_refused() -> None:
    rng = np.random.default_rng(2)  # thirty items, a category of one in twelve: other packages give NaN or fail here
    truth = np.where(rng.random(30) < 0.08, "yes", "no")
    df = pd.DataFrame({"a": truth, "b": truth, "c": truth})
    df.loc[0, "a"] = "yes" if truth[0] == "no" else "no"
    row = df.agree.pi(method="percentile", rng=0).iloc[0]
    assert row["note"].partition("%")[2].startswith(" of the resamples undefined")
    assert not np.isnan(row["estimate"])
    rare = pd.DataFrame({"a": ["no"] * 29 + ["yes"], "b": ["no"] * 29 + ["yes"]})
    refused = rare.agree.kappa(method="percentile", rng=0).iloc[0]
    assert "of the resamples undefined: no interval" in refused["note"]
    assert np.isnan(refused["ci_low"])


def test_clusters_are_drawn_whole() -> None:
    df = scores(300, 2, gaps=0).assign(doc=np.arange(300) // 6)
    doubled = pd.concat([df, df])
    once = run(df.agree, "kappa", "ann", "bob", clusters="doc", method="percentile", rng=0, n_resamples=3000)
    twice = run(doubled.agree, "kappa", "ann", "bob", clusters="doc", method="percentile", rng=0, n_resamples=3000)
    assert twice["se"] == pytest.approx(once["se"], rel=0.02)
    naive = run(doubled.agree, "kappa", "ann", "bob", method="percentile", rng=0, n_resamples=3000)
    assert naive["se"] < 0.8 * once["se"]


@pytest.mark.parametrize("name", ["icc_a1", "icc_1", "ccc", "kendall_w", "cronbach_alpha", "pearson"])
def test_numbers_are_resampled_too(name: str) -> None:
    df = scores(80, 3, gaps=0)
    row = run(df.agree, name, method="percentile", rng=1, n_resamples=400)
    draws = df.agree.replicates(metric=name, rng=1, n_resamples=400)["value"]
    assert (row["ci_low"], row["ci_high"]) == pytest.approx(tuple(draws.quantile([0.025, 0.975])))
    by_hand = [
        run(df.sample(frac=1, replace=True, random_state=i).agree, name, ci=None)["estimate"] for i in range(100)
    ]
    assert draws.mean() == pytest.approx(np.mean(by_hand), abs=4 * np.std(by_hand) / 10)
    assert draws.std() == pytest.approx(np.std(by_hand), rel=0.35)


def test_perfect_agreement_keeps_its_bound() -> None:
    df = pd.DataFrame({"a": [1, 2, 3] * 10, "b": [1, 2, 3] * 10})
    plain, drawn = run(df.agree, "kappa"), run(df.agree, "kappa", method="bca", rng=0)
    assert (drawn["ci_low"], drawn["ci_high"]) == (plain["ci_low"], 1)


def test_progress_says_how_to_get_tqdm(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with pytest.raises(pandas_agreement.InputError) as caught:
        scores(20, 2).agree.kappa(method="percentile", progress=True)
    assert str(caught.value) == "progress=True needs tqdm. Install it with: pip install 'pandas-agreement[progress]'"


# ------------------------------------------------------------------------------------------------- comparing


def test_the_difference_of_two_coefficients_is_that_of_their_influences() -> None:
    df = scores(120, 4, gaps=0.15)
    row = df.agree.compare(["ann", "bob"], ["ann", "dev"], metric="kappa").iloc[0]
    one, two = (df.agree.kappa(*pair) for pair in (("ann", "bob"), ("ann", "dev")))
    assert row["difference"] == pytest.approx(one["estimate"].iloc[0] - two["estimate"].iloc[0])
    jackknife = []
    kept = df[df[["ann", "bob"]].notna().all(axis=1) | df[["ann", "dev"]].notna().all(axis=1)]
    for i in range(len(kept)):
        part = kept.drop(index=kept.index[i])
        values = [part.agree.kappa(*pair, ci=None)["estimate"].iloc[0] for pair in (("ann", "bob"), ("ann", "dev"))]
        jackknife.append(values[0] - values[1])
    n = len(kept)
    se = np.sqrt((n - 1) / n * ((np.array(jackknife) - np.mean(jackknife)) ** 2).sum())
    assert row["se"] == pytest.approx(se, rel=0.05)
    assert (row["n_items"], row["df"]) == (n, n - 1)
    independent = np.hypot(one["se"].iloc[0], two["se"].iloc[0])
    assert row["se"] < independent  # the coders share ann and the items


def test_the_same_set_twice_does_not_differ() -> None:
    df = scores(60, 3)
    row = df.agree.compare(["ann", "bob"], ["bob", "ann"]).iloc[0]
    assert row["difference"] == pytest.approx(0, abs=1e-12)
    assert row["note"] == "no difference can be tested"


def test_two_coefficients_of_the_same_coders() -> None:
    df = scores(100, 3)
    table = df.agree.compare(["ann", "bob", "cleo"], metric=["kappa", "pi", "ac1"])
    assert table.index.tolist() == [
        ("ann, bob, cleo: kappa", "ann, bob, cleo: pi"),
        ("ann, bob, cleo: kappa", "ann, bob, cleo: ac1"),
        ("ann, bob, cleo: pi", "ann, bob, cleo: ac1"),
        ("(all)", "(all)"),
    ]
    assert table["p_holm"].iloc[0] >= table["p_value"].iloc[0]
    assert list(table.columns) == list(schemas.CONTRASTS)


def test_the_joint_test_of_two_is_the_square_of_t() -> None:
    df = scores(100, 4, gaps=0)
    pair = df.agree.compare(["ann", "bob"], ["cleo", "dev"])
    three = df.agree.compare(["ann", "bob"], ["cleo", "dev"], ["ann", "cleo"])
    assert three.loc[("ann, bob", "cleo, dev")].drop("p_holm").tolist() == pair.iloc[0].drop("p_holm").tolist()
    joint = three.loc[("(all)", "(all)")]
    best = (three["statistic"].iloc[:3] ** 2).max()
    assert joint["statistic"] * 2 * 99 / 98 >= best - 1e-9  # Hotelling's square is at least that of any difference


def test_comparisons_are_the_same_in_long_form_and_by_group() -> None:
    df = scores(90, 3).assign(batch=["x", "y", "z"] * 30)
    sets = ["ann", "bob"], ["ann", "cleo"]
    wide = df.agree.compare(*sets, by="batch")
    assert wide.index.names == ["batch", "first", "second"]
    door = to_long(df, ("batch",)).agree.long(item="doc", coder="who", label="tag")
    assert_frame_equal(door.compare(*sets, by="batch"), wide)
    alone = df[df["batch"] == "y"].agree.compare(*sets, categories=[1, 2, 3, 4])
    assert_frame_equal(wide.loc["y"], alone)


def test_the_size_of_the_test_is_right() -> None:
    rng = np.random.default_rng(0)
    rejected = 0
    for _ in range(300):
        truth = rng.integers(0, 2, 100)
        columns = {name: np.where(rng.random(100) < 0.8, truth, 1 - truth) for name in "abc"}
        p = pd.DataFrame(columns).agree.compare(["a", "b"], ["a", "c"])["p_value"].iloc[0]
        rejected += p < 0.05
    assert 0.02 < rejected / 300 < 0.09


def test_groups_are_compared_as_independent() -> None:
    df = pandas_agreement.load_example()
    result = df.agree.kappa("ann", "bob", by="batch")
    table = df.agree.contrasts("ann", "bob", by="batch")
    assert len(table) == 15
    first, second = (result["estimate"].iloc[i] for i in (0, 3))
    row = table.loc[("2026-w01", "2026-w04")]
    assert row["difference"] == pytest.approx(first - second)
    assert row["se"] == pytest.approx(np.hypot(result["se"].iloc[0], result["se"].iloc[3]))
    tests = df.agree.heterogeneity("ann", "bob", by="batch")
    weight = 1 / result["se"] ** 2
    mean = np.average(result["estimate"], weights=weight)
    assert tests.loc["equality", "statistic"] == pytest.approx(float((weight * (result["estimate"] - mean) ** 2).sum()))
    assert tests.loc["trend", "p_value"] < 1e-6


def test_pooling_is_all_disagreement_over_all_expected() -> None:
    df = scores(200, 3, gaps=0).assign(site=np.random.default_rng(0).choice(list("pqrs"), 200))
    coders = ["ann", "bob", "cleo"]
    for metric in ("kappa", "pi", "alpha", "ac1", "s"):
        table = df.agree.pooled(*coders, metric=metric, by="site")
        groups = getattr(df.agree, metric)(*coders, by="site")
        n = groups["n_items"]
        expected = 1 - (n * (1 - groups["observed"])).sum() / (n * (1 - groups["expected"])).sum()
        assert table.loc[("within groups", metric), "estimate"] == pytest.approx(expected)
        together = getattr(df.agree, metric)(*coders)
        assert_frame_equal(table.loc["all together"], together)


def test_the_standard_error_of_pooling_is_that_of_a_stratified_jackknife() -> None:
    df = scores(160, 2, gaps=0, seed=4).assign(site=["p", "q"] * 80)
    row = df.agree.pooled("ann", "bob", by="site").loc[("within groups", "kappa")]
    total = 0.0
    for _, part in df.groupby("site"):
        values = [
            df.drop(index=i).agree.pooled("ann", "bob", by="site").loc[("within groups", "kappa"), "estimate"]
            for i in part.index[:80]
        ]
        n = len(part)
        total += (n - 1) / n * ((np.array(values) - np.mean(values)) ** 2).sum()
    assert row["se"] == pytest.approx(np.sqrt(total), rel=0.05)


def test_a_group_without_variation_drops_out_of_the_pool() -> None:
    df = pd.DataFrame({"a": list("xxyyxx"), "b": list("xxyxxx"), "g": [1, 1, 1, 1, 2, 2]})
    with_it = df.agree.pooled("a", "b", by="g").iloc[0]
    without = df[df["g"] == 1].agree.kappa("a", "b").iloc[0]
    assert with_it["estimate"] == pytest.approx(without["estimate"])
    assert with_it["note"] == "1 groups contribute"


# ------------------------------------------------------------------------------------------------- against chance


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
    table = shuffled.agree.chance_test(rng=0, n_resamples=4000, alternative="greater")
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
    assert table.loc["moments", "note"] == "no closed form with gaps and three coders or more; use tests='permutation'"
    grouped = df.assign(g=[1, 2] * 30).agree.chance_test("ann", "bob", "cleo", by="g", rng=0, n_resamples=500)
    assert grouped.index.names == ["g", "test"]


# ------------------------------------------------------------------------------------------------- whom it is about


@pytest.mark.parametrize("name", ["kappa", "pi", "alpha", "ac1", "light_kappa"])
def test_coders_as_a_sample_are_left_out_one_at_a_time(name: str) -> None:
    df = scores(60, 5, gaps=0.1)
    categories = [1, 2, 3, 4]
    values = [run(df.drop(columns=c).agree, name, ci=None, categories=categories)["estimate"] for c in df]
    expected = np.sqrt(4 / 5 * ((np.array(values) - np.mean(values)) ** 2).sum())
    coders = run(df.agree, name, sampling="coders")
    assert coders["se"] == pytest.approx(expected)
    assert coders["note"].startswith("interval for other coders of these items")
    both, items = run(df.agree, name, sampling="both"), run(df.agree, name)
    assert both["se"] == pytest.approx(np.hypot(expected, items["se"]))
    assert both["ci_low"] < items["ci_low"]
    long = to_long(df).agree.long(item="doc", coder="who", label="tag")
    assert run(long, name, sampling="both")["se"] == pytest.approx(both["se"])


def test_two_coders_are_no_sample() -> None:
    row = scores(40, 2).agree.kappa(sampling="both").iloc[0]
    assert np.isnan(row["se"])
    assert "coders as a sample need three or more" in row["note"]
    with pytest.raises(pandas_agreement.InputError, match=r"^method='bca' resamples items; with sampling= use "):
        scores(40, 3).agree.kappa(sampling="both", method="bca")


@pytest.mark.parametrize("name", ["kappa", "pi", "alpha", "ac1"])
def test_shared_chance_is_that_of_all_groups(name: str) -> None:
    df = scores(90, 3).assign(batch=["x", "y", "z"] * 30)
    coders = ["ann", "bob", "cleo"]
    own, shared = (getattr(df.agree, name)(*coders, by="batch", expected=e) for e in ("group", "global"))
    whole = getattr(df.agree, name)(*coders).iloc[0]
    np.testing.assert_allclose(shared["expected"], whole["expected"])
    assert_frame_equal(shared[["observed", "n_items"]], own[["observed", "n_items"]])
    gap = (1 - shared["observed"]) / (1 - whole["expected"])
    np.testing.assert_allclose(shared["estimate"], 1 - gap)
    assert shared["note"].str.startswith("chance agreement of all groups together").all()
    jackknife = getattr(df.agree, name)(*coders, by="batch", expected="global", method="jackknife")
    np.testing.assert_allclose(jackknife["se"], shared["se"], rtol=0.1)
    ordinal = df.agree.alpha(*coders, by="batch", level="ordinal", expected="global")
    assert ordinal["estimate"].notna().all()


# ------------------------------------------------------------------------------------------------- clusters everywhere


def test_comparisons_allow_for_clusters() -> None:
    df = scores(60, 3, gaps=0).assign(doc=range(60))
    thrice = pd.concat([df] * 3, ignore_index=True)
    sets = ["ann", "bob"], ["ann", "cleo"]
    once = df.agree.compare(*sets).iloc[0]
    naive, right = thrice.agree.compare(*sets).iloc[0], thrice.agree.compare(*sets, clusters="doc").iloc[0]
    assert right["se"] == pytest.approx(once["se"])
    assert naive["se"] == pytest.approx(once["se"] / np.sqrt(3), rel=0.02)
    assert right["df"] == 59


def test_comparisons_on_common_items() -> None:
    df = scores(80, 3, gaps=0.3)
    both = df.dropna()
    common = df.agree.compare(["ann", "bob"], ["ann", "cleo"], common=True)
    assert_frame_equal(common, both.agree.compare(["ann", "bob"], ["ann", "cleo"], categories=[1, 2, 3, 4]))
    long = to_long(df).agree.long(item="doc", coder="who", label="tag")
    assert_frame_equal(long.compare(["ann", "bob"], ["ann", "cleo"], common=True), common)


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_one_cluster_has_no_interval(method: str) -> None:
    df = scores(40, 2, gaps=0).assign(doc=1)
    row = df.agree.kappa("ann", "bob", clusters="doc", method=method, rng=0).iloc[0]
    assert np.isnan(row["se"])
    assert row["note"].startswith("100.0% of the resamples undefined: no interval")


def test_the_bound_of_perfect_agreement_counts_clusters() -> None:
    df = pd.DataFrame({"a": [1, 2] * 6, "b": [1, 2] * 6, "doc": [1] * 4 + [2] * 4 + [3] * 4})
    lows = [df.agree.kappa("a", "b", clusters="doc", method=m, rng=0)["ci_low"].iloc[0] for m in ("analytic", "bca")]
    assert lows[0] == lows[1]


def test_bca_bends_with_the_clusters() -> None:
    df = scores(200, 2, gaps=0).assign(doc=np.arange(200) // 4)
    once = df.agree.kappa("ann", "bob", clusters="doc", method="bca", rng=0).iloc[0]
    twice = pd.concat([df, df]).agree.kappa("ann", "bob", clusters="doc", method="bca", rng=0).iloc[0]
    assert (twice["ci_low"], twice["ci_high"]) == pytest.approx((once["ci_low"], once["ci_high"]), abs=1e-9)


def test_a_perfect_group_is_not_compared_as_if_it_were_certain() -> None:
    df = pd.DataFrame(
        {"a": [1, 2] * 3 + [1, 1, 2, 2, 1, 2], "b": [1, 2] * 3 + [1, 2, 2, 2, 1, 1], "g": [1] * 6 + [2] * 6}
    )
    row = df.agree.contrasts("a", "b", by="g").iloc[0]
    assert np.isnan(row["p_value"])
    assert row["note"] == "no difference can be tested"


def test_expected_agreement_is_known_when_none_is_observed() -> None:
    df = pd.DataFrame({"a": list("xxyy"), "b": list("yyxx")})
    assert df.agree.chance_test(tests="moments")["expected"].iloc[0] == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda df: df.agree.pooled("ann", "bob"), "by= is missing: name the column of the groups to pool"),
        (lambda df: df.agree.contrasts("ann", "bob"), "by= is missing: name the column of the groups to compare"),
        (
            lambda df: df.agree.replicates("ann", "bob", method="bca"),
            "replicates has no option 'method'; there are: 'metric', 'by', 'categories', 'missing', 'clusters', "
            "'duplicates', 'n_resamples', 'rng', 'progress', 'weights', 'scale', 'period', ...",
        ),
        (
            lambda df: df.agree.pooled("ann", "bob", by="cleo", clusters="x"),
            "pooled has no option 'clusters'; there are: 'metric', 'by', 'categories', 'missing', 'ci', 'duplicates', "
            "'weights', 'scale', 'period'",
        ),
        (
            lambda df: df.agree.compare(["ann", "bob"], ["ann", "cleo"], rng=1),
            "compare has no option 'rng'; there are: 'metric', 'alternative', 'common', 'by', 'categories', 'missing', "
            "'ci', 'clusters', 'duplicates', 'weights', 'scale', 'period'",
        ),
    ],
)
def test_options_that_mean_nothing_are_refused(call: object, message: str) -> None:
    with pytest.raises(pandas_agreement.InputError) as caught:
        call(scores(20, 3))  # type: ignore[operator]
    assert str(caught.value) == message


def test_without_an_interval_there_is_none() -> None:
    df = scores(40, 3).assign(g=["p", "q"] * 20)
    assert df.agree.compare(["ann", "bob"], ["ann", "cleo"], ci=None)["ci_low"].isna().all()
    pooled = df.agree.pooled("ann", "bob", by="g", ci=None)
    assert pooled[["se", "ci_low", "ci_high"]].isna().all().all()
    assert df.agree.contrasts("ann", "bob", by="g", ci=None)["p_value"].notna().all()
    assert_frame_equal(df.groupby("g").agree.contrasts("ann", "bob"), df.agree.contrasts("ann", "bob", by="g"))


# ------------------------------------------------------------------------------------------ kalpha, bca of numbers

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
    kalpha = df.agree.alpha(method="kalpha", rng=0, level="interval").iloc[0]
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
    row = run(df.agree, name, method="bca", rng=1, n_resamples=600)
    draws = df.agree.replicates(metric=name, rng=1, n_resamples=600)["value"].to_numpy()
    without = np.array([run(df.drop(index=i).agree, name, ci=None)["estimate"] for i in df.index])
    pull = (len(df) - 1) * (without.mean() - without)
    low, high = bootstrap.bca(draws, 0.95, row["estimate"], pull, np.ones(len(pull)))
    assert (row["ci_low"], row["ci_high"]) == pytest.approx((low, high))


def test_clusters_of_numbers_are_drawn_whole() -> None:
    df = scores(120, 3, gaps=0).assign(doc=np.arange(120) // 3)
    coders = ["ann", "bob", "cleo"]
    options = {"method": "percentile", "rng": 0, "n_resamples": 1500}
    once = run(df.agree, "icc_c1", *coders, clusters="doc", **options)
    twice = run(pd.concat([df, df]).agree, "icc_c1", *coders, clusters="doc", **options)
    assert twice["se"] == pytest.approx(once["se"], rel=0.03)
    naive = run(pd.concat([df, df]).agree, "icc_c1", *coders, **options)
    assert naive["se"] < 0.85 * once["se"]
    alone = run(df.assign(doc=range(120)).agree, "icc_c1", *coders, clusters="doc", **options)
    assert alone["ci_low"] == run(df.agree, "icc_c1", *coders, **options)["ci_low"]  # clusters of one are items
    with pytest.raises(pandas_agreement.InputError) as caught:
        df.agree.icc_c1(*coders, clusters="doc")
    assert str(caught.value) == "icc_c1 allows for clusters= only with method='percentile'"


def test_bca_is_that_of_scipy_on_the_same_resamples() -> None:
    from scipy import stats

    x = np.random.default_rng(0).exponential(size=40) ** 2  # skewed, so that the bend matters
    theirs = stats.bootstrap((x,), np.mean, method="BCa", n_resamples=2000)
    ours = bootstrap.bca(theirs.bootstrap_distribution, 0.95, x.mean(), x - x.mean(), np.ones(40))
    assert ours == pytest.approx((theirs.confidence_interval.low, theirs.confidence_interval.high), rel=1e-9)
    doubled = bootstrap.bca(theirs.bootstrap_distribution, 0.95, x.mean(), (x - x.mean()) * 7, np.ones(40))
    assert doubled == pytest.approx(ours)  # the unit of the influence does not matter
