"""From ratings to an estimate, its standard error and its interval.

`evaluate` runs a coefficient on ratings, over items or over pairs of coders, and gives an `Evaluation`: the values by
group and two questions that can still be asked of it, how each item influences the value (`influence`) and what the
value would be without it (`left_out`). Everything about uncertainty is made from these two. Only numpy, and
scipy.special when an interval is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pandas_agreement.coefficients.chance import expected_by_habits
from pandas_agreement.coefficients.correction import by_labels
from pandas_agreement.coefficients.pairwise_kappa import PairRule
from pandas_agreement.coefficients.registry import Coefficient
from pandas_agreement.core.category_counts import spread
from pandas_agreement.core.distances import Distance
from pandas_agreement.core.group_blocks import only_groups, split_groups
from pandas_agreement.core.item_statistics import Estimate, Tally, divide
from pandas_agreement.core.pairs import Pairs, pair_up
from pandas_agreement.core.ratings import Ratings
from pandas_agreement.errors import InputError

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Evaluation:
    """A coefficient of every group; observed and expected are disagreements."""

    value: Array  # (G,)
    observed: Array
    expected: Array
    tally: Tally
    influence: Callable[[], Array]  # (I,)
    left_out: Callable[[], Array]  # (I,)
    undefined_pairs: Array = field(default_factory=lambda: np.zeros((0, 3), np.int64))  # group, coder, coder
    squares: Callable[[], Array] | None = None  # (G,) sums of squared influence, where the items are gone

    def unit(self) -> Array | float:
        """The distance that counts as full disagreement: 1, or where there is no natural one the largest between two
        labels in use."""
        distance = self.tally.distance
        return 1.0 if distance.bounded else distance.largest(self.tally.totals > 0)


def evaluate(record: Coefficient, ratings: Ratings, distance: Distance) -> Evaluation:
    """The values of a coefficient, group by group."""
    if record.over == "pairs":
        return _evaluate_pairs(record.kernel(), ratings, distance)
    tally = Tally(ratings, distance, record.unit, record.needs_coders)
    estimate = record.kernel(tally.sums, tally.distance)

    def left_out() -> Array:
        parts = [record.kernel(sums, near).value for _, sums, near in tally.leave_one_out()]
        return np.concatenate(parts) if parts else np.zeros(0)

    return Evaluation(
        estimate.value, estimate.observed, estimate.expected, tally, lambda: tally.influence(estimate), left_out
    )


# ------------------------------------------------------------------------------------------------- pairs of coders


def _evaluate_pairs(rule: PairRule, ratings: Ratings, distance: Distance) -> Evaluation:
    pairs = pair_up(ratings)
    blocks = split_groups(pairs.ratings)  # pairs of coders may be millions
    known = np.full((3, pairs.ratings.n_groups), np.nan)  # size, observed and expected disagreement of each pair
    for block in blocks:
        sums = _pair_tally(pairs, block, distance)[0].sums
        known[:, block] = sums.pairable, sums.observed, expected_by_habits(sums, distance)[0]
    parts = rule.parts(known[0], known[1], known[2])  # (P, M)
    totals = _over_pairs(parts, pairs.owner, ratings.n_groups)  # (G, M)
    tally = Tally(ratings, distance, coders=True)

    def influence() -> Array:
        slopes = rule.slopes(known[0], known[1], known[2], totals[pairs.owner])
        cells = np.zeros(pairs.ratings.n_items)
        for block in blocks:
            part, mine = _pair_tally(pairs, block, distance)
            cells[mine] = _pair_slopes(part, distance, tuple(slope[block] for slope in slopes))
        return pairs.to_items(cells) * spread(tally.n_items[0], ratings.group)

    def left_out() -> Array:
        cells = np.zeros((pairs.ratings.n_items, parts.shape[1]))
        for block in blocks:
            part, mine = _pair_tally(pairs, block, distance)
            cells[mine] = _changes(rule, part, parts[block], distance)
        items = np.stack([pairs.to_items(change) for change in cells.T], -1)  # (I, M)
        return rule.value(spread(totals, ratings.group) + items)

    lost = np.flatnonzero(~(known[2] > 0))
    return Evaluation(
        rule.value(totals),
        divide(totals[:, 2], totals[:, 1]),
        divide(totals[:, 3], totals[:, 1]),
        tally,
        influence,
        left_out,
        np.stack([pairs.owner[lost], pairs.first[lost], pairs.second[lost]], -1),
    )


def _pair_tally(pairs: Pairs, block: Array, distance: Distance) -> tuple[Tally, Array]:
    """The tally of some of the pairs, and which cells are theirs."""
    ratings, mine = only_groups(pairs.ratings, block)
    return Tally(ratings, distance, coders=True), mine


def _pair_slopes(cells: Tally, distance: Distance, slopes: tuple[Array, ...]) -> Array:
    """How fast the value grows with the weight of each cell."""
    by_size, by_observed, by_expected = slopes
    _, by_margins = expected_by_habits(cells.sums, distance)
    by_coders = by_expected[:, None, None] * by_labels(cells.sums, by_margins)
    return cells.slope(by_observed, by_coders=by_coders) + spread(by_size, cells.ratings.group)


def _over_pairs(parts: Array, owner: Array, n_groups: int) -> Array:
    return np.stack([np.bincount(owner, part, minlength=n_groups) for part in parts.T], -1)


def _changes(rule: PairRule, cells: Tally, parts: Array, distance: Distance) -> Array:
    """What a pair's parts lose when one item of a cell is left out: (cells, M)."""
    changed = np.empty((cells.ratings.n_items, parts.shape[1]))
    for items, sums, _ in cells.leave_one_out():
        expected = np.nan_to_num(expected_by_habits(sums, distance)[0])
        changed[items] = rule.parts(sums.pairable, np.nan_to_num(sums.observed), expected)
    return changed - spread(parts, cells.ratings.group)


