"""Stuart and Maxwell's, Bhapkar's and Bowker's tests for many categories, from the cells in use.

The numbers are those of `margins`, which needs tables of K x K cells. Time and memory grow with the number of different
pairs of labels that occur. Only numpy here, and scipy.sparse for connected categories and for sums over them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.hypothesis_tests.margins import Test, bhapkar_of, chi2_tested

TOLERANCE = 1e-13  # of the solution of the equations of Stuart and Maxwell's test, relative


@dataclass(frozen=True, eq=False)
class Confusions:
    """The confused categories of one pair of coders: first label, second label, number of items, (N,) each."""

    first: Array
    second: Array
    number: Array
    n_items: float  # items, agreement included

    @classmethod
    def of(cls, first: Array, second: Array, number: Array) -> Confusions:
        """From all cells of a table; categories without a confusion have no part in the tests."""
        off = first != second
        _, code = np.unique(np.concatenate([first[off], second[off]]), return_inverse=True)
        one, two = np.split(code, 2)
        return cls(one, two, number[off].astype(float), float(number.sum()))

    @cached_property
    def n_categories(self) -> int:
        return int(np.concatenate([self.first, self.second]).max(initial=-1)) + 1

    @cached_property
    def difference(self) -> Array:
        """Difference of the margins: (K,)."""
        one, two = (np.bincount(c, self.number, minlength=self.n_categories) for c in (self.first, self.second))
        return one - two

    @cached_property
    def matrix(self) -> Any:
        """Items that confuse two categories in either direction: (K, K), sparse and symmetric."""
        from scipy.sparse import coo_array

        where = np.concatenate([self.first, self.second]), np.concatenate([self.second, self.first])
        shape = self.n_categories, self.n_categories
        return coo_array((np.tile(self.number, 2), where), shape=shape).tocsr()


def stuart_maxwell(table: Confusions) -> tuple[float, float]:
    """The statistic d'V^{-1}d and its degrees of freedom."""
    from scipy.sparse import csgraph

    if table.n_categories == 0:
        return 0.0, 0.0
    n_parts, _ = csgraph.connected_components(table.matrix, directed=False)
    return float(table.difference @ _solved(table)), float(table.n_categories - n_parts)


def _solved(table: Confusions) -> Array:
    """The solution x of V x = d, by conjugate gradients; V is the Laplacian of the graph of confusions.

    V is singular on the constants of each connected part, to which d is orthogonal, so that a solution exists.
    """
    degree = table.matrix.sum(1)
    x, left = np.zeros(table.n_categories), table.difference.copy()
    scaled = left / degree
    step, size = scaled.copy(), float(left @ scaled)
    start = size
    for _ in range(10 * table.n_categories):
        if size <= TOLERANCE**2 * start or size == 0:
            break
        change = degree * step - table.matrix @ step
        length = size / float(step @ change)
        x, left = x + length * step, left - length * change
        scaled = left / degree
        size, before = float(left @ scaled), size
        step = scaled + size / before * step
    return x


def bowker(table: Confusions) -> tuple[float, float]:
    """The statistic, and the number of pairs of categories that were confused."""
    low, high = np.minimum(table.first, table.second), np.maximum(table.first, table.second)
    _, pair = np.unique(low.astype(np.int64) * max(table.n_categories, 1) + high, return_inverse=True)
    signed = np.bincount(pair, np.where(table.first < table.second, table.number, -table.number))
    total = np.bincount(pair, table.number)
    return float((signed**2 / total).sum()), float(len(total))


STATISTICS: dict[str, Callable[[Confusions], tuple[float, float]]] = {
    "stuart_maxwell": stuart_maxwell,
    "bhapkar": stuart_maxwell,  # a function of the same statistic
    "bowker": bowker,
}


def run(name: str, tables: list[Confusions]) -> Test:
    """One test of each table."""
    statistic, df = np.array([STATISTICS[name](table) for table in tables], float).reshape(-1, 2).T
    n = np.array([table.n_items for table in tables], float)
    test = chi2_tested(statistic, df, n)
    return bhapkar_of(test, n) if name == "bhapkar" else test
