"""Bootstrap: the same sums with other weights on the items.

A resample of items is a multinomial draw of weights on the distinct items; the sums of all resamples are one matrix
product, and the kernels take them as another leading axis. Resamples are drawn in blocks of bounded memory from a
generator of each group's own, so that neither the size of the blocks nor the order of the groups changes a number.
Only numpy here, and scipy.special where an interval is made.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pandas_agreement.coefficients.chance import expected_by_marginals
from pandas_agreement.coefficients.registry import Coefficient
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.distances import Distance
from pandas_agreement.core.group_blocks import only_groups
from pandas_agreement.core.item_statistics import ItemStatistics
from pandas_agreement.core.pairs import pair_up
from pandas_agreement.core.patterns import distinct
from pandas_agreement.core.ratings import Ratings
from pandas_agreement.core.scores import Scores
from pandas_agreement.core.sums import SufficientStatistics
from pandas_agreement.errors import InputError

Bar = Callable[[Iterable[Any]], Iterable[Any]]

MAX_BLOCK = 1 << 20  # numbers in one block of weights
MAX_UNDEFINED_SHARE = 0.05  # share of undefined resamples above which there is no interval


@dataclass(frozen=True, eq=False)
class Features:
    """What each distinct item adds to the sums: (U, F); and how sums (B, F) become values (B,)."""

    table: Array
    number: Array  # (U,) how often the item (or cluster) occurs
    value: Callable[[Array], Array]

    def clustered(self, clusters: Array) -> Features:
        """Items of a cluster are drawn together."""
        names, where = np.unique(clusters, return_inverse=True)
        table = np.zeros((len(names), self.table.shape[1]))
        np.add.at(table, where, self.table * self.number[:, None])
        return replace(self, table=table, number=np.ones(len(names)))


def entropy_of(rng: Any) -> int:
    """One number that everything random grows from: of a seed, a generator, or none."""
    if rng is None:
        return int(np.random.SeedSequence().entropy)  # type: ignore[arg-type]
    return int.from_bytes(rng.bytes(16), "little") if isinstance(rng, np.random.Generator) else int(rng)


def generator(entropy: int, key: Any) -> np.random.Generator:
    """A generator of a group's own, the same whatever the other groups are."""
    return np.random.default_rng([entropy, zlib.crc32(repr(key).encode())])


def progress_bar() -> Bar:
    """tqdm, or how to get it."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        raise InputError(
            "progress=True needs tqdm. Install it with: pip install 'pandas-agreement[progress]'",
            option="progress",
            code="missing package",
        ) from None
    return lambda things: tqdm(things, disable=None)


# ------------------------------------------------------------------------------------------------------- features


def features(record: Coefficient, ratings: Ratings, distance: Distance) -> Features:
    """The features of one group's items."""
    if record.kind == "pairs":
        return _pair_features(record, ratings, distance)
    statistics = ItemStatistics(ratings, distance, record.unit, record.needs_coders)

    def value(sums: Array) -> Array:
        return record.kernel(*statistics.layout.read(sums, distance)).value

    return Features(statistics.table(slice(0, ratings.n_items)), ratings.weights, value)


def _pair_features(record: Coefficient, ratings: Ratings, distance: Distance) -> Features:
    """The table of every pair of coders, flat; for few coders."""
    pairs, K, rule = pair_up(ratings), ratings.n_categories, record.kernel()
    P = len(pairs.owner)
    if ratings.n_items * P * K * K > 1 << 27:
        raise InputError(
            "a bootstrap over so many pairs of coders is too large",
            "use method='analytic' or 'jackknife'",
            option="method",
            code="too large",
        )
    cells = pairs.ratings
    table = np.zeros((ratings.n_items, P * K * K))
    for column in range(cells.n_items):
        chosen = np.zeros(cells.n_items)
        chosen[column] = 1
        place = (cells.group[column] * K + cells.codes[0][column]) * K + cells.codes[1][column]  # type: ignore[index]
        table[:, place] = pairs.to_items(chosen)

    def value(sums: Array) -> Array:
        tables = sums.reshape(-1, P, K, K)
        n = tables.sum((-1, -2))
        apart = (tables * distance.apply(np.eye(K))).sum((-1, -2))
        coders = np.stack([tables.sum(-1), tables.sum(-2)], -2)  # (B, P, 2, K)
        sums_of = SufficientStatistics(apart, n, lambda: tables.sum(-1), coders)
        expected = np.nan_to_num(expected_by_marginals(sums_of, distance)[0])
        parts = rule.parts(n, np.nan_to_num(sums_of.observed), expected)
        return rule.value(parts.sum(-2))

    return Features(table, ratings.weights, value)


# ---------------------------------------------------------------------------------------------------------- drawing


