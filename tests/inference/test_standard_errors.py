"""Coders as a sample: leaving out one at a time."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import pandas_agreement
from tests.data_sets import as_long, scores
from tests.helpers import row_of


@pytest.mark.parametrize("name", ["kappa", "pi", "alpha", "ac1", "light_kappa"])
def test_coders_as_a_sample_are_left_out_one_at_a_time(name: str) -> None:
    df = scores(60, 5, gaps=0.1)
    categories = [1, 2, 3, 4]
    values = [row_of(df.drop(columns=c).agree, name, ci=None, categories=categories)["estimate"] for c in df]
    expected = np.sqrt(4 / 5 * ((np.array(values) - np.mean(values)) ** 2).sum())
    coders = row_of(df.agree, name, sampling="coders", detail=True)
    assert coders["se"] == pytest.approx(expected)
    assert coders["remarks"].startswith("ci for other coders")
    both, items = row_of(df.agree, name, sampling="both"), row_of(df.agree, name)
    assert both["se"] == pytest.approx(np.hypot(expected, items["se"]))
    assert both["ci_low"] < items["ci_low"]
    long = as_long(df)
    assert row_of(long, name, sampling="both")["se"] == pytest.approx(both["se"])


def test_two_coders_are_no_sample() -> None:
    row = scores(40, 2).agree.kappa(sampling="both", detail=True).iloc[0]
    assert np.isnan(row["se"])
    assert "too few coders for se" in row["remarks"]
    with pytest.raises(pandas_agreement.InputError, match=r"^method='bca' resamples items; with sampling= use "):
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
        "the jackknife leaves out each of 38 different items, and there are 4 different labels; use method='analytic'"
    )
