"""Category by category: of those who chose it, how many did so together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement import tidy
from pandas_agreement.coefficients.category import CATEGORY_METRICS, category_sums, logit_interval
from pandas_agreement.errors import choose, warn
from pandas_agreement.inference import t_quantile
from pandas_agreement.missing import keep
from pandas_agreement.ratings import Profiles, Ratings
from pandas_agreement.reading import Reading


def by_category(reading: Reading, metrics: Sequence[str], options: Mapping[str, Any]) -> pd.DataFrame:
    """A row a group, category and metric."""
    metrics = [metrics] if isinstance(metrics, str) else list(metrics)
    functions = [choose("metrics", metric, CATEGORY_METRICS) for metric in metrics]
    ratings, _ = keep(reading.ratings, options["missing"], reading.coders)
    sums = category_sums(ratings)
    level, shape = options["ci"], sums.n_items.shape
    nan = np.full(shape, np.nan)
    parts: dict[str, list[Any]] = {name: [] for name in ("estimate", "se", "ci_low", "ci_high")}
    for function in functions:
        value, se = function(sums)
        low = high = nan
        if level is not None:
            quantile = np.broadcast_to(t_quantile(sums.n_all - 1, level), shape)
            low, high = logit_interval(value, se, sums.n_items, quantile, level)
        for name, part in zip(parts, (value, nan if level is None else se, low, high), strict=True):
            parts[name].append(part)
    return _category_frame(reading, ratings, metrics, parts, sums.n_items, options)


def _category_frame(
    reading: Reading,
    ratings: Ratings,
    metrics: list[str],
    parts: Mapping[str, list[Any]],
    n_items: Any,
    options: Mapping[str, Any],
) -> pd.DataFrame:
    columns: dict[str, Any] = {name: np.stack(arrays, -1).ravel() for name, arrays in parts.items()}
    n, repeat, level = len(columns["estimate"]), len(metrics), options["ci"]
    labels = reading.universe.labels
    K = len(labels)
    undefined = np.isnan(columns["estimate"])
    columns |= {
        "observed": columns["estimate"],
        "expected": np.full(n, np.nan),
        "n_items": n_items.ravel().repeat(repeat),
        "n_coders": _coders_at_work(ratings).repeat(K * repeat),
        "n_categories": np.full(n, K),
        "weights": "nominal",
        "missing": options["missing"],
        "ci_method": "" if level is None else "logit",
        "ci_level": np.full(n, np.nan if level is None else level),
        "note": np.where(undefined, "nobody chose this category", "").astype(object),
    }
    groups = None if reading.groups is None else reading.groups.repeat(K)
    tiled = labels.take(np.tile(np.arange(K), ratings.n_groups))
    frame = tidy.result(tidy.row_index(groups, {"category": tiled}, metrics), columns)
    if undefined.any() and not reading.universe.declared and reading.groups is None:
        warn(f"{int(undefined.sum())} of {n} estimates are undefined (NaN): nobody chose this category")
    return frame


def _coders_at_work(ratings: Ratings) -> Any:
    if isinstance(ratings, Profiles):
        return np.full(ratings.n_groups, ratings.n_coders)
    return (ratings.coder_totals().sum(-1) > 0).sum(-1)
