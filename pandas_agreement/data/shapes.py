"""What a frame probably is, where the call does not say: coders and other columns, long data, a crosstab.

An error is raised only where nobody can mean the call, and it shows the right one. What is odd but possible is a
`Remark`; the remarks of one reading make one warning. Columns are known from a sample of their rows. What is odd about
their labels is in `label_checks`.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations, product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from pandas_agreement.core.arrays import Array
from pandas_agreement.data.label_checks import SEPARATORS
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
MAX_CODERS_PER_ITEM = 3  # coders per item, in all; more of them are unusual
MIN_CODERS_OF_CROWD = 10  # fewer may well outnumber their items
MIN_COUNTED = 3  # categories of a table of counts that is known from its numbers, and different rows
MIN_ROWS = 5  # of such a table; of other designs and sums that vary, four times as many
MANY_ZEROS = 1 / 3  # share of the cells of a table of counts
MAX_SUMMANDS = 8  # columns among which those that add up to another are searched
MOSTLY = 0.8  # share of rows that add up to the same, or of combinations that occur
MAX_REPEATED = 0.05  # share of judgments that may be repeated in long data
NAME_SEPARATORS = "_.-: "  # between the coder and the category of a one-hot column
MAX_NAMED = 12  # columns that a message names
PLURALS = {BOOLS: "True/False values", TEXT: "texts"}  # of kinds of labels

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
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")


# ----------------------------------------------------------------------------------------------------------- columns


@dataclass(frozen=True, eq=False)
class Sample:
    """What a sample of a column tells."""

    name: Hashable
    column: pd.Series
    cells: list[Any]
    distinct: frozenset[Any]  # the labels among the cells

    @classmethod
    def of(cls, name: Hashable, column: pd.Series, step: int) -> Sample:
        cells = (column if step == 1 else column.iloc[::step]).tolist()
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
    def labels(self) -> Iterable[Any]:
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

    @cached_property
    def has_fractions(self) -> bool:
        """A number that is not whole, which names neither an item nor a coder."""
        return any(isinstance(value, float) and value % 1 != 0 for value in self.distinct)

    @property
    def contents(self) -> str:
        """What the column holds, in a few words."""
        kind = next(iter(self.kinds)) if len(self.kinds) == 1 else "labels of several kinds"
        many = "mostly different" if self.mostly_differs else "repeated"
        return f"{'few different' if self.has_few else many} {PLURALS.get(kind, kind)}"


def sample(columns: Sequence[pd.Series], names: Sequence[Hashable]) -> list[Sample] | None:
    """A sample of each column; None if a cell cannot be a label, which is an error of its own."""
    rows = min(max(SAMPLE_CELLS // max(len(columns), 1), MIN_SAMPLE_ROWS), SAMPLE_ROWS)
    step = max(-(-len(columns[0]) // rows), 1) if columns else 1
    try:
        return [Sample.of(name, column, step) for name, column in zip(names, columns, strict=True)]
    except TypeError:
        return None


def check_columns(
    frame: pd.DataFrame, columns: Sequence[pd.Series], names: Sequence[Hashable], nominal: bool, sets: bool
) -> list[Remark]:
    """Whether every column may be a coder's, where nobody named the coders.

    Above the nominal level numbers need not be shared: measurements seldom repeat. Cells that hold sets are not
    compared.
    """
    samples = sample(columns, names)
    if samples is None:
        return []
    refuse_long(samples)
    _refuse_one_hot(frame, samples)
    other_format = _crosstab(frame, names) or _transposed(frame, names) or other_formats(samples)
    return other_format or ([] if sets else _strangers(samples, nominal))


# ------------------------------------------------------------------------------------------- coders and other columns


def _strangers(samples: Sequence[Sample], nominal: bool) -> list[Remark]:
    """Columns that are no coders: an error for those of another kind, a remark on the others."""
    used = [one for one in samples if one.distinct]
    few = all(len(one.distinct) < MAX_VALUES_BY_CHANCE or one.kinds == {TEXT} for one in used)
    if few and all(not one.distinct.isdisjoint(used[0].distinct) for one in used):
        return []  # the usual case, decided at once
    likely = most_related(used, nominal)
    if len(likely) < 2:
        return _nothing_shared(used)
    strangers = [one for one in used if one not in likely]
    if any(_is_other_kind(one, likely) for one in strangers):
        raise _not_coders(strangers, likely) if may_be_coders(_coders(likely)) else _no_coders(used)
    if all(one.are_numbers for one in used) and not (nominal and all(one.has_few for one in likely)):
        strangers = []  # measurements
    rows = [one for one in used if _numbers_the_rows(one, likely)]
    if strangers:
        return [_doubtful(strangers[0], "shares no label with any other", likely)]
    return [_doubtful(rows[0], "has another whole number in every row", likely)] if rows else []


def most_related(samples: Sequence[Sample], nominal: bool) -> list[Sample]:
    """The largest set of columns that share labels with one another; of two such sets, the one with fewer labels."""
    parent = list(range(len(samples)))
    owner: dict[Any, int] = {}  # the first column that has the label
    mixed = len({one.kinds for one in samples}) > 1
    for number, one in enumerate(samples):
        for label in _keys(one, nominal, mixed):
            parent[_root(parent, owner.setdefault(label, number))] = _root(parent, number)
    sets: dict[int, list[Sample]] = {}
    for number, one in enumerate(samples):
        sets.setdefault(_root(parent, number), []).append(one)
    return max(sets.values(), key=lambda found: (len(found), -max(len(one.distinct) for one in found)), default=[])


class Kind(NamedTuple):
    """A kind of labels, which columns share above the nominal level."""

    name: str


def _keys(one: Sample, nominal: bool, mixed: bool) -> Iterable[Any]:
    """What a column has in common with others: labels, numbers also as text, and the kind above the nominal level."""
    kinds = [] if nominal or TEXT in one.kinds else map(Kind, one.kinds)
    texts = [text for label in one.distinct for text in spellings(label)] if mixed else []
    return (*one.labels, *texts, *kinds)


def _root(parent: list[int], number: int) -> int:
    while parent[number] != number:
        parent[number] = parent[parent[number]]
        number = parent[number]
    return number


def _is_other_kind(one: Sample, likely: Sequence[Sample]) -> bool:
    """A date, mostly different texts, or numbers beside names, where the likely coders have nothing of that."""
    kinds = frozenset[str]().union(*(coder.kinds for coder in likely))
    texts = one.kinds == {TEXT} and one.mostly_differs and not any(coder.mostly_differs for coder in likely)
    return not one.kinds & kinds or texts


def _numbers_the_rows(one: Sample, likely: Sequence[Sample]) -> bool:
    """A column of whole numbers that never repeat, beside columns of numbers that do."""
    if not (one.kinds == {NUMBERS} and one.all_differ and one.column.dtype.kind in "iu"):
        return False
    others = [other for other in likely if other is not one]
    return len(others) > 1 and all(other.are_numbers and not other.mostly_differs for other in others)


def _coders(likely: Sequence[Sample]) -> list[Sample]:
    """The likely coders without columns that number the rows."""
    return [one for one in likely if not _numbers_the_rows(one, likely)]


def may_be_coders(likely: Sequence[Sample]) -> bool:
    """Whether columns share most of their labels, or all of them are measurements."""
    if len({one.mostly_differs for one in likely}) > 1:
        return False
    users = Counter(label for one in likely for label in one.labels)
    shared = (sum(users[cell] > 1 for cell in one.cells) for one in likely)
    return all(one.mostly_differs or 2 * n >= one.n for one, n in zip(likely, shared, strict=True))


def _call(likely: Sequence[Sample]) -> str:
    """The call with the likely coders, if they are known."""
    coders = _coders(likely)
    names = [one.name for one in coders] if may_be_coders(coders) else ["ann", "bob"]
    shown = [repr(name) for name in names[:MAX_NAMED]] + ["..."] * (len(names) > MAX_NAMED)
    return f"df.agree.kappa({', '.join(shown)})"


def _listed(names: Sequence[Hashable]) -> str:
    shown = [repr(name) for name in names[:MAX_NAMED]] + [f"{len(names) - MAX_NAMED} more"] * (len(names) > MAX_NAMED)
    return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else shown[0]


def _not_coders(strangers: Sequence[Sample], likely: Sequence[Sample]) -> InputError:
    names = _listed([one.name for one in strangers])
    return InputError(
        f"no coders were named, and these columns share no label with the likely coders: {names}",
        f"name the coders, as in {_call(likely)}",
        column=strangers[0].name,
        code="not a coder",
        coders=[one.name for one in _coders(likely)],
    )


def _no_coders(samples: Sequence[Sample]) -> InputError:
    """The error for a frame in which no column looks like a coder's."""
    contents: dict[str, list[Hashable]] = {}
    for one in samples:
        contents.setdefault(one.contents, []).append(one.name)
    held = "; ".join(f"{what} in {_listed(names)}" for what, names in contents.items())
    return InputError(
        f"no coders were named, and no columns look like the labels of several coders (the frame has {held})",
        "name the columns of the coders, as in df.agree.kappa('ann', 'bob'), or, if a row is one judgment, its "
        "columns, as in df.agree.long(item=..., coder=..., label=...)",
        code="no coders",
    )


