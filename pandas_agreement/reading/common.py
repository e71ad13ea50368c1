"""What every way of reading shares: the `Reading`, columns by name, groups and clusters."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pandas_agreement.errors import ColumnError, InputError
from pandas_agreement.grouping import Groups, group_rows
from pandas_agreement.labels import Universe
from pandas_agreement.ratings import Ratings

Array = NDArray[Any]


@dataclass(frozen=True)
class Reading:
    """What a call needs to know about the data."""

    ratings: Ratings
    universe: Universe
    coders: Sequence[Hashable]  # a name for each coder code; empty for counts
    groups: pd.Index | None
    layout: str
    named: bool  # the user named these coders, so one without labels is worth a word
    clusters: Array | None = None  # (I,)
    listed: bool = False  # the categories were listed in the call
    rows: Array | None = None  # (I,) the row of each item, where a row is an item
    items: pd.Index | None = None  # (I,) the name of each item, where items have names


def columns_of(frame: pd.DataFrame, names: Sequence[Hashable], what: str = "column") -> list[pd.Series]:
    """The named columns, each of which must be there once."""
    columns = []
    for name in names:
        try:
            column = frame[name]
        except (KeyError, TypeError):
            raise ColumnError.missing(name, frame.columns, what) from None
        if isinstance(column, pd.DataFrame):
            raise InputError(f"column {name!r} is not unique; rename one of the {column.shape[1]} columns of that name")
        columns.append(column)
    return columns


def group_of(frame: pd.DataFrame, by: Any) -> Groups | None:
    return None if by is None else by if isinstance(by, Groups) else group_rows(frame, by)


def cluster_codes(frame: pd.DataFrame, clusters: Any) -> Array | None:
    if clusters is None:
        return None
    if isinstance(clusters, (list, np.ndarray, pd.Series, pd.Index)) and len(clusters) == len(frame):
        values: Any = clusters
    else:
        values = columns_of(frame, [clusters])[0]
    codes, _ = pd.factorize(np.asarray(values, dtype=object) if isinstance(values, list) else values)
    if (codes < 0).any():
        raise InputError(f"clusters= has {int((codes < 0).sum())} missing values; every item needs a cluster")
    return codes


def listed(names: Sequence[Hashable]) -> str:
    return "none" if not names else "only " + ", ".join(map(repr, names))
