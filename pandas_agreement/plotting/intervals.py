"""Rows of estimates: names, dots, lines for the intervals, bands of a benchmark scale. The plots are elsewhere.

The rows of a plot are a DataFrame, from top to bottom: `name`, `short` (the name as it is written), `estimate`, `low`,
`high`, `side` (the text to the right) and `hollow` (whether the dot is not filled).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from pandas_agreement.errors import choose
from pandas_agreement.formatting import DASH, number, typeset
from pandas_agreement.interpreting import BENCHMARKS
from pandas_agreement.plotting import style
from pandas_agreement.plotting.style import Array, Canvas, Look
from pandas_agreement.results.natural_order import key_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MIN_BAND = 0.05  # part of the axis that a band with a word takes
LINE = 1.25  # height of a line of text, in sizes of its font
LOWEST = -1.0  # lower end of an axis; an arrow marks an interval that goes below it
MIN_WIDTH_FOR_NUMBERS = 2.2  # inches of Axes with room for numbers at the side
MIN_ROW = 0.13  # inches of a row with room for its number
MAX_ROWS = 60  # of a plot; of more the highest and the lowest are shown
ROWS_AT_AN_END = 20  # highest and lowest rows of very many
MAX_HEIGHT = 26.0  # inches, however many rows
MAX_TICKS = 3  # numbers such as -0.15 on an axis of differences
MAX_NAME_LETTERS = 14  # letters of a name that is one of several in a row
MINUS = " minus "
#: levels that name a pair
PARTNERS = {"coder_1": "coder_2", "coder_group_1": "coder_group_2"}
PARTNERS |= {"first": "second", "candidate_1": "candidate_2", "judge_1": "judge_2"}
#: text before the second of a pair
PAIRED = dict.fromkeys(("coder_2", "coder_group_2"), f" {DASH} ")
PAIRED |= dict.fromkeys(("second", "candidate_2", "judge_2"), MINUS)


class Names(NamedTuple):
    """Names of rows."""

    full: list[str]
    short: list[str]
    fixed: dict[str, Any]  # the levels that are the same in all rows


def label_rows(index: pd.Index, leave_out: Sequence[Hashable] = (), between: str = "") -> Names:
    """A name for each row, from the levels that vary except `leave_out`; the levels of a pair stay together.

    `between` is the text between the names of a pair, if it is not the usual one.
    """
    parts = {
        f"level {place}" if level is None else str(level): [
            *map(style.coefficient if level == "coefficient" else key_text, index.get_level_values(place))
        ]
        for place, level in enumerate(index.names)
        if level not in leave_out
    }
    fixed = {name: values[0] for name, values in parts.items() if len(set(values)) == 1}
    varying = [name for name in parts if name not in fixed]
    varying = varying or ([name for name in parts if name != "coefficient"] or list(parts))[:1]
    for name, partner in PARTNERS.items():  # also a coder who is the same in all pairs
        if name in parts and (partner in varying or name in varying):
            varying = [one for one in parts if one in (*varying, name, partner)]
    columns = {name: parts[name] for name in varying}
    between = between or PAIRED.get(varying[-1], "")
    longest = max(len(value) for values in columns.values() for value in values)
    broken = between == MINUS and len(columns) == 2 and longest > MAX_NAME_LETTERS
    width = style.MAX_NAME_CHARACTERS if len(columns) == 1 or broken else MAX_NAME_LETTERS
    short = {name: _short_column(values, width) for name, values in columns.items()}
    short_between = "\nminus " if broken else between
    fixed = {name: value for name, value in fixed.items() if name not in varying}
    return Names(_joined(columns, len(index), between), _joined(short, len(index), short_between), fixed)


def _short_column(values: list[str], width: int) -> list[str]:
    unique = list(dict.fromkeys(values))
    short = dict(zip(unique, style.shorten_all(unique, width), strict=True))
    return [short[value] for value in values]


def _joined(columns: dict[str, list[str]], n: int, pair: str) -> list[str]:
    """One text per row; the two names of a pair have their own separator."""
    texts = [""] * n
    for place, (name, values) in enumerate(columns.items()):
        between = (pair if pair and name in PAIRED else PAIRED.get(name, " · ")) if place else ""
        texts = [f"{text}{between}{value}" for text, value in zip(texts, values, strict=True)]
    return texts


def rows_of(
    result: pd.DataFrame, names: Names, columns: Sequence[str] = ("estimate", "ci_low", "ci_high")
) -> pd.DataFrame:
    """The rows of a result, with their numbers at the side."""
    estimate, low, high = columns
    numbers = {"estimate": result[estimate], "low": result.get(low, np.nan), "high": result.get(high, np.nan)}
    rows = pd.DataFrame(numbers, index=result.index, dtype=np.float64).reset_index(drop=True)
    side = [_interval_text(*row) for row in rows.itertuples(index=False)]
    return rows.assign(name=names.full, short=names.short, side=side, hollow=False)


def _interval_text(estimate: float, low: float, high: float) -> str:
    if np.isnan(estimate):
        return "undefined"
    interval = "" if np.isnan(low) else f"  [{number(low, 2)}, {number(high, 2)}]"
    return typeset(f"{number(estimate, 2, '')}{interval}")


def undefined(rows: pd.DataFrame) -> list[str]:
    """The names of the rows without an estimate."""
    return rows["name"][rows["estimate"].isna()].tolist()


def highest_first(values: Any) -> Array:
    """The order of the rows with the highest value on top, and those without a value below."""
    return np.argsort(-np.nan_to_num(np.asarray(values), nan=-np.inf), kind="stable")


def summarised(rows: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """Of very many rows the highest and the lowest; and what was done, in words."""
    if len(rows) <= MAX_ROWS:
        return rows, ""
    known = rows.iloc[highest_first(rows["estimate"])].dropna(subset="estimate")
    unknown = len(rows) - len(known)
    if len(known) <= MAX_ROWS:
        return known, f"\nleft out: {unknown:,} undefined rows"
    told = f"\nthe {ROWS_AT_AN_END} highest and the {ROWS_AT_AN_END} lowest of {len(rows):,} rows"
    told += f"; {unknown:,} are undefined" if unknown else ""
    return pd.concat([known.head(ROWS_AT_AN_END), known.tail(ROWS_AT_AN_END)]), told


class Texts(NamedTuple):
    """The texts around rows: title, label below the axis, header of the numbers at the side."""

    title: str
    below: str
    side: str
    pad: float = 14  # points between title and Axes


def size_for(rows: pd.DataFrame, lines: int = 1) -> tuple[float, float]:
    """Width and height in inches for the rows, each with so many lines."""
    names = rows["short"].str.split("\n").explode()
    width = 2.6 + 0.07 * names.str.len().max() + 0.068 * rows["side"].str.len().max()
    each = max(0.27, 0.13 * lines, 0.18 * len(names) / len(rows))
    height = each * len(rows) + 1.3
    return float(np.clip(width, 4.6, style.MAX_WIDTH)), float(np.clip(height, 2.0, MAX_HEIGHT))


def draw_rows(ax: Axes, rows: pd.DataFrame, shift: float = 0.0, **kwargs: Any) -> None:
    """Draw dots with lines, row 0 on top."""
    dot = float(np.clip(300 / max(len(rows), 1), 2, 5.5))  # smaller where there are hundreds
    look: Look = {"color": style.BLUE, "marker": "o", "markersize": dot, "elinewidth": 0.3 * dot, "linestyle": "none"}
    rows = rows.assign(place=np.arange(len(rows)) + shift)
    for hollow, some in rows.groupby("hollow"):
        fill = {"markerfacecolor": style.paper(ax)} if hollow else {}
        value, low, high, place = some[["estimate", "low", "high", "place"]].to_numpy().T
        ax.errorbar(value, place, xerr=np.abs([value - low, high - value]), **(look | kwargs | fill))


def frame_rows(ax: Axes, rows: pd.DataFrame, header: str) -> None:
    """Write the names on the left and, where there is room, the numbers on the right."""
    ax.set_ylim(len(rows) - 0.4, -0.6)
    style.name_ticks(ax, "y", np.arange(len(rows)), rows["name"].tolist(), rows["short"].tolist())
    ax.tick_params(axis="y", length=0)
    inch = style.root(ax).dpi
    if ax.bbox.width < MIN_WIDTH_FOR_NUMBERS * inch or ax.bbox.height < MIN_ROW * len(rows) * inch:
        return
    for place, text in enumerate(rows["side"]):
        ax.text(1.02, place, text, va="center", transform=ax.get_yaxis_transform(), **style.quiet(ax))
    above: Look = {"xytext": (0, 3), "xycoords": "axes fraction", "textcoords": "offset points"}
    ax.annotate(header, (1.02, 1), **above, **style.quiet(ax))


def limit_values(ax: Axes, rows: pd.DataFrame, anchors: tuple[float, float] = (0.0, 1.0)) -> None:
    """Set the axis from 0 to 1, or as far as the intervals go; an arrow marks an interval beyond the axis."""
    known = rows[["estimate", "low", "high"]]
    low, high = np.fmin(anchors[0], known.min().min()), np.fmax(anchors[1], known.max().max())
    bounded = anchors == (0.0, 1.0)
    pad = (0.02 if bounded else 0.06) * (high - low)
    low = max(low, LOWEST) if bounded else low
    ax.set_xlim(low - pad, high + pad)
    if not bounded:
        ax.locator_params(axis="x", nbins=MAX_TICKS)  # longer numbers than those from 0 to 1
    for place in np.flatnonzero(rows["low"] < low):
        ax.plot([low - pad], [place], marker="<", color=style.MUTED, markersize=5, clip_on=False)


def draw_forest(rows: pd.DataFrame, canvas: Canvas, texts: Texts, anchors: tuple[float, float] = (0.0, 1.0)) -> Axes:
    """Draw one series of rows with its texts, of very many the highest and the lowest."""
    rows, left_out = summarised(rows)
    return draw_series({"": rows}, canvas, texts._replace(below=texts.below + left_out), anchors)


def draw_series(
    series: dict[str, pd.DataFrame], canvas: Canvas, texts: Texts, anchors: tuple[float, float] = (0.0, 1.0)
) -> Axes:
    """Draw series of the same rows beside each other, each with its colour and marker.

    Differences (other `anchors`) are drawn about the line at 0.
    """
    first = next(iter(series.values()))
    ax = canvas.axes(size_for(first, lines=len(series)))
    limit_values(ax, pd.concat(series.values()), anchors)
    if anchors != (0.0, 1.0):
        ax.axvline(0, color=style.ink(ax), linewidth=1)
    shifts = (np.arange(len(series)) - (len(series) - 1) / 2) * 0.7 / len(series)
    unknown = []
    for place, (name, rows) in enumerate(series.items()):
        look: Look = {"color": style.COLOURS[place % 7], "marker": style.MARKERS[place % 7]}
        look |= {"label": legend_name(name)} if len(series) > 1 else {}
        draw_rows(ax, rows, shifts[place], **(look | canvas.style))
        unknown += [row if len(series) == 1 else f"{row} ({name})" for row in undefined(rows)]
    ax.set_xlabel(f"{texts.below}{style.listed(unknown, 'undefined')}", fontsize=style.SMALL)
    style.finish(ax, canvas.title or texts.title, "x", pad=texts.pad)
    frame_rows(ax, first, texts.side)
    return ax


def draw_bands(ax: Axes, scale: str, axis: str = "x") -> None:
    """Draw the bands of a benchmark scale in light greys; their words stand beside the Axes, or above in two rows."""
    chosen = choose("bands", scale, BENCHMARKS)
    low, high = ax.get_xlim() if axis == "x" else ax.get_ylim()
    edges = np.clip([low, *chosen.cuts, high], low, high)
    for place, word in enumerate(chosen.words):
        start, end = edges[place], edges[place + 1]
        is_dark = (len(chosen.words) - place) % 2
        look: Look = {"color": style.SHADE if is_dark else style.LIGHT_SHADE, "zorder": 0, "linewidth": 0}
        if start < end:
            (ax.axvspan if axis == "x" else ax.axhspan)(start, end, **look)
        if MIN_BAND * (high - low) < end - start < high - low:  # one band needs no word
            _band_word(ax, axis, (start + end) / 2, word, 15 if is_dark else 3)


def _band_word(ax: Axes, axis: str, middle: float, word: str, above: int) -> None:
    look: Look = {"style": "italic", "textcoords": "offset points", **style.quiet(ax)}
    if axis == "x":
        ax.annotate(word, (middle, 1), xytext=(0, above), xycoords=ax.get_xaxis_transform(), ha="center", **look)
    else:
        ax.annotate(word, (1, middle), xytext=(4, 0), xycoords=ax.get_yaxis_transform(), va="center", **look)


def legend_name(name: Hashable) -> str:
    """A short name for a legend, not beginning with an underscore: matplotlib would leave it out."""
    text = style.shorten(name, 2 * style.MAX_NAME_CHARACTERS)
    return text if not text.startswith("_") else f" {text}"
