"""Pictures of results: each function draws a frame that a method of `df.agree` returned onto an Axes.

They know nothing of data; `df.agree.plot` computes the frame and calls them. `plot_result` finds the fitting one.
"""

from pandas_agreement.plotting.chart import agreement_chart
from pandas_agreement.plotting.lines import over
from pandas_agreement.plotting.results import plot_result
from pandas_agreement.plotting.rows import by_category, coders, differences, forest
from pandas_agreement.plotting.spread import bland_altman, items, replicates
from pandas_agreement.plotting.tables import bias, confusion, pairwise

__all__ = [
    "agreement_chart",
    "bias",
    "bland_altman",
    "by_category",
    "coders",
    "confusion",
    "differences",
    "forest",
    "items",
    "over",
    "pairwise",
    "plot_result",
    "replicates",
]
