"""Sums of distances to many values, without a matrix of all pairs of values.

Each class is made from the values of the categories; called with weights w it gives, for each category k, the sum over
l of w[l] times the distance d[k, l], or its square. Ratio and bipolar distances are smooth functions of the logarithms,
which are interpolated at a few nodes of short panels, to about 1e-12 of the mean; the others are exact. Time and memory
grow in proportion to the number of values. Only numpy here.
"""

from __future__ import annotations

from functools import cached_property
from math import comb

import numpy as np

from pandas_agreement.core.arrays import Array

N_NODES = 16  # per panel
WIDTH = 1.0  # of a panel; the functions have their poles at a distance of pi
REACH = 38.0  # beyond this difference tanh is 1 in double precision


class LogSums:
    """Sums of tanh((u - v) / 2)^p over weighted values v, at each value u; u and v ascend from 0."""

    def __init__(self, u: Array) -> None:
        self.width = min(WIDTH, float(u[-1])) or WIDTH  # values close together have a narrow panel
        self.panel = np.minimum(u / self.width, np.ceil(u[-1] / self.width) - 1).astype(np.int64).clip(0)  # (K,)
        self.used, self.starts = np.unique(self.panel, return_index=True)
        angle = (2 * np.arange(N_NODES) + 1) * np.pi / (2 * N_NODES)
        self.nodes = (1 - np.cos(angle)) / 2  # of a panel of width 1
        self.basis = _lagrange(self.nodes, np.sin(angle), u / self.width - self.panel)  # (M, K)

    def __call__(self, weights: Array, power: int) -> Array:
        """(..., K) -> (..., K)."""
        field = self._field(self._moments(weights), power)  # (..., M, P)
        out = np.zeros(weights.shape)
        for node, basis in enumerate(self.basis):
            out += basis * field[..., node, self.panel]
        return out

    def _moments(self, weights: Array) -> Array:
        """The weights moved to the nodes of the panels: (..., M, P)."""
        out = np.zeros((*weights.shape[:-1], N_NODES, int(self.used[-1]) + 1))
        for node, basis in enumerate(self.basis):
            out[..., node, self.used] = np.add.reduceat(weights * basis, self.starts, axis=-1)
        return out

    def _field(self, moments: Array, power: int) -> Array:
        """The sums at the nodes; it depends on two panels by their offset alone."""
        n_panels = moments.shape[-1]
        reach = min(n_panels - 1, int(np.ceil(REACH / self.width)) + 1)
        steps = self.nodes[:, None] - self.nodes
        field = np.zeros_like(moments)
        for offset in range(-reach, reach + 1):
            kernel = np.tanh((steps + offset) * self.width / 2) ** power
            to = slice(max(offset, 0), n_panels + min(offset, 0))
            source = slice(max(-offset, 0), n_panels + min(-offset, 0))
            field[..., to] += kernel @ moments[..., source]
        mass = np.concatenate([np.zeros((*moments.shape[:-2], 1)), moments.sum(-2).cumsum(-1)], -1)  # (..., P + 1)
        panel = np.arange(n_panels)
        near = mass[..., np.minimum(panel + reach + 1, n_panels)] - mass[..., np.maximum(panel - reach, 0)]
        return field + np.where(near == mass[..., -1:], 0.0, mass[..., -1:] - near)[..., None, :]


def _lagrange(nodes: Array, weights: Array, x: Array) -> Array:
    """The Lagrange polynomials of Chebyshev nodes (M,) at x (K,), in barycentric form: (M, K)."""
    out = np.empty((len(nodes), len(x)))
    for row, node, weight in zip(out, nodes, weights * (-1.0) ** np.arange(len(nodes)), strict=True):
        gap = x - node
        gap[gap == 0] = 1e-300  # at a node its own term outweighs all others
        np.divide(weight, gap, out=row)
    out /= out.sum(0)
    return out


