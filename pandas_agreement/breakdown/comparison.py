"""Differences between coefficients on the same items or between groups, heterogeneity, and pooling over groups.

The influence function of the difference of two coefficients on the same items is the difference of their influence
functions; coefficients of different groups are independent. Tests against chance are in `chance_tests`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.coefficients.registry import Coefficient, require
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.item_statistics import ItemStatistics
from pandas_agreement.core.missing import keep
from pandas_agreement.core.quantiles import least_agreement, t_quantile
from pandas_agreement.core.ratings import Ratings
from pandas_agreement.core.sums import divide
from pandas_agreement.data import Reading
from pandas_agreement.engine import distance_for
from pandas_agreement.errors import choose, counted
from pandas_agreement.hypothesis_tests.margins import holm
from pandas_agreement.inference.evaluation import evaluate, full_disagreement
from pandas_agreement.options import Options
from pandas_agreement.results import frames, schemas

Tail = Callable[[Any, Callable[[Any], Any]], Any]
#: p-value of a statistic, from the lower tail of its distribution
TAILS: dict[str, Tail] = {
    "two-sided": lambda statistic, cdf: 2 * cdf(-np.abs(statistic)),
    "greater": lambda statistic, cdf: cdf(-statistic),
    "less": lambda statistic, cdf: cdf(statistic),
}
ALL = "(all)"


@dataclass(frozen=True, eq=False)
class Part:
    """One coefficient and the influence of each item."""

    name: str
    estimate: Array  # (G,)
    influence: pd.Series  # influence over the number of items, by group and item; missing where an item does not count
    clusters: pd.Series | None = None  # the cluster of each item, by group and item


def part_of(name: str, reading: Reading, record: Coefficient, options: Options) -> Part:
    """Evaluate one coefficient; its influence values are indexed by item."""
    require(record, "compare", "has no influence values to compare")
    ratings, kept = keep(reading.ratings, record.rule(options.missing), reading.coders)
    evaluation = evaluate(record, ratings, distance_for(record, reading, options))
    names = item_names(reading)
    group = names.get_level_values(0).to_numpy()
    influence = np.full(len(kept), np.nan)
    influence[kept] = divide(evaluation.influence(), evaluation.statistics.n_items[0][group[kept]])
    clusters = None if reading.clusters is None else pd.Series(reading.clusters, index=names)
    return Part(name, evaluation.value, pd.Series(influence, index=names), clusters)


def item_names(reading: Reading) -> pd.MultiIndex:
    """Group and name of each item; the row number if items have no names."""
    ratings = reading.ratings
    group = np.zeros(ratings.n_items, np.int64) if ratings.group is None else ratings.group
    rows = np.arange(ratings.n_items) if reading.rows is None else reading.rows
    return pd.MultiIndex.from_arrays([group, reading.items if reading.items is not None else rows])


def on_common_items(readings: Sequence[Reading], missing: str) -> list[Reading]:
    """The same readings, restricted to the items that count in all of them."""
    names = [item_names(reading) for reading in readings]
    kept = [keep(reading.ratings, missing, reading.coders)[1] for reading in readings]
    common = names[0][kept[0]]
    for index, chosen in zip(names[1:], kept[1:], strict=True):
        common = common.intersection(index[chosen])
    return [_only(reading, index.isin(common)) for reading, index in zip(readings, names, strict=True)]


def _only(reading: Reading, items: Array) -> Reading:
    rows, names, clusters = reading.rows, reading.items, reading.clusters
    return replace(
        reading,
        ratings=reading.ratings.select(items),
        rows=None if rows is None else rows[items],
        items=None if names is None else names[items],
        clusters=None if clusters is None else clusters[items],
    )


def compare(parts: Sequence[Part], groups: pd.Index | None, ci: float | None, alternative: str) -> pd.DataFrame:
    """Differences of all pairs of parts, and a joint test: one row per group and difference."""
    from scipy.special import stdtr

    tail = choose("alternative", alternative, TAILS)
    influence = pd.concat([part.influence for part in parts], axis=1)
    G = len(parts[0].estimate)
    items = np.bincount(_groups(influence), influence.notna().any(axis=1), minlength=G)
    units = _units(influence, parts)  # items, or clusters of them
    group = _groups(units)
    V = _influences(units, group, G)
    n = np.bincount(group, units.notna().any(axis=1), minlength=G)
    names = [part.name for part in parts]
    pairs = list(combinations(range(len(parts)), 2))
    columns: dict[str, Array] = {name: np.full((G, len(pairs)), np.nan) for name in schemas.CONTRASTS if name != "note"}
    for place, (a, b) in enumerate(pairs):
        total = np.bincount(group, (V[:, a] - V[:, b]) ** 2, minlength=G)
        se = np.sqrt(divide(n * total, n - 1))
        difference = parts[a].estimate - parts[b].estimate
        width = np.nan if ci is None else t_quantile(n - 1.0, ci) * se
        p = tail(divide(difference, se), lambda x: stdtr(np.maximum(n - 1.0, 1), x))
        found = _difference_columns(parts[a].estimate, parts[b].estimate, se, width, p, ci)
        for name, values in (found | {"df": n - 1.0, "n_items": items}).items():
            columns[name][:, place] = values
    columns["p_holm"] = holm(columns["p_value"])
    labels = [(names[a], names[b]) for a, b in pairs]
    if len(parts) > 2:
        labels.append((ALL, ALL))
        columns = _with_joint(columns, parts, V, group, n) | {"n_items": np.repeat(items[:, None], len(labels), 1)}
    return _contrast_frame(columns, labels, groups, G)


def _difference_columns(
    first: Array, second: Array, se: Array, width: Any, p_value: Array, ci: float | None
) -> dict[str, Array]:
    """The columns of a table of differences; `width` is half of the interval."""
    difference = first - second
    return {
        "estimate_1": first,
        "estimate_2": second,
        "difference": difference,
        "ci_low": difference - width,
        "ci_high": difference + width,
        "se": se,
        "statistic": divide(difference, se),
        "p_value": p_value,
        "ci_level": np.full(len(first), np.nan if ci is None else ci),
    }


def _groups(frame: pd.DataFrame) -> Array:
    return frame.index.get_level_values(0).to_numpy()


def _units(influence: pd.DataFrame, parts: Sequence[Part]) -> pd.DataFrame:
    """Influence of the independent units: items, or sums over clusters of items."""
    given = [part.clusters for part in parts if part.clusters is not None]
    if not given:
        return influence
    clusters = pd.concat(given)
    clusters = clusters[~clusters.index.duplicated()].reindex(influence.index)
    return influence.groupby([_groups(influence), clusters.to_numpy()]).sum(min_count=1)


def _influences(units: pd.DataFrame, group: Array, n_groups: int) -> Array:
    """0 if an item does not count, NaN if no item of the group has an influence: (items, parts)."""
    defined = units.notna().to_numpy()
    some = np.stack([np.bincount(group, column, minlength=n_groups) > 0 for column in defined.T], -1)  # (G, parts)
    return np.where(some[group], units.fillna(0.0).to_numpy(), np.nan)


def _with_joint(columns: dict[str, Array], parts: Sequence[Part], V: Array, group: Array, n: Array) -> dict[str, Array]:
    """Add Hotelling's joint test of all differences."""
    from scipy.special import fdtrc

    m, G = len(parts) - 1, len(n)
    joint = {name: np.full(G, np.nan) for name in columns}
    values = np.stack([part.estimate for part in parts], -1)
    for g in range(G):
        D = (V[group == g][:, :-1] - V[group == g][:, 1:]) * np.sqrt(n[g] / max(n[g] - 1, 1))
        gaps = values[g, :-1] - values[g, 1:]
        if n[g] <= m or np.isnan(gaps).any() or np.isnan(D).any() or np.linalg.matrix_rank(D) < m:
            continue
        square = float(gaps @ np.linalg.solve(D.T @ D, gaps))
        F = square * (n[g] - m) / ((n[g] - 1) * m)
        joint["statistic"][g], joint["df"][g] = F, m
        joint["p_value"][g] = joint["p_holm"][g] = fdtrc(m, n[g] - m, F)
    joint["n_items"] = n.astype(float)
    return {name: np.concatenate([values, joint[name][:, None]], 1) for name, values in columns.items()}


