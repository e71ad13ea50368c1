"""The remarks on a coefficient: undefined values, missing standard errors, rare categories, coders without labels.

`Notes` also sets values and standard errors to NaN or to an exact 0 in degenerate cases. These are recognized from the
integer counts, never by comparing floats. Only numpy here.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from pandas_agreement.coefficients.registry import Coefficient
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.distances import Nominal
from pandas_agreement.core.item_statistics import ItemStatistics
from pandas_agreement.core.ratings import LongRatings
from pandas_agreement.core.remarks import Remarks
from pandas_agreement.core.sums import divide, dot
from pandas_agreement.inference.bootstrap import MAX_UNDEFINED_SHARE
from pandas_agreement.inference.evaluation import Evaluation, Uncertainty

NOTHING = ItemStatistics.nothing
FRACTIONS = 'fractions: see icc, alpha(level="interval")'
FEW_CATEGORIES = "uses few of all categories"
ALONE = "hardly any label outside one category"
MIN_LABELS_PER_CATEGORY = 5  # with fewer labels in a category intervals are too narrow


SMALL = "small errors only: ci_low may be high"
CROWD = "crowd: see pool='pairs'"
MAX_FIXED_CODERS = 20  # who may label less than half of the items; more are a crowd
MAX_NAMED = 3  # coders named in a note
HEAVIEST = 0.05  # part of the items that should not carry half of the weight

FAR = 4.0  # times the mean distance between labels
MAX_CATEGORIES = 20  # more are values, of which most are rare
MIN_LABELS_FAR_AWAY = 10  # with fewer labels in such a category score intervals may be too narrow
MIN_ITEMS_OUTSIDE = 3.0  # items' worth of labels outside the largest category; with fewer they may be, too,
MIN_SHARE_OUTSIDE = 0.1  # if these are a smaller share of all labels


class NamedCoders(Protocol):
    """The coders of the ratings, and whether the user named them."""

    @property
    def coders(self) -> Sequence[Hashable]: ...
    @property
    def named(self) -> bool: ...
    @property
    def many_fractions(self) -> bool: ...
    @property
    def pooled_categories(self) -> bool: ...
    @property
    def remarks(self) -> tuple[tuple[str, str], ...]: ...


class Notes:
    """The remarks on one coefficient, by group."""

    def __init__(self, record: Coefficient, evaluation: Evaluation, source: NamedCoders) -> None:
        self._record, self._evaluation, self._source = record, evaluation, source
        self._ratings = evaluation.statistics.ratings
        self.remarks = Remarks(self._ratings.n_groups)
        self.n_coders = self._active_coders()
        self._too_few_coders = np.zeros(self._ratings.n_groups, bool)  # for a standard error over coders
        self._at_chance = (evaluation.value == 0) & record.stops_at_chance

    def _active_coders(self) -> Array:
        """Number of coders with a label in each group: (G,)."""
        if self._record.of_items and self._record.needs_coders and self._ratings.identified:
            return np.einsum("gc->g", (self._evaluation.statistics.sums.coder_sizes > 0).astype(np.int64))
        return self._ratings.active_coders()

    @cached_property
    def _totals(self) -> Array | None:
        """Labels by group, coder and category, None without coders; computed on first use: (G, C, K)."""
        if not self._ratings.identified:
            return None
        totals = self._evaluation.statistics.sums.coders if self._record.of_items else None
        return self._ratings.coder_totals() if totals is None else totals

    def _note_each(self, code: str, texts: dict[int, str]) -> None:
        """Add a remark to single groups."""
        if texts:
            every = np.full(self._ratings.n_groups, "", object)
            every[list(texts)] = list(texts.values())
            self.remarks.add(True, code, every)

    def note_undefined(self, evaluation: Evaluation) -> Evaluation:
        """Note why values are undefined, and set values that are 0 except for rounding to 0."""
        undefined = np.isnan(evaluation.value)
        if undefined.any():
            self._say_why(undefined, evaluation.statistics.n_items[1] == 0)
        if len(evaluation.undefined_pairs):
            self._note_undefined_pairs(evaluation.undefined_pairs)
        self._constant = self._find_constant(evaluation)
        if self._record.of_items and self._constant.any():
            evaluation = replace(evaluation, value=np.where(self._constant & ~undefined, 0.0, evaluation.value))
        return evaluation

    def _say_why(self, undefined: Array, empty: Array) -> None:
        several = (self._label_totals() > 0).sum(-1) > 1
        alone = "only one category used"
        if self._record.depends_on_k:
            alone = "only one category: give categories="
        self.remarks.undefined(undefined & empty, "no pairs", self._evaluation.statistics.nothing)
        self.remarks.undefined(undefined & ~empty & ~several, "one category", alone)
        self.remarks.undefined(undefined & ~empty & several, "same labels", "labels count as the same")

    def _note_undefined_pairs(self, undefined: Array) -> None:
        """Name up to three pairs of coders per group; `undefined` holds group, coder and coder."""
        groups, starts = np.unique(undefined[:, 0], return_index=True)
        texts = {}
        for group, pairs in zip(groups, np.split(undefined[:, 1:], starts[1:]), strict=False):
            names = [f"{self._source.coders[a]} and {self._source.coders[b]}" for a, b in pairs[:3]]
            more = f" and {len(pairs) - 3} more pairs" if len(pairs) > 3 else ""
            texts[int(group)] = f"kappa undefined and left out: {', '.join(names)}{more}"
        self._note_each("left out", texts)

    def _find_constant(self, evaluation: Evaluation) -> Array:
        """Groups of two coders in which a coder used one category only: a value of 0 without a standard error."""
        if not self._record.zero_if_constant or not (self.n_coders == 2).any() or self._totals is None:
            return np.zeros(self._ratings.n_groups, bool)
        squares, size = dot(self._totals, self._totals), np.einsum("...k->...", self._totals)  # (G, C)
        alone = (squares == size**2) & (size > 0)  # all labels of the coder are of one category
        n_items, n_paired = evaluation.statistics.n_items
        complete = (self.n_coders == 2) & (n_items == n_paired) & (n_items > 1)  # both coders labelled all items
        return complete & ~np.isnan(evaluation.value) & (evaluation.observed != 0) & alone.any(-1)

    def check_se(self, uncertainty: Uncertainty, lost: Array | None = None) -> Uncertainty:
        """Set meaningless standard errors to NaN, with a note; `lost` is the share of undefined resamples: (G,)."""
        defined, add = ~np.isnan(self._evaluation.value), self.remarks.add
        lost = np.zeros(len(defined)) if lost is None else lost
        if (defined & (uncertainty.se > 0) & ~self._constant & (lost == 0)).all():
            return uncertainty
        add(self._constant, "constant", "constant coder: no se")
        fixed = self._is_fixed(uncertainty) & ~self._constant
        add(fixed, "at chance", "not above chance: no se")
        se = np.where(self._constant | fixed | ~defined, np.nan, uncertainty.se)
        self._note_lost(lost)
        unexplained = defined & np.isnan(se) & ~self._constant & ~fixed & ~self._too_few_coders & (lost == 0)
        add(unexplained & (uncertainty.df < 1), "no se", "one item or cluster: no se")
        add(unexplained & (uncertainty.df >= 1), "no se", "undefined without one item: no se")
        perfect = (se == 0) & (self._evaluation.observed == 0) & (self._record.perfect is not None)
        add(perfect, "perfect", "perfect: ci_low is a bound")
        add((se == 0) & ~perfect, "se is 0", "all items alike: se is 0")
        return replace(uncertainty, se=se)

    def _note_lost(self, lost: Array) -> None:
        """Note the share of resamples in which the value is undefined."""
        texts = {group: f"{lost[group]:.1%} of resamples undefined" for group in np.flatnonzero(lost).tolist()}
        many = {group: f"{text}: no interval" for group, text in texts.items() if lost[group] > MAX_UNDEFINED_SHARE}
        self._note_each("lost draws", {group: text for group, text in texts.items() if group not in many})
        self._note_each("no se", many)

    def note_rare(self, method: str) -> None:
        """Note categories so rare that the interval is too narrow."""
        if not self._record.corrected:
            return
        distance, totals = self._evaluation.statistics.distance, self._label_totals()
        defined = ~np.isnan(self._evaluation.value)
        if isinstance(distance, Nominal) and method != "score":
            rare = ((totals > 0) & (totals < MIN_LABELS_PER_CATEGORY)).any(-1)
            self.remarks.add(defined & rare, "rare label", f"a category has < {MIN_LABELS_PER_CATEGORY} labels")
        if isinstance(distance, Nominal) and method == "score":
            labels, n = totals.sum(-1), self._evaluation.statistics.n_items[1]
            enough = np.minimum(divide(np.full(n.shape, MIN_ITEMS_OUTSIDE), n), MIN_SHARE_OUTSIDE) * labels
            alone = labels - totals.max(-1, initial=0) < enough
            self.remarks.add(defined & alone & (self._evaluation.observed > 0), "rare label", ALONE)
        if method == "score" and not isinstance(distance, Nominal) and 0 < distance.n_categories <= MAX_CATEGORIES:
            p = divide(totals, totals.sum(-1, keepdims=True))
            away = distance.apply(p)  # mean distance of each category to the labels
            far = away > FAR * (p * away).sum(-1, keepdims=True)
            rare = (far & (totals < MIN_LABELS_FAR_AWAY)).any(-1)
            self.remarks.add(defined & rare, "rare label", f"a far category has < {MIN_LABELS_FAR_AWAY} labels")

    def note_unseen(self, method: str, low: Array, level: float) -> None:
        """Note lower limits that ignore far errors: random labels, so few that a sample may have none, would pass them.

        A part of -log((1 - level) / 2) / n of the items is missed altogether by (1 - level) / 2 of the samples.
        """
        evaluation = self._evaluation
        distance, n = evaluation.statistics.distance, evaluation.statistics.n_items[1]
        if method == "score" and not isinstance(distance, Nominal) and 0 < distance.n_categories <= MAX_CATEGORIES:
            unseen = divide(np.full(n.shape, -np.log((1 - level) / 2)), n)
            self.remarks.add((evaluation.observed > 0) & (evaluation.value - low < unseen), "small errors", SMALL)

    def _is_fixed(self, uncertainty: Uncertainty) -> Array:
        """Groups whose value is 0 because agreement is not above chance, without a standard error."""
        return self._at_chance & ~(uncertainty.se > 0)

    def note_factor(self, sampling: str, uncertainty: Uncertainty) -> None:
        """Note which factor is random, if not the items alone: coders, or items and coders."""
        about = {"coders": "ci for other coders", "both": "ci for other items and coders"}
        estimated = ~np.isnan(uncertainty.se) & ~self._is_fixed(uncertainty)
        self.remarks.add(estimated, "ci of coders", about[sampling])
        self._too_few_coders = ~estimated & (self.n_coders > 0) & ~self._at_chance
        self.remarks.add(self._too_few_coders, "few coders", "too few coders for se")

    def _label_totals(self) -> Array:
        if self._record.needs_coders and self._totals is not None:
            return self._totals.sum(1)
        statistics = self._evaluation.statistics
        return statistics.totals if statistics.unit == "label" else self._ratings.label_totals()

    def columns(self) -> dict[str, Any]:
        """The columns `note` and `remarks` of all groups: (G,) each; none if there are no remarks."""
        self._note_inactive_coders()
        self._note_categories_of_others()
        self._note_crowd()
        if self._record.more:
            self.remarks.add(self._evaluation.value > 0, *self._record.more)
        nominal = not self._record.needs_numbers and isinstance(self._evaluation.statistics.distance, Nominal)
        if nominal and self._source.many_fractions:
            self.remarks.add(self.n_coders > 0, "fractions", FRACTIONS)
        for code, text in self._source.remarks:
            self.remarks.add(self.n_coders > 0, code, text)
        return {} if self.remarks.none.all() else self.remarks.columns()

    def _note_categories_of_others(self) -> None:
        """Note groups that use less than half of the categories seen in any group, if most groups do."""
        if not (self._record.depends_on_k and self._source.pooled_categories):
            return
        totals = self._label_totals()
        used = (totals > 0).sum(-1)
        few = (used > 0) & (2 * used < totals.shape[-1])
        if 2 * few.sum() > (used > 0).sum() > 1:
            self.remarks.add(few, "not used", FEW_CATEGORIES)

    def _note_crowd(self) -> None:
        """Note kappa of coders who share few items, and items with so many labels that they decide alone."""
        record, n_groups = self._record, self._ratings.n_groups
        by_pairs = record.over_pairs == "pooled"
        many = record.accepts("pool") and not by_pairs and bool((self.n_coders > MAX_FIXED_CODERS).any())
        heavy = record.unit == "label" or by_pairs
        if not (many or heavy):
            return
        group, sizes, number = self._ratings.size_counts()
        if many:
            items, labels = (np.bincount(group, each * number, n_groups) for each in (1, sizes))
            self.remarks.add((self.n_coders > MAX_FIXED_CODERS) & (labels < items * self.n_coders / 2), "crowd", CROWD)
        if heavy:
            weight = np.where(sizes > 1, sizes * (sizes - 1.0) if by_pairs else sizes, 0.0)
            found = _heavy(weight, number, group, n_groups)
            texts = {place: f"5% of items carry {share:.0%} of weight" for place, share in found.items()}
            self._note_each("few weigh", texts)

    def _note_inactive_coders(self) -> None:
        """Note which coders that the user named have no usable label."""
        local = isinstance(self._ratings, LongRatings) and self._ratings.group is not None  # numbered within groups
        all_active = not (self.n_coders < len(self._source.coders)).any()
        if all_active or not self._source.named or local or self._totals is None:
            return
        inactive = (self._totals.sum(-1) == 0) & (self.n_coders > 0)[:, None]  # (G, C)
        many = inactive.sum(1) > MAX_NAMED
        for coder in np.flatnonzero(inactive[~many].any(0)):
            self.remarks.add(
                inactive[:, coder] & ~many, "left out", f"no usable label from {self._source.coders[int(coder)]}"
            )
        texts = {}
        for group in np.flatnonzero(many):
            places = np.flatnonzero(inactive[group])
            names = ", ".join(str(self._source.coders[int(coder)]) for coder in places[:MAX_NAMED])
            texts[int(group)] = f"no usable label from {names} and {len(places) - MAX_NAMED} more"
        self._note_each("left out", texts)


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

    def note_undefined(self, evaluation: Evaluation) -> Evaluation:
        undefined, empty = np.isnan(evaluation.value), evaluation.statistics.n_items[1] == 0
        remarks = {} if evaluation.own is None else evaluation.own.remarks
        unknown = undefined & ~empty & ~np.any([*remarks.values(), np.zeros_like(empty)], axis=0)
        self.remarks.undefined(undefined & empty, "no pairs", NOTHING)
        for (code, text), groups in remarks.items():
            self.remarks.undefined(undefined & ~empty & groups, code, text)
        self.remarks.undefined(unknown, "no variation", "too few items or no variation")
        for remark, groups in remarks.items():
            self.remarks.add(groups & ~undefined, *remark)
        if evaluation.own is not None and evaluation.own.left_out is not None:
            what = "item with missing values left out", "items with missing values left out"
            self.remarks.count(evaluation.own.left_out, "left out", *what)
        return evaluation

    def check_se(self, uncertainty: Uncertainty, lost: Array | None = None) -> Uncertainty:
        self._note_lost(np.zeros(self._ratings.n_groups) if lost is None else lost)
        return uncertainty

    def note_rare(self, method: str) -> None:
        """Scores have no categories."""

    def _note_inactive_coders(self) -> None:
        """Coders without a usable score are not named."""


def notes_of(record: Coefficient, evaluation: Evaluation, source: NamedCoders) -> Notes:
    """The notes of a coefficient of labels or of scores."""
    return (Notes if evaluation.own is None else ScoreNotes)(record, evaluation, source)