def _doubtful(one: Sample, why: str, likely: Sequence[Sample]) -> Remark:
    """A column that may be no coder: it `why`."""
    problem = f"every column was taken for a coder, and {one.name!r} {why}"
    remedy = f"if it is not one, name the coders, as in {_call(likely)}"
    return Remark(problem, remedy, code="not a coder", column=one.name)


def _nothing_shared(samples: Sequence[Sample]) -> list[Remark]:
    """No two columns share a label."""
    enough = [one for one in samples if one.n >= MAX_VALUES_BY_CHANCE]
    constant = all(len(one.distinct) == 1 for one in samples)
    if len(enough) < 2 or constant or all(one.are_numbers or one.kinds == {DATES} for one in samples):
        return []
    names = [one.name for one in samples]
    who = f"{_listed(names)} share no label" if len(names) == 2 else "no two columns share a label"
    remedy = "name the coders, as in df.agree.kappa('ann', 'bob'), if other columns are meant"
    return [Remark(f"every column was taken for a coder, and {who}", remedy, code="not a coder", column=names[0])]


# ------------------------------------------------------------------------------------------------------ other formats


def _transposed(frame: pd.DataFrame, names: Sequence[Hashable]) -> list[Remark]:
    if not outnumber(len(names), len(frame)):
        return []
    problem = f"every column was taken for a coder: {len(names)} coders of {counted(len(frame), 'item', 'items')}"
    return [Remark(problem, "if the rows are the coders, turn the frame, as in df.T.agree.kappa()", code="more coders")]


