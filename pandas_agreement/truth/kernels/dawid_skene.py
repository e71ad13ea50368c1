"""Dawid and Skene's model: each coder has a probability of every label given the true category.

P(labels of item i) = sum_k pi_k prod_c theta_c(x_ic | k), in the notation of Dawid and Skene (1979), Applied
Statistics 28, 20-28. A sweep is two products with one sparse matrix of items by coders and categories. Only numpy
and scipy here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.truth.kernels.ballots import Ballots
from pandas_agreement.truth.kernels.em import TINY, Parameters


@dataclass(frozen=True, eq=False)
class ClassShares:
    """How likely each category is before the labels: estimated, all alike, or given for every item."""

    ballots: Ballots
    smoothing: float
    estimated: bool

    def maximize(self, T: Array) -> Array:
        """(K, I) -> (G, K)."""
        n_groups, K = self.ballots.n_groups, self.ballots.n_categories
        if not self.estimated:
            return np.full((n_groups, K), 1 / max(K, 1))
        total = self.ballots.items_of_group[:, None] + K * self.smoothing
        return (self.ballots.sum(T) + self.smoothing) / np.maximum(total, TINY)

    def add_log(self, L: Array, pi: Array) -> Array:
        """Add the log of the shares to the array: (K, I)."""
        if self.ballots.prior is not None:
            L += np.log(np.maximum(self.ballots.prior, TINY))
            return L
        log = np.log(np.maximum(pi, TINY))
        L += log.T if len(log) == 1 else log.T[:, self.ballots.group]
        return L

    def penalty(self, pi: Array) -> Array:
        if not (self.estimated and self.smoothing):
            return np.zeros(len(pi))
        return self.smoothing * np.log(np.maximum(pi, TINY)).sum(1)


@dataclass(frozen=True, eq=False)
class DawidSkene:
    """`theta` is (P, K, K): coder, label given, true category."""

    ballots: Ballots
    smoothing: float
    diagonal: float
    estimated: bool

    @cached_property
    def shares(self) -> ClassShares:
        return ClassShares(self.ballots, self.smoothing, self.estimated)

    @cached_property
    def matrix(self) -> Any:
        """Which label each item has of each coder: (I, P K), sparse."""
        from scipy import sparse

        ballots = self.ballots
        small = max(len(ballots.item), ballots.n_pairs * ballots.n_categories) < np.iinfo(np.int32).max
        starts = np.zeros(ballots.n_items + 1, np.int32 if small else np.int64)
        np.cumsum(ballots.sizes, out=starts[1:])
        shape = ballots.n_items, ballots.n_pairs * ballots.n_categories
        return sparse.csr_array((np.ones(len(ballots.cell)), ballots.cell, starts), shape=shape)

    @cached_property
    def pseudo(self) -> Array:
        """Labels added to every cell: (K, K)."""
        K = self.ballots.n_categories
        return self.smoothing + self.diagonal * np.eye(K)

    def counts(self, T: Array) -> Array:
        """Expected number of labels of each coder, by true category: (P, K, K)."""
        K = self.ballots.n_categories
        return (self.matrix.T @ np.ascontiguousarray(T.T)).reshape(self.ballots.n_pairs, K, K)

    def maximize(self, T: Array, before: Parameters | None = None) -> Parameters:
        counts = self.counts(T) + self.pseudo
        total = counts.sum(1, keepdims=True)
        theta = np.where(total > 0, counts / np.where(total > 0, total, 1), 1 / max(self.ballots.n_categories, 1))
        return {"theta": theta, "pi": self.shares.maximize(T)}

    def expect(self, parameters: Parameters) -> Array:
        K = self.ballots.n_categories
        log = np.log(np.maximum(parameters["theta"], TINY)).reshape(-1, K)
        return self.shares.add_log(np.ascontiguousarray((self.matrix @ log).T), parameters["pi"])

    def penalty(self, parameters: Parameters) -> Array:
        value = self.shares.penalty(parameters["pi"])
        if not self.pseudo.any():
            return value
        log = np.log(np.maximum(parameters["theta"], TINY))
        by_pair = np.einsum("pxk,xk->p", log, self.pseudo)
        return value + np.bincount(self.ballots.pair_group, by_pair, minlength=self.ballots.n_groups)
