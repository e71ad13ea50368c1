"""Standard errors from influence functions, and by leaving out items or coders. Only numpy here."""

from __future__ import annotations

import numpy as np

from pandas_agreement.coefficients.registry import Coefficient
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.category_counts import spread
from pandas_agreement.core.classes import dataclass
from pandas_agreement.core.distances import Distance
from pandas_agreement.core.ratings import Ratings
from pandas_agreement.core.selection import Grouped, clusters_of
from pandas_agreement.core.sums import divide
from pandas_agreement.errors import InputError
from pandas_agreement.inference.evaluation import Evaluation, evaluate

ROUNDING = 1e-20  # variance of an item, relative to the squared value, that can be a rounding error


@dataclass(frozen=True, eq=False)
class Uncertainty:
    """Standard errors and their degrees of freedom: (G,) each."""

    se: Array
    df: Array
    of_items: Array | None = None  # with clusters: the standard error if their items were independent

    @property
    def of_independent(self) -> Array:
        """The standard error if all items were independent: (G,)."""
        return self.se if self.of_items is None else self.of_items

    @property
    def design_effect(self) -> Array:
        """How many times larger clusters make the variance: (G,)."""
        if self.of_items is None:
            return np.ones(self.se.shape)
        effect = divide(self.se, self.of_items) ** 2
        return np.where(np.isfinite(effect), effect, 1.0)


def analytic(evaluation: Evaluation, clusters: Array | None = None) -> Uncertainty:
    """Standard error from the influence of the items, or of clusters of items."""
    ratings, n = evaluation.statistics.ratings, evaluation.statistics.n_items[0]
    se = _root(divide(evaluation.squares()[0], n - 1), n, evaluation)
    return Uncertainty(se, n - 1) if clusters is None else clustered(evaluation.influence(), ratings, n, clusters, se)


def _root(variance: Array, n: Array, evaluation: Evaluation) -> Array:
    """The standard error from the variance of n items; a variance of rounding errors is 0."""
    noise = ROUNDING * np.maximum(1.0, evaluation.value**2)
    return np.sqrt(divide(np.where(variance <= noise, 0.0, variance), n))


def n_units(ratings: Ratings, n_items: Array, clusters: Array | None) -> Array:
    """Number of independent units of each group: items, or clusters of items."""
    if clusters is None:
        return n_items
    return np.bincount(clusters_of(ratings.item_group, clusters)[1], minlength=ratings.n_groups).astype(float)


def clustered(influence: Array, ratings: Grouped, n: Array, clusters: Array, of_items: Array) -> Uncertainty:
    """The items of a cluster are dependent: their influences are summed before they are squared."""
    cluster, group = clusters_of(ratings.item_group, clusters)
    sums = np.bincount(cluster, influence * ratings.weights, minlength=len(group))
    number = np.bincount(group, minlength=ratings.n_groups).astype(float)
    total = np.bincount(group, sums**2, minlength=ratings.n_groups)
    variance = np.where(of_items > 0, divide(number * total, (number - 1) * n**2), 0.0)
    return Uncertainty(np.where(number > 1, np.sqrt(variance), np.nan), number - 1, of_items)


def jackknife(evaluation: Evaluation, clusters: Array | None = None) -> Uncertainty:
    """Standard error from the values without each item in turn."""
    ratings, n = evaluation.statistics.ratings, evaluation.statistics.n_items[0]
    values = evaluation.left_out()
    mean = divide(ratings.sum(values), n)
    total = ratings.sum((values - spread(mean, ratings.group)) ** 2)
    return Uncertainty(_root((n - 1) * total, n, evaluation), n - 1)


MAX_CODERS_LEFT_OUT = 500  # coders that are left out one at a time


def over_coders(record: Coefficient, ratings: Ratings, distance: Distance) -> Uncertainty:
    """Standard error from the values without each coder in turn."""
    if not ratings.identified or ratings.n_coders > MAX_CODERS_LEFT_OUT:
        problem = f"sampling= leaves out one coder at a time: it needs labels by coder, at most {MAX_CODERS_LEFT_OUT}"
        raise InputError(problem, option="sampling", code="too large")
    active = ratings.active_coders().astype(float)
    values = np.full((ratings.n_coders, ratings.n_groups), np.nan)
    for coder in range(ratings.n_coders):
        rest = ratings.without(coder)
        was_active = rest.active_coders() < active
        values[coder] = np.where(was_active, evaluate(record, rest.select(rest.sizes > 1), distance).value, np.nan)
    return without_each(values, active)


def without_each(values: Array, active: Array) -> Uncertainty:
    """Standard error from the values without each coder (C, G), of whom so many have labels (G,)."""
    defined = ~np.isnan(values)
    number = defined.sum(0).astype(float)
    mean = divide(np.where(defined, values, 0.0).sum(0), number)
    total = np.where(defined, (values - mean) ** 2, 0.0).sum(0)
    complete = (number == active) & (active > 2)
    return Uncertainty(np.where(complete, np.sqrt((active - 1) / np.maximum(active, 1) * total), np.nan), active - 1)


def sampled(items: Uncertainty, coders: Uncertainty, sampling: str) -> Uncertainty:
    """Uncertainty with random coders, or with random items and coders.

    For both the variances are added (Gwet 2014), and the degrees of freedom are Satterthwaite's.
    """
    if sampling == "coders":
        return coders
    by_items, by_coders = items.se**2, coders.se**2
    df = divide((by_items + by_coders) ** 2, divide(by_items**2, items.df) + divide(by_coders**2, coders.df))
    df = np.where(by_items + by_coders == 0, np.minimum(items.df, coders.df), df)  # perfect agreement
    return Uncertainty(np.sqrt(by_items + by_coders), df)
