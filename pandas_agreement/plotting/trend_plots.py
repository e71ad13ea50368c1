"""The plot of a coefficient by batch or over time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from pandas_agreement.errors import InputError, choose
from pandas_agreement.interpreting import BENCHMARKS
from pandas_agreement.plotting import style
from pandas_agreement.plotting.intervals import draw_bands, label_rows, legend_name, rows_of, undefined
from pandas_agreement.plotting.style import Array, Canvas, Look
from pandas_agreement.results.natural_order import key_text, reading_places
from pandas_agreement.results.tidy import level_of, with_coefficient

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@style.picture("Axes.plot")
def trend(result: pd.DataFrame, canvas: Canvas, *, threshold: float | None = None, bands: str | None = None) -> Axes:
    """A coefficient by batch or over time, with its intervals as a band and a threshold.

    The last group key is the x axis, which is a time axis for dates and Periods. There is one line per value of the
    other keys and per coefficient. Names are in their natural order. The line is interrupted at undefined estimates.
    """
    if bands is not None:
        choose("bands", bands, BENCHMARKS)
    result = with_coefficient(result)
    key = _key_of(result)
    lines = label_rows(result.index, leave_out=(key,)).full
    places, names, how = _places(result.index, key)
    ax = canvas.axes(_size_for(names))
    for number, name in enumerate(dict.fromkeys(lines)):
        chosen = np.array([one == name for one in lines])
        label = {"label": legend_name(name)} if len(set(lines)) > 1 else {}
        _draw_line(ax, places[chosen], result[chosen], _look(number) | label | canvas.style)
    if threshold is not None:
        dashed: Look = {"color": style.ink(ax), "linewidth": 1.2, "linestyle": (0, (5, 3))}
        ax.axhline(threshold, label=f"threshold {threshold:g}", **dashed)
    _limit(ax, result)
    _name_places(ax, places, names)
    unknown = style.listed(undefined(rows_of(result, label_rows(result.index))), "undefined")
    ax.set_xlabel(f"{key}{how}{unknown}", fontsize=style.SMALL)
    found = [style.coefficient(name) for name in result.index.get_level_values("coefficient").unique()]
    ax.set_ylabel(found[0] if len(found) == 1 else "coefficient")
    with_intervals = f", with {level_of(result)}intervals" if result["ci_low"].notna().any() else ""
    title = f"{', '.join(found)} by {key}{with_intervals}"
    style.finish(ax, canvas.title or f"{title[0].upper()}{title[1:]}", "y")
    if bands is not None:
        draw_bands(ax, bands, "y")
    return ax


def _size_for(names: list[str]) -> tuple[float, float]:
    """Width and height in inches, with room for tilted names."""
    different = len(set(names))
    width = float(np.clip(1.6 + 0.165 * different, 5, style.MAX_WIDTH))
    return width, 3.4 + (0.7 * style.span(names) if different * style.span(names) > width - 1 else 0)


def _key_of(result: pd.DataFrame) -> Any:
    keys = [name for name in result.index.names if name != "coefficient"]
    if not keys or "coder_1" in keys or "category" in keys:
        remedy = "compute it with by=, as in df.agree.kappa(by='batch')"
        raise InputError("trend draws a coefficient by group", remedy, option="by", code="missing option")
    return keys[-1]


def _places(index: Any, key: Any) -> tuple[Array, list[str], str]:
    """The position of each key on the axis; names and their order in words, unless the keys are times or numbers."""
    keys = index.get_level_values(key)
    if isinstance(keys.dtype, pd.PeriodDtype):
        return pd.PeriodIndex(keys).to_timestamp().to_numpy(), [], ""
    if keys.inferred_type == "date":
        keys = pd.DatetimeIndex(keys)
    if pd.api.types.is_datetime64_any_dtype(keys.dtype):
        return pd.DatetimeIndex(keys).tz_localize(None).to_numpy(), [], ""
    if pd.api.types.is_numeric_dtype(keys.dtype) and not pd.api.types.is_bool_dtype(keys.dtype):
        return keys.to_numpy(dtype=np.float64), [], ""
    places, how = reading_places(index.droplevel("coefficient"))
    last, names = places[-1], [key_text(each) for each in keys]
    moved = not np.array_equal(last, pd.factorize(keys)[0])
    return last.astype(np.float64), names, f", {how[-1]}" if moved else ""


def _look(number: int) -> Look:
    kinds = len(style.COLOURS)
    return {
        "color": style.COLOURS[number % kinds],
        "marker": style.MARKERS[number % kinds],
        "linestyle": style.LINES[number // kinds % len(style.LINES)],
        "markersize": 5,
        "linewidth": 1.6,
    }


def _draw_line(ax: Axes, places: Array, part: pd.DataFrame, look: Look) -> None:
    order = np.argsort(places, kind="stable")
    x = places[order]
    estimate, low, high = (part[name].to_numpy()[order] for name in ("estimate", "ci_low", "ci_high"))
    (line,) = ax.plot(x, estimate, **look)
    ax.fill_between(x, low, high, color=line.get_color(), alpha=0.15, linewidth=0)
    alone = _alone(estimate)
    ends = np.abs(np.stack([estimate - low, high - estimate]))[:, alone]
    if alone.any():  # a band would have no width
        ax.errorbar(x[alone], estimate[alone], yerr=ends, color=line.get_color(), linestyle="none", elinewidth=1.6)


def _alone(estimate: Array) -> Array:
    """Estimates without a defined neighbour."""
    known = np.pad(~np.isnan(estimate), 1)
    return known[1:-1] & ~known[:-2] & ~known[2:]


def _limit(ax: Axes, result: pd.DataFrame) -> None:
    """From 0 to 1, or as far as the intervals go, not below -1."""
    known = result[["estimate", "ci_low", "ci_high"]]
    low, high = np.fmax(np.fmin(0.0, known.min().min()), -1.0), np.fmax(1.0, known.max().max())
    ax.set_ylim(low - 0.02 * (high - low), high + 0.02 * (high - low))


def _name_places(ax: Axes, places: Array, names: list[str]) -> None:
    if np.issubdtype(places.dtype, np.datetime64):
        from matplotlib.dates import AutoDateLocator, ConciseDateFormatter

        locator = AutoDateLocator(maxticks=8)  # type: ignore[no-untyped-call]
        ax.xaxis.set_major_locator(locator)
        ax.xaxis.set_major_formatter(ConciseDateFormatter(locator))  # type: ignore[no-untyped-call]
    elif names:
        unique = dict(sorted(zip(places, names, strict=True)))
        style.name_ticks(ax, "x", list(unique), list(unique.values()))
        ax.set_xlim(min(unique) - 0.4, max(unique) + 0.4)
    elif (places == places.round()).all():
        from matplotlib.ticker import MaxNLocator

        ax.xaxis.set_major_locator(MaxNLocator("auto", integer=True))  # there is no batch 2.5
    ax.tick_params(axis="x", labelsize=style.SMALL)
