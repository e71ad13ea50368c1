"""From ratings to an estimate, its standard error and its interval.

`evaluate` runs a coefficient on ratings, over items or over pairs of coders, and gives an `Evaluation`: the values by
group and two questions that can still be asked of it, how each item influences the value (`influence`) and what the
value would be without it (`left_out`). Everything about uncertainty is made from these two. Only numpy, and
scipy.special when an interval is asked for.
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
from pandas_agreement.coefficients.pairwise_kappa import PairRule
from pandas_agreement.coefficients.registry import Coefficient
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.category_counts import spread
from pandas_agreement.core.distances import Distance, Nominal
from pandas_agreement.core.group_blocks import only_groups, split_groups
from pandas_agreement.core.item_statistics import ItemStatistics
from pandas_agreement.core.pairs import Pairs, pair_up
from pandas_agreement.core.ratings import Ratings
from pandas_agreement.core.scores import Scores
from pandas_agreement.core.sums import Estimate, divide
from pandas_agreement.errors import InputError


@dataclass(frozen=True, eq=False)
class Evaluation:
    """A coefficient of every group; observed and expected are disagreements, NaN for scores."""

    value: Array  # (G,)
    observed: Array
    expected: Array
    statistics: ItemStatistics
    influence: Callable[[], Array]  # (I,)
    left_out: Callable[[], Array]  # (I,)
    value_at: Callable[[Array], Array]  # the value of another observed disagreement, with the same chance: (G,) -> (G,)
    undefined_pairs: Array = field(default_factory=lambda: np.zeros((0, 3), np.int64))  # group, coder, coder
    squares: Callable[[], Array] | None = None  # (G,) sums of squared influence, where the items are gone
    own: Numeric | None = None  # the interval that comes with a coefficient of scores

    def n_items(self) -> Array:
        """Items that the value rests on: (G,)."""
        paired = self.statistics.n_items[1]
        lost = None if self.own is None else self.own.left_out
        return paired if lost is None else paired - np.minimum(lost, paired)

    def unit(self) -> Array | float:
        return full_disagreement(self.statistics)


def full_disagreement(statistics: ItemStatistics) -> Array | float:
    """The distance that counts as 1, or where there is no natural one the largest between two labels in use."""
    return 1.0 if statistics.distance.bounded else statistics.distance.largest(statistics.totals > 0)


def evaluate(record: Coefficient, ratings: Ratings, distance: Distance, level: float = 0.95) -> Evaluation:
    """The values of a coefficient, group by group; coefficients of scores bring an interval of this level."""
    return KINDS[record.kind](record, ratings, distance, level)


def _evaluate_items(record: Coefficient, ratings: Ratings, distance: Distance, level: float) -> Evaluation:
    statistics = ItemStatistics(ratings, distance, record.unit, record.needs_coders)
    estimate = record.kernel(statistics.sums, statistics.distance)

    def left_out() -> Array:
        parts = [record.kernel(sums, near).value for _, sums, near in statistics.leave_one_out()]
        return np.concatenate(parts) if parts else np.zeros(0)

    return Evaluation(
        estimate.value,
        estimate.observed,
        estimate.expected,
        statistics,
        lambda: statistics.influence(estimate),
        left_out,
        value_at(record, statistics),
    )


def value_at(record: Coefficient, statistics: ItemStatistics) -> Callable[[Array], Array]:
    """The kernel as a function of the observed disagreement alone."""

    def value(observed: Array) -> Array:
        sums = statistics.sums
        return record.kernel(replace(sums, disagreement=observed * sums.pairable), statistics.distance).value

    return value


# ------------------------------------------------------------------------------------------------- pairs of coders


def _evaluate_pairs(record: Coefficient, ratings: Ratings, distance: Distance, level: float) -> Evaluation:
    rule, pairs = record.kernel(), pair_up(ratings)
    blocks = split_groups(pairs.ratings)  # pairs of coders may be millions
    known = np.full((3, pairs.ratings.n_groups), np.nan)  # size, observed and expected disagreement of each pair
    for block in blocks:
        sums = _pair_statistics(pairs, block, distance)[0].sums
        known[:, block] = sums.pairable, sums.observed, expected_by_marginals(sums, distance)[0]
    parts = rule.parts(known[0], known[1], known[2])  # (P, M)
    totals = _over_pairs(parts, pairs.owner, ratings.n_groups)  # (G, M)
    statistics = ItemStatistics(ratings, distance, coders=True)

    def influence() -> Array:
        slopes = rule.slopes(known[0], known[1], known[2], totals[pairs.owner])
        cells = np.zeros(pairs.ratings.n_items)
        for block in blocks:
            part, mine = _pair_statistics(pairs, block, distance)
            cells[mine] = _pair_slopes(part, distance, tuple(slope[block] for slope in slopes))
        return pairs.to_items(cells) * spread(statistics.n_items[0], ratings.group)

    def left_out() -> Array:
        cells = np.zeros((pairs.ratings.n_items, parts.shape[1]))
        for block in blocks:
            part, mine = _pair_statistics(pairs, block, distance)
            cells[mine] = _changes(rule, part, parts[block], distance)
        items = np.stack([pairs.to_items(change) for change in cells.T], -1)  # (I, M)
        return rule.value(spread(totals, ratings.group) + items)

    def pairs_at(observed: Array) -> Array:
        parts = rule.parts(known[0], observed[pairs.owner], known[2])
        return rule.value(_over_pairs(parts, pairs.owner, ratings.n_groups))

    lost = np.flatnonzero(~(known[2] > 0))
    return Evaluation(
        rule.value(totals),
        divide(totals[:, 2], totals[:, 1]),
        divide(totals[:, 3], totals[:, 1]),
        statistics,
        influence,
        left_out,
        pairs_at,
        np.stack([pairs.owner[lost], pairs.first[lost], pairs.second[lost]], -1),
    )


def _pair_statistics(pairs: Pairs, block: Array, distance: Distance) -> tuple[ItemStatistics, Array]:
    """The tally of some of the pairs, and which cells are theirs."""
    ratings, mine = only_groups(pairs.ratings, block)
    return ItemStatistics(ratings, distance, coders=True), mine


def _pair_slopes(cells: ItemStatistics, distance: Distance, slopes: tuple[Array, ...]) -> Array:
    """How fast the value grows with the weight of each cell."""
    by_size, by_observed, by_expected = slopes
    _, by_margins = expected_by_marginals(cells.sums, distance)
    by_coders = by_expected[:, None, None] * by_labels(cells.sums, by_margins)
    return cells.slope(by_observed, by_coders=by_coders) + spread(by_size, cells.ratings.group)


def _over_pairs(parts: Array, owner: Array, n_groups: int) -> Array:
    return np.stack([np.bincount(owner, part, minlength=n_groups) for part in parts.T], -1)


def _changes(rule: PairRule, cells: ItemStatistics, parts: Array, distance: Distance) -> Array:
    """What a pair's parts lose when one item of a cell is left out: (cells, M)."""
    changed = np.empty((cells.ratings.n_items, parts.shape[1]))
    for items, sums, _ in cells.leave_one_out():
        expected = np.nan_to_num(expected_by_marginals(sums, distance)[0])
        changed[items] = rule.parts(sums.pairable, np.nan_to_num(sums.observed), expected)
    return changed - spread(parts, cells.ratings.group)


