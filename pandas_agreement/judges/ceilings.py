"""`ceilings`: judge and human against the same reference, the vote of the other humans."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.remarks import Remarks
from pandas_agreement.core.sums import divide
from pandas_agreement.hypothesis_tests.margins import holm_within
from pandas_agreement.judges.labels import HumanLabels
from pandas_agreement.judges.panel import Judged
from pandas_agreement.judges.rows import human_levels, judged_index, note_items
from pandas_agreement.judges.uncertainty import Difference, Sampled, by_items
from pandas_agreement.options import Options
from pandas_agreement.results import frames, schemas

MEAN = "(mean)"


def ceilings(judged: Judged, options: Options) -> pd.DataFrame:
    """One row per group, judge and human, and one for the mean over the humans."""
    items = judged.items(2)
    labels = HumanLabels.of(items)
    ours, theirs = labels.vote(labels.judged), labels.vote(labels.code)  # (N,)
    rows, H = items.ratings.n_groups, labels.n_humans
    clusters = None if items.clusters is None else items.clusters[labels.item]
    each = _columns(ours, theirs, labels.sample, clusters, labels.sample.sum(labels.tied), options.ci)
    tied = labels.mean_over_humans(labels.tied) > 0
    means = [labels.mean_over_humans(values) for values in (ours, theirs)]
    mean = _columns(
        means[0], means[1], items.ratings, items.clusters, items.ratings.sum(tied.astype(float)), options.ci
    )
    present = np.column_stack([labels.sample.number().reshape(rows, H) > 0, np.ones(rows, bool)]).ravel()
    columns: dict[str, Any] = {
        name: np.column_stack([each[name].reshape(rows, H), mean[name]]).ravel()[present] for name in each
    }
    is_mean = (np.arange(len(present)) % (H + 1) == H)[present]
    columns["p_holm"] = holm_within(columns["p_value"], is_mean.astype(np.int64))
    remarks = Remarks(rows)
    note_items(judged, items, remarks)
    empty = items.ratings.number() == 0
    remarks.undefined(empty, "no items", "no item with a label of the judge and two or more human labels")
    remarks.warn("ceiling")
    columns |= remarks.columns(np.arange(rows).repeat(H + 1)[present])
    groups, levels = human_levels(judged, [*judged.humans, MEAN], present)
    return frames.result(judged_index(schemas.CEILINGS, groups, levels), columns, schemas.CEILINGS)


def _columns(
    ours: Array, theirs: Array, sample: Sampled, clusters: Array | None, n_ties: Array, ci: float | None
) -> dict[str, Array]:
    """Values and tests of each group of a sample."""
    n = sample.number()
    found: Difference = by_items(ours - theirs, sample, clusters)
    estimate, ceiling = divide(sample.sum(ours), n), divide(sample.sum(theirs), n)
    counts = {"n_items": n, "n_ties": n_ties}
    return found.columns(estimate - ceiling, ci) | {"estimate": estimate, "ceiling": ceiling} | counts
