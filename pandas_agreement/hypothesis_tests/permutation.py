"""Disagreement when each coder's labels are permuted over the items that the coder labelled. Only numpy here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.progress import NO_BAR, Steps
from pandas_agreement.core.ratings import LongRatings, Ratings
from pandas_agreement.errors import InputError

BLOCK = 1 << 18  # labels permuted at a time, which stay in the processor's cache
MAX_STEPS = 5e9  # labels permuted and pairs compared: a minute or two, and 6 GB for 100 permutations


def check_size(ratings: Ratings, n_resamples: int) -> None:
    """Raise if the permutations would take minutes."""
    sizes = ratings.sizes.astype(float)
    n_labels, n_pairs = (float((n * ratings.weights).sum()) for n in (sizes, sizes * (sizes - 1) / 2))
    if n_resamples * (n_labels + n_pairs) > MAX_STEPS:
        problem = f"{n_resamples:,} permutations of {n_labels:,.0f} labels and {n_pairs:,.0f} pairs would take minutes"
        remedy = "use method='analytic', or a lower n_resamples="
        raise InputError(problem, remedy, option="n_resamples", code="too large")


def permuted(
    ratings: LongRatings,
    distance: Array,
    n_resamples: int,
    generators: Mapping[int, np.random.Generator],
    steps: Steps = NO_BAR,
) -> Iterator[tuple[int, Array]]:
    """Each group that has a generator, and the disagreement of its permutations: (B,).

    `distance` is (K, K), or (G, K, K) by group, with the label of the coder with the lower number first. Items have no
    weights.
    """
    owner = ratings.item_group[ratings.item]
    order = np.lexsort((ratings.coder, ratings.item, owner))
    ends = np.searchsorted(owner[order], np.arange(ratings.n_groups + 1))
    distances = np.broadcast_to(distance, (ratings.n_groups, *distance.shape[-2:]))
    for group, rng in generators.items():
        own = order[ends[group] : ends[group + 1]]
        labels = ratings.item[own], ratings.coder[own], ratings.code[own]
        blocks = list(_of_group(*labels, distances[group], n_resamples, rng, steps))
        yield group, np.concatenate(blocks)


def _of_group(
    item: Array, coder: Array, code: Array, distance: Array, n_resamples: int, rng: np.random.Generator, steps: Steps
) -> Iterator[Array]:
    """Disagreement of blocks of permutations, (b,) each, from labels in the order of items and coders, (N,) each.

    A label is the end of a number that starts with its coder and goes on at random: sorting these numbers permutes the
    labels within coders.
    """
    _, number, size = np.unique(item, return_inverse=True, return_counts=True)
    of_coder = np.unique(coder, return_inverse=True)[1]
    share = (2 / np.maximum(size * (size - 1) * np.count_nonzero(size > 1), 1))[number]  # of a pair of labels: (N,)
    place = np.argsort(np.argsort(of_coder, kind="stable"))  # of each label among those ordered by coder
    code_bits = (len(distance) - 1).bit_length()
    random_bits = 63 - code_bits - int(of_coder.max()).bit_length()
    fixed = (of_coder << (random_bits + code_bits)) | code
    table, step = distance.ravel(), max(1, BLOCK // len(item))
    for start in range(0, n_resamples, step):
        n = min(step, n_resamples - start)
        keys = fixed | (rng.integers(1 << random_bits, size=(n, len(item))) << code_bits)
        keys.sort(axis=1)
        codes = (keys & ((1 << code_bits) - 1)).take(place, axis=1)  # (b, N)
        total = np.zeros(n)
        for apart in range(1, int(size.max())):  # labels of an item are neighbours
            first = np.flatnonzero(number[apart:] == number[:-apart])
            pair = codes.take(first, axis=1) * len(distance) + codes.take(first + apart, axis=1)
            total += np.einsum("bp,p->b", table.take(pair), share[first])
        steps.step(n)
        yield total
