"""Differences between estimates: coefficients on the same items, groups of items, and what both have in common.

The interval of a difference is made from the score intervals of both (Zou 2007), and its test from the same intervals:
the statistic is the t at which the interval ends at 0. Standard errors at the estimates themselves would be smallest
where an estimate is extreme by chance, 0 where agreement is perfect, and such a test rejects too often. A test of many
estimates at once uses the standard errors at their common value, from models of the labels. Coefficients without a
score interval keep their own standard errors.

Estimates that share items, or clusters of items, are correlated; their influence values tell how much. Differences
within and across groups of coders are in `coder_groups`, tests against chance in `chance_tests`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.coefficients.registry import Coefficient, require
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.classes import dataclass
from pandas_agreement.core.quantiles import chi2_test, f_test, level_of, t_quantile, t_tail, t_test
from pandas_agreement.core.ratings import LongRatings
from pandas_agreement.core.remarks import Remarks, warn_undefined
from pandas_agreement.core.selection import check_tables, clusters_of, keep
from pandas_agreement.core.sums import divide
from pandas_agreement.data import Reading
from pandas_agreement.engine import distance_for, measure, method_of, used_items
from pandas_agreement.errors import InputError, choose, warn
from pandas_agreement.hypothesis_tests.margins import holm
from pandas_agreement.inference.evaluation import Evaluation, Uncertainty, analytic, evaluate
from pandas_agreement.inference.intervals import Curve
from pandas_agreement.inference.label_model import LabelModel, capped_ratio, fit
from pandas_agreement.options import Options
from pandas_agreement.results import frames, schemas
from pandas_agreement.results.natural_order import listed_order, reading_rank

Tail = Callable[[Any, Callable[[Any], Any]], Any]
#: p-value of a statistic, from the lower tail of its distribution
TAILS: dict[str, Tail] = {
    "two-sided": lambda statistic, cdf: 2 * cdf(-np.abs(statistic)),
    "greater": lambda statistic, cdf: cdf(-statistic),
    "less": lambda statistic, cdf: cdf(statistic),
}
OF_CODERS = "coders", "groups of coders: see coder_groups"  # a remark
ROUNDING = 1e-14  # relative variance of a difference that can be a rounding error
STEPS = 4  # towards the common value, whose weights depend on it
DOUBLINGS, HALVINGS = 20, 60  # of t, in search of the interval that ends at 0
ALL = "(all)"
COMPARE_CODERS = "compare groups of coders with coder_groups(...), within and across them"
MAX_NAMED = 6  # coders of a set that are all named
RANK = 1e-15  # of the largest variance: smaller ones are 0
MAX_CONTRASTS = 1_000_000  # differences of two groups
MANY = 1e300  # degrees of freedom of the normal distribution


@dataclass(frozen=True, eq=False)
class Scored:
    """What the score intervals of estimates are made of, and the models of labels behind joint tests: (N,) each."""

    curve: Curve
    fall: Array  # how far the value falls if all items disagree, where agreement is perfect; NaN elsewhere
    units: Array  # items, or clusters of them
    model: LabelModel
    ratio: Array  # variance in the data to that of the models
    design: Array  # design effect of clusters

    @classmethod
    def of(cls, record: Coefficient, evaluation: Evaluation, uncertainty: Uncertainty) -> Scored:
        """Those of the groups of an evaluation."""
        curve = Curve.of(record, evaluation, uncertainty)
        perfect = (evaluation.observed == 0) & (evaluation.value == record.perfect)
        fall = np.where(perfect, divide(evaluation.unit(), evaluation.expected), np.nan)
        units = np.minimum(curve.n, uncertainty.df + 1)
        return cls(curve, fall, units, *fit(record, evaluation, uncertainty), uncertainty.design_effect)

    @classmethod
    def joined(cls, parts: Sequence[Scored]) -> Scored:
        curve, model = Curve.joined([part.curve for part in parts]), LabelModel.joined([part.model for part in parts])
        names = "fall", "units", "ratio", "design"
        arrays: Any = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
        return cls(curve=curve, model=model, **arrays)

    def arms(self, places: Array, t: Array, df: Array) -> tuple[Array, Array]:
        """How far the interval at t reaches below and above some estimates."""
        curve, fall = self.curve.take(places), self.fall[places]
        low, high = curve.limits(t)
        perfect, bound = np.isfinite(fall), fall * (1 - t_tail(t, df) ** divide(1.0, self.units[places]))
        return np.where(perfect, bound, curve.value - low), np.where(perfect, 0.0, high - curve.value)


@dataclass(frozen=True, eq=False)
class Estimates:
    """Estimates with what a test of their differences needs: (N,) each."""

    value: Array
    n: Array  # items
    se: Array  # 0 is no certainty, so a test has none
    df: Array
    scored: Scored | None = None  # None: only the own standard errors are known

    @classmethod
    def of(cls, record: Coefficient, evaluation: Evaluation, uncertainty: Uncertainty) -> Estimates:
        """Those of the groups of an evaluation."""
        n, scored = evaluation.statistics.n_items[1], None
        if record.at_shares is not None:
            scored = Scored.of(record, evaluation, uncertainty)
        return cls(evaluation.value, n, uncertainty.se, uncertainty.df, scored)

    @property
    def testable(self) -> Array:
        """Which estimates can be compared with others: (N,) of bool."""
        known = ~np.isnan(self.value) & (self.n > 1)
        return known & (self.scored.model.largest > 0 if self.scored is not None else self.se > 0)

    def at_common_value(self, members: Array) -> Array:
        """Standard errors of sets of estimates (S, M) if the estimates of a set have the same true value."""
        if self.scored is None:
            return np.where(self.se > 0, self.se, np.nan)[members]
        estimate, model = self.value[members], self.scored.model.take(members)
        n = np.where(self.n > 1, self.n, np.nan)[members]
        total = n.sum(-1, keepdims=True)
        averaged = self.scored.ratio[members], model.diversity, estimate
        mean = [divide((n * each).sum(-1, keepdims=True), total) for each in averaged]
        ratio, value = capped_ratio(mean[0], total, mean[1]) * self.scored.design[members], mean[2]
        for _ in range(STEPS):
            weight = divide(n, model.variance_at(model.level(value)))
            value = divide((weight * estimate).sum(-1, keepdims=True), weight.sum(-1, keepdims=True))
        return np.sqrt(divide(ratio * model.variance_at(model.level(value)), n))


def joined(parts: Sequence[Estimates]) -> Estimates:
    """Several estimates of each group as one: those of the first part come first."""
    value, n, se, df = (np.concatenate([getattr(part, name) for part in parts]) for name in ("value", "n", "se", "df"))
    scored = [part.scored for part in parts if part.scored is not None]
    return Estimates(value, n, se, df, Scored.joined(scored) if len(scored) == len(parts) else None)


def differences(
    estimates: Estimates, first: Array, second: Array, r: Array | float, tail: Tail, ci: float | None
) -> dict[str, Array]:
    """The columns of differences between pairs of estimates, whose correlation is `r`."""
    from scipy.special import stdtr

    value = estimates.value
    difference = value[first] - value[second]
    compared = _by_standard_errors if estimates.scored is None else _by_intervals
    se, df, statistic, low, high = compared(estimates, first, second, r, ci)
    return {
        "estimate_1": value[first],
        "estimate_2": value[second],
        "difference": difference,
        "difference_low": low,
        "difference_high": high,
        "se": se,
        "statistic": statistic,
        "df": df,
        "p_value": tail(statistic, lambda x: stdtr(np.maximum(df, 1), x)),
        "ci_level": np.full(difference.shape, level_of(ci)),
    }


def _by_standard_errors(
    estimates: Estimates, first: Array, second: Array, r: Array | float, ci: float | None
) -> tuple[Array, ...]:
    """Standard error, degrees of freedom, t and symmetric limits of differences."""
    difference, se = estimates.value[first] - estimates.value[second], np.where(estimates.se > 0, estimates.se, np.nan)
    error, df = _apart(se[first], se[second], r), np.minimum(estimates.df[first], estimates.df[second])
    width = t_quantile(df, level_of(ci)) * error
    return error, df, divide(difference, error), difference - width, difference + width


def _by_intervals(
    estimates: Estimates, first: Array, second: Array, r: Array | float, ci: float | None
) -> tuple[Array, ...]:
    """The same from score intervals; the statistic is the t at which the interval ends at 0."""
    scored: Any = estimates.scored
    difference = estimates.value[first] - estimates.value[second]
    variance = divide(scored.curve.variance, scored.curve.n)
    a, b = variance[first], variance[second]
    df = divide((a + b) ** 2, divide(a**2, estimates.df[first]) + divide(b**2, estimates.df[second]))
    higher, lower = np.where(difference < 0, (second, first), (first, second))

    def reach(t: Array, upper: Array, under: Array) -> Array:
        """How far an interval reaches from the difference of two estimates towards lower differences."""
        return _apart(scored.arms(upper, t, df)[0], scored.arms(under, t, df)[1], r)

    error = _apart(np.sqrt(a), np.sqrt(b), r)
    statistic = np.sign(difference) * _largest_t(lambda t: reach(t, higher, lower) < np.abs(difference), df)
    statistic = np.where(error > 0, statistic, np.nan)  # the same labels twice
    t = t_quantile(df, level_of(ci))
    low, high = difference - reach(t, first, second), difference + reach(t, second, first)
    return error, df, statistic, low, high


def _largest_t(is_outside: Callable[[Array], Array], df: Array) -> Array:
    """The t up to which 0 is outside of the interval, infinite if it always is; NaN without degrees of freedom."""
    inside, outside = np.ones(df.shape), np.zeros(df.shape)
    for _ in range(DOUBLINGS):
        inside = np.where(is_outside(inside), 2 * inside, inside)
    never = is_outside(inside)
    for _ in range(HALVINGS):
        t = (inside + outside) / 2
        further = is_outside(t)
        inside, outside = np.where(further, inside, t), np.where(further, t, outside)
    return np.where(df > 0, np.where(never, np.inf, inside), np.nan)


def _apart(one: Array, other: Array, r: Array | float) -> Array:
    """Root of the variance of a difference; exactly 0 for an estimate minus itself."""
    total, shared = one**2 + other**2, 2 * r * one * other
    return np.sqrt(np.where(total - shared <= ROUNDING * total, 0.0, total - shared))


# -------------------------------------------------------------------------------------- what estimates have in common


@dataclass(frozen=True, eq=False)
class Influences:
    """Influence values of estimates by independent unit, an item or a cluster; estimates that share units correlate."""

    table: Any  # sparse: (estimates, units)

    @classmethod
    def of(cls, estimate: Array, unit: Array, value: Array, n_estimates: int) -> Influences:
        """From the influence of items (N,), which are summed over their unit."""
        from scipy import sparse

        shape = n_estimates, int(unit.max(initial=-1)) + 1
        return cls(sparse.csr_array((value, (estimate, unit)), shape=shape))

    @property
    def n_units(self) -> Array:
        """The number of units behind each estimate."""
        return np.diff(self.table.indptr).astype(np.int64)

    @cached_property
    def squares(self) -> Array:
        """Sums of the squares of each estimate."""
        return np.asarray(self.table.multiply(self.table).sum(axis=1)).ravel()

    def products(self, first: Array, second: Array) -> Array:
        """Sums of the products of pairs of estimates, of any shape."""
        first, second = np.broadcast_arrays(first, second)
        one, two = self.table[first.ravel()], self.table[second.ravel()]
        return np.asarray(one.multiply(two).sum(axis=1)).reshape(first.shape)

    def correlations(self, first: Array, second: Array) -> Array:
        """Those of pairs of estimates, 1 of one with itself, 0 if one does not vary."""
        scale = np.sqrt(self.squares[first] * self.squares[second])
        r = np.clip(np.nan_to_num(divide(self.products(first, second), scale)), -1.0, 1.0)
        return np.where(first == second, 1.0, r)


def warn_of_undefined(difference: Array) -> None:
    """Warn of differences whose coefficients are undefined."""
    undefined = int(np.isnan(difference).sum())
    warn_undefined(Counter({"a coefficient is undefined": undefined}), difference.size, "difference")


def contrast_frame(
    columns: Mapping[str, Array],
    labels: Sequence[tuple[Any, Any]],
    groups: pd.Index | None,
    of_coders: bool = False,
    between: Mapping[str, Sequence[Any]] | None = None,
) -> pd.DataFrame:
    """The differences of each group, (G, rows); `labels` say what is compared in each row, or in some of them.

    The level `between` group and labels has one entry for each repetition of the labels. Groups may be of coders.
    """
    flat: dict[str, Any] = {name: values.ravel() for name, values in columns.items()}
    n, unknown = len(flat["p_value"]), np.isnan(flat["p_value"])
    remarks = Remarks(n).add(unknown, "not tested", "no difference can be tested")
    flat |= remarks.add(of_coders, *OF_CODERS).columns()
    flat["n_items"] = np.nan_to_num(flat["n_items"])
    times, n_groups = n // max(len(labels), 1), len(columns["p_value"])
    levels: dict[str, Any] = dict(between or {})
    levels |= {"first": [a for a, _ in labels] * times, "second": [b for _, b in labels] * times}
    keys = None if groups is None else groups.repeat(n // max(n_groups, 1))
    return frames.result(frames.index_of(keys, levels), flat, schemas.CONTRASTS)


# ---------------------------------------------------------------------------------------------------- on the same items


@dataclass(frozen=True, eq=False)
class Part:
    """One coefficient and the influence of each item that counts."""

    name: str
    record: Coefficient
    estimates: Estimates  # of the groups
    influence: Array  # over the number of items
    group: Array  # of each item
    names: pd.Index  # of the items
    clusters: Array | None = None


def part_of(name: str, reading: Reading, record: Coefficient, options: Options) -> Part:
    """Evaluate one coefficient."""
    require(record, "compare", "has no influence values to compare")
    reading = used_items(reading, record, options)
    evaluation = evaluate(record, reading.ratings, distance_for(record, reading, options))
    estimates = Estimates.of(record, evaluation, analytic(evaluation, reading.clusters))
    influence = divide(evaluation.influence(), evaluation.statistics.n_items[0][reading.ratings.item_group])
    return Part(name, record, estimates, influence, reading.ratings.item_group, names_of(reading), reading.clusters)


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


def names_of(reading: Reading) -> pd.Index:
    """The name of each item; the row number if items have no names."""
    names: Any = reading.rows if reading.items is None else reading.items.to_flat_index()
    return names


def on_common_items(readings: Sequence[Reading], missing: str) -> list[Reading]:
    """The same readings, restricted to the items that count in all of them."""
    names = [pd.MultiIndex.from_arrays([each.ratings.item_group, names_of(each)]) for each in readings]
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
    se = np.sqrt(divide(n, n - 1)[:, None] * influences.squares[members])
    estimates = _together(parts, np.where(influences.n_units[members] > 1, se, np.nan), n, own)
    first, second = np.triu_indices(P, 1)
    r = influences.correlations(members[:, first], members[:, second])
    columns = differences(estimates, members[:, first], members[:, second], r, tail, ci)
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
    group = np.concatenate([part.group for part in parts])
    item = pd.factorize(parts[0].names.append([part.names for part in parts[1:]]))[0] * n_groups + group
    clusters = [part.clusters for part in parts if part.clusters is not None]
    unit = clusters_of(group, np.concatenate(clusters))[0] if clusters else item
    estimate = group + n_groups * np.repeat(np.arange(len(parts)), [len(part.names) for part in parts])
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
    """Hotelling's joint test of all differences of estimates (G, P) with the correlations of pairs: (G,) each."""
    from scipy.special import fdtrc

    G, P = members.shape
    se, m = estimates.at_common_value(members), P - 1
    first, second = np.triu_indices(P, 1)
    correlation = np.tile(np.eye(P), (G, 1, 1))
    correlation[:, first, second] = correlation[:, second, first] = r
    steps = np.eye(P)[:-1] - np.eye(P)[1:]
    covariance = steps @ (correlation * se[:, :, None] * se[:, None, :]) @ steps.T
    gaps = estimates.value[members] @ steps.T
    known = (n > m) & np.isfinite(gaps).all(-1) & np.isfinite(covariance).all((-2, -1))
    known[known] = np.linalg.matrix_rank(covariance[known], hermitian=True) == m
    F, p = np.full((2, G), np.nan)
    square = (gaps[known] * np.linalg.solve(covariance[known], gaps[known][..., None])[..., 0]).sum(-1)
    F[known] = square * (n[known] - m) / ((n[known] - 1) * m)
    p[known] = fdtrc(m, n[known] - m, F[known])
    return {"statistic": F, "df": np.where(known, float(m), np.nan), "p_value": p, "p_holm": p}


