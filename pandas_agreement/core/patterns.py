"""Items that are labelled alike, as one item that occurs several times. Only numpy here."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pandas_agreement.core.category_counts import DenseCounts
from pandas_agreement.core.ratings import CountRatings, LongRatings, Ratings, WideRatings

Array = NDArray[Any]

MAX_PATTERNS = 1 << 62  # patterns that can be numbered
MAX_CODERS = 62


def distinct(ratings: Ratings, coders: bool) -> Ratings:
    """The patterns of labels that occur; without `coders` whoever said what. The ratings themselves if there are too
    many possible ones to number."""
    if ratings.n_items < 2:
        return ratings
    if not coders:
        return _same_counts(ratings)
    columns = ratings.as_wide() if isinstance(ratings, LongRatings) and ratings.n_coders <= MAX_CODERS else ratings
    if not isinstance(columns, WideRatings):
        return ratings
    base = columns.n_categories + 1
    if columns.n_groups * base**columns.n_coders >= MAX_PATTERNS:
        return ratings
    first, weight = _merge(columns, (code + 1 for code in columns.codes), base)
    group = None if columns.group is None else columns.group[first]
    return replace(columns, group=group, codes=tuple(code[first] for code in columns.codes), weight=weight)


def _same_counts(ratings: Ratings) -> Ratings:
    """Items with the same number of labels in each category as one."""
    counts, most = ratings.counts, int(ratings.sizes.max(initial=0)) + 1
    if not isinstance(counts, DenseCounts) or ratings.n_groups * most**ratings.n_categories >= MAX_PATTERNS:
        return ratings
    first, weight = _merge(ratings, counts.counts, most)
    group = None if ratings.group is None else ratings.group[first]
    table = DenseCounts(counts.counts[:, first])
    return CountRatings(most - 1, ratings.n_categories, ratings.n_groups, group, weight, table)


def _merge(ratings: Ratings, digits: Iterable[Array], base: int) -> tuple[Array, Array]:
    """The first item of each pattern, and how often it occurs; a pattern is a number with these digits."""
    key = np.zeros(ratings.n_items, np.int64) if ratings.group is None else ratings.group.astype(np.int64)
    for digit in digits:
        key *= base
        key += digit
    keys, first, where = np.unique(key, return_index=True, return_inverse=True)
    return first, np.bincount(where, ratings.weight, minlength=len(keys)).astype(float)
