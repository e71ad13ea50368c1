"""What the rules of `diagnose` look at: tables about one data set, each computed on first use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from pandas_agreement.breakdown.bad_data import coded, far_values, labels_of, missing_codes, numbers_of, without
from pandas_agreement.breakdown.camps import COLUMNS, LEVEL, FoundCamps, two_camps
from pandas_agreement.breakdown.categories import category_columns
from pandas_agreement.breakdown.coder_scores import ScoreSums, counted_scores
from pandas_agreement.breakdown.coder_tests import (
    coder_tests,
    score_tests_of_coders,
    sole_users,
    usage_tests,
    usual_labels,
)
from pandas_agreement.breakdown.coders import CoderSums
from pandas_agreement.breakdown.grouped_rows import ALL, GroupedRows, named
from pandas_agreement.breakdown.marginal_tests import MAX_CATEGORIES, test_of_pairs
from pandas_agreement.breakdown.scales import Kind, main_of_scores
from pandas_agreement.coefficients.category import logit_interval
from pandas_agreement.coefficients.numeric.icc import Design
from pandas_agreement.coefficients.registry import find
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.contingency import distinct
from pandas_agreement.core.distances import Distance
from pandas_agreement.core.pairs import pair_up
from pandas_agreement.core.progress import NO_BAR
from pandas_agreement.core.ratings import Ratings
from pandas_agreement.core.scores import Scores
from pandas_agreement.core.selection import keep
from pandas_agreement.core.sums import divide
from pandas_agreement.data import Reading
from pandas_agreement.data.reading import scores_of
from pandas_agreement.engine import distance_for, measure_each
from pandas_agreement.formatting import coefficient_name
from pandas_agreement.hypothesis_tests.category import CategoryTests
from pandas_agreement.options import ONE_WORD, Missing, Options
from pandas_agreement.results import schemas

SCALE = (*ONE_WORD, "sep")  # options of the distance between labels
OF_COEFFICIENT = ("estimate", "ci_low", "ci_high", "observed", "n_items", "weights", "remarks")
OF_CATEGORY = ("estimate", "se", "n_labels", "n_items", "p_holm")


class Evidence:
    """The tables that the rules use, each computed on first use; arrays are (G,) for groups of items.

    `reading` holds the items that count and `missing` is the rule for them; `whole` holds all items. `options` have the
    level of the labels, and `kind` is what they are. `other` is the evidence at another level, if it is open which one
    is right.
    """

    def __init__(
        self,
        reading: Reading,
        kind: Kind = "names",
        missing: Missing = "pairable",
        whole: Reading | None = None,
        options: Options | None = None,
        other: Evidence | None = None,
    ) -> None:
        self.reading, self.kind, self.missing, self.other = reading, kind, missing, other
        self.options = (Options() if options is None else options.only(*SCALE)).but(missing=missing)
        self.whole = reading if whole is None else whole
        self.labels = reading.category_set.labels
        self.groups = np.arange(reading.ratings.n_groups)
        self.identified = reading.ratings.identified

    # ------------------------------------------------------------------------------------------------ coefficients

    @property
    def main(self) -> str:
        if self.kind != "scores":
            return "alpha"
        return main_of_scores(self.scores)

    @cached_property
    def lead(self) -> GroupedRows:
        """The coefficient that has to be high enough: one row per group."""
        return self.pick(self.main)

    @property
    def title(self) -> str:
        """Its name."""
        credit = self.kind != "scores" and not self.options.nominal
        return coefficient_name(find(self.main), None, self.lead["weights"][0] if credit and len(self.lead) else "")

    @cached_property
    def coefficients(self) -> dict[str, GroupedRows]:
        """One row per group of each coefficient."""
        nominal = self.options.nominal and self.kind != "scores"
        names = ["observed", "alpha", "ac1", *(["kappa"] if self.identified else [])] if nominal else [self.main]
        blocks = measure_each(self.reading, [find(name) for name in names], self.options)
        return {name: self.rows_of(block.columns) for name, block in zip(names, blocks, strict=True)}

    def rows_of(self, columns: Mapping[str, Any]) -> GroupedRows:
        """A row per group from the columns of a coefficient."""
        return GroupedRows(self.groups, **_typed(columns, OF_COEFFICIENT))

    def pick(self, coefficient: str) -> GroupedRows:
        """The rows of one coefficient: one per group, with the number of items that vary."""
        return self.coefficients[coefficient].assign(varied=self.varied)

    @cached_property
    def distance(self) -> Distance | None:
        """How far labels are apart; None if they are only equal or not."""
        if self.options.nominal:
            return None
        return distance_for(find("alpha"), self.reading, self.options)

    @cached_property
    def varied(self) -> Array:
        """Items with a label other than the most frequent one of their group; of scores those with two or more."""
        ratings = self.reading.ratings
        if self.kind == "scores":
            return several(ratings)
        counts, paired = ratings.counts, np.where(ratings.sizes > 1, ratings.weights, 0.0)
        totals = counts.total(paired, ratings.group, ratings.n_groups)
        usual = (np.arange(totals.shape[1]) == np.argsort(-totals, 1, "stable")[:, :1]).astype(float)
        return ratings.sum(((ratings.sizes > 1) & (counts.dot(usual, ratings.group) < ratings.sizes)).astype(float))

    @cached_property
    def sizes(self) -> dict[str, Array]:
        """The number of items with no, one or more labels."""
        ratings = self.whole.ratings
        parts = {"none": ratings.sizes == 0, "one": ratings.sizes == 1, "more": ratings.sizes > 1}
        return {name: ratings.sum(chosen.astype(float)) for name, chosen in parts.items()}

    def items(self, rows: GroupedRows) -> Array:
        """The number of items behind each row: its own, or those of its group with two labels or more."""
        if "n_items" in rows:
            return rows["n_items"]
        more = self.sizes["more"]
        return np.append(more, more.sum())[rows.group]  # the last one is that of all groups

    # -------------------------------------------------------------------------------------------------- categories

    def of_categories(self, columns: Mapping[str, Array]) -> GroupedRows:
        """A row per group and category, from columns in that order."""
        group, code = np.divmod(np.arange(len(self.groups) * len(self.labels)), max(len(self.labels), 1))
        return GroupedRows(group, code=code, **{name: values.ravel() for name, values in columns.items()})

    @cached_property
    def categories(self) -> GroupedRows:
        columns = category_columns(self.reading, ["rate"], Options(missing=self.missing))[1]
        return self.of_categories(_typed(columns, OF_CATEGORY))

    @cached_property
    def limits(self) -> GroupedRows:
        """The categories with upper limits of their rates (at `LEVEL` for all of them together) and of their kappas."""
        rows, n_categories, ratings = self.categories, len(self.labels), self.reading.ratings
        labels = rows["n_labels"].astype(float).reshape(len(self.groups), n_categories)
        share = divide(labels, labels.sum(1, keepdims=True)).ravel()
        size = divide(labels.sum(1, keepdims=True), several(ratings)[:, None]).repeat(n_categories)  # labels per item
        high, alone = (_highest_rate(rows, size, LEVEL / n) for n in (max(n_categories, 2), 1))
        kappa, kappa_high = (_kappa(rate, share) for rate in (rows["estimate"], alone))
        return rows.assign(share=share, high=high, kappa=kappa, kappa_high=kappa_high)

    @cached_property
    def category_tests(self) -> CategoryTests:
        return CategoryTests(distinct(self.reading.ratings, coders=False))

    @cached_property
    def below_others(self) -> GroupedRows:
        """Each category against the others: one row per group and category."""
        return self.of_categories(self.category_tests.below_others())

    @cached_property
    def confused(self) -> GroupedRows:
        """Pairs of categories that are confused."""
        found = self.category_tests.confused()
        rows = GroupedRows(found.pop("group"), **found)
        return rows.where(rows["p_value"] < LEVEL)

    # ------------------------------------------------------------------------------------------------------ coders

    @cached_property
    def sums(self) -> CoderSums:
        return CoderSums(distinct(self.reading.ratings, coders=True).as_long())

    def of_coders(self, chosen: Array, **columns: Array) -> GroupedRows:
        """Some coders (G, C) of groups, with columns of the same shape."""
        coder = named(self.reading.coders, self.sums.coder_of[chosen])
        return GroupedRows(
            np.nonzero(chosen)[0], coder=coder, **{name: values[chosen] for name, values in columns.items()}
        )

    @cached_property
    def usual_labels(self) -> Array:
        """P that each coder's usual label is no more usual than with the others: (G, C)."""
        return usual_labels(self.sums)

    @cached_property
    def sole_users(self) -> Array:
        """P that one coder gives all labels of a category: (G, K)."""
        return sole_users(self.sums.ratings)

    @cached_property
    def found_camps(self) -> FoundCamps | None:
        return two_camps(self.reading) if self.identified and self.kind not in ("sets", "scores") else None

    @property
    def camps(self) -> GroupedRows:
        """Two camps of coders and their test: one row per group that has them."""
        nobody = GroupedRows([], **{name: [] for name in COLUMNS})
        return nobody if self.found_camps is None else self.found_camps.tests

    @cached_property
    def coder_tests(self) -> GroupedRows:
        if self.kind == "scores":
            return score_tests_of_coders(self.reading, self.scores)
        return coder_tests(self.reading, self.distance, self.found_camps)

    @cached_property
    def usage(self) -> GroupedRows:
        """Coders, or camps, who use a category more or less often than the others."""
        if self.kind == "sets" or not 0 < len(self.labels) <= MAX_CATEGORIES:
            return GroupedRows([])
        return usage_tests(self.reading, self.found_camps)

    @cached_property
    def tests(self) -> GroupedRows:
        """Of two coders, whether they use the categories at the same rates."""
        name = "mcnemar" if len(self.labels) == 2 else "stuart_maxwell"
        ratings, _ = keep(self.reading.ratings, "pairable", self.reading.coders)
        pairs = pair_up(ratings)
        names = (named(self.reading.coders, side) for side in (pairs.first, pairs.second))
        columns = _typed(test_of_pairs(name, pairs, ratings, NO_BAR), ("p_holm", "n_items"), schemas.TESTS)
        return GroupedRows(pairs.owner, **dict(zip(("coder_1", "coder_2"), names, strict=True)), test=name, **columns)

    @cached_property
    def untested(self) -> GroupedRows:
        """The least gap of a coder that would hardly be missed, of groups with some disagreement: one row per group."""
        ratings, G = self.reading.ratings, len(self.groups)
        two = ratings.sum((ratings.sizes == 2).astype(float))
        missed = np.full(G, np.nan)
        if self.identified:
            tests = self.coder_tests
            np.fmin.at(missed, tests.group, tests["missed"])
            differs = np.bincount(tests.group, tests["differs"], minlength=G) > 0
        else:
            differs = ratings.sum(ratings.disagreement) > 0
        n_coders = ratings.active_coders()
        return GroupedRows(self.groups, two=two, n_items=several(ratings), n_coders=n_coders, missed=missed).where(
            differs
        )

    # ---------------------------------------------------------------------------------------------------- bad data

    @cached_property
    def _labels(self) -> tuple[list[Any], Array]:
        """The labels that were given, and how often."""
        return labels_of(self._labelled.ratings, self._labelled.category_set.labels)

    @cached_property
    def _labelled(self) -> Reading:
        """The reading, of scores with their values."""
        return replace(self.reading, ratings=self.scores) if self.kind == "scores" else self.reading

    @cached_property
    def _codes(self) -> list[int]:
        """Places of labels that may be codes for a missing label."""
        if self.kind == "scores":
            return np.flatnonzero(coded(np.asarray(self._labels[0]), among_words=False)).tolist()
        return missing_codes(self._labels[0])

    @cached_property
    def suspects(self) -> GroupedRows:
        """Labels that may be codes for a missing label, of all groups together, with alpha with and without them."""
        labels, number = self._labels
        found = [labels[place] for place in self._codes]
        plain = [int(label) if isinstance(label, float) and label.is_integer() else label for label in found]
        left = np.array([self._alpha_without(labels[place], place) for place in self._codes])
        whole = self._alpha_without(None, -1) if found else np.nan
        return GroupedRows(
            [ALL] * len(found), label=plain, n_labels=number[self._codes], with_it=whole, without_it=left
        )

    def _alpha_without(self, label: Any, place: int) -> float:
        """The main coefficient of all groups together without a label."""
        left = without(self._labelled, label, place)
        return float(measure_each(left, [find(self.main)], self.options.but(ci=None))[0].columns["estimate"][0])

    @cached_property
    def far_values(self) -> list[Any]:
        labels = self._labels[0]
        numbers = np.asarray(labels) if self.kind == "scores" else numbers_of(labels)
        return [labels[place] for place in far_values(numbers, self._codes)]

    # ------------------------------------------------------------------------------------------------------ scores

    @cached_property
    def scores(self) -> Scores:
        return scores_of(self.reading, "diagnose")

    @cached_property
    def levels(self) -> GroupedRows:
        """The F test of equal means: one row per group."""
        return GroupedRows(self.groups, **level_tests(self.reading, self.missing))

    @cached_property
    def score_differences(self) -> GroupedRows:
        """Mean difference of each coder's scores from the others."""
        sums, coder = ScoreSums(self.scores), named(self.reading.coders, self.scores.cell_coder)
        return GroupedRows(self.scores.cell_owner, coder=coder, difference=sums.mean_difference(), shared=sums.n_shared)


