"""Plots of inferred labels: the skill of each coder with its interval."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from pandas_agreement.errors import InputError, choose
from pandas_agreement.plotting import style
from pandas_agreement.plotting.intervals import Texts, draw_forest, highest_first, label_rows, rows_of
from pandas_agreement.plotting.style import Canvas

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHOWN = {
    "skill": (("skill", "skill_low", "skill_high"), "0: labels as often without looking, 1: always right"),
    "accuracy": (("accuracy", "accuracy_low", "accuracy_high"), "probability of the true label"),
}


@style.picture("Axes.errorbar")
def skill(result: pd.DataFrame, canvas: Canvas, *, show: str = "skill", sort: bool = True) -> Axes:
    """Skill or accuracy of each coder by a model; intervals of skill need details."""
    columns, below = choose("show", show, SHOWN)
    if result[columns[0]].isna().all():
        raise InputError("a vote has no skill to draw", "use truth(method='dawid_skene')", code="needs a model")
    rows = rows_of(result, label_rows(result.index), columns)
    if sort:
        order = highest_first(rows["estimate"])
        rows = rows.iloc[order]
        below += "\ncoders reordered: the best on top" if (order != np.arange(len(order))).any() else ""
    header = f"{show}  [interval]" if columns[1] in result else show
    return draw_forest(rows, canvas, Texts(f"Inferred {show} of the coders", below, header))
