"""`df.agree.test`: tests against chance, of the coders' label distributions, and of groups of items."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Literal

import pandas as pd

from pandas_agreement import breakdown
from pandas_agreement.accessor import docs
from pandas_agreement.accessor.base import Base, OfSource, by_coefficient
from pandas_agreement.accessor.comparing import Alternative, groups_to_compare
from pandas_agreement.accessor.names import INSTEAD
from pandas_agreement.accessor.signatures import takes
from pandas_agreement.coefficients.registry import Coefficient
from pandas_agreement.data import Reading
from pandas_agreement.errors import UnknownMethodError, choose, nearest
from pandas_agreement.options import Options

ChanceMethod = Literal["analytic", "permutation"]
TESTS = ("chance", "margins", "groups")


@docs.completed
class AgreementTests(OfSource):
    """Tests of agreement: `df.agree.test.<name>(...)`."""

    __slots__ = ()

    def __init__(self, agree: Base) -> None:
        super().__init__(agree)

    def __repr__(self) -> str:
        names = ", ".join(f"df.agree.test.{name}" for name in TESTS)
        return f"Tests of agreement: {names}"

    def __dir__(self) -> list[str]:
        return list(TESTS)

    @property
    def _each_field(self) -> Mapping[Hashable, AgreementTests] | None:
        fields = self._source._each_field
        return None if fields is None else {field: AgreementTests(view) for field, view in fields.items()}

    def _read(self, *args: Any, **kwargs: Any) -> Reading:
        return self._source._read(*args, **kwargs)

    def _records(self, metrics: str | Sequence[str] | None, weights: Any) -> list[Coefficient]:
        return self._source._records(metrics, weights)

    def _look_up(self, name: str) -> Any:
        problem = f"df.agree.test has no test {name!r}"
        if name in INSTEAD:
            raise UnknownMethodError(f"{problem}: {INSTEAD[name]}", code="unknown method")
        raise UnknownMethodError(problem, nearest(name, TESTS), code="unknown method")

    @takes(
        "by",
        "categories",
        "missing",
        "n_resamples",
        "rng",
        "progress",
        "detail",
        metric="metrics",
        one_word=True,
        without=("sampling", "pool"),
        called="test.chance",
    )
    def chance(
        self,
        *coders: Hashable,
        metrics: str | Sequence[str] | None = None,
        method: ChanceMethod = "analytic",
        alternative: Alternative = "two-sided",
        options: Options,
    ) -> pd.DataFrame:
        """Tests of coefficients against chance.

        A small p-value means that agreement is not due to chance alone. It does not mean that agreement is good enough.

        Parameters
        ----------
        {WHO}
        metrics : str or list of str, optional
            The coefficients. Default: those of `summary` that have such a test.
        method : {'analytic', 'permutation'}
            'analytic' uses the standard error under the null hypothesis, and gives the z that other packages print.
            'permutation' shuffles the labels of each coder over the items that the coder labelled. It tests kappa, pi
            and alpha, whose expected agreement is constant under permutation, so that their p-values are equal.
        alternative : {'two-sided', 'greater', 'less'}
            The alternative hypothesis: the coefficient differs from 0, is above it, or below it.
        n_resamples, rng, progress
            The number of permutations, their seed, and whether to show a progress bar. Each group has its own
            permutations. 5,000 permutations of more than about a million labels and pairs of labels raise an error.
        detail : bool
            Add the columns `null_se`, `observed`, `expected` and `null`.
        **options
            `by`, `weights`, `level` and the other options of the coefficients.

        Returns
        -------
        DataFrame
            Indexed like the result of `summary`, so that the two can be joined:

            {CHANCE}

        Notes
        -----
        The standard error under the null hypothesis is that of chance alone, not the `se` of the estimate. For kappa
        and light_kappa each coder's labels fall on the items at random (Fleiss, Cohen and Everitt 1969). For pi and
        alpha, and for kappa of three or more coders with missing labels, all labels are drawn from the pooled
        distribution (Fleiss, Nee and Landis 1979). The p-value comes from the gamma distribution with the same mean,
        variance and skewness, because the normal distribution rejects too often if a category is rare.

        Coders who guess do not follow the chance model of AC1, AC2 and S unless they use all categories equally often.
        The null hypothesis is therefore a true value of 0. Two coders who guess with shares of 0.9 and 0.1 have a true
        AC1 of 0.78 and S of 0.64, so a small p-value does not show that they looked at the items. The test is that of
        the default interval: p is below 0.05 if the 95% interval excludes 0. In simulations of coders with different
        shares, 2 to 8 coders and 30 to 500 items, it rejects a true value of 0 in at most 7% of the data sets. If six
        or more coders split evenly on some items and agree on the others, it rejects in up to 11%.

        References
        ----------
        Fleiss, J. L., Cohen, J. and Everitt, B. S. (1969). Psychological Bulletin 72, 323-327. Fleiss, J. L., Nee, J.
        C. M. and Landis, J. R. (1979). Psychological Bulletin 86, 974-977.

        Examples
        --------
        >>> found = df.agree.test.chance("ann", "bob", metrics=["kappa", "alpha"])
        >>> found[["estimate", "statistic", "p_value"]].round(3)
                     estimate  statistic  p_value
        coefficient
        kappa           0.348      1.069    0.382
        alpha           0.374      1.182    0.332
        >>> df.agree.test.chance("ann", "bob", metrics="kappa", method="permutation", rng=0)["p_value"].round(2)
        coefficient
        kappa    0.66
        Name: p_value, dtype: float64
        """
        choose("method", method, dict.fromkeys(breakdown.chance_tests.METHODS))
        records = self._chosen(metrics, options)
        if metrics is None:
            records = [record for record in records if breakdown.chance_tests.can_be_tested(record, method)]
        needs = "method='permutation'" if method == "permutation" else None
        read = self._read_for(records, coders, options, needs_coders=needs)
        return breakdown.chance_tests.chance_test(read, records, method, alternative, options)

    @takes("by", "categories", "progress", called="test.margins")
    def margins(self, *coders: Hashable, tests: str | Sequence[str] | None = None, options: Options) -> pd.DataFrame:
        """Tests of marginal homogeneity: whether coders use the categories equally often.

        Parameters
        ----------
        {WHO}
        tests : str or list of str, optional
            'stuart_maxwell' and 'bhapkar' (equal label distributions), and 'bowker' (symmetry). For two categories also
            'mcnemar' (mid-p), 'mcnemar_exact', 'mcnemar_chi2', 'mcnemar_corrected' and, for all coders together,
            'cochran_q'. Default: the first three; for two categories 'mcnemar', and 'cochran_q' if there are more than
            two coders.
        by, categories, progress
            As for `kappa`. More than 300 categories raise an error.

        Returns
        -------
        DataFrame
            Indexed by `coder_1`, `coder_2` and `test` (after the group keys). For 'cochran_q' both coders are "(all)":

            {TESTS}

        Notes
        -----
        Nothing is added to zero cells. The degrees of freedom of 'bowker' are the number of pairs of categories that
        the two coders confused, :math:`n_{ij} + n_{ji} > 0`. If every pair was confused they are :math:`K (K - 1) / 2`.
        R's `mcnemar.test` always uses :math:`K (K - 1) / 2`, and returns NaN if a pair was never confused. The degrees
        of freedom of 'stuart_maxwell' and 'bhapkar' are :math:`K` minus the number of sets of categories that were
        never confused with each other, which is :math:`K - 1` for one such set.

        References
        ----------
        Stuart, A. (1955). Biometrika 42, 412-416. Maxwell, A. E. (1970). British Journal of Psychiatry 116, 651-655.
        Bhapkar, V. P. (1966). Journal of the American Statistical Association 61, 228-235. Bowker, A. H. (1948).
        Journal of the American Statistical Association 43, 572-574. Cochran, W. G. (1950). Biometrika 37, 256-266.

        Examples
        --------
        >>> df.agree.test.margins()[["statistic", "p_value", "p_holm", "n_items"]].round(3)
                                   statistic  p_value  p_holm  n_items
        coder_1 coder_2 test
        ann     bob     mcnemar        1.000    0.625   1.000       10
                cleo    mcnemar        0.000    0.500   1.000       10
        bob     cleo    mcnemar        1.000    0.750   1.000       10
        (all)   (all)   cochran_q      0.667    0.717   0.717       10
        """
        read = self._read(coders, options, needs_coders="test.margins")
        return breakdown.marginal_tests.marginal_tests(read, tests, options.progress)

    @takes(metric="metrics", without=("sampling", "pool", "overall"), one_word=True, called="test.groups")
    def groups(self, *coders: Hashable, metrics: str | Sequence[str] = "kappa", options: Options) -> pd.DataFrame:
        """Tests of groups of items: whether agreement is equal, and whether it has a trend.

        Parameters
        ----------
        {WHO}
        metrics : str or list of str
            Any coefficient; a list adds the index level `coefficient`.
        by : column name, list of names, or anything `groupby` takes
            The groups. The trend is tested over their natural order: batch_2 before batch_10, dates by time, and an
            ordered Categorical in its own order. The column `null` shows the order.
        **options
            The options of the coefficient.

        Returns
        -------
        DataFrame
            Indexed by `test`: 'equality' (Fleiss' chi-squared test of estimates weighted by their precision at the
            common value) and 'trend':

            {HETEROGENEITY}

        Notes
        -----
        The p-values come from the F and t distributions, with the degrees of freedom of the variance in the data. These
        are few if some items have much weight, such as those of a rare category far from the others. With a `method`
        other than the default, p-values come from the chi-squared and the normal distribution.

        Examples
        --------
        >>> example = pandas_agreement.load_example()
        >>> example.agree.test.groups("ann", "bob", by="batch")[["statistic", "df", "n_groups"]].round(1)
                  statistic     df  n_groups
        test
        equality       44.4    5.0         6
        trend           5.8  418.0         6
        """

        def of(record: Coefficient) -> pd.DataFrame:
            return breakdown.contrasts.heterogeneity(groups_to_compare(self, coders, record, options))

        return by_coefficient(of, metrics, self._records(metrics, options.weights))


class TestMethods:
    """The attribute `test`."""

    __slots__ = ()

    @property
    def test(self) -> AgreementTests:
        """Tests of agreement: `chance`, `margins` and `groups`.

        `test.chance` tests whether there is agreement beyond chance, `test.margins` whether coders use the categories
        equally often, and `test.groups` whether agreement differs between groups of items.

        Examples
        --------
        >>> import pandas as pd, pandas_agreement
        >>> df = pd.DataFrame({"ann": list("yyyyyynnnn"), "bob": list("yyyyynyynn")})
        >>> df.agree.test
        Tests of agreement: df.agree.test.chance, df.agree.test.margins, df.agree.test.groups
        """
        return AgreementTests(self)  # type: ignore[arg-type]
