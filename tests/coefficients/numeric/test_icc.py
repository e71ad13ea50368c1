"""Intraclass correlations: published values, other packages, the definitions as loops, gaps, and the odd cases."""

from __future__ import annotations

import math
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from scipy import optimize, stats

from pandas_agreement.coefficients.numeric import crossed, reml
from pandas_agreement.coefficients.numeric.crossed import Crossed
from pandas_agreement.coefficients.numeric.icc import FORMS, ICC, Design, icc, spearman_brown
from pandas_agreement.core.scores import Values
from pandas_agreement.errors import InputError
from tests.numeric_data import MIXEDLM, PSYCH, REML, TEXT, UNBALANCED, table

SIX = ["ICC(1)", "ICC(1,k)", "ICC(C,1)", "ICC(C,k)", "ICC(A,1)", "ICC(A,k)"]
GAPS = [name for name in TEXT if np.isnan(table(name)).any()]


def values_of(ratings: np.ndarray, group: np.ndarray | None = None, n_groups: int = 1) -> Values:
    return Values.from_columns(list(np.asarray(ratings, float).T), group, n_groups)


def design_of(ratings: np.ndarray, group: np.ndarray | None = None, n_groups: int = 1) -> Design:
    return Design(values_of(ratings, group, n_groups))


def simulated(
    n_items: int, n_coders: int, gaps: float = 0.0, seed: int = 0, item: float = 1.0, coder: float = 0.5
) -> np.ndarray:
    """Ratings = item + coder + error of variance 1."""
    rng = np.random.default_rng(seed)
    ratings = rng.normal(0, math.sqrt(item), (n_items, 1)) + rng.normal(0, math.sqrt(coder), (1, n_coders))
    ratings = ratings + rng.normal(size=(n_items, n_coders))
    ratings[rng.random(ratings.shape) < gaps] = np.nan
    return ratings


def assert_same(found: Any, expected: Any, **tolerance: float) -> None:
    for field in fields(found):
        np.testing.assert_allclose(getattr(found, field.name), getattr(expected, field.name), **tolerance)


# ---------------------------------------------------------------------------------------------- other people's numbers


@pytest.mark.parametrize(
    ("form", "value", "low", "high"),
    [
        ("ICC(1)", ".17", "-.13", ".72"),
        ("ICC(A,1)", ".29", ".02", ".76"),
        ("ICC(C,1)", ".71", ".34", ".95"),
        ("ICC(1,k)", ".44", "-.88", ".91"),
        ("ICC(A,k)", ".62", ".07", ".93"),
        ("ICC(C,k)", ".91", ".68", ".99"),
    ],
)
def test_shrout_and_fleiss(form: str, value: str, low: str, high: str) -> None:
    found = icc(design_of(table("shrout_fleiss")), form)
    printed = [float(value), float(low), float(high)]
    assert [found.value[0], found.low[0], found.high[0]] == pytest.approx(printed, abs=0.005)


def test_mean_squares_of_shrout_and_fleiss() -> None:
    design = design_of(table("shrout_fleiss"))
    one, two = design.one_way, design.two_way
    printed = {"MSR": 11.24, "MSW": 6.26, "MSC": 32.49, "MSE": 1.02}  # table 3
    found = {"MSR": two.MSR[0], "MSW": one.MSE[0], "MSC": two.MSC[0], "MSE": two.MSE[0]}
    assert found == pytest.approx(printed, abs=0.005)
    assert one.MSR[0] == pytest.approx(two.MSR[0])


@pytest.mark.parametrize("case", PSYCH, ids=lambda case: f"{case[0]}-{case[1]}")
def test_psych_and_desctools(case: tuple[Any, ...]) -> None:
    name, form, value, low, high, F, p = case
    values = values_of(table(name))
    found = icc(Design(values.select(values.whole)), form)
    assert [found.value[0], found.low[0], found.high[0]] == pytest.approx([value, low, high], abs=1e-10)
    assert [found.statistic[0], found.p[0]] == pytest.approx([F, p], rel=1e-9)


