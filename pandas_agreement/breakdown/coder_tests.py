"""Tests of single coders against the others of the same items, and of categories that a single coder uses."""

from __future__ import annotations

import numpy as np
import pandas as pd

from pandas_agreement.breakdown.coders import CoderSums, index_parts, long_of
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.distances import Distance
from pandas_agreement.core.ratings import LongRatings
from pandas_agreement.core.scores import Scores
from pandas_agreement.core.sums import divide
from pandas_agreement.data import Reading
from pandas_agreement.hypothesis_tests.exchangeable import Gap, gap_test, sole_user_test, usual_label_test
from pandas_agreement.hypothesis_tests.margins import holm
from pandas_agreement.results import frames

MAX_MATRIX = 2000  # categories whose distances fit into a matrix
MAX_CELLS = 1 << 22  # numbers of a block of items by categories


def coder_tests(reading: Reading) -> pd.DataFrame:
    """One row per group and active coder: agreement beyond chance with the others, theirs, and the tests."""
    sums = CoderSums(long_of(reading))
    ratings, cells = sums.ratings, sums.shape[0] * sums.shape[1]
    disagreement = divide(sums.size - sums.own, sums.size - 1)
    gap = gap_test(disagreement, ratings.item, sums.place, cells, sums.weight)
    shares = divide(sums.totals.sum(1), sums.totals.sum((1, 2))[:, None])
    columns = gap_columns(gap, (1 - (shares**2).sum(-1)).repeat(sums.shape[1]))
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
    ratings = long_of(reading)
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


# ------------------------------------------------------------------------------------------- partial credit and scores


def gaps_by_distance(reading: Reading, distance: Distance) -> pd.DataFrame:
    """The tests of all coders where labels may be partly equal; for at most `MAX_MATRIX` categories."""
    ratings = long_of(reading)
    matrix = np.asarray(distance.as_matrix()).reshape(-1, ratings.n_categories, ratings.n_categories)[0]
    from_all = _sums_within(ratings, matrix)
    disagreement = divide(from_all, ratings.sizes[ratings.item] - 1.0)
    totals = np.bincount(ratings.code, ratings.weights[ratings.item], minlength=ratings.n_categories)
    shares = divide(totals, totals.sum())
    where = ratings.item, ratings.coder, ratings.weights[ratings.item]
    return _gaps(reading, *where, disagreement, float(shares @ matrix @ shares))


def _sums_within(ratings: LongRatings, matrix: Array) -> Array:
    """The sum of the distances of each label from all labels of its item: (N,), in blocks of items."""
    out, K = np.zeros(len(ratings.item)), ratings.n_categories
    order = np.argsort(ratings.item, kind="stable")
    item, code = ratings.item[order], ratings.code[order]
    step = max(MAX_CELLS // max(K, 1), 1)
    for start in range(0, ratings.n_items, step):
        low, high = np.searchsorted(item, [start, start + step])
        local, codes = item[low:high] - start, code[low:high]
        counts = np.bincount(local * K + codes, minlength=step * K).reshape(step, K)
        out[order[low:high]] = (counts @ matrix.T)[local, codes]
    return out


def gaps_of_scores(reading: Reading, scores: Scores) -> pd.DataFrame:
    """The tests of all coders by the squared differences of their scores from the others'."""
    centred = scores.value - scores.value.mean()
    size = scores.sizes[scores.item].astype(float)
    total, squares = (scores.per_item(values)[scores.item] for values in (centred, centred**2))
    disagreement = divide(size * centred**2 - 2 * centred * total + squares, size - 1)
    where = scores.item, scores.coder, np.ones(len(scores.item))
    return _gaps(reading, *where, disagreement, 2 * float((centred**2).mean()))


def _gaps(
    reading: Reading, item: Array, coder: Array, weight: Array, disagreement: Array, expected: float
) -> pd.DataFrame:
    n = len(reading.coders)
    gap = gap_test(disagreement, item, coder, n, weight)
    columns = gap_columns(gap, np.full(n, expected)) | {"p_holm": holm(gap.p_value)}
    return pd.DataFrame(columns, index=pd.Index(list(reading.coders), name="coder", tupleize_cols=False))
