"""Partial results of chunks of a file or partitions of a cluster.

A `Plan` holds the coefficients, options and columns. `read_partial` turns a frame into a `PartialResult`: moments, and
the names of their categories, coders and groups. `combine` adds partial results in any order, and `finish` makes the
result of the whole frame. All are functions of objects that can be pickled, so that they run on any worker. Where the
frames come from is in `chunks` and `pandas_agreement.dask`.
"""

from __future__ import annotations

import contextlib
import functools
import operator
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.coefficients.registry import Coefficient, find, require
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.classes import dataclass
from pandas_agreement.core.item_statistics import Layout
from pandas_agreement.core.selection import keep
from pandas_agreement.core.weights import SET_LEVELS
from pandas_agreement.data import Needs, Reading, read_long, read_wide, set_cells
from pandas_agreement.data.cells import SetCells
from pandas_agreement.data.grouping import without_group
from pandas_agreement.data.label_checks import check_labels, check_ratio
from pandas_agreement.data.labels import CategorySet, encode, is_missing
from pandas_agreement.data.reading import are_seen, check_names, columns_of, group_of
from pandas_agreement.engine import assemble, describe, distance_for
from pandas_agreement.errors import (
    ColumnError,
    InputError,
    Remark,
    choose,
    collect_warnings,
    needs_weights,
    public,
    remarks_of,
    warn_once,
    wrong_value,
)
from pandas_agreement.options import Options, as_written, is_nominal, listed_categories, make_options
from pandas_agreement.results import frames, schemas
from pandas_agreement.results.tidy import tidy
from pandas_agreement.scales import Scale
from pandas_agreement.streaming.from_moments import SummedRatings, evaluate_moments, indices_of_two
from pandas_agreement.streaming.moments import Moments, add, moments_of

View = tuple[str, str]  # the unit of a coefficient (item or label), and the rule for missing labels

STREAM_OPTIONS = ("by", "frequency", "weights", "level", "sep", "categories", "missing", "ci", "method", "detail")
SEVERAL = ("stream", "summary")  # methods of several coefficients, where `weights` or `level` stands for both
STREAM_MISSING = dict.fromkeys(("pairable", "all", "raise"))
STREAM_DUPLICATES = dict.fromkeys(("raise", "first", "last"))
STREAM_METHODS = ("auto", "score", "analytic", "log")
OF_A_PART = "kinds of labels"  # the remark of a part that is kept; the others are about all of them
MAX_CATEGORIES_IN_PAIRS = 1000  # categories, if every pair of them is kept


@dataclass(frozen=True, eq=False)
class Plan:
    """The coefficients to compute, and the columns: of coders, or of items, coders and labels."""

    metrics: tuple[str, ...]
    coders: tuple[Hashable, ...]
    named: bool  # the user named the coders
    long: tuple[Hashable, Hashable, Hashable] | None
    options: Options = field(default_factory=Options)
    duplicates: str = "raise"  # of long data
    method: str = "stream"  # the name of the method
    listed: bool = True  # several coefficients were asked for

    @property
    def records(self) -> list[Coefficient]:
        return [find(name) for name in self.metrics]

    @property
    def keys(self) -> list[Hashable]:
        """The columns that define the groups."""
        by: Any = self.options.by  # column names: `make_plan` raises for anything else
        return [] if by is None else list(by) if isinstance(by, list) else [by]

    @property
    def columns(self) -> list[Hashable]:
        """All columns that are needed."""
        frequency = [] if self.options.frequency is None else [self.options.frequency]
        columns = self.coders if self.long is None else self.long
        return list(dict.fromkeys([*columns, *self.keys, *frequency]))

    @property
    def own_columns(self) -> schemas.Columns:
        """The columns that details add to a single coefficient."""
        single = self.options.detail and not self.listed
        return schemas.KAPPA_DETAIL if single and self.metrics == ("kappa",) else {}

    def view(self, record: Coefficient) -> View:
        return record.unit, record.rule(self.options.missing)

    def needs_pairs(self, record: Coefficient) -> bool:
        """Whether the coefficient uses a distance other than nominal."""
        return not is_nominal(as_written(record, self.options)[1])


@dataclass(frozen=True, eq=False)
class PartialResult:
    """The moments of one part of the data, and the names they refer to."""

    category_set: CategorySet
    coders: list[Hashable]
    groups: pd.Index | None
    moments: dict[View, Moments]
    n_rows: int = 0
    n_lost: int = 0  # rows without a group key
    remarks: tuple[Remark, ...] = ()  # on its labels
    cells: SetCells | None = None  # where cells hold several labels: how many there are, and how many are blank


