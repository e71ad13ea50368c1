"""Agreement by category: definitions, tests, several labels a cell."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal, assert_series_equal

import pandas_agreement
from pandas_agreement import AgreementWarning, InputError
from pandas_agreement.data.cells import members, to_sets
from pandas_agreement.results import schemas
from tests import bruteforce
from tests.data_sets import rows_of, scores, to_counts, to_long

CATEGORIES = [1, 2, 3, 4]


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
        assert row["se"] == pytest.approx(bruteforce.influence_se(function, rows, missing))
        logit = np.log(
            row[["ci_low", "estimate", "ci_high"]].astype(float)
            / (1 - row[["ci_low", "estimate", "ci_high"]].astype(float))
        )
        assert logit.iloc[1] - logit.iloc[0] == pytest.approx(logit.iloc[2] - logit.iloc[1])


def test_the_schema_is_that_of_results_and_more() -> None:
    table = scores(20).agree.by_category()
    assert list(table.columns) == [*schemas.RESULT, *schemas.CATEGORY]
    assert table.index.names == ["category", "coefficient"]


def test_rate_and_specific_agreement_are_two_views_of_one_number() -> None:
    table = scores(60, 3).agree.by_category()["estimate"].unstack()
    assert_series_equal(table["rate"], table["specific"] / (2 - table["specific"]), check_names=False)


def test_counts_of_labels_and_pairs() -> None:
    df = scores(40, 3)
    table = df.agree.by_category(metrics=["rate"]).droplevel("coefficient")
    kept = df[df.notna().sum(axis=1) >= 2]
    assert table["n_labels"].tolist() == [int((kept == k).sum().sum()) for k in table.index]
    pairs = [(a, b) for a in range(3) for b in range(a + 1, 3)]
    both = [kept.iloc[:, [a, b]].dropna() for a, b in pairs]
    for category, share in table["pair_share"].items():
        either = sum(int((pair == category).any(axis=1).sum()) for pair in both)
        assert share == pytest.approx(either / sum(len(pair) for pair in both))


@pytest.mark.parametrize("metric", ["kappa", "pi", "alpha", "ac1", "s"])
def test_any_coefficient_is_taken_on_the_category_against_the_rest(metric: str) -> None:
    df = scores(60, 3).assign(batch=["x", "y"] * 30)
    coders = ["ann", "bob", "cleo"]
    table = df.agree.by_category(*coders, metrics=[metric], by="batch")
    for category in CATEGORIES:
        binary = (df[coders] == category).where(df[coders].notna()).astype("boolean").assign(batch=df["batch"])
        expected = getattr(binary.agree, metric)(*coders, by="batch")
        found = table.xs(category, level="category")
        columns = ["estimate", "ci_low", "ci_high", "se", "observed", "expected"]
        assert_frame_equal(found[columns], expected[columns])


def test_kappa_is_the_mean_of_the_category_kappas() -> None:
    df = scores(80, 2, gaps=0)
    table = df.agree.by_category(metrics=["kappa"])
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
    with pytest.raises(InputError, match=r"^conditional_kappa is about two coders, and there are 3; name two$"):
        scores(10, 3).agree.by_category(metrics=["conditional_kappa"])


@pytest.mark.parametrize("n_coders", [2, 3])
def test_the_p_value_is_that_of_shuffled_labels(n_coders: int) -> None:
    df = scores(40, n_coders, 3, gaps=0, seed=2)
    rng = np.random.default_rng(0)
    shuffled = df.apply(lambda column: rng.permutation(column.to_numpy())).assign(ann=df["ann"])
    table = shuffled.agree.by_category(metrics=["rate"]).droplevel(1)

    def meetings(frame: pd.DataFrame, category: float) -> int:
        chosen = (frame == category).sum(axis=1)
        return int((chosen * (chosen - 1) // 2).sum())

    for category, p in table["p_value"].items():
        seen = meetings(shuffled, category)
        draws = [meetings(shuffled.apply(lambda c: rng.permutation(c.to_numpy())), category) for _ in range(2000)]
        simulated = np.mean(np.array(draws) > seen) + np.mean(np.array(draws) == seen) / 2
        assert p == pytest.approx(simulated, abs=0.05)


def test_p_values_are_adjusted_over_the_categories_of_a_group() -> None:
    df = scores(60, 3).assign(batch=["x", "y"] * 30)
    table = df.agree.by_category("ann", "bob", "cleo", metrics=["rate"], by="batch")
    for name, part in table.groupby("batch"):
        p = np.sort(part["p_value"].to_numpy())
        smallest = part["p_holm"].min()
        assert smallest == pytest.approx(min(1.0, p[0] * 4)), name
    counts = to_counts(df.drop(columns="batch"), CATEGORIES)
    assert counts.agree.counts().by_category()["p_value"].isna().all()


def test_few_expected_meetings_are_flagged() -> None:
    df = pd.DataFrame({"a": ["x"] * 3 + ["y"] * 37, "b": ["x"] * 2 + ["y"] * 38, "c": ["x"] * 4 + ["y"] * 36})
    notes = df.agree.by_category(metrics=["rate"])["note"].droplevel(1)
    assert notes["x"] == "fewer than 5 joint choices to be expected by chance: p is approximate"
    assert notes["y"] == ""
    assert (df.agree.by_category("a", "b")["note"] == "").all()  # two coders have an exact test


def test_every_way_in_gives_the_same_table() -> None:
    df = scores(40, 2).assign(batch=["x", "y"] * 20)
    metrics = ["rate", "specific", "kappa", "conditional_kappa"]
    wide = df.agree.by_category("ann", "bob", metrics=metrics, by="batch")
    long = to_long(df, ("batch",)).agree.long(item="doc", coder="who", label="tag")
    assert_frame_equal(long.by_category("ann", "bob", metrics=metrics, by="batch"), wide)
    assert_frame_equal(df.groupby("batch").agree.by_category("ann", "bob", metrics=metrics), wide)
    whole = df.agree.by_category("ann", "bob", metrics=metrics)
    table = pd.crosstab(df["ann"], df["bob"]).agree.crosstab().by_category(metrics=metrics)
    assert_frame_equal(table, whole)


def test_a_category_nobody_chose_is_undefined_with_one_warning() -> None:
    df = pd.DataFrame({"a": ["x", "y"], "b": ["x", "x"]})
    with pytest.warns(AgreementWarning, match="2 of 6 estimates are undefined") as caught:
        table = df.agree.by_category(categories=["x", "y", "z"])
    assert len(caught) == 1
    assert table.loc[("z", "rate"), "note"] == "nobody chose this category"


# ---------------------------------------------------------------------------------------------- several labels a cell


def test_pairs_of_coders_who_saw_the_item_count_not_labels() -> None:
    rng = np.random.default_rng(5)
    labels = list("pqr")
    cells = [
        [[x for x in labels if rng.random() < 0.4] if rng.random() < 0.8 else None for _ in range(3)] for _ in range(30)
    ]
    df = pd.DataFrame(cells, columns=["a", "b", "c"], dtype=object)
    table = df.agree.by_category(multilabel=True)["estimate"].unstack()
    for label in labels:
        both = either = 0
        for row in cells:
            seen = [set(cell) for cell in row if cell is not None]
            for i, one in enumerate(seen):
                for two in seen[i + 1 :]:
                    both += label in one and label in two
                    either += label in one or label in two
        assert table.loc[label, "rate"] == pytest.approx(both / either)
    texts = df.map(lambda cell: None if cell is None else " | ".join(cell))
    assert_frame_equal(texts.agree.by_category(sep="|"), df.agree.by_category(multilabel=True))
    long = to_long(texts.reset_index(drop=True)).agree.long(item="doc", coder="who", label="tag")
    assert_frame_equal(long.by_category(sep="|"), df.agree.by_category(multilabel=True))


def test_one_label_a_cell_is_the_same_with_and_without_sets() -> None:
    df = scores(40, 3).map(lambda x: None if np.isnan(x) else f"c{x:.0f}")
    metrics = ["rate", "specific", "kappa"]
    assert_frame_equal(df.agree.by_category(metrics=metrics, multilabel=True), df.agree.by_category(metrics=metrics))


def test_sets_are_refused_where_they_mean_nothing() -> None:
    table = pd.crosstab([1, 2], [1, 1])
    with pytest.raises(InputError) as caught:
        table.agree.crosstab().by_category(sep="|")
    assert str(caught.value) == "cells with several labels are for wide and long data, not for a crosstab"
    with pytest.raises(InputError, match=r"^sep='' must be the text between two labels of a cell, such as '\|'$"):
        pd.DataFrame({"a": ["x"], "b": ["x"]}).agree.by_category(sep="")


def test_cells_become_sets() -> None:
    column = pd.Series([["a", "b"], {"b"}, ("c",), np.array(["a"]), "d", None, np.nan, []])
    sets = to_sets(column)
    assert sets.tolist()[:5] == [frozenset("ab"), frozenset("b"), frozenset("c"), frozenset("a"), frozenset("d")]
    assert sets.isna().tolist() == [False] * 5 + [True, True, False]
    labels, held = members([frozenset("ab"), frozenset()])
    assert (labels, held.tolist()) == (["a", "b"], [[True, True], [False, False]])


# ------------------------------------------------------------------------------------------------- homogeneity, indices


def test_tests_of_margins_are_those_of_each_table() -> None:
    from pandas_agreement.hypothesis_tests import margins as homogeneity

    df = scores(80, 3).assign(batch=["x", "y"] * 40)
    coders = ["ann", "bob", "cleo"]
    table = df.agree.homogeneity(*coders, by="batch")
    assert list(table.columns) == list(schemas.TESTS)
    assert table.index.names == ["batch", "coder_1", "coder_2", "test"]
    for batch in "xy":
        part = df[df["batch"] == batch]
        raw = []
        for first, second in (("ann", "bob"), ("ann", "cleo"), ("bob", "cleo")):
            counts = part.agree.confusion(first, second, categories=CATEGORIES).to_numpy()
            for name in ("stuart_maxwell", "bhapkar", "bowker"):
                found = table.loc[(batch, first, second, name)]
                expected = getattr(homogeneity, name)(counts)
                assert found["statistic"] == pytest.approx(float(expected.statistic))
                assert found["p_value"] == pytest.approx(float(expected.p_value))
                assert found["n_items"] == counts.sum()
            raw.append(table.loc[(batch, first, second, "bowker"), "p_value"])
        adjusted = table.xs(batch).xs("bowker", level="test")["p_holm"]
        assert adjusted.min() == pytest.approx(min(1, 3 * min(raw)))


def test_two_categories_get_mcnemar_and_cochran() -> None:
    df = scores(60, 3, 2, gaps=0.1)
    table = df.agree.homogeneity()
    assert table.index.get_level_values("test").tolist() == ["mcnemar"] * 3 + ["cochran_q"]
    complete = df.dropna()
    x = (complete == 2).to_numpy()
    totals, k = x.sum(0), x.shape[1]
    q = (k - 1) * (k * (totals**2).sum() - totals.sum() ** 2) / (k * x.sum() - (x.sum(1) ** 2).sum())
    row = table.loc[("(all)", "(all)", "cochran_q")]
    assert (row["statistic"], row["n_items"]) == (pytest.approx(q), len(complete))
    assert_frame_equal(to_long(df).agree.long(item="doc", coder="who", label="tag").homogeneity(), table)
    chosen = df.agree.homogeneity("ann", "bob", tests=["mcnemar_exact", "mcnemar_chi2", "mcnemar_corrected"])
    assert len(chosen) == 3


def test_a_test_for_two_categories_refuses_more() -> None:
    with pytest.raises(InputError) as caught:
        scores(20, 2).agree.homogeneity(tests="mcnemar")
    assert str(caught.value) == (
        "tests='mcnemar' is for two categories, and there are 4; use 'stuart_maxwell', 'bhapkar' or 'bowker'"
    )


def test_indices_are_those_of_each_pair() -> None:
    df = pd.DataFrame({"a": list("yyyyyyyynn"), "b": list("yyyyyynnyn"), "c": list("nyyyyyyyyn")})
    table = df.agree.indices()
    assert list(table.columns) == list(schemas.INDICES)
    for (first, second), row in table.iterrows():
        assert row["kappa"] == pytest.approx(df.agree.kappa(first, second)["estimate"].iloc[0])
        assert row["pabak"] == pytest.approx(df.agree.s(first, second)["estimate"].iloc[0])
        PI2, BI2 = row["prevalence_index"] ** 2, row["bias_index"] ** 2
        assert row["kappa"] == pytest.approx((row["pabak"] - PI2 + BI2) / (1 - PI2 + BI2))  # Byrt et al. (1993)
        assert row["kappa_min"] <= row["kappa"] <= row["kappa_max"]
    ordered = scores(40, 3).agree.indices(weights="quadratic")
    kappas = scores(40, 3).agree.pairwise(weights="quadratic")["estimate"].droplevel("coefficient")
    assert_series_equal(ordered["kappa"], kappas, check_names=False)
    assert (ordered["kappa_max"] >= ordered["kappa"]).all()


# ------------------------------------------------------------------------------------------------- pairs in both orders


def test_pairs_in_both_orders_make_a_symmetric_matrix() -> None:
    df = scores(60, 4).assign(batch=["x", "y"] * 30)
    coders = ["ann", "bob", "cleo", "dev"]
    full = df.agree.pairwise(*coders, full=True, by="batch")
    assert len(full) == 24
    matrix = full.loc["y"]["estimate"].droplevel("coefficient").unstack()
    assert matrix.index.tolist() == coders
    assert (matrix.isna().to_numpy() == np.eye(4, dtype=bool)).all()
    assert np.allclose(matrix, matrix.T, equal_nan=True)
    half = df.agree.pairwise(*coders, by="batch")
    assert_frame_equal(full.loc[half.index], half)


# ------------------------------------------------------------------------------------------------- diagnose


def found(df: pd.DataFrame, *coders: str, **options: Any) -> pd.DataFrame:
    table = df.agree.diagnose(*coders, **options)
    assert list(table.columns) == list(schemas.FINDINGS)
    assert (table["evidence"] != "").all()
    assert (table["advice"] != "").all()
    return table


def test_good_data_have_no_findings() -> None:
    rng = np.random.default_rng(0)
    truth = rng.choice(list("xyz"), 400)
    df = pd.DataFrame({name: np.where(rng.random(400) < 0.97, truth, rng.choice(list("xyz"), 400)) for name in "abc"})
    table = found(df)
    assert len(table) == 0
    assert table.index.name == "finding"


def test_the_paradox_is_explained() -> None:
    df = pd.DataFrame({"a": ["no"] * 92 + ["yes"] * 4 + ["no"] * 4, "b": ["no"] * 92 + ["no"] * 4 + ["yes"] * 4})
    table = found(df)
    assert table.loc["high agreement, low kappa", "evidence"] == (
        "observed agreement is 0.92 and kappa only -0.04, because 'no' is 96% of the labels; AC1 is 0.91"
    )
    assert table.loc["high agreement, low kappa", "value"] == pytest.approx(0.955, abs=0.01)


def test_the_example_project_is_seen_through() -> None:
    df = pandas_agreement.load_example()
    table = found(df, "ann", "bob", "cleo", "dev")
    assert table.loc["coder out of line", "about"] == "dev"
    assert table.loc["category nobody agrees on", "about"] == "complaint"
    assert sorted(table.loc["margins differ", "about"]) == ["ann and dev", "bob and dev", "cleo and dev"]
    grouped = found(df, "ann", "bob", "cleo", "dev", by="batch")
    low = grouped.xs("low agreement", level="finding").index.tolist()
    assert low == ["2026-w01", "2026-w02", "2026-w03"]


def test_labels_that_differ_by_spelling_are_found() -> None:
    df = pd.DataFrame({"a": ["yes", "no", "Yes ", "no"] * 5, "b": ["yes", "no", "yes", "no"] * 5})
    table = found(df)
    assert (
        table.loc["same label, spelt differently", "evidence"] == "'Yes ' and 'yes' differ by case, spaces or type only"
    )
    assert table.loc["label of one coder only", "evidence"] == "only 'a' ever says 'Yes ' (5 times)"


def test_numbers_and_digits_as_text_are_found() -> None:
    df = pd.DataFrame({"a": [1, 2, 1, 2, "1"], "b": [1, 2, 1, 2, 1]}, dtype=object)
    with pytest.warns(AgreementWarning, match="labels of different kinds"):
        table = df.agree.diagnose()
    assert table.loc["same label, spelt differently", "about"] == "1, '1'"


def test_a_coder_who_hardly_varies_is_found() -> None:
    rng = np.random.default_rng(1)
    truth = rng.choice(list("xy"), 100)
    df = pd.DataFrame({"a": truth, "b": truth, "spam": ["x"] * 99 + ["y"]})
    table = found(df)
    assert table.loc["coder who hardly varies", "about"] == "spam"
    assert table.loc["coder out of line", "about"] == "spam"


@pytest.mark.parametrize("by", [None, "half"])
def test_a_coder_who_never_varies(by: str | None) -> None:
    rng = np.random.default_rng(1)
    df = pd.DataFrame({name: rng.choice(list("xyz"), 100, p=[0.6, 0.3, 0.1]) for name in "ab"})
    df["spam"], df["half"] = "x", np.arange(100) % 2
    table = found(df, "a", "b", "spam", by=by).reset_index().query("finding == 'coder who hardly varies'")
    assert table["about"].tolist() == ["spam"] * (1 if by is None else 2)
    assert set(table["evidence"]) == {
        "the labels of 'spam' have an entropy of 0.00 (1: all categories alike), mostly 'x'"
    }
    assert not np.signbit(table["value"]).any()


def test_the_label_of_a_coder_who_hardly_varies_is_the_most_frequent_one() -> None:
    others = ["ok"] * 189 + ["bad"] * 11
    df = pd.DataFrame({"a": others, "b": others, "spam": ["odd"] * 10 + ["ok"] * 190})
    assert df.agree.coders().loc["spam", "favours"] == "odd"  # most above the mean coder
    table = found(df).loc[["coder who hardly varies"]].set_index("about")
    assert table.loc["spam", "evidence"] == (
        "the labels of 'spam' have an entropy of 0.18 (1: all categories alike), mostly 'ok'"
    )


def test_skewed_items_are_not_the_fault_of_the_coders() -> None:
    df = pd.DataFrame({"ann": ["ok"] * 488 + ["bad"] * 12, "gpt judge": ["ok"] * 486 + ["bad"] * 14})
    assert df.agree.coders().loc["gpt judge", "entropy"] < 0.2
    assert "coder who hardly varies" not in found(df).index


def test_an_empty_label_has_a_name() -> None:
    df = pd.DataFrame({"a": ["", "x", "", "x"] * 5, "b": ["x", "", "x", "x"] * 5})
    assert found(df).loc["category nobody agrees on", "about"].tolist() == ["''", "x"]


def test_labels_that_look_alike_are_told_apart() -> None:
    df = pd.DataFrame({"a": [1, "1", 2, 1] * 3, "b": ["1", 1, 2, 1] * 3}, dtype=object)
    with pytest.warns(AgreementWarning, match="labels of different kinds"):
        table = df.agree.diagnose()
    assert table.loc[["category no better than chance"], "about"].tolist() == ["1", "'1'"]


def test_what_cannot_be_told_from_chance() -> None:
    rng = np.random.default_rng(3)
    df = pd.DataFrame(rng.choice(list("xyz"), (40, 2)), columns=["a", "b"])
    evidence = found(df).loc[["category no better than chance"], "evidence"].tolist()
    assert evidence
    for text in evidence:
        assert re.fullmatch(
            r"how often coders meet on '[xyz]' cannot be told from chance \(p = [\d.]+ after Holm\)", text
        )


def test_once_is_not_one_times() -> None:
    df = pd.DataFrame({"a": ["x", "y"] * 20 + ["z"], "b": ["x", "y"] * 20 + ["x"]})
    assert found(df).loc["rare category", "evidence"] == "'z' was chosen once in all"


def test_few_and_single_labels_are_found() -> None:
    df = pd.DataFrame({"a": ["x", "y", "x", "y", "x", "x"], "b": ["x", "y", "y", None, None, None]})
    table = found(df)
    assert table.loc["many items with one label", "value"] == 0.5
    assert "wide interval" in table.index
    assert set(table.loc[["rare category"], "about"]) == {"x", "y"}


def test_undefined_groups_are_findings_and_no_warnings() -> None:
    df = pd.DataFrame({"a": ["x", "x", "y", "x"], "b": ["x", "x", "x", "y"], "g": [1, 1, 2, 2]})
    table = found(df, "a", "b", by="g")
    assert (
        table.xs(1, level="g").loc["undefined", "evidence"]
        == "alpha is undefined: no variation: only one category was used"
    )


def test_counts_are_diagnosed_without_coders() -> None:
    counts = pd.DataFrame({"x": [3, 0, 3, 1] * 5, "y": [0, 3, 0, 2] * 5})
    assert "coder out of line" not in counts.agree.counts().diagnose().index
