"""Correlations, Kendall's W and Cronbach's alpha: other packages, the definitions as loops."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from pandas_agreement.coefficients.numeric.association import cronbach_alpha, kendall_w, pearson, spearman
from pandas_agreement.coefficients.numeric.concordance import ccc
from pandas_agreement.coefficients.numeric.icc import Design, icc
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


def test_kendall_is_friedman() -> None:
    ratings = tied_ratings(9, 4)
    found, expected = kendall_w(values_of(ratings)), stats.friedmanchisquare(*ratings)
    assert [found.statistic[0], found.p[0]] == pytest.approx([*expected])


# ------------------------------------------------------------------------------------------------------ the definitions


@pytest.mark.parametrize("n_coders", [2, 5])
def test_kendall_by_loops(n_coders: int) -> None:
    ratings = tied_ratings(10, n_coders)
    W = bruteforce.kendall_w(ratings.tolist())
    found = kendall_w(values_of(ratings))
    assert found.value[0] == pytest.approx(W)
    F, df = (n_coders - 1) * W / (1 - W), 10 - 1 - 2 / n_coders
    assert [found.F[0], found.df1[0], found.df2[0]] == pytest.approx([F, df, (n_coders - 1) * df])
    assert found.p_f[0] == pytest.approx(stats.f.sf(F, df, (n_coders - 1) * df))


def test_mean_of_the_rank_correlations_without_ties() -> None:
    rng = np.random.default_rng(0)
    values = values_of(np.array([rng.permutation(12) for _ in range(4)]).T)
    pairs = values.pairs()
    assert kendall_w(values).mean_rho[0] == pytest.approx(pairs.mean_over_pairs(spearman(pairs).value, 1)[0])


@pytest.mark.parametrize("n_coders", [2, 3, 6])
def test_cronbach_by_loops(n_coders: int) -> None:
    ratings = tied_ratings(20, n_coders)
    values = values_of(ratings)
    found = cronbach_alpha(values)
    assert found.value[0] == pytest.approx(bruteforce.cronbach_alpha(ratings.tolist()))
    assert found.value[0] == pytest.approx(icc(Design(values), "ICC(C,k)").value[0])
    rest = [np.delete(ratings, g, 1).tolist() for g in range(n_coders)]
    without = [bruteforce.cronbach_alpha(rows) if n_coders > 2 else math.nan for rows in rest]
    assert found.without.tolist() == pytest.approx(without, nan_ok=True)
    assert found.coder.tolist() == list(range(n_coders))


# -------------------------------------------------------------------------------------------------------- the odd cases


def test_kendall_drops_constant_coders_and_says_so() -> None:
    ratings = tied_ratings(8, 3)
    with_constant = np.insert(ratings, 1, 0.7, axis=1)
    found, expected = kendall_w(values_of(with_constant)), kendall_w(values_of(ratings))
    assert found.value[0] == expected.value[0]
    assert found.p_f[0] == expected.p_f[0]
    assert found.m[0] == 3
    assert found.constant.tolist() == [[0, 1]]
    assert expected.constant.tolist() == []


def test_scores_are_not_ranks() -> None:
    """Equal scores of all coders are perfect concordance, 1 and not 1.8, whatever the ties."""
    found = kendall_w(values_of(np.repeat([[5.0], [5.0], [9.0], [2.0], [2.0]], 3, axis=1)))
    assert (found.value[0], found.F[0], found.p_f[0]) == (1, np.inf, 0)


def test_no_correlation_at_all() -> None:
    values = values_of(np.array([[1.0, 1], [1, -1], [-1, 1], [-1, -1], [0, 0]]))
    found = ccc(values.pairs())
    assert [found.value[0], found.rho[0]] == [0, 0]
    assert found.low[0] == pytest.approx(-found.high[0])
    assert pearson(values.pairs()).p[0] == 1
