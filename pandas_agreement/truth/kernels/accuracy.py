"""What a model says about each coder: accuracy, chance, skill and error rates, with standard errors. Only numpy here.

Every model implies a matrix theta_c(x | k) of labels given true categories. Accuracy is sum_k pi_k theta_c(k | k);
chance is the accuracy of a coder who gives the same labels as often without looking, sum_k pi_k P_c(k); skill is
(accuracy - chance) / (1 - chance).
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.truth.kernels.em import Model, Solution
from pandas_agreement.truth.kernels.information import ScoreVectors, covariance
from pandas_agreement.truth.kernels.models import logit_derivative, shares_information


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


def reliability(model: Model, found: Solution, shares: Array, errors: bool) -> Reliability:
    """Estimates of all coders, with standard errors on request; `shares` are (G, K)."""
    ballots, K = model.ballots, model.ballots.n_categories
    theta = model.theta(found.parameters)
    pi = shares[ballots.pair_group]  # (P, K)
    accuracy = np.einsum("pkk,pk->p", theta, pi)
    margins = np.einsum("pxk,pk->px", theta, pi)
    chance = (pi * margins).sum(1)
    skill = np.where(chance < 1, (accuracy - chance) / np.where(chance < 1, 1 - chance, 1.0), np.nan)
    if not errors or K < 2:
        nothing = unknown(len(pi), K)
        return replace(nothing, theta=theta, accuracy=accuracy, chance=chance, skill=skill)
    kind = model.coder_scores(found)
    q = K - 1 if model.estimated else 0  # parameters of the class shares
    of_shares = (found.T[:q] - shares.T[:q, ballots.group]).T
    shares_prior = shares_information(shares, K * model.share_smoothing)
    V = covariance(ScoreVectors(ballots, kind.labels, kind.width, of_shares, kind.prior, shares_prior))
    steps = logit_derivative(pi)[:, :q]  # (P, q, K)
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
