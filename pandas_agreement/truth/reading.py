"""From a reading of the user's frame to ballots: gold labels, given probabilities, weights and coders by group."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import is_hashable

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.category_counts import renumber
from pandas_agreement.core.ratings import Labels, LongRatings
from pandas_agreement.data import Reading
from pandas_agreement.data.labels import encode
from pandas_agreement.data.reading import columns_of
from pandas_agreement.errors import InputError, counted, needs_coders, shown, wrong_value
from pandas_agreement.options import is_number
from pandas_agreement.truth.kernels.ballots import Ballots
from pandas_agreement.truth.settings import Settings

MAX_MODEL_CATEGORIES = 50  # categories that nobody declared; more are probably no categories
SUM_ERROR = 1e-6  # of given probabilities
GOLD = "(gold)"  # the column of gold labels beside the keys of items


@dataclass(frozen=True, eq=False)
class Cast:
    """The data of one fit. Items are those of the reading; ballots hold those with a label."""

    reading: Reading
    labelled: Array  # (I,) of bool
    gold: Array  # (I,) the known category, or -1
    ballots: Ballots | None  # None for counts

    @property
    def group(self) -> Array:
        """Group of each item: (I,)."""
        return self.reading.ratings.item_group

    @property
    def n_groups(self) -> int:
        return self.reading.ratings.n_groups


def cast(reading: Reading, frame: pd.DataFrame, settings: Settings) -> Cast:
    """Read gold labels and given probabilities, and number the coders through all groups."""
    reading, gold = _with_gold(reading, frame, settings.gold)
    ratings = reading.ratings
    if not settings.is_vote:
        _check_categories(reading, settings)
    if not ratings.identified:
        _check_plain_vote(settings)
        return Cast(reading, ratings.sizes > 0, gold, None)
    long = ratings.as_long().by_item
    labelled = np.zeros(long.n_items, bool)
    labelled[long.item] = True
    _check_two_coders(reading.coders)
    prior = _given_prior(reading, frame, settings.prior) if isinstance(settings.prior, pd.DataFrame) else None
    ballots = _ballots(long, labelled, gold, prior)
    return Cast(_light(reading, long), labelled, gold, ballots)


def _light(reading: Reading, long: LongRatings) -> Reading:
    """The reading without its labels, which the ballots hold."""
    none = np.zeros(0, np.int64)
    items = LongRatings(
        long.n_coders, long.n_categories, long.n_groups, long.group, None, Labels(none, none, none), long.n_items
    )
    return replace(reading, ratings=items, clusters=None, read_together=None)


def _check_plain_vote(settings: Settings) -> None:
    """Raise for a method that has to know who gave which label."""
    if not settings.is_vote:
        raise needs_coders(f"method={settings.method!r}", "use method='majority'")
    if settings.weights is not None:
        raise needs_coders("weights=", "leave them out")


def _check_two_coders(coders: Sequence[Hashable]) -> None:
    if len(coders) < 2:
        got = ", ".join(map(shown, coders)) or "none"
        problem = f"a consensus needs at least two coders, and got {got if got == 'none' else 'only ' + got}"
        raise InputError(problem, "the labels of a single coder need no consensus", code="too few coders")


def _check_categories(reading: Reading, settings: Settings) -> None:
    """Raise for a model of labels that are many and that nobody declared, such as numbers with fractions."""
    K = len(reading.category_set)
    if K > MAX_MODEL_CATEGORIES and not (reading.category_set.declared or reading.listed):
        problem = f"method={settings.method!r} estimates error rates between categories, and there are {K} labels"
        remedy = "list them with categories=[...] if all of them are categories, or use method='majority'"
        raise InputError(problem, remedy, option="method", code="too many categories")


def _ballots(long: LongRatings, labelled: Array, gold: Array, prior: Array | None) -> Ballots:
    items = np.flatnonzero(labelled)
    place = np.cumsum(labelled) - 1
    group = long.item_group[items]
    key = long.coder if long.group is None else long.group[long.item] * np.int64(long.n_coders) + long.coder
    pair, used = renumber(key, long.n_groups * long.n_coders)
    pair_group, used = used // max(long.n_coders, 1), used % max(long.n_coders, 1)
    narrow = np.min_scalar_type(-max(long.n_categories, 1))
    return Ballots(
        item=place[long.item].astype(np.int32),
        pair=pair.astype(np.int32),
        code=long.code.astype(narrow),
        group=group,
        pair_group=pair_group,
        pair_coder=used,
        gold=gold[items],
        n_categories=long.n_categories,
        n_groups=long.n_groups,
        prior=None if prior is None else prior[:, items],
    )


# --------------------------------------------------------------------------------------------------------------- gold


def gold_column(frame: pd.DataFrame, gold: Any) -> Hashable:
    """The column that `gold=` names, or None for a Series."""
    if gold is None or isinstance(gold, pd.Series):
        return None
    if not is_hashable(gold):
        raise wrong_value("gold", gold, "must be the name of a column, or a Series of labels by item")
    columns_of(frame, [gold])
    return gold


def _with_gold(reading: Reading, frame: pd.DataFrame, gold: Any) -> tuple[Reading, Array]:
    """The reading with the gold labels among its categories, and the code of each item's: (I,)."""
    n_items = reading.ratings.n_items
    if gold is None:
        return reading, np.full(n_items, -1)
    named = gold_column(frame, gold) is not None
    labels = _by_item(reading, frame, frame[gold] if named else gold, gold if named else None)
    (places, codes), category_set = _joined(reading, labels, gold if named else "gold")
    same = len(category_set) == len(reading.category_set) and (places == np.arange(len(places))).all()
    ratings: Any = reading.ratings if same else reading.ratings.recode(places, len(category_set))
    return replace(reading, ratings=ratings, category_set=category_set), codes.astype(np.int64)


