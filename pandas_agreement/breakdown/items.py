"""Agreement, majority label and influence of each item, and the items to adjudicate first."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.coefficients.registry import Coefficient, require
from pandas_agreement.core.arrays import Array, places
from pandas_agreement.core.category_counts import Counts, SparseCounts, spread
from pandas_agreement.core.contingency import pattern_of_items
from pandas_agreement.core.item_statistics import statistics_of
from pandas_agreement.core.scores import Scores
from pandas_agreement.core.selection import keep
from pandas_agreement.core.sums import divide
from pandas_agreement.data import Reading
from pandas_agreement.data.reading import frequencies
from pandas_agreement.engine import distance_for
from pandas_agreement.errors import InputError
from pandas_agreement.inference.evaluation import evaluate, full_disagreement
from pandas_agreement.options import Options
from pandas_agreement.results import frames, schemas

ADJUDICATED = ["agreement", "influence"]  # what stands beside the labels of an item to adjudicate


def items(reading: Reading, frame: pd.DataFrame, record: Coefficient, options: Options) -> pd.DataFrame:
    """One row per item, with the frame's own index if one row is one item, else with the item's name."""
    require(record, "by_item", "has no influence values")
    if reading.rows is None:  # the group keys are in the index
        frames.check_keys(reading.groups, schemas.ITEMS)
    table = _rows(reading, record, options).set_axis(item_index(reading, frame), axis=0)
    table = place_rows(table, reading, frame, {"n_labels": 0, "tie": False, "n_distinct": 0})
    return table if options.frequency is None else table.assign(frequency=_frequency(reading, frame, options))


def _rows(reading: Reading, record: Coefficient, options: Options) -> pd.DataFrame:
    """One row per item; items with the same labels have the same row."""
    patterns, place = pattern_of_items(reading.ratings)
    columns = _columns(replace(reading, ratings=patterns), record, options)
    table = frames.result(pd.RangeIndex(patterns.n_items), columns, schemas.ITEMS)
    return table if place is None else table.take(place)


def _columns(reading: Reading, record: Coefficient, options: Options) -> dict[str, Any]:
    """The columns of the table, one row per item."""
    ratings = reading.ratings
    distance = distance_for(record, reading, options)
    sizes, several = ratings.sizes, ratings.sizes > 1
    counts, n_categories, labels = _counted(reading)
    first, top, leaders = counts.leaders()
    most = np.minimum(n_categories, sizes)
    statistics = statistics_of(ratings, distance, record.unit)
    unit = full_disagreement(statistics)
    unit = unit if np.ndim(unit) == 0 else spread(np.atleast_1d(unit), ratings.group)
    agreement = 1 - statistics.disagreement / unit
    return {
        "n_labels": sizes,
        "agreement": np.where(several, agreement, np.nan),
        "entropy": np.where(several, divide(counts.entropy(), np.log(np.maximum(most, 2))), np.nan),
        "majority": labels(np.where((sizes > 0) & (leaders == 1), first, -1)),
        "share": divide(top.astype(float), sizes.astype(float)),
        "tie": (leaders > 1) & (sizes > 0),
        "influence": _influence(reading, record, options),
        "n_distinct": counts.n_distinct(),
    }


def _counted(reading: Reading) -> tuple[Counts, int, Callable[[Array], Any]]:
    """The number of each label of each item, the number of categories, and labels from codes."""
    ratings = reading.ratings
    if not isinstance(ratings, Scores):
        return ratings.counts, ratings.n_categories, partial(labels_of, reading)
    numbers, code = np.unique(ratings.value, return_inverse=True)
    counts = SparseCounts.of(ratings.item, code, ratings.n_items, len(numbers))
    return counts, len(numbers), np.append(numbers, np.nan).__getitem__  # code -1 is missing


def _frequency(reading: Reading, frame: pd.DataFrame, options: Options) -> Array:
    """How many items each row of the table stands for."""
    by_row = reading.rows is not None
    return (frequencies(frame, options.frequency) if by_row else reading.ratings.weights).astype(np.int64)


def _influence(reading: Reading, record: Coefficient, options: Options) -> Array:
    """The influence of each item divided by the number of items; NaN for items that do not count."""
    ratings, kept = keep(reading.ratings, record.rule(options.missing), reading.coders)
    evaluation = evaluate(record, ratings, distance_for(record, reading, options))
    n_items = spread(evaluation.statistics.n_items[0], ratings.group)
    out = np.full(len(kept), np.nan)
    out[kept] = divide(evaluation.influence(), n_items)
    return out


def labels_of(reading: Reading, codes: Array) -> Any:
    """Codes as the user's labels; -1 is missing."""
    labels = reading.category_set.labels
    if reading.category_set.declared:
        return pd.Categorical.from_codes(codes, labels, ordered=reading.category_set.ordered)
    return pd.Series(labels).reindex(codes).array  # -1 is not in the index, and so missing


