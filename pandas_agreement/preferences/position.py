"""Whether the order shown decides a verdict: the same two candidates judged in both orders, or in a random one.

A swap is two verdicts on the same item with the candidates exchanged. A is the candidate that sorts first, s1 and s2
its scores in the two orders: s1 - s2 is the effect of the position, (s1 + s2) / 2 the preference without it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.coefficients.registry import find
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.ratings import WideRatings
from pandas_agreement.core.remarks import Remarks
from pandas_agreement.core.sums import divide
from pandas_agreement.data import Reading
from pandas_agreement.data.labels import CategorySet
from pandas_agreement.engine import measure_one
from pandas_agreement.errors import InputError, counted, shown
from pandas_agreement.hypothesis_tests.margins import holm, mcnemar
from pandas_agreement.inference.means import Means, mean_differences, means, share_limits, wilson
from pandas_agreement.options import Options
from pandas_agreement.preferences.verdicts import TIE, Verdicts
from pandas_agreement.results import frames, schemas

COEFFICIENTS = ("position", "consistency", "kappa", "win_rate", "win_rate_consistent")
NO_VERDICT = "no verdict", "no verdicts"
NO_SWAP = "no swaps", "no item was judged in both orders"
CONFOUNDED = (
    "confounded",
    "every pair of candidates is always in the same order, so position and quality cannot be separated",
)
RANDOM_ORDER = "one order", "one order per item: right only if the order was random"
NO_WINNER = "no verdict", "no consistent verdict without a tie"
NO_VARIATION = "no variation", "no variation: all verdicts are the same"
OUTCOMES = CategorySet(pd.Index(["loss", "tie", "win"]), ordered=False, declared=True)


@dataclass(frozen=True, eq=False)
class Swaps:
    """Pairs of verdicts on the same item in both orders: (P,) each, and the verdicts without a partner."""

    group: Array
    score: Array  # (2, P) of the candidate that sorts first, shown first and shown second
    cluster: Array | None
    alone: Array  # (N,) verdicts without a partner


def find_swaps(verdicts: Verdicts) -> Swaps:
    """Pair the verdicts on the same item, or without items on candidates that occur once in each order."""
    candidates, swapped = verdicts.pairs()
    place = (
        verdicts.group
        if verdicts.item is None
        else np.unique(_fused(verdicts.group, verdicts.item), return_inverse=True)[1]
    )
    found, pair = np.unique(_fused(place, candidates), return_inverse=True)
    n_pairs = len(found)
    number = np.bincount(2 * pair + swapped, minlength=2 * n_pairs).reshape(-1, 2)
    if verdicts.item is not None and (number > 1).any():
        raise _repeated(verdicts, int(np.argmax(number[pair, swapped] > 1)), int((number > 1).sum()))
    both = (number == 1).all(1)
    place = np.full((2, n_pairs), -1)
    place[swapped, pair] = np.arange(len(pair))
    first, second = place[:, both]
    scores = np.stack([verdicts.score[first], 1 - verdicts.score[second]])
    cluster = None if verdicts.cluster is None else verdicts.cluster[first]
    if verdicts.cluster is not None and (cluster != verdicts.cluster[second]).any():
        problem = "the two verdicts of a swap are in different clusters"
        raise InputError(problem, "an item belongs to one cluster", option="clusters", code="two clusters")
    return Swaps(verdicts.group[first], scores, cluster, ~both[pair])


def _fused(outer: Array, inner: Array) -> Array:
    """One number for two."""
    return outer * (inner.max(initial=0) + 1) + inner


def _repeated(verdicts: Verdicts, row: int, n: int) -> InputError:
    """The error for an item with several verdicts on the same candidates in the same order."""
    item = shown(verdicts.items[[verdicts.item[row]]].tolist()[0])  # type: ignore[index]
    pair = " before ".join(
        shown(verdicts.candidates[[code[row]]].tolist()[0]) for code in (verdicts.first, verdicts.second)
    )
    times = counted(n, "item and order has", "items and orders have")
    problem = f"{times} several verdicts on the same candidates: item {item} with {pair}"
    remedy = "name what tells the verdicts apart, as in item=['prompt', 'judge']"
    return InputError(problem, remedy, option="item", code="repeated judgment")


def position_bias(verdicts: Verdicts, options: Options) -> pd.DataFrame:
    """One row per group and coefficient."""
    swaps, G, level = find_swaps(verdicts), verdicts.n_groups, options.ci or 0.95
    parts = [_position(verdicts, swaps, level), _consistency(swaps, G, level), _kappa(swaps, G, options.ci)]
    parts += [_win_rate(swaps, G, level), _win_rate_consistent(swaps, G, level)]
    columns = {name: np.stack([part.get(name, np.zeros(G)) for part in parts], -1) for name in parts[0]}  # (G, 5)
    remarks = _remarks(verdicts, swaps, columns)
    unknown = np.isnan(columns["estimate"])
    columns["ci_level"] = np.where(np.isnan(columns["ci_low"]), np.nan, level)
    columns["p_value"][unknown] = np.nan
    columns["p_holm"] = holm(columns["p_value"].T).T  # of the groups
    if options.ci is None:
        columns |= {name: np.full(unknown.shape, np.nan) for name in ("ci_low", "ci_high", "se", "ci_level")}
        columns["ci_method"] = np.full(unknown.shape, "", object)
    frames.check_keys(verdicts.groups, schemas.POSITION_BIAS)
    index = frames.row_index(verdicts.groups, {}, COEFFICIENTS)
    remarks.warn()
    columns |= remarks.columns()
    return frames.result(index, {name: values.ravel() for name, values in columns.items()}, schemas.POSITION_BIAS)


def _remarks(verdicts: Verdicts, swaps: Swaps, columns: dict[str, Array]) -> Remarks:
    """Why values are undefined and what was left out; the values that cannot be known become NaN."""
    G, remarks = verdicts.n_groups, Remarks(columns["estimate"].shape, columns["note"], columns["remarks"])
    judged, n_swaps = (np.bincount(group, minlength=G)[:, None] > 0 for group in (verdicts.group, swaps.group))
    position, last = (np.array(COEFFICIENTS) == name for name in ("position", "win_rate_consistent"))
    single = judged & ~n_swaps
    fixed = single & position & ~_in_both_orders(verdicts)[:, None]
    for name in ("estimate", "ci_low", "ci_high", "se"):
        columns[name][fixed] = np.nan
    remarks.undefined(~judged, *NO_VERDICT)
    remarks.undefined(single & ~position, *NO_SWAP)
    remarks.undefined(fixed, *CONFOUNDED)
    remarks.undefined(n_swaps & last & (columns["n_items"] == 0), *NO_WINNER)
    remarks.undefined(n_swaps & np.isnan(columns["estimate"]) & ~last, *NO_VARIATION)
    remarks.add(single & position & ~fixed, *RANDOM_ORDER)
    unpaired = np.bincount(verdicts.group[swaps.alone], minlength=G)[:, None] * n_swaps
    remarks.count(unpaired, "left out", "verdict without a swap left out", "verdicts without a swap left out")
    verdicts.note_dropped(remarks)
    return remarks


def _in_both_orders(verdicts: Verdicts) -> Array:
    """Whether some two candidates of a group were judged in both orders, on whatever items: (G,)."""
    candidates, swapped = verdicts.pairs()
    found, pair = np.unique(_fused(verdicts.group, candidates), return_inverse=True)
    orders, owner = np.zeros((len(found), 2), bool), np.zeros(len(found), np.int64)
    orders[pair, swapped] = True
    owner[pair] = verdicts.group
    return np.bincount(owner, orders.all(1), verdicts.n_groups) > 0


# ---------------------------------------------------------------------------------------------------- one coefficient


def _columns(found: Means, limits: tuple[Array, Array], p: Array, method: Any, **more: Any) -> dict[str, Array]:
    """The columns of one coefficient: (G,) each."""
    shape = found.n.shape
    return {
        "estimate": found.value.copy(),
        "ci_low": limits[0],
        "ci_high": limits[1],
        "se": found.se,
        "p_value": p,
        "n_first": np.zeros(shape),
        "n_second": np.zeros(shape),
        "n_items": found.n,
        "ci_method": np.broadcast_to(np.asarray(method, object), shape),
        "note": np.full(shape, "", object),
        "remarks": np.full(shape, "", object),
        **more,
    }


def _sign_test(values: Array, group: Array, n_groups: int, method: str = "mid-p") -> tuple[Array, Array, Array]:
    """The exact test that values above and below 0 are as frequent, and the number of both."""
    above, below = (np.bincount(group, side, n_groups) for side in (values > 0, values < 0))
    same = np.bincount(group, values == 0, n_groups)
    table = np.stack([np.stack([same, above], -1), np.stack([below, np.zeros(n_groups)], -1)], -2)
    return mcnemar(table, method).p_value, above, below


def _position(verdicts: Verdicts, swaps: Swaps, level: float) -> dict[str, Array]:
    """The mean effect of the position; in groups without swaps from verdicts in one order."""
    G = verdicts.n_groups
    single = (np.bincount(swaps.group, minlength=G) == 0)[verdicts.group]
    values = np.concatenate([swaps.score[0] - swaps.score[1], 2 * verdicts.score[single] - 1])
    group = np.concatenate([swaps.group, verdicts.group[single]])
    cluster = None
    if swaps.cluster is not None and verdicts.cluster is not None:
        cluster = np.concatenate([swaps.cluster, verdicts.cluster[single]])
    found = mean_differences(values, group, G, cluster)
    p, above, below = _sign_test(values, group, G)
    p = p if cluster is None else found.p_value(0.0)
    return _columns(found, found.limits(level, -1, 1), p, "pseudo-items", n_first=above, n_second=below)


def _share(values: Array, group: Array, n_groups: int, cluster: Array | None) -> Means:
    """The mean of zeros and ones; without clusters its variance has n in the denominator, as Wilson's."""
    found = means(values, group, n_groups, cluster)
    se = np.sqrt(divide(found.value * (1 - found.value), found.n))
    return found if cluster is not None else replace(found, se=se)


