"""Concordance and association of numbers: published values, other packages, the definitions as loops, odd cases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from pandas_agreement.coefficients.numeric.association import cronbach_alpha, kendall_w, pearson, spearman
from pandas_agreement.coefficients.numeric.concordance import bland_altman, ccc, occc
from pandas_agreement.core import scores as module
from pandas_agreement.core.scores import Scores, average_ranks, over_pairs
from tests.coefficients.numeric.helpers import tied_ratings, values_of
from tests.data_sets import scores
from tests.numeric_data import EPIR, LIN, table

PAIRED: dict[str, Callable[..., Any]] = {
    "ccc": ccc,
    "bland_altman": bland_altman,
    "pearson": pearson,
    "spearman": spearman,
}
ALL: dict[str, Callable[..., Any]] = {
    **{name: lambda values, function=function: function(values.pairs()) for name, function in PAIRED.items()},
    "occc": occc,
    "kendall_w": kendall_w,
    "cronbach_alpha": cronbach_alpha,
}


# ----------------------------------------------------------------------------------------------- other people's numbers


@pytest.mark.parametrize("case", LIN, ids=lambda case: f"{case[0]}-{case[1]}-{case[2]}")
def test_lin_is_epir(case: tuple[Any, ...]) -> None:
    name, first, second, expected, *_ = case
    found = ccc(values_of(table(name)[:, [first, second]]).pairs())
    assert found.value[0] == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("name", sorted({case[0] for case in LIN}))
def test_all_pairs_at_once_are_the_pairs_one_by_one(name: str) -> None:
    pairs = values_of(table(name)).pairs()
    found = ccc(pairs)
    expected = {case[1:3]: case[3] for case in LIN if case[0] == name}
    coders = zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)
    assert dict(zip(coders, found.value, strict=True)) == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("case", EPIR, ids=lambda case: case[0])
def test_factors_of_lin_and_limits_of_agreement_are_epir(case: tuple[Any, ...]) -> None:
    name, bias, sd, lower, upper, accuracy, scale, location = case
    pairs = values_of(table(name)).pairs()
    limits = bland_altman(pairs)
    assert [limits.value[0], limits.sd[0], limits.lower[0], limits.upper[0]] == pytest.approx([bias, sd, lower, upper])
    found = ccc(pairs)
    # the package has the second coder against the first; Lin (1989) the first against the second, and so have we
    ours = [found.accuracy[0], 1 / found.scale_shift[0], -found.location_shift[0]]
    assert ours == pytest.approx([accuracy, scale, location], abs=1e-10)
    assert found.value[0] == pytest.approx(found.rho[0] * found.accuracy[0])


def test_bland_and_altman_1986() -> None:
    """Lancet 327, 307-310: two standard deviations for 95 %, and an approximate standard error of the limits."""
    two_sd = 2 * stats.norm.cdf(2) - 1
    found = bland_altman(values_of(table("pefr")).pairs(), share=two_sd)
    bias = [found.value[0], found.sd[0], found.lower[0], found.upper[0], found.low[0], found.high[0]]
    # printed: -2.1, 38.8, -79.7, 75.5; interval of the bias -22.0 to 17.8
    assert bias == pytest.approx([-2.1, 38.8, -79.7, 75.5, -22.0, 17.8], abs=0.1)  # 75.5 is from rounded figures
    # printed, from sd sqrt(3 / n): -114.3 to -45.1 and 40.9 to 110.1
    limits = [found.lower_low[0], found.lower_high[0], found.upper_low[0], found.upper_high[0]]
    assert limits == pytest.approx([-114.3, -45.1, 40.9, 110.1], abs=1.0)


# ----------------------------------------------------------------------------------------------------- kappa on numbers


@pytest.mark.parametrize(("n_coders", "gaps"), [(2, 0.0), (2, 0.2), (3, 0.0), (5, 0.3)])
@pytest.mark.parametrize("seed", [0, 1])
def test_overall_concordance_is_kappa_with_quadratic_weights(n_coders: int, gaps: float, seed: int) -> None:
    frame = scores(60, n_coders, 6, gaps, seed)
    kappa = frame.agree.kappa(weights="quadratic")
    found = occc(values_of(frame.to_numpy()))
    assert found.value[0] == pytest.approx(kappa["estimate"].item(), abs=1e-12)
    assert found.se[0] == pytest.approx(kappa["se"].item(), abs=1e-12)
    assert found.n[0] == kappa["n_items"].item()
    if n_coders == 2:
        lin = ccc(values_of(frame.to_numpy()).pairs())
        assert lin.value[0] == pytest.approx(kappa["estimate"].item(), abs=1e-12)


def test_perfect_agreement_has_the_bound_of_kappa() -> None:
    frame = pd.DataFrame({"ann": np.tile([1.0, 2.0, 5.0, 9.0], 30)}).assign(bob=lambda table: table["ann"])
    kappa = frame.agree.kappa(weights="quadratic")
    values = values_of(frame.to_numpy())
    found = occc(values)
    assert [ccc(values.pairs()).value[0], found.value[0], found.high[0]] == [1, 1, 1]
    assert found.low[0] == pytest.approx(kappa["ci_low"].item())
    assert 0 < found.low[0] < 1


# ------------------------------------------------------------------------------------------------------ the definitions


@pytest.mark.parametrize("gaps", [0.0, 0.3])
def test_influence_is_how_the_value_moves_with_the_weight_of_an_item(gaps: float) -> None:
    """Every item 10 000 times and one of them once more: the value moves by its influence over all items."""
    ratings = tied_ratings(8, 3, gaps, seed=2)
    found = occc(values_of(ratings))
    times = 10_000
    for item in range(8):
        longer = np.concatenate([np.repeat(ratings, times, axis=0), ratings[item : item + 1]])
        moved = (occc(values_of(longer)).value[0] - found.value[0]) * times * found.n[0]
        assert moved == pytest.approx(found.influence[item], rel=1e-3, abs=1e-3)


@pytest.mark.parametrize("gaps", [0.0, 0.4])
def test_the_values_without_an_item_are_those_of_a_loop(gaps: float) -> None:
    ratings = tied_ratings(9, 4, gaps, seed=5)
    ratings[:, 3] = np.where(np.arange(9) == 4, 1.0, np.nan)  # a coder with one rating leaves with it
    found = occc(values_of(ratings))
    pairable = (~np.isnan(ratings)).sum(1) >= 2
    loop = [occc(values_of(np.delete(ratings, item, 0))).value[0] for item in np.flatnonzero(pairable)]
    assert found.without[pairable] == pytest.approx(np.array(loop))
    assert np.isnan(found.without[~pairable]).all()
    n = len(loop)
    assert found.se_jackknife[0] == pytest.approx(np.sqrt((n - 1) * np.var(loop)))


# ----------------------------------------------------------------------------------------------------------- invariance


@pytest.mark.parametrize("name", ALL)
def test_an_offset_of_a_billion_costs_nothing(name: str) -> None:
    ratings = tied_ratings(40, 3)
    found, expected = ALL[name](values_of(ratings + 1e9)), ALL[name](values_of(ratings))
    for field in fields(found):
        assert getattr(found, field.name) == pytest.approx(getattr(expected, field.name), rel=1e-9), field.name


def test_overall_concordance_covers() -> None:
    """1500 studies of 30 items and 3 coders at once."""
    rng = np.random.default_rng(1)
    ratings = rng.normal(size=(1500, 30, 1)) + rng.normal(0, 0.6, (1500, 30, 3)) + np.array([0.0, 0.2, 0.4])
    found = occc(values_of(ratings.reshape(-1, 3), np.repeat(np.arange(1500), 30), 1500))
    truth = 1 / (1.36 + 0.08 / 2)  # 3 * sum of squared offsets = 0.24, over 3 coders and 2 others
    assert np.mean((found.low <= truth) & (truth <= found.high)) == pytest.approx(0.95, abs=0.02)
    assert found.se_jackknife.mean() == pytest.approx(found.value.std(), rel=0.1)


# -------------------------------------------------------------------------------------------------------- the odd cases


NOTHING: dict[str, np.ndarray] = {
    "no variation": np.full((5, 2), 0.1),
    "one item": np.array([[1.0, 2.0]]),
    "no rating": np.full((4, 2), np.nan),
    "single ratings": np.array([[1.0, np.nan], [np.nan, 2.0], [3.0, np.nan]]),
}


@pytest.mark.parametrize("name", ["ccc", "pearson", "spearman", "occc", "kendall_w", "cronbach_alpha"])
@pytest.mark.parametrize("case", NOTHING)
def test_undefined_is_nan_without_a_warning(name: str, case: str) -> None:
    found = ALL[name](values_of(NOTHING[case]))
    if (name, case) in {("ccc", "one item"), ("occc", "one item")}:
        assert found.value[0] == 0  # as kappa has it: observed and expected disagreement are the same
    else:
        assert np.isnan(found.value).tolist() == [True]


def test_limits_of_agreement_need_two_items() -> None:
    found = bland_altman(values_of(np.array([[1.0, 2.0]])).pairs())
    assert found.value[0] == -1
    assert np.isnan([found.sd[0], found.lower[0], found.low[0], found.p[0]]).all()
    equal = bland_altman(values_of(np.array([[1.0, 1.0], [2.0, 2.0], [0.3, 0.3]])).pairs())
    assert [equal.value[0], equal.lower[0], equal.upper[0]] == [0, 0, 0]
    assert np.isnan(equal.p[0])


def test_a_constant_coder() -> None:
    values = values_of(np.array([[1.0, 3.0], [2, 3], [3, 3], [5, 3]]))
    lin = ccc(values.pairs())
    assert lin.value[0] == 0
    assert np.isnan(lin.rho[0])
    assert np.isnan(pearson(values.pairs()).value[0])
    assert occc(values).value[0] == 0


def test_items_with_a_gap_are_counted() -> None:
    ratings = tied_ratings(20, 3, 0.2)
    gaps = np.isnan(ratings).any(1) & ~np.isnan(ratings).all(1)
    for function in (kendall_w, cronbach_alpha):
        found = function(values_of(ratings))
        assert found.left_out[0] == gaps.sum() > 0
        assert found.n[0] == (~np.isnan(ratings)).all(1).sum()
        assert found.value[0] == function(values_of(ratings[~np.isnan(ratings).any(1)])).value[0]


def test_no_interval_where_points_lie_on_a_line() -> None:
    x = np.array([0.1, 0.2, 0.4, 0.7, 1.3, 2.9])
    for y, r in ((3 * x + 0.7, 1), (0.2 - x, -1)):
        found = pearson(values_of(np.stack([x, y], 1)).pairs())
        assert (found.value[0], abs(found.statistic[0]), found.p[0]) == (r, np.inf, 0)
        assert np.isnan([found.low[0], found.high[0]]).all()


def test_two_coders_keep_groups_without_a_pair() -> None:
    ratings = np.array([[1.0, 2], [2, 2], [3, 5], [1, np.nan], [4, 4], [6, 5]])
    pairs = values_of(ratings, np.array([0, 0, 0, 1, 2, 2]), 4).pairs()
    assert pairs.owner.tolist() == [0, 1, 2, 3]
    assert pearson(pairs).n.tolist() == [3, 0, 2, 0]
    assert np.isnan(ccc(pairs).value).tolist() == [False, True, False, True]


@pytest.mark.parametrize("gaps", [0.0, 0.4])
@pytest.mark.parametrize("most", [7, 60, 300])
def test_blocks_of_pairs_are_all_pairs_at_once(gaps: float, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(4)
    item, coder = (part.ravel() for part in np.indices((40, 7)))
    value = np.where(rng.random(280) < gaps, np.nan, rng.integers(9, size=280))
    order = rng.permutation(280)
    values = Scores.from_triples(item[order], coder[order], value[order], 7, rng.integers(3, size=40), 3)
    whole = values.pairs()
    ranks = average_ranks(whole.pair, whole.x), average_ranks(whole.pair, whole.y)
    np.testing.assert_array_equal(whole.ranks(), ranks)
    monkeypatch.setattr(module, "MAX_PAIRS", most)
    assert len(list(values.pair_blocks())) > 1
    for kernel in PAIRED.values():
        pairs, found = over_pairs(values, kernel)
        for name in ("owner", "first", "second"):
            np.testing.assert_array_equal(getattr(pairs, name), getattr(whole, name))
        for field in fields(found):
            expected = getattr(kernel(whole), field.name)
            np.testing.assert_allclose(getattr(found, field.name), expected, rtol=1e-12, atol=1e-13)
