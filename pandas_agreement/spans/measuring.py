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
from pandas_agreement.core.group_blocks import clusters_of
from pandas_agreement.core.item_statistics import ItemStatistics
from pandas_agreement.core.quantiles import perfect_bound, t_quantile
from pandas_agreement.core.remarks import Remarks, warn_undefined
from pandas_agreement.engine import measure_one
from pandas_agreement.errors import InputError, choose, counted, shown
from pandas_agreement.options import Options
from pandas_agreement.results import frames, schemas
from pandas_agreement.results.blocks import NO_INTERVAL, Limits, interleave, result_columns
from pandas_agreement.spans import matching, unitizing
from pandas_agreement.spans.overlaps import Overlaps, find_overlaps
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

    def __init__(self, read: SpanReading, spans: SpanSet, options: Options) -> None:
        self.read, self.options, self.spans = read, options, spans.pairable()

    @cached_property
    def _found(self) -> tuple[Overlaps, Overlaps]:
        return find_overlaps(self.spans)

    @property
    def overlaps(self) -> Overlaps:
        """Pairs of spans of two coders."""
        return self._found[0]

    @property
    def own_overlaps(self) -> Overlaps:
        """Pairs of spans of one coder, which share positions."""
        return self._found[1]

    @cached_property
    def sums(self) -> Array:
        """The sums of the unitizing family: (D, W)."""
        return unitizing.sums_of(self.spans, self.overlaps)

    @cached_property
    def counted(self) -> Array:
        """The documents that count."""
        return np.flatnonzero(self.spans.group >= 0)

    @cached_property
    def units(self) -> tuple[Array, Array, Array]:
        """The unit of each document that counts, the group of each unit, and the units of each group."""
        group = self.spans.group[self.counted]
        unit, owner = clusters_of(group, self.spans.unit[self.counted])
        return unit, owner, np.bincount(owner, minlength=self.spans.n_groups).astype(float)

    @property
    def unit_name(self) -> str:
        return "document" if self.options.clusters is None else "cluster"

    @cached_property
    def n_items(self) -> Array:
        """Documents of each group: (G,)."""
        return np.bincount(self.spans.group[self.counted], minlength=self.spans.n_groups)

    @cached_property
    def n_spans(self) -> Array:
        """Spans of each group and label: (G, K)."""
        place = self.spans.group[self.spans.document] * self.spans.n_labels + self.spans.label
        shape = self.spans.n_groups, self.spans.n_labels
        return np.bincount(place, minlength=shape[0] * shape[1]).reshape(shape)

    @cached_property
    def n_coders(self) -> Array:
        """Coders who saw documents of each group: (G,)."""
        spans = self.spans
        pairs = np.unique(spans.group[spans.seen_document] * spans.n_coders + spans.seen_coder)
        return np.bincount(pairs // max(spans.n_coders, 1), minlength=spans.n_groups)

    @cached_property
    def overlapping(self) -> Array:
        """Groups in which spans of one coder share positions: (G,)."""
        return self._groups_of(self.own_overlaps)

    def overlapping_labels(self) -> Array:
        """Groups and labels of which spans of one coder share positions: (G, K)."""
        own, spans = self.own_overlaps, self.spans
        same = own.first[spans.label[own.first] == spans.label[own.second]]
        out = np.zeros((spans.n_groups, spans.n_labels), bool)
        out[spans.group[spans.document[same]], spans.label[same]] = True
        return out

    def _groups_of(self, overlaps: Overlaps) -> Array:
        out = np.zeros(self.spans.n_groups, bool)
        out[self.spans.group[self.spans.document[overlaps.first]]] = True
        return out

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
    return _measured(data, name, data.sums, measure, _symmetric, NO_VARIATION, data.overlapping[:, None])


def per_label(data: Measured, iou: float) -> list[SpanRows]:
    """F1 and two of the unitizing family for each label."""
    table = matching.hits_of(data.spans, data.overlaps, iou)
    found = [_measured(data, f1_name(iou), table, matching.f1_of_each_label, _logit, NOTHING_MARKED, by_label=True)]
    everywhere = np.broadcast_to(data.overlapping[:, None], data.n_spans.shape)
    for (name, measure), without in zip(PER_LABEL.items(), (data.overlapping_labels(), everywhere), strict=True):
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
    unit, owner, n_units = data.units
    each = sum_rows(table[data.counted], unit, len(owner))
    total = sum_rows(each, owner, data.spans.n_groups)
    found = measure(total)
    lost = np.zeros(found.value.shape, bool) if without is None else without
    if lost.any():
        found = Values(*(np.where(lost, np.nan, part) for part in vars(found).values()))
    limits = NO_INTERVAL
    if data.options.ci is not None:
        left_out = np.where(lost[owner], np.nan, measure(total[owner] - each).value)
        limits = interval(found, _jackknife(left_out, owner, n_units), n_units[:, None], data.options.ci)
    remarks = _remarks(data, found, limits, lost, reason)
    if interval is _symmetric:
        _note_length(data, remarks, found.value)
    return _columns(data, name, found, limits, remarks, by_label)


def _jackknife(left_out: Array, owner: Array, n_units: Array) -> Array:
    """Standard errors from the values without each unit; NaN if one of them is undefined: (U, J) -> (G, J)."""
    G, n = len(n_units), n_units[:, None]
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
    """Why values or standard errors are undefined, and where there are few documents."""
    n_items, n_units, undefined = data.n_items[:, None], data.units[2][:, None], np.isnan(found.value)
    remarks = Remarks(found.value.shape)
    remarks.undefined(undefined & (n_items == 0), "no pairs", "no document of two coders")
    remarks.undefined(lost, *OVERLAP)
    remarks.undefined(undefined & (n_items > 0) & ~lost, *reason)
    _note_documents(data, remarks, found.value)
    if limits.se is None:
        return remarks
    what = data.unit_name
    unknown = np.isnan(limits.se) & ~undefined
    remarks.add(unknown & (n_units == 1), "no se", f"one {what}: no interval")
    remarks.add(unknown & (n_units > 1), "no se", f"undefined without one {what}: no interval")
    alike = (limits.se == 0) & ~undefined
    remarks.add(alike & (found.value == 1), "perfect", "perfect: ci_low is a bound")
    remarks.add(alike & (found.value < 1), "se is 0", f"all {what}s alike: se is 0")
    return remarks


def _note_documents(data: Measured, remarks: Remarks, value: Array) -> None:
    """Note intervals that rest on few documents or clusters, and documents that an export has not of every coder."""
    n_units, n_unseen = data.units[2][:, None], data.read.n_unseen
    few = ~np.isnan(value) & (n_units > 1) & (n_units < FEW_DOCUMENTS) & (data.options.ci is not None)
    remarks.add(few, "few items", f"fewer than {FEW_DOCUMENTS} {data.unit_name}s")
    pairs = counted(n_unseen, "pair of document and coder has no row", "pairs of document and coder have no row")
    remarks.add(~np.isnan(value) & (n_unseen > 0), "not seen", f"{pairs}: not seen")


def _note_length(data: Measured, remarks: Remarks, value: Array) -> None:
    """Note a guess on which the value depends."""
    remarks.add(~np.isnan(value) & data.read.guessed_length, "last span", "length taken from the last span")


def _columns(
    data: Measured, name: str, found: Values, limits: Limits, remarks: Remarks, by_label: bool = False
) -> SpanRows:
    """All columns of a coefficient: (G, J) each."""
    shape = found.value.shape
    n_spans = data.n_spans if by_label else data.n_spans.sum(-1, keepdims=True)
    columns = result_columns(
        found.value,
        limits,
        observed=np.where(np.isnan(found.value), np.nan, found.observed),
        expected=np.where(np.isnan(found.value), np.nan, found.expected),
        coverage=found.coverage,
        n_spans=np.broadcast_to(n_spans, shape),
        n_items=np.broadcast_to(data.n_items[:, None], shape),
        n_coders=np.broadcast_to(data.n_coders[:, None], shape),
        n_categories=np.full(shape, data.spans.n_labels),
        missing="pairable",
        **remarks.columns(),
    )
    return SpanRows(name, columns, remarks.reasons)


def kappa(data: Measured) -> SpanRows:
    """Kappa of positions: of the segments, weighted by their width, in clusters of documents."""
    block = measure_one(find("kappa"), cut(data.spans, data.overlapping), Options(ci=data.options.ci))
    shape = data.spans.n_groups, 1
    made = {name: np.broadcast_to(np.asarray(part), shape[:1])[:, None] for name, part in block.columns.items()}
    lost = data.overlapping[:, None]
    notes = (np.where(lost, new, made[name]) for name, new in zip(("note", "remarks"), OVERLAP, strict=True))
    remarks = Remarks(shape, *notes)
    remarks.reasons = block.undefined
    if lost.any():
        remarks.reasons.subtract({ItemStatistics.nothing: int(lost.sum())})
        remarks.reasons[OVERLAP[1]] = int(lost.sum())
    _note_documents(data, remarks, made["estimate"])
    _note_length(data, remarks, made["estimate"])
    unknown = np.full(shape, np.nan)
    found = Values(made["estimate"], made["observed"], made["expected"], unknown)
    limits = Limits(made["se"], made["ci_low"], made["ci_high"], made["ci_method"], data.options.ci or np.nan)
    return _columns(data, "kappa", found, limits, remarks)


# -------------------------------------------------------------------------------------------------------------- frames


def assemble(groups: pd.Index | None, levels: Mapping[str, Any], found: Sequence[SpanRows]) -> pd.DataFrame:
    """One row per group, value of the levels and coefficient; one warning for all undefined values."""
    shape = found[0].columns["estimate"].shape
    columns = {name: interleave([each.columns[name] for each in found], shape) for name in schemas.SPANS}
    index = frames.row_index(groups, levels, [each.name for each in found])
    warn_undefined(sum((each.reasons for each in found), Counter()), len(index))
    return frames.result(index, columns, schemas.SPANS)