def outnumber(n_coders: int, n_items: int) -> bool:
    """Whether coders are so many that they may be items."""
    return n_coders >= MIN_CODERS_OF_CROWD and n_coders > MAX_CODERS_PER_ITEM * n_items


def swapped(columns: Sequence[Hashable], item: Array, n_coders: int) -> list[Remark]:
    """Items and coders of long data that may have been swapped; `item` are the codes of the judgments."""
    if len(item) * MAX_CODERS_PER_ITEM >= n_coders**2 or not outnumber(n_coders, n_items := len(np.unique(item))):
        return []  # the first: every coder labels an item once, so there are many items
    first, second, label = columns
    return [
        Remark(
            f"{n_coders} coders in {second!r} labelled {counted(n_items, 'item', 'items')} in {first!r}",
            f"if they are swapped, write df.agree.long(item={second!r}, coder={first!r}, label={label!r})",
            code="more coders",
            column=second,
        )
    ]


def _crosstab(frame: pd.DataFrame, names: Sequence[Hashable]) -> list[Remark]:
    """A table of whole numbers whose index equals its columns."""
    index, columns = frame.index, frame.columns
    if len(index) != len(columns) or len(names) != len(columns) or not _same_labels(index, columns):
        return []
    if not all(dtype.kind in "iu" for dtype in frame.dtypes) or (frame.to_numpy() < 0).any():
        return []
    remedy = "use df.agree.crosstab() in place of df.agree"
    if index.equals(pd.RangeIndex(len(index))):
        problem = "the frame has as many rows as columns and holds whole numbers, as the table of two coders does"
        return [Remark(problem, f"if it is one, {remedy}", code="crosstab")]
    problem = (
        f"the index and the columns hold the same labels ({_listed(list(columns))}), as the table of two coders does"
    )
    raise InputError(problem, remedy, code="crosstab")


