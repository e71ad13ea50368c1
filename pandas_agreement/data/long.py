"""Long data: one row per judgment, with item, coder and label. Never pivoted, as there may be thousands of coders.

Several columns may name the item together. Without a column of coders the raters are anonymous: they are numbered
within each item, and methods that need to know who said what refuse.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.core.arrays import Array, number_within, places
from pandas_agreement.core.category_counts import MAX_CELLS, blocks, renumber
from pandas_agreement.core.classes import dataclass
from pandas_agreement.core.ratings import Labels, LongRatings
from pandas_agreement.core.scores import as_scores
from pandas_agreement.data.cells import to_sets
from pandas_agreement.data.grouping import Groups
from pandas_agreement.data.label_checks import check_labels
from pandas_agreement.data.labels import NO_CATEGORIES, CategorySet, check_text, encode, kind_of
from pandas_agreement.data.reading import (
    DEFAULTS,
    LABELS,
    Cells,
    Needs,
    Reading,
    Rows,
    check_names,
    columns_of,
    scores_in,
)
from pandas_agreement.errors import ColumnError, InputError, Remark, counted, plain, shown, warn_once
from pandas_agreement.options import Options

LongColumns = tuple[Any, Any, Any]  # of the item (or a list), the coder (None: anonymous) and the label (or a list)
PER_JUDGMENT = ("group", "item", "coder", "code", "cluster", "weight")  # arrays of `Judgments`
MAX_COMBINATION = 1 << 62  # largest number of a combination of group, item, coder and label


def read_long(
    frame: pd.DataFrame,
    columns: LongColumns,
    coders: Sequence[Hashable],
    options: Options = DEFAULTS,
    needs: Needs = LABELS,
    duplicates: str = "raise",
) -> Reading:
    """One row per judgment: `columns` are those of the item (or a list), the coder (or None) and the label."""
    remarks: list[Remark] = []
    keys = columns[0] if isinstance(columns[0], list) else [columns[0]]
    source, categories, cells = Rows.of(frame, options), options.categories, needs.cells
    if duplicates == "set":
        source, cells = _with_sets(source, [*keys, columns[1]], columns[2], cells or to_sets), to_sets
    frame, groups, cluster = source.frame, source.groups, source.cluster
    *item_columns, label_column = columns_of(frame, [*keys, columns[2]])
    numbers = scores_in([label_column]) if needs.scores is True and categories is None else None
    if numbers is not None:  # every number is its own label, coded by its row
        label, category_set = np.where(np.isnan(numbers[0]), -1, np.arange(len(frame))), NO_CATEGORIES
    else:
        labels = [cells(label_column) if cells else label_column]
        (label,), category_set = encode(labels, [columns[2]], categories, remarks)
        remarks = [] if remarks and _alike_in_groups(labels[0], groups) else remarks
        remarks += check_labels(category_set, cells is not None)
    item, items = _identify_items(item_columns, keys)
    coder, names = _coders(frame, columns[1], coders)
    kept = label >= 0
    for name in keys:
        _check_identified(frame, name, item, kept, len(keys) > 1)
    if columns[1] is not None:
        _check_identified(frame, columns[1], coder, kept, bool(coders))
    kept &= coder >= 0
    pick = slice(None) if kept.all() else kept
    warn_once(remarks)
    judgments = Judgments(
        group=None if groups is None else _wide(groups.codes[pick]),
        item=_wide(item[pick]),
        coder=_wide(coder[pick]),
        code=_wide(label[pick]),
        cluster=None if cluster is None else cluster[pick],
        items=items if isinstance(items, pd.MultiIndex) else pd.Index(items, name=keys[0]),
        names=list(names),
        groups=None if groups is None else groups.index,
        category_set=category_set,
        numbers=None if numbers is None else numbers[0],
        named=bool(coders),
        duplicates=duplicates,
        anonymous=columns[1] is None,
        weight=None if source.weight is None else source.weight[pick],
        n_unlabelled=0 if kept.all() else n_lost(item, item[kept], len(items)),
    )
    return judgments.reading()


def _alike_in_groups(labels: pd.Series, groups: Groups | None) -> bool:
    """Whether labels of different kinds are never compared, as each group has one kind."""
    if groups is None:
        return False
    known = labels.notna().to_numpy()
    kinds = labels[known].map(type).map(kind_of)
    return bool((kinds.groupby(groups.codes[known]).nunique() < 2).all())


def n_lost(item: Array, kept: Array, n_items: int) -> int:
    """How many of these items are none of those kept; -1 is no item."""
    lost = np.zeros(n_items + 1, bool)  # the last is for -1
    lost[item] = True
    lost[kept] = False
    return int(np.count_nonzero(lost[:-1]))


def _with_sets(source: Rows, keys: Sequence[Hashable], label: Hashable, cells: Cells) -> Rows:
    """The labels of an item and coder, within a group, as one set in the first of their rows."""
    *named, column = columns_of(source.frame, [*keys, label])
    parts = [pd.factorize(part)[0] for part in named]
    parts += [] if source.groups is None else [source.groups.codes]
    sets = cells(column)
    rated = np.flatnonzero(sets.notna().to_numpy())
    joined: dict[Any, frozenset[Any]] = {}
    first: dict[Any, int] = {}
    for row, *judgment, one in zip(rated, *(part[rated] for part in parts), sets.iloc[rated], strict=True):
        key = tuple(judgment) if min(judgment) >= 0 else (*judgment, row)  # a missing key is an error, later
        first.setdefault(key, row)
        joined[key] = joined.get(key, frozenset()) | one
    rows = np.fromiter(first.values(), np.int64, len(first))
    return source.only(rows, label, pd.Series(list(joined.values()), dtype=object))


def with_known(source: Rows, columns: LongColumns, name: Hashable, categories: Any) -> Rows:
    """The rows, and below them those of one more coder, whose labels are a column with one label per item."""
    keys = columns[0] if isinstance(columns[0], list) else [columns[0]]
    *item_columns, who, label, known = columns_of(source.frame, [*keys, columns[1], columns[2], name])
    (code, known_code), category_set = encode([label, known], [columns[2], name], categories, remarks=[])
    item, items = _identify_items(item_columns, keys)
    of_item = _label_of_items(item, known_code, items, category_set, name)
    group = np.zeros(len(item), np.int64) if source.groups is None else source.groups.codes
    rows = np.flatnonzero((item >= 0) & (group >= 0))
    place = group[rows] * max(len(items), 1) + _wide(item[rows])
    added = rows[np.unique(place, return_index=True)[1]]  # one row of each group and item
    codes = np.concatenate([code, of_item[item[added]]])
    labels = pd.Series(category_set.labels.astype(object)).reindex(codes)
    if category_set.declared:
        labels = pd.Series(pd.Categorical.from_codes(codes, category_set.labels, ordered=category_set.ordered))
    joined = source.only(np.concatenate([np.arange(len(item)), added]), columns[2], labels)
    joined.frame[columns[1]] = pd.concat([who.astype(object), pd.Series([name] * len(added), dtype=object)]).array
    return joined


def _label_of_items(item: Array, code: Array, items: pd.Index, category_set: CategorySet, name: Hashable) -> Array:
    """The known label of each item, -1 where there is none; an item with two labels is an error."""
    rows = np.flatnonzero((item >= 0) & (code >= 0))
    out = np.full(len(items), -1)
    out[item[rows]] = code[rows]
    wrong = rows[out[item[rows]] != code[rows]]
    if len(wrong):
        n = len(np.unique(item[wrong]))
        here = item[wrong[0]]
        two = " and ".join(shown(category_set.labels[each]) for each in (code[wrong[0]], out[here]))
        more = f" ({counted(n - 1, 'more item', 'more items')} like it)" if n > 1 else ""
        problem = f"column {shown(name)} has {two} for item {shown(items[[here]].tolist()[0])}{more}"
        remedy = "a column of known labels has one label per item, the same in all of its rows"
        raise InputError(problem, remedy, option="reference", column=name, code="two labels")
    return out


def _wide(numbers: Array) -> Array:
    """The numbers as int64, so that products do not overflow: codes may come as int8."""
    return numbers.astype(np.int64, copy=False)


def _identify_items(columns: Sequence[pd.Series], keys: Sequence[Hashable]) -> tuple[Array, Any]:
    """Integer codes of items, -1 where a name is missing, and their names."""
    return _identify(columns[0]) if len(keys) == 1 else _identify_together(columns, keys)


def item_numbers(frame: pd.DataFrame, keys: Sequence[Hashable]) -> Array:
    """The number of each row's item; -1 where a name is missing."""
    return _identify_items(columns_of(frame, keys), keys)[0]


