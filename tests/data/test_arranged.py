"""A reading arranged in another way is what reading the frame again would give."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from pandas_agreement import load_example
from pandas_agreement.coefficients.registry import find
from pandas_agreement.data import Needs, Reading, read_counts, read_crosstab, read_long, read_wide
from pandas_agreement.engine import measure
from pandas_agreement.errors import InputError
from pandas_agreement.options import Options

CODERS = ["ann", "bob", "cleo", "dev"]
COLUMNS = ("item", "who", "tag")
RECORDS = [find(name) for name in ("observed", "kappa", "alpha", "ac1", "s")]

pytestmark = pytest.mark.filterwarnings("ignore::pandas_agreement.errors.AgreementWarning")


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    """The example; some rows are in no group, and one label is given by one coder only."""
    found = load_example()
    return found.assign(
        batch=found["batch"].where(np.arange(600) % 7 > 0), dev=found["dev"].where(np.arange(600) % 50 > 0, "rare")
    )


@pytest.fixture(scope="module")
def long(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.melt(["item", "batch"], CODERS, var_name="who", value_name="tag")


def same(one: Reading, other: Reading, records: Any = RECORDS) -> None:
    pd.testing.assert_frame_equal(measure(one, records, Options()), measure(other, records, Options()))
    assert list(one.coders) == list(other.coders)
    for name in ("rows", "items", "clusters", "groups"):
        ours, theirs = getattr(one, name), getattr(other, name)
        assert (ours is None) == (theirs is None), name
        assert ours is None or list(ours) == list(theirs), name


@pytest.mark.parametrize("rows", [False, True])
@pytest.mark.parametrize("coders", [CODERS, CODERS[:2]])
def test_wide(frame: pd.DataFrame, coders: list[str], rows: bool) -> None:
    clusters = "text_length" if rows else None
    read = read_wide(frame, coders, Options(by="batch", clusters=clusters))
    for by in (None, "batch"):
        other = read_wide(frame, coders, Options(by=by, clusters=clusters), Needs(rows=rows))
        same(read.arranged(grouped=by is not None, rows=rows), other)


@pytest.mark.parametrize("rows", [False, True])
@pytest.mark.parametrize("duplicates", ["first", "last"])
def test_long(long: pd.DataFrame, rows: bool, duplicates: str) -> None:
    twice = pd.concat([long, long.head(30).assign(tag="bug")])
    read = read_long(twice, COLUMNS, (), Options(by="batch"), duplicates=duplicates)
    for by in (None, "batch"):
        other = read_long(twice, COLUMNS, (), Options(by=by), Needs(rows=rows), duplicates)
        same(read.arranged(grouped=by is not None, rows=rows), other)


def test_counts(frame: pd.DataFrame) -> None:
    counts = pd.DataFrame({label: frame[CODERS].eq(label).sum(axis=1) for label in ("bug", "question", "request")})
    read = read_counts(counts.assign(batch=frame["batch"]), options=Options(by="batch"))
    records = [find(name) for name in ("observed", "alpha", "s")]
    same(read.arranged(grouped=False, rows=True), read_counts(counts, needs=Needs(rows=True)), records)


@pytest.mark.parametrize("place", range(4))
def test_without_a_coder(frame: pd.DataFrame, long: pd.DataFrame, place: int) -> None:
    others = [name for name in CODERS if name != CODERS[place]]
    same(read_wide(frame, CODERS).arranged(grouped=False, without=place), read_wide(frame, others))
    chosen = read_long(long, COLUMNS, CODERS)
    same(chosen.arranged(grouped=False, without=place), read_long(long, COLUMNS, others))


def test_categories_that_only_the_coder_left_out_used_are_gone_unless_declared(frame: pd.DataFrame) -> None:
    rest = read_wide(frame, CODERS).arranged(grouped=False, without=3)
    assert "rare" not in rest.category_set.labels
    declared = [*"xy", *sorted({*frame[CODERS].stack().dropna()})]
    rest = read_wide(frame, CODERS, Options(categories=declared)).arranged(grouped=False, without=3)
    assert rest.category_set.labels.tolist() == declared


def test_what_the_call_said_stays(frame: pd.DataFrame) -> None:
    read = read_long(frame.melt("item", CODERS, var_name="who", value_name="tag"), COLUMNS, ())
    assert (read.named, read.arranged(grouped=False).named) == (False, False)


def test_a_crosstab_has_no_items(frame: pd.DataFrame) -> None:
    read = read_crosstab(pd.crosstab(frame["ann"], frame["bob"]))
    with pytest.raises(InputError, match=r"^a crosstab has no items; give the data with one row per item or judgment$"):
        read.arranged(grouped=False, rows=True)
