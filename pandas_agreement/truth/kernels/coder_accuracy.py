"""What a model says about each coder: accuracy, chance, skill and error rates, with standard errors. Only numpy here.

Every model implies a matrix theta_c(x | k) of labels given true categories. Accuracy is sum_k pi_k theta_c(k | k);
chance is the accuracy of a coder who gives the same labels as often without looking, sum_k pi_k P_c(k); skill is
(accuracy - chance) / (1 - chance).

The information of the parameters of a group is the sum over its items of the outer product of the item's score with
itself (empirical information), plus that of the prior. It knows that the true categories are inferred: the score of
a label is weighted with the probability of each true category. Parameters are logits, one fewer than the
probabilities they stand for, so that the matrix has an inverse. An estimate with gradient g has the variance g' V g.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from itertools import pairwise

import numpy as np

from pandas_agreement.core.arrays import Array, number_within, places
from pandas_agreement.core.category_counts import blocks
from pandas_agreement.truth.kernels.ballots import Ballots
from pandas_agreement.truth.kernels.em import Model, Solution
from pandas_agreement.truth.kernels.models import logit_derivative, shares_information

MAX_PARAMETERS = 3000  # that are inverted together; in a larger group each coder is a unit of its own
MAX_DENSE = 1 << 20  # entries of a block of scores, or of matrices
MAX_FILLED = 0.15  # share of the parameters that an item has a score for, for a sparse product
LabelScores = Callable[[Array], Array]  # the scores of some labels for the parameters of their coder: (n, p)


@dataclass(frozen=True, eq=False)
class ScoreVectors:
    """How the log-likelihood of each item changes with the parameters.

    A coder has `width` parameters, and a group those of its class shares: `shares` (I, q), with q = 0 if they are
    fixed. `prior` is the information of the prior: (P, width, width), and (G, q, q) for the shares.
    """

    ballots: Ballots
    labels: LabelScores
    width: int
    shares: Array
    prior: Array
    shares_prior: Array


@dataclass(frozen=True, eq=False)
class Covariance:
    """Of the parameters: blocks of each coder, of the coder and the class shares, and of the shares."""

    own: Array  # (P, p, p)
    cross: Array  # (P, p, q)
    shares: Array  # (P, q, q) those of the coder's group
    alone: Array  # (P,) computed from the coder's own labels alone, and so too small

    def variance(self, own: Array, shares: Array) -> Array:
        """Of estimates with these gradients: (P, ..., p), (P, ..., q) -> (P, ...)."""
        inner = np.einsum("c...i,cij,c...j->c...", own, self.own, own)
        mixed = np.einsum("c...i,cij,c...j->c...", own, self.cross, shares)
        outer = np.einsum("c...i,cij,c...j->c...", shares, self.shares, shares)
        return np.maximum(inner + 2 * mixed + outer, 0.0)


def covariance(scores: ScoreVectors) -> Covariance:
    """Inverse information of units: all coders of a group with its class shares, or in a large group each coder."""
    group, p, q = scores.ballots.pair_group, scores.width, scores.shares.shape[1]
    P, coders = len(group), np.bincount(group)[group]
    alone = coders * p + q > MAX_PARAMETERS
    coders = np.where(alone, 1, coders)
    found = Covariance(np.zeros((P, p, p)), np.zeros((P, p, q)), np.zeros((P, q, q)), alone)
    for kind in np.unique(2 * coders + alone):
        units = np.flatnonzero(2 * coders + alone == kind).reshape(-1, kind // 2)  # coders are in the order of groups
        n_shared = 0 if kind % 2 else q
        size = units.shape[1] * p + n_shared
        for some in blocks(len(units), max(MAX_DENSE // max(size**2, 1), 1)):
            _place(found, units[some], _inverse(_information(scores, units[some], n_shared)))
    return found


def _place(found: Covariance, units: Array, V: Array) -> None:
    """Copy the blocks of the coders from the inverse matrices of their units: (U, C), (U, D, D)."""
    p, (U, C) = found.own.shape[1], units.shape
    coders = V[:, : C * p, : C * p].reshape(U, C, p, C, p)
    found.own[units] = np.einsum("ucicj->ucij", coders)
    if V.shape[1] > C * p:
        found.cross[units] = V[:, : C * p, C * p :].reshape(U, C, p, -1)
        found.shares[units] = V[:, None, C * p :, C * p :]


def _information(scores: ScoreVectors, units: Array, q: int) -> Array:
    """(U, D, D) with D = C p + q, the parameters of the coders first, then those of the class shares."""
    p, (U, C) = scores.width, units.shape
    own = np.arange(C * p).reshape(C, p)
    F = np.zeros((U, C * p + q, C * p + q))
    F[:, own[:, :, None], own[:, None, :]] = scores.prior[units]
    if q:
        F[:, C * p :, C * p :] = scores.shares_prior[scores.ballots.pair_group[units[:, 0]]]
    for unit, *entries in _score_blocks(scores, units, q):
        _add_products(F, unit, *entries)
    return F


def _score_blocks(scores: ScoreVectors, units: Array, q: int) -> Iterator[tuple[Array, ...]]:
    """Scores of some items of each unit at a time: the unit of each row, and row, column and value of the entries."""
    ballots, p, (U, C) = scores.ballots, scores.width, units.shape
    number = places(units.ravel(), ballots.n_pairs)  # u C + c of each coder
    labels = np.flatnonzero(number[ballots.pair] >= 0)
    unit, coder = np.divmod(number[ballots.pair[labels]], C)
    key, row = np.unique(unit * ballots.n_items + ballots.item[labels], return_inverse=True)
    unit, item = np.divmod(key, max(ballots.n_items, 1))
    rank = number_within(unit)  # of the item within its unit
    order = np.argsort(rank[row], kind="stable")
    step = max(MAX_DENSE // (U * (C * p + q)), 1)
    borders = np.searchsorted(rank[row[order]], np.arange(0, rank.max(initial=0) + 1 + step, step))
    for some in (order[start:stop] for start, stop in pairwise(borders)):
        rows, place = np.unique(row[some], return_inverse=True)
        columns = coder[some][:, None] * p + np.arange(p)
        of_shares = np.broadcast_to(C * p + np.arange(q), (len(rows), q))
        yield (
            unit[rows],
            np.concatenate([np.repeat(place, p), np.repeat(np.arange(len(rows)), q)]),
            np.concatenate([columns.ravel(), of_shares.ravel()]),
            np.concatenate([scores.labels(labels[some]).ravel(), scores.shares[item[rows], :q].ravel()]),
        )


def _add_products(F: Array, unit: Array, row: Array, column: Array, value: Array) -> None:
    """Add the outer product of each row of scores to the matrix of its unit."""
    from scipy import sparse

    U, D = len(F), F.shape[1]
    if len(value) < MAX_FILLED * D * len(unit):
        G = sparse.csr_array((value, (row, unit[row] * D + column)), shape=(len(unit), U * D))
        products = (G.T @ G).tocoo()
        F[products.row // D, products.row % D, products.col % D] += products.data
        return
    present, own = np.unique(unit, return_inverse=True)
    rank = number_within(unit)
    n = int(rank.max(initial=0)) + 1
    cells = ((own * n + rank)[row] * D + column, value, len(present) * n * D)
    dense = np.bincount(*cells).reshape(len(present), n, D)
    F[present] += dense.swapaxes(1, 2) @ dense


def _inverse(F: Array) -> Array:
    """Inverse where there is one, else the pseudo-inverse of what the data say something about."""
    if not F.size:
        return F
    try:
        np.linalg.cholesky(F)
        return np.linalg.inv(F)
    except np.linalg.LinAlgError:  # of one of the groups
        if len(F) == 1:
            return np.linalg.pinv(F, rcond=1e-10, hermitian=True)
        return np.concatenate([_inverse(part) for part in np.array_split(F, 2)])


# --------------------------------------------------------------------------------------------- accuracy and error rates


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
