"""Disagreement when the labels of each coder are shuffled over the items they labelled.

Two ways draw from the same distribution, and a group takes the cheaper one:

- `draw_tables`: the number of items with each combination of labels, coder by coder, from hypergeometric numbers. Its
  cost does not depend on the number of items.
- `draw_shuffled`: the labels themselves, for small groups, many coders or many categories; see `label_pools`.

Replicates are drawn in chunks, each from a generator of its own, and the choice and the size of a chunk follow from the
group alone: neither the other groups nor their order change a number. Small groups share their shuffles: each of their
p-values is valid, but their random errors are not independent. Only numpy here.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.progress import NO_BAR, Steps
from pandas_agreement.core.ratings import LongRatings
from pandas_agreement.errors import InputError
from pandas_agreement.hypothesis_tests.judgments import Judgments
from pandas_agreement.hypothesis_tests.label_pools import (
    ANEW,
    CHUNK,
    MAX_CHUNK_SIZE,
    POOLED,
    TURNED,
    draw_shuffled,
    pool_size,
)
from pandas_agreement.hypothesis_tests.shuffled_items import costs_of_comparing, is_nominal

CHUNK_OF_TABLES = 5000
MAX_BLOCK = 1 << 25  # labels times shuffles of the groups that share their shuffles
MAX_SHARED = 2000  # labels of a coder in a group that shares its shuffles
MAX_GAPPED = 1000  # labels of a group with gaps that shares its shuffles
MAX_POOL = 1 << 29  # bytes of the shuffles from which replicates are made
MAX_EMPTY = 8  # pairs of item and coder of a pool, for each label
MAX_ITEMS = 10**9  # items from which numpy draws no hypergeometric numbers
MAX_COST = 1.2e11  # nanoseconds: about two minutes
#: measured nanoseconds of one replicate: of a hypergeometric number; of a label shuffled, taken from shared shuffles,
#: or turned; of the sum over an item
PER_NUMBER, PER_SHUFFLED, PER_SHARED, PER_TURNED, PER_ITEM = 100.0, 18.0, 3.0, 1.5, 0.5


@dataclass(frozen=True, eq=False)
class Shuffles:
    """Sums over the replicates of each group, (G,) each; deviations are from the observed disagreement."""

    deviation: Array
    squared: Array
    at_most: Array  # replicates with at most the observed disagreement, up to rounding
    at_least: Array
    n_resamples: int

    @classmethod
    def none(cls, n_groups: int, n_resamples: int) -> Shuffles:
        deviation, squared, at_most, at_least = np.zeros((4, n_groups))
        return cls(deviation, squared, at_most, at_least, n_resamples)

    def add(self, groups: Array, deviations: Array, slack: float) -> None:
        """Add the deviations (g, b) of some groups."""
        self.deviation[groups] += deviations.sum(1)
        self.squared[groups] += (deviations**2).sum(1)
        self.at_most[groups] += (deviations <= slack).sum(1)
        self.at_least[groups] += (deviations >= -slack).sum(1)

    @property
    def mean(self) -> Array:
        """Mean deviation."""
        return self.deviation / self.n_resamples

    @property
    def sd(self) -> Array:
        return np.sqrt(np.maximum(self.squared / self.n_resamples - self.mean**2, 0.0))


def shuffle_labels(
    ratings: LongRatings,
    distance: Array,
    observed: Array,
    n_resamples: int,
    entropy: int,
    keys: list[Any],
    steps: Steps = NO_BAR,
) -> tuple[Shuffles, float]:
    """The shuffles of each group, and the rounding error of a disagreement.

    `distance` is (K, K), the label of the coder with the lower number first.
    """
    found = Shuffles.none(ratings.n_groups, n_resamples)
    slack = 1e-9 * max(float(np.abs(distance).max(initial=0.0)), 1.0)
    labels = Judgments.of(ratings)
    ends = np.searchsorted(labels.group, np.arange(ratings.n_groups + 1))
    ways = ways_of_shuffling(labels, distance, ratings.n_groups)
    alone = np.flatnonzero((ways.cost > least_cost_of_tables(labels, ratings.n_groups)) | ~ways.may_share)
    shared = ways.may_share & (np.diff(ends) > 0)
    for group in alone:
        part = labels.only(slice(ends[group], ends[group + 1]))
        seed = [entropy, zlib.crc32(repr(keys[group]).encode())]
        if cost_of_tables(part) <= ways.cost[group]:
            draws = draw_tables(part, distance, n_resamples, seed)
        elif shared[group] or not len(part.code):
            continue
        else:
            _check_cost(float(ways.cost[group]) * n_resamples)
            draws = draw_shuffled(part.expanded(), distance, n_resamples, seed, ways.way[group])
        shared[group] = False
        for values in draws:
            found.add(np.array([group]), values - observed[group], slack)
            steps.step(values.size)
    for block in _blocks(np.flatnonzero(shared), labels.times, ends, ways):
        part = labels.only(np.concatenate([np.arange(ends[g], ends[g + 1]) for g in block]))
        for values in draw_shuffled(part.expanded(), distance, n_resamples, [entropy], ways.way[block[0]]):
            found.add(block, values - observed[block, None], slack)
            steps.step(values.size)
    return found, slack


# -------------------------------------------------------------------------------------------------------------- costs


@dataclass(frozen=True, eq=False)
class Ways:
    """How the labels of each group are shuffled, from the group alone: (G,) each."""

    way: Array
    n_shuffles: Array  # of a coder, from which replicates are made
    may_share: Array  # its shuffles, with groups of the same way and number
    cost: Array  # nanoseconds of one replicate


def ways_of_shuffling(labels: Judgments, distance: Array, n_groups: int) -> Ways:
    """Pools of few shuffles where most coders labelled most items, shuffles of every replicate elsewhere."""
    n_labels = np.bincount(labels.group, labels.times, minlength=n_groups)
    owner = np.zeros(len(labels.weight), np.int64)
    owner[labels.item] = labels.group
    n_items = np.bincount(owner, labels.weight, minlength=n_groups)
    pairs, run = labels.runs
    n_coders, longest = np.bincount(pairs[:, 0], minlength=n_groups), np.zeros(n_groups)
    np.maximum.at(longest, pairs[:, 0], np.bincount(run, labels.times, minlength=len(pairs)))
    of_coders = {n: pool_size(int(n)) for n in np.unique(n_coders)}
    p = np.array([of_coders[n] for n in n_coders])
    cells = n_items * n_coders
    has_gaps = cells > n_labels
    is_pool = (cells <= MAX_EMPTY * n_labels) & (cells * p * (1 if len(distance) < 128 else 2) <= MAX_POOL)
    is_pool &= ~has_gaps | (n_labels > MAX_GAPPED)
    way = np.where(is_pool, np.where(has_gaps, TURNED, POOLED), ANEW)
    may_share = (longest <= MAX_SHARED) & (n_labels * CHUNK <= MAX_CHUNK_SIZE) & (way != TURNED)
    per_item = PER_ITEM + np.minimum(*costs_of_comparing(n_coders, len(distance), is_nominal(distance)))
    drawn = np.where(may_share, PER_SHARED, PER_SHUFFLED)
    per_label = np.where(is_pool, PER_SHUFFLED / p + PER_TURNED * has_gaps, drawn)
    return Ways(way, np.where(is_pool, p, CHUNK), may_share, n_items * per_item + n_labels * per_label)


def least_cost_of_tables(labels: Judgments, n_groups: int) -> Array:
    """The cost of the tables of two coders, in nanoseconds: (G,)."""
    width = np.int64(labels.code.max(initial=0) + 1)
    used = np.bincount(np.unique(labels.group * width + labels.code) // width, minlength=n_groups)
    return PER_NUMBER * used * np.maximum(used - 1, 0)


def cost_of_tables(labels: Judgments) -> float:
    """Time of one replicate of one group in nanoseconds."""
    K = len(np.unique(labels.code))
    if labels.weight.sum() >= MAX_ITEMS:
        return np.inf
    sizes = [len(coders) for coders, _ in _patterns(labels)]
    states = sum(comb(before + K - 1, K - 1) for size in sizes for before in range(1, size))
    return PER_NUMBER * max(K - 1, 1) * (states + len(sizes) - 1)


def _patterns(labels: Judgments) -> list[tuple[tuple[int, ...], float]]:
    """Which coders labelled an item, and how many such items there are."""
    starts = np.cumsum(labels.sizes) - labels.sizes
    found: dict[tuple[int, ...], float] = defaultdict(float)
    if labels.coder.max(initial=0) < 62:  # each pattern as the bits of a number
        bits = np.zeros(len(labels.weight), np.int64)
        np.add.at(bits, labels.item, np.int64(1) << labels.coder)
        _, first, pattern = np.unique(bits, return_index=True, return_inverse=True)
        number = np.bincount(pattern, labels.weight)
        for item, n in zip(first, number, strict=True):
            found[tuple(labels.coder[starts[item] : starts[item] + labels.sizes[item]].tolist())] += float(n)
        return sorted(found.items())
    for item, start in enumerate(starts.tolist()):
        found[tuple(labels.coder[start : start + labels.sizes[item]].tolist())] += float(labels.weight[item])
    return sorted(found.items())


def _check_cost(nanoseconds: float) -> None:
    if nanoseconds > MAX_COST:
        problem = f"so many shuffles of so many labels would take about {nanoseconds / 6e10:,.0f} minutes"
        remedy = "use method='analytic', or a lower n_resamples="
        raise InputError(problem, remedy, option="tests", code="too large")


# ------------------------------------------------------------------------------------------------------------- tables


def draw_tables(labels: Judgments, distance: Array, n_resamples: int, seed: list[int]) -> Iterator[Array]:
    """Chunks of replicates of one group: (1, b) each."""
    for chunk, start in enumerate(range(0, n_resamples, CHUNK_OF_TABLES)):
        rng = np.random.default_rng([*seed, chunk])
        yield _tables(labels, distance, min(CHUNK_OF_TABLES, n_resamples - start), rng)[None]


def _tables(labels: Judgments, distance: Array, n_draws: int, rng: np.random.Generator) -> Array:
    """The labels of one coder after another are dealt to the items, which differ only by the labels they have so far.

    A state is the pattern of coders of an item and the number of its labels of each category so far; its value is the
    number of such items in each replicate.
    """
    used, code = np.unique(labels.code, return_inverse=True)
    matrix, K = distance[np.ix_(used, used)], len(used)
    nothing = (0,) * K
    patterns = _patterns(labels)
    states: dict[tuple[Any, Any], Array] = {
        (coders, nothing): np.full(n_draws, round(n)) for coders, n in patterns if len(coders) > 1
    }
    singles = {coders[0]: round(n) for coders, n in patterns if len(coders) == 1}
    total, n_paired = np.zeros(n_draws), sum(n for coders, n in patterns if len(coders) > 1)
    for coder in sorted({coder for coders, _ in states for coder in coders}):
        mine = [state for state in states if coder in state[0]]
        left = np.bincount(code, labels.times * (labels.coder == coder), minlength=K).round().astype(np.int64)
        left = np.repeat(left[:, None], n_draws, 1)
        number = [states.pop(state) for state in mine]
        for (coders, before), drawn in zip(mine, deal(left, number, singles.get(coder, 0), rng), strict=True):
            distances = np.array(before) @ matrix * (2 / (len(coders) * (len(coders) - 1)))  # (K,) to the new label
            total += distances @ drawn
            if coder == coders[-1]:
                continue
            for category in range(K):
                after = (*before[:category], before[category] + 1, *before[category + 1 :])
                states[coders, after] = states.get((coders, after), 0) + drawn[category]
    return total / max(n_paired, 1)


def deal(left: Array, number: list[Array], over: int, rng: np.random.Generator) -> Iterator[Array]:
    """Deal labels (K, B) to states with these numbers of items (B,), without replacement: (K, B) for each state.

    `over` labels are left at the end; without any the last state gets what is left.
    """
    for place, size in enumerate(number):
        if place == len(number) - 1 and not over:
            yield left
            return
        drawn, need = np.empty_like(left), size.copy()
        rest = left.sum(0)
        for category, available in enumerate(left):
            rest = rest - available
            last = category == len(left) - 1
            drawn[category] = need if last else rng.hypergeometric(available, rest, need)
            need = need - drawn[category]
        left = left - drawn
        yield drawn


# ----------------------------------------------------------------------------------------------------------- shuffles


def _blocks(groups: Array, times: Array, ends: Array, ways: Ways) -> Iterator[Array]:
    """Blocks of small groups that share their shuffles, with a bounded number of labels."""
    for n in np.unique(ways.n_shuffles[groups]):  # each number belongs to one way
        yield from _blocks_of_labels(groups[ways.n_shuffles[groups] == n], times, ends)


def _blocks_of_labels(groups: Array, times: Array, ends: Array) -> Iterator[Array]:
    n_labels = np.add.reduceat(np.append(times, 0.0), ends[:-1])[groups] if len(times) else np.zeros(0)
    block = (np.cumsum(n_labels) * CHUNK // MAX_BLOCK).astype(np.int64)
    for number in np.unique(block):
        yield groups[block == number]
