"""Ratings without a coder, and counts of categories, however the ratings are stored."""

from __future__ import annotations

import numpy as np
import pytest

from pandas_agreement.core.category_counts import DenseCounts
from pandas_agreement.core.ratings import Ratings, WideRatings
from pandas_agreement.core.scores import Scores

CODES = tuple(np.array(codes, np.int8) for codes in ([0, 1, 2, -1], [0, -1, 2, 2], [1, 1, -1, 0]))
WIDE = WideRatings(3, 3, 1, None, None, CODES)
COLUMNS = [np.where(codes < 0, np.nan, codes.astype(float)) for codes in CODES]


@pytest.mark.parametrize("ratings", [WIDE, WIDE.as_long()], ids=["wide", "long"])
@pytest.mark.parametrize("coder", [0, 1, 2])
def test_the_other_coders_are_numbered_again(ratings: Ratings, coder: int) -> None:
    rest = ratings.without(coder)
    assert rest.n_coders == 2
    np.testing.assert_array_equal(rest.coder_totals(), np.delete(ratings.coder_totals(), coder, axis=1))


@pytest.mark.parametrize("coder", [0, 1, 2])
def test_scores_of_the_other_coders(coder: int) -> None:
    rest = Scores.from_columns(COLUMNS).without(coder)
    expected = Scores.from_columns([codes for place, codes in enumerate(COLUMNS) if place != coder])
    assert rest.n_coders == expected.n_coders
    for one, two in ((rest.item, expected.item), (rest.coder, expected.coder), (rest.value, expected.value)):
        np.testing.assert_array_equal(one, two)


def test_labels_of_a_crowd_are_counted_beyond_the_type_of_their_counts() -> None:
    counts = DenseCounts(np.full((2, 3), 200, np.uint8))
    assert counts.sizes.tolist() == [400] * 3
    assert counts.squares().tolist() == [80_000] * 3


def test_counts_of_nothing_lead_nowhere() -> None:
    no_categories = DenseCounts(np.zeros((0, 3), np.uint8))
    for found in (no_categories.leaders(), no_categories.sparse().leaders()):
        assert [part.tolist() for part in found] == [[0, 0, 0]] * 3
    nobody = np.zeros(0, np.int64)
    votes = DenseCounts(np.ones((2, 3), np.uint8)).sparse().votes_of_others(nobody, nobody)
    assert [len(part) for part in votes] == [0, 0, 0]
