"""Tests of coders with partial credit and of scores: the gaps by their definition, and equality with nominal labels."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import pandas_agreement  # noqa: F401  (registers df.agree)
from pandas_agreement.breakdown.coder_tests import coder_tests, score_tests_of_coders
from pandas_agreement.breakdown.grouped_rows import GroupedRows
from pandas_agreement.core.distances import Nominal, Points
from pandas_agreement.data import Reading
from pandas_agreement.data.reading import scores_of
from pandas_agreement.options import Options


@pytest.fixture
def df() -> pd.DataFrame:
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 5, 40).astype(float)
    df = pd.DataFrame({name: np.clip(truth + rng.integers(-1, 2, 40), 0, 4) for name in ("ann", "bob", "cleo", "dev")})
    df.loc[:6, "dev"], df.loc[7:12, "ann"] = np.nan, np.nan
    return df


@pytest.fixture
def reading(df: pd.DataFrame) -> Reading:
    return df.agree._read((), Options())


def by_definition(df: pd.DataFrame, coder: str, distance: Callable[[float, float], float]) -> tuple[float, float]:
    """A coder's mean disagreement with the others, and the mean of these among themselves, over chance."""
    own, others = [], []
    for _, row in df.iterrows():
        rest = row.drop(coder).dropna()
        if pd.notna(row[coder]) and len(rest) > 1:
            own.append(np.mean([distance(row[coder], other) for other in rest]))
            others.append(np.mean([distance(a, b) for a, b in combinations(rest, 2)]))
    values = df.to_numpy()[df.notna().to_numpy()]
    chance = np.mean([[distance(a, b) for b in values] for a in values])
    return 1 - np.mean(own) / chance, 1 - np.mean(others) / chance


def squared(a: float, b: float) -> float:
    return (a - b) ** 2


def frame(found: GroupedRows) -> pd.DataFrame:
    return pd.DataFrame(found.columns).set_index("coder")


def check(found: pd.DataFrame, df: pd.DataFrame, distance: Callable[[float, float], float]) -> None:
    for coder, row in found.iterrows():
        agreement, others = by_definition(df, str(coder), distance)
        assert (row["agreement"], row["others"]) == pytest.approx((agreement, others))
        assert row["gap"] == pytest.approx(others - agreement)
        assert row["gap_low"] < row["gap"] < row["gap_high"]


def test_labels_that_are_equal_or_not(df: pd.DataFrame, reading: Reading) -> None:
    found = frame(coder_tests(reading, None, None))
    check(found, df, lambda a, b: float(a != b))
    pd.testing.assert_frame_equal(frame(coder_tests(reading, Nominal(5, "nominal"), None)), found)


def test_equal_items_count_as_one_and_ties_go_to_the_first_coder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of complete data only; bob and cleo are alike if each item has a twin with their labels swapped."""
    rng = np.random.default_rng(245)
    half = pd.DataFrame(rng.integers(0, 3, (60, 5)), columns=["bob", "cleo", "ann", "dev", "eve"])
    half["eve"] = half["dev"] = half["ann"]
    twins = half.set_axis(["cleo", "bob", "ann", "dev", "eve"], axis=1)[half.columns]
    reading = pd.concat([half, twins], ignore_index=True).agree._read((), Options())
    found = frame(coder_tests(reading, None, None))
    assert found.index[found["named"]].tolist() == ["bob", "cleo"]
    assert found["others"]["bob"] < found["others"]["cleo"]  # bob was named first
    monkeypatch.setattr("pandas_agreement.breakdown.coder_tests.distinct", lambda ratings, coders: ratings)
    pd.testing.assert_frame_equal(frame(coder_tests(reading, None, None)), found)


def test_squared_differences(df: pd.DataFrame, reading: Reading) -> None:
    found = frame(coder_tests(reading, Points(5, "interval", points=np.arange(5.0)[:, None]), None))
    check(found, df, squared)
    same = frame(score_tests_of_coders(reading, scores_of(reading, "test")))
    pd.testing.assert_frame_equal(same, found[same.columns])


def test_a_coder_is_named_whatever_the_number_of_others() -> None:
    """Two thousand coders, five on an item; one of them guesses."""
    rng = np.random.default_rng(5)
    item = np.repeat(np.arange(4000), 5)
    who = np.concatenate([rng.choice(2000, 5, replace=False) for _ in range(4000)])
    who[::100] = np.where((who.reshape(-1, 5) == 7).any(1)[::20], who[::100], 7)  # on 200 items
    truth = rng.integers(0, 4, 4000)[item]
    tag = np.where((rng.random(len(item)) < 0.9) & (who != 7), truth, rng.integers(0, 4, len(item)))
    long = pd.DataFrame({"item": item, "who": who, "tag": np.array(list("abcd"))[tag]}).drop_duplicates(["item", "who"])
    found = coder_tests(long.agree.long(item="item", coder="who", label="tag")._read((), Options()), None, None)
    assert found["coder"][found["named"]].tolist() == [7]
