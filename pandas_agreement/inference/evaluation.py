"""The value of a coefficient in each group, and the influence of each item on it.

`evaluate` computes a coefficient of items, of pairs of coders or of scores. An `Evaluation` holds the values by group,
the influence of each item (`influence`) and the value without each item (`left_out`); standard errors and intervals
are computed from these two in other modules. Only numpy here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import cast

import numpy as np

from pandas_agreement.coefficients.chance import expected_by_marginals
from pandas_agreement.coefficients.correction import by_labels
from pandas_agreement.coefficients.numeric.records import Numeric
from pandas_agreement.coefficients.pairwise_kappa import PairRule, PairStatistics
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

    def value(observed: Array) -> Array:
        sums = statistics.sums
        return record.kernel(replace(sums, disagreement=observed * sums.pairable), statistics.distance).value

    return value


def _evaluate_pairs(record: Coefficient, ratings: Ratings, distance: Distance, level: float) -> Evaluation:
    rule, pairs = record.kernel(), pair_up(ratings)
    of_groups = split_groups(pairs.ratings)  # there may be millions of pairs of coders
    found = PairStatistics(*np.full((len(PairStatistics._fields), pairs.ratings.n_groups), np.nan))  # (P,) each
    for block in of_groups:
        tables, _ = _pair_statistics(pairs, block, distance)
        of_block = PairStatistics.of(tables.sums, distance)
        for whole, some in zip(found, of_block, strict=True):
            whole[block] = some
    parts = rule.parts(found)  # (P, M)
    totals = sum_rows(parts, pairs.owner, ratings.n_groups)  # (G, M)
    statistics = ItemStatistics(ratings, distance, coders=True)

    def influence() -> Array:
        slopes = rule.slopes(found, totals[pairs.owner])
        by_cell = np.zeros(pairs.ratings.n_items)
        for block in of_groups:
            part, cells = _pair_statistics(pairs, block, distance)
            by_cell[cells] = _pair_slopes(part, distance, PairStatistics(*(slope[block] for slope in slopes)))
        return pairs.to_items(by_cell) * spread(statistics.n_items[0], ratings.group)

    def left_out() -> Array:
        by_cell = np.zeros((pairs.ratings.n_items, parts.shape[1]))
        for block in of_groups:
            part, cells = _pair_statistics(pairs, block, distance)
            by_cell[cells] = _changes(rule, part, parts[block], distance)
        items = np.stack([pairs.to_items(change) for change in by_cell.T], -1)  # (I, M)
        return rule.value(spread(totals, ratings.group) + items)

    def at_observed(disagreement: Array) -> Array:
        parts = rule.parts(found._replace(observed=disagreement[pairs.owner]))
        return rule.value(sum_rows(parts, pairs.owner, ratings.n_groups))

    values = rule.value(totals), divide(totals[:, 2], totals[:, 1]), divide(totals[:, 3], totals[:, 1])
    undefined = np.stack([pairs.owner, pairs.first, pairs.second], -1)[~(found.expected > 0)]
    return Evaluation(*values, statistics, influence, left_out, at_observed, undefined)


def _pair_statistics(pairs: Pairs, block: Array, distance: Distance) -> tuple[ItemStatistics, Array]:
    """The item statistics of some pairs of coders, and the cells of these pairs."""
    ratings, cells = only_groups(pairs.ratings, block)
    return ItemStatistics(ratings, distance, coders=True), cells


def _pair_slopes(cells: ItemStatistics, distance: Distance, slopes: PairStatistics) -> Array:
    """Derivative of the value by the weight of each cell."""
    _, by_margins = expected_by_marginals(cells.sums, distance)
    by_coders = slopes.expected[:, None, None] * by_labels(cells.sums, by_margins)
    by_size = spread(slopes.n, cells.ratings.group)
    return cells.slope(slopes.observed, by_coders=by_coders) + by_size


def _changes(rule: PairRule, cells: ItemStatistics, parts: Array, distance: Distance) -> Array:
    """Change of a pair's parts when one item of a cell is left out: (cells, M)."""
    changed = np.empty((cells.ratings.n_items, parts.shape[1]))
    for items, sums, _ in cells.leave_one_out():
        changed[items] = rule.parts(PairStatistics.of(sums, distance).but_nan())
    return changed - spread(parts, cells.ratings.group)


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
