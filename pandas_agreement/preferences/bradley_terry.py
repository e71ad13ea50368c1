"""Bradley and Terry's model of paired comparisons, for many groups at once. No pandas here.

The log-odds that the candidate shown first wins are beta_first - beta_second + gamma; gamma, the effect of the
position, is 0 unless asked for. Newton's method on the log-likelihood minus smoothing / 2 times the sum of squared
betas; the betas of candidates who met, directly or through others, add up to 0. Without smoothing only candidates who
beat one another, directly or through others, have a finite maximum.

References
----------
Bradley, R. A. and Terry, M. E. (1952). Rank analysis of incomplete block designs: the method of paired comparisons.
Biometrika 39, 324-345. Ford, L. R. (1957). Solution of a ranking problem from binary comparisons. American Mathematical
Monthly 64 (8), 28-33.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.sums import divide

MAX_STEPS = 100
MAX_HALVINGS = 30
MAX_LOG_ODDS = 25.0  # beyond it there is no finite maximum
TOLERANCE = 1e-10  # of the last step


@dataclass(frozen=True, eq=False)
class Comparisons:
    """Verdicts of groups; candidates are numbered within their group, the last numbers may be unused."""

    group: Array  # (N,)
    first: Array  # (N,) number of the candidate within its group
    second: Array  # (N,)
    score: Array  # (N,) of the candidate shown first
    unit: Array | None  # (N,) cluster, numbered within all groups
    candidate: Array  # (G, M) code of each candidate, -1 for none

    @property
    def used(self) -> Array:
        """Whether the group has this candidate: (G, M)."""
        return self.candidate >= 0

    def table(self) -> Array:
        """Numbers of verdicts by group, candidate shown first and second: (G, M, M)."""
        G, M = self.candidate.shape
        return np.bincount(self._cell(), minlength=G * M * M).reshape(G, M, M).astype(float)

    def _cell(self) -> Array:
        M = self.candidate.shape[1]
        return (self.group * M + self.first) * M + self.second

    def pairs(self) -> PairCounts:
        """The verdicts on each two candidates in one order together, without the pairs that nobody compared."""
        M = self.candidate.shape[1]
        found, place, n = np.unique(self._cell(), return_inverse=True, return_counts=True)
        wins = np.bincount(place, self.score, len(found))
        first, second = np.divmod(found, max(M, 1))
        group = first // max(M, 1)
        return PairCounts(group, first, group * M + second, n.astype(float), wins)

    def among(self, kept: Array) -> Comparisons:
        """Only the verdicts between candidates of `kept` (G, M)."""
        rows = kept[self.group, self.first] & kept[self.group, self.second]
        unit = None if self.unit is None else self.unit[rows]
        candidate = np.where(kept, self.candidate, -1)
        return Comparisons(self.group[rows], self.first[rows], self.second[rows], self.score[rows], unit, candidate)


class PairCounts(NamedTuple):
    """Two candidates who were compared in one order: (P,) each; candidates are numbered over all groups."""

    group: Array
    first: Array
    second: Array
    n: Array  # verdicts
    wins: Array  # of the candidate shown first

    def of_candidates(self, first: Array, second: Array, shape: tuple[int, int]) -> Array:
        """Sums of a value of the candidate shown first and one of the other, (P,) -> (G, M)."""
        size = shape[0] * shape[1]
        return (np.bincount(self.first, first, size) + np.bincount(self.second, second, size)).reshape(shape)


@dataclass(frozen=True, eq=False)
class Strengths:
    """The estimates of groups, NaN where there is none."""

    beta: Array  # (G, M)
    gamma: Array  # (G,)
    covariance: Array  # (G, M + 1, M + 1) gamma last
    component: Array  # (G, M) number of the component of candidates who can be compared, -1 for none
    n_clusters: Array | None  # (G,)
    confounded: Array  # (G,) gamma cannot be told from the betas
    unbounded: Array  # (G,) no finite maximum
    log_likelihood: Array  # (G,)

    @property
    def df(self) -> Array:
        """Degrees of freedom of the covariance, infinite without clusters: (G,)."""
        return np.full(len(self.gamma), np.inf) if self.n_clusters is None else self.n_clusters - 1


def components(winner: Array, loser: Array, shape: tuple[int, int], strong: bool) -> Array:
    """The component of each candidate in the graph of who beat whom, (G, M), numbered within groups.

    `strong`: two candidates are together if each beat the other, directly or through others; else if they met.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    size = shape[0] * shape[1]
    graph = coo_array((np.ones(len(winner)), (winner, loser)), shape=(size, size)).tocsr()
    _, label = connected_components(graph, connection="strong" if strong else "weak")
    _, first, member = np.unique(label, return_index=True, return_inverse=True)
    return (first[member] % max(shape[1], 1)).reshape(shape)  # the first candidate of a component is its number


