"""Disagreement if labels fall on the items at random: its exact moments, and p-values from them.

Distances are centred: c(x, y) = D(x, y) minus its means over x and over y. The centred distances of two pairs
of labels are uncorrelated, also if the pairs share a coder, so variances are sums over pairs. Only three pairs that
form a triangle have a common third moment.

`permuted` permutes the labels of each coder over the items that the coder labelled. Only numpy here, and
scipy.special for p-values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.category_counts import blocks, spread, sum_rows
from pandas_agreement.core.classes import dataclass
from pandas_agreement.core.item_statistics import ItemStatistics
from pandas_agreement.core.pairs import pair_up
from pandas_agreement.core.progress import NO_BAR, Steps
from pandas_agreement.core.quantiles import gamma_tail, t_tail
from pandas_agreement.core.ratings import LongRatings, Ratings
from pandas_agreement.core.sums import divide
from pandas_agreement.errors import InputError

CELLS_PER_BLOCK = 1 << 22  # cells of pair tables that are computed at a time
ROUNDING = 1e-20  # variance of an item, relative to the squared mean, that can be a rounding error
MAX_CATEGORIES = 300  # whose distances to each other are computed
BLOCK = 1 << 18  # labels permuted at a time, which stay in the processor's cache
MAX_STEPS = 5e9  # labels permuted and pairs compared: a minute or two, and 6 GB for 100 permutations


@dataclass(frozen=True, eq=False)
class Null:
    """Moments of the observed disagreement under the null hypothesis, (G,) each; NaN where there is no test."""

    mean: Array
    variance: Array
    third: Array  # central moment
    step: Array  # the least difference between two possible values
    bias: Array | float = 0.0  # by which the true mean is larger; published statistics ignore it, p-values do not
    df: Array | None = None  # degrees of freedom of Student's t, if the variance is estimated

    def statistic(self, observed: Array) -> Array:
        """How many standard deviations the observed disagreement is below its mean."""
        return divide(self.mean - observed, np.sqrt(self.variance))

    def p_value(self, observed: Array, alternative: str) -> Array:
        """p-value of agreement above chance ('greater'), below, or either.

        The distribution is skewed where a category is rare. It is taken as a gamma distribution with the same three
        moments, and p is the mean of the tails half a step on both sides of the observed value (as for mid-p). With an
        estimated variance it is Student's t.
        """
        sd = np.sqrt(self.variance)
        z, skew, half = self.statistic(observed - self.bias), -divide(self.third, sd**3), divide(self.step, sd) / 2
        above = (gamma_tail(z - half, skew) + gamma_tail(z + half, skew)) / 2 if self.df is None else t_tail(z, self.df)
        tails = {"greater": above, "less": 1 - above, "two-sided": np.minimum(2 * np.minimum(above, 1 - above), 1.0)}
        return tails[alternative]


def by_coder(ratings: Ratings, distance: Array) -> Null:
    """Each coder's labels are permuted over the items; three or more coders must have labelled all of them.

    `distance` is (K, K), of two coders not necessarily symmetric. For two coders mean and variance are those of Fleiss,
    Cohen and Everitt (1969), exact as in Everitt (1968).
    """
    parts, owner = _of_pairs(ratings, distance)
    n, mean, variance, third = sum_rows(parts, owner, ratings.n_groups).T
    coders = ratings.active_coders()
    complete = (coders == 2) | (ratings.sum((ratings.sizes != coders[ratings.item_group]).astype(float)) == 0)
    if (complete & (coders > 2)).any():
        third = third + _triangles(ratings.coder_totals(), distance, ratings.number())
    used = ratings.label_totals() > 0
    known = np.where(complete & (n > 0), 1.0, np.nan)
    scale = divide(known, n)
    return _null(mean * scale, variance * scale**2, third * scale**3, lattice(distance, used) * scale, n)


def by_pair(ratings: Ratings, distance: Array) -> Null:
    """The same for the mean over pairs of coders of their disagreement relative to chance, which has the mean 1."""
    parts, owner = _of_pairs(ratings, distance)
    defined = parts[:, 1] > 0
    n, mean, second, cubed = parts[defined].T
    each = np.stack([np.ones_like(n), n, mean, second / mean**2, cubed / mean**3], -1)
    number, items, expected, variance, third = sum_rows(each, owner[defined], ratings.n_groups).T
    items, expected = divide(items, number), divide(expected, number)
    if ratings.n_coders > 2:
        third = third + divide(_triangles(ratings.coder_totals(), distance, items), expected**3)
    step = divide(lattice(distance, ratings.label_totals() > 0), expected * number)
    return _null(divide(number, number), divide(variance, number**2), divide(third, number**3), step, items)


def _of_pairs(ratings: Ratings, distance: Array) -> tuple[Array, Array]:
    """The moments of each pair of coders, (P, 4), and its group."""
    pairs, K = pair_up(ratings), ratings.n_categories
    P, cells = len(pairs.owner), pairs.ratings
    rows, columns = (
        np.bincount(cells.item_group * K + code, cells.weights, minlength=P * K).reshape(P, K) for code in cells.codes
    )
    parts = np.zeros((P, 4))
    for block in blocks(P, max(1, CELLS_PER_BLOCK // max(K * K, 1))):
        parts[block] = _of_tables(rows[block], columns[block], distance)
    return parts, pairs.owner


def _of_tables(rows: Array, columns: Array, distance: Array) -> Array:
    """Items, mean, variance and third central moment of the summed distance of tables with these margins: (P, 4)."""
    n = rows.sum(-1)
    chance = divide(rows[:, :, None] * columns[:, None, :], n[:, None, None])  # expected counts
    c = centred(divide(rows, n[:, None]), divide(columns, n[:, None]), distance)
    second, third = ((chance * c**power).sum((-1, -2)) for power in (2, 3))
    few = np.maximum((n - 1) * (n - 2), 1)
    mean = (chance * distance).sum((-1, -2))
    return np.stack([n, mean, np.where(n > 1, n * second / np.maximum(n - 1, 1), 0.0), n**2 * third / few], -1)


def centred(p: Array, q: Array, distance: Array) -> Array:
    """Distances of labels drawn from p and q, minus their means over either: (..., K, K)."""
    by_row, by_column = (q[..., None, :] * distance).sum(-1), (p[..., :, None] * distance).sum(-2)
    mean = (p * by_row).sum(-1)[..., None, None]
    return distance - by_row[..., :, None] - by_column[..., None, :] + mean


def _triangles(totals: Array, distance: Array, items: Array) -> Array:
    """The part of the third moment that three coders have in common: (G, C, K) -> (G,)."""
    p = np.nan_to_num(divide(totals, totals.sum(-1, keepdims=True)))
    M = (distance - (p @ np.swapaxes(distance, -1, -2))[..., None]) * p[..., None, :]  # (G, C, K, K)
    T, squares = M.sum(-3), M @ M
    one, two, three = trace(squares, M).sum(-1), trace(squares.sum(-3), T), trace(T @ T, T)
    distinct = three - 3 * two + 2 * one  # three different coders, in any order
    return distinct * divide(items**3, np.maximum(items - 1, 1) ** 2)


def trace(A: Array, B: Array) -> Array:
    """That of the product of two matrices: (..., K, K) -> (...)."""
    return np.einsum("...ij,...ji->...", A, B)


def by_shares(statistics: ItemStatistics, mean: Array) -> Null:
    """All labels are drawn from the pooled shares of the categories; `mean` is the expected disagreement.

    With equally many labels per item the variance is that of Fleiss, Nee and Landis (1979). Alpha corrects its mean for
    few labels; the moments are corrected with it. For kappa, statistics with coders, gaps add the difference between
    the shares in the items and the shares of the coders, which single labels make.
    """
    of, ratings, r = _of_shares(statistics), statistics.ratings, statistics.ratings.sizes.astype(float)
    pairs = r * (r - 1) / 2
    weight = statistics.paired / np.maximum(pairs, 1)  # of a pair of labels
    powers = weight, weight**2 * pairs, weight**3 * pairs, weight**3 * pairs * (r - 2) * 2
    one, two, three, three_apart = map(ratings.sum, powers)
    total, n = statistics.sums.pairable, statistics.n_items[1]
    variance = divide(of["c2"] * two, total**2)
    third = divide(of["c3"] * three + of["triangle"] * three_apart, total**3)
    if statistics.sums.coders is not None:
        slopes, squares, cubes = _slopes(statistics)
        variance += of["l2"] * ratings.sum(squares)
        both = divide(ratings.sum(weight * (slopes**2 - squares)), total)
        third += of["l3"] * ratings.sum(cubes) + 3 * of["cll"] * both
        third += 3 * of["c2l"] * divide(ratings.sum(weight**2 * (r - 1) * slopes), total**2)
    few = np.nan_to_num(divide(mean, of["mean"]), nan=1.0)
    null = _null(mean, variance * few**2, third * few**3, of["step"] * divide(one, n * total), n)
    if statistics.unit == "label" or statistics.sums.coders is not None:
        return null
    itself = statistics.size_sums[2]  # pi also compares a label with itself
    return replace(null, bias=mean * divide(itself, total**2 - itself))


def _of_shares(statistics: ItemStatistics) -> dict[str, Array]:
    """Moments of labels drawn from the shares, (G,) each: of c, and of l, the centred mean distance from a label."""
    distance, p = statistics.distance, statistics.sums.profile
    (G, K), Dp = p.shape, distance.apply(p)
    mean = (p * Dp).sum(-1)
    away = Dp - mean[:, None]
    of = {"mean": mean, "l2": (p * away**2).sum(-1), "c2": distance.mean_square(p) - 2 * (p * Dp**2).sum(-1) + mean**2}
    of |= dict.fromkeys(["c3", "triangle", "l3", "cll", "c2l", "step"], np.zeros(G))
    if K > MAX_CATEGORIES:  # so many make the distribution normal
        return of
    matrix, parts = distance.as_matrix(), []
    for block in blocks(G, max(1, CELLS_PER_BLOCK // max(K * K, 1))):
        q, L, D = p[block], away[block], matrix if matrix.ndim == 2 else matrix[block]
        c, joint = centred(q, q, D), q[..., :, None] * q[..., None, :]
        M = D @ (q[..., None] * np.eye(K) - joint)
        cubes = {"c2": c**2, "c3": c**3, "cll": c * L[:, :, None] * L[:, None, :], "c2l": c**2 * L[:, :, None]}
        part = {name: (joint * cube).sum((-1, -2)) for name, cube in cubes.items()}
        part |= {"triangle": np.trace(M @ M @ M, axis1=-2, axis2=-1), "l3": (q * L**3).sum(-1)}
        parts.append(part | {"step": lattice(D, q > 0)})
    return of | {name: np.concatenate([part[name] for part in parts]) for name in (parts[0] if parts else ())}


def _slopes(statistics: ItemStatistics) -> tuple[Array, Array, Array]:
    """Sums over the labels of each item of their slope, its square and its cube: (I,) each.

    The slope of a label is its weight in observed minus its weight in expected disagreement, 0 without gaps.
    """
    ratings, sums = statistics.ratings, statistics.sums
    active = (sums.coder_sizes > 0).sum(-1)[:, None]
    share = np.nan_to_num(divide(np.ones_like(sums.coder_sizes), active * sums.coder_sizes))  # (G, C)
    q1, q2, q3 = (ratings.gather(np.broadcast_to(share[..., None] ** power, sums.margins.shape)) for power in (1, 2, 3))
    r = ratings.sizes.astype(float)
    own = statistics.paired / np.maximum(r, 1) / spread(sums.pairable, ratings.group)
    slopes = own * r - q1, own**2 * r - 2 * own * q1 + q2, own**3 * r - 3 * own**2 * q1 + 3 * own * q2 - q3
    return 2 * slopes[0], 4 * slopes[1], 8 * slopes[2]


def _null(mean: Array, variance: Array, third: Array, step: Array, n: Array) -> Null:
    """The moments, NaN where only one value is possible."""
    with np.errstate(invalid="ignore"):
        varied = (n > 1) & (variance * n > ROUNDING * mean**2)
    return Null(mean, *(np.where(varied, part, np.nan) for part in (variance, third, step)))


def lattice(distance: Array, used: Array) -> Array:
    """The least change of the summed distance if two labels are swapped, by the categories in use: (G, K) -> (G,)."""
    patterns, which = np.unique(used, axis=0, return_inverse=True)
    steps = []
    for number, pattern in enumerate(patterns):
        D = distance if distance.ndim == 2 else distance[np.argmax(which.ravel() == number)]
        D = D[np.ix_(pattern, pattern)]
        change = np.abs(np.diff(np.diff(D, axis=0), axis=1))
        steps.append(change[change > 1e-9 * D.max(initial=0.0)].min(initial=np.inf))
    found = np.array(steps)[which.ravel()] if len(patterns) else np.zeros(len(used))
    return np.where(np.isfinite(found), found, 0.0)


# --------------------------------------------------------------------------------------------------------- permutations


def check_size(ratings: Ratings, n_resamples: int) -> None:
    """Raise if the permutations would take minutes."""
    sizes = ratings.sizes.astype(float)
    n_labels, n_pairs = (float((n * ratings.weights).sum()) for n in (sizes, sizes * (sizes - 1) / 2))
    if n_resamples * (n_labels + n_pairs) > MAX_STEPS:
        problem = f"{n_resamples:,} permutations of {n_labels:,.0f} labels and {n_pairs:,.0f} pairs would take minutes"
        remedy = "use method='analytic', or a lower n_resamples="
        raise InputError(problem, remedy, option="n_resamples", code="too large")


def permuted(
    ratings: LongRatings,
    distance: Array,
    n_resamples: int,
    generators: Mapping[int, np.random.Generator],
    steps: Steps = NO_BAR,
) -> Iterator[tuple[int, Array]]:
    """Each group that has a generator, and the disagreement of its permutations: (B,).

    `distance` is (K, K), or (G, K, K) by group, with the label of the coder with the lower number first. Items have no
    weights.
    """
    owner = ratings.item_group[ratings.item]
    order = np.lexsort((ratings.coder, ratings.item, owner))
    ends = np.searchsorted(owner[order], np.arange(ratings.n_groups + 1))
    distances = np.broadcast_to(distance, (ratings.n_groups, *distance.shape[-2:]))
    for group, rng in generators.items():
        own = order[ends[group] : ends[group + 1]]
        labels = ratings.item[own], ratings.coder[own], ratings.code[own]
        blocks = list(_of_group(*labels, distances[group], n_resamples, rng, steps))
        yield group, np.concatenate(blocks)


def _of_group(
    item: Array, coder: Array, code: Array, distance: Array, n_resamples: int, rng: np.random.Generator, steps: Steps
) -> Iterator[Array]:
    """Disagreement of blocks of permutations, (b,) each, from labels in the order of items and coders, (N,) each.

    A label is the end of a number that starts with its coder and goes on at random: sorting these numbers permutes the
    labels within coders.
    """
    _, number, size = np.unique(item, return_inverse=True, return_counts=True)
    of_coder = np.unique(coder, return_inverse=True)[1]
    share = (2 / np.maximum(size * (size - 1) * np.count_nonzero(size > 1), 1))[number]  # of a pair of labels: (N,)
    place = np.argsort(np.argsort(of_coder, kind="stable"))  # of each label among those ordered by coder
    code_bits = (len(distance) - 1).bit_length()
    random_bits = 63 - code_bits - int(of_coder.max()).bit_length()
    fixed = (of_coder << (random_bits + code_bits)) | code
    table, step = distance.ravel(), max(1, BLOCK // len(item))
    for start in range(0, n_resamples, step):
        n = min(step, n_resamples - start)
        keys = fixed | (rng.integers(1 << random_bits, size=(n, len(item))) << code_bits)
        keys.sort(axis=1)
        codes = (keys & ((1 << code_bits) - 1)).take(place, axis=1)  # (b, N)
        total = np.zeros(n)
        for apart in range(1, int(size.max())):  # labels of an item are neighbours
            first = np.flatnonzero(number[apart:] == number[:-apart])
            pair = codes.take(first, axis=1) * len(distance) + codes.take(first + apart, axis=1)
            total += np.einsum("bp,p->b", table.take(pair), share[first])
        steps.step(n)
        yield total
