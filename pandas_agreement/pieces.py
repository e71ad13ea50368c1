"""Data in pieces: chunks of a file, partitions of a cluster.

A `Plan` says what is wanted and where it stands in a frame. `read_piece` turns a frame into a `Piece`: moments, and the
names of the categories, coders and groups they are about. `combine` adds pieces in any order and grouping, as names may
be new in each; `finish` makes the result that the whole frame would have given. All are plain functions of things that
can be pickled, so that they run anywhere.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pandas_agreement import options, tidy
from pandas_agreement.engine import assemble, describe, distance_for
from pandas_agreement.errors import ColumnError, InputError, choose
from pandas_agreement.labels import Universe, encode
from pandas_agreement.missing import keep
from pandas_agreement.moments import Layout, Moments, add, moments_of
from pandas_agreement.reading import Reading, read_long, read_wide, set_cells
from pandas_agreement.reading.common import check_names, columns_of
from pandas_agreement.recall import Recalled, evaluate_moments
from pandas_agreement.registry import REGISTRY, Coefficient, find

Array = NDArray[Any]
View = tuple[str, str]  # what counts once (an item, a label), and the rule for missing labels

KNOWN = ("by", "weights", "level", "scale", "period", "sep", "categories", "missing", "ci", "method", "duplicates")
RULES = dict.fromkeys(("pairable", "all", "raise"))
METHODS = dict.fromkeys(("analytic", "log"))
MOST = 1000  # categories, where every pair of them is kept


@dataclass(frozen=True, eq=False)
class Plan:
    """What to measure, and where it stands: in columns of coders, or in columns of items, coders and labels."""

    metrics: tuple[str, ...]
    coders: tuple[Hashable, ...]
    named: bool  # the user named the coders
    long: tuple[Hashable, Hashable, Hashable] | None
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def records(self) -> list[Coefficient]:
        return [find(name) for name in self.metrics]

    @cached_property
    def options(self) -> dict[str, Any]:
        return options.fill(self.settings) | {"given": frozenset(self.settings)}

    @property
    def keys(self) -> list[Hashable]:
        """The columns that make the groups."""
        by = self.options["by"]
        return [] if by is None else list(by) if isinstance(by, list) else [by]

    @property
    def columns(self) -> list[Hashable]:
        """All columns that are needed."""
        return list(dict.fromkeys([*(self.long or self.coders), *self.keys]))

    def view(self, record: Coefficient) -> View:
        return record.unit, record.rule(self.options["missing"])

    def needs_pairs(self, record: Coefficient) -> bool:
        """Whether its distances are more than same or different."""
        name = "level" if record.accepts("level") else "weights"
        asked = self.options[name] if record.accepts(name) else "nominal"
        return not (isinstance(asked, str) and asked == "nominal")


@dataclass(frozen=True, eq=False)
class Piece:
    """What is known of some of the data."""

    universe: Universe
    coders: list[Hashable]
    groups: pd.Index | None
    moments: dict[View, Moments]


def can_be_pieced(record: Coefficient) -> bool:
    """Whether a coefficient is a function of sums over items."""
    return record.over == "items"


def make_plan(
    coders: Sequence[Hashable],
    metrics: Sequence[str],
    long: tuple[Hashable, Hashable, Hashable] | None,
    settings: dict[str, Any],
    what: str,
) -> Plan:
    """Check what was asked for; `what` is the name of the method, for messages."""
    records = [find(name) for name in metrics]
    if not records:
        raise InputError("metrics= is empty; name at least one coefficient, such as metrics=['kappa', 'alpha']")
    for record in records:
        if not can_be_pieced(record):
            known = ", ".join(name for name, other in REGISTRY.items() if can_be_pieced(other))
            raise InputError(f"{record.name} needs all items at once; in pieces there are {known}")
    options.check(settings, records, what)
    for name in settings:
        if name not in KNOWN or (name == "duplicates" and long is None):
            raise InputError(f"{what} has no option {name!r}: only sums are kept of the items")
    choose("missing", settings.get("missing", "pairable"), RULES)
    choose("method", settings.get("method", "analytic"), METHODS)
    if coders:
        check_names(coders, "name two at least")
    plan = Plan(tuple(record.name for record in records), tuple(coders), bool(coders), long, settings)
    for key in plan.keys:
        if not isinstance(key, Hashable) or callable(key) or isinstance(key, pd.Grouper):
            raise InputError(f"{what} takes by= as the name of a column, or a list of names")
    return plan


# ------------------------------------------------------------------------------------------------------- one piece


def read_piece(frame: pd.DataFrame, plan: Plan) -> Piece:
    """The moments of one frame, which holds all labels of its items."""
    reading = _read(frame, plan)
    ready = {}
    for view in {plan.view(record) for record in plan.records}:
        mine = [record for record in plan.records if plan.view(record) == view]
        ratings, _ = keep(reading.ratings, view[1], reading.coders)
        pairs = any(plan.needs_pairs(record) for record in mine)
        if pairs and len(reading.universe) > MOST:
            raise InputError(
                f"in pieces every pair of categories is kept, and there are {len(reading.universe)} categories, which "
                f"is more than {MOST}; measure the whole frame, or round the labels"
            )
        ready[view] = moments_of(ratings, view[0], pairs, any(record.needs_coders for record in mine))
    return Piece(reading.universe, list(reading.coders), reading.groups, ready)


def _read(frame: pd.DataFrame, plan: Plan) -> Reading:
    settings: dict[str, Any] = {name: plan.options[name] for name in ("by", "categories")}
    cells = set_cells(plan.settings)
    columns_of(frame, plan.columns)  # all there, each once
    if plan.long is None:
        return read_wide(frame, plan.coders, cells=cells, **settings)
    if plan.named:
        frame = frame[frame[plan.long[1]].isin(plan.coders).to_numpy()]
    return read_long(frame, plan.long, (), duplicates=plan.options["duplicates"], cells=cells, **settings)


# ---------------------------------------------------------------------------------------------------- many pieces


def combine(pieces: Sequence[Piece], plan: Plan) -> Piece:
    """One piece of many."""
    if len(pieces) == 1:
        return pieces[0]
    universe = _all_labels([piece.universe for piece in pieces], plan)
    coders = list(plan.coders) if plan.long is None else _all_coders([piece.coders for piece in pieces])
    groups, of_groups = _all_groups([piece.groups for piece in pieces])
    of_categories = [_places(universe.labels.tolist(), piece.universe.labels.tolist()) for piece in pieces]
    of_coders = [_places(coders, piece.coders) for piece in pieces]
    moments = {}
    for view, first in pieces[0].moments.items():
        layout = Layout(len(universe), len(coders), first.layout.with_pairs)
        parts = zip([piece.moments[view] for piece in pieces], of_groups, of_categories, of_coders, strict=True)
        moments[view] = add(list(parts), layout, 1 if groups is None else len(groups))
    return Piece(universe, coders, groups, moments)


def _places(names: list[Any], some: list[Any]) -> Array:
    place = {name: position for position, name in enumerate(names)}
    return np.array([place[name] for name in some], np.int64)


def _all_labels(universes: list[Universe], plan: Plan) -> Universe:
    """The categories of all pieces, as one reading of all would have found them."""
    first = universes[0]
    if all(other.labels.equals(first.labels) and other.ordered == first.ordered for other in universes):
        return first
    columns = [_as_column(universe) for universe in universes]
    return encode(columns, ["the labels of one piece"] * len(columns), plan.options["categories"])[1]


def _as_column(universe: Universe) -> pd.Series:
    if universe.declared:
        return pd.Series(pd.Categorical([], categories=universe.labels, ordered=universe.ordered))
    return pd.Series(universe.labels.to_numpy() if universe.labels.dtype == object else universe.labels)


def _all_coders(names: list[list[Hashable]]) -> list[Hashable]:
    """Sorted, as in one reading, if they can be sorted."""
    union = list(dict.fromkeys(name for some in names for name in some))
    try:
        return sorted(union)  # type: ignore[type-var]
    except TypeError:
        return union


def _all_groups(indexes: list[pd.Index | None]) -> tuple[pd.Index | None, list[Array]]:
    """The groups of all pieces, as `groupby` sorts them, and where those of each piece stand."""
    keys = [index.to_frame(index=False) for index in indexes if index is not None]
    if not keys:
        return None, [np.zeros(1, np.int64)] * len(indexes)
    together = pd.concat([frame for frame in keys if len(frame)] or keys[:1], ignore_index=True)
    grouped = together.groupby(list(together.columns), observed=True)
    numbers = grouped.ngroup().to_numpy()
    return grouped.size().index, np.split(numbers, np.cumsum([len(frame) for frame in keys])[:-1])


# ------------------------------------------------------------------------------------------------------ the result


def finish(piece: Piece, plan: Plan) -> pd.DataFrame:
    """The result, as the whole frame would have given it."""
    coders = _check_coders(piece, plan)
    named = plan.named and not (plan.long is not None and piece.groups is not None)
    listed = plan.settings.get("categories") is not None
    listed = listed and not isinstance(plan.settings["categories"], pd.CategoricalDtype)
    blocks = []
    for record in plan.records:
        moments = piece.moments[plan.view(record)]
        ratings = Recalled(moments.layout, moments.sums())
        reading = Reading(ratings, piece.universe, coders, piece.groups, named, listed=listed)
        distance = distance_for(record, reading, plan.options)
        if getattr(distance, "directed", None) is not None:
            raise InputError("weights that are not symmetric need all items at once; make the matrix symmetric")
        evaluation = evaluate_moments(record, moments, distance)
        blocks.append(describe(record, evaluation, reading, plan.options, np.zeros(0, bool)))
    return assemble(tidy.row_index(piece.groups, {}, list(plan.metrics)), blocks)


def _check_coders(piece: Piece, plan: Plan) -> list[Hashable]:
    if plan.long is not None:
        for name in plan.coders:
            if name not in piece.coders:
                raise ColumnError.missing(name, piece.coders, "coder")
        if len(piece.coders) < 2 and plan.named:
            check_names(piece.coders, "name two at least")
    return piece.coders


def with_coders(plan: Plan, columns: Sequence[Hashable]) -> Plan:
    """Every column is a coder if none was named; the keys of groups are not."""
    if plan.long is not None or plan.coders:
        return plan
    names = tuple(name for name in columns if name not in plan.keys)
    check_names(names, "name the columns of two coders at least")
    return replace(plan, coders=names)
