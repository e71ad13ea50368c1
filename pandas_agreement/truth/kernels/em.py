"""Expectation and maximization for all groups in one run. Only numpy here.

A sweep is an M step, an E step and the objective, which never falls. A group that has converged keeps the values of
that sweep, so that groups have the numbers that each would have alone; once half of the groups have converged the
run goes on with the others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.classes import dataclass
from pandas_agreement.core.progress import NO_BAR, Steps
from pandas_agreement.truth.kernels.ballots import Ballots

TINY = 1e-300  # least probability in a logarithm
BY_GROUP = ("loglik", "objective", "n_sweeps", "converged")
OF_GROUPS = "pi"  # the parameter with one row per group; the others have one row per coder

Parameters = dict[str, Array]


@dataclass(frozen=True, eq=False)
class Model:
    """What all models have: labels, pseudo-labels, and the class shares: estimated, all alike, or given by item."""

    ballots: Ballots
    smoothing: float
    diagonal: float
    estimated: bool
    smooths_shares = False  # the pseudo-labels are of the class shares, too

    def maximize(self, T: Array, before: Parameters | None = None) -> Parameters:
        """The parameters for these probabilities of the true categories, (K, I), and the parameters before."""
        raise NotImplementedError

    def expect(self, parameters: Parameters) -> Array:
        """Log of the probability of the labels and each true category: (K, I)."""
        raise NotImplementedError

    def penalty(self, parameters: Parameters) -> Array:
        """Log of the prior of the parameters: (G,)."""
        raise NotImplementedError

    def theta(self, parameters: Parameters) -> Array:
        """The matrix of labels given true categories that the parameters mean: (P, K, K)."""
        raise NotImplementedError

    def coder_scores(self, found: Solution) -> CoderScores:
        """How the parameters of the coders move the likelihood, and theta."""
        raise NotImplementedError

    @property
    def share_smoothing(self) -> float:
        return self.smoothing if self.smooths_shares else 0.0

    def shares(self, T: Array) -> Array:
        """The class shares for these probabilities: (K, I) -> (G, K)."""
        n_groups, K = self.ballots.n_groups, self.ballots.n_categories
        if not self.estimated:
            return np.full((n_groups, K), 1 / max(K, 1))
        total = self.ballots.items_of_group[:, None] + K * self.share_smoothing
        return (self.ballots.sum(T) + self.share_smoothing) / np.maximum(total, TINY)

    def add_log_shares(self, L: Array, pi: Array) -> Array:
        """Add the log of the class shares to the array: (K, I)."""
        if self.ballots.prior is not None:
            L += np.log(np.maximum(self.ballots.prior, TINY))
            return L
        log = np.log(np.maximum(pi, TINY))
        L += log.T if len(log) == 1 else log.T[:, self.ballots.group]
        return L


class CoderScores(NamedTuple):
    """Number of parameters of a coder, the scores of some labels for them, their prior, and the derivative of theta."""

    width: int
    labels: Callable[[Array], Array]
    prior: Array
    derivative: Array  # (P, p, K, K)


@dataclass(frozen=True, eq=False)
class Solution:
    """Probabilities, parameters and, by group, the likelihood and how it was reached."""

    T: Array  # (K, I)
    parameters: Parameters
    loglik: Array  # (G,)
    objective: Array  # (G,)
    n_sweeps: Array  # (G,)
    converged: Array  # (G,)

    def only(self, groups: Array, items: Array, pairs: Array) -> Solution:
        """That of some groups, with their items and coders; all are boolean arrays."""
        if groups.all():
            return self
        parameters = {name: value[groups if name == OF_GROUPS else pairs] for name, value in self.parameters.items()}
        by_group = [getattr(self, name)[groups] for name in BY_GROUP]
        return Solution(self.T[:, items], parameters, *by_group)

    def better(self, other: Solution, ballots: Ballots) -> Solution:
        """Of each group the solution with the higher objective."""
        wins = other.objective > self.objective
        items, pairs = wins[ballots.group], wins[ballots.pair_group]

        def choose(ours: Array, theirs: Array, which: Array) -> Array:
            return np.where(which.reshape(-1, *[1] * (ours.ndim - 1)), theirs, ours)

        parameters = {
            name: choose(value, other.parameters[name], wins if name == OF_GROUPS else pairs)
            for name, value in self.parameters.items()
        }
        by_group = [choose(getattr(self, name), getattr(other, name), wins) for name in BY_GROUP]
        return Solution(np.where(items, other.T, self.T), parameters, *by_group)


def posterior(L: Array, ballots: Ballots) -> tuple[Array, Array]:
    """Probabilities of the true categories and log-likelihoods of the items: (K, I) -> (K, I), (I,).

    The probabilities take the place of `L`.
    """
    known = np.flatnonzero(ballots.gold >= 0)
    of_known = L[ballots.gold[known], known]
    top = L.max(0)
    L -= top
    T = np.exp(L, out=L)
    total = T.sum(0)
    T /= total
    loglik = np.log(total)
    loglik += top
    loglik[known] = of_known
    return ballots.clamped(T), loglik


def run(
    make: Callable[[Ballots], Model],
    ballots: Ballots,
    T: Array,
    tol: float,
    max_iter: int,
    steps: Steps = NO_BAR,
    parameters: Parameters | None = None,
) -> Solution:
    """Sweep until the objective of every group gains at most `tol` of its size."""
    found: Solution | None = None
    part, model = ballots, make(ballots)
    items, pairs, groups = (np.arange(n) for n in (ballots.n_items, ballots.n_pairs, ballots.n_groups))
    finished, best = np.zeros(len(groups), bool), np.full(len(groups), -np.inf)
    for sweep in range(1, max_iter + 1):
        steps.step()
        parameters = model.maximize(T, parameters)
        T, by_item = posterior(model.expect(parameters), part)
        loglik = part.sum(by_item)
        objective = loglik + model.penalty(parameters)
        converged = objective - best <= tol * np.abs(objective)
        done = ~finished & (converged | (sweep == max_iter))
        if done.any():
            state = Solution(T, parameters, loglik, objective, np.full(len(done), sweep), converged)
            found = (
                state
                if done.all() and len(done) == ballots.n_groups
                else placed(found or room_for(ballots, parameters), state, part, done, (items, pairs, groups))
            )
            finished |= done
        if finished.all():
            steps.skip(max_iter - sweep)
            break
        best = objective
        if 2 * finished.sum() > len(finished):
            part, kept_items, kept_pairs = part.only(~finished)
            model, T = make(part), T[:, kept_items]
            kept = {OF_GROUPS: ~finished}
            parameters = {name: value[kept.get(name, kept_pairs)] for name, value in parameters.items()}
            items, pairs, groups, best = items[kept_items], pairs[kept_pairs], groups[~finished], best[~finished]
            finished = np.zeros(len(groups), bool)
    return found if found is not None else room_for(ballots, {})


def room_for(ballots: Ballots, parameters: Parameters) -> Solution:
    """Room for the values of all groups."""
    sizes = {OF_GROUPS: ballots.n_groups}
    room = {name: np.zeros((sizes.get(name, ballots.n_pairs), *value.shape[1:])) for name, value in parameters.items()}
    n = ballots.n_groups
    T = np.zeros((ballots.n_categories, ballots.n_items))
    return Solution(T, room, np.zeros(n), np.zeros(n), np.zeros(n, np.int64), np.zeros(n, bool))


def placed(
    found: Solution, state: Solution, part: Ballots, done: Array, places: tuple[Array, Array, Array]
) -> Solution:
    """Copy the values of groups that are done to their places."""
    items, pairs, groups = places
    of_items, of_pairs = done[part.group], done[part.pair_group]
    found.T[:, items[of_items]] = state.T[:, of_items]
    for name, value in state.parameters.items():
        where, which = (groups, done) if name == OF_GROUPS else (pairs, of_pairs)
        found.parameters[name][where[which]] = value[which]
    for name in BY_GROUP:
        getattr(found, name)[groups[done]] = getattr(state, name)[done]
    return found
