"""Tests of margins: printed tables, other packages, the definitions as plain loops, and what must not happen."""

from __future__ import annotations

from dataclasses import astuple
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import numpy as np
import pytest

from pandas_agreement import InputError
from pandas_agreement.hypothesis_tests import margins as homogeneity
from pandas_agreement.hypothesis_tests.margins import bhapkar, bowker, cochran_q, holm, mcnemar, stuart_maxwell

NAN = float("nan")

#: Stuart (1953), Biometrika 40, 105-110: unaided vision of 7477 women, right eye against left eye
VISION = [[1520, 266, 124, 66], [234, 1512, 432, 78], [117, 362, 1772, 205], [36, 82, 179, 492]]
MEH = [[5, 1, 0], [1, 9, 1], [1, 1, 1]]
SANDWICH = [[400, 90], [60, 450]]

#: table, test, statistic, df, p: printed tables; the figures are those of DescTools 0.99.59 for Stuart-Maxwell and
#: Bhapkar (irr 0.84.1 has the same Bhapkar) and of mcnemar.test of R 4.2.2 for Bowker, unless a remark says otherwise.
KNOWN: list[tuple[str, list[list[int]], Any, float, float, float]] = [
    ("lecture notes, by hand", MEH, stuart_maxwell, 0.5, 2, np.exp(-1 / 4)),
    ("lecture notes, by hand", MEH, bhapkar, 20 / 39, 2, np.exp(-10 / 39)),
    ("vision", VISION, stuart_maxwell, 11.956569622982553, 3, 0.007533425054800552),
    ("vision", VISION, bhapkar, 11.975720155525671, 3, 0.007466797469723969),
    ("vision", VISION, bowker, 19.10655021526677, 6, 0.0039874198404285756),
    ("Cohen 1960 p. 37", [[25, 12, 3], [13, 2, 15], [12, 16, 2]], stuart_maxwell, 3.4674922600619196, 2, 0.17662152192),
    ("Cohen 1960 p. 37", [[25, 12, 3], [13, 2, 15], [12, 16, 2]], bhapkar, 3.5920461834509303, 2, 0.16595757563950894),
    ("Cohen 1960 p. 37", [[25, 12, 3], [13, 2, 15], [12, 16, 2]], bowker, 5.472258064516129, 3, 0.14030733997574577),
    ("Cohen 1960 p. 45", [[88, 14, 18], [10, 40, 10], [2, 6, 12]], stuart_maxwell, 13.5135135135, 2, 0.00116299493943),
    ("Cohen 1960 p. 45", [[88, 14, 18], [10, 40, 10], [2, 6, 12]], bhapkar, 14.492753623188403, 2, 0.00071275215149),
    ("Cohen 1960 p. 45", [[88, 14, 18], [10, 40, 10], [2, 6, 12]], bowker, 14.466666666666667, 3, 0.00233409158806),
    ("Fleiss 1969", [[106, 10, 4], [22, 28, 10], [2, 12, 6]], stuart_maxwell, 2.7237354085603123, 2, 0.25618185790069),
    ("Fleiss 1969", [[106, 10, 4], [22, 28, 10], [2, 12, 6]], bhapkar, 2.761341222879685, 2, 0.25140989816132836),
    ("Fleiss 1969", [[106, 10, 4], [22, 28, 10], [2, 12, 6]], bowker, 5.348484848484849, 3, 0.14798704191541678),
    (
        "Agresti 1992 p. 202",
        [[22, 2, 2, 0], [5, 7, 14, 0], [0, 2, 36, 0], [0, 1, 17, 10]],
        stuart_maxwell,
        29.04471137804471,
        3,
        2.1915022061559704e-06,
    ),
    (
        "Landis & Koch 1977, Winnipeg",
        [[38, 5, 0, 1], [33, 11, 3, 0], [10, 14, 5, 6], [3, 7, 3, 10]],
        stuart_maxwell,
        41.991180008018205,
        3,
        4.029454877434369e-09,
    ),
    (
        "Landis & Koch 1977, Winnipeg",
        [[38, 5, 0, 1], [33, 11, 3, 0], [10, 14, 5, 6], [3, 7, 3, 10]],
        bowker,
        46.74922600619195,
        6,
        2.0994734642190495e-08,
    ),
    (
        "Landis & Koch 1977, New Orleans",
        [[5, 3, 0, 0], [3, 11, 4, 0], [2, 13, 3, 4], [1, 2, 4, 14]],
        bhapkar,
        10.542806870548803,
        3,
        0.014473307466293588,
    ),
    ("Zwick 1988 ex. 3", [[20, 5, 5, 10], [0, 10, 5, 5], [0, 5, 10, 5], [0, 0, 0, 20]], bowker, 30, 6, 3.930844818e-05),
    (
        "Zwick 1988 ex. 3",
        [[20, 5, 5, 10], [0, 10, 5, 5], [0, 5, 10, 5], [0, 0, 0, 20]],
        bhapkar,
        400 / 11,
        3,
        6.2733e-8,
    ),
    # all agree on the first category, which takes no degree of freedom: so irr, where DescTools has 2
    ("Gwet 2014, abstractors", [[13, 0, 0], [0, 20, 7], [0, 4, 56]], stuart_maxwell, 9 / 11, 1, 0.36571229628151325),
    # by hand: only A and D, and B and C, are confused
    ("Zwick 1988 ex. 1", [[20, 0, 0, 5], [0, 10, 15, 0], [0, 15, 10, 0], [5, 0, 0, 20]], stuart_maxwell, 0, 2, 1),
    # R says NaN as soon as two categories are never confused; here b with d and c with d
    (
        "confused at times",
        [[5, 3, 1, 2], [0, 9, 1, 0], [1, 4, 1, 0], [0, 0, 0, 7]],
        bowker,
        3 + 0 + 2 + 9 / 5,
        4,
        4.4 * np.exp(-3.4),
    ),
]


