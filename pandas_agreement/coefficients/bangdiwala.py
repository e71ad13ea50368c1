"""Bangdiwala's B: the area of exact agreement in the agreement chart of two coders."""

from __future__ import annotations

import numpy as np

from pandas_agreement.coefficients.pairwise_kappa import PairRule, PairStatistics, mean_of_pairs, mean_value
from pandas_agreement.coefficients.registry import coefficient
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.distances import Nominal
from pandas_agreement.core.sums import divide


def _overlaps(pairs: PairStatistics) -> Array:
    return pairs.overlap > 0


def _parts(pairs: PairStatistics) -> Array:
    """sum n_ii^2 / sum n_i+ n_+i: (agreement)^2 times its concentration, over the overlap of the margins."""
    squares = (1 - pairs.observed) ** 2 * pairs.concentration
    return mean_of_pairs(divide(squares, pairs.overlap), pairs, _overlaps(pairs))


def _slopes(pairs: PairStatistics, sums: Array) -> PairStatistics:
    agreement, overlap = 1 - pairs.observed, np.where(_overlaps(pairs), pairs.overlap, np.nan)
    share, zero = divide(np.ones_like(pairs.n), sums[:, 1]), np.zeros_like(pairs.n)
    by_observed = -2 * agreement * pairs.concentration / overlap
    by_expected = agreement**2 * pairs.concentration / overlap**2  # the overlap is 1 - D_e
    by_concentration = agreement**2 / overlap
    slopes = (np.nan_to_num(share * d) for d in (by_observed, by_expected, zero, by_concentration))
    return PairStatistics(zero, *slopes)


#: the unweighted mean of B over pairs; pairs who share no category are left out
AREA = PairRule(_parts, mean_value, _slopes, _overlaps)


@coefficient(
    "bangdiwala_b",
    aliases=("bangdiwala", "bangdiwalas_b"),
    hidden=True,
    chance="none: agreement as a share of the area that the margins leave for it",
    use_when="you show the agreement chart, or look at margins and agreement together",
    formula=(
        "B = sum_k n_kk^2 / sum_k n_k+ n_+k\n"
        "n_kl: items that the first coder gave k and the second l; n_k+, n_+k: sums over the other coder"
    ),
    reference=(
        "Bangdiwala, S. I. (1985). A graphical test for observer agreement. Proceedings of the International "
        "Statistical Institute 1, 307-308. Munoz, S. R. and Bangdiwala, S. I. (1997). Interpretation of kappa and B "
        "statistics measures of agreement. Journal of Applied Statistics 24, 105-111. Bangdiwala, S. I. and Shankar, "
        "V. (2013). The agreement chart. BMC Medical Research Methodology 13, 97."
    ),
    options=(),
    needs_coders=True,
    kind="pairs",
    range=(0.0, 1.0),
    correction="none",
)
def bangdiwala_b() -> PairRule:
    """Bangdiwala's B of two coders: sum of n_ii^2 over sum of n_i+ n_+i, the dark share of the agreement chart.

    1 if they always agree and 0 if they never do; the benchmark scales of kappa do not apply to it. `observed` and
    `expected` are observed agreement and the chance agreement of kappa. It is undefined if the coders have no category
    in common. It is a measure of two coders: of more, the plain mean over pairs, and `by_pair(metrics="bangdiwala_b")`
    shows each.

    Examples
    --------
    >>> df.agree.bangdiwala_b("ann", "bob")["estimate"].round(3)
    coefficient
    bangdiwala_b    0.537
    Name: estimate, dtype: float64
    """
    return AREA


def b_of_table(table: Array) -> float:
    """B of one contingency table (K, K); NaN if the coders have no category in common."""
    pairs = PairStatistics.of_tables(table[None].astype(float), Nominal(len(table), "nominal"))
    return float(AREA.value(AREA.parts(pairs).sum(0)))
