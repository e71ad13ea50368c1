"""Wide data: one row per item, one column per coder."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.contingency import tabulate
from pandas_agreement.core.ratings import Ratings, WideRatings
from pandas_agreement.core.scores import Scores
from pandas_agreement.data.guesses import check_columns
from pandas_agreement.data.label_checks import check_labels
from pandas_agreement.data.labels import NO_CATEGORIES, CategorySet, encode
from pandas_agreement.data.reading import (
    DEFAULTS,
    LABELS,
    Coded,
    Needs,
    Reading,
    Rows,
    are_values,
    check_names,
    columns_of,
    key_columns,
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
        return NumberColumns(numbers, names, source).reading(rows=needs.rows)
    codes, category_set = encode(
        [cells(column) for column in columns] if cells else columns, names, categories, remarks
    )
    warn_once(remarks + check_labels(category_set, cells is not None))
    return CodedColumns(codes, category_set, names, source).reading(rows=needs.rows)


@dataclass(frozen=True, eq=False)
class CodedColumns(Coded):
    """The codes of each coder's column."""

    codes: Sequence[Array]
    category_set: CategorySet
    coders: list[Hashable]
    source: Rows

    def reading(self, grouped: bool = True, rows: bool = False) -> Reading:
        groups = self.source.groups if grouped else None
        kept = slice(None) if groups is None else groups.grouped_rows
        group, index = (None, None) if groups is None else (groups.codes[kept], groups.index)
        codes = [code[kept] for code in self.codes]
        cluster, weight = (None if part is None else part[kept] for part in (self.source.cluster, self.source.weight))
        row = self.source.place[kept] if rows else None
        n_groups, n_categories = 1 if index is None else len(index), len(self.category_set.labels)
        ratings: Ratings
        if len(codes) == 2 and cluster is None and not rows:
            ratings = tabulate(group, codes, n_groups, n_categories, weight)
        else:
            wide = None if group is None else group.astype(np.int64, copy=False)
            ratings = WideRatings(len(codes), n_categories, n_groups, wide, weight, tuple(codes))
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


@dataclass(frozen=True, eq=False)
class NumberColumns(Coded):
    """The numbers of each coder's column, without categories or codes."""

    columns: Sequence[Array]
    coders: list[Hashable]
    source: Rows

    def reading(self, grouped: bool = True, rows: bool = False) -> Reading:
        groups = self.source.groups if grouped else None
        kept = slice(None) if groups is None else groups.grouped_rows
        group, index = (None, None) if groups is None else (groups.codes[kept].astype(np.int64), groups.index)
        cluster, weight = (None if part is None else part[kept] for part in (self.source.cluster, self.source.weight))
        columns = [column[kept] for column in self.columns]
        scores = Scores.from_columns(columns, group, 1 if index is None else len(index), weight)
        row = self.source.place[kept] if rows else None
        return Reading(scores, NO_CATEGORIES, self.coders, index, True, cluster, rows=row, coded=self)

    def without(self, coder: int) -> NumberColumns:
        columns = [column for place, column in enumerate(self.columns) if place != coder]
        return replace(self, columns=columns, coders=[name for n, name in enumerate(self.coders) if n != coder])


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
