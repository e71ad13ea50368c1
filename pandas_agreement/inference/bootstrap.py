"""Bootstrap: resamples of the items, and intervals from them.

A resample is a multinomial draw of weights on the distinct items. The sums of all resamples are one matrix product,
and the kernels take resamples as a leading axis. Resamples are drawn in blocks of bounded memory, from one generator
per group: neither the size of the blocks nor the order of the groups changes a number. Only numpy here, and
scipy.special for BCa.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pandas_agreement.coefficients.pairwise_kappa import PairStatistics
from pandas_agreement.coefficients.registry import Coefficient
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.distances import Distance
from pandas_agreement.core.group_blocks import only_groups
from pandas_agreement.core.item_statistics import ItemStatistics
from pandas_agreement.core.pairs import pair_up
from pandas_agreement.core.patterns import distinct
from pandas_agreement.core.ratings import Ratings
from pandas_agreement.core.scores import Scores
from pandas_agreement.errors import InputError

Bar = Callable[[Iterable[Any]], Iterable[Any]]

MAX_BLOCK = 1 << 20  # entries of one block of resampled weights
MAX_PAIR_TABLE = 1 << 27  # entries of the tables of all items and pairs of coders
ROUNDING = 1e-9  # resampled values this close to the estimate are equal to it
MAX_UNDEFINED_SHARE = 0.05  # share of undefined resamples above which there is no interval


@dataclass(frozen=True, eq=False)
class Features:
    """The statistics of each distinct item, and the coefficient as a function of their sums."""

    table: Array  # (U, F) one row of statistics per item (or cluster)
    number: Array  # (U,) how often the item (or cluster) occurs
    value: Callable[[Array], Array]  # sums of resamples (B, F) -> values (B,)

    def clustered(self, clusters: Array) -> Features:
        """The features of clusters, which are drawn as a whole."""
        names, cluster = np.unique(clusters, return_inverse=True)
        table = np.zeros((len(names), self.table.shape[1]))
        np.add.at(table, cluster, self.table * self.number[:, None])
        return replace(self, table=table, number=np.ones(len(names)))


def entropy_of(rng: Any) -> int:
    """The seed of all generators of a call, from a seed, a generator or None."""
    if rng is None:
        return int(np.random.SeedSequence().entropy)  # type: ignore[arg-type]
    return int.from_bytes(rng.bytes(16), "little") if isinstance(rng, np.random.Generator) else int(rng)


def generator(entropy: int, key: Any) -> np.random.Generator:
    """The generator of one group; it does not depend on the other groups."""
    return np.random.default_rng([entropy, zlib.crc32(repr(key).encode())])


def progress_bar() -> Bar:
    """A progress bar of tqdm; an error that names the package to install without it."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        problem = "progress=True needs tqdm. Install it with: pip install 'pandas-agreement[progress]'"
        raise InputError(problem, option="progress", code="missing package") from None
    return lambda things: tqdm(things, disable=None)


def features(record: Coefficient, ratings: Ratings, distance: Distance) -> Features:
    """The features of one group's items."""
    if record.kind == "pairs":
        return _pair_features(record, ratings, distance)
    statistics = ItemStatistics(ratings, distance, record.unit, record.needs_coders)

    def value(sums: Array) -> Array:
        return record.kernel(*statistics.layout.read(sums, distance)).value

    return Features(statistics.table(slice(0, ratings.n_items)), ratings.weights, value)


def _pair_features(record: Coefficient, ratings: Ratings, distance: Distance) -> Features:
    """The statistics of an item are its entries in the tables of all pairs of coders, flat; for few coders."""
    pairs, K, rule = pair_up(ratings), ratings.n_categories, record.kernel()
    P = len(pairs.owner)
    if ratings.n_items * P * K * K > MAX_PAIR_TABLE:
        problem = "a bootstrap over so many pairs of coders is too large"
        raise InputError(problem, "use method='analytic' or 'jackknife'", option="method", code="too large")
    cells = pairs.ratings
    column = (cells.item_group * K + cells.codes[0]) * K + cells.codes[1]
    table = np.zeros((ratings.n_items, P * K * K))
    for cell in range(cells.n_items):
        table[:, column[cell]] = pairs.to_items((np.arange(cells.n_items) == cell).astype(float))

    def value(resampled: Array) -> Array:
        found = PairStatistics.of_tables(resampled.reshape(-1, P, K, K), distance)
        return rule.value(rule.parts(found.but_nan()).sum(-2))

    return Features(table, ratings.weights, value)


