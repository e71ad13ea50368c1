"""A row a judgment: item, coder and label. Never pivoted: coders may be thousands."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pandas_agreement.errors import ColumnError, InputError, choose
from pandas_agreement.labels import encode
from pandas_agreement.ratings import Triples
from pandas_agreement.reading.common import Cells, Reading, check_names, cluster_codes, columns_of, group_of

Array = NDArray[Any]


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
) -> Reading:
    """A row a judgment: `columns` are those of the item, the coder and the label.

    `rows=True` names the items; `cells` makes labels.
    """
    choose("duplicates", duplicates, {"raise": 1, "first": 1, "last": 1})
    item_column, coder_column, label_column = columns_of(frame, columns)
    groups = group_of(frame, by)
    (label,), universe = encode([cells(label_column) if cells else label_column], [columns[2]], categories)
    item, items = _identify(item_column)
    coder, names = _coder_codes(coder_column, coders)
    cluster = cluster_codes(frame, clusters)
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
    ratings, places, item_cluster = parts.ratings(n_groups, len(universe.labels), duplicates)
    index = None if groups is None else groups.index
    named = pd.Index(items, name=columns[0]).take(places % max(len(items), 1)) if rows else None
    return Reading(ratings, universe, list(names), index, bool(coders), item_cluster, items=named)


def _identify(column: pd.Series) -> tuple[Array, Any]:
    """Integer codes of item names; integers that lie close together are their own codes."""
    values = column.to_numpy() if isinstance(column.dtype, np.dtype) else None
    if values is not None and values.dtype.kind in "iu" and len(values):
        low, high = int(values.min()), int(values.max())
        if high - low < 4 * len(values) and high < 1 << 62:
            return values.astype(np.int64) - low, pd.RangeIndex(low, high + 1)
    codes, names = pd.factorize(column)
    return codes, names


def _coder_codes(column: pd.Series, coders: Sequence[Hashable]) -> tuple[Array, list[Hashable]]:
    codes, found = pd.factorize(column)
    known = pd.Index(found)
    if not coders:
        try:
            order = np.argsort(known)
        except TypeError:  # names that cannot be sorted stay in the order they came in
            return codes, known.tolist()
        place = np.full(len(known) + 1, -1)
        place[order] = np.arange(len(known))
        return place[codes], known[order].tolist()
    check_names(coders, "name two at least")
    place = np.full(len(known) + 1, -1)
    for position, name in enumerate(coders):
        if name not in known:
            raise ColumnError.missing(name, known.tolist(), "coder")
        place[known.get_loc(name)] = position
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

    def ratings(self, n_groups: int, n_categories: int, duplicates: str) -> tuple[Triples, Array, Array | None]:
        """Ratings, which item each is, and its cluster; an item is an item within its group.

        Sorted by group, item and coder in one sort of one number a row.
        """
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
        return triples, where[first], self._item_clusters(place, where[first])

    def _deduplicate(self, judgment: Array, duplicates: str) -> _Judgments:
        order = slice(None, None, -1) if duplicates == "last" else slice(None)
        _, index, number = np.unique(judgment[order], return_index=True, return_counts=True)
        if duplicates == "raise":
            worst = int(index[np.argmax(number > 1)])
            item, coder = pd.Index(self.items)[[self.item[worst]]].tolist()[0], self.names[self.coder[worst]]
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
            wrong = int((out[row] != self.cluster).argmax())
            item = pd.Index(self.items)[[self.item[wrong]]].tolist()[0]
            raise InputError(f"item {item!r} is in two clusters; an item belongs to one")
        return out
