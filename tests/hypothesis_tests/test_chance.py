"""Disagreement by chance: moments over all permutations, and tails."""

from __future__ import annotations

from itertools import combinations, permutations, product

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import ndtr

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.distances import Nominal, Table
from pandas_agreement.core.item_statistics import ItemStatistics
from pandas_agreement.core.quantiles import gamma_tail
from pandas_agreement.core.ratings import WideRatings
from pandas_agreement.hypothesis_tests import chance

LINEAR = np.abs(np.subtract.outer(np.arange(3), np.arange(3))) / 2
SKEW = np.array([[0.0, 0.2, 1.0], [0.5, 0.0, 0.3], [0.9, 0.4, 0.0]])


def wide(*codes: Array) -> WideRatings:
    return WideRatings(len(codes), 3, 1, None, None, codes)


def mean_distance(codes: list[Array], distance: Array) -> float:
    pairs = [(a, b) for a in range(len(codes)) for b in range(a + 1, len(codes))]
    return float(np.mean([distance[codes[a], codes[b]].mean() for a, b in pairs]))


def moments(values: list[float]) -> list[float]:
    mean = np.mean(values)
    return [mean, np.var(values), ((np.array(values) - mean) ** 3).mean()]


@pytest.mark.parametrize("distance", [1 - np.eye(3), LINEAR, SKEW])
def test_moments_of_two_coders_are_those_of_all_permutations(distance: Array) -> None:
    a, b = np.array([0, 0, 1, 1, 2, 0]), np.array([0, 1, 1, 2, 2, 0])
    found = chance.by_coder(wide(a, b), distance)
    every = [mean_distance([a, b[list(order)]], distance) for order in permutations(range(6))]
    assert_allclose([found.mean[0], found.variance[0], found.third[0]], moments(every), rtol=1e-9)


def test_moments_of_three_coders_are_those_of_all_permutations() -> None:
    a, b, c = np.array([0, 0, 1, 2]), np.array([0, 1, 1, 0]), np.array([0, 2, 1, 0])
    found = chance.by_coder(wide(a, b, c), LINEAR)
    orders = [list(order) for order in permutations(range(4))]
    every = [mean_distance([a, b[one], c[two]], LINEAR) for one, two in product(orders, orders)]
    assert_allclose([found.mean[0], found.variance[0], found.third[0]], moments(every), rtol=1e-9)


def test_moments_of_two_items_are_those_of_their_two_orders() -> None:
    a, b = np.array([0, 1]), np.array([0, 2])
    found = chance.by_coder(wide(a, b), SKEW)
    every = [mean_distance([a, order], SKEW) for order in (b, b[::-1])]
    assert_allclose([found.mean[0], found.variance[0], found.third[0]], moments(every), rtol=1e-9, atol=1e-15)


def test_moments_of_a_mean_over_pairs_are_those_of_all_permutations() -> None:
    """Three coders with the same margins: the mean over pairs relative to chance is the mean distance over its mean."""
    a, b, c = np.array([0, 0, 1, 2]), np.array([0, 1, 0, 2]), np.array([2, 0, 1, 0])
    found = chance.by_pair(wide(a, b, c), LINEAR)
    orders = [list(order) for order in permutations(range(4))]
    every = [mean_distance([a, b[one], c[two]], LINEAR) for one, two in product(orders, orders)]
    relative = moments((np.array(every) / np.mean(every)).tolist())
    assert_allclose([found.mean[0], found.variance[0], found.third[0]], relative, rtol=1e-9)


def test_moments_of_pooled_draws_are_those_of_simulated_items() -> None:
    p, rng = np.array([0.7, 0.2, 0.1]), np.random.default_rng(0)
    labels = rng.choice(3, (4, 10_000), p=p)
    labels[0, :4000] = -1  # items with three and with four labels
    statistics = ItemStatistics(wide(*labels), Table(3, "linear", matrix=LINEAR))
    found = chance.by_shares(statistics, statistics.sums.observed)
    drawn = rng.choice(3, (4, 400_000), p=p)
    pairs = [(a, b) for a in range(4) for b in range(a + 1, 4)]
    c = chance.centred(p, p, LINEAR)
    of_items = [np.mean([c[drawn[a], drawn[b]] for a, b in pairs if a >= first], 0) for first in (0, 1)]
    second, third = (0.6 * (of_items[0] ** k).mean() + 0.4 * (of_items[1] ** k).mean() for k in (2, 3))
    assert_allclose([found.variance[0] * 1e4, found.third[0] * 1e8], [second, third], rtol=0.05)


def test_the_step_is_the_least_change_by_a_swap() -> None:
    used = np.array([[True, True, False], [True, True, True], [True, False, False]])
    assert_allclose(chance.lattice(1 - np.eye(3), used), [2, 1, 0])
    assert_allclose(chance.lattice(LINEAR, used), [1, 1, 0])


def test_tails_are_those_of_pearsons_third_type() -> None:
    from scipy.stats import pearson3

    z = np.linspace(-3, 3, 13)
    for skew in (-2.0, -0.5, 0.0, 0.7, 3.0):
        assert_allclose(gamma_tail(z, np.full(13, skew)), pearson3.sf(z, skew), atol=1e-9)


