"""Categories by group: `categories={group: [...]}` declares them, `categories="group"` takes those seen in each group.

All groups share one `CategorySet`; `Reading.chosen` says which of its categories belong to which group. They change the
number of categories of coefficients that depend on it, and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.data.labels import NO_CATEGORIES, CategorySet
from pandas_agreement.data.reading import Reading
from pandas_agreement.errors import InputError, counted, nearest, shown

SEEN = "group"  # the word for the categories seen in each group


def are_seen(categories: Any) -> bool:
    """Whether the categories of a group are those seen in it."""
    return isinstance(categories, str) and categories == SEEN


def by_group(categories: Any) -> bool:
    """Whether groups have categories of their own."""
    return are_seen(categories) or isinstance(categories, Mapping)


def with_group_categories(reading: Reading, categories: Any) -> Reading:
    """The same reading, with the categories of each group if `categories=` gives them."""
    if not by_group(categories) or reading.category_set is NO_CATEGORIES:
        return reading
    if reading.groups is None:
        how = "takes the categories from each group" if are_seen(categories) else "names the categories of each group"
        problem = f"categories={shown(categories)} {how}, and there are no groups"
        raise InputError(problem, "name the groups with by=", option="categories", code="no groups")
    seen = reading.ratings.label_totals() > 0  # (G, K)
    if are_seen(categories):
        return replace(reading, chosen=seen)
    chosen = _declared(reading, categories)
    _check_seen(reading, seen & ~chosen)
    return replace(reading, chosen=chosen)


def _declared(reading: Reading, categories: Mapping[Any, Any]) -> Array:
    """The categories that the mapping gives each group: (G, K) of bool."""
    groups: Any = reading.groups
    keys, place = groups.tolist(), _places(reading.category_set)
    missing = [key for key in keys if key not in categories]
    if missing:
        others = f" ({counted(len(missing) - 1, 'more', 'more')} like it)" if len(missing) > 1 else ""
        problem = f"categories= has no entry for the group {shown(missing[0])}{others}"
        raise InputError(problem, nearest(missing[0], categories), option="categories", code="unknown group")
    chosen = np.zeros((len(keys), len(place)), bool)
    for row, key in zip(chosen, keys, strict=True):
        row[[place[label] for label in categories[key]]] = True
    return chosen


def _places(category_set: CategorySet) -> dict[Any, int]:
    return {label: place for place, label in enumerate(category_set.labels.tolist())}


def _check_seen(reading: Reading, stray: Array) -> None:
    """Raise for a label of a group that is not among its categories."""
    if not stray.any():
        return
    groups: Any = reading.groups
    group, label = np.argwhere(stray)[0]
    key, found = groups[[group]].tolist()[0], reading.category_set.labels[[label]].tolist()[0]
    problem = f"group {shown(key)} has the label {shown(found)}, which is not among its categories"
    remedy = f"correct it, or add it to the list of categories= for {shown(key)}"
    raise InputError(problem, remedy, option="categories", code="unknown label")
