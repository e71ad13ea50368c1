"""Interval alpha from the numbers themselves: item statistics without categories or codes.

The distance between two numbers is the square of their difference, so all sums over pairs of labels are sums of powers
over labels. `WideValues` hold one array of numbers per coder; `Scores` have the same methods. Only numpy here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property, reduce

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.category_counts import SparseCounts, blocks, group_sum, spread
from pandas_agreement.core.distances import Distance, Points
from pandas_agreement.core.item_statistics import ItemStatistics
from pandas_agreement.core.ratings import CountRatings, LongRatings, Ratings, WideRatings
from pandas_agreement.core.scores import Scores, ascending, span
from pandas_agreement.core.sums import SufficientStatistics, divide, power_of_two

MIN_CATEGORIES = 1000  # fewer are counted, whatever the number of groups
SOME_ITEMS = 1000  # whose labels tell whether labels are equal so seldom that they need not be counted
MAX_TABLE = 1 << 20  # entries of a table of groups and categories; instead of a larger one the numbers are summed


@dataclass(frozen=True, eq=False)
class Powers:
    """Sums over labels; x is a label minus the centre of its group, in its unit."""

    square: Array  # (I,) of x^2
    disagreement: Array  # (I,) mean squared difference of two labels, exactly 0 for equal ones
    fourth: Array  # (G,) of x^4


@dataclass(frozen=True, eq=False)
class WideValues(Ratings):
    """One array of numbers per coder, all of one length; NaN is a missing label."""

    columns: tuple[Array, ...] = ()

    @property
    def n_items(self) -> int:
        return len(self.columns[0])

    @cached_property
    def sizes(self) -> Array:
        out = np.zeros(self.n_items, np.int64)
        for rows in blocks(self.n_items):
            count = np.zeros(rows.stop - rows.start, np.min_scalar_type(self.n_coders))
            for column in self.columns:
                part = column[rows]
                count += part == part
            out[rows] = count
        return out

    def select(self, items: Array) -> WideValues:
        chosen = replace(self, columns=tuple(column[items] for column in self.columns), **self._kept(items))
        chosen.__dict__["sizes"] = self.sizes[items]
        return chosen

    def without(self, coder: int) -> WideValues:
        columns = tuple(column for number, column in enumerate(self.columns) if number != coder)
        return replace(self, n_coders=self.n_coders - 1, columns=columns)

    @cached_property
    def _active(self) -> Array:
        return (self.coder_totals().sum(-1) > 0).sum(-1)

    def coder_totals(self) -> Array:
        """Labels of each coder that equal one of them, and all others: (G, C, 2)."""
        return self._coder_totals

    @cached_property
    def _coder_totals(self) -> Array:
        out = np.zeros((self.n_groups, self.n_coders, 2))
        for coder, column in enumerate(self.columns):
            if self.group is None and self.weight is None:
                out[0, coder] = _same_and_others(column)
                continue
            rated = np.flatnonzero(column == column)
            group, weight = self.item_group[rated], self.weights[rated]
            out[:, coder] = same_and_others(column[rated], group, weight, self.n_groups)
        return out

    @cached_property
    def _scale(self) -> tuple[Array, Array, Array, Array]:
        """The unit, the smallest label, the mean above it and the range of each group: (G,) each."""
        low, high = np.full(self.n_groups, np.inf), np.full(self.n_groups, -np.inf)
        for column in self.columns:
            self._extend(column, low, high)
        low, high = (np.where(high >= low, end, 0.0) for end in (low, high))
        with np.errstate(over="ignore"):
            unit = power_of_two(high - low)
        start = low / unit
        total, number = np.zeros(self.n_groups), np.zeros(self.n_groups)
        for rows, sums in self._totals(unit, start):
            group = None if self.group is None else self.group[rows]
            weight = np.ones(1) if self.weight is None else self.weight[rows]
            total += group_sum(weight * sums, group, self.n_groups)
            number += group_sum(weight * self.sizes[rows], group, self.n_groups)
        return unit, start, np.nan_to_num(divide(total, number)), high / unit - start

    def _extend(self, column: Array, low: Array, high: Array) -> None:
        """Extend the range of each group by the labels of one coder."""
        if self.group is None:
            low[0] = np.fmin(low[0], np.fmin.reduce(column, initial=np.inf))
            high[0] = np.fmax(high[0], np.fmax.reduce(column, initial=-np.inf))
            return
        np.fmin.at(low, self.group, column)
        np.fmax.at(high, self.group, column)

    def _below_largest(self, unit: Array, *origin: Array) -> Iterator[tuple[slice, Array, list[Array]]]:
        """Blocks of items: the largest label of each from an origin, and for each coder how far the label is below it.

        In units of the group. A gap is 0. The origin is a sum, of which no part is rounded to the precision of another.
        """
        plain = bool((unit == 1).all())
        for rows in blocks(self.n_items, 1 << 14):
            group = None if self.group is None else self.group[rows]
            labels = [column[rows] if plain else column[rows] / spread(unit, group) for column in self.columns]
            largest = reduce(np.fmax, labels)
            below = [np.fmin(label - largest, 0.0) for label in labels]
            for part in origin:
                largest = largest - spread(part, group)
            yield rows, np.where(self.sizes[rows] > 0, largest, 0.0), below

    def _totals(self, unit: Array, *origin: Array) -> Iterator[tuple[slice, Array]]:
        """Blocks of items, and the sum of the labels of each from an origin."""
        for rows, largest, below in self._below_largest(unit, *origin):
            yield rows, self.sizes[rows] * largest + sum(below)

    def item_totals(self) -> Array:
        """Sum of the labels of each item from the centre of its group, in its unit: (I,)."""
        out = np.empty(self.n_items)
        for rows, sums in self._totals(*self._scale[:3]):
            out[rows] = sums
        return out

    def powers(self) -> Powers:
        square, disagreement, fourths = np.empty(self.n_items), np.empty(self.n_items), np.zeros(self.n_groups)
        for rows, largest, below in self._below_largest(*self._scale[:3]):
            r, (one, two, three, four) = self.sizes[rows].astype(float), _sums_of_powers(below)
            disagreement[rows] = mean_squared_difference(one, two, r)
            square[rows] = two + largest * (2 * one + largest * r)
            fourth = four + largest * (4 * three + largest * (6 * two + largest * (4 * one + largest * r)))
            group = None if self.group is None else self.group[rows]
            weighted = fourth if self.weight is None else fourth * self.weight[rows]
            fourths += group_sum(weighted, group, self.n_groups)
        return Powers(square, disagreement, fourths)

    def range_of_groups(self) -> Array:
        """Range of the labels of each group, in its unit: (G,)."""
        return self._scale[3]

    def ties(self) -> Array:
        """Sum over the different labels of each group of their squared number: (G,).

        Of many labels some are looked at first: if no two of them are equal, so few are that it does not matter.
        """
        if self.group is None and self.weight is None:
            step = self.n_items // SOME_ITEMS
            if step > 1 and all_differ(_sorted_labels(self.columns, step)):
                return np.array([float(self.sizes.sum())])
            return squared_runs(_sorted_labels(self.columns))
        parts = [(column, np.flatnonzero(column == column)) for column in self.columns]
        value = np.concatenate([column[rated] for column, rated in parts])
        item = np.concatenate([rated for _, rated in parts])
        return _ties(value, self.item_group[item], self.weights[item], self.n_groups)


def _sorted_labels(columns: Sequence[Array], step: int = 1) -> Array:
    """The labels of every `step`-th item in ascending order: (N,)."""
    ordered = np.sort(np.concatenate([column[::step] for column in columns]))  # NaN comes last
    return ordered[: len(ordered) - np.count_nonzero(ordered != ordered)]


def _sums_of_powers(numbers: Sequence[Array]) -> Array:
    """The sums of the first four powers of the numbers of each item: (4, I)."""
    out = np.zeros((4, len(numbers[0])))
    for number in numbers:
        power = number.copy()
        for total in out:
            total += power
            power *= number
    return out


def mean_squared_difference(total: Array, square: Array, r: Array) -> Array:
    """Mean squared difference of two of r numbers, from their sum and that of their squares: (I,), 0 for one number."""
    return 2 * np.maximum(square - total * total / np.maximum(r, 1), 0.0) / np.maximum(r - 1, 1)


def _same_and_others(column: Array) -> tuple[int, int]:
    """How many numbers equal the first of them, and how many do not."""
    first = next((part[part == part][0] for part in np.split(column, [1000]) if (part == part).any()), np.nan)
    n = int(np.count_nonzero(column == column))
    same = int(np.count_nonzero(column == first))
    return same, n - same


def same_and_others(value: Array, owner: Array, weight: Array, n: int) -> Array:
    """Weight of the values that equal the last one of their owner, and of all others: (n, 2)."""
    one = np.zeros(n)
    one[owner] = value
    same = value == one[owner]
    return np.stack([np.bincount(owner, weight * part, minlength=n) for part in (same, ~same)], -1)


def all_differ(ordered: Array) -> bool:
    return bool((ordered[1:] != ordered[:-1]).all())


def squared_runs(ordered: Array) -> Array:
    """Sum of the squared lengths of the runs of equal values: (1,)."""
    if all_differ(ordered):
        return np.array([float(len(ordered))])
    edges = np.flatnonzero(ordered[1:] != ordered[:-1]) + 1
    return np.array([(np.diff(np.r_[0, edges, len(ordered)]).astype(float) ** 2).sum()])


def _ties(value: Array, owner: Array, weight: Array, n: int) -> Array:
    order = ascending(owner, value)
    value, owner, weight = value[order], owner[order], weight[order]
    new = np.r_[True, (value[1:] != value[:-1]) | (owner[1:] != owner[:-1])][: len(value)]
    number = np.bincount(np.cumsum(new) - 1, weight) if len(value) else np.zeros(0)
    return np.bincount(owner[new], number**2, minlength=n)


class LongValues(Scores):
    """Numbers as (item, coder, value), sorted by item."""

    def coder_totals(self) -> Array:
        """Labels of each coder that equal one of them, and all others; coders of a group from 0: (G, C, 2)."""
        cell = same_and_others(self.value, self.cell, self.weights[self.item], len(self.cell_owner))
        first = np.searchsorted(self.cell_owner, np.arange(self.n_groups))
        width = self.n_coders if self.group is None else int(self._active.max(initial=0))
        place = self.cell_coder if self.group is None else np.arange(len(cell)) - first[self.cell_owner]
        out = np.zeros((self.n_groups, width, 2))
        out[self.cell_owner, place] = cell
        return out

    @cached_property
    def _from_centre(self) -> Array:
        """Labels minus the mean of their group: (N,)."""
        x = self.centred
        if self.weight is None:
            return x
        return x - divide(self.sum(self.per_item(x)), self.sum(self.sizes.astype(float)))[self.owner]

    def item_totals(self) -> Array:
        return self.per_item(self._from_centre)

    def powers(self) -> Powers:
        x, first = self._from_centre, np.zeros(self.n_items)
        first[self.item[::-1]] = x[::-1]
        difference = x - first[self.item]
        sums = self.per_item(difference), self.per_item(difference**2)
        disagreement = mean_squared_difference(*sums, self.sizes)
        return Powers(self.per_item(x**2), disagreement, self.sum(self.per_item(x**4)))

    def range_of_groups(self) -> Array:
        return span(self.scaled, self.owner, self.n_groups)

    def ties(self) -> Array:
        step = len(self.value) // SOME_ITEMS
        if step > 1 and self.weight is None and self.group is None and all_differ(np.sort(self.value[::step])):
            return np.array([float(len(self.value))])
        return _ties(self.value, self.owner, self.weights[self.item], self.n_groups)


def item_counts(values: WideValues) -> tuple[SparseCounts, Array]:
    """How many coders gave an item each number: codes are positions in the second array, the numbers of the items.

    The number of categories is that of different numbers, or that of coders if there are more.
    """
    table = np.sort(np.stack(values.columns, -1), axis=1)  # (I, C), gaps last
    first = table == table
    first[:, 1:] &= table[:, 1:] != table[:, :-1]
    item, place = np.nonzero(first)
    last = np.r_[item[1:] != item[:-1], True][: len(item)]
    number = np.where(last, values.sizes[item], np.r_[place[1:], 0][: len(item)]) - place
    few = len(np.unique(table[:SOME_ITEMS])) <= values.n_coders + 1  # NaN is one
    n = len(np.unique(table[first])) if few else values.n_coders
    return SparseCounts(item, np.arange(len(item)), number, values.n_items, n), table[first]


def numbers_as_labels(ratings: Ratings) -> Ratings:
    """Scores as labels that are compared as numbers; all other ratings as they are."""
    if type(ratings) is not Scores:
        return ratings
    return LongValues(*(getattr(ratings, each.name) for each in fields(Scores)))


Values = WideValues | LongValues


@dataclass(frozen=True, eq=False)
class ValueSums(SufficientStatistics):
    """Sums over items of numbers; `totals` are unknown, as numbers are not categories."""

    labels: Array = None  # type: ignore[assignment]  # (...) number of labels
    total: Array = None  # type: ignore[assignment]  # (...) of the labels
    square: Array = None  # type: ignore[assignment]  # (...) of their squares

    @cached_property
    def size(self) -> Array:
        return self.labels

    @property
    def mean_distance(self) -> Array:
        """Mean squared difference of two labels drawn with replacement: (...)."""
        return 2 * np.maximum(divide(self.square, self.labels) - divide(self.total, self.labels) ** 2, 0.0)


class ValueLayout:
    """The statistics of an item: its weight, its disagreement times this weight, and three sums over its labels."""

    size = 5
    with_pairs = False
    n_coders = 0

    def read(self, sums: Array, distance: Distance) -> tuple[ValueSums, Distance]:
        """Sums of statistics (..., size) as a kernel takes them."""
        paired, apart, labels, total, square = np.moveaxis(sums, -1, 0)
        return ValueSums(apart, paired, _no_totals, labels=labels, total=total, square=square), distance


def _no_totals() -> Array:
    raise TypeError("numbers have no categories")


class ValueStatistics(ItemStatistics):
    """The statistics of items of numbers, for interval alpha."""

    ratings: Values
    layout = ValueLayout()  # type: ignore[assignment]

    @cached_property
    def powers(self) -> Powers:
        return self.ratings.powers()

    @property
    def totals(self) -> Array:
        """Labels of each group that equal one of them, and all others: (G, 2)."""
        several = self.ratings.range_of_groups() > 0
        labels = self.sums.labels
        return np.stack([np.where(several, labels - 1, labels), several], -1)

    @cached_property
    def disagreement(self) -> Array:
        return self.powers.disagreement

    @cached_property
    def item_totals(self) -> Array:
        return self.ratings.item_totals()

    @cached_property
    def sums(self) -> ValueSums:
        return self.layout.read(self._summed(), self.distance)[0]

    def _summed(self) -> Array:
        ratings, paired, sizes = self.ratings, self.paired, self.ratings.sizes
        columns = paired, paired * self.disagreement, sizes, self.powers.square
        paired, apart, labels, square = map(ratings.sum, columns)
        return np.stack([paired, apart, labels, np.zeros(ratings.n_groups), square], -1)  # labels are centred

    def _columns(self, items: slice) -> tuple[Array, ...]:
        paired, sizes = self.paired[items], self.ratings.sizes[items].astype(float)
        return paired, paired * self.disagreement[items], sizes, self.item_totals[items], self.powers.square[items]

    def table(self, items: slice) -> Array:
        return np.stack(self._columns(items), -1)

    def sparse_table(self) -> Array:
        return self.table(slice(0, self.ratings.n_items))

    def slope(self, by_observed: Array, by_totals: Array | None = None, by_coders: Array | None = None) -> Array:
        """Derivative of a value by the weight of each item; `by_totals` is that by the expected disagreement (G,)."""
        slope = super().slope(by_observed)
        if by_totals is None:
            return slope
        sums, group = self.sums, self.ratings.group
        n = np.where(sums.labels > 1, sums.labels, np.nan)
        per_square, per_label = by_totals * 2 / (n - 1), -by_totals * sums.mean_distance * n / (n - 1) ** 2
        return slope + spread(per_square, group) * self.powers.square + spread(per_label, group) * self.ratings.sizes

    def full_disagreement(self) -> Array:
        """Largest squared difference of two labels of each group, 1 if all are equal: (G,)."""
        widest = self.ratings.range_of_groups()
        return np.where(widest > 0, widest**2, 1.0)

    def fourth_moment(self) -> Array:
        """Mean fourth power of the labels about the mean of their group: (G,)."""
        return divide(self.powers.fourth, self.sums.labels)

    def ties(self) -> Array:
        """Probability that two labels drawn with replacement are equal: (G,)."""
        return divide(self.ratings.ties(), self.sums.labels**2)


def statistics_of(ratings: Ratings, distance: Distance, unit: str = "item", coders: bool = False) -> ItemStatistics:
    """The statistics of items of labels, or of numbers."""
    if isinstance(ratings, (WideValues, LongValues)):
        return ValueStatistics(ratings, distance, unit)
    return ItemStatistics(ratings, distance, unit, coders)


def as_values(ratings: Ratings, distance: Distance) -> Ratings:
    """Coded ratings as numbers, if a table of groups and categories would be large and differences are squared."""
    points = distance.points if isinstance(distance, Points) else None
    if points is None or points.shape[1:] != (1,) or distance.bounded or distance.n_chosen is not None:
        return ratings
    if ratings.n_categories < MIN_CATEGORIES or ratings.n_groups * ratings.n_categories <= MAX_TABLE:
        return ratings
    value, sizes = np.append(points[:, 0], np.nan), (ratings.n_coders, 0, ratings.n_groups)
    if isinstance(ratings, WideRatings):
        return WideValues(*sizes, ratings.group, ratings.weight, tuple(value[code] for code in ratings.codes))
    long = ratings.as_long() if isinstance(ratings, CountRatings) else ratings
    if not isinstance(long, LongRatings):
        return ratings
    own = long.by_item
    labels = own.item, own.coder, value[own.code]
    return LongValues(*sizes, own.group, own.weight, *labels, own.n_items, True, own.identified)
