"""Tests of whether a coder agrees less with the others than these do among themselves, for any overlap of coders.

Two sources on disjoint items. Items with three or more labels: given the labels of an item, who gave which is random if
coders are alike, so difficult items are no coder's fault. Items with two labels: a coder's items are compared with
their neighbours in row order, in blocks, because an item of two labels has no others to compare with. Means, variances
and third moments are exact under exchange within items, and within blocks. Only numpy here, and scipy.

Shapes: N labels, I items with two labels, B blocks of these, G groups, C coders of a group, M = G C cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property

import numpy as np

from pandas_agreement.core.arrays import Array, number_within
from pandas_agreement.core.category_counts import sum_rows
from pandas_agreement.core.classes import dataclass
from pandas_agreement.core.quantiles import chi2_test, gamma_tail, t_tail
from pandas_agreement.core.sums import divide

BLOCK = 6  # items with two labels that are compared with each other
MAX_REGRESSED = 200  # coders of a group; of more, partners are not adjusted for
MAX_VALUES = 1 << 20  # entries of a table at a time
MAX_PAIRED = 10**7  # items with two labels that frequencies may stand for; of more, a part is used
MIN_SORTED = 20  # labels of a coder that tell whether the rows are sorted by them
SEED = 29


@dataclass(frozen=True, eq=False)
class CoderGaps:
    """Labels and their distances from the others of their items."""

    item: Array  # (N,) ascending
    cell: Array  # (N,) the coder within a group
    value: Array  # (N,) category code or score
    apart: Array  # (N,) sum of the distances from the other labels of the item
    weight: Array  # (N,) how often the item occurs
    n_coders: int  # C
    n_groups: int
    between: Callable[[Array, Array, Array], Array]  # distances of two arrays of values in a group

    @cached_property
    def size(self) -> Array:
        """Labels of each label's item: (N,)."""
        return np.bincount(self.item, minlength=1)[self.item].astype(float)

    @property
    def mean_apart(self) -> Array:
        return self.apart / np.maximum(self.size - 1, 1)

    def of_items(self, values: Array) -> Array:
        """The mean over the labels of each label's item: (N,) -> (N,)."""
        return np.bincount(self.item, values, minlength=1)[self.item] / self.size

    def total(self, values: Array, used: Array) -> Array:
        """Weighted sum over the labels in use of each cell: (N,) -> (M,)."""
        return np.bincount(
            self.cell, np.where(used, values, 0.0) * self.weight, minlength=self.n_coders * self.n_groups
        )

    def without(self, cells: Array) -> CoderGaps:
        """The groups of these cells, at most one of each group, without the labels of the cells: (M,) of bool."""
        groups = cells.reshape(self.n_groups, self.n_coders).max(1, initial=False)
        left = groups[self.cell // self.n_coders] & ~cells[self.cell]
        gone = np.flatnonzero(cells[self.cell])
        place = np.full(int(self.item.max(initial=0)) + 1, -1)
        place[self.item[gone]] = gone
        lost = place[self.item[left]]
        value, cell = self.value[left], self.cell[left]
        away = np.where(lost < 0, 0.0, self.between(value, self.value[lost], cell // self.n_coders))
        item, weight = self.item[left], self.weight[left]
        return replace(self, item=item, cell=cell, value=value, apart=self.apart[left] - away, weight=weight)


@dataclass(frozen=True, eq=False)
class GapEvidence:
    """What one kind of items says about each cell: (M,)."""

    n_items: Array
    own: Array  # mean disagreement of the coder with the others
    gap: Array  # how much more that is than the disagreement of the others
    variance: Array
    third: Array  # third central moment
    information: Array

    @classmethod
    def none(cls, n_cells: int) -> GapEvidence:
        return cls(*np.zeros((6, n_cells)))

    def scaled(self, weight: Array) -> GapEvidence:
        """Times a weight."""
        moments = weight * self.own, weight * self.gap, weight**2 * self.variance, weight**3 * self.third
        return GapEvidence(self.n_items, *moments, self.information)

    def __add__(self, other: GapEvidence) -> GapEvidence:
        names = self.__dataclass_fields__
        return GapEvidence(*(getattr(self, name) + getattr(other, name) for name in names))


@dataclass(frozen=True, eq=False)
class GapTest:
    """One value per cell, of all items together: (G, C)."""

    n_items: Array
    n_two: Array  # items with two labels
    own: Array
    gap: Array
    variance: Array
    weight: Array  # of the items with three or more labels
    batches: Array  # p-value of pairs of coders who disagree more often than their coders would
    p_value: Array  # one-sided: the coder disagrees more; NaN without variance


def gap_test(compared: CoderGaps) -> GapTest:
    """Test whether coders disagree more with the others than these do among themselves.

    Examples
    --------
    Three coders and six items; the third always differs from the other two, who agree.

    >>> apart, item = np.tile([1.0, 1.0, 2.0], 6), np.repeat(np.arange(6), 3)
    >>> labels = np.tile([0, 0, 1], 6)
    >>> test = gap_test(CoderGaps(item, np.tile(np.arange(3), 6), labels, apart, np.ones(18), 3, 1, None))
    >>> test.gap
    array([[-0.5, -0.5,  1. ]])
    >>> test.p_value.round(4)  # exact: (1/3)^6 = .0014 for the third
    array([[0.968 , 0.968 , 0.0011]])
    """
    within, (between, batches, df) = _within(compared), _between(compared)
    weight = np.nan_to_num(divide(within.information, within.information + between.information))
    one, two = within.scaled(weight), between.scaled(1 - weight)
    both = one + two
    varied = both.variance > 1e-12 / np.maximum(both.n_items, 1) ** 2
    se = np.sqrt(np.where(varied, both.variance, 1.0))
    p = np.where(varied, gamma_tail(both.gap / se, both.third / se**3), np.nan)
    batches, df = (np.repeat(values, compared.n_coders) for values in (batches, df))
    doubtful = (batches < 0.1) & (two.variance > one.variance)
    p = np.where(doubtful, np.fmax(p, t_tail(both.gap / se, df)), p)
    known = (within.n_items + between.n_items) > 0
    own, gap = (np.where(known, values, np.nan) for values in (both.own, both.gap))
    found = both.n_items, between.n_items, own, gap, np.where(varied, both.variance, np.nan), weight, batches, p
    return GapTest(*(values.reshape(compared.n_groups, compared.n_coders) for values in found))


def _within(compared: CoderGaps) -> GapEvidence:
    """Items with three or more labels.

    With own mean a, mean b of the others' pairs and mean A of all pairs of r labels, A = (2 a + (r - 2) b) / r, so
    a - b = (a - A) r / (r - 2), and A is the mean of a over the labels of the item.
    """
    r, a = compared.size, compared.mean_apart
    used = r >= 3
    z = np.where(used, (a - compared.of_items(a)) * divide(r, r - 2), 0.0)
    n, own, gap = (compared.total(values, used) for values in (np.ones(len(r)), a, z))
    variance, third = (compared.total(compared.of_items(z**power), used) for power in (2, 3))
    spread = compared.total(np.where(used, divide(r, (r - 1) * (r - 2)), 0.0), used)
    safe = np.maximum(n, 1)
    parts = own / safe, gap / safe, variance / safe**2, third / safe**3, np.nan_to_num(divide(n**2, spread))
    return GapEvidence(n, *parts)


# ----------------------------------------------------------------------------------------- items with two labels


@dataclass(frozen=True, eq=False)
class Paired:
    """Items with two labels in blocks of neighbours; blocks of a group are together."""

    one: Array  # (I,) the cells of the two labels
    two: Array
    apart: Array  # (I,) distance of the two labels
    block: Array  # (I,) ascending from 0
    group: Array  # (I,)
    n_coders: int  # C
    n_groups: int

    @cached_property
    def size(self) -> Array:
        """Items of each block: (B,)."""
        return np.bincount(self.block)

    @cached_property
    def start(self) -> Array:
        """First item of each block: (B,)."""
        return np.cumsum(self.size) - self.size

    @cached_property
    def centred(self) -> Array:
        """Distance minus the mean of the block: (I,)."""
        return self.apart - (self.sums(self.apart) / self.size)[self.block]

    def sums(self, values: Array) -> Array:
        """Over the items of each block: (I, ...) -> (B, ...)."""
        return np.add.reduceat(values, self.start, axis=0) if len(self.start) else values[:0]

    def moments(self) -> tuple[Array, Array]:
        """What the square and the cube of a block's coefficients are multiplied by: (B,) each."""
        m = self.size
        square = self.sums(self.centred**2) / np.maximum(m - 1, 1)
        return square, self.sums(self.centred**3) * m / np.maximum((m - 1) * (m - 2), 1)

    def of(self, items: Array) -> Paired:
        """Some whole blocks: (I,) of bool."""
        block = np.unique(self.block[items], return_inverse=True)[1]
        one, two, apart, group = (values[items] for values in (self.one, self.two, self.apart, self.group))
        return Paired(one, two, apart, block, group, self.n_coders, self.n_groups)


def _between(compared: CoderGaps) -> tuple[GapEvidence, Array, Array]:
    """Items with two labels; p-value and degrees of freedom of the test of pairs of each group."""
    nothing = GapEvidence.none(compared.n_coders * compared.n_groups)
    batches, df = np.full((2, compared.n_groups), np.nan)
    paired = _paired(compared)
    if paired is None:
        return nothing, batches, df
    shape = compared.n_groups, compared.n_coders
    number = (np.bincount(np.append(paired.one, paired.two), minlength=shape[0] * shape[1]) > 0).reshape(shape).sum(1)
    crowd = (number > MAX_REGRESSED)[paired.group]
    parts = [] if not crowd.any() else [_in_crowd(paired.of(crowd))]
    for part in _batches(paired.of(~crowd)):
        source, *tested = _regressed(part)
        parts.append(source)
        for values, found in zip((batches, df), tested, strict=True):
            values[:] = np.where(np.isnan(found), values, found)
    return sum(parts, nothing), batches, df


def _paired(compared: CoderGaps) -> Paired | None:
    """The items with two labels of groups with three or more coders, in blocks; None without any."""
    C = compared.n_coders
    labels = np.flatnonzero(compared.size == 2)
    here = np.bincount(compared.cell[labels], minlength=C * compared.n_groups).reshape(-1, C)
    labels = labels[((here > 0).sum(1) > 2)[compared.cell[labels] // C]]
    if not len(labels):
        return None
    one, two = labels[::2], labels[1::2]  # items are ascending
    group = compared.cell[one] // C
    times = compared.weight[one]
    shuffled = np.zeros(compared.n_groups, bool)
    shuffled[group[times != 1]] = True
    shuffled |= _sorted_by_labels(compared, labels)
    total = times.sum()
    times = np.rint(times * min(1.0, MAX_PAIRED / total)).astype(np.int64)
    one, two, group = (np.repeat(values, times) for values in (one, two, group))
    order = np.argsort(group, kind="stable")
    within = number_within(group[order])
    draws = np.random.default_rng(SEED).random(int(within.max(initial=0)) + 1)  # the same as without other groups
    key = np.where(shuffled[group[order]], draws[within], within)
    order = order[np.lexsort((key, group[order]))]
    one, two, group = one[order], two[order], group[order]
    number = np.bincount(group, minlength=compared.n_groups)
    blocks = np.where(number > 0, np.maximum(number // BLOCK, 1), 0)
    block = within * blocks[group] // number[group] + (np.cumsum(blocks) - blocks)[group]
    cells = compared.cell[one], compared.cell[two]
    return Paired(*cells, compared.mean_apart[one], block, group, C, compared.n_groups)


def _sorted_by_labels(compared: CoderGaps, labels: Array) -> Array:
    """Groups in which the rows are sorted by the labels of a coder, so that neighbours are chosen by them: (G,)."""
    order = labels[np.argsort(compared.cell[labels], kind="stable")]
    cell, code = compared.cell[order], np.unique(compared.value[order], return_inverse=True)[1]
    change = np.diff(cell, prepend=-1) != 0
    runs = change | (np.diff(code, prepend=-1) != 0)
    different = np.unique(cell * np.int64(code.max() + 1) + code) // (code.max() + 1)
    M = compared.n_groups * compared.n_coders
    n, n_runs, n_different = (np.bincount(found, minlength=M) for found in (cell, cell[runs], different))
    ordered = (n >= MIN_SORTED) & (n_different > 1) & (n_runs == n_different)
    return ordered.reshape(compared.n_groups, -1).any(1)


def _batches(paired: Paired) -> Iterator[Paired]:
    """Groups together as long as the tables of their pairs of coders stay small."""
    groups = np.unique(paired.group)
    step = max(1, 4 * MAX_VALUES // min(paired.n_coders, MAX_REGRESSED) ** 2)
    if len(groups) <= step:
        return iter([paired] if len(groups) else [])
    return (paired.of(np.isin(paired.group, groups[at : at + step])) for at in range(0, len(groups), step))


def _regressed(paired: Paired) -> tuple[GapEvidence, Array, Array]:
    """Coefficients that compare a coder with the coder's partners: ridge regression within blocks."""
    cells, place = np.unique(np.append(paired.one, paired.two), return_inverse=True)
    groups, group = np.unique(cells // paired.n_coders, return_inverse=True)
    local = number_within(group)
    G, C = len(groups), int(local.max()) + 1
    own = np.searchsorted(groups, paired.group)
    one, two = local[place].reshape(2, -1)
    shared = np.bincount((own * C + one) * C + two, minlength=G * C * C).reshape(G, C, C).astype(float)
    shared += shared.transpose(0, 2, 1)
    n = shared.sum(1)  # (G, C) items of each coder
    inside = _inside_blocks(paired, own * C + one, own * C + two, G, C)
    inverse = np.linalg.inv(shared + n[:, None] * np.eye(C) - inside + np.eye(C))
    against = np.eye(C) - shared / np.maximum(n, 1)[:, None]
    against *= (n > 0)[:, None]
    moments = _moments(paired, inverse @ against, own, one, two)
    slopes = np.stack([np.bincount(own * C + side, paired.centred, minlength=G * C) for side in (one, two)]).sum(0)
    slopes = (inverse @ slopes.reshape(G, C, 1))[..., 0]
    phi, p, df = _overdispersed(paired, slopes, own, one, two, n)
    gap, square, variance, third = moments
    own_mean = np.bincount(own * C + one, paired.apart, minlength=G * C)
    own_mean += np.bincount(own * C + two, paired.apart, minlength=G * C)
    information = np.where(square < 1e-6, 0.0, np.nan_to_num(divide(np.ones_like(square), square)))
    phi = phi[:, None]
    parts = n, own_mean.reshape(G, C) / np.maximum(n, 1), gap, variance * phi, third * phi**1.5, information
    columns = []
    for values in parts:
        columns.append(np.zeros(paired.n_groups * paired.n_coders))
        columns[-1][cells] = values[group, local]
    tested = np.full((2, paired.n_groups), np.nan)
    tested[:, groups] = p, df
    return GapEvidence(*columns), *tested


def _inside_blocks(paired: Paired, one: Array, two: Array, n_groups: int, n_coders: int) -> Array:
    """Sums over blocks of the products of two coders' numbers of items, divided by its size: (G, C, C)."""
    from scipy import sparse

    block = np.append(paired.block, paired.block)
    data = np.repeat(1 / np.sqrt(paired.size), paired.size)
    table = sparse.csr_array(
        (np.append(data, data), (block, np.append(one, two))), shape=(len(paired.size), n_groups * n_coders)
    )
    found = (table.T @ table).tocoo()
    row, column = found.coords if hasattr(found, "coords") else (found.row, found.col)
    out = np.bincount(row.astype(np.int64) * n_coders + column % n_coders, found.data, n_groups * n_coders**2)
    return out.reshape(n_groups, n_coders, n_coders)


def _moments(paired: Paired, U: Array, group: Array, one: Array, two: Array) -> tuple[Array, ...]:
    """Gap, sum of squared coefficients, variance and third moment; the coefficients of an item are U's of both coders.

    `U` is (G, C, C), and so are the results (G, C).
    """
    G, C = U.shape[:2]
    out = np.zeros((4, G, C))
    square, cube = paired.moments()
    owner = group[paired.start]
    stop = np.append(paired.start, len(paired.block))
    steps = np.unique(np.searchsorted(stop, np.arange(0, len(paired.block), max(MAX_VALUES // C, 1))))
    for first, last in zip(steps, np.append(steps[1:], len(paired.size)), strict=True):
        items, blocks = slice(stop[first], stop[last]), slice(first, last)
        starts = paired.start[blocks] - stop[first]
        c = U[group[items], one[items]] + U[group[items], two[items]]  # (items, C)
        c -= np.repeat(np.add.reduceat(c, starts) / paired.size[blocks, None], paired.size[blocks], axis=0)
        squares = np.add.reduceat(c**2, starts)
        rows = (
            np.add.reduceat(c * paired.centred[items, None], starts),
            squares,
            squares * square[blocks, None],
            np.add.reduceat(c**3, starts) * cube[blocks, None],
        )
        out += np.stack([sum_rows(values, owner[blocks], G) for values in rows])
    return tuple(out)


def _overdispersed(
    paired: Paired, slopes: Array, group: Array, one: Array, two: Array, n: Array
) -> tuple[Array, Array, Array]:
    """Whether pairs of coders disagree more or less than their coders explain: factor, p and degrees of freedom: (G,).

    Batches of easy and of hard items look like that.
    """
    G, C = n.shape
    fitted = slopes[group, one] + slopes[group, two]
    rest = paired.centred - fitted + (paired.sums(fitted) / paired.size)[paired.block]
    low, high = np.minimum(one, two), np.maximum(one, two)
    keys, pair = np.unique((group * C + low) * C + high, return_inverse=True)
    size, owner = np.bincount(pair), keys // (C * C)
    items = np.bincount(group, minlength=G)
    blocks = np.bincount(group[paired.start], minlength=G)
    noise = divide(np.bincount(group, paired.centred**2, minlength=G), items - blocks)
    statistic = divide(np.bincount(owner, np.bincount(pair, rest) ** 2 / size, minlength=G), noise)
    df = (np.bincount(owner, minlength=G) - (n > 0).sum(1)) * (1 - blocks / items)
    tested = (df >= 1) & ~np.isnan(statistic)
    df = np.where(tested, df, np.nan)
    return np.where(tested, np.fmax(statistic / df, 1.0), 1.0), chi2_test(statistic, df), df


def _in_crowd(paired: Paired) -> GapEvidence:
    """A coder's items minus their neighbours, for so many coders that partners hardly matter."""
    M = paired.n_coders * paired.n_groups
    label = np.append(paired.one, paired.two)
    keys, entry = np.unique(np.tile(paired.block, 2) * np.int64(M) + label, return_inverse=True)
    block, cell = keys // M, keys % M
    number, m = np.bincount(entry).astype(float), paired.size[block]
    gap = np.bincount(entry, np.tile(paired.centred, 2))
    square, cube = (values[block] for values in paired.moments())
    share = number / m
    spread = number * (1 - share)  # sum of the squared deviations, and of their cubes
    cubes = number * (1 - share) ** 3 - (m - number) * share**3
    n = np.bincount(label, minlength=M).astype(float)
    own = np.bincount(label, np.tile(paired.apart, 2), minlength=M) / np.maximum(n, 1)
    gap, S, variance, third = (
        np.bincount(cell, values, minlength=M) for values in (gap, spread, spread * square, cubes * cube)
    )
    known = S > 1e-6
    safe = np.where(known, S, 1.0)
    parts = (np.where(known, values, 0.0) for values in (gap / safe, variance / safe**2, third / safe**3, S))
    return GapEvidence(n, own, *parts)
