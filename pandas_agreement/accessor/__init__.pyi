# Written by `python -m tests.make_stubs` from the signatures of the methods. A test compares the two.

from collections.abc import Hashable, Iterable, Mapping, Sequence
from datetime import date
from typing import Any, Literal

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from pandas_agreement.accessor.base import Base
from pandas_agreement.accessor.coder_groups import Assignment
from pandas_agreement.accessor.comparing import Alternative
from pandas_agreement.accessor.corrected import Design
from pandas_agreement.accessor.inferring import Prior, VoteWeights
from pandas_agreement.accessor.long import LongDuplicates
from pandas_agreement.accessor.result_plots import ResultPlots
from pandas_agreement.accessor.spans import Of, SpanPlots
from pandas_agreement.accessor.tests import ChanceMethod
from pandas_agreement.accessor.truth import Truth
from pandas_agreement.data.grouping import Groups
from pandas_agreement.data.long import LongColumns
from pandas_agreement.judges import Invalid, Roles
from pandas_agreement.options import By, Clusters, Level, Method, Missing, Weights
from pandas_agreement.preferences.verdicts import Columns
from pandas_agreement.report import Report
from pandas_agreement.spans.reading import Length, SpanReading, Unmarked
from pandas_agreement.truth.settings import FitOptions, Ties, TruthMethod

class AgreementAccessor(Methods):
    """Agreement between coders: `df.agree`."""

    def __init__(self, frame: pd.DataFrame) -> None: ...
    def crosstab(self) -> CrosstabAgreement:
        """The methods of `df.agree` for the contingency table of two coders."""
    def long(
        self,
        *,
        item: Hashable | list[Hashable] | None = None,
        coder: Hashable | None = None,
        label: Hashable | list[Hashable] | None = None,
        duplicates: LongDuplicates = "raise",
    ) -> LongAgreement:
        """The methods of `df.agree` for a frame with one row per judgment."""
    def counts(self, *categories: Hashable) -> CountsAgreement:
        """The methods of `df.agree` for counts: one row per item and one column per category."""
    def cells(self, column: Hashable, *, sep: str | None = None) -> CellsAgreement:
        """The methods of `df.agree` for a column with all ratings of an item in one cell."""
    def coder_groups(self, groups: Assignment) -> GroupedCoders:
        """Agreement within groups of coders and across them."""
    def judges(
        self,
        *judges: Hashable,
        humans: Sequence[Hashable],
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        invalid: Invalid = "raise",
        run: Hashable | None = None,
    ) -> JudgedAgreement:
        """Compare judges, such as language models, with people."""
    def preferences(
        self,
        *,
        first: Hashable,
        second: Hashable,
        winner: Hashable,
        item: Hashable | Sequence[Hashable] | None = None,
        tie: Any = None,
        human: Hashable = None,
    ) -> Preferences:
        """Verdicts that compare two candidates, with one row per verdict."""
    def spans(
        self,
        *,
        item: Hashable | Sequence[Hashable] | None = None,
        coder: Hashable | None = None,
        start: Hashable | None = None,
        end: Hashable | None = None,
        label: Hashable | None = None,
        length: Length | None = None,
        unmarked: Unmarked | None = None,
    ) -> SpanAgreement:
        """Agreement on spans, such as named entities or coded passages."""
    def retest(
        self,
        *judgments: Mapping[Hashable, Sequence[Hashable]],
        metrics: str | Sequence[str] = "alpha",
        by: By = None,
        overall: bool = False,
        level: Level = "nominal",
        missing: Missing = "pairable",
        ci: float | None = 0.95,
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        progress: bool = False,
        detail: bool = False,
    ) -> pd.DataFrame:
        """Agreement of coders with themselves, from repeated judgments of the same items."""

class AgreementTests:
    """Tests of agreement: `df.agree.test.<name>(...)`."""

    def __init__(self, agree: Base) -> None: ...
    def chance(
        self,
        *coders: Hashable,
        metrics: str | Sequence[str] | None = None,
        method: ChanceMethod = "analytic",
        alternative: Alternative = "two-sided",
        by: By = None,
        overall: bool = False,
        level: Level = "nominal",
        sep: str | None = None,
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        missing: Missing = "pairable",
        frequency: Hashable = None,
        n_resamples: int = 5000,
        rng: int | np.random.Generator | None = None,
        progress: bool = False,
        detail: bool = False,
    ) -> pd.DataFrame:
        """Tests of coefficients against chance."""
    def margins(
        self,
        *coders: Hashable,
        tests: str | Sequence[str] | None = None,
        by: By = None,
        overall: bool = False,
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        frequency: Hashable = None,
        progress: bool = False,
        detail: bool = False,
    ) -> pd.DataFrame:
        """Tests of marginal homogeneity: whether coders use the categories equally often."""
    def groups(
        self,
        *coders: Hashable,
        metrics: str | Sequence[str] = "kappa",
        by: By = None,
        level: Level = "nominal",
        sep: str | None = None,
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        missing: Missing = "pairable",
        ci: float | None = 0.95,
        method: Method = "auto",
        clusters: Clusters = None,
        frequency: Hashable = None,
        n_resamples: int = 5000,
        rng: int | np.random.Generator | None = None,
        progress: bool = False,
        detail: bool = False,
    ) -> pd.DataFrame:
        """Tests of groups of items: whether agreement is equal, and whether it has a trend."""

