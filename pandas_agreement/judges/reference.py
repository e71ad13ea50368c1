"""The human standard of each item: the label of one human, the majority, or the mean score. Only numpy here."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.category_counts import Counts
from pandas_agreement.core.ratings import Labels, Ratings, WideRatings
from pandas_agreement.core.sums import divide
from pandas_agreement.errors import InputError, nearest, shown
from pandas_agreement.judges.panel import Judged

MAJORITY, MEAN = "majority", "mean"


@dataclass(frozen=True, eq=False)
class Labelled:
    """The labels of the judges and the human standard of every item of a reading."""

    judges: Array  # (J, I) codes, -1 is missing
    standard: Array  # (I,) codes, or scores; missing is -1, or NaN
    tied: Array  # (I,) several labels lead
    group: Array  # (I,)
    n_groups: int
    clusters: Array | None  # (I,)


def check_reference(reference: Any, humans: Sequence[Hashable], word: str) -> Hashable:
    """The human, or the word for all of them, that `reference=` names; one human needs none."""
    if reference is None and len(humans) == 1:
        return humans[0]
    listed = f"reference={word!r} or one of them, as in reference={shown(humans[0])}"
    if reference is None:
        problem = "reference= is missing: there are several humans, and which of them is the standard is yours to say"
        raise InputError(problem, f"write {listed}", option="reference", code="missing option")
    if word in humans:
        problem = f"a human is called {word!r}, which stands for all of them in reference="
        raise InputError(problem, "rename the human", option="reference", column=word, code="name taken")
    if isinstance(reference, Hashable) and (reference == word or reference in humans):
        return reference
    remedy = nearest(reference, [word, *humans]) if isinstance(reference, Hashable) else f"write {listed}"
    raise InputError(f"reference={shown(reference)} is not among the humans", remedy, option="reference")


def labelled(judged: Judged, reference: Hashable, values: Array | None = None) -> Labelled:
    """Labels and standard of every item; with `values`, the score of each category, the standard is a score."""
    ratings, J = judged.reading.ratings, len(judged.judges)
    judges = np.stack([ratings.codes_of(judge) for judge in range(J)])
    tied = np.zeros(ratings.n_items, bool)
    if reference in judged.humans:
        standard = ratings.codes_of(J + list(judged.humans).index(reference))
        if values is not None:
            standard = np.append(values, np.nan)[standard]
    elif values is None:
        standard, tied = _majority(_counts(ratings, J, J + len(judged.humans)))
    else:
        counts, outside = _counts(ratings, J, J + len(judged.humans)), np.zeros(ratings.n_categories - len(values))
        sums, number = (np.append(each, outside)[None] for each in (values, np.ones(len(values))))
        standard = divide(counts.dot(sums, None), counts.dot(number, None))
    return Labelled(judges, standard, tied, ratings.item_group, ratings.n_groups, judged.reading.clusters)


def _counts(ratings: Ratings, start: int, stop: int) -> Counts:
    """How many of the coders from `start` to before `stop` gave each label."""
    if isinstance(ratings, WideRatings):
        return replace(ratings, codes=ratings.codes[start:stop], n_coders=stop - start).counts
    long: Any = ratings
    own = (long.coder >= start) & (long.coder < stop)
    return replace(long, labels=Labels(long.item[own], long.coder[own], long.code[own])).counts


def _majority(counts: Counts) -> tuple[Array, Array]:
    """The leading label of each item, -1 if several lead or none was given; and where several lead."""
    first, top, leaders = counts.leaders()
    return np.where((leaders == 1) & (top > 0), first, -1), (leaders > 1) & (top > 0)