# ---------------------------------------------------------------------------------------------------------- scores

MAX_ITEMS_LEFT_OUT = 1000  # scored items of a group that are left out one at a time
NO_DISTANCE = Nominal(0, "")  # scores have no categories, and so no distances between them


def _evaluate_scores(record: Coefficient, ratings: Ratings, distance: Distance, level: float) -> Evaluation:
    scores = cast(Scores, ratings)
    found: Numeric = record.kernel(scores, level)
    unknown = np.full(found.value.shape, np.nan)
    influence = partial(_influence_of_scores, record, scores)
    statistics = ItemStatistics(scores, NO_DISTANCE)
    return Evaluation(
        found.value, unknown, unknown, statistics, influence, influence, lambda observed: unknown, own=found
    )


def _influence_of_scores(record: Coefficient, scores: Scores) -> Array:
    """The influence of each item on a coefficient of scores, by leaving it out: (I,)."""
    out = np.zeros(scores.n_items)
    for group in range(scores.n_groups):
        part, items = only_groups(scores, np.array([group]))
        n = part.n_items
        if n > MAX_ITEMS_LEFT_OUT:
            raise InputError(
                f"method='bca' for numbers leaves out one of at most {MAX_ITEMS_LEFT_OUT} items at a time",
                "use 'percentile'",
                option="method",
                code="too many items",
            )
        owner, item = np.divmod(np.arange(n * n), max(n, 1))
        kept = owner != item
        without = record.kernel(part.take(item[kept], owner[kept], n), 0.95).value
        out[items] = (n - 1) * (np.nanmean(without) - without) if n > 1 else np.zeros(n)
    return np.nan_to_num(out)


#: how each kind of coefficient is evaluated
KINDS: dict[str, Callable[[Coefficient, Ratings, Distance, float], Evaluation]] = {
    "items": _evaluate_items,
    "pairs": _evaluate_pairs,
    "scores": _evaluate_scores,
}


# ---------------------------------------------------------------------------------------------- shared chance


def against(evaluation: Evaluation, expected: float) -> Evaluation:
    """The same groups, with one expected disagreement for all of them."""
    statistics = evaluation.statistics
    slope = np.full(evaluation.value.shape, -1 / expected if expected > 0 else np.nan)
    shared = np.full(evaluation.value.shape, expected)
    value = 1 + slope * evaluation.observed
    estimate = Estimate(value, evaluation.observed, shared, slope)

    def left_out() -> Array:
        parts = [1 - sums.observed / expected for _, sums, _ in statistics.leave_one_out()]
        return np.concatenate(parts) if parts else np.zeros(0)

    return replace(
        evaluation,
        value=value,
        expected=shared,
        influence=lambda: statistics.influence(estimate),
        left_out=left_out,
        value_at=lambda observed: 1 + slope * observed,
    )
