"""Tests of whether a coder, or a camp of coders, uses the categories as the others of the same items do.

Under the null hypothesis who gave which label of an item is random. Difficult items and items of a rare category are
then no coder's fault, as each coder is compared on the coder's own items only.

`usage_test` compares all categories. The sum over items of a coder's labels minus the
mean of the item then has a known covariance matrix, and its quadratic form is compared with chi-squared. Two coders
give Stuart and Maxwell's test. `usual_label_test` and `sole_user_test` are about one label, for 3 coders as for
thousands. `step_down` repeats a test without the coder whom it names. Only numpy here, and scipy.

Shapes: N labels, E pairs of an item and a cell (coder or camp of a group), M cells, K categories.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol

import numpy as np

from pandas_agreement.core.arrays import Array, ranges
from pandas_agreement.core.category_counts import SparseCounts
from pandas_agreement.core.classes import dataclass
from pandas_agreement.core.quantiles import chi2_test
from pandas_agreement.core.sums import divide

MIN_VARIANCE = 2.5  # of a category with less the sums are discrete; such categories are tested together
MAX_ENTRIES = 1 << 22  # entries of tables of pairs of categories at a time
TIES = 1 + 1e-9  # p-values that are this close are equal but for rounding
MIN_CODERS = 3  # of two nobody can tell which of them is the odd one


@dataclass(frozen=True, eq=False)
class Chosen:
    """Who chose what on items with two or more labels."""

    item: Array  # (N,)
    cell: Array  # (N,) coder or camp within a group
    code: Array  # (N,)
    weight: Array  # (N,) how often the item occurs
    n_coders: int
    n_groups: int
    n_categories: int

    def without(self, cells: Array) -> Chosen:
        """The groups of these cells without the labels of the cells: (M,) of bool."""
        groups = cells.reshape(self.n_groups, self.n_coders).max(1, initial=False)
        return self.of(groups[self.cell // self.n_coders] & ~cells[self.cell])

    def of(self, labels: Array) -> Chosen:
        """Some labels: (N,) of bool."""
        parts = {name: getattr(self, name)[labels] for name in ("item", "cell", "code", "weight")}
        return replace(self, **parts)


def usage_test(chosen: Chosen) -> dict[str, Array]:
    """p-value, number of items, and the category whose share differs most from the others', by how much: (G, C).

    Examples
    --------
    The second coder says 0 on two of the eight items where the first says 1.

    >>> item, coder = np.repeat(np.arange(8), 2), np.tile([0, 1], 8)
    >>> code = np.array([0, 0] * 3 + [1, 1] * 3 + [1, 0] * 2)
    >>> chosen = Chosen(item, coder, code, np.full(16, 5.0), 2, 1, 2)
    >>> usage_test(chosen)["p_value"].round(4)  # McNemar: (10 - 0)^2 / (10 + 0)
    array([[0.0016, 0.0016]])
    """
    K, M = chosen.n_categories, chosen.n_coders * chosen.n_groups
    counts = SparseCounts.of(chosen.item, chosen.code, int(chosen.item.max(initial=-1)) + 1, K)
    keys, first, entry, m = np.unique(
        chosen.item * np.int64(M) + chosen.cell, return_index=True, return_inverse=True, return_counts=True
    )
    item, cell, weight = keys // M, keys % M, chosen.weight[first]  # (E,)
    r = counts.sizes[item]
    weight = np.where(m < r, weight, 0.0)  # others labelled the item
    n = np.bincount(cell, weight, minlength=M)
    start = np.searchsorted(counts.item, np.arange(counts.n_items + 1))
    number = np.diff(start)[item]
    of_item = ranges(start[item], number)  # the categories of each entry's item
    code, share = counts.code[of_item], counts.number[of_item] / np.repeat(r, number)

    def over_items(own: Array, of_mean: Array) -> Array:
        """Own labels minus labels expected from the item, with a weight of each entry: (M, K)."""
        plus = np.bincount(chosen.cell * np.int64(K) + chosen.code, own[entry], minlength=M * K)
        minus = np.bincount(np.repeat(cell, number) * np.int64(K) + code, np.repeat(of_mean, number) * share, M * K)
        return (plus - minus).reshape(M, K)

    total = over_items(weight, weight * m)
    apart = weight * divide(r, m * (r - m))
    points = divide(over_items(np.nan_to_num(apart), np.nan_to_num(apart * m)), n[:, None])
    spread = weight * m * (r - m) / np.maximum(r - 1, 1)
    statistic, df = _quadratic(total, np.repeat(cell, number), code, np.repeat(spread, number), share, number)
    most = np.nan_to_num(np.abs(points)).argmax(1)
    found = {
        "p_value": np.where(df > 0, chi2_test(statistic, df), np.nan),
        "n_items": n,
        "category": most,
        "points": points[np.arange(M), most],
    }
    return {name: values.reshape(chosen.n_groups, chosen.n_coders) for name, values in found.items()}


def _quadratic(
    total: Array, cell: Array, code: Array, spread: Array, share: Array, number: Array
) -> tuple[Array, Array]:
    """T' V^- T and the rank of V for each cell; V sums spread (diag(x) - x x') over entries, x their shares.

    `cell`, `code`, `spread` and `share` have one value for each category of an entry's item, `number` says how many
    these are.
    """
    from scipy import sparse

    M, K = total.shape
    place = cell * np.int64(K) + code
    variance = np.bincount(place, spread * share * (1 - share), minlength=M * K).reshape(M, K)
    kept = variance >= MIN_VARIANCE
    pooled = np.where(kept, kept.cumsum(1), 0)  # the others are number 0
    P = int(pooled.max(initial=0)) + 1
    statistic, df = np.zeros((2, M))
    for cells in np.array_split(np.arange(M), max(1, M * P * P // MAX_ENTRIES + 1)):
        if not len(cells):
            continue
        low, C = cells[0], len(cells)
        here = (cell >= low) & (cell <= cells[-1])
        column = (cell[here] - low) * P + pooled.ravel()[place[here]]
        row = np.repeat(np.arange(len(number)), number)[here]
        part = spread[here] * share[here]
        shape = len(number), C * P
        table = sparse.csr_array((np.sqrt(spread[here]) * share[here], (row, column)), shape=shape)
        product = (table.T @ table).tocoo()
        one, two = product.coords if hasattr(product, "coords") else (product.row, product.col)
        V = -np.bincount(one.astype(np.int64) * P + two % P, product.data, minlength=C * P * P).reshape(C, P, P)
        V[:, np.arange(P), np.arange(P)] += np.bincount(column, part, minlength=C * P).reshape(C, P)
        where = np.repeat(np.arange(C), K) * P + pooled[cells].ravel()
        T = np.bincount(where, total[cells].ravel(), minlength=C * P).reshape(C, P)
        values, vectors = np.linalg.eigh(V)
        varied = values > 1e-9 * np.maximum(values[:, -1:], 1e-9)
        squares = np.einsum("cp,cpq->cq", T, vectors) ** 2
        statistic[cells] = np.where(varied, squares / np.where(varied, values, 1.0), 0.0).sum(1)
        df[cells] = varied.sum(1)
    return statistic, df


# ------------------------------------------------------------------------------------------------------------ one label


def usual_label_test(number: Array, usual: Array, item: Array, cell: Array, n_cells: int, weight: Array) -> Array:
    """One-sided p that coders give their usual label no more often than the others of the same items.

    Items on which all or none gave it do not count. A coder's number of other labels is a sum of independent trials,
    whose lower tail is at most that of the binomial distribution with the same mean (Hoeffding 1956).

    Parameters
    ----------
    number : array (N,)
        How many labels of the item are the usual label of the label's coder.
    usual : array (N,)
        Whether the label is.
    item, cell : array (N,)
        The item of each label, and its coder within a group.
    n_cells : int
    weight : array (N,)
        How often the item occurs.

    Examples
    --------
    Two coders who differ on eight items: the first gave 'x', the usual label of both, on all of them.

    >>> item, coder = np.repeat(np.arange(8), 2), np.tile([0, 1], 8)
    >>> usual_label_test(np.ones(16), coder == 0, item, coder, 2, np.ones(16))
    array([0.00390625, 1.        ])
    """
    from scipy.special import betainc

    size = np.bincount(item, minlength=1)[item]
    mixed = (number > 0) & (number < size)
    parts = np.ones(len(item)), np.where(usual, 0.0, 1.0), 1 - divide(number, size)
    n, others, expected = (np.bincount(cell, np.where(mixed, part, 0) * weight, minlength=n_cells) for part in parts)
    share = np.where(n > 0, divide(expected, n), 0.5)
    below = betainc(np.maximum(n - others, 1.0), others + 1, 1 - share)  # P(at most as many others)
    return np.where(n > 0, np.where(others < n, below, 1.0), np.nan)


def sole_user_test(size: Array, cell: Array, n_cells: int, weight: Array) -> Array:
    """The chance that one and the same coder gave all labels of a category, at most one on each item.

    Each label belongs to any coder of its item with the same probability, and no more coders than the smallest item
    has can have labelled all of these items.

    Parameters
    ----------
    size : array (N,)
        Labels of each label's item.
    cell : array (N,)
        The category of each label, within a group.
    n_cells : int
    weight : array (N,)

    Examples
    --------
    >>> sole_user_test(np.array([2, 2, 2, 2, 3]), np.zeros(5, int), 1, np.ones(5)).round(4)
    array([0.0417])
    """
    least = np.full(n_cells, np.inf)
    np.minimum.at(least, cell, size)
    logs = np.bincount(cell, np.log(size) * weight, minlength=n_cells)
    return np.minimum(np.where(np.isfinite(least), least, 1.0) * np.exp(-logs), 1.0)


# -------------------------------------------------------------------------------------------- one coder after the other


class HasCells(Protocol):
    def without(self, cells: Array) -> Any:
        """The groups of these cells (coders of a group), without the labels of the cells: (G C,) of bool."""


def step_down(data: HasCells, test: Callable[[Any], dict[str, Array]], level: float) -> dict[str, Array]:
    """Name the coder with the smallest p of each group, leave out the coder's labels, and test the others again.

    A bad coder makes the others of the same items look bad. p times the number of coders tested has to be below
    `level`.

    Parameters
    ----------
    data
        Labels, with a method `without`.
    test
        From labels to columns (G, C), among them `p_value` and `enough`: whether a coder may be named at all.
    level : float

    Returns
    -------
    dict
        The columns of the first test, `named`, and `p_adjusted`; a coder who is named has those of the step that did.
    """
    step = test(data)
    found = step | {"named": np.zeros(step["p_value"].shape, bool)}
    found["p_adjusted"] = np.minimum(step["p_value"] * _tested(step), 1.0)
    least = np.zeros(len(step["p_value"]))  # an adjusted p is never below that of the step before
    while True:
        allowed = step["enough"] & ~np.isnan(step["p_value"]) & (_tested(step) >= MIN_CODERS)
        p = np.where(allowed, step["p_value"] * _tested(step), np.inf)
        least = np.maximum(least, p.min(1, initial=np.inf))
        groups = np.flatnonzero(least < level)
        if not len(groups):
            return found
        smallest = p[groups] <= p[groups].min(1, keepdims=True) * TIES  # the first of those that are equal
        cells = groups, smallest.argmax(1)
        for name, values in step.items():
            found[name][cells] = values[cells]
        found["named"][cells], found["p_adjusted"][cells] = True, least[groups]
        data = data.without(_only(cells, p.shape))
        step = test(data)


def _tested(step: dict[str, Array]) -> Array:
    """The number of coders tested in each group: (G, 1)."""
    return (~np.isnan(step["p_value"])).sum(1, keepdims=True)


def _only(cells: tuple[Array, Array], shape: tuple[int, ...]) -> Array:
    """These cells: (G C,) of bool."""
    out = np.zeros(shape, bool)
    out[cells] = True
    return out.ravel()
