"""Items, coders, margins and confusion, against their definitions."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal, assert_series_equal

import pandas_agreement
from pandas_agreement.results import schemas
from tests.data_sets import rows_of, scores, to_counts, to_long

SCHEMAS = {"items": schemas.ITEMS, "coders": schemas.CODERS, "margins": schemas.MARGINS}


def long_door(df: pd.DataFrame, keys: tuple[str, ...] = ()) -> Any:
    return to_long(df, keys).agree.long(item="doc", coder="who", label="tag")


@pytest.mark.parametrize("name", SCHEMAS)
def test_columns_follow_the_schema(name: str) -> None:
    table = getattr(scores(30).agree, name)()
    assert list(table.columns) == list(SCHEMAS[name])
    for column, (dtype, _) in SCHEMAS[name].items():
        if dtype not in ("label", "str"):
            assert table[column].dtype == np.dtype(dtype), column


# ------------------------------------------------------------------------------------------------- items


def test_items_follow_their_definitions() -> None:
    df = scores(60, 4, gaps=0.3).set_index(pd.Index([f"t{i}" for i in range(60)], name="doc"))
    table = df.agree.items()
    assert table.index.equals(df.index)
    for name, row in zip(df.index, rows_of(df), strict=True):
        labels = [label for label in row if label is not None]
        counts = Counter(labels)
        found = table.loc[name]
        assert found["n_labels"] == len(labels)
        if not labels:
            assert pd.isna(found["majority"])
            continue
        top = max(counts.values())
        leaders = [label for label, n in counts.items() if n == top]
        assert found["share"] == top / len(labels)
        assert found["tie"] == (len(leaders) > 1)
        assert pd.isna(found["majority"]) if len(leaders) > 1 else found["majority"] == leaders[0]
        if len(labels) == 1:
            assert np.isnan(found["agreement"])
            continue
        pairs = [(a, b) for i, a in enumerate(labels) for b in labels[i + 1 :]]
        assert found["agreement"] == pytest.approx(np.mean([a == b for a, b in pairs]))
        entropy = -sum(n / len(labels) * math.log(n / len(labels)) for n in counts.values())
        assert found["entropy"] == pytest.approx(entropy / math.log(min(4, len(labels))))


@pytest.mark.parametrize("metric", ["alpha", "kappa", "pi", "ac1", "light_kappa"])
def test_influence_is_what_leaving_an_item_out_does(metric: str) -> None:
    df = scores(400, 3, gaps=0.1, seed=3)
    influence = df.agree.items(metric=metric)["influence"]
    counted = influence.dropna().index
    assert list(counted) == list(df.index[df.notna().sum(axis=1) >= 2])
    assert influence.sum() == pytest.approx(0, abs=1e-12)
    whole = getattr(df.agree, metric)(ci=None)["estimate"].iloc[0]
    for item in counted[:20]:
        without = getattr(df.drop(index=item).agree, metric)(ci=None)["estimate"].iloc[0]
        assert whole - without == pytest.approx(influence[item], abs=2e-5)


def test_items_have_the_standard_error_in_them() -> None:
    df = scores(100, 3)
    influence = df.agree.items(metric="kappa")["influence"].dropna()
    n = len(influence)
    se = math.sqrt((influence**2).sum() * n / (n - 1))
    assert se == pytest.approx(df.agree.kappa()["se"].iloc[0])


def test_items_are_the_same_in_every_way_in() -> None:
    df = scores(40, 3)
    df = df[df.notna().any(axis=1)]  # long data do not know of items that nobody labelled
    wide = df.agree.items()
    long = long_door(df).items()
    assert_frame_equal(long.rename_axis(None), wide)
    counts = to_counts(df, [1, 2, 3, 4]).agree.counts().items()
    assert_frame_equal(counts, wide)
    weighted = df.agree.items(metric="kappa", weights="linear")["agreement"]
    assert_series_equal(long_door(df).items(metric="pi", weights="linear")["agreement"].rename_axis(None), weighted)


def test_items_of_groups_keep_the_rows_that_have_no_group() -> None:
    df = scores(30, 3, gaps=0).assign(batch=["x", "y", None] * 10)
    with pytest.warns(pandas_agreement.AgreementWarning, match="10 of 30 rows have no group key"):
        table = df.agree.items("ann", "bob", "cleo", by="batch")
    assert table.index.equals(df.index)
    assert table["n_labels"].tolist() == [3, 3, 0] * 10
    part = df[df["batch"] == "y"][["ann", "bob", "cleo"]].agree.items()
    assert_frame_equal(table[df["batch"] == "y"], part, check_dtype=False)


def test_majority_of_a_categorical_is_one() -> None:
    df = pd.DataFrame({"ann": ["lo", "hi"], "bob": ["lo", "lo"]}).astype(pd.CategoricalDtype(["lo", "mid", "hi"], True))
    majority = df.agree.items()["majority"]
    assert majority.dtype == df["ann"].dtype
    assert majority.tolist()[0] == "lo"
    assert pd.isna(majority.tolist()[1])


def test_disagreements_are_the_frames_own_rows_worst_first() -> None:
    df = pandas_agreement.load_example()
    coders = ["ann", "bob", "cleo", "dev"]
    worst = df.agree.disagreements(*coders, n=30)
    assert list(worst.columns) == [*df.columns, *schemas.ITEMS]
    assert_frame_equal(worst[df.columns], df.loc[worst.index])
    assert worst["agreement"].is_monotonic_increasing
    first = worst[worst["agreement"] == 0]["n_labels"]
    assert first.is_monotonic_decreasing
    everything = df.agree.disagreements(*coders, n=10_000)
    assert len(everything) == (df.agree.items(*coders)["agreement"] < 1).sum()


def test_disagreements_of_long_data_keep_all_judgments_of_an_item() -> None:
    df = scores(40, 3)
    long = to_long(df).assign(seconds=7)
    worst = long.agree.long(item="doc", coder="who", label="tag").disagreements(n=3)
    assert list(worst.columns) == ["doc", "who", "tag", "seconds", *schemas.ITEMS]
    assert worst["doc"].nunique() == 3
    assert set(worst["doc"]) == set(df.agree.disagreements(n=3).index)


def test_a_column_that_clashes_is_refused() -> None:
    df = scores(10, 2).assign(share=1.0)
    with pytest.raises(pandas_agreement.InputError) as caught:
        df.agree.disagreements("ann", "bob")
    assert str(caught.value) == (
        "the frame has a column 'share', which disagreements adds; rename it: df.rename(columns={'share': 'share_'})"
    )


def test_a_crosstab_has_no_items() -> None:
    with pytest.raises(pandas_agreement.InputError, match=r"^a crosstab has no items; "):
        pd.crosstab([1, 2], [1, 1]).agree.crosstab().items()


# ------------------------------------------------------------------------------------------------- coders


def majority_kappa(df: pd.DataFrame, coder: str) -> float:
    """Against the majority of the others, ties split, by the definition."""
    labels = [1.0, 2.0, 3.0, 4.0]
    table = pd.DataFrame(0.0, index=labels, columns=labels)
    for _, row in df.iterrows():
        others = Counter(row.drop(coder).dropna())
        if pd.isna(row[coder]) or not others:
            continue
        leaders = [label for label, n in others.items() if n == max(others.values())]
        for label in leaders:
            table.loc[row[coder], label] += 1 / len(leaders)
    table = table / table.to_numpy().sum()
    expected = float(table.sum(axis=1) @ table.sum(axis=0))
    return float((np.trace(table) - expected) / (1 - expected))


@pytest.mark.parametrize("n_coders", [2, 3, 5])
def test_coders_follow_their_definitions(n_coders: int) -> None:
    df = scores(50, n_coders, gaps=0.3, seed=4)
    table = df.agree.coders()
    whole = df.agree.alpha(ci=None)["estimate"].iloc[0]
    kept = df[df.notna().sum(axis=1) >= 2]
    shares = {name: kept[name].value_counts(normalize=True) for name in df}
    mean = pd.concat(shares, axis=1).fillna(0).mean(axis=1)
    for name in df:
        row, others = table.loc[name], df.drop(columns=name)
        assert row["n_labels"] == df[name].count()
        both = df[df[name].notna() & others.notna().any(axis=1)]
        assert row["n_items"] == len(both)
        share = both.drop(columns=name).eq(both[name], axis=0).sum(axis=1) / both.drop(columns=name).notna().sum(axis=1)
        assert row["agreement"] == pytest.approx(share.mean())
        assert row["kappa_majority"] == pytest.approx(majority_kappa(df, name))
        every = df[name].value_counts(normalize=True)
        assert row["entropy"] == pytest.approx(float(-(every * np.log(every)).sum() / math.log(4)))
        own = shares[name]
        difference = own.reindex(mean.index, fill_value=0) - mean
        assert row["bias"] == pytest.approx(float((difference**2).sum()))
        assert row["favours_by"] == pytest.approx(difference.max())
        assert difference[row["favours"]] == pytest.approx(difference.max())  # several may share it
        if n_coders > 2:
            rest = others.agree.alpha(ci=None)["estimate"].iloc[0]
            assert row["alpha_without"] == pytest.approx(rest)
            assert row["alpha_change"] == pytest.approx(rest - whole)
        else:
            assert np.isnan(row["alpha_without"])


def test_coders_are_the_same_in_every_way_in_and_group_by_group() -> None:
    df = scores(120, 4).assign(batch=["x", "y", "z"] * 40)
    grouped = df.agree.coders(*df.columns[:4], by="batch")
    assert grouped.index.names == ["batch", "coder"]
    assert_frame_equal(long_door(df, ("batch",)).coders(by="batch"), grouped)
    part = df[df["batch"] == "y"].drop(columns="batch")
    assert_frame_equal(grouped.loc["y"], part.agree.coders(categories=[1, 2, 3, 4]))
    two = df[["ann", "bob"]].dropna()
    table = pd.crosstab(two["ann"], two["bob"])
    assert_frame_equal(table.agree.crosstab().coders(), two.agree.coders())


def test_the_bias_of_coders_adds_up_to_bias() -> None:
    df = scores(60, 4, gaps=0.4)
    table = df.agree.coders()
    assert table["bias"].sum() / 12 == pytest.approx(df.agree.bias(ci=None)["estimate"].iloc[0])
    assert table.loc["bob", "favours_by"] == pytest.approx(df.agree.margins().loc["bob", "difference"].max())


def test_a_coder_who_shares_nothing_says_so() -> None:
    df = pd.DataFrame({"ann": [1, 2, 1, None], "bob": [1, 2, 2, None], "cleo": [None, None, None, 1]})
    row = df.agree.coders().loc["cleo"]
    assert (row["n_labels"], row["n_items"]) == (1, 0)
    assert np.isnan(row["agreement"])
    assert row["note"] == "no item shared with another coder"


# ------------------------------------------------------------------------------------------------- margins, confusion


@pytest.mark.parametrize("n_coders", [2, 4])
def test_margins_are_where_bias_comes_from(n_coders: int) -> None:
    df = scores(80, n_coders).assign(batch=["x", "y"] * 40)
    coders = list(df.columns[:-1])
    margins = df.agree.margins(*coders, by="batch")
    bias = df.agree.bias(*coders, by="batch", ci=None)["estimate"].droplevel("coefficient")
    squares = (margins["difference"] ** 2).groupby("batch").sum() / (n_coders * (n_coders - 1))
    assert_series_equal(squares, bias, check_names=False)
    assert_frame_equal(long_door(df, ("batch",)).margins(by="batch"), margins)
    kept = df[(df["batch"] == "x") & (df[coders].notna().sum(axis=1) >= 2)]
    assert margins.loc[("x", "ann")]["n_labels"].tolist() == kept["ann"].value_counts().sort_index().tolist()


def test_confusion_of_two_is_the_crosstab_with_all_categories() -> None:
    df = scores(60, 3)
    expected = pd.crosstab(df["ann"], df["cleo"]).reindex(index=[1, 2, 3, 4], columns=[1, 2, 3, 4], fill_value=0)
    table = df.agree.confusion("ann", "cleo", categories=[1, 2, 3, 4])
    assert_frame_equal(table, expected, check_index_type=False, check_column_type=False)
    assert_frame_equal(long_door(df).confusion("ann", "cleo", categories=[1, 2, 3, 4]), table)
    assert_frame_equal(df.agree.confusion("cleo", "ann", categories=[1, 2, 3, 4]), table.T)


def test_confusion_of_several_is_the_first_against_the_rest() -> None:
    df = scores(60, 4)
    expected = df[["ann", "bob", "dev"]].agree.confusion("dev", categories=[1, 2, 3, 4])
    assert_frame_equal(df.agree.confusion("dev", "ann", "bob", categories=[1, 2, 3, 4]), expected)


def test_confusion_with_the_others_adds_up_all_pairs() -> None:
    df = scores(60, 4)
    others = [df.agree.confusion("cleo", name, categories=[1, 2, 3, 4]).to_numpy() for name in ("ann", "bob", "dev")]
    table = df.agree.confusion("cleo")
    assert (table.to_numpy() == sum(others)).all()
    assert (table.index.name, table.columns.name) == ("cleo", "others")
    by = df.assign(batch=["x", "y"] * 30)
    grouped = by.agree.confusion("cleo", by="batch")
    assert (grouped.loc["x"] + grouped.loc["y"]).equals(table)
    with pytest.raises(pandas_agreement.ColumnError, match=r"^no coder 'cleoo'; did you mean 'cleo'\?$"):
        df.agree.confusion("cleoo")


def test_many_categories_give_the_same_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    df = scores(60, 4)
    tables = [df.agree.items(), df.agree.coders(), df.agree.margins(), df.agree.confusion("ann")]
    monkeypatch.setattr("pandas_agreement.core.ratings.dense_is_small", lambda *sizes: False)
    again = [df.agree.items(), df.agree.coders(), df.agree.margins(), df.agree.confusion("ann")]
    for first, second in zip(tables, again, strict=True):
        assert_frame_equal(first, second)
