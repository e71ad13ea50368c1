"""`plot`: one function for every result, recognized by its columns and the levels of its index."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, NamedTuple

import pandas as pd

from pandas_agreement.coefficients.registry import REGISTRY
from pandas_agreement.errors import InputError, called, public
from pandas_agreement.plotting.distributions import bland_altman, by_item
from pandas_agreement.plotting.forest_plots import (
    by_category,
    by_coder,
    differences,
    forest,
    judge_and_humans,
    position_bias,
    skill,
    strengths,
    versus_humans,
)
from pandas_agreement.plotting.heat_maps import by_pair, confusion, confusions, margins
from pandas_agreement.plotting.style import Look, Size
from pandas_agreement.results import schemas
from pandas_agreement.results.tidy import noted, with_coefficient

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Draw = Callable[..., "Axes"]


def _pairs(result: pd.DataFrame, **options: Any) -> Axes:
    """A heat map of one coefficient without groups, else one row per pair."""
    result = with_coefficient(result)
    keys = [name for name in result.index.names if name not in ("coder_1", "coder_2", "coefficient")]
    found = result.index.get_level_values("coefficient").unique()
    return by_pair(result, **options) if len(found) == 1 and not keys else forest(result, **options)


class Kind(NamedTuple):
    """How a result is recognized, and which function draws it."""

    methods: tuple[str, ...]  # that return it
    levels: tuple[str, ...]  # of the index, besides group keys
    columns: schemas.Schema
    draw: Draw

    def fits(self, result: pd.DataFrame) -> bool:
        """Whether the result has the levels, and the columns in their order."""
        found = [name for name in result.columns if name in self.columns.shown]
        return set(self.levels) <= set(result.index.names) and found == [*self.columns.shown]

    def is_named(self, result: pd.DataFrame) -> bool:
        """Whether the result says that one of the methods returned it, and has the levels of the index."""
        return noted(result, "result") in self.methods and set(self.levels) <= set(result.index.names)


#: the first kind whose levels and columns are in the result is taken
KINDS = (
    Kind(("by_category",), ("category",), schemas.CATEGORY, by_category),
    Kind(("by_pair",), ("coder_1", "coder_2"), schemas.RESULT, _pairs),
    Kind(("summary", "pooled", "icc", "retest", "within", "across", *REGISTRY), (), schemas.RESULT, forest),
    Kind(("compare",), ("first", "second"), schemas.CONTRASTS, differences),
    Kind(("strengths",), ("candidate_1", "candidate_2"), schemas.CONTRASTS, differences),
    Kind(("versus_humans",), ("judge_1", "judge_2"), schemas.CONTRASTS, differences),
    Kind(("versus_humans",), ("judge", "coder"), schemas.VERSUS_HUMAN, judge_and_humans),
    Kind(("versus_humans",), ("judge",), schemas.VERSUS, versus_humans),
    Kind(("ceilings",), ("judge", "coder"), schemas.CEILINGS, versus_humans),
    Kind(("position_bias",), ("coefficient",), schemas.POSITION_BIAS, position_bias),
    Kind(("strengths",), ("candidate",), schemas.STRENGTHS, strengths),
    Kind(("margins",), ("coder", "category"), schemas.MARGINS, margins),
    Kind(("by_coder",), ("coder",), schemas.CODERS, by_coder),
    Kind(("truth.by_coder",), ("coder",), schemas.TRUTH_CODERS, skill),
    Kind(("truth.confusions",), ("coder", "true", "given"), schemas.TRUTH_CONFUSIONS, confusions),
    Kind(("by_item",), (), schemas.ITEMS, by_item),
    Kind(("bland_altman",), ("coder_1", "coder_2"), schemas.LIMITS, bland_altman),
)
DRAWN = "coefficients, by_category, by_coder, by_pair, by_item, confusion, margins, bland_altman, compare, and some "
DRAWN += "tables of judges, truth and preferences"


@public
def plot(
    result: pd.DataFrame,
    *,
    bands: str | None = "usual",
    sort: bool | None = None,
    show: str | None = None,
    order: str | None = None,
    max_coders: int | None = None,
    ax: Axes | None = None,
    figsize: Size = None,
    title: str | None = None,
    style: Look | None = None,
) -> Axes:
    """The plot that suits a result.

    Coefficients are drawn as a forest plot; pairs (without groups), confusion tables and label distributions as a heat
    map; categories, coders, differences, candidates, judges and limits of agreement as one row each; and items as a bar
    chart.

    Parameters
    ----------
    result : DataFrame
        What a method of `df.agree` returned, unchanged or with some of its rows.
    bands : str or None
        For coefficients the benchmark of `pandas_agreement.interpret` whose bands are drawn, its default for the
        coefficient ("usual"), or None.
    sort : bool, optional
        If there is one row per estimate, draw the highest on top. Default: that of the method of `df.agree.plot`.
    show : str, optional
        For a confusion table 'both', 'counts' or 'rows'; for the coders of `truth` 'skill' or 'accuracy'.
    order : {'cluster', 'given'}, optional
        For pairs: similar coders side by side (default), or the order of the result.
    max_coders : int, optional
        For pairs the largest number of coders to show (default 16). If there are more, those with the highest and the
        lowest mean are shown.
    ax, figsize, title : optional
        Axes to draw on (default: new ones), size of the figure in inches, and title (default: a generated one).
    style : dict, optional
        Keywords for matplotlib, such as ``style={"color": "C3"}``.

    Returns
    -------
    Axes

    Examples
    --------
    >>> example = pandas_agreement.load_example()
    >>> ax = pandas_agreement.plot(example.agree.kappa("ann", "bob", by="batch"))
    >>> ax.get_title(loc="left")
    'Kappa by batch'
    """
    options: Look = {"sort": sort, "show": show, "order": order, "max_coders": max_coders}
    options |= {"ax": ax, "figsize": figsize, "title": title, "style": style}
    options = {name: value for name, value in options.items() if value is not None}
    options |= {"bands": bands} if bands != "usual" else {}
    return _function_for(result)(result, **options)


def _function_for(result: Any) -> Draw:
    """The function that draws a result; raises for what cannot be plotted."""
    if not isinstance(result, pd.DataFrame):
        problem = f"plot draws a DataFrame that a method of df.agree returned, not {called(result)}"
        raise InputError(problem, code="no result")
    fitting = next((kind.draw for kind in KINDS if kind.fits(result)), None)
    if fitting is not None or _is_confusion(result):
        return fitting or confusion
    named = next((kind.draw for kind in KINDS if kind.is_named(result)), None)
    if named is not None:
        return _with_all_columns(named)
    method = noted(result, "result")
    if method is not None and not any(method in one.methods for one in KINDS):
        raise InputError(f"Results of {method} cannot be plotted", f"these can: {DRAWN}", code="no plot")
    names: list[Hashable] = list(result.index.names)
    index = "unnamed" if names == [None] else ", ".join(map(repr, names))
    columns = ", ".join(map(repr, result.columns[:4]))
    raise InputError(
        f"this frame is not a result of df.agree: its index is {index} and its columns begin with {columns}",
        "plot what df.agree returned, with all its columns",
        code="no result",
    )


def _with_all_columns(draw: Draw) -> Draw:
    """The function with an error of ours for a result that has lost a column that it needs."""

    def drawn(result: pd.DataFrame, **options: Any) -> Axes:
        try:
            return draw(result, **options)
        except KeyError as error:
            problem = f"the result has no column {error.args[0]!r}, which its plot needs"
            raise InputError(problem, "plot what df.agree returned, with all its columns", code="no result") from error

    return drawn


def _is_confusion(result: pd.DataFrame) -> bool:
    """Integer counts with the same labels in rows and columns."""
    inner = result.index.get_level_values(-1)
    square = len(result.columns) > 0 and inner.unique().equals(result.columns.rename(inner.name))
    return square and all(pd.api.types.is_integer_dtype(dtype) for dtype in result.dtypes)
