"""Tables of counts as data."""

from __future__ import annotations

import pandas as pd
import pytest


def test_counts_may_be_huge() -> None:
    counts = pd.DataFrame({"x": [5_000_000_000, 0, 10], "y": [0, 5_000_000_000, 10]})
    small = pd.DataFrame({"x": [50, 0, 10], "y": [0, 50, 10]})
    big, little = (frame.agree.counts().pi(ci=None)["estimate"].iloc[0] for frame in (counts, small))
    assert big == pytest.approx(little, abs=0.02)
