"""Intervals of means of differences, and at the ends of the scale: perfect agreement, values far below chance."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from pandas_agreement.inference.means import mean_differences


@pytest.mark.parametrize("level", ["interval", "ordinal", lambda a, b: (a - b) ** 2])
@pytest.mark.parametrize("factor", [0.01, 1, 1000])
def test_the_limit_of_perfect_agreement_does_not_depend_on_the_unit(level: object, factor: float) -> None:
    df = pd.DataFrame({"a": [1, 2, 3, 4] * 5, "b": [1, 2, 3, 4] * 5}) * factor
    row = df.agree.alpha(level=level).iloc[0]
    least = 0.025 ** (1 / 20)
    assert row["ci_low"] == pytest.approx((least - row["expected"]) / (1 - row["expected"]))


@pytest.mark.parametrize("values", ["normal", "whole"])
def test_rounding_does_not_hide_perfect_agreement(values: str) -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=30).round(1) if values == "normal" else rng.choice([1.0, 2, 4, 5, 7], 30)
    df = pd.DataFrame({"a": x, "b": x, "c": x})
    df.loc[::4, "c"] = np.nan
    for result in (df.agree.alpha(level="interval"), df.agree.pi(weights="quadratic"), df.agree.alpha(level="ordinal")):
        row = result.iloc[0]
        assert (row["estimate"], row["se"]) == (1, 0)
        assert row["ci_low"] < 0.95


def test_perfect_agreement_of_two_clusters_is_little_evidence() -> None:
    df = pd.DataFrame({"a": [1, 2] * 50, "b": [1, 2] * 50, "doc": [0, 1] * 50})
    loose, tight = (df.agree.kappa("a", "b", clusters=c)["ci_low"].iloc[0] for c in ("doc", None))
    assert loose == pytest.approx(1 - (1 - 0.025**0.5) / 0.5)
    assert tight > 0.9


def test_the_bound_of_perfect_agreement_counts_clusters() -> None:
    df = pd.DataFrame({"a": [1, 2] * 6, "b": [1, 2] * 6, "doc": [1] * 4 + [2] * 4 + [3] * 4})
    lows = [df.agree.kappa("a", "b", clusters="doc", method=m, rng=0)["ci_low"].iloc[0] for m in ("analytic", "bca")]
    assert lows[0] == lows[1]


BELOW = {
    "weights": ("s", {"weights": "linear", "categories": [1, 2, 3]}, [[1, 3], [3, 1], [1, 3], [1, 3], [3, 2]]),
    "guessing": ("ac2", {"weights": "quadratic", "categories": [1, 2, 3, 4]}, [[1, 4], [4, 1], [1, 4], [4, 1], [3, 1]]),
    "single labels": ("pi", {"missing": "all"}, [[1, 2], [2, 1], [1, 2], *[[1, None]] * 60]),
}


@pytest.mark.parametrize("method", ["score", "analytic", "jackknife", "log"])
@pytest.mark.parametrize("case", BELOW)
def test_values_below_minus_one_lie_within_their_limits(case: str, method: str) -> None:
    name, options, rows = BELOW[case]
    row = getattr(pd.DataFrame(rows, columns=["a", "b"]).agree, name)(method=method, **options).iloc[0]
    assert row["estimate"] < -1
    assert row["ci_low"] < row["estimate"] < row["ci_high"]


def test_limits_of_nominal_coefficients_end_at_minus_one() -> None:
    df = pd.DataFrame({"a": [1, 2, 1, 1], "b": [2, 1, 2, 1]})
    assert df.agree.kappa(method="analytic")["ci_low"].iloc[0] == -1


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("level", [0.1, 0.5, 0.95])
def test_the_interval_of_differences_holds_their_mean(sign: int, level: float) -> None:
    """Its centre is nearer to 0 than the mean, from which a narrow one could be far."""
    found = mean_differences(sign * np.ones(10), np.zeros(10, np.int64), 1)
    low, high = found.limits(level, -1, 1)
    assert low[0] <= found.value[0] <= high[0]
    assert low[0] < high[0]
    assert np.isnan(mean_differences(np.ones(1), np.zeros(1, np.int64), 1).limits(level)).all()
