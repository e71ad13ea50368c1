"""The input formats: each class has all methods and reads one format."""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, NoReturn, TypeVar

import numpy as np
import pandas as pd
from pandas.api.types import is_hashable

from pandas_agreement import data
from pandas_agreement.accessor import docs
from pandas_agreement.accessor.breakdown import BreakdownMethods
from pandas_agreement.accessor.coder_groups import CoderGroupsWay
from pandas_agreement.accessor.coefficients import CoefficientMethods
from pandas_agreement.accessor.comparing import ComparingMethods
from pandas_agreement.accessor.judges import JudgesWay
from pandas_agreement.accessor.overall import groups_of
from pandas_agreement.accessor.plots import PlotMethods
from pandas_agreement.accessor.preferences import PreferencesInput
from pandas_agreement.accessor.reporting import ReportMethods
from pandas_agreement.accessor.scores import ScoreMethods
from pandas_agreement.accessor.signatures import takes
from pandas_agreement.accessor.truth import TruthMethods
from pandas_agreement.coefficients.registry import Coefficient, find
from pandas_agreement.data.grouping import Groups, from_groupby, group_rows, nested
from pandas_agreement.data.long import LongColumns, with_known
from pandas_agreement.data.reading import Rows, group_of
from pandas_agreement.errors import ColumnError, InputError, nearest, needs_coders, wrong_value
from pandas_agreement.options import OPTIONS, Duplicates, Options
from pandas_agreement.results.frames import concat_fields, with_totals

Method = TypeVar("Method", bound=Callable[..., Any])
OF_ONE_FIELD = ("report", "truth")  # methods whose results cannot stand one below the other
ROLES = ("item", "coder", "label")  # of the columns of long data
OPTIONAL = ("coder",)  # without it raters are anonymous


def _by_name(method: Method) -> Method:
    """Raise for columns given to `long` by position, with the call that names them as remedy."""

    @functools.wraps(method)
    def call(self: Any, *columns: Hashable, **given: Any) -> Any:
        allowed = (*ROLES, "duplicates")
        for name in [name for name in given if name not in allowed]:
            problem = f"long has no option {name!r}"
            raise InputError(problem, nearest(name, allowed), option=name, code="unknown option")
        if columns or not all(role in given or role in OPTIONAL for role in ROLES):
            raise _unnamed(columns, given)
        return method(self, **given)

    return call  # type: ignore[return-value]


def _unnamed(columns: Sequence[Hashable], given: Mapping[str, Hashable]) -> InputError:
    rest = map(repr, columns)
    call = ", ".join(f"{role}={repr(given[role]) if role in given else next(rest, '...')}" for role in ROLES)
    problem = "long takes the columns of items, coders and labels by name"
    return InputError(problem, f"write df.agree.long({call})", code="columns by name")


class Methods(
    ReportMethods, CoefficientMethods, BreakdownMethods, ScoreMethods, ComparingMethods, TruthMethods, PlotMethods
):
    """All methods."""

    __slots__ = ()


class _OfFrame(Methods):
    """All methods on a frame; holds the frame and no computed values."""

    __slots__ = ("_obj",)

    def __init__(self, frame: pd.DataFrame) -> None:
        self._obj = frame

    @property
    def _frame(self) -> pd.DataFrame:
        return self._obj


