"""Intraclass correlations as functions of sums over items, for resamples and for samples without one item.

The statistics of an item are summed once per resample, and all resamples are fitted together, from the estimate of all
items. No limits are computed. Only numpy here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pandas_agreement.coefficients.numeric import reml
from pandas_agreement.coefficients.numeric.crossed import ROUNDING, Crossed, clean, to_contrasts, within_items
from pandas_agreement.coefficients.numeric.icc import MeanSquares, implied, of_means
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.scores import Scores
from pandas_agreement.core.sums import divide

MAX_SIZE = 1 << 24  # entries of the table of items and statistics

#: the statistics of the items (I, F); and their sums (B, F), and whether one step of the search is enough -> (B,)
ItemSums = tuple[Array, Callable[[Array, bool], Array]]


def of_form(form: str) -> Callable[[Scores], ItemSums | None]:
    """The item statistics of one of the six forms, for scores of one group; None if they need too much memory."""
    average = form.endswith("k)")

    def make(scores: Scores) -> ItemSums | None:
        if form.startswith("ICC(1"):
            return _one_way(scores, average)
        if not len(scores.item):  # no scores, no sums
            return None
        two_way = TwoWay(scores, agreement="A" in form, average=average)
        return (two_way.table(), two_way.value) if scores.n_items * two_way.n_statistics <= MAX_SIZE else None

    return make


def _one_way(scores: Scores, average: bool) -> ItemSums:
    sizes = scores.sizes.astype(float)
    total = scores.per_item(scores.centred)
    within = scores.per_item(within_items(scores)[0] ** 2)
    table = np.stack([sizes > 0, sizes, sizes**2, total, divide(total**2, np.maximum(sizes, 1)), within], -1)

    def value(sums: Array, quick: bool) -> Array:
        n, N, squared, total, between, within = sums.T
        k = divide(N - divide(squared, N), np.maximum(n - 1, 0))
        between = between - divide(total**2, N)
        between, within = (clean(part, between + within) for part in (between, within))
        none = np.full(n.shape, np.nan)
        found = MeanSquares(n, k, divide(between, n - 1), none, divide(within, N - n), n - 1, none, N - n).consistency()
        return of_means(found, k) if average else found

    return table, value


@dataclass(frozen=True, eq=False)
class TwoWay:
    """Items crossed with coders: the products of which coders rated an item and the sum of its scores, by its size."""

    scores: Scores
    agreement: bool
    average: bool

    @cached_property
    def crossed(self) -> Crossed:
        return Crossed.of(self.scores)

    @cached_property
    def size(self) -> Array:
        """The different numbers of scores of an item: (R,)."""
        return np.unique(self.scores.sizes[self.scores.sizes > 0]).astype(float)

    @cached_property
    def effects(self) -> Array:
        """The effects of the coders in all items, which are subtracted from the scores: (C,)."""
        return to_contrasts(self.crossed.n_coders, self.crossed.width)[0] @ self.crossed.effects[0]

    @property
    def n_statistics(self) -> int:
        C = int(self.scores.active_coders()[0])
        return len(self.size) * (C + 1) ** 2 + C + 1

    def table(self) -> Array:
        """The statistics of each item: (I, F)."""
        scores, C, R = self.scores, self.crossed.width, len(self.size)
        rated, residual = np.zeros((scores.n_items, C + 1)), np.zeros((scores.n_items, C))
        score = scores.centred - self.effects[scores.cell]
        means = np.nan_to_num(divide(scores.per_item(score), scores.sizes))
        rated[scores.item, scores.cell], rated[:, C] = 1.0, means * scores.sizes
        residual[scores.item, scores.cell] = score - means[scores.item]
        by_size = np.zeros((scores.n_items, R, C + 1, C + 1))
        slot = np.searchsorted(self.size, scores.sizes)
        some = np.flatnonzero(scores.sizes > 0)
        by_size[some, slot[some]] = (rated[:, :, None] * rated[:, None, :])[some]
        parts = by_size.reshape(scores.n_items, -1), residual, (residual**2).sum(1, keepdims=True)
        return np.concatenate(parts, axis=1)

    def value(self, sums: Array, quick: bool = False) -> Array:
        """The correlation of each resample: (B,)."""
        C, R = self.crossed.width, len(self.size)
        last = R * (C + 1) ** 2
        by_size, along = sums[:, :last].reshape(-1, R, C + 1, C + 1), sums[:, last : last + C]
        within, effects = sums[:, -1], np.broadcast_to(self.effects, along.shape)
        rated = np.diagonal(by_size, axis1=2, axis2=3)[..., :C].sum(1) > 0
        if not rated.all():  # coders without a score go last
            order = np.argsort(~rated, axis=1, kind="stable")
            along, effects = np.take_along_axis(along, order, 1), np.take_along_axis(effects, order, 1)
            order = np.concatenate([order, np.full((len(order), 1), C)], 1)
            by_size = np.take_along_axis(by_size, order[:, None, :, None], 2)
            by_size = np.take_along_axis(by_size, order[:, None, None, :], 3)
        number = np.diagonal(by_size, axis1=2, axis2=3)[..., :C].sum(-1) / self.size  # (B, R) items
        complete = (number * (self.size < rated.sum(1)[:, None])).sum(1) == 0
        table = self._balanced(by_size, along, within, effects, number, rated.sum(1))
        if not complete.all():
            gaps = ~complete
            parts = by_size[gaps], along[gaps], within[gaps], effects[gaps]
            crossed = Crossed.of_sums(self.size, *parts, ROUNDING * self._total)
            table = table.but(gaps, implied(crossed, self._fit(crossed, quick)))
        found = table.agreement() if self.agreement else table.consistency()
        n, N, squared = number.sum(1), number @ self.size, number @ self.size**2
        return of_means(found, divide(N - divide(squared, N), n - 1)) if self.average else found

    @cached_property
    def _total(self) -> float:
        return float((self.scores.centred**2).sum())

    def _balanced(
        self, by_size: Array, along: Array, within: Array, effects: Array, number: Array, k: Array
    ) -> MeanSquares:
        """The analysis of variance of resamples without missing scores."""
        n, active = number.sum(1), np.arange(along.shape[1]) < k[:, None]
        total, squares = by_size[:, :, 0, -1].sum(1), by_size[:, :, -1, -1].sum(1)  # of the sums of the items
        between = divide(squares - divide(total**2, n), k)
        means = np.where(active, divide(along, n[:, None]) + effects, 0.0)  # of the coders, about that of all
        offset = np.where(active, means - divide(means.sum(1), k)[:, None], 0.0)
        coders = n * (offset**2).sum(1)
        error = within - divide((along**2 * active).sum(1), n)
        between, coders, error = (
            np.where(part <= ROUNDING * self._total, 0.0, part) for part in (between, coders, error)
        )
        mean_squares = divide(between, n - 1), divide(coders, k - 1), divide(error, (n - 1) * (k - 1))
        return MeanSquares(n, k.astype(float), *mean_squares, n - 1, k - 1, (n - 1) * (k - 1))

    @cached_property
    def _start(self) -> tuple[Array, Array]:
        """The ratios of the components in all items, and the curvature of the likelihood there."""
        return reml.start(self.crossed)

    def _fit(self, crossed: Crossed, quick: bool) -> reml.Components:
        return reml.from_start(crossed, *self._start, quick)
