"""Permuted labels: all permutations equally often, the same for a seed whatever the blocks and the other groups."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from pandas_agreement import AgreementWarning
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.ratings import WideRatings
from pandas_agreement.hypothesis_tests import chance
from pandas_agreement.hypothesis_tests.chance import permuted
from tests.data_sets import scores

STEPS = np.abs(np.subtract.outer(np.arange(3), np.arange(3))) / 2
DISTANCES = {"nominal": 1 - np.eye(3), "linear": STEPS, "directed": np.array([[0.0, 1, 2], [3, 0, 1], [0.5, 1, 0]])}
#: codes of coders, -1 is a gap; the last has an item with one label
DATA = {
    "two": [[0, 1, 2, 0], [0, 1, 1, 2]],
    "gaps": [[0, 1, -1, 0], [0, -1, 1, 2], [1, 1, 2, -1]],
    "single": [[0, 1, 2, -1], [0, 1, 1, -1], [1, 1, -1, 0]],
}


def draws(codes: Array, group: Array | None, distance: Array, n: int = 400) -> list[Array]:
    """The disagreement of the permutations of each group; the seed of a group is its number."""
    n_groups = 1 if group is None else int(group.max()) + 1
    ratings = WideRatings(len(codes), 3, n_groups, group, None, tuple(codes)).as_long()
    generators = {one: np.random.default_rng(one) for one in range(n_groups)}
    return [values for _, values in permuted(ratings, distance, n, generators)]


def disagreement(codes: Array, distance: Array) -> float:
    """Mean distance of the pairs of an item, over the items with two labels or more."""
    first, second = codes[np.stack(np.triu_indices(len(codes), 1))]  # (pairs, I) each
    both = (first >= 0) & (second >= 0)
    total, number = (np.where(both, distance[first, second], 0).sum(0), both.sum(0))
    return float(np.mean(total[number > 0] / number[number > 0]))


def all_permutations(codes: Array, distance: Array) -> Array:
    """The disagreement of all permutations of each coder's labels over the items they labelled."""
    rated = [np.flatnonzero(code >= 0) for code in codes]
    out = []
    for orders in product(*(permutations(code[items]) for code, items in zip(codes, rated, strict=True))):
        permuted_codes = codes.copy()
        for row, items, order in zip(permuted_codes, rated, orders, strict=True):
            row[items] = order
        out.append(disagreement(permuted_codes, distance))
    return np.array(out)


@pytest.mark.parametrize("distance", DISTANCES.values(), ids=DISTANCES)
@pytest.mark.parametrize("name", DATA)
def test_all_permutations_are_equally_frequent(name: str, distance: Array) -> None:
    codes = np.array(DATA[name])
    values, share = np.unique(all_permutations(codes, distance).round(9), return_counts=True)
    found, number = np.unique(draws(codes, None, distance, 20_000)[0].round(9), return_counts=True)
    assert set(found) <= set(values)
    p = (share / share.sum())[np.searchsorted(values, found)]
    z = (number / 20_000 - p) / np.sqrt(p * (1 - p) / 20_000 + 1e-12)
    assert np.abs(z).max() < 4.5


def test_groups_and_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    group, codes = rng.permutation(np.repeat(np.arange(3), 40)), rng.integers(-1, 3, (4, 120))
    whole = draws(codes, group, STEPS)
    assert_array_equal(draws(codes[:, group == 0], None, STEPS), whole[:1])
    by_group = np.stack([STEPS, 2 * STEPS, 3 * STEPS])
    np.testing.assert_allclose(draws(codes, group, by_group), [(i + 1) * one for i, one in enumerate(whole)])
    monkeypatch.setattr(chance, "BLOCK", 700)
    assert_array_equal(draws(codes, group, STEPS), whole)


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
    df = pd.DataFrame(np.random.default_rng(4).choice(4, (60, 12), p=[0.5, 0.3, 0.1, 0.1])).add_prefix("c")
    for weights in ("nominal", "linear"):
        options = {"metrics": "kappa", "weights": weights, "detail": True}
        shuffled = df.agree.test.chance(method="permutation", rng=3, n_resamples=4000, **options).loc["kappa"]
        closed = df.agree.test.chance(**options).loc["kappa"]
        assert shuffled["expected"] == pytest.approx(closed["expected"], abs=3e-4)
        assert shuffled["statistic"] == pytest.approx(closed["statistic"], abs=0.1)
        assert shuffled["p_value"] == pytest.approx(closed["p_value"], abs=0.04)


def test_without_common_items_there_is_no_test() -> None:
    df = pd.DataFrame({"a": [1, 2, None, None], "b": [None, None, 1, 2]})
    with pytest.warns(AgreementWarning, match="no test: fewer than two items"):
        table = df.agree.test.chance("a", "b", metrics="kappa", method="permutation", rng=0, detail=True)
    assert table["p_value"].isna().all()
    assert table["remarks"].item() == "no test: fewer than two items"
    assert table["note"].item() == "not tested"
