"""Indices of the table of two coders: printed tables, other packages, brute force over all tables of given margins."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction as F
from typing import Any

import numpy as np
import pytest

from pandas_agreement.hypothesis_tests.kappa_bounds import (
    bias_index,
    conditional_kappa,
    kappa_bounds,
    pabak,
    prevalence_index,
)

NAN = float("nan")
KINDS = ("nominal", "linear", "quadratic")
FLEISS = np.array([[75, 1, 4], [5, 4, 1], [0, 0, 10]])


def tables(*shape: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 9, shape)


def distances(kind: str, values: Any) -> np.ndarray:
    gap = np.subtract.outer(np.asarray(values, float), values)
    return {"nominal": (gap != 0).astype(float), "linear": np.abs(gap), "quadratic": gap**2}[kind]


def weights(kind: str, values: Any) -> np.ndarray:
    """The agreement weights of these distances."""
    D = distances(kind, values)
    return 1 - D / D.max()


def plain_kappa(T: np.ndarray, D: np.ndarray) -> float:
    p = T / T.sum()
    return float(1 - (p * D).sum() / (p.sum(1) @ D @ p.sum(0)))


# --- two categories

#: table, PABAK, prevalence index, bias index: epiR 2.0.94 (epi.kappa)
BYRT = [
    ("Krippendorff 1980 p. 133", [[5, 3], [1, 1]], 0.2, 0.4, 0.2),
    ("Artstein & Poesio 2008 p. 558", [[20, 10], [20, 50]], 0.4, -0.3, -0.1),
    ("Fleiss et al. 2003 18.3, study 1", [[12, 1], [4, 3]], 0.5, 0.45, -0.15),
    ("Fleiss et al. 2003 18.3, study 2", [[15, 2], [1, 2]], 0.7, 0.65, 0.05),
    ("Fleiss et al. 2003 18.3, study 3", [[15, 6], [3, 6]], 0.4, 0.3, 0.1),
    ("lecture notes, by hand", [[20, 5], [10, 15]], 0.4, 0.1, -0.1),
]


@pytest.mark.parametrize(("source", "table", "adjusted", "prevalence", "bias"), BYRT)
def test_byrt(source: str, table: list[list[int]], adjusted: float, prevalence: float, bias: float) -> None:
    T = np.array(table)
    assert (pabak(T), prevalence_index(T), bias_index(T)) == pytest.approx((adjusted, prevalence, bias))


def test_kappa_from_byrts_indices() -> None:
    T = tables(30, 2, 2) + 1
    PI, BI, adjusted = prevalence_index(T), bias_index(T), pabak(T)
    kappas = [plain_kappa(table, distances("nominal", [0, 1])) for table in T]
    np.testing.assert_allclose((adjusted - PI**2 + BI**2) / (1 - PI**2 + BI**2), kappas)


def test_indices_of_other_numbers_of_categories() -> None:
    for function in (prevalence_index, bias_index):
        np.testing.assert_array_equal(function(tables(4, 3, 3)), [NAN] * 4)
        assert np.isnan(function(np.array([[5]])))
        np.testing.assert_array_equal(function(np.zeros((2, 2, 2))), [NAN, NAN])
    assert pabak(FLEISS) == pytest.approx((3 * 0.89 - 1) / 2)
    np.testing.assert_array_equal([pabak(np.array([[5]])), pabak(np.zeros((2, 2)))], [NAN, NAN])


# --- bounds

#: the largest kappa for the margins of printed tables: DKPro Statistics 2.3.2
LARGEST = [
    ("Krippendorff 1980 p. 133", [[5, 3], [1, 1]], 0.5454545454545455),
    ("Krippendorff 2004 p. 227", [[1, 1, 0], [0, 4, 1], [0, 0, 5]], 0.8620689655172411),
    ("Cohen 1960 p. 37", [[25, 12, 3], [13, 2, 15], [12, 16, 2]], 0.8461538461538461),
    ("Cohen 1960 p. 45", [[88, 14, 18], [10, 40, 10], [2, 6, 12]], 0.8305084745762712),
    ("Fleiss 1969", [[106, 10, 4], [22, 28, 10], [2, 12, 6]], 0.9047619047619047),
    ("Agresti 1992 p. 202", [[22, 2, 2, 0], [5, 7, 14, 0], [0, 2, 36, 0], [0, 1, 17, 10]], 0.6227018385291766),
    ("Landis & Koch 1977", [[38, 5, 0, 1], [33, 11, 3, 0], [10, 14, 5, 6], [3, 7, 3, 10]], 0.6272670419011883),
    ("Zwick 1988 ex. 1", [[20, 0, 0, 5], [0, 10, 15, 0], [0, 15, 10, 0], [5, 0, 0, 20]], 1),
    ("Brennan & Prediger 1981 p. 689", [[50, 0, 0], [10, 10, 10], [20, 0, 0]], 0.4545454545454544),
    ("Artstein & Poesio 2008 p. 568", [[46, 0, 0], [6, 32, 6], [0, 0, 10]], 0.8013245033112583),
    ("Gwet 2014, diagnoses", [[40, 6, 4, 15], [4, 25, 1, 5], [4, 2, 21, 9], [17, 13, 12, 45]], 0.9196685878962537),
]


@pytest.mark.parametrize(("source", "table", "largest"), LARGEST)
def test_largest_kappa(source: str, table: list[list[int]], largest: float) -> None:
    assert kappa_bounds(np.array(table), np.eye(len(table)))[1] == pytest.approx(largest, rel=1e-12)


def test_bounds_by_hand() -> None:
    # the second table has the smallest kappa that its margins allow
    least, most = kappa_bounds(np.array([[[20, 5], [10, 15]], [[0, 1], [2, 17]]]), np.eye(2))
    np.testing.assert_allclose(least, [-0.8, float(F(-1, 14))])
    np.testing.assert_allclose(most, [0.8, float(F(9, 14))])


def with_margins(R: list[int], C: list[int]) -> Iterator[np.ndarray]:
    """Every table of counts with these margins."""
    if not R:
        yield np.zeros((0, len(C)), int)
        return
    for row in compositions(R[0], C):
        for rest in with_margins(R[1:], [c - x for c, x in zip(C, row, strict=True)]):
            yield np.vstack([row, rest])


def compositions(total: int, limits: list[int]) -> Iterator[list[int]]:
    if len(limits) == 1:
        if total <= limits[0]:
            yield [total]
        return
    for first in range(min(total, limits[0]) + 1):
        for rest in compositions(total - first, limits[1:]):
            yield [first, *rest]


MARGINS = [([3, 2, 2], [1, 4, 2]), ([5, 1, 1], [0, 1, 6]), ([7, 0, 1], [6, 2, 0]), ([2, 2, 1, 2], [1, 1, 4, 1])]
VALUES = [0.0, 1.0, 1.5, 4.0]


@pytest.mark.parametrize("kind", ["nominal", "linear", "quadratic"])
@pytest.mark.parametrize(("R", "C"), MARGINS)
def test_bounds_are_reached_and_never_passed(kind: str, R: list[int], C: list[int]) -> None:
    D = distances(kind, VALUES[: len(R)])
    every = list(with_margins(R, C))
    kappas = [plain_kappa(T, D) for T in every]
    least, most = kappa_bounds(every[0], weights(kind, VALUES[: len(R)]))
    assert (least, most) == pytest.approx((min(kappas), max(kappas)))


@pytest.mark.parametrize(("R", "C"), MARGINS)
def test_bounds_for_any_weights(R: list[int], C: list[int]) -> None:
    K = len(R)
    noise = np.random.default_rng(4).random((K, K))
    W = np.where(np.eye(K), 1.0, (noise + noise.T) / 2)
    every = list(with_margins(R, C))
    kappas = [plain_kappa(T, 1 - W) for T in every]
    assert kappa_bounds(every[0], W) == pytest.approx((min(kappas), max(kappas)))


def test_bounds_of_all_tables_at_once() -> None:
    T = tables(2, 3, 4, 4)
    odd = np.array([[1, 0, 0.9, 0], [0, 1, 0, 0.3], [0.9, 0, 1, 0], [0, 0.3, 0, 1]])
    for kind in (*(weights(name, range(4)) for name in KINDS), odd):
        alone = [[kappa_bounds(table, kind) for table in row] for row in T]
        np.testing.assert_allclose(kappa_bounds(T, kind), np.moveaxis(alone, -1, 0), rtol=1e-9)
        assert kappa_bounds(T[:0], kind)[0].shape == (0, 3)


def test_bounds_where_kappa_is_undefined() -> None:
    T = np.array([np.zeros((3, 3)), np.diag([0, 7, 0])])
    odd = np.array([[1, 0, 0.9], [0, 1, 0], [0.9, 0, 1]])
    for kind in (*(weights(name, range(3)) for name in KINDS), odd):
        np.testing.assert_array_equal(kappa_bounds(T, kind), np.full((2, 2), NAN))
    assert np.isnan(kappa_bounds(np.array([[5]]), np.eye(1))).all()
    assert np.isnan(kappa_bounds(np.zeros((0, 0)), np.eye(0))).all()


def slopes(function: Any, p: np.ndarray) -> np.ndarray:
    """Derivatives of a function of the shares by each of them: (K, K)."""
    h, out = 1e-6, np.zeros(p.shape)
    for cell in np.ndindex(*p.shape):
        step = np.zeros(p.shape)
        step[cell] = h
        out[cell] = (function(p + step) - function(p - step)) / (2 * h)
    return out


def delta_variance(function: Any, T: np.ndarray) -> float:
    n = T.sum()
    p = T / n
    u = slopes(function, p)
    return float(((p * u**2).sum() - (p * u).sum() ** 2) / (n - 1))


def test_conditional_kappa_by_numerical_derivatives() -> None:
    for T in tables(4, 3, 3, seed=9) + 1:
        value, variance = conditional_kappa(T)
        for j in range(3):

            def plain(p: np.ndarray, j: int = j) -> float:
                p = p / p.sum()
                r, c = p[j].sum(), p[:, j].sum()
                return float((p[j, j] - r * c) / (r - r * c))

            assert value[j] == pytest.approx(plain(T))
            assert variance[j] == pytest.approx(delta_variance(plain, T), rel=1e-6)


def test_a_category_that_one_coder_never_uses() -> None:
    T = np.array([[4, 2], [0, 0]])  # the first coder always says 0
    np.testing.assert_array_equal(conditional_kappa(T)[0], [0, NAN])
    np.testing.assert_array_equal(conditional_kappa(T.T)[0], [NAN, 0])


def test_undefined_conditional_kappas() -> None:
    never = np.array([[4, 1, 0], [2, 3, 0], [0, 0, 0]])
    only = np.array([[5, 0], [0, 0]])
    np.testing.assert_array_equal(np.isnan(conditional_kappa(never)), [[False, False, True]] * 2)
    assert np.isnan(conditional_kappa(only)).all()
    assert np.isnan(conditional_kappa(np.zeros((2, 3, 3)))).all()


def test_conditional_kappas_of_one_item_have_no_variance() -> None:
    assert np.isnan(conditional_kappa(np.array([[0, 1], [0, 0]]))[1]).all()


def test_conditional_kappas_of_perfect_agreement() -> None:
    value, variance = conditional_kappa(np.diag([3, 4, 5]))
    np.testing.assert_allclose(value, 1)
    np.testing.assert_allclose(variance, 0, atol=1e-15)
