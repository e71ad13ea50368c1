"""`alt_test`: the alternative annotator test of Calderon, Reichart and Dror (2025), with the constant answer beside it.

For each human the judge and the human are compared by their agreement with the other humans, item by item. The judge
holds its own against a human if it is ahead on more items, or behind by less than epsilon (t test, lower tail).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.distances import Distance, Nominal
from pandas_agreement.core.quantiles import t_tail
from pandas_agreement.core.remarks import Remarks
from pandas_agreement.core.sums import divide
from pandas_agreement.errors import InputError, choose
from pandas_agreement.judges.labels import HumanLabels
from pandas_agreement.judges.panel import Judged, JudgedItems
from pandas_agreement.judges.rows import human_levels, judged_index, note_items
from pandas_agreement.results import frames, schemas

#: what a judge is given for being cheaper than annotators of this kind
EPSILONS = {"expert": 0.2, "skilled": 0.15, "crowd": 0.1}
FALSE_DISCOVERIES = 0.05
ENOUGH = 0.5  # winning rate
ROUNDING = 1e-12


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
