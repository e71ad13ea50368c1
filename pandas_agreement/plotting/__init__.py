"""Plots of results: each function draws a frame that a method of `df.agree` returned, on Axes.

Nothing is computed from ratings here; `df.agree.plot` computes the frame. `plot` chooses the function by the
columns of the frame.
"""

from pandas_agreement.plotting.dispatch import plot
from pandas_agreement.plotting.distributions import bland_altman, by_item
from pandas_agreement.plotting.forest_plots import (
    by_category,
    by_coder,
    differences,
    forest,
    judge_and_humans,
    position_bias,
    skill,
    strengths,
    versus_humans,
)
from pandas_agreement.plotting.heat_maps import by_pair, confusion, confusions, margins
from pandas_agreement.plotting.span_plots import document
from pandas_agreement.plotting.trend_plots import trend

__all__ = [
    "bland_altman",
    "by_category",
    "by_coder",
    "by_item",
    "by_pair",
    "confusion",
    "confusions",
    "differences",
    "document",
    "forest",
    "judge_and_humans",
    "margins",
    "plot",
    "position_bias",
    "skill",
    "strengths",
    "trend",
    "versus_humans",
]


def __dir__() -> list[str]:
    return __all__
