"""Plots with one row per estimate: coefficients, groups, pairs, categories, differences, coders, judges, candidates."""

from __future__ import annotations

from collections.abc import Collection
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
    Texts,
    draw_bands,
    draw_forest,
    draw_series,
    highest_first,
    label_rows,
    rows_of,
)
from pandas_agreement.plotting.style import Array, Canvas
from pandas_agreement.results.natural_order import reading_places, reading_rank
from pandas_agreement.results.tidy import UNKNOWN, fact, level_of, noted, with_coefficient

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: levels that are no group keys
NO_KEYS = {"category", "coder", "coder_1", "coder_2", "coder_group", "coder_group_1", "coder_group_2", "coefficient"}
NO_KEYS |= {"pooling"}
FOR_SCORES = ("koo_li", "cicchetti")  # benchmark scales of intraclass correlations
MAX_SERIES = 40  # metrics or groups that are drawn beside each other
MAX_CATEGORIES = 200  # rows of a plot of categories
DIFFERENCE = ("difference", "difference_low", "difference_high")
#: what `skill` shows, and what its ends mean
SKILL = {
    "skill": (("skill", "skill_low", "skill_high"), "0: as good as without looking, 1: always right"),
    "accuracy": (("accuracy", "accuracy_low", "accuracy_high"), "probability of the true label"),
}
MAX_CODERS = 30  # of a plot with one row per coder; of more, those with the lowest agreement are shown


@style.picture("Axes.errorbar")
def forest(
    result: pd.DataFrame, canvas: Canvas, *, bands: str | None = "usual", sort: bool = False, header: str | None = None
) -> Axes:
    """Estimates with their intervals, one row for each coefficient, group or pair.

    Rows are in the order of the result, and groups in their natural order. Estimates to which the benchmark `bands`
    does not apply are hollow if there are others. `header` is the heading of the numbers at the side.
    """
    result = with_coefficient(result)
    found = result.index.get_level_values("coefficient").unique()
    if bands == "usual":
        bands = _usual_bands(found) if UNKNOWN not in found else None
    if bands is not None:
        choose("bands", bands, BENCHMARKS)
    names = label_rows(result.index)
    plain, reason = _without_words(result.index, bands)
    rows = rows_of(result, names).assign(hollow=plain & (not plain.all()))
    order, how = (highest_first(rows["estimate"]), "") if sort else _as_people_read(result.index)
    below = style.coefficient(found[0]) if len(found) == 1 else "coefficient"
    below += f"\nhollow: {reason}" if rows["hollow"].any() else ""
    below += f"\nrows {how}" if how and len(rows) <= MAX_ROWS else ""
    interval = "" if rows["low"].isna().all() else f"  [{level_of(result)}interval]"
    bands = None if plain.all() else bands
    title = _forest_title(result, names.fixed)
    texts = Texts(title, below, header or f"estimate{interval}", pad=14 if bands is None else 30)
    ax = draw_forest(rows.iloc[order], canvas, texts)
    if bands is not None:
        draw_bands(ax, bands)
    return ax


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
    what = style.coefficient(found[0], start=True) if len(found) == 1 else "Coefficients"
    return (f"{what} by {by}" if by else what) + about


@style.picture("Axes.errorbar")
def by_category(result: pd.DataFrame, canvas: Canvas, *, sort: bool = True) -> Axes:
    """Agreement on each category, with the number of labels; metrics and groups side by side."""
    result = with_coefficient(result)
    labels = pd.Index(dict.fromkeys(result.index.get_level_values("category")), tupleize_cols=False)
    _check_number(len(labels), MAX_CATEGORIES, "categories")
    series, _, fixed = label_rows(result.index, leave_out=("category",))
    _check_number(len(set(series)), MAX_SERIES, "metrics and groups")
    flat = result.set_axis(result.index.get_level_values("category"), axis=0)
    parts = {name: flat[[one == name for one in series]].reindex(labels) for name in dict.fromkeys(series)}
    order = highest_first(parts[series[0]]["estimate"]) if sort else np.arange(len(labels))
    full = list(map(style.text_of, labels[order]))
    names = Names(full, style.shorten_all(full), {})
    coefficients = result.index.get_level_values("coefficient")
    counts = flat[coefficients == coefficients[0]].groupby(level=0, sort=False)["n_labels"].sum().reindex(labels[order])
    side = [f"{count:,.0f}" for count in counts]
    rows = {name: rows_of(part.iloc[order], names).assign(side=side) for name, part in parts.items()}
    what = fixed.get("coefficient", series[0] if len(rows) == 1 else "agreement")
    title = f"Agreement on each category ({fixed.get('coefficient', ', '.join(rows))})"
    texts = Texts(title, f"{what}{_reordered(order, 'categories by agreement')}", "labels")
    return draw_series(rows, canvas, texts)


