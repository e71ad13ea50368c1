"""Means of paired differences, and their interval with pseudo-items."""

from __future__ import annotations

import numpy as np
import pytest

from pandas_agreement.inference.means import mean_differences


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("level", [0.1, 0.5, 0.95])
def test_the_interval_of_differences_holds_their_mean(sign: int, level: float) -> None:
    """Its centre is nearer to 0 than the mean, from which a narrow one could be far."""
    found = mean_differences(sign * np.ones(10), np.zeros(10, np.int64), 1)
    low, high = found.limits(level, -1, 1)
    assert low[0] <= found.value[0] <= high[0]
    assert low[0] < high[0]
    assert np.isnan(mean_differences(np.ones(1), np.zeros(1, np.int64), 1).limits(level)).all()
