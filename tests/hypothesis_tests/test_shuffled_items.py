"""Disagreement of labels place by place, against its definition."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from pandas_agreement.core.arrays import Array
from pandas_agreement.hypothesis_tests import shuffled_items
from pandas_agreement.hypothesis_tests.shuffled_items import Comparison, Items
from tests.hypothesis_tests.helpers import disagreement, judgments

K = 3
SQUARED = np.subtract.outer(np.arange(K), np.arange(K)) ** 2 / 4.0
DIRECTED = np.array([[0.0, 1.0, 2.0], [3.0, 0.0, 1.0], [0.5, 1.0, 0.0]])


def found(codes: Array, group: Array, distance: Array, by_counts: bool) -> Array:
    """The disagreement of each group."""
    labels, total = judgments(codes, group), 0.0
    for items in Items.by_size(labels):
        compare = Comparison(distance, len(items.cells))
        compare.by_counts = by_counts
        own = np.append(labels.code, K)[items.cells]  # (S, I), and the last is a gap
        total = total + compare.mean(items, iter(own[:, None].astype(np.uint8)))
    return total[:, 0]


@pytest.mark.parametrize("by_counts", [True, False], ids=["counts", "pairs"])
@pytest.mark.parametrize("distance", [1 - np.eye(K), SQUARED], ids=["nominal", "squared"])
@pytest.mark.parametrize("n_coders", [2, 9, 300])
def test_counts_and_pairs_are_the_disagreement(n_coders: int, distance: Array, by_counts: bool) -> None:
    rng = np.random.default_rng(n_coders)
    group = np.sort(rng.integers(3, size=12))
    for gaps in (0.0, 0.4):
        codes = np.where(rng.random((n_coders, 12)) < gaps, -1, rng.integers(K, size=(n_coders, 12)))
        expected = [disagreement(codes[:, group == one], distance) for one in range(3)]
        assert_allclose(found(codes, group, distance, by_counts), expected, rtol=1e-13)


def test_all_labels_of_300_coders_may_be_equal() -> None:
    codes = np.ones((300, 5), int)
    for by_counts in (True, False):
        assert_allclose(found(codes, np.zeros(5, int), 1 - np.eye(K), by_counts), [0.0], atol=1e-12)


def test_a_distance_with_a_direction_has_the_lower_coder_first() -> None:
    codes = np.array([[0, 1, 2, -1], [1, 0, 1, 2]])
    assert not Comparison(DIRECTED, 1000).by_counts
    expected = (DIRECTED[0, 1] + DIRECTED[1, 0] + DIRECTED[2, 1]) / 3
    assert_allclose(found(codes, np.zeros(4, int), DIRECTED, by_counts=False), [expected])


def test_the_cheaper_comparison_is_taken() -> None:
    assert not Comparison(1 - np.eye(5), 4).by_counts
    assert Comparison(1 - np.eye(5), 50).by_counts
    pairs, counts = shuffled_items.costs_of_comparing(np.array([2, 400]), 5, False)
    assert (counts < pairs).tolist() == [False, True]
