"""Calls that say who is who or what columns hold: judges and humans, groups of coders, two candidates, spans.

The classes of what they return are imported when one of them is first asked for, as most calls need none of them.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import pandas as pd

from pandas_agreement.accessor import docs
from pandas_agreement.accessor.base import Base
from pandas_agreement.accessor.names import JUDGES_CALL
from pandas_agreement.accessor.signatures import by_name, one_by_one
from pandas_agreement.data.reading import check_each, columns_of
from pandas_agreement.errors import InputError, choose, plain, public, shown, wrong_value
from pandas_agreement.options import unknown_option

if TYPE_CHECKING:
    from pandas_agreement.accessor.coder_groups import Assignment, GroupedCoders
    from pandas_agreement.accessor.judges import JudgedAgreement
    from pandas_agreement.accessor.preferences import Preferences
    from pandas_agreement.accessor.spans import SpanAgreement
    from pandas_agreement.judges.panel import Invalid
    from pandas_agreement.spans.reading import Length, Unmarked

Method = TypeVar("Method", bound=Callable[..., Any])
#: the classes of what is returned, and their modules
RETURNED = {
    "GroupedCoders": "coder_groups",
    "JudgedAgreement": "judges",
    "Preferences": "preferences",
    "SpanAgreement": "spans",
}


def returned(name: str) -> object:
    """The class of this name, imported now."""
    if name not in RETURNED:
        raise AttributeError(f"module 'pandas_agreement.accessor' has no attribute {name!r}")
    return getattr(import_module(f"pandas_agreement.accessor.{RETURNED[name]}"), name)


# --------------------------------------------------------------------------------------------------------------- judges


JUDGES_KEYWORDS = ("humans", "categories", "invalid", "run")


def _check_call(method: Method) -> Method:
    """Raise for options that `judges` does not have, and without humans."""

    @public
    @functools.wraps(method)
    def call(self: Any, *judges: Hashable, **given: Any) -> Any:
        for name in [name for name in given if name not in JUDGES_KEYWORDS]:
            raise unknown_option("judges", name, given, [*JUDGES_KEYWORDS, "by"], then="versus_humans")
        if "humans" not in given:
            problem = "humans= is missing: who are the people to compare with?"
            raise InputError(problem, f"write {JUDGES_CALL}", option="humans", code="missing option")
        return method(self, *judges, **given)

    return call  # type: ignore[return-value]


@docs.completed
class JudgesInput(Base):
    """The way in for judges and humans."""

    __slots__ = ()

    @_check_call
    def judges(
        self,
        *judges: Hashable,
        humans: Sequence[Hashable],
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        invalid: Invalid = "raise",
        run: Hashable | None = None,
    ) -> JudgedAgreement:
        """Compare judges, such as language models, with people.

        This call names the roles of the columns. The methods of the result read the data.

        Parameters
        ----------
        *judges : hashable
            The judges: column names, or values of the coder column.
        humans : list
            The people with whom the judges are compared, named in the same way.
        categories : list, optional
            All categories, the lowest first if they are ordered. Default: those of the humans' Categoricals, else the
            labels in the data.
        invalid : {'raise', 'missing', 'wrong'}
            How to treat a judge's label outside the declared categories: as an error, as a missing label, or as a label
            that agrees with nobody. If no categories are declared, every label is a category, and `remarks` names those
            that no human used; with 'missing' these count as missing, and `remarks` has their number.
        run : column name, optional
            The column that identifies repeated runs of a judge in long data, for `stability`.

        Returns
        -------
        JudgedAgreement
            An object with the methods `versus_humans`, `accuracy` and others.

        Examples
        --------
        >>> example = pandas_agreement.load_example()
        >>> judged = example.agree.judges("dev", humans=["ann", "bob", "cleo"])
        >>> judged.versus_humans()[["estimate", "ceiling", "difference", "verdict"]].round(3)
               estimate  ceiling  difference verdict
        judge
        dev        0.43    0.582      -0.153   worse
        """
        from pandas_agreement.accessor.judges import JudgedAgreement
        from pandas_agreement.judges.panel import INVALID_RULES, Roles

        names, judges = _named(humans), one_by_one(judges)
        everybody = (*judges, *names)
        check_each(everybody)
        if not judges:
            raise InputError("no judge is named", f"write {JUDGES_CALL}", code="too few coders")
        for name in everybody:
            if everybody.count(name) > 1:
                twice = "both as a judge and as a human" if name in judges and name in names else "twice"
                problem = f"{shown(name)} is named {twice}"
                raise InputError(problem, "everyone has one role", column=name, code="repeated name")
        choose("invalid", invalid, dict.fromkeys(INVALID_RULES))
        if run is not None and self._long_columns is None:
            problem = "run= is for long data, where it tells repeated runs of a judge apart"
            remedy = "name the columns of the runs as judges, and use stability(runs={'gpt': ['gpt_1', 'gpt_2']})"
            raise InputError(problem, remedy, option="run", code="wrong format")
        return JudgedAgreement(self, Roles(everybody[: len(judges)], names, categories, invalid, run))


def _named(humans: Any) -> tuple[Hashable, ...]:
    """The humans, as a list of names."""
    if isinstance(humans, (str, bytes)):
        remedy = f"write humans=[{humans!r}]"
        raise InputError("humans= takes a list of names", remedy, option="humans", code="several columns")
    if not isinstance(humans, (list, tuple, pd.Index, np.ndarray)):
        raise InputError(f"humans={shown(humans)} must be a list of names", f"write {JUDGES_CALL}", option="humans")
    return tuple(map(plain, humans))


# ----------------------------------------------------------------------------------------------------- groups of coders


@docs.completed
class CoderGroupsInput(Base):
    """The way in for groups of coders."""

    __slots__ = ()

    @public
    def coder_groups(self, groups: Assignment) -> GroupedCoders:
        """Agreement within groups of coders and across them.

        Parameters
        ----------
        groups : dict or column name
            A dict ``{group: [coders]}``. Coders that it does not name are left out. For long data also the name of a
            column with the group of each row's coder, which must be the same in all rows of a coder. Coders without a
            group (missing values) are left out with a warning.

        Returns
        -------
        GroupedCoders
            An object with the methods `within`, `across` and `compare`.

        Examples
        --------
        >>> example = pandas_agreement.load_example()
        >>> camps = example.agree.coder_groups({"first shift": ["ann", "bob"], "second shift": ["cleo", "dev"]})
        >>> camps.within()["estimate"].round(3)
        coder_group
        first shift     0.611
        second shift    0.388
        Name: estimate, dtype: float64
        >>> camps.across()["estimate"].round(3).tolist()
        [0.512]
        """
        from pandas_agreement.accessor.coder_groups import GROUPS_CALL, GroupedCoders, checked

        if isinstance(groups, Mapping):
            return GroupedCoders(self, checked(groups))
        if self._long_columns is None:
            problem = f"coder_groups takes a dict of groups, and got {shown(groups)}"
            remedy = f"write {GROUPS_CALL}; a column of groups is for df.agree.long(...)"
            raise InputError(problem, remedy, code="wrong format")
        columns_of(self._frame, [groups])
        return GroupedCoders(self, groups)


# ------------------------------------------------------------------------------------------------------- two candidates


@docs.completed
class PreferencesInput(Base):
    """The way in, for frames and grouped frames."""

    __slots__ = ()

    @by_name(
        "the candidates shown first and second and of the winner",
        ("first", "second", "winner"),
        ("item", "tie", "human"),
    )
    def preferences(
        self,
        *,
        first: Hashable,
        second: Hashable,
        winner: Hashable,
        item: Hashable | Sequence[Hashable] | None = None,
        tie: Any = None,
        human: Hashable = None,
    ) -> Preferences:
        """Verdicts that compare two candidates, with one row per verdict.

        Parameters
        ----------
        first, second : column names
            The two candidates, in the order in which they were shown.
        winner : column name
            The candidate that won or, in every row, its position: 'first' and 'second', or the names of these columns.
        item : column name or list of names, optional
            What was judged, such as a prompt. Two verdicts on an item with the candidates in both orders are a swap.
            Several columns identify the item together: use ``item=["prompt", "judge"]`` for the verdicts of several
            judges.
        tie : label or list of labels, optional
            The value of `winner` that stands for a tie, such as 'tie'.
        human : column name, optional
            The winner that people chose, for a random part of the rows, and missing in the others. `win_rate` is then
            corrected.

        Notes
        -----
        Rows without a winner or with the same candidate twice do not count. `remarks` has their number.

        Examples
        --------
        >>> games = pd.DataFrame({"a": list("xxyyzz"), "b": list("yzzxxy"), "won": list("xxzxzy")})
        >>> games.agree.preferences(first="a", second="b", winner="won").strengths(detail=True)["strength"].round(2)
        candidate
        x    0.57
        y    0.14
        z    0.29
        Name: strength, dtype: float64
        """
        from pandas_agreement.accessor.preferences import Preferences
        from pandas_agreement.preferences.verdicts import Columns, as_ties

        names = tuple(item) if isinstance(item, list) else () if item is None else (item,)
        columns = Columns(plain(first), plain(second), plain(winner), names, as_ties(tie), plain(human))
        return Preferences(self._frame, columns, self._made_groups)


# ---------------------------------------------------------------------------------------------------------------- spans


SPAN_ROLES = ("item", "coder", "start", "end")  # columns that must be known
SPAN_OPTIONAL = ("label", "length")  # columns that are found only if none is named


def _found_by_role(method: Method) -> Method:
    """Take the columns called by their role where they are not named."""

    @public
    @functools.wraps(method)
    def call(self: Any, *columns: Hashable, **given: Any) -> Any:
        named = {name: value for name, value in given.items() if value is not None}
        alone = not any(role in named for role in SPAN_ROLES)
        if alone and "start" not in self._frame and "spans" in _source_of(self._frame).get("left_out", ()):
            problem = "the frame has the labels of an export, and its spans were left out"
            raise InputError(problem, "read them by their field: read(..., 'ner')", code="spans left out")
        roles = () if columns else (*SPAN_ROLES, *SPAN_OPTIONAL * alone)
        return method(self, *columns, **{role: role for role in roles if role in self._frame.columns} | named)

    return call  # type: ignore[return-value]


def _source_of(frame: pd.DataFrame) -> Mapping[str, Any]:
    """What `read` noted about the export; empty for other frames."""
    source = frame.attrs.get("source")
    return source if isinstance(source, Mapping) else {}


def _export_tells_unmarked(frame: pd.DataFrame) -> bool:
    """Whether `read` made the frame from an export that also has what was seen and not marked; one question only."""
    from pandas_agreement.exports.tools import TOOLS

    tool = TOOLS.get(str(_source_of(frame).get("tool")))
    is_export = {"item", "coder", "field", "kind"} <= {*frame.columns}
    fields = frame["field"].dropna().unique().tolist() if is_export else []
    if len(fields) > 1:
        problem = f"column 'field' has {len(fields)} questions, and spans need one"
        raise InputError(problem, f"keep one: df[df['field'] == {fields[0]!r}]", code="several questions")
    return tool is not None and tool.tells_unmarked


@docs.completed
class SpansInput(Base):
    """The way in for spans, for frames and grouped frames."""

    __slots__ = ()

    @_found_by_role
    @by_name("documents, coders, starts and ends", SPAN_ROLES, (*SPAN_OPTIONAL, "unmarked"))
    def spans(
        self,
        *,
        item: Hashable | Sequence[Hashable] | None = None,
        coder: Hashable | None = None,
        start: Hashable | None = None,
        end: Hashable | None = None,
        label: Hashable | None = None,
        length: Length | None = None,
        unmarked: Unmarked | None = None,
    ) -> SpanAgreement:
        """Agreement on spans, such as named entities or coded passages.

        The frame has one row per span. Positions are whole numbers: characters, tokens, frames or milliseconds. The end
        is the position after the last one: a span from 3 to 5 covers the positions 3 and 4. The frame is read and
        checked at once.

        Parameters
        ----------
        item : column name, or list of names
            The document.
        coder : column name
            Who marked.
        start, end : column names
            The position where the span starts, and the one after its last position.
        label : column name, optional
            The label of the span. Without it all spans have the same label.
        length : column name, number, or dict or Series by document, optional
            The number of positions of a document, on which `alpha` and `kappa` depend. Default: the last end of any
            coder.
        unmarked : {'raise', 'seen', 'absent'}
            What it means if a document has no row of a coder: it is an error (default), the coder saw it and marked
            nothing, or the coder did not see it. A row with empty start, end and label says that the coder saw the
            document and marked nothing. `pandas_agreement.read` returns such rows from Label Studio, Prodigy, WebAnno
            and brat. For these tools the default is 'absent', and a remark has the number of these documents.

        Returns
        -------
        SpanAgreement
            An object with the methods `summary`, `alpha`, `f1`, `kappa`, `by_pair`, `by_category`, `by_item`,
            `disagreements`, `to_long` and `plot`.

        Notes
        -----
        Columns called `item`, `coder`, `start` and `end` need not be named. If none of them is named, `label` and
        `length` need not be named either.

        Examples
        --------
        >>> rows = [("d1", "ann", 0, 5, "PER"), ("d1", "ann", 8, 12, "ORG"), ("d1", "bob", 0, 5, "PER")]
        >>> rows += [("d1", "bob", 9, 12, "ORG"), ("d2", "ann", 3, 7, "ORG"), ("d2", "bob", None, None, None)]
        >>> marked = pd.DataFrame(rows, columns=["doc", "who", "start", "end", "tag"])
        >>> spans = marked.agree.spans(item="doc", coder="who", start="start", end="end", label="tag")
        >>> spans.f1()["estimate"].round(3).tolist(), spans.f1(iou=0.5)["estimate"].round(3).tolist()
        ([0.4], [0.8])
        """
        from pandas_agreement.accessor.spans import SpanAgreement
        from pandas_agreement.spans.reading import SpanColumns, read_spans

        items = tuple(item) if isinstance(item, list) else (item,)
        if not items:
            raise wrong_value("item", item, "must name at least one column")
        columns = SpanColumns(items, plain(coder), plain(start), plain(end), plain(label))
        assumed = _export_tells_unmarked(self._frame) and unmarked is None
        rule = "absent" if assumed else "raise" if unmarked is None else unmarked
        read = read_spans(self._frame, columns, plain(length), rule)
        return SpanAgreement(read if assumed else replace(read, n_unseen=0), self._made_groups)
