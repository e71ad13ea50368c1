"""Statistics of each coder: agreement with the others, alpha without the coder, and favoured categories."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.coefficients.alpha import alpha
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.distances import Nominal
from pandas_agreement.core.ratings import LongRatings, WideRatings
from pandas_agreement.core.sums import SufficientStatistics, divide
from pandas_agreement.data import Reading
from pandas_agreement.results import frames, schemas


def coders(reading: Reading) -> pd.DataFrame:
    """One row per group and active coder."""
    sums = CoderSums(long_of(reading))
    shared = sums.n_shared > 0  # individual marginals of items with two or more labels, as in `margins` and `bias`
    P = np.where(shared[..., None], divide(sums.shared_totals(), sums.n_shared[..., None]), 0.0)
    mean = divide(P.sum(1), shared.sum(1)[:, None])[:, None]  # (G, 1, K)
    vector = np.where(shared[..., None], P - mean, np.nan)
    whole = sums.alpha_of_all()[:, None]
    without = sums.alpha_without()
    favourite = np.nan_to_num(vector).argmax(-1) if P.shape[-1] else np.zeros(P.shape[:-1], int)
    columns = {
        "n_labels": sums.n_labels,
        "n_items": sums.n_shared,
        "agreement": divide(sums.sum(sums.matched), sums.n_shared),
        "kappa_majority": sums.kappa_majority(),
        "alpha_without": without,
        "alpha_change": without - whole,
        "entropy": sums.entropy(),
        "bias": (vector**2).sum(-1),
        "favours_by": vector.max(-1, initial=-np.inf) if P.shape[-1] else sums.n_labels * np.nan,
    }
    here = sums.present.ravel()
    flat = {name: np.asarray(values).ravel()[here] for name, values in columns.items()}
    flat["favours"] = reading.category_set.labels.take(favourite.ravel()[here]).array
    flat["note"] = np.where(flat["n_items"] == 0, "no item shared with another coder", "").astype(object)
    groups, names = index_parts(reading, sums)
    return frames.result(frames.index_of(groups, {"coder": names}), flat, schemas.CODERS)


def long_of(reading: Reading) -> LongRatings:
    """One entry per label, with its coder."""
    ratings = reading.ratings.as_long() if isinstance(reading.ratings, WideRatings) else reading.ratings
    if not isinstance(ratings, LongRatings):
        raise TypeError("coders needs the coder of each label")
    return ratings


def index_parts(reading: Reading, sums: CoderSums) -> tuple[pd.Index | None, list[Any]]:
    """The group and the name of each active coder."""
    group, local = np.nonzero(sums.present)
    names = [reading.coders[int(coder)] for coder in sums.coder_of[group, local]]
    return (None if reading.groups is None else reading.groups.take(group)), names


class CoderSums:
    """Sums over the labels of each coder; arrays are (G, C) or (G, C, K), labels (N,)."""

    def __init__(self, ratings: LongRatings) -> None:
        self.ratings = ratings
        self.totals = ratings.coder_totals()  # (G, C, K), coders numbered within their group
        self.shape = self.totals.shape
        self.weight = ratings.weights[ratings.item]  # (N,)
        group = np.zeros(len(ratings.item), np.int64) if ratings.group is None else ratings.group[ratings.item]
        self.place = group * self.shape[1] + ratings.local_coder  # (N,) which cell of (G, C)
        self.coder_of = np.zeros(self.shape[:2], np.int64)
        self.coder_of.ravel()[self.place] = ratings.coder
        self.n_labels = self.totals.sum(-1)
        self.present = self.n_labels > 0
        self.shares = divide(self.totals, self.n_labels[..., None])
        self.shares = np.where(self.present[..., None], self.shares, 0.0)
        self.size = ratings.sizes[ratings.item].astype(float)  # (N,) labels of the label's item
        self.own = self._own_counts()  # (N,) those with the same category
        self.n_shared = self.sum((self.size > 1).astype(float))
        self.matched = np.where(self.size > 1, (self.own - 1) / np.maximum(self.size - 1, 1), 0.0)

    def sum(self, values: Array) -> Array:
        """Over the labels of each coder: (N,) -> (G, C)."""
        size = self.shape[0] * self.shape[1]
        return np.bincount(self.place, values * self.weight, minlength=size).reshape(self.shape[:2])

    def _own_counts(self) -> Array:
        key = self.ratings.item * np.int64(max(self.shape[2], 1)) + self.ratings.code
        _, where, number = np.unique(key, return_inverse=True, return_counts=True)
        return number[where].astype(float)

    def entropy(self) -> Array:
        logs = np.log(np.where(self.shares > 0, self.shares, 1.0))
        nats = np.abs((self.shares * logs).sum(-1))  # never -0.0
        return np.where(self.present, nats / np.log(max(self.shape[2], 2)), np.nan)

    # ------------------------------------------------------------------------------------------------- without a coder

    def _pairable(self) -> tuple[Array, Array]:
        """Krippendorff's sums of each group: observed disagreement (G,) and category totals (G, K)."""
        ratings = self.ratings
        sizes = ratings.sizes.astype(float)
        disagreement = (sizes**2 - ratings.counts.squares()) / np.maximum(sizes - 1, 1)
        paired = np.where(sizes > 1, ratings.weights, 0.0)
        return ratings.sum(disagreement), ratings.counts.total(paired, ratings.group, ratings.n_groups)

    def alpha_of_all(self) -> Array:
        disagreement, totals = self._pairable()
        return _alpha(disagreement, totals)

    def alpha_without(self) -> Array:
        """Alpha of the other coders: (G, C). An item left with one label is dropped together with that label."""
        r, own = self.size, self.own
        squares = self.ratings.counts.squares()[self.ratings.item].astype(float)
        before = (r * r - squares) / np.maximum(r - 1, 1)
        after = np.where(r > 2, ((r - 1) ** 2 - (squares - 2 * own + 1)) / np.maximum(r - 2, 1), 0.0)
        disagreement, totals = self._pairable()
        lost = self._labels_lost()
        return _alpha(disagreement[:, None] + self.sum(np.where(r > 1, after - before, 0.0)), totals[:, None] - lost)

    def _labels_lost(self) -> Array:
        """Pairable labels lost with each coder: the coder's own, and the other label of items with two: (G, C, K)."""
        K = self.shape[2]
        codes = np.bincount(self.ratings.item, self.ratings.code, minlength=self.ratings.n_items)
        partner = codes[self.ratings.item].astype(np.int64) - self.ratings.code
        several, two = self.size > 1, self.size == 2
        own, other = self.place * K + self.ratings.code, self.place * K + partner
        cells = np.concatenate([own[several], other[two]])
        weight = np.concatenate([self.weight[several], self.weight[two]])
        return np.bincount(cells, weight, minlength=int(np.prod(self.shape))).reshape(self.shape)

    # ------------------------------------------------------------------------------------------- against the majority

    def kappa_majority(self) -> Array:
        """Kappa of each coder against the majority of the others; tied categories share the item equally."""
        lead, ties = self._others_lead()
        weight = np.where(self.size > 1, 1 / np.maximum(ties, 1), 0.0)
        G, C, K = self.shape
        observed, shares = np.zeros((G, C)), np.zeros((G, C, K))
        for category in range(K):
            leads = (self._others(category) == lead) * weight
            shares[..., category] = self.sum(leads)
            observed += self.sum(np.where(self.ratings.code == category, leads, 0.0))
        own = self.shared_totals()
        n = self.n_shared
        expected = divide((own * shares).sum(-1), n * n)
        return divide(divide(observed, n) - expected, 1 - expected)

    def shared_totals(self) -> Array:
        """How often each coder chose each category on items that another coder labelled too: (G, C, K)."""
        cells = self.place * self.shape[2] + self.ratings.code
        weight = np.where(self.size > 1, self.weight, 0.0)
        return np.bincount(cells, weight, minlength=int(np.prod(self.shape))).reshape(self.shape)

    def _others(self, category: int) -> Array:
        """The number of other coders who gave this category to the label's item: (N,)."""
        chosen = np.zeros((1, self.shape[2]))
        chosen[0, category] = 1
        counts = self.ratings.counts.dot(chosen, None)[self.ratings.item]
        return counts - (self.ratings.code == category)

    def _others_lead(self) -> tuple[Array, Array]:
        """The highest category count among the others, and the number of categories with it: (N,), (N,)."""
        lead, ties = np.zeros(len(self.size)), np.zeros(len(self.size))
        for category in range(self.shape[2]):
            count = self._others(category)
            ties = np.where(count > lead, 1, ties + ((count == lead) & (count > 0)))
            lead = np.maximum(lead, count)
        return lead, ties


def _alpha(disagreement: Array, totals: Array) -> Array:
    size = totals.sum(-1)
    statistics = SufficientStatistics(disagreement, size, lambda: totals)
    return alpha(statistics, Nominal(totals.shape[-1], "nominal")).value
