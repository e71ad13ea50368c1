"""Disagreement of shuffled labels: many replicates from few shuffles of each coder.

If all coders labelled all items, p shuffles of each coder are drawn, p a prime number. Replicate a + p c, with a and c
from 0 to p - 1, takes shuffle (a + c j) mod p of coder j: p * p replicates from p shuffles. In each replicate all
coders are shuffled independently. Two replicates have the shuffle of at most one coder in common, and disagreement
depends only on how coders are shuffled relative to each other: any two replicates are independent, as if all had been
drawn anew.

With gaps a replicate also turns each shuffle round by a random number of places. Over all turns each label meets each
item once, so any two replicates are uncorrelated. Small groups with gaps, and crowds of whom each labelled a small part
of the items, draw the shuffles of every replicate anew. Only numpy here, and scipy.sparse for sums.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import count
from math import isqrt
from typing import Protocol

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.category_counts import blocks
from pandas_agreement.hypothesis_tests.judgments import Judgments
from pandas_agreement.hypothesis_tests.shuffled_items import Comparison, Items

POOLED, TURNED, ANEW = "pooled", "turned", "anew"  # ways to draw replicates
CHUNK = 250  # shuffles that are drawn at a time if every replicate has its own
MIN_POOL = 71  # shuffles of a coder: enough for 5,000 replicates
MAX_CHUNK_SIZE = 1 << 24  # labels times shuffles of a chunk
ITEMS_PER_COPY = 1 << 10  # a larger table is slow to copy with rows and columns swapped
BYTES_PER_BLOCK = 1 << 20  # of the labels of a block of replicates, which stay in the processor's cache


def draw_shuffled(labels: Judgments, distance: Array, n_resamples: int, seed: list[int], way: str) -> Iterator[Array]:
    """Blocks of replicates of some groups: (g, b) each. Groups that are drawn together share their shuffles."""
    every = np.ones(len(labels.weight), bool)
    parts = [Items(labels, labels.slot, every)] if way == TURNED else Items.by_size(labels)
    compare = [Comparison(distance, len(items.cells)) for items in parts]
    step = max(1, BYTES_PER_BLOCK // max(items.n * one.width for items, one in zip(parts, compare, strict=True)))
    shuffler, p = Shuffler(labels, seed), n_shuffles(labels, seed, way)
    n_of_pool = p if way == ANEW else p * p
    for chunk, first in enumerate(range(0, n_resamples, n_of_pool)):
        n = min(n_of_pool, n_resamples - first)
        pools: list[Pool]
        if way == TURNED:
            pools = [Turned(labels, parts[0], len(distance), p, n, [*seed, chunk])]
        else:
            codes = shuffler(chunk, p)  # (N, p)
            pools = [Grid(codes, items, len(distance)) for items in parts]
        for start in range(0, n, step):
            replicate = np.arange(start, min(start + step, n))
            drawn = zip(compare, parts, pools, strict=True)
            yield np.sum([one.mean(items, pool.labels(replicate)) for one, items, pool in drawn], 0)


def n_shuffles(labels: Judgments, seed: list[int], way: str) -> int:
    """Shuffles of each coder in a pool."""
    if way != ANEW:
        return pool_size(int(labels.slot.max()) + 1)
    is_alone = len(seed) > 1
    return max(1, min(CHUNK, MAX_CHUNK_SIZE // len(labels.code))) if is_alone else CHUNK


def pool_size(n_coders: int) -> int:
    """The least prime number of shuffles with which two replicates have at most one coder's shuffle in common."""
    return next(p for p in count(max(n_coders, MIN_POOL)) if all(p % d for d in range(2, isqrt(p) + 1)))


def shuffles_of(replicate: Array, coder: int, p: int) -> Array:
    """Which of p shuffles of a coder each replicate takes."""
    c, a = np.divmod(replicate, p)
    return (a + c * coder) % p


# -------------------------------------------------------------------------------------------------------------- pools


class Pool(Protocol):
    """The shuffles from which replicates are made."""

    def labels(self, replicate: Array) -> Iterable[Array]:
        """Labels of the items in some replicates, (b, I) for each place; a gap is one more category."""


class Grid:
    """Shuffles at the places of items where the place is the coder, or which all replicates have of their own."""

    def __init__(self, codes: Array, items: Items, n_categories: int) -> None:
        S, self.p = len(items.cells), codes.shape[1]
        self.cells = np.empty((S, self.p, items.n), np.min_scalar_type(n_categories))
        for block in blocks(items.n, ITEMS_PER_COPY):
            for own, cell in zip(self.cells[:, :, block], items.cells[:, block], strict=True):
                own[:] = codes[cell].T
                own[:, cell < 0] = n_categories

    def labels(self, replicate: Array) -> Iterable[Array]:
        return (own.take(shuffles_of(replicate, place, self.p), 0) for place, own in enumerate(self.cells))


class Turned:
    """Shuffles of the coders of one group with gaps, each of which every replicate turns round."""

    def __init__(
        self, labels: Judgments, items: Items, n_categories: int, p: int, n_replicates: int, seed: list[int]
    ) -> None:
        self.p, self.gap = p, n_categories
        kind = np.min_scalar_type(n_categories)
        self.rows, self.turns, self.column = [], [], []
        for place, cell in enumerate(items.cells):
            rng = np.random.default_rng([*seed, place])
            own = np.flatnonzero(labels.slot == place)  # also items of a single label take part
            rows = rng.permuted(np.tile(labels.code[own].astype(kind), (p, 1)), axis=1)
            self.rows.append(sliding_window_view(np.concatenate([rows, rows], 1), len(own), axis=1))  # (p, n + 1, n)
            self.turns.append(rng.integers(0, len(own), n_replicates))
            at = np.append(rng.permutation(len(own)), len(own))  # neighbours in a turn are not neighbours in the data
            self.column.append(at[np.where(cell < 0, len(own), np.searchsorted(own, cell))])  # (I,)

    def labels(self, replicate: Array) -> Iterable[Array]:
        for place, (rows, turns, column) in enumerate(zip(self.rows, self.turns, self.column, strict=True)):
            n = rows.shape[-1]
            own = np.empty((len(replicate), n + 1), rows.dtype)
            own[:, :n] = rows[shuffles_of(replicate, place, self.p), turns[replicate]]
            own[:, n] = self.gap
            yield own.take(column, 1)


# ----------------------------------------------------------------------------------------------------------- shuffles


class Shuffler:
    """Shuffles of the labels of each coder within each group: chunk, number -> codes (N, n)."""

    def __init__(self, labels: Judgments, seed: list[int]) -> None:
        self.seed = seed
        self.code = labels.code.astype(np.min_scalar_type(int(labels.code.max(initial=0))))
        pairs, run = labels.runs
        sizes = np.bincount(run, minlength=len(pairs))
        order = np.argsort(run, kind="stable")
        starts = np.cumsum(sizes) - sizes
        slot = labels.slot[order[starts]]
        self.slots: dict[int, dict[int, Array]] = defaultdict(dict)  # slot -> size -> labels of such runs, (n, size)
        for key in np.unique(slot * np.int64(len(run) + 1) + sizes):
            place, size = divmod(int(key), len(run) + 1)
            chosen = starts[(slot == place) & (sizes == size)]
            self.slots[place][size] = order[chosen[:, None] + np.arange(size)]

    def __call__(self, chunk: int, n: int) -> Array:
        is_alone = len(self.seed) > 1
        out = np.empty((len(self.code), n), self.code.dtype)
        for slot, runs in self.slots.items():
            rng = np.random.default_rng([*self.seed, slot, chunk])
            if is_alone:
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
