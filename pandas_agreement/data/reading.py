"""Shared by all input formats: the `Reading`, columns by name, groups, clusters and frequencies of rows."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any, Literal

import numpy as np
import pandas as pd
from pandas.api.types import is_bool_dtype, is_hashable, is_numeric_dtype

from pandas_agreement.core.arrays import Array, number_within
from pandas_agreement.core.category_counts import blocks
from pandas_agreement.core.classes import dataclass
from pandas_agreement.core.contingency import tabulate
from pandas_agreement.core.ratings import LongRatings, Ratings, WideRatings
from pandas_agreement.core.scores import Scores, as_scores, item_by_item
from pandas_agreement.core.selection import keep
from pandas_agreement.core.weights import READ_COMMAS, SET_LEVELS, has_decimal_comma, reads_as_number
from pandas_agreement.data.cells import SetCells
from pandas_agreement.data.grouping import Groups, group_rows
from pandas_agreement.data.labels import MAX_EXACT_INTEGER, NO_CATEGORIES, CategorySet, check_text
from pandas_agreement.errors import ColumnError, InputError, LabelTypeError, called, counted, shown, wrong_value
from pandas_agreement.options import Options

Cells = Callable[[pd.Series], pd.Series]  # a column of cells as a column of labels
AsScores = bool | Literal["values"]  # whether plain numbers are coded; "values": only if all are whole
SEEN = "group"  # the word for the categories seen in each group


@dataclass(frozen=True, eq=False)
class Needs:
    """What a method needs of the labels."""

    cells: Cells | None = None  # converts a column of cells to labels
    scores: AsScores = False  # plain numbers are not coded


DEFAULTS, LABELS = Options(), Needs()


@dataclass(frozen=True, eq=False)
class Reading:
    """The data of one call: ratings, categories, coders and groups; one entry per item, unless it is `compact`."""

    ratings: Ratings
    category_set: CategorySet
    coders: Sequence[Hashable]  # the name of each coder code; empty for counts
    groups: pd.Index | None
    named: bool  # the user named these coders, so a note mentions one without labels
    clusters: Array | None = None  # (I,)
    listed: bool = False  # the categories were listed in the call
    rows: pd.Index | None = None  # (I,) the row of each item, if one row is one item
    items: pd.Index | None = None  # (I,) the name of each item, if items have names
    remarks: tuple[tuple[str, str], ...] = ()  # on the data, for all groups: codes and sentences
    n_unlabelled: int = 0  # items that are not in the ratings, as long data hold no label of them
    n_chosen: Array | None = None  # (G,) the number of categories of each group, if groups have their own
    read_together: Callable[[], Reading] | None = None  # reads all rows without groups; None: this is it

    @property
    def pooled_categories(self) -> bool:
        """The categories are the labels seen in any group."""
        return self.groups is not None and self.n_chosen is None and not self.category_set.declared

    def remarked(self, code: str, text: str) -> Reading:
        """With a remark on the data, unless the text is empty."""
        return replace(self, remarks=(*self.remarks, (code, text))) if text else self

    def compact(self) -> Reading:
        """Items to which two coders gave the same labels as one, unless clusters tell them apart."""
        ratings = self.ratings
        if isinstance(ratings, WideRatings) and ratings.n_coders == 2 and self.clusters is None:
            sizes = ratings.n_groups, ratings.n_categories
            ratings = tabulate(ratings.group, ratings.codes, *sizes, ratings.weight)
        return replace(self, ratings=ratings, rows=None, items=None)

    def together(self) -> Reading:
        """All rows in one group, also those that belong to none."""
        if self.read_together is None:
            return self
        with groups_together("keep one group, or name the column of the groups in item= too"):
            return replace(self.read_together(), listed=self.listed)

    def without(self, coder: int) -> Reading:
        """Without one coder, and without the categories that only this coder used unless they were declared."""
        names = [name for place, name in enumerate(self.coders) if place != coder]
        rest = replace(self, ratings=self.ratings.without(coder), coders=names)
        if self.category_set.declared or not len(self.category_set):
            return rest
        used = rest.ratings.label_totals().sum(0) > 0
        category_set = replace(self.category_set, labels=self.category_set.labels[used])
        ratings = rest.ratings.recode(np.where(used, np.cumsum(used) - 1, -1), len(category_set))
        return replace(rest, ratings=ratings, category_set=category_set)

    def of(self, ratings: Ratings, items: Array) -> Reading:
        """With the ratings of these items: numbers, some of them several times, or a boolean array."""
        parts = {"clusters": self.clusters, "rows": self.rows, "items": self.items}
        chosen: dict[str, Any] = {name: None if part is None else part[items] for name, part in parts.items()}
        return replace(self, ratings=ratings, **chosen)

    def keep(self, rule: str) -> Reading:
        """The items that a rule for missing labels keeps."""
        ratings, kept = keep(self.ratings, rule, self.coders)
        return self if ratings is self.ratings else self.of(ratings, kept)

    def take(self, items: Array) -> Reading:
        """Items with these numbers, some of them several times."""
        return self.of(self.ratings.at(items), items)

    def in_order(self) -> Reading:
        """The items of long data in the order of their groups; rows of a frame stay in theirs."""
        ratings = self.ratings
        if ratings.group is None or not (isinstance(ratings, LongRatings) and ratings.numbered):
            return self
        return self.take(np.argsort(ratings.group, kind="stable"))

    def expanded(self) -> Reading:
        """One entry per item, where an entry stands for several of them."""
        if self.ratings.weight is None:
            return self
        times = np.rint(self.ratings.weight).astype(np.int64)
        items = np.repeat(np.arange(len(times)), times)
        read = self.take(items)
        read = replace(read, ratings=replace(read.ratings, weight=None))
        if read.items is None:
            return replace(read, rows=None if read.rows is None else pd.RangeIndex(len(items)))
        return replace(read, items=pd.MultiIndex.from_arrays([read.items.to_flat_index(), number_within(items)]))

    @property
    def has_values(self) -> bool:
        """The labels are numbers with fractions, which are not categories unless they were declared."""
        return self.category_set.has_values

    @property
    def many_fractions(self) -> bool:
        """The labels are many different numbers with fractions, and so probably scores."""
        return self.category_set.many_fractions


@contextmanager
def groups_together(remedy: str) -> Iterator[None]:
    """Say that it is all groups together in which a coder labelled an item twice."""
    try:
        yield
    except InputError as error:
        if error.code not in ("repeated judgment", "several questions"):
            raise
        problem = f"the groups cannot be taken together: {error.problem}"
        raise InputError(problem, remedy, code="groups repeat judgments") from None


def columns_of(frame: pd.DataFrame, names: Sequence[Hashable], what: str = "column") -> list[pd.Series]:
    """The named columns; each must occur exactly once."""
    columns = []
    for name in names:
        if not is_hashable(name):
            got = (
                called(name)
                if isinstance(name, (pd.Series, pd.Index, np.ndarray))
                else f"the {type(name).__name__} {shown(name)}"
            )
            problem = f"expected one column name, and got {got}"
            raise InputError(problem, "name one, or join them into one", code="several columns")
        if name not in frame.columns:
            raise ColumnError.missing(name, frame.columns, what)
        column = frame[name]
        if isinstance(column, pd.DataFrame):
            if frame.columns.nlevels > 1:
                problem = f"{name!r} stands for {column.shape[1]} columns"
                raise InputError(problem, "name one as a tuple of all levels", column=name, code="several columns")
            remedy = f"rename one of the {column.shape[1]} columns of that name"
            raise InputError(f"column {name!r} is not unique", remedy, column=name, code="repeated name")
        columns.append(column)
    return columns


def scores_in(columns: Sequence[pd.Series]) -> list[Array] | None:
    """Columns of plain numbers as floats, NaN for a gap; None for anything else, or an integer too large."""
    if not all(column.dtype.kind in "iuf" and not isinstance(column.dtype, pd.SparseDtype) for column in columns):
        return None
    whole = [column for column in columns if column.dtype.kind in "iu" and len(column)]
    if any(max(-int(column.min()), int(column.max())) > MAX_EXACT_INTEGER for column in whole if column.notna().any()):
        return None
    return [column.to_numpy(dtype=float, na_value=np.nan) for column in columns]


def are_values(columns: Sequence[Array]) -> bool:
    """Whether finite numbers are not all whole; one fraction suffices, so that few rows are looked at."""
    if any(np.isinf(column).any() for column in columns):
        return False
    return not all(is_whole(column[rows]) for column in columns for rows in blocks(len(column)))


def is_whole(numbers: Array) -> bool:
    """Whether all numbers are integers that a float holds exactly; NaN is none."""
    numbers = numbers[numbers == numbers]
    return bool((np.abs(numbers) < MAX_EXACT_INTEGER).all() and (numbers == np.floor(numbers)).all())


def group_of(frame: pd.DataFrame, by: Any) -> Groups | None:
    return None if by is None else by if isinstance(by, Groups) else group_rows(frame, by)


def cluster_codes(frame: pd.DataFrame, clusters: Any) -> Array | None:
    """The cluster number of each row; a Series is aligned with the frame, as `by` is."""
    if clusters is None:
        return None
    values: Any = clusters
    if isinstance(clusters, pd.Series):
        values = clusters if clusters.index.equals(frame.index) else clusters.reindex(frame.index)
    elif not (isinstance(clusters, (list, np.ndarray, pd.Index)) and len(clusters) == len(frame)):
        values = columns_of(frame, [clusters])[0]
    if np.ndim(values) != 1:
        raise wrong_value("clusters", clusters, "must be the name of a column, or one value per row")
    try:
        codes, _ = pd.factorize(np.asarray(values, dtype=object) if isinstance(values, list) else values)
    except TypeError:
        problem = "clusters= has cells that hold several values, such as a list"
        raise InputError(problem, "name a column with one value per row", option="clusters") from None
    if (codes < 0).any():
        problem = f"clusters= has {counted(int((codes < 0).sum()), 'missing value', 'missing values')}"
        raise InputError(problem, "every item needs a cluster", option="clusters", code="missing value")
    return codes


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows of a frame that count, with their groups, clusters and frequencies."""

    frame: pd.DataFrame
    groups: Groups | None
    cluster: Array | None
    weight: Array | None  # (rows,) how many items a row stands for, above 0; None: one
    kept: Array | None = None  # (rows,) their positions in the user's frame; None: all rows count

    @classmethod
    def of(cls, frame: pd.DataFrame, options: Options) -> Rows:
        groups, cluster = group_of(frame, options.by), cluster_codes(frame, options.clusters)
        weight = None if options.frequency is None else frequencies(frame, options.frequency)
        if weight is None or (weight > 0).all():
            return cls(frame, groups, cluster, weight)
        place = np.flatnonzero(weight)  # the others do not exist: neither do their labels and groups
        groups = None if groups is None else groups.only(place)
        return cls(frame.iloc[place], groups, None if cluster is None else cluster[place], weight[place], place)

    @property
    def place(self) -> pd.Index:
        """Their positions in the user's frame: (rows,)."""
        return pd.RangeIndex(len(self.frame)) if self.kept is None else pd.Index(self.kept)

    def only(self, rows: Array, label: Hashable, values: pd.Series) -> Rows:
        """Some rows, by position, with other labels."""
        frame = self.frame.iloc[rows].copy(deep=False)
        frame[label] = values.array
        groups = None if self.groups is None else replace(self.groups, codes=self.groups.codes[rows])
        cluster, weight = (None if part is None else part[rows] for part in (self.cluster, self.weight))
        return Rows(frame, groups, cluster, weight, self.place[rows].to_numpy())


