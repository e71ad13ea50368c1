"""The expected disagreement without each item, for many categories: no sums of each sample, which have K numbers.

Without an item that adds c to the category totals t, the sum of the distances between all labels t' D t becomes
t' D t - 2 c' D t + c' D c, and only c' D t and c' D c differ between items. Only numpy here.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import cast

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.category_counts import spread
from pandas_agreement.core.item_statistics import ItemStatistics
from pandas_agreement.core.ratings import WideRatings
from pandas_agreement.core.sums import divide

MIN_SIZE = 512  # statistics of an item; the samples without one are summed if there are fewer
ROUNDING = 1e-14  # of the sum of all distances


def value_without_each(name: str, statistics: ItemStatistics) -> Array | None:
    """The value of pi, alpha or kappa without each item: (I,); None where it is not computed in this way."""
    expected, ratings = EXPECTED.get(name), statistics.ratings
    wide = isinstance(ratings, WideRatings) or name != "kappa"
    simple = not statistics.depends_on_totals and getattr(statistics.distance, "directed", None) is None
    if expected is None or not (wide and simple) or statistics.layout.size < MIN_SIZE:
        return None
    sums, group, paired = statistics.sums, ratings.group, statistics.paired
    disagreement = spread(sums.disagreement, group) - paired * statistics.disagreement
    observed = divide(disagreement, spread(sums.pairable, group) - paired)
    return 1 - divide(observed, expected(statistics))


def _pooled(statistics: ItemStatistics, unbiased: bool) -> Array:
    """Mean distance of two labels drawn from the others, without replacement if `unbiased`: (I,)."""
    ratings, sums, share = statistics.ratings, statistics.sums, statistics.share
    to_all = statistics.distance.apply(sums.totals)  # (G, K)
    whole = spread((sums.totals * to_all).sum(-1), ratings.group)
    own = share**2 * statistics.distance.sum_over_pairs(ratings.counts, ratings.group)
    left = whole - 2 * share * ratings.counts.dot(to_all, ratings.group) + own
    left = np.where(left <= ROUNDING * whole, 0.0, left)
    n = spread(sums.size, ratings.group) - share * ratings.sizes
    return divide(left, n * (n - 1) if unbiased else n * n)


def _between_coders(statistics: ItemStatistics) -> Array:
    """Mean over pairs of coders of the distance of two labels, each drawn from the other labels of its coder: (I,)."""
    ratings, distance = cast(WideRatings, statistics.ratings), statistics.distance
    totals = cast(Array, statistics.sums.coders)  # (G, C, K)
    to_all, group = distance.apply(totals), ratings.item_group
    rated = [code >= 0 for code in ratings.codes]
    codes = [np.where(is_rated, code, 0) for is_rated, code in zip(rated, ratings.codes, strict=True)]
    sizes = [total[group] - is_rated for total, is_rated in zip(totals.sum(-1).T, rated, strict=True)]
    summed, n_active = np.zeros(ratings.n_items), np.sum([size > 0 for size in sizes], axis=0)
    for a, b in combinations(range(ratings.n_coders), 2):
        left = (totals[:, a] * to_all[:, b]).sum(-1)[group]
        left = left - rated[a] * to_all[group, b, codes[a]] - rated[b] * to_all[group, a, codes[b]]
        left += (rated[a] & rated[b]) * distance.between(codes[a], codes[b], group)
        summed += np.nan_to_num(divide(left, sizes[a] * sizes[b]))
    mean = divide(2 * summed, n_active * (n_active - 1))
    return np.where(mean <= ROUNDING, 0.0, mean)


#: expected disagreement without each item
EXPECTED: dict[str, Callable[[ItemStatistics], Array]] = {
    "pi": lambda statistics: _pooled(statistics, unbiased=False),
    "alpha": lambda statistics: _pooled(statistics, unbiased=True),
    "kappa": _between_coders,
}
