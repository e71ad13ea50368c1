"""Variance components by restricted maximum likelihood (REML) for scores with missing values, and profile limits.

The components are those of items, coders and error; the limits are of the share of the items.

The two parameters are the logarithms of the ratios of item and coder variance to error variance; mean and error
variance are profiled out. A damped Newton search with positive curvature starts at the best of a coarse grid and of
the moment estimates (Henderson's third method), in all groups at once. A component whose best value is not positive is
0. Without missing scores and negative components the result is that of the analysis of variance.

Patterson, H. D. and Thompson, R. (1971). Biometrika 58, 545-554.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import partial

import numpy as np

from pandas_agreement.coefficients.numeric.crossed import Crossed, inverse, newton_between, times
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.classes import dataclass
from pandas_agreement.core.quantiles import normal_quantile
from pandas_agreement.core.sums import divide

GRID = np.array([(item, coder) for item in (-4.0, -1.5, 1.0, 3.5) for coder in (-6.0, -2.0, 0.0, 2.0)])
MAX_STEPS = 200  # Newton steps
MAX_DAMPING = 1e9  # at which a search without progress ends
MAX_FLAT_SLOPE = 1e-9  # slope of the criterion per score at which the search ends
SMALL_RATIO = 1e-3  # of a component that is 0, where a search starts
MAX_ZERO_RATIO = 1e-6  # smaller ratios of variances are compared with 0
BEYOND = 1.1  # times the distance of a limit that is near, to have the limit between two points that are close
N_STARTS = 10  # of the search of the coder ratio at each value of the share
MAX_LOG_ODDS = 14.0  # log odds beyond which a share is taken as 0 or 1


@dataclass(frozen=True, eq=False)
class Components:
    """Variance components: (G,) each."""

    item: Array
    coder: Array
    error: Array
    converged: Array  # (G,) of bool: whether they are the maximum of the likelihood; True without a search


def components(crossed: Crossed) -> Components:
    """REML estimates; NaN without degrees of freedom for the error."""
    moments = by_moments(crossed)
    fittable = _fittable(crossed)
    item, coder, error, found = (np.array(getattr(moments, each.name)) for each in fields(Components))
    if fittable.any():
        chosen = crossed.take(fittable)
        start = divide(np.stack([item, coder], -1)[fittable], error[fittable, None])
        ratios, found[fittable] = _search(chosen, start)
        variance = _criterion(chosen, ratios, slopes=False)[2]
        item[fittable], coder[fittable], error[fittable] = *(ratios.T * variance), variance
    return Components(item, coder, error, found)


def _fittable(crossed: Crossed) -> Array:
    """Groups with degrees of freedom for all components and a positive error: (G,) of bool."""
    positive = crossed.df_error, crossed.df_items, crossed.df_coders, crossed.error_squares
    return np.all([part > 0 for part in positive], axis=0)


def by_moments(crossed: Crossed) -> Components:
    """Henderson's third method: sums of squares of items after coders and of coders after items, set to their means."""
    error = crossed.error
    items = crossed.items_after_coders(np.zeros(len(error))) - crossed.df_items * error
    coders = crossed.coder_squares - crossed.df_coders * error
    item = np.maximum(divide(items, crossed.n_ratings - crossed.n_coders), 0.0)
    coder = np.maximum(divide(coders, crossed.n_ratings - crossed.n_items), 0.0)
    return Components(item, coder, error, np.ones(len(error), bool))


def _criterion(crossed: Crossed, ratios: Array, slopes: bool = True) -> tuple[Array, Array, Array]:
    """Minus twice the restricted log-likelihood, its slopes by the two ratios (none if not asked for), error variance.

    A is the inverse covariance, in units of the error variance. The score of an item is y + Z b, b the effects of the
    coders; Z'A Z, Z'A (y + Z b) and so on have no differences of large numbers in them (see `Crossed`).
    """
    C, N, b = crossed.width, crossed.n_ratings, crossed.effects
    theta, phi = ratios[:, 0], ratios[:, 1]
    factor = 1 + theta[:, None] * crossed.size  # (G, R)
    M = crossed.combine(1 / (crossed.size * factor)) + crossed.base
    S, y = M[:, :C, :C], M[:, :C, C]  # (G, C, C), (G, C)
    inverted, log_determinant = inverse(np.eye(C) + phi[:, None, None] * S)
    of_mean = times(inverted, S[:, :, 0])  # Z'A 1, up to a factor: (G, C)
    solved, of_effects = times(inverted, y), times(inverted, times(S, b))
    of_scores = solved + of_effects  # Z'A (y + Z b)
    mean = of_scores[:, 0] / of_mean[:, 0]
    squares = M[:, C, C] - phi * (y * solved).sum(-1) + (b * (2 * solved + of_effects)).sum(-1)
    residual = squares - mean * of_scores[:, 0]
    value = (N - 1) * np.log(residual) + np.log(of_mean[:, 0]) + log_determinant
    value += (crossed.number * np.log(factor)).sum(-1)
    if not slopes:
        return value, np.zeros((len(N), 0)), residual / (N - 1)
    dM = crossed.combine(-1 / factor**2)  # by theta
    left = np.ones((len(N), C + 1))  # coordinates of the scores minus their mean, times A
    left[:, :C] = times(inverted, b) - phi[:, None] * solved - mean[:, None] * inverted[:, :, 0]
    by_theta = (crossed.number * crossed.size / factor).sum(-1) + phi * (inverted * dM[:, :C, :C]).sum((-1, -2))
    by_theta += (N - 1) * _form(dM, left) / residual + _form(dM[:, :C, :C], inverted[:, :, 0]) / of_mean[:, 0]
    of_left = of_scores - mean[:, None] * of_mean
    by_phi = (inverted * S).sum((-1, -2)) - (N - 1) * (of_left**2).sum(-1) / residual
    by_phi -= (of_mean**2).sum(-1) / of_mean[:, 0]
    return value, np.stack([by_theta, by_phi], -1), residual / (N - 1)