def _identify(column: pd.Series) -> tuple[Array, Any]:
    """Integer codes of item names; integers of a narrow range are their own codes."""
    values = column.to_numpy() if isinstance(column.dtype, np.dtype) else None
    if values is not None and values.dtype.kind in "iu" and len(values):
        low, high = int(values.min()), int(values.max())
        if are_codes(low, high, len(values)):
            return _wide(values) - low if low else values, pd.RangeIndex(low, high + 1)
    codes, names = pd.factorize(column)
    return codes, names


def are_codes(low: int, high: int, n_rows: int) -> bool:
    """Whether integers from `low` to `high` that name items of so many rows are their own codes, and so their order."""
    return high - low < 4 * n_rows and high < 1 << 62


def _identify_together(columns: Sequence[pd.Series], keys: Sequence[Hashable]) -> tuple[Array, pd.MultiIndex]:
    """Integer codes of items that several columns name together, and these names; -1 where a part is missing.

    Items are numbered in the order in which they appear. Numbers are looked up and not hashed, which takes
    longer than all that follows.
    """
    together, missing = np.zeros(len(columns[0]), np.int64), np.zeros(len(columns[0]), bool)
    size, parts = 1, []
    for column in columns:
        part, names = _identify(column)
        if size * (len(names) + 1) >= MAX_COMBINATION:  # small again, so that nothing overflows
            together, size = by_appearance(together, size)[0], len(together)
        together, size = together * (len(names) + 1) + part + 1, size * (len(names) + 1)
        missing |= part < 0
        parts.append(part)
    together[missing] = -1
    codes, first = by_appearance(together, size)
    levels: list[Any] = []
    places: list[Any] = []
    for column, part in zip(columns, parts, strict=True):
        place, row = by_appearance(part[first], int(part.max(initial=-1)) + 1)
        levels.append(pd.Index(column.array.take(first[row])))
        places.append(place)
    return codes, pd.MultiIndex(levels, places, names=list(keys), verify_integrity=False)


