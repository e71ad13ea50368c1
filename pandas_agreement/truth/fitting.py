"""Run a method on ballots, votes or a model with its restarts, and derive what follows for items and coders."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from pandas_agreement.core.arrays import Array, number_within, places
from pandas_agreement.core.category_counts import blocks, sum_rows
from pandas_agreement.core.progress import count_steps
from pandas_agreement.data import Reading
from pandas_agreement.truth.kernels.ballots import Ballots, clamped, rank_within
from pandas_agreement.truth.kernels.coder_accuracy import Reliability, joined, reliability, unknown
from pandas_agreement.truth.kernels.em import TINY, Solution, posterior, run
from pandas_agreement.truth.kernels.models import MODELS
from pandas_agreement.truth.kernels.votes import (
    EQUAL,
    Decision,
    Tally,
    agreement_with_vote,
    decide_probabilities,
    tally,
    tally_of_counts,
)
from pandas_agreement.truth.reading import Cast, coder_weights
from pandas_agreement.truth.settings import Settings

SEED = 0  # of the restarts, without rng=
LABELS_PER_BLOCK = 1 << 18  # labels that are compared with the others of their items at a time


@dataclass(frozen=True, eq=False)
class Fit:
    """The outcome of a fit. Items are those of the reading; `solution` is None for votes."""

    cast: Cast
    settings: Settings
    counts: Tally  # labels of the items with any
    votes: Tally  # the same, weighted
    solution: Solution | None = None
    weight: Array | None = None  # (P,) of the votes

    @property
    def n_categories(self) -> int:
        return len(self.cast.reading.category_set)

    @cached_property
    def group_labels(self) -> Array:
        """Number of labels of each group: (G,)."""
        return np.bincount(self.cast.group, self.n_labels, minlength=self.cast.n_groups).astype(np.int64)

    @cached_property
    def n_labels(self) -> Array:
        """Labels of each item: (I,)."""
        return self._spread(self.counts.n_votes.astype(np.int64), 0)

    def _spread(self, values: Array, empty: Any) -> Array:
        """Values of the items with a label in the places of all items."""
        labelled = self.cast.labelled
        if labelled.all():
            return values
        out = np.full((*values.shape[:-1], len(labelled)), empty, values.dtype)
        out[..., labelled] = values
        return out

    @cached_property
    def shares(self) -> Array:
        """How frequent each category is: the parameter of the model, or the mean of the probabilities; (G, K)."""
        if self.solution is not None and self.settings.prior_kind == "estimate":
            return self.solution.parameters["pi"]
        group = self.cast.group[self.cast.labelled]
        n = np.maximum(np.bincount(group, minlength=self.cast.n_groups), 1)[:, None]
        if self.solution is not None:
            return sum_rows(self.solution.T.T, group, len(n)) / n
        gold = self.cast.gold[self.cast.labelled]
        votes, K = self.votes, self.n_categories
        open_ = gold[votes.item] < 0
        cell = np.concatenate([group[votes.item[open_]] * K + votes.code[open_], (group * K + gold)[gold >= 0]])
        mass = np.concatenate([votes.share[open_], np.ones(int((gold >= 0).sum()))])
        return np.bincount(cell, mass, minlength=len(n) * K).reshape(len(n), K) / n

    def probabilities(self) -> Array:
        """Of each category for each item: (K, I)."""
        labelled = self.cast.labelled
        if self.solution is not None:
            T = self._spread(self.solution.T, np.nan)
            T[:, ~labelled] = self.shares.T[:, self.cast.group[~labelled]]
        else:
            T = np.tile(np.where(labelled, 0.0, np.nan), (self.n_categories, 1))
            T[self.votes.code, np.flatnonzero(labelled)[self.votes.item]] = self.votes.share
        return clamped(T, self.cast.gold)

    @cached_property
    def vote(self) -> Decision:
        """The vote on the items with a label, gold or not."""
        return self.votes.decide()

    @cached_property
    def decision(self) -> Decision:
        """Leading category of all items; gold items are certain."""
        if self.solution is not None:
            return decide_probabilities(self.probabilities())
        vote = self.vote
        names = ("first", "second", "top", "margin", "entropy", "leaders")
        empty = (-1, -1, np.nan, np.nan, 0, 0)
        wide = [self._spread(getattr(vote, name), value).copy() for name, value in zip(names, empty, strict=True)]
        known = self.cast.gold >= 0
        for values, certain in zip(wide, (self.cast.gold[known], -1, 1.0, 1.0, 0.0, 1), strict=True):
            values[known] = certain
        return Decision(*wide)

    @cached_property
    def tie(self) -> Array:
        """Several categories lead: (I,)."""
        return (self.decision.leaders > 1) & self.cast.labelled & (self.cast.gold < 0)

    @cached_property
    def label(self) -> Array:
        """The inferred category of each item, -1 for none: (I,)."""
        known = (self.cast.labelled & ~self.tie) | (self.cast.gold >= 0)
        label = np.where(known, self.decision.first, -1)
        tied = np.flatnonzero(self.tie)
        if len(tied) and self.settings.ties != "missing":
            label[tied] = self._resolved(tied)
        return label

    def _resolved(self, tied: Array) -> Array:
        """One of the leading categories of each tied item, by the rule for ties."""
        place, code = self.leads(tied)
        number = np.bincount(place, minlength=len(tied))
        start = np.cumsum(number) - number
        if self.settings.ties == "first":
            return code[start]
        if self.settings.ties == "random":
            draws = np.random.default_rng(self.settings.rng).random(len(self.cast.labelled))[tied]
            return code[start + np.floor(draws * number).astype(np.int64)]
        share = self.shares[self.cast.group[tied[place]], code]
        best = share >= np.maximum.reduceat(share, start)[place] - EQUAL
        alone = best & (np.bincount(place[best], minlength=len(tied)) == 1)[place]
        label = np.full(len(tied), -1)
        label[place[alone]] = code[alone]
        return label

    def leads(self, items: Array) -> tuple[Array, Array]:
        """The categories that lead these items, all ascending: places of the items, and codes."""
        if self.solution is not None:
            T = self.probabilities()[:, items]
            place, code = np.nonzero((T.max(0) - EQUAL <= T).T)
            return place, code
        number = places(items, len(self.cast.labelled))
        place = number[self.cast.labelled][self.votes.item]
        chosen = (place >= 0) & self.votes.leading(self.vote)
        return place[chosen], self.votes.code[chosen]

    @cached_property
    def agreement(self) -> Array:
        """Share of the labels of each item that equal its inferred label: (I,)."""
        label = self.label[self.cast.labelled]
        counts = self.counts
        same = counts.code == label[counts.item]
        share = np.bincount(counts.item[same], counts.share[same], minlength=counts.n_items)
        return self._spread(np.where(label >= 0, share, np.nan), np.nan)

    def differs_from_vote(self) -> Array:
        """The model contradicts a vote that has one leader: (I,)."""
        first, number = self.votes.lead()
        vote = self._spread(np.where(number == 1, first, -1), -1)
        return (vote >= 0) & (self.label >= 0) & (vote != self.label) & (self.cast.gold < 0)

    # ------------------------------------------------------------------------------------------------------- coders

    @property
    def ballots(self) -> Ballots:
        if self.cast.ballots is None:
            raise TypeError("a table of counts has no coders")
        return self.cast.ballots

    def reliability(self, errors: bool) -> Reliability:
        """Accuracy and error rates of each coder; NaN for votes."""
        if self.solution is None:
            return unknown(self.ballots.n_pairs, self.n_categories)
        make, parts = model_maker(self.settings, self.n_categories), []
        for groups in self.ballots.blocks(self.n_categories ** (4 if errors else 2)):
            part, items, pairs = self.ballots.only(groups)
            solution = self.solution.only(groups, items, pairs)
            parts.append(reliability(make(part), solution, self.shares[groups], errors))
        return joined(parts)

    def agreement_with_others(self) -> Array:
        """Share of each coder's labels that equal the consensus of the other coders, ties shared: (P,)."""
        ballots = self.ballots
        if not len(ballots.item):
            return np.zeros(0)
        same = self._same_as_others() if self.solution is None else self._same_as_inferred()
        gold = ballots.gold[ballots.item]
        same = np.where(gold >= 0, (ballots.code == gold).astype(float), same)
        known = np.isfinite(same)
        right = np.bincount(ballots.pair[known], same[known], minlength=ballots.n_pairs)
        n = np.bincount(ballots.pair[known], minlength=ballots.n_pairs)
        return np.where(n > 0, right / np.maximum(n, 1), np.nan)

    def _same_as_others(self) -> Array:
        """How much the vote of the others agrees with each label: 1 if it leads alone, 1/2 of two leaders: (N,)."""
        ballots, same = self.ballots, np.full(len(self.ballots.item), np.nan)
        for rows in blocks(len(same), LABELS_PER_BLOCK):
            code, weight = ballots.code[rows], None if self.weight is None else self.weight[ballots.pair[rows]]
            label, category, share = self.votes.votes_of_others(ballots.item[rows], code, weight)
            same[rows][label] = 0.0
            own = category == code[label]
            same[rows][label[own]] = share[own]
        return same

    def _same_as_inferred(self) -> Array:
        """The label equals the category that the labels of the others make most probable: (N,)."""
        ballots, solution = self.ballots, self.solution
        if solution is None:
            raise TypeError("votes have no model")
        model = model_maker(self.settings, self.n_categories)(ballots)
        L, log = model.expect(solution.parameters), np.log(np.maximum(model.theta(solution.parameters), TINY))
        same = np.full(len(ballots.item), np.nan)
        for rows in blocks(len(same)):
            pair, code, item = ballots.pair[rows], ballots.code[rows], ballots.item[rows]
            rest = L[:, item] - log[pair, code].T
            top = rest.max(0)
            lead = rest >= top - 1e-9
            own = lead[code, np.arange(len(code))] / lead.sum(0)
            same[rows] = np.where(ballots.sizes[item] > 1, own, np.nan)
        return same


