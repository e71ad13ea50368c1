"""Labels as arrays with one entry per label, in any order. Only numpy here."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from pandas_agreement.core.arrays import Array


class Labels(NamedTuple):
    """Item, coder and category code of each label; int64, because cell numbers are computed from them."""

    item: Array
    coder: Array
    code: Array

    def of(self, items: Array) -> ChosenLabels:
        """The labels of some items (a boolean array); the items are renumbered."""
        return ChosenLabels(self, items)


class ChosenLabels:
    """The labels of some items; each array is made on first use, as many coefficients need only the counts."""

    def __init__(self, source: Labels | ChosenLabels, items: Array) -> None:
        self._source, self._items = source, items

    @cached_property
    def _chosen(self) -> Array:
        return self._items[self._source.item]

    @cached_property
    def item(self) -> Array:
        return (np.cumsum(self._items) - 1)[self._source.item[self._chosen]]

    @cached_property
    def coder(self) -> Array:
        return self._source.coder[self._chosen]

    @cached_property
    def code(self) -> Array:
        return self._source.code[self._chosen]

    def of(self, items: Array) -> ChosenLabels:
        return ChosenLabels(self, items)
