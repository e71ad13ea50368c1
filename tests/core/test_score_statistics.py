"""Interval alpha from the numbers themselves, beside the form with categories and beside the definition."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from pandas_agreement.core import item_statistics
from pandas_agreement.core.distances import Nominal
from pandas_agreement.core.item_statistics import squared_numbers, statistics_of
from pandas_agreement.core.scores import Scores
from pandas_agreement.data import Needs, read_wide

NUMBERS = ["estimate", "ci_low", "ci_high", "se", "observed", "expected", "n_items", "n_categories"]
CALLS: dict[str, dict[str, Any]] = {
    "score": {},
    "groups": {"by": "group"},
    "jackknife": {"method": "jackknife", "by": "group"},
    "frequency": {"frequency": "times", "by": "group"},
    "clusters": {"clusters": "cluster", "by": "group"},
    "complete": {"missing": "complete", "frequency": "times"},
    "coders": {"sampling": "both"},
}


def scores(offset: float = 0.0, unit: float = 1.0, step: float = 0.25, seed: int = 0) -> pd.DataFrame:
    """Three coders, some gaps and ties, an item on which all agree, and one with a single score."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(50, 10, 80)
    coders = {name: np.round((truth + rng.normal(0, 4, 80)) / step) * step for name in ("ann", "bob", "cleo")}
    frame = pd.DataFrame(coders).mask(rng.random((80, 3)) < 0.2)
    frame.loc[0], frame.loc[1] = 50.25, [np.nan, np.nan, 40.0]
    frame = frame * unit + offset
    more = {"group": rng.integers(0, 3, 80), "times": rng.integers(0, 4, 80), "cluster": rng.integers(0, 20, 80)}
    return frame.assign(**more)


def alpha(frame: pd.DataFrame, **options: Any) -> pd.DataFrame:
    return frame.agree.alpha("ann", "bob", "cleo", level="interval", detail=True, **options)


def coded(frame: pd.DataFrame) -> pd.DataFrame:
    """The same frame, of a dtype that is coded as categories."""
    return frame.astype(dict.fromkeys(["ann", "bob", "cleo"], object))


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(("offset", "unit"), [(0.0, 1.0), (2.0**30, 1.0), (0.0, 2.0**800)])
def test_numbers_give_what_their_categories_give(call: str, offset: float, unit: float) -> None:
    frame = scores(offset, unit)
    found, expected = alpha(frame, **CALLS[call]), alpha(coded(frame), **CALLS[call])
    pd.testing.assert_frame_equal(found[NUMBERS], expected[NUMBERS], rtol=1e-11, atol=1e-14)
    assert (found["n_categories"] == 0).all()


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_resamples_of_numbers(method: str) -> None:
    """The draws are those of the items, so that an item that occurs twice is drawn as two items."""
    frame, options = scores(), {"method": method, "rng": 1, "n_resamples": 2000}
    found, expected = alpha(frame, **options), alpha(coded(frame), **options)
    assert found["se"].iloc[0] == pytest.approx(expected["se"].iloc[0], rel=0.1)
    again = alpha(frame.assign(group=0), by="group", **{**options, "clusters": np.arange(80)})
    assert again["se"].iloc[0] == pytest.approx(found["se"].iloc[0], rel=0.1)


def test_items_on_which_all_agree_are_exactly_0() -> None:
    frame = pd.DataFrame({"ann": [0.1, 0.3, 1e9], "bob": [0.1, 0.3, 1e9], "cleo": [np.nan, 0.3, 1e9]})
    row = alpha(frame).iloc[0]
    assert (row["estimate"], row["observed"], row["se"]) == (1.0, 1.0, 0.0)
    assert row["remarks"] == "perfect: ci_low is a bound"


