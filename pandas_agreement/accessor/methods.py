"""All methods together; the classes of the input formats inherit them."""

from __future__ import annotations

from pandas_agreement.accessor.breakdown import BreakdownMethods
from pandas_agreement.accessor.coefficients import CoefficientMethods
from pandas_agreement.accessor.comparing import ComparingMethods
from pandas_agreement.accessor.inferring import TruthMethods
from pandas_agreement.accessor.names import as_html, as_text, groups_for
from pandas_agreement.accessor.plots import KINDS, PlotMethods
from pandas_agreement.accessor.reporting import ReportMethods
from pandas_agreement.accessor.scores import ScoreMethods
from pandas_agreement.accessor.tests import TESTS, TestMethods


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
