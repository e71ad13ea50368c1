"""`versus_humans`: agreement of judges with humans, against agreement of the humans with each other."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.coefficients.registry import Coefficient
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.distances import Distance, Nominal
from pandas_agreement.core.quantiles import least_agreement
from pandas_agreement.core.remarks import Remarks
from pandas_agreement.core.sums import divide
from pandas_agreement.errors import InputError, counted, shown, warn
from pandas_agreement.hypothesis_tests.margins import holm
from pandas_agreement.judges.agreement import (
    JUDGE,
    Agreement,
    Measure,
    PairValues,
    constant_items,
    constant_pairs,
    item_agreement,
    modal_label,
    of_items,
    of_pairs,
)
from pandas_agreement.judges.panel import Judged, JudgedItems, judged_index, note_items
from pandas_agreement.judges.uncertainty import Difference, by_influence, by_items, over_humans, with_skewness
from pandas_agreement.options import Options
from pandas_agreement.results import frames, schemas

LEVEL = 0.95  # of the interval and, with one-sided 5 %, the test behind a verdict
ROUNDING = 1e-12
MIN_ITEMS = 20  # of a slice
MIN_COMMON_ITEMS = 10  # of a pair of coders
MIN_LABELS = 5  # of a category and human; with fewer the interval of a corrected coefficient is rough
BETTER, AS_GOOD, WORSE, NOT_SHOWN = "better", "as good", "worse", "not shown"
ONE_HUMAN = "one human: no ceiling"
FRACTIONS = 'fractions: see metrics="alpha", level="interval"'


def default_margin(record: Coefficient) -> float:
    """How much below the humans is still as good, unless told otherwise."""
    return 0.1 if record.corrected else 0.05


@dataclass(frozen=True, eq=False)
class Comparison:
    """One metric of every judge and group."""

    judged: Judged
    record: Coefficient
    items: JudgedItems
    distance: Distance

    @classmethod
    def of(
        cls, judged: Judged, record: Coefficient, options: Options, common: bool = False, merge: bool = True
    ) -> Comparison:
        if record.needs_numbers or record.perfect is None:
            problem = f"versus_humans does not support {record.name}"
            raise InputError(problem, "use 'kappa', 'observed', 'pi', 'alpha', 'ac1', 'ac2' or 's'", option="metric")
        least = min(2, len(judged.humans))
        return cls(judged, record, judged.items(least, common, merge), judged.distance(record, options))

    @property
    def method(self) -> str:
        """How the interval of the difference between judge and humans is made."""
        return "score" if self.record.corrected else "analytic"

    @property
    def over_items(self) -> bool:
        """Agreement is a mean over items, not over pairs of coders."""
        return not self.record.corrected

    @cached_property
    def pairs(self) -> PairValues:
        return PairValues.of(self.record, self.items.ratings, self.distance)

    def compare_pairs(self) -> None:
        """Compute `pairs` now, a part of the call of its own, if the result needs them."""
        if not self.over_items:
            _ = self.pairs

    @property
    def measure(self) -> Measure:
        return of_items(self.distance) if self.over_items else of_pairs(self.record, self.distance)

    @cached_property
    def agreement(self) -> Agreement:
        return self.measure(self.items.ratings) if self.over_items else self.pairs.all()

    def difference(self, agreement: Agreement, options: Options) -> Difference:
        """The difference of all items, with its standard error."""
        ratings, clusters = self.items.ratings, self.items.clusters
        if self.over_items:
            found = by_items(agreement.influence(), ratings, clusters)
        else:
            influence = agreement.influence()
            found = by_influence(agreement.difference, influence, ratings, clusters)
            found = with_skewness(found, influence, ratings, clusters, self.pairs.unit)
        return found.with_coders(over_humans(self.measure, ratings)) if options.sampling == "both" else found

    @cached_property
    def modal(self) -> Array:
        """The constant answer of each row: the label that the humans gave most often."""
        return modal_label(self.items.ratings)

    @cached_property
    def _constant_items(self) -> Array:
        return constant_items(self.items.ratings, self.distance, self.modal)

    @cached_property
    def baseline(self) -> Array:
        """Agreement of the constant answer with the humans: (G,)."""
        ratings = self.items.ratings
        if self.over_items:
            return divide(ratings.sum(self._constant_items), ratings.number())
        return constant_pairs(self.record, ratings, self.distance, self.modal)

    @property
    def bar(self) -> Array:
        """What a judge must be above: the constant answer, and the 0 of guessing if chance is corrected: (G,)."""
        return self.baseline if self.over_items else np.maximum(self.baseline, 0.0)

    def above_bar(self) -> Array:
        """One-sided p, with Holm's adjustment, of a judge who is not above the bar: (G,)."""
        ratings, clusters = self.items.ratings, self.items.clusters
        if self.over_items:
            difference = by_items(item_agreement(ratings, self.distance)[0] - self._constant_items, ratings, clusters)
        else:  # the bar of kappa, pi and alpha is 0, and that of others varies little
            judge = self.pairs.judge_alone()
            difference = by_influence(judge.estimate - self.bar, judge.influence(), ratings, clusters)
        return holm(np.where(difference.se > 0, difference.p_above(0.0), difference.centre <= 0))

    @cached_property
    def copies(self) -> list[str]:
        """The human whom the judge equals on all common items, ten or more and half of the judge's; empty if none."""
        pairs, n_items = self.pairs.pairs, self.items.ratings.number()
        many = self.pairs.n >= np.maximum(n_items[pairs.owner] / 2, MIN_COMMON_ITEMS)
        equal = (pairs.first == JUDGE) & (self.pairs.equal == self.pairs.n) & many
        names = [""] * len(n_items)
        for row, human in zip(pairs.owner[equal].tolist(), pairs.second[equal].tolist(), strict=True):
            names[row] = names[row] or shown(self.judged.humans[human - 1])
        return names


