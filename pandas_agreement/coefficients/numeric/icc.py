"""Intraclass correlations: the share of the variance of ratings that lies between items.

Six forms, in the names of McGraw and Wong (1996); those of Shrout and Fleiss (1979) are aliases:

| form | Shrout-Fleiss | model | a coder's offset |
|---|---|---|---|
| ICC(1), ICC(1,k) | ICC(1,1), ICC(1,k) | item + error | is error |
| ICC(A,1), ICC(A,k) | ICC(2,1), ICC(2,k) | item + coder + error | is error: absolute agreement |
| ICC(C,1), ICC(C,k) | ICC(3,1), ICC(3,k) | item + coder + error | does not count: consistency |

(.,1) is the reliability of a single score, (.,k) that of the mean of k scores (Spearman-Brown).

Without missing scores all are computed from the mean squares of the analysis of variance, with the intervals of McGraw
and Wong. With missing scores ICC(1) has its unbalanced form, with the F ratio of its mean squares and the degrees of
freedom that fit (the exact ratio of Wald belongs to another estimator, which may lie far away if the sizes of items go
with their variance). The two-way components are then estimated by restricted maximum likelihood (`reml.py`), the tests
and the interval of (C) use exact F ratios (`crossed.py`), and the interval of (A) uses the profile likelihood. Coders
are a random factor in (A): an interval that only resamples items is far too short, and McGraw and Wong's formula, with
the mean squares that the components imply, has a lower coverage than the profile when coders differ much. All scores
are used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from functools import cached_property
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np

from pandas_agreement.coefficients.numeric import reml
from pandas_agreement.coefficients.numeric.crossed import Crossed, clean, crossing, ratio, residuals
from pandas_agreement.coefficients.numeric.reml import Components
from pandas_agreement.core.arrays import Array
from pandas_agreement.core.classes import dataclass
from pandas_agreement.core.quantiles import f_quantile, f_test, perfect_bound
from pandas_agreement.core.scores import Scores, centre, span
from pandas_agreement.core.sums import divide
from pandas_agreement.errors import choose, wrong_value

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class MeanSquares:
    """One analysis of variance per group: (G,) each. With missing scores n and k fit the mean squares."""

    n: Array  # items of each coder
    k: Array  # scores of each item
    MSR: Array  # between items
    MSC: Array  # between coders; NaN in the one-way model
    MSE: Array  # error; within items (MSW) in the one-way model
    df_items: Array
    df_coders: Array
    df_error: Array

    def but(self, where: Array, other: MeanSquares) -> MeanSquares:
        """The same with those of `other` in some groups."""
        names = [field.name for field in fields(MeanSquares)]
        return MeanSquares(*(_put(getattr(self, name), where, getattr(other, name)) for name in names))

    def consistency(self) -> Array:
        """ICC(C,1), and of the one-way model ICC(1)."""
        return divide(self.MSR - self.MSE, self.MSR + (self.k - 1) * self.MSE)

    def agreement(self) -> Array:
        """ICC(A,1)."""
        MSR, MSC, MSE, k = self.MSR, self.MSC, self.MSE, self.k
        return divide(MSR - MSE, MSR + (k - 1) * MSE + divide(k * (MSC - MSE), self.n))


def _implied(crossed: Crossed, parts: Components) -> MeanSquares:
    """The mean squares that variance components imply, with missing scores."""
    n = divide(crossed.n_ratings - crossed.n_items, crossed.df_coders)
    k = divide(crossed.n_ratings - crossed.n_coders, crossed.df_items)
    MSR, MSC = parts.error + k * parts.item, parts.error + n * parts.coder
    return MeanSquares(n, k, MSR, MSC, parts.error, crossed.df_items, crossed.df_coders, crossed.df_error)


@dataclass(frozen=True, eq=False)
class ICC:
    """An intraclass correlation, its interval, and the F test of the null value: (G,) each."""

    value: Array
    low: Array
    high: Array
    statistic: Array
    df1: Array
    df2: Array
    p: Array
    k: Array  # scores in an average


@dataclass(frozen=True, eq=False)
class Bias:
    """F test of no difference between the means of the coders: (G,) each."""

    statistic: Array
    df1: Array
    df2: Array
    p: Array


@dataclass(frozen=True, eq=False)
class Design:
    """The scores and their analyses of variance, each computed on first use."""

    values: Scores

    @cached_property
    def gaps(self) -> Array:
        """Groups with a missing score: (G,) of bool."""
        return ~self.values.complete

    @cached_property
    def _squares(self) -> tuple[Array, Array]:
        """Total sum of squares, and between items: (G,) each."""
        values = self.values
        total = values.per_group(values.centred**2)
        return total, clean(values.sum(values.sizes * values.item_means**2), total)

    @cached_property
    def n_items(self) -> Array:
        return self.values.sum((self.values.sizes > 0).astype(float))

    @cached_property
    def _sizes(self) -> tuple[Array, Array]:
        """The number of scores, and of scores per item: (G,) each."""
        sizes = self.values.sizes.astype(float)
        N = self.values.sum(sizes)
        return N, divide(N - divide(self.values.sum(sizes**2), N), np.maximum(self.n_items - 1, 0))

    @property
    def per_item(self) -> Array:
        """Scores per item: (G,)."""
        return self._sizes[1]

    @cached_property
    def one_way(self) -> MeanSquares:
        n, (N, k), (total, between) = self.n_items, self._sizes, self._squares
        within = clean(self.values.per_group(residuals(self.values) ** 2), total)
        none = np.full(n.shape, np.nan)
        return MeanSquares(n, k, divide(between, n - 1), none, divide(within, N - n), n - 1, none, N - n)

    @cached_property
    def _size_sums(self) -> Array:
        """Numbers of items, and sums of their sizes, of the squares and of the cubes: (4, groups with gaps)."""
        sizes = self.values.sizes.astype(float)
        return np.stack([self.n_items, *(self.values.sum(sizes**power) for power in (1, 2, 3))])[:, self.gaps]

    def df_between(self, theta: Array, groups: Any = np.s_[:]) -> Array:
        """Degrees of freedom of MSR of the one-way model, after Satterthwaite, in groups with missing scores.

        2 mean^2 / variance of the sum of squares at a ratio theta of the variances; n - 1 if all sizes are equal.
        """
        n, N, squares, cubes = self._size_sums[:, groups]
        mean = n - 1 + theta * (N - squares / N)
        variance = n - 1 + 2 * theta * (N - squares / N) + theta**2 * (squares + (squares / N) ** 2 - 2 * cubes / N)
        return mean**2 / variance

    @cached_property
    def two_way(self) -> MeanSquares:
        """Mean squares of items and coders; with missing scores those that the variance components imply."""
        table = self._balanced()
        if not self.gaps.any():
            return table
        return table.but(self.gaps, _implied(self.crossed, self.likely))

    def _balanced(self) -> MeanSquares:
        values, n = self.values, self.n_items
        k = values.active_coders().astype(float)
        total, between = self._squares
        coder_means = values.per_cell(values.centred) / np.maximum(values.cell_sizes, 1)
        residual = residuals(values)
        values.subtract_cells(residual, coder_means)
        error = values.per_group(residual**2)
        coders = clean(n * values.over_cells(coder_means**2), total)
        mean_squares = divide(between, n - 1), divide(coders, k - 1), divide(clean(error, total), (n - 1) * (k - 1))
        return MeanSquares(n, k, *mean_squares, n - 1, k - 1, (n - 1) * (k - 1))

    @property
    def crossed(self) -> Crossed:
        """Items after coders, in the groups with missing scores."""
        return self.once("crossed", lambda: Crossed.of(self.values.select_groups(self.gaps)))

    @property
    def likely(self) -> Components:
        """Components by restricted maximum likelihood, in the groups with missing scores."""
        return self.once("likely", lambda: reml.components(self.crossed))

    def once(self, key: Any, make: Callable[[], T]) -> T:
        """A result that all forms share, made on first use."""
        memory = self.values.memory
        if key not in memory:
            memory[key] = make()
        return cast(T, memory[key])

    def components(self) -> Components:
        """Variance components of the analysis of variance, maybe negative; with missing scores never below 0."""
        table = self.two_way
        item, coder = divide(table.MSR - table.MSE, table.k), divide(table.MSC - table.MSE, table.n)
        square = self.values.unit**2
        return Components(item * square, coder * square, table.MSE * square, self.converged)

    @cached_property
    def converged(self) -> Array:
        """Groups whose components are the maximum of the likelihood, or need no search: (G,) of bool."""
        out = np.ones(self.gaps.shape, bool)
        if self.gaps.any():
            out[self.gaps] = self.likely.converged
        return out

    def bias(self) -> Bias:
        """F test of equal means of the coders, MSC / MSE, which no intraclass correlation tests."""
        table = self.two_way
        F = ratio(table.MSC, table.MSE)
        if self.gaps.any():
            exact = ratio(divide(self.crossed.coder_squares, self.crossed.df_coders), self.crossed.error)
            F = _put(F, self.gaps, exact)
        return Bias(F, table.df_coders, table.df_error, f_test(F, table.df_coders, table.df_error))

    def least_limit(self, level: float) -> Array:
        """Lower limit where agreement is perfect, at least 0 as the model has no correlation below 0."""
        values = self.values
        rated = values.sizes > 0
        means, group = values.item_means[rated], values.item_group[rated]
        deviation = centre(means, group, values.n_groups)[0]
        expected = 2 * divide(np.bincount(group, deviation**2, minlength=values.n_groups), self.n_items)
        n = values.sum((values.sizes > 1).astype(float))
        return perfect_bound(n, span(means, group, values.n_groups), expected, level, floor=0.0)


class Form(NamedTuple):
    """The function of a form's single score, and whether the form is of averages."""

    single: Callable[[Design, float, Array], ICC]
    average: bool


