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
from typing import Any, NamedTuple

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.sums import divide

MAX_STEPS = 100
MAX_HALVINGS = 30
MAX_LOG_ODDS = 25.0  # beyond it there is no finite maximum
TOLERANCE = 1e-10  # of the last step


@dataclass(frozen=True, eq=False)
class Comparisons:
    """Verdicts of groups; candidates are numbered within their group, the last numbers may be unused.

    The very last one is never used: as a parameter of the model it is gamma.
    """

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

    @property
    def places(self) -> tuple[Array, Array, Array]:
        """The places of first, second and gamma among the parameters of all groups: (N,) each."""
        M = self.candidate.shape[1]
        return self.group * M + self.first, self.group * M + self.second, self.group * M + M - 1

    def sums(self, first: Array, second: Array) -> Array:
        """Sums of a value of the candidate shown first, which is that of gamma too, and one of the other: (G, M)."""
        values = np.concatenate([first, second, first])
        return np.bincount(np.concatenate(self.places), values, self.candidate.size).reshape(self.candidate.shape)

    def table(self) -> Array:
        """Numbers of verdicts by group, candidate shown first and second: (G, M, M)."""
        pairs, (G, M) = self.pairs(), self.candidate.shape
        return np.bincount(pairs.first * M + pairs.second % M, pairs.n, G * M * M).reshape(G, M, M)

    def pairs(self) -> PairCounts:
        """The verdicts on each two candidates in one order together, without the pairs that nobody compared."""
        M = self.candidate.shape[1]
        found, place, n = np.unique(self.places[0] * M + self.second, return_inverse=True, return_counts=True)
        first, second = np.divmod(found, M)
        group = first // M
        return PairCounts(group, first, group * M + second, n.astype(float), np.bincount(place, self.score, len(found)))

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


@dataclass(frozen=True, eq=False)
class Strengths:
    """The betas of groups, and last gamma, NaN where there is no estimate."""

    estimate: Array  # (G, M)
    covariance: Array  # (G, M, M)
    component: Array  # (G, M) number of the component of candidates who can be compared, -1 for none and for gamma
    n_clusters: Array | None  # (G,)
    confounded: Array  # (G,) gamma cannot be told from the betas
    unbounded: Array  # (G,) no finite maximum

    @property
    def df(self) -> Array:
        """Degrees of freedom of the covariance, infinite without clusters: (G,)."""
        return np.full(len(self.estimate), np.inf) if self.n_clusters is None else self.n_clusters - 1


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
    return (first[member] % shape[1]).reshape(shape)  # the first candidate of a component is its number


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
    kept = comparisons.used & (comparisons.sums(*np.ones((2, len(comparisons.score)))) > 0)
    component = np.where(kept, components(pairs.first, pairs.second, shape, strong=False), -1)
    if smoothing == 0:
        kept = largest(_beat_one_another(pairs, shape), pairs, kept)
        kept &= (kept.sum(-1) > 1)[:, None]  # a candidate alone was not compared
        comparisons = comparisons.among(kept)
        pairs = comparisons.pairs()
        component = np.where(kept, kept.argmax(-1)[:, None], -1)
    places = pairs.first, pairs.second, pairs.group * shape[1] + shape[1] - 1
    model = _Model(pairs, design(places, kept.size, position), kept, component, smoothing, position)
    confounded = model.confounded()
    found, settled = model.maximum(~confounded)
    found = np.where(settled[:, None], found, 0.0)
    middle = clusters = None
    if comparisons.unit is not None:
        middle, clusters = _scores_of_clusters(comparisons, comparisons.unit, found, position)
    covariance = model.covariance(found, middle)
    if clusters is not None:
        covariance[clusters < 2] = np.nan
    covariance[~settled] = np.nan
    estimated = kept & settled[:, None]
    estimated[:, -1] = settled & position & kept.any(-1)
    estimate = np.where(estimated, found, np.nan)
    return Strengths(estimate, covariance, component, clusters, confounded, ~settled & ~confounded)


def _beat_one_another(pairs: PairCounts, shape: tuple[int, int]) -> Array:
    """The component of each candidate among those who beat one another, directly or through others: (G, M)."""
    won, lost = pairs.wins > 0, pairs.wins < pairs.n
    winner = np.concatenate([pairs.first[won], pairs.second[lost]])
    return components(winner, np.concatenate([pairs.second[won], pairs.first[lost]]), shape, strong=True)


def design(places: tuple[Array, Array, Array], size: int, position: bool) -> Any:
    """What multiplies the parameters of all groups to give log-odds: a sparse matrix, one row per comparison."""
    from scipy.sparse import csr_array

    n = len(places[0])
    signs = np.repeat([1.0, -1.0, float(position)], n)
    return csr_array((signs, (np.tile(np.arange(n), 3), np.concatenate(places))), shape=(n, size))


