"""Weak and confused categories against their definitions, and their standard errors against the jackknife."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy.special import stdtr

import pandas_agreement  # noqa: F401  (registers df.agree)
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.ratings import WideRatings
from pandas_agreement.hypothesis_tests.category import MARGIN, CategoryTests


@pytest.fixture
def table() -> Array:
    """Labels of three coders, -1 for none; 2 and 3 are often confused, and 3 is weak."""
    rng = np.random.default_rng(3)
    truth = rng.choice(4, 300, p=[0.4, 0.3, 0.2, 0.1])
    codes = np.where(rng.random((300, 3)) < 0.93, truth[:, None], rng.integers(0, 4, (300, 3)))
    codes = np.where((codes > 1) & (rng.random(codes.shape) < 0.6), rng.integers(2, 4, codes.shape), codes)
    return np.where(rng.random(codes.shape) < 0.2, -1, codes)


def sums_of(table: Array, weight: Array | None = None) -> CategoryTests:
    codes = tuple(column.astype(np.int8) for column in table.T)
    return CategoryTests(WideRatings(table.shape[1], 4, 1, None, weight, codes))


def test_kappas_are_those_of_by_category(table: Array) -> None:
    whole = table[(table >= 0).all(1)]
    kappa = pd.DataFrame(whole).agree.by_category(metrics=["pi"])["estimate"].to_numpy()
    found = sums_of(whole)
    share = found.share[0]
    weight = share * (1 - share)
    rest = [np.delete(kappa, k) @ np.delete(weight, k) / np.delete(weight, k).sum() for k in range(4)]
    assert found.kappa[0] == pytest.approx(kappa)
    assert found.rest[0] == pytest.approx(rest)


def test_the_category_that_each_is_confused_with_most(table: Array) -> None:
    """Each pair of labels of an item counts as 1 / (labels - 1)."""
    met = np.zeros((4, 4))
    for row in table:
        labels = row[row >= 0]
        for one, two in combinations(labels, 2):
            met[[one, two], [two, one]] += 1 / (len(labels) - 1)
    np.fill_diagonal(met, 0.0)
    category, share = sums_of(table).most_confused()
    assert category[0].tolist() == met.argmax(1).tolist()
    assert share[0] == pytest.approx(met.max(1) / met.sum(1))


def test_who_always_agrees_confuses_nothing() -> None:
    share = sums_of(np.repeat(np.arange(3), 3).reshape(3, 3)).most_confused()[1]
    assert share.tolist() == [[0.0] * 4]


def test_the_standard_error_is_that_of_the_jackknife(table: Array) -> None:
    def difference(weight: Array) -> Array:
        found = sums_of(table, weight)
        return (found.rest - found.kappa)[0]

    ones = np.ones(len(table))
    step = 1e-5
    influence = [(difference(ones + step * (ones.cumsum() == i + 1)) - difference(ones)) / step for i in range(300)]
    found = sums_of(table)
    se = found._difference_se()[0]
    assert se == pytest.approx(np.sqrt(np.square(influence).sum(0)), rel=1e-3)
    h = found.n_items[0]
    t = (np.fmin(found.rest, found.uniform())[0] - found.kappa[0] - MARGIN) / (se * np.sqrt(h / (h - 1)))
    p = np.sort(stdtr(h - 1, -t))
    assert np.sort(found.below_others()["p_holm"][0]) == pytest.approx(
        np.minimum(np.maximum.accumulate(p * np.arange(4, 0, -1)), 1), rel=1e-9
    )


def test_the_standard_error_of_a_confusion_is_that_of_the_jackknife(table: Array) -> None:
    found = sums_of(table)
    confused = found.confused()
    assert [confused["one"].tolist(), confused["two"].tolist()] == [[2], [3]]

    def value(weight: Array) -> float:
        sums = sums_of(table, weight)
        pairs = sums.confusions
        place = np.flatnonzero((pairs.one == 2) & (pairs.two == 3))[0]
        share = 2 * pairs.number[place] / (sums.totals - sums.met).sum()
        return float(share - 1.5 * 2 * sums.share[0, 2] * sums.share[0, 3] / (1 - sums.squares[0]))

    ones, step = np.ones(len(table)), 1e-5
    influence = [(value(ones + step * (ones.cumsum() == i + 1)) - value(ones)) / step for i in range(300)]
    assert found._confusion_se(confused)[0] == pytest.approx(np.sqrt(np.square(influence).sum()), rel=1e-3)


def test_confusions_are_counted_by_definition(table: Array) -> None:
    pairs, expected = sums_of(table).confusions, np.zeros((4, 4))
    for row in table:
        own = row[row >= 0]
        for a, b in combinations(own, 2):
            if a != b:
                expected[min(a, b), max(a, b)] += 1 / (len(own) - 1)
    assert pairs.number == pytest.approx(expected[pairs.one, pairs.two])


def test_uniform_errors_leave_what_is_expected_of_each_category() -> None:
    """All cells of two coders who err towards any other category equally often, as weights."""
    shares, right = np.array([0.6, 0.2, 0.15, 0.05]), 0.85
    law = np.full((4, 4), 0.15 / 3) + (right - 0.15 / 3) * np.eye(4)
    cells = np.einsum("t,ti,tj->ij", shares, law, law)
    one, two = np.divmod(np.arange(16), 4)
    found = sums_of(np.stack([one, two], 1), 1000 * cells.ravel())
    assert found.uniform()[0] == pytest.approx(found.kappa[0], abs=0.04)  # errors of the category itself count, too
    assert (found.uniform() < found.kappa).all()
    assert found.kappa[0, 3] < found.rest[0, 3] - 0.2  # which is why the others alone are no measure


def test_only_categories_with_ten_items_of_three_or_more_are_tested(table: Array) -> None:
    few = np.where(table == 3, -1, table)
    few[:9, 0] = 3
    p = sums_of(few).below_others()["p_holm"][0]
    assert np.isnan(p).tolist() == [False, False, False, True]
    assert np.isnan(sums_of(np.minimum(table, 1)).below_others()["p_holm"]).all()


def test_groups_are_tested_by_themselves(table: Array) -> None:
    group = np.arange(300) % 2
    whole = sums_of(table)
    grouped = CategoryTests(replace(whole.ratings, n_groups=2, group=group[(table >= 0).sum(1) > 1]))
    for half in range(2):
        part = sums_of(table[group == half])
        for name, values in part.below_others().items():
            np.testing.assert_allclose(grouped.below_others()[name][half], values[0], err_msg=name)
        chosen = grouped.confused()["group"] == half
        for name in ("share", "chance", "p_value"):
            np.testing.assert_allclose(grouped.confused()[name][chosen], part.confused()[name])
