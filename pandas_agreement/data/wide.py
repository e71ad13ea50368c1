"""Wide data: one row per item, one column per coder."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from functools import partial
from typing import Any

import pandas as pd

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.ratings import WideRatings
from pandas_agreement.core.scores import Scores
from pandas_agreement.data.guesses import check_columns
from pandas_agreement.data.label_checks import check_labels
from pandas_agreement.data.labels import NO_CATEGORIES, encode
from pandas_agreement.data.reading import (
    DEFAULTS,
    LABELS,
    Needs,
    Reading,
    Rows,
    are_values,
    check_names,
    columns_of,
    key_columns,
    read_rows,
    scores_in,
)
from pandas_agreement.errors import warn_once
from pandas_agreement.options import Options


def read_wide(
    frame: pd.DataFrame,
    coders: Sequence[Hashable],
    options: Options = DEFAULTS,
    needs: Needs = LABELS,
) -> Reading:
    """One row per item, one column per coder; by default all columns but keys."""
    source, categories, cells, scores = Rows.of(frame, options), options.categories, needs.cells, needs.scores
    names = _coder_names(frame, coders, key_columns(source.groups, options))
    columns, frame = columns_of(source.frame, names), source.frame
    unclear = not coders and categories is None
    nominal = options.nominal and not scores
    remarks = check_columns(frame, columns, names, nominal, cells is not None) if unclear else []
    numbers = scores_in(columns) if scores and categories is None else None
    if numbers is not None and (scores is True or are_values(numbers)):
        warn_once(remarks)
        return read_rows(source, partial(_scores, numbers), NO_CATEGORIES, names)
    codes, category_set = encode(
        [cells(column) for column in columns] if cells else columns, names, categories, remarks
    )
    warn_once(remarks + check_labels(category_set, cells is not None))
    return read_rows(source, partial(_labels, codes, len(category_set)), category_set, names)


def _labels(
    codes: Sequence[Array], n_categories: int, rows: Any, n_groups: int, group: Array | None, weight: Array | None
) -> WideRatings:
    return WideRatings(len(codes), n_categories, n_groups, group, weight, tuple(code[rows] for code in codes))


def _scores(columns: Sequence[Array], rows: Any, n_groups: int, group: Array | None, weight: Array | None) -> Scores:
    return Scores.from_columns([column[rows] for column in columns], group, n_groups, weight)


def _coder_names(frame: pd.DataFrame, coders: Sequence[Hashable], keys: Collection[Hashable]) -> list[Hashable]:
    names = list(coders)
    if not names:
        names = [name for name in frame.columns if name not in keys]
    check_names(
        names,
        "name the columns, as in df.agree.kappa('ann', 'bob'), or use df.agree.long(item=..., "
        "coder=..., label=...) for one row per judgment",
    )
    return names
