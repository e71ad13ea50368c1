"""Differences between coefficients on the same items, and pooling over groups.

The influence function of the difference of two coefficients on the same items is the difference of their influence
functions. Differences between groups are in `groups`, tests against chance in `chance_tests`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.breakdown.estimates import (
    OF_CODERS,
    TAILS,
    Estimates,
    Influences,
    contrast_frame,
    differences,
    joined,
    warn_of_undefined,
)
from pandas_agreement.coefficients.registry import Coefficient, require
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.classes import dataclass
from pandas_agreement.core.item_statistics import ItemStatistics
from pandas_agreement.core.quantiles import least_agreement, t_quantile
from pandas_agreement.core.ratings import LongRatings, Ratings
from pandas_agreement.core.remarks import Remarks
from pandas_agreement.core.selection import check_tables, clusters_of, keep
from pandas_agreement.core.sums import divide
from pandas_agreement.data import Reading
from pandas_agreement.engine import distance_for, used_items
from pandas_agreement.errors import choose, counted
from pandas_agreement.hypothesis_tests.margins import holm
from pandas_agreement.inference.evaluation import analytic, evaluate, full_disagreement
from pandas_agreement.options import Options

ALL = "(all)"
COMPARE_CODERS = "groups of coders: coder_groups(...) compares agreement within and across them"
MIN_ITEMS_PER_GROUP = 10  # in the mean; chance agreement of fewer is too high (bias -.06 with 20 groups of 5 items)


@dataclass(frozen=True, eq=False)
class Part:
    """One coefficient and the influence of each item that counts."""

    name: str
    record: Coefficient
    estimates: Estimates  # of the groups
    influence: Array  # over the number of items
    items: pd.MultiIndex  # group and name of each item
    clusters: Array | None = None


def part_of(name: str, reading: Reading, record: Coefficient, options: Options) -> Part:
    """Evaluate one coefficient."""
    require(record, "compare", "has no influence values to compare")
    reading = used_items(reading, record, options)
    evaluation = evaluate(record, reading.ratings, distance_for(record, reading, options))
    estimates = Estimates.of(record, evaluation, analytic(evaluation, reading.clusters))
    influence = divide(evaluation.influence(), evaluation.statistics.n_items[0][reading.ratings.item_group])
    return Part(name, record, estimates, influence, item_names(reading), reading.clusters)


MAX_NAMED = 6  # coders of a set that are all named


def set_names(sets: Sequence[Sequence[Any]]) -> list[str]:
    """A name for each set of coders: all of them, or of many the first ones and the number of the others.

    >>> set_names([["ann", "bob"], list("abcdefgh"), list("abcdefgk")])
    ['ann, bob', '1: a, b and 6 more', '2: a, b and 6 more']
    """
    names = [", ".join(map(str, one)) for one in sets]
    short = [
        name if len(one) <= MAX_NAMED else f"{one[0]}, {one[1]} and {len(one) - 2} more"
        for name, one in zip(names, sets, strict=True)
    ]
    place = {name: [n for n, other in enumerate(short) if other == name] for name in short}
    same = [len({names[n] for n in place[name]}) > 1 for name in short]
    return [
        f"{place[name].index(n) + 1}: {name}" if again else name
        for n, (name, again) in enumerate(zip(short, same, strict=True))
    ]


def item_names(reading: Reading) -> pd.MultiIndex:
    """Group and name of each item; the row number if items have no names."""
    names: Any = reading.rows if reading.items is None else reading.items.to_flat_index()
    return pd.MultiIndex.from_arrays([reading.ratings.item_group, names])


def on_common_items(readings: Sequence[Reading], missing: str) -> list[Reading]:
    """The same readings, restricted to the items that count in all of them."""
    names = [item_names(reading) for reading in readings]
    kept = [keep(reading.ratings, missing, reading.coders)[1] for reading in readings]
    common = names[0][kept[0]]
    for index, chosen in zip(names[1:], kept[1:], strict=True):
        common = common.intersection(index[chosen])
    return [reading.take(np.flatnonzero(index.isin(common))) for reading, index in zip(readings, names, strict=True)]


def compare(
    parts: Sequence[Part], groups: pd.Index | None, ci: float | None, alternative: str, own: bool = False
) -> pd.DataFrame:
    """Differences of all pairs of parts, and a joint test: one row per group and difference.

    `own` takes the standard errors at the estimates themselves.
    """
    tail = choose("alternative", alternative, TAILS)
    G, P = len(parts[0].estimates.value), len(parts)
    group, item, unit, estimate, influence = _stacked(parts, G)
    n, items = (Influences.of(group, each, influence, G).n_units for each in (unit, item))
    influences = Influences.of(estimate, unit, influence, G * P)
    members = np.arange(P) * G + np.arange(G)[:, None]  # (G, P)
    se = np.sqrt(divide(n, n - 1)[:, None] * influences.products(members, members))
    estimates = _together(parts, np.where(influences.n_units[members] > 1, se, np.nan), n, own)
    r = influences.correlations(members[:, :, None], members[:, None, :])
    first, second = np.triu_indices(P, 1)
    columns = differences(estimates, members[:, first], members[:, second], r[:, first, second], tail, ci)
    columns |= {"p_holm": holm(columns["p_value"]), "n_items": np.repeat(items[:, None], len(first), 1)}
    warn_of_undefined(columns["difference"])
    labels = [(parts[a].name, parts[b].name) for a, b in zip(first.tolist(), second.tolist(), strict=True)]
    if P > 2:
        labels.append((ALL, ALL))
        joint = _joint(estimates, members, r, n) | {"n_items": items}
        columns = {
            name: np.column_stack([values, joint.get(name, np.full(G, np.nan))]) for name, values in columns.items()
        }
    return contrast_frame(columns, labels, groups)


def _stacked(parts: Sequence[Part], n_groups: int) -> tuple[Array, ...]:
    """Group, item, unit, place among the estimates and value of the defined influences of all parts: (N,) each."""
    names: Any = parts[0].items.append([part.items for part in parts[1:]])
    group, item = names.get_level_values(0).to_numpy(), pd.factorize(names)[0]
    clusters = [part.clusters for part in parts if part.clusters is not None]
    unit = clusters_of(group, np.concatenate(clusters))[0] if clusters else item
    estimate = group + n_groups * np.repeat(np.arange(len(parts)), [len(part.items) for part in parts])
    influence = np.concatenate([part.influence for part in parts])
    return tuple(column[~np.isnan(influence)] for column in (group, item, unit, estimate, influence))


def _together(parts: Sequence[Part], se: Array, n: Array, own: bool) -> Estimates:
    """The estimates of all parts, those of the first part first; `se` (G, P) are those of their influence values.

    Different coefficients are compared by their influence values alone,
    whose standard errors count all items of the group.
    """
    estimates = joined([part.estimates for part in parts])
    if not own and len({part.record.name for part in parts}) == 1 and estimates.scored is not None:
        return estimates
    return Estimates(estimates.value, estimates.n, se.T.ravel(), np.tile(n - 1.0, len(parts)))


def _joint(estimates: Estimates, members: Array, r: Array, n: Array) -> dict[str, Array]:
    """Hotelling's joint test of all differences of estimates (G, P) with these correlations (G, P, P): (G,) each."""
    from scipy.special import fdtrc

    G, P = members.shape
    se, m = estimates.at_common_value(members), P - 1
    r = np.where(np.eye(P, dtype=bool), 1.0, r)
    steps = np.eye(P)[:-1] - np.eye(P)[1:]
    covariance = steps @ (r * se[:, :, None] * se[:, None, :]) @ steps.T
    gaps = estimates.value[members] @ steps.T
    known = (n > m) & np.isfinite(gaps).all(-1) & np.isfinite(covariance).all((-2, -1))
    known[known] = np.linalg.matrix_rank(covariance[known], hermitian=True) == m
    F, p = np.full((2, G), np.nan)
    square = (gaps[known] * np.linalg.solve(covariance[known], gaps[known][..., None])[..., 0]).sum(-1)
    F[known] = square * (n[known] - m) / ((n[known] - 1) * m)
    p[known] = fdtrc(m, n[known] - m, F[known])
    return {"statistic": F, "df": np.where(known, float(m), np.nan), "p_value": p, "p_holm": p}


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
    of_coders: bool  # the groups are groups of coders of the same items
    single_cluster: bool  # a group that contributes has one cluster only, which says nothing of how clusters vary

    @property
    def unknown(self) -> bool:
        """There is no standard error and no interval."""
        return self.single_cluster or bool(np.isnan(self.value))