def icc(design: Design, form: str = "ICC(A,1)", level: float = 0.95, null: float = 0.0, k: float | None = None) -> ICC:
    """One of the six intraclass correlations, its interval, and the F test of rho = `null` against rho > `null`.

    `k` is the number of scores in an average, by default the number of coders, and with missing scores the number of
    scores per item, (N - sum of squared sizes / N) / (n - 1); an average whose variance is estimated as 0 or less has
    no reliability (NaN). At `null` = 0 the test of ICC(A,.) is that of ICC(C,.), F = MSR / MSE. Where agreement is
    perfect the lower limit is the bound of `Design.least_limit`.

    McGraw, K. O. and Wong, S. P. (1996). Forming inferences about some intraclass correlation coefficients.
    Psychological Methods 1, 30-46; correction 390. Shrout, P. E. and Fleiss, J. L. (1979). Psychological Bulletin 86,
    420-428.

    Examples
    --------
    >>> columns = [np.array(coder, float) for coder in ([9, 6, 8, 7, 10, 6], [2, 1, 4, 1, 5, 2], [5, 3, 6, 2, 6, 4])]
    >>> icc(Design(Scores.from_columns(columns)), "ICC(C,1)").value.round(3)
    array([0.788])
    """
    single, average = choose("form", form, FORMS)
    if not null < 1:
        raise wrong_value("null", null, "leaves no room for a larger correlation", "use a number below 1, such as 0")
    scores = design.per_item if k is None else np.full(design.n_items.shape, float(k))
    nulls = np.full(scores.shape, null)
    nulls = divide(nulls, scores - (scores - 1) * nulls) if average else nulls
    found = single(design, level, nulls) if null else design.once((single, level), lambda: single(design, level, nulls))
    result = replace(found, k=scores)
    perfect = result.value == 1
    if perfect.any():
        low = np.where(perfect, design.least_limit(level), result.low)
        result = replace(result, low=low, high=np.where(perfect, 1.0, result.high))
    if not average:
        return result
    value = of_means(result.value, scores)
    low, high = (np.where(np.isnan(value), np.nan, spearman_brown(end, scores)) for end in (result.low, result.high))
    return replace(result, value=value, low=np.minimum(low, value), high=np.maximum(high, value))  # but for rounding


