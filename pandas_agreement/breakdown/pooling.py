"""Pooling over groups: observed and expected disagreement, both summed within groups with margins of their own."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from pandas_agreement.breakdown.contrasts import OF_CODERS, groups_are_of_coders, shared_units
from pandas_agreement.coefficients.registry import Coefficient, require
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.classes import dataclass
from pandas_agreement.core.item_statistics import ItemStatistics
from pandas_agreement.core.quantiles import least_agreement, t_quantile
from pandas_agreement.core.ratings import Ratings
from pandas_agreement.core.remarks import Remarks
from pandas_agreement.core.selection import check_tables, clusters_of, keep
from pandas_agreement.core.sums import divide
from pandas_agreement.data import Reading
from pandas_agreement.engine import distance_for
from pandas_agreement.errors import counted
from pandas_agreement.inference.evaluation import full_disagreement
from pandas_agreement.options import Options

MIN_ITEMS_PER_GROUP = 10  # in the mean; chance agreement of fewer is too high (bias -.06 with 20 groups of 5 items)


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
