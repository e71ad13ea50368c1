"""The report: everything about the labels of a frame on one page."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from datetime import date
from typing import TYPE_CHECKING

from pandas_agreement.accessor.coefficients import CoefficientMethods
from pandas_agreement.accessor.signatures import takes
from pandas_agreement.data import set_cells
from pandas_agreement.options import Options

if TYPE_CHECKING:
    from pandas_agreement.report import Report, ReportData, Request


#: options of coefficients that a report does not have
WITHOUT = {"overall", "detail", "pool", "method", "sampling", "n_resamples", "progress"}


class ReportMethods(CoefficientMethods):
    """The report."""

    __slots__ = ()

    @takes(metric="metrics", without=WITHOUT, one_word=True, guessed=True)
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
        options: Options,
    ) -> Report:
        """A report on one page, for a notebook, as an HTML file, or as Markdown.

        With `at_least` it begins with the answer whether agreement is high enough. It contains the coefficients with
        intervals and benchmark labels, the findings of `diagnose` with advice, breakdowns by category, coder, pair and
        item (with your own columns), and a paragraph for the methods section of a paper, with references. Sections that
        the data do not support are listed at the end.

        Parameters
        ----------
        *coders : hashable
            The coders. Default: all coders.
        by : column name, list of names, or anything `groupby` takes, optional
            Show the groups in addition to all data together.
        metrics : str or list of str, optional
            The coefficients. Default: those of `summary`, and with `level` those that accept it. For scores icc_a1,
            icc_c1, ccc and alpha, and for a crowd (more than 20 coders with missing scores) icc_1 and alpha.
        at_least : float, optional
            The agreement that you need. The report begins with the answer: yes if the interval of alpha, or of the
            first coefficient in `metrics`, lies at or above it, no if the interval lies below it, and otherwise not
            settled. The findings also compare agreement with this value instead of a conventional threshold.
        n : int
            Number of rows of tables that may be long, such as the items to look at first.
        title : str
            The title.
        benchmark : str, optional
            The benchmark of `interpret` whose labels are shown for the coefficients for which it was made. By default
            each coefficient has its own: 'krippendorff' for alpha, 'koo_li' for intraclass correlations, and
            'landis_koch' for kappa and related coefficients.
        pictures : bool
            Whether to draw plots, if matplotlib is installed.
        date : date, optional
            The date of the report. Default: today.
        level : str, matrix or function, optional
            The level of measurement, for all coefficients: 'nominal', 'ordinal' or 'interval'. Default: see below.
            `weights` is accepted in its place.
        sep, categories, missing, ci, clusters, frequency, rng
            As for the coefficients.

        Returns
        -------
        Report
            A notebook displays it. `to_html(path)` writes one self-contained file, and `to_markdown(path)` a file
            without plots. Without `path` they return the text.

        Notes
        -----
        Without `level` the level of measurement depends on the labels, as in `diagnose`. Ordered Categoricals are
        ordinal. Strings, booleans and other Categoricals are nominal. Numbers with fractions are scores, and so are all
        numbers with ``level="interval"``: they have coefficients for numbers, alpha at the interval level and no
        categories. Whole numbers may be nominal labels or steps of a scale: the first line shows alpha for both, and
        advice on single categories needs ``level="nominal"``.

        The main coefficient is alpha if it is among the coefficients (with `weights` kappa, for scores icc_a1). With
        `at_least` it is the coefficient that is compared with that value. Pairs and groups are compared by the main
        coefficient. Findings follow the rules of `diagnose`, applied to that coefficient and to the items and intervals
        that the options define. Pairs of coders with fewer than ten common items are left out.

        Examples
        --------
        >>> import pandas as pd, pandas_agreement
        >>> df = pandas_agreement.load_example()
        >>> report = df.agree.report("ann", "bob", "cleo", by="batch", pictures=False)
        >>> [section.title for section in report.contents.sections][:3]
        ['In short', 'What to do next', 'What stands out']
        >>> report.to_html("agreement.html")  # doctest: +SKIP
        """
        from pandas_agreement.report import Report, Request, write  # slow to import, and needed only here

        request = Request(metrics, at_least, n, benchmark, pictures, date)
        return Report(write(report_data(self, coders, options, request), title))


def report_data(view: CoefficientMethods, coders: Sequence[Hashable], options: Options, request: Request) -> ReportData:
    """The data of a report, read once, in any input format."""
    from pandas_agreement.report import ReportSource, gather

    sets = set_cells(options.level, options.sep) is not None
    keeps_first = getattr(view, "_duplicates", None) == "first"
    columns = getattr(view, "_columns", None)
    source = ReportSource(view._frame, view._read_items, view._records, sets, columns, keeps_first)
    return gather(source, coders, options, request)