def spearman_brown(single: Array, k: Array) -> Array:
    """Reliability of the mean of k scores from that of one; minus infinity where that is -1 / (k - 1) or lower."""
    bottom = 1 + (k - 1) * single
    return np.where(bottom > 1e-15, divide(k * single, bottom), np.where(np.isnan(bottom), np.nan, -np.inf))


def of_means(single: Array, k: Array) -> Array:
    """The same, NaN where the variance of the means is estimated as 0 or less."""
    value = spearman_brown(single, k)
    return np.where(np.isinf(value), np.nan, value)


def _from_mean_squares(table: MeanSquares, level: float, null: Array) -> ICC:
    """The correlation of items and error only, without a coder variance: ICC(1) and ICC(C,1)."""
    k, tail = table.k, (1 - level) / 2
    F = ratio(table.MSR, table.MSE)
    value = table.consistency()
    lower = F / f_quantile(1 - tail, table.df_items, table.df_error)
    upper = F * f_quantile(1 - tail, table.df_error, table.df_items)
    tested = F * (1 - null) / (1 + (k - 1) * null)
    p = f_test(tested, table.df_items, table.df_error)
    return ICC(value, _of_f(lower, k), _of_f(upper, k), tested, table.df_items, table.df_error, p, k)


def _exact(plain: ICC, design: Design, crossed: Crossed, level: float, null: Array) -> ICC:
    """The same with missing scores: test and limits from the exact F ratio. The limits include an estimate set to 0."""
    gaps = design.gaps
    low, high = crossed.limits(level) if level else np.full((2, gaps.sum()), np.nan)
    F = crossed.f_ratio((null / (1 - null))[gaps])
    limits = {"low": np.fmin(low, plain.value[gaps]), "high": np.fmax(high, plain.value[gaps])}
    changed = {**limits, "statistic": F, "p": f_test(F, crossed.df_items, crossed.df_error)}
    return _put_all(plain, gaps, changed)


