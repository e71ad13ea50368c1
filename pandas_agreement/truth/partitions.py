"""Votes on partitions that hold whole items: each is decided where it is, with what all of them have in common.

The categories of all partitions, on request also their shares and the weights of coders, are sums that are small.
Everything here runs on workers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.core.arrays import Array
from pandas_agreement.errors import heard, public, warn_once
from pandas_agreement.streaming.partial import Plan, remarks_on
from pandas_agreement.truth import views
from pandas_agreement.truth.fitting import Fit, weighted
from pandas_agreement.truth.kernels.votes import agreement_with_vote
from pandas_agreement.truth.partial_votes import PartialVotes, check_votes, combine_votes, in_row_order, vote_on
from pandas_agreement.truth.settings import Settings


@dataclass(frozen=True, eq=False)
class Whole:
    """What the vote on a partition has to know about all of them: names, and on request shares and weights."""

    names: PartialVotes  # without items
    shares: Array | None = None  # (G, K)
    weight: Array | None = None  # (G, C)


def names_of(part: PartialVotes) -> PartialVotes:
    """The categories, coders and groups of a partition, without its items."""
    none = np.zeros(0, np.int64)
    names, coder = part.names[:0], None if part.coder is None else none
    return replace(part, names=names, place=none, group=none, item=none, coder=coder, code=none, number=none)


@public
def whole_of(names: PartialVotes, plan: Plan, settings: Settings) -> Whole:
    """The names of all partitions, checked, with one warning about all of them."""
    warn_once(remarks_on(names, plan.options))
    check_votes(names, plan, settings)
    return Whole(names)


def agreements(part: PartialVotes, whole: Whole, plan: Plan, settings: Settings) -> Array:
    """Labels of each group and coder that equal the vote, and all labels: (2, G, C)."""
    found = _unweighted(part, whole, plan, settings)
    table = np.zeros((2, found.cast.n_groups, len(whole.names.coders)))
    at = found.ballots.pair_group, found.ballots.pair_coder
    table[0][at], table[1][at] = agreement_with_vote(found.ballots, found.counts), found.ballots.labels_of_pair
    return table


def with_weights(whole: Whole, tables: Sequence[Array]) -> Whole:
    """Each coder's vote weighs the share of labels that equal the vote."""
    right, n = np.sum(tables, axis=0)
    return replace(whole, weight=right / np.maximum(n, 1))


def share_sums(part: PartialVotes, whole: Whole, plan: Plan, settings: Settings) -> Array:
    """Sums over the items of the shares of each category, and in a last column the number of items: (G, K + 1)."""
    found = _vote(part, whole, plan, settings)
    n = np.bincount(found.cast.group[found.cast.labelled], minlength=found.cast.n_groups)[:, None]
    return np.hstack([found.shares * n, n])


def with_shares(whole: Whole, tables: Sequence[Array]) -> Whole:
    """How frequent each category is in all partitions."""
    total = np.sum(tables, axis=0)
    return replace(whole, shares=total[:, :-1] / np.maximum(total[:, -1:], 1))


def _among(part: PartialVotes, whole: Whole, plan: Plan) -> PartialVotes:
    """The partition in the numbering of all partitions."""
    joined = combine_votes([whole.names, part], plan)
    return joined if plan.long is None else in_row_order(joined)


def _unweighted(part: PartialVotes, whole: Whole, plan: Plan, settings: Settings) -> Fit:
    return vote_on(_among(part, whole, plan), plan, replace(settings, weights=None))


def _vote(part: PartialVotes, whole: Whole, plan: Plan, settings: Settings) -> Fit:
    """The fit of one partition."""
    if whole.weight is None:
        return replace(vote_on(_among(part, whole, plan), plan, settings), given_shares=whole.shares)
    equal = _unweighted(part, whole, plan, settings)
    weight = whole.weight[equal.ballots.pair_group, equal.ballots.pair_coder]
    return replace(weighted(equal.cast, settings, equal.ballots, equal.counts, weight), given_shares=whole.shares)


def _seed(settings: Settings) -> list[int]:
    return [settings.rng] if isinstance(settings.rng, int) else []


def vote_frame(
    part: PartialVotes, whole: Whole, plan: Plan, settings: Settings, number: int, dtype: Any = None
) -> pd.DataFrame:
    """The table of items of one partition; random ties are drawn by partition. `dtype` is that of numbers as labels."""
    if settings.ties == "random":
        settings = replace(settings, rng=np.random.default_rng([number, *_seed(settings)]))
    with np.errstate(all="ignore"), heard():
        table = views.items(_vote(part, whole, plan, settings), pd.DataFrame(index=part.names))
    return table.astype({"label": dtype}) if dtype in ("float64", "boolean") else table
