"""Disagreement when the labels of each coder are shuffled over the items they labelled.

Two ways draw from the same distribution, and a group takes the cheaper one:

- `draw_tables`: the number of items with each combination of labels, coder by coder, from hypergeometric numbers. Its
  cost does not depend on the number of items.
- `draw_shuffled`: the labels themselves, for small groups, many coders or many categories.

Replicates are drawn in chunks, each from a generator of its own, and the choice and the size of a chunk follow from the
group alone: neither the other groups nor their order change a number. Small groups share their shuffles: each of their
p-values is valid, but their random errors are not independent. Only numpy here, and scipy.sparse for sums.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import comb
from typing import Any

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.category_counts import coder_pairs_within
from pandas_agreement.core.progress import NO_BAR, Steps
from pandas_agreement.core.ratings import LongRatings
from pandas_agreement.errors import InputError

CHUNK = 250  # replicates of small groups at a time
CHUNK_OF_TABLES = 5000
MAX_CHUNK_SIZE = 1 << 24  # labels or pairs times replicates at a time
MAX_BLOCK = 1 << 25  # the same of the groups that share their shuffles
MAX_SHARED = 2000  # labels of a coder in a group that shares its shuffles
MAX_PAIRS = 1 << 24  # pairs of labels of the same item
MAX_ITEMS = 10**9  # items from which numpy draws no hypergeometric numbers
MAX_COST = 1.2e11  # nanoseconds: about two minutes
#: measured times of one replicate, in nanoseconds: of a hypergeometric number, and of a label
PER_NUMBER, PER_SHARED_LABEL, PER_LABEL = 100.0, 2.5, 16.0


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


@dataclass(frozen=True, eq=False)
class Judgments:
    """Labels sorted by group, item and coder, (N,) each; items are numbered from 0 over all groups."""

    group: Array
    item: Array
    coder: Array
    code: Array
    weight: Array  # (I,) how often each item occurs

    @classmethod
    def of(cls, ratings: LongRatings) -> Judgments:
        group = ratings.item_group[ratings.item]
        order = np.lexsort((ratings.coder, ratings.item, group))
        _, item = np.unique(ratings.item[order] + group[order] * np.int64(ratings.n_items), return_inverse=True)
        weight = np.empty(int(item.max(initial=-1)) + 1)
        weight[item] = ratings.weights[ratings.item[order]]
        return cls(group[order], item, ratings.coder[order], ratings.code[order], weight)

    def only(self, labels: slice | Array) -> Judgments:
        """Some labels, of whole groups."""
        item = self.item[labels]
        first = int(item[0]) if len(item) else 0
        number = np.unique(item, return_inverse=True)[1] if isinstance(labels, np.ndarray) else item - first
        weight = np.empty(int(number.max(initial=-1)) + 1)
        weight[number] = self.weight[item]
        return Judgments(self.group[labels], number, self.coder[labels], self.code[labels], weight)

    @cached_property
    def times(self) -> Array:
        """How often each label occurs: (N,)."""
        return self.weight[self.item]

    @cached_property
    def sizes(self) -> Array:
        """Labels of each item: (I,)."""
        return np.bincount(self.item, minlength=len(self.weight))

    @cached_property
    def runs(self) -> tuple[Array, Array]:
        """The pairs of group and coder, (R, 2), and that of each label."""
        width = np.int64(self.coder.max(initial=0) + 1)
        keys, run = np.unique(self.group * width + self.coder, return_inverse=True)
        return np.stack(np.divmod(keys, width), 1), run

    def expanded(self) -> Judgments:
        """The labels of items that occur several times, one by one."""
        times = np.rint(self.weight).astype(np.int64)
        if (times == 1).all():
            return self
        starts = np.cumsum(times) - times
        each = times[self.item]
        label = np.repeat(np.arange(len(self.item)), each)
        item = starts[self.item[label]] + np.arange(len(label)) - np.repeat(np.cumsum(each) - each, each)
        order = np.lexsort((self.coder[label], item, self.group[label]))
        label = label[order]
        ones = np.ones(int(times.sum()))
        return Judgments(self.group[label], item[order], self.coder[label], self.code[label], ones)


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
    cost, is_small = costs_of_shuffling(labels, ratings.n_groups)
    alone = np.flatnonzero((cost > least_cost_of_tables(labels, ratings.n_groups)) | ~is_small)
    shared = is_small & (np.diff(ends) > 0)
    for group in alone:
        part = labels.only(slice(ends[group], ends[group + 1]))
        seed = [entropy, zlib.crc32(repr(keys[group]).encode())]
        if cost_of_tables(part) <= cost[group]:
            draws = draw_tables(part, distance, n_resamples, seed)
        elif is_small[group]:
            continue
        else:
            _check_cost(float(cost[group]) * n_resamples)
            draws = (values[0] for values in draw_shuffled(part.expanded(), distance, n_resamples, seed))
        shared[group] = False
        for values in draws:
            found.add(np.array([group]), (values - observed[group])[None], slack)
            steps.step(len(values))
    for block in _blocks(np.flatnonzero(shared), labels.times, ends):
        part = labels.only(np.concatenate([np.arange(ends[g], ends[g + 1]) for g in block]))
        for values in draw_shuffled(part.expanded(), distance, n_resamples, [entropy]):
            found.add(block, values - observed[block, None], slack)
            steps.step(values.size)
    return found, slack


# -------------------------------------------------------------------------------------------------------------- costs


def costs_of_shuffling(labels: Judgments, n_groups: int) -> tuple[Array, Array]:
    """Time of one replicate of each group in nanoseconds, and whether it may share its shuffles: (G,) each."""
    n_labels = np.bincount(labels.group, labels.times, minlength=n_groups)
    pairs, run = labels.runs
    longest = np.zeros(n_groups)
    np.maximum.at(longest, pairs[:, 0], np.bincount(run, labels.times, minlength=len(pairs)))
    is_small = (longest <= MAX_SHARED) & (n_labels * CHUNK <= MAX_CHUNK_SIZE)
    return n_labels * np.where(is_small, PER_SHARED_LABEL, PER_LABEL), is_small


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
        problem = f"so many shuffles of so many labels would take about {nanoseconds / 6e10:.0f} minutes"
        remedy = "use tests='moments' or 'fleiss_nee_landis', or a lower n_resamples="
        raise InputError(problem, remedy, option="tests", code="too large")


# ------------------------------------------------------------------------------------------------------------- tables


def draw_tables(labels: Judgments, distance: Array, n_resamples: int, seed: list[int]) -> Iterator[Array]:
    """Chunks of replicates of one group: (b,) each."""
    for chunk, start in enumerate(range(0, n_resamples, CHUNK_OF_TABLES)):
        rng = np.random.default_rng([*seed, chunk])
        yield _tables(labels, distance, min(CHUNK_OF_TABLES, n_resamples - start), rng)


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


def _blocks(groups: Array, times: Array, ends: Array) -> Iterator[Array]:
    """Blocks of small groups with a bounded number of labels."""
    n_labels = np.add.reduceat(np.append(times, 0.0), ends[:-1])[groups] if len(times) else np.zeros(0)
    block = (np.cumsum(n_labels) * CHUNK // MAX_BLOCK).astype(np.int64)
    for number in np.unique(block):
        yield groups[block == number]


def draw_shuffled(labels: Judgments, distance: Array, n_resamples: int, seed: list[int]) -> Iterator[Array]:
    """Chunks of replicates of some groups: (g, b) each."""
    nominal = bool((distance == 1 - np.eye(len(distance))).all())
    n_pairs = (labels.sizes * (labels.sizes - 1) // 2).sum()
    many = n_pairs > len(distance) * len(labels.code) and (distance == distance.T).all()
    items = ItemCounts(labels) if many else ItemPairs(labels)
    shuffler = Shuffler(labels, seed)
    step = CHUNK if len(seed) == 1 else max(1, min(CHUNK, MAX_CHUNK_SIZE // max(items.size, len(labels.code))))
    for chunk, start in enumerate(range(0, n_resamples, step)):
        yield items.mean(shuffler(chunk, step)[:, : n_resamples - start], None if nominal else distance)


class ItemPairs:
    """The pairs of labels of each item, in segments of items of one group and size, ordered by length."""

    def __init__(self, labels: Judgments) -> None:
        from scipy.sparse import csr_array

        one, two = coder_pairs_within(labels.item, labels.coder)
        if len(one) > MAX_PAIRS:
            problem = f"a permutation compares {len(one):,} pairs of labels, and {MAX_PAIRS:,} are the most"
            raise InputError(problem, "use tests='moments' or 'fleiss_nee_landis'", option="tests", code="too large")
        groups, group = np.unique(labels.group, return_inverse=True)
        size, width = labels.sizes[labels.item[one]], np.int64(labels.sizes.max(initial=0) + 1)
        segments, segment, length = np.unique(group[one] * width + size, return_inverse=True, return_counts=True)
        order = np.lexsort((segment, length[segment]))
        self.one, self.two = one[order], two[order]
        self.size = len(one)
        self.lengths = np.unique(length, return_counts=True)  # and the number of segments of each
        owner, r = np.divmod(segments[np.argsort(length, kind="stable")], width)
        n_items = np.bincount(owner, np.sort(length) / (r * (r - 1) / 2), minlength=len(groups))
        share = 2 / (r * (r - 1)) / n_items[owner]
        self.shares = csr_array((share, (owner, np.arange(len(owner)))), shape=(len(groups), len(owner)))

    def mean(self, code: Array, distance: Array | None) -> Array:
        """The disagreement of each group from shuffled codes, nominal without distances: (N, b) -> (g, b)."""
        parts, start = [np.zeros((0, code.shape[1]))], 0
        for length, number in zip(*self.lengths, strict=True):
            stop = start + length * number
            one, two = (np.take(code, side[start:stop], axis=0) for side in (self.one, self.two))
            block = (one != two if distance is None else distance[one, two]).reshape(number, length, -1)
            parts.append(block.sum(1, dtype=np.uint32 if distance is None else None).astype(float))
            start = stop
        return self.shares @ np.concatenate(parts)


class ItemCounts:
    """The labels of each item, in segments of items of one group and size; cheaper than pairs if coders are many."""

    def __init__(self, labels: Judgments) -> None:
        from scipy.sparse import csr_array

        groups, group = np.unique(labels.group, return_inverse=True)
        size, width = labels.sizes[labels.item], np.int64(labels.sizes.max(initial=0) + 1)
        paired = np.flatnonzero(size > 1)
        segments, segment, length = np.unique((group * width + size)[paired], return_inverse=True, return_counts=True)
        owner, r = np.divmod(segments, width)
        self.order = paired[np.argsort(segment, kind="stable")]
        self.size = len(self.order)
        self.segments = list(zip((length // r).tolist(), r.tolist(), strict=True))  # items, and labels of each
        n_items = np.bincount(owner, length / r, minlength=len(groups))
        share = 2 / (r * (r - 1)) / n_items[owner]
        self.shares = csr_array((share, (owner, np.arange(len(owner)))), shape=(len(groups), len(owner)))

    def mean(self, code: Array, distance: Array | None) -> Array:
        """The same as `ItemPairs.mean`, from the number of labels of each category."""
        parts, start = [np.zeros((0, code.shape[1]))], 0
        K = int(code.max(initial=0)) + 1 if distance is None else len(distance)
        for n, r in self.segments:
            own = np.take(code, self.order[start : start + n * r], axis=0).reshape(n, r, -1)
            counts = [(own == category).sum(1, dtype=np.int32) for category in range(K)]
            if distance is None:
                apart = n * r * r - sum((number * number).sum(0, dtype=np.int64) for number in counts)
            else:
                each = np.stack(counts).astype(float)  # (K, n, b)
                apart = np.einsum("knb,knb->b", each, np.tensordot(distance, each, 1))
            parts.append(apart[None] / 2)
            start += n * r
        return self.shares @ np.concatenate(parts)


class Shuffler:
    """Shuffles of the labels of each coder within each group: chunk, replicates -> codes (N, b)."""

    def __init__(self, labels: Judgments, seed: list[int]) -> None:
        self.seed = seed
        self.code = labels.code.astype(np.min_scalar_type(int(labels.code.max(initial=0))))
        pairs, run = labels.runs
        sizes = np.bincount(run, minlength=len(pairs))
        order = np.argsort(run, kind="stable")
        starts = np.cumsum(sizes) - sizes
        slot = np.arange(len(pairs)) - np.searchsorted(pairs[:, 0], pairs[:, 0])  # number of the coder in the group
        self.slots: dict[int, dict[int, Array]] = defaultdict(dict)  # slot -> size -> labels of such runs, (n, size)
        for key in np.unique(slot * np.int64(len(run) + 1) + sizes):
            place, size = divmod(int(key), len(run) + 1)
            chosen = starts[(slot == place) & (sizes == size)]
            self.slots[place][size] = order[chosen[:, None] + np.arange(size)]

    def __call__(self, chunk: int, n: int) -> Array:
        out = np.empty((len(self.code), n), self.code.dtype)
        for slot, runs in self.slots.items():
            rng = np.random.default_rng([*self.seed, slot, chunk])
            if max(runs) > MAX_SHARED:
                for labels in runs.values():
                    out[labels[0]] = rng.permuted(np.tile(self.code[labels[0]], (n, 1)), axis=1).T
                continue
            for size, order in _orders(max(runs), n, rng):
                if size in runs:
                    labels = runs[size]
                    out[labels] = np.take(self.code[labels], order, axis=1)
        return out


def _orders(largest: int, n: int, rng: np.random.Generator) -> Iterator[tuple[int, Array]]:
    """For m = 1 .. largest, n random orders of m things: (m, n); those of m do not depend on `largest`."""
    order = np.zeros((largest, n), np.intp)
    flat = order.reshape(-1)
    places = rng.integers(0, np.arange(1, largest + 1)[:, None], (largest, n)) * n + np.arange(n)
    for m, place in enumerate(places, 1):  # inside-out Fisher and Yates
        order[m - 1] = flat[place]
        flat[place] = m - 1
        yield m, order[:m]
