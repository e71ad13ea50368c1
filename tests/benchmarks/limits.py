"""The limit: the leanest numpy that turns the user's frame into the same number.

Estimates only: no interval, no check of anything, no category but the ones the workloads have (fifteen at most, fewer
than sixteen labels an item). A yardstick for what the machine can do, not a model for the library.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tests.benchmarks.contestants import REPLICATES, Contestant

Array = NDArray[Any]
Encode = Callable[[int, int], Array]  # rows from, to → codes in a byte, -1 is a gap

BLOCK = 1 << 16  # rows whose codes stay in the cache

# ------------------------------------------------------------------------------------------------- labels to bytes


def encoder(column: pd.Series) -> tuple[Encode, list[Any]]:
    """A function that codes some rows of a column, and its labels (complete once all rows are coded)."""
    values = column.array
    if isinstance(column.dtype, pd.CategoricalDtype):
        codes = values.codes
        return lambda start, stop: codes[start:stop], list(values.categories)
    if isinstance(column.dtype, np.dtype) and column.dtype.kind in "if":
        return _whole_numbers(column.to_numpy())
    return _by_hashing(column.to_numpy() if column.dtype == object else values)


def _whole_numbers(numbers: Array) -> tuple[Encode, list[Any]]:
    """Whole numbers of a short range: the distance from the least is the code."""
    low, high = (int(end.reduce(numbers)) for end in (np.fmin, np.fmax))
    if numbers.dtype == np.int8 and low == 0:
        return lambda start, stop: numbers[start:stop], list(range(high + 1))

    def encode(start: int, stop: int) -> Array:
        part = numbers[start:stop]
        if part.dtype.kind == "f":
            part = np.where(np.isnan(part), low - 1, part)
        codes = np.empty(len(part), np.int8)
        return np.subtract(part, low, out=codes, casting="unsafe")

    return encode, list(range(low, high + 1))


def _by_hashing(values: Any) -> tuple[Encode, list[Any]]:
    """Anything else is hashed, block by block: only the few different labels of a block meet Python."""
    labels: list[Any] = []
    known: dict[Any, int] = {}

    def encode(start: int, stop: int) -> Array:
        codes, found = pd.factorize(values[start:stop])
        for label in found:
            if label not in known:
                known[label] = len(labels)
                labels.append(label)
        return np.array([*(known[label] for label in found), -1], np.int8)[codes]

    return encode, labels


def all_codes(frame: pd.DataFrame, names: Sequence[Any]) -> tuple[list[Array], int]:
    """The columns as bytes and the number of categories, for columns that share them."""
    found = [encoder(frame[name]) for name in names]
    return [encode(0, len(frame)) for encode, _ in found], len(found[0][1])


# ------------------------------------------------------------------------------------------------- two coders


def cells(first: Encode, second: Encode, n: int) -> Array:
    """16 x 16 counts of the codes plus one: row 0 and column 0 hold the gaps.

    Both codes fit in one byte, and two neighbouring bytes are counted as one 16-bit number: half as many steps.
    """
    pairs = np.zeros(1 << 16, np.int64)
    room = np.empty(min(n + n % 2, 4 * BLOCK), np.uint8)
    for start in range(0, n, 4 * BLOCK):
        length = min(n - start, 4 * BLOCK)
        fused = room[: length + length % 2]
        fused[-1] = 0  # an odd end is padded with a gap
        here = fused[:length]
        np.multiply(first(start, start + length).view(np.uint8), np.uint8(16), out=here)
        here += second(start, start + length).view(np.uint8)
        here += np.uint8(17)
        found = np.bincount(fused.view(np.uint16))
        pairs[: len(found)] += found
    square = pairs.reshape(256, 256)
    return (square.sum(0) + square.sum(1)).reshape(16, 16)


def table(frame: pd.DataFrame, names: Sequence[str] = ("c00", "c01")) -> Array:
    """K x K counts of two coders, the same label in the same place."""
    (first, rows), (second, columns) = (encoder(frame[name]) for name in names)
    counts = cells(first, second, len(frame))[1 : len(rows) + 1, 1 : len(columns) + 1]
    if rows == columns:
        return counts
    labels = list(dict.fromkeys([*rows, *columns]))
    square = np.zeros((len(labels), len(labels)), np.int64)
    square[np.ix_([labels.index(x) for x in rows], [labels.index(x) for x in columns])] = counts
    return square


def kappa_of(tables: Array) -> Array:
    """Kappa of (..., K, K) counts."""
    n = tables.sum((-1, -2), dtype=np.float64)
    agreeing = np.einsum("...kk->...", tables)
    chance = np.einsum("...k,...k->...", tables.sum(-1), tables.sum(-2)) / n
    return (agreeing - chance) / (n - chance)


def kappa(frame: pd.DataFrame) -> Array:
    return kappa_of(table(frame))


def kappa_of_few_rows(frame: pd.DataFrame) -> float:
    """Fifty rows: what counts is the number of calls, and plain Python has the cheapest ones."""
    first, second = frame["c00"], frame["c01"]
    if isinstance(first.dtype, pd.CategoricalDtype):
        first, second = first.array.codes, second.array.codes
    cells = Counter(zip(first.tolist(), second.tolist(), strict=True))
    rows: Counter[Any] = Counter()
    columns: Counter[Any] = Counter()
    agreeing = 0
    for (one, other), count in cells.items():
        rows[one] += count
        columns[other] += count
        if one == other:
            agreeing += count
    n = len(frame)
    chance = sum(count * columns[label] for label, count in rows.items()) / n
    return (agreeing - chance) / (n - chance)


def kappa_by_batch(frame: pd.DataFrame) -> Array:
    (first, second), K = all_codes(frame, ("c00", "c01"))
    batch, n_batches = numbered(frame["batch"])
    cell = batch * (K * K)
    cell += first * np.int8(K) + second
    counts = np.bincount(cell, minlength=n_batches * K * K).reshape(n_batches, K, K)
    return kappa_of(counts[counts.any((1, 2))])


def numbered(column: pd.Series) -> tuple[Array, int]:
    """A number for each value of a column, and how many there are; short ranges of integers are that already."""
    if isinstance(column.dtype, np.dtype) and column.dtype.kind == "i":
        values = column.to_numpy()
        low, high = int(values.min()), int(values.max())
        if high - low < 2 * len(values):
            return (values - low if low else values), high - low + 1
    codes, found = pd.factorize(column.array)
    return codes, len(found)


# ------------------------------------------------------------------------------------------------- many coders


def counts_by_category(columns: Sequence[Array], K: int) -> Array:
    """K x n counts in bytes: how many coders gave each item each category."""
    counts = np.zeros((K, len(columns[0])), np.uint8)
    same = np.empty(len(columns[0]), bool)
    for k, count in enumerate(counts):
        for codes in columns:
            np.equal(codes, k, out=same)
            count += same.view(np.uint8)
    return counts


def alpha_of(disagreement: Any, labels: Array) -> Any:
    """Nominal alpha: sums over items of disagreeing pairs / (labels - 1), and the labels in each category (..., K)."""
    n = labels.sum(-1)
    return 1 - disagreement * (n - 1) / (n * n - np.square(labels).sum(-1))


def per_item(counts: Array) -> tuple[Array, Array]:
    """Labels and the sum of squared counts of each item, from K x n bytes."""
    sizes = counts.sum(0, dtype=np.uint8)
    squares = np.zeros(counts.shape[1], np.uint16)
    for count in counts:
        squares += np.multiply(count, count, dtype=np.uint16)
    return sizes, squares


def alpha(frame: pd.DataFrame) -> Any:
    columns, K = all_codes(frame, list(frame))
    most = len(columns) + 1
    items, squares, labels = np.zeros(most), np.zeros(most), np.zeros(K)
    for start in range(0, len(frame), BLOCK):
        part = [codes[start : start + BLOCK] for codes in columns]
        counts = counts_by_category(part, K)
        size, square = per_item(counts)
        items += np.bincount(size, minlength=most)
        squares += np.bincount(size, weights=square, minlength=most)
        labels += counts.sum(1, dtype=np.int64)
        labels -= counts[:, np.flatnonzero(size == 1)].sum(1, dtype=np.int64)
    size = np.arange(2, most)
    return alpha_of(((size**2 * items[2:] - squares[2:]) / (size - 1)).sum(), labels)


def alpha_by_batch(frame: pd.DataFrame) -> Array:
    batch, n_batches = numbered(frame["batch"])
    columns, K = all_codes(frame, [name for name in frame if name != "batch"])
    share = np.array([0, 0, *(1 / (size - 1) for size in range(2, len(columns) + 1))])
    disagreement, labels = np.zeros(n_batches), np.zeros((n_batches, K))
    for start in range(0, len(frame), 2 * BLOCK):
        rows = slice(start, start + 2 * BLOCK)
        counts = counts_by_category([codes[rows] for codes in columns], K)
        size, square = per_item(counts)
        pairs = (np.square(size, dtype=np.uint16) - square) * share[size]
        disagreement += np.bincount(batch[rows], pairs, n_batches)
        counts *= size > 1
        for k in range(K):
            labels[:, k] += np.bincount(batch[rows], counts[k], n_batches)
    return alpha_of(disagreement, labels)[np.bincount(batch, minlength=n_batches) > 0]


def long_counts(frame: pd.DataFrame) -> Array:
    """K x items bytes: each judgment adds one to its cell, wherever it stands."""
    item, n_items = numbered(frame["item"])
    encode, labels = encoder(frame["label"])
    parts = [encode(start, start + BLOCK) for start in range(0, len(frame), BLOCK)]
    counts = np.zeros(len(labels) * n_items, np.uint8)
    for number, codes in enumerate(parts):
        cell = np.multiply(codes, n_items, dtype=np.int64)
        cell += item[number * BLOCK : (number + 1) * BLOCK]
        np.add.at(counts, cell, np.uint8(1))
    return counts.reshape(len(labels), n_items)


def long_sums(frame: pd.DataFrame) -> tuple[Array, Array, Array]:
    """Items, sums of squared counts, and labels in each category, by the number of labels of an item (from 2 on)."""
    counts = long_counts(frame)
    items, squares, labels = np.zeros(16), np.zeros(16), np.zeros((16, len(counts)))
    for start in range(0, counts.shape[1], BLOCK):
        part = counts[:, start : start + BLOCK]
        size, square = per_item(part)
        found = np.bincount(size, minlength=16)
        items += found
        squares += np.bincount(size, weights=square, minlength=16)
        for m in np.flatnonzero(found[2:]) + 2:
            labels[m] += (part * (size == m)).sum(1, dtype=np.int64)
    return items[2:], squares[2:], labels[2:]


SIZES = np.arange(2, 16)


def long_alpha(frame: pd.DataFrame) -> Any:
    items, squares, labels = long_sums(frame)
    return alpha_of(((SIZES**2 * items - squares) / (SIZES - 1)).sum(), labels.sum(0))


def _fleiss(frame: pd.DataFrame) -> tuple[float, Array]:
    """Mean disagreement of an item, and the mean share of each category."""
    items, squares, labels = long_sums(frame)
    disagreement = ((SIZES**2 * items - squares) / (SIZES * (SIZES - 1))).sum() / items.sum()
    return disagreement, (labels / SIZES[:, None]).sum(0) / items.sum()


def long_pi(frame: pd.DataFrame) -> float:
    disagreement, shares = _fleiss(frame)
    return float(1 - disagreement / (1 - np.square(shares).sum()))


def long_ac1(frame: pd.DataFrame) -> float:
    disagreement, shares = _fleiss(frame)
    chance = (1 - np.square(shares).sum()) / (len(shares) - 1)
    return float(1 - disagreement / (1 - chance))


# ------------------------------------------------------------------------------------------------- bootstrap


def ends(replicates: Array) -> Array:
    return np.quantile(replicates, [0.025, 0.975])


def bootstrap_kappa(frame: pd.DataFrame) -> Array:
    """A resample of the items is a multinomial draw of the table."""
    counts = table(frame)
    n, rng = int(counts.sum()), np.random.default_rng(0)
    drawn = rng.multinomial(n, counts.ravel() / n, REPLICATES).reshape(-1, *counts.shape)
    return ends(kappa_of(drawn))


def bootstrap_alpha(frame: pd.DataFrame) -> Array:
    """Items with the same counts are one pattern: a resample is a multinomial draw of the patterns."""
    columns, K = all_codes(frame, list(frame))
    base = len(columns) + 1
    counts = counts_by_category(columns, K)
    key = np.zeros(len(frame), np.int64)
    for count in counts:
        key = key * base + count
    pattern, keys = pd.factorize(key)
    profiles = keys[:, None] // base ** np.arange(K)[::-1] % base  # the counts again, (patterns, K)
    sizes = profiles.sum(1)
    kept = sizes > 1
    weights = np.bincount(pattern)[kept]
    profiles, sizes = profiles[kept].astype(np.float64), sizes[kept]
    pairs = (sizes**2 - np.square(profiles).sum(1)) / (sizes - 1)
    n, rng = int(weights.sum()), np.random.default_rng(0)
    found = []
    for _ in range(0, REPLICATES, 1000):
        drawn = rng.multinomial(n, weights / n, 1000).astype(np.float64)
        found.append(alpha_of(drawn @ pairs, drawn @ profiles))
    return ends(np.concatenate(found))


# ------------------------------------------------------------------------------------------------- numbers, pairs


def interval_alpha(frame: pd.DataFrame) -> float:
    """Squared differences of all pairs from sums and sums of squares, about a point in the middle of the data."""
    columns = [frame[name].to_numpy() for name in frame]
    centre = np.nanmean(columns[0][:1000])
    size, total, square = (np.zeros(len(frame)) for _ in range(3))
    for numbers in columns:
        said = numbers == numbers
        shifted = np.where(said, numbers - centre, 0.0)
        size += said
        total += shifted
        shifted *= shifted
        square += shifted
    kept = size > 1
    size, total, square = size[kept], total[kept], square[kept]
    within = ((size * square - total * total) / (size - 1)).sum()
    n = size.sum()
    return float(1 - within * (n - 1) / (n * square.sum() - total.sum() ** 2))


def icc_a1(frame: pd.DataFrame) -> float:
    """From the mean squares of items, coders and error."""
    values = frame.to_numpy()
    n, k = values.shape
    items, coders = values.mean(1), values.mean(0)
    centre = items.mean()
    of_items = k * np.square(items - centre).sum() / (n - 1)
    of_coders = n * np.square(coders - centre).sum() / (k - 1)
    error = np.square(values - items[:, None] - coders + centre).sum() / ((n - 1) * (k - 1))
    return float((of_items - error) / (of_items + (k - 1) * error + k * (of_coders - error) / n))


def _bits_by_table(words: Array) -> Array:
    return BITS[words.view(np.uint16)]


BITS = np.unpackbits(np.arange(1 << 16, dtype=np.uint16).view(np.uint8).reshape(-1, 2), axis=1).sum(1, dtype=np.uint8)
bits_set: Callable[[Array], Array] = getattr(np, "bitwise_count", _bits_by_table)  # numpy 2 has it


def packed(sets: Array) -> Array:
    """Rows of booleans as 64-bit words."""
    room = -sets.shape[1] % 64
    return np.packbits(np.pad(sets, ((0, 0), (0, room))), axis=1).view(np.uint64)


def pairwise_kappa(frame: pd.DataFrame) -> Array:
    """Kappa of every pair, first pairs first: a coder's use of a category is a set of items, and sets are bits."""
    columns, K = all_codes(frame, list(frame))
    codes = np.stack(columns)
    coders = len(codes)
    said = packed(codes >= 0)
    items, agreeing, chance = (np.zeros((coders, coders)) for _ in range(3))
    for i in range(coders):
        items[i] = bits_set(said & said[i]).sum(1, dtype=np.int64)
    for k in range(K):
        chose = packed(codes == k)
        beside = np.zeros((coders, coders))  # how often coder i said k where coder j said anything
        for i in range(coders):
            agreeing[i, i:] += bits_set(chose[i:] & chose[i]).sum(1, dtype=np.int64)
            beside[i] = bits_set(said & chose[i]).sum(1, dtype=np.int64)
        chance += beside * beside.T
    chance /= items
    return ((agreeing - chance) / (items - chance))[np.triu_indices(coders, 1)]


LIMITS = {
    "two coders": [Contestant("limit", "limit", "kappa", kappa)],
    "long": [
        Contestant("limit", "limit", "alpha", long_alpha),
        Contestant("limit", "limit", "pi", long_pi),
        Contestant("limit", "limit", "ac1", long_ac1),
    ],
    "wide": [Contestant("limit", "limit", "alpha", alpha)],
    "three coders": [Contestant("limit", "limit", "alpha", alpha)],
    "ICC": [Contestant("limit", "limit", "icc_a1", icc_a1)],
    "groups, kappa": [Contestant("limit", "limit", "kappa", kappa_by_batch)],
    "groups, alpha": [Contestant("limit", "limit", "alpha", alpha_by_batch)],
    "bootstrap, kappa": [Contestant("limit", "limit", "interval of kappa", bootstrap_kappa, draws=REPLICATES)],
    "bootstrap, alpha": [Contestant("limit", "limit", "interval of alpha", bootstrap_alpha, draws=REPLICATES)],
    "interval": [Contestant("limit", "limit", "alpha", interval_alpha)],
    "pairs": [Contestant("limit", "limit", "kappa", pairwise_kappa)],
    "short": [Contestant("limit", "limit", "kappa", kappa_of_few_rows)],
}
