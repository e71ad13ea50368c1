"""Items crossed with coders when there are gaps: sums that carry all the information, and exact F tests from them.

The model is rating = mean + item + coder + error. Given the ratio theta of the item variance to the error variance,
the ratings of an item of r ratings have a covariance whose inverse is known in closed form, so every cross-product
that likelihood and least squares need is

    base + sum over r of by_size[r] / (r (1 + theta r)),

a matrix over (the coders, the mean, the ratings) whose parts are summed once over the items. After that nothing costs
more for more items (Woodbury; the coders remain as a C x C Schur complement). Leading axis: groups.

The F ratio below is the exact pivot of Wald (1940) for one random factor, and of Harville and Fenech (1985,
Biometrics 41, 137-152) beside other effects: items are tested after the coders, whatever the gaps, and without gaps
it is the F of the analysis of variance.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.category_counts import pairs_within
from pandas_agreement.core.quantiles import f_quantile
from pandas_agreement.core.scores import Scores
from pandas_agreement.core.sums import divide

PAIRS_PER_BLOCK = 1 << 20  # pairs of ratings of an item handled at a time
ROUNDING = 1e-28  # a sum of squares this small beside the total is rounding of equal numbers
ROUNDING_OF_DIFFERENCES = 1e-12  # the same for a difference of sums of squares


@dataclass(frozen=True, eq=False)
class Crossed:
    """Cross-products of the C coders, the mean and the ratings, in this order: C + 2 rows and columns."""

    size: Array  # (G, R) the different numbers of ratings an item has; 1 where a group has fewer of them
    number: Array  # (G, R) items of that size
    base: Array  # (G, C + 2, C + 2) within items
    by_size: Array  # (G, R, C + 2, C + 2) of the items' sums
    n_items: Array  # (G,)
    n_coders: Array  # (G,)

    @classmethod
    def of(cls, values: Scores) -> Crossed:
        """Coders are numbered within their group."""
        first = np.searchsorted(values.cell_owner, np.arange(values.n_groups))
        C = int(values.active_coders().max(initial=0))
        coder = values.cell - first[values.owner]
        size, slot = _sizes(values)
        stratum = values.owner * size.shape[1] + slot[values.item]  # (N,) group and size
        number = np.bincount(_stratum_of_items(values, slot, size.shape[1]), minlength=size.size).reshape(size.shape)
        by_size = _item_products(values, coder, stratum, C, size)
        base = _within(values, values.owner * C + coder, by_size, size, C)
        return cls(size, number, base, by_size, number.sum(1), values.active_coders())

    @cached_property
    def n_ratings(self) -> Array:
        return (self.size * self.number).sum(1)

    @property
    def width(self) -> int:
        """The number C of coders that there is room for."""
        return self.base.shape[-1] - 2

    def take(self, groups: Array) -> Crossed:
        """Some of the groups (a boolean array)."""
        names = "size", "number", "base", "by_size", "n_items", "n_coders"
        return replace(self, **{name: getattr(self, name)[groups] for name in names})

    def at(self, theta: Array) -> Array:
        """Cross-products for a ratio of item to error variance: (G,) -> (G, C + 2, C + 2)."""
        return self.base + self.combine(1 / (self.size * (1 + theta[:, None] * self.size)))

    def combine(self, weight: Array) -> Array:
        """Sum over the sizes: (G, R) -> (G, C + 2, C + 2)."""
        G, R, K, _ = self.by_size.shape
        return (weight[:, None] @ self.by_size.reshape(G, R, K * K)).reshape(G, K, K)

    # ------------------------------------------------------------------------------------------------ least squares

    @cached_property
    def _coders_after_items(self) -> tuple[Array, Array]:
        """Rank and sum of squares of the coders after the items: (G,), (G,)."""
        C = self.width
        roots, vectors = np.linalg.eigh(self.base[:, :C, :C])
        seen = roots > 1e-9 * np.maximum(roots.max(-1, initial=0.0), 1)[:, None]
        along = (np.swapaxes(vectors, 1, 2) @ self.base[:, :C, C + 1, None])[..., 0]
        squares = np.divide(along**2, roots, out=np.zeros(roots.shape), where=seen)
        return seen.sum(-1), squares.sum(-1)

    @property
    def df_coders(self) -> Array:
        return self._coders_after_items[0]

    @property
    def df_items(self) -> Array:
        """Of the items after the coders."""
        return self.n_items + self.df_coders - self.n_coders

    @property
    def df_error(self) -> Array:
        return self.n_ratings - self.n_items - self.df_coders

    @property
    def coder_squares(self) -> Array:
        """Sum of squares of the coders after the items."""
        return self._coders_after_items[1]

    @cached_property
    def error_squares(self) -> Array:
        """Sum of squares that neither items nor coders explain, exactly 0 if only rounding is left."""
        within = self.base[:, -1, -1]
        left = within - self.coder_squares
        return np.where(left <= ROUNDING_OF_DIFFERENCES * within, 0.0, left)

    @cached_property
    def error(self) -> Array:
        """Mean square of error."""
        return divide(self.error_squares, np.maximum(self.df_error, 0))

    def items_after_coders(self, theta: Array) -> Array:
        """Sum of squares of the items after the coders; at a ratio theta, of items scaled to the variance of error."""
        C, M = self.width, self.at(theta)
        unused = np.arange(C) >= self.n_coders[:, None]  # room for coders that other groups have
        S = M[:, :C, :C] + unused[:, None, :] * np.eye(C)
        along = M[:, :C, C + 1]
        explained = (along * np.linalg.solve(S, along[..., None])[..., 0]).sum(-1)
        return np.maximum(M[:, C + 1, C + 1] - explained - self.error_squares, 0.0)

    def f_ratio(self, theta: Array) -> Array:
        """Distributed as F(df_items, df_error) if theta is the ratio of the variances of items and error: (G,)."""
        return ratio(divide(self.items_after_coders(theta), np.maximum(self.df_items, 0)), self.error)

    def limits(self, level: float) -> tuple[Array, Array]:
        """Exact limits of item / (item + error) variance: (G,), (G,)."""
        tail = (1 - level) / 2
        low, high = (self._where_f_is(f_quantile(share, self.df_items, self.df_error)) for share in (1 - tail, tail))
        return low, high

    def _where_f_is(self, target: Array) -> Array:
        """Bisection on log(1 + theta r), r the largest item: F falls all the way."""
        largest = np.where(self.number > 0, self.size, 1).max(-1, initial=1)
        below, above = np.full(largest.shape, -12.0), np.full(largest.shape, 25.0)
        for _ in range(55):
            middle = (below + above) / 2
            beyond = self.f_ratio(np.expm1(middle) / largest) < target
            below, above = np.where(beyond, below, middle), np.where(beyond, middle, above)
        theta = np.expm1(above) / largest
        return np.where(np.isnan(target) | ~(self.error > 0), np.nan, theta / (1 + theta))


def _sizes(values: Scores) -> tuple[Array, Array]:
    """The different sizes of items in each group: (G, R), and which of them each item has: (I,)."""
    group = np.zeros(values.n_items, np.int64) if values.group is None else values.group
    span = np.int64(values.sizes.max(initial=0) + 1)
    rated = values.sizes > 0
    keys, where = np.unique((group * span + values.sizes)[rated], return_inverse=True)
    owner = keys // span
    rank = np.arange(len(keys)) - np.searchsorted(owner, owner)
    size = np.ones((values.n_groups, int(rank.max(initial=0)) + 1))
    size[owner, rank] = keys % span
    slot = np.full(values.n_items, -1)
    slot[rated] = rank[where]
    return size, slot


def _stratum_of_items(values: Scores, slot: Array, R: int) -> Array:
    rated = slot >= 0
    group = np.zeros(int(rated.sum()), np.int64) if values.group is None else values.group[rated]
    return group * R + slot[rated]


def _item_products(values: Scores, coder: Array, stratum: Array, C: int, size: Array) -> Array:
    """Sum over the items of a size of s s', s = (ratings by each coder, ratings, sum of the ratings)."""
    out = np.zeros((*size.shape, C + 2, C + 2))
    flat, r = out.reshape(-1, C + 2, C + 2), size.reshape(-1)
    room = len(flat)
    total = values.item_means * values.sizes
    flat[:, :C, :C] = _coder_products(values, coder, stratum, C, room)
    by_coder = np.bincount(stratum * C + coder, minlength=room * C).reshape(room, C)
    weighted = np.bincount(stratum * C + coder, total[values.item], minlength=room * C).reshape(room, C)
    flat[:, :C, C] = flat[:, C, :C] = by_coder * r[:, None]
    flat[:, :C, C + 1] = flat[:, C + 1, :C] = weighted
    flat[:, C, C] = by_coder.sum(1) * r
    flat[:, C, C + 1] = flat[:, C + 1, C] = weighted.sum(1)
    flat[:, C + 1, C + 1] = np.bincount(stratum, (values.item_means * total)[values.item], minlength=room)
    return out


