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
from pandas_agreement.core.group_blocks import only_groups
from pandas_agreement.core.item_statistics import ItemStatistics
from pandas_agreement.core.missing import keep
from pandas_agreement.core.ratings import LongRatings, Ratings, WideRatings
from pandas_agreement.core.sums import divide
from pandas_agreement.data import Reading
from pandas_agreement.engine import Counted, check_named, distance_for
from pandas_agreement.errors import InputError, choose
from pandas_agreement.hypothesis_tests import chance
from pandas_agreement.hypothesis_tests.chance import Null
from pandas_agreement.inference.bootstrap import entropy_of, generator
from pandas_agreement.inference.evaluation import Evaluation, evaluate, full_disagreement
from pandas_agreement.inference.score import believed, fit
from pandas_agreement.inference.standard_errors import analytic
from pandas_agreement.options import Options
from pandas_agreement.results import frames, schemas
from pandas_agreement.results.columns import interleave

INDEPENDENT = "independence: each coder's labels fall on the items at random"
POOLED = "all coders draw at random from the pooled distribution"
AT_ZERO = "the true value is 0"
ONE_OUTCOME = "no test: with these labels only one value is possible by chance"
TOO_FEW = "no test: fewer than two items with two labels"
GAPS = "no closed form with gaps and three coders or more; use tests='permutation'"
TESTS = {"permutation": INDEPENDENT, "moments": INDEPENDENT, "fleiss_nee_landis": POOLED}
WITHOUT_CODERS = ("fleiss_nee_landis",)  # the tests that do not need the coder of each label
ALTERNATIVES = ("two-sided", "greater", "less")
MAX_LABELS = 10**8  # labels that are shuffled one by one
MOMENTS = ("mean", "variance", "third", "step")
SHUFFLED_AT_A_TIME = 1 << 22  # counts of labels


def chance_test(reading: Reading, tests: Sequence[str] | str, alternative: str, options: Options) -> pd.DataFrame:
    """One row per group and test."""
    names = names_of(tests)
    choose("alternative", alternative, dict.fromkeys(ALTERNATIVES))
    ratings, _ = keep(reading.ratings, options.missing, reading.coders)
    statistics = ItemStatistics(ratings, distance_for(REGISTRY["kappa"], reading, options))
    n, unit = statistics.n_items[1], full_disagreement(statistics)
    observed = np.where(n > 0, statistics.sums.observed, np.nan)
    blocks = []
    for name in names:
        if name == "permutation":
            found = _permutation(statistics, observed, alternative, reading, options)
        else:
            found = _closed(_null(name, statistics), observed, alternative)
        gaps = np.isnan(found["expected"]) & (n > 1)
        reasons = {TOO_FEW: n < 2, GAPS: gaps, ONE_OUTCOME: np.isnan(found["p_value"])}
        note = np.select(list(reasons.values()), list(reasons), "").astype(object)
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
    """The columns of the test by permutation, group by group."""
    ratings, B = statistics.ratings, options.n_resamples
    keys = [None] * ratings.n_groups if reading.groups is None else reading.groups.tolist()
    entropy = entropy_of(options.rng)
    expected, statistic, p_value = np.full((3, ratings.n_groups), np.nan)
    for group in np.flatnonzero(statistics.n_items[1] > 1):
        part, _ = only_groups(ratings, np.array([group]))
        draws = permuted(part, statistics.distance, B, generator(entropy, keys[group]))
        slack = 1e-9 * max(float(np.abs(draws).max()), 1.0)
        above, below = ((1 + (sign * (draws - observed[group]) <= slack).sum()) / (B + 1) for sign in (1, -1))
        expected[group], sd = draws.mean(), draws.std()
        if sd > slack:
            statistic[group] = (expected[group] - observed[group]) / sd
            p_value[group] = {"two-sided": min(1.0, 2 * min(above, below)), "greater": above, "less": below}[
                alternative
            ]
    return {"expected": expected, "statistic": statistic, "p_value": p_value}


def permuted(ratings: Ratings, distance: Distance, n_resamples: int, rng: np.random.Generator) -> Array:
    """Observed disagreement when each coder's labels are shuffled over the items they labelled: (B,)."""
    wide = ratings.as_wide() if isinstance(ratings, LongRatings) else ratings
    if not isinstance(wide, WideRatings):
        raise InputError("a permutation needs the coder of each label, which a table of counts does not have")
    n_labels = float((wide.sizes * wide.weights).sum())
    totals = wide.coder_totals()[0]
    if wide.n_coders == 2 and (wide.sizes == 2).all() and (totals.any(0).sum() ** 2 < n_labels):
        used = totals.any(0)  # (K,)
        matrix = _between_coders(distance, wide)[np.ix_(used, used)]
        first, second = totals[:, used]
        return chance.random_tables(first, second, matrix, n_resamples, rng) / first.sum()
    if n_labels > MAX_LABELS:
        problem = f"a permutation would shuffle {n_labels:.3g} labels one by one, and {MAX_LABELS:.0e} is the most"
        raise InputError(problem, "use tests='moments' or 'fleiss_nee_landis'", option="tests", code="too large")
    return _shuffled(wide, distance, n_resamples, rng)


def _shuffled(wide: WideRatings, distance: Distance, n_resamples: int, rng: np.random.Generator) -> Array:
    if wide.weight is not None:  # one row per item
        times = np.rint(wide.weight).astype(np.int64)
        wide = WideRatings(
            wide.n_coders, wide.n_categories, 1, None, None, tuple(np.repeat(c, times) for c in wide.codes)
        )
    K, sizes, matrix = wide.n_categories, wide.sizes.astype(float), distance.as_matrix()
    share = (sizes > 1) / np.maximum(sizes * (sizes - 1), 1) / (sizes > 1).sum()  # of an ordered pair of labels
    step = max(1, SHUFFLED_AT_A_TIME // max(wide.n_items * K, 1))
    out = np.empty(n_resamples)
    for start in range(0, n_resamples, step):
        b = min(step, n_resamples - start)
        counts = np.zeros((K, b, wide.n_items), np.int16)
        for code in wide.codes:
            rated = slice(None) if (code >= 0).all() else np.flatnonzero(code >= 0)
            shuffled = rng.permuted(np.tile(code[rated].astype(np.int32), (b, 1)), axis=1)
            for category in range(K):
                counts[category][:, rated] += shuffled == category
        distances = (matrix @ counts.reshape(K, -1).astype(float)).reshape(counts.shape)
        out[start : start + b] = np.einsum("kbi,kbi->bi", counts, distances) @ share
    return out


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
    note = np.select(list(reasons.values()), list(reasons), "").astype(object)
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
