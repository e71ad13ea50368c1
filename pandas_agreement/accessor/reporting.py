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


class ReportMethods(CoefficientMethods):
    """The report."""

    __slots__ = ()

    @takes(metric="metrics", without=("overall", "pool"), one_word=True, guessed=True)
    def report(
        self,
        *coders: Hashable,
        metrics: Sequence[str] | None = None,
        n: int = 10,
        title: str = "Agreement report",
        words: str | None = None,
        pictures: bool = True,
        date: date | None = None,
        options: Options,
    ) -> Report:
        """A report on one page, to read in a notebook, to send as an HTML file, or to paste as Markdown.

        It contains the coefficients with intervals and words, the findings of `diagnose` with advice, breakdowns by
        category, coder, pair and item (with your own columns), and a paragraph for the methods section of a paper, with
        references. Sections that the data do not allow are left out and listed at the end.

        Parameters
        ----------
        *coders : hashable
            The coders; none means all.
        by : column name, list of names, or anything `groupby` takes, optional
            Show the groups beside all data together.
        metrics : list of str, optional
            The coefficients. Default: those of `summary`, with `weights` or `level` only those that take them; for
            scores icc_a1, icc_c1, ccc and alpha (of a crowd, more than 20 coders with gaps, icc_1 and alpha).
        n : int
            Rows of a table that may be long, such as the items to look at first.
        title : str
            The title.
        words : str, optional
            The scale of `interpret`, for all coefficients. Default: 'krippendorff', whose limits the findings use too;
            with intraclass correlations 'koo_li'.
        pictures : bool
            Draw pictures, if matplotlib is installed.
        date : date, optional
            The date of the report. Default: today.
        **options
            The options of the coefficients, such as `level`, `weights`, `missing`, `ci`, `method`, `categories`.

        Returns
        -------
        Report
            Displayed in a notebook; `to_html(path)` writes one self-contained file, `to_markdown(path)` one without
            pictures; without `path` they return the text.

        Notes
        -----
        Without `level` and `weights` the labels decide, as in `diagnose`: ordered Categoricals are ordinal; strings,
        booleans and other Categoricals nominal; numbers with fractions are scores, with coefficients for numbers, alpha
        at the interval level and no categories, as are all numbers with ``level="interval"``. Whole numbers may be
        names or steps of a scale: the first line has alpha both ways, and advice on single categories waits for
        ``level="nominal"``.

        The main coefficient is alpha if it is among the coefficients (with `weights` kappa, for scores icc_a1); pairs
        and groups are compared by it. Findings follow the rules of `diagnose`, applied to that coefficient and to the
        items and intervals of the options. Pairs of coders with fewer than ten common items are left out.

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

        request = Request(metrics, n, words, pictures, date, options.progress)
        return Report(write(report_data(self, coders, options.without("progress"), request), title))


def report_data(view: CoefficientMethods, coders: Sequence[Hashable], options: Options, request: Request) -> ReportData:
    """The data of a report, read once, in any input format."""
    from pandas_agreement.report import Source, gather

    sets = set_cells(options.level, options.sep) is not None
    source = Source(view._frame, view._read, view._records, sets, getattr(view, "_columns", None))
    return gather(source, coders, options, request)
