"""`categories="group"`: the number of categories of each group is that of the labels seen in it.

All groups share one `CategorySet`. The number of categories changes coefficients that depend on it, and nothing else.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pandas_agreement.data.labels import NO_CATEGORIES
from pandas_agreement.data.reading import Reading
from pandas_agreement.errors import InputError

SEEN = "group"  # the word for the categories seen in each group


def are_seen(categories: Any) -> bool:
    """Whether the categories of a group are those seen in it."""
    return isinstance(categories, str) and categories == SEEN


def with_group_categories(reading: Reading, categories: Any) -> Reading:
    """The same reading, with the number of categories of each group if `categories='group'` asks for it."""
    if not are_seen(categories) or reading.category_set is NO_CATEGORIES:
        return reading
    if reading.groups is None:
        problem = f"categories={SEEN!r} takes the categories from each group, and there are no groups"
        raise InputError(problem, "name the groups with by=", option="categories", code="no groups")
    return replace(reading, n_chosen=(reading.ratings.label_totals() > 0).sum(-1).astype(float))
