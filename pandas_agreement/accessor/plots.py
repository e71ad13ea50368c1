"""`df.agree.plot`: computes a result with the methods of `df.agree`; `plotting` draws it.

A kind is written with its own options, `options` (those of the method behind it) and `look` (those of all plots). Its
`__signature__`, which `help`, completion and the type stubs read, shows every one of them by name.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Hashable, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

import pandas as pd

from pandas_agreement import breakdown
from pandas_agreement.accessor import docs
from pandas_agreement.accessor.breakdown import BreakdownMethods
from pandas_agreement.accessor.coefficients import CoefficientMethods
from pandas_agreement.accessor.retest import with_replicates
from pandas_agreement.accessor.scores import ScoreMethods
from pandas_agreement.accessor.signatures import one_by_one
from pandas_agreement.breakdown.scales import has_fractions, main_of_scores
from pandas_agreement.coefficients.registry import COMMON
from pandas_agreement.core.scores import Scores
from pandas_agreement.errors import InputError, UnknownMethodError, nearest, plain, public
from pandas_agreement.options import ONE_WORD, check_keyword, make_options

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Method = TypeVar("Method", bound=Callable[..., Any])
Given = dict[str, Any]  # options that the user gave
Parameter = inspect.Parameter

#: the method that computes what a kind draws
BEHIND = {
    "forest": "summary",
    "trend": "summary",
    "by_category": "by_category",
    "by_coder": "by_coder",
    "by_pair": "by_pair",
    "by_item": "by_item",
    "confusion": "confusion",
    "margins": "margins",
    "bland_altman": "bland_altman",
}
#: options of these methods that do not change a plot, or that are the plot's own
UNUSED = ("metric", "metrics", "full", "detail", "progress")
GROUPS = ("by", "overall")  # options that a plot of one group does not have
#: options that a plot without intervals does not have
INTERVAL = ("ci", "method", "sampling", "n_resamples", "rng")
LOOK = {
    "ax": "Axes to draw on. Default: new ones in a new figure. A figure without a layout gets the constrained layout.",
    "figsize": "Width and height of the figure in inches. By default the size depends on the number of rows.",
    "title": "A title in place of the default one.",
    "style": "Keywords for `{artist}` of matplotlib, such as ``style={such}``.",
}
HIDDEN = {"coders": "by_coder", "pairwise": "by_pair", "items": "by_item"}  # names that work, and that nobody sees
INSTEAD = {"over": "plot.trend", "bias": "plot.margins", "heatmap": "plot.by_pair or plot.confusion"}


def _method(name: str) -> Callable[..., pd.DataFrame]:
    """The method of this name, whose signature has the options."""
    owners = (CoefficientMethods, BreakdownMethods, ScoreMethods)
    return next(vars(owner)[name] for owner in owners if name in vars(owner))


def _kind(artist: str, such: str = '{"color": "C3"}', without: Sequence[str] = ()) -> Callable[[Method], Method]:
    """Check the keywords of a kind, and show those of the method behind it and of all plots in signature and docstring.

    `artist` takes the keywords in `style`; the options in `without` do not change the plot.
    """

    def decorate(function: Method) -> Method:
        name = function.__name__
        written = inspect.signature(function)
        own = {each.name: each for each in written.parameters.values() if each.kind is Parameter.KEYWORD_ONLY}
        del own["options"], own["look"]
        behind = inspect.signature(_method(BEHIND[name])).parameters.values()
        data = [
            each
            for each in behind
            if each.kind is Parameter.KEYWORD_ONLY and each.name not in (*UNUSED, *own, *without)
        ]
        look = [Parameter(each, Parameter.KEYWORD_ONLY, default=None) for each in LOOK]
        taken = [each.name for each in data]
        taken += [each for each in ONE_WORD if each not in taken and {*taken} & {*ONE_WORD}]  # not shown: for the other
        allowed = [*own, *taken, *LOOK]

        @public
        @functools.wraps(function)
        def call(self: Plots, *coders: Hashable, **given: Any) -> Axes:
            given = {"metrics" if each == "metric" else each: value for each, value in given.items()}
            for each in given.keys() - set(allowed):
                raise _unknown(name, each, given, allowed, artist)
            drawing = _plotting().style
            drawing.check_axes(given.get("ax"))  # raises without matplotlib, before anything is computed
            drawing.check_style(given.get("style"), artist, ())
            parts = {each: given[each] for each in own if each in given}
            parts = {each: check_keyword(each, plain(value)) for each, value in parts.items()}
            options = {each: given[each] for each in taken if each in given}
            chosen = {each: given[each] for each in LOOK if each in given}
            return function(self, *coders, **parts, options=options, look=chosen)

        first = [each for each in written.parameters.values() if each.kind is not Parameter.KEYWORD_ONLY]
        call.__signature__ = written.replace(  # type: ignore[attr-defined]
            parameters=[*first, *own.values(), *data, *look]
        )
        listed = f"{', '.join(each.name for each in data)} : optional\n    As for `{BEHIND[name]}`."
        texts = {each: text.format(artist=artist, such=such) for each, text in LOOK.items()}
        lines = [listed, *(f"{each} : optional\n    {text}" for each, text in texts.items())]
        lines.append("\nReturns\n-------\nmatplotlib Axes")
        call.__doc__ = inspect.cleandoc(function.__doc__ or "").replace("{OPTIONS}", "\n".join(lines))
        return call  # type: ignore[return-value]

    return decorate


def _unknown(kind: str, name: str, given: Given, allowed: Sequence[str], artist: str) -> InputError:
    """The error for an option that a kind does not have."""
    called = f"df.agree.plot.{kind}"
    if name not in GROUPS:
        error: InputError = _plotting().style.unknown_keyword(called, name, given, allowed, artist)
        return error
    problem = f"{called} draws one group, and has no option {name!r}"
    return InputError(problem, "choose the rows of the group before .agree", option=name, code="unknown option")


def _plotting() -> ModuleType:
    """The plotting package, imported on first use."""
    from pandas_agreement import plotting

    return plotting


def _one(kind: str, metrics: str | Sequence[str]) -> str:
    """The only coefficient of a kind that draws one: its name, or a list with it."""
    names = [metrics] if isinstance(metrics, str) else list(metrics)
    if len(names) != 1:
        problem = f"df.agree.plot.{kind} draws one coefficient, and metrics= has {len(names)}"
        raise InputError(problem, "draw one plot for each", option="metrics")
    return names[0]


@docs.completed
class Plots:
    """Plots: `df.agree.plot.<kind>(...)` draws on Axes and returns them."""

    __slots__ = ("_agree",)

    def __init__(self, agree: Any) -> None:
        self._agree = agree

    def __dir__(self) -> list[str]:
        return KINDS

    def __repr__(self) -> str:
        return f"Plots of agreement. Kinds: {', '.join(KINDS)}."

    if not TYPE_CHECKING:  # or type checkers would accept any name

        def __getattr__(self, name: str) -> Any:
            if name in HIDDEN:
                return getattr(self, HIDDEN[name])
            remedy = f"use {INSTEAD[name]}" if name in INSTEAD else nearest(name, KINDS)
            raise UnknownMethodError(f"df.agree.plot has no kind {name!r}", remedy, code="unknown kind")

    @_kind("Axes.errorbar")
    def forest(
        self,
        *coders: Hashable,
        metrics: str | Sequence[str] | None = None,
        pairs: bool = False,
        bands: str | None = "usual",
        sort: bool = False,
        options: Given,
        look: Given,
    ) -> Axes:
        """Estimates with intervals, on the bands of a benchmark.

        Parameters
        ----------
        {WHO}
        metrics : str or list of str, optional
            The coefficients. Default: those of `summary`; for groups alpha, as in the report, and for pairs kappa.
        pairs : bool
            Draw one row per pair of coders.
        bands : str or None
            A benchmark of `pandas_agreement.interpret`, its default for the coefficient ("usual"), or None.
        sort : bool
            Draw the highest estimate on top.
        {OPTIONS}

        Examples
        --------
        >>> ax = df.agree.plot.forest("ann", "bob", style={"color": "C3"})
        >>> [text.get_text() for text in ax.get_yticklabels()]
        ['observed agreement', 'kappa', 'pi', 'alpha', 'AC1', 'S']
        """
        if metrics is None and (pairs or self._has_groups(options)):
            metrics = "kappa" if pairs else "alpha"
        result = self._result("by_pair" if pairs else "forest", coders, options, metrics=metrics)
        return _plotting().forest(result, bands=bands, sort=sort, **look)

    @_kind("Axes.plot")
    def trend(
        self,
        *coders: Hashable,
        metrics: str | Sequence[str] | None = None,
        threshold: float | None = None,
        bands: str | None = None,
        options: Given,
        look: Given,
    ) -> Axes:
        """A coefficient by batch or over time, with its intervals as a band.

        Parameters
        ----------
        {WHO}
        metrics : str or list of str, optional
            The coefficients, with one line for each. Default: that of the report, which is alpha or, for scores, an
            intraclass correlation.
        threshold : float, optional
            Draw a horizontal line at this value, such as 0.8.
        bands : str, optional
            A benchmark of `pandas_agreement.interpret`.
        {OPTIONS}

        Examples
        --------
        >>> example = pandas_agreement.load_example()
        >>> ax = example.agree.plot.trend("ann", "bob", by="batch", threshold=0.8)
        >>> ax.lines[0].get_ydata().round(2).tolist()
        [0.33, 0.48, 0.38, 0.86, 0.77, 0.83]
        """
        if not self._has_groups(options):
            raise InputError("by= is missing: name the column of the batches, or of dates or Periods", option="by")
        result = self._result("trend", coders, options, metrics=metrics or self._main(coders, options))
        return _plotting().trend(result, threshold=threshold, bands=bands, **look)

    @_kind("Axes.errorbar")
    def by_category(
        self,
        *coders: Hashable,
        metrics: str | Sequence[str] = "rate",
        sort: bool = True,
        options: Given,
        look: Given,
    ) -> Axes:
        """Agreement on each category with intervals and the number of labels.

        Parameters
        ----------
        {WHO}
        metrics : str or list of str
            As for `by_category`. Several metrics are drawn beside each other, and so are groups.
        sort : bool
            Draw the highest estimate on top.
        {OPTIONS}

        Examples
        --------
        >>> ax = df.agree.plot.by_category("ann", "bob")
        >>> [text.get_text() for text in ax.get_yticklabels()]
        ['y', 'n']
        """
        return _plotting().by_category(self._result("by_category", coders, options, metrics=metrics), sort=sort, **look)

    @_kind("Axes.errorbar")
    def by_coder(self, *coders: Hashable, sort: bool = True, options: Given, look: Given) -> Axes:
        """Agreement of each coder with the others, and kappa with their majority.

        Parameters
        ----------
        {WHO}
        sort : bool
            Draw the highest agreement on top.
        {OPTIONS}

        Examples
        --------
        >>> ax = df.agree.plot.by_coder()
        >>> [text.get_text() for text in ax.get_yticklabels()]
        ['cleo', 'ann', 'bob']
        """
        return _plotting().by_coder(self._result("by_coder", coders, options), sort=sort, **look)

    @_kind("Axes.imshow", '{"vmin": 0.4}', without=(*GROUPS, *INTERVAL))
    def by_pair(
        self,
        *coders: Hashable,
        metrics: str | Sequence[str] = "kappa",
        order: str = "cluster",
        max_coders: int = 16,
        options: Given,
        look: Given,
    ) -> Axes:
        """A coefficient of every pair of coders as a heat map; undefined pairs are hatched.

        Parameters
        ----------
        {WHO}
        metrics : str
            The coefficient.
        order : {'cluster', 'given'}
            The order of the coders: similar coders side by side (average linkage), or that of the data.
        max_coders : int
            The largest number of coders to show. If there are more, those with the highest and the lowest mean are
            shown.
        {OPTIONS}

        Examples
        --------
        >>> ax = df.agree.plot.by_pair(metrics="alpha")
        >>> ax.get_title(loc="left")
        'Alpha of every pair of coders'
        """
        result = self._result("by_pair", coders, options, metrics=_one("by_pair", metrics), ci=None)
        return _plotting().by_pair(result, order=order, max_coders=max_coders, **look)

    @_kind("Axes.bar")
    def by_item(self, *coders: Hashable, metrics: str | Sequence[str] = "alpha", options: Given, look: Given) -> Axes:
        """The distribution of agreement over items.

        Parameters
        ----------
        {WHO}
        metrics : str
            The coefficient whose weights the agreement of an item uses.
        {OPTIONS}

        Examples
        --------
        >>> ax = df.agree.plot.by_item()
        >>> [int(bar.get_height()) for bar in ax.patches]
        [3, 7]
        """
        result = self._result("by_item", coders, options, metrics=_one("by_item", metrics))
        return _plotting().by_item(result, **look)

    @_kind("Axes.imshow", '{"cmap": "Greys"}', without=GROUPS)
    def confusion(self, *coders: Hashable, show: str = "both", options: Given, look: Given) -> Axes:
        """Contingency table of two coders, with counts and shares of the rows.

        Parameters
        ----------
        *coders : hashable
            As for `confusion`: two coders, or one coder compared with all others.
        show : {'both', 'counts', 'rows'}
            Show counts with row shares, counts alone, or row shares alone.
        {OPTIONS}

        Examples
        --------
        >>> ax = df.agree.plot.confusion("ann", "bob", show="counts")
        >>> [text.get_text() for text in ax.texts]
        ['2', '2', '1', '5']
        """
        return _plotting().confusion(self._result("confusion", coders, options), show=show, **look)

    @_kind("Axes.imshow", '{"cmap": "PuOr"}', without=(*GROUPS, *INTERVAL))
    def margins(self, *coders: Hashable, options: Given, look: Given) -> Axes:
        """The categories that each coder chooses more or less often than the others.

        Parameters
        ----------
        {WHO}
        {OPTIONS}

        Examples
        --------
        >>> ax = df.agree.plot.margins("ann", "bob")
        >>> [text.get_text() for text in ax.get_xticklabels()]
        ['n 35%', 'y 65%']
        """
        return _plotting().margins(self._result("margins", coders, options), **look)

    @_kind("Axes.scatter", '{"alpha": 0.5}')
    def bland_altman(self, *coders: Any, options: Given, look: Given) -> Axes:
        """Differences of two coders against their means, with bias and limits of agreement.

        Parameters
        ----------
        *coders : hashable
            The coders. For more than two coders, or for groups, the limits of each pair are drawn as one row.
        {OPTIONS}

        Examples
        --------
        >>> scores = pd.DataFrame({"ann": [1.0, 2.1, 3.3, 4.0, 5.2], "bob": [1.2, 1.9, 3.0, 4.4, 5.0]})
        >>> ax = scores.agree.plot.bland_altman("ann", "bob")
        >>> ax.get_ylabel()
        'ann minus bob'
        """
        result = self._result("bland_altman", coders, options)
        if len(result) != 1:
            return _plotting().bland_altman(result, **look)
        method = BEHIND["bland_altman"]
        shared = {name: value for name, value in options.items() if name in COMMON}
        checked = make_options(shared, method)
        views, names = with_replicates(self._agree, coders, checked)
        pairs = breakdown.coder_scores.counted_scores(views[0]._read(names, checked), method, "pairable").pairs()
        points = pd.DataFrame({"mean": (pairs.x + pairs.y) / 2, "difference": pairs.x - pairs.y})
        return _plotting().bland_altman(result, points=points, **look)

    def _main(self, coders: Sequence[Hashable], options: Given) -> str:
        """The coefficient that the report shows first; where a level is given, that is alpha."""
        if self._agree._anonymous or options.keys() & {*ONE_WORD, "sep", "categories"}:
            return "alpha"
        checked = make_options({name: value for name, value in options.items() if name in COMMON}, "trend")
        scores = self._agree._read(one_by_one(coders), checked, scores=True).ratings
        return main_of_scores(scores) if isinstance(scores, Scores) and has_fractions(scores) else "alpha"

    def _result(self, kind: str, coders: Sequence[Hashable], options: Given, **more: Any) -> pd.DataFrame:
        """What the method behind a kind returns."""
        detail = {} if kind == "confusion" else {"detail": True}
        result: pd.DataFrame = getattr(self._agree, BEHIND[kind])(*coders, **more, **detail, **options)
        return result

    def _has_groups(self, options: Given) -> bool:
        return self._agree._is_grouped or options.get("by") is not None


KINDS = list(BEHIND)


class PlotMethods:
    """The attribute `plot`."""

    __slots__ = ()

    @property
    def plot(self) -> Plots:
        """Plots: `df.agree.plot.<kind>(...)`, with the coders and options of the method behind each.

        Kinds: `forest`, `trend`, `by_category`, `by_coder`, `by_pair`, `by_item`, `confusion`, `margins`,
        `bland_altman`. They take `ax`, `figsize`, `title` and `style`, a dict of keywords for matplotlib, and return
        matplotlib's Axes. Long names are shortened; `get_label()` of the text has the full name.

        Examples
        --------
        >>> import pandas as pd, pandas_agreement
        >>> df = pd.DataFrame({"ann": list("yyyyyynnnn"), "bob": list("yyyyynyynn")})
        >>> ax = df.agree.plot.forest("ann", "bob", metrics=["kappa", "alpha"], ci=0.9, style={"color": "C3"})
        >>> ax.get_title(loc="left")
        'Coefficients, 10 items'
        """
        return Plots(self)
