"""Pictures of tables: the confusion of two coders, every pair of coders, each coder's choice of categories."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from itertools import chain, product
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from pandas_agreement.errors import InputError, choose
from pandas_agreement.formatting import DASH, number, signed, typeset
from pandas_agreement.plotting import style
from pandas_agreement.plotting.style import Array, Look, Size
from pandas_agreement.results.facts import with_coefficient

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MAX_ROWS_WITH_ZEROS = 10  # with more rows a 0 is left blank
MAX_CELL_TEXTS = 900  # texts in cells; with more, a colour bar replaces them
MAX_SIDE = 6.5  # inches of a heat map, however many rows
MAX_RULED = 60  # rows with lines between the cells
MAX_CODERS = 20  # of a picture with one row per coder; of more, those farthest from the others are shown
MAX_CATEGORIES = 20  # of a confusion; of more, those with the most confusions are shown
MAX_COLUMNS = 15  # categories of the plot of margins; of more, those with the largest differences are shown
MAX_ERROR_ROWS = 30  # coders times categories of a picture of error rates; of more, the weakest coders are shown
MIN_FULL_TRIANGLE = 5.0  # least difference, in percentage points, of a triangle of full size
SIZES = ((10.0, 9.0, 8.0), (7.0,))  # of the text in a cell, in points; the smallest only where no shorter text fits
MAX_PAIRED = 16  # coders of the heat map of pairs


def _size_of(rows: Sequence[Hashable], columns: Sequence[Hashable], level: bool = False) -> tuple[float, float]:
    """Width and height in inches; with `level` few columns are as wide as their names."""
    most = max(len(rows), len(columns))
    cell = 0.15 if len(rows) * len(columns) > MAX_CELL_TEXTS else float(np.clip(6 / most, 0.31, 0.8))
    for_cells = max(style.MAX_WIDTH - style.span(rows) - 0.5, 2.5)
    cell = min(cell, MAX_SIDE / max(most, 1), for_cells / max(len(columns), 1))
    width, height = max(cell * len(columns), 1.8), max(cell * len(rows), 1.6)
    names = (0.8 * style.span(columns) + 0.15) * len(columns)  # of small letters
    width = max(width, names) if level and names < for_cells else width
    below = style.span(columns) if width < names else 0.3
    return max(width + style.span(rows) + 0.5, 3.8), height + below + 0.8


def _cells(ax: Axes, values: Array, gaps: Array, **kwargs: Any) -> Any:
    """Draw coloured squares with lines between them; gaps are hatched."""
    image = ax.imshow(np.ma.masked_invalid(values), **({"aspect": "equal"} | kwargs))
    ax.grid(False)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    look: Look = {"facecolor": style.LIGHT_SHADE, "edgecolor": style.GRID, "linewidth": 0.0, "hatch": style.HATCH}
    if max(values.shape) <= MAX_RULED:
        _boxes(ax, np.argwhere(gaps), **look)
    else:  # too many and too small for a hatch
        ax.set_facecolor(style.LIGHT_SHADE)
    _rule(ax, *values.shape)
    return image


def _rule(ax: Axes, rows: int, columns: int) -> None:
    """PlotRows between the cells."""
    from matplotlib.collections import LineCollection

    lines = [[(-0.5, row - 0.5), (columns - 0.5, row - 0.5)] for row in range(1, rows)]
    lines += [[(column - 0.5, -0.5), (column - 0.5, rows - 0.5)] for column in range(1, columns)]
    width = 1.2 if max(rows, columns) <= MAX_RULED else 0.0
    ax.add_collection(LineCollection(lines, colors=[style.paper(ax)], linewidths=width), autolim=False)


def _boxes(ax: Axes, places: Array, **look: Any) -> None:
    """Cover the cells at some places."""
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle

    boxes = [Rectangle((column - 0.5, row - 0.5), 1, 1) for row, column in places]
    if boxes:
        ax.add_collection(PatchCollection(boxes, **look), autolim=False)


def _write(ax: Axes, image: Any, values: Array, forms: Sequence[Callable[[int, int], str]]) -> bool:
    """Write text in the cells, in the first form and the largest size that fit; False if none does."""
    known = np.argwhere(~np.isnan(values))
    if len(known) > MAX_CELL_TEXTS:
        return False
    style.arrange(ax)
    places = [tuple(place) for place in known]
    for sizes, form in product(SIZES, forms):
        texts = [form(*place) for place in places]
        size = next((size for size in sizes if style.fits(ax, texts, (1, 1), size)), None)
        if size is not None:
            break
    else:
        return False
    for (row, column), text in zip(places, texts, strict=True):
        if len(values) > MAX_ROWS_WITH_ZEROS and values[row, column] == 0:
            continue
        ink = style.ink_on(image.cmap(image.norm(values[row, column])))
        # each text is inside its cell, so the layout engine need not measure it
        ax.text(column, row, text, ha="center", va="center", color=ink, fontsize=size, in_layout=False)
    return True


def _scale(ax: Axes, image: Any, label: str) -> None:
    bar = style.root(ax).colorbar(image, ax=ax, shrink=0.7, pad=0.02)
    bar.outline.set_visible(False)
    bar.set_label(label, fontsize=style.SMALL)


@style.picture("Axes.imshow", '{"cmap": "Greys"}')
def confusion(
    table: pd.DataFrame,
    *,
    show: str = "both",
    ax: Axes | None = None,
    figsize: Size = None,
    title: str | None = None,
    **kwargs: Any,
) -> Axes:
    """Contingency table of two coders: counts, and shares of the first coder's labels.

    Parameters
    ----------
    table : DataFrame
        What `df.agree.confusion` returned, of one group.
    show : {'both', 'counts', 'rows'}
        Counts with row shares below them, coloured by share; counts alone, coloured by count; or row shares alone.
        Where both do not fit, counts or shares alone are written; with more than 10 categories zeros are left blank.
        Of more than 20 categories those with the most confusions are shown.
    {DRAWING}

    Examples
    --------
    >>> from pandas_agreement.plotting import confusion
    >>> ax = confusion(df.agree.confusion("ann", "bob"))
    >>> [text.get_text() for text in ax.texts]
    ['2\\n50%', '2\\n50%', '1\\n17%', '5\\n83%']
    """
    style.check_one_group(table.index, "confusion")
    counts = table.to_numpy(dtype=np.float64)
    totals = counts.sum(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        shares = np.where(totals > 0, counts / totals, np.nan)
    forms: dict[str, Callable[[int, int], str]] = {
        "counts": lambda row, column: f"{counts[row, column]:,.0f}",
        "rows": lambda row, column: f"{shares[row, column]:.0%}",
        "both": lambda row, column: f"{counts[row, column]:,.0f}\n{shares[row, column]:.0%}",
    }
    choose("show", show, forms)
    title = title or _same_label(counts)
    kept = _most_confused(counts)
    told = "" if len(kept) == len(counts) else f"\nthe {len(kept)} of {len(counts)} categories with the most confusions"
    table, counts, shares = table.iloc[kept, kept], counts[np.ix_(kept, kept)], shares[np.ix_(kept, kept)]
    values = counts if show == "counts" else shares
    ax = style.axes_for(ax, figsize, _size_of(list(table.index), list(table.columns)))
    top = {} if show == "counts" else {"vmax": 1}
    image = _cells(ax, values, np.isnan(values), **({"cmap": "Blues", "vmin": 0, **top} | kwargs))
    _name_cells(ax, table.index, table.columns)
    first, second = table.index.name, table.columns.name
    ax.set_xlabel(f"label of {style.shorten('the second coder' if second is None else second)}{told}")
    ax.set_ylabel(f"label of {style.shorten('the first coder' if first is None else first)}")
    style.entitle(ax, title)
    order = [show] if show != "both" else ["both", "counts", "rows"]
    style.settle(ax)
    if not _write(ax, image, values, [forms[name] for name in order]):
        _scale(ax, image, "items" if show == "counts" else "share of the row")
    return ax


def _same_label(counts: Array) -> str:
    agreed = f"{np.trace(counts) / counts.sum():.0%} of " if counts.sum() else ""
    return f"Same label on {agreed}{counts.sum():,.0f} items"


def _most_confused(counts: Array) -> Array:
    """The places of the categories to show, in their order."""
    errors = counts.sum(axis=0) + counts.sum(axis=1) - 2 * np.diag(counts)
    return np.sort(np.argsort(-errors, kind="stable")[: MAX_CATEGORIES if len(counts) > MAX_CATEGORIES else None])


@style.picture("Axes.imshow", '{"cmap": "Greys"}')
def confusions(
    result: pd.DataFrame,
    *,
    ax: Axes | None = None,
    figsize: Size = None,
    title: str | None = None,
    **kwargs: Any,
) -> Axes:
    """Error rates of the coders, one panel of rows per coder: how probable each label is, given the true one.

    Parameters
    ----------
    result : DataFrame
        What `truth(...).confusions()` returned, of one group; choose coders with ``result.loc[["ann", "bob"]]``.
    {DRAWING}
        Of more than 20 categories those that are recognized least often are shown, and of more than 30 rows those of
        the coders who are right least often.

    Examples
    --------
    >>> from pandas_agreement.plotting import confusions
    >>> example = pandas_agreement.load_example()
    >>> truth = example.agree.truth("ann", "bob", "cleo", "dev", method="dawid_skene")
    >>> ax = confusions(truth.confusions().loc[["dev"]])
    >>> [text.get_text() for text in ax.texts][:4]
    ['89%', '2%', '5%', '4%']
    """
    if result.index.nlevels > 3:
        raise InputError("confusions draws one group", "choose it with result.loc[group]", code="several groups")
    table = result["probability"].unstack("given", sort=False)  # noqa: PD010  (a Series)
    n_labels = len(table.columns)
    table, which = _weakest(_least_known(table))
    values = table.to_numpy(dtype=np.float64)
    coders = table.index.get_level_values("coder")
    names = [f"{style.shorten(coder)}: {true}" for coder, true in table.index]
    ax = style.axes_for(ax, figsize, _size_of(names, list(table.columns)))
    image = _cells(ax, values, np.isnan(values), **({"cmap": "Blues", "vmin": 0, "vmax": 1} | kwargs))
    for place in np.flatnonzero(coders[1:] != coders[:-1]):
        ax.axhline(place + 0.5, color=style.ink(ax), linewidth=1.2)
    _name_cells(ax, names, table.columns)
    most = len(table.columns)
    ax.set_xlabel("label given" + (f"\nthe {most} of {n_labels} with the most errors" if most < n_labels else ""))
    ax.set_ylabel("coder: true label, inferred")
    style.entitle(ax, title or f"Error rates of {which}")
    style.settle(ax)
    if not _write(ax, image, values, [lambda row, column: f"{values[row, column]:.0%}"]):
        _scale(ax, image, "probability of the label")
    return ax


def _right(table: pd.DataFrame) -> pd.Series:
    """The probability that the label is the true one, per coder and true label."""
    true = table.columns.get_indexer(table.index.get_level_values("true"))
    return pd.Series(table.to_numpy()[np.arange(len(table)), true], index=table.index)


def _least_known(table: pd.DataFrame) -> pd.DataFrame:
    """The categories to show: all, or those that are least often recognized."""
    if len(table.columns) <= MAX_CATEGORIES:
        return table
    worst = _right(table).groupby(level="true", sort=False).mean().nsmallest(MAX_CATEGORIES).index
    kept = table.columns.isin(worst)
    return table.loc[table.index.get_level_values("true").isin(worst), kept]


def _weakest(table: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """The rows of the coders to show, and who they are: all, or those who are right least often."""
    coders = table.index.unique("coder")
    n = max(MAX_ERROR_ROWS // (len(table) // len(coders)), 1)
    if n >= len(coders):
        return table, "the coders"
    worst = _right(table).groupby(level="coder", sort=False).mean().nsmallest(n).index
    shown = table[table.index.get_level_values("coder").isin(worst)]
    return shown, f"the weakest of {len(coders):,} coders" if n == 1 else f"the {n} weakest of {len(coders):,} coders"


def _name_cells(ax: Axes, rows: Sequence[Hashable] | pd.Index, columns: Sequence[Hashable] | pd.Index) -> None:
    style.name_ticks(ax, "x", np.arange(len(columns)), list(columns))
    style.name_ticks(ax, "y", np.arange(len(rows)), list(rows))
    ax.tick_params(labelsize=style.SMALL)


@style.picture("Axes.imshow", '{"vmin": 0.4}')
def by_pair(
    result: pd.DataFrame,
    *,
    order: str = "cluster",
    max_coders: int = MAX_PAIRED,
    ax: Axes | None = None,
    figsize: Size = None,
    title: str | None = None,
    **kwargs: Any,
) -> Axes:
    """One coefficient of every pair of coders as a heat map; coders who agree are neighbours.

    Parameters
    ----------
    result : DataFrame
        What `df.agree.by_pair` returned, of one group. A pair without a value is hatched.
    order : {'cluster', 'given'}
        Order of the coders: by average linkage with optimal leaf ordering, or as in the result.
    max_coders : int
        Of more coders, those with the highest mean and those with the lowest mean are shown, half of this number each.
    {DRAWING}

    Examples
    --------
    >>> from pandas_agreement.plotting import by_pair
    >>> ax = by_pair(df.agree.by_pair())
    >>> [text.get_text() for text in ax.get_xticklabels()]
    ['ann', 'cleo', 'bob']
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
    ax = style.axes_for(ax, figsize, _size_of(names, names))
    low = min(0.0, np.nanmin(matrix, initial=0.0))
    shown = np.where(np.eye(len(names), dtype=bool), np.nan, matrix)
    image = _cells(ax, shown, np.isnan(matrix), **({"cmap": "YlGnBu", "vmin": low, "vmax": 1.0} | kwargs))
    diagonal = np.repeat(np.arange(len(names)), 2).reshape(-1, 2)
    border = 1.2 if len(names) <= MAX_RULED else 0.0
    _boxes(ax, diagonal, facecolor=style.SHADE, edgecolor=style.paper(ax), linewidth=border)
    _name_cells(ax, names, names)
    coefficient = result.index.get_level_values("coefficient")[0]
    style.entitle(ax, title or f"{coefficient} of every pair of coders")
    ax.set_xlabel("\n".join(filter(None, (told, how, _undefined_pairs(names, matrix)))), fontsize=style.SMALL)
    style.settle(ax)
    if not _write(
        ax, image, shown, [lambda *place: _two_digits(shown[place]), lambda *place: _short_digits(shown[place])]
    ):
        _scale(ax, image, coefficient)
    return ax


