"""Shuffled labels: both ways of drawing against all permutations, and independence of groups and chunks."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.ratings import WideRatings
from pandas_agreement.hypothesis_tests import permutation
from pandas_agreement.hypothesis_tests.permutation import Judgments, draw_shuffled, draw_tables, shuffle_labels
from tests.data_sets import scores

LINEAR = np.abs(np.subtract.outer(np.arange(3), np.arange(3))) / 2
#: codes of coders, -1 is a gap; the last has an item with one label
DATA = {
    "two": [[0, 1, 2, 0], [0, 1, 1, 2]],
    "gaps": [[0, 1, -1, 0], [0, -1, 1, 2], [1, 1, 2, -1]],
    "single": [[0, 1, 2, -1], [0, 1, 1, -1], [1, 1, -1, 0]],
}


def judgments(codes: Array, group: Array | None = None, weight: Array | None = None) -> Judgments:
    n_groups = 1 if group is None else int(group.max()) + 1
    return Judgments.of(WideRatings(len(codes), 3, n_groups, group, weight, tuple(codes)).as_long())


def disagreement(codes: Array, distance: Array) -> float:
    """Mean distance of the pairs of an item, over the items with two labels or more."""
    rows = [row[row >= 0] for row in np.array(codes).T]
    return float(
        np.mean(
            [np.mean([distance[a, b] for i, a in enumerate(row) for b in row[i + 1 :]]) for row in rows if len(row) > 1]
        )
    )


def every(codes: Array, distance: Array) -> Array:
    """The disagreement of all shuffles of each coder's labels over the items they labelled."""
    rated = [np.flatnonzero(code >= 0) for code in codes]
    out = []
    for orders in product(*(permutations(code[items]) for code, items in zip(codes, rated, strict=True))):
        shuffled = codes.copy()
        for row, items, order in zip(shuffled, rated, orders, strict=True):
            row[items] = order
        out.append(disagreement(shuffled, distance))
    return np.array(out)


@pytest.mark.parametrize("distance", [1 - np.eye(3), LINEAR], ids=["nominal", "linear"])
@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("draw", ["tables", "shuffled"])
def test_draws_follow_the_distribution_of_all_permutations(name: str, distance: Array, draw: str) -> None:
    codes = np.array(DATA[name])
    labels, n = judgments(codes), 20_000
    parts = draw_tables(labels, distance, n, [7]) if draw == "tables" else draw_shuffled(labels, distance, n, [7])
    drawn = np.concatenate([np.ravel(part) for part in parts])
    values, share = np.unique(every(codes, distance).round(9), return_counts=True)
    share = share / share.sum()
    found, number = np.unique(drawn.round(9), return_counts=True)
    assert set(found) <= set(values)
    p = share[np.searchsorted(values, found)]
    z = (number / n - p) / np.sqrt(p * (1 - p) / n + 1e-12)
    assert len(drawn) == n
    assert np.abs(z).max() < 4.5


def test_items_that_occur_several_times_are_shuffled_one_by_one() -> None:
    codes, weight = np.array([[0, 1, 2], [0, 2, 2]]), np.array([3.0, 2.0, 1.0])
    whole = judgments(np.repeat(codes, weight.astype(int), axis=1))
    expanded = judgments(codes, weight=weight).expanded()
    for name in ("item", "coder", "code", "weight"):
        assert (getattr(whole, name) == getattr(expanded, name)).all()


def grouped(n_groups: int, size: int) -> tuple[WideRatings, Array]:
    rng = np.random.default_rng(3)
    codes = tuple(rng.integers(-1, 3, (3, n_groups * size)))
    return WideRatings(3, 3, n_groups, np.repeat(np.arange(n_groups), size), None, codes), np.full(n_groups, 0.5)


def shuffles(ratings: WideRatings, observed: Array, keys: list[int]) -> Array:
    found, _ = shuffle_labels(ratings.as_long(), 1 - np.eye(3), observed, 400, 11, keys)
    return np.stack([found.deviation, found.squared, found.at_most, found.at_least])


