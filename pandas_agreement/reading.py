"""From a frame to ratings: the four ways in.

Wide (a column a coder), long (a row a judgment), crosstab (two coders' table) and counts (a column a category) all end
as a `Reading`: coded ratings, the categories, the groups and the names of the coders. This is the only place where the
shape of the user's data matters, and with `labels` and `grouping` the only one that touches their dtypes.
"""

from __future__ import annotations

import contextlib
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pandas_agreement.counts import DenseCounts
from pandas_agreement.errors import ColumnError, InputError, choose, warn
from pandas_agreement.grouping import Groups, group_rows
from pandas_agreement.labels import Universe, encode
from pandas_agreement.ratings import Columns, Profiles, Ratings, Triples, tabulate

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


def _cluster_codes(frame: pd.DataFrame, clusters: Any) -> Array | None:
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


# ------------------------------------------------------------------------------------------------------------ wide


def read_wide(
    frame: pd.DataFrame,
    coders: Sequence[Hashable],
    by: Any = None,
    categories: Any = None,
    clusters: Any = None,
    rows: bool = False,
) -> Reading:
    """A row an item, a column a coder. `rows=True` keeps every row an item of its own."""
    groups = group_of(frame, by)
    names = _coder_names(frame, coders, groups, clusters)
    codes, universe = encode(columns_of(frame, names), names, categories)
    if not coders and len(names) > 2 and not universe.declared:
        _warn_of_strangers(names, codes, universe)
    cluster = _cluster_codes(frame, clusters)
    group, index = (None, None) if groups is None else (groups.codes, groups.index)
    if group is not None and len(group) and group.min() < 0:
        inside = group >= 0
        group, codes = group[inside], [code[inside] for code in codes]
        cluster = None if cluster is None else cluster[inside]
    n_groups, n_categories = 1 if index is None else len(index), len(universe.labels)
    ratings: Ratings
    if len(names) == 2 and cluster is None and not rows:
        ratings = tabulate(group, codes[0], codes[1], n_groups, n_categories)
    else:
        row = None if group is None else group.astype(np.int64, copy=False)
        ratings = Columns(len(names), n_categories, n_groups, row, None, tuple(codes))
    return Reading(ratings, universe, names, index, "wide", True, cluster)


def _coder_names(
    frame: pd.DataFrame, coders: Sequence[Hashable], groups: Groups | None, clusters: Any
) -> list[Hashable]:
    names = list(coders)
    if not names:
        keys = set() if groups is None else set(groups.columns)
        if isinstance(clusters, Hashable) and clusters is not None:
            keys.add(clusters)
        names = [name for name in frame.columns if name not in keys]
    for name in names:
        if isinstance(name, (list, set, dict)):
            raise InputError(f"coders are given one by one, not as a {type(name).__name__}: write *{name!r}")
    if len(names) < 2:
        raise InputError(
            f"agreement needs at least two coders, and got {_listed(names)}; name the columns, as in "
            "df.agree.kappa('ann', 'bob'), or use df.agree.long(item=..., coder=..., label=...) for a row a judgment"
        )
    repeated = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if repeated and coders:
        raise InputError(f"coder {repeated[0]!r} is named twice; a coder always agrees with themselves")
    return names


def _warn_of_strangers(names: Sequence[Hashable], codes: Sequence[Array], universe: Universe) -> None:
    """Nobody said which columns are coders: one that shares no label with the others is probably something else."""
    used = np.array([np.bincount(code[code >= 0], minlength=len(universe.labels)) > 0 for code in codes])
    shared = used & (used.sum(0) > 1)
    if not shared.any() or universe.numbers() is not None:  # scores of few items may well have nothing in common
        return
    strangers = [name for name, own, common in zip(names, used, shared, strict=True) if own.any() and not common.any()]
    if strangers:
        warn(
            f"every column was taken for a coder, and {strangers[0]!r} shares no label with any other; "
            "if it is not one, name the coders, as in df.agree.kappa('ann', 'bob')"
        )


def _listed(names: Sequence[Hashable]) -> str:
    return "none" if not names else "only " + ", ".join(map(repr, names))


# ------------------------------------------------------------------------------------------------------------ long


