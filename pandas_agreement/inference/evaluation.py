"""The value of a coefficient in each group, the influence of each item on it, and standard errors from these.

`evaluate` computes a coefficient of items, of pairs of coders or of scores. An `Evaluation` holds the values by group,
the influence of each item (`influence`) and the value without each item (`left_out`); standard errors, and in other
modules intervals, are computed from these two. Only numpy here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field, replace
from functools import cache, cached_property, partial
from typing import cast

import numpy as np

from pandas_agreement.coefficients.pairs import over_pairs, pair_terms
from pandas_agreement.coefficients.registry import Coefficient, Kernel, ScoreEstimate, ScoreKernel
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.category_counts import blocks, spread, sum_rows
from pandas_agreement.core.classes import dataclass
from pandas_agreement.core.distances import Distance
from pandas_agreement.core.item_statistics import MAX_BLOCK, ItemStatistics, statistics_of
from pandas_agreement.core.pairs import Pairs, pair_up
from pandas_agreement.core.ratings import Ratings
from pandas_agreement.core.scores import Scores
from pandas_agreement.core.selection import Grouped, clusters_of, only_groups, split_groups
from pandas_agreement.core.sums import SufficientStatistics, divide
from pandas_agreement.errors import InputError

ROUNDING = 1e-20  # variance of an item, relative to the squared value, that can be a rounding error


@dataclass(frozen=True, eq=False)
class Evaluation:
    """A coefficient in every group; observed and expected are disagreements, NaN for scores."""

    value: Array  # (G,)
    observed: Array
    expected: Array
    statistics: ItemStatistics
    influence: Callable[[], Array]  # (I,)
    left_out: Callable[[], Array]  # (I,)
    value_at: Callable[[Array], Array]  # observed disagreement -> value at the same chance: (G,) -> (G,)
    squares: Callable[[], Array]  # (3, G) sums over items: see `ItemStatistics.squares`
    undefined_pairs: Array = field(default_factory=lambda: np.zeros((0, 3), np.int64))  # group, coder, coder
    own: ScoreEstimate | None = None  # a coefficient of scores: value and interval from its kernel

    def n_items(self) -> Array:
        """Number of items that are used: (G,)."""
        paired = self.statistics.n_items[1]
        incomplete = None if self.own is None else self.own.left_out
        return paired if incomplete is None else paired - np.minimum(incomplete, paired)

    def unit(self) -> Array | float:
        return full_disagreement(self.statistics)


def full_disagreement(statistics: ItemStatistics) -> Array | float:
    """The largest possible distance, 1 if bounded, else the largest between two labels in use."""
    return 1.0 if statistics.distance.bounded else statistics.full_disagreement()


def evaluate(
    record: Coefficient, ratings: Ratings, distance: Distance, level: float = 0.95, progress: bool = False
) -> Evaluation:
    """The value of a coefficient in each group; level of the interval and bar are for coefficients of scores."""
    if record.of_scores is not None:
        return _evaluate_scores(record.of_scores, cast(Scores, ratings), distance, level, progress)
    if record.over_pairs:
        return _evaluate_pairs(record, ratings, distance)
    return evaluate_sums(record.kernel, statistics_of(ratings, distance, record.unit, record.needs_coders))


def evaluate_sums(kernel: Kernel, statistics: ItemStatistics) -> Evaluation:
    """The value of a function of sums over the items."""
    estimate = kernel(statistics.sums, statistics.distance)

    def influence() -> Array:
        return statistics.influence(estimate)

    def left_out() -> Array:
        parts = [kernel(sums, distance).value for _, sums, distance in statistics.leave_one_out()]
        return np.concatenate(parts) if parts else np.zeros(0)

    def value_at(observed: Array) -> Array:
        return kernel(_at_observed(statistics.sums, observed), statistics.distance).value

    values, squares = (estimate.value, estimate.observed, estimate.expected), partial(statistics.squares, estimate)
    return Evaluation(*values, statistics, influence, left_out, value_at, cache(squares))


def _at_observed(sums: SufficientStatistics, observed: Array) -> SufficientStatistics:
    """The same sums with another observed disagreement: (...)."""
    return replace(sums, disagreement=observed * sums.pairable)


def _evaluate_pairs(record: Coefficient, ratings: Ratings, distance: Distance) -> Evaluation:
    found = _OverPairs(record, ItemStatistics(ratings, distance, coders=True), distance, pair_up(ratings))
    weight, _, observed, expected = found.totals.T
    means = over_pairs(record, found.totals), divide(observed, weight), divide(expected, weight)
    squares = partial(_of_influence, ratings, found.influence)
    statistics = found.statistics
    return Evaluation(*means, statistics, found.influence, found.left_out, found.value_at, squares, found.undefined)


def _of_influence(ratings: Ratings, influence: Callable[[], Array]) -> Array:
    """The sum of squares of the influence alone: (1, G)."""
    return ratings.sum(influence() ** 2)[None]


@dataclass(frozen=True, eq=False)
class _OverPairs:
    """A coefficient of two coders in P pairs of coders, and its combination over the pairs of each group."""

    record: Coefficient
    statistics: ItemStatistics
    distance: Distance
    pairs: Pairs

    def blocks(self) -> Iterator[tuple[Array, Array, ItemStatistics]]:
        """Blocks of pairs of coders, of which there may be millions, their cells, and the statistics of these."""
        for block in split_groups(self.pairs.ratings):
            ratings, cells = only_groups(self.pairs.ratings, block)
            yield block, cells, ItemStatistics(ratings, self.distance, coders=True)

    def terms_at(self, observed: Array | None = None) -> Array:
        """The terms of all pairs, at other observed disagreements (G,) if these are given: (P, 4)."""
        terms = np.empty((len(self.pairs.owner), 4))
        for block, _, tables in self.blocks():
            sums = tables.sums if observed is None else _at_observed(tables.sums, observed[self.pairs.owner[block]])
            terms[block] = pair_terms(self.record, sums, tables.distance)
        return terms

    @cached_property
    def terms(self) -> Array:
        return self.terms_at()

    def total(self, terms: Array) -> Array:
        """Sums over the pairs of each group: (G, 4)."""
        return sum_rows(terms, self.pairs.owner, self.statistics.ratings.n_groups)

    @cached_property
    def totals(self) -> Array:
        return self.total(self.terms)

    @property
    def undefined(self) -> Array:
        """Group and coders of the pairs without a value: (U, 3)."""
        pairs = np.stack([self.pairs.owner, self.pairs.first, self.pairs.second], -1)
        return pairs[~(self.terms[:, 3] > 0)]

    def value_at(self, observed: Array) -> Array:
        return over_pairs(self.record, self.total(self.terms_at(observed)))

    def influence(self) -> Array:
        by_cell = np.zeros(self.pairs.ratings.n_items)
        for block, cells, tables in self.blocks():
            by_cell[cells] = _slopes(self.record, tables, self.totals[self.pairs.owner[block]])
        return self.pairs.to_items(by_cell) * spread(self.statistics.n_items[0], self.statistics.ratings.group)

    def left_out(self) -> Array:
        change = np.zeros((self.pairs.ratings.n_items, 4))
        for block, cells, tables in self.blocks():
            without = [pair_terms(self.record, sums, distance) for _, sums, distance in tables.leave_one_out()]
            change[cells] = np.concatenate(without) - spread(self.terms[block], tables.ratings.group)
        of_items = np.stack([self.pairs.to_items(column) for column in change.T], -1)  # (I, 4)
        return over_pairs(self.record, spread(self.totals, self.statistics.ratings.group) + of_items)


def _slopes(record: Coefficient, tables: ItemStatistics, totals: Array) -> Array:
    """Derivative of the group's value by the weight of each cell: (cells,); `totals` (P, 4) are those of its group.

    Pooled kappa is the mean of the pairs' kappas, weighted by n D_e. Its derivative is that of a mean, taken where the
    ratio of D_o to D_e of each pair is that of the totals, and that of the weights.
    """
    sums, group = tables.sums, tables.ratings.group
    found = record.kernel(sums, tables.distance)
    weight, _, observed, expected = totals.T
    defined, share, by_weight = found.expected > 0, divide(1.0, weight), np.zeros(len(weight))
    if record.over_pairs == "pooled":
        D_o = divide(observed, expected) * found.expected
        share = divide(sums.pairable * found.expected, expected)
        by_weight = divide(D_o - found.observed, expected)
        found = record.kernel(_at_observed(sums, D_o), tables.distance)
    slope = tables.slope(found.by_observed, found.by_totals, found.by_coders)
    return np.where(spread(defined, group), spread(share, group) * slope, 0.0) + spread(by_weight, group)


MAX_LEFT_OUT = 1000  # samples without some items of a group, of which BCa is made


def _evaluate_scores(
    kernel: ScoreKernel, scores: Scores, distance: Distance, level: float, progress: bool
) -> Evaluation:
    own = kernel(scores, level, progress)
    unknown = np.full(own.value.shape, np.nan)
    influence = partial(_influence_of_scores, kernel, scores)
    made = influence, _no_jackknife, lambda _: unknown, partial(_of_influence, scores, influence)
    return Evaluation(own.value, unknown, unknown, ItemStatistics(scores, distance), *made, own=own)


def _no_jackknife() -> Array:
    raise TypeError("a coefficient of scores has an interval of its own in place of a jackknife")


def _influence_of_scores(kernel: ScoreKernel, scores: Scores) -> Array:
    """The influence of each item on a coefficient of scores, by leaving it out: (I,).

    Of many items, parts drawn by lot are left out. The first item of a part has the influence of all of them: the sums
    of squares and of cubes, of which BCa is made, are about the same.
    """
    out = np.zeros(scores.n_items)
    for group in range(scores.n_groups):
        sample, items = only_groups(scores, np.array([group]))
        n = sample.n_items
        part = np.arange(n) if n <= MAX_LEFT_OUT else np.random.default_rng(0).permutation(n) % MAX_LEFT_OUT
        parts, first = np.unique(part, return_index=True)
        without = _without_each_part(kernel, replace(sample, group=None, n_groups=1), part, len(parts))
        known = without[~np.isnan(without)]
        own = np.zeros(n)
        own[first] = (len(parts) - 1) * (known.mean() - without) if len(known) else 0.0
        out[items] = own
    return np.nan_to_num(out)


def _without_each_part(kernel: ScoreKernel, scores: Scores, part: Array, n_parts: int) -> Array:
    """The value of one group without each part of its items: (n_parts,)."""
    out = np.full(n_parts, np.nan)
    for left_out in blocks(n_parts if n_parts > 1 else 0, MAX_BLOCK // max(len(scores.item), 1) + 1):
        sample, item = np.nonzero(part != np.arange(left_out.start, left_out.stop)[:, None])
        samples = scores.take(item, sample, left_out.stop - left_out.start)
        out[left_out] = kernel(samples, 0.0).value
    return out


# ------------------------------------------------------------------------------------------------------ standard errors


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
