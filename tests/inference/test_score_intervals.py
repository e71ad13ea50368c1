"""The score interval against its definition, values of an independent program, and what any interval must do."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import brentq
from scipy.stats import t as student

from pandas_agreement.coefficients.registry import REGISTRY
from pandas_agreement.errors import InputError
from tests.data_sets import digits

SCORED = [name for name, record in REGISTRY.items() if record.at_shares is not None]


def items(table: list[list[int]]) -> pd.DataFrame:
    pairs = [(i, j) for i, row in enumerate(table) for j, n in enumerate(row) for _ in range(n)]
    return pd.DataFrame(pairs, columns=["a", "b"])


RARE = items([[180, 10], [10, 0]])
THREE = items([[75, 1, 4], [5, 4, 1], [0, 0, 10]])
ONE_ERROR = items([[28, 1], [0, 1]])
TRIPLE = digits(a="0000000011", b="0000000110", c="0000001011")
GAPS = digits(a="000000.011", b="0000000110", c="0.00.01011")
ORDER = digits(a="0123301200", b="0133211200", c="0223.01.01")


@pytest.mark.parametrize(
    ("frame", "name", "options", "low", "high"),
    [
        (RARE, "kappa", {}, -0.0564573843, 0.1804726503),
        (RARE, "alpha", {}, -0.0538162408, 0.1819988977),
        (RARE, "ac1", {}, 0.8254319263, 0.9300580040),
        (RARE, "s", {}, 0.6999480117, 0.8691194005),
        (THREE, "kappa", {}, 0.4679176432, 0.8159563407),
        (THREE, "kappa", {"weights": "quadratic"}, 0.5180243397, 0.8795867737),
        (THREE, "ac2", {"weights": "linear"}, 0.8012434777, 0.9450579120),
        (ONE_ERROR, "kappa", {}, -0.3944453214, 0.9437365505),
        (TRIPLE, "pi", {}, -0.3155844727, 0.8378021744),
        (GAPS, "alpha", {}, -0.2804380932, 0.8353554439),
        (ORDER, "alpha", {"level": "interval"}, 0.4706555828, 0.9638737520),
        (ORDER, "alpha", {"level": "ordinal"}, 0.5320155183, 0.9639127869),
    ],
)
def test_limits_of_an_independent_program(
    frame: pd.DataFrame, name: str, options: dict[str, str], low: float, high: float
) -> None:
    found = getattr(frame.agree, name)(**options, detail=True).iloc[0]
    assert found["ci_method"] == "score"
    assert found[["ci_low", "ci_high"]].tolist() == pytest.approx([low, high], abs=1e-9)


def kappa_of(table: np.ndarray) -> float:
    """Quadratic kappa of a contingency table."""
    place = np.arange(len(table))
    distance = (place[:, None] - place) ** 2 / (len(table) - 1) ** 2
    p = table / table.sum()
    return float(1 - (distance * p).sum() / (distance * np.outer(p.sum(1), p.sum(0))).sum())


def limits_by_definition(table: np.ndarray, level: float) -> list[float]:
    """Quadratic kappa of two coders: derivatives by differences, the equation solved by a root search."""
    n, place = table.sum(), np.arange(len(table))
    distance = (place[:, None] - place) ** 2 / (len(table) - 1) ** 2
    p = (table.sum(0) + table.sum(1)) / (2 * n)
    joint = np.outer(table.sum(1), table.sum(0)) / n**2
    expected, y = (distance * joint).sum(), 1 - kappa_of(table)
    influence, chance = np.zeros(table.shape), np.zeros(table.shape)
    for cell in np.ndindex(table.shape):
        step = np.zeros(table.shape)
        step[cell] = 1e-5
        influence[cell] = n * (kappa_of(table + step) - kappa_of(table - step)) / 2e-5
        observed = y - distance[cell] / expected  # by way of the observed disagreement alone
        chance[cell] = influence[cell] - observed
    slope = 2 * distance @ p
    unseen = p @ distance**2 @ p / (4 * n * expected**2)
    v = (table * influence**2).sum() / (n - 1) + unseen
    a = (table * distance**2).sum() / n / expected**2 + unseen
    within = max(0, (y / expected) ** 2 * (p @ slope**2 - (p @ slope) ** 2) - (table * chance**2).sum() / n)
    below, above = v + max(a - v, 0), max(a + within / 2, v)
    quantile = student.ppf((1 + level) / 2, n - 1)

    def excess(tau: float) -> float:
        variance = v * tau**2 + (below if tau > 1 else above) * tau * (1 - tau)
        return float(y**2 * (1 - tau) ** 2 - quantile**2 * variance / n)

    return [1 - y * brentq(excess, 1, 1e4, xtol=1e-14), 1 - y * brentq(excess, 1e-12, 1, xtol=1e-14)]


@pytest.mark.parametrize("seed", range(4))
def test_the_limits_solve_the_equation_that_defines_them(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = rng.integers(1, 9, (4, 4)) + 15 * np.eye(4, dtype=int)
    for level in (0.8, 0.95):
        row = items(table.tolist()).agree.kappa("a", "b", weights="quadratic", ci=level).iloc[0]
        assert row[["ci_low", "ci_high"]].tolist() == pytest.approx(limits_by_definition(table, level), abs=1e-6)


@pytest.mark.parametrize("table", [[[30, 4], [2, 10]], [[5, 9], [8, 6]], [[50, 1], [2, 1]]], ids=str)
def test_two_coders_and_two_categories_are_near_bloch_and_kraemer(table: list[list[int]]) -> None:
    """(pi - k)^2 <= t^2 V(k) / n, V(k) = (1 - k) ((1 - k) (1 - 2k) + k (2 - k) / (2 p (1 - p))).

    The difference is the quarter of a disagreement that has not been seen: it is gone with many items.
    """
    cells = np.array(table) * 1000
    n, p = cells.sum(), (cells[0].sum() + cells[:, 0].sum()) / (2 * cells.sum())
    row = pd.DataFrame(cells, index=list("xy"), columns=list("xy")).agree.crosstab().pi().iloc[0]

    def excess(k: float) -> float:
        variance = (1 - k) * ((1 - k) * (1 - 2 * k) + k * (2 - k) / (2 * p * (1 - p)))
        return float((row["estimate"] - k) ** 2 - student.ppf(0.975, n - 1) ** 2 * variance / n)

    limits = [brentq(excess, row["estimate"] - 0.3, row["estimate"]), brentq(excess, row["estimate"], 1 - 1e-9)]
    assert row[["ci_low", "ci_high"]].tolist() == pytest.approx(limits, abs=2e-4)


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