def _two_digits(value: float) -> str:
    return typeset(number(value, 2, ""))


def _short_digits(value: float) -> str:
    """Two digits without the 0 before the point."""
    return _two_digits(value).replace("0.", ".", 1)


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
    """The pairs without a value; of a crowd only their number."""
    first, second = np.nonzero(np.triu(np.isnan(matrix), 1))
    if len(names) > MAX_RULED:
        n_pairs = len(names) * (len(names) - 1) // 2
        return f"{len(first):,} of {n_pairs:,} pairs are undefined (grey)" if len(first) else ""
    gaps = [f"{names[i]} {DASH} {names[j]}" for i, j in zip(first, second, strict=True)]
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


@style.picture("Axes.scatter", '{"alpha": 0.5}')
def margins(
    result: pd.DataFrame, *, ax: Axes | None = None, figsize: Size = None, title: str | None = None, **kwargs: Any
) -> Axes:
    """Who chooses what more (triangle up) or less often (down) than the others; the area is the difference.

    The largest triangle is the largest difference, or 5 percentage points where all differences are smaller.

    Parameters
    ----------
    result : DataFrame
        What `df.agree.margins` returned, of one group.
    {DRAWING}
        One row per coder and one column per category, named with its mean share; the numbers are percentage points,
        the coder's share minus that of the other coders of the same items. Of more than 20 coders and 15 categories
        those with the largest differences are shown.

    Examples
    --------
    >>> from pandas_agreement.plotting import margins
    >>> ax = margins(df.agree.margins("ann", "bob"))
    >>> [text.get_text() for text in ax.texts]
    ['+10', '−10', '−10', '+10']
    """
    style.check_one_group(result.index, "margins")
    index: Any = result.index
    coders, labels = index.unique("coder"), index.unique("category")  # by number: there may be millions of labels
    points, shares = (result[name].to_numpy().reshape(len(coders), len(labels)) for name in ("estimate", "share"))
    points, shares = 100 * points, shares.mean(axis=0)
    n_coders, n_labels = len(coders), len(labels)
    rows, columns = _farthest(points, MAX_CODERS), _farthest(points.T, MAX_COLUMNS)
    coders, labels = coders.take(rows).tolist(), labels.take(columns).tolist()
    points, shares = points[np.ix_(rows, columns)], shares[columns]
    ax = style.axes_for(ax, figsize, _size_of(coders, [f"{label} 100%" for label in labels], level=True))
    short = style.shorten_all(labels, style.room(ax, "x"))
    texts = [f"{label} {share:.0%}" for label, share in zip(short, shares, strict=True)]
    ax.set(xlim=(-0.5, len(labels) - 0.5), ylim=(len(coders) - 0.5, -0.5))
    _name_cells(ax, coders, labels)
    style.name_ticks(ax, "x", np.arange(len(labels)), labels, texts)
    style.finish(ax, title or f"Choices of {_which(len(coders), n_coders)} against the others, in percentage points")
    told = (
        "" if len(labels) == n_labels else f"\nthe {len(labels)} of {n_labels} categories with the largest differences"
    )
    ax.set_xlabel(f"category, with its mean share{told}", fontsize=style.SMALL)
    ax.tick_params(length=0)
    style.settle(ax)
    _triangles(ax, points, kwargs)
    return ax