def _contrast_frame(
    columns: Mapping[str, Array], labels: Sequence[tuple[Any, Any]], groups: pd.Index | None, n_groups: int
) -> pd.DataFrame:
    flat = {name: values.ravel() for name, values in columns.items()}
    unknown = np.isnan(flat["p_value"])
    flat["note"] = np.where(unknown, "no difference can be tested", "").astype(object)
    keys = None if groups is None else groups.repeat(len(labels))
    levels = {"first": [a for a, _ in labels] * n_groups, "second": [b for _, b in labels] * n_groups}
    flat["n_items"] = np.nan_to_num(flat["n_items"])
    return frames.result(frames.index_of(keys, levels), flat, schemas.CONTRASTS)


# ------------------------------------------------------------------------------------------------- independent groups


def contrasts(result: pd.DataFrame, ci: float, alternative: str) -> pd.DataFrame:
    """Differences between the independent groups of a result: one row per pair of groups."""
    from scipy.special import ndtr, ndtri

    tail = choose("alternative", alternative, TAILS)
    estimate, se, n = (result[name].to_numpy(float) for name in ("estimate", "se", "n_items"))
    se = np.where(se > 0, se, np.nan)  # 0 means perfect agreement or no variation: no test
    a, b = np.triu_indices(len(result), 1)
    error = np.sqrt(se[a] ** 2 + se[b] ** 2)
    p = tail(divide(estimate[a] - estimate[b], error), ndtr)
    columns = _difference_columns(estimate[a], estimate[b], error, ndtri((1 + ci) / 2) * error, p, ci)
    columns |= {"df": np.full(len(a), np.nan), "p_holm": holm(p), "n_items": n[a] + n[b]}
    index: Any = result.index
    keys = index.droplevel("coefficient").tolist()
    labels = [(keys[i], keys[j]) for i, j in zip(a, b, strict=True)]
    return _contrast_frame({name: values[None] for name, values in columns.items()}, labels, None, 1)


