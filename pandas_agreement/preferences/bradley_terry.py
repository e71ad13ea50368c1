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
    used: Array  # (G, M) whether the group has this candidate

    def table(self, values: Array | None = None) -> Array:
        """Sums of values, or numbers of verdicts, by group, candidate shown first and second: (G, M, M)."""
        G, M = self.used.shape
        cell = (self.group * M + self.first) * M + self.second
        return np.bincount(cell, values, G * M * M).reshape(G, M, M).astype(float)

    def among(self, kept: Array) -> Comparisons:
        """Only the verdicts between candidates of `kept` (G, M)."""
        rows = kept[self.group, self.first] & kept[self.group, self.second]
        unit = None if self.unit is None else self.unit[rows]
        return Comparisons(self.group[rows], self.first[rows], self.second[rows], self.score[rows], unit, kept)


@dataclass(frozen=True, eq=False)
class Fit:
    """The estimates of groups, NaN where there is none."""

    beta: Array  # (G, M)
    gamma: Array  # (G,)
    covariance: Array  # (G, M + 1, M + 1) gamma last
    component: Array  # (G, M) number of the component of candidates who can be compared, -1 for none
    n_clusters: Array | None  # (G,)
    confounded: Array  # (G,) gamma cannot be told from the betas
    unbounded: Array  # (G,) no finite maximum
    log_likelihood: Array  # (G,)


