"""Methods of `df.agree.judges(...)` that say what the humans would have said about everything."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Literal

import numpy as np
import pandas as pd

from pandas_agreement.accessor import docs
from pandas_agreement.accessor.panel import JudgesData
from pandas_agreement.accessor.signatures import takes
from pandas_agreement.core.arrays import Array
from pandas_agreement.data import Reading
from pandas_agreement.errors import InputError, counted, shown
from pandas_agreement.judges.corrected import corrected_rate
from pandas_agreement.judges.corrected_scores import corrected_mean
from pandas_agreement.options import Options

Design = Literal["random", "separate"]


@docs.completed
class CorrectedMethods(JudgesData):
    """Shares and means by the human standard."""

    __slots__ = ()

    def _probability(self, name: Any, reading: Reading) -> Array | None:
        """The probability of a human label of each item; above 0 wherever a judge gave a label."""
        if name is None:
            return None
        column = self._by_item(name, reading)
        try:
            values = column.to_numpy(dtype=float, na_value=np.nan)
        except (TypeError, ValueError):
            problem = f"probability={shown(name)} is not a column of numbers"
            raise InputError(problem, option="probability", column=name, code="no numbers") from None
        wrong = ~((values > 0) & (values <= 1))
        if wrong.any():
            items = counted(int(wrong.sum()), "item has", "items have")
            problem = f"{items} a probability in {shown(name)} that is not above 0 and at most 1"
            remedy = "an item that could not get a human label cannot be corrected: leave such items out"
            raise InputError(problem, remedy, option="probability", column=name, code="invalid value")
        return values

    @takes("by", "ci", "clusters")
    def corrected_rate(
        self,
        *,
        design: Design | None = None,
        reference: Hashable | None = None,
        probability: Hashable | None = None,
        options: Options,
    ) -> pd.DataFrame:
        """The shares of categories that humans would have found, corrected for the judge's errors.

        The judge labelled many items, and humans labelled some of them. The result is the share of each category by the
        human standard. The right estimator depends on how the items with a human label were chosen, so you have to pass
        `design`.

        Parameters
        ----------
        design : {'random', 'separate'}
            'random': humans labelled a random subset of the judged items. 'separate': humans labelled another set, in
            which categories may be more or less frequent but the judge makes the same errors. The estimate is then
            about the judged items without a human label, and there must be two categories. It may be left out if all
            judged items have a human label.
        reference : hashable
            The human standard: 'majority', where items with a tie have none, or the name of one human. It may be left
            out if there is one human.
        probability : column name, optional
            Use this in place of `design` if items got a human label with known, unequal probabilities. The column has
            the probability of every judged item.
        by : column name, list of names, or anything `groupby` takes, optional
            One row per group, judge and category.
        ci : float or None
            Level of the interval. None computes the estimate alone.
        clusters : column name, optional
            Items that belong together. The intervals are then t intervals.

        Returns
        -------
        DataFrame
            Indexed by `judge` and `category` (after the group keys):

            {CORRECTED}

        Notes
        -----
        'random' is post-stratification by the judge's labels (double sampling). Its interval adds one human label for
        each label of the judge, spread evenly over the categories. With 50 to 200 human labels, 2 to 8 categories and
        shares of 0.02 to 0.98 it contained the true share in 94.7% to 100% of 2,000 simulated data sets each (``python
        -m tests.benchmarks.corrected``). 'separate' is Rogan and Gladen's estimate with Lang and Reiczigel's interval,
        which contained the true share in 95.1% to 99.6%. This interval is about twice as wide as that of a random
        subset, but the estimator for a random subset is wrong for a separate set. `probability` gives a design-based
        estimate with a normal interval. The human label counts as the truth, so errors of the humans remain in the
        corrected share.

        References
        ----------
        Tenenbein, A. (1970). Journal of the American Statistical Association 65, 1350-1361. Rogan, W. J. and Gladen, B.
        (1978). American Journal of Epidemiology 107, 71-76. Lang, Z. and Reiczigel, J. (2014). Preventive Veterinary
        Medicine 113, 13-22. Egami, N., Hinck, M., Stewart, B. and Wei, H. (2023). Advances in Neural Information
        Processing Systems 36.

        Examples
        --------
        >>> example = pandas_agreement.load_example()
        >>> judged = example.agree.judges("dev", humans=["ann"])
        >>> found = judged.corrected_rate(design="random", detail=True).loc["dev"]
        >>> found[["estimate", "ci_low", "ci_high", "judge_share", "worth"]].round(3)
                   estimate  ci_low  ci_high  judge_share    worth
        category
        bug           0.425   0.377    0.472        0.592  413.918
        complaint     0.061   0.039    0.085        0.037  414.616
        question      0.334   0.288    0.379        0.221  414.390
        request       0.180   0.144    0.218        0.151  411.331
        """
        judged = self._judged("corrected_rate", options)
        return corrected_rate(judged, design, reference, self._probability(probability, judged.reading), options)

    @takes("by", "ci", "clusters")
    def corrected_mean(
        self,
        *,
        design: Design | None = None,
        reference: Hashable | None = None,
        probability: Hashable | None = None,
        options: Options,
    ) -> pd.DataFrame:
        """The mean score that humans would have given to all items, from a judge's scores.

        Parameters
        ----------
        design : {'random'}
            How the items with a human score were chosen: a random subset of the judged items. It may be left out if all
            judged items have a human score.
        reference : hashable
            The human standard: 'mean' or the name of one human. It may be left out if there is one human.
        probability : column name, optional
            As in `corrected_rate`.
        by, ci, clusters
            As in `corrected_rate`.

        Returns
        -------
        DataFrame
            Indexed by `judge` (after the group keys):

            {CORRECTED_MEAN}

        Notes
        -----
        'random' is prediction-powered inference with the optimal weight of the judge's scores (PPI++), with the t
        distribution with n - 1 degrees of freedom in place of the normal distribution.

        References
        ----------
        Angelopoulos, A. N., Duchi, J. C. and Zrnic, T. (2023). PPI++: efficient prediction-powered inference.
        arXiv:2311.01453.

        Examples
        --------
        >>> scored = pd.DataFrame({"judge": [3, 4, 5, 2, 4, 5, 1, 3], "ann": [2, 4, 4, 1, None, None, None, None]})
        >>> found = scored.agree.judges("judge", humans=["ann"]).corrected_mean(design="random")
        >>> found[["estimate", "judge_mean", "human_mean", "n_items", "n_human"]].round(3)
               estimate  judge_mean  human_mean  n_items  n_human
        judge
        judge     2.663       3.375        2.75        8        4
        """
        judged = self._judged("corrected_mean", options)
        return corrected_mean(judged, design, reference, self._probability(probability, judged.reading), options)
