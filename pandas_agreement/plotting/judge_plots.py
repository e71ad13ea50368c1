"""Plots of judges against people: differences with the margin, and judge and humans beside each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from pandas_agreement.plotting import style
from pandas_agreement.plotting.intervals import Texts, draw_forest, label_rows, level_of, rows_of
from pandas_agreement.plotting.style import Canvas, Look
from pandas_agreement.results.facts import fact

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PARTS = ("difference", "difference_low", "difference_high")


@style.picture("Axes.errorbar")
def versus_humans(result: pd.DataFrame, canvas: Canvas) -> Axes:
    """How far judges are from people, with intervals and the line of the margin, a column of details.

    A judge whose whole interval is right of the dashed line is shown to be no more than the margin below the humans,
    one-sided at 2.5 % for a 95 % interval.
    """
    rows = rows_of(result, label_rows(result.index), PARTS)
    metric = fact(result, "coefficient")
    margins: Any = result["margin"].dropna().unique() if "margin" in result else []
    margin = float(margins[0]) if len(margins) == 1 else 0.0
    whom = "human" if "coder" in result.index.names else "humans"
    below = f"agreement of the judge minus that of the {whom}"
    below += f"\ndashed: the margin, {margin:g} below" if margin else ""
    title = f"Judge minus {whom}" + (f", {style.coefficient(metric)}" if metric else "")
    texts = Texts(title, below, f"difference  [{level_of(result)}interval]")
    ax = draw_forest(rows, canvas, texts, anchors=(min(-0.1, -1.3 * margin), 0.1))
    if margin:
        ax.axvline(-margin, color=style.ink(ax), linewidth=1, linestyle=(0, (4, 3)), zorder=1)
    return ax


@style.picture("Axes.plot")
def judge_and_humans(result: pd.DataFrame, canvas: Canvas) -> Axes:
    """The judge's agreement with each human beside that of the human with the other humans."""
    names = label_rows(result.index)
    place = np.arange(len(result))
    ax = canvas.axes((5.0, 1.4 + 0.34 * max(len(result), 2)))
    ours, theirs = result["estimate"].to_numpy(), result["ceiling"].to_numpy()
    ax.hlines(place, ours, theirs, color=style.MUTED, linewidth=1, zorder=1)
    dots: Look = {"linestyle": "", "markersize": 7}
    judge: Look = {"marker": "o", "color": style.COLOURS[0], "label": "judge with this human"}
    others: Look = {"marker": "D", "color": style.COLOURS[1], "label": "this human with the others"}
    ax.plot(ours, place, **(dots | judge | canvas.style))
    ax.plot(theirs, place, **(dots | others))
    style.name_ticks(ax, "y", place, names.full, names.short)
    ax.set_ylim(len(result) - 0.4, -0.6)
    ax.set_xlim(min(0.0, np.nanmin([*ours, *theirs, 0.0]) - 0.02), 1.02)
    style.finish(ax, canvas.title or "The judge against each human", "x")
    metric = fact(result, "coefficient")
    ax.set_xlabel(style.coefficient(metric) if metric else "share of the vote", fontsize=style.SMALL)
    return ax
