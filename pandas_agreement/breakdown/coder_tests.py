"""Tests of single coders against the others of the same items, and of categories that a single coder uses."""

from __future__ import annotations

import numpy as np

from pandas_agreement.breakdown.camps import LEVEL, MIN_ITEMS, FoundCamps
from pandas_agreement.breakdown.coder_scores import ScoreSums
from pandas_agreement.breakdown.coders import CoderSums
from pandas_agreement.breakdown.grouped_rows import GroupedRows, named
from pandas_agreement.core.arrays import Array, number_within
from pandas_agreement.core.coder_groups import within_groups
from pandas_agreement.core.contingency import distinct
from pandas_agreement.core.distances import Distance
from pandas_agreement.core.quantiles import normal_quantile
from pandas_agreement.core.ratings import LongRatings, Ratings
from pandas_agreement.core.scores import Scores
from pandas_agreement.core.sums import divide
from pandas_agreement.data import Reading
from pandas_agreement.hypothesis_tests.coder_gaps import CoderGaps, gap_test
from pandas_agreement.hypothesis_tests.margins import holm
from pandas_agreement.hypothesis_tests.usage import (
    MIN_CODERS,
    Chosen,
    sole_user_test,
    step_down,
    usage_test,
    usual_label_test,
)

MIN_GAP = 0.05  # in agreement beyond chance of a coder who is out of line
MIN_GAP_OF_CAMP = 0.1  # the same within one of two camps
MIN_POINTS = 0.05  # difference in the share of a category
POWER = 0.8  # of the test of a gap that would hardly be missed


def coder_tests(reading: Reading, distance: Distance | None, camps: FoundCamps | None) -> GroupedRows:
    """One row per group and coder who was tested: agreement beyond chance with the others, theirs, and the test.

    Labels are equal or not, or as far apart as `distance` says. Where there are two camps, each is tested by itself.
    """
    ratings, parts = _merged_if_complete(reading.ratings).as_long().by_item, 1
    least: Array = np.full((1, 1), MIN_GAP)
    if camps is not None:
        ratings, parts = within_groups(camps.ratings, np.maximum(camps.camp, 0), 2).ratings.by_item, 2
        least = np.where(camps.camp.max(1) >= 0, MIN_GAP_OF_CAMP, MIN_GAP).repeat(2)[:, None]
    groups = np.arange(ratings.n_groups) // parts
    sums = CoderSums(ratings, None if distance is None else distance.in_groups(groups))
    weight = ratings.weights[ratings.item]
    size = sums.shape[1], sums.shape[0]
    compared = CoderGaps(ratings.item, sums.place, ratings.code, sums.apart, weight, *size, sums.distance.between)
    shares = np.nan_to_num(divide(sums.totals.sum(1), sums.totals.sum((1, 2))[:, None]))
    table = _tested(compared, (shares * sums.distance.apply(shares)).sum(-1), least)
    coder = camps.coder_of[groups[:, None], sums.coder_of] if camps is not None else sums.coder_of
    group, place = np.nonzero(sums.present)
    columns = {name: values[group, place] for name, values in table.items()}
    return GroupedRows(groups[group], coder=named(reading.coders, coder[group, place]), **columns)


def _merged_if_complete(ratings: Ratings) -> Ratings:
    """Equal items as one if every coder labelled every item: only neighbours with two labels are compared by place."""
    complete = ratings.n_coders >= MIN_CODERS and bool((ratings.sizes == ratings.n_coders).all())
    return distinct(ratings, coders=True) if complete else ratings


def score_tests_of_coders(reading: Reading, scores: Scores) -> GroupedRows:
    """The tests of all coders by the squared differences of their scores from the others'."""
    sums = ScoreSums(scores)
    number = number_within(scores.cell_owner)  # of each coder within the group
    C = int(number.max(initial=0)) + 1
    cell = scores.owner * C + number[scores.cell]
    ones = np.ones(len(scores.item))
    weight = scores.weights[scores.item]
    compared = CoderGaps(scores.item, cell, sums.x, sums.apart, weight, C, scores.n_groups, _squared)
    table = _tested(compared, 2 * divide(scores.per_group(sums.x**2), scores.per_group(ones)), np.full((1, 1), MIN_GAP))
    columns = {name: values[scores.cell_owner, number] for name, values in table.items()}
    return GroupedRows(scores.cell_owner, coder=named(reading.coders, scores.cell_coder), **columns)


def _squared(one: Array, two: Array, group: Array) -> Array:
    return (one - two) ** 2


