"""Pictures of results: each function draws a frame that a method of `df.agree` returned, on Axes.

Nothing is computed from ratings here; `df.agree.plot` computes the frame. `plot_result` chooses the function by the
columns of the frame.
"""

from pandas_agreement.plotting.chart import agreement_chart
from pandas_agreement.plotting.dispatch import plot_result
from pandas_agreement.plotting.distributions import bland_altman, items, replicates
from pandas_agreement.plotting.forest_plots import by_category, coders, differences, forest
from pandas_agreement.plotting.heat_maps import bias, confusion, confusions, pairwise
from pandas_agreement.plotting.judge_plots import judge_and_humans, versus_humans
from pandas_agreement.plotting.preference_plots import position_bias, strengths
from pandas_agreement.plotting.trend import over
from pandas_agreement.plotting.truth_plots import skill

__all__ = [
    "agreement_chart",
    "bias",
    "bland_altman",
    "by_category",
    "coders",
    "confusion",
    "confusions",
    "differences",
    "forest",
    "items",
    "judge_and_humans",
    "over",
    "pairwise",
    "plot_result",
    "position_bias",
    "replicates",
    "skill",
    "strengths",
    "versus_humans",
]


def __dir__() -> list[str]:
    return __all__
