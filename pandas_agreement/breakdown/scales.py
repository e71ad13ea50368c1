"""The scale of the labels: as the call says, or as their type suggests where the call is silent.

Only what advises (`diagnose`, `report`, the command line) guesses; coefficients are nominal unless told otherwise.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from pandas.api.types import is_bool_dtype, is_numeric_dtype

from pandas_agreement.core.classes import dataclass
from pandas_agreement.core.scores import Scores
from pandas_agreement.core.weights import SET_LEVELS
from pandas_agreement.data import Reading
from pandas_agreement.options import ONE_WORD, Options, as_scores

Kind = Literal["names", "order", "sets", "scores", "open"]
MIN_OPEN = 3  # different whole numbers that may be names or steps of a scale; of two both are the same


@dataclass(frozen=True, eq=False)
class Measurement:
    """Names, an order (any partial credit), sets, scores, or open: whole numbers that may be names or steps."""

    kind: Kind
    options: Options  # with the level that was guessed


def is_said(options: Options) -> bool:
    """Whether the call says what the scale is."""
    return bool(options.given & set(ONE_WORD))


def read_as_scores(options: Options) -> bool:
    """Whether plain numbers may be scores, so that they are first read without coding them as categories."""
    return as_scores(options) if is_said(options) else options.categories is None


def has_fractions(scores: Scores) -> bool:
    return bool((scores.value % 1 != 0).any())


def scale_of(reading: Reading, options: Options) -> Measurement:
    """The scale of the labels that were read."""
    if is_said(options):
        return Measurement(_said(reading, options), options)
    labels, category_set = reading.category_set.labels, reading.category_set
    if isinstance(reading.ratings, Scores):
        return Measurement("scores", options)
    if category_set.declared and not reading.listed:
        if category_set.ordered:
            return Measurement("order", options.at("level", "ordinal"))
        return Measurement("names", options)
    if not len(labels) or not is_numeric_dtype(labels.dtype) or is_bool_dtype(labels.dtype):
        return Measurement("names", options)
    if (labels.to_numpy(dtype=float) % 1 != 0).any():
        kind: Kind = "scores" if reading.ratings.identified and not reading.listed else "order"
        return Measurement(kind, options.at("level", "interval"))
    return Measurement("open" if len(labels) >= MIN_OPEN else "names", options)


def _said(reading: Reading, options: Options) -> Kind:
    if options.nominal:
        return "names"
    if isinstance(options.level, str) and options.level in SET_LEVELS:
        return "sets"
    labels = reading.category_set.labels
    plain = is_numeric_dtype(labels.dtype) and not is_bool_dtype(labels.dtype)
    plain = plain and reading.ratings.identified and not reading.category_set.declared
    coded = as_scores(options) and options.stands_for_both != "weights" and plain
    return "scores" if coded or isinstance(reading.ratings, Scores) else "order"


def is_crowd(n_coders: int, sizes: np.ndarray) -> bool:
    """Whether each item has its own coders: many coders with gaps."""
    return n_coders > MAX_FIXED_CODERS and bool((sizes < n_coders).any())


def main_of_scores(scores: Scores) -> str:
    """The coefficient of scores that is shown first."""
    return "icc_1" if is_crowd(scores.n_coders, scores.sizes) else "icc_a1"


MAX_FIXED_CODERS = 20  # with gaps, more are a crowd