@pytest.mark.parametrize(("source", "table", "test", "statistic", "df", "p"), KNOWN)
def test_known(source: str, table: list[list[int]], test: Any, statistic: float, df: float, p: float) -> None:
    found = test(np.array(table))
    assert found.statistic == pytest.approx(statistic, rel=1e-8)
    assert found.df == df
    assert found.p_value == pytest.approx(p, rel=1e-5)


#: R 4.2.2 (mcnemar.test, binom.test) and epiR 2.0.94: chi-square, corrected, and the exact p-value
MCNEMAR = [
    ("sandwich", SANDWICH, 6.0, 841 / 150, 0.017598),
    ("Krippendorff 1980 p. 133", [[5, 3], [1, 1]], 1, 0.25, 0.625),
    ("Artstein & Poesio 2008 p. 558", [[20, 10], [20, 50]], 10 / 3, 2.7, 0.09873714670538894),
    ("Fleiss et al. 2003 18.3, study 1", [[12, 1], [4, 3]], 1.8, 0.8, 0.375),
    ("Fleiss et al. 2003 18.3, study 2", [[15, 2], [1, 2]], 1 / 3, 0, 1),
    ("Fleiss et al. 2003 18.3, study 3", [[15, 6], [3, 6]], 1, 4 / 9, 0.5078125),
]


@pytest.mark.parametrize(("source", "table", "chi2", "corrected", "exact"), MCNEMAR)
def test_mcnemar(source: str, table: list[list[int]], chi2: float, corrected: float, exact: float) -> None:
    T = np.array(table)
    assert mcnemar(T, "chi2").statistic == pytest.approx(chi2)
    assert mcnemar(T, "corrected").statistic == pytest.approx(corrected)
    assert mcnemar(T, "exact").p_value == pytest.approx(exact, abs=5e-7)
    assert mcnemar(T, "exact").statistic == min(T[0, 1], T[1, 0])


def test_mid_p_is_the_default() -> None:
    # Fagerland et al. (2013), table 1: airway hyper-responsiveness of 21 children, by their formula
    found = mcnemar(np.array([[1, 1], [7, 12]]))
    assert found.p_value == pytest.approx(10 / 256)  # .039; exact: 18 / 256 = .070
    assert (found.statistic, np.isnan(found.df)) == (1, True)


def two_sided(b: int, c: int) -> tuple[Fraction, Fraction]:
    """Exact and mid-p of a fair coin from the definition: how far from half are b heads?"""
    n = b + c
    weights = {x: Fraction(comb(n, x), 2**n) for x in range(n + 1)}
    beyond = sum(p for x, p in weights.items() if abs(2 * x - n) > abs(b - c))
    level = sum(p for x, p in weights.items() if abs(2 * x - n) == abs(b - c))
    return Fraction(beyond + level), beyond + level / 2


