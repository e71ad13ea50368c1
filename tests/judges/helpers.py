"""Data and definitions that the tests of judges share."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats
from scipy.optimize import brentq

from tests.bruteforce import NAN, Omega, Pairing, Rows, nominal, numeric_influence, present
from tests.data_sets import scores

HUMANS = ["ann", "bob", "cleo"]


def judged_scores(n_items: int = 60, gaps: float = 0.2, seed: int = 0) -> pd.DataFrame:
    """Two judges, dev and eve, and three humans."""
    return scores(n_items, n_coders=5, n_categories=3, gaps=gaps, seed=seed)


def counting_rows(frame: pd.DataFrame, judge: str, humans: Sequence[str] = HUMANS, least: int = 2) -> list[list[Any]]:
    """The items that count, the judge first: labels or None."""
    rows = [[None if pd.isna(x) else x for x in row] for row in frame[[judge, *humans]].to_numpy(object).tolist()]
    return [row for row in rows if row[0] is not None and len(present(row[1:])) >= least]


def two(rows: Rows, first: int, second: int) -> list[list[Any]]:
    """The labels of two coders."""
    return [[row[first], row[second]] for row in rows]


def mean_over_pairs(
    function: Callable[..., Any], rows: Rows, pairs: Sequence[tuple[int, int]], omega: Omega = None, **options: Any
) -> Any:
    """The mean of a coefficient over pairs of coders."""
    values = [function(two(rows, g, h), omega=omega, **options) for g, h in pairs]
    return sum(values) / len(values)


def difference_of_pairs(function: Callable[..., Any], rows: Rows, omega: Omega = None, **options: Any) -> Any:
    """Mean over humans of the judge's coefficient with them, minus the mean over pairs of humans."""
    coders = range(1, len(rows[0]))
    judge = mean_over_pairs(function, rows, [(0, h) for h in coders], omega, **options)
    return judge - mean_over_pairs(function, rows, list(combinations(coders, 2)), omega, **options)


def item_differences(rows: Rows, weight: Pairing = nominal) -> list[float]:
    """Mean agreement with the humans of an item, minus that of its humans with each other."""
    out = []
    for judge, *labels in rows:
        humans = present(labels)
        pairs = list(combinations(humans, 2))
        with_judge = sum(weight(judge, label) for label in humans) / len(humans)
        out.append(with_judge - (sum(weight(a, b) for a, b in pairs) / len(pairs) if pairs else NAN))
    return out


@dataclass(frozen=True)
class Skewed:
    """The score interval of a difference of coefficients, from moments that are summed item by item."""

    difference: float
    variance: float
    slope: float
    df: float

    def statistic(self, delta: float) -> float:
        return (self.difference - delta) / math.sqrt(self.variance + self.slope * (delta - self.difference))

    def above(self, delta: float) -> float:
        """One-sided p of a difference of at most delta."""
        return float(stats.t.sf(self.statistic(delta), self.df))

    def limits(self, level: float = 0.95) -> tuple[float, float]:
        """Where the statistic is a quantile of t, found by bisection."""
        quantile = stats.t.ppf((1 + level) / 2, self.df)

        def away(delta: float) -> float:
            scale = self.variance + self.slope * (delta - self.difference)
            return (self.difference - delta) ** 2 - quantile**2 * scale

        far = 100.0
        return brentq(away, -far, self.difference), brentq(away, self.difference, far)


def skewed(
    function: Callable[..., Any],
    rows: Rows,
    weight: Pairing = nominal,
    clusters: Sequence[Hashable] | None = None,
    **options: Any,
) -> Skewed:
    """VERSUS.md from its words; every pair of coders is defined, and every item counts once."""

    def difference(rows: Rows, omega: Omega = None) -> Any:
        return difference_of_pairs(function, rows, omega, **options)

    n, options = len(rows), options if weight is nominal else {**options, "weight": weight}
    influence = [float(u) for u in numeric_influence(difference, rows, range(n))]
    of_cluster: dict[Hashable, float] = {}
    for own, u in zip(range(n) if clusters is None else clusters, influence, strict=True):
        of_cluster[own] = of_cluster.get(own, 0.0) + u
    number, totals = len(of_cluster), list(of_cluster.values())
    variance = sum(t * t for t in totals) * number / (number - 1) / n**2
    alone = sum(u * u for u in influence) / (n - 1) / n
    unit = fmean(_unit(function, two(rows, g, h), weight, options) for g, h in combinations(range(len(rows[0])), 2))
    if clusters is not None:
        unit *= max(variance / alone, math.sqrt(n / number))
    lone = _lone_differences(rows)
    variance += 2 * unit**2 * fmean(d**2 for d in lone) / n**2
    third = (sum(t**3 for t in totals) + 2 * unit**3 * fmean(d**3 for d in lone)) / n**3
    return Skewed(float(difference(rows)), variance, third / variance, number - 1)


def _unit(function: Callable[..., Any], rows: Rows, weight: Pairing, options: dict[str, Any]) -> float:
    """Squared over plain distance of two labels drawn at random, over the expected disagreement of two coders."""
    both = [row for row in rows if None not in row]
    labels = [label for row in both for label in row]
    distances = [1 - weight(a, b) for a in labels for b in labels]
    observed = fmean(1 - weight(a, b) for a, b in both)
    expected = observed / (1 - float(function(both, **options)))
    return sum(d * d for d in distances) / sum(distances) / expected


def _lone_differences(rows: Rows) -> list[float]:
    """What each coder of each item does to the difference by differing alone, the judge first."""
    sizes = [len(present(row[1:])) for row in rows]
    with_judge, among_humans = fmean(sizes), fmean(r * (r - 1) / 2 for r in sizes)
    out = []
    for r in sizes:
        out.append(-r / with_judge)
        out += [(r - 1) / among_humans - 1 / with_judge] * r
    return out


def prevalence(n_items: int, shares: Sequence[float], know: Sequence[float], seed: int) -> pd.DataFrame:
    """Labels 0..K-1 of coders who know the true one with some probability, and else draw from the shares."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(len(shares), n_items, p=shares)
    names = ["gpt", *HUMANS, "dora", "emil"][: len(know)]
    guess = {name: rng.choice(len(shares), n_items, p=shares) for name in names}
    knows = {name: rng.random(n_items) < share for name, share in zip(names, know, strict=True)}
    return pd.DataFrame({name: np.where(knows[name], truth, guess[name]) for name in names})
