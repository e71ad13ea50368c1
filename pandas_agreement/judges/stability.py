"""`stability`: does a judge agree with itself when it runs again?

Runs are exchangeable coders of one judge. They are not new items: the standard error of a mean verdict is that of the
items' means.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.coefficients.registry import find
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.category_counts import SparseCounts
from pandas_agreement.core.ratings import WideRatings
from pandas_agreement.core.remarks import Remarks
from pandas_agreement.core.sums import divide
from pandas_agreement.data import Reading
from pandas_agreement.engine import measure
from pandas_agreement.errors import collect_warnings
from pandas_agreement.inference.means import means, wilson
from pandas_agreement.judges.panel import judged_index, note_sets
from pandas_agreement.judges.tables import effective_number
from pandas_agreement.options import Options
from pandas_agreement.results import frames, schemas

OF_LABELS = ("observed", "flip_rate", "alpha", "unanimous")
OF_SCORES = ("icc_1", "sd_within", "mean")
WITH_HUMANS = ("human_single", "human_vote", "vote_gain")
OF_ONE_RUN = ("mean", "human_single")  # defined without a second run
PARTS = ("estimate", "ci_low", "ci_high", "se", "n_items")

Row = dict[str, Array]  # column: values of the groups


@dataclass(frozen=True, eq=False)
class Runs:
    """The runs of one judge, as codes (R, I) too, where -1 is no label; and the humans."""

    reading: Reading
    runs: Array
    humans: WideRatings
    clusters: Array | None

    @property
    def group(self) -> Array:
        return self.reading.ratings.item_group

    @property
    def n_groups(self) -> int:
        return self.reading.ratings.n_groups

    def n_runs(self) -> Array:
        """Runs with a label in each group: (G,)."""
        return np.sum([np.bincount(self.group[run >= 0], minlength=self.n_groups) > 0 for run in self.runs], axis=0)

    def mean(self, values: Array, items: Array, ci: float | None, bounds: tuple[float, float]) -> Row:
        """The mean of some items' values, with t intervals."""
        clusters = None if self.clusters is None else self.clusters[items]
        found = means(values[items], self.group[items], self.n_groups, clusters)
        low, high = found.limits(ci or 0.95, *bounds)
        return {"estimate": found.value, "ci_low": low, "ci_high": high, "se": found.se, "n_items": found.n}

    @cached_property
    def scores(self) -> tuple[Array, Array, Array]:
        """Number, mean and variance of the scores of each item: (I,) each."""
        values = self.reading.category_set.labels.to_numpy(dtype=float)
        given = self.runs >= 0
        x = np.where(given, values[np.maximum(self.runs, 0)], 0.0)
        number = given.sum(0)
        mean = divide(x.sum(0), number)
        return number, mean, divide(np.where(given, (x - mean) ** 2, 0.0).sum(0), number - 1)

    def removable(self) -> Array:
        """The share of the variance of the mean verdict that more runs could remove: (G,)."""
        number, mean, variance = self.scores
        several = number > 1
        group, G = self.group[several], self.n_groups
        within, verdicts = means((variance / np.maximum(number, 1))[several], group, G), means(mean[several], group, G)
        return np.clip(divide(within.value, verdicts.se**2 * verdicts.n), 0, 1)


def stability(
    reading: Reading, judges: Sequence[tuple[Hashable, Sequence[int]]], n_coders: int, options: Options
) -> pd.DataFrame:
    """One row per group, judge and coefficient.

    `judges` are the names of the judges and the numbers of the coders that are their runs; the coders from `n_coders`
    on are humans.
    """
    ratings = reading.ratings.as_wide()
    humans = replace(ratings, n_coders=ratings.n_coders - n_coders, codes=ratings.codes[n_coders:])
    scores = reading.category_set.labels.dtype.kind in "iuf"
    names = [*OF_LABELS, *(OF_SCORES if scores else ()), *(WITH_HUMANS if humans.n_coders else ())]
    parts = []
    for _, places in judges:
        codes = tuple(ratings.codes[place] for place in places)
        own = replace(ratings, n_coders=len(codes), codes=codes)
        labels = [str(place) for place in places]
        runs = replace(reading, ratings=own, coders=labels, named=False)
        parts.append(Runs(runs, np.array(codes), humans, reading.clusters))
    found = [_rows(part, names, options) for part in parts]
    return _frame(reading, parts, found, [name for name, _ in judges], names, options)


def _rows(part: Runs, names: Sequence[str], options: Options) -> dict[str, Row]:
    rows = _of_labels(part, options)
    if "mean" in names:
        rows |= _of_scores(part, options)
    return rows | _with_humans(part, options.ci) if "human_vote" in names else rows


def _measured(part: Runs, name: str, options: Options) -> Row:
    """A coefficient of the runs."""
    chosen = options.only("by", "ci", "clusters") if name != "icc_1" else options.only("by", "ci")
    with collect_warnings():  # undefined values are told of below
        found = measure(part.reading, [find(name)], chosen.but(ci=options.ci or 0.95))
    return {column: found[column].to_numpy(float) for column in PARTS}


