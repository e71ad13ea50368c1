"""Groups in blocks whose tables stay small. Only numpy here."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from pandas_agreement.core.ratings import LongRatings, Ratings

Array = NDArray[Any]
R = TypeVar("R", bound=Ratings)

MAX_TABLE_SIZE = 1 << 20  # numbers in a table of groups, coders and categories


def split_groups(ratings: Ratings, room: int = MAX_TABLE_SIZE) -> list[Array]:
    """Groups in blocks, such that a table of groups, coders and categories stays small: group numbers, a block each.

    Groups with few coders come first, so that one large group does not make room for its coders in all the others.
    """
    coders = (
        ratings.active_coders() if isinstance(ratings, LongRatings) else np.full(ratings.n_groups, ratings.n_coders)
    )
    if ratings.n_groups * int(coders.max(initial=1)) * ratings.n_categories <= room:
        return [np.arange(ratings.n_groups)]
    order = np.argsort(coders, kind="stable")
    width = np.maximum(coders[order], 1) * max(ratings.n_categories, 1)
    blocks, start = [], 0
    while start < len(order):
        size = np.arange(1, len(order) - start + 1) * width[start:]
        stop = start + max(1, int(np.searchsorted(size, room, side="right")))
        blocks.append(order[start:stop])
        start = stop
    return blocks


def only_groups(ratings: R, groups: Array) -> tuple[R, Array]:
    """The ratings of some groups, which are numbered anew, and which items (I,) these are."""
    if ratings.group is None or len(groups) == ratings.n_groups:
        return ratings, np.ones(ratings.n_items, bool)
    place = np.full(ratings.n_groups, -1)
    place[groups] = np.arange(len(groups))
    items = place[ratings.group] >= 0
    part = cast(R, ratings.select(items))
    return replace(part, group=place[ratings.group[items]], n_groups=len(groups)), items
