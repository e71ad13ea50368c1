"""Cells that hold several labels: lists, sets, or text with a separator.

A cell becomes a frozenset: a label like any other to the rest of the package, so every way in reads it. An empty list
or text says that the coder saw the item and chose nothing; a missing cell that they did not see it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Array = NDArray[Any]

COLLECTIONS = (list, tuple, set, frozenset, np.ndarray)


def to_sets(column: pd.Series, sep: str | None = None) -> pd.Series:
    """The cells of a column as frozensets; missing stays missing.

    >>> to_sets(pd.Series(["a|b", "b", "", None]), sep="|").map(sorted, na_action="ignore").tolist()
    [['a', 'b'], ['b'], [], nan]
    """
    known: dict[Any, Any] = {}
    cells = column.astype(object).tolist()
    return pd.Series([_to_set(cell, sep, known) for cell in cells], index=column.index, dtype=object, name=column.name)


def _to_set(cell: Any, sep: str | None, known: dict[Any, Any]) -> Any:
    if isinstance(cell, COLLECTIONS):
        return frozenset(cell)
    if cell not in known:
        known[cell] = _one(cell, sep)
    return known[cell]


def _one(cell: Any, sep: str | None) -> Any:
    if cell is None or cell is pd.NA or cell != cell:
        return np.nan
    if sep is not None and isinstance(cell, str):
        return frozenset(part.strip() for part in cell.split(sep) if part.strip())
    return frozenset([cell])


def set_reader(sep: str | None) -> Callable[[pd.Series], pd.Series]:
    """What turns a column of cells into a column of sets."""
    return lambda column: to_sets(column, sep)


def members(sets: Iterable[frozenset[Any]]) -> tuple[list[Any], Array]:
    """All single labels in order, and which set holds which: (S, K) of bool."""
    sets = list(sets)
    labels = list(dict.fromkeys(label for one in sets for label in one))
    try:
        labels = sorted(labels)
    except TypeError:  # labels of different kinds
        labels = sorted(labels, key=lambda label: (type(label).__name__, str(label)))
    return labels, np.array([[label in one for label in labels] for one in sets], bool).reshape(len(sets), len(labels))
