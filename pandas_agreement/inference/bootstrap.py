"""Bootstrap: resamples of the items, and intervals from them.

A resample is a multinomial draw of weights on the distinct items of a group. The sums of all resamples are one matrix
product, and the kernels take the resamples as leading axis. Resamples are drawn in blocks of bounded memory, from one
generator per group: neither the size of the blocks nor the order of the groups changes a number. Only numpy here, and
scipy for BCa and for sums over many categories.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from pandas_agreement.coefficients.pairs import over_pairs, pair_terms
from pandas_agreement.coefficients.registry import Coefficient, ScoreKernel
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.category_counts import blocks
from pandas_agreement.core.classes import dataclass
from pandas_agreement.core.contingency import distinct
from pandas_agreement.core.distances import Distance
from pandas_agreement.core.item_statistics import ItemStatistics, statistics_of
from pandas_agreement.core.pairs import pair_up
from pandas_agreement.core.progress import NO_BAR, Steps
from pandas_agreement.core.ratings import Ratings
from pandas_agreement.core.scores import Scores
from pandas_agreement.core.selection import clusters_of, only_groups
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
    """The statistics of the distinct items of a group, and the coefficient as a function of their sums."""

    table: Any  # (U, F) one row of statistics per item (or cluster), an array or sparse
    number: Array  # (U,) how often the item (or cluster) occurs
    value: Callable[[Array], Array]  # sums of resamples (..., F) -> values (...)

    def sums(self, n_resamples: int, rng: np.random.Generator) -> Array:
        """The sums of some resamples: (b, F)."""
        weights = _weights(np.rint(self.number).astype(np.int64), n_resamples, rng)
        if isinstance(self.table, np.ndarray):
            return weights @ self.table
        return (self.table.T @ weights.T.astype(float, copy=False)).T

    def clustered(self, clusters: Array) -> Features:
        """The features of clusters, which are drawn as a whole."""
        from scipy.sparse import csr_array

        owner, cluster = np.unique(clusters, return_inverse=True)
        sums = csr_array((self.number, (cluster, np.arange(len(cluster)))), shape=(len(owner), len(cluster)))
        return replace(self, table=sums @ self.table, number=np.ones(len(owner)))


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
    """The features of the items of one group."""
    if record.over_pairs:
        return _pair_features(record, ratings, distance)
    statistics = statistics_of(ratings, distance, record.unit, record.needs_coders)

    def value(sums: Array) -> Array:
        return record.kernel(*statistics.layout.read(sums, distance)).value

    layout, n = statistics.layout, ratings.n_items
    sparse = n * layout.size > MAX_DENSE_SIZE and not layout.with_pairs
    table = statistics.sparse_table() if sparse else statistics.table(slice(0, n))
    return Features(table, ratings.weights, value)


def _pair_features(record: Coefficient, ratings: Ratings, distance: Distance) -> Features:
    """The statistics of an item in the tables of all pairs of coders, pair by pair; for few coders."""
    pairs = pair_up(ratings)
    cells, tables = pairs.ratings, ItemStatistics(pairs.ratings, distance, coders=True)
    layout, P = tables.layout, len(pairs.owner)
    if ratings.n_items * P * layout.size > MAX_PAIR_TABLE:
        problem = "the bootstrap is too large for this number of pairs of coders"
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
    return Features(flat, ratings.weights, value)


def replicates(items: Features, n_resamples: int, rng: np.random.Generator, steps: Steps = NO_BAR) -> Array:
    """Values of the resamples: (B,), NaN where one is undefined."""
    n_distinct, size = len(items.number), int(items.number.sum())
    if size < 2:  # the only resample of one item or cluster is itself
        steps.step(n_resamples)
        return np.full(n_resamples, np.nan)
    drawn = size if _item_by_item(n_distinct, size) else n_distinct
    step = max(1, MAX_BLOCK // max(drawn, items.table.shape[1], 1))
    out = np.empty(n_resamples)
    for rows in blocks(n_resamples, step):
        out[rows] = items.value(items.sums(len(out[rows]), rng))
        steps.step(len(out[rows]))
    return out


def percentile(values: Array, level: float) -> Array:
    """Percentile interval: the central share `level` of the resampled values."""
    return np.quantile(values, [(1 - level) / 2, (1 + level) / 2])


def bca(values: Array, level: float, estimate: float, acceleration: float) -> Array:
    """BCa interval: percentiles corrected for bias and acceleration (Efron 1987)."""
    from scipy.special import ndtr, ndtri

    ties = np.isclose(values, estimate, rtol=ROUNDING, atol=ROUNDING)
    below = np.where(ties, 0.5, values < estimate).mean()
    if not 0 < below < 1:
        return percentile(values, level)
    bias = ndtri(below)
    ends = bias + ndtri([(1 - level) / 2, (1 + level) / 2])
    with np.errstate(invalid="ignore"):  # a value or an influence may be infinite
        places = ndtr(bias + ends / (1 - acceleration * ends))
        return np.quantile(values, places) if np.isfinite(places).all() else percentile(values, level)


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
    draws: Iterable[tuple[int, Array]],
    clusters: Array | None = None,
) -> Resampled:
    """Intervals from the replicates of each group."""
    se, low, high = (np.full(ratings.n_groups, np.nan) for _ in range(3))
    lost = np.zeros(ratings.n_groups)
    accelerations = acceleration(ratings, influence(), clusters) if method == "bca" else None
    for group, values in draws:
        defined = values[~np.isnan(values)]
        lost[group] = 0.0 if np.isnan(estimates[group]) else 1 - len(defined) / len(values)
        if np.isnan(estimates[group]) or lost[group] > MAX_UNDEFINED_SHARE or len(defined) < 2:
            continue
        se[group] = defined.std(ddof=1)
        if accelerations is None:
            low[group], high[group] = percentile(defined, level)
        else:
            low[group], high[group] = bca(defined, level, estimates[group], accelerations[group])
    return Resampled(se, low, high, lost)


def draw(
    record: Coefficient,
    ratings: Ratings,
    distance: Distance,
    keys: list[Any],
    n_resamples: int,
    rng: Any,
    clusters: Array | None = None,
    steps: Steps = NO_BAR,
) -> Iterator[tuple[int, Array]]:
    """Each group and its replicates: (B,)."""
    entropy = entropy_of(rng)
    ratings = ratings if clusters is not None else distinct(ratings, record.needs_coders)
    for group in range(ratings.n_groups):
        part, items = _one_group(ratings, group)
        own, generated = None if clusters is None else clusters[items], generator(entropy, keys[group])
        if record.of_scores is not None:
            yield group, _of_scores(record.of_scores, part, n_resamples, generated, own, steps)
            continue
        part = part if clusters is not None else distinct(part, record.needs_coders)
        found = features(record, part, distance.in_groups(np.array([group])))
        yield group, replicates(found if own is None else found.clustered(own), n_resamples, generated, steps)


def _one_group(ratings: Any, group: int) -> tuple[Any, Any]:
    """The ratings of one group, and which items these are."""
    if ratings.n_groups == 1:
        return replace(ratings, group=None), slice(None)
    part, items = only_groups(ratings, np.array([group]))
    return replace(part, group=None, n_groups=1), items


def draw_pairs(
    ratings: Ratings, distance: Distance, keys: list[Any], n_resamples: int, rng: Any
) -> Iterator[tuple[int, Array]]:
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
            yield group, np.full(n_resamples, np.nan)
            continue
        n_pairs = min(25 * int((np.triu(coincidences) > 0).sum()), int((part.active_coders()[0] - 1) * n / 2))
        drawn = generator(entropy, keys[group]).multinomial(n_pairs, (coincidences / n).ravel(), size=n_resamples)
        yield group, 1 - drawn @ distances.ravel() / (n_pairs * expected)


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
