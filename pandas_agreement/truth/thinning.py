"""How many labels per item are enough: the same method on fewer labels of the user's own data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.progress import bar_of
from pandas_agreement.core.ratings import number_within
from pandas_agreement.errors import needs_coders
from pandas_agreement.results import frames, schemas
from pandas_agreement.truth.fitting import Fit, fit, without_gold
from pandas_agreement.truth.kernels.ballots import Ballots

MAX_SWEEPS = 100  # with one label per item a model creeps on for thousands, and hardly a label changes


def thinned(whole: Fit, n_labels: Sequence[int], n_draws: int, rng: int | np.random.Generator | None) -> pd.DataFrame:
    """One row per number of labels (and group): how often the label stays the same, and is right on gold items."""
    cast = whole.cast
    if cast.ballots is None:
        raise needs_coders("thin", "use items or queue")
    hidden = without_gold(cast, np.ones(len(cast.gold), bool))  # the fits do not know the gold labels
    everything = whole if (cast.gold < 0).all() else fit(hidden, replace(whole.settings, progress=False))
    few_sweeps = replace(whole.settings, progress=False, max_iter=min(whole.settings.max_iter, MAX_SWEEPS))
    label, most = everything.label, cast.ballots.sizes.max(initial=0)
    source, G = np.random.default_rng(rng), cast.n_groups
    same, right, tied = (np.zeros((G, len(n_labels))) for _ in range(3))
    for column in bar_of(whole.settings.progress)(np.repeat(np.arange(len(n_labels)), n_draws)):
        ballots = _chosen(hidden.ballots or cast.ballots, n_labels[column], source)
        part = everything if n_labels[column] >= most else fit(replace(hidden, ballots=ballots), few_sweeps)
        same[:, column] += _by_group(whole, credit(part, label), label >= 0)
        right[:, column] += _by_group(whole, credit(part, cast.gold), cast.gold >= 0)
        tied[:, column] += _by_group(whole, part.tie.astype(float), cast.labelled)
    columns = {
        "same": same.ravel() / n_draws,
        "accuracy": right.ravel() / n_draws,
        "ties": tied.ravel() / n_draws,
        "n_items": np.repeat(np.bincount(cast.group[cast.labelled], minlength=G), len(n_labels)),
        "n_draws": np.full(G * len(n_labels), n_draws),
    }
    groups = None if cast.reading.groups is None else cast.reading.groups.repeat(len(n_labels))
    index = frames.index_of(groups, {"n_labels": np.tile(np.array(n_labels, np.int64), G)})
    return frames.result(index, columns, schemas.TRUTH_THINNED)


def _chosen(ballots: Ballots, number: int, source: np.random.Generator) -> Ballots:
    """At most so many labels of each item, drawn at random."""
    drawn = source.random(len(ballots.item))
    if number >= ballots.sizes.max(initial=0):
        return ballots
    order = np.argsort(ballots.item + 0.999 * drawn, kind="stable")  # at random within items, which ascend
    kept = np.zeros(len(order), bool)
    kept[order[number_within(ballots.item) < number]] = True
    return replace(ballots, item=ballots.item[kept], pair=ballots.pair[kept], code=ballots.code[kept])


def credit(part: Fit, target: Array) -> Array:
    """1 where the label is that of the target, a share of 1 where it ties with others, else 0: (I,)."""
    credit = ((part.label >= 0) & (part.label == target)).astype(float)
    open_ = np.flatnonzero(part.tie & (part.label < 0) & (target >= 0))
    if len(open_):
        place, code = part.leads(open_)
        hit = place[code == target[open_[place]]]
        credit[open_] = np.bincount(hit, minlength=len(open_)) / np.bincount(place, minlength=len(open_))
    return credit


def _by_group(whole: Fit, values: Array, counted: Array) -> Array:
    """Mean of the items of each group that count: (I,) -> (G,)."""
    group, n_groups = whole.cast.group[counted], whole.cast.n_groups
    n = np.bincount(group, minlength=n_groups)
    return np.where(n > 0, np.bincount(group, values[counted], minlength=n_groups) / np.maximum(n, 1), np.nan)
