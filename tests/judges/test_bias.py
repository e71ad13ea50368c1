"""`bias`: judge minus humans, regressed on columns of the frame."""

from __future__ import annotations

import math
import warnings
from importlib import import_module
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from pandas_agreement import AgreementWarning, InputError
from pandas_agreement.errors import ColumnError
from tests.helpers import refuses, same

TWELVE = pd.DataFrame(
    {
        "gpt": [3, 4, 5, 3, 5, 4, 2, 5, 4, 1, 3, 2],
        "ann": [3, 4, 4, 3, 4, 3, 2, 4, 4, 2, 3, 3],
        "bob": [3, 3, 4, 3, 3, 4, 2, 5, 3, 1, 2, 2],
        "words": [10, 30, 60, 20, 80, 40, 15, 95, 55, 5, 25, 35],
        "family": list("aabbabccacbb"),
        "doc": [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5],
    }
)
HUMANS = ["ann", "bob"]
JUDGED = TWELVE.agree.judges("gpt", humans=HUMANS)


def design(frame: pd.DataFrame) -> np.ndarray:
    """Intercept, words, and the levels b and c of family."""
    b, c = (frame["family"] == "b", frame["family"] == "c")
    return np.column_stack([np.ones(len(frame)), frame["words"], b, c]).astype(float)


def least_squares(frame: pd.DataFrame) -> np.ndarray:
    y = frame["gpt"] - frame[HUMANS].mean(axis=1)
    return np.linalg.lstsq(design(frame), y, rcond=None)[0][1:]


def jackknife(frame: pd.DataFrame, units: Any) -> np.ndarray:
    """Square root of the squared changes of the coefficients without each unit in turn."""
    whole = least_squares(frame)
    return np.sqrt(sum((least_squares(frame[units != unit]) - whole) ** 2 for unit in set(units)))


def effective_number(frame: pd.DataFrame, units: Any) -> list[float]:
    """Of units on which each coefficient rests, from the squared weights of the items."""
    weights = np.linalg.pinv(design(frame))[1:] ** 2
    sums = [[row[units == unit].sum() for unit in set(units)] for row in weights]
    return [sum(row) ** 2 / sum(w * w for w in row) for row in sums]


def test_the_values_of_statsmodels() -> None:
    """OLS(y, X).fit(cov_type="HC3", use_t=True) of statsmodels 0.15.0; its degrees of freedom are n - 4."""
    found = JUDGED.bias("words", "family", detail=True).loc["gpt"]
    assert found.index.tolist() == [("words", "(per unit)"), ("family", "b"), ("family", "c")]
    assert found["estimate"].tolist() == pytest.approx([0.013843025, -0.217716554, -0.550016947], abs=5e-10)
    assert found["se"].tolist() == pytest.approx([0.007310819, 0.307773071, 0.437752144], abs=5e-10)
    assert found["reference"].tolist() == ["", "a", "a"]
    assert found["n_level"].tolist() == [12, 5, 3]
    assert set(found["n_items"]) == {12}


