"""The tables of `strengths`: one row per candidate, or per pair of candidates with `contrasts=True`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.core.arrays import Array, number_within
from pandas_agreement.core.quantiles import level_of, t_test
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
CONFOUNDED = "every pair of candidates was shown in one order only, so position and strength cannot be separated"
UNBOUNDED = "no finite maximum: the order shown decides the verdicts too closely to estimate its effect"
APART = "never compared, not even through others"


def comparisons_of(verdicts: Verdicts) -> Comparisons:
    """The verdicts with the candidates of every group numbered within it."""
    G, K = verdicts.n_groups, max(len(verdicts.candidates), 1)
    group, code = verdicts.seen
    number = number_within(group)  # `seen` is sorted by group
    candidate = np.full((G, int(np.bincount(group).max(initial=1)) + 1), -1)
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
    _check_size(G, M - 1, contrasts)
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
    estimate, level = found.estimate, level_of(options.ci)
    variance = np.diagonal(found.covariance, axis1=1, axis2=2)
    se = np.where(np.isnan(estimate + level), np.nan, np.sqrt(np.maximum(variance, 0.0)))
    width = critical(found.df, level)[:, None] * se
    score, every = compared.score, np.ones_like(compared.score)
    wins, n = compared.sums(score, 1 - score), compared.sums(every, every)
    rows = compared.used.copy()
    rows[:, -1] = position & rows.any(-1)
    remarks = _remarks(verdicts, compared, found, rows, wins, n, smoothing > 0)
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
    group = np.nonzero(rows)[0]
    groups = None if verdicts.groups is None else verdicts.groups.take(group)
    remarks.warn(n_rows=len(group))
    index = frames.index_of(groups, {"candidate": names_of(verdicts, compared.candidate[rows])})
    columns = {name: values[rows] for name, values in columns.items()} | remarks.columns(rows)
    return frames.result(index, columns, schemas.STRENGTHS)


def _shares_and_ranks(found: Strengths) -> tuple[Array, Array]:
    """exp(beta) as shares, and ranks, both among the candidates of a component; NaN for the position."""
    component = found.component
    known = ~np.isnan(found.estimate) & (component >= 0)
    together = (component[:, :, None] == component[:, None, :]) & known[:, :, None] & known[:, None, :]
    beta = np.where(known, found.estimate, 0.0)
    total = (together * np.exp(beta)[:, None, :]).sum(-1)
    better = (together & (beta[:, None, :] > beta[:, :, None] + 1e-9)).sum(-1)
    return np.where(known, divide(np.exp(beta), total), np.nan), np.where(known, better + 1.0, np.nan)


def _remarks(
    verdicts: Verdicts, compared: Comparisons, found: Strengths, rows: Array, wins: Array, n: Array, smoothed: bool
) -> Remarks:
    """Why a candidate has no estimate, and what its estimate rests on: (G, M); `rows` are shown."""
    remarks, used = Remarks(rows.shape), compared.used
    lost = rows & np.isnan(found.estimate)
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
    apart = (~met & used[:, :, None] & used[:, None, :] & (n > 0)[:, None, :]).sum(-1) * (known & smoothed)
    remarks.count(
        apart,
        "not all met",
        "other candidate never compared, not even through others: ranked without it",
        "other candidates never compared, not even through others: ranked without them",
    )
    tied = compared.score == TIE
    remarks.count(compared.sums(tied, tied) * known, "ties", "tie counts as half a win", "ties count as half a win")
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
    beta, V, level = found.estimate, found.covariance, level_of(options.ci)
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
    group, pair = np.nonzero(shown)
    groups = None if verdicts.groups is None else verdicts.groups.take(group)
    codes = {"candidate_1": first, "candidate_2": second}
    levels = {name: names_of(verdicts, compared.candidate[group, side[pair]]) for name, side in codes.items()}
    remarks.warn(n_rows=len(group))
    columns = {name: values[shown] for name, values in columns.items()} | remarks.columns(shown)
    return frames.result(frames.index_of(groups, levels), columns, schemas.CONTRASTS)