@docs.completed
class AgreementAccessor(CoderGroupsWay, JudgesWay, PreferencesInput, _OfFrame):
    """Agreement between coders: `df.agree`.

    One row per item and one column per coder: ``df.agree.kappa("ann", "bob")``. Other formats: `long`, `crosstab`,
    `counts`, `cells`. The frame is never changed.
    """

    __slots__ = ()

    _unused = ("duplicates",)
    _format = "wide data"

    def _on(self, frame: pd.DataFrame) -> AgreementAccessor:
        return AgreementAccessor(frame)

    def _reading(
        self, coders: Sequence[Hashable], options: Options, rows: bool, cells: data.Cells | None, scores: data.AsScores
    ) -> data.Reading:
        categories, nominal = options.categories, options.nominal
        return data.read_wide(
            self._obj,
            coders,
            options.by,
            categories,
            options.clusters,
            rows,
            cells,
            scores,
            nominal,
            options.apart,
            options.frequency,
        )

    @_by_name
    def long(
        self,
        *,
        item: Hashable | list[Hashable],
        coder: Hashable | None = None,
        label: Hashable | list[Hashable],
        duplicates: Duplicates = "raise",
    ) -> LongAgreement:
        """The same methods for a frame with one row per judgment.

        Parameters
        ----------
        item : column name, or list of names
            The item. Several columns name it together, as in ``item=["system", "segment"]``.
        coder : column name, optional
            The coder. Without it the raters are anonymous: kappa, pairs and whatever needs to know who said what
            raise an error.
        label : column name, or list of names
            The label. A row without a label is ignored. With a list every method runs on each of these columns, and
            the first index level of its result, `field`, names them.
        duplicates : {'raise', 'first', 'last', 'set'}
            What to do when a coder labelled an item more than once; 'set' takes these labels as one set. `retest`
            compares them.

        Examples
        --------
        >>> long = df.melt(ignore_index=False, var_name="who", value_name="tag").reset_index(names="doc")
        >>> long.agree.long(item="doc", coder="who", label="tag").kappa("ann", "bob")["estimate"].round(3)
        coefficient
        kappa    0.348
        Name: estimate, dtype: float64
        """
        return _long(self._obj, (item, coder, label), duplicates)

    def crosstab(self) -> CrosstabAgreement:
        """The same methods for the contingency table of two coders: index the first's categories, columns the second's.

        Examples
        --------
        >>> pd.crosstab(df["ann"], df["bob"]).agree.crosstab().kappa()["estimate"].round(3)
        coefficient
        kappa    0.348
        Name: estimate, dtype: float64
        """
        return CrosstabAgreement(self._obj)

    def counts(self, *categories: Hashable) -> CountsAgreement:
        """The same methods for counts of coders: one row per item, one column per category.

        Counts do not hold the coder of each label, which kappa, bias and pairs need: these raise an error.

        Parameters
        ----------
        *categories : hashable
            The columns that hold counts; none means all but the keys of `by` and `clusters`.

        Examples
        --------
        >>> counts = pd.DataFrame({"y": [3, 0, 2, 1], "n": [0, 3, 1, 2]})
        >>> counts.agree.counts().pi()["estimate"].round(3)
        coefficient
        pi    0.333
        Name: estimate, dtype: float64
        """
        return CountsAgreement(self._obj, names=categories)

    def cells(self, column: Hashable, *, sep: str | None = None) -> CellsAgreement:
        """The same methods for a column with all ratings of an item in one cell.

        Cells do not hold the coder of each rating, which kappa, bias and pairs need: these raise an error.

        Parameters
        ----------
        column : hashable
            The column. A cell is a list, a tuple or an array of labels or scores; an empty or missing one holds none.
        sep : str, optional
            Cells are text, with this between two ratings, such as '|'. If every rating in the column is written as a
            number, ratings are numbers ('007' is not); blanks around a rating do not count.

        Examples
        --------
        >>> scores = pd.DataFrame({"scores": ["1|2|1", "4|5", "3|3|3", "5|4"]}, index=list("abcd"))
        >>> scores.agree.cells("scores", sep="|").alpha(level="interval")["estimate"].round(3)
        coefficient
        alpha    0.857
        Name: estimate, dtype: float64
        """
        return CellsAgreement(self._obj, column, sep)


