"""What stands out: the findings of `diagnose`, and their counterparts for other coefficients and options.

`diagnose` is about alpha of labels that are equal or not, with its usual interval. Where the report is about another
coefficient, partial credit or another interval, these rules are put to the row that the report speaks about first.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import pandas as pd

from pandas_agreement.breakdown.diagnose import ADVICE, RULES, SEVERITIES, Evidence, Rule, items_needed
from pandas_agreement.errors import AgreementWarning, Explained
from pandas_agreement.formatting import coefficient_name, count, each, label_text, notes_of, number, p_words
from pandas_agreement.planning.sample_size import more_items
from pandas_agreement.report.data import ReportData

ABOUT_INTERVAL = {"undefined", "low agreement", "wide interval"}
PARADOX, OUT_OF_LINE = "high agreement, low kappa", "coder out of line"
ABOUT_ALPHA = {*ABOUT_INTERVAL, PARADOX, OUT_OF_LINE}
ABOUT_EQUALITY = {"category nobody agrees on", "category no better than chance"}
ABOUT_CATEGORIES = {
    *ABOUT_EQUALITY,
    "label of one coder only",
    "rare category",
    "margins differ",
    "coder who hardly varies",
    "same label, spelt differently",
}
PAIR_COST = 270  # a test of a pair costs as much as so many cells of its table
MAX_TEST_CELLS = 5_000_000
LEVEL = 0.05  # of a test
GOOD = 0.8  # what Krippendorff asks of alpha
MAX_TIMES_MORE_ITEMS = 20  # the items at hand: of so many more nobody needs to know the number
MORE_CODERS = "have more coders label the items: the interval speaks about other coders too"
OF_SCORES = {OUT_OF_LINE: "look at limits() and disagreements(), and train this coder again"}


@dataclass(frozen=True)
class Finding:
    """What was found, about whom, the numbers behind it and what to do."""

    name: str
    about: str
    severity: str
    evidence: str
    advice: str
    group: tuple[Any, ...] = ()


class Page:
    """A report in the making: what its sections share.

    `say` puts errors and warnings into words; `left_out` is what the data cannot tell, with the reason.
    """

    def __init__(self, data: ReportData, say: Callable[[Explained], str]) -> None:
        self.data, self.say = data, say
        self.left_out: dict[str, str] = {}

    @cached_property
    def findings(self) -> list[Finding]:
        return all_findings(self.data)


def all_findings(data: ReportData) -> list[Finding]:
    """The findings of all data together, the worst first."""
    found = [*_own(data), *_looked(data.evidence, _rules(data, 1)), *_in_between(data)]
    return sorted(found, key=lambda one: SEVERITIES.index(one.severity))


def group_findings(data: ReportData) -> list[Finding]:
    """The findings within each group."""
    if data.group_evidence is None or data.grouped is None:
        return []
    found: list[Finding] = []
    for (*group, _), row in each(data.by_group) if not data.plain else ():
        found += _about(data, row, tuple(group))
    found += _looked(data.group_evidence, _rules(data, data.grouped.ratings.n_groups))
    return sorted(found, key=lambda one: SEVERITIES.index(one.severity))


def skipped(data: ReportData) -> str:
    """Which rules cost too much, and why; empty if none does."""
    groups = 1 if data.grouped is None else data.grouped.ratings.n_groups
    if data.asked.scores or data.asked.sets or not _pairs_are_many(data, groups):
        return ""
    where = "" if _pairs_are_many(data, 1) else " within the groups"
    return f"Whether pairs of coders use the categories at different rates{where}: homogeneity() tests so many pairs."


def _pairs_are_many(data: ReportData, n_groups: int) -> bool:
    n, k = len(data.coders), len(data.labels)
    return n * (n - 1) // 2 * n_groups * (PAIR_COST + k * k) > MAX_TEST_CELLS


def _rules(data: ReportData, n_groups: int) -> list[Rule]:
    """The rules of `diagnose` that mean something for these labels."""
    left_out = _not_in_report(data) if data.nominal else ABOUT_ALPHA | ABOUT_EQUALITY
    if data.asked.scores or data.asked.sets:
        left_out = ABOUT_ALPHA | ABOUT_CATEGORIES
    if _pairs_are_many(data, n_groups):
        left_out = left_out | {"margins differ"}
    return [rule for rule in RULES if rule.name not in left_out]


def _not_in_report(data: ReportData) -> set[str]:
    """Rules about coefficients or intervals that the report does not have."""
    left_out = set() if data.plain else set(ABOUT_INTERVAL)
    left_out |= set() if data.main.name == "alpha" else {OUT_OF_LINE}
    return left_out | (set() if any(record.name == "kappa" for record in data.asked.records) else {PARADOX})


def _looked(evidence: Evidence, rules: Sequence[Rule]) -> Iterator[Finding]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AgreementWarning)  # what is undefined is a finding of its own
        for rule in rules:
            if rule.needs_coders and not evidence.identified:
                continue
            rows = rule.look(evidence, rule.threshold)
            keys = [key for key in evidence.keys if key in rows]
            groups = list(zip(*(rows[key] for key in keys), strict=True)) if keys else [()] * len(rows)
            for group, about, said in zip(groups, rows["about"], rows["evidence"], strict=True):
                yield Finding(rule.name, str(about), rule.severity, said, rule.advice, tuple(group))


# ------------------------------------------------------------------------- about the coefficient of the report


def _own(data: ReportData) -> list[Finding]:
    if data.plain:
        return []
    found = _about(data, data.row(data.main))
    if not data.nominal or data.main.name != "alpha":
        found += _out_of_line(data)
    return [*found, *_levels(data)] if data.asked.scores else found


def _about(data: ReportData, row: Any, group: tuple[Any, ...] = ()) -> list[Finding]:
    """What the estimate and its interval say."""
    found = [*_undefined(data, row), *_low(data, row), *_wide(data, row)]
    return [replace(one, group=group) for one in found]


def _said(name: str, about: str, evidence: str, advice: str = "", severity: str = "medium") -> Finding:
    severity = next((rule.severity for rule in RULES if rule.name == name), severity)
    return Finding(name, about, severity, evidence, advice or ADVICE[name])


def _undefined(data: ReportData, row: Any) -> Iterator[Finding]:
    if pd.isna(row.estimate):
        name = coefficient_name(data.main)
        yield _said("undefined", "", f"{name} is undefined: {notes_of(row.note)[0]}")


def bar(data: ReportData) -> float:
    """Below this the main coefficient is low: Krippendorff's least for alpha and its like, Koo and Li's for the ICC.

    NaN, and so never, for coefficients whose values nobody has put words to.
    """
    if not data.scale(data.main):
        return float("nan")
    return 0.5 if data.main.needs_numbers else 0.667


def _low(data: ReportData, row: Any) -> Iterator[Finding]:
    """The interval ends below the bar; where none was asked for, the estimate itself is below it."""
    least, start = bar(data), f"{coefficient_name(data.main)} is {number(row.estimate)}"
    if data.asked.options.ci is None:
        if row.estimate < least:
            yield _said("low agreement", "", f"{start}, below {least}")
    elif row.ci_high < least:
        yield _said("low agreement", "", f"{start}, its interval ends at {number(row.ci_high)}, below {least}")


def _in_between(data: ReportData) -> Iterator[Finding]:
    """Neither clearly low nor what one asks for; a wide interval is a finding of its own."""
    row, least = data.row(data.main), bar(data)
    start = f"{coefficient_name(data.main)} is {number(row.estimate)}"
    if row.ci_high - row.ci_low > _threshold("wide interval"):
        return
    if row.ci_low < least <= row.ci_high:
        ends = f"{number(row.ci_low)} to {number(row.ci_high)}"
        said = f"{start}, and its interval, {ends}, is not clearly below or above {least}"
        yield _said("agreement that may be too low", "", said, _more(data, row, least))
    elif data.main.name == "alpha" and least <= row.estimate < GOOD:
        said = f"{start}, below the {GOOD} that Krippendorff asks for"
        advice = "draw tentative conclusions only, or find out below where agreement breaks and mend it"
        yield _said("agreement for tentative conclusions", "", said, advice, "low")


def _more(data: ReportData, row: Any, least: float) -> str:
    """How many more items would tell on which side of the bar the coefficient is, if it stays where it is."""
    width = 2 * abs(row.estimate - least)
    if not _of_items(data):
        return MORE_CODERS
    if 0 < width < 2 and row.se > 0:
        needed = more_items(data.summary.loc[[data.main.name]], width)["more_items"].iloc[0]
        if 0 < needed <= MAX_TIMES_MORE_ITEMS * row.n_items:
            return f"have more items labelled: if it stays where it is, about {count(needed, 'more item')} would tell"
    return "have more items labelled; it would take very many to tell"


def _threshold(name: str) -> float:
    return next(rule.threshold for rule in RULES if rule.name == name)


def _out_of_line(data: ReportData) -> Iterator[Finding]:
    whole, name = data.row(data.main).estimate, coefficient_name(data.main)
    if data.main.perfect is None:  # more is not better
        return
    advice = OF_SCORES[OUT_OF_LINE] if data.asked.scores else ""
    for coder, value in data.without["estimate"].items():
        if value - whole >= _threshold(OUT_OF_LINE):
            said = f"{name} rises by {number(value - whole)} to {number(value)} without {coder!r}"
            yield _said(OUT_OF_LINE, label_text(coder), said, advice)


def _wide(data: ReportData, row: Any) -> Iterator[Finding]:
    most, name = _threshold("wide interval"), coefficient_name(data.main)
    width = row.ci_high - row.ci_low
    if width > most:
        said = f"with {count(row.n_items, 'item')} {name} lies between {number(row.ci_low)} and {number(row.ci_high)}"
        if _of_items(data):
            said += f"; about {items_needed(row.n_items, width, most):,} items would bring that to {most}"
        yield _said("wide interval", "", said, "" if _of_items(data) else MORE_CODERS)


def _of_items(data: ReportData) -> bool:
    """The intervals speak about other items, and so more items make them narrower."""
    return data.asked.options.sampling == "items"


def _levels(data: ReportData) -> Iterator[Finding]:
    """Coders who score higher or lower than the others, as far as it costs agreement."""
    test: Any = next(data.score_tests.loc[["coder_bias"]].itertuples(index=False))
    if test.p_value < LEVEL:
        said = f"the mean scores of the coders differ (F test, {p_words(test.p_value)})"
        yield _said(
            "coders differ in level",
            "",
            said,
            "look at the differences in the table of coders; agree on anchors of the scale, or centre their scores",
        )
