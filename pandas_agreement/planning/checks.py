"""The checks and the arithmetic that all planning shares."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable, Iterator
from functools import partial, wraps
from itertools import product
from numbers import Integral, Real
from typing import Any, TypeVar

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.errors import InputError, choose, counted, nearest, public, wrong_value

Planned = TypeVar("Planned", bound=Callable[..., Any])
#: alternative: (sides of the test, sign of estimate - null; 0 for either)
ALTERNATIVES = {"two-sided": (2, 0), "greater": (1, 1), "less": (1, -1)}


def between(name: str, value: Any, low: float = 0.0, high: float = 1.0) -> float:
    """Check that a number lies strictly between two others."""
    if isinstance(value, Real) and not isinstance(value, bool) and low < float(value) < high:
        return float(value)
    raise wrong_value(name, value, f"must be a number between {low:g} and {high:g}, without the ends")


def count(name: str, value: Any, least: int = 2) -> int:
    """Check that a whole number is large enough."""
    if isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= least:
        return int(value)
    raise wrong_value(name, value, f"must be a whole number, {least} or more")


#: argument that may be a list: the check of each of its values
CHECKS: dict[str, Callable[[str, Any], Any]] = {
    "estimate": partial(between, low=-1.0),
    "null": partial(between, low=-1.0),
    "width": partial(between, high=2.0),
    "power": between,
    "share": between,
    "reliability": between,
    "accuracy": between,
    "target": between,
    "margin": partial(between, high=2.0),
    "n_categories": count,
    "n_coders": count,
    "n_items": count,
    "pool": count,
}


def planned(function: Planned) -> Planned:
    """A function of `plan`, whose unknown keyword is an error that names the nearest one, and a missing one, too."""
    signature = inspect.signature(function)
    allowed = list(signature.parameters)
    needed = [name for name, each in signature.parameters.items() if each.default is each.empty]
    places = [name for name, each in signature.parameters.items() if each.kind is not each.KEYWORD_ONLY]
    checked = public(function)

    @wraps(function)
    def call(*args: Any, **given: Any) -> Any:
        for name in given:
            if name not in allowed:
                problem = f"plan.{function.__name__} has no option {name!r}"
                raise InputError(problem, nearest(name, allowed), option=name, code="unknown option")
        if len(args) > len(places):
            named = ", ".join(f"{name}=" for name in places)
            problem = f"plan.{function.__name__} got {counted(len(args), 'value', 'values')} without a name"
            at_most = f"give at most {len(places)} of them ({named}), and the others by name" if places else "name all"
            raise InputError(problem, at_most, code="unnamed option")
        for name in given.keys() & {*places[: len(args)]}:
            problem = f"plan.{function.__name__} got {name}= twice, with and without its name"
            raise InputError(problem, option=name, code="same option")
        bound = {*given, *places[: len(args)]}
        for name in needed:
            if name not in bound:
                problem = f"plan.{function.__name__} needs {name}="
                raise InputError(problem, option=name, code="missing option")
        return checked(*args, **given)

    return call  # type: ignore[return-value]


def grid(**choices: Any) -> Iterator[tuple[Any, ...]]:
    """Every combination of the checked values, the last varying fastest."""
    lists = []
    for name, value in choices.items():
        values = list(value) if isinstance(value, Iterable) and not isinstance(value, str) else [value]
        if not values:
            raise InputError(f"{name}= is empty", "give a number or a list of numbers", option=name)
        lists.append([CHECKS[name](name, each) for each in values])
    return product(*lists)


def check_shares(name: str, shares: Iterable[float]) -> Array:
    """The share of each category: (K,), adding up to 1."""
    given = np.asarray(list(shares) if isinstance(shares, Iterable) else shares, dtype=object)
    if given.ndim != 1 or not all(isinstance(share, Real) and float(share) >= 0 for share in given):
        raise wrong_value(name, shares, "must be a list with the share of each category, such as (0.7, 0.3)")
    numbers = given.astype(float)
    total = numbers.sum()
    if not math.isclose(total, 1.0, abs_tol=1e-6):
        raise InputError(f"{name}= add up to {total:g}", "the shares of all categories must add up to 1", option=name)
    if (numbers > 0).sum() < 2:
        raise InputError(f"{name}= must have at least two categories with a share above 0", option=name)
    return numbers / total


def error_quantile(estimate: float, null: float, alpha: float, alternative: str) -> float:
    """The normal quantile of the level of a test of `null` if `estimate` is true."""
    from scipy.special import ndtri

    sides, sign = choose("alternative", alternative, ALTERNATIVES)
    if estimate == null:
        raise InputError(
            f"estimate and null are both {estimate:g}", "a test needs a difference between them", option="null"
        )
    if sign * (estimate - null) < 0:
        problem = f"alternative={alternative!r} does not fit estimate={estimate:g} and null={null:g}"
        raise InputError(problem, f"use {'less' if sign > 0 else 'greater'!r} or 'two-sided'", option="alternative")
    return float(ndtri(1 - between("alpha", alpha) / sides))


def whole(n: float) -> int:
    """Round up to whole items, at least two, as one item has no variance."""
    return max(2, math.ceil(n - 1e-9))


def fewest(is_enough: Callable[[Array], Any], shape: tuple[int, ...] = (), most: float = math.inf) -> Array:
    """The least numbers that are enough, at least two, by bisection; NaN where `most` is not enough."""
    few, enough = np.ones(shape), np.full(shape, 2.0)
    while (lacking := np.logical_not(is_enough(enough)) & (enough < most)).any():
        few, enough = np.where(lacking, enough, few), np.where(lacking, np.minimum(2 * enough, most), enough)
    while (enough - few > 1).any():
        middle = np.floor((few + enough) / 2)
        fits = is_enough(middle)
        few, enough = np.where(fits, few, middle), np.where(fits, middle, enough)
    return np.where(is_enough(enough), np.maximum(enough, 2), np.nan)


def fewest_for_width(sd: Array, width: float, level: Array, pool: float = math.inf) -> Array:
    """The fewest items of a pool whose t interval is no wider than `width`."""
    from scipy.special import stdtrit

    def is_enough(n: Array) -> Array:
        t = stdtrit(np.maximum(n - 1, 1), (1 + level) / 2)
        return 2 * t * sd * np.sqrt(1 / n - 1 / pool) <= width

    return fewest(is_enough, sd.shape, pool)