class LongAgreement(CoderGroupsWay, JudgesWay, _OfFrame):
    """Agreement in a frame with one row per judgment."""

    __slots__ = ("_by", "_columns", "_duplicates")

    def __init__(
        self,
        frame: pd.DataFrame,
        columns: LongColumns,
        duplicates: Duplicates = "raise",
        by: Groups | None = None,
    ) -> None:
        super().__init__(frame)
        self._columns, self._by = columns, by
        self._duplicates = OPTIONS["duplicates"].check("duplicates", duplicates)
        if self._anonymous and self._duplicates != "raise":
            raise wrong_value(
                "duplicates", duplicates, "is about coders, and these raters are anonymous", "name their column: coder="
            )

    @property
    def _anonymous(self) -> bool:
        return self._columns[1] is None

    @property
    def _unused(self) -> tuple[str, ...]:  # type: ignore[override]
        return ("duplicates",) if self._anonymous else ()

    _format = "anonymous raters"

    @property
    def _is_grouped(self) -> bool:
        return self._by is not None

    @property
    def _made_groups(self) -> Groups | None:
        return self._by

    @property
    def _long_columns(self) -> LongColumns:
        if self._anonymous:
            raise needs_coders("this")
        return self._columns

    def _on(self, frame: pd.DataFrame) -> LongAgreement:
        return LongAgreement(frame, self._columns, self._duplicates, self._by)

    def _with_known(self, name: Hashable, options: Options) -> tuple[LongAgreement, Options]:
        rows = Rows.of(self._obj, groups_of(options, self._by), options.clusters, None)
        rows = with_known(rows, self._columns, name, options.categories)
        options = options if rows.cluster is None else options.but(clusters=rows.cluster)
        return LongAgreement(rows.frame, self._columns, self._duplicates, rows.groups), options.without("by")

    def _reading(
        self, coders: Sequence[Hashable], options: Options, rows: bool, cells: data.Cells | None, scores: data.AsScores
    ) -> data.Reading:
        duplicates = options.duplicates if options.duplicates != "raise" else self._duplicates
        by = groups_of(options, self._by)
        return data.read_long(
            self._obj,
            self._columns,
            coders,
            by,
            options.categories,
            options.clusters,
            duplicates,
            rows,
            cells,
            scores is True,
            options.frequency,
        )

    def _records(self, metrics: str | Sequence[str] | None, weights: Any) -> list[Coefficient]:
        records = super()._records(metrics, weights)
        return _without_coders(records) if self._anonymous and metrics is None else records

    @takes("by", "missing", "ci", "categories", of=("alpha",), without=("sep", "sampling", "expected", "frequency"))
    def retest(self, *coders: Hashable, options: Options) -> pd.DataFrame:
        """Agreement of coders with themselves: repeated judgments of the same item by the same coder.

        This is alpha of the judgments that a coder gave the same item. Observed disagreement is that of pairs of these
        judgments, expected disagreement that of all pairs of repeated judgments: of the coder, and in the last row of
        all coders. Judgments that were not repeated do not count; with `by`, an item is an item within its group.

        Parameters
        ----------
        *coders : hashable
            The coders; none means all.
        **options
            The options of `alpha`, such as `level`.

        Returns
        -------
        DataFrame
            One row per coder and one for all, in each group: indexed by the group keys, `coder` ('(all)' is the last)
            and `coefficient`, with the columns of `kappa`. `n_items` counts what was judged more than once, in the last
            row by each coder; the interval of that row takes all judgments of an item as one cluster.

        Examples
        --------
        >>> import pandas as pd, pandas_agreement
        >>> twice = pd.DataFrame({"doc": [1, 1, 2, 2, 3, 3] * 2, "who": ["ann"] * 6 + ["bob"] * 6})
        >>> twice["tag"] = list("yynnyy") + list("ynnnyy")
        >>> twice.agree.long(item="doc", coder="who", label="tag").retest()["estimate"].round(3)
        coder  coefficient
        ann    alpha          1.000
        bob    alpha          0.444
        (all)  alpha          0.686
        Name: estimate, dtype: float64
        """
        item, coder, label = self._columns
        if self._anonymous:
            raise needs_coders("retest")
        keys = item if isinstance(item, list) else [item]
        *_, who = data.columns_of(self._obj, [*keys, coder])
        absent = [name for name in coders if not who.isin([name]).any()]
        if absent:
            raise ColumnError.missing(absent[0], who.dropna().unique(), "coder")
        rows = np.flatnonzero(who.isin(coders)) if coders else np.arange(len(who))
        chosen, groups = self._obj.iloc[rows], group_of(self._obj, groups_of(options, self._by))
        groups = None if groups is None else groups.only(rows)
        parts, owner, names = nested(groups, group_rows(chosen, chosen[coder].to_numpy()))
        again = LongAgreement(chosen, ([*keys, coder], None, label))
        each = again._measure([find("alpha")], (), options.but(by=parts))
        unit = chosen.groupby(keys, sort=False, dropna=False, observed=True).ngroup().to_numpy()
        every = again._measure([find("alpha")], (), options.but(by=groups, clusters=unit))
        return with_totals(each, every, None if groups is None else groups.index, owner, {"coder": names})


