"""Confusion tables of two coders, or of one coder and all others, and the marginal distribution of each coder."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.breakdown.coders import CoderSums, index_parts, remarks_on
from pandas_agreement.breakdown.details import swapped
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.contingency import distinct
from pandas_agreement.core.pairs import pair_up
from pandas_agreement.core.selection import keep
from pandas_agreement.core.sums import divide
from pandas_agreement.data import Reading
from pandas_agreement.errors import ColumnError, InputError
from pandas_agreement.hypothesis_tests import margins as homogeneity
from pandas_agreement.results import frames, schemas

MAX_CELLS = 250_000_000  # of a table, 8 bytes each


def confusion(reading: Reading, given: Sequence[Hashable] = ()) -> pd.DataFrame:
    """Counts of the first coder's label (row) by the second's (column).

    `given` are the coders that were named: unless these are two, the first is compared with all others.
    """
    if not given and len(reading.coders) != 2:
        problem = f"confusion compares two coders, or one with all others, and got {len(reading.coders)}"
        remedy = "name them, as in confusion('ann', 'bob') or confusion('ann')"
        raise InputError(problem, remedy, code="too many coders")
    ratings, _ = keep(reading.ratings, "pairable", reading.coders)
    pairs = pair_up(ratings)
    G = ratings.n_groups
    _check_size(G, ratings.n_categories)
    names: tuple[Hashable, Hashable] = (reading.coders[0], reading.coders[-1]) if reading.coders else (None, None)
    if len(given) in (0, 2):
        table = pairs.tables(G, np.ones(len(pairs.owner), bool), np.int64)
    else:
        one = given[0]
        if one not in reading.coders:
            raise ColumnError.missing(one, reading.coders, "coder")
        names, coder = (one, "others"), list(reading.coders).index(one)
        table = pairs.tables(G, pairs.first == coder, np.int64)
        table = table + pairs.tables(G, pairs.second == coder, np.int64).transpose(0, 2, 1)
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


def margins(reading: Reading, missing: str, level: float | None = 0.95) -> pd.DataFrame:
    """One row per group, coder and category: how often the coder chose it, beside the others of the same items."""
    kept = replace(reading, ratings=keep(reading.ratings, missing, reading.coders)[0])
    sums = CoderSums(distinct(kept.ratings, coders=True).as_long())
    here = sums.present  # (G, C)
    mean = divide(sums.shares.sum(1), here.sum(1)[:, None])[:, None]
    found = sums.beyond_others()
    unknown = np.full(sums.shape, np.nan)
    low, high = (unknown, unknown) if level is None else found.limits(level, -1.0, 1.0)
    p = np.where(here[..., None], found.p_value(0.0), np.nan)
    columns: dict[str, Array] = {
        "estimate": found.value,
        "ci_low": low,
        "ci_high": high,
        "se": found.se,
        "share": sums.shares,
        "others": sums.shares_of_others(),
        "mean_share": mean,
        "difference": sums.shares - mean,
        "p_value": p,
        "p_holm": homogeneity.holm(p.reshape(len(p), p.shape[1] * p.shape[2])).reshape(p.shape),
        "n_labels": sums.totals,
        "n_items": sums.n_shared[..., None],
    }
    flat = {name: np.broadcast_to(values, sums.shape)[here].ravel() for name, values in columns.items()}
    flat |= remarks_on(flat["n_items"])
    groups, names = index_parts(reading, sums)
    K = sums.shape[-1]
    labels = frames.Repeated(reading.category_set.labels, np.tile(np.arange(K), len(names)))
    coders = pd.Index(names, tupleize_cols=False).repeat(K)
    keys = None if groups is None else groups.repeat(K)
    return frames.result(frames.index_of(keys, {"coder": coders, "category": labels}), flat, schemas.MARGINS)


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
