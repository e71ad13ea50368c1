"""The labels of several groups, each with its group, item and coder, as permutations need them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.ratings import LongRatings


@dataclass(frozen=True, eq=False)
class Judgments:
    """Labels sorted by group, item and coder, (N,) each; items are numbered from 0 over all groups."""

    group: Array
    item: Array
    coder: Array
    code: Array
    weight: Array  # (I,) how often each item occurs

    @classmethod
    def of(cls, ratings: LongRatings) -> Judgments:
        group = ratings.item_group[ratings.item]
        order = np.lexsort((ratings.coder, ratings.item, group))
        _, item = np.unique(ratings.item[order] + group[order] * np.int64(ratings.n_items), return_inverse=True)
        weight = np.empty(int(item.max(initial=-1)) + 1)
        weight[item] = ratings.weights[ratings.item[order]]
        return cls(group[order], item, ratings.coder[order], ratings.code[order], weight)

    def only(self, labels: slice | Array) -> Judgments:
        """Some labels, of whole groups."""
        item = self.item[labels]
        first = int(item[0]) if len(item) else 0
        number = np.unique(item, return_inverse=True)[1] if isinstance(labels, np.ndarray) else item - first
        weight = np.empty(int(number.max(initial=-1)) + 1)
        weight[number] = self.weight[item]
        return Judgments(self.group[labels], number, self.coder[labels], self.code[labels], weight)

    @cached_property
    def times(self) -> Array:
        """How often each label occurs: (N,)."""
        return self.weight[self.item]

    @cached_property
    def sizes(self) -> Array:
        """Labels of each item: (I,)."""
        return np.bincount(self.item, minlength=len(self.weight))

    @cached_property
    def runs(self) -> tuple[Array, Array]:
        """The pairs of group and coder, (R, 2), and that of each label."""
        width = np.int64(self.coder.max(initial=0) + 1)
        keys, run = np.unique(self.group * width + self.coder, return_inverse=True)
        return np.stack(np.divmod(keys, width), 1), run

    @cached_property
    def slot(self) -> Array:
        """The number of each label's coder within its group, from 0: (N,)."""
        pairs, run = self.runs
        return (np.arange(len(pairs)) - np.searchsorted(pairs[:, 0], pairs[:, 0]))[run]

    def expanded(self) -> Judgments:
        """The labels of items that occur several times, one by one."""
        times = np.rint(self.weight).astype(np.int64)
        if (times == 1).all():
            return self
        starts = np.cumsum(times) - times
        each = times[self.item]
        label = np.repeat(np.arange(len(self.item)), each)
        item = starts[self.item[label]] + np.arange(len(label)) - np.repeat(np.cumsum(each) - each, each)
        order = np.lexsort((self.coder[label], item, self.group[label]))
        label = label[order]
        ones = np.ones(int(times.sum()))
        return Judgments(self.group[label], item[order], self.coder[label], self.code[label], ones)