@pytest.mark.parametrize("clusters", [None, "doc"])
def test_standard_errors_are_the_jackknife(clusters: str | None) -> None:
    rng = np.random.default_rng(1)
    frame = pd.concat([TWELVE] * 5, ignore_index=True).assign(doc=np.arange(60) // 4)
    frame["gpt"] += rng.integers(-1, 2, 60)
    frame["words"] += rng.integers(0, 9, 60)
    units = frame["doc"].to_numpy() if clusters else np.arange(60)
    found = frame.agree.judges("gpt", humans=HUMANS).bias("words", "family", clusters=clusters, detail=True)
    assert found["estimate"].tolist() == pytest.approx(least_squares(frame).tolist())
    assert found["se"].tolist() == pytest.approx(jackknife(frame, units).tolist())
    number = [min(value, 14 if clusters else 56) for value in effective_number(frame, units)]
    assert found["df"].tolist() == pytest.approx(number)
    t = found["estimate"] / found["se"]
    assert found["statistic"].tolist() == pytest.approx(t.tolist())
    assert found["p_value"].tolist() == pytest.approx((2 * stats.t.sf(abs(t), found["df"])).tolist())
    width = stats.t.ppf(0.975, found["df"]) * found["se"]
    assert found["ci_low"].tolist() == pytest.approx((found["estimate"] - width).tolist())
    assert found["ci_high"].tolist() == pytest.approx((found["estimate"] + width).tolist())


def test_many_items_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = JUDGED.bias("words", "family", clusters="doc")
    monkeypatch.setattr(import_module("pandas_agreement.judges.bias"), "MAX_ENTRIES", 17)
    same(JUDGED.bias("words", "family", clusters="doc"), expected)


def test_holm_over_all_rows() -> None:
    frame = TWELVE.assign(claude=TWELVE["gpt"].iloc[::-1].to_numpy())
    found = frame.agree.judges("gpt", "claude", humans=HUMANS).bias("words", "family")
    p = np.sort(found["p_value"])
    holm = np.minimum(np.maximum.accumulate(p * np.arange(6, 0, -1)), 1)
    assert np.sort(found["p_holm"]) == pytest.approx(holm)


def test_two_categories_are_0_and_1() -> None:
    text = TWELVE.assign(**{name: np.where(TWELVE[name] > 3, "yes", "no") for name in ["gpt", *HUMANS]})
    numbers = TWELVE.assign(**{name: (TWELVE[name] > 3).astype(int) for name in ["gpt", *HUMANS]})
    truths = TWELVE.assign(**{name: TWELVE[name] > 3 for name in ["gpt", *HUMANS]})
    found, expected, of_truths = (
        frame.agree.judges("gpt", humans=HUMANS).bias("words", "family", detail=True)
        for frame in (text, numbers, truths)
    )
    same(found.drop(columns="category"), expected.drop(columns="category"))
    same(of_truths.drop(columns="category"), expected.drop(columns="category"))
    assert [set(one["category"]) for one in (found, expected, of_truths)] == [{"yes"}, {""}, {"True"}]
    turned = text.agree.judges("gpt", humans=HUMANS, categories=["yes", "no"]).bias("words", detail=True)
    assert turned["estimate"].iloc[0] == pytest.approx(
        -text.agree.judges("gpt", humans=HUMANS).bias("words")["estimate"].iloc[0]
    )
    assert set(turned["category"]) == {"no"}


def test_missing_labels_and_values() -> None:
    frame = TWELVE.astype({"ann": float, "gpt": float, "words": float})
    frame.loc[0, "ann"], frame.loc[1, HUMANS], frame.loc[2, "gpt"], frame.loc[3, "words"] = (
        np.nan,
        np.nan,
        np.nan,
        np.inf,
    )
    frame.loc[4, "family"] = None
    found = frame.agree.judges("gpt", humans=HUMANS).bias("words", "family", detail=True)
    kept = frame.drop(index=[1, 2, 3, 4])
    assert found["n_items"].tolist() == [8, 8, 8]
    assert found["estimate"].tolist() == pytest.approx(least_squares(kept).tolist())
    assert set(found["remarks"].str.partition("; ")[2]) <= {"", "2 items without a value in some column left out"}
    assert found["remarks"].str.contains("2 items without a value in some column left out").all()


def test_long_data_are_the_same() -> None:
    frame = TWELVE.assign(item=[f"d{i}" for i in range(12)])
    long = frame.melt(["item", "words", "family", "doc"], ["gpt", *HUMANS], "who", "tag").sample(frac=1, random_state=0)
    long.loc[long["who"] == "ann", "words"] = np.nan  # missing in some rows of an item
    judged = long.agree.long(item="item", coder="who", label="tag").judges("gpt", humans=HUMANS)
    for options in ({}, {"clusters": "doc"}):
        same(judged.bias("words", "family", **options), JUDGED.bias("words", "family", **options))
    long.loc[long["who"] == "gpt", "family"] = "z"
    with refuses(InputError, "The values in 'family' differ within an item. Give each item one value."):
        long.agree.long(item="item", coder="who", label="tag").judges("gpt", humans=HUMANS).bias("family")


def test_the_first_category_is_the_reference() -> None:
    kinds = pd.CategoricalDtype(["c", "b", "z", "a"])
    found = TWELVE.astype({"family": kinds}).agree.judges("gpt", humans=HUMANS).bias("family", detail=True)
    assert found.index.get_level_values("level").tolist() == ["b", "a"]
    assert set(found["reference"]) == {"c"}
    numbers = TWELVE.assign(family=TWELVE["family"].map({"a": 3, "b": 20, "c": 100}).astype("category"))
    found = numbers.agree.judges("gpt", humans=HUMANS).bias("family")
    assert found.index.get_level_values("level").tolist() == ["20", "100"]


def test_the_unit_of_a_number_is_nothing() -> None:
    """Time stamps in seconds: a thousandth of a second more, or its scale, changes no test."""
    found = JUDGED.bias("words")
    large = TWELVE.assign(words=TWELVE["words"] * 1e-3 + 1.7e9).agree.judges("gpt", humans=HUMANS).bias("words")
    assert large["estimate"].tolist() == pytest.approx((found["estimate"] * 1e3).tolist(), rel=1e-4)
    assert large["p_value"].tolist() == pytest.approx(found["p_value"].tolist(), rel=1e-4)


UNDEFINED: dict[str, tuple[Any, str]] = {
    "no variation": (TWELVE.assign(words=3), "all items have the same value"),
    "few items": (TWELVE[:2], "no more items than coefficients"),
    "undefined": (TWELVE.assign(more=TWELVE["words"] * 2), "the columns are collinear"),
    "no items": (TWELVE.assign(gpt=np.nan), "no item with a label of the judge, a human label and all columns"),
}


@pytest.mark.parametrize("code", UNDEFINED)
def test_undefined_coefficients(code: str) -> None:
    frame, reason = UNDEFINED[code]
    with pytest.warns(AgreementWarning, match=reason):
        found = frame.agree.judges("gpt", humans=HUMANS).bias(
            "words", *(["more"] if "more" in frame else []), detail=True
        )
    assert found["estimate"].isna().all()
    assert set(found["note"]) == {code}
    assert set(found["remarks"]) == {reason}


def test_a_level_of_one_item_or_cluster_has_no_standard_error() -> None:
    frame = TWELVE.assign(family=["z", *TWELVE["family"][1:]], kind=["x"] * 2 + ["y"] * 10)
    judged = frame.agree.judges("gpt", humans=HUMANS)
    found = judged.bias("family", detail=True).loc["gpt"].loc["family"]
    assert found["se"].isna().tolist() == [False, False, True]
    assert found.loc["z", "remarks"] == "it rests on one item or cluster: no se"
    of_clusters = judged.bias("kind", "words", clusters="doc", detail=True)
    assert of_clusters["se"].isna().tolist() == [True, False]
    rough = judged.bias("family", "words", clusters="doc", detail=True)
    told = rough["remarks"] == "it rests on fewer than 5 items or clusters: rough interval"
    assert told.tolist() == ((rough["se"] > 0) & (rough["df"] < 5)).tolist()
    assert told.any()


def test_a_copy_of_the_only_human_has_no_bias() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = TWELVE.agree.judges("ann", humans=["gpt"]).bias("words", ci=None, detail=True)
        copy = TWELVE.assign(gpt=TWELVE["ann"]).agree.judges("gpt", humans=["ann"]).bias("words", detail=True).iloc[0]
    assert found[["ci_low", "ci_high"]].isna().all(axis=None)
    assert (copy["estimate"], copy["se"]) == (0, 0)
    assert math.isnan(copy["p_value"])
    assert copy["remarks"] == "all items lie on the line: se is 0"


def test_judges_of_more_than_two_names() -> None:
    frame = TWELVE.assign(**{name: TWELVE[name].map("ABCDEF".__getitem__) for name in ["gpt", *HUMANS]})
    with refuses(
        InputError,
        "Bias is for judges of numbers or of two categories, and there are 5 labels: 'B', 'C', 'D', 'E', ... Compare "
        "one of them with the rest, as in (df == 'yes'), or give categories= and invalid='missing'.",
    ):
        frame.agree.judges("gpt", humans=HUMANS).bias("words")


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (
            (),
            "Bias needs the columns that may explain the difference between judge and humans, and none is named. Name "
            "them, as "
            "in bias('length', 'family').",
        ),
        (
            ("bob",),
            "'bob' is a judge or a human, and bias takes columns that describe the items. Name other columns.",
        ),
        (
            ("day",),
            "Column 'day' has dates or times, and bias needs numbers or categories. Convert it to a number, such as "
            "days.",
        ),
        (
            ("id",),
            "Column 'id' has 60 levels, and bias takes at most 50. Group them, or convert numbers in text.",
        ),
    ],
)
def test_wrong_columns(columns: tuple[str, ...], message: str) -> None:
    frame = pd.concat([TWELVE] * 5, ignore_index=True)
    frame = frame.assign(id=[f"d{i}" for i in range(60)], day=pd.Timestamp("2026-01-01"))
    with refuses(InputError, message):
        frame.agree.judges("gpt", humans=HUMANS).bias(*columns)


def test_a_column_that_does_not_exist() -> None:
    with pytest.raises(ColumnError, match=r"No column 'wrods'\. Did you mean 'words'"):
        JUDGED.bias("wrods")


def test_labels_outside_the_categories() -> None:
    frame = TWELVE.assign(**{name: np.where(TWELVE[name] > 3, "yes", "no") for name in ["gpt", *HUMANS]})
    frame.loc[:1, "gpt"] = "refused"
    found = frame.agree.judges("gpt", humans=HUMANS, invalid="missing").bias("words", detail=True)
    same(
        found.drop(columns=["note", "remarks"]),
        frame[2:].agree.judges("gpt", humans=HUMANS).bias("words", detail=True).drop(columns=["note", "remarks"]),
    )
    assert "2 labels that no human used left out" in found["remarks"].iloc[0]
    wrong = frame.agree.judges("gpt", humans=HUMANS, categories=["no", "yes"], invalid="wrong")
    with refuses(InputError, "invalid='wrong' gives labels outside the categories no number. Use invalid='missing'."):
        wrong.bias("words")
