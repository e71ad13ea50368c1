"""Tables of confusion, and the categories that coders favour, against their definitions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal
from scipy import stats

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


def test_a_coder_may_be_called_none() -> None:
    df = scores(60, 3).set_axis(pd.Index([None, "x", "y"], dtype=object), axis=1)
    plain = df.set_axis(["none", "x", "y"], axis=1)
    for others in ([], ["x"], ["x", "y"]):
        assert_frame_equal(
            df.agree.confusion(None, *others), plain.agree.confusion("none", *others).rename_axis(index=None)
        )


def test_confusion_with_the_others_adds_up_all_pairs() -> None:
    df = scores(60, 4)
    others = [df.agree.confusion("cleo", name, categories=[1, 2, 3, 4]).to_numpy() for name in ("ann", "bob", "dev")]
    table = df.agree.confusion("cleo")
    assert (table.to_numpy() == sum(others)).all()
    assert (table.index.name, table.columns.name) == ("cleo", "others")
    by = df.assign(batch=["x", "y"] * 30)
    grouped = by.agree.confusion("cleo", by="batch")
    assert (grouped.loc["x"] + grouped.loc["y"]).equals(table)
    with pytest.raises(pandas_agreement.ColumnError, match=r"^No coder 'cleoo'\. Did you mean 'cleo'\?$"):
        df.agree.confusion("cleoo")


def test_many_categories_give_the_same_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    df = scores(60, 4)

    def tables() -> list[pd.DataFrame]:
        detailed = [getattr(df.agree, name)(detail=True) for name in ("by_item", "by_coder", "margins")]
        return [*detailed, df.agree.confusion("ann")]

    dense = tables()
    monkeypatch.setattr("pandas_agreement.core.ratings.dense_is_small", lambda *sizes: False)
    for first, second in zip(dense, tables(), strict=True):
        assert_frame_equal(first, second)


def test_a_table_that_would_not_fit_is_refused_before_it_is_made() -> None:
    df = pd.DataFrame({"ann": [f"a{i}" for i in range(20_000)], "bob": [f"a{i}" for i in range(20_000)]})
    with pytest.raises(InputError) as caught:
        df.agree.confusion("ann", "bob")
    assert str(caught.value) == (
        "A confusion table of 20,000 categories has 400,000,000 cells, 3 GB. Merge categories, or see by_category, "
        "which has one row per category."
    )


def test_a_label_may_be_called_like_its_coder() -> None:
    df = pd.DataFrame({"ann": ["ann", "bob", "ann"], "bob": ["ann", "ann", "bob"]})
    table = df.agree.confusion("ann", "bob")
    assert table.loc["ann"].to_dict() == {"ann": 1, "bob": 1}
    assert table.index.name == "ann"


# -------------------------------------------------------------------------------------------------------------- margins

LABELS = [1.0, 2.0, 3.0]


def favoured(df: pd.DataFrame, coder: str, label: float, level: float, missing: str = "pairable") -> dict[str, Any]:
    """The row of `margins` of a coder and a category by its definition, with loops over the items."""
    own, gaps, others = [], [], []
    for _, row in df.iterrows():
        rest = row.drop(coder).dropna()
        if row[coder] == row[coder] and (len(rest) or missing == "all"):
            own.append(float(row[coder] == label))
        if row[coder] == row[coder] and len(rest):
            others.append(sum(other == label for other in rest) / len(rest))
            gaps.append((row[coder] == label) - others[-1])
    n, total, squares = len(gaps), sum(gaps), sum(gap**2 for gap in gaps)
    centre = total / (n + 2)  # two pseudo-items: half an item each with 1, -1, 0 and 0
    se = math.sqrt(((squares + 1) / (n + 2) - centre**2) / (n + 1))
    half = stats.t.ppf((1 + level) / 2, n - 1) * se
    return {
        "estimate": total / n,
        "ci_low": max(centre - half, -1.0),
        "ci_high": min(centre + half, 1.0),
        "se": se,
        "share": sum(own) / len(own),
        "others": sum(others) / n,
        "p_value": 2 * stats.t.sf(abs(centre / se), n - 1),
        "n_labels": sum(own),
        "n_items": n,
    }


def expected_margins(df: pd.DataFrame, coders: list[str], level: float = 0.95, missing: str = "pairable") -> Any:
    """All rows of `margins`, with Holm's correction over all of them."""
    index = pd.MultiIndex.from_product([coders, LABELS], names=["coder", "category"])
    table = pd.DataFrame([favoured(df[coders], *key, level, missing) for key in index], index=index)
    order = table["p_value"].sort_values().index
    steps = (table["p_value"][order] * np.arange(len(order), 0, -1)).cummax().clip(upper=1)
    return table.assign(p_holm=steps)


