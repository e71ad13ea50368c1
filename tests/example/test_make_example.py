"""The example data: made by the script, and with what it should show."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import pandas_agreement
from pandas_agreement import load_example
from pandas_agreement.example import make_example
from tests.data_sets import CODERS


def test_load_example_is_fresh() -> None:
    first = pandas_agreement.load_example()
    first["ann"] = "x"
    assert pandas_agreement.load_example()["ann"].nunique() > 1


def test_the_script_writes_the_shipped_file_byte_for_byte():
    shipped = Path(make_example.__file__).with_name("annotations.csv")
    assert shipped.read_bytes() == make_example.example_csv().encode("utf-8")
    assert shipped.stat().st_size < 40_000


def test_the_example_is_fresh_each_time():
    first = load_example()
    first["ann"] = "spoiled"
    second = load_example()
    assert list(second.columns) == ["item", "batch", "text_length", *CODERS]
    assert len(second) == 600
    assert isinstance(second.index, pd.RangeIndex)
    assert set(second[CODERS].stack().dropna()) == {"bug", "question", "request", "complaint"}
    assert "spoiled" not in set(second["ann"])


def test_the_example_has_gaps_of_every_size():
    given = load_example()[CODERS].notna().sum(axis=1)
    assert set(given) == {0, 1, 2, 3, 4}
    assert 0.15 < 1 - given.sum() / 2400 < 0.25


@pytest.mark.parametrize("name", ["kappa", "alpha"])
def test_the_retraining_shows(name):
    by_batch = getattr(load_example().agree, name)(*CODERS, by="batch")
    before, after = by_batch.iloc[:3], by_batch.iloc[3:]
    assert before["ci_high"].max() < after["ci_low"].min()


def test_dev_stands_out():
    pairs = load_example().agree.by_pair(*CODERS)["estimate"]
    with_dev = ["dev" in key for key in pairs.index]
    assert pairs[with_dev].max() < pairs[np.invert(with_dev)].min() - 0.05
    assert load_example()["dev"].eq("bug").mean() > load_example()["ann"].eq("bug").mean() + 0.05


def test_complaint_is_the_weak_category():
    rates = load_example().agree.by_category(*CODERS)["estimate"]
    assert rates.idxmin() == "complaint"
    assert rates["complaint"] < rates.drop("complaint").min() - 0.1


def test_long_tickets_are_harder():
    frame = load_example()
    long = frame["text_length"] > 40
    assert frame[long].agree.alpha(*CODERS)["estimate"].iloc[0] < frame[~long].agree.alpha(*CODERS)["estimate"].iloc[0]