def heterogeneity(result: pd.DataFrame) -> pd.DataFrame:
    """Tests whether the groups of a result are equal, and whether there is a trend in their order."""
    from scipy.special import chdtrc, ndtr

    good = (result["se"] > 0).to_numpy() & result["estimate"].notna().to_numpy()
    estimate, weight = result["estimate"].to_numpy()[good], 1 / result["se"].to_numpy()[good] ** 2
    n = len(estimate)
    chi2 = trend = np.nan
    if n > 1:
        chi2 = float((weight * (estimate - np.average(estimate, weights=weight)) ** 2).sum())
        order = np.flatnonzero(good).astype(float)
        centred = order - np.average(order, weights=weight)
        trend = float((weight * centred * estimate).sum() / np.sqrt((weight * centred**2).sum()))
    columns = {
        "statistic": np.array([chi2, trend]),
        "df": np.array([n - 1.0 if n > 1 else np.nan, np.nan]),
        "p_value": np.array([chdtrc(n - 1, chi2) if n > 1 else np.nan, 2 * ndtr(-abs(trend))]),
        "n_groups": np.array([n, n]),
        "null": np.array(["all groups have the same value", "no rise or fall in the order of the groups"], object),
    }
    return frames.result(pd.Index(["equality", "trend"], name="test"), columns, schemas.HETEROGENEITY)


# ----------------------------------------------------------------------------------------------------------- pooling


@dataclass(frozen=True, eq=False)
class Pooled:
    """The pooled value; observed and expected are agreements."""

    value: float
    se: float
    df: float
    observed: float
    expected: float
    n_items: float
    n_groups: int  # groups that contribute


