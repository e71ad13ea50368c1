"""Standard errors of what a model says about coders, from the scores of the items. Only numpy and scipy here.

The information of the parameters of a group is the sum over its items of the outer product of the item's score with
itself (empirical information), plus that of the prior. It knows that the true categories are inferred: the score of
a label is weighted with the probability of each true category. Parameters are logits, one fewer than the
probabilities they stand for, so that the matrix has an inverse. An estimate with gradient g has the variance g' V g.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from pandas_agreement.core.arrays import Array, places
from pandas_agreement.core.category_counts import blocks
from pandas_agreement.truth.kernels.ballots import Ballots

MAX_PARAMETERS = 3000  # of a group, for all coders at once; beyond, each coder alone
MAX_DENSE = 1 << 20  # entries of a block of scores
MAX_FILLED = 0.15  # share of the parameters that an item has a score for, for a sparse product
LabelScores = Callable[[Array | slice], Array]  # the scores of some labels for the parameters of their coder: (n, p)


@dataclass(frozen=True, eq=False)
class ScoreVectors:
    """How the log-likelihood of each item changes with the parameters.

    A coder has `width` parameters, and a group those of its class shares: `shares` (I, K - 1), or None if they are
    fixed. `prior` is the information of the prior: (P, width, width), and (G, K - 1, K - 1) for the shares.
    """

    ballots: Ballots
    labels: LabelScores
    width: int
    shares: Array | None
    prior: Array
    shares_prior: Array | None

    @cached_property
    def n_shared(self) -> int:
        """Number of parameters of the class shares."""
        return 0 if self.shares is None else self.shares.shape[1]

    @cached_property
    def local(self) -> Array:
        """Number of each coder within the group: (P,)."""
        group = self.ballots.pair_group
        return np.arange(len(group)) - np.searchsorted(group, group)

    @cached_property
    def coders_of_group(self) -> Array:
        return np.bincount(self.ballots.pair_group, minlength=self.ballots.n_groups)


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
    """Inverse information of every group."""
    ballots, p, q = scores.ballots, scores.width, scores.n_shared
    P = ballots.n_pairs
    own, cross, shares = np.zeros((P, p, p)), np.zeros((P, p, q)), np.zeros((P, q, q))
    alone = np.zeros(P, bool)
    sizes = scores.coders_of_group * p + q
    for size in np.unique(sizes[scores.coders_of_group > 0]):
        chosen = np.flatnonzero((sizes == size) & (scores.coders_of_group > 0))
        step = max(MAX_DENSE // int(size) ** 2, 1)
        for start in range(0, len(chosen), step):
            groups = chosen[start : start + step]
            pairs = np.flatnonzero(np.isin(ballots.pair_group, groups))
            if size > MAX_PARAMETERS:
                found = _each_alone(scores, pairs)
                alone[pairs] = True
            else:
                found = _together(scores, groups, pairs)
            own[pairs], cross[pairs], shares[pairs] = found
    return Covariance(own, cross, shares, alone)


def _together(scores: ScoreVectors, groups: Array, pairs: Array) -> tuple[Array, Array, Array]:
    """Of groups with the same number of coders, all parameters of a group at once."""
    p, q = scores.width, scores.n_shared
    C = len(pairs) // len(groups)
    V = _inverse(_information(scores, groups, pairs, C))
    coders = V[:, : C * p, : C * p].reshape(len(groups), C, p, C, p)
    own = np.einsum("gcicj->gcij", coders).reshape(len(pairs), p, p)
    cross = V[:, : C * p, C * p :].reshape(len(pairs), p, q)
    return own, cross, np.repeat(V[:, C * p :, C * p :], C, axis=0)


def _information(scores: ScoreVectors, groups: Array, pairs: Array, C: int) -> Array:
    """(G, D, D) with D = C p + q, the parameters of the coders first."""
    ballots, p, q = scores.ballots, scores.width, scores.n_shared
    D = C * p + q
    number = places(groups, ballots.n_groups)
    F = np.zeros((len(groups), D, D))
    place = number[ballots.pair_group[pairs]], scores.local[pairs]
    for i in range(p):
        for j in range(p):
            F[place[0], place[1] * p + i, place[1] * p + j] += scores.prior[pairs, i, j]
    if scores.shares_prior is not None:
        F[:, C * p :, C * p :] += scores.shares_prior[groups]
    items = np.flatnonzero(number[ballots.group] >= 0)
    labels = np.flatnonzero(number[ballots.group[ballots.item]] >= 0)
    row = np.searchsorted(items, ballots.item[labels])
    if len(groups) == 1 and D > 64 and p * len(labels) < MAX_FILLED * D * len(items):
        G = _sparse_scores(scores, items, labels, row, D)
        return F + (G.T @ G).toarray()
    borders = np.searchsorted(row, np.arange(len(items) + 1))
    for some in blocks(len(items), max(MAX_DENSE // D, 1)):
        here = slice(int(borders[some.start]), int(borders[some.stop]))
        G = _dense_scores(scores, items[some], labels[here], row[here] - some.start, D)
        if len(groups) == 1:
            F[0] += G.T @ G
        else:
            _add_products(F, number[ballots.group[items[some]]], G)
    return F


def _dense_scores(scores: ScoreVectors, items: Array, labels: Array, row: Array, D: int) -> Array:
    """Scores of some items: (n, D)."""
    p, G = scores.width, np.zeros((len(items), D))
    coder, values = scores.local[scores.ballots.pair[labels]], scores.labels(labels)
    for i in range(p):  # a coder may have labelled an item twice
        np.add.at(G, (row, coder * p + i), values[:, i])
    if scores.shares is not None:
        G[:, D - scores.n_shared :] = scores.shares[items]
    return G


def _sparse_scores(scores: ScoreVectors, items: Array, labels: Array, row: Array, D: int) -> Any:
    """The same where an item has few of the parameters, as in a crowd."""
    from scipy import sparse

    p, q = scores.width, scores.n_shared
    column = (scores.local[scores.ballots.pair[labels]] * p)[:, None] + np.arange(p)
    parts = [(scores.labels(labels).ravel(), np.repeat(row, p), column.ravel())]
    if scores.shares is not None:
        columns = np.tile(np.arange(D - q, D), len(items))
        parts.append((scores.shares[items].ravel(), np.repeat(np.arange(len(items)), q), columns))
    data, rows, columns = (np.concatenate(each) for each in zip(*parts, strict=True))
    return sparse.csr_array((data, (rows, columns)), shape=(len(items), D))


def _add_products(F: Array, group: Array, G: Array) -> None:
    """Add the outer product of each row to the matrix of its group, in blocks of rows."""
    order = np.argsort(group, kind="stable")
    G, group = G[order], group[order]
    D = G.shape[1]
    for rows in blocks(len(G), max(MAX_DENSE // max(D * D, 1), 1)):
        here = group[rows]
        starts = np.flatnonzero(np.append(True, here[1:] != here[:-1]))
        F[here[starts]] += np.add.reduceat(np.einsum("ri,rj->rij", G[rows], G[rows]), starts, axis=0)


def _each_alone(scores: ScoreVectors, pairs: Array) -> tuple[Array, Array, Array]:
    """Each coder by the own labels, as if the other parameters were known."""
    ballots, p, q = scores.ballots, scores.width, scores.n_shared
    F = scores.prior[pairs].copy()
    number = places(pairs, ballots.n_pairs)
    for rows in blocks(len(ballots.item)):
        pair = number[ballots.pair[rows]]
        values = scores.labels(rows)[pair >= 0]
        for i in range(p):
            for j in range(p):
                F[:, i, j] += np.bincount(pair[pair >= 0], values[:, i] * values[:, j], minlength=len(pairs))
    return _inverse(F), np.zeros((len(pairs), p, q)), np.zeros((len(pairs), q, q))


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
