"""Methods for scores: ratings that are numbers."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement import engine
from pandas_agreement.accessor import docs
from pandas_agreement.accessor.base import Base
from pandas_agreement.accessor.signatures import takes
from pandas_agreement.breakdown import scores
from pandas_agreement.coefficients.registry import find
from pandas_agreement.core.progress import bar_of
from pandas_agreement.data.group_categories import with_group_categories
from pandas_agreement.errors import InputError
from pandas_agreement.options import Options
from pandas_agreement.results import frames

FORMS = ("icc_1", "icc_c1", "icc_a1", "icc_1k", "icc_ck", "icc_ak")


@docs.completed
class ScoreMethods(Base):
    """Intraclass correlations, tests and limits of agreement of scores."""

    __slots__ = ()

    @takes(of=FORMS)
    def icc(self, *coders: Hashable, options: Options) -> pd.DataFrame:
        """All six intraclass correlations, one row each; `score_tests` has the F tests, `components` the variances.

        Parameters
        ----------
        {WHO}
        **options
            As for `icc_1`.

        Returns
        -------
        DataFrame
            The columns of `kappa`; ICC(1), ICC(C,1), ICC(A,1) and their forms for means of k ratings.

        Examples
        --------
        >>> scores = pd.DataFrame({"ann": [9, 6, 8, 7, 10, 6], "bob": [2, 1, 4, 1, 5, 2], "cleo": [5, 3, 6, 2, 6, 4]})
        >>> scores.agree.icc()[["estimate", "ci_low", "ci_high"]].round(2)
                     estimate  ci_low  ci_high
        coefficient
        icc_1           -0.02   -0.34     0.63
        icc_c1           0.79    0.38     0.96
        icc_a1           0.22   -0.01     0.71
        icc_1k          -0.06   -3.14     0.84
        icc_ck           0.92    0.65     0.99
        icc_ak           0.46   -0.03     0.88
        """
        return self._measure([find(name) for name in FORMS], coders, options)

    @takes("by", "missing")
    def score_tests(self, *coders: Hashable, options: Options) -> pd.DataFrame:
        """Tests for numeric ratings, each named for its null hypothesis.

        'icc_1' and 'icc_c' test whether items differ (the F tests of a zero intraclass correlation), 'coder_bias'
        whether the coders differ in level, which no intraclass correlation does; 'kendall_chi2' and 'kendall_f' whether
        the rankings are related, on the items that every coder rated.

        Parameters
        ----------
        {WHO}
        by, missing
            As for `kappa`.

        Returns
        -------
        DataFrame
            Indexed by `test` (after the group keys):

            {SCORE_TESTS}

        Examples
        --------
        >>> scores = pd.DataFrame({"ann": [9, 6, 8, 7, 10, 6], "bob": [2, 1, 4, 1, 5, 2], "cleo": [5, 3, 6, 2, 6, 4]})
        >>> scores.agree.score_tests()[["statistic", "p_value", "null"]].round(4)
                      statistic  p_value                                         null
        test
        icc_1            0.9409   0.4893  items do not differ (coders not told apart)
        icc_c           12.1765   0.0005                          items do not differ
        coder_bias      72.6471   0.0000                      coders have equal means
        kendall_chi2    12.9208   0.0241                       rankings are unrelated
        kendall_f       12.4286   0.0011                       rankings are unrelated
        """
        return scores.score_tests(self._read(coders, options, needs_coders="score_tests", scores=True), options.missing)

    @takes("by", "missing")
    def components(self, *coders: Hashable, options: Options) -> pd.DataFrame:
        """Variance between items, between coders, and the rest.

        By analysis of variance, where one may be negative; with missing scores by restricted maximum likelihood.

        Parameters
        ----------
        {WHO}
        by, missing
            As for `kappa`.

        Returns
        -------
        DataFrame
            One row per group:

            {COMPONENTS}

        Examples
        --------
        >>> scores = pd.DataFrame({"ann": [9, 6, 8, 7, 10, 6], "bob": [2, 1, 4, 1, 5, 2], "cleo": [5, 3, 6, 2, 6, 4]})
        >>> scores.agree.components().round(2)
           items  coders  error  n_items  n_coders
        0   2.11    6.77   0.57        6         3
        """
        return scores.components(self._read(coders, options, needs_coders="components", scores=True), options.missing)

    @takes("by", "ci", "progress")
    def limits(self, *coders: Hashable, share: float = 0.95, options: Options) -> pd.DataFrame:
        """Bland and Altman's limits of agreement of every pair: the range of most differences.

        The limits and their intervals are for differences that are about normal.

        Parameters
        ----------
        {WHO}
        by, ci, progress
            As for `kappa`.
        share : float
            The part of the differences within the limits.

        Returns
        -------
        DataFrame
            Indexed by `coder_1` and `coder_2` (after the group keys):

            {LIMITS}

        References
        ----------
        Bland, J. M. and Altman, D. G. (1986). Statistical methods for assessing agreement between two methods of
        clinical measurement. Lancet 327, 307-310.

        Examples
        --------
        >>> scores = pd.DataFrame({"ann": [1.0, 2.1, 3.3, 4.0, 5.2], "bob": [1.2, 1.9, 3.0, 4.4, 5.0]})
        >>> scores.agree.limits()[["bias", "lower", "upper", "n_items"]].round(2)
                         bias  lower  upper  n_items
        coder_1 coder_2
        ann     bob      0.02  -0.57   0.61        5
        """
        if options.ci is None:
            raise InputError("limits are intervals: ci= must be a level, such as 0.95", option="ci", code="value")
        read = self._read(coders, options, needs_coders="limits", scores=True)
        return scores.limits(read, options.ci, share, options.progress)

    @takes("by", "ci", "progress")
    def concordance(self, *coders: Hashable, options: Options) -> pd.DataFrame:
        """Lin's concordance of every pair, split into precision and accuracy.

        Lin's interval needs normal data; that of `pairwise(metric="ccc")`, by the jackknife, does not.

        Parameters
        ----------
        {WHO}
        by, ci, progress
            As for `kappa`.

        Returns
        -------
        DataFrame
            Indexed by `coder_1` and `coder_2` (after the group keys):

            {CONCORDANCE}

        Examples
        --------
        >>> scores = pd.DataFrame({"ann": [1.0, 2, 3, 4, 5], "bob": [11.0, 12, 14, 13, 15]})
        >>> scores.agree.concordance()[["ccc", "precision", "accuracy"]].round(3)
                           ccc  precision  accuracy
        coder_1 coder_2
        ann     bob      0.035        0.9     0.038
        """
        if options.ci is None:
            problem = "concordance comes with its interval: ci= must be a level, such as 0.95"
            raise InputError(problem, option="ci", code="value")
        read = self._read(coders, options, needs_coders="concordance", scores=True)
        return scores.concordance_table(read, options.ci, options.progress)

    @takes(metric="metric")
    def without(self, *coders: Hashable, metric: str = "alpha", options: Options) -> pd.DataFrame:
        """A coefficient without each coder in turn.

        Parameters
        ----------
        {WHO}
        metric : str
            Any coefficient, such as 'cronbach_alpha' or 'icc_a1'.
        **options
            Its options.

        Returns
        -------
        DataFrame
            The columns of `kappa`, indexed by the `coder` who was left out (after the group keys).

        Examples
        --------
        >>> scores = pd.DataFrame({"ann": [9, 6, 8, 7, 10, 6], "bob": [2, 1, 4, 1, 5, 2], "cleo": [5, 3, 6, 2, 6, 4]})
        >>> scores.agree.without(metric="cronbach_alpha")["estimate"].round(3)
        coder  coefficient
        ann    cronbach_alpha    0.944
        bob    cronbach_alpha    0.841
        cleo   cronbach_alpha    0.854
        Name: estimate, dtype: float64
        """
        record = find(metric)
        read = self._read_for([record], coders, options, values=True, needs_coders="without")
        names = list(read.coders)
        if len(names) < 3:
            raise InputError(f"without needs three coders or more, so that two are left, and there are {len(names)}")
        show, options = bar_of(options.progress), options.without("progress")

        def measured(place: int) -> pd.DataFrame:
            rest = with_group_categories(read.arranged(grouped=True, without=place), options.categories)
            return engine.measure(rest, [record], options)

        parts = [measured(place) for place in show(range(len(names)))]
        order = np.arange(len(parts) * len(parts[0])).reshape(len(parts), -1).T.ravel()  # groups first, then coders
        joined: Any = pd.concat(parts).iloc[order]
        coder = pd.Index(names * len(parts[0]), name="coder", tupleize_cols=False)  # names may be tuples
        levels = [joined.index.get_level_values(level) for level in range(joined.index.nlevels)]
        return joined.set_axis(frames.multi([*levels[:-1], coder, levels[-1]]), axis=0)