# ------------------------------------------------------------------------------------------------- standard errors


@dataclass(frozen=True, eq=False)
class Uncertainty:
    se: Array  # (G,)
    df: Array


def analytic(evaluation: Evaluation, clusters: Array | None = None) -> Uncertainty:
    """Standard error from the influence of the items, or of clusters of them."""
    ratings, n = evaluation.tally.ratings, evaluation.tally.n_items[0]
    if clusters is not None:
        return _clustered(evaluation.influence(), ratings, n, clusters)
    squares = ratings.sum(evaluation.influence() ** 2) if evaluation.squares is None else evaluation.squares()
    return Uncertainty(np.sqrt(divide(squares, n * (n - 1))), n - 1)


def n_units(ratings: Ratings, n_items: Array, clusters: Array | None) -> Array:
    """What varies independently in each group: items, or clusters of them."""
    if clusters is None:
        return n_items
    group = np.zeros(len(clusters), np.int64) if ratings.group is None else ratings.group
    pairs = np.unique(np.stack([group, clusters]), axis=1)
    return np.bincount(pairs[0], minlength=ratings.n_groups).astype(float)


def _clustered(influence: Array, ratings: Ratings, n: Array, clusters: Array) -> Uncertainty:
    """Items of a cluster rise and fall together: their influences are added before they are squared."""
    group = np.zeros(len(clusters), np.int64) if ratings.group is None else ratings.group
    span = int(clusters.max(initial=-1)) + 1
    keys, where = np.unique(group * span + clusters, return_inverse=True)
    owner = keys // max(span, 1)
    sums = np.bincount(where, influence * ratings.weights, minlength=len(keys))
    number = np.bincount(owner, minlength=ratings.n_groups).astype(float)
    total = np.bincount(owner, sums**2, minlength=ratings.n_groups)
    variance = divide(number * total, (number - 1) * n**2)
    return Uncertainty(np.sqrt(variance), number - 1)


def jackknife(evaluation: Evaluation, clusters: Array | None = None) -> Uncertainty:
    """Standard error from the values without each item in turn."""
    ratings, n = evaluation.tally.ratings, evaluation.tally.n_items[0]
    values = evaluation.left_out()
    mean = divide(ratings.sum(values), n)
    total = ratings.sum((values - spread(mean, ratings.group)) ** 2)
    return Uncertainty(np.sqrt(divide((n - 1) * total, n)), n - 1)


MOST_CODERS = 500  # to leave out one at a time


def over_coders(record: Coefficient, ratings: Ratings, distance: Distance) -> Uncertainty:
    """Standard error from the values without each coder in turn."""
    if not ratings.identified or ratings.n_coders > MOST_CODERS:
        raise InputError(f"sampling= leaves out one coder at a time, and needs to know them: at most {MOST_CODERS}")
    at_work = ratings.coders_at_work().astype(float)
    values = np.full((ratings.n_coders, ratings.n_groups), np.nan)
    for coder in range(ratings.n_coders):
        rest = ratings.without(coder)
        lost = rest.coders_at_work() < at_work  # groups in which this coder was at work
        found = evaluate(record, rest.select(rest.sizes > 1), distance).value
        values[coder] = np.where(lost, found, np.nan)
    known = ~np.isnan(values)
    number = known.sum(0).astype(float)
    mean = divide(np.where(known, values, 0.0).sum(0), number)
    total = np.where(known, (values - mean) ** 2, 0.0).sum(0)
    complete = (number == at_work) & (at_work > 2)
    return Uncertainty(np.where(complete, np.sqrt((at_work - 1) / np.maximum(at_work, 1) * total), np.nan), at_work - 1)


