"""MACE: a coder knows the true category with some probability, and else draws a label from own preferences.

Hovy, Berg-Kirkpatrick, Vaswani and Hovy (2013), NAACL-HLT, 1120-1130. The probabilities of an item with many labels
underflow, so everything is in logarithms. Only numpy here.
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
class Mace:
    """`m` is (P,): the probability of knowing; `xi` is (P, K): the labels of a coder who does not know."""

    ballots: Ballots
    smoothing: float
    estimated: bool

    @cached_property
    def shares(self) -> ClassShares:
        return ClassShares(self.ballots, 0.0, self.estimated)

    def start(self, draws: Array) -> Parameters:
        """Parameters from uniform draws: (P, 1 + K)."""
        xi = 0.1 + draws[:, 1:]
        m = 0.3 + 0.6 * draws[:, 0]
        K = self.ballots.n_categories
        return {"m": m, "xi": xi / xi.sum(1, keepdims=True), "pi": np.full((self.ballots.n_groups, K), 1 / max(K, 1))}

    def maximize(self, T: Array, before: Parameters | None) -> Parameters:
        """The share of a label that was known depends on the parameters before."""
        ballots, s = self.ballots, self.smoothing
        before = self.start(np.full((ballots.n_pairs, 1 + ballots.n_categories), 0.5)) if before is None else before
        m = before["m"][:, None]
        knew = (m / np.maximum(self._guesses(before) + m, TINY)).ravel()[ballots.cell]
        knew *= T.ravel()[ballots.place]
        known = np.bincount(ballots.cell, knew, minlength=self.given.size).reshape(self.given.shape)
        spam = self.given - known + s
        return {
            "m": (known.sum(1) + s) / np.maximum(ballots.labels_of_pair + 2 * s, TINY),
            "xi": spam / np.maximum(spam.sum(1, keepdims=True), TINY),
            "pi": self.shares.maximize(T),
        }

    @cached_property
    def given(self) -> Array:
        """How often each coder gave each label: (P, K)."""
        shape = self.ballots.n_pairs, self.ballots.n_categories
        return np.bincount(self.ballots.cell, minlength=shape[0] * shape[1]).reshape(shape)

    def _guesses(self, parameters: Parameters) -> Array:
        """Probability of each label if the coder does not know: (P, K)."""
        return (1 - parameters["m"])[:, None] * parameters["xi"]

    def expect(self, parameters: Parameters) -> Array:
        ballots = self.ballots
        guess = self._guesses(parameters)
        wrong = np.log(np.maximum(guess, TINY))
        gain = np.log(np.maximum(guess + parameters["m"][:, None], TINY)) - wrong
        base = np.bincount(ballots.item, wrong.ravel()[ballots.cell], minlength=ballots.n_items)
        size = ballots.n_categories * ballots.n_items
        votes = np.bincount(ballots.place, gain.ravel()[ballots.cell], minlength=size)
        return self.shares.add_log(votes.reshape(ballots.n_categories, ballots.n_items) + base, parameters["pi"])

    def penalty(self, parameters: Parameters) -> Array:
        m, xi = parameters["m"], parameters["xi"]
        logs = np.log(np.maximum(m, TINY)) + np.log(np.maximum(1 - m, TINY)) + np.log(np.maximum(xi, TINY)).sum(1)
        return np.bincount(self.ballots.pair_group, self.smoothing * logs, minlength=self.ballots.n_groups)
