"""How often each candidate wins, and how often by the human standard if people gave verdicts on a random part.

Every verdict counts once for each of its two candidates, in row r = group x candidate. Verdicts on the same item, or of
the same cluster, belong together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.quantiles import level_of
from pandas_agreement.core.remarks import Remarks
from pandas_agreement.core.sums import divide
from pandas_agreement.inference.means import (
    critical,
    effects_of_clusters,
    mean_differences,
    post_stratified,
    post_stratified_limits,
    stratum_weights,
)
from pandas_agreement.options import Options
from pandas_agreement.preferences.bradley_terry import Comparisons
from pandas_agreement.preferences.strengths import comparisons_of, names_of
from pandas_agreement.preferences.verdicts import Verdicts
from pandas_agreement.results import frames, schemas

MIN_HUMAN = 30  # human verdicts; fewer have a note
MAX_UNLABELLED = 0.1  # share of the verdicts that are a win, tie or loss on which there is no human verdict
OUTCOMES = 3  # loss, tie, win
RATES = "estimate", "ci_low", "ci_high", "se"


@dataclass(frozen=True, eq=False)
class Sides:
    """Both sides of every verdict: (2 N,) each."""

    row: Array  # group and candidate
    n_rows: int
    score: Array  # 1, 0.5 or 0 of the candidate
    human: Array  # the same by the human verdict, NaN without one
    cluster: Array | None

    @classmethod
    def of(cls, verdicts: Verdicts, compared: Comparisons) -> Sides:
        M = compared.candidate.shape[1]
        cluster = verdicts.item if verdicts.cluster is None else verdicts.cluster
        human = np.full(len(verdicts.score), np.nan) if verdicts.human is None else verdicts.human
        return cls(
            np.concatenate([compared.group * M + side for side in (compared.first, compared.second)]),
            compared.candidate.size,
            np.concatenate([verdicts.score, 1 - verdicts.score]),
            np.concatenate([human, 1 - human]),
            None if cluster is None else np.tile(cluster, 2),
        )

    def sums(self, values: Array | None = None) -> Array:
        return np.bincount(self.row, values, self.n_rows)

    @property
    def outcome(self) -> Array:
        return (2 * self.score).astype(np.int64)

    def by_outcome(self, values: Array) -> Array:
        """Sums of values by the outcome of the verdict: (R, 3)."""
        cells = np.bincount(self.row * OUTCOMES + self.outcome, values, self.n_rows * OUTCOMES)
        return cells.reshape(self.n_rows, OUTCOMES)


def win_rate(verdicts: Verdicts, options: Options) -> pd.DataFrame:
    """One row per group and candidate."""
    frames.check_keys(verdicts.groups, schemas.WIN_RATE)
    compared, level = comparisons_of(verdicts), level_of(options.ci)
    sides, used = Sides.of(verdicts, compared), compared.used
    n, wins = sides.sums(), sides.sums(sides.score)
    known = ~np.isnan(sides.human)
    n_human = sides.sums(known)
    remarks = Remarks(used.shape)
    remarks.undefined((n == 0).reshape(used.shape) & used, "no verdict", "no verdict")
    found = plain(sides, level) if verdicts.human is None else corrected(sides, level, remarks)
    columns = dict(zip(RATES, found, strict=True)) | {
        "se": np.where(np.isnan(level), np.nan, found[-1]),
        "wins": wins,
        "n_items": n,
        "judge_rate": divide(wins, n),
        "human_rate": divide(sides.sums(np.where(known, sides.human, 0.0)), n_human),
        "n_human": n_human,
        "ci_level": np.where(np.isnan(found[-1]), np.nan, level),
    }
    ties = sides.sums(sides.score == 0.5).reshape(used.shape)
    remarks.count(ties, "ties", "tie counts as half a win", "ties count as half a win")
    verdicts.note_dropped(remarks)
    group = np.nonzero(used)[0]
    groups = None if verdicts.groups is None else verdicts.groups.take(group)
    index = frames.index_of(groups, {"candidate": names_of(verdicts, compared.candidate[used])})
    remarks.warn(n_rows=len(group))
    columns = {name: values[used.ravel()] for name, values in columns.items()} | remarks.columns(used)
    return frames.result(index, columns, schemas.WIN_RATE)


def plain(sides: Sides, level: float) -> tuple[Array, ...]:
    """Means of the scores, limits and standard errors; win, tie and loss are differences of 1, 0 and -1."""
    found = mean_differences(2 * sides.score - 1, sides.row, sides.n_rows, sides.cluster)
    return *((part + 1) / 2 for part in (found.value, *found.limits(level, -1, 1))), found.se / 2


def corrected(sides: Sides, level: float, remarks: Remarks) -> tuple[Array, ...]:
    """The same, post-stratified by the outcome of the judge's verdict; the human verdicts are on a random part."""
    known, human = ~np.isnan(sides.human), np.nan_to_num(sides.human)
    N, m, total, squares = (sides.by_outcome(values) for values in (np.ones(len(known)), known, human, human**2))
    rate, variance, mean = post_stratified(N, m, total, squares)
    cell, weight = (sides.row, sides.outcome), stratum_weights(N, m)

    def influence(_: int) -> Array:
        gap = np.where(known, divide(weight[cell], m[cell]) * (human - mean[cell]), 0.0)
        return gap + divide(weight[cell], N[cell]) * (mean[cell] - rate[sides.row])

    effect, df = (part[:, 0] for part in effects_of_clusters(sides.row, sides.cluster, variance[:, None], influence))
    low, high = post_stratified_limits(N, m, total, squares, 0.5, critical(df, level) * np.sqrt(effect))
    defined = _note_human(N, m, remarks)
    return tuple(np.where(defined, values, np.nan) for values in (rate, low, high, np.sqrt(variance * effect)))


def _note_human(N: Array, m: Array, remarks: Remarks) -> Array:
    """Remarks on too few human verdicts; which rows have an estimate: (R,)."""
    shape = remarks.none.shape
    n, n_human = N.sum(-1), m.sum(-1)
    lost = divide((N * (m == 0)).sum(-1), n)
    unlike = (n_human > 0) & (lost > MAX_UNLABELLED)
    remarks.undefined(((n > 0) & (n_human == 0)).reshape(shape), "no human", "no human verdict")
    remarks.undefined(unlike.reshape(shape), "undefined", "human verdicts on a random part would be more even")
    partly = (n_human > 0) & (lost > 0) & ~unlike
    remarks.add(partly.reshape(shape), "left out", "an outcome without any human verdict left out")
    few = (n_human > 0) & (n_human < MIN_HUMAN)
    remarks.add(few.reshape(shape), "few labels", f"fewer than {MIN_HUMAN} human verdicts")
    return (n_human > 0) & ~unlike
