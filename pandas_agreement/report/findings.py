"""The findings of a report: those of `diagnose`, and their counterparts for other coefficients and options.

`diagnose` applies to nominal alpha with the default interval. For another main coefficient, partial credit or another
interval, the rules about the estimate and its interval are applied here to the main coefficient of the report.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.breakdown.coder_tests import coder_tests, score_tests_of_coders
from pandas_agreement.breakdown.diagnose import (
    ADVICE,
    MIN_ITEMS,
    NOT_FOR,
    OPEN,
    RULES,
    SEVERITIES,
    TRAIN_SCORER,
    Rule,
    items_needed,
    out_of_line,
)
from pandas_agreement.breakdown.evidence import Evidence
from pandas_agreement.breakdown.marginal_tests import MAX_CATEGORIES
from pandas_agreement.coefficients.registry import find
from pandas_agreement.core.remarks import remarks_in
from pandas_agreement.data.reading import scores_of
from pandas_agreement.engine import distance_for
from pandas_agreement.errors import Explained, collect_warnings
from pandas_agreement.formatting import coefficient_name, count, each, label_text, number, p_words
from pandas_agreement.hypothesis_tests.exchangeable import MIN_LABELS
from pandas_agreement.interpreting import family
from pandas_agreement.planning.sample_size import more_items
from pandas_agreement.report.data import ReportData

ABOUT_INTERVAL = {"undefined", "low agreement", "wide interval"}
PARADOX, OUT_OF_LINE = "high agreement, low kappa", "coder out of line"
ABOUT_ALPHA = {*ABOUT_INTERVAL, PARADOX, OUT_OF_LINE}
ABOUT_EQUALITY = {"category nobody agrees on", "category no better than chance"}
ABOUT_CATEGORIES = ABOUT_EQUALITY | {"label of one coder only", "rare category", "margins differ"}
ABOUT_CATEGORIES |= {"coder who hardly varies", "same label, spelt differently"}
PAIR_COST = 270  # fixed cost of the test of a pair, in cells of its table
MAX_TEST_CELLS = 5_000_000  # cost of the tests of all pairs
LEVEL = 0.05  # significance level
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
    """The findings of all data together, the most severe first."""
    found = [*_own(data), *_diagnosed(data.evidence, _rules(data, 1)), *_in_between(data)]
    return _ranked(found)


def group_findings(data: ReportData) -> list[Finding]:
    """The findings within each group."""
    if data.group_evidence is None or data.grouped is None:
        return []
    found: list[Finding] = []
    rows = [] if data.plain else zip(each(data.by_group), data.group_evidence.varied >= MIN_ITEMS, strict=True)
    for ((*group, _), row), enough in rows:
        found += _about(data, row, enough, tuple(group))
    found += _diagnosed(data.group_evidence, _rules(data, data.grouped.ratings.n_groups))
    return _ranked(found)


def _ranked(findings: Iterable[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda finding: SEVERITIES.index(finding.severity))


def skipped(data: ReportData) -> str:
    """Why the tests of pairs of coders are left out; empty if they are not."""
    groups = 1 if data.grouped is None else data.grouped.ratings.n_groups
    if data.asked.scores or data.asked.sets or not _is_too_much(data, groups):
        return ""
    where = "" if _is_too_much(data, 1) else " within the groups"
    what = "categories" if len(data.labels) > MAX_CATEGORIES else "pairs"
    return f"Whether pairs of coders use the categories at different rates{where}: there are too many {what}."


def _is_too_much(data: ReportData, n_groups: int) -> bool:
    n, k = len(data.coders), len(data.labels)
    return k > MAX_CATEGORIES or n * (n - 1) // 2 * n_groups * (PAIR_COST + k * k) > MAX_TEST_CELLS


def _rules(data: ReportData, n_groups: int) -> list[Rule]:
    """The rules of `diagnose` that apply to these labels."""
    left_out = _not_in_report(data) if data.nominal else ABOUT_ALPHA | ABOUT_EQUALITY
    if data.asked.scores or data.asked.sets:
        left_out = ABOUT_ALPHA | ABOUT_CATEGORIES | ({"two camps"} if data.asked.scores else set())
    left_out = left_out | (NOT_FOR["open"] if data.asked.open else {OPEN})
    if "margins differ" not in left_out and _is_too_much(data, n_groups):
        left_out = left_out | {"margins differ"}
    return [rule for rule in RULES if rule.name not in left_out]


def _not_in_report(data: ReportData) -> set[str]:
    """Rules about coefficients or intervals that the report does not have."""
    left_out = set() if data.plain else set(ABOUT_INTERVAL)
    return left_out | (set() if any(record.name == "kappa" for record in data.asked.records) else {PARADOX})


def _diagnosed(evidence: Evidence, rules: Sequence[Rule]) -> Iterator[Finding]:
    """Apply rules of `diagnose`."""
    for rule in rules:
        if rule.needs_coders and not evidence.identified:
            continue
        with collect_warnings():  # an undefined result is a finding of its own
            rows = rule.rows(evidence)
        if rows.empty:
            continue
        keys = [key for key in evidence.keys if key in rows]
        groups = list(zip(*(rows[key] for key in keys), strict=True)) if keys else [()] * len(rows)
        for group, about, text in zip(groups, rows["about"], rows["evidence"], strict=True):
            yield Finding(rule.name, str(about), rule.severity, text, rule.advice, tuple(group))


def _own(data: ReportData) -> list[Finding]:
    if data.plain:
        return []
    found = _about(data, data.row(data.main), bool((data.evidence.varied >= MIN_ITEMS).all()))
    if not data.nominal:
        found += _out_of_line(data)
    return [*found, *_levels(data)] if data.asked.scores else found


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

    That is Krippendorff's for alpha and kappas, and Koo and Li's for the ICC. NaN for coefficients without a benchmark:
    these are never low.
    """
    if data.request.at_least is not None:
        return data.request.at_least
    of = family(data.main.name)
    return float("nan") if of is None else 0.5 if of == "icc" else 0.667


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
        yield _finding("agreement that may be too low", "", evidence, _more(data, row, least))
    elif data.main.name == "alpha" and data.request.at_least is None and least <= row.ci_low and row.ci_high < GOOD:
        evidence = f"{start}, its interval ends at {number(row.ci_high)}, below the {GOOD} that Krippendorff asks for"
        advice = "draw tentative conclusions only, or improve agreement where the sections below show it to be low"
        yield _finding("agreement for tentative conclusions", "", evidence, advice, "low")


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


