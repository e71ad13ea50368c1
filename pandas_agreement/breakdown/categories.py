"""Agreement on each category: rates, specific agreement, coefficients, and a test against chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.coefficients.category import (
    CATEGORY_METRICS,
    CategorySums,
    category_sums,
    logit_interval,
    n_units,
)
from pandas_agreement.coefficients.registry import ALIASES, REGISTRY, having
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.classes import dataclass
from pandas_agreement.core.pairs import Pairs, pair_up
from pandas_agreement.core.progress import count_steps
from pandas_agreement.core.quantiles import t_quantile
from pandas_agreement.core.ratings import Ratings, WideRatings
from pandas_agreement.core.remarks import Remarks
from pandas_agreement.core.selection import clusters_of
from pandas_agreement.core.sums import divide
from pandas_agreement.data import Reading
from pandas_agreement.data.cells import members
from pandas_agreement.data.labels import CategorySet
from pandas_agreement.engine import measure_one
from pandas_agreement.errors import InputError, choose, counted, needs_coders, warn
from pandas_agreement.hypothesis_tests.category import rare_pairs
from pandas_agreement.hypothesis_tests.kappa_bounds import conditional_kappa
from pandas_agreement.hypothesis_tests.margins import holm
from pandas_agreement.options import Options
from pandas_agreement.results import frames, schemas
from pandas_agreement.results.frames import (
    NO_INTERVAL,
    Limits,
    interleave,
    result_columns,
)

ONE_ITEM = "one item: no se"
ONE_CLUSTER = "one cluster: no se"
NO_TEST = "clusters: no p-value"
TOO_FEW = "p is approximate"
BINARY = CategorySet(pd.Index(["others", "this"]), ordered=False, declared=True)


@dataclass(frozen=True, eq=False)
class Categories:
    """The categories of a call, each as binary ratings: chosen (1) or not (0)."""

    labels: pd.Index
    ratings: Ratings  # the items that count
    lookups: Array | None  # (K, codes): whether a set of labels contains the category; None if a cell holds one label
    clusters: Array | None = None  # of the items that count

    @property
    def single(self) -> bool:
        """A cell holds one label."""
        return self.lookups is None

    def binary(self, category: int) -> Ratings:
        codes = np.arange(len(self.labels)) == category if self.lookups is None else self.lookups[category]
        return self.ratings.recode(codes, 2)

    def sums(self) -> CategorySums:
        """Joint and possible choices of each category: (G, K)."""
        if self.single:
            return category_sums(self.ratings, self.clusters)
        parts = [category_sums(self.binary(category), self.clusters) for category in range(len(self.labels))]
        names = ("joint", "possible", "joint_squared", "crossed", "possible_squared", "n_items", "n_holding")
        empty = np.zeros((self.ratings.n_groups, 0))
        columns = {n: np.concatenate([empty, *(getattr(p, n)[:, 1:] for p in parts)], 1) for n in names}
        return CategorySums(**columns, n_units=n_units(self.ratings, columns["n_holding"], self.clusters))


def categories_of(reading: Reading, missing: str, several: bool) -> Categories:
    used, labels = reading.keep(missing), reading.category_set.labels
    ratings, clusters = used.ratings, used.clusters
    if not several:
        return Categories(labels, ratings, None, clusters)
    single, held = members(labels)
    return Categories(pd.Index(single, dtype=None if single else object), ratings, held.T, clusters)


def by_category(reading: Reading, metrics: Sequence[str], options: Options, several: bool = False) -> pd.DataFrame:
    """One row per group, category and metric."""
    names = [ALIASES.get(m, m) for m in ([metrics] if isinstance(metrics, str) else metrics or ())]
    if not names:
        raise InputError(
            "metrics= is empty", "name at least one, such as metrics=['rate']", option="metrics", code="missing option"
        )
    labels, columns = category_columns(reading, names, options, several)
    K, G = len(labels), reading.ratings.n_groups
    groups = None if reading.groups is None else reading.groups.repeat(K)
    index = frames.row_index(groups, {"category": frames.Repeated(labels, np.tile(np.arange(K), G))}, names)
    frame = frames.result(index, columns, schemas.CATEGORY)
    undefined = int(np.isnan(columns["estimate"]).sum())
    if undefined:
        which = counted(undefined, f"of {len(frame)} estimates is", f"of {len(frame)} estimates are")
        warn(f"{which} undefined (NaN)", "see the column 'note'", code="undefined")
    return frame


def category_columns(
    reading: Reading, names: Sequence[str], options: Options, several: bool = False
) -> tuple[pd.Index, dict[str, Any]]:
    """The categories, and the columns of the result: a row per group, category and metric."""
    functions = [_metric(name) for name in names]
    _check_coders(reading, names)
    with count_steps(options.progress, len(names) + 2) as steps:
        options = options.without("progress")
        categories = categories_of(reading, options.missing, several)
        sums = steps.done(categories.sums())
        blocks = [
            steps.done(function(name, reading, categories, sums, options))
            for name, function in zip(names, functions, strict=True)
        ]
        shape = sums.n_items.shape
        columns = {column: interleave([block.pop(column) for block in blocks], shape) for column in list(blocks[0])}
        columns |= steps.done(_extras(categories, sums, names, columns))
    return categories.labels, columns


def _check_coders(reading: Reading, names: Sequence[str]) -> None:
    """Raise for a metric that needs the coder of each label, where the data do not hold it."""
    needs = [
        name for name in names if name == "conditional_kappa" or (name in REGISTRY and REGISTRY[name].needs_coders)
    ]
    if needs and not reading.ratings.identified:
        raise needs_coders(needs[0])


# --------------------------------------------------------------------------------------------------------- metrics

Block = dict[str, Any]  # columns of a result: (G, K), or one string for all
Metric = Callable[[str, Reading, Categories, CategorySums, Options], Block]


def _metric(name: str) -> Metric:
    if name in CATEGORY_METRICS:
        return _closed_form
    if name == "conditional_kappa":
        return _conditional
    metrics = [*CATEGORY_METRICS, "conditional_kappa", *having("by_category")]
    return choose("metrics", name, dict.fromkeys(metrics, _against_the_rest))


def _closed_form(name: str, reading: Reading, categories: Categories, sums: CategorySums, options: Options) -> Block:
    """The rate and the specific agreement, with an interval on the logit scale."""
    value, se = choose("metrics", name, CATEGORY_METRICS)(sums)
    limits = NO_INTERVAL
    if options.ci is not None:
        limits = Limits(se, *logit_interval(value, se, sums.n_units, sums.n_holding, options.ci), "logit", options.ci)
    alone = ONE_ITEM if categories.clusters is None else ONE_CLUSTER
    remarks = Remarks(value.shape).add(np.isnan(value), "no variation", "nobody chose this category")
    remarks.add(remarks.none & np.isnan(se) & (options.ci is not None), "no se", alone)
    return _columns(value, limits, categories, sums, options, observed=value, **remarks.columns())


def _conditional(name: str, reading: Reading, categories: Categories, sums: CategorySums, options: Options) -> Block:
    """Kappa of the items to which the first coder gave the category."""
    if len(reading.coders) != 2:
        problem = f"conditional_kappa needs two coders, and there are {len(reading.coders)}"
        raise InputError(problem, "name two", code="too many coders")
    if not categories.single:
        raise InputError("conditional_kappa needs one label per cell")
    pairs = pair_up(categories.ratings)
    tables = pairs.tables(categories.ratings.n_groups, np.ones(len(pairs.owner), bool))
    value, variance = conditional_kappa(tables)
    limits = NO_INTERVAL
    if options.ci is not None:
        se, df = np.sqrt(variance), sums.n_units - 1
        if categories.clusters is not None:
            se, df = _clustered_conditional(pairs, tables, categories.ratings, value, categories.clusters)
        width = t_quantile(df, options.ci) * se
        limits = Limits(se, np.clip(value - width, -1, 1), np.clip(value + width, -1, 1), "analytic", options.ci)
    text = "the first coder did not choose this category"
    remarks = Remarks(value.shape).add(np.isnan(value), "no variation", text)
    return _columns(value, limits, categories, sums, options, **remarks.columns())


def _clustered_conditional(
    pairs: Pairs, tables: Array, ratings: Ratings, value: Array, clusters: Array
) -> tuple[Array, Array]:
    """Standard error of conditional kappa from the influence of clusters, and its degrees of freedom: (G, K)."""
    cluster, group = clusters_of(ratings.item_group, clusters)
    n = tables.sum((1, 2))[:, None]
    r, c = divide(tables.sum(2), n), divide(tables.sum(1), n)  # (G, K)
    (first, second), owner = pairs.ratings.codes, pairs.owner[pairs.ratings.item_group]
    number = np.bincount(group, minlength=ratings.n_groups).astype(float)[:, None]
    total = np.zeros(value.shape)
    for j in range(value.shape[1]):
        v, q, rest = value[owner, j], c[owner, j], 1 - c[owner, j]
        x, y = first == j, second == j
        miss = divide(x * (1.0 * y - q - v * rest), r[owner, j] * rest)  # through the items of the first coder
        by_cell = miss - divide((1 - v) * (1.0 * y - q), rest)  # and through the share of the second
        summed = np.bincount(cluster, pairs.to_items(by_cell) * ratings.weights, minlength=len(group))
        total[:, j] = np.bincount(group, summed**2, minlength=ratings.n_groups)
    se = np.sqrt(divide(number * total, (number - 1) * n**2))
    return np.where(np.isnan(value), np.nan, se), np.broadcast_to(number - 1, value.shape)


def _columns(
    value: Array, limits: Limits, categories: Categories, sums: CategorySums, options: Options, **columns: Array
) -> Block:
    """Result columns with the values that most metrics share."""
    return result_columns(
        value,
        limits,
        n_items=sums.n_items,
        n_coders=np.broadcast_to(categories.ratings.active_coders()[:, None], value.shape),
        n_categories=np.full(value.shape, len(categories.labels)),
        missing=options.missing,
        **columns,
    )


def _against_the_rest(
    name: str, reading: Reading, categories: Categories, sums: CategorySums, options: Options
) -> Block:
    """Any coefficient on the category against all others."""
    record, shape = REGISTRY[name], sums.n_items.shape
    block = _empty(shape)
    either = replace(
        reading, category_set=BINARY, clusters=categories.clusters, rows=None, items=None, n_chosen=None
    )  # the category or another
    for category in range(shape[1]):
        binary = replace(either, ratings=categories.binary(category)).keep(record.rule(options.missing))
        for column, values in measure_one(record, binary, options).columns.items():
            block[column][:, category] = values
    block["n_categories"][:] = shape[1]
    if name == "bias":  # the category and the rest contribute equally, so half belongs to the category
        for column in ("estimate", "se", "ci_low", "ci_high"):
            block[column] /= 2
        block["expected"][:] = np.nan
    return block


def _empty(shape: tuple[int, ...]) -> Block:
    """The columns of a result, to be filled in."""
    dtypes = {name: column[0] for name, column in schemas.RESULT.items()}
    return {n: np.full(shape, "", object) if dtype == "str" else np.zeros(shape, dtype) for n, dtype in dtypes.items()}


# ----------------------------------------------------------------------------------------------- the other columns


def _extras(
    categories: Categories, sums: CategorySums, names: Sequence[str], columns: Mapping[str, Any]
) -> dict[str, Any]:
    """How common the category is, and the test whether coders choose it together more often than by chance."""
    ratings = categories.ratings
    sizes = ratings.sizes.astype(float)
    all_pairs = ratings.sum(sizes * (sizes - 1))[:, None] / 2
    either = sums.possible - sums.joint / 2
    p, small = _chance_test(categories)
    remarks = Remarks(p.size * len(names), columns["note"], columns["remarks"])
    remarks.add(categories.clusters is not None, "no p", NO_TEST)
    many = categories.ratings.active_coders()[:, None] > 2  # two coders have an exact test
    few = (small & many & ~np.isnan(p)).ravel().repeat(len(names))
    few &= np.tile([name in CATEGORY_METRICS for name in names], len(few) // len(names))
    remarks.add(few, "rough p", TOO_FEW)
    more = {
        "n_labels": _labels(categories),
        "pair_share": divide(either, np.broadcast_to(all_pairs, either.shape)),
        "p_value": p,
        "p_holm": holm(p),
    }
    return {name: np.asarray(values).ravel().repeat(len(names)) for name, values in more.items()} | remarks.columns()


def _labels(categories: Categories) -> Array:
    """Labels of each category: (G, K)."""
    ratings = categories.ratings
    totals = ratings.counts.total(ratings.weights, ratings.group, ratings.n_groups)  # (G, codes)
    return totals if categories.lookups is None else totals @ categories.lookups.T.astype(float)


def _chance_test(categories: Categories) -> tuple[Array, Array]:
    """One-sided p of each category, and whether few joint choices are expected: (G, K)."""
    ratings, K = categories.ratings, len(categories.labels)
    unknown = np.full((ratings.n_groups, K), np.nan), np.zeros((ratings.n_groups, K), bool)
    if not ratings.identified or not K or categories.clusters is not None:
        return unknown
    pairs = pair_up(ratings)
    cells, pair = pairs.ratings, pairs.ratings.group
    if pair is None or not len(pairs.owner):
        return unknown
    P, codes = len(pairs.owner), ratings.n_categories
    n = np.bincount(pair, cells.weights, minlength=P)[:, None]
    if categories.lookups is None:
        agreed = np.where(cells.codes[0] == cells.codes[1], cells.weights, 0.0)
        parts = [(cells.codes[0], agreed), (cells.codes[0], cells.weights), (cells.codes[1], cells.weights)]
        tables = [np.bincount(pair * codes + code, w, minlength=P * codes).reshape(P, codes) for code, w in parts]
    else:
        tables = _choices_of_sets(categories.lookups, cells, pair, P)
    joint, first, second = tables
    test = rare_pairs(joint, first, second, n, pairs.owner, ratings.n_groups)
    return test.p_value, test.small


def _choices_of_sets(lookups: Array, cells: WideRatings, pair: Array, n_pairs: int) -> list[Array]:
    """Joint choices and choices of each coder per pair, if a cell may hold several labels: (P, K) each."""
    first, second = (lookups[:, code] for code in cells.codes)
    return [
        np.stack([np.bincount(pair, row * cells.weights, minlength=n_pairs) for row in chosen], -1)
        for chosen in (first & second, first, second)
    ]
