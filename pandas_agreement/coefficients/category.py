"""Agreement on single categories: specific agreement and category rate. Only numpy here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.category_counts import DenseCounts, SparseCounts, group_sum
from pandas_agreement.core.quantiles import least_agreement, t_quantile
from pandas_agreement.core.ratings import Ratings
from pandas_agreement.core.sums import divide


@dataclass(frozen=True, eq=False)
class CategorySums:
    """Sums over items, (G, K) each; c of r coders chose the category for an item."""

    joint: Array  # c (c - 1)
    possible: Array  # c (r - 1)
    joint_squared: Array
    crossed: Array  # joint times possible
    possible_squared: Array
    n_items: Array  # items with two or more labels for which a coder chose the category
    n_units: Array  # items behind a standard error: `n_items`, for two coders all with two labels


def category_sums(ratings: Ratings) -> CategorySums:
    """The sums of each group and category."""
    counts = ratings.counts
    sums = _sparse_sums(ratings, counts) if isinstance(counts, SparseCounts) else _dense_sums(ratings, counts)
    return CategorySums(*[*sums, n_units(ratings, sums[-1])])


def n_units(ratings: Ratings, n_items: Array) -> Array:
    """Items behind the standard error of each category: (G, K).

    Only items with the category contribute. With more than two coders each contributes several pairs, so that a
    variance from few such items is too small: they are then the sample, not all items.
    """
    paired = ratings.sum((ratings.sizes >= 2).astype(float))[:, None]
    return np.where(ratings.active_coders()[:, None] > 2, n_items, paired)


def _terms(c: Array, r: Array) -> tuple[Array, ...]:
    """The six terms of an item, in the order of `CategorySums`."""
    joint, possible = c * (c - 1), c * (r - 1)
    return joint, possible, joint * joint, joint * possible, possible * possible, ((c > 0) & (r > 1)).astype(float)


def _dense_sums(ratings: Ratings, counts: DenseCounts) -> Array:
    sizes = ratings.sizes.astype(float)
    rows = [[ratings.sum(term) for term in _terms(c.astype(float), sizes)] for c in counts.counts]
    return np.array(rows).reshape(len(rows), 6, ratings.n_groups).transpose(1, 2, 0)


def _sparse_sums(ratings: Ratings, counts: SparseCounts) -> Array:
    K = counts.n_categories
    cell = counts.code if ratings.group is None else ratings.group[counts.item] * K + counts.code
    weight = ratings.weights[counts.item]
    terms = _terms(counts.number.astype(float), ratings.sizes[counts.item].astype(float))
    size = ratings.n_groups * K
    return np.array([group_sum(t * weight, cell, size) for t in terms]).reshape(6, ratings.n_groups, K)


def specific(sums: CategorySums) -> tuple[Array, Array]:
    """Specific agreement: P(another coder chooses it | one coder does) (Dice), and its standard error."""
    p = divide(sums.joint, sums.possible)
    square = sums.joint_squared - 2 * p * sums.crossed + p * p * sums.possible_squared  # sum of (S_i - p T_i)^2
    n = sums.n_units
    variance = divide(np.maximum(square, 0.0), sums.possible**2) * divide(n, n - 1)
    return p, np.sqrt(variance)


def rate(sums: CategorySums) -> tuple[Array, Array]:
    """Category rate: pairs of coders who both chose it over pairs of whom at least one did (Jaccard), and its error."""
    p, se = specific(sums)
    return p / (2 - p), se * 2 / (2 - p) ** 2


CATEGORY_METRICS: dict[str, Callable[[CategorySums], tuple[Array, Array]]] = {"rate": rate, "specific": specific}


def logit_interval(value: Array, se: Array, n_units: Array, n_items: Array, level: float) -> tuple[Array, Array]:
    """Interval that is symmetric on the logit scale; at 0 and 1 one limit is the exact bound of a share.

    A single unit, such as one item with the category, gives [0, 1].
    """
    from scipy.special import expit, logit

    quantile = t_quantile(n_units - 1, level)
    inside = (value > 0) & (value < 1)
    centre = logit(np.where(inside, value, 0.5))
    width = np.where(n_units > 1, quantile * se, np.inf) / np.where(inside, value * (1 - value), 1.0)
    edge = least_agreement(n_items, level)
    low = np.where(inside, expit(centre - width), np.where(value == 1, edge, 0.0))
    high = np.where(inside, expit(centre + width), np.where(value == 0, 1 - edge, 1.0))
    unknown = np.isnan(value)
    return np.where(unknown, np.nan, low), np.where(unknown, np.nan, high)