def _tested(compared: CoderGaps, expected: Array, min_gap: Array) -> dict[str, Array]:
    """The columns of the tests, and the gap that would hardly be missed: (G, C); `expected` disagreement is (G,)."""
    from scipy.special import ndtri

    chance = expected[:, None]

    def test(labels: CoderGaps) -> dict[str, Array]:
        found = gap_test(labels)
        gap, se = divide(found.gap, chance), divide(np.sqrt(found.variance), chance)
        enough = (gap >= min_gap) & (found.n_items >= MIN_ITEMS)
        agreement = 1 - divide(found.own, chance)
        columns = {"n_items": found.n_items, "n_two": found.n_two, "gap": gap, "enough": enough, "se": se}
        columns |= {"agreement": agreement, "others": agreement + gap, "p_value": found.p_value}
        return columns | {"weight": found.weight, "batches": found.batches}

    first = test(compared)
    labels = np.bincount(compared.cell, minlength=first["gap"].size).reshape(first["gap"].shape)
    C = np.maximum((labels > 0).sum(1, keepdims=True), 1)
    differs = np.bincount(compared.cell, compared.apart, minlength=first["gap"].size).reshape(first["gap"].shape) > 0
    missed = (-ndtri(LEVEL / C) + ndtri(POWER)) * first["se"]
    found = step_down(compared, test, LEVEL)
    half = normal_quantile(0.95) * found["se"]
    return found | {
        "gap_low": found["gap"] - half,
        "gap_high": found["gap"] + half,
        "missed": missed,
        "differs": differs,
    }


def usual_labels(sums: CoderSums) -> Array:
    """P after Holm that each coder's usual label is no more usual than with the others: (G, C)."""
    ratings, cells = sums.ratings, sums.shape[0] * sums.shape[1]
    usual = np.argsort(-sums.totals, -1, "stable")[..., :1].ravel()[sums.place]  # (N,) of the label's coder
    number = sums.cells.number_of(ratings.item, usual)
    p = usual_label_test(number, ratings.code == usual, ratings.item, sums.place, cells, sums.weight)
    return holm(p.reshape(sums.shape[:2]))


def usage_tests(reading: Reading, camps: FoundCamps | None) -> GroupedRows:
    """One row per group and coder who uses a category more or less often than the others of the same items.

    Where there are two camps, only the first is compared with the second.
    """
    ratings = distinct(reading.ratings, coders=True).as_long() if camps is None else camps.ratings
    ratings = ratings.select(ratings.sizes > 1)
    group, local = ratings.item_group[ratings.item], ratings.local_coder
    C = max(int(local.max(initial=0)) + 1, 2)
    coder_of = np.zeros((ratings.n_groups, C), np.int64)
    coder_of[group, local] = ratings.coder
    in_camps = np.zeros(ratings.n_groups, bool)
    if camps is not None:
        in_camps = camps.camp.max(1) >= 0
        coder_of = camps.coder_of[np.arange(len(in_camps))[:, None], coder_of]
        local = np.where(in_camps[group], camps.camp[group, ratings.coder], local)
    weight = ratings.weights[ratings.item]
    labels = ratings.item, group * C + local, ratings.code, weight, C, ratings.n_groups, ratings.n_categories
    between = _usage(Chosen(*labels).of(in_camps[group]))
    found = step_down(Chosen(*labels).of(~in_camps[group]), _usage, LEVEL)
    first = in_camps[:, None] & (np.arange(C) == 0) & between["enough"] & (between["p_value"] < LEVEL)
    rows, place = np.nonzero(found["named"] | first)
    columns = {name: np.where(first, between[name], found[name])[rows, place] for name in ("n_items", "points")}
    columns["p_holm"] = np.where(first, between["p_value"], found["p_adjusted"])[rows, place]
    columns["code"] = np.where(first, between["category"], found["category"])[rows, place]
    columns["of_camp"] = in_camps[rows]
    return GroupedRows(rows, coder=named(reading.coders, coder_of[rows, place]), **columns)


def _usage(chosen: Chosen) -> dict[str, Array]:
    found = usage_test(chosen)
    return found | {"enough": (np.abs(found["points"]) >= MIN_POINTS) & (found["n_items"] >= MIN_ITEMS)}


def sole_users(ratings: LongRatings) -> Array:
    """The chance that one coder gave all labels of a category, after Holm; else 1: (G, K)."""
    shape = ratings.n_groups, ratings.n_categories
    group = 0 if ratings.group is None else ratings.group[ratings.item]
    cell = group * np.int64(shape[1]) + ratings.code
    size, weight = ratings.sizes[ratings.item], ratings.weights[ratings.item]
    users = np.unique(cell * np.int64(max(ratings.n_coders, 1)) + ratings.coder) // max(ratings.n_coders, 1)
    sole = np.bincount(users, minlength=shape[0] * shape[1]) == 1
    p = np.where(sole, sole_user_test(size, cell, shape[0] * shape[1], weight), 1.0).reshape(shape)
    return holm(p)
