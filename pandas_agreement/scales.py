"""Scales of measurement that need arguments, for `weights=` and `level=`.

A scale says how far apart two labels are. Kappa and its relatives take the agreement of labels on it
(`kappa(weights=scales.circular(360))`), alpha their distance (`alpha(level=scales.circular(360))`). A bare name such as
`level="circular"` is the scale without arguments.

A scale is written as the call that makes it: in the column `weights` that ``detail=True`` adds to a result, and
wherever a name is accepted as text, such as on the command line: `--level "circular(period=360)"`.

Examples
--------
>>> from pandas_agreement import scales
>>> scales.circular(360)
circular(period=360)
>>> winds = pd.DataFrame({"ann": [350, 10, 90, 180], "bob": [10, 350, 90, 170]})
>>> winds.agree.alpha(level=scales.circular(360))["estimate"].round(3)
coefficient
alpha    0.966
Name: estimate, dtype: float64
"""

from __future__ import annotations

import ast
import inspect
import numbers
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pandas_agreement.errors import InputError, choose, plain, shown

__all__ = ["bipolar", "circular", "positions", "radical", "within"]


def __dir__() -> list[str]:
    return __all__


#: names of weights and levels that compare numbers or the places of ordered labels
ORDERED = ("linear", "quadratic", "interval", "ordinal", "radical", "ratio", "circular", "bipolar")


HUGE = 1e300  # beyond it arithmetic ends in infinity


@dataclass(frozen=True, repr=False)
class Scale:
    """A scale and its arguments; equal and hashed by value, and shown as the call that makes it."""

    name: str
    period: float | None = None  # of "circular"
    low: float | None = None  # ends of "bipolar"
    high: float | None = None
    tolerance: float | None = None  # of "within"
    places: bool = False  # compare the places among the categories, and not the values

    def __repr__(self) -> str:
        if self.tolerance is not None:
            return f"within({self.tolerance!r}{', positions=True' if self.places else ''})"
        if self.places:
            return f'positions("{self.name}")'
        given = {name: getattr(self, name) for name in ("period", "low", "high")}
        return f"{self.name}({', '.join(f'{name}={value!r}' for name, value in given.items() if value is not None)})"


def circular(period: float | None = None) -> Scale:
    """A circle, where the last label is next to the first: angles, hours, months.

    Parameters
    ----------
    period : float, optional
        The length of the whole circle, such as 360 or 12. Default: one step more than the range of the labels, which
        must be equally spaced.

    Examples
    --------
    >>> from pandas_agreement import scales
    >>> hours = pd.DataFrame({"ann": [23, 0, 6, 12], "bob": [0, 23, 6, 13]})
    >>> hours.agree.kappa(weights=scales.circular(period=24), detail=True)[["estimate", "weights"]].round(3)
                 estimate              weights
    coefficient
    kappa           0.972  circular(period=24)
    """
    number = _number("circular", "period", period)
    if number is not None and number <= 0:
        raise _wrong("circular", "period", period, "must be above 0: it is the length of the whole circle")
    return Scale("circular", period=number)


def bipolar(low: float | None = None, high: float | None = None) -> Scale:
    """A scale between two poles, where differences near a pole count more.

    Parameters
    ----------
    low, high : float, optional
        The ends of the scale. Default: the smallest and the largest category.

    Examples
    --------
    >>> from pandas_agreement import scales
    >>> scores = pd.DataFrame({"ann": [1, 2, 3, 4], "bob": [2, 2, 3, 5]})
    >>> scores.agree.alpha(level=scales.bipolar(low=1, high=7))["estimate"].round(3)
    coefficient
    alpha    0.737
    Name: estimate, dtype: float64
    """
    bottom, top = _number("bipolar", "low", low), _number("bipolar", "high", high)
    if bottom is not None and top is not None and not bottom < top:
        raise _wrong("bipolar", "low", low, f"must be less than high={shown(high)}: they are the ends of the scale")
    return Scale("bipolar", low=bottom, high=top)


