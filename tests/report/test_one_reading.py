"""A report reads the frame once and makes each breakdown once: of all data together, and of the groups."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tests.counting import BREAKDOWNS, Count
from tests.data_sets import CODERS, to_counts
from tests.report.helpers import LABELS, likert, measurements

CATEGORIES = {"by_category": 1, "coders": 1, "usage_tests": 1, "measure_pairs": 1, "items": 1}
ONCE = Counter({"encode": 1, "measure": 1, **CATEGORIES})
WITH_GROUPS = ONCE + Counter(dict.fromkeys(["group_rows", "measure", "category_columns", "usage_tests"], 1))


def wide(example: pd.DataFrame, **options: Any) -> Any:
    return example.agree.report(*CODERS, pictures=False, **options)


def long(example: pd.DataFrame, **options: Any) -> Any:
    rows = example.melt(["item", "batch"], list(CODERS), var_name="who", value_name="tag")
    return rows.agree.long(item="item", coder="who", label="tag").report(pictures=False, **options)


@pytest.mark.parametrize("report", [wide, long])
def test_without_groups(example: pd.DataFrame, count: Count, report: Callable[..., Any]) -> None:
    assert count(report, example) == ONCE


@pytest.mark.parametrize("report", [wide, long])
def test_with_groups(example: pd.DataFrame, count: Count, report: Callable[..., Any]) -> None:
    assert count(report, example, by="batch") == WITH_GROUPS


@pytest.mark.parametrize("options", [{"missing": "complete"}, {"metrics": ["kappa"]}, {"ci": None}])
def test_other_options_read_once(example: pd.DataFrame, count: Count, options: dict[str, Any]) -> None:
    calls = count(wide, example, by="batch", **options)
    assert (calls["encode"], calls["group_rows"], calls["items"]) == (1, 1, 1)
    assert max(calls[name] for name in BREAKDOWNS) == 2


def test_leaving_out_coders_does_not_read_again(count: Count) -> None:
    calls = count(measurements().agree.report, pictures=False)
    assert calls["encode"] == 0  # scores are no categories
    assert calls["measure"] == 1
    assert count(likert().agree.report, weights="linear", pictures=False)["encode"] == 1


def test_scores_are_coded_if_a_coefficient_needs_categories(count: Count) -> None:
    assert count(measurements().agree.report, metrics=["icc_a1", "ac1"], pictures=False)["encode"] == 1


def test_counts_and_crosstabs_are_read_once(example: pd.DataFrame, count: Count) -> None:
    assert count(to_counts(example[list(CODERS)], LABELS).agree.counts().report, pictures=False)["encode"] == 1
    table = pd.crosstab(example["ann"], example["bob"])
    assert count(table.agree.crosstab().report, pictures=False)["encode"] == 1


@pytest.mark.slow
@pytest.mark.parametrize(("method", "options"), [("diagnose", {}), ("report", {"pictures": False})])
def test_memory_of_many_rows(method: str, options: dict[str, Any]) -> None:
    """Once 175 and 159 bytes a label at peak."""
    rng, n = np.random.default_rng(0), 200_000
    truth = rng.integers(0, 3, n)
    said = {name: np.where(rng.random(n) < 0.7, truth, rng.integers(0, 3, n)) for name in ("ann", "bob", "cleo")}
    df = pd.DataFrame({name: np.array(["x", "y", "z"], object)[codes] for name, codes in said.items()})
    tracemalloc.start()
    try:
        getattr(df.agree, method)(**options)
        assert tracemalloc.get_traced_memory()[1] < 100 * df.size
    finally:
        tracemalloc.stop()
