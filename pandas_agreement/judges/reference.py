"""The human standard of each item, and the judged items: the label of one human, the majority, or the mean score."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.sums import divide
from pandas_agreement.errors import InputError, nearest, shown
from pandas_agreement.inference.means import means
from pandas_agreement.judges.panel import Judged

MAJORITY, MEAN = "majority", "mean"


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


def standard_of(judged: Judged, reference: Hashable, values: Array | None = None) -> tuple[Array, Array]:
    """The standard of every item, and whether several labels lead: (I,) each.

    It is a label, -1 where there is none, or with `values`, the score of each category, a score.
    """
    ratings, J, K = judged.reading.ratings, len(judged.judges), judged.reading.ratings.n_categories
    if reference in judged.humans:
        standard = ratings.codes_of(J + list(judged.humans).index(reference))
        return standard if values is None else np.append(values, np.nan)[standard], np.zeros(len(standard), bool)
    counts = judged.of_humans.counts
    if values is None:
        first, top, leaders = counts.leaders()
        return np.where((leaders == 1) & (top > 0), first, -1), (leaders > 1) & (top > 0)
    sums, number = (np.append(each, np.zeros(K - len(values)))[None] for each in (values, np.ones(len(values))))
    return divide(counts.dot(sums, None), counts.dot(number, None)), np.zeros(ratings.n_items, bool)


@dataclass(frozen=True, eq=False)
class Items:
    """The judged items of all judges, or other coders, below each other: (I,) each."""

    row: Array  # group and judge
    n_rows: int
    item: Array  # the position in the reading
    judge: Array  # label of the judge
    standard: Array  # human label or score
    missing: Array  # there is none
    weight: Array  # 1 / probability of a human label
    cluster: Array | None
    tied: Array  # (R,) judged items whose humans are tied
    unjudged: Array  # (R,) items with a human label and none of the judge

    @classmethod
    def of(
        cls, judged: Judged, reference: Hashable, values: Array | None = None, probability: Array | None = None
    ) -> Items:
        standard, tied = standard_of(judged, reference, values)
        items = cls.paired(judged, [(judge, standard) for judge in range(len(judged.judges))])
        weight = items.weight if probability is None else 1 / probability[items.item]
        return replace(items, weight=weight, tied=np.bincount(items.row, tied[items.item], items.n_rows))

    @classmethod
    def paired(cls, judged: Judged, pairs: Sequence[tuple[int, Array]]) -> Items:
        """The items of pairs of a coder and a standard, below each other; a row is a group and a pair."""
        ratings, P = judged.reading.ratings, len(pairs)
        codes, standard = (np.stack(part) for part in zip(*((ratings.codes_of(c), s) for c, s in pairs), strict=True))
        missing = np.isnan(standard) if standard.dtype.kind == "f" else standard < 0
        rows, R = ratings.item_group * P + np.arange(P)[:, None], ratings.n_groups * P
        cells = np.nonzero(codes >= 0)
        item, clusters = cells[1], judged.reading.clusters
        return cls(
            rows[cells],
            R,
            item,
            codes[cells],
            standard[cells],
            missing[cells],
            np.ones(len(item)),
            None if clusters is None else clusters[item],
            np.zeros(R),
            np.bincount(rows[(codes < 0) & ~missing], minlength=R),
        )

    @property
    def labelled(self) -> Array:
        """Items with a human label or score."""
        return ~self.missing

    def table(self, chosen: Array, *parts: tuple[Array, int]) -> Array:
        """Numbers of the chosen items by row and the given codes: (R, ...)."""
        cell, shape = self.row, [self.n_rows]
        for code, size in parts:
            cell, shape = cell * size + code, [*shape, size]
        return np.bincount(cell[chosen], minlength=int(np.prod(shape))).reshape(shape).astype(float)

    def means(self, values: Array) -> tuple[Array, Array, Array]:
        """Means of values (I, V), standard errors of items or clusters, and degrees of freedom: (R, V) each."""
        parts = [means(column, self.row, self.n_rows, self.cluster) for column in values.T]
        df = [np.full(self.n_rows, np.inf) if self.cluster is None else part.df for part in parts]
        return (
            np.stack([part.value for part in parts], -1),
            np.stack([part.se for part in parts], -1),
            np.stack(df, -1),
        )
