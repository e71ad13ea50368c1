"""Standard errors, intervals and tests of differences between a judge and humans. Only numpy here.

Differences of agreement of items have two pseudo-items, half of one at +1, half of one at -1 and one at 0 (Agresti and
Min 2005): without them the interval is a point when all items are alike, and too narrow when nearly all are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.group_blocks import Grouped
from pandas_agreement.core.quantiles import t_quantile, t_test
from pandas_agreement.core.ratings import Ratings
from pandas_agreement.core.sums import divide
from pandas_agreement.inference.standard_errors import ROUNDING, Uncertainty, clustered, sampled
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
    """What intervals and tests of a difference are made from: (G,) each."""

    centre: Array
    se: Array
    df: Array
    largest: float = np.inf  # that the difference can be

    def limits(self, level: float) -> tuple[Array, Array]:
        """The interval, within the range of the difference."""
        width = t_quantile(self.df, level) * self.se
        return np.maximum(self.centre - width, -self.largest), np.minimum(self.centre + width, self.largest)

    @property
    def statistic(self) -> Array:
        return divide(self.centre, self.se)

    @property
    def p_value(self) -> Array:
        """Two-sided p of no difference."""
        return t_test(self.statistic, self.df)

    def p_above(self, bound: float) -> Array:
        """One-sided p of a difference of at most `bound`; small if it is above."""
        statistic = divide(self.centre - bound, self.se)
        two_sided = t_test(statistic, self.df)
        return np.where(statistic > 0, two_sided / 2, 1 - two_sided / 2)

    def p_equivalent(self, margin: float) -> Array:
        """p of a difference outside -margin to margin: the larger of two one-sided ones."""
        below = replace(self, centre=-self.centre).p_above(-margin)
        return np.maximum(self.p_above(-margin), below)

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
    return Difference(difference, found.se, found.df)


def by_items(values: Array, ratings: Sampled, clusters: Array | None) -> Difference:
    """From the difference of each item, -1 to 1, with two pseudo-items: (I,)."""
    n = ratings.number()
    total, squares = ratings.sum(values), ratings.sum(values**2)
    centre = total / (n + PSEUDO)
    variance = (squares + 1) / (n + PSEUDO) - centre**2
    se, df = np.sqrt(variance / (n + 1)), n - 1
    if clusters is not None:
        mean = divide(total, n)
        apart = by_influence(mean, values - mean[ratings.item_group], ratings, None)
        together = by_influence(mean, values - mean[ratings.item_group], ratings, clusters)
        effect = divide(together.se, apart.se)
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
    defined = ~np.isnan(values)
    number = defined.sum(0).astype(float)
    mean = divide(np.where(defined, values, 0.0).sum(0), number)
    total = np.where(defined, (values - mean) ** 2, 0.0).sum(0)
    complete = (number == active) & (active > 2)
    return Uncertainty(np.where(complete, np.sqrt((active - 1) / np.maximum(active, 1) * total), np.nan), active - 1)