def test_exact_and_mid_p_by_enumeration() -> None:
    cells = [(b, c) for b, c in product(range(9), repeat=2) if b + c]
    T = np.array([[[3, b], [c, 2]] for b, c in cells])
    expected = np.array([[float(p) for p in two_sided(b, c)] for b, c in cells])
    np.testing.assert_allclose(mcnemar(T, "exact").p_value, expected[:, 0], rtol=1e-12)
    np.testing.assert_allclose(mcnemar(T, "mid-p").p_value, expected[:, 1], rtol=1e-12)


@pytest.mark.parametrize("method", homogeneity.MCNEMAR)
def test_without_a_discordant_item_p_is_one(method: str) -> None:
    found = mcnemar(np.array([[[4, 0], [0, 2]], [[4, 0], [0, 0]], [[0, 0], [0, 0]]]), method)
    np.testing.assert_array_equal(found.statistic, [0, 0, NAN])
    np.testing.assert_array_equal(found.p_value, [1, 1, NAN])


def test_large_counts_are_exact() -> None:
    found = mcnemar(np.array([[0, 5_003_000], [4_999_000, 10**9]]), "exact")
    # 1.2652 standard deviations minus half a toss: the normal distribution with continuity correction
    assert found.p_value == pytest.approx(
        mcnemar(np.array([[0, 5_003_000], [4_999_000, 0]]), "corrected").p_value, rel=1e-5
    )


def test_an_unknown_method() -> None:
    with pytest.raises(InputError) as error:
        mcnemar(np.array(SANDWICH), "midp")
    assert str(error.value) == (
        "method='midp' is not known. Use one of 'mid-p', 'exact', 'chi2', 'corrected'; did you mean 'mid-p'?"
    )


# --- many categories


def tables(n: int = 60, K: int = 5, seed: int = 3) -> np.ndarray:
    """Sparse tables, some of them in unconnected parts, one empty, one diagonal."""
    rng = np.random.default_rng(seed)
    T = rng.poisson(0.35, (n, K, K)) * rng.integers(1, 6, (n, K, K)) + np.eye(K, dtype=int) * rng.integers(
        0, 5, (n, K, 1)
    )
    T[0] = 0
    T[1] = np.diag(range(K))
    return T


def plain_stuart_maxwell(T: np.ndarray) -> tuple[float, float]:
    d = T.sum(1) - T.sum(0)
    V = np.diag(T.sum(1) + T.sum(0)) - T - T.T
    return float(d @ np.linalg.pinv(V, rcond=1e-10) @ d), float(np.linalg.matrix_rank(V))


def test_stuart_maxwell_of_singular_tables() -> None:
    T = tables()
    found = stuart_maxwell(T)
    expected = np.array([plain_stuart_maxwell(table) for table in T[1:]])
    assert len(set(expected[:, 1])) >= 4  # the tables do differ in rank
    np.testing.assert_allclose(found.statistic[1:], expected[:, 0], rtol=1e-9, atol=1e-9)
    np.testing.assert_array_equal(found.df[1:], expected[:, 1])


def test_bhapkar_is_walds_test_of_the_differences_between_margins() -> None:
    T = np.array([[5, 1, 0], [4, 9, 1], [3, 1, 1]])
    items = [cell for cell in product(range(3), repeat=2) for _ in range(T[cell])]
    gaps = np.array([[(one == j) - (two == j) for j in range(2)] for one, two in items], float)
    mean, covariance = gaps.mean(0), np.cov(gaps.T, bias=True)
    assert bhapkar(T).statistic == pytest.approx(len(items) * mean @ np.linalg.solve(covariance, mean))


def test_bowker_by_its_definition() -> None:
    T = tables()[1:]
    for table, statistic, df in zip(T, bowker(T).statistic, bowker(T).df, strict=True):
        pairs = [(table[k, m], table[m, k]) for k in range(5) for m in range(k) if table[k, m] + table[m, k]]
        assert statistic == pytest.approx(sum((a - b) ** 2 / (a + b) for a, b in pairs))
        assert df == len(pairs)


