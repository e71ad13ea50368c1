"""Standard errors: from the influence of items, from leaving items out, from leaving coders out. Only numpy here."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pandas_agreement.coefficients.registry import Coefficient
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.category_counts import spread
from pandas_agreement.core.distances import Distance
from pandas_agreement.core.ratings import Ratings
from pandas_agreement.core.sums import divide
from pandas_agreement.errors import InputError
from pandas_agreement.inference.evaluation import Evaluation, evaluate


@dataclass(frozen=True, eq=False)
class Uncertainty:
    se: Array  # (G,)
    df: Array


def analytic(evaluation: Evaluation, clusters: Array | None = None) -> Uncertainty:
    """Standard error from the influence of the items, or of clusters of them."""
    ratings, n = evaluation.statistics.ratings, evaluation.statistics.n_items[0]
    if clusters is not None:
        return _clustered(evaluation.influence(), ratings, n, clusters)
    squares = ratings.sum(evaluation.influence() ** 2) if evaluation.squares is None else evaluation.squares()
    return Uncertainty(np.sqrt(divide(squares, n * (n - 1))), n - 1)


def n_units(ratings: Ratings, n_items: Array, clusters: Array | None) -> Array:
    """What varies independently in each group: items, or clusters of them."""
    if clusters is None:
        return n_items
    group = np.zeros(len(clusters), np.int64) if ratings.group is None else ratings.group
    pairs = np.unique(np.stack([group, clusters]), axis=1)
    return np.bincount(pairs[0], minlength=ratings.n_groups).astype(float)


def _clustered(influence: Array, ratings: Ratings, n: Array, clusters: Array) -> Uncertainty:
    """Items of a cluster rise and fall together: their influences are added before they are squared."""
    group = np.zeros(len(clusters), np.int64) if ratings.group is None else ratings.group
    span = int(clusters.max(initial=-1)) + 1
    keys, where = np.unique(group * span + clusters, return_inverse=True)
    owner = keys // max(span, 1)
    sums = np.bincount(where, influence * ratings.weights, minlength=len(keys))
    number = np.bincount(owner, minlength=ratings.n_groups).astype(float)
    total = np.bincount(owner, sums**2, minlength=ratings.n_groups)
    variance = divide(number * total, (number - 1) * n**2)
    return Uncertainty(np.sqrt(variance), number - 1)


def jackknife(evaluation: Evaluation, clusters: Array | None = None) -> Uncertainty:
    """Standard error from the values without each item in turn."""
    ratings, n = evaluation.statistics.ratings, evaluation.statistics.n_items[0]
    values = evaluation.left_out()
    mean = divide(ratings.sum(values), n)
    total = ratings.sum((values - spread(mean, ratings.group)) ** 2)
    return Uncertainty(np.sqrt(divide((n - 1) * total, n)), n - 1)


MAX_CODERS_LEFT_OUT = 500  # to leave out one at a time


def over_coders(record: Coefficient, ratings: Ratings, distance: Distance) -> Uncertainty:
    """Standard error from the values without each coder in turn."""
    if not ratings.identified or ratings.n_coders > MAX_CODERS_LEFT_OUT:
        raise InputError(
            f"sampling= leaves out one coder at a time, and needs to know them: at most {MAX_CODERS_LEFT_OUT}",
            option="sampling",
            code="too large",
        )
    active = ratings.active_coders().astype(float)
    values = np.full((ratings.n_coders, ratings.n_groups), np.nan)
    for coder in range(ratings.n_coders):
        rest = ratings.without(coder)
        lost = rest.active_coders() < active  # groups in which this coder was at work
        found = evaluate(record, rest.select(rest.sizes > 1), distance).value
        values[coder] = np.where(lost, found, np.nan)
    known = ~np.isnan(values)
    number = known.sum(0).astype(float)
    mean = divide(np.where(known, values, 0.0).sum(0), number)
    total = np.where(known, (values - mean) ** 2, 0.0).sum(0)
    complete = (number == active) & (active > 2)
    return Uncertainty(np.where(complete, np.sqrt((active - 1) / np.maximum(active, 1) * total), np.nan), active - 1)


def sampled(items: Uncertainty, coders: Uncertainty, sampling: str) -> Uncertainty:
    """Coders alone, or items and coders: their variances add up (Gwet 2014), their degrees of freedom are pooled."""
    if sampling == "coders":
        return coders
    one, two = items.se**2, coders.se**2
    df = divide((one + two) ** 2, divide(one**2, items.df) + divide(two**2, coders.df))
    return Uncertainty(np.sqrt(one + two), df)
