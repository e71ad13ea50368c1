"""The way of the data: read, keep what counts, evaluate, infer, tidy.

Every public method ends here. `measure` runs any number of coefficients on one reading; `measure_pairs` does the same
for every pair of coders. No step looks back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
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
from pandas_agreement.core.scores import to_values
from pandas_agreement.core.weights import Scale, make_level, make_weights
from pandas_agreement.data import Reading
from pandas_agreement.data.scores import numbers_of
from pandas_agreement.errors import InputError, warn
from pandas_agreement.inference.bootstrap import (
    draw,
    draw_pairs,
    influence_of_numbers,
    progress_bar,
    resample,
)
from pandas_agreement.inference.evaluation import Evaluation, against, evaluate
from pandas_agreement.inference.intervals import METHODS, bounded, interval
from pandas_agreement.inference.notes import NOTHING, Notes
from pandas_agreement.inference.standard_errors import Uncertainty, n_units, over_coders, sampled
from pandas_agreement.options import Options
from pandas_agreement.results import frames, schemas

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Block:
    """One coefficient of every group: arrays of (G,) or one value for all."""

    columns: dict[str, Any]
    undefined: dict[str, int]  # how many groups, and why


# ------------------------------------------------------------------------------------------------------- distances


def distance_for(record: Coefficient, reading: Reading, options: Options, quiet: bool = False) -> Distance:
    """How far apart the categories are, as the options of this coefficient say."""
    universe = reading.universe
    scale = Scale(universe.labels, None, universe.ordered)
    argument = "level" if record.accepts("level") else "weights"
    asked = getattr(options, argument) if record.accepts(argument) else "nominal"
    if record.needs_weights and argument not in options.given:
        raise InputError(f"{record.name} needs weights=, for instance weights='linear' or weights='quadratic'")
    if not (isinstance(asked, str) and asked == "nominal"):
        by_order = universe.ordered and not reading.listed
        numbers = universe.numbers()
        text = universe.first_text() if numbers is None else None
        scale = replace(scale, numbers=numbers, by_order=by_order, text=text)
    asked = _by_label(asked, universe.labels, argument)
    make = make_level if argument == "level" else make_weights
    how, period = (getattr(options, name) if record.accepts(name) else None for name in ("scale", "period"))
    distance = make(asked, scale, how, period)
    if getattr(distance, "directed", None) is not None and not quiet:
        warn(
            f"{argument}= is not symmetric: only kappa between two coders, in their order, sees it as it is; "
            "everything else sees its mean with its transpose"
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


def measure_one(record: Coefficient, reading: Reading, options: Options, ratings: Ratings, kept: Array) -> Block:
    """One coefficient on ratings that are ready, in blocks of groups."""
    if record.over == "values":
        return _measure_values(record, reading, options, ratings, kept)
    blocks = split_groups(ratings)
    shared = _shared_chance(record, reading, options, ratings)
    if len(blocks) == 1 or options.resamples:
        return _measure_block(record, reading, options, ratings, kept, shared)
    columns: dict[str, Any] = {}
    reasons: Counter[str] = Counter()
    for groups in blocks:
        part, items = only_groups(ratings, groups)
        counted = kept.copy()
        counted[kept] = items
        found = _measure_block(record, reading, options, part, counted, shared)
        reasons.update(found.undefined)
        for name, values in found.columns.items():
            kind = object if schemas.RESULT[name][0] == "str" else schemas.RESULT[name][0]
            columns.setdefault(name, np.empty(ratings.n_groups, kind))[groups] = values
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
    record: Coefficient,
    reading: Reading,
    options: Options,
    ratings: Ratings,
    kept: Array,
    shared: Evaluation | None = None,
) -> Block:
    if options.pool != "coders" and record.accepts("pool"):
        record = replace(record, kernel=pooled_kappa, over="pairs")
    distance = distance_for(record, reading, options)
    if shared is not None:
        distance = shared.tally.distance  # ranks of all groups together, where the level has ranks
    evaluation = evaluate(record, ratings, distance)
    if shared is not None:
        evaluation = against(evaluation, float(shared.expected[0]))
    return describe(record, evaluation, reading, options, kept, shared is not None)


def describe(
    record: Coefficient,
    evaluation: Evaluation,
    reading: Reading,
    options: Options,
    kept: Array,
    shared: bool = False,
) -> Block:
    """The columns of a result: the values, their interval, and what one should know."""
    notes = Notes(record, evaluation, reading)
    evaluation = notes.settle(evaluation)
    if shared:
        notes.say_shared()
    columns = _columns(evaluation)
    n_groups = len(evaluation.value)
    nan = np.full(n_groups, np.nan)
    columns |= {"se": nan, "ci_low": nan, "ci_high": nan, "ci_level": nan, "ci_method": ""}
    if options.ci is not None:
        columns |= _interval(record, evaluation, options, reading, kept, notes)
    columns |= {
        "n_coders": notes.n_coders,
        "n_categories": np.full(n_groups, len(reading.universe.labels)),
        "weights": evaluation.tally.distance.name,
        "missing": options.missing,
        "note": notes.text(),
    }
    return Block(columns, notes.reasons)


def _measure_values(record: Coefficient, reading: Reading, options: Options, ratings: Ratings, kept: Array) -> Block:
    """A coefficient of numbers, which brings its own interval."""
    level, nan = options.ci, np.full(ratings.n_groups, np.nan)
    if reading.clusters is not None and not (options.method == "percentile" or level is None):
        raise InputError(f"{record.name} allows for clusters= only with method='percentile'")
    clusters = None if reading.clusters is None else reading.clusters[kept]
    found = record.kernel(to_values(ratings, numbers_of(reading, record.name)), 0.95 if level is None else level)
    n_items = ratings.sum((ratings.sizes >= 2).astype(float))
    undefined, empty = np.isnan(found.value), n_items == 0
    reasons = {NOTHING: undefined & empty, "too few items, or no variation among them": undefined & ~empty}
    notes = np.full(ratings.n_groups, "", object)
    for reason, where in reasons.items():
        notes[where] = reason
    if found.left_out is not None:
        for group in np.flatnonzero(found.left_out > 0):
            what = f"{found.left_out[group]:.0f} item{'' if found.left_out[group] == 1 else 's'} with gaps left out"
            notes[group] += ("; " if notes[group] else "") + what
    if level is not None and options.resamples:
        worth = numbers_of(reading, record.name)
        draws = _draws(record, ratings, worth, reading, options, clusters)
        pull = partial(influence_of_numbers, record, ratings, worth)
        drawn = resample(ratings, found.value, pull, options.method, float(level), draws)
        found = replace(found, se=drawn.se, low=drawn.low, high=drawn.high, how=options.method)
        for place, what in drawn.notes.items():
            notes[place] += ("; " if notes[place] else "") + what
    columns = {
        "estimate": found.value,
        "se": nan if level is None or found.se is None else found.se,
        "ci_low": nan if level is None else np.maximum(found.low, record.range[0]),
        "ci_high": nan if level is None else np.minimum(found.high, record.range[1]),
        "observed": nan,
        "expected": nan,
        "n_items": n_items if found.left_out is None else n_items - np.minimum(found.left_out, n_items),
        "n_coders": ratings.coders_at_work(),
        "n_categories": np.full(ratings.n_groups, len(reading.universe.labels)),
        "weights": "",
        "missing": options.missing,
        "ci_method": "" if level is None else found.how,
        "ci_level": nan if level is None or not found.how else np.full(ratings.n_groups, float(level)),
        "note": notes,
    }
    return Block(columns, {reason: int(where.sum()) for reason, where in reasons.items()})


def _columns(evaluation: Evaluation) -> dict[str, Any]:
    """Agreements from disagreements, on the scale of the weights."""
    unit, n_items = evaluation.unit(), evaluation.tally.n_items[1]
    return {
        "estimate": evaluation.value,
        "observed": 1 - evaluation.observed / unit,
        "expected": np.where(n_items > 0, 1 - evaluation.expected / unit, np.nan),
        "n_items": n_items,
    }


def _interval(
    record: Coefficient,
    evaluation: Evaluation,
    options: Options,
    reading: Reading,
    kept: Array,
    notes: Notes,
) -> dict[str, Any]:
    method, level = options.method, float(options.ci or 0.95)
    if reading.clusters is not None and method == "jackknife":
        raise InputError("method='jackknife' leaves out one item at a time; with clusters= use method='analytic'")
    clusters = None if reading.clusters is None else reading.clusters[kept]
    if options.resamples:
        if options.sampling != "items":
            raise InputError(f"method={method!r} resamples items; with sampling= use 'analytic', 'log' or 'jackknife'")
        return _resampled(record, evaluation, options, reading, clusters, notes)
    known = METHODS[method][0](evaluation, clusters)
    if options.sampling != "items":
        coders = over_coders(record, evaluation.tally.ratings, distance_for(record, reading, options, quiet=True))
        known = sampled(known, coders, options.sampling)
        notes.say_of_whom(options.sampling, known)
    known = notes.trust(known)
    low, high = interval(record, evaluation, known, level, method)
    return _limits(known, low, high, options)


def _resampled(
    record: Coefficient,
    evaluation: Evaluation,
    options: Options,
    reading: Reading,
    clusters: Array | None,
    notes: Notes,
) -> dict[str, Any]:
    """The interval from resamples of the items, or of clusters of them."""
    ratings, level = evaluation.tally.ratings, float(options.ci or 0.95)
    distance = distance_for(record, reading, options, quiet=True)
    if options.method == "kalpha" and clusters is not None:
        raise InputError("method='kalpha' draws pairs of labels and knows no clusters; use 'percentile' or 'bca'")
    draws = _draws(record, ratings, distance, reading, options, clusters)
    found = resample(ratings, evaluation.value, evaluation.influence, options.method, level, draws, clusters)
    units = n_units(ratings, evaluation.tally.n_items[0], clusters)
    known = notes.trust(Uncertainty(found.se, units - 1), found.notes)
    low, high = bounded(record, evaluation, known, level, found.low, found.high)
    return _limits(known, low, high, options)


def _limits(known: Uncertainty, low: Array, high: Array, options: Options) -> dict[str, Any]:
    """The columns of the interval; no limits where there is no standard error."""
    certain = ~np.isnan(known.se)
    return {
        "se": known.se,
        "ci_low": np.where(certain, low, np.nan),
        "ci_high": np.where(certain, high, np.nan),
        "ci_method": options.method,
        "ci_level": np.full(len(low), float(options.ci or 0.95)),
    }


def _draws(
    record: Coefficient,
    ratings: Ratings,
    distance: Any,
    reading: Reading,
    options: Options,
    clusters: Array | None,
) -> Iterator[tuple[int, Array]]:
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
        raise InputError("metrics= is empty; name at least one coefficient, such as metrics=['kappa', 'alpha']")
    blocks = _blocks(reading, records, options)
    index = frames.row_index(reading.groups, {}, [record.name for record in records])
    return assemble(index, blocks)


def measure_pairs(reading: Reading, record: Coefficient, options: Options) -> pd.DataFrame:
    """One coefficient for every pair of coders: a row a group and pair."""
    if options.missing == "all":
        raise InputError("pairwise compares the items that both coders of a pair labelled; use missing='pairable'")
    ratings, _ = keep(reading.ratings, options.missing, reading.coders)
    pairs = pair_up(ratings, every=reading.named)
    each = replace(reading, ratings=pairs.ratings, coders=["coder_1", "coder_2"], named=False)
    block = measure_one(record, each, options, pairs.ratings, np.ones(pairs.ratings.n_items, bool))
    groups = None if reading.groups is None else reading.groups.take(pairs.owner)
    levels = frames.pair_levels(reading.coders, pairs.first, pairs.second)
    return assemble(frames.row_index(groups, levels, [record.name]), [block])


def replicates_of(reading: Reading, record: Coefficient, options: Options) -> pd.DataFrame:
    """The values of resamples: a row a group and replicate."""
    ratings, kept = keep(reading.ratings, record.rule(options.missing), reading.coders)
    if options.pool == "pairs" and record.accepts("pool"):
        record = replace(record, kernel=pooled_kappa, over="pairs")
    numeric = record.over == "values"
    worth: Any = numbers_of(reading, record.name) if numeric else distance_for(record, reading, options)
    clusters = None if reading.clusters is None else reading.clusters[kept]
    values = [drawn for _, drawn in _draws(record, ratings, worth, reading, options, clusters)]
    number = options.n_resamples
    groups = None if reading.groups is None else reading.groups.repeat(number)
    replicate = np.tile(np.arange(number), ratings.n_groups)
    index = frames.index_of(groups, {"coefficient": [record.name] * len(replicate), "replicate": replicate})
    return pd.DataFrame({"value": np.concatenate(values) if values else np.zeros(0)}, index=index)


def _blocks(reading: Reading, records: Sequence[Coefficient], options: Options) -> list[Block]:
    ready: dict[str, tuple[Ratings, Array]] = {}
    blocks = []
    for record in records:
        rule = record.rule(options.missing)
        if rule not in ready:
            ready[rule] = keep(reading.ratings, rule, reading.coders)
        blocks.append(measure_one(record, reading, options, *ready[rule]))
    return blocks


def assemble(index: pd.Index, blocks: Sequence[Block]) -> pd.DataFrame:
    n_groups = len(blocks[0].columns["estimate"])
    columns = {name: _interleave([block.columns[name] for block in blocks], n_groups) for name in schemas.RESULT}
    reasons: Counter[str] = Counter()
    for block in blocks:
        reasons.update(block.undefined)
    if reasons.total():
        _warn_undefined(reasons, len(index))
    return frames.result(index, columns)


def _interleave(parts: Sequence[Any], n_groups: int = 0) -> Any:
    """One value for all rows if it is the same string, else the values of each group side by side."""
    if len(parts) == 1 or all(isinstance(part, str) and part == parts[0] for part in parts):
        return parts[0]
    if any(isinstance(part, str) for part in parts):
        parts = [np.full(n_groups, part, object) if isinstance(part, str) else part for part in parts]
    return np.stack(parts, -1).ravel()


def _warn_undefined(reasons: Counter[str], n_rows: int) -> None:
    """One warning for the whole call, with every reason."""
    why = [reason if reasons.total() == n else f"{reason} ({n})" for reason, n in reasons.most_common() if n]
    what = "the estimate is" if n_rows == 1 else f"{reasons.total()} of {n_rows} estimates are"
    warn(f"{what} undefined (NaN): {', '.join(why)}; see the column 'note'")