def _joined(reading: Reading, labels: pd.Series, name: Hashable) -> Any:
    """Codes of the categories and of the gold labels among both; declared categories stay as they are."""
    known = reading.category_set
    plain = labels.astype(object) if isinstance(labels.dtype, pd.CategoricalDtype) else labels
    declared = known.labels.tolist() if known.declared else None
    codes, category_set = encode([known.as_column(), plain], ["labels", name], declared)
    return codes, replace(category_set, ordered=known.ordered, labels=known.labels) if declared else category_set


def _by_item(reading: Reading, frame: pd.DataFrame, gold: pd.Series, name: Hashable) -> pd.Series:
    """The gold label of each item, in the order of the reading."""
    if reading.rows is not None:
        if name is None:
            gold = _aligned(gold, frame.index, "gold")
        return gold.iloc[reading.rows].reset_index(drop=True)
    items = reading.items
    if items is None:
        raise InputError("gold= needs items, and these data have none", option="gold", code="no items")
    if name is None:
        return _of_names(gold, items, frame, "gold").reset_index(drop=True)
    return _of_rows(reading, frame, name, items)


def _aligned(values: Any, index: pd.Index, option: str) -> Any:
    """A Series or frame by the frame's index, which must be unique."""
    if not index.is_unique:
        problem = f"{option}= is matched by the frame's index, which repeats {shown(index[index.duplicated()][0])}"
        raise InputError(
            problem, f"add {option} as a column, or use df.reset_index()", option=option, code="repeated name"
        )
    _check_names(values, index, option)
    return values.reindex(index)


def _check_names(values: Any, index: pd.Index, option: str) -> None:
    if not values.index.is_unique:
        repeated = values.index[values.index.duplicated()][0]
        raise InputError(f"{option}= has two entries for item {shown(repeated)}", "keep one", option=option)
    unknown = values.index.difference(index, sort=False)
    if len(unknown):
        problem = (
            f"{option}= has {counted(len(unknown), 'item', 'items')} that the data lack, such as {shown(unknown[0])}"
        )
        raise InputError(problem, "match it to the items", option=option, code="unknown item")


def _of_names(values: Any, items: Any, frame: pd.DataFrame, option: str) -> Any:
    """A Series or frame by the names of items; an item in several groups has the same values in all of them."""
    known = items.unique() if items.name not in frame.columns else pd.Index(frame[items.name].dropna().unique())
    _check_names(values, known, option)
    return values.reindex(items)


