"""A reading without groups or without one coder is what reading the frame again would give."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from pandas_agreement import load_example
from pandas_agreement.coefficients.registry import find
from pandas_agreement.data import Reading, read_counts, read_long, read_wide
from pandas_agreement.engine import measure
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


@pytest.mark.parametrize("clusters", [None, "text_length"])
@pytest.mark.parametrize("coders", [CODERS, CODERS[:2]])
def test_wide(frame: pd.DataFrame, coders: list[str], clusters: str | None) -> None:
    read = read_wide(frame, coders, Options(by="batch", clusters=clusters))
    same(read.together(), read_wide(frame, coders, Options(clusters=clusters)))


@pytest.mark.parametrize("duplicates", ["first", "last"])
def test_long(long: pd.DataFrame, duplicates: str) -> None:
    twice = pd.concat([long, long.head(30).assign(tag="bug")])
    read = read_long(twice, COLUMNS, (), Options(by="batch"), duplicates=duplicates)
    same(read.together(), read_long(twice, COLUMNS, (), Options(), duplicates=duplicates))


@pytest.mark.parametrize("by", [None, "batch"])
def test_long_in_row_order_is_what_sorting_gives(long: pd.DataFrame, by: str | None) -> None:
    mixed = long.assign(batch=long["batch"].fillna("none")).sample(frac=1, random_state=1)
    repeated = pd.concat([mixed, mixed.head(1)])  # so that the judgments are sorted
    read = read_long(mixed, COLUMNS, (), Options(by=by))
    same(read, read_long(repeated, COLUMNS, (), Options(by=by), duplicates="first"))


def test_counts(frame: pd.DataFrame) -> None:
    counts = pd.DataFrame({label: frame[CODERS].eq(label).sum(axis=1) for label in ("bug", "question", "request")})
    read = read_counts(counts.assign(batch=frame["batch"]), options=Options(by="batch"))
    same(read.together(), read_counts(counts), [find(name) for name in ("observed", "alpha", "s")])


@pytest.mark.parametrize("by", [None, "batch"])
def test_equal_items_of_two_coders_are_one_unless_clusters_tell_them_apart(frame: pd.DataFrame, by: str | None) -> None:
    read = read_wide(frame, CODERS[:2], Options(by=by))
    assert read.compact().ratings.n_items < 150 < read.ratings.n_items
    pd.testing.assert_frame_equal(
        measure(read.compact(), RECORDS, Options()), measure(read, RECORDS, Options()), rtol=1e-12
    )
    apart = read_wide(frame, CODERS[:2], Options(by=by, clusters="item"))
    assert apart.compact().ratings.n_items == apart.ratings.n_items


@pytest.mark.parametrize("place", range(4))
def test_without_a_coder(frame: pd.DataFrame, long: pd.DataFrame, place: int) -> None:
    others = [name for name in CODERS if name != CODERS[place]]
    same(read_wide(frame, CODERS).without(place), read_wide(frame, others))
    used = long[long["tag"].ne("rare") | long["who"].isin(others)]  # reading all labels declares none of them
    rest = read_long(long, COLUMNS, CODERS).without(place)  # items without a label of the others stay
    same(rest.compact(), read_long(used, COLUMNS, others).compact())


def test_categories_that_only_the_coder_left_out_used_are_gone_unless_declared(
    frame: pd.DataFrame, long: pd.DataFrame
) -> None:
    for read in (read_wide(frame, CODERS), read_long(long, COLUMNS, CODERS)):
        assert "rare" not in read.without(3).category_set.labels
    declared = [*"xy", *sorted({*frame[CODERS].stack().dropna()})]
    rest = read_wide(frame, CODERS, Options(categories=declared)).without(3)
    assert rest.category_set.labels.tolist() == declared


def test_what_the_call_said_stays(frame: pd.DataFrame) -> None:
    long = frame.melt(["item", "batch"], CODERS, var_name="who", value_name="tag")
    for coders in ((), CODERS):
        read = read_long(long, COLUMNS, coders, Options(by="batch"))
        assert (read.named, read.together().named) == (bool(coders), bool(coders))
