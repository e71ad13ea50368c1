"""Comparisons and pools of coefficients: published values, definitions, clusters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal
from scipy.special import chdtrc, fdtrc, ndtr, stdtr, stdtrit

import pandas_agreement
from pandas_agreement.breakdown.contrasts import TAILS, Estimates, _weighing, differences, effective_df
from pandas_agreement.errors import AgreementWarning, InputError
from pandas_agreement.results import schemas
from tests.benchmarks.coverage import draw
from tests.benchmarks.sizes import grouped, p_values
from tests.data_sets import LONG, as_long, digits, scores, sentences, to_long
from tests.numeric_data import table

EXACT = {"rel": 1e-10}
QUANTILE = {"rel": 1e-7}  # t quantiles of scipy 1.11 have nine digits

# McKenzie, D. P. et al. (1996). Journal of Psychiatric Research 30, 483-492: diagnosis of depression and two screening
# questionnaires, 50 patients; how many patients have each pattern
DEPRESSION = {
    ("neg", "neg", "neg"): 33,
    ("neg", "neg", "pos"): 2,
    ("neg", "pos", "neg"): 1,
    ("neg", "pos", "pos"): 1,
    ("pos", "neg", "neg"): 2,
    ("pos", "neg", "pos"): 4,
    ("pos", "pos", "pos"): 7,
}
AGAINST_DIAGNOSIS = ["diagnosis", "BDI"], ["diagnosis", "GHQ"]

# multiagree 3.1 (Vanbelle, S. and Albert, A. (2008). Journal of Statistical Computation and Simulation 78, 1009-1015)
KAPPAS = 0.53810623556581982, 0.74645030425963499
SE_OVER_N = 0.1410518824848758, 0.106650804946712  # delta.pair(multilevel=FALSE)
SE = 0.14248391800597671, 0.10773358199546264  # delta.pair(multilevel=TRUE), every patient a cluster: n - 1
T2 = 2.203209155773405


def depression() -> pd.DataFrame:
    rows = [pattern for pattern, times in DEPRESSION.items() for _ in range(times)]
    return pd.DataFrame(rows, columns=["diagnosis", "BDI", "GHQ"])


def unrolled(tables: Mapping[str, Sequence[Sequence[int]]], labels: Sequence[object]) -> pd.DataFrame:
    """A row an item from tables of two coders, told apart by the column `group`."""
    rows = [
        (a, b, group)
        for group, cells in tables.items()
        for a, row in zip(labels, cells, strict=True)
        for b, times in zip(labels, row, strict=True)
        for _ in range(times)
    ]
    return pd.DataFrame(rows, columns=["a", "b", "group"])


# -------------------------------------------------------------------------------------------- published: the same items


def test_two_dependent_kappas() -> None:
    row = depression().agree.compare(*AGAINST_DIAGNOSIS, method="analytic", detail=True).iloc[0]
    assert (row["estimate_1"], row["estimate_2"]) == pytest.approx(KAPPAS, **EXACT)
    assert row["statistic"] ** 2 == pytest.approx(T2, **EXACT)
    assert row["p_value"] == pytest.approx(0.14412860949860273, **EXACT)
    assert (row["difference_low"], row["difference_high"]) == pytest.approx(
        (-0.49041449038485069, 0.073726352997220357), **QUANTILE
    )
    assert (row["n_items"], row["df"]) == (50, 49)


@pytest.mark.parametrize(
    ("weights", "kappas", "square", "p_value"),
    [
        ("nominal", (0.63462619449128721, 0.50929752066115697), 1.2812647877346872, 0.25766400182349258),
        ("quadratic", (0.93090909090909091, 0.84667527437056167), 2.2431702042803634, 0.13420557896748658),
    ],
)
def test_pairs_without_a_coder_in_common(
    weights: str, kappas: tuple[float, float], square: float, p_value: float
) -> None:
    """Zapf et al. (2016), first two coders against the other two; misskappa 1.1.0, 1/n and chi-squared."""
    df = pd.DataFrame(table("zapf"), columns=list("ABCD"))
    row = df.agree.compare(["A", "B"], ["C", "D"], weights=weights, method="analytic", detail=True).iloc[0]
    assert (row["estimate_1"], row["estimate_2"]) == pytest.approx(kappas, **EXACT)
    assert row["statistic"] ** 2 * 50 / 49 == pytest.approx(square, **EXACT)
    assert chdtrc(1, row["statistic"] ** 2 * 50 / 49) == pytest.approx(p_value, **EXACT)
    assert row["p_value"] == pytest.approx(2 * stdtr(49, -np.sqrt(square * 49 / 50)), **EXACT)


# -------------------------------------------------------------------------------------------------- published: clusters


@pytest.mark.parametrize("place", [0, 1])
def test_items_repeated_within_their_cluster_bring_nothing_new(place: int) -> None:
    """Three identical visits of each patient: the published figures of one visit, with 49 degrees of freedom."""
    df = pd.concat([depression().assign(patient=range(50))] * 3, ignore_index=True)
    row = df.agree.kappa(*AGAINST_DIAGNOSIS[place], clusters="patient", method="analytic").iloc[0]
    assert (row["estimate"], row["se"]) == pytest.approx((KAPPAS[place], SE[place]), **EXACT)
    half = stdtrit(49, 0.975) * SE[place]
    assert (row["ci_low"], row["ci_high"]) == pytest.approx((KAPPAS[place] - half, KAPPAS[place] + half), **EXACT)
    naive = df.agree.kappa(*AGAINST_DIAGNOSIS[place])["se"].iloc[0]
    assert naive == pytest.approx(SE_OVER_N[place] * np.sqrt(50 / 149), **EXACT)


# ---------------------------------------------------------------------------------------- published: independent groups


# Fleiss, J. L., Levin, B. and Paik, M. C. (2003). Statistical Methods for Rates and Proportions, problem 18.3
STUDIES = {"1": [[12, 1], [4, 3]], "2": [[15, 2], [1, 2]], "3": [[15, 6], [3, 6]]}
# kappaGold 0.4.0: kappas, and standard errors that divide by n
STUDY_KAPPAS = [0.39024390243902446, 0.48275862068965514, 0.34782608695652162]
STUDY_SE = np.array([0.21241607461459991, 0.25424774812659401, 0.17346041205224144])
STUDY_ITEMS = np.array([20, 20, 30])


def test_three_independent_kappas() -> None:
    df = unrolled(STUDIES, ["pos", "neg"])
    found = df.agree.kappa("a", "b", by="group")
    assert found["estimate"].tolist() == pytest.approx(STUDY_KAPPAS, **EXACT)
    ours = STUDY_SE * np.sqrt(STUDY_ITEMS / (STUDY_ITEMS - 1))
    assert found["se"].tolist() == pytest.approx(ours.tolist(), **EXACT)
    row = df.agree.test.groups("a", "b", by="group", method="analytic").loc["equality"]
    weight = 1 / ours**2
    mean = np.average(STUDY_KAPPAS, weights=weight)
    assert row["statistic"] == pytest.approx(float(weight @ (np.array(STUDY_KAPPAS) - mean) ** 2), **EXACT)
    assert (row["df"], row["n_groups"]) == (2, 3)
    assert row["p_value"] == pytest.approx(chdtrc(2, row["statistic"]), **EXACT)


def test_the_pool_of_three_kappas() -> None:
    """Sum of n (A_o - A_e) over sum of n (1 - A_e): 3.2 + 2.8 + 4.8 over 8.2 + 5.8 + 13.8.

    kappa_test() pools by inverse variance, 0.39054615522363612 with the limits .158 and .623, which favours groups
    whose standard error is small by luck (Donner and Klar 1996); the two are close here, and not the same figure.
    """
    row = unrolled(STUDIES, ["pos", "neg"]).agree.pooled("a", "b", by="group").loc["within groups"]
    assert row["estimate"] == pytest.approx(54 / 139, **EXACT)
    assert (row["observed"], row["expected"]) == pytest.approx((53 / 70, 1 - 27.8 / 70), **EXACT)
    assert row["estimate"] == pytest.approx(0.39054615522363612, abs=0.003)
    assert (row["ci_low"], row["ci_high"]) == pytest.approx((0.1577246040394864, 0.62336770640778583), abs=0.015)


# Landis, J. R. and Koch, G. G. (1977). Biometrics 33, 159-174: multiple sclerosis, certain to doubtful, rows the
# neurologist of New Orleans; patients of Winnipeg and of New Orleans
SCLEROSIS = {
    "Winnipeg": [[38, 5, 0, 1], [33, 11, 3, 0], [10, 14, 5, 6], [3, 7, 3, 10]],
    "New Orleans": [[5, 3, 0, 0], [3, 11, 4, 0], [2, 13, 3, 4], [1, 2, 4, 14]],
}


@pytest.mark.parametrize(
    ("weights", "winnipeg", "new_orleans"),
    [
        ("nominal", (0.20794246404002498, 0.05045536524087697), (0.296516567544605, 0.07850387067237043)),
        ("linear", (0.37973054798667893, 0.051666826218333954), (0.47727272727272724, 0.07303098685109757)),
        ("quadratic", (0.5245764643318397, 0.060055098831795585), (0.6255813953488375, 0.07873187381406183)),
    ],
)
def test_two_independent_kappas(weights: str, winnipeg: tuple[float, float], new_orleans: tuple[float, float]) -> None:
    """Kappas and standard errors (1/n) of vcd 1.4.11 and psych 2.5.3; z is their difference over its error."""
    df = unrolled(SCLEROSIS, [1, 2, 3, 4])
    df["group"] = pd.Categorical(df["group"], categories=list(SCLEROSIS))
    row = df.agree.compare("a", "b", by="group", weights=weights, method="analytic", detail=True).iloc[0]
    assert (row["estimate_1"], row["estimate_2"]) == pytest.approx((winnipeg[0], new_orleans[0]), **EXACT)
    se = np.sqrt(winnipeg[1] ** 2 * 149 / 148 + new_orleans[1] ** 2 * 69 / 68)
    z = (winnipeg[0] - new_orleans[0]) / se
    assert (row["se"], row["statistic"]) == pytest.approx((se, z), **EXACT)
    assert row["p_value"] == pytest.approx(2 * ndtr(-abs(z)), **EXACT)
    assert row["n_items"] == 218
    equality = df.agree.test.groups("a", "b", by="group", weights=weights, method="analytic").loc["equality"]
    assert equality["statistic"] == pytest.approx(z**2, **EXACT)  # two groups: the same test
    assert equality["p_value"] == pytest.approx(row["p_value"], **EXACT)


# ---------------------------------------------------------------------------------------------------------- definitions


def test_two_coefficients_of_the_same_coders() -> None:
    df = scores(100, 3)
    options = {"metrics": ["kappa", "pi", "ac1"]}
    table = df.agree.compare(["ann", "bob", "cleo"], **options, detail=True)
    assert table.index.tolist() == [
        ("ann, bob, cleo: kappa", "ann, bob, cleo: pi"),
        ("ann, bob, cleo: kappa", "ann, bob, cleo: ac1"),
        ("ann, bob, cleo: pi", "ann, bob, cleo: ac1"),
        ("(all)", "(all)"),
    ]
    assert table["p_holm"].iloc[0] >= table["p_value"].iloc[0]
    assert list(table.columns) == list(schemas.CONTRASTS)
    plain = df.agree.compare(["ann", "bob", "cleo"], **options)
    assert list(plain.columns) == list(schemas.CONTRASTS.shown)
    assert_frame_equal(plain, table[plain.columns])


def test_the_joint_test_of_three_is_hotellings() -> None:
    """Light's kappa has its own standard errors, so those of the differences give their covariance."""
    df = scores(80, 4, gaps=0)
    sets = ["ann", "bob"], ["ann", "cleo"], ["ann", "dev"]
    found = df.agree.compare(*sets, metrics="light_kappa", detail=True)
    one, both, two = found["se"].iloc[:3] ** 2  # first minus second, first minus third, second minus third
    shared = (both - one - two) / 2
    gaps = found["difference"].iloc[[0, 2]].to_numpy()
    square = gaps @ np.linalg.solve([[one, shared], [shared, two]], gaps)
    joint = found.loc[("(all)", "(all)")]
    assert joint["statistic"] == pytest.approx(square * (80 - 2) / ((80 - 1) * 2), rel=1e-8)
    assert joint["df"] == 2
    assert joint["p_value"] == pytest.approx(fdtrc(2, 78, joint["statistic"]), rel=1e-8)


