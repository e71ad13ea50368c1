"""The base of all methods: reading the data, measuring, and aliases."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, Any, NoReturn

import pandas as pd

from pandas_agreement import engine, errors
from pandas_agreement.accessor.names import INSTEAD, METHOD_ALIASES
from pandas_agreement.accessor.signatures import groups_of
from pandas_agreement.coefficients.registry import ALIASES, Coefficient, find
from pandas_agreement.data import AsScores, Cells, Needs, Reading, set_cells
from pandas_agreement.data.cells import SetCells
from pandas_agreement.data.grouping import Groups
from pandas_agreement.data.label_checks import check_ratio
from pandas_agreement.data.reading import are_seen, with_group_categories
from pandas_agreement.engine import check_named
from pandas_agreement.errors import InputError, UnknownMethodError, nearest, needs_weights, warn_once
from pandas_agreement.options import (
    OPTIONS,
    WEIGHTED_ALIASES,
    Options,
    listed_categories,
    metrics_for,
    warn_of_sets,
    weights_for,
)
from pandas_agreement.results.frames import with_coefficients

SURELY = 0.7  # likeness of a name that is suggested for another


class Base:
    """Reads and measures; subclasses add the methods and the input formats."""

    __slots__ = ()

    #: options that mean nothing for this input format, and what it is called in the message
    _unused: tuple[str, ...] = ()
    _format = ""

    @property
    def _anonymous(self) -> bool:
        """Whether the format does not say who gave which label."""
        return False

    @property
    def _frame(self) -> pd.DataFrame:
        """The user's frame."""
        raise NotImplementedError

    @property
    def _is_grouped(self) -> bool:
        """Whether the data are grouped before the call."""
        return False

    @property
    def _made_groups(self) -> Groups | None:
        """The groups of a grouped frame."""
        return None

    @property
    def _as_index(self) -> bool:
        """Whether the keys of a grouped frame are the index of results, and not columns."""
        return True

    @property
    def _each_field(self) -> Mapping[Hashable, Base] | None:
        """The data of each label column, where there are several."""
        return None

    @property
    def _long_columns(self) -> tuple[Any, Hashable, Hashable] | None:
        """The columns of item, coder and label, if there is one row per judgment."""
        return None

    def _labels_of(self, read: Reading) -> list[Hashable]:
        """The columns of the frame that hold the labels, and who gave them to what."""
        return list(read.coders)

    def _for_labels(self) -> Base:
        """The same data as `truth` reads them, which can count every label of a coder."""
        return self

    def _on(self, frame: pd.DataFrame) -> Base:
        """The same input format with another frame of as many rows."""
        raise NotImplementedError

    def _with_known(self, name: Hashable, options: Options) -> tuple[Base, Options]:
        """The data with a column of known labels as one more coder, and the options for them."""
        raise NotImplementedError

    def _reading(self, coders: Sequence[Hashable], options: Options, needs: Needs) -> Reading:
        """Read the data; `options.by` has the groups of a grouped frame."""
        raise NotImplementedError

    def _read(
        self,
        coders: Sequence[Hashable],
        options: Options,
        needs_coders: str | None = None,
        rows: bool = False,
        cells: Cells | None = None,
        scores: AsScores = False,
    ) -> Reading:
        """Read the data.

        `needs_coders` is the name of a method that needs the coder of each label, `rows` keeps one entry per item,
        `cells` converts a column of cells to labels, `scores` does not code plain numbers ("values": those with
        fractions).
        """
        if rows:
            self._check_items()
        read = self._read_items(coders, options, needs_coders, cells, scores)
        return read.in_order().expanded() if rows else read.compact()

    def _read_items(
        self,
        coders: Sequence[Hashable],
        options: Options,
        needs_coders: str | None = None,
        cells: Cells | None = None,
        scores: AsScores = False,
    ) -> Reading:
        """The same with one entry per row of a wide frame, or name of an item."""
        cells = cells or set_cells(options.level, options.sep)
        self._check_format(options, cells)
        shared = options.without("categories") if are_seen(options.categories) else options
        if self._is_grouped:
            shared = shared.but(by=groups_of(options, self._made_groups))
        read = with_group_categories(self._reading(coders, shared, Needs(cells, scores)), options.categories)
        if listed_categories(options):
            read = replace(read, listed=True)
        if isinstance(cells, SetCells):
            read = read.remarked("blank cells", cells.remark)
        asked = {name: getattr(options, name) for name in ("level", "weights")}
        warn_once(check_ratio(read.category_set, read.listed, asked))
        if needs_coders and not read.ratings.identified:
            raise errors.needs_coders(needs_coders)
        return read

    def _check_items(self) -> None:
        """Raise for an input format without items."""

    def _check_format(self, options: Options, cells: Cells | None) -> None:
        """Raise for options that this input format cannot use."""
        if cells is not None and "cells" in self._unused:
            raise InputError(f"cells with several labels are for wide and long data, not for {self._format}")
        for name in self._unused:
            if name in options.given and getattr(options, name) is not OPTIONS[name].default:
                raise InputError(f"{name}= has no effect for {self._format}", option=name, code="wrong format")

    def _records(self, metrics: str | Sequence[str] | None, weights: Any) -> list[Coefficient]:
        """The chosen coefficients, by default those of `summary`; `weights` are None for a level without any."""
        records = [find(name) for name in metrics_for(metrics, weights)]
        return [each for each in records if not (each.needs_coders and self._anonymous and metrics is None)]

    def _chosen(self, metrics: str | Sequence[str] | None, options: Options) -> list[Coefficient]:
        """The same, where `weights` or `level` stands for both."""
        weights = weights_for({name: getattr(options, name) for name in options.given})
        if weights is None and metrics is None:
            warn_of_sets()
        return self._records(metrics, weights)

    def _measure(self, records: Sequence[Coefficient], coders: Sequence[Hashable], options: Options) -> pd.DataFrame:
        return engine.measure(self._read_for(records, coders, options, values=True), records, options)

    def _read_for(
        self,
        records: Sequence[Coefficient],
        coders: Sequence[Hashable],
        options: Options,
        values: bool = False,
        needs_coders: str | None = None,
    ) -> Reading:
        """Read the data as these coefficients need them; `values`: numbers need not be coded as categories."""
        needs = needs_coders or next((record.name for record in records if record.needs_coders), None)
        scores: AsScores = all(record.needs_numbers for record in records)
        if not scores and values and all(engine.of_numbers(record, options) for record in records):
            scores = "values"
        return self._read(coders, options, needs, scores=scores)

    def __repr__(self) -> str:
        methods = ", ".join(name for name in dir(type(self)) if not name.startswith("_"))
        title = (type(self).__doc__ or "").partition("\n")[0]
        return f"{title} Methods: {methods}."

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        remedy = "name what to compute, as in df.agree.kappa('ann', 'bob') or df.agree.summary()"
        raise InputError("df.agree is not a function", remedy, code="unknown method")

    def _look_up(self, name: str) -> Any:
        """The method behind a hidden name, or an error that says where it is, or names the nearest method."""
        aliases = ALIASES | METHOD_ALIASES
        if name in WEIGHTED_ALIASES:
            return self._weighted(name)
        if name in aliases:
            return getattr(self, aliases[name])
        problem = f"df.agree has no method {name!r}"
        if name in INSTEAD:
            raise UnknownMethodError(f"{problem}: {INSTEAD[name]}", code="unknown method")
        known = [each for each in [*dir(type(self)), *aliases] if not each.startswith("_")]
        raise UnknownMethodError(problem, nearest(name, known, hint=False, likeness=SURELY), code="unknown method")

    def _weighted(self, name: str) -> Callable[..., pd.DataFrame]:
        """The method behind the name of a weighted coefficient, which has no weights by default."""
        method: Callable[..., pd.DataFrame] = getattr(self, ALIASES[name])

        @wraps(method)
        def call(*coders: Hashable, **given: Any) -> pd.DataFrame:
            if "weights" not in given:
                raise needs_weights(name)
            return method(*coders, **given)

        return call

    if not TYPE_CHECKING:  # or type checkers would accept any name

        def __getattr__(self, name: str) -> Any:
            return self._look_up(name)


