"""Items with the same labels as one weighted item: ten million rows become K x K items. Only numpy here."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import combinations
from typing import Any

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.category_counts import ROWS_PER_BLOCK, DenseCounts, blocks
from pandas_agreement.core.ratings import LongRatings, Ratings, WideRatings
from pandas_agreement.core.scores import Scores

MAX_16_BIT_CELLS = 1 << 15  # cells that a signed 16-bit integer can number
MAX_PATTERNS = 1 << 62  # possible patterns of labels that an int64 can number
MIN_ITEMS_PER_PATTERN = 4  # from which on possible patterns are few
MAX_CODERS = 62  # coders of long ratings that are pivoted; more have too many patterns
Codes = Sequence[Array]  # (I,) of each coder


def tabulate(
    group: Array | None, codes: Codes, n_groups: int, n_categories: int, weight: Array | None = None
) -> WideRatings:
    """The labels of coders as one weighted item per group and combination of labels that occurs, ascending."""
    if is_sparse(n_groups, n_categories + 1, len(codes[0]), len(codes)):
        return sort_cells(group, codes, n_groups, n_categories, weight)[0]
    table = _count_cells(group, codes, weight, n_groups, n_categories + 1)
    return of_table(table, n_groups, n_categories, group is not None, len(codes))


def sort_cells(
    group: Array | None, codes: Codes, n_groups: int, n_categories: int, weight: Array | None = None
) -> tuple[WideRatings, Array]:
    """The same by sorting the cells of the items, and the cell of each item: (I,)."""
    cells, cell = np.unique(fuse(group, codes, n_categories + 1, np.int64), return_inverse=True)
    weight = np.bincount(cell, weight, minlength=len(cells))
    return _weighted(cells, weight, n_groups, n_categories, group is not None, len(codes)), cell


def of_table(table: Array, n_groups: int, n_categories: int, grouped: bool = False, n_coders: int = 2) -> WideRatings:
    """Flat tables of counts as weighted items; place 0 of each axis of a table is "not rated"."""
    cells = np.flatnonzero(table > 0)
    return _weighted(cells, table[cells], n_groups, n_categories, grouped, n_coders)


def _weighted(
    cells: Array, weight: Array, n_groups: int, n_categories: int, grouped: bool, n_coders: int
) -> WideRatings:
    codes: list[Array] = []
    for _ in range(n_coders):
        rest = cells // (n_categories + 1)  # faster than divmod, which numpy does not vectorize
        codes.insert(0, (cells - rest * (n_categories + 1) - 1).astype(np.min_scalar_type(-n_categories - 1)))
        cells = rest
    group = cells if grouped else None
    return WideRatings(n_coders, n_categories, n_groups, group, weight.astype(float), tuple(codes))


def is_sparse(n_groups: int, side: int, n_items: int, n_coders: int = 2) -> bool:
    """Whether the tables of all groups have far more cells than there are items."""
    return n_groups * side**n_coders > max(4 * n_items, 1 << 14)


def fuse(group: Array | None, codes: Codes, side: int, dtype: Any) -> Array:
    """The cell number of (group, code, code, ...); codes count from -1."""
    n_cells = side ** len(codes)
    if group is not None and n_cells < MAX_16_BIT_CELLS and _are_short(codes):
        fused = np.multiply(group, dtype(n_cells), dtype=dtype)
        fused += fuse(None, codes, side, np.int16)  # few bytes, so that the large numbers are passed twice only
        return fused
    fused = codes[0].astype(dtype)
    for code in codes[1:]:
        fused *= dtype(side)
        fused += code
    fused += dtype(sum(side**place for place in range(len(codes))))
    if group is not None:
        fused += np.multiply(group, dtype(n_cells), dtype=dtype)
    return fused


def _are_short(codes: Codes) -> bool:
    return max(code.itemsize for code in codes) <= 2


def _count_cells(group: Array | None, codes: Codes, weight: Array | None, n_groups: int, side: int) -> Array:
    """Items in each cell, counted in blocks that stay in the cache."""
    n_cells = side ** len(codes)
    size, dtype = n_groups * n_cells, cell_type(max(n_groups, 1) * n_cells, codes)

    def count(rows: slice) -> Array:
        block_group, block_weight = (None if part is None else part[rows] for part in (group, weight))
        cells = fuse(block_group, [code[rows] for code in codes], side, dtype)
        return np.bincount(cells, block_weight, minlength=size)

    parts = blocks(len(codes[0]), max(ROWS_PER_BLOCK, 4 * size))  # larger tables leave the cache in any case
    return reduce(np.add, map(count, parts)) if len(codes[0]) else np.zeros(size, np.int64)


def cell_type(n_cells: int, codes: Codes) -> Any:
    """The type of cell numbers: 16 bits where they suffice."""
    return np.int16 if n_cells < MAX_16_BIT_CELLS and _are_short(codes) else np.int64


def look_up(table: WideRatings, values: Array, group: Array | None, codes: Codes) -> Array:
    """The value of each item's cell, from a value of each cell of a table; 0 for other cells: (I,)."""
    side = table.n_categories + 1
    every = np.zeros(table.n_groups * side ** len(codes), values.dtype)
    every[fuse(table.group, table.codes, side, np.int64)] = values
    dtype = cell_type(max(len(every), side ** len(codes)), codes)
    out = np.empty(len(codes[0]), values.dtype)
    for rows in blocks(len(out)):
        out[rows] = every[fuse(None if group is None else group[rows], [code[rows] for code in codes], side, dtype)]
    return out


