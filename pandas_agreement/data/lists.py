"""Anonymous ratings as a list in one cell: arrays, lists, or text with a separator.

Every element is the label or score of one rater, without a name. The frame has one row per item, and results keep
its index. An empty list, a missing cell and a missing element hold no rating.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.core.arrays import Array
from pandas_agreement.data.label_checks import check_labels
from pandas_agreement.data.labels import NO_CATEGORIES, encode, is_missing
from pandas_agreement.data.long import Judgments, n_lost
from pandas_agreement.data.reading import DEFAULTS, LABELS, Needs, Reading, Rows, columns_of, scores_in
from pandas_agreement.errors import InputError, Remark, shown, warn_once
from pandas_agreement.options import Options

NUMBER = re.compile(r"[+-]?(0|[1-9]\d*)(\.\d*)?([eE][+-]?\d+)?|[+-]?\.\d+")  # 007 is a name


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
        remedy = "a set drops repeated labels, so give a list of all of them"
    elif isinstance(cell, str):
        remedy = "name the text between two ratings, as in df.agree.cells('scores', sep='|')"
    raise InputError(where, remedy, column=column.name, code="no list")
