"""Repeated judgments of a coder: agreement with themselves, and all of them as one set."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pandas_agreement
from pandas_agreement import ColumnError, InputError, LabelTypeError
from tests.data_sets import LONG
from tests.helpers import part_of, refuses, same

RNG = np.random.default_rng(2)
JUDGMENTS = pd.DataFrame(
    {"doc": RNG.integers(0, 12, 90), "who": RNG.choice(["ann", "bob", "cleo"], 90), "tag": RNG.integers(1, 4, 90)}
)


def alpha_by_hand(frame: pd.DataFrame, squared: bool) -> float:
    """1 - D_o / D_e over the pairs of judgments of the same item by the same coder; chance from all of them."""
    parts = [part["tag"].tolist() for _, part in frame.groupby(["doc", "who"]) if len(part) > 1]
    labels = [label for part in parts for label in part]

    def apart(a: int, b: int) -> Fraction:
        return Fraction((a - b) ** 2 if squared else int(a != b))

    within = sum(sum(apart(a, b) for a, b in combinations(part, 2)) * 2 / Fraction(len(part) - 1) for part in parts)
    chance = sum(apart(a, b) for a, b in combinations(labels, 2)) * 2 / Fraction(len(labels) - 1)
    return float(1 - within / chance)


@pytest.mark.parametrize("level", ["nominal", "interval"])
def test_every_coder_and_all_of_them_by_hand(level: str) -> None:
    found = JUDGMENTS.agree.long(**LONG).retest(level=level)
    assert found.index.name == "coder"
    assert found.index.tolist() == ["ann", "bob", "cleo", "(all)"]
    for name, estimate in found["estimate"].items():
        part = JUDGMENTS if name == "(all)" else JUDGMENTS[JUDGMENTS["who"] == name]
        assert estimate == pytest.approx(alpha_by_hand(part, level == "interval"), abs=1e-12)


def test_the_interval_of_all_takes_an_item_as_one_cluster() -> None:
    found = part_of(JUDGMENTS.agree.long(**LONG).retest(detail=True), coder="(all)")
    joined = JUDGMENTS.assign(unit=JUDGMENTS["doc"].astype(str) + JUDGMENTS["who"])
    same(found, joined.agree.long(item="unit", label="tag").alpha(clusters="doc", detail=True))


def test_coders_fields_and_composite_items() -> None:
    frame = JUDGMENTS.assign(other=JUDGMENTS["tag"], part=JUDGMENTS["doc"] % 2, rest=JUDGMENTS["doc"] // 2)
    expected = frame.agree.long(**LONG).retest()
    same(frame.agree.long(item=["part", "rest"], coder="who", label="tag").retest(), expected)
    fields = frame.agree.long(item="doc", coder="who", label=["tag", "other"]).retest()
    same(fields.loc["other"], expected)
    some = frame.agree.long(**LONG).retest("bob", "ann")
    assert some.index.tolist() == ["ann", "bob", "(all)"]
    same(some.loc[["ann", "bob"]], expected.loc[["ann", "bob"]])
    same(frame.rename(columns={"who": "coder"}).agree.long(item="doc", coder="coder", label="tag").retest(), expected)


def test_what_cannot_be_retested_is_refused() -> None:
    with pytest.raises(InputError, match=r"^retest needs the coder of each label, which these data do not contain"):
        JUDGMENTS.agree.long(item="doc", label="tag").retest()
    with pytest.raises(ColumnError, match=r"^\"?No coder 'bo'\. Did you mean 'bob'"):
        JUDGMENTS.agree.long(**LONG).retest("bo")
    with refuses(InputError, "retest takes a dict of columns for wide data. Give the coders' names, or none for all."):
        JUDGMENTS.agree.long(**LONG).retest({"ann": ["ann_1", "ann_2"]})


def test_groups_are_the_loop_over_them() -> None:
    frame = JUDGMENTS.assign(doc=JUDGMENTS["doc"] % 2, batch=np.where(np.arange(90) % 3, "early", "late"))
    frame["half"] = np.arange(90) // 45
    frame.loc[(frame["who"] == "cleo") & (frame["half"] == 1), "batch"] = "early"  # cleo is not in every group
    agree = frame.agree.long(**LONG)
    by_hand = {
        (batch, half, who): alpha_by_hand(part if who == "(all)" else part[part["who"] == who], squared=True)
        for (batch, half), part in frame.groupby(["batch", "half"])
        for who in [*sorted(part["who"].unique()), "(all)"]
    }
    found = agree.retest(by=["batch", "half"], level="interval")
    assert found.index.names == ["batch", "half", "coder"]
    assert found["estimate"].to_dict() == pytest.approx(by_hand, abs=1e-12)
    assert len(by_hand) == 15
    assert list(found.index) == list(by_hand)  # '(all)' is the last of each group
    loop = {key: part.agree.long(**LONG).retest("bob", "ann", level="interval") for key, part in frame.groupby("batch")}
    same(agree.retest("bob", "ann", by="batch", level="interval"), pd.concat(loop, names=["batch"]))
    same(
        frame.groupby("batch").agree.long(**LONG).retest("bob", "ann", level="interval"),
        pd.concat(loop, names=["batch"]),
    )


def test_repeated_labels_as_one_set() -> None:
    rows = pd.DataFrame({"doc": [1, 1, 1, 2, 2, 3, 3], "who": list("aabbabb"), "tag": list("xyxxyzx")})
    wide = pd.DataFrame({"a": [{"x", "y"}, {"y"}, None], "b": [{"x"}, {"x"}, {"z", "x"}]})
    for level in ("masi", "jaccard"):
        found = rows.agree.long(**LONG, duplicates="set").alpha(level=level)
        same(found, wide.agree.alpha("a", "b", level=level))
    joined = pd.DataFrame({"doc": [1, 1, 2, 2], "who": list("abab"), "tag": ["x|y", "x", "y", "x"]})
    twice = pd.concat([joined, joined.assign(tag="y")])
    found = twice.agree.long(**LONG, duplicates="set").alpha(level="masi", sep="|")
    same(found, joined.assign(tag=["x|y", "x|y", "y", "x|y"]).agree.long(**LONG).alpha(level="masi", sep="|"))


def test_sets_are_those_of_a_group_and_missing_keys_are_errors() -> None:
    rows = pd.DataFrame({"doc": [1, 1, 1, 1], "who": list("aabb"), "tag": list("xyxy"), "g": [1, 2, 1, 2]})
    agree = rows.agree.long(**LONG, duplicates="set")
    assert agree.observed(by="g", ci=None)["estimate"].tolist() == [1.0, 1.0]
    assert agree.by_item(by="g")["majority"].tolist() == [frozenset("x"), frozenset("y")]
    rows.loc[3, "who"] = None
    with pytest.raises(InputError, match="1 row has a label but no 'who'"):
        rows.agree.long(**LONG, duplicates="set").alpha()


def test_streams_do_not_make_sets() -> None:
    message = "duplicates='set' is not known. Use one of 'raise', 'first', 'last'."
    with refuses(InputError, message):
        pandas_agreement.stream([JUDGMENTS], metrics="alpha", level="masi", duplicates="set", **LONG)


# ----------------------------------------------------------------------------------------------------------- wide data

WIDE = pd.DataFrame(RNG.integers(1, 4, (40, 5)), columns=["ann_1", "ann_2", "bob_1", "bob_2", "bob_3"])
WIDE.iloc[::7, 3] = np.nan
OF_CODERS = {"ann": ["ann_1", "ann_2"], "bob": ["bob_1", "bob_2", "bob_3"]}


def as_judgments(frame: pd.DataFrame, *keys: str) -> pd.DataFrame:
    """One row per judgment of the same data."""
    long = frame.melt([*keys], WIDE.columns, "column", "tag", ignore_index=False).reset_index(names="doc")
    return long.assign(who=long["column"].str.partition("_")[0])


@pytest.mark.parametrize("options", [{}, {"level": "interval"}, {"ci": 0.8, "categories": [1, 2, 3, 4]}])
def test_columns_are_like_judgments(options: dict[str, Any]) -> None:
    expected = as_judgments(WIDE).agree.long(**LONG).retest(**options)
    same(WIDE.agree.retest(OF_CODERS, **options), expected)
    some = WIDE.agree.retest({"bob": OF_CODERS["bob"], "ann": OF_CODERS["ann"]}, **options)
    same(some, expected.loc[["bob", "ann", "(all)"]])  # the coders in the order of the call


@pytest.mark.parametrize("metric", ["kappa", "pi", "ac1", "icc_a1", "icc_1"])
@pytest.mark.parametrize("weights", ["nominal", "quadratic"])
def test_a_coder_against_themselves_is_the_coefficient_of_their_columns(metric: str, weights: str) -> None:
    options = {} if "icc" in metric or metric == "ac1" else {"weights": weights}
    found = WIDE.agree.retest({"bob": ["bob_1", "bob_2"], "ann": ["ann_1", "ann_2"]}, metric=metric, **options)
    for coder in ("ann", "bob"):
        own = WIDE.agree.summary(f"{coder}_1", f"{coder}_2", metrics=metric, categories=None, **options)
        same(found.loc[[coder]].reset_index(drop=True), own.reset_index(drop=True))
    below = pd.DataFrame({n: pd.concat([WIDE[f"bob_{n}"], WIDE[f"ann_{n}"]]) for n in (1, 2)})
    clusters = {"ci": None} if "icc" in metric else {"clusters": np.tile(np.arange(40), 2)}
    every = below.reset_index(drop=True).agree.summary(1, 2, metrics=metric, **clusters, **options)
    same(found.loc[["(all)"]].reset_index(drop=True), every.reset_index(drop=True))


def test_metrics_of_judgments() -> None:
    agree = JUDGMENTS.agree.long(**LONG)
    several = agree.retest(metrics=["alpha", "pi"])
    assert several.index.names == ["coder", "coefficient"]
    same(several.xs("alpha", level="coefficient"), agree.retest())
    message = "Kappa distinguishes first and second judgments of an item, and long data have no order"
    with pytest.raises(InputError, match=f"^{message}"):
        agree.retest(metrics="kappa")


def test_columns_of_ordered_categories_keep_their_order() -> None:
    steps = ["low", "middle", "high"]
    ordered = WIDE.apply(lambda column: column.map(dict(enumerate(steps, 1))).astype(pd.CategoricalDtype(steps, True)))
    same(ordered.agree.retest(OF_CODERS, level="ordinal"), WIDE.agree.retest(OF_CODERS, level="ordinal"))


@pytest.mark.parametrize("given", [(), ("ann_1", "ann_2"), (["ann_1", "ann_2"],), ({},)])
def test_columns_are_given_as_a_dict(given: tuple[Any, ...]) -> None:
    with pytest.raises(InputError, match=r"^retest on wide data takes a dict of coders and their columns\. Write df"):
        WIDE.agree.retest(*given)


@pytest.mark.parametrize("columns", [["ann_1"], ["ann_1", "ann_1"], "ann_1", None])
def test_a_coder_needs_two_columns(columns: Any) -> None:
    with pytest.raises(InputError, match=r"^retest needs two columns or more for each coder, and 'ann' has"):
        WIDE.agree.retest({"ann": columns})
    with pytest.raises(ColumnError):
        WIDE.agree.retest({"ann": ["ann_1", "ann_9"]})


def test_errors_name_the_columns_that_were_given() -> None:
    text = pd.DataFrame({"a_1": ["x", "y"], "a_2": ["x", "x"], "b_1": ["x", "y"], "b_2": ["z", "y"]})
    with pytest.raises(LabelTypeError, match=r"^icc_1 needs numbers, and 'x' \(of 'a_1, b_1'\) is not one"):
        text.agree.retest({"a": ["a_1", "a_2"], "b": ["b_1", "b_2"]}, metrics="icc_1")
    alike = pd.DataFrame({1: list("xyx"), "1": list("xyy")})  # written alike
    assert alike.agree.retest({"a": [1, "1"]})["estimate"].iloc[0] == pytest.approx(4 / 9)


@pytest.mark.parametrize("given", [{"ann": ["a", "b", "a"]}, {"ann": ["a", "b"], "bob": ["b", "c"]}])
def test_a_column_is_named_once(given: dict[str, list[str]]) -> None:
    frame = pd.DataFrame({"a": [1, 2, 1], "b": [1, 2, 2], "c": [2, 2, 1]})
    twice = "a" if len(given) == 1 else "b"
    with refuses(InputError, f"retest names the column '{twice}' twice. Name each column only once, for one coder."):
        frame.agree.retest(given)
