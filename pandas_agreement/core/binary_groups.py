"""Every category against all others, as groups of one set of ratings. Only numpy here."""

from __future__ import annotations

import numpy as np

from pandas_agreement.core.category_counts import DenseCounts
from pandas_agreement.core.ratings import LongRatings, Ratings, WideRatings

MAX_CODERS = 16  # coders of long ratings that are pivoted, and so 2^16 patterns of gaps
MAX_SIZE = 1 << 22  # patterns of gaps of all groups and categories


def categories_as_groups(ratings: Ratings) -> WideRatings | None:
    """Binary ratings with one group for each group and category, in this order; None without items or for many coders.

    An item stands in the groups of its own categories. In those of all others it is one of the items that nobody gave
    the category, which differ only by who labelled them and are counted.
    """
    wide = ratings.as_wide() if isinstance(ratings, LongRatings) and ratings.n_coders <= MAX_CODERS else ratings
    if not isinstance(wide, WideRatings) or not 0 < wide.n_coders <= MAX_CODERS or not wide.n_items:
        return None
    codes, K = np.stack(wide.codes), wide.n_categories  # (C, I)
    gaps, gap = np.unique(codes >= 0, axis=1, return_inverse=True)  # (C, M) who labelled, (I,)
    gap, M, n_groups = gap.ravel(), gaps.shape[1], wide.n_groups * K
    if n_groups * M > MAX_SIZE:
        return None
    counts = wide.counts.sparse() if isinstance(wide.counts, DenseCounts) else wide.counts
    item, category = counts.item, counts.code
    group = wide.item_group[item] * K + category
    seen = np.bincount(group * M + gap[item], wide.weights[item], minlength=n_groups * M)
    total = np.bincount(wide.item_group * M + gap, wide.weights, minlength=wide.n_groups * M)
    rest = np.repeat(total.reshape(-1, 1, M), K, 1).ravel() - seen
    left = np.flatnonzero(rest > 0)
    chosen = np.where(codes[:, item] < 0, -1, codes[:, item] == category)
    others = np.where(gaps[:, left % M], 0, -1)
    return WideRatings(
        wide.n_coders,
        2,
        n_groups,
        np.concatenate([group, left // M]),
        np.concatenate([wide.weights[item], rest[left]]),
        tuple(np.concatenate([chosen, others], axis=1).astype(np.int8)),
    )
