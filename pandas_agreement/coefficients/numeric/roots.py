"""Where functions pass zero, in all groups at once. Only numpy here."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.sums import divide

MAX_STEPS = 60
LOGS = -12.0, 25.0  # log(1 + theta k) between which `crossing` searches
PRECISE = 1e-12  # value of a function that counts as 0 there

#: the numbers of some groups, and a point of each -> the value of each
Function = Callable[[Array, Array], Array]
#: the same -> the value of each and its slope
Slopes = Callable[[Array, Array], tuple[Array, Array]]


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
