"""`overall=True`: the row of all items is that of the call without groups."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import pandas_agreement
from pandas_agreement import AgreementWarning, InputError
from pandas_agreement.coefficients.registry import REGISTRY
from tests.data_sets import LONG, scores, to_long
from tests.helpers import defaults, part_of, reach

FRAME = scores(24, n_coders=2).fillna(1).assign(batch=np.arange(24) % 3)
KEYS = ["batch", "half"]


def all_row(found: pd.DataFrame) -> pd.DataFrame:
    return part_of(found, **{name: "(all)" for name in KEYS if name in found.index.names})


@pytest.mark.parametrize("name", REGISTRY)
def test_every_coefficient(name: str) -> None:
    needs: dict[str, Any] = defaults(name) | {"detail": True}
    wide = FRAME.drop(columns="batch").agree
    alone = getattr(wide, name)(**needs)
    for found in (
        getattr(FRAME.agree, name)(by="batch", overall=True, **needs),
        getattr(FRAME.groupby("batch").agree, name)(overall=True, **needs),
    ):
        pd.testing.assert_frame_equal(all_row(found), alone)
        assert found.index.get_level_values("batch").tolist() == [0, 1, 2, "(all)"]
        assert found.index.get_level_values("batch").dtype == object
    long = to_long(FRAME, ("batch",)).agree.long(**LONG)
    found = getattr(long, name)(by="batch", overall=True, **needs)
    pd.testing.assert_frame_equal(all_row(found), getattr(long, name)(**needs))


METHODS = "summary by_pair by_category by_coder margins diagnose test.margins test.chance"


@pytest.mark.parametrize("name", METHODS.split())
def test_other_methods(name: str) -> None:
    df = pandas_agreement.load_example()
    names = ["ann", "bob", "cleo", "dev"]
    found = reach(df.agree, name)(*names, by="batch", overall=True)
    each = reach(df.agree, name)(*names, by="batch")
    assert found.index.get_level_values("batch").dtype == each.index.get_level_values("batch").dtype  # text stays text
    pd.testing.assert_frame_equal(found.iloc[: len(each)], each, check_index_type=False)
    pd.testing.assert_frame_equal(all_row(found), reach(df.agree, name)(*names))


def test_judges_coder_groups_and_scores() -> None:
    df = pandas_agreement.load_example()
    judged = df.agree.judges("dev", humans=["ann", "bob", "cleo"])
    camps = df.agree.coder_groups({"x": ["ann", "bob"], "y": ["cleo", "dev"]})
    for method in (judged.versus_humans, judged.ceilings, camps.within, camps.compare):
        pd.testing.assert_frame_equal(all_row(method(by="batch", overall=True)), method())
    pd.testing.assert_frame_equal(
        all_row(FRAME.agree.icc(by="batch", overall=True, detail=True)), FRAME.agree.icc("ann", "bob", detail=True)
    )


def test_several_keys_are_all_of_them() -> None:
    df = FRAME.assign(half=["u", "v"] * 12)
    found = df.agree.kappa("ann", "bob", by=["batch", "half"], overall=True)
    assert found.index[-1] == ("(all)", "(all)")
    pd.testing.assert_frame_equal(all_row(found), df.agree.kappa("ann", "bob"))


def test_items_without_a_key_count() -> None:
    df = FRAME.assign(batch=FRAME["batch"].where(FRAME["batch"] > 0))
    with pytest.warns(AgreementWarning, match="8 of 24 rows have no group key"):
        found = df.agree.kappa("ann", "bob", by="batch", overall=True)
    assert found["n_items"].tolist() == [8, 8, 24]


def test_what_is_refused() -> None:
    def message(call: Any) -> str:
        with pytest.raises(InputError) as raised:
            call()
        return str(raised.value)

    assert message(lambda: FRAME.agree.kappa(overall=True)) == (
        "overall=True adds a row for all items to those of the groups, and there are no groups. Name them with by=, "
        "or leave out overall="
    )
    taken = FRAME.assign(batch="(all)")
    assert message(lambda: taken.agree.kappa(by="batch", overall=True)) == (
        "overall=True calls the row of all items '(all)', and a group of 'batch' has that name. Rename the group."
    )
    assert message(lambda: FRAME.agree.by_item(by="batch", overall=True)) == (
        "by_item has no option 'overall'. Its result has no rows per group."
    )
    assert message(lambda: pandas_agreement.stream([FRAME], "ann", "bob", by="batch", overall=True)) == (
        "Stream has no option 'overall': it computes the rows of the groups alone. Call it once more without by="
    )