def item_index(reading: Reading, frame: pd.DataFrame) -> pd.Index:
    if reading.rows is not None:
        return frame.index.take(reading.rows.to_numpy())
    if reading.items is None:
        raise InputError("a crosstab has no items", "give the data with one row per item or judgment", code="no items")
    group = reading.ratings.group
    groups = None if reading.groups is None or group is None else reading.groups.take(group)
    keys = () if groups is None else groups.names  # a group key may be a part of the item's name
    levels = {name: reading.items.get_level_values(level) for level, name in enumerate(reading.items.names)}
    composite = len(levels) > 1
    return frames.index_of(
        groups, {name: values for name, values in levels.items() if not (composite and name in keys)}
    )


def place_rows(table: pd.DataFrame, reading: Reading, frame: pd.DataFrame, fill: Mapping[str, Any]) -> pd.DataFrame:
    """Add rows for the rows of the frame that belong to no group, empty but for the columns of `fill`."""
    if reading.rows is None or len(reading.rows) == len(frame):
        return table
    order = places(reading.rows.to_numpy(), len(frame))
    wide = table.reset_index(drop=True).reindex(order)
    filled = {name: wide[name].where(order >= 0, value) for name, value in fill.items()}
    return wide.assign(**filled).astype({name: table[name].dtype for name in fill}).set_axis(frame.index, axis=0)


def disagreements(
    table: pd.DataFrame, reading: Reading, frame: pd.DataFrame, n: int, labels: Sequence[Hashable] | None = None
) -> pd.DataFrame:
    """The rows to adjudicate first: least agreement, then most labels, then lowest influence.

    `labels` are the columns of the frame to show, without the details of the items; None: all of both.
    """
    table = table.drop(columns="frequency", errors="ignore")  # a column of the frame
    check_free(table.columns if labels is None else ADJUDICATED, frame, "disagreements")
    split = np.flatnonzero((table["agreement"] < 1).to_numpy(dtype=bool, na_value=False))
    if len(split) > n:  # only these are sorted
        agreement = table["agreement"].to_numpy()[split]
        split = split[agreement <= np.partition(agreement, n - 1)[n - 1]]
    part = table.iloc[split]
    by = [
        part["influence"],
        -part["entropy"],
        -part["n_labels"],
        part["agreement"],
    ]  # the last key is the first criterion
    order = split[np.lexsort([column.to_numpy() for column in by])]
    chosen = table.iloc[order[:n]]
    if labels is None:
        return beside_rows(chosen, order[:n], reading, frame)
    return beside_rows(chosen[ADJUDICATED], order[:n], reading, frame)[[*labels, *ADJUDICATED]]


def check_free(names: Iterable[Hashable], frame: pd.DataFrame, method: str) -> None:
    """Raise for a column of the frame that has the name of one that the method adds."""
    clash = [name for name in names if name in frame.columns]
    if clash:
        problem = f"the frame has a column {clash[0]!r}, which {method} adds"
        remedy = f"rename it: df.rename(columns={{{clash[0]!r}: '{clash[0]}_'}})"
        raise InputError(problem, remedy, column=clash[0], code="column taken")


def beside_rows(chosen: pd.DataFrame, rows: Array, reading: Reading, frame: pd.DataFrame) -> pd.DataFrame:
    """The frame's rows of some items, with the columns of a table of items; for long data all rows of an item."""
    if reading.rows is not None:
        return pd.concat([frame.iloc[rows], chosen], axis=1)
    worst = chosen.reset_index()
    joined = worst.merge(frame, on=[name for name in worst.columns if name in frame.columns], how="left")
    return joined[[*frame.columns, *chosen.columns]]