def _refuse_one_hot(frame: pd.DataFrame, samples: Sequence[Sample]) -> None:
    """Refuse one column per coder and category that holds 1 where the coder chose it: `ann_bug`, `ann_praise`."""
    table = _whole_numbers(samples)
    if table is None or table.shape[1] < MIN_ROWS or table.max() > 1:
        return
    for mark in NAME_SEPARATORS:
        parts = [str(one.name).partition(mark)[::2] for one in samples]
        coders, labels = (list(dict.fromkeys(part)) for part in zip(*parts, strict=True))
        if not (len(coders) > 1 < len(labels) and "" not in labels and len(set(parts)) == len(coders) * len(labels)):
            continue
        of_coder = np.array([[part[0] == coder for part in parts] for coder in coders], float)
        if (of_coder @ table == 1).all():
            others = [name for name in frame.columns if name not in {one.name for one in samples}]
            start = f"df.drop(columns={others!r})" if others else "df"
            problem = f"the columns of each of {_listed(coders)} hold one 1 per row: each is a category of one coder"
            remedy = f"make one column per coder: pd.from_dummies({start}, sep={mark!r})"
            raise InputError(problem, remedy, code="one-hot")


def other_formats(samples: Sequence[Sample]) -> list[Remark]:
    """Whole numbers that are probably a table of counts, or long data."""
    return _counts(samples) or _plain_long(samples)


def _counts(samples: Sequence[Sample]) -> list[Remark]:
    """Whole numbers that add up to the same in (nearly) every row, with many zeros but never zeros alone.

    Coders who use 0 that often also agree on it, so a row of zeros would occur.
    """
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


def find_counts(samples: Sequence[Sample]) -> Counted | None:
    """The columns that hold counts, if the numbers of a row add up to the same, or to one of the columns."""
    used = [one for one in samples if not one.all_differ]  # a number of the row is no category
    return _constant_sums(used) or _total_of_others([one for one in used if _whole_numbers([one]) is not None])


def _constant_sums(used: Sequence[Sample]) -> Counted | None:
    table = _whole_numbers(used)
    if table is None or len(used) < MIN_COUNTED or table.shape[1] < MIN_ROWS or not table.any(0).all():
        return None
    sums, times = np.unique(table.sum(0), return_counts=True)
    usual, share = int(sums[times.argmax()]), float(times.max() / table.shape[1])
    constant = share == 1 or (share >= MOSTLY and table.shape[1] >= 4 * MIN_ROWS)
    if not (_varies(table) and usual > 1 and constant and float((table == 0).mean()) >= MANY_ZEROS):
        return None
    rows = "every row" if share == 1 else "nearly every row"
    return Counted([one.name for one in used], f"the numbers of {rows} add up to {usual}")


def _varies(table: Array) -> bool:
    return len(np.unique(table, axis=1).T) >= MIN_COUNTED and bool(table.max() > 1)


def _total_of_others(used: Sequence[Sample]) -> Counted | None:
    """A column that is the sum of two or more others in every row."""
    table = _whole_numbers(used)
    if table is None or len(used) > MAX_SUMMANDS + 1 or table.shape[1] < MIN_ROWS:
        return None
    for total, size in product(range(len(used)), range(2, len(used))):
        others = [place for place in range(len(used)) if place != total and table[place].any()]
        for parts in map(list, combinations(others, size)):
            if np.array_equal(table[parts].sum(0), table[total]) and _varies(table[parts]):
                names = [used[place].name for place in parts]
                return Counted(names, f"{_listed(names)} add up to {used[total].name!r} in every row")
    return None


def _whole_numbers(samples: Sequence[Sample]) -> Array | None:
    """The cells of columns of whole numbers that are not negative: (columns, rows); else None."""
    if not samples or not all(one.column.dtype.kind in "iufb" and one.n == len(one.cells) for one in samples):
        return None
    table = np.array([one.cells for one in samples], dtype=float)
    return table if ((table >= 0) & (table == np.floor(table)) & (table < np.inf)).all() else None


