"""Results as text to paste, one line per row."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import pandas as pd

from pandas_agreement.characters import visible
from pandas_agreement.formatting import count, notes_of
from pandas_agreement.tables.columns import KNOWN, Column, flat, is_cut, is_late

#: told elsewhere in the sentence, or not at all
TOLD = {"estimate", "coefficient", "n_items", "n_coders", "note", "se", "observed", "expected", "weights"}
#: numbers that a sentence has only if somebody has chosen them
QUIET = {
    "statistic", "margin", "p_noninferior", "p_equivalent", "baseline", "baseline_advantage", "epsilon", "n_humans",
    "ties", "n_ties", "role", "n_runs", "design", "worth", "reliability", "reference", "n_human", "n_judge", "null_se",
    "objective", "n_sweeps", "smoothing", "diagonal", "npv", "rank",
}  # fmt: skip


def text_of(result: pd.DataFrame, columns: Sequence[Column]) -> str:
    """The sentences of a result."""
    rows, _ = flat(result)
    quiet = QUIET - ({"statistic"} if "estimate" not in rows else set())
    quiet |= {"p_holm"} if "verdict" in rows else set()  # of another p than the one before it
    quiet = set() if is_cut(result) else quiet
    told = [each for each in columns if not is_late(each.source, result) and each.source not in quiet]
    return visible("\n".join(_row_text(row, place, told) for place, row in enumerate(rows.to_dict("records"))))


def _row_text(row: dict[Hashable, Any], place: int, columns: Sequence[Column]) -> str:
    """The sentence of one row: who or what, the value with its interval, and the numbers behind it."""
    cells = {each.source: each.cells[place] for each in columns if each.cells[place]}
    keys = [cells[each.source] for each in columns if each.is_key and each.source in cells.keys() - {"coefficient"}]
    where = f"{', '.join(keys)}: " if keys else ""
    if "evidence" in cells:
        return where + cells["evidence"]
    name = cells.get("coefficient", "estimate")
    if "estimate" in row and pd.isna(row["estimate"]):
        note = notes_of(row["note"])[0] if row.get("note") else "there is no estimate"
        return f"{where}{name} is undefined: {note}{_behind(cells)}"
    parts = [f"{name} = {cells['estimate']}"] if "estimate" in cells else []
    if "ci_low" in row and "ci_low" not in cells and row.get("note"):
        parts.append(f"no interval ({notes_of(row['note'])[0]})")
    headers = {each.source: each.header for each in columns}
    for source, cell in cells.items():
        if source in KNOWN and source not in TOLD:
            parts.append(_part(source, headers[source], cell))
    if cells.get("weights"):
        parts.append(f"{'level' if row.get('coefficient') == 'alpha' else 'weights'} {cells['weights']}")
    return f"{where}{', '.join(parts)}{_behind(cells)}"


def _part(source: Hashable, header: str, cell: str) -> str:
    """One number of a sentence."""
    if source == "ci_low":
        return f"{header} {cell}"
    if str(source).startswith("p_"):
        name = header.replace("p (Holm)", "adjusted p")
        return f"{name} {cell}" if cell.startswith("<") else f"{name} = {cell}"
    return f"{header[0].lower()}{header[1:]} = {cell}" if header[1:2].islower() else f"{header} = {cell}"


def _behind(cells: dict[Hashable, str]) -> str:
    """The items and coders behind a number."""
    whole = {"item": cells.get("n_items"), "coder": cells.get("n_coders")}
    return "".join(f", {count(int(n.replace(',', '')), what)}" for what, n in whole.items() if n)
