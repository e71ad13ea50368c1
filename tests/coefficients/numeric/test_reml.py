"""Intraclass correlations with gaps: restricted likelihood, other packages, exact limits."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import optimize, stats

from pandas_agreement import AgreementWarning
from pandas_agreement.coefficients.numeric import reml
from pandas_agreement.coefficients.numeric.crossed import Crossed, inverse
from pandas_agreement.coefficients.numeric.icc import Design, icc
from pandas_agreement.core.scores import Scores
from tests.coefficients.numeric.helpers import assert_same, design_of, simulated, values_of
from tests.numeric_data import MIXEDLM, NAMES, REML, UNBALANCED, table

GAPS = [name for name in NAMES if np.isnan(table(name)).any()]


@pytest.mark.parametrize("case", REML, ids=lambda case: case[0])
def test_two_way_forms_with_gaps_are_those_of_lme4(case: tuple[Any, ...]) -> None:
    design = design_of(table(case[0]))
    k = table(case[0]).shape[1]
    found = [icc(design, form, k=k).value[0] for form in ("ICC(A,1)", "ICC(A,k)", "ICC(C,1)", "ICC(C,k)")]
    assert found == pytest.approx(case[1:], abs=1e-5)


@pytest.mark.parametrize("case", MIXEDLM, ids=lambda case: case[0])
def test_components_with_gaps_are_those_of_statsmodels(case: tuple[Any, ...]) -> None:
    parts = design_of(table(case[0])).components()
    assert [parts.item[0], parts.coder[0], parts.error[0]] == pytest.approx(case[1:], abs=1e-4)


@pytest.mark.parametrize("case", UNBALANCED, ids=lambda case: case[0])
def test_one_way_forms_with_gaps_are_those_of_the_unbalanced_analysis_of_variance(case: tuple[Any, ...]) -> None:
    name, single, average, p = case
    design = design_of(table(name))
    assert icc(design, "ICC(1)").value[0] == pytest.approx(single, abs=1e-10)
    assert icc(design, "ICC(1,k)").value[0] == pytest.approx(average, abs=1e-10)
    assert icc(design, "ICC(1)").p[0] == pytest.approx(p, rel=1e-9)


def nearly_without_error(factor: float) -> np.ndarray:
    """Whole numbers: items and coders times a factor, plus errors of variance 2."""
    item, coder = np.array([3, -5, 8, 1, -9, 6, -2, 4]), np.array([2, -4, 7])
    error = [[1, -1, 0], [0, 2, -1], [-2, 1, 1], [1, 0, -1], [0, -1, 2], [-1, 1, 0], [2, -2, 1], [-1, 0, 0]]
    ratings = factor * (item[:, None] + coder) + np.array(error, float)
    ratings[[0, 2, 3, 5, 7], [1, 0, 2, 1, 2]] = np.nan
    return ratings


# the maximum of the likelihood with numbers of 40 digits (mpmath 1.4); lme4 1.1.31 has 32.018182, 33.494878, 2.087904
@pytest.mark.parametrize(
    ("factor", "expected"),
    [
        (1.0, (32.01818298349816, 33.49487575267214, 2.0879044489991787)),
        (1e3, (33070774.6166164, 30336716.460322488, 2.0944444372314623)),
        (1e5, (330714220356.75946, 303333671666.4603, 2.094444444443723)),
    ],
)
def test_components_are_right_however_small_the_error_is(factor: float, expected: tuple[float, ...]) -> None:
    parts = design_of(nearly_without_error(factor)).components()
    assert [parts.item[0], parts.coder[0], parts.error[0]] == pytest.approx(expected, rel=1e-9)
    assert parts.converged[0]


@pytest.mark.parametrize("form", ["ICC(A,1)", "ICC(C,1)", "ICC(1)"])
def test_a_group_has_the_same_numbers_in_any_company(form: str) -> None:
    rng = np.random.default_rng(3)
    spreads = 10 ** rng.uniform(-1, 4, (2, 40))
    tables = [simulated(int(rng.integers(4, 20)), 4, 0.3, seed, *spreads[:, seed]) for seed in range(40)]
    group = np.repeat(np.arange(40), [len(ratings) for ratings in tables])
    together = icc(design_of(np.concatenate(tables), group, 40), form)
    alone = [icc(design_of(ratings), form) for ratings in tables]
    for name in ("value", "low", "high"):
        expected = np.concatenate([getattr(one, name) for one in alone])
        np.testing.assert_allclose(getattr(together, name), expected, rtol=1e-9, atol=1e-12)


def test_a_search_that_does_not_converge_has_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pd.DataFrame(nearly_without_error(1.0), columns=["ann", "bob", "cleo"])
    assert frame.agree.icc_a1()["note"].iloc[0] == ""
    monkeypatch.setattr(reml, "MAX_STEPS", 1)
    assert frame.agree.icc_a1()["note"].iloc[0] == "no converge"
    with pytest.warns(AgreementWarning, match="^The variance components of 1 of 1 groups are not the best"):
        found = frame.agree.icc(form="A1", detail=True)
    assert found["remarks"].iloc[0] == "the search for the variance components did not converge"


def covariance(values: Scores, ratios: np.ndarray) -> np.ndarray:
    """Of all ratings, in units of the error variance: what two ratings of an item or of a coder share."""
    same_item = values.item[:, None] == values.item
    same_coder = values.coder[:, None] == values.coder
    return np.eye(len(values.value)) + ratios[0] * same_item + ratios[1] * same_coder


def restricted(values: Scores, ratios: np.ndarray) -> float:
    """Minus twice the restricted log-likelihood, from the full covariance matrix."""
    V, N = covariance(values, ratios), len(values.value)
    inverse, one = np.linalg.inv(V), np.ones(N)
    weight = one @ inverse @ one
    left = values.value - (one @ inverse @ values.value) / weight
    return float((N - 1) * np.log(left @ inverse @ left) + np.linalg.slogdet(V)[1] + np.log(weight))


@pytest.mark.parametrize("name", GAPS)
def test_the_criterion_is_the_restricted_likelihood(name: str) -> None:
    values = values_of(table(name))
    table_of_sums = Crossed.of(values)
    points = np.array([[0.3, 2.0], [5.0, 0.1], [1.0, 0.0], [0.0, 1.0]])
    ours = [reml._criterion(table_of_sums, point[None])[0][0] for point in points]
    full = [restricted(values, point) for point in points]
    assert np.diff(ours) == pytest.approx(np.diff(full), abs=1e-8)


@pytest.mark.parametrize("seed", range(4))
def test_no_other_components_are_more_likely(seed: int) -> None:
    ratings = simulated(14, 4, 0.35, seed, item=[0.0, 0.1, 2.0, 50.0][seed], coder=[1.0, 0.0, 0.2, 1.0][seed])
    values = values_of(ratings)
    parts = Design(values).components()
    ours = np.array([parts.item[0], parts.coder[0]]) / parts.error[0]
    best = min(
        optimize.minimize(
            lambda logs: restricted(values, np.exp(logs)), start, method="Nelder-Mead", options={"fatol": 1e-10}
        ).fun
        for start in ([-2.0, -2.0], [2.0, 0.0])
    )
    assert restricted(values, ours) <= best + 1e-7


@pytest.mark.parametrize("seed", range(6))
def test_without_gaps_likelihood_and_exact_limits_are_the_analysis_of_variance(seed: int) -> None:
    values = values_of(simulated(20, 4, seed=seed, item=0.4 * 5.0**seed, coder=3.0))
    design, table_of_sums = Design(values), Crossed.of(values)
    moments, likely = design.components(), reml.components(table_of_sums)
    assert min(moments.item[0], moments.coder[0]) > 0  # else the two must differ
    assert_same(likely, moments, rtol=1e-6)
    closed = icc(design, "ICC(C,1)")
    assert [limit[0] for limit in table_of_sums.limits(0.95)] == pytest.approx([closed.low[0], closed.high[0]])
    one_way = Crossed.of(replace(values, coder=np.zeros_like(values.coder), n_coders=1))
    closed = icc(design, "ICC(1)")
    assert [limit[0] for limit in one_way.limits(0.95)] == pytest.approx([closed.low[0], closed.high[0]])
    assert one_way.f_ratio(np.zeros(1)) == pytest.approx(closed.statistic)


def test_negative_components_are_zero() -> None:
    ratings = np.array([[1.0, 9, np.nan], [9, 1, 5], [2, 8, 4], [8, 3, 5], [np.nan, 2, 6]])
    parts = design_of(ratings).components()
    assert parts.item[0] == 0
    assert icc(design_of(ratings), "ICC(C,1)").value[0] == 0


def test_tests_with_gaps_are_those_of_least_squares() -> None:
    """Residual sums of squares of the models with and without a factor, from dummy variables."""
    values = values_of(table("gwet_judges"))
    items, coders = np.eye(12)[values.item], np.eye(4)[values.coder]

    def left(*columns: np.ndarray) -> tuple[float, int]:
        X = np.hstack(columns)
        fit = X @ np.linalg.lstsq(X, values.value, rcond=None)[0]
        return float(((values.value - fit) ** 2).sum()), int(np.linalg.matrix_rank(X))

    (full, rank), (no_items, _), (no_coders, _) = left(items, coders), left(coders), left(items)
    df = len(values.value) - rank
    found = icc(Design(values), "ICC(A,1)")
    assert [found.statistic[0], found.df1[0], found.df2[0]] == pytest.approx(
        [(no_items - full) / 11 / (full / df), 11, df]
    )
    bias = Design(values).bias()
    assert [bias.statistic[0], bias.df1[0], bias.df2[0]] == pytest.approx([(no_coders - full) / 3 / (full / df), 3, df])


def test_a_crowd_needs_no_table_of_items_and_coders() -> None:
    """Three of 100 coders an item: as if every item were compared with the covariance it has."""
    rng = np.random.default_rng(0)
    item = np.repeat(np.arange(600), 3)
    coder = np.concatenate([rng.choice(100, 3, replace=False) for _ in range(600)])
    value = rng.normal(size=600)[item] + rng.normal(0, 0.7, 100)[coder] + rng.normal(size=1800)
    found = icc(Design(Scores.from_triples(item, coder, value, 100)), "ICC(A,1)")
    assert found.low[0] < 1 / 2.49 < found.high[0]
    assert found.value[0] == pytest.approx(1 / 2.49, abs=0.06)


@pytest.mark.parametrize("name", GAPS)
def test_limits_of_agreement_with_gaps_are_where_the_full_likelihood_has_fallen(name: str) -> None:
    values = values_of(table(name))
    design = Design(values)
    found, parts = icc(design, "ICC(A,1)"), design.components()
    best = restricted(values, np.array([parts.item[0], parts.coder[0]]) / parts.error[0])

    def fall(share: float) -> float:
        odds = share / (1 - share)
        profile = [restricted(values, np.array([odds * (1 + phi), phi])) for phi in [0.0, *np.geomspace(1e-4, 1e4, 60)]]
        return min(profile) - best

    quantile = stats.chi2.ppf(0.95, 1)
    for limit in (found.low[0], found.high[0]):
        if limit == 0:  # it never falls so far
            assert fall(1e-6) < quantile
        else:
            assert fall(limit) == pytest.approx(quantile, abs=0.05)  # a grid has gaps


@pytest.mark.parametrize(("item", "coder", "error"), [(0.05, 0.05, 1.0), (1.0, 0.5, 1.0), (1.0, 0.0, 0.01)])
def test_no_coder_variance_puts_a_limit_of_agreement_farther_out(item: float, coder: float, error: float) -> None:
    """The criterion may have two minima, or one at a coder variance near 0: a fine grid has none that is lower."""
    rng, G, m = np.random.default_rng(5), 150, 8
    group = np.repeat(np.arange(G), m)
    said = item * rng.normal(size=(G * m, 1)) + coder * rng.normal(size=(G, 3))[group]
    said = np.where(rng.random((G * m, 3)) < 0.2, np.nan, said + error * rng.normal(size=(G * m, 3)))
    design = Design(Scores.from_columns(tuple(said.T), group, G))
    crossed, parts, found = Crossed.of(design.values), design.components(), icc(design, "ICC(A,1)")
    phi = np.append(0.0, np.exp(np.linspace(-14, 9, 2000)))
    n_inner = 0
    for limit in (found.low, found.high):
        inner = np.flatnonzero((limit > 0) & (limit < 1) & design.gaps)
        n_inner += len(inner)
        for one in inner:
            odds, here = limit[one] / (1 - limit[one]), crossed.take(np.array([one]))
            best = np.array([[parts.item[one], parts.coder[one]]]) / parts.error[one]
            many = crossed.take(np.full(len(phi), one))
            lowest = reml._criterion(many, np.stack([odds * (1 + phi), phi], -1), slopes=False)[0].min()
            fall = lowest - reml._criterion(here, best, slopes=False)[0][0]
            assert -2e-4 < fall - stats.chi2.ppf(0.95, 1) < 1e-3  # of the grid
    assert n_inner >= G


@pytest.mark.slow
def test_intervals_of_agreement_with_gaps_allow_for_the_sample_of_coders() -> None:
    """100 items and 4 coders who differ much: resampling items covers 60 %, mean squares cover 87 %."""
    rng = np.random.default_rng(9)
    ratings = rng.normal(size=(600, 100, 1)) + rng.normal(0, math.sqrt(0.5), (600, 1, 4))
    ratings = ratings + rng.normal(0, math.sqrt(0.5), (600, 100, 4))
    ratings[rng.random(ratings.shape) < 0.3] = np.nan
    found = icc(design_of(ratings.reshape(-1, 4), np.repeat(np.arange(600), 100), 600), "ICC(A,1)")
    assert np.mean((found.low <= 0.5) & (found.high >= 0.5)) == pytest.approx(0.95, abs=0.025)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("form", "gaps", "truth"),
    [
        ("ICC(1)", 0.3, 0.5),
        ("ICC(C,1)", 0.0, 0.5),
        ("ICC(C,1)", 0.3, 0.5),
        ("ICC(A,1)", 0.0, 0.4),
        ("ICC(A,1)", 0.3, 0.4),
    ],
)
def test_intervals_cover(form: str, gaps: float, truth: float) -> None:
    """1500 studies of 15 items and 4 coders at once; the exact ones must cover 95 %, the others nearly."""
    rng = np.random.default_rng(4)
    studies, n, k = 1500, 15, 4
    coder = 0.0 if form == "ICC(1)" else 0.5
    ratings = rng.normal(size=(studies, n, 1)) + rng.normal(size=(studies, 1, k)) * math.sqrt(coder)
    ratings = ratings + rng.normal(size=(studies, n, k))
    ratings[rng.random(ratings.shape) < gaps] = np.nan
    found = icc(design_of(ratings.reshape(-1, k), np.repeat(np.arange(studies), n), studies), form)
    covered = np.mean((found.low <= truth) & (truth <= found.high))
    room = 0.025 if form == "ICC(A,1)" else 0.015  # 2.7 standard errors are 0.015
    assert covered == pytest.approx(0.95, abs=room)


@pytest.mark.slow
def test_exact_tests_keep_their_level() -> None:
    """No item effect, strong coders, gaps: p is uniform."""
    rng = np.random.default_rng(5)
    ratings = rng.normal(size=(2000, 1, 4)) * 3 + rng.normal(size=(2000, 10, 4))
    ratings[rng.random(ratings.shape) < 0.3] = np.nan
    found = icc(design_of(ratings.reshape(-1, 4), np.repeat(np.arange(2000), 10), 2000), "ICC(A,1)")
    assert stats.kstest(found.p, "uniform").pvalue > 0.01


def test_matrices_whose_rows_differ_much_in_size_are_inverted() -> None:
    rng = np.random.default_rng(1)
    part = rng.normal(size=(2, 65, 70))
    scale = 10.0 ** rng.uniform(-3, 3, (2, 65))
    matrices = part @ np.swapaxes(part, 1, 2) * scale[:, :, None] * scale[:, None]
    inverted, log_determinant = inverse(matrices)
    np.testing.assert_allclose(inverted @ matrices, np.tile(np.eye(65), (2, 1, 1)), atol=1e-6)
    np.testing.assert_allclose(log_determinant, np.linalg.slogdet(matrices)[1], rtol=1e-12)
