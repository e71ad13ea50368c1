"""A slice of `tests.benchmarks.coverage`: intervals hold the true value as often as they did in a long run.

The long run took other seeds and 20,000 data sets per situation (2,000 for the methods that resample); a share found
here must lie within four binomial standard errors of it. The figures are what the intervals do, not what they should
do: with a category of one in ten and twenty items every interval for kappa, pi and alpha holds the truth far too
seldom, and with fifty or two hundred items still somewhat too seldom.
"""

from __future__ import annotations

import numpy as np
import pytest

from tests.benchmarks.coverage import COEFFICIENTS, COPYING, PLAIN, RESAMPLING, SHARES, Law, cover

pytestmark = pytest.mark.slow  # simulations

Situation = tuple[str, float, int, int]  # shares, probability of copying, coders, items

#: coverage of kappa, pi, alpha, ac1, s, observed by the methods without resampling
KNOWN: dict[Situation, dict[str, str]] = {
    ("1/2 1/2", 0.5, 2, 200): {
        "analytic": ".949 .949 .950 .948 .944 .944",
        "log": ".951 .950 .953 .955 .951 .951",
        "jackknife": ".950 .950 .951 .947 .944 .944",
    },
    ("1/3 1/3 1/3", 0.9, 5, 50): {
        "analytic": ".944 .944 .943 .935 .937 .937",
        "log": ".949 .949 .951 .957 .954 .954",
        "jackknife": ".945 .945 .944 .934 .937 .937",
    },
    # too often: a symmetric interval of twenty items reaches 1, and perfect samples have a bound of their own
    ("1/2 1/2", 0.9, 2, 20): {
        "analytic": ".997 .998 .998 .999 .999 .999",
        "log": ".963 .963 .963 .968 .965 .965",
        "jackknife": ".998 .998 .998 .999 .999 .999",
    },
    # known to fail: two rare labels a coder are expected
    (".9 .1", 0.5, 2, 20): {
        "analytic": ".578 .466 .459 .999 .997 .997",
        "log": ".620 .496 .496 .973 .954 .954",
        "jackknife": ".601 .526 .526 .913 .997 .997",
    },
    # too seldom
    (".9 .1", 0.9, 5, 50): {
        "analytic": ".898 .898 .895 .928 .934 .934",
        "log": ".929 .930 .930 .969 .965 .965",
        "jackknife": ".931 .931 .924 .928 .934 .934",
    },
    (".9 .1", 0.5, 5, 200): {
        "analytic": ".923 .922 .924 .948 .949 .949",
        "log": ".922 .920 .922 .949 .949 .949",
        "jackknife": ".931 .930 .931 .947 .949 .949",
    },
}

#: coverage of kappa, alpha, ac1 by the bootstrap with 400 resamples, and the share of samples without an interval
RESAMPLED: dict[Situation, dict[str, str]] = {
    ("1/2 1/2", 0.5, 2, 50): {"percentile": ".942 .944 .944", "bca": ".943 .954 .950", "none": "0 0 0"},
    # too seldom, and no interval at all where more than one resample in twenty has no rare label
    (".9 .1", 0.5, 2, 20): {"percentile": ".610 .579 .981", "bca": ".618 .582 .969", "none": ".400 .368 0"},
    (".9 .1", 0.5, 5, 50): {"percentile": ".837 .830 .932", "bca": ".869 .869 .941", "none": "0 0 0"},
}


def name_of(situation: Situation) -> str:
    shares, rho, n_coders, n_items = situation
    return f"{shares}, kappa {rho**2:.2f}, {n_coders} coders, {n_items} items"


def bound(known: float, n: float) -> float:
    """Four binomial standard errors; the printed figure is itself rounded and estimated."""
    return 4 * np.sqrt(max(known * (1 - known), 0.002) / n) + 0.003


@pytest.mark.parametrize("situation", KNOWN, ids=name_of)
def test_intervals_hold_the_truth_as_often_as_known(situation: Situation) -> None:
    rows = cover(*situation, runs=1000)
    assert len(rows) == len(PLAIN) * len(COEFFICIENTS)
    for row in rows:
        known = float(KNOWN[situation][row.method].split()[COEFFICIENTS.index(row.coefficient)])
        within = bound(known, row.runs * (1 - row.undefined))
        assert row.coverage == pytest.approx(known, abs=within), (row.method, row.coefficient)


@pytest.mark.parametrize("situation", RESAMPLED, ids=name_of)
def test_bootstrap_intervals_hold_the_truth_as_often_as_known(situation: Situation) -> None:
    names = ("kappa", "alpha", "ac1")
    rows = cover(*situation, runs=100, methods=RESAMPLING, coefficients=names)
    assert len(rows) == len(RESAMPLING) * len(names)
    for row in rows:
        known, none = (
            float(RESAMPLED[situation][key].split()[names.index(row.coefficient)]) for key in (row.method, "none")
        )
        within = bound(known, row.runs * (1 - row.undefined))
        assert row.coverage == pytest.approx(known, abs=within), (row.method, row.coefficient)
        assert row.undefined == pytest.approx(none, abs=bound(none, row.runs))


def test_large_balanced_samples_come_close_to_what_is_promised() -> None:
    for row in cover("1/3 1/3 1/3", 0.5, 5, 200, runs=1000):
        assert row.coverage == pytest.approx(0.95, abs=4 * np.sqrt(0.95 * 0.05 / 1000)), (row.method, row.coefficient)
        assert row.undefined == 0


@pytest.mark.parametrize("rho", COPYING)
@pytest.mark.parametrize("shares", SHARES)
def test_the_true_values_are_those_of_a_very_large_sample(shares: str, rho: float) -> None:
    for n_coders in (2, 4):
        law = Law(SHARES[shares], rho, n_coders)
        df = law.sample(60_000, 1, np.random.default_rng(7)).drop(columns="run")
        found = df.agree.summary(metrics=list(COEFFICIENTS))
        for name in COEFFICIENTS:
            assert found.loc[name, "estimate"] == pytest.approx(law.truth(name), abs=4 * found.loc[name, "se"])
            assert found.loc[name, "se"] < 0.01
