"""How many items: definitions, brute force and simulated data."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm, t

from pandas_agreement import ColumnError, InputError, plan
from pandas_agreement.errors import UnknownMethodError
from pandas_agreement.planning import model
from tests.helpers import all_refused

THREE = (0.2, 0.3, 0.5)


def item_sd(metric: str, estimate: float, n_coders: int = 2, shares: tuple[float, ...] = (0.5, 0.5)) -> float:
    found = plan.items_for_width(metric, estimate=estimate, width=0.1, n_coders=n_coders, shares=shares)
    return float(found["sd"].iloc[0])


def sample(
    level: float, n_coders: int, shares: tuple[float, ...], n_items: int, n_sets: int, seed: int
) -> pd.DataFrame:
    """Independent data sets: coders copy the truth with probability sqrt(level), else draw from the shares."""
    rng = np.random.default_rng(seed)
    n, labels = n_items * n_sets, len(shares)
    truth = rng.choice(labels, n, p=shares)
    codes = {
        f"c{coder}": np.where(rng.random(n) < math.sqrt(level), truth, rng.choice(labels, n, p=shares))
        for coder in range(n_coders)
    }
    return pd.DataFrame(codes).assign(set=np.repeat(np.arange(n_sets), n_items))


# -------------------------------------------------------------------------------------------------- one item's variance


def bloch_kraemer(k: float, p: float) -> float:
    """Bloch and Kraemer (1989): variance of kappa of two coders with one prevalence of two categories."""
    return (1 - k) * ((1 - k) * (1 - 2 * k) + k * (2 - k) / (2 * p * (1 - p)))


@pytest.mark.parametrize("metric", ["kappa", "pi", "alpha", "light_kappa"])
@pytest.mark.parametrize(("k", "p"), [(0.0, 0.5), (0.4, 0.3), (0.8, 0.1), (0.95, 0.5)])
def test_two_coders_and_two_categories_are_bloch_and_kraemer(metric: str, k: float, p: float) -> None:
    assert item_sd(metric, k, shares=(p, 1 - p)) ** 2 == pytest.approx(bloch_kraemer(k, p), rel=1e-7)


def test_observed_agreement_of_two_coders_is_binomial() -> None:
    assert item_sd("observed", 0.85, shares=THREE) == pytest.approx(math.sqrt(0.85 * 0.15), rel=1e-9)


def test_s_is_observed_agreement_on_another_scale() -> None:
    observed = 1 / 3 + 0.7 * 2 / 3
    assert item_sd("s", 0.7, 3, THREE) == pytest.approx(1.5 * item_sd("observed", observed, 3, THREE), rel=1e-9)


def test_the_brute_force_of_pi_with_three_coders() -> None:
    """Influence by its formula, pattern by pattern: ((a - A_o) - (1 - pi) 2 (F'p - A_e)) / (1 - A_e)."""
    p, k, total = np.array(THREE), 0.6, 0.0
    rho, e = math.sqrt(k), float(np.dot(THREE, THREE))
    for pattern in np.ndindex(3, 3, 3):
        chance = sum(p[x] * math.prod(rho * (y == x) + (1 - rho) * p[y] for y in pattern) for x in range(3))
        a = sum(pattern[i] == pattern[j] for i, j in ((0, 1), (0, 2), (1, 2))) / 3
        u = (a - (k + (1 - k) * e) - (1 - k) * 2 * (p[list(pattern)].mean() - e)) / (1 - e)
        total += chance * u**2
    assert item_sd("pi", k, 3, THREE) ** 2 == pytest.approx(total, rel=1e-9)


@pytest.mark.parametrize("metric", ["kappa", "alpha", "ac1", "light_kappa"])
def test_a_simulated_law_is_near_the_written_one(metric: str, monkeypatch: pytest.MonkeyPatch) -> None:
    exact = item_sd(metric, 0.7, 5, THREE)
    monkeypatch.setattr(model, "MAX_PATTERNS", 9)  # only two coders are written out
    assert item_sd(metric, 0.7, 5, THREE) != exact
    assert item_sd(metric, 0.7, 5, THREE) == pytest.approx(exact, rel=0.01)
    assert item_sd(metric, 0.7, 5, THREE) == item_sd(metric, 0.7, 5, THREE)


# ------------------------------------------------------------------------------------------------------- simulated data


@pytest.mark.parametrize("metric", ["kappa", "alpha", "light_kappa"])
@pytest.mark.parametrize(("n_coders", "shares"), [(2, (0.3, 0.7)), (3, THREE)])
def test_intervals_of_simulated_data_have_the_width(metric: str, n_coders: int, shares: tuple[float, ...]) -> None:
    row = plan.items_for_width(metric, estimate=0.7, width=0.2, n_coders=n_coders, shares=shares).iloc[0]
    n, sets = int(row["n_items"]), 400
    data = sample(0.7, n_coders, shares, n, sets, seed=1)
    coders = [f"c{coder}" for coder in range(n_coders)]
    found = getattr(data.agree, metric)(*coders, by="set")
    assert (found["ci_high"] - found["ci_low"]).mean() == pytest.approx(0.2, rel=0.03)
    assert found["estimate"].std() == pytest.approx(row["sd"] / math.sqrt(n), rel=0.12)  # its own error is 3.5 %
    covered = ((found["ci_low"] <= 0.7) & (found["ci_high"] >= 0.7)).mean()
    assert 0.91 <= covered <= 0.98


@pytest.mark.parametrize(("metric", "weights", "n_coders"), [("kappa", "linear", 2), ("pi", "quadratic", 3)])
def test_intervals_of_weighted_coefficients_have_the_width(metric: str, weights: Any, n_coders: int) -> None:
    shares = (0.2, 0.3, 0.3, 0.2)
    found = plan.items_for_width(metric, estimate=0.7, width=0.2, n_coders=n_coders, shares=shares, weights=weights)
    data = sample(0.7, n_coders, shares, int(found["n_items"].iloc[0]), 300, 3)
    coders = [f"c{coder}" for coder in range(n_coders)]
    result = getattr(data.agree, metric)(*coders, by="set", categories=range(4), weights=weights)
    assert (result["ci_high"] - result["ci_low"]).mean() == pytest.approx(0.2, rel=0.05)
    assert (
        found["n_items"].iloc[0]
        > plan.items_for_width(metric, estimate=0.7, width=0.2, shares=shares)["n_items"].iloc[0]
    )


def test_few_items_with_hardly_any_errors_have_the_width_in_half_of_the_samples() -> None:
    """As in clinical studies: 69 items of five steps. The mean width is 6 % less: some samples have no far error."""
    shares, options = (0.2,) * 5, {"weights": "quadratic"}
    found = plan.items_for_width("kappa", estimate=0.85, width=0.3, shares=shares, **options)
    data = sample(0.85, 2, shares, int(found["n_items"].iloc[0]), 1000, 5)
    result = data.agree.kappa("c0", "c1", by="set", categories=range(5), **options)
    assert (result["ci_high"] - result["ci_low"]).median() == pytest.approx(0.3, rel=0.05)


@pytest.mark.parametrize(
    ("form", "estimate", "width", "n_coders", "coder_share"),
    [
        ("icc_1", 0.7, 0.2, 3, 0),
        ("icc_c1", 0.8, 0.15, 2, 0),
        ("icc_ck", 0.8, 0.15, 4, 0),
        ("icc_a1", 0.7, 0.2, 5, 0.02),
        ("icc_a1", 0.6, 0.3, 8, 0.1),
        ("icc_ak", 0.85, 0.12, 5, 0.02),
    ],
)
def test_intervals_of_simulated_scores_have_the_width(
    form: str, estimate: float, width: float, n_coders: int, coder_share: float
) -> None:
    options = {"n_coders": n_coders, "coder_share": coder_share}
    n, sets = int(plan.items_for_width(form, estimate=estimate, width=width, **options)["n_items"].iloc[0]), 1000
    item = estimate / (n_coders - (n_coders - 1) * estimate) if form.endswith("k") else estimate
    rng = np.random.default_rng(7)
    parts = [
        rng.standard_normal(shape) * math.sqrt(share)
        for share, shape in (
            (item, (sets, n, 1)),
            (coder_share, (sets, 1, n_coders)),
            (1 - item - coder_share, (sets, n, n_coders)),
        )
    ]
    scores = pd.DataFrame(sum(parts).reshape(-1, n_coders)).rename(columns="c{}".format)
    found = getattr(scores.assign(set=np.repeat(np.arange(sets), n)).agree, form)(*scores.columns, by="set")
    assert (found["ci_high"] - found["ci_low"]).mean() == pytest.approx(width, rel=0.05)


@pytest.mark.parametrize(("metric", "estimate"), [("observed", 0.85), ("ac1", 0.8), ("s", 0.75)])
def test_coefficients_that_are_not_the_level_are_solved_for(metric: str, estimate: float) -> None:
    row = plan.items_for_width(metric, estimate=estimate, width=0.15, n_coders=3, shares=THREE).iloc[0]
    e, n = float(np.dot(THREE, THREE)), int(row["n_items"])
    by_chance = {"observed": 0.0, "ac1": (1 - e) / 2, "s": 1 / 3}[metric]
    observed = estimate * (1 - by_chance) + by_chance
    found = getattr(sample((observed - e) / (1 - e), 3, THREE, n, 400, 2).agree, metric)("c0", "c1", "c2", by="set")
    assert found["estimate"].mean() == pytest.approx(estimate, abs=0.006)
    assert (found["ci_high"] - found["ci_low"]).mean() == pytest.approx(0.15, rel=0.03)


def test_a_simulated_test_has_the_power() -> None:
    row = plan.items_for_power("kappa", estimate=0.75, null=0.6, alternative="greater", shares=(0.4, 0.6)).iloc[0]
    n, bound = int(row["n_items"]), norm.ppf(0.95) * item_sd("kappa", 0.6, shares=(0.4, 0.6))
    rejected = {}
    for level in (0.6, 0.75):
        found = sample(level, 2, (0.4, 0.6), n, 1000, 3).agree.kappa("c0", "c1", by="set", ci=None)
        rejected[level] = (found["estimate"] - 0.6 > bound / math.sqrt(n)).mean()
    assert rejected[0.75] == pytest.approx(0.8, abs=0.05)
    assert rejected[0.6] == pytest.approx(0.05, abs=0.025)


@pytest.mark.parametrize(("alpha_min", "n"), [(0.8, 139), (0.667, 81)])
def test_krippendorff(alpha_min: float, n: int) -> None:
    """Krippendorff's table for four categories alike and level 0.05."""
    assert plan.krippendorff_items(alpha_min, 0.25, 0.05) == n


# ------------------------------------------------------------------------------------------------------------- formulas


def test_width_by_the_formula_and_every_combination() -> None:
    found = plan.items_for_width("kappa", estimate=[0.6, 0.8], width=[0.1, 0.2], n_coders=[2, 3], shares=THREE)
    assert list(zip(found["estimate"], found["width"], found["n_coders"], strict=True)) == [
        (e, w, c) for e in (0.6, 0.8) for w in (0.1, 0.2) for c in (2, 3)
    ]
    formula = (2 * norm.ppf(0.975) * found["sd"] / found["width"]) ** 2
    assert found["n_items"].between(formula * 0.99, formula * 1.12).all()
    for row in found.itertuples():
        options = {"estimate": row.estimate, "n_coders": row.n_coders, "shares": THREE}
        fewer, enough = plan.lower_limit("kappa", n_items=[row.n_items - 1, row.n_items], **options)["width"]
        assert enough <= row.width < fewer
    assert (found["n_labels"] == found["n_items"] * found["n_coders"]).all()
    assert found["n_items"].dtype == "int64"


@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_power_and_items_are_each_others_inverse(alternative: str) -> None:
    options: dict[str, Any] = {
        "estimate": 0.8,
        "null": 0.65,
        "alternative": alternative,
        "n_coders": 3,
        "shares": THREE,
    }
    found = plan.items_for_power("alpha", power=0.9, **options).iloc[0]
    n = int(found["n_items"])
    assert found["n_labels"] == 3 * n
    fewer, enough = plan.power("alpha", n_items=[n - 1, n], **options)["power"]
    assert fewer < 0.9 <= enough


def kappa_of(table: np.ndarray) -> float:
    table = table / table.sum()
    chance = float(table.sum(0) @ table.sum(1))
    return (float(np.trace(table)) - chance) / (1 - chance)


def numeric_sd(table: np.ndarray) -> float:
    """Standard deviation that an item contributes to kappa, from numerical derivatives."""
    slopes = np.zeros_like(table)
    for cell in np.ndindex(table.shape):
        step = np.zeros_like(table)
        step[cell] = 1e-6
        slopes[cell] = (kappa_of(table + step) - kappa_of(table - step)) / 2e-6
    return math.sqrt((table * slopes**2).sum() - (table * slopes).sum() ** 2)


def cantor(p: float, null: float, estimate: float, quantile: float) -> int:
    """Cantor (1996) for a power of 0.8: the tables of two coders of the same rate with these kappas, written out."""
    sds = []
    for kappa in (null, estimate):
        both = p * p + kappa * p * (1 - p)
        sds.append(numeric_sd(np.array([[both, p - both], [p - both, 1 - 2 * p + both]])))
    return math.ceil(((quantile * sds[0] + norm.ppf(0.8) * sds[1]) / (estimate - null)) ** 2)


@pytest.mark.parametrize(("p", "null", "estimate"), [(0.5, 0.6, 0.8), (0.2, 0.4, 0.7), (0.3, 0.8, 0.6)])
def test_power_of_two_coders_is_cantor(p: float, null: float, estimate: float) -> None:
    ours = plan.items_for_power("kappa", estimate=estimate, null=null, shares=(p, 1 - p))["n_items"].iloc[0]
    theirs = cantor(p, null, estimate, norm.ppf(0.975))
    assert theirs <= ours <= theirs * 1.12  # t instead of z, and disagreements that have not been seen


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "shares", "null", "estimate", "n_coders"),
    [
        ("kappa", (0.5, 0.5), 0.6, 0.8, 2),
        ("kappa", (0.2, 0.8), 0.4, 0.7, 2),
        ("pi", (0.2, 0.3, 0.5), 0.6, 0.8, 3),
        ("pi", (0.5, 0.5), 0.6, 0.8, 6),
    ],
)
def test_the_interval_of_so_many_items_leaves_out_the_null_value_as_often_as_planned(
    name: str, shares: tuple[float, ...], null: float, estimate: float, n_coders: int
) -> None:
    planned = plan.items_for_power(name, estimate=estimate, null=null, shares=shares, n_coders=n_coders)
    n, runs, K, rng = int(planned["n_items"].iloc[0]), 4000, len(shares), np.random.default_rng(1)
    truth = rng.choice(K, n * runs, p=shares)
    columns = {}
    for coder in range(n_coders):
        label = np.where(rng.random(n * runs) < math.sqrt(estimate), truth, rng.choice(K, n * runs, p=shares))
        columns[f"coder {coder}"] = pd.Categorical(label, categories=range(K))
    df = pd.DataFrame(columns).assign(run=np.repeat(np.arange(runs), n))
    found = getattr(df.agree, name)(*columns, by="run")
    assert 0.76 < (found["ci_low"] > null).mean() < 0.83


