"""Aggregated data: the contingency table of two coders, and counts of categories per item."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.ratings import LongRatings, Ratings, WideRatings
from pandas_agreement.data.label_checks import check_labels
from pandas_agreement.data.labels import encode
from pandas_agreement.data.reading import DEFAULTS, Reading, Rows, columns_of, key_columns, read_rows
from pandas_agreement.errors import InputError, Remark, shown, warn_once
from pandas_agreement.options import Options

MIN_COLUMNS_WITH_TOTAL, MIN_ROWS_WITH_TOTAL = 3, 5  # fewer may add up by chance
MAX_NAMED = 6  # categories that a message names


def read_crosstab(frame: pd.DataFrame, categories: Any = None) -> Reading:
    """Contingency table of two coders, matched by label: rows are the first coder's, columns the second's."""
    for axis, labels in (("index", frame.index), ("columns", frame.columns)):
        if isinstance(labels, pd.MultiIndex):
            raise InputError(f"a crosstab has one level of labels, and its {axis} has {labels.nlevels}")
        if not labels.is_unique:
            raise InputError(
                f"label {shown(labels[labels.duplicated()][0])} occurs twice in the {axis} of the crosstab"
            )
    table = _whole_numbers(frame, "crosstab")
    if categories is None:
        _refuse_margins(frame, table)
    remarks: list[Remark] = []
    (rows, columns), category_set = encode(
        [frame.index.to_series(), frame.columns.to_series()], ["index", "columns"], categories, remarks
    )
    warn_once(remarks + check_labels(category_set))
    r, c = np.nonzero(table)
    codes = rows[r].astype(np.int64), columns[c].astype(np.int64)
    ratings = WideRatings(2, len(category_set.labels), 1, None, table[r, c].astype(float), codes)
    names: list[Hashable] = [frame.index.name, frame.columns.name]
    if None in names or names[0] == names[1]:
        names = ["row", "column"]
    return Reading(ratings, category_set, names, None, True)


def read_counts(
    frame: pd.DataFrame,
    names: Sequence[Hashable] = (),
    options: Options = DEFAULTS,
) -> Reading:
    """One row per item, one column per category; a cell is the number of coders who chose it.

    `names` are the columns of the categories; by default all but keys.
    """
    source = Rows.of(frame, options)
    frame = _count_columns(source.frame, names, key_columns(source.groups, options))
    table = _whole_numbers(frame, "table of counts")
    if not names:
        _refuse_total(frame, table)
    columns = frame.columns.to_series()
    remarks: list[Remark] = []
    (codes,), category_set = encode([columns], ["columns"], options.categories, remarks)
    warn_once(remarks + check_labels(category_set))
    if (codes < 0).any():
        raise InputError("a column of the counts has no name", "every column is a category")
    counts = np.zeros((len(category_set.labels), len(frame)), np.min_scalar_type(int(table.max(initial=1))))
    counts[codes.astype(np.int64)] = table.T

    def make(rows: Any, n_groups: int, group: Array | None, weight: Array | None) -> Ratings:
        return LongRatings.of_counts(counts[:, rows], n_groups, group, weight)

    return read_rows(source, make, category_set, [], named=False)


def _count_columns(frame: pd.DataFrame, names: Sequence[Hashable], keys: Collection[Hashable]) -> pd.DataFrame:
    """The columns of the categories."""
    if names:
        columns_of(frame, names)  # raises for a missing or repeated column
        chosen = [name in names for name in frame.columns]
    else:
        chosen = [name not in keys for name in frame.columns]
    frame = frame if all(chosen) else frame.loc[:, chosen]
    if not frame.columns.is_unique:
        raise InputError("a category occurs twice among the columns of the counts")
    return frame


def _refuse_total(frame: pd.DataFrame, table: Array) -> None:
    """Raise for a column of totals, which would count as a category."""
    if table.shape[1] < MIN_COLUMNS_WITH_TOTAL or len(table) < MIN_ROWS_WITH_TOTAL or not table.any():
        return
    total = np.flatnonzero((2 * table == table.sum(1, keepdims=True)).all(0))
    if len(total):
        name, others = frame.columns[total[0]], frame.columns.delete(total[0])
        call = ", ".join(map(repr, others[:MAX_NAMED])) + ", ..." * (len(others) > MAX_NAMED)
        problem = f"column {shown(name)} is the sum of all others in every row, and so no category"
        raise InputError(problem, f"name the categories: df.agree.counts({call})", column=name, code="total")


def _whole_numbers(frame: pd.DataFrame, what: str) -> Array:
    """The cells as integers, or an error that names the first cell that is not a count."""
    for name, dtype in zip(frame.columns, frame.dtypes, strict=True):
        if not pd.api.types.is_numeric_dtype(dtype):
            raise InputError(f"a {what} holds numbers, and column {name!r} is {dtype}", column=name, code="no count")
    values = frame.to_numpy(dtype=float, na_value=np.nan)
    bad = ~(np.isfinite(values) & (values >= 0) & (values == np.floor(values)))
    if bad.any():
        row, column = np.argwhere(bad)[0]
        name, cell = frame.columns[column], f"{values[row, column]:g}"
        where = f"the cell in row {shown(frame.index[row])}, column {shown(name)}"
        problem = f"a {what} holds whole numbers of 0 or more, and {where} is {cell}"
        raise InputError(problem, column=name, code="no count")
    return values.astype(np.int64)


def _refuse_margins(frame: pd.DataFrame, table: Array) -> None:
    """Raise for the sums of `pd.crosstab(..., margins=True)`, which would count as a category."""
    if min(table.shape, default=0) < 3 or frame.index[-1] != frame.columns[-1]:
        return
    sums = np.array_equal(table[:-1].sum(0), table[-1]) and np.array_equal(table[:, :-1].sum(1), table[:, -1])
    if sums and table.any():
        problem = f"the last row and column ({shown(frame.index[-1])}) are the sums of the others"
        remedy = (
            "make the crosstab without margins=True, or list all categories in categories=[...] if it is one of them"
        )
        raise InputError(problem, remedy, code="margins")
