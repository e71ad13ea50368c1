"""The rules for missing labels: which items are used. Only numpy here."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import TypeVar

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.category_counts import spread
from pandas_agreement.core.ratings import Ratings
from pandas_agreement.errors import choose, counted, wrong_value

R = TypeVar("R", bound=Ratings)


def _complete(ratings: Ratings, coders: Sequence[Hashable]) -> Array:
    if not ratings.identified:
        why = "needs the coders of each item, which these data do not hold"
        raise wrong_value("missing", "complete", why, "use missing='pairable' or missing='all'", code="unknown coders")
    return (ratings.sizes >= 2) & (ratings.sizes == spread(ratings.active_coders(), ratings.group))


def _raise(ratings: Ratings, coders: Sequence[Hashable]) -> Array:
    exists = ratings.sizes >= (1 if ratings.numbered else 0)  # a number without labels belongs to no item
    incomplete = exists & (ratings.sizes < ratings.n_coders)
    n_incomplete, n_items = (float(ratings.weights[items].sum()) for items in (incomplete, exists))
    if n_incomplete:
        of = f"of {n_items:.0f} items"
        which = counted(round(n_incomplete), f"{of} lacks a label", f"{of} lack a label")
        why = f": {which}{_by_coder(ratings, coders)}"
        remedy = "fill them in, or choose missing='pairable', 'all' or 'complete'"
        raise wrong_value("missing", "raise", why, remedy, code="missing labels")
    return ratings.sizes >= 1


def _by_coder(ratings: Ratings, coders: Sequence[Hashable]) -> str:
    """Missing labels of each coder, in parentheses."""
    if ratings.numbered or not ratings.identified:
        return ""
    labels = replace(ratings, group=None, n_groups=1).coder_totals().sum((0, 2))
    gaps = (ratings.weights.sum() - labels).tolist()
    return " (" + ", ".join(f"{name!r}: {n:.0f}" for name, n in zip(coders, gaps, strict=True) if n) + ")"


#: which items (I,) each rule keeps
RULES: dict[str, Callable[[Ratings, Sequence[Hashable]], Array]] = {
    "pairable": lambda ratings, coders: ratings.sizes >= 2,
    "all": lambda ratings, coders: ratings.sizes >= 1,
    "complete": _complete,
    "raise": _raise,
}


def keep(ratings: R, rule: str, coders: Sequence[Hashable]) -> tuple[R, Array]:
    """The ratings that a rule keeps, and which items these are: (I,) of bool."""
    kept = choose("missing", rule, RULES)(ratings, coders)
    return (ratings if kept.all() else ratings.select(kept)), kept