def frequencies(frame: pd.DataFrame, name: Hashable) -> Array:
    """How many items each row stands for: whole numbers of 0 or more, as floats."""
    (column,) = columns_of(frame, [name])
    if not is_numeric_dtype(column.dtype) or is_bool_dtype(column.dtype):
        why = f"must name a column of whole numbers, and it is {column.dtype}"
        raise wrong_value("frequency", name, why, column=name, code="no frequency")
    values = column.to_numpy(dtype=float, na_value=np.nan)
    bad = ~(np.isfinite(values) & (values >= 0) & (values == np.floor(values)))
    if bad.any():
        row = int(bad.argmax())
        cell = "is missing" if np.isnan(values[row]) else f"holds {values[row]:g}"
        why = "says how many items a row stands for, a whole number of 0 or more, and row"
        remedy = "survey weights are not frequencies: leave them out"
        why = f"{why} {shown(frame.index[row])} {cell}"
        raise wrong_value("frequency", name, why, remedy, column=name, code="no frequency")
    return values


def read_rows(
    source: Rows,
    make: Callable[[Any, int, Array | None, Array | None], Ratings],
    category_set: CategorySet,
    coders: Sequence[Hashable],
    named: bool = True,
) -> Reading:
    """One item per row that belongs to a group.

    `make` takes what selects these rows, the number of groups, and the group and the weight of each row.
    """
    groups = source.groups
    kept = slice(None) if groups is None else groups.grouped_rows
    code = None if groups is None else groups.codes.astype(np.int64, copy=False)
    group, cluster, weight = (None if part is None else part[kept] for part in (code, source.cluster, source.weight))
    index = None if groups is None else groups.index
    ratings = make(kept, 1 if index is None else len(index), group, weight)
    together = partial(read_rows, replace(source, groups=None), make, category_set, coders, named)
    rows = source.place[kept]
    return Reading(ratings, category_set, coders, index, named, cluster, rows=rows, read_together=together)


