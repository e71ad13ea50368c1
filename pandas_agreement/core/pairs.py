"""Every two coders who labelled the same items, each pair with a table of its own.

A pair of coders becomes a group: whatever can be computed group by group can be computed pair by pair, in one pass.
Wide ratings are tabulated column against column; long ones are paired within their items, so five labels an item by a
crowd of thousands cost ten pairs an item and never a table of all coders against all. Only numpy here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pandas_agreement.core.category_counts import pairs_within
from pandas_agreement.core.contingency import fuse, is_sparse, tables_of_pairs, tabulate
from pandas_agreement.core.ratings import LongRatings, Ratings, WideRatings

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Pairs:
    """P pairs of coders within groups, sorted by group and coders; `ratings` holds a weighted item for each cell."""

    ratings: WideRatings  # its group is the pair
    owner: Array  # (P,) the group a pair belongs to
    first: Array  # (P,) the coders of the pair
    second: Array
    to_items: Callable[[Array], Array]  # a number for each cell, summed over the pairs of labels of each item: (I,)


def pair_up(ratings: Ratings, every: bool = False) -> Pairs:
    """The tables of all pairs of coders; with `every` also of those who share no item."""
    if isinstance(ratings, LongRatings):
        crowded = 4 * len(ratings.item) > ratings.n_items * ratings.n_coders
        pairs = _pair_columns(ratings.as_wide()) if crowded else _pair_triples(ratings.by_item)
    elif isinstance(ratings, WideRatings):
        pairs = _pair_columns(ratings)
    else:
        raise TypeError("pairs of coders need to know who said what")
    return _with_strangers(pairs, ratings) if every else pairs


def _with_strangers(pairs: Pairs, ratings: Ratings) -> Pairs:
    """All pairs of all groups, most of them perhaps without an item."""
    n = np.int64(ratings.n_coders)
    first, second = np.triu_indices(ratings.n_coders, 1)
    keys = (np.arange(ratings.n_groups)[:, None] * n * n + first * n + second).ravel()
    known = (pairs.owner * n + pairs.first) * n + pairs.second
    place = np.searchsorted(keys, known)
    group = np.zeros(0, np.int64) if pairs.ratings.group is None else place[pairs.ratings.group]
    table = replace(pairs.ratings, group=group, n_groups=len(keys))
    return Pairs(table, keys // (n * n), keys // n % n, keys % n, pairs.to_items)


def _assemble(
    ratings: Ratings, cells: tuple[Array, Array, Array, Array, Array], weight: Array, to_items: Callable[[Array], Array]
) -> Pairs:
    group, first, second, left, right = cells
    n = np.int64(ratings.n_coders)
    keys, pair = np.unique((group * n + first) * n + second, return_inverse=True)
    table = WideRatings(2, ratings.n_categories, len(keys), pair, weight, (left, right))
    return Pairs(table, keys // (n * n), keys // n % n, keys % n, to_items)


def _pair_triples(ratings: LongRatings) -> Pairs:
    one, two = pairs_within(ratings.item)
    swap = ratings.coder[one] > ratings.coder[two]
    one, two = np.where(swap, two, one), np.where(swap, one, two)
    item = ratings.item[one]
    group = np.zeros(len(item), np.int64) if ratings.group is None else ratings.group[item]
    n, k = np.int64(ratings.n_coders), np.int64(ratings.n_categories)
    key = (((group * n + ratings.coder[one]) * n + ratings.coder[two]) * k + ratings.code[one]) * k + ratings.code[two]
    keys, cell = np.unique(key, return_inverse=True)
    weight = np.bincount(cell, None if ratings.weight is None else ratings.weight[item], minlength=len(keys))
    cells = keys // (k * k * n * n), keys // (k * k * n) % n, keys // (k * k) % n, keys // k % k, keys % k
    return _assemble(
        ratings,
        cells,
        weight.astype(float),
        lambda values: np.bincount(item, values[cell], minlength=ratings.n_items),
    )


def _pair_columns(ratings: WideRatings) -> Pairs:
    """Column against column; the table of a pair has a side more for "not rated", which is then left out."""
    coders = list(combinations(range(ratings.n_coders), 2))
    tables = _tables_at_once(ratings) or [_table(ratings, *pair) for pair in coders]
    sizes = [table.n_items for table in tables]
    stops = np.cumsum([0, *sizes])
    cells = (
        _join([np.zeros(t.n_items, np.int64) if t.group is None else t.group for t in tables]),
        np.repeat(np.array([g for g, _ in coders], np.int64), sizes),
        np.repeat(np.array([h for _, h in coders], np.int64), sizes),
        _join([t.codes[0] for t in tables]),
        _join([t.codes[1] for t in tables]),
    )

    def to_items(values: Array) -> Array:
        out = np.zeros(ratings.n_items)
        for number, pair in enumerate(coders):
            out += _look_up(ratings, pair, tables[number], values[stops[number] : stops[number + 1]])
        return out

    return _assemble(ratings, cells, _join([t.weights for t in tables]), to_items)


def _tables_at_once(ratings: WideRatings) -> list[WideRatings] | None:
    plain = ratings.group is None and ratings.weight is None
    return tables_of_pairs(ratings.codes, ratings.n_categories) if plain else None


def _table(ratings: WideRatings, g: int, h: int) -> WideRatings:
    one, two = ratings.codes[g], ratings.codes[h]
    table = tabulate(ratings.group, one, two, ratings.n_groups, ratings.n_categories, ratings.weight)
    return table.select((table.codes[0] >= 0) & (table.codes[1] >= 0))


def _look_up(ratings: WideRatings, pair: tuple[int, int], table: WideRatings, values: Array) -> Array:
    """The value of the cell that each item falls in, 0 where a label is missing; the cells of a table are ascending."""
    side = ratings.n_categories + 1
    known = fuse(table.group, table.codes[0], table.codes[1], side, np.int64)
    wanted = fuse(ratings.group, ratings.codes[pair[0]], ratings.codes[pair[1]], side, np.int64)
    if not is_sparse(ratings.n_groups, side, ratings.n_items):
        everywhere = np.zeros(ratings.n_groups * side * side)
        everywhere[known] = values
        return everywhere[wanted]
    place = np.minimum(np.searchsorted(known, wanted), max(len(known) - 1, 0))
    return np.where(known[place] == wanted, values[place], 0.0) if len(known) else np.zeros(ratings.n_items)


def _join(parts: list[Array]) -> Array:
    return np.concatenate(parts) if parts else np.zeros(0, np.int64)
