"""Pairs, groups and coders in the report: little data are not compared."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from pandas_agreement.formatting import DASH
from tests.report.helpers import THREE, copies, frame, left_out, measurements, plain, section, tables, titles, words

# ---------------------------------------------------------------------------------------------------------- little data


@pytest.mark.parametrize("scores", [False, True])
def test_pairs_with_few_common_items_are_left_out(scores: bool) -> None:
    df = measurements(60) if scores else copies(0.8, 60, THREE)
    df["cleo"] = df["cleo"].where(df.index < 10)
    df["bob"] = df["bob"].where(df.index > 0)  # nine with cleo, ten has ann
    report = plain(df.agree)
    shown = frame(tables(report, "Pairs of coders")[0])
    pairs = sorted(zip(shown.iloc[:, 0], shown.iloc[:, 1], strict=True))
    assert pairs == [("ann", "bob"), ("ann", "cleo")]
    assert words(report, "Pairs of coders").endswith("Left out: 1 pair with fewer than 10 common items.")


@pytest.mark.parametrize("scores", [False, True])
def test_no_pair_has_enough_items(scores: bool) -> None:
    report = plain((measurements(9) if scores else copies(0.8, 9, THREE)).agree)
    assert "Pairs of coders" not in titles(report)
    assert left_out(report)["Pairs of coders"] == "No two coders have 10 or more items in common."


def test_an_undefined_pair_has_a_dash() -> None:
    df = copies(0.8, 60, THREE)
    df.loc[20:, "cleo"] = None
    df.loc[:19, ["bob", "cleo"]] = "x"
    shown = frame(tables(plain(df.agree), "Pairs of coders")[0])
    assert shown.iloc[-1].tolist() == ["bob", "cleo", DASH, DASH, "20"]


def test_groups_with_few_items_are_no_ends() -> None:
    df = copies(0.8, 100).assign(g=["p"] * 45 + ["q"] * 36 + ["r"] * 10 + ["tiny"] * 9)
    df.loc[91:, "bob"] = df["ann"].iloc[91:].map({"x": "y", "y": "z", "z": "x"})
    known = df[df["g"] != "tiny"].agree.alpha("ann", "bob", by="g")["estimate"].sort_values()
    low, high = known.index[0], known.index[-1]
    text = f"By g it runs from {known[low]:.3f} ({low}) to {known[high]:.3f} ({high})."
    assert text in words(plain(df.agree, "ann", "bob", by="g"), "In short")


def test_of_many_groups_the_lowest_are_shown() -> None:
    df = copies(0.8, 1200).assign(g=np.arange(1200) % 40)
    expected = df.agree.alpha("ann", "bob", by="g")["estimate"].sort_values(kind="stable")
    shown = frame(tables(plain(df.agree, "ann", "bob", by="g"), "By g")[0])
    assert shown["g"].tolist() == [str(group) for group in expected.index[:30]]


# --------------------------------------------------------------------------------------------------------------- scores


def crowd(n: int = 300) -> pd.DataFrame:
    """Thirty coders, four an item; c03 scores 6 too high, and one saw two items only."""
    rng = np.random.default_rng(2)
    truth, rows = rng.normal(50, 10, n), []
    for item in range(n):
        for coder in rng.choice(30, 4, replace=False):
            rows.append((item, f"c{coder:02d}", truth[item] + rng.normal(0, 3) + 6 * (coder == 3)))
    rows += [(0, "once", truth[0] + 40), (1, "once", truth[1] + 40)]
    return pd.DataFrame(rows, columns=["item", "who", "score"]).round({"score": 1})


def test_who_scores_higher_comes_first_and_few_scores_last() -> None:
    df = crowd()
    report = plain(df.agree.long(item="item", coder="who", label="score"), n=40)
    shown = frame(tables(report, "Coders")[0])
    items = df.groupby("item")["score"]
    others = (items.transform("sum") - df["score"]) / (items.transform("size") - 1)
    expected = (df["score"] - others).groupby(df["who"]).mean()
    assert shown["coder"].iloc[[0, -1]].tolist() == ["c03", "once"]
    assert shown["difference"].iloc[0] == f"+{expected['c03']:.2f}"
    assert shown["coder"].iloc[:-1].tolist() == expected.drop("once").abs().sort_values(ascending=False).index.tolist()
    assert words(report, "Coders") == (
        "Difference: the mean of the coder's scores minus those that others gave the same items. "
        "Coders with fewer than 10 such items come last."
    )


@pytest.mark.parametrize(("coders", "gaps"), [(3, True), (25, False)])
def test_gaps_alone_or_many_coders_alone_are_no_crowd(coders: int, gaps: bool) -> None:
    df = measurements(40, coders)
    df = df.where(np.random.default_rng(2).random(df.shape) < 0.8) if gaps else df
    shown = frame(tables(plain(df.agree), "How much agreement")[0])
    assert shown["coefficient"].iloc[0] == "ICC(A,1)"
    assert len(shown) == 4


# --------------------------------------------------------------------------------------------------------------- groups


@pytest.mark.parametrize("scores", [False, True])
def test_groups_change_nothing_about_the_whole(scores: bool) -> None:
    long = crowd().assign(g=lambda df: df["item"] % 3)
    long["tag"] = np.where(long["score"] > 50, "high", "low")
    agree = long.agree.long(item="item", coder="who", label="score" if scores else "tag")
    alone, grouped = plain(agree), plain(agree, by="g")
    for title in titles(alone):
        if title not in ("In short", "What was measured", "Methods, ready to paste", "Items to look at first"):
            assert section(grouped, title) == section(alone, title), title
