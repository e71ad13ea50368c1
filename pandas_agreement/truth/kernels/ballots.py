"""The labels of one fit: items and coders of all groups, numbered through. Only numpy here.

Shapes: I items, P coders (one per group and active coder), K categories, G groups, N labels. Probabilities of the true
category are (K, I): numpy reduces a short last axis many times more slowly than the first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from pandas_agreement.core.arrays import Array, number_within
from pandas_agreement.core.category_counts import sum_rows

MAX_ENTRIES = 1 << 22  # of a table of the coders of several groups


@dataclass(frozen=True, eq=False)
class Ballots:
    """Labels in the order of their items, every item with one or more; a coder belongs to one group."""

    item: Array  # (N,) ascending
    pair: Array  # (N,) the coder of the label within its group
    code: Array  # (N,)
    group: Array  # (I,)
    pair_group: Array  # (P,)
    pair_coder: Array  # (P,) the coder's number in the data
    gold: Array  # (I,) the known category, or -1
    n_categories: int
    n_groups: int
    prior: Array | None = None  # (K, I) given probabilities of the true category

    @property
    def n_items(self) -> int:
        return len(self.group)

    @property
    def n_pairs(self) -> int:
        return len(self.pair_group)

    @cached_property
    def sizes(self) -> Array:
        """Labels of each item: (I,)."""
        return np.bincount(self.item, minlength=self.n_items)

    @cached_property
    def items_of_group(self) -> Array:
        return np.bincount(self.group, minlength=self.n_groups)

    @cached_property
    def labels_of_pair(self) -> Array:
        return np.bincount(self.pair, minlength=self.n_pairs)

    @cached_property
    def cell(self) -> Array:
        """The cell of each label in a (P, K) table: (N,)."""
        small = self.n_pairs * self.n_categories < np.iinfo(np.int32).max
        return self.pair.astype(np.int32 if small else np.int64) * self.n_categories + self.code

    @cached_property
    def place(self) -> Array:
        """The cell of each label in a (K, I) table: (N,)."""
        small = self.n_categories * self.n_items < np.iinfo(np.int32).max
        return self.code.astype(np.int32 if small else np.int64) * self.n_items + self.item

    def sum(self, values: Array) -> Array:
        """Sum over the items of each group: (I,) -> (G,), (K, I) -> (G, K)."""
        if self.n_groups == 1:
            return values.sum(-1)[None]
        if values.ndim == 1:
            return np.bincount(self.group, values, minlength=self.n_groups)
        return sum_rows(values.T, self.group, self.n_groups)

    def vote_shares(self) -> Array:
        """Share of each category among the labels of the item; certain for gold: (K, I)."""
        counts = np.bincount(self.place, minlength=self.n_categories * self.n_items)
        return self.clamped(counts.reshape(self.n_categories, self.n_items) / self.sizes)

    def clamped(self, T: Array) -> Array:
        """The probabilities with certainty about gold items; changes the array."""
        return clamped(T, self.gold)

    def only(self, groups: Array) -> tuple[Ballots, Array, Array]:
        """The labels of some groups (a boolean array), renumbered; and which items and coders these are."""
        items, pairs = groups[self.group], groups[self.pair_group]
        if groups.all():
            return self, items, pairs
        labels = items[self.item]
        number = [np.cumsum(kept) - 1 for kept in (items, pairs, groups)]
        part = replace(
            self,
            item=number[0][self.item[labels]],
            pair=number[1][self.pair[labels]],
            code=self.code[labels],
            group=number[2][self.group[items]],
            pair_group=number[2][self.pair_group[pairs]],
            pair_coder=self.pair_coder[pairs],
            gold=self.gold[items],
            n_groups=int(groups.sum()),
            prior=None if self.prior is None else self.prior[:, items],
        )
        return part, items, pairs

    def blocks(self, room: int) -> Iterator[Array]:
        """Groups, as boolean arrays, whose coders need few entries at a time if each needs `room` of them."""
        pairs = np.bincount(self.pair_group, minlength=self.n_groups)
        block = (np.cumsum(pairs) - pairs) * room // MAX_ENTRIES
        for number in np.unique(block) if len(block) else [0]:
            yield block == number


def clamped(T: Array, gold: Array) -> Array:
    """Probabilities (K, I) with certainty about the items whose category is known, (I,) or -1; changes the array."""
    known = np.flatnonzero(gold >= 0)
    T[:, known] = 0.0
    T[gold[known], known] = 1.0
    return T


def rank_within(group: Array) -> Array:
    """Number of each entry within its group, in the order given."""
    order = np.argsort(group, kind="stable")
    rank = np.empty(len(group), np.int64)
    rank[order] = number_within(group[order])
    return rank
