"""Judges and humans: labels outside the categories, and the items of each judge.

`mark_outside` marks labels of judges outside the declared categories before the frame is read. `Judged` is the reading
of all coders, judges first. `Judged.items` puts the items of every judge below each other, the judge as the first coder
and one group per group and judge, so that what is computed by group is computed for all judges in one pass.

The index of results about judges and the notes that they share are here, too.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import pandas as pd

from pandas_agreement.coefficients.registry import Coefficient
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.contingency import MAX_CODERS, distinct
from pandas_agreement.core.distances import Distance, Nominal, Ranks, Table
from pandas_agreement.core.ratings import Labels, LongRatings, Ratings, WideRatings
from pandas_agreement.core.remarks import Remarks
from pandas_agreement.data import Reading
from pandas_agreement.data.labels import CategorySet, encode, spellings, unwrap
from pandas_agreement.engine import distance_for
from pandas_agreement.errors import InputError, counted, plain, shown
from pandas_agreement.options import Options
from pandas_agreement.results import frames
from pandas_agreement.results.schemas import Schema

Invalid = Literal["raise", "missing", "wrong"]
INVALID_RULES = ("raise", "missing", "wrong")


@dataclass(frozen=True, eq=False)
class Roles:
    """Who judges and who is judged by, as the user named them."""

    judges: tuple[Hashable, ...]
    humans: tuple[Hashable, ...]
    categories: Any = None
    invalid: Invalid = "raise"
    run: Hashable | None = None


# ------------------------------------------------------------------------------------ labels outside the categories


class OutsideLabel(frozenset[str]):
    """The label of a judge that is not among the categories: a set, which it stays where cells become sets."""

    def __repr__(self) -> str:
        return "(outside the categories)"


OUTSIDE = OutsideLabel(["outside the categories"])


def declared(columns: Sequence[pd.Series], names: Sequence[Hashable], categories: Any) -> Any:
    """The declared categories: the given ones, or those of the Categoricals among the columns; else None."""
    if categories is not None:
        return categories
    if not any(isinstance(unwrap(column).dtype, pd.CategoricalDtype) for column in columns):
        return None
    category_set = encode(columns, names)[1]
    return pd.CategoricalDtype(category_set.labels, ordered=category_set.ordered)


def with_outside(categories: Any) -> Any:
    """The categories and, last, the one of labels outside them."""
    if isinstance(categories, pd.CategoricalDtype):
        return pd.CategoricalDtype([*categories.categories, OUTSIDE], ordered=categories.ordered)
    return [*categories, OUTSIDE]


def mark_outside(column: pd.Series, names: Any, categories: Any, invalid: Invalid, rows: Any = True) -> pd.Series:
    """The labels of judges, those outside the categories as `OUTSIDE`; the same column if there are none.

    `names` are the judge of each row, or one for all; `rows` are the rows of judges.
    """
    (codes,), own = encode([column], [column.name], remarks=[])
    known = encode([], [], categories)[1].labels
    among = set(known)  # `isin` cannot compare sets with text
    strays = np.array([label not in among for label in own.labels], bool)
    outside = np.append(strays, False)[codes] & rows
    if not outside.any():
        return column
    first = int(outside.argmax())
    judge = plain(names.iloc[first]) if isinstance(names, pd.Series) else names
    _refuse_numbers_as_text(judge, own.labels[np.unique(codes[outside])].tolist(), known.tolist())
    if invalid == "raise":
        of_judge = outside & (names == judge).to_numpy() if isinstance(names, pd.Series) else outside
        raise _not_declared(judge, own.labels, codes[of_judge], known)
    marked = unwrap(column).astype(object).to_numpy(dtype=object, copy=True)
    marked[outside] = OUTSIDE
    return pd.Series(marked, index=column.index, name=column.name, dtype=object)


def _refuse_numbers_as_text(judge: Hashable, strays: list[Any], known: list[Any]) -> None:
    """Raise for a label that is a category in another type, such as '1' and 1: that is no refusal of the judge."""
    for label in strays:
        twin = next((each for each in known if label in spellings(each) or each in spellings(label)), None)
        if twin is not None:
            problem = f"judge {shown(judge)} has the label {shown(label)} and the categories have {shown(twin)}, which"
            problem += " never agree"
            remedy = "they differ in type, so convert one of them, for example with pd.to_numeric(df[...])"
            raise InputError(problem, remedy, option="categories", column=judge, code="never equal")


def _not_declared(judge: Hashable, labels: pd.Index, codes: Array, known: pd.Index) -> InputError:
    """The error for a judge's label outside the declared categories."""
    label, others = plain(labels[int(codes[0])]), len(np.unique(codes)) - 1
    rows = counted(int(np.count_nonzero(codes == codes[0])), "row", "rows")
    more = f" ({others} more like it)" if others else ""
    problem = f"judge {shown(judge)} has the label {shown(label)} in {rows}{more}, which is not among the categories"
    problem += f" {', '.join(map(shown, known[:12].tolist()))}"
    remedy = "correct it, or say invalid='missing' (such labels are left out) or invalid='wrong' (they agree with none)"
    return InputError(problem, remedy, option="invalid", column=judge, code="unknown label")