# ---------------------------------------------------------------------------------------------- between groups of items


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


@dataclass(frozen=True, eq=False)
class GroupEstimates:
    """The estimates of the groups of a frame."""

    names: list[Any]
    places: Array  # (G,) their order as people read them
    estimates: Estimates
    influences: Influences | None  # of groups that share items or clusters
    of_coders: bool  # the groups are groups of coders, who labelled the same items
    powers: Array | None = None  # (3, G): items or clusters, sums of squares and of fourth powers of their influences

    def correlations(self, first: Array, second: Array) -> Array | float:
        return 0.0 if self.influences is None else self.influences.correlations(first, second)

    def df(self, members: Array) -> Array:
        """Degrees of freedom of the variance in sets of groups (S, M); NaN if only standard errors are known: (S,)."""
        return np.full(len(members), np.nan) if self.powers is None else effective_df(self.powers[:, members].sum(-1))


def groups_of(reading: Reading, record: Coefficient, options: Options) -> GroupEstimates:
    """The estimates of the groups, with what the tests need."""
    units = shared_units(reading)
    if units is not None and (record.needs_numbers or options.resamples):
        problem = "the groups share items, and only the influence of each item shows how dependent they are"
        remedy = ["use a coefficient of labels and method='auto'", *[COMPARE_CODERS] * groups_are_of_coders(reading)]
        raise InputError(problem, "; ".join(remedy), option="by", code="shared items")
    check_tables(reading.ratings, record.needs_coders)
    result = measure(reading, [record], options)
    index: Any = result.index
    keys = index.droplevel("coefficient")
    names = keys.tolist()
    value, n, se = (result[name].to_numpy(float) for name in ("estimate", "n_items", "se"))
    estimates, influences = Estimates(value, n, se, np.full(len(names), MANY)), None
    by_score = method_of(record, options) == "score"
    if by_score or units is not None:
        part = used_items(reading, record, options)
        evaluation = evaluate(record, part.ratings, distance_for(record, reading, options, quiet=True))
    if units is not None:
        influence, group = np.nan_to_num(evaluation.influence() * part.ratings.weights), part.ratings.item_group
        influences = Influences.of(group, units_of(part), influence, len(names))
    groups = GroupEstimates(names, reading_rank(keys), estimates, influences, groups_are_of_coders(reading))
    if not by_score:
        return groups
    estimates = Estimates.of(record, evaluation, analytic(evaluation, part.clusters))
    return replace(groups, estimates=estimates, powers=_powers(evaluation.influence(), part))