def components(beats: Array, strong: bool) -> Array:
    """The component of each candidate in the graph of who beat whom, (G, M, M) -> (G, M), numbered within groups.

    `strong`: two candidates are together if each beat the other, directly or through others; else if they met.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    G, M = beats.shape[:2]
    group, winner, loser = np.nonzero(beats)
    edges = np.ones(len(group)), (group * M + winner, group * M + loser)
    kind = "strong" if strong else "weak"
    _, label = connected_components(coo_array(edges, shape=(G * M, G * M)).tocsr(), connection=kind)
    member = label.reshape(G, M)[:, :, None] == label.reshape(G, M)[:, None, :]
    return member.argmax(-1)  # the first candidate of a component is its number


def largest(component: Array, n: Array, used: Array) -> Array:
    """The members of the largest component of each group, of equal ones that with the most verdicts: (G, M) of bool."""
    member = (component[:, :, None] == component[:, None, :]) & used[:, :, None] & used[:, None, :]
    size, verdicts = member.sum(-1), member @ (member * n).sum(-1)[..., None]
    among = np.where(used, size + verdicts[..., 0] / (1 + n.sum((1, 2)))[:, None], -1.0)
    return (component == np.take_along_axis(component, among.argmax(-1)[:, None], 1)) & used


def fit(comparisons: Comparisons, smoothing: float, position: bool) -> Fit:
    """Fit the model to every group."""
    n, wins = comparisons.table(), comparisons.table(comparisons.score)
    met = n + n.swapaxes(1, 2)
    beats = wins + (n - wins).swapaxes(1, 2)  # score of the row against the column, in either order
    kept = comparisons.used & (met.sum(-1) > 0)
    component = np.where(kept, components(met > 0, strong=False), -1)
    if smoothing == 0:
        kept = largest(components(beats > 0, strong=True), met, kept) & (kept.sum(-1) > 1)[:, None]
        kept &= (kept.sum(-1) > 1)[:, None]  # a candidate alone was not compared
        comparisons = comparisons.among(kept)
        n, wins = comparisons.table(), comparisons.table(comparisons.score)
        component = np.where(kept, kept.argmax(-1)[:, None], -1)
    model = _Model(n, wins, kept, component, smoothing, position)
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
    return Fit(beta, gamma, covariance, component, clusters, confounded, unbounded, log_likelihood)


@dataclass(frozen=True, eq=False)
class _Model:
    """The penalised log-likelihood of all groups and its derivatives."""

    n: Array  # (G, M, M)
    wins: Array  # (G, M, M) of the candidate shown first
    kept: Array  # (G, M) candidates that are estimated
    component: Array  # (G, M)
    smoothing: float
    position: bool

    def log_odds(self, beta: Array, gamma: Array) -> Array:
        return beta[:, :, None] - beta[:, None, :] + gamma[:, None, None]

    def log_likelihood(self, beta: Array, gamma: Array) -> Array:
        odds = self.log_odds(beta, gamma)
        return (self.wins * odds - self.n * np.logaddexp(0, odds)).sum((1, 2))

    def objective(self, beta: Array, gamma: Array) -> Array:
        return self.log_likelihood(beta, gamma) - self.smoothing / 2 * (beta**2).sum(-1)

    def gradient(self, beta: Array, gamma: Array) -> Array:
        """Derivatives by the betas and gamma: (G, M + 1)."""
        rest = self.wins - self.n * _expit(self.log_odds(beta, gamma))
        by_beta = rest.sum(2) - rest.sum(1) - self.smoothing * beta
        by_gamma = rest.sum((1, 2)) * self.position
        return np.concatenate([by_beta, by_gamma[:, None]], 1)

    def information(self, weight: Array) -> Array:
        """Minus the second derivatives; what the data leave open is filled so that it can be inverted."""
        G, M = self.kept.shape
        out = np.zeros((G, M + 1, M + 1))
        both = weight + weight.swapaxes(1, 2)
        out[:, :M, :M] = -both
        place = np.arange(M)
        out[:, place, place] = both.sum(-1) + np.where(self.kept, self.smoothing, 1.0)
        if self.smoothing == 0:  # the betas are free up to a constant
            together = self.kept[:, :, None] & self.kept[:, None, :]
            size = np.maximum(both.sum((1, 2)) / np.maximum(self.kept.sum(-1), 1) ** 2, 1e-9)
            out[:, :M, :M] += together * size[:, None, None]
        out[:, M, M] = 1.0
        if self.position:
            out[:, :M, M] = out[:, M, :M] = weight.sum(2) - weight.sum(1)
            out[:, M, M] = np.maximum(weight.sum((1, 2)), 1e-300)
        return out

    def confounded(self) -> Array:
        """Whether the betas explain every effect of the position, as each pair was shown in one order only: (G,)."""
        if not self.position:
            return np.zeros(len(self.kept), bool)
        free = replace(self, smoothing=1e-9).information(self.n)
        M = self.kept.shape[1]
        explained = np.linalg.solve(free[:, :M, :M], free[:, :M, M:])[..., 0]
        left = free[:, M, M] - (free[:, :M, M] * explained).sum(-1)
        return (left <= 1e-6 * free[:, M, M]) & (self.n.sum((1, 2)) > 0)

    def maximum(self, open_: Array) -> tuple[Array, Array, Array]:
        """Newton's method; a group is frozen when it has converged, so that it has the same numbers in any company."""
        G, M = self.kept.shape
        found, settled = np.zeros((G, M + 1)), np.zeros(G, bool)
        todo = np.flatnonzero(open_)
        for _ in range(MAX_STEPS):
            if not len(todo):
                break
            part = self._only(todo)
            step = part._step(found[todo])
            found[todo] += step
            settled[todo] = np.abs(step).max(-1) < TOLERANCE
            lost = np.abs(part.log_odds(found[todo, :M], found[todo, M])).max((1, 2), initial=0) > MAX_LOG_ODDS
            settled[todo[lost]] = False
            todo = todo[~settled[todo] & ~lost]
        return found[:, :M], found[:, M], settled

    def _only(self, groups: Array) -> _Model:
        parts = {name: getattr(self, name)[groups] for name in ("n", "wins", "kept", "component")}
        return replace(self, **parts)

    def _step(self, at: Array) -> Array:
        """One step of Newton, halved while it makes the objective smaller."""
        beta, gamma = at[:, :-1], at[:, -1]
        p = _expit(self.log_odds(beta, gamma))
        step = (_inverse(self.information(self.n * p * (1 - p))) @ self.gradient(beta, gamma)[..., None])[..., 0]
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
        M = self.kept.shape[1]
        p = _expit(self.log_odds(beta, gamma))
        inverse = _inverse(self.information(self.n * p * (1 - p)))
        member = (self.component[:, :, None] == self.component[:, None, :]) & self.kept[:, :, None]
        centre = np.zeros_like(inverse)
        centre[:, :M, :M] = np.eye(M) * self.kept[:, :, None] - member / np.maximum(member.sum(-1, keepdims=True), 1)
        centre[:, M, M] = 1.0
        inner = inverse if middle is None else inverse @ middle @ inverse
        return centre @ inner @ centre.swapaxes(1, 2)


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

    G, M = comparisons.used.shape
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
