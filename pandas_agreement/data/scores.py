"""Ratings as scores: the category values, and which coder gave which item which score."""

from __future__ import annotations

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.ratings import LongRatings, WideRatings
from pandas_agreement.core.scores import Scores, to_scores
from pandas_agreement.data import Reading
from pandas_agreement.errors import LabelTypeError


def scores_of(reading: Reading, what: str) -> Scores:
    """The ratings as scores; `what` names the method in the error."""
    if isinstance(reading.ratings, Scores):
        return reading.ratings
    return to_scores(reading.ratings, numbers_of(reading, what))


def numbers_of(reading: Reading, what: str) -> Array:
    """The category values, or an error that names the first label that is no number, and its coder."""
    numbers = reading.category_set.numbers()
    if numbers is not None:
        return numbers
    text = reading.category_set.first_text()
    code = list(reading.category_set.labels).index(text)
    problem = f"{what} needs numbers, and {text!r}{_whose(reading, code)} is not one"
    remedy = "map the labels to numbers, for instance with df['ann'].map({'low': 1, 'high': 2}), "
    remedy += "or an ordered Categorical with df['ann'].cat.codes"
    raise LabelTypeError(problem, remedy, code="needs numbers")


def _whose(reading: Reading, code: int) -> str:
    ratings = reading.ratings
    if isinstance(ratings, WideRatings):
        coders = [name for name, codes in zip(reading.coders, ratings.codes, strict=False) if (codes == code).any()]
    elif isinstance(ratings, LongRatings) and ratings.identified:
        coders = [reading.coders[int(coder)] for coder in ratings.coder[ratings.code == code][:1]]
    else:
        coders = []
    return f" (of {coders[0]!r})" if coders else ""
