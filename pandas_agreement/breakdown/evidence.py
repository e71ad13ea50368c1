"""What the rules of `diagnose` look at: the frames about one data set, each computed on first use."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.breakdown.bad_data import coded, far_values, labels_of, missing_codes, numbers_of, without
from pandas_agreement.breakdown.bland_altman import counted_scores
from pandas_agreement.breakdown.camps import COLUMNS, LEVEL, FoundCamps, two_camps
from pandas_agreement.breakdown.categories import by_category
from pandas_agreement.breakdown.coder_scores import coders_of_scores
from pandas_agreement.breakdown.coder_tests import (
    coder_tests,
    score_tests_of_coders,
    sole_users,
    usage_tests,
    usual_labels,
)
from pandas_agreement.breakdown.coders import coders
from pandas_agreement.breakdown.confusion import margins
from pandas_agreement.breakdown.marginal_tests import MAX_CATEGORIES, marginal_tests
from pandas_agreement.breakdown.scales import Kind, is_crowd
from pandas_agreement.coefficients.category import logit_interval
from pandas_agreement.coefficients.numeric.icc import Design
from pandas_agreement.coefficients.registry import find
from pandas_agreement.core.distances import Distance
from pandas_agreement.core.patterns import distinct
from pandas_agreement.core.ratings import Ratings
from pandas_agreement.core.sums import divide
from pandas_agreement.data import Reading
from pandas_agreement.data.reading import scores_of
from pandas_agreement.engine import distance_for, measure
from pandas_agreement.formatting import coefficient_name, weights_name
from pandas_agreement.hypothesis_tests.weak_categories import CategoryTests
from pandas_agreement.options import ONE_WORD, Missing, Options

SCALE = (*ONE_WORD, "sep")  # options of the distance between labels


class Evidence:
    """The frames that the rules use, each computed on first use; group keys are columns.

    `reading` holds the items that count and `missing` is the rule for them; `whole` holds all items. `options` have the
    level of the labels, and `kind` is what they are. `other` is the evidence at another level, if it is open which one
    is right.
    """

    main = "alpha"

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
        self.keys = [] if reading.groups is None else list(reading.groups.names)
        self.identified = reading.ratings.identified
        self._picked: dict[str, pd.DataFrame] = {}

    @cached_property
    def summary(self) -> pd.DataFrame:
        """One row per group and coefficient."""
        names = ["observed", "alpha", "ac1", *(["kappa"] if self.identified else [])]
        names = names if self.options.nominal else ["alpha"]
        return measure(self.reading, [find(name) for name in names], self.options).reset_index()

    @cached_property
    def title(self) -> str:
        """The main coefficient in a sentence."""
        found = self.pick(self.main)["weights"]
        level = weights_name(found.iloc[0]) if len(found) and not self.options.nominal else ""
        return f"alpha ({level} level)" if level else "alpha"

    @cached_property
    def distance(self) -> Distance | None:
        """How far labels are apart; None if they are only equal or not."""
        if self.options.nominal:
            return None
        return distance_for(find("alpha"), self.reading, self.options)

    @cached_property
    def categories(self) -> pd.DataFrame:
        return by_category(self.reading, ["rate"], Options(missing=self.missing)).reset_index()

    @cached_property
    def limits(self) -> pd.DataFrame:
        """The categories with upper limits of their rates (at `LEVEL` for all of them together) and of their kappas."""
        rows, n_categories = self.categories, len(self.reading.category_set.labels)
        ratings = self.reading.ratings
        shape = ratings.n_groups, len(rows) // max(ratings.n_groups, 1)  # (G, K)
        labels = rows["n_labels"].to_numpy(float).reshape(shape)
        paired = several(ratings)[:, None]
        share = divide(labels, labels.sum(1, keepdims=True)).ravel()
        size = divide(labels.sum(1, keepdims=True), paired).repeat(labels.shape[1])  # labels per item
        high, alone = (_highest_rate(rows, size, LEVEL / n) for n in (max(n_categories, 2), 1))
        kappas = {"kappa": _kappa(rows["estimate"].to_numpy(float), share), "kappa_high": _kappa(alone, share)}
        return rows.assign(share=share, high=high, **kappas)

    @cached_property
    def coders(self) -> pd.DataFrame:
        return coders(self.reading).reset_index()

    @cached_property
    def found_camps(self) -> FoundCamps | None:
        return two_camps(self.reading) if self.identified and self.kind not in ("sets", "scores") else None

    @cached_property
    def camps(self) -> pd.DataFrame:
        """Two camps of coders and their test: one row per group that has them."""
        found = self.found_camps
        if found is None:
            return pd.DataFrame(columns=[*self.keys, *COLUMNS])
        return found.tests.reset_index() if self.keys else found.tests

    @cached_property
    def coder_tests(self) -> pd.DataFrame:
        return coder_tests(self.reading, self.distance, self.found_camps).reset_index()

    @cached_property
    def usual_labels(self) -> pd.DataFrame:
        return usual_labels(self.reading).reset_index()

    @cached_property
    def usage(self) -> pd.DataFrame:
        """Coders, or camps, who use a category more or less often than the others."""
        if self.kind == "sets" or not 0 < self.reading.ratings.n_categories <= MAX_CATEGORIES:
            return pd.DataFrame(columns=[*self.keys, "coder", "category", "points", "p_holm", "n_items", "of_camp"])
        return usage_tests(self.reading, self.found_camps).reset_index()

    @cached_property
    def category_tests(self) -> CategoryTests:
        return CategoryTests(distinct(self.reading.ratings, coders=False))

    @cached_property
    def below_others(self) -> pd.DataFrame:
        """Each category against the others: one row per group and category."""
        return self._of_groups({name: values.ravel() for name, values in self.category_tests.below_others().items()})

    def _of_groups(self, columns: dict[str, np.ndarray]) -> pd.DataFrame:
        """A row per group and category."""
        ratings, labels = self.reading.ratings, self.reading.category_set.labels
        group, code = np.divmod(np.arange(ratings.n_groups * len(labels)), max(len(labels), 1))
        return self._frame(group, {"code": code, "category": labels.take(code).array} | columns)

    def _frame(self, group: np.ndarray, columns: dict[str, Any]) -> pd.DataFrame:
        """Columns with the keys of the groups with these numbers."""
        if self.reading.groups is None:
            return pd.DataFrame(columns | {"_group": group})
        return pd.DataFrame(columns | {"_group": group}, index=self.reading.groups.take(group)).reset_index()

    @cached_property
    def confused(self) -> pd.DataFrame:
        """Pairs of categories that may be confused."""
        found, labels = self.category_tests.confused(), self.reading.category_set.labels
        named = {name: labels.take(found[side]).array for name, side in (("first", "one"), ("second", "two"))}
        return self._frame(found.pop("group"), found | named)

    @cached_property
    def _labels(self) -> tuple[list[Any], np.ndarray]:
        """The labels that were given, and how often."""
        return labels_of(self._labelled.ratings, self._labelled.category_set.labels)

    @cached_property
    def _labelled(self) -> Reading:
        """The reading, of scores with their values."""
        if self.kind != "scores":
            return self.reading
        return replace(self.reading, ratings=scores_of(self.reading, "diagnose"))

    @cached_property
    def _codes(self) -> list[int]:
        """Places of labels that may be codes for a missing label."""
        if self.kind == "scores":
            return np.flatnonzero(coded(np.asarray(self._labels[0]), among_words=False)).tolist()
        return missing_codes(self._labels[0])

    @cached_property
    def suspects(self) -> pd.DataFrame:
        """Labels that may be codes for a missing label, of all groups together, with alpha with and without them."""
        labels, number = self._labels
        found = [labels[place] for place in self._codes]
        plain = [int(label) if isinstance(label, float) and label.is_integer() else label for label in found]
        rows = pd.DataFrame({"label": pd.Series(plain, dtype=object), "n_labels": number[self._codes]})
        rows["with_it"] = [self._alpha_without(None, -1)] * len(rows) if len(rows) else []
        rows["without_it"] = [self._alpha_without(labels[place], place) for place in self._codes]
        return rows

    def _alpha_without(self, label: Any, place: int) -> float:
        """The main coefficient of all groups together without a label."""
        left = without(self._labelled, label, place)
        return float(measure(left, [find(self.main)], self.options.but(ci=None))["estimate"].iloc[0])

    @cached_property
    def far_values(self) -> list[Any]:
        labels = self._labels[0]
        numbers = np.asarray(labels) if self.kind == "scores" else numbers_of(labels)
        return [labels[place] for place in far_values(numbers, self._codes)]

    @cached_property
    def sole_users(self) -> pd.DataFrame:
        return sole_users(self.reading).reset_index()

    @cached_property
    def margins(self) -> pd.DataFrame:
        return margins(self.reading, "all", None)[["n_labels", "mean_share"]].reset_index()

    @cached_property
    def tests(self) -> pd.DataFrame:
        name = "mcnemar" if len(self.reading.category_set.labels) == 2 else "stuart_maxwell"
        return marginal_tests(self.reading, [name]).reset_index()

    @cached_property
    def sizes(self) -> pd.DataFrame:
        """The number of items with no, one or more labels: one row per group."""
        ratings = self.whole.ratings
        columns = {
            "none": ratings.sum((ratings.sizes == 0).astype(float)),
            "one": ratings.sum((ratings.sizes == 1).astype(float)),
            "more": several(ratings),
        }
        frame = pd.DataFrame(columns, index=self.whole.groups)
        return frame.reset_index() if self.keys else frame

    @cached_property
    def levels(self) -> pd.DataFrame:
        """The test of equal means: one row per group."""
        return level_tests(self.reading, self.missing).reset_index()

    @cached_property
    def untested(self) -> pd.DataFrame:
        """The least gap of a coder that would hardly be missed, of groups with some disagreement: one row per group."""
        ratings = self.reading.ratings
        two = ratings.sum((ratings.sizes == 2).astype(float))
        columns = {"two": two, "more": several(ratings), "n_coders": ratings.active_coders()}
        rows = self._frame(np.arange(ratings.n_groups), columns)
        if not self.identified:
            return rows.assign(missed=np.nan)[ratings.sum(ratings.disagreement) > 0]
        tests, keys = self.coder_tests.assign(_all=0), self.keys or ["_all"]
        grouped = tests.groupby(keys, sort=False, dropna=False, observed=True)
        found = grouped.agg({"missed": "min", "differs": "any"}).reset_index()
        rows = rows.assign(_all=0).merge(found, on=keys, how="left")
        return rows[rows["differs"].eq(True)]

    @cached_property
    def varied(self) -> np.ndarray:
        """Items with a label other than the most frequent one of their group: (G,)."""
        ratings, counts = self.reading.ratings, self.reading.ratings.counts
        paired = np.where(ratings.sizes > 1, ratings.weights, 0.0)
        totals = counts.total(paired, ratings.group, ratings.n_groups)
        usual = (np.arange(totals.shape[1]) == np.argsort(-totals, 1, "stable")[:, :1]).astype(float)
        return ratings.sum(((ratings.sizes > 1) & (counts.dot(usual, ratings.group) < ratings.sizes)).astype(float))

    def items(self, rows: pd.DataFrame, keys: list[Any]) -> Any:
        """The number of items behind each row: its own, or those of its group with two labels or more."""
        if "n_items" in rows:
            return rows["n_items"]
        if not keys:
            return int(self.sizes["more"].sum())
        return rows[keys].merge(self.sizes, on=keys, how="left")["more"].to_numpy()

    def pick(self, coefficient: str) -> pd.DataFrame:
        """The rows of one coefficient: one per group, with the number of items that vary."""
        if coefficient not in self._picked:
            rows = self.summary[self.summary["coefficient"] == coefficient].reset_index(drop=True)
            self._picked[coefficient] = rows.assign(varied=self.varied)
        return self._picked[coefficient]


class ScoreEvidence(Evidence):
    """The frames about scores: the intraclass correlation, the tests of coders, and their levels."""

    def __init__(self, reading: Reading) -> None:
        self.scores = scores_of(reading, "diagnose")
        super().__init__(replace(reading, ratings=self.scores), "scores")
        self.main = "icc_1" if is_crowd(self.scores.n_coders, self.scores.sizes) else "icc_a1"

    @cached_property
    def title(self) -> str:
        return coefficient_name(find(self.main))

    @cached_property
    def summary(self) -> pd.DataFrame:
        return measure(self.reading, [find(self.main)], self.options).reset_index()

    @cached_property
    def varied(self) -> np.ndarray:
        return several(self.scores)

    @cached_property
    def coder_tests(self) -> pd.DataFrame:
        return score_tests_of_coders(self.reading, self.scores).reset_index()

    @cached_property
    def coders(self) -> pd.DataFrame:
        return coders_of_scores(self.reading, self.scores).reset_index()


def several(ratings: Ratings) -> np.ndarray:
    """Items with two or more labels: (G,)."""
    return ratings.sum((ratings.sizes > 1).astype(float))


def _highest_rate(rows: pd.DataFrame, size: np.ndarray, level: float) -> np.ndarray:
    """One-sided upper limit of the rate of each category; only the items that hold it inform about it.

    A rate may rest on few items that all coders give the category, and a sample may miss them all: having seen none
    does not contradict -log(2 level) such items.
    """
    rate, se, n = (rows[name].to_numpy(float) for name in ("estimate", "se", "n_items"))
    high = logit_interval(rate, se, n, n, 1 - 2 * level)[1]
    unseen = -np.log(2 * level) * size / np.maximum(rows["n_labels"].to_numpy(float), 1)
    specific = np.minimum(2 * rate / (1 + rate) + unseen, 1.0)
    return np.maximum(high, specific / (2 - specific))


def _kappa(rate: Any, share: Any) -> Any:
    """Agreement beyond chance on a category, from its rate and its share of the labels."""
    specific = 2 * rate / (1 + rate)
    return divide(specific - share, 1 - share)


def level_tests(reading: Reading, missing: str) -> pd.DataFrame:
    """The F test of equal means of the coders: one row per group."""
    scores = counted_scores(reading, "diagnose", missing)
    found = Design(scores).bias()
    columns = {
        "statistic": found.statistic,
        "p_value": found.p,
        "n_items": scores.sum((scores.sizes >= 2).astype(float)),
    }
    return pd.DataFrame(columns, index=reading.groups if reading.groups is not None else pd.RangeIndex(1))
