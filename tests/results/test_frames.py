"""Frames made of ready arrays are frames like any other."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_index_equal

from pandas_agreement.results import frames
from tests.data_sets import scores


def test_a_frame_of_ready_arrays_is_the_frame_that_pandas_makes(monkeypatch: pytest.MonkeyPatch) -> None:
    df = pd.DataFrame({"ann": list("xxyyxy"), "bob": list("xyyyxx"), "batch": [1, 1, 1, 2, 2, 2]})
    quick = df.agree.summary("ann", "bob", by="batch")
    monkeypatch.setattr(frames, "FROM_ARRAYS", None)
    pd.testing.assert_frame_equal(quick, df.agree.summary("ann", "bob", by="batch"), check_exact=True)


def test_a_renamed_index_does_not_reach_the_next_result() -> None:
    df = scores(20, 2)
    df.agree.kappa().index.name = "mine"
    assert df.agree.kappa().index.name == "coefficient"


@pytest.mark.parametrize("ready", [True, False])
def test_a_column_of_a_result_has_memory_of_its_own(monkeypatch: pytest.MonkeyPatch, ready: bool) -> None:
    """Columns that hold the same nothing were one array, and writing into one of them changed the others."""
    if not ready:
        monkeypatch.setattr(frames, "FROM_ARRAYS", None)
    df = pd.DataFrame({"ann": list("xxyy"), "bob": list("xyyy"), "batch": [1, 1, 2, 2]})
    result = df.agree.observed("ann", "bob", by="batch", ci=None)
    result.iloc[0, result.columns.get_loc("se")] = 5.0
    assert result["ci_low"].isna().all()
    assert result["ci_high"].isna().all()
    assert df.agree.observed("ann", "bob", by="batch", ci=None)["se"].isna().all()


@pytest.mark.parametrize(
    "values", [["b", "a", "c"], [3.5, -1.0, 2.0], [("x", 1), "y", 2], [pd.NaT, pd.Timestamp("2020")]]
)
@pytest.mark.parametrize("n_rows", [0, 7])
def test_a_level_that_repeats_is_the_level_written_out(values: list[object], n_rows: int) -> None:
    labels = pd.Index(values, tupleize_cols=False)
    place = np.arange(n_rows) % len(labels)
    groups = pd.Index(np.arange(n_rows) // 4, name="batch")
    full = {"coder": labels.take(place), "category": np.arange(n_rows)}
    short = full | {"coder": frames.Repeated(labels, place)}
    for keys in (None, groups):
        assert_index_equal(frames.index_of(keys, short), frames.index_of(keys, full), exact=True)
        assert_index_equal(frames.row_index(keys, short, ["pi", "ac1"]), frames.row_index(keys, full, ["pi", "ac1"]))
    alone = frames.index_of(None, {"coder": frames.Repeated(labels, place)})
    assert_index_equal(alone, frames.index_of(None, {"coder": labels.take(place)}))