def key_columns(groups: Groups | None, options: Options) -> set[Hashable]:
    """Columns that are keys or frequencies or stand apart, and so neither coders nor categories."""
    keys: set[Hashable] = set(options.not_coders) if groups is None else {*groups.columns, *options.not_coders}
    keys |= set() if options.frequency is None else {options.frequency}
    clusters = options.clusters
    name = clusters.name if isinstance(clusters, (pd.Series, pd.Index)) else clusters
    if isinstance(name, Hashable) and name is not None:
        keys.add(name)
    return keys


def check_each(names: Sequence[Hashable]) -> None:
    """Raise for coders that are not given one by one."""
    for name in names:
        if not is_hashable(name):
            remedy = f"write *{shown(name)}" if isinstance(name, (list, set)) else "write the names of the columns"
            raise InputError(f"coders are given one by one, not as a {type(name).__name__}: {remedy}")
        if name is pd.NA:
            raise InputError(
                "a coder is called <NA>, which cannot be compared", "rename the column", code="unusable name"
            )
    check_text(names, "a coder is called")


def check_names(names: Sequence[Hashable], remedy: str) -> None:
    """Raise unless coders are named one by one, at least two, each once."""
    check_each(names)
    if len(set(names)) < len(names):
        repeated = next(name for name in names if list(names).count(name) > 1)
        problem = f"coder {shown(repeated)} is named twice"
        raise InputError(problem, "a coder always agrees with themselves", column=repeated, code="repeated name")
    if len(names) < 2:
        got = "none" if not names else "only " + ", ".join(map(shown, names))
        raise InputError(f"agreement needs at least two coders, and got {got}", remedy, code="too few coders")


