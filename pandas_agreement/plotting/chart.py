"""Bangdiwala's agreement chart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from pandas_agreement.coefficients.bangdiwala import b_of_table
from pandas_agreement.errors import wrong_value
from pandas_agreement.formatting import number, typeset
from pandas_agreement.plotting import style
from pandas_agreement.plotting.intervals import legend_below
from pandas_agreement.plotting.style import Array, Look, Size

if TYPE_CHECKING:
    from matplotlib.axes import Axes

EXACT, PARTIAL = "#08306B", ("#4F8FC4", "#9CC4E4", "#CFE3F3")  # dark to light, also in grey

MAX_PATCHES = 100  # rectangles that are single patches


@style.picture("Rectangle", 'edgecolor="black"')
def agreement_chart(
    table: pd.DataFrame,
    *,
    steps: int | None = None,
    ax: Axes | None = None,
    figsize: Size = None,
    title: str | None = None,
    **kwargs: Any,
) -> Axes:
    """Bangdiwala's agreement chart: one rectangle per category, whose sides are the two coders' marginal frequencies.

    The dark rectangle in it is the number of items on which both chose the category; lighter ones add labels that are
    one, two, ... steps away. The dark share of the area is Bangdiwala's B. Rectangles off the
    diagonal show that the coders' marginal distributions differ.

    Parameters
    ----------
    table : DataFrame
        What `df.agree.confusion` returned, of one group.
    steps : int, optional
        Labels that differ by up to so many steps count as partial agreement, 0 to 3. Default: 1 for numbers, else 0:
        the table does not say whether names have an order.
    {DRAWING}

    References
    ----------
    Bangdiwala, S. I. and Shankar, V. (2013). The agreement chart. BMC Medical Research Methodology 13, 97.

    Examples
    --------
    >>> from pandas_agreement.plotting import agreement_chart
    >>> agreement_chart(df.agree.confusion("ann", "bob")).get_title(loc="left")
    'Agreement chart, B = 0.54'
    """
    style.check_one_group(table.index, "agreement_chart")
    steps = _steps(table, steps)
    counts = table.to_numpy(dtype=np.float64)
    side = float(np.clip(style.MAX_WIDTH - style.span(table.index), 3.6, 4.2))
    ax = style.axes_for(ax, figsize, (side + style.span(table.index), side + 0.6 + 0.6 * style.span(table.columns)))
    for step in (None, *range(steps, -1, -1)):
        _draw(ax, counts, step, kwargs)
    total = counts.sum()
    ax.plot([0, total], [0, total], color=style.MUTED, linewidth=0.8, linestyle=":", zorder=3)
    ax.set(xlim=(0, total or 1), ylim=(0, total or 1), aspect="equal")
    style.finish(ax, title or f"Agreement chart, B = {typeset(number(b_of_table(counts), 2))}")
    _name(ax, table, counts)
    if steps:
        legend_below(ax)
        style.settle(ax)  # it takes height from the names
    return ax


def _steps(table: pd.DataFrame, steps: int | None) -> int:
    if steps is None:
        steps = int(pd.api.types.is_numeric_dtype(table.columns.dtype) and len(table) > 2)
    if not (isinstance(steps, int) and 0 <= steps <= len(PARTIAL)):
        raise wrong_value("steps", steps, f"must be a whole number from 0 (exact agreement only) to {len(PARTIAL)}")
    return min(steps, max(len(table) - 1, 0))


def _draw(ax: Axes, counts: Array, step: int | None, kwargs: Look) -> None:
    """Draw the rectangles of labels up to `step` away (None: any distance)."""
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle

    place = np.arange(len(counts))
    distance = place[None, :] - place[:, None]  # of the column from the row
    step_limit = len(counts) if step is None else step
    included = np.where(np.abs(distance) <= step_limit, counts, 0)
    height, width = included.sum(axis=1), included.sum(axis=0)
    rows, columns = counts.sum(axis=1), counts.sum(axis=0)
    before = distance < -step_limit
    y = np.cumsum(rows) - rows + np.where(before, counts, 0).sum(axis=1)
    x = np.cumsum(columns) - columns + np.where(before.T, counts, 0).sum(axis=0)
    look = _look(step, style.luminance(style.paper(ax)) < 0.2) | kwargs
    sides = zip(x, y, width, height, strict=True)
    boxes = [Rectangle((left, bottom), wide, high, **look) for left, bottom, wide, high in sides]
    for box in boxes[1:]:
        box.set_label("")  # one entry in the legend
    for box in boxes if len(boxes) <= MAX_PATCHES else boxes[:1]:
        ax.add_patch(box)
    if len(boxes) > MAX_PATCHES:  # patches take milliseconds each
        ax.add_collection(PatchCollection(boxes[1:], match_original=True), autolim=False)


def _look(step: int | None, dark: bool) -> dict[str, Any]:
    if step is None:
        return {"facecolor": "none", "edgecolor": style.MUTED, "linewidth": 0.8}
    plural = "" if step == 1 else "s"
    text = "same label" if step == 0 else f"up to {step} step{plural} apart"
    return {"facecolor": (style.BLUE if dark else EXACT, *PARTIAL)[step], "edgecolor": "none", "label": text}


def _name(ax: Axes, table: pd.DataFrame, counts: Array) -> None:
    """Name the categories at the centres of their rectangles, the largest first where not all fit."""
    sizes = {"y": counts.sum(axis=1), "x": counts.sum(axis=0)}
    for axis, size, names in (("y", sizes["y"], table.index), ("x", sizes["x"], table.columns)):
        used = size > 0  # a category that the coder never used has no rectangle to name
        style.name_ticks(ax, axis, (np.cumsum(size) - size / 2)[used], list(names[used]))
    ax.tick_params(labelsize=style.SMALL, length=0)
    one, two = ("first coder" if name is None else name for name in (table.index.name, table.columns.name))
    ax.set_ylabel(f"{style.shorten(one)}'s labels")
    ax.set_xlabel(f"{style.shorten(two)}'s labels", fontsize=style.SMALL)
    lost = style.settle(ax, {axis: size[size > 0] for axis, size in sizes.items()})
    if lost:
        ax.set_xlabel(ax.get_xlabel() + style.listed(lost, "no room to name"))
        style.settle(ax)  # the list takes height from the names
