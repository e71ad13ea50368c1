"""Differences between coefficients on the same items, and pooling over groups.

The influence function of the difference of two coefficients on the same items is the difference of their influence
functions. Differences between groups are in `groups`, tests against chance in `chance_tests`.
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
from pandas_agreement.errors import choose
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
MIN_ITEMS_PER_GROUP = 10  # in the mean; chance agreement of fewer is too high (bias -.06 with 20 groups of 5 items)


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
    for index, counted in zip(names[1:], kept[1:], strict=True):
        common = common.intersection(index[counted])
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
        found = difference_columns(parts[a].estimate, parts[b].estimate, se, width, p, ci)
        for name, values in (found | {"df": n - 1.0, "n_items": items}).items():
            columns[name][:, place] = values
    columns["p_holm"] = holm(columns["p_value"])
    labels = [(names[a], names[b]) for a, b in pairs]
    if len(parts) > 2:
        labels.append((ALL, ALL))
        columns = _with_joint(columns, parts, V, group, n) | {"n_items": np.repeat(items[:, None], len(labels), 1)}
    return contrast_frame(columns, labels, groups, G)


def difference_columns(
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


def contrast_frame(
    columns: Mapping[str, Array], labels: Sequence[tuple[Any, Any]], groups: pd.Index | None, n_groups: int
) -> pd.DataFrame:
    flat = {name: values.ravel() for name, values in columns.items()}
    unknown = np.isnan(flat["p_value"])
    flat["note"] = np.where(unknown, "no difference can be tested", "").astype(object)
    keys = None if groups is None else groups.repeat(len(labels))
    levels = {"first": [a for a, _ in labels] * n_groups, "second": [b for _, b in labels] * n_groups}
    flat["n_items"] = np.nan_to_num(flat["n_items"])
    return frames.result(frames.index_of(keys, levels), flat, schemas.CONTRASTS)


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


def shared_units(reading: Reading) -> Array | None:
    """The number of each item, or of its cluster, if some are in several groups: (I,)."""
    units: Any = reading.clusters if reading.clusters is not None else reading.items
    if units is None or reading.ratings.group is None:
        return None
    codes = pd.factorize(units)[0]
    pairs = pd.DataFrame({"unit": codes, "group": reading.ratings.group}).drop_duplicates()
    return codes if pairs["unit"].duplicated().any() else None


def pooled(reading: Reading, record: Coefficient, options: Options) -> Pooled:
    """1 minus observed over expected disagreement, both summed within groups; each group has its own margins."""
    require(record, "pooled", "cannot be pooled: its value is not 1 - D_o / D_e")
    ratings, kept = keep(reading.ratings, record.rule(options.missing), reading.coders)
    units = shared_units(reading)
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
        se=_se_within_groups(ratings, influence, items, None if units is None else units[kept]),
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


def _se_within_groups(ratings: Ratings, influence: Array, n: Array, units: Array | None) -> float:
    """Standard error of the sum over groups: the variances of their summed influences add up.

    Groups that share items are not independent: the influences of an item (`units`) are summed before they are squared.
    """
    centred = influence - divide(ratings.sum(influence), n)[ratings.item_group]
    if units is None:
        return float(np.sqrt(np.nansum(divide(n * ratings.sum(centred**2), n - 1))))
    each = np.bincount(units, np.nan_to_num(centred) * ratings.weights)
    number = len(np.unique(units))
    return float(np.sqrt((each**2).sum() * number / (number - 1))) if number > 1 else np.nan


def pooled_frame(found: Pooled, together: pd.DataFrame, ci: float | None) -> pd.DataFrame:
    """The pooled coefficient and that of all items together: two rows."""
    row = together.copy()
    row["estimate"], row["se"] = found.value, np.nan if ci is None else found.se
    row["ci_low"], row["ci_high"] = (np.nan, np.nan) if ci is None else _pooled_limits(found, ci)
    row["observed"], row["expected"], row["n_items"] = found.observed, found.expected, int(found.n_items)
    row["ci_method"] = "" if ci is None else "analytic"
    row["note"] = f"{found.n_groups} groups contribute"
    if found.n_items < MIN_ITEMS_PER_GROUP * found.n_groups:
        row["note"] += f"; fewer than {MIN_ITEMS_PER_GROUP} items per group: the value is too low"
    both = pd.concat([row, together], keys=pd.Index(["within groups", "all together"], name="pooling"))
    return both.astype(together.dtypes.to_dict())


def _pooled_limits(found: Pooled, level: float) -> tuple[float, float]:
    """The estimate plus and minus t standard errors; for perfect agreement a lower bound, as for one group."""
    if found.value == 1 and found.n_items > 1:
        least = float(least_agreement(np.array([found.n_items]), level)[0])
        return max(-1.0, 1 - (1 - least) / (1 - found.expected)), 1.0
    width = float(t_quantile(np.array([found.df]), level)[0]) * found.se
    return max(-1.0, found.value - width), min(1.0, found.value + width)
