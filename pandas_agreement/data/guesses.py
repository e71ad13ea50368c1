"""What a wide frame probably is where nobody named the coders: coders and other columns, long data, a table.

An error is raised only where nobody can mean the call, and it shows the right one. What is odd but possible is a
`Remark`. Columns are known from a sample of their rows. What is odd about their labels is in `label_checks`.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import combinations, product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.classes import dataclass
from pandas_agreement.data.labels import (
    BOOLS,
    DATES,
    MAX_NUMERIC_CATEGORIES,
    NUMBERS,
    TEXT,
    is_missing,
    kind_of,
    spellings,
)
from pandas_agreement.errors import InputError, Remark, counted

SAMPLE_ROWS = 1000  # rows of a column that are looked at
MIN_SAMPLE_ROWS = 50  # where there are many columns
SAMPLE_CELLS = 50_000
MAX_VALUES_BY_CHANCE = 10  # values; so few may all differ by chance
MIN_CODERS_OF_CROWD, MAX_CODERS_PER_ITEM = 10, 3  # more of them than that are unusual
MIN_COUNTED = 3  # categories of a table of counts that is known from its numbers, and different rows
MIN_ROWS = 5  # of such a table; of sums that vary, four times as many
MANY_ZEROS = 1 / 3  # share of the cells of a table of counts
MOSTLY = 0.8  # share of rows that add up to the same
MAX_REPEATED = 0.05  # share of judgments that may be repeated in long data
MAX_NAMED = 12  # columns that a message names
BY_NAME = "name the columns of the coders, as in df.agree.kappa('ann', 'bob')"

#: words in the names of the columns of long data; the first role that fits
ROLE_WORDS: dict[str, tuple[str, ...]] = {
    "coder": (
        *("coder", "rater", "annotator", "worker", "labeler", "labeller", "judge", "reviewer", "reader", "assessor"),
        *("participant", "respondent", "user", "who"),
    ),
    "label": ("label", "tag", "rating", "score", "category", "code", "answer", "annotation", "value", "response"),
    "item": (
        *("item", "doc", "document", "unit", "task", "text", "question", "case", "subject", "sentence", "comment"),
        *("tweet", "post", "segment", "seg", "utterance", "passage", "instance", "example", "image", "id"),
    ),
}
ROLES = ("item", "coder", "label")  # also names of columns that `long` finds
PLACES = ("start", "end")  # columns of spans
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")


# ----------------------------------------------------------------------------------------------------------- columns
@dataclass(frozen=True, eq=False)
class ColumnHead:
    """What a sample of a column tells."""

    name: Hashable
    column: pd.Series
    cells: list[Any]
    distinct: frozenset[Any]  # the labels among the cells

    @classmethod
    def of(cls, name: Hashable, column: pd.Series, step: int) -> ColumnHead:
        cells = column.iloc[::step].tolist()
        return cls(name, column, cells, frozenset([value for value in set(cells) if not is_missing(value)]))

    @cached_property
    def n(self) -> int:
        """How many cells hold a label."""
        return sum(map(self.distinct.__contains__, self.cells))

    @cached_property
    def kinds(self) -> frozenset[str]:
        return frozenset([kind_of(label_type) for label_type in set(map(type, self.distinct))])

    @property
    def are_numbers(self) -> bool:
        return self.kinds <= {NUMBERS, BOOLS}

    @property
    def labels(self) -> frozenset[Any]:
        """The labels that the column shares with others: a Categorical has all of its categories."""
        dtype: Any = self.column.dtype
        declared = isinstance(dtype, pd.CategoricalDtype) and len(dtype.categories) <= SAMPLE_ROWS
        return self.distinct.union(dtype.categories.tolist()) if declared else self.distinct

    @property
    def mostly_differs(self) -> bool:
        return self.n >= MAX_VALUES_BY_CHANCE and 2 * len(self.distinct) > self.n

    @property
    def all_differ(self) -> bool:
        return self.n >= MAX_VALUES_BY_CHANCE and len(self.distinct) == self.n

    @property
    def has_few(self) -> bool:
        """Few whole numbers, or few labels."""
        whole = not self.are_numbers or all(value == int(value) for value in self.distinct if math.isfinite(value))
        return len(self.distinct) <= MAX_NUMERIC_CATEGORIES and whole

    @property
    def may_name(self) -> bool:
        """Whether the cells may be names of items or coders, which have no fractions."""
        return not any(isinstance(value, float) and value % 1 != 0 for value in self.distinct)


def sample(columns: Sequence[pd.Series], names: Sequence[Hashable]) -> list[ColumnHead] | None:
    """A sample of each column; None if a cell cannot be a label, which is an error of its own."""
    rows = min(max(SAMPLE_CELLS // max(len(columns), 1), MIN_SAMPLE_ROWS), SAMPLE_ROWS)
    step = max(-(-len(columns[0]) // rows), 1) if columns else 1
    try:
        return [ColumnHead.of(name, column, step) for name, column in zip(names, columns, strict=True)]
    except TypeError:
        return None


def check_columns(
    frame: pd.DataFrame, columns: Sequence[pd.Series], names: Sequence[Hashable], nominal: bool, sets: bool
) -> list[Remark]:
    """Whether every column may be a coder's, where nobody named the coders.

    Above the nominal level numbers need not be shared: measurements seldom repeat. Cells that hold sets are not
    compared.
    """
    _refuse_spans(names)
    samples = sample(columns, names)
    if samples is None:
        return []
    _refuse_long(names, samples)
    _refuse_crosstab(frame, names)
    return _transposed(len(names), len(frame)) or _counts(samples) or ([] if sets else _strangers(samples, nominal))


# ------------------------------------------------------------------------------------------- coders and other columns
def _strangers(samples: Sequence[ColumnHead], nominal: bool) -> list[Remark]:
    """Columns that are no coders: an error for those of another kind, a remark on the others."""
    used = [one for one in samples if one.distinct]
    numbers = [] if nominal else [one for one in used if one.are_numbers]
    likely = numbers if 1 < len(numbers) == len(used) else max(most_related(used), numbers, key=len)
    if len(likely) < 2:
        return _nothing_shared(used)
    strangers = [one for one in used if one not in likely]
    rows = [one for one in used if _numbers_the_rows(one, likely)]
    coders = [one for one in likely if one not in rows]
    if any(_is_other_kind(one, likely) for one in strangers):
        raise _not_coders(strangers, coders)
    if all(one.are_numbers for one in used) and not (nominal and all(one.has_few for one in likely)):
        strangers = []  # measurements
    if not strangers and not rows:
        return []
    one = [*strangers, *rows][0]
    why = "shares no label with any other" if strangers else "has another whole number in every row"
    return [_doubt(f"{one.name!r} {why}", f"if it is not one, name the coders, as in {_call(coders)}", one.name)]


def most_related(samples: Sequence[ColumnHead]) -> list[ColumnHead]:
    """The columns with the label that most have, and those that share labels with them; few labels before many."""
    mixed = len({one.kinds for one in samples}) > 1
    keys = [one.labels.union(*map(spellings, one.distinct)) if mixed else one.labels for one in samples]  # 1 is "1"
    users = Counter(label for each in keys for label in each)
    most = max(users.values(), default=0)
    if most < 2:
        return list(samples[:1])
    common = [label for label, n in users.items() if n == most]
    first = {frozenset(place for place, each in enumerate(keys) if label in each) for label in common}
    fewest = min(first, key=lambda places: max(len(samples[place].distinct) for place in places))
    shared = frozenset[Any]().union(*(keys[place] for place in fewest))
    return [one for one, each in zip(samples, keys, strict=True) if not shared.isdisjoint(each)]


def _is_other_kind(one: ColumnHead, likely: Sequence[ColumnHead]) -> bool:
    """A date, mostly different texts, or numbers beside names, where the likely coders have nothing of that."""
    kinds = frozenset[str]().union(*(coder.kinds for coder in likely))
    texts = one.kinds == {TEXT} and one.mostly_differs and not any(coder.mostly_differs for coder in likely)
    return not one.kinds & kinds or texts


def _numbers_the_rows(one: ColumnHead, likely: Sequence[ColumnHead]) -> bool:
    """A column of whole numbers that never repeat, beside columns of numbers that do."""
    if not (one.kinds == {NUMBERS} and one.all_differ and one.column.dtype.kind in "iu"):
        return False
    others = [other for other in likely if other is not one]
    return len(others) > 1 and all(other.are_numbers and not other.mostly_differs for other in others)


def may_be_coders(likely: Sequence[ColumnHead]) -> bool:
    """Whether columns share most of their labels, or all of them are measurements."""
    if len({one.mostly_differs for one in likely}) > 1:
        return False
    users = Counter(label for one in likely for label in one.labels)
    shared = (sum(users[cell] > 1 for cell in one.cells) for one in likely)
    return all(one.mostly_differs or 2 * n >= one.n for one, n in zip(likely, shared, strict=True))


def _call(coders: Sequence[ColumnHead]) -> str:
    """The call with the likely coders, if they are known."""
    names = [one.name for one in coders] if may_be_coders(coders) else ["ann", "bob"]
    shown = [repr(name) for name in names[:MAX_NAMED]] + ["..."] * (len(names) > MAX_NAMED)
    return f"df.agree.kappa({', '.join(shown)})"


def _listed(names: Sequence[Hashable]) -> str:
    shown = [repr(name) for name in names[:MAX_NAMED]] + [f"{len(names) - MAX_NAMED} more"] * (len(names) > MAX_NAMED)
    return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else shown[0]


def _not_coders(strangers: Sequence[ColumnHead], coders: Sequence[ColumnHead]) -> InputError:
    """The error for columns of another kind, and for a frame in which no column looks like a coder's."""
    if not may_be_coders(coders):
        problem = "no coders were named, and no columns look like the labels of several coders"
        long = "if a row is one judgment, its columns, as in df.agree.long(item=..., coder=..., label=...)"
        return InputError(problem, f"{BY_NAME}, or, {long}", code="no coders")
    who = _listed([one.name for one in strangers])
    problem = f"no coders were named, and these columns share no label with the likely coders: {who}"
    remedy, names = f"name the coders, as in {_call(coders)}", [one.name for one in coders]
    return InputError(problem, remedy, column=strangers[0].name, code="not a coder", coders=names)


