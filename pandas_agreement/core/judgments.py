"""A row a label, in any order. Only numpy here."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


class Labels(NamedTuple):
    """A row a label: whose item, whose label, which category; all int64, as they are multiplied everywhere."""

    item: Array
    coder: Array
    code: Array

    def of(self, items: Array) -> ChosenLabels:
        """Those of some items (a boolean array), which are numbered anew."""
        return ChosenLabels(self, items)


class ChosenLabels:
    """The labels of some items; each array is made when somebody asks, as many coefficients need only the counts."""

    def __init__(self, source: Labels | ChosenLabels, items: Array) -> None:
        self._source, self._items = source, items

    @cached_property
    def _mine(self) -> Array:
        return self._items[self._source.item]

    @cached_property
    def item(self) -> Array:
        place = np.cumsum(self._items) - 1
        return place[self._source.item[self._mine]]

    @cached_property
    def coder(self) -> Array:
        return self._source.coder[self._mine]

    @cached_property
    def code(self) -> Array:
        return self._source.code[self._mine]

    def of(self, items: Array) -> ChosenLabels:
        return ChosenLabels(self, items)