def tables_of_pairs(codes: tuple[Array, ...], n_categories: int) -> list[WideRatings] | None:
    """The contingency table of every pair of coders, without missing labels; None for too many categories.

    The labels of two coders are fused into one code. The table of two fused codes then holds the tables of four pairs.
    """
    side, n_coders = n_categories + 1, len(codes)
    if side**4 >= MAX_16_BIT_CELLS or n_coders < 4:
        return None
    codes = tuple(code.astype(np.int16, copy=False) for code in codes)
    unrated = np.full(len(codes[0]), -1, np.int8)  # completes an odd number of coders
    couples = zip(codes[::2], (*codes[1::2], unrated), strict=False)
    fused = [fuse(None, (one, two), side, np.int16) for one, two in couples]
    tables = {}
    for number, couple in enumerate(fused):
        tables[2 * number, 2 * number + 1] = np.bincount(couple, minlength=side**2)
    for g, h in combinations(range(len(fused)), 2):
        four = _count_fused(fused[g], fused[h], side**2).reshape(side, side, side, side)
        for one in (0, 1):
            for two in (0, 1):
                tables[2 * g + one, 2 * h + two] = four.sum((1 - one, 3 - two)).ravel()
    rated = np.ones((side, side), np.int64)
    rated[0] = rated[:, 0] = 0
    return [of_table(tables[pair] * rated.ravel(), 1, n_categories) for pair in combinations(range(n_coders), 2)]


def _count_fused(first: Array, second: Array, side: int) -> Array:
    table = np.zeros(side * side, np.int64)
    for rows in blocks(len(first)):
        cell = np.multiply(first[rows], np.int16(side), dtype=np.int16)
        cell += second[rows]
        table += np.bincount(cell, minlength=len(table))
    return table


# ---------------------------------------------------------------------------------------------- patterns of any ratings


def distinct(ratings: Ratings, coders: bool) -> Ratings:
    """The distinct patterns of labels, weighted by how often they occur.

    Without `coders` two items with the same counts have the same pattern. With too many possible patterns to number
    the ratings are returned as they are.
    """
    if ratings.n_items < 2 or isinstance(ratings, Scores):
        return ratings
    if not coders:
        return _same_counts(ratings)
    wide = ratings.as_wide() if isinstance(ratings, LongRatings) and ratings.n_coders <= MAX_CODERS else ratings
    if not isinstance(wide, WideRatings) or _n_patterns(wide) >= MAX_PATTERNS:
        return ratings
    return _merged(wide)


def merge_if_few(ratings: Ratings) -> Ratings:
    """The distinct patterns of wide ratings, if far fewer patterns than items are possible."""
    return _merged(ratings) if isinstance(ratings, WideRatings) and _are_few(ratings) else ratings


def pattern_of_items(ratings: Ratings) -> tuple[Ratings, Array | None]:
    """The same, and the pattern of each item: (I,), or None for ratings as they are."""
    if not isinstance(ratings, WideRatings) or not _are_few(ratings):
        return ratings, None
    merged = _merged(ratings)
    return merged, look_up(merged, np.arange(merged.n_items), ratings.group, ratings.codes)


def _merged(ratings: WideRatings) -> WideRatings:
    return tabulate(ratings.group, ratings.codes, ratings.n_groups, ratings.n_categories, ratings.weight)


def _are_few(ratings: WideRatings) -> bool:
    return MIN_ITEMS_PER_PATTERN * _n_patterns(ratings) <= ratings.n_items


def _n_patterns(ratings: Ratings) -> int:
    return ratings.n_groups * (ratings.n_categories + 1) ** ratings.n_coders


def _same_counts(ratings: Ratings) -> Ratings:
    """Items with the same number of labels in each category as one."""
    counts, most = ratings.counts, int(ratings.sizes.max(initial=0))
    if (
        not isinstance(counts, DenseCounts)
        or not ratings.n_categories
        or ratings.n_groups * (most + 1) ** ratings.n_categories >= MAX_PATTERNS
    ):
        return ratings
    codes = counts.counts.astype(np.min_scalar_type(-most - 1)) - 1  # a count is a code from -1, a category a coder
    merged = tabulate(ratings.group, list(codes), ratings.n_groups, most, ratings.weight)
    table = (np.stack(merged.codes) + 1).astype(counts.counts.dtype)
    return LongRatings.of_counts(table, ratings.n_groups, merged.group, merged.weight)
