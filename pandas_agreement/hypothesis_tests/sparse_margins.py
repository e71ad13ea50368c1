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
from pandas_agreement.core.progress import NO_BAR, Steps
from pandas_agreement.hypothesis_tests.margins import Test, bhapkar_of, chi2_tested

TOLERANCE = 1e-13  # of the solution of the equations of Stuart and Maxwell's test, relative
MAX_ROUNDS = 100  # of removing the categories that are confused with one other alone


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
    def edges(self) -> tuple[Array, Array, Array, Array]:
        """Pairs of confused categories: low, high, items in either direction, and how many more have `low` first."""
        low, high = np.minimum(self.first, self.second), np.maximum(self.first, self.second)
        width = np.int64(max(self.n_categories, 1))
        keys, pair = np.unique(low * width + high, return_inverse=True)
        signed = np.bincount(pair, np.where(self.first < self.second, self.number, -self.number), minlength=len(keys))
        return keys // width, keys % width, np.bincount(pair, self.number, minlength=len(keys)), signed

    @cached_property
    def stuart_maxwell(self) -> tuple[float, float]:
        """The statistic d'V^{-1}d and its degrees of freedom; V is the Laplacian of the graph of confusions."""
        from scipy.sparse import csgraph

        if self.n_categories == 0:
            return 0.0, 0.0
        low, high, number, _ = self.edges
        n_parts, _ = csgraph.connected_components(symmetric(low, high, number, self.n_categories), directed=False)
        statistic, rest = without_leaves(low, high, number, self.difference)
        return statistic + solved(*rest), float(self.n_categories - n_parts)


def symmetric(low: Array, high: Array, number: Array, n: int) -> Any:
    """Items that confuse two categories: (n, n), sparse."""
    from scipy.sparse import coo_array

    where = np.concatenate([low, high]), np.concatenate([high, low])
    return coo_array((np.tile(number, 2), where), shape=(n, n)).tocsr()


Graph = tuple[Array, Array, Array, Array]  # low, high, number of each edge; difference of the margins of each category


def without_leaves(low: Array, high: Array, number: Array, difference: Array) -> tuple[float, Graph]:
    """The part of d'V^{-1}d of categories confused with one other alone, and the graph without them.

    With many categories most are such. What a leaf has too much goes to its neighbour: the edge adds its square over
    the number of items, exactly. Long chains are left to `solved`.
    """
    left, total = difference.copy(), 0.0
    for _ in range(MAX_ROUNDS):
        degree = np.bincount(np.concatenate([low, high]), minlength=len(left))
        is_low = degree[low] == 1
        leaf = is_low | (degree[high] == 1)
        if not leaf.any():
            break
        end, other = np.where(is_low, low, high)[leaf], np.where(is_low, high, low)[leaf]
        total += float((left[end] ** 2 / number[leaf]).sum())
        np.add.at(left, other, left[end])
        low, high, number = low[~leaf], high[~leaf], number[~leaf]
    used, code = np.unique(np.concatenate([low, high]), return_inverse=True)
    one, two = np.split(code, 2)
    return total, (one, two, number, left[used])


def solved(low: Array, high: Array, number: Array, difference: Array) -> float:
    """d'x of the solution x of V x = d, by conjugate gradients.

    V is singular on the constants of each connected part, to which d is orthogonal, so that a solution exists.
    """
    matrix = symmetric(low, high, number, len(difference))
    degree = matrix.sum(1)
    x, left = np.zeros(len(difference)), difference.copy()
    scaled = left / degree
    step, size = scaled.copy(), float(left @ scaled)
    start = size
    for _ in range(10 * len(difference)):
        if size <= TOLERANCE**2 * start or size == 0:
            break
        change = degree * step - matrix @ step
        length = size / float(step @ change)
        x, left = x + length * step, left - length * change
        scaled = left / degree
        size, before = float(left @ scaled), size
        step = scaled + size / before * step
    return float(difference @ x)


def bowker(table: Confusions) -> tuple[float, float]:
    """The statistic, and the number of pairs of categories that were confused."""
    _, _, total, signed = table.edges
    return float((signed**2 / total).sum()), float(len(total))


STATISTICS: dict[str, Callable[[Confusions], tuple[float, float]]] = {
    "stuart_maxwell": lambda table: table.stuart_maxwell,
    "bhapkar": lambda table: table.stuart_maxwell,  # a function of the same statistic
    "bowker": bowker,
}


def run(name: str, tables: list[Confusions], steps: Steps = NO_BAR) -> Test:
    """One test of each table."""
    statistic, df = np.array([steps.done(STATISTICS[name](table)) for table in tables], float).reshape(-1, 2).T
    n = np.array([table.n_items for table in tables], float)
    test = chi2_tested(statistic, df, n)
    return bhapkar_of(test, n) if name == "bhapkar" else test
