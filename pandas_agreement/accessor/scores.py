"""Methods for scores: ratings that are numbers."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import pandas as pd

from pandas_agreement import breakdown
from pandas_agreement.accessor import docs
from pandas_agreement.accessor.base import Base
from pandas_agreement.accessor.coefficients import measured
from pandas_agreement.accessor.retest import with_replicates
from pandas_agreement.accessor.signatures import takes
from pandas_agreement.coefficients.numeric.records import FORMS
from pandas_agreement.coefficients.registry import find
from pandas_agreement.errors import InputError, choose
from pandas_agreement.options import Options


def _named(form: Any) -> str:
    """The name of the coefficient of a form, in capitals or not."""
    forms = {name.lower(): coefficient for name, coefficient in FORMS.items()}
    chosen = str(form).lower()
    return forms[chosen] if chosen in forms else choose("form", form, FORMS)


@docs.completed
class ScoreMethods(Base):
    """Intraclass correlations and limits of agreement of scores."""

    __slots__ = ()

    @takes(of=tuple(FORMS.values()))
    def icc(self, *coders: Hashable, form: str | None = None, options: Options) -> pd.DataFrame:
        """All six intraclass correlations with one row each, or one of them.

        Parameters
        ----------
        {WHO}
        form : {'1', 'C1', 'A1', '1k', 'Ck', 'Ak'}, optional
            One of McGraw and Wong's forms: 'A1' is absolute agreement of single ratings, 'C1' is consistency, and '1'
            is for different coders of each item. The forms with k are about the mean of k ratings. Default: all of
            them.
        detail : bool
            Add the variance components, the standard error of measurement and F tests: `var_items`, `var_coders`,
            `var_error`, `sem`, `f`, `df1`, `df2`, `p_value` and `p_coders`. The components come from the analysis of
            variance, where one may be negative, and with missing scores from restricted maximum likelihood.
        **options
            The other options of a coefficient.

        Returns
        -------
        DataFrame
            The columns of `kappa`. With ``detail=True`` also:

            {ICC_DETAIL}

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
        >>> scores.agree.icc(form="A1", detail=True)[["var_items", "var_coders", "var_error", "sem"]].round(2)
                     var_items  var_coders  var_error   sem
        coefficient
        icc_a1            2.11        6.77       0.57  2.71
        """
        names = list(FORMS.values()) if form is None else [_named(form)]
        return measured(self, [find(name) for name in names], coders, options)

    @takes("by", "ci", "progress")
    def bland_altman(self, *coders: Any, share: float = 0.95, options: Options) -> pd.DataFrame:
        """Bland and Altman's limits of agreement: the range of most differences, for every pair.

        The limits and their intervals assume that the differences are approximately normal.

        Parameters
        ----------
        {WHO} If coders read the items several
            times, pass a dict with the columns of each coder, as in `retest`; the limits are those of single readings.
        by, ci, progress
            As for `kappa`.
        share : float
            The share of the differences that lies within the limits.

        Returns
        -------
        DataFrame
            Indexed by `coder_1` and `coder_2` (after the group keys):

            {LIMITS}

        References
        ----------
        Bland, J. M. and Altman, D. G. (1986). Statistical methods for assessing agreement between two methods of
        clinical measurement. Lancet 327, 307-310. Replicates: (1999), Statistical Methods in Medical Research 8,
        135-160.

        Examples
        --------
        >>> scores = pd.DataFrame({"ann": [1.0, 2.1, 3.3, 4.0, 5.2], "bob": [1.2, 1.9, 3.0, 4.4, 5.0]})
        >>> scores.agree.bland_altman()[["bias", "lower", "upper", "n_items"]].round(2)
                         bias  lower  upper  n_items
        coder_1 coder_2
        ann     bob      0.02  -0.57   0.61        5
        """
        if options.ci is None:
            raise InputError(
                "the limits have intervals, so ci= must be a level, such as 0.95", option="ci", code="value"
            )
        views, names = with_replicates(self, coders, options)
        read, *behind = (each._read(names, options, needs_coders="bland_altman", scores=True) for each in views)
        return breakdown.coder_scores.limits(read, options.ci, share, options.progress, behind)
