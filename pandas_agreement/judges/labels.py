"""One entry per human label of a judged item: distances to the item's other labels, and votes without the own.

`HumanLabels` is the basis of the tables with one row per human. Entries are (N,), items (I,). Only numpy here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pandas_agreement.core.arrays import Array, ranges
from pandas_agreement.core.category_counts import Counts, DenseCounts, pairs_within
from pandas_agreement.core.distances import Distance, Nominal
from pandas_agreement.core.ratings import LongRatings
from pandas_agreement.judges.panel import JudgedItems
from pandas_agreement.judges.uncertainty import Sample


@dataclass(frozen=True, eq=False)
class HumanLabels:
    """The human labels of items; the humans are numbered from 0."""

    ratings: LongRatings  # of the humans alone, sorted by item
    judge: Array  # (I,) the judge's label of each item
    n_humans: int

    @classmethod
    def of(cls, items: JudgedItems) -> HumanLabels:
        return cls(items.humans.as_long().by_item, items.judge, items.ratings.n_coders - 1)

    @property
    def item(self) -> Array:
        return self.ratings.item

    @property
    def human(self) -> Array:
        return self.ratings.coder

    @property
    def code(self) -> Array:
        return self.ratings.code

    @cached_property
    def row(self) -> Array:
        """The number of the label's group and human: (N,)."""
        return self.ratings.item_group[self.item] * self.n_humans + self.human

    @cached_property
    def size(self) -> Array:
        """Human labels of the label's item: (N,)."""
        return self.ratings.sizes[self.item].astype(float)

    @property
    def judged(self) -> Array:
        """The judge's label of the label's item: (N,)."""
        return self.judge[self.item]

    @cached_property
    def sample(self) -> Sample:
        """The labels by group and human."""
        return Sample(self.row, self.ratings.weights[self.item], self.ratings.n_groups * self.n_humans)

    def mean_over_humans(self, values: Array) -> Array:
        """Mean over the human labels of each item: (N,) -> (I,)."""
        n = np.maximum(self.ratings.sizes, 1)
        return np.bincount(self.item, values, minlength=self.ratings.n_items) / n

    @cached_property
    def counts(self) -> Counts:
        return self.ratings.counts

    def count_of(self, code: Array) -> Array:
        """How many humans gave the label's item the category `code`: (N,) -> (N,)."""
        if isinstance(self.counts, DenseCounts):
            return self.counts.counts[code, self.item].astype(float)
        keys = self.counts.item.astype(np.int64) * self.ratings.n_categories + self.counts.code
        key = self.item * np.int64(self.ratings.n_categories) + code
        place = np.minimum(np.searchsorted(keys, key), len(keys) - 1)
        return np.where(keys[place] == key, self.counts.number[place], 0).astype(float)

    def away(self, code: Array, distance: Distance) -> Array:
        """Sum of the distances of a category to the human labels of the label's item: (N,) -> (N,)."""
        if isinstance(distance, Nominal):
            return self.size - self.count_of(code)
        one, two = pairs_within(self.item)
        out = distance.between(code, self.code)  # to the label itself, and then to all others
        out += np.bincount(one, distance.between(code[one], self.code[two]), minlength=len(code))
        return out + np.bincount(two, distance.between(code[two], self.code[one]), minlength=len(code))

    # ------------------------------------------------------------------------------------------- the vote of the others

    @cached_property
    def lead(self) -> tuple[Array, Array]:
        """The most labels that a category has among the other humans, and how many categories have so many: (N,)."""
        _, top, leaders = self.counts.leaders()
        second = self._with_count(top.astype(np.int64) - 1)
        top, leaders, second = (np.asarray(part)[self.item].astype(float) for part in (top, leaders, second))
        leads = self.count_of(self.code) == top
        alone = leads & (leaders == 1)
        return np.where(alone, top - 1, top), np.where(alone, second + 1, np.where(leads, leaders - 1, leaders))

    def _with_count(self, number: Array) -> Array:
        """How many categories have a given number of labels of each item: (I,) -> (I,)."""
        if isinstance(self.counts, DenseCounts):
            return (self.counts.counts == number).sum(0)
        has = self.counts.number == number[self.counts.item]
        return np.bincount(self.counts.item[has], minlength=self.ratings.n_items)

    def vote(self, code: Array) -> Array:
        """The share of a category in the vote of the other humans, where tied ones share equally: (N,) -> (N,)."""
        top, leaders = self.lead
        others = self.count_of(code) - (code == self.code)
        return np.where((others == top) & (self.size > 1), 1 / np.maximum(leaders, 1), 0.0)

    def votes(self) -> tuple[Array, Array, Array]:
        """Labels whose item has others, the categories that lead among these, and their shares of the vote."""
        counts, (top, leaders) = self.counts.sparse(), self.lead
        first = np.searchsorted(counts.item, np.arange(self.ratings.n_items + 1))
        n = np.diff(first)[self.item]  # categories of the label's item
        label = np.repeat(np.arange(len(n)), n)
        entry = ranges(first[self.item], n)
        others = counts.number[entry] - (counts.code[entry] == self.code[label])
        leads = np.flatnonzero((others == top[label]) & (self.size[label] > 1))
        return label[leads], counts.code[entry[leads]], 1 / np.maximum(leaders[label[leads]], 1)

    @property
    def tied(self) -> Array:
        """Whether several categories lead among the others: (N,)."""
        return self.lead[1] > 1
