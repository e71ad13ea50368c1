"""Results have the columns of their schema, in its order, and fit a screen."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

import pandas_agreement
from pandas_agreement import AgreementWarning
from pandas_agreement.results import schemas


def header(result: pd.DataFrame) -> list[str]:
    """The columns that pandas shows on 80 characters."""
    with pd.option_context("display.width", 80, "display.max_columns", 0):
        return repr(result).splitlines()[0].split()


def test_what_matters_is_shown_on_80_columns() -> None:
    order = "estimate ci_low ci_high se observed expected n_items note"
    assert list(schemas.RESULT.shown) == order.split()
    more = "weights missing ci_method ci_level n_coders n_categories remarks"
    assert list(schemas.RESULT.detail) == more.split()
    found = pandas_agreement.load_example().agree.kappa("ann", "bob", by="batch")
    assert isinstance(found.index[0], str)
    assert header(found) == ["estimate", "ci_low", "ci_high", "...", "expected", "n_items", "note"]


def test_a_note_leaves_room_for_all_columns() -> None:
    df = pandas_agreement.load_example().assign(bob="calm")
    with pytest.warns(AgreementWarning, match="only one category used"):
        found = df.assign(ann="calm").agree.kappa("ann", "bob", by="batch")
    assert set(found["note"]) == {"one category"}
    assert {"estimate", "ci_low", "ci_high", "n_items", "note"} <= set(header(found))
    assert header(found)[:3] == ["estimate", "ci_low", "ci_high"]


def test_a_result_with_details_begins_and_ends_with_what_matters() -> None:
    agree: Any = pandas_agreement.load_example().agree
    found = agree.kappa("ann", "bob", by="batch", detail=True)
    assert list(found.columns)[: len(schemas.RESULT.shown)] == list(schemas.RESULT.shown)
    assert list(found.columns)[len(schemas.RESULT.shown)] == "coefficient"
    assert header(found)[0] == "estimate"
