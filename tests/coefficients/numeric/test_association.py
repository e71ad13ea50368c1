"""Correlations, Kendall's W and Cronbach's alpha: other packages, the definitions as loops."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from pandas_agreement.coefficients.numeric.association import (
    cronbach_alpha,
    kendall_w,
    kendall_w_with_gaps,
    pearson,
    spearman,
)
from pandas_agreement.coefficients.numeric.concordance import ccc
from pandas_agreement.core.scores import Scores
from tests import bruteforce
from tests.coefficients.numeric.helpers import tied_ratings, values_of
from tests.numeric_data import CRONBACH, KENDALL, MEAN_CORRELATIONS, table

# ----------------------------------------------------------------------------------------------- other people's numbers


@pytest.mark.parametrize("case", KENDALL, ids=lambda case: case[0])
def test_kendall_is_irr_and_desctools(case: tuple[Any, ...]) -> None:
    name, value, chi2, p = case
    found = kendall_w(values_of(table(name)))
    assert [found.value[0], found.statistic[0], found.p[0]] == pytest.approx([value, chi2, p], rel=1e-10, abs=1e-10)


@pytest.mark.parametrize("case", CRONBACH, ids=lambda case: case[0])
def test_cronbach_is_psych(case: tuple[Any, ...]) -> None:
    name, *expected = case
    found = cronbach_alpha(values_of(table(name)))
    assert [found.value[0], found.low[0], found.high[0]] == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("case", MEAN_CORRELATIONS, ids=lambda case: case[0])
def test_mean_correlations_are_irr(case: tuple[Any, ...]) -> None:
    name, *expected = case
    values = values_of(table(name))
    pairs = values.select(values.whole).pairs()
    found = [pairs.mean_over_pairs(function(pairs).value, 1)[0] for function in (pearson, spearman)]
    assert found == pytest.approx(expected, abs=1e-10)


def test_correlations_are_scipy() -> None:
    x, y = tied_ratings(25, 2).T
    pairs = values_of(np.stack([x, y], 1)).pairs()
    found, expected = pearson(pairs), stats.pearsonr(x, y)
    interval = expected.confidence_interval(0.95)
    assert [found.value[0], found.p[0], found.low[0], found.high[0]] == pytest.approx([*expected, *interval])
    found, expected = spearman(pairs), stats.spearmanr(x, y)
    assert [found.value[0], found.p[0]] == pytest.approx([*expected])
    z, width = math.atanh(found.value[0]), stats.norm.ppf(0.975) * math.sqrt((1 + found.value[0] ** 2 / 2) / 22)
    assert [found.low[0], found.high[0]] == pytest.approx([math.tanh(z - width), math.tanh(z + width)])


# -------------------------------------------------------------------------------------------------------- the odd cases


def test_kendall_drops_constant_coders_and_says_so() -> None:
    ratings = tied_ratings(8, 3)
    with_constant = np.insert(ratings, 1, 0.7, axis=1)
    found, expected = kendall_w(values_of(with_constant)), kendall_w(values_of(ratings))
    assert found.value[0] == expected.value[0]
    assert found.p[0] == expected.p[0]
    assert found.m[0] == 3
    assert found.constant.tolist() == [[0, 1]]
    assert expected.constant.tolist() == []


def test_scores_are_not_ranks() -> None:
    """Equal scores of all coders are perfect concordance, 1 and not 1.8, whatever the ties."""
    found = kendall_w(values_of(np.repeat([[5.0], [5.0], [9.0], [2.0], [2.0]], 3, axis=1)))
    assert (found.value[0], found.statistic[0]) == (1, 12)


def test_no_correlation_at_all() -> None:
    values = values_of(np.array([[1.0, 1], [1, -1], [-1, 1], [-1, -1], [0, 0]]))
    found = ccc(values.pairs())
    assert [found.value[0], found.rho[0]] == [0, 0]
    assert pearson(values.pairs()).p[0] == 1


# --------------------------------------------------------------------------------------------------- rankings with gaps


def with_gaps(n_items: int, n_coders: int, ties: bool, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    ratings = rng.normal(size=(n_items, 1)) + rng.normal(size=(n_items, n_coders))
    ratings = ratings.round(0 if ties else 6)
    ratings[rng.random(ratings.shape) < 0.3] = np.nan
    return ratings[(~np.isnan(ratings)).sum(1) >= 2]


@pytest.mark.parametrize("ties", [True, False])
@pytest.mark.parametrize("n_coders", [2, 3, 6])
def test_kendall_with_gaps_by_loops(n_coders: int, ties: bool) -> None:
    single = np.where(np.arange(n_coders) == 1, 0.25, np.nan)
    ratings = np.vstack([with_gaps(15, n_coders, ties), single])  # an item with a single score does not count
    rows = [[None if np.isnan(x) else x for x in row] for row in ratings.tolist()]
    found = kendall_w_with_gaps(values_of(ratings))
    assert found.tolist() == pytest.approx([bruteforce.kendall_w_with_gaps(rows)], rel=1e-12)


def test_kendall_with_gaps_is_the_mean_of_the_rank_correlations() -> None:
    """Without ties the definition of R's irrNA 0.2.3, whose correlations are those of pandas."""
    ratings = with_gaps(20, 5, ties=False)
    frame = pd.DataFrame(ratings)
    upper = np.triu_indices(5, 1)
    rho, rated = frame.corr(method="spearman").to_numpy()[upper], frame.notna().to_numpy().astype(float)
    weight, k = (rated.T @ rated)[upper] - 1, rated.sum(1).mean()
    expected = (1 + np.average(rho, weights=weight) * (k - 1)) / k
    assert kendall_w_with_gaps(values_of(ratings))[0] == pytest.approx(expected)


def test_groups_with_and_without_gaps() -> None:
    gaps, whole = with_gaps(12, 4, ties=True, seed=3), tied_ratings(9, 4)
    group = np.repeat([0, 1], [len(gaps), len(whole)])
    both = Scores.from_columns(list(np.concatenate([gaps, whole]).T), group, 2)
    alone = [kendall_w_with_gaps(values_of(part))[0] for part in (gaps, whole)]
    assert kendall_w_with_gaps(both).tolist() == pytest.approx(alone, rel=1e-12)


def test_gaps_of_a_constant_coder_cost_no_item() -> None:
    ratings = tied_ratings(10, 3)
    constant = np.where(np.arange(10) < 4, 2.0, np.nan)
    found = kendall_w_with_gaps(values_of(np.column_stack([ratings, constant])))
    assert found[0] == pytest.approx(bruteforce.kendall_w(ratings.tolist()))


def test_gaps_may_take_concordance_below_zero() -> None:
    ratings = np.array([[np.nan, np.nan, 3, 2], [3, 1, np.nan, 3], [1, 3, 1, np.nan]])
    assert kendall_w_with_gaps(values_of(ratings))[0] == pytest.approx(-0.25)
    row = pd.DataFrame(ratings, columns=list("abcd")).agree.kendall_w().iloc[0]
    assert row["estimate"] == pytest.approx(-0.25)
