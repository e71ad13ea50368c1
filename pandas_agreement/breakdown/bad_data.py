"""Labels that are probably no labels: codes for a missing label, and values far from all others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.ratings import Labels, Ratings
from pandas_agreement.core.scores import Scores
from pandas_agreement.data import Reading

ALWAYS = {"n/a", "na", "n.a.", "#n/a", "nan", "null", "nil", "missing", "-", "--", "?", ".", ""}
AMONG_NUMBERS = {"none", "unknown", "dk", "don't know"}
REPEATED = [sign * digit * (10**length // 9) for length in range(2, 10) for digit in (7, 8, 9) for sign in (1, -1)]
SINGLE = [-9, -1, 9]
AS_FAR = (-1, 9)  # those as far away as the range of the others count, too
TIMES_RANGE = 3  # how far a value is from the others, in ranges of these


def missing_codes(labels: Sequence[Any]) -> list[int]:
    """The places of labels that look like codes for a missing label.

    >>> missing_codes(["1", "2", "3", "99", "N/A", "unknown"])
    [3, 4, 5]
    """
    words = [label.strip().casefold() if isinstance(label, str) else None for label in labels]
    always, unsure = (np.array([word in known for word in words], bool) for known in (ALWAYS, AMONG_NUMBERS))
    numbers = numbers_of(labels)
    numeric = np.isfinite(numbers)
    if not (numeric | always | unsure).all() or not numeric.any():
        unsure[:] = False
    return np.flatnonzero(always | unsure | coded(numbers, among_words=not numeric.all())).tolist()


def numbers_of(labels: Sequence[Any]) -> Array:
    """Labels as numbers, also where they are text; NaN for words, sets and booleans."""
    plain = [label if isinstance(label, (str, int, float, np.number)) else np.nan for label in labels]
    plain = [np.nan if isinstance(label, bool) else label for label in plain]
    return pd.to_numeric(pd.Series(plain, dtype=object), errors="coerce").to_numpy(float, na_value=np.nan)


def coded(numbers: Array, among_words: bool) -> Array:
    """Which numbers are like 99, -99 or 9, and beyond all others by more than the range of these: (N,) of bool.

    Alone among words any of them is a code.
    """
    repeated, known = np.isin(numbers, REPEATED), np.isfinite(numbers)
    found = np.zeros(len(numbers), bool)
    for place in np.flatnonzero(repeated | np.isin(numbers, SINGLE)).tolist():
        others = numbers[known & (numbers != numbers[place]) & ~(repeated & repeated[place])]
        found[place] = _is_beyond(numbers[place], others, repeated[place]) if len(others) else among_words
    return found


def _is_beyond(value: float, others: Array, repeated: bool) -> bool:
    """Whether a value is outside the others, farther away than their range."""
    low, high = others.min(), others.max()
    away, width = max(low - value, value - high), high - low
    if width == 0 or value == -high:  # 0 and 9 are two labels, and -1, 0, 1 is a scale
        return bool(repeated and away > 0)
    return bool(away >= width if value in AS_FAR else away > width)


def far_values(numbers: Array, codes: Sequence[int]) -> list[int]:
    """The places of the lowest and the highest value where it is farther from the rest than 3 times their range."""
    places = np.setdiff1d(np.flatnonzero(np.isfinite(numbers)), codes)
    order = places[np.argsort(numbers[places], kind="stable")]
    values = numbers[order]
    far = []
    if len(values) > 3:
        far += [order[0]] if values[1] - values[0] > TIMES_RANGE * (values[-1] - values[1]) else []
        far += [order[-1]] if values[-1] - values[-2] > TIMES_RANGE * (values[-2] - values[0]) else []
    return [int(place) for place in far]


def labels_of(ratings: Ratings, labels: pd.Index) -> tuple[list[Any], Array]:
    """The different labels or scores, and how often each was given."""
    if isinstance(ratings, Scores):
        values, number = np.unique(ratings.value, return_counts=True)
        return values.tolist(), number.astype(float)
    used = ratings.label_totals().sum(0)
    return [label if used[place] else None for place, label in enumerate(labels.to_numpy(object).tolist())], used


def without(reading: Reading, label: Any, place: int) -> Reading:
    """All data together, without the labels of one category (-1: with all) or the scores of one value."""
    ratings = replace(reading.ratings, group=None, n_groups=1)
    if isinstance(ratings, Scores):
        left = ratings.value != label
        columns = {name: getattr(ratings, name)[left] for name in ("item", "coder", "value")}
        ratings = replace(ratings, **columns)
    else:
        ratings = ratings.as_long()
        kept = ratings.code != place
        labels = Labels(ratings.item[kept], ratings.coder[kept], ratings.code[kept])
        ratings = replace(ratings, labels=labels)
    return replace(reading, groups=None, n_chosen=None, ratings=ratings)
