"""Results have the columns of their schema, in its order."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import pandas_agreement
from pandas_agreement import AgreementWarning
from pandas_agreement.results import schemas
from tests.data_sets import scores

SCHEMAS = {"items": schemas.ITEMS, "coders": schemas.CODERS, "margins": schemas.MARGINS}


@pytest.mark.parametrize("name", SCHEMAS)
def test_columns_follow_the_schema(name: str) -> None:
    table = getattr(scores(30).agree, name)()
    assert list(table.columns) == list(SCHEMAS[name])
    for column, (dtype, _) in SCHEMAS[name].items():
        if dtype not in ("label", "str"):
            assert table[column].dtype == np.dtype(dtype), column


def test_what_matters_is_shown_on_80_columns() -> None:
    order = (
        "estimate ci_low ci_high se observed expected weights missing ci_method ci_level n_categories n_coders n_items"
    )
    assert list(schemas.RESULT) == [*order.split(), "note"]
    found = pandas_agreement.load_example().agree.kappa("ann", "bob", by="batch")
    assert isinstance(found.index.get_level_values("batch")[0], str)
    with pd.option_context("display.width", 80, "display.max_columns", 0):
        shown = repr(found).splitlines()[0].split()
    assert shown == ["estimate", "ci_low", "ci_high", "...", "n_coders", "n_items", "note"]


def test_a_common_note_leaves_room_for_estimate_limit_and_items() -> None:
    df = pandas_agreement.load_example().assign(bob="calm")
    with pytest.warns(AgreementWarning, match="only one category used"):
        found = df.assign(ann="calm").agree.kappa("ann", "bob", by="batch")
    with pd.option_context("display.width", 80, "display.max_columns", 0):
        assert repr(found).splitlines()[0].split() == ["estimate", "ci_low", "...", "n_items", "note"]