@pytest.mark.parametrize(("n_coders", "shares"), [(3, (0.3, 0.7)), (4, (0.3, 0.3, 0.4)), (6, (0.5, 0.5))])
def test_simulated_intervals_of_many_coders_have_the_power(n_coders: int, shares: tuple[float, ...]) -> None:
    n = int(plan.items_for_power("pi", estimate=0.6, null=0.4, n_coders=n_coders, shares=shares)["n_items"].iloc[0])
    coders = [f"c{coder}" for coder in range(n_coders)]
    found = {level: sample(level, n_coders, shares, n, 1000, 5).agree.pi(*coders, by="set") for level in (0.4, 0.6)}
    assert (found[0.6]["ci_low"] > 0.4).mean() == pytest.approx(0.8, abs=0.06)
    assert ((found[0.4]["ci_low"] > 0.4) | (found[0.4]["ci_high"] < 0.4)).mean() <= 0.05
    expected = plan.lower_limit("pi", estimate=0.6, n_items=n, n_coders=n_coders, shares=shares)["ci_low"].iloc[0]
    assert found[0.6]["ci_low"].median() == pytest.approx(expected, abs=0.02)


# -------------------------------------------------------------------------------------------------------- after a pilot


def pilot() -> pd.DataFrame:
    return sample(0.6, 2, THREE, 60, 3, 4).agree.kappa("c0", "c1", by="set", method="analytic")


