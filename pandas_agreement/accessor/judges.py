"""`df.agree.judges(...)`: judges and models against people. The numbers are made in the folder `judges`."""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import numpy as np
import pandas as pd

from pandas_agreement import judges as rooms
from pandas_agreement.accessor import docs
from pandas_agreement.accessor.base import Base
from pandas_agreement.accessor.corrected import CorrectedMethods
from pandas_agreement.accessor.signatures import takes
from pandas_agreement.coefficients.registry import find
from pandas_agreement.data.reading import check_each, columns_of
from pandas_agreement.errors import InputError, UnknownMethodError, choose, nearest, plain, public, shown
from pandas_agreement.judges.roles import INVALID_RULES, Invalid, Judged, Roles, declared, mark_outside, with_outside
from pandas_agreement.options import Options, unknown_option

Method = TypeVar("Method", bound=Callable[..., Any])
ROLES = ("humans", "categories", "invalid", "run")
CALL = "df.agree.judges('gpt', humans=['ann', 'bob'])"


def _check_call(method: Method) -> Method:
    """Raise for options that `judges` does not have, and without humans."""

    @public
    @functools.wraps(method)
    def call(self: Any, *judges: Hashable, **given: Any) -> Any:
        for name in [name for name in given if name not in ROLES]:
            raise unknown_option("judges", name, given[name], [*ROLES, "by"])
        if "humans" not in given:
            problem = "humans= is missing: who are the people to compare with?"
            raise InputError(problem, f"write {CALL}", option="humans", code="missing option")
        return method(self, *judges, **given)

    return call  # type: ignore[return-value]


@docs.completed
class JudgesWay(Base):
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
        """Judges and models against people: says who is who, and has methods of its own.

        Nothing is read or computed here.

        Parameters
        ----------
        *judges : hashable
            The judges: column names, or values of the coder column.
        humans : list
            The people to compare with, named in the same way.
        categories : list, optional
            All categories, lowest first if they are ordered. Default: those of Categoricals among the humans, else the
            labels seen.
        invalid : {'raise', 'missing', 'wrong'}
            What a label of a judge outside the declared categories is: an error, no label, or a label that agrees with
            nobody's. Where no categories are declared every label is one, and `note` names those that no human used.
        run : column name, optional
            Long data: the column that tells repeated runs of a judge apart, for `stability`.

        Returns
        -------
        JudgedAgreement
            An object with the methods `versus_humans` and others.

        Examples
        --------
        >>> example = pandas_agreement.load_example()
        >>> judged = example.agree.judges("dev", humans=["ann", "bob", "cleo"])
        >>> judged.versus_humans()[["estimate", "ceiling", "difference", "verdict"]].round(3)
                           estimate  ceiling  difference verdict
        judge coefficient
        dev   kappa            0.43    0.582      -0.153   worse
        """
        names = _named(humans)
        everybody = (*map(plain, judges), *names)
        check_each(everybody)
        if not judges:
            raise InputError("no judge is named", f"write {CALL}", code="too few coders")
        for name in everybody:
            if everybody.count(name) > 1:
                twice = "both as a judge and as a human" if name in judges and name in names else "twice"
                problem = f"{shown(name)} is named {twice}"
                raise InputError(problem, "everybody has one role", column=name, code="repeated name")
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
        raise InputError(f"humans={shown(humans)} must be a list of names", f"write {CALL}", option="humans")
    return tuple(map(plain, humans))