class OfFrame(Base):
    """Methods on a frame that may have been grouped before; holds no computed values."""

    __slots__ = ("_by", "_obj")

    def __init__(self, frame: pd.DataFrame, by: Groups | None = None) -> None:
        self._obj, self._by = frame, by

    @property
    def _frame(self) -> pd.DataFrame:
        return self._obj

    @property
    def _is_grouped(self) -> bool:
        return self._by is not None

    @property
    def _made_groups(self) -> Groups | None:
        return self._by

    @property
    def _as_index(self) -> bool:
        return self._by is None or self._by.as_index


class OfSource(Base):
    """Methods on the data of another object, which reads them."""

    __slots__ = ("_source",)

    def __init__(self, source: Base) -> None:
        self._source = source

    @property
    def _frame(self) -> pd.DataFrame:
        return self._source._frame

    @property
    def _is_grouped(self) -> bool:
        return self._source._is_grouped

    @property
    def _made_groups(self) -> Groups | None:
        return self._source._made_groups

    @property
    def _as_index(self) -> bool:
        return self._source._as_index


def by_coefficient(
    of: Callable[[Coefficient], pd.DataFrame], metrics: str | Sequence[str], records: Sequence[Coefficient]
) -> pd.DataFrame:
    """The result of one coefficient; of a list all rows of each, with the last index level `coefficient`."""
    check_named(records)
    if isinstance(metrics, str):
        return of(records[0])
    return with_coefficients({record.name: of(record) for record in records})
