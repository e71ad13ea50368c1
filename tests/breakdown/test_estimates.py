"""Differences of estimates whose distribution is known."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import stdtr, stdtrit

from pandas_agreement.breakdown.estimates import TAILS, Estimates, differences

ONE = Estimates(
    value=np.array([0.7, 0.4, np.nan, 0.5, 0.6]),
    n=np.array([30.0, 20, 10, 1, 25]),
    se=np.array([0.3, 0.4, 0.1, 0.1, 0.0]),
    df=np.array([29.0, 19, 9, 0, 24]),
)
FIRST, SECOND = np.array([0]), np.array([1])


def test_only_known_estimates_with_a_standard_error_and_two_items_are_tested() -> None:
    assert ONE.testable.tolist() == [True, True, False, False, False]


@pytest.mark.parametrize("r", [0.0, 0.5])
def test_differences_of_independent_and_of_correlated_estimates(r: float) -> None:
    found = differences(ONE, FIRST, SECOND, r, TAILS["two-sided"], 0.9)
    se = np.sqrt(0.25 - 2 * r * 0.12)
    assert found["difference"] == pytest.approx(0.3)
    assert found["se"] == pytest.approx(se)
    assert found["p_value"] == pytest.approx(2 * stdtr(19, -0.3 / se))
    width = stdtrit(19, 0.95) * se
    assert (found["difference_low"][0], found["difference_high"][0]) == pytest.approx((0.3 - width, 0.3 + width))


def test_an_estimate_minus_itself_has_no_standard_error() -> None:
    se = np.arange(1, 200) / 700  # squares and products of most of them round differently
    many = Estimates(np.full(199, 0.5), np.full(199, 30.0), se, np.full(199, 29.0))
    found = differences(many, np.arange(199), np.arange(199), 1 - 1e-16, TAILS["two-sided"], 0.95)
    assert (found["se"] == 0).all()
    close = differences(many, np.arange(199), np.arange(199), 1 - 1e-12, TAILS["two-sided"], 0.95)
    assert close["se"] == pytest.approx(se * np.sqrt(2e-12), rel=1e-3)
