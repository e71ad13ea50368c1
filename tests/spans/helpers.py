"""Data of spans, and the definitions as plain loops over positions."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

ROLES: dict[str, Any] = {"item": "doc", "coder": "who", "start": "start", "end": "end", "label": "tag"}
COLUMNS = ["doc", "who", "start", "end", "tag"]

#: Krippendorff (2019), Content Analysis, figure 12.11
_BOOK = {
    "a": [(0, 7, "1"), (7, 13, "2"), (30, 32, "5"), (32, 37, "6"), (37, 44, "6"), (44, 60, "7")],
    "b": [(0, 7, "1"), (7, 13, "3"), (13, 21, "5"), (32, 44, "6")],
    "c": [(0, 7, "1"), (7, 13, "4"), (13, 21, "5"), (32, 37, "6"), (37, 41, "6"), (41, 44, "6")],
}
BOOK = pd.DataFrame([("d", who, *span) for who, spans in _BOOK.items() for span in spans], columns=COLUMNS)

#: d1 of three coders, d2 of two of whom one marked nothing, d3 of one
SEVERAL = pd.DataFrame(
    [
        ("d1", "a", 0, 5, "A"),
        ("d1", "a", 8, 12, "B"),
        ("d1", "b", 0, 5, "A"),
        ("d1", "b", 9, 12, "B"),
        ("d1", "c", 0, 4, "A"),
        ("d2", "a", 3, 7, "B"),
        ("d2", "b", None, None, None),
        ("d3", "c", 0, 10, "A"),
    ],
    columns=COLUMNS,
)
LENGTHS = {"d1": 20, "d2": 15, "d3": 10}


def frame_of(coders: dict[str, list[tuple[int, int]]], doc: str = "d", tag: str = "A") -> pd.DataFrame:
    """One document."""
    rows = [(doc, who, *span, tag) for who, spans in coders.items() for span in spans]
    return pd.DataFrame(rows, columns=COLUMNS)


def corpus(seed: int, n_documents: int = 6, overlap: bool = False) -> tuple[pd.DataFrame, dict[str, int]]:
    """Random documents of up to three coders, some of whom saw nothing, or saw it and marked nothing."""
    rng = np.random.default_rng(seed)
    rows: list[tuple[Any, ...]] = []
    lengths = {f"d{number}": int(rng.integers(6, 25)) for number in range(n_documents)}
    for doc, length in lengths.items():
        for who in "abc":
            if rng.random() < 0.2:
                continue
            spans: set[tuple[int, int, str]] = set()
            for _ in range(rng.integers(0, 5)):
                start, size = int(rng.integers(0, length - 1)), int(rng.integers(1, 5))
                new = (start, min(start + size, length), str(rng.choice(["A", "B", "C"])))
                if overlap or all(new[1] <= old[0] or old[1] <= new[0] for old in spans):
                    spans.add(new)
            rows += [(doc, who, *span) for span in sorted(spans)] or [(doc, who, None, None, None)]
    frame = pd.DataFrame(rows, columns=COLUMNS)
    return frame, {doc: length for doc, length in lengths.items() if doc in set(frame["doc"])}


# --------------------------------------------------------------------------------------------------------- definitions


def seen_by(frame: pd.DataFrame) -> dict[str, list[str]]:
    """The coders of each document that two or more saw."""
    seen = {doc: sorted(set(rows["who"])) for doc, rows in frame.groupby("doc")}
    return {doc: coders for doc, coders in seen.items() if len(coders) > 1}


def positions(frame: pd.DataFrame, lengths: dict[str, int]) -> list[list[tuple[Any, Any, float]]]:
    """The value and the unit that each coder gave each position of a document, and its weight 1 / (m - 1)."""
    out = []
    for doc, coders in seen_by(frame).items():
        sides = [list(frame[(frame["doc"] == doc) & (frame["who"] == who)].dropna().itertuples()) for who in coders]
        for place in range(lengths[doc]):
            cell = []
            for who, rows in zip(coders, sides, strict=True):
                here = [(row.tag, (doc, who, row.Index, "span")) for row in rows if row.start <= place < row.end]
                value, unit = here[0] if here else (None, (doc, who, place))
                cell.append((value, unit, 1 / (len(coders) - 1)))
            out.append(cell)
    return out


def alpha(frame: pd.DataFrame, lengths: dict[str, int], of: str = "all") -> float:
    """The unitizing family, from all pairs of positions that are not of the same unit."""
    matter = []  # value, unit, weight
    observed = total = 0.0
    for cell in positions(frame, lengths):
        values = [("x" if of == "marking" and value is not None else value, unit) for value, unit, _ in cell]
        weight = cell[0][2]
        for number, (value, unit) in enumerate(values):
            others = [other for place, (other, _) in enumerate(values) if place != number]
            if of == "labels":
                others = [other for other in others if other is not None and value is not None]
            share = weight * len(others)
            observed += weight * sum(other != value for other in others)
            total += share
            if share:
                matter.append((value, unit, share))
    values, units = (np.unique([str(cell[part]) for cell in matter], return_inverse=True)[1] for part in (0, 1))
    pairs = np.outer(*[[share for *_, share in matter]] * 2)
    different, foreign = (pairs[codes[:, None] != codes].sum() for codes in (values, units))
    return 1 - (observed / total) / (different / foreign) if different else float("nan")


def f1(frame: pd.DataFrame, iou: float) -> float:
    """2 hits over all spans of all pairs of coders, with the best matching of all."""
    hits = possible = 0
    marked = frame.dropna()
    for doc, coders in seen_by(frame).items():
        for pair in combinations(coders, 2):
            sides = []
            for who in pair:
                rows = marked[(marked["doc"] == doc) & (marked["who"] == who)]
                sides.append([(row.start, row.end, row.tag) for row in rows.itertuples()])
            hits += best_matching(*sides, iou)
            possible += len(sides[0]) + len(sides[1])
    return 2 * hits / possible if possible else float("nan")


def best_matching(left: list[Any], right: list[Any], iou: float) -> int:
    """The most pairs that match, by trying all."""
    if not left:
        return 0
    first, *rest = left
    best = best_matching(rest, right, iou)
    for number, other in enumerate(right):
        if matches(first, other, iou):
            best = max(best, 1 + best_matching(rest, right[:number] + right[number + 1 :], iou))
    return best


def matches(one: Any, two: Any, iou: float) -> bool:
    shared = min(one[1], two[1]) - max(one[0], two[0])
    either = max(one[1], two[1]) - min(one[0], two[0])
    return one[2] == two[2] and shared > 0 and shared / either >= iou


def tags(frame: pd.DataFrame, lengths: dict[str, int], who: str) -> dict[str, list[str]]:
    """The tags of one coder in each document: B- where a span begins, I- within it, O where there is none."""
    out = {doc: ["O"] * length for doc, length in lengths.items()}
    for row in frame[(frame["who"] == who) & frame["start"].notna()].itertuples():
        for place in range(int(row.start), int(row.end)):
            out[row.doc][place] = f"{'B' if place == row.start else 'I'}-{row.tag}"
    return out


def entities(line: list[str]) -> list[tuple[int, int, str]]:
    """What tags mark: from each B- to the last I- of the same label."""
    out = []
    for start, tag in enumerate(line):
        if tag.startswith("B-"):
            end = start + 1
            while end < len(line) and line[end] == f"I-{tag[2:]}":
                end += 1
            out.append((start, end, tag[2:]))
    return out