def by_appearance(numbers: Array, size: int) -> tuple[Array, Array]:
    """Numbers from 0 to `size` renumbered in the order in which they appear, -1 for -1; the first place of each."""
    if size > MAX_CELLS * len(numbers):
        codes, known = np.full(len(numbers), -1), numbers >= 0
        codes[known], found = pd.factorize(numbers[known])  # as integers: floats would merge large numbers
        return codes, _first_places(codes, len(found))
    first = _first_places(numbers, size)
    order = np.sort(first[first < len(numbers)])
    return places(numbers[order], size + 1)[numbers], order  # the last is for -1


def _first_places(numbers: Array, size: int) -> Array:
    """Where each number from 0 to `size` appears first, the length where it never does: (size,)."""
    first = np.full(size + 1, len(numbers))  # the last is for -1
    first[numbers[::-1]] = np.arange(len(numbers))[::-1]  # the first of several is written last
    return first[:-1]


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


def _coders(frame: pd.DataFrame, name: Hashable, chosen: Sequence[Hashable]) -> tuple[Array, list[Hashable]]:
    """The code of each row's coder, and the coders; all rows have code 0 if raters are anonymous."""
    if name is not None:
        return _coder_codes(columns_of(frame, [name])[0], chosen)
    if chosen:
        raise InputError(
            "the raters are anonymous, so none can be selected", "name the column: coder=", code="anonymous"
        )
    return np.zeros(len(frame), np.int64), []


