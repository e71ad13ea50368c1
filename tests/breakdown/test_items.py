"""Agreement of each item, against its definition."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal, assert_series_equal

import pandas_agreement
from pandas_agreement.results import schemas
from tests.data_sets import LONG, as_long, rows_of, scores, to_counts, to_long
from tests.helpers import refuses


def test_items_follow_their_definitions() -> None:
    df = scores(60, 4, gaps=0.3).set_index(pd.Index([f"t{i}" for i in range(60)], name="doc"))
    table = df.agree.by_item(detail=True)
    assert table.index.equals(df.index)
    for name, row in zip(df.index, rows_of(df), strict=True):
        labels = [label for label in row if label is not None]
        counts = Counter(labels)
        found = table.loc[name]
        assert (found["n_labels"], found["n_distinct"]) == (len(labels), len(counts))
        if not labels:
            assert pd.isna(found["majority"])
            continue
        top = max(counts.values())
        leaders = [label for label, n in counts.items() if n == top]
        assert found["share"] == top / len(labels)
        assert found["tie"] == (len(leaders) > 1)
        assert pd.isna(found["majority"]) if len(leaders) > 1 else found["majority"] == leaders[0]
        if len(labels) == 1:
            assert np.isnan(found["agreement"])
            continue
        pairs = [(a, b) for i, a in enumerate(labels) for b in labels[i + 1 :]]
        assert found["agreement"] == pytest.approx(np.mean([a == b for a, b in pairs]))
        entropy = -sum(n / len(labels) * math.log(n / len(labels)) for n in counts.values())
        assert found["entropy"] == pytest.approx(entropy / math.log(min(4, len(labels))))


def test_items_are_the_same_in_every_way_in() -> None:
    df = scores(40, 3)
    df = df[df.notna().any(axis=1)]  # long data do not know of items that nobody labelled
    wide = df.agree.by_item()
    long = as_long(df).by_item()
    assert_frame_equal(long.rename_axis(None), wide)
    counts = to_counts(df, [1, 2, 3, 4]).agree.counts().by_item()
    assert_frame_equal(counts, wide)
    weighted = df.agree.by_item(metrics="kappa", weights="linear")["agreement"]
    assert_series_equal(as_long(df).by_item(metrics="pi", weights="linear")["agreement"].rename_axis(None), weighted)


def test_items_of_groups_keep_the_rows_that_have_no_group() -> None:
    df = scores(30, 3, gaps=0).assign(batch=["x", "y", None] * 10)
    with pytest.warns(pandas_agreement.AgreementWarning, match="10 of 30 rows have no group key"):
        table = df.agree.by_item("ann", "bob", "cleo", by="batch")
    assert table.index.equals(df.index)
    assert table["n_labels"].tolist() == [3, 3, 0] * 10
    part = df[df["batch"] == "y"][["ann", "bob", "cleo"]].agree.by_item()
    assert_frame_equal(table[df["batch"] == "y"], part, check_dtype=False)


def test_majority_of_a_categorical_is_one() -> None:
    df = pd.DataFrame({"ann": ["lo", "hi"], "bob": ["lo", "lo"]}).astype(pd.CategoricalDtype(["lo", "mid", "hi"], True))
    majority = df.agree.by_item()["majority"]
    assert majority.dtype == df["ann"].dtype
    assert majority.tolist()[0] == "lo"
    assert pd.isna(majority.tolist()[1])


def test_disagreements_are_the_frames_own_rows_worst_first() -> None:
    df = pandas_agreement.load_example()
    coders = ["ann", "bob", "cleo", "dev"]
    worst = df.agree.disagreements(*coders, n=30, detail=True)
    assert list(worst.columns) == [*df.columns, *schemas.ITEMS]
    assert_frame_equal(worst[df.columns], df.loc[worst.index])
    plain = df.agree.disagreements(*coders, n=30)
    assert list(plain.columns) == [*coders, "agreement", "influence"]
    assert_frame_equal(plain, worst[plain.columns])
    assert worst["agreement"].is_monotonic_increasing
    first = worst[worst["agreement"] == 0]["n_labels"]
    assert first.is_monotonic_decreasing
    everything = df.agree.disagreements(*coders, n=10_000)
    assert len(everything) == (df.agree.by_item(*coders)["agreement"] < 1).sum()


def test_disagreements_of_long_data_keep_all_judgments_of_an_item() -> None:
    df = scores(40, 3)
    long = to_long(df).assign(seconds=7)
    worst = long.agree.long(**LONG).disagreements(n=3, detail=True)
    assert list(worst.columns) == ["doc", "who", "tag", "seconds", *schemas.ITEMS]
    plain = long.agree.long(**LONG).disagreements(n=3)
    assert list(plain.columns) == ["doc", "who", "tag", "agreement", "influence"]
    assert_frame_equal(plain, worst[plain.columns])
    assert worst["doc"].nunique() == 3
    assert set(worst["doc"]) == set(df.agree.disagreements(n=3).index)


def test_a_column_that_clashes_is_refused() -> None:
    shown, detailed = (scores(10, 2).assign(**{name: 1.0}) for name in ("influence", "share"))
    message = "The frame has a column {0!r}, which disagreements adds. Rename it: df.rename(columns={{{0!r}: '{0}_'}})."
    with refuses(pandas_agreement.InputError, message.format("influence")):
        shown.agree.disagreements("ann", "bob")
    with refuses(pandas_agreement.InputError, message.format("share")):
        detailed.agree.disagreements("ann", "bob", detail=True)
    assert "share" not in detailed.agree.disagreements("ann", "bob")  # it is not added, nor shown


def test_a_crosstab_has_no_items() -> None:
    with pytest.raises(pandas_agreement.InputError, match=r"^A crosstab has no items\. "):
        pd.crosstab([1, 2], [1, 1]).agree.crosstab().by_item()