def _powers(influence: Array, reading: Reading) -> Array:
    """How many items or clusters each group has, and the sums of squares and fourth powers of their influences."""
    ratings, influence = reading.ratings, np.nan_to_num(influence)
    if reading.clusters is None:
        return np.stack([ratings.sum(influence**power) for power in (0, 2, 4)])
    unit, group = clusters_of(ratings.item_group, reading.clusters)
    sums = np.bincount(unit, influence * ratings.weights, minlength=len(group))
    return np.stack([np.bincount(group, sums**power, minlength=ratings.n_groups) for power in (0, 2, 4)])


def effective_df(powers: Array) -> Array:
    """Degrees of freedom of a variance: those of the chi-squared distribution with its mean and variance.

    `powers` (3, ...) are a number, a sum of squares and a sum of fourth powers. A few items with a large influence, as
    of a rare category far from the others, make a variance uncertain.
    """
    n, squares, fourths = powers
    variance = divide(squares, n)
    found = divide(2 * n * variance**2, divide(fourths, n) - variance**2)
    return np.where(found > 0, np.minimum(found, n), n)  # equal influences: as sure as the number of items allows


def contrasts(groups: GroupEstimates, ci: float, alternative: str) -> pd.DataFrame:
    """Differences between the groups: one row per pair of groups."""
    tail = choose("alternative", alternative, TAILS)
    n = len(groups.names)
    if n * (n - 1) // 2 > MAX_CONTRASTS:
        problem = f"{n:,} groups have {n * (n - 1) // 2:,} differences, more than the maximum of {MAX_CONTRASTS:,}"
        remedy = "test them together with test.groups, or keep the groups that you want to compare"
        raise InputError(problem, remedy, option="by", code="too large")
    a, b = np.triu_indices(n, 1)
    columns = differences(groups.estimates, a, b, groups.correlations(a, b), tail, ci)
    columns |= {"p_holm": holm(columns["p_value"]), "n_items": groups.estimates.n[a] + groups.estimates.n[b]}
    columns["df"] = np.where(columns["df"] < MANY / 2, columns["df"], np.nan)
    labels = [(groups.names[i], groups.names[j]) for i, j in zip(a, b, strict=True)]
    return contrast_frame({name: values[None] for name, values in columns.items()}, labels, None, groups.of_coders)