def largest(component: Array, pairs: PairCounts, used: Array) -> Array:
    """The members of the largest component of each group, of equal ones that with the most verdicts: (G, M) of bool."""
    G, M = used.shape
    key = np.arange(G)[:, None] * M + component
    inside = (key.ravel()[pairs.first] == key.ravel()[pairs.second]) & used.ravel()[pairs.first]
    inside &= used.ravel()[pairs.second]
    size = np.bincount(key[used], minlength=G * M)[key]
    verdicts = np.bincount(key.ravel()[pairs.first], pairs.n * inside, G * M)[key]
    total = np.bincount(pairs.group, pairs.n, G)[:, None]
    among = np.where(used, size + verdicts / (1 + total), -1.0)
    return (component == np.take_along_axis(component, among.argmax(-1)[:, None], 1)) & used


def fit(comparisons: Comparisons, smoothing: float, position: bool) -> Strengths:
    """Fit the model to every group."""
    pairs, shape = comparisons.pairs(), comparisons.candidate.shape
    kept = comparisons.used & (pairs.of_candidates(pairs.n, pairs.n, shape) > 0)
    component = np.where(kept, components(pairs.first, pairs.second, shape, strong=False), -1)
    if smoothing == 0:
        kept = largest(_beat_one_another(pairs, shape), pairs, kept) & (kept.sum(-1) > 1)[:, None]
        kept &= (kept.sum(-1) > 1)[:, None]  # a candidate alone was not compared
        comparisons = comparisons.among(kept)
        pairs = comparisons.pairs()
        component = np.where(kept, kept.argmax(-1)[:, None], -1)
    model = _Model(pairs, kept, component, smoothing, position)
    confounded = model.confounded()
    beta, gamma, settled = model.maximum(~confounded)
    beta, gamma = np.where(settled[:, None], beta, 0.0), np.where(settled, gamma, 0.0)
    middle = clusters = None
    if comparisons.unit is not None:
        middle, clusters = _scores_of_clusters(comparisons, comparisons.unit, beta, gamma, position)
    covariance = model.covariance(beta, gamma, middle)
    if clusters is not None:
        covariance[clusters < 2] = np.nan
    covariance[~settled] = np.nan
    log_likelihood = np.where(settled, model.log_likelihood(beta, gamma), np.nan)
    beta = np.where(kept & settled[:, None], beta, np.nan)
    gamma = np.where(settled & position & kept.any(-1), gamma, np.nan)
    unbounded = ~settled & ~confounded
    return Strengths(beta, gamma, covariance, component, clusters, confounded, unbounded, log_likelihood)


def _beat_one_another(pairs: PairCounts, shape: tuple[int, int]) -> Array:
    """The component of each candidate among those who beat one another, directly or through others: (G, M)."""
    won, lost = pairs.wins > 0, pairs.wins < pairs.n
    winner = np.concatenate([pairs.first[won], pairs.second[lost]])
    return components(winner, np.concatenate([pairs.second[won], pairs.first[lost]]), shape, strong=True)


