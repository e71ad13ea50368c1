"""Pictures of verdicts on two candidates: the effect of the position, and the strengths."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from pandas_agreement.errors import InputError
from pandas_agreement.plotting import style
from pandas_agreement.plotting.intervals import Texts, draw_forest, label_rows, level_of, rows_of
from pandas_agreement.plotting.style import Size

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@style.picture("Axes.errorbar")
def position_bias(
    result: pd.DataFrame,
    *,
    sort: bool = False,
    ax: Axes | None = None,
    figsize: Size = None,
    title: str | None = None,
    **kwargs: Any,
) -> Axes:
    """How far the slot decides, about the line of no effect: one row, or one row per group.

    Parameters
    ----------
    result : DataFrame
        What `position_bias` returned; the rows of `position` are drawn.
    sort : bool
        Highest effect on top, instead of the order of the groups.
    {DRAWING}
        With `detail=True` the numbers at the side end with the verdicts that moved to the first and to the second slot.

    Examples
    --------
    >>> from pandas_agreement.plotting import position_bias
    >>> shown = pd.DataFrame({"prompt": [1, 1, 2, 2], "a": list("xyxy"), "b": list("yxyx"), "won": list("xxxy")})
    >>> judged = shown.agree.preferences(first="a", second="b", winner="won", item="prompt")
    >>> ax = position_bias(judged.position_bias())
    >>> ax.get_xlabel()
    'above 0 the first slot wins, below 0 the second'
    """
    chosen = result[result.index.get_level_values("coefficient") == "position"]
    if not len(chosen):
        raise InputError(
            "the result has no row 'position' to draw", "draw all rows of position_bias()", code="no result"
        )
    rows = rows_of(chosen, label_rows(chosen.index))
    header = f"position  [{level_of(chosen)}interval]"
    if "n_first" in chosen:  # with details
        flips = zip(rows.side, chosen["n_first"], chosen["n_second"], strict=True)
        rows = replace(rows, side=[f"{text}   {first} : {second}" for text, first, second in flips])
        header += "   first : second"
    if sort:
        rows = rows.take(np.argsort(-np.nan_to_num(rows.estimate, nan=-np.inf), kind="stable"))
    below = "above 0 the first slot wins, below 0 the second"
    texts = Texts(title or "Effect of the position", below, header)
    return draw_forest(rows, ax, figsize, texts, kwargs, anchors=(-0.1, 0.1))


@style.picture("Axes.errorbar")
def strengths(
    result: pd.DataFrame,
    *,
    sort: bool = True,
    ax: Axes | None = None,
    figsize: Size = None,
    title: str | None = None,
    **kwargs: Any,
) -> Axes:
    """Strengths of candidates with their intervals, the strongest on top; the effect of the position is hollow.

    Parameters
    ----------
    result : DataFrame
        What `strengths` returned.
    sort : bool
        Strongest on top, instead of the order of the candidates.
    {DRAWING}

    Examples
    --------
    >>> from pandas_agreement.plotting import strengths
    >>> games = pd.DataFrame({"a": list("xxyyzz"), "b": list("yzzxxy"), "won": list("xxzxzy")})
    >>> ax = strengths(games.agree.preferences(first="a", second="b", winner="won").strengths())
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['x', 'z', 'y']
    """
    position = (result.index.get_level_values("candidate") == "(first)") & result["rank"].isna().to_numpy()
    rows = replace(rows_of(result, label_rows(result.index)), hollow=position)
    if sort:
        rows = rows.take(np.lexsort((-np.nan_to_num(rows.estimate, nan=-np.inf), position)))
    below = "log-odds against a candidate of mean strength"
    below += "\nhollow: what the first slot adds" if position.any() else ""
    texts = Texts(title or "Strengths of the candidates", below, f"estimate  [{level_of(result)}interval]")
    return draw_forest(rows, ax, figsize, texts, kwargs, anchors=(-0.5, 0.5))