def _typed(columns: Mapping[str, Any], names: tuple[str, ...], schema: Any = schemas.CATEGORY) -> dict[str, Any]:
    """Columns with the dtypes of a schema."""
    numbers = {name: columns[name] for name in names if schema[name][0] != "str"}
    return {name: columns[name] for name in names} | {n: np.asarray(v, schema[n][0]) for n, v in numbers.items()}


def several(ratings: Ratings) -> Array:
    """Items with two or more labels: (G,)."""
    return ratings.sum((ratings.sizes > 1).astype(float))


def _highest_rate(rows: GroupedRows, size: Array, level: float) -> Array:
    """One-sided upper limit of the rate of each category; only the items that hold it inform about it.

    A rate may rest on few items that all coders give the category, and a sample may miss them all: having seen none
    does not contradict -log(2 level) such items.
    """
    rate, se, n = (rows[name].astype(float) for name in ("estimate", "se", "n_items"))
    high = logit_interval(rate, se, n, n, 1 - 2 * level)[1]
    unseen = -np.log(2 * level) * size / np.maximum(rows["n_labels"].astype(float), 1)
    specific = np.minimum(2 * rate / (1 + rate) + unseen, 1.0)
    return np.maximum(high, specific / (2 - specific))


def _kappa(rate: Any, share: Any) -> Any:
    """Agreement beyond chance on a category, from its rate and its share of the labels."""
    specific = 2 * rate / (1 + rate)
    return divide(specific - share, 1 - share)


def level_tests(reading: Reading, missing: str) -> dict[str, Array]:
    """The F test of equal means of the coders: (G,) each."""
    scores = counted_scores(reading, "diagnose", missing)
    found = Design(scores).bias()
    return {"statistic": found.statistic, "p_value": found.p, "n_items": several(scores)}
