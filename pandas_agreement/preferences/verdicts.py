"""A frame with one row per verdict as arrays: who was shown first and second, and the score of the first.

`winner` names the candidate, or in every row the slot. Which of the two it is follows from the labels of the whole
column; labels that can be read both ways, with different winners, are an error.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import is_hashable

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.remarks import Remarks
from pandas_agreement.data.labels import encode
from pandas_agreement.data.reading import cluster_codes, columns_of, group_of
from pandas_agreement.errors import InputError, counted, plain, shown, wrong_value

SLOTS = ("first", "second")
FIRST, SECOND, TIE, NEITHER = 1.0, 0.0, 0.5, -1.0  # score of the candidate shown first


@dataclass(frozen=True)
class Columns:
    """The columns of the frame, and the labels of ties."""

    first: Hashable
    second: Hashable
    winner: Hashable
    item: tuple[Hashable, ...]  # empty: verdicts are not about named items
    ties: tuple[Any, ...]
    human: Hashable = None  # winners by people, on a part of the rows


@dataclass(frozen=True, eq=False)
class Verdicts:
    """The verdicts that count: (N,) each."""

    candidates: pd.Index
    first: Array  # codes of the candidates in the order shown
    second: Array
    score: Array  # of the candidate shown first: 1, 0.5 or 0
    human: Array | None  # the same by the human verdict, NaN without one
    group: Array
    groups: pd.Index | None
    item: Array | None  # number of the item
    items: pd.Index | None  # names of the items
    cluster: Array | None
    seen: Array  # (2, S) group and candidate of all rows, also of those that do not count
    missing: Array  # (G,) rows without a winner or without a candidate
    equal: Array  # (G,) rows with the same candidate twice

    @property
    def n_groups(self) -> int:
        return len(self.missing)

    def pairs(self) -> tuple[Array, Array]:
        """The number of the two candidates of each verdict, in any order, and 1 if they are not in sorted order."""
        low, high = np.minimum(self.first, self.second), np.maximum(self.first, self.second)
        return low * len(self.candidates) + high, (self.first > self.second).astype(np.int64)

    def note_dropped(self, remarks: Remarks) -> None:
        """Note how many rows of each group do not count; the remarks are (G, rows of a group)."""
        for numbers, what in ((self.missing, "without a winner"), (self.equal, "with one candidate")):
            remarks.count(numbers[:, None], "left out", f"row {what} left out", f"rows {what} left out")


def read_verdicts(frame: pd.DataFrame, columns: Columns, by: Any, clusters: Any) -> Verdicts:
    """Read the verdicts; rows without a group, a winner or two candidates do not count."""
    shown_first, shown_second, winner = columns_of(frame, [columns.first, columns.second, columns.winner])
    if len({columns.first, columns.second}) == 1:
        problem = f"first= and second= are the same column, {shown(columns.first)}"
        raise InputError(problem, "name the columns of the two candidates", option="second", code="repeated name")
    (first, second), category_set = encode([shown_first, shown_second], [columns.first, columns.second])
    first, second = first.astype(np.int64), second.astype(np.int64)
    candidates = category_set.labels
    score = _scores(frame, columns, winner, first, second, candidates)
    human = _human(frame, columns, first, second, candidates)
    item, items = _items(frame, columns.item)
    groups, cluster = group_of(frame, by), cluster_codes(frame, clusters)
    group = np.zeros(len(frame), np.int64) if groups is None else groups.codes.astype(np.int64)
    n_groups = 1 if groups is None else len(groups.index)
    missing, equal = np.isnan(score) | (first < 0) | (second < 0), first == second
    inside = group >= 0
    seen = [(group * len(candidates) + code)[inside & (code >= 0)] for code in (first, second)]
    kept = inside & ~missing & ~equal
    return Verdicts(
        candidates,
        first[kept],
        second[kept],
        score[kept],
        None if human is None else human[kept],
        group[kept],
        None if groups is None else groups.index,
        None if item is None else _named(item, frame, columns.item, kept)[kept],
        items,
        None if cluster is None else cluster[kept],
        np.stack(np.divmod(np.unique(np.concatenate(seen)), max(len(candidates), 1))),
        np.bincount(group[inside], missing[inside], n_groups),
        np.bincount(group[inside], (equal & ~missing)[inside], n_groups),
    )


# ------------------------------------------------------------------------------------------------------------ winners


def _scores(
    frame: pd.DataFrame, columns: Columns, winner: pd.Series, first: Array, second: Array, candidates: pd.Index
) -> Array:
    """The score of the candidate shown first; NaN without a winner: (N,)."""
    (code,), found = encode([winner], [columns.winner])
    labels = found.labels.tolist()
    known = {label: place for place, label in enumerate(candidates.tolist())}
    for tie in columns.ties:
        if tie in known:
            problem = f"tie={shown(tie)} is also the name of a candidate"
            raise InputError(problem, "rename the label of ties", option="tie", code="name taken")
    ties = np.array([*(label in columns.ties for label in labels), False])[code]
    present = code >= 0
    by_slot = _by_slot(labels, columns)
    as_slot = None if by_slot is None else np.array([*by_slot, np.nan])[code]
    place = np.array([*(known.get(label, -1) for label in labels), -1], np.int64)[code]
    as_name = np.where(place < 0, NEITHER, np.where(place == first, FIRST, np.where(place == second, SECOND, NEITHER)))
    score = _one_reading(columns, as_name, as_slot, present & ~ties & (first >= 0) & (second >= 0) & (first != second))
    wrong = present & ~ties & (score == NEITHER) & (first >= 0) & (second >= 0)
    if wrong.any():
        raise _no_winner(frame, columns, labels, code, int(wrong.argmax()), int(wrong.sum()), candidates)
    return np.where(present, np.where(ties, TIE, score), np.nan)


def _human(frame: pd.DataFrame, columns: Columns, first: Array, second: Array, candidates: pd.Index) -> Array | None:
    """The same by people."""
    if columns.human is None:
        return None
    if columns.human in (columns.first, columns.second, columns.winner):
        problem = f"human= is {shown(columns.human)}, which is a column of the verdicts themselves"
        raise InputError(
            problem, "name the column of the winners that people chose", option="human", code="repeated name"
        )
    (winner,) = columns_of(frame, [columns.human])
    return _scores(frame, replace(columns, winner=columns.human), winner, first, second, candidates)


def _by_slot(labels: Sequence[Any], columns: Columns) -> list[float] | None:
    """The score of each label if all labels name slots, in one of the two ways; else None."""
    for words in (SLOTS, (columns.first, columns.second)):
        if all(label in words or label in columns.ties for label in labels):
            return [TIE if label in columns.ties else FIRST if label == words[0] else SECOND for label in labels]
    return None


def _one_reading(columns: Columns, as_name: Array, as_slot: Array | None, rows: Array) -> Array:
    """The scores by name or by slot, whichever the labels allow."""
    if as_slot is None or not rows.any():
        return as_name if as_slot is None else as_slot
    if (as_name[rows] == NEITHER).any():
        return as_slot
    if (as_name[rows] != as_slot[rows]).any():
        problem = f"the labels of {shown(columns.winner)} could be candidates or positions, with different winners"
        raise InputError(
            problem, "rename the candidates", option="winner", column=columns.winner, code="unclear winner"
        )
    return as_name


def _no_winner(
    frame: pd.DataFrame, columns: Columns, labels: Sequence[Any], code: Array, row: int, n: int, candidates: pd.Index
) -> InputError:
    """The error for a winner that was not in the race."""
    label, pair = labels[code[row]], [frame[name].iloc[row] for name in (columns.first, columns.second)]
    rows = counted(n, "row has", "rows have")
    problem = f"{rows} a winner that is no candidate of the row: {shown(label)} in row {shown(frame.index[row])}, "
    problem += f"with {' and '.join(map(shown, pair))}"
    remedy = (
        "the winner is a candidate of its row, or in every row 'first' or 'second' (or the names of these columns); "
    )
    remedy += "ties are named with tie="
    return InputError(problem, remedy, option="winner", column=columns.winner, code="unknown label")


def as_ties(tie: Any) -> tuple[Any, ...]:
    """The labels of ties: none, one, or a list of them."""
    listed = isinstance(tie, Iterable) and not isinstance(tie, (str, bytes))
    labels: tuple[Any, ...] = () if tie is None else tuple(map(plain, tie)) if listed else (plain(tie),)
    missing: Any = pd.isna
    if not all(is_hashable(label) and not missing(label) for label in labels):
        raise wrong_value("tie", tie, "must be a label or a list of labels")
    return labels


# -------------------------------------------------------------------------------------------------------------- items


def _items(frame: pd.DataFrame, names: tuple[Hashable, ...]) -> tuple[Array | None, pd.Index | None]:
    """The number of each row's item, -1 if a part of its name is missing, and the names of the items."""
    if not names:
        return None, None
    columns = columns_of(frame, names)
    codes, found = pd.factorize(columns[0] if len(columns) == 1 else pd.MultiIndex.from_arrays(columns))
    lost = np.any([column.isna().to_numpy() for column in columns], axis=0)
    return np.where(lost, -1, codes), pd.Index(found)


def _named(item: Array, frame: pd.DataFrame, names: tuple[Hashable, ...], kept: Array) -> Array:
    """Raise for a verdict without an item."""
    lost = kept & (item < 0)
    if lost.any():
        first = int(lost.argmax())
        rows = counted(int(lost.sum()), "row has", "rows have")
        problem = f"{rows} a winner but no item (the first is row {shown(frame.index[first])})"
        remedy = f"drop such rows with df.dropna(subset={[*names]!r})"
        raise InputError(problem, remedy, option="item", column=names[0], code="missing key")
    return item