def test_the_interval_is_at_the_level_asked_for() -> None:
    # a peer's "95 %" interval of these data, (-.0967, .6434), is that at 90 %
    found = icc(design_of(table("shrout_fleiss")), "ICC(1)", level=0.9)
    assert [found.low[0], found.high[0]] == pytest.approx([-0.0967, 0.6434], abs=5e-5)


def test_names_of_shrout_and_fleiss() -> None:
    same = {"ICC(1,1)": "ICC(1)", "ICC(2,1)": "ICC(A,1)", "ICC(2,k)": "ICC(A,k)", "ICC(3,1)": "ICC(C,1)"}
    same |= {"ICC(3,k)": "ICC(C,k)"}
    assert {name: FORMS[name] for name in same} == {name: FORMS[other] for name, other in same.items()}
    assert set(FORMS) == {*SIX, *same}


# -------------------------------------------------------------------------------------------------- the definitions


def by_loops(ratings: np.ndarray, form: str) -> float:
    """Sums of squares from double loops over a complete table."""
    n, k = ratings.shape
    grand = sum(ratings[i, j] for i in range(n) for j in range(k)) / (n * k)
    rows = [sum(ratings[i, j] for j in range(k)) / k for i in range(n)]
    columns = [sum(ratings[i, j] for i in range(n)) / n for j in range(k)]
    MSR = k * sum((row - grand) ** 2 for row in rows) / (n - 1)
    MSC = n * sum((column - grand) ** 2 for column in columns) / (k - 1)
    MSW = sum((ratings[i, j] - rows[i]) ** 2 for i in range(n) for j in range(k)) / (n * (k - 1))
    SSE = sum((ratings[i, j] - rows[i] - columns[j] + grand) ** 2 for i in range(n) for j in range(k))
    MSE = SSE / ((n - 1) * (k - 1))
    return {
        "ICC(1)": (MSR - MSW) / (MSR + (k - 1) * MSW),
        "ICC(1,k)": (MSR - MSW) / MSR,
        "ICC(C,1)": (MSR - MSE) / (MSR + (k - 1) * MSE),
        "ICC(C,k)": (MSR - MSE) / MSR,
        "ICC(A,1)": (MSR - MSE) / (MSR + (k - 1) * MSE + k * (MSC - MSE) / n),
        "ICC(A,k)": (MSR - MSE) / (MSR + (MSC - MSE) / n),
    }[form]


@pytest.mark.parametrize("form", SIX)
@pytest.mark.parametrize("shape", [(2, 2), (7, 3), (30, 5), (4, 12)])
def test_definition(form: str, shape: tuple[int, int]) -> None:
    ratings = simulated(*shape, seed=shape[0])
    assert icc(design_of(ratings), form).value[0] == pytest.approx(by_loops(ratings, form), rel=1e-10)


@pytest.mark.parametrize("null", [0.0, 0.3, 0.8])
def test_tests_of_other_values_than_zero(null: float) -> None:
    """McGraw and Wong (1996), table 8: F of the two-way forms at rho = null, written out."""
    ratings = table("lungfun")
    (n, k), design = ratings.shape, design_of(ratings)
    MSR, MSC, MSE = (x[0] for x in (design.two_way.MSR, design.two_way.MSC, design.two_way.MSE))
    F = MSR / MSE * (1 - null) / (1 + (k - 1) * null)
    found = icc(design, "ICC(C,1)", null=null)
    assert found.statistic[0] == pytest.approx(F)
    assert found.p[0] == pytest.approx(stats.f.sf(F, n - 1, (n - 1) * (k - 1)))
    a, b = k * null / (n * (1 - null)), 1 + k * null * (n - 1) / (n * (1 - null))
    v = (a * MSC + b * MSE) ** 2 / ((a * MSC) ** 2 / (k - 1) + (b * MSE) ** 2 / ((n - 1) * (k - 1)))
    F = MSR / (a * MSC + b * MSE)
    found = icc(design, "ICC(A,1)", null=null)
    assert [found.statistic[0], found.df2[0]] == pytest.approx([F, v])
    assert found.p[0] == pytest.approx(stats.f.sf(F, n - 1, v))


