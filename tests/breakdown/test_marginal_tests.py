"""Tests of margins and indices of pairs, against those of each table."""

from __future__ import annotations

import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

from pandas_agreement import (
    InputError,
)
from pandas_agreement.results import schemas
from tests.data_sets import CATEGORIES, as_long, scores


def test_a_key_that_clashes_with_a_level_is_refused_where_it_clashes() -> None:
    df = scores(40, 2).assign(test=["p", "q"] * 20)
    assert len(df.agree.kappa("ann", "bob", by="test")) == 2
    with pytest.raises(InputError) as caught:
        df.agree.test.margins("ann", "bob", by="test")
    assert str(caught.value) == (
        "A group key cannot be called 'test', as this result has that name. Rename it, for instance with "
        "df.rename(columns={'test': 'test_key'})."
    )


def test_tests_of_margins_are_those_of_each_table() -> None:
    from pandas_agreement.hypothesis_tests import margins as homogeneity

    df = scores(80, 3).assign(batch=["x", "y"] * 40)
    coders = ["ann", "bob", "cleo"]
    table = df.agree.test.margins(*coders, by="batch")
    assert list(table.columns) == list(schemas.TESTS.shown)
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
    table = df.agree.test.margins()
    assert table.index.get_level_values("test").tolist() == ["mcnemar"] * 3 + ["cochran_q"]
    complete = df.dropna()
    x = (complete == 2).to_numpy()
    totals, k = x.sum(0), x.shape[1]
    q = (k - 1) * (k * (totals**2).sum() - totals.sum() ** 2) / (k * x.sum() - (x.sum(1) ** 2).sum())
    row = table.loc[("(all)", "(all)", "cochran_q")]
    assert (row["statistic"], row["n_items"]) == (pytest.approx(q), len(complete))
    assert_frame_equal(as_long(df).test.margins(), table)
    chosen = df.agree.test.margins("ann", "bob", tests=["mcnemar_exact", "mcnemar_chi2", "mcnemar_corrected"])
    assert len(chosen) == 3


def test_a_test_for_two_categories_refuses_more() -> None:
    with pytest.raises(InputError) as caught:
        scores(20, 2).agree.test.margins(tests="mcnemar")
    assert str(caught.value) == (
        "tests='mcnemar' is for two categories, and there are 4. Use 'stuart_maxwell', 'bhapkar' or 'bowker'."
    )


def test_bhapkar_says_why_it_is_undefined() -> None:
    df = pd.DataFrame({"a": list("xxxxy"), "b": list("yyyyz")})
    found = df.agree.test.margins(tests=["bhapkar", "stuart_maxwell"], detail=True).droplevel(["coder_1", "coder_2"])
    assert found["remarks"].to_dict() == {
        "bhapkar": "all items differ in one direction: the variance of this test is 0",
        "stuart_maxwell": "",
    }
    assert found["note"].tolist() == ["no variation", ""]


def test_more_categories_than_a_table_can_hold_are_refused() -> None:
    df = pd.DataFrame({"ann": range(301), "bob": range(301)}).astype(str)
    assert df[:300].agree.test.margins()["p_value"].tolist() == [1.0] * 3
    with pytest.raises(InputError) as caught:
        df.agree.test.margins()
    assert str(caught.value) == (
        "Tests of label distributions allow at most 300 categories, and there are 301. Merge categories, or see "
        "by_category."
    )
    assert "margins differ" not in df.agree.diagnose().index.get_level_values("finding")


@pytest.mark.parametrize(
    ("pairs", "df"),
    [
        ([("a", "b"), ("b", "a"), ("c", "d"), ("c", "d"), ("e", "e")], 2),  # two parts that were never confused
        ([("a", "a"), ("b", "b"), ("c", "c")], 0),  # no confusion
        ([(f"k{i}", f"k{i + 1}") for i in range(40)] * 3 + [("k0", "k40")], 40),  # a long circle
        ([(f"k{i}", f"k{i + 1}") for i in range(250)] * 2 + [("k3", "k2")], 250),  # a long chain
    ],
    ids=["parts", "agreement", "circle", "chain"],
)
def test_degrees_of_freedom_are_those_of_connected_categories(pairs: list[tuple[str, str]], df: int) -> None:
    found = pd.DataFrame(pairs, columns=["ann", "bob"]).agree.test.margins(tests="stuart_maxwell")
    assert found["df"].item() == df