def _out_of_line(data: ReportData) -> Iterator[Finding]:
    """By partial credit or squared differences, with the test of `diagnose`."""
    advice = TRAIN_SCORER if data.asked.scores else ""
    if untested(data):
        return
    for _, row in out_of_line(_gaps(data).reset_index(), _threshold(OUT_OF_LINE)).iterrows():
        yield _finding(OUT_OF_LINE, label_text(row["coder"]), row["evidence"], advice)


def _gaps(data: ReportData) -> pd.DataFrame:
    if data.asked.scores:
        return score_tests_of_coders(data.counted, scores_of(data.counted, "report"))
    record = data.main if data.main.accepts("weights") or data.main.accepts("level") else find("alpha")
    return coder_tests(data.counted, distance_for(record, data.counted, data.asked.options, quiet=True))


def untested(data: ReportData) -> str:
    """Why no coder is called out of line; empty if all are tested."""
    sizes, coders = data.counted.ratings.sizes, len(data.active)
    several = int(np.count_nonzero(sizes >= MIN_LABELS))
    if not data.identified:
        reason = "the data do not say who gave which label"
    elif coders < MIN_LABELS:
        reason = f"it takes three coders, and there {'is' if coders == 1 else 'are'} {coders}"
    elif several < MIN_ITEMS:
        reason = f"it takes {MIN_ITEMS} items with three or more labels, and there are {several}"
    else:
        return ""
    return f"Whether one of the coders is out of line was not tested: {reason}."


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


def _levels(data: ReportData) -> Iterator[Finding]:
    """The coders' mean scores differ."""
    if data.p_of_levels < LEVEL:
        evidence = f"the mean scores of the coders differ (F test, {p_words(data.p_of_levels)})"
        advice = "look at the differences in the table of coders; agree on anchors of the scale, or centre their scores"
        yield _finding("coders differ in level", "", evidence, advice)