def make_plan(
    coders: Sequence[Hashable],
    metrics: Sequence[str],
    long: tuple[Hashable, Hashable, Hashable] | None,
    given: Mapping[str, Any],
    what: str,
    duplicates: str = "raise",
    listed: bool = True,
) -> Plan:
    """Check the call and make its plan; `what` is the name of the method, `listed` whether it is about several."""
    records = [find(name) for name in metrics]
    if not records:
        remedy = "name at least one coefficient, such as metrics=['kappa', 'alpha']"
        raise InputError("metrics= is empty", remedy, option="metrics", code="missing option")
    for record in records:
        require(record, "stream", "needs all items at once")
    options = make_options(given, what, records, one_word=what in SEVERAL)
    for name in given:
        if name not in STREAM_OPTIONS:
            problem = f"{what} has no option {name!r}: only sums over the items are kept"
            if name == "overall":
                problem = f"{what} has no option 'overall': it computes the rows of the groups alone"
            remedy = "call it once more without by=" if name == "overall" else ""
            raise InputError(problem, remedy, option=name, code="unknown option")
    if are_seen(options.categories):
        problem = f"{what} takes one list of categories for all groups"
        remedy = "list them, or compute the groups one at a time"
        raise InputError(problem, remedy, option="categories", code="needs all items")
    if not isinstance(options.frequency, Hashable):
        raise wrong_value("frequency", options.frequency, "must name a column")
    choose("missing", options.missing, STREAM_MISSING)
    choose("duplicates", duplicates, STREAM_DUPLICATES)
    methods = [name for name in STREAM_METHODS if all(name in record.all_methods for record in records)]
    choose("method", options.method, dict.fromkeys(methods))
    if coders:
        check_names(coders, "name at least two")
    names = tuple(dict.fromkeys(record.name for record in records))
    plan = Plan(names, tuple(coders), bool(coders), long, options, duplicates, what, listed)
    for key in plan.keys:
        if not isinstance(key, Hashable) or callable(key) or isinstance(key, pd.Grouper):
            raise InputError(f"{what} takes by= as the name of a column, or a list of names", option="by")
    for record in records:
        if record.needs_weights and (options.stands_for_both or "weights") not in options.given:
            raise needs_weights(record.name)
    return plan


def _try_weights(plan: Plan, reading: Reading) -> None:
    """Raise before all data are read if weights do not fit the labels."""
    for record in plan.records:
        chosen = as_written(record, plan.options)[1]
        if isinstance(chosen, (str, Scale)) and chosen not in SET_LEVELS and plan.needs_pairs(record):
            distance_for(record, reading, plan.options)


# -------------------------------------------------------------------------------------------------------- one frame


def read_partial(frame: pd.DataFrame, plan: Plan) -> PartialResult:
    """The moments of one frame, which holds all labels of its items."""
    cells = set_cells(plan.options.level, plan.options.sep)
    with collect_warnings() as said:
        reading = _read_part(frame, plan, cells)
        with contextlib.suppress(InputError):  # later categories may fit; labels of a wrong type stay an error
            _try_weights(plan, reading)
    moments = {}
    for view in {plan.view(record) for record in plan.records}:
        records = [record for record in plan.records if plan.view(record) == view]
        ratings, _ = keep(reading.ratings, view[1], reading.coders)
        pairs, number = any(plan.needs_pairs(record) for record in records), len(reading.category_set)
        if pairs and number > MAX_CATEGORIES_IN_PAIRS:
            problem = (
                f"counts are kept for pairs of at most {MAX_CATEGORIES_IN_PAIRS} categories, and there are {number}"
            )
            raise InputError(problem, "measure the whole frame, or round the labels", code="too large")
        moments[view] = moments_of(ratings, view[0], pairs, any(record.needs_coders for record in records))
    lost = _rows_without_group(frame, plan)
    remarks = tuple(remark for remark in remarks_of(said) if remark.code == OF_A_PART)
    coders = list(reading.coders)
    return PartialResult(reading.category_set, coders, reading.groups, moments, len(frame), lost, remarks, cells)


def _rows_without_group(frame: pd.DataFrame, plan: Plan) -> int:
    gaps = [key.isna().to_numpy() for key in columns_of(frame, plan.keys)]
    return int(np.any(gaps, axis=0).sum()) if gaps else 0


def _read_part(frame: pd.DataFrame, plan: Plan, cells: SetCells | None) -> Reading:
    """The labels of one frame."""
    options = plan.options
    columns_of(frame, plan.columns)  # raises for a missing or repeated column
    if plan.long is None:
        return read_wide(frame, plan.coders, options, Needs(cells=cells)).compact()
    if plan.named:
        return _read_chosen(frame, plan, plan.long, cells)
    return read_long(frame, plan.long, (), options, Needs(cells=cells), plan.duplicates)


