"""The type of the arrays that all computing modules take and give, and their numbers. Only numpy here."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def ranges(starts: Array, sizes: Array) -> Array:
    """So many numbers that follow each start, one range after the other: (n,), (n,) -> (N,).

    >>> ranges(np.array([7, 0, 4]), np.array([2, 0, 3])).tolist()
    [7, 8, 4, 5, 6]
    """
    return np.repeat(starts - (np.cumsum(sizes) - sizes), sizes) + np.arange(sizes.sum())


def number_within(owner: Array) -> Array:
    """Numbers from 0 within each owner; equal owners are neighbours: (N,) -> (N,).

    >>> number_within(np.array([3, 3, 5, 6, 6])).tolist()
    [0, 1, 0, 0, 1]
    """
    start = np.append(np.flatnonzero(np.diff(owner, prepend=-1)), len(owner))
    return ranges(np.zeros(len(start) - 1, np.int64), np.diff(start))


def places(chosen: Array, size: int) -> Array:
    """Where each of the numbers below `size` stands among those chosen, -1 if it is none of them: (size,).

    >>> places(np.array([3, 1]), 4).tolist()
    [-1, 1, -1, 0]
    """
    out = np.full(size, -1)
    out[chosen] = np.arange(len(chosen))
    return out
