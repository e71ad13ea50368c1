"""Tables of confusion, against their definitions."""

from __future__ import annotations

import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

import pandas_agreement
from pandas_agreement import InputError
from tests.data_sets import as_long, scores


def test_confusion_of_nothing_is_empty() -> None:
    df = pd.DataFrame({"a": [None, None], "b": [None, None]}, dtype=object)
    assert df.agree.confusion("a", "b").shape == (0, 0)


def test_confusion_of_two_is_the_crosstab_with_all_categories() -> None:
    df = scores(60, 3)
    expected = pd.crosstab(df["ann"], df["cleo"]).reindex(index=[1, 2, 3, 4], columns=[1, 2, 3, 4], fill_value=0)
    table = df.agree.confusion("ann", "cleo", categories=[1, 2, 3, 4])
    assert_frame_equal(table, expected, check_index_type=False, check_column_type=False)
    assert_frame_equal(as_long(df).confusion("ann", "cleo", categories=[1, 2, 3, 4]), table)
    assert_frame_equal(df.agree.confusion("cleo", "ann", categories=[1, 2, 3, 4]), table.T)


def test_confusion_of_several_is_the_first_against_the_rest() -> None:
    df = scores(60, 4)
    expected = df[["ann", "bob", "dev"]].agree.confusion("dev", categories=[1, 2, 3, 4])
    assert_frame_equal(df.agree.confusion("dev", "ann", "bob", categories=[1, 2, 3, 4]), expected)


def test_confusion_with_the_others_adds_up_all_pairs() -> None:
    df = scores(60, 4)
    others = [df.agree.confusion("cleo", name, categories=[1, 2, 3, 4]).to_numpy() for name in ("ann", "bob", "dev")]
    table = df.agree.confusion("cleo")
    assert (table.to_numpy() == sum(others)).all()
    assert (table.index.name, table.columns.name) == ("cleo", "others")
    by = df.assign(batch=["x", "y"] * 30)
    grouped = by.agree.confusion("cleo", by="batch")
    assert (grouped.loc["x"] + grouped.loc["y"]).equals(table)
    with pytest.raises(pandas_agreement.ColumnError, match=r"^no coder 'cleoo'; did you mean 'cleo'\?$"):
        df.agree.confusion("cleoo")


def test_many_categories_give_the_same_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    df = scores(60, 4)
    tables = [df.agree.by_item(), df.agree.by_coder(), df.agree.margins(), df.agree.confusion("ann")]
    monkeypatch.setattr("pandas_agreement.core.ratings.dense_is_small", lambda *sizes: False)
    again = [df.agree.by_item(), df.agree.by_coder(), df.agree.margins(), df.agree.confusion("ann")]
    for first, second in zip(tables, again, strict=True):
        assert_frame_equal(first, second)


def test_a_table_that_would_not_fit_is_refused_before_it_is_made() -> None:
    df = pd.DataFrame({"ann": [f"a{i}" for i in range(20_000)], "bob": [f"a{i}" for i in range(20_000)]})
    with pytest.raises(InputError) as caught:
        df.agree.confusion("ann", "bob")
    assert str(caught.value) == (
        "a confusion table of 20,000 categories has 400,000,000 cells, 3 GB; merge categories, or see by_category, "
        "which has one row per category"
    )
