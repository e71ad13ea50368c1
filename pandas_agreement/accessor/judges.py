"""`df.agree.judges(...)`: judges and models against people. The numbers are made in the folder `judges`."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, NoReturn

import pandas as pd

from pandas_agreement import judges as rooms
from pandas_agreement.accessor import docs
from pandas_agreement.accessor.base import by_coefficient
from pandas_agreement.accessor.corrected import CorrectedMethods
from pandas_agreement.accessor.result_plots import ResultPlots
from pandas_agreement.accessor.signatures import takes
from pandas_agreement.coefficients.registry import Coefficient
from pandas_agreement.core.progress import bar_of, count_steps
from pandas_agreement.errors import (
    InputError,
    UnknownMethodError,
    choose,
    nearest,
    shown,
    wrong_value,
)
from pandas_agreement.options import Options

if TYPE_CHECKING:
    from pandas_agreement.report import Report


def check_contrast(contrast: Any, by_human: bool) -> None:
    """Raise for a contrast that does not exist, or together with `by_human`."""
    if not isinstance(contrast, bool) and not (isinstance(contrast, str) and contrast == "by"):
        raise wrong_value("contrast", contrast, "must be True (between judges), 'by' (between groups) or False")
    if contrast and by_human:
        raise InputError("contrast= and by_human= give two different tables", "ask for one of them", option="contrast")


@docs.completed
class JudgedAgreement(CorrectedMethods):
    """Judges and models against people: `df.agree.judges("gpt", humans=["ann", "bob"])`."""

    __slots__ = ()

    @takes(
        "by",
        "sep",
        "ci",
        "method",
        "clusters",
        "progress",
        metric="metrics",
        without=("pool",),
        one_word=True,
    )
    def versus_humans(
        self,
        *,
        metrics: str | Sequence[str] = "kappa",
        margin: float | None = None,
        equivalence: bool = False,
        common: bool = False,
        by_human: bool = False,
        contrast: bool | Literal["by"] = False,
        options: Options,
    ) -> pd.DataFrame:
        """Agreement of the judge with humans, compared with agreement between humans.

        `estimate` is the mean agreement of the judge with a human, and `ceiling` that of two humans, both on the items
        with a label of the judge and two or more human labels. A judge is 'as good' if the difference is shown to be
        above minus `margin` (non-inferiority, one-sided 5%, with Holm's adjustment over all rows), and if the judge is
        shown to be better than the constant answer (`baseline`) and than guessing. It is never 'as good' if it copies a
        human. If humans hardly agree with each other, a judge that guesses is not far below them; only the second
        condition tells it from a human.

        Parameters
        ----------
        metrics : str or list of str
            'kappa' (default), 'observed', or another coefficient of two coders: 'pi', 'alpha', 'ac1', 'ac2' or 's'. A
            coefficient is averaged over pairs of coders, and 'observed' over items.
        margin : float, optional
            How far below the humans is still as good as a human. You choose it. Default: 0.05 for 'observed', else 0.1.
        equivalence : bool
            Require for 'as good' that the difference is also below the margin.
        common : bool
            Use only the items that all judges labelled.
        by_human : bool
            Return one row per human: the agreement of the judge with this human, and that of the human with the others.
        contrast : bool or 'by'
            True compares judges, on the items that all of them labelled. 'by' compares the groups of `by`, in how far a
            judge is from the humans; the groups must not share items.
        **options
            `by`, `ci`, `clusters`, `sampling` ('items', or 'both' for other humans as well), `level` (`weights` is
            accepted), `sep`, `progress` and the other options of the coefficient. For sets of labels use `level='masi'`
            or 'jaccard' with `metrics='alpha'` or 'observed'.

        Returns
        -------
        DataFrame
            One row per judge, indexed by `judge` (after the group keys). A list of `metrics` adds the level
            `coefficient`:

            {VERSUS}

            With `by_human=True` there is one row per human, indexed by `judge` and `coder`:

            {VERSUS_HUMAN}

            With `contrast` it is indexed by `judge_1` and `judge_2`, or by `judge` and the groups `first` and `second`:

            {CONTRASTS}

        Notes
        -----
        A human who used a single category has no kappa, and is left out of both `estimate` and `ceiling`.

        The interval of a coefficient is a score interval: it contains the differences that a t test does not reject,
        given the variance that the data would have if this were the true difference. Variance and skewness come from
        the influence of the items on both means, and from two pseudo-items on which only one of the coders differs. If
        labels are rare, a sample may show no such error of the judge, and a symmetric interval would then favour the
        judge. The p-values come from the same test, so `p_value` is below 0.05 exactly if the 95% interval excludes 0.
        'observed', `by_human` and `contrast` have symmetric t intervals.

        References
        ----------
        Agresti, A. and Min, Y. (2005). Simple improved confidence intervals for comparing matched proportions.
        Statistics in Medicine 24, 729-740.

        Examples
        --------
        >>> example = pandas_agreement.load_example()
        >>> judged = example.agree.judges("dev", humans=["ann", "bob", "cleo"])
        >>> judged.versus_humans()[["difference", "difference_low", "difference_high", "verdict"]].round(3)
               difference  difference_low  difference_high verdict
        judge
        dev        -0.153          -0.221           -0.091   worse
        """
        check_contrast(contrast, by_human)
        records, alike = self._chosen(metrics, options), common or contrast is True
        with count_steps(options.progress, 1 + 2 * len(records)) as steps:
            judged = self._judged("versus_humans", options, least=2 if by_human else 1)
            steps.step()

            def of(record: Coefficient) -> pd.DataFrame:
                comparison = rooms.Comparison.of(judged, record, options, alike, merge=contrast is not True)
                method = "analytic" if by_human or contrast else comparison.method
                choose("method", options.method, dict.fromkeys(("auto", method)))
                comparison.compare_pairs()
                steps.step()
                if by_human:
                    result = rooms.by_human(comparison, options, margin)
                elif contrast is True:
                    result = rooms.between_judges(comparison, options.ci)
                elif contrast == "by":
                    result = rooms.between_groups(comparison, options)
                else:
                    result = rooms.by_judge(comparison, options, margin, equivalence)
                steps.step()
                return result

            return by_coefficient(of, metrics, records)

    @takes("by", "ci", "clusters")
    def ceilings(self, *, options: Options) -> pd.DataFrame:
        """Judge and human compared with the same reference: the vote of the other humans.

        One human is left out at a time. A label scores 1 if its category leads the vote, one half if it is one of two
        that lead, and so on. If a judge were compared with the vote of all humans and a human with the vote of the
        others, the judge would look better: if everybody is right on 80% of binary items and there are three humans,
        0.738 compared with 0.680. Here both have 0.680.

        Parameters
        ----------
        by, ci, clusters
            As for `versus_humans`.

        Returns
        -------
        DataFrame
            One row per human and one for the mean of the humans, '(mean)', indexed by `judge` and `coder` (after the
            group keys):

            {CEILINGS}

        Notes
        -----
        With three humans or fewer the row '(mean)' is equal to ``versus_humans(metrics="observed")``, because a vote of
        two humans, shared if tied, is their mean. With four or more it is not.

        Examples
        --------
        >>> example = pandas_agreement.load_example()
        >>> judged = example.agree.judges("dev", humans=["ann", "bob", "cleo"])
        >>> judged.ceilings(detail=True)[["estimate", "ceiling", "difference", "n_ties"]].round(3)
                      estimate  ceiling  difference  n_ties
        judge coder
        dev   ann        0.602    0.728      -0.126      86
              bob        0.654    0.716      -0.062      70
              cleo       0.633    0.715      -0.082      74
              (mean)     0.634    0.722      -0.088     111
        """
        return rooms.ceilings(self._judged("ceilings", options, least=2), options)

    @takes("by", "ci", "clusters")
    def accuracy(self, *, reference: Hashable | pd.Series | None = None, options: Options) -> pd.DataFrame:
        """How often judges and humans are right: accuracy, balanced accuracy, macro F1, kappa.

        Parameters
        ----------
        reference : hashable, Series, 'majority' or 'consensus'
            The labels that count as right: a column of known labels, one of the humans (who then has no row), or
            'majority', the vote of the humans. A human is compared with the vote of the others, where ties share it,
            and a judge with the same votes, as in `ceilings`. 'consensus' is the label of ``consensus(*humans)``, which
            contains every human, and is therefore available for judges only. In long data a column has one label per
            item, which may be missing in some of its rows. A Series of known labels, such as a column of another frame,
            is matched by index, in long data by item. Items without a known label do not count.
        by, ci, clusters
            As for `versus_humans`.

        Returns
        -------
        DataFrame
            Four rows per judge and human, indexed by `coder` and `coefficient` (after the group keys). With
            ``detail=True`` the remarks on a judge name the best human:

            {ACCURACY}

        Notes
        -----
        `balanced_accuracy` is the mean sensitivity over the categories of the reference, and `macro_f1` the mean over
        all categories that either of them used. Their intervals and that of kappa come from the influence of the items.
        The interval of accuracy is Wilson's.

        Examples
        --------
        >>> example = pandas_agreement.load_example()
        >>> judged = example.agree.judges("dev", humans=["ann", "bob", "cleo"])
        >>> found = judged.accuracy(reference="ann").xs("accuracy", level="coefficient")
        >>> found[["role", "estimate", "ci_low"]].round(3)
                role  estimate  ci_low
        coder
        dev    judge     0.654   0.606
        bob    human     0.737   0.693
        cleo   human     0.722   0.678
        """
        return rooms.accuracy(*self._against("accuracy", reference, options), options.ci)

    @takes("by", "ci", "clusters")
    def error_rates(
        self, *, reference: Hashable | pd.Series | None = None, by_human: bool = False, options: Options
    ) -> pd.DataFrame:
        """Errors of a judge by category: what it misses, and what it gives too often.

        Parameters
        ----------
        reference : hashable, Series, 'majority' or 'consensus'
            The labels that count as right: one of the humans, a column or Series of known labels (as for `accuracy`),
            'majority', the vote of all humans, where ties share it, or 'consensus', the label of
            ``consensus(*humans)``, which leaves out tied items. It may be left out if there is one human. To compare
            with labels that a model infers, make a column of ``consensus(*humans, method="dawid_skene")``, without the
            judge among its coders.
        by_human : bool
            Compare with each human, in place of `reference`, to see whether the judge misses what all humans see, or
            what one human sees.
        by, ci, clusters
            As for `versus_humans`.

        Returns
        -------
        DataFrame
            One row per category, indexed by `judge` and `category` (after the group keys):

            {ERROR_RATES}

            With `by_human=True` there is one row per human and category, indexed by `judge`, `coder` and `category`.

        Notes
        -----
        The intervals of rates are Wilson's, with clusters and tied votes for the number of items that has the standard
        error of the rate. The interval of `favours` uses the two pseudo-items of `versus_humans`.

        Examples
        --------
        >>> example = pandas_agreement.load_example()
        >>> judged = example.agree.judges("dev", humans=["ann", "bob", "cleo"])
        >>> judged.error_rates(reference="majority")[["sensitivity", "precision", "favours"]].round(2)
                         sensitivity  precision  favours
        judge category
        dev   bug               0.87       0.62     0.17
              complaint         0.33       0.50    -0.02
              question          0.53       0.77    -0.10
              request           0.50       0.67    -0.05
        """
        if by_human and reference is not None:
            problem = f"by_human=True compares with each human, and reference={shown(reference)} with one reference"
            raise InputError(problem, "ask for one of them", option="by_human")
        if by_human:
            return rooms.error_rates(self._judged("error_rates", options), None, options.ci)
        if reference is None and len(self._roles.humans) == 1:
            reference = self._roles.humans[0]
        return rooms.error_rates(*self._against("error_rates", reference, options), options.ci)

    @takes("by", "ci", "clusters", without=("frequency",), called="judges.bias")
    def bias(self, *columns: Hashable, options: Options) -> pd.DataFrame:
        """How the difference between judge and humans depends on properties of the items.

        The label of the judge minus the mean of the human labels of an item is regressed on all the columns together,
        such as the length of a text and its author. A coefficient shows an association, not a cause: long texts may be
        better in a way that the judge notices and people do not, and other columns may matter as well.

        Parameters
        ----------
        *columns : hashable
            Columns of the frame with one value per item (in long data the same in all its rows, or missing in some). A
            numeric column has one coefficient, '(per unit)', and any other column has one for each level except the
            first. Numbers that stand for categories, such as the number of a model, should be a Categorical, whose
            first category is the reference.
        by, ci, clusters
            As for `versus_humans`.

        Returns
        -------
        DataFrame
            One row per coefficient, indexed by `judge`, `column` and `level` (after the group keys):

            {BIAS}

        Notes
        -----
        The labels must be numbers, or one of two categories, of which the second, `category`, counts as 1 and the other
        as 0. Items count if they have a label of the judge, at least one human label, and a value in every column. The
        standard errors come from the jackknife, which leaves out one item at a time (HC3) or one cluster (CR3), so they
        account for unequal variances and for dependent items. The degrees of freedom are the effective number of items
        or clusters on which a coefficient is based, which is small if a level is rare.

        References
        ----------
        MacKinnon, J. G. and White, H. (1985). Some heteroskedasticity-consistent covariance matrix estimators with
        improved finite sample properties. Journal of Econometrics 29, 305-325. MacKinnon, J. G., Nielsen, M. O. and
        Webb, M. D. (2023). Cluster-robust inference: a guide to empirical practice. Journal of Econometrics 232,
        272-299.

        Examples
        --------
        >>> scored = pd.DataFrame({"gpt": [3, 4, 5, 3, 5, 4], "ann": [3, 4, 4, 3, 4, 3], "bob": [3, 3, 4, 3, 3, 4]})
        >>> scored["words"] = [10, 30, 60, 20, 80, 40]
        >>> scored.agree.judges("gpt", humans=["ann", "bob"]).bias("words")[["estimate", "ci_low", "ci_high"]].round(3)
                                 estimate  ci_low  ci_high
        judge column level
        gpt   words  (per unit)     0.022   0.016    0.029
        """
        judged = self._judged("bias", options)
        self._check_columns(columns)
        return rooms.bias(judged, [(name, self._by_item(name, judged.reading)) for name in columns], options.ci)

    @takes("by", "ci", "clusters")
    def stability(self, *, runs: Mapping[Hashable, Sequence[Hashable]] | None = None, options: Options) -> pd.DataFrame:
        """Agreement of a judge with itself over several runs, and the gain of a vote of runs.

        Runs of one judge are neither new items nor new coders, so do not combine them with humans in alpha. For a mean
        verdict one more item is always worth more than one more run of the same items.

        Parameters
        ----------
        runs : dict, optional
            For wide data, the judges and the columns of their runs, as in ``{"gpt": ["gpt_1", "gpt_2"]}``. All columns
            must be named in `judges`. By default all of them are runs of one judge. For long data, name the runs with
            `judges(..., run="seed")`.
        by, ci, clusters
            As for `versus_humans`. `humans=[]` is allowed for this method.

        Returns
        -------
        DataFrame
            Indexed by `judge` and `coefficient` (after the group keys): `observed` and `alpha` of the runs, `flip_rate`
            (the probability that two runs differ) and `unanimous` (the share of items with the same label in all runs).
            For numbers also `icc_1`, `sd_within` and the `mean` verdict with its standard error. If there are humans
            also the agreement with a human of a single run, `human_single`, and of the vote of the runs, `human_vote`
            (where ties share it), and their difference, `vote_gain`:

            {STABILITY}

        Examples
        --------
        >>> runs = pd.DataFrame({"g1": list("yyynnnyn"), "g2": list("yyynnyyn"), "g3": list("yyynnnyn")})
        >>> judged = runs.agree.judges("g1", "g2", "g3", humans=[])
        >>> judged.stability(runs={"gpt": ["g1", "g2", "g3"]})[["estimate", "n_runs"]].round(3)
                           estimate  n_runs
        judge coefficient
        gpt   observed        0.917       3
              flip_rate       0.083       3
              alpha           0.839       3
              unanimous       0.875       3
        """
        source, coders, judges = self._runs(runs)
        everybody = [*coders, *self._roles.humans]
        if len(everybody) < 2:
            problem = f"stability compares runs, and there is one: {shown(coders[0])}"
            raise InputError(problem, "name the columns of all runs as judges", option="runs", code="too few coders")
        categories = self._roles.categories
        options = options if categories is None else options.but(categories=categories)
        reading = source._read(everybody, options, needs_coders="stability", rows=True)
        return rooms.stability(reading, judges, len(coders), options)

    @takes("by", "ci", "clusters", "progress", without=("overall", "detail"))
    def report(
        self, *, title: str = "Judges against people", n: int = 10, pictures: bool = True, options: Options
    ) -> Report:
        """The report on the labels of the humans, with a section on the judges.

        Parameters
        ----------
        title : str
            The title.
        n : int
            Number of rows of tables that may be long.
        pictures : bool
            Whether to draw plots, if matplotlib is installed.
        by, ci, clusters
            As for `versus_humans`.
        progress : bool
            Show a progress bar, which needs tqdm.

        Returns
        -------
        Report
            Like that of `df.agree.report`: a notebook displays it, and `to_html` and `to_markdown` write it.

        Examples
        --------
        >>> example = pandas_agreement.load_example()
        >>> report = example.agree.judges("dev", humans=["ann", "bob", "cleo"]).report(pictures=False)
        >>> [section.title for section in report.contents.sections][:2]
        ['In short', 'Judges against people']
        """
        from pandas_agreement.accessor.reporting import report_data
        from pandas_agreement.report import Report, Request, judge_section, write  # slow to import

        show, options = bar_of(options.progress), options.without("progress")
        asked = {name: getattr(options, name) for name in options.given}
        source: Any = self._source
        data = report_data(source, self._roles.humans, options, Request(n=n, pictures=pictures))
        scores = data.scores
        scale: dict[str, Any] = {"metrics": "alpha", "level": "interval"} if scores else {}
        steps: list[Callable[[], Any]] = [
            lambda: self.versus_humans(**{**scale, **asked, "detail": True}),
            lambda: self.versus_humans(by_human=True, **scale, **asked),
            lambda: None if scores else self.error_rates(reference="majority", **asked),
            lambda: write(data, title),
        ]
        versus, detail, rates, contents = [step() for step in show(steps)]
        section = judge_section(versus, detail, rates, pictures)
        first, *rest = contents.sections
        return Report(replace(contents, sections=(first, section, *rest)))

    @takes("by", "level", "sep", of=("observed",), without=("sampling",), one_word=True)
    def alt_test(
        self,
        *,
        annotators: Literal["expert", "skilled", "crowd"] | None = None,
        epsilon: float | None = None,
        min_items: int = 30,
        by_human: bool = False,
        options: Options,
    ) -> pd.DataFrame:
        """The alternative annotator test, with the constant answer for comparison.

        A judge passes if it is not inferior to at least half of the humans. It is not inferior to a human if it is
        closer to the other humans than this human is on more items, or on fewer items by less than `epsilon`. Passing
        means "not much worse than the worse half of the humans", not "as good as a person". If nine of ten labels are
        the same, a judge that always gives this label passes as well, which `baseline_passed` shows. No constant judge
        passes `versus_humans`.

        Parameters
        ----------
        annotators : {'expert', 'skilled', 'crowd'}, optional
            Who the humans are. Cheaper humans have a smaller epsilon: 0.2, 0.15 or 0.1.
        epsilon : float, optional
            The advantage that the judge gets for being cheaper, as a number in place of `annotators`.
        min_items : int
            Humans with fewer items are not tested.
        by_human : bool
            One row per human.
        by, level, sep
            As for `alpha`; `weights` is accepted. The accuracy of the authors is 'nominal', and their negative RMSE is
            'interval'.

        Returns
        -------
        DataFrame
            One row per judge, indexed by `judge` (after the group keys):

            {ALT_TEST}

            With `by_human=True` there is one row per human, indexed by `judge` and `coder`:

            {ALT_HUMAN}

        References
        ----------
        Calderon, N., Reichart, R. and Dror, R. (2025). The alternative annotator test for LLM-as-a-judge: how to
        statistically justify replacing human annotators with LLMs. Proceedings of ACL 2025.

        Examples
        --------
        >>> example = pandas_agreement.load_example()
        >>> judged = example.agree.judges("dev", humans=["ann", "bob", "cleo"])
        >>> judged.alt_test(annotators="expert")[["winning_rate", "advantage", "passed", "baseline_passed"]].round(3)
               winning_rate  advantage  passed  baseline_passed
        judge
        dev             1.0      0.801    True            False
        """
        chosen = rooms.epsilon_of(annotators, epsilon)
        judged = self._judged("alt_test", options)
        (observed,) = self._chosen("observed", options)
        return rooms.alt_test(judged, judged.distance(observed, options), chosen, min_items, by_human)

    def _records(self, metrics: str | Sequence[str] | None, weights: Any) -> list[Coefficient]:
        """The chosen coefficients; between sets, which have no weights, percent agreement is 1 minus the distance."""
        records = super()._records(metrics, weights)
        return [rooms.of_sets(record) for record in records] if weights is None else records

    @property
    def plot(self) -> ResultPlots:
        """Plots of these tables: `versus_humans` and `ceilings`, with the options of these methods.

        Examples
        --------
        >>> example = pandas_agreement.load_example()
        >>> judged = example.agree.judges("dev", humans=["ann", "bob", "cleo"])
        >>> judged.plot.versus_humans(metrics="alpha").get_title(loc="left")
        'Judge minus humans, alpha'
        """
        return ResultPlots(self, {"versus_humans": "versus_humans", "ceilings": "ceilings"})

    # --------------------------------------------------------------------------------------------------- other names

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        remedy = "name what to compute, as in df.agree.judges(...).versus_humans()"
        raise InputError("df.agree.judges(...) is not a function", remedy, code="unknown method")

    def _look_up(self, name: str) -> Any:
        remedy = nearest(name, [each for each in dir(type(self)) if not each.startswith("_")])
        raise UnknownMethodError(f"df.agree.judges(...) has no method {name!r}", remedy, code="unknown method")

    if not TYPE_CHECKING:  # or type checkers would accept any name
        __getattr__ = _look_up
