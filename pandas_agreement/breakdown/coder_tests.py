"""Tests of single coders against the others of the same items, and of categories that a single coder uses."""

from __future__ import annotations

import numpy as np
import pandas as pd

from pandas_agreement.breakdown.coder_scores import ScoreSums, score_index
from pandas_agreement.breakdown.coders import CoderSums, index_parts
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.distances import Distance
from pandas_agreement.core.ratings import LongRatings
from pandas_agreement.core.scores import Scores
from pandas_agreement.core.sums import divide
from pandas_agreement.data import Reading
from pandas_agreement.hypothesis_tests.exchangeable import Gap, gap_test, sole_user_test, usual_label_test
from pandas_agreement.hypothesis_tests.margins import holm
from pandas_agreement.results import frames


def coder_tests(reading: Reading, distance: Distance | None = None) -> pd.DataFrame:
    """One row per group and active coder: agreement beyond chance with the others, theirs, and the tests.

    Labels are equal or not, or as far apart as `distance` says.
    """
    sums = CoderSums(reading.ratings.as_long(), distance)
    ratings, cells = sums.ratings, sums.shape[0] * sums.shape[1]
    gap = gap_test(sums.disagreement, ratings.item, sums.place, cells, sums.weight)
    shares = np.nan_to_num(divide(sums.totals.sum(1), sums.totals.sum((1, 2))[:, None]))
    columns = gap_columns(gap, (shares * sums.distance.apply(shares)).sum(-1).repeat(sums.shape[1]))
    usual = np.argsort(-sums.totals, -1, "stable")[..., :1].ravel()[sums.place]  # (N,) of the label's coder
    number = _number_of(ratings, usual)
    p = usual_label_test(number, ratings.code == usual, ratings.item, sums.place, cells, sums.weight)
    here = sums.present.ravel()
    table = {name: values[here] for name, values in columns.items()}
    table["p_holm"] = holm(gap.p_value.reshape(sums.shape[:2])).ravel()[here]
    table["usual_p"] = holm(p.reshape(sums.shape[:2])).ravel()[here]
    groups, names = index_parts(reading, sums)
    return pd.DataFrame(table, index=frames.index_of(groups, {"coder": names}))


def gap_columns(gap: Gap, expected: Array) -> dict[str, Array]:
    """Agreement beyond chance of a coder with the others and of these among themselves, and the difference."""
    return {
        "n_items": gap.n_items,
        "agreement": 1 - divide(gap.own, expected),
        "others": 1 - divide(gap.own - gap.gap, expected),
        "gap": divide(gap.gap, expected),
        "gap_low": divide(gap.low, expected),
        "gap_high": divide(gap.high, expected),
    }


def _number_of(ratings: LongRatings, code: Array) -> Array:
    """How many labels of each label's item have a given code: (N,)."""
    K = np.int64(max(ratings.n_categories, 1))
    keys, number = np.unique(ratings.item * K + ratings.code, return_counts=True)
    wanted = ratings.item * K + code
    place = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
    return np.where(keys[place] == wanted, number[place], 0) if len(keys) else np.zeros(0)


def sole_users(reading: Reading) -> pd.DataFrame:
    """One row per group and category: the chance that one coder gave all its labels, after Holm; else 1."""
    ratings = reading.ratings.as_long()
    shape = ratings.n_groups, ratings.n_categories
    group = 0 if ratings.group is None else ratings.group[ratings.item]
    cell = group * np.int64(shape[1]) + ratings.code
    size, weight = ratings.sizes[ratings.item], ratings.weights[ratings.item]
    users = np.unique(cell * np.int64(max(ratings.n_coders, 1)) + ratings.coder) // max(ratings.n_coders, 1)
    sole = np.bincount(users, minlength=shape[0] * shape[1]) == 1
    p = np.where(sole, sole_user_test(size, cell, shape[0] * shape[1], weight), 1.0).reshape(shape)
    groups = None if reading.groups is None else reading.groups.repeat(shape[1])
    labels = reading.category_set.labels.take(np.tile(np.arange(shape[1]), shape[0]))
    return pd.DataFrame({"p_holm": holm(p).ravel()}, index=frames.index_of(groups, {"category": labels}))


def score_tests_of_coders(reading: Reading, scores: Scores) -> pd.DataFrame:
    """The tests of all coders by the squared differences of their scores from the others'."""
    sums = ScoreSums(scores)
    gap = gap_test(sums.disagreement, scores.item, scores.cell, len(scores.cell_owner), np.ones(len(scores.item)))
    number = scores.per_group(np.ones(len(scores.item)))
    expected = 2 * divide(scores.per_group(sums.x**2), number)
    columns = gap_columns(gap, expected[scores.cell_owner])
    columns["p_holm"] = _holm_within(gap.p_value, scores.cell_owner, scores.n_groups)
    return pd.DataFrame(columns, index=score_index(reading, scores))


def _holm_within(p: Array, owner: Array, n_groups: int) -> Array:
    """Holm's adjustment within each group; `owner` is ascending: (M,)."""
    place = np.arange(len(owner)) - np.searchsorted(owner, owner)
    table = np.full((n_groups, int(place.max(initial=-1)) + 1), np.nan)
    table[owner, place] = p
    return holm(table)[owner, place]