class CellsAgreement(Methods):
    """Agreement in a column with all ratings of an item in one cell."""

    def __init__(
        self,
        frame: pd.DataFrame,
        column: Hashable,
        sep: str | None = None,
        by: Groups | None = None,
    ) -> None: ...

class CountsAgreement(Methods):
    """Agreement in a table of counts with one column per category."""

    def __init__(self, frame: pd.DataFrame, by: Groups | None = None, names: Sequence[Hashable] = ()) -> None: ...

class CrosstabAgreement(Methods):
    """Agreement in the contingency table of two coders."""

    def __init__(self, frame: pd.DataFrame, by: Groups | None = None) -> None: ...

class GroupByAgreement(Methods):
    """Agreement within the groups of `df.groupby(...)`: `df.groupby("batch").agree`."""

    def __init__(self, grouped: pd.api.typing.DataFrameGroupBy[Any, Any]) -> None: ...
    def long(
        self,
        *,
        item: Hashable | list[Hashable] | None = None,
        coder: Hashable | None = None,
        label: Hashable | list[Hashable] | None = None,
        duplicates: LongDuplicates = "raise",
    ) -> LongAgreement:
        """The methods of `df.agree` for a frame with one row per judgment."""
    def counts(self, *categories: Hashable) -> CountsAgreement:
        """The methods of `df.agree` for counts: one row per item and one column per category."""
    def cells(self, column: Hashable, *, sep: str | None = None) -> CellsAgreement:
        """The methods of `df.agree` for a column with all ratings of an item in one cell."""
    def coder_groups(self, groups: Assignment) -> GroupedCoders:
        """Agreement within groups of coders and across them."""
    def judges(
        self,
        *judges: Hashable,
        humans: Sequence[Hashable],
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        invalid: Invalid = "raise",
        run: Hashable | None = None,
    ) -> JudgedAgreement:
        """Compare judges, such as language models, with people."""
    def preferences(
        self,
        *,
        first: Hashable,
        second: Hashable,
        winner: Hashable,
        item: Hashable | Sequence[Hashable] | None = None,
        tie: Any = None,
        human: Hashable = None,
    ) -> Preferences:
        """Verdicts that compare two candidates, with one row per verdict."""
    def spans(
        self,
        *,
        item: Hashable | Sequence[Hashable] | None = None,
        coder: Hashable | None = None,
        start: Hashable | None = None,
        end: Hashable | None = None,
        label: Hashable | None = None,
        length: Length | None = None,
        unmarked: Unmarked | None = None,
    ) -> SpanAgreement:
        """Agreement on spans, such as named entities or coded passages."""
    def retest(
        self,
        *judgments: Mapping[Hashable, Sequence[Hashable]],
        metrics: str | Sequence[str] = "alpha",
        by: By = None,
        overall: bool = False,
        level: Level = "nominal",
        missing: Missing = "pairable",
        ci: float | None = 0.95,
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        progress: bool = False,
        detail: bool = False,
    ) -> pd.DataFrame:
        """Agreement of coders with themselves, from repeated judgments of the same items."""

class GroupedCoders:
    """Agreement within and across groups of coders: `df.agree.coder_groups({"women": [...], "men": [...]})`."""

    def __init__(self, source: Base, groups: Assignment) -> None: ...
    def within(
        self,
        *,
        metrics: str | Sequence[str] = "alpha",
        by_category: bool = False,
        by: By = None,
        overall: bool = False,
        level: Level = "nominal",
        sep: str | None = None,
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        missing: Missing = "pairable",
        ci: float | None = 0.95,
        method: Method = "auto",
        clusters: Clusters = None,
        frequency: Hashable = None,
        detail: bool = False,
    ) -> pd.DataFrame:
        """Agreement of the coders of each group with each other: one row per group of coders."""
    def across(
        self,
        *,
        metrics: str | Sequence[str] = "alpha",
        by_category: bool = False,
        by: By = None,
        overall: bool = False,
        level: Level = "nominal",
        sep: str | None = None,
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        missing: Missing = "pairable",
        ci: float | None = 0.95,
        method: Method = "auto",
        clusters: Clusters = None,
        frequency: Hashable = None,
        detail: bool = False,
    ) -> pd.DataFrame:
        """Agreement between coders of different groups: one row per pair of groups."""
    def compare(
        self,
        *,
        metrics: str | Sequence[str] = "alpha",
        by_category: bool = False,
        alternative: Alternative = "two-sided",
        by: By = None,
        overall: bool = False,
        level: Level = "nominal",
        sep: str | None = None,
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        missing: Missing = "pairable",
        ci: float | None = 0.95,
        method: Method = "auto",
        clusters: Clusters = None,
        frequency: Hashable = None,
        detail: bool = False,
    ) -> pd.DataFrame:
        """Differences of agreement: within minus across groups, and one group minus another."""
    @property
    def plot(self) -> ResultPlots:
        """Plots of these tables: `within`, `across` and `compare`, with the options of these methods."""

