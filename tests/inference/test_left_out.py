"""Values without each item from sums of distances, beside those from the sums of each sample."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from pandas_agreement.inference import left_out

WEIGHTS: dict[str, dict[str, Any]] = {
    "nominal": {},
    "linear": {"weights": "linear"},
    "matrix": {"weights": 1 - np.abs(np.subtract.outer(np.arange(6), np.arange(6))) ** 0.7 / 10},
}


def labels(n_coders: int) -> pd.DataFrame:
    """Six categories, gaps, three groups (the last of two items), and a coder with one label in a group."""
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 6, 60)
    coders = {f"c{j}": np.where(rng.random(60) < 0.6, truth, rng.integers(0, 6, 60)) for j in range(n_coders)}
    frame = pd.DataFrame(coders).astype(float).mask(rng.random((60, n_coders)) < 0.15)
    frame["group"] = np.repeat([0, 1, 2], [30, 28, 2])
    frame.loc[frame.index[31:58], "c1"] = np.nan
    return frame.assign(times=rng.integers(1, 3, 60))


@pytest.mark.filterwarnings("ignore::pandas_agreement.AgreementWarning")  # a group of two items
@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("name", left_out.EXPECTED)
@pytest.mark.parametrize("n_coders", [2, 4])
def test_the_same_as_from_the_sums(monkeypatch: pytest.MonkeyPatch, n_coders: int, name: str, weights: str) -> None:
    frame, coders = labels(n_coders), [f"c{j}" for j in range(n_coders)]
    options = {**WEIGHTS[weights], "categories": list(range(6)), "method": "jackknife", "frequency": "times"}

    def call(by: str | None, missing: str) -> pd.DataFrame:
        found = frame.agree.summary(*coders, metrics=[name], by=by, missing=missing, **options)
        return found[["estimate", "se", "ci_low", "ci_high"]]

    ways = [(None, "pairable"), ("group", "pairable"), ("group", "all")]
    expected = [call(*way) for way in ways]
    monkeypatch.setattr(left_out, "MIN_SIZE", 1)
    for way, one in zip(ways, expected, strict=True):
        pd.testing.assert_frame_equal(call(*way), one, rtol=1e-9, atol=1e-12)