def _consistency(swaps: Swaps, n_groups: int, level: float) -> dict[str, Array]:
    same = (swaps.score[0] == swaps.score[1]).astype(float)
    found = _share(same, swaps.group, n_groups, swaps.cluster)
    return _columns(found, share_limits(found, level), np.full(n_groups, np.nan), "wilson")


def _win_rate(swaps: Swaps, n_groups: int, level: float) -> dict[str, Array]:
    """The mean preference for the candidate that sorts first; without variation Wilson's interval, which is wider."""
    preference = swaps.score.mean(0)
    found = means(preference, swaps.group, n_groups, swaps.cluster)
    constant = (found.se == 0) & (found.df > 0)
    exact = _sign_test(preference - 0.5, swaps.group, n_groups)[0]
    p = np.where(constant, exact, found.p_value(0.5))
    bounds = zip(wilson(found.value, found.df + 1, level), found.limits(level, 0, 1), strict=True)
    low, high = (np.where(constant, wide, usual) for wide, usual in bounds)
    return _columns(found, (low, high), p, np.where(constant, "wilson", "t"))


def _win_rate_consistent(swaps: Swaps, n_groups: int, level: float) -> dict[str, Array]:
    """The share of wins among the verdicts that were the same in both orders and no ties."""
    kept = (swaps.score[0] == swaps.score[1]) & (swaps.score[0] != TIE)
    wins, group = swaps.score[0][kept], swaps.group[kept]
    cluster = None if swaps.cluster is None else swaps.cluster[kept]
    found = _share(wins, group, n_groups, cluster)
    p = _sign_test(wins - 0.5, group, n_groups, "exact")[0] if cluster is None else found.p_value(0.5)
    return _columns(found, share_limits(found, level), p, "wilson")


def _kappa(swaps: Swaps, n_groups: int, ci: float | None) -> dict[str, Array]:
    """Cohen's kappa of the two orders; the categories are a loss, a tie and a win."""
    codes = (2 * swaps.score).astype(np.int8)
    ratings = WideRatings(2, 3, n_groups, swaps.group, None, (codes[0], codes[1]))
    reading = Reading(ratings, OUTCOMES, ["shown first", "shown second"], None, False, swaps.cluster)
    found = measure_one(find("kappa"), reading, Options(ci=ci)).columns
    value, n = found["estimate"], found["n_items"]
    remarks = {name: np.where(np.isnan(value), "", np.asarray(found[name], object)) for name in ("note", "remarks")}
    limits = found["ci_low"], found["ci_high"]
    measured = Means(n, value, value, found["se"], n - 1)
    return _columns(measured, limits, np.full(n_groups, np.nan), found["ci_method"], **remarks)