class JudgedAgreement:
    """Judges and models against people: `df.agree.judges("gpt", humans=["ann", "bob"])`."""

    def __init__(self, source: Base, roles: Roles) -> None: ...
    def versus_humans(
        self,
        *,
        metrics: str | Sequence[str] = "kappa",
        margin: float | None = None,
        equivalence: bool = False,
        common: bool = False,
        by_human: bool = False,
        contrast: bool | Literal["by"] = False,
        by: By = None,
        overall: bool = False,
        level: Level = "nominal",
        sep: str | None = None,
        ci: float | None = 0.95,
        method: Method = "auto",
        clusters: Clusters = None,
        frequency: Hashable = None,
        sampling: Literal["items", "coders", "both"] = "items",
        progress: bool = False,
        detail: bool = False,
    ) -> pd.DataFrame:
        """Agreement of the judge with humans, compared with agreement between humans."""
    def ceilings(
        self,
        *,
        by: By = None,
        overall: bool = False,
        ci: float | None = 0.95,
        clusters: Clusters = None,
        frequency: Hashable = None,
        detail: bool = False,
    ) -> pd.DataFrame:
        """Judge and human compared with the same reference: the vote of the other humans."""
    def accuracy(
        self,
        *,
        reference: Hashable | pd.Series | None = None,
        by: By = None,
        overall: bool = False,
        ci: float | None = 0.95,
        clusters: Clusters = None,
        frequency: Hashable = None,
        detail: bool = False,
    ) -> pd.DataFrame:
        """How often judges and humans are right: accuracy, balanced accuracy, macro F1, kappa."""
    def error_rates(
        self,
        *,
        reference: Hashable | pd.Series | None = None,
        by_human: bool = False,
        by: By = None,
        overall: bool = False,
        ci: float | None = 0.95,
        clusters: Clusters = None,
        frequency: Hashable = None,
        detail: bool = False,
    ) -> pd.DataFrame:
        """Errors of a judge by category: what it misses, and what it gives too often."""
    def bias(
        self,
        *columns: Hashable,
        by: By = None,
        overall: bool = False,
        ci: float | None = 0.95,
        clusters: Clusters = None,
        detail: bool = False,
    ) -> pd.DataFrame:
        """How the difference between judge and humans depends on properties of the items."""
    def stability(
        self,
        *,
        runs: Mapping[Hashable, Sequence[Hashable]] | None = None,
        by: By = None,
        overall: bool = False,
        ci: float | None = 0.95,
        clusters: Clusters = None,
        frequency: Hashable = None,
        detail: bool = False,
    ) -> pd.DataFrame:
        """Agreement of a judge with itself over several runs, and the gain of a vote of runs."""
    def report(
        self,
        *,
        title: str = "Judges against people",
        n: int = 10,
        pictures: bool = True,
        by: By = None,
        ci: float | None = 0.95,
        clusters: Clusters = None,
        frequency: Hashable = None,
        progress: bool = False,
    ) -> Report:
        """The report on the labels of the humans, with a section on the judges."""
    def alt_test(
        self,
        *,
        annotators: Literal["expert", "skilled", "crowd"] | None = None,
        epsilon: float | None = None,
        min_items: int = 30,
        by_human: bool = False,
        by: By = None,
        overall: bool = False,
        level: Level = "nominal",
        sep: str | None = None,
        frequency: Hashable = None,
        detail: bool = False,
    ) -> pd.DataFrame:
        """The alternative annotator test, with the constant answer for comparison."""
    @property
    def plot(self) -> ResultPlots:
        """Plots of these tables: `versus_humans` and `ceilings`, with the options of these methods."""
    def corrected_rate(
        self,
        *,
        design: Design | None = None,
        reference: Hashable | None = None,
        probability: Hashable | None = None,
        by: By = None,
        overall: bool = False,
        ci: float | None = 0.95,
        clusters: Clusters = None,
        frequency: Hashable = None,
        detail: bool = False,
    ) -> pd.DataFrame:
        """The shares of categories that humans would have found, corrected for the judge's errors."""
    def corrected_mean(
        self,
        *,
        design: Design | None = None,
        reference: Hashable | None = None,
        probability: Hashable | None = None,
        by: By = None,
        overall: bool = False,
        ci: float | None = 0.95,
        clusters: Clusters = None,
        frequency: Hashable = None,
        detail: bool = False,
    ) -> pd.DataFrame:
        """The mean score that humans would have given to all items, from a judge's scores."""

class LongAgreement(Methods):
    """Agreement in a frame with one row per judgment."""

    def __init__(
        self,
        frame: pd.DataFrame,
        columns: LongColumns,
        duplicates: LongDuplicates = "raise",
        by: Groups | None = None,
    ) -> None: ...
    def retest(
        self,
        *coders: Hashable,
        metrics: str | Sequence[str] = "alpha",
        by: By = None,
        overall: bool = False,
        level: Level = "nominal",
        missing: Missing = "pairable",
        ci: float | None = 0.95,
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        progress: bool = False,
        detail: bool = False,
    ) -> pd.DataFrame:
        """Agreement of coders with themselves, from repeated judgments of the same items."""
    def coder_groups(self, groups: Assignment) -> GroupedCoders:
        """Agreement within groups of coders and across them."""
    def judges(
        self,
        *judges: Hashable,
        humans: Sequence[Hashable],
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        invalid: Invalid = "raise",
        run: Hashable | None = None,
    ) -> JudgedAgreement:
        """Compare judges, such as language models, with people."""

