"""One entry per human label of a judged item: distances to the item's other labels, and votes without the own.

`HumanLabels` is the basis of the tables with one row per human. Entries are (N,), items (I,). Only numpy here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.category_counts import SparseCounts, pairs_within
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
    def counts(self) -> SparseCounts:
        return self.ratings.counts.sparse()

    def away(self, code: Array, distance: Distance) -> Array:
        """Sum of the distances of a category to the human labels of the label's item: (N,) -> (N,)."""
        if isinstance(distance, Nominal):
            return self.size - self.counts.number_of(self.item, code)
        one, two = pairs_within(self.item)
        out = distance.between(code, self.code)  # to the label itself, and then to all others
        out += np.bincount(one, distance.between(code[one], self.code[two]), minlength=len(code))
        return out + np.bincount(two, distance.between(code[two], self.code[one]), minlength=len(code))

    # ------------------------------------------------------------------------------------------- the vote of the others

    @cached_property
    def votes(self) -> tuple[Array, Array, Array]:
        """Labels whose item has others, the categories that lead among these, and their shares of the vote."""
        return self.counts.votes_of_others(self.item, self.code)

    def vote(self, code: Array) -> Array:
        """The share of a category in the vote of the other humans, where tied ones share equally: (N,) -> (N,)."""
        label, category, share = self.votes
        return np.bincount(label, share * (category == code[label]), minlength=len(code))

    @property
    def tied(self) -> Array:
        """Whether several categories lead among the others: (N,)."""
        return np.bincount(self.votes[0], minlength=len(self.code)) > 1
