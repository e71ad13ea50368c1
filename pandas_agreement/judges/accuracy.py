"""`accuracy` and `error_rates`: judges and humans against a reference."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.quantiles import level_of
from pandas_agreement.core.remarks import Remarks
from pandas_agreement.core.sums import divide
from pandas_agreement.errors import check_memory, shown
from pandas_agreement.inference.means import wilson
from pandas_agreement.judges.panel import Judged, human_levels, judged_index, note_sets
from pandas_agreement.judges.reference import MAJORITY, Items, standard_of
from pandas_agreement.judges.tables import (
    MEASURES,
    Compared,
    effective_number,
    judged_by_others,
    voted_by_all,
    voted_by_others,
)
from pandas_agreement.judges.uncertainty import Sample, by_influence, by_items
from pandas_agreement.judges.votes import HumanLabels
from pandas_agreement.results import frames, schemas

CONSENSUS = "consensus"  # the majority label of the humans, none where several lead
TIES = "left out", "tied vote left out", "tied votes left out"
MAX_TABLE = 1 << 26  # entries of the tables of all coders and groups
BYTES_PER_ENTRY = 45  # of such tables that are in memory at the same time


# ----------------------------------------------------------------------------------------------------------- accuracy


def accuracy(judged: Judged, reference: Hashable, ci: float | None) -> pd.DataFrame:
    """One row per group, coder and coefficient."""
    names, roles, parts = _compared(judged, reference)
    K = judged.reading.ratings.n_categories
    _check_tables("accuracy", judged.n_groups * len(names), K)
    found = [_measured(part, K, ci) for part in parts]  # each (measure, column) -> (groups * coders of the part)
    G, C, M = judged.n_groups, len(names), len(MEASURES)
    columns: dict[str, Any] = {}
    for column in ("estimate", "ci_low", "ci_high", "se", "n_items"):
        values = [np.stack([one[name][column] for name in MEASURES], -1) for one in found]
        by_group = [part.reshape(G, len(part) // max(G, 1), M) for part in values]
        columns[column] = np.concatenate(by_group, 1).ravel()
    columns["role"] = np.tile(np.repeat(np.array(roles, dtype=object), M), G)
    columns["ci_level"] = np.full(G * C * M, level_of(ci))
    columns |= _accuracy_remarks(columns, names, roles, judged, _ties(judged, reference))
    groups = None if judged.reading.groups is None else judged.reading.groups.repeat(C)
    index = judged_index(schemas.ACCURACY, groups, {"coder": list(names) * G}, *MEASURES)
    return frames.result(index, columns, schemas.ACCURACY)


def _compared(judged: Judged, reference: Hashable) -> tuple[list[Hashable], list[str], list[Compared]]:
    """Judges and humans with their names and roles, compared with the reference."""
    J, clusters = len(judged.judges), judged.reading.clusters
    names = [*judged.judges, *judged.humans]
    roles = ["judge"] * J + ["human"] * len(judged.humans)
    if reference == MAJORITY:
        items = judged.items(2)
        humans = judged.of_humans
        kept = humans.sizes >= 2
        nobody = np.zeros(int(kept.sum()), np.int64)
        voters = HumanLabels(humans.select(kept).as_long().by_item, nobody, len(judged.humans))
        of_humans = voted_by_others(voters, None if clusters is None else clusters[kept])
        return names, roles, [judged_by_others(HumanLabels.of(items), items.clusters), of_humans]
    of_all = reference == CONSENSUS  # contains every human, and nobody is a standard for themselves
    coders = [number for number, name in enumerate(names) if name != reference and not (of_all and number >= J)]
    crisp = _crisp(judged, list(product(coders, _known(judged, reference))))
    return [names[each] for each in coders], [roles[each] for each in coders], [crisp]


def _known(judged: Judged, reference: Hashable | None) -> list[Array]:
    """The labels of the reference, or without one those of each human, -1 where there is none: (I,) each."""
    if reference == CONSENSUS:
        return [standard_of(judged, MAJORITY)[0]]
    ratings, J = judged.reading.ratings, len(judged.judges)
    if reference is None:
        return [ratings.codes_of(J + human) for human in range(len(judged.humans))]
    return [ratings.codes_of(list(judged.reading.coders).index(reference))]


def _crisp(judged: Judged, pairs: Sequence[tuple[int, Array]]) -> Compared:
    """The items that coders labelled and whose label is known, pair by pair of these; a row is a group and a pair."""
    items = Items.paired(judged, pairs)
    own, clusters = items.labelled, items.cluster
    sample = Sample(items.row[own], items.weight[own], items.n_rows)
    places = np.arange(len(sample.weights))
    return Compared(sample, None if clusters is None else clusters[own], places, items.standard[own], items.judge[own])


def _measured(part: Compared, K: int, ci: float | None) -> dict[str, dict[str, Array]]:
    """Every measure of every row of a part."""
    T = part.table(K)
    n = np.round(T.sum((-1, -2)), 9)
    out = {}
    for name, measure in MEASURES.items():
        found = measure(T)
        difference = by_influence(found.value, *part.at(found.influence))
        se = np.where(np.isnan(found.value), np.nan, difference.se)
        if name == "accuracy":
            number = effective_number(found.value, se * np.sqrt(divide(n - 1, n)), n)
            low, high = wilson(found.value, number, level_of(ci))
        else:
            low, high = difference.limits(level_of(ci))
            floor = -1.0 if name == "kappa" else 0.0
            low, high = np.clip(low, floor, 1), np.clip(high, floor, 1)
        low, high = (np.where(np.isnan(se), np.nan, end) for end in (low, high))
        out[name] = {"estimate": found.value, "ci_low": low, "ci_high": high, "se": se, "n_items": n}
    return out


def _ties(judged: Judged, reference: Hashable) -> Array:
    """Items of each group and judge that a consensus leaves out because several labels lead: (G, J)."""
    G, J = judged.n_groups, len(judged.judges)
    if reference != CONSENSUS:
        return np.zeros((G, J), np.int64)
    return Items.of(judged, MAJORITY).tied.reshape(G, J)


def _accuracy_remarks(
    columns: dict[str, Any], names: Sequence[Hashable], roles: Sequence[str], judged: Judged, ties: Array
) -> dict[str, Any]:
    """Empty rows, tied votes, sets, and the best human beside the judges."""
    G, M = judged.n_groups, len(MEASURES)
    remarks = Remarks(G * len(names) * M)
    remarks.undefined(columns["n_items"] == 0, "no items", "no item with a label and a reference")
    undefined = np.isnan(columns["estimate"]) & (columns["n_items"] > 0)
    remarks.undefined(undefined, "one category", "only one category used")
    value = columns["estimate"].reshape(G, len(names), M)[..., 0]
    human = np.array([role == "human" for role in roles])
    scores = np.where(human & ~np.isnan(value), value, -1.0)
    best, beaten = scores.argmax(-1), scores.max(-1, initial=-1.0)
    texts = [
        f"best human: {shown(names[int(one)])}, accuracy {top:.3f}" if top >= 0 else ""
        for one, top in zip(best, beaten, strict=True)
    ]
    if ties.any():
        remarks.count(np.repeat(ties, M), *TIES)
    remarks.add(np.tile(np.repeat(~human, M), G), "best human", np.repeat(np.array(texts, object), len(names) * M))
    note_sets(judged.reading, remarks)
    remarks.warn()
    return remarks.columns()


def _check_tables(method: str, n_tables: int, n_categories: int) -> None:
    """Refuse tables that would not fit in memory."""
    tables = "a table" if n_tables == 1 else f"{n_tables:,} tables"
    what = f"{method} is for categories, and {tables} of {n_categories:,} different labels"
    remedy = "merge labels, name fewer coders or groups, or use bland_altman or icc for scores"
    check_memory(what, n_tables * n_categories**2 * BYTES_PER_ENTRY, remedy, MAX_TABLE * BYTES_PER_ENTRY)


# -------------------------------------------------------------------------------------------------------- error rates


def error_rates(judged: Judged, reference: Hashable | None, ci: float | None) -> pd.DataFrame:
    """One row per group, judge and category; without a reference one for each human as the reference."""
    K, J = judged.reading.ratings.n_categories, len(judged.judges)
    references = list(judged.humans) if reference is None else [reference]
    _check_tables("error_rates", judged.n_groups * J * len(references), K)
    part: Compared = (
        _against_all(judged)
        if reference == MAJORITY
        else _crisp(judged, list(product(range(J), _known(judged, reference))))
    )
    T = part.table(K)  # (R, K, K)
    columns = _rates(T, part, ci)
    columns |= {"n_human": T.sum(-1), "n_judge": T.sum(-2)}
    columns["n_items"] = np.repeat(np.round(T.sum((-1, -2))), K).reshape(len(T), K)
    flat: dict[str, Any] = {name: values.ravel() for name, values in columns.items()}
    flat["ci_level"] = np.full(flat["n_items"].shape, level_of(ci))
    flat |= _rate_remarks(flat, judged, np.repeat(_ties(judged, reference), len(references) * K))
    labels: Any = judged.reading.category_set.labels.tolist()
    cells = list(product(references, [*labels, *(["(outside)"] if judged.wrong else [])]))
    groups, levels = human_levels(judged, cells, np.ones(len(flat["n_items"]), bool), "coder")
    found = levels["coder"]
    flat["reference"] = np.array([str(who) for who, _ in found], dtype=object)
    levels |= {"coder": [who for who, _ in found], "category": [label for _, label in found]}
    if reference is not None:
        del levels["coder"]
    return frames.result(judged_index(schemas.ERROR_RATES, groups, levels), flat, schemas.ERROR_RATES)


def _rate_remarks(columns: dict[str, Any], judged: Judged, ties: Array) -> dict[str, Any]:
    """Rows without items, tied votes, labels that the reference or the judge never gives, and sets."""
    remarks, some = Remarks(len(ties)), columns["n_items"] > 0
    remarks.undefined(~some, "no items", "no item with a label of the judge and a reference")
    remarks.count(ties, *TIES)
    remarks.add(some & (columns["n_human"] == 0), "not used", "the reference never has this category")
    remarks.add(some & (columns["n_judge"] == 0), "not used", "the judge never gives this label")
    note_sets(judged.reading, remarks)
    remarks.warn("rate")
    return remarks.columns()


def _against_all(judged: Judged) -> Compared:
    """Judges against the vote of all humans."""
    items = judged.items(1)
    sample = Sample(items.ratings.item_group, items.ratings.weights, items.ratings.n_groups)
    return voted_by_all(items.humans, items.judge, sample, items.clusters)


#: of an item on a share: the share of its reference that chose the category, the coder, the share of all items
INFLUENCE: dict[str, Callable[[Array, Array, Array], Array]] = {
    "sensitivity": lambda reference, coder, p: reference * (coder - p),
    "specificity": lambda reference, coder, p: (1 - reference) * (1 - coder - p),
    "precision": lambda reference, coder, p: coder * (reference - p),
    "npv": lambda reference, coder, p: (1 - coder) * (1 - reference - p),
}


def _rates(T: Array, part: Compared, ci: float | None) -> dict[str, Array]:
    """Shares of one part of a table in another, with Wilson's intervals, and what the coder favours: (R, K) each."""
    n = T.sum((-1, -2))[:, None]
    hit, rows, columns = np.diagonal(T, axis1=-2, axis2=-1), T.sum(-1), T.sum(-2)
    neither = n - rows - columns + hit
    counts = {
        "sensitivity": (hit, rows),
        "specificity": (neither, n - rows),
        "precision": (hit, columns),
        "npv": (neither, n - columns),
    }
    out = {"favours": divide(columns - rows, n)} | {name: divide(*parts) for name, parts in counts.items()}
    limits = {name: np.full((2, *rows.shape), np.nan) for name in out}
    of_row = n[:, 0]
    for k in range(T.shape[-1]):
        reference, coder = part.of_category(k)
        found = by_items(coder - reference, part.items, part.clusters)
        limits["favours"][..., k] = found.limits(level_of(ci))
        for name, (_, bottom) in counts.items():
            share, size = out[name][:, k], bottom[:, k]
            p, slope = np.nan_to_num(share), np.nan_to_num(divide(of_row, size))
            row = part.items.item_group
            influence = slope[row] * INFLUENCE[name](reference, coder, p[row])
            error = by_influence(p, influence, part.items, part.clusters).se * np.sqrt(divide(of_row - 1, of_row))
            limits[name][..., k] = wilson(share, effective_number(p, error, size), level_of(ci))
    return out | {f"{name}_{end}": limits[name][i] for name in out for i, end in enumerate(("low", "high"))}