def shared_units(reading: Reading) -> Array | None:
    """The number of each item, or of its cluster, if some are in several groups: (I,)."""
    if reading.ratings.group is None or (reading.clusters is None and reading.items is None):
        return None
    units = units_of(reading)
    pairs = pd.DataFrame({"unit": units, "group": reading.ratings.group}).drop_duplicates()
    return units if pairs["unit"].duplicated().any() else None


def units_of(reading: Reading) -> Array:
    """The number of each item, or of its cluster: (I,)."""
    units: Any = reading.items if reading.clusters is None else reading.clusters
    return pd.factorize(units)[0]


def groups_are_of_coders(reading: Reading) -> bool:
    """Whether the groups share items but no coders, as those by an attribute of the coder do."""
    ratings = reading.ratings
    if not isinstance(ratings, LongRatings) or ratings.group is None or reading.items is None:
        return False
    pairs = np.unique(np.stack([ratings.coder, ratings.group[ratings.item]]), axis=1)
    own = len(np.unique(pairs[0])) == pairs.shape[1]
    return own and shared_units(replace(reading, clusters=None)) is not None


def pooled(reading: Reading, record: Coefficient, options: Options) -> Pooled:
    """1 minus observed over expected disagreement, both summed within groups; each group has its own margins."""
    require(record, "pooled", "cannot be pooled: its value is not 1 - D_o / D_e")
    check_tables(reading.ratings, record.needs_coders)
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
    clusters = None if reading.clusters is None else reading.clusters[kept]
    se, df, single = _se_within_groups(ratings, influence, items, None if units is None else units[kept], clusters)
    together = ItemStatistics(replace(ratings, group=None, n_groups=1), distance, record.unit)
    whole = (float(n.sum()) or np.nan) * float(np.squeeze(full_disagreement(together)))
    return Pooled(
        value=1 - ratio,
        se=se,
        df=df,
        observed=1 - top / whole,
        expected=1 - bottom / whole,
        n_items=float(paired.sum()),
        n_groups=int((D_e > 0).sum()),
        of_coders=groups_are_of_coders(reading),
        single_cluster=bool((single & (D_e > 0)).any()),
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


def _se_within_groups(
    ratings: Ratings, influence: Array, n: Array, units: Array | None, clusters: Array | None
) -> tuple[float, float, Array]:
    """Standard error of the sum over groups, its degrees of freedom, and the groups of a single cluster.

    The variances of the groups' summed influences add up. Groups that share items or clusters (`units`) are not
    independent: the influences of a unit are summed before they are squared.
    """
    centred, none = influence - divide(ratings.sum(influence), n)[ratings.item_group], np.zeros(len(n), bool)
    if units is not None:
        each = np.bincount(units, np.nan_to_num(centred) * ratings.weights)
        number = len(np.unique(units))
        inflation = number / (number - 1) if number > 1 else np.nan
        return float(np.sqrt((each**2).sum() * inflation)), number - 1, none
    if clusters is None:
        variance = divide(n * ratings.sum(centred**2), n - 1)
        return float(np.sqrt(np.nansum(variance))), float(n.sum()) - 1, none
    cluster, group = clusters_of(ratings.item_group, clusters)
    m = np.bincount(group, minlength=len(n)).astype(float)
    sums = np.bincount(cluster, np.nan_to_num(influence) * ratings.weights, minlength=len(group))
    sums = sums - divide(np.bincount(group, sums, minlength=len(n)), m)[group]  # without items they are integers
    variance = divide(m * np.bincount(group, sums**2, minlength=len(n)), m - 1)
    return float(np.sqrt(np.nansum(variance))), float((m - 1)[m > 0].sum()), m == 1


def pooled_frame(found: Pooled, together: pd.DataFrame, ci: float | None) -> pd.DataFrame:
    """The pooled coefficient and that of all items together: two rows."""
    row = together.copy()
    row["estimate"], row["se"] = found.value, np.nan if ci is None or found.unknown else found.se
    row["ci_low"], row["ci_high"] = (np.nan, np.nan) if ci is None else _pooled_limits(found, ci)
    row["observed"], row["expected"], row["n_items"] = found.observed, found.expected, int(found.n_items)
    row["ci_method"] = "" if ci is None else "analytic"
    few = found.n_items < MIN_ITEMS_PER_GROUP * found.n_groups
    remarks = Remarks(1)
    remarks.add(True, "groups", counted(found.n_groups, "group contributes", "groups contribute"))
    remarks.add(few, "too low", f"fewer than {MIN_ITEMS_PER_GROUP} items per group: the value is too low")
    remarks.add(found.single_cluster, "no se", "a group is one cluster: no se")
    remarks.add(found.of_coders, *OF_CODERS)
    row = row.assign(**remarks.columns())
    both = pd.concat([row, together], keys=pd.Index(["within groups", "all together"], name="pooling"))
    return both.astype(together.dtypes.to_dict())


def _pooled_limits(found: Pooled, level: float) -> tuple[float, float]:
    """The estimate plus and minus t standard errors; for perfect agreement a lower bound, as for one group."""
    if found.unknown:
        return np.nan, np.nan
    if found.value == 1 and found.n_items > 1:
        units = min(found.n_items, found.df + 1)  # items, or clusters of them
        least = float(least_agreement(np.array([units]), level)[0])
        return max(-1.0, 1 - (1 - least) / (1 - found.expected)), 1.0
    width = float(t_quantile(np.array([found.df]), level)[0]) * found.se
    return max(-1.0, found.value - width), min(1.0, found.value + width)
