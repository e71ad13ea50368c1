"""Cells that should be numbers."""

from __future__ import annotations

import pytest

import pandas_agreement


def test_text_is_refused_with_the_column_and_the_value() -> None:
    df = pandas_agreement.load_example()
    with pytest.raises(
        pandas_agreement.LabelTypeError, match=r"^components needs numbers, and 'bug' \(of 'ann'\) is not one"
    ):
        df.agree.components("ann", "bob")