def test_more_items_are_the_fewest_that_do() -> None:
    result = pilot()
    before = result.copy()
    found = plan.more_items(result, 0.2)
    pd.testing.assert_frame_equal(result, before)
    pd.testing.assert_index_equal(found.index, result.index)
    sd, n = result["se"] * np.sqrt(result["n_items"]), found["needed_items"].astype(float)
    assert (2 * t.ppf(0.975, n - 1) * sd / np.sqrt(n) <= 0.2).all()
    assert (2 * t.ppf(0.975, n - 2) * sd / np.sqrt(n - 1) > 0.2).all()
    assert (found["more_items"] == found["needed_items"] - 60).all()
    assert (found["note"] == "").all()


def test_more_items_shrink_the_interval_that_the_result_shows() -> None:
    small, large = (sample(0.7, 2, (0.9, 0.1), n, 400, seed).agree for n, seed in ((50, 4), (400, 5)))
    first, second = small.kappa("c0", "c1", by="set"), large.kappa("c0", "c1", by="set")
    target = (second["ci_high"] - second["ci_low"]).median()
    found = plan.more_items(first, target)
    assert first.attrs["agree"]["method"] == "score"
    assert 0.75 < found["needed_items"].astype(float).median() / 400 < 1.25
    certain = (first["se"] == 0) & first["ci_low"].notna()
    assert certain.any()
    assert found.loc[certain, "needed_items"].notna().all()  # coders who never differ: the interval has a width