@pytest.mark.parametrize("form", ["ICC(1)", "ICC(C,1)", "ICC(A,1)"])
@pytest.mark.parametrize("name", ["lungfun", "gwet_judges"])
def test_an_average_is_tested_like_the_single_rating_it_is_made_of(form: str, name: str) -> None:
    design = design_of(table(name))
    single = icc(design, form, null=0.2)
    average = icc(design, form.replace("1)", "k)") if form != "ICC(1)" else "ICC(1,k)",
                  null=float(spearman_brown(np.array(0.2), single.k[0])))  # fmt: skip
    assert average.statistic == pytest.approx(single.statistic)
    assert average.p == pytest.approx(single.p)


@pytest.mark.parametrize("form", ["ICC(1)", "ICC(C,1)"])
@pytest.mark.parametrize("name", ["shrout_fleiss", "gwet_judges"])
def test_limits_are_the_values_that_the_test_just_rejects(form: str, name: str) -> None:
    design = design_of(table(name))
    found = icc(design, form)
    assert icc(design, form, null=found.low[0]).p[0] == pytest.approx(0.025, abs=1e-8)
    assert icc(design, form, null=found.high[0]).p[0] == pytest.approx(0.975, abs=1e-8)


def test_bias_of_coders_is_a_test_of_its_own() -> None:
    """Coders five points apart: no word about that from F = MSR / MSE, all of it from F = MSC / MSE."""
    ratings = table("shrout_fleiss")
    n, k = ratings.shape
    found = design_of(ratings).bias()
    assert found.statistic[0] == pytest.approx(31.8665, abs=1e-4)  # 32.49 / 1.02, table 3
    assert found.p[0] == pytest.approx(stats.f.sf(found.statistic[0], k - 1, (n - 1) * (k - 1)))
    unrelated = np.array([[1.0, 1], [1, -1], [-1, 1], [-1, -1]] * 5) + np.array([0.0, 5.0])
    design = design_of(unrelated)
    assert design.bias().p[0] < 1e-6
    assert icc(design, "ICC(A,1)").statistic[0] == pytest.approx(1)


def test_components_add_up_to_the_correlations() -> None:
    design = design_of(table("lungfun"))
    parts = design.components()
    item, coder, error = parts.item[0], parts.coder[0], parts.error[0]
    assert icc(design, "ICC(A,1)").value[0] == pytest.approx(item / (item + coder + error))
    assert icc(design, "ICC(C,k)").value[0] == pytest.approx(item / (item + error / 4))


# ---------------------------------------------------------------------------------------------------- invariance


@pytest.mark.parametrize("form", SIX)
@pytest.mark.parametrize("gaps", [0.0, 0.3])
def test_groups_are_a_loop(form: str, gaps: float) -> None:
    sizes = [12, 5, 30, 2, 8]
    tables = [simulated(size, 4, gaps, seed, coder=seed % 2) for seed, size in enumerate(sizes)]
    tables[1] = simulated(sizes[1], 4, 0.0, 7)  # no gap in this one
    group = np.repeat(np.arange(5), sizes)
    order = np.random.default_rng(0).permutation(len(group))
    together = icc(design_of(np.concatenate(tables)[order], group[order], 5), form)
    for number, ratings in enumerate(tables):
        alone = icc(design_of(ratings), form)
        for field in fields(ICC):
            found, expected = getattr(together, field.name)[number], getattr(alone, field.name)[0]
            assert found == pytest.approx(expected, rel=1e-6, abs=1e-9, nan_ok=True), (number, field.name)


@pytest.mark.parametrize("form", SIX)
@pytest.mark.parametrize("gaps", [0.0, 0.25])
def test_an_offset_of_a_billion_costs_nothing(form: str, gaps: float) -> None:
    ratings = np.round(simulated(40, 3, gaps) * 8) / 8  # exact in binary, with the offset too
    assert_same(icc(design_of(ratings + 1e9), form), icc(design_of(ratings), form), rtol=1e-9)


@pytest.mark.parametrize("form", SIX)
@pytest.mark.parametrize("gaps", [0.0, 0.25])
def test_unit_and_order_do_not_matter(form: str, gaps: float) -> None:
    ratings, rng = simulated(25, 4, gaps, seed=3), np.random.default_rng(0)
    changed = (7 - 3 * ratings)[rng.permutation(25)][:, rng.permutation(4)]
    assert_same(icc(design_of(changed), form), icc(design_of(ratings), form), rtol=1e-6, atol=1e-12)


