"""Means and shares of independent items by group: standard errors, clusters, and intervals. Only numpy here.

A value belongs to an item, and items may be in clusters, whose deviations are summed before they are squared. Plain
means have a t interval, differences between -1 and 1 one with two pseudo-items, shares Wilson's. Where only a part of
the items has a value, means are post-stratified by what is known of all items.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.classes import dataclass
from pandas_agreement.core.quantiles import normal_quantile, t_quantile, t_test
from pandas_agreement.core.selection import clusters_of
from pandas_agreement.core.sums import divide


@dataclass(frozen=True, eq=False)
class Means:
    """Means of groups, with standard errors: (G,) each."""

    n: Array  # items
    value: Array
    centre: Array  # of the interval
    se: Array
    df: Array  # independent units minus 1

    def limits(self, level: float, low: float = -np.inf, high: float = np.inf) -> tuple[Array, Array]:
        """The t interval, within the range of the values; it holds the mean, also where the centre is another."""
        width = t_quantile(self.df, level) * self.se
        ends = np.minimum(self.centre - width, self.value), np.maximum(self.centre + width, self.value)
        return np.clip(ends[0], low, high), np.clip(ends[1], low, high)

    def p_value(self, null: float) -> Array:
        """Two-sided p-value of a mean of `null`."""
        return t_test(divide(self.centre - null, self.se), self.df)


@dataclass(frozen=True, eq=False)
class Clusters:
    """The clusters of groups; one that is in two groups counts in each."""

    unit: Array  # (I,) number of each item's cluster
    group: Array  # (U,) group of each cluster
    number: Array  # (G,) clusters of each group

    @classmethod
    def of(cls, group: Array, n_groups: int, clusters: Array) -> Clusters:
        unit, owner = clusters_of(group, clusters)
        return cls(unit, owner, np.bincount(owner, minlength=n_groups).astype(float))

    def squares(self, residual: Array) -> Array:
        """The sum of squared deviations of the clusters of each group: (G,)."""
        sums = np.bincount(self.unit, residual, len(self.group))
        return np.bincount(self.group, sums**2, len(self.number))


def squares(residual: Array, group: Array, n_groups: int, clusters: Array | None) -> tuple[Array, Array]:
    """The sum of squared deviations of the items or clusters of each group, and their number: (G,), (G,)."""
    if clusters is None:
        return np.bincount(group, residual**2, n_groups), np.bincount(group, minlength=n_groups).astype(float)
    found = Clusters.of(group, n_groups, clusters)
    return found.squares(residual), found.number


def means(values: Array, group: Array, n_groups: int, clusters: Array | None = None) -> Means:
    """Means of values, with the standard error of independent items or clusters."""
    n = np.bincount(group, minlength=n_groups).astype(float)
    mean = divide(np.bincount(group, values, n_groups), n)
    total, units = squares(values - mean[group], group, n_groups, clusters)
    total = np.where(total <= 1e-24 * n * np.maximum(1, mean**2), 0.0, total)  # rounding errors
    se = np.where(units > 1, np.sqrt(divide(units * total, units - 1)) / np.maximum(n, 1), np.nan)
    return Means(n, mean, mean, se, units - 1)


def mean_differences(values: Array, group: Array, n_groups: int, clusters: Array | None = None) -> Means:
    """Means of paired differences between -1 and 1, with an interval as if half an item were in each of four cells.

    The four cells, of two binary labels, have the differences 1, -1, 0 and 0. The interval keeps its level with few
    items and does not shrink to a point if all differences are the same; the value stays the plain mean.

    References
    ----------
    Agresti, A. and Min, Y. (2005). Simple improved confidence intervals for comparing matched proportions. Statistics
    in Medicine 24, 729-740.
    """
    n = np.bincount(group, minlength=n_groups).astype(float)
    total = np.bincount(group, values, n_groups)
    centre = total / (n + 2)
    spread, units = squares(values - centre[group], group, n_groups, clusters)
    variance = (spread + 1 + 2 * centre**2) * (units + 2) / (units + 1) / (n + 2) ** 2
    known = units > 1
    return Means(n, divide(total, n), centre, np.where(known, np.sqrt(variance), np.nan), units - 1)


def critical(df: Array, level: float) -> Array:
    """The quantile of t for an interval, the normal one for infinite degrees of freedom."""
    return np.where(np.isinf(df), normal_quantile(level), t_quantile(df, level))


def effects_of_clusters(
    group: Array, clusters: Array | None, variance: Array, influence: Callable[[int], Array]
) -> tuple[Array, Array]:
    """Variance with clusters over that of independent items, and degrees of freedom: (G, K) each.

    The influence (I,) of the items on column k adds up to 0 in each group, and its squares to the variance.
    """
    if clusters is None:
        return np.ones(variance.shape), np.full(variance.shape, np.inf)
    G, K = variance.shape
    found = Clusters.of(group, G, clusters)
    total = np.stack([found.squares(influence(k)) for k in range(K)], -1)
    df = np.repeat((found.number - 1)[:, None], K, 1)
    ratio = divide(divide(df + 1, df) * total, variance)
    return np.where(variance > 0, ratio, 1.0), df


def post_stratified(
    N: Array, m: Array, total: Array, squares: Array, further: float | None = None
) -> tuple[Array, Array, Array]:
    """A mean over strata, its variance, and the mean of each stratum (double sampling).

    Every stratum has N items, of which m have a value. Strata without a value are left out, unless there is one
    `further` value in each.

    Parameters
    ----------
    N, m : array (..., S)
        Items of each stratum, and those with a value.
    total, squares : array (..., S)
        Sums of the values, between 0 and 1, and of their squares.
    further : float
        One more value in each stratum, or the mean of what stands for it.

    Returns
    -------
    array (...,), array (...,), array (..., S)

    References
    ----------
    Tenenbein, A. (1970). A double sampling scheme for estimating from binomial data with misclassifications. Journal of
    the American Statistical Association 65, 1350-1361.

    Examples
    --------
    >>> mean, variance, _ = post_stratified(*map(np.array, ([700, 300], [43, 17], [40, 5], [40, 5])))
    >>> float(mean.round(6)), float((variance**0.5).round(6))
    (0.739398, 0.04386)
    """
    if further is not None:
        m, total, squares = m + 1, total + further, squares + further
    each = np.nan_to_num(divide(total, m))
    spread = np.maximum(np.nan_to_num(divide(squares, m)) - each**2, 0.0)
    weight = stratum_weights(N, m)
    mean = (weight * each).sum(-1, keepdims=True)
    within = np.nan_to_num(divide(weight**2 * spread, m)).sum(-1)
    return mean[..., 0], within + divide((weight * (each - mean) ** 2).sum(-1), N.sum(-1)), each


def stratum_weights(N: Array, m: Array) -> Array:
    """The share of each stratum among those with a value: (..., S)."""
    used = N * (m > 0)
    return divide(used, used.sum(-1, keepdims=True))


def post_stratified_limits(
    N: Array, m: Array, total: Array, squares: Array, further: float, quantile: Array
) -> tuple[Array, Array]:
    """The interval of a post-stratified mean, with one further value in each stratum."""
    mean = post_stratified(N, m, total, squares)[0]
    centre, variance, _ = post_stratified(N, m, total, squares, further)
    width = quantile * np.sqrt(variance)
    return np.minimum(np.maximum(centre - width, 0), mean), np.maximum(np.minimum(centre + width, 1), mean)


def wilson(share: Array, n: Array, level: float) -> tuple[Array, Array]:
    """Wilson's interval of a share of n items; NaN for none.

    >>> [round(float(limit), 6) for limit in wilson(np.array(40 / 45), np.array(45.0), 0.95)]
    [0.765009, 0.951595]
    """
    z = normal_quantile(level)
    centre = divide(n * share + z**2 / 2, n + z**2)
    width = divide(z * np.sqrt(n * share * (1 - share) + z**2 / 4), n + z**2)
    known = n > 0
    return tuple(np.where(known, np.clip(end, 0, 1), np.nan) for end in (centre - width, centre + width))  # type: ignore[return-value]


def share_limits(found: Means, level: float) -> tuple[Array, Array]:
    """Wilson's interval of shares; clusters count as the number of independent items with the same standard error."""
    alike = divide(found.value * (1 - found.value), found.se**2)
    n = np.where(found.se > 0, np.minimum(alike, found.n), found.df + 1)
    n = np.where(found.df == found.n - 1, found.n, n)
    return wilson(found.value, n, level)
