"""Contingency tables of two coders, stored as weighted items: ten million rows become K x K items. Only numpy here."""

from __future__ import annotations

from functools import reduce
from itertools import combinations
from typing import Any

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.category_counts import ROWS_PER_BLOCK, blocks
from pandas_agreement.core.ratings import WideRatings

MAX_16_BIT_CELLS = 1 << 15  # cells that a signed 16-bit integer can number


def tabulate(
    group: Array | None, first: Array, second: Array, n_groups: int, n_categories: int, weight: Array | None = None
) -> WideRatings:
    """Contingency tables of two coders, one weighted item per group and pair of labels that occurs, ascending."""
    side = n_categories + 1
    if is_sparse(n_groups, side, len(first)):
        return sort_cells(group, first, second, n_groups, n_categories, weight)[0]
    table = _count_cells(group, first, second, weight, n_groups * side * side, side)
    return of_table(table, n_groups, n_categories, group is not None)


def sort_cells(
    group: Array | None, first: Array, second: Array, n_groups: int, n_categories: int, weight: Array | None = None
) -> tuple[WideRatings, Array]:
    """The same tables by sorting the cells of the items, and the cell of each item: (I,)."""
    cells, cell = np.unique(fuse(group, first, second, n_categories + 1, np.int64), return_inverse=True)
    weight = np.bincount(cell, weight, minlength=len(cells))
    return _weighted(cells, weight, n_groups, n_categories, group is not None), cell


def of_table(table: Array, n_groups: int, n_categories: int, grouped: bool = False) -> WideRatings:
    """Flat tables of counts as weighted items; row 0 and column 0 of a table are "not rated"."""
    cells = np.flatnonzero(table > 0)
    return _weighted(cells, table[cells], n_groups, n_categories, grouped)


def _weighted(cells: Array, weight: Array, n_groups: int, n_categories: int, grouped: bool) -> WideRatings:
    side = n_categories + 1
    rows = cells // side  # faster than divmod, which numpy does not vectorize
    group, second = rows // side, cells - rows * side
    first = rows - group * side
    dtype = np.min_scalar_type(-n_categories - 1)
    codes = (first - 1).astype(dtype), (second - 1).astype(dtype)
    return WideRatings(2, n_categories, n_groups, group if grouped else None, weight.astype(float), codes)


def is_sparse(n_groups: int, side: int, n_items: int) -> bool:
    """Whether the tables of all groups have far more cells than there are items."""
    return n_groups * side * side > max(4 * n_items, 1 << 14)


def fuse(group: Array | None, first: Array, second: Array, side: int, dtype: Any) -> Array:
    """The cell number of (group, code, code); codes count from -1."""
    if group is not None and side * side < MAX_16_BIT_CELLS and max(first.itemsize, second.itemsize) <= 2:
        fused = np.multiply(group, dtype(side * side), dtype=dtype)
        fused += fuse(None, first, second, side, np.int16)  # few bytes, so that the large numbers are passed twice only
        return fused
    fused = np.multiply(first, dtype(side), dtype=dtype)
    fused += second
    fused += dtype(side + 1)
    if group is not None:
        fused += np.multiply(group, dtype(side * side), dtype=dtype)
    return fused


def _count_cells(group: Array | None, first: Array, second: Array, weight: Array | None, size: int, side: int) -> Array:
    """Items in each cell, counted in blocks that stay in the cache, with 16-bit cell numbers where they suffice."""
    small = max(size, side * side) < MAX_16_BIT_CELLS and max(first.itemsize, second.itemsize) <= 2
    dtype = np.int16 if small else np.int64

    def count(rows: slice) -> Array:
        block_group, block_weight = (None if part is None else part[rows] for part in (group, weight))
        return np.bincount(fuse(block_group, first[rows], second[rows], side, dtype), block_weight, minlength=size)

    parts = blocks(len(first), max(ROWS_PER_BLOCK, 4 * size))  # larger tables leave the cache in any case
    return reduce(np.add, map(count, parts)) if len(first) else np.zeros(size, np.int64)


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
    fused = [fuse(None, one, two, side, np.int16) for one, two in couples]
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
