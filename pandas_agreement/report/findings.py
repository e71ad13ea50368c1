"""The findings of a report: those of `diagnose`, and their counterparts for other coefficients and options.

`diagnose` applies to nominal alpha with the default interval. For another main coefficient, partial credit or another
interval, the rules about the estimate and its interval are applied here to the main coefficient of the report.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import pandas as pd

from pandas_agreement.breakdown.camps import MIN_ITEMS
from pandas_agreement.breakdown.diagnose import (
    ADVICE,
    RULES,
    Rule,
    items_needed,
    rules_for,
)
from pandas_agreement.breakdown.evidence import Evidence
from pandas_agreement.breakdown.marginal_tests import MAX_CATEGORIES
from pandas_agreement.core.remarks import remarks_in
from pandas_agreement.errors import Explained, collect_warnings
from pandas_agreement.formatting import coefficient_name, count, each, number
from pandas_agreement.interpreting import family
from pandas_agreement.planning.sample_size import more_items
from pandas_agreement.report.data import ReportData

ABOUT_INTERVAL = {"undefined", "low agreement", "wide interval"}
PARADOX = "high agreement, low kappa"
ORDER = {rule.name: place for place, rule in enumerate(RULES)}
BETWEEN = "agreement that may be too low", "agreement for tentative conclusions"
ORDER |= dict.fromkeys(BETWEEN, ORDER["low agreement"]) | {"coders differ in level": ORDER["margins differ"]}
GOOD = 0.8  # least alpha for reliable data (Krippendorff)
MAX_TIMES_MORE = 20  # times the present items or coders; a larger sample size is not given as a number
MORE_CODERS = "have more coders label the items: the interval treats the coders as a random sample"


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
    found = [*_own(data), *_diagnosed(data.evidence, _rules(data)), *_in_between(data)]
    return _ranked(found)


def group_findings(data: ReportData) -> list[Finding]:
    """The findings within each group."""
    if data.group_evidence is None or data.grouped is None:
        return []
    found: list[Finding] = []
    rows = [] if data.plain else zip(each(data.by_group), data.group_evidence.varied >= MIN_ITEMS, strict=True)
    for ((*group, _), row), enough in rows:
        found += _about(data, row, enough, tuple(group))
    found += _diagnosed(data.group_evidence, _rules(data))
    return _ranked(found)


def _ranked(findings: Iterable[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda finding: ORDER[finding.name])


def skipped(data: ReportData) -> str:
    """Why label distributions are not compared; empty if they are."""
    if data.kind in ("scores", "sets") or len(data.labels) <= MAX_CATEGORIES:
        return ""
    return "Whether coders use the categories at different rates: there are too many categories."


def _rules(data: ReportData) -> list[Rule]:
    """The rules of `diagnose` that apply to these labels, without those about results that the report does not have."""
    left_out = set() if data.plain else set(ABOUT_INTERVAL)
    left_out |= set() if any(record.name == "kappa" for record in data.asked.records) else {PARADOX}
    return [rule for rule in rules_for(data.kind) if rule.name not in left_out]


def _diagnosed(evidence: Evidence, rules: Sequence[Rule]) -> Iterator[Finding]:
    """Apply rules of `diagnose`."""
    groups = evidence.reading.groups
    keys = [()] if groups is None else groups.to_frame(index=False).itertuples(index=False, name=None)
    names = dict(enumerate(keys))
    for rule in rules:
        with collect_warnings():  # an undefined result is a finding of its own
            rows = rule.found(evidence)
        for group, about, severity, text in rows.keys("about", "severity", "evidence") if len(rows) else ():
            yield Finding(rule.name, about, severity, text, rule.advice, names.get(group, ()))


def _own(data: ReportData) -> list[Finding]:
    if data.plain:
        return []
    return _about(data, data.row(data.main), bool((data.evidence.varied >= MIN_ITEMS).all()))


def _about(data: ReportData, row: Any, enough: bool, group: tuple[Any, ...] = ()) -> list[Finding]:
    """The findings about an estimate and its interval; `enough`: items that vary."""
    rules = (_undefined, _low, _wide) if enough and not data.asked.open else (_undefined, _wide)
    return [replace(one, group=group) for rule in rules for one in rule(data, row)]


def _finding(name: str, about: str, evidence: str, advice: str = "", severity: str = "medium") -> Finding:
    severity = next((rule.severity for rule in RULES if rule.name == name), severity)
    return Finding(name, about, severity, evidence, advice or ADVICE[name])


def _undefined(data: ReportData, row: Any) -> Iterator[Finding]:
    if pd.isna(row.estimate):
        yield _finding("undefined", "", f"{coefficient_name(data.main)} is undefined: {remarks_in(row.remarks)[0]}")


def bar(data: ReportData) -> float:
    """The value below which the main coefficient is low: what the user asks for, else a conventional one.

    It is Krippendorff's, whatever the level of measurement. NaN for coefficients without a benchmark: these are never
    low.
    """
    if data.request.at_least is not None:
        return data.request.at_least
    return float("nan") if family(data.main.name) is None else _threshold("low agreement")


def _low(data: ReportData, row: Any) -> Iterator[Finding]:
    """The interval ends below the bar; without an interval nothing is said."""
    least, start = bar(data), f"{coefficient_name(data.main)} is {number(row.estimate)}"
    if row.ci_high < least:
        yield _finding("low agreement", "", f"{start}, its interval ends at {number(row.ci_high)}, below {least:g}")


def _in_between(data: ReportData) -> Iterator[Finding]:
    """Neither clearly low nor good; a wide interval is a finding of its own."""
    row, least = data.row(data.main), bar(data)
    if data.asked.open:
        return
    start = f"{coefficient_name(data.main)} is {number(row.estimate)}"
    if row.ci_high - row.ci_low > _threshold("wide interval"):
        return
    if row.ci_low < least <= row.ci_high:
        ends = f"{number(row.ci_low)} to {number(row.ci_high)}"
        evidence = f"{start}, and its interval, {ends}, is not clearly below or above {least:g}"
        yield _finding(BETWEEN[0], "", evidence, _more(data, row, least))
    elif data.main.name == "alpha" and data.request.at_least is None and least <= row.ci_low and row.ci_high < GOOD:
        evidence = f"{start}, its interval ends at {number(row.ci_high)}, below the {GOOD} that Krippendorff asks for"
        advice = "draw tentative conclusions only, or improve agreement where the sections below show it to be low"
        yield _finding(BETWEEN[1], "", evidence, advice, "low")


def _more(data: ReportData, row: Any, least: float) -> str:
    """Advice on the sample size at which the interval would exclude the bar, if the estimate does not change."""
    width = 2 * abs(row.estimate - least)
    if 0 < width < 2 and row.ci_low < row.ci_high:
        needed = _further(data, row, width)
        if needed.note:
            return f"{MORE_CODERS}; {needed.note}"
        if 0 < needed.more_items <= MAX_TIMES_MORE * row.n_items:
            more = count(needed.more_items, "more item")
            return f"have more items labelled: about {more}, if the estimate does not change"
    return "have more items labelled; a clear answer would need very many"


def _further(data: ReportData, row: Any, width: float) -> Any:
    """The row of `more_items`: how many items an interval of this width takes."""
    result = pd.DataFrame([row._asdict()], index=pd.Index([data.main.name], name="coefficient"))
    return next(more_items(result, width).itertuples(index=False))


def _threshold(name: str) -> float:
    return next(rule.threshold for rule in RULES if rule.name == name)


def _wide(data: ReportData, row: Any) -> Iterator[Finding]:
    most, name = _threshold("wide interval"), coefficient_name(data.main)
    width = row.ci_high - row.ci_low
    if width > most:
        ends = f"{number(row.ci_low)} and {number(row.ci_high)}"
        evidence = f"with {count(row.n_items, 'item')} {name} lies between {ends}"
        promise, advice = _promise(data, row, width, most)
        yield _finding("wide interval", "", f"{evidence}; {promise}" if promise else evidence, advice)


def _promise(data: ReportData, row: Any, width: float, target: float) -> tuple[str, str]:
    """How many items or coders would bring the interval to a width, and the advice."""
    if not data.main.random_coders:
        return f"about {items_needed(row.n_items, width, target):,} items would bring that to {target}", ""
    found = _further(data, row, target)
    if found.note:
        return found.note, MORE_CODERS
    return f"about {found.needed_items:,} items would bring that to {target}", ""