def test_enough_items_and_another_level() -> None:
    result = pilot()
    assert (plan.more_items(result, 1.5)["more_items"] == 0).all()
    wider = plan.more_items(result, 0.2, ci=0.99)
    assert (wider["needed_items"] > plan.more_items(result, 0.2)["needed_items"]).all()
    assert (wider["ci_level"] == 0.99).all()


@pytest.mark.parametrize("ci", [None, 0.8])
def test_results_need_no_details(ci: float | None) -> None:
    """The level and the method are in the attrs; where rows have different methods, the interval says which."""
    agree = sample(0.9, 2, THREE, 30, 8, 4).agree
    for options in ({"method": "analytic"}, {}, {"ci": 0.9}, {"method": "jackknife"}):
        options |= {"metrics": ["kappa", "observed", "s"], "by": "set"}
        plain, full = agree.summary("c0", "c1", **options), agree.summary("c0", "c1", detail=True, **options)
        pd.testing.assert_frame_equal(plan.more_items(plain, 0.2, ci=ci), plan.more_items(full, 0.2, ci=ci))
    assert agree.summary("c0", "c1", metrics=["kappa", "observed"]).attrs["agree"]["method"] is None


def test_a_result_without_its_attrs_needs_the_level() -> None:
    result = pilot()
    result.attrs.clear()
    with pytest.raises(InputError, match=r"^The result does not say the level of its interval\. Name it, such as ci="):
        plan.more_items(result, 0.2)
    named = plan.more_items(result, 0.2, ci=0.95)
    pd.testing.assert_frame_equal(named, plan.more_items(pilot(), 0.2))