def _of_rows(reading: Reading, frame: pd.DataFrame, name: Hashable, items: pd.Index) -> pd.Series:
    """A column of long data, the same within the item where it is not missing."""
    group = reading.ratings.group
    index = items.to_frame(index=False)
    if reading.groups is not None and group is not None:
        index = pd.concat([reading.groups.take(group).to_frame(index=False), index], axis=1)
    keys = [key for key in index.columns if key in frame.columns]
    rows = frame[keys].assign(**{GOLD: frame[name]})[frame[name].notna()].drop_duplicates()
    twice = rows.duplicated(keys)
    if twice.any():
        first = rows[twice].iloc[:1]
        names = first[[key for key in items.names if key in keys]].iloc[0].tolist()
        item = names[0] if len(names) == 1 else tuple(names)
        both = rows.merge(first[keys], on=keys)[GOLD].tolist()
        problem = f"item {shown(item)} has two gold labels, {shown(both[0])} and {shown(both[1])}"
        raise InputError(problem, "give every item one", option="gold", column=name, code="two gold labels")
    found = index[keys].merge(rows, on=keys, how="left")[GOLD]
    dtype = frame[name].dtype
    return found.astype(dtype) if isinstance(dtype, pd.CategoricalDtype) else found


# ---------------------------------------------------------------------------------------------- given probabilities


def _given_prior(reading: Reading, frame: pd.DataFrame, prior: pd.DataFrame) -> Array:
    """Probabilities of the categories of every item: (K, I)."""
    labels = reading.category_set.labels
    missing = [label for label in labels if label not in prior.columns]
    extra = [label for label in prior.columns if label not in labels]
    if missing or extra:
        problem = (
            f"prior= has no column for the category {shown(missing[0])}"
            if missing
            else (f"prior= has a column {shown(extra[0])}, which is no category of the labels")
        )
        remedy = "it needs one column per category" if missing else "list all categories with categories=[...]"
        raise InputError(problem, remedy, option="prior", code="unknown label")
    if not prior.columns.is_unique:
        twice = shown(prior.columns[prior.columns.duplicated()][0])
        raise InputError(f"prior= has two columns {twice}", "keep one", option="prior", code="repeated name")
    table = prior[labels.tolist()].set_axis(range(len(labels)), axis=1)
    try:
        table = table.astype(float)
    except (TypeError, ValueError):
        problem = "prior= has cells that are no numbers"
        raise InputError(problem, "it needs a probability for each item and category", option="prior") from None
    if reading.rows is not None:
        table = _aligned(table, frame.index, "prior").iloc[reading.rows]
    else:
        table = _of_names(table, reading.items, frame, "prior")
    values = table.to_numpy()
    lost = np.isnan(values).any(1)
    if lost.any():
        item = table.index[int(lost.argmax())]
        raise InputError(
            f"prior= has no probabilities for item {shown(item)}", "every item needs a row", option="prior"
        )
    bad = (values < 0).any(1) | (np.abs(values.sum(1) - 1) > SUM_ERROR)
    if bad.any():
        item = table.index[int(bad.argmax())]
        problem = f"the probabilities of item {shown(item)} in prior= are not 0 to 1 with sum 1"
        raise InputError(problem, "divide them by their sum", option="prior")
    return values.T.copy()


def coder_weights(reading: Reading, ballots: Ballots, weights: Any) -> Array:
    """The weight of each coder's vote: (P,)."""
    table = pd.Series(weights)
    if not table.index.is_unique:
        raise InputError(
            f"weights= names coder {shown(table.index[table.index.duplicated()][0])} twice", option="weights"
        )
    known = table.to_dict()
    for name in [reading.coders[coder] for coder in np.unique(ballots.pair_coder)]:
        if name not in known:
            raise InputError(
                f"weights= has no weight for coder {shown(name)}", "every coder needs one", option="weights"
            )
    given = [known.get(name, np.nan) for name in reading.coders]
    numbers = all(is_number(value) for value in given)
    values = np.array(given if numbers else [np.nan] * len(given), dtype=float)[ballots.pair_coder]
    if not (np.isfinite(values) & (values >= 0)).all():
        raise InputError("weights= must be finite numbers of 0 or more", option="weights")
    if len(values) and not values.any():
        raise InputError("weights= are 0 for all coders, so no vote counts", option="weights")
    return values
