"""Sums over items: all that a coefficient sees, and the way back from a coefficient to its items.

`Sums` are plain sums of per-item statistics. Their leading axes may be groups, leave-one-out samples or replicates: a
kernel that reads them knows nothing of either. `Tally` makes them from ratings, and turns the derivatives of a
coefficient into the influence of each item on it. Only numpy here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pandas_agreement.core.category_counts import group_sum, spread
from pandas_agreement.core.distances import Distance, Nominal, Ranks
from pandas_agreement.core.ratings import Columns, Ratings, Triples

Array = NDArray[Any]

ROOM = 1 << 20  # numbers in one block of leave-one-out samples


def divide(top: Array, bottom: Array) -> Array:
    """Quotient, NaN where the divisor is 0, without a warning."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(bottom != 0, top / bottom, np.nan)


@dataclass(frozen=True, eq=False)
class Sums:
    """Sums over items, with any leading axes "...". An item counts 1, or for alpha as many as it has labels."""

    disagreement: Array  # (...) of the items' mean pairwise distances
    pairable: Array  # (...) of the items with two or more labels
    make_totals: Callable[[], Array]  # not every coefficient wants them
    coders: Array | None = None  # (..., C, K) labels of each coder
    rank_pull: Array | None = None  # (..., K) ordinal alpha: summed ranks of the labels paired with each category

    @cached_property
    def totals(self) -> Array:
        """Of the items' category shares: (..., K)."""
        return self.make_totals()

    @cached_property
    def observed(self) -> Array:
        """Mean observed disagreement."""
        return divide(self.disagreement, self.pairable)

    @cached_property
    def size(self) -> Array:
        return self.totals.sum(-1)

    @cached_property
    def profile(self) -> Array:
        """Share of each category: (..., K)."""
        return divide(self.totals, self.size[..., None])

    @cached_property
    def coder_sizes(self) -> Array:
        """Labels of each coder: (..., C)."""
        return self._coders.sum(-1)

    @cached_property
    def margins(self) -> Array:
        """P(category | coder): (..., C, K), zero for a coder without labels."""
        sizes = self.coder_sizes[..., None]
        return np.divide(self._coders, sizes, out=np.zeros(self._coders.shape), where=sizes > 0)

    @property
    def _coders(self) -> Array:
        if self.coders is None:
            raise TypeError("these sums do not know the coders")
        return self.coders


@dataclass(frozen=True, eq=False)
class Estimate:
    """A coefficient of some sums and its derivatives by them; shapes as in `Sums`."""

    value: Array
    observed: Array  # disagreements
    expected: Array
    by_observed: Array
    by_totals: Array | None = None
    by_coders: Array | None = None


class Tally:
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
    def sums(self) -> Sums:
        ratings = self.ratings
        return Sums(
            disagreement=ratings.sum(self.paired * self.disagreement),
            pairable=ratings.sum(self.paired),
            make_totals=self._make_totals,
            coders=ratings.coder_totals() if self._with_coders else None,
            rank_pull=self._rank_pull() if isinstance(self._distance, Ranks) else None,
        )

    def _rank_pull(self) -> Array:
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

    def leave_one_out(self) -> Iterator[tuple[slice, Sums, Distance]]:
        """Blocks of items with the sums of their group without them."""
        ratings = self.ratings
        width = ratings.n_categories
        width *= ratings.n_categories if isinstance(self._distance, Ranks) else 1
        width *= ratings.n_coders if self._with_coders else 1
        step = max(1, ROOM // max(width, 1))
        for start in range(0, ratings.n_items, step):
            items = slice(start, min(start + step, ratings.n_items))
            yield items, *self._without(items)

    def _without(self, items: slice) -> tuple[Sums, Distance]:
        rows = np.zeros(items.stop - items.start, int) if self.ratings.group is None else self.ratings.group[items]
        counts = self.ratings.counts.profiles(items)
        totals = self.totals[rows] - counts * self.share[items, None]
        pairable = self.sums.pairable[rows] - self.paired[items]
        coders = None
        if self.sums.coders is not None:
            coders = self.sums.coders[rows] - one_hot(self.ratings, items, self.sums.coders.shape[1])
        if not isinstance(self._distance, Ranks):
            lost = self.paired[items] * self.disagreement[items]
            return Sums(self.sums.disagreement[rows] - lost, pairable, lambda: totals, coders), self.distance
        distance = self._distance.at(totals)
        coincidences = self.coincidences[rows] - _outer(counts, self.ratings.sizes[items])
        gaps = distance.points - distance.points[..., None, :, 0]  # (b, K, K)
        return Sums((coincidences * gaps**2).sum((-1, -2)), pairable, lambda: totals, coders), distance

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


def _outer(counts: Array, sizes: Array) -> Array:
    """One item's coincidences: (b, K) -> (b, K, K)."""
    pairs = counts[:, :, None] * counts[:, None, :]
    pairs[:, range(counts.shape[1]), range(counts.shape[1])] -= counts
    return pairs / np.maximum(sizes - 1, 1)[:, None, None]


def one_hot(ratings: Ratings, items: slice, n_coders: int) -> Array:
    """Which coder gave which category to each of these items: (b, C, K) of 0 and 1."""
    out = np.zeros((items.stop - items.start, n_coders, ratings.n_categories))
    if isinstance(ratings, Columns):
        for coder, code in enumerate(ratings.codes):
            rated = np.flatnonzero(code[items] >= 0)
            out[rated, coder, code[items][rated]] = 1
    if isinstance(ratings, Triples):
        ratings = ratings.by_item
        labels = slice(*np.searchsorted(ratings.item, [items.start, items.stop]))
        out[ratings.item[labels] - items.start, ratings.local_coder[labels], ratings.code[labels]] = 1
    return out


__all__ = ["Estimate", "Sums", "Tally", "divide", "one_hot"]
