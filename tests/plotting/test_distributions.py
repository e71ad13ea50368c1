"""Distributions: items, differences of two coders."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from tests.data_sets import CODERS, scores
from tests.plotting.helpers import dots, ends, shown

pytest.importorskip("matplotlib", reason="pictures need matplotlib: pip install 'pandas-agreement[plot]'")
from pandas_agreement import plotting


def test_items_are_counted_by_their_agreement(example: pd.DataFrame) -> None:
    result = example.agree.by_item(*CODERS)
    ax = plotting.by_item(result)
    counts = result["agreement"].round(9).value_counts().sort_index()
    assert [bar.get_height() for bar in ax.patches] == counts.tolist()
    np.testing.assert_allclose([bar.get_x() + bar.get_width() / 2 for bar in ax.patches], counts.index)
    assert shown(ax) == counts.astype(str).tolist()
    single = int(result["agreement"].isna().sum())
    assert ax.get_xlabel().endswith(f"\nundefined: {single} items with one label or none")
    many = pd.DataFrame({"agreement": np.linspace(0, 1, 101)})
    assert len(plotting.by_item(many).patches) == 20


def test_partial_credit_is_no_share_of_pairs() -> None:
    df = scores(60, 3, 9)
    plain = "share of an item's pairs of labels that agree"
    partial = "mean agreement of an item's pairs of labels, with partial credit"
    for level, text in (("nominal", plain), ("interval", partial), ("ordinal", partial)):
        assert df.agree.plot.by_item(level=level).get_xlabel().partition("\n")[0] == text
    assert df.agree.plot.by_item("ann", "bob", metrics="ac2", weights="linear").get_xlabel().startswith(partial)
    alone = df.agree.by_item(level="interval")[["agreement"]]
    assert plotting.by_item(alone).get_xlabel().startswith("agreement of an item's pairs of labels\n")


def test_bland_altman_shows_every_item_and_the_limits() -> None:
    df = scores(60, 2, 9, gaps=0.1)
    ax = df.agree.plot.bland_altman("ann", "bob")
    row = df.agree.bland_altman("ann", "bob").iloc[0]
    assert [line.get_ydata()[0] for line in ax.lines] == row[["bias", "lower", "upper"]].tolist()
    both = df.dropna()
    pairs = pd.DataFrame({"x": (both["ann"] + both["bob"]) / 2, "y": both["ann"] - both["bob"]})
    counts = pairs.value_counts().sort_index()
    np.testing.assert_allclose(ax.collections[0].get_offsets(), [*counts.index])
    sizes = ax.collections[0].get_sizes()
    np.testing.assert_allclose(sizes, 24.0 * counts.to_numpy())
    assert ax.get_ylabel() == "ann minus bob"
    assert len(ax.patches) == 3


def test_limits_of_many_pairs_are_rows() -> None:
    result = scores(60, 3, 9).agree.bland_altman()
    ax = plotting.bland_altman(result)
    np.testing.assert_allclose(dots(ax)[0], result["bias"])
    np.testing.assert_allclose(ends(ax), result[["lower", "upper"]])