def _check_number(n: int, most: int, what: str) -> None:
    if n > most:
        problem = f"by_category draws at most {most:,} {what}, and got {n:,}"
        raise InputError(
            problem, "draw some rows of the result, such as result.nlargest(20, 'n_labels')", code="too large"
        )


def _reordered(order: Array, how: str) -> str:
    """A line that says how the rows are ordered, if not as they were given."""
    return f"\n{how}, the highest on top" if (order != np.arange(len(order))).any() else ""


@style.picture("Axes.errorbar")
def differences(result: pd.DataFrame, canvas: Canvas, *, sort: bool = False) -> Axes:
    """Differences between coefficients with their intervals, and the line of no difference.

    The joint test is written below the axis, with its F if the result has details.
    """
    pair = next(name for name, other in PARTNERS.items() if PAIRED[other] == MINUS and name in result.index.names)
    together = result.index.get_level_values(pair) == "(all)"
    single = result[~together]
    rows = rows_of(single, label_rows(single.index), DIFFERENCE)
    if sort:
        rows = rows.iloc[highest_first(rows["estimate"])]
    below = "difference" + "".join(_joint_test(row) for _, row in result[together].iterrows())
    metric = noted(result, "coefficient")
    what = f"Differences of {style.coefficient(metric) if metric else 'coefficients'}"
    what = "Differences of the candidates" if pair == "candidate_1" else what
    return draw_forest(rows, canvas, Texts(what, below, f"difference  [{level_of(single)}interval]"), (-0.1, 0.1))


def _joint_test(row: pd.Series) -> str:
    """The test of all differences at once, on a line of its own; F is a column of details."""
    statistic = f"F = {row['statistic']:.2f}, " if "statistic" in row else ""
    return f"\njoint test: {statistic}p = {row['p_value']:.2g}"


@style.picture("Axes.errorbar")
def by_coder(result: pd.DataFrame, canvas: Canvas, *, sort: bool = True) -> Axes:
    """Agreement of each coder with the others, and kappa with their majority.

    The numbers at the side are the change of alpha without the coder. If there are more than 30 coders, those with the
    lowest agreement are shown, and the title has the number of all coders.
    """
    n_coders, agreement = len(result), result["agreement"].to_numpy()
    if n_coders > MAX_CODERS:
        result = result.iloc[np.sort(np.argsort(agreement, kind="stable")[:MAX_CODERS])]
    names = label_rows(result.index)
    order = highest_first(result["agreement"]) if sort else np.arange(len(result))
    change = [typeset(signed(value, 2)) for value in result["alpha_change"]]
    shown = {"agreement with the others": "agreement", "kappa with their majority": "kappa_majority"}
    if result["kappa_majority"].isna().all():  # of scores
        del shown["kappa with their majority"]
    series = {
        what: rows_of(result, names, (column, "", "")).assign(side=change).iloc[order] for what, column in shown.items()
    }
    below = ("agreement, kappa" if len(shown) > 1 else "agreement") + _reordered(order, "coders by agreement")
    which = "Each coder" if len(result) == n_coders else f"The {len(result)} lowest of {n_coders:,} coders"
    texts = Texts(f"{which} against the others", below, "change of alpha\nwithout the coder", pad=30)
    return draw_series(series, canvas, texts)