def replicates(known: Features, n_resamples: int, rng: np.random.Generator) -> Array:
    """Values of the resamples: (B,), NaN where one is undefined."""
    size = int(known.number.sum())
    if size < 2:  # one item or cluster has no resamples but itself
        return np.full(n_resamples, np.nan)
    step = max(1, MAX_BLOCK // max(len(known.number), known.table.shape[1], 1))
    out = np.empty(n_resamples)
    for start in range(0, n_resamples, step):
        stop = min(start + step, n_resamples)
        weights = rng.multinomial(size, known.number / size, size=stop - start)
        out[start:stop] = known.value(weights @ known.table)
    return out


def percentile(values: Array, level: float) -> tuple[float, float]:
    """The middle part of the resamples."""
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def bca(values: Array, level: float, estimate: float, influence: Array, weight: Array) -> tuple[float, float]:
    """Corrected for bias and for a standard error that changes with the value (Efron 1987)."""
    from scipy.special import ndtr, ndtri

    below = (np.mean(values < estimate) + np.mean(values <= estimate)) / 2
    if not 0 < below < 1:
        return percentile(values, level)
    shift = ndtri(below)
    spread = (weight * influence**2).sum() ** 1.5
    acceleration = (weight * influence**3).sum() / (6 * spread) if spread > 0 else 0.0
    ends = shift + ndtri(np.array([(1 - level) / 2, (1 + level) / 2]))
    low, high = np.quantile(values, ndtr(shift + ends / (1 - acceleration * ends)))
    return float(low), float(high)


@dataclass(frozen=True, eq=False)
class Resampled:
    """The interval of each group, and what to say about it."""

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
    u = influence() if method == "bca" else np.zeros(0)
    for group, values in draws:
        defined = values[~np.isnan(values)]
        lost = 1 - len(defined) / max(len(values), 1)
        if np.isnan(estimates[group]):
            continue
        if lost:
            notes[group] = f"{lost:.1%} of the resamples undefined" + (
                "" if lost <= MAX_UNDEFINED_SHARE else ": no interval"
            )
        if lost > MAX_UNDEFINED_SHARE or len(defined) < 2:
            continue
        se[group] = defined.std(ddof=1)
        mine = slice(None) if ratings.group is None else ratings.group == group
        args: tuple[Any, ...] = ()
        if method == "bca":
            own, weight = u[mine], ratings.weights[mine]
            if clusters is not None:  # clusters are drawn, so their influence counts
                own = np.bincount(np.unique(clusters[mine], return_inverse=True)[1], own * weight)
                weight = np.ones(len(own))
            args = estimates[group], own, weight
        low[group], high[group] = bca(defined, level, *args) if args else percentile(defined, level)
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
    """The replicates of each group, group by group."""
    entropy = entropy_of(rng)
    for group in bar(range(ratings.n_groups)):
        part, items = only_groups(ratings, np.array([group])) if ratings.n_groups > 1 else (ratings, slice(None))
        part = replace(part, group=None, n_groups=1)
        source = generator(entropy, keys[group])
        if isinstance(part, Scores):
            together = None if clusters is None else clusters[items]
            yield group, _of_scores(record, part, n_resamples, source, together)
            continue
        known = features(record, part if clusters is not None else distinct(part, record.needs_coders), distance)
        known = known if clusters is None else known.clustered(clusters[items])
        yield group, replicates(known, n_resamples, source)


def draw_pairs(
    ratings: Ratings, distance: Distance, keys: list[Any], n_resamples: int, rng: Any
) -> Iterator[tuple[int, Array]]:
    """Krippendorff's resamples of alpha: pairs of labels drawn from the coincidences, chance held fixed.

    As many pairs as 25 for each different pair of labels that occurs, and no more than there are. Pairs of one item are
    not independent and the number of items hardly counts, so the interval may be too narrow or too wide; it is here to
    reproduce published figures.
    """
    entropy = entropy_of(rng)
    for group in range(ratings.n_groups):
        part, _ = only_groups(ratings, np.array([group]))
        statistics = ItemStatistics(part, distance, "label")
        together = statistics.coincidences[0]
        n, margins = together.sum(), together.sum(0)
        apart = statistics.distance.apply(np.eye(len(margins)))
        expected = margins @ apart @ margins / (n * (n - 1)) if n > 1 else 0.0
        if not expected > 0:
            yield group, np.full(n_resamples, np.nan)
            continue
        pairs = min(25 * int((np.triu(together) > 0).sum()), int((part.active_coders()[0] - 1) * n / 2))
        source = generator(entropy, keys[group])
        drawn = source.multinomial(pairs, (together / n).ravel(), size=n_resamples)
        yield group, 1 - drawn @ apart.ravel() / (pairs * expected)


def _of_scores(
    record: Coefficient,
    scores: Scores,
    n_resamples: int,
    rng: np.random.Generator,
    clusters: Array | None = None,
) -> Array:
    """Coefficients of scores take replicates as groups; items, or clusters with all their items, are drawn."""
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
