"""The test of joint choices: every permutation of small data, the hypergeometric distribution, gaps, and groups."""

from __future__ import annotations

from dataclasses import astuple
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb

import numpy as np
import pytest

from pandas_agreement.hypothesis_tests.category import RareCategory, meeting_mid_p, meeting_moments, rare_pairs

NAN = float("nan")


def pair_tables(codes: np.ndarray, K: int) -> np.ndarray:
    """Tables of all pairs of coders of codes (I, C), -1 not rated: (P, K, K)."""
    out = []
    for g, h in combinations(range(codes.shape[1]), 2):
        T = np.zeros((K, K))
        for a, b in codes[:, [g, h]]:
            if a >= 0 and b >= 0:
                T[a, b] += 1
        out.append(T)
    return np.array(out)


def rare_category(tables: np.ndarray, owner: np.ndarray, n_groups: int) -> RareCategory:
    """The test from the tables of all pairs of coders (P, K, K)."""
    joint = np.diagonal(tables, axis1=1, axis2=2)
    return rare_pairs(joint, tables.sum(2), tables.sum(1), tables.sum((1, 2))[:, None], owner, n_groups)


def sums(codes: np.ndarray, K: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Joint choices, totals and items of complete data."""
    chosen = np.array([[(row == j).sum() for j in range(K)] for row in codes])
    totals = np.array([np.bincount(coder, minlength=K) for coder in codes.T])
    return (chosen * (chosen - 1) // 2).sum(0), totals, np.array(len(codes))


# --- two coders


def plain_mid_p(joint: int, first: int, second: int, n: int) -> Fraction:
    def probability(x: int) -> Fraction:
        return Fraction(comb(first, x) * comb(n - first, second - x), comb(n, second))

    return sum((probability(x) for x in range(joint + 1, min(first, second) + 1)), probability(joint) / 2)


def test_mid_p_by_counting() -> None:
    cases = [
        (joint, first, second, n)
        for n, first, second in product(range(2, 9), range(1, 8), range(1, 8))
        if max(first, second) < n
        for joint in range(max(0, first + second - n), min(first, second) + 1)
    ]
    found = meeting_mid_p(*np.array(cases).T)
    np.testing.assert_allclose(found, [float(plain_mid_p(*case)) for case in cases], rtol=1e-12)


def test_mid_p_by_every_permutation() -> None:
    one, two = np.array([1, 1, 0, 0, 0, 1]), np.array([1, 0, 0, 1, 0, 0])
    observed = (one & two).sum()
    met = np.array([(one & two[list(order)]).sum() for order in permutations(range(6))])
    expected = (met > observed).mean() + (met == observed).mean() / 2
    assert meeting_mid_p(observed, one.sum(), two.sum(), 6) == pytest.approx(expected)
    mean, variance = meeting_moments(one.sum(), two.sum(), 6)
    assert (mean, variance) == pytest.approx((met.mean(), met.var()))


def test_mid_p_of_large_counts() -> None:
    hypergeom = pytest.importorskip("scipy.stats").hypergeom
    cases = np.array([(120, 1000, 1000, 10_000), (30, 40, 900, 20_000), (250, 700, 650, 2_000), (3, 5, 400, 90_000)])
    joint, first, second, n = cases.T
    expected = hypergeom.sf(joint, n, first, second) + hypergeom.pmf(joint, n, first, second) / 2
    np.testing.assert_allclose(meeting_mid_p(joint, first, second, n), expected, rtol=1e-8)


def test_mid_p_of_millions_is_nearly_normal_and_far_from_the_mean_0_or_1() -> None:
    first, second, n = 4_000_000, 5_000_000, 10_000_000
    joint = np.array([2_000_000, 2_001_550, 0, 4_000_000])
    found = meeting_mid_p(joint, first, second, n)
    # 2.0008 standard deviations of sqrt(4e6 * 6e6 * 5e6 * 5e6 / 1e21) = 774.6
    np.testing.assert_allclose(found, [0.5, 0.0227, 1, 0], atol=1e-4)


def test_nothing_left_to_chance() -> None:
    # never chosen by one of them, always chosen by one, a single item, no items
    found = meeting_mid_p([0, 3, 1, 0], [0, 5, 1, 0], [3, 3, 1, 0], [5, 5, 1, 0])
    np.testing.assert_array_equal(found, [NAN] * 4)


# --- many coders


def test_moments_by_every_permutation() -> None:
    codes = np.array([[0, 0, 1], [0, 2, 2], [1, 1, 1], [2, 1, 0], [0, 0, 0]])
    orders = [list(order) for order in permutations(range(5))]
    chosen = [
        sums(np.column_stack([codes[:, 0], codes[two, 1], codes[three, 2]]), 3)[0] for two in orders for three in orders
    ]
    test = rare_category(pair_tables(codes, 3), np.zeros(3, int), 1)
    np.testing.assert_allclose(test.expected[0], np.mean(chosen, axis=0))
    np.testing.assert_allclose(test.variance[0], np.var(chosen, axis=0))
    np.testing.assert_array_equal(test.joint[0], sums(codes, 3)[0])


def test_moments_with_gaps_hold_on_average_over_every_permutation() -> None:
    # each coder's labels are permuted over the items that coder labelled: the margins of the pairs change, but the
    # joint choices minus what they predict have mean 0 and, on average, the variance they predict
    codes = np.array([[0, 0, -1], [0, 1, 0], [1, -1, 1], [1, 0, 0], [-1, 1, 1]])
    rated = [np.flatnonzero(column >= 0) for column in codes.T]
    tables = []
    for orders in product(*(permutations(range(len(items))) for items in rated)):
        shuffled = codes.copy()
        for g, (items, order) in enumerate(zip(rated, orders, strict=True)):
            shuffled[items, g] = codes[items[list(order)], g]
        tables.append(pair_tables(shuffled, 2))
    n = len(tables)
    test = rare_category(np.concatenate(tables), np.arange(n).repeat(3), n)
    gap = test.joint - test.expected
    np.testing.assert_allclose(gap.mean(0), 0, atol=1e-12)
    np.testing.assert_allclose((gap**2).mean(0), test.variance.mean(0))


def test_z_and_its_p_value() -> None:
    T = np.array([[[2, 1], [1, 16]], [[3, 0], [2, 10]]])
    test = rare_category(T, np.array([0, 0]), 1)
    expected = 9 / 20 + 15 / 15
    variance = 3 * 17 * 3 * 17 / (400 * 19) + 3 * 12 * 5 * 10 / (225 * 14)
    assert test.expected[0, 0] == pytest.approx(expected)
    assert test.variance[0, 0] == pytest.approx(variance)
    assert test.z[0, 0] == pytest.approx((5 - expected) / variance**0.5)
    from statistics import NormalDist

    assert NormalDist().cdf(-test.z[0, 0]) != pytest.approx(test.p_value[0, 0], rel=0.01)  # skewed, not normal
    np.testing.assert_array_equal(test.small, [[True, True]])  # of two categories one is as rare as the other
    assert test.p_value[0, 1] == pytest.approx(test.p_value[0, 0])


@pytest.mark.slow
@pytest.mark.parametrize(("n_coders", "n_items", "n_chosen"), [(4, 90, 6), (3, 60, 4), (6, 100, 8), (10, 200, 6)])
def test_the_tail_of_many_coders_is_that_of_shuffled_choices(n_coders: int, n_items: int, n_chosen: int) -> None:
    rng = np.random.default_rng(0)
    order = rng.random((8000, n_coders, n_items)).argsort(-1) < n_chosen
    chosen = order.sum(1)
    draws = (chosen * (chosen - 1) // 2).sum(-1)
    pairs, one = np.zeros((comb(n_coders, 2), 1)), np.zeros(comb(n_coders, 2), int)
    for count in (int(np.quantile(draws, 0.9)), int(np.quantile(draws, 0.99))):
        joint = pairs.copy()
        joint[0] = count  # only the sum over pairs counts
        p = rare_pairs(joint, pairs + n_chosen, pairs + n_chosen, pairs + n_items, one, 1).p_value[0, 0]
        simulated = (draws > count).mean() + (draws == count).mean() / 2
        assert simulated * 0.9 - 0.005 < p < simulated * 2 + 0.005  # never much too small


# --- groups


def test_every_group_by_itself_in_any_order() -> None:
    rng = np.random.default_rng(7)
    T = rng.integers(0, 6, (12, 3, 3))
    owner = np.array([4, 0, 1, 1, 4, 0, 2, 4, 1, 0, 4, 4])  # group 2 has one pair, group 3 none
    test = rare_category(T, owner, 5)
    for group in (0, 1, 2, 4):
        mine = T[owner == group]
        alone = rare_category(mine, np.zeros(len(mine), int), 1)
        np.testing.assert_allclose([part[group] for part in astuple(test)], [part[0] for part in astuple(alone)])
    np.testing.assert_allclose(
        test.p_value[2], [float(plain_mid_p(T[6, j, j], T[6, j].sum(), T[6, :, j].sum(), T[6].sum())) for j in range(3)]
    )
    assert np.isnan(test.p_value[3]).all()
    np.testing.assert_array_equal(test.joint[3], 0)


def test_a_pair_without_items_is_no_pair() -> None:
    T = np.array([[[2, 1], [1, 16]], np.zeros((2, 2))])
    test = rare_category(T, np.array([0, 0]), 1)
    assert test.p_value[0, 0] == pytest.approx(float(plain_mid_p(2, 3, 3, 20)))


def test_nobody_chose_it() -> None:
    T = np.array([[[0, 0, 0], [0, 4, 1], [0, 2, 5]]] * 3)
    test = rare_category(T, np.array([0, 0, 1]), 2)
    np.testing.assert_array_equal(np.isnan(test.p_value), [[True, False, False]] * 2)
    np.testing.assert_array_equal(np.isnan(test.z), [[True, False, False]] * 2)


def test_no_pairs_at_all() -> None:
    test = rare_category(np.zeros((0, 3, 3)), np.zeros(0, int), 2)
    assert test.p_value.shape == (2, 3)
    assert np.isnan(test.p_value).all()
