"""The tables of `strengths`: one row per candidate, or per pair of candidates with `contrasts=True`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.core.arrays import Array, number_within
from pandas_agreement.core.quantiles import t_test
from pandas_agreement.core.remarks import Remarks
from pandas_agreement.core.sums import divide
from pandas_agreement.errors import InputError, check_memory
from pandas_agreement.hypothesis_tests.margins import holm
from pandas_agreement.inference.means import critical
from pandas_agreement.options import Options
from pandas_agreement.preferences.bradley_terry import Comparisons, Strengths, fit
from pandas_agreement.preferences.verdicts import TIE, Verdicts
from pandas_agreement.results import frames, schemas

POSITION = "(first)"  # the row of the position effect
BYTES_PER_PAIR = 40  # covariances of two candidates, and what they are made from
BYTES_PER_CONTRAST = 250  # the same with a row per two candidates
CONFOUNDED = "each two candidates were shown in one order only, so position and strength cannot be told apart"
UNBOUNDED = "no finite maximum: the order shown decides the verdicts too closely to estimate its effect"
APART = "never met, not even through others"


def comparisons_of(verdicts: Verdicts) -> Comparisons:
    """The verdicts with the candidates of every group numbered within it."""
    G, K = verdicts.n_groups, max(len(verdicts.candidates), 1)
    group, code = verdicts.seen
    number = number_within(group)  # `seen` is sorted by group
    candidate = np.full((G, int(np.bincount(group).max(initial=1))), -1)
    candidate[group, number] = code
    keys = group * K + code
    first, second = (
        number[np.searchsorted(keys, verdicts.group * K + side)] for side in (verdicts.first, verdicts.second)
    )
    unit = verdicts.cluster
    if unit is not None:
        unit = verdicts.group * (int(unit.max(initial=0)) + 1) + unit
    return Comparisons(verdicts.group, first, second, verdicts.score, unit, candidate)


def names_of(verdicts: Verdicts, codes: Array) -> list[Any]:
    """The names of candidates, -1 for the position."""
    names = np.array([*verdicts.candidates.tolist(), POSITION], object)
    return names[codes].tolist()


def strengths(verdicts: Verdicts, smoothing: float, position: bool, contrasts: bool, options: Options) -> pd.DataFrame:
    """One row per group and candidate, or per group and two candidates."""
    if position and POSITION in verdicts.candidates:
        problem = f"a candidate is called {POSITION!r}, as the row of the position effect is"
        raise InputError(problem, "rename the candidate", option="position", code="name taken")
    frames.check_keys(verdicts.groups, schemas.CONTRASTS if contrasts else schemas.STRENGTHS)
    compared = comparisons_of(verdicts)
    G, M = compared.candidate.shape
    _check_size(G, M, contrasts)
    found = fit(compared, smoothing, position)
    if contrasts:
        return _contrasts(verdicts, compared, found, options)
    return _strengths(verdicts, compared, found, smoothing, position, options)


def _check_size(n_groups: int, n_candidates: int, contrasts: bool) -> None:
    """Refuse covariances that would not fit in memory."""
    need = n_groups * n_candidates**2 * (BYTES_PER_CONTRAST if contrasts else BYTES_PER_PAIR)
    each = f" in each of {n_groups:,} groups" if n_groups > 1 else ""
    what = f"{'differences' if contrasts else 'covariances'} of {n_candidates:,} candidates{each}"
    check_memory(what, need, "keep the verdicts on the candidates that you want to compare")


def _strengths(
    verdicts: Verdicts, compared: Comparisons, found: Strengths, smoothing: float, position: bool, options: Options
) -> pd.DataFrame:
    used, level = compared.used, options.ci or 0.95
    G, M = used.shape
    estimate = np.concatenate([found.beta, found.gamma[:, None]], 1)  # (G, M + 1), gamma last
    place = np.arange(M + 1)
    se = np.where(np.isnan(estimate), np.nan, np.sqrt(np.maximum(found.covariance[:, place, place], 0.0)))
    width = critical(found.df, level)[:, None] * se
    wins, n, ties = _counts(compared)
    remarks = _remarks(verdicts, compared, found, smoothing, position, (wins, n, ties))
    share, rank = _shares_and_ranks(found)
    columns = {
        "estimate": estimate,
        "ci_low": estimate - width,
        "ci_high": estimate + width,
        "se": se,
        "strength": share,
        "wins": wins,
        "n_items": n,
        "rank": rank,
        "ci_level": np.where(np.isnan(se), np.nan, level),
    }
    if options.ci is None:
        columns |= {name: np.full(estimate.shape, np.nan) for name in ("ci_low", "ci_high", "se", "ci_level")}
    shown = np.concatenate([used, np.any(used, -1, keepdims=True) & position], 1)
    group = np.nonzero(shown)[0]
    codes = np.concatenate([compared.candidate, np.full((G, 1), -1)], 1)[shown]
    groups = None if verdicts.groups is None else verdicts.groups.take(group)
    remarks.warn(n_rows=len(group))
    index = frames.index_of(groups, {"candidate": names_of(verdicts, codes)})
    columns = {name: values[shown] for name, values in columns.items()} | remarks.columns(shown)
    return frames.result(index, columns, schemas.STRENGTHS)


def _counts(compared: Comparisons) -> tuple[Array, Array, Array]:
    """Wins, verdicts and ties of each candidate, and last of the first slot: (G, M + 1) each."""
    G, M = compared.candidate.shape

    def sums(first: Array, second: Array) -> Array:
        sides = (compared.first, first), (compared.second, second)
        one, two = (np.bincount(compared.group * M + place, part, G * M).reshape(G, M) for place, part in sides)
        return np.concatenate([one + two, one.sum(-1, keepdims=True)], 1)

    score, tied, every = compared.score, compared.score == TIE, np.ones_like(compared.score)
    return sums(score, 1 - score), sums(every, every), sums(tied, tied)


def _shares_and_ranks(found: Strengths) -> tuple[Array, Array]:
    """exp(beta) as shares, and ranks, both among the candidates of a component; NaN for the position."""
    beta, component = found.beta, found.component
    known = ~np.isnan(beta)
    together = (component[:, :, None] == component[:, None, :]) & known[:, :, None] & known[:, None, :]
    value = np.where(known, beta, 0.0)
    key = np.arange(len(beta))[:, None] * beta.shape[1] + component
    total = np.bincount(key[known], np.exp(beta[known]), beta.size)
    shares = np.where(known, divide(np.exp(value), total[key]), np.nan)
    better = (together & (value[:, None, :] > value[:, :, None] + 1e-9)).sum(-1)
    nothing = np.full((len(beta), 1), np.nan)
    ranks = np.where(known, better + 1.0, np.nan)
    return np.concatenate([shares, nothing], 1), np.concatenate([ranks, nothing], 1)


def _remarks(
    verdicts: Verdicts,
    compared: Comparisons,
    found: Strengths,
    smoothing: float,
    position: bool,
    counts: tuple[Array, Array, Array],
) -> Remarks:
    """Why a candidate has no estimate, and what its estimate rests on: (G, M + 1)."""
    used = compared.used
    G, M = used.shape
    wins, n, ties = counts
    remarks = Remarks((G, M + 1))
    rows = np.concatenate([used, np.any(used, -1, keepdims=True) & position], 1)
    lost = rows & np.isnan(np.concatenate([found.beta, found.gamma[:, None]], 1))
    confounded, unbounded = found.confounded[:, None], found.unbounded[:, None]
    unknown = lost & (n > 0) & ~confounded & ~unbounded
    remarks.undefined(lost & (n == 0), "no verdict", "no verdict")
    remarks.undefined(lost & (n > 0) & confounded, "confounded", CONFOUNDED)
    remarks.undefined(lost & (n > 0) & unbounded, "undefined", UNBOUNDED)
    remarks.undefined(unknown & (wins == n), "never lost", "never lost")
    remarks.undefined(unknown & (wins == 0), "never won", "never won")
    remarks.undefined(unknown & (wins > 0) & (wins < n), "no overlap", "not comparable")
    known = rows & ~lost
    met = found.component[:, :, None] == found.component[:, None, :]
    others = (~met & used[:, :, None] & used[:, None, :] & (n[:, None, :M] > 0)).sum(-1) * (smoothing > 0)
    apart = np.concatenate([others, np.zeros((G, 1), np.int64)], 1) * known
    remarks.count(
        apart,
        "not all met",
        "other candidate never met, not even through others: ranked without it",
        "other candidates never met, not even through others: ranked without them",
    )
    remarks.count(ties * known, "ties", "tie counts as half a win", "ties count as half a win")
    if found.n_clusters is not None:
        remarks.add(known & (found.n_clusters < 2)[:, None], "no se", "one cluster: no se")
    verdicts.note_dropped(remarks)
    return remarks


# ---------------------------------------------------------------------------------------------------------- contrasts


def _contrasts(verdicts: Verdicts, compared: Comparisons, found: Strengths, options: Options) -> pd.DataFrame:
    """The differences of all pairs of candidates of a group, in the order of the candidates."""
    from scipy.special import ndtr

    M = compared.candidate.shape[1]
    first, second = np.triu_indices(M, 1)
    beta, V, level = found.beta, found.covariance, options.ci or 0.95
    difference = beta[:, first] - beta[:, second]
    variance = V[:, first, first] + V[:, second, second] - 2 * V[:, first, second]
    se = np.sqrt(np.maximum(variance, 0.0))
    apart = found.component[:, first] != found.component[:, second]
    difference, se = (np.where(apart | np.isnan(difference), np.nan, part) for part in (difference, se))
    statistic = divide(difference, se)
    p = 2 * ndtr(-np.abs(statistic)) if found.n_clusters is None else t_test(statistic, found.df[:, None])
    n = compared.table()
    shown = compared.used[:, first] & compared.used[:, second]
    p = np.where(shown, p, np.nan)
    width = critical(found.df, level)[:, None] * se
    remarks = Remarks(difference.shape)
    estimated = ~np.isnan(beta)
    known = estimated[:, first] & estimated[:, second]
    remarks.undefined(shown & ~known, "undefined", "a candidate has no estimate")
    remarks.undefined(shown & known & apart, "no overlap", APART)
    columns = {
        "estimate_1": beta[:, first],
        "estimate_2": beta[:, second],
        "difference": difference,
        "difference_low": difference - width,
        "difference_high": difference + width,
        "se": se,
        "statistic": statistic,
        "df": np.where(np.isinf(found.df)[:, None], np.nan, np.broadcast_to(found.df[:, None], p.shape)),
        "p_value": p,
        "p_holm": holm(p),
        "n_items": n[:, first, second] + n[:, second, first],
        "ci_level": np.where(np.isnan(se), np.nan, level),
    }
    if options.ci is None:
        columns |= {name: np.full(p.shape, np.nan) for name in ("difference_low", "difference_high", "ci_level")}
    group, pair = np.nonzero(shown)
    groups = None if verdicts.groups is None else verdicts.groups.take(group)
    codes = {"candidate_1": first, "candidate_2": second}
    levels = {name: names_of(verdicts, compared.candidate[group, side[pair]]) for name, side in codes.items()}
    remarks.warn(n_rows=len(group))
    columns = {name: values[shown] for name, values in columns.items()} | remarks.columns(shown)
    return frames.result(frames.index_of(groups, levels), columns, schemas.CONTRASTS)
