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
        first, leaders = self.lead()
        others = replace(self, number=np.where(self.code == first[self.item], 0.0, self.share))
        second, following, _ = others.leaders()
        top, voted = np.zeros(self.n_items), leaders > 0
        np.maximum.at(top, self.item, self.share)
        logs = np.log(np.where(self.share > 0, self.share, 1.0))
        return Decision(
            first,
            np.where(following > 0, second, -1),
            np.where(voted, top, np.nan),
            np.where(voted, np.where(leaders > 1, 0.0, top - following), np.nan),
            np.abs(self.over_items(self.share * logs)),
            leaders,
        )

    def lead(self) -> tuple[Array, Array]:
        """The first of the leading categories of each item, -1 without any, and how many lead: (I,), (I,)."""
        first, top, number = self.leaders()
        return np.where(top > 0, first, -1), np.where(top > 0, number, 0)

    def leading(self, decision: Decision) -> Array:
        """Which entries lead their item: one bool per entry."""
        return self.share >= decision.top[self.item] - EQUAL


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
