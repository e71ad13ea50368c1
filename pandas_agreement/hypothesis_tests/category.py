"""Is a category chosen together more often than chance would have it? A test that holds for rare categories.

Under the hypothesis each coder keeps the number of times they chose a category, and the items they chose it for are
drawn at random. Two coders who both choose it then meet as the hypergeometric distribution says, which is used exactly,
with half of the observed point (mid-p). Joint choices of more coders are compared with the gamma distribution that has
their exact mean and variance under permutation; that is a little too careful where fewer than `MIN_EXPECTED_JOINT` are
expected.

The p-values are one-sided, each category by itself: adjust them over categories. Only numpy here, and scipy.special
when a p-value is made.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.sums import divide

MIN_EXPECTED_JOINT = 5.0  # joint choices to expect before the normal distribution is any good

PAIRS_PER_BLOCK = 1 << 17  # pairs of coders at a time

MAX_STANDARD_DEVIATIONS = 40.0  # standard deviations; what lies beyond adds nothing to a sum of doubles


@dataclass(frozen=True, eq=False)
class RareCategory:
    """A test a category, (..., K) each; NaN where the margins leave nothing to chance."""

    joint: Array  # pairs of coders who chose it for the same item
    expected: Array
    variance: Array
    z: Array
    p_value: Array
    small: Array  # too few expected for z


def rare_category(pair_tables: Array, owner: Array, n_groups: int) -> RareCategory:
    """The test from the tables of all pairs of coders, with or without gaps: (G, K).

    The margins are those of the items that both coders of a pair labelled. Two pairs that share a coder are
    uncorrelated under the hypothesis, so means and variances add up over pairs.

    Parameters
    ----------
    pair_tables : array (P, K, K)
        Counts, a table a pair.
    owner : array (P,)
        The group of each pair.
    n_groups : int

    Examples
    --------
    >>> test = rare_category(np.array([[[2, 1], [1, 16]]]), np.array([0]), 1)
    >>> test.expected
    array([[ 0.45, 14.45]])
    >>> test.p_value.round(4)
    array([[0.0232, 0.0232]])
    """
    T = np.asarray(pair_tables, float)
    first, second, n = T.sum(-1), T.sum(-2), T.sum((-1, -2))[:, None]  # (P, K), (P, K), (P, 1)
    joint = np.diagonal(T, axis1=-2, axis2=-1)
    return rare_pairs(joint, first, second, n, owner, n_groups)


def rare_pairs(joint: Array, first: Array, second: Array, n: Array, owner: Array, n_groups: int) -> RareCategory:
    """The same test from joint choices and margins of each pair, (P, K) each, and its items, (P, 1)."""
    sums = np.zeros((3, n_groups, joint.shape[1]))
    for start in range(0, len(joint), PAIRS_PER_BLOCK):  # pairs may be millions
        block = slice(start, start + PAIRS_PER_BLOCK)
        parts = joint[block], *meeting_moments(first[block], second[block], n[block])
        sums += np.stack([_over_pairs(part, owner[block], n_groups) for part in parts])
    test = _skewed_test(*sums)
    met = n[:, 0] > 0
    alone = np.flatnonzero(met & (np.bincount(owner, met, minlength=n_groups)[owner] == 1))
    p_value = test.p_value.copy()
    p_value[owner[alone]] = meeting_mid_p(joint[alone], first[alone], second[alone], n[alone])
    return replace(test, p_value=p_value)


def rare_category_complete(joint: Array, coder_totals: Array, n_items: Array) -> RareCategory:
    """The same test where every coder labelled every item, without a table a pair: (..., K).

    Parameters
    ----------
    joint : array (..., K)
        Pairs of coders who chose the category for the same item.
    coder_totals : array (..., C, K)
    n_items : array (...)

    Examples
    --------
    >>> test = rare_category_complete(np.array([3, 40]), np.array([[2, 18], [2, 18], [3, 17]]), np.array(20))
    >>> test.expected
    array([ 0.8, 46.8])
    """
    totals, n = np.asarray(coder_totals, float), np.asarray(n_items, float)[..., None]
    joint = np.asarray(joint, float)
    expected = divide(_pair_products(totals), n)
    variance = divide(_pair_products(totals * (n[..., None] - totals)), n**2 * (n - 1))
    test = _skewed_test(joint, expected, np.where(n > 1, variance, 0.0))
    if totals.shape[-2] != 2:
        return test
    return replace(test, p_value=meeting_mid_p(joint, totals[..., 0, :], totals[..., 1, :], n))


def _over_pairs(parts: Array, owner: Array, n_groups: int) -> Array:
    """Sums over the pairs of each group: (P, K) -> (G, K)."""
    sums = [np.bincount(owner, part, minlength=n_groups) for part in parts.T]
    return np.array(sums).reshape(parts.shape[1], n_groups).T


def _pair_products(values: Array) -> Array:
    """Sum over pairs of coders of the products of their values: (..., C, K) -> (..., K)."""
    return (values.sum(-2) ** 2 - (values**2).sum(-2)) / 2


def _skewed_test(joint: Array, expected: Array, variance: Array) -> RareCategory:
    """From the gamma distribution of that mean and variance, halfway between its tails around the count.

    Joint choices are skewed: the normal distribution is too small by orders of magnitude in the tail.
    """
    from scipy.special import gammaincc  # imported here: it would double the time to import the package

    z = divide(joint - expected, np.sqrt(variance))
    shape, unit = divide(expected**2, variance), divide(variance, expected)
    tails = [gammaincc(shape, divide(np.maximum(joint + step, 0.0), unit)) for step in (-0.5, 0.5)]
    return RareCategory(joint, expected, variance, z, (tails[0] + tails[1]) / 2, expected < MIN_EXPECTED_JOINT)


# ------------------------------------------------------------------------------------------------- two coders


def meeting_moments(first: Array, second: Array, n: Array) -> tuple[Array, Array]:
    """Mean and variance of the number of items on which `first` and `second` random choices among n items meet."""
    n = np.asarray(n, float)
    mean = divide(first * second, np.maximum(n, 1))
    top = first * (n - first) * second * (n - second)
    return mean, divide(top, np.maximum(n**2 * (n - 1), 1))  # a single item leaves nothing to chance: 0


def meeting_mid_p(joint: Array, first: Array, second: Array, n: Array) -> Array:
    """P(more meet) + P(just as many meet) / 2 by the hypergeometric distribution; NaN where nothing can vary.

    All tests in one pass: their tails are laid end to end, which is never more than there are labels.

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
    known = (part[varied] for part in (joint, first, second, n, mean, np.sqrt(variance)))
    p_value[varied] = _tails(*known)
    return p_value