def _doubt(problem: str, remedy: str, column: Hashable) -> Remark:
    return Remark(f"every column was taken for a coder, and {problem}", remedy, code="not a coder", column=column)


def _nothing_shared(samples: Sequence[ColumnHead]) -> list[Remark]:
    """No two columns share a label."""
    enough = [one for one in samples if one.n >= MAX_VALUES_BY_CHANCE]
    constant = all(len(one.distinct) == 1 for one in samples)
    if len(enough) < 2 or constant or all(one.are_numbers or one.kinds == {DATES} for one in samples):
        return []
    names = [one.name for one in samples]
    who = f"{_listed(names)} share no label" if len(names) == 2 else "no two columns share a label"
    remedy = "name the coders, as in df.agree.kappa('ann', 'bob'), if other columns are meant"
    return [_doubt(who, remedy, names[0])]


# ------------------------------------------------------------------------------------------------------------- tables
def _transposed(n_coders: int, n_items: int) -> list[Remark]:
    if n_coders < MIN_CODERS_OF_CROWD or n_coders <= MAX_CODERS_PER_ITEM * n_items:
        return []
    problem = f"every column was taken for a coder: {n_coders} coders of {counted(n_items, 'item', 'items')}"
    return [Remark(problem, "if the rows are the coders, turn the frame, as in df.T.agree.kappa()", code="more coders")]


