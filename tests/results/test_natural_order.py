"""The order of groups as people read them."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np
import pandas as pd
import pytest

from pandas_agreement.results.natural_order import listed_order, reading_places, reading_rank

BATCHES = ["batch_1", "batch_10", "batch_2"]
CASES: dict[str, tuple[Any, list[int], str]] = {
    "names": (BATCHES, [0, 2, 1], "by name, numbers in names by size"),
    "versions": (["v1.10", "v1.9", "v2"], [1, 0, 2], "by name, numbers in names by size"),
    "capital letters": (["B1", "a10", "a2"], [2, 1, 0], "by name, numbers in names by size"),
    "numbers alone": (["10", "9"], [1, 0], "by name, numbers in names by size"),
    "text that pandas stores": (pd.array(BATCHES, dtype="string"), [0, 2, 1], "by name, numbers in names by size"),
    "category": (pd.Categorical(BATCHES), [0, 2, 1], "by name, numbers in names by size"),
    "ordered": (pd.Categorical(BATCHES, BATCHES, ordered=True), [0, 1, 2], "as the categories are declared"),
    "own order": (
        pd.Categorical(["low", "mid", "high"], ["low", "mid", "high"]),
        [0, 1, 2],
        "as the categories are declared",
    ),
    "unused": (pd.Categorical(["mid", "high"], ["low", "mid", "high"]), [0, 1], "as the categories are declared"),
    "numbers": ([2, 10], [0, 1], "by size"),
    "dates": (pd.to_datetime(["2026-01-02", "2026-01-10"]), [0, 1], "by time"),
    "plain dates": ([datetime.date(2026, 1, 2), datetime.date(2026, 1, 10)], [0, 1], "by time"),
    "months": (pd.period_range("2026-09", periods=3, freq="M"), [0, 1, 2], "by time"),
    "another order": (["b2", "b10", "b1"], [0, 1, 2], "as the rows are"),
    "a missing key": ([*BATCHES, None], [0, 2, 1, 3], "by name, numbers in names by size"),
    "one": (["b"], [0], "by name, numbers in names by size"),
    "repeated": (["w10", "w10", "w2"], [1, 1, 0], "by name, numbers in names by size"),
}


@pytest.mark.parametrize("case", CASES)
def test_places(case: str) -> None:
    keys, places, how = CASES[case]
    found, words = reading_places(pd.Index(keys))
    assert found[0].tolist() == places
    assert words == [how]


def test_several_keys_are_sorted_one_after_another() -> None:
    keys = pd.MultiIndex.from_product([["s1", "s10", "s2"], ["w1", "w10", "w2"]])
    assert keys[np.argsort(reading_rank(keys))].tolist() == [
        (site, week) for site in ("s1", "s2", "s10") for week in ("w1", "w2", "w10")
    ]


def test_listed_order() -> None:
    assert listed_order([]) == ""
    assert listed_order(["a", "b", "c"]) == ": a, b, c"
    assert listed_order([("a", 1), pd.Timestamp("2026-01-02"), "c", "d"]) == ": a / 1, 2026-01-02, ..., d"


def rising(keys: list[str]) -> pd.DataFrame:
    """Agreement rises from the first key to the last."""
    rng = np.random.default_rng(0)
    parts = []
    for place, key in enumerate(keys):
        ann = rng.integers(0, 2, 60)
        bob = np.where(rng.random(60) < place / len(keys), ann, rng.integers(0, 2, 60))
        parts.append(pd.DataFrame({"ann": ann, "bob": bob, "batch": key}))
    return pd.concat(parts, ignore_index=True)


NAMES = [f"batch_{n}" for n in range(1, 13)]


def test_trend_is_over_the_order_of_reading() -> None:
    frame = rising(NAMES)
    found = frame.agree.test.groups(by="batch").loc["trend"]
    ordered = frame.assign(batch=pd.Categorical(frame["batch"], NAMES, ordered=True))
    assert found["statistic"] == pytest.approx(ordered.agree.test.groups(by="batch").loc["trend", "statistic"])
    numbered = frame.assign(batch=frame["batch"].str.slice(6).astype(int))
    assert found["statistic"] == pytest.approx(numbered.agree.test.groups(by="batch").loc["trend", "statistic"])
    assert frame.agree.test.groups(by="batch", detail=True).loc["trend", "null"] == (
        "no trend in the order of the groups: batch_1, batch_2, ..., batch_12"
    )
    assert found["statistic"] > 8


def test_ordered_categorical_overrides_it() -> None:
    frame = rising(NAMES)
    reverse = frame.assign(batch=pd.Categorical(frame["batch"], NAMES[::-1], ordered=True))
    found, other = (f.agree.test.groups(by="batch", detail=True) for f in (frame, reverse))
    assert other.loc["trend", "statistic"] == pytest.approx(-found.loc["trend", "statistic"])
    assert other.loc["trend", "null"].endswith("groups: batch_12, batch_11, ..., batch_1")


def test_groups_that_somebody_ordered_stay_in_that_order() -> None:
    frame = rising(NAMES[::-1])
    found = frame.groupby("batch", sort=False).agree.test.groups(detail=True)
    assert found.loc["trend", "null"].endswith("groups: batch_12, batch_11, ..., batch_1")
    assert found.loc["trend", "statistic"] > 8


def test_rows_of_results_keep_the_order_of_pandas() -> None:
    result = rising(NAMES).agree.kappa(by="batch")
    assert result.index.tolist() == sorted(NAMES)
