"""Tables of pairs of coders, and what is refused before its memory is taken."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest

import pandas_agreement  # noqa: F401
from pandas_agreement import InputError
from pandas_agreement.core import contingency
from pandas_agreement.core.pairs import pair_up
from pandas_agreement.core.ratings import WideRatings
from tests.helpers import refuses


def test_pairs_of_thousands_of_coders_are_refused_with_the_memory_they_need() -> None:
    crowd = WideRatings(2500, 3, 1, None, None, (np.zeros(60, np.int8),) * 2500)
    problem = "2,500 coders make 3,123,750 pairs, whose tables would need about 7 GB. Name fewer coders."
    with refuses(InputError, problem):
        pair_up(crowd)


def test_scores_of_a_table_of_many_items_are_refused_with_the_memory_they_need() -> None:
    table = pd.DataFrame([[10**12, 5], [7, 10**12]], index=[1, 2], columns=[1, 2])
    message = "Scores are taken item by item, and 2,000,000,000,012 items would need about 600,000 GB. Take a part of "
    message += "the items, or coefficients of the table: kappa(weights='quadratic') is close to icc_a1, and "
    with refuses(InputError, f"{message}alpha(level='interval') to icc_1."):
        table.agree.crosstab().icc_a1()
    assert table.agree.crosstab().kappa(weights="quadratic")["estimate"].iloc[0] > 0.99


def test_values_of_cells_reach_the_items_of_many_categories() -> None:
    rng = np.random.default_rng(0)
    codes = tuple(rng.integers(-1, 200, 300) for _ in range(3))
    group, weight = rng.integers(3, size=300), rng.integers(1, 4, 300).astype(float)
    for ratings in (WideRatings(3, 200, 1, None, None, codes), WideRatings(3, 200, 3, group, weight, codes)):
        pairs = pair_up(ratings)
        table, value = pairs.ratings, rng.random(pairs.ratings.n_items)
        owner = pairs.owner[table.item_group], pairs.first[table.item_group], pairs.second[table.item_group]
        cells = dict(zip(zip(*owner, *table.codes, strict=True), value, strict=True))
        number = dict(zip(zip(*owner, *table.codes, strict=True), table.weights, strict=True))
        expected, counted = np.zeros(300), dict.fromkeys(cells, 0.0)
        for item in range(300):
            for g, h in ((0, 1), (0, 2), (1, 2)):
                key = ratings.item_group[item], g, h, codes[g][item], codes[h][item]
                if min(key[3:]) >= 0:
                    expected[item] += cells[key]
                    counted[key] += ratings.weights[item]
        np.testing.assert_allclose(pairs.to_items(value), expected, atol=1e-12)
        assert counted == number


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