def by_judge(comparison: Comparison, options: Options, margin: float | None, equivalence: bool) -> pd.DataFrame:
    """One row per group and judge."""
    judged, record = comparison.judged, comparison.record
    margin = default_margin(record) if margin is None else margin
    agreement = comparison.agreement
    difference = comparison.difference(agreement, options)
    columns = tested(agreement, difference, margin, equivalence, options.ci)
    n_items = comparison.items.ratings.number()
    columns |= {
        "baseline": np.where(n_items > 0, comparison.baseline, np.nan),
        "n_items": n_items,
        "n_humans": comparison.items.humans.active_coders(),
        "weights": comparison.distance.name,
        "ci_method": comparison.method if options.ci else "",
    }
    _settle(comparison, columns)
    remarks = _remarks(comparison, columns, options)
    columns["verdict"] = verdicts(columns, difference, comparison, remarks)
    columns |= remarks.columns()
    remarks.warn("difference")
    _warn_of_copies(comparison)
    groups, judges = judged.levels()
    index = judged_index(schemas.VERSUS, groups, {"judge": judges}, record.name)
    return frames.result(index, columns, schemas.VERSUS)


def tested(
    agreement: Agreement, difference: Difference, margin: float, equivalence: bool, ci: float | None
) -> dict[str, Any]:
    """Estimates, interval and tests: (G,) each."""
    columns: dict[str, Any] = difference.columns(agreement.difference, ci)
    bounds = {"p_noninferior": difference.p_above(-margin), "p_equivalent": difference.p_equivalent(margin)}
    columns |= {name: np.where(np.isnan(agreement.difference), np.nan, p) for name, p in bounds.items()}
    columns["p_holm"] = holm(columns["p_equivalent" if equivalence else "p_noninferior"])
    return columns | {
        "estimate": agreement.estimate,
        "ceiling": agreement.ceiling,
        "margin": np.full(agreement.estimate.shape, margin),
        "ci_method": "analytic" if ci else "",
    }


