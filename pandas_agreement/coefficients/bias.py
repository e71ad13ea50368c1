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
    chance="none: difference between the chance agreements of pi and of kappa",
    use_when="you ask whether coders use the categories at different rates",
    formula=(
        "B = A_e(pi) - A_e(kappa); for names sum_k Var_g(P_gk) / (C - 1), variances with 1 / C\n"
        "P_gk: share of category k among the labels of coder g; C coders"
    ),
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
    """Bias of the coders: chance agreement of pi minus that of kappa, 0 when all coders have the same marginals.

    With C coders and without weights it is the variance between coders of P(category | coder), summed over categories,
    over C - 1. `expected` is kappa's chance agreement; there is no observed agreement. There is no benchmark for its
    size, and it shrinks as coders are added: ``by_pair(metrics="bias")`` shows it for each pair. It is never negative,
    so an interval above 0 is no test: `margins` shows who chooses which category more often, with a test of each.

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