class Methods:
    """All methods."""

    def report(
        self,
        *coders: Hashable,
        metrics: str | Sequence[str] | None = None,
        at_least: float | None = None,
        n: int = 10,
        title: str = "Agreement report",
        benchmark: str | None = None,
        pictures: bool = True,
        date: date | None = None,
        by: By = None,
        level: Level | None = None,
        sep: str | None = None,
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        missing: Missing = "pairable",
        ci: float | None = 0.95,
        clusters: Clusters = None,
        frequency: Hashable = None,
        rng: int | np.random.Generator | None = None,
    ) -> Report:
        """A report on one page, for a notebook, as an HTML file, or as Markdown."""
    def summary(
        self,
        *coders: Hashable,
        metrics: str | Sequence[str] | None = None,
        by: By = None,
        overall: bool = False,
        level: Level = "nominal",
        sep: str | None = None,
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        missing: Missing = "pairable",
        ci: float | None = 0.95,
        method: Method = "auto",
        clusters: Clusters = None,
        frequency: Hashable = None,
        sampling: Literal["items", "coders", "both"] = "items",
        n_resamples: int = 5000,
        rng: int | np.random.Generator | None = None,
        progress: bool = False,
        detail: bool = False,
    ) -> pd.DataFrame:
        """Several coefficients at once, one row for each."""
    def observed(
        self,
        *coders: Hashable,
        by: By = None,
        overall: bool = False,
        weights: Weights = "nominal",
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        missing: Missing = "pairable",
        ci: float | None = 0.95,
        method: Method = "auto",
        clusters: Clusters = None,
        frequency: Hashable = None,
        sampling: Literal["items", "coders", "both"] = "items",
        n_resamples: int = 5000,
        rng: int | np.random.Generator | None = None,
        progress: bool = False,
        detail: bool = False,
    ) -> pd.DataFrame:
        """Observed agreement: the share of agreeing pairs of labels, not corrected for chance."""
    def kappa(
        self,
        *coders: Hashable,
        by: By = None,
        overall: bool = False,
        weights: Weights = "nominal",
        pool: Literal["coders", "pairs"] = "coders",
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        missing: Missing = "pairable",
        ci: float | None = 0.95,
        method: Method = "auto",
        clusters: Clusters = None,
        frequency: Hashable = None,
        sampling: Literal["items", "coders", "both"] = "items",
        n_resamples: int = 5000,
        rng: int | np.random.Generator | None = None,
        progress: bool = False,
        detail: bool = False,
    ) -> pd.DataFrame:
        """Kappa: chance agreement comes from each coder's own label distribution."""
    def pi(
        self,
        *coders: Hashable,
        by: By = None,
        overall: bool = False,
        weights: Weights = "nominal",
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        missing: Missing = "pairable",
        ci: float | None = 0.95,
        method: Method = "auto",
        clusters: Clusters = None,
        frequency: Hashable = None,
        sampling: Literal["items", "coders", "both"] = "items",
        n_resamples: int = 5000,
        rng: int | np.random.Generator | None = None,
        progress: bool = False,
        detail: bool = False,
    ) -> pd.DataFrame:
        """Pi: chance agreement comes from one label distribution, pooled over coders."""
    def ac1(
        self,
        *coders: Hashable,
        by: By = None,
        overall: bool = False,
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        missing: Missing = "pairable",
        ci: float | None = 0.95,
        method: Method = "auto",
        clusters: Clusters = None,
        frequency: Hashable = None,
        sampling: Literal["items", "coders", "both"] = "items",
        n_resamples: int = 5000,
        rng: int | np.random.Generator | None = None,
        progress: bool = False,
        detail: bool = False,
    ) -> pd.DataFrame:
        """Gwet's AC1: coders guess only on hard items, and choose every category equally often."""
    def ac2(
        self,
        *coders: Hashable,
        by: By = None,
        overall: bool = False,
        weights: Weights,
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        missing: Missing = "pairable",
        ci: float | None = 0.95,
        method: Method = "auto",
        clusters: Clusters = None,
        frequency: Hashable = None,
        sampling: Literal["items", "coders", "both"] = "items",
        n_resamples: int = 5000,
        rng: int | np.random.Generator | None = None,
        progress: bool = False,
        detail: bool = False,
    ) -> pd.DataFrame:
        """Gwet's AC2: AC1 with weights for partial agreement."""
    def s(
        self,
        *coders: Hashable,
        by: By = None,
        overall: bool = False,
        weights: Weights = "nominal",
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        missing: Missing = "pairable",
        ci: float | None = 0.95,
        method: Method = "auto",
        clusters: Clusters = None,
        frequency: Hashable = None,
        sampling: Literal["items", "coders", "both"] = "items",
        n_resamples: int = 5000,
        rng: int | np.random.Generator | None = None,
        progress: bool = False,
        detail: bool = False,
    ) -> pd.DataFrame:
        """Bennett's S: by chance every category is equally likely."""
    def perreault_leigh(
        self,
        *coders: Hashable,
        by: By = None,
        overall: bool = False,
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        missing: Missing = "pairable",
        ci: float | None = 0.95,
        method: Method = "auto",
        clusters: Clusters = None,
        frequency: Hashable = None,
        sampling: Literal["items", "coders", "both"] = "items",
        n_resamples: int = 5000,
        rng: int | np.random.Generator | None = None,
        progress: bool = False,
        detail: bool = False,
    ) -> pd.DataFrame:
        """Perreault and Leigh's I_r: the share of items that a coder labels without guessing."""
    def alpha(
        self,
        *coders: Hashable,
        by: By = None,
        overall: bool = False,
        level: Level = "nominal",
        sep: str | None = None,
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        missing: Missing = "pairable",
        ci: float | None = 0.95,
        method: Method = "auto",
        clusters: Clusters = None,
        frequency: Hashable = None,
        sampling: Literal["items", "coders", "both"] = "items",
        n_resamples: int = 5000,
        rng: int | np.random.Generator | None = None,
        progress: bool = False,
        detail: bool = False,
    ) -> pd.DataFrame:
        """Krippendorff's alpha: chance agreement comes from all labels, shuffled over items and coders."""
    def light_kappa(
        self,
        *coders: Hashable,
        by: By = None,
        overall: bool = False,
        weights: Weights = "nominal",
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        missing: Missing = "pairable",
        ci: float | None = 0.95,
        method: Method = "auto",
        clusters: Clusters = None,
        frequency: Hashable = None,
        sampling: Literal["items", "coders", "both"] = "items",
        n_resamples: int = 5000,
        rng: int | np.random.Generator | None = None,
        progress: bool = False,
        detail: bool = False,
    ) -> pd.DataFrame:
        """Light's kappa: the mean of Cohen's kappa over all pairs of coders."""
    def bias(
        self,
        *coders: Hashable,
        by: By = None,
        overall: bool = False,
        weights: Weights = "nominal",
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        missing: Missing = "pairable",
        ci: float | None = 0.95,
        method: Method = "auto",
        clusters: Clusters = None,
        frequency: Hashable = None,
        sampling: Literal["items", "coders", "both"] = "items",
        n_resamples: int = 5000,
        rng: int | np.random.Generator | None = None,
        progress: bool = False,
        detail: bool = False,
    ) -> pd.DataFrame:
        """Bias of the coders: the chance agreement of pi minus that of kappa."""
    def ccc(
        self,
        *coders: Hashable,
        by: By = None,
        overall: bool = False,
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        missing: Missing = "pairable",
        ci: float | None = 0.95,
        method: Method = "auto",
        clusters: Clusters = None,
        frequency: Hashable = None,
        n_resamples: int = 5000,
        rng: int | np.random.Generator | None = None,
        progress: bool = False,
        detail: bool = False,
    ) -> pd.DataFrame:
        """Lin's concordance correlation: Pearson's correlation, reduced for differences in mean and scale."""
    def pearson(
        self,
        *coders: Hashable,
        by: By = None,
        overall: bool = False,
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        missing: Missing = "pairable",
        ci: float | None = 0.95,
        method: Method = "auto",
        clusters: Clusters = None,
        frequency: Hashable = None,
        n_resamples: int = 5000,
        rng: int | np.random.Generator | None = None,
        progress: bool = False,
        detail: bool = False,
    ) -> pd.DataFrame:
        """Pearson's correlation: association of scores, not agreement."""
    def spearman(
        self,
        *coders: Hashable,
        by: By = None,
        overall: bool = False,
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        missing: Missing = "pairable",
        ci: float | None = 0.95,
        method: Method = "auto",
        clusters: Clusters = None,
        frequency: Hashable = None,
        n_resamples: int = 5000,
        rng: int | np.random.Generator | None = None,
        progress: bool = False,
        detail: bool = False,
    ) -> pd.DataFrame:
        """Spearman's rank correlation: association of ranks, not agreement."""
    def kendall_w(
        self,
        *coders: Hashable,
        by: By = None,
        overall: bool = False,
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        missing: Missing = "pairable",
        ci: float | None = 0.95,
        method: Method = "auto",
        clusters: Clusters = None,
        frequency: Hashable = None,
        n_resamples: int = 5000,
        rng: int | np.random.Generator | None = None,
        progress: bool = False,
        detail: bool = False,
    ) -> pd.DataFrame:
        """Kendall's W: how similarly the coders rank the items, corrected for ties."""
    def cronbach_alpha(
        self,
        *coders: Hashable,
        by: By = None,
        overall: bool = False,
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        missing: Missing = "pairable",
        ci: float | None = 0.95,
        method: Method = "auto",
        clusters: Clusters = None,
        frequency: Hashable = None,
        n_resamples: int = 5000,
        rng: int | np.random.Generator | None = None,
        progress: bool = False,
        detail: bool = False,
    ) -> pd.DataFrame:
        """Cronbach's alpha: the reliability of the sum of the ratings."""
    def by_pair(
        self,
        *coders: Hashable,
        metrics: str | Sequence[str] = "kappa",
        full: bool = False,
        by: By = None,
        overall: bool = False,
        level: Level = "nominal",
        sep: str | None = None,
        pool: Literal["coders", "pairs"] = "coders",
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        missing: Missing = "pairable",
        ci: float | None = 0.95,
        method: Method = "auto",
        frequency: Hashable = None,
        n_resamples: int = 5000,
        rng: int | np.random.Generator | None = None,
        progress: bool = False,
        detail: bool = False,
    ) -> pd.DataFrame:
        """One coefficient for every pair of coders, on the items that both of them labelled."""
    def by_category(
        self,
        *coders: Hashable,
        metrics: str | Sequence[str] = "rate",
        multilabel: bool = False,
        by: By = None,
        overall: bool = False,
        sep: str | None = None,
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        missing: Missing = "pairable",
        ci: float | None = 0.95,
        clusters: Clusters = None,
        frequency: Hashable = None,
        progress: bool = False,
        detail: bool = False,
    ) -> pd.DataFrame:
        """Agreement on each category: if one coder chose it, how often the other did as well."""
    def confusion(
        self,
        *coders: Hashable,
        by: By = None,
        overall: bool = False,
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        frequency: Hashable = None,
    ) -> pd.DataFrame:
        """Contingency table of two coders: one row and one column per category."""
    def by_coder(
        self,
        *coders: Hashable,
        by: By = None,
        overall: bool = False,
        level: Level = "nominal",
        sep: str | None = None,
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        frequency: Hashable = None,
        progress: bool = False,
        detail: bool = False,
    ) -> pd.DataFrame:
        """Agreement of each coder with the others, alpha without the coder, and the favoured category."""
    def margins(
        self,
        *coders: Hashable,
        by: By = None,
        overall: bool = False,
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        missing: Missing = "pairable",
        ci: float | None = 0.95,
        frequency: Hashable = None,
        detail: bool = False,
    ) -> pd.DataFrame:
        """Each coder's share of each category, minus that of the other coders on the same items."""
    def by_item(
        self,
        *coders: Hashable,
        metrics: str | Sequence[str] = "alpha",
        by: By = None,
        level: Level = "nominal",
        sep: str | None = None,
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        missing: Missing = "pairable",
        frequency: Hashable = None,
        detail: bool = False,
    ) -> pd.DataFrame:
        """Agreement, majority label and influence on a coefficient, for each item."""
    def disagreements(
        self,
        *coders: Hashable,
        n: int = 20,
        metrics: str | Sequence[str] = "alpha",
        by: By = None,
        level: Level = "nominal",
        sep: str | None = None,
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        missing: Missing = "pairable",
        frequency: Hashable = None,
        detail: bool = False,
    ) -> pd.DataFrame:
        """The items to adjudicate first: those with the least agreement, with their labels."""
    def diagnose(
        self,
        *coders: Hashable,
        by: By = None,
        overall: bool = False,
        level: Level | None = None,
        sep: str | None = None,
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        frequency: Hashable = None,
        progress: bool = False,
        detail: bool = False,
    ) -> pd.DataFrame:
        """Problems found in the data, one row per finding, with the number behind it and advice."""
    def icc(
        self,
        *coders: Hashable,
        form: str | None = None,
        by: By = None,
        overall: bool = False,
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        missing: Missing = "pairable",
        ci: float | None = 0.95,
        method: Method = "auto",
        clusters: Clusters = None,
        frequency: Hashable = None,
        n_resamples: int = 5000,
        rng: int | np.random.Generator | None = None,
        progress: bool = False,
        detail: bool = False,
    ) -> pd.DataFrame:
        """All six intraclass correlations with one row each, or one of them."""
    def bland_altman(
        self,
        *coders: Any,
        share: float = 0.95,
        by: By = None,
        overall: bool = False,
        ci: float | None = 0.95,
        frequency: Hashable = None,
        progress: bool = False,
        detail: bool = False,
    ) -> pd.DataFrame:
        """Bland and Altman's limits of agreement: the range of most differences, for every pair."""
    def compare(
        self,
        *coders: Hashable | Sequence[Hashable],
        metrics: str | Sequence[str] = "kappa",
        alternative: Alternative = "two-sided",
        common: bool = False,
        by: By = None,
        overall: bool = False,
        level: Level = "nominal",
        sep: str | None = None,
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        missing: Missing = "pairable",
        ci: float | None = 0.95,
        method: Method = "auto",
        clusters: Clusters = None,
        frequency: Hashable = None,
        n_resamples: int = 5000,
        rng: int | np.random.Generator | None = None,
        detail: bool = False,
    ) -> pd.DataFrame:
        """Differences between sets of coders, between groups of items, or between coefficients."""
    def pooled(
        self,
        *coders: Hashable,
        metrics: str | Sequence[str] = "kappa",
        by: By = None,
        level: Level = "nominal",
        sep: str | None = None,
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        missing: Missing = "pairable",
        ci: float | None = 0.95,
        clusters: Clusters = None,
        frequency: Hashable = None,
        detail: bool = False,
    ) -> pd.DataFrame:
        """One coefficient pooled over groups, and the same coefficient of all items together."""
    def truth(
        self,
        *coders: Hashable,
        method: TruthMethod = "majority",
        gold: Hashable | pd.Series = None,
        ties: Ties = "missing",
        weights: VoteWeights = None,
        prior: Prior = None,
        smoothing: float | None = None,
        by: By = None,
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        rng: int | np.random.Generator | None = None,
        progress: bool = False,
        fit: FitOptions | None = None,
    ) -> Truth:
        """Infer the true labels and the reliability of each coder."""
    def consensus(
        self,
        *coders: Hashable,
        method: TruthMethod = "majority",
        gold: Hashable | pd.Series = None,
        ties: Ties = "missing",
        weights: VoteWeights = None,
        prior: Prior = None,
        smoothing: float | None = None,
        by: By = None,
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        rng: int | np.random.Generator | None = None,
        progress: bool = False,
        fit: FitOptions | None = None,
    ) -> pd.DataFrame:
        """The inferred label of each item, by default the majority vote."""
    @property
    def test(self) -> AgreementTests:
        """Tests of agreement: `chance`, `margins` and `groups`."""
    @property
    def plot(self) -> Plots:
        """Plots: `df.agree.plot.<kind>(...)`, with the coders and options of the method behind each."""

