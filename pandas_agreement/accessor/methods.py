"""All methods together; the classes of the input formats inherit them."""

from __future__ import annotations

import pandas as pd

from pandas_agreement.accessor.breakdown import BreakdownMethods
from pandas_agreement.accessor.coefficients import CoefficientMethods
from pandas_agreement.accessor.comparing import ComparingMethods
from pandas_agreement.accessor.inferring import TruthMethods
from pandas_agreement.accessor.names import as_html, as_text, groups_for
from pandas_agreement.accessor.plots import KINDS, PlotMethods
from pandas_agreement.accessor.reporting import ReportMethods
from pandas_agreement.accessor.scores import ScoreMethods
from pandas_agreement.accessor.tests import TESTS, TestMethods
from pandas_agreement.data.grouping import Groups


class Methods(
    ReportMethods,
    CoefficientMethods,
    BreakdownMethods,
    ScoreMethods,
    ComparingMethods,
    TruthMethods,
    TestMethods,
    PlotMethods,
):
    """All methods."""

    __slots__ = ()

    def __dir__(self) -> list[str]:
        return [name for group in groups_for(type(self)) for name in group.names]

    def __repr__(self) -> str:
        return as_text(self._title, groups_for(type(self)), self._parts)

    def _repr_html_(self) -> str:
        return as_html(self._title, groups_for(type(self)), self._parts)

    @property
    def _title(self) -> str:
        return (type(self).__doc__ or "").partition("\n")[0]

    @property
    def _parts(self) -> dict[str, list[str]]:
        """The names in namespaces."""
        return {"test": list(TESTS), "plot": KINDS}


class OfFrame(Methods):
    """All methods on a frame that may have been grouped before; holds no computed values."""

    __slots__ = ("_by", "_obj")

    def __init__(self, frame: pd.DataFrame, by: Groups | None = None) -> None:
        self._obj, self._by = frame, by

    @property
    def _frame(self) -> pd.DataFrame:
        return self._obj

    @property
    def _is_grouped(self) -> bool:
        return self._by is not None

    @property
    def _made_groups(self) -> Groups | None:
        return self._by

    @property
    def _as_index(self) -> bool:
        return self._by is None or self._by.as_index
