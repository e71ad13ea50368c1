"""Intraclass correlations: published values, other packages, the definitions as loops, gaps, and the odd cases."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from pandas_agreement.coefficients.numeric.icc import Design, icc, spearman_brown
from pandas_agreement.errors import AgreementWarning, InputError
from tests.coefficients.numeric.helpers import assert_same, design_of, simulated, values_of
from tests.numeric_data import PSYCH, table

SIX = ["ICC(1)", "ICC(1,k)", "ICC(C,1)", "ICC(C,k)", "ICC(A,1)", "ICC(A,k)"]


# ----------------------------------------------------------------------------------------------- other people's numbers


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


# ------------------------------------------------------------------------------------------------------ the definitions


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


def items_of_two_sizes() -> np.ndarray:
    """300 items with two ratings that differ more than 100 items with ten: exact limits are far from the estimate."""
    rng = np.random.default_rng(1)
    ratings = rng.normal(size=(400, 1)) * np.repeat([1.6, 1.0], [300, 100])[:, None] + rng.normal(size=(400, 10))
    ratings[:300, 2:] = np.nan
    return ratings


def test_limits_of_the_one_way_form_with_gaps_are_those_of_its_estimator() -> None:
    ratings = items_of_two_sizes()
    found = icc(design_of(ratings), "ICC(1)")
    drawn = np.random.default_rng(0).integers(0, 400, (300, 400))
    replicates = icc(design_of(ratings[drawn.ravel()], np.repeat(np.arange(300), 400), 300), "ICC(1)").value
    bootstrap = np.quantile(replicates, [0.025, 0.975])
    assert [found.low[0], found.high[0]] == pytest.approx(bootstrap, abs=0.02)
    assert found.low[0] < found.value[0] - 0.03


def test_degrees_of_freedom_of_the_one_way_form_are_those_of_the_quadratic_form() -> None:
    """2 mean^2 / variance of y'Ay, from the covariance matrix of all ratings."""
    design, theta = design_of(table("gwet_judges")), 0.7
    item = design.values.item
    V = np.eye(len(item)) + theta * (item[:, None] == item)
    A = (item[:, None] == item) / design.values.sizes[item] - 1 / len(item)
    expected = np.trace(A @ V) ** 2 / np.trace(A @ V @ A @ V)
    assert design.df_between(np.array([theta]))[0] == pytest.approx(expected)


@pytest.mark.parametrize("gaps", [0.0, 0.4])
def test_estimates_lie_within_their_limits(gaps: float) -> None:
    """Small whole numbers, many of them with negative components."""
    rng = np.random.default_rng(6)
    ratings = rng.integers(1, 4, (400, 5, 3)).astype(float)
    ratings[rng.random(ratings.shape) < gaps] = np.nan
    design = design_of(ratings.reshape(-1, 3), np.repeat(np.arange(400), 5), 400)
    for form in SIX:
        found = icc(design, form)
        assert not np.isinf(found.value).any()
        assert not ((found.value < found.low - 1e-9) | (found.value > found.high + 1e-9)).any()
        exact = (found.low == 0) & (found.high == 0)  # the coders alone explain every score: nothing else varies
        assert (np.isnan(found.low) | np.isnan(found.value) | (found.low < found.high) | exact).all()
        assert exact.sum() <= 1


# ----------------------------------------------------------------------------------------------------------- invariance


@pytest.mark.parametrize("form", SIX)
@pytest.mark.parametrize("gaps", [0.0, 0.25])
def test_an_offset_of_a_billion_costs_nothing(form: str, gaps: float) -> None:
    ratings = np.round(simulated(40, 3, gaps) * 8) / 8  # exact in binary, with the offset too
    assert_same(icc(design_of(ratings + 1e9), form), icc(design_of(ratings), form), rtol=1e-9)


def test_items_and_coders_without_ratings_do_not_count() -> None:
    ratings = simulated(12, 3, 0.2, seed=1)
    padded = np.full((14, 5), np.nan)
    padded[1:13, 1:4] = ratings
    for form in SIX:
        assert_same(icc(design_of(padded), form), icc(design_of(ratings), form), rtol=1e-12)


# -------------------------------------------------------------------------------------------------------- the odd cases


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
    average = icc(design, "ICC(1,k)")  # the means do not vary: nothing to divide by
    assert np.isnan([average.value[0], average.low[0], average.high[0]]).all()


def test_errors() -> None:
    with pytest.raises(InputError) as caught:
        icc(design_of(table("shrout_fleiss")), "ICC(2)")
    assert str(caught.value) == (
        "form='ICC(2)' is not known. Use one of 'ICC(1)', 'ICC(1,k)', 'ICC(C,1)', 'ICC(C,k)', 'ICC(A,1)', 'ICC(A,k)', "
        "'ICC(1,1)', 'ICC(2,1)', 'ICC(2,k)', 'ICC(3,1)', 'ICC(3,k)'; did you mean 'ICC(2,k)'?"
    )
    with pytest.raises(InputError) as caught:
        icc(design_of(table("shrout_fleiss")), null=1.0)
    assert str(caught.value) == "null=1.0 leaves no room for a larger correlation. Use a number below 1, such as 0."
    with pytest.raises(InputError) as caught:
        values_of(np.array([[1.0, 2.0], [3.0, np.inf]]))
    assert str(caught.value) == (
        "Ratings must be finite numbers, but coder 1 gave item 1 the value inf. Replace it with a number, or with NaN "
        "for a missing value."
    )


def test_no_scores_at_all_are_undefined_in_resamples_too() -> None:
    df = pd.DataFrame({"a": [None, None], "b": [None, None]}, dtype=float)
    with pytest.warns(AgreementWarning):
        found = df.agree.icc_ck("a", "b", method="percentile", n_resamples=100, rng=1)
    assert found["estimate"].isna().all()


def test_items_far_from_normal_have_a_note() -> None:
    rng = np.random.default_rng(4)
    df = pd.DataFrame({"kind": np.repeat(["normal", "skewed"], 200), "truth": rng.normal(size=400)})
    df.loc[200:, "truth"] = rng.exponential(size=200)
    for coder in "abc":
        df[coder] = df["truth"] + 0.3 * rng.normal(size=400)
    for metric in ("icc_c1", "icc_a1", "cronbach_alpha"):
        found = getattr(df.agree, metric)(*"abc", by="kind", detail=True)
        assert found["note"].tolist() == ["", "narrow ci"]
        assert found["remarks"].iloc[1] == 'items are not normal: see method="percentile"'
        resampled = getattr(df.agree, metric)(*"abc", by="kind", method="percentile", n_resamples=100, rng=1)
        assert resampled["note"].tolist() == ["", ""]