class RatioSums:
    """Sums of powers of |x - y| / (x + y) over values that are not negative; 0 for two zeros."""

    def __init__(self, values: Array) -> None:
        self.values = values

    @cached_property
    def _order(self) -> tuple[Array, Array]:
        """The zeros, and the other values in ascending order."""
        order = np.argsort(self.values, kind="stable")
        n_zeros = int((self.values == 0).sum())
        return order[:n_zeros], order[n_zeros:]

    @cached_property
    def _positive(self) -> LogSums:
        x = self.values[self._order[1]]
        small = x < 2 * x[0]
        return LogSums(np.where(small, np.log1p((x - x[0]) / x[0]), np.log(x / x[0])))

    def of_power(self, weights: Array, power: int) -> Array:
        zeros, positive = self._order
        out = np.zeros(weights.shape)
        out[..., zeros] = weights[..., positive].sum(-1, keepdims=True)
        if len(positive):
            out[..., positive] = self._positive(weights[..., positive], power)
            out[..., positive] += weights[..., zeros].sum(-1, keepdims=True)
        return out

    def __call__(self, weights: Array, square: bool = False) -> Array:
        """Of the distance ((x - y) / (x + y))^2, or its square."""
        return self.of_power(weights, 4 if square else 2)


class BipolarSums:
    """Sums of (x - y)^2 / ((x + y - 2 low) (2 high - x - y)), or its square.

    With s = x - low, t = high - x, a = s + s', b = t + t' and the range R the product of the divisors is split by
    1 / (a b) = (1 / a + 1 / b) / 2R, and (s - s')^2 / a = a r^2, where r is the ratio |s - s'| / a.
    """

    def __init__(self, values: Array, low: float, high: float) -> None:
        self.range = high - low
        self.sides = [(side, RatioSums(side)) for side in (values - low, high - values)]

    def __call__(self, weights: Array, square: bool = False) -> Array:
        if not square:
            return self._both(weights, 1, 2) / (2 * self.range)
        squares, cubes = self._both(weights, 2, 4), self._both(weights, 3, 4)
        return (squares + cubes / self.range) / (4 * self.range**2)

    def _both(self, weights: Array, n: int, power: int) -> Array:
        low, high = (_times_sum(*side, weights, n, power) for side in self.sides)
        return low + high


def _times_sum(s: Array, ratios: RatioSums, weights: Array, n: int, power: int) -> Array:
    """The sum over l of w[l] (s[k] + s[l])^n r[k, l]^power, by the binomial theorem: (..., K)."""
    terms = [comb(n, j) * s ** (n - j) * ratios.of_power(weights * s**j, power) for j in range(n + 1)]
    return np.sum(terms, axis=0)


class StepSums:
    """Sums of j (j + 1) / 2 over ranks that are j steps apart, or its square."""

    def __init__(self, ranks: Array) -> None:
        self.ranks = ranks - ranks.mean()
        self.order = np.argsort(ranks, kind="stable")

    def __call__(self, weights: Array, square: bool = False) -> Array:
        even = self._of_power(weights, 2)
        if not square:
            return (even + self._of_absolute(weights, 1)) / 2
        return (self._of_power(weights, 4) + 2 * self._of_absolute(weights, 3) + even) / 4

    def _of_power(self, weights: Array, n: int) -> Array:
        """Of (x - y)^n."""
        x = self.ranks
        sums = [(weights * (-x) ** j).sum(-1, keepdims=True) for j in range(n + 1)]
        return sum(comb(n, j) * x ** (n - j) * sums[j] for j in range(n + 1))

    def _of_absolute(self, weights: Array, n: int) -> Array:
        """Of |x - y|^n, n odd: twice the sum over the lower values, minus the signed sum."""
        x, w = self.ranks[self.order], weights[..., self.order]
        lower = [(w * (-x) ** j).cumsum(-1) for j in range(n + 1)]
        out = np.empty(weights.shape)
        out[..., self.order] = sum(
            comb(n, j) * x ** (n - j) * (2 * lower[j] - lower[j][..., -1:]) for j in range(n + 1)
        )
        return out


class WithinSums:
    """Sums over values that differ by more than a tolerance, up to rounding; `slack` is the rounding of a value."""

    def __init__(self, values: Array, tolerance: float, slack: float) -> None:
        self.order = np.argsort(values, kind="stable")
        x = values[self.order]
        low, high = x - tolerance, x + tolerance
        low -= slack * np.maximum(np.abs(x), np.abs(low))
        high += slack * np.maximum(np.abs(x), np.abs(high))
        self.near = np.searchsorted(x, low, "left"), np.searchsorted(x, high, "right")

    def __call__(self, weights: Array, square: bool = False) -> Array:
        w = weights[..., self.order]
        mass = np.concatenate([np.zeros((*w.shape[:-1], 1)), w.cumsum(-1)], -1)
        out = np.empty(weights.shape)
        out[..., self.order] = mass[..., -1:] - (mass[..., self.near[1]] - mass[..., self.near[0]])
        return out
