"""Standard errors of what a model says about coders, from the scores of the items. Only numpy and scipy here.

The information of the parameters of a group is the sum over its items of the outer product of the item's score with
itself (empirical information), plus that of the prior. It knows that the true categories are inferred: the score of
a label is weighted with the probability of each true category. Parameters are logits, one fewer than the
probabilities they stand for, so that the matrix has an inverse. An estimate with gradient g has the variance g' V g.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from pandas_agreement.core.arrays import Array, number_within, places
from pandas_agreement.core.category_counts import blocks
from pandas_agreement.truth.kernels.ballots import Ballots

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