def _tails(joint: Array, first: Array, second: Array, n: Array, mean: Array, sd: Array) -> Array:
    start = np.maximum(joint, np.floor(mean - MAX_STANDARD_DEVIATIONS * sd))
    stop = np.minimum(np.minimum(first, second), np.ceil(np.maximum(joint, mean) + MAX_STANDARD_DEVIATIONS * sd))
    length = np.rint(stop - start).astype(np.int64) + 1
    test = np.repeat(np.arange(len(length)), length)
    x = start[test] + np.arange(len(test)) - (np.cumsum(length) - length)[test]
    probability = np.exp(_log_probability(x, first, second, n, test))
    probability[x == joint[test]] /= 2
    return np.minimum(np.bincount(test, probability, minlength=len(length)), 1.0)


def _log_probability(x: Array, first: Array, second: Array, n: Array, test: Array) -> Array:
    """Hypergeometric, of x in the test numbered `test`."""
    from scipy.special import gammaln

    def log_factorial(value: Array) -> Array:
        return gammaln(value + 1)

    whole = sum(log_factorial(part) for part in (first, n - first, second, n - second)) - log_factorial(n)
    a, b, m = first[test], second[test], n[test]
    return whole[test] - sum(log_factorial(part) for part in (x, a - x, b - x, m - a - b + x))
