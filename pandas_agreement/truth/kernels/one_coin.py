"""One-coin model: each coder is right with one probability, and errors fall evenly on the other categories.

A label of a coder with accuracy q speaks for its category with weight log(q (K - 1) / (1 - q)). Only numpy here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.truth.kernels.ballots import Ballots
from pandas_agreement.truth.kernels.dawid_skene import ClassShares
from pandas_agreement.truth.kernels.em import TINY, Parameters


@dataclass(frozen=True, eq=False)
class OneCoin:
    """`q` is (P,): the accuracy of each coder, with `smoothing` wrong labels and as many plus `diagonal` right ones."""

    ballots: Ballots
    smoothing: float
    diagonal: float
    estimated: bool

    @cached_property
    def shares(self) -> ClassShares:
        return ClassShares(self.ballots, 0.0, self.estimated)

    def maximize(self, T: Array, before: Parameters | None = None) -> Parameters:
        ballots = self.ballots
        right = np.bincount(ballots.pair, T.ravel()[ballots.place], minlength=ballots.n_pairs)
        total = ballots.labels_of_pair + 2 * self.smoothing + self.diagonal
        return {"q": (right + self.smoothing + self.diagonal) / np.maximum(total, TINY), "pi": self.shares.maximize(T)}

    def expect(self, parameters: Parameters) -> Array:
        ballots = self.ballots
        right = np.log(np.maximum(parameters["q"], TINY))
        wrong = np.log(np.maximum(1 - parameters["q"], TINY) / max(ballots.n_categories - 1, 1))
        votes = np.bincount(
            ballots.place, (right - wrong)[ballots.pair], minlength=ballots.n_categories * ballots.n_items
        )
        base = np.bincount(ballots.item, wrong[ballots.pair], minlength=ballots.n_items)
        L = votes.reshape(ballots.n_categories, ballots.n_items) + base
        return self.shares.add_log(L, parameters["pi"])

    def penalty(self, parameters: Parameters) -> Array:
        q = np.clip(parameters["q"], TINY, 1)
        by_pair = (self.smoothing + self.diagonal) * np.log(q) + self.smoothing * np.log(np.maximum(1 - q, TINY))
        prior = np.bincount(self.ballots.pair_group, by_pair, minlength=self.ballots.n_groups)
        return prior + self.shares.penalty(parameters["pi"])