def heterogeneity(groups: GroupEstimates) -> pd.DataFrame:
    """Tests whether the groups are equal, and whether there is a trend in their order."""
    if groups.of_coders:
        warn("the groups share items and no coders", COMPARE_CODERS, option="by", code="groups of coders")
    estimates, known = groups.estimates, np.flatnonzero(groups.estimates.testable)
    n = len(known)
    r = None if groups.influences is None else groups.influences.correlations(known[:, None], known)
    places = groups.places[known].astype(float)
    chi2, trend = equality_and_trend(estimates, known[None], places, r) if n > 1 else np.full((2, 1), np.nan)
    order = listed_order([groups.names[place] for place in known[np.argsort(places)]])
    df = groups.df(known[None]) if n > 1 else np.full(1, np.nan)
    columns = {
        "statistic": np.append(chi2, trend),
        "df": np.append(n - 1.0 if n > 1 else np.nan, df),
        "p_value": np.append(*p_values(chi2, trend, n, df)),
        "n_groups": np.array([n, n]),
        "null": np.array(["all groups have the same value", f"no trend in the order of the groups{order}"], object),
    }
    return frames.result(pd.Index(["equality", "trend"], name="test"), columns, schemas.HETEROGENEITY)


def p_values(chi2: Array, trend: Array, n_groups: int, df: Array) -> tuple[Array, Array]:
    """Those of equality and trend, by F and t; without degrees of freedom by chi-squared and normal."""
    from scipy.special import ndtr

    equality = np.where(
        np.isnan(df), chi2_test(chi2, n_groups - 1), f_test(chi2 / max(n_groups - 1, 1), n_groups - 1, df)
    )
    return equality, np.where(np.isnan(df), 2 * ndtr(-np.abs(trend)), t_test(trend, df))


