"""Agreement by category: definitions, tests, several labels in a cell."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal, assert_series_equal

from pandas_agreement import AgreementWarning, InputError
from pandas_agreement.results import schemas
from tests import bruteforce
from tests.data_sets import CATEGORIES, as_long, rows_of, scores, sentences, to_counts


@pytest.mark.parametrize("metric", ["rate", "specific"])
@pytest.mark.parametrize("n_coders", [2, 4])
@pytest.mark.parametrize("missing", ["pairable", "complete"])
def test_rates_and_standard_errors_follow_the_definition(metric: str, n_coders: int, missing: str) -> None:
    df = scores(30, n_coders, gaps=0.25, seed=8)
    table = df.agree.by_category(metrics=[metric], missing=missing, categories=CATEGORIES)
    rows = rows_of(df)
    for category in CATEGORIES:
        row = table.loc[(category, metric)]

        def function(rows: Any, omega: Any = None, category: int = category) -> Any:
            return getattr(bruteforce, metric)(rows, category, missing=missing, omega=omega)

        assert row["estimate"] == pytest.approx(float(function(rows)))
        n, units = len(bruteforce.kept(rows, missing)), row["n_items"] if n_coders > 2 else None
        factor = 1.0 if units is None else units / (units - 1) * (n - 1) / n  # items that hold it are the sample
        assert row["se"] == pytest.approx(bruteforce.influence_se(function, rows, missing) * factor**0.5)
        logit = np.log(
            row[["ci_low", "estimate", "ci_high"]].astype(float)
            / (1 - row[["ci_low", "estimate", "ci_high"]].astype(float))
        )
        assert logit.iloc[1] - logit.iloc[0] == pytest.approx(logit.iloc[2] - logit.iloc[1])


def test_one_item_with_a_category_says_nothing_about_its_rate() -> None:
    df = pd.DataFrame({"a": list("xxxxy"), "b": list("xxxxy"), "c": list("xxxxx")})
    row = df.agree.by_category(detail=True).loc["y"]
    assert row["estimate"] == pytest.approx(1 / 3)
    assert np.isnan(row["se"])
    assert row[["ci_low", "ci_high"]].tolist() == [0, 1]
    assert row["remarks"].startswith("one item: no se")
    assert row["note"] == "no se+"


def test_a_rare_category_of_many_coders_has_the_degrees_of_freedom_of_its_items() -> None:
    from scipy.special import logit
    from scipy.stats import t

    df = pd.DataFrame({"a": list("x" * 20 + "yyx"), "b": list("x" * 20 + "yxy"), "c": list("x" * 20 + "yyy")})
    row = df.agree.by_category(metrics=["specific"]).loc[("y", "specific")]
    width = t.ppf(0.975, 3 - 1) * row["se"] / (row["estimate"] * (1 - row["estimate"]))
    assert logit(row["ci_high"]) - logit(row["estimate"]) == pytest.approx(width)


def test_a_dominant_category_has_the_p_value_of_the_rest() -> None:
    df = pd.DataFrame(np.random.default_rng(2).choice(["x", "y"], (200, 5), p=[0.95, 0.05]))
    p = df.agree.by_category(metrics=["rate"])["p_value"].droplevel("coefficient")
    assert p["x"] == pytest.approx(p["y"])


def test_the_schema_is_that_of_results_and_more() -> None:
    for metrics, levels in (("rate", ["category"]), (["rate"], ["category", "coefficient"])):
        table = scores(20).agree.by_category(metrics=metrics)
        assert list(table.columns) == list(schemas.CATEGORY.shown)
        assert table.index.names == levels
    of_rows = scores(20).agree.by_category(metrics=["rate"], detail=True)
    assert list(of_rows.columns) == list(schemas.CATEGORY)
    assert list(schemas.CATEGORY.detail) == [name for name in of_rows if name not in table]


def test_counts_of_labels_and_pairs() -> None:
    df = scores(40, 3)
    table = df.agree.by_category(detail=True)
    kept = df[df.notna().sum(axis=1) >= 2]
    assert table["n_labels"].tolist() == [int((kept == k).sum().sum()) for k in table.index]
    pairs = [(a, b) for a in range(3) for b in range(a + 1, 3)]
    both = [kept.iloc[:, [a, b]].dropna() for a, b in pairs]
    for category, share in table["pair_share"].items():
        either = sum(int((pair == category).any(axis=1).sum()) for pair in both)
        assert share == pytest.approx(either / sum(len(pair) for pair in both))


def test_kappa_is_the_mean_of_the_category_kappas() -> None:
    df = scores(80, 2, gaps=0)
    table = df.agree.by_category(metrics="kappa", detail=True)
    weight = 1 - table["expected"]
    assert np.average(table["estimate"], weights=weight) == pytest.approx(df.agree.kappa()["estimate"].iloc[0])


def test_the_parts_of_bias_add_up_and_are_variances() -> None:
    df = scores(80, 4)
    parts = df.agree.by_category(metrics=["bias"])["estimate"].droplevel("coefficient")
    assert parts.sum() == pytest.approx(df.agree.bias()["estimate"].iloc[0])
    shares = df.agree.margins()["share"].unstack("category")
    assert_series_equal(parts, shares.var(ddof=0) / 3, check_names=False)


@pytest.mark.parametrize("weights", ["linear", "quadratic"])
def test_weighted_bias_is_a_covariance(weights: str) -> None:
    df = scores(80, 4)
    shares = df.agree.margins()["share"].unstack("category").to_numpy()  # (C, K)
    values = np.array(CATEGORIES, float)
    distance = np.abs(values[:, None] - values) / 3
    distance = distance**2 if weights == "quadratic" else distance
    covariance = np.cov(shares.T, ddof=0)
    expected = -(distance * covariance).sum() / 3
    assert df.agree.bias(weights=weights)["estimate"].iloc[0] == pytest.approx(expected)
    if weights == "quadratic":  # twice the variance of the coders' means
        means = shares @ values / 3
        assert expected == pytest.approx(2 * means.var() / 3)


def test_conditional_kappa_is_about_the_first_coders_choices() -> None:
    df = scores(60, 2, gaps=0)
    table = df.agree.by_category("ann", "bob", metrics=["conditional_kappa"])["estimate"].droplevel(1)
    for category in CATEGORIES:
        chosen = df[df["ann"] == category]
        hit, chance = (chosen["bob"] == category).mean(), (df["bob"] == category).mean()
        assert table[category] == pytest.approx((hit - chance) / (1 - chance))
    fleiss = pd.DataFrame([[75, 1, 4], [5, 4, 1], [0, 0, 10]])
    se = fleiss.agree.crosstab().by_category(metrics=["conditional_kappa"])["se"]
    assert se.iloc[1] == pytest.approx(0.153885, abs=1e-6)
    with pytest.raises(InputError, match=r"^conditional_kappa needs two coders, and there are 3\. Name two\.$"):
        scores(10, 3).agree.by_category(metrics=["conditional_kappa"])


@pytest.mark.parametrize("n_coders", [2, 3])
def test_the_p_value_is_that_of_shuffled_labels(n_coders: int) -> None:
    df = scores(40, n_coders, 3, gaps=0, seed=2)
    rng = np.random.default_rng(0)
    shuffled = df.apply(lambda column: rng.permutation(column.to_numpy())).assign(ann=df["ann"])
    table = shuffled.agree.by_category(metrics=["rate"]).droplevel(1)

    def meetings(labels: np.ndarray, category: float) -> np.ndarray:
        """How often two coders chose the category for the same item; labels: (..., items, coders)."""
        chosen = (labels == category).sum(axis=-1)
        return (chosen * (chosen - 1) // 2).sum(axis=-1)

    labels = shuffled.to_numpy()
    for category, p in table["p_value"].items():
        seen = meetings(labels, category)
        draws = meetings(rng.permuted(np.tile(labels, (2000, 1, 1)), axis=1), category)
        simulated = np.mean(draws > seen) + np.mean(draws == seen) / 2
        assert p == pytest.approx(simulated, abs=0.05)


def test_p_values_are_adjusted_over_the_categories_of_a_group() -> None:
    df = scores(60, 3).assign(batch=["x", "y"] * 30)
    table = df.agree.by_category("ann", "bob", "cleo", by="batch", detail=True)
    for name, part in table.groupby("batch"):
        p = np.sort(part["p_value"].to_numpy())
        smallest = part["p_holm"].min()
        assert smallest == pytest.approx(min(1.0, p[0] * 4)), name
    counts = to_counts(df.drop(columns="batch"), CATEGORIES)
    assert counts.agree.counts().by_category()["p_value"].isna().all()


def test_few_expected_meetings_are_flagged() -> None:
    df = pd.DataFrame({"a": ["x"] * 3 + ["y"] * 37, "b": ["x"] * 2 + ["y"] * 38, "c": ["x"] * 4 + ["y"] * 36})
    found = df.agree.by_category(detail=True)
    assert found["remarks"].to_dict() == dict.fromkeys("xy", "p is approximate")
    assert found["note"].to_dict() == dict.fromkeys("xy", "rough p")
    assert (df.agree.by_category("a", "b")["note"] == "").all()  # two coders have an exact test


def test_a_category_nobody_chose_is_undefined_with_one_warning() -> None:
    df = pd.DataFrame({"a": ["x", "y"], "b": ["x", "x"]})
    with pytest.warns(AgreementWarning, match="2 of 6 estimates are undefined") as caught:
        table = df.agree.by_category(categories=["x", "y", "z"], metrics=["rate", "specific"], detail=True)
    assert len(caught) == 1
    assert table.loc[("z", "rate"), "remarks"] == "nobody chose this category"


def test_pairs_of_coders_who_saw_the_item_count_not_labels() -> None:
    rng = np.random.default_rng(5)
    labels = list("pqr")
    cells = [
        [[x for x in labels if rng.random() < 0.4] if rng.random() < 0.8 else None for _ in range(3)] for _ in range(30)
    ]
    df = pd.DataFrame(cells, columns=["a", "b", "c"], dtype=object)
    table = df.agree.by_category(multilabel=True)
    for label in labels:
        both = either = 0
        for row in cells:
            seen = [set(cell) for cell in row if cell is not None]
            for i, one in enumerate(seen):
                for two in seen[i + 1 :]:
                    both += label in one and label in two
                    either += label in one or label in two
        assert table.loc[label, "estimate"] == pytest.approx(both / either)
    texts = df.map(lambda cell: None if cell is None else " | ".join(cell))
    assert_frame_equal(texts.agree.by_category(sep="|"), df.agree.by_category(multilabel=True))
    long = as_long(texts.reset_index(drop=True))
    assert_frame_equal(long.by_category(sep="|"), df.agree.by_category(multilabel=True))


def test_sets_are_refused_where_they_mean_nothing() -> None:
    table = pd.crosstab([1, 2], [1, 1])
    with pytest.raises(InputError) as caught:
        table.agree.crosstab().by_category(sep="|")
    assert str(caught.value) == "Cells with several labels are for wide and long data, not for a crosstab."
    with pytest.raises(InputError, match=r"^sep='' must be the text between two labels of a cell, such as '\|'\.$"):
        pd.DataFrame({"a": ["x"], "b": ["x"]}).agree.by_category(sep="")


# ------------------------------------------------------------------------------------------------------------ clusters


def clustered_error(df: pd.DataFrame, category: int, n_coders: int) -> tuple[float, float]:
    """Specific agreement and its standard error from the definition: residuals are summed by document."""
    joint: dict[Any, float] = {}
    possible: dict[Any, float] = {}
    for row in df.to_dict("records"):
        labels = [row[name] for name in list(df)[:n_coders] if not np.isnan(row[name])]
        if len(labels) < 2:
            continue
        c = labels.count(category)
        joint[row["text"]] = joint.get(row["text"], 0) + c * (c - 1)
        possible[row["text"]] = possible.get(row["text"], 0) + c * (len(labels) - 1)
    p = sum(joint.values()) / sum(possible.values())
    holding = sum(1 for text in possible if possible[text] > 0)
    square = sum((joint[text] - p * possible[text]) ** 2 for text in joint)
    return p, float(np.sqrt(square * holding / (holding - 1))) / sum(possible.values())


@pytest.mark.parametrize("n_coders", [2, 4])
def test_clusters_are_summed_before_they_are_squared(n_coders: int) -> None:
    from scipy.special import logit
    from scipy.stats import t

    df = sentences(n_coders=n_coders)
    found = df.agree.by_category(metrics=["specific"], clusters="text").droplevel("coefficient")
    for category in (0, 1, 2):
        row = found.loc[category]
        p, se = clustered_error(df, category, n_coders)
        assert (row["estimate"], row["se"]) == pytest.approx((p, se))
        chosen = df[(df[list(df)[:n_coders]] == category).any(axis=1) & (df.notna().sum(axis=1) > 2)]
        width = t.ppf(0.975, chosen["text"].nunique() - 1) * se / (p * (1 - p))
        assert logit(row["ci_high"]) - logit(p) == pytest.approx(width)


def half(row: int) -> int:
    return row // 500


METRICS = ["rate", "specific", "kappa", "alpha", "conditional_kappa"]


def test_clusters_of_one_item_change_nothing() -> None:
    df = scores(60, 2, seed=3).assign(text=range(60))
    plain = df.agree.by_category("ann", "bob", metrics=METRICS, detail=True)
    found = df.agree.by_category(metrics=METRICS, clusters="text", detail=True)
    columns = ["estimate", "ci_low", "ci_high", "se", "n_items", "n_labels", "pair_share"]
    assert_frame_equal(found[columns], plain[columns])
    assert found[["p_value", "p_holm"]].isna().all().all()
    reason = "clusters: no p-value"
    assert found["remarks"].str.endswith(reason).all()


def test_a_category_of_one_cluster_has_no_standard_error() -> None:
    df = pd.DataFrame({"a": list("xxxxyy"), "b": list("xxxyyx"), "text": [0, 0, 1, 1, 2, 2]})
    df.loc[3, "b"] = "x"
    row = df.agree.by_category(clusters="text", detail=True).loc["y"]
    assert np.isnan(row["se"])
    assert row[["ci_low", "ci_high"]].tolist() == [0, 1]
    assert row["remarks"].startswith("one cluster: no se; clusters: no p-value")


@pytest.mark.parametrize("name", ["kappa", "alpha", "pi", "ac1", "s", "light_kappa", "bias", "observed"])
@pytest.mark.parametrize("missing", ["pairable", "all", "complete"])
@pytest.mark.parametrize("n_coders", [2, 3])
def test_categories_of_wide_and_of_long_data_are_the_same(name: str, missing: str, n_coders: int) -> None:
    df = scores(60, n_coders, gaps=0.3, seed=4).assign(batch=["x", "y", "z"] * 20)
    df.loc[df["batch"] == "z", "ann"] = 1.0  # other categories are undefined there
    coders = ["ann", "bob", "cleo"][:n_coders]
    options = {"metrics": name, "by": "batch", "missing": missing, "categories": [1, 2, 3, 4, 5], "detail": True}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AgreementWarning)
        wide = df.agree.by_category(*coders, **options)
        long = as_long(df, ("batch",)).by_category(*coders, **options)
    assert_frame_equal(wide, long, rtol=1e-9)