def fit(cast: Cast, settings: Settings) -> Fit:
    """Votes, or a model, on all groups at once."""
    ballots = cast.ballots
    if ballots is None:
        votes = tally_of_counts(cast.reading.ratings.counts.select(cast.labelled))
        return Fit(cast, settings, votes, votes)
    counts = tally(ballots)
    if not settings.is_vote:
        return Fit(cast, settings, counts, counts, solve(ballots, settings))
    if settings.weights is None:
        return Fit(cast, settings, counts, counts)
    weight = _vote_weights(cast.reading, ballots, counts, settings.weights)
    return Fit(cast, settings, counts, tally(ballots, weight), weight=weight)


def _vote_weights(reading: Reading, ballots: Ballots, counts: Tally, weights: Any) -> Array:
    """The weight of each coder's vote: (P,)."""
    if not isinstance(weights, str):
        return coder_weights(reading, ballots, weights)
    return agreement_with_vote(ballots, counts) / np.maximum(ballots.labels_of_pair, 1)


def model_maker(settings: Settings, n_categories: int) -> Callable[[Ballots], Any]:
    """The model of a method, for any part of the groups."""
    s, d = settings.pseudo(n_categories)
    return partial(MODELS[settings.method], smoothing=s, diagonal=d, estimated=settings.prior_kind == "estimate")


