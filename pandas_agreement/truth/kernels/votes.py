"""Votes: how much weight each category of each item has, and who leads. Only numpy here.

A tally lists the categories that an item has at least one vote for, so that many categories take no room.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.category_counts import Counts, SparseCounts, dense_is_small
from pandas_agreement.core.classes import dataclass
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
class Tally(SparseCounts):
    """`number` is the weight of category `code` of `item`."""

    @cached_property
    def n_votes(self) -> Array:
        """Weight of all votes of each item: (I,)."""
        return self.over_items(self.number)

    @cached_property
    def share(self) -> Array:
        """Of the weight of the item, one per entry."""
        return self.number / np.where(self.n_votes > 0, self.n_votes, 1.0)[self.item]

    def decide(self) -> Decision:
        """The category with the largest weight, the first of several; none where no vote has weight."""
        some = self.number > 0
        if not some.all():
            return replace(self, item=self.item[some], code=self.code[some], number=self.number[some]).decide()
        first, leaders = self.lead()
        starts, second = self._first_entries, np.full(self.n_items, -1)
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
    def _first_entries(self) -> Array:
        """The first entry of each item that has any."""
        return np.flatnonzero(np.append(True, self.item[1:] != self.item[:-1])) if len(self.item) else self.item

    def lead(self) -> tuple[Array, Array]:
        """The first of the leading categories of each item, -1 without any, and how many lead: (I,), (I,)."""
        first, number = np.full(self.n_items, -1), np.zeros(self.n_items, np.int64)
        starts = self._first_entries
        if len(starts):
            most = np.maximum.reduceat(self.number, starts)
            lead = self.number >= np.repeat(most * (1 - EQUAL), np.diff(np.append(starts, len(self.item))))
            lead &= self.number > 0
            number[self.item[starts]] = np.add.reduceat(lead, starts, dtype=np.int64)
            first[self.item[starts]] = _first_of(self.code, lead, starts)
            first[number == 0] = -1
        return first, number

    def leading(self, decision: Decision) -> Array:
        """Which entries lead their item: one bool per entry."""
        return self.share >= decision.top[self.item] - EQUAL


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
    sparse = counts.sparse()
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
