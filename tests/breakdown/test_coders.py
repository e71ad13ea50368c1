"""Coders and their margins, against their definitions."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from importlib import import_module

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal, assert_series_equal

from tests.data_sets import scores

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


def beyond_the_others(df: pd.DataFrame, coder: str) -> dict[float, float]:
    """How much more often a coder gives each label than the others of the same items, by the definition."""
    rows = [row for _, row in df.iterrows() if row[coder] == row[coder] and row.drop(coder).notna().any()]
    shares = {label: [(row.drop(coder).dropna() == label).mean() for row in rows] for label in (1.0, 2.0, 3.0, 4.0)}
    return {label: float(np.mean([row[coder] == label for row in rows]) - np.mean(x)) for label, x in shares.items()}


@pytest.mark.parametrize("n_coders", [2, 3, 5])
def test_coders_follow_their_definitions(n_coders: int) -> None:
    df = scores(50, n_coders, gaps=0.3, seed=4)
    table = df.agree.by_coder(detail=True)
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
        beyond = beyond_the_others(df, name)
        assert row["favours_by"] == pytest.approx(max(beyond.values()))
        assert beyond[row["favours"]] == pytest.approx(max(beyond.values()))  # several may share it
        assert math.isnan(row["difference"])  # names have no direction
        if n_coders > 2:
            rest = others.agree.alpha(ci=None)["estimate"].iloc[0]
            assert row["alpha_without"] == pytest.approx(rest)
            assert row["alpha_change"] == pytest.approx(rest - whole)
        else:
            assert np.isnan(row["alpha_without"])


def test_a_coder_who_shares_nothing_says_so() -> None:
    df = pd.DataFrame({"ann": [1, 2, 1, None], "bob": [1, 2, 2, None], "cleo": [None, None, None, 1]})
    row = df.agree.by_coder(detail=True).loc["cleo"]
    assert (row["n_labels"], row["n_items"]) == (1, 0)
    assert np.isnan(row["agreement"])
    assert row["remarks"] == "no item shared with another coder"
    assert row["note"] == "no pairs"


# --------------------------------------------------------------------------------------------- levels of measurement


def mid_ranks(df: pd.DataFrame) -> dict[float, float]:
    """Krippendorff's ranks of the labels of items with two or more."""
    totals = df[df.notna().sum(axis=1) >= 2].stack().dropna().value_counts().sort_index()
    return (totals.cumsum() - totals / 2).to_dict()


def distances(df: pd.DataFrame, level: str) -> Callable[[float, float], float]:
    ranks = mid_ranks(df)
    return {
        "ordinal": lambda a, b: (ranks[a] - ranks[b]) ** 2,
        "interval": lambda a, b: (a - b) ** 2,
        "linear": lambda a, b: abs(a - b),
        "ratio": lambda a, b: ((a - b) / (a + b)) ** 2,
    }[level]


@pytest.mark.parametrize("level", ["ordinal", "interval", "linear", "ratio"])
@pytest.mark.parametrize("n_coders", [2, 4])
def test_coders_on_a_scale(level: str, n_coders: int) -> None:
    """Agreement, alpha without a coder, and the difference from the others, by loops over the items."""
    df = scores(40, n_coders, gaps=0.3, seed=8)
    found, apart = df.agree.by_coder(level=level, detail=True), distances(df, level)
    labels = sorted(df[df.notna().sum(axis=1) >= 2].stack().dropna().unique())
    largest = 1.0 if level == "ratio" else max(apart(a, b) for a in labels for b in labels)
    for name in df:
        others = df.drop(columns=name)
        both = [(row[name], row.drop(name).dropna()) for _, row in df[df[name].notna()].iterrows()]
        both = [(own, rest) for own, rest in both if len(rest)]
        mean = np.mean([np.mean([apart(own, other) for other in rest]) for own, rest in both])
        assert found.loc[name, "agreement"] == pytest.approx(1 - mean / largest)
        assert found.loc[name, "difference"] == pytest.approx(np.mean([own - rest.mean() for own, rest in both]))
        if n_coders > 2:
            rest = others.agree.alpha(level=level, ci=None)["estimate"].iloc[0]
            whole = df.agree.alpha(level=level, ci=None)["estimate"].iloc[0]
            assert found.loc[name, "alpha_without"] == pytest.approx(rest)
            assert found.loc[name, "alpha_change"] == pytest.approx(rest - whole)


def test_scores_have_no_categories() -> None:
    """Squared differences of numbers: the same figures as by category, and none that need categories."""
    df = scores(40, 4, gaps=0.3, seed=8)
    found = df.agree.by_coder(level="interval", detail=True)
    coded = df.agree.by_coder(level="interval", categories=[1.0, 2.0, 3.0, 4.0], detail=True)
    same = ["n_labels", "n_items", "agreement", "alpha_without", "alpha_change", "difference", "note", "remarks"]
    assert_frame_equal(found[same], coded[same])
    assert found.drop(columns=same).isna().all(axis=None)
    assert_frame_equal(df.agree.by_coder(weights="quadratic", detail=True), found)
    large = (df * 1e200).agree.by_coder(level="interval", detail=True)
    assert_frame_equal(large.drop(columns="difference"), found.drop(columns="difference"))
    assert_series_equal(large["difference"], found["difference"] * 1e200)


def test_positions_of_ordered_labels() -> None:
    order = pd.CategoricalDtype(["low", "mid", "high"], ordered=True)
    df = pd.DataFrame({"ann": ["low", "mid", "high"], "bob": ["mid", "high", "high"]}, dtype=order)
    assert df.agree.by_coder(level="ordinal", detail=True)["difference"].tolist() == pytest.approx([-2 / 3, 2 / 3])
    assert df.agree.by_coder(detail=True)["difference"].isna().all()


def test_blocks_of_labels_and_equal_items_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    df = scores(60, 4, 3, seed=6).assign(batch=["x", "y", "z"] * 20)
    module = import_module("pandas_agreement.breakdown.coders")  # a function has the same name
    coders, options = ["ann", "bob", "cleo", "dev"], {"by": "batch", "detail": True}
    whole = df.agree.by_coder(coders, **options)
    monkeypatch.setattr(module, "LABELS_PER_BLOCK", 7)
    assert_frame_equal(df.agree.by_coder(coders, **options), whole, rtol=1e-12)
    monkeypatch.setattr(module, "distinct", lambda ratings, coders: ratings)
    assert_frame_equal(df.agree.by_coder(coders, **options), whole, rtol=1e-12)
