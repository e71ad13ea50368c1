"""Where functions pass zero, in all groups at once."""

from __future__ import annotations

import numpy as np
import pytest

from pandas_agreement.coefficients.numeric.roots import between, crossing
from pandas_agreement.core.arrays import Array


@pytest.mark.parametrize("guess", [None, np.array([1.1, 0.1, np.nan, 7.0])])
def test_between_two_points(guess: Array | None) -> None:
    """Also from infinite values, with a guess or one that is outside, and each group on its own."""
    targets = np.array([1.2, 0.01, 0.5, 1.9])
    calls: list[int] = []

    def function(groups: Array, points: Array) -> Array:
        calls.append(len(groups))
        with np.errstate(divide="ignore"):
            return np.log(points) - np.log(targets[groups])

    low, high = np.zeros(4), np.full(4, 2.0)
    found = between(function, low, high, np.full(4, -np.inf), function(np.arange(4), high), 1e-12, guess)
    np.testing.assert_allclose(found, targets, rtol=1e-11)
    assert calls[-1] < 4 < len(calls) < 25


def test_crossing_beyond_the_ends() -> None:
    """Theta is at an end where the function is above 0 everywhere or nowhere, NaN is nowhere."""
    shifts, k = np.array([0.0, np.inf, -np.inf, np.nan]), np.array([1.0, 2.0, 3.0, 4.0])
    theta = crossing(lambda groups, theta: np.log1p(theta * k[groups]) - 1 + shifts[groups], k)
    np.testing.assert_allclose(np.log1p(theta * k), [1.0, -12.0, 25.0, 25.0], rtol=1e-9)