def test_the_joint_test_of_four_is_hotellings() -> None:
    """Of 3 differences to the first set; observed agreement is a mean, so its covariance is that of the items."""
    df = scores(60, 4, gaps=0)
    pairs = ["ann", "bob"], ["ann", "cleo"], ["ann", "dev"], ["bob", "dev"]
    joint = df.agree.compare(*pairs, metrics="observed", method="analytic", detail=True).loc[("(all)", "(all)")]
    agreed = np.stack([df[a] == df[b] for a, b in pairs], -1).astype(float)
    gaps = agreed[:, 1:] - agreed[:, :1]
    square = 60 * gaps.mean(0) @ np.linalg.solve(np.cov(gaps.T), gaps.mean(0))
    assert joint["statistic"] == pytest.approx(square * (60 - 3) / (59 * 3), **EXACT)
    assert joint["df"] == 3


def test_items_with_one_label_count_in_the_standard_error_of_a_difference() -> None:
    """Sets without an item in common: their variances add up, with the n - 1 of all items together."""
    df = scores(80, 4, gaps=0)
    df.loc[:39, ["cleo", "dev"]] = np.nan
    df.loc[40:, ["ann", "bob"]] = np.nan
    df.loc[:9, "bob"] = np.nan
    options = {"missing": "all", "method": "analytic"}
    row = df.agree.compare(["ann", "bob"], ["cleo", "dev"], metrics=["kappa", "pi"], detail=True, **options)
    row = row.loc[("ann, bob: kappa", "cleo, dev: pi")]
    alone = df.agree.kappa("ann", "bob", **options)["se"].iloc[0], df.agree.pi("cleo", "dev", **options)["se"].iloc[0]
    assert row["n_items"] == 80
    assert row["se"] == pytest.approx(np.hypot(*alone) * np.sqrt(39 / 40 * 80 / 79), **EXACT)


