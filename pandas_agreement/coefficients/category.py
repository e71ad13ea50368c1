"""Agreement on single categories: specific agreement, category rate, and each against all others. Only numpy here."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.category_counts import DenseCounts, SparseCounts, group_sum
from pandas_agreement.core.classes import dataclass
from pandas_agreement.core.quantiles import least_agreement, t_quantile
from pandas_agreement.core.ratings import Ratings
from pandas_agreement.core.selection import clusters_of
from pandas_agreement.core.sums import divide


@dataclass(frozen=True, eq=False)
class CategorySums:
    """Sums over items, (G, K) each; c of r coders chose the category for an item. Squares are those of clusters."""

    joint: Array  # c (c - 1)
    possible: Array  # c (r - 1)
    joint_squared: Array
    crossed: Array  # joint times possible
    possible_squared: Array
    n_items: Array  # items with two or more labels for which a coder chose the category
    n_holding: Array  # these items, or the clusters that hold one of them
    n_units: Array  # items or clusters behind a standard error


def category_sums(ratings: Ratings, clusters: Array | None = None) -> CategorySums:
    """The sums of each group and category; items of a cluster are added up before they are squared."""
    counts = ratings.counts
    if isinstance(counts, SparseCounts):
        sums = _sparse_sums(ratings, counts, clusters)
    else:
        sums = _dense_sums(ratings, counts, clusters)
    return CategorySums(*[*sums, n_units(ratings, sums[-1], clusters)])


def n_units(ratings: Ratings, n_holding: Array, clusters: Array | None = None) -> Array:
    """Items, or clusters of them, behind the standard error of each category: (G, K).

    Only those with the category contribute. With more than two coders, or several items in a cluster, each contributes
    several pairs, so that a variance from few of them is too small: they are then the sample, not all.
    """
    paired = ratings.sum((ratings.sizes >= 2).astype(float))[:, None]
    several = ratings.active_coders()[:, None] > 2
    if clusters is not None:
        several = several | (_n_clusters(ratings, clusters)[:, None] < paired)
    return np.where(several, n_holding, paired)


def _n_clusters(ratings: Ratings, clusters: Array) -> Array:
    """Clusters with an item of two or more labels: (G,)."""
    paired = ratings.sizes >= 2
    _, group = clusters_of(ratings.item_group[paired], clusters[paired])
    return np.bincount(group, minlength=ratings.n_groups)


def _terms(c: Array, r: Array) -> tuple[Array, Array, Array]:
    """The joint and the possible choices of an item, and whether it has the category and two or more labels."""
    return c * (c - 1), c * (r - 1), ((c > 0) & (r > 1)).astype(float)


def _with_squares(joint: Array, possible: Array, holding: Array) -> tuple[Array, ...]:
    """The terms of an item or a cluster, in the order of `CategorySums`."""
    return joint, possible, joint * joint, joint * possible, possible * possible, holding, (holding > 0).astype(float)


def _dense_sums(ratings: Ratings, counts: DenseCounts, clusters: Array | None) -> Array:
    sizes, rows = ratings.sizes.astype(float), []
    cluster, group = (None, None) if clusters is None else clusters_of(ratings.item_group, clusters)
    for c in counts.counts:
        terms = _terms(c.astype(float), sizes)
        if cluster is None or group is None:
            rows.append([ratings.sum(term) for term in _with_squares(*terms)])
            continue
        summed = [np.bincount(cluster, term * ratings.weights, minlength=len(group)) for term in terms]
        rows.append([group_sum(term, group, ratings.n_groups) for term in _with_squares(*summed)])
    return np.array(rows).reshape(len(rows), 7, ratings.n_groups).transpose(1, 2, 0)


def _sparse_sums(ratings: Ratings, counts: SparseCounts, clusters: Array | None) -> Array:
    K = counts.n_categories
    weight = ratings.weights[counts.item]
    group = ratings.item_group[counts.item]
    terms = _terms(counts.number.astype(float), ratings.sizes[counts.item].astype(float))
    cell = group * K + counts.code
    if clusters is not None:
        cluster, owner = clusters_of(ratings.item_group, clusters)
        keys, entry = np.unique(cluster[counts.item] * np.int64(K) + counts.code, return_inverse=True)
        terms = tuple(np.bincount(entry, term * weight, minlength=len(keys)) for term in terms)  # type: ignore[assignment]
        cell, weight = owner[keys // K] * K + keys % K, np.ones(len(keys))
    size = ratings.n_groups * K
    sums = [group_sum(term * weight, cell, size) for term in _with_squares(*terms)]
    return np.array(sums).reshape(7, ratings.n_groups, K)


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


def logit_interval(value: Array, se: Array, n_units: Array, n_holding: Array, level: float) -> tuple[Array, Array]:
    """Interval that is symmetric on the logit scale; at 0 and 1 one limit is the exact bound of a share.

    A single unit, such as one item with the category, gives [0, 1].
    """
    from scipy.special import expit, logit

    quantile = t_quantile(n_units - 1, level)
    inside = (value > 0) & (value < 1)
    centre = logit(np.where(inside, value, 0.5))
    width = np.where(n_units > 1, quantile * se, np.inf) / np.where(inside, value * (1 - value), 1.0)
    edge = least_agreement(n_holding, level)
    low = np.where(inside, expit(centre - width), np.where(value == 1, edge, 0.0))
    high = np.where(inside, expit(centre + width), np.where(value == 0, 1 - edge, 1.0))
    unknown = np.isnan(value)
    return np.where(unknown, np.nan, low), np.where(unknown, np.nan, high)
