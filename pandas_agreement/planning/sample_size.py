"""Sample sizes for an interval of a given width, for a test, and after a pilot.

They come from a model of labels (`planning.model`), for every coefficient of unordered labels and any number of coders
and categories.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.coefficients.registry import REGISTRY, find
from pandas_agreement.core.arrays import Array
from pandas_agreement.errors import ColumnError, InputError
from pandas_agreement.options import Weights, is_nominal
from pandas_agreement.planning.checks import between, count, fewest, fewest_for_width, grid, planned, whole
from pandas_agreement.planning.model import Planner
from pandas_agreement.planning.scores import FORMS, ScorePlan, shares_of
from pandas_agreement.results.tidy import coefficient_of, noted

__all__ = [
    "double_code",
    "items_for_power",
    "items_for_width",
    "krippendorff_items",
    "lower_limit",
    "more_items",
    "power",
]

Numbers = float | Iterable[float]
EXACT, PROFILE = "F", "profile likelihood"  # intervals of intraclass correlations, without and with missing scores

# ------------------------------------------------------------------------------------------------------ before the data


@planned
def items_for_width(
    metric: str | pd.DataFrame = "alpha",
    *,
    width: Numbers,
    estimate: Numbers | None = None,
    n_coders: int | Iterable[int] | None = None,
    shares: Iterable[float] | None = None,
    weights: Weights = "nominal",
    coder_share: float = 0.0,
    ci: float | None = None,
) -> pd.DataFrame:
    r"""Number of items for an interval of a given width.

    Parameters
    ----------
    metric : str or DataFrame
        Name of a coefficient of labels, such as 'kappa', 'alpha' or 'ac1', or of an intraclass correlation, such as
        'icc_a1'. If it is the result of a pilot, as in `more_items`, only the width is needed.
    width : float or list of float
        The width of the interval from bound to bound: 0.2 for an estimate plus or minus 0.1.
    estimate : float or list of float
        The value that you expect. Smaller values need more items.
    n_coders : int or list of int
        Number of coders who label every item. Default: 2.
    shares : list of float
        The share of each category. They add up to 1. Default: (0.5, 0.5). Rare categories need more items.
    weights : str, scale, or array
        Weights such as 'linear' or 'quadratic'. The categories are taken as the numbers 0, 1 and so on.
    coder_share : float
        For ICC(A,1) and ICC(A,k) the share of the variance of a score that is due to differences in level between
        coders.
    ci : float
        Level of the interval. Default: 0.95, or the level of the result.

    Returns
    -------
    DataFrame
        One row per combination of estimate, width and n_coders, with `sd`, the standard deviation that one item
        contributes (missing for scores), `n_items`, and `n_labels`, the number of labels of all coders. For a result
        the table of `more_items`.

    Notes
    -----
    In the model a coder gives the true category with some probability, and otherwise draws from the shares, equally for
    all items and coders. The interval is the default one of `df.agree`, for data as the model predicts them. In large
    samples :math:`n = (2 z\, sd / \text{width})^2`; more items are needed if data cannot show that the model holds.
    Half of the samples have a wider interval. Above 16,384 possible patterns of labels a sample with a fixed seed is
    used, and the number of items is accurate to about 2%. The model of scores is normal.

    Examples
    --------
    >>> from pandas_agreement import plan
    >>> plan.items_for_width("alpha", estimate=0.8, width=[0.2, 0.1], shares=(0.7, 0.3)).round(2)
      coefficient  estimate  width  n_coders  ci_level    sd  n_items  n_labels
    0       alpha       0.8    0.2         2      0.95  0.66      175       350
    1       alpha       0.8    0.1         2      0.95  0.66      674      1348
    >>> plan.items_for_width("icc_c1", estimate=0.8, width=0.1, n_coders=3)["n_items"].item()
    141
    """
    if isinstance(metric, pd.DataFrame):
        given = {"estimate": estimate, "n_coders": n_coders, "shares": shares}
        _check_result_alone("items_for_width", given | {"weights": None if is_nominal(weights) else weights})
        return more_items(metric, between("width", width, 0, 2), ci=ci)
    if estimate is None:
        problem = "items_for_width needs estimate=, the value you expect"
        raise InputError(problem, "give it, or the result of a pilot in place of a name", option="estimate")
    level, rows = between("ci", 0.95 if ci is None else ci), []
    needed = _items_of_scores if find(metric).name in FORMS else _items_of_labels
    items = needed(metric, shares, weights, coder_share and between("coder_share", coder_share), level)
    for value, wide, coders in grid(estimate=estimate, width=width, n_coders=2 if n_coders is None else n_coders):
        sd, n = items(value, wide, coders)
        rows.append((find(metric).name, value, wide, coders, level, sd, n, n * coders))
    columns = ["coefficient", "estimate", "width", "n_coders", "ci_level", "sd", "n_items", "n_labels"]
    return pd.DataFrame(rows, columns=columns)


Needed = Callable[[float, float, int], tuple[float, int]]  # estimate, width, coders -> sd and items


def _items_of_labels(metric: str, shares: Any, weights: Any, coder_share: float, level: float) -> Needed:
    if coder_share > 0:
        raise InputError(f"coder_share= is about ICC(A,.), and {metric} is of labels", option="coder_share")
    planner = Planner.of(metric, (0.5, 0.5) if shares is None else shares, weights)
    if shares is None and not is_nominal(weights):
        problem = "weights= change nothing with two categories, which are the default"
        raise InputError(problem, "give the shares of all categories, such as shares=(0.5, 0.3, 0.2)", option="shares")

    def needed(value: float, width: float, coders: int) -> tuple[float, int]:
        model = planner.model(value, coders)
        n = int(fewest(lambda n: planner.width(model, float(n), level) <= width))
        return planner.sd("estimate", value, coders), n

    return needed


def _items_of_scores(metric: str, shares: Any, weights: Any, coder_share: float, level: float) -> Needed:
    if shares is not None or not is_nominal(weights):
        option = "weights" if shares is None else "shares"
        raise InputError(f"{option}= are of categories, and {metric} is of scores", option=option, code="idle option")
    plan = ScorePlan(find(metric).name, coder_share)
    return lambda value, width, coders: (math.nan, plan.items(value, width, coders, level))


def _check_result_alone(called: str, given: dict[str, Any]) -> None:
    """Raise for what a result says already."""
    for name, value in given.items():
        if value is not None:
            problem = f"{name}= goes with a plan before the data, and {called} got a result"
            raise InputError(problem, "leave it out", option=name, code="idle option")


@planned
def lower_limit(
    metric: str = "alpha",
    *,
    estimate: Numbers,
    n_items: int | Iterable[int],
    n_coders: int | Iterable[int] = 2,
    shares: Iterable[float] = (0.5, 0.5),
    ci: float = 0.95,
) -> pd.DataFrame:
    """The interval to expect from a number of items, with its lower bound.

    Parameters
    ----------
    metric, n_coders, shares, ci
        As in `items_for_width`. For a one-sided lower bound of level 0.95 use ci=0.9.
    estimate : float or list of float
        The value that you expect.
    n_items : int or list of int
        Number of items that all coders label.

    Returns
    -------
    DataFrame
        One row per combination of estimate, n_items and n_coders, with `ci_low`, `ci_high` and `width` of the interval.

    Notes
    -----
    The model and the interval are those of `items_for_width`. In half of the samples the lower bound is lower.

    Examples
    --------
    >>> from pandas_agreement import plan
    >>> found = plan.lower_limit("kappa", estimate=0.8, n_items=[50, 100, 400], shares=(0.7, 0.3))
    >>> found[["n_items", "ci_low", "ci_high"]].round(3)
       n_items  ci_low  ci_high
    0       50   0.519    0.922
    1      100   0.626    0.897
    2      400   0.725    0.856
    """
    planner, level, rows = Planner.of(metric, shares), between("ci", ci), []
    for value, n, coders in grid(estimate=estimate, n_items=n_items, n_coders=n_coders):
        low, high = planner.limits(planner.model(value, coders), n, level)
        rows.append((planner.record.name, value, n, coders, ci, low, high, high - low))
    columns = ["coefficient", "estimate", "n_items", "n_coders", "ci_level", "ci_low", "ci_high", "width"]
    return pd.DataFrame(rows, columns=columns)


@planned
def items_for_power(
    metric: str = "alpha",
    *,
    estimate: Numbers,
    null: Numbers,
    power: Numbers = 0.8,
    alpha: float = 0.05,
    alternative: str = "two-sided",
    n_coders: int | Iterable[int] = 2,
    shares: Iterable[float] = (0.5, 0.5),
) -> pd.DataFrame:
    r"""Number of items for a test of the expected agreement against a null value.

    Parameters
    ----------
    metric, n_coders, shares
        As in `items_for_width`.
    estimate, null : float or list of float
        The value that you expect, and the value under the null hypothesis.
    power : float or list of float
        The probability that the test detects the difference.
    alpha : float
        Level of the test.
    alternative : {'two-sided', 'greater', 'less'}
        Whether the test is for a difference in either direction or in one.

    Returns
    -------
    DataFrame
        One row per combination of estimate, null, power and n_coders, with `n_items` and `n_labels`.

    Notes
    -----
    The test rejects a null value that lies outside the default interval of `df.agree`. In large samples :math:`n =
    ((z_\alpha\, sd_\text{null} + z_\text{power}\, sd_\text{estimate}) / (\text{estimate} - \text{null}))^2`, with the
    standard deviations that one item contributes under the null hypothesis and at the estimate. For kappa, two coders
    and two categories this is Cantor's formula. Three or more coders need more items, because the interval allows for
    other patterns of agreement than the model of `items_for_width`.

    Examples
    --------
    >>> from pandas_agreement import plan
    >>> found = plan.items_for_power("kappa", estimate=0.8, null=0.6, alternative="greater", n_coders=[2, 3, 5])
    >>> found[["n_coders", "n_items", "n_labels"]]
       n_coders  n_items  n_labels
    0         2       87       174
    1         3       56       168
    2         5       34       170
    """
    planner, rows = Planner.of(metric, shares), []
    for value, other, chance, coders in grid(estimate=estimate, null=null, power=power, n_coders=n_coders):
        power_of = planner.power(value, other, coders, alpha, alternative)
        n = int(fewest(lambda n: power_of(float(n)) >= chance))  # noqa: B023
        rows.append((planner.record.name, value, other, coders, alpha, alternative, chance, n, n * coders))
    columns = ["coefficient", "estimate", "null", "n_coders", "alpha", "alternative", "power", "n_items", "n_labels"]
    return pd.DataFrame(rows, columns=columns)


@planned
def power(
    metric: str = "alpha",
    *,
    estimate: Numbers,
    null: Numbers,
    n_items: int | Iterable[int],
    alpha: float = 0.05,
    alternative: str = "two-sided",
    n_coders: int | Iterable[int] = 2,
    shares: Iterable[float] = (0.5, 0.5),
) -> pd.DataFrame:
    """Power of a test of the expected agreement against a null value.

    Parameters
    ----------
    metric, n_coders, shares
        As in `items_for_width`.
    estimate, null : float or list of float
        The value that you expect, and the value under the null hypothesis.
    n_items : int or list of int
        Number of items that all coders label.
    alpha, alternative
        As in `items_for_power`.

    Returns
    -------
    DataFrame
        One row per combination of estimate, null, n_items and n_coders, with `power`, the probability that the test
        rejects the null value on the side of the true value.

    Examples
    --------
    >>> from pandas_agreement import plan
    >>> plan.power("kappa", estimate=0.8, null=0.6, n_items=[50, 100, 200])[["n_items", "power"]].round(3)
       n_items  power
    0       50  0.336
    1      100  0.738
    2      200  0.980
    """
    planner, rows = Planner.of(metric, shares), []
    for value, other, n, coders in grid(estimate=estimate, null=null, n_items=n_items, n_coders=n_coders):
        chance = planner.power(value, other, coders, alpha, alternative)(n)
        rows.append((planner.record.name, value, other, coders, alpha, alternative, n, chance))
    columns = ["coefficient", "estimate", "null", "n_coders", "alpha", "alternative", "n_items", "power"]
    return pd.DataFrame(rows, columns=columns)


@planned
def krippendorff_items(alpha_min: float, p_rarest: float, level: float = 0.05) -> int:
    """Number of items for Krippendorff's alpha of two coders, as in his textbook.

    With this number of items, unreliable data look reliable only with the probability `level`, for the rarest category
    against all others.

    Parameters
    ----------
    alpha_min : float
        The smallest alpha that you would accept, such as 0.8 or 0.667.
    p_rarest : float
        Share of the rarest category, which is 1 / K if all categories are equally frequent.
    level : float
        Significance level, one-sided.

    Returns
    -------
    int

    References
    ----------
    Krippendorff, K. (2018). Content Analysis: An Introduction to Its Methodology, 4th ed., ch. 12. Sage; after Bloch,
    D. A. and Kraemer, H. C. (1989). Biometrics 45, 269-287, equation 3.7.

    Examples
    --------
    >>> from pandas_agreement import plan
    >>> plan.krippendorff_items(0.8, 0.25)
    139
    """
    from scipy.special import ndtri

    a, p = between("alpha_min", alpha_min), between("p_rarest", p_rarest)
    z = float(ndtri(1 - between("level", level)))
    return whole(2 * z**2 * ((1 + a) * (3 - a) / (4 * (1 - a) * p * (1 - p)) - a))


# ------------------------------------------------------------------------------------------------------ after a pilot


@planned
def more_items(result: pd.DataFrame, width: float, *, ci: float | None = None) -> pd.DataFrame:
    """Number of further items for an interval of a given width, for each row of a result.

    Parameters
    ----------
    result : DataFrame
        The result of `df.agree.kappa(...)`, `summary`, `by_pair` or another method.
    width : float
        The required width of the interval, from bound to bound.
    ci : float, optional
        Level of the interval. Default: that of the result, from its attrs or, with ``detail=True``, from the column
        `ci_level`.

    Returns
    -------
    DataFrame
        It has the index of the result, and the columns `estimate`, `se`, `n_items`, `ci_level`, `width`, `needed_items`
        (the total number), `more_items` (0 if there are enough), and a `note` if the standard error is 0 or missing, or
        if more items are not enough to reach the width.

    Notes
    -----
    ICC(A,1) and ICC(A,k) are about coders drawn at random, so the number of coders limits how narrow the interval can
    get. If this limit is wider than `width`, `needed_items` is missing, and the note says how many coders are needed.
    For these two the result needs the columns of ``detail=True``. Other coefficients are about these coders, unless the
    result was computed with `sampling="coders"` or `"both"`, which this function does not see.

    The computation assumes that further items are like the present ones, with the same number of coders, and that the
    width of the interval decreases with the square root of the number of items. With few items the width itself is
    uncertain, so repeat the computation when you have more.

    Examples
    --------
    >>> import pandas as pd, pandas_agreement
    >>> from pandas_agreement import plan
    >>> df = pd.DataFrame({"ann": list("yyyyyynnnn"), "bob": list("yyyyynyynn")})
    >>> plan.more_items(df.agree.kappa("ann", "bob"), 0.3)[["n_items", "needed_items", "more_items"]]
                 n_items  needed_items  more_items
    coefficient
    kappa             10           133         123
    """
    target, (out, sd, level, note) = between("width", width, 0, 2), _pilot("more_items", result, ci)
    usable, n = ~np.isnan(sd), _floats(out, "n_items")
    needed = np.full(len(out), np.nan)
    needed[usable] = fewest_for_width(sd[usable], target, level[usable])
    coders = _random_coders(result) & usable
    if coders.any():
        needed[coders], note[coders] = _with_random_coders(result[coders], level[coders], target)
    out["width"] = float(width)
    out["needed_items"] = pd.array(needed, dtype="Int64")
    out["more_items"] = pd.array(np.maximum(needed - n, 0), dtype="Int64")
    out["note"] = note
    return out


def _pilot(called: str, result: Any, ci: float | None) -> tuple[pd.DataFrame, Array, Array, Array]:
    """What a result says: its columns, the standard deviation of an item (NaN if unknown), the level, and notes."""
    if not isinstance(result, pd.DataFrame):
        problem = f"{called} takes the frame that df.agree.kappa(...) gives, not {type(result).__name__}"
        raise InputError(problem, code="no result")
    columns = ["estimate", "se", "n_items"]
    absent = [name for name in columns if name not in result.columns]
    if len(absent) == len(columns):
        problem = f"{called} takes a result, and this frame has no column {absent[0]!r}"
        raise ColumnError(problem, "give what df.agree.kappa(...) returned", column=absent[0], code="no result")
    if absent:
        raise ColumnError.missing(absent[0], result.columns)
    out, shown = result[columns].copy(), _levels(result)
    out.attrs.pop("agree", None)  # they are about the method of the result
    level = shown if ci is None else np.full(len(out), between("ci", ci))
    out["ci_level"] = level
    se, n = (_floats(out, name) for name in columns[1:])
    spread = _spread(result, se, n, shown)
    if len(out) and np.isnan(spread).all():
        problem = "the result has no standard errors"
        raise InputError(problem, "leave out ci=None, or label more items first", code="no standard error")
    if len(out) and np.isnan(level).all():
        problem = "the result does not say the level of its interval"
        raise InputError(problem, "name it, such as ci=0.95", option="ci", code="no level")
    usable = (spread > 0) & (n >= 2) & ~np.isnan(level)
    note = np.where(usable, "", np.where(se == 0, "standard error 0: use items_for_width", "no standard error"))
    return out, np.where(usable, spread * np.sqrt(n), np.nan), level, note.astype(object)


def _floats(result: pd.DataFrame, name: str) -> Array:
    return result[name].to_numpy(dtype=float, na_value=np.nan)


def _levels(result: pd.DataFrame) -> Array:
    """The level of each interval, NaN where it is unknown."""
    if "ci_level" in result:
        return _floats(result, "ci_level")
    level = noted(result, "ci_level")
    return np.full(len(result), np.nan if level is None else level)


def _methods(result: pd.DataFrame) -> Array:
    """How each interval was made, '' where it is unknown."""
    if "ci_method" in result:
        return result["ci_method"].to_numpy(object)
    return np.full(len(result), noted(result, "method") or "", object)


def _spread(result: pd.DataFrame, se: Array, n: Array, level: Array) -> Array:
    """Standard errors; of a score interval, and where there is none or 0, the one whose t interval is as wide.

    An interval of an unknown method that is no t interval is taken by its width, too.
    """
    from scipy.special import stdtrit

    if not {"ci_low", "ci_high"} <= set(result.columns):
        return se
    estimate, low, high = (_floats(result, name) for name in ("estimate", "ci_low", "ci_high"))
    t, method = stdtrit(np.maximum(n - 1, 1), (1 + level) / 2), _methods(result)
    is_t = np.isclose(np.fmax(high - estimate, estimate - low), t * se, rtol=1e-6, atol=0)  # one end may be cut off
    by_width = ((method == "score") | ((method == "") & ~is_t) | ~(se > 0)) & (n >= 2) & ~np.isnan(level)
    return np.where(by_width, (high - low) / (2 * t), se)


def _random_coders(result: pd.DataFrame) -> Array:
    """Rows whose interval takes the coders, too, as a random sample: (R,) of bool."""
    names = coefficient_of(result)
    if names is None:
        return np.zeros(len(result), bool)
    random = np.array([name in REGISTRY and REGISTRY[name].random_coders for name in names], bool)
    random &= np.isin(_methods(result), [EXACT, PROFILE, ""])
    if random.any() and not {"ci_method", "n_coders"} <= set(result.columns):
        problem = f"the interval of {names[random][0]} depends on the number of coders, which the result does not show"
        raise InputError(problem, "make the result with detail=True", column="n_coders", code="no details")
    return random & np.isin(_methods(result), [EXACT, PROFILE])


def _with_random_coders(result: pd.DataFrame, level: Array, width: float) -> tuple[Array, Array]:
    """Items that are needed, NaN where the coders are the limit, and notes that say so."""
    estimate, low, high, n, k, shown = (
        _floats(result, name) for name in ("estimate", "ci_low", "ci_high", "n_items", "n_coders", "ci_level")
    )
    of_means = coefficient_of(result).isin(["icc_ak"])  # type: ignore[union-attr]
    shares = shares_of(estimate, low, high, n, k, shown, of_means)
    gaps = (result["ci_method"] == PROFILE).to_numpy()
    items, coders = (find(n, k, level, width) for find in (shares.items_needed, shares.coders_needed))
    least = shares.least_width(k, level)
    notes = np.full(len(result), "", object)
    for row in np.flatnonzero(np.isnan(items)):
        notes[row] = f"{_limit(k[row], least[row])}; {_remedy(coders[row], n[row])}"
    notes[gaps] = "scores are missing: items and coders limit it, and how much is not known"
    return np.where(gaps, np.nan, items), notes


def _limit(n_coders: float, least: float) -> str:
    return f"the {n_coders:.0f} coders limit it: with any number of items it stays {least:.2g} wide or wider"


def _remedy(n_coders: float, n_items: float) -> str:
    if np.isnan(n_coders):
        return f"it takes more coders and more than {n_items:,.0f} items"
    return f"about {n_coders:,.0f} coders of {n_items:,.0f} items give the width"


@planned
def double_code(
    pool: int | Iterable[int] | pd.DataFrame,
    width: Numbers,
    *,
    se: float | None = None,
    n_items: int = 1,
    n_pool: int | None = None,
    ci: float | None = None,
) -> pd.DataFrame:
    """Number of items of a pool to label twice, for an interval of a given width.

    Parameters
    ----------
    pool : int, list of int, or DataFrame
        The number of items in the pool, most of which will be labelled once, or the result of a pilot, as in
        `more_items`.
    width : float or list of float
        The width of the interval from bound to bound. For a result of a pilot a single number.
    se : float, optional
        Standard error of the coefficient in a pilot of `n_items` items or, with n_items=1, the `sd` of
        `items_for_width`. A result has its own.
    n_items : int
        Number of items of that pilot.
    n_pool : int, optional
        The number of items in the pool if the first argument is a result. Default: infinite, without a share.
    ci : float, optional
        Level of the interval. Default: 0.95, or the level of the result.

    Returns
    -------
    DataFrame
        One row per combination of pool and width, with `n_items`, the number of items to label twice, drawn at random,
        and their `share`. For a result one row for each of its rows, with a `note` if it has no standard error.

    Notes
    -----
    The interval is about agreement in the pool. With the correction for a finite pool the variance is :math:`sd^2 (1 /
    n - 1 / N)`, where :math:`N` is the size of the pool (Cochran, W. G., 1977, Sampling Techniques, 3rd ed., ch. 2). If
    the pool is a sample of a larger population, use `more_items`.

    Examples
    --------
    >>> from pandas_agreement import plan
    >>> plan.double_code([500, 5000], 0.2, se=0.08, n_items=60)
       pool  width  ci_level  n_items   share
    0   500    0.2      0.95      116  0.2320
    1  5000    0.2      0.95      146  0.0292
    >>> import pandas as pd, pandas_agreement
    >>> df = pd.DataFrame({"ann": list("yyyyyynnnn"), "bob": list("yyyyynyynn")})
    >>> plan.double_code(df.agree.kappa("ann", "bob"), 0.3, n_pool=1000)
                 pool  width  ci_level  n_items  share note
    coefficient
    kappa        1000    0.3      0.95      118  0.118
    """
    if isinstance(pool, pd.DataFrame):
        _check_result_alone("double_code", {"se": se, "n_items": None if n_items == 1 else n_items})
        return _double_code_after(pool, between("width", width, 0, 2), n_pool, ci)
    if n_pool is not None:
        raise InputError("n_pool= goes with a result", "give the items as pool=", option="n_pool", code="idle option")
    if se is None:
        problem = "double_code needs se=, the standard error in a pilot of n_items items"
        raise InputError(problem, "give it, or the result of a pilot in place of the pool", option="se")
    sd = between("se", se, 0, math.inf) * math.sqrt(count("n_items", n_items, 1))
    level, rows = between("ci", 0.95 if ci is None else ci), []
    for size, wide in grid(pool=pool, width=width):
        n = int(fewest_for_width(np.array(sd), wide, np.array(level), size))
        rows.append((size, wide, level, n, n / size))
    return pd.DataFrame(rows, columns=["pool", "width", "ci_level", "n_items", "share"])


def _double_code_after(result: pd.DataFrame, width: float, size: int | None, ci: float | None) -> pd.DataFrame:
    """The table of a result."""
    out, sd, level, note = _pilot("double_code", result, ci)
    pool = math.inf if size is None else count("n_pool", size)
    coders = _random_coders(result) & ~np.isnan(sd)
    note[coders] = "its interval depends on the coders, too: use more_items"
    usable, n = ~np.isnan(sd) & ~coders, np.full(len(out), np.nan)
    n[usable] = fewest_for_width(sd[usable], width, level[usable], pool)
    columns = {
        "pool": pd.array([pd.NA if size is None else size] * len(out), dtype="Int64"),
        "width": width,
        "ci_level": level,
        "n_items": pd.array(n, dtype="Int64"),
        "share": n / (math.nan if size is None else pool),
        "note": note,
    }
    return pd.DataFrame(columns, index=result.index)
