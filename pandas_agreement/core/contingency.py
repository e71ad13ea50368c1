"""The tables of two coders: ten million rows become K x K weighted items. Only numpy here."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pandas_agreement.core.category_counts import blocks
from pandas_agreement.core.ratings import WideRatings

Array = NDArray[Any]

MAX_16_BIT_CELLS = 1 << 15  # cells that 16 bits can number


def tabulate(
    group: Array | None, first: Array, second: Array, n_groups: int, n_categories: int, weight: Array | None = None
) -> WideRatings:
    """Two coders' labels as weighted items, ascending: one for each group and pair of labels that occurs."""
    side = n_categories + 1
    if is_sparse(n_groups, side, len(first)) or weight is not None:
        cells, where = np.unique(fuse(group, first, second, side, np.int64), return_inverse=True)
        weight = np.bincount(where, weight, minlength=len(cells))
        return _weighted(cells, weight, n_groups, n_categories, group is not None)
    table = _count_cells(group, first, second, n_groups * side * side, side)
    return of_table(table, n_groups, n_categories, group is not None)


def of_table(table: Array, n_groups: int, n_categories: int, grouped: bool = False) -> WideRatings:
    """The cells of counted tables (flat, with a row and a column for "not rated" first) as weighted items."""
    cells = np.flatnonzero(table)
    return _weighted(cells, table[cells], n_groups, n_categories, grouped)


def _weighted(cells: Array, weight: Array, n_groups: int, n_categories: int, grouped: bool) -> WideRatings:
    pair, code = np.divmod(cells, n_categories + 1)
    row, first = np.divmod(pair, n_categories + 1)
    small = np.min_scalar_type(-n_categories - 1)
    codes = (first - 1).astype(small), (code - 1).astype(small)
    return WideRatings(2, n_categories, n_groups, row if grouped else None, weight.astype(float), codes)


def is_sparse(n_groups: int, side: int, n_items: int) -> bool:
    """Whether tables of all groups would have far more cells than there are items."""
    return n_groups * side * side > max(4 * n_items, 1 << 14)


def fuse(group: Array | None, first: Array, second: Array, side: int, dtype: Any) -> Array:
    """(group, label, label) as one number; labels count from -1."""
    fused = np.multiply(first, dtype(side), dtype=dtype)
    fused += second
    fused += dtype(side + 1)
    if group is not None:
        fused += np.multiply(group, dtype(side * side), dtype=dtype)
    return fused


def _count_cells(group: Array | None, first: Array, second: Array, size: int, side: int) -> Array:
    """A bincount in blocks that stay in the cache, in the smallest type that holds a cell number."""
    small = max(size, side * side) < (1 << 15) and max(first.itemsize, second.itemsize) <= 2
    dtype = np.int16 if small else np.int64
    table = np.zeros(size, np.int64)
    for rows in blocks(len(first)):
        part = None if group is None else group[rows]
        table += np.bincount(fuse(part, first[rows], second[rows], side, dtype), minlength=size)
    return table


# ------------------------------------------------------------------------------------------------- all pairs at once


def tables_of_pairs(codes: tuple[Array, ...], n_categories: int) -> list[WideRatings] | None:
    """The table of every pair of coders, without the gaps; None where there are too many categories for this way.

    Two coders are numbered as one, so that the table of two such twins holds those of four pairs.
    """
    side, n_coders = n_categories + 1, len(codes)
    if side**4 >= MAX_16_BIT_CELLS or n_coders < 4:
        return None
    codes = tuple(code.astype(np.int16, copy=False) for code in codes)
    alone = np.full(len(codes[0]), -1, np.int8)  # the twin of the last of an odd number
    twins = [fuse(None, one, two, side, np.int16) for one, two in zip(codes[::2], (*codes[1::2], alone), strict=False)]
    tables = {}
    for number, twin in enumerate(twins):
        tables[2 * number, 2 * number + 1] = np.bincount(twin, minlength=side**2)
    for g, h in combinations(range(len(twins)), 2):
        four = _count_twins(twins[g], twins[h], side**2).reshape(side, side, side, side)
        for one in (0, 1):
            for two in (0, 1):
                tables[2 * g + one, 2 * h + two] = four.sum((1 - one, 3 - two)).ravel()
    known = np.arange(side) > 0
    rated = np.outer(known, known).ravel()
    return [of_table(tables[pair] * rated, 1, n_categories) for pair in combinations(range(n_coders), 2)]


def _count_twins(first: Array, second: Array, side: int) -> Array:
    table = np.zeros(side * side, np.int64)
    for rows in blocks(len(first)):
        cell = np.multiply(first[rows], np.int16(side), dtype=np.int16)
        cell += second[rows]
        table += np.bincount(cell, minlength=len(table))
    return table
