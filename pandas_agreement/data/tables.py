"""Aggregated data: the contingency table of two coders, counts of categories per item, and lists of ratings.

A list holds all ratings of an item in one cell: an array, a list, or text with a separator. Every element is the label
or score of one rater, without a name. An empty list, a missing cell and a missing element hold no rating.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.ratings import LongRatings, Ratings, WideRatings
from pandas_agreement.data.label_checks import check_labels
from pandas_agreement.data.labels import NO_CATEGORIES, encode, is_missing
from pandas_agreement.data.long import Judgments, n_lost
from pandas_agreement.data.reading import (
    DEFAULTS,
    LABELS,
    Needs,
    Reading,
    Rows,
    columns_of,
    key_columns,
    read_rows,
    scores_in,
)
from pandas_agreement.errors import InputError, Remark, shown, warn_once
from pandas_agreement.options import Options

MIN_COLUMNS_WITH_TOTAL, MIN_ROWS_WITH_TOTAL = 3, 5  # fewer may add up by chance
MAX_NAMED = 6  # categories that a message names
NUMBER = re.compile(r"[+-]?(0|[1-9]\d*)(\.\d*)?([eE][+-]?\d+)?|[+-]?\.\d+")  # 007 is a name


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


# ------------------------------------------------------------------------------------------------------- lists in cells


def read_lists(
    frame: pd.DataFrame,
    name: Hashable,
    sep: str | None = None,
    options: Options = DEFAULTS,
    needs: Needs = LABELS,
) -> Reading:
    """One row per item; a cell of the column holds all ratings of its item."""
    source = Rows.of(frame, options)
    (column,) = columns_of(source.frame, [name])
    groups, cluster = source.groups, source.cluster
    item, values = elements(column, sep)
    remarks: list[Remark] = []
    numbers = scores_in([values]) if needs.scores is True and options.categories is None else None
    if numbers is not None:
        label, category_set = np.where(np.isnan(numbers[0]), -1, np.arange(len(values))), NO_CATEGORIES
    else:
        (label,), category_set = encode([values], [name], options.categories, remarks)
        remarks += check_labels(category_set)
    warn_once(remarks)
    kept = label >= 0
    item = item[kept]
    judgments = Judgments(
        group=None if groups is None else groups.codes[item].astype(np.int64),
        item=item,
        coder=np.zeros(len(item), np.int64),
        code=label[kept].astype(np.int64),
        cluster=None if cluster is None else cluster[item],
        items=source.place,
        names=[],
        groups=None if groups is None else groups.index,
        category_set=category_set,
        numbers=None if numbers is None else numbers[0],
        named=False,
        duplicates="raise",
        anonymous=True,
        by_row=True,
        weight=None if source.weight is None else source.weight[item],
        n_unlabelled=n_lost(np.arange(len(source.frame)), item, len(source.frame)),
    )
    return judgments.reading()


def elements(column: pd.Series, sep: str | None = None) -> tuple[Array, pd.Series]:
    """The row of each element, and the elements; texts are numbers if all of them are.

    >>> row, value = elements(pd.Series(["1|2", None, "5"]), "|")
    >>> row.tolist(), value.tolist()
    ([0, 0, 2], [1, 2, 5])
    """
    cells = [_elements(cell, sep, row, column) for row, cell in enumerate(column.astype(object).tolist())]
    row = np.repeat(np.arange(len(cells)), [len(cell) for cell in cells])
    values = [value for cell in cells for value in cell]
    if sep is not None and values and all(isinstance(value, str) and NUMBER.fullmatch(value) for value in values):
        return row, pd.Series(pd.to_numeric(pd.Series(values, dtype=object)))
    return row, pd.Series(values, dtype=None if values else object)


def _elements(cell: Any, sep: str | None, row: int, column: pd.Series) -> list[Any]:
    if isinstance(cell, (list, tuple, np.ndarray)):
        return list(cell)
    if is_missing(cell):
        return []
    if isinstance(cell, str) and sep is not None:
        return [part.strip() for part in cell.split(sep) if part.strip()]
    where = f"the cell in row {shown(column.index[row])}, column {shown(column.name)}, holds {shown(cell)}"
    remedy = "a list per cell is expected"
    if isinstance(cell, (set, frozenset)):
        remedy = "a set drops repeated labels, so use a list of all of them"
    elif isinstance(cell, str):
        remedy = "name the text between two ratings, as in df.agree.cells('scores', sep='|')"
    raise InputError(where, remedy, column=column.name, code="no list")
