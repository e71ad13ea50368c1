"""Standard errors, intervals and tests of differences between a judge and humans. Only numpy here.

Differences of agreement of items have two pseudo-items, half of one at +1, half of one at -1 and one at 0 (Agresti and
Min 2005): without them the interval is a point when all items are alike, and too narrow when nearly all are.

Differences of a coefficient of pairs are skewed: an item on which one coder alone differs moves the difference H times
as far if that coder is the judge. They have two pseudo-items of this kind, and a score interval (`with_skewness`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.quantiles import level_of, t_quantile, t_tail, t_test
from pandas_agreement.core.ratings import Ratings
from pandas_agreement.core.selection import Grouped, clusters_of
from pandas_agreement.core.sums import divide
from pandas_agreement.inference.evaluation import ROUNDING, Uncertainty, clustered, sampled, without_each
from pandas_agreement.judges.agreement import JUDGE, Measure

PSEUDO = 2  # pseudo-items


class Sampled(Grouped, Protocol):
    """Weighted values in groups; `Ratings` are such, too."""

    def sum(self, values: Array) -> Array: ...
    def number(self) -> Array: ...


@dataclass(frozen=True, eq=False)
class Sample:
    """Weighted values in groups: (N,) each."""

    item_group: Array
    weights: Array
    n_groups: int

    def sum(self, values: Array) -> Array:
        """Over the values of each group: (N,) -> (G,)."""
        return np.bincount(self.item_group, values * self.weights, minlength=self.n_groups)

    def number(self) -> Array:
        return np.bincount(self.item_group, self.weights, minlength=self.n_groups)

    def select(self, chosen: Array) -> Sample:
        return replace(self, item_group=self.item_group[chosen], weights=self.weights[chosen])


@dataclass(frozen=True, eq=False)
class Difference:
    """What intervals and tests of a difference are made from: (G,) each.

    If the true difference were delta, the variance would be `variance` + `slope` (delta - `centre`).
    """

    centre: Array
    se: Array
    df: Array
    largest: float = np.inf  # that the difference can be
    added: Array | float = 0.0  # variance of pseudo-items
    skewness: Array | float = 0.0  # third central moment
    apart: Array | None = None  # with clusters: the standard error if their items were independent

    @property
    def variance(self) -> Array:
        return self.se**2 + self.added

    @property
    def effect_of_clusters(self) -> Array:
        """The standard error over that of independent items."""
        return np.ones_like(self.se) if self.apart is None else divide(self.se, self.apart)

    @property
    def slope(self) -> Array:
        return np.nan_to_num(divide(self.skewness, self.variance))

    def limits(self, level: float) -> tuple[Array, Array]:
        """The differences that are not rejected, within the range of the difference."""
        squared = t_quantile(self.df, level) ** 2
        shift = squared * self.slope / 2
        width = np.sqrt(shift**2 + squared * self.variance)
        centre = self.centre + shift
        return np.maximum(centre - width, -self.largest), np.minimum(centre + width, self.largest)

    def statistic_at(self, delta: float) -> Array:
        """The statistic of a true difference of `delta`; infinite where it leaves no variance."""
        apart = self.centre - delta
        variance = self.variance - self.slope * apart
        impossible = np.where(self.variance > 0, np.copysign(np.inf, apart), np.nan)
        return np.where(variance > 0, divide(apart, np.sqrt(np.maximum(variance, 0.0))), impossible)

    @property
    def statistic(self) -> Array:
        return self.statistic_at(0.0)

    @property
    def p_value(self) -> Array:
        """Two-sided p of no difference."""
        return t_test(self.statistic, self.df)

    def p_above(self, bound: float) -> Array:
        """One-sided p of a difference of at most `bound`; small if it is above."""
        return t_tail(self.statistic_at(bound), self.df)

    def p_equivalent(self, margin: float) -> Array:
        """p of a difference outside -margin to margin: the larger of two one-sided ones."""
        return np.maximum(self.p_above(-margin), t_tail(-self.statistic_at(margin), self.df))

    def columns(self, difference: Array, ci: float | None) -> dict[str, Array]:
        """The columns of results with this difference; NaN where it is undefined."""
        low, high = self.limits(level_of(ci))
        columns = {"difference": difference, "difference_low": low, "difference_high": high, "se": self.se}
        columns |= {"statistic": self.statistic, "df": self.df, "p_value": self.p_value}
        columns = {name: np.where(np.isnan(difference), np.nan, values) for name, values in columns.items()}
        return columns | {"ci_level": np.full(difference.shape, level_of(ci))}

    def with_coders(self, coders: Uncertainty) -> Difference:
        """Humans as a sample, too: the variances add up."""
        both = sampled(Uncertainty(self.se, self.df), coders, "both")
        return replace(self, se=both.se, df=both.df)


def by_influence(difference: Array, influence: Array, ratings: Sampled, clusters: Array | None) -> Difference:
    """From the influence of each item on the difference, with mean 0: (I,)."""
    n = ratings.number()
    variance = divide(ratings.sum(influence**2), n - 1)
    noise = ROUNDING * np.maximum(1.0, difference**2)
    of_items = np.sqrt(divide(np.where(variance <= noise, 0.0, variance), n))
    if clusters is None:
        return Difference(difference, of_items, n - 1)
    found = clustered(influence, ratings, n, clusters, of_items)
    return Difference(difference, found.se, found.df, apart=of_items)


def with_skewness(
    difference: Difference, influence: Array, ratings: Ratings, clusters: Array | None, unit: Array
) -> Difference:
    """A difference of coefficients from the influence of each item, with its skewness and two pseudo-items: (I,).

    On a pseudo-item one of the coders, all equally likely, alone differs; `unit` is such a disagreement on the scale of
    the coefficient: (G,). The variance changes with the true difference as if items were tilted exponentially.
    """
    n, known = ratings.number(), difference.se > 0
    second, third = lone_differences(ratings)
    cubes = ratings.sum(influence**3)
    if clusters is not None:
        cluster, group = clusters_of(ratings.item_group, clusters)
        totals = np.bincount(cluster, influence * ratings.weights, minlength=len(group))
        cubes = np.bincount(group, totals**3, minlength=ratings.n_groups)
        unit = unit * np.maximum(difference.effect_of_clusters**2, np.sqrt(divide(n, difference.df + 1)))
    added, skewness = divide(2 * unit**2 * second, n**2), divide(cubes + 2 * unit**3 * third, n**3)
    return replace(difference, added=np.where(known, added, 0.0), skewness=np.where(known, skewness, 0.0))


def lone_differences(ratings: Ratings) -> tuple[Array, Array]:
    """Mean square and cube of the difference of an item on which one of its coders alone differs: (G,), (G,).

    With H humans on every item these are 1 / H and -(H - 1) / H^2.
    """
    humans, n = ratings.without(JUDGE), ratings.number()
    size = humans.sizes.astype(float)
    mean_size, mean_pairs = (divide(ratings.sum(each), n) for each in (size, size * (size - 1) / 2))
    judge = size / mean_size[ratings.item_group]  # what the judge loses
    human = (size - 1) / mean_pairs[ratings.item_group] - 1 / mean_size[ratings.item_group]  # what a human gains
    number = ratings.sum(size + 1)
    return divide(ratings.sum(judge**2 + size * human**2), number), divide(
        ratings.sum(size * human**3 - judge**3), number
    )


def by_items(values: Array, ratings: Sampled, clusters: Array | None) -> Difference:
    """From the difference of each item, -1 to 1, with two pseudo-items: (I,)."""
    n = ratings.number()
    total, squares = ratings.sum(values), ratings.sum(values**2)
    centre = total / (n + PSEUDO)
    variance = (squares + 1) / (n + PSEUDO) - centre**2
    se, df = np.sqrt(variance / (n + 1)), n - 1
    if clusters is not None:
        mean = divide(total, n)
        together = by_influence(mean, values - mean[ratings.item_group], ratings, clusters)
        effect = together.effect_of_clusters
        se, df = se * np.where(np.isnan(effect), 1.0, effect), together.df
    return Difference(centre, np.where(n > 1, se, np.nan), df, largest=1.0)


def over_humans(measure: Measure, ratings: Ratings, least: int = 2) -> Uncertainty:
    """Standard error of the difference over humans, from the differences without each in turn."""
    G, H = ratings.n_groups, ratings.n_coders - 1
    if H < 3:  # without one there is no pair of humans
        return Uncertainty(np.full(G, np.nan), np.full(G, np.nan))
    active = ratings.without(JUDGE).active_coders().astype(float)
    values = np.full((H, G), np.nan)
    for human in range(H):
        rest = ratings.without(human + 1)
        was_active = rest.without(JUDGE).active_coders() < active
        values[human] = np.where(
            was_active, measure(rest.select(rest.without(JUDGE).sizes >= least)).difference, np.nan
        )
    return without_each(values, active)