@pytest.mark.parametrize(("n", "tested"), [(2, False), (3, True)])
def test_the_joint_test_needs_more_items_than_differences(n: int, tested: bool) -> None:
    df = pd.DataFrame({"a": [1, 2, 1], "b": [1, 2, 2], "c": [2, 2, 1], "d": [1, 1, 2]})[:n]
    found = df.agree.compare(["a", "b"], ["a", "c"], ["b", "d"], metrics="observed")
    assert np.isfinite(found.loc[("(all)", "(all)"), "p_value"]) == tested


def test_two_items_have_no_joint_statistic_of_three_alphas() -> None:
    df = pd.DataFrame({"a": [1, 1], "b": [1, 2], "c": [2, 1]})
    found = df.agree.compare(["a", "b"], ["a", "c"], ["b", "c"], metrics="alpha", detail=True).loc[("(all)", "(all)")]
    assert found[["statistic", "df", "p_value"]].isna().all()


@pytest.mark.parametrize("method", ["auto", "analytic"])
def test_coders_of_one_cluster_are_not_compared(method: str) -> None:
    df = scores(60, 3, gaps=0).assign(text=lambda x: x.index // 6, cleo=lambda x: x["cleo"].where(x["text"] == 0))
    sets = ["ann", "bob"], ["bob", "cleo"]
    found = df.agree.compare(*sets, metrics=["observed", "s"], clusters="text", method=method)
    assert found["p_value"].notna().tolist() == [True, *[False] * 6], "only the two coefficients of ann and bob"
    assert np.isnan(df.agree.compare(*sets, metrics="kappa", clusters="text", method=method)["p_value"].item())
    df.loc[df["text"] == 1, "cleo"] = 2
    assert df.agree.compare(*sets, metrics="kappa", clusters="text", method=method)["p_value"].notna().all()


def test_the_standard_error_of_pooling_knows_that_ranks_depend_on_the_labels() -> None:
    """As leaving out one item at a time; equal items are one row."""
    df = scores(600, 2, gaps=0, seed=5).clip(upper=3).assign(g=[1, 2] * 300)
    df = df.groupby(["g", "ann", "bob"]).size().reset_index(name="n")
    options = {"by": "g", "metrics": "alpha", "level": "ordinal", "frequency": "n"}

    def without(row: int) -> float:
        rest = df.assign(n=df["n"] - (df.index == row)).query("n > 0")
        return rest.agree.pooled("ann", "bob", **options, ci=None)["estimate"].iloc[0]

    df["value"], variance = [without(row) for row in df.index], 0.0
    for _, part in df.groupby("g"):
        mean = np.average(part["value"], weights=part["n"])
        variance += 299 / 300 * (part["n"] * (part["value"] - mean) ** 2).sum()
    assert df.agree.pooled("ann", "bob", **options)["se"].iloc[0] == pytest.approx(np.sqrt(variance), rel=0.01)


@pytest.mark.parametrize("metric", ["kappa", "alpha"])
def test_the_clustered_standard_error_of_pooling_is_that_of_leaving_out_clusters(metric: str) -> None:
    df = sentences().assign(site=lambda frame: frame["text"] % 3)
    coders, options = ["ann", "bob", "cleo"], {"metrics": [metric], "by": "site"}
    table = df.agree.pooled(*coders, **options, clusters="text")
    row = table.loc[("within groups", metric)]

    def without(text: int) -> float:
        return df[df["text"] != text].agree.pooled(*coders, **options, ci=None)["estimate"].iloc[0]

    variance = 0.0
    for _, part in df.groupby("site"):
        values = np.array([without(text) for text in part["text"].unique()])
        variance += (len(values) - 1) / len(values) * ((values - values.mean()) ** 2).sum()
    assert row["se"] == pytest.approx(np.sqrt(variance), rel=0.05)
    assert row["se"] > 1.2 * df.agree.pooled(*coders, **options)["se"].iloc[0]
    width = stdtrit(60 - 3, 0.975) * row["se"]  # clusters minus groups
    assert row["ci_high"] - row["estimate"] == pytest.approx(width, **QUANTILE)
    together = df.agree.summary(*coders, metrics=[metric], clusters="text")
    assert_frame_equal(table.loc["all together"], together)
    alone = df.assign(text=range(len(df))).agree.pooled(*coders, **options, clusters="text")
    assert alone["se"].iloc[0] == pytest.approx(df.agree.pooled(*coders, **options)["se"].iloc[0])


def test_pooling_of_groups_that_share_clusters_leaves_out_whole_clusters() -> None:
    df = sentences(n_coders=2)
    df["place"] = df.groupby("text").cumcount() % 2  # the first and the second sentence of a text are in both groups
    row = df.agree.pooled("ann", "bob", by="place", clusters="text").iloc[0]
    rests = (df[df["text"] != text] for text in range(60))
    values = np.array([rest.agree.pooled("ann", "bob", by="place", ci=None)["estimate"].iloc[0] for rest in rests])
    assert row["se"] == pytest.approx(np.sqrt(59 / 60 * ((values - values.mean()) ** 2).sum()), rel=0.05)


def test_a_group_of_one_cluster_says_nothing_of_how_clusters_vary() -> None:
    df = sentences(n_coders=2).assign(site=lambda frame: frame["text"] > 0)
    table = df.agree.pooled("ann", "bob", by="site", clusters="text", detail=True)
    row = table.loc["within groups"]
    assert row[["se", "ci_low", "ci_high"]].isna().all()
    assert row["remarks"].endswith("a group is one cluster: no se")
    assert table.loc["all together", "se"] > 0


def test_a_group_without_variation_drops_out_of_the_pool() -> None:
    df = pd.DataFrame({"a": list("xxyyxx"), "b": list("xxyxxx"), "g": [1, 1, 1, 1, 2, 2]})
    with_it = df.agree.pooled("a", "b", by="g", detail=True).iloc[0]
    without = df[df["g"] == 1].agree.kappa("a", "b").iloc[0]
    assert with_it["estimate"] == pytest.approx(without["estimate"])
    assert with_it["remarks"] == "1 group contributes; fewer than 10 items per group: the value is too low"
    assert with_it["note"] == "too low+"


@pytest.mark.parametrize(("n", "few"), [(19, True), (20, False)])
def test_ten_items_per_group_are_enough_for_the_pool(n: int, few: bool) -> None:
    df = scores(n, 2, gaps=0).assign(g=lambda x: x.index % 2)
    remarks = df.agree.pooled("ann", "bob", by="g", detail=True)["remarks"].iloc[0]
    assert remarks == "2 groups contribute" + "; fewer than 10 items per group: the value is too low" * few


def test_a_row_that_stands_for_several_items_of_a_cluster_in_the_pool() -> None:
    df = sentences(n_coders=2).assign(site=lambda x: x["text"] % 3, n=lambda x: x.index % 3 + 1)
    options = {"by": "site", "clusters": "text", "detail": True}
    often = df.loc[df.index.repeat(df["n"])].reset_index(drop=True).agree.pooled("ann", "bob", **options)
    assert_frame_equal(df.agree.pooled("ann", "bob", frequency="n", **options), often)


def test_batches_with_coders_of_their_own_are_no_groups_of_coders() -> None:
    long = to_long(scores(40, 4, gaps=0))
    of_batch = (long["doc"] % 2 == 0) == long["who"].isin(["ann", "bob"])
    long = long[of_batch].assign(batch=lambda x: x["doc"] % 2)
    found = long.agree.long(**LONG).pooled(by="batch", metrics="alpha", detail=True)
    assert found["remarks"].iloc[0] == "2 groups contribute"
    assert found["note"].iloc[0] == "groups"


def test_a_perfect_group_keeps_its_part_of_the_pooled_standard_error() -> None:
    rng = np.random.default_rng(0)
    noisy = rng.choice(["x", "y"], 20)
    df = pd.DataFrame({"a": ["x", "y"] * 20 + list(noisy), "b": ["x", "y"] * 20 + list(rng.choice(["x", "y"], 20))})
    df["g"] = [1] * 40 + [2] * 20
    row = df.agree.pooled("a", "b", by="g").iloc[0]
    total = 0.0
    for _, part in df.groupby("g"):
        values = [df.drop(index=i).agree.pooled("a", "b", by="g")["estimate"].iloc[0] for i in part.index]
        n = len(part)
        total += (n - 1) / n * ((np.array(values) - np.mean(values)) ** 2).sum()
    assert row["se"] == pytest.approx(np.sqrt(total), rel=0.03)


# ---------------------------------------------------------------------------------------------------- clusters and gaps


def test_comparisons_allow_for_clusters() -> None:
    df = scores(60, 3, gaps=0).assign(doc=range(60))
    thrice = pd.concat([df] * 3, ignore_index=True)
    sets = ["ann", "bob"], ["ann", "cleo"]
    for method, close in {"analytic": 1e-9, "auto": 0.01}.items():
        once, naive = (frame.agree.compare(*sets, method=method, detail=True).iloc[0] for frame in (df, thrice))
        right = thrice.agree.compare(*sets, clusters="doc", method=method, detail=True).iloc[0]
        assert right["se"] == pytest.approx(once["se"], rel=close)
        assert naive["se"] == pytest.approx(once["se"] / np.sqrt(3), rel=0.02)
        assert right["df"] == pytest.approx(once["df"], rel=close)


def test_comparisons_on_common_items() -> None:
    df = scores(80, 3, gaps=0.3)
    both = df.dropna()
    sets = ["ann", "bob"], ["ann", "cleo"]
    common = df.agree.compare(*sets, common=True, detail=True)
    assert_frame_equal(common, both.agree.compare(*sets, categories=[1, 2, 3, 4], detail=True))
    assert_frame_equal(as_long(df).compare(*sets, common=True, detail=True), common)


def test_a_perfect_group_is_not_compared_as_if_it_were_certain() -> None:
    df = pd.DataFrame(
        {"a": [1, 2] * 3 + [1, 1, 2, 2, 1, 2], "b": [1, 2] * 3 + [1, 2, 2, 2, 1, 1], "g": [1] * 6 + [2] * 6}
    )
    row = df.agree.compare("a", "b", by="g", method="analytic", detail=True).iloc[0]
    assert np.isnan(row["p_value"])
    assert row["remarks"] == "no difference can be tested"
    assert df.agree.compare("a", "b", by="g")["p_value"].item() > 0.1


def test_without_an_interval_there_is_none() -> None:
    df = scores(40, 3).assign(g=["p", "q"] * 20)
    assert df.agree.compare(["ann", "bob"], ["ann", "cleo"], ci=None)["difference_low"].isna().all()
    pooled = df.agree.pooled("ann", "bob", by="g", ci=None, detail=True)
    assert pooled[["se", "ci_low", "ci_high"]].isna().all().all()
    assert pooled["ci_method"].tolist() == ["", ""]
    assert df.agree.compare("ann", "bob", by="g", ci=None)["p_value"].notna().all()
    for name in ("compare", "pooled"):
        grouped, given = getattr(df.groupby("g").agree, name), getattr(df.agree, name)
        assert_frame_equal(grouped("ann", "bob"), given("ann", "bob", by="g"))


# ------------------------------------------------------------------------------------ at the common value of estimates


def test_agreement_on_ten_items_is_no_certainty() -> None:
    rng = np.random.default_rng(1)
    ann = rng.integers(0, 2, 300)
    df = pd.DataFrame({"ann": ann, "bob": np.where(rng.random(300) < 0.8, ann, 1 - ann), "llm": ann.astype(float)})
    df.loc[10:, "llm"] = np.nan
    row = df.agree.compare(["ann", "bob"], ["ann", "llm"]).iloc[0]
    assert row["estimate_2"] == 1
    assert row["p_value"] > 0.1
    assert row["difference_low"] < 0 < row["difference_high"]


def crossed(n_items: int = 200) -> pd.DataFrame:
    """Eight coders of two camps on the same items, some of which are hard for everybody."""
    rng = np.random.default_rng(0)
    truth, hard = rng.integers(0, 3, n_items), rng.random(n_items) < 0.4
    labels = np.where(hard[:, None], rng.integers(0, 3, (n_items, 8)), truth[:, None])
    item, coder = np.indices(labels.shape).reshape(2, -1)
    return pd.DataFrame({"item": item, "who": coder, "camp": coder % 2, "label": labels.ravel()})


def test_groups_that_share_items_are_not_independent() -> None:
    """The standard errors of a bootstrap of the items, all labels of an item together."""
    df = crossed()
    door = df.agree.long(item="item", coder="who", label="label")
    found = door.compare(by="camp", metrics="alpha", detail=True).iloc[0]
    pooled = door.pooled(by="camp", metrics="alpha").iloc[0]
    wide, rng = df.pivot(index="item", columns="who", values="label"), np.random.default_rng(3)
    drawn = pd.concat([wide.iloc[rng.integers(0, 200, 200)] for _ in range(400)]).assign(run=np.repeat(range(400), 200))
    camps = [drawn.agree.alpha(*names, by="run", ci=None)["estimate"] for names in ([0, 2, 4, 6], [1, 3, 5, 7])]
    assert found["se"] == pytest.approx((camps[0] - camps[1]).std(), rel=0.1)
    assert pooled["se"] == pytest.approx(((camps[0] + camps[1]) / 2).std(), rel=0.1)
    apart = df.assign(item=df["item"] + 1000 * df["camp"]).agree.long(item="item", coder="who", label="label")
    assert apart.compare(by="camp", metrics="alpha", detail=True)["se"].item() > 2 * found["se"]
    assert apart.pooled(by="camp", metrics="alpha")["se"].iloc[0] < 0.8 * pooled["se"]
    with pytest.warns(AgreementWarning, match="The groups share items and no coders"):
        equality = door.test.groups(by="camp", metrics="alpha").loc["equality"]
    assert equality["statistic"] == pytest.approx((found["difference"] / found["se"]) ** 2, rel=0.1)


@pytest.mark.parametrize("n", [2, 12])
def test_the_pool_of_groups_that_share_all_items(n: int) -> None:
    """S of two camps: 1 minus twice the disagreement, so the standard error is that of a mean over n items."""
    rng = np.random.default_rng(2)
    labels = rng.integers(0, 2, (n, 4))
    labels[:2] = [[0, 0, 0, 1], [0, 1, 0, 1]]
    item, coder = np.indices(labels.shape).reshape(2, -1)
    df = pd.DataFrame({"item": item, "who": coder, "camp": coder // 2, "label": labels.ravel()})
    row = df.agree.long(item="item", coder="who", label="label").pooled(by="camp", metrics="s").iloc[0]
    each = 1 - (labels[:, 0] != labels[:, 1]) * 1.0 - (labels[:, 2] != labels[:, 3])
    assert row["estimate"] == pytest.approx(each.mean(), **EXACT)
    assert row["se"] == pytest.approx(each.std(ddof=1) / np.sqrt(n), **EXACT)
    limit = min(1.0, row["estimate"] + stdtrit(n - 1, 0.975) * row["se"])
    assert row["ci_high"] == pytest.approx(limit, **QUANTILE)


def test_clusters_that_cross_groups_are_not_independent() -> None:
    df = crossed()
    wide = df.pivot(index="item", columns="who", values="label").reset_index(drop=True)
    halves = pd.concat(
        [wide[[0, 2, 4, 6]].set_axis(list("abcd"), axis=1), wide[[1, 3, 5, 7]].set_axis(list("abcd"), axis=1)]
    )
    halves = halves.assign(camp=[0] * 200 + [1] * 200, doc=[*range(200)] * 2)
    crossing = halves.agree.compare(*"abcd", by="camp", metrics="alpha", clusters="doc", detail=True).iloc[0]
    door = df.agree.long(item="item", coder="who", label="label")
    shared = door.compare(by="camp", metrics="alpha", detail=True).iloc[0]
    assert crossing["se"] == pytest.approx(shared["se"], rel=0.01)


def test_groups_that_share_items_need_influence_values() -> None:
    door = crossed().agree.long(item="item", coder="who", label="label")
    for options in ({"metrics": "icc_1"}, {"metrics": "alpha", "method": "percentile", "n_resamples": 100}):
        with pytest.raises(InputError) as caught:
            door.compare(by="camp", **options)
        assert caught.value.problem.startswith("the groups share items, and only the influence of each item shows")
        assert str(caught.value.remedy).startswith("use a coefficient of labels and method='auto'")


def test_sampling_of_coders_is_refused_between_groups() -> None:
    df = scores(40, 3, gaps=0).assign(g=[0, 1] * 20)
    for method in (df.agree.compare, df.agree.test.groups):
        with pytest.raises(InputError, match="has no option 'sampling'"):
            method("ann", "bob", "cleo", by="g", sampling="both")


def test_limits_of_a_contrast_come_from_those_of_the_groups() -> None:
    """Zou (2007), with the quantile of the difference for both."""
    df = pandas_agreement.load_example()
    n = df.agree.kappa("ann", "bob", by="batch")["n_items"].iloc[:2]
    for ci in (0.95, 0.8):
        row = df.agree.compare("ann", "bob", by="batch", ci=ci, detail=True).iloc[0]
        levels = 2 * stdtr(n - 1, stdtrit(row["df"], (1 + ci) / 2)) - 1
        one, two = (
            df.agree.kappa("ann", "bob", by="batch", ci=level).iloc[place] for place, level in enumerate(levels)
        )
        below = np.hypot(one["estimate"] - one["ci_low"], two["ci_high"] - two["estimate"])
        above = np.hypot(one["ci_high"] - one["estimate"], two["estimate"] - two["ci_low"])
        assert row["difference_low"] == pytest.approx(row["difference"] - below)
        assert row["difference_high"] == pytest.approx(row["difference"] + above)
        assert 60 < row["df"] < 140
    assert df.agree.compare("ann", "bob", by="batch", method="analytic", detail=True)["df"].isna().all()


@pytest.mark.parametrize("options", [{}, {"weights": "quadratic"}], ids=str)
def test_a_difference_is_significant_if_and_only_if_its_interval_leaves_out_0(options: dict[str, str]) -> None:
    rng, runs, n = np.random.default_rng(12), 60, 25
    truth = rng.integers(0, 4, runs * n)
    coders = {"ann": 0.9, "bob": 0.8, "cleo": 0.4}
    df = pd.DataFrame(
        {name: np.where(rng.random(runs * n) < right, truth, 3 - truth) for name, right in coders.items()}
    )
    df["run"] = np.repeat(np.arange(runs), n)
    for ci in (0.8, 0.95, 0.99):
        found = df.agree.compare(["ann", "bob"], ["ann", "cleo"], by="run", ci=ci, **options)
        outside = (found["difference_low"] > 0) | (found["difference_high"] < 0)
        assert 0.1 < outside.mean() < 0.95
        assert ((found["p_value"] < 1 - ci) == outside).all()


def test_a_difference_of_weighted_kappas_of_an_independent_program() -> None:
    df = digits(a="0123301200", b="0133211200", c="0113311300")
    row = df.agree.compare(["a", "b"], ["a", "c"], weights="quadratic", detail=True).iloc[0]
    wanted = {"difference": -0.0083654007, "difference_low": -0.3228582915, "difference_high": 0.4539277584}
    wanted |= {"statistic": -0.0915059911, "df": 17.9734202951, "p_value": 0.9281027019}
    assert row[list(wanted)].to_dict() == pytest.approx(wanted, abs=1e-9)


def test_a_set_that_agrees_perfectly_is_compared_by_its_bound() -> None:
    df = digits(a="0101010101", b="0101010101", c="0101011110")
    row = df.agree.compare(["a", "b"], ["a", "c"], detail=True).iloc[0]
    t = abs(row["statistic"])
    bound = 2 * (1 - stdtr(row["df"], -t) ** (1 / 10))  # all items may disagree, and half of them do by chance
    level = 2 * stdtr(9, t) - 1
    other = df.agree.kappa("a", "c", ci=level).iloc[0]
    assert np.hypot(bound, other["ci_high"] - other["estimate"]) == pytest.approx(row["difference"])


def test_one_group_has_nothing_to_differ_from() -> None:
    df = scores(30, 2, gaps=0).assign(g="x")
    found = df.agree.test.groups("ann", "bob", by="g")
    assert found[["statistic", "df", "p_value"]].isna().all(axis=None)
    assert found["n_groups"].tolist() == [1, 1]
    two = scores(60, 2, gaps=0).assign(g=["x", "y"] * 30).agree.test.groups("ann", "bob", by="g")
    assert two.loc["equality", "df"] == 1
    assert two.loc["equality", "statistic"] == pytest.approx(two.loc["trend", "statistic"] ** 2)
    t, q = two.loc["trend", ["statistic", "df"]]
    assert 2 < q <= 60
    assert two.loc["trend", "p_value"] == pytest.approx(2 * stdtr(q, -abs(t)))


def test_degrees_of_freedom_of_a_variance() -> None:
    """2 V^2 / var(V), by the fourth moment; at most the number of items."""
    values = {"normal": [3.0, 1, -1, -3], "one large": [10.0, *[0.1] * 99], "equal": [1.0] * 20}
    found = {}
    for name, sample in values.items():
        x = np.array(sample)
        found[name] = float(effective_df(np.array([len(x), (x**2).sum(), (x**4).sum()])))
    x = np.array(values["normal"])
    assert found["normal"] == pytest.approx(min(4, 2 * 4 * 5**2 / ((x**4).mean() - 5**2)))
    large = np.array(values["one large"])
    assert found["one large"] == pytest.approx(2 * 100 * (large**2).mean() ** 2 / np.var(large**2))
    assert found["equal"] == 20


@pytest.mark.parametrize("clusters", [None, "item"])
def test_equality_and_trend_are_tested_by_f_and_t(clusters: str | None) -> None:
    df = scores(60, 3, gaps=0).assign(g=["x", "y", "z"] * 20, item=range(60))
    options = {} if clusters is None else {"clusters": clusters}
    found = df.agree.test.groups("ann", "bob", "cleo", by="g", metrics="pi", **options)
    q = found.loc["trend", "df"]
    assert 3 < q <= 60
    assert found.loc["equality", "p_value"] == pytest.approx(fdtrc(2, q, found.loc["equality", "statistic"] / 2))
    assert found.loc["trend", "p_value"] == pytest.approx(2 * stdtr(q, -abs(found.loc["trend", "statistic"])))
    same = df.agree.test.groups("ann", "bob", "cleo", by="g", metrics="pi")
    assert_frame_equal(found, same)
    twice = pd.concat([df, df]).agree.test.groups("ann", "bob", "cleo", by="g", metrics="pi", clusters="item")
    assert twice.loc["trend", "df"] == pytest.approx(q)


@pytest.mark.slow
def test_groups_with_a_rare_far_category_hold_the_size() -> None:
    """Linear weights, nine groups of 30 items: by chi-squared .16."""
    scenario = draw(9)
    p = p_values(scenario, grouped(scenario, 9, 250, 1.0, use=100), 9, "auto")["equality"]
    assert (p < 0.05).sum() / p.notna().sum() <= 0.07


def test_too_many_differences_are_refused_before_they_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pandas_agreement.breakdown.contrasts.MAX_CONTRASTS", 5)
    df = scores(60, 2, gaps=0).assign(batch=list("wxyz") * 15)
    with pytest.raises(InputError) as caught:
        df.agree.compare("ann", "bob", by="batch")
    assert str(caught.value) == (
        "4 groups have 6 differences, more than the maximum of 5. Test them together with test.groups, or keep the "
        "groups "
        "that you want to compare."
    )


def test_independent_groups_are_weighed_as_by_their_covariance() -> None:
    se = np.random.default_rng(0).uniform(0.5, 2, (5, 4))
    se[1, 2], se[2, 0], se[3], se[4, 1] = 0, np.nan, 0, 1e-9
    values = np.arange(20.0).reshape(5, 4)
    fast, slow = _weighing(se, None)(values), _weighing(se, np.eye(4))(values)
    np.testing.assert_allclose(fast, slow, rtol=1e-12)
    assert np.isnan(fast[2]).all()
    assert (fast[3] == 0).all()
    assert fast[0].tolist() == pytest.approx((values[0] / se[0] ** 2).tolist())


# ------------------------------------------------------------------------------------ estimates of a known distribution


ONE = Estimates(
    value=np.array([0.7, 0.4, np.nan, 0.5, 0.6]),
    n=np.array([30.0, 20, 10, 1, 25]),
    se=np.array([0.3, 0.4, 0.1, 0.1, 0.0]),
    df=np.array([29.0, 19, 9, 0, 24]),
)
FIRST, SECOND = np.array([0]), np.array([1])


def test_only_known_estimates_with_a_standard_error_and_two_items_are_tested() -> None:
    assert ONE.testable.tolist() == [True, True, False, False, False]


@pytest.mark.parametrize("r", [0.0, 0.5])
def test_differences_of_independent_and_of_correlated_estimates(r: float) -> None:
    found = differences(ONE, FIRST, SECOND, r, TAILS["two-sided"], 0.9)
    se = np.sqrt(0.25 - 2 * r * 0.12)
    assert found["difference"] == pytest.approx(0.3)
    assert found["se"] == pytest.approx(se)
    assert found["p_value"] == pytest.approx(2 * stdtr(19, -0.3 / se))
    width = stdtrit(19, 0.95) * se
    assert (found["difference_low"][0], found["difference_high"][0]) == pytest.approx((0.3 - width, 0.3 + width))


def test_an_estimate_minus_itself_has_no_standard_error() -> None:
    se = np.arange(1, 200) / 700  # squares and products of most of them round differently
    many = Estimates(np.full(199, 0.5), np.full(199, 30.0), se, np.full(199, 29.0))
    found = differences(many, np.arange(199), np.arange(199), 1 - 1e-16, TAILS["two-sided"], 0.95)
    assert (found["se"] == 0).all()
    close = differences(many, np.arange(199), np.arange(199), 1 - 1e-12, TAILS["two-sided"], 0.95)
    assert close["se"] == pytest.approx(se * np.sqrt(2e-12), rel=1e-3)
