"""Tests of single coders against all permutations of the labels within items."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

from pandas_agreement.core.arrays import Array
from pandas_agreement.hypothesis_tests.exchangeable import gap_test, sole_user_test, usual_label_test

Items = list[list[str]]  # the labels of each item, in the order of the coders

ITEMS: Items = [list("xxy"), list("xyz"), list("xyy"), list("xxx"), list("xyx"), list("yxxz"), list("yxxy"), list("xy")]


def arrays(items: Items) -> tuple[Array, Array, list[str]]:
    item = np.repeat(np.arange(len(items)), [len(labels) for labels in items])
    coder = np.concatenate([np.arange(len(labels)) for labels in items])
    return item, coder, [label for labels in items for label in labels]


def disagreements(items: Items) -> Array:
    """The share of the other labels of the item that differ, of each label."""
    return np.array(
        [np.mean([a != b for j, b in enumerate(row) if j != i]) for row in items for i, a in enumerate(row)]
    )


def gap_of(row: list[str], coder: int) -> float:
    """By definition: the disagreement with the others minus the mean over the pairs of the others."""
    others = [label for place, label in enumerate(row) if place != coder]
    pairs = [a != b for i, a in enumerate(others) for b in others[i + 1 :]]
    return float(np.mean([row[coder] != other for other in others]) - np.mean(pairs))


def with_two_others(items: Items) -> Items:
    return [row for row in items if len(row) > 2]


def test_the_gap_is_its_definition() -> None:
    item, coder, _ = arrays(ITEMS)
    test = gap_test(disagreements(ITEMS), item, coder, 4, np.ones(len(item)))
    for place in range(4):
        rows = [row for row in with_two_others(ITEMS) if len(row) > place]
        gaps = [gap_of(row, place) for row in rows]
        own = [np.mean([row[place] != other for i, other in enumerate(row) if i != place]) for row in rows]
        assert test.n_items[place] == len(rows)
        assert test.own[place] == pytest.approx(np.mean(own))
        assert test.gap[place] == pytest.approx(np.mean(gaps))
        half = (test.high[place] - test.low[place]) / 2
        quantile = {7: 2.446912, 2: 12.706205}[len(rows)]
        assert half == pytest.approx(quantile * np.std(gaps, ddof=1) / np.sqrt(len(rows)), rel=1e-6)


def test_p_is_close_to_the_share_of_permutations() -> None:
    """All ways to hand a coder one of the labels of each item: 3^5 4^2."""
    item, coder, _ = arrays(ITEMS)
    test = gap_test(disagreements(ITEMS), item, coder, 4, np.ones(len(item)))
    for place in range(3):
        sums = np.zeros(1)
        for row in with_two_others(ITEMS):
            sums = np.add.outer(sums, [gap_of(row, given) for given in range(len(row))]).ravel()
        observed = test.gap[place] * test.n_items[place]
        exact = np.mean(sums > observed + 1e-9) + np.mean(np.abs(sums - observed) < 1e-9) / 2  # mid-p
        assert test.p_value[place] == pytest.approx(exact, abs=0.03)


def test_repeated_items_are_weights() -> None:
    item, coder, _ = arrays(ITEMS)
    twice_item, twice_coder, _ = arrays(ITEMS * 2)
    one = gap_test(disagreements(ITEMS), item, coder, 4, np.full(len(item), 2.0))
    two = gap_test(disagreements(ITEMS * 2), twice_item, twice_coder, 4, np.ones(2 * len(item)))
    for name in ("n_items", "own", "gap", "low", "high", "p_value"):
        np.testing.assert_allclose(getattr(one, name), getattr(two, name))


def test_without_a_difference_there_is_no_test() -> None:
    item, coder, _ = arrays([list("xxx")] * 5 + [list("xy")] * 5)
    test = gap_test(disagreements([list("xxx")] * 5 + [list("xy")] * 5), item, coder, 3, np.ones(25))
    assert test.n_items.tolist() == [5, 5, 5]
    assert np.isnan(test.p_value).all()


def test_the_usual_label_is_tested_by_the_binomial_distribution() -> None:
    items: Items = [list("xxy")] * 3 + [list("yxy")] * 2 + [list("xxx")]
    item, coder, labels = arrays(items)
    usual = np.array([label == "x" for label in labels])
    number = np.array([row.count("x") for row in items for _ in row])
    p = usual_label_test(number, usual, item, coder, 3, np.ones(len(item)))
    chances = [1 / 3] * 3 + [2 / 3] * 2  # of another label than x, on the items that vary
    for place in range(3):
        others = sum(row[place] != "x" for row in items)
        exact = 0.0  # Poisson-binomial, at most the binomial with the same mean
        for draw in product([0, 1], repeat=5):
            if sum(draw) <= others:
                exact += float(np.prod([c if d else 1 - c for c, d in zip(chances, draw, strict=True)]))
        assert exact - 1e-12 <= p[place] or others > sum(chances) - 1
        assert p[place] == pytest.approx(exact, abs=0.03)


def test_the_chance_that_one_coder_gave_all_labels() -> None:
    sizes = [3, 3, 2]
    draws = list(product(*(range(size) for size in sizes)))  # coder 2 labelled the first two items only
    same = [draw for draw in draws if len(set(draw)) == 1]
    p = sole_user_test(np.array(sizes), np.zeros(3, int), 1, np.ones(3))
    assert p[0] == pytest.approx(len(same) / len(draws))


def test_repeated_items_are_weights_for_the_only_user_of_a_category() -> None:
    once = sole_user_test(np.array([3, 2]), np.zeros(2, int), 1, np.full(2, 2.0))
    assert once == pytest.approx(sole_user_test(np.array([3, 3, 2, 2]), np.zeros(4, int), 1, np.ones(4)))


def test_numbers_of_items_may_be_left_out() -> None:
    item, coder, _ = arrays(ITEMS)
    gaps = [gap_test(disagreements(ITEMS), number, coder, 4, np.ones(len(item))).gap for number in (item, 2 * item)]
    np.testing.assert_allclose(*gaps)


@pytest.mark.parametrize("same", [0, 1, 3, 5])
def test_p_of_a_distribution_with_a_long_left_tail(same: int) -> None:
    """Twelve items with one label given twice: two of five coders have a smaller gap, so the sum is binomial."""
    rows: Items = [list("yxxzw") if place >= same else list("xxyzw") for place in range(12)]  # coder 0
    item, coder, _ = arrays(rows)
    test = gap_test(disagreements(rows), item, coder, 5, np.ones(len(item)))
    chances = [math.comb(12, k) * 0.4**k * 0.6 ** (12 - k) for k in range(13)]  # of k items with the repeated label
    exact = sum(chances[:same]) + chances[same] / 2  # mid-p
    assert test.p_value[0] == pytest.approx(exact, abs=0.012)


def test_small_p_of_a_skewed_sum() -> None:
    """A label that one of six coders gives differs far more than the others differ: the third moment counts."""
    items = [list("yxxxxx")] * 8 + [list("xxxyxx")] * 16
    item, coder, _ = arrays(items)
    test = gap_test(disagreements(items), item, coder, 6, np.ones(len(item)))
    exact = [math.comb(24, n) * 5 ** (24 - n) / 6**24 for n in range(8, 25)]
    assert test.p_value[0] == pytest.approx(sum(exact) - exact[0] / 2, rel=0.1)  # mid-p


def test_repeated_items_are_weights_for_the_usual_label() -> None:
    items: Items = [list("xxy"), list("yxy"), list("xxx"), list("xyz")]
    found = []
    for rows, weight in ((items, 3.0), (items * 3, 1.0)):
        item, coder, labels = arrays(rows)
        usual = np.array([label == "x" for label in labels])
        number = np.array([row.count("x") for row in rows for _ in row])
        found.append(usual_label_test(number, usual, item, coder, 3, np.full(len(item), weight)))
    np.testing.assert_allclose(*found)


def test_a_coder_without_a_mixed_item_has_no_test_of_the_usual_label() -> None:
    item, coder, labels = arrays([list("xx"), list("xx"), list("yy")])
    usual, number = np.array([label == "x" for label in labels]), np.array([2, 2, 2, 2, 0, 0])
    assert np.isnan(usual_label_test(number, usual, item, coder, 3, np.ones(6))).all()


def test_one_mixed_item_is_enough_for_the_usual_label() -> None:
    """Two of three gave x: by chance a coder did with probability 2/3."""
    item, coder, labels = arrays([list("xxy"), list("xxx")])
    usual, number = np.array([label == "x" for label in labels]), np.repeat([2, 3], 3)
    p = usual_label_test(number, usual, item, coder, 3, np.ones(6))
    np.testing.assert_allclose(p, [2 / 3, 2 / 3, 1.0])
