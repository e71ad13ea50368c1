"""Plots of verdicts on two candidates: the effect of the position, and the strengths."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from pandas_agreement.errors import InputError
from pandas_agreement.plotting import style
from pandas_agreement.plotting.intervals import Texts, draw_forest, highest_first, label_rows, level_of, rows_of
from pandas_agreement.plotting.style import Canvas

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
    below = "above 0 the first slot wins, below 0 the second"
    return draw_forest(rows, canvas, Texts("Effect of the position", below, header), anchors=(-0.1, 0.1))


@style.picture("Axes.errorbar")
def strengths(result: pd.DataFrame, canvas: Canvas, *, sort: bool = True) -> Axes:
    """Strengths of candidates with their intervals; the effect of the position is hollow."""
    position = (result.index.get_level_values("candidate") == "(first)") & result["rank"].isna().to_numpy()
    rows = rows_of(result, label_rows(result.index)).assign(hollow=position)
    if sort:
        rows = rows.iloc[np.lexsort((highest_first(rows["estimate"]).argsort(), position))]
    below = "log-odds against a candidate of mean strength"
    below += "\nhollow: what the first slot adds" if position.any() else ""
    texts = Texts("Strengths of the candidates", below, f"estimate  [{level_of(result)}interval]")
    return draw_forest(rows, canvas, texts, anchors=(-0.5, 0.5))
