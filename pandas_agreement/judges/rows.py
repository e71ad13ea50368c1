"""The index of results about judges: group keys, judge, then coder or category, last the coefficient."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.remarks import Remarks
from pandas_agreement.data import Reading
from pandas_agreement.errors import shown
from pandas_agreement.judges.panel import Judged, JudgedItems, has_sets
from pandas_agreement.results import frames
from pandas_agreement.results.schemas import Schema


def judged_index(
    schema: Schema, groups: pd.Index | None, levels: Mapping[str, list[Any]], *coefficients: str
) -> pd.Index:
    """One entry per row; a group key that is called like a column of the result is an error."""
    frames.check_keys(groups, schema)
    return frames.row_index(groups, levels, coefficients) if coefficients else frames.index_of(groups, levels)


def human_levels(
    judged: Judged, names: Sequence[Any], present: Array, level: str = "coder"
) -> tuple[pd.Index | None, dict[str, list[Any]]]:
    """Group, judge and human (or category) of rows; `present` are those that exist of all groups, judges and names."""
    groups, judges = judged.levels()
    row, name = np.divmod(np.flatnonzero(present), len(names))
    levels = {"judge": [judges[each] for each in row.tolist()], level: [names[each] for each in name.tolist()]}
    return (None if groups is None else groups.take(row)), levels


def note_items(judged: Judged, items: JudgedItems, remarks: Remarks, as_names: bool = True) -> None:
    """Items that are left out, and of labels that are compared as names those of judges that nobody can share."""
    many = "fewer than two human labels" if len(judged.humans) > 1 else "no human label"
    remarks.count(items.too_few, "left out", f"judged item with {many} left out", f"judged items with {many} left out")
    what = "item without a label of the judge", "items without a label of the judge"
    remarks.count(items.unjudged, "not judged", *what)
    note_invalid(judged, remarks, "counted as wrong")
    if not as_names:
        return
    note_sets(judged.reading, remarks)
    alone = judged.unshared() * judged.n_groups
    texts = [f"labels that no human used: {', '.join(map(shown, labels[:3]))}" if labels else "" for labels in alone]
    remarks.add(True, "not used", texts)


def note_invalid(judged: Judged, remarks: Remarks, wrong: str) -> None:
    """Labels of judges outside the categories, and what became of them."""
    code, what = ("invalid", wrong) if judged.wrong else ("left out", "left out")
    number = judged.n_invalid.reshape(-1, *[1] * (remarks.none.ndim - 1))
    which = "outside the categories" if judged.declared else "that no human used"
    remarks.count(number, code, f"label {which} {what}", f"labels {which} {what}")


def note_sets(reading: Reading, remarks: Remarks) -> None:
    """Sets of labels, where they are compared as names."""
    credit = "versus_humans(metrics='alpha', level='masi') and alt_test(level='masi')"
    remarks.add(has_sets(reading), "whole sets", f"sets are compared as whole labels; partial credit: {credit}")
