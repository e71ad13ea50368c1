"""Items crossed with coders, with missing scores: sufficient sums, and exact F tests from them.

The model is score = mean + item + coder + error. Given the ratio theta of the item variance to the error variance, the
covariance of the r scores of an item has an inverse in closed form. All cross-products of likelihood and least squares
are then

    base + sum over r of by_size[r] / (r (1 + theta r)),

matrices over (the coders, the scores) whose parts are summed over the items once. No later step depends on the number
of items (Woodbury; the coders remain as a C x C Schur complement). Leading axis: groups.

Nothing cancels, however small the error variance is: the least-squares effects of the coders are subtracted from the
scores and kept beside them, and the first coder column is the mean of all coders, the others are contrasts (the columns
of single coders, reflected), because only the mean is confounded with the items.

The F ratio below is the exact pivot of Wald (1940) for one random factor, and of Harville and Fenech (1985,
Biometrics 41, 137-152) with other effects: items are tested after the coders. Without missing scores it is the F of the
analysis of variance.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.classes import dataclass
from pandas_agreement.core.quantiles import f_quantile
from pandas_agreement.core.scores import Scores
from pandas_agreement.core.sums import divide

MIN_ROOT = 1e-9  # a smaller eigenvalue is 0, as a share of the largest
ROUNDING = 1e-28  # a smaller share of the total sum of squares is rounding of equal numbers
MAX_STEPS = 60
LOGS = -12.0, 25.0  # log(1 + theta k) between which `crossing` searches
PRECISE = 1e-12  # value of a function that counts as 0 there

#: the numbers of some groups, and a point of each -> the value of each
Function = Callable[[Array, Array], Array]
#: the same -> the value of each and its slope
Slopes = Callable[[Array, Array], tuple[Array, Array]]


@dataclass(frozen=True, eq=False)
class Crossed:
    """Cross-products of the C coders and the scores, in this order: C + 1 rows and columns."""

    size: Array  # (G, R) the distinct numbers of scores of an item; 1 where a group has fewer of them
    number: Array  # (G, R) items of that size
    base: Array  # (G, C + 1, C + 1) within items
    by_size: Array  # (G, R, C + 1, C + 1) of the items' sums
    effects: Array  # (G, C) of the coders, which are subtracted from the scores
    n_items: Array  # (G,)
    n_coders: Array  # (G,)

    @classmethod
    def of(cls, values: Scores) -> Crossed:
        """The cross-products of each group; its coders are numbered from 0."""
        first = np.searchsorted(values.cell_owner, np.arange(values.n_groups))
        n_coders = values.active_coders()
        C = int(n_coders.max(initial=0))
        coder = values.cell - first[values.owner]
        size, slot = _sizes(values)
        stratum = values.owner * size.shape[1] + slot[values.item]  # (N,) group and size
        of_items = (values.item_group * size.shape[1] + slot)[slot >= 0]  # the same of each item with a score
        number = np.bincount(of_items, minlength=size.size).reshape(size.shape)
        turn = _to_contrasts(n_coders, C)
        by_size, base = _of_coders(values, coder, stratum, turn, size)
        effects = _add_scores(values, values.owner * C + coder, stratum * C + coder, turn, by_size, base)
        return cls(size, number, base, by_size, effects, number.sum(1), n_coders)

    @cached_property
    def n_ratings(self) -> Array:
        return (self.size * self.number).sum(1)

    @property
    def width(self) -> int:
        """The number C of coders in the matrices, the largest of any group."""
        return self.base.shape[-1] - 1

    def take(self, groups: Array) -> Crossed:
        """Some of the groups (their numbers or a boolean array)."""
        names = "size", "number", "base", "by_size", "effects", "n_items", "n_coders"
        return replace(self, **{name: getattr(self, name)[groups] for name in names})

    def at(self, theta: Array) -> Array:
        """Cross-products at a ratio of item to error variance: (G,) -> (G, C + 1, C + 1)."""
        return self.base + self.combine(1 / (self.size * (1 + theta[:, None] * self.size)))

    def combine(self, weight: Array) -> Array:
        """Weighted sum over the sizes: (G, R) -> (G, C + 1, C + 1)."""
        return np.einsum("gr,grij->gij", weight, self.by_size)

    @cached_property
    def df_coders(self) -> Array:
        """Degrees of freedom of the coders after the items."""
        roots = np.linalg.eigvalsh(self.base[:, :-1, :-1])
        return (roots > MIN_ROOT * np.maximum(roots.max(-1, initial=0.0), 1)[:, None]).sum(-1)

    @property
    def df_items(self) -> Array:
        """Degrees of freedom of the items after the coders."""
        return self.n_items + self.df_coders - self.n_coders

    @property
    def df_error(self) -> Array:
        return self.n_ratings - self.n_items - self.df_coders

    @property
    def coder_squares(self) -> Array:
        """Sum of squares of the coders after the items."""
        return np.einsum("gc,gcd,gd->g", self.effects, self.base[:, :-1, :-1], self.effects)

    @property
    def error_squares(self) -> Array:
        """Residual sum of squares after items and coders, exactly 0 up to rounding."""
        return self.base[:, -1, -1]

    @cached_property
    def error(self) -> Array:
        """Mean square of error."""
        return divide(self.error_squares, np.maximum(self.df_error, 0))

    def items_after_coders(self, theta: Array) -> Array:
        """Sum of squares of the items after the coders, scaled to the error variance if theta is the true ratio."""
        C, M = self.width, self.at(theta)
        unused = np.arange(C) >= self.n_coders[:, None]  # rows of coders that only other groups have
        S, along = M[:, :C, :C] + unused[:, None, :] * np.eye(C), M[:, :C, C]
        explained = (along * times(inverse(S)[0], along)).sum(-1)
        return np.maximum(M[:, C, C] - explained - self.error_squares, 0.0)

    def f_ratio(self, theta: Array) -> Array:
        """The F ratio, distributed as F(df_items, df_error) if theta is the true ratio of the variances: (G,)."""
        return ratio(divide(self.items_after_coders(theta), np.maximum(self.df_items, 0)), self.error)

    def limits(self, level: float) -> tuple[Array, Array]:
        """Exact limits of item / (item + error) variance: (G,), (G,)."""
        tail = (1 - level) / 2
        low, high = (self._solve_f(f_quantile(share, self.df_items, self.df_error)) for share in (1 - tail, tail))
        return low, high

    def _solve_f(self, target: Array) -> Array:
        """The share theta / (1 + theta) at which F equals `target`; F decreases with theta."""
        largest = np.where(self.number > 0, self.size, 1).max(-1, initial=1)
        squares = target * np.maximum(self.df_items, 0) * self.error  # of the items, at the target

        def excess(groups: Array, theta: Array) -> Array:
            chosen = self if len(groups) == len(squares) else self.take(groups)
            with np.errstate(divide="ignore", invalid="ignore"):  # nothing is left at a large theta
                return np.log(squares[groups]) - np.log(chosen.items_after_coders(theta))

        theta = crossing(excess, largest)
        return np.where(np.isnan(target) | ~(self.error > 0), np.nan, theta / (1 + theta))


def _sizes(values: Scores) -> tuple[Array, Array]:
    """The distinct sizes of items in each group: (G, R), and which of them each item has: (I,), -1 without scores."""
    base = np.int64(values.sizes.max(initial=0) + 1)
    rated = values.sizes > 0
    keys, key = np.unique((values.item_group * base + values.sizes)[rated], return_inverse=True)
    group = keys // base
    rank = np.arange(len(keys)) - np.searchsorted(group, group)
    size = np.ones((values.n_groups, int(rank.max(initial=0)) + 1))
    size[group, rank] = keys % base
    slot = np.full(values.n_items, -1)
    slot[rated] = rank[key]
    return size, slot


def _to_contrasts(n_coders: Array, C: int) -> Array:
    """The reflection of the first unit vector to the mean of the coders of each group: (G, C, C)."""
    active = np.arange(C) < n_coders[:, None]
    mirror = active / np.sqrt(np.maximum(n_coders, 1))[:, None] - (np.arange(C) == 0)
    mirror = mirror * (n_coders > 1)[:, None]
    return np.eye(C) - 2 * mirror[:, :, None] * mirror[:, None] / np.maximum((mirror**2).sum(-1), 0.1)[:, None, None]


def _of_coders(values: Scores, coder: Array, stratum: Array, turn: Array, size: Array) -> tuple[Array, Array]:
    """The cross-products of the coders alone: (G, R, C + 1, C + 1), within items (G, C + 1, C + 1)."""
    (G, R), C = size.shape, turn.shape[-1]
    common = _common_items(values, stratum * C + coder, G * R, C).reshape(G, R, C, C)
    own = np.diagonal(common, axis1=2, axis2=3)  # scores of each coder
    by_size, base = np.zeros((G, R, C + 1, C + 1)), np.zeros((G, C + 1, C + 1))
    by_size[:, :, :C, :C] = turn[:, None] @ common @ turn[:, None]
    within = own.sum(1)[..., None] * np.eye(C) - (common / size[:, :, None, None]).sum(1)
    base[:, 1:C, 1:C] = (turn @ within @ turn)[:, 1:, 1:]  # within items the mean of the coders has no effect
    mean = np.einsum("gij,grj->gri", turn, own * size[..., None]) * turn[:, None, None, 0, 0]
    by_size[:, :, 0, :C] = by_size[:, :, :C, 0] = mean  # nothing cancels in it
    return by_size, base


def _add_scores(values: Scores, cell: Array, place: Array, turn: Array, by_size: Array, base: Array) -> Array:
    """Subtract the effects of the coders from the scores, add the products of these: effects (G, C)."""
    (G, R), C = by_size.shape[:2], turn.shape[-1]
    to_effects = np.linalg.pinv(base[:, :C, :C], MIN_ROOT, hermitian=True)
    residual, total = residuals(values), values.per_group(values.centred**2)
    effects, score = np.zeros((G, C)), values.centred
    for _ in range(2):  # the second time for the rounding of the first
        along = np.bincount(cell, residual, minlength=G * C).reshape(G, C)
        effects += times(to_effects, times(turn, along))
        score = values.centred - times(turn, effects).ravel()[cell]
        means = np.nan_to_num(divide(values.per_item(score), values.sizes))
        residual = score - means[values.item]
    base[:, C, C] = clean(values.per_group(residual**2), total)
    sums = (means * values.sizes)[values.item]
    weighted = np.bincount(place, sums, minlength=G * R * C).reshape(G, R, C)
    by_size[:, :, :C, C] = np.einsum("gij,grj->gri", turn, weighted)
    by_size[:, :, C:, :C] = np.swapaxes(by_size[:, :, :C, C:], 2, 3)
    by_size[:, :, C, C] = np.bincount(place // max(C, 1), means[values.item] * sums, minlength=G * R).reshape(G, R)
    return effects


def _common_items(values: Scores, place: Array, n: int, C: int) -> Array:
    """Number of common items of each two coders, in each stratum: (n, C, C); `place` is stratum times C plus coder."""
    from scipy.sparse import csr_array

    rated = csr_array((np.ones(len(place)), (values.item, place)), shape=(values.n_items, n * C))
    common = (rated.T @ rated).tocoo()  # an item lies in one stratum
    out = np.zeros((n, C, C))
    out[common.row // max(C, 1), common.row % max(C, 1), common.col % max(C, 1)] = common.data
    return out


def inverse(matrices: Array) -> tuple[Array, Array]:
    """The inverses of positive definite matrices whose rows may differ much in size, and log determinants."""
    d = 1 / np.sqrt(np.diagonal(matrices, axis1=1, axis2=2))
    scaled = matrices * d[:, :, None] * d[:, None]
    log_determinant = np.linalg.slogdet(scaled)[1] - 2 * np.log(d).sum(-1)
    return np.linalg.inv(scaled) * d[:, :, None] * d[:, None], log_determinant


def times(matrices: Array, vectors: Array) -> Array:
    """(G, C, C), (G, C) -> (G, C)."""
    return np.einsum("gij,gj->gi", matrices, vectors)


def residuals(values: Scores) -> Array:
    """Scores minus the mean of their item: (N,)."""
    return values.minus_items(values.centred, values.item_means)


def clean(squares: Array, total: Array) -> Array:
    """Sums of squares, exactly 0 where they are rounding errors."""
    return np.where(squares <= ROUNDING * total, 0.0, squares)


def ratio(top: Array, bottom: Array) -> Array:
    """A quotient that is infinite where the divisor is 0, such as F without error."""
    return np.where((bottom == 0) & (top > 0), np.inf, divide(top, bottom))


# --------------------------------------------------------------------- where functions pass zero, in all groups at once


def between(function: Function, inside: Array, outside: Array, below: Array, above: Array, near: float) -> Array:
    """The point between `inside` and `outside` at which the value of each group is 0: (G,), by the Illinois algorithm.

    The values there are `below` and `above` 0. Each group goes on to its own convergence, up to `near`.
    """
    found, last = np.array(outside), np.zeros(len(inside), bool)
    groups: Array = np.arange(len(inside))
    for _ in range(MAX_STEPS):
        if not len(groups):
            break
        middle = _interpolated(inside, outside, below, above)
        found[groups], height = middle, function(groups, middle)
        beyond = height > 0
        halved = np.where(beyond == last, 0.5, 1.0)  # the value of an end that stayed twice is halved
        above, below = np.where(beyond, height, above * halved), np.where(beyond, below * halved, height)
        inside, outside = np.where(beyond, inside, middle), np.where(beyond, middle, outside)
        going, state = np.abs(height) >= near, (groups, inside, outside, below, above, beyond)
        groups, inside, outside, below, above, last = (part[going] for part in state)
    return found


def newton_between(function: Slopes, inside: Array, outside: Array, near: float, guess: Array) -> Array:
    """The same by Newton's method, for functions that are nearly lines; the middle where a step leaves the ends.

    Where a value is below `near`, one more step is taken, and the value there is not computed.
    """
    found, groups = np.array(outside), np.arange(len(inside))
    point = np.where((guess - inside) * (guess - outside) < 0, guess, (inside + outside) / 2)
    for _ in range(MAX_STEPS):
        if not len(groups):
            break
        height, slope = function(groups, point)
        beyond, going = height > 0, np.abs(height) >= near
        inside, outside = np.where(beyond, inside, point), np.where(beyond, point, outside)
        new = point - divide(height, slope)
        between_ends = (new - inside) * (new - outside) < 0
        found[groups] = np.where(between_ends, new, point)
        point = np.where(between_ends, new, (inside + outside) / 2)
        groups, inside, outside, point = (part[going] for part in (groups, inside, outside, point))
    return found


def _interpolated(inside: Array, outside: Array, below: Array, above: Array) -> Array:
    """Where the line between two values is 0; the middle if a value is infinite."""
    with np.errstate(invalid="ignore"):
        middle = inside - below * divide(outside - inside, above - below)
    usable = np.isfinite(middle) & np.isfinite(above) & np.isfinite(below)
    return np.where(usable, middle, (inside + outside) / 2)


def crossing(excess: Function, k: Array) -> Array:
    """The theta at which `excess`, which increases, passes 0: (G,), on the scale of log(1 + theta k); theta > -1 / k.

    The least theta looked at if the value there is above 0, the largest if it is not above 0 anywhere.
    """

    def on_logs(groups: Array, logs: Array) -> Array:
        return excess(groups, np.expm1(logs) / k[groups])

    ends, everywhere = [np.full(k.shape, end) for end in LOGS], np.arange(len(k))
    values = [on_logs(everywhere, end) for end in ends]
    inner = np.flatnonzero((values[0] < 0) & (values[1] > 0))
    found = np.where(values[0] >= 0, *ends)
    low, high, below, above = (part[inner] for part in (*ends, *values))
    found[inner] = between(lambda groups, logs: on_logs(inner[groups], logs), low, high, below, above, PRECISE)
    return np.expm1(found) / k