def read_long(
    frame: pd.DataFrame,
    columns: tuple[Hashable, Hashable, Hashable],
    coders: Sequence[Hashable],
    by: Any = None,
    categories: Any = None,
    clusters: Any = None,
    duplicates: str = "raise",
) -> Reading:
    """A row a judgment: `columns` are those of the item, the coder and the label."""
    choose("duplicates", duplicates, {"raise": 1, "first": 1, "last": 1})
    item_column, coder_column, label_column = columns_of(frame, columns)
    groups = group_of(frame, by)
    (label,), universe = encode([label_column], [columns[2]], categories)
    item, items = _identify(item_column)
    coder, names = _coder_codes(coder_column, coders)
    cluster = _cluster_codes(frame, clusters)
    kept = label >= 0
    for name, code in ((columns[0], item), (columns[1], coder)):
        _check_identified(frame, name, code, kept, bool(coders))
    kept &= coder >= 0
    if groups is not None:
        kept &= groups.codes >= 0
    everything = bool(kept.all())
    pick = slice(None) if everything else kept
    parts = _Judgments(
        group=None if groups is None else groups.codes[pick].astype(np.int64),
        item=item[pick].astype(np.int64),
        coder=coder[pick].astype(np.int64),
        code=label[pick].astype(np.int64),
        cluster=None if cluster is None else cluster[pick],
        items=items,
        names=names,
    )
    n_groups = 1 if groups is None else len(groups.index)
    ratings, item_cluster = parts.ratings(n_groups, len(universe.labels), duplicates)
    return Reading(
        ratings, universe, list(names), None if groups is None else groups.index, "long", bool(coders), item_cluster
    )


def _identify(column: pd.Series) -> tuple[Array, Any]:
    """Integer codes of item names; integers that lie close together are their own codes."""
    values = column.to_numpy() if isinstance(column.dtype, np.dtype) else None
    if values is not None and values.dtype.kind in "iu" and len(values):
        low, high = int(values.min()), int(values.max())
        if high - low < 4 * len(values):
            return values.astype(np.int64) - low, pd.RangeIndex(low, high + 1)
    codes, names = pd.factorize(column)
    return codes, names


def _coder_codes(column: pd.Series, coders: Sequence[Hashable]) -> tuple[Array, Any]:
    codes, names = pd.factorize(column)
    if not coders:
        with contextlib.suppress(TypeError):  # names that cannot be sorted stay in the order they came in
            codes, names = pd.factorize(column, sort=True)
        return codes, names
    place = np.full(len(names) + 1, -1)
    known = pd.Index(names)
    for position, name in enumerate(coders):
        if name not in known:
            raise ColumnError.missing(name, known, "coder")
        place[known.get_loc(name)] = position
    if len(set(coders)) < 2:
        raise InputError(f"agreement needs at least two coders, and got {_listed(list(dict.fromkeys(coders)))}")
    return place[codes], list(coders)


def _check_identified(frame: pd.DataFrame, name: Hashable, code: Array, rated: Array, chosen: bool) -> None:
    """A label without an item or a coder cannot be placed."""
    lost = rated & (code < 0)
    if chosen and lost.any():  # coders who were not chosen have no code either
        lost &= frame[name].isna().to_numpy()
    if lost.any():
        raise InputError(
            f"{int(lost.sum())} rows have a label but no {name!r} (the first is row {int(lost.argmax())}); "
            f"drop them with df.dropna(subset=[{name!r}])"
        )


@dataclass(frozen=True)
class _Judgments:
    """Coded rows of a long frame."""

    group: Array | None
    item: Array
    coder: Array
    code: Array
    cluster: Array | None
    items: Any
    names: Any

    def ratings(self, n_groups: int, n_categories: int, duplicates: str) -> tuple[Triples, Array | None]:
        """Sorted by group, item and coder in one sort of one number a row; an item is an item within its group."""
        n_coders, n_items = max(len(self.names), 1), max(len(self.items), 1)
        place = self.item if self.group is None else self.group * n_items + self.item
        judgment = place * n_coders + self.coder
        if n_groups * n_items * n_coders * max(n_categories, 1) >= 1 << 62:
            raise InputError("too many different items, coders and labels to number their combinations")
        key = np.sort(judgment * max(n_categories, 1) + self.code)
        judged = key // max(n_categories, 1)
        if (judged[1:] == judged[:-1]).any():
            return self._deduplicate(judgment, duplicates).ratings(n_groups, n_categories, duplicates)
        code, where = key - judged * n_categories, judged // n_coders
        first = np.ones(len(where), bool)
        np.not_equal(where[1:], where[:-1], out=first[1:])
        item = np.cumsum(first) - 1
        total = int(item[-1]) + 1 if len(item) else 0
        group = None if self.group is None else where[first] // n_items
        triples = Triples(
            len(self.names), n_categories, n_groups, group, None, item, judged - where * n_coders, code, total
        )
        return triples, self._item_clusters(place, where[first])

    def _deduplicate(self, judgment: Array, duplicates: str) -> _Judgments:
        order = slice(None, None, -1) if duplicates == "last" else slice(None)
        _, index, number = np.unique(judgment[order], return_index=True, return_counts=True)
        if duplicates == "raise":
            worst = int(index[np.argmax(number > 1)])
            item, coder = self.items[self.item[worst]], self.names[self.coder[worst]]
            times = int(number[np.argmax(number > 1)])
            raise InputError(
                f"judgments are repeated, {int((number - 1).sum())} in all: coder {coder!r} labelled item {item!r} "
                f"{times} times; keep one with duplicates='first' or duplicates='last'"
            )
        rows = np.sort(index if duplicates == "first" else len(judgment) - 1 - index)
        cluster = None if self.cluster is None else self.cluster[rows]
        group = None if self.group is None else self.group[rows]
        return _Judgments(group, self.item[rows], self.coder[rows], self.code[rows], cluster, self.items, self.names)

    def _item_clusters(self, place: Array, places: Array) -> Array | None:
        if self.cluster is None:
            return None
        row = np.searchsorted(places, place)
        out = np.zeros(len(places), np.int64)
        out[row] = self.cluster
        if (out[row] != self.cluster).any():
            item = self.items[self.item[int((out[row] != self.cluster).argmax())]]
            raise InputError(f"item {item!r} is in two clusters; an item belongs to one")
        return out


