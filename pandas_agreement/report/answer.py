"""The first line of a report with `at_least`: whether agreement is as high as the user asked for."""

from __future__ import annotations

from typing import Any

import pandas as pd

from pandas_agreement import formatting as fmt
from pandas_agreement.core.remarks import remarks_in
from pandas_agreement.interpreting import DIGITS, verdicts
from pandas_agreement.report.data import ReportData

NAMES, STEPS = "if the numbers are names (nominal level)", "if they are steps of a scale (ordinal level)"
ENDS = {"yes": "which is at least", "no": "which is below", "not settled": "which contains"}


def answer(data: ReportData) -> str:
    """Yes, no or not settled, with the estimate and its interval; the reason where there is none of these."""
    found, text = _one(data.row(data.main), data.title, data)
    if data.as_steps is not None:
        other, more = _one(data.as_steps, "it", data)
        found = found if found == other else "not settled"
        text = f"{NAMES}, {text}; {STEPS}, {more}"
    return f"{found.capitalize()}: {text}."


def _one(row: Any, name: str, data: ReportData) -> tuple[str, str]:
    """The answer for one row, and the text after it."""
    asked = float(data.request.at_least or 0)
    least = f"{asked:g}"
    reason = f" ({remarks_in(row.remarks)[0]})" if row.remarks else ""
    if pd.isna(row.estimate):
        return "no answer", f"{name} is undefined{reason} and cannot be compared with {least}"
    if pd.isna(row.ci_low):
        start = f"{name} is {fmt.number(row.estimate)}"
        return "not settled", f"{start} and has no interval{reason} to compare with {least}"
    [found] = verdicts([row.ci_low], [row.ci_high], asked)
    digits = _digits(row, asked)
    ends = f"{fmt.level(data.summary)} CI [{fmt.number(row.ci_low, digits)}, {fmt.number(row.ci_high, digits)}]"
    return found, f"{name} is {fmt.number(row.estimate, digits)}, {ends}, {ENDS[found]} {least}"


def _digits(row: Any, least: float) -> int:
    """Digits with which the bounds are seen to be on their side of the number."""
    bounds = [round(bound, DIGITS) for bound in (row.ci_low, row.ci_high)]
    fits = (n for n in range(3, DIGITS) if all((round(x, n) >= least) == (x >= least) for x in bounds))
    return next(fits, DIGITS)
