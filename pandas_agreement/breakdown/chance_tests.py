"""Permutation and closed-form tests of agreement against chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.breakdown.comparison import TAILS
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.distances import Nominal
from pandas_agreement.core.group_blocks import only_groups
from pandas_agreement.core.item_statistics import ItemStatistics
from pandas_agreement.core.missing import keep
from pandas_agreement.core.pairs import pair_up
from pandas_agreement.core.ratings import LongRatings, Ratings, WideRatings
from pandas_agreement.core.sums import divide
from pandas_agreement.data import Reading
from pandas_agreement.errors import InputError, choose
from pandas_agreement.inference.bootstrap import entropy_of, generator
from pandas_agreement.options import Options
from pandas_agreement.results import frames, schemas

INDEPENDENT = "independence: each coder's labels fall on the items at random"
POOLED = "all coders draw at random from the pooled distribution"
TESTS = ("permutation", "moments", "fleiss_nee_landis")


def chance_test(reading: Reading, tests: Sequence[str] | str, alternative: str, options: Options) -> pd.DataFrame:
    """One row per group and test."""
    names = [tests] if isinstance(tests, str) else list(tests or ())
    if not names:
        raise InputError(
            "tests= is empty", f"name one of {', '.join(map(repr, TESTS))}", option="tests", code="missing option"
        )
    for name in names:
        choose("tests", name, dict.fromkeys(TESTS))
    tail = choose("alternative", alternative, TAILS)
    ratings, _ = keep(reading.ratings, options.missing, reading.coders)
    keys = [None] * ratings.n_groups if reading.groups is None else reading.groups.tolist()
    entropy = entropy_of(options.rng)
    rows: list[dict[str, Any]] = []
    for group in range(ratings.n_groups):
        part, _ = only_groups(ratings, np.array([group]))
        for name in names:
            rng = generator(entropy, keys[group])
            rows.append(_test(name, part, tail, options.n_resamples, rng, alternative))
    columns = {
        name: np.array([row[name] for row in rows], object if kind == "str" else None)
        for name, (kind, _) in schemas.CHANCE.items()
    }
    groups = None if reading.groups is None else reading.groups.repeat(len(names))
    index = frames.index_of(groups, {"test": names * ratings.n_groups})
    return frames.result(index, columns, schemas.CHANCE)


def _test(
    name: str, ratings: Ratings, tail: Any, n_resamples: int, rng: np.random.Generator, alternative: str
) -> dict[str, Any]:
    from scipy.special import ndtr

    statistics = ItemStatistics(ratings, Nominal(ratings.n_categories, "nominal"))
    n = float(statistics.n_items[1].sum())
    observed = float(1 - statistics.sums.observed[0]) if n else np.nan
    row: dict[str, Any] = {"observed": observed, "expected": np.nan, "statistic": np.nan, "p_value": np.nan}
    row |= {"n_items": n, "null": POOLED if name == "fleiss_nee_landis" else INDEPENDENT, "note": ""}
    if n < 2:
        return row | {"note": "no test: fewer than two items with two labels"}
    if name == "fleiss_nee_landis":
        return row | _fleiss_nee_landis(statistics, observed, tail)
    if name == "moments":
        mean, variance, weight, pairs = _moments(ratings)
        if np.isnan(variance):
            return row | {"note": "no closed form with gaps and three coders or more; use tests='permutation'"}
        statistic = float(divide(np.array(weight - mean), np.sqrt(np.array(variance))))
        return row | {"expected": mean / pairs, "statistic": statistic, "p_value": float(tail(statistic, ndtr))}
    draws = permuted(ratings, n_resamples, rng)
    mean, sd = float(draws.mean()), float(draws.std())
    above = (1 + (draws >= observed - 1e-12).sum()) / (n_resamples + 1)
    below = (1 + (draws <= observed + 1e-12).sum()) / (n_resamples + 1)
    p = {"two-sided": min(1.0, 2 * min(above, below)), "greater": above, "less": below}[alternative]
    return row | {"expected": mean, "statistic": (observed - mean) / sd if sd > 0 else np.nan, "p_value": float(p)}


def _moments(ratings: Ratings) -> tuple[float, float, float, float]:
    """Mean, variance and value of the number of agreeing pairs if each coder's labels are permuted, and all pairs.

    Pairs of coders are uncorrelated on complete data, so their variances add up; two coders are always complete.
    """
    complete = bool((ratings.sizes == ratings.active_coders()[0]).all())
    pairs = pair_up(ratings)
    cells, pair = pairs.ratings, pairs.ratings.group
    if pair is None or not (complete or len(pairs.owner) == 1):
        return np.nan, np.nan, np.nan, np.nan
    P, K = len(pairs.owner), ratings.n_categories
    n = np.bincount(pair, cells.weights, minlength=P)
    first, second = (
        np.bincount(pair * K + code, cells.weights, minlength=P * K).reshape(P, K) / n[:, None] for code in cells.codes
    )
    agreed = float(cells.weights[cells.codes[0] == cells.codes[1]].sum())
    both = (first * second).sum(-1)
    inner = both - (first * second * (first + second)).sum(-1) + both**2
    return float((n * both).sum()), float((n**2 / (n - 1) * inner).sum()), agreed, float(n.sum())


def _fleiss_nee_landis(statistics: ItemStatistics, observed: float, tail: Any) -> dict[str, Any]:
    """Fleiss, Nee and Landis (1979): the null variance of pi for items with equally many labels."""
    from scipy.special import ndtr

    sizes = statistics.ratings.sizes
    if len(np.unique(sizes)) > 1:
        return {"note": "items have different numbers of labels; use tests='permutation'"}
    r, n = float(sizes[0]), float(statistics.n_items[0].sum())
    p = statistics.sums.profile[0]
    spread = float((p * (1 - p)).sum())
    variance = 2 / (n * r * (r - 1)) * (spread**2 - (p * (1 - p) * (1 - 2 * p)).sum()) / spread**2 if spread else np.nan
    value = 1 - (1 - observed) / spread if spread else np.nan
    statistic = value / np.sqrt(variance) if variance > 0 else np.nan
    return {"expected": 1 - spread, "statistic": statistic, "p_value": float(tail(statistic, ndtr))}


def permuted(ratings: Ratings, n_resamples: int, rng: np.random.Generator) -> Array:
    """Observed agreement when each coder's labels are shuffled over the items they labelled: (B,)."""
    columns = ratings.as_wide() if isinstance(ratings, LongRatings) else ratings
    if not isinstance(columns, WideRatings):
        raise InputError("a permutation needs the coder of each label, which a table of counts does not have")
    if columns.weight is not None:  # one row per item
        times = columns.weight.astype(np.int64)
        columns = WideRatings(
            columns.n_coders, columns.n_categories, 1, None, None, tuple(np.repeat(c, times) for c in columns.codes)
        )
    sizes = columns.sizes.astype(float)
    paired = sizes > 1
    pairs = np.maximum(sizes * (sizes - 1), 1)
    step = max(1, (1 << 22) // max(columns.n_items * columns.n_categories, 1))
    out = np.empty(n_resamples)
    for start in range(0, n_resamples, step):
        b = min(step, n_resamples - start)
        counts = np.zeros((columns.n_categories, b, columns.n_items), np.int16)
        for code in columns.codes:
            rated = np.flatnonzero(code >= 0)
            shuffled = rng.permuted(np.broadcast_to(code[rated], (b, len(rated))), axis=1)
            for category in range(columns.n_categories):
                counts[category][:, rated] += shuffled == category
        squares = np.einsum("kbi,kbi->bi", counts, counts, dtype=np.float64)
        out[start : start + b] = (((squares - sizes) / pairs)[:, paired]).mean(1)
    return out
