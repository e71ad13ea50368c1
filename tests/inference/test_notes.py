"""Notes about what could not be computed."""

from __future__ import annotations

import pandas as pd


def test_a_standard_error_of_nothing_is_noted() -> None:
    df = pd.DataFrame({"a": ["x"] * 6, "b": ["y"] * 6})
    assert "all items alike" in df.agree.observed()["note"].iloc[0]
    one = df.iloc[:1].agree.kappa()["note"].iloc[0]
    assert one.startswith("one item or cluster: no se")
