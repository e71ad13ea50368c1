"""Pictures with one row per estimate: coefficients, groups, pairs, categories, differences, coders."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from pandas_agreement.coefficients.registry import REGISTRY
from pandas_agreement.errors import InputError, choose
from pandas_agreement.formatting import signed, typeset
from pandas_agreement.interpreting import BENCHMARKS, interpret, usual_benchmark
from pandas_agreement.plotting import style
from pandas_agreement.plotting.intervals import (
    MAX_ROWS,
    MINUS,
    PAIRED,
    PARTNERS,
    Names,
    PlotRows,
    Texts,
    draw_bands,
    draw_forest,
    draw_rows,
    frame_rows,
    label_rows,
    legend_below,
    legend_name,
    level_of,
    limit_values,
    rows_of,
    size_for,
)
from pandas_agreement.plotting.style import Array, Look, Size
from pandas_agreement.results.facts import UNKNOWN, noted, with_coefficient
from pandas_agreement.results.natural_order import reading_places, reading_rank

if TYPE_CHECKING:
    from matplotlib.axes import Axes


#: levels that are no group keys
NO_KEYS = {"category", "coder", "coder_1", "coder_2", "coder_group", "coder_group_1", "coder_group_2", "coefficient"}
NO_KEYS |= {"pooling"}
FOR_SCORES = ("koo_li", "cicchetti")  # benchmark scales of intraclass correlations


def _without_words(index: pd.Index, scale: str | None) -> tuple[Array, str]:
    """Which rows the benchmark scale does not apply to, and why."""
    uncorrected = interpret(pd.Series(1.0, index=index), "landis_koch").isna().to_numpy()
    of_scores = index.get_level_values("coefficient").isin([r.name for r in REGISTRY.values() if r.needs_numbers])
    if scale is None or scale in FOR_SCORES or not of_scores.any():
        return uncorrected, "not corrected for chance"
    return uncorrected | of_scores, "not on this scale"


def _usual_bands(coefficients: pd.Index) -> str | None:
    """The benchmark that all coefficients have that have any; None if they have none or several."""
    found = set(map(usual_benchmark, coefficients.unique())) - {""}
    return found.pop() if len(found) == 1 else None


MAX_SERIES = 40  # metrics or groups that are drawn beside each other
MAX_CATEGORIES = 10_000  # rows of a picture of categories
MAX_CODERS = 30  # of a picture with one row per coder; of more, those with the lowest agreement are shown


@style.picture("Axes.errorbar")
def forest(
    result: pd.DataFrame,
    *,
    bands: str | None = "usual",
    sort: bool = False,
    header: str | None = None,
    ax: Axes | None = None,
    figsize: Size = None,
    title: str | None = None,
    **kwargs: Any,
) -> Axes:
    """Estimates with their intervals, one row each: coefficients, groups or pairs.

    Parameters
    ----------
    result : DataFrame
        What a coefficient, `summary`, `by_pair`, `pooled` or `icc` returned.
    bands : str or None
        The benchmark behind the estimates, one of `pandas_agreement.interpret`; None for none. "usual" is the one made
        for the coefficients, or none if they have several. Estimates to which it does not apply are hollow if there are
        others: those not corrected for chance, and coefficients of scores, such as intraclass correlations, which have
        "koo_li" and "cicchetti".
    sort : bool
        Highest estimate on top. Otherwise the rows are in their order, groups as people read them: batch_2 before
        batch_10, dates by time, an ordered Categorical in its own order.
    header : str, optional
        Header of the numbers at the side.
    {DRAWING}
        Row 0 is on top. The numbers at the side need ``layout="constrained"`` in a figure with several Axes. Undefined
        estimates keep their row and are listed below the axis. Of more than 60 rows the 15 highest and the 15 lowest
        are shown, and one for the median and the range of those between.

    Examples
    --------
    >>> from pandas_agreement.plotting import forest
    >>> ax = forest(df.agree.summary("ann", "bob", metrics=["observed", "kappa"]))
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['observed', 'kappa']
    """
    result = with_coefficient(result)
    found = result.index.get_level_values("coefficient").unique()
    if bands == "usual":
        bands = _usual_bands(found) if UNKNOWN not in found else None
    if bands is not None:
        choose("bands", bands, BENCHMARKS)
    names = label_rows(result.index)
    plain, reason = _without_words(result.index, bands)
    rows = replace(rows_of(result, names), hollow=plain & (not plain.all()))
    order, how = (_highest_first(rows.estimate), "") if sort else _as_people_read(result.index)
    hollow = f"\nhollow: {reason}" if rows.hollow.any() else ""
    rows = rows.take(order)
    below = (found[0] if len(found) == 1 else "coefficient") + hollow
    below += f"\nrows {how}" if how and len(rows.names) <= MAX_ROWS else ""
    interval = "" if np.isnan(rows.low).all() else f"  [{level_of(result)}interval]"
    bands = None if plain.all() else bands
    title = title or _forest_title(result, names.fixed)
    texts = Texts(title, below, header or f"estimate{interval}", pad=14 if bands is None else 30)
    ax = draw_forest(rows, ax, figsize, texts, kwargs)
    if bands is not None:
        draw_bands(ax, bands)
    return ax


def _difference_title(result: pd.DataFrame) -> str:
    """Of which coefficient, if there is one."""
    return f"Differences of {noted(result, 'coefficient') or 'coefficients'}"


def _as_people_read(index: Any) -> tuple[Array, str]:
    """The order of the rows by their group keys, and that order in words if it is not that of the rows."""
    keys = [name for name in index.names if name not in NO_KEYS]
    if not keys:
        return np.arange(len(index)), ""
    groups = index.droplevel([name for name in index.names if name not in keys])
    order = np.argsort(reading_rank(groups))
    moved = not np.array_equal(order, np.arange(len(order)))
    return order, ", ".join(dict.fromkeys(reading_places(groups)[1])) if moved else ""


def _forest_title(result: pd.DataFrame, fixed: Collection[str]) -> str:
    own = {"coder_1": "pair of coders", "coder_group": "group of coders", "coder_group_1": "pair of groups"}
    seconds = ("coder_2", "coder_group_2", "coefficient")
    varying = [name for name in result.index.names if name not in fixed and name not in seconds]
    by = " and ".join(own.get(str(name), str(name)) for name in varying)
    items: Any = result["n_items"].unique() if "n_items" in result else []
    about = f", {items[0]:,} items" if len(items) == 1 else ""
    found = result.index.get_level_values("coefficient").unique()
    what = found[0] if len(found) == 1 else "Coefficients"
    return (f"{what} by {by}" if by else what) + about


@style.picture("Axes.errorbar")
def by_category(
    result: pd.DataFrame,
    *,
    sort: bool = True,
    ax: Axes | None = None,
    figsize: Size = None,
    title: str | None = None,
    **kwargs: Any,
) -> Axes:
    """Agreement on each category, the best on top, with the number of labels.

    Parameters
    ----------
    result : DataFrame
        What `df.agree.by_category` returned; several metrics or groups are drawn beside each other.
    sort : bool
        Highest estimate of the first metric on top, instead of the order of the categories.
    {DRAWING}

    Examples
    --------
    >>> from pandas_agreement.plotting import by_category
    >>> ax = by_category(df.agree.by_category("ann", "bob", metrics=["rate"]))
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['y', 'n']
    """
    result = with_coefficient(result)
    _check_categories(result.index)
    labels = list(dict.fromkeys(result.index.get_level_values("category")))
    series, _, fixed = label_rows(result.index, leave_out=("category",))
    _check_series(len(set(series)))
    parts = {name: _by_label(result[[one == name for one in series]], labels) for name in dict.fromkeys(series)}
    order = _highest_first(parts[series[0]]["estimate"].to_numpy()) if sort else np.arange(len(labels))
    full = [style.text_of(labels[place]) for place in order]
    names = Names(full, style.shorten_all(full), {})
    once = result.index.get_level_values("coefficient") == result.index.get_level_values("coefficient")[0]
    counts = result[once].groupby(level="category", sort=False)["n_labels"].sum().reindex(_as_index(labels))
    side = [f"{count:,.0f}" for count in counts.to_numpy()[order]]
    rows = {name: replace(rows_of(part.iloc[order], names), side=side) for name, part in parts.items()}
    what = fixed.get("coefficient", series[0] if len(rows) == 1 else "agreement")
    ax = style.axes_for(ax, figsize, size_for(rows[series[0]], lines=len(rows)))
    _draw_series(ax, rows, f"{what}{_reordered(order, 'categories by agreement')}", kwargs)
    style.finish(ax, title or f"Agreement on each category ({fixed.get('coefficient', ', '.join(rows))})", "x", pad=14)
    frame_rows(ax, rows[series[0]], "labels")
    if len(rows) > 1:
        legend_below(ax)
    return ax


def _check_categories(index: Any) -> None:
    n = len(index.unique("category"))
    if n > MAX_CATEGORIES:
        problem = f"by_category draws a row for each of at most {MAX_CATEGORIES:,} categories, and got {n:,}"
        remedy = "merge categories, or draw some rows of the result, such as result.nlargest(20, 'n_labels')"
        raise InputError(problem, remedy, code="too large")


def _check_series(n: int) -> None:
    if n > MAX_SERIES:
        problem = f"by_category draws at most {MAX_SERIES} metrics and groups beside each other, and got {n:,}"
        raise InputError(problem, "choose some with result.loc[groups]", code="too large")


def _reordered(order: Array, how: str) -> str:
    """A line that says how the rows are ordered, if not as they were given."""
    return f"\n{how}, the highest on top" if (order != np.arange(len(order))).any() else ""


def _highest_first(values: Array) -> Array:
    return np.argsort(-np.nan_to_num(values, nan=-np.inf), kind="stable")


def _by_label(part: pd.DataFrame, labels: list[Any]) -> pd.DataFrame:
    """The rows of one metric and group, one for each label."""
    flat = part.set_axis(_as_index(part.index.get_level_values("category")), axis=0)
    return flat.reindex(_as_index(labels))


def _as_index(labels: Iterable[Any]) -> pd.Index:
    return pd.Index(list(labels), tupleize_cols=False)


def _draw_series(ax: Axes, series: dict[str, PlotRows], what: str, kwargs: Look) -> None:
    """Draw several series of the same rows beside each other, each with its colour and marker."""
    first, *others = series.values()
    limit_values(ax, first, more=others)
    shifts = (np.arange(len(series)) - (len(series) - 1) / 2) * 0.7 / len(series)
    undefined = []
    for number, (name, rows) in enumerate(series.items()):
        look = {"color": style.COLOURS[number % 7], "marker": style.MARKERS[number % 7], "label": legend_name(name)}
        draw_rows(ax, rows, shifts[number], **(look | kwargs))
        undefined += [row if len(series) == 1 else f"{row} ({name})" for row in rows.undefined]
    ax.set_xlabel(f"{what}{style.listed(undefined, 'undefined')}", fontsize=style.SMALL)


@style.picture("Axes.errorbar")
def differences(
    result: pd.DataFrame,
    *,
    sort: bool = False,
    ax: Axes | None = None,
    figsize: Size = None,
    title: str | None = None,
    **kwargs: Any,
) -> Axes:
    """Differences of coefficients with their intervals, about the line of no difference.

    Parameters
    ----------
    result : DataFrame
        What `df.agree.compare` returned. The joint test is written below the axis, with its F if there are details.
    sort : bool
        Highest difference on top, instead of the order of the rows.
    {DRAWING}

    Examples
    --------
    >>> from pandas_agreement.plotting import differences
    >>> ax = differences(df.agree.compare(["ann", "bob"], ["ann", "cleo"]))
    >>> ax.get_xlabel()
    'difference'
    """
    pair = next(name for name, other in PARTNERS.items() if PAIRED[other] == MINUS and name in result.index.names)
    together = result.index.get_level_values(pair) == "(all)"
    single = result[~together]
    rows = rows_of(single, label_rows(single.index), ("difference", "difference_low", "difference_high"))
    if sort:
        rows = rows.take(_highest_first(rows.estimate))
    below = "difference" + "".join(_joint_test(row) for _, row in result[together].iterrows())
    texts = Texts(title or _difference_title(result), below, f"difference  [{level_of(single)}interval]")
    return draw_forest(rows, ax, figsize, texts, kwargs, anchors=(-0.1, 0.1))


def _joint_test(row: pd.Series) -> str:
    """The test of all differences at once, on a line of its own; F is a column of details."""
    statistic = f"F = {row['statistic']:.2f}, " if "statistic" in row else ""
    return f"\nall at once: {statistic}p = {row['p_value']:.2g}"


@style.picture("Axes.errorbar")
def by_coder(
    result: pd.DataFrame,
    *,
    sort: bool = True,
    ax: Axes | None = None,
    figsize: Size = None,
    title: str | None = None,
    **kwargs: Any,
) -> Axes:
    """Each coder's agreement with the others, and kappa against the majority of the others.

    Parameters
    ----------
    result : DataFrame
        What `df.agree.by_coder` returned.
    sort : bool
        Highest agreement on top, instead of the order of the coders.
    {DRAWING}
        The numbers at the side are the change of alpha without the coder. Of more than 30 coders those with the lowest
        agreement are shown, and the number of all is in the title.

    Examples
    --------
    >>> from pandas_agreement.plotting import by_coder
    >>> ax = by_coder(df.agree.by_coder())
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['cleo', 'ann', 'bob']
    """
    n_coders, agreement = len(result), result["agreement"].to_numpy()
    if n_coders > MAX_CODERS:
        result = result.iloc[np.sort(np.argsort(agreement, kind="stable")[:MAX_CODERS])]
    names = label_rows(result.index)
    order = _highest_first(result["agreement"].to_numpy()) if sort else np.arange(len(result))
    change = [typeset(signed(value, 2)) for value in result["alpha_change"]]
    shown = {"agreement with the others": "agreement", "kappa against their majority": "kappa_majority"}
    if result["kappa_majority"].isna().all():  # of scores
        del shown["kappa against their majority"]
    series = {
        title: replace(rows_of(result, names, (column, "", "")), side=change).take(order)
        for title, column in shown.items()
    }
    first = next(iter(series.values()))
    ax = style.axes_for(ax, figsize, size_for(first))
    what = "agreement, kappa" if len(shown) > 1 else "agreement"
    _draw_series(ax, series, f"{what}{_reordered(order, 'coders by agreement')}", kwargs)
    which = "Each coder" if len(result) == n_coders else f"The {len(result)} lowest of {n_coders:,} coders"
    style.finish(ax, title or f"{which} against the others", "x", pad=30)
    frame_rows(ax, first, "change of alpha\nwithout the coder")
    legend_below(ax)
    return ax
