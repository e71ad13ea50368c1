"""The column `note`: undefined values, missing standard errors, rare categories, coders without labels.

Common notes have up to 26 characters: pandas then shows estimate, interval and `n_items` beside them on 80 columns.
What they mean at length is in the documentation.

`Notes` also sets values and standard errors to NaN or to an exact 0 in degenerate cases. These are recognized from the
integer counts, never by comparing floats. Only numpy here.
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
from pandas_agreement.core.item_statistics import ItemStatistics
from pandas_agreement.core.ratings import LongRatings
from pandas_agreement.core.sums import divide, dot
from pandas_agreement.inference.evaluation import Evaluation
from pandas_agreement.inference.standard_errors import Uncertainty

NOTHING = ItemStatistics.nothing
FRACTIONS = 'fractions: see icc, alpha(level="interval")'
FEW_CATEGORIES = "uses few of all categories"
MIN_LABELS_PER_CATEGORY = 5  # with fewer labels in a category intervals are too narrow


CROWD = "crowd: see pool='pairs'"
MAX_FIXED_CODERS = 20  # who may label less than half of the items; more are a crowd
MAX_NAMED = 3  # coders named in a note
HEAVIEST = 0.05  # part of the items that should not carry half of the weight

FAR = 4.0  # times the mean distance between labels
MAX_CATEGORIES = 20  # more are values, of which most are rare
MIN_LABELS_FAR_AWAY = 10  # with fewer labels in such a category score intervals may be too narrow


class Source(Protocol):
    """The coders of the ratings, and whether the user named them."""

    @property
    def coders(self) -> Sequence[Hashable]: ...
    @property
    def named(self) -> bool: ...
    @property
    def many_fractions(self) -> bool: ...
    @property
    def pooled_categories(self) -> bool: ...


class Notes:
    """The notes of one coefficient, by group."""

    def __init__(self, record: Coefficient, evaluation: Evaluation, source: Source) -> None:
        self._record, self._evaluation, self._source = record, evaluation, source
        self._ratings = evaluation.statistics.ratings
        self._parts: list[tuple[Array, str]] = []  # groups (numbers or (G,) of bool) and their note
        self.n_coders = self._active_coders()
        self._too_few_coders = np.zeros(self._ratings.n_groups, bool)  # for a standard error over coders
        self._at_chance = (evaluation.value == 0) & record.stops_at_chance
        self.reasons: dict[str, int] = {}  # reason: number of groups undefined because of it

    def _active_coders(self) -> Array:
        """Number of coders with a label in each group: (G,)."""
        if self._record.kind == "items" and self._record.needs_coders and self._ratings.identified:
            return np.einsum("gc->g", (self._evaluation.statistics.sums.coder_sizes > 0).astype(np.int64))
        return self._ratings.active_coders()

    @cached_property
    def _totals(self) -> Array | None:
        """Labels by group, coder and category, None without coders; computed on first use: (G, C, K)."""
        if not self._ratings.identified:
            return None
        totals = self._evaluation.statistics.sums.coders if self._record.kind == "items" else None
        return self._ratings.coder_totals() if totals is None else totals

    def _note(self, groups: Array, text: str) -> None:
        if groups.any():
            self._parts.append((groups, text))

    def _note_each(self, texts: Mapping[int, str]) -> None:
        self._parts += [(np.array([group]), text) for group, text in texts.items()]

    def _note_reasons(self, reasons: Mapping[str, Array]) -> None:
        for reason, groups in reasons.items():
            self._note(groups, reason)
            self.reasons[reason] = int(groups.sum())

    def settle(self, evaluation: Evaluation) -> Evaluation:
        """Note why values are undefined, and set values that are 0 except for rounding to 0."""
        undefined = np.isnan(evaluation.value)
        if undefined.any():
            self._note_undefined(undefined, evaluation.statistics.n_items[1] == 0)
        if len(evaluation.undefined_pairs):
            self._note_undefined_pairs(evaluation.undefined_pairs)
        self._constant = self._find_constant(evaluation)
        if self._record.kind == "items" and self._constant.any():
            evaluation = replace(evaluation, value=np.where(self._constant & ~undefined, 0.0, evaluation.value))
        return evaluation

    def _note_undefined(self, undefined: Array, empty: Array) -> None:
        several = (self._label_totals() > 0).sum(-1) > 1
        alone = "only one category used"
        if self._record.depends_on_k:
            alone = "only one category: give categories="
        reasons = {
            self._evaluation.statistics.nothing: undefined & empty,
            alone: undefined & ~empty & ~several,
            "labels count as the same": undefined & ~empty & several,
        }
        self._note_reasons(reasons)

    def _note_undefined_pairs(self, undefined: Array) -> None:
        """Name up to three pairs of coders per group; `undefined` holds group, coder and coder."""
        groups, starts = np.unique(undefined[:, 0], return_index=True)
        for group, pairs in zip(groups, np.split(undefined[:, 1:], starts[1:]), strict=False):
            names = [f"{self._source.coders[a]} and {self._source.coders[b]}" for a, b in pairs[:3]]
            more = f" and {len(pairs) - 3} more pairs" if len(pairs) > 3 else ""
            self._note_each({group: f"kappa undefined and left out: {', '.join(names)}{more}"})

    def _find_constant(self, evaluation: Evaluation) -> Array:
        """Groups of two coders in which a coder used one category only: a value of 0 without a standard error."""
        if not self._record.zero_if_constant or not (self.n_coders == 2).any() or self._totals is None:
            return np.zeros(self._ratings.n_groups, bool)
        squares, size = dot(self._totals, self._totals), np.einsum("...k->...", self._totals)  # (G, C)
        alone = (squares == size**2) & (size > 0)  # all labels of the coder are of one category
        n_items, n_paired = evaluation.statistics.n_items
        complete = (self.n_coders == 2) & (n_items == n_paired) & (n_items > 1)  # both coders labelled all items
        return complete & ~np.isnan(evaluation.value) & (evaluation.observed != 0) & alone.any(-1)

    def trust(self, uncertainty: Uncertainty, explanations: Mapping[int, str] | None = None) -> Uncertainty:
        """Set meaningless standard errors to NaN, with a note; `explanations` are notes of single groups."""
        defined = ~np.isnan(self._evaluation.value)
        if not explanations and (defined & (uncertainty.se > 0) & ~self._constant).all():
            return uncertainty
        self._note(self._constant, "constant coder: no se")
        fixed = self._is_fixed(uncertainty) & ~self._constant
        self._note(fixed, "not above chance: no se")
        se = np.where(self._constant | fixed | ~defined, np.nan, uncertainty.se)
        self._note_each(explanations or {})
        explained = self._constant | fixed | self._too_few_coders
        explained[list(explanations or {})] = True
        unexplained = defined & np.isnan(se) & ~explained
        self._note(unexplained & (uncertainty.df < 1), "one item or cluster: no se")
        self._note(unexplained & (uncertainty.df >= 1), "undefined without one item: no se")
        perfect = (se == 0) & (self._evaluation.observed == 0) & (self._record.perfect is not None)
        self._note(perfect, "perfect: ci_low is a bound")
        self._note((se == 0) & ~perfect, "all items alike: se is 0")
        return replace(uncertainty, se=se)

    def say_rare(self, method: str) -> None:
        """Note categories so rare that the interval is too narrow."""
        if not self._record.corrected:
            return
        distance, totals = self._evaluation.statistics.distance, self._label_totals()
        defined = ~np.isnan(self._evaluation.value)
        if isinstance(distance, Nominal) and method != "score":
            rare = ((totals > 0) & (totals < MIN_LABELS_PER_CATEGORY)).any(-1)
            self._note(defined & rare, f"a category has < {MIN_LABELS_PER_CATEGORY} labels")
        if method == "score" and not isinstance(distance, Nominal) and 0 < distance.n_categories <= MAX_CATEGORIES:
            p = divide(totals, totals.sum(-1, keepdims=True))
            away = distance.apply(p)  # mean distance of each category to the labels
            far = away > FAR * (p * away).sum(-1, keepdims=True)
            rare = (far & (totals < MIN_LABELS_FAR_AWAY)).any(-1)
            self._note(defined & rare, f"a far category has < {MIN_LABELS_FAR_AWAY} labels")

    def _is_fixed(self, uncertainty: Uncertainty) -> Array:
        """Groups whose value is 0 because agreement is not above chance, without a standard error."""
        return self._at_chance & ~(uncertainty.se > 0)

    def say_which_factor(self, sampling: str, uncertainty: Uncertainty) -> None:
        """Note which factor is random, if not the items alone: coders, or items and coders."""
        about = {"coders": "ci for other coders", "both": "ci for other items and coders"}
        estimated = ~np.isnan(uncertainty.se) & ~self._is_fixed(uncertainty)
        self._note(estimated, about[sampling])
        self._too_few_coders = ~estimated & (self.n_coders > 0) & ~self._at_chance
        self._note(self._too_few_coders, "too few coders for se")

    def _label_totals(self) -> Array:
        if self._record.needs_coders and self._totals is not None:
            return self._totals.sum(1)
        statistics = self._evaluation.statistics
        return statistics.totals if statistics.unit == "label" else self._ratings.label_totals()

    def text(self) -> str | Array:
        """The notes of all groups (G,), or one empty string."""
        self._note_inactive_coders()
        self._note_categories_of_others()
        self._note_crowd()
        if self._record.more:
            self._note(self._evaluation.value > 0, self._record.more)
        nominal = not self._record.needs_numbers and isinstance(self._evaluation.statistics.distance, Nominal)
        if nominal and self._source.many_fractions:
            self._note(self.n_coders > 0, FRACTIONS)
        if not self._parts:
            return ""
        notes = np.full(self._ratings.n_groups, "", dtype=object)
        for groups, text in self._parts:
            notes[groups] = [f"{old}; {text}" if old else text for old in notes[groups]]
        return notes

    def _note_categories_of_others(self) -> None:
        """Note groups that use less than half of the categories seen in any group, if most groups do."""
        if not (self._record.depends_on_k and self._source.pooled_categories):
            return
        totals = self._label_totals()
        used = (totals > 0).sum(-1)
        few = (used > 0) & (2 * used < totals.shape[-1])
        if 2 * few.sum() > (used > 0).sum() > 1:
            self._note(few, FEW_CATEGORIES)

    def _note_crowd(self) -> None:
        """Note kappa of coders who share few items, and items with so many labels that they decide alone."""
        record, n_groups = self._record, self._ratings.n_groups
        by_pairs = record.accepts("pool") and record.kind == "pairs"
        many = record.accepts("pool") and not by_pairs and bool((self.n_coders > MAX_FIXED_CODERS).any())
        heavy = record.unit == "label" or by_pairs
        if not (many or heavy):
            return
        group, sizes, number = self._ratings.size_counts()
        if many:
            items, labels = (np.bincount(group, each * number, n_groups) for each in (1, sizes))
            self._note((self.n_coders > MAX_FIXED_CODERS) & (labels < items * self.n_coders / 2), CROWD)
        if heavy:
            weight = np.where(sizes > 1, sizes * (sizes - 1.0) if by_pairs else sizes, 0.0)
            for place, share in _heavy(weight, number, group, n_groups).items():
                self._note_each({place: f"5% of items carry {share:.0%} of weight"})

    def _note_inactive_coders(self) -> None:
        """Note which coders that the user named have no usable label."""
        local = isinstance(self._ratings, LongRatings) and self._ratings.group is not None  # numbered within groups
        all_active = not (self.n_coders < len(self._source.coders)).any()
        if all_active or not self._source.named or local or self._totals is None:
            return
        inactive = (self._totals.sum(-1) == 0) & (self.n_coders > 0)[:, None]  # (G, C)
        many = inactive.sum(1) > MAX_NAMED
        for coder in np.flatnonzero(inactive[~many].any(0)):
            self._note(inactive[:, coder] & ~many, f"no usable label from {self._source.coders[int(coder)]}")
        for group in np.flatnonzero(many):
            places = np.flatnonzero(inactive[group])
            names = ", ".join(str(self._source.coders[int(coder)]) for coder in places[:MAX_NAMED])
            self._note_each({int(group): f"no usable label from {names} and {len(places) - MAX_NAMED} more"})


def _heavy(weight: Array, number: Array, group: Array, n_groups: int) -> dict[int, float]:
    """Groups in which the heaviest 5 % of the items carry more than half of the weight, and how much.

    There are `number` items of a weight: (N,).
    """
    counted = weight > 0
    weight, number, group = weight[counted], number[counted], group[counted]
    if weight.max(initial=0) < weight.min(initial=np.inf) / (2 * HEAVIEST):  # none has ten times the mean
        return {}
    order = np.lexsort((-weight, group))
    weight, number, group = weight[order], number[order], group[order]
    items = np.bincount(group, number, n_groups)
    heavier = np.cumsum(number) - number - (np.cumsum(items) - items)[group]  # items of the group before these
    heaviest = np.clip(np.floor(HEAVIEST * items)[group] - heavier, 0, number)
    share = divide(np.bincount(group, weight * heaviest, n_groups), np.bincount(group, weight * number, n_groups))
    return {int(each): float(share[each]) for each in np.flatnonzero(share > 0.5)}


class ScoreNotes(Notes):
    """The notes of a coefficient of scores."""

    def _note_crowd(self) -> None:
        """Scores have coefficients for crowds of their own."""

    def settle(self, evaluation: Evaluation) -> Evaluation:
        undefined, empty = np.isnan(evaluation.value), evaluation.statistics.n_items[1] == 0
        remarks = {} if evaluation.own is None else evaluation.own.remarks
        unknown = undefined & ~empty & ~np.any([*remarks.values(), np.zeros_like(empty)], axis=0)
        reasons = {text: undefined & ~empty & groups for text, groups in remarks.items()}
        few = "too few items or no variation"
        self._note_reasons({NOTHING: undefined & empty, **reasons, few: unknown})
        for text, groups in remarks.items():
            self._note(groups & ~undefined, text)
        left_out = None if evaluation.own is None else evaluation.own.left_out
        for group, n in enumerate([] if left_out is None else left_out.tolist()):
            if n:
                self._note_each({group: f"{n:.0f} item{'' if n == 1 else 's'} with gaps left out"})
        return evaluation

    def trust(self, uncertainty: Uncertainty, explanations: Mapping[int, str] | None = None) -> Uncertainty:
        self._note_each(explanations or {})
        return uncertainty

    def say_rare(self, method: str) -> None:
        """Scores have no categories."""

    def _note_inactive_coders(self) -> None:
        """Coders without a usable score are not named."""


def notes_of(record: Coefficient, evaluation: Evaluation, source: Source) -> Notes:
    """The notes of a coefficient of labels or of scores."""
    return (Notes if evaluation.own is None else ScoreNotes)(record, evaluation, source)
