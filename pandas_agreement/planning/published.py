"""Published sample sizes for two coders, and the checks and arithmetic that all planning shares.

Each formula has the name of its authors and returns a number. `pandas_agreement.plan` exports them beside the functions
of `sample_size`, which cover more coefficients and more coders; where both apply they agree.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import product
from numbers import Integral, Real
from typing import Any

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.errors import InputError, choose, wrong_value

__all__ = ["bloch_kraemer", "cantor", "donner_eliasziw", "flack", "krippendorff_items"]


#: alternative: (sides of the test, sign of estimate - null; 0 for either)
ALTERNATIVES = {"two-sided": (2, 0), "greater": (1, 1), "less": (1, -1)}


# ------------------------------------------------------------------------------------------------------------ checks


def between(name: str, value: Any, low: float = 0.0, high: float = 1.0) -> float:
    """Check that a number lies strictly between two others."""
    if isinstance(value, Real) and not isinstance(value, bool) and low < float(value) < high:
        return float(value)
    raise wrong_value(name, value, f"must be a number between {low:g} and {high:g}, without the ends")


def count(name: str, value: Any, least: int = 2) -> int:
    """Check that a whole number is large enough."""
    if isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= least:
        return int(value)
    raise wrong_value(name, value, f"must be a whole number, {least} or more")


#: argument that may be a list: the check of each of its values
CHECKS: dict[str, Callable[[str, Any], Any]] = {
    "estimate": partial(between, low=-1.0),
    "null": partial(between, low=-1.0),
    "width": partial(between, high=2.0),
    "power": between,
    "share": between,
    "reliability": between,
    "accuracy": between,
    "target": between,
    "margin": partial(between, high=2.0),
    "n_categories": count,
    "n_coders": count,
    "n_items": count,
    "pool": count,
}


def grid(**choices: Any) -> Iterator[tuple[Any, ...]]:
    """Every combination of the checked values, the last varying fastest."""
    lists = []
    for name, value in choices.items():
        values = list(value) if isinstance(value, Iterable) and not isinstance(value, str) else [value]
        if not values:
            raise InputError(f"{name}= is empty", "give a number or a list of numbers", option=name)
        lists.append([CHECKS[name](name, each) for each in values])
    return product(*lists)


def check_shares(name: str, shares: Iterable[float]) -> Array:
    """The share of each category: (K,), adding up to 1."""
    given = np.asarray(list(shares) if isinstance(shares, Iterable) else shares, dtype=object)
    if given.ndim != 1 or not all(isinstance(share, Real) and float(share) >= 0 for share in given):
        raise wrong_value(name, shares, "must be a list with the share of each category, such as (0.7, 0.3)")
    numbers = given.astype(float)
    total = numbers.sum()
    if not math.isclose(total, 1.0, abs_tol=1e-6):
        raise InputError(f"{name}= add up to {total:g}", "the shares of all categories must add up to 1", option=name)
    if (numbers > 0).sum() < 2:
        raise InputError(f"{name}= must have at least two categories with a share above 0", option=name)
    return numbers / total


def error_quantiles(estimate: float, null: float, power: float, alpha: float, alternative: str) -> tuple[float, float]:
    """The normal quantiles of the two error rates of a test of `null` if `estimate` is true."""
    from scipy.special import ndtri

    sides, sign = choose("alternative", alternative, ALTERNATIVES)
    if estimate == null:
        raise InputError(f"estimate and null are both {estimate:g}", "a test needs a difference to find", option="null")
    if sign * (estimate - null) < 0:
        problem = f"alternative={alternative!r} does not fit estimate={estimate:g} and null={null:g}"
        raise InputError(problem, f"use {'less' if sign > 0 else 'greater'!r} or 'two-sided'", option="alternative")
    return float(ndtri(1 - between("alpha", alpha) / sides)), float(ndtri(between("power", power)))


def whole(n: float) -> int:
    """Round up to whole items, at least two, as one item has no variance."""
    return max(2, math.ceil(n - 1e-9))


def fewest(sd: Array, width: float, level: Array, pool: float = math.inf) -> Array:
    """The fewest items of a pool whose t interval is no wider than `width`: a bisection of all rows at once."""
    from scipy.special import stdtrit

    share = (1 + level) / 2
    enough = np.minimum(np.ceil((2 * stdtrit(1, share) * sd / width) ** 2) + 2, pool)  # t falls with more items
    few = np.ones_like(sd)
    while (enough - few > 1).any():
        middle = np.floor((few + enough) / 2)
        wide = 2 * stdtrit(np.maximum(middle - 1, 1), share) * sd * np.sqrt(1 / middle - 1 / pool) > width
        few, enough = np.where(wide | (middle < 2), middle, few), np.where(wide | (middle < 2), enough, middle)
    return np.maximum(enough, 2)


def two_points(difference: float, sds: tuple[float, float], quantiles: tuple[float, float]) -> int:
    """Items for a test, from the standard deviations of an item under the null and under the alternative."""
    return whole(((quantiles[0] * sds[0] + quantiles[1] * sds[1]) / difference) ** 2)


# ------------------------------------------------------------------------------------- kappa of two coders, by table


def _weights(rows: Array, columns: Array, kappa: float) -> Array:
    """The weight of each cell of the table in the variance of kappa with these margins: (K, K)."""
    return (np.eye(len(rows)) - (columns[:, None] + rows) * (1 - kappa)) ** 2


def _variance(mean_weight: float, rows: Array, columns: Array, kappa: float) -> float:
    """Large-sample variance of kappa for one item (Fleiss, Cohen and Everitt, 1969)."""
    expected = float(rows @ columns)
    return (mean_weight - (kappa - expected * (1 - kappa)) ** 2) / (1 - expected) ** 2


def _agreement(name: str, rows: Array, columns: Array, kappa: float) -> float:
    """The observed agreement of this kappa; raises if the margins do not allow it."""
    expected = rows @ columns
    most, least = np.minimum(rows, columns).sum(), max(0.0, (rows + columns).max() - 1)
    low, high = (least - expected) / (1 - expected), (most - expected) / (1 - expected)
    if not low - 1e-9 <= kappa <= high + 1e-9:
        problem = f"{name}={kappa:g} is out of reach: with these margins kappa lies in {low:.3f} to {high:.3f}"
        raise InputError(problem, option=name, code="out of reach")
    return float(expected + kappa * (1 - expected))


def cantor(
    *,
    estimate: float,
    null: float,
    rate_1: float,
    rate_2: float,
    power: float = 0.8,
    alpha: float = 0.05,
    alternative: str = "two-sided",
) -> int:
    """Items for a test of Cohen's kappa between two coders and two categories.

    Parameters
    ----------
    estimate, null : float
        The kappa you expect, and the null value.
    rate_1, rate_2 : float
        The share of the first category of each coder.
    power : float
        The probability that the test detects the difference.
    alpha : float
        Level of the test.
    alternative : {'two-sided', 'greater', 'less'}
        Whether the test is for a difference in either direction, or only in one.

    Returns
    -------
    int

    References
    ----------
    Cantor, A. B. (1996). Sample-size calculations for Cohen's kappa. Psychological Methods 1, 150-153.

    Examples
    --------
    >>> from pandas_agreement import plan
    >>> plan.cantor(estimate=0.85, null=0.7, rate_1=0.5, rate_2=0.5, alternative="greater")
    117
    """
    rates = between("rate_1", rate_1), between("rate_2", rate_2)
    rows, columns = (np.array([rate, 1 - rate]) for rate in rates)
    sds = []
    for name, kappa in {"null": null, "estimate": estimate}.items():
        agreed = _agreement(name, rows, columns, between(name, kappa, -1))
        both = (agreed - 1 + sum(rates)) / 2  # two margins and the diagonal determine a table of four cells
        table = np.array([[both, rates[0] - both], [rates[1] - both, 1 - sum(rates) + both]])
        sds.append(math.sqrt(_variance((table * _weights(rows, columns, kappa)).sum(), rows, columns, kappa)))
    quantiles = error_quantiles(estimate, null, power, alpha, alternative)
    return two_points(estimate - null, (sds[0], sds[1]), quantiles)


def flack(
    shares: Iterable[float],
    *,
    estimate: float,
    null: float,
    other_shares: Iterable[float] | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
    alternative: str = "two-sided",
) -> int:
    """Items for a test of Cohen's kappa between two coders in the worst case, for any number of categories.

    Margins and kappa do not determine the table of three or more categories; the table with the largest variance is
    found by linear programming.

    Parameters
    ----------
    shares : list of float
        The share of each category, adding up to 1.
    estimate, null : float
        The kappa you expect, and the null value.
    other_shares : list of float, optional
        The shares of the second coder, if they differ.
    power, alpha, alternative
        As in `cantor`.

    Returns
    -------
    int

    References
    ----------
    Flack, V. F., Afifi, A. A., Lachenbruch, P. A. and Schouten, H. J. A. (1988). Sample size determinations for the
    two rater kappa statistic. Psychometrika 53, 321-325.

    Examples
    --------
    >>> from pandas_agreement import plan
    >>> plan.flack([0.2, 0.25, 0.55], estimate=0.6, null=0.4, alternative="greater")
    101
    """
    rows = check_shares("shares", shares)
    columns = rows if other_shares is None else check_shares("other_shares", other_shares)
    if len(rows) != len(columns):
        problem = f"shares= has {len(rows)} categories, other_shares= has {len(columns)}"
        raise InputError(problem, "give 0 for one not used", option="other_shares")
    null, estimate = between("null", null, -1), between("estimate", estimate, -1)
    sds = math.sqrt(_worst("null", rows, columns, null)), math.sqrt(_worst("estimate", rows, columns, estimate))
    return two_points(estimate - null, sds, error_quantiles(estimate, null, power, alpha, alternative))


def _worst(name: str, rows: Array, columns: Array, kappa: float) -> float:
    """The largest variance of an item among all tables with these margins and this kappa."""
    from scipy.optimize import linprog

    K = len(rows)
    agreed, weights = _agreement(name, rows, columns, kappa), _weights(rows, columns, kappa)
    sums = [np.kron(np.eye(K), np.ones(K)), np.kron(np.ones(K), np.eye(K)), np.eye(K).reshape(1, -1)]
    found = linprog(-weights.ravel(), A_eq=np.vstack(sums), b_eq=[*rows, *columns, agreed], bounds=(0, 1))
    if not found.success:
        raise InputError(f"no table was found with these shares and kappa {kappa:g}: {found.message}")
    return _variance(-found.fun, rows, columns, kappa)


# ------------------------------------------------------------------------------------------------- common prevalence


def bloch_kraemer(kappa: float, prevalence: float, n_items: int = 1) -> float:
    """Variance of kappa between two coders with the same prevalence of two categories.

    Parameters
    ----------
    kappa : float
        The true kappa.
    prevalence : float
        The share of the first category, the same for both coders.
    n_items : int
        Items that both labelled; 1 gives the variance that one item contributes.

    Returns
    -------
    float

    References
    ----------
    Bloch, D. A. and Kraemer, H. C. (1989). 2 x 2 kappa coefficients: measures of agreement or association. Biometrics
    45, 269-287.

    Examples
    --------
    >>> from pandas_agreement import plan
    >>> round(plan.bloch_kraemer(0.6, 0.3, n_items=100), 5)
    0.00768
    """
    k, p, n = between("kappa", kappa, -1), between("prevalence", prevalence), between("n_items", n_items, 0, math.inf)
    return (1 - k) * ((1 - k) * (1 - 2 * k) + k * (2 - k) / (2 * p * (1 - p))) / n


def donner_eliasziw(
    shares: Iterable[float], *, estimate: float, null: float, power: float = 0.8, alpha: float = 0.05
) -> int:
    """Items for the goodness-of-fit test of kappa between two coders with the same shares of categories.

    The test compares the number of items with agreement on each category, and without agreement, with the prediction of
    `null`. It is always two-sided. Donner and Eliasziw's test is for two categories; more are a direct extension.

    Parameters
    ----------
    shares : list of float
        The share of each category, adding up to 1.
    estimate, null : float
        The kappa you expect, and the null value.
    power, alpha : float
        The probability that the test detects the difference, and its level.

    Returns
    -------
    int

    References
    ----------
    Donner, A. and Eliasziw, M. (1992). A goodness-of-fit approach to inference procedures for the kappa statistic.
    Statistics in Medicine 11, 1511-1519.

    Examples
    --------
    >>> from pandas_agreement import plan
    >>> plan.donner_eliasziw([0.3, 0.7], estimate=0.6, null=0.4)
    191
    """
    from scipy.special import chdtri, chndtrinc

    p = check_shares("shares", shares)
    p = p[p > 0]
    null, estimate = between("null", null, -1), between("estimate", estimate, -1)
    error_quantiles(estimate, null, power, alpha, "two-sided")
    expected, true = _agreements(p, null), _agreements(p, estimate)
    for name, kappa, cells in (("null", null, expected), ("estimate", estimate, true)):
        if (cells < 0).any():
            problem = f"{name}={kappa:g} is out of reach: with these shares some agreement would be negative"
            raise InputError(problem, option=name, code="out of reach")
    noncentrality = float(chndtrinc(chdtri(1, alpha), 1, 1 - power))
    return whole(noncentrality / ((true - expected) ** 2 / expected).sum())


def _agreements(p: Array, kappa: float) -> Array:
    """The probability that both choose k, for each k, and last that they differ: (K + 1,)."""
    return np.append(p**2 + kappa * p * (1 - p), (1 - kappa) * (1 - p @ p))


def krippendorff_items(alpha_min: float, p_rarest: float, level: float = 0.05) -> int:
    """Items for Krippendorff's alpha of two coders, as his textbook tabulates them.

    With so many items, data of this alpha do not look reliable by chance, for the rarest category against all others.

    Parameters
    ----------
    alpha_min : float
        The smallest alpha you would accept, such as 0.8 or 0.667.
    p_rarest : float
        Share of the rarest category; 1 / K if all are alike.
    level : float
        Significance level, one-sided.

    Returns
    -------
    int

    References
    ----------
    Krippendorff, K. (2018). Content Analysis: An Introduction to Its Methodology, 4th ed., ch. 12. Sage; after Bloch,
    D. A. and Kraemer, H. C. (1989). Biometrics 45, 269-287, equation 3.7.

    Examples
    --------
    >>> from pandas_agreement import plan
    >>> plan.krippendorff_items(0.8, 0.25)
    139
    """
    from scipy.special import ndtri

    a, p = between("alpha_min", alpha_min), between("p_rarest", p_rarest)
    z = float(ndtri(1 - between("level", level)))
    return whole(2 * z**2 * ((1 + a) * (3 - a) / (4 * (1 - a) * p * (1 - p)) - a))
