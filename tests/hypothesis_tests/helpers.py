"""Codes of coders, and the disagreement of all their permutations."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations, product

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.ratings import WideRatings
from pandas_agreement.hypothesis_tests.judgments import Judgments

DISTANCES = {"nominal": 1 - np.eye(3), "linear": np.abs(np.subtract.outer(np.arange(3), np.arange(3))) / 2}
#: codes of coders, -1 is a gap; the last has an item with one label
DATA = {
    "two": [[0, 1, 2, 0], [0, 1, 1, 2]],
    "gaps": [[0, 1, -1, 0], [0, -1, 1, 2], [1, 1, 2, -1]],
    "single": [[0, 1, 2, -1], [0, 1, 1, -1], [1, 1, -1, 0]],
}


def judgments(codes: Array, group: Array | None = None, weight: Array | None = None) -> Judgments:
    n_groups = 1 if group is None else int(group.max()) + 1
    return Judgments.of(WideRatings(len(codes), 3, n_groups, group, weight, tuple(codes)).as_long())


def disagreement(codes: Array, distance: Array) -> float:
    """Mean distance of the pairs of an item, over the items with two labels or more."""
    rows = [row[row >= 0] for row in np.array(codes).T]
    return float(
        np.mean(
            [np.mean([distance[a, b] for i, a in enumerate(row) for b in row[i + 1 :]]) for row in rows if len(row) > 1]
        )
    )


def all_permutations(codes: Array, distance: Array) -> Array:
    """The disagreement of all shuffles of each coder's labels over the items they labelled."""
    rated = [np.flatnonzero(code >= 0) for code in codes]
    out = []
    for orders in product(*(permutations(code[items]) for code, items in zip(codes, rated, strict=True))):
        shuffled = codes.copy()
        for row, items, order in zip(shuffled, rated, orders, strict=True):
            row[items] = order
        out.append(disagreement(shuffled, distance))
    return np.array(out)


def follow_all_permutations(draws: Iterable[Array], codes: Array, distance: Array) -> None:
    """Check that replicates have the values of all permutations, as often as these."""
    drawn = np.concatenate([np.ravel(part) for part in draws])
    values, share = np.unique(all_permutations(codes, distance).round(9), return_counts=True)
    found, number = np.unique(drawn.round(9), return_counts=True)
    assert set(found) <= set(values)
    p = (share / share.sum())[np.searchsorted(values, found)]
    z = (number / len(drawn) - p) / np.sqrt(p * (1 - p) / len(drawn) + 1e-12)
    assert np.abs(z).max() < 4.5