# ----------------------------------------------------------------------------------------------- crosstab and counts


def read_crosstab(frame: pd.DataFrame, categories: Any = None) -> Reading:
    """Two coders' contingency table, matched by label: rows are the first coder's, columns the second's."""
    for axis, labels in (("index", frame.index), ("columns", frame.columns)):
        if isinstance(labels, pd.MultiIndex):
            raise InputError(f"a crosstab has one level of labels, and its {axis} has {labels.nlevels}")
        if not labels.is_unique:
            raise InputError(f"label {labels[labels.duplicated()][0]!r} stands twice in the {axis} of the crosstab")
    table = _whole_numbers(frame, "crosstab")
    _refuse_margins(frame, table)
    (rows, columns), universe = encode(
        [frame.index.to_series(), frame.columns.to_series()], ["index", "columns"], categories
    )
    r, c = np.nonzero(table)
    codes = rows[r].astype(np.int64), columns[c].astype(np.int64)
    ratings = Columns(2, len(universe.labels), 1, None, table[r, c].astype(float), codes)
    names: list[Hashable] = [frame.index.name, frame.columns.name]
    if None in names or names[0] == names[1]:
        names = ["row", "column"]
    return Reading(ratings, universe, names, None, "crosstab", True)


def read_counts(frame: pd.DataFrame, by: Any = None, categories: Any = None, clusters: Any = None) -> Reading:
    """A row an item, a column a category, cells the number of coders who chose it."""
    groups = group_of(frame, by)
    cluster = _cluster_codes(frame, clusters)
    keys = set() if groups is None else set(groups.columns)
    if isinstance(clusters, Hashable) and clusters is not None:
        keys.add(clusters)
    names = [name for name in frame.columns if name not in keys]
    if len(set(names)) < len(names):
        raise InputError("a category stands twice among the columns of the counts")
    table = _whole_numbers(frame[names], "table of counts")
    columns = pd.Index(names).to_series() if keys else frame.columns.to_series()
    (codes,), universe = encode([columns], ["columns"], categories)
    if (codes < 0).any():
        raise InputError("a column of the counts has no name; every column is a category")
    counts = np.zeros((len(universe.labels), len(frame)), np.min_scalar_type(int(table.max(initial=1))))
    counts[codes.astype(np.int64)] = table.T
    group = None if groups is None else groups.codes.astype(np.int64)
    index = None if groups is None else groups.index
    if group is not None and len(group) and group.min() < 0:
        inside = group >= 0
        group, counts = group[inside], counts[:, inside]
        cluster = None if cluster is None else cluster[inside]
    most = int(counts.sum(0).max(initial=0)) if counts.size else 0
    n_groups = 1 if index is None else len(index)
    ratings = Profiles(most, len(universe.labels), n_groups, group, None, DenseCounts(counts))
    return Reading(ratings, universe, [], index, "counts", False, cluster)


def _whole_numbers(frame: pd.DataFrame, what: str) -> Array:
    """The cells as integers, or an error that names the first cell that is not a count."""
    for name, dtype in zip(frame.columns, frame.dtypes, strict=True):
        if not pd.api.types.is_numeric_dtype(dtype):
            raise InputError(f"a {what} holds numbers, and column {name!r} is {dtype}")
    values = frame.to_numpy(dtype=float, na_value=np.nan)
    bad = ~(np.isfinite(values) & (values >= 0) & (values == np.floor(values)))
    if bad.any():
        row, column = np.argwhere(bad)[0]
        raise InputError(
            f"a {what} holds whole numbers of 0 or more, and the cell in row {frame.index[row]!r}, column "
            f"{frame.columns[column]!r} is {values[row, column]:g}"
        )
    return values.astype(np.int64)


def _refuse_margins(frame: pd.DataFrame, table: Array) -> None:
    """`pd.crosstab(..., margins=True)` adds sums that would be read as a category."""
    if min(table.shape, default=0) < 3 or frame.index[-1] != frame.columns[-1]:
        return
    sums = np.array_equal(table[:-1].sum(0), table[-1]) and np.array_equal(table[:, :-1].sum(1), table[:, -1])
    if sums and table.any():
        raise InputError(
            f"the last row and column ({frame.index[-1]!r}) are the sums of the others; make the crosstab without "
            "margins=True"
        )