def _settle(comparison: Comparison, columns: dict[str, Any]) -> None:
    """The interval where all agree and there is no standard error: down to the value at the least agreement."""
    if comparison.over_items or np.isnan(columns["ci_level"]).all():
        return
    perfect = (columns["estimate"] == 1) & (columns["ceiling"] == 1) & (columns["n_items"] > 1)
    if not perfect.any():
        return
    pairs, level = comparison.pairs, float(columns["ci_level"][0])
    lost = divide((1 - least_agreement(pairs.n, level)) * comparison.pairs.evaluation.unit(), pairs.evaluation.expected)
    mean = divide(pairs.sum(np.where(pairs.of_judge, lost, 0.0)), pairs.sum(pairs.of_judge))
    columns["difference_low"] = np.where(perfect, np.maximum(-mean, -1.0), columns["difference_low"])
    columns["difference_high"] = np.where(perfect, 0.0, columns["difference_high"])


def verdicts(columns: dict[str, Any], difference: Difference, comparison: Comparison, remarks: Remarks) -> Array:
    """The first verdict that holds, in words; always with 95 %."""
    low, high = difference.limits(LEVEL)
    defined = ~np.isnan(columns["difference"]) & (columns["se"] > 0)
    above, below = defined & (low > 0), defined & (high < 0)
    passed = defined & (columns["p_holm"] <= 1 - LEVEL)
    barred = columns["estimate"] <= comparison.bar + ROUNDING
    unclear = ~barred & defined & ~(comparison.above_bar() <= 1 - LEVEL)
    copied = np.array([bool(name) for name in comparison.copies], bool)
    verdict = np.select(
        [copied, (barred | unclear) & below, barred | unclear, above, passed, below],
        [NOT_SHOWN, WORSE, NOT_SHOWN, BETTER, AS_GOOD, WORSE],
        NOT_SHOWN,
    ).astype(object)
    remarks.add((verdict == AS_GOOD) & below, "margin", "below the humans, within the margin")
    alternatives = _alternatives(comparison, columns["estimate"])
    for rows, finding in ((barred, "no better"), (unclear, "not shown to be better")):
        remarks.add(rows, "baseline", [f"{finding} than {other}" for other in alternatives])
    remarks.add(
        copied, "a copy", [f"equal to {name} on all items: an agreement with itself" for name in comparison.copies]
    )
    return verdict


def _alternatives(comparison: Comparison, estimate: Array) -> list[str]:
    """What the judge of each row may be no better than, in words."""
    labels = comparison.judged.reading.category_set.labels
    answers = [shown(labels[int(code)]) if len(labels) else "" for code in comparison.modal]
    guessing = (comparison.baseline < comparison.bar) & (estimate > comparison.baseline + ROUNDING)
    return [
        "guessing" if guess else f"always answering {answer}"
        for guess, answer in zip(guessing.tolist(), answers, strict=True)
    ]


def _warn_of_copies(comparison: Comparison) -> None:
    judges = comparison.judged.levels()[1]
    found = dict.fromkeys((judge, name) for judge, name in zip(judges, comparison.copies, strict=True) if name)
    if found:
        which = ", ".join([f"{shown(judge)} equals {name}" for judge, name in found][:3])
        remedy = "a copy always agrees with its original, so the verdict is 'not shown'"
        warn(f"a judge has the labels of a human on all items: {which}", remedy, code="copied labels")


