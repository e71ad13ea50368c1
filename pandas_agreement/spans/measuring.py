"""Coefficients of spans, by group: their values, and their intervals from leaving out one document at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.coefficients.category import logit_interval
from pandas_agreement.coefficients.registry import find
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.category_counts import sum_rows
from pandas_agreement.core.item_statistics import ItemStatistics
from pandas_agreement.core.quantiles import perfect_bound, t_quantile
from pandas_agreement.core.remarks import Remarks, warn_undefined
from pandas_agreement.core.selection import clusters_of
from pandas_agreement.engine import measure_one
from pandas_agreement.errors import InputError, choose, counted, shown
from pandas_agreement.options import Options
from pandas_agreement.results import frames, schemas
from pandas_agreement.results.frames import NO_INTERVAL, Limits, interleave, result_columns
from pandas_agreement.spans import matching, unitizing
from pandas_agreement.spans.overlaps import find_overlaps
from pandas_agreement.spans.reading import SpanReading
from pandas_agreement.spans.segments import cut
from pandas_agreement.spans.span_set import SpanSet
from pandas_agreement.spans.unitizing import Measure, Values

FEW_DOCUMENTS = 10
ROUNDING = 1e-20  # variance that can be a rounding error
OVERLAP = "overlaps", "spans of one coder overlap"
NO_VARIATION = "no variation", "no variation: fewer than two categories"
NOTHING_MARKED = "no spans", "nobody marked anything"
#: what alpha is about: its name, and how it is made from the sums
OF = {
    "all": ("u_alpha", unitizing.alpha),
    "marking": ("u_alpha_marking", unitizing.alpha_marking),
    "labels": ("u_alpha_labels", unitizing.alpha_labels),
}
PER_LABEL = {"u_alpha": unitizing.alpha_of_each_label, "u_alpha_labels": unitizing.labels_of_each_label}


@dataclass(frozen=True, eq=False)
class SpanRows:
    """The rows of one coefficient: (G, J) each, and why some are undefined."""

    name: str
    columns: dict[str, Any]
    reasons: Counter[str]


class Measured:
    """The spans of a call in their groups, with what its coefficients share."""

    def __init__(self, read: SpanReading, options: Options, spans: SpanSet | None = None) -> None:
        self.read, self.options, self.spans = read, options, (read.spans if spans is None else spans).pairable()
        self.overlaps, self.own_overlaps = find_overlaps(self.spans)  # of two coders, and of one
        self.counted = np.flatnonzero(self.spans.group >= 0)  # the documents that count
        group, G = self.spans.group[self.counted], self.spans.n_groups
        self.n_items = np.bincount(group, minlength=G)[:, None]  # documents of each group
        self.unit, self.owner = clusters_of(group, self.spans.unit[self.counted])  # of documents, and their group
        self.n_units = np.bincount(self.owner, minlength=G).astype(float)[:, None]
        self.unit_name = "document" if options.clusters is None else "cluster"

    @cached_property
    def sums(self) -> Array:
        """The sums of the unitizing family: (D, W)."""
        return unitizing.sums_of(self.spans, self.overlaps)

    @cached_property
    def n_spans(self) -> Array:
        """Spans of each group and label: (G, K)."""
        place = self.spans.group[self.spans.document] * self.spans.n_labels + self.spans.label
        shape = self.spans.n_groups, self.spans.n_labels
        return np.bincount(place, minlength=shape[0] * shape[1]).reshape(shape)

    @cached_property
    def n_coders(self) -> Array:
        """Coders who saw documents of each group: (G, 1)."""
        spans = self.spans
        pairs = np.unique(spans.group[spans.seen_document] * spans.n_coders + spans.seen_coder)
        return np.bincount(pairs // max(spans.n_coders, 1), minlength=spans.n_groups)[:, None]

    def overlapping(self, same_label: bool) -> Array:
        """Groups and labels of which spans share positions with others of their coder: (G, K)."""
        spans, own = self.spans, self.own_overlaps
        first = own.first[spans.label[own.first] == spans.label[own.second]] if same_label else own.first
        out = np.zeros((spans.n_groups, spans.n_labels), bool)
        out[spans.group[spans.document[first]], spans.label[first]] = True
        return out

    @cached_property
    def overlaps_anywhere(self) -> Array:
        """Groups in which spans of one coder share positions: (G, 1)."""
        return np.asarray(self.overlapping(same_label=False).any(-1))[:, None]

    def refuse_overlaps(self, what: str) -> None:
        """Raise for spans of one coder that share positions."""
        own, spans, read = self.own_overlaps, self.spans, self.read
        if len(own.first) == 0:
            return
        one, two = (int(side[0]) for side in own[:2])
        if (spans.start[one], -spans.end[one]) > (spans.start[two], -spans.end[two]):
            one, two = two, one
        places = " and ".join(f"{spans.start[each]}-{spans.end[each]}" for each in (one, two))
        row = int(spans.row[one])
        coder, document = shown(read.coders[int(spans.coder[one])]), read.name_of(read.document_of_row[row])
        pairs = counted(len(own.first), "pair of spans of one coder overlaps", "pairs of spans of one coder overlap")
        problem = f"{pairs}, such as {coder} in {document}: {places}, and {what} needs one label at a position"
        remedy = "f1() and by_category() take each label by itself"
        raise InputError(problem, remedy, code="overlapping spans", n=len(own.first))


# -------------------------------------------------------------------------------------------------------- coefficients


def f1_name(iou: float) -> str:
    return "f1" if iou == 1 else "f1_iou"


def f1(data: Measured, iou: float) -> SpanRows:
    """F1 of all labels."""
    table = matching.hits_of(data.spans, data.overlaps, iou)
    return _measured(data, f1_name(iou), table, matching.f1, _logit, NOTHING_MARKED)


def alpha(data: Measured, of: str) -> SpanRows:
    """A coefficient of the unitizing family."""
    name, measure = choose("of", of, OF)
    return _measured(data, name, data.sums, measure, _symmetric, NO_VARIATION, data.overlaps_anywhere)


def per_label(data: Measured, iou: float) -> list[SpanRows]:
    """F1 and two of the unitizing family for each label."""
    table = matching.hits_of(data.spans, data.overlaps, iou)
    found = [_measured(data, f1_name(iou), table, matching.f1_of_each_label, _logit, NOTHING_MARKED, by_label=True)]
    own = data.overlapping(same_label=True)
    everywhere = np.broadcast_to(data.overlaps_anywhere, own.shape)
    for (name, measure), without in zip(PER_LABEL.items(), (own, everywhere), strict=True):
        found.append(_measured(data, name, data.sums, measure, _symmetric, NO_VARIATION, without, by_label=True))
    return found


Interval = Callable[[Values, Array, Array, float], Limits]  # values, standard error, units, level


def _measured(
    data: Measured,
    name: str,
    table: Array,
    measure: Measure,
    interval: Interval,
    reason: tuple[str, str],
    without: Array | None = None,
    by_label: bool = False,
) -> SpanRows:
    """One coefficient of each group, in one column for all labels or one for each; NaN where it is `without`."""
    each = sum_rows(table[data.counted], data.unit, len(data.owner))
    total = sum_rows(each, data.owner, data.spans.n_groups)
    found = measure(total)
    lost = np.zeros(found.value.shape, bool) if without is None else without
    found = Values(*(np.where(lost, np.nan, part) for part in vars(found).values()))
    limits = NO_INTERVAL
    if data.options.ci is not None:
        left_out = np.where(lost[data.owner], np.nan, measure(total[data.owner] - each).value)
        se = _jackknife(left_out, data.owner, data.n_units)
        limits = interval(found, se, data.n_units, data.options.ci)
    remarks = _remarks(data, found, limits, lost, reason)
    _note(data, remarks, found.value, of_length=interval is _symmetric)
    parts = {name: np.where(np.isnan(found.value), np.nan, getattr(found, name)) for name in ("observed", "expected")}
    columns = result_columns(found.value, limits, **parts, coverage=found.coverage, missing="pairable")
    return SpanRows(name, columns | _counts(data, found.value.shape, by_label) | remarks.columns(), remarks.reasons)


def _jackknife(left_out: Array, owner: Array, n_units: Array) -> Array:
    """Standard errors from the values without each unit; NaN if one of them is undefined: (U, J) -> (G, J)."""
    G, n = len(n_units), n_units
    mean = sum_rows(left_out, owner, G) / np.maximum(n, 1)
    square = sum_rows((left_out - mean[owner]) ** 2, owner, G) * (n - 1) / np.maximum(n, 1)
    return np.where(n > 1, np.sqrt(np.where(square <= ROUNDING, 0.0, square)), np.nan)


def _symmetric(values: Values, se: Array, n: Array, level: float) -> Limits:
    """t intervals within -1 and 1; where all agree the lower limit rests on the disagreement that could go unseen."""
    width = t_quantile(n - 1, level) * se
    low, high = np.maximum(values.value - width, -1.0), np.minimum(values.value + width, 1.0)
    perfect = (values.value == 1) & (se == 0)
    bound = perfect_bound(n, np.ones_like(n), 1 - values.expected, level)
    return Limits(se, np.where(perfect, bound, low), high, "jackknife", level)


def _logit(values: Values, se: Array, n: Array, level: float) -> Limits:
    """Intervals that are symmetric on the logit scale."""
    low, high = logit_interval(values.value, se, n, n, level)
    unknown = np.isnan(se)
    return Limits(se, np.where(unknown, np.nan, low), np.where(unknown, np.nan, high), "logit", level)


def _remarks(data: Measured, found: Values, limits: Limits, lost: Array, reason: tuple[str, str]) -> Remarks:
    """Why values or standard errors are undefined."""
    undefined, what = np.isnan(found.value), data.unit_name
    remarks = Remarks(found.value.shape)
    remarks.undefined(undefined & (data.n_items == 0), "no pairs", "no document of two coders")
    remarks.undefined(lost, *OVERLAP)
    remarks.undefined(undefined & (data.n_items > 0) & ~lost, *reason)
    if limits.se is not None:
        unknown = np.isnan(limits.se) & ~undefined
        remarks.add(unknown & (data.n_units == 1), "no se", f"one {what}: no interval")
        remarks.add(unknown & (data.n_units > 1), "no se", f"undefined without one {what}: no interval")
        alike = (limits.se == 0) & ~undefined
        remarks.add(alike & (found.value == 1), "perfect", "perfect: ci_low is a bound")
        remarks.add(alike & (found.value < 1), "se is 0", f"all {what}s alike: se is 0")
    return remarks


def _note(data: Measured, remarks: Remarks, value: Array, of_length: bool) -> None:
    """Note what a value or its interval rests on: few documents, documents that an export lacks, a guessed length."""
    known, n_unseen = ~np.isnan(value), data.read.n_unseen
    few = (data.n_units > 1) & (data.n_units < FEW_DOCUMENTS) & (data.options.ci is not None)
    remarks.add(known & few, "few items", f"fewer than {FEW_DOCUMENTS} {data.unit_name}s")
    pairs = counted(n_unseen, "pair of document and coder has no row", "pairs of document and coder have no row")
    remarks.add(known & (n_unseen > 0), "not seen", f"{pairs}: not seen")
    remarks.add(known & (of_length and data.read.guessed_length), "last span", "length taken from the last span")


def _counts(data: Measured, shape: tuple[int, ...], by_label: bool = False) -> dict[str, Array]:
    """What a coefficient rests on: (G, J) each."""
    n_spans = data.n_spans if by_label else data.n_spans.sum(-1, keepdims=True)
    parts = {"n_spans": n_spans, "n_items": data.n_items, "n_coders": data.n_coders}
    counts = {name: np.broadcast_to(part, shape) for name, part in parts.items()}
    return counts | {"n_categories": np.full(shape, data.spans.n_labels)}


def kappa(data: Measured) -> SpanRows:
    """Kappa of positions: of the segments, weighted by their width, in clusters of documents."""
    lost = data.overlaps_anywhere
    block = measure_one(find("kappa"), cut(data.spans, lost[:, 0]), Options(ci=data.options.ci))
    columns = {name: np.broadcast_to(np.asarray(part), len(lost))[:, None] for name, part in block.columns.items()}
    notes = (np.where(lost, new, columns[name]) for name, new in zip(("note", "remarks"), OVERLAP, strict=True))
    remarks = Remarks(lost.shape, *notes)
    remarks.reasons = block.undefined
    if lost.any():
        remarks.reasons.subtract({ItemStatistics.nothing: int(lost.sum())})
        remarks.reasons[OVERLAP[1]] = int(lost.sum())
    _note(data, remarks, columns["estimate"], of_length=True)
    unknown = {"coverage": np.full(lost.shape, np.nan)}
    return SpanRows("kappa", columns | unknown | _counts(data, lost.shape) | remarks.columns(), remarks.reasons)


# -------------------------------------------------------------------------------------------------------------- frames


def assemble(groups: pd.Index | None, levels: Mapping[str, Any], found: Sequence[SpanRows]) -> pd.DataFrame:
    """One row per group, value of the levels and coefficient; one warning for all undefined values."""
    shape = found[0].columns["estimate"].shape
    columns = {name: interleave([each.columns[name] for each in found], shape) for name in schemas.SPANS}
    index = frames.row_index(groups, levels, [each.name for each in found])
    warn_undefined(sum((each.reasons for each in found), Counter()), len(index))
    return frames.result(index, columns, schemas.SPANS)