def _form(matrices: Array, vectors: Array) -> Array:
    """Quadratic forms: (G, C, C), (G, C) -> (G,)."""
    return (vectors * times(matrices, vectors)).sum(-1)


def _search(crossed: Crossed, moments: Array) -> tuple[Array, Array]:
    """The ratios that minimise the criterion: (G, 2), and whether the search ended at a minimum: (G,) of bool."""
    best = np.log(np.clip(moments, 1e-3, 1e12))
    value = _criterion(crossed, np.exp(best), slopes=False)[0]
    for point in GRID:
        new = _criterion(crossed, np.broadcast_to(np.exp(point), best.shape), slopes=False)[0]
        best, value = np.where((new < value)[:, None], point, best), np.minimum(new, value)
    logs, found, _ = _newton(partial(_on_logs, crossed), best, MAX_FLAT_SLOPE * crossed.n_ratings)
    return _small_as_zero(crossed, np.exp(logs)), found


def _on_logs(crossed: Crossed, groups: Array, logs: Array) -> tuple[Array, Array]:
    """The criterion of some groups and its slopes by the logarithms of the ratios: (g,), (g, 2)."""
    ratios = np.exp(logs)
    value, slopes, _ = _criterion(crossed if len(groups) == len(crossed.size) else crossed.take(groups), ratios)
    return value, slopes * ratios


#: the numbers of some groups, and their points (g, d) -> values (g,) and slopes (g, d)
Function = Callable[[Array, Array], tuple[Array, Array]]


def _newton(function: Function, start: Array, flat: Array) -> tuple[Array, Array, Array]:
    """Minima by damped Newton steps, each group to its own convergence: (G, d), whether it converged: (G,), and values.

    The curvature is a difference of slopes, with positive eigenvalues.
    """
    found, converged, values = np.array(start), np.zeros(len(start), bool), np.empty(len(start))
    groups, point, damping = np.arange(len(start)), np.array(start), np.zeros(len(start))
    value, slopes = function(groups, point)
    for _ in range(MAX_STEPS):
        ends = np.abs(slopes).max(-1) <= flat[groups]
        found[groups], converged[groups], values[groups] = point, ends, value
        on = ~ends & (damping < MAX_DAMPING)
        if not on.any():
            break
        groups, point, value, slopes, damping = (part[on] for part in (groups, point, value, slopes, damping))
        curvature = _curvature(partial(function, groups), point, slopes)
        trial = np.clip(point + _step(curvature, slopes, damping), -30.0, 30.0)
        new, new_slopes = function(groups, trial)
        flatter = np.abs(new_slopes).max(-1) < np.abs(slopes).max(-1)
        better = (new < value) | ((new <= value + 1e-10 + 1e-14 * np.abs(value)) & flatter)
        point, slopes = np.where(better[:, None], trial, point), np.where(better[:, None], new_slopes, slopes)
        value, damping = np.where(better, new, value), np.where(better, damping / 10, 10 * damping + 1)
    return found, converged, values


def _step(curvature: Array, slopes: Array, damping: Array) -> Array:
    """Newton step along the axes of the curvature, at most 3 along each variable."""
    roots, vectors = np.linalg.eigh(curvature)
    along = times(np.swapaxes(vectors, 1, 2), slopes) / (np.abs(roots) * (1 + damping[:, None]) + 1e-9)
    return np.clip(-times(vectors, along), -3.0, 3.0)


def _curvature(function: Callable[[Array], tuple[Array, Array]], point: Array, slopes: Array) -> Array:
    """Second derivatives: (G, d, d) for d variables."""
    h = 1e-5
    matrix = np.stack([(function(point + h * unit)[1] - slopes) / h for unit in np.eye(point.shape[1])], -1)
    return (matrix + np.swapaxes(matrix, 1, 2)) / 2