def test_items_and_coders_without_ratings_do_not_count() -> None:
    ratings = simulated(12, 3, 0.2, seed=1)
    padded = np.full((14, 5), np.nan)
    padded[1:13, 1:4] = ratings
    for form in SIX:
        assert_same(icc(design_of(padded), form), icc(design_of(ratings), form), rtol=1e-12)


def test_long_ratings_in_any_order() -> None:
    ratings = simulated(15, 4, 0.3)
    item, coder = np.divmod(np.random.default_rng(0).permutation(60), 4)
    long = Values.from_triples(item, coder, ratings[item, coder], 4)
    assert_same(icc(Design(long), "ICC(A,1)"), icc(design_of(ratings), "ICC(A,1)"), rtol=1e-9)


# ----------------------------------------------------------------------------------------------------------- gaps


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


def covariance(values: Values, ratios: np.ndarray) -> np.ndarray:
    """Of all ratings, in units of the error variance, entry by entry."""
    N = len(values.value)
    V = np.eye(N)
    for a in range(N):
        for b in range(N):
            V[a, b] += ratios[0] * (values.item[a] == values.item[b]) + ratios[1] * (values.coder[a] == values.coder[b])
    return V


def restricted(values: Values, ratios: np.ndarray) -> float:
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


def test_cross_products_in_small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    values = values_of(simulated(50, 5, 0.3))
    expected = Crossed.of(values)
    monkeypatch.setattr(crossed, "PAIRS", 7)
    assert_same(Crossed.of(values), expected)


def test_a_crowd_needs_no_table_of_items_and_coders() -> None:
    """Three of 100 coders an item: as if every item were compared with the covariance it has."""
    rng = np.random.default_rng(0)
    item = np.repeat(np.arange(600), 3)
    coder = np.concatenate([rng.choice(100, 3, replace=False) for _ in range(600)])
    value = rng.normal(size=600)[item] + rng.normal(0, 0.7, 100)[coder] + rng.normal(size=1800)
    found = icc(Design(Values.from_triples(item, coder, value, 100)), "ICC(A,1)")
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


def test_intervals_of_agreement_with_gaps_allow_for_the_sample_of_coders() -> None:
    """100 items and 4 coders who differ much: resampling items covers 60 %, mean squares cover 87 %."""
    rng = np.random.default_rng(9)
    ratings = rng.normal(size=(600, 100, 1)) + rng.normal(0, math.sqrt(0.5), (600, 1, 4))
    ratings = ratings + rng.normal(0, math.sqrt(0.5), (600, 100, 4))
    ratings[rng.random(ratings.shape) < 0.3] = np.nan
    found = icc(design_of(ratings.reshape(-1, 4), np.repeat(np.arange(600), 100), 600), "ICC(A,1)")
    assert np.mean((found.low <= 0.5) & (found.high >= 0.5)) == pytest.approx(0.95, abs=0.025)


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


def test_exact_tests_keep_their_level() -> None:
    """No item effect, strong coders, gaps: p is uniform."""
    rng = np.random.default_rng(5)
    ratings = rng.normal(size=(2000, 1, 4)) * 3 + rng.normal(size=(2000, 10, 4))
    ratings[rng.random(ratings.shape) < 0.3] = np.nan
    found = icc(design_of(ratings.reshape(-1, 4), np.repeat(np.arange(2000), 10), 2000), "ICC(A,1)")
    assert stats.kstest(found.p, "uniform").pvalue > 0.01


# -------------------------------------------------------------------------------------------------- the odd cases

NOTHING: dict[str, np.ndarray] = {
    "no variation": np.full((5, 3), 0.1),
    "one item": np.array([[1.0, 2.0, 4.0]]),
    "one coder": np.array([[1.0], [2.0], [3.0]]),
    "no rating": np.full((4, 2), np.nan),
    "single ratings": np.array([[1.0, np.nan], [np.nan, 2.0], [3.0, np.nan]]),
}


