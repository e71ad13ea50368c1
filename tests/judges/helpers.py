"""Data and definitions that the tests of judges share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from tests.bruteforce import NAN, Omega, Pairing, Rows, nominal, present
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


def prevalence(n_items: int, shares: Sequence[float], know: Sequence[float], seed: int) -> pd.DataFrame:
    """Labels 0..K-1 of coders who know the true one with some probability, and else draw from the shares."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(len(shares), n_items, p=shares)
    names = ["gpt", *HUMANS, "dora", "emil"][: len(know)]
    guess = {name: rng.choice(len(shares), n_items, p=shares) for name in names}
    knows = {name: rng.random(n_items) < share for name, share in zip(names, know, strict=True)}
    return pd.DataFrame({name: np.where(knows[name], truth, guess[name]) for name in names})