def _remarks(comparison: Comparison, columns: dict[str, Any], options: Options) -> Remarks:
    """What there is to say about each row."""
    judged, items, record = comparison.judged, comparison.items, comparison.record
    remarks = Remarks(items.ratings.n_groups)
    empty, n_humans = columns["n_items"] == 0, columns["n_humans"]
    undefined = np.isnan(columns["difference"])
    judges = judged.levels()[1]
    remarks.undefined(empty, "no items", "no item with a label of the judge and enough human labels")
    alone = ~empty & (n_humans < 2)
    remarks.undefined(alone, "one human", ONE_HUMAN)
    if len(judged.humans) == 1:
        calls = [f"kappa with its interval: df.agree.kappa({judge!r}, {judged.humans[0]!r})" for judge in judges]
        remarks.add(alone, "see kappa", calls)
    unknown = undefined & ~empty & ~alone
    remarks.undefined(unknown, "undefined", f"{record.name} of the humans or of the judge is undefined")
    _note_constant(comparison, remarks)
    remarks.add(~undefined & (columns["se"] == 0), "se is 0", "all items alike: se is 0")
    no_se = ~undefined & np.isnan(columns["se"]) & (options.sampling == "items")
    remarks.add(no_se, "no se", "one item or cluster: no se")
    if options.sampling == "both":
        known = ~undefined & ~np.isnan(columns["se"])
        remarks.add(known, "ci of coders", "ci for other items and humans")
        remarks.add(known & (n_humans <= 3), "few coders", "the humans are few")
        remarks.add(~undefined & ~known, "few coders", "too few humans for se")
    remarks.add(~empty & (columns["n_items"] < MIN_ITEMS), "few items", f"fewer than {MIN_ITEMS} items")
    as_names = judged.as_names(comparison.distance)
    if isinstance(comparison.distance, Nominal) and judged.reading.many_fractions:
        remarks.add(~empty, "fractions", FRACTIONS)
    if record.corrected and as_names:
        _note_rare(comparison, ~undefined, remarks)
    note_items(judged, items, remarks, as_names)
    return remarks


def _note_constant(comparison: Comparison, remarks: Remarks) -> None:
    """Constant judges, and pairs with a constant human, which are left out."""
    if comparison.over_items:
        return
    totals = comparison.items.ratings
    judge = np.bincount(_judge_cells(comparison.items), minlength=totals.n_groups * totals.n_categories)
    used = (judge.reshape(totals.n_groups, totals.n_categories) > 0).sum(-1)
    remarks.add(used == 1, "constant", "constant judge")
    pairs, left_out = comparison.pairs.pairs, ~comparison.pairs.used
    names: list[list[str]] = [[] for _ in range(totals.n_groups)]
    shown_names = ["the judge", *map(shown, comparison.judged.humans)]
    for row, first, second in zip(
        *(part[left_out].tolist() for part in (pairs.owner, pairs.first, pairs.second)), strict=True
    ):
        names[row].append(f"{shown_names[first]} and {shown_names[second]}")
    remarks.add(True, "left out", [_left_out(comparison.record.name, pairs_of) for pairs_of in names])


def _left_out(what: str, pairs: list[str]) -> str:
    more = f" and {counted(len(pairs) - 3, 'more pair', 'more pairs')}" if len(pairs) > 3 else ""
    return f"{what} left out, as it is undefined or a human is constant: {', '.join(pairs[:3])}{more}" if pairs else ""


def _judge_cells(items: JudgedItems) -> Array:
    return items.ratings.item_group * items.ratings.n_categories + items.judge


def _note_rare(comparison: Comparison, defined: Array, remarks: Remarks) -> None:
    """Rare categories, and pairs of humans with few common items."""
    totals = comparison.items.humans.label_totals()
    n_humans = np.maximum(comparison.items.humans.active_coders(), 1)[:, None]
    rare = ((totals > 0) & (totals < MIN_LABELS * n_humans)).any(-1)
    text = f"rough interval: a category has fewer than {MIN_LABELS} labels per human"
    remarks.add(defined & rare, "rare label", text)
    pairs = comparison.pairs
    few = (
        pairs.used & (pairs.n < MIN_COMMON_ITEMS) & (comparison.items.ratings.number()[pairs.pairs.owner] >= MIN_ITEMS)
    )
    text = f"pairs with fewer than {MIN_COMMON_ITEMS} common items: metrics='observed' rests on items"
    remarks.add(defined & (pairs.sum(few) > 0), "few pairs", text)
