"""Differences between groups of items: contrasts of pairs, and tests of equality and trend.

GroupEstimates that share items, or clusters of items, are correlated; the influence values tell how much.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.breakdown.comparison import (
    COMPARE_CODERS,
    groups_are_of_coders,
    shared_units,
    units_of,
)
from pandas_agreement.breakdown.estimates import TAILS, Estimates, Influences, contrast_frame, differences
from pandas_agreement.coefficients.registry import Coefficient
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.classes import dataclass
from pandas_agreement.core.quantiles import chi2_test, f_test, t_test
from pandas_agreement.core.selection import check_tables, clusters_of
from pandas_agreement.core.sums import divide
from pandas_agreement.data import Reading
from pandas_agreement.engine import distance_for, measure, method_of, used_items
from pandas_agreement.errors import InputError, choose, warn
from pandas_agreement.hypothesis_tests.margins import holm
from pandas_agreement.inference.evaluation import analytic, evaluate
from pandas_agreement.options import Options
from pandas_agreement.results import frames, schemas
from pandas_agreement.results.natural_order import listed_order, reading_rank

RANK = 1e-15  # of the largest variance: smaller ones are 0
MAX_CONTRASTS = 1_000_000  # differences of two groups
MANY = 1e300  # degrees of freedom of the normal distribution


@dataclass(frozen=True, eq=False)
class GroupEstimates:
    """The estimates of the groups of a frame."""

    names: list[Any]
    places: Array  # (G,) their order as people read them
    estimates: Estimates
    correlation: Array | None  # (G, G) of groups that share items or clusters
    of_coders: bool  # the groups are groups of coders, who labelled the same items
    powers: Array | None = None  # (3, G): items or clusters, sums of squares and of fourth powers of their influences

    def correlations(self, first: Array, second: Array) -> Array | float:
        return 0.0 if self.correlation is None else self.correlation[first, second]

    def df(self, members: Array) -> Array:
        """Degrees of freedom of the variance in sets of groups (S, M); NaN if only standard errors are known: (S,)."""
        return np.full(len(members), np.nan) if self.powers is None else effective_df(self.powers[:, members].sum(-1))


def groups_of(reading: Reading, record: Coefficient, options: Options) -> GroupEstimates:
    """The estimates of the groups, with what the tests need."""
    units = shared_units(reading)
    if units is not None and (record.needs_numbers or options.resamples):
        problem = "the groups share items, and only the influence of each item tells how much they have in common"
        remedy = ["use a coefficient of labels and method='auto'", *[COMPARE_CODERS] * groups_are_of_coders(reading)]
        raise InputError(problem, "; ".join(remedy), option="by", code="shared items")
    check_tables(reading.ratings, record.needs_coders)
    result = measure(reading, [record], options)
    index: Any = result.index
    keys = index.droplevel("coefficient")
    names = keys.tolist()
    value, n, se = (result[name].to_numpy(float) for name in ("estimate", "n_items", "se"))
    estimates, correlation = Estimates(value, n, se, np.full(len(names), MANY)), None
    by_score = method_of(record, options) == "score"
    if by_score or units is not None:
        part = used_items(reading, record, options)
        evaluation = evaluate(record, part.ratings, distance_for(record, reading, options, quiet=True))
        correlation = None if units is None else _correlation(evaluation.influence(), part)
    groups = GroupEstimates(names, reading_rank(keys), estimates, correlation, groups_are_of_coders(reading))
    if not by_score:
        return groups
    estimates = Estimates.of(record, evaluation, analytic(evaluation, part.clusters))
    return replace(groups, estimates=estimates, powers=_powers(evaluation.influence(), part))


def _powers(influence: Array, reading: Reading) -> Array:
    """How many items or clusters each group has, and the sums of squares and fourth powers of their influences."""
    ratings, influence = reading.ratings, np.nan_to_num(influence)
    if reading.clusters is None:
        return np.stack([ratings.sum(influence**power) for power in (0, 2, 4)])
    unit, group = clusters_of(ratings.item_group, reading.clusters)
    sums = np.bincount(unit, influence * ratings.weights, minlength=len(group))
    return np.stack([np.bincount(group, sums**power, minlength=ratings.n_groups) for power in (0, 2, 4)])


def effective_df(powers: Array) -> Array:
    """Degrees of freedom of a variance: those of the chi-squared distribution with its mean and variance.

    `powers` (3, ...) are a number, a sum of squares and a sum of fourth powers. A few items with a large influence, as
    of a rare category far from the others, make a variance uncertain.
    """
    n, squares, fourths = powers
    variance = divide(squares, n)
    found = divide(2 * n * variance**2, divide(fourths, n) - variance**2)
    return np.where(found > 0, np.minimum(found, n), n)  # equal influences: as sure as the number of items allows


def _correlation(influence: Array, reading: Reading) -> Array:
    """Correlation of the estimates, from the influences of the units that they share: (G, G)."""
    ratings = reading.ratings
    value = np.nan_to_num(influence * ratings.weights)
    shared = Influences.of(ratings.item_group, units_of(reading), value, ratings.n_groups)
    every = np.arange(ratings.n_groups)
    correlation = shared.correlations(every[:, None], every)
    np.fill_diagonal(correlation, 1.0)
    return correlation


def contrasts(groups: GroupEstimates, ci: float, alternative: str) -> pd.DataFrame:
    """Differences between the groups: one row per pair of groups."""
    tail = choose("alternative", alternative, TAILS)
    n = len(groups.names)
    if n * (n - 1) // 2 > MAX_CONTRASTS:
        problem = f"{n:,} groups have {n * (n - 1) // 2:,} differences, and {MAX_CONTRASTS:,} are the most"
        remedy = "test them together with test.groups, or keep the groups that you want to compare"
        raise InputError(problem, remedy, option="by", code="too large")
    a, b = np.triu_indices(n, 1)
    columns = differences(groups.estimates, a, b, groups.correlations(a, b), tail, ci)
    columns |= {"p_holm": holm(columns["p_value"]), "n_items": groups.estimates.n[a] + groups.estimates.n[b]}
    columns["df"] = np.where(columns["df"] < MANY / 2, columns["df"], np.nan)
    labels = [(groups.names[i], groups.names[j]) for i, j in zip(a, b, strict=True)]
    return contrast_frame({name: values[None] for name, values in columns.items()}, labels, None, groups.of_coders)


def heterogeneity(groups: GroupEstimates) -> pd.DataFrame:
    """Tests whether the groups are equal, and whether there is a trend in their order."""
    if groups.of_coders:
        warn("the groups share items and no coders", COMPARE_CODERS, option="by", code="groups of coders")
    estimates, known = groups.estimates, np.flatnonzero(groups.estimates.testable)
    n = len(known)
    correlation = None if groups.correlation is None else groups.correlation[np.ix_(known, known)]
    places = groups.places[known].astype(float)
    chi2, trend = equality_and_trend(estimates, known[None], places, correlation) if n > 1 else np.full((2, 1), np.nan)
    order = listed_order([groups.names[place] for place in known[np.argsort(places)]])
    df = groups.df(known[None]) if n > 1 else np.full(1, np.nan)
    columns = {
        "statistic": np.append(chi2, trend),
        "df": np.append(n - 1.0 if n > 1 else np.nan, df),
        "p_value": np.append(*p_values(chi2, trend, n, df)),
        "n_groups": np.array([n, n]),
        "null": np.array(
            ["all groups have the same value", f"no rise or fall in the order of the groups{order}"], object
        ),
    }
    return frames.result(pd.Index(["equality", "trend"], name="test"), columns, schemas.HETEROGENEITY)


def p_values(chi2: Array, trend: Array, n_groups: int, df: Array) -> tuple[Array, Array]:
    """Those of equality and trend, by F and t; without degrees of freedom by chi-squared and normal."""
    from scipy.special import ndtr

    equality = np.where(
        np.isnan(df), chi2_test(chi2, n_groups - 1), f_test(chi2 / max(n_groups - 1, 1), n_groups - 1, df)
    )
    return equality, np.where(np.isnan(df), 2 * ndtr(-np.abs(trend)), t_test(trend, df))


def equality_and_trend(
    estimates: Estimates, members: Array, places: Array, correlation: Array | None = None
) -> tuple[Array, Array]:
    """Chi-squared of equality and z of a trend over the places (M,), for sets of estimates (S, M): (S,), (S,)."""
    weigh = _weighing(estimates.at_common_value(members), correlation)
    total = weigh(np.ones(members.shape)).sum(1)

    def centred(values: Array) -> Array:
        return values - divide(weigh(values).sum(1), total)[:, None]

    value, order = centred(estimates.value[members]), centred(np.broadcast_to(places, members.shape))
    rise, spread = (order * weigh(value)).sum(1), np.sqrt((order * weigh(order)).sum(1))
    return (value * weigh(value)).sum(1), divide(rise, spread)


def _weighing(se: Array, correlation: Array | None) -> Callable[[Array], Array]:
    """What multiplies values (S, M) by the inverse of their covariance; NaN where a standard error is unknown."""
    known = np.asarray(np.isfinite(se).all(1))
    if correlation is None:
        variance = np.where(known[:, None], se**2, np.nan)
        weights = np.where(
            variance <= RANK * variance.max(1, keepdims=True, initial=0.0), 0.0, divide(np.ones(()), variance)
        )
        return lambda values: weights * values
    W = np.full((*se.shape, se.shape[1]), np.nan)
    covariance = correlation * se[:, :, None] * se[:, None, :]
    W[known] = np.linalg.pinv(covariance[known], RANK, hermitian=True)
    return lambda values: (W @ values[..., None])[..., 0]