def _refuse_crosstab(frame: pd.DataFrame, names: Sequence[Hashable]) -> None:
    """Refuse a table of whole numbers whose index equals its columns."""
    index, columns = frame.index, frame.columns
    if not len(index) == len(columns) == len(names) > 1 or index.nlevels > 1 or index.equals(pd.RangeIndex(len(index))):
        return
    if (
        set(index) == set(columns)
        and all(dtype.kind in "iu" for dtype in frame.dtypes)
        and (frame.to_numpy() >= 0).all()
    ):
        same = f"the index and the columns hold the same labels ({_listed(list(columns))})"
        problem = f"{same}, as the table of two coders does"
        raise InputError(problem, "use df.agree.crosstab() in place of df.agree", code="crosstab")


def _counts(samples: Sequence[ColumnHead]) -> list[Remark]:
    found = find_counts(samples)
    if found is None:
        return []
    others = [one.name for one in samples if one.name not in found.columns]
    start = f"df.drop(columns={others!r})" if others else "df"
    remedy = f"if it is one, use {start}.agree.counts() in place of df.agree"
    return [Remark(f"{found.why}, as in a table of counts", remedy, code="counts")]


class Counted(NamedTuple):
    """The columns of a table of counts, and how they are known."""

    columns: list[Hashable]
    why: str


