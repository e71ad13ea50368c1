"""One entry per human label of a judged item, and the tables made of them: `ceilings` and `alt_test`.

`HumanLabels` has the distances of a label to the item's other labels, and votes without the own. Entries are (N,),
items (I,). `ceilings` compares judge and human with the vote of the other humans. `alt_test` is the alternative
annotator test of Calderon, Reichart and Dror (2025), with the constant answer beside it: for each human the judge and
the human are compared by their agreement with the other humans, item by item. The judge holds its own against a human
if it is ahead on more items, or behind by less than epsilon (t test, lower tail).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.category_counts import SparseCounts, pairs_within
from pandas_agreement.core.distances import Distance, Nominal
from pandas_agreement.core.quantiles import t_tail
from pandas_agreement.core.ratings import LongRatings
from pandas_agreement.core.remarks import Remarks
from pandas_agreement.core.sums import divide
from pandas_agreement.errors import InputError, choose
from pandas_agreement.hypothesis_tests.margins import holm_within
from pandas_agreement.judges.panel import Judged, JudgedItems, human_levels, judged_index, note_items
from pandas_agreement.judges.uncertainty import Difference, Sample, Sampled, by_items
from pandas_agreement.options import Options
from pandas_agreement.results import frames, schemas

MEAN = "(mean)"
#: what a judge is given for being cheaper than annotators of this kind
EPSILONS = {"expert": 0.2, "skilled": 0.15, "crowd": 0.1}
FALSE_DISCOVERIES = 0.05
ENOUGH = 0.5  # winning rate
ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class HumanLabels:
    """The human labels of items; the humans are numbered from 0."""

    ratings: LongRatings  # of the humans alone, sorted by item
    judge: Array  # (I,) the judge's label of each item
    n_humans: int

    @classmethod
    def of(cls, items: JudgedItems) -> HumanLabels:
        return cls(items.humans.as_long().by_item, items.judge, items.ratings.n_coders - 1)

    @property
    def item(self) -> Array:
        return self.ratings.item

    @property
    def human(self) -> Array:
        return self.ratings.coder

    @property
    def code(self) -> Array:
        return self.ratings.code

    @cached_property
    def row(self) -> Array:
        """The number of the label's group and human: (N,)."""
        return self.ratings.item_group[self.item] * self.n_humans + self.human

    @cached_property
    def size(self) -> Array:
        """Human labels of the label's item: (N,)."""
        return self.ratings.sizes[self.item].astype(float)

    @property
    def judged(self) -> Array:
        """The judge's label of the label's item: (N,)."""
        return self.judge[self.item]

    @cached_property
    def sample(self) -> Sample:
        """The labels by group and human."""
        return Sample(self.row, self.ratings.weights[self.item], self.ratings.n_groups * self.n_humans)

    def mean_over_humans(self, values: Array) -> Array:
        """Mean over the human labels of each item: (N,) -> (I,)."""
        n = np.maximum(self.ratings.sizes, 1)
        return np.bincount(self.item, values, minlength=self.ratings.n_items) / n

    @cached_property
    def counts(self) -> SparseCounts:
        return self.ratings.counts.sparse()

    def away(self, code: Array, distance: Distance) -> Array:
        """Sum of the distances of a category to the human labels of the label's item: (N,) -> (N,)."""
        if isinstance(distance, Nominal):
            return self.size - self.counts.number_of(self.item, code)
        one, two = pairs_within(self.item)
        out = distance.between(code, self.code)  # to the label itself, and then to all others
        out += np.bincount(one, distance.between(code[one], self.code[two]), minlength=len(code))
        return out + np.bincount(two, distance.between(code[two], self.code[one]), minlength=len(code))

    # ------------------------------------------------------------------------------------------- the vote of the others

    @cached_property
    def votes(self) -> tuple[Array, Array, Array]:
        """Labels whose item has others, the categories that lead among these, and their shares of the vote."""
        return self.counts.votes_of_others(self.item, self.code)

    def vote(self, code: Array) -> Array:
        """The share of a category in the vote of the other humans, where tied ones share equally: (N,) -> (N,)."""
        label, category, share = self.votes
        return np.bincount(label, share * (category == code[label]), minlength=len(code))

    @property
    def tied(self) -> Array:
        """Whether several categories lead among the others: (N,)."""
        return np.bincount(self.votes[0], minlength=len(self.code)) > 1


# ----------------------------------------------------------------------------------- judge and human against the others


