"""Votes of chunks of a file or partitions of a cluster: counts of labels by item, which add up.

`read_votes` counts the labels of one frame, `combine_votes` adds the counts of several, and `vote_on` makes the fit of
their sum. Counts stay by item and label; the coders are kept only where their votes have weights. All are functions of
objects that can be pickled, so that they run on any worker.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.judgments import Labels
from pandas_agreement.core.ratings import LongRatings, WideRatings
from pandas_agreement.data import Reading
from pandas_agreement.data.labels import CategorySet
from pandas_agreement.data.long import are_codes
from pandas_agreement.data.reading import check_names
from pandas_agreement.errors import ColumnError, InputError, Remark, heard, remarks_of, shown
from pandas_agreement.options import make_options, unknown_option
from pandas_agreement.streaming.partial import (
    OF_A_PART,
    Plan,
    all_groups,
    all_labels,
    in_order,
    join_rows,
    places_of,
    read_part,
    rows_without_group,
)
from pandas_agreement.truth.fitting import Fit, fit
from pandas_agreement.truth.kernels.votes import Tally, tally_of_counts
from pandas_agreement.truth.reading import Cast, cast, check_two_coders
from pandas_agreement.truth.settings import Settings, make_settings

VOTE_OPTIONS = ("by", "categories", "rng", "progress")
#: options of `consensus` that need more than counts of labels, and what to do
NOT_COUNTED = {
    "method": "models need all items at once: read them into one frame, of the columns of item, coder and label alone",
    "gold": "put the known labels in their places afterwards",
    "frequency": "the vote on a row is the same whatever number of items it stands for",
}


@dataclass(frozen=True, eq=False)
class PartialVotes:
    """Counts of labels of one part of the data, and the names they refer to: U items, and one entry per label seen."""

    category_set: CategorySet
    coders: list[Hashable]
    groups: pd.Index | None
    names: pd.Index  # of all rows of wide data, or the different names of items in order of appearance
    place: Array  # (U,) of the item among the names
    group: Array  # (U,)
    item: Array  # of the entry, ascending
    coder: Array | None  # of the entry; None where coders are not kept
    code: Array
    number: Array
    n_rows: int = 0
    n_lost: int = 0  # rows without a group key
    remarks: tuple[Remark, ...] = ()


def plan_votes(
    coders: Sequence[Hashable],
    long: tuple[Hashable, Hashable, Hashable] | None,
    given: Mapping[str, Any],
    what: str,
    duplicates: Sequence[str],
) -> tuple[Plan, Settings]:
    """Check the call and make its plan; `what` is the name of the method, for messages."""
    of_vote = ["ties", "weights", *(["duplicates"] if long else [])]
    for name in given:
        if name in NOT_COUNTED and not (name == "method" and given[name] == "majority"):
            problem = f"{what} counts votes, and has no option {name!r}"
            raise InputError(problem, NOT_COUNTED[name], option=name, code="needs all items")
        if name not in (*VOTE_OPTIONS, *of_vote, "method"):
            raise unknown_option(what, name, given, [*of_vote, *VOTE_OPTIONS])
    options = make_options({name: given[name] for name in VOTE_OPTIONS if name in given}, what, (), VOTE_OPTIONS)
    settings = make_settings({name: given[name] for name in of_vote if name in given}, options)
    if settings.duplicates not in duplicates:
        problem = f"{what} cannot keep the {settings.duplicates} of several labels: it does not keep who gave them"
        raise InputError(problem, "use duplicates='all', or drop the others before", option="duplicates")
    if long is not None and long[1] is None and settings.weights is not None:
        problem = "weights= belong to coders, and the raters are anonymous"
        raise InputError(problem, "name the column: coder=", option="weights", code="anonymous")
    if coders:
        check_names(coders, "name at least two")
    plan = Plan((), tuple(coders), bool(coders), long, options, settings.duplicates)
    for key in plan.keys:
        if not isinstance(key, Hashable) or callable(key) or isinstance(key, pd.Grouper):
            raise InputError(f"{what} takes by= as the name of a column, or a list of names", option="by")
    return plan, settings


# --------------------------------------------------------------------------------------------------------- one frame


def read_votes(frame: pd.DataFrame, plan: Plan, settings: Settings) -> PartialVotes:
    """Count the labels of one frame."""
    with heard() as said:
        reading = read_part(frame, plan, rows=True)
    names = frame.index if plan.long is None else pd.Index(frame[plan.long[0]].dropna().unique(), name=plan.long[0])
    place = reading.rows if reading.items is None else names.get_indexer(reading.items)
    return PartialVotes(
        reading.category_set,
        list(reading.coders),
        reading.groups,
        names,
        np.zeros(0, np.int64) if place is None else place,
        reading.ratings.item_group.astype(np.int64),
        *_entries(reading, settings.weights is not None),
        len(frame),
        rows_without_group(frame, plan),
        tuple(remark for remark in remarks_of(said) if remark.code == OF_A_PART),
    )


def _entries(reading: Reading, with_coders: bool) -> tuple[Array, Array | None, Array, Array]:
    """Item, coder, code and number of the labels of a reading."""
    ratings: Any = reading.ratings
    if with_coders:
        long = ratings.as_long() if isinstance(ratings, WideRatings) else ratings
        sizes = len(reading.coders), len(reading.category_set)
        return _added(long.item, long.coder, long.code, np.ones(len(long.item)), *sizes)
    counts = tally_of_counts(ratings.counts)
    return counts.item, None, counts.code, counts.weight.astype(np.int64)


def _added(
    item: Array, coder: Array | None, code: Array, number: Array, n_coders: int, n_categories: int
) -> tuple[Array, Array | None, Array, Array]:
    """Entries of the same item, coder and code as one, in ascending order."""
    C, K = 1 if coder is None else max(n_coders, 1), max(n_categories, 1)
    key = (item.astype(np.int64) * C + (0 if coder is None else coder)) * K + code
    keys, where = np.unique(key, return_inverse=True)
    total = np.bincount(where, number, len(keys)).astype(np.int64)
    return keys // (C * K), None if coder is None else keys // K % C, keys % K, total


# -------------------------------------------------------------------------------------------------------- all frames


def combine_votes(parts: Sequence[PartialVotes], plan: Plan) -> PartialVotes:
    """Add counts. An item of long data may be in several parts; a row of wide data is an item of its own."""
    if len(parts) == 1:
        return parts[0]
    with heard() as said:
        category_set = all_labels([part.category_set for part in parts], plan)
    coders = in_order((name for part in parts for name in part.coders), plan.coders)
    groups, of_groups = all_groups([part.groups for part in parts])
    names, of_names = _all_rows(parts) if plan.long is None else _all_names(parts)
    place = np.concatenate([of[part.place] for part, of in zip(parts, of_names, strict=True)])
    group = np.concatenate([of[part.group] for part, of in zip(parts, of_groups, strict=True)])
    starts = np.cumsum([0, *(len(part.place) for part in parts[:-1])])
    item = np.concatenate([part.item + start for part, start in zip(parts, starts, strict=True)])
    if plan.long is not None:
        place, group, item = _same_items(place, group, item, len(names))
    code, coder, number = _recoded(parts, category_set, coders)
    entries = _added(item, coder, code, number, len(coders), len(category_set))
    n_rows, n_lost = (sum(getattr(part, name) for part in parts) for name in ("n_rows", "n_lost"))
    remarks = [*(remark for part in parts for remark in part.remarks), *remarks_of(said)][:1]
    return PartialVotes(category_set, coders, groups, names, place, group, *entries, n_rows, n_lost, tuple(remarks))


def _recoded(
    parts: Sequence[PartialVotes], category_set: CategorySet, coders: list[Hashable]
) -> tuple[Array, Array | None, Array]:
    """Codes, coders and numbers of all entries, in the numbering of all parts."""
    codes = places_of(category_set.labels.tolist(), [part.category_set.labels.tolist() for part in parts])
    code = [of[part.code] for of, part in zip(codes, parts, strict=True)]
    places = zip(places_of(coders, [part.coders for part in parts]), parts, strict=True)
    who = [of[part.coder] for of, part in places if part.coder is not None]
    number = np.concatenate([part.number for part in parts])
    return np.concatenate(code), np.concatenate(who) if who else None, number


def _all_rows(parts: Sequence[PartialVotes]) -> tuple[pd.Index, list[Array]]:
    """The index of all rows, and the positions of those of each part."""
    indexes = [part.names for part in parts]
    starts = np.cumsum([0, *(len(index) for index in indexes[:-1])])
    places = [start + np.arange(len(index)) for start, index in zip(starts, indexes, strict=True)]
    return indexes[0].append(indexes[1:]), places


def _all_names(parts: Sequence[PartialVotes]) -> tuple[pd.Index, list[Array]]:
    """The different names of items in order of appearance, and the positions of those of each part."""
    column = join_rows([part.names.to_frame(index=False, name="item") for part in parts])["item"]
    codes, names = pd.factorize(column)
    ends = np.cumsum([len(part.names) for part in parts])[:-1]
    return pd.Index(names, name=parts[0].names.name), np.split(codes, ends)


def _same_items(place: Array, group: Array, item: Array, n_names: int) -> tuple[Array, Array, Array]:
    """Items of the same name and group as one, in order of groups and names."""
    keys, number = np.unique(group * np.int64(max(n_names, 1)) + place, return_inverse=True)
    return keys % max(n_names, 1), keys // max(n_names, 1), number[item]


# ---------------------------------------------------------------------------------------------------------- the vote


def check_votes(total: PartialVotes, plan: Plan, settings: Settings) -> None:
    """Raise for coders that are not there, or too few, and for a coder with two labels of an item."""
    anonymous = plan.long is not None and plan.long[1] is None
    for name in plan.coders:
        if name not in total.coders:
            raise ColumnError.missing(name, total.coders, "coder")
    if not anonymous:
        check_two_coders(total.coders)
    if total.coder is not None and settings.duplicates == "raise" and (total.number > 1).any():
        worst = int((total.number > 1).argmax())
        raise repeated_judgment(total.names[total.place[total.item[worst]]], total.coders[total.coder[worst]])


def repeated_judgment(item: Any, coder: Any, *keys: Any) -> InputError:
    """The error for a coder with two labels of an item."""
    problem = f"judgments are repeated: coder {shown(coder)} labelled item {shown(item)} twice"
    remedy = "count all of them with duplicates='all', or drop one before"
    return InputError(problem, remedy, option="duplicates", code="repeated judgment")


def in_row_order(total: PartialVotes) -> PartialVotes:
    """Items of long data in the order of a frame of all rows: that of groups, then of first rows or of integers."""
    names, order = total.names, np.arange(len(total.names))
    whole = isinstance(names.dtype, np.dtype) and names.dtype.kind in "iu" and len(names) > 0
    if whole and are_codes(int(names.min()), int(names.max()), total.n_rows):
        order = np.argsort(names)
    rank = np.empty(len(names), np.int64)
    rank[order] = np.arange(len(names))
    place, group, item = _same_items(rank[total.place], total.group, total.item, len(names))
    sizes = len(total.coders), len(total.category_set)
    item, coder, code, number = _added(item, total.coder, total.code, total.number, *sizes)
    names = names[order]
    return replace(total, names=names, place=place, group=group, item=item, coder=coder, code=code, number=number)


def cast_votes(part: PartialVotes, plan: Plan, settings: Settings) -> Cast:
    """The data of a fit: the coders' ballots if they have weights."""
    K, U = len(part.category_set), len(part.place)
    group, n_groups = (None, 1) if part.groups is None else (part.group, len(part.groups))
    none = np.zeros(0, np.int64)
    labels = Labels(none, none, none)
    if part.coder is not None:
        labels = Labels(*(np.repeat(each, part.number) for each in (part.item, part.coder, part.code)))
    ratings = LongRatings(len(part.coders), K, n_groups, group, None, labels, U)
    rows, items = (part.place, None) if plan.long is None else (None, part.names.take(part.place))
    reading = Reading(ratings, part.category_set, part.coders, part.groups, True, rows=rows, items=items)
    if part.coder is not None:
        return cast(reading, pd.DataFrame(index=part.names), settings)
    labelled = np.bincount(part.item, minlength=U) > 0
    return Cast(reading, labelled, np.full(U, -1), None)


def vote_on(part: PartialVotes, plan: Plan, settings: Settings) -> Fit:
    """The fit of these counts."""
    data = cast_votes(part, plan, settings)
    if data.ballots is not None:
        return fit(data, settings)
    place = np.cumsum(data.labelled) - 1
    number = part.number.astype(float)
    votes = Tally(place[part.item], part.code, number, int(data.labelled.sum()), len(part.category_set))
    return Fit(data, settings, votes, votes)
