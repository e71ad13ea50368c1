"""The sections of a report in their order: text and tables from the frames of `ReportData`.

Nothing is computed here. Categories, coders, pairs and items are in `breakdowns`; findings, the methods paragraph and
pictures have modules of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pandas_agreement import formatting as fmt
from pandas_agreement.breakdown.diagnose import OPEN, SEVERITIES
from pandas_agreement.characters import visible
from pandas_agreement.coefficients.registry import find
from pandas_agreement.core.remarks import remarks_in
from pandas_agreement.errors import Explained, InputError, collect_warnings
from pandas_agreement.interpreting import BENCHMARKS, verdicts
from pandas_agreement.report import breakdowns, methods, pictures
from pandas_agreement.report.contents import Block, Bullets, Contents, Section, Text, interval_header, listing, table
from pandas_agreement.report.data import MIN_COMMON_ITEMS, ReportData
from pandas_agreement.report.findings import Finding, Page, answer, group_findings, sample_size, skipped
from pandas_agreement.results.tidy import level_of
from pandas_agreement.version import VERSION

MAX_GROUP_ROWS = 30  # rows of the table of groups
FEW_LABELS = {"one": "one label", "none": "no label"}
MAX_FINDINGS_OF_A_KIND = 3  # findings of one kind that are written out


def write(
    data: ReportData, title: str, names: Sequence[str] | None = None, explain: Callable[[Explained], str] | None = None
) -> Contents:
    """The report, or only the sections with these names; results that they do not use are not computed.

    `explain` formats errors and warnings; by default without the remedy, which is code and for who made the report.
    """
    page = Page(data, explain or (lambda explained: visible(explained.problem)))
    if data.request.pictures and not pictures.can_draw():
        page.left_out["Pictures"] = pictures.GET_PICTURES
    with collect_warnings():  # undefined results and their reasons are in the report
        sections = [section for name in names or REPORT for section in SECTIONS[name](page)]
    if page.left_out:
        sections.append(Section("Not in this report", (Bullets(tuple(page.left_out.items())),)))
    made = f"Made with pandas_agreement {VERSION}."
    return Contents(title, tuple(sections), made, fmt.day(data.request.made or date.today()))


def _in_short(page: Page) -> Iterator[Block]:
    data, found = page.data, page.findings
    row = data.row(data.main)
    if data.request.at_least is not None:
        yield Text(answer(data), "lead")
    if data.kind == "open":
        yield from _both_ways(page)
    if data.request.at_least is None:
        yield Text(_estimate(data, row), "lead")
    sentences = [_basis(data, row), _spread(data), _worst_findings(found)]
    yield Text(" ".join(sentence for sentence in sentences if sentence))


def _both_ways(page: Page) -> Iterator[Block]:
    """Alpha of whole numbers as names and as steps of a scale."""
    for one in page.findings:
        if one.name == OPEN:
            yield Text(f"{fmt.sentence(one.evidence)} {fmt.sentence(one.advice)}", "lead")


def _estimate(data: ReportData, row: Any) -> str:
    if pd.isna(row.estimate):
        return f"{data.name(data.main)} is undefined: {row.remarks or 'there are too few labels'}."
    ci = f" ({level_of(data.summary)}interval {fmt.interval(row)})" if row.ci_low < row.ci_high else ""
    name = data.title + (" (as names)" if data.kind == "open" else "")
    return f"{name} is {fmt.number(row.estimate)}{ci}{_in_words(data, row)}."


def _in_words(data: ReportData, row: Any) -> str:
    """The word for the estimate, and the words at the ends of the interval if they differ."""
    name = data.benchmark(data.main)
    if not name:
        return ""
    word_of = BENCHMARKS[name].word
    text = f": “{word_of(row.estimate)}” ({methods.cite(BENCHMARKS[name].reference)})"
    if not row.ci_low < row.ci_high or word_of(row.ci_low) == word_of(row.ci_high):
        return text
    return f"{text}; its interval runs from “{word_of(row.ci_low)}” to “{word_of(row.ci_high)}”"


def _basis(data: ReportData, row: Any) -> str:
    by_all = data.rule in ("complete", "raise")
    items = f"{fmt.count(row.n_items, 'item')} {'labelled by every coder' if by_all else 'with two or more labels'}"
    if pd.isna(row.estimate):
        return f"There {'is' if row.n_items == 1 else 'are'} {items}."
    coders = f" from {fmt.count(row.n_coders, 'coder')}" if data.coders and not by_all else ""
    basis = f"It rests on {items}{coders}."
    if data.nominal and pd.notna(row.observed) and pd.notna(row.expected):
        observed, expected = fmt.percent(row.observed), fmt.percent(row.expected)
        return f"{basis} {observed} of the pairs of labels agree; {expected} would by chance."
    return basis


def _spread(data: ReportData) -> str:
    """The lowest and the highest group, of those with enough items."""
    groups = data.by_group[data.by_group["n_items"] >= MIN_COMMON_ITEMS].dropna(subset="estimate")
    if len(groups) < 2:
        return ""
    ranked = groups.sort_values("estimate", kind="stable")
    ends = [f"{fmt.number(row.estimate)} ({_group_name(key[:-1])})" for key, row in fmt.each(ranked.iloc[[0, -1]])]
    return f"By {', '.join(data.keys)} it runs from {ends[0]} to {ends[1]}."


def _group_name(key: Sequence[Any]) -> str:
    return ", ".join(fmt.short(fmt.label_text(part), 40) for part in key)


def _worst_findings(found: list[Finding]) -> str:
    found = [one for one in found if one.name != "not tested"]
    if not found:
        return "The checks made no finding."
    found = [one for one in found if one.name != OPEN]  # which is said before
    if not found:
        return ""
    high = [one for one in found if one.severity == "high" and one.name != "undefined"]
    if not high and found[0].name == "undefined":
        return ""
    if not high:
        return f"{fmt.count(len(found), 'finding')} of medium or low severity below."
    named = dict.fromkeys(one.name + (f" ({fmt.short(one.about, 24)})" if one.about else "") for one in high)
    return f"To fix first: {fmt.listed(list(named), 4, 80)}."


def _measured(page: Page) -> Iterator[Block]:
    data = page.data
    sizes, n_items = data.sizes, sum(data.sizes.values())
    few = [f", {sizes[size]:,} with {words}" for size, words in FEW_LABELS.items() if sizes[size]]
    rows = [["items", f"{n_items:,}: {sizes['more']:,} with two or more labels{''.join(few)}"]]
    if data.coders:
        rows.append(["coders", f"{len(data.active):,}: {fmt.listed(data.active)}"])
        idle = [name for name in data.coders if name not in set(data.active)]
        rows += [["coders without a label", f"{len(idle):,}: {fmt.listed(idle)}"]] if idle else []
    gaps = n_items * len(data.active) - data.n_labels
    missing = f"; {gaps:,} missing, {fmt.percent(gaps / (n_items * len(data.active)))}" if gaps > 0 else ""
    rows.append(["labels", f"{data.n_labels:,}: {data.n_labels / max(n_items, 1):.1f} per item{missing}"])
    rows.append(_labels_row(data))
    if data.grouped is not None:
        names = [_group_name(key[:-1]) for key, _ in fmt.each(data.by_group)]
        rows.append([f"groups ({', '.join(data.keys)})", f"{len(names):,}: {fmt.listed(names, 6)}"])
    yield table("The data", ["", ""], rows, text=("",))
    yield from _warnings(page, about_groups=False)


def _warnings(page: Page, about_groups: bool) -> Iterator[Block]:
    """The warnings of reading: those about the groups, or all others."""
    for warning in page.data.warned:
        if (warning.option == "by") == about_groups:
            yield Text(f"Note: {page.explain(warning)}.", "note")


def _labels_row(data: ReportData) -> list[str]:
    labels = data.labels
    if data.scores:
        span = f"{fmt.measured(labels.min())} to {fmt.measured(labels.max())}"
        return ["scores", f"{len(labels):,} different numbers, {span}"]
    if data.kind == "sets":
        return ["sets of labels", f"{len(labels):,} different ones: {fmt.listed(map(data.label_cell, labels), 6)}"]
    return ["categories", f"{len(labels):,}: {fmt.listed(map(data.label_cell, labels), 12)}"]


def _how_much(page: Page) -> Iterator[Block]:
    data, summary = page.data, page.data.summary
    spread, weighted = interval_header(summary), set(summary["weights"]) - {"nominal", ""}
    words, sizes, rows = data.words(summary), summary["n_items"].unique(), []
    for ((name,), row), word in zip(fmt.each(summary), words, strict=True):
        line = {"coefficient": data.name(find(name)), "estimate": fmt.number(row.estimate, _digits(name))}
        line |= dict.fromkeys(spread, fmt.interval(row, _digits(name)))
        if not data.scores:  # of scores only alpha has them
            line |= {"observed": fmt.dash(row.observed), "by chance": fmt.dash(row.expected)}
        line |= {"items": f"{row.n_items:,}"} if len(sizes) > 1 else {}
        line |= {"weights": fmt.weights_name(row.weights) or fmt.DASH} if weighted else {}
        cell = f"{word} ({methods.authors(data.benchmark(find(name)))})" if word else fmt.DASH
        rows.append(line | ({"benchmark": cell} if any(words) else {}))
    caption = f"Coefficients ({fmt.count(sizes[0], 'item')})" if len(sizes) == 1 else "Coefficients"
    yield listing(caption, rows, len(rows), "coefficient", text=("weights", "benchmark"))
    yield from methods.interval_note(data, summary)
    yield from pictures.drawn(data, pictures.coefficients)
    for note in _notes(data):
        yield Text(note, "note")
    used = "; ".join(map(_limits, methods.benchmarks(data)))
    if used:
        yield Text(f"Benchmarks: {used}. These conventions ignore the cost of errors.", "note")


def _limits(name: str) -> str:
    """A benchmark with the values at which its words begin, the highest first."""
    benchmark = BENCHMARKS[name]
    bands = [f"“{word}” {'from' if closed else 'above'} {cut:g}" for cut, closed, word in benchmark.bands[::-1]]
    return f"{methods.authors(name)}, {', '.join(bands)}, else “{benchmark.lowest}”"


def _digits(name: str) -> int:
    return 4 if name == "bias" else 3


def _notes(data: ReportData) -> Iterator[str]:
    """The notes on the coefficients, once each."""
    by_note: dict[str, list[str]] = {}
    for record in data.asked.records:
        if note := data.row(record).remarks:
            by_note.setdefault(note, []).append(data.name(record))
    for note, names in by_note.items():
        about = "All" if len(names) == len(data.asked.records) > 1 else ", ".join(names)
        yield f"{about}: {note}."


def _groups(page: Page) -> Iterator[Section]:
    data = page.data
    if data.grouped is None:
        return
    result, by = data.by_group, ", ".join(data.keys)
    order = np.arange(len(result))
    if len(result) > MAX_GROUP_ROWS:
        order = np.argsort(result["estimate"].to_numpy(), kind="stable")[:MAX_GROUP_ROWS]
    lowest = f", the lowest {len(order)}" if len(order) < len(result) else ""
    caption, cut = f"{data.name(data.main)} by {by}{lowest}", fmt.more(len(result), len(order), "group")
    header, rows = _group_rows(data, order)
    header_of_words = tuple(_group_words(data))
    blocks: list[Block] = [table(caption, header, rows, keys=len(data.keys), text=header_of_words, more=cut)]
    blocks += [*methods.interval_note(data, result.iloc[order])]
    blocks += pictures.drawn(data, pictures.groups, result.iloc[order])
    blocks += [Text(_undefined_groups(result), "note")] if result["estimate"].isna().any() else []
    yield Section(f"By {by}", (*blocks, *_warnings(page, about_groups=True)))


def _group_rows(data: ReportData, order: NDArray[Any]) -> tuple[list[str], list[list[str]]]:
    """Header and rows of the table of groups: the main coefficient with its interval, and the others."""
    result = data.by_group.iloc[order]
    spread, others = interval_header(result), [record for record in data.asked.records if record is not data.main]
    beside = data.group_summary["estimate"].to_numpy().reshape(-1, len(data.asked.records))[order]
    digits = {data.asked.records.index(record): _digits(record.name) for record in others}
    rows = []
    words = _group_words(data)
    for place_of_group, ((*key, _), row), estimates in zip(order, fmt.each(result), beside, strict=True):
        line = [*map(fmt.cell, key), f"{row.n_items:,}", fmt.number(row.estimate)]
        line += [fmt.interval(row)] if spread else []
        values = [fmt.number(estimates[place], n) for place, n in digits.items()]
        rows.append([*line, *(cells[place_of_group] or fmt.DASH for cells in words.values()), *values])
    names = [fmt.short_name(record) for record in (data.main, *others)]
    header = [*data.keys, "items", names[0], *spread, *words, *names[1:]]
    return header, rows


def _group_words(data: ReportData) -> dict[str, list[str]]:
    """The column of words for the groups by its header: whether they reach the number asked for, or the benchmark."""
    least, result, name = data.request.at_least, data.by_group, data.benchmark(data.main)
    if least is not None:
        return {f"at least {least:g}": verdicts(result["ci_low"], result["ci_high"], least)}
    return {f"benchmark ({methods.authors(name)})": data.words(result)} if name else {}


def _undefined_groups(result: pd.DataFrame) -> str:
    reasons = Counter(remarks_in(note)[0] for note in result.loc[result["estimate"].isna(), "remarks"])
    return "Undefined: " + "; ".join(f"{reason} ({fmt.count(n, 'group')})" for reason, n in reasons.items()) + "."


def _group_findings(page: Page) -> Iterator[Section]:
    """Each finding within groups once, with the groups in which it was made."""
    data = page.data
    where: dict[tuple[str, str, str], list[str]] = {}
    for one in group_findings(data) if not data.scores else []:
        if one.group:
            where.setdefault((one.severity, one.name, one.about), []).append(_group_name(one.group))
    if not where:
        return
    ranked = sorted(where.items(), key=lambda pair: (SEVERITIES.index(pair[0][0]), -len(pair[1]), pair[0][1:]))
    n, header = len(data.by_group), ("severity", "finding", "about", "groups", "where")
    rows = []
    for (severity, name, about), groups in ranked[: data.request.n]:
        line = (severity, name, fmt.short(about, 40) or fmt.DASH, f"{len(groups):,} of {n:,}", fmt.listed(groups, 4))
        rows.append(dict(zip(header, line, strict=True)))
    block = listing("The most frequent first", rows, len(ranked), "finding", keys=2, text=("about", "where"))
    yield Section(f"Findings by {', '.join(data.keys)}", (block,))


def _stands_out(page: Page) -> Iterator[Block]:
    data, found = page.data, page.findings
    if skipped(data):
        page.left_out["Label distributions"] = skipped(data)
    if not found:
        yield Text("No finding: no check passed its threshold.")
        return
    kinds = Counter(one.name for one in found)
    points: list[tuple[str, str]] = []
    seen: Counter[str] = Counter()
    for one in found:
        seen[one.name] += 1
        if seen[one.name] <= MAX_FINDINGS_OF_A_KIND:
            about = f" ({fmt.short(one.about, 60)})" if one.about else ""
            points.append((f"{one.severity}: {one.name}{about}", fmt.sentence(one.evidence)))
        elif seen[one.name] == kinds[one.name]:
            points.append(("", f"… and {kinds[one.name] - MAX_FINDINGS_OF_A_KIND} more of “{one.name}”"))
    yield Bullets(tuple(points))
    if not data.nominal and not data.scores:
        note = "With partial credit single categories are not checked; their rates count equal labels only."
        yield Text(note, "note")


def _next(page: Page) -> Iterator[Block]:
    """The advice of the findings, once each, and the items to adjudicate."""
    points = []
    for advice, same_advice in _by_advice(page.findings).items():
        about = [one.about for one in same_advice if one.about]
        points.append((fmt.listed(dict.fromkeys(about), 4) or same_advice[-1].name, fmt.sentence(advice)))
    points += [("", step) for step in (sample_size(page.data), *_adjudicate(page.data)) if step]
    yield Bullets(tuple(points), numbered=True) if points else Text("Nothing: the checks made no finding.")


def _steps(page: Page) -> Iterator[Block]:
    """The findings together with their advice; of several with the same advice, the evidence of the first."""
    points = []
    for advice, same_advice in _by_advice(page.findings).items():
        first, about = same_advice[0], [one.about for one in same_advice if one.about]
        named = f" ({fmt.listed(dict.fromkeys(about), 4)})" if about else ""
        text = f"{fmt.sentence(first.evidence)} {fmt.sentence(advice)}"
        points.append((f"{first.severity}: {first.name}{named}", text))
    yield Bullets(tuple(points), numbered=True) if points else Text("No finding: no check passed its threshold.")


def _by_advice(findings: list[Finding]) -> dict[str, list[Finding]]:
    grouped: dict[str, list[Finding]] = {}
    for finding in findings:
        grouped.setdefault(finding.advice, []).append(finding)
    return grouped


def _adjudicate(data: ReportData) -> Iterator[str]:
    """The items whose labels differ; not of scores, where nearly all do."""
    try:
        n = 0 if data.scores else data.n_split
    except InputError:  # the section of the items has the reason
        return
    if n == 1:
        yield "Adjudicate the item whose labels differ; it is listed below."
    if n > 1:
        yield f"Adjudicate the {n:,} items whose labels differ, beginning with those listed below."


def _methods(page: Page) -> Iterator[Block]:
    yield Text(methods.paragraph(page.data), "quote")
    yield Bullets(tuple(("", reference) for reference in methods.references(page.data)))


def _titled(title: str, blocks: Callable[[Page], Iterator[Block]]) -> Callable[[Page], Iterator[Section]]:
    """A function for a section that every report has."""
    return lambda page: iter([Section(title, tuple(blocks(page)))])


#: the sections by their names
SECTIONS: dict[str, Callable[[Page], Iterator[Section]]] = {
    "answer": _titled("In short", _in_short),
    "advice": _titled("What to do next", _next),
    "findings": _titled("What stands out", _stands_out),
    "data": _titled("What was measured", _measured),
    "coefficients": _titled("How much agreement", _how_much),
    "groups": _groups,
    "group findings": _group_findings,
    "categories": breakdowns.categories,
    "coders": breakdowns.coders,
    "pairs": breakdowns.pairs,
    "items": breakdowns.items,
    "methods": _titled("Methods, ready to paste", _methods),
    "steps": _titled("What stands out, and what to do", _steps),
}
REPORT = [name for name in SECTIONS if name != "steps"]  # the report has findings and advice apart
