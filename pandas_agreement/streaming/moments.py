"""Moments of items: their number, the sums of their statistics, and the sums of products of two statistics.

A coefficient is a function of sums over items. The variance of its estimate is a sum of squares of one linear
combination of the same statistics, whose coefficients are computed at the end. The sums of all products of two
statistics are enough for both, and the moments of two chunks add up to those of the whole. Only numpy and scipy here.

`Layout` has the order of the statistics of an item. Most are 0 for most items, so the products form a sparse matrix.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.category_counts import DenseCounts, SparseCounts, pairs_within
from pandas_agreement.core.classes import dataclass
from pandas_agreement.core.contingency import distinct
from pandas_agreement.core.distances import Nominal
from pandas_agreement.core.item_statistics import APART, PAIRED, SHARES, ItemStatistics, Layout, size_statistics
from pandas_agreement.core.ratings import LongRatings, Ratings
from pandas_agreement.errors import check_memory

BYTES_PER_PRODUCT = 75  # of all views of the labels, while they are made and added


@dataclass(frozen=True, eq=False)
class Moments:
    """Sums of products of statistics: a symmetric sparse matrix with one block per group."""

    layout: Layout
    n_groups: int
    unit: str
    products: Any  # (G * size, G * size)
    sizes: tuple[Array, Array, Array]  # groups, numbers of labels, and how many items have them: (N,)

    def sums(self) -> Array:
        """Sums of the statistics, which are their products with 1: (G, size)."""
        rows = np.arange(self.n_groups) * self.layout.size + self.layout.one
        columns = self.products[rows].tocoo()
        out = np.zeros((self.n_groups, self.layout.size))
        out[columns.row, columns.col - columns.row * self.layout.size] = columns.data
        return out

    def squares(self, slopes: Array) -> Array:
        """Sum over the items of a group of the squared linear combination of statistics: (G, size) -> (G,)."""
        flat = slopes.ravel()
        total = (flat * (self.products @ flat)).reshape(slopes.shape).sum(-1)
        scale = (np.abs(flat) * (abs(self.products) @ np.abs(flat))).reshape(slopes.shape).sum(-1)
        return np.where(total > 1e-14 * scale, total, 0.0)  # rounding error of a sum that is 0


def moments_of(ratings: Ratings, unit: str, with_pairs: bool, with_coders: bool) -> Moments:
    """The moments of ratings that count; `with_coders` adds the products for chance by individual marginals."""
    from scipy import sparse

    layout = Layout(ratings.n_categories, ratings.n_coders, with_pairs, with_numbers=True)
    side = ratings.n_groups * layout.size
    items = distinct(ratings, with_coders)
    entries = _of_items(items, unit, layout)
    if with_coders:
        labels = items.as_long()
        entries.append((*_label_places(labels, layout), np.ones(len(labels.item))))
    item, place, value = (np.concatenate(parts) for parts in zip(*entries, strict=True))
    shape = items.n_items, side
    statistics = sparse.csr_array((value, (item, _start(items, layout)[item] + place)), shape=shape)
    check_size(_number_of_products(statistics), layout.n_categories)
    products = _products(statistics, items.weights)
    if not with_coders:
        products = products + _sums_by_coder(ratings.as_long(), layout)
    return Moments(layout, ratings.n_groups, unit, products.tocsr(), _merged(*items.size_counts()))


def _merged(group: Array, size: Array, number: Array) -> tuple[Array, Array, Array]:
    """Every group and number of labels once."""
    side = size.max(initial=0) + 1
    keys, place = np.unique(group * np.int64(side) + size, return_inverse=True)
    return keys // side, keys % side, np.bincount(place.ravel(), number, len(keys))


def _start(ratings: Ratings, layout: Layout) -> Array:
    """Offset of the statistics of each item's group: (I,)."""
    return np.zeros(ratings.n_items, np.int64) if ratings.group is None else ratings.group * layout.size


def _label_places(labels: LongRatings, layout: Layout) -> tuple[Array, Array]:
    """The item of each label, and the position of its coder and category in the layout."""
    return labels.item, layout.labels + labels.coder * layout.n_categories + labels.code


