"""The input formats: `df.agree` and `df.groupby(...).agree`, and from there counts, crosstabs and cells.

`agree` takes a frame of another package, which becomes one of pandas at the door. Long data are in `long`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import Any

import pandas as pd

from pandas_agreement import data
from pandas_agreement.accessor import docs
from pandas_agreement.accessor.base import OfFrame
from pandas_agreement.accessor.inputs import CoderGroupsInput, JudgesInput, PreferencesInput, SpansInput
from pandas_agreement.accessor.long import LongAgreement, LongDuplicates, long_agreement
from pandas_agreement.accessor.methods import Methods
from pandas_agreement.accessor.retest import WideRetest
from pandas_agreement.accessor.signatures import by_name
from pandas_agreement.data.grouping import Groups, from_groupby
from pandas_agreement.errors import InputError, called
from pandas_agreement.options import OPTIONS, Options

MADE_BY = ("to_pandas", "df")  # of polars and pyarrow, and of DuckDB
SHAPES = "give a frame of pandas, polars, pyarrow or DuckDB, a list of records, or a dict with a list for each column"


class CrosstabAgreement(OfFrame, Methods):
    """Agreement in the contingency table of two coders."""

    __slots__ = ()

    _unused = ("by", "frequency", "clusters", "cells")
    _format = "a crosstab"

    def _check_items(self) -> None:
        raise InputError("a crosstab has no items", "give the data with one row per item or judgment")

    def _reading(self, coders: Sequence[Hashable], options: Options, needs: data.Needs) -> data.Reading:
        if coders:
            raise InputError("a crosstab already identifies both coders", f"leave out {', '.join(map(repr, coders))}")
        return data.read_crosstab(self._obj, options.categories)


class WithoutCoders(OfFrame, Methods):
    """A format that does not say who gave which label."""

    __slots__ = ()

    _unused = ("cells",)

    @property
    def _anonymous(self) -> bool:
        return True


class CountsAgreement(WithoutCoders):
    """Agreement in a table of counts with one column per category."""

    __slots__ = ("_names",)

    def __init__(self, frame: pd.DataFrame, by: Groups | None = None, names: Sequence[Hashable] = ()) -> None:
        super().__init__(frame, by)
        self._names = names

    _format = "a table of counts"

    def _labels_of(self, read: data.Reading) -> list[Hashable]:
        return list(self._names) or [name for name in read.category_set.labels if name in self._obj.columns]

    def _reading(self, coders: Sequence[Hashable], options: Options, needs: data.Needs) -> data.Reading:
        if coders:
            raise InputError("a table of counts does not identify the coders, so none can be selected")
        return data.read_counts(self._obj, self._names, options)


class CellsAgreement(WithoutCoders):
    """Agreement in a column with all ratings of an item in one cell."""

    __slots__ = ("_column", "_sep")

    def __init__(self, frame: pd.DataFrame, column: Hashable, sep: str | None = None, by: Groups | None = None) -> None:
        super().__init__(frame, by)
        self._column = column
        self._sep = OPTIONS["sep"].check("sep", sep)

    _format = "a list of ratings in one cell"

    def _labels_of(self, read: data.Reading) -> list[Hashable]:
        return [self._column]

    def _reading(self, coders: Sequence[Hashable], options: Options, needs: data.Needs) -> data.Reading:
        if coders:
            raise InputError("the raters are anonymous, so none can be selected", code="anonymous")
        return data.read_lists(self._obj, self._column, self._sep, options, needs)


@docs.completed
class WideAgreement(CoderGroupsInput, JudgesInput, PreferencesInput, SpansInput, WideRetest, OfFrame, Methods):
    """Agreement in a frame with one row per item, grouped or not, and the ways to the other formats."""

    __slots__ = ()

    _format = "wide data"

    @property
    def _selected(self) -> list[Hashable]:
        """The columns that were selected from a grouped frame, without keys."""
        return []

    def _reading(self, coders: Sequence[Hashable], options: Options, needs: data.Needs) -> data.Reading:
        return data.read_wide(self._frame, coders or self._selected, options, needs)

    @by_name(
        "items, coders and labels",
        ("item", "coder", "label"),
        ("duplicates",),
        optional="coder",
        found=True,
        then="alpha",
    )
    def long(
        self,
        *,
        item: Hashable | list[Hashable] | None = None,
        coder: Hashable | None = None,
        label: Hashable | list[Hashable] | None = None,
        duplicates: LongDuplicates = "raise",
    ) -> LongAgreement:
        """The methods of `df.agree` for a frame with one row per judgment.

        By default the columns are called `item`, `coder` and `label`, as in a result of `pandas_agreement.read`. If it
        holds several questions, pass ``by="field"`` to the methods to get a result for each.

        Parameters
        ----------
        item : column name, or list of names
            The item. Several columns can identify it together, as in ``item=["system", "segment"]``.
        coder : column name, optional
            The coder. Without it the raters are anonymous, and methods that need the coder of each label, such as
            kappa, raise an error.
        label : column name, or list of names
            The label. Rows without a label are ignored. With a list every method runs on each of these columns, which
            the first index level of its result, `field`, names. `level` and `weights` may then be a dict with an entry
            for each column.
        duplicates : {'raise', 'first', 'last', 'set', 'all'}
            What to do if a coder labelled an item more than once. 'set' takes these labels as one set. With 'all',
            `truth` and `consensus` count every label. `retest` compares the labels.

        Examples
        --------
        >>> long = df.melt(ignore_index=False, var_name="who", value_name="tag").reset_index(names="doc")
        >>> long.agree.long(item="doc", coder="who", label="tag").kappa("ann", "bob")["estimate"].round(3)
        coefficient
        kappa    0.348
        Name: estimate, dtype: float64
        """
        return long_agreement(self._frame, (item, coder, label), duplicates, self._made_groups)

    def counts(self, *categories: Hashable) -> CountsAgreement:
        """The methods of `df.agree` for counts: one row per item and one column per category.

        A cell is the number of coders who chose the category. Methods that need the coder of each label, such as kappa,
        raise an error.

        Parameters
        ----------
        *categories : hashable
            The columns that hold counts. Default: all columns except those of `by` and `clusters`.

        Examples
        --------
        >>> counts = pd.DataFrame({"y": [3, 0, 2, 1], "n": [0, 3, 1, 2]})
        >>> counts.agree.counts().pi()["estimate"].round(3)
        coefficient
        pi    0.333
        Name: estimate, dtype: float64
        """
        return CountsAgreement(self._frame, self._made_groups, categories or self._selected)

    def cells(self, column: Hashable, *, sep: str | None = None) -> CellsAgreement:
        """The methods of `df.agree` for a column with all ratings of an item in one cell.

        Methods that need the coder of each rating, such as kappa, raise an error.

        Parameters
        ----------
        column : hashable
            The column. A cell is a list, a tuple or an array of labels or scores. An empty or missing cell holds no
            ratings.
        sep : str, optional
            The separator of the ratings if cells are text, such as '|'. If every rating in the column is written as a
            number, ratings are numbers ('007' is not). Blanks around a rating do not count.

        Examples
        --------
        >>> scores = pd.DataFrame({"scores": ["1|2|1", "4|5", "3|3|3", "5|4"]}, index=list("abcd"))
        >>> scores.agree.cells("scores", sep="|").alpha(level="interval")["estimate"].round(3)
        coefficient
        alpha    0.857
        Name: estimate, dtype: float64
        """
        return CellsAgreement(self._frame, column, sep, self._made_groups)


@docs.completed
class AgreementAccessor(WideAgreement):
    """Agreement between coders: `df.agree`.

    One row per item and one column per coder: ``df.agree.kappa("ann", "bob")``. Other formats: `long`, `crosstab`,
    `counts`, `cells`, `spans`. The frame is never changed.
    """

    __slots__ = ()

    def __init__(self, frame: pd.DataFrame) -> None:
        if not isinstance(frame, pd.DataFrame):
            problem = f"df.agree needs a pandas DataFrame, and this is {called(frame)}"
            raise InputError(problem, "pandas_agreement.agree(...) takes frames of other packages", code="no frame")
        super().__init__(frame)

    def _on(self, frame: pd.DataFrame) -> AgreementAccessor:
        return AgreementAccessor(frame)

    def crosstab(self) -> CrosstabAgreement:
        """The methods of `df.agree` for the contingency table of two coders.

        Examples
        --------
        >>> pd.crosstab(df["ann"], df["bob"]).agree.crosstab().kappa()["estimate"].round(3)
        coefficient
        kappa    0.348
        Name: estimate, dtype: float64
        """
        return CrosstabAgreement(self._obj)


class GroupByAgreement(WideAgreement):
    """Agreement within the groups of `df.groupby(...)`: `df.groupby("batch").agree`."""

    __slots__ = ("_grouped",)

    def __init__(self, grouped: pd.api.typing.DataFrameGroupBy[Any, Any]) -> None:
        super().__init__(getattr(grouped, "obj"))  # noqa: B009  (missing from the stubs of pandas)
        self._grouped = grouped

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

    @property
    def _as_index(self) -> bool:
        return bool(self._grouped.as_index)

    @property
    def _selected(self) -> list[Hashable]:
        try:
            selected = self._grouped.head(0).columns  # of groupby(...)[["ann", "bob"]]
        except KeyError:  # pandas does not find a key that is called NaN
            return []
        if len(selected) == len(self._obj.columns):
            return []
        keys = self._made_groups.columns
        return [name for name in selected if name not in keys]


def agree(frame: Any) -> AgreementAccessor:
    """`df.agree` for other tables: polars, pyarrow, DuckDB, records, or lists by column.

    Parameters
    ----------
    frame : DataFrame, Table, relation, list of dict, or dict of list
        Anything with a method `to_pandas` or `df`. A lazy frame is collected first. An ordered type, such as an Enum of
        polars, stays ordered.

    Returns
    -------
    AgreementAccessor
        The same as `df.agree` for the frame in pandas.

    Examples
    --------
    >>> import pandas_agreement
    >>> labels = {"ann": ["yes", "no", "no", "yes"], "bob": ["yes", "no", "yes", "yes"]}
    >>> pandas_agreement.agree(labels).kappa("ann", "bob")["estimate"].tolist()
    [0.5]
    """
    return AgreementAccessor(_of_pandas(frame))


def _of_pandas(frame: Any) -> pd.DataFrame:
    """The same frame in pandas."""
    if _has(frame, "collect") and not _has(frame, "to_pandas"):
        frame = frame.collect()
    if isinstance(frame, dict) or (isinstance(frame, list) and all(isinstance(row, dict) for row in frame)):
        convert: Callable[[], Any] = partial(pd.DataFrame, frame)
    else:
        convert = next((getattr(frame, name) for name in MADE_BY if _has(frame, name)), lambda: frame)
    try:
        found = convert()
    except ImportError as error:
        raise InputError(
            f"the frame cannot be converted: {error}", "install it with: pip install pyarrow", code="needs pyarrow"
        ) from None
    except (ValueError, TypeError) as error:
        raise InputError(f"this is not a table: {error}", SHAPES, code="no frame") from None
    if not isinstance(found, pd.DataFrame):
        raise InputError(f"agree takes a frame, not {called(frame)}", SHAPES, code="no frame")
    return found


def _has(frame: Any, method: str) -> bool:
    return not isinstance(frame, type) and callable(getattr(frame, method, None))
