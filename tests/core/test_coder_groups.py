"""Item statistics of pairs of coders from two groups."""

from __future__ import annotations

from itertools import product

import numpy as np

from pandas_agreement.core.coder_groups import AcrossStatistics, across_groups, within_groups
from pandas_agreement.core.distances import Distance, Nominal, Points
from pandas_agreement.core.ratings import Labels, LongRatings


def statistics(codes: list[list[int]], camp: list[int], distance: Distance) -> AcrossStatistics:
    """Those of the labels of items (rows) by coders of two groups; -1 is missing."""
    item, coder = np.nonzero(np.array(codes) >= 0)
    labels = Labels(item, coder, np.array(codes)[item, coder])
    ratings = LongRatings(len(camp), distance.n_categories, 1, None, None, labels, len(codes))
    return AcrossStatistics(across_groups(ratings, np.array([camp]), 2), distance)


def test_sums_of_sizes_are_the_chances_that_two_pairs_and_two_labels_are_the_same() -> None:
    codes = [[0, 1, 1, 0, 1], [0, -1, -1, 1, 1], [1, 1, 0, 0, -1]]
    expected = np.zeros(3)
    for row in codes:
        sides = [[c for c in coders if row[c] >= 0] for coders in ((0, 1, 2), (3, 4))]
        pairs = list(product(*sides))
        labels = [(pair[side], len(pairs)) for side in (0, 1) for pair in pairs]  # each side half of the time
        same = [one == two for one, two in product(labels, repeat=2)]
        expected += [1, np.mean([one == two for one, two in product(pairs, repeat=2)]), np.mean(same)]
    found = statistics(codes, [0, 0, 0, 1, 1], Nominal(2, "nominal")).size_sums
    np.testing.assert_allclose(found[:, 0], expected, rtol=1e-12)


def test_unanimous_items_disagree_by_nothing() -> None:
    """Exactly 0: the limit of perfect agreement depends on it."""
    points = Points(3, "interval", points=np.array([[0.1], [0.37], [-1.3]]))
    codes = [[k] * 5 for k in range(3)]
    assert statistics(codes, [0, 0, 0, 1, 1], points).disagreement.tolist() == [0.0, 0.0, 0.0]


def test_coders_may_change_their_group_between_groups_of_items() -> None:
    labels = Labels(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]), np.zeros(4, int))
    ratings = LongRatings(2, 1, 2, np.array([0, 1]), None, labels, 2)
    for camp, expected in (([[0, 1], [1, -1]], [0, 1, 3]), ([[0, 1]], [0, 1, 2, 3])):
        assert within_groups(ratings, np.array(camp), 2).ratings.item_group.tolist() == expected