# ----------------------------------------------------------------------------------------------------- both roles


@dataclass(frozen=True, eq=False)
class JudgedItems:
    """The items of each judge: the judge is coder 0, the humans follow; group g of judge j has the number g * J + j."""

    ratings: Ratings  # items with the same labels may be one weighted item
    item: Array | None  # (I,) their positions in the reading; None if they were merged
    clusters: Array | None  # (I,)
    too_few: Array  # (G * J,) items that the judge labelled, with too few human labels
    unjudged: Array  # (G * J,) items with enough human labels and none of the judge

    @property
    def humans(self) -> Ratings:
        """The labels of the humans, of the same items."""
        return self.ratings.without(0)

    @property
    def judge(self) -> Array:
        """The judge's label of each item: (I,)."""
        return self.ratings.codes_of(0)


@dataclass(frozen=True, eq=False)
class Judged:
    """One reading of judges and humans."""

    reading: Reading  # one entry per item; judges first, then humans, then others such as a column of known labels
    judges: Sequence[Hashable]
    humans: Sequence[Hashable]
    wrong: bool  # the last category of the ratings stands for labels outside the categories
    n_invalid: Array  # (G, J) labels outside the categories
    declared: bool = True  # else the labels that no human used are outside

    @classmethod
    def of(cls, reading: Reading, roles: Roles, categories: Any, marked: bool) -> Judged:
        """From a reading with the declared categories, if any; in the last one are the labels that were marked."""
        J, ratings, category_set = len(roles.judges), reading.ratings, reading.category_set
        if isinstance(ratings, LongRatings) and ratings.n_coders <= MAX_CODERS:
            ratings = ratings.as_wide()
        outside = np.zeros(ratings.n_categories, bool)  # of each category
        if marked:
            outside[-1], category_set = True, encode([], [], categories)[1]
        elif categories is None and roles.invalid == "missing":
            _refuse_scores(reading)
            outside = _of_judges_alone(ratings, J, category_set.labels)
            category_set = _only(category_set, ~outside)
        n_invalid = np.stack([_number_outside(ratings, judge, outside) for judge in range(J)], -1)
        if roles.invalid == "missing" and outside.any():
            kept = ~outside
            ratings = ratings.recode(np.where(kept, np.cumsum(kept) - 1, -1), int(kept.sum()))
        read = replace(reading, ratings=ratings, category_set=category_set)
        wrong = marked and roles.invalid == "wrong"
        return cls(read, roles.judges, roles.humans, wrong, n_invalid, categories is not None)

    @property
    def n_groups(self) -> int:
        return self.reading.ratings.n_groups

    @property
    def of_humans(self) -> Ratings:
        """The labels of the humans, of all items."""
        ratings, first = self.reading.ratings, len(self.judges)
        last = first + len(self.humans)
        if isinstance(ratings, WideRatings):
            return replace(ratings, n_coders=last - first, codes=ratings.codes[first:last])
        long: Any = ratings
        own = (long.coder >= first) & (long.coder < last)
        labels = Labels(long.item[own], long.coder[own] - first, long.code[own])
        return replace(long, n_coders=last - first, labels=labels)

    def levels(self) -> tuple[pd.Index | None, list[Any]]:
        """The group and the judge of each row, in the order of the groups of `items`."""
        groups, J = self.reading.groups, len(self.judges)
        return (None if groups is None else groups.repeat(J)), list(self.judges) * self.n_groups

    def distance(self, record: Coefficient, options: Options) -> Distance:
        """The distance between the categories; labels outside them differ from all."""
        distance = distance_for(record, self.reading, options)
        return _with_outside(distance) if self.wrong else distance

    def as_names(self, distance: Distance) -> bool:
        """Whether labels are compared as names, and not as numbers or sets."""
        return isinstance(distance, Nominal) or not (self.reading.has_values or has_sets(self.reading))

    def unshared(self) -> list[list[Any]]:
        """The labels of each judge that no human used, where no categories are declared."""
        if self.reading.category_set.declared:
            return [[] for _ in self.judges]
        used = _totals(self.reading.ratings).sum(0) > 0  # (C, K)
        J, H = len(self.judges), len(self.humans)
        alone = used[:J] & ~used[J : J + H].any(0)
        return [self.reading.category_set.labels[row].tolist() for row in alone]

    def items(self, least: int = 2, common: bool = False, merge: bool = True) -> JudgedItems:
        """The items with a label of the judge and at least so many human labels.

        `common` keeps the items that all judges labelled; `merge` makes one weighted item of those with the same
        labels, unless there are clusters.
        """
        ratings, J, H = self.reading.ratings, len(self.judges), len(self.humans)
        if isinstance(ratings, LongRatings):
            return self._long_items(ratings, least, common)
        if not isinstance(ratings, WideRatings):
            raise TypeError("judges need the coder of each label")
        humans = ratings.codes[J : J + H]
        labelled = np.stack([code >= 0 for code in ratings.codes[:J]])  # (J, I)
        enough = np.sum([code >= 0 for code in humans], axis=0) >= least
        if common:
            labelled &= labelled.all(0)
        parts = []
        merge = merge and self.reading.clusters is None
        for judge, code in enumerate(ratings.codes[:J]):
            kept = labelled[judge] & enough
            part = WideRatings(H + 1, ratings.n_categories, ratings.n_groups, ratings.group, None, (code, *humans))
            part = part if kept.all() else part.select(kept)
            parts.append(distinct(part, coders=True) if merge else part)
        item = None if merge else np.concatenate([np.flatnonzero(one & enough) for one in labelled])
        group = [part.item_group * J + judge for judge, part in enumerate(parts)]
        merged = any(part.weight is not None for part in parts)
        weight = np.concatenate([part.weights for part in parts]) if merged else None
        codes = tuple(np.concatenate(each) for each in zip(*(part.codes for part in parts), strict=True))  # type: ignore[attr-defined]
        whole = WideRatings(H + 1, ratings.n_categories, ratings.n_groups * J, np.concatenate(group), weight, codes)
        return self._judged_items(whole, item, labelled, enough)

    def _long_items(self, ratings: LongRatings, least: int, common: bool) -> JudgedItems:
        """The same for long ratings, which are not pivoted."""
        J, H = len(self.judges), len(self.humans)
        humans: Any = self.of_humans
        owner, coder, code = humans.item, humans.coder + 1, humans.code
        enough = np.bincount(owner, minlength=ratings.n_items) >= least
        label = np.full((J, ratings.n_items), -1)
        own = ratings.coder < J
        label[ratings.coder[own], ratings.item[own]] = ratings.code[own]
        labelled = label >= 0
        if common:
            labelled &= labelled.all(0)
        kept = labelled & enough  # (J, I)
        number = (np.cumsum(kept) - 1).reshape(kept.shape)
        judge, item = np.nonzero(kept)
        of_humans = [np.flatnonzero(kept[each][owner]) for each in range(J)]
        labels = Labels(
            np.concatenate([number[judge, item], *(number[each][owner[rows]] for each, rows in enumerate(of_humans))]),
            np.concatenate([np.zeros(len(item), np.int64), *(coder[rows] for rows in of_humans)]),
            np.concatenate([label[judge, item], *(code[rows] for rows in of_humans)]),
        )
        group, G = ratings.item_group[item] * J + judge, ratings.n_groups * J
        whole = LongRatings(H + 1, ratings.n_categories, G, group, None, labels, len(item))
        return self._judged_items(whole, item, labelled, enough)

    def _judged_items(self, ratings: Ratings, item: Array | None, labelled: Array, enough: Array) -> JudgedItems:
        clusters = self.reading.clusters
        return JudgedItems(
            ratings=ratings,
            item=item,
            clusters=None if clusters is None or item is None else clusters[item],
            too_few=self._number(labelled & ~enough),
            unjudged=self._number(~labelled & enough),
        )

    def _number(self, which: Array) -> Array:
        """Items by group and judge: (J, I) of bool -> (G * J,)."""
        group = self.reading.ratings.item_group
        number = [np.bincount(group[row], minlength=self.n_groups) for row in which]
        return np.stack(number, -1).ravel()


