"""Pictures of inferred labels: the skill of each coder with its interval."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from pandas_agreement.errors import InputError, choose
from pandas_agreement.plotting import style
from pandas_agreement.plotting.intervals import Texts, draw_forest, label_rows, rows_of
from pandas_agreement.plotting.style import Size

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHOWN = {
    "skill": (("skill", "skill_low", "skill_high"), "0: labels as often without looking, 1: always right"),
    "accuracy": (("accuracy", "accuracy_low", "accuracy_high"), "probability of the true label"),
}


@style.picture("Axes.errorbar")
def skill(
    result: pd.DataFrame,
    *,
    show: str = "skill",
    sort: bool = True,
    ax: Axes | None = None,
    figsize: Size = None,
    title: str | None = None,
    **kwargs: Any,
) -> Axes:
    """Skill of each coder with its interval, the best on top.

    Parameters
    ----------
    result : DataFrame
        What `truth(...).by_coder()` returned, of a model.
    show : {'skill', 'accuracy'}
        Skill is accuracy beyond that of a coder who does not look. Its intervals need `detail=True`.
    sort : bool
        Best on top, instead of the order of the coders.
    {DRAWING}

    Examples
    --------
    >>> from pandas_agreement.plotting import skill
    >>> example = pandas_agreement.load_example()
    >>> truth = example.agree.truth("ann", "bob", "cleo", "dev", method="dawid_skene")
    >>> [text.get_text() for text in skill(truth.by_coder()).get_yticklabels()]
    ['ann', 'bob', 'cleo', 'dev']
    """
    columns, below = choose("show", show, SHOWN)
    if result[columns[0]].isna().all():
        raise InputError("a vote has no skill to draw", "use truth(method='dawid_skene')", code="needs a model")
    rows = rows_of(result, label_rows(result.index), columns)
    if sort:
        order = np.argsort(-np.nan_to_num(rows.estimate, nan=-np.inf), kind="stable")
        rows = rows.take(order)
        below += "\ncoders reordered: the best on top" if (order != np.arange(len(order))).any() else ""
    header = f"{show}  [interval]" if columns[1] in result else show
    texts = Texts(title or f"Inferred {show} of the coders", below, header)
    return draw_forest(rows, ax, figsize, texts, kwargs)
