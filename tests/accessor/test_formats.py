"""Ways in: what a groupby selects."""

from __future__ import annotations

import pandas as pd
from pandas.testing import assert_frame_equal

from tests.data_sets import scores


def test_a_selection_of_a_groupby_chooses_coders_and_categories() -> None:
    df = scores(40, 3).assign(batch=["x", "y"] * 20)
    picked = df.groupby("batch")[["ann", "cleo"]].agree.kappa(detail=True)
    assert_frame_equal(picked, df.agree.kappa("ann", "cleo", by="batch", detail=True))
    counts = pd.DataFrame({"x": [2, 1], "y": [0, 1], "z": [5, 5], "g": [1, 1]})
    assert counts.groupby("g")[["x", "y"]].agree.counts().pi(detail=True)["n_categories"].tolist() == [2]
