"""Statistics of each coder: agreement with the others, alpha without the coder, and favoured categories.

Agreement and alpha are on the scale of the level of measurement. `CoderSums` holds labels, which any distance compares;
scores, compared by squared differences, have closed forms in `coder_scores`.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.coefficients.alpha import alpha
from pandas_agreement.coefficients.registry import find
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.category_counts import SparseCounts, blocks
from pandas_agreement.core.contingency import distinct
from pandas_agreement.core.distances import Distance, Nominal, Ranks
from pandas_agreement.core.item_statistics import ItemStatistics
from pandas_agreement.core.progress import Steps, count_steps
from pandas_agreement.core.ratings import LongRatings
from pandas_agreement.core.remarks import Remarks
from pandas_agreement.core.selection import keep
from pandas_agreement.core.sums import SufficientStatistics, divide
from pandas_agreement.data import Reading
from pandas_agreement.inference.evaluation import evaluate, full_disagreement
from pandas_agreement.inference.means import Means
from pandas_agreement.results import frames, schemas
from pandas_agreement.scales import Scale
from pandas_agreement.scales import read as read_scale

LABELS_PER_BLOCK = 1 << 18  # labels that are compared with the others of their items at a time
ON_LINE = ("ordinal", "interval", "linear", "radical", "ratio", "bipolar")  # scales on which a label is higher or lower


def coders(reading: Reading, distance: Distance | None = None, progress: bool = False) -> pd.DataFrame:
    """One row per group and active coder."""
    with count_steps(progress, 4) as steps:
        return _coders(reading, distance, steps)


def _coders(reading: Reading, distance: Distance | None, steps: Steps) -> pd.DataFrame:
    sums = CoderSums(distinct(reading.ratings, coders=True).as_long(), distance)
    shared = sums.n_shared > 0  # individual marginals of items with two or more labels, as in `margins` and `bias`
    P = np.where(shared[..., None], divide(sums.shared_totals(), sums.n_shared[..., None]), 0.0)
    mean = divide(P.sum(1), shared.sum(1)[:, None])[:, None]  # (G, 1, K)
    vector = np.where(shared[..., None], P - mean, np.nan)
    beyond = np.where(shared[..., None], P - steps.done(sums.shares_of_others()), np.nan)
    whole = steps.done(sums.alpha_of_all())[:, None]
    without = steps.done(sums.alpha_without())
    favourite = np.nan_to_num(beyond).argmax(-1) if P.shape[-1] else np.zeros(P.shape[:-1], int)
    columns = {
        "n_labels": sums.n_labels,
        "n_items": sums.n_shared,
        "agreement": divide(sums.sum(sums.matched), sums.n_shared),
        "kappa_majority": steps.done(sums.kappa_majority()),
        "alpha_without": without,
        "alpha_change": without - whole,
        "entropy": sums.entropy(),
        "bias": (vector**2).sum(-1),
        "favours_by": beyond.max(-1, initial=-np.inf) if P.shape[-1] else sums.n_labels * np.nan,
        "difference": sums.difference(values_of(reading, sums.distance)),
    }
    here = sums.present.ravel()
    flat = {name: np.asarray(values).ravel()[here] for name, values in columns.items()}
    flat["favours"] = reading.category_set.labels.take(favourite.ravel()[here]).array
    flat |= remarks_on(flat["n_items"])
    groups, names = index_parts(reading, sums)
    return frames.result(frames.index_of(groups, {"coder": names}), flat, schemas.CODERS)


def remarks_on(n_items: Array) -> dict[str, Any]:
    """The remarks on coders, by the number of items that another coder labelled too."""
    return Remarks(n_items.shape).add(n_items == 0, "no pairs", "no item shared with another coder").columns()


def values_of(reading: Reading, distance: Distance) -> Array | None:
    """The category values on a scale with a direction; None for names, circles, sets and matrices."""
    scale = read_scale(distance.name) if "(" in distance.name else Scale(distance.name)
    if scale.name not in ON_LINE:
        return None
    category_set, numbers = reading.category_set, reading.category_set.numbers()
    positions = scale.places or numbers is None or (category_set.ordered and not reading.listed)
    return np.arange(1.0, distance.n_categories + 1) if positions else numbers


def index_parts(reading: Reading, sums: CoderSums) -> tuple[pd.Index | None, list[Any]]:
    """The group and the name of each active coder."""
    group, local = np.nonzero(sums.present)
    names = [reading.coders[int(coder)] for coder in sums.coder_of[group, local]]
    return (None if reading.groups is None else reading.groups.take(group)), names


class CoderSums:
    """Sums over the labels of each coder; arrays are (G, C) or (G, C, K), labels (N,)."""

    def __init__(self, ratings: LongRatings, distance: Distance | None = None) -> None:
        self.ratings = ratings
        self._ranks = distance if isinstance(distance, Ranks) else None
        distance = Nominal(ratings.n_categories, "nominal") if distance is None else distance
        paired = keep(ratings, "pairable", [])[0]
        statistics = ItemStatistics(paired, distance, "label")
        self.distance, self._unit = statistics.distance, full_disagreement(statistics)
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
        self.n_shared = self.sum((self.size > 1).astype(float))

    @property
    def matched(self) -> Array:
        """Mean agreement of each label with the others of its item: (N,)."""
        unit = np.broadcast_to(self._unit, self.shape[:1])[self.place // max(self.shape[1], 1)]
        return np.where(self.size > 1, 1 - self.disagreement / unit, 0.0)

    @cached_property
    def disagreement(self) -> Array:
        """Mean distance of each label from the others of its item: (N,)."""
        return self.apart / np.maximum(self.size - 1, 1)

    @cached_property
    def apart(self) -> Array:
        """Sum of the distances of each label from all labels of its item: (N,)."""
        if isinstance(self.distance, Nominal):
            return self.size - self.own
        counts, ratings = self.cells, self.ratings
        group = ratings.group

        def between(one: Array, two: Array, item: Array) -> Array:
            return self.distance.between(one, two, None if group is None else group[item])

        return counts.from_each(between)[self._cell]

    @cached_property
    def cells(self) -> SparseCounts:
        ratings = self.ratings
        return SparseCounts.of(ratings.item, ratings.code, ratings.n_items, max(self.shape[2], 1))

    @cached_property
    def _cell(self) -> Array:
        """The entry of `cells` of each label: (N,)."""
        width = np.int64(max(self.shape[2], 1))
        return np.searchsorted(self.cells.item * width + self.cells.code, self.ratings.item * width + self.ratings.code)

    @property
    def own(self) -> Array:
        """The number of labels of the item with the same category: (N,)."""
        return self.cells.number[self._cell].astype(float)

    def sum(self, values: Array) -> Array:
        """Over the labels of each coder: (N,) -> (G, C)."""
        size = self.shape[0] * self.shape[1]
        return np.bincount(self.place, values * self.weight, minlength=size).reshape(self.shape[:2])

    def entropy(self) -> Array:
        logs = np.log(np.where(self.shares > 0, self.shares, 1.0))
        nats = np.abs((self.shares * logs).sum(-1))  # never -0.0
        return np.where(self.present, nats / np.log(max(self.shape[2], 2)), np.nan)

    # ------------------------------------------------------------------------------------------------- without a coder

    def _pairable(self) -> tuple[Array, Array]:
        """Krippendorff's sums of each group: observed disagreement (G,) and category totals (G, K)."""
        ratings = self.ratings
        sizes = ratings.sizes.astype(float)
        disagreement = self._item_apart / np.maximum(sizes - 1, 1)
        paired = np.where(sizes > 1, ratings.weights, 0.0)
        return ratings.sum(disagreement), ratings.counts.total(paired, ratings.group, ratings.n_groups)

    @cached_property
    def _item_apart(self) -> Array:
        """Sum of the distances of all ordered pairs of labels of each item: (I,)."""
        return np.bincount(self.ratings.item, self.apart, minlength=self.ratings.n_items)

    def alpha_of_all(self) -> Array:
        disagreement, totals = self._pairable()
        return _alpha(disagreement, totals, self.distance)

    def alpha_without(self) -> Array:
        """Alpha of the other coders: (G, C). An item left with one label is dropped together with that label."""
        if self._ranks is not None:
            return self._ranked_alpha_without(self._ranks)
        r, pairs = self.size, self._item_apart[self.ratings.item]
        before = pairs / np.maximum(r - 1, 1)
        after = np.where(r > 2, (pairs - 2 * self.apart) / np.maximum(r - 2, 1), 0.0)
        disagreement, totals = self._pairable()
        totals = totals[:, None] - self._labels_lost()
        return _alpha(disagreement[:, None] + self.sum(np.where(r > 1, after - before, 0.0)), totals, self.distance)

    def _ranked_alpha_without(self, ranks: Ranks) -> Array:
        """The same at the ordinal level, where the ranks are those of the labels that are left."""
        out, record = np.full(self.shape[:2], np.nan), find("alpha")
        for coder in np.unique(self.ratings.coder):
            others = keep(self.ratings.without(int(coder)), "pairable", [])[0]
            cell = (self.coder_of == coder) & self.present
            value = evaluate(record, others, ranks).value
            out[cell] = np.broadcast_to(value[:, None], out.shape)[cell]
        return out

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
        totals, n = self.shared_totals().ravel(), self.n_shared
        observed, by_chance = np.zeros((2, n.size))
        for labels in blocks(len(self.size), LABELS_PER_BLOCK):
            code, place = self.ratings.code[labels], self.place[labels]
            label, category, share = self.cells.votes_of_others(self.ratings.item[labels], code)
            part = share * self.weight[labels][label]
            observed += np.bincount(place[label], part * (code[label] == category), minlength=n.size)
            chosen = totals[place[label] * self.shape[2] + category]  # labels of this coder
            by_chance += np.bincount(place[label], part * chosen, minlength=n.size)
        expected = divide(by_chance.reshape(n.shape), n * n)
        return divide(divide(observed.reshape(n.shape), n) - expected, 1 - expected)

    def shared_totals(self) -> Array:
        """How often each coder chose each category on items that another coder labelled too: (G, C, K)."""
        return self._of_own(np.ones(len(self.size)))

    def shares_of_others(self) -> Array:
        """Mean share of each category among the other labels of the coder's items: (G, C, K)."""
        part = 1.0 / np.maximum(self.size - 1, 1)
        return divide(self._of_items(part, 1) - self._of_own(part), self.n_shared[..., None])

    def beyond_others(self) -> Means:
        """The coder's share of each category minus that of the others on the same items: (G, C, K).

        The difference of an item is between -1 and 1: whether the coder chose the category, minus the share of the
        others who did. The interval has two pseudo-items, as `mean_differences`.
        """
        r, own, part = self.size, self.own, 1.0 / np.maximum(self.size - 1, 1)
        n = np.broadcast_to(self.n_shared[..., None], self.shape)
        total = self._of_own(r * part) - self._of_items(part, 1)
        square = self._of_own((r**2 - 2 * r * own) * part**2) + self._of_items(part**2, 2)
        centre = total / (n + 2)
        variance = np.maximum((square + 1) / (n + 2) - centre**2, 0.0) / (n + 1)
        return Means(n, divide(total, n), centre, np.where(n > 1, np.sqrt(variance), np.nan), n - 1)

    def _of_own(self, part: Array) -> Array:
        """The sum of parts (N,) over the labels that each coder gave each category, on shared items: (G, C, K)."""
        cells = self.place * self.shape[2] + self.ratings.code
        weight = np.where(self.size > 1, self.weight * part, 0.0)
        return np.bincount(cells, weight, minlength=int(np.prod(self.shape))).reshape(self.shape)

    def _of_items(self, part: Array, power: int) -> Array:
        """The sum of parts (N,) times the item's labels of each category to this power: (G, C, K)."""
        from scipy import sparse

        G, C, K = self.shape
        weight, cells = np.where(self.size > 1, self.weight * part, 0.0), self.cells
        labels = sparse.csr_array((weight, (self.place, self.ratings.item)), shape=(G * C, self.ratings.n_items))
        number = cells.number.astype(float) ** power
        counts = sparse.csr_array((number, (cells.item, cells.code)), shape=(cells.n_items, max(K, 1)))
        return (labels @ counts).toarray()[:, :K].reshape(self.shape)

    def difference(self, values: Array | None) -> Array:
        """Mean of the coder's values minus the mean of the others' on the same items: (G, C), NaN without values."""
        if values is None:
            return np.full(self.shape[:2], np.nan)
        x = values[self.ratings.code]
        others = np.bincount(self.ratings.item, x, minlength=self.ratings.n_items)[self.ratings.item] - x
        away = np.where(self.size > 1, x - others / np.maximum(self.size - 1, 1), 0.0)
        return divide(self.sum(away), self.n_shared)


def _alpha(disagreement: Array, totals: Array, distance: Distance) -> Array:
    size = totals.sum(-1)
    statistics = SufficientStatistics(disagreement, size, lambda: totals)
    return alpha(statistics, distance).value
