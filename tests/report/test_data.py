"""Labels and names in the report."""

from __future__ import annotations

import pandas as pd
import pytest

from tests.report.helpers import THREE, copies, facts, frame, plain, tables, words


def test_an_empty_label_is_seen() -> None:
    df = copies(0.6, 100, THREE).replace({"z": ""}).assign(note="")
    df.loc[df.index < 40, "cleo"] = ["", "x"] * 20
    report = plain(df.agree, *THREE)
    assert facts(report)["categories"] == "3: '', x, y"
    assert "''" in frame(tables(report, "Categories")[0])["category"].tolist()
    shown = frame(tables(report, "Items to look at first")[0])
    worst = df.agree.disagreements(*THREE, n=10)
    assert shown["ann"].tolist() == [label or "''" for label in worst["ann"]]
    assert "''" in shown[list(THREE)].to_numpy()
    assert set(shown["note"]) == {""}  # the user's own columns are as they were


@pytest.mark.parametrize("long", [False, True])
def test_who_said_nothing_said_it(long: bool) -> None:
    names = [f"Coder {number}" for number in range(9)]
    df = pd.DataFrame([["x"] * 2 + [""] * 5 + [None] * 2, ["x"] * 9], columns=names, index=["one", "two"])
    rows = df.melt(ignore_index=False, var_name="who").reset_index(names="item")
    agree = rows.agree.long(item="item", coder="who", label="value") if long else df.agree
    shown = frame(tables(plain(agree), "Items to look at first")[0])
    assert shown["labels"].tolist() == ["'': Coder 2, Coder 3, Coder 4, Coder 5, Coder 6; x: Coder 0, Coder 1"]


@pytest.mark.filterwarnings("ignore:labels of different kinds")
def test_labels_that_look_alike_are_told_apart() -> None:
    df = pd.DataFrame({"a": [1, "1", 2, 1] * 10, "b": [1, "1", 2, "1"] * 10}, dtype=object)
    report = plain(df.agree)
    assert facts(report)["categories"] == "3: 1, 2, '1'"
    assert sorted(frame(tables(report, "Categories")[0])["category"]) == ["'1'", "1", "2"]
    assert tables(report, "Confusions")[0].rows[0][:2] == ("1", "'1'")
    assert tables(report, "Items to look at first")[0].rows[0][1:3] == ("1", "'1'")


def test_a_coder_without_labels_is_none_of_the_coders() -> None:
    df = copies(0.8, 60, THREE).assign(zed=pd.Series([None] * 60, dtype=object))
    report = plain(df.agree, *THREE, "zed")
    assert facts(report)["coders"] == "3: ann, bob, cleo"
    assert facts(report)["coders without a label"] == "1: zed"
    assert "missing" not in facts(report)["labels"]
    text = words(report, "Methods, ready to paste")
    assert text.startswith("60 items were labelled by 3 coders (ann, bob, cleo) with 3 categories. ")
    assert "are missing" not in text
    long = df.melt(ignore_index=False, var_name="who").reset_index()
    same = plain(long.agree.long(item="index", coder="who", label="value"), *THREE, "zed")
    assert facts(same) == facts(report)


def test_days_have_no_midnight() -> None:
    df = copies(0.8, 96).assign(time=pd.date_range("2026-01-01", periods=96, freq="h"))
    report = plain(df.agree, "ann", "bob", by=pd.Grouper(key="time", freq="D"))
    assert facts(report)["groups (time)"] == "4: 2026-01-01, 2026-01-02, 2026-01-03, 2026-01-04"
    assert tables(report, "By time")[0].rows[0][0] == "2026-01-01"
    assert "00:00" not in words(report, "In short")
