"""`categories="group"`: the number of categories is that of the group."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import pandas_agreement
from pandas_agreement import scales
from pandas_agreement.errors import AgreementWarning, InputError
from pandas_agreement.inference.notes import FEW_CATEGORIES
from tests.data_sets import LONG, scores, to_counts, to_long
from tests.helpers import loop_over, reach, refuses, same

DEPENDENT = ["ac1", "s", "perreault_leigh"]
FRAME = pd.concat([scores(30, seed=1), 10 * scores(40, n_categories=7, seed=2)], ignore_index=True)
FRAME["word"] = np.repeat(["add", "win"], [30, 40])
INPUTS: dict[str, Any] = {
    "wide": lambda frame: frame.agree,
    "long": lambda frame: to_long(frame, ("word",)).agree.long(**LONG),
    "counts": lambda frame: (
        to_counts(frame, [1, 2, 3, 4, *range(10, 80, 10)]).assign(word=frame["word"]).agree.counts()
    ),
}


def looped(frame: pd.DataFrame, call: str, *coders: str, **options: Any) -> pd.DataFrame:
    """The result of each group alone."""
    parts = {
        key: getattr(group.drop(columns="word").agree, call)(*coders, **options) for key, group in frame.groupby("word")
    }
    return loop_over(parts, "word")


@pytest.mark.parametrize("kind", INPUTS)
def test_each_group_has_the_numbers_of_the_group_alone(kind: str) -> None:
    found = INPUTS[kind](FRAME).summary(metrics=DEPENDENT, by="word", categories="group", detail=True)
    expected = looped(FRAME, "summary", metrics=DEPENDENT, detail=True)
    if kind == "counts":
        found["n_coders"] = expected["n_coders"]  # the most labels of an item
    same(found, expected)
    assert found["n_categories"].unstack().iloc[:, 0].tolist() == [4, 7]


@pytest.mark.parametrize("method", ["score", "analytic", "log", "jackknife"])
def test_intervals_are_those_of_the_group_alone(method: str) -> None:
    options = {"method": method, "metrics": ["ac1", "s"]}
    same(FRAME.agree.summary(by="word", categories="group", **options), looped(FRAME, "summary", **options))


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_resamples_use_the_categories_of_the_group(method: str) -> None:
    found = FRAME.agree.s(by="word", categories="group", method=method, n_resamples=400, rng=0)
    each = {  # the draws of a group depend on its key
        key: group.agree.s(by="word", method=method, n_resamples=400, rng=0) for key, group in FRAME.groupby("word")
    }
    same(found, pd.concat(each.values()))


def test_pairs_have_the_categories_of_their_group() -> None:
    found = FRAME.agree.by_pair(by="word", metric="s", categories="group")
    same(found, looped(FRAME, "by_pair", metric="s"))


def test_blocks_of_groups_have_their_own_categories(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = FRAME.agree.ac1(by="word", categories="group")
    monkeypatch.setattr(pandas_agreement.engine, "split_groups", lambda ratings: [np.array([1]), np.array([0])])
    same(FRAME.agree.ac1(by="word", categories="group"), whole)


def test_other_coefficients_stay_as_they_are() -> None:
    metrics = ["observed", "kappa", "pi", "alpha"]
    found = FRAME.agree.summary(metrics=metrics, by="word", categories="group", detail=True)
    shared = FRAME.agree.summary(metrics=metrics, by="word", detail=True)
    same(found.drop(columns="n_categories"), shared.drop(columns="n_categories"))
    assert found["n_categories"].tolist() == [4] * 4 + [7] * 4


@pytest.mark.parametrize("call", ["compare", "test.groups", "test.chance", "pooled"])
def test_methods_that_compare_use_them(call: str) -> None:
    keyword = {"metrics": ["s"]}
    method = reach(FRAME.agree, call)
    found = method(by="word", categories="group", **keyword)
    assert not found.equals(method(by="word", **keyword))


def test_pooled_sums_over_groups_with_their_own_categories() -> None:
    found = FRAME.agree.pooled(by="word", metric="s", categories="group")
    alone = FRAME.agree.s(by="word", categories="group")
    n, D_o, D_e = alone["n_items"], 1 - alone["observed"], 1 - alone["expected"]
    assert found["estimate"].iloc[0] == pytest.approx(1 - (n * D_o).sum() / (n * D_e).sum())
    assert found["estimate"].iloc[1] == pytest.approx(FRAME.drop(columns="word").agree.s()["estimate"].iloc[0])


@pytest.mark.parametrize("clusters", [None, "text"])
def test_a_category_against_the_rest_is_one_of_two(clusters: str | None) -> None:
    frame, coders = FRAME.assign(text=np.arange(len(FRAME)) // 2), FRAME.columns.drop("word")
    options = {"metrics": ["kappa", "s"], "by": "word", "clusters": clusters}
    with pytest.warns(AgreementWarning, match="11 of 44 estimates are undefined"):  # categories of the other group
        found = frame.agree.by_category(*coders, categories="group", **options)
    with pytest.warns(AgreementWarning, match="11 of 44 estimates are undefined"):
        same(found, frame.agree.by_category(*coders, **options))


def test_note_if_most_groups_use_few_of_the_categories() -> None:
    frame = pd.concat([FRAME, FRAME[FRAME["word"] == "add"].assign(word="more")], ignore_index=True)
    assert frame.agree.s(by="word", detail=True)["remarks"].tolist() == [FEW_CATEGORIES, FEW_CATEGORIES, ""]
    assert frame.agree.kappa(by="word")["note"].tolist() == ["", "", ""]
    assert frame.agree.s(by="word", categories="group")["note"].tolist() == ["", "", ""]
    declared = frame.agree.s(by="word", categories=[1, 2, 3, 4, *range(10, 80, 10)])
    assert declared["note"].tolist() == ["", "", ""]
    assert FRAME.agree.s(by="word")["note"].tolist() == ["", ""]  # only one of the two


SHARED = (
    "goes with categories that all groups share, and categories='group' takes those of each group. List the categories "
    "of all groups, as categories=[...]."
)
REFUSALS: dict[str, tuple[dict[str, Any], str]] = {
    "no groups": (
        {"by": None, "categories": "group"},
        "categories='group' takes the categories from each group, and there are no groups. Name the groups with by=",
    ),
    "name": ({"categories": "group", "weights": "linear"}, f"weights='linear' {SHARED}"),
    "scale": ({"categories": "group", "weights": scales.within(1)}, f"weights=within(1) {SHARED}"),
    "matrix": ({"categories": "group", "weights": np.eye(11)}, f"weights= of your own {SHARED}"),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_refusals(case: str) -> None:
    options, message = REFUSALS[case]
    frame = FRAME.drop(columns="word") if case == "no groups" else FRAME
    with refuses(InputError, message):
        frame.agree.s(**{"by": "word", **options})


def test_chunks_take_one_list_for_all_groups() -> None:
    message = "Stream takes one list of categories for all groups. List them, or compute the groups one at a time."
    with refuses(InputError, message):
        pandas_agreement.stream([FRAME], by="word", metrics=["s"], categories="group")


def test_ranks_of_each_group() -> None:
    found = FRAME.agree.alpha(by="word", level="ordinal", categories="group", detail=True)
    same(found.drop(columns="coefficient"), looped(FRAME, "alpha", level="ordinal", detail=True))
    assert found["n_categories"].tolist() == [4, 7]


def test_the_report_of_a_groupby_has_all_groups_together() -> None:
    found = FRAME.groupby("word").agree.report(pictures=False, categories="group").to_markdown()
    assert found == FRAME.agree.report(by="word", pictures=False, categories="group").to_markdown()
