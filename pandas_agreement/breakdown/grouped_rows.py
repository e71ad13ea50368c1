"""Columns of one length, of which `group` has the number of each row's group: what the rules of `diagnose` select from.

A rule looks at tables of a few rows a dozen times, and a DataFrame takes longer to make than the numbers in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pandas_agreement.core.arrays import Array

ALL = -1  # in place of a group: the row is about all groups together


class GroupedRows:
    """Columns by name; a single value stands for a whole column."""

    def __init__(self, group: Any, **columns: Any) -> None:
        self.group: Array = np.asarray(group, np.int64)
        self.columns = {name: _column(values, len(self.group)) for name, values in columns.items()}

    def __len__(self) -> int:
        return len(self.group)

    def __contains__(self, name: str) -> bool:
        return name in self.columns

    def __getitem__(self, name: str) -> Array:
        return self.columns[name]

    def take(self, places: Array) -> GroupedRows:
        return GroupedRows(self.group[places], **{name: values[places] for name, values in self.columns.items()})

    def where(self, chosen: Array | list[bool]) -> GroupedRows:
        return self.take(np.flatnonzero(chosen))

    def assign(self, **columns: Any) -> GroupedRows:
        return GroupedRows(self.group, **self.columns | columns)

    def firsts(self) -> GroupedRows:
        """The first row of each group."""
        return self.take(np.unique(self.group, return_index=True)[1])

    def beside(self, other: GroupedRows) -> GroupedRows:
        """With the columns of the row that `other` has for the same group; groups without one are left out."""
        _, own, place = np.intersect1d(self.group, other.group, return_indices=True)
        return self.take(own).assign(**other.take(place).columns)

    def keys(self, *names: str) -> list[tuple[Any, ...]]:
        """The group and some columns of each row."""
        return list(zip(self.group.tolist(), *(self[name].tolist() for name in names), strict=True))


def named(names: Sequence[Any], places: Array) -> Array:
    """The names at some places, as the objects that they are: names may be tuples, which numpy would split."""
    every = np.empty(len(names), object)
    every[:] = list(names)
    return every[places]


def _column(values: Any, n: int) -> Array:
    """A column of n values; labels and names stay the objects that they are."""
    if isinstance(values, np.ndarray) and values.shape == (n,):
        return values
    if isinstance(values, np.ndarray) or np.isscalar(values):
        return np.array(np.broadcast_to(np.array(values, object if isinstance(values, str) else None), n))
    return named(values, np.arange(n))


def joined(parts: Sequence[GroupedRows], names: Sequence[str]) -> GroupedRows:
    """The rows of several parts below each other, with the columns of these names."""
    columns = {name: np.concatenate([part[name] for part in parts]) for name in names}
    return GroupedRows(np.concatenate([part.group for part in parts]), **columns)