def _coder_codes(column: pd.Series, coders: Sequence[Hashable]) -> tuple[Array, list[Hashable]]:
    codes, found = _factorize_names(column)
    names = _plain_names(found)
    check_text(names.tolist(), "a coder is called")
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
class Judgments:
    """The codes of each judgment: group (-1: none), item, coder and label."""

    group: Array | None
    item: Array
    coder: Array
    code: Array
    cluster: Array | None
    items: pd.Index
    names: list[Hashable]
    groups: pd.Index | None
    category_set: CategorySet
    numbers: Array | None  # the scores, if labels are positions among them
    named: bool
    duplicates: str
    anonymous: bool = False
    by_row: bool = False  # an item is a row of the frame
    weight: Array | None = None  # how many items the item of each judgment stands for
    n_unlabelled: int = 0  # items without a judgment

    @property
    def n_groups(self) -> int:
        return 1 if self.groups is None else len(self.groups)

    @property
    def n_items(self) -> int:
        """The number of different names of items, at least 1."""
        return max(len(self.items), 1)

    @property
    def n_categories(self) -> int:
        return len(self.category_set.labels) if self.numbers is None else len(self.numbers)

    @property
    def place(self) -> Array:
        """The number of each judgment's item; an item in two groups is two items."""
        return self.item if self.group is None else self.group * self.n_items + self.item

    def reading(self) -> Reading:
        part = self if self.group is None or (self.group >= 0).all() else self.only(self.group >= 0)
        part = part._numbered() if self.anonymous else part
        return replace(part._arranged(), read_together=replace(self, group=None, groups=None).reading)

    def _arranged(self) -> Reading:
        found = self._in_row_order() or self._in_order()
        if found is None:
            return self._without_repeats()._arranged()
        labels, number, group = found
        weight, cluster = (self._of_items(what, number, group) for what in ("weight", "cluster"))
        sizes = len(self.names), self.n_categories, self.n_groups
        ratings = LongRatings(*sizes, group, weight, labels, len(number), not self.anonymous)
        every = len(number) == len(self.items) and bool((number[1:] > number[:-1]).all())
        items = self.items if every else self.items.take(number)
        rows, names = (items, None) if self.by_row else (None, items)
        read = Reading(
            ratings,
            self.category_set,
            self.names,
            self.groups,
            self.named,
            cluster,
            rows=rows,
            items=names,
            n_unlabelled=self.n_unlabelled,
        )
        if self.numbers is None:
            return read
        return replace(read, ratings=as_scores(ratings, self.numbers))

    def _numbered(self) -> Judgments:
        """Coders as numbers within each item."""
        place = self.place
        order = np.argsort(place, kind="stable")
        coder = np.empty(len(place), np.int64)
        coder[order] = number_within(place[order])
        return replace(self, coder=coder, names=list(range(int(coder.max(initial=-1)) + 1)))

    def only(self, rows: Array) -> Judgments:
        """Select judgments by a boolean array or by position."""
        names = [name for name in PER_JUDGMENT if getattr(self, name) is not None]
        return replace(self, **{name: getattr(self, name)[rows] for name in names})

    def _in_row_order(self) -> tuple[Labels, Array, Array | None] | None:
        """The labels in the order of the rows, and the number and the group of each item.

        None if judgments repeat, an item is in two groups, has a weight or a cluster, or items x coders is too large.
        """
        n_coders, n_labels = max(len(self.names), 1), len(self.item)
        plain = self.cluster is None and self.weight is None
        if not plain or len(self.items) * n_coders > MAX_CELLS * n_labels:
            return None
        seen = np.zeros((n_coders, len(self.items)), bool)
        for rows in blocks(n_labels):
            seen[self.coder[rows], self.item[rows]] = True
        if np.count_nonzero(seen) < n_labels:
            return None
        chosen, group = np.flatnonzero(seen.any(0)), None
        if self.group is not None:
            owner = np.zeros(len(self.items), np.int64)
            owner[self.item] = self.group
            if (owner[self.item] != self.group).any():
                return None
            group = owner[chosen]
        if len(chosen) == len(self.items):
            return Labels(self.item, self.coder, self.code), chosen, group
        numbers = places(chosen, len(self.items)).astype(np.min_scalar_type(-len(self.items)))  # small, for the cache
        return Labels(_wide(numbers.take(self.item)), self.coder, self.code), chosen, group

    def _in_order(self) -> tuple[Labels, Array, Array | None] | None:
        """The labels sorted by group, item and coder, the number and the group of each item; None if judgments repeat.

        The sort uses one number per row, which includes the label if it fits.
        """
        n_coders = max(len(self.names), 1)
        n_judgments = self.n_groups * self.n_items * n_coders
        if n_judgments >= MAX_COMBINATION:
            raise InputError("there are too many combinations of items and coders")
        judged, code = self._sorted(self.place * n_coders + self.coder, n_judgments)
        if self.duplicates != "all" and (judged[1:] == judged[:-1]).any():
            return None
        where = judged // n_coders
        first = np.ones(len(where), bool)
        np.not_equal(where[1:], where[:-1], out=first[1:])
        labels, place = Labels(np.cumsum(first) - 1, judged - where * n_coders, code), where[first]
        return labels, place % self.n_items, None if self.group is None else place // self.n_items

    def _sorted(self, judgment: Array, n_judgments: int) -> tuple[Array, Array]:
        """Judgments in ascending order, and their labels."""
        n_categories = max(self.n_categories, 1)
        if n_judgments * n_categories >= MAX_COMBINATION:
            order = np.argsort(judgment, kind="stable")
            return judgment[order], self.code[order]
        key = np.sort(judgment * n_categories + self.code)
        judged = key // n_categories
        return judged, key - judged * n_categories

    def _without_repeats(self) -> Judgments:
        """The first or the last judgment of each coder on an item; an error if neither was asked for."""
        judgment = self.place * max(len(self.names), 1) + self.coder
        order = slice(None, None, -1) if self.duplicates == "last" else slice(None)
        _, index, number = np.unique(judgment[order], return_index=True, return_counts=True)
        if self.duplicates == "raise":
            worst = int(index[np.argmax(number > 1)])
            item, coder = self.items[[self.item[worst]]].tolist()[0], self.names[self.coder[worst]]
            times = int(number[np.argmax(number > 1)])
            example = f"coder {shown(coder)} labelled item {shown(item)} {times} times"
            problem = f"judgments are repeated, {int((number - 1).sum())} in all: {example}"
            remedy = "keep one with duplicates='first' or duplicates='last', or compare them with retest()"
            raise InputError(problem, remedy, option="duplicates", code="repeated judgment")
        return self.only(np.sort(index if self.duplicates == "first" else len(judgment) - 1 - index))

    def _of_items(self, what: str, number: Array, group: Array | None) -> Array | None:
        """The cluster or the weight of each item, which is the same in all of its judgments."""
        values = getattr(self, what)
        if values is None:
            return None
        row = np.searchsorted(number if group is None else group * self.n_items + number, self.place)
        out = np.zeros(len(number), values.dtype)
        out[row] = values
        if (out[row] != values).any():
            wrong = int((out[row] != values).argmax())
            item = shown(self.items[[self.item[wrong]]].tolist()[0])
            if what == "weight":
                problem = f"item {item} has two frequencies, {out[row][wrong]:g} and {values[wrong]:g}"
                raise InputError(
                    problem, "give all rows of an item the same frequency", option="frequency", code="no frequency"
                )
            raise InputError(
                f"item {item} is in two clusters",
                "an item belongs to only one cluster",
                option="clusters",
                code="two clusters",
            )
        return out