class FieldsAgreement(LongAgreement):
    """Agreement in several label columns of a frame with one row per judgment: each method runs on each of them."""

    __slots__ = ("_fields",)

    def __init__(
        self, frame: pd.DataFrame, columns: LongColumns, duplicates: Duplicates = "raise", by: Groups | None = None
    ) -> None:
        super().__init__(frame, columns, duplicates, by)
        item, coder, labels = columns
        self._fields = {label: LongAgreement(frame, (item, coder, label), duplicates, by) for label in labels}

    def _run(self, name: str, method: Callable[[Any], Any]) -> pd.DataFrame:
        if name in OF_ONE_FIELD:
            raise self._several(name)
        return concat_fields({field: method(view) for field, view in self._fields.items()})

    def _several(self, what: str) -> InputError:
        first = next(iter(self._fields))
        problem = f"{what} is about one label column, and label= has {len(self._fields)}"
        return InputError(problem, f"choose one: label={first!r}", option="label", code="several fields")

    def _reading(self, *args: Any) -> NoReturn:
        raise self._several("this")

    @property
    def _long_columns(self) -> NoReturn:
        raise self._several("this")

    @property
    def plot(self) -> NoReturn:
        """Pictures are about one label column: this raises an error."""
        raise self._several("plot")


def _long(
    frame: pd.DataFrame, columns: LongColumns, duplicates: Duplicates = "raise", by: Groups | None = None
) -> LongAgreement:
    """The methods for long data; a list of one item column is that column."""
    item, coder, label = columns
    for role, names in (("item", item), ("label", label)):
        if isinstance(names, list) and not (names and all(map(is_hashable, names)) and len(set(names)) == len(names)):
            raise wrong_value(role, names, "must name at least one column, and none twice")
    if isinstance(item, list) and len(item) == 1:
        item = item[0]
    kind = FieldsAgreement if isinstance(label, list) else LongAgreement
    return kind(frame, (item, coder, label), duplicates, by)


def _without_coders(records: Sequence[Coefficient]) -> list[Coefficient]:
    """The coefficients that do not need the coder of each label."""
    return [record for record in records if not record.needs_coders]


class CrosstabAgreement(_OfFrame):
    """Agreement in the contingency table of two coders."""

    __slots__ = ()

    _unused = ("by", "frequency", "clusters", "duplicates", "cells")
    _format = "a crosstab"

    def _reading(
        self, coders: Sequence[Hashable], options: Options, rows: bool, cells: data.Cells | None, scores: data.AsScores
    ) -> data.Reading:
        if rows:
            raise InputError("a crosstab has no items", "give the data with one row per item or judgment")
        if coders:
            raise InputError("a crosstab is about two coders already", f"leave out {', '.join(map(repr, coders))}")
        return data.read_crosstab(self._obj, options.categories)


class CountsAgreement(_OfFrame):
    """Agreement in a table of counts with one column per category."""

    __slots__ = ("_by", "_names")

    def __init__(self, frame: pd.DataFrame, by: Groups | None = None, names: Sequence[Hashable] = ()) -> None:
        super().__init__(frame)
        self._by, self._names = by, names

    @property
    def _is_grouped(self) -> bool:
        return self._by is not None

    @property
    def _made_groups(self) -> Groups | None:
        return self._by

    _unused = ("duplicates", "cells")
    _format = "a table of counts"

    def _reading(
        self, coders: Sequence[Hashable], options: Options, rows: bool, cells: data.Cells | None, scores: data.AsScores
    ) -> data.Reading:
        if coders:
            raise InputError("a table of counts does not hold the coders, so none can be chosen")
        by, names = groups_of(options, self._by), self._names
        return data.read_counts(
            self._obj, by, options.categories, options.clusters, rows, options.apart, names, options.frequency
        )

    def _records(self, metrics: str | Sequence[str] | None, weights: Any) -> list[Coefficient]:
        records = super()._records(metrics, weights)
        return _without_coders(records) if metrics is None else records