def ceilings(judged: Judged, options: Options) -> pd.DataFrame:
    """One row per group, judge and human, and one for the mean over the humans."""
    items = judged.items(2)
    labels = HumanLabels.of(items)
    ours, theirs = labels.vote(labels.judged), labels.vote(labels.code)  # (N,)
    rows, H = items.ratings.n_groups, labels.n_humans
    clusters = None if items.clusters is None else items.clusters[labels.item]
    each = _columns(ours, theirs, labels.sample, clusters, labels.sample.sum(labels.tied), options.ci)
    tied = labels.mean_over_humans(labels.tied) > 0
    means = [labels.mean_over_humans(values) for values in (ours, theirs)]
    mean = _columns(
        means[0], means[1], items.ratings, items.clusters, items.ratings.sum(tied.astype(float)), options.ci
    )
    present = np.column_stack([labels.sample.number().reshape(rows, H) > 0, np.ones(rows, bool)]).ravel()
    columns: dict[str, Any] = {
        name: np.column_stack([each[name].reshape(rows, H), mean[name]]).ravel()[present] for name in each
    }
    is_mean = (np.arange(len(present)) % (H + 1) == H)[present]
    columns["p_holm"] = holm_within(columns["p_value"], is_mean.astype(np.int64))
    remarks = Remarks(rows)
    note_items(judged, items, remarks)
    empty = items.ratings.number() == 0
    remarks.undefined(empty, "no items", "no item with a label of the judge and two or more human labels")
    remarks.warn("ceiling")
    columns |= remarks.columns(np.arange(rows).repeat(H + 1)[present])
    groups, levels = human_levels(judged, [*judged.humans, MEAN], present)
    return frames.result(judged_index(schemas.CEILINGS, groups, levels), columns, schemas.CEILINGS)


def _columns(
    ours: Array, theirs: Array, sample: Sampled, clusters: Array | None, n_ties: Array, ci: float | None
) -> dict[str, Array]:
    """Values and tests of each group of a sample."""
    n = sample.number()
    found: Difference = by_items(ours - theirs, sample, clusters)
    estimate, ceiling = divide(sample.sum(ours), n), divide(sample.sum(theirs), n)
    counts = {"n_items": n, "n_ties": n_ties}
    return found.columns(estimate - ceiling, ci) | {"estimate": estimate, "ceiling": ceiling} | counts


# --------------------------------------------------------------------------------------- the alternative annotator test


def epsilon_of(annotators: str | None, epsilon: float | None) -> float:
    """Epsilon, which has no default."""
    if (annotators is None) == (epsilon is None):
        words = ", ".join(f"{word!r} ({value:g})" for word, value in EPSILONS.items())
        problem = "alt_test needs the advantage that the judge gets for being cheaper than the annotators"
        raise InputError(problem, f"give annotators=, one of {words}, or epsilon=", option="annotators")
    return choose("annotators", annotators, EPSILONS) if epsilon is None else float(epsilon)


@dataclass(frozen=True, eq=False)
class Duels:
    """Judge against each human: (rows, H) each, rows of groups and judges."""

    n: Array
    judge_wins: Array
    human_wins: Array
    se: Array
    p_value: Array  # NaN where a human has too few items
    p_by: Array

    @classmethod
    def of(cls, labels: HumanLabels, judge: Array, distance: Distance, epsilon: float, min_items: int) -> Duels:
        """`judge` is the judge's category for the item of each label: (N,)."""
        theirs = labels.away(labels.code, distance)
        ours = labels.away(judge, distance) - distance.between(judge, labels.code)
        ahead = np.where(np.abs(ours - theirs) <= ROUNDING * (1 + theirs), 0.0, np.sign(theirs - ours))  # of the judge
        sample, shape = labels.sample, (labels.ratings.n_groups, labels.n_humans)
        n = sample.number()
        wins, losses = sample.sum((ahead > 0).astype(float)), sample.sum((ahead < 0).astype(float))
        mean = divide(losses - wins, n)  # of the sign from the human's side
        variance = divide(np.maximum(wins + losses - n * mean**2, 0.0), n - 1)
        se = np.sqrt(divide(np.where(variance > ROUNDING, variance, 0.0), n))
        excess = mean - epsilon
        p = np.where(se > 0, t_tail(-divide(excess, se), n - 1), excess >= 0)  # small if ahead by less than epsilon
        p = np.where(n >= max(min_items, 2), p, np.nan).reshape(shape)
        n, ours, theirs, se = (part.reshape(shape) for part in (n, divide(wins, n), divide(losses, n), se))
        return cls(n, ours, theirs, se, p, benjamini_yekutieli(p))

    @property
    def tested(self) -> Array:
        return ~np.isnan(self.p_value)

    @property
    def rejected(self) -> Array:
        return self.p_by <= FALSE_DISCOVERIES

    def mean(self, values: Array) -> Array:
        """Over the humans who are tested: (rows, H) -> (rows,)."""
        return divide(np.where(self.tested, values, 0.0).sum(-1), self.tested.sum(-1))

    @property
    def winning_rate(self) -> Array:
        return self.mean(self.rejected.astype(float))

    @property
    def advantage(self) -> Array:
        return self.mean(1 - self.human_wins)


def benjamini_yekutieli(p: Array) -> Array:
    """p-values adjusted for false discoveries under any dependence, along the last axis; NaN is no test."""
    order = np.argsort(p, axis=-1)  # NaN last
    m = (~np.isnan(p)).sum(-1, keepdims=True)
    ranks = np.arange(1, p.shape[-1] + 1)
    harmonic = np.append(0.0, np.cumsum(1 / ranks))[m]
    stepped = np.take_along_axis(p, order, -1) * m * harmonic / ranks
    stepped = np.fmin.accumulate(np.where(ranks <= m, stepped, np.inf)[..., ::-1], axis=-1)[..., ::-1]
    adjusted = np.empty(p.shape)
    np.put_along_axis(adjusted, order, np.minimum(stepped, 1.0), -1)
    return np.where(np.isnan(p), np.nan, adjusted)


