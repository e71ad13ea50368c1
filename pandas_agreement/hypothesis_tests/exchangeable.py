"""Tests of whether a coder is like the others of the same items, for 3 coders as for thousands.

Under the null hypothesis the coders of an item are alike: given its labels, who gave which is random. Difficult items
and items of a rare category are then no coder's fault, as each coder is compared on the coder's own items only. Means,
variances and third moments are exact under permutation within items. Only numpy here, and scipy.special for p-values.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.quantiles import gamma_tail, t_quantile
from pandas_agreement.core.sums import divide

MIN_LABELS = 3  # of an item on which a coder is compared: two others have an agreement among themselves


@dataclass(frozen=True, eq=False)
class Gap:
    """A coder's disagreement with the others minus theirs among themselves; one value per cell (coder of a group)."""

    n_items: Array  # items with the coder and at least two others
    own: Array  # mean disagreement with the others
    gap: Array  # how much more that is than the disagreement of the others
    low: Array  # its interval
    high: Array
    p_value: Array  # one-sided: the coder disagrees more; NaN where the labels of all items are equal


def gap_test(disagreement: Array, item: Array, cell: Array, n_cells: int, weight: Array, level: float = 0.95) -> Gap:
    """Test whether a coder disagrees more with the others than these do among themselves.

    Parameters
    ----------
    disagreement : array (N,)
        Mean distance of each label from the other labels of its item.
    item, cell : array (N,)
        The item of each label, and its coder within a group.
    n_cells : int
    weight : array (N,)
        How often the item occurs.
    level : float
        Level of the interval, two-sided.

    Notes
    -----
    With own mean a, mean b of the others' pairs and mean A of all pairs of r labels, A = (2 a + (r - 2) b) / r, so
    a - b = (a - A) r / (r - 2), and A is the mean of a over the labels of the item. The sum of a - b over the items of
    a coder is compared with the gamma distribution (Pearson's type III) of its exact first three moments.

    Examples
    --------
    Three coders and six items; the third always differs from the other two, who agree.

    >>> a, item = np.tile([0.5, 0.5, 1.0], 6), np.repeat(np.arange(6), 3)
    >>> test = gap_test(a, item, np.tile(np.arange(3), 6), 3, np.ones(18))
    >>> test.gap
    array([-0.5, -0.5,  1. ])
    >>> test.p_value.round(4)  # exact: (1/3)^6 = .0014 for the third
    array([0.968 , 0.968 , 0.0011])
    """
    size = np.bincount(item, minlength=1)[item].astype(float)  # (N,)
    used = size >= MIN_LABELS
    centred = np.where(used, (disagreement - _item_mean(disagreement, item)) * divide(size, size - 2), 0.0)

    def total(values: Array) -> Array:
        return np.bincount(cell, np.where(used, values, 0.0) * weight, minlength=n_cells)

    n = total(np.ones(len(item)))
    gap = divide(total(centred), n)
    se = np.sqrt(divide(np.maximum(divide(total(centred**2), n) - gap**2, 0.0), n - 1))
    variance, third = (total(_item_mean(centred**power, item)) for power in (2, 3))
    width = t_quantile(n - 1, level) * se
    p_value = _upper_tail(total(centred), variance, third)
    return Gap(n, divide(total(disagreement), n), gap, gap - width, gap + width, p_value)


def _item_mean(values: Array, item: Array) -> Array:
    """The mean over the labels of each label's item: (N,) -> (N,)."""
    return (np.bincount(item, values, minlength=1) / np.maximum(np.bincount(item, minlength=1), 1))[item]


def _upper_tail(value: Array, variance: Array, third: Array) -> Array:
    """P(sum >= value) of a sum with mean 0 and these moments; NaN without variance."""
    varied = variance > 1e-12
    scale = np.sqrt(np.where(varied, variance, 1.0))
    return np.where(varied, gamma_tail(value / scale, third / scale**3), np.nan)


def usual_label_test(number: Array, usual: Array, item: Array, cell: Array, n_cells: int, weight: Array) -> Array:
    """One-sided p that coders give their usual label no more often than the others of the same items.

    Items on which all or none gave it do not count. A coder's number of other labels is a sum of independent trials,
    whose lower tail is at most that of the binomial distribution with the same mean (Hoeffding 1956).

    Parameters
    ----------
    number : array (N,)
        How many labels of the item are the usual label of the label's coder.
    usual : array (N,)
        Whether the label is.
    item, cell, n_cells, weight
        As in `gap_test`.

    Examples
    --------
    Two coders who differ on eight items: the first gave 'x', the usual label of both, on all of them.

    >>> item, coder = np.repeat(np.arange(8), 2), np.tile([0, 1], 8)
    >>> usual_label_test(np.ones(16), coder == 0, item, coder, 2, np.ones(16))
    array([0.00390625, 1.        ])
    """
    from scipy.special import betainc

    size = np.bincount(item, minlength=1)[item]
    mixed = (number > 0) & (number < size)
    parts = np.ones(len(item)), np.where(usual, 0.0, 1.0), 1 - divide(number, size)
    n, others, expected = (np.bincount(cell, np.where(mixed, part, 0) * weight, minlength=n_cells) for part in parts)
    share = np.where(n > 0, divide(expected, n), 0.5)
    below = betainc(np.maximum(n - others, 1.0), others + 1, 1 - share)  # P(at most as many others)
    return np.where(n > 0, np.where(others < n, below, 1.0), np.nan)


def sole_user_test(size: Array, cell: Array, n_cells: int, weight: Array) -> Array:
    """The chance that one and the same coder gave all labels of a category, at most one on each item.

    Each label belongs to any coder of its item with the same probability, and no more coders than the smallest item
    has can have labelled all of these items.

    Parameters
    ----------
    size : array (N,)
        Labels of each label's item.
    cell : array (N,)
        The category of each label, within a group.
    n_cells : int
    weight : array (N,)

    Examples
    --------
    >>> sole_user_test(np.array([2, 2, 2, 2, 3]), np.zeros(5, int), 1, np.ones(5)).round(4)
    array([0.0417])
    """
    least = np.full(n_cells, np.inf)
    np.minimum.at(least, cell, size)
    logs = np.bincount(cell, np.log(size) * weight, minlength=n_cells)
    return np.minimum(np.where(np.isfinite(least), least, 1.0) * np.exp(-logs), 1.0)