def solve(ballots: Ballots, settings: Settings) -> Solution:
    """From the votes, or the best of several random starts, by group."""
    if not ballots.n_items:
        return _nothing(ballots)
    seeds = np.random.default_rng(SEED if settings.rng is None else settings.rng).spawn(settings.n_restarts)
    make = model_maker(settings, ballots.n_categories)
    best: Solution | None = None
    with count_steps(settings.progress, max(len(seeds), 1) * settings.max_iter) as steps:
        go = partial(run, make, ballots, tol=settings.tol, max_iter=settings.max_iter, steps=steps)
        for rng in seeds:
            found = _from_draws(ballots, settings, make, go, rng)
            best = found if best is None else best.better(found, ballots)
        return best or go(T=ballots.vote_shares())


def _nothing(ballots: Ballots) -> Solution:
    """The solution of no labels."""
    K, n = ballots.n_categories, ballots.n_groups
    empty = {"theta": np.zeros((0, K, K)), "q": np.zeros(0), "m": np.zeros(0), "xi": np.zeros((0, K))}
    parameters = {**empty, "pi": np.full((n, K), np.nan)}
    return Solution(np.zeros((K, 0)), parameters, np.zeros(n), np.zeros(n), np.zeros(n, np.int64), np.ones(n, bool))


def _from_draws(ballots: Ballots, settings: Settings, make: Any, go: Any, rng: np.random.Generator) -> Solution:
    """One run from a random start; the draws of a group do not depend on the other groups."""
    K = ballots.n_categories
    if settings.method == "mace":
        local = number_within(ballots.pair_group)
        draws = rng.random((int(local.max(initial=-1)) + 1, 1 + K))[local]
        model = make(ballots)
        start = model.start(draws)
        return go(T=posterior(model.expect(start), ballots)[0], parameters=start)
    local = rank_within(ballots.group)
    T = rng.standard_exponential((int(local.max(initial=-1)) + 1, K))[local].T.copy()
    return go(T=ballots.clamped(T / T.sum(0)))
