"""Two camps of coders that nobody has named: found on one half of the items, tested on the other.

Coders are ordered by the first eigenvector of their agreements on every second item, without what each coder agrees
with all others, and cut in two where agreement within both parts exceeds that across most. Whoever is the worse part of
this cut may be there by chance, so the test uses the other items only: both camps must agree more among themselves than
with each other. One coder out of line is no camp.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from pandas_agreement.breakdown.coder_groups import Camps, contrasted
from pandas_agreement.breakdown.coders import CoderSums
from pandas_agreement.breakdown.estimates import TAILS
from pandas_agreement.coefficients.registry import find
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.pairs import pair_up
from pandas_agreement.core.ratings import Labels, LongRatings
from pandas_agreement.core.sums import divide
from pandas_agreement.data import Reading
from pandas_agreement.formatting import listed
from pandas_agreement.options import Options

COLUMNS = ["first", "second", "within_1", "within_2", "across", "gap", "p_value", "n_items"]
GREATER = TAILS["greater"]
MAX_P = 0.1  # above it nobody asks for names
MIN_CODERS = 4
MAX_CODERS = 50  # of a group of items; in crowds hardly any two coders share enough items


def two_camps(reading: Reading) -> pd.DataFrame:
    """One row per group of items: the camps, agreement within and across, the test; camps are named if p is small."""
    sums = CoderSums(reading.ratings.as_long())
    G, C = sums.shape[:2]
    if not MIN_CODERS <= C <= MAX_CODERS or not len(sums.ratings.item):
        return pd.DataFrame(columns=COLUMNS, index=None if reading.groups is None else reading.groups[:0])
    ratings = _numbered(sums.ratings, C)
    found, tested = _halves(ratings)
    camp = _cut(_agreements(_only(ratings, found), C), sums.present)
    half = _only(ratings, tested)
    camps = Camps(reading.of(half, tested > 0), half, camp, [0, 1])
    test = {name: values[:, :2] for name, values in contrasted(camps, find("alpha"), Options(), GREATER).items()}
    p = np.where(np.isnan(test["p_value"]).any(1), np.nan, test["p_value"].max(1))
    names = np.full((G, 2), "", object)
    for group in np.flatnonzero(p < MAX_P).tolist():
        names[group] = [_names(reading, sums, camp[group] == side, group) for side in (0, 1)]
    values = [*names.T, *test["estimate_1"].T, test["estimate_2"][:, 0]]
    values += [test["difference"].min(1), p, test["n_items"].min(1)]
    return pd.DataFrame(dict(zip(COLUMNS, values, strict=True)), index=reading.groups)


def _numbered(ratings: LongRatings, n_coders: int) -> LongRatings:
    """The ratings with coders numbered within their group of items."""
    labels = Labels(ratings.item, ratings.local_coder, ratings.code)
    return replace(ratings, n_coders=n_coders, labels=labels)


def _names(reading: Reading, sums: CoderSums, members: Array, group: int) -> str:
    return listed([reading.coders[int(coder)] for coder in sums.coder_of[group, members]], most=6)


def _halves(ratings: LongRatings) -> tuple[Array, Array]:
    """Every second item of each group with two or more labels, and the others: how many items of each entry."""
    group = np.where(ratings.sizes > 1, ratings.item_group, ratings.n_groups)
    order = np.argsort(group, kind="stable")
    times = np.rint(ratings.weights[order]).astype(np.int64)
    before = np.cumsum(times) - times
    before -= before[np.searchsorted(group[order], group[order])]  # items of the group before the entry
    even = (before + times + 1) // 2 - (before + 1) // 2
    halves = np.zeros((2, len(order)), np.int64)
    halves[:, order] = np.where(group[order] < ratings.n_groups, [even, times - even], 0)
    return halves[0], halves[1]


def _only(ratings: LongRatings, times: Array) -> LongRatings:
    """The ratings with so many items of each entry."""
    weight = None if ratings.weight is None else times.astype(float)
    return replace(ratings, weight=weight).select(times > 0)


def _agreements(ratings: LongRatings, n_coders: int) -> Array:
    """Scott's pi of each two coders, the mean of all where it is undefined, 0 with oneself: (G, C, C)."""
    pairs = pair_up(ratings)
    cells, P, K = pairs.ratings, len(pairs.owner), ratings.n_categories
    pair = cells.item_group
    n = np.bincount(pair, cells.weights, minlength=P)
    apart = divide(np.bincount(pair, cells.weights * (cells.codes[0] != cells.codes[1]), minlength=P), n)
    totals = sum(np.bincount(pair * K + code, cells.weights, minlength=P * K) for code in cells.codes)
    shares = divide(np.reshape(totals, (P, K)), 2 * n[:, None])
    out = np.full((ratings.n_groups, n_coders, n_coders), np.nan)
    out[pairs.owner, pairs.first, pairs.second] = 1 - divide(apart, 1 - (shares**2).sum(1))
    out = np.where(np.isnan(out), out.transpose(0, 2, 1), out)
    known = np.isfinite(out)
    mean = divide(np.where(known, out, 0.0).sum((1, 2)), known.sum((1, 2)).astype(float))
    out = np.where(known, out, np.nan_to_num(mean)[:, None, None])
    out[:, np.arange(n_coders), np.arange(n_coders)] = 0.0
    return out


def _cut(agreement: Array, present: Array) -> Array:
    """The camp of each coder, 0 or 1, -1 for none: (G, C). A group with fewer than four coders has no camps."""
    C = present.shape[1]
    both = present[:, :, None] & present[:, None, :] & ~np.eye(C, dtype=bool)
    A = np.where(both, agreement, 0.0)
    n = present.sum(1)
    rows = divide(A.sum(2), (n - 1.0)[:, None])  # mean agreement of each coder with the others
    mean = divide((rows * present).sum(1), n.astype(float))
    centred = np.where(both, A - rows[:, :, None] - rows[:, None, :] + mean[:, None, None], 0.0)
    axis = np.where(present, np.linalg.eigh(np.nan_to_num(centred))[1][..., -1], np.inf)  # absent coders come last
    order = np.argsort(axis, 1, kind="stable")
    place = np.argsort(order, 1)
    size = _best_size(np.take_along_axis(np.take_along_axis(A, order[:, :, None], 1), order[:, None, :], 2), n)
    camp = (place >= size[:, None]).astype(np.int64)
    return np.where(present & (n >= MIN_CODERS)[:, None], camp, -1)


def _best_size(A: Array, n: Array) -> Array:
    """How many of the ordered coders are in the first camp: agreement within both exceeds that across most: (G,)."""
    C = A.shape[1]
    inner = np.diagonal(A.cumsum(1).cumsum(2), axis1=1, axis2=2)  # sums among the first k coders: (G, C)
    outer = A.sum(2).cumsum(1)  # sums of the first k coders with all
    k, total = np.arange(1, C + 1.0), outer[:, -1:]
    m = n[:, None] - k
    first, second = divide(inner, k * (k - 1)), divide(total - 2 * outer + inner, m * (m - 1))
    gain = np.minimum(first, second) - divide(outer - inner, k * m)
    allowed = (k >= 2) & (m >= 2)
    return np.where(allowed, np.nan_to_num(gain), -np.inf).argmax(1) + 1
