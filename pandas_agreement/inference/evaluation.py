"""The value of a coefficient in each group, and the influence of each item on it.

`evaluate` computes a coefficient of items, of pairs of coders or of scores. An `Evaluation` holds the values by group,
the influence of each item (`influence`) and the value without each item (`left_out`); standard errors and intervals
are computed from these two in other modules. Only numpy here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import cast

import numpy as np

from pandas_agreement.coefficients.numeric.records import Numeric
from pandas_agreement.coefficients.pairwise_kappa import over_pairs, pair_terms
from pandas_agreement.coefficients.registry import Coefficient
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.category_counts import blocks, spread, sum_rows
from pandas_agreement.core.distances import Distance, Nominal
from pandas_agreement.core.group_blocks import only_groups, split_groups
from pandas_agreement.core.item_statistics import MAX_BLOCK, ItemStatistics
from pandas_agreement.core.pairs import Pairs, pair_up
from pandas_agreement.core.ratings import Ratings
from pandas_agreement.core.scores import Scores
from pandas_agreement.core.sums import SufficientStatistics, divide
from pandas_agreement.core.values import statistics_of


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
    undefined_pairs: Array = field(default_factory=lambda: np.zeros((0, 3), np.int64))  # group, coder, coder
    squares: Callable[[], Array] | None = None  # (G,) sums of squared influence, where only moments are kept
    own: Numeric | None = None  # a coefficient of scores: value and interval from its kernel

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


def evaluate(record: Coefficient, ratings: Ratings, distance: Distance, level: float = 0.95) -> Evaluation:
    """The value of a coefficient in each group; `level` is that of the interval of a coefficient of scores."""
    return KINDS[record.kind](record, ratings, distance, level)


def _evaluate_items(record: Coefficient, ratings: Ratings, distance: Distance, level: float) -> Evaluation:
    statistics = statistics_of(ratings, distance, record.unit, record.needs_coders)
    estimate = record.kernel(statistics.sums, statistics.distance)

    def influence() -> Array:
        return statistics.influence(estimate)

    def left_out() -> Array:
        return _without_each(statistics, lambda sums, distance: record.kernel(sums, distance).value)

    values = estimate.value, estimate.observed, estimate.expected
    return Evaluation(*values, statistics, influence, left_out, value_at(record, statistics))


def _without_each(statistics: ItemStatistics, value: Callable[[SufficientStatistics, Distance], Array]) -> Array:
    """The value without each item: (I,)."""
    parts = [value(sums, distance) for _, sums, distance in statistics.leave_one_out()]
    return np.concatenate(parts) if parts else np.zeros(0)


def value_at(record: Coefficient, statistics: ItemStatistics) -> Callable[[Array], Array]:
    """The kernel as a function of the observed disagreement alone."""

    return lambda observed: record.kernel(_at_observed(statistics.sums, observed), statistics.distance).value


def _at_observed(sums: SufficientStatistics, observed: Array) -> SufficientStatistics:
    """The same sums with another observed disagreement: (...)."""
    return replace(sums, disagreement=observed * sums.pairable)


def _evaluate_pairs(record: Coefficient, ratings: Ratings, distance: Distance, level: float) -> Evaluation:
    """A coefficient of two coders in every pair of coders, and its combination over the pairs of each group."""
    pairs = pair_up(ratings)
    statistics = ItemStatistics(ratings, distance, coders=True)

    def terms_at(observed: Array | None = None) -> Array:
        """The terms of all pairs, at other observed disagreements (G,) if these are given: (P, 4)."""
        terms = np.empty((len(pairs.owner), 4))
        for block, _, tables in _blocks_of_pairs(pairs, distance):
            sums = tables.sums if observed is None else _at_observed(tables.sums, observed[pairs.owner[block]])
            terms[block] = pair_terms(record, sums, tables.distance)
        return terms

    def total(terms: Array) -> Array:
        return sum_rows(terms, pairs.owner, ratings.n_groups)  # (G, 4)

    terms = terms_at()
    totals = total(terms)

    def influence() -> Array:
        by_cell = np.zeros(pairs.ratings.n_items)
        for block, cells, tables in _blocks_of_pairs(pairs, distance):
            by_cell[cells] = _slopes(record, tables, totals[pairs.owner[block]])
        return pairs.to_items(by_cell) * spread(statistics.n_items[0], ratings.group)

    def left_out() -> Array:
        change = np.zeros((pairs.ratings.n_items, 4))
        for block, cells, tables in _blocks_of_pairs(pairs, distance):
            without = [pair_terms(record, sums, at_sums) for _, sums, at_sums in tables.leave_one_out()]
            change[cells] = np.concatenate(without) - spread(terms[block], tables.ratings.group)
        items = np.stack([pairs.to_items(column) for column in change.T], -1)  # (I, 4)
        return over_pairs(record, spread(totals, ratings.group) + items)

    observed, expected = (divide(totals[:, part], totals[:, 0]) for part in (2, 3))
    undefined = np.stack([pairs.owner, pairs.first, pairs.second], -1)[~(terms[:, 3] > 0)]

    def at_observed(observed: Array) -> Array:
        return over_pairs(record, total(terms_at(observed)))

    value = over_pairs(record, totals)
    return Evaluation(value, observed, expected, statistics, influence, left_out, at_observed, undefined)


def _blocks_of_pairs(pairs: Pairs, distance: Distance) -> Iterator[tuple[Array, Array, ItemStatistics]]:
    """Blocks of pairs of coders, of which there may be millions, their cells, and the statistics of these."""
    for block in split_groups(pairs.ratings):
        ratings, cells = only_groups(pairs.ratings, block)
        yield block, cells, ItemStatistics(ratings, distance, coders=True)


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
NO_DISTANCE = Nominal(0, "")  # of scores, which have no categories


def _evaluate_scores(record: Coefficient, ratings: Ratings, distance: Distance, level: float) -> Evaluation:
    scores = cast(Scores, ratings)
    own: Numeric = record.kernel(scores, level)
    unknown = np.full(own.value.shape, np.nan)
    influence = partial(_influence_of_scores, record, scores)
    statistics = ItemStatistics(scores, NO_DISTANCE)
    left_out = partial(_no_jackknife, record)
    return Evaluation(own.value, unknown, unknown, statistics, influence, left_out, lambda _: unknown, own=own)


def _no_jackknife(record: Coefficient) -> Array:
    raise TypeError(f"{record.name} has an interval of its own in place of a jackknife")


def _influence_of_scores(record: Coefficient, scores: Scores) -> Array:
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
        without = _without_each_part(record, replace(sample, group=None, n_groups=1), part, len(parts))
        known = without[~np.isnan(without)]
        own = np.zeros(n)
        own[first] = (len(parts) - 1) * (known.mean() - without) if len(known) else 0.0
        out[items] = own
    return np.nan_to_num(out)


def _without_each_part(record: Coefficient, scores: Scores, part: Array, n_parts: int) -> Array:
    """The value of one group without each part of its items: (n_parts,)."""
    out = np.full(n_parts, np.nan)
    for left_out in blocks(n_parts if n_parts > 1 else 0, MAX_BLOCK // max(len(scores.item), 1) + 1):
        sample, item = np.nonzero(part != np.arange(left_out.start, left_out.stop)[:, None])
        samples = scores.take(item, sample, left_out.stop - left_out.start)
        out[left_out] = record.kernel(samples, 0.0).value
    return out


#: how each kind of coefficient is evaluated
KINDS: dict[str, Callable[[Coefficient, Ratings, Distance, float], Evaluation]] = {
    "items": _evaluate_items,
    "pairs": _evaluate_pairs,
    "scores": _evaluate_scores,
}
