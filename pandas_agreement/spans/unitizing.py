"""The unitizing family of alpha: sums over documents, and coefficients that are functions of the sums. Only numpy here.

A label or a gap (phi) is a value c. l_c is the length of all matter with value c, l_cc of what another coder gave the
same value, q_c the sum of the squared lengths of its units; a position of a gap is a unit of its own. As in alpha,
1 - D_o / D_e, but no value meets matter of its own unit:

    E(l, q) = l - (sum of l_c^2 - q_c) / (l - q / l).

The starred sums t, of `paired`, are about the matter of a unit that others marked, too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.sums import divide
from pandas_agreement.errors import check_memory
from pandas_agreement.spans.overlaps import Overlaps
from pandas_agreement.spans.span_set import SpanSet

ROUNDING = 1e-9  # a part of all matter that can be a rounding error
TABLES = 5  # sums by label


@dataclass(frozen=True, eq=False)
class Values:
    """A coefficient at some sums, with observed and expected agreement: (..., J) each."""

    value: Array
    observed: Array
    expected: Array
    coverage: Array

    @classmethod
    def of(cls, observed: Array, expected: Array, coverage: Array | None = None) -> Values:
        """From the two disagreements, as shares of all matter."""
        observed = np.where(np.abs(observed) < ROUNDING, 0.0, observed)
        value = 1 - divide(observed, expected)
        unknown = np.full(value.shape, np.nan)
        return cls(value, 1 - observed, 1 - expected, unknown if coverage is None else coverage)


Measure = Callable[[Array], Values]  # sums (..., W) -> (..., J)


@dataclass(frozen=True, eq=False)
class UnitSums:
    """UnitSums with any leading axes, documents or others."""

    total: Array  # (...) l
    shared: Array  # (...) matter of the pairs of spans, counted for both
    marked: Array  # (..., K) l_k
    same: Array  # (..., K) l_kk
    squares: Array  # (..., K) q_k
    paired: Array  # (..., K) l*_k
    paired_squares: Array  # (..., K) q*_k

    @classmethod
    def of(cls, table: Array) -> UnitSums:
        """From one array, so that groups and leave-one-out samples are sums and differences of its rows."""
        total, shared, by_label = table[..., 0], table[..., 1], table[..., 2:]
        parts = by_label.reshape(*by_label.shape[:-1], TABLES, by_label.shape[-1] // TABLES)
        return cls(total, shared, *np.moveaxis(parts, -2, 0))


def sums_of(spans: SpanSet, overlaps: Overlaps) -> Array:
    """The sums of each document: (D, 2 + 5 K)."""
    D, K = spans.n_documents, spans.n_labels
    what = f"sums of {K:,} labels in {D:,} documents"
    check_memory(what, 8.0 * D * (2 + TABLES * K) * 4, "merge labels, or take fewer documents")
    weight = divide(1.0, np.maximum(spans.n_seen - 1.0, 0))
    size, matter = spans.size.astype(float), overlaps.shared * weight[spans.document[overlaps.first]]
    pairable = np.bincount(overlaps.first, matter, len(size)) + np.bincount(overlaps.second, matter, len(size))
    same = spans.label[overlaps.first] == spans.label[overlaps.second]
    by_label = spans.by_label
    tables = [
        spans.count(by_label, size),
        spans.count(by_label[overlaps.first[same]], 2 * matter[same]),
        spans.count(by_label, size**2),
        spans.count(by_label, pairable),
        spans.count(by_label, pairable**2),
    ]
    total = np.where(spans.group < 0, 0, spans.n_seen * spans.length)
    shared = np.bincount(spans.document[overlaps.first], 2 * matter, D)
    return np.concatenate([np.stack([total, shared], -1), *tables], -1)


# -------------------------------------------------------------------------------------------------------- coefficients


def _expected(matter: Array, squares: Array) -> Array:
    """E(l, q), NaN unless two values are used: (..., C), (..., C) -> (...)."""
    total, own = matter.sum(-1), squares.sum(-1)
    used = (matter > ROUNDING * total[..., None]).sum(-1)
    chance = total - divide((matter**2).sum(-1) - own, total - divide(own, total))
    return np.where(used > 1, chance, np.nan)


def _against_gaps(total: Array, marked: Array, same: Array, squares: Array) -> Values:
    """Something marked against all other matter: (...) each."""
    rest = total - marked
    chance = _expected(np.stack([marked, rest], -1), np.stack([squares, rest], -1))
    return Values.of(divide(2 * (marked - same), total), divide(chance, total))


def alpha(table: Array) -> Values:
    """Is the same matter marked with the same label?"""
    sums = UnitSums.of(table)
    gap = sums.total - sums.marked.sum(-1)
    both_gap = sums.total - 2 * sums.marked.sum(-1) + sums.shared
    matter, squares = (np.concatenate([gap[..., None], part], -1) for part in (sums.marked, sums.squares))
    observed = sums.total - both_gap - sums.same.sum(-1)
    return _column(Values.of(divide(observed, sums.total), divide(_expected(matter, squares), sums.total)))


def alpha_marking(table: Array) -> Values:
    """Is the same matter marked, whatever the label?"""
    sums = UnitSums.of(table)
    return _column(_against_gaps(sums.total, sums.marked.sum(-1), sums.shared, sums.squares.sum(-1)))


def alpha_labels(table: Array) -> Values:
    """Where both marked, is it the same label?"""
    sums = UnitSums.of(table)
    total = sums.paired.sum(-1)
    observed = divide(total - sums.same.sum(-1), total)
    chance = divide(_expected(sums.paired, sums.paired_squares), total)
    return _column(Values.of(observed, chance, divide(total, sums.marked.sum(-1))))


def alpha_of_each_label(table: Array) -> Values:
    """Is each label in the same places? All else is a gap, so that labels may overlap."""
    sums = UnitSums.of(table)
    return _against_gaps(sums.total[..., None], sums.marked, sums.same, sums.squares)


def labels_of_each_label(table: Array) -> Values:
    """Where both marked, is k given where k is given?"""
    sums = UnitSums.of(table)
    own, squares = sums.paired, sums.paired_squares
    total = own.sum(-1, keepdims=True)
    chance, hit = total * own - squares, own**2 - squares  # e_k and e_kk, but for the same divisor
    alone = np.minimum(own, total - own) <= ROUNDING * total
    expected = np.where(alone, np.nan, divide(chance - hit, chance))
    return Values.of(divide(own - sums.same, own), expected, divide(own, sums.marked))


def _column(values: Values) -> Values:
    """A coefficient of all labels as one column: (...) -> (..., 1)."""
    return Values(*(part[..., None] for part in (values.value, values.observed, values.expected, values.coverage)))