def _one_way(design: Design, level: float, null: Array) -> ICC:
    """With missing scores F / (1 + k theta) is taken as F distributed, with the degrees of freedom that fit theta."""
    plain, gaps = _from_mean_squares(design.one_way, level, null), design.gaps
    if not gaps.any():
        return plain
    table, tail, value = design.one_way, (1 - level) / 2, plain.value[gaps]
    F, df2 = ratio(table.MSR, table.MSE)[gaps], table.df_error[gaps]
    largest = np.ones(gaps.shape)
    np.maximum.at(largest, design.values.item_group, design.values.sizes)

    def tested(theta: Array, groups: Any = np.s_[:]) -> tuple[Array, Array]:
        return F[groups] / (1 + table.k[gaps][groups] * theta), design.df_between(theta, groups)

    def limit(share: float) -> Array:
        def excess(groups: Array, theta: Array) -> Array:
            statistic, df1 = tested(theta, groups)
            with np.errstate(divide="ignore", invalid="ignore"):  # F may be 0 or infinite
                return np.log(f_quantile(share, df1, df2[groups])) - np.log(statistic)

        theta = crossing(excess, largest[gaps])
        return np.where(np.isfinite(F), theta / (1 + theta), np.where(np.isnan(F), np.nan, 1.0))

    statistic, df1 = tested((null / (1 - null))[gaps])
    low, high = (limit(1 - tail), limit(tail)) if level else (value, value)
    limits = {"low": np.fmin(low, value), "high": np.fmax(high, value)}  # value is < -1 / largest
    changed = {**limits, "statistic": statistic, "df1": df1, "p": f_test(statistic, df1, df2)}
    return _put_all(plain, gaps, changed)


def _consistency(design: Design, level: float, null: Array) -> ICC:
    plain = _from_mean_squares(design.two_way, level, null)
    return _exact(plain, design, design.crossed, level, null) if design.gaps.any() else plain