def _read_chosen(
    frame: pd.DataFrame,
    plan: Plan,
    columns: tuple[Hashable, Hashable, Hashable],
    cells: SetCells | None,
) -> Reading:
    """Long data of the named coders, some of whom may be absent; categories and groups are those of all rows."""
    item, coder, label = columns
    labels = cells(frame[label]) if cells else frame[label]
    (code,), category_set = encode([labels], [label], plan.options.categories)
    groups = group_of(frame, plan.options.by)
    lost = frame[[item, coder]].isna().any(axis=1).to_numpy() & (code >= 0)  # kept, so that they raise
    chosen = frame[coder].isin(plan.coders).to_numpy(bool) | lost
    kept = [item] if plan.options.frequency in (None, item) else [item, plan.options.frequency]
    part = frame.loc[chosen, kept]
    known = [name for name in plan.coders if not is_missing(name)]  # no coder is called that: `finish` says so
    names = frame[coder].astype(object)[chosen]
    part[coder] = pd.Categorical(names.where(names.isin(known)), categories=known)
    part[label] = pd.Categorical.from_codes(code[chosen], categories=category_set.labels)
    by = None if groups is None else replace(groups, codes=groups.codes[chosen])
    options = plan.options.only("frequency").but(by=by)
    reading = read_long(part, columns, (), options, duplicates=plan.duplicates)
    return replace(reading, category_set=category_set)


# -------------------------------------------------------------------------------------------------------- all frames


def combine(partials: Sequence[PartialResult], plan: Plan) -> PartialResult:
    """Add partial results."""
    if len(partials) == 1:
        return partials[0]
    with collect_warnings() as said:
        category_set = _all_labels([partial.category_set for partial in partials], plan)
    coders = _in_order((name for partial in partials for name in partial.coders), plan.coders)
    groups, of_groups = _all_groups([partial.groups for partial in partials])
    labels = [partial.category_set.labels.tolist() for partial in partials]
    of_categories = _places_of(category_set.labels.tolist(), labels)
    of_coders = _places_of(coders, [partial.coders for partial in partials])
    moments = {}
    for view, first in partials[0].moments.items():
        layout = Layout(len(category_set), len(coders), first.layout.with_pairs, with_numbers=True)
        parts = zip([partial.moments[view] for partial in partials], of_groups, of_categories, of_coders, strict=True)
        moments[view] = add(list(parts), layout, 1 if groups is None else len(groups))
    n_rows, n_lost = (sum(getattr(partial, name) for partial in partials) for name in ("n_rows", "n_lost"))
    remarks = [*(remark for partial in partials for remark in partial.remarks), *remarks_of(said)][:1]
    cells = functools.reduce(operator.add, (partial.cells for partial in partials)) if partials[0].cells else None
    return PartialResult(category_set, coders, groups, moments, n_rows, n_lost, tuple(remarks), cells)


def _places_of(names: list[Any], parts: Iterable[list[Any]]) -> list[Array]:
    """The positions among the names of those of each part."""
    place = {name: position for position, name in enumerate(names)}
    return [np.array([place[name] for name in part], np.int64) for part in parts]


def _in_order(names: Iterable[Any], order: Sequence[Any] = ()) -> list[Any]:
    """Each name once, in the given order, else sorted if possible."""
    unique = dict.fromkeys(names)
    if order:
        return [name for name in order if name in unique]
    try:
        return sorted(unique)
    except TypeError:
        return list(unique)


def _all_labels(category_sets: list[CategorySet], plan: Plan) -> CategorySet:
    """The categories of all parts, equal to those of the whole frame."""
    first = category_sets[0]
    if all(other.labels.equals(first.labels) and other.ordered == first.ordered for other in category_sets):
        return first
    columns = [category_set.as_column() for category_set in category_sets]
    names = [f"part {number}" for number in range(1, len(columns) + 1)]
    try:
        return encode(columns, names, plan.options.categories)[1]
    except InputError as error:
        remedy = "give all of them the same dtype, for instance with read_csv(..., dtype=...)"
        raise InputError(
            "the labels of two parts of the data have different types", f"{remedy}: {error.problem}"
        ) from error


def _all_groups(indexes: list[pd.Index | None]) -> tuple[pd.Index | None, list[Array]]:
    """The groups of all parts, sorted as by `groupby`, and the positions of those of each part."""
    keys = [index.to_frame(index=False) for index in indexes if index is not None]
    if not keys:
        return None, [np.zeros(1, np.int64)] * len(indexes)
    together = join_rows(keys)
    grouped = together.groupby(list(together.columns), observed=True)
    numbers = grouped.ngroup().to_numpy()
    return grouped.size().index, np.split(numbers, np.cumsum([len(frame) for frame in keys])[:-1])


