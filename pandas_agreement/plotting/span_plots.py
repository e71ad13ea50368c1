"""The plot of one document: what each coder marked, one lane below the other."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from pandas_agreement.plotting import style
from pandas_agreement.plotting.style import Array, Canvas, Look

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HATCHES = ("", "////", "....", "xxxx")
ROW, LINE = 0.27, 0.2  # inches of a row of spans, and of a line of the legend
HEIGHT = 0.78  # of a span, of its row
MAX_LABELS = 18  # of a legend
APART = 5  # pixels of a span that shows its edges


@style.picture("Axes.barh")
def document(result: pd.DataFrame, canvas: Canvas) -> Axes:
    """The spans of one document, with a lane for each coder.

    Spans of one coder that overlap lie below each other in the lane. Each label has a colour, and from the eighth label
    on a pattern, which are the same in all documents. The result has one row per span, with `coder`, `start`, `end`,
    `label` and the `length` of the document. A coder who marked nothing has a row without start and end. Labels of a
    Categorical keep their colours.
    """
    coders = result["coder"].unique().tolist()
    row, first, n_rows = _rows(result, coders)
    marked = result["start"].notna().to_numpy()
    labels = result["label"].astype("category").cat.categories
    code = labels.get_indexer(pd.Index(result["label"]))
    names, used = style.shorten_all(labels), pd.Series(code[marked]).value_counts(sort=True).index
    shown = [names[number] for number in used[:MAX_LABELS]]
    below = int(np.ceil(len(shown) / style.legend_columns(shown)))
    ax = canvas.axes((style.MAX_WIDTH, 1.0 + LINE * below + ROW * max(n_rows, 2)))
    ax.set_xlim(0, max(float(result["length"].max()), float(result["end"].max() if marked.any() else 0), 1))
    ax.set_ylim(n_rows - 0.5, -0.5)
    for lane in range(0, len(coders), 2):
        ax.axhspan(first[lane] - 0.5, first[lane + 1] - 0.5, color=style.SHADE, linewidth=0)
    middle = [(top + bottom - 1) / 2 for top, bottom in pairwise(first)]
    style.name_ticks(ax, "y", middle, coders)
    for place, number in enumerate(used):
        label = {"label": names[number] if place < MAX_LABELS else "_nolegend_"}
        _draw(ax, result, row, marked & (code == number), _look(number) | label | canvas.style)
    for centre, coder in zip(middle, coders, strict=True):
        if not marked[result["coder"] == coder].any():
            at: Look = {"xytext": (4, 0), "textcoords": "offset points", "va": "center"}
            ax.annotate("marked nothing", (0, centre), **at, **style.quiet(ax))
    style.finish(ax, canvas.title or "Spans of one document", "x")
    ax.tick_params(axis="y", length=0)
    unnamed = style.listed(labels[used[MAX_LABELS:]], "also, but rarer")
    ax.set_xlabel(f"position{unnamed}", fontsize=style.SMALL)
    ax.tick_params(axis="x", labelsize=style.SMALL)
    style.settle(ax)
    _name_spans(ax, result[marked], row[marked], code[marked], names)
    return ax


def _rows(result: pd.DataFrame, coders: list[Any]) -> tuple[Array, list[int], int]:
    """The row of each span, so that none covers another; and the first row of each coder, and of nobody at the end."""
    row, first = np.zeros(len(result), int), [0]
    parts = result[["start", "end"]].astype(float).fillna(0)
    for coder in coders:
        ends: list[float] = []
        own = np.flatnonzero(result["coder"] == coder)
        for place in own[np.lexsort((-parts["end"].iloc[own], parts["start"].iloc[own]))]:
            start, end = parts.iloc[place]
            free = next((number for number, until in enumerate(ends) if until <= start), len(ends))
            ends[free : free + 1] = [end]
            row[place] = first[-1] + free
        first.append(first[-1] + max(len(ends), 1))
    return row, first, first[-1]


def _look(number: int) -> Look:
    """Colour and pattern of a label."""
    colour = style.COLOURS[number % len(style.COLOURS)]
    hatch = HATCHES[number // len(style.COLOURS) % len(HATCHES)]
    return {"color": colour, "hatch": hatch, "height": HEIGHT}


def _draw(ax: Axes, result: pd.DataFrame, row: Array, chosen: Array, look: Look) -> None:
    """The spans of one label: with edges of the paper's colour where they are wide enough, or else of their own."""
    start, end = (result.loc[chosen, name].to_numpy(dtype=float) for name in ("start", "end"))
    wide = (end - start) * ax.bbox.width / ax.get_xlim()[1] > APART
    for part, edge, width in ((wide, style.paper(ax), 1.2), (~wide, look.get("color"), 0.8)):
        if part.any():
            shown: Look = {"edgecolor": edge, "linewidth": width, "zorder": 2} | look
            shown |= {"facecolor": shown.pop("color", None)} if "color" in shown else {}
            ax.barh(row[chosen][part], (end - start)[part], left=start[part], **shown)
            look = look | {"label": "_nolegend_"}


def _name_spans(ax: Axes, marked: pd.DataFrame, row: Array, code: Array, names: list[str]) -> None:
    """Write the label into each span that has room for it, and no pattern."""
    size = 0.72 * float(ax.xaxis.label.get_fontsize())
    start, end = (marked[name].to_numpy(dtype=float) for name in ("start", "end"))
    plain = code < len(style.COLOURS)
    for place in np.flatnonzero(plain & ((end - start) * ax.bbox.width / ax.get_xlim()[1] > 2 * APART)):
        if style.fits(ax, [names[code[place]]], (end[place] - start[place], HEIGHT), size):
            ink = style.ink_on(style.COLOURS[code[place]])
            ax.text((start[place] + end[place]) / 2, row[place], names[code[place]], fontsize=size, color=ink,
                    ha="center", va="center", clip_on=True, parse_math=False)  # fmt: skip
