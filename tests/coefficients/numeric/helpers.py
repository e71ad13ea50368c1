"""Ratings as the kernels take them."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import Any

import numpy as np

from pandas_agreement.coefficients.numeric.icc import Design
from pandas_agreement.core.scores import Scores


def values_of(ratings: np.ndarray, group: np.ndarray | None = None, n_groups: int = 1) -> Scores:
    return Scores.from_columns(list(np.asarray(ratings, float).T), group, n_groups)


def design_of(ratings: np.ndarray, group: np.ndarray | None = None, n_groups: int = 1) -> Design:
    return Design(values_of(ratings, group, n_groups))


def simulated(
    n_items: int, n_coders: int, gaps: float = 0.0, seed: int = 0, item: float = 1.0, coder: float = 0.5
) -> np.ndarray:
    """Ratings = item + coder + error of variance 1."""
    rng = np.random.default_rng(seed)
    ratings = rng.normal(0, math.sqrt(item), (n_items, 1)) + rng.normal(0, math.sqrt(coder), (1, n_coders))
    ratings = ratings + rng.normal(size=(n_items, n_coders))
    ratings[rng.random(ratings.shape) < gaps] = np.nan
    return ratings


def assert_same(found: Any, expected: Any, **tolerance: float) -> None:
    for field in fields(found):
        np.testing.assert_allclose(getattr(found, field.name), getattr(expected, field.name), **tolerance)


def tied_ratings(n_items: int, n_coders: int, gaps: float = 0.0, seed: int = 0) -> np.ndarray:
    """Ratings in eighths, with ties, coders of different level and unit."""
    rng = np.random.default_rng(seed)
    units = np.linspace(1, 1.5, n_coders)
    ratings = rng.normal(size=(n_items, 1)) * units + rng.normal(0, 0.6, (n_items, n_coders)) + units
    ratings = np.round(ratings * 8) / 8
    ratings[rng.random(ratings.shape) < gaps] = np.nan
    return ratings
