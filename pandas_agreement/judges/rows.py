"""The index of results about judges: group keys, judge, then coder or category, last the coefficient."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from pandas_agreement.errors import InputError, shown
from pandas_agreement.results import frames
from pandas_agreement.results.schemas import Schema


def judged_index(
    schema: Schema, groups: pd.Index | None, levels: Mapping[str, list[Any]], coefficient: str | None = None
) -> pd.Index:
    """One entry per row; a group key that is called like a column of the result is an error."""
    names = [] if groups is None else list(groups.names)
    taken = next((name for name in names if name in schema), None)
    if taken is not None:
        problem = f"a group key cannot be called {shown(taken)}, as this result has that name"
        remedy = f"rename it, for instance with df.rename(columns={{{taken!r}: '{taken}_key'}})"
        raise InputError(problem, remedy, option="by", column=taken, code="name taken")
    if coefficient is None:
        return frames.index_of(groups, levels)
    return frames.row_index(groups, levels, [coefficient])
