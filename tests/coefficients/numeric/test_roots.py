"""Where functions pass zero, in all groups at once."""

from __future__ import annotations

import numpy as np
import pytest

from pandas_agreement.coefficients.numeric.crossed import between, crossing, newton_between
from pandas_agreement.core.arrays import Array

TARGETS = np.array([1.2, 0.01, 0.5, 1.9])


def test_between_two_points() -> None:
    """Also from infinite values, and each group on its own."""
    calls: list[int] = []

    def function(groups: Array, points: Array) -> Array:
        calls.append(len(groups))
        with np.errstate(divide="ignore"):
            return np.log(points) - np.log(TARGETS[groups])

    low, high = np.zeros(4), np.full(4, 2.0)
    found = between(function, low, high, np.full(4, -np.inf), function(np.arange(4), high), 1e-12)
    np.testing.assert_allclose(found, TARGETS, rtol=1e-11)
    assert calls[-1] < 4 < len(calls) < 25


@pytest.mark.parametrize("exponent", [1.0, 3.0])
def test_newton_between_two_points(exponent: float) -> None:
    """From a guess, from none or one that is outside, and with slopes of 0; the last step is not looked at."""
    calls: list[Array] = []

    def function(groups: Array, points: Array) -> tuple[Array, Array]:
        calls.append(points)
        slope = exponent * points ** (exponent - 1) * (points > 0.3)
        return points**exponent - TARGETS[groups] ** exponent, slope

    guess = np.array([1.1, 0.1, np.nan, 7.0])
    found = newton_between(function, np.zeros(4), np.full(4, 2.0), 1e-7, guess)
    np.testing.assert_allclose(found, TARGETS, atol=1e-7 if exponent == 1 else 1e-2)
    np.testing.assert_allclose(found[[0, 2, 3]], TARGETS[[0, 2, 3]], rtol=1e-12)
    assert calls[0].tolist() == [1.1, 0.1, 1.0, 1.0]
    assert len(calls[-1]) < 4


def test_crossing_beyond_the_ends() -> None:
    """Theta is at an end where the function is above 0 everywhere or nowhere, NaN is nowhere."""
    shifts, k = np.array([0.0, np.inf, -np.inf, np.nan]), np.array([1.0, 2.0, 3.0, 4.0])
    theta = crossing(lambda groups, theta: np.log1p(theta * k[groups]) - 1 + shifts[groups], k)
    np.testing.assert_allclose(np.log1p(theta * k), [1.0, -12.0, 25.0, 25.0], rtol=1e-9)