def _totals(ratings: Ratings) -> Array:
    """Labels by coder and category: (1, C, K), with the numbers that the coders have in the reading."""
    return replace(ratings, group=None, n_groups=1).coder_totals()


def has_sets(reading: Reading) -> bool:
    """Whether some labels are sets."""
    labels = reading.category_set.labels
    return labels.dtype == object and any(isinstance(label, frozenset) for label in labels)


def _of_judges_alone(ratings: Ratings, J: int, labels: pd.Index) -> Array:
    """Which categories the first J coders used and nobody else did, a set if that holds for one of its labels: (K,)."""
    used = _totals(ratings).sum(0) > 0
    alone, known = used[:J].any(0) & ~used[J:].any(0), used[J:].any(0)
    sets = frozenset().union(*(label for label in labels[known] if isinstance(label, frozenset)))
    alone[alone] = [not (isinstance(label, frozenset) and label <= sets) for label in labels[alone]]
    return alone


def _refuse_scores(reading: Reading) -> None:
    """Raise for scores, of which a judge may well give some that no human gave."""
    if reading.many_fractions:
        problem = "invalid='missing' without categories= leaves out labels that no human used, and these are scores"
        raise InputError(problem, "leave out invalid=; a score that no human gave may be valid", option="invalid")


def _only(category_set: CategorySet, kept: Array) -> CategorySet:
    """Some of the categories, as if there had been no others; `kept` is (K,) of bool."""
    labels = category_set.labels[kept]
    if category_set.declared:
        return replace(category_set, labels=labels)
    return encode([pd.Series(labels)], ["labels"], remarks=[])[1]