def find_counts(samples: Sequence[ColumnHead]) -> Counted | None:
    """The columns that hold counts, if the numbers of a row add up to the same, or to one of the columns."""
    used = [one for one in samples if not one.all_differ]  # a number of the row is no category
    counts = [one for one in used if one.column.dtype.kind in "iufb" and one.n == len(one.cells)]
    if len(counts) < MIN_COUNTED or len(counts[0].cells) < MIN_ROWS:
        return None
    table = np.array([one.cells for one in counts], dtype=float)
    whole = ((table >= 0) & (table == np.floor(table)) & (table < np.inf)).all(1)
    counts, table = [one for one, kept in zip(counts, whole, strict=True) if kept], table[whole]
    return (_constant_sum(counts, table) if len(counts) == len(used) else None) or _total(counts, table)


def _constant_sum(counts: Sequence[ColumnHead], table: Array) -> Counted | None:
    """Columns that add up to the same in (nearly) every row, with many zeros but never zeros alone.

    Coders who use 0 that often also agree on it, so a row of zeros would occur.
    """
    sums, times = np.unique(table.sum(0), return_counts=True)
    usual, share = int(sums[times.argmax()]), float(times.max() / table.shape[1])
    constant = share == 1 or (share >= MOSTLY and table.shape[1] >= 4 * MIN_ROWS)
    if not (usual > 1 and constant and _varies(table) and table.any(0).all() and (table == 0).mean() >= MANY_ZEROS):
        return None
    rows = "every row" if share == 1 else "nearly every row"
    return Counted([one.name for one in counts], f"the numbers of {rows} add up to {usual}")


def _total(counts: Sequence[ColumnHead], table: Array) -> Counted | None:
    """Columns side by side that add up to another in every row."""
    for start, end in combinations(range(min(len(counts), MAX_NAMED) + 1), 2):
        parts = table[start:end]
        totals = [one for one, row in zip(counts, table, strict=True) if (row == parts.sum(0)).all()]
        if len(parts) > 1 and totals and parts.any(1).all() and _varies(parts):
            names = [one.name for one in counts[start:end]]
            return Counted(names, f"{_listed(names)} add up to {totals[0].name!r} in every row")
    return None


def _varies(table: Array) -> bool:
    """Whether there are counts above 1, and rows and columns that differ."""
    return bool(table.max() > 1) and len(np.unique(table, axis=1).T) >= MIN_COUNTED