class Plots:
    """Plots: `df.agree.plot.<kind>(...)` draws on Axes and returns them."""

    def __init__(self, agree: Any) -> None: ...
    def forest(
        self,
        *coders: Hashable,
        metrics: str | Sequence[str] | None = None,
        pairs: bool = False,
        bands: str | None = "usual",
        sort: bool = False,
        by: By = None,
        overall: bool = False,
        level: Level = "nominal",
        sep: str | None = None,
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        missing: Missing = "pairable",
        ci: float | None = 0.95,
        method: Method = "auto",
        clusters: Clusters = None,
        frequency: Hashable = None,
        sampling: Literal["items", "coders", "both"] = "items",
        n_resamples: int = 5000,
        rng: int | np.random.Generator | None = None,
        ax: Axes | None = None,
        figsize: tuple[float, float] | None = None,
        title: str | None = None,
        style: Mapping[str, Any] | None = None,
    ) -> Axes:
        """Estimates with intervals, on the bands of a benchmark."""
    def trend(
        self,
        *coders: Hashable,
        metrics: str | Sequence[str] | None = None,
        threshold: float | None = None,
        bands: str | None = None,
        by: By = None,
        overall: bool = False,
        level: Level = "nominal",
        sep: str | None = None,
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        missing: Missing = "pairable",
        ci: float | None = 0.95,
        method: Method = "auto",
        clusters: Clusters = None,
        frequency: Hashable = None,
        sampling: Literal["items", "coders", "both"] = "items",
        n_resamples: int = 5000,
        rng: int | np.random.Generator | None = None,
        ax: Axes | None = None,
        figsize: tuple[float, float] | None = None,
        title: str | None = None,
        style: Mapping[str, Any] | None = None,
    ) -> Axes:
        """A coefficient by batch or over time, with its intervals as a band."""
    def by_category(
        self,
        *coders: Hashable,
        metrics: str | Sequence[str] = "rate",
        sort: bool = True,
        multilabel: bool = False,
        by: By = None,
        overall: bool = False,
        sep: str | None = None,
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        missing: Missing = "pairable",
        ci: float | None = 0.95,
        clusters: Clusters = None,
        frequency: Hashable = None,
        ax: Axes | None = None,
        figsize: tuple[float, float] | None = None,
        title: str | None = None,
        style: Mapping[str, Any] | None = None,
    ) -> Axes:
        """Agreement on each category with intervals and the number of labels."""
    def by_coder(
        self,
        *coders: Hashable,
        sort: bool = True,
        by: By = None,
        overall: bool = False,
        level: Level = "nominal",
        sep: str | None = None,
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        frequency: Hashable = None,
        ax: Axes | None = None,
        figsize: tuple[float, float] | None = None,
        title: str | None = None,
        style: Mapping[str, Any] | None = None,
    ) -> Axes:
        """Agreement of each coder with the others, and kappa with their majority."""
    def by_pair(
        self,
        *coders: Hashable,
        metrics: str | Sequence[str] = "kappa",
        order: str = "cluster",
        max_coders: int = 16,
        level: Level = "nominal",
        sep: str | None = None,
        pool: Literal["coders", "pairs"] = "coders",
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        missing: Missing = "pairable",
        frequency: Hashable = None,
        ax: Axes | None = None,
        figsize: tuple[float, float] | None = None,
        title: str | None = None,
        style: Mapping[str, Any] | None = None,
    ) -> Axes:
        """A coefficient of every pair of coders as a heat map; undefined pairs are hatched."""
    def by_item(
        self,
        *coders: Hashable,
        metrics: str | Sequence[str] = "alpha",
        by: By = None,
        level: Level = "nominal",
        sep: str | None = None,
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        missing: Missing = "pairable",
        frequency: Hashable = None,
        ax: Axes | None = None,
        figsize: tuple[float, float] | None = None,
        title: str | None = None,
        style: Mapping[str, Any] | None = None,
    ) -> Axes:
        """The distribution of agreement over items."""
    def confusion(
        self,
        *coders: Hashable,
        show: str = "both",
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        frequency: Hashable = None,
        ax: Axes | None = None,
        figsize: tuple[float, float] | None = None,
        title: str | None = None,
        style: Mapping[str, Any] | None = None,
    ) -> Axes:
        """Contingency table of two coders, with counts and shares of the rows."""
    def margins(
        self,
        *coders: Hashable,
        categories: Iterable[Any] | pd.CategoricalDtype | None = None,
        missing: Missing = "pairable",
        frequency: Hashable = None,
        ax: Axes | None = None,
        figsize: tuple[float, float] | None = None,
        title: str | None = None,
        style: Mapping[str, Any] | None = None,
    ) -> Axes:
        """The categories that each coder chooses more or less often than the others."""
    def bland_altman(
        self,
        *coders: Any,
        share: float = 0.95,
        by: By = None,
        overall: bool = False,
        ci: float | None = 0.95,
        frequency: Hashable = None,
        ax: Axes | None = None,
        figsize: tuple[float, float] | None = None,
        title: str | None = None,
        style: Mapping[str, Any] | None = None,
    ) -> Axes:
        """Differences of two coders against their means, with bias and limits of agreement."""

