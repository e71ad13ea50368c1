"""Pictures of judges against people: differences with the margin, and judge and humans beside each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from pandas_agreement.plotting import style
from pandas_agreement.plotting.intervals import Texts, draw_forest, label_rows, legend_below, level_of, rows_of
from pandas_agreement.plotting.style import Look, Size
from pandas_agreement.results.facts import fact

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PARTS = ("difference", "difference_low", "difference_high")


@style.picture("Axes.errorbar")
def versus_humans(
    result: pd.DataFrame, *, ax: Axes | None = None, figsize: Size = None, title: str | None = None, **kwargs: Any
) -> Axes:
    """How far judges are from people, with intervals and the line of the margin.

    A judge whose whole interval is right of the dashed line is shown to be no more than the margin below the humans,
    one-sided at 2.5 % for a 95 % interval.

    Parameters
    ----------
    result : DataFrame
        What `versus_humans` or `ceilings` of `df.agree.judges(...)` returned, also with
        `by_human=True`. The line needs the column `margin` of `detail=True`.
    {DRAWING}

    Examples
    --------
    >>> from pandas_agreement.plotting import versus_humans
    >>> example = pandas_agreement.load_example()
    >>> ax = versus_humans(example.agree.judges("dev", humans=["ann", "bob", "cleo"]).versus_humans(by="batch"))
    >>> ax.get_title(loc="left")
    'Judge minus humans, kappa'
    """
    rows = rows_of(result, label_rows(result.index), PARTS)
    names = result.index.names
    metric = fact(result, "coefficient")
    margins: Any = result["margin"].dropna().unique() if "margin" in result else []
    margin = float(margins[0]) if len(margins) == 1 else 0.0
    whom = "human" if "coder" in names else "humans"
    below = f"agreement of the judge minus that of the {whom}"
    below += f"\ndashed: the margin, {margin:g} below" if margin else ""
    title = title or f"Judge minus {whom}" + (f", {metric}" if metric else "")
    texts = Texts(title, below, f"difference  [{level_of(result)}interval]")
    ax = draw_forest(rows, ax, figsize, texts, kwargs, anchors=(min(-0.1, -1.3 * margin), 0.1))
    if margin:
        ax.axvline(-margin, color=style.ink(ax), linewidth=1, linestyle=(0, (4, 3)), zorder=1)
    return ax


@style.picture("Axes.plot")
def judge_and_humans(
    result: pd.DataFrame, *, ax: Axes | None = None, figsize: Size = None, title: str | None = None, **kwargs: Any
) -> Axes:
    """The judge's agreement with each human beside that of the human with the other humans.

    Parameters
    ----------
    result : DataFrame
        What `df.agree.judges(...).versus_humans(by_human=True)` or `ceilings()` returned.
    {DRAWING}

    Examples
    --------
    >>> from pandas_agreement.plotting import judge_and_humans
    >>> example = pandas_agreement.load_example()
    >>> judged = example.agree.judges("dev", humans=["ann", "bob", "cleo"])
    >>> ax = judge_and_humans(judged.versus_humans(by_human=True))
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['ann', 'bob', 'cleo']
    """
    names = label_rows(result.index)
    place = np.arange(len(result))
    ax = style.axes_for(ax, figsize, (5.0, 1.4 + 0.34 * max(len(result), 2)))
    ours, theirs = result["estimate"].to_numpy(), result["ceiling"].to_numpy()
    ax.hlines(place, ours, theirs, color=style.MUTED, linewidth=1, zorder=1)
    dots: Look = {"linestyle": "", "markersize": 7}
    judge: Look = dots | {"marker": "o", "color": style.COLOURS[0], "label": "judge with this human"} | kwargs
    others: Look = dots | {"marker": "D", "color": style.COLOURS[1], "label": "this human with the others"}
    ax.plot(ours, place, **judge)
    ax.plot(theirs, place, **others)
    ax.set_yticks(place, names.short)
    ax.set_ylim(len(result) - 0.4, -0.6)
    ax.set_xlim(min(0.0, np.nanmin([*ours, *theirs, 0.0]) - 0.02), 1.02)
    metric = fact(result, "coefficient") or "share of the vote"
    style.finish(ax, title or "The judge against each human", "x")
    ax.set_xlabel(metric, fontsize=style.SMALL)
    legend_below(ax)
    return ax
