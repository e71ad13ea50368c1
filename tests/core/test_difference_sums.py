"""Sums of distances to many values are those of the matrix of all pairs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from pandas_agreement import InputError, scales
from pandas_agreement.core import weights as makers
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.weights import CategoryValues, make_level, make_weights

RNG = np.random.default_rng(5)
MANY = 1200  # more than have a matrix

#: values whose ratios are easy, tiny, huge, and mixed with zeros or one far away
VALUES = {
    "lognormal": np.exp(RNG.normal(size=MANY)),
    "whole": np.arange(1.0, MANY + 1),
    "with zero": np.arange(float(MANY)),
    "decades": 10 ** RNG.uniform(-90, 90, MANY),
    "narrow": 1e6 + RNG.uniform(-1e-3, 1e-3, MANY),
    "far": np.append(RNG.uniform(1, 2, MANY), 1e9),
}


def scale_of(values: Array) -> CategoryValues:
    return CategoryValues(list(values), values, ordered=False)


@pytest.mark.parametrize("values", VALUES.values(), ids=VALUES)
@pytest.mark.parametrize("name", ["ratio", "bipolar"])
def test_sums_are_those_of_the_matrix(monkeypatch: pytest.MonkeyPatch, values: Array, name: str) -> None:
    summed = make_level(name, scale_of(values))
    monkeypatch.setattr(makers, "MAX_DENSE_CATEGORIES", 10**6)
    matrix = make_level(name, scale_of(values)).as_matrix()
    shares = np.random.default_rng(1).dirichlet(np.ones(len(values)), 2)
    for found, expected in [
        (summed.apply(shares), shares @ matrix),
        (summed.mean_square(shares), (shares * (shares @ matrix**2)).sum(-1)),
        (summed.total(), matrix.sum()),
    ]:
        assert np.abs(found - expected).max() <= 1e-11 * np.mean(expected)


@pytest.mark.parametrize("name", ["ratio", "ordinal", "radical"])
def test_weights_of_many_values_are_between_0_and_1(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    values = VALUES["lognormal"]
    summed = make_weights(name, scale_of(values))
    monkeypatch.setattr(makers, "MAX_DENSE_CATEGORIES", 10**6)
    matrix = make_weights(name, scale_of(values)).as_matrix()
    shares = np.full((1, MANY), 1 / MANY)
    assert matrix.max() == 1
    assert summed.apply(shares) == pytest.approx(shares @ matrix, rel=1e-11)
    assert summed.mean_square(shares) == pytest.approx((shares * (shares @ matrix**2)).sum(-1), rel=1e-11)


@pytest.mark.parametrize("tolerance", [0.0, 0.1, 1.0, 50.0])
def test_a_tolerance_of_many_values(monkeypatch: pytest.MonkeyPatch, tolerance: float) -> None:
    values = np.arange(-600, 600) / 10  # many pairs differ by the tolerance, up to rounding
    summed = make_weights(scales.within(tolerance), scale_of(values))
    monkeypatch.setattr(makers, "MAX_DENSE_CATEGORIES", 10**6)
    matrix = make_weights(scales.within(tolerance), scale_of(values)).as_matrix()
    weights = np.random.default_rng(2).integers(0, 5, (3, len(values))).astype(float)
    assert (summed.apply(weights) == weights @ matrix).all()


def test_a_distance_of_all_pairs_is_refused_for_too_many_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(makers, "MAX_PAIRED", 1100)
    df = pd.DataFrame({"a": VALUES["lognormal"], "b": VALUES["lognormal"]})
    with pytest.raises(InputError) as caught:
        df.agree.alpha(level="radical")
    assert str(caught.value) == (
        "'radical' compares every two of the 1,200 different numbers, and 1,100 are the most; round the numbers, or "
        "use 'linear' or 'interval'"
    )