# ---------------------------------------------------------------------------------------------------------- long data
def _refuse_spans(names: Sequence[Hashable]) -> None:
    """Refuse a frame with one row per span."""
    named = {role_of(name): name for name in reversed(names) if name not in PLACES}
    if {*PLACES} <= {*names} and {"item", "coder"} <= named.keys():
        roles = {role: named[role] for role in ROLES if role in named} | {place: place for place in PLACES}
        raise _in_rows(f"the frame has one row per span: columns {_listed(PLACES)}", "spans", roles)


def _refuse_long(names: Sequence[Hashable], samples: Sequence[ColumnHead]) -> None:
    """Refuse a frame with one row per judgment."""
    roles = {role: role for role in ROLES} if {*ROLES} <= {*names} else find_roles(samples)
    if roles is not None:
        problem = f"the frame has one row per judgment: a label for each {roles['item']!r} and {roles['coder']!r}"
        raise _in_rows(problem, "long", roles)


def _in_rows(problem: str, method: str, roles: Mapping[str, Hashable]) -> InputError:
    """The error that shows the method for such a frame; columns called like their roles are found by it."""
    named = ", ".join(f"{role}={name!r}" for role, name in roles.items())
    call = f"df.agree.{method}({'' if all(role == name for role, name in roles.items()) else named})"
    return InputError(problem, f"use {call} in place of df.agree", code="long data", roles=roles)


def find_roles(samples: Sequence[ColumnHead]) -> dict[str, Hashable] | None:
    """The columns of item, coder and label in a frame with one row per judgment; None if it is not one.

    Two of the three have telling names, or there are just three columns that share nothing.
    """
    used = [one for one in samples if one.distinct]
    if len(used) < 3:
        return None
    named: dict[str, list[ColumnHead]] = {
        role: [one for one in used if role_of(one.name) == role] for role in ROLE_WORDS
    }
    if sum(map(bool, named.values())) < 2 and (len(used) > 3 or len(most_related(used)) > 1):
        return None
    free = [one for one in used if role_of(one.name) is None]
    coders, items = ([one for one in named[role] or free if one.may_name] for role in ("coder", "item"))
    labels = sorted(named["label"] or free, key=lambda one: one.are_numbers and not one.has_few)  # measurements last
    found = (
        {"item": item.name, "coder": coder.name, "label": label.name}
        for coder, label, item in product(coders, labels, items)
        if len({coder.name, item.name, label.name}) == 3 and _are_judgments(item, coder, label, bool(named["coder"]))
    )
    return next(found, None)


@lru_cache(maxsize=256)
def role_of(name: Hashable) -> str | None:
    """What the name of a column says about it.

    >>> role_of("worker_id"), role_of("docId"), role_of("ann")
    ('coder', 'item', None)
    """
    words = [word.lower() for word in WORD.findall(str(name))]
    fits = (role for role, known in ROLE_WORDS.items() if any(_means(word, known) for word in words))
    return next(fits, None)


def _means(word: str, known: Iterable[str]) -> bool:
    return any(word in (other, f"{other}s", f"{other}id") for other in known)


def _are_judgments(item: ColumnHead, coder: ColumnHead, label: ColumnHead, telling: bool) -> bool:
    """Whether coders label items several times each, and an item hardly ever twice."""
    if label.mostly_differs and not label.are_numbers:
        return False
    if not coder.distinct.isdisjoint(label.distinct) and not (telling and coder.are_numbers):
        return False
    frame = pd.DataFrame({"item": item.column, "coder": coder.column, "label": label.column}).dropna()
    n_coders, n_items, n = frame["coder"].nunique(), frame["item"].nunique(), len(frame)
    if n_coders < 2 or 2 * n_coders > n or 3 * n_items > 2 * n or (not telling and n_coders > n_items):
        return False
    pairs = {key: len(frame.drop_duplicates([key, "label"])) for key in ("item", "coder")}
    varies = pairs["item"] > n_items and pairs["coder"] > n_coders  # else it is a fact about the item or the coder
    return varies and float(frame.duplicated(["item", "coder"]).mean()) <= MAX_REPEATED
