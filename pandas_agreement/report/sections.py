"""The sections of a report: what is said about the frames in `Material`, in the order in which people ask.

Every number comes from a frame; here it becomes a cell or a part of a sentence. Categories, coders, pairs and items are
in `breaks`; findings, methods and pictures have modules of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.coefficients.registry import find
from pandas_agreement.errors import InputError
from pandas_agreement.formatting import (
    DASH,
    cell,
    coefficient_name,
    count,
    dash,
    each,
    interval,
    interval_header,
    label_text,
    level,
    listed,
    measured,
    more,
    number,
    percent,
    sentence,
    short,
)
from pandas_agreement.report import breakdowns as breaks
from pandas_agreement.report import methods, pictures
from pandas_agreement.report.contents import Block, Contents, Points, Section, Text, table
from pandas_agreement.report.data import ENOUGH, Material
from pandas_agreement.report.findings import Finding, all_findings, group_findings, skipped

MOST_GROUPS = 30  # rows of the table of groups
TWO, EVERY = "with two or more labels", "labelled by every coder"
ITEMS = {  # which items count, by `missing`; and what is true of one of them, of several
    "pairable": (TWO, ("has two or more labels", "have two or more labels")),
    "all": (TWO, ("has two or more labels", "have two or more labels")),
    "complete": (EVERY, ("was labelled by every coder", "were labelled by every coder")),
    "raise": (EVERY, ("was labelled by every coder", "were labelled by every coder")),
}
SAME_KIND = 3  # findings of one kind that are written out


def write(material: Material, title: str, warned: Sequence[str], of_groups: Sequence[str] = ()) -> Contents:
    """The whole report; `warned` is what was said about the data when they were read, `of_groups` about the groups."""
    left: breaks.Left = {}
    found = all_findings(material)
    sections = [
        Section("In short", tuple(_in_short(material, found))),
        Section("What to do next", tuple(_next(material, found))),
        Section("What stands out", tuple(_stands_out(material, found))),
        Section("What was measured", tuple(_measured(material, warned))),
        Section("How much agreement", tuple(_how_much(material))),
        *_groups(material, of_groups),
        *breaks.sections(material, left),
        Section("Methods, ready to paste", tuple(_methods(material))),
    ]
    if skipped(material):
        left["Margins of pairs"] = skipped(material)
    if material.asked.pictures and not pictures.can_draw():
        left["Pictures"] = pictures.GET_PICTURES
    if left:
        sections.append(Section("Not in this report", (Points(tuple(left.items())),)))
    return Contents(title, tuple(sections), f"Made with pandas_agreement {methods.package_version()}.")


# ---------------------------------------------------------------------------------------------------------- the answer


def _in_short(material: Material, found: list[Finding]) -> Iterator[Block]:
    row, name = material.row(material.main), coefficient_name(material.main)
    if pd.isna(row.estimate):
        yield Text(f"{name} is undefined: {row.note or 'there is too little to measure'}.", "lead")
    else:
        yield Text(_answer(material, row, name), "lead")
    sentences = [_basis(material, row), _spread(material), _worst_findings(found)]
    yield Text(" ".join(sentence for sentence in sentences if sentence))


def _answer(material: Material, row: Any, name: str) -> str:
    spread = f" ({level(material.summary)} interval {interval(row)})" if row.ci_low < row.ci_high else ""
    word = material.words(material.summary.loc[[material.main.name]])[0]
    scale = material.scale(material.main)
    said = f": “{word}” on the scale of {methods.scale_name(scale)}" if word else ""
    kind = "" if material.nominal else methods.credit(material.main, row)
    named = f"{name} ({kind})" if kind else name
    return f"{named} is {number(row.estimate)}{spread}{said}.{_krippendorff(material, row, scale)}"


def _krippendorff(material: Material, row: Any, scale: str) -> str:
    """What Krippendorff asks of alpha, beside another scale."""
    if material.main.name != "alpha" or scale == "krippendorff":
        return ""
    if row.estimate >= 0.8:
        return " It reaches the 0.8 that Krippendorff asks for."
    if row.ci_low < 0.667 <= row.ci_high:
        return " It is not clearly below or above 0.667, the least that Krippendorff accepts for tentative conclusions."
    if row.estimate >= 0.667:
        return " Krippendorff asks for 0.8, and accepts 0.667 or more for tentative conclusions only."
    return " It is below 0.667, the least that Krippendorff accepts for tentative conclusions."


def _basis(material: Material, row: Any) -> str:
    which, are = ITEMS[material.rule]
    if pd.isna(row.estimate):
        return f"{count(row.n_items, 'item')} {are[row.n_items != 1]}."
    coders = f" from {count(row.n_coders, 'coder')}" if material.coders and which == TWO else ""
    basis = f"It rests on {count(row.n_items, 'item')} {which}{coders}."
    if material.nominal and pd.notna(row.observed) and pd.notna(row.expected):
        return f"{basis} {percent(row.observed)} of the pairs of labels agree; {percent(row.expected)} would by chance."
    return basis


def _spread(material: Material) -> str:
    """The lowest and the highest group, of those with enough items."""
    groups = material.by_group
    known = groups[(groups["n_items"] >= ENOUGH) & groups["estimate"].notna()].sort_values("estimate", kind="stable")
    if len(known) < 2:
        return ""
    ends = [f"{number(row.estimate)} ({_group_name(key[:-1])})" for key, row in each(known.iloc[[0, -1]])]
    return f"By {', '.join(material.keys)} it runs from {ends[0]} to {ends[1]}."


def _group_name(key: Sequence[Any]) -> str:
    return ", ".join(short(label_text(part), 40) for part in key)


def _worst_findings(found: list[Finding]) -> str:
    high = [one for one in found if one.severity == "high" and one.name != "undefined"]
    if not found:
        return "No check found anything wrong."
    if not high:
        return (
            "" if found[0].name == "undefined" else f"{count(len(found), 'finding')} of medium or low severity below."
        )
    named = dict.fromkeys(one.name + (f" ({short(one.about, 24)})" if one.about else "") for one in high)
    return f"To fix first: {listed(list(named), 4, 80)}."


# ----------------------------------------------------------------------------------------------------- what is there


def _measured(material: Material, warned: Sequence[str]) -> Iterator[Block]:
    sizes, n_items = material.sizes, sum(material.sizes.values())
    rows = [["items", f"{n_items:,}"], ["… with two or more labels", f"{sizes['more']:,}"]]
    rows += [["… with one label only", f"{sizes['one']:,}"]] if sizes["one"] else []
    rows += [["… without a label", f"{sizes['none']:,}"]] if sizes["none"] else []
    if material.coders:
        rows.append(["coders", f"{len(material.at_work):,}: {listed(material.at_work)}"])
        idle = [name for name in material.coders if name not in set(material.at_work)]
        rows += [["coders without a label", f"{len(idle):,}: {listed(idle)}"]] if idle else []
    rows.append(["labels", f"{material.n_labels:,} ({material.n_labels / max(n_items, 1):.1f} an item)"])
    gaps = n_items * len(material.at_work) - material.n_labels
    if gaps > 0:
        rows.append(["gaps", f"{gaps:,} ({percent(gaps / (n_items * len(material.at_work)))} of items times coders)"])
    rows.append(_labels_row(material))
    if material.grouped is not None:
        names = [_group_name(key[:-1]) for key, _ in each(material.by_group)]
        rows.append([f"groups ({', '.join(material.keys)})", f"{len(names):,}: {listed(names, 6)}"])
    yield table("The data", ["", ""], rows, text=("",))
    yield from _said(warned)


def _said(warned: Sequence[str]) -> Iterator[Block]:
    for message in warned:
        yield Text(f"Note: {message}.", "note")


def _labels_row(material: Material) -> list[str]:
    labels = material.labels
    if material.asked.scores:
        return ["scores", f"{len(labels):,} different numbers, {measured(min(labels))} to {measured(max(labels))}"]
    if material.asked.sets:
        return ["sets of labels", f"{len(labels):,} different ones: {listed(map(material.said, labels), 6)}"]
    return ["categories", f"{len(labels):,}: {listed(map(material.said, labels), 12)}"]


# ---------------------------------------------------------------------------------------------------------- how much


def _how_much(material: Material) -> Iterator[Block]:
    summary = material.summary
    spread = interval_header(summary)
    weighted = set(summary["weights"]) - {"nominal", ""}
    rows = []
    for ((name,), row), word in zip(each(summary), material.words(summary), strict=True):
        line = {"coefficient": coefficient_name(find(name)), "estimate": number(row.estimate, _digits(name))}
        line |= {header: interval(row, _digits(name)) for header in spread}
        if not material.asked.scores:  # of scores only alpha has them
            line |= {"observed": dash(row.observed), "by chance": dash(row.expected)}
        line |= {"items": f"{row.n_items:,}"} | ({"weights": row.weights or DASH} if weighted else {})
        rows.append(line | {"in words": word or DASH})
    yield table("Coefficients", list(rows[0]), [list(row.values()) for row in rows], text=("weights", "in words"))
    yield from pictures.drawn(material, pictures.coefficients)
    for note in _notes(summary):
        yield Text(note, "note")
    scales = dict.fromkeys(map(material.scale, material.asked.records))
    used = [methods.scale_name(scale) for scale in scales if scale]
    if used:
        yield Text(f"Words: {', '.join(used)}. They are conventions, and do not know what an error costs here.", "note")


def _digits(name: str) -> int:
    return 4 if name == "bias" else 3


def _notes(result: pd.DataFrame) -> Iterator[str]:
    """What should be known about some rows, once each."""
    said: dict[str, list[str]] = {}
    for name, note in zip(result.index.get_level_values(-1), result["note"], strict=True):
        if note:
            said.setdefault(note, []).append(str(name))
    for note, names in said.items():
        about = "All" if len(names) == len(result) > 1 else ", ".join(names)
        yield f"{about}: {note}."


def _groups(material: Material, warned: Sequence[str]) -> Iterator[Section]:
    if material.grouped is None:
        return
    result, by, scores = material.by_group, ", ".join(material.keys), material.asked.scores
    spread, words = interval_header(result), np.array(material.words(result), object)
    order = np.arange(len(result))
    if len(result) > MOST_GROUPS:
        order = np.argsort(result["estimate"].to_numpy(), kind="stable")[:MOST_GROUPS]
    shown = result.iloc[order]
    rows = []
    for ((*key, _), row), word in zip(each(shown), words[order], strict=True):
        line = [*map(cell, key), number(row.estimate), *([interval(row)] if spread else [])]
        rows.append([*line, *([] if scores else [dash(row.observed)]), f"{row.n_items:,}", word or DASH])
    header = [*material.keys, material.main.name, *spread]
    header += [*([] if scores else ["observed"]), "items"]
    cut = f", the lowest {len(rows)}" if len(rows) < len(result) else ""
    name = coefficient_name(material.main)
    blocks: list[Block] = [
        table(
            f"{name} by {by}{cut}",
            [*header, "in words"],
            rows,
            keys=len(material.keys),
            text=("in words",),
            more=more(len(result), len(rows), "group"),
        )
    ]
    blocks += pictures.drawn(material, pictures.groups, shown)
    blocks += [Text(_undefined_groups(result), "note")] if result["estimate"].isna().any() else []
    blocks += [*_said(warned), *_findings_by_group(material)]
    yield Section(f"By {by}", tuple(blocks))


def _undefined_groups(result: pd.DataFrame) -> str:
    reasons = Counter(note.partition(";")[0] for note in result.loc[result["estimate"].isna(), "note"])
    return "Undefined: " + "; ".join(f"{reason} ({count(n, 'group')})" for reason, n in reasons.items()) + "."


def _findings_by_group(material: Material) -> Iterator[Block]:
    """Each finding once, with the groups in which it was made."""
    where: dict[tuple[str, str, str], list[str]] = {}
    for one in group_findings(material) if not material.asked.scores else []:
        if one.group:
            where.setdefault((one.severity, one.name, one.about), []).append(_group_name(one.group))
    if not where:
        return
    ranked = sorted(where.items(), key=lambda pair: (["high", "medium", "low"].index(pair[0][0]), -len(pair[1])))
    n = len(material.by_group)
    rows = [
        [severity, name, short(about, 40) or DASH, f"{len(groups):,} of {n:,}", listed(groups, 4)]
        for (severity, name, about), groups in ranked[: material.asked.n]
    ]
    header = ["severity", "finding", "about", "groups", "where"]
    yield table(
        "Findings within the groups",
        header,
        rows,
        keys=2,
        text=("about", "where"),
        more=more(len(ranked), len(rows), "finding"),
    )


# ------------------------------------------------------------------------------------------------- findings and advice


def _stands_out(material: Material, found: list[Finding]) -> Iterator[Block]:
    if not found:
        yield Text("No finding: nothing passed the threshold of any check.")
        return
    kinds = Counter(one.name for one in found)
    points: list[tuple[str, str]] = []
    seen: Counter[str] = Counter()
    for one in found:
        seen[one.name] += 1
        if seen[one.name] <= SAME_KIND:
            about = f" ({short(one.about, 60)})" if one.about else ""
            points.append((f"{one.severity}: {one.name}{about}", sentence(one.evidence)))
        elif seen[one.name] == kinds[one.name]:
            points.append(("", f"… and {kinds[one.name] - SAME_KIND} more of “{one.name}”"))
    yield Points(tuple(points))
    if not material.nominal and not material.asked.scores:
        yield Text(
            "With partial credit single categories are not checked; their rates count equal labels only.", "note"
        )


def _next(material: Material, found: list[Finding]) -> Iterator[Block]:
    """The advice of each finding once, for all whom it concerns; then the items."""
    steps: dict[str, list[str]] = {}
    for one in found:
        steps.setdefault(one.advice, []).append(one.about)
    names = {one.advice: one.name for one in found}
    points = []
    for advice, about in steps.items():
        named = [name for name in dict.fromkeys(about) if name]
        points.append((listed(named, 4) if named else names[advice], sentence(advice)))
    points += [("", step) for step in _adjudicate(material)]
    yield Points(tuple(points), numbered=True) if points else Text("Nothing: no check found anything wrong.")


def _adjudicate(material: Material) -> Iterator[str]:
    """The items whose labels differ; of scores nearly all do."""
    try:
        n = 0 if material.asked.scores else material.n_split
    except InputError:  # the section of the items says why
        return
    if n == 1:
        yield "Adjudicate the item whose labels differ; it is listed below."
    if n > 1:
        yield f"Adjudicate the {n:,} items whose labels differ, beginning with those listed below."


# ------------------------------------------------------------------------------------------------------------- methods


def _methods(material: Material) -> Iterator[Block]:
    yield Text(methods.paragraph(material), "quote")
    yield Points(tuple(("", reference) for reference in methods.references(material)))
