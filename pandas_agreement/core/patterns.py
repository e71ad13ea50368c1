"""Merging items with the same labels into one weighted item. Only numpy here."""

from __future__ import annotations

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.category_counts import DenseCounts
from pandas_agreement.core.contingency import look_up, tabulate
from pandas_agreement.core.ratings import LongRatings, Ratings, WideRatings
from pandas_agreement.core.scores import Scores

MAX_PATTERNS = 1 << 62  # possible patterns of labels that an int64 can number
MIN_ITEMS_PER_PATTERN = 4  # from which on possible patterns are few
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
    if not isinstance(wide, WideRatings) or _n_patterns(wide) >= MAX_PATTERNS:
        return ratings
    return _merged(wide)


def merge_if_few(ratings: Ratings) -> Ratings:
    """The distinct patterns of wide ratings, if far fewer patterns than items are possible."""
    return _merged(ratings) if isinstance(ratings, WideRatings) and _are_few(ratings) else ratings


def pattern_of_items(ratings: Ratings) -> tuple[Ratings, Array | None]:
    """The same, and the pattern of each item: (I,), or None for ratings as they are."""
    if not isinstance(ratings, WideRatings) or not _are_few(ratings):
        return ratings, None
    merged = _merged(ratings)
    return merged, look_up(merged, np.arange(merged.n_items), ratings.group, ratings.codes)


def _merged(ratings: WideRatings) -> WideRatings:
    return tabulate(ratings.group, ratings.codes, ratings.n_groups, ratings.n_categories, ratings.weight)


def _are_few(ratings: WideRatings) -> bool:
    return MIN_ITEMS_PER_PATTERN * _n_patterns(ratings) <= ratings.n_items


def _n_patterns(ratings: Ratings) -> int:
    return ratings.n_groups * (ratings.n_categories + 1) ** ratings.n_coders


def _same_counts(ratings: Ratings) -> Ratings:
    """Items with the same number of labels in each category as one."""
    counts, most = ratings.counts, int(ratings.sizes.max(initial=0))
    if (
        not isinstance(counts, DenseCounts)
        or not ratings.n_categories
        or ratings.n_groups * (most + 1) ** ratings.n_categories >= MAX_PATTERNS
    ):
        return ratings
    codes = counts.counts.astype(np.min_scalar_type(-most - 1)) - 1  # a count is a code from -1, a category a coder
    merged = tabulate(ratings.group, list(codes), ratings.n_groups, most, ratings.weight)
    table = (np.stack(merged.codes) + 1).astype(counts.counts.dtype)
    return LongRatings.of_counts(table, ratings.n_groups, merged.group, merged.weight)
