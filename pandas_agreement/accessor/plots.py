"""`df.agree.plot`: computes a result with the methods of `df.agree`; `plotting` draws it."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Hashable, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import pandas as pd

from pandas_agreement.accessor import docs
from pandas_agreement.breakdown.scores import counted_scores
from pandas_agreement.errors import InputError, UnknownMethodError, nearest, public
from pandas_agreement.options import OPTIONS, make_options

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Method = TypeVar("Method", bound=Callable[..., Any])

DRAWING = {
    "ax": "Axes to draw on; default new ones in a new figure. Several in a figure need ``layout='constrained'``, which "
    "reserves space for names and for numbers at the side; they are left out without it.",
    "figsize": "Width and height of the figure in inches; default a size that grows with the number of rows.",
    "title": "A title in place of the default.",
}
BEHIND: dict[str, str] = {}  # the method that computes what a kind draws
METRICS = {"metric", "metrics"}  # pictures have one or the other, independent of the method behind them
RESAMPLING = ("n_resamples", "rng", "progress", "clusters")  # options that the estimate beside replicates does not need


def _picture(method: str, artist: str) -> Callable[[Method], Method]:
    """Add the keywords of all pictures to signature and docstring, and name the method and artist for the others."""

    def completed(function: Method) -> Method:
        BEHIND[function.__name__] = method
        named = inspect.signature(function)
        *own, rest = named.parameters.values()
        common = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None) for name in DRAWING]
        function.__signature__ = named.replace(parameters=[*own, *common, rest])  # type: ignore[attr-defined]
        lines = [f"{name} : optional\n    {text}" for name, text in DRAWING.items()]
        lines.append(f"**keywords\n    The options of `{method}` go there; any other keyword goes to `{artist}`.")
        lines.append("\nReturns\n-------\nmatplotlib Axes")
        function.__doc__ = inspect.cleandoc(function.__doc__ or "").replace("{KEYWORDS}", "\n".join(lines))
        return public(function)

    return completed


def _plotting() -> ModuleType:
    """The plotting package, imported on first use."""
    from pandas_agreement import plotting

    return plotting


@docs.completed
class Plots:
    """Pictures: `df.agree.plot.<kind>(...)` draws on Axes and returns them."""

    __slots__ = ("_agree",)

    def __init__(self, agree: Any) -> None:
        self._agree = agree

    def __repr__(self) -> str:
        return f"Pictures of agreement. Kinds: {', '.join(KINDS)}."

    if not TYPE_CHECKING:  # or type checkers would accept any name

        def __getattr__(self, name: str) -> NoReturn:
            raise UnknownMethodError(f"df.agree.plot has no kind {name!r}", nearest(name, KINDS), code="unknown kind")

    @_picture("confusion", "Axes.imshow")
    def confusion(self, *coders: Hashable, show: str = "both", **keywords: Any) -> Axes:
        """Counts of the first coder's label by the second's, and their share of the first coder's labels.

        Parameters
        ----------
        *coders : hashable
            As for `confusion`: two, or one against all others.
        show : {'both', 'counts', 'rows'}
            Counts with row shares, counts alone, or row shares alone.
        {KEYWORDS}

        Examples
        --------
        >>> ax = df.agree.plot.confusion("ann", "bob", show="counts")
        >>> [text.get_text() for text in ax.texts]
        ['2', '2', '1', '5']
        """
        chosen, look = self._split("confusion", keywords)
        return _plotting().confusion(self._agree.confusion(*coders, **chosen), show=show, **look)

    @_picture("pairwise", "Axes.imshow")
    def pairwise(
        self,
        *coders: Hashable,
        metric: str = "kappa",
        order: str = "cluster",
        max_coders: int = 16,
        **keywords: Any,
    ) -> Axes:
        """A coefficient of every pair of coders, ordered by similarity; pairs without a value are hatched.

        Parameters
        ----------
        {WHO}
        metric : str
            Any coefficient.
        order : {'cluster', 'given'}
            Coders by average linkage, or in the order of the data.
        max_coders : int
            Of more coders, those with the highest and those with the lowest mean are shown.
        {KEYWORDS}

        Examples
        --------
        >>> ax = df.agree.plot.pairwise(metric="alpha")
        >>> ax.get_title(loc="left")
        'alpha of every pair of coders'
        """
        chosen, look = self._split("pairwise", keywords)
        result = self._agree.pairwise(*coders, metric=metric, **chosen)
        return _plotting().pairwise(result, order=order, max_coders=max_coders, **look)

    @_picture("summary", "Axes.errorbar")
    def forest(
        self,
        *coders: Hashable,
        metric: str | Sequence[str] | None = None,
        pairs: bool = False,
        bands: str | None = "usual",
        sort: bool = False,
        **keywords: Any,
    ) -> Axes:
        """Estimates with intervals on the bands of a benchmark scale: coefficients, groups or pairs.

        Parameters
        ----------
        {WHO}
        metric : str or list of str, optional
            The coefficients. Default: those of `summary`; with groups or pairs kappa (alpha for counts).
        pairs : bool
            One row per pair of coders.
        bands : str or None
            A benchmark of `pandas_agreement.interpret`, the one made for the coefficients ("usual"), or None for none.
        sort : bool
            Highest estimate on top.
        {KEYWORDS}

        Examples
        --------
        >>> ax = df.agree.plot.forest("ann", "bob", color="C3")
        >>> [text.get_text() for text in ax.get_yticklabels()]
        ['observed', 'kappa', 'pi', 'alpha', 'ac1', 's']
        """
        chosen, look = self._split("forest", keywords)
        if metric is None and (pairs or self._has_groups(chosen.get("by"))):
            metric = self._one_metric()
        if pairs:
            names = [metric] if isinstance(metric, str) else list(metric or ())
            result = pd.concat([self._agree.pairwise(*coders, metric=name, **chosen) for name in names])
        else:
            result = self._agree.summary(*coders, metrics=metric, **chosen)
        return _plotting().forest(result, bands=bands, sort=sort, **look)

    @_picture("by_category", "Axes.errorbar")
    def by_category(
        self, *coders: Hashable, metrics: Sequence[str] = ("rate",), sort: bool = True, **keywords: Any
    ) -> Axes:
        """Agreement on each category with intervals, the best on top, and the number of labels.

        Parameters
        ----------
        {WHO}
        metrics : list of str
            As for `by_category`; several are drawn beside each other, and so are groups.
        sort : bool
            Highest estimate on top.
        {KEYWORDS}

        Examples
        --------
        >>> ax = df.agree.plot.by_category("ann", "bob")
        >>> [text.get_text() for text in ax.get_yticklabels()]
        ['y', 'n']
        """
        chosen, look = self._split("by_category", keywords)
        return _plotting().by_category(self._agree.by_category(*coders, metrics=metrics, **chosen), sort=sort, **look)

    @_picture("margins", "Axes.scatter")
    def bias(self, *coders: Hashable, **keywords: Any) -> Axes:
        """Categories that a coder chooses more (triangle up) or less often (down) than the mean, in percentage points.

        Parameters
        ----------
        {WHO}
        {KEYWORDS}

        Examples
        --------
        >>> ax = df.agree.plot.bias("ann", "bob")
        >>> [text.get_text() for text in ax.get_xticklabels()]
        ['n 35%', 'y 65%']
        """
        chosen, look = self._split("bias", keywords)
        return _plotting().bias(self._agree.margins(*coders, **chosen), **look)

    @_picture("coders", "Axes.errorbar")
    def coders(self, *coders: Hashable, sort: bool = True, **keywords: Any) -> Axes:
        """Each coder's agreement with the others, and kappa against the majority of the others.

        Parameters
        ----------
        {WHO}
        sort : bool
            Highest agreement on top.
        {KEYWORDS}

        Examples
        --------
        >>> ax = df.agree.plot.coders()
        >>> [text.get_text() for text in ax.get_yticklabels()]
        ['cleo', 'ann', 'bob']
        """
        chosen, look = self._split("coders", keywords)
        return _plotting().coders(self._agree.coders(*coders, **chosen), sort=sort, **look)

    @_picture("summary", "Axes.plot")
    def over(
        self,
        *coders: Hashable,
        metric: str | Sequence[str] | None = None,
        threshold: float | None = None,
        bands: str | None = None,
        **keywords: Any,
    ) -> Axes:
        """A coefficient by batch or over time (`by` a date, Period or Grouper), with its intervals as a band.

        Parameters
        ----------
        {WHO}
        metric : str or list of str, optional
            One line each. Default: kappa (alpha for counts).
        threshold : float, optional
            A horizontal line at the target, such as 0.8.
        bands : str, optional
            A benchmark of `pandas_agreement.interpret`.
        {KEYWORDS}

        Examples
        --------
        >>> example = pandas_agreement.load_example()
        >>> ax = example.agree.plot.over("ann", "bob", by="batch", threshold=0.8)
        >>> ax.lines[0].get_ydata().round(2).tolist()
        [0.33, 0.47, 0.38, 0.86, 0.77, 0.83]
        """
        chosen, look = self._split("over", keywords)
        if not self._has_groups(chosen.get("by")):
            raise InputError("by= is missing: name the column of the batches, or of dates or Periods")
        result = self._agree.summary(*coders, metrics=metric or self._one_metric(), **chosen)
        return _plotting().over(result, threshold=threshold, bands=bands, **look)

    @_picture("confusion", "matplotlib.patches.Rectangle")
    def agreement_chart(self, *coders: Hashable, steps: int | None = None, **keywords: Any) -> Axes:
        """Bangdiwala's agreement chart of two coders: exact agreement dark, partial agreement lighter.

        Parameters
        ----------
        *coders : hashable
            The two coders.
        steps : int, optional
            The number of steps that count as partial agreement, 0 to 3. Default: 1 for numbers and declared orders,
            else 0.
        {KEYWORDS}

        Examples
        --------
        >>> df.agree.plot.agreement_chart("ann", "bob").get_title(loc="left")
        'Agreement chart, B = 0.54'
        """
        chosen, look = self._split("agreement_chart", keywords)
        table = self._agree.confusion(*coders, **chosen)
        if steps is None and len(table) > 2:
            read = self._agree._read(coders, make_options(chosen, "limits"))
            steps = 1 if read.category_set.ordered else None
        return _plotting().agreement_chart(table, steps=steps, **look)

    @_picture("items", "Axes.bar")
    def items(self, *coders: Hashable, metric: str = "alpha", **keywords: Any) -> Axes:
        """The distribution of agreement over the items.

        Parameters
        ----------
        {WHO}
        metric : str
            As for `items`: the weights of the agreement are those of this coefficient.
        {KEYWORDS}

        Examples
        --------
        >>> ax = df.agree.plot.items()
        >>> [int(bar.get_height()) for bar in ax.patches]
        [3, 7]
        """
        chosen, look = self._split("items", keywords)
        return _plotting().items(self._agree.items(*coders, metric=metric, **chosen), **look)

    @_picture("limits", "Axes.scatter")
    def bland_altman(self, *coders: Hashable, **keywords: Any) -> Axes:
        """Differences of two coders' numbers against their means, with bias and limits of agreement.

        Parameters
        ----------
        *coders : hashable
            The coders; for more than two, or groups, the limits are drawn as one row per pair.
        {KEYWORDS}

        Examples
        --------
        >>> scores = pd.DataFrame({"ann": [1.0, 2.1, 3.3, 4.0, 5.2], "bob": [1.2, 1.9, 3.0, 4.4, 5.0]})
        >>> ax = scores.agree.plot.bland_altman("ann", "bob")
        >>> ax.get_ylabel()
        'ann minus bob'
        """
        chosen, look = self._split("bland_altman", keywords)
        result = self._agree.limits(*coders, **chosen)
        if len(result) != 1:
            return _plotting().bland_altman(result, **look)
        read = self._agree._read(coders, make_options(chosen, "limits"))
        pairs = counted_scores(read, "limits", "pairable").pairs()
        points = pd.DataFrame({"mean": (pairs.x + pairs.y) / 2, "difference": pairs.x - pairs.y})
        return _plotting().bland_altman(result, points, **look)

    @_picture("replicates", "Axes.fill_between")
    def replicates(self, *coders: Hashable, metric: str = "kappa", ci: float | None = 0.95, **keywords: Any) -> Axes:
        """The values of a coefficient in resamples of the items, with its estimate and interval.

        Parameters
        ----------
        {WHO}
        metric : str
            Any coefficient.
        ci : float or None
            Share of the resamples within the interval; None for no interval.
        {KEYWORDS}

        Examples
        --------
        >>> ax = df.agree.plot.replicates("ann", "bob", n_resamples=1000, rng=0)
        >>> ax.get_title(loc="left")
        'kappa in 1,000 resamples'
        """
        chosen, look = self._split("replicates", keywords)
        OPTIONS["ci"].check("ci", ci)  # before the resamples, which are slow
        draws = self._agree.replicates(*coders, metric=metric, **chosen)
        plain = {name: value for name, value in chosen.items() if name not in RESAMPLING}
        result = self._agree.summary(*coders, metrics=[metric], ci=None, **plain)
        return _plotting().replicates(draws, result, ci=ci, **look)

    def _split(self, kind: str, keywords: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Keywords of the method, and those of the picture; raises without matplotlib before anything is computed."""
        _plotting().style.check_axes(keywords.get("ax"))
        behind = inspect.signature(getattr(type(self._agree), BEHIND[kind])).parameters.values()
        options = {*OPTIONS, *(one.name for one in behind if one.kind is one.KEYWORD_ONLY)} - METRICS
        similar = options | METRICS & set(inspect.signature(getattr(type(self), kind)).parameters)
        for name in keywords:
            match = difflib.get_close_matches(name, sorted(similar), n=1, cutoff=0.8)
            if name not in options and match:
                problem = f"df.agree.plot.{kind} has no option {name!r}"
                raise InputError(problem, f"did you mean {match[0]!r}?", option=name, code="unknown option")
        chosen = {name: value for name, value in keywords.items() if name in options}
        return chosen, {name: value for name, value in keywords.items() if name not in options}

    def _has_groups(self, by: Any) -> bool:
        return self._agree._is_grouped or by is not None

    def _one_metric(self) -> str:
        return "kappa" if "kappa" in [record.name for record in self._agree._records(None, "nominal")] else "alpha"


KINDS = sorted(name for name in vars(Plots) if not name.startswith("_"))


class PlotMethods:
    """The attribute `plot`."""

    __slots__ = ()

    @property
    def plot(self) -> Plots:
        """Pictures: `df.agree.plot.<kind>(...)`, with the coders and options of the method behind each.

        Kinds: `confusion`, `pairwise`, `forest`, `by_category`, `bias`, `coders`, `over`, `agreement_chart`, `items`,
        `bland_altman`, `replicates`. They take `ax`, `figsize` and `title`, and return matplotlib's Axes. Options of
        the method behind the picture are passed to it, other keywords to matplotlib. Long names are shortened;
        `get_label()` of the text has the full name.

        Examples
        --------
        >>> import pandas as pd, pandas_agreement
        >>> df = pd.DataFrame({"ann": list("yyyyyynnnn"), "bob": list("yyyyynyynn")})
        >>> ax = df.agree.plot.forest("ann", "bob", metric=["kappa", "alpha"], ci=0.9, color="C3")
        >>> ax.get_title(loc="left")
        'Coefficients, 10 items'
        """
        return Plots(self)
