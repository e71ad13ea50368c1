"""Chance agreement that groups share."""

from __future__ import annotations

import numpy as np
import pytest
from pandas.testing import assert_frame_equal

from tests.data_sets import scores


@pytest.mark.parametrize("name", ["kappa", "pi", "alpha", "ac1"])
def test_shared_chance_is_that_of_all_groups(name: str) -> None:
    df = scores(90, 3).assign(batch=["x", "y", "z"] * 30)
    coders = ["ann", "bob", "cleo"]
    own, shared = (getattr(df.agree, name)(*coders, by="batch", expected=e) for e in ("group", "global"))
    whole = getattr(df.agree, name)(*coders).iloc[0]
    np.testing.assert_allclose(shared["expected"], whole["expected"])
    assert_frame_equal(shared[["observed", "n_items"]], own[["observed", "n_items"]])
    gap = (1 - shared["observed"]) / (1 - whole["expected"])
    np.testing.assert_allclose(shared["estimate"], 1 - gap)
    assert shared["note"].str.startswith("chance of all groups").all()
    jackknife = getattr(df.agree, name)(*coders, by="batch", expected="global", method="jackknife")
    np.testing.assert_allclose(jackknife["se"], shared["se"], rtol=0.1)
    ordinal = df.agree.alpha(*coders, by="batch", level="ordinal", expected="global")
    assert ordinal["estimate"].notna().all()
