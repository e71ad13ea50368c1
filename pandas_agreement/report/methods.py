"""The methods paragraph for a paper and its references, composed from the records and options of the report."""

from __future__ import annotations

import re

import pandas as pd

from pandas_agreement import formatting as fmt
from pandas_agreement.coefficients.registry import Coefficient, find
from pandas_agreement.core.remarks import remarks_in
from pandas_agreement.interpreting import BENCHMARKS
from pandas_agreement.report.contents import Text
from pandas_agreement.report.data import ReportData
from pandas_agreement.results.tidy import level_of
from pandas_agreement.version import VERSION

MISSING = {
    "pairable": "Items with two or more labels were used, with all their labels",
    "all": "Items with two or more labels were used; items with one label contributed to the label distributions as "
    "well",
    "complete": "Only items labelled by every coder were used",
    "raise": "Every coder labelled every item",
}
INTERVALS = {
    "score": "as score intervals (the values that the estimate does not contradict)",
    "analytic": "from the t distribution and the standard error of the items' influence values",
    "logit": "on the logit scale",
    "Feldt": "by Feldt's method",
    "F": "from the F distribution",
    "profile likelihood": "from the profile likelihood",
    "z": "on Fisher's z scale",
    "jackknife z": "by the jackknife on Fisher's z scale",
}
BRIEF = {"score": "score intervals", "analytic": "from the t distribution", "logit": "on the logit scale"}  # in notes
MAX_NAMED = 8  # rows with the same method that are named
AUTHOR = re.compile(r"((?:(?:van|von|de|der|la|le) )*[A-ZÀ-Þ][\w'-]+(?: [A-ZÀ-Þ][\w'-]+)*), (?:[A-Z]\. ?-?)+")