@dataclass(frozen=True, eq=False)
class _Model:
    """The penalised log-likelihood of all groups and its derivatives."""

    pairs: PairCounts
    kept: Array  # (G, M) candidates that are estimated
    component: Array  # (G, M)
    smoothing: float
    position: bool

    def log_odds(self, beta: Array, gamma: Array) -> Array:
        """Of each pair: (P,)."""
        flat = beta.ravel()
        return flat[self.pairs.first] - flat[self.pairs.second] + gamma[self.pairs.group]

    def _by_group(self, values: Array) -> Array:
        return np.bincount(self.pairs.group, values, len(self.kept))

    def log_likelihood(self, beta: Array, gamma: Array) -> Array:
        odds = self.log_odds(beta, gamma)
        return self._by_group(self.pairs.wins * odds - self.pairs.n * np.logaddexp(0, odds))

    def objective(self, beta: Array, gamma: Array) -> Array:
        return self.log_likelihood(beta, gamma) - self.smoothing / 2 * (beta**2).sum(-1)

    def gradient(self, beta: Array, gamma: Array) -> Array:
        """Derivatives by the betas and gamma: (G, M + 1)."""
        rest = self.pairs.wins - self.pairs.n * _expit(self.log_odds(beta, gamma))
        by_beta = self.pairs.of_candidates(rest, -rest, self.kept.shape) - self.smoothing * beta
        return np.concatenate([by_beta, self._by_group(rest)[:, None] * self.position], 1)

    def weight(self, beta: Array, gamma: Array) -> Array:
        """The information of each pair: (P,)."""
        p = _expit(self.log_odds(beta, gamma))
        return self.pairs.n * p * (1 - p)

    def information(self, weight: Array) -> Array:
        """Minus the second derivatives; what the data leave open is filled so that it can be inverted."""
        (G, M), pairs = self.kept.shape, self.pairs
        one, two = pairs.first % max(M, 1), pairs.second % max(M, 1)
        start = pairs.group * (M + 1)
        cells = np.concatenate([(start + one) * (M + 1) + two, (start + two) * (M + 1) + one])
        out = np.bincount(cells, np.tile(-weight, 2), G * (M + 1) ** 2).astype(float, copy=False)  # also of no pairs
        out = out.reshape(G, M + 1, M + 1)
        place, total = np.arange(M), pairs.of_candidates(weight, weight, (G, M))
        out[:, place, place] = total + np.where(self.kept, self.smoothing, 1.0)
        if self.smoothing == 0:  # the betas are free up to a constant
            size = np.maximum(total.sum(-1) / np.maximum(self.kept.sum(-1), 1) ** 2, 1e-9)[:, None, None]
            together = self.kept[:, :, None] & self.kept[:, None, :]
            np.add(out[:, :M, :M], size, out=out[:, :M, :M], where=together)
        out[:, M, M] = 1.0
        if self.position:
            out[:, :M, M] = out[:, M, :M] = pairs.of_candidates(weight, -weight, (G, M))
            out[:, M, M] = np.maximum(self._by_group(weight), 1e-300)
        return out

    def confounded(self) -> Array:
        """Whether the betas explain every effect of the position, as each pair was shown in one order only: (G,)."""
        if not self.position:
            return np.zeros(len(self.kept), bool)
        free = replace(self, smoothing=1e-9).information(self.pairs.n)
        M = self.kept.shape[1]
        explained = np.linalg.solve(free[:, :M, :M], free[:, :M, M:])[..., 0]
        left = free[:, M, M] - (free[:, :M, M] * explained).sum(-1)
        return (left <= 1e-6 * free[:, M, M]) & (self._by_group(self.pairs.n) > 0)

    def maximum(self, todo: Array) -> tuple[Array, Array, Array]:
        """Newton's method; a group is frozen when it has converged, so that it has the same numbers in any company."""
        G, M = self.kept.shape
        found, settled = np.zeros((G, M + 1)), np.zeros(G, bool)
        for _ in range(MAX_STEPS):
            if not todo.any():
                break
            step = self._step(found) * todo[:, None]
            found += step
            settled |= todo & (np.abs(step).max(-1) < TOLERANCE)
            lost = np.ptp(found[:, :M], axis=-1) + np.abs(found[:, M]) > MAX_LOG_ODDS
            settled &= ~(lost & todo)
            todo = todo & ~settled & ~lost
        return found[:, :M], found[:, M], settled

    def _step(self, at: Array) -> Array:
        """One step of Newton, halved while it makes the objective smaller."""
        beta, gamma = at[:, :-1], at[:, -1]
        step = (_inverse(self.information(self.weight(beta, gamma))) @ self.gradient(beta, gamma)[..., None])[..., 0]
        before = self.objective(beta, gamma)
        for _ in range(MAX_HALVINGS):
            new = at + step
            worse = self.objective(new[:, :-1], new[:, -1]) < before - 1e-9 * np.maximum(1, np.abs(before))
            if not worse.any():
                break
            step = np.where(worse[:, None], step / 2, step)
        return step

    def covariance(self, beta: Array, gamma: Array, middle: Array | None = None) -> Array:
        """Covariance of the betas, which add up to 0 in each component, and of gamma: (G, M + 1, M + 1).

        The inverse information, or with `middle`, the products of the scores of clusters, the sandwich.
        """
        inverse = _inverse(self.information(self.weight(beta, gamma)))
        inner = inverse if middle is None else inverse @ middle @ inverse
        centre = self._centre()
        return centre @ inner @ centre.swapaxes(1, 2)

    def _centre(self) -> Array:
        """What subtracts the mean of the component from the betas, of which others are 0: (G, M + 1, M + 1)."""
        G, M = self.kept.shape
        together = self.kept[:, :, None] & (self.component[:, :, None] == self.component[:, None, :])
        out = np.zeros((G, M + 1, M + 1))
        out[:, :M, :M] = np.eye(M) * self.kept[:, :, None] - together / np.maximum(together.sum(-1, keepdims=True), 1)
        out[:, M, M] = 1.0
        return out