def _number_outside(ratings: Ratings, coder: int, outside: Array) -> Array:
    """How often a coder chose one of some categories, (K,) of bool: (G,)."""
    chosen = np.append(outside, False)[ratings.codes_of(coder)]  # the last is for a missing label
    return np.bincount(ratings.item_group[chosen], minlength=ratings.n_groups)


def _with_outside(distance: Distance) -> Distance:
    """The distance with one more category, as far from all others as two labels can be."""
    K = distance.n_categories
    if isinstance(distance, Nominal):
        return Nominal(K + 1, distance.name)
    if isinstance(distance, Ranks):
        problem = "invalid='wrong' gives labels outside the categories no rank"
        raise InputError(problem, "use invalid='missing', or another level than 'ordinal'", option="invalid")
    inner = distance.as_matrix()
    matrix = np.full((K + 1, K + 1), 1.0 if distance.bounded else float(inner.max(initial=0.0)))
    matrix[:K, :K], matrix[K, K] = inner, 0.0
    return Table(K + 1, distance.name, bounded=distance.bounded, matrix=matrix)


# ------------------------------------------------------------------------------------------------------ rows of results


def judged_index(
    schema: Schema, groups: pd.Index | None, levels: Mapping[str, list[Any]], *coefficients: str
) -> pd.Index:
    """One entry per row; a group key that is called like a column of the result is an error."""
    frames.check_keys(groups, schema)
    return frames.row_index(groups, levels, coefficients) if coefficients else frames.index_of(groups, levels)


def human_levels(
    judged: Judged, names: Sequence[Any], present: Array, level: str = "coder"
) -> tuple[pd.Index | None, dict[str, list[Any]]]:
    """Group, judge and human (or category) of rows; `present` are those that exist of all groups, judges and names."""
    groups, judges = judged.levels()
    row, name = np.divmod(np.flatnonzero(present), len(names))
    levels = {"judge": [judges[each] for each in row.tolist()], level: [names[each] for each in name.tolist()]}
    return (None if groups is None else groups.take(row)), levels


def note_items(judged: Judged, items: JudgedItems, remarks: Remarks, as_names: bool = True) -> None:
    """Items that are left out, and of labels that are compared as names those of judges that nobody can share."""
    many = "fewer than two human labels" if len(judged.humans) > 1 else "no human label"
    remarks.count(items.too_few, "left out", f"judged item with {many} left out", f"judged items with {many} left out")
    what = "item without a label of the judge", "items without a label of the judge"
    remarks.count(items.unjudged, "not judged", *what)
    note_invalid(judged, remarks, "counted as wrong")
    if not as_names:
        return
    note_sets(judged.reading, remarks)
    alone = judged.unshared() * judged.n_groups
    texts = [f"labels that no human used: {', '.join(map(shown, labels[:3]))}" if labels else "" for labels in alone]
    remarks.add(True, "not used", texts)


def note_invalid(judged: Judged, remarks: Remarks, wrong: str) -> None:
    """Labels of judges outside the categories, and what became of them."""
    code, what = ("invalid", wrong) if judged.wrong else ("left out", "left out")
    number = judged.n_invalid.reshape(-1, *[1] * (remarks.none.ndim - 1))
    which = "outside the categories" if judged.declared else "that no human used"
    remarks.count(number, code, f"label {which} {what}", f"labels {which} {what}")


def note_sets(reading: Reading, remarks: Remarks) -> None:
    """Sets of labels, where they are compared as names."""
    credit = "versus_humans(metrics='alpha', level='masi') and alt_test(level='masi')"
    remarks.add(has_sets(reading), "whole sets", f"sets are compared as whole labels; partial credit: {credit}")