def assert_margins(found: pd.DataFrame, expected: pd.DataFrame) -> None:
    columns = list(expected.columns)
    assert_frame_equal(found[columns], expected, check_dtype=False, check_index_type=False, rtol=1e-9)


def gappy() -> pd.DataFrame:
    """Three categories, of which one is rare, with missing labels, batches, and a number of equal items."""
    df = scores(45, 4, 3, gaps=0.4, seed=7)
    df["dev"] = df["dev"].where(df["dev"] != 3, 1)  # dev hardly ever says 3, and ann often
    df["ann"] = df["ann"].where(df["ann"] != 2, 3)
    return df.assign(batch=["x", "y", "x"] * 15, times=[1, 2, 3, 1, 1] * 9)


CODERS = ["ann", "bob", "cleo", "dev"]


@pytest.mark.parametrize("missing", ["pairable", "all"])
@pytest.mark.parametrize("level", [0.95, 0.8])
def test_margins_follow_their_definition(missing: str, level: float) -> None:
    df = gappy()
    found = df.agree.margins(*CODERS, missing=missing, ci=level, detail=True)
    assert_margins(found, expected_margins(df, CODERS, level, missing))
    assert (found["note"] == "").all()
    assert found["estimate"].abs().max() > 0.3
    if missing == "pairable":
        np.testing.assert_allclose(found["estimate"], found["share"] - found["others"], rtol=1e-9)


def test_bounds_of_margins_stay_within_their_range() -> None:
    df = pd.DataFrame({"ann": [1.0] * 10, "bob": [2.0] * 10})
    found = df.agree.margins(detail=True)
    assert found["estimate"].tolist() == [1, -1, -1, 1]
    assert found["ci_high"].tolist() == [1, found["ci_high"].iloc[1], found["ci_high"].iloc[1], 1]
    assert found.loc[("ann", 1.0), "ci_low"] == pytest.approx(-found.loc[("ann", 2.0), "ci_high"])
    assert found.loc[("ann", 1.0), "ci_low"] == pytest.approx(0.512, abs=0.001)  # ten items are no certainty
    one = df.iloc[:1].agree.margins(detail=True)
    assert one["estimate"].tolist() == [1, -1, -1, 1]
    assert one[["ci_low", "ci_high", "se", "p_value"]].isna().all(axis=None)
    assert df.agree.margins(ci=None)[["ci_low", "ci_high"]].isna().all(axis=None)
    assert df.agree.margins(ci=None)["p_value"].notna().all()


@pytest.mark.slow
@pytest.mark.parametrize("n_coders", [2, 4])
@pytest.mark.parametrize("share", [0.05, 0.5], ids=["rare", "common"])
def test_intervals_of_margins_cover(n_coders: int, share: float) -> None:
    """4,000 studies of 60 items; ann guesses half as often again. Where labels hardly differ intervals cover more."""
    rng, runs, n, seen = np.random.default_rng(1), 4000, 60, 0.2
    guesses = np.full(n_coders, share)
    guesses[0] *= 1.5
    truth = rng.random((runs * n, 1)) < share
    looked = rng.random((runs * n, n_coders)) < seen
    labels = np.where(looked, truth, rng.random((runs * n, n_coders)) < guesses)
    names = CODERS[:n_coders]
    df = pd.DataFrame(labels, columns=names).assign(run=np.repeat(np.arange(runs), n))
    found = df.agree.margins(*names, by="run").xs(True, level="category")
    shares = seen * share + (1 - seen) * guesses
    for place, name in enumerate(names):
        true = shares[place] - np.delete(shares, place).mean()
        rows = found.xs(name, level="coder")
        assert len(rows) == runs
        assert 0.93 <= ((rows["ci_low"] <= true) & (true <= rows["ci_high"])).mean() <= 0.98, name
        assert rows["estimate"].mean() == pytest.approx(true, abs=0.004)
