"""What the reader of a row should know, and the cases that need settling by hand.

Undefined values, standard errors that mean nothing (a constant coder, a single item), rare categories, coders without
labels: all found from the integer counts, never by comparing floats. Only numpy here.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Protocol

import numpy as np

from pandas_agreement.coefficients.registry import Coefficient
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.distances import Nominal
from pandas_agreement.core.ratings import LongRatings
from pandas_agreement.inference.evaluation import Evaluation
from pandas_agreement.inference.standard_errors import Uncertainty

NOTHING = "no item has two or more labels"
MIN_LABELS_PER_CATEGORY = 5  # labels in a category below which intervals are known to be too narrow


class Source(Protocol):
    @property
    def coders(self) -> Sequence[Hashable]: ...
    @property
    def named(self) -> bool: ...


class Notes:
    """Gathers the notes of one coefficient, group by group."""

    def __init__(self, record: Coefficient, evaluation: Evaluation, source: Source) -> None:
        self._record, self._source = record, source
        self._evaluation = evaluation
        self._ratings = evaluation.statistics.ratings
        self._parts: list[tuple[Array, str]] = []  # groups (numbers or (G,) bool) and what to say of them
        self.n_coders = self._ratings.active_coders()
        self._few = np.zeros(self._ratings.n_groups, bool)  # groups with too few coders to leave one out
        self._at_chance = (evaluation.value == 0) & record.stops_at_chance
        self.reasons: dict[str, int] = {}  # how many groups are undefined, and why

    @cached_property
    def _totals(self) -> Array | None:
        """Labels by group, coder and category, if it is known who said what; made only if somebody asks."""
        if not self._ratings.identified:
            return None
        known = self._evaluation.statistics.sums.coders if self._record.kind == "items" else None
        return self._ratings.coder_totals() if known is None else known

    def _say(self, where: Array, what: str) -> None:
        if where.any():
            self._parts.append((where, what))

    def settle(self, evaluation: Evaluation) -> Evaluation:
        """Note what is undefined, and make values exact that rounding blurs."""
        undefined = np.isnan(evaluation.value)
        if undefined.any():
            self._say_undefined(undefined, evaluation.statistics.n_items[1] == 0)
        self._name_undefined_pairs(evaluation)
        self._constant = self._find_constant(evaluation)
        if self._record.zero_if_constant and self._record.kind == "items":
            exact = np.where(self._constant & ~undefined, 0.0, evaluation.value)
            evaluation = replace(evaluation, value=exact)
        return evaluation

    def _say_undefined(self, undefined: Array, empty: Array) -> None:
        several = (self._label_totals() > 0).sum(-1) > 1
        alone = "no variation: only one category was used"
        if self._record.depends_on_k:
            alone = "only one category: name the others with the option categories"
        reasons = {
            NOTHING: undefined & empty,
            alone: undefined & ~empty & ~several,
            "no variation: the labels in use count as the same": undefined & ~empty & several,
        }
        self._say_reasons(reasons)

    def _say_reasons(self, reasons: Mapping[str, Array]) -> None:
        for reason, where in reasons.items():
            self._say(where, reason)
            self.reasons[reason] = int(where.sum())

    def _say_each(self, said: Mapping[int, str]) -> None:
        for group, what in said.items():
            self._parts.append((np.array([group]), what))

    def _name_undefined_pairs(self, evaluation: Evaluation) -> None:
        if not len(evaluation.undefined_pairs):
            return
        groups, starts = np.unique(evaluation.undefined_pairs[:, 0], return_index=True)
        for group, pairs in zip(groups, np.split(evaluation.undefined_pairs[:, 1:], starts[1:]), strict=False):
            names = [f"{self._source.coders[a]} and {self._source.coders[b]}" for a, b in pairs[:3]]
            more = f" and {len(pairs) - 3} more pairs" if len(pairs) > 3 else ""
            self._parts.append((np.array([group]), f"kappa undefined and left out: {', '.join(names)}{more}"))

    def _find_constant(self, evaluation: Evaluation) -> Array:
        """Groups of two coders in which a coder used one category only, so that no standard error can be had."""
        if not (self.n_coders == 2).any() or self._totals is None:
            return np.zeros(self._ratings.n_groups, bool)
        used = (self._totals > 0).sum(-1)  # (G, C) categories each coder used
        n_items, n_paired = evaluation.statistics.n_items
        doubly = (self.n_coders == 2) & (n_items == n_paired) & (n_items > 1)  # all rests on the same items
        two = doubly & ~np.isnan(evaluation.value) & (evaluation.observed != 0)
        if self._record.zero_if_constant:
            return two & (used == 1).any(-1)
        return two & (used <= 1).all(-1) & self._record.corrected

    def trust(self, known: Uncertainty, said: Mapping[int, str] | None = None) -> Uncertainty:
        """Take back standard errors that mean nothing; `said` are notes on single groups that explain them."""
        defined = ~np.isnan(self._evaluation.value)
        self._say(self._constant, "constant coder: no standard error")
        fixed = self._is_fixed(known) & ~self._constant
        self._say(fixed, "agreement not above chance: no standard error")
        se = np.where(self._constant | fixed | ~defined, np.nan, known.se)
        self._say_each(said or {})
        explained = np.zeros(len(se), bool)
        explained[list(said or {})] = True
        unknown = defined & np.isnan(se) & ~self._constant & ~fixed & ~explained & ~self._few
        self._say(unknown & (known.df < 1), "one item or cluster: no standard error")
        self._say(unknown & (known.df >= 1), "undefined without one of the items: no standard error")
        perfect = (se == 0) & (self._evaluation.observed == 0) & (self._record.perfect is not None)
        self._say(perfect, "perfect agreement: the lower limit is a bound")
        alike = (se == 0) & ~perfect
        self._say(alike, "all items alike: a standard error of 0 is no certainty")
        if self._record.corrected and isinstance(self._evaluation.statistics.distance, Nominal):
            totals = self._label_totals()
            self._say(
                defined & ((totals > 0) & (totals < MIN_LABELS_PER_CATEGORY)).any(-1),
                f"a category has fewer than {MIN_LABELS_PER_CATEGORY} labels",
            )
        return replace(known, se=se)

    def _is_fixed(self, known: Uncertainty) -> Array:
        """Groups at the value that agreement below chance gives, where nothing varies."""
        return self._at_chance & ~(known.se > 0)

    def say_which_factor(self, sampling: str, known: Uncertainty) -> None:
        """Whom the interval speaks about, if not about other items."""
        about = {"coders": "interval for other coders of these items", "both": "interval for other items and coders"}
        certain = ~np.isnan(known.se) & ~self._is_fixed(known)
        self._say(certain, about[sampling])
        self._few = ~certain & (self.n_coders > 0) & ~self._at_chance
        self._say(self._few, "coders as a sample need three or more, and a value without each")

    def say_shared(self) -> None:
        self._say(self.n_coders > 0, "chance agreement of all groups together")

    def _label_totals(self) -> Array:
        if self._record.needs_coders and self._totals is not None:
            return self._totals.sum(1)
        statistics = self._evaluation.statistics
        return statistics.totals if statistics.unit == "label" else self._ratings.label_totals()

    def text(self) -> str | Array:
        """The notes: one empty string for all, or (G,)."""
        self._idle_coders()
        if not self._parts:
            return ""
        notes = np.full(self._ratings.n_groups, "", dtype=object)
        for where, what in self._parts:
            notes[where] = [f"{old}; {what}" if old else what for old in notes[where]]
        return notes

    def _idle_coders(self) -> None:
        """Coders the user named who gave no label that counts."""
        local = isinstance(self._ratings, LongRatings) and self._ratings.group is not None  # numbered within groups
        everybody = not (self.n_coders < len(self._source.coders)).any()
        if everybody or not self._source.named or local or self._totals is None:
            return
        idle = (self._totals.sum(-1) == 0) & (self.n_coders > 0)[:, None]  # (G, C)
        for coder in np.flatnonzero(idle.any(0)):
            self._say(idle[:, coder], f"no usable label from {self._source.coders[int(coder)]}")


class ScoreNotes(Notes):
    """Gathers the notes of a coefficient of scores."""

    def settle(self, evaluation: Evaluation) -> Evaluation:
        undefined, empty = np.isnan(evaluation.value), evaluation.statistics.n_items[1] == 0
        self._say_reasons({NOTHING: undefined & empty, "too few items, or no variation among them": undefined & ~empty})
        lost = None if evaluation.own is None else evaluation.own.left_out
        if lost is not None:
            gaps = {
                g: f"{lost[g]:.0f} item{'' if lost[g] == 1 else 's'} with gaps left out"
                for g in lost.nonzero()[0].tolist()
            }
            self._say_each(gaps)
        return evaluation

    def trust(self, known: Uncertainty, said: Mapping[int, str] | None = None) -> Uncertainty:
        self._say_each(said or {})
        return known

    def _idle_coders(self) -> None:
        """Coders without a usable score are not named."""


def notes_of(record: Coefficient, evaluation: Evaluation, source: Source) -> Notes:
    """The notes of a coefficient of labels or of scores."""
    return (Notes if evaluation.own is None else ScoreNotes)(record, evaluation, source)