# ------------------------------------------------------------------------------- judges, candidates, inferred labels
@style.picture("Axes.errorbar")
def versus_humans(result: pd.DataFrame, canvas: Canvas) -> Axes:
    """Judges compared with people, with intervals and a line at the margin.

    A judge whose whole interval is to the right of the dashed line is shown to be less than the margin below the
    humans, one-sided at 2.5% for a 95% interval. The line is drawn if the result has details.
    """
    rows = rows_of(result, label_rows(result.index), DIFFERENCE)
    metric = fact(result, "coefficient")
    margins: Any = result["margin"].dropna().unique() if "margin" in result else []
    margin = float(margins[0]) if len(margins) == 1 else 0.0
    whom = "human" if "coder" in result.index.names else "humans"
    below = f"agreement of the judge minus that of the {whom}"
    below += f"\ndashed: the margin, {margin:g} below" if margin else ""
    title = f"Judge minus {whom}" + (f", {style.coefficient(metric)}" if metric else "")
    texts = Texts(title, below, f"difference  [{level_of(result)}interval]")
    ax = draw_forest(rows, canvas, texts, anchors=(min(-0.1, -1.3 * margin), 0.1))
    if margin:
        ax.axvline(-margin, color=style.ink(ax), linewidth=1, linestyle=(0, (4, 3)), zorder=1)
    return ax


@style.picture("Axes.errorbar")
def judge_and_humans(result: pd.DataFrame, canvas: Canvas) -> Axes:
    """Agreement of the judge with each human, and of that human with the other humans."""
    names = label_rows(result.index)
    side = [typeset(signed(value, 2)) for value in result["difference"]]
    shown = {"judge with this human": "estimate", "this human with the others": "ceiling"}
    series = {what: rows_of(result, names, (column, "", "")).assign(side=side) for what, column in shown.items()}
    metric = fact(result, "coefficient")
    below = style.coefficient(metric) if metric else "share of the vote"
    return draw_series(series, canvas, Texts("The judge against each human", below, "difference"))


@style.picture("Axes.errorbar")
def position_bias(result: pd.DataFrame, canvas: Canvas, *, sort: bool = False) -> Axes:
    """Effect of the position on the verdict, one row or one row per group.

    If the result has details, the numbers at the side end with the verdicts that favour the first and the second
    position.
    """
    chosen = result[result.index.get_level_values("coefficient") == "position"]
    if not len(chosen):
        raise InputError(
            "the result has no row 'position' to draw", "draw all rows of position_bias()", code="no result"
        )
    rows = rows_of(chosen, label_rows(chosen.index))
    header = f"position  [{level_of(chosen)}interval]"
    if "n_first" in chosen:  # with details
        flips = zip(rows["side"], chosen["n_first"], chosen["n_second"], strict=True)
        rows["side"] = [f"{text}   {first} : {second}" for text, first, second in flips]
        header += "   first : second"
    if sort:
        rows = rows.iloc[highest_first(rows["estimate"])]
    below = "above 0 the first position wins, below 0 the second"
    return draw_forest(rows, canvas, Texts("Effect of the position", below, header), anchors=(-0.1, 0.1))


@style.picture("Axes.errorbar")
def strengths(result: pd.DataFrame, canvas: Canvas, *, sort: bool = True) -> Axes:
    """Strengths of candidates with their intervals; the effect of the position is hollow."""
    position = (result.index.get_level_values("candidate") == "(first)") & result["rank"].isna().to_numpy()
    rows = rows_of(result, label_rows(result.index)).assign(hollow=position)
    if sort:
        rows = rows.iloc[np.lexsort((highest_first(rows["estimate"]).argsort(), position))]
    below = "log-odds against a candidate of mean strength"
    below += "\nhollow: effect of the first position" if position.any() else ""
    texts = Texts("Strengths of the candidates", below, f"estimate  [{level_of(result)}interval]")
    return draw_forest(rows, canvas, texts, anchors=(-0.5, 0.5))


@style.picture("Axes.errorbar")
def skill(result: pd.DataFrame, canvas: Canvas, *, show: str = "skill", sort: bool = True) -> Axes:
    """Skill or accuracy of each coder by a model; intervals of skill need details."""
    columns, below = choose("show", show, SKILL)
    if result[columns[0]].isna().all():
        raise InputError("a vote has no skill to draw", "use truth(method='dawid_skene')", code="needs a model")
    rows = rows_of(result, label_rows(result.index), columns)
    if sort:
        order = highest_first(rows["estimate"])
        rows = rows.iloc[order]
        below += "\ncoders reordered: the best on top" if (order != np.arange(len(order))).any() else ""
    header = f"{show}  [interval]" if columns[1] in result else show
    return draw_forest(rows, canvas, Texts(f"Inferred {show} of the coders", below, header))