@pytest.mark.parametrize("form", SIX)
@pytest.mark.parametrize("case", NOTHING)
def test_undefined_is_nan_without_a_warning(form: str, case: str) -> None:
    found = icc(design_of(NOTHING[case]), form)
    assert np.isnan([found.value[0], found.low[0], found.high[0], found.p[0]]).all()


def test_an_undefined_group_leaves_the_others_alone() -> None:
    odd = [np.pad(x, ((0, 0), (0, 3 - x.shape[1])), constant_values=np.nan) for x in NOTHING.values()]
    tables = [*odd, simulated(10, 3), simulated(10, 3, 0.3)]
    group = np.repeat(np.arange(len(tables)), [len(x) for x in tables])
    for form in SIX:
        found = icc(design_of(np.concatenate(tables), group, len(tables) + 1), form)
        assert np.isnan(found.value).tolist() == [*[True] * len(odd), False, False, True]
        assert found.value[-3] == pytest.approx(icc(design_of(tables[-2]), form).value[0])
        assert found.value[-2] == pytest.approx(icc(design_of(tables[-1]), form).value[0])


@pytest.mark.parametrize("form", SIX)
@pytest.mark.parametrize("gap", [False, True])
def test_perfect_agreement_is_one_and_not_certain(form: str, gap: bool) -> None:
    ratings = np.repeat(np.linspace(0.1, 0.9, 100)[:, None], 3, axis=1)
    if gap:
        ratings[::7, 1] = np.nan
    found = icc(design_of(ratings), form)
    assert (found.value[0], found.high[0], found.statistic[0], found.p[0]) == (1, 1, np.inf, 0)
    expected = 1 - (1 - 0.025 ** (1 / 100)) * 0.8**2 / (2 * ratings[:, 0].var())
    single = found.low[0] if form in ("ICC(1)", "ICC(C,1)", "ICC(A,1)") else None
    k = found.k[0]
    assert found.low[0] == pytest.approx(expected if single else k * expected / (1 + (k - 1) * expected))


def test_coders_a_constant_apart_are_consistent_and_do_not_agree() -> None:
    truth = np.array([0.1, 0.5, 0.7, 1.3, 2.9, 3.1])
    ratings = np.stack([truth, truth + 0.3, truth + 1.7], 1)
    for gaps in (ratings, np.where(np.eye(6, 3), np.nan, ratings)):
        design = design_of(gaps)
        assert icc(design, "ICC(C,1)").value[0] == 1
        assert icc(design, "ICC(C,1)").high[0] == 1
        agreement = icc(design, "ICC(A,1)")
        assert 0 < agreement.low[0] < agreement.value[0] < agreement.high[0] < 1
        assert design.bias().p[0] == 0


def test_items_alike_are_below_zero() -> None:
    ratings = np.array([[1.0, 3], [3, 1], [1, 3], [3, 1]])
    design = design_of(ratings)
    assert icc(design, "ICC(1)").value[0] == -1
    assert icc(design, "ICC(1,k)").value[0] == -np.inf


def test_errors() -> None:
    with pytest.raises(InputError) as caught:
        icc(design_of(table("shrout_fleiss")), "ICC(2)")
    assert str(caught.value) == (
        "form='ICC(2)' is not known; use one of 'ICC(1)', 'ICC(1,k)', 'ICC(C,1)', 'ICC(C,k)', 'ICC(A,1)', 'ICC(A,k)', "
        "'ICC(1,1)', 'ICC(2,1)', 'ICC(2,k)', 'ICC(3,1)', 'ICC(3,k)'; did you mean 'ICC(2,k)'?"
    )
    with pytest.raises(InputError) as caught:
        icc(design_of(table("shrout_fleiss")), null=1.0)
    assert str(caught.value) == "null=1.0 leaves no room for a larger correlation; use a number below 1, such as 0"
    with pytest.raises(InputError) as caught:
        values_of(np.array([[1.0, 2.0], [3.0, np.inf]]))
    assert str(caught.value) == (
        "ratings must be finite numbers, but coder 1 gave item 1 the value inf; replace it by a number, or by NaN for "
        "a gap"
    )
