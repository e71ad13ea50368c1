"""`df.agree.truth(...)` and `df.agree.consensus(...)`: the label itself, who is reliable, and what to send back."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pandas as pd

from pandas_agreement.accessor import docs
from pandas_agreement.accessor.base import Base
from pandas_agreement.accessor.result_plots import ResultPlots
from pandas_agreement.errors import InputError, UnknownMethodError, nearest, public
from pandas_agreement.options import OPTIONS, Options, check_bool, check_keyword, is_number, must
from pandas_agreement.results.tidy import tidy
from pandas_agreement.truth import actions, views
from pandas_agreement.truth.fitting import Fit, fit
from pandas_agreement.truth.reading import cast, gold_column
from pandas_agreement.truth.remarks import warn_of
from pandas_agreement.truth.settings import MODELS, Settings

HIDDEN = {"items": "by_item", "coders": "by_coder"}  # names that people may try
COPY_ON_WRITE = int(pd.__version__.partition(".")[0]) >= 3  # a shallow copy does not follow changes of the frame

_between = must(lambda value: is_number(value) and 0 < float(value) < 1, "must lie between 0 and 1")


class Truth:
    """The label itself: inferred labels, the reliability of each coder, and what to send back.

    Made by `df.agree.truth(...)`. The data are read and the method is fitted when a table is first asked for, once;
    changing the frame afterwards does not change the tables.
    """

    def __init__(self, view: Base, coders: tuple[Hashable, ...], settings: Settings, options: Options) -> None:
        _check_names(coders, view._frame)
        self._view, self._coders, self._settings, self._options = view, coders, settings, options

    def __repr__(self) -> str:
        state = "fitted" if "_fit" in self.__dict__ else "not fitted yet"
        views = ", ".join(name for name in dir(type(self)) if not name.startswith("_") and name != "plot")
        return f"Labels inferred with method={self._settings.method!r}, {state}. Tables: {views}."

    def _look_up(self, name: str) -> Any:
        """The method behind a hidden name, or an error that names the nearest method."""
        if name.startswith("_"):
            raise AttributeError(name)
        if name in HIDDEN:
            return getattr(self, HIDDEN[name])
        remedy = nearest(name, [each for each in dir(type(self)) if not each.startswith("_")])
        raise UnknownMethodError(f"truth(...) has no method {name!r}", remedy, code="unknown method")

    if not TYPE_CHECKING:  # or type checkers would accept any name
        __getattr__ = _look_up

    @cached_property
    def _fit(self) -> Fit:
        """Read and fit, once."""
        view, gold, options = self._view, self._settings.gold, self._options
        name = gold_column(view._frame, gold)
        if name is not None:
            _check_gold_name(name, self._coders, getattr(view, "_columns", ()))
            options = replace(options, not_coders=frozenset([name]))
        read = view._for_labels()._read(self._coders, options, rows=True)
        found = fit(cast(read, view._frame, self._settings), self._settings)
        warn_of(found)
        return found

    @cached_property
    def _rows(self) -> pd.DataFrame:
        """The frame as it was when it was fitted; pandas 3 copies only what is changed later."""
        self._fit  # noqa: B018  (reads first)
        return self._view._frame.copy(deep=not COPY_ON_WRITE)

    @public
    def by_item(self, *, probabilities: bool = False, detail: bool = False) -> pd.DataFrame:
        """The inferred label of each item, and how certain it is.

        Parameters
        ----------
        probabilities : bool
            Return the probability of every category in place of these columns (for a vote its share).
        detail : bool
            Add the other columns.

        Returns
        -------
        DataFrame
            The frame's own index, so that it can be joined back; for long data the name of the item (after the group
            keys). Columns:
            {TRUTH_ITEMS}

        Examples
        --------
        >>> df.agree.truth().by_item(probabilities=True).loc[5].round(2).tolist()
        [0.33, 0.67]
        """
        table = views.by_item(self._fit, self._rows, check_bool("probabilities", probabilities))
        return self._tidy("by_item", table, detail, of_rows=True)

    @public
    def by_coder(self, *, ci: float | None = 0.95, detail: bool = False) -> pd.DataFrame:
        """Accuracy and skill of each coder, with intervals.

        Parameters
        ----------
        ci : float or None
            Level of the intervals. None computes the estimates alone, which is faster.
        detail : bool
            Add the other columns.

        Returns
        -------
        DataFrame
            Indexed by `coder` (after the group keys). 'mace' adds `knows`, the probability that the coder knows the
            label: {TRUTH_CODERS}

        Notes
        -----
        The interval of the accuracy comes from the empirical information of all parameters together, on the logit
        scale. Its coverage at the level 0.95 was 0.95 to 0.98 in simulations of 100 to 300 items, two categories and 3
        or 5 coders who are right on 60% to 90% of each category. An interval that takes the inferred labels as true had
        a coverage of 0.43 to 0.80 (``python -m tests.benchmarks.accuracies --draws 1000``). Coders who make the same
        mistakes look accurate to every model. A pair whose kappa in `by_pair` is far above that of the others is a sign
        of this.

        Examples
        --------
        >>> truth = df.agree.truth(gold=pd.Series(["y", "y", "n"], index=[0, 5, 7]))
        >>> truth.by_coder(detail=True)[["agreement", "n_gold"]]
               agreement  n_gold
        coder
        ann         0.95       3
        bob         0.70       3
        cleo        0.85       3
        """
        return self._tidy("by_coder", views.by_coder(self._fit, OPTIONS["ci"].check("ci", ci)), detail, ci=ci)

    @public
    def confusions(self) -> pd.DataFrame:
        """The error rates of each coder: the probability of each label, given the true label.

        Returns
        -------
        DataFrame
            Indexed by `coder`, `true` and `given` (after the group keys):
            {TRUTH_CONFUSIONS}

        Examples
        --------
        >>> example = pandas_agreement.load_example()
        >>> truth = example.agree.truth("ann", "bob", "cleo", "dev", method="dawid_skene")
        >>> truth.confusions().loc[("dev", "request")][["probability", "n"]].round(2)
                   probability      n
        given
        bug               0.39  35.02
        complaint         0.01   0.55
        question          0.04   2.78
        request           0.56  49.34
        """
        return self._tidy("confusions", views.confusions(self._fit))

    @public
    def shares(self) -> pd.DataFrame:
        """The share of each category among the true labels.

        Returns
        -------
        DataFrame
            Indexed by `category` (after the group keys):
            {TRUTH_SHARES}

        Examples
        --------
        >>> df.agree.truth().shares().round(2)
                  share  n_items
        category
        n          0.33        3
        y          0.67        7
        """
        return self._tidy("shares", views.shares(self._fit))

    @public
    def summary(self, *, detail: bool = False) -> pd.DataFrame:
        """The fit in one row: likelihood, iterations, sizes and expected accuracy.

        Parameters
        ----------
        detail : bool
            Add the other columns.

        Returns
        -------
        DataFrame
            Indexed by `method` (after the group keys):
            {TRUTH_SUMMARY}

        Examples
        --------
        >>> df.agree.truth().summary()[["n_items", "n_coders", "n_labels", "n_gold"]]
                  n_items  n_coders  n_labels  n_gold
        method
        majority       10         3        30       0
        """
        return self._tidy("summary", views.summary(self._fit), detail)

    @public
    def queue(self, *, n: int = 20, until: float | None = None) -> pd.DataFrame:
        """The items to look at again: the least certain items first, with all columns of the frame.

        Parameters
        ----------
        n : int
            Number of items.
        until : float, optional
            In place of `n`, return all items whose probability is below this value, with `n_more`, the number of labels
            that each of them still needs on average from coders of mean accuracy. Not available for votes.

        Returns
        -------
        DataFrame
            The rows of the frame (for long data all rows of an item), without gold items, with further columns:
            {TRUTH_QUEUE}

        Examples
        --------
        >>> df.agree.truth().queue(n=2)[["ann", "bob", "cleo", "inferred", "probability", "reason"]].round(2)
          ann bob cleo inferred  probability           reason
        5   y   n    y        y         0.67  coders disagree
        6   n   y    n        n         0.67  coders disagree
        """
        if until is not None:
            until = float(_between("until", until))
        return self._tidy("queue", actions.queue(self._fit, self._rows, check_keyword("n", n), until), of_rows=True)

    @public
    def qualify(self, *, required: float = 0.8, detail: bool = False) -> pd.DataFrame:
        """Which coders pass on the gold items, by exact tests.

        Parameters
        ----------
        required : float
            The accuracy that a coder has to exceed.
        detail : bool
            Add the other columns.

        Returns
        -------
        DataFrame
            Indexed by `coder` (after the group keys):
            {TRUTH_QUALIFY}

        Examples
        --------
        >>> known = pd.Series(list("yyyyyynynn"))
        >>> df.agree.truth(gold=known).qualify(required=0.7)[["accuracy", "p_holm", "passed", "n_gold"]].round(3)
               accuracy  p_holm   passed  n_gold
        coder
        ann         0.9   0.299  too few      10
        bob         0.8   0.383  too few      10
        cleo        1.0   0.085  too few      10
        """
        return self._tidy("qualify", actions.qualify(self._fit, float(_between("required", required))), detail, ci=0.95)

    def _tidy(
        self, name: str, table: pd.DataFrame, detail: bool = False, of_rows: bool = False, ci: float | None = None
    ) -> pd.DataFrame:
        """A table as the user sees it."""
        detail, as_index = check_bool("detail", detail), self._view._as_index
        return tidy(table, f"truth.{name}", detail, as_index=as_index, of_rows=of_rows, ci=ci)

    @property
    def plot(self) -> ResultPlots:
        """Plots of these tables: `by_coder` (for models) and `confusions`.

        Examples
        --------
        >>> example = pandas_agreement.load_example()
        >>> truth = example.agree.truth("ann", "bob", "cleo", "dev", method="dawid_skene")
        >>> truth.plot.by_coder().get_title(loc="left")
        'Inferred skill of the coders'
        """
        return ResultPlots(self, {"by_coder": "by_coder", "confusions": "confusions"})


def _check_names(coders: tuple[Hashable, ...], frame: pd.DataFrame) -> None:
    """Raise for the name of a method among the coders."""
    for name in coders:
        if isinstance(name, str) and name in ("majority", *MODELS) and name not in frame.columns:
            problem = f"{name!r} is the name of a method, and was passed as a coder"
            raise InputError(problem, f"write method={name!r}", option="method", code="unknown column")


def _check_gold_name(name: Hashable, coders: tuple[Hashable, ...], columns: Any) -> None:
    """Raise for gold labels that are those of a coder, or the labels themselves."""
    if name in coders:
        problem = f"gold={name!r} is one of the coders"
        raise InputError(problem, "known labels are not a coder", option="gold", column=name)
    if name in columns:
        role = ("items", "coders", "labels")[list(columns).index(name)]
        problem = f"gold={name!r} is the column of the {role}"
        raise InputError(problem, "name the column of the known labels", option="gold", column=name)


docs.completed(Truth)
