"""Long data: one row per judgment, with item, coder and label. Never pivoted, as there may be thousands of coders."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.category_counts import blocks
from pandas_agreement.core.judgments import Labels
from pandas_agreement.core.ratings import LongRatings
from pandas_agreement.core.scores import to_scores
from pandas_agreement.data import shapes
from pandas_agreement.data.grouping import renumber
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
    scores_in,
)
from pandas_agreement.errors import ColumnError, InputError, Remark, counted, plain, shown, warn_once

MAX_CELLS_PER_LABEL = 32  # cells per label in a table of all items and coders
MAX_COMBINATION = 1 << 62  # largest number of a combination of group, item, coder and label


def read_long(
    frame: pd.DataFrame,
    columns: tuple[Hashable, Hashable, Hashable],
    coders: Sequence[Hashable],
    by: Any = None,
    categories: Any = None,
    clusters: Any = None,
    duplicates: str = "raise",
    rows: bool = False,
    cells: Cells | None = None,
    scores: bool = False,
) -> Reading:
    """One row per judgment: `columns` are those of the item, the coder and the label.

    `rows=True` names the items, `cells` converts cells to labels, `scores=True` does not code plain numbers.
    """
    remarks: list[Remark] = []
    item_column, coder_column, label_column = columns_of(frame, columns)
    groups = group_of(frame, by)
    numbers = scores_in([label_column]) if scores and categories is None else None
    if numbers is not None:  # every number is its own label, coded by its row
        label, category_set = np.where(np.isnan(numbers[0]), -1, np.arange(len(frame))), NO_CATEGORIES
    else:
        labels = [cells(label_column) if cells else label_column]
        (label,), category_set = encode(labels, [columns[2]], categories, remarks)
        remarks += check_labels(category_set, cells is not None)
    item, items = _identify(item_column)
    coder, names = _coder_codes(coder_column, coders)
    cluster = cluster_codes(frame, clusters)
    kept = label >= 0
    for name, code in ((columns[0], item), (columns[1], coder)):
        _check_identified(frame, name, code, kept, bool(coders))
    kept &= coder >= 0
    pick = slice(None) if kept.all() else kept
    warn_once(remarks + ([] if coders else shapes.swapped(columns, item[pick], len(names))))
    coded = CodedJudgments(
        group=None if groups is None else _wide(groups.codes[pick]),
        item=_wide(item[pick]),
        coder=_wide(coder[pick]),
        code=_wide(label[pick]),
        cluster=None if cluster is None else cluster[pick],
        items=items,
        item_name=columns[0],
        names=list(names),
        groups=None if groups is None else groups.index,
        category_set=category_set,
        numbers=None if numbers is None else numbers[0],
        named=bool(coders),
        duplicates=duplicates,
    )
    return coded.reading(rows=rows)


def _wide(numbers: Array) -> Array:
    """The numbers as int64, so that products do not overflow: codes may come as int8."""
    return numbers.astype(np.int64, copy=False)


def _identify(column: pd.Series) -> tuple[Array, Any]:
    """Integer codes of item names; integers of a narrow range are their own codes."""
    values = column.to_numpy() if isinstance(column.dtype, np.dtype) else None
    if values is not None and values.dtype.kind in "iu" and len(values):
        low, high = int(values.min()), int(values.max())
        if high - low < 4 * len(values) and high < 1 << 62:
            return _wide(values) - low if low else values, pd.RangeIndex(low, high + 1)
    codes, names = pd.factorize(column)
    return codes, names


def _factorize_names(column: pd.Series) -> tuple[Array, pd.Index]:
    """Codes of the coders and their names; the codes of a Categorical need no hashing."""
    if not isinstance(column.dtype, pd.CategoricalDtype):
        codes, names = pd.factorize(column)
        return codes, pd.Index(names)
    codes, used = renumber(column.array.codes, len(column.dtype.categories))
    return codes, column.dtype.categories[used]


def _plain_names(names: pd.Index) -> pd.Index:
    """The names of coders, without numbers of numpy."""
    if names.dtype != object:
        return names
    return pd.Index(list(map(plain, names)), dtype=object, tupleize_cols=False)


def _coder_codes(column: pd.Series, coders: Sequence[Hashable]) -> tuple[Array, list[Hashable]]:
    codes, found = _factorize_names(column)
    names = _plain_names(found)
    place = np.full(len(names) + 1, -1)
    if not coders:
        if isinstance(column.dtype, pd.CategoricalDtype):
            return codes, names.tolist()  # in the order of the categories
        try:
            order = np.argsort(names)
        except TypeError:  # names that cannot be sorted stay in order of appearance
            return codes, names.tolist()
        place[order] = np.arange(len(names))
        return place[codes], names[order].tolist()
    check_names(coders, "name at least two")
    for position, name in enumerate(coders):
        if name not in names:
            raise ColumnError.missing(name, names.tolist(), "coder")
        place[names.get_loc(name)] = position
    return place[codes], list(coders)


def _check_identified(frame: pd.DataFrame, name: Hashable, code: Array, rated: Array, chosen: bool) -> None:
    """Raise for a label without an item or a coder."""
    lost = rated & (code < 0)
    if chosen and lost.any():  # coders who were not chosen have no code either
        lost &= frame[name].isna().to_numpy()
    if lost.any():
        n, first = int(lost.sum()), int(lost.argmax())
        rows = counted(n, "row has", "rows have")
        problem = f"{rows} a label but no {name!r} (the first is row {shown(frame.index[first])})"
        remedy = f"drop such rows with df.dropna(subset=[{name!r}])"
        raise InputError(problem, remedy, column=name, code="missing key", n=n, first=first)


@dataclass(frozen=True, eq=False)
class CodedJudgments(Coded):
    """The codes of each judgment: group (-1: none), item, coder and label."""

    group: Array | None
    item: Array
    coder: Array
    code: Array
    cluster: Array | None
    items: Any
    item_name: Hashable
    names: list[Hashable]
    groups: pd.Index | None
    category_set: CategorySet
    numbers: Array | None  # the scores, if labels are positions among them
    named: bool
    duplicates: str

    @property
    def n_groups(self) -> int:
        return 1 if self.groups is None else len(self.groups)

    @property
    def n_categories(self) -> int:
        return len(self.category_set.labels) if self.numbers is None else len(self.numbers)

    def reading(self, grouped: bool = True, rows: bool = False) -> Reading:
        part = self if grouped else replace(self, group=None, groups=None)
        if part.group is not None and (part.group < 0).any():
            part = part.only(part.group >= 0)
        quick = None if rows or self.cluster is not None else part.unsorted_ratings()
        ratings, places, cluster = part.ratings(self.duplicates) if quick is None else (quick, None, None)
        named = None if places is None or not rows else self._items().take(places % max(len(self.items), 1))
        values = ratings if self.numbers is None else to_scores(ratings, self.numbers)
        return Reading(values, self.category_set, self.names, part.groups, self.named, cluster, items=named, coded=self)

    def _items(self) -> pd.Index:
        return pd.Index(self.items, name=self.item_name)

    def without(self, coder: int) -> CodedJudgments:
        rest = self.only(self.coder != coder)
        names = [name for place, name in enumerate(self.names) if place != coder]
        return replace(rest, coder=rest.coder - (rest.coder > coder), names=names)

    def only(self, rows: Array) -> CodedJudgments:
        """Select judgments by a boolean array or by position."""
        cluster = None if self.cluster is None else self.cluster[rows]
        group = None if self.group is None else self.group[rows]
        item, coder, code = self.item[rows], self.coder[rows], self.code[rows]
        return replace(self, group=group, item=item, coder=coder, code=code, cluster=cluster)

    def unsorted_ratings(self) -> LongRatings | None:
        """Ratings in row order; None if judgments repeat, an item is in two groups, or items x coders is too large."""
        n_coders, n_labels = max(len(self.names), 1), len(self.item)
        if len(self.items) * n_coders > MAX_CELLS_PER_LABEL * n_labels:
            return None
        seen = np.zeros(len(self.items) * n_coders, bool)
        for rows in blocks(n_labels):
            seen[self.item[rows] * n_coders + self.coder[rows]] = True
        if np.count_nonzero(seen) < n_labels:
            return None
        owner = None
        if self.group is not None:
            owner = np.zeros(len(self.items), np.int64)
            owner[self.item] = self.group
            if (owner[self.item] != self.group).any():
                return None
        labels = Labels(self.item, self.coder, self.code)
        return LongRatings(len(self.names), self.n_categories, self.n_groups, owner, None, labels, len(self.items))

    def ratings(self, duplicates: str) -> tuple[LongRatings, Array, Array | None]:
        """Ratings sorted by group, item and coder, their items, and the clusters; an item in two groups counts twice.

        The sort uses one number per row, which includes the label if it fits.
        """
        n_coders, n_items = max(len(self.names), 1), max(len(self.items), 1)
        place = self.item if self.group is None else self.group * n_items + self.item
        judgment = place * n_coders + self.coder
        if self.n_groups * n_items * n_coders >= MAX_COMBINATION:
            raise InputError("too many different items and coders to number their combinations")
        judged, code = self._sorted(judgment, self.n_groups * n_items * n_coders)
        if duplicates != "all" and (judged[1:] == judged[:-1]).any():
            return self._deduplicate(judgment, duplicates).ratings(duplicates)
        where = judged // n_coders
        first = np.ones(len(where), bool)
        np.not_equal(where[1:], where[:-1], out=first[1:])
        item = np.cumsum(first) - 1
        total = int(item[-1]) + 1 if len(item) else 0
        group = None if self.group is None else where[first] // n_items
        labels = Labels(item, judged - where * n_coders, code)
        ratings = LongRatings(len(self.names), self.n_categories, self.n_groups, group, None, labels, total)
        return ratings, where[first], self._item_clusters(place, where[first])

    def _sorted(self, judgment: Array, n_judgments: int) -> tuple[Array, Array]:
        """Judgments in ascending order, and their labels."""
        n_categories = max(self.n_categories, 1)
        if n_judgments * n_categories >= MAX_COMBINATION:
            order = np.argsort(judgment, kind="stable")
            return judgment[order], self.code[order]
        key = np.sort(judgment * n_categories + self.code)
        judged = key // n_categories
        return judged, key - judged * n_categories

    def _deduplicate(self, judgment: Array, duplicates: str) -> CodedJudgments:
        order = slice(None, None, -1) if duplicates == "last" else slice(None)
        _, index, number = np.unique(judgment[order], return_index=True, return_counts=True)
        if duplicates == "raise":
            worst = int(index[np.argmax(number > 1)])
            item, coder = self._items()[[self.item[worst]]].tolist()[0], self.names[self.coder[worst]]
            times = int(number[np.argmax(number > 1)])
            example = f"coder {shown(coder)} labelled item {shown(item)} {times} times"
            problem = f"judgments are repeated, {int((number - 1).sum())} in all: {example}"
            remedy = "keep one with duplicates='first' or duplicates='last'"
            raise InputError(problem, remedy, option="duplicates", code="repeated judgment")
        return self.only(np.sort(index if duplicates == "first" else len(judgment) - 1 - index))

    def _item_clusters(self, place: Array, places: Array) -> Array | None:
        if self.cluster is None:
            return None
        row = np.searchsorted(places, place)
        out = np.zeros(len(places), np.int64)
        out[row] = self.cluster
        if (out[row] != self.cluster).any():
            wrong = int((out[row] != self.cluster).argmax())
            item = self._items()[[self.item[wrong]]].tolist()[0]
            raise InputError(
                f"item {shown(item)} is in two clusters",
                "an item belongs to one",
                option="clusters",
                code="two clusters",
            )
        return out
