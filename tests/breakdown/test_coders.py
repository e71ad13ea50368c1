"""Coders and their margins, against their definitions."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal, assert_series_equal

from tests.data_sets import as_long, scores

# --------------------------------------------------------------------------------------------------------------- coders


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
    assert_frame_equal(as_long(df, ("batch",)).coders(by="batch"), grouped)
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


# --------------------------------------------------------------------------------------------------- margins, confusion


@pytest.mark.parametrize("n_coders", [2, 4])
def test_margins_are_where_bias_comes_from(n_coders: int) -> None:
    df = scores(80, n_coders).assign(batch=["x", "y"] * 40)
    coders = list(df.columns[:-1])
    margins = df.agree.margins(*coders, by="batch")
    bias = df.agree.bias(*coders, by="batch", ci=None)["estimate"].droplevel("coefficient")
    squares = (margins["difference"] ** 2).groupby("batch").sum() / (n_coders * (n_coders - 1))
    assert_series_equal(squares, bias, check_names=False)
    assert_frame_equal(as_long(df, ("batch",)).margins(by="batch"), margins)
    kept = df[(df["batch"] == "x") & (df[coders].notna().sum(axis=1) >= 2)]
    assert margins.loc[("x", "ann")]["n_labels"].tolist() == kept["ann"].value_counts().sort_index().tolist()
