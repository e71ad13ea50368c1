"""Plots of judges against people: differences with the margin, and judge and humans beside each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from pandas_agreement.formatting import signed, typeset
from pandas_agreement.plotting import style
from pandas_agreement.plotting.intervals import Texts, draw_forest, draw_series, label_rows, level_of, rows_of
from pandas_agreement.plotting.style import Canvas
from pandas_agreement.results.tidy import fact

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PARTS = ("difference", "difference_low", "difference_high")


@style.picture("Axes.errorbar")
def versus_humans(result: pd.DataFrame, canvas: Canvas) -> Axes:
    """Judges compared with people, with intervals and a line at the margin.

    A judge whose whole interval is to the right of the dashed line is shown to be less than the margin below the
    humans, one-sided at 2.5% for a 95% interval. The line is drawn if the result has details.
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


@style.picture("Axes.errorbar")
def judge_and_humans(result: pd.DataFrame, canvas: Canvas) -> Axes:
    """Agreement of the judge with each human, and of that human with the other humans."""
    names = label_rows(result.index)
    side = [typeset(signed(value, 2)) for value in result["difference"]]
    shown = {"judge with this human": "estimate", "this human with the others": "ceiling"}
    series = {what: rows_of(result, names, (column, "", "")).assign(side=side) for what, column in shown.items()}
    metric = fact(result, "coefficient")
    below = style.coefficient(metric) if metric else "share of the vote"
    return draw_series(series, canvas, Texts("The judge against each human", below, "difference"))
