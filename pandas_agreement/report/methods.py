"""The paragraph for a paper: what was measured, how, and the references, put together from records and options."""

from __future__ import annotations

import re
from typing import Any

import pandas as pd

from pandas_agreement.coefficients.registry import Coefficient
from pandas_agreement.formatting import (
    coefficient_name,
    count,
    interval,
    joined,
    level,
    listed,
    notes_of,
    number,
    percent,
    within,
)
from pandas_agreement.interpret import SCALES
from pandas_agreement.report.data import ReportData

MISSING = {
    "pairable": "Items with two or more labels were used, with all their labels",
    "all": "Items with two or more labels were used; singly labelled items informed the margins as well",
    "complete": "Only items labelled by every coder were used",
    "raise": "Every coder labelled every item",
}
INTERVALS = {
    "analytic": "from the t distribution and the standard error of the items' influence values",
    "log": "from the t distribution for log(1 - estimate) and the items' influence values",
    "jackknife": "by leaving out one item at a time (jackknife)",
    "percentile": "from percentiles of {n:,} bootstrap resamples of the items",
    "bca": "from {n:,} bootstrap resamples of the items, corrected for bias and acceleration (BCa)",
    "kalpha": "by Krippendorff's and Hayes' bootstrap with {n:,} resamples",
    "F": "from the F distribution",
    "profile likelihood": "from the profile likelihood",
    "z": "on Fisher's z scale",
    "jackknife z": "by the jackknife on Fisher's z scale",
}
AUTHOR = re.compile(r"((?:(?:van|von|de|der|la|le) )*[A-ZÀ-Þ][\w'-]+(?: [A-ZÀ-Þ][\w'-]+)*), (?:[A-Z]\. ?-?)+")


def works(reference: str) -> list[tuple[str, str]]:
    """The works of a reference as they are cited in a text, each with the words that follow it."""
    found = list(re.finditer(r"\((\d{4})\)", reference))
    ends = [0, *(match.end() for match in found)]
    after = [*(match.start() for match in found[1:]), len(reference)]
    cited = []
    for match, begin, end in zip(found, ends, after, strict=False):
        names = AUTHOR.findall(reference[begin : match.start()])
        if names:
            who = {1: names[0], 2: " & ".join(names)}.get(len(names), f"{names[0]} et al.")
            cited.append((f"{who}, {match[1]}", reference[match.end() : end]))
    return cited


def cite(reference: str, *about: str) -> str:
    """The first work of a reference, and those said to be about something; empty if there is no author and year.

    >>> cite("Bennett, E. M., Alpert, R. and Goldstein, A. C. (1954). Public Opinion Quarterly 18, 303-308.")
    'Bennett et al., 1954'
    >>> cite("Scott, W. A. (1955). POQ 19, 321. Fleiss, J. L. (1971). PB 76, 378 (many coders).", "many coders")
    'Scott, 1955; Fleiss, 1971'
    >>> cite("a blog")
    ''
    """
    found = works(reference)
    chosen = [cited for cited, words in found[1:] if any(f"({topic})" in words for topic in about)]
    return "; ".join([*(cited for cited, _ in found[:1]), *chosen])


def package_version() -> str:
    from importlib.metadata import version  # slow, and only a report needs it

    return version("pandas-agreement")


def paragraph(data: ReportData) -> str:
    """The methods, ready to paste."""
    parts = [_design(data), _missing(data), _results(data), _intervals(data)]
    parts += [_groups(data), _benchmarks(data)]
    parts.append(f"Computed with pandas_agreement {package_version()}.")
    return " ".join(part for part in parts if part)


def references(data: ReportData) -> list[str]:
    """Every work that the paragraph rests on, once, in alphabetical order."""
    works = [record.reference for record in data.asked.records]
    works += [SCALES[scale].reference for scale in _scales(data)]
    return sorted(dict.fromkeys(works))


