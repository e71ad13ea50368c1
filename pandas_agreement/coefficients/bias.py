"""Coder bias: expected agreement with a pooled marginal distribution minus that with individual marginals."""

from __future__ import annotations

import numpy as np

from pandas_agreement.coefficients.chance import expected_by_marginals
from pandas_agreement.coefficients.registry import coefficient
from pandas_agreement.core.distances import Distance
from pandas_agreement.core.sums import Estimate, SufficientStatistics, by_labels


@coefficient(
    "bias",
    aliases=("annotator_bias", "coder_bias"),
    chance="none: it is the chance agreement of pi minus that of kappa",
    use_when="you ask whether coders use the categories at different rates",
    formula=r"B = A_e^{\pi} - A_e^{\kappa} = \frac{1}{C - 1} \sum_{k} \operatorname{Var}_g(P_{gk})",
    letters={
        "P_{gk}": "share of category :math:`k` among the labels of coder :math:`g`",
        "C": "number of coders; the second form is for nominal labels, with variances that divide by :math:`C`",
    },
    reference=(
        "Artstein, R. and Poesio, M. (2005). Bias decreases in proportion to the number of annotators. Proceedings of "
        "FG-MoL 2005, 141-150."
    ),
    needs_coders=True,
    range=(0.0, 1.0),
    perfect=None,
    correction="none",
    more=("see margins", "see margins: who chooses which category more often"),
    methods=("analytic", "jackknife", "percentile", "bca"),
)
def bias(sums: SufficientStatistics, distance: Distance) -> Estimate:
    """Bias of the coders: the chance agreement of pi minus that of kappa.

    It is 0 if all coders use the categories at the same rates, and never negative, so an interval above 0 is not
    evidence of a difference. `margins` shows who chooses which category more often, and tests each difference.
    `expected` is the chance agreement of kappa; there is no observed agreement. There is no benchmark for the size of
    the bias, and it decreases as coders are added: ``by_pair(metrics="bias")`` shows it for each pair.

    Examples
    --------
    >>> df.agree.bias("ann", "bob").filter(["estimate", "expected"]).round(4)
                 estimate  expected
    coefficient
    bias            0.005      0.54
    """
    P, active = sums.margins, sums.coder_sizes > 0
    C = np.where(active.any(-1), active.sum(-1), np.nan)[..., None]
    mean = P.sum(-2) / C  # every coder counts the same, however many labels they gave
    D_mean = distance.apply(mean)
    D_kappa, by_margins = expected_by_marginals(sums, distance)
    slope = by_margins - (2 * D_mean / C)[..., None, :]
    unknown, zero = np.full(D_kappa.shape, np.nan), np.zeros(D_kappa.shape)
    value = D_kappa - (mean * D_mean).sum(-1)
    return Estimate(value, unknown, D_kappa, by_observed=zero, by_coders=by_labels(sums, slope))
