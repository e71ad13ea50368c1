"""The way of the data: read, keep what counts, evaluate, infer, tidy.

Every public method ends here. `measure` runs any number of coefficients on one reading; `measure_pairs` does the same
for every pair of coders. No step looks back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pandas_agreement.coefficients.pairwise_kappa import pooled_kappa
from pandas_agreement.coefficients.registry import Coefficient
from pandas_agreement.core.distances import Distance
from pandas_agreement.core.group_blocks import only_groups, split_groups
from pandas_agreement.core.missing import keep
from pandas_agreement.core.pairs import pair_up
from pandas_agreement.core.ratings import Ratings
from pandas_agreement.core.weights import Scale, make_level, make_weights
from pandas_agreement.data import Reading
from pandas_agreement.data.scores import scores_of
from pandas_agreement.errors import InputError, warn
from pandas_agreement.inference.bootstrap import draw, draw_pairs, progress_bar, resample
from pandas_agreement.inference.evaluation import NO_DISTANCE, Evaluation, against, evaluate
from pandas_agreement.inference.intervals import METHODS, bounded, interval
from pandas_agreement.inference.notes import Notes, notes_of
from pandas_agreement.inference.standard_errors import Uncertainty, n_units, over_coders, sampled
from pandas_agreement.options import Options
from pandas_agreement.results import frames, schemas
from pandas_agreement.results.columns import NO_INTERVAL, Limits, interleave, result_columns

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Block:
    """One coefficient of every group: arrays of (G,) or one value for all."""

    columns: dict[str, Any]
    undefined: dict[str, int]  # how many groups, and why


# ------------------------------------------------------------------------------------------------------- distances


def distance_for(record: Coefficient, reading: Reading, options: Options, quiet: bool = False) -> Distance:
    """How far apart the categories are, as the options of this coefficient say."""
    category_set = reading.category_set
    scale = Scale(category_set.labels, None, category_set.ordered)
    argument = "level" if record.accepts("level") else "weights"
    asked = getattr(options, argument) if record.accepts(argument) else "nominal"
    if record.needs_weights and argument not in options.given:
        raise InputError(
            f"{record.name} needs weights=, for instance weights='linear' or weights='quadratic'",
            option="weights",
            code="needs weights",
            coefficient=record.name,
        )
    if not (isinstance(asked, str) and asked == "nominal"):
        by_order = category_set.ordered and not reading.listed
        numbers = category_set.numbers()
        text = category_set.first_text() if numbers is None else None
        scale = replace(scale, numbers=numbers, by_order=by_order, text=text)
    asked = _by_label(asked, category_set.labels, argument)
    make = make_level if argument == "level" else make_weights
    how, period = (getattr(options, name) if record.accepts(name) else None for name in ("scale", "period"))
    distance = make(asked, scale, how, period)
    if getattr(distance, "directed", None) is not None and not quiet:
        warn(
            f"{argument}= is not symmetric: only kappa between two coders, in their order, sees it as it is",
            "everything else sees its mean with its transpose",
            option=argument,
            code="not symmetric",
        )
    return distance


def _by_label(matrix: Any, labels: pd.Index, argument: str) -> Any:
    """A DataFrame is matched by label, whatever its order."""
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


@dataclass(frozen=True, eq=False)
class Counted:
    """The items of a reading that count for a coefficient, as labels or as scores."""

    ratings: Ratings
    kept: Array  # (I,) which items of the reading they are

    @classmethod
    def of(cls, reading: Reading, record: Coefficient, options: Options) -> Counted:
        ratings = scores_of(reading, record.name) if record.needs_numbers else reading.ratings
        return cls(*keep(ratings, record.rule(options.missing), reading.coders))

    @classmethod
    def everything(cls, ratings: Ratings) -> Counted:
        return cls(ratings, np.ones(ratings.n_items, bool))

    def clusters(self, reading: Reading) -> Array | None:
        """The cluster of each item."""
        return None if reading.clusters is None else reading.clusters[self.kept]

    def only(self, groups: Array) -> Counted:
        """The items of some groups."""
        part, items = only_groups(self.ratings, groups)
        kept = self.kept.copy()
        kept[self.kept] = items
        return Counted(part, kept)


def measure_one(record: Coefficient, reading: Reading, options: Options, counted: Counted) -> Block:
    """One coefficient on the items that count, in blocks of groups."""
    if options.pool == "pairs" and record.accepts("pool"):
        record = replace(record, kernel=pooled_kappa, kind="pairs")
    blocks = split_groups(counted.ratings)
    shared = _shared_chance(record, reading, options, counted.ratings)
    if len(blocks) == 1 or options.resamples:
        return _measure_block(record, reading, options, counted, shared)
    columns: dict[str, Any] = {}
    reasons: Counter[str] = Counter()
    for groups in blocks:
        found = _measure_block(record, reading, options, counted.only(groups), shared)
        reasons.update(found.undefined)
        for name, values in found.columns.items():
            kind = object if schemas.RESULT[name][0] == "str" else schemas.RESULT[name][0]
            columns.setdefault(name, np.empty(counted.ratings.n_groups, kind))[groups] = values
    return Block(columns, dict(reasons))


def _shared_chance(record: Coefficient, reading: Reading, options: Options, ratings: Ratings) -> Evaluation | None:
    """All groups together, if their chance agreement is asked for."""
    if not record.accepts("expected") or options.expected == "group":
        return None
    if options.pool != "coders" or options.resamples:
        raise InputError("expected='global' goes with pool='coders' and with method='analytic', 'log' or 'jackknife'")
    whole = replace(ratings, group=None, n_groups=1)
    return evaluate(record, whole, distance_for(record, reading, options, quiet=True))


def _measure_block(
    record: Coefficient, reading: Reading, options: Options, counted: Counted, shared: Evaluation | None = None
) -> Block:
    distance = NO_DISTANCE if record.needs_numbers else distance_for(record, reading, options)
    if shared is not None:
        distance = shared.statistics.distance  # ranks of all groups together, where the level has ranks
    evaluation = evaluate(record, counted.ratings, distance, options.ci or 0.95)
    if shared is not None:
        evaluation = against(evaluation, float(shared.expected[0]))
    return describe(record, evaluation, reading, options, counted.clusters(reading), shared is not None)


def describe(
    record: Coefficient,
    evaluation: Evaluation,
    reading: Reading,
    options: Options,
    clusters: Array | None = None,
    shared: bool = False,
) -> Block:
    """The columns of a result: the values, their interval, and what one should know."""
    notes = notes_of(record, evaluation, reading)
    evaluation = notes.settle(evaluation)
    if shared:
        notes.say_shared()
    limits = _interval(record, evaluation, options, reading, clusters, notes) if options.ci else NO_INTERVAL
    n_items, unit, distance = evaluation.n_items(), evaluation.unit(), evaluation.statistics.distance
    columns = result_columns(
        evaluation.value,
        limits,
        observed=1 - evaluation.observed / unit,
        expected=np.where(n_items > 0, 1 - evaluation.expected / unit, np.nan),
        n_items=n_items,
        n_coders=notes.n_coders,
        n_categories=np.full(len(n_items), distance.n_categories),
        weights=distance.name,
        missing=options.missing,
        note=notes.text(),
    )
    return Block(columns, notes.reasons)


# -------------------------------------------------------------------------------------------------------- intervals


def _interval(
    record: Coefficient,
    evaluation: Evaluation,
    options: Options,
    reading: Reading,
    clusters: Array | None,
    notes: Notes,
) -> Limits:
    method, level = options.method, float(options.ci or 0.95)
    _check_clusters(record, options, clusters)
    if options.resamples:
        return _resampled(record, evaluation, options, reading, clusters, notes)
    if evaluation.own is not None:
        low, high = np.maximum(evaluation.own.low, record.range[0]), np.minimum(evaluation.own.high, record.range[1])
        return Limits(evaluation.own.se, low, high, evaluation.own.how, level)
    known = METHODS[method][0](evaluation, clusters)
    if options.sampling != "items":
        coders = over_coders(record, evaluation.statistics.ratings, distance_for(record, reading, options, quiet=True))
        known = sampled(known, coders, options.sampling)
        notes.say_which_factor(options.sampling, known)
    known = notes.trust(known)
    return _certain(known, *interval(record, evaluation, known, level, method), options)


def _check_clusters(record: Coefficient, options: Options, clusters: Array | None) -> None:
    """Not every interval allows for clusters."""
    if clusters is None:
        return
    if record.needs_numbers and options.method != "percentile":
        raise InputError(f"{record.name} allows for clusters= only with method='percentile'", option="clusters")
    if options.method == "jackknife":
        raise InputError(
            "method='jackknife' leaves out one item at a time", "with clusters= use method='analytic'", option="method"
        )
    if options.method == "kalpha":
        raise InputError(
            "method='kalpha' draws pairs of labels and knows no clusters", "use 'percentile' or 'bca'", option="method"
        )


def _resampled(
    record: Coefficient,
    evaluation: Evaluation,
    options: Options,
    reading: Reading,
    clusters: Array | None,
    notes: Notes,
) -> Limits:
    """The interval from resamples of the items, or of clusters of them."""
    if options.sampling != "items":
        raise InputError(
            f"method={options.method!r} resamples items",
            "with sampling= use 'analytic', 'log' or 'jackknife'",
            option="sampling",
        )
    ratings, level = evaluation.statistics.ratings, float(options.ci or 0.95)
    draws = _draws(record, ratings, reading, options, clusters)
    found = resample(ratings, evaluation.value, evaluation.influence, options.method, level, draws, clusters)
    units = n_units(ratings, evaluation.statistics.n_items[0], clusters)
    known = notes.trust(Uncertainty(found.se, units - 1), found.notes)
    return _certain(known, *bounded(record, evaluation, known, level, found.low, found.high), options)


def _certain(known: Uncertainty, low: Array, high: Array, options: Options) -> Limits:
    """No limits where there is no standard error."""
    certain = ~np.isnan(known.se)
    limits = np.where(certain, low, np.nan), np.where(certain, high, np.nan)
    return Limits(known.se, *limits, options.method, float(options.ci or 0.95))


def _draws(
    record: Coefficient, ratings: Ratings, reading: Reading, options: Options, clusters: Array | None
) -> Iterator[tuple[int, Array]]:
    """The resamples of each group."""
    distance = NO_DISTANCE if record.needs_numbers else distance_for(record, reading, options, quiet=True)
    keys = [None] * ratings.n_groups if reading.groups is None else reading.groups.tolist()
    keys = keys if len(keys) == ratings.n_groups else list(range(ratings.n_groups))  # pairs of coders
    if options.method == "kalpha":
        return draw_pairs(ratings, distance, keys, options.n_resamples, options.rng)
    bar = progress_bar() if options.progress else iter
    return draw(record, ratings, distance, keys, options.n_resamples, options.rng, clusters, bar)


# ------------------------------------------------------------------------------------------------------- whole calls


def measure(reading: Reading, records: Sequence[Coefficient], options: Options) -> pd.DataFrame:
    """Several coefficients from one reading: a row a group and coefficient."""
    if not records:
        raise InputError(
            "metrics= is empty",
            "name at least one coefficient, such as metrics=['kappa', 'alpha']",
            option="metrics",
            code="missing option",
        )
    blocks = _blocks(reading, records, options)
    index = frames.row_index(reading.groups, {}, [record.name for record in records])
    return assemble(index, blocks)


def measure_pairs(reading: Reading, record: Coefficient, options: Options) -> pd.DataFrame:
    """One coefficient for every pair of coders: a row a group and pair."""
    if options.missing == "all":
        raise InputError(
            "pairwise compares the items that both coders of a pair labelled",
            "use missing='pairable'",
            option="missing",
        )
    ratings, _ = keep(reading.ratings, options.missing, reading.coders)
    pairs = pair_up(ratings, every=reading.named)
    each = replace(reading, ratings=pairs.ratings, coders=["coder_1", "coder_2"], named=False)
    block = measure_one(record, each, options, Counted.of(each, record, options))
    groups = None if reading.groups is None else reading.groups.take(pairs.owner)
    levels = frames.pair_levels(reading.coders, pairs.first, pairs.second)
    return assemble(frames.row_index(groups, levels, [record.name]), [block])


def replicates_of(reading: Reading, record: Coefficient, options: Options) -> pd.DataFrame:
    """The values of resamples: one row per group and replicate."""
    counted = Counted.of(reading, record, options)
    if options.pool == "pairs" and record.accepts("pool"):
        record = replace(record, kernel=pooled_kappa, kind="pairs")
    drawn = _draws(record, counted.ratings, reading, options, counted.clusters(reading))
    values = [replicates for _, replicates in drawn]
    groups = None if reading.groups is None else reading.groups.repeat(options.n_resamples)
    replicate = np.tile(np.arange(options.n_resamples), counted.ratings.n_groups)
    index = frames.index_of(groups, {"coefficient": [record.name] * len(replicate), "replicate": replicate})
    return pd.DataFrame({"value": np.concatenate(values) if values else np.zeros(0)}, index=index)


def _blocks(reading: Reading, records: Sequence[Coefficient], options: Options) -> list[Block]:
    ready: dict[tuple[str, bool], Counted] = {}
    blocks = []
    for record in records:
        view = record.rule(options.missing), record.needs_numbers
        if view not in ready:
            ready[view] = Counted.of(reading, record, options)
        blocks.append(measure_one(record, reading, options, ready[view]))
    return blocks


def assemble(index: pd.Index, blocks: Sequence[Block]) -> pd.DataFrame:
    n_groups = len(blocks[0].columns["estimate"])
    columns = {name: interleave([block.columns[name] for block in blocks], (n_groups,)) for name in schemas.RESULT}
    reasons: Counter[str] = Counter()
    for block in blocks:
        reasons.update(block.undefined)
    if reasons.total():
        _warn_undefined(reasons, len(index))
    return frames.result(index, columns)


def _warn_undefined(reasons: Counter[str], n_rows: int) -> None:
    """One warning for the whole call, with every reason."""
    why = [reason if reasons.total() == n else f"{reason} ({n})" for reason, n in reasons.most_common() if n]
    what = "the estimate is" if n_rows == 1 else f"{reasons.total()} of {n_rows} estimates are"
    warn(f"{what} undefined (NaN): {', '.join(why)}", "see the column 'note'", code="undefined")
