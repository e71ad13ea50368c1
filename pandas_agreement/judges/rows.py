"""The index of results about judges: group keys, judge, then coder or category, last the coefficient."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.core.arrays import Array
from pandas_agreement.judges.roles import Judged
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
