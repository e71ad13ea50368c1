"""Tables of pairs of coders, counted together."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from pandas_agreement.core import contingency


@pytest.mark.parametrize("n_coders", [4, 5, 7])
def test_pairs_counted_four_at_a_time_are_the_pairs(n_coders: int) -> None:
    rng = np.random.default_rng(1)
    codes = tuple(rng.integers(-1, 3, 200).astype(np.int8) for _ in range(n_coders))
    found = contingency.tables_of_pairs(codes, 3)
    assert found is not None
    for table, (one, two) in zip(found, itertools.combinations(codes, 2), strict=True):
        both = (one >= 0) & (two >= 0)
        expected = np.zeros((3, 3))
        np.add.at(expected, (one[both], two[both]), 1)
        got = np.zeros((3, 3))
        got[table.codes] = table.weights
        np.testing.assert_array_equal(got, expected)
