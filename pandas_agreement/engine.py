"""The pipeline behind the coefficients: filter items, evaluate, infer, assemble the result.

`measure` runs any number of coefficients on one `Reading`, `measure_pairs` one coefficient for every pair of coders.
Reading the frame is the work of `data`, breakdowns are in `breakdown`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import make_dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.coefficients.registry import Coefficient
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.classes import dataclass
from pandas_agreement.core.contingency import merge_if_few
from pandas_agreement.core.distances import Distance, Nominal
from pandas_agreement.core.item_statistics import without_categories
from pandas_agreement.core.pairs import check_size, pair_up
from pandas_agreement.core.progress import count_steps
from pandas_agreement.core.ratings import Ratings
from pandas_agreement.core.remarks import warn_undefined
from pandas_agreement.core.scores import ScorePairs, Scores, item_by_item, over_pairs
from pandas_agreement.core.selection import keep, only_groups, split_groups
from pandas_agreement.core.weights import CategoryValues, make_distance
from pandas_agreement.data import Reading
from pandas_agreement.data.reading import scores_of
from pandas_agreement.errors import AgreementError, InputError, needs_weights, warn, wrong_value
from pandas_agreement.inference.bootstrap import draw, draw_pairs, resample
from pandas_agreement.inference.evaluation import Evaluation, Uncertainty, evaluate, n_units, over_coders, sampled
from pandas_agreement.inference.intervals import METHODS, bounded, interval
from pandas_agreement.inference.notes import Notes, notes_of
from pandas_agreement.options import Options, as_scores, as_written, is_nominal, own_option
from pandas_agreement.results import frames, schemas
from pandas_agreement.results.frames import NO_INTERVAL, Limits, interleave, result_columns
from pandas_agreement.scales import Scale

ResultColumns = make_dataclass("ResultColumns", list(schemas.RESULT))  # of blocks of pairs of coders


@dataclass(frozen=True, eq=False)
class Block:
    """The result columns of one coefficient: arrays (G,), or one value for all groups."""

    columns: dict[str, Any]
    undefined: Counter[str]  # reason: number of groups


# ------------------------------------------------------------------------------------------------------- distances

NO_DISTANCE = Nominal(0, "")  # of scores, which have no categories


def distance_for(record: Coefficient, reading: Reading, options: Options, quiet: bool = False) -> Distance:
    """The distance between categories, from the options of this coefficient."""
    if record.needs_numbers:
        return NO_DISTANCE
    category_set = reading.category_set
    categories = CategoryValues(category_set.labels, None, category_set.ordered)
    own = own_option(record)
    argument, chosen = as_written(record, options)
    if record.needs_weights and argument not in options.given:
        raise needs_weights(record.name)
    nominal = is_nominal(chosen)
    if not nominal:
        by_order = category_set.ordered and not reading.listed
        numbers = category_set.numbers()
        text = category_set.first_text() if numbers is None else None
        shifted = category_set.origin != 0
        categories = replace(categories, numbers=numbers, by_order=by_order, text=text, shifted=shifted)
    chosen = _by_label(chosen, category_set.labels, argument)
    distance = make_distance(own, argument, chosen, categories)
    if reading.n_chosen is not None:
        if record.depends_on_k and not nominal:
            raise _needs_shared(argument, chosen)
        distance = replace(distance, n_chosen=reading.n_chosen)
    if getattr(distance, "directed", None) is not None and not quiet:
        problem = f"{argument}= is not symmetric: only kappa between two coders, in their order, uses it as given"
        remedy = "other coefficients use the mean of the matrix and its transpose"
        warn(problem, remedy, option=argument, code="not symmetric")
    return distance


def _needs_shared(argument: str, chosen: Any) -> AgreementError:
    """The error for weights whose chance agreement depends on the categories, if groups have their own."""
    why = "goes with categories that all groups share, and categories='group' takes those of each group"
    remedy = "list the categories of all groups, as categories=[...]"
    if isinstance(chosen, (str, Scale)):
        return wrong_value(argument, chosen, why, remedy, code="needs shared categories")
    return InputError(f"{argument}= of your own {why}", remedy, option=argument, code="needs shared categories")


def _by_label(matrix: Any, labels: pd.Index, argument: str) -> Any:
    """A DataFrame of weights as a matrix in the order of the categories."""
    if not isinstance(matrix, pd.DataFrame):
        return matrix
    places = []
    for axis in (matrix.index, matrix.columns):
        if not axis.is_unique:
            raise InputError(f"{argument}= has the label {axis[axis.duplicated()].tolist()[0]!r} twice")
        place = axis.get_indexer(labels)
        if (place < 0).any():
            raise InputError(f"{argument}= has no row or column for the category {labels[place < 0].tolist()[0]!r}")
        places.append(place)
    return matrix.to_numpy()[np.ix_(*places)]


# -------------------------------------------------------------------------------------------------------- one block


def used_items(reading: Reading, record: Coefficient, options: Options) -> Reading:
    """The items that count for a coefficient, as labels or scores."""
    rule = record.rule(options.missing)
    if not record.needs_numbers:
        return reading.keep(rule)
    scores, clusters = scores_of(reading, record.name), reading.clusters
    if reading.ratings.weight is None:
        return replace(reading, ratings=scores).keep(rule)
    if clusters is not None:  # an item with weight w became w items
        clusters = np.repeat(clusters, reading.ratings.weights.astype(np.int64))
    return replace(reading, ratings=scores, clusters=clusters, rows=None, items=None).keep(rule)


def measure_one(record: Coefficient, reading: Reading, options: Options) -> Block:
    """One coefficient on the items that count, in blocks of groups."""
    record = _pooled_over(record, options)
    if squares_numbers(record, options) and not isinstance(reading.ratings, Scores):
        distance = distance_for(record, reading, options, quiet=True)
        reading = replace(reading, ratings=without_categories(reading.ratings, distance))
    blocks = split_groups(reading.ratings)
    if len(blocks) == 1 or options.resamples:
        return _measure_block(record, reading, options)
    columns: dict[str, Any] = {}
    reasons: Counter[str] = Counter()
    for groups in blocks:
        block = _measure_block(record, _only(reading, groups), options)
        reasons.update(block.undefined)
        for name, values in block.columns.items():
            kind = object if schemas.RESULT[name][0] == "str" else schemas.RESULT[name][0]
            columns.setdefault(name, np.empty(reading.ratings.n_groups, kind))[groups] = values
    return Block(columns, reasons)


def _only(reading: Reading, groups: Array) -> Reading:
    """The ratings of some groups; the names of the groups stay."""
    ratings, items = only_groups(reading.ratings, groups)
    n_chosen = None if reading.n_chosen is None else reading.n_chosen[groups]
    return replace(reading.of(ratings, items), n_chosen=n_chosen)


def squares_numbers(record: Coefficient, options: Options) -> bool:
    """Whether a coefficient needs only sums of the labels and of their squares: interval alpha."""
    return record.unit == "label" and record.of_items and options.method != "kalpha" and as_scores(options)


def of_numbers(record: Coefficient, options: Options) -> bool:
    """Whether a coefficient needs no categories."""
    return record.needs_numbers or squares_numbers(record, options)


def _pooled_over(record: Coefficient, options: Options) -> Coefficient:
    """The coefficient as `pool=` asks for it."""
    by_pairs = options.pool == "pairs" and record.accepts("pool")
    return replace(record, over_pairs="pooled", at_shares=None) if by_pairs else record


def _measure_block(record: Coefficient, reading: Reading, options: Options) -> Block:
    distance = distance_for(record, reading, options)
    level = 0.0 if options.ci is None or options.resamples else options.ci  # 0: the kernel's own limits are not needed
    progress = options.progress and not (options.resamples and options.ci)  # resamples have a bar of their own
    evaluation = evaluate(record, reading.ratings, distance, level, progress)
    return describe(record, evaluation, reading, options)


def describe(
    record: Coefficient,
    evaluation: Evaluation,
    reading: Reading,
    options: Options,
) -> Block:
    """The columns of a result: the values, their interval, and notes."""
    notes = notes_of(record, evaluation, reading)
    evaluation = notes.note_undefined(evaluation)
    limits = _interval(record, evaluation, options, reading, notes) if options.ci else NO_INTERVAL
    n_items, unit, distance = evaluation.n_items(), evaluation.unit(), evaluation.statistics.distance
    of_values = reading.has_values and not isinstance(distance, Nominal)  # numbers that are no categories
    columns = result_columns(
        evaluation.value,
        limits,
        observed=1 - evaluation.observed / unit,
        expected=np.where(n_items > 0, 1 - evaluation.expected / unit, np.nan),
        n_items=n_items,
        n_coders=notes.n_coders,
        n_categories=np.full(len(n_items), 0 if of_values else distance.number),
        weights=distance.name,
        missing=options.missing,
        **notes.columns(),
    )
    return Block(columns, notes.remarks.reasons)


# -------------------------------------------------------------------------------------------------------- intervals


def _interval(
    record: Coefficient,
    evaluation: Evaluation,
    options: Options,
    reading: Reading,
    notes: Notes,
) -> Limits:
    level = float(options.ci or 0.95)
    _check_clusters(record, options, reading.clusters)
    if options.resamples:
        return _resampled(record, evaluation, options, reading, notes)
    if evaluation.own is not None:
        low, high = np.maximum(evaluation.own.low, record.range[0]), np.minimum(evaluation.own.high, record.range[1])
        return Limits(evaluation.own.se, low, high, evaluation.own.how, level)
    method = method_of(record, options)
    uncertainty = METHODS[method][0](evaluation, reading.clusters)
    if options.sampling != "items":
        coders = over_coders(record, evaluation.statistics.ratings, distance_for(record, reading, options, quiet=True))
        uncertainty = sampled(uncertainty, coders, options.sampling)
        notes.note_factor(options.sampling, uncertainty)
    uncertainty = notes.check_se(uncertainty)
    notes.note_rare(method)
    low, high = interval(record, evaluation, uncertainty, level, method)
    notes.note_unseen(method, low, level)
    return _limits(uncertainty, low, high, method, level)


def method_of(record: Coefficient, options: Options) -> str:
    """The method of the interval: for 'auto' the score interval, where it is defined."""
    defined = "score" in _pooled_over(record, options).all_methods
    defined &= options.sampling == "items"
    if options.method == "score" and not defined:
        problem = "method='score' goes with pool='coders' and sampling='items'"
        raise InputError(problem, "use method='analytic'", option="method")
    return ("score" if defined else "analytic") if options.method == "auto" else options.method


def _check_clusters(record: Coefficient, options: Options, clusters: Array | None) -> None:
    """Raise for an interval that cannot account for clusters."""
    if clusters is None:
        return
    if record.needs_numbers and options.method != "percentile":
        raise InputError(f"{record.name} accounts for clusters= only with method='percentile'", option="clusters")
    if options.method == "jackknife":
        raise InputError(
            "method='jackknife' leaves out one item at a time", "with clusters= use method='analytic'", option="method"
        )
    if options.method == "kalpha":
        raise InputError(
            "method='kalpha' draws pairs of labels and ignores clusters", "use 'percentile' or 'bca'", option="method"
        )


def _resampled(
    record: Coefficient,
    evaluation: Evaluation,
    options: Options,
    reading: Reading,
    notes: Notes,
) -> Limits:
    """The interval from resamples of the items or clusters."""
    if options.sampling != "items":
        problem = f"method={options.method!r} resamples items"
        raise InputError(problem, "with sampling= use 'analytic', 'log' or 'jackknife'", option="sampling")
    ratings, clusters, level = evaluation.statistics.ratings, reading.clusters, float(options.ci or 0.95)
    draws = _draws(record, ratings, reading, options)
    found = resample(ratings, evaluation.value, evaluation.influence, options.method, level, draws, clusters)
    units = n_units(ratings, evaluation.statistics.n_items[0], clusters)
    uncertainty = notes.check_se(Uncertainty(found.se, units - 1), found.lost)
    notes.note_rare(options.method)
    limits = bounded(record, evaluation, uncertainty, level, found.low, found.high)
    return _limits(uncertainty, *limits, options.method, level)


def _limits(uncertainty: Uncertainty, low: Array, high: Array, method: str, level: float) -> Limits:
    """The limits of the interval; NaN without a standard error."""
    undefined = np.isnan(uncertainty.se)
    limits = np.where(undefined, np.nan, low), np.where(undefined, np.nan, high)
    return Limits(uncertainty.se, *limits, method, level)


def _draws(record: Coefficient, ratings: Ratings, reading: Reading, options: Options) -> Iterator[tuple[int, Array]]:
    """Each group and the values of its resamples."""
    distance = distance_for(record, reading, options, quiet=True)
    keys = [None] * ratings.n_groups if reading.groups is None else reading.groups.tolist()
    keys = keys if len(keys) == ratings.n_groups else list(range(ratings.n_groups))  # pairs of coders
    if options.method == "kalpha":
        yield from draw_pairs(ratings, distance, keys, options.n_resamples, options.rng)
        return
    with count_steps(options.progress, ratings.n_groups * options.n_resamples) as steps:
        yield from draw(record, ratings, distance, keys, options.n_resamples, options.rng, reading.clusters, steps)


# ------------------------------------------------------------------------------------------------------- whole calls


def check_named(records: Sequence[Coefficient]) -> None:
    """Refuse an empty list of coefficients."""
    if not records:
        remedy = "name at least one coefficient, such as metrics=['kappa', 'alpha']"
        raise InputError("metrics= is empty", remedy, option="metrics", code="missing option")


def measure(reading: Reading, records: Sequence[Coefficient], options: Options) -> pd.DataFrame:
    """Several coefficients from one reading: one row per group and coefficient."""
    check_named(records)
    blocks = measure_each(reading, records, options)
    return assemble(frames.row_index(reading.groups, {}, [record.name for record in records]), blocks)


def measure_each(reading: Reading, records: Sequence[Coefficient], options: Options) -> list[Block]:
    """The columns of several coefficients."""
    few = merge_if_few(reading.ratings) if reading.clusters is None else reading.ratings
    merged = replace(reading, ratings=few, rows=None, items=None) if few is not reading.ratings else reading
    parts: dict[tuple[str, bool], Reading] = {}
    blocks = []
    for record in records:
        view = record.rule(options.missing), record.needs_numbers
        if view not in parts:  # scores are not merged
            parts[view] = used_items(reading if record.needs_numbers else merged, record, options)
        blocks.append(measure_one(record, parts[view], options))
    return blocks


def measure_pairs(reading: Reading, record: Coefficient, options: Options) -> pd.DataFrame:
    """One coefficient for every pair of coders: one row per group and pair."""
    if options.missing == "all":
        problem = "by_pair compares the items that both coders of a pair labelled"
        raise InputError(problem, "use missing='pairable'", option="missing")
    ratings, _ = keep(reading.ratings, options.missing, reading.coders)
    if isinstance(ratings, Scores):
        return _measure_score_pairs(reading, item_by_item(ratings), record, options)
    if record.needs_numbers and reading.n_chosen is None and not options.resamples:
        scores = scores_of(replace(reading, ratings=ratings), record.name)
        if scores.surely_paired:  # else there may be pairs without a common item, which have a row
            check_size(ratings, ratings.n_groups, 0)
            return _measure_score_pairs(reading, scores, record, options)
    pairs = pair_up(ratings, every=reading.named)
    n_chosen = None if reading.n_chosen is None else reading.n_chosen[pairs.owner]
    each = replace(reading, ratings=pairs.ratings, coders=["coder_1", "coder_2"], named=False, n_chosen=n_chosen)
    block = measure_one(record, used_items(each, record, options), options)
    groups = None if reading.groups is None else reading.groups.take(pairs.owner)
    levels = frames.pair_levels(reading.coders, pairs.first, pairs.second)
    return assemble(frames.row_index(groups, levels, [record.name]), [block])


def _measure_score_pairs(reading: Reading, scores: Scores, record: Coefficient, options: Options) -> pd.DataFrame:
    """The same for scores, in blocks of pairs of coders, with one bar; only those with common items."""
    reasons: Counter[str] = Counter()
    progress = options.progress and not options.resamples
    options = options.without("progress") if progress else options

    def of_block(part: ScorePairs) -> Any:
        each = replace(reading, ratings=part.as_scores(), coders=["coder_1", "coder_2"], named=False, clusters=None)
        block = measure_one(record, used_items(each, record, options), options)
        reasons.update(block.undefined)
        return ResultColumns(*(np.broadcast_to(block.columns[name], part.n_pairs) for name in schemas.RESULT))

    pairs, found = over_pairs(scores, of_block, progress)
    columns = {name: getattr(found, name) for name in schemas.RESULT}
    groups = None if reading.groups is None else reading.groups.take(pairs.owner)
    levels = frames.pair_levels(reading.coders, pairs.first, pairs.second)
    return assemble(frames.row_index(groups, levels, [record.name]), [Block(columns, reasons)])


def assemble(index: pd.Index, blocks: Sequence[Block]) -> pd.DataFrame:
    """The result frame of several coefficients, with one warning for all undefined estimates."""
    columns = blocks[0].columns
    if len(blocks) > 1:
        shape = columns["estimate"].shape
        columns = {name: interleave([block.columns[name] for block in blocks], shape) for name in schemas.RESULT}
    reasons: Counter[str] = Counter()
    for block in blocks:
        reasons.update(block.undefined)
    warn_undefined(reasons, len(index))
    return frames.result(index, columns)
