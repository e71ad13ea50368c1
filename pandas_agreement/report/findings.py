"""The findings of a report: those of `diagnose`, about its main coefficient; and the answer to `at_least`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import pandas as pd

from pandas_agreement import formatting as fmt
from pandas_agreement.breakdown.diagnose import (
    RULES,
    Rule,
    rules_for,
)
from pandas_agreement.breakdown.evidence import Evidence
from pandas_agreement.breakdown.marginal_tests import MAX_CATEGORIES
from pandas_agreement.core.remarks import remarks_in
from pandas_agreement.errors import Explained, collect_warnings
from pandas_agreement.interpreting import DIGITS, family, verdicts
from pandas_agreement.planning.sample_size import more_items
from pandas_agreement.report.data import ReportData
from pandas_agreement.results.tidy import level_of

PARADOX, LOW, WIDE = "high agreement, low kappa", "low agreement", "wide interval"
RULE_OF = {rule.name: rule for rule in RULES}
NAMES, STEPS = "if the numbers are names (nominal level)", "if they are steps of a scale (ordinal level)"
ENDS = {"yes": "which is at least", "no": "which is below", "not settled": "which contains"}
MAX_TIMES_MORE = 20  # times the present items; a larger sample size is not given as a number


@dataclass(frozen=True)
class Finding:
    """A finding: its name, the coder or category, the evidence in numbers and the advice."""

    name: str
    about: str
    severity: str
    evidence: str
    advice: str
    group: tuple[Any, ...] = ()


class Page:
    """The state that the sections of a report share.

    `explain` formats errors and warnings; `left_out` maps what the report does not have to the reason.
    """

    def __init__(self, data: ReportData, explain: Callable[[Explained], str]) -> None:
        self.data, self.explain = data, explain
        self.left_out: dict[str, str] = {}

    @cached_property
    def findings(self) -> list[Finding]:
        return all_findings(self.data)


def all_findings(data: ReportData) -> list[Finding]:
    """The findings of all data together, in the order of `diagnose`."""
    return list(_diagnosed(data.evidence, _rules(data)))


def group_findings(data: ReportData) -> list[Finding]:
    """The findings within each group."""
    return [] if data.group_evidence is None else list(_diagnosed(data.group_evidence, _rules(data)))


def skipped(data: ReportData) -> str:
    """Why label distributions are not compared; empty if they are."""
    if data.kind in ("scores", "sets") or len(data.labels) <= MAX_CATEGORIES:
        return ""
    return "Whether coders use the categories at different rates: there are too many categories."


def bar(data: ReportData) -> float:
    """The value below which the main coefficient is low: what the user asks for, else a conventional one.

    It is Krippendorff's, whatever the level of measurement. NaN for coefficients without a benchmark: these are never
    low.
    """
    if data.request.at_least is not None:
        return data.request.at_least
    return float("nan") if family(data.main.name) is None else RULE_OF[LOW].threshold


def _rules(data: ReportData) -> list[Rule]:
    """The rules of `diagnose` that apply to these labels, without those about results that the report does not have."""
    has_kappa = any(record.name == "kappa" for record in data.asked.records)
    rules = [rule for rule in rules_for(data.kind) if has_kappa or rule.name != PARADOX]
    return [replace(rule, threshold=bar(data)) if rule.name == LOW else rule for rule in rules]


def _diagnosed(evidence: Evidence, rules: Sequence[Rule]) -> Iterator[Finding]:
    """Apply rules of `diagnose`."""
    groups = evidence.reading.groups
    keys = [()] if groups is None else groups.to_frame(index=False).itertuples(index=False, name=None)
    names = dict(enumerate(keys))
    for rule in rules:
        with collect_warnings():  # an undefined result is a finding of its own
            rows = rule.found(evidence)
        told = rows.keys("about", "severity", "evidence", "advice") if len(rows) else ()
        for group, about, severity, text, advice in told:
            yield Finding(rule.name, about, severity, text, advice, names.get(group, ()))


def sample_size(data: ReportData) -> str:
    """How many items settle whether agreement is high enough; empty if it is settled, or the interval is wide."""
    row, least = data.row(data.main), bar(data)
    if (
        data.kind == "open"
        or not row.ci_low < least <= row.ci_high
        or row.ci_high - row.ci_low > RULE_OF[WIDE].threshold
    ):
        return ""
    start, width = f"To settle whether {data.title} is at least {least:g}, have", 2 * abs(row.estimate - least)
    if not 0 < width < 2:
        return ""
    result = pd.DataFrame([row._asdict()], index=pd.Index([data.main.name], name="coefficient"))
    more = more_items(result, width)["more_items"].iloc[0]
    if pd.isna(more) or not more:  # more coders are needed
        return ""
    if more > MAX_TIMES_MORE * row.n_items:
        return f"{start} very many more items labelled."
    return f"{start} about {fmt.count(more, 'more item')} labelled, if the estimate does not change."


# ------------------------------------------------------------------------------------------------------ the answer
def answer(data: ReportData) -> str:
    """Whether agreement is as high as was asked for: yes, no or not settled, with the estimate and its interval.

    Where there is none of these, the reason.
    """
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
    ends = f"{level_of(data.summary)}CI [{fmt.number(row.ci_low, digits)}, {fmt.number(row.ci_high, digits)}]"
    return found, f"{name} is {fmt.number(row.estimate, digits)}, {ends}, {ENDS[found]} {least}"


def _digits(row: Any, least: float) -> int:
    """Digits with which the bounds are seen to be on their side of the number."""
    bounds = [round(bound, DIGITS) for bound in (row.ci_low, row.ci_high)]
    fits = (n for n in range(3, DIGITS) if all((round(x, n) >= least) == (x >= least) for x in bounds))
    return next(fits, DIGITS)
