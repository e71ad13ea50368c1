"""Probabilities raised to the power that fits known labels best. Only numpy here."""

from __future__ import annotations

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.truth.kernels.em import TINY

HIGHEST = 64.0
N_HALVINGS = 60


def sharpened(T: Array, t: Array) -> Array:
    """Probabilities to the power of each item's exponent, adding up to 1: (K, n), (n,) -> (K, n)."""
    L = t * np.log(np.maximum(T, TINY))
    weight = np.exp(L - L.max(0, initial=-np.inf))
    return weight / weight.sum(0)


def best_exponent(T: Array, known: Array, group: Array, n_groups: int) -> Array:
    """The exponent t of each group that minimises the log-loss plus (t - 1)^2 / 2: (G,).

    The loss is convex in t. The penalty, worth about one item, keeps t finite where all labels are right.
    """
    L = np.log(np.maximum(T, TINY))
    of_known = L[known, np.arange(len(known))]
    low, high = np.zeros(n_groups), np.full(n_groups, HIGHEST)
    for _ in range(N_HALVINGS):
        middle = (low + high) / 2
        slope = (sharpened(T, middle[group]) * L).sum(0) - of_known
        rising = np.bincount(group, slope, minlength=n_groups) + middle - 1 > 0
        low, high = np.where(rising, low, middle), np.where(rising, middle, high)
    return (low + high) / 2
