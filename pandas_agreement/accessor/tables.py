"""Tables of counts and cells with all ratings of an item: all methods that these formats allow."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import pandas as pd

from pandas_agreement import data
from pandas_agreement.accessor.methods import OfFrame, OfGroupedFrame, without_coders
from pandas_agreement.coefficients.registry import Coefficient
from pandas_agreement.data.grouping import Groups
from pandas_agreement.errors import InputError
from pandas_agreement.options import OPTIONS, Options


class CrosstabAgreement(OfFrame):
    """Agreement in the contingency table of two coders."""

    __slots__ = ()

    _unused = ("by", "frequency", "clusters", "cells")
    _format = "a crosstab"

    def _check_items(self) -> None:
        raise InputError("a crosstab has no items", "give the data with one row per item or judgment")

    def _reading(self, coders: Sequence[Hashable], options: Options, needs: data.Needs) -> data.Reading:
        if coders:
            raise InputError("a crosstab is about two coders already", f"leave out {', '.join(map(repr, coders))}")
        return data.read_crosstab(self._obj, options.categories)


class WithoutCoders(OfGroupedFrame):
    """A format that does not say who gave which label."""

    __slots__ = ()

    _unused = ("cells",)

    def _records(self, metrics: str | Sequence[str] | None, weights: Any) -> list[Coefficient]:
        records = super()._records(metrics, weights)
        return without_coders(records) if metrics is None else records


class CountsAgreement(WithoutCoders):
    """Agreement in a table of counts with one column per category."""

    __slots__ = ("_names",)

    def __init__(self, frame: pd.DataFrame, by: Groups | None = None, names: Sequence[Hashable] = ()) -> None:
        super().__init__(frame, by)
        self._names = names

    _format = "a table of counts"

    def _labels_of(self, read: data.Reading) -> list[Hashable]:
        return list(self._names) or [name for name in read.category_set.labels if name in self._obj.columns]

    def _reading(self, coders: Sequence[Hashable], options: Options, needs: data.Needs) -> data.Reading:
        if coders:
            raise InputError("a table of counts does not hold the coders, so none can be chosen")
        return data.read_counts(self._obj, self._names, options)


class CellsAgreement(WithoutCoders):
    """Agreement in a column with all ratings of an item in one cell."""

    __slots__ = ("_column", "_sep")

    def __init__(self, frame: pd.DataFrame, column: Hashable, sep: str | None = None, by: Groups | None = None) -> None:
        super().__init__(frame, by)
        self._column = column
        self._sep = OPTIONS["sep"].check("sep", sep)

    _format = "a list of ratings in one cell"

    def _labels_of(self, read: data.Reading) -> list[Hashable]:
        return [self._column]

    def _reading(self, coders: Sequence[Hashable], options: Options, needs: data.Needs) -> data.Reading:
        if coders:
            raise InputError("the raters are anonymous, so none can be chosen", code="anonymous")
        return data.read_lists(self._obj, self._column, self._sep, options, needs)