class Preferences:
    """Verdicts that compare two candidates: `df.agree.preferences(first=, second=, winner=)`."""

    def __init__(self, frame: pd.DataFrame, columns: Columns, groups: Groups | None = None) -> None: ...
    def position_bias(
        self,
        *,
        by: By = None,
        overall: bool = False,
        ci: float | None = 0.95,
        clusters: Clusters = None,
        detail: bool = False,
    ) -> pd.DataFrame:
        """Whether the position of a candidate influences the verdict."""
    def strengths(
        self,
        *,
        smoothing: float = 0.1,
        position: bool = False,
        contrasts: bool = False,
        by: By = None,
        overall: bool = False,
        ci: float | None = 0.95,
        clusters: Clusters = None,
        detail: bool = False,
    ) -> pd.DataFrame:
        """The strength of each candidate, by the model of Bradley and Terry."""
    def win_rate(
        self,
        *,
        by: By = None,
        overall: bool = False,
        ci: float | None = 0.95,
        clusters: Clusters = None,
        detail: bool = False,
    ) -> pd.DataFrame:
        """The share of verdicts that each candidate wins, corrected by human verdicts."""
    @property
    def plot(self) -> ResultPlots:
        """Plots of these tables: `strengths` and `position_bias`, with the options of these methods."""

