"""Merging items with the same labels into one weighted item. Only numpy here."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.category_counts import DenseCounts
from pandas_agreement.core.ratings import LongRatings, Ratings, WideRatings
from pandas_agreement.core.scores import Scores

MAX_PATTERNS = 1 << 62  # possible patterns of labels that an int64 can number
MAX_COUNTED = 1 << 12  # possible patterns that are counted rather than sorted, however few the items
MAX_CODERS = 62  # coders of long ratings that are pivoted; more have too many patterns


def distinct(ratings: Ratings, coders: bool) -> Ratings:
    """The distinct patterns of labels, weighted by how often they occur.

    Without `coders` two items with the same counts have the same pattern. With too many possible patterns to number
    the ratings are returned as they are.
    """
    if ratings.n_items < 2 or isinstance(ratings, Scores):
        return ratings
    if not coders:
        return _same_counts(ratings)
    wide = ratings.as_wide() if isinstance(ratings, LongRatings) and ratings.n_coders <= MAX_CODERS else ratings
    base = wide.n_categories + 1
    if not isinstance(wide, WideRatings) or (n := wide.n_groups * base**wide.n_coders) >= MAX_PATTERNS:
        return ratings
    first, group, weight = _merge(wide, (code + 1 for code in wide.codes), base, n)
    return replace(wide, group=group, codes=tuple(code[first] for code in wide.codes), weight=weight)


def _same_counts(ratings: Ratings) -> Ratings:
    """Items with the same number of labels in each category as one."""
    counts, base = ratings.counts, int(ratings.sizes.max(initial=0)) + 1
    if not isinstance(counts, DenseCounts) or (n := ratings.n_groups * base**ratings.n_categories) >= MAX_PATTERNS:
        return ratings
    first, group, weight = _merge(ratings, counts.counts, base, n)
    return LongRatings.of_counts(counts.counts[:, first], ratings.n_groups, group, weight)


def _merge(ratings: Ratings, digits: Iterable[Array], base: int, n_patterns: int) -> tuple[Array, Array | None, Array]:
    """An item of each pattern, its group and its weight; a pattern is a number with these digits."""
    key = ratings.item_group.astype(np.int64)
    for digit in digits:
        key *= base
        key += digit
    if n_patterns <= max(4 * len(key), MAX_COUNTED):  # counting is quicker than sorting
        number = np.bincount(key, ratings.weight, minlength=n_patterns)
        item = np.zeros(n_patterns, np.int64)
        item[key] = np.arange(len(key))
        used = np.flatnonzero(np.bincount(key, minlength=n_patterns) if ratings.weight is not None else number)
        chosen, weight = item[used], number[used].astype(float)
    else:
        keys, chosen, pattern = np.unique(key, return_index=True, return_inverse=True)
        weight = np.bincount(pattern, ratings.weight, minlength=len(keys)).astype(float)
    return chosen, None if ratings.group is None else ratings.group[chosen], weight
