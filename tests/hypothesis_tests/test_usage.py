"""Tests of the categories a coder uses, against all permutations within items, and against Stuart and Maxwell's."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from pandas_agreement.core.arrays import Array
from pandas_agreement.hypothesis_tests import usage
from pandas_agreement.hypothesis_tests.margins import stuart_maxwell
from pandas_agreement.hypothesis_tests.usage import Chosen, usage_test


def chosen(table: Array, weight: float = 1.0, coders: Array | None = None) -> Chosen:
    """From a table (items, coders), -1 for no label; coders may be camps."""
    item, coder = np.nonzero(table >= 0)
    code = table[item, coder]
    cell = coder if coders is None else coders[coder]
    return Chosen(item, cell, code, np.full(len(item), weight), int(cell.max()) + 1, 1, int(table.max()) + 1)


def test_two_coders_give_stuart_and_maxwell() -> None:
    rng = np.random.default_rng(0)
    table = rng.integers(0, 4, (150, 2))
    table[:40, 1] = table[:40, 0]
    counts = np.zeros((4, 4))
    np.add.at(counts, (table[:, 0], table[:, 1]), 1)
    assert usage_test(chosen(table))["p_value"][0] == pytest.approx([float(stuart_maxwell(counts).p_value)] * 2)


def test_the_statistic_has_the_moments_of_all_permutations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Coder 0 may have given any label of each item."""
    monkeypatch.setattr(usage, "MIN_VARIANCE", 0.0)
    table = np.array([[0, 1, 2], [0, 0, 1], [2, 1, 1], [2, 2, 0], [1, 0, 0], [0, 2, 1]])
    onehot = np.eye(3)[table]  # (items, coders, K)
    sums = [
        sum(onehot[item, given] for item, given in enumerate(draw)) - onehot.mean(1).sum(0)
        for draw in product(range(3), repeat=6)
    ]
    V = np.cov(np.transpose(sums), ddof=0)
    T = onehot[:, 0].sum(0) - onehot.mean(1).sum(0)
    found = usage_test(chosen(table))
    statistic = float(T @ np.linalg.pinv(V) @ T)
    assert found["p_value"][0, 0] == pytest.approx(np.exp(-statistic / 2))  # two degrees of freedom
    others = onehot[:, 0] - (onehot[:, 1] + onehot[:, 2]) / 2
    most = np.abs(others.mean(0)).argmax()
    assert found["category"][0, 0] == most
    assert found["points"][0, 0] == pytest.approx(others.mean(0)[most])


def test_camps_are_compared_by_all_permutations_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(usage, "MIN_VARIANCE", 0.0)
    rng = np.random.default_rng(2)
    table = rng.integers(0, 2, (4, 4))
    table[:, 0] = 0
    table[:2, 3] = 1
    sums = []
    for draw in product(range(6), repeat=4):
        pairs = [[(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)][place] for place in draw]
        sums.append(sum(int(table[item, list(pair)].sum()) for item, pair in enumerate(pairs)))
    T = table[:, :2].sum() - np.mean(sums)
    found = usage_test(chosen(table, coders=np.array([0, 0, 1, 1])))
    z = T / np.std(sums)
    from scipy.stats import norm

    assert found["p_value"][0, 0] == pytest.approx(2 * norm.sf(abs(z)))
    difference = table[:, :2].mean() - table[:, 2:].mean()
    assert abs(found["points"][0, 0]) == pytest.approx(abs(difference))


def test_rare_categories_are_tested_together() -> None:
    rng = np.random.default_rng(5)
    table = rng.integers(0, 2, (200, 3))
    rare = table.copy()
    rare[:3, 0], rare[3:6, 1] = 2, 3
    merged = np.where(rare > 2, 2, rare)
    found = [usage_test(chosen(each))["p_value"][0] for each in (rare, merged)]
    np.testing.assert_allclose(*found)


def test_weights_are_so_many_items_and_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    table = np.random.default_rng(6).integers(-1, 3, (60, 5))
    one, two = usage_test(chosen(table, 2.0)), usage_test(chosen(np.concatenate([table, table])))
    monkeypatch.setattr(usage, "MAX_ENTRIES", 8)
    three = usage_test(chosen(table, 2.0))
    for name, values in one.items():
        np.testing.assert_allclose(values, two[name])
        np.testing.assert_allclose(values, three[name])


def test_without_a_coder() -> None:
    table = np.random.default_rng(7).integers(0, 3, (80, 4))
    left = usage_test(chosen(table).without(np.array([False, True, False, False])))
    other = usage_test(chosen(np.where(np.arange(4) == 1, -1, table)))
    np.testing.assert_allclose(left["p_value"][0, [0, 2, 3]], other["p_value"][0, [0, 2, 3]])
    assert np.isnan(left["p_value"][0, 1])
