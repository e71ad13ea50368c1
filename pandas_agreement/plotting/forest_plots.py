"""Pictures with a row an estimate: coefficients, groups, pairs, categories, differences, coders."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from pandas_agreement.coefficients.registry import REGISTRY
from pandas_agreement.errors import choose
from pandas_agreement.formatting import signed, typeset
from pandas_agreement.interpret import SCALES, interpret
from pandas_agreement.plotting import style
from pandas_agreement.plotting.intervals import (
    Names,
    Rows,
    draw_bands,
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
from pandas_agreement.plotting.style import Array, Size

if TYPE_CHECKING:
    from matplotlib.axes import Axes


FOR_SCORES = ("koo_li", "cicchetti")  # scales that speak about intraclass correlations


def _without_words(index: pd.Index, scale: str | None) -> tuple[Array, str]:
    """Rows that the scale says nothing about, and why."""
    uncorrected = interpret(pd.Series(1.0, index=index)).isna().to_numpy()
    of_scores = index.get_level_values("coefficient").isin([r.name for r in REGISTRY.values() if r.kind == "scores"])
    if scale is None or scale in FOR_SCORES or not of_scores.any():
        return uncorrected, "not corrected for chance"
    return uncorrected | of_scores, "not on this scale"


@style.picture("Axes.errorbar")
def forest(
    result: pd.DataFrame,
    *,
    bands: str | None = "landis_koch",
    sort: bool = False,
    header: str | None = None,
    ax: Axes | None = None,
    figsize: Size = None,
    title: str | None = None,
    **kwargs: Any,
) -> Axes:
    """Estimates with their intervals, a row each: coefficients, groups, pairs or coders left out.

    Parameters
    ----------
    result : DataFrame
        What a coefficient, `summary`, `pairwise`, `without`, `pooled` or `icc` returned.
    bands : str or None
        The benchmark scale behind the estimates, one of `pandas_agreement.interpret`; None for none. Among others,
        estimates that it does not speak about are hollow: those not corrected for chance, and coefficients of scores,
        such as intraclass correlations, for which there are "koo_li" and "cicchetti".
    sort : bool
        Highest estimate on top, instead of the order of the rows.
    header : str, optional
        What the numbers at the side are called.
    {DRAWING}

    Returns
    -------
    Axes
        Row 0 on top, with its numbers at the side; among other Axes they need a figure with ``layout="constrained"``,
        which makes room for them. Undefined estimates keep their row and are listed below the axis.

    Examples
    --------
    >>> from pandas_agreement.plotting import forest
    >>> ax = forest(df.agree.summary("ann", "bob", metrics=["observed", "kappa"]))
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['observed', 'kappa']
    """
    style.refuse_empty(result)
    if bands is not None:
        choose("bands", bands, SCALES)
    names = label_rows(result.index)
    plain, reason = _without_words(result.index, bands)
    rows = replace(rows_of(result, names), hollow=plain & (not plain.all()))
    if sort:
        rows = rows.take(_highest_first(rows.estimate))
    ax = style.axes_for(ax, figsize, size_for(rows))
    limit_values(ax, rows)
    draw_rows(ax, rows, **kwargs)
    found = result.index.get_level_values("coefficient").unique()
    coefficient = found[0] if len(found) == 1 else "coefficient"
    words = bands is not None and not plain.all()
    style.finish(ax, title or _forest_title(result, names.fixed), "x", pad=24 if words else 14)
    hollow = f"\nhollow: {reason}" if rows.hollow.any() else ""
    ax.set_xlabel(f"{coefficient}{hollow}{style.listed(rows.undefined, 'undefined')}", fontsize=style.SMALL)
    interval = "" if np.isnan(rows.low).all() else f"  [{level_of(result)}interval]"
    frame_rows(ax, rows, header or f"estimate{interval}")
    if words and bands is not None:
        draw_bands(ax, bands)
    return ax


def _forest_title(result: pd.DataFrame, fixed: dict[str, Any]) -> str:
    own = {"coder_1": "pair of coders", "coder": "coder left out", "category": "category", "pooling": "pooling"}
    varying = [name for name in result.index.names if name not in fixed and name not in ("coder_2", "coefficient")]
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

    Returns
    -------
    Axes

    Examples
    --------
    >>> from pandas_agreement.plotting import by_category
    >>> ax = by_category(df.agree.by_category("ann", "bob", metrics=["rate"]))
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['y', 'n']
    """
    style.refuse_empty(result)
    labels = list(dict.fromkeys(result.index.get_level_values("category")))
    series, _, fixed = label_rows(result.index, leave_out=("category",))
    parts = {name: _by_label(result[[one == name for one in series]], labels) for name in dict.fromkeys(series)}
    order = _highest_first(parts[series[0]]["estimate"].to_numpy()) if sort else np.arange(len(labels))
    full = [str(labels[place]) for place in order]
    names = Names(full, style.shorten_all(full), {})
    once = result.index.get_level_values("coefficient") == result.index.get_level_values("coefficient")[0]
    counts = result[once].groupby(level="category", sort=False)["n_labels"].sum().reindex(_as_index(labels))
    side = [f"{count:,.0f}" for count in counts.to_numpy()[order]]
    rows = {name: replace(rows_of(part.iloc[order], names), side=side) for name, part in parts.items()}
    what = fixed.get("coefficient", series[0] if len(rows) == 1 else "agreement")
    ax = style.axes_for(ax, figsize, size_for(rows[series[0]], lines=len(rows)))
    _draw_series(ax, rows, what, kwargs)
    style.finish(ax, title or f"Agreement on each category ({fixed.get('coefficient', ', '.join(rows))})", "x", pad=14)
    frame_rows(ax, rows[series[0]], "labels")
    if len(rows) > 1:
        legend_below(ax)
    return ax