class SpanAgreement:
    """Agreement on spans: `df.agree.spans(item=, coder=, start=, end=, label=)`."""

    def __init__(self, source: SpanReading, groups: Groups | None = None) -> None: ...
    def summary(
        self,
        *coders: Hashable,
        by: By = None,
        overall: bool = False,
        ci: float | None = 0.95,
        clusters: Clusters = None,
        detail: bool = False,
    ) -> pd.DataFrame:
        """F1, alpha of spans and kappa of positions, one row for each coefficient."""
    def alpha(
        self,
        *coders: Hashable,
        of: Of = "all",
        by: By = None,
        overall: bool = False,
        ci: float | None = 0.95,
        clusters: Clusters = None,
        detail: bool = False,
    ) -> pd.DataFrame:
        """Krippendorff's alpha of spans: agreement on positions and labels beyond chance."""
    def f1(
        self,
        *coders: Hashable,
        iou: float = 1,
        by: By = None,
        overall: bool = False,
        ci: float | None = 0.95,
        clusters: Clusters = None,
        detail: bool = False,
    ) -> pd.DataFrame:
        """F1 of spans: the share of spans that have a match, not corrected for chance."""
    def kappa(
        self,
        *coders: Hashable,
        by: By = None,
        overall: bool = False,
        ci: float | None = 0.95,
        clusters: Clusters = None,
        detail: bool = False,
    ) -> pd.DataFrame:
        """Cohen's kappa of positions, each with the label of its span or none."""
    def by_pair(
        self,
        *coders: Hashable,
        metrics: str | Sequence[str] = "f1",
        iou: float = 1,
        of: Of = "all",
        by: By = None,
        overall: bool = False,
        ci: float | None = 0.95,
        clusters: Clusters = None,
        detail: bool = False,
    ) -> pd.DataFrame:
        """Agreement of each pair of coders on the documents that both saw."""
    def by_category(
        self,
        *coders: Hashable,
        iou: float = 1,
        by: By = None,
        overall: bool = False,
        ci: float | None = 0.95,
        clusters: Clusters = None,
        detail: bool = False,
    ) -> pd.DataFrame:
        """Agreement on each label: F1 and two kinds of alpha."""
    def by_item(self, *coders: Hashable) -> pd.DataFrame:
        """Agreement on each document."""
    def disagreements(self, *coders: Hashable, detail: bool = False) -> pd.DataFrame:
        """The spans on which two coders differ, one row per pair of spans or unmatched span."""
    def to_long(self, *coders: Hashable) -> pd.DataFrame:
        """Segments as long data, from which every other coefficient can be computed."""
    @property
    def plot(self) -> SpanPlots:
        """Plots: `document` (the spans of one document), `by_category` and `by_pair`."""

__all__ = [
    "AgreementAccessor",
    "AgreementTests",
    "CellsAgreement",
    "CountsAgreement",
    "CrosstabAgreement",
    "GroupByAgreement",
    "GroupedCoders",
    "JudgedAgreement",
    "LongAgreement",
    "Methods",
    "Plots",
    "Preferences",
    "SpanAgreement",
]
