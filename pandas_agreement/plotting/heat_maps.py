"""Plots of tables: the confusion of two coders, every pair of coders, each coder's choice of categories."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from pandas_agreement.errors import InputError, choose
from pandas_agreement.formatting import DASH, number, signed, typeset
from pandas_agreement.plotting import style
from pandas_agreement.plotting.style import Array, Canvas, Look
from pandas_agreement.results.tidy import with_coefficient

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MAX_ROWS_WITH_ZEROS = 10  # with more rows a 0 is left blank
MAX_SIDE = 6.5  # inches of a heat map, however many rows
MAX_CODERS = 20  # of a plot with one row per coder; of more, those farthest from the others are shown
MAX_CATEGORIES = 20  # of a confusion; of more, those with the most confusions are shown
MAX_COLUMNS = 15  # categories of the plot of margins; of more, those with the largest differences are shown
MAX_ERROR_ROWS = 30  # coders times categories of a plot of error rates; of more, the weakest coders are shown
MAX_PAIRED = 16  # coders of the heat map of pairs
MIN_FULL_COLOUR = 5.0  # least difference, in percentage points, of the full colour
SIZES = ((10.0, 9.0, 8.0), (7.0,))  # of the text in a cell, in points; the smallest only where no shorter text fits
BAR = 0.75  # inches beside a heat map for its colour bar
Form = Callable[[int, int], str]  # the text of a cell


class HeatMap(NamedTuple):
    """What a heat map shows, and the texts around it."""

    values: Array
    rows: Sequence[Hashable]
    columns: Sequence[Hashable]
    gaps: Array  # cells that are hatched
    forms: Sequence[Form]  # of the text in the cells: the first that fits is written
    look: Look
    title: str
    below: str
    left: str
    scale: str  # the label of the colour bar


def _draw_heat_map(canvas: Canvas, shown: HeatMap) -> Axes:
    width, height = _size_of(shown.rows, shown.columns)
    ax = canvas.axes((width + BAR, height))
    look: Look = {"aspect": "equal"} | shown.look | canvas.style
    image = ax.imshow(np.ma.masked_invalid(shown.values), **look)
    _rule(ax, shown.gaps)
    _name_cells(ax, shown.rows, shown.columns)
    ax.set_xlabel(shown.below, fontsize=style.SMALL)
    ax.set_ylabel(shown.left, fontsize=style.SMALL)
    ax.set_title(canvas.title or shown.title, loc="left", fontsize="medium")
    bar = style.root(ax).colorbar(image, cax=ax.inset_axes((1.03, 0, 0.04, 1)))  # in every layout as high as the cells
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=style.SMALL, length=2)
    bar.set_label(shown.scale, fontsize=style.SMALL)
    style.settle(ax)
    _write(ax, image, shown.values, shown.forms)
    return ax


def _pale(name: str, start: float = 0.0, end: float = 0.55) -> Any:
    """The light part of a colour map, on which black text can be read."""
    from matplotlib import colormaps
    from matplotlib.colors import ListedColormap

    return ListedColormap(colormaps[name](np.linspace(start, end, 256)), name)


def _size_of(rows: Sequence[Hashable], columns: Sequence[Hashable]) -> tuple[float, float]:
    """Width and height in inches."""
    most = max(len(rows), len(columns))
    for_cells = max(style.MAX_WIDTH - style.span(rows) - BAR, 2.5)
    cell = min(float(np.clip(6 / most, 0.31, 0.8)), MAX_SIDE / most, for_cells / len(columns))
    width, height = max(cell * len(columns), 1.8), max(cell * len(rows), 1.6)
    is_level = width > 0.8 * style.span(columns) * len(columns)  # of small letters; else the names are tilted
    below = 0.3 if is_level else 0.7 * style.span(columns)
    return max(width + style.span(rows) + 0.5, 3.8), height + below + 0.8


def _rule(ax: Axes, gaps: Array) -> None:
    """Lines between the cells, no box, and hatched gaps."""
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle

    ax.set_xticks(np.arange(gaps.shape[1] + 1) - 0.5, minor=True)
    ax.set_yticks(np.arange(gaps.shape[0] + 1) - 0.5, minor=True)
    ax.grid(False)
    ax.grid(which="minor", color=style.paper(ax), linewidth=1.2, linestyle="-")
    ax.tick_params(which="both", length=0)
    ax.spines[:].set_visible(False)
    boxes = [Rectangle((column - 0.5, row - 0.5), 1, 1) for row, column in np.argwhere(gaps)]
    look: Look = {"facecolor": style.LIGHT_SHADE, "edgecolor": style.GRID, "linewidth": 0.0, "hatch": style.HATCH}
    if boxes:
        ax.add_collection(PatchCollection(boxes, **look), autolim=False)


def _name_cells(ax: Axes, rows: Sequence[Hashable], columns: Sequence[Hashable]) -> None:
    style.name_ticks(ax, "x", np.arange(len(columns)), columns)
    style.name_ticks(ax, "y", np.arange(len(rows)), rows)


def _write(ax: Axes, image: Any, values: Array, forms: Sequence[Form]) -> None:
    """Write text in the cells, in the first form and the largest size that fit, if any does."""
    places = [tuple(place) for place in np.argwhere(~np.isnan(values))]
    for sizes, form in product(SIZES, forms):
        texts = [form(*place) for place in places]
        size = next((size for size in sizes if style.fits(ax, texts, (1, 1), size)), None)
        if size is not None:
            break
    else:
        return
    for (row, column), text in zip(places, texts, strict=True):
        if len(values) > MAX_ROWS_WITH_ZEROS and values[row, column] == 0:
            continue
        ink = style.ink_on(image.cmap(image.norm(values[row, column])))
        # each text is inside its cell, so the layout engine need not measure it
        ax.text(column, row, text, ha="center", va="center", color=ink, fontsize=size, in_layout=False)


@style.picture("Axes.imshow")
def confusion(table: pd.DataFrame, canvas: Canvas, *, show: str = "both") -> Axes:
    """Contingency table of two coders, of one group, with counts and shares of the rows.

    It shows counts with row shares below them, coloured by share; counts alone, coloured by count; or row shares alone.
    If both do not fit, only one of them is written. With more than 10 categories zeros are left blank.
    """
    style.check_one_group(table.index, "confusion")
    counts = table.to_numpy(dtype=np.float64)
    totals = counts.sum(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        shares = np.where(totals > 0, counts / totals, np.nan)
    counted = "pairs of labels" if table.columns.name == "others" else "items"  # several others may label an item
    title = _same_label(counts, counted)
    kept = _most_confused(counts)
    told = "" if len(kept) == len(counts) else f"\nthe {len(kept)} of {len(counts)} categories with the most confusions"
    table, counts, shares = table.iloc[kept, kept], counts[np.ix_(kept, kept)], shares[np.ix_(kept, kept)]
    forms: dict[str, Form] = {
        "counts": lambda row, column: f"{counts[row, column]:,.0f}",
        "rows": lambda row, column: f"{shares[row, column]:.0%}",
        "both": lambda row, column: f"{counts[row, column]:,.0f}\n{shares[row, column]:.0%}",
    }
    choose("show", show, forms)
    of_counts = show == "counts"
    values = counts if of_counts else shares
    first, second = table.index.name, table.columns.name
    look: Look = {"cmap": _pale("Blues"), "vmin": 0} | ({} if of_counts else {"vmax": 1})
    shown = HeatMap(
        values,
        list(table.index),
        list(table.columns),
        gaps=np.isnan(values),
        forms=[forms[name] for name in ([show] if show != "both" else ["both", "counts", "rows"])],
        look=look,
        title=title,
        below=f"label of {style.shorten('the second coder' if second is None else second)}{told}",
        left=f"label of {style.shorten('the first coder' if first is None else first)}",
        scale=counted if of_counts else "share of the row",
    )
    return _draw_heat_map(canvas, shown)


def _same_label(counts: Array, counted: str) -> str:
    agreed = f"{np.trace(counts) / counts.sum():.0%} of " if counts.sum() else ""
    return f"Same label on {agreed}{counts.sum():,.0f} {counted}"


def _most_confused(counts: Array) -> Array:
    """The places of the categories to show, in their order."""
    errors = counts.sum(axis=0) + counts.sum(axis=1) - 2 * np.diag(counts)
    return np.sort(np.argsort(-errors, kind="stable")[:MAX_CATEGORIES])


@style.picture("Axes.imshow")
def confusions(result: pd.DataFrame, canvas: Canvas) -> Axes:
    """Error rates of the coders of one group: the probability of each label, given the true one.

    The rows of a coder are next to each other. If there are more than 20 categories, those that are recognized least
    often are shown, and if there are more than 30 rows, those of the coders who are right least often.
    """
    if result.index.nlevels > 3:
        raise InputError("confusions draws one group", "choose it with result.loc[group]", code="several groups")
    table = result["probability"].unstack("given", sort=False)  # noqa: PD010  (a Series)
    n_labels = len(table.columns)
    table, which = _weakest(_least_known(table))
    values = table.to_numpy(dtype=np.float64)
    coders = table.index.get_level_values("coder")
    most = len(table.columns)
    shown = HeatMap(
        values,
        [f"{style.shorten(coder)}: {true}" for coder, true in table.index],
        list(table.columns),
        gaps=np.isnan(values),
        forms=[lambda row, column: f"{values[row, column]:.0%}"],
        look={"cmap": _pale("Blues"), "vmin": 0, "vmax": 1},
        title=f"Error rates of {which}",
        below="label given" + (f"\nthe {most} of {n_labels} with the most errors" if most < n_labels else ""),
        left="coder: true label, inferred",
        scale="probability of the label",
    )
    ax = _draw_heat_map(canvas, shown)
    for place in np.flatnonzero(coders[1:] != coders[:-1]):
        ax.axhline(place + 0.5, color=style.paper(ax), linewidth=5)
    return ax


def _right(table: pd.DataFrame) -> pd.Series:
    """The probability that the label is the true one, per coder and true label."""
    true = table.columns.get_indexer(table.index.get_level_values("true"))
    return pd.Series(table.to_numpy()[np.arange(len(table)), true], index=table.index)


def _least_known(table: pd.DataFrame) -> pd.DataFrame:
    """The categories to show: all, or those that are least often recognized."""
    worst = _right(table).groupby(level="true", sort=False).mean().nsmallest(MAX_CATEGORIES).index
    return table.loc[table.index.get_level_values("true").isin(worst), table.columns.isin(worst)]


def _weakest(table: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """The rows of the coders to show, and who they are: all, or those who are right least often."""
    coders = table.index.unique("coder")
    n = max(MAX_ERROR_ROWS // (len(table) // len(coders)), 1)
    if n >= len(coders):
        return table, "the coders"
    worst = _right(table).groupby(level="coder", sort=False).mean().nsmallest(n).index
    shown = table[table.index.get_level_values("coder").isin(worst)]
    return shown, f"the weakest of {len(coders):,} coders" if n == 1 else f"the {n} weakest of {len(coders):,} coders"


@style.picture("Axes.imshow")
def by_pair(result: pd.DataFrame, canvas: Canvas, *, order: str = "cluster", max_coders: int = MAX_PAIRED) -> Axes:
    """One coefficient of every pair of coders, of one group, as a heat map.

    An undefined pair is hatched. The coders are ordered by average linkage with optimal leaf ordering, so that coders
    who agree are neighbours, or as in the result. If there are more than `max_coders`, half of those shown have the
    highest mean, and half the lowest.
    """
    choose("order", order, {"cluster": 1, "given": 2})
    result = with_coefficient(result)
    names, matrix = _matrix(result)
    names, matrix, told = _ends(names, matrix, max_coders)
    how = ""
    if order == "cluster":
        leaves = _clustered(matrix)
        how = "coders reordered: neighbours agree most" if (leaves != np.arange(len(leaves))).any() else ""
        names, matrix = [names[leaf] for leaf in leaves], matrix[np.ix_(leaves, leaves)]
    values = np.where(np.eye(len(names), dtype=bool), np.nan, matrix)
    coefficient = result.index.get_level_values("coefficient")[0]
    shown = HeatMap(
        values,
        names,
        names,
        gaps=np.isnan(matrix),
        forms=[
            lambda *place: _two_digits(values[place]),
            lambda *place: _two_digits(values[place]).replace("0.", ".", 1),
        ],
        look={"cmap": _pale("YlGnBu"), "vmin": min(0.0, np.nanmin(matrix, initial=0.0)), "vmax": 1.0},
        title=f"{style.coefficient(coefficient, start=True)} of every pair of coders",
        below="\n".join(filter(None, (told, how, _undefined_pairs(names, matrix)))),
        left="",
        scale=style.coefficient(coefficient),
    )
    return _draw_heat_map(canvas, shown)


def _two_digits(value: float) -> str:
    return typeset(number(value, 2, ""))


def _ends(names: list[Hashable], matrix: Array, most: int) -> tuple[list[Hashable], Array, str]:
    """The coders to show, their part of the matrix, and in words who they are if not all."""
    if len(names) <= most:
        return names, matrix, ""
    others = np.where(np.eye(len(names), dtype=bool), np.nan, matrix)
    known = np.maximum((~np.isnan(others)).sum(axis=1), 1)
    order = np.argsort(-np.nansum(others, axis=1) / known, kind="stable")
    half = max(most // 2, 1)
    kept = np.sort(np.concatenate([order[:half], order[-half:]]))
    told = f"the {half} coders with the highest mean and the {half} with the lowest, of {len(names):,}"
    return [names[place] for place in kept], matrix[np.ix_(kept, kept)], told


def _undefined_pairs(names: list[Hashable], matrix: Array) -> str:
    """The pairs without a value."""
    gaps = [f"{names[i]} {DASH} {names[j]}" for i, j in np.argwhere(np.triu(np.isnan(matrix), 1))]
    return style.listed(gaps, "undefined (hatched)").lstrip()


def _matrix(result: pd.DataFrame) -> tuple[list[Hashable], Array]:
    """The coders, and the symmetric matrix of estimates with 1 on the diagonal."""
    style.check_one_group(result.index, "by_pair")
    found = result.index.get_level_values("coefficient").unique()
    if len(found) != 1:
        raise InputError(f"by_pair draws one coefficient, and this result has {', '.join(map(repr, found))}")
    one, two = (result.index.get_level_values(level) for level in ("coder_1", "coder_2"))
    names = list(dict.fromkeys([*one, *two]))
    place = {name: number for number, name in enumerate(names)}
    rows, columns = [place[name] for name in one], [place[name] for name in two]
    matrix = np.full((len(names), len(names)), np.nan)
    matrix[rows, columns] = matrix[columns, rows] = result["estimate"].to_numpy()
    np.fill_diagonal(matrix, 1.0)
    return names, matrix


def _clustered(matrix: Array) -> Array:
    """An order of the coders in which neighbours agree; undefined pairs have the mean distance of the others."""
    if len(matrix) < 3:
        return np.arange(len(matrix))
    from scipy.cluster.hierarchy import leaves_list, linkage, optimal_leaf_ordering

    upper = np.triu_indices(len(matrix), 1)
    distance = 1 - matrix[upper]
    known = distance[~np.isnan(distance)]
    filled = np.where(np.isnan(distance), known.mean() if len(known) else 1.0, distance).clip(min=0)
    leaves = leaves_list(optimal_leaf_ordering(linkage(filled, "average"), filled))
    return leaves if leaves[0] < leaves[-1] else leaves[::-1]


@style.picture("Axes.imshow")
def margins(result: pd.DataFrame, canvas: Canvas) -> Axes:
    """The categories that each coder chooses more (blue) or less often (red) than the others.

    There is one row per coder and one column per category, with its mean share. The numbers are percentage points: the
    coder's share minus that of the other coders of the same items. The strongest colour is the largest difference, or 5
    percentage points if all differences are smaller.
    """
    style.check_one_group(result.index, "margins")
    index: Any = result.index
    coders, labels = index.unique("coder"), index.unique("category")  # by number: there may be millions of labels
    points, shares = (result[name].to_numpy().reshape(len(coders), len(labels)) for name in ("estimate", "share"))
    points, shares = 100 * points, shares.mean(axis=0)
    rows, columns = _farthest(points, MAX_CODERS), _farthest(points.T, MAX_COLUMNS)
    values = points[np.ix_(rows, columns)]
    most = np.nanmax(np.abs(values), initial=MIN_FULL_COLOUR)
    which = "each coder" if len(rows) == len(coders) else f"the {len(rows)} farthest of {len(coders):,} coders"
    told = f"\nthe {len(columns)} of {len(labels)} categories with the largest differences"
    shown = HeatMap(
        values,
        coders.take(rows).tolist(),
        [f"{style.text_of(label)} {shares[place]:.0%}" for label, place in zip(labels[columns], columns, strict=True)],
        gaps=np.isnan(values),
        forms=[lambda row, column: typeset(signed(values[row, column], 0))],
        look={"cmap": _pale("RdBu", 0.25, 0.75), "vmin": -most, "vmax": most},
        title=f"Choices of {which} against the others",
        below=f"category, with its mean share{told if len(columns) < len(labels) else ''}",
        left="",
        scale="percentage points",
    )
    return _draw_heat_map(canvas, shown)


def _farthest(points: Array, most: int) -> Array:
    """The places of the rows with the largest differences, in their order."""
    return np.sort(np.argsort(-np.nan_to_num(np.abs(points)).max(axis=1, initial=0), kind="stable")[:most])