def pooled(reading: Reading, record: Coefficient, options: Options) -> Pooled:
    """1 minus observed over expected disagreement, both summed within groups; each group has its own margins."""
    require(record, "pooled", "cannot be pooled: its value is not 1 - D_o / D_e")
    ratings, _ = keep(reading.ratings, record.rule(options.missing), reading.coders)
    distance = distance_for(record, reading, options)
    statistics = ItemStatistics(ratings, distance, record.unit, record.needs_coders)
    sums = statistics.sums
    estimate = record.kernel(sums, statistics.distance)
    n, D_o = sums.pairable, np.nan_to_num(sums.observed)  # (G,)
    D_e = np.where(estimate.expected > 0, estimate.expected, 0.0)
    top, bottom = float((n * D_o).sum()), float((n * D_e).sum())
    ratio = top / bottom if bottom > 0 else np.nan
    group = np.zeros(ratings.n_items, np.int64) if ratings.group is None else ratings.group
    drift_o, drift_e = _drifts(record, statistics, D_e[group])
    by_top = statistics.paired * statistics.disagreement + n[group] * drift_o  # (I,)
    by_bottom = statistics.paired * D_e[group] + n[group] * drift_e
    influence = divide(ratio * by_bottom - by_top, np.full(ratings.n_items, bottom))
    items, paired = statistics.n_items
    together = ItemStatistics(replace(ratings, group=None, n_groups=1), distance, record.unit)
    whole = (float(n.sum()) or np.nan) * float(np.squeeze(full_disagreement(together)))
    return Pooled(
        value=1 - ratio,
        se=_se_within_groups(ratings, influence, items, group),
        df=float(items.sum()) - 1,
        observed=1 - top / whole,
        expected=1 - bottom / whole,
        n_items=float(paired.sum()),
        n_groups=int((D_e > 0).sum()),
    )


def _drifts(record: Coefficient, statistics: ItemStatistics, D_e: Array) -> tuple[Array, Array]:
    """Influence of an item on D_o (through distances by rank) and on D_e, by way of the totals: (I,) each.

    The derivative of 1 - D_o / D_e by the totals is D_o / D_e^2 times that of D_e, minus that of D_o divided by D_e.
    Evaluating it at D_o = 0 and at D_o = 1 separates the two.
    """
    sums, slopes = statistics.sums, []
    for D_o in (0.0, 1.0):
        at = record.kernel(replace(sums, disagreement=D_o * sums.pairable), statistics.distance)
        slopes.append(statistics.slope(np.zeros_like(sums.pairable), at.by_totals, at.by_coders))
    return np.nan_to_num(-slopes[0] * D_e), np.nan_to_num((slopes[1] - slopes[0]) * D_e**2)


def _se_within_groups(ratings: Ratings, influence: Array, n: Array, group: Array) -> float:
    """Standard error of the sum over independent groups: the variances of their summed influences add up."""
    centre = divide(ratings.sum(influence), n)
    spread = ratings.sum((influence - centre[group]) ** 2)
    return float(np.sqrt(np.nansum(divide(n * spread, n - 1))))


def pooled_frame(found: Pooled, together: pd.DataFrame, ci: float | None) -> pd.DataFrame:
    """The pooled coefficient and that of all items together: two rows."""
    row = together.copy()
    row["estimate"], row["se"] = found.value, np.nan if ci is None else found.se
    row["ci_low"], row["ci_high"] = (np.nan, np.nan) if ci is None else _pooled_limits(found, ci)
    row["observed"], row["expected"], row["n_items"] = found.observed, found.expected, int(found.n_items)
    row["note"] = counted(found.n_groups, "group contributes", "groups contribute")
    both = pd.concat([row, together], keys=pd.Index(["within groups", "all together"], name="pooling"))
    return both.astype(together.dtypes.to_dict())


def _pooled_limits(found: Pooled, level: float) -> tuple[float, float]:
    """The estimate plus and minus t standard errors; for perfect agreement a lower bound, as for one group."""
    if found.value == 1 and found.n_items > 1:
        least = float(least_agreement(np.array([found.n_items]), level)[0])
        return max(-1.0, 1 - (1 - least) / (1 - found.expected)), 1.0
    width = float(t_quantile(np.array([found.df]), level)[0]) * found.se
    return max(-1.0, found.value - width), min(1.0, found.value + width)
