"""What stands out: the findings of `diagnose`, and their counterparts where labels are ordered, sets or scores.

`diagnose` compares labels for equality. Where the call gives partial credit, its rules about alpha and about single
categories would contradict the report, so the first are put to the coefficient that the report is about.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from pandas_agreement.breakdown.diagnose import RULES, SEVERITIES, Evidence, Rule, items_needed
from pandas_agreement.errors import AgreementWarning
from pandas_agreement.report.material import Material
from pandas_agreement.report.words import coefficient_name, number, p_value

ABOUT_ALPHA = {"undefined", "low agreement", "wide interval", "high agreement, low kappa", "coder out of line"}
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
MOST_CELLS = 5_000_000
LEVEL = 0.05  # of a test
TESTS = {"stuart_maxwell": "Stuart-Maxwell test", "mcnemar": "McNemar's test"}
ADVICE = {rule.name: rule.advice for rule in RULES}


@dataclass(frozen=True)
class Finding:
    """What was found, about whom, the numbers behind it and what to do."""

    name: str
    about: str
    severity: str
    evidence: str
    advice: str
    group: tuple[Any, ...] = ()


def all_findings(material: Material) -> list[Finding]:
    """The findings of all data together, the worst first."""
    own = [] if material.nominal else _own(material)
    found = [*own, *_looked(material.evidence, _rules(material, 1))]
    return sorted(found, key=lambda one: SEVERITIES.index(one.severity))


def group_findings(material: Material) -> list[Finding]:
    """The findings within each group, by the rules of `diagnose`."""
    if material.grouped is None:
        return []
    found = _looked(Evidence(material.grouped), _rules(material, material.grouped.ratings.n_groups))
    return sorted(found, key=lambda one: SEVERITIES.index(one.severity))


def skipped(material: Material) -> str:
    """Which rules cost too much, and why; empty if none does."""
    groups = 1 if material.grouped is None else material.grouped.ratings.n_groups
    if material.asked.scores or material.asked.sets or not _pairs_are_many(material, groups):
        return ""
    where = "" if _pairs_are_many(material, 1) else " within the groups"
    return f"Whether pairs of coders use the categories at different rates{where}: homogeneity() tests so many pairs."


def _pairs_are_many(material: Material, n_groups: int) -> bool:
    n, k = len(material.coders), len(material.labels)
    return n * (n - 1) // 2 * n_groups * (PAIR_COST + k * k) > MOST_CELLS


def _rules(material: Material, n_groups: int) -> list[Rule]:
    """The rules of `diagnose` that mean something for these labels."""
    left_out = set() if material.nominal else ABOUT_ALPHA | ABOUT_EQUALITY
    if material.asked.scores or material.asked.sets:
        left_out = ABOUT_ALPHA | ABOUT_CATEGORIES
    if _pairs_are_many(material, n_groups):
        left_out = left_out | {"margins differ"}
    return [rule for rule in RULES if rule.name not in left_out]


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
                yield Finding(rule.name, str(about), rule.severity, _readable(said), rule.advice, tuple(group))


def _readable(evidence: str) -> str:
    """The test at the end of a sentence, as people write it."""

    def test(found: re.Match[str]) -> str:
        name = f"{TESTS.get(found[1], found[1])}, " if found[1] else ""
        small = float(found[2]) < 0.001
        return f"({name}p {'< .001' if small else '= ' + found[2].removeprefix('0')} after Holm)"

    return re.sub(r"\((?:(\w+), )?p = ([\d.e+-]+) after Holm\)$", test, evidence)


# ------------------------------------------------------------------------------------- with partial credit, or scores


def _own(material: Material) -> list[Finding]:
    found = [*_undefined(material), *_low(material), *_out_of_line(material), *_wide(material)]
    return [*found, *_levels(material)] if material.asked.scores else found


def _said(name: str, about: str, evidence: str, advice: str = "") -> Finding:
    severity = next((rule.severity for rule in RULES if rule.name == name), "medium")
    return Finding(name, about, severity, evidence, advice or ADVICE[name])


def _undefined(material: Material) -> Iterator[Finding]:
    row, name = material.row(material.main), coefficient_name(material.main)
    if pd.isna(row.estimate):
        yield _said("undefined", "", f"{name} is undefined: {row.note.partition(';')[0]}")


def bar(material: Material) -> float:
    """Below this the main coefficient is low: Krippendorff's least for alpha and its like, Koo and Li's for the ICC."""
    return 0.5 if material.main.needs_numbers else 0.667


def _low(material: Material) -> Iterator[Finding]:
    row, name = material.row(material.main), coefficient_name(material.main)
    if row.ci_high < bar(material):
        value, end = number(row.estimate), number(row.ci_high)
        yield _said("low agreement", "", f"{name} is {value}, its interval ends at {end}, below {bar(material)}")


def _out_of_line(material: Material) -> Iterator[Finding]:
    whole, name = material.row(material.main).estimate, coefficient_name(material.main)
    least = next(rule.threshold for rule in RULES if rule.name == "coder out of line")
    for coder, value in material.without["estimate"].items():
        if value - whole >= least:
            said = f"{name} rises by {number(value - whole)} to {number(value)} without {coder!r}"
            yield _said("coder out of line", str(coder), said)


def _wide(material: Material) -> Iterator[Finding]:
    row, name = material.row(material.main), coefficient_name(material.main)
    most = next(rule.threshold for rule in RULES if rule.name == "wide interval")
    width = row.ci_high - row.ci_low
    if width > most:
        needed = items_needed(row.n_items, width, most)
        said = (
            f"with {row.n_items:,} items {name} lies between {number(row.ci_low)} and {number(row.ci_high)}; "
            f"about {needed:,} items would bring that to {most}"
        )
        yield _said("wide interval", "", said)


def _levels(material: Material) -> Iterator[Finding]:
    """Coders who score higher or lower than the others, as far as it costs agreement."""
    test: Any = next(material.score_tests.loc[["coder_bias"]].itertuples(index=False))
    if test.p_value < LEVEL:
        p = p_value(test.p_value)
        said = f"the mean scores of the coders differ (F test, p {p if p.startswith('<') else f'= {p}'})"
        yield _said(
            "coders differ in level",
            "",
            said,
            "compare the means in the table of coders; agree on anchors of the scale, or centre each coder's scores",
        )