def _sums_by_coder(labels: LongRatings, layout: Layout) -> Any:
    """Label counts by coder and category, without their products with other statistics."""
    from scipy import sparse

    side = labels.n_groups * layout.size
    item, place = _label_places(labels, layout)
    sums = np.bincount(_start(labels, layout)[item] + place, labels.weights[item], minlength=side)
    used = np.flatnonzero(sums)
    one = used // layout.size * layout.size + layout.one
    products = sparse.csr_array((sums[used], (one, used)), shape=(side, side))
    return products + products.T


def _of_items(ratings: Ratings, unit: str, layout: Layout) -> list[tuple[Array, Array, Array]]:
    """The statistics of all items: (item, place, value) of those that are not 0."""
    statistics = ItemStatistics(ratings, Nominal(ratings.n_categories, "nominal"), unit)
    counts = ratings.counts.sparse() if isinstance(ratings.counts, DenseCounts) else ratings.counts
    items = np.arange(ratings.n_items)
    single = {
        PAIRED: statistics.paired,
        APART: statistics.paired * statistics.disagreement,
        layout.one: np.ones(len(items)),
        layout.one + 1: (ratings.sizes >= 2).astype(float),
        **dict(enumerate(size_statistics(statistics.paired, ratings.sizes), start=layout.one + 2)),
    }
    entries = [(items, np.full(len(items), place), value) for place, value in single.items()]
    entries.append((counts.item, SHARES + counts.code, counts.number * statistics.share[counts.item]))
    return [*entries, _of_pairs(ratings, statistics, counts, layout)] if layout.with_pairs else entries


def _of_pairs(
    ratings: Ratings, statistics: ItemStatistics, counts: SparseCounts, layout: Layout
) -> tuple[Array, Array, Array]:
    """The share of each pair of different categories in the disagreement of an item, per unit of distance."""
    one, two = pairs_within(counts.item)
    item, sizes = counts.item[one], ratings.sizes.astype(float)
    share = statistics.paired / np.maximum(sizes * (sizes - 1), 1)
    place = layout.pairs + counts.code[one] * layout.n_categories + counts.code[two]
    return item, place, 2.0 * counts.number[one] * counts.number[two] * share[item]


def _number_of_products(statistics: Any) -> int:
    """At most so many products are not 0."""
    used = np.count_nonzero(np.bincount(statistics.indices))
    return int(min((np.diff(statistics.indptr).astype(float) ** 2).sum(), float(used) ** 2))


def check_size(n_products: int, n_categories: int) -> None:
    """Refuse products that would not fit in memory."""
    remedy = "merge labels, take smaller chunks, or measure one frame of all data, numbers with df.agree.icc_a1"
    check_memory(f"sums of {n_categories:,} different labels", n_products * BYTES_PER_PRODUCT, remedy)


def _products(statistics: Any, weight: Array) -> Any:
    """Sums over items of the products of two statistics."""
    from scipy import sparse

    n_items = len(weight)
    weighted = sparse.dia_array((weight[None], [0]), shape=(n_items, n_items)) @ statistics
    return (weighted.T @ statistics).tocsr()


def add(parts: Sequence[tuple[Moments, Array, Array, Array]], layout: Layout, n_groups: int) -> Moments:
    """Add moments; each comes with the new numbers of its groups, categories and coders."""
    from scipy import sparse

    side = n_groups * layout.size
    total = sparse.csr_array((side, side))
    for moments, groups, categories, coders in parts:
        check_size(total.nnz + moments.products.nnz, layout.n_categories)
        used = np.flatnonzero(np.diff(moments.products.indptr))  # of millions of pairs of categories few occur
        group, statistic = np.divmod(used, moments.layout.size)
        place = np.zeros(moments.products.shape[0], np.int64)
        place[used] = groups[group] * layout.size + moments.layout.moved(layout, categories, coders, statistic)
        old = moments.products.tocoo()
        total = total + sparse.csr_array((old.data, (place[old.row], place[old.col])), shape=(side, side))
    moved = [(groups[moments.sizes[0]], *moments.sizes[1:]) for moments, groups, _, _ in parts]
    group, size, number = (np.concatenate(each) for each in zip(*moved, strict=True))
    return Moments(layout, n_groups, parts[0][0].unit, total, _merged(group, size, number))
