"""The pipeline from a frame to a result: pairs, empty data, coefficients named twice."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

from pandas_agreement import (
    AgreementWarning,
)
from pandas_agreement.core.scores import Scores
from pandas_agreement.results import schemas
from tests.data_sets import scores
from tests.helpers import reach


def test_pairs_without_a_common_item_are_there_and_undefined() -> None:
    df = pd.DataFrame({"a": ["x", None, "y"], "b": [None, "y", None], "c": ["x", "y", "x"]})
    with pytest.warns(AgreementWarning, match="no item with two labels"):
        result = df.agree.by_pair(categories=["x", "y"], metrics="observed")
    assert result.index.tolist() == [("a", "b"), ("a", "c"), ("b", "c")]
    assert result["n_items"].tolist() == [0, 2, 1]
    assert np.isnan(result["estimate"].iloc[0])


def test_the_same_coefficient_twice_is_one_row() -> None:
    assert scores(10, 2).agree.summary(metrics=["kappa", "cohen_kappa"]).index.tolist() == ["kappa"]


@pytest.mark.parametrize("frame", [scores(0, 2), scores(5, 2) * np.nan])
def test_nothing_at_all_breaks_no_method(frame: pd.DataFrame) -> None:
    import warnings

    df = frame.assign(g=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AgreementWarning)
        assert np.isnan(df.agree.pooled("ann", "bob", by="g")["estimate"].iloc[0])
        for name in ("by_coder", "margins", "by_category", "by_item", "diagnose", "bland_altman", "test.margins"):
            reach(df.agree, name)("ann", "bob", detail=True)
        for name in ("icc", "ccc", "kendall_w", "kappa", "by_pair", "test.chance"):
            reach(df.agree, name)("ann", "bob", detail=True)
        df.agree.compare(["ann", "bob"], ["bob", "ann"])
        df.agree.test.groups("ann", "bob", by="g")
        df.agree.confusion("ann", "bob")
        df.agree.disagreements("ann", "bob")


def test_an_empty_frame_has_no_groups() -> None:
    empty = pd.DataFrame({"ann": [], "bob": [], "batch": []}, dtype=object)
    assert empty.agree.summary("ann", "bob", by="batch").shape == (0, len(schemas.RESULT.shown))
    assert empty.agree.summary("ann", "bob", by="batch", detail=True).shape == (0, len(schemas.RESULT))


def test_pairs_in_both_orders_make_a_symmetric_matrix() -> None:
    df = scores(60, 4).assign(batch=["x", "y"] * 30)
    coders = ["ann", "bob", "cleo", "dev"]
    full = df.agree.by_pair(*coders, full=True, by="batch")
    assert len(full) == 24
    matrix = full.loc["y"]["estimate"].unstack()
    assert matrix.index.tolist() == coders
    assert (matrix.isna().to_numpy() == np.eye(4, dtype=bool)).all()
    assert np.allclose(matrix, matrix.T, equal_nan=True)
    half = df.agree.by_pair(*coders, by="batch")
    assert_frame_equal(full.loc[half.index], half)


def test_pairs_in_both_orders_with_a_coder_called_nan() -> None:
    full = scores(20, 3).set_axis([np.nan, "b", "c"], axis=1).agree.by_pair(full=True)
    assert list(map(str, full.index.get_level_values("coder_1"))) == ["nan", "nan", "b", "b", "c", "c"]
    assert list(map(str, full.index.get_level_values("coder_2"))) == ["b", "c", "nan", "c", "nan", "b"]


@pytest.mark.parametrize("given", [{}, {"by": "batch"}, {"frequency": "n"}, {"missing": "complete"}], ids=str)
@pytest.mark.parametrize("metric", ["ccc", "spearman", "icc_a1", "kendall_w", "cronbach_alpha"])
def test_pairs_of_scores_are_those_of_their_tables(
    monkeypatch: pytest.MonkeyPatch, metric: str, given: dict[str, Any]
) -> None:
    data = scores(80, 4, gaps=0.1).assign(batch=[0, 1] * 40, n=[0, 1, 2, 3] * 20)
    data["ann"] += data["bob"].notna() * 0.25
    coders = list(data.columns[:4])
    blocks = data.agree.by_pair(*coders, metrics=metric, **given)
    monkeypatch.setattr(Scores, "surely_paired", False)
    assert_frame_equal(blocks, data.agree.by_pair(*coders, metrics=metric, **given), rtol=1e-12)


@pytest.mark.filterwarnings("ignore:.*undefined")
def test_a_pair_of_scores_without_a_common_item_has_a_row() -> None:
    data = scores(20, 3, gaps=0)
    data.iloc[:10, 0], data.iloc[10:, 1] = np.nan, np.nan
    found = data.agree.by_pair(metrics="ccc", detail=True)
    assert found["n_items"].tolist() == [0, 10, 10]