def test_a_standard_error_that_cannot_say() -> None:
    frame = pd.DataFrame(
        {"estimate": [0.5, 1, np.nan], "se": [0.1, 0, np.nan], "n_items": [20, 20, 0], "ci_level": 0.95}
    )
    found = plan.more_items(frame, 0.2)
    assert found["more_items"].isna().tolist() == [False, True, True]
    assert found["note"].tolist() == ["", "standard error 0: use items_for_width", "no standard error"]


def test_double_coding_a_pool() -> None:
    found = plan.double_code([50, 500, 10**7], 0.2, se=0.08, n_items=60)
    n, pool, sd = found["n_items"], found["pool"], 0.08 * math.sqrt(60)
    assert (2 * t.ppf(0.975, n - 1) * sd * np.sqrt(1 / n - 1 / pool) <= 0.2).all()
    assert (2 * t.ppf(0.975, n - 2) * sd * np.sqrt(1 / (n - 1) - 1 / pool) > 0.2).all()
    assert found["share"].tolist() == (n / pool).tolist()
    frame = pd.DataFrame({"estimate": [0.7], "se": [0.08], "n_items": [60], "ci_level": [0.95]})
    assert n.iloc[-1] == plan.more_items(frame, 0.2)["needed_items"].iloc[0]  # an endless pool


