"""Wide data: one row per item, one column per coder."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.contingency import tabulate
from pandas_agreement.core.ratings import Ratings, WideRatings
from pandas_agreement.core.scores import Scores
from pandas_agreement.data import shapes
from pandas_agreement.data.grouping import Groups
from pandas_agreement.data.label_checks import check_labels
from pandas_agreement.data.labels import NO_CATEGORIES, CategorySet, encode
from pandas_agreement.data.reading import (
    Cells,
    Coded,
    Reading,
    check_names,
    cluster_codes,
    columns_of,
    group_of,
    key_columns,
    scores_in,
)
from pandas_agreement.errors import warn_once


def read_wide(
    frame: pd.DataFrame,
    coders: Sequence[Hashable],
    by: Any = None,
    categories: Any = None,
    clusters: Any = None,
    rows: bool = False,
    cells: Cells | None = None,
    scores: bool = False,
    nominal: bool = True,
    apart: Collection[Hashable] = (),
) -> Reading:
    """One row per item, one column per coder.

    `rows=True` keeps one item per row, `cells` converts cells to labels, `scores=True` does not code plain numbers.
    `nominal=False` compares labels as numbers, which need not be shared. Columns that stand `apart` are not coders.
    """
    groups = group_of(frame, by)
    names = _coder_names(frame, coders, groups, clusters, apart)
    columns = columns_of(frame, names)
    unclear = not coders and categories is None
    nominal = nominal and not scores
    remarks = shapes.check_columns(frame, columns, names, nominal, cells is not None) if unclear else []
    if scores and categories is None and (numbers := scores_in(columns)) is not None:
        warn_once(remarks)
        return _read_scores(numbers, names, groups, cluster_codes(frame, clusters))
    codes, category_set = encode(
        [cells(column) for column in columns] if cells else columns, names, categories, remarks
    )
    warn_once(remarks + check_labels(category_set, cells is not None))
    return CodedColumns(codes, category_set, names, groups, cluster_codes(frame, clusters)).reading(rows=rows)


@dataclass(frozen=True, eq=False)
class CodedColumns(Coded):
    """The codes of each coder's column."""

    codes: Sequence[Array]
    category_set: CategorySet
    coders: list[Hashable]
    groups: Groups | None
    cluster: Array | None

    def reading(self, grouped: bool = True, rows: bool = False) -> Reading:
        groups = self.groups if grouped else None
        kept = slice(None) if groups is None else groups.grouped_rows
        group, index = (None, None) if groups is None else (groups.codes[kept], groups.index)
        codes = [code[kept] for code in self.codes]
        cluster = None if self.cluster is None else self.cluster[kept]
        row = np.arange(len(self.codes[0]))[kept] if rows else None
        n_groups, n_categories = 1 if index is None else len(index), len(self.category_set.labels)
        ratings: Ratings
        if len(codes) == 2 and cluster is None and not rows:
            ratings = tabulate(group, codes[0], codes[1], n_groups, n_categories)
        else:
            wide = None if group is None else group.astype(np.int64, copy=False)
            ratings = WideRatings(len(codes), n_categories, n_groups, wide, None, tuple(codes))
        return Reading(ratings, self.category_set, self.coders, index, True, cluster, rows=row, coded=self)

    def without(self, coder: int) -> CodedColumns:
        """Drop one coder, and the categories that only this coder used unless they were declared."""
        codes = [code for place, code in enumerate(self.codes) if place != coder]
        names = [name for place, name in enumerate(self.coders) if place != coder]
        rest = replace(self, codes=codes, coders=names)
        used = np.zeros(len(self.category_set) + 1, bool)  # the last is for code -1, a missing label
        for code in codes:
            used[code] = True
        used = used[:-1]
        if self.category_set.declared or used.all():
            return rest
        place = np.append(np.cumsum(used) - 1, -1)
        category_set = replace(self.category_set, labels=self.category_set.labels[used])
        return replace(rest, codes=[place[code].astype(code.dtype) for code in codes], category_set=category_set)


def _read_scores(
    columns: Sequence[Array], names: list[Hashable], groups: Groups | None, cluster: Array | None
) -> Reading:
    """Read numbers as scores, without categories or codes."""
    if groups is None:
        return Reading(Scores.from_columns(columns), NO_CATEGORIES, names, None, True, cluster)
    kept = groups.grouped_rows
    group = groups.codes[kept].astype(np.int64, copy=False)
    scores = Scores.from_columns([column[kept] for column in columns], group, len(groups.index))
    return Reading(scores, NO_CATEGORIES, names, groups.index, True, None if cluster is None else cluster[kept])


def _coder_names(
    frame: pd.DataFrame, coders: Sequence[Hashable], groups: Groups | None, clusters: Any, apart: Collection[Hashable]
) -> list[Hashable]:
    names = list(coders)
    if not names:
        keys = key_columns(groups, clusters) | set(apart)
        names = [name for name in frame.columns if name not in keys]
    check_names(
        names,
        "name the columns, as in df.agree.kappa('ann', 'bob'), or use df.agree.long(item=..., "
        "coder=..., label=...) for one row per judgment",
    )
    return names
