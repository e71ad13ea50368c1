"""Codes of long numeric columns, without a Python object per label.

Integers of a narrow range are coded by their distance from the smallest; all other numbers are hashed. `labels` decides
when this is allowed.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

ROWS_PER_BLOCK = 1 << 16  # rows that stay in the processor's cache
MAX_INTEGER_RANGE = 32_767  # integers of a wider range are hashed
SAMPLE_ROWS = 1000  # rows used to estimate whether most values of a column differ
MAX_EXACT_INTEGER = 2**53  # from here on a float may stand for several integers
PLAIN_DTYPES = {"b": np.bool_, "i": np.int64, "u": np.uint64, "f": np.float64}


def code_numbers(columns: list[pd.Series]) -> tuple[list[np.ndarray], np.ndarray] | None:
    """Shared codes and sorted values of numeric columns; None where no array holds all their values exactly."""
    arrays = [_as_array(column) for column in columns]
    bounds = [(np.fmin.reduce(array).item(), np.fmax.reduce(array).item()) for array in arrays if array.size]
    bounds = [bound for bound in bounds if not np.isnan(bound[0])] or [(0, -1)]  # without columns that are all NaN
    low, high = min(low for low, _ in bounds), max(high for _, high in bounds)
    exact = max(-low, high) < MAX_EXACT_INTEGER
    if not exact and np.result_type(*arrays).kind == "f" and any(column.dtype.kind in "iu" for column in columns):
        return None
    if exact and high - low < MAX_INTEGER_RANGE and low == int(low):
        return _by_distance(arrays, int(low), int(high)) or _by_hash(arrays)
    return _by_hash(arrays)


def _as_array(column: pd.Series) -> np.ndarray:
    """A numeric column as array of integers, or of floats where NaN is missing."""
    dtype, array = column.dtype, column.array
    if isinstance(dtype, np.dtype):
        data = column.to_numpy()
    elif dtype.kind == "f" or array.isna().any():
        data = array.to_numpy(dtype=np.float64, na_value=np.nan)
    else:
        data = array.to_numpy(dtype=PLAIN_DTYPES[dtype.kind])
    if data.dtype.kind == "b":
        return data.view(np.int8)
    return data.astype(np.float64) if data.dtype in (np.float16, np.longdouble) else data


def _by_distance(arrays: list[np.ndarray], low: int, high: int) -> tuple[list[np.ndarray], np.ndarray] | None:
    """Codes by distance from the smallest value; None if a value is not whole."""
    size = high - low + 1
    codes = []
    for array in arrays:
        distances = (_float_distances if array.dtype.kind == "f" else _distances)(array, low, smallest(size))
        if distances is None:
            return None
        codes.append(distances)
    used = _used(codes, size)
    values = np.arange(low, high + 1)[used]
    if len(values) < size:
        lookup: np.ndarray = np.append(np.cumsum(used) - 1, -1).astype(smallest(len(values)))
        codes = [lookup[column] for column in codes]
    return codes, values


def _distances(array: np.ndarray, low: int, small: type) -> np.ndarray:
    if low == 0 and array.dtype == small:
        return array
    distances: np.ndarray = array.astype(small)  # may wrap around, and the subtraction wraps it back
    distances -= np.array(low).astype(small)
    return distances


def _float_distances(array: np.ndarray, low: int, small: type) -> np.ndarray | None:
    distances: np.ndarray = np.empty(len(array), dtype=small)
    for start in range(0, len(array), ROWS_PER_BLOCK):
        exact = np.subtract(array[start : start + ROWS_PER_BLOCK], low, dtype=np.float64)
        exact[np.isnan(exact)] = -1
        whole = distances[start : start + ROWS_PER_BLOCK]
        whole[:] = exact
        if not (whole == exact).all():
            return None
    return distances


def _used(codes: list[np.ndarray], size: int) -> np.ndarray:
    """Which of the codes 0..size-1 occur; stops once all have occurred."""
    used = np.zeros(size, dtype=bool)
    for column in codes:
        for start in range(0, len(column), ROWS_PER_BLOCK):
            if used.all():
                return used
            used |= np.bincount(column[start : start + ROWS_PER_BLOCK] + 1, minlength=size + 1)[1:] > 0
    return used


def _mostly_different(arrays: list[np.ndarray]) -> bool:
    """Whether most values differ, so that sorting is faster than hashing; judged by some rows of the first column."""
    some = arrays[0][:: max(len(arrays[0]) // SAMPLE_ROWS, 1)]
    return 2 * len(pd.unique(some)) > SAMPLE_ROWS


def _by_sort(arrays: list[np.ndarray]) -> tuple[list[np.ndarray], np.ndarray]:
    stacked = np.concatenate(arrays)
    present = stacked == stacked  # NaN would slow down the sort
    values, places = np.unique(stacked[present], return_inverse=True)
    codes: np.ndarray = np.full(len(stacked), -1, smallest(len(values)))
    codes[present] = places
    return np.split(codes, np.cumsum([len(array) for array in arrays])[:-1]), values


def _by_hash(arrays: list[np.ndarray]) -> tuple[list[np.ndarray], np.ndarray]:
    if _mostly_different(arrays):
        return _by_sort(arrays)
    hashed = [pd.factorize(array) for array in arrays]
    values, places = np.unique(np.concatenate([uniques for _, uniques in hashed]), return_inverse=True)
    ends = np.cumsum([len(uniques) for _, uniques in hashed])
    places = np.append(places, -1).astype(smallest(len(values)))
    return [
        np.append(places[end - len(uniques) : end], places[-1:])[codes]
        for end, (codes, uniques) in zip(ends, hashed, strict=True)
    ], values


def smallest(size: int) -> type:
    """The smallest signed integer type for the codes -2..size."""
    return np.int8 if size <= 127 else np.int16 if size <= MAX_INTEGER_RANGE else np.int32


def number_index(values: np.ndarray) -> pd.Index:
    """Labels of an array of numbers; whole floats become integers, as they come from integers with missing values."""
    if not len(values):
        return pd.Index([], dtype=object)
    target = values.dtype
    if values.dtype.kind == "f":
        whole = (np.abs(values) < MAX_EXACT_INTEGER).all() and (values == np.floor(values)).all()
        target = np.dtype(np.int64 if whole else np.float64)
    elif values.dtype.kind in "iu" and values[-1] < 2**63:
        target = np.dtype(np.int64)
    return pd.Index(values.astype(target) + 0 if target.kind == "f" else values.astype(target))  # -0.0 + 0 is 0.0
