"""Tests of agreement against chance: by permutation and in closed form, of labels and of coefficients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.coefficients.chance import by_shares as at_pooled_shares
from pandas_agreement.coefficients.registry import REGISTRY, Coefficient, require
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.distances import Distance
from pandas_agreement.core.item_statistics import ItemStatistics
from pandas_agreement.core.missing import keep
from pandas_agreement.core.patterns import distinct
from pandas_agreement.core.progress import count_steps
from pandas_agreement.core.ratings import LongRatings, Ratings, WideRatings
from pandas_agreement.core.sums import divide
from pandas_agreement.data import Reading
from pandas_agreement.engine import Counted, check_named, distance_for
from pandas_agreement.errors import InputError, choose
from pandas_agreement.hypothesis_tests import chance
from pandas_agreement.hypothesis_tests.chance import Null
from pandas_agreement.hypothesis_tests.permutation import shuffle_labels
from pandas_agreement.inference.bootstrap import entropy_of
from pandas_agreement.inference.evaluation import Evaluation, evaluate, full_disagreement
from pandas_agreement.inference.score import believed, fit
from pandas_agreement.inference.standard_errors import analytic
from pandas_agreement.options import Options
from pandas_agreement.results import frames, schemas
from pandas_agreement.results.columns import first_reason, interleave

INDEPENDENT = "independence: each coder's labels fall on the items at random"
POOLED = "all coders draw at random from the pooled distribution"
AT_ZERO = "the true value is 0"
ONE_OUTCOME = "no test: one value possible"
TOO_FEW = "no test: fewer than two items"
GAPS = "gaps: use tests='permutation'"
TESTS = {"permutation": INDEPENDENT, "moments": INDEPENDENT, "fleiss_nee_landis": POOLED}
WITHOUT_CODERS = ("fleiss_nee_landis",)  # the tests that do not need the coder of each label
ALTERNATIVES = ("two-sided", "greater", "less")
MOMENTS = ("mean", "variance", "third", "step")


def chance_test(reading: Reading, tests: Sequence[str] | str, alternative: str, options: Options) -> pd.DataFrame:
    """One row per group and test."""
    names = names_of(tests)
    choose("alternative", alternative, dict.fromkeys(ALTERNATIVES))
    ratings, _ = keep(reading.ratings, options.missing, reading.coders)
    statistics = ItemStatistics(ratings, distance_for(REGISTRY["kappa"], reading, options))
    n, unit, observed = statistics.n_items[1], full_disagreement(statistics), statistics.sums.observed
    blocks = []
    for name in names:
        if name == "permutation":
            found = _permutation(statistics, observed, alternative, reading, options)
        else:
            found = _closed(_null(name, statistics), observed, alternative)
        gaps = np.isnan(found["expected"]) & (n > 1)
        reasons = {TOO_FEW: n < 2, GAPS: gaps, ONE_OUTCOME: np.isnan(found["p_value"])}
        note = first_reason(reasons)
        found["expected"] = np.where(n > 1, 1 - found["expected"] / unit, np.nan)
        blocks.append(found | {"observed": 1 - observed / unit, "n_items": n, "null": TESTS[name], "note": note})
    columns = {name: interleave([block[name] for block in blocks], n.shape) for name in schemas.CHANCE}
    groups = None if reading.groups is None else reading.groups.repeat(len(names))
    index = frames.index_of(groups, {"test": names * ratings.n_groups})
    return frames.result(index, columns, schemas.CHANCE)


def names_of(tests: Sequence[str] | str) -> list[str]:
    """The tests by name."""
    names = [tests] if isinstance(tests, str) else list(tests or ())
    if not names:
        remedy = f"name one of {', '.join(map(repr, TESTS))}"
        raise InputError("tests= is empty", remedy, option="tests", code="missing option")
    for name in names:
        choose("tests", name, TESTS)
    return names


def _closed(null: Null, observed: Array, alternative: str) -> dict[str, Any]:
    statistic, p_value = null.statistic(observed), null.p_value(observed, alternative)
    return {"expected": null.mean, "statistic": statistic, "p_value": p_value}


def _null(test: str, statistics: ItemStatistics) -> Null:
    """The distribution of the observed disagreement."""
    if test == "moments":
        return chance.by_coder(statistics.ratings, _between_coders(statistics.distance, statistics.ratings))
    return chance.by_shares(statistics, at_pooled_shares(statistics.sums.profile, statistics.distance)[0])


def _between_coders(distance: Distance, ratings: Ratings) -> Array:
    """The distances (K, K); between two coders they may depend on the direction."""
    directed: Array | None = getattr(distance, "directed", None)
    return distance.as_matrix() if directed is None or ratings.n_coders != 2 else directed


# ----------------------------------------------------------------------------------------------------- permutations


def _permutation(
    statistics: ItemStatistics, observed: Array, alternative: str, reading: Reading, options: Options
) -> dict[str, Any]:
    """The columns of the test by permutation."""
    ratings, B = statistics.ratings, options.n_resamples
    if not isinstance(ratings, (WideRatings, LongRatings)):
        raise InputError("a permutation needs the coder of each label, which a table of counts does not have")
    keys = [None] * ratings.n_groups if reading.groups is None else reading.groups.tolist()
    distance = _between_coders(statistics.distance, ratings)
    merged: Any = distinct(ratings, coders=True)  # their order does not depend on that of the items
    with count_steps(options.progress, ratings.n_groups * B) as steps:
        found, slack = shuffle_labels(merged.as_long(), distance, observed, B, entropy_of(options.rng), keys, steps)
    tested = (statistics.n_items[1] > 1) & (found.sd > slack)
    above, below = (found.at_most + 1) / (B + 1), (found.at_least + 1) / (B + 1)
    p_values = {"two-sided": np.minimum(1.0, 2 * np.minimum(above, below)), "greater": above, "less": below}
    return {
        "expected": np.where(statistics.n_items[1] > 1, observed + found.mean, np.nan),
        "statistic": np.where(tested, divide(found.mean, found.sd), np.nan),
        "p_value": np.where(tested, p_values[alternative], np.nan),
    }


# ----------------------------------------------------------------------------------------------------- coefficients


def p_values(reading: Reading, records: Sequence[Coefficient], alternative: str, options: Options) -> pd.DataFrame:
    """One row per group and coefficient."""
    check_named(records)
    choose("alternative", alternative, dict.fromkeys(ALTERNATIVES))
    blocks = [_of_coefficient(record, reading, alternative, options) for record in records]
    columns = {name: interleave([b[name] for b in blocks], blocks[0]["estimate"].shape) for name in schemas.P_VALUES}
    index = frames.row_index(reading.groups, {}, [record.name for record in records])
    return frames.result(index, columns, schemas.P_VALUES)


def _of_coefficient(record: Coefficient, reading: Reading, alternative: str, options: Options) -> dict[str, Any]:
    require(record, "p_values", "has no closed form of its distribution by chance")
    evaluation = evaluate(record, Counted.of(reading, record, options).ratings, distance_for(record, reading, options))
    n = evaluation.statistics.n_items[1]
    null, which = _null_of(record, evaluation)
    value, null_se = evaluation.value, divide(np.sqrt(null.variance), null.mean)
    observed = (1 - value) * null.mean
    columns = {"null_se": null_se, "statistic": divide(value, null_se), "p_value": null.p_value(observed, alternative)}
    columns = {name: np.where(np.isnan(value), np.nan, values) for name, values in columns.items()}
    reasons = {TOO_FEW: n < 2, ONE_OUTCOME: np.isnan(columns["p_value"])}
    note = first_reason(reasons)
    return columns | {"estimate": value, "n_items": n, "null": which, "note": note}


def _null_of(record: Coefficient, evaluation: Evaluation) -> tuple[Null, Array]:
    """The distribution of the disagreement if the coefficient is 0, and the null hypothesis of each group."""
    statistics, expected = evaluation.statistics, evaluation.expected
    if record.kind == "pairs":
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
    """The distribution of the disagreement if the true value is 0, with the checked variance of the score interval."""
    uncertainty = analytic(evaluation)
    law, ratio, _ = fit(record, evaluation, uncertainty)
    n, nothing = evaluation.statistics.n_items[1], np.zeros_like(evaluation.expected)
    of_item = law.variance_at(law.level(nothing)) * believed(ratio, n, law.diversity)
    variance = divide(of_item, n) * evaluation.expected**2
    variance = np.where(variance > 0, variance, np.nan)
    return Null(evaluation.expected, variance, nothing, nothing, df=uncertainty.df)
