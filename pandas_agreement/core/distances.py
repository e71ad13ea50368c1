"""How far apart two categories are.

Every weight, level and user matrix ends up as one `Distance` d[k, l] between categories (0 on the diagonal): agreement
weights w are 1 - d. Three forms are enough, and each answers the same questions. Only numpy here.

- `Nominal`: same or different, never a K x K matrix;
- `Points`: squared Euclidean distance between points, one a category, so that sums over pairs are sums over values;
- `Table`: a K x K matrix.

`Ranks` becomes `Points` once the category totals are known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pandas_agreement.core.category_counts import Counts, DenseCounts

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Distance:
    """Disagreement between categories, `d[k, l] >= 0` and `d[k, k] == 0`."""

    n_categories: int
    name: str
    bounded: bool = True  # distances have a natural maximum of 1
    negative_type: bool = False  # between-coder variance of the margins is then never negative

    def apply(self, shares: Array) -> Array:
        """Mean distance of each category to labels drawn from `shares`: (..., K) -> (..., K)."""
        raise NotImplementedError

    def within(self, counts: Counts, group: Array | None) -> Array:
        """Sum of distances over all ordered pairs of labels of each item: (I,)."""
        raise NotImplementedError

    def total(self) -> float:
        """Sum of all K x K distances."""
        raise NotImplementedError

    def between(self) -> Array:
        """All distances: (..., K, K)."""
        return self.apply(np.eye(self.n_categories))

    def largest(self, used: Array) -> Array:
        """Largest distance between two categories in use: (..., K) bool -> (...)."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class Nominal(Distance):
    """0 if the same, 1 if different."""

    negative_type: bool = True

    def apply(self, shares: Array) -> Array:
        return shares.sum(-1, keepdims=True) - shares

    def within(self, counts: Counts, group: Array | None) -> Array:
        sizes = counts.sizes.astype(float)
        return sizes * sizes - counts.squares()

    def total(self) -> float:
        return float(self.n_categories * (self.n_categories - 1))

    def largest(self, used: Array) -> Array:
        return np.ones(used.shape[:-1])


@dataclass(frozen=True, eq=False)
class Points(Distance):
    """Squared distance between points; `points` is (..., K, M), leading axes are groups."""

    points: Array = None  # type: ignore[assignment]
    negative_type: bool = True

    @property
    def norms(self) -> Array:  # (..., K)
        return (self.points**2).sum(-1)

    def apply(self, shares: Array) -> Array:
        size = shares.sum(-1, keepdims=True)
        centre = (shares[..., None] * self.points).sum(-2, keepdims=True)  # (..., 1, M)
        spread = (shares * self.norms).sum(-1, keepdims=True)
        return np.maximum(size * self.norms - 2 * (self.points * centre).sum(-1) + spread, 0.0)

    def within(self, counts: Counts, group: Array | None) -> Array:
        points = self.points if self.points.ndim == 3 else self.points[None]  # (G or 1, K, M)
        row = group if len(points) > 1 else None
        squares = counts.dot((points**2).sum(-1), row)
        sums = sum(counts.dot(points[..., m], row) ** 2 for m in range(points.shape[-1]))
        apart = np.maximum(2 * (counts.sizes * squares - sums), 0.0)
        return np.where(counts.squares() == counts.sizes.astype(float) ** 2, 0.0, apart)  # unanimous, exactly

    def between(self) -> Array:
        return ((self.points[..., :, None, :] - self.points[..., None, :, :]) ** 2).sum(-1)

    def total(self) -> float:
        centre = self.points.sum(-2)
        return float(2 * (self.n_categories * self.norms.sum() - (centre**2).sum()))

    def largest(self, used: Array) -> Array:
        # exact on a line; on a circle the bound is 1 and this is never asked
        values = self.points[..., 0]
        low = np.where(used, values, np.inf).min(-1, initial=np.inf)
        high = np.where(used, values, -np.inf).max(-1, initial=-np.inf)
        return np.where(high > low, (high - low) ** 2, 1.0)