def _small_as_zero(crossed: Crossed, ratios: Array) -> Array:
    """Set a very small ratio to 0 if the criterion is no worse there."""
    small = np.flatnonzero((ratios < MAX_ZERO_RATIO).any(-1))
    if not len(small):
        return ratios
    chosen, best = crossed.take(small), ratios[small]
    value = _criterion(chosen, best, slopes=False)[0]
    for column in (0, 1):
        trial = np.where((np.arange(2) == column) & (best < MAX_ZERO_RATIO), 0.0, best)
        new = _criterion(chosen, trial, slopes=False)[0]
        better = new <= value + 1e-8
        best, value = np.where(better[:, None], trial, best), np.where(better, new, value)
    out = np.array(ratios)
    out[small] = best
    return out


def agreement_limits(crossed: Crossed, parts: Components, level: float, near: Sequence[Array]) -> tuple[Array, Array]:
    """Profile likelihood limits of item / (item + coder + error) variance: (G,), (G,), where limits `near` are known.

    The ratio of the coders is fitted at each value of the share. The limits are where twice the log-likelihood is below
    its maximum by the quantile of chi-squared; 0 or 1 where there is no such value.
    """
    fittable = _fittable(crossed)
    low, high = np.full(fittable.shape, np.nan), np.full(fittable.shape, np.nan)
    if fittable.any():
        chosen = crossed.take(fittable)
        ratios = np.stack([parts.item, parts.coder], -1)[fittable] / parts.error[fittable, None]
        low[fittable], high[fittable] = (
            _profile_limit(chosen, ratios, level, end, limit[fittable])
            for end, limit in zip((-MAX_LOG_ODDS, MAX_LOG_ODDS), near, strict=True)
        )
    return low, high


def _profile_limit(crossed: Crossed, ratios: Array, level: float, end: float, near: Array) -> Array:
    """The limit between the best share and one end, on the scale of log odds.

    The square root of the decrease of the likelihood is nearly linear in the log odds, so that a few steps suffice.
    """
    share = ratios[:, 0] / (1 + ratios.sum(-1))
    best, z = _criterion(crossed, ratios, slopes=False)[0], normal_quantile(level)

    def root(groups: Array, logs: Array) -> tuple[Array, Array]:
        value, slope = _profile(crossed.take(groups), ratios[groups], np.exp(logs))
        distance = np.sqrt(np.maximum(value - best[groups], 0.0))
        return distance - z, divide(slope, 2 * distance)

    inside = np.clip(np.log(np.maximum(share, 1e-300) / (1 - share)), -MAX_LOG_ODDS, MAX_LOG_ODDS)
    outside = np.full(inside.shape, end)
    some = np.flatnonzero(root(np.arange(len(share)), outside)[0] >= 0)  # else no value is so unlikely
    with np.errstate(divide="ignore", invalid="ignore"):  # no guess where a limit near is outside of 0 to 1
        guess = inside + BEYOND * (np.log(near / (1 - near)) - inside)
    limit = np.full(inside.shape, np.sign(end) * np.inf)
    limit[some] = newton_between(
        lambda groups, logs: root(some[groups], logs), inside[some], outside[some], 1e-4, guess[some]
    )
    return 1 / (1 + np.exp(-limit))


def _profile(crossed: Crossed, best: Array, odds: Array) -> tuple[Array, Array]:
    """The minimum of the criterion with item variance `odds` times coder plus error variance, its slope by log odds."""
    rising = np.empty(odds.shape)  # as the other variances stay: at the minimum they do not matter

    def along(groups: Array, logs: Array) -> tuple[Array, Array]:
        phi, times = np.exp(logs[:, 0]), odds[groups]
        chosen = crossed if len(groups) == len(odds) else crossed.take(groups)
        value, slopes, _ = _criterion(chosen, np.stack([times * (1 + phi), phi], -1))
        rising[groups] = times * (1 + phi) * slopes[:, 0]
        return value, (phi * (times * slopes[:, 0] + slopes[:, 1]))[:, None]

    # start at the best of some ratios from where that of the coders is the best to where that of the items is
    one_end, other = (np.log(np.clip(phi, SMALL_RATIO, 1e12)) for phi in (best[:, 1], best[:, 0] / odds - 1))
    starts = np.linspace(one_end, other, N_STARTS)
    points = (np.stack([odds * (1 + phi), phi], -1) for phi in np.exp(starts))
    first = np.argmin([_criterion(crossed, point, slopes=False)[0] for point in points], axis=0)
    _, _, value = _newton(along, np.choose(first, starts)[:, None], np.full(len(odds), 1e-5))
    without_coders, slopes, _ = _criterion(crossed, np.stack([odds, np.zeros_like(odds)], -1))  # no log reaches 0
    return np.minimum(value, without_coders), np.where(without_coders < value, odds * slopes[:, 0], rising)