def _agreement(design: Design, level: float, null: Array) -> ICC:
    """With missing scores the limits are those of the profile likelihood, NaN at a level of 0."""
    table = design.two_way
    value = table.agreement()
    low, high = agreement_limits(table, value, level)
    error, df2 = _error_of_agreement(table, null)
    F = ratio(table.MSR, error)
    if design.gaps.any():
        low, high = _with_profile(design, level, low, high)
        exact = design.crossed.f_ratio(np.zeros(design.gaps.sum()))
        F = _put(F, design.gaps & (null == 0), exact[(null == 0)[design.gaps]])
    return ICC(value, low, high, F, table.df_items, df2, f_test(F, table.df_items, df2), table.k)


def agreement_limits(table: MeanSquares, value: Array, level: float | Array) -> tuple[Array, Array]:
    """McGraw and Wong's limits of ICC(A,1)."""
    n, k, MSR, MSC, MSE = table.n, table.k, table.MSR, table.MSC, table.MSE
    v, tail = _error_of_agreement(table, np.maximum(value, 0.0))[1], (1 - level) / 2
    others = k * MSC + (k * n - k - n) * MSE
    below = 1 / f_quantile(1 - tail, table.df_items, v)
    above = 1 / f_quantile(1 - tail, v, table.df_items)
    low = divide(n * (below * MSR - MSE), others + n * below * MSR)
    return low, divide(n * (MSR - above * MSE), above * others + n * MSR)


def _with_profile(design: Design, level: float, low: Array, high: Array) -> tuple[Array, Array]:
    """The limits of the profile likelihood in groups with missing scores, where the likelihood is defined."""
    gaps = design.gaps
    if not level:
        unknown = np.full(gaps.sum(), np.nan)
        return _put(low, gaps, unknown), _put(high, gaps, unknown)
    new = reml.agreement_limits(design.crossed, design.likely, level, (low[gaps], high[gaps]))
    low = _put(low, gaps, np.where(np.isnan(new[0]), low[gaps], new[0]))
    return low, _put(high, gaps, np.where(np.isnan(new[1]), high[gaps], new[1]))


def _error_of_agreement(table: MeanSquares, rho: Array) -> tuple[Array, Array]:
    """The expected MSR if rho is true, a MSC + b MSE, and its degrees of freedom after Satterthwaite."""
    odds = divide(rho, 1 - rho)
    a = divide(table.k * odds, table.n)
    b = 1 + a * (table.n - 1)
    coders, error = a * table.MSC, b * table.MSE
    variance = divide(coders**2, table.df_coders) + divide(error**2, table.df_error)
    return coders + error, np.where(rho == 0, table.df_error, divide((coders + error) ** 2, variance))


FORMS: dict[str, Form] = {
    "ICC(1)": Form(_one_way, False),
    "ICC(1,k)": Form(_one_way, True),
    "ICC(C,1)": Form(_consistency, False),
    "ICC(C,k)": Form(_consistency, True),
    "ICC(A,1)": Form(_agreement, False),
    "ICC(A,k)": Form(_agreement, True),
}
#: Shrout and Fleiss' names
FORMS |= {
    "ICC(1,1)": FORMS["ICC(1)"],
    "ICC(2,1)": FORMS["ICC(A,1)"],
    "ICC(2,k)": FORMS["ICC(A,k)"],
    "ICC(3,1)": FORMS["ICC(C,1)"],
    "ICC(3,k)": FORMS["ICC(C,k)"],
}


def _of_f(F: Array, k: Array) -> Array:
    """(F - 1) / (F + k - 1), 1 where F is infinite."""
    finite = np.where(np.isinf(F), 1.0, F)
    return np.where(np.isinf(F), 1.0, divide(finite - 1, finite + k - 1))


def _put_all(plain: ICC, where: Array, parts: dict[str, Array]) -> ICC:
    """The same with other values in some fields where a condition holds."""
    return replace(plain, **{name: _put(getattr(plain, name), where, part) for name, part in parts.items()})


def _put(whole: Array, where: Array, part: Array) -> Array:
    """A copy of an array with other values where a condition holds."""
    out = np.array(whole, float)
    out[where] = part
    return out