@pytest.mark.parametrize("labels", ["wide", "long"])
def test_whole_numbers_in_many_groups(monkeypatch: pytest.MonkeyPatch, labels: str) -> None:
    """Large tables of groups and categories are replaced by sums of the numbers; the categories are counted."""
    frame = (scores(step=1.0) * 4).assign(group=scores()["group"])

    def call() -> pd.DataFrame:
        if labels == "wide":
            return alpha(frame, by="group", frequency="times")
        long = frame.reset_index().melt(id_vars=["index", "group"], value_vars=["ann", "bob", "cleo"])
        return long.agree.long(item="index", coder="variable", label="value").alpha(
            level="interval", by="group", detail=True
        )

    expected = call()
    monkeypatch.setattr(item_statistics, "MIN_CATEGORIES", 2)
    monkeypatch.setattr(item_statistics, "MAX_TABLE", 2)
    found = call()
    notes = ["note", "remarks"]
    pd.testing.assert_frame_equal(found.drop(columns=notes), expected.drop(columns=notes), rtol=1e-11)
    assert (found["n_categories"] > 20).all()


def test_numbers_are_not_counted() -> None:
    reading = read_wide(scores(), ["ann", "bob", "cleo"], needs=Needs(scores="values"))
    assert isinstance(reading.ratings, Scores)
    assert len(reading.category_set) == 0
    whole = read_wide(scores(step=1.0).drop(index=0), ["ann", "bob", "cleo"], needs=Needs(scores="values"))
    assert not isinstance(whole.ratings, Scores)


def test_a_gap_in_complete_data_is_named() -> None:
    with pytest.raises(ValueError, match=r"\('ann': 1, 'cleo': 2\)"):
        alpha(pd.DataFrame({"ann": [0.5, None, 1], "bob": [0.5, 2, 1], "cleo": [None, None, 3]}), missing="raise")


@pytest.mark.parametrize("metric", ["kappa", "alpha"])
def test_undeclared_fractions_are_not_categories(metric: str) -> None:
    frame = scores(step=0.5)[["ann", "bob", "cleo"]]
    options = {"metrics": [metric], "weights": "quadratic", "detail": True}
    compared = frame.agree.summary(**options)
    assert compared["n_categories"].tolist() == [0]
    declared = frame.agree.summary(**options, categories=np.arange(0, 100, 0.25).tolist())
    assert declared["n_categories"].tolist() == [400]
    assert frame.round().agree.summary(**options)["n_categories"].iloc[0] > 20
    assert (
        frame.agree.summary(**options | {"weights": "nominal"})["n_categories"].iloc[0] > 20
    )  # taken for categories, as the note says


@pytest.mark.parametrize("step", [0.25, 1e-9])
def test_labels_are_counted_unless_some_of_them_all_differ(monkeypatch: pytest.MonkeyPatch, step: float) -> None:
    """The sum of squared numbers of equal labels, by looking at some labels first and by counting all."""
    columns = scores(step=step)[["ann", "bob", "cleo"]].to_numpy().T
    ratings = Scores.from_columns(columns[:, 2:])
    number = np.unique(ratings.value, return_counts=True)[1]
    counted = []
    monkeypatch.setattr(
        item_statistics, "squared_numbers", lambda *arguments: counted.append(arguments) or squared_numbers(*arguments)
    )
    for some, counts in {4000: True, 60: step == 0.25}.items():
        counted.clear()
        monkeypatch.setattr(item_statistics, "SOME_SCORES", some)
        found = statistics_of(ratings, Nominal(0, ""), "label").ties()
        assert found.tolist() == pytest.approx([(number**2).sum() / number.sum() ** 2], rel=1e-15)
        assert bool(counted) == counts


def test_scores_are_counted_by_owner_and_weight() -> None:
    value, owner = np.array([2.0, 2.0, 3.0, 2.0, 3.0, 3.0]), np.array([0, 0, 0, 2, 2, 2])
    assert squared_numbers(value, owner, None, 3).tolist() == [4 + 1, 0, 1 + 4]
    assert squared_numbers(value, owner, np.array([1.0, 2, 3, 4, 5, 6]), 3).tolist() == [9 + 9, 0, 16 + 121]
    assert squared_numbers(value, np.zeros(6, int), None, 1).tolist() == [9 + 9]
