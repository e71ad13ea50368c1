"""Agreement within groups of coders and across them: of a group, of a pair of groups, and the differences.

Within a group a coefficient is that of its coders. Across two groups its pairs of coders have one coder of each, and
chance comes from the margins of these pairs: see `AcrossStatistics` and `expected_across`. If it does not matter who
gave a label, both have the same true value, so that they can be compared.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.breakdown.categories import BINARY
from pandas_agreement.breakdown.contrasts import (
    TAILS,
    Estimates,
    Influences,
    contrast_frame,
    differences,
    joined,
    warn_of_undefined,
)
from pandas_agreement.coefficients.pairs import across_kernel
from pandas_agreement.coefficients.registry import Coefficient, require
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.classes import dataclass
from pandas_agreement.core.coder_groups import Across, AcrossStatistics, across_groups, pair_numbers, within_groups
from pandas_agreement.core.contingency import distinct
from pandas_agreement.core.distances import Distance
from pandas_agreement.core.ratings import LongRatings
from pandas_agreement.data import Reading
from pandas_agreement.engine import Block, assemble, describe, distance_for, measure_one
from pandas_agreement.errors import InputError, choose
from pandas_agreement.hypothesis_tests.margins import holm
from pandas_agreement.inference.evaluation import Evaluation, analytic, evaluate, evaluate_sums
from pandas_agreement.options import Options
from pandas_agreement.results import frames

MISSING = ("pairable", "complete", "raise")


def merged(reading: Reading) -> Reading:
    """Items with the same labels as one, unless clusters tell them apart: each is split into several parts below."""
    if reading.clusters is not None:
        return reading
    return replace(reading, ratings=distinct(reading.ratings, coders=True), rows=None, items=None)


@dataclass(frozen=True, eq=False)
class Camps:
    """A reading whose coders belong to groups."""

    reading: Reading  # the items that count
    ratings: LongRatings
    camp: Array  # (1 or G, C) the group of each coder, -1 is none
    names: list[Hashable]  # of the groups of coders

    @classmethod
    def of(cls, reading: Reading, camp: Array, names: Sequence[Hashable], missing: str) -> Camps:
        choose("missing", missing, dict.fromkeys(MISSING))
        rule = "all" if missing == "pairable" else missing  # pairs are made later
        used = replace(reading, ratings=reading.ratings.as_long()).keep(rule)
        return cls(used, used.ratings.as_long(), np.atleast_2d(camp), list(names))

    @property
    def pairs(self) -> tuple[Array, Array]:
        return pair_numbers(len(self.names))

    def clusters(self, item: Array) -> Array | None:
        """The cluster of some items."""
        return None if self.reading.clusters is None else self.reading.clusters[item]

    def arranged(self, ratings: LongRatings, item: Array, each: int) -> Reading:
        """The reading of parts of items; `each` group of items has become so many."""
        n_chosen = self.reading.n_chosen
        return replace(
            self.reading,
            ratings=ratings,
            groups=None if self.reading.groups is None else self.reading.groups.repeat(each),
            clusters=self.clusters(item),
            n_chosen=None if n_chosen is None else n_chosen.repeat(each),
            rows=None,
            items=None,
        )

    def binary(self, category: int) -> Camps:
        """One category against all others."""
        lookup = np.arange(self.ratings.n_categories) == category
        ratings = self.ratings.recode(lookup, 2)
        reading = replace(self.reading, category_set=BINARY, n_chosen=None)
        return replace(self, reading=reading, ratings=ratings)


# ------------------------------------------------------------------------------------------------ within and across


def _evaluated_within(camps: Camps, record: Coefficient, options: Options) -> tuple[Evaluation, Reading, Array]:
    """The coefficient of each group of coders, the reading it comes from, and the item of each of its items."""
    part = within_groups(camps.ratings, camps.camp, len(camps.names))
    kept = part.ratings.sizes > 1
    ratings, item = part.ratings.select(kept), part.item[kept]
    reading = camps.arranged(ratings, item, len(camps.names))
    return evaluate(record, ratings, distance_for(record, reading, options, quiet=True)), reading, item


def _evaluated_across(camps: Camps, record: Coefficient, options: Options) -> tuple[Evaluation, Reading, Array]:
    """The same for each pair of groups."""
    part = across_groups(camps.ratings, camps.camp, len(camps.names))
    reading = camps.arranged(part.ratings, part.item, len(camps.pairs[0]))
    distance = distance_for(record, reading, options, quiet=True)
    return evaluate_across(record, part, distance), reading, part.item


def evaluate_across(record: Coefficient, across: Across, distance: Distance) -> Evaluation:
    """The coefficient of pairs of coders from two groups."""
    statistics = AcrossStatistics(across, distance, record.unit, record.needs_coders)
    return evaluate_sums(across_kernel(record, statistics), statistics)


def _block_within(camps: Camps, record: Coefficient, options: Options) -> Block:
    _, reading, _ = _evaluated_within(camps, record, options)
    return measure_one(record, reading, options)


def _block_across(camps: Camps, record: Coefficient, options: Options) -> Block:
    evaluation, reading, _ = _evaluated_across(camps, record, options)
    return describe(record, evaluation, reading, options)


def within(camps: Camps, record: Coefficient, options: Options, by_category: bool) -> pd.DataFrame:
    """One row per group of coders (after the group keys)."""
    return _result(camps, record, options, by_category, _block_within, {"coder_group": np.arange(len(camps.names))})


def across(camps: Camps, record: Coefficient, options: Options, by_category: bool) -> pd.DataFrame:
    """One row per pair of groups of coders (after the group keys)."""
    first, second = camps.pairs
    levels = {"coder_group_1": first, "coder_group_2": second}
    return _result(camps, record, options, by_category, _block_across, levels)


def _result(
    camps: Camps,
    record: Coefficient,
    options: Options,
    by_category: bool,
    block: Callable[[Camps, Coefficient, Options], Block],
    levels: dict[str, Array],
) -> pd.DataFrame:
    """The rows of all groups of items, groups of coders and categories."""
    _check(record, options, by_category)
    labels, parts = _parts(camps, by_category)
    blocks = [block(part, record, options) for part in parts or [camps]]
    G, K = camps.reading.ratings.n_groups, len(blocks)
    each = len(next(iter(levels.values())))
    names: dict[str, Any] = {
        name: [camps.names[place] for place in np.tile(places, G).repeat(K)] for name, places in levels.items()
    }
    if labels is not None:
        names["category"] = labels.take(np.tile(np.arange(K), G * each)) if parts else [None] * (G * each)
    groups = None if camps.reading.groups is None else camps.reading.groups.repeat(each * K)
    frame = assemble(frames.row_index(groups, names, [record.name]), blocks)
    if not parts:  # there is no category
        return frame.iloc[:0]
    if labels is not None:
        frame["n_categories"] = np.full(len(frame), len(labels), np.int64)
    return frame


def _parts(camps: Camps, by_category: bool) -> tuple[pd.Index | None, list[Camps]]:
    """The data as they are, or each category against all others."""
    if not by_category:
        return None, [camps]
    labels = camps.reading.category_set.labels
    return labels, [camps.binary(category) for category in range(len(labels))]


def _check(record: Coefficient, options: Options, by_category: bool) -> None:
    require(record, "coder_groups", "is not computed from the pairs of labels of items")
    choose("method", options.method, dict.fromkeys(("auto", "score", "analytic", "log")))
    if by_category and (record.needs_weights or not options.nominal):
        problem = "by_category=True compares a category with all others, so labels are the same or not"
        raise InputError(problem, "leave out weights= and level=, or by_category=", option="by_category")


# -------------------------------------------------------------------------------------------------------- comparison


def compare(camps: Camps, record: Coefficient, options: Options, by_category: bool, alternative: str) -> pd.DataFrame:
    """Within minus across, and group minus group: one row per difference (after the group keys)."""
    _check(record, options, by_category)
    tail = choose("alternative", alternative, TAILS)
    labels, parts = _parts(camps, by_category)
    found = [contrasted(part, record, options, tail) for part in parts or [camps]]
    G, names = camps.reading.ratings.n_groups, _contrast_names(camps)
    columns = {name: np.concatenate([each[name] for each in found], 1) for name in found[0]}  # (G, K * rows)
    if labels is None:
        warn_of_undefined(columns["difference"])
    columns["p_holm"] = holm(columns["p_value"])
    categories: dict[str, Any] | None = None
    if labels is not None:
        places = np.tile(np.repeat(np.arange(len(found)), len(names)), G)
        categories = {"category": labels.take(places) if parts else [None] * len(places)}
    frame = contrast_frame(columns, names, camps.reading.groups, between=categories)
    return frame if parts else frame.iloc[:0]  # there is no category


def _contrasted_places(n_camps: int) -> tuple[Array, Array]:
    """What is compared, as places among the groups followed by their pairs: first, second."""
    one, two = pair_numbers(n_camps)
    pair = n_camps + np.arange(len(one))
    first = np.stack([one, two, one], 1).ravel()
    return first, np.stack([pair, pair, two], 1).ravel()


def _contrast_names(camps: Camps) -> list[tuple[str, str]]:
    one, two = camps.pairs
    names = [f"within {name}" for name in camps.names]
    names += [f"across {camps.names[a]} and {camps.names[b]}" for a, b in zip(one, two, strict=True)]
    first, second = _contrasted_places(len(camps.names))
    return [(names[a], names[b]) for a, b in zip(first, second, strict=True)]


def contrasted(camps: Camps, record: Coefficient, options: Options, tail: Any) -> dict[str, Array]:
    """The columns of the differences: (G, rows)."""
    G, Q = camps.reading.ratings.n_groups, len(camps.names)
    n_pairs = len(camps.pairs[0])
    evaluated = _evaluated_within(camps, record, options), _evaluated_across(camps, record, options)
    estimates, influences = [], []
    for (evaluation, reading, item), each, start in zip(evaluated, (Q, n_pairs), (0, Q), strict=True):
        uncertainty = analytic(evaluation, reading.clusters)
        estimates.append(Estimates.of(record, evaluation, uncertainty))
        group, place = np.divmod(reading.ratings.item_group, max(each, 1))
        influences.append((group, start + place, item, np.nan_to_num(evaluation.influence())))
    everything = joined(estimates)
    if options.method == "analytic":
        everything = Estimates(everything.value, everything.n, everything.se, everything.df)
    first, second = _contrasted_places(Q)
    r, units = _correlations(camps, influences, first, second)
    rows = np.arange(G)[:, None]

    def places(which: Array) -> Array:
        return np.where(which < Q, rows * Q + which, G * Q + rows * n_pairs + which - Q)

    columns = differences(everything, places(first), places(second), r, tail, options.ci)
    return columns | {"n_items": units}


def _correlations(
    camps: Camps, influences: Sequence[tuple[Array, ...]], first: Array, second: Array
) -> tuple[Array, Array]:
    """Correlations of the estimates that are compared, and the number of items behind each: (G, rows) each."""
    n_parts = len(camps.names) + len(camps.pairs[0])
    group, place, item, value = (np.concatenate(part) for part in zip(*influences, strict=True))
    G, weight = camps.reading.ratings.n_groups, camps.ratings.weights
    column, unit = group * n_parts + place, camps.clusters(item)
    if unit is None:  # copies of an item are independent, those in a cluster add up
        unit, value = item, value * np.sqrt(weight)[item]
    else:
        value = value * weight[item]
    base = np.arange(G)[:, None] * n_parts
    used = Influences.of(column, item, np.ones(len(item)), G * n_parts).table
    either = ((used[(base + first).ravel()] + used[(base + second).ravel()]) > 0) @ weight[: used.shape[1]]
    r = Influences.of(column, unit, value, G * n_parts).correlations(base + first, base + second)
    return r, np.rint(either).astype(np.int64).reshape(G, len(first))