def radical() -> Scale:
    """Square roots of absolute differences, so that large differences count less.

    Examples
    --------
    >>> from pandas_agreement import scales
    >>> scores = pd.DataFrame({"ann": [1, 2, 3, 4], "bob": [2, 2, 3, 5]})
    >>> scores.agree.kappa(weights=scales.radical())["estimate"].round(3)
    coefficient
    kappa    0.512
    Name: estimate, dtype: float64
    """
    return Scale("radical")


def within(tolerance: float, positions: bool = False) -> Scale:
    """A tolerance: labels that differ by at most this value count as the same.

    Parameters
    ----------
    tolerance : float
        The largest difference that counts as agreement, such as 1 for one step up or down.
    positions : bool
        Compare positions among the categories, as is always done for ordered labels that are not numbers.

    Examples
    --------
    >>> from pandas_agreement import scales
    >>> scores = pd.DataFrame({"ann": [1, 2, 3, 4], "bob": [2, 2, 3, 1]})
    >>> scores.agree.observed(weights=scales.within(1), detail=True)[["estimate", "weights"]]
                 estimate    weights
    coefficient
    observed         0.75  within(1)
    """
    number = _number("within", "tolerance", tolerance)
    if number is None or number < 0:
        why = "must be a number of 0 or more: the largest difference that counts as agreement"
        raise _wrong("within", "tolerance", tolerance, why)
    if not isinstance(plain(positions), bool):
        raise _wrong("within", "positions", positions, "must be True or False")
    return Scale("within", tolerance=number, places=bool(positions))


def positions(name: str) -> Scale:
    """Weights or a level for the positions of labels instead of their values.

    With the categories 1, 2 and 10, the label 10 is one step from 2, as in packages that compare positions. For ordered
    Categoricals this is the default, and `categories=[1, 2, 10]` in the call compares their values.

    Parameters
    ----------
    name : str
        The name of weights or of a level: 'linear', 'quadratic', 'interval', 'ordinal', 'radical', 'ratio', 'circular'
        or 'bipolar'.

    Examples
    --------
    >>> from pandas_agreement import scales
    >>> far = pd.DataFrame({"ann": [1, 2, 10, 10], "bob": [1, 10, 10, 2]})
    >>> far.agree.kappa(weights=scales.positions("linear"), detail=True)[["estimate", "weights"]].round(3)
                 estimate              weights
    coefficient
    kappa           0.429  positions("linear")
    """
    choose("positions", name, dict.fromkeys(ORDERED))
    return Scale(name, places=True)


MAKERS: dict[str, Callable[..., Scale]] = {
    each.__name__: each for each in (circular, bipolar, radical, within, positions)
}


def read(text: str) -> Scale:
    """The scale that a text describes.

    >>> read("within(1, positions=True)") == within(1, positions=True)
    True
    """
    problem, remedy = f"{shown(text)} is not a scale", "write it as 'circular(period=360)' or 'within(1)'"
    try:
        call: Any = ast.parse(text.strip(), mode="eval").body
        given = [_value(each) for each in call.args], {each.arg: _value(each.value) for each in call.keywords}
        name = call.func.id
    except (SyntaxError, ValueError, TypeError, AttributeError, RecursionError, MemoryError):
        raise InputError(problem, remedy, code="unknown value") from None
    make = choose("scale", name, MAKERS)
    takes = inspect.signature(make)
    try:
        takes.bind(*given[0], **given[1])
    except TypeError:
        remedy = f"{name} takes {' and '.join(takes.parameters) or 'no arguments'}"
        raise InputError(problem, remedy, code="unknown value") from None
    return make(*given[0], **given[1])


def _value(node: ast.expr) -> Any:
    """A literal; a bare word is text, as shells remove quotes."""
    return node.id if isinstance(node, ast.Name) else ast.literal_eval(node)


def _number(scale: str, name: str, value: Any) -> float | None:
    """A finite number, as an int if it is whole; None stays None."""
    value = plain(value)
    if value is None:
        return None
    real = isinstance(value, numbers.Real) and not isinstance(value, bool)
    if not (real and -HUGE < value < HUGE):
        raise _wrong(scale, name, value, "must be a finite number")
    number = float(value)
    return int(number) if number.is_integer() else number


def _wrong(scale: str, name: str, value: Any, why: str) -> InputError:
    return InputError(f"{name}={shown(value)} of {scale} {why}", option=name, code="invalid value")