def _farthest(points: Array, most: int) -> Array:
    """The places of the rows with the largest differences, in their order."""
    return np.sort(np.argsort(-np.nan_to_num(np.abs(points)).max(axis=1, initial=0), kind="stable")[:most])


def _which(shown: int, n: int) -> str:
    return "each coder" if shown == n else f"the {shown} farthest of {n:,} coders"


def _triangles(ax: Axes, points: Array, kwargs: Look) -> None:
    style.arrange(ax)
    corners = ax.transData.transform([(0.0, 0.0), (1.0, 1.0)])
    cell = 72 / style.root(ax).dpi * float(np.abs(corners[1] - corners[0]).min())  # in points
    texts = [typeset(signed(value, 0)) if not np.isnan(value) else "" for value in points.ravel()]
    size = next((size for size in chain(*SIZES) if style.fits(ax, texts, (1, 0.34), size)), None)
    side, up = (0.9, 0.0) if size is None else (0.6, 0.14)
    largest = np.nanmax(np.abs(points), initial=MIN_FULL_TRIANGLE)
    for sign, marker, colour in ((1, "^", style.BLUE), (-1, "v", style.ORANGE)):
        rows, columns = np.nonzero(sign * points > 0)
        area = (side * cell) ** 2 * np.abs(points[rows, columns]) / largest
        ax.scatter(columns, rows - up, **({"s": area, "marker": marker, "color": colour, "linewidths": 0} | kwargs))
    for (row, column), text in zip(np.ndindex(points.shape), texts if size else [], strict=size is not None):
        ax.text(column, row + 0.34, text, ha="center", va="center", fontsize=size, color=style.MUTED, in_layout=False)
