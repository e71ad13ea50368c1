"""Splitting groups: into blocks whose tables stay small, and into clusters of items. Only numpy here."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol, TypeVar

import numpy as np

from pandas_agreement.core.arrays import Array, places
from pandas_agreement.core.memory import check_memory
from pandas_agreement.core.ratings import LongRatings, Ratings

R = TypeVar("R", bound=Ratings)

BYTES_PER_CELL = 80  # of tables, and of their slopes and products, that are in memory at the same time
MAX_TABLE_SIZE = 1 << 20  # entries of a table of groups x coders x categories


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