def _coder_products(values: Scores, coder: Array, stratum: Array, C: int, room: int) -> Array:
    """How many ratings of the same item each two coders gave, in blocks of items: (room, C, C)."""
    table = np.zeros(room * C * C)
    work = np.cumsum(values.sizes.astype(np.int64) ** 2)
    stops = np.searchsorted(
        work, np.arange(PAIRS_PER_BLOCK, int(work[-1] if len(work) else 0) + PAIRS_PER_BLOCK, PAIRS_PER_BLOCK)
    )
    boundaries = np.concatenate([[0], np.minimum(stops + 1, values.n_items)])
    starts = np.searchsorted(values.item, boundaries)
    for start, stop in pairwise(starts.tolist()):
        one, two = pairs_within(values.item[start:stop])
        one, two = one + start, two + start
        table += np.bincount((stratum[one] * C + coder[one]) * C + coder[two], minlength=len(table))
    square = table.reshape(room, C, C)
    square = square + np.swapaxes(square, 1, 2)
    own = np.bincount(stratum * C + coder, minlength=room * C).reshape(room, C)
    square[:, range(C), range(C)] += own
    return square


def _within(values: Scores, cell: Array, by_size: Array, size: Array, C: int) -> Array:
    """Cross-products of what differs within items: those of the means are taken out."""
    G = values.n_groups
    residual, squares = within_items(values)
    base = np.zeros((G, C + 2, C + 2))
    base[:, :C, :C] = -(by_size[:, :, :C, :C] / size[:, :, None, None]).sum(1)
    base[:, range(C), range(C)] += np.bincount(cell, minlength=G * C).reshape(G, C)
    base[:, :C, C + 1] = np.bincount(cell, residual, minlength=G * C).reshape(G, C) * (squares > 0)[:, None]
    base[:, C + 1, :C] = base[:, :C, C + 1]
    base[:, C + 1, C + 1] = squares
    return base


def within_items(values: Scores) -> tuple[Array, Array]:
    """Ratings less the mean of their item: (N,), and their sum of squares: (G,), 0 if only rounding is left."""
    residual = values.centred - values.item_means[values.item]
    total, squares = (values.per_group(x**2) for x in (values.centred, residual))
    return residual, clean(squares, total)


def clean(squares: Array, total: Array) -> Array:
    """Exactly 0 where only rounding is left."""
    return np.where(squares <= ROUNDING * total, 0.0, squares)


def ratio(top: Array, bottom: Array) -> Array:
    """F, infinite where nothing is left as error."""
    return np.where((bottom == 0) & (top > 0), np.inf, divide(top, bottom))
