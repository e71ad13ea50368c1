"""Two camps of coders that nobody has named: found on one half of the items, tested on the other.

Coders are ordered by the first eigenvector of their agreements on a random half of the items, without what each coder
agrees with all others, and cut in two where agreement within both parts exceeds that across most. Whoever is the worse
part of this cut may be there by chance, so the test uses the other items only: both camps must agree more among
themselves than with each other. One coder out of line is no camp.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from pandas_agreement.breakdown.coder_groups import Camps, contrasted
from pandas_agreement.breakdown.coders import CoderSums
from pandas_agreement.breakdown.contrasts import TAILS
from pandas_agreement.breakdown.grouped_rows import GroupedRows
from pandas_agreement.coefficients.registry import find
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.classes import dataclass
from pandas_agreement.core.pairs import pair_up
from pandas_agreement.core.ratings import Labels, LongRatings
from pandas_agreement.core.sums import divide
from pandas_agreement.data import Reading
from pandas_agreement.formatting import listed
from pandas_agreement.options import Options

COLUMNS = ["first", "second", "within_1", "within_2", "across", "gap", "p_value", "n_items"]
GREATER = TAILS["greater"]
LEVEL = 0.05
MIN_GAP = 0.1  # alpha within both camps minus across
MIN_ITEMS = 10
SEED = 29
MIN_CODERS = 4
MAX_CODERS = 50  # of a group of items; in crowds hardly any two coders share enough items


@dataclass(frozen=True, eq=False)
class FoundCamps:
    """The camps of each group of items, and who belongs to them."""

    tests: GroupedRows  # one row per group with camps
    ratings: LongRatings  # coders numbered within their group of items
    camp: Array  # (G, C) 0 or 1, -1 where there are no camps
    coder_of: Array  # (G, C) the coder with this number


def two_camps(reading: Reading) -> FoundCamps | None:
    """The groups of items with two camps: agreement within and across, and the test; None without any."""
    if reading.ratings.n_coders < MIN_CODERS:
        return None
    sums = CoderSums(reading.ratings.as_long())
    G, C = sums.shape[:2]
    ratings, camp = sums.ratings, np.full((G, C), -1)
    if not MIN_CODERS <= C <= MAX_CODERS or not len(ratings.item):
        return None
    ratings = _numbered(ratings, C)
    found, tested = _halves(ratings)
    cut = _cut(_agreements(_only(ratings, found), C), sums.present)
    half = _only(ratings, tested)
    camps = Camps(reading.of(half, tested > 0), half, cut, [0, 1])
    test = {name: values[:, :2] for name, values in contrasted(camps, find("alpha"), Options(), GREATER).items()}
    p = np.where(np.isnan(test["p_value"]).any(1), np.nan, test["p_value"].max(1))
    gap, n_items = test["difference"].min(1), test["n_items"].min(1)
    groups = np.flatnonzero((p < LEVEL) & (gap >= MIN_GAP) & (n_items >= MIN_ITEMS))
    if not len(groups):
        return None
    camp[groups] = cut[groups]
    names = [[_names(reading, sums, cut[group] == side, group) for group in groups.tolist()] for side in (0, 1)]
    values = [*test["estimate_1"].T, test["estimate_2"][:, 0], gap, p, n_items]
    columns = dict(zip(COLUMNS, [*names, *(column[groups] for column in values)], strict=True))
    return FoundCamps(GroupedRows(groups, **columns), ratings, camp, sums.coder_of)


def _numbered(ratings: LongRatings, n_coders: int) -> LongRatings:
    """The ratings with coders numbered within their group of items."""
    labels = Labels(ratings.item, ratings.local_coder, ratings.code)
    return replace(ratings, n_coders=n_coders, labels=labels)


def _names(reading: Reading, sums: CoderSums, members: Array, group: int) -> str:
    return listed([reading.coders[int(coder)] for coder in sums.coder_of[group, members]], most=6)


def _halves(ratings: LongRatings) -> tuple[Array, Array]:
    """A random half of the items of each group with two or more labels, and the others: items of each entry, (I,) each.

    The seed is fixed, and a group has the same halves without the other groups.
    """
    group = np.where(ratings.sizes > 1, ratings.item_group, ratings.n_groups)
    times = np.rint(ratings.weights).astype(np.int64)
    halves = np.zeros((2, len(group)), np.int64)
    order = np.argsort(group, kind="stable")
    stop = np.searchsorted(group[order], np.arange(ratings.n_groups + 1))
    for items in (order[start:end] for start, end in pairwise(stop.tolist())):
        halves[0, items] = _half(times[items])
        halves[1, items] = times[items] - halves[0, items]
    return halves[0], halves[1]


def _half(times: Array) -> Array:
    """How many items of each entry are in a random half of all, rounded up."""
    rng, total = np.random.default_rng(SEED), int(times.sum())
    if len(times) == total:
        half = np.zeros(total, np.int64)
        half[rng.permutation(total)[: (total + 1) // 2]] = 1
        return half
    return rng.multivariate_hypergeometric(times, (total + 1) // 2, method="marginals")


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