class CellsAgreement(_OfFrame):
    """Agreement in a column with all ratings of an item in one cell."""

    __slots__ = ("_by", "_column", "_sep")

    def __init__(self, frame: pd.DataFrame, column: Hashable, sep: str | None = None, by: Groups | None = None) -> None:
        super().__init__(frame)
        self._column, self._by = column, by
        self._sep = OPTIONS["sep"].check("sep", sep)

    @property
    def _is_grouped(self) -> bool:
        return self._by is not None

    @property
    def _made_groups(self) -> Groups | None:
        return self._by

    _unused = ("duplicates", "cells")
    _format = "a list of ratings in one cell"

    def _reading(
        self, coders: Sequence[Hashable], options: Options, rows: bool, cells: data.Cells | None, scores: data.AsScores
    ) -> data.Reading:
        if coders:
            raise InputError("the raters are anonymous, so none can be chosen", code="anonymous")
        by, categories = groups_of(options, self._by), options.categories
        return data.read_lists(
            self._obj,
            self._column,
            self._sep,
            by,
            categories,
            options.clusters,
            rows,
            scores is True,
            options.frequency,
        )

    def _records(self, metrics: str | Sequence[str] | None, weights: Any) -> list[Coefficient]:
        records = super()._records(metrics, weights)
        return _without_coders(records) if metrics is None else records


class GroupByAgreement(CoderGroupsWay, JudgesWay, PreferencesInput, Methods):
    """Agreement within the groups of `df.groupby(...)`: `df.groupby("batch").agree`."""

    __slots__ = ("_grouped", "_obj")

    def __init__(self, grouped: pd.api.typing.DataFrameGroupBy[Any, Any]) -> None:
        self._grouped: Any = grouped  # `obj` is missing from the stubs of pandas
        self._obj: Any = self._grouped.obj

    @property
    def _frame(self) -> pd.DataFrame:
        return self._obj

    def _on(self, frame: pd.DataFrame) -> GroupByAgreement:
        other = GroupByAgreement(self._grouped)
        other._obj = frame
        return other

    @property
    def _is_grouped(self) -> bool:
        return True

    @property
    def _made_groups(self) -> Groups:
        return from_groupby(self._grouped)

    _unused = ("duplicates",)
    _format = "wide data"

    def _reading(
        self, coders: Sequence[Hashable], options: Options, rows: bool, cells: data.Cells | None, scores: data.AsScores
    ) -> data.Reading:
        groups, frame = from_groupby(self._grouped), self._obj
        selected = _selected(self._grouped)  # groupby(...)[["ann", "bob"]] selects coders
        if not coders and len(selected) < len(frame.columns):
            coders = [name for name in selected if name not in groups.columns]
        by = groups_of(options, groups)
        categories, nominal = options.categories, options.nominal
        return data.read_wide(
            frame,
            coders,
            by,
            categories,
            options.clusters,
            rows,
            cells,
            scores,
            nominal,
            options.apart,
            options.frequency,
        )

    @_by_name
    def long(
        self,
        *,
        item: Hashable | list[Hashable],
        coder: Hashable | None = None,
        label: Hashable | list[Hashable],
        duplicates: Duplicates = "raise",
    ) -> LongAgreement:
        """The same methods for groups of a frame with one row per judgment."""
        return _long(self._grouped.obj, (item, coder, label), duplicates, from_groupby(self._grouped))

    def cells(self, column: Hashable, *, sep: str | None = None) -> CellsAgreement:
        """The same methods for groups of a frame with all ratings of an item in one cell."""
        return CellsAgreement(self._grouped.obj, column, sep, from_groupby(self._grouped))

    def counts(self, *categories: Hashable) -> CountsAgreement:
        """The same methods for groups of a table of counts."""
        groups = from_groupby(self._grouped)
        chosen = [*_selected(self._grouped), *groups.columns]  # groupby(...)[["x", "y"]] selects categories
        frame = self._grouped.obj
        kept = frame if categories else frame.loc[:, [name in chosen for name in frame.columns]]
        return CountsAgreement(kept, groups, categories)


def _selected(grouped: Any) -> pd.Index:
    """The columns of a grouped frame that the user selected."""
    try:
        return grouped.head(0).columns
    except KeyError:  # pandas does not find a key that is called NaN
        return grouped.obj.columns
