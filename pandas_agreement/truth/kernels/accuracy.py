"""What a model says about each coder: accuracy, chance, skill and error rates, with standard errors. Only numpy here.

Every model implies a matrix theta_c(x | k) of labels given true categories. Accuracy is sum_k pi_k theta_c(k | k);
chance is the accuracy of a coder who gives the same labels as often without looking, sum_k pi_k P_c(k); skill is
(accuracy - chance) / (1 - chance).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.truth.kernels.ballots import Ballots
from pandas_agreement.truth.kernels.em import TINY, Parameters, Solution
from pandas_agreement.truth.kernels.information import ScoreVectors, covariance

Derivative = Array  # (P, p, K, K): of theta by the parameters of the coder


@dataclass(frozen=True, eq=False)
class Reliability:
    """Estimates of each coder and their variances; arrays are (P,) or (P, K, K) with [given, true]."""

    theta: Array
    accuracy: Array
    chance: Array
    skill: Array
    accuracy_se: Array
    skill_se: Array
    theta_se: Array
    alone: Array


def unknown(n_coders: int, K: int) -> Reliability:
    """Of coders whose labels are votes."""
    cells, one = np.full((n_coders, K, K), np.nan), np.full(n_coders, np.nan)
    return Reliability(cells, one, one, one, one, one, cells, np.zeros(n_coders, bool))


def joined(parts: list[Reliability]) -> Reliability:
    """The coders of several parts, one after the other."""
    if len(parts) == 1:
        return parts[0]
    names = [field.name for field in fields(Reliability)]
    return Reliability(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def implied_theta(method: str, parameters: Parameters, K: int) -> Array:
    """The matrix of labels given true categories that the parameters mean: (P, K, K)."""
    if method == "dawid_skene":
        return parameters["theta"]
    if method == "one_coin":
        q = parameters["q"][:, None, None]
        return np.where(np.eye(K, dtype=bool), q, (1 - q) / max(K - 1, 1))
    m, xi = parameters["m"][:, None, None], parameters["xi"][:, :, None]
    return m * np.eye(K) + (1 - m) * xi


def _logit_derivative(share: Array) -> Array:
    """Of shares by all logits but the last: (..., K) -> (..., K - 1, K)."""
    K = share.shape[-1]
    return share[..., :-1, None] * (np.eye(K)[:-1] - share[..., None, :])


def _shares_information(share: Array, total: float) -> Array:
    """Of a prior that adds `total` labels, at these shares: (..., K) -> (..., K - 1, K - 1)."""
    return total * _logit_derivative(share)[..., :-1]


@dataclass(frozen=True, eq=False)
class _Kind:
    """Number of parameters of a coder, their label scores, their prior, and the derivative of theta."""

    width: int
    labels: Callable[[Array], Array]
    prior: Array
    derivative: Derivative


def _dawid_skene(ballots: Ballots, found: Solution, s: float, d: float) -> _Kind:
    """Logits of theta(x | k), without the last x: parameter k (K - 1) + x."""
    theta, K, P = found.parameters["theta"], ballots.n_categories, ballots.n_pairs
    width = K * (K - 1)

    def labels(rows: Array) -> Array:
        given = np.arange(K - 1) == ballots.code[rows][:, None]  # (n, K - 1)
        residual = given[:, None, :] - theta[ballots.pair[rows]][:, :-1, :].transpose(0, 2, 1)  # (n, k, x)
        return (found.T[:, ballots.item[rows]].T[:, :, None] * residual).reshape(len(residual), width)

    by_true = theta.transpose(0, 2, 1)  # (P, k, x)
    block = _shares_information(by_true, K * s + d)  # (P, k, K - 1, K - 1)
    prior, derivative = np.zeros((P, width, width)), np.zeros((P, width, K, K))
    slopes = _logit_derivative(by_true)  # (P, k, parameter, x)
    for k in range(K):
        own = slice(k * (K - 1), (k + 1) * (K - 1))
        prior[:, own, own] = block[:, k]
        derivative[:, own, :, k] = slopes[:, k]
    return _Kind(width, labels, prior, derivative)


def _one_coin(ballots: Ballots, found: Solution, s: float, d: float) -> _Kind:
    """The logit of q."""
    q, K = found.parameters["q"], ballots.n_categories

    def labels(rows: Array) -> Array:
        return (found.T.ravel()[ballots.place[rows]] - q[ballots.pair[rows]])[:, None]

    slope = (q * (1 - q))[:, None, None]
    shape = np.where(np.eye(K, dtype=bool), 1.0, -1 / max(K - 1, 1))
    return _Kind(1, labels, (2 * s + d) * slope, (slope * shape)[:, None])


def _mace(ballots: Ballots, found: Solution, s: float, d: float) -> _Kind:
    """The logit of m, then the logits of xi without the last."""
    m, xi, K = found.parameters["m"], found.parameters["xi"], ballots.n_categories
    slope = m * (1 - m)
    by_xi = _logit_derivative(xi)  # (P, K - 1, K)
    derivative = np.concatenate(
        [
            (slope[:, None, None] * (np.eye(K) - xi[:, :, None]))[:, None],
            np.repeat(((1 - m)[:, None, None] * by_xi)[..., None], K, axis=3),
        ],
        axis=1,
    )
    theta = implied_theta("mace", found.parameters, K)

    def labels(rows: Array) -> Array:
        pair, code = ballots.pair[rows], ballots.code[rows]
        slopes = derivative[pair, :, code, :] / np.maximum(theta[pair, code, :], TINY)[:, None, :]  # (n, p, k)
        return np.einsum("npk,kn->np", slopes, found.T[:, ballots.item[rows]])

    prior = np.zeros((ballots.n_pairs, K, K))
    prior[:, 0, 0] = 2 * s * slope
    prior[:, 1:, 1:] = _shares_information(xi, K * s)
    return _Kind(K, labels, prior, derivative)


KINDS: dict[str, Callable[[Ballots, Solution, float, float], _Kind]] = {
    "dawid_skene": _dawid_skene,
    "one_coin": _one_coin,
    "mace": _mace,
}


def reliability(
    method: str, ballots: Ballots, found: Solution, shares: Array, estimated: bool, s: float, d: float, errors: bool
) -> Reliability:
    """Estimates of all coders, with standard errors on request; `shares` are (G, K)."""
    K = ballots.n_categories
    theta = implied_theta(method, found.parameters, K)
    pi = shares[ballots.pair_group]  # (P, K)
    accuracy = np.einsum("pkk,pk->p", theta, pi)
    margins = np.einsum("pxk,pk->px", theta, pi)
    chance = (pi * margins).sum(1)
    skill = np.where(chance < 1, (accuracy - chance) / np.where(chance < 1, 1 - chance, 1.0), np.nan)
    if not errors or K < 2:
        nothing = unknown(len(pi), K)
        return replace(nothing, theta=theta, accuracy=accuracy, chance=chance, skill=skill)
    kind = KINDS[method](ballots, found, s, d)
    q = K - 1 if estimated else 0  # parameters of the class shares
    of_shares = (found.T[:q] - shares.T[:q, ballots.group]).T
    shares_prior = _shares_information(shares, K * s if method == "dawid_skene" else 0.0)
    V = covariance(ScoreVectors(ballots, kind.labels, kind.width, of_shares, kind.prior, shares_prior))
    steps = _logit_derivative(pi)[:, :q]  # (P, q, K)
    by_theta = np.eye(K) * pi[:, None, :]  # of accuracy: (P, x, k)
    by_pi = np.einsum("pkk->pk", theta)
    chance_by_theta = pi[:, :, None] * pi[:, None, :]
    chance_by_pi = margins + np.einsum("pxk,px->pk", theta, pi)
    rest = np.where(chance < 1, 1 - chance, np.nan)[:, None]
    skill_by_theta = by_theta / rest[..., None] + ((skill - 1)[:, None] / rest)[..., None] * chance_by_theta
    skill_by_pi = by_pi / rest + (skill - 1)[:, None] / rest * chance_by_pi

    def se(of_theta: Array, of_pi: Array) -> Array:
        own = np.einsum("ptxk,pxk->pt", kind.derivative, of_theta)
        return np.sqrt(V.variance(own, np.einsum("pqk,pk->pq", steps, of_pi)))

    cells = kind.derivative.reshape(len(pi), kind.width, K * K).transpose(0, 2, 1)
    theta_se = np.sqrt(V.variance(cells, np.zeros((len(pi), K * K, steps.shape[1])))).reshape(theta.shape)
    return Reliability(
        theta,
        accuracy,
        chance,
        skill,
        se(by_theta, by_pi),
        se(skill_by_theta, skill_by_pi),
        theta_se,
        V.alone,
    )
