"""Numeric ratings (scores) and sums over them. Only numpy here.

`Scores` hold one entry (item, coder, value) per score, sorted by item, and never a table of items times coders.
`ScorePairs` holds the scores of the items that two coders have in common, for all pairs of coders at once. Scores are
centred within their group or pair before they are squared, so that a large offset costs no precision, and numbers of a
very large or small range are divided by it.

Shapes: I items, C coders, G groups, N scores, M cells (the coders of each group), P pairs of coders, B pairs of scores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from pandas_agreement.core.arrays import Array, ranges
from pandas_agreement.core.category_counts import coder_pairs_within, group_sum, renumber, spread
from pandas_agreement.core.classes import dataclass
from pandas_agreement.core.progress import count_steps
from pandas_agreement.core.ratings import Ratings, WideRatings
from pandas_agreement.core.sums import divide, power_of_two
from pandas_agreement.errors import InputError

MAX_REPEATED = 10**7  # items that a table of frequencies may stand for
BYTES_PER_SCORE = 150
MAX_PAIRS = 1 << 20  # pairs of scores at a time, or those of two coders if these have more

Found = TypeVar("Found")
R = TypeVar("R", bound=Ratings)


@dataclass(frozen=True, eq=False)
class Scores(Ratings):
    """Scores with their items and coders; an item belongs to one group and has at most one score per coder."""

    item: Array  # (N,) ascending
    coder: Array  # (N,)
    value: Array  # (N,) finite
    total_items: int
    numbered: bool = False  # items come as numbers, some of which may belong to no item
    identified: bool = True  # else coders are numbers within each item

    @classmethod
    def from_columns(
        cls, columns: Sequence[Array], group: Array | None = None, n_groups: int = 1, weight: Array | None = None
    ) -> Scores:
        """From one array per coder, NaN for a missing score.

        >>> Scores.from_columns([np.array([1.0, 2.0]), np.array([np.nan, 3.0])]).value
        array([1., 2., 3.])
        """
        table = np.stack([np.asarray(column, float) for column in columns], -1)  # (I, C)
        n_items, n_coders = table.shape
        rated, value = table == table, table.ravel()
        if rated.all():
            item, coder = np.repeat(np.arange(n_items), n_coders), np.tile(np.arange(n_coders), n_items)
        else:
            item, coder = np.nonzero(rated)
            value = table[rated]
        _check_finite(item, coder, value)
        return cls(n_coders, 0, n_groups, group, weight, item, coder, value, n_items)

    @classmethod
    def from_triples(
        cls, item: Array, coder: Array, value: Array, n_coders: int, group: Array | None = None, n_groups: int = 1
    ) -> Scores:
        """From one entry per score in any order, NaN for a missing score; `group` has one number per item."""
        rated = ~np.isnan(value)
        item, coder, value = item[rated], coder[rated], np.asarray(value[rated], float)
        if np.any(item[1:] < item[:-1]):
            order = np.argsort(item, kind="stable")
            item, coder, value = item[order], coder[order], value[order]
        _check_finite(item, coder, value)
        n_items = int(item.max(initial=-1)) + 1 if group is None else len(group)
        return cls(n_coders, 0, n_groups, group, None, item, coder, value, n_items, numbered=True)

    @property
    def n_items(self) -> int:
        return self.total_items

    def per_group(self, values: Array) -> Array:
        """Sum over the scores of each group: (N,) -> (G,)."""
        return group_sum(values, None if self.group is None else self.owner, self.n_groups)

    def per_item(self, values: Array) -> Array:
        """Sum over the scores of each item: (N,) -> (I,)."""
        if self.is_table:
            return np.einsum("ij->i", values.reshape(-1, self.n_coders))
        return np.bincount(self.item, values, minlength=self.n_items)

    def squares_per_item(self, values: Array) -> Array:
        """Sum of their squares over the scores of each item: (N,) -> (I,)."""
        if self.is_table:
            table = values.reshape(-1, self.n_coders)
            return np.einsum("ij,ij->i", table, table)
        return np.bincount(self.item, values * values, minlength=self.n_items)

    def first_of_items(self, values: Array) -> Array:
        """That of the first score of each item: (N,) -> (I,), any for an item without a score."""
        return values.take(np.cumsum(self.sizes) - self.sizes, mode="clip") if len(values) else np.zeros(self.n_items)

    def per_cell(self, values: Array) -> Array:
        """Sum over the scores of each coder in each group: (N,) -> (M,)."""
        if self.is_table:
            return np.einsum("ij->j", values.reshape(-1, self.n_coders))
        return np.bincount(self.cell, values, minlength=len(self.cell_owner))

    def minus_items(self, values: Array, of_items: Array) -> Array:
        """Differences to a number of each item: (N,), (I,) -> (N,)."""
        if self.is_table:
            return (values.reshape(-1, self.n_coders) - of_items[:, None]).ravel()
        return values - of_items[self.item]

    def subtract_cells(self, values: Array, of_cells: Array) -> None:
        """Subtract a number of each coder in each group, in place: (N,), (M,)."""
        if self.is_table:
            values.reshape(-1, self.n_coders)[:] -= of_cells
        else:
            values -= of_cells[self.cell]

    def over_cells(self, values: Array) -> Array:
        """Sum over the coders of each group: (M,) -> (G,)."""
        return np.bincount(self.cell_owner, values, minlength=self.n_groups)

    @cached_property
    def memory(self) -> dict[Any, Any]:
        """Results that several coefficients share; none of them refers to the scores."""
        return {}

    @cached_property
    def is_table(self) -> bool:
        """Whether the scores of one group are a table of items times coders, row by row: several times faster."""
        every = np.arange(self.n_coders)
        full = self.group is None and 0 < len(self.item) == self.n_items * self.n_coders
        return full and bool((self.coder.reshape(-1, self.n_coders) == every).all())

    @cached_property
    def owner(self) -> Array:
        """The group of each score: (N,)."""
        return np.zeros(len(self.item), np.int64) if self.group is None else self.group[self.item]

    @cached_property
    def sizes(self) -> Array:
        """Number of scores of each item: (I,)."""
        if self.is_table:
            return np.full(self.n_items, self.n_coders)
        return np.bincount(self.item, minlength=self.n_items)

    def coder_totals(self) -> Array:
        """Number of scores of each coder in each group: (G, C, 1)."""
        shape = self.n_groups, self.n_coders, 1
        weight = None if self.weight is None else self.weight[self.item]
        cell = self.owner * self.n_coders + self.coder
        return np.bincount(cell, weight, minlength=self.n_groups * self.n_coders).reshape(shape)

    @cached_property
    def _cells(self) -> tuple[Array, Array]:
        """The pair (group, active coder) of each score, and these pairs as ascending numbers."""
        if self.is_table:
            return self.coder, np.arange(self.n_coders)
        if self.group is None:
            return renumber(self.coder, self.n_coders)
        return renumber(self.owner * np.int64(self.n_coders) + self.coder, self.n_groups * self.n_coders)

    @property
    def cell(self) -> Array:
        return self._cells[0]

    @cached_property
    def cell_owner(self) -> Array:
        """The group of each cell: (M,)."""
        return self._cells[1] // max(self.n_coders, 1)

    @cached_property
    def cell_coder(self) -> Array:
        """The coder of each cell: (M,)."""
        return self._cells[1] % max(self.n_coders, 1)

    @cached_property
    def cell_sizes(self) -> Array:
        if self.is_table:
            return np.full(self.n_coders, self.n_items)
        return np.bincount(self.cell, minlength=len(self.cell_owner))

    @cached_property
    def _active(self) -> Array:
        return np.bincount(self.cell_owner, minlength=self.n_groups)

    @cached_property
    def unit(self) -> Array:
        """What the scores of each group are divided by before anything is squared: (G,), 1 for ordinary numbers."""
        with np.errstate(over="ignore"):
            return power_of_two(span(self.value, self.owner, self.n_groups))

    @cached_property
    def scaled(self) -> Array:
        """Scores in the unit of their group: (N,)."""
        return self.value if (self.unit == 1).all() else self.value / self.unit[self.owner]

    @cached_property
    def centred(self) -> Array:
        """Scaled scores minus the mean of their group: (N,), exactly 0 where all are equal."""
        return centre(self.scaled, self.owner, self.n_groups)[0]

    @cached_property
    def item_means(self) -> Array:
        """Mean of the centred scores of each item: (I,), 0 without a score."""
        return np.nan_to_num(divide(self.per_item(self.centred), self.sizes))

    @cached_property
    def whole(self) -> Array:
        """Items with a score of every active coder of their group: (I,) of bool."""
        return (self.sizes > 0) & (self.sizes == spread(self.active_coders(), self.group))

    @cached_property
    def complete(self) -> Array:
        """Groups without a missing score: (G,) of bool; an item without any score does not count."""
        return self.n_incomplete == 0

    @property
    def n_incomplete(self) -> Array:
        """Items of each group with some scores but not all: (G,)."""
        return self.sum(((self.sizes > 0) & ~self.whole).astype(float))

    def select(self, items: Array) -> Scores:
        """Only these items (a boolean array)."""
        if items.all():
            return self
        rest, number = self._only(np.flatnonzero(items[self.item])), np.cumsum(items) - 1
        return replace(rest, item=number[rest.item], total_items=int(items.sum()), **self._kept(items))

    def without_constant_coders(self) -> Scores:
        """Without the scores of coders who gave all items of a group the same score."""
        varies = span(self.value, self.cell, len(self.cell_owner)) > 0
        return self._only(varies[self.cell])

    def without(self, coder: int) -> Scores:
        rest = self._only(self.coder != coder)
        return replace(rest, n_coders=self.n_coders - 1, coder=rest.coder - (rest.coder > coder))

    def _only(self, chosen: Array) -> Scores:
        """Some of the scores, with the numbers of their items."""
        return replace(self, item=self.item[chosen], coder=self.coder[chosen], value=self.value[chosen])

    def select_groups(self, groups: Array) -> Scores:
        """Only these groups (a boolean array), renumbered."""
        if groups.all():
            return self
        chosen = self.select(groups[self.item_group])
        return replace(chosen, group=(np.cumsum(groups) - 1)[chosen.item_group], n_groups=int(groups.sum()))

    def take(self, chosen: Array, group: Array, n_groups: int) -> Scores:
        """The items with these numbers, some of them several times, each in a given group."""
        return replace(self.at(chosen), group=group, n_groups=n_groups)

    def at(self, items: Array) -> Scores:
        times, starts = self.sizes[items], np.cumsum(self.sizes) - self.sizes
        rest = self._only(ranges(starts[items], times))
        item = np.repeat(np.arange(len(items)), times)
        return replace(rest, item=item, total_items=len(items), **self._kept(items))

    @cached_property
    def cell_ranks(self) -> Array:
        """Rank of each score among those of its coder in its group: (N,)."""
        return average_ranks(self.cell, self.scaled)

    def pairs(self) -> ScorePairs:
        """The scores of every two coders on their common items; with two coders one pair per group."""
        return self._paired(*coder_pairs_within(self.item, self.coder))

    def _paired(self, one: Array, two: Array) -> ScorePairs:
        """From the positions of the two scores of each pair, that of the coder with the lower number first."""
        owner, n = self.owner[one], self.n_coders
        if n == 2:
            every = np.arange(self.n_groups)
            return ScorePairs(every, np.zeros_like(every), np.ones_like(every), self, one, two, owner)
        start = int(self.coder[one].min(initial=0))
        width = int(self.coder[one].max(initial=0)) + 1 - start
        key = (owner * width + self.coder[one] - start) * n + self.coder[two]
        pair, keys = renumber(key, self.n_groups * width * n)
        return ScorePairs(keys // (n * width), keys // n % width + start, keys % n, self, one, two, pair)

    @property
    def n_score_pairs(self) -> int:
        """Number of pairs of scores of the same item."""
        return int((self.sizes * (self.sizes - 1) // 2).sum())

    @property
    def surely_paired(self) -> bool:
        """Whether every coder scored more than half of the items of each group: any two then share an item."""
        items = self.sum(np.ones(self.n_items))
        many = 2 * self.cell_sizes > items[self.cell_owner]
        return bool((self.over_cells(many.astype(float)) == self.n_coders).all())

    def pair_blocks(self) -> Iterator[ScorePairs]:
        """The same in blocks of pairs of coders, so that memory does not grow with their number."""
        if self.n_coders == 2:
            yield self.pairs()
            return
        if self.n_score_pairs <= MAX_PAIRS:
            yield self.pairs()
            return
        if not ((self.item[1:] > self.item[:-1]) | (self.coder[1:] >= self.coder[:-1])).all():
            order = np.lexsort((self.coder, self.item))
            scores: dict[str, Any] = {name: getattr(self, name)[order] for name in ("item", "coder", "value")}
            yield from replace(self, **scores).pair_blocks()
            return
        item, coder = self.item, self.coder
        later = np.cumsum(self.sizes, dtype=np.int32)[item]  # partners of each first score
        later -= np.arange(1, len(item) + 1, dtype=np.int32)
        number = np.bincount(coder, later, minlength=self.n_coders)  # of pairs, by their first coder
        block = np.cumsum(number) // MAX_PAIRS
        small = coder.astype(np.min_scalar_type(self.n_coders))  # quicker to sort
        place = np.argsort(small, kind="stable")  # of the scores of each coder, ascending by item
        ends = np.concatenate([[0], np.cumsum(np.bincount(coder, minlength=self.n_coders))])
        for coders in np.split(np.arange(self.n_coders), np.flatnonzero(np.diff(block)) + 1):
            chosen = place[ends[coders[0]] : ends[coders[-1] + 1]]
            if len(coders) > 1 or number[coders[0]] <= 2 * MAX_PAIRS:
                yield self._paired(np.repeat(chosen, later[chosen]), ranges(chosen + 1, later[chosen]))
                continue
            step = max(1, MAX_PAIRS // len(chosen))
            for start in range(coders[0] + 1, self.n_coders, step):  # one coder with few others at a time
                two = place[ends[start] : ends[min(start + step, self.n_coders)]]
                at = np.minimum(np.searchsorted(item[chosen], item[two]), len(chosen) - 1)
                same = item[chosen[at]] == item[two]
                yield self._paired(chosen[at[same]], two[same])


def _check_finite(item: Array, coder: Array, value: Array) -> None:
    finite = np.isfinite(value)
    if not finite.all():
        first = int(np.argmin(finite))
        problem = f"coder {int(coder[first])} gave item {int(item[first])} the value {value[first]}"
        remedy = "replace it with a number, or with NaN for a missing value"
        raise InputError(f"ratings must be finite numbers, but {problem}", remedy)


@dataclass(frozen=True, eq=False)
class CoderPairs:
    """Pairs of coders within groups: (P,) each."""

    owner: Array  # the group
    first: Array
    second: Array

    @property
    def n_pairs(self) -> int:
        return len(self.owner)

    def mean_over_pairs(self, values: Array, n_groups: int) -> Array:
        """Unweighted mean over the pairs of each group that have a value: (P,) -> (G,)."""
        defined = ~np.isnan(values)
        total = np.bincount(self.owner[defined], values[defined], minlength=n_groups)
        return divide(total, np.bincount(self.owner[defined], minlength=n_groups))


@dataclass(frozen=True, eq=False)
class ScorePairs(CoderPairs):
    """Pairs of scores of the same item, and the pair of coders of each."""

    scores: Scores
    one: Array  # (B,) position of the score of the first coder
    two: Array  # (B,)
    pair: Array  # (B,)

    @cached_property
    def x(self) -> Array:
        """Scaled score of the first coder: (B,)."""
        return self.scores.scaled[self.one]

    @cached_property
    def y(self) -> Array:
        return self.scores.scaled[self.two]

    def ranks(self) -> tuple[Array, Array]:
        """Of the scores among those of the same pair: (B,) each; without gaps those of the coder."""
        scores, n = self.scores, self.sizes
        sizes = (scores.cell_sizes[scores.cell[of_coder]] for of_coder in (self.one, self.two))
        if all((size == n[self.pair]).all() for size in sizes):
            return scores.cell_ranks[self.one], scores.cell_ranks[self.two]
        return average_ranks(self.pair, self.x), average_ranks(self.pair, self.y)

    def as_scores(self) -> Scores:
        """The same as scores of two coders, in one group for each pair."""
        n, value = len(self.one), np.stack([self.scores.value[self.one], self.scores.value[self.two]], -1).ravel()
        sizes = 2, 0, self.n_pairs, self.pair, None
        return Scores(*sizes, np.repeat(np.arange(n), 2), np.tile(np.arange(2), n), value, n)

    def sum(self, values: Array) -> Array:
        """Sum over the items of each pair: (B,) -> (P,)."""
        return np.bincount(self.pair, values, minlength=self.n_pairs)

    @cached_property
    def sizes(self) -> Array:
        return np.bincount(self.pair, minlength=self.n_pairs).astype(float)


def over_pairs(
    scores: Scores, kernel: Callable[[ScorePairs], Found], progress: bool = False
) -> tuple[CoderPairs, Found]:
    """What a kernel finds for each pair of coders, block by block: a dataclass of (P,) arrays."""
    blocks = []
    with count_steps(progress, scores.n_score_pairs) as steps:
        for part in scores.pair_blocks():
            blocks.append((CoderPairs(part.owner, part.first, part.second), kernel(part)))
            steps.step(len(part.one))
    if len(blocks) == 1:
        return blocks[0]
    pairs = _joined([pair for pair, _ in blocks])
    order = np.lexsort((pairs.second, pairs.first, pairs.owner))
    return _joined([pairs], order), _joined([found for _, found in blocks], order)


def _joined(parts: Sequence[Any], order: Array | slice = slice(None)) -> Any:
    """Dataclasses of arrays below each other."""
    names = [field.name for field in fields(parts[0])]
    return type(parts[0])(*(np.concatenate([getattr(part, name) for part in parts])[order] for name in names))


def centre(value: Array, owner: Array, n: int) -> tuple[Array, Array]:
    """Values minus the mean of their owner (group, cell or pair): (N,), and those means: (n,).

    One value of each owner is subtracted first: equal values become exactly 0, and an offset costs no precision.
    """
    if n == 1 and len(value):
        shifted = value - value[-1]
        mean = shifted.mean(keepdims=True)
        shifted -= mean
        return shifted, value[-1:] + mean
    start = np.zeros(n)
    start[owner] = value
    shifted = value - start[owner]
    mean = divide(np.bincount(owner, shifted, minlength=n), np.bincount(owner, minlength=n))
    return shifted - mean[owner], start + mean


def span(value: Array, owner: Array, n: int) -> Array:
    """Range of the values of each owner: (n,), 0 without a value."""
    if n == 1 and len(value):
        return np.array([value.max() - value.min()])
    top, bottom = np.full(n, -np.inf), np.full(n, np.inf)
    np.maximum.at(top, owner, value)
    np.minimum.at(bottom, owner, value)
    return np.where(top >= bottom, top, 0.0) - np.where(top >= bottom, bottom, 0.0)


def average_ranks(owner: Array, value: Array) -> Array:
    """Rank of each value among those of its owner, from 1; ties have their mean rank.

    >>> average_ranks(np.array([0, 0, 0, 1]), np.array([5.0, 3.0, 5.0, 9.0]))
    array([2.5, 1. , 2.5, 1. ])
    """
    order = ascending(owner, value)
    owners, values = owner[order], value[order]
    starts = np.flatnonzero(np.r_[True, (owners[1:] != owners[:-1]) | (values[1:] != values[:-1])][: len(order)])
    stops = np.r_[starts[1:], len(order)]
    before = np.searchsorted(owners, owners[starts])  # values of earlier owners
    ranks = np.empty(len(order))
    ranks[order] = np.repeat((starts + stops + 1) / 2 - before, stops - starts)
    return ranks


def ascending(owner: Array, value: Array) -> Array:
    """Positions of the values, by owner and then by value."""
    return np.argsort(value) if (owner == owner[:1]).all() else np.lexsort((value, owner))


def as_scores(ratings: Ratings, numbers: Array) -> Scores:
    """The numeric values of coded ratings; NaN is a missing score."""
    if isinstance(ratings, WideRatings):
        padded = np.append(numbers, np.nan)  # code -1 is a missing label
        columns = [padded[code] for code in ratings.codes]
        return Scores.from_columns(columns, ratings.group, ratings.n_groups, ratings.weight)
    long = ratings.as_long()
    triples = long.item, long.coder, numbers[long.code]
    scores = Scores.from_triples(*triples, long.n_coders, long.item_group, long.n_groups)
    return replace(scores, weight=long.weight, identified=long.identified)


def item_by_item(ratings: R) -> R:
    """An item with weight w as w items, of which there can be too many."""
    n_items = ratings.n_items if ratings.weight is None else float(ratings.weight.sum())
    if n_items > max(MAX_REPEATED, ratings.n_items):
        gigabytes = n_items * ratings.n_coders * BYTES_PER_SCORE / 1e9
        problem = f"scores are taken item by item, and {n_items:,.0f} items would need about {gigabytes:,.0f} GB"
        remedy = (
            "take a part of the items, or coefficients of the table: kappa(weights='quadratic') is close to icc_a1, "
        )
        remedy += "and alpha(level='interval') to icc_1"
        raise InputError(problem, remedy, code="too large")
    return ratings.repeated()
