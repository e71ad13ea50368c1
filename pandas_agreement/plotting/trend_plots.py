"""The plot of a coefficient by batch or over time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from pandas_agreement.errors import InputError, choose
from pandas_agreement.interpreting import BENCHMARKS
from pandas_agreement.plotting import style
from pandas_agreement.plotting.intervals import draw_bands, label_rows, legend_below, legend_name, level_of
from pandas_agreement.plotting.style import Array, Look, Size
from pandas_agreement.results.facts import with_coefficient
from pandas_agreement.results.natural_order import key_text, reading_places

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@style.picture("Axes.plot")
def trend(
    result: pd.DataFrame,
    *,
    threshold: float | None = None,
    bands: str | None = None,
    ax: Axes | None = None,
    figsize: Size = None,
    title: str | None = None,
    **kwargs: Any,
) -> Axes:
    """A coefficient by batch or over time, with the band of its intervals and a threshold.

    Parameters
    ----------
    result : DataFrame
        What a coefficient or `summary` returned with `by`. The last group key is the x axis, a time axis for dates and
        Periods; there is one line per value of the other keys and per coefficient. Names are in the order in which
        people read them, batch_2 before batch_10; an ordered Categorical has its own order.
    threshold : float, optional
        Value to reach, drawn as a line, such as 0.8.
    bands : str, optional
        Benchmark scale behind the line, one of `pandas_agreement.interpret`.
    {DRAWING}
        Undefined estimates are gaps in the line and listed below the axis.

    Examples
    --------
    >>> from pandas_agreement.plotting import trend
    >>> example = pandas_agreement.load_example()
    >>> ax = trend(example.agree.kappa("ann", "bob", by="batch"), threshold=0.8)
    >>> ax.lines[0].get_ydata().round(2).tolist()
    [0.33, 0.47, 0.38, 0.86, 0.77, 0.83]
    """
    if bands is not None:
        choose("bands", bands, BENCHMARKS)
    result = with_coefficient(result)
    key = _key_of(result)
    lines = label_rows(result.index, leave_out=(key,)).full
    places, names, how = _places(result.index, key)
    several = len(set(lines)) > 1
    ax = style.axes_for(ax, figsize, _size_for(names))
    for number, name in enumerate(dict.fromkeys(lines)):
        chosen = np.array([one == name for one in lines])
        look = _look(number) | ({"label": legend_name(name)} if several else {}) | kwargs
        _draw_line(ax, places[chosen], result[chosen], look)
    _frame(ax, result, f"{key}{how}")
    _name_places(ax, places, names)
    coefficients = result.index.get_level_values("coefficient").unique()
    ax.set_ylabel(coefficients[0] if len(coefficients) == 1 else "coefficient")
    of = f"; band: {level_of(result)}interval" if result["ci_low"].notna().any() else ""
    style.finish(ax, title or f"{', '.join(coefficients)} over {key}{of}", "y")
    if bands is not None:
        style.settle(ax)
        draw_bands(ax, bands, "y")
        style.settle(ax)  # the words take width from the names
    if threshold is not None:
        _draw_threshold(ax, threshold, several or style.is_cramped(ax))
    if ax.get_legend_handles_labels()[1]:
        _add_legend(ax, bands is not None)
    if bands is None:
        style.settle(ax)  # so do a legend and the name of a threshold
    return ax


def _add_legend(ax: Axes, below: bool) -> None:
    """Add a legend beside the Axes, below words at their side, or inside where no layout engine makes room."""
    if below:
        legend_below(ax)
        return
    beside: Look = {"loc": "upper left", "bbox_to_anchor": (1.01, 1), "frameon": False}
    ax.legend(fontsize=style.SMALL, **({"loc": "best"} if style.is_cramped(ax) else beside))


def _size_for(names: list[str]) -> tuple[float, float]:
    """Width and height in inches, with room for upright names."""
    different = len(set(names))
    width = float(np.clip(1.6 + 0.165 * different, 5, style.MAX_WIDTH))
    return width, 3.4 + (style.span(names) if different * style.span(names) > width - 1 else 0)


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


def _look(number: int) -> dict[str, Any]:
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
    known = ~np.isnan(estimate)
    beside = np.zeros_like(known)
    beside[:-1] |= known[1:]
    beside[1:] |= known[:-1]
    return known & ~beside


def _frame(ax: Axes, result: pd.DataFrame, key: Any) -> None:
    columns = result[["estimate", "ci_low", "ci_high"]].to_numpy()
    known = columns[~np.isnan(columns)]
    low, high = max(min([0.0, *known]), -1.0), max([1.0, *known])
    ax.set_ylim(low - 0.02 * (high - low), high + 0.02 * (high - low))
    names = label_rows(result.index).full
    undefined = [name for name, value in zip(names, result["estimate"], strict=True) if np.isnan(value)]
    ax.set_xlabel(f"{key}{style.listed(undefined, 'undefined')}", fontsize=style.SMALL)


def _draw_threshold(ax: Axes, threshold: float, in_legend: bool) -> None:
    """Draw a dashed line, named in the legend or beside it, where it hides the word of a band."""
    text = f"threshold {threshold:g}"
    ax.axhline(threshold, color=style.ink(ax), linewidth=1.2, linestyle=(0, (5, 3)), label=text if in_legend else None)
    if in_legend:
        return
    at = ax.get_yaxis_transform()
    note = ax.annotate(text, (1, threshold), xytext=(4, 0), xycoords=at, textcoords="offset points", va="center")
    note.set(fontsize=style.SMALL, color=style.ink(ax))
    for other in ax.texts:
        if other is not note and other.get_window_extent().overlaps(note.get_window_extent()):
            other.set_visible(False)


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