@dataclass(frozen=True, eq=False)
class Table(Distance):
    """Any K x K matrix; `matrix` is symmetric, `directed` keeps an asymmetric original."""

    matrix: Array = None  # type: ignore[assignment]
    directed: Array | None = None

    def apply(self, shares: Array) -> Array:
        return shares @ self.matrix

    def within(self, counts: Counts, group: Array | None) -> Array:
        return counts.quadratic(self.matrix)

    def total(self) -> float:
        return float(self.matrix.sum())

    def largest(self, used: Array) -> Array:
        found = np.zeros(used.shape[:-1])
        for category, row in enumerate(self.matrix):  # (..., K) at a time, never (..., K, K)
            farthest = np.where(used, row, 0.0).max(-1, initial=0.0)
            found = np.maximum(found, np.where(used[..., category], farthest, 0.0))
        return np.where(found > 0, found, 1.0)


@dataclass(frozen=True, eq=False)
class Formula(Distance):
    """A function of two values, for categories too many for a K x K matrix."""

    values: Array = None  # type: ignore[assignment]
    function: Callable[[Array, Array], Array] = None  # type: ignore[assignment]

    def _rows(self) -> Iterator[tuple[slice, Array]]:
        """The matrix, some rows at a time: (b, K)."""
        step = max(1, (1 << 22) // max(self.n_categories, 1))
        for start in range(0, self.n_categories, step):
            rows = slice(start, start + step)
            yield rows, self.function(self.values[rows, None], self.values)

    def apply(self, shares: Array) -> Array:
        out = np.empty(shares.shape)
        for rows, block in self._rows():
            out[..., rows] = shares @ block.T
        return out

    def within(self, counts: Counts, group: Array | None) -> Array:
        sparse = counts.sparse() if isinstance(counts, DenseCounts) else counts
        return sparse.over_pairs(lambda one, two: self.function(self.values[one], self.values[two]))

    def total(self) -> float:
        return float(sum(block.sum() for _, block in self._rows()))

    def largest(self, used: Array) -> Array:
        found = np.zeros(used.shape[:-1])
        for rows, block in self._rows():
            for row, mine in zip(block, np.moveaxis(used[..., rows], -1, 0), strict=True):
                found = np.maximum(found, np.where(mine, np.where(used, row, 0.0).max(-1, initial=0.0), 0.0))
        return np.where(found > 0, found, 1.0)


@dataclass(frozen=True, eq=False)
class Line(Distance):
    """|x - y| over `unit`, from sorted values in one pass: never a K x K matrix."""

    values: Array = None  # type: ignore[assignment]
    unit: float = 1.0
    negative_type: bool = True

    def apply(self, shares: Array) -> Array:
        order = np.argsort(self.values, kind="stable")
        x, p = self.values[order], shares[..., order]
        below, weighted = p.cumsum(-1), (p * x).cumsum(-1)
        size, mean = below[..., -1:], weighted[..., -1:]
        out = np.empty(shares.shape)
        out[..., order] = np.maximum(x * (2 * below - size) - 2 * weighted + mean, 0.0)
        return out / self.unit

    def within(self, counts: Counts, group: Array | None) -> Array:
        sparse = counts.sparse() if isinstance(counts, DenseCounts) else counts
        return sparse.spread_on_line(self.values) / self.unit

    def total(self) -> float:
        return float(self.apply(np.ones(self.n_categories)).sum())

    def largest(self, used: Array) -> Array:
        return np.ones(used.shape[:-1])  # weights are bounded by 1


@dataclass(frozen=True, eq=False)
class Ranks(Distance):
    """Krippendorff's ordinal level: a category stands at its mid-rank, so the margins decide the distances."""

    bounded: bool = False
    order: Array = None  # type: ignore[assignment]

    def at(self, totals: Array) -> Points:
        """The distances that the category totals (..., K) imply."""
        ranks = np.empty(totals.shape)
        ranks[..., self.order] = totals[..., self.order].cumsum(-1) - totals[..., self.order] / 2
        # centred: the squares stay small
        centre = (ranks * totals).sum(-1, keepdims=True) / np.maximum(totals.sum(-1, keepdims=True), 1)
        return Points(self.n_categories, self.name, bounded=False, points=(ranks - centre)[..., None])
