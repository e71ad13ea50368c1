"""Long data, one row per judgment: all methods, and those of several label columns."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal, NoReturn, get_args

import numpy as np
import pandas as pd
from pandas.api.types import is_hashable

from pandas_agreement import data
from pandas_agreement.accessor.base import OfFrame, by_coefficient
from pandas_agreement.accessor.inputs import CoderGroupsInput, JudgesInput
from pandas_agreement.accessor.methods import Methods
from pandas_agreement.accessor.retest import AGAIN, OF_AGAIN, Again, check_unordered
from pandas_agreement.accessor.signatures import groups_of, takes
from pandas_agreement.data.grouping import Groups, group_rows, without_group
from pandas_agreement.data.long import LongColumns, item_numbers, with_known
from pandas_agreement.data.reading import Rows, group_of
from pandas_agreement.errors import ColumnError, InputError, needs_coders, shown, warn_once, wrong_value
from pandas_agreement.options import Options, one_of

LongDuplicates = Literal["raise", "first", "last", "set", "all"]


FIELD = "field"  # the column of the question in what `read` returns


class LongAgreement(CoderGroupsInput, JudgesInput, OfFrame, Methods):
    """Agreement in a frame with one row per judgment."""

    __slots__ = ("_columns", "_duplicates")

    _counts_all = False  # labels that a coder gave an item

    def __init__(
        self,
        frame: pd.DataFrame,
        columns: LongColumns,
        duplicates: LongDuplicates = "raise",
        by: Groups | None = None,
    ) -> None:
        super().__init__(frame, by)
        self._columns = columns
        self._duplicates = one_of(*get_args(LongDuplicates))("duplicates", duplicates)
        if self._anonymous and self._duplicates != "raise":
            raise wrong_value(
                "duplicates", duplicates, "needs coders, and these raters are anonymous", "name their column: coder="
            )

    @property
    def _anonymous(self) -> bool:
        return self._columns[1] is None

    _format = "anonymous raters"

    @property
    def _long_columns(self) -> LongColumns:
        if self._anonymous:
            raise needs_coders("this")
        return self._columns

    def _labels_of(self, read: data.Reading) -> list[Hashable]:
        item, *others = self._columns
        return [*(item if isinstance(item, list) else [item]), *(name for name in others if name is not None)]

    def _for_labels(self) -> LongAgreement:
        return EveryLabel(self._obj, self._columns, self._duplicates, self._by)

    def _on(self, frame: pd.DataFrame) -> LongAgreement:
        return LongAgreement(frame, self._columns, self._duplicates, self._by)

    def _with_known(self, name: Hashable, options: Options) -> tuple[LongAgreement, Options]:
        rows = Rows.of(self._obj, options.only("clusters").but(by=groups_of(options, self._by)))
        rows = with_known(rows, self._columns, name, options.categories)
        options = options if rows.cluster is None else options.but(clusters=rows.cluster)
        return LongAgreement(rows.frame, self._columns, self._duplicates, rows.groups), options.without("by")

    def _reading(self, coders: Sequence[Hashable], options: Options, needs: data.Needs) -> data.Reading:
        duplicates = self._duplicates
        if duplicates == "all" and not self._counts_all:
            why = "counts every label of a coder on an item, as only truth and consensus do"
            remedy = "the other methods take duplicates='raise', 'first', 'last' or 'set'"
            raise wrong_value("duplicates", duplicates, why, remedy, code="repeated judgment")
        groups = groups_of(options, self._by)
        if duplicates != "raise":
            self._refuse_several_questions(groups)
        try:
            read = data.read_long(self._obj, self._columns, coders, options, needs, duplicates)
        except InputError as error:
            if error.code == "repeated judgment":
                self._refuse_several_questions(groups)
            raise
        if duplicates != "raise" and read.read_together is not None:
            read = replace(read, read_together=partial(self._all_together, read.read_together))
        return read.remarked("left out", _unmatched(read)) if self._items_are_spans else read

    def _all_together(self, reading: Callable[[], data.Reading]) -> data.Reading:
        """All groups as one, unless a coder answered several questions about an item in them."""
        self._refuse_several_questions(None)
        return reading()

    def _refuse_several_questions(self, by: Any) -> None:
        """Raise if a coder answered several questions about an item, and they are not in groups of their own."""
        frame, (item, coder, label) = self._obj, self._columns
        if self._anonymous or list(frame.columns).count(FIELD) != 1:
            return
        keys = item if isinstance(item, list) else [item]
        *_, who, labels = data.columns_of(frame, [*keys, coder, label])
        groups = group_of(frame, by)
        judgment = {"item": item_numbers(frame, keys), "coder": pd.factorize(who)[0]}
        judgment |= {"group": np.zeros(len(who)) if groups is None else groups.codes}
        asked = pd.DataFrame({**judgment, FIELD: frame[FIELD].astype(str).array})
        asked = asked[labels.notna().to_numpy()].drop_duplicates()
        several = asked.duplicated([*judgment])
        if several.any():
            problem = f"coder {shown(who.iloc[asked.index[several][0]])} answered several questions about an item"
            n = asked[FIELD].nunique()
            remedy = f"column {FIELD!r} has {n} questions: keep one of them, or write by={FIELD!r}"
            raise InputError(problem, remedy, option="by", code="several questions", n=n)

    @property
    def _items_are_spans(self) -> bool:
        """Whether items are spans, which are the same only with the same ends."""
        item = self._columns[0]
        return isinstance(item, list) and {"start", "end"} <= {str(name).lower() for name in item}

    @takes(*OF_AGAIN, **AGAIN)
    def retest(self, *coders: Hashable, metrics: str | Sequence[str] = "alpha", options: Options) -> pd.DataFrame:
        """Agreement of coders with themselves, from repeated judgments of the same items.

        By default this is alpha of the judgments that a coder gave to the same item. The observed disagreement is that
        of pairs of these judgments, and the expected disagreement is that of all pairs of repeated judgments of the
        coder, in the last row of all coders. Judgments that were not repeated do not count. With `by`, items are
        counted within each group.

        Parameters
        ----------
        *coders : hashable
            The coders. Default: all coders.
        metrics : str or list of str
            Coefficients that do not depend on the order of the judgments, such as 'pi', 'ac1' or 'icc_1'. Kappa and
            ICC(A,1) distinguish the first judgment from the second. For these use wide data, as in
            ``df.agree.retest({"ann": ["ann_1", "ann_2"]}, metrics="kappa")``.
        **options
            The options of the coefficients, such as `level`.

        Returns
        -------
        DataFrame
            One row per coder and one for all coders, in each group, indexed by the group keys and `coder` ('(all)'
            comes last), with the columns of `kappa`. `n_items` is the number of items judged more than once, in the
            last row summed over coders. The interval of that row treats all judgments of an item as one cluster.
            Coefficients of numbers have no interval there.

        Examples
        --------
        >>> import pandas as pd, pandas_agreement
        >>> twice = pd.DataFrame({"doc": [1, 1, 2, 2, 3, 3] * 2, "who": ["ann"] * 6 + ["bob"] * 6})
        >>> twice["tag"] = list("yynnyy") + list("ynnnyy")
        >>> twice.agree.long(item="doc", coder="who", label="tag").retest()["estimate"].round(3)
        coder
        ann      1.000
        bob      0.444
        (all)    0.686
        Name: estimate, dtype: float64
        """
        item, coder, label = self._columns
        if self._anonymous:
            raise needs_coders("retest")
        if any(isinstance(name, Mapping) for name in coders):
            problem = "retest takes a dict of columns for wide data"
            raise InputError(problem, "give the coders' names, or none for all", code="too many names")
        keys = item if isinstance(item, list) else [item]
        *_, who = data.columns_of(self._obj, [*keys, coder])
        absent = [name for name in coders if not who.isin([name]).any()]
        if absent:
            raise ColumnError.missing(absent[0], who.dropna().unique(), "coder")
        records = self._records(metrics, options.weights)
        check_unordered(records)
        rows = np.flatnonzero(who.isin(coders)) if coders else np.arange(len(who))
        chosen, groups = self._obj.iloc[rows], group_of(self._obj, groups_of(options, self._by))
        self._refuse_several_questions(groups)
        groups = None if groups is None else groups.only(rows)
        again = LongAgreement(chosen, ([*keys, coder], None, label))
        of = Again(again, (), groups, _by_coder(chosen, coder), item_numbers(chosen, keys), options)
        return by_coefficient(of.measure, metrics, records)


def _unmatched(read: data.Reading) -> str:
    """How many spans have the label of one coder alone."""
    n, ratings = int((read.ratings.sizes == 1).sum()), read.ratings
    return f"{n:,} of {ratings.n_items:,} spans have no match with the same ends: see df.agree.spans" if n else ""


class EveryLabel(LongAgreement):
    """Long data in which a coder may have several labels of an item, as the votes of `truth` may."""

    __slots__ = ()

    _counts_all = True


def _by_coder(frame: pd.DataFrame, coder: Hashable) -> Groups:
    """The rows of each coder as a group; names are numbered as they are, because millions of objects take gigabytes."""
    who = frame[coder]
    if not isinstance(who.dtype, pd.StringDtype):
        return group_rows(frame, who.to_numpy())
    codes, names = pd.factorize(who, sort=True)
    warn_once(without_group(int((codes < 0).sum()), len(codes), "..."))
    return Groups(codes, pd.Index(names), frozenset())


class OneField(LongAgreement):
    """Agreement in one of several label columns; where results show labels, they show all of them."""

    __slots__ = ("_labels",)

    def __init__(self, labels: Sequence[Hashable], *given: Any) -> None:
        super().__init__(*given)
        self._labels = labels

    def _labels_of(self, read: data.Reading) -> list[Hashable]:
        return [*super()._labels_of(read)[:-1], *self._labels]


class FieldsAgreement(LongAgreement):
    """Agreement in several label columns of a frame with one row per judgment: each method runs on each of them."""

    __slots__ = ("_fields",)

    def __init__(
        self, frame: pd.DataFrame, columns: LongColumns, duplicates: LongDuplicates = "raise", by: Groups | None = None
    ) -> None:
        super().__init__(frame, columns, duplicates, by)
        item, coder, labels = columns
        self._fields = {label: OneField(labels, frame, (item, coder, label), duplicates, by) for label in labels}

    @property
    def _each_field(self) -> Mapping[Hashable, OneField]:
        return self._fields

    def _several(self, what: str) -> InputError:
        first = next(iter(self._fields))
        problem = f"{what} needs one label column, and label= has {len(self._fields)}"
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


def long_agreement(
    frame: pd.DataFrame, columns: LongColumns, duplicates: LongDuplicates = "raise", by: Groups | None = None
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
