"""What a report rests on: one reading of the frame, and every result, each computed once, when it is first needed.

No section computes a coefficient by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import is_bool_dtype, is_numeric_dtype

from pandas_agreement import breakdown
from pandas_agreement.breakdown import scores as score_frames
from pandas_agreement.breakdown.diagnose import Evidence
from pandas_agreement.coefficients.registry import Coefficient, find
from pandas_agreement.core.missing import keep
from pandas_agreement.core.ratings import LongRatings, WideRatings
from pandas_agreement.core.sums import divide
from pandas_agreement.data import Reading
from pandas_agreement.engine import measure, measure_pairs
from pandas_agreement.errors import AgreementWarning
from pandas_agreement.formatting import cell, label_text, short
from pandas_agreement.interpret import SCALES, interpret
from pandas_agreement.options import Options

SCORE_METRICS = ("icc_a1", "icc_c1", "ccc", "alpha")
CROWD_METRICS = ("icc_1", "alpha")  # where every item has other coders
MAX_NUMERIC_CATEGORIES = 10  # different numbers; more of them are scores and not categories
DISTANCE = ("weights", "level", "scale", "period", "sep")  # options that say how far labels are apart
MAX_CODERS_LEFT_OUT = 20  # coders to leave out one by one
MIN_COMMON_ITEMS = 10  # items for a pair of coders or a group to be compared with others: two say nothing
INTERVAL = ("missing", "ci", "method", "sampling", "clusters", "expected")  # options that `diagnose` does not have
READING = {"by", "categories", "duplicates"}  # options that change no coefficient of what was read


def is_nominal(value: Any) -> bool:
    """Weights or a level without partial credit; they may also be a matrix."""
    return isinstance(value, str) and value == "nominal"


def are_scores(reading: Reading, options: Options) -> bool:
    """Whether labels are measurements: more than ten different numbers, unless the call says they are categories."""
    labels = reading.category_set.labels
    chosen = "level" in options.given and is_nominal(options.level)
    said = "weights" in options.given or chosen or reading.category_set.declared
    if said or reading.listed or not reading.ratings.identified or len(labels) <= MAX_NUMERIC_CATEGORIES:
        return False
    return is_numeric_dtype(labels.dtype) and not is_bool_dtype(labels.dtype)


def score_metrics(reading: Reading) -> tuple[str, ...]:
    """The coefficients of scores: many coders of whom each saw some items only are a crowd."""
    ratings = reading.ratings
    crowd = ratings.n_coders > MAX_CODERS_LEFT_OUT and bool((ratings.sizes < ratings.n_coders).any())
    return CROWD_METRICS if crowd else SCORE_METRICS


def ungrouped(reading: Reading) -> Reading:
    """All groups together."""
    if reading.groups is None:
        return reading
    return replace(reading, groups=None, ratings=replace(reading.ratings, group=None, n_groups=1))


def counted(reading: Reading, missing: str) -> Reading:
    """The items that count, where the rule leaves out items with two labels or more."""
    if missing != "complete":
        return reading
    ratings, kept = keep(reading.ratings, missing, reading.coders)
    return replace(reading, ratings=ratings, clusters=None if reading.clusters is None else reading.clusters[kept])


@dataclass(frozen=True)
class Asked:
    """What the user asked for."""

    records: Sequence[Coefficient]
    options: Options  # options of the coefficients, without `by`
    scores: bool  # labels are measurements
    sets: bool  # a cell holds several labels
    n: int  # rows of a table that may be cut
    words: str | None  # the benchmark scale
    pictures: bool
    item_metric: str = ""  # the coefficient by which items are ranked; empty: the main one
    within_groups: bool = False  # items are compared with those of their group


class ReportEvidence(Evidence):
    """What the rules of `diagnose` look at, as far as the report has it already: of all data, or of the groups."""

    def __init__(self, data: ReportData, whole: Reading) -> None:
        super().__init__(counted(whole, data.missing), data.missing, whole)
        self._data = data

    @cached_property
    def summary(self) -> pd.DataFrame:
        names = {"observed", "alpha", "ac1", *(["kappa"] if self.identified else [])}
        known = names <= {record.name for record in self._data.asked.records}
        if not known or not self._data.asked.options.given <= READING:
            return super().summary
        return (self._data.group_summary if self.keys else self._data.summary).reset_index()

    @cached_property
    def categories(self) -> pd.DataFrame:
        return super().categories if self.keys else self._data.rates.reset_index()

    @cached_property
    def coders(self) -> pd.DataFrame:
        return super().coders if self.keys else self._data.coder_table.reset_index()


class ReportData:
    """The results that a report shows.

    `read` is the frame as it was read, with its groups; `apart` says that these were asked for in the call, and then
    rows in no group count where all data are taken together. `roles` are the columns of item, coder and label, where a
    row is a judgment; `warned` is what was noted while reading.
    """

    def __init__(
        self,
        asked: Asked,
        frame: pd.DataFrame,
        read: Reading,
        apart: bool,
        roles: tuple[Hashable, Hashable, Hashable] | None = None,
        warned: Sequence[AgreementWarning] = (),
    ) -> None:
        self.asked, self.frame, self.roles, self.warned = asked, frame, roles, warned
        self.missing = asked.options.missing
        self._read, self._apart = read, apart
        self.whole = read.arranged(grouped=False) if apart else ungrouped(read)
        self.grouped = None if read.groups is None or not len(read.groups) else read

    @property
    def counted(self) -> Reading:
        """The items that count: all sections about where agreement breaks rest on them."""
        return self.evidence.reading

    @cached_property
    def evidence(self) -> Evidence:
        return ReportEvidence(self, self.whole)

    @cached_property
    def group_evidence(self) -> Evidence | None:
        return None if self.grouped is None else ReportEvidence(self, self.grouped)

    @property
    def identified(self) -> bool:
        return self.whole.ratings.identified

    @property
    def coders(self) -> list[Hashable]:
        return list(self.whole.coders)

    @cached_property
    def active(self) -> list[Hashable]:
        """The coders who labelled something; all of them if nobody did."""
        ratings = self.whole.ratings
        if isinstance(ratings, WideRatings):
            used = [place for place, codes in enumerate(ratings.codes) if (codes >= 0).any()]
        else:
            used = np.unique(ratings.coder).tolist() if isinstance(ratings, LongRatings) else []
        return [self.coders[place] for place in used] or self.coders

    @property
    def labels(self) -> pd.Index:
        return self.whole.category_set.labels

    @cached_property
    def _twins(self) -> frozenset[str]:
        """Texts that look like another label: '1' beside 1."""
        texts = Counter(map(label_text, self.labels))
        return frozenset(label for label in self.labels if isinstance(label, str) and texts[label_text(label)] > 1)

    def said(self, label: Any) -> str:
        """A label in a table; in quotation marks where it would look like another."""
        return short(repr(label)) if isinstance(label, str) and label in self._twins else cell(label)

    @property
    def keys(self) -> list[str]:
        """The names of the group keys."""
        groups = None if self.grouped is None else self.grouped.groups
        return [] if groups is None else [str(name) for name in groups.names]

    @property
    def nominal(self) -> bool:
        """Labels are the same or not, and nothing in between: what the findings of `diagnose` are about."""
        credit = not (is_nominal(self.asked.options.weights) and is_nominal(self.asked.options.level))
        return not (credit or self.asked.sets or self.asked.scores)

    @property
    def plain(self) -> bool:
        """What the report says about alpha is what `diagnose` says, which has no options."""
        return self.nominal and self.main.name == "alpha" and not set(INTERVAL) & self.asked.options.given

    # -------------------------------------------------------------------------------------------------- coefficients

    @cached_property
    def main(self) -> Coefficient:
        """The coefficient that the report speaks about first."""
        records = {record.name: record for record in self.asked.records}
        weighted = [record for record in records.values() if record.corrected and record.accepts("weights")]
        corrected = [record for record in records.values() if record.corrected]
        preferred = ("icc_a1", "icc_1", "alpha") if self.asked.scores else ("alpha",)
        first = [records[name] for name in preferred if name in records]
        if "weights" in self.asked.options.given:
            first = weighted
        return (first or corrected or list(records.values()))[0]

    @cached_property
    def summary(self) -> pd.DataFrame:
        """The coefficients of all data together."""
        return measure(self.whole, self.asked.records, self.asked.options)

    @cached_property
    def group_summary(self) -> pd.DataFrame:
        """The coefficients of each group."""
        return measure(self._read, self.asked.records, self.asked.options)

    @property
    def result(self) -> pd.DataFrame:
        """The coefficients, by group if there are groups."""
        return self.summary if self._read.groups is None else self.group_summary

    def result_of(self, records: Sequence[Coefficient]) -> pd.DataFrame:
        """Other coefficients, by group if there are groups."""
        return measure(self._read, records, self.asked.options)

    @property
    def by_group(self) -> pd.DataFrame:
        """The main coefficient of each group."""
        if self.grouped is None:
            return self.summary.iloc[:0]
        return self.group_summary[self.group_summary.index.get_level_values("coefficient") == self.main.name]

    def row(self, record: Coefficient) -> Any:
        return next(self.summary.loc[[record.name]].itertuples(index=False))

    @cached_property
    def rule(self) -> str:
        """Which items the main coefficient rests on; some of scores leave out all items with gaps."""
        gaps_left_out = self.main.needs_numbers and self.row(self.main).n_items < self.sizes["more"]
        return "complete" if gaps_left_out else self.missing

    def _distance(self) -> Options:
        return self.asked.options.only(*DISTANCE, "missing")

    def scale(self, record: Coefficient) -> str:
        """The benchmark scale for a coefficient; empty if there is none."""
        if record.needs_numbers:
            return (self.asked.words or "koo_li") if record.name.startswith("icc") or record.name == "ccc" else ""
        if not record.on_scale_of_kappa:
            return ""
        return self.asked.words or ("krippendorff" if self.asked.scores else "landis_koch")

    def words(self, result: pd.DataFrame) -> list[str]:
        """A word for each row of a result."""
        scales = [self.scale(find(name)) for name in result.index.get_level_values("coefficient")]
        estimates = result["estimate"].reset_index(drop=True)
        said = {scale: interpret(estimates, scale).astype(object) for scale in set(scales) & set(SCALES)}
        words = [said[scale][place] if scale else None for place, scale in enumerate(scales)]
        return ["" if pd.isna(word) else str(word) for word in words]

    # ------------------------------------------------------------------------------------------------- where it breaks

    @cached_property
    def rates(self) -> pd.DataFrame:
        """The rate of each category."""
        options = self.asked.options.only("missing", "ci")
        return breakdown.by_category(self.counted, ["rate"], options, self.asked.sets)

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """The main coefficient of each pair of coders."""
        options = self.asked.options.only(*DISTANCE, "missing", "ci")
        if options.missing == "all":  # items that one coder of a pair labelled say nothing about the pair
            options = options.without("missing")
        return measure_pairs(replace(self.counted, clusters=None), self.main, options)

    @cached_property
    def coder_table(self) -> pd.DataFrame:
        return breakdown.coders(self.counted)

    @cached_property
    def margins(self) -> pd.DataFrame:
        return breakdown.margins(self.counted, "pairable")

    @cached_property
    def confusion(self) -> pd.DataFrame:
        """The table of two coders."""
        return breakdown.confusion(self.counted)

    @cached_property
    def confused(self) -> pd.DataFrame:
        """Different labels of two coders for the same items: how often, and of how many."""
        counts = self.confusion.to_numpy()
        apart = np.where(np.eye(len(counts), dtype=bool), 0, counts)
        first, second = np.nonzero(apart)
        items = apart[first, second]
        columns = {"first": self.labels.take(first), "second": self.labels.take(second), "items": items}
        frame = pd.DataFrame(columns | {"share": items / max(items.sum(), 1)})
        return frame.sort_values("items", ascending=False, kind="stable")

    @cached_property
    def means(self) -> pd.DataFrame:
        """How many scores each coder gave, their mean and standard deviation, and by how much they differ from others.

        The largest difference first, that of few scores last.
        """
        values = score_frames.counted_scores(self.counted, "report", "all")
        others = divide((values.per_item(values.value)[values.item] - values.value), values.sizes[values.item] - 1.0)
        columns = {"score": values.value, "difference": values.value - others}
        grouped = pd.DataFrame(columns).groupby(values.coder)
        score, difference = grouped["score"], grouped["difference"]
        frame = pd.DataFrame({"n": score.size(), "mean": score.mean(), "sd": score.std(), "shared": difference.count()})
        frame["difference"] = difference.mean()
        names = pd.Index([self.coders[int(code)] for code in frame.index], name="coder", tupleize_cols=False)
        order = np.lexsort((-frame["difference"].abs().to_numpy(), frame["shared"].to_numpy() < MIN_COMMON_ITEMS))
        return frame.set_axis(names, axis=0).iloc[order]

    @cached_property
    def limits(self) -> pd.DataFrame:
        return score_frames.limits(self.counted, self.asked.options.ci or 0.95, 0.95)

    @cached_property
    def differences(self) -> pd.DataFrame:
        """Mean and difference of the scores that two coders gave each item."""
        pairs = score_frames.counted_scores(self.counted, "report", "pairable").pairs()
        return pd.DataFrame({"mean": (pairs.x + pairs.y) / 2, "difference": pairs.x - pairs.y})

    @cached_property
    def score_tests(self) -> pd.DataFrame:
        return score_frames.score_tests(self.whole, self.asked.options.missing)

    @cached_property
    def without(self) -> pd.DataFrame:
        """The main coefficient without each coder; empty where that is not possible, or too many."""
        names = self.coders
        if not 2 < len(names) <= MAX_CODERS_LEFT_OUT:
            return self.summary.iloc[:0]
        options = self.asked.options.but(ci=None)
        parts = [measure(self._others(place), [self.main], options) for place in range(len(names))]
        index = pd.Index(names, name="coder", tupleize_cols=False)
        return pd.concat(parts).set_axis(index, axis=0)

    def _others(self, place: int) -> Reading:
        """All coders but one; of complete items the same ones, although more are complete without that coder."""
        if self.missing != "complete":
            return ungrouped(self._read.arranged(grouped=not self._apart, without=place))
        ratings = self.counted.ratings.without(place)
        others = [name for number, name in enumerate(self.coders) if number != place]
        names = self.coders if ratings.n_coders == len(self.coders) else others
        return replace(self.counted, ratings=ratings, coders=names, named=False)

    # ------------------------------------------------------------------------------------------------------ the items

    @cached_property
    def sizes(self) -> dict[str, int]:
        """Items with no, one or more labels."""
        return {str(name): int(value) for name, value in self.evidence.sizes.iloc[0].items()}

    @cached_property
    def n_labels(self) -> int:
        ratings = self.whole.ratings
        return int(ratings.sum(ratings.sizes.astype(float))[0])

    @property
    def keeps_first(self) -> bool:
        """Of repeated judgments the first one counts."""
        return getattr(self.whole.coded, "duplicates", "") == "first"

    @cached_property
    def item_reading(self) -> Reading:
        within = self.asked.within_groups
        read = self._read.arranged(grouped=within or not self._apart, rows=True)
        return read if read.rows is None or within else ungrouped(read)  # a name may occur in several groups

    @cached_property
    def items(self) -> pd.DataFrame:
        """One row per item; an error where the data have none."""
        record = find(self.asked.item_metric) if self.asked.item_metric else self.main
        record = find("alpha") if record.needs_numbers else record
        options = self.asked.options.only(*DISTANCE, "missing")
        return breakdown.items(self.item_reading, self.frame, record, options)

    @cached_property
    def worst(self) -> pd.DataFrame:
        """The items to adjudicate first, with the user's own columns."""
        return breakdown.disagreements(self.items, self.item_reading, self.frame, self.asked.n)

    @cached_property
    def n_split(self) -> int:
        """Items whose labels differ."""
        return int(np.count_nonzero((self.items["agreement"] < 1).to_numpy(dtype=bool, na_value=False)))