def test_double_coding_after_a_result() -> None:
    result = pilot()
    found = plan.double_code(result, 0.2, n_pool=500)
    pd.testing.assert_index_equal(found.index, result.index)
    for row, planned in zip(result.itertuples(), found.itertuples(), strict=True):
        expected = plan.double_code(500, 0.2, se=row.se, n_items=row.n_items).iloc[0]
        assert (planned.pool, planned.n_items, planned.share) == (500, expected["n_items"], expected["share"])
    endless = plan.double_code(result, 0.2)
    assert endless["n_items"].tolist() == plan.more_items(result, 0.2)["needed_items"].tolist()
    assert endless[["pool", "share"]].isna().all(axis=None)
    pd.testing.assert_frame_equal(plan.items_for_width(result, width=0.2), plan.more_items(result, 0.2))
    numbers = pd.DataFrame(np.random.default_rng(0).normal(size=(20, 1)) + np.eye(20, 3), columns=list("abc"))
    random = plan.double_code(numbers.agree.icc(form="A1", detail=True), 0.2)
    assert random["n_items"].isna().all()
    assert random["note"].tolist() == ["its interval depends on the coders, too: use more_items"]


def test_two_coders_are_the_default() -> None:
    same = {"estimate": 0.7, "n_items": 50}
    for function, options in (
        (plan.items_for_width, WIDTH),
        (plan.lower_limit, same),
        (plan.items_for_power, TEST),
        (plan.power, {**TEST, "n_items": 50}),
    ):
        pd.testing.assert_frame_equal(function("kappa", **options), function("kappa", n_coders=2, **options))


