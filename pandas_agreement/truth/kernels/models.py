"""The models of labels: how likely each label of a coder is, given the true category. Only numpy and scipy here.

Each gives the two steps of `em.run`, the matrix theta_c(x | k) of labels given true categories, and how its parameters
move the likelihood, for standard errors. Parameters are logits there, one fewer than the probabilities they stand for.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.classes import dataclass
from pandas_agreement.truth.kernels.em import TINY, CoderScores, Model, Parameters, Solution


def logit_derivative(share: Array) -> Array:
    """Of shares by all logits but the last: (..., K) -> (..., K - 1, K)."""
    K = share.shape[-1]
    return share[..., :-1, None] * (np.eye(K)[:-1] - share[..., None, :])


def shares_information(share: Array, total: float) -> Array:
    """Of a prior that adds `total` labels, at these shares: (..., K) -> (..., K - 1, K - 1)."""
    return total * logit_derivative(share)[..., :-1]


@dataclass(frozen=True, eq=False)
class DawidSkene(Model):
    """Each coder has a probability of every label given the true category: `theta`, (P, K, K).

    P(labels of item i) = sum_k pi_k prod_c theta_c(x_ic | k), in the notation of Dawid and Skene (1979), Applied
    Statistics 28, 20-28. A sweep is two products with one sparse matrix of items by coders and categories.
    """

    smooths_shares = True

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
        return {"theta": theta, "pi": self.shares(T)}

    def expect(self, parameters: Parameters) -> Array:
        K = self.ballots.n_categories
        log = np.log(np.maximum(parameters["theta"], TINY)).reshape(-1, K)
        return self.add_log_shares(np.ascontiguousarray((self.matrix @ log).T), parameters["pi"])

    def penalty(self, parameters: Parameters) -> Array:
        value = np.zeros(self.ballots.n_groups)
        if self.estimated and self.smoothing:
            value = self.smoothing * np.log(np.maximum(parameters["pi"], TINY)).sum(1)
        if not self.pseudo.any():
            return value
        log = np.log(np.maximum(parameters["theta"], TINY))
        by_pair = np.einsum("pxk,xk->p", log, self.pseudo)
        return value + np.bincount(self.ballots.pair_group, by_pair, minlength=self.ballots.n_groups)

    def theta(self, parameters: Parameters) -> Array:
        return parameters["theta"]

    def coder_scores(self, found: Solution) -> CoderScores:
        """Logits of theta(x | k), without the last x: parameter k (K - 1) + x."""
        theta, ballots = found.parameters["theta"], self.ballots
        K, P = ballots.n_categories, ballots.n_pairs
        width = K * (K - 1)

        def labels(rows: Array) -> Array:
            given = np.arange(K - 1) == ballots.code[rows][:, None]  # (n, K - 1)
            residual = given[:, None, :] - theta[ballots.pair[rows]][:, :-1, :].transpose(0, 2, 1)  # (n, k, x)
            return (found.T[:, ballots.item[rows]].T[:, :, None] * residual).reshape(len(residual), width)

        by_true = theta.transpose(0, 2, 1)  # (P, k, x)
        block = shares_information(by_true, K * self.smoothing + self.diagonal)  # (P, k, K - 1, K - 1)
        prior, derivative = np.zeros((P, width, width)), np.zeros((P, width, K, K))
        slopes = logit_derivative(by_true)  # (P, k, parameter, x)
        for k in range(K):
            own = slice(k * (K - 1), (k + 1) * (K - 1))
            prior[:, own, own] = block[:, k]
            derivative[:, own, :, k] = slopes[:, k]
        return CoderScores(width, labels, prior, derivative)


@dataclass(frozen=True, eq=False)
class OneCoin(Model):
    """Each coder is right with one probability, `q` (P,), and errors fall evenly on the other categories.

    A label of a coder with accuracy q speaks for its category with weight log(q (K - 1) / (1 - q)). The prior is
    `smoothing` wrong labels, and as many plus `diagonal` right ones.
    """

    def maximize(self, T: Array, before: Parameters | None = None) -> Parameters:
        ballots = self.ballots
        right = np.bincount(ballots.pair, T.ravel()[ballots.place], minlength=ballots.n_pairs)
        total = ballots.labels_of_pair + 2 * self.smoothing + self.diagonal
        return {"q": (right + self.smoothing + self.diagonal) / np.maximum(total, TINY), "pi": self.shares(T)}

    def expect(self, parameters: Parameters) -> Array:
        ballots = self.ballots
        right = np.log(np.maximum(parameters["q"], TINY))
        wrong = np.log(np.maximum(1 - parameters["q"], TINY) / max(ballots.n_categories - 1, 1))
        votes = np.bincount(
            ballots.place, (right - wrong)[ballots.pair], minlength=ballots.n_categories * ballots.n_items
        )
        base = np.bincount(ballots.item, wrong[ballots.pair], minlength=ballots.n_items)
        L = votes.reshape(ballots.n_categories, ballots.n_items) + base
        return self.add_log_shares(L, parameters["pi"])

    def penalty(self, parameters: Parameters) -> Array:
        q = np.clip(parameters["q"], TINY, 1)
        by_pair = (self.smoothing + self.diagonal) * np.log(q) + self.smoothing * np.log(np.maximum(1 - q, TINY))
        return np.bincount(self.ballots.pair_group, by_pair, minlength=self.ballots.n_groups)

    def theta(self, parameters: Parameters) -> Array:
        q, K = parameters["q"][:, None, None], self.ballots.n_categories
        return np.where(np.eye(K, dtype=bool), q, (1 - q) / max(K - 1, 1))

    def coder_scores(self, found: Solution) -> CoderScores:
        """The logit of q."""
        q, ballots = found.parameters["q"], self.ballots
        K = ballots.n_categories

        def labels(rows: Array) -> Array:
            return (found.T.ravel()[ballots.place[rows]] - q[ballots.pair[rows]])[:, None]

        slope = (q * (1 - q))[:, None, None]
        shape = np.where(np.eye(K, dtype=bool), 1.0, -1 / max(K - 1, 1))
        return CoderScores(1, labels, (2 * self.smoothing + self.diagonal) * slope, (slope * shape)[:, None])


@dataclass(frozen=True, eq=False)
class Mace(Model):
    """Each coder knows the true category with probability `m` (P,), and else draws a label from own preferences.

    `xi` (P, K) are these preferences. Hovy, Berg-Kirkpatrick, Vaswani and Hovy (2013), NAACL-HLT, 1120-1130. The
    probabilities of an item with many labels underflow, so everything is in logarithms.
    """

    def start(self, draws: Array) -> Parameters:
        """Parameters from uniform draws: (P, 1 + K)."""
        xi = 0.1 + draws[:, 1:]
        m = 0.3 + 0.6 * draws[:, 0]
        K = self.ballots.n_categories
        return {"m": m, "xi": xi / xi.sum(1, keepdims=True), "pi": np.full((self.ballots.n_groups, K), 1 / max(K, 1))}

    def maximize(self, T: Array, before: Parameters | None = None) -> Parameters:
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
            "pi": self.shares(T),
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
        return self.add_log_shares(votes.reshape(ballots.n_categories, ballots.n_items) + base, parameters["pi"])

    def penalty(self, parameters: Parameters) -> Array:
        m, xi = parameters["m"], parameters["xi"]
        logs = np.log(np.maximum(m, TINY)) + np.log(np.maximum(1 - m, TINY)) + np.log(np.maximum(xi, TINY)).sum(1)
        return np.bincount(self.ballots.pair_group, self.smoothing * logs, minlength=self.ballots.n_groups)

    def theta(self, parameters: Parameters) -> Array:
        m, xi = parameters["m"][:, None, None], parameters["xi"][:, :, None]
        return m * np.eye(self.ballots.n_categories) + (1 - m) * xi

    def coder_scores(self, found: Solution) -> CoderScores:
        """The logit of m, then the logits of xi without the last."""
        m, xi, ballots = found.parameters["m"], found.parameters["xi"], self.ballots
        K = ballots.n_categories
        slope = m * (1 - m)
        by_xi = logit_derivative(xi)  # (P, K - 1, K)
        derivative = np.concatenate(
            [
                (slope[:, None, None] * (np.eye(K) - xi[:, :, None]))[:, None],
                np.repeat(((1 - m)[:, None, None] * by_xi)[..., None], K, axis=3),
            ],
            axis=1,
        )
        theta = self.theta(found.parameters)

        def labels(rows: Array) -> Array:
            pair, code = ballots.pair[rows], ballots.code[rows]
            slopes = derivative[pair, :, code, :] / np.maximum(theta[pair, code, :], TINY)[:, None, :]  # (n, p, k)
            return np.einsum("npk,kn->np", slopes, found.T[:, ballots.item[rows]])

        prior = np.zeros((ballots.n_pairs, K, K))
        prior[:, 0, 0] = 2 * self.smoothing * slope
        prior[:, 1:, 1:] = shares_information(xi, K * self.smoothing)
        return CoderScores(K, labels, prior, derivative)


MODELS: dict[str, type[Model]] = {"dawid_skene": DawidSkene, "one_coin": OneCoin, "mace": Mace}
