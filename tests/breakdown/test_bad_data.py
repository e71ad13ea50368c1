"""Codes for a missing label, and values far from all others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from pandas_agreement.breakdown.bad_data import far_values, missing_codes, numbers_of
from tests.data_sets import LONG, to_long


@pytest.mark.parametrize(
    ("labels", "codes"),
    [
        (["yes", "no", "N/A"], ["N/A"]),
        (["yes", "no", " nan ", "-", "?", ""], [" nan ", "-", "?", ""]),
        (["yes", "no", "unknown"], []),  # a category
        ([1, 2, 3, "unknown"], ["unknown"]),
        (["1", "2", "3", "99", "don't know"], ["99", "don't know"]),
        (["yes", "no", "99"], ["99"]),
        (["yes", "no", "98"], []),
        ([1, 2, 3, 4, 5, 99], [99]),
        ([1, 2, 3, 4, 5, -99, 88, 99], [-99, 88, 99]),
        ([1, 2, 3, 4, 5, 9], [9]),  # as far from 5 as 1
        ([1, 2, 3, 4, 5, 6, 9], []),
        ([1, 2, 3, -1], [-1]),  # 2 from 1, as the range of the others
        ([0, 1, 2, 3, -1], []),
        ([-1, 0, 1], []),  # a scale
        ([-1, 1], []),
        ([8, 9], []),
        ([0, 1, 99], [99]),
        ([0, 99], [99]),
        (list(range(60, 100)), []),  # 77, 88 and 99 among others
        ([True, False], []),
        (["x", "y"], []),
        ([], []),
    ],
    ids=str,
)
def test_codes_for_missing_labels(labels: list[Any], codes: list[Any]) -> None:
    assert [labels[place] for place in missing_codes(labels)] == codes


@pytest.mark.parametrize(
    ("values", "far"),
    [
        ([1.5, 2.0, 3.0, 55.0], [55.0]),
        ([1.5, 2.0, 3.0, 7.4], []),
        ([-40.0, 1.5, 2.0, 3.0], [-40.0]),
        ([0.0, 1.0, 50.0], []),  # two other values are no range
        ([2.0, 2.5, 3.0, 99.0], []),  # a code
    ],
)
def test_values_far_from_all_others(values: list[float], far: list[float]) -> None:
    numbers = numbers_of(values)
    assert [values[place] for place in far_values(numbers, missing_codes(values))] == far


def coded(code: Any, missing: Any, n: int = 60) -> pd.DataFrame:
    """Two coders, of whom one or the other often has no label."""
    rng = np.random.default_rng(0)
    truth = rng.choice([1, 2, 3, 4], n)
    df = pd.DataFrame({"a": truth, "b": np.where(rng.random(n) < 0.7, truth, rng.choice([1, 2, 3, 4], n))})
    df = df.astype(object)
    df.loc[40:, ["a", "b"]] = code
    return df.where(df != code, missing)


def test_a_code_has_the_line_that_removes_it() -> None:
    df = coded(99, 99).astype(int)
    row = df.agree.diagnose(level="nominal", detail=True).loc["code for a missing label?"]
    alpha, without = (each.agree.alpha(ci=None)["estimate"].iloc[0] for each in (df, df.mask(df.isin([99]))))
    expected = f"99 stands on 40 labels; Krippendorff's alpha is {alpha:.3f}, and {without:.3f} without them"
    assert row["evidence"] == expected
    assert row["advice"] == (
        "if it stands for a missing label, leave it out before you measure: labels = labels.mask(labels.isin([99]))"
    )
    assert row[["about", "severity", "estimate"]].tolist() == ["99", "high", 40]
    labels = df
    labels = labels.mask(labels.isin([99]))
    assert "code for a missing label?" not in labels.agree.diagnose(level="nominal").index


@pytest.mark.parametrize("kind", ["wide", "long", "crosstab", "counts"])
def test_every_input_format_has_the_same_code(kind: str) -> None:
    df = coded(99, "n/a").astype(str)
    agree = {
        "wide": lambda: df.agree,
        "long": lambda: to_long(df).agree.long(**LONG),
        "crosstab": lambda: pd.crosstab(df["a"], df["b"]).agree.crosstab(),
        "counts": lambda: pd.DataFrame({k: (df == k).sum(axis=1) for k in np.unique(df)}).agree.counts(),
    }[kind]()
    expected = df.agree.diagnose(detail=True).loc["code for a missing label?", "evidence"]
    assert agree.diagnose(detail=True).loc["code for a missing label?", "evidence"] == expected


def test_scores_have_codes_and_far_values_too() -> None:
    rng = np.random.default_rng(1)
    value = rng.normal(10, 2, 50)
    df = pd.DataFrame({name: (value + rng.normal(0, 1, 50)).round(2) for name in "ab"})
    df.loc[:2, "a"], df.loc[5, "b"] = -999, 412.5
    found = df.agree.diagnose(detail=True)
    assert found.index[:2].tolist() == ["code for a missing label?", "value far from all others"]
    assert found["about"].iloc[:2].tolist() == ["-999", "412.5"]
    assert found["evidence"].iloc[1] == "412.5: farther from all other values than 3 times the range of these"


def test_sets_and_names_have_no_far_values() -> None:
    df = pd.DataFrame({"a": [1, 2, 3, 50] * 10, "b": [1, 2, 3, 50] * 10})
    assert "value far from all others" in df.agree.diagnose().index
    assert "value far from all others" not in df.agree.diagnose(level="nominal").index


def test_numbers_with_decimal_commas_are_found() -> None:
    marks = pd.DataFrame({"ann": ["1,5", "2", "2,5", "1,5", "3,0"], "bob": ["1,5", "2,5", "2,5", "2", "3,0"]})
    found = marks.agree.diagnose(detail=True).loc["decimal commas?"]
    assert found[["about", "estimate", "severity"]].tolist() == ["'1,5'", 3, "high"]
    assert found["evidence"] == "labels such as '1,5' are compared as text"
    assert found["advice"] == "read the file with decimal=',', on the command line with --decimal ,"
    for other in (marks.replace({"3,0": "none"}), marks.replace(",", ".", regex=True)):  # a label, and no comma
        assert "decimal commas?" not in other.agree.diagnose().index