def test_a_sample_of_a_pool_varies_as_double_code_says() -> None:
    pool = sample(0.6, 2, THREE, 300, 1, 5).drop(columns="set")
    whole = pool.agree.kappa("c0", "c1").iloc[0]
    n = int(plan.double_code(300, 0.2, se=whole["se"], n_items=300)["n_items"].iloc[0])
    rng = np.random.default_rng(6)
    drawn = pd.concat([pool.iloc[rng.choice(300, n, replace=False)].assign(set=i) for i in range(400)])
    estimates = drawn.agree.kappa("c0", "c1", by="set", ci=None)["estimate"]
    assert 2 * t.ppf(0.975, n - 1) * estimates.std() == pytest.approx(0.2, rel=0.12)


# --------------------------------------------------------------------------------------------------------------- errors


ABLE = "'observed', 'kappa', 'pi', 'ac1', 's', 'perreault_leigh', 'alpha', 'light_kappa'"
WIDTH: dict[str, Any] = {"estimate": 0.7, "width": 0.2}
TEST: dict[str, Any] = {"estimate": 0.7, "null": 0.5}
REFUSED: dict[type[Exception], dict[str, Callable[[], Any]]] = {
    UnknownMethodError: {
        "No coefficient 'kapa'. Did you mean 'kappa'?": lambda: plan.items_for_width("kapa", **WIDTH),
        "No coefficient 'ICC(A,1)'. Did you mean 'icc_a1'?": lambda: plan.items_for_width("ICC(A,1)", **WIDTH),
        ("No coefficient 'icc'. Name the form: 'icc_1', 'icc_1k', 'icc_c1', 'icc_ck', 'icc_a1', 'icc_ak'."): lambda: (
            plan.items_for_width("icc", **WIDTH)
        ),
        "Plan has no function 'item_for_width'. Did you mean 'items_for_width'?": lambda: plan.item_for_width,
    },
    InputError: {
        f"ccc cannot be planned for. Use one of {ABLE}.": lambda: plan.items_for_width("ccc", **WIDTH),
        "plan.items_for_width has no option 'weigths'. Did you mean 'weights'?": lambda: plan.items_for_width(
            "kappa", weigths="linear", **WIDTH
        ),
        (
            "weights= change nothing with two categories, which are the default. Give the shares of all categories, "
            "such as shares=(0.5, 0.3, 0.2)."
        ): lambda: plan.items_for_width("kappa", weights=np.eye(2), **WIDTH),
        "plan.judge_labels got 1 value without a name. Name all.": lambda: plan.judge_labels(0.1),  # type: ignore[misc, call-arg]
        "plan.items_for_width got metric= twice, with and without its name.": lambda: plan.items_for_width(
            "kappa",
            metric="alpha",  # type: ignore[misc]
            **WIDTH,
        ),
        (
            "plan.items_for_width got 3 values without a name. Give at most 1 of them (metric=), and the others "
            "by name."
        ): lambda: plan.items_for_width("kappa", 0.7, 0.2),  # type: ignore[misc]
        (
            "items_for_width needs estimate=, the value you expect. Give it, or the result of a pilot in place "
            "of a name."
        ): lambda: plan.items_for_width("kappa", width=0.2),
        "ac1 has no weights. Kappa, pi and alpha have them.": lambda: plan.items_for_width(
            "ac1", **WIDTH, weights="linear"
        ),
        "weights= are of categories, and icc_a1 is of scores.": lambda: plan.items_for_width(
            "icc_a1", **WIDTH, weights="linear"
        ),
        "coder_share= is about ICC(A,.), and kappa is of labels.": lambda: plan.items_for_width(
            "kappa", **WIDTH, coder_share=0.1
        ),
        (
            "width=0.1 cannot be reached: 2 coders limit icc_a1 to a width of 0.4. Plan more coders, or a wider "
            "interval."
        ): lambda: plan.items_for_width("icc_a1", estimate=0.8, width=0.1, coder_share=0.1),
        "coder_share=0.2 and the items' share 0.8 leave nothing for errors. They must add up to less than 1.": lambda: (
            plan.items_for_width("icc_a1", estimate=0.8, width=0.1, coder_share=0.2)
        ),
        "estimate= goes with a plan before the data, and items_for_width got a result. Leave it out.": lambda: (
            plan.items_for_width(pilot(), **WIDTH)
        ),
        "se= goes with a plan before the data, and double_code got a result. Leave it out.": lambda: plan.double_code(
            pilot(), 0.2, se=0.1
        ),
        (
            "double_code needs se=, the standard error in a pilot of n_items items. Give it, or the "
            "result of a pilot in place "
            "of the pool."
        ): lambda: plan.double_code(500, 0.2),
        "n_pool= goes with a result. Give the items as pool=": lambda: plan.double_code(500, 0.2, se=0.1, n_pool=500),
        "estimate=1 must be a number between -1 and 1, without the ends.": lambda: plan.items_for_width(
            "kappa", estimate=1, width=0.2
        ),
        (
            "estimate=0.4 cannot be reached: with these shares observed is 0.5 for coders who guess, "
            "and must stay below 1, "
            "where all agree and nothing varies."
        ): lambda: plan.items_for_width("observed", estimate=0.4, width=0.2),
        "width=0 must be a number between 0 and 2, without the ends.": lambda: plan.items_for_width(
            estimate=0.7, width=[0.1, 0]
        ),
        "ci=95 must be a number between 0 and 1, without the ends.": lambda: plan.items_for_width(**WIDTH, ci=95),
        "n_coders=1 must be a whole number, 2 or more.": lambda: plan.items_for_width(**WIDTH, n_coders=1),
        "estimate= is empty. Give a number or a list of numbers.": lambda: plan.items_for_width(estimate=[], width=0.2),
        "shares= add up to 0.9. The shares of all categories must add up to 1.": lambda: plan.items_for_width(
            **WIDTH, shares=(0.5, 0.4)
        ),
        "shares= must have at least two categories with a share above 0.": lambda: plan.items_for_width(
            **WIDTH, shares=(1.0, 0.0)
        ),
        "shares=0.3 must be a list with the share of each category, such as (0.7, 0.3).": lambda: plan.items_for_width(
            **WIDTH, shares=0.3
        ),  # type: ignore[arg-type]
        "Estimate and null are both 0.7. A test needs a difference between them.": lambda: plan.items_for_power(
            estimate=0.7, null=0.7
        ),
        "alternative='greater' does not fit estimate=0.5 and null=0.7. Use 'less' or 'two-sided'.": lambda: plan.power(
            estimate=0.5, null=0.7, n_items=50, alternative="greater"
        ),
        (
            "alternative='grater' is not known. Use one of 'two-sided', 'greater', 'less'; did you mean 'greater'?"
        ): lambda: plan.items_for_power(**TEST, alternative="grater"),
        "more_items takes the frame that df.agree.kappa(...) gives, not Series.": lambda: plan.more_items(
            pd.Series([1.0]), 0.2
        ),  # type: ignore[arg-type]
        "The result has no standard errors. Leave out ci=None, or label more items first.": lambda: plan.more_items(
            sample(0.6, 2, THREE, 60, 1, 4).agree.kappa("c0", "c1", ci=None), 0.2
        ),
        "plan.items_for_width needs width=": lambda: plan.items_for_width("kappa", estimate=0.8),  # type: ignore[call-arg]
        "pool=100.5 must be a whole number, 2 or more.": lambda: plan.double_code(100.5, 0.2, se=0.1),  # type: ignore[arg-type]
    },
    ColumnError: {
        "No column 'se'. There are: 'estimate', 'n_items'.": lambda: plan.more_items(
            pd.DataFrame({"estimate": [0.5], "n_items": [3]}), 0.2
        ),
    },
}


@pytest.mark.parametrize("error", REFUSED)
def test_mistakes_get_the_whole_message(error: type[Exception]) -> None:
    all_refused(error, REFUSED[error])
