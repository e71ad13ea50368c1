"""How many labels to buy: human labels beside a judge's, items for a test of non-inferiority, labels per item."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cache

import numpy as np
import pandas as pd

from pandas_agreement.core.quantiles import normal_quantile
from pandas_agreement.errors import InputError
from pandas_agreement.planning.checks import between, count, grid, planned, whole

__all__ = ["items_for_noninferiority", "judge_labels", "labels_per_item"]

Numbers = float | Iterable[float]
MAX_LABELS = 99  # per item


@planned
def judge_labels(
    *,
    width: Numbers,
    reliability: Numbers,
    share: Numbers = 0.5,
    cost_human: float = 1.0,
    cost_judge: float = 0.01,
    n_items: int | None = None,
    ci: float = 0.95,
) -> pd.DataFrame:
    r"""Number of human labels in addition to a judge's, for a corrected rate.

    Parameters
    ----------
    width : float or list of float
        The width of the interval of the share from bound to bound: 0.06 for a share plus or minus 0.03.
    reliability : float or list of float
        The share of the variance of the human labels that the judge explains: the column `reliability` of
        `corrected_rate` in a pilot.
    share : float or list of float
        The share of the category that you expect. 0.5 needs the most labels.
    cost_human, cost_judge : float
        Price of one label of a human and of the judge.
    n_items : int, optional
        Number of items that the judge labels. Default: the number with the lowest cost.
    ci : float
        Level of the interval.

    Returns
    -------
    DataFrame
        One row per combination of width, reliability and share: `n_human`, the number of human labels of a random
        subset, `n_judged`, the number of items that the judge labels (0 if human labels alone are cheaper),
        `human_only`, the number of labels without a judge, `cost`, `cost_human_only`, and a `note` if the width cannot
        be reached.

    Notes
    -----
    In large samples the variance of a post-stratified share :math:`p` is :math:`p (1 - p) ((1 - r) / n_\text{human} + r
    / n_\text{judged})`, where :math:`r` is the reliability. The ratio of the two numbers with the lowest cost is
    :math:`\sqrt{(1 - r) c_\text{judge} / (r\, c_\text{human})}`.

    Examples
    --------
    >>> from pandas_agreement import plan
    >>> found = plan.judge_labels(width=0.06, reliability=[0.25, 0.5, 0.75], share=0.8)
    >>> found[["reliability", "n_human", "n_judged", "human_only", "cost"]]
       reliability  n_human  n_judged  human_only    cost
    0         0.25      542      3128         683  573.28
    1         0.50      376      3757         683  413.57
    2         0.75      201      3470         683  235.70
    """
    prices = between("cost_human", cost_human, 0, math.inf), between("cost_judge", cost_judge, 0, math.inf)
    judged = None if n_items is None else count("n_items", n_items)
    z, rows = normal_quantile(between("ci", ci)), []
    for wide, explained, part in grid(width=width, reliability=reliability, share=share):
        alone = part * (1 - part) * (2 * z / wide) ** 2  # human labels without a judge
        n, N, note = _cheapest(alone, explained, prices) if judged is None else _given(alone, explained, judged)
        cost = n * prices[0] + N * prices[1]
        rows.append((wide, explained, part, ci, n, N, whole(alone), cost, whole(alone) * prices[0], note))
    columns = ["width", "reliability", "share", "ci_level", "n_human", "n_judged", "human_only", "cost"]
    frame = pd.DataFrame(rows, columns=[*columns, "cost_human_only", "note"])
    return frame.astype({"n_human": "Int64", "n_judged": "Int64"})


def _cheapest(alone: float, explained: float, prices: tuple[float, float]) -> tuple[float, float, str]:
    """Human labels and judged items of the least cost; no judged items if the judge is not worth the price."""
    ratio = math.sqrt((1 - explained) / explained * prices[1] / prices[0])
    N = alone * ((1 - explained) / ratio + explained)
    n = ratio * N
    if ratio >= 1 or n * prices[0] + N * prices[1] >= alone * prices[0]:
        return whole(alone), 0, "the judge is not worth its price: human labels alone cost less"
    return whole(n), whole(N), ""


def _given(alone: float, explained: float, judged: int) -> tuple[float, float, str]:
    """Human labels for a given number of judged items."""
    left = 1 / alone - explained / judged
    n = (1 - explained) / left if left > 0 else math.inf
    if n > judged:
        return math.nan, judged, f"human labels of all {judged} items would not be enough"
    return whole(n), judged, ""


@planned
def items_for_noninferiority(
    margin: Numbers,
    *,
    se: float,
    n_items: int = 1,
    difference: float = 0.0,
    power: Numbers = 0.8,
    alpha: float = 0.05,
) -> pd.DataFrame:
    r"""Number of items for a test of non-inferiority of a judge, as in `versus_humans`.

    Parameters
    ----------
    margin : float or list of float
        How far below the humans is still as good as a human.
    se : float
        Standard error of the difference in a pilot of `n_items` items or, with n_items=1, the standard deviation that
        one item contributes.
    n_items : int
        Number of items of that pilot.
    difference : float
        The true difference, judge minus human, that you expect.
    power : float or list of float
        The probability that the test shows it.
    alpha : float
        Level of the one-sided test.

    Returns
    -------
    DataFrame
        One row per combination of margin and power, with `n_items`.

    Notes
    -----
    The number of items is :math:`((z_\alpha + z_\text{power})\, sd / (\text{margin} + \text{difference}))^2`, where
    :math:`sd` is `se` times the square root of `n_items`.

    Examples
    --------
    >>> from pandas_agreement import plan
    >>> found = plan.items_for_noninferiority([0.05, 0.1], se=0.0213, n_items=423)
    >>> found[["margin", "power", "sd", "n_items"]].round(3)
       margin  power     sd  n_items
    0    0.05    0.8  0.438      475
    1    0.10    0.8  0.438      119
    """
    from scipy.special import ndtri

    sd = between("se", se, 0, math.inf) * math.sqrt(count("n_items", n_items, 1))
    true, level, rows = between("difference", difference, -2, 2), between("alpha", alpha), []
    for room, chance in grid(margin=margin, power=power):
        if room + true <= 0:
            problem = f"difference={true:g} is not above minus the margin {room:g}, so no number of items can show it"
            raise InputError(problem, "choose a larger margin", option="margin", code="out of reach")
        n = ((ndtri(1 - level) + ndtri(chance)) * sd / (room + true)) ** 2 if chance > level else 0.0
        rows.append((room, true, chance, level, sd, whole(n)))
    return pd.DataFrame(rows, columns=["margin", "difference", "power", "alpha", "sd", "n_items"])


@planned
def labels_per_item(accuracy: Numbers, target: Numbers, *, n_categories: int | Iterable[int] = 2) -> pd.DataFrame:
    """Number of labels per item for a majority vote of a given accuracy.

    Parameters
    ----------
    accuracy : float or list of float
        The share of correct labels of one coder, above 1 / n_categories.
    target : float or list of float
        The required share of correct votes.
    n_categories : int or list of int
        Number of categories. Errors are spread evenly over the wrong categories.

    Returns
    -------
    DataFrame
        One row per combination of accuracy, target and n_categories, with `n_labels` (missing above 99), and
        `vote_accuracy`, the exact accuracy of a vote of this number of labels, where ties are split.

    Notes
    -----
    The model assumes that coders err independently. If they make the same mistakes on hard items, votes are less
    accurate and more labels help less.

    Examples
    --------
    >>> from pandas_agreement import plan
    >>> plan.labels_per_item([0.7, 0.8], 0.9).round(4)
       accuracy  target  n_categories  n_labels  vote_accuracy
    0       0.7     0.9             2         9         0.9012
    1       0.8     0.9             2         5         0.9421
    """
    rows = []
    for right, wanted, K in grid(accuracy=accuracy, target=target, n_categories=n_categories):
        if right <= 1 / K:
            problem = f"accuracy={right:g} is not above 1 / {K}, the share of a guess, so votes do not help"
            raise InputError(problem, option="accuracy", code="out of reach")
        n, found = next(
            ((n, vote) for n in range(1, MAX_LABELS + 1) if (vote := vote_accuracy(right, n, K)) >= wanted - 1e-12),
            (pd.NA, vote_accuracy(right, MAX_LABELS, K)),
        )
        rows.append((right, wanted, K, n, found))
    frame = pd.DataFrame(rows, columns=["accuracy", "target", "n_categories", "n_labels", "vote_accuracy"])
    return frame.astype({"n_labels": "Int64"})


@cache
def vote_accuracy(accuracy: float, n_labels: int, n_categories: int) -> float:
    """The probability that a vote is right, a tie counted as its share of right answers.

    >>> [round(vote_accuracy(0.7, n, 2), 4) for n in (1, 3, 5, 7)]
    [0.7, 0.784, 0.8369, 0.874]
    """
    wrong, total = n_categories - 1, 0.0
    for right in range(1, n_labels + 1):
        rest = n_labels - right
        chance = math.comb(n_labels, right) * accuracy**right * (1 - accuracy) ** rest
        total += chance * _leading(right, rest, wrong)
    return total


def _leading(right: int, rest: int, wrong: int) -> float:
    """The mean share of the vote for the right answer, if the other labels fall evenly on the wrong categories.

    Exponential generating functions: z^j / j! for j labels of one category, truncated below `right`.
    """
    below = np.array([1 / math.factorial(j) for j in range(min(right, rest + 1))])
    powers = [np.array([1.0])]
    for _ in range(wrong):
        powers.append(np.convolve(powers[-1], below)[: rest + 1])
    share = 0.0
    for tied in range(min(wrong, rest // right) + 1):
        left, ways = rest - tied * right, powers[wrong - tied]
        if left < len(ways):
            share += math.comb(wrong, tied) * ways[left] / math.factorial(right) ** tied / (tied + 1)
    return float(share) * math.factorial(rest) / float(wrong) ** rest
