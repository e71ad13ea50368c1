"""Coefficients from moments, without the items: the same kernels and the same standard errors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property

import numpy as np

from pandas_agreement.coefficients.registry import Coefficient
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.category_counts import blocks
from pandas_agreement.core.classes import dataclass
from pandas_agreement.core.distances import Distance, Nominal, Ranks
from pandas_agreement.core.item_statistics import APART, PAIRED, SHARES, ItemStatistics
from pandas_agreement.core.ratings import Ratings
from pandas_agreement.core.sums import Estimate, SufficientStatistics, divide
from pandas_agreement.hypothesis_tests import kappa_bounds
from pandas_agreement.inference.evaluation import Evaluation, evaluate_sums
from pandas_agreement.streaming.moments import Moments

CELLS_PER_BLOCK = 1 << 22  # of contingency tables at a time


@dataclass(frozen=True, eq=False)
class SummedRatings(Ratings):
    """Ratings of which only the sums are kept."""

    by_coder: Array = None  # type: ignore[assignment]  # (G, C, K) labels
    by_size: tuple[Array, Array, Array] = None  # type: ignore[assignment]

    @classmethod
    def of(cls, moments: Moments, sums: Array) -> SummedRatings:
        """From moments and their sums (G, size)."""
        layout = moments.layout
        by_coder = sums[:, layout.labels : layout.one].reshape(len(sums), layout.n_coders, layout.n_categories)
        return cls(layout.n_coders, layout.n_categories, len(sums), None, None, by_coder, moments.sizes)

    def size_counts(self) -> tuple[Array, Array, Array]:
        return self.by_size

    def coder_totals(self) -> Array:
        return self.by_coder

    @cached_property
    def _active(self) -> Array:
        return (self.by_coder > 0).any(-1).sum(-1)

    def label_totals(self) -> Array:
        return self.by_coder.sum(1)


class MomentStatistics(ItemStatistics):
    """Item statistics summed in moments, for one distance, and the sum of squared influences."""

    def __init__(self, moments: Moments, distance: Distance, coders: bool) -> None:
        self._moments, self._moment_sums = moments, moments.sums()
        super().__init__(SummedRatings.of(moments, self._moment_sums), distance, moments.unit, coders)

    @cached_property
    def _make_totals(self) -> Callable[[], Array]:
        totals = self._moment_sums[:, SHARES : self._moments.layout.pairs]
        return lambda: totals

    @cached_property
    def n_items(self) -> Array:
        one = self._moments.layout.one
        return self._moment_sums[:, [one, one + 1]].T

    @cached_property
    def size_sums(self) -> Array:
        return self._moment_sums[:, self._moments.layout.one + 2 :].T

    @cached_property
    def sums(self) -> SufficientStatistics:
        sums = self._moments.layout.read(self._moment_sums, self._distance)[0]
        ranks = self._rank_sums() if isinstance(self._distance, Ranks) else None
        coders = self.ratings.coder_totals() if self._with_coders else None  # also without any label
        return replace(sums, coders=coders, rank_sums=ranks)

    def _rank_sums(self) -> Array:
        layout, ranks = self._moments.layout, self.distance.points[..., 0]  # type: ignore[attr-defined]
        k = layout.n_categories
        half = self._moment_sums[:, layout.pairs : layout.labels].reshape(len(self._moment_sums), k, k) / 2
        pairs = half + half.transpose(0, 2, 1)  # coincidences of different categories
        same = self.totals - pairs.sum(-1)
        return (pairs * ranks[:, None, :]).sum(-1) + same * ranks

    def squares(self, estimate: Estimate) -> Array:
        apart = self._slopes(replace(estimate, by_totals=None, by_coders=None))
        apart[:, PAIRED] = 0.0
        by_chance = self._slopes(replace(estimate, by_observed=np.zeros_like(estimate.by_observed)))
        return np.stack([self._squares(slopes) for slopes in (self._slopes(estimate), apart, by_chance)])

    def _slopes(self, estimate: Estimate) -> Array:
        """Derivatives of the value by the sums: (G, size)."""
        layout, sums = self._moments.layout, self.sums
        slopes = np.zeros(self._moment_sums.shape)
        each = divide(estimate.by_observed, sums.pairable)
        slopes[:, PAIRED] = -each * sums.observed
        if isinstance(self.distance, Nominal):
            slopes[:, APART] = each
        else:
            slopes[:, layout.pairs : layout.labels] = each[:, None] * layout.flat(self.distance)
        if estimate.by_totals is not None:
            slopes[:, SHARES : layout.pairs] = estimate.by_totals
        if estimate.by_coders is not None:
            slopes[:, layout.labels : layout.one] = estimate.by_coders.reshape(len(slopes), layout.one - layout.labels)
        if self.unit == "label" and estimate.by_totals is not None:  # alpha also depends on the number of labels
            slopes[:, layout.one] = -divide((slopes * self._moment_sums).sum(-1), self.n_items[0])
        return slopes

    def _squares(self, slopes: Array) -> Array:
        """Sum of the squared influences of the items: (G,)."""
        undefined = np.isnan(slopes).any(-1, keepdims=True)
        squares = self._moments.squares(np.where(undefined, 0.0, slopes))
        return np.where(undefined.ravel(), np.nan, squares * self.n_items[0] ** 2)


def evaluate_moments(record: Coefficient, moments: Moments, distance: Distance) -> Evaluation:
    """The values of a coefficient, group by group."""
    found = evaluate_sums(record.kernel, MomentStatistics(moments, distance, record.needs_coders))
    return replace(found, influence=_needs_items, left_out=_needs_items)


def indices_of_two(moments: Moments, distance: Distance) -> tuple[Array, ...]:
    """The bounds and indices of kappa, from the tables of two coders; NaN for a group without an item of both."""
    size = max(1, CELLS_PER_BLOCK // max(moments.layout.n_categories**2, 1))
    weights = 1 - distance.as_matrix()
    parts = [
        kappa_bounds.indices(_tables_of_two(moments, groups), weights)
        for groups in blocks(max(moments.n_groups, 1), size)
    ]
    return tuple(np.concatenate(columns) for columns in zip(*parts, strict=True))


def _tables_of_two(moments: Moments, groups: slice) -> Array:
    """The contingency tables of two coders: the products of their labels, (groups, K, K)."""
    layout, K = moments.layout, moments.layout.n_categories
    start = np.arange(moments.n_groups)[groups] * layout.size + layout.labels
    cells = moments.products[(start[:, None] + np.arange(K)).ravel()].tocoo()
    group, first = np.divmod(cells.row, max(K, 1))
    second = cells.col - start[group] - K
    of_second = (second >= 0) & (second < K)
    table = np.zeros((len(start), K, K))
    table[group[of_second], first[of_second], second[of_second]] = cells.data[of_second]
    return table


def _needs_items() -> Array:
    raise TypeError("moments do not contain the values of single items")
