"""Test of whether coders choose a category for the same items more often than by chance; also for rare categories.

Under the null hypothesis each coder chooses a category as often as observed, for items drawn at random. The number of
joint choices of two coders is then hypergeometric, and the p-value is exact with half of the observed point (mid-p).
Joint choices of more coders are compared with the gamma distribution of their exact mean and variance under
permutation; this is slightly conservative where fewer than `MIN_EXPECTED_JOINT` are expected.

The p-values are one-sided and not adjusted over categories. Only numpy here, and scipy.special for p-values.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pandas_agreement.core.arrays import Array, ranges
from pandas_agreement.core.category_counts import blocks, sum_rows
from pandas_agreement.core.classes import dataclass
from pandas_agreement.core.sums import divide

MIN_EXPECTED_JOINT = 5.0  # expected joint choices below which the normal distribution of z does not hold
CELLS_PER_BLOCK = 1 << 18  # pairs of coders and categories that are computed at a time
MAX_STANDARD_DEVIATIONS = 40.0  # distance from the mean beyond which probabilities are below rounding


@dataclass(frozen=True, eq=False)
class RareCategory:
    """One test per category, (..., K) each; NaN where the margins allow only one outcome."""

    joint: Array  # pairs of coders who chose the category for the same item
    expected: Array
    variance: Array
    z: Array
    p_value: Array
    small: Array  # fewer expected than `MIN_EXPECTED_JOINT`, of pairs who both chose it or who both did not


def rare_pairs(joint: Array, first: Array, second: Array, n: Array, owner: Array, n_groups: int) -> RareCategory:
    """The test from joint choices and margins of each pair, (P, K) each, and its items, (P, 1): (G, K).

    The margins are those of the items that both coders of a pair labelled. Two pairs with a common coder are
    uncorrelated under the null hypothesis, so means and variances are summed over pairs.

    Parameters
    ----------
    joint, first, second : array (P, K)
        Items for which both coders, the first and the second one chose a category.
    n : array (P, 1)
    owner : array (P,)
        The group of each pair.
    n_groups : int

    Examples
    --------
    >>> test = rare_pairs(*(np.array([[value]]) for value in (2, 3, 3, 20)), np.array([0]), 1)
    >>> test.expected, test.p_value.round(4)
    (array([[0.45]]), array([[0.0232]]))
    """
    sums = np.zeros((4, n_groups, joint.shape[1]))
    step = max(CELLS_PER_BLOCK // max(joint.shape[1], 1), 1)
    for block in blocks(len(joint), step):  # there may be millions of pairs, or of categories
        moments = meeting_moments(first[block], second[block], n[block])
        parts = joint[block], *moments, n[block] - first[block] - second[block]
        sums += np.stack([sum_rows(part, owner[block], n_groups) for part in parts])
    test = _gamma_test(*sums)
    with_items = n[:, 0] > 0
    only = np.flatnonzero(with_items & (np.bincount(owner, with_items, minlength=n_groups)[owner] == 1))
    p_value = test.p_value.copy()
    p_value[owner[only]] = meeting_mid_p(joint[only], first[only], second[only], n[only])
    return replace(test, p_value=p_value)


def _gamma_test(joint: Array, expected: Array, variance: Array, rest: Array) -> RareCategory:
    """The test by the gamma distribution of this mean and variance; p is the mean of the tails at the count +- 1/2.

    Joint choices are skewed: the tail of the normal distribution is too small by orders of magnitude. A category that
    most labels have is tested by the pairs who both did not choose it, `rest` more than those who did.
    """
    from scipy.special import gammaincc  # imported here: it would double the time to import the package

    z = divide(joint - expected, np.sqrt(variance))
    rest = np.minimum(rest, 0.0)
    mean = np.maximum(expected + rest, 0.0)
    shape, scale = divide(mean**2, variance), divide(variance, mean)
    tails = [gammaincc(shape, divide(np.maximum(joint + rest + step, 0.0), scale)) for step in (-0.5, 0.5)]
    return RareCategory(joint, expected, variance, z, (tails[0] + tails[1]) / 2, mean < MIN_EXPECTED_JOINT)


def meeting_moments(first: Array, second: Array, n: Array) -> tuple[Array, Array]:
    """Hypergeometric mean and variance of the joint choices of coders who choose `first` and `second` of n items."""
    n = np.asarray(n, float)
    mean = divide(first * second, np.maximum(n, 1))
    top = first * (n - first) * second * (n - second)
    return mean, divide(top, np.maximum(n**2 * (n - 1), 1))  # 0 for a single item


def meeting_mid_p(joint: Array, first: Array, second: Array, n: Array) -> Array:
    """Hypergeometric mid-p: P(more joint choices) + P(as many) / 2; NaN where the variance is 0.

    The tails of all tests are concatenated and computed in one pass; together they are not longer than the labels.

    References
    ----------
    Lancaster, H. O. (1961). Significance tests in discrete distributions. Journal of the American Statistical
    Association 56, 223-234.

    Examples
    --------
    >>> float(meeting_mid_p(0, 1, 2, 20).round(6))  # .1 for one, .9 for none
    0.55
    """
    joint, first, second, n = np.broadcast_arrays(*(np.asarray(part, float) for part in (joint, first, second, n)))
    mean, variance = meeting_moments(first, second, n)
    varied = variance > 0
    p_value = np.full(joint.shape, np.nan)
    p_value[varied] = _tails(*(part[varied] for part in (joint, first, second, n, mean, np.sqrt(variance))))
    return p_value


def _tails(joint: Array, first: Array, second: Array, n: Array, mean: Array, sd: Array) -> Array:
    """The mid-p of each test, as a sum of probabilities from `joint` upwards."""
    start = np.maximum(joint, np.floor(mean - MAX_STANDARD_DEVIATIONS * sd))
    stop = np.minimum(np.minimum(first, second), np.ceil(np.maximum(joint, mean) + MAX_STANDARD_DEVIATIONS * sd))
    length = np.rint(stop - start).astype(np.int64) + 1
    test = np.repeat(np.arange(len(length)), length)
    x = ranges(start, length)
    probability = np.exp(_log_probability(x, first, second, n, test))
    probability[x == joint[test]] /= 2
    return np.minimum(np.bincount(test, probability, minlength=len(length)), 1.0)


def _log_probability(x: Array, first: Array, second: Array, n: Array, test: Array) -> Array:
    """Hypergeometric log probability of x in the test numbered `test`."""
    from scipy.special import gammaln

    def log_factorial(value: Array) -> Array:
        return gammaln(value + 1)

    whole = sum(log_factorial(part) for part in (first, n - first, second, n - second)) - log_factorial(n)
    a, b, m = first[test], second[test], n[test]
    return whole[test] - sum(log_factorial(part) for part in (x, a - x, b - x, m - a - b + x))
