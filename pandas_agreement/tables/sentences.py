"""Results as text to paste, one line per row."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import pandas as pd

from pandas_agreement.characters import visible
from pandas_agreement.core.remarks import remarks_in
from pandas_agreement.formatting import count, weights_name
from pandas_agreement.results.tidy import LEVEL, SCHEMAS, coefficient_of, fact, of_rows
from pandas_agreement.tables.columns import (
    KNOWN,
    Column,
    NumberForm,
    estimate_name,
    matrix_keys,
    matrix_name,
    matrix_numbers,
)

#: told elsewhere in the sentence, or not at all
TOLD = {
    "estimate", "n_items", "n_coders", "note", "remarks", "se", "observed", "expected", "weights", "about", "advice",
}  # fmt: skip
#: numbers that a sentence leaves out: those, and what only `detail=True` adds
QUIET: set[Hashable] = {*KNOWN}.difference(*(schema.shown for schema in SCHEMAS))
QUIET |= {"epsilon", "n_humans", "role", "n_runs", "rank", "objective", "n_sweeps", "smoothing", "diagonal", "npv"}
QUIET |= {"n_categories"}


def text_of(result: pd.DataFrame, columns: Sequence[Column]) -> str:
    """The sentences of a result."""
    told = [each for each in columns if each.source in KNOWN and each.source not in TOLD | QUIET and not each.is_key]
    names, weights = coefficient_of(result), _weights(result)
    name = estimate_name(result) or "estimate"
    lines = []
    for place, own in enumerate(weights):
        cells = {str(each.source): each.cells[place] for each in columns}
        keys = [each.cells[place] for each in columns if each.is_key and each.source != LEVEL]
        where = ", ".join(filter(None, [*keys, cells.get("about")]))
        if "evidence" in cells:
            lines.append(f"{where}: {cells['evidence']}. Advice: {cells.get('advice')}.")
            continue
        parts = _parts(cells, cells.get(LEVEL, name), "ci_low" in result, place, told)
        if own and cells.get("estimate"):
            parts.append(f"{'level' if names is not None and names[place] == 'alpha' else 'weights'} {own}")
        whole = {"item": cells.get("n_items"), "coder": cells.get("n_coders")}
        parts += [count(int(n.replace(",", "")), what) for what, n in whole.items() if n]
        lines.append(f"{where}: {', '.join(parts)}" if where else ", ".join(parts))
    return visible("\n".join(lines))


def _weights(result: pd.DataFrame) -> list[str]:
    """The weights or the level of each row, empty where labels are the same or not."""
    known = of_rows(result, "weights")
    weights = [fact(result, "weights")] * len(result) if known is None else known
    return [weights_name(one) if isinstance(one, str) and one != "nominal" else "" for one in weights]


def _parts(cells: dict[str, str], name: str, has_interval: bool, place: int, told: Sequence[Column]) -> list[str]:
    """What was measured, with its interval, and the numbers that go with it."""
    notes = remarks_in(cells.get("remarks") or cells.get("note") or "")
    if cells.get("estimate") == "":
        return [f"{name} is undefined: {notes[0] or 'there is no estimate'}"]
    parts = [f"{name} = {cells['estimate']}"] if "estimate" in cells else []
    if has_interval and not cells.get("ci_low") and notes[0]:
        parts.append(f"no interval ({notes[0]})")
    return parts + [_part(str(each.source), each.header, each.cells[place]) for each in told if each.cells[place]]


def _part(source: str, header: str, cell: str) -> str:
    """One number of a sentence."""
    if source == "ci_low":
        return f"{header} {cell}"
    if source.startswith("p_"):
        name = header.replace("p (Holm)", "adjusted p")
        return f"{name} {cell}" if cell.startswith("<") else f"{name} = {cell}"
    name = f"{header[0].lower()}{header[1:]}" if header[1:2].islower() else header
    if header.endswith("CI]"):
        (name, _, interval), (cell, _, bounds) = name.rstrip("]").partition(" ["), cell.partition(" ")
        return f"{name} = {cell}, {interval} {bounds}"
    return f"{name} = {cell}"


def matrix_sentence(result: pd.DataFrame, form: NumberForm) -> str:
    """One line per row: its keys, and each label with its number, if it has any."""
    keys, numbers, name = matrix_keys(result), matrix_numbers(result, form), matrix_name(result)
    lines = []
    for row in range(len(result)):
        where = ", ".join(f"{each.header} {each.cells[row]}" if name else each.cells[row] for each in keys)
        told = [f"{n.header} = {n.cells[row]}" for n in numbers if n.cells[row] not in ("", "0")]
        lines.append(f"{where}: {name}{' ' if name else ''}{', '.join(told) or 'none'}")
    return "\n".join(lines)