def equality_and_trend(
    estimates: Estimates, members: Array, places: Array, correlation: Array | None = None
) -> tuple[Array, Array]:
    """Chi-squared of equality and z of a trend over the places (M,), for sets of estimates (S, M): (S,), (S,)."""
    weigh = _weighing(estimates.at_common_value(members), correlation)
    total = weigh(np.ones(members.shape)).sum(1)

    def centred(values: Array) -> Array:
        return values - divide(weigh(values).sum(1), total)[:, None]

    value, order = centred(estimates.value[members]), centred(np.broadcast_to(places, members.shape))
    rise, spread = (order * weigh(value)).sum(1), np.sqrt((order * weigh(order)).sum(1))
    return (value * weigh(value)).sum(1), divide(rise, spread)


def _weighing(se: Array, correlation: Array | None) -> Callable[[Array], Array]:
    """What multiplies values (S, M) by the inverse of their covariance; NaN where a standard error is unknown."""
    known = np.asarray(np.isfinite(se).all(1))
    if correlation is None:
        variance = np.where(known[:, None], se**2, np.nan)
        weights = np.where(
            variance <= RANK * variance.max(1, keepdims=True, initial=0.0), 0.0, divide(np.ones(()), variance)
        )
        return lambda values: weights * values
    W = np.full((*se.shape, se.shape[1]), np.nan)
    covariance = correlation * se[:, :, None] * se[:, None, :]
    W[known] = np.linalg.pinv(covariance[known], RANK, hermitian=True)
    return lambda values: (W @ values[..., None])[..., 0]
