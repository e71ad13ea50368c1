"""Long data: ids, coders and labels of every type, in any order."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pandas_agreement
from pandas_agreement import (
    ColumnError,
    InputError,
)
from pandas_agreement.data import read_long
from pandas_agreement.data.long import _identify_together
from pandas_agreement.options import Options
from tests.data_sets import LONG, as_long, scores
from tests.helpers import refuses, same


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
        door = df.agree.long(**LONG)
        results = [door.summary(metrics=metrics, by=by, missing=rule) for rule in ("pairable", "all", "complete")]
        results += [door.summary(metrics=metrics, by=by, method="jackknife"), door.by_coder(by=by), door.by_pair(by=by)]
        return [*results, door.alpha(by=by, method="bca", n_resamples=200, rng=1), door.confusion("a", "b", by=by)]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pandas_agreement.AgreementWarning)  # few items are complete
        quick = measured()
        monkeypatch.setattr("pandas_agreement.data.long.MAX_CELLS", 0)
        for one, two in zip(quick, measured(), strict=True):
            pd.testing.assert_frame_equal(one, two, rtol=1e-12)


SMALL = [("uint8", "uint8", "int8"), ("uint64", "category", "uint8"), ("int16", "int64", "category")]


@pytest.mark.parametrize(("ids", "who", "tags"), SMALL)
def test_small_integers_do_not_run_over(ids: str, who: str, tags: str) -> None:
    """Ids, coders and codes of a byte each, whose products are far larger."""
    rng = np.random.default_rng(4)
    df = pd.DataFrame({"doc": np.repeat(np.arange(200), 3), "who": np.tile([0, 1, 2], 200)})
    df["who"] += 3 * rng.integers(0, 9, 200)[df["doc"]]
    df["tag"] = np.where(rng.random(600) < 0.6, rng.integers(0, 90, 200)[df["doc"]], rng.integers(0, 90, 600))
    metrics = ["kappa", "alpha", "light_kappa", "bias"]

    def measured(frame: pd.DataFrame) -> list[pd.DataFrame]:
        door = frame.agree.long(**LONG)
        return [door.summary(metrics=metrics), door.by_coder().drop(columns="favours"), door.kappa(method="jackknife")]

    small = measured(df.astype({"doc": ids, "who": who, "tag": tags}))
    for one, two in zip(small, measured(df), strict=True):
        np.testing.assert_allclose(one.select_dtypes("number"), two.select_dtypes("number"), rtol=1e-9)


def test_an_id_that_no_item_has_is_no_item_with_gaps() -> None:
    df = pd.DataFrame({"doc": [1, 1, 9, 9], "who": list("abab"), "tag": list("xyxx")})
    assert df.agree.long(**LONG).observed(missing="raise")["n_items"].item() == 2


def test_a_coder_named_twice_is_refused_in_long_data_too() -> None:
    door = as_long(scores(10, 3))
    with pytest.raises(InputError, match=r"^Coder 'ann' is named twice\. A coder always agrees with themselves\.$"):
        door.kappa("ann", "ann", "bob")
    with pytest.raises(InputError, match=r"^Coder 'ann' is named twice\. A coder always agrees with themselves\.$"):
        door.kappa(["ann", "ann", "bob"])
    same(door.kappa(["ann", "bob"]), door.kappa("ann", "bob"))


def test_a_name_of_another_type_is_pointed_out() -> None:
    long = pd.DataFrame({"item": [1, 1, 2, 2], "coder": [1, 2, 1, 2], "label": list("xyxx")})
    with pytest.raises(ColumnError) as caught:
        long.agree.long(item="item", coder="coder", label="label").kappa("1", "2")
    assert str(caught.value) == "No coder '1'. There is 1, of another type (int, not str)."
    with pytest.raises(InputError) as repeated:
        pd.concat([long, long]).agree.long(item="item", coder="coder", label="label").kappa()
    assert "coder 1 labelled item 1 2 times" in str(repeated.value)


def test_item_ids_may_be_large() -> None:
    long = pd.DataFrame({"item": np.array([2**63, 2**63, 2**63 + 1, 2**63 + 1], np.uint64)})
    long = long.assign(coder=list("abab"), label=list("xyxx"))
    assert long.agree.long(item="item", coder="coder", label="label").pi()["n_items"].iloc[0] == 2


def test_numbered_items_are_in_their_order_and_named_ones_as_they_come() -> None:
    long = pd.DataFrame({"doc": [3, 3, 1, 1, 2, 2], "who": list("ab" * 3), "tag": list("xxyyxy")})
    for ids, expected in (("int64", [1, 2, 3]), ("str", ["3", "1", "2"])):
        assert long.astype({"doc": ids}).agree.long(**LONG).by_item().index.tolist() == expected


def test_only_the_repeated_judgment_is_dropped() -> None:
    long = pd.DataFrame({"doc": [1, 1, 2, 2, 2], "who": list("ababb"), "tag": list("xxyxy")})
    for duplicates, dropped in (("first", 4), ("last", 3)):
        found = long.agree.long(**LONG, duplicates=duplicates).alpha()
        same(found, long.drop(index=dropped).agree.long(**LONG).alpha())
    with refuses(
        InputError,
        "Judgments are repeated, 1 in all: coder 'b' labelled item 2 2 times. Keep one with duplicates='first' or "
        "duplicates='last', or compare them with retest().",
    ):
        long.agree.long(**LONG).alpha()


def test_anonymous_raters_are_numbered_within_group_and_item() -> None:
    long = pd.DataFrame({"doc": list("ppqq") * 4, "tag": list("xyxx" * 4), "batch": np.repeat(range(4), 4)})
    reading = read_long(long, ("doc", None, "tag"), (), Options(by="batch"))
    assert (reading.ratings.n_items, reading.ratings.coder.max()) == (8, 1)


def test_combinations_beyond_64_bits_are_sorted_apart_from_their_labels() -> None:
    long = pd.DataFrame({"doc": [0, 0, 1, 1], "who": list("abab"), "tag": list("zxyx")})
    coded: Any = read_long(long, ("doc", "who", "tag"), ()).read_together.__self__  # type: ignore[union-attr]
    judgment = np.array([2**62 - 2, 5, 2**62 - 4, 7])
    judged, code = coded._sorted(judgment, 2**62 - 1)
    assert judged.tolist() == sorted(judgment.tolist())
    assert code.tolist() == coded.code[[1, 3, 2, 0]].tolist()


@pytest.mark.parametrize("most", [0, 32])
def test_items_of_several_columns_are_numbered_as_they_appear(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """Looked up in a table or hashed, the numbers are those of `pd.factorize` of the tuples."""
    monkeypatch.setattr("pandas_agreement.data.long.MAX_CELLS", most)
    rng = np.random.default_rng(1)
    words = pd.Series(rng.choice(["x", "y", "z", None], 200))
    kinds = {
        "int": pd.Series(rng.integers(-3, 30, 200)),
        "str": words,
        "category": words.astype("category"),
        "float": pd.Series(rng.choice([0.5, 2.0, np.nan], 200)),
    }
    frame = pd.DataFrame(kinds)
    for keys in (["int", "str"], ["str", "category", "int"], ["float", "int"]):
        tuples = pd.Series(list(frame[keys].itertuples(index=False, name=None)))
        codes, names = pd.factorize(tuples.where(frame[keys].notna().all(axis=1)))
        found, items = _identify_together([frame[key] for key in keys], keys)
        assert found.tolist() == codes.tolist()
        assert items.tolist() == list(names)
        assert items.names == keys
        assert [items.get_level_values(key).dtype for key in keys] == frame[keys].dtypes.tolist()


def test_items_of_many_columns_are_not_merged_beside_a_gap() -> None:
    """Numbers of combinations beyond 2^53 are no floats."""
    items = [[str(i)] * 10 for i in range(40)] + [["39"] * 9 + ["38"]]
    frame = pd.DataFrame(items).add_prefix("key").assign(tag=[str(i % 2) for i in range(41)])
    both = pd.concat([frame.assign(who="ann"), frame.assign(who="bob")], ignore_index=True)
    both.loc[len(both)] = [None, *["0"] * 9, None, "ann"]  # a row without a label is ignored
    keys = [f"key{place}" for place in range(10)]
    found = both.agree.long(item=keys, coder="who", label="tag").alpha()
    assert found[["estimate", "n_items"]].iloc[0].tolist() == [1, 41]


def test_exact_spans_as_items_say_how_many_matched_nothing() -> None:
    spans = pd.DataFrame({"doc": [1, 1, 1, 1, 2], "start": [0, 0, 5, 6, 2], "end": [3, 3, 9, 9, 4], "who": [*"ababa"]})
    spans["tag"] = ["PER", "ORG", "LOC", "LOC", "PER"]
    found = spans.agree.long(item=["doc", "start", "end"], coder="who", label="tag").alpha(detail=True)["remarks"]
    assert found.iloc[0].endswith("3 of 4 spans have no match with the same ends: see df.agree.spans")
    lines = spans.rename(columns={"start": "page", "end": "line"})
    found = lines.agree.long(item=["doc", "page", "line"], coder="who", label="tag").alpha(detail=True)["remarks"]
    assert "span" not in found.iloc[0]
