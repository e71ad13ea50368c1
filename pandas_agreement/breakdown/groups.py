"""Differences between groups of items: contrasts of pairs, and tests of equality and trend.

A test uses the standard errors at the common value of the groups it compares, from the models of the score interval:
those at the estimates themselves are smallest where an estimate is extreme by chance, and reject too often. Groups
that share items, or clusters of items, are correlated; the influence values tell how much.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.breakdown.comparison import TAILS, contrast_frame, difference_columns, shared_units
from pandas_agreement.coefficients.registry import Coefficient
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.sums import divide
from pandas_agreement.data import Reading
from pandas_agreement.engine import Counted, distance_for, measure, method_of
from pandas_agreement.errors import InputError, choose
from pandas_agreement.hypothesis_tests.margins import holm
from pandas_agreement.inference.evaluation import evaluate
from pandas_agreement.inference.score import fit
from pandas_agreement.inference.standard_errors import analytic
from pandas_agreement.options import Options
from pandas_agreement.results import frames, schemas

STEPS = 4  # towards the common value, whose weights depend on it


@dataclass(frozen=True, eq=False)
class Groups:
    """The groups of a result."""

    result: pd.DataFrame  # one row per group
    se_at: Callable[[Array, Array], Array]  # groups and a common value -> standard errors
    correlation: Array | None  # (G, G) of groups that share items or clusters
    by_score: bool = False  # the intervals of the groups are score intervals

    @property
    def estimate(self) -> Array:
        return self.result["estimate"].to_numpy(float)

    def correlations(self, first: Array, second: Array) -> Array | float:
        return 0.0 if self.correlation is None else self.correlation[first, second]

    def common(self, members: Array) -> tuple[Array, Array]:
        """The common value of sets of groups (S, M), and the standard errors of the groups if it is the true one."""
        estimate, n = self.estimate[members], self.result["n_items"].to_numpy(float)[members]
        value = divide((n * estimate).sum(-1), n.sum(-1))
        for _ in range(STEPS):
            weight = divide(np.ones_like(n), self.se_at(members, value[:, None]) ** 2)
            value = divide((weight * estimate).sum(-1), weight.sum(-1))
        return value, self.se_at(members, value[:, None])


def groups_of(reading: Reading, record: Coefficient, options: Options) -> Groups:
    """The estimates of the groups, with what the tests need."""
    result = measure(reading, [record], options)
    by_score = method_of(record, options) == "score"
    shared = shared_units(reading)
    if shared is not None and (record.needs_numbers or options.resamples):
        problem = "the groups share items, and only the influence of each item tells how much they have in common"
        raise InputError(problem, "use a coefficient of labels and method='auto'", option="by", code="shared items")
    se = result["se"].to_numpy(float)
    if not by_score and shared is None:
        return Groups(result, lambda members, value: np.where(se > 0, se, np.nan)[members], None)
    counted = Counted.of(reading, record, options)
    evaluation = evaluate(record, counted.ratings, distance_for(record, reading, options, quiet=True))
    correlation = None if shared is None else _correlation(evaluation.influence(), counted, shared)
    if not by_score:
        return Groups(result, lambda members, value: np.where(se > 0, se, np.nan)[members], correlation)
    law, ratio = fit(record, evaluation, analytic(evaluation, counted.clusters(reading)))
    n = np.where(evaluation.statistics.n_items[1] > 1, evaluation.statistics.n_items[1], np.nan)

    def se_at(members: Array, value: Array) -> Array:
        some = law.take(members)
        return np.sqrt(divide(ratio[members] * some.variance_at(some.level(value)), n[members]))

    return Groups(result, se_at, correlation, by_score=True)


def _correlation(influence: Array, counted: Counted, units: Array) -> Array:
    """Correlation of the estimates, from the influences of the units that they share: (G, G)."""
    from scipy import sparse

    ratings = counted.ratings
    place = units[counted.kept], ratings.item_group
    each = sparse.csr_array((np.nan_to_num(influence * ratings.weights), place), shape=(units.max() + 1, ratings.n_groups))
    products = (each.T @ each).toarray()
    scale = np.sqrt(np.diag(products))
    correlation = np.nan_to_num(divide(products, scale[:, None] * scale))
    np.fill_diagonal(correlation, 1.0)
    return correlation


def contrasts(groups: Groups, ci: float, alternative: str) -> pd.DataFrame:
    """Differences between the groups: one row per pair of groups."""
    from scipy.special import ndtr, ndtri

    tail = choose("alternative", alternative, TAILS)
    estimate, n = groups.estimate, groups.result["n_items"].to_numpy(float)
    a, b = np.triu_indices(len(estimate), 1)
    r = groups.correlations(a, b)
    se = groups.common(np.stack([a, b], -1))[1]
    error = np.sqrt(np.maximum(se[:, 0] ** 2 + se[:, 1] ** 2 - 2 * r * se[:, 0] * se[:, 1], 0.0))
    p = tail(divide(estimate[a] - estimate[b], error), ndtr)
    columns = difference_columns(estimate[a], estimate[b], error, ndtri((1 + ci) / 2) * error, p, ci)
    if groups.by_score:
        columns["ci_low"], columns["ci_high"] = _limits(groups.result, a, b, r)
    columns |= {"df": np.full(len(a), np.nan), "p_holm": holm(p), "n_items": n[a] + n[b]}
    index: Any = groups.result.index
    keys = index.droplevel("coefficient").tolist()
    labels = [(keys[i], keys[j]) for i, j in zip(a, b, strict=True)]
    return contrast_frame({name: values[None] for name, values in columns.items()}, labels, None, 1)


def _limits(result: pd.DataFrame, a: Array, b: Array, r: Array | float) -> tuple[Array, Array]:
    """Limits of the differences from those of the groups (Zou 2007)."""
    estimate, low, high = (result[name].to_numpy(float) for name in ("estimate", "ci_low", "ci_high"))
    down, up, difference = estimate - low, high - estimate, estimate[a] - estimate[b]
    below = np.sqrt(np.maximum(down[a] ** 2 + up[b] ** 2 - 2 * r * down[a] * up[b], 0.0))
    above = np.sqrt(np.maximum(up[a] ** 2 + down[b] ** 2 - 2 * r * up[a] * down[b], 0.0))
    return difference - below, difference + above


def heterogeneity(groups: Groups) -> pd.DataFrame:
    """Tests whether the groups are equal, and whether there is a trend in their order."""
    from scipy.special import chdtrc, ndtr

    known = np.flatnonzero(~np.isnan(groups.estimate))
    known = known[~np.isnan(groups.common(known[None])[1][0])] if len(known) else known
    estimate, n = groups.estimate[known], len(known)
    chi2 = trend = np.nan
    if n > 1:
        se = groups.common(known[None])[1][0]
        r = np.eye(n) if groups.correlation is None else groups.correlation[np.ix_(known, known)]
        W = np.linalg.pinv(r * se[:, None] * se) if groups.correlation is not None else np.diag(1 / se**2)
        chi2 = _quadratic(W, estimate)
        order = _centred(W, known.astype(float))
        trend = float(order @ W @ estimate / np.sqrt(order @ W @ order))
    columns = {
        "statistic": np.array([chi2, trend]),
        "df": np.array([n - 1.0 if n > 1 else np.nan, np.nan]),
        "p_value": np.array([chdtrc(n - 1, chi2) if n > 1 else np.nan, 2 * ndtr(-abs(trend))]),
        "n_groups": np.array([n, n]),
        "null": np.array(["all groups have the same value", "no rise or fall in the order of the groups"], object),
    }
    return frames.result(pd.Index(["equality", "trend"], name="test"), columns, schemas.HETEROGENEITY)


def _centred(W: Array, values: Array) -> Array:
    """Values minus their mean by the weights W: (n,)."""
    return values - (W @ values).sum() / W.sum()


def _quadratic(W: Array, values: Array) -> float:
    centred = _centred(W, values)
    return float(centred @ W @ centred)
