"""Which items count when labels are missing. Only numpy here."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from pandas_agreement.core.category_counts import spread
from pandas_agreement.core.ratings import LongRatings, Ratings, WideRatings
from pandas_agreement.core.scores import Scores
from pandas_agreement.errors import choose, wrong_value

Array = NDArray[Any]
R = TypeVar("R", bound=Ratings)


def _pairable(ratings: Ratings, coders: Sequence[Hashable]) -> Array:
    return ratings.sizes >= 2


def _all(ratings: Ratings, coders: Sequence[Hashable]) -> Array:
    return ratings.sizes >= 1


def _complete(ratings: Ratings, coders: Sequence[Hashable]) -> Array:
    if not ratings.identified:
        why = "must know which coders labelled an item, and a table of counts does not say"
        raise wrong_value("missing", "complete", why, "use missing='pairable' or missing='all'", code="unknown coders")
    return (ratings.sizes >= 2) & (ratings.sizes == spread(ratings.active_coders(), ratings.group))


def _raise(ratings: Ratings, coders: Sequence[Hashable]) -> Array:
    numbered = isinstance(ratings, LongRatings) or (isinstance(ratings, Scores) and ratings.numbered)
    there = ratings.sizes >= (1 if numbered else 0)  # a number that is no item's has no labels
    lacking = there & (ratings.sizes < ratings.n_coders)
    gaps = float(ratings.weights[lacking].sum())
    if gaps:
        n_items = ratings.weights[there].sum()
        raise wrong_value(
            "missing",
            "raise",
            f": {gaps:.0f} of {n_items:.0f} items lack a label{_by_coder(ratings, coders)}",
            "fill them in, or choose missing='pairable', 'all' or 'complete'",
            code="missing labels",
        )
    return ratings.sizes >= 1


def _by_coder(ratings: Ratings, coders: Sequence[Hashable]) -> str:
    if isinstance(ratings, WideRatings):
        gaps = [float(ratings.weights[code < 0].sum()) for code in ratings.codes]
    elif isinstance(ratings, Scores) and not ratings.numbered:
        gaps = (ratings.n_items - np.bincount(ratings.coder, minlength=ratings.n_coders)).tolist()
    else:
        return ""
    return " (" + ", ".join(f"{name!r}: {n:.0f}" for name, n in zip(coders, gaps, strict=True) if n) + ")"


RULES: dict[str, Callable[[Ratings, Sequence[Hashable]], Array]] = {
    "pairable": _pairable,
    "all": _all,
    "complete": _complete,
    "raise": _raise,
}


def keep(ratings: R, rule: str, coders: Sequence[Hashable]) -> tuple[R, Array]:
    """The ratings that count under a rule, and which items (I,) they are."""
    kept = choose("missing", rule, RULES)(ratings, coders)
    return (ratings if kept.all() else cast(R, ratings.select(kept))), kept
