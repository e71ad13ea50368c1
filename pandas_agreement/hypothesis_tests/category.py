"""Tests of categories: is one chosen together more often than by chance, does one agree less, are two confused?

Choices together: under the null hypothesis each coder chooses a category as often as observed, for items drawn at
random. The number of joint choices of two coders is then hypergeometric, and the p-value is exact with half of the
observed point (mid-p). Joint choices of more coders are compared with the gamma distribution of their exact mean
and variance under permutation; this is slightly conservative where fewer than `MIN_EXPECTED_JOINT` are expected.

These p-values are one-sided and not adjusted over categories.

Less agreement: a category's kappa is that of its labels against all others (pi of two categories). Uniform errors lower
the kappa of rare categories most, so a weak category is also below what uniform errors would leave of it.

Shapes: I items with two or more labels, G groups, K categories, P pairs of categories that meet on an item. Only numpy
here, and scipy.special for p-values.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np

from pandas_agreement.core.arrays import Array, number_within, ranges
from pandas_agreement.core.category_counts import DenseCounts, SparseCounts, blocks, pairs_within, sum_rows
from pandas_agreement.core.classes import dataclass
from pandas_agreement.core.quantiles import t_tail
from pandas_agreement.core.ratings import Ratings
from pandas_agreement.core.sums import divide
from pandas_agreement.hypothesis_tests.margins import holm

MIN_EXPECTED_JOINT = 5.0  # expected joint choices below which the normal distribution of z does not hold
CELLS_PER_BLOCK = 1 << 18  # pairs of coders and categories that are computed at a time
MAX_STANDARD_DEVIATIONS = 40.0  # distance from the mean beyond which probabilities are below rounding
MARGIN = 0.05  # by which the kappa of a weak category is below the others
MIN_CATEGORIES = 3
MIN_ITEMS = 10
TIMES_CHANCE = 1.5  # what the share of a confusion exceeds, times its share if labels met by chance
MIN_SHARE = 0.25  # of all disagreements
MIN_OF_EACH = 0.6  # of the disagreements of both categories


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


# ----------------------------------------------------------------------------------------- weak and confused categories


@dataclass(frozen=True, eq=False)
class Confusions:
    """Pairs of categories of a group: (P,) each."""

    group: Array
    one: Array
    two: Array
    number: Array  # disagreements of each with the other
    n_items: Array


class CategoryTests:
    """Sums over the items of each group with two or more labels, and the tests."""

    def __init__(self, ratings: Ratings) -> None:
        self.ratings = ratings = ratings.select(ratings.sizes > 1)
        counts = ratings.counts
        self.counts: SparseCounts = counts.sparse() if isinstance(counts, DenseCounts) else counts
        item = self.counts.item
        self.shape = ratings.n_groups, ratings.n_categories
        self.r = ratings.sizes.astype(float)  # (I,)
        self.group = ratings.item_group
        self.cell = self.group[item] * np.int64(self.shape[1]) + self.counts.code
        self.chosen = self.counts.number.astype(float)  # n of the entries
        self.joint = self.chosen * (self.chosen - 1) / (self.r[item] - 1)
        self.weight = ratings.weights
        self.totals, self.met = self._per_cell(self.chosen), self._per_cell(self.joint)  # (G, K)
        self.n_items = self._per_cell(np.ones(len(item)))
        self.size = self.totals.sum(1)  # (G,) labels
        self.share = divide(self.totals, self.size[:, None])
        self.joint_share = divide(self.met, self.size[:, None])
        self.observed, self.squares = self.joint_share.sum(1), (self.share**2).sum(1)
        self.number = (self.totals > 0).sum(1)  # (G,) categories in use

    def _per_cell(self, values: Array) -> Array:
        """Weighted sum over the entries of each group and category: (G, K)."""
        weighted = values * self.weight[self.counts.item]
        return np.bincount(self.cell, weighted, minlength=self.shape[0] * self.shape[1]).reshape(self.shape)

    @cached_property
    def _of_items(self) -> tuple[Array, Array, Array]:
        """What each item adds to agreement and to the sum of squared shares, minus its part, and its labels: (I,)."""
        joint = self.counts.over_items(self.joint) - self.observed[self.group] * self.r
        share = self.share.ravel()[self.cell] * self.chosen
        return joint, self.counts.over_items(share) - self.squares[self.group] * self.r, self.r

    @cached_property
    def kappa(self) -> Array:
        """Of each category against all others: (G, K)."""
        q = self.share
        return divide(self.joint_share - q**2, q * (1 - q))

    @cached_property
    def rest(self) -> Array:
        """Mean kappa of the other categories, weighted by share (1 - share): (G, K)."""
        return divide(*self._rest)

    @property
    def _rest(self) -> tuple[Array, Array]:
        q = self.share
        top = (self.observed - self.squares)[:, None] - self.joint_share + q**2
        return top, (1 - self.squares)[:, None] - q + q**2

    def uniform(self) -> Array:
        """Kappa of each category if errors towards all other categories were equally frequent: (G, K).

        The rate of errors follows from the agreement of pairs of labels both of other categories.
        """
        K, q = np.maximum(self.number, MIN_CATEGORIES)[:, None].astype(float), self.share
        others = divide(self.observed[:, None] - self.joint_share, 1 - 2 * q + self.joint_share)
        B = 1 / (K - 2)
        rho = (B + np.sqrt(np.maximum(B**2 - (1 + B) * (B - others), 0.0))) / (1 + B)
        right = 1 / (1 + (K - 1) * (1 - rho) / (rho * (K - 2)))
        wrong = (1 - right) / (K - 1)
        true = np.clip(divide(q - wrong, right - wrong), 0.0, 1.0)
        specific = divide(true * right**2 + (1 - true) * wrong**2, true * right + (1 - true) * wrong)
        return divide(specific - q, 1 - q)

    def _difference_se(self) -> Array:
        """Standard error of rest - kappa, from the influence of each item, which is linear in its sums: (G, K)."""
        q, j, (top, bottom) = self.share, self.joint_share, self._rest
        spread = q * (1 - q)
        by_joint = -1 / bottom - divide(np.ones_like(q), spread)
        by_share = (2 * q * bottom - top * (2 * q - 1)) / bottom**2
        by_share += divide(2 * q * spread + (j - q**2) * (1 - 2 * q), spread**2)
        of_items = [1 / bottom, 2 * (top - bottom) / bottom**2, -(by_joint * j + by_share * q)]
        of_entries = [by_joint, by_share]
        x, y, item = self._of_items, (self.joint, self.chosen), self.counts.item
        total = np.zeros(self.shape)
        for a, slope in zip(x, of_items, strict=True):
            for b, other in zip(x, of_items, strict=True):
                total += slope * other * self.ratings.sum(a * b)[:, None]
            for b, other in zip(y, of_entries, strict=True):
                total += 2 * slope * other * self._per_cell(a[item] * b)
        for a, slope in zip(y, of_entries, strict=True):
            for b, other in zip(y, of_entries, strict=True):
                total += slope * other * self._per_cell(a * b)
        return np.sqrt(np.maximum(total, 0.0)) / self.size[:, None]

    def below_others(self) -> dict[str, Array]:
        """Columns (G, K): kappa, that of the others, and p after Holm that it is not below them."""
        h, known = self.n_items, (self.n_items >= MIN_ITEMS) & (self.number >= MIN_CATEGORIES)[:, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            se = self._difference_se() * np.sqrt(divide(h, h - 1))
            t = divide(np.fmin(self.rest, self.uniform()) - self.kappa - MARGIN, se)
        p = np.where(known, t_tail(t, h - 1), np.nan)
        return {"kappa": self.kappa, "others": self.rest, "n_items": h, "p_holm": holm(p)}

    # ------------------------------------------------------------------------------------------------- confusions

    @cached_property
    def confusions(self) -> Confusions:
        """All pairs of categories that met on an item."""
        first, second = pairs_within(self.counts.item)
        item, K = self.counts.item[first], np.int64(max(self.shape[1], 1))
        keys, pair = np.unique(self.cell[first] * K + self.counts.code[second], return_inverse=True)
        number = self.chosen[first] * self.chosen[second] / (self.r[item] - 1) * self.weight[item]
        sums = (np.bincount(pair, values, minlength=len(keys)) for values in (number, self.weight[item]))
        return Confusions(keys // K // K, keys // K % K, keys % K, *sums)

    def most_confused(self) -> tuple[Array, Array]:
        """The category with which each disagrees most, and that share of its disagreements, 0 without any: (G, K)."""
        pairs, cells = self.confusions, self.shape[0] * self.shape[1]
        cell = np.concatenate([pairs.group * self.shape[1] + side for side in (pairs.two, pairs.one)])
        number, other = np.tile(pairs.number, 2), np.append(pairs.one, pairs.two)
        order = np.lexsort((-number, cell))
        cell, first = np.unique(cell[order], return_index=True)
        most = order[first]
        category, disagreements = np.zeros(cells, np.int64), np.zeros(cells)
        category[cell], disagreements[cell] = other[most], number[most]
        share = np.nan_to_num(divide(disagreements.reshape(self.shape), self.totals - self.met))
        return category.reshape(self.shape), share

    def confused(self) -> dict[str, Array]:
        """Columns of the pairs of categories that are confused: (P,)."""
        pairs, disagreements = self.confusions, self.totals - self.met
        group, one, two = pairs.group, pairs.one, pairs.two
        share = divide(2 * pairs.number, disagreements.sum(1)[group])
        chance = divide(2 * self.share[group, one] * self.share[group, two], 1 - self.squares[group])
        of_each = np.minimum(*(divide(pairs.number, disagreements[group, side]) for side in (one, two)))
        enough = pairs.n_items >= MIN_ITEMS
        tests = np.bincount(group[enough], minlength=self.shape[0])[group]
        likely = enough & (share >= MIN_SHARE) & (of_each >= MIN_OF_EACH)
        chosen = np.flatnonzero(likely & (self.number[group] >= MIN_CATEGORIES))
        columns = {"group": group, "one": one, "two": two, "share": share, "chance": chance, "of_each": of_each}
        columns = {name: values[chosen] for name, values in (columns | {"n_items": pairs.n_items}).items()}
        se, h = self._confusion_se(columns), columns["n_items"]
        t = divide(columns["share"] - TIMES_CHANCE * columns["chance"], se * np.sqrt(divide(h, h - 1)))
        return columns | {"p_value": np.minimum(t_tail(t, h - 1) * tests[chosen], 1.0)}

    def _confusion_se(self, pairs: dict[str, Array]) -> Array:
        """Standard error of share - 1.5 chance of pairs, of which a group has few: (P,)."""
        se, number = np.zeros(len(pairs["group"])), number_within(pairs["group"])
        missed = self.size * (1 - self.observed)
        for step in range(int(number.max(initial=-1)) + 1):
            at = np.flatnonzero(number == step)
            place = np.full(self.shape[0], -1)
            place[pairs["group"][at]] = at
            items = np.flatnonzero(place[self.group] >= 0)
            pair, group, r = place[self.group[items]], self.group[items], self.r[items]
            n = [self.counts.number_of(items, pairs[side][pair]) for side in ("one", "two")]
            disagreement = r - self.counts.over_items(self.joint)[items]
            influence = (2 * n[0] * n[1] / (r - 1) - pairs["share"][pair] * disagreement) / missed[group]
            change = 2 * self._of_items[1][items] / (self.size * (1 - self.squares))[group]
            for side, own in zip(("one", "two"), n, strict=True):
                cell = group, pairs[side][pair]
                change += (own - self.share[cell] * r) / self.totals[cell]
            influence -= TIMES_CHANCE * pairs["chance"][pair] * change
            se += np.sqrt(np.bincount(pair, influence**2 * self.weight[items], minlength=len(se)))
        return se
