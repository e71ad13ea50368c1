"""A report in the making: its data, the findings, and what had to be left out."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from pandas_agreement.errors import Explained
from pandas_agreement.report.data import ReportData
from pandas_agreement.report.findings import Finding, all_findings


class Page:
    """What the sections share.

    `say` puts errors and warnings into words; `left_out` is what the data cannot tell, with the reason.
    """

    def __init__(self, data: ReportData, say: Callable[[Explained], str]) -> None:
        self.data, self.say = data, say
        self.left_out: dict[str, str] = {}

    @cached_property
    def findings(self) -> list[Finding]:
        return all_findings(self.data)
