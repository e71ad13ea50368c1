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

    def arrays(self) -> list[tuple[Array, int]]:
        """Everything with the items (0), coders (1) or groups (2) first."""
        parameters = [(value, 2 if name == OF_GROUPS else 1) for name, value in self.parameters.items()]
        return [(self.T.T, 0), *parameters, *((getattr(self, name), 2) for name in BY_GROUP)]

    def put(self, other: Solution, part: Ballots, groups: Array, places: tuple[Array, Array, Array]) -> None:
        """Take some groups (of bool) of another solution, whose items, coders and groups have these places here."""
        chosen = groups[part.group], groups[part.pair_group], groups
        for (ours, owner), (theirs, _) in zip(self.arrays(), other.arrays(), strict=True):
            ours[places[owner][chosen[owner]]] = theirs[chosen[owner]]

    def only(self, groups: Array, items: Array, pairs: Array) -> Solution:
        """That of some groups, with their items and coders; all are boolean arrays."""
        if groups.all():
            return self
        T, *rest = [values[(items, pairs, groups)[owner]] for values, owner in self.arrays()]
        parameters = dict(zip(self.parameters, rest, strict=False))
        return Solution(T.T, parameters, *rest[len(parameters) :])

    def better(self, other: Solution, ballots: Ballots) -> Solution:
        """Of each group the solution with the higher objective; changes this one."""
        self.put(other, ballots, other.objective > self.objective, _places(ballots))
        return self


def _places(ballots: Ballots) -> tuple[Array, Array, Array]:
    """The numbers of items, coders and groups."""
    return np.arange(ballots.n_items), np.arange(ballots.n_pairs), np.arange(ballots.n_groups)


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
    items, pairs, groups = _places(ballots)
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
            if done.all() and len(done) == ballots.n_groups:
                found = state
            else:
                found = found or room_for(ballots, parameters)
                found.put(state, part, done, (items, pairs, groups))
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