def _inverse(matrices: Array) -> Array:
    """The inverses of symmetric matrices (G, M, M); the pseudoinverse of those without one."""
    singular = np.linalg.slogdet(matrices)[0] == 0
    inverse = np.zeros_like(matrices)
    inverse[~singular] = np.linalg.inv(matrices[~singular])
    inverse[singular] = np.linalg.pinv(matrices[singular], hermitian=True)
    return inverse


def _expit(log_odds: Array) -> Array:
    from scipy.special import expit

    return expit(log_odds)


def _scores_of_clusters(
    comparisons: Comparisons, clusters: Array, beta: Array, gamma: Array, position: bool
) -> tuple[Array, Array]:
    """Sums over clusters of the products of their scores, (G, M + 1, M + 1), and the number of clusters, (G,)."""
    from scipy.sparse import coo_array

    G, M = comparisons.candidate.shape
    group, first, second = comparisons.group, comparisons.first, comparisons.second
    rest = comparisons.score - _expit(beta[group, first] - beta[group, second] + gamma[group])
    found, unit = np.unique(clusters, return_inverse=True)
    place = group * (M + 1)
    columns = np.concatenate([place + first, place + second, place + M])
    values = np.concatenate([rest, -rest, rest * position])
    scores = coo_array((values, (np.tile(unit, 3), columns)), shape=(len(found), G * (M + 1))).tocsr()
    products = (scores.T @ scores).tocoo()
    middle = np.zeros((G, M + 1, M + 1))
    middle[products.row // (M + 1), products.row % (M + 1), products.col % (M + 1)] = products.data
    owner = np.zeros(len(found), np.int64)
    owner[unit] = group
    n = np.bincount(owner, minlength=G).astype(float)
    return middle * np.nan_to_num(divide(n, n - 1), nan=0.0)[:, None, None], n
