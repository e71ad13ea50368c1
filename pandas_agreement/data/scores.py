"""Ratings as numbers: what the labels are worth, and who gave which item which number."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pandas_agreement.core.ratings import Columns, Ratings, Triples
from pandas_agreement.core.scores import Values
from pandas_agreement.data import Reading
from pandas_agreement.errors import LabelTypeError

Array = NDArray[Any]


def numbers_of(reading: Reading, what: str) -> Array:
    """The labels as numbers, or an error that names the first that is not one, and whose it is."""
    numbers = reading.universe.numbers()
    if numbers is not None:
        return numbers
    text = reading.universe.first_text()
    code = list(reading.universe.labels).index(text)
    raise LabelTypeError(
        f"{what} needs numbers, and {text!r}{_whose(reading, code)} is not one; map the labels to numbers, for "
        "instance with df['ann'].map({'low': 1, 'high': 2}), or an ordered Categorical with df['ann'].cat.codes"
    )


def _whose(reading: Reading, code: int) -> str:
    ratings = reading.ratings
    if isinstance(ratings, Columns):
        coders = [name for name, codes in zip(reading.coders, ratings.codes, strict=False) if (codes == code).any()]
    elif isinstance(ratings, Triples):
        coders = [reading.coders[int(coder)] for coder in ratings.coder[ratings.code == code][:1]]
    else:
        coders = []
    return f" (of {coders[0]!r})" if coders else ""


def to_values(ratings: Ratings, numbers: Array) -> Values:
    """The numbers behind the codes; an item that occurs several times is there as often."""
    if isinstance(ratings, Columns):
        padded = np.append(numbers, np.nan)  # code -1 is a gap
        columns, group = [padded[code] for code in ratings.codes], ratings.group
        if ratings.weight is not None:
            times = ratings.weight.astype(np.int64)
            columns = [np.repeat(column, times) for column in columns]
            group = None if group is None else np.repeat(group, times)
        return Values.from_columns(columns, group, ratings.n_groups)
    if isinstance(ratings, Triples):
        group = np.zeros(ratings.n_items, np.int64) if ratings.group is None else ratings.group
        value = numbers[ratings.code]
        return Values.from_triples(ratings.item, ratings.coder, value, ratings.n_coders, group, ratings.n_groups)
    raise TypeError("numbers need to know who said what")
