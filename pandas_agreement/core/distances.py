"""Distances between categories.

Agreement weights w, Krippendorff's difference functions and matrices of the user all become one `Distance` d[k, l]
between categories, 0 on the diagonal. It is the disagreement of the labels k and l: for agreement weights d = 1 - w.
Only numpy here. The forms have the same methods and differ in cost:

- `Nominal`: 0 if the same, 1 if different; never a K x K matrix;
- `Points`: squared Euclidean distance between one point per category; sums over pairs are then sums over values;
- `Table`: a K x K matrix;
- `Formula`: a function of two values, for too many categories for a matrix;
- `Ranks`: Krippendorff's ordinal level, which becomes `Points` once the category totals are known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.category_counts import Counts, DenseCounts
from pandas_agreement.core.classes import dataclass
from pandas_agreement.core.sums import dot
from pandas_agreement.errors import check_memory

MAX_SQUARE = 250_000_000  # entries of a table of all pairs of categories


def check_square(n_categories: int) -> None:
    """Refuse a table of all pairs of categories that would not fit in memory."""
    table = f"a table of all pairs of {n_categories:,} different labels"
    check_memory(table, 8 * n_categories**2, "merge labels, or use icc and limits for numbers", 8 * MAX_SQUARE)


@dataclass(frozen=True, eq=False)
class Distance:
    """Disagreement between categories, `d[k, l] >= 0` and `d[k, k] == 0`."""

    n_categories: int
    name: str
    bounded: bool = True  # distances have a natural maximum of 1
    negative_type: bool = False  # the between-coder variance of the margins is then never negative
    n_chosen: Array | None = None  # (G,) the number of categories of each group, if groups have their own

    @property
    def number(self) -> Any:
        """The number of categories that a coder chooses from."""
        return self.n_categories if self.n_chosen is None else self.n_chosen

    @property
    def sum_of_all(self) -> Any:
        """The sum of the distances between all these categories; those of groups are nominal."""
        return self.total() if self.n_chosen is None else self.n_chosen * (self.n_chosen - 1)

    def in_groups(self, groups: Array) -> Distance:
        """The same distance, for these groups."""
        return self if self.n_chosen is None else replace(self, n_chosen=self.n_chosen[groups])

    def apply(self, shares: Array) -> Array:
        """Mean distance of each category to a label drawn from `shares`: D p, (..., K) -> (..., K)."""
        raise NotImplementedError

    def mean_square(self, shares: Array) -> Array:
        """Mean squared distance of two labels drawn from `shares`: p' (D * D) p, (..., K) -> (...)."""
        raise NotImplementedError

    def sum_over_pairs(self, counts: Counts, group: Array | None) -> Array:
        """Sum of the distances over all ordered pairs of labels of each item: n' D n, (I,)."""
        raise NotImplementedError

    def between(self, one: Array, two: Array, group: Array | None = None) -> Array:
        """Distances of the categories of two arrays, one by one, in the group of each: (N,), (N,) -> (N,)."""
        raise NotImplementedError

    def total(self) -> float:
        """Sum of all K x K distances."""
        raise NotImplementedError

    def as_matrix(self) -> Array:
        """All distances: (..., K, K)."""
        check_square(self.n_categories)
        return self.apply(np.eye(self.n_categories))

    def largest(self, used: Array) -> Array:
        """Largest distance between two categories in use: (..., K) of bool -> (...)."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class Nominal(Distance):
    """0 if the same, 1 if different."""

    negative_type: bool = True

    def apply(self, shares: Array) -> Array:
        return np.einsum("...k->...", shares)[..., None] - shares

    def mean_square(self, shares: Array) -> Array:
        return dot(shares, self.apply(shares))

    def sum_over_pairs(self, counts: Counts, group: Array | None) -> Array:
        sizes = counts.sizes.astype(float)
        return sizes * sizes - counts.squares()

    def between(self, one: Array, two: Array, group: Array | None = None) -> Array:
        return (one != two).astype(float)

    def total(self) -> float:
        return float(self.n_categories * (self.n_categories - 1))

    def largest(self, used: Array) -> Array:
        return np.ones(used.shape[:-1])


@dataclass(frozen=True, eq=False)
class Points(Distance):
    """Squared distance between points; `points` is (..., K, M), one point per category, leading axes are groups."""

    points: Array = None  # type: ignore[assignment]
    negative_type: bool = True

    @property
    def norms(self) -> Array:
        """Squared length of each point: (..., K)."""
        return (self.points**2).sum(-1)

    def apply(self, shares: Array) -> Array:
        size = shares.sum(-1, keepdims=True)
        centre = (shares[..., None] * self.points).sum(-2, keepdims=True)  # (..., 1, M)
        mean_norm = (shares * self.norms).sum(-1, keepdims=True)
        return np.maximum(size * self.norms - 2 * (self.points * centre).sum(-1) + mean_norm, 0.0)

    def mean_square(self, shares: Array) -> Array:
        # of independent x, y with mean 0: E|x - y|^4 = 2 E|x|^4 + 2 (E|x|^2)^2 + 4 E(x'y)^2
        x = self.points - (shares[..., None] * self.points).sum(-2, keepdims=True)  # (..., K, M)
        norms = (x**2).sum(-1)
        spread = (shares[..., None, None] * x[..., :, None] * x[..., None, :]).sum(-3)  # (..., M, M)
        mean_norm, mean_norm_squared = (shares * norms).sum(-1), (shares * norms**2).sum(-1)
        return 2 * mean_norm_squared + 2 * mean_norm**2 + 4 * (spread**2).sum((-2, -1))

    def sum_over_pairs(self, counts: Counts, group: Array | None) -> Array:
        # of r labels x: the sum of (x - y)^2 is 2 (r sum of x^2 - (sum of x)^2)
        points = self.points if self.points.ndim == 3 else self.points[None]  # (G or 1, K, M)
        group = group if len(points) > 1 else None
        squares = counts.dot((points**2).sum(-1), group)
        squared_sums = sum(counts.dot(points[..., m], group) ** 2 for m in range(points.shape[-1]))
        disagreement = np.maximum(2 * (counts.sizes * squares - squared_sums), 0.0)
        unanimous = counts.squares() == counts.sizes.astype(float) ** 2
        return np.where(unanimous, 0.0, disagreement)  # exactly 0, whatever rounding left

    def between(self, one: Array, two: Array, group: Array | None = None) -> Array:
        if self.points.ndim < 3 or group is None:
            points = self.points[(0,) * (self.points.ndim - 2)]
            return ((points[one] - points[two]) ** 2).sum(-1)
        return ((self.points[group, one] - self.points[group, two]) ** 2).sum(-1)

    def as_matrix(self) -> Array:
        check_square(self.n_categories)
        return ((self.points[..., :, None, :] - self.points[..., None, :, :]) ** 2).sum(-1)

    def total(self) -> float:
        centre = self.points.sum(-2)
        return float(2 * (self.n_categories * self.norms.sum() - (centre**2).sum()))

    def largest(self, used: Array) -> Array:
        # exact on a line; distances on a circle are bounded by 1 and need no largest one
        low, high = _extremes(self.points[..., 0], used)
        return np.where(high > low, (high - low) ** 2, 1.0)


@dataclass(frozen=True, eq=False)
class Table(Distance):
    """A K x K matrix; `matrix` is symmetric, `directed` is the asymmetric original if there is one."""

    matrix: Array = None  # type: ignore[assignment]
    directed: Array | None = None

    def apply(self, shares: Array) -> Array:
        return shares @ self.matrix

    def mean_square(self, shares: Array) -> Array:
        return (shares * (shares @ self.matrix**2)).sum(-1)

    def sum_over_pairs(self, counts: Counts, group: Array | None) -> Array:
        return counts.quadratic(self.matrix)

    def between(self, one: Array, two: Array, group: Array | None = None) -> Array:
        return self.matrix[one, two]

    def total(self) -> float:
        return float(self.matrix.sum())

    def largest(self, used: Array) -> Array:
        return _largest(self.matrix, used)


@dataclass(frozen=True, eq=False)
class Formula(Distance):
    """A function of two values, evaluated some rows of the K x K matrix at a time."""

    values: Array = None  # type: ignore[assignment]
    function: Callable[[Array, Array], Array] = None  # type: ignore[assignment]
    monotone: bool = False  # it grows with |x - y|

    def _rows(self) -> Iterator[tuple[slice, Array]]:
        """Blocks of rows of the matrix, which stay in the processor's cache: (b, K)."""
        step = max(1, (1 << 15) // max(self.n_categories, 1))
        for start in range(0, self.n_categories, step):
            rows = slice(start, start + step)
            yield rows, self.function(self.values[rows, None], self.values)

    def apply(self, shares: Array) -> Array:
        out = np.empty(shares.shape)
        for rows, block in self._rows():
            out[..., rows] = shares @ block.T
        return out

    def mean_square(self, shares: Array) -> Array:
        parts = [(shares[..., rows] * (shares @ (block**2).T)).sum(-1) for rows, block in self._rows()]
        return np.sum(parts, axis=0)

    def sum_over_pairs(self, counts: Counts, group: Array | None) -> Array:
        sparse = counts.sparse() if isinstance(counts, DenseCounts) else counts
        return sparse.over_pairs(self.between)

    def between(self, one: Array, two: Array, group: Array | None = None) -> Array:
        return self.function(self.values[one], self.values[two])

    def total(self) -> float:
        return float(sum(block.sum() for _, block in self._rows()))

    def largest(self, used: Array) -> Array:
        if self.monotone:
            low, high = _extremes(self.values, used)
            return np.where(high > low, self.function(low, high), 1.0)
        return _largest((row for _, block in self._rows() for row in block), used)


def _extremes(values: Array, used: Array) -> tuple[Array, Array]:
    """The smallest and the largest value in use: (..., K) of bool -> (...)."""
    low = np.where(used, values, np.inf).min(-1, initial=np.inf)
    return low, np.where(used, values, -np.inf).max(-1, initial=-np.inf)


def _largest(rows: Iterable[Array], used: Array) -> Array:
    """Largest distance between categories in use, from the rows of the matrix; 1 without any: (..., K) -> (...)."""
    largest = np.zeros(used.shape[:-1])
    for category, row in enumerate(rows):  # (..., K) at a time, never (..., K, K)
        farthest = np.where(used, row, 0.0).max(-1, initial=0.0)
        largest = np.maximum(largest, np.where(used[..., category], farthest, 0.0))
    return np.where(largest > 0, largest, 1.0)


@dataclass(frozen=True, eq=False)
class Ranks(Distance):
    """Krippendorff's ordinal level: the value of a category is its mid-rank, which depends on the category totals."""

    bounded: bool = False
    order: Array = None  # type: ignore[assignment]

    def at(self, totals: Array) -> Points:
        """The distances between the mid-ranks of these category totals (..., K)."""
        ranks = np.empty(totals.shape)
        ranks[..., self.order] = totals[..., self.order].cumsum(-1) - totals[..., self.order] / 2
        mean = (ranks * totals).sum(-1, keepdims=True) / np.maximum(totals.sum(-1, keepdims=True), 1)
        centred = (ranks - mean)[..., None]  # their squares stay small
        return Points(self.n_categories, self.name, bounded=False, n_chosen=self.n_chosen, points=centred)