def _scales(data: ReportData) -> list[str]:
    known = [record for record in data.asked.records if pd.notna(data.row(record).estimate)]
    scales = [data.scale(record) for record in known]
    return [scale for scale in dict.fromkeys(scales) if scale]


def _design(data: ReportData) -> str:
    n_items = sum(data.sizes.values())
    who = f"{count(len(data.active), 'coder')} ({listed(data.active)})" if data.coders else "several coders"
    k = len(data.labels)
    into = f"with numbers ({k:,} different values)" if data.asked.scores else f"with {count(k, 'category')}"
    if data.asked.sets:
        into = "with sets of labels"
    were = "was" if n_items == 1 else "were"
    return f"{count(n_items, 'item')} {were} labelled by {who} {into}."


def _missing(data: ReportData) -> str:
    rule, used = data.rule, data.row(data.main).n_items
    words = f"{MISSING[rule]} ({count(used, 'item')})." if rule != "raise" else f"{MISSING[rule]}."
    if not data.coders:
        return words
    possible = sum(data.sizes.values()) * len(data.active)
    gaps = 1 - data.n_labels / possible if possible else 0.0
    return f"{words} {percent(gaps)} of all labels that the coders could have given are missing." if gaps > 0 else words


def _results(data: ReportData) -> str:
    each = [_result(data, record) for record in data.asked.records]
    return f"Agreement: {'; '.join(each)}."


def _result(data: ReportData, record: Coefficient) -> str:
    row = data.row(record)
    weights = credit(record, row)
    about = [*(["many coders"] if row.n_coders > 2 else []), *(["weights"] if weights else [])]
    details = [part for part in (weights, cite(record.reference, *about)) if part]
    name = within(coefficient_name(record)) + (f" ({'; '.join(details)})" if details else "")
    if pd.isna(row.estimate):
        return f"{name} is undefined ({notes_of(row.note)[0]})"
    shown = interval(row, joint=", ")
    spread = f", {level(data.summary)} CI [{shown}]" if row.ci_low < row.ci_high else ""
    return f"{name} = {number(row.estimate)}{spread}"


def credit(record: Coefficient, row: Any) -> str:
    """The weights or the level of a coefficient, in words."""
    if not row.weights or (row.weights == "nominal" and not record.accepts("level")):
        return ""
    return f"{row.weights} level" if record.accepts("level") else f"{row.weights} weights"


def _groups(data: ReportData) -> str:
    if data.grouped is None:
        return ""
    name, n = within(coefficient_name(data.main)), len(data.by_group)
    return f"By {', '.join(data.keys)} ({count(n, 'group')}), {name} was computed within each group."


def _intervals(data: ReportData) -> str:
    """How the intervals were made, and for whom they speak."""
    options = data.asked.options
    known = data.summary[data.summary["ci_low"] < data.summary["ci_high"]]
    methods = [how for how in dict.fromkeys(known["ci_method"]) if how]
    if not methods:
        return ""
    ways = [INTERVALS.get(how, f"by the method '{how}'").format(n=options.n_resamples) for how in methods]
    whom = {"coders": "other coders of these items", "both": "other items and other coders"}
    speak = whom.get(options.sampling, "other items labelled by these coders")
    grouped = "; standard errors allow for clusters of items" if options.clusters is not None else ""
    about = "" if data.asked.scores else f", and speak about {speak}"
    return f"{level(data.summary)} confidence intervals were made {joined(ways)}{about}{grouped}."


def _benchmarks(data: ReportData) -> str:
    cited = [scale_name(scale) for scale in _scales(data)]
    return f"Words for the coefficients follow {joined(cited)}." if cited else ""


def scale_name(scale: str) -> str:
    """Whose benchmark scale it is.

    >>> scale_name("landis_koch")
    'Landis & Koch (1977)'
    """
    who, _, year = cite(SCALES[scale].reference).rpartition(", ")
    return f"{who} ({year})"
