"""Contingency tables of coders and a reference, what is computed from them, and how sure that is. Only numpy here.

A table T (..., K, K) has the reference in its rows and the coder in its columns. The influence of an item on a value
depends on its cell alone, and is 0 on average. An item whose reference is a tied vote counts in several rows, in parts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.quantiles import normal_quantile
from pandas_agreement.core.sums import divide
from pandas_agreement.judges.labels import HumanLabels
from pandas_agreement.judges.uncertainty import Sample


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


def wilson(share: Array, n: Array, level: float) -> tuple[Array, Array]:
    """Wilson's interval of a share of n items; n may be an effective number."""
    z = normal_quantile(level)
    centre = divide(share + z * z / (2 * n), 1 + z * z / n)
    width = divide(z * np.sqrt(divide(share * (1 - share), n) + (z / (2 * n)) ** 2), 1 + z * z / n)
    return np.clip(centre - width, 0, 1), np.clip(centre + width, 0, 1)


def effective_number(share: Array, se: Array, n: Array) -> Array:
    """How many independent items have this standard error of a share; n where the share is 0 or 1."""
    found = divide(share * (1 - share), se**2)
    return np.where((share > 0) & (share < 1) & np.isfinite(found) & (found > 0), found, n)


# ----------------------------------------------------------------------------------------- labels and their reference


class Crisp(NamedTuple):
    """Items with a label of the coder and of the reference: (N,) each."""

    sample: Sample  # the row of each item
    reference: Array
    code: Array
    clusters: Array | None

    def table(self, K: int) -> Array:
        """T of each row: (R, K, K)."""
        cell = (self.sample.item_group * K + self.reference) * K + self.code
        size = self.sample.n_groups * K * K
        return np.bincount(cell, self.sample.weights, minlength=size).reshape(self.sample.n_groups, K, K)

    def at(self, influence: Array) -> tuple[Array, Sample, Array | None]:
        """The influence of each item, its row and its cluster."""
        return influence[self.sample.item_group, self.reference, self.code], self.sample, self.clusters


class Voted(NamedTuple):
    """Items whose reference is the vote of the other humans, for each human who may be left out."""

    labels: HumanLabels
    row: Array  # (N,) of each human label
    code: Array  # (N,) the label that is compared with the vote
    share: Array  # (N,) of the item that this vote has
    items: Sample  # rows of the items, or of the labels if each stands for itself
    item: Array  # (N,) position in `items`
    clusters: Array | None  # of `items`

    def table(self, K: int) -> Array:
        weight = self.share * self.items.weights[self.item]
        T = np.zeros((self.items.n_groups, K, K))
        for category in range(K):
            vote = self.labels.vote(np.full(len(self.code), category))
            cell = self.row * K + self.code
            T[:, category] = np.bincount(cell, weight * vote, minlength=len(T) * K).reshape(-1, K)
        return T

    def at(self, influence: Array) -> tuple[Array, Sample, Array | None]:
        out = np.zeros(len(self.items.item_group))
        for category in range(influence.shape[-1]):
            vote = self.labels.vote(np.full(len(self.code), category))
            part = self.share * vote * influence[self.row, category, self.code]
            out += np.bincount(self.item, part, minlength=len(out))
        return out, self.items, self.clusters


def voted_by_others(labels: HumanLabels, clusters: Array | None) -> Voted:
    """Each human against the vote of the others; a row is a group and a human."""
    n = len(labels.code)
    of_label = None if clusters is None else clusters[labels.item]
    return Voted(labels, labels.row, labels.code, np.ones(n), labels.sample, np.arange(n), of_label)


def judged_by_others(labels: HumanLabels, clusters: Array | None) -> Voted:
    """A judge against the same votes, whose mean counts; a row is a group and a judge."""
    ratings = labels.ratings
    items = Sample(ratings.item_group, ratings.weights, ratings.n_groups)
    row = ratings.item_group[labels.item]
    return Voted(labels, row, labels.judged, 1 / labels.size, items, labels.item, clusters)


class VotedByAll(NamedTuple):
    """A judge against the vote of all humans, tied labels sharing it; a row is a group and a judge."""

    votes: Array  # (I, K)
    code: Array  # (I,)
    items: Sample
    clusters: Array | None

    def table(self, K: int) -> Array:
        T = np.zeros((self.items.n_groups, K, K))
        for category in range(K):
            cell = self.items.item_group * K + self.code
            weight = self.votes[:, category] * self.items.weights
            T[:, category] = np.bincount(cell, weight, minlength=len(T) * K).reshape(-1, K)
        return T

    def at(self, influence: Array) -> tuple[Array, Sample, Array | None]:
        values = influence[self.items.item_group, :, self.code]  # (I, K)
        return (self.votes * values).sum(-1), self.items, self.clusters


Compared = Crisp | Voted | VotedByAll
