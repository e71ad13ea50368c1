"""The scale of the labels in what advises: as the call says, or as the type of the labels suggests."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

from pandas_agreement.breakdown.diagnose import OPEN
from pandas_agreement.breakdown.scales import scale_of
from pandas_agreement.options import make_options

rng = np.random.default_rng(11)
VALUE = rng.normal(3, 1, 200)
SCORES = pd.DataFrame({name: VALUE + rng.normal(0, 0.6, 200) for name in "abcd"}).assign(a=lambda df: df["a"] + 0.6)
STARS = SCORES.round().clip(1, 5).astype(int)
ORDER = pd.CategoricalDtype([1, 2, 3, 4, 5], ordered=True)


def kind(df: pd.DataFrame, **given: Any) -> str:
    options = make_options(given, "summary", one_word=True)
    return scale_of(df.agree._read((), options), options).kind


@pytest.mark.parametrize(
    ("df", "given", "expected"),
    [
        (STARS, {}, "open"),
        (STARS.astype(float).where(STARS != 3), {}, "open"),  # whole numbers with gaps
        (STARS % 2, {}, "names"),  # two numbers are the same either way
        (STARS > 2, {}, "names"),
        (STARS.astype(str), {}, "names"),
        (STARS.astype("category"), {}, "names"),
        (STARS.astype(ORDER), {}, "order"),
        (STARS.astype("Int64"), {}, "open"),
        (STARS * 0.5, {}, "scores"),
        (SCORES, {}, "scores"),
        (STARS, {"categories": [1, 2, 3, 4, 5]}, "open"),
        (STARS.astype(str), {"categories": list("12345")}, "names"),
        (STARS, {"level": "nominal"}, "names"),
        (STARS, {"level": "ordinal"}, "order"),
        (STARS, {"level": "interval"}, "scores"),
        (STARS, {"weights": "linear"}, "order"),
        (STARS.astype(ORDER), {"level": "interval"}, "order"),  # by position
        (STARS.astype(ORDER), {"level": "nominal"}, "names"),
        (pd.DataFrame({"a": list("xyz"), "b": list("xyy")}), {"level": "masi"}, "sets"),
    ],
)
def test_the_scale_of_labels(df: pd.DataFrame, given: dict[str, Any], expected: str) -> None:
    assert kind(df, **given) == expected


def test_whole_numbers_are_shown_both_ways() -> None:
    found = STARS.agree.diagnose(detail=True)
    nominal, ordinal = (STARS.agree.alpha(level=level, ci=None)["estimate"].iloc[0] for level in ("nominal", "ordinal"))
    assert found.index[0] == OPEN
    assert found["evidence"].iloc[0] == (
        f"the labels are 5 whole numbers, 1 to 5: alpha is {nominal:.2f} if they are categories (nominal level), and "
        f"{ordinal:.2f} if they are steps of a scale (ordinal level)"
    )
    assert not found.index.str.contains("category").any()
    assert (STARS.agree.diagnose(level="nominal").index == "category nobody agrees on").any()
    assert OPEN not in STARS.agree.diagnose(level="nominal").index
    assert_frame_equal(STARS.agree.diagnose(level=None, detail=True), found)


def test_findings_hold_both_ways_while_the_scale_is_open() -> None:
    """Alpha of names is low, that of steps is not: nothing is said about low agreement."""
    truth = np.random.default_rng(0).integers(1, 6, 400)
    near = {
        name: np.clip(truth + np.random.default_rng(n).integers(-1, 2, 400), 1, 5) for n, name in enumerate("abc", 1)
    }
    df = pd.DataFrame(near)
    assert "low agreement" in df.agree.diagnose(level="nominal").index
    assert "low agreement" not in df.agree.diagnose(level="ordinal").index
    assert "low agreement" not in df.agree.diagnose().index
    df["c"] = np.random.default_rng(9).integers(1, 6, 400)
    assert df.agree.diagnose().loc["coder out of line", "about"] == "c"


def off(truth: np.ndarray, share: float, steps: int, seed: int) -> np.ndarray:
    """Labels on a scale of 1 to 5 that miss the truth by so many steps in a share of the items."""
    missed = np.random.default_rng(seed).random(len(truth)) < share
    return np.where(missed, np.clip(np.where(truth + steps > 5, truth - steps, truth + steps), 1, 5), truth)


@pytest.mark.parametrize(
    ("others", "dev", "steps", "nominal", "ordinal"),
    [(0.05, 0.2, 1, True, False), (0.25, 0.2, 3, False, True), (0.05, 0.5, 2, True, True)],
    ids=["often, but near", "seldom, but far", "often and far"],
)
def test_how_far_a_coder_is_out_of_line(others: float, dev: float, steps: int, nominal: bool, ordinal: bool) -> None:
    """An order counts the steps between labels, names do not; of whole numbers it has to hold both ways."""
    truth = np.random.default_rng(6).integers(1, 6, 600)
    df = pd.DataFrame(
        {"ann": off(truth, others, 1, 1), "bob": off(truth, others, 1, 2), "dev": off(truth, dev, steps, 3)}
    )
    for said, level in ((nominal, "nominal"), (ordinal, "ordinal"), (nominal and ordinal, None)):
        table = df.agree.diagnose(level=level).reset_index()
        assert table.loc[table["finding"] == "coder out of line", "about"].tolist() == ["dev"] * said


@pytest.mark.parametrize(("n", "said"), [(10, True), (9, False)])
def test_low_agreement_of_two_coders_needs_ten_items_with_two_scores(n: int, said: bool) -> None:
    up = np.arange(n) + 0.5
    df = pd.concat([pd.DataFrame({"a": up, "b": -up}), pd.DataFrame({"a": np.arange(5) + 0.25})], ignore_index=True)
    assert (df.agree.icc_a1()["ci_high"] < 0.5).all()
    assert ("low agreement" in df.agree.diagnose().index) == said


@pytest.mark.parametrize(("n", "said"), [(30, True), (120, False)])
def test_an_interval_of_scores_may_be_three_tenths_wide(n: int, said: bool) -> None:
    rng = np.random.default_rng(0)
    truth = rng.normal(size=n)
    df = pd.DataFrame({name: truth + rng.normal(0, 0.7, n) for name in "abc"})
    row = df.agree.icc_a1().iloc[0]
    assert (0.3 < row["ci_high"] - row["ci_low"] < 0.4) == said
    assert ("wide interval" in df.agree.diagnose().index) == said


def test_scores_get_findings_for_scores() -> None:
    found = SCORES.agree.diagnose(detail=True)
    assert found.index.tolist() == ["coder out of line", "coders differ in level"]
    assert found.loc["coder out of line", "about"] == "a"
    difference = SCORES["a"].mean() - SCORES[["b", "c", "d"]].to_numpy().mean()
    assert found.loc["coders differ in level", "evidence"] == (
        "the mean scores of the coders differ (F test, p < 0.001); 'a' is farthest from the others of the same items, "
        f"by {difference:+.3g}"
    )
    noise = pd.DataFrame(np.random.default_rng(3).normal(size=(60, 3)), columns=list("abc"))
    low = noise.agree.diagnose(detail=True).loc["low agreement", "evidence"]
    assert low.startswith("ICC(A,1) is ")
    assert low.endswith("below 0.667")


def test_thousand_scores_are_not_coded(monkeypatch: pytest.MonkeyPatch) -> None:
    """No category is made of a score."""
    monkeypatch.setattr("pandas_agreement.data.wide.encode", None)
    SCORES.agree.diagnose()
    SCORES.agree.by_coder(level="interval")


def test_the_report_asks_and_answers() -> None:
    def lead(df: pd.DataFrame, **options: Any) -> str:
        return df.agree.report(pictures=False, **options).to_markdown().partition("## In short")[2].strip()

    assert lead(STARS).startswith("**The labels are 5 whole numbers, 1 to 5: alpha is ")
    assert lead(STARS.astype(ORDER)).startswith("**Krippendorff's alpha (ordinal level) is ")
    assert lead(STARS, level="nominal").startswith("**Krippendorff's alpha is ")
    assert lead(SCORES).startswith("**ICC(A,1) is ")
    table = STARS.agree.by_coder(level="ordinal")["agreement"].min()
    assert f"{table:.3f}" in STARS.agree.report(pictures=False, level="ordinal").to_markdown()