@docs.completed
class JudgedAgreement(CorrectedMethods):
    """Judges and models against people: `df.agree.judges("gpt", humans=["ann", "bob"])`."""

    __slots__ = ("_roles", "_source")

    def __init__(self, source: Base, roles: Roles) -> None:
        self._source, self._roles = source, roles

    @property
    def _frame(self) -> pd.DataFrame:
        return self._source._frame

    @property
    def _is_grouped(self) -> bool:
        return self._source._is_grouped

    # ------------------------------------------------------------------------------------------------------- reading

    def _judged(self, method: str, options: Options, others: Sequence[Hashable] = ()) -> Judged:
        """Read judges, humans and `others`, such as a column of known labels, for a method."""
        roles = self._roles
        if roles.run is not None:
            problem = f"{method} needs one label per item and judge, and run= says that there are several"
            raise InputError(problem, "choose one run, as in df[df['seed'] == 1]", option="run", code="several runs")
        if not roles.humans:
            raise InputError(f"{method} compares with humans, and humans= is empty", f"write {CALL}", option="humans")
        source, categories, marked = self._marked()
        named = with_outside(categories) if marked else categories
        options = options if named is None else options.but(categories=named)
        reading = source._read([*roles.judges, *roles.humans, *others], options, needs_coders=method, rows=True)
        return Judged.of(reading, roles, categories if marked else None)

    def _marked(self) -> tuple[Base, Any, bool]:
        """The data with labels outside the declared categories marked, the categories, and whether there are such."""
        frame, roles, source = self._frame, self._roles, self._source
        if source._long_columns is not None:
            _, coder, label = source._long_columns
            who, column = columns_of(frame, [coder, label])
            if roles.categories is None:  # of one column, whose categories are those of judges and humans
                return source, None, False
            rows = who.isin(list(roles.judges)).to_numpy()
            changed = {label: mark_outside(column, who, roles.categories, roles.invalid, rows)}
            changed = {} if changed[label] is column else changed
            return self._replaced(changed), roles.categories, bool(changed)
        categories = declared(columns_of(frame, roles.humans), roles.humans, roles.categories)
        if categories is None:
            return source, None, False
        columns = columns_of(frame, roles.judges)
        marked = [
            mark_outside(column, name, categories, roles.invalid)
            for name, column in zip(roles.judges, columns, strict=True)
        ]
        changed = {name: new for name, old, new in zip(roles.judges, columns, marked, strict=True) if new is not old}
        return self._replaced(changed), categories, bool(changed)

    def _replaced(self, columns: dict[Hashable, pd.Series]) -> Base:
        """The data with some columns replaced, in a frame of its own."""
        if not columns:
            return self._source
        frame = self._frame.copy(deep=False)
        for name, column in columns.items():
            frame[name] = column.array
        return self._source._on(frame)

    # ------------------------------------------------------------------------------------------------------- methods

    @takes(
        "by",
        "ci",
        "method",
        "clusters",
        metric="metric",
        without=("expected", "pool"),
    )
    def versus_humans(
        self,
        *,
        metric: str = "kappa",
        margin: float | None = None,
        equivalence: bool = False,
        common: bool = False,
        options: Options,
    ) -> pd.DataFrame:
        """Is the judge as good as a person? Agreement with people against agreement of people with each other.

        `estimate` is the mean agreement of the judge with a human, `ceiling` that of two humans, both on the items with
        a label of the judge and two or more human labels. A judge is 'as good' if the difference is shown to be above
        minus `margin` (non-inferiority, one-sided 5 %, Holm's adjustment over all rows), and never if it does not beat
        the constant answer (`baseline`) or copies a human.

        Parameters
        ----------
        metric : str
            'kappa' (default), 'observed', or another coefficient of two coders: 'pi', 'alpha', 'ac1', 'ac2', 's'. A
            coefficient is averaged over pairs of coders, 'observed' over items.
        margin : float, optional
            How much below the humans is still as good as them: your decision. Default: 0.05 for 'observed', else 0.1.
        equivalence : bool
            'as good' also needs a difference below the margin.
        common : bool
            Use only the items that all judges labelled.
        **options
            `by`, `ci`, `clusters`, `sampling` ('items', or 'both' for other humans, too), `weights` and the other
            options of the coefficient.

        Returns
        -------
        DataFrame
            One row per judge, indexed by `judge` and `coefficient` (after the group keys):

            {VERSUS}

        Notes
        -----
        A human who used one category only has no kappa, and is left out for the judge and for the humans. `method` is
        'analytic': t with the standard error from the items' influence on both means.

        References
        ----------
        Agresti, A. and Min, Y. (2005). Simple improved confidence intervals for comparing matched proportions.
        Statistics in Medicine 24, 729-740.

        Examples
        --------
        >>> example = pandas_agreement.load_example()
        >>> judged = example.agree.judges("dev", humans=["ann", "bob", "cleo"])
        >>> judged.versus_humans()[["difference", "ci_low", "ci_high", "margin", "verdict"]].round(3)
                           difference  ci_low  ci_high  margin verdict
        judge coefficient
        dev   kappa            -0.153  -0.217   -0.088     0.1   worse
        """
        judged = self._judged("versus_humans", options)
        return rooms.versus_humans(judged, find(metric), options, margin, equivalence, common)

    # --------------------------------------------------------------------------------------------------- other names

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        remedy = "name what to compute, as in df.agree.judges(...).versus_humans()"
        raise InputError("df.agree.judges(...) is not a function", remedy, code="unknown method")

    def _look_up(self, name: str) -> Any:
        remedy = nearest(name, [each for each in dir(type(self)) if not each.startswith("_")])
        raise UnknownMethodError(f"df.agree.judges(...) has no method {name!r}", remedy, code="unknown method")

    if not TYPE_CHECKING:  # or type checkers would accept any name
        __getattr__ = _look_up