def join_rows(frames: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Concatenate frames with the same columns; different Categoricals become one of all categories."""
    frames = [frame for frame in frames if len(frame)] or list(frames[:1])
    for name in frames[0].columns:
        dtypes = [frame[name].dtype for frame in frames]
        if all(isinstance(dtype, pd.CategoricalDtype) for dtype in dtypes) and len(set(dtypes)) > 1:
            dtype = _common(dtypes)
            frames = [frame.astype({name: dtype}) for frame in frames]
    return pd.concat(frames, ignore_index=True)


def _common(dtypes: list[Any]) -> Any:
    """A dtype with all categories: the longest order, or their union; object if that order is incomplete."""
    longest = max(dtypes, key=lambda dtype: (bool(dtype.ordered), len(dtype.categories)))
    union = _in_order(label for dtype in dtypes for label in dtype.categories)
    if longest.ordered:
        return longest if len(union) == len(longest.categories) else object
    return pd.CategoricalDtype(union)


# ------------------------------------------------------------------------------------------------------ the result


@public
def finish(partial: PartialResult, plan: Plan) -> pd.DataFrame:
    """The result, equal to that of the whole frame, with one warning for all parts."""
    warn_once(_remarks_on(partial, plan.options))
    coders = _check_coders(partial, plan)
    named = plan.named and not (plan.long is not None and partial.groups is not None)
    listed = listed_categories(plan.options)
    blocks = []
    for record in plan.records:
        moments = partial.moments[plan.view(record)]
        ratings = SummedRatings.of(moments, moments.sums())
        reading = Reading(ratings, partial.category_set, coders, partial.groups, named, listed=listed)
        if partial.cells:
            reading = reading.remarked("blank cells", partial.cells.remark)
        distance = distance_for(record, reading, plan.options)
        if getattr(distance, "directed", None) is not None:
            problem = "weights that are not symmetric need all items at once"
            raise InputError(problem, "make the matrix symmetric", option="weights", code="needs all items")
        evaluation = evaluate_moments(record, moments, distance)
        blocks.append(describe(record, evaluation, reading, plan.options))
    result = assemble(frames.row_index(partial.groups, {}, list(plan.metrics)), blocks)
    columns: dict[str, Any] = dict.fromkeys(plan.own_columns, np.nan)
    if columns and len(coders) == 2:
        columns = dict(zip(columns, indices_of_two(moments, distance), strict=True))
    return as_asked(result.assign(**columns), plan)


def as_asked(result: pd.DataFrame, plan: Plan) -> pd.DataFrame:
    """The frame that the user sees."""
    return tidy(result, plan.method, plan.options.detail, plan.listed)


def _remarks_on(partial: PartialResult, options: Options) -> list[Remark]:
    """What is odd about all data."""
    asked = {name: getattr(options, name) for name in ("level", "weights")}
    return [
        *partial.remarks,
        *without_group(partial.n_lost, partial.n_rows, repr(options.by)),
        *check_labels(partial.category_set, set_cells(options.level, options.sep) is not None),
        *check_ratio(partial.category_set, listed_categories(options), asked),
    ]


def _check_coders(partial: PartialResult, plan: Plan) -> list[Hashable]:
    if plan.long is not None:
        _check_complete(partial, plan)
        for name in plan.coders:
            if name not in partial.coders:
                raise ColumnError.missing(name, partial.coders, "coder")
        if len(partial.coders) < 2 and plan.named:
            check_names(partial.coders, "name at least two")
    return partial.coders


def _check_complete(partial: PartialResult, plan: Plan) -> None:
    """Raise with missing='raise' unless every coder labelled every item; needs all parts of long data."""
    moments = next(iter(partial.moments.values()))
    sums = moments.sums()
    n_items = sums[:, moments.layout.one].sum()
    lacking = n_items * len(partial.coders) - sums[:, moments.layout.labels : moments.layout.one].sum()
    if plan.options.missing == "raise" and lacking > 0.5:
        why = f": {n_items:.0f} items by {len(partial.coders)} coders lack {lacking:.0f} labels"
        remedy = "fill them in, or choose missing='pairable' or 'all'"
        raise wrong_value("missing", "raise", why, remedy, code="missing labels")


def with_coders(plan: Plan, columns: Sequence[Hashable]) -> Plan:
    """Without named coders, take every column except group keys as a coder."""
    if plan.long is not None or plan.coders:
        return plan
    keys = {*plan.keys, *([] if plan.options.frequency is None else [plan.options.frequency])}
    names = tuple(name for name in columns if name not in keys)
    check_names(names, "name the columns of at least two coders")
    return replace(plan, coders=names)