def test_bhapkar_is_undefined_when_all_differ_in_one_direction() -> None:
    T = np.array([[[0, 5], [0, 0]], [[0, 5], [0, 1]], [[0, 1], [0, 0]]])
    np.testing.assert_array_equal(stuart_maxwell(T).statistic, [5, 5, 1])
    np.testing.assert_allclose(bhapkar(T).statistic, [NAN, 30, NAN])
    np.testing.assert_array_equal(np.isnan(bhapkar(T).p_value), [True, False, True])
    # everybody one step up: S is n but for rounding, which falls on either side of it
    for steps in ([25, 19], [15, 8, 9]):
        assert np.isnan(bhapkar(np.diag(steps, 1)).statistic)


def test_of_very_unequal_counts() -> None:
    T = np.array([[10**9, 3, 0], [1, 10**9, 10**8], [0, 10**8 + 20_000, 5]])
    # a chain of categories: the statistics of its links add up
    chain = (3 - 1) ** 2 / 4 + 20_000**2 / (2 * 10**8 + 20_000)
    assert stuart_maxwell(T).statistic == pytest.approx(chain, rel=1e-9)


# --- Cochran


def sums_for_q(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return x.sum(0), np.bincount(x.sum(1), minlength=x.shape[1] + 1)


def plain_q(x: np.ndarray) -> float:
    """(C - 1) times the variation between coders over the mean variation within items."""
    C = x.shape[1]
    between = ((x.sum(0) - x.sum() / C) ** 2).sum()
    within = (((x - x.mean(1, keepdims=True)) ** 2).sum(1)).sum() / (C - 1)
    return between / within


def test_cochran_1950() -> None:
    # 69 specimens on four media, after the example of Cochran (1950); by hand 3 * 51 / 19 = 8.05
    rows = [[1, 1, 1, 1]] * 4 + [[1, 1, 0, 1]] * 2 + [[0, 1, 1, 1]] * 3 + [[0, 1, 0, 1]] + [[0, 0, 0, 0]] * 59
    found = cochran_q(*sums_for_q(np.array(rows)))
    assert (found.statistic, found.df) == (pytest.approx(153 / 19), 3)
    assert found.p_value == pytest.approx(0.04494, abs=1e-5)


def test_cochran_q_by_its_definition_all_groups_at_once() -> None:
    rng = np.random.default_rng(5)
    data = [(rng.random((30, 4)) < rng.random((30, 1)) * [0.5, 0.9, 1, 1]).astype(int) for _ in range(6)]
    totals, items = (np.array(part) for part in zip(*map(sums_for_q, data), strict=True))
    found = cochran_q(totals.reshape(2, 3, 4), items.reshape(2, 3, 5))
    np.testing.assert_allclose(found.statistic.ravel(), [plain_q(x) for x in data])


def test_cochran_q_of_groups_with_fewer_coders() -> None:
    x = np.array([[1, 0, 1], [1, 0, 0], [1, 1, 1], [0, 0, 0]])
    totals, items = sums_for_q(x)
    padded = cochran_q(np.append(totals, [0, 0]), np.append(items, [0, 0]), n_coders=np.array(3))
    assert astuple(padded) == astuple(cochran_q(totals, items))


# --- Holm


def plain_holm(p: list[float]) -> list[float]:
    known = sorted(x for x in p if x == x)
    steps = [min(1.0, max(x * (len(known) - i) for i, x in enumerate(known[: k + 1]))) for k in range(len(known))]
    return [steps[known.index(x)] if x == x else NAN for x in p]


def test_holm() -> None:
    np.testing.assert_allclose(holm(np.array([0.04, NAN, 0.01, 0.03])), [0.06, NAN, 0.03, 0.06])
    np.testing.assert_array_equal(holm(np.array([NAN, NAN])), [NAN, NAN])
    assert holm(np.array([0.4])) == 0.4
    assert holm(np.zeros((2, 0))).shape == (2, 0)


def test_holm_row_by_row() -> None:
    rng = np.random.default_rng(2)
    p = np.where(rng.random((40, 6)) < 0.2, NAN, rng.random((40, 6)) ** 3)
    given = p.copy()
    np.testing.assert_allclose(holm(p.reshape(4, 10, 6)).reshape(40, 6), [plain_holm(row) for row in p.tolist()])
    np.testing.assert_array_equal(p, given)


# --- against statsmodels
