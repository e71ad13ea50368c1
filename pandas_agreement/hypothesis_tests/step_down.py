"""Tests of all coders that start again without a coder whom they name. Only numpy here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from pandas_agreement.core.arrays import Array

TIES = 1 + 1e-9  # p-values that are this close are equal but for rounding
MIN_CODERS = 3  # of two nobody can tell which of them is the odd one


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