def set_cells(level: Any, sep: str | None) -> SetCells | None:
    """The function that converts cells to sets, if the level compares sets; else None."""
    compares = isinstance(level, str) and level in SET_LEVELS
    if sep is not None and not compares:
        problem = "sep= splits cells into sets, which only level='jaccard' and level='masi' compare"
        raise InputError(problem, option="sep", code="idle option")
    return SetCells(sep) if compares else None


def scores_of(reading: Reading, what: str) -> Scores:
    """The ratings as scores; `what` names the method in the error."""
    if isinstance(reading.ratings, Scores):
        return item_by_item(reading.ratings)
    numbers = numbers_of(reading, what)
    return as_scores(item_by_item(reading.ratings), numbers)


def numbers_of(reading: Reading, what: str) -> Array:
    """The category values, or an error that names the first label that is no number, and its coder."""
    numbers = reading.category_set.numbers()
    if numbers is not None:
        return numbers
    text = reading.category_set.first_text()
    code = list(reading.category_set.labels).index(text)
    problem = f"{what} needs numbers, and {text!r}{_whose(reading, code)} is not one"
    if has_decimal_comma(text):
        raise LabelTypeError(problem, READ_COMMAS, code="decimal commas")
    column = "df['label']" if isinstance(reading.ratings, LongRatings) else "df['ann']"
    if reads_as_number(text):
        raise LabelTypeError(problem, f"convert the text, as in pd.to_numeric({column})", code="numbers as text")
    remedy = f"map the labels to numbers, for instance with {column}.map({{'low': 1, 'high': 2}}), "
    remedy += f"or an ordered Categorical with {column}.cat.codes"
    raise LabelTypeError(problem, remedy, code="needs numbers")


def _whose(reading: Reading, code: int) -> str:
    ratings = reading.ratings
    if isinstance(ratings, WideRatings):
        coders = [name for name, codes in zip(reading.coders, ratings.codes, strict=False) if (codes == code).any()]
    elif isinstance(ratings, LongRatings) and ratings.identified:
        coders = [reading.coders[int(coder)] for coder in ratings.coder[ratings.code == code][:1]]
    else:
        coders = []
    return f" (of {coders[0]!r})" if coders else ""


# --------------------------------------------------------------------------------------------- categories of each group


def are_seen(categories: Any) -> bool:
    """Whether the categories of a group are those seen in it."""
    return isinstance(categories, str) and categories == SEEN


def with_group_categories(reading: Reading, categories: Any) -> Reading:
    """The same reading, with the number of categories of each group if `categories='group'` asks for it."""
    if not are_seen(categories) or reading.category_set is NO_CATEGORIES:
        return reading
    if reading.groups is None:
        problem = f"categories={SEEN!r} takes the categories from each group, and there are no groups"
        raise InputError(problem, "name the groups with by=", option="categories", code="no groups")
    return replace(reading, n_chosen=(reading.ratings.label_totals() > 0).sum(-1).astype(float))
