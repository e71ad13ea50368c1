"""Confusion tables of two coders, or of one coder and all others, and the marginal distribution of each coder."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.breakdown.details import swapped
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.missing import keep
from pandas_agreement.core.pairs import Pairs, pair_up
from pandas_agreement.core.sums import divide
from pandas_agreement.data import Reading
from pandas_agreement.errors import ColumnError, InputError
from pandas_agreement.results import frames, schemas

MAX_CELLS = 250_000_000  # of a table, 8 bytes each


def confusion(reading: Reading, one: Hashable | None = None) -> pd.DataFrame:
    """Counts of the first coder's label (row) by the second's (column); with `one`, by those of all other coders."""
    if one is None and len(reading.coders) != 2:
        problem = f"confusion compares two coders, or one with all others, and got {len(reading.coders)}"
        remedy = "name them, as in confusion('ann', 'bob') or confusion('ann')"
        raise InputError(problem, remedy, code="too many coders")
    ratings, _ = keep(reading.ratings, "pairable", reading.coders)
    pairs = pair_up(ratings)
    shape = ratings.n_groups, ratings.n_categories, ratings.n_categories
    _check_size(*shape[:2])
    names: tuple[Hashable, Hashable] = (reading.coders[0], reading.coders[-1]) if reading.coders else (None, None)
    if one is None:
        table = _add_up(pairs, shape, np.ones(len(pairs.owner), bool))
    else:
        if one not in reading.coders:
            raise ColumnError.missing(one, reading.coders, "coder")
        names, coder = (one, "others"), list(reading.coders).index(one)
        table = _add_up(pairs, shape, pairs.first == coder)
        table = table + _add_up(pairs, shape, pairs.second == coder).transpose(0, 2, 1)
    return frames.confusion(table, reading.category_set.labels, names, reading.groups)


def _check_size(n_groups: int, n_categories: int) -> None:
    """Refuse a table that would not fit in memory."""
    n_cells = n_groups * n_categories**2
    if n_cells > MAX_CELLS:
        each = f" in each of {n_groups:,} groups" if n_groups > 1 else ""
        problem = (
            f"a confusion table of {n_categories:,} categories{each} has {n_cells:,} cells, {n_cells / 1.25e8:.0f} GB"
        )
        remedy = "merge categories, or see by_category, which has one row per category"
        raise InputError(problem, remedy, code="too large")


def _add_up(pairs: Pairs, shape: tuple[int, int, int], chosen: Array) -> Array:
    """The tables of the chosen pairs, summed by group: (G, K, K)."""
    table = np.zeros(shape, np.int64)
    cells, group = pairs.ratings, pairs.ratings.group
    if group is not None and len(pairs.owner):
        own = chosen[group]
        where = pairs.owner[group[own]], cells.codes[0][own], cells.codes[1][own]
        np.add.at(table, where, cells.weights[own].astype(np.int64))
    return table


def margins(reading: Reading, missing: str) -> pd.DataFrame:
    """One row per group, coder and category: how often the coder chose it, and the mean over coders."""
    ratings, _ = keep(reading.ratings, missing, reading.coders)
    totals = _by_name(ratings)  # (G, C, K)
    sizes = totals.sum(-1, keepdims=True)
    present = sizes > 0
    shares = divide(totals, sizes)
    mean = divide(np.sum(shares, 1, where=present), present.sum(1))[:, None]
    G, C, K = totals.shape
    labels = frames.Repeated(reading.category_set.labels, np.tile(np.arange(K), G * C))
    coders = pd.Index(list(reading.coders), tupleize_cols=False)
    names = frames.Repeated(coders, np.tile(np.repeat(np.arange(C), K), G))
    columns = {
        "n_labels": totals.ravel(),
        "share": shares.ravel(),
        "mean_share": np.broadcast_to(mean, totals.shape).ravel(),
        "difference": (shares - mean).ravel(),
    }
    groups = None if reading.groups is None else reading.groups.repeat(C * K)
    frame = frames.result(frames.index_of(groups, {"coder": names, "category": labels}), columns, schemas.MARGINS)
    return frame if present.all() else frame[np.broadcast_to(present, totals.shape).ravel()]


def _by_name(ratings: Any) -> Array:
    """Number of labels by group, coder and category: (G, C, K), coders in the order of the reading."""
    labels = ratings.as_long()
    group = 0 if labels.group is None else labels.group[labels.item]
    cell = (group * np.int64(labels.n_coders) + labels.coder) * labels.n_categories + labels.code
    shape = labels.n_groups, labels.n_coders, labels.n_categories
    weight = None if labels.weight is None else labels.weight[labels.item]
    return np.bincount(cell, weight, minlength=shape[0] * shape[1] * shape[2]).reshape(shape).astype(float)


def both_orders(pairs: pd.DataFrame) -> pd.DataFrame:
    """Every pair as (first, second) and as (second, first), in the order of the coders."""
    other: Any = swapped(pairs).swaplevel("coder_1", "coder_2")
    other.index = other.index.set_names(pairs.index.names)
    both = pd.concat([pairs, other])
    index: Any = both.index
    names = [index.get_level_values(level).to_numpy(object) for level in ("coder_1", "coder_2")]
    rank, _ = pd.factorize(np.concatenate(names), use_na_sentinel=False)  # a coder may be called NaN
    places = np.split(rank, 2)[::-1]
    number, _ = pd.factorize(index.droplevel(["coder_1", "coder_2"]))  # group keys and the coefficient
    return both.iloc[np.lexsort((*places, number))]
