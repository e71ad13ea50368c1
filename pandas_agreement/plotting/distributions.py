"""Plots of distributions: agreement of items, differences of two coders."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from pandas_agreement.formatting import count, number, typeset
from pandas_agreement.plotting import style
from pandas_agreement.plotting.intervals import Texts, draw_forest, label_rows, rows_of
from pandas_agreement.plotting.style import Array, Canvas, Look

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MAX_BARS = 12  # different values with one bar each; more become a histogram


@style.picture("Axes.bar")
def by_item(result: pd.DataFrame, canvas: Canvas) -> Axes:
    """Distribution of the agreement of items: one bar per value, or a histogram.

    If there are many values it is a histogram. The agreement of items with one label is undefined; their number is
    below the axis.
    """
    agreement = result["agreement"].to_numpy()
    known = agreement[~np.isnan(agreement)]
    ax = canvas.axes((4.8, 3.2))
    value, counts, width = _bars(known)
    look: Look = {"color": style.BLUE, "edgecolor": style.paper(ax), "width": width} | canvas.style
    bars = ax.bar(value, counts.astype(float), **look)
    ax.bar_label(bars, [f"{n:,}" if n else "" for n in counts], padding=2, **style.quiet(ax))
    ax.set_xlim(min([0.0, *known]) - 0.06, 1.06)
    mean = f", mean {typeset(number(known.mean(), 2))}" if len(known) else ""
    style.finish(ax, canvas.title or f"Agreement within {count(len(known), 'item')}{mean}", "y")
    ax.set_ylabel("items")
    single = int(np.isnan(agreement).sum())
    more = f"\nundefined: {single:,} items with one label or none" if single else ""
    ax.set_xlabel(f"{_meaning(result)}{more}", fontsize=style.SMALL)
    return ax


def _meaning(result: pd.DataFrame) -> str:
    """What is on the axis: a share of pairs, or a mean with partial credit if some item has a fraction of a pair."""
    if "n_labels" not in result:
        return "agreement of an item's pairs of labels"
    agreeing = (result["agreement"] * result["n_labels"] * (result["n_labels"] - 1) / 2).dropna().to_numpy()
    if np.allclose(agreeing, agreeing.round(), atol=1e-6):
        return "share of an item's pairs of labels that agree"
    return "mean agreement of an item's pairs of labels, with partial credit"


def _bars(values: Array) -> tuple[Array, Array, float]:
    """Centres, counts and width of the bars."""
    unique, count = np.unique(values.round(9), return_counts=True)
    if len(unique) <= MAX_BARS:
        gap = float(np.diff(unique).min()) if len(unique) > 1 else 1.0
        return unique, count, float(np.clip(0.9 * gap, 0.015, 0.08))
    count, edges = np.histogram(values, bins=20, range=(min(0.0, float(values.min())), 1.0))
    return (edges[1:] + edges[:-1]) / 2, count, float(edges[1] - edges[0])


@style.picture("Axes.scatter")
def bland_altman(result: pd.DataFrame, canvas: Canvas, *, points: pd.DataFrame | None = None) -> Axes:
    """Differences of two coders against their means, with the bias and the limits of agreement.

    For a single pair `points` has the columns `mean` and `difference`, with one row per item. Several pairs, or one
    pair without `points`, are drawn as one row each: a dot for the bias, and a line from the lower to the upper limit.
    """
    if points is None or len(result) != 1:
        rows = rows_of(result, label_rows(result.index, between=" minus "), ("bias", "lower", "upper"))
        texts = Texts("Bias and limits of agreement", "difference of the scores", "bias  [limits]")
        return draw_forest(rows, canvas, texts, anchors=(0.0, 0.0))
    row = result.iloc[0]
    one, two = (style.shorten(result.index.get_level_values(level)[0]) for level in ("coder_1", "coder_2"))
    ax = canvas.axes((5.2, 3.6))
    pairs = points[["mean", "difference"]].to_numpy(dtype=np.float64).round(12)
    distinct, times = np.unique(pairs, axis=0, return_counts=True)
    look: Look = {"s": np.clip(24 * times, 24, 400), "color": style.BLUE, "linewidths": 0}
    look |= {"alpha": 0.9 if len(distinct) < 200 else 0.5 if len(distinct) < 2000 else 0.2}
    ax.scatter(distinct[:, 0], distinct[:, 1], **(look | canvas.style))
    for name, text, line in (("bias", "bias", "-"), ("lower", "lower limit", "--"), ("upper", "upper limit", "--")):
        _limit_line(ax, row, name, text, line)
    ax.margins(y=0.1)
    style.finish(ax, canvas.title or f"Differences of {one} and {two}, {int(row['n_items']):,} items", "y")
    undefined = "\nundefined: limits need two or more items rated by both"
    ax.set_xlabel(f"mean of both{'' if row[['lower', 'upper']].notna().all() else undefined}", fontsize=style.SMALL)
    ax.set_ylabel(f"{one} minus {two}")
    return ax


def _limit_line(ax: Axes, row: pd.Series, name: str, text: str, line: str) -> None:
    value = float(row[name])
    if np.isnan(value):
        return
    colour = style.ink(ax) if name == "bias" else style.ORANGE
    ax.axhline(value, color=colour, linewidth=1.2, linestyle=line)
    if f"{name}_low" in row:  # those of the limits are details
        ax.axhspan(row[f"{name}_low"], row[f"{name}_high"], color=colour, alpha=0.08, linewidth=0)
    place: Look = {"xytext": (4, 0), "va": "center", "xycoords": ax.get_yaxis_transform()}
    look: Look = {"textcoords": "offset points", "fontsize": style.SMALL, "color": colour}
    ax.annotate(f"{text} {typeset(number(value, 2))}", (1, value), **place, **look)