@pytest.mark.parametrize("size", [10, 400], ids=["shared", "tables"])
def test_other_groups_change_nothing(size: int) -> None:
    ratings, observed = grouped(6, size)
    whole = shuffles(ratings, observed, [10, 11, 12, 13, 14, 15])
    half = ratings.select(ratings.group < 3)
    assert_allclose(shuffles(half, observed, [10, 11, 12, 13, 14, 15])[:, :3], whole[:, :3], rtol=1e-12)
    backwards = WideRatings(3, 3, 6, 5 - ratings.group, None, ratings.codes)
    assert_allclose(shuffles(backwards, observed, [15, 14, 13, 12, 11, 10]), whole[:, ::-1], rtol=1e-12)


def test_blocks_of_groups_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    ratings, observed = grouped(9, 10)
    whole = shuffles(ratings, observed, list(range(9)))
    monkeypatch.setattr(permutation, "MAX_BLOCK", 20 * 250)
    monkeypatch.setattr(permutation, "costs_of_shuffling", lambda labels, n: (np.ones(n), np.ones(n, bool)))
    assert_allclose(shuffles(ratings, observed, list(range(9))), whole, rtol=1e-12)


def test_the_cheaper_way_is_taken() -> None:
    few, many = judgments(np.zeros((2, 4), int)), judgments(np.arange(3 * 3000).reshape(3, -1) % 3)
    cost, small = permutation.costs_of_shuffling(many, 1)
    assert not small[0]
    assert permutation.cost_of_tables(many) < cost[0]
    cost, small = permutation.costs_of_shuffling(judgments(np.arange(3 * 5).reshape(3, -1) % 3), 1)
    assert small[0]
    assert permutation.cost_of_tables(judgments(np.arange(3 * 5).reshape(3, -1) % 3)) > cost[0]
    assert permutation.cost_of_tables(few) > 0


def test_coders_of_a_crowd_are_told_apart() -> None:
    codes = np.full((70, 70), -1)
    np.fill_diagonal(codes, 1)
    np.fill_diagonal(codes[:, 1:], 2)
    patterns = permutation._patterns(judgments(codes))
    assert len(patterns) == 70  # (0), (0, 1), (1, 2), ...
    assert [n for _, n in patterns] == [1.0] * 70


@pytest.mark.parametrize("gaps", [0.0, 0.3])
def test_groups_have_the_p_values_of_their_own(gaps: float) -> None:
    df = scores(90, 3, gaps=gaps, seed=2).assign(batch=["x", "y", "z"] * 30)
    together = df.agree.chance_test("ann", "bob", "cleo", by="batch", tests="permutation", rng=1, n_resamples=4000)
    for batch, part in df.groupby("batch"):
        alone = part.agree.chance_test("ann", "bob", "cleo", tests="permutation", rng=5, n_resamples=4000).iloc[0]
        row = together.loc[(batch, "permutation")]
        assert row["expected"] == pytest.approx(alone["expected"], abs=0.004)
        assert row["statistic"] == pytest.approx(alone["statistic"], rel=0.06)


def test_without_common_items_there_is_no_test() -> None:
    df = pd.DataFrame({"a": [1, 2, None, None], "b": [None, None, 1, 2]})
    table = df.agree.chance_test("a", "b", tests="permutation", rng=0)
    assert table["p_value"].isna().all()
    assert table["note"].item() == "no test: fewer than two items"


def test_counts_of_labels_and_pairs_of_labels_are_the_same_disagreement() -> None:
    rng, K = np.random.default_rng(0), 4
    item, coder = np.nonzero(rng.random((60, 9)) < 0.7)
    group = np.sort(rng.integers(3, size=60))[item]
    item = np.unique(item, return_inverse=True)[1]
    labels = permutation.Judgments(group, item, coder, np.zeros(len(item), int), np.ones(item.max() + 1))
    code = rng.integers(K, size=(len(item), 7)).astype(np.uint8)
    squared = np.subtract.outer(np.arange(K), np.arange(K)) ** 2 / 9.0
    for distance in (None, squared):
        pairs, counts = (cls(labels).mean(code, distance) for cls in (permutation.ItemPairs, permutation.ItemCounts))
        assert_allclose(counts, pairs, rtol=1e-14)


def test_orders_of_few_things_do_not_depend_on_the_most() -> None:
    few, many = (
        {m: order.copy() for m, order in permutation._orders(most, 5, np.random.default_rng(3))} for most in (4, 90)
    )
    for m, order in few.items():
        assert (many[m] == order).all()
        assert (np.sort(order, 0) == np.arange(m)[:, None]).all()
