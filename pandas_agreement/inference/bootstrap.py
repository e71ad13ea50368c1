"""Bootstrap: resamples of the items, and intervals from them.

A resample is a multinomial draw of weights on the distinct items. The sums of all resamples are one matrix product,
and the kernels take groups and resamples as leading axes. Resamples are drawn in blocks of bounded memory, from one
generator per group: neither the size of the blocks nor the order of the groups changes a number. Only numpy here, and
scipy for BCa and for sums over many categories.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from pandas_agreement.coefficients.pairwise_kappa import over_pairs, pair_terms
from pandas_agreement.coefficients.registry import Coefficient, ScoreKernel
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.category_counts import blocks
from pandas_agreement.core.classes import dataclass
from pandas_agreement.core.distances import Distance
from pandas_agreement.core.group_blocks import clusters_of, only_groups
from pandas_agreement.core.item_statistics import ItemStatistics
from pandas_agreement.core.pairs import pair_up
from pandas_agreement.core.patterns import distinct
from pandas_agreement.core.progress import NO_BAR, Steps
from pandas_agreement.core.ratings import Ratings
from pandas_agreement.core.score_statistics import statistics_of
from pandas_agreement.core.scores import Scores
from pandas_agreement.errors import InputError

MAX_BLOCK = 1 << 20  # entries of one block of resampled weights or sums
MAX_DENSE_SIZE = 1 << 22  # entries of a table of items and statistics; a larger one is sparse
MAX_COUNTED = 1 << 12  # different items of which several resamples are counted at once
PER_DISTINCT, PER_ITEM = 30, 5  # nanoseconds per draw of a multinomial number, and of an item
MAX_PAIR_TABLE = 1 << 27  # entries of the tables of all items and pairs of coders
ROUNDING = 1e-9  # resampled values this close to the estimate are equal to it
MAX_UNDEFINED_SHARE = 0.05  # share of undefined resamples above which there is no interval


@dataclass(frozen=True, eq=False)
class Features:
    """The statistics of the distinct items of all groups, and the coefficient as a function of their sums."""

    table: Any  # (U, F) one row of statistics per item (or cluster), an array or sparse; groups are consecutive
    number: Array  # (U,) how often the item (or cluster) occurs
    starts: Array  # (G + 1,) the first item of each group
    value: Callable[[Array], Array]  # sums of resamples (..., F) -> values (...)

    def sums(self, group: int, n_resamples: int, rng: np.random.Generator) -> Array:
        """The sums of some resamples of a group: (b, F)."""
        items = slice(self.starts[group], self.starts[group + 1])
        weights = _weights(np.rint(self.number[items]).astype(np.int64), n_resamples, rng)
        table = self.table[items]
        return weights @ table if isinstance(table, np.ndarray) else (table.T @ weights.T.astype(float, copy=False)).T

    def sizes(self) -> tuple[Array, Array]:
        """The number of different items, and of items, of each group: (G,) each."""
        running = np.concatenate([[0.0], np.cumsum(self.number)])
        return np.diff(self.starts), np.diff(running[self.starts])

    def clustered(self, clusters: Array, group: Array) -> Features:
        """The features of clusters, which are drawn as a whole."""
        from scipy.sparse import csr_array

        cluster, owner = clusters_of(group, clusters)
        sums = csr_array((self.number, (cluster, np.arange(len(cluster)))), shape=(len(owner), len(cluster)))
        starts = np.searchsorted(owner, np.arange(len(self.starts)))
        return replace(self, table=sums @ self.table, number=np.ones(len(owner)), starts=starts)


def _item_by_item(n_distinct: int, size: int) -> bool:
    return PER_DISTINCT * n_distinct > PER_ITEM * size


def _weights(number: Array, n_resamples: int, rng: np.random.Generator) -> Array:
    """How often each distinct item is drawn: (b, U); by the multinomial distribution, or item by item if cheaper."""
    size, n_distinct = int(number.sum()), len(number)
    if not _item_by_item(n_distinct, size):
        return rng.multinomial(size, number / size, size=n_resamples)
    drawn = rng.integers(0, size, (n_resamples, size))
    if n_distinct < size:
        drawn = np.repeat(np.arange(n_distinct), number)[drawn]
    if n_distinct > MAX_COUNTED:  # counters of one resample at a time stay in the cache
        weights = np.empty((n_distinct, n_resamples))  # in the order in which sparse tables are multiplied
        for column, row in zip(weights.T, drawn, strict=True):
            column[:] = np.bincount(row, minlength=n_distinct)
        return weights.T
    drawn += np.arange(n_resamples)[:, None] * n_distinct
    return np.bincount(drawn.ravel(), minlength=n_resamples * n_distinct).reshape(n_resamples, n_distinct)


def entropy_of(rng: Any) -> int:
    """The seed of all generators of a call, from a seed, a generator or None."""
    if rng is None:
        return int(np.random.SeedSequence().entropy)  # type: ignore[arg-type]
    return int.from_bytes(rng.bytes(16), "little") if isinstance(rng, np.random.Generator) else int(rng)


def generator(entropy: int, key: Any) -> np.random.Generator:
    """The generator of one group; it does not depend on the other groups."""
    return np.random.default_rng([entropy, zlib.crc32(repr(key).encode())])


def features(record: Coefficient, ratings: Ratings, distance: Distance) -> Features:
    """The features of items; those of a group are consecutive."""
    starts = np.searchsorted(ratings.item_group, np.arange(ratings.n_groups + 1))
    if record.over_pairs:
        return _pair_features(record, ratings, distance, starts)
    statistics = statistics_of(ratings, distance, record.unit, record.needs_coders)

    def value(sums: Array) -> Array:
        return record.kernel(*statistics.layout.read(sums, distance)).value

    layout, n = statistics.layout, ratings.n_items
    sparse = n * layout.size > MAX_DENSE_SIZE and not layout.with_pairs
    table = statistics.sparse_table() if sparse else statistics.table(slice(0, n))
    return Features(table, ratings.weights, starts, value)


def _pair_features(record: Coefficient, ratings: Ratings, distance: Distance, starts: Array) -> Features:
    """The statistics of an item in the tables of all pairs of coders, pair by pair; for few coders."""
    pairs = pair_up(ratings)
    cells, tables = pairs.ratings, ItemStatistics(pairs.ratings, distance, coders=True)
    layout, P = tables.layout, len(pairs.owner)
    if ratings.n_items * P * layout.size > MAX_PAIR_TABLE:
        problem = "a bootstrap over so many pairs of coders is too large"
        raise InputError(problem, "use method='analytic' or 'jackknife'", option="method", code="too large")
    statistics = np.concatenate([np.zeros((1, layout.size)), tables.table(slice(0, cells.n_items))])
    number = np.arange(cells.n_items) + 1.0  # 0: one of the labels is missing
    table = np.empty((ratings.n_items, P, layout.size))
    for pair in range(P):  # of which an item has one cell
        table[:, pair] = statistics[pairs.to_items(number * (cells.item_group == pair)).astype(np.int64)]

    def value(sums: Array) -> Array:
        of_pairs = layout.read(sums.reshape(*sums.shape[:-1], P, layout.size), distance)
        return over_pairs(record, pair_terms(record, *of_pairs).sum(-2))

    flat: Any = table.reshape(len(table), -1)
    if flat.size > MAX_DENSE_SIZE and np.count_nonzero(flat) < flat.size / 8:  # an item has labels of few of the coders
        from scipy.sparse import csr_array

        flat = csr_array(flat)
    return Features(flat, ratings.weights, starts, value)


def replicates(items: Features, group: int, n_resamples: int, rng: np.random.Generator, steps: Steps = NO_BAR) -> Array:
    """Values of the resamples of one group: (B,), NaN where one is undefined."""
    n_distinct, size = (int(number[group]) for number in items.sizes())
    if size < 2:  # the only resample of one item or cluster is itself
        steps.step(n_resamples)
        return np.full(n_resamples, np.nan)
    drawn = size if _item_by_item(n_distinct, size) else n_distinct
    step = max(1, MAX_BLOCK // max(drawn, items.table.shape[1], 1))
    out = np.empty(n_resamples)
    for rows in blocks(n_resamples, step):
        out[rows] = items.value(items.sums(group, len(out[rows]), rng))
        steps.step(len(out[rows]))
    return out


def blocks_of_groups(items: Features, n_resamples: int) -> list[Array]:
    """Groups whose sums are computed together; one alone if its resamples are many or its items too few."""
    n_distinct, size = items.sizes()
    most = np.maximum(np.maximum(n_distinct, size), items.table.shape[1]) * n_resamples
    alone = (most > MAX_BLOCK) | (size < 2)
    block = np.cumsum(alone) + np.concatenate([[0], np.cumsum(alone)[:-1]])  # a new one before and after each
    block = block * np.int64(len(alone) + 1) + np.cumsum(np.where(alone, 0, most)) // (4 * MAX_BLOCK)
    return np.split(np.arange(len(alone)), np.flatnonzero(np.diff(block)) + 1) if len(alone) else []


def percentile(values: Array, level: float) -> tuple[Array, Array]:
    """Percentile intervals: the central share `level` of the resampled values, (g, B) -> (g,), (g,)."""
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2], axis=1)
    return low, high


def bca(values: Array, level: float, estimate: Array, acceleration: Array) -> tuple[Array, Array]:
    """BCa intervals: percentiles corrected for bias and acceleration (Efron 1987); (g, B) -> (g,), (g,)."""
    from scipy.special import ndtr, ndtri

    ties = np.isclose(values, estimate[:, None], rtol=ROUNDING, atol=ROUNDING)
    below = np.where(ties, 0.5, values < estimate[:, None]).mean(1)
    plain = np.array([(1 - level) / 2, (1 + level) / 2])
    inside = (below > 0) & (below < 1)
    bias = ndtri(np.where(inside, below, 0.5))[:, None]
    ends = bias + ndtri(plain)
    with np.errstate(invalid="ignore"):  # a value or an influence may be infinite
        places = ndtr(bias + ends / (1 - acceleration[:, None] * ends))
    corrected = inside & np.isfinite(places).all(1)
    low, high = _quantiles(values, np.where(corrected[:, None], places, plain)).T
    return low, high


def _quantiles(values: Array, places: Array) -> Array:
    """Quantiles by linear interpolation, of places of their own for each row: (g, B), (g, q) -> (g, q)."""
    ordered = np.sort(values, axis=1)
    position = places * (values.shape[1] - 1)
    before = np.floor(position).astype(np.int64)
    lower, upper = (
        np.take_along_axis(ordered, np.minimum(place, values.shape[1] - 1), 1) for place in (before, before + 1)
    )
    with np.errstate(invalid="ignore"):  # between two infinities
        between = lower + (upper - lower) * (position - before)
    return np.where(lower == upper, lower, between)


def acceleration(ratings: Ratings, influence: Array, clusters: Array | None = None) -> Array:
    """The acceleration of BCa of each group; clusters have the summed influence of their items: (G,)."""
    group, weight, n_groups = ratings.item_group, ratings.weights, ratings.n_groups
    if clusters is not None:
        unit, group = clusters_of(group, clusters)
        influence, weight = np.bincount(unit, influence * weight), np.ones(len(group))
    squares, cubes = (np.bincount(group, weight * influence**n, minlength=n_groups) for n in (2, 3))
    with np.errstate(invalid="ignore"):
        return np.where(squares > 0, cubes / (6 * np.where(squares > 0, squares, 1.0) ** 1.5), 0.0)


@dataclass(frozen=True, eq=False)
class Resampled:
    """Standard error, interval, and share of the resamples with an undefined value, of each group: (G,)."""

    se: Array
    low: Array
    high: Array
    lost: Array


def resample(
    ratings: Ratings,
    estimates: Array,
    influence: Callable[[], Array],
    method: str,
    level: float,
    draws: Iterable[tuple[Array, Array]],
    clusters: Array | None = None,
) -> Resampled:
    """Intervals from the replicates of each group."""
    se, low, high = (np.full(ratings.n_groups, np.nan) for _ in range(3))
    lost = np.zeros(ratings.n_groups)
    accelerations = acceleration(ratings, influence(), clusters) if method == "bca" else np.zeros(ratings.n_groups)
    for groups, values in draws:
        undefined = np.isnan(values).mean(1)
        known = ~np.isnan(estimates[groups])
        lost[groups] = np.where(known, undefined, 0.0)
        usable = known & (undefined <= MAX_UNDEFINED_SHARE) & (values.shape[1] * (1 - undefined) >= 2)
        for places in _alike(usable, undefined):
            chosen = groups[places]
            defined = values[places]
            if undefined[places[0]]:
                defined = defined[~np.isnan(defined)][None]
            se[chosen] = defined.std(1, ddof=1)
            interval = percentile(defined, level)
            if method == "bca":
                interval = bca(defined, level, estimates[chosen], accelerations[chosen])
            low[chosen], high[chosen] = interval
    return Resampled(se, low, high, lost)


def _alike(usable: Array, undefined: Array) -> Iterator[Array]:
    """The groups without undefined resamples together, each other one alone."""
    complete = np.flatnonzero(usable & (undefined == 0))
    if len(complete):
        yield complete
    yield from np.flatnonzero(usable & (undefined > 0))[:, None]


def draw(
    record: Coefficient,
    ratings: Ratings,
    distance: Distance,
    keys: list[Any],
    n_resamples: int,
    rng: Any,
    clusters: Array | None = None,
    steps: Steps = NO_BAR,
) -> Iterator[tuple[Array, Array]]:
    """Blocks of groups (g,), and their replicates (g, B)."""
    entropy = entropy_of(rng)
    if record.of_scores is not None:
        for group in range(ratings.n_groups):
            part, items = _one_group(ratings, group)
            own = None if clusters is None else clusters[items]
            values = _of_scores(record.of_scores, part, n_resamples, generator(entropy, keys[group]), own, steps)
            yield np.array([group]), values[None]
        return
    for first, items in _features_of_groups(record, ratings, distance, clusters):
        for block in blocks_of_groups(items, n_resamples):
            rngs = [generator(entropy, keys[first + group]) for group in block]
            if len(block) == 1:
                values = replicates(items, block[0], n_resamples, rngs[0], steps)[None]
            else:
                sums = [items.sums(group, n_resamples, own) for group, own in zip(block, rngs, strict=True)]
                values = items.value(np.stack(sums))
                steps.step(len(block) * n_resamples)
            yield first + block, values


def _features_of_groups(
    record: Coefficient, ratings: Ratings, distance: Distance, clusters: Array | None
) -> Iterator[tuple[int, Features]]:
    """The features of all groups, or of each one, and the number of the first group."""
    merged = ratings if clusters is not None else distinct(ratings, record.needs_coders)
    group = merged.item_group
    apart = bool(record.over_pairs) or clusters is not None or distance.n_chosen is not None
    if ratings.n_groups == 1 or not (apart or (np.diff(group) < 0).any()):
        found = features(record, merged, distance)
        yield 0, found if clusters is None else found.clustered(clusters, group)
        return
    for number in range(ratings.n_groups):
        part, items = _one_group(ratings, number)
        of_group = distance.in_groups(np.array([number]))
        if clusters is not None:
            yield number, features(record, part, of_group).clustered(clusters[items], part.item_group)
        else:
            yield number, features(record, distinct(part, record.needs_coders), of_group)


def _one_group(ratings: Any, group: int) -> tuple[Any, Any]:
    """The ratings of one group, and which items these are."""
    if ratings.n_groups == 1:
        return replace(ratings, group=None), slice(None)
    part, items = only_groups(ratings, np.array([group]))
    return replace(part, group=None, n_groups=1), items


def draw_pairs(
    ratings: Ratings, distance: Distance, keys: list[Any], n_resamples: int, rng: Any
) -> Iterator[tuple[Array, Array]]:
    """Krippendorff's bootstrap of alpha: pairs of labels are drawn from the coincidences, D_e is held fixed.

    25 pairs are drawn for each distinct pair of labels that occurs, at most as many as there are. The pairs of an item
    are not independent, and the number of items hardly matters: the interval may be too narrow or too wide. It
    reproduces published figures.
    """
    entropy = entropy_of(rng)
    for group in range(ratings.n_groups):
        part, _ = only_groups(ratings, np.array([group]))
        statistics = ItemStatistics(part, distance, "label")
        coincidences = statistics.coincidences[0]
        n, margins = coincidences.sum(), coincidences.sum(0)
        distances = statistics.distance.apply(np.eye(len(margins)))
        expected = margins @ distances @ margins / (n * (n - 1)) if n > 1 else 0.0
        if not expected > 0:
            yield np.array([group]), np.full((1, n_resamples), np.nan)
            continue
        n_pairs = min(25 * int((np.triu(coincidences) > 0).sum()), int((part.active_coders()[0] - 1) * n / 2))
        drawn = generator(entropy, keys[group]).multinomial(n_pairs, (coincidences / n).ravel(), size=n_resamples)
        yield np.array([group]), (1 - drawn @ distances.ravel() / (n_pairs * expected))[None]


def _of_scores(
    kernel: ScoreKernel,
    scores: Scores,
    n_resamples: int,
    rng: np.random.Generator,
    clusters: Array | None,
    steps: Steps,
) -> Array:
    """Replicates of a coefficient of scores; items are drawn, or clusters with all their items."""
    unit = np.arange(scores.n_items) if clusters is None else np.unique(clusters, return_inverse=True)[1]
    order, sizes = np.argsort(unit, kind="stable"), np.bincount(unit)
    starts, n = np.cumsum(sizes) - sizes, len(sizes)
    out = np.full(n_resamples, np.nan)
    step = max(1, (MAX_BLOCK // 4) // max(len(scores.item), 1))
    for start in range(0, n_resamples if n > 1 else 0, step):
        size = min(step, n_resamples - start)
        units = rng.integers(0, n, (size, n)).ravel()
        times = sizes[units]
        offset = np.arange(times.sum()) - np.repeat(np.cumsum(times) - times, times)
        items = order[np.repeat(starts[units], times) + offset]
        group = np.repeat(np.repeat(np.arange(size), n), times)
        out[start : start + size] = kernel(scores.take(items, group, size), 0.0).value
        steps.step(size)
    return out