def constant_answers(items: JudgedItems, distance: Distance) -> list[Array]:
    """The constant answers that may do best: the mode of the human labels and, with weights, their median: (rows,)."""
    totals = items.humans.label_totals()
    if not totals.shape[-1]:  # no labels at all
        return [np.zeros(len(totals), np.intp)]
    answers = [totals.argmax(-1)]
    if not isinstance(distance, Nominal):
        answers.append((totals.cumsum(-1) * 2 >= totals.sum(-1, keepdims=True)).argmax(-1))
    return answers


def best_constant(
    labels: HumanLabels, items: JudgedItems, distance: Distance, epsilon: float, min_items: int
) -> tuple[Array, Array, Array]:
    """The constant answer with the larger winning rate, then advantage, and both of these: (rows,) each."""
    row = labels.ratings.item_group[labels.item]
    tried = []
    for answer in constant_answers(items, distance):
        duels = Duels.of(labels, answer[row], distance, epsilon, min_items)
        tried.append((answer, duels.winning_rate, duels.advantage))
    best, last = tried[0], tried[-1]  # the mode, and the median or the mode again
    better = (last[1] > best[1]) | ((last[1] == best[1]) & (last[2] > best[2]))
    answer, rate, advantage = (np.where(better, new, old) for new, old in zip(last, best, strict=True))
    return answer, rate, advantage


def alt_test(judged: Judged, distance: Distance, epsilon: float, min_items: int, by_human: bool) -> pd.DataFrame:
    """One row per group and judge, or one per human."""
    if len(judged.humans) < 2:
        problem = "alt_test compares the judge with each human by the labels of the other humans"
        raise InputError(problem, "name at least two humans", option="humans", code="too few coders")
    items = judged.items(2)
    labels = HumanLabels.of(items)
    duels = Duels.of(labels, labels.judged, distance, epsilon, min_items)
    if by_human:
        return _by_human(judged, duels, epsilon, min_items)
    answer, omega, rho = best_constant(labels, items, distance, epsilon, min_items)
    n_items, tested = items.ratings.number(), duels.tested.any(-1)
    known: Any = judged.reading.category_set.labels
    columns = {
        "winning_rate": duels.winning_rate,
        "advantage": duels.advantage,
        "ties": duels.mean(1 - duels.judge_wins - duels.human_wins),
        "passed": duels.winning_rate >= ENOUGH,
        "baseline": pd.Series(known.take(answer)).where(n_items > 0).array
        if len(known)
        else np.full(len(n_items), None),
        "baseline_winning_rate": omega,
        "baseline_advantage": rho,
        "baseline_passed": omega >= ENOUGH,
        "epsilon": np.full(len(n_items), epsilon),
        "n_items": n_items,
        "n_humans": duels.tested.sum(-1),
    }
    remarks = Remarks(len(n_items))
    remarks.undefined(~tested, "no items", f"no human has {min_items} items or more")
    remarks.add(tested & (omega >= ENOUGH), "baseline", "a constant answer passes too: this data cannot tell")
    few = np.where(tested, ((duels.n > 0) & ~duels.tested).sum(-1), 0)
    remarks.count(few, "few items", *(f"human{s} with fewer than {min_items} items" for s in ("", "s")))
    if len(judged.humans) == 2:
        remarks.add(tested, "two coders", "two humans: each is the only reference of the other")
    note_items(judged, items, remarks, judged.as_names(distance))
    remarks.warn("winning rate")
    groups, judges = judged.levels()
    index = judged_index(schemas.ALT_TEST, groups, {"judge": judges})
    return frames.result(index, columns | remarks.columns(), schemas.ALT_TEST)


def _by_human(judged: Judged, duels: Duels, epsilon: float, min_items: int) -> pd.DataFrame:
    present = duels.n > 0
    remarks = Remarks(duels.n.shape)
    remarks.add(duels.n < max(min_items, 2), "not tested", f"fewer than {min_items} items: not tested")
    columns: dict[str, Any] = {
        "judge_wins": duels.judge_wins,
        "human_wins": duels.human_wins,
        "ties": 1 - duels.judge_wins - duels.human_wins,
        "difference": duels.judge_wins - duels.human_wins,
        "se": duels.se,
        "p_value": duels.p_value,
        "p_by": duels.p_by,
        "rejected": duels.rejected,
        "epsilon": np.full(duels.n.shape, epsilon),
        "n_items": duels.n,
    }
    columns = {name: values[present] for name, values in columns.items()} | remarks.columns(present)
    groups, levels = human_levels(judged, list(judged.humans), present.ravel())
    return frames.result(judged_index(schemas.ALT_HUMAN, groups, levels), columns, schemas.ALT_HUMAN)
