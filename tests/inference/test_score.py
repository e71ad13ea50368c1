"""The score interval against its definition: the variance of the models by enumeration, the limits by a fine scan."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import brentq

from pandas_agreement.coefficients.registry import REGISTRY, find
from pandas_agreement.core.distances import Distance, Nominal, Table
from pandas_agreement.core.ratings import WideRatings
from pandas_agreement.errors import InputError
from pandas_agreement.inference.evaluation import Evaluation, evaluate
from pandas_agreement.inference.score import law_of, outermost

N = 1e9  # items that stand for an endless sample
LEVELS = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9)
SCORED = [name for name, record in REGISTRY.items() if record.at_shares is not None]
QUADRATIC = 1 - np.array([[0, 1, 4], [1, 0, 1], [4, 1, 0]]) / 4


def population(shares: list[float], level: float, sizes: list[int]) -> WideRatings:
    """Every pattern of labels, with its probability under the mean of the two models; `sizes` are equally frequent."""
    K, C, c = len(shares), max(sizes), np.sqrt(level)
    columns, weights = [], []
    for size, labels in product(sizes, product(range(K), repeat=C)):
        if any(labels[size:]):
            continue
        seen = labels[:size]
        copied = sum(p * np.prod([c * (k == x) + (1 - c) * shares[x] for x in seen]) for k, p in enumerate(shares))
        easy = shares[seen[0]] * (len(set(seen)) == 1)
        hard = np.prod([shares[x] for x in seen])
        columns.append([*seen, *[-1] * (C - size)])
        weights.append((copied + level * easy + (1 - level) * hard) / 2 / len(sizes))
    codes = np.array(columns).T
    return WideRatings(C, K, 1, None, N * np.array(weights), tuple(codes))


def evaluated(name: str, ratings: WideRatings, distance: Distance) -> Evaluation:
    return evaluate(find(name), ratings, distance)


def distance_of(kind: str, K: int) -> Distance:
    return Nominal(K, "nominal") if kind == "nominal" else Table(K, "quadratic", matrix=1 - QUADRATIC)


@pytest.mark.parametrize("sizes", [[2], [3], [5], [2, 3, 4]], ids=str)
@pytest.mark.parametrize("kind", ["nominal", "quadratic"])
@pytest.mark.parametrize("name", SCORED)
def test_the_variance_is_that_of_the_influence_under_the_models(name: str, kind: str, sizes: list[int]) -> None:
    if name == "kappa" and len(sizes) > 1:
        pytest.skip("kappa with gaps weighs coders by their labels: the models are an approximation")
    shares, distance = [0.7, 0.2, 0.1], distance_of(kind, 3)
    for level in (0.0, 0.3, 0.8):
        ratings = population(shares, level, sizes)
        evaluation = evaluated(name, ratings, distance)
        law = law_of(find(name), evaluation)
        influence = evaluation.influence()
        variance = ratings.sum(influence**2) / N
        assert law.level(evaluation.value) == pytest.approx(level, abs=1e-6)
        assert law.variance_at(np.array([level])) == pytest.approx(variance, rel=1e-6)
        assert law.square_at(np.array([level])) == pytest.approx(_mean_square(evaluation, ratings), rel=1e-6)


def _mean_square(evaluation: Evaluation, ratings: WideRatings) -> float:
    statistics = evaluation.statistics
    weight = statistics.paired / (ratings.sum(statistics.paired) / N)
    return float(ratings.sum((weight * statistics.disagreement) ** 2)[0] / N)


def test_two_coders_and_two_categories_give_the_variance_of_bloch_and_kraemer() -> None:
    """V = (1 - k) ((1 - k) (1 - 2k) + k (2 - k) / (2 p (1 - p)))."""
    p = 0.05
    law = law_of(find("pi"), evaluated("pi", population([1 - p, p], 0.5, [2]), Nominal(2, "nominal")))
    for k in LEVELS:
        wanted = (1 - k) * ((1 - k) * (1 - 2 * k) + k * (2 - k) / (2 * p * (1 - p)))
        assert law.variance_at(np.array([k])) == pytest.approx(wanted, rel=1e-6)


def items(table: list[list[int]]) -> pd.DataFrame:
    pairs = [(i, j) for i, row in enumerate(table) for j, n in enumerate(row) for _ in range(n)]
    return pd.DataFrame(pairs, columns=["a", "b"])


def labels(**columns: str) -> pd.DataFrame:
    return pd.DataFrame({name: [np.nan if x == "." else int(x) for x in text] for name, text in columns.items()})


RARE = items([[180, 10], [10, 0]])
THREE = items([[75, 1, 4], [5, 4, 1], [0, 0, 10]])
ONE_ERROR = items([[28, 1], [0, 1]])
OPPOSITE = items([[0, 10], [10, 0]])
TRIPLE = labels(a="0000000011", b="0000000110", c="0000001011")
GAPS = labels(a="000000.011", b="0000000110", c="0.00.01011")
ORDER = labels(a="0123301200", b="0133211200", c="0223.01.01")
FIVE = labels(a="00110", b="00100")


@pytest.mark.parametrize(
    ("frame", "name", "options", "low", "high"),
    [
        (RARE, "kappa", {}, -0.175154, 0.163657),
        (RARE, "alpha", {}, -0.172511, 0.167442),
        (RARE, "ac1", {}, 0.825475, 0.929664),
        (RARE, "s", {}, 0.696684, 0.868997),
        (THREE, "kappa", {}, 0.469920, 0.816676),
        (THREE, "kappa", {"weights": "quadratic"}, 0.521565, 0.884265),
        (THREE, "s", {"weights": "linear"}, 0.689176, 0.911854),
        (THREE, "ac2", {"weights": "linear"}, 0.793606, 0.946502),
        (ONE_ERROR, "kappa", {}, 0.086122, 0.986207),
        (ONE_ERROR, "ac1", {}, 0.759203, 0.998545),
        (TRIPLE, "kappa", {}, 0.010329, 0.855482),
        (TRIPLE, "pi", {}, 0.005495, 0.859625),
        (GAPS, "alpha", {}, -0.043350, 0.847135),
        (ORDER, "alpha", {"level": "ordinal"}, 0.436423, 0.984208),
        (OPPOSITE, "kappa", {}, -1, -0.687020),
        (OPPOSITE, "s", {}, -1, -0.603656),
        (FIVE, "kappa", {}, -0.696209, 0.979099),
    ],
)
def test_limits_of_an_independent_implementation(
    frame: pd.DataFrame, name: str, options: dict[str, str], low: float, high: float
) -> None:
    found = getattr(frame.agree, name)(**options, detail=True).iloc[0]
    assert found["ci_method"] == "score"
    assert found[["ci_low", "ci_high"]].tolist() == pytest.approx([low, high], abs=1e-6)


@pytest.mark.parametrize("name", SCORED)
def test_the_limits_are_the_outermost_values_that_a_scan_finds(name: str) -> None:
    """Negative estimates included, for which the set of values can have a hole."""
    rng, k = np.random.default_rng(4), np.linspace(-2.0, 1.0, 60_001)
    for size in rng.integers(4, 60, 60):
        codes = tuple(rng.choice(3, (3, size), p=rng.dirichlet([1.5, 1, 0.5])))
        evaluation = evaluated(name, WideRatings(3, 3, 1, None, None, codes), Nominal(3, "nominal"))
        value, scale = evaluation.value, np.array([rng.choice([0.4, 1.0, 4.0]) / size])
        if np.isnan(value).any() or evaluation.observed[0] == 0:
            continue
        law = law_of(find(name), evaluation)
        inside = k[(value - k) ** 2 <= scale * law.variance_at(law.level(k))]
        low, high = outermost(law, value, scale)
        assert max(low[0], -2) == pytest.approx(inside.min(), abs=1e-4)
        assert high[0] == pytest.approx(inside.max(), abs=1e-4)


@pytest.mark.parametrize("agreement", [0.2, 0.9, 0.999, 0.999999])
@pytest.mark.parametrize("name", SCORED)
def test_the_limits_of_very_many_items_are_where_the_definition_has_its_root(name: str, agreement: float) -> None:
    """Intervals far narrower than the steps between the nodes, also where hardly any item disagrees."""
    ratings = population([0.5, 0.3, 0.2], agreement, [3])
    evaluation = evaluated(name, ratings, Nominal(3, "nominal"))
    law, value = law_of(find(name), evaluation), evaluation.value[0]
    for n in (1e3, 1e5, 1e7, 1e9):
        scale = 4 / n
        for limit, side in zip(outermost(law, evaluation.value, np.array([scale])), (-1, 1), strict=True):

            def excess(away: float, side: int = side, scale: float = scale) -> float:
                k = np.array([value + side * away])
                return float((away**2 - scale * law.variance_at(law.level(k)))[0])

            width = np.sqrt(scale * law.variance_at(law.level(evaluation.value))[0])
            far = next(width * 2**power for power in range(60) if excess(width * 2**power) > 0)
            assert side * (limit[0] - value) == pytest.approx(brentq(excess, width / 1e3, far, xtol=1e-18), rel=1e-3)


@pytest.mark.parametrize("n", [10**6, 10**8, 10**10])
def test_the_interval_of_very_many_items_is_nearly_the_analytic_one(n: int) -> None:
    table = pd.DataFrame([[30, 5, 2], [4, 30, 3], [1, 5, 20]], index=list("xyz"), columns=list("xyz")) * (n // 100)
    for name in ("kappa", "pi", "ac1", "s"):
        score, analytic = (getattr(table.agree.crosstab(), name)(method=m).iloc[0] for m in ("score", "analytic"))
        for limit in ("ci_low", "ci_high"):
            away = score[limit] - score["estimate"]
            assert away == pytest.approx(analytic[limit] - analytic["estimate"], rel=0.01)


@pytest.mark.parametrize("name", SCORED)
def test_limits_hold_the_estimate_and_narrower_ones_lie_inside(name: str) -> None:
    rng = np.random.default_rng(8)
    run, codes = np.repeat(np.arange(300), 12), rng.choice(3, (3, 3600), p=[0.7, 0.2, 0.1])
    codes = np.where(rng.random(codes.shape) < 0.5, codes[0], codes).astype(float)
    codes[rng.random(codes.shape) < 0.2] = np.nan
    df = pd.DataFrame({"run": run, "a": codes[0], "b": codes[1], "c": codes[2]})
    options = {"by": "run", "categories": [0.0, 1.0, 2.0]} | ({"weights": "linear"} if name == "ac2" else {})
    wide, narrow = (getattr(df.agree, name)("a", "b", "c", ci=ci, **options) for ci in (0.95, 0.8))
    known = wide["ci_low"].notna()
    assert known.mean() > 0.9
    wide, narrow = wide[known], narrow[known]
    assert wide["ci_low"].between(-1, narrow["ci_low"]).all()
    assert wide["ci_high"].between(narrow["ci_high"], 1).all()
    assert wide["estimate"].between(narrow["ci_low"] - 1e-12, narrow["ci_high"] + 1e-12).all()


def test_a_group_has_the_limits_it_has_alone() -> None:
    rng = np.random.default_rng(3)
    df = pd.DataFrame({"g": rng.integers(0, 4, 200), "a": rng.choice(list("xxxy"), 200)})
    df["b"] = np.where(rng.random(200) < 0.6, df["a"], "x")
    together = df.agree.summary("a", "b", by="g", metrics=["kappa", "alpha", "s"])
    for group, part in df.groupby("g"):
        alone = part.agree.summary("a", "b", metrics=["kappa", "alpha", "s"])
        pd.testing.assert_frame_equal(together.xs(group, level="g"), alone, rtol=1e-9)


def test_clusters_widen_the_interval_by_their_design_effect() -> None:
    """Items repeated within their cluster bring nothing new: twice the items in pairs, about the same interval."""
    rng = np.random.default_rng(5)
    df = pd.DataFrame({"a": rng.integers(0, 2, 80)})
    df["b"] = np.where(rng.random(80) < 0.7, df["a"], 1 - df["a"])
    twice = pd.concat([df, df], keys=[0, 1], names=["copy", "doc"]).reset_index()
    alone, clustered = df.agree.kappa("a", "b").iloc[0], twice.agree.kappa("a", "b", clusters="doc").iloc[0]
    for name in ("estimate", "ci_low", "ci_high"):
        assert clustered[name] == pytest.approx(alone[name], abs=0.01)


def test_what_has_no_score_interval_has_the_analytic_one() -> None:
    df = ORDER[["a", "b", "c"]]
    for name, options in {"observed": {}, "light_kappa": {}, "kappa": {"pool": "pairs"}}.items():
        assert getattr(df.agree, name)(**options, detail=True)["ci_method"].item() == "analytic"
    assert df.agree.kappa(sampling="both", detail=True)["ci_method"].item() == "analytic"
    for options in ({"pool": "pairs"}, {"sampling": "coders"}):
        with pytest.raises(InputError, match="method='score' goes with"):
            df.agree.kappa(method="score", **options)
