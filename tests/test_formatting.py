"""Numbers as text."""

from __future__ import annotations

import pandas as pd
import pytest

from pandas_agreement import formatting as words


@pytest.mark.parametrize(
    ("function", "value", "text"),
    [
        (words.number, -0.0004, "0.000"),
        (words.number, -0.0006, "-0.001"),
        (words.number, float("nan"), "undefined"),
        (words.p_value, 0.0009, "< 0.001"),
        (words.p_value, 0.001, "0.001"),
        (words.p_value, 0.005, "0.005"),
        (words.p_value, 0.05, "0.050"),
        (words.p_value, 0.9999, "1.000"),
        (words.percent, 0.004, "< 1%"),
        (words.percent, 1.0, "100%"),
        (words.percent, 0.9999, "> 99%"),
        (words.signed, -0.0001, "0.000"),
        (words.measured, 99.96, "100.0"),
        (words.measured, -1234567.0, "-1234567"),
        (words.measured, 1.5e12, "1.5e+12"),
        (words.cell, 3.0, "3"),
        (words.cell, None, ""),
        (words.cell, pd.NaT, ""),
        (words.cell, pd.Timestamp("2026-01-05"), "2026-01-05"),
        (words.cell, [1, 2], "[1, 2]"),
        (words.cell, " x", "' x'"),
        (words.cell, "", "''"),
        (words.fact, " ", ""),
        (words.label_text, pd.Timestamp("2026-01-05"), "2026-01-05"),
        (words.label_text, pd.Timestamp("2026-01-05 12:00"), "2026-01-05 12:00:00"),
        (words.sentence, "is it so?", "Is it so?"),
        (words.sentence, "it is so", "It is so."),
    ],
)
def test_values_as_text(function, value, text) -> None:
    assert function(value) == text
