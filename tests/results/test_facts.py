"""Facts about a result: from a level of the index, else from a column, else from its attrs."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from pandas_agreement.results.tidy import UNKNOWN, coefficient_of, fact, noted, with_coefficient

PLAIN = pd.DataFrame({"estimate": [0.1, 0.2]}, index=pd.Index(["x", "y"], name="batch"))


def having(result: pd.DataFrame, **facts: Any) -> pd.DataFrame:
    """A copy of the result that notes these facts."""
    result = result.copy()
    result.attrs = {"agree": facts}
    return result


def test_a_level_holds_before_a_column_and_a_column_before_attrs() -> None:
    attrs = having(PLAIN, coefficient="pi", ci_level=0.9)
    column = attrs.assign(coefficient="kappa", ci_level=0.95)
    level = column.assign(coefficient="s").set_index(column["coefficient"], append=True)
    assert [fact(frame, "coefficient") for frame in (PLAIN, attrs, column, level)] == [None, "pi", "kappa", "kappa"]
    assert [fact(frame, "ci_level") for frame in (PLAIN, attrs, column)] == [None, 0.9, 0.95]
    assert fact(having(PLAIN, method="bca").assign(ci_method="score"), "method") == "score"


def test_rows_that_differ_share_no_fact_and_rows_without_one_have_no_say() -> None:
    assert fact(having(PLAIN, weights="linear").assign(weights=["linear", "nominal"]), "weights") is None
    assert fact(PLAIN.assign(ci_level=[None, 0.95]), "ci_level") == 0.95


@pytest.mark.parametrize("attrs", [{}, {"agree": "yes, I do"}, {"agree": None}, {"other": {"coefficient": "pi"}}])
def test_attrs_of_others_say_nothing(attrs: dict[str, Any]) -> None:
    frame = PLAIN.copy()
    frame.attrs = attrs
    assert noted(frame, "coefficient") is None
    assert coefficient_of(frame) is None


def test_the_coefficient_of_each_row() -> None:
    attrs = having(PLAIN, coefficient="pi")
    for frame in (attrs, PLAIN.assign(coefficient="pi")):
        found = coefficient_of(frame)
        assert found is not None
        assert found.tolist() == ["pi", "pi"]
    assert coefficient_of(attrs.rename(columns={"estimate": "bias"})) is None  # of whatever the frame is about
    assert coefficient_of(PLAIN["estimate"]) is None
    assert with_coefficient(attrs).index.tolist() == [("x", "pi"), ("y", "pi")]
    assert with_coefficient(PLAIN).index.get_level_values("coefficient").tolist() == [UNKNOWN, UNKNOWN]
    level = with_coefficient(attrs)
    assert with_coefficient(level) is level
