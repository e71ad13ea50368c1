"""What the humans would have said about everything: shares of categories from a judge's labels and some human ones.

Arrays have one row per group and judge, R in all; S are the judge's labels (strata), K the categories. Each design has
its estimator: post-stratification for human labels of a random subset, Rogan and Gladen's for a calibration set from
elsewhere, weighting for known probabilities. Scores are in `corrected_scores`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.remarks import Remarks
from pandas_agreement.core.sums import divide
from pandas_agreement.errors import InputError, check_memory, choose, shown
from pandas_agreement.inference.means import (
    critical,
    effects_of_clusters,
    post_stratified,
    post_stratified_limits,
    stratum_weights,
)
from pandas_agreement.judges.panel import Judged, judged_index, note_invalid, note_sets
from pandas_agreement.judges.reference import MAJORITY, Items, check_reference
from pandas_agreement.options import Options
from pandas_agreement.results import frames, schemas
from pandas_agreement.results.schemas import Schema

RANDOM, SEPARATE, PROBABILITY = "random", "separate", "probability"
DESIGNS = {
    RANDOM: "the human labels are those of a random subset of the judged items",
    SEPARATE: "they are of another set, with the same error rates, and the other judged items are meant",
}
MAX_UNLABELLED = 0.1  # share of judged items whose label of the judge has no human label beside it
MIN_HUMAN = 30  # human labels; fewer have a note
MAX_TABLE = 1 << 26  # entries of a table of both labels, or of items and labels
BYTES_PER_ENTRY = 45  # of such tables that are in memory at the same time
NO_HUMAN = "no human", "no human label among the judged items"
NO_LABEL = "no labels", "no label of the judge"
OUTSIDE = "outside 0-1", "the estimate is outside 0 to 1 and was set to the nearer end"


Columns = dict[str, Array]  # (R, K), or what has that shape when repeated


def corrected_rate(
    judged: Judged, design: Any, reference: Any, probability: Array | None, options: Options
) -> pd.DataFrame:
    """One row per group, judge and category."""
    items = Items.of(judged, check_reference(reference, judged.humans, MAJORITY), None, probability)
    design = check_design(design, items, probability is not None)
    labels = judged.reading.category_set.labels
    remarks = Remarks((items.n_rows, len(labels)))
    columns, method = ESTIMATORS[design](items, judged, options.ci or 0.95, remarks)
    human = items.table(items.labelled, (items.standard, len(labels)))  # (R, K)
    n_human = human.sum(-1, keepdims=True)
    unknown = dict.fromkeys(("reliability", "worth"), np.array(np.nan))
    columns = unknown | columns | {"human_share": divide(human, n_human), "n_human": n_human}
    note_items(judged, items, n_human, remarks)
    category = {"category": labels.tolist() * items.n_rows}
    return result_of(judged, columns, category, schemas.CORRECTED, design, method, remarks, options)


def result_of(
    judged: Judged,
    columns: Columns,
    category: dict[str, list[Any]],
    schema: Schema,
    design: str,
    method: str,
    remarks: Remarks,
    options: Options,
) -> pd.DataFrame:
    """The rows of groups, judges and categories."""
    shape = remarks.none.shape
    columns["ci_level"] = np.where(np.isnan(columns["ci_low"]), np.nan, options.ci or 0.95)
    if options.ci is None:
        columns |= dict.fromkeys(("ci_low", "ci_high", "se", "ci_level"), np.array(np.nan))
    groups, judges = judged.levels()
    keys = None if groups is None else groups.repeat(shape[1])
    index = judged_index(schema, keys, {"judge": [judge for judge in judges for _ in range(shape[1])], **category})
    flat: dict[str, Any] = {name: np.broadcast_to(values, shape).ravel() for name, values in columns.items()}
    flat |= {name: values.ravel() for name, values in remarks.columns().items()}
    flat |= {"design": design, "ci_method": method if options.ci else ""}
    remarks.warn()
    return frames.result(index, flat, schema)


def where_known(known: Array, columns: Columns) -> Columns:
    """NaN where there is no estimate: `known` is (R, 1) or (R, K)."""
    return {name: np.where(known, values, np.nan) for name, values in columns.items()}


def check_design(design: Any, items: Items, weighted: bool) -> str:
    """The design that was asked for; it may be left out only if every judged item has a human label."""
    if weighted and design is not None:
        problem = f"design={shown(design)} and probability= are two designs"
        raise InputError(problem, "leave out one of them", option="design", code="idle option")
    if weighted:
        return PROBABILITY
    if design is None and not items.labelled.all():
        problem = "design= is missing: some judged items have no human label, and how the others were chosen matters"
        words = "; ".join(f"{word!r} if {meaning}" for word, meaning in DESIGNS.items())
        remedy = f"say {words}; or probability= with the column of their known probabilities"
        raise InputError(problem, remedy, option="design", code="missing option")
    if design is not None:
        choose("design", design, DESIGNS)
    if design == SEPARATE and items.labelled.all():
        problem = "design='separate' is about judged items without a human label, and there are none"
        raise InputError(problem, "use design='random'", option="design", code="no items")
    return design or RANDOM


def _check_table(n_entries: int, n_categories: int) -> None:
    """Refuse a table that would not fit in memory."""
    tables = f"corrected_rate is for categories, and tables of {n_categories:,} different labels"
    remedy = "merge labels, or use corrected_mean for scores"
    check_memory(tables, n_entries * BYTES_PER_ENTRY, remedy, MAX_TABLE * BYTES_PER_ENTRY)


def note_items(judged: Judged, items: Items, n_human: Array, remarks: Remarks) -> None:
    """Few human labels, ties, labels outside the categories, and items without a label of the judge."""
    remarks.add((n_human > 0) & (n_human < MIN_HUMAN), "few labels", f"fewer than {MIN_HUMAN} human labels")
    numbers = {
        "item whose humans are tied has no majority": (items.tied, "items whose humans are tied have no majority"),
        "item without a label of the judge left out": (items.unjudged, "items without a label of the judge left out"),
    }
    for one, (number, several) in numbers.items():
        remarks.count(number[:, None], "left out", one, several)
    note_invalid(judged, remarks, "counted as a label of their own")
    note_sets(judged.reading, remarks)


# ----------------------------------------------------------------------------------------------------- random subset


def _random(items: Items, judged: Judged, level: float, remarks: Remarks) -> tuple[Columns, str]:
    S, K = judged.reading.ratings.n_categories, len(judged.reading.category_set.labels)
    _check_table(items.n_rows * S * K, K)
    N = items.table(items.judge >= 0, (items.judge, S))  # (R, S)
    x = items.table(items.labelled, (items.standard, K), (items.judge, S))  # (R, K, S)
    total, m = N.sum(-1), x.sum(1)
    strata = N[:, None], m[:, None], x, x
    share, variance, p = post_stratified(*strata)  # (R, K), (R, K), (R, K, S)
    weight = stratum_weights(N, m)

    def influence(k: int) -> Array:
        """The influence of each item on the share of a category: its squares add up to the variance."""
        row, cell = items.row, (items.row, items.judge)
        own, w = p[row, k, items.judge], weight[cell]
        gap = divide(w, m[cell]) * ((items.standard == k) - own)
        return np.where(items.labelled, gap, 0.0) + divide(w, N[cell]) * (own - share[row, k])

    effect, df = effects_of_clusters(items.row, items.cluster, variance, influence)
    low, high = post_stratified_limits(*strata, 1 / max(K, 1), critical(df, level) * np.sqrt(effect))
    known = (m.sum(-1) > 0) & (divide((N * (m == 0)).sum(-1), total) <= MAX_UNLABELLED)
    _note_unlabelled(judged, N, m, known, remarks)
    drawn = divide(x.sum(-1), m.sum(-1)[:, None])  # shares among the human labels
    explained = np.nan_to_num(m[:, None] * (p - drawn[..., None]) ** 2).sum(-1) / np.maximum(m.sum(-1), 1)[:, None]
    columns = {
        "estimate": share,
        "se": np.sqrt(variance * effect),
        "ci_low": low,
        "ci_high": high,
        "reliability": divide(explained, drawn * (1 - drawn)),
        "worth": divide(share * (1 - share), variance * effect),
    }
    counts = {"n_items": total[:, None], "judge_share": divide(N, total[:, None])[:, :K]}
    return where_known(known[:, None], columns) | counts, "pseudo-labels"


def _note_unlabelled(judged: Judged, N: Array, m: Array, known: Array, remarks: Remarks) -> None:
    """Name the labels of the judge that have no human label beside them."""
    empty = (N > 0).any(-1) & (m.sum(-1) == 0)
    remarks.undefined((N.sum(-1) == 0)[:, None], *NO_LABEL)
    remarks.undefined(empty[:, None], *NO_HUMAN)
    names = [*map(shown, judged.reading.category_set.labels.tolist()), "a label outside the categories"]
    for number, without, name in zip(N.T[..., None], ((m == 0) & ~empty[:, None]).T[..., None], names, strict=False):
        texts = [[f"no human label among the {int(n)} items judged {name}"] for n in number.ravel()]
        remarks.add((number > 0) & without, "left out", texts)
    uneven = ((m.sum(-1) > 0) & ~known)[:, None]
    remarks.undefined(uneven, "undefined", "human labels of a random subset would be more even")


# ------------------------------------------------------------------------------------------------------- another set


def _separate(items: Items, judged: Judged, level: float, remarks: Remarks) -> tuple[Columns, str]:
    """Rogan and Gladen's estimate for two categories, with Lang and Reiczigel's interval."""
    S, labels = judged.reading.ratings.n_categories, judged.reading.category_set.labels
    K = len(labels)
    if K != 2:
        problem = f"design='separate' is for two categories, and there are {K}"
        remedy = (
            "the errors between one category and all others depend on how frequent the others are: use labels with "
        )
        raise InputError(problem, remedy + "two categories, or design='random'", option="design", code="two categories")
    N = items.table(~items.labelled, (items.judge, S))[:, :K]  # (R, K)
    n = items.table(~items.labelled)
    x = items.table(items.labelled, (items.judge, S), (items.standard, K))[:, :K]  # (R, judge, human)
    p, m = (
        divide(N, n[:, None]),
        items.table(items.labelled, (items.standard, K)),
    )  # human labels k; [:, ::-1] the other
    hits = np.diagonal(x, axis1=1, axis2=2)
    q1 = divide(hits, m)
    q0 = 1 - divide(x.sum(2) - hits, m[:, ::-1])
    youden = q0 + q1 - 1
    share = divide(p + q0 - 1, youden)

    def influence(k: int) -> Array:
        row, said, theta = items.row, items.judge == k, share[items.row, k]
        truly = items.standard == k
        new = (said - p[row, k]) / n[row]
        sick = -theta * (said - q1[row, k]) / m[row, k]
        well = (1 - theta) * ((1 - q0[row, k]) - said) / m[row, 1 - k]
        return np.nan_to_num(np.where(items.labelled, np.where(truly, sick, well), new) / youden[row, k])

    variance = _delta(p, n[:, None], q0, m[:, ::-1], q1, m, share) / youden**2
    effect, df = effects_of_clusters(items.row, items.cluster, variance, influence)
    low, high = lang_reiczigel(p, n[:, None], q0, m[:, ::-1], q1, m, critical(df, level), effect)
    _note_separate(n, m, youden, share, remarks)
    known = (youden > 0) & (n > 0)[:, None]
    misfit = "no share fits: the judge's errors here cannot be those on the items with a human label"
    remarks.add(known & np.isnan(low), "undefined", misfit)
    estimate = np.clip(share, 0, 1)
    columns = {
        "estimate": estimate,
        "se": np.sqrt(variance * effect),
        "ci_low": np.minimum(low, estimate),
        "ci_high": np.maximum(high, estimate),
    }
    return where_known(known, columns) | {"n_items": n[:, None], "judge_share": p}, "lang-reiczigel"


def _delta(p: Array, n: Array, q0: Array, m0: Array, q1: Array, m1: Array, share: Array) -> Array:
    """Variance of the estimate times the square of q0 + q1 - 1."""
    return p * (1 - p) / n + (1 - share) ** 2 * q0 * (1 - q0) / m0 + share**2 * q1 * (1 - q1) / m1


def lang_reiczigel(
    p: Array, n: Array, q0: Array, m0: Array, q1: Array, m1: Array, z: Array, effect: Array
) -> tuple[Array, Array]:
    """Lang and Reiczigel's interval, NaN if it is wholly outside 0 to 1; `effect` widens it for clusters.

    References
    ----------
    Lang, Z. and Reiczigel, J. (2014). Confidence limits for prevalence of disease adjusted for estimated sensitivity
    and specificity. Preventive Veterinary Medicine 113, 13-22.
    """
    p, n = (n * p + z**2 / 2) / (n + z**2), n + z**2
    q0, m0, q1, m1 = (m0 * q0 + 1) / (m0 + 2), m0 + 2, (m1 * q1 + 1) / (m1 + 2), m1 + 2
    youden = np.where(q0 + q1 > 1, q0 + q1 - 1, np.nan)
    share = (p + q0 - 1) / youden
    shift = 2 * z**2 * (share * q1 * (1 - q1) / m1 - (1 - share) * q0 * (1 - q0) / m0)
    width = z * np.sqrt(effect * _delta(p, n, q0, m0, q1, m1, share)) / youden
    low, high = share + shift - width, share + shift + width
    possible = (high > 0) & (low < 1)
    return np.where(possible, np.clip(low, 0, 1), np.nan), np.where(possible, np.clip(high, 0, 1), np.nan)


def _note_separate(n: Array, m: Array, youden: Array, share: Array, remarks: Remarks) -> None:
    judged, calibrated = (n > 0)[:, None], m.sum(-1, keepdims=True) > 0
    remarks.undefined(~judged, "no human", "no judged item without a human label")
    remarks.undefined(judged & ~calibrated, *NO_HUMAN)
    lacking = judged & calibrated & (m == 0).any(-1, keepdims=True)
    remarks.undefined(lacking, "one category", "the human labels have one category only: no error rate of the other")
    random = judged & ~lacking & (youden <= 0)
    remarks.undefined(random, "judge random", "the judge is no better than chance on the items with a human label")
    clipped = (youden > 0) & judged & ((share < 0) | (share > 1))
    remarks.add(clipped, *OUTSIDE)


# ---------------------------------------------------------------------------------------------- known probabilities


def _weighted(items: Items, judged: Judged, level: float, remarks: Remarks) -> tuple[Columns, str]:
    K = len(judged.reading.category_set.labels)
    _check_table(len(items.row) * K, K)
    said, right = (each[:, None] == np.arange(K) for each in (items.judge, items.standard))
    estimate, se, df = design_based(items, 1.0 * said, 1.0 * right, remarks)
    width = critical(df, level) * se
    remarks.add((estimate < 0) | (estimate > 1), *OUTSIDE)
    share = np.clip(estimate, 0, 1)
    n = items.table(items.judge >= 0)[:, None]
    columns = {
        "estimate": share,
        "se": se,
        "ci_low": np.clip(estimate - width, 0, 1),
        "ci_high": np.clip(estimate + width, 0, 1),
        "worth": divide(share * (1 - share), se**2),
        "n_items": n,
        "judge_share": divide(items.table(items.judge < K, (items.judge, K + 1))[:, :K], n),
    }
    return columns, "design-based"


def design_based(items: Items, f: Array, y: Array, remarks: Remarks) -> tuple[Array, Array, Array]:
    """The mean of f + (y - f) / probability over all judged items, where y is known, and its standard error: (R, V).

    NaN without a human label; `f` are the judge's values and `y` the humans': (I, V).
    """
    n, human = items.table(items.judge >= 0), items.labelled
    known = (n > 0) & (items.table(human) > 0)
    remarks.undefined((n == 0)[:, None], *NO_LABEL)
    remarks.undefined((~known & (n > 0))[:, None], *NO_HUMAN)
    most = np.zeros(items.n_rows)
    np.maximum.at(most, items.row[human], items.weight[human])
    texts = np.array([f"the largest weight of a human label is {value:.3g}" for value in most], object)
    remarks.add(known[:, None], "few weigh", texts[:, None])
    estimate, se, df = items.means(f + np.where(human, items.weight, 0.0)[:, None] * (y - f))
    return np.where(known[:, None], estimate, np.nan), np.where(known[:, None], se, np.nan), df


ESTIMATORS: dict[str, Callable[[Items, Judged, float, Remarks], tuple[Columns, str]]] = {
    RANDOM: _random,
    SEPARATE: _separate,
    PROBABILITY: _weighted,
}