def _plain_long(samples: Sequence[Sample]) -> list[Remark]:
    """Three columns of whole numbers, two of which name each of their combinations once: items and coders."""
    if len(samples) != 3 or _whole_numbers(samples) is None:
        return []
    for label in samples:
        first, second = sorted((one for one in samples if one is not label), key=lambda one: -one.column.nunique())
        if _is_design(first.column, second.column) and _are_judgments(first, second, label, True):
            call = f"df.agree.long(item={first.name!r}, coder={second.name!r}, label={label.name!r})"
            problem = (
                f"every {first.name!r} occurs once with every {second.name!r}, as in a frame with one row per judgment"
            )
            return [Remark(problem, f"if it is one, use {call} in place of df.agree", code="long data")]
    return []


def _is_design(first: pd.Series, second: pd.Series) -> bool:
    """Whether (nearly) all combinations of two columns occur, each once."""
    n, size = len(first), first.nunique() * second.nunique()
    if n < 4 * MIN_ROWS or n < MOSTLY * size or n > size:
        return False
    return not pd.MultiIndex.from_arrays([first, second]).has_duplicates


def _same_labels(index: pd.Index, columns: pd.Index) -> bool:
    if index.nlevels > 1 or columns.nlevels > 1:
        return False
    return len(index) > 1 and index.is_unique and columns.is_unique and set(index.tolist()) == set(columns.tolist())


def refuse_long(samples: Sequence[Sample]) -> None:
    """Refuse a frame with one row per judgment."""
    roles = find_roles(samples)
    if roles is not None:
        call = ", ".join(f"{role}={name!r}" for role, name in roles.items())
        raise InputError(
            f"the frame has one row per judgment: a label for each {roles['item']!r} and {roles['coder']!r}",
            f"use df.agree.long({call}) in place of df.agree",
            code="long data",
            roles=roles,
        )


def find_roles(samples: Sequence[Sample]) -> dict[str, Hashable] | None:
    """The columns of item, coder and label in a frame with one row per judgment; None if it is not one.

    Two of the three have telling names, or there are just three columns that share nothing.
    """
    used = [one for one in samples if one.distinct]
    if len(used) < 3 or sum(not one.has_fractions for one in used) < 2:  # items and coders have no fractions as names
        return None
    named: dict[str, list[Sample]] = {role: [one for one in used if role_of(one.name) == role] for role in ROLE_WORDS}
    if sum(map(bool, named.values())) < 2 and (len(used) > 3 or len(most_related(used, True)) > 1):
        return None
    order = ("coder", "item", "label")
    options = [named[role] or [one for one in used if role_of(one.name) is None] for role in order]
    options[2] = sorted(options[2], key=lambda one: one.are_numbers and not one.has_few)  # measurements last
    found = (
        {"item": item.name, "coder": coder.name, "label": label.name}
        for coder in options[0]
        for label in options[2]
        for item in options[1]
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


def _are_judgments(item: Sample, coder: Sample, label: Sample, telling: bool) -> bool:
    """Whether coders label items several times each, and an item hardly ever twice."""
    if item.has_fractions or coder.has_fractions:
        return False
    if label.mostly_differs and not label.are_numbers and not _are_joined(label):
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


def _are_joined(one: Sample) -> bool:
    """Whether the texts are made of few labels with a separator between them."""
    return _separator(one) is not None


def _separator(one: Sample) -> str | None:
    """What separates the few labels of which the texts are made."""
    texts = [text for text in one.distinct if isinstance(text, str)]
    few = (mark for mark in SEPARATORS if 2 * len({part for text in texts for part in text.split(mark)}) < len(texts))
    return next(few, None)


def repeating_separator(one: Sample) -> str | None:
    """The separator of texts in which labels repeat: the ratings of several people, not a set of labels."""
    mark = _separator(one)
    cells = [text.split(mark) for text in one.distinct if isinstance(text, str)] if mark else []
    return mark if any(len(set(parts)) < len(parts) for parts in cells) else None