def _blocks(products: Any, shape: tuple[int, int]) -> Array:
    """The products of the parameters of each group, from those of all: (G, M, M)."""
    (G, M), cells = shape, products.tocoo()
    out = np.zeros((G, M, M))
    out[cells.row // M, cells.row % M, cells.col % M] = cells.data
    return out


@dataclass(frozen=True, eq=False)
class _Model:
    """The penalised log-likelihood of all groups and its derivatives by the parameters (G, M)."""

    pairs: PairCounts
    design: Any  # sparse (P, G * M)
    kept: Array  # (G, M) candidates that are estimated
    component: Array  # (G, M)
    smoothing: float
    position: bool

    def log_odds(self, at: Array) -> Array:
        """Of each pair: (P,)."""
        return self.design @ at.ravel()

    def objective(self, at: Array) -> Array:
        odds = self.log_odds(at)
        log_likelihood = self.pairs.wins * odds - self.pairs.n * np.logaddexp(0, odds)
        penalty = self.smoothing / 2 * (at[:, :-1] ** 2).sum(-1)
        return np.bincount(self.pairs.group, log_likelihood, len(at)) - penalty

    def gradient(self, at: Array) -> Array:
        """Derivatives: (G, M)."""
        rest = self.pairs.wins - self.pairs.n * _expit(self.log_odds(at))
        return (self.design.T @ rest).reshape(at.shape) - np.where(self.kept, self.smoothing, 0.0) * at

    def weight(self, at: Array) -> Array:
        """The information of each pair: (P,)."""
        p = _expit(self.log_odds(at))
        return self.pairs.n * p * (1 - p)

    def information(self, weight: Array) -> Array:
        """Minus the second derivatives; what the data leave open is filled so that it can be inverted."""
        from scipy.sparse import dia_array

        n, place = len(weight), np.arange(self.kept.shape[1])
        out = _blocks(self.design.T @ (dia_array((weight[None], [0]), shape=(n, n)) @ self.design), self.kept.shape)
        total = out[:, place, place]
        out[:, place, place] = np.where(total > 0, total + np.where(self.kept, self.smoothing, 0.0), 1.0)
        if self.smoothing == 0:  # the betas are free up to a constant
            of_betas = total[:, :-1].sum(-1)
            size = np.maximum(of_betas / np.maximum(self.kept.sum(-1), 1) ** 2, 1e-9)[:, None, None]
            np.add(out, size, out=out, where=self.kept[:, :, None] & self.kept[:, None, :])
        return out

    def confounded(self) -> Array:
        """Whether the betas explain every effect of the position, as each pair was shown in one order only: (G,)."""
        if not self.position:
            return np.zeros(len(self.kept), bool)
        free = replace(self, smoothing=1e-9).information(self.pairs.n)
        explained = np.linalg.solve(free[:, :-1, :-1], free[:, :-1, -1:])[..., 0]
        left = free[:, -1, -1] - (free[:, :-1, -1] * explained).sum(-1)
        return (left <= 1e-6 * free[:, -1, -1]) & (np.bincount(self.pairs.group, minlength=len(free)) > 0)

    def maximum(self, todo: Array) -> tuple[Array, Array]:
        """Newton's method; a group is frozen when it has converged, so that it has the same numbers in any company."""
        found, settled = np.zeros(self.kept.shape), np.zeros(len(todo), bool)
        for _ in range(MAX_STEPS):
            if not todo.any():
                break
            step = self._step(found) * todo[:, None]
            found += step
            settled |= todo & (np.abs(step).max(-1) < TOLERANCE)
            lost = np.ptp(found[:, :-1], axis=-1) + np.abs(found[:, -1]) > MAX_LOG_ODDS
            settled &= ~(lost & todo)
            todo = todo & ~settled & ~lost
        return found, settled

    def _step(self, at: Array) -> Array:
        """One step of Newton, halved while it makes the objective smaller."""
        step = (_inverse(self.information(self.weight(at))) @ self.gradient(at)[..., None])[..., 0]
        before = self.objective(at)
        for _ in range(MAX_HALVINGS):
            worse = self.objective(at + step) < before - 1e-9 * np.maximum(1, np.abs(before))
            if not worse.any():
                break
            step = np.where(worse[:, None], step / 2, step)
        return step

    def covariance(self, at: Array, middle: Array | None = None) -> Array:
        """Covariance of the betas, which add up to 0 in each component, and of gamma: (G, M, M).

        The inverse information, or with `middle`, the products of the scores of clusters, the sandwich.
        """
        inverse = _inverse(self.information(self.weight(at)))
        inner = inverse if middle is None else inverse @ middle @ inverse
        centre = self._centre()
        return centre @ inner @ centre.swapaxes(1, 2)

    def _centre(self) -> Array:
        """What subtracts the mean of the component from the betas, of which others are 0: (G, M, M)."""
        together = self.kept[:, :, None] & (self.component[:, :, None] == self.component[:, None, :])
        mean = together / np.maximum(together.sum(-1, keepdims=True), 1)
        out = np.eye(self.kept.shape[1]) * self.kept[:, :, None] - mean
        out[:, -1, -1] = 1.0
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


def _scores_of_clusters(comparisons: Comparisons, clusters: Array, at: Array, position: bool) -> tuple[Array, Array]:
    """Sums over clusters of the products of their scores, (G, M, M), and the number of clusters, (G,)."""
    from scipy.sparse import csr_array

    X = design(comparisons.places, at.size, position)
    rest = comparisons.score - _expit(X @ at.ravel())
    found, unit = np.unique(clusters, return_inverse=True)
    scores = csr_array((rest, (unit, np.arange(len(rest)))), shape=(len(found), len(rest))) @ X
    owner = np.zeros(len(found), np.int64)
    owner[unit] = comparisons.group
    n = np.bincount(owner, minlength=len(at)).astype(float)
    return _blocks(scores.T @ scores, at.shape) * np.nan_to_num(divide(n, n - 1), nan=0.0)[:, None, None], n
