"""Items with the same labels as one: the numbers are those of the items."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import pytest

from pandas_agreement.core import contingency
from pandas_agreement.core.contingency import is_sparse
from pandas_agreement.core.ratings import WideRatings
from tests.data_sets import scores
from tests.helpers import same


def drawn(n_items: int, n_categories: int, n_coders: int, n_groups: int, weighted: bool = False) -> WideRatings:
    """Random labels with gaps."""
    rng = np.random.default_rng(n_items)
    codes = tuple(rng.integers(-1, n_categories, n_items).astype(np.int8) for _ in range(n_coders))
    group = rng.integers(0, n_groups, n_items) if n_groups > 1 else None
    weight = rng.integers(1, 4, n_items).astype(float) if weighted else None
    return WideRatings(n_coders, n_categories, n_groups, group, weight, codes)


def rows_of(ratings: Any) -> list[tuple[int, ...]]:
    """The group and the codes of each item."""
    return list(zip(ratings.item_group.tolist(), *(code.tolist() for code in ratings.codes), strict=True))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n_groups", [1, 7])
@pytest.mark.parametrize(("n_categories", "n_coders"), [(2, 1), (3, 2), (5, 3), (40, 3), (3, 6)])
def test_patterns_are_counted(n_categories: int, n_coders: int, n_groups: int, weighted: bool) -> None:
    ratings = drawn(300, n_categories, n_coders, n_groups, weighted)
    expected: Counter[tuple[int, ...]] = Counter()
    for row, weight in zip(rows_of(ratings), ratings.weights.tolist(), strict=True):
        expected[row] += weight
    found = contingency.distinct(ratings, coders=True)
    assert rows_of(found) == sorted(expected)
    assert found.weights.tolist() == [expected[row] for row in sorted(expected)]


def test_forty_categories_are_sorted_and_five_are_counted() -> None:
    assert [is_sparse(1, n_categories + 1, 300, 3) for n_categories in (5, 40)] == [False, True]


@pytest.mark.parametrize("n_groups", [1, 7])
def test_counts_are_merged_without_coders(n_groups: int) -> None:
    ratings = drawn(300, 3, 4, n_groups)
    counts = np.stack([sum((code == k).astype(int) for code in ratings.codes) for k in range(3)], 1).tolist()
    expected = Counter((int(group), *row) for group, row in zip(ratings.item_group, counts, strict=True))
    found = contingency.distinct(ratings, coders=False)
    rows = np.column_stack([found.item_group, found.counts.profiles(slice(None))]).astype(int).tolist()
    assert [tuple(row) for row in rows] == sorted(expected)
    assert found.weights.tolist() == [expected[row] for row in sorted(expected)]


@pytest.mark.parametrize("n_groups", [1, 7])
def test_each_item_has_its_pattern(n_groups: int) -> None:
    ratings = drawn(70_000, 3, 3, n_groups)  # more than a block
    merged, place = contingency.pattern_of_items(ratings)
    assert merged.n_items <= n_groups * 4**3
    rows = np.array(rows_of(merged))
    np.testing.assert_array_equal(rows[place], rows_of(ratings))


CALLS: dict[str, Any] = {
    "summary": {"detail": True},
    "summary of groups": {"detail": True, "by": "batch"},
    "summary with weights": {"detail": True, "metrics": ["kappa", "alpha", "ac2"], "weights": "linear"},
    "summary of complete items": {"detail": True, "missing": "complete", "by": "batch"},
    "summary of all": {"detail": True, "missing": "all"},
    "summary by jackknife": {"detail": True, "method": "jackknife"},
    "summary by resamples": {"detail": True, "method": "percentile", "n_resamples": 200, "rng": 1},
    "summary of clusters": {"detail": True, "clusters": "doc"},
    "summary of frequencies": {"detail": True, "frequency": "times"},
    "by_item": {"detail": True},
    "by_item of groups": {"detail": True, "by": "batch"},
    "by_item of frequencies": {"frequency": "times", "by": "batch"},
    "by_item with weights": {"weights": "linear", "metric": "kappa"},
}


@pytest.mark.filterwarnings("ignore:.* have no group key")
@pytest.mark.parametrize("dtype", ["float64", "category", "str"])
@pytest.mark.parametrize("call", CALLS)
def test_merged_items_give_the_numbers_of_the_items(call: str, dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    labels, rng = scores(900, 3, 3), np.random.default_rng(1)
    if dtype != "float64":
        labels = labels.replace({1.0: "a", 2.0: "b", 3.0: "c"}).astype(dtype).where(labels.notna())
    frame = labels.assign(
        batch=rng.choice(["x", "y", None], 900), doc=np.arange(900) // 3, times=rng.integers(0, 3, 900)
    )
    method, options = call.partition(" ")[0], CALLS[call]
    if "weights" in options and dtype != "float64":
        options = options | {"categories": ["a", "b", "c"]}

    def result() -> pd.DataFrame:
        return getattr(frame.agree, method)(*labels, **options)

    merged = result()
    monkeypatch.setattr(contingency, "MIN_ITEMS_PER_PATTERN", 1 << 40)
    same(merged, result())