def _highest_first(values: Array) -> Array:
    return np.argsort(-np.nan_to_num(values, nan=-np.inf), kind="stable")


def _by_label(part: pd.DataFrame, labels: list[Any]) -> pd.DataFrame:
    """The rows of one metric and group, one for each label."""
    flat = part.set_axis(_as_index(part.index.get_level_values("category")), axis=0)
    return flat.reindex(_as_index(labels))


def _as_index(labels: Iterable[Any]) -> pd.Index:
    return pd.Index(list(labels), tupleize_cols=False)


def _draw_series(ax: Axes, series: dict[str, Rows], what: str, kwargs: dict[str, Any]) -> None:
    """Several series of the same rows beside each other, told apart by colour and marker."""
    first, *others = series.values()
    limit_values(ax, first, more=others)
    shifts = (np.arange(len(series)) - (len(series) - 1) / 2) * 0.7 / len(series)
    undefined = []
    for number, (name, rows) in enumerate(series.items()):
        look = {
            "color": style.COLOURS[number % 7],
            "marker": style.MARKERS[number % 7],
            "label": legend_name(name),
        }
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
        What `df.agree.compare` or `df.agree.contrasts` returned. The test of all at once is written below the axis.
    sort : bool
        Highest difference on top, instead of the order of the rows.
    {DRAWING}

    Returns
    -------
    Axes

    Examples
    --------
    >>> from pandas_agreement.plotting import differences
    >>> ax = differences(df.agree.compare(["ann", "bob"], ["ann", "cleo"]))
    >>> ax.get_xlabel()
    'difference (first less second)'
    """
    style.refuse_empty(result)
    together = result.index.get_level_values("first") == "(all)"
    single = result[~together]
    names = label_rows(single.index)
    rows = rows_of(single, names, ("difference", "ci_low", "ci_high"))
    if sort:
        rows = rows.take(_highest_first(rows.estimate))
    ax = style.axes_for(ax, figsize, size_for(rows))
    limit_values(ax, rows, anchors=(-0.1, 0.1))
    ax.axvline(0, color=style.ink(ax), linewidth=1)
    draw_rows(ax, rows, **kwargs)
    style.finish(ax, title or "First less second coefficient", "x", pad=14)
    tests = result[together]
    found = zip(tests["statistic"], tests["p_value"], strict=True)
    text = "".join(f"\nall at once: F = {f:.2f}, p = {p:.2g}" for f, p in found)
    undefined = style.listed(rows.undefined, "undefined")
    ax.set_xlabel(f"difference (first less second){text}{undefined}", fontsize=style.SMALL)
    frame_rows(ax, rows, f"difference  [{level_of(single)}interval]")
    return ax


@style.picture("Axes.errorbar")
def coders(
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
        What `df.agree.coders` returned.
    sort : bool
        Highest agreement on top, instead of the order of the coders.
    {DRAWING}

    Returns
    -------
    Axes
        At the side the change of alpha when the coder is left out.

    Examples
    --------
    >>> from pandas_agreement.plotting import coders
    >>> ax = coders(df.agree.coders())
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['cleo', 'ann', 'bob']
    """
    style.refuse_empty(result)
    names = label_rows(result.index)
    order = _highest_first(result["agreement"].to_numpy()) if sort else np.arange(len(result))
    change = [typeset(signed(value, 2)) for value in result["alpha_change"]]
    shown = {"agreement with the others": "agreement", "kappa against their majority": "kappa_majority"}
    series = {
        title: replace(rows_of(result, names, (column, "", "")), side=change).take(order)
        for title, column in shown.items()
    }
    first = next(iter(series.values()))
    ax = style.axes_for(ax, figsize, size_for(first))
    _draw_series(ax, series, "agreement, kappa", kwargs)
    style.finish(ax, title or "Each coder against the others", "x", pad=24)
    frame_rows(ax, first, "change of alpha\nwithout the coder")
    legend_below(ax)
    return ax
