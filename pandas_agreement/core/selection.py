"""Parts of ratings: the items that a rule for missing labels keeps, blocks of groups, clusters. Only numpy here."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import Protocol, TypeVar

import numpy as np

from pandas_agreement.core.arrays import Array, places
from pandas_agreement.core.category_counts import spread
from pandas_agreement.core.ratings import LongRatings, Ratings
from pandas_agreement.errors import check_memory, choose, counted, wrong_value

R = TypeVar("R", bound=Ratings)

BYTES_PER_CELL = 80  # of tables, and of their slopes and products, that are in memory at the same time
MAX_TABLE_SIZE = 1 << 20  # entries of a table of groups x coders x categories


def _complete(ratings: Ratings, coders: Sequence[Hashable]) -> Array:
    if not ratings.identified:
        why = "needs the coders of each item, which these data do not contain"
        raise wrong_value("missing", "complete", why, "use missing='pairable' or missing='all'", code="unknown coders")
    return (ratings.sizes >= 2) & (ratings.sizes == spread(ratings.active_coders(), ratings.group))


def _raise(ratings: Ratings, coders: Sequence[Hashable]) -> Array:
    exists = ratings.sizes >= (1 if ratings.numbered else 0)  # a number without labels belongs to no item
    incomplete = exists & (ratings.sizes < ratings.n_coders)
    n_incomplete, n_items = (float(ratings.weights[items].sum()) for items in (incomplete, exists))
    if n_incomplete:
        of = f"of {n_items:.0f} items"
        which = counted(round(n_incomplete), f"{of} lacks a label", f"{of} lack a label")
        why = f": {which}{_by_coder(ratings, coders)}"
        remedy = "fill them in, or choose missing='pairable', 'all' or 'complete'"
        raise wrong_value("missing", "raise", why, remedy, code="missing labels")
    return ratings.sizes >= 1


def _by_coder(ratings: Ratings, coders: Sequence[Hashable]) -> str:
    """Missing labels of each coder, in parentheses."""
    if ratings.numbered or not ratings.identified:
        return ""
    labels = replace(ratings, group=None, n_groups=1).coder_totals().sum((0, 2))
    gaps = (ratings.weights.sum() - labels).tolist()
    return " (" + ", ".join(f"{name!r}: {n:.0f}" for name, n in zip(coders, gaps, strict=True) if n) + ")"


#: which items (I,) each rule keeps
RULES: dict[str, Callable[[Ratings, Sequence[Hashable]], Array]] = {
    "pairable": lambda ratings, coders: ratings.sizes >= 2,
    "all": lambda ratings, coders: ratings.sizes >= 1,
    "complete": _complete,
    "raise": _raise,
}


def keep(ratings: R, rule: str, coders: Sequence[Hashable]) -> tuple[R, Array]:
    """The ratings that a rule keeps, and which items these are: (I,) of bool."""
    kept = choose("missing", rule, RULES)(ratings, coders)
    return (ratings if kept.all() else ratings.select(kept)), kept


# ----------------------------------------------------------------------------------------------------- blocks of groups


def check_tables(ratings: Ratings, coders: bool) -> None:
    """Refuse groups whose tables of categories, by coder if `coders`, would take too much memory all at once."""
    cells = ratings.n_groups * (ratings.n_coders if coders else 1) * ratings.n_categories
    tables = f"tables of {ratings.n_categories:,} different labels in {ratings.n_groups:,} groups"
    remedy = "merge labels, take fewer groups, or see icc_a1(by=...) for numbers"
    check_memory(tables, cells * BYTES_PER_CELL, remedy)


def split_groups(ratings: Ratings, max_size: int = MAX_TABLE_SIZE) -> list[Array]:
    """Blocks of group numbers; the table groups x coders x categories of a block has at most `max_size` entries.

    Groups with few coders come first: the table of a block is as wide as its group with the most coders.
    """
    local = isinstance(ratings, LongRatings)  # coders are numbered within their group
    coders = ratings.active_coders() if local else np.full(ratings.n_groups, ratings.n_coders)
    if ratings.n_groups * int(coders.max(initial=1)) * ratings.n_categories <= max_size:
        return [np.arange(ratings.n_groups)]
    order = np.argsort(coders, kind="stable")
    width = np.maximum(coders[order], 1) * max(ratings.n_categories, 1)
    blocks, start = [], 0
    while start < len(order):
        size = np.arange(1, len(order) - start + 1) * width[start:]
        stop = start + max(1, int(np.searchsorted(size, max_size, side="right")))
        blocks.append(order[start:stop])
        start = stop
    return blocks


def only_groups(ratings: R, groups: Array) -> tuple[R, Array]:
    """The ratings of some groups, renumbered from 0, and which items these are: (I,) of bool."""
    if ratings.group is None or len(groups) == ratings.n_groups:
        return ratings, np.ones(ratings.n_items, bool)
    number = places(groups, ratings.n_groups)
    items = number[ratings.group] >= 0
    part = ratings.select(items)
    return replace(part, group=number[ratings.group[items]], n_groups=len(groups)), items


class Grouped(Protocol):
    """Weighted items in groups."""

    @property
    def n_groups(self) -> int: ...
    @property
    def item_group(self) -> Array: ...
    @property
    def weights(self) -> Array: ...


def clusters_of(group: Array, clusters: Array) -> tuple[Array, Array]:
    """The clusters within the groups, numbered from 0: that of each item (I,), and the group of each cluster."""
    n_clusters = int(clusters.max(initial=-1)) + 1
    keys, cluster = np.unique(group * np.int64(n_clusters) + clusters, return_inverse=True)
    return cluster, keys // max(n_clusters, 1)
