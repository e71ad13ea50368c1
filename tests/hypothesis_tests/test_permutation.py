"""Shuffled labels: both ways of drawing against all permutations, and independence of groups and chunks."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.ratings import WideRatings
from pandas_agreement.hypothesis_tests import permutation
from pandas_agreement.hypothesis_tests.label_pools import ANEW, POOLED, TURNED
from pandas_agreement.hypothesis_tests.permutation import draw_tables, shuffle_labels
from tests.data_sets import scores
from tests.hypothesis_tests.helpers import DATA, DISTANCES, follow_all_permutations, judgments


@pytest.mark.parametrize("distance", DISTANCES.values(), ids=DISTANCES)
@pytest.mark.parametrize("name", DATA)
def test_tables_follow_the_distribution_of_all_permutations(name: str, distance: Array) -> None:
    codes = np.array(DATA[name])
    follow_all_permutations(draw_tables(judgments(codes), distance, 20_000, [7]), codes, distance)


def grouped(n_groups: int, size: int, lowest: int = -1, n_coders: int = 3) -> tuple[WideRatings, Array]:
    rng = np.random.default_rng(3)
    codes = tuple(rng.integers(lowest, 3, (n_coders, n_groups * size)))
    return WideRatings(n_coders, 3, n_groups, np.repeat(np.arange(n_groups), size), None, codes), np.full(n_groups, 0.5)


def shuffles(ratings: WideRatings, observed: Array, keys: list[int]) -> Array:
    found, _ = shuffle_labels(ratings.as_long(), 1 - np.eye(3), observed, 400, 11, keys)
    return np.stack([found.deviation, found.squared, found.at_most, found.at_least])


#: items of each group, the lowest code (-1 is a gap), coders, and how the groups are shuffled
WAYS = {"shared": (10, -1, 3), "shared pool": (10, 0, 3), "tables": (4000, -1, 3), "turned": (200, -1, 12)}


@pytest.mark.parametrize(("size", "lowest", "n_coders"), WAYS.values(), ids=WAYS)
def test_other_groups_change_nothing(size: int, lowest: int, n_coders: int) -> None:
    ratings, observed = grouped(6, size, lowest, n_coders)
    whole = shuffles(ratings, observed, [10, 11, 12, 13, 14, 15])
    half = ratings.select(ratings.group < 3)
    assert_allclose(shuffles(half, observed, [10, 11, 12, 13, 14, 15])[:, :3], whole[:, :3], rtol=1e-12)
    backwards = WideRatings(n_coders, 3, 6, 5 - ratings.group, None, ratings.codes)
    assert_allclose(shuffles(backwards, observed, [15, 14, 13, 12, 11, 10]), whole[:, ::-1], rtol=1e-12)


@pytest.mark.parametrize("lowest", [-1, 0], ids=["gaps", "complete"])
def test_blocks_of_groups_change_nothing(lowest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    ratings, observed = grouped(9, 10, lowest)
    whole = shuffles(ratings, observed, list(range(9)))
    monkeypatch.setattr(permutation, "MAX_BLOCK", 20 * 250)
    assert_allclose(shuffles(ratings, observed, list(range(9))), whole, rtol=1e-12)


def test_groups_of_different_pools_are_not_mixed() -> None:
    few, many = grouped(1, 12, 0, 3)[0], grouped(1, 12, 0, 80)[0]
    codes = np.full((80, 24), -1)
    codes[:3, :12], codes[:, 12:] = few.codes, many.codes
    both = WideRatings(80, 3, 2, np.repeat([0, 1], 12), None, tuple(codes))
    found = shuffles(both, np.full(2, 0.5), [1, 2])
    for group, alone in enumerate((few, many)):
        assert_allclose(found[:, group], shuffles(alone, np.array([0.5]), [group + 1])[:, 0], rtol=1e-12)


def test_the_cheaper_way_is_taken() -> None:
    nominal = 1 - np.eye(3)
    for n, way in ((100_000, "tables"), (5, "shuffles")):
        labels = judgments(np.arange(3 * n).reshape(3, -1) % 3)
        ways = permutation.ways_of_shuffling(labels, nominal, 1)
        assert (permutation.cost_of_tables(labels) < ways.cost[0]) == (way == "tables")
        assert ways.may_share[0] == (n == 5)
    assert permutation.cost_of_tables(judgments(np.zeros((2, 4), int))) > 0


def test_gaps_choose_how_labels_are_shuffled() -> None:
    rng = np.random.default_rng(0)
    complete = rng.integers(0, 3, (20, 100))
    gaps = np.where(rng.random(complete.shape) < 0.3, -1, complete)
    crowd = np.where(rng.random((200, 300)) < 0.01, 1, -1)
    for codes, way in ((complete, POOLED), (gaps, TURNED), (gaps[:, :20], ANEW), (crowd, ANEW)):
        assert permutation.ways_of_shuffling(judgments(codes), 1 - np.eye(3), 1).way[0] == way


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
    options = {"metrics": ["pi"], "method": "permutation", "n_resamples": 4000, "detail": True}
    together = df.agree.test.chance("ann", "bob", "cleo", by="batch", rng=1, **options)
    for batch, part in df.groupby("batch"):
        alone = part.agree.test.chance("ann", "bob", "cleo", rng=5, **options).loc["pi"]
        row = together.loc[(batch, "pi")]
        assert row["expected"] == pytest.approx(alone["expected"], abs=0.004)
        assert row["statistic"] == pytest.approx(alone["statistic"], rel=0.06)


def test_many_coders_have_the_moments_of_the_closed_form() -> None:
    df = pd.DataFrame(np.random.default_rng(4).choice(4, (60, 30), p=[0.5, 0.3, 0.1, 0.1])).add_prefix("c")
    for weights in ("nominal", "linear"):
        options = {"metrics": "kappa", "weights": weights, "detail": True}
        shuffled = df.agree.test.chance(method="permutation", rng=3, n_resamples=4000, **options).loc["kappa"]
        closed = df.agree.test.chance(**options).loc["kappa"]
        assert shuffled["expected"] == pytest.approx(closed["expected"], abs=3e-4)
        assert shuffled["statistic"] == pytest.approx(closed["statistic"], abs=0.1)
        assert shuffled["p_value"] == pytest.approx(closed["p_value"], abs=0.04)


def test_without_common_items_there_is_no_test() -> None:
    df = pd.DataFrame({"a": [1, 2, None, None], "b": [None, None, 1, 2]})
    table = df.agree.test.chance("a", "b", metrics="kappa", method="permutation", rng=0, detail=True)
    assert table["p_value"].isna().all()
    assert table["remarks"].item() == "no test: fewer than two items"
    assert table["note"].item() == "not tested"