def _of_labels(part: Runs, options: Options) -> dict[str, Row]:
    observed = _measured(part, "observed", options)
    flipped = {"estimate": 1 - observed["estimate"], "ci_low": 1 - observed["ci_high"]}
    flipped |= {"ci_high": 1 - observed["ci_low"], "se": observed["se"], "n_items": observed["n_items"]}
    several = (part.runs >= 0).sum(0) > 1
    same = ((part.runs == part.runs.max(0, initial=-1)) | (part.runs < 0)).all(0)
    unanimous = part.mean(same.astype(float), several, options.ci, (0, 1))
    alpha = _measured(part, "alpha", options)
    return {"observed": observed, "flip_rate": flipped, "alpha": alpha, "unanimous": _share(unanimous, options.ci)}


def _of_scores(part: Runs, options: Options) -> dict[str, Row]:
    number, mean, variance = part.scores
    several, unknown = number > 1, np.full(part.n_groups, np.nan)
    within = part.mean(np.nan_to_num(variance), several, options.ci, (0, np.inf))
    within |= {"estimate": np.sqrt(within["estimate"]), "ci_low": unknown, "ci_high": unknown, "se": unknown}
    means = part.mean(np.nan_to_num(mean), number > 0, options.ci, (-np.inf, np.inf))
    return {"icc_1": _measured(part, "icc_1", options), "sd_within": within, "mean": means}


def _with_humans(part: Runs, ci: float | None) -> dict[str, Row]:
    """Agreement of one run, and of the vote of the runs, with a human."""
    runs, people = part.reading.ratings.counts, part.humans.counts
    n_runs, n_people = runs.sizes, people.sizes
    _, top, n_leads = runs.leaders()
    same, leading = _shared(runs.sparse(), people.sparse(), top)
    single, vote = divide(same, n_runs * n_people), divide(leading, n_leads * n_people)
    items = (n_runs > 0) & (n_people > 0)
    gain = part.mean(np.nan_to_num(vote - single), items & (n_runs > 1), ci, (-1, 1))
    means = [_share(part.mean(np.nan_to_num(values), items, ci, (0, 1)), ci) for values in (single, vote)]
    return {"human_single": means[0], "human_vote": means[1], "vote_gain": gain}


def _shared(runs: SparseCounts, people: SparseCounts, top: Array) -> tuple[Array, Array]:
    """Pairs of a run and a human with one label, and humans with a label that leads among the runs: (I,) each."""
    theirs = people.number_of(runs.item, runs.code)
    leading = theirs * (runs.number == top[runs.item])
    return runs.over_items(theirs * runs.number), runs.over_items(leading)


def _share(row: Row, ci: float | None) -> Row:
    """A mean of shares with Wilson's interval, for as many items as have its standard error."""
    number = effective_number(row["estimate"], row["se"], row["n_items"])
    low, high = wilson(row["estimate"], number, ci or 0.95)
    return row | {"ci_low": low, "ci_high": high}


def _frame(
    reading: Reading,
    parts: Sequence[Runs],
    found: Sequence[dict[str, Row]],
    judges: list[Any],
    names: Sequence[str],
    options: Options,
) -> pd.DataFrame:
    G, J, M = reading.ratings.n_groups, len(judges), len(names)
    n_runs = np.stack([part.n_runs() for part in parts], -1)  # (G, J)
    columns: dict[str, Any] = {
        column: np.stack([[rows[name][column] for name in names] for rows in found]).transpose(2, 0, 1).ravel()
        for column in PARTS
    }
    columns["n_runs"] = np.repeat(n_runs.ravel(), M)
    needs_two = np.tile([name not in OF_ONE_RUN for name in names], G * J)
    single = needs_two & (columns["n_runs"] < 2)
    undefined = np.isnan(columns["estimate"]) | single
    for column in PARTS[:4]:
        columns[column] = np.where(undefined, np.nan, columns[column])
    if options.ci is None:
        columns |= {column: np.full(G * J * M, np.nan) for column in ("ci_low", "ci_high", "se")}
    columns["ci_level"] = np.full(G * J * M, np.nan if options.ci is None else options.ci)
    remarks = Remarks(G * J * M)
    remarks.undefined(single, "one run", "one run: nothing to compare")
    unknown, empty = undefined & ~single, columns["n_items"] == 0
    remarks.undefined(unknown & empty, "no items", "no item with the labels that this needs")
    remarks.undefined(unknown & ~empty, "one category", "only one category used")
    told = {name: np.tile([each == name for each in names], G * J) & ~undefined for name in ("unanimous", "mean")}
    runs = [f"in all of {n} runs: the more runs, the fewer" for n in columns["n_runs"].tolist()]
    remarks.add(told["unanimous"], "runs", runs)
    if "mean" in names:
        share = np.repeat(np.stack([part.removable() for part in parts], -1).ravel(), M)
        texts = [f"more runs can remove {value:.0%} of its variance" if value == value else "" for value in share]
        remarks.add(told["mean"], "runs", texts)
    note_sets(reading, remarks)
    remarks.warn()
    groups = None if reading.groups is None else reading.groups.repeat(J)
    index = judged_index(schemas.STABILITY, groups, {"judge": judges * G}, *names)
    return frames.result(index, columns | remarks.columns(), schemas.STABILITY)
