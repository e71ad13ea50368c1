"""Contingency tables of coders and a reference, what is computed from them, and how sure that is. Only numpy here.

A table T (..., K, K) has the reference in its rows and the coder in its columns. The influence of an item on a value
depends on its cell alone, and is 0 on average. An item whose reference is a tied vote counts in several rows, in parts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.ratings import Ratings
from pandas_agreement.core.sums import divide
from pandas_agreement.judges.uncertainty import Sample
from pandas_agreement.judges.votes import HumanLabels


class Value(NamedTuple):
    """A value (...) and the influence of an item in each cell on it (..., K, K)."""

    value: Array
    influence: Array


def _diagonal(T: Array) -> Array:
    return np.diagonal(T, axis1=-2, axis2=-1)


def accuracy(T: Array) -> Value:
    """Share of the items on the diagonal."""
    n = T.sum((-1, -2))
    value = divide(_diagonal(T).sum(-1), n)
    return Value(value, np.eye(T.shape[-1]) - value[..., None, None])


def balanced_accuracy(T: Array) -> Value:
    """Mean over the categories of the reference of the share that was found."""
    n, given = T.sum((-1, -2)), T.sum(-1)  # (...), (..., K)
    used = given > 0
    found = np.nan_to_num(divide(_diagonal(T), given))
    number = used.sum(-1)
    scale = np.nan_to_num(divide(n[..., None], number[..., None] * given))  # (..., K)
    influence = scale[..., None] * (np.eye(T.shape[-1]) - found[..., None])
    return Value(divide(found.sum(-1), number), influence)


def macro_f1(T: Array) -> Value:
    """Mean over the categories in use by either of 2 T_kk / (T_k. + T_.k)."""
    n, both = T.sum((-1, -2)), T.sum(-1) + T.sum(-2)
    used = both > 0
    f1 = np.nan_to_num(divide(2 * _diagonal(T), both))
    number = used.sum(-1)
    drop = np.nan_to_num(divide(f1, both))  # (..., K)
    gain = np.nan_to_num(divide(np.full(both.shape, 2.0), both))[..., None] * np.eye(T.shape[-1])
    influence = divide(n, number)[..., None, None] * (gain - drop[..., :, None] - drop[..., None, :])
    return Value(divide(f1.sum(-1), number), influence)


def kappa(T: Array) -> Value:
    """Cohen's kappa."""
    n = T.sum((-1, -2))[..., None]
    rows, columns = divide(T.sum(-1), n), divide(T.sum(-2), n)
    observed, expected = accuracy(T).value, (rows * columns).sum(-1)
    varied = ((T.sum(-1) > 0) & (T.sum(-2) > 0)).sum(-1) != 1
    varied |= ((T.sum(-1) > 0) | (T.sum(-2) > 0)).sum(-1) > 1
    rest = np.where(varied, 1 - expected, 0.0)
    o, e, r = (part[..., None, None] for part in (observed, expected, rest))
    by_chance = columns[..., :, None] + rows[..., None, :] - 2 * e
    return Value(
        divide(observed - expected, rest), divide(np.eye(T.shape[-1]) - o, r) - divide((1 - o) * by_chance, r**2)
    )


MEASURES: dict[str, Callable[[Array], Value]] = {
    "accuracy": accuracy,
    "balanced_accuracy": balanced_accuracy,
    "macro_f1": macro_f1,
    "kappa": kappa,
}


def effective_number(share: Array, se: Array, n: Array) -> Array:
    """How many independent items have this standard error of a share; n where the share is 0 or 1."""
    found = divide(share * (1 - share), se**2)
    return np.where((share > 0) & (share < 1) & np.isfinite(found) & (found > 0), found, n)


# ----------------------------------------------------------------------------------------- labels and their reference


class Compared(NamedTuple):
    """Items with a label of the coder and of a reference. A tied vote is in several parts, which share the item."""

    items: Sample  # the row of each item
    clusters: Array | None  # of the items
    item: Array  # (N,) of each part, a position in `items`
    reference: Array  # (N,)
    code: Array  # (N,) the coder's label
    share: Array | float = 1.0  # (N,) of the item

    @property
    def row(self) -> Array:
        return self.items.item_group[self.item]

    def table(self, K: int) -> Array:
        """T of each row: (R, K, K)."""
        cell = (self.row * K + self.reference) * K + self.code
        size = self.items.n_groups * K * K
        weight = self.share * self.items.weights[self.item]
        return np.bincount(cell, weight, minlength=size).reshape(self.items.n_groups, K, K)

    def of_category(self, category: int) -> tuple[Array, Array]:
        """The share of each item's reference that chose a category, and whether the coder did: (I,) each."""
        n_items = len(self.items.item_group)
        reference = np.bincount(self.item, self.share * (self.reference == category), minlength=n_items)
        coder = np.bincount(self.item[self.code == category], minlength=n_items) > 0
        return reference, coder.astype(float)

    def at(self, influence: Array) -> tuple[Array, Sample, Array | None]:
        """The influence of each item, its row and its cluster."""
        values = self.share * influence[self.row, self.reference, self.code]
        return np.bincount(self.item, values, minlength=len(self.items.item_group)), self.items, self.clusters


def voted_by_others(labels: HumanLabels, clusters: Array | None) -> Compared:
    """Each human against the vote of the others; a row is a group and a human."""
    label, category, share = labels.votes
    of_label = None if clusters is None else clusters[labels.item]
    return Compared(labels.sample, of_label, label, category, labels.code[label], share)


def judged_by_others(labels: HumanLabels, clusters: Array | None) -> Compared:
    """A judge against the same votes, whose mean counts; a row is a group and a judge."""
    ratings = labels.ratings
    items = Sample(ratings.item_group, ratings.weights, ratings.n_groups)
    label, category, share = labels.votes
    return Compared(items, clusters, labels.item[label], category, labels.judged[label], share / labels.size[label])


def voted_by_all(humans: Ratings, judge: Array, items: Sample, clusters: Array | None) -> Compared:
    """A judge against the vote of all humans, tied labels sharing it; a row is a group and a judge."""
    counts = humans.counts.sparse()
    _, top, leaders = counts.leaders()
    leading = counts.number == top[counts.item]
    item, category = counts.item[leading], counts.code[leading]
    return Compared(items, clusters, item, category, judge[item], 1 / leaders[item])
