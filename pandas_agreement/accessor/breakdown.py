"""Methods that break agreement down by category, pair, coder, item and margin."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial

import pandas as pd

from pandas_agreement import breakdown, engine
from pandas_agreement.accessor import docs
from pandas_agreement.accessor.base import Base, by_coefficient
from pandas_agreement.accessor.signatures import takes
from pandas_agreement.breakdown.scales import has_fractions, is_said, read_as_scores, scale_of
from pandas_agreement.coefficients.registry import Coefficient, find
from pandas_agreement.core.progress import bar_of
from pandas_agreement.core.scores import Scores
from pandas_agreement.data import Reading
from pandas_agreement.data.cells import to_sets
from pandas_agreement.data.reading import check_each, scores_of
from pandas_agreement.errors import InputError
from pandas_agreement.options import Options, as_scores

SCALE = ("weights", "level", "sep")  # options of the distance between labels
#: options that only an interval needs
INTERVAL = ("ci", "method", "n_resamples", "rng", "progress", "clusters", "sampling", "pool")


@docs.completed
class BreakdownMethods(Base):
    """Breakdowns by category, pair, coder, item and margin."""

    __slots__ = ()

    @takes(metric="metrics", without=("clusters", "sampling"), one_word=True)
    def by_pair(
        self, *coders: Hashable, metrics: str | Sequence[str] = "kappa", full: bool = False, options: Options
    ) -> pd.DataFrame:
        """One coefficient for every pair of coders, on the items that both of them labelled.

        Parameters
        ----------
        {WHO}
        metrics : str or list of str
            Any coefficient. A list gives one row for each.
        full : bool
            Return every pair in both orders, so that the matrix is symmetric.
        detail : bool
            For kappa, add its bounds given the label distributions and the indices of Byrt, Bishop and Carlin (1993):
            `kappa_min`, `kappa_max`, `pabak`, `prevalence_index` and `bias_index`. For ccc, add `precision`,
            `accuracy`, `location_shift` and `scale_shift`.
        **options
            The options of the coefficient.

        Returns
        -------
        DataFrame
            One row per pair, indexed by `coder_1` and `coder_2`, with the columns of `kappa`.
            ``result.estimate.unstack()`` is the matrix.

        Examples
        --------
        >>> df.agree.by_pair()["estimate"].round(3)
        coder_1  coder_2
        ann      bob        0.348
                 cleo       0.783
        bob      cleo       0.524
        Name: estimate, dtype: float64
        """
        read = self._read(coders, options, needs_coders="by_pair")

        def of(record: Coefficient) -> pd.DataFrame:
            result = breakdown.details.of_pairs(engine.measure_pairs(read, record, options), read, record, options)
            return breakdown.confusion.both_orders(result) if full else result

        return by_coefficient(of, metrics, self._records(metrics, options.weights))

    @takes("by", "categories", "missing", "ci", "clusters", "sep", "progress")
    def by_category(
        self,
        *coders: Hashable,
        metrics: str | Sequence[str] = "rate",
        multilabel: bool = False,
        options: Options,
    ) -> pd.DataFrame:
        """Agreement on each category: if one coder chose it, how often the other did as well.

        Parameters
        ----------
        {WHO}
        metrics : str or list of str
            'rate' is the number of pairs of coders who both chose the category, divided by the number of pairs of whom
            at least one did. 'specific' is the probability that another coder chooses the category if one does. Any
            coefficient (such as 'kappa', 'pi', 'alpha') is computed for the category against all others; 'bias' is the
            category's part of the total bias. 'conditional_kappa' is kappa on the items for which the first of two
            coders chose the category. The category with the lowest rate is ``result.estimate.idxmin()``.
        by, categories, missing, ci, clusters, progress
            As for `kappa`.
        multilabel : bool
            Cells may hold several labels, as a list, tuple or set. An empty cell means that the coder chose nothing,
            and a missing value that the coder did not see the item.
        sep : str, optional
            Cells may hold several labels as text, with this separator, such as '|'.

        Returns
        -------
        DataFrame
            One row per category (and group), and for a list of `metrics` one for each of them. The intervals of 'rate'
            and 'specific' are computed on the logit scale. For these two and for 'conditional_kappa', `n_items` counts
            the items for which at least one coder chose the category. Columns:

            {CATEGORY}

        Notes
        -----
        The null hypothesis of the p-value is that each coder distributes their choices of the category over the items
        at random. The p-value is exact (mid-p) for two coders. For more coders it comes from the normal distribution
        with the exact mean and variance. With `clusters` there is no p-value, because the items of a cluster are not
        independent.

        References
        ----------
        Cicchetti, D. V. and Feinstein, A. R. (1990). High agreement but low kappa: II. Resolving the paradoxes.
        Journal of Clinical Epidemiology 43, 551-558. Light, R. J. (1971). Psychological Bulletin 76, 365-377.

        Examples
        --------
        >>> df.agree.by_category("ann", "bob", metrics=["rate"])[["estimate", "n_items", "p_value"]].round(3)
                              estimate  n_items  p_value
        category coefficient
        n        rate            0.400        5    0.183
        y        rate            0.625        8    0.183
        >>> tags = pd.DataFrame({"ann": ["bug|slow", "slow", ""], "bob": ["bug", "slow", "bug"]})
        >>> tags.agree.by_category(sep="|", metrics=["rate"], ci=None)["estimate"].round(3)
        category  coefficient
        bug       rate           0.5
        slow      rate           0.5
        Name: estimate, dtype: float64
        """
        several = multilabel or options.sep is not None
        read = self._read(coders, options, cells=partial(to_sets, sep=options.sep) if several else None)
        return breakdown.categories.by_category(read, metrics, options, several)

    @takes("by", "categories", without=("detail",))
    def confusion(self, *coders: Hashable, options: Options) -> pd.DataFrame:
        """Contingency table of two coders: one row and one column per category.

        Parameters
        ----------
        *coders : hashable
            The two coders, who are the rows and the columns. With more than two, the first coder is compared with all
            labels of the others. With one, that coder is compared with all other coders.
        by, categories
            As for `kappa`.

        Returns
        -------
        DataFrame
            Counts of the items that both coders labelled, including categories that were not used. With `by` the group
            keys come before the row labels.

        Examples
        --------
        >>> df.agree.confusion("ann", "bob")
        bob  n  y
        ann
        n    2  2
        y    1  5
        >>> df.agree.confusion("ann")
        others  n   y
        ann
        n       5   3
        y       1  11
        """
        check_each(coders)
        read = self._read(() if len(coders) == 1 else coders, options, needs_coders="confusion")
        return breakdown.confusion.confusion(read, coders)

    @takes(*SCALE, "by", "categories", "progress", one_word=True)
    def by_coder(self, *coders: Hashable, options: Options) -> pd.DataFrame:
        """Agreement of each coder with the others, alpha without the coder, and the favoured category.

        Parameters
        ----------
        {WHO}
        level, weights : optional
            The scale of the labels, as for `summary`. Agreement and alpha use its distances. With ``level="interval"``
            numbers are scores, and no category is favoured.
        by, sep, categories, progress
            As for `alpha`.

        Returns
        -------
        DataFrame
            Indexed by `coder` (after the group keys):
            {CODERS}

        Examples
        --------
        >>> df.agree.by_coder()[["agreement", "alpha_change", "favours", "favours_by"]].round(3)
               agreement  alpha_change favours  favours_by
        coder
        ann         0.80        -0.017       n        0.10
        bob         0.75         0.226       y        0.05
        cleo        0.85        -0.191       y        0.05
        >>> stars = pd.DataFrame({"ann": [1, 2, 4, 5, 3], "bob": [1, 2, 5, 5, 3], "cleo": [2, 3, 5, 5, 4]})
        >>> stars.agree.by_coder(level="ordinal", detail=True)[["agreement", "alpha_change", "difference"]].round(3)
               agreement  alpha_change  difference
        coder
        ann        0.965         0.019        -0.5
        bob        0.974        -0.069        -0.2
        cleo       0.958         0.073         0.7
        """
        scores = as_scores(options)
        read = self._read(coders, options, needs_coders="by_coder", scores=scores)
        if isinstance(read.ratings, Scores):
            return breakdown.coder_scores.coders_of_scores(read, scores_of(read, "by_coder"))
        return breakdown.coders.coders(read, engine.distance_for(find("alpha"), read, options), options.progress)

    @takes("by", "categories", "missing", "ci")
    def margins(self, *coders: Hashable, options: Options) -> pd.DataFrame:
        """Each coder's share of each category, minus that of the other coders on the same items.

        With ``detail=True`` the column `difference` compares the coder with the mean of all coders. The sum of its
        squares over categories and coders, divided by :math:`C (C - 1)`, is `bias`.

        Parameters
        ----------
        {WHO}
        by, categories, missing, ci, frequency
            As for `kappa`.

        Returns
        -------
        DataFrame
            Indexed by `coder` and `category` (after the group keys):
            {MARGINS}

        Examples
        --------
        >>> df.agree.margins("ann", "bob")["share"].unstack()
        category    n    y
        coder
        ann       0.4  0.6
        bob       0.3  0.7
        """
        read = self._read(coders, options, needs_coders="margins")
        return breakdown.confusion.margins(read, options.missing, options.ci)

    @takes(metric="metrics", without=(*INTERVAL, "overall"), one_word=True)
    def by_item(self, *coders: Hashable, metrics: str | Sequence[str] = "alpha", options: Options) -> pd.DataFrame:
        """Agreement, majority label and influence on a coefficient, for each item.

        Parameters
        ----------
        {WHO}
        metrics : str or list of str
            The coefficient of the column `influence`, whose weights `agreement` uses. A list gives one row for each.
        level, weights : optional
            The scale of the labels, as for `summary`. One of the two sets both.
        **options
            The options of the coefficient, except those of the interval.

        Returns
        -------
        DataFrame
            It has the index of the frame, so that it can be joined to it. For long data the index is the item (after
            the group keys). Columns: {ITEMS}

        Examples
        --------
        >>> df.agree.by_item().loc[[0, 5], ["n_labels", "agreement", "majority", "share", "tie"]].round(2)
           n_labels  agreement majority  share    tie
        0         3       1.00        y   1.00  False
        5         3       0.33        y   0.67  False
        """

        def of(record: Coefficient) -> pd.DataFrame:
            return self._items(coders, record, options)[0]

        return by_coefficient(of, metrics, self._records(metrics, options.weights))

    @takes(metric="metrics", without=(*INTERVAL, "overall"), one_word=True)
    def disagreements(
        self, *coders: Hashable, n: int = 20, metrics: str | Sequence[str] = "alpha", options: Options
    ) -> pd.DataFrame:
        """The items to adjudicate first: those with the least agreement, with their labels.

        Parameters
        ----------
        {WHO}
        n : int
            Number of items.
        metrics, **options
            As for `by_item`, with a single coefficient, which decides the order of the rows.

        Returns
        -------
        DataFrame
            The labels of the coders (for long data one row per label, with its item and coder), `agreement` and
            `influence`. Items with the least agreement come first, then those with the most labels, then those with the
            lowest influence. Items on which all coders agree are left out. `detail=True` adds the other columns of the
            frame and those of `by_item`, such as `majority` and `tie`. `truth(method="dawid_skene").queue()` shows the
            label that a model infers.

        Examples
        --------
        >>> df.agree.disagreements(n=2)[["ann", "bob", "cleo", "agreement"]].round(2)
          ann bob cleo  agreement
        5   y   n    y       0.33
        7   n   y    y       0.33
        """
        records = self._records(metrics, options.weights)
        if len(records) != 1:
            problem = f"disagreements sorts items by one coefficient, and metrics= names {len(records)}"
            raise InputError(problem, "name one, such as metrics='alpha'", option="metrics")
        table, read = self._items(coders, records[0], options)
        shown = None if options.detail else self._labels_of(read)
        return breakdown.items.disagreements(table, read, self._frame, n, shown)

    @takes(*SCALE, "by", "categories", "progress", one_word=True, guessed=True)
    def diagnose(self, *coders: Hashable, options: Options) -> pd.DataFrame:
        """Problems found in the data, one row per finding, with the number behind it and advice.

        It looks for codes of missing labels and values far from all others, numbers with decimal commas that were read
        as text, labels that differ only in case or spaces, undefined and low agreement, two camps of coders, coders who
        are out of line or hardly vary, label distributions that differ, categories that are confused, that have less
        agreement than the others or no more than chance, high agreement with a low kappa, labels of one coder only,
        wide intervals, rare categories, items with one label, and what could not be tested. For scores it looks for bad
        data, low and uncertain agreement, and coders who are out of line or differ in level.

        Parameters
        ----------
        {WHO}
        level, weights : optional
            The scale of the labels, as for `summary`. By default ordered Categoricals are ordinal. Strings, booleans
            and other Categoricals are nominal. Numbers with fractions are scores, and so are all numbers with
            ``level="interval"``. Three or more whole numbers may be nominal labels or steps of a scale: the first
            finding then shows alpha for both, the other findings hold for both, and advice on single categories needs
            ``level="nominal"``.
        by, sep, categories, progress
            As for `alpha`.

        Notes
        -----
        A finding needs evidence: a test at the 5% level, adjusted for the number of coders, pairs or categories, or an
        interval that lies entirely beyond the threshold. Bad data, undefined agreement, spellings, rare categories,
        wide intervals and items with one label are facts about the data at hand.

        A coder is out of line if the coder agrees less with the others than they agree with each other. On items with
        three or more labels the coder is compared with random labels of the same items. On items with two labels the
        coder's items are compared with their neighbours in row order, so that batches do no harm as long as the rows
        are in the order of the batches; the finding says so. After a coder is named, the test starts again without this
        coder. It needs three coders. The finding "not tested" says which difference is too small to be found, and how
        many items would be needed.

        Among four to fifty coders, two camps are searched for on a random half of the items, with a fixed seed, and
        tested on the other half: alpha must be higher within both camps than across them. Each camp is then tested by
        itself.

        Returns
        -------
        DataFrame
            Indexed by `finding` (after the group keys), in the order in which to look at them; empty if there are none:

            {FINDINGS}

        Examples
        --------
        >>> example = pandas_agreement.load_example()
        >>> findings = example.agree.diagnose("ann", "bob", "cleo", "dev", detail=True)
        >>> findings.loc["coder out of line", ["about", "severity", "advice"]].tolist()
        ['dev', 'high', 'go through the items on which this coder differs from the others, and train the coder again']
        >>> findings.loc["coder out of line", "evidence"].partition(" on neighbouring")[0]
        "the agreement beyond chance of 'dev' with the other coders is 0.44, that of the others 0.58"
        """
        read = self._read(coders, options, scores=read_as_scores(options))
        if isinstance(read.ratings, Scores) and not (is_said(options) or has_fractions(read.ratings)):
            read = self._read(coders, options)
        return breakdown.diagnose.diagnose(read, scale_of(read, options), bar_of(options.progress))

    def _items(self, coders: Sequence[Hashable], record: Coefficient, options: Options) -> tuple[pd.DataFrame, Reading]:
        self._check_items()
        read = self._read_items(coders, options, record.name if record.needs_coders else None).in_order()
        return breakdown.items.items(read, self._frame, record, options), read
