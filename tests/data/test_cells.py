"""Cells that hold several labels."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal, assert_series_equal

from pandas_agreement.data.cells import members, to_sets
from tests import bruteforce


def test_blank_cells_of_text_are_noted_with_their_number() -> None:
    frame = pd.DataFrame({"a": ["p|q", None, "p", None, "q"], "b": ["p", "q", None, None, "q"]})
    found = frame.agree.alpha(level="masi", sep="|", ci=None, detail=True).iloc[0]
    assert found["note"] == "blank cells"
    assert found["remarks"] == "4 of 10 cells blank: missing; if no label applies, fillna('')"
    assert found["n_items"] == 2
    assert frame.fillna("").agree.alpha(level="masi", sep="|", ci=None)[["n_items", "note"]].iloc[0].tolist() == [5, ""]
    long = frame.reset_index(names="item").melt("item", var_name="coder", value_name="label")
    found = long.agree.long(item="item", coder="coder", label="label").alpha(level="masi", sep="|", ci=None)
    assert found["note"].tolist() == ["blank cells"]
    sets = frame.fillna("").map(lambda cell: frozenset(cell.split("|")) if cell else None)
    assert sets.agree.alpha(level="masi", ci=None)["note"].tolist() == [""]  # whoever makes sets knows what is missing


def test_sets_reach_every_method() -> None:
    df = pd.DataFrame({"a": ["p|q", "q", "", "p"], "b": ["p", "q", "r", "p"], "c": ["p|q", "r", "", "p|r"]})
    whole = df.agree.alpha("a", "b", level="masi", sep="|")["estimate"].iloc[0]
    pairs = df.agree.by_pair(metric="alpha", level="masi", sep="|")
    assert pairs.loc[("a", "b"), "estimate"] == pytest.approx(whole)
    compared = df.agree.compare(["a", "b"], ["a", "c"], metric="alpha", level="masi", sep="|")
    assert compared["estimate_1"].iloc[0] == pytest.approx(whole)


def test_cells_become_sets() -> None:
    column = pd.Series([["a", "b"], {"b"}, ("c",), np.array(["a"]), "d", None, np.nan, []])
    sets = to_sets(column)
    assert sets.tolist()[:5] == [frozenset("ab"), frozenset("b"), frozenset("c"), frozenset("a"), frozenset("d")]
    assert sets.isna().tolist() == [False] * 5 + [True, True, False]
    assert sets.tolist()[5] is np.nan
    assert to_sets(pd.Series(["two words", 7], dtype=object)).tolist() == [frozenset(["two words"]), frozenset([7])]
    assert to_sets(pd.Series(["p|q", 7], dtype=object), sep="|").tolist() == [frozenset("pq"), frozenset([7])]
    labels, held = members([frozenset("ab"), frozenset()])
    assert (labels, held.tolist()) == (["a", "b"], [[True, True], [False, False]])


@pytest.mark.parametrize("level", ["jaccard", "masi"])
def test_sets_as_lists_and_as_text(level: str) -> None:
    rng = np.random.default_rng(2)
    cells = [[[x for x in "pqr" if rng.random() < 0.5] for _ in range(3)] for _ in range(25)]
    df = pd.DataFrame(cells, columns=list("abc"), dtype=object)
    rows = [[frozenset(cell) for cell in row] for row in cells]
    expected = float(bruteforce.alpha(rows, getattr(bruteforce, f"{level}_distance")))
    result = df.agree.alpha(level=level)
    assert result["estimate"].iloc[0] == pytest.approx(expected)
    texts = df.map(",".join)
    assert_frame_equal(texts.agree.alpha(level=level, sep=","), result)
    items = texts.agree.by_item(level=level, sep=",")
    assert_series_equal(items["agreement"], df.agree.by_item(level=level)["agreement"])
