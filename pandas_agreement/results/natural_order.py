"""The order of group keys as people read them, for tests of trend and for pictures.

Names are sorted with the numbers in them as numbers, so batch_2 comes before batch_10; dates by time, numbers by size.
An ordered Categorical has its own order, and so has one whose categories are not in alphabetical order. The rows of
results keep the order of pandas. Rows that somebody has put in another order stay in it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.core.arrays import Array

NUMBER = re.compile(r"(\d+)")
BY_NAME, BY_SIZE, BY_TIME = "by name, numbers in names by size", "by size", "by time"
MAX_SHOWN = 3  # names of an order that are all listed
AS_DECLARED, AS_GIVEN = "as the categories are declared", "as the rows are"


def reading_places(keys: pd.Index) -> tuple[list[Array], list[str]]:
    """The place of each key, and how it was found, level by level; equal keys have equal places, missing ones the last.

    >>> reading_places(pd.Index(["batch_1", "batch_10", "batch_2"]))
    ([array([0, 2, 1])], ['by name, numbers in names by size'])
    """
    levels = [keys.get_level_values(level) for level in range(keys.nlevels)]
    found = [_places(level) if _as_pandas_sorts(keys) else (_appearance(level), AS_GIVEN) for level in levels]
    return [places for places, _ in found], [how for _, how in found]


def reading_rank(keys: pd.Index) -> Array:
    """The rank of each key, the first level first; among equal keys the earlier one is first."""
    order = np.lexsort(reading_places(keys)[0][::-1])
    return np.argsort(order)


def listed_order(names: Sequence[Any]) -> str:
    """The order as text: all of a few names, or the first two and the last, after a colon; empty without any.

    >>> listed_order(["w1", "w2", "w3", "w10"])
    ': w1, w2, ..., w10'
    """
    texts = [" / ".join(map(key_text, name)) if isinstance(name, tuple) else key_text(name) for name in names]
    shown = texts if len(texts) <= MAX_SHOWN else [*texts[:2], "...", texts[-1]]
    return f": {', '.join(shown)}" if shown else ""


def key_text(value: Any) -> str:
    """A key as text; a date without the time 00:00."""
    if isinstance(value, pd.Timestamp) and value == value.normalize():
        return f"{value:%Y-%m-%d}"
    return str(value)


def _as_pandas_sorts(keys: pd.Index) -> bool:
    return bool(keys.unique().dropna().is_monotonic_increasing)


def _appearance(level: pd.Index) -> Array:
    codes = pd.factorize(level)[0]
    return np.where(codes < 0, codes.max(initial=-1) + 1, codes)


def _places(level: pd.Index) -> tuple[Array, str]:
    """The place of each entry of one level that pandas has sorted, and how it was found."""
    codes, found = pd.factorize(level)
    values = pd.Index(found)
    ranks, how = _ranks(values)
    return np.append(ranks, len(values))[codes], how


def _ranks(values: pd.Index) -> tuple[Array, str]:
    """The rank of each of these different values."""
    dtype = values.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        categories = dtype.categories
        if dtype.ordered or not categories.is_monotonic_increasing:
            return np.argsort(np.argsort(categories.get_indexer(values))), AS_DECLARED
        values = pd.Index(values.tolist())
    if values.inferred_type == "string":
        texts = values.tolist()
        order = sorted(range(len(texts)), key=lambda place: natural(texts[place]))
        return np.argsort(order), BY_NAME
    timely = values.inferred_type in ("date", "datetime", "datetime64", "period", "timedelta", "timedelta64")
    try:
        return np.argsort(values.argsort()), BY_TIME if timely else BY_SIZE
    except TypeError:  # of types that cannot be compared
        return np.arange(len(values)), AS_GIVEN


def natural(text: str) -> tuple[list[Any], str]:
    """The key by which a name is sorted: texts and numbers in turn; the name itself decides between equal ones.

    >>> sorted(["w10", "W2", "w1"], key=natural)
    ['w1', 'W2', 'w10']
    """
    parts: list[Any] = NUMBER.split(text.casefold())
    parts[1::2] = map(int, parts[1::2])
    return parts, text
