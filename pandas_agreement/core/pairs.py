"""The contingency tables of all pairs of coders who labelled the same items.

A pair of coders takes the place of a group: what is computed by group is computed by pair in the same way, in one pass.
The columns of wide ratings are tabulated against each other. Long ratings are paired within their items: five labels
per item by thousands of coders make ten pairs per item, and never a table of all coders by all. Only numpy here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.category_counts import coder_pairs_within, renumber
from pandas_agreement.core.classes import dataclass
from pandas_agreement.core.contingency import is_sparse, look_up, sort_cells, tables_of_pairs, tabulate
from pandas_agreement.core.ratings import LongRatings, Ratings, WideRatings
from pandas_agreement.errors import check_memory

MAX_BYTES = 4 * 10**9  # for the tables of all pairs of coders
BYTES_PER_PAIR, BYTES_PER_CELL = 1000, 150  # measured


@dataclass(frozen=True, eq=False)
class Pairs:
    """P pairs of coders within groups, sorted by group and coders."""

    ratings: WideRatings  # one weighted item per cell; its group is the number of the pair
    owner: Array  # (P,) the group of each pair
    first: Array  # (P,) its coders
    second: Array
    to_items: Callable[[Array], Array]  # one value per cell -> its sum over the pairs of labels of each item: (I,)

    def tables(self, n_groups: int, chosen: Array, dtype: Any = float) -> Array:
        """The contingency tables of the chosen pairs (P,) of bool, summed by group: (G, K, K)."""
        cells, own = self.ratings, chosen[self.ratings.item_group]
        table = np.zeros((n_groups, cells.n_categories, cells.n_categories), dtype)
        owner = self.owner[cells.item_group[own]]
        np.add.at(table, (owner, cells.codes[0][own], cells.codes[1][own]), cells.weights[own].astype(dtype))
        return table


def pair_up(ratings: Ratings, every: bool = False) -> Pairs:
    """The tables of all pairs of coders; with `every` also of pairs without a common item."""
    if isinstance(ratings, LongRatings):
        dense = 4 * len(ratings.item) > ratings.n_items * ratings.n_coders
        pairs = _pair_columns(ratings.as_wide()) if dense else _pair_labels(ratings.by_item)
    elif isinstance(ratings, WideRatings):
        pairs = _pair_columns(ratings)
    else:
        raise TypeError("pairs of coders need ratings with the coder of each label")
    return _with_empty_pairs(pairs, ratings) if every else pairs


def _with_empty_pairs(pairs: Pairs, ratings: Ratings) -> Pairs:
    """All pairs of coders of all groups, with or without a common item."""
    check_size(ratings, ratings.n_groups, 0)
    n = np.int64(ratings.n_coders)
    first, second = np.triu_indices(ratings.n_coders, 1)
    keys = (np.arange(ratings.n_groups)[:, None] * n * n + first * n + second).ravel()
    number = np.searchsorted(keys, (pairs.owner * n + pairs.first) * n + pairs.second)
    group = np.zeros(0, np.int64) if pairs.ratings.group is None else number[pairs.ratings.group]
    return _of_keys(keys, n, replace(pairs.ratings, group=group, n_groups=len(keys)), pairs.to_items)


def _of_keys(keys: Array, n: np.int64, table: WideRatings, to_items: Callable[[Array], Array]) -> Pairs:
    """Pairs of n coders by their keys, (group * n + coder) * n + coder."""
    return Pairs(table, keys // (n * n), keys // n % n, keys % n, to_items)


def check_size(ratings: Ratings, n_groups: int, n_cells: int) -> None:
    """Raise before the memory for all pairs of coders is taken, in some groups, with so many cells each."""
    n_pairs = ratings.n_coders * (ratings.n_coders - 1) // 2
    need = n_pairs * (n_groups * BYTES_PER_PAIR + n_cells * BYTES_PER_CELL)
    tables = f"{ratings.n_coders:,} coders make {n_pairs:,} pairs, whose tables"
    remedy = "name fewer coders, or leave out by= and full=" if n_groups > 1 else "name fewer coders"
    check_memory(tables, need, remedy, MAX_BYTES)


def _assemble(
    ratings: Ratings, pair: Array, codes: tuple[Array, ...], weight: Array, to_items: Callable[[Array], Array]
) -> Pairs:
    """The pairs of weighted cells, from the key of the pair and the codes of each cell."""
    number, keys = renumber(pair, ratings.n_groups * ratings.n_coders**2)
    table = WideRatings(2, ratings.n_categories, len(keys), number, weight, codes)
    return _of_keys(keys, np.int64(ratings.n_coders), table, to_items)


def _pair_labels(ratings: LongRatings) -> Pairs:
    one, two = coder_pairs_within(ratings.item, ratings.coder)
    item = ratings.item[one]
    n, k = np.int64(ratings.n_coders), np.int64(ratings.n_categories)
    pair = (ratings.item_group[item] * n + ratings.coder[one]) * n + ratings.coder[two]
    keys, cell = np.unique((pair * k + ratings.code[one]) * k + ratings.code[two], return_inverse=True)
    weight = np.bincount(cell, None if ratings.weight is None else ratings.weight[item], minlength=len(keys))

    def to_items(values: Array) -> Array:
        return np.bincount(item, values[cell], minlength=ratings.n_items)

    return _assemble(ratings, keys // (k * k), (keys // k % k, keys % k), weight.astype(float), to_items)


def _pair_columns(ratings: WideRatings) -> Pairs:
    check_size(ratings, 1, min(ratings.n_groups * ratings.n_categories**2, ratings.n_items))
    coders = list(combinations(range(ratings.n_coders), 2))
    plain = ratings.n_groups == 1 and ratings.weight is None
    quick = tables_of_pairs(ratings.codes, ratings.n_categories) if plain else None
    found = [(table, None) for table in quick] if quick else [_table(ratings, *pair) for pair in coders]
    tables = [table for table, _ in found]
    stops = np.cumsum([0, *(table.n_items for table in tables)])
    n = np.int64(ratings.n_coders)
    pair = _join([(table.item_group * n + g) * n + h for table, (g, h) in zip(tables, coders, strict=True)])
    codes = _join([table.codes[0] for table in tables]), _join([table.codes[1] for table in tables])

    def to_items(values: Array) -> Array:
        out = np.zeros(ratings.n_items)
        used = np.unique(np.searchsorted(stops, np.flatnonzero(values), "right") - 1).tolist()  # often few of all pairs
        for number in used:
            table, cell = found[number]
            out += _look_up(ratings, coders[number], table, cell, values[stops[number] : stops[number + 1]])
        return out

    return _assemble(ratings, pair, codes, _join([table.weights for table in tables]), to_items)


def _table(ratings: WideRatings, g: int, h: int) -> tuple[WideRatings, Array | None]:
    """The cells of the table of two coders, without missing labels; of many categories also the cell of each item."""
    arguments = ratings.group, (ratings.codes[g], ratings.codes[h]), ratings.n_groups, ratings.n_categories
    cell = None
    if is_sparse(ratings.n_groups, ratings.n_categories + 1, ratings.n_items):
        table, cell = sort_cells(*arguments, ratings.weight)
    else:
        table = tabulate(*arguments, ratings.weight)
    rated = (table.codes[0] >= 0) & (table.codes[1] >= 0)
    number = None if cell is None else np.where(rated, np.cumsum(rated) - 1, -1).astype(np.int32)[cell]
    return table.select(rated), number


def _look_up(
    ratings: WideRatings, pair: tuple[int, int], table: WideRatings, cell: Array | None, values: Array
) -> Array:
    """The value of each item's cell, 0 where a label is missing."""
    if cell is not None:
        return np.append(values, 0.0)[cell]
    return look_up(table, values, ratings.group, [ratings.codes[coder] for coder in pair])


def _join(parts: list[Array]) -> Array:
    return np.concatenate(parts) if parts else np.zeros(0, np.int64)
