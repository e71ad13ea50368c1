"""The results behind a report: one reading of the frame, and frames that are computed once, on first use.

All coefficients are computed here, and no text is written here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement import breakdown
from pandas_agreement.breakdown.evidence import OF_CATEGORY, Evidence
from pandas_agreement.breakdown.grouped_rows import GroupedRows
from pandas_agreement.breakdown.scales import Kind, is_crowd
from pandas_agreement.coefficients.registry import Coefficient, find
from pandas_agreement.core.distances import Distance
from pandas_agreement.core.ratings import LongRatings, WideRatings
from pandas_agreement.core.scores import Scores
from pandas_agreement.data import Reading
from pandas_agreement.engine import distance_for, measure, measure_pairs
from pandas_agreement.errors import AgreementWarning
from pandas_agreement.formatting import cell, coefficient_name, each, label_text, short
from pandas_agreement.interpreting import BENCHMARKS, family, usual_benchmark
from pandas_agreement.options import Options

SCORE_METRICS = ("icc_a1", "icc_c1", "ccc", "alpha")
CROWD_METRICS = ("icc_1", "alpha")  # where each item has its own coders
DISTANCE = ("weights", "level", "sep")  # options of the distance between labels
MIN_COMMON_ITEMS = 10  # items of a pair of coders or a group that is compared with others
READING = {"by", "frequency", "categories"}  # options of reading, which change no coefficient afterwards


def score_metrics(reading: Reading) -> tuple[str, ...]:
    """The coefficients of scores; a crowd is many coders with gaps."""
    return CROWD_METRICS if is_crowd(reading.ratings.n_coders, reading.ratings.sizes) else SCORE_METRICS


def ungrouped(reading: Reading) -> Reading:
    """The reading with all groups as one."""
    if reading.groups is None:
        return reading
    return replace(reading, groups=None, n_chosen=None, ratings=replace(reading.ratings, group=None, n_groups=1))


def counted(reading: Reading, missing: str) -> Reading:
    """The items that are used; only the rule "complete" leaves out items with two or more labels."""
    return reading.keep(missing) if missing == "complete" else reading


@dataclass(frozen=True)
class Request:
    """Options of a report beside the coders and the options of the coefficients."""

    metrics: Sequence[str] | None = None
    at_least: float | None = None  # what the main coefficient should reach
    n: int = 10
    benchmark: str | None = None
    pictures: bool = True
    made: date | None = None  # the date of the report; None: today
    # used by the command line only
    default: Sequence[str] | None = None  # coefficients of labels that are no scores; None: those of `summary`
    also: Sequence[str] = ()  # further coefficients
    scores: bool | None = None  # labels are measurements; None: decided by `scale_of`
    item_metric: str = ""  # the coefficient by which items are ranked; empty: the main one
    within_groups: bool = False  # items are compared with those of their group


@dataclass(frozen=True)
class Asked:
    """The coefficients and options of the report."""

    records: Sequence[Coefficient]
    options: Options  # options of the coefficients, without `by`
    kind: Kind  # what the labels are, as in `diagnose`
    request: Request


class ReportEvidence(Evidence):
    """The evidence for the rules of `diagnose`, from results of the report where it has them."""

    def __init__(self, data: ReportData, whole: Reading) -> None:
        read, kind = counted(whole, data.missing), data.kind
        ordinal = Options().at("level", "ordinal")
        other = Evidence(read, kind, data.missing, whole, ordinal) if kind == "open" else None
        super().__init__(read, kind, data.missing, whole, data.asked.options, other)
        self._data = data

    @property
    def main(self) -> str:
        return self._data.main.name

    @property
    def title(self) -> str:
        return self._data.title

    @cached_property
    def lead(self) -> GroupedRows:
        return self._computed[self.main].assign(varied=self.varied)

    @cached_property
    def _computed(self) -> dict[str, GroupedRows]:
        """The coefficients of the report."""
        found = self._data.summary if self.reading.groups is None else self._data.group_summary
        of = found.index.get_level_values("coefficient")
        return {record.name: self.rows_of(columns_of(found[of == record.name])) for record in self._data.asked.records}

    @cached_property
    def distance(self) -> Distance | None:
        """That of the main coefficient, if it has one."""
        if self._data.nominal:
            return None
        main = self._data.main
        record = main if main.accepts("weights") or main.accepts("level") else find("alpha")
        return distance_for(record, self.reading, self._data.asked.options, quiet=True)

    @cached_property
    def coefficients(self) -> dict[str, GroupedRows]:
        names = {"observed", "alpha", "ac1", *(["kappa"] if self.identified else [])}
        computed = names <= self._computed.keys() and self._data.asked.options.given <= READING
        return self._computed if computed else super().coefficients

    @cached_property
    def categories(self) -> GroupedRows:
        if self.reading.groups is not None:
            return super().categories
        return self.of_categories(columns_of(self._data.rates[list(OF_CATEGORY)]))


def columns_of(result: pd.DataFrame) -> dict[str, np.ndarray]:
    return {str(name): column.to_numpy() for name, column in result.items()}


class ReportData:
    """The results that a report shows.

    `items` is the frame as it was read, with its groups. `by_given`: the groups come from the option `by`; then rows
    without a group are used in the results of all data. `roles` are the columns of item, coder and label in the long
    format; `warned` are the warnings of reading.
    """

    def __init__(
        self,
        asked: Asked,
        frame: pd.DataFrame,
        items: Reading,
        by_given: bool,
        roles: tuple[Any, Hashable, Hashable] | None = None,
        keeps_first: bool = False,
        warned: Sequence[AgreementWarning] = (),
    ) -> None:
        self.asked, self.request, self.kind = asked, asked.request, asked.kind
        self.frame, self.roles, self.keeps_first, self.warned = frame, roles, keeps_first, warned
        self.missing = asked.options.missing
        self._items, self._by_given = items, by_given
        self._read = read = items.compact()
        self.whole = items.together().compact() if by_given else ungrouped(read)
        self.grouped = None if read.groups is None or not len(read.groups) else read

    @property
    def counted(self) -> Reading:
        """The items that are used, for categories, coders, pairs and findings."""
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
        """The coders with at least one label; all of them if there is no label."""
        ratings = self.whole.ratings
        used: list[int] = []
        if isinstance(ratings, Scores):
            used = ratings.cell_coder.tolist()
        elif isinstance(ratings, WideRatings):
            used = [place for place, codes in enumerate(ratings.codes) if (codes >= 0).any()]
        elif isinstance(ratings, LongRatings) and ratings.identified:
            used = np.unique(ratings.coder).tolist()
        return [self.coders[place] for place in used] or self.coders

    @cached_property
    def labels(self) -> pd.Index:
        """The different labels."""
        ratings = self.whole.ratings
        return pd.Index(np.unique(ratings.value)) if isinstance(ratings, Scores) else self.whole.category_set.labels

    @cached_property
    def _twins(self) -> frozenset[str]:
        """Text labels that look like another label: '1' beside 1."""
        texts = Counter(map(label_text, self.labels))
        return frozenset(label for label in self.labels if isinstance(label, str) and texts[label_text(label)] > 1)

    def label_cell(self, label: Any) -> str:
        """A label in a table; in quotation marks if it looks like another."""
        return short(repr(label)) if isinstance(label, str) and label in self._twins else cell(label)

    @property
    def keys(self) -> list[str]:
        """The names of the group keys."""
        groups = None if self.grouped is None else self.grouped.groups
        return [] if groups is None else [str(name) for name in groups.names]

    @property
    def scores(self) -> bool:
        """Labels are measurements."""
        return self.kind == "scores"

    @property
    def nominal(self) -> bool:
        """Labels are equal or not, without partial credit, as in `diagnose`."""
        return self.kind in ("names", "open")

    # -------------------------------------------------------------------------------------------------- coefficients

    @cached_property
    def main(self) -> Coefficient:
        """The coefficient of the first section; with `at_least` the first one that was named, or alpha."""
        records = {record.name: record for record in self.asked.records}
        if self.request.at_least is not None:
            return records["alpha"] if self.request.metrics is None else self.asked.records[0]
        weighted = [record for record in records.values() if record.corrected and record.accepts("weights")]
        corrected = [record for record in records.values() if record.corrected]
        preferred = ("icc_a1", "icc_1", "alpha") if self.scores else ("alpha",)
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
        return self._rows[record.name]

    def name(self, record: Coefficient) -> str:
        """A coefficient for readers."""
        return coefficient_name(record, self.row(record).n_coders)

    @property
    def title(self) -> str:
        """The main coefficient for readers, with its weights or level."""
        row = self.row(self.main)
        return coefficient_name(self.main, row.n_coders, "" if self.nominal else row.weights)

    @cached_property
    def _rows(self) -> dict[Any, Any]:
        return {name: row for (name,), row in each(self.summary)}

    @cached_property
    def as_steps(self) -> Any:
        """The row of alpha at the ordinal level, where whole numbers may be names or steps of a scale; else None."""
        if not (self.kind == "open" and self.main.name == "alpha"):
            return None
        result = measure(self.whole, [self.main], self.asked.options.at("level", "ordinal"))
        return next(row for _, row in each(result))

    @cached_property
    def rule(self) -> str:
        """The rule for missing labels of the main coefficient; some of scores leave out all items with gaps."""
        gaps_left_out = self.main.needs_numbers and self.row(self.main).n_items < self.sizes["more"]
        return "complete" if gaps_left_out else self.missing

    def benchmark(self, record: Coefficient) -> str:
        """The benchmark for a coefficient, if it was made for it; empty if there is none."""
        named, of = self.request.benchmark, family(record.name)
        if named is None:
            return usual_benchmark(record.name)
        return named if of in BENCHMARKS[named].made_for else ""

    def words(self, result: pd.DataFrame) -> list[str]:
        """The word of the benchmark of each row of a result; empty without any."""
        found = []
        for (*_, name), row in each(result):
            benchmark = self.benchmark(find(name))
            known = benchmark and not pd.isna(row.estimate)
            found.append(BENCHMARKS[benchmark].word(row.estimate) if known else "")
        return found

    # ------------------------------------------------------------------------------------ categories, coders and pairs

    @cached_property
    def rates(self) -> pd.DataFrame:
        """The rate of each category."""
        options = self.asked.options.only("missing", "ci")
        return breakdown.categories.by_category(self.counted, ["rate"], options, self.kind == "sets")

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """The main coefficient of each pair of coders."""
        options = self.asked.options.only(*DISTANCE, "missing", "ci")
        if options.missing == "all":  # an item with one label of the two has no pair
            options = options.without("missing")
        return measure_pairs(replace(self.counted, clusters=None), self.main, options)

    @cached_property
    def coder_table(self) -> pd.DataFrame:
        """Agreement of the coders, on the scale of the labels."""
        if self.scores:
            return breakdown.coder_scores.coders_of_scores(self.counted, self._scores)
        if self.nominal:
            return breakdown.coders.coders(self.counted)
        distance = distance_for(find("alpha"), self.counted, self.asked.options, quiet=True)
        return breakdown.coders.coders(self.counted, distance)

    @cached_property
    def margins(self) -> pd.DataFrame:
        return breakdown.confusion.margins(self.counted, "pairable")

    @cached_property
    def confusion(self) -> pd.DataFrame:
        """The contingency table of two coders."""
        return breakdown.confusion.confusion(self.counted)

    @cached_property
    def confused(self) -> pd.DataFrame:
        """Counts and shares of each combination of different labels of two coders."""
        counts = self.confusion.to_numpy()
        different = np.where(np.eye(len(counts), dtype=bool), 0, counts)
        first, second = np.nonzero(different)
        items = different[first, second]
        columns = {"first": self.labels.take(first), "second": self.labels.take(second), "items": items}
        frame = pd.DataFrame(columns | {"share": items / max(items.sum(), 1)})
        return frame.sort_values("items", ascending=False, kind="stable")

    @cached_property
    def means(self) -> pd.DataFrame:
        """Number, mean and standard deviation of each coder's scores, and the mean difference from the other coders.

        The largest difference comes first; coders with few common items come last.
        """
        grouped = pd.Series(self._scores.value).groupby(self._scores.coder)
        columns = {"n": grouped.size(), "mean": grouped.mean(), "sd": grouped.std()}
        table = self.coder_table
        frame = pd.DataFrame(columns).set_axis(table.index, axis=0)
        frame = frame.assign(shared=table["n_items"], difference=table["difference"])
        order = np.lexsort((-frame["difference"].abs().to_numpy(), frame["shared"].to_numpy() < MIN_COMMON_ITEMS))
        return frame.iloc[order]

    @cached_property
    def _scores(self) -> Scores:
        return breakdown.coder_scores.counted_scores(self.counted, "report", "all")

    @cached_property
    def limits(self) -> pd.DataFrame:
        return breakdown.coder_scores.limits(self.counted, self.asked.options.ci or 0.95, 0.95)

    @cached_property
    def differences(self) -> pd.DataFrame:
        """Mean and difference of the two scores of each item."""
        pairs = breakdown.coder_scores.counted_scores(self.counted, "report", "pairable").pairs()
        return pd.DataFrame({"mean": (pairs.x + pairs.y) / 2, "difference": pairs.x - pairs.y})

    # ------------------------------------------------------------------------------------------------------ the items

    @cached_property
    def sizes(self) -> dict[str, int]:
        """Numbers of items with no, one, or two or more labels."""
        sizes = {name: int(each[0]) for name, each in self.evidence.sizes.items()}
        return {**sizes, "none": sizes["none"] + self.whole.n_unlabelled}

    @cached_property
    def n_labels(self) -> int:
        ratings = self.whole.ratings
        return int(ratings.sum(ratings.sizes.astype(float))[0])

    @cached_property
    def item_reading(self) -> Reading:
        within = self.request.within_groups
        read = self._items.together() if self._by_given and not within else self._items.in_order()
        return read if read.rows is None or within else ungrouped(read)  # a name may occur in several groups

    @cached_property
    def items(self) -> pd.DataFrame:
        """One row per item; an error for data without items."""
        record = find(self.request.item_metric) if self.request.item_metric else self.main
        record = find("alpha") if record.needs_numbers else record
        options = self.asked.options.only(*DISTANCE, "missing", "frequency")
        if self.scores and "level" not in options.given:
            options = options.at("level", "interval")
        return breakdown.items.items(self.item_reading, self.frame, record, options)

    @cached_property
    def worst(self) -> pd.DataFrame:
        """The items to adjudicate first, with the user's own columns."""
        return breakdown.items.disagreements(self.items, self.item_reading, self.frame, self.request.n)

    @cached_property
    def n_split(self) -> int:
        """The number of items whose labels differ."""
        split = (self.items["agreement"] < 1).to_numpy(dtype=bool, na_value=False)
        return int(self.items["frequency"][split].sum() if "frequency" in self.items else np.count_nonzero(split))
