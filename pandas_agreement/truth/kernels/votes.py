"""Votes: how much weight each category of each item has, and who leads. Only numpy here.

A tally lists the categories that an item has at least one vote for, so that many categories take no room.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.category_counts import Counts, DenseCounts, dense_is_small
from pandas_agreement.truth.kernels.ballots import Ballots

EQUAL = 1e-12  # relative difference of two weights, or difference of two probabilities, that is a tie


@dataclass(frozen=True, eq=False)
class Decision:
    """The leading category of each item and what speaks for it; arrays are (I,)."""

    first: Array  # the first of the leading categories, -1 without any vote
    second: Array  # the next one, -1 if there is none
    top: Array  # the share or probability of the first
    margin: Array  # the same minus that of the second
    entropy: Array  # in nats
    leaders: Array  # how many categories lead


@dataclass(frozen=True, eq=False)
class Tally:
    """`weight` is what category `code` of `item` has; items ascending, then codes."""

    item: Array
    code: Array
    weight: Array
    n_items: int
    n_categories: int

    @property
    def sizes(self) -> tuple[int, int]:
        return self.n_items, self.n_categories

    @cached_property
    def total(self) -> Array:
        """Weight of all votes of each item: (I,)."""
        return np.bincount(self.item, self.weight, minlength=self.n_items)

    @cached_property
    def share(self) -> Array:
        """Of the weight of the item, one per entry."""
        return self.weight / np.where(self.total > 0, self.total, 1.0)[self.item]

    def shares(self) -> Array:
        """Sum of the shares of each category over the items: (K,)."""
        return np.bincount(self.code, self.share, minlength=self.n_categories)

    def decide(self) -> Decision:
        """The category with the largest weight, the first of several; none where no vote has weight."""
        if not (self.weight > 0).all():
            some = self.weight > 0
            return Tally(self.item[some], self.code[some], self.weight[some], *self.sizes).decide()
        first, leaders = self.leaders()
        starts, second = self._starts, np.full(self.n_items, -1)
        present = self.item[starts]
        top, margin, entropy = np.full(self.n_items, np.nan), np.full(self.n_items, np.nan), np.zeros(self.n_items)
        if len(present):
            rest = np.where(self.code == first[self.item], -1.0, self.share)
            top[present] = np.maximum.reduceat(self.share, starts)
            following = np.maximum.reduceat(rest, starts)
            margin[present] = np.where(leaders[present] > 1, 0.0, top[present] - np.maximum(following, 0))
            runner_up = rest >= np.repeat(following, np.diff(np.append(starts, len(self.item))))
            second[present] = np.where(following >= 0, _first_of(self.code, runner_up, starts), -1)
            logs = np.log(np.where(self.share > 0, self.share, 1.0))
            entropy[present] = np.abs(np.add.reduceat(self.share * logs, starts))
        return Decision(first, second, top, margin, entropy, leaders)

    @cached_property
    def _starts(self) -> Array:
        """The first entry of each item that has any."""
        return np.flatnonzero(np.append(True, self.item[1:] != self.item[:-1])) if len(self.item) else self.item

    def leaders(self) -> tuple[Array, Array]:
        """The first of the leading categories of each item, -1 without any, and how many lead: (I,), (I,)."""
        first, number = np.full(self.n_items, -1), np.zeros(self.n_items, np.int64)
        starts = self._starts
        if len(starts):
            most = np.maximum.reduceat(self.weight, starts)
            lead = self.weight >= np.repeat(most * (1 - EQUAL), np.diff(np.append(starts, len(self.item))))
            lead &= self.weight > 0
            number[self.item[starts]] = np.add.reduceat(lead, starts, dtype=np.int64)
            first[self.item[starts]] = _first_of(self.code, lead, starts)
            first[number == 0] = -1
        return first, number

    def leading(self, decision: Decision) -> Array:
        """Which entries lead their item: one bool per entry."""
        return self.share >= decision.top[self.item] - EQUAL

    def without(self, item: Array, code: Array, weight: Array) -> Array:
        """How much the vote of the others agrees with a label: 1 if it leads alone, 1/2 of two leaders, ...; (N,).

        NaN where nobody else voted. The label is taken out of the vote of its item.
        """
        width = np.int64(max(self.n_categories, 1))
        key = self.item * width + self.code
        here = np.searchsorted(key, item * width + code)
        best = self._best_two()
        own = self.weight[here] - weight
        others = np.where(best.code[item] == code, best.second[item], best.first[item])
        lead = np.maximum(own, others)
        tied = np.where(best.code[item] == code, best.n_second[item], best.n_first[item])
        agrees = own >= lead - EQUAL * np.maximum(lead, 1)
        both = agrees & (others >= lead - EQUAL * np.maximum(lead, 1))
        share = np.where(agrees, 1 / np.where(both, tied + 1.0, 1.0), 0.0)
        return np.where(self.total[item] - weight > EQUAL, share, np.nan)

    def _best_two(self) -> BestTwo:
        """Largest weight of each item and its category, and the largest of the other categories, with their numbers."""
        decision = self.decide()
        first = np.zeros(self.n_items)
        np.maximum.at(first, self.item, self.weight)
        other = self.code != decision.first[self.item]
        second = np.zeros(self.n_items)
        np.maximum.at(second, self.item[other], self.weight[other])
        at_first = self.weight >= first[self.item] * (1 - EQUAL)
        at_second = other & (self.weight >= second[self.item] * (1 - EQUAL))
        numbers = [np.bincount(self.item[which], minlength=self.n_items) for which in (at_first, at_second)]
        return BestTwo(decision.first, first, second, *numbers)


@dataclass(frozen=True, eq=False)
class BestTwo:
    """Of each item the leading category, its weight, that of the next, and how many categories have each: (I,)."""

    code: Array
    first: Array
    second: Array
    n_first: Array
    n_second: Array


def _first_of(code: Array, chosen: Array, starts: Array) -> Array:
    """The least code among the chosen entries of each item."""
    return np.minimum.reduceat(np.where(chosen, code, np.iinfo(np.int64).max), starts)


def tally(ballots: Ballots, weight: Array | None = None) -> Tally:
    """The votes of each item; `weight` is (P,), one per coder."""
    weights = None if weight is None else weight[ballots.pair]
    n, K = ballots.n_items, ballots.n_categories
    key = ballots.item.astype(np.int64) * K + ballots.code
    if dense_is_small(K, n, len(key)):
        number = np.bincount(key, minlength=n * K)
        sums = number if weights is None else np.bincount(key, weights, minlength=n * K)
        keys = np.flatnonzero(number)
        return Tally(keys // max(K, 1), keys % max(K, 1), sums[keys].astype(float), n, K)
    keys, where = np.unique(key, return_inverse=True)
    return Tally(keys // K, keys % K, np.bincount(where, weights, minlength=len(keys)).astype(float), n, K)


def tally_of_counts(counts: Counts) -> Tally:
    """The votes of items whose coders are not known."""
    sparse = counts.sparse() if isinstance(counts, DenseCounts) else counts
    item, code = sparse.item.astype(np.int64), sparse.code.astype(np.int64)
    return Tally(item, code, sparse.number.astype(float), sparse.n_items, sparse.n_categories)


def agreement_with_vote(ballots: Ballots, votes: Tally) -> Array:
    """How many of each coder's labels equal the vote, the own vote included and ties shared: (P,)."""
    decision = votes.decide()
    key = votes.item * np.int64(max(ballots.n_categories, 1)) + votes.code
    leads = votes.leading(decision) / np.maximum(decision.leaders, 1)[votes.item]
    here = np.searchsorted(key, ballots.item.astype(np.int64) * ballots.n_categories + ballots.code)
    return np.bincount(ballots.pair, leads[here], minlength=ballots.n_pairs)


def decide_probabilities(T: Array) -> Decision:
    """The most probable category of each item, the first of several: (K, I) -> (I,)."""
    K, n = T.shape
    if not K:
        none = np.full(n, -1)
        return Decision(none, none, np.full(n, np.nan), np.full(n, np.nan), np.zeros(n), np.zeros(n, np.int64))
    top = T.max(0)
    lead = top - EQUAL <= T
    first = lead.argmax(0)
    rest = T.copy()
    rest[first, np.arange(n)] = -1.0
    second = rest.argmax(0) if K > 1 else np.full(n, -1)
    leaders = lead.sum(0)
    margin = np.where(leaders > 1, 0.0, top - np.maximum(rest.max(0), 0))
    entropy = np.abs((T * np.log(np.where(T > 0, T, 1.0))).sum(0))
    return Decision(first, second, top, margin, entropy, leaders)
