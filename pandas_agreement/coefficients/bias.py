"""Bias of the coders: how much their habits differ, as the agreement that this difference costs by chance."""

from __future__ import annotations

import numpy as np

from pandas_agreement.coefficients.chance import expected_by_marginals
from pandas_agreement.coefficients.correction import by_labels
from pandas_agreement.coefficients.registry import coefficient
from pandas_agreement.core.distances import Distance
from pandas_agreement.core.sums import Estimate, SufficientStatistics


@coefficient(
    "bias",
    aliases=("annotator_bias", "coder_bias"),
    chance="difference between the chance agreements of pi and of kappa",
    use_when="you ask whether coders use the categories at different rates",
    reference=(
        "Artstein, R. and Poesio, M. (2005). Bias decreases in proportion to the number of annotators. Proceedings of "
        "FG-MoL 2005, 141-150."
    ),
    needs_coders=True,
    range=(0.0, 1.0),
    perfect=None,
    correction="none",
    methods=("analytic", "jackknife", "percentile", "bca"),
)
def bias(sums: SufficientStatistics, distance: Distance) -> Estimate:
    """Bias of the coders: chance agreement of pi less that of kappa, 0 when all coders share their habits.

    With C coders it is the variance between coders of P(category | coder), summed over categories, over C - 1.
    `expected` is kappa's chance agreement; there is no observed agreement. It has no scale of its own and shrinks as
    coders are added: ``pairwise(metric="bias")`` shows who differs from whom. It is never negative, so an interval
    above 0 is no test.

    Examples
    --------
    >>> df.agree.bias("ann", "bob").filter(["estimate", "expected"]).round(4)
                 estimate  expected
    coefficient
    bias            0.005      0.54
    """
    P, seen = sums.margins, sums.coder_sizes > 0
    C = np.where(seen.any(-1), seen.sum(-1), np.nan)[..., None]
    mean = P.sum(-2) / C  # every coder counts the same, however much they labelled
    D_mean = distance.apply(mean)
    D_kappa, by_margins = expected_by_marginals(sums, distance)
    slope = by_margins - (2 * D_mean / C)[..., None, :]
    unknown = np.full(D_kappa.shape, np.nan)
    return Estimate(
        value=D_kappa - (mean * D_mean).sum(-1),
        observed=unknown,
        expected=D_kappa,
        by_observed=np.zeros(D_kappa.shape),
        by_coders=by_labels(sums, slope),
    )
