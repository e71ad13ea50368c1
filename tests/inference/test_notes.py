"""Notes about what could not be computed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import pandas_agreement
from pandas_agreement import AgreementWarning


def test_a_standard_error_of_nothing_is_noted() -> None:
    df = pd.DataFrame({"a": ["x"] * 6, "b": ["y"] * 6})
    assert "all items alike" in df.agree.observed(detail=True)["remarks"].iloc[0]
    one = df.iloc[:1].agree.kappa(detail=True)["remarks"].iloc[0]
    assert one.startswith("one item or cluster: no se")


@pytest.mark.parametrize("method", ["auto", "jackknife"])
@pytest.mark.parametrize("name", ["alpha", "ac1"])
def test_coders_who_never_agree_have_the_numbers_of_their_counts(name: str, method: str) -> None:
    df = pd.DataFrame({"a": ["x"] * 6, "b": ["y"] * 6})
    counts = pd.DataFrame({"x": [1] * 6, "y": [1] * 6})
    options = {"method": method, "detail": True}
    found, expected = getattr(df.agree, name)(**options), getattr(counts.agree.counts(), name)(**options)
    assert found["remarks"].iloc[0] == "all items alike: se is 0"
    assert found["ci_low"].notna().all()
    pd.testing.assert_frame_equal(found, expected)


def test_groups_without_items_do_not_count_among_those_that_use_few_categories() -> None:
    df = pd.DataFrame({"a": [*"aabbccabcdef", "a"], "b": [*"aabbccabcdef", None]})
    df["g"] = [1, 1, 1, 1, 2, 2, *[3] * 6, 4]
    with pytest.warns(AgreementWarning, match="undefined"):
        notes = df.agree.s("a", "b", by="g", detail=True)["remarks"]
    assert notes.str.contains("uses few of all categories").tolist() == [True, True, False, False]


@pytest.mark.parametrize(("first", "said"), [("x", True), ("z", False)])
def test_a_category_of_fewer_than_five_labels_is_rare(first: str, said: bool) -> None:
    df = pd.DataFrame({"a": list("xy" * 20 + "zz"), "b": [first, *"y" + "xy" * 19 + "zz"]})
    remark = df.agree.kappa(method="analytic", detail=True)["remarks"].item()
    assert ("a category has < 5 labels" in remark) == said


def steps(n: int, far: bool = False) -> pd.DataFrame:
    """Seven steps; one label in six is a step off, and one far off, if asked for."""
    a = np.arange(n) % 7
    b = np.where(np.arange(n) % 6 == 0, np.abs(a - 1), a)
    b[3] = 6 if far and a[3] < 4 else b[3]
    return pd.DataFrame({"a": a, "b": b})


@pytest.mark.parametrize("n", [12, 30, 42, 48, 60, 84, 120, 300, 900])
def test_small_errors_are_noted_where_unseen_guesses_would_pass_the_lower_limit(n: int) -> None:
    row = steps(n).agree.kappa(weights="quadratic", categories=range(7), detail=True).iloc[0]
    unseen = -np.log(0.025) / n  # the part of guesses that a sample misses with a probability of .025
    assert ("small errors" in row["remarks"]) == (row["estimate"] - row["ci_low"] < unseen)


@pytest.mark.parametrize(
    ("df", "options", "noted"),
    [
        (steps(60), {"weights": "quadratic"}, True),
        (steps(60, far=True), {"weights": "quadratic"}, False),
        (steps(60), {}, False),
        (steps(60).assign(b=lambda df: df["a"]), {"weights": "quadratic"}, False),
        (steps(60), {"weights": "quadratic", "method": "analytic"}, False),
        (steps(60), {"weights": "quadratic", "ci": None}, False),
    ],
    ids=["steps", "a far error", "nominal", "perfect", "another method", "no interval"],
)
def test_small_errors_are_noted_for_score_intervals_of_weights(
    df: pd.DataFrame, options: dict[str, Any], noted: bool
) -> None:
    row = df.agree.kappa("a", "b", categories=range(7), detail=True, **options).iloc[0]
    assert ("small errors only: ci_low may be high" in row["remarks"]) == noted
    assert (row["note"].startswith("small errors")) == noted


def test_small_errors_are_noted_in_streams() -> None:
    df, options = steps(60), {"weights": "quadratic", "categories": range(7)}
    parts = (df.iloc[start : start + 20] for start in range(0, 60, 20))
    found = pandas_agreement.stream(parts, "a", "b", metrics="kappa", **options)
    pd.testing.assert_frame_equal(found, df.agree.kappa("a", "b", **options))
    assert found["note"].item() == "small errors"


def test_each_undefined_group_says_why() -> None:
    df = pd.DataFrame({"a": [*"xxx", None, *"xy"], "b": [*"xx", None, *"xxx"], "g": [1, 1, 2, 2, 3, 3]})
    with pytest.warns(AgreementWarning, match="3 of 6 estimates are undefined"):
        found = df.agree.summary("a", "b", by="g", metrics=["observed", "kappa"], detail=True)["remarks"]
    assert found.unstack("coefficient")["observed"].tolist()[:2] == [
        "perfect: ci_low is a bound",
        "no item with two labels",
    ]
    assert found.unstack("coefficient")["kappa"].tolist()[:2] == ["only one category used", "no item with two labels"]