def works(reference: str) -> list[tuple[str, str]]:
    """The citations of the works in a reference, each with the text after its year."""
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
    """Cite the first work of a reference and those about given topics; empty without an author and a year.

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


def paragraph(data: ReportData) -> str:
    """The methods paragraph, ready to paste."""
    results = "; ".join(_result(data, record) for record in data.asked.records)
    parts = [_design(data), _missing(data), f"Agreement: {results}.", _intervals(data), _groups(data)]
    parts.append(_benchmark_labels(data))
    return " ".join(filter(None, [*parts, f"Computed with pandas_agreement {VERSION}."]))


def references(data: ReportData) -> list[str]:
    """The references of the coefficients and benchmarks, once each, in alphabetical order."""
    of_benchmarks = [BENCHMARKS[name].reference for name in benchmarks(data)]
    return sorted({*of_benchmarks, *(record.reference for record in data.asked.records)})


def benchmarks(data: ReportData) -> dict[str, list[Coefficient]]:
    """The benchmarks of the coefficients that are defined, each with its coefficients."""
    found: dict[str, list[Coefficient]] = {}
    for record in data.asked.records:
        name = data.benchmark(record)
        if name and pd.notna(data.row(record).estimate):
            found.setdefault(name, []).append(record)
    return found


def _benchmark_labels(data: ReportData) -> str:
    """Whose benchmarks the words are from, and for which coefficients."""
    texts = []
    for name, records in benchmarks(data).items():
        named = [fmt.within(data.name(record)) for record in records]
        texts.append(f"{benchmark_name(name)} for {fmt.joined(named)}")
    return f"Benchmark labels: {'; '.join(texts)}." if texts else ""


def _design(data: ReportData) -> str:
    n_items = sum(data.sizes.values())
    who = f"{fmt.count(len(data.active), 'coder')} ({fmt.listed(data.active)})" if data.coders else "several coders"
    k = len(data.labels)
    into = f"with numbers ({k:,} different values)" if data.scores else f"with {fmt.count(k, 'category')}"
    if data.kind == "sets":
        into = "with sets of labels"
    were = "was" if n_items == 1 else "were"
    return f"{fmt.count(n_items, 'item')} {were} labelled by {who} {into}."


def _missing(data: ReportData) -> str:
    rule, used = data.rule, data.row(data.main).n_items
    words = f"{MISSING[rule]} ({fmt.count(used, 'item')})." if rule != "raise" else f"{MISSING[rule]}."
    if not data.coders:
        return words
    possible = sum(data.sizes.values()) * len(data.active)
    gaps = 1 - data.n_labels / possible if possible else 0.0
    missing = f" {fmt.percent(gaps)} of all labels that the coders could have given are missing."
    return words + (missing if gaps > 0 else "")


def _result(data: ReportData, record: Coefficient) -> str:
    row = data.row(record)
    weights = fmt.credit(record, row.weights)
    about = [*(["many coders"] if row.n_coders > 2 else []), *(["weights"] if weights else [])]
    details = [part for part in (weights, cite(record.reference, *about)) if part]
    name = fmt.within(data.name(record)) + (f" ({'; '.join(details)})" if details else "")
    if pd.isna(row.estimate):
        return f"{name} is undefined ({remarks_in(row.remarks)[0]})"
    ci = f", {level_of(data.summary)}CI [{fmt.interval(row, joint=', ')}]" if row.ci_low < row.ci_high else ""
    return f"{name} = {fmt.number(row.estimate)}{ci}"


def _groups(data: ReportData) -> str:
    if data.grouped is None:
        return ""
    name, n = fmt.within(data.name(data.main)), len(data.by_group)
    return f"By {', '.join(data.keys)} ({fmt.count(n, 'group')}), {name} was computed within each group."


def _intervals(data: ReportData) -> str:
    """How the intervals were computed, and which factor is random."""
    texts = interval_methods(data, data.summary)
    if not texts:
        return ""
    random = "" if data.scores else ", with items as a random sample and fixed coders"
    clusters = "; standard errors allow for clusters of items" if data.asked.options.clusters is not None else ""
    return f"{level_of(data.summary)}confidence intervals were computed {fmt.joined(texts)}{random}{clusters}."


def interval_methods(data: ReportData, result: pd.DataFrame, brief: bool = False) -> list[str]:
    """How the intervals of a result were computed: a text for each method, with its coefficients if there are several.

    Results of one coefficient name the rows instead.
    """
    known = INTERVALS | BRIEF if brief else INTERVALS
    rows = result[result["ci_low"] < result["ci_high"]]
    of: dict[str, dict[str, None]] = {}
    single = len(rows.index.unique("coefficient")) == 1
    for (*key, coefficient), row in fmt.each(rows):
        name = ", ".join(map(fmt.cell, key)) if single else fmt.within(data.name(find(coefficient)))
        of.setdefault(row.ci_method, {})[name] = None
    texts = {how: known.get(how, f"by the method '{how}'") for how in of}
    if len(of) <= 1:
        return list(texts.values())
    if brief:  # the most frequent method is that of all others
        usual = max(of, key=lambda how: len(of[how]))
        return [texts[usual], *(f"for {_named(list(of[how]))} {texts[how]}" for how in of if how != usual)]
    return [f"{text} for {_named(list(of[how]))}" for how, text in texts.items()]


def _named(names: list[str]) -> str:
    return fmt.joined(names) if len(names) <= MAX_NAMED else fmt.listed(names, MAX_NAMED)


def interval_note(data: ReportData, result: pd.DataFrame) -> list[Text]:
    """The line below a table with intervals, as a list; empty if there are none, or they are those of the summary."""
    texts = interval_methods(data, result, brief=True)
    if result is not data.summary and texts == interval_methods(data, data.summary.loc[[data.main.name]], brief=True):
        return []
    return [Text(f"{level_of(result)}intervals: {'; '.join(texts)}.", "note")] if texts else []


def benchmark_name(benchmark: str) -> str:
    """Whose benchmark it is, and its year.

    >>> benchmark_name("landis_koch"), authors("landis_koch")
    ('Landis & Koch (1977)', 'Landis & Koch')
    """
    return f"{authors(benchmark)} ({cite(BENCHMARKS[benchmark].reference).rpartition(', ')[2]})"


def authors(benchmark: str) -> str:
    """Whose benchmark it is."""
    return cite(BENCHMARKS[benchmark].reference).rpartition(", ")[0]
