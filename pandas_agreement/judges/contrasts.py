"""`versus_humans` in detail: one row per human, and differences between judges and between groups."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.remarks import Remarks
from pandas_agreement.core.sums import divide
from pandas_agreement.errors import InputError
from pandas_agreement.hypothesis_tests.margins import holm
from pandas_agreement.judges.agreement import Agreement
from pandas_agreement.judges.panel import human_levels, judged_index
from pandas_agreement.judges.uncertainty import Difference, Sample, by_influence, by_items
from pandas_agreement.judges.versus import Comparison, default_margin, tested
from pandas_agreement.judges.votes import HumanLabels
from pandas_agreement.options import Options
from pandas_agreement.results import frames, schemas

FEW = 10  # items of a row


def by_human(comparison: Comparison, options: Options, margin: float | None) -> pd.DataFrame:
    """The judge with each human, and this human with the others: one row per group, judge and human."""
    margin = default_margin(comparison.record) if margin is None else margin
    parts = _items_by_human(comparison) if comparison.over_items else _pairs_by_human(comparison)
    agreement, difference, n = parts
    columns = tested(agreement, difference, margin, False, options.ci)
    present = n > 0
    columns = {name: values if isinstance(values, str) else values[present] for name, values in columns.items()}
    columns |= {"n_items": n[present], "weights": comparison.distance.name}
    columns["p_holm"] = holm(columns["p_noninferior"])
    remarks = Remarks(int(present.sum()))
    undefined = np.isnan(columns["difference"])
    reason = "undefined: this human or the judge is constant, or no other human labelled these items"
    remarks.undefined(undefined, "undefined", reason)
    remarks.add(~undefined & (columns["n_items"] < FEW), "few items", f"fewer than {FEW} items")
    columns |= remarks.columns()
    remarks.warn("difference")
    groups, levels = human_levels(comparison.judged, list(comparison.judged.humans), present)
    schema = schemas.VERSUS_HUMAN
    return frames.result(judged_index(schema, groups, levels, comparison.record.name), columns, schema)


def _items_by_human(comparison: Comparison) -> tuple[Agreement, Difference, Array]:
    """Percent agreement: the judge's with the human's label, and the mean of the human's with the others'."""
    items, distance = comparison.items, comparison.distance
    labels = HumanLabels.of(items)
    ours = 1 - distance.between(labels.judged, labels.code)
    theirs = 1 - divide(labels.away(labels.code, distance), labels.size - 1)
    sample = labels.sample
    clusters = None if items.clusters is None else items.clusters[labels.item]
    n = sample.number()
    agreement = Agreement(divide(sample.sum(ours), n), divide(sample.sum(theirs), n), lambda: ours - theirs)
    return agreement, by_items(ours - theirs, sample, clusters), n


def _pairs_by_human(comparison: Comparison) -> tuple[Agreement, Difference, Array]:
    """A coefficient of pairs: the judge's with the human, and the mean of the human's with the others."""
    ratings, pairs, clusters = comparison.items.ratings, comparison.pairs, comparison.items.clusters
    every = ratings.number()
    found: list[tuple[Array, ...]] = []
    for human in range(1, len(comparison.judged.humans) + 1):
        agreement, used = pairs.of_human(human), ratings.codes_of(human) >= 0
        part = Sample(ratings.item_group[used], ratings.weights[used], ratings.n_groups)
        n = part.number()
        influence = agreement.influence()[used] * divide(n, every)[part.item_group]  # for the human's items alone
        of_human = by_influence(agreement.difference, influence, part, None if clusters is None else clusters[used])
        found.append((agreement.estimate, agreement.ceiling, of_human.centre, of_human.se, of_human.df, n))
    estimate, ceiling, centre, se, df, n = (np.stack(part, -1).ravel() for part in zip(*found, strict=True))
    return Agreement(estimate, ceiling, lambda: np.zeros(0)), Difference(centre, se, df), n


def between_judges(comparison: Comparison, ci: float | None) -> pd.DataFrame:
    """Differences between judges on the items that all of them labelled: one row per group and pair of judges."""
    judged, J = comparison.judged, len(comparison.judged.judges)
    if J < 2:
        raise InputError(
            "contrast=True compares judges, and there is one", "name two or more judges", option="contrast"
        )
    agreement, ratings = comparison.agreement, comparison.items.ratings
    first, second = np.triu_indices(J, 1)
    G, P = judged.n_groups, len(first)
    by_judge = agreement.influence().reshape(J, -1)  # all judges have the same items, in the same order
    group = ratings.item_group.reshape(J, -1)[0] // J
    clusters = comparison.items.clusters
    apart = (by_judge[first] - by_judge[second]).ravel()
    sample = Sample((group * P + np.arange(P)[:, None]).ravel(), np.ones(len(apart)), G * P)
    together = None if clusters is None else np.tile(clusters.reshape(J, -1)[0], P)
    estimate = agreement.estimate.reshape(G, J)
    one, two = estimate[:, first].ravel(), estimate[:, second].ravel()
    if comparison.over_items:
        difference = by_items(apart, sample, together)
    else:
        difference = by_influence(one - two, apart, sample, together)
    names = [judged.judges[each] for each in np.tile(first, G)], [judged.judges[each] for each in np.tile(second, G)]
    groups = None if judged.reading.groups is None else judged.reading.groups.repeat(P)
    levels = {"judge_1": names[0], "judge_2": names[1]}
    return _frame(comparison, (one, two), difference, sample.number(), ci, groups, levels)


def between_groups(comparison: Comparison, options: Options) -> pd.DataFrame:
    """Differences between groups of how far a judge is from the humans: one row per judge and pair of groups."""
    judged, J = comparison.judged, len(comparison.judged.judges)
    if judged.reading.groups is None or judged.n_groups < 2:
        raise InputError("contrast='by' compares groups", "name the column of two or more with by=", option="contrast")
    agreement = comparison.agreement
    found, n = comparison.difference(agreement, options), comparison.items.ratings.number()
    first, second = np.triu_indices(judged.n_groups, 1)
    judge = np.arange(J)[:, None]
    a, b = (first * J + judge).ravel(), (second * J + judge).ravel()
    variances = found.se[a] ** 2, found.se[b] ** 2
    total = variances[0] + variances[1]
    df = divide(total**2, divide(variances[0] ** 2, found.df[a]) + divide(variances[1] ** 2, found.df[b]))
    difference = Difference(found.centre[a] - found.centre[b], np.sqrt(total), df)
    value, names = agreement.difference, judged.reading.groups.tolist()
    shown = [str(name) if not isinstance(name, tuple) else ", ".join(map(str, name)) for name in names]
    levels = {
        "judge": [judged.judges[each] for each in range(J) for _ in first],
        "first": [shown[each] for each in np.tile(first, J)],
        "second": [shown[each] for each in np.tile(second, J)],
    }
    return _frame(comparison, (value[a], value[b]), difference, n[a] + n[b], options.ci, None, levels)


def _frame(
    comparison: Comparison,
    values: tuple[Array, Array],
    difference: Difference,
    n_items: Array,
    ci: float | None,
    groups: Any,
    levels: dict[str, list[Any]],
) -> pd.DataFrame:
    """The columns of `compare`."""
    apart = values[0] - values[1]
    columns: dict[str, Any] = difference.columns(apart, ci)
    columns |= {"estimate_1": values[0], "estimate_2": values[1], "n_items": n_items}
    columns["p_holm"] = holm(columns["p_value"])
    remarks = Remarks(len(apart))
    remarks.undefined(np.isnan(apart), "undefined", f"{comparison.record.name} is undefined")
    columns |= remarks.columns()
    remarks.warn("difference")
    index = judged_index(schemas.CONTRASTS, groups, levels, comparison.record.name)
    return frames.result(index, columns, schemas.CONTRASTS)
