"""Rows of estimates: names, dots, lines for the intervals, bands of a benchmark scale. The pictures are elsewhere."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from pandas_agreement.errors import choose
from pandas_agreement.formatting import DASH, confidence, number, typeset
from pandas_agreement.interpreting import BENCHMARKS
from pandas_agreement.plotting import style
from pandas_agreement.plotting.style import Array, Look
from pandas_agreement.results.facts import fact
from pandas_agreement.results.natural_order import key_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MIN_BAND = 0.05  # part of the axis that a band with a word takes
LINE = 1.25  # height of a line of text, in sizes of its font
LOWEST = -1.0  # lower end of an axis; an arrow marks an interval that goes below it
MIN_WIDTH_FOR_NUMBERS = 3.0  # inches; Axes below it that share a figure have no room for numbers at the side
MAX_ROWS = 60  # of a picture; more are summarised
ROWS_AT_AN_END = 15  # of a summary
MAX_HEIGHT = 26.0  # inches, however many rows
MAX_TICKS = 4  # numbers such as -0.15 on an axis of differences
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
    parts: dict[str, list[str]] = {}
    for place, level in enumerate(index.names):
        if level not in leave_out:
            parts[f"level {place}" if level is None else str(level)] = list(
                map(key_text, index.get_level_values(place))
            )
    fixed = {name: values[0] for name, values in parts.items() if len(set(values)) == 1}
    varying = [name for name in parts if name not in fixed]
    varying = varying or ([name for name in parts if name != "coefficient"] or list(parts))[:1]
    for name, partner in PARTNERS.items():  # also a coder who is the same in all pairs
        if name in parts and (partner in varying or name in varying):
            varying = [one for one in parts if one in (*varying, name, partner)]
    columns = {name: parts[name] for name in varying}
    between = _break_between(columns, between)
    width = style.MAX_NAME_CHARACTERS if len(columns) == 1 or "\n" in between else MAX_NAME_LETTERS
    short = {name: _short_column(values, width) for name, values in columns.items()}
    fixed = {name: value for name, value in fixed.items() if name not in varying}
    return Names(_joined(columns, len(index), between.replace("\n", " ")), _joined(short, len(index), between), fixed)


def _break_between(columns: dict[str, list[str]], between: str) -> str:
    """The text between the names of a pair, on a line of its own if there are long names and nothing else."""
    usual = next((PAIRED[name] for name in columns if name in PAIRED), "")
    long = any(len(value) > MAX_NAME_LETTERS for values in columns.values() for value in values)
    is_difference = "minus" in (between or usual)
    return "\nminus " if is_difference and long and len(columns) == 2 else between


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


@dataclass(frozen=True)
class PlotRows:
    """The rows of a picture, from top to bottom."""

    names: list[str]
    short: list[str]  # the names as they are written
    estimate: Array
    low: Array
    high: Array
    side: list[str]  # text to the right of each row
    hollow: Array  # dots that are not filled

    @property
    def undefined(self) -> list[str]:
        """The names of the rows without an estimate."""
        return [name for name, value in zip(self.names, self.estimate, strict=True) if np.isnan(value)]

    def take(self, order: Array) -> PlotRows:
        texts: Look = {name: [getattr(self, name)[place] for place in order] for name in ("names", "short", "side")}
        numbers: Look = {name: getattr(self, name)[order] for name in ("estimate", "low", "high", "hollow")}
        return replace(self, **texts, **numbers)


def summarised(rows: PlotRows) -> tuple[PlotRows, str]:
    """Of very many rows the highest and the lowest, with one for all between; and what was done, in words."""
    if len(rows.names) <= MAX_ROWS:
        return rows, ""
    order = np.argsort(-np.nan_to_num(rows.estimate, nan=-np.inf), kind="stable")
    known = order[: int(np.count_nonzero(~np.isnan(rows.estimate)))]
    if len(known) <= MAX_ROWS:
        return rows.take(known), f"\nleft out: {len(order) - len(known):,} undefined rows"
    between = rows.estimate[known[ROWS_AT_AN_END:-ROWS_AT_AN_END]]
    low, middle, high = np.quantile(between, [0.0, 0.5, 1.0])
    name = f"{len(between):,} between: median, range"
    ends = rows.take(np.concatenate([known[:ROWS_AT_AN_END], known[-ROWS_AT_AN_END:]]))
    texts: Look = {part: _insert(getattr(ends, part), name) for part in ("names", "short")}
    numbers = zip(("estimate", "low", "high", "hollow"), (middle, low, high, True), strict=True)
    arrays: Look = {part: np.insert(getattr(ends, part), ROWS_AT_AN_END, value) for part, value in numbers}
    arrays["side"] = _insert(ends.side, _interval_text(middle, low, high))
    told = f"\nthe {ROWS_AT_AN_END} highest and the {ROWS_AT_AN_END} lowest of {len(order):,} rows"
    undefined = len(order) - len(known)
    return replace(ends, **texts, **arrays), told + (f"; {undefined:,} are undefined" if undefined else "")


def _insert(texts: list[str], text: str) -> list[str]:
    return [*texts[:ROWS_AT_AN_END], text, *texts[ROWS_AT_AN_END:]]


class Texts(NamedTuple):
    """The texts around a picture of rows: title, label below the axis, header of the numbers at the side."""

    title: str
    below: str
    side: str
    pad: float = 14  # points between title and Axes


def _column(result: pd.DataFrame, name: str) -> Array:
    return result[name].to_numpy(dtype=np.float64) if name in result else np.full(len(result), np.nan)


def _interval_text(estimate: float, low: float, high: float) -> str:
    if np.isnan(estimate):
        return "undefined"
    interval = "" if np.isnan(low) else f"  [{number(low, 2)}, {number(high, 2)}]"
    return typeset(f"{number(estimate, 2, '')}{interval}")


def rows_of(result: pd.DataFrame, names: Names, columns: Sequence[str] = ("estimate", "ci_low", "ci_high")) -> PlotRows:
    """The rows of a result, with their numbers at the side."""
    estimate = result[columns[0]].to_numpy(dtype=np.float64)
    low, high = (_column(result, name) for name in columns[1:])
    side = [_interval_text(*row) for row in zip(estimate, low, high, strict=True)]
    return PlotRows(names.full, names.short, estimate, low, high, side, np.zeros(len(side), dtype=bool))


def size_for(rows: PlotRows, lines: int = 1) -> tuple[float, float]:
    """Width and height in inches for the rows, each with so many lines."""
    names = [line for name in rows.short for line in name.split("\n")]
    width = 2.6 + 0.07 * max(map(len, names), default=0) + 0.068 * max(map(len, rows.side), default=0)
    each = max(0.27, 0.13 * lines, 0.36 * any("\n" in name for name in rows.short))
    return float(np.clip(width, 4.6, style.MAX_WIDTH)), float(np.clip(each * len(rows.names) + 1.3, 2.0, MAX_HEIGHT))


def draw_rows(ax: Axes, rows: PlotRows, shift: float = 0.0, **kwargs: Any) -> None:
    """Draw dots with lines, row 0 on top."""
    dot = float(np.clip(300 / max(len(rows.names), 1), 2, 5.5))  # smaller where there are hundreds
    look: Look = {"color": style.BLUE, "marker": "o", "markersize": dot, "elinewidth": 0.3 * dot, "linestyle": "none"}
    places = np.arange(len(rows.names)) + shift
    for chosen, fill in ((~rows.hollow, {}), (rows.hollow, {"markerfacecolor": style.paper(ax)})):
        if chosen.any():
            value = rows.estimate[chosen]
            ends = np.abs(np.stack([value - rows.low[chosen], rows.high[chosen] - value]))
            ax.errorbar(value, places[chosen], xerr=ends, **(look | kwargs | fill))


def frame_rows(ax: Axes, rows: PlotRows, header: str) -> None:
    """Write the names on the left and, where there is room, the numbers on the right."""
    n = len(rows.names)
    ax.set_ylim(n - 0.4, -0.6)
    short = style.shorten_all(rows.short, style.room(ax, "y")) if style.is_crowded(ax) else rows.short
    style.name_ticks(ax, "y", np.arange(n), rows.names, short)
    ax.tick_params(axis="y", length=0, labelsize=style.SMALL)
    style.settle(ax)
    narrow = style.is_crowded(ax) and ax.bbox.width < MIN_WIDTH_FOR_NUMBERS * style.root(ax).dpi
    if narrow or style.is_cramped(ax):
        return
    row = ax.bbox.height / max(n, 1) / style.root(ax).dpi
    more = max(0.0, 0.1 / row - 0.6)  # a thin first row keeps its number away from the header
    ax.set_ylim(n - 0.4, -0.6 - more)
    places = [round(place) for place in ax.get_yticks()]
    longest = max((len(rows.side[place]) for place in places), default=0)
    look: Look = {"fontsize": style.SMALL, "color": style.MUTED}
    for place in places:
        text = ax.text(1.02, place, rows.side[place], va="center", transform=ax.get_yaxis_transform(), **look)
        text.set_in_layout(len(rows.side[place]) == longest)  # measuring the others would take time
    ax.annotate(header, (1.02, 1), xytext=(0, 3), xycoords="axes fraction", textcoords="offset points", **look)


def limit_values(
    ax: Axes, rows: PlotRows, anchors: tuple[float, float] = (0.0, 1.0), more: Sequence[PlotRows] = ()
) -> None:
    """Set the axis from 0 to 1, or as far as the intervals go; an arrow marks an interval beyond the axis."""
    known = np.concatenate([part for one in (rows, *more) for part in (one.low, one.high, one.estimate)])
    known = known[~np.isnan(known)]
    low, high = min([anchors[0], *known]), max([anchors[1], *known])
    bounded = anchors == (0.0, 1.0)
    pad = (0.02 if bounded else 0.06) * (high - low)
    low = max(low, LOWEST) if bounded else low
    ax.set_xlim(low - pad, high + pad)
    if not bounded:
        ax.locator_params(axis="x", nbins=MAX_TICKS)  # longer numbers than those from 0 to 1
    for place in np.flatnonzero(rows.low < low):
        ax.plot([low - pad], [place], marker="<", color=style.MUTED, markersize=5, clip_on=False)


def draw_forest(
    rows: PlotRows,
    ax: Axes | None,
    figsize: style.Size,
    texts: Texts,
    kwargs: Look,
    anchors: tuple[float, float] = (0, 1),
) -> Axes:
    """Draw one series of rows with its texts; differences (other `anchors`) about the line at 0."""
    rows, left_out = summarised(rows)
    ax = style.axes_for(ax, figsize, size_for(rows))
    limit_values(ax, rows, anchors)
    if anchors != (0, 1):
        ax.axvline(0, color=style.ink(ax), linewidth=1)
    draw_rows(ax, rows, **kwargs)
    style.finish(ax, texts.title, "x", pad=texts.pad)
    ax.set_xlabel(f"{texts.below}{left_out}{style.listed(rows.undefined, 'undefined')}", fontsize=style.SMALL)
    frame_rows(ax, rows, texts.side)
    return ax


def draw_bands(ax: Axes, scale: str, axis: str = "x") -> None:
    """Draw the bands of a benchmark scale in light greys, with their words on the edge."""
    chosen = choose("bands", scale, BENCHMARKS)
    style.arrange(ax)  # whether a word fits depends on the final layout
    low, high = ax.get_xlim() if axis == "x" else ax.get_ylim()
    edges, words = [low, *chosen.cuts, high], []
    for place, word in enumerate(chosen.words):
        start, end = max(edges[place], low), min(edges[place + 1], high)
        if start >= end:
            continue
        grey = style.SHADE if (len(chosen.words) - place) % 2 else style.LIGHT_SHADE
        span = ax.axvspan if axis == "x" else ax.axhspan
        span(start, end, color=grey, zorder=0, linewidth=0)
        if MIN_BAND * (high - low) < end - start < high - low and not style.is_cramped(ax):  # one band needs no word
            words.append(_band_word(ax, axis, (start + end) / 2, word))
    (_stagger if axis == "x" else _hide_crowded)(words)


def _band_word(ax: Axes, axis: str, middle: float, word: str) -> Any:
    look: Look = {"fontsize": style.SMALL, "color": style.MUTED, "style": "italic", "textcoords": "offset points"}
    if axis == "x":
        look |= {"xytext": (0, 3), "xycoords": ax.get_xaxis_transform(), "ha": "center", "va": "bottom"}
        return ax.annotate(word, (middle, 1), **look)
    look |= {"xytext": (4, 0), "xycoords": ax.get_yaxis_transform(), "ha": "left", "va": "center"}
    return ax.annotate(word, (1, middle), **look)


def _stagger(words: list[Any]) -> None:
    """Lift every other word, from the highest band down, if neighbours touch; hide those that touch even then."""
    boxes = [word.get_window_extent() for word in words]
    if any(one.x1 + 2 > two.x0 for one, two in pairwise(boxes)):
        for word in words[::-2]:
            word.set_position((0, 3 + LINE * word.get_fontsize()))
    _hide_crowded(words[::-2])
    _hide_crowded(words[-2::-2])


def _hide_crowded(words: list[Any]) -> None:
    """Hide each word that touches one before it."""
    shown: list[Any] = []
    for word in words:
        box = word.get_window_extent()
        word.set_visible(not any(box.overlaps(other) for other in shown))
        shown += [box] if word.get_visible() else []


def level_of(result: pd.DataFrame) -> str:
    """The level of the intervals, such as '95% '; empty if they differ."""
    level = fact(result, "ci_level")
    return f"{confidence(level)} " if level is not None else ""


def legend_name(name: Hashable) -> str:
    """A short name for a legend, not beginning with an underscore: matplotlib would leave it out."""
    text = style.shorten(name, 2 * style.MAX_NAME_CHARACTERS)
    return text if not text.startswith("_") else f" {text}"


def legend_lines(names: Sequence[str]) -> int:
    """How many lines the legend of these names has."""
    return -(-len(names) // _legend_columns(names))


def _legend_columns(names: Sequence[str]) -> int:
    return max(1, 48 // (max(map(len, names), default=1) + 4))


def legend_below(ax: Axes) -> None:
    """A legend below the label of the x axis; inside the Axes where no layout engine makes room for it."""
    from matplotlib.transforms import ScaledTranslation

    if style.is_cramped(ax):
        ax.legend(fontsize=style.SMALL, loc="best")
        return
    figure = style.root(ax)
    style.note_fonts(ax)
    style.arrange(ax)
    down = (ax.bbox.y0 - ax.xaxis.label.get_window_extent().y0) / figure.dpi
    place = ax.transAxes + ScaledTranslation(0, -down - 0.02, figure.dpi_scale_trans)
    n_columns = _legend_columns(ax.get_legend_handles_labels()[1])
    ax.legend(fontsize=style.SMALL, frameon=False, loc="upper left", bbox_to_anchor=(0, 0), bbox_transform=place,
              ncols=n_columns, borderaxespad=0.2, borderpad=0, handletextpad=0.3)  # fmt: skip
