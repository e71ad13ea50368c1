"""Distributions: items, replicates, differences of two coders."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from tests.data_sets import CODERS, scores
from tests.plotting.helpers import dots, ends, shown, ticks

pytest.importorskip("matplotlib", reason="pictures need matplotlib: pip install 'pandas-agreement[plot]'")
from pandas_agreement import plotting


def test_items_are_counted_by_their_agreement(example: pd.DataFrame) -> None:
    result = example.agree.items(*CODERS)
    ax = plotting.items(result)
    counts = result["agreement"].round(9).value_counts().sort_index()
    assert [bar.get_height() for bar in ax.patches] == counts.tolist()
    np.testing.assert_allclose([bar.get_x() + bar.get_width() / 2 for bar in ax.patches], counts.index)
    assert shown(ax) == counts.astype(str).tolist()
    single = int(result["agreement"].isna().sum())
    assert ax.get_xlabel().endswith(f"\nundefined: {single} items with one label or none")
    many = pd.DataFrame({"agreement": np.linspace(0, 1, 101)})
    assert len(plotting.items(many).patches) == 20


def test_partial_credit_is_no_share_of_pairs() -> None:
    df = scores(60, 3, 9)
    plain = "share of an item's pairs of labels that agree"
    partial = "mean agreement of an item's pairs of labels, with partial credit"
    for level, text in (("nominal", plain), ("interval", partial), ("ordinal", partial)):
        assert df.agree.plot.items(level=level).get_xlabel().partition("\n")[0] == text
    assert df.agree.plot.items("ann", "bob", metric="ac2", weights="linear").get_xlabel().startswith(partial)
    alone = df.agree.items(level="interval")[["agreement"]]
    assert plotting.items(alone).get_xlabel().startswith("agreement of an item's pairs of labels\n")


def test_replicates_show_estimate_and_interval(example: pd.DataFrame) -> None:
    draws = example.agree.replicates("ann", "bob", n_resamples=1000, rng=0)
    result = example.agree.kappa("ann", "bob")
    ax = plotting.replicates(draws, result, ci=0.9)
    assert dots(ax)[0].tolist() == result["estimate"].tolist()
    np.testing.assert_allclose(ends(ax)[0], draws["value"].quantile([0.05, 0.95]))
    assert ax.get_xlabel() == "kappa; dot: estimate, line: 90% of the resamples"
    assert dots(plotting.replicates(draws))[0].tolist() == [pytest.approx(draws["value"].median())]
    bare = plotting.replicates(draws, result, ci=None)
    assert np.isnan(ends(bare)).all()
    assert bare.get_xlabel() == "kappa; dot: estimate"
    assert shown(bare) == ["0.61", "estimate"]


def test_replicates_of_groups_stand_above_each_other_and_count_the_undefined(example: pd.DataFrame) -> None:
    draws = example.agree.replicates("ann", "bob", by="batch", n_resamples=200, rng=0)
    draws.iloc[:3] = np.nan
    ax = plotting.replicates(draws)
    assert ticks(ax, "y") == example["batch"].unique().tolist()
    assert ax.get_xlabel().endswith("\nundefined: 3 of 1,200 resamples")


def test_bland_altman_shows_every_item_and_the_limits() -> None:
    df = scores(60, 2, 9, gaps=0.1)
    ax = df.agree.plot.bland_altman("ann", "bob")
    row = df.agree.limits("ann", "bob").iloc[0]
    assert [line.get_ydata()[0] for line in ax.lines] == row[["bias", "lower", "upper"]].tolist()
    both = df.dropna()
    pairs = pd.DataFrame({"x": (both["ann"] + both["bob"]) / 2, "y": both["ann"] - both["bob"]})
    counts = pairs.value_counts().sort_index()
    np.testing.assert_allclose(ax.collections[0].get_offsets(), [*counts.index])
    sizes = ax.collections[0].get_sizes()
    np.testing.assert_allclose(sizes, 14.0 * counts.to_numpy())
    assert ax.get_ylabel() == "ann minus bob"
    assert len(ax.patches) == 3


def test_limits_of_many_pairs_are_rows() -> None:
    result = scores(60, 3, 9).agree.limits()
    ax = plotting.bland_altman(result)
    np.testing.assert_allclose(dots(ax)[0], result["bias"])
    np.testing.assert_allclose(ends(ax), result[["lower", "upper"]])
