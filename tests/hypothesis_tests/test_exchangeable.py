"""Tests of single coders against all permutations of the labels within items."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from pandas_agreement.core.arrays import Array
from pandas_agreement.hypothesis_tests.usage import sole_user_test, usual_label_test

Items = list[list[str]]  # the labels of each item, in the order of the coders


def arrays(items: Items) -> tuple[Array, Array, list[str]]:
    item = np.repeat(np.arange(len(items)), [len(labels) for labels in items])
    coder = np.concatenate([np.arange(len(labels)) for labels in items])
    return item, coder, [label for labels in items for label in labels]


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