def test_constant_labels_leave_no_test() -> None:
    zeros = np.zeros(5, int)
    for null in (
        chance.by_coder(wide(zeros, zeros), 1 - np.eye(3)),
        chance.by_coder(wide(zeros, np.arange(5) % 3), 1 - np.eye(3)),
        chance.by_shares(ItemStatistics(wide(zeros, zeros), Nominal(3, "nominal")), np.zeros(1)),
    ):
        assert np.isnan(null.p_value(np.array([0.3]), "two-sided")).all()


@pytest.mark.parametrize("distance", [1 - np.eye(3), LINEAR])
def test_moments_of_shares_with_gaps_are_those_of_all_labels_of_each_item(distance: Array) -> None:
    """Observed minus expected disagreement of kappa, linear in the coders' shares, is a sum over independent items."""
    shares = np.array([0.5, 0.3, 0.2])
    present = np.repeat(np.array([[1, 1, 0, 1], [1, 0, 0, 1], [0, 1, 1, 0], [1, 0, 0, 0]], bool), 10, axis=0)
    column = np.tile([0, 0, 0, 0, 0, 1, 1, 1, 2, 2], 4)
    codes = [np.where(here, column, -1) for here in present.T]
    statistics = ItemStatistics(wide(*codes), Table(3, "x", matrix=distance), "item", True)
    mean = float(shares @ distance @ shares)
    found = chance.by_shares(statistics, np.array([mean]))
    away, labelled, n_pairs = distance @ shares - mean, present.sum(0), (present.sum(1) > 1).sum()
    central = np.zeros(2)
    for row in present:
        coders = np.flatnonzero(row)
        draws = list(product(range(3), repeat=len(coders)))
        chances = np.array([shares[list(draw)].prod() for draw in draws])
        values = np.array([-sum(away[x] * 2 / 4 / labelled[c] for x, c in zip(d, coders, strict=True)) for d in draws])
        if len(coders) > 1:
            pairs = list(combinations(range(len(coders)), 2))
            values += [np.mean([distance[draw[a], draw[b]] for a, b in pairs]) / n_pairs for draw in draws]
        values -= chances @ values
        central += [chances @ values**2, chances @ values**3]
    assert (found.variance[0], found.third[0]) == pytest.approx(tuple(central), rel=1e-9)
    assert found.bias == 0


def test_the_step_of_pairs_from_two_categories() -> None:
    """With given shares the number of items that disagree changes by two."""
    codes = np.array([0, 0, 1, 1, 0]), np.array([0, 1, 1, 0, 0])
    statistics = ItemStatistics(WideRatings(2, 2, 1, None, None, codes), Nominal(2, "nominal"))
    assert chance.by_shares(statistics, np.array([0.48])).step == pytest.approx(2 / 5)


def test_p_is_the_mean_of_the_tails_half_a_step_to_either_side() -> None:
    null = chance.Null(*(np.array([value]) for value in (0.5, 0.01, 0.0, 0.1)))
    above = (ndtr(-1.5) + ndtr(-2.5)) / 2  # two standard deviations, half a step is half of one
    found = {side: null.p_value(np.array([0.3]), side)[0] for side in ("greater", "less", "two-sided")}
    assert found == pytest.approx({"greater": above, "less": 1 - above, "two-sided": 2 * above})


def test_only_pi_compares_a_label_with_itself() -> None:
    ratings = wide(np.array([0, 0, 1, 1, 2]), np.array([0, 1, 1, 2, 2]))
    of_items, of_labels = (
        chance.by_shares(ItemStatistics(ratings, Nominal(3, "nominal"), unit), np.array([0.6]))
        for unit in ("item", "label")
    )
    assert of_items.bias == pytest.approx(0.6 / 9)  # 10 labels: (1 - 1 / 10) of the disagreement of two of them
    assert of_labels.bias == 0


def test_moments_of_shares_scale_with_the_mean_and_need_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Alpha's mean is larger by its correction; the variance of many categories is computed without their table."""
    ratings = wide(np.array([0, 0, 1, 1, 2, 0]), np.array([0, 1, 1, 2, 2, 0]))
    statistics = ItemStatistics(ratings, Table(3, "linear", matrix=LINEAR))
    p = statistics.sums.profile[0]
    mean = np.array([p @ LINEAR @ p])
    found, larger = (chance.by_shares(statistics, times * mean) for times in (1.0, 1.1))
    assert_allclose([larger.variance, larger.third], [1.1**2 * found.variance, 1.1**3 * found.third])
    monkeypatch.setattr(chance, "MAX_CATEGORIES", 2)
    many = chance.by_shares(statistics, mean)
    assert_allclose([many.variance, many.third], [found.variance, [0]])


@pytest.mark.parametrize("symmetric", [True, False])
def test_three_coders_at_a_time_are_those_of_the_products_of_matrices(symmetric: bool) -> None:
    rng = np.random.default_rng(0)
    totals, D = rng.integers(9, size=(3, 4, 5)).astype(float), rng.random((5, 5)) * (1 - np.eye(5))
    D = D + D.T if symmetric else D
    totals[0, 1] = 0  # a coder without labels
    expected = []
    for coders in totals:
        p = [row / max(row.sum(), 1) for row in coders]
        M = [D @ (np.diag(share) - np.outer(share, share)) for share in p]
        triples = permutations(range(4), 3)
        expected.append(sum(np.trace(M[a] @ M[b] @ M[c]) for a, b, c in triples) * 20**3 / 19**2)
    np.testing.assert_allclose(chance._triangles(totals, D, np.full(3, 20.0)), expected)
