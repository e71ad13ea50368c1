"""Notes about what could not be computed."""

from __future__ import annotations

import pandas as pd
import pytest

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
