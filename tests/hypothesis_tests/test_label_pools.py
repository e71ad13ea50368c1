"""Replicates from few shuffles of each coder: exact, uncorrelated, and the same in any blocks."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from pandas_agreement.core.arrays import Array
from pandas_agreement.hypothesis_tests import label_pools
from pandas_agreement.hypothesis_tests.label_pools import ANEW, POOLED, TURNED, draw_shuffled, pool_size, shuffles_of
from tests.hypothesis_tests.helpers import DATA, DISTANCES, disagreement, follow_all_permutations, judgments

NOMINAL = DISTANCES["nominal"]
SEEDS = {"shared": [7], "alone": [7, 1]}


def drawn(codes: Array, distance: Array, n: int, seed: list[int], way: str) -> Array:
    """Replicates of one group."""
    return np.concatenate([part[0] for part in draw_shuffled(judgments(codes), distance, n, seed, way)])


def ways_of(codes: Array) -> list[str]:
    return [TURNED, ANEW] if (codes < 0).any() else [POOLED, TURNED, ANEW]


def with_gaps(n_coders: int, n_items: int, gaps: float) -> Array:
    """Codes of unequal frequency; some items have few labels."""
    rng = np.random.default_rng(5)
    codes = rng.choice(3, (n_coders, n_items), p=[0.7, 0.2, 0.1])
    return np.where(rng.random((n_coders, n_items)) < gaps * 2 * rng.random(n_items), -1, codes)


@pytest.mark.parametrize("distance", DISTANCES.values(), ids=DISTANCES)
@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("seed", SEEDS.values(), ids=SEEDS)
def test_draws_follow_the_distribution_of_all_permutations(name: str, distance: Array, seed: list[int]) -> None:
    codes = np.array(DATA[name])
    for way in ways_of(codes):
        follow_all_permutations([drawn(codes, distance, 20_000, seed, way)], codes, distance)


@pytest.mark.parametrize("gaps", [0.0, 0.3])
def test_moments_are_those_of_plain_shuffles(gaps: float) -> None:
    codes, rng = with_gaps(6, 30, gaps), np.random.default_rng(1)
    plain = []
    for _ in range(1000):
        shuffled = codes.copy()
        for row in shuffled:
            row[row >= 0] = rng.permutation(row[row >= 0])
        plain.append(disagreement(shuffled, NOMINAL))
    for way in ways_of(codes):
        found = drawn(codes, NOMINAL, 10_000, [3, 1], way)
        assert np.mean(found) == pytest.approx(np.mean(plain), abs=5 * np.std(plain) / np.sqrt(1000))
        assert np.std(found) == pytest.approx(np.std(plain), rel=0.1)


def test_two_replicates_have_at_most_one_shuffle_in_common() -> None:
    for n_coders in (2, 5, 7):
        shuffles = np.stack([shuffles_of(np.arange(49), coder, 7) for coder in range(n_coders)])  # (C, p * p)
        assert all((one == two).sum() <= 1 for one, two in combinations(shuffles.T, 2))
    assert [pool_size(n) for n in (2, 71, 72, 300)] == [71, 71, 73, 307]


@pytest.mark.slow
@pytest.mark.parametrize("gaps", [0.0, 0.4])
def test_replicates_have_the_random_error_of_independent_ones(gaps: float) -> None:
    # without turns, two replicates with a coder's shuffle in common would be alike where items have few labels
    codes, n = with_gaps(4, 40, gaps), 71 * 71
    runs = np.array([drawn(codes, NOMINAL, n, [seed, 1], ways_of(codes)[0]) for seed in range(150)])
    cut = np.quantile(runs, 0.05)
    p = (runs <= cut).mean()
    assert runs.mean(1).std() == pytest.approx(runs.std() / np.sqrt(n), rel=0.25)
    assert (runs <= cut).mean(1).std() == pytest.approx(np.sqrt(p * (1 - p) / n), rel=0.25)


@pytest.mark.parametrize("seed", SEEDS.values(), ids=SEEDS)
def test_blocks_of_replicates_change_nothing(seed: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    for codes in (with_gaps(5, 40, 0.3), with_gaps(5, 40, 0.0)):
        for way in ways_of(codes):
            whole = drawn(codes, NOMINAL, 600, seed, way)
            with monkeypatch.context() as patch:
                patch.setattr(label_pools, "BYTES_PER_BLOCK", 3000)
                patch.setattr(label_pools, "ITEMS_PER_COPY", 7)
                assert_allclose(drawn(codes, NOMINAL, 600, seed, way), whole, rtol=1e-14)
            assert len(whole) == 600


def test_more_replicates_than_a_pool_has() -> None:
    found = drawn(with_gaps(3, 20, 0.0), NOMINAL, 3 * 71 * 71, [2, 1], POOLED)
    first, second, _ = np.split(found, 3)
    assert (first != second).mean() > 0.5
    assert first.mean() == pytest.approx(second.mean(), abs=6 * first.std() / 71)


def test_orders_of_few_things_do_not_depend_on_the_most() -> None:
    few, many = (
        {m: order.copy() for m, order in label_pools._orders(most, 5, np.random.default_rng(3))} for most in (4, 90)
    )
    for m, order in few.items():
        assert (many[m] == order).all()
        assert (np.sort(order, 0) == np.arange(m)[:, None]).all()
