"""CONTRIBUTING.md, "Add a coefficient in ten minutes", followed to the letter."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import pandas_agreement
from pandas_agreement.accessor.coefficients import CoefficientMethods as Methods
from pandas_agreement.coefficients import registry
from tests.data_sets import scores, to_counts, to_long

CONTRIBUTING = Path(__file__).parent.parent / "CONTRIBUTING.md"


@pytest.fixture
def aickin() -> Iterator[str]:
    """The coefficient of the guide, registered by the very lines the guide shows."""
    section = CONTRIBUTING.read_text(encoding="utf-8").partition("## Add a coefficient in ten minutes")[2]
    (code,) = re.findall(r"```python\n(.*?)```", section, flags=re.DOTALL)[:1]
    exec(compile(code, "CONTRIBUTING.md", "exec"), {})
    yield "toy"
    registry.unregister("toy")
    del Methods.toy  # type: ignore[attr-defined]


def test_a_new_coefficient_is_found_everywhere(aickin: str) -> None:
    df = scores(60, 3).assign(batch=["x", "y"] * 30)
    coders = ["ann", "bob", "cleo"]
    row = df.agree.toy(*coders).iloc[0]
    assert row["estimate"] == pytest.approx((row["observed"] - 0.5) / 0.5)
    assert row["se"] == pytest.approx(2 * df.agree.observed(*coders)["se"].iloc[0])
    assert row["ci_low"] < row["estimate"] < row["ci_high"]
    grouped = df.agree.toy(*coders, by="batch")
    assert grouped.index.tolist() == [("x", "toy"), ("y", "toy")]
    pd.testing.assert_frame_equal(df.groupby("batch").agree.toy(*coders), grouped)
    assert df.agree.summary(*coders, metrics=["kappa", "toy"]).index.tolist() == ["kappa", "toy"]
    assert "toy" in pandas_agreement.catalog().index
    assert "toy" in dir(df.agree)
    assert df.agree.halfway(*coders).index.tolist() == ["toy"]
    assert "coin" in (Methods.toy.__doc__ or "")  # type: ignore[attr-defined]
    assert len(df.agree.pairwise(*coders, metric="toy")) == 3


def test_a_new_coefficient_has_every_way_in(aickin: str) -> None:
    df = scores(60, 2)
    expected = df.agree.toy()
    doors = [
        to_long(df).agree.long(item="doc", coder="who", label="tag"),
        pd.crosstab(df["ann"], df["bob"]).agree.crosstab(),
        to_counts(df, [1, 2, 3, 4]).agree.counts(),
    ]
    for door in doors:
        pd.testing.assert_frame_equal(door.toy(), expected)
    jackknife = df.agree.toy(method="jackknife")["se"].iloc[0]
    assert np.isclose(jackknife, expected["se"].iloc[0], rtol=0.05)


def test_a_name_that_is_taken_is_refused() -> None:
    with pytest.raises(pandas_agreement.InputError, match=r"^the coefficient name 'kappa' is taken$"):
        registry.register(registry.REGISTRY["kappa"])