def replicates(items: Features, n_resamples: int, rng: np.random.Generator) -> Array:
    """Values of the resamples: (B,), NaN where one is undefined."""
    size = int(items.number.sum())
    if size < 2:  # the only resample of one item or cluster is itself
        return np.full(n_resamples, np.nan)
    step = max(1, MAX_BLOCK // max(len(items.number), items.table.shape[1], 1))
    out = np.empty(n_resamples)
    for start in range(0, n_resamples, step):
        stop = min(start + step, n_resamples)
        weights = rng.multinomial(size, items.number / size, size=stop - start)
        out[start:stop] = items.value(weights @ items.table)
    return out


def percentile(values: Array, level: float) -> tuple[float, float]:
    """Percentile interval: the central share `level` of the resampled values."""
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def bca(values: Array, level: float, estimate: float, influence: Array, weight: Array) -> tuple[float, float]:
    """BCa interval: percentiles corrected for bias and acceleration (Efron 1987)."""
    from scipy.special import ndtr, ndtri

    ties = np.isclose(values, estimate, rtol=ROUNDING, atol=ROUNDING)
    below = np.mean(np.where(ties, 0.5, values < estimate))
    if not 0 < below < 1:
        return percentile(values, level)
    bias = ndtri(below)
    scale = (weight * influence**2).sum() ** 1.5
    acceleration = (weight * influence**3).sum() / (6 * scale) if scale > 0 else 0.0
    ends = bias + ndtri(np.array([(1 - level) / 2, (1 + level) / 2]))
    places = ndtr(bias + ends / (1 - acceleration * ends))
    if not np.isfinite(places).all():  # a value or an influence is infinite
        return percentile(values, level)
    low, high = np.quantile(values, places)
    return float(low), float(high)


@dataclass(frozen=True, eq=False)
class Resampled:
    """Standard error and interval of each group (G,), and the notes of single groups."""

    se: Array
    low: Array
    high: Array
    notes: dict[int, str]


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
    notes: dict[int, str] = {}
    influences = influence() if method == "bca" else np.zeros(0)
    for group, values in draws:
        defined = values[~np.isnan(values)]
        undefined = 1 - len(defined) / max(len(values), 1)
        if np.isnan(estimates[group]):
            continue
        if undefined:
            no_interval = ": no interval" if undefined > MAX_UNDEFINED_SHARE else ""
            notes[group] = f"{undefined:.1%} of the resamples undefined{no_interval}"
        if undefined > MAX_UNDEFINED_SHARE or len(defined) < 2:
            continue
        se[group] = defined.std(ddof=1)
        if method != "bca":
            low[group], high[group] = percentile(defined, level)
            continue
        items = slice(None) if ratings.group is None else ratings.group == group
        by_unit, weight = influences[items], ratings.weights[items]
        if clusters is not None:  # clusters are resampled: the influence of a cluster is the sum of its items'
            by_unit = np.bincount(np.unique(clusters[items], return_inverse=True)[1], by_unit * weight)
            weight = np.ones(len(by_unit))
        low[group], high[group] = bca(defined, level, estimates[group], by_unit, weight)
    return Resampled(se, low, high, notes)


def draw(
    record: Coefficient,
    ratings: Ratings,
    distance: Distance,
    keys: list[Any],
    n_resamples: int,
    rng: Any,
    clusters: Array | None = None,
    bar: Bar = iter,
) -> Iterator[tuple[int, Array]]:
    """The numbers of the groups, and the replicates of each."""
    entropy = entropy_of(rng)
    for group in bar(range(ratings.n_groups)):
        part, items = only_groups(ratings, np.array([group])) if ratings.n_groups > 1 else (ratings, slice(None))
        part = replace(part, group=None, n_groups=1)
        group_clusters, of_group = None if clusters is None else clusters[items], distance.in_groups(np.array([group]))
        group_rng = generator(entropy, keys[group])
        if isinstance(part, Scores):
            yield group, _of_scores(record, part, n_resamples, group_rng, group_clusters)
        elif group_clusters is None:
            merged = features(record, distinct(part, record.needs_coders), of_group)
            yield group, replicates(merged, n_resamples, group_rng)
        else:
            yield group, replicates(features(record, part, of_group).clustered(group_clusters), n_resamples, group_rng)


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
    record: Coefficient, scores: Scores, n_resamples: int, rng: np.random.Generator, clusters: Array | None
) -> Array:
    """Replicates of a coefficient of scores, each as one group; items are drawn, or clusters with all their items."""
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
        out[start : start + size] = record.kernel(scores.take(items, group, size), 0.95).value
    return out
