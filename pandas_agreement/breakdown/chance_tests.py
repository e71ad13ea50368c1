"""Tests of coefficients against chance: in closed form, and by permutation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.coefficients.chance import by_shares as at_pooled_shares
from pandas_agreement.coefficients.registry import Coefficient, require
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.contingency import distinct
from pandas_agreement.core.distances import Distance
from pandas_agreement.core.item_statistics import ItemStatistics
from pandas_agreement.core.progress import count_steps
from pandas_agreement.core.ratings import Ratings
from pandas_agreement.core.remarks import Remarks, warn_undefined
from pandas_agreement.core.sums import divide
from pandas_agreement.data import Reading
from pandas_agreement.engine import check_named, distance_for, used_items
from pandas_agreement.errors import InputError, choose
from pandas_agreement.hypothesis_tests import chance
from pandas_agreement.hypothesis_tests.chance import Null, check_size, permuted
from pandas_agreement.inference.bootstrap import entropy_of, generator
from pandas_agreement.inference.evaluation import Evaluation, analytic, evaluate
from pandas_agreement.inference.intervals import Curve
from pandas_agreement.options import Options
from pandas_agreement.results import frames, schemas
from pandas_agreement.results.frames import interleave

INDEPENDENT = "independence: each coder's labels are assigned to the items at random"
POOLED = "all coders draw at random from the pooled distribution"
AT_ZERO = "the true value is 0"
ONE_OUTCOME = "no test: one value possible"
TOO_FEW = "no test: fewer than two items"
METHODS = ("analytic", "permutation")
ALTERNATIVES = ("two-sided", "greater", "less")
MOMENTS = ("mean", "variance", "third", "step")


def can_be_tested(record: Coefficient, method: str) -> bool:
    """Whether there is such a test of a coefficient.

    Permutations leave the expected agreement of kappa, pi and alpha as it is, so that their p-value is that of observed
    agreement.
    """
    return record.has("test") and (method == "analytic" or record.at_shares is at_pooled_shares)


def chance_test(
    reading: Reading, records: Sequence[Coefficient], method: str, alternative: str, options: Options
) -> pd.DataFrame:
    """One row per group and coefficient."""
    check_named(records)
    choose("alternative", alternative, dict.fromkeys(ALTERNATIVES))
    for record in records:
        _check(record, method)
    blocks = _permuted(reading, records, alternative, options) if method == "permutation" else []
    blocks = blocks or [_analytic(record, reading, alternative, options) for record in records]
    shape = blocks[0]["estimate"].shape
    columns = {name: interleave([block[name] for block in blocks], shape) for name in blocks[0]}
    undefined = np.isnan(columns["estimate"])
    warn_undefined(Counter(columns["remarks"][undefined].tolist()), undefined.size)
    index = frames.row_index(reading.groups, {}, [record.name for record in records])
    return frames.result(index, columns, schemas.CHANCE)


def _check(record: Coefficient, method: str) -> None:
    """Raise for a coefficient without such a test."""
    require(record, "test", "has no test against chance")
    if not can_be_tested(record, method):
        problem = f"method='permutation' does not test {record.name}, whose agreement by chance is not that of shuffles"
        raise InputError(problem, "use method='analytic', or 'kappa', 'pi' or 'alpha'", option="method")


def _columns(
    evaluation: Evaluation, statistic: Array, p_value: Array, null_se: Array, expected: Array, null: Any
) -> dict[str, Any]:
    """The columns of a test; `expected` is the mean disagreement if the null hypothesis were true."""
    n, unit, value = evaluation.statistics.n_items[1], evaluation.unit(), evaluation.value
    tested = {"null_se": null_se, "statistic": statistic, "p_value": p_value}
    tested = {name: np.where(np.isnan(value), np.nan, values) for name, values in tested.items()}
    remarks = Remarks(n.shape).add(n < 2, "not tested", TOO_FEW)
    remarks.add(remarks.none & np.isnan(tested["p_value"]), "no variation", ONE_OUTCOME)
    observed, expected = 1 - evaluation.observed / unit, np.where(n > 1, 1 - expected / unit, np.nan)
    means = {"observed": observed, "expected": expected, "null": null}
    return tested | means | {"estimate": value, "n_items": n} | remarks.columns()


def _between_coders(distance: Distance, ratings: Ratings) -> Array:
    """The distances (K, K); between two coders they may depend on the direction."""
    directed: Array | None = getattr(distance, "directed", None)
    return distance.as_matrix() if directed is None or ratings.n_coders != 2 else directed


# ----------------------------------------------------------------------------------------------------- permutations


def _permuted(
    reading: Reading, records: Sequence[Coefficient], alternative: str, options: Options
) -> list[dict[str, Any]]:
    """The columns of each coefficient; those with the same items and distances share their permutations."""
    done: list[tuple[str, Array, tuple[Array, ...]]] = []
    blocks = []
    for record in records:
        ratings, distance = used_items(reading, record, options).ratings, distance_for(record, reading, options)
        evaluation = evaluate(record, ratings, distance)
        statistics = ItemStatistics(ratings, evaluation.statistics.distance)  # ranks are those of all labels
        rule, matrix = record.rule(options.missing), _between_coders(statistics.distance, ratings)
        found = next((tested for one, other, tested in done if one == rule and np.array_equal(other, matrix)), None)
        if found is None:
            found = _shuffled(statistics, matrix, alternative, reading, options)
            done.append((rule, matrix, found))
        expected, sd, statistic, p_value = found
        null_se = divide(sd, evaluation.expected)
        blocks.append(_columns(evaluation, statistic, p_value, null_se, expected, INDEPENDENT))
    return blocks


def _shuffled(
    statistics: ItemStatistics, distance: Array, alternative: str, reading: Reading, options: Options
) -> tuple[Array, Array, Array, Array]:
    """Expected disagreement and its standard deviation, z and p of the observed agreement, by permutation."""
    ratings, B, observed = statistics.ratings, options.n_resamples, statistics.sums.observed
    keys = [None] * ratings.n_groups if reading.groups is None else reading.groups.tolist()
    merged = distinct(ratings, coders=True)  # their order does not depend on that of the items
    check_size(merged, B)
    every = merged.repeated()
    tested, entropy = statistics.n_items[1] > 1, entropy_of(options.rng)
    generators = {group: generator(entropy, keys[group]) for group in np.flatnonzero(tested).tolist()}
    slack = 1e-9 * max(float(np.abs(distance).max(initial=0.0)), 1.0)  # rounding
    mean, sd, at_most, at_least = np.zeros((4, ratings.n_groups))
    with count_steps(options.progress, len(generators) * B) as steps:
        for group, values in permuted(every.as_long(), distance, B, generators, steps):
            gap = values - observed[group]
            mean[group], sd[group] = gap.mean(), gap.std()
            at_most[group], at_least[group] = (gap <= slack).sum(), (gap >= -slack).sum()
    tested = tested & (sd > slack)
    above, below = (at_most + 1) / (B + 1), (at_least + 1) / (B + 1)
    p_values = {"two-sided": np.minimum(1.0, 2 * np.minimum(above, below)), "greater": above, "less": below}
    statistic = np.where(tested, divide(mean, sd), np.nan)
    return observed + mean, sd, statistic, np.where(tested, p_values[alternative], np.nan)


# -------------------------------------------------------------------------------------------------------- analytic


def _analytic(record: Coefficient, reading: Reading, alternative: str, options: Options) -> dict[str, Any]:
    """The columns of a coefficient, from the distribution of its disagreement by chance."""
    evaluation = evaluate(record, used_items(reading, record, options).ratings, distance_for(record, reading, options))
    null, which = _null_of(record, evaluation)
    null_se = divide(np.sqrt(null.variance), null.mean)
    p_value = null.p_value((1 - evaluation.value) * null.mean, alternative)
    expected = evaluation.expected if record.over_pairs else null.mean  # that of pairs is in units of its mean
    return _columns(evaluation, divide(evaluation.value, null_se), p_value, null_se, expected, which)


def _null_of(record: Coefficient, evaluation: Evaluation) -> tuple[Null, Array]:
    """The distribution of the disagreement if the coefficient is 0, and the null hypothesis of each group."""
    statistics, expected = evaluation.statistics, evaluation.expected
    if record.over_pairs:
        null = chance.by_pair(statistics.ratings, _between_coders(statistics.distance, statistics.ratings))
        return null, np.full(len(expected), INDEPENDENT, object)
    if record.at_shares is not at_pooled_shares:
        return _at_zero(record, evaluation), np.full(len(expected), AT_ZERO, object)
    pooled = chance.by_shares(statistics, expected)
    if not record.needs_coders:
        return pooled, np.full(len(expected), POOLED, object)
    own = chance.by_coder(statistics.ratings, _between_coders(statistics.distance, statistics.ratings))
    complete = ~np.isnan(own.mean)
    parts = [np.where(complete, getattr(own, name), getattr(pooled, name)) for name in MOMENTS]
    return Null(*parts), np.where(complete, INDEPENDENT, POOLED).astype(object)


def _at_zero(record: Coefficient, evaluation: Evaluation) -> Null:
    """The distribution of the disagreement if the true value is 0, with the variance of the score interval.

    Without any disagreement that variance is unknown, and that of items that agree in full or not at all is taken.
    """
    uncertainty, nothing = analytic(evaluation), np.zeros_like(evaluation.expected)
    curve = Curve.of(record, evaluation, uncertainty)
    expected = evaluation.expected
    variance, largest = curve.variance_at(nothing) * expected**2, expected * (evaluation.unit() - expected)
    variance = divide(np.where(variance > 0, variance, largest), curve.n)
    return Null(expected, np.where(variance > 0, variance, np.nan), nothing, nothing, df=uncertainty.df)