def sampled(items: Uncertainty, coders: Uncertainty, sampling: str) -> Uncertainty:
    """Coders alone, or items and coders: their variances add up (Gwet 2014), their degrees of freedom are pooled."""
    if sampling == "coders":
        return coders
    one, two = items.se**2, coders.se**2
    df = divide((one + two) ** 2, divide(one**2, items.df) + divide(two**2, coders.df))
    return Uncertainty(np.sqrt(one + two), df)


def against(evaluation: Evaluation, expected: float) -> Evaluation:
    """The same groups, with one expected disagreement for all of them."""
    tally = evaluation.tally
    slope = np.full(evaluation.value.shape, -1 / expected if expected > 0 else np.nan)
    shared = np.full(evaluation.value.shape, expected)
    value = 1 + slope * evaluation.observed
    estimate = Estimate(value, evaluation.observed, shared, slope)

    def left_out() -> Array:
        parts = [1 - sums.observed / expected for _, sums, _ in tally.leave_one_out()]
        return np.concatenate(parts) if parts else np.zeros(0)

    return replace(
        evaluation, value=value, expected=shared, influence=lambda: tally.influence(estimate), left_out=left_out
    )


# ------------------------------------------------------------------------------------------------------- intervals


def symmetric(value: Array, se: Array, quantile: Array) -> tuple[Array, Array]:
    """The estimate plus and minus t standard errors."""
    return value - quantile * se, value + quantile * se


def on_log_scale(value: Array, se: Array, quantile: Array) -> tuple[Array, Array]:
    """Symmetric for log(1 - value), so that the upper end stays below 1."""
    gap = 1 - value
    width = quantile * divide(se, gap)
    return 1 - gap * np.exp(width), 1 - gap * np.exp(-width)


#: method: (standard error, interval)
METHODS: dict[str, tuple[Callable[..., Uncertainty], Callable[..., tuple[Array, Array]]]] = {
    "analytic": (analytic, symmetric),
    "log": (analytic, on_log_scale),
    "jackknife": (jackknife, symmetric),
}


def interval(
    record: Coefficient, evaluation: Evaluation, known: Uncertainty, level: float, method: str
) -> tuple[Array, Array]:
    """Lower and upper limits: (G,), (G,)."""
    value, se = evaluation.value, known.se
    low, high = METHODS[method][1](value, se, t_quantile(known.df, level))
    return bounded(record, evaluation, known, level, low, high)


def bounded(
    record: Coefficient, evaluation: Evaluation, known: Uncertainty, level: float, low: Array, high: Array
) -> tuple[Array, Array]:
    """Limits within the range of the coefficient, with the rule for perfect agreement."""
    if record.perfect is not None:
        low, high = _at_the_boundary(evaluation, known, level, low, high)
    bottom, top = _limits(record, evaluation.tally.distance)
    return np.clip(low, bottom, top), np.clip(high, bottom, top)


def t_quantile(df: Array, level: float) -> Array:
    """Student's t for a two-sided interval, NaN without degrees of freedom; evaluated once for each different df."""
    from scipy.special import stdtrit  # imported here: it would double the time to import the package

    distinct, where = np.unique(df, return_inverse=True) if df.size > 1 else (df, None)
    known = distinct > 0
    quantiles = np.where(known, stdtrit(np.where(known, distinct, 1.0), (1 + level) / 2), np.nan)
    return quantiles if where is None else quantiles[where].reshape(df.shape)


def _limits(record: Coefficient, distance: Distance) -> tuple[float, float]:
    """The range of the coefficient; bias can be negative when the distances allow it."""
    bottom, top = record.range
    return (-1.0 if record.perfect is None and not distance.negative_type else bottom), top


def _at_the_boundary(
    evaluation: Evaluation, known: Uncertainty, level: float, low: Array, high: Array
) -> tuple[Array, Array]:
    """Perfect agreement: no item varies, so the smallest agreement that could have looked perfect bounds it."""
    n = np.minimum(evaluation.tally.n_items[1], known.df + 1)  # items, or clusters of them
    perfect = (evaluation.observed == 0) & (evaluation.value == 1) & (n > 1)
    least = ((1 - level) / 2) ** divide(np.ones_like(n), n)
    expected = np.where(np.isnan(evaluation.expected), 1.0, evaluation.expected / evaluation.unit())
    return np.where(perfect, 1 - divide(1 - least, expected), low), np.where(perfect, 1.0, high)
