"""Methods for differences, pooling, tests against chance, and replicates."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Literal

import pandas as pd

from pandas_agreement import engine
from pandas_agreement.accessor import docs
from pandas_agreement.accessor.base import Base
from pandas_agreement.accessor.signatures import takes
from pandas_agreement.breakdown import chance_tests, comparison, groups
from pandas_agreement.coefficients.registry import find
from pandas_agreement.errors import InputError, choose
from pandas_agreement.options import Options

Alternative = Literal["two-sided", "greater", "less"]
RESAMPLING = ("method", "n_resamples", "rng", "progress")


@docs.completed
class ComparingMethods(Base):
    """Differences, pooling, tests and replicates."""

    __slots__ = ()

    @takes(metric="metric", without=("n_resamples", "rng", "progress", "sampling", "expected", "pool"))
    def compare(
        self,
        *sets: Sequence[Hashable],
        metric: str | Sequence[str] = "kappa",
        alternative: Alternative = "two-sided",
        common: bool = False,
        options: Options,
    ) -> pd.DataFrame:
        """Differences between coefficients of the same items: of several sets of coders, or several of one set.

        The standard error of a difference accounts for shared items and shared coders, whose correlation comes from the
        items' influences on both coefficients. The same coefficient of different coders is tested with its standard
        errors at the common value, as perfect agreement on a few items is no certainty; `method="analytic"` takes those
        at the estimates (Gwet 2016), which reject too often with fewer than 50 items or rare categories. With more than
        two, '(all)' is the joint test of all differences.

        Parameters
        ----------
        *sets : lists of coders
            Such as ``["ann", "bob"], ["ann", "llm"]``; two time points are two sets of columns.
        metric : str or list of str
            Any coefficient of labels; several are compared with each other on every set.
        alternative : {'two-sided', 'greater', 'less'}
            The alternative hypothesis: first minus second is not 0, above 0, or below 0.
        common : bool
            Use only the items that count for every set; by default each set uses all of its own.
        **options
            `by`, `ci`, `missing`, `clusters`, `weights` and the other options of the coefficient.

        Returns
        -------
        DataFrame
            Indexed by `first` and `second` (after the group keys); Holm's adjustment is within a group:

            {CONTRASTS}

        References
        ----------
        Gwet, K. L. (2016). Testing the difference of correlated agreement coefficients for statistical significance.
        Educational and Psychological Measurement 76, 609-637.

        Examples
        --------
        >>> df.agree.compare(["ann", "bob"], ["ann", "cleo"])[["difference", "ci_low", "ci_high", "p_value"]].round(3)
                            difference  ci_low  ci_high  p_value
        first    second
        ann, bob ann, cleo      -0.435  -1.097    0.232    0.151
        """
        if not sets or any(isinstance(one, str) or not isinstance(one, (list, tuple, set)) for one in sets):
            raise InputError("compare takes lists of coders, as in df.agree.compare(['ann', 'bob'], ['ann', 'llm'])")
        choose("method", options.method, dict.fromkeys(("auto", "score", "analytic")))
        records = self._records(metric, options.weights)
        if len(sets) * len(records) < 2:
            raise InputError("compare needs two sets of coders, or two coefficients in metric=")
        reads = [self._read(list(one), options, needs_coders="compare", rows=True) for one in sets]
        reads = comparison.on_common_items(reads, options.missing) if common else reads
        parts = []
        for name, read in zip(comparison.set_names([list(one) for one in sets]), reads, strict=True):
            for record in records:
                title = name + (f": {record.name}" if len(records) > 1 else "")
                parts.append(comparison.part_of(title, read, record, options))
        return comparison.compare(parts, reads[0].groups, options.ci, alternative, options.method == "analytic")

    @takes(metric="metric", without=("sampling", "overall"))
    def contrasts(
        self, *coders: Hashable, metric: str = "kappa", alternative: Alternative = "two-sided", options: Options
    ) -> pd.DataFrame:
        """Differences between all pairs of groups; those that share items are not taken as independent.

        Parameters
        ----------
        {WHO}
        metric : str
            Any coefficient.
        by : column name, list of names, or anything `groupby` takes
            The groups.
        alternative : {'two-sided', 'greater', 'less'}
            The alternative hypothesis.
        **options
            The options of the coefficient.

        Returns
        -------
        DataFrame
            Indexed by `first` and `second`, the groups:

            {CONTRASTS}

        Examples
        --------
        >>> example = pandas_agreement.load_example()
        >>> example.agree.contrasts("ann", "bob", by="batch").loc["2026-w03", ["difference", "p_holm"]].round(3)
                  difference  p_holm
        second
        2026-w04      -0.479   0.001
        2026-w05      -0.393   0.005
        2026-w06      -0.447   0.001
        """
        return groups.contrasts(self._groups(coders, metric, options), options.ci or 0.95, alternative)

    @takes(metric="metric", without=("sampling", "overall"))
    def heterogeneity(self, *coders: Hashable, metric: str = "kappa", options: Options) -> pd.DataFrame:
        """Tests whether the groups are equal, and whether there is a trend in their order.

        Parameters
        ----------
        {WHO}
        metric : str
            Any coefficient.
        by : column name, list of names, or anything `groupby` takes
            The groups. The trend is over their order as people read them: batch_2 before batch_10, dates by time; an
            ordered Categorical has its own order. The column `null` shows it.
        **options
            The options of the coefficient.

        Returns
        -------
        DataFrame
            Indexed by `test`, 'equality' (Fleiss' chi-squared of estimates weighted by their precision at the common
            value) and 'trend':

            {HETEROGENEITY}

        Notes
        -----
        p is that of F and t, with the degrees of freedom of the variance in the data. They are few where some items
        weigh much, as those of a rare category far from the others. With a `method` other than the default it is that
        of chi-squared and of the normal distribution.

        Examples
        --------
        >>> example = pandas_agreement.load_example()
        >>> example.agree.heterogeneity("ann", "bob", by="batch")[["statistic", "df", "n_groups"]].round(1)
                  statistic     df  n_groups
        test
        equality       44.4    5.0         6
        trend           5.8  418.0         6
        """
        return groups.heterogeneity(self._groups(coders, metric, options))

    def _groups(self, coders: Sequence[Hashable], metric: str, options: Options) -> groups.Groups:
        if options.by is None and not self._is_grouped:
            raise InputError("by= is missing: name the column of the groups to compare", option="by", code="no groups")
        record = find(metric)
        needs = record.name if record.needs_coders else None
        read = self._read(coders, options, needs, rows=True, scores=record.needs_numbers)
        return groups.groups_of(read, record, options.but(ci=options.ci or 0.95))

    @takes(metric="metric", without=(*RESAMPLING, "sampling", "expected", "pool", "overall"))
    def pooled(self, *coders: Hashable, metric: str = "kappa", options: Options) -> pd.DataFrame:
        """One coefficient pooled over groups, each with its own margins, and that of all items together.

        'within groups' is 1 minus observed over expected disagreement, both summed within groups, so that different
        prevalences of the categories in the groups do not count as agreement. 'all together' ignores the groups.

        Parameters
        ----------
        {WHO}
        metric : str
            A coefficient that is 1 - D_o / D_e, such as kappa, pi or alpha.
        by : column name, list of names, or anything `groupby` takes
            The groups, such as sites.
        **options
            The options of the coefficient.

        Returns
        -------
        DataFrame
            Two rows with the columns of `kappa`, indexed by `pooling` and `coefficient`.

        References
        ----------
        Donner, A. and Klar, N. (1996). The statistical analysis of kappa statistics in multiple samples. Journal of
        Clinical Epidemiology 49, 1053-1058.

        Examples
        --------
        >>> example = pandas_agreement.load_example()
        >>> example.agree.pooled("ann", "bob", by="batch")[["estimate", "ci_low", "ci_high"]].round(3)
                                   estimate  ci_low  ci_high
        pooling       coefficient
        within groups kappa           0.606   0.548    0.664
        all together  kappa           0.611   0.546    0.670
        """
        record = find(metric)
        if options.by is None:
            raise InputError("by= is missing: name the column of the groups to pool", option="by", code="no groups")
        read = self._read(coders, options, record.name if record.needs_coders else None, rows=True)
        found = comparison.pooled(read, record, options)
        together = engine.measure(read.arranged(grouped=False), [record], options)
        return comparison.pooled_frame(found, together, options.ci)

    @takes("by", "categories", "missing", "duplicates", "n_resamples", "rng", "progress", "weights", "scale", "period")
    def chance_test(
        self,
        *coders: Hashable,
        tests: Sequence[str] = ("permutation", "moments"),
        alternative: Alternative = "two-sided",
        options: Options,
    ) -> pd.DataFrame:
        """Tests of agreement against chance, by permutation and in closed form.

        Parameters
        ----------
        {WHO}
        tests : list of str
            'permutation' shuffles each coder's labels over the items they labelled; 'moments' uses the exact mean,
            variance and skewness of that distribution, without missing labels (two coders: mean and variance of Fleiss,
            Cohen and Everitt); 'fleiss_nee_landis' is about draws from the pooled distribution and does not need the
            coder of each label.
        by, weights, scale, period, categories, missing, duplicates
            As for `kappa`.
        alternative : {'two-sided', 'greater', 'less'}
            The alternative hypothesis: agreement differs from chance, is above it, or below it.
        n_resamples, rng, progress
            The number of permutations, their seed, and whether to show a bar. Groups of few items share their
            permutations: each p-value is valid, but their random errors are not independent.

        Returns
        -------
        DataFrame
            Indexed by `test` (after the group keys):

            {CHANCE}

        Notes
        -----
        A small p-value means that agreement is not pure chance, not that it is good enough. The permutation test is the
        same for kappa, pi and alpha, whose expected agreement is constant under permutation. In closed form p comes
        from the gamma distribution with the same mean, variance and skewness, as the normal distribution rejects too
        often where a category is rare. `p_values` tests coefficients.

        Large groups combine the permutations from 71 or more shuffles of each coder, so that any two permutations are
        uncorrelated: the random error of p is that of permutations drawn one by one.

        References
        ----------
        Fleiss, J. L., Cohen, J. and Everitt, B. S. (1969). Psychological Bulletin 72, 323-327. Fleiss, J. L., Nee, J.
        C. M. and Landis, J. R. (1979). Psychological Bulletin 86, 974-977.

        Examples
        --------
        >>> df.agree.chance_test("ann", "bob", rng=0)[["observed", "expected", "p_value"]].round(2)
                     observed  expected  p_value
        test
        permutation       0.7      0.54     0.68
        moments           0.7      0.54     0.38
        """
        by_coder = [name for name in chance_tests.names_of(tests) if name not in chance_tests.WITHOUT_CODERS]
        read = self._read(coders, options, needs_coders=f"tests={by_coder[0]!r}" if by_coder else None)
        return chance_tests.chance_test(read, tests, alternative, options)

    @takes(
        "by",
        "categories",
        "missing",
        "duplicates",
        metric="metrics",
        one_word=True,
        without=("sampling", "expected", "pool"),
    )
    def p_values(
        self,
        *coders: Hashable,
        metrics: Sequence[str] | None = None,
        alternative: Alternative = "two-sided",
        options: Options,
    ) -> pd.DataFrame:
        """p-values of coefficients: is there agreement beyond chance?

        Parameters
        ----------
        {WHO}
        metrics : list of str, optional
            The coefficients; default: those that the data allow.
        alternative : {'two-sided', 'greater', 'less'}
            The alternative hypothesis: the coefficient differs from 0, is above it, or below it.
        **options
            `by`, `weights`, `level` and the other options of the coefficients.

        Returns
        -------
        DataFrame
            Indexed as the result of `summary`, so that it can be joined to it:

            {P_VALUES}

        Notes
        -----
        The null standard error is that of chance alone, not the `se` of the estimate. kappa, light_kappa: each coder's
        labels fall on the items at random (Fleiss, Cohen and Everitt 1969); pi and alpha, and kappa of three or more
        coders with gaps: all labels are drawn from the pooled shares (Fleiss, Nee and Landis 1979). Their p comes from
        the gamma distribution of the same mean, variance and skewness.

        AC1, AC2 and S have a chance model that coders who guess do not follow, unless they use all categories equally
        often. Their null hypothesis is a true value of 0: two coders who guess with shares of .9 and .1 have a true AC1
        of .78 and S of .64, and a small p is no sign that they looked at the items. The test is that of the default
        interval (p is below .05 where the 95 % interval leaves out 0). In simulations of coders with different shares,
        2 to 8 coders and 30 to 500 items, it rejects a true value of 0 in at most .07 of the data sets; where six or
        more coders split evenly on some items and agree on the others, in up to .11.

        Examples
        --------
        >>> df.agree.p_values("ann", "bob", metrics=["kappa", "alpha"])[["estimate", "null_se", "p_value"]].round(3)
                     estimate  null_se  p_value
        coefficient
        kappa           0.348    0.325    0.382
        alpha           0.374    0.316    0.332
        """
        records = self._chosen(metrics, options)
        records = [record for record in records if metrics is not None or record.has("p_values")]
        return chance_tests.p_values(self._read_for(records, coders, options), records, alternative, options)
