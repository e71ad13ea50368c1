"""Cells that hold several labels: lists, sets, or text with a separator.

A cell becomes a frozenset, which the rest of the package treats as any other label. An empty list or text means that
the coder saw the item and chose no label; a missing cell means that the coder did not see the item.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.core.arrays import Array

COLLECTIONS = (list, tuple, set, frozenset, np.ndarray)


class SetCells:
    """Converts columns to sets of labels, and counts cells and blank ones where text is split."""

    def __init__(self, sep: str | None, n_cells: int = 0, n_blank: int = 0) -> None:
        self.sep, self.n_cells, self.n_blank = sep, n_cells, n_blank

    def __add__(self, other: SetCells) -> SetCells:
        return SetCells(self.sep, self.n_cells + other.n_cells, self.n_blank + other.n_blank)

    def __call__(self, column: pd.Series) -> pd.Series:
        sets = to_sets(column, self.sep)
        if self.sep is not None:
            self.n_cells, self.n_blank = self.n_cells + len(sets), self.n_blank + int(sets.isna().sum())
        return sets

    @property
    def remark(self) -> str:
        """What a reader may have overlooked: in text a blank cell may mean that no label applies."""
        if not self.n_blank:
            return ""
        return f"{self.n_blank:,} of {self.n_cells:,} cells blank: missing; if no label applies, fillna('')"


def to_sets(column: pd.Series, sep: str | None = None) -> pd.Series:
    """Convert the cells of a column to frozensets; missing stays missing.

    >>> to_sets(pd.Series(["a|b", "b", "", None]), sep="|").map(sorted, na_action="ignore").tolist()
    [['a', 'b'], ['b'], [], nan]
    """
    cache: dict[Any, Any] = {}
    cells = column.astype(object).tolist()
    return pd.Series([_to_set(cell, sep, cache) for cell in cells], index=column.index, dtype=object, name=column.name)


def _to_set(cell: Any, sep: str | None, cache: dict[Any, Any]) -> Any:
    if isinstance(cell, COLLECTIONS):
        return frozenset(cell)
    if cell not in cache:
        cache[cell] = _scalar_to_set(cell, sep)
    return cache[cell]


def _scalar_to_set(cell: Any, sep: str | None) -> Any:
    if cell is None or cell is pd.NA or cell != cell:
        return np.nan
    if sep is not None and isinstance(cell, str):
        return frozenset(part.strip() for part in cell.split(sep) if part.strip())
    return frozenset([cell])


def members(cells: Iterable[Any]) -> tuple[list[Any], Array]:
    """All single labels in order, and which set holds which label: bool (S, K). A declared category may be no set."""
    sets = [cell if isinstance(cell, frozenset) else frozenset([cell]) for cell in cells]
    labels = list(dict.fromkeys(label for one in sets for label in one))
    try:
        labels = sorted(labels)
    except TypeError:  # labels of different kinds
        labels = sorted(labels, key=lambda label: (type(label).__name__, str(label)))
    return labels, np.array([[label in one for label in labels] for one in sets], bool).reshape(len(sets), len(labels))
