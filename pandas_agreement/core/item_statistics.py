"""The statistics of items: their sums, and the way back from a coefficient to its items.

`ItemStatistics` makes sums from ratings, and turns the derivatives of a coefficient into the influence of each item on
it. Only numpy here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pandas_agreement.core.category_counts import group_sum, spread
from pandas_agreement.core.distances import Distance, Nominal, Ranks
from pandas_agreement.core.layout import APART, PAIRED, SHARES, Layout
from pandas_agreement.core.ratings import LongRatings, Ratings, WideRatings
from pandas_agreement.core.sums import Estimate, SufficientStatistics, divide

Array = NDArray[Any]

MAX_BLOCK = 1 << 20  # numbers in one block of leave-one-out samples


class ItemStatistics:
    """The sums of one set of ratings under one distance."""

    def __init__(self, ratings: Ratings, distance: Distance, unit: str = "item", coders: bool = False) -> None:
        self.ratings = ratings
        self.unit = unit
        self._distance = distance
        self._with_coders = coders

    @cached_property
    def share(self) -> Array:
        """What one label of an item counts: (I,)."""
        sizes = self.ratings.sizes
        return np.ones(len(sizes)) if self.unit == "label" else 1 / np.maximum(sizes, 1)

    @cached_property
    def paired(self) -> Array:
        """What an item counts towards observed agreement: (I,)."""
        sizes = self.ratings.sizes
        return np.where(sizes >= 2, sizes if self.unit == "label" else 1.0, 0.0)

    @cached_property
    def _make_totals(self) -> Callable[[], Array]:
        return cache(partial(_totals, self.ratings, self.share))  # holds no tally, which would keep itself alive

    @property
    def totals(self) -> Array:
        return self._make_totals()

    @cached_property
    def distance(self) -> Distance:
        return self._distance.at(self.totals) if isinstance(self._distance, Ranks) else self._distance

    @cached_property
    def disagreement(self) -> Array:
        """Mean distance between two labels of an item: (I,), 0 for a single label."""
        ratings = self.ratings
        directed = getattr(self.distance, "directed", None)
        if directed is not None and self._with_coders and ratings.n_coders == 2:
            return ratings.directed(directed)
        if isinstance(self.distance, Nominal):
            return ratings.disagreement
        sizes = ratings.sizes.astype(float)
        pairs = np.maximum(sizes * (sizes - 1), 1)
        return self.distance.within(ratings.counts, ratings.group) / pairs

    @cached_property
    def n_items(self) -> Array:
        """All items, and those with two or more labels: (G,), (G,)."""
        ratings, several = self.ratings, self.ratings.sizes >= 2
        number = ratings.number()
        return np.stack([number, number if several.all() else ratings.sum(several.astype(float))])

    @cached_property
    def sums(self) -> SufficientStatistics:
        ratings = self.ratings
        return SufficientStatistics(
            disagreement=ratings.sum(self.paired * self.disagreement),
            pairable=ratings.sum(self.paired),
            make_totals=self._make_totals,
            coders=ratings.coder_totals() if self._with_coders else None,
            rank_sums=self._rank_sums() if isinstance(self._distance, Ranks) else None,
        )

    def _rank_sums(self) -> Array:
        """Sum over l of the coincidences (k, l) times the rank of l: (G, K)."""
        ratings, ranks = self.ratings, self.distance.points[..., 0]  # type: ignore[attr-defined]
        others = ratings.weights / np.maximum(ratings.sizes - 1, 1)
        summed = ratings.counts.dot(ranks, ratings.group)  # (I,)
        args = ratings.group, ratings.n_groups
        return ratings.counts.total(others * summed, *args) - ranks * ratings.counts.total(others, *args)

    def slope(self, by_observed: Array, by_totals: Array | None = None, by_coders: Array | None = None) -> Array:
        """How fast a value grows with the weight of each item, from its derivatives by the sums: (I,)."""
        ratings, group = self.ratings, self.ratings.group
        gap = self.disagreement - spread(self.sums.observed, group)
        value = self.paired * gap * spread(divide(by_observed, self.sums.pairable), group)
        if by_totals is not None:
            value = value + self.share * ratings.counts.dot(by_totals, group)
        if by_coders is not None:
            value = value + ratings.gather(by_coders)
        return value

    def influence(self, estimate: Estimate) -> Array:
        """The slope times the number of items: (I,), mean 0 in a group."""
        n = self.n_items[0]
        slope = self.slope(estimate.by_observed, estimate.by_totals, estimate.by_coders)
        value = slope * spread(n, self.ratings.group)
        if self.unit == "label":  # alpha also depends on how many labels there are
            value = value - spread(divide(self.ratings.sum(value), n), self.ratings.group)
        return value

    # ------------------------------------------------------------------------------------------ leaving an item out

    @cached_property
    def layout(self) -> Layout:
        """The statistics that a kernel needs; ranks are known only with the sums, so pairs of categories are kept."""
        n_coders = self.sums.coders.shape[-2] if self.sums.coders is not None else 0
        return Layout(self.ratings.n_categories, n_coders, with_pairs=isinstance(self._distance, Ranks))

    def table(self, items: slice) -> Array:
        """The statistics of some items: (b, size)."""
        ratings, layout = self.ratings, self.layout
        counts, paired = ratings.counts.profiles(items), self.paired[items]
        out = np.zeros((items.stop - items.start, layout.size))
        out[:, PAIRED], out[:, APART] = paired, paired * self.disagreement[items]
        out[:, SHARES : layout.pairs] = counts * self.share[items, None]
        if layout.with_pairs:
            sizes = ratings.sizes[items].astype(float)
            each = 2 * paired / np.maximum(sizes * (sizes - 1), 1)
            pairs = np.triu(counts[:, :, None] * counts[:, None, :], 1) * each[:, None, None]
            out[:, layout.pairs : layout.labels] = pairs.reshape(len(out), layout.n_categories**2)
        if layout.n_coders:
            out[:, layout.labels :] = one_hot(ratings, items, layout.n_coders).reshape(
                len(out), layout.size - layout.labels
            )
        return out

    def _summed(self) -> Array:
        """The sums of the statistics of each group: (G, size)."""
        layout, sums = self.layout, self.sums
        out = np.zeros((self.ratings.n_groups, layout.size))
        out[:, PAIRED], out[:, APART], out[:, SHARES : layout.pairs] = sums.pairable, sums.disagreement, sums.totals
        if layout.with_pairs:
            out[:, layout.pairs : layout.labels] = 2 * np.triu(self.coincidences, 1).reshape(
                len(out), layout.n_categories**2
            )
        if sums.coders is not None:
            out[:, layout.labels :] = sums.coders.reshape(len(out), layout.size - layout.labels)
        return out

    def leave_one_out(self) -> Iterator[tuple[slice, SufficientStatistics, Distance]]:
        """Blocks of items with the sums of their group without them."""
        ratings, summed = self.ratings, self._summed()
        step = max(1, MAX_BLOCK // max(self.layout.size, 1))
        for start in range(0, ratings.n_items, step):
            items = slice(start, min(start + step, ratings.n_items))
            rows = np.zeros(items.stop - items.start, int) if ratings.group is None else ratings.group[items]
            yield items, *self.layout.read(summed[rows] - self.table(items), self._distance)

    @cached_property
    def coincidences(self) -> Array:
        """Pairs of labels by category, each item's divided by its labels less one: (G, K, K)."""
        ratings = self.ratings
        others = ratings.weights / np.maximum(ratings.sizes - 1, 1)
        rows = []
        for category in range(ratings.n_categories):
            mine = np.zeros((1, ratings.n_categories))
            mine[0, category] = 1
            chosen = ratings.counts.dot(mine, None)
            row = ratings.counts.total(others * chosen, ratings.group, ratings.n_groups)
            row[:, category] -= group_sum(others * chosen, ratings.group, ratings.n_groups)
            rows.append(row)
        return np.stack(rows, 1)


def _totals(ratings: Ratings, share: Array) -> Array:
    """Category totals of each group: (G, K)."""
    weighted = share if ratings.weight is None else share * ratings.weight
    return ratings.counts.total(weighted, ratings.group, ratings.n_groups)


def one_hot(ratings: Ratings, items: slice, n_coders: int) -> Array:
    """Which coder gave which category to each of these items: (b, C, K) of 0 and 1."""
    out = np.zeros((items.stop - items.start, n_coders, ratings.n_categories))
    if isinstance(ratings, WideRatings):
        for coder, code in enumerate(ratings.codes):
            rated = np.flatnonzero(code[items] >= 0)
            out[rated, coder, code[items][rated]] = 1
    if isinstance(ratings, LongRatings):
        ratings = ratings.by_item
        labels = slice(*np.searchsorted(ratings.item, [items.start, items.stop]))
        out[ratings.item[labels] - items.start, ratings.local_coder[labels], ratings.code[labels]] = 1
    return out
