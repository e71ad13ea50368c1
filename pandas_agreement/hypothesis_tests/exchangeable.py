"""Tests of a coder's usual label, and of categories that a single coder uses, for 3 coders as for thousands.

Under the null hypothesis the coders of an item are alike: given its labels, who gave which is random. Difficult items
and items of a rare category are then no coder's fault, as each coder is compared on the coder's own items only. Only
numpy here, and scipy.special for p-values.
"""

from __future__ import annotations

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.sums import divide


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
    item, cell : array (N,)
        The item of each label, and its coder within a group.
    n_cells : int
    weight : array (N,)
        How often the item occurs.

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
