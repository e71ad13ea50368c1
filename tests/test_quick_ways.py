"""Quick ways that are taken where the data allow it give the numbers of the plain ones."""

from __future__ import annotations

import itertools
import warnings

import numpy as np
import pandas as pd
import pytest

import pandas_agreement
from pandas_agreement.core import contingency
from pandas_agreement.results import frames


def test_a_frame_of_ready_arrays_is_the_frame_that_pandas_makes(monkeypatch: pytest.MonkeyPatch) -> None:
    df = pd.DataFrame({"ann": list("xxyyxy"), "bob": list("xyyyxx"), "batch": [1, 1, 1, 2, 2, 2]})
    quick = df.agree.summary("ann", "bob", by="batch")
    monkeypatch.setattr(frames, "FROM_ARRAYS", None)
    pd.testing.assert_frame_equal(quick, df.agree.summary("ann", "bob", by="batch"), check_exact=True)


@pytest.mark.parametrize("by", [None, "batch"])
@pytest.mark.parametrize("ids", ["int", "str"])
def test_long_data_read_without_a_sort_give_the_same_numbers(
    monkeypatch: pytest.MonkeyPatch, ids: str, by: str | None
) -> None:
    """Judgments in any order, ids with gaps, items with one label, coders in any order."""
    rng = np.random.default_rng(0)
    df = pd.DataFrame({"doc": rng.integers(5, 70, 300) * 2, "who": rng.choice(list("edcab"), 300)})
    df = df.drop_duplicates(["doc", "who"])
    df["tag"] = rng.choice(["x", "y", "z", None], len(df))
    df["batch"] = df["doc"] % 3
    df["doc"] = df["doc"].astype(ids)
    metrics = ["observed", "kappa", "pi", "alpha", "ac1", "s", "light_kappa", "bias"]

    def measured() -> list[pd.DataFrame]:
        door = df.agree.long(item="doc", coder="who", label="tag")
        results = [door.summary(metrics=metrics, by=by, missing=rule) for rule in ("pairable", "all", "complete")]
        results += [door.summary(metrics=metrics, by=by, method="jackknife"), door.coders(by=by), door.pairwise(by=by)]
        return [*results, door.alpha(by=by, method="bca", n_resamples=200, rng=1), door.confusion("a", "b", by=by)]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pandas_agreement.AgreementWarning)  # few items are complete
        quick = measured()
        monkeypatch.setattr("pandas_agreement.data.long.ROOM", 0)
        for one, two in zip(quick, measured(), strict=True):
            pd.testing.assert_frame_equal(one, two, rtol=1e-12)


@pytest.mark.parametrize("ids", ["uint8", "uint64", "int16"])
@pytest.mark.parametrize("who", ["category", "uint8", "int64"])
@pytest.mark.parametrize("tags", ["category", "int8", "uint8"])
def test_small_integers_do_not_run_over(ids: str, who: str, tags: str) -> None:
    """Ids, coders and codes of a byte each, whose products are far larger."""
    rng = np.random.default_rng(4)
    df = pd.DataFrame({"doc": np.repeat(np.arange(200), 3), "who": np.tile([0, 1, 2], 200)})
    df["who"] += 3 * rng.integers(0, 9, 200)[df["doc"]]
    df["tag"] = np.where(rng.random(600) < 0.6, rng.integers(0, 90, 200)[df["doc"]], rng.integers(0, 90, 600))
    metrics = ["kappa", "alpha", "light_kappa", "bias"]

    def measured(frame: pd.DataFrame) -> list[pd.DataFrame]:
        door = frame.agree.long(item="doc", coder="who", label="tag")
        return [door.summary(metrics=metrics), door.coders().drop(columns="favours"), door.kappa(method="jackknife")]

    small = measured(df.astype({"doc": ids, "who": who, "tag": tags}))
    for one, two in zip(small, measured(df), strict=True):
        np.testing.assert_allclose(one.select_dtypes("number"), two.select_dtypes("number"), rtol=1e-9)


def test_an_id_that_no_item_has_is_no_item_with_gaps() -> None:
    df = pd.DataFrame({"doc": [1, 1, 9, 9], "who": list("abab"), "tag": list("xyxx")})
    assert df.agree.long(item="doc", coder="who", label="tag").observed(missing="raise")["n_items"].item() == 2


@pytest.mark.parametrize("n_coders", [4, 5, 7])
def test_pairs_counted_four_at_a_time_are_the_pairs(n_coders: int) -> None:
    rng = np.random.default_rng(1)
    codes = tuple(rng.integers(-1, 3, 200).astype(np.int8) for _ in range(n_coders))
    found = contingency.tables_of_pairs(codes, 3)
    assert found is not None
    for table, (one, two) in zip(found, itertools.combinations(codes, 2), strict=True):
        both = (one >= 0) & (two >= 0)
        expected = np.zeros((3, 3))
        np.add.at(expected, (one[both], two[both]), 1)
        got = np.zeros((3, 3))
        got[table.codes] = table.weights
        np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("n_labels", [5, 6000])
def test_objects_coded_in_blocks_are_coded_as_a_whole(n_labels: int) -> None:
    rng = np.random.default_rng(2)
    codes = rng.integers(-1, n_labels, (2, 70_000))
    codes[1, ::2] = codes[0, ::2]
    names = np.array([*[f"label {i}" for i in range(n_labels)], None], dtype=object)
    df = pd.DataFrame(
        {"ann": pd.Series(names[codes[0]], dtype=object), "bob": pd.Series(names[codes[1]], dtype=object)}
    )
    expected = pd.DataFrame(np.where(codes.T < 0, np.nan, codes.T), columns=["ann", "bob"]).agree.kappa()
    columns = ["estimate", "se", "n_items", "n_categories"]
    np.testing.assert_allclose(df.agree.kappa()[columns], expected[columns], rtol=1e-12)


@pytest.mark.parametrize("gaps", [0.0, 0.3, 0.8])
def test_values_that_are_nearly_all_different(gaps: float) -> None:
    """Sorted where hashing would find nothing to merge; counted row by row where there are few gaps."""
    rng = np.random.default_rng(3)
    truth = rng.normal(size=3000)
    table = truth[:, None] + rng.normal(scale=0.3, size=(3000, 3))
    table[rng.random(table.shape) < gaps] = np.nan
    table[:5] = 1.5  # some labels agree exactly, and one is the same for several items
    df = pd.DataFrame(table, columns=list("abc"))
    got = df.agree.alpha(level="interval").iloc[0]
    n = (~np.isnan(table)).sum(1)
    use, n = table[n > 1], n[n > 1]
    pooled = use[~np.isnan(use)]
    observed = (2 * n / (n - 1) * n * np.nanvar(use, axis=1)).sum() / n.sum()
    expected = 2 * pooled.var() * len(pooled) / (len(pooled) - 1)
    assert got["estimate"] == pytest.approx(1 - observed / expected, rel=1e-12)
    assert got["n_categories"] == len(np.unique(table[~np.isnan(table)]))
