"""Coders as a sample: leaving out one at a time."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import pandas_agreement
from tests.data_sets import scores


def test_two_coders_are_no_sample() -> None:
    row = scores(40, 2).agree.kappa(sampling="both", detail=True).iloc[0]
    assert np.isnan(row["se"])
    assert "too few coders for se" in row["remarks"]
    with pytest.raises(pandas_agreement.InputError, match=r"^method='bca' resamples items\. With sampling= use "):
        scores(40, 3).agree.kappa(sampling="both", method="bca")


@pytest.mark.parametrize("method", ["analytic", "log", "score"])
def test_a_standard_error_of_rounding_errors_is_0(method: str) -> None:
    nan = np.nan
    df = pd.DataFrame({"a": [0, 0, 2], "b": [0, nan, 0], "c": [0, 0, nan]})
    row = df.agree.kappa(method=method, detail=True).iloc[0]
    assert row["se"] == 0
    assert "all items alike: se is 0" in row["remarks"]


@pytest.mark.parametrize("method", ["auto", "log", "jackknife"])
def test_perfect_agreement_of_items_and_coders_keeps_its_bound(method: str) -> None:
    labels = list("xyxyxzyx") * 3
    df = pd.DataFrame({"a": labels, "b": labels, "c": labels})
    row = df.agree.kappa(sampling="both", method=method, detail=True).iloc[0]
    assert "perfect: ci_low is a bound" in row["remarks"]
    assert -1 < row["ci_low"] < row["ci_high"] == 1


def test_a_jackknife_of_too_many_items_and_labels_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pandas_agreement.core.item_statistics.MAX_LEFT_OUT", 1e4)
    with pytest.raises(pandas_agreement.InputError) as caught:
        scores(40, 3).agree.kappa(method="jackknife")
    assert str(caught.value) == (
        "The jackknife leaves out each of 38 different items, and there are 4 different labels. Use method='analytic'."
    )
