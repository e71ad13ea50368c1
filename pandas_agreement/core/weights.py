"""Distances from the options `weights` and `level`: a name, a matrix or a function.

`WEIGHTS` holds agreement weights by name (kappa and its relatives), `LEVELS` Krippendorff's difference functions
(alpha); `make_weights` and `make_level` read the options. Gwet's "ordinal" weights and Krippendorff's "ordinal" level
have the same name in the literature and are different. `Scale` holds the category values. Only numpy here.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.distances import Distance, Formula, Line, Nominal, Points, Ranks, Table
from pandas_agreement.core.sums import power_of_two
from pandas_agreement.errors import AgreementError, InputError, LabelTypeError, choose, wrong_value


@dataclass(frozen=True, eq=False)
class Scale:
    """Category values: the labels, their numbers if all are numbers, and whether they are ordered."""

    labels: Any  # an index or a list
    numbers: Array | None
    ordered: bool
    by_order: bool = False  # an ordered Categorical: positions are the default even for numbers
    text: Any = None  # the first label that is not a number
    shifted: bool = False  # a number is subtracted from all numbers, as they are too large for floats

    def values(self, name: str, argument: str, scale: str | None) -> tuple[Array, str]:
        """The category values, and the name of the weights with the scale in it."""
        if scale is None:
            scale = "position" if self.ordered and (self.numbers is None or self.by_order) else "value"
        choose("scale", scale, {"value": 1, "position": 1})
        if self.numbers is None and not (scale == "position" and self.ordered):
            raise self._needs_order(name, argument)
        if scale == "position" or self.numbers is None:
            return np.arange(1.0, len(self.labels) + 1), f"{name}:position"
        if self.shifted and name == "ratio":
            why = "needs numbers that a float holds exactly, and a label is beyond 2^53"
            raise wrong_value(argument, name, why, "use 'quadratic' or 'interval' instead", code="large label")
        if not np.isfinite(self.numbers).all():
            raise wrong_value(argument, name, "needs finite numbers, and a label is infinite", code="infinite label")
        return self.numbers, name

    def _needs_order(self, name: str, argument: str) -> AgreementError:
        n = len(self.labels)
        if all(_is_number(label) for label in self.labels):
            why = f"needs labels that are numbers, and these are numbers written as text, such as {self.text!r}"
            remedy, code = "convert the columns, for instance with pd.to_numeric", "numbers as text"
        else:
            why = f"needs labels that are numbers or have an order, and {self.text!r} is text"
            order = f"give the {n} labels in their order with categories=[lowest, ..., highest]"
            remedy, code = f"{order}, or use an ordered Categorical", "needs order"
        return wrong_value(argument, name, why, remedy, LabelTypeError, code=code, n_categories=n)


def _is_number(label: Any) -> bool:
    try:
        float(label)
    except (TypeError, ValueError):
        return False
    return True


def _radical(x: Array, y: Array, low: float, high: float) -> Array:
    return np.sqrt(np.abs(x - y))


def _gwet_ordinal(x: Array, y: Array, low: float, high: float) -> Array:
    steps = np.abs(x - y)  # of ranks
    return steps * (steps + 1) / 2


def _ratio(x: Array, y: Array, low: float, high: float) -> Array:
    if low < 0:
        why = "with a zero in the middle of the scale -1 and 1 would count as agreement"
        problem = f"ratio needs labels that are not negative, and {low:g} is: {why}"
        raise InputError(problem, "use 'quadratic' or 'interval' instead", code="negative label")
    total = x + y
    return np.divide(np.abs(x - y), total, out=np.zeros_like(total), where=total > 0) ** 2


def _bipolar(x: Array, y: Array, low: float, high: float) -> Array:
    total = x + y
    bottom = (total - 2 * low) * (2 * high - total)
    return np.divide((x - y) ** 2, bottom, out=np.zeros_like(total), where=bottom > 0)


def _unit(matrix: Array) -> Array:
    """Divide by the largest distance, if there is one."""
    top = matrix.max(initial=0.0)
    return matrix / top if top > 0 else matrix


def _on_circle(x: Array, period: float | None) -> Array:
    """Points on a circle of diameter 1: the squared chord is sin^2(pi d / period)."""
    period = _period(x) if period is None else period
    if not isinstance(period, numbers.Real) or not 0 < float(period) < np.inf:
        raise wrong_value("period", period, "must be a positive number: the length of the whole circle")
    period = float(period)
    angle = 2 * np.pi * (x - x.min(initial=0.0)) / period
    return np.stack([np.cos(angle), np.sin(angle)], -1) / 2


def _period(x: Array) -> float:
    """The length of the circle, one step more than the range of equally spaced labels."""
    steps = np.diff(np.sort(x))
    if len(x) < 2:
        return 1.0
    if not np.allclose(steps, steps[0]):
        problem = "'circular' cannot tell the length of the circle from labels that are not equally spaced"
        remedy = "give period= (for instance period=360 for degrees, period=12 for months)"
        raise InputError(problem, remedy, option="period", code="unknown period")
    return float(steps[0] * len(x))


def _circular_weights(x: Array, period: float | None, name: str) -> Points:
    points = _on_circle(x, period)
    largest = max((float(((points - p) ** 2).sum(-1).max(initial=0.0)) for p in points), default=0.0)
    return Points(len(x), name, points=points / np.sqrt(largest if largest > 0 else 1.0))


def _range(x: Array) -> float:
    """From the smallest to the largest value; 1 without a difference."""
    return float(np.ptp(x)) or 1.0 if len(x) else 1.0


def _line(x: Array, unit: float) -> Array:
    """Values on a line, centred, in steps of `unit`: (K, 1)."""
    return ((x - (x.mean() if len(x) else 0.0)) / unit)[:, None]


Maker = Callable[[Array, "float | None", str], Distance]
MAX_DENSE_CATEGORIES = 1000  # categories above which no K x K matrix is made


def _paired(function: Callable[..., Array], unit: bool = False, negative: bool = False, ranks: bool = False) -> Maker:
    """Distances by a function of two values and the ends of the scale; with `unit` the largest distance is 1."""

    def make(x: Array, period: float | None, name: str) -> Distance:
        if ranks:
            x = np.argsort(np.argsort(x)).astype(float)
        distance = partial(function, low=x.min(initial=np.inf), high=x.max(initial=-np.inf))
        if len(x) > MAX_DENSE_CATEGORIES:
            top = max(float(distance(x[i : i + 64, None], x).max()) for i in range(0, len(x), 64)) if unit else 1.0
            scaled = partial(_scaled, distance, top if top > 0 else 1.0)
            return Formula(len(x), name, negative_type=negative, values=x, function=scaled)
        matrix = distance(x[:, None], x[None, :])
        return Table(len(x), name, negative_type=negative, matrix=_unit(matrix) if unit else matrix)

    return make


def _scaled(function: Callable[[Array, Array], Array], unit: float, x: Array, y: Array) -> Array:
    return function(x, y) / unit


def _on_line(x: Array, period: float | None, name: str) -> Distance:
    """|x - y| as a share of the range."""
    if len(x) > MAX_DENSE_CATEGORIES:
        return Line(len(x), name, values=x - (x.min() if len(x) else 0.0), unit=_range(x))
    return Table(len(x), name, negative_type=True, matrix=_unit(np.abs(x[:, None] - x[None, :])))


#: agreement weights by name: how to make the distances 1 - w from the values of the categories
WEIGHTS: dict[str, Maker | None] = {
    "nominal": None,
    "linear": _on_line,
    "quadratic": lambda x, period, name: Points(len(x), name, points=_line(x, _range(x))),
    "ordinal": _paired(_gwet_ordinal, unit=True, ranks=True),
    "radical": _paired(_radical, unit=True, negative=True),
    "ratio": _paired(_ratio, unit=True),
    "circular": _circular_weights,
    "bipolar": _paired(_bipolar, unit=True),
}

#: Krippendorff's difference functions by name
LEVELS: dict[str, Maker | None] = {
    "nominal": None,
    "ordinal": lambda x, period, name: Ranks(len(x), name, order=np.argsort(x, kind="stable")),
    "interval": lambda x, period, name: Points(len(x), name, bounded=False, points=_line(x, 1.0)),
    "ratio": _paired(_ratio),
    "circular": lambda x, period, name: Points(len(x), name, points=_on_circle(x, period)),
    "bipolar": _paired(_bipolar),
}


def jaccard(a: frozenset[Any], b: frozenset[Any]) -> float:
    """Jaccard distance of two sets, 1 - |a & b| / |a | b|; 0 for two empty sets."""
    union = len(a | b)
    return 1 - len(a & b) / union if union else 0.0


def masi(a: frozenset[Any], b: frozenset[Any]) -> float:
    """MASI distance: 1 minus Jaccard's similarity times 1 (equal), 2/3 (subset), 1/3 (overlap) or 0 (disjoint)."""
    if a == b:
        return 0.0
    factor = 2 / 3 if a <= b or b <= a else 1 / 3 if a & b else 0.0
    return 1 - (1 - jaccard(a, b)) * factor


SET_LEVELS: dict[str, Callable[[Any, Any], float]] = {"jaccard": jaccard, "masi": masi}


def make_weights(weights: Any, scale: Scale, how: str | None = None, period: float | None = None) -> Distance:
    """The distances of agreement weights: a name, or a K x K matrix in the order of the categories."""
    if not isinstance(weights, str) and weights is not None:
        return _agreement_matrix(np.asarray(weights), len(scale.labels))
    return _named(weights, "weights", WEIGHTS, scale, how, period)


def make_level(level: Any, scale: Scale, how: str | None = None, period: float | None = None) -> Distance:
    """The distances of a level of measurement: a name, a K x K matrix of distances, or a function of two labels."""
    if isinstance(level, str) and level in SET_LEVELS:
        return _set_level(level, scale)
    if callable(level):
        return _distance_matrix(_tabulate(level, scale.labels), len(scale.labels))
    if not isinstance(level, str) and level is not None:
        return _distance_matrix(np.asarray(level), len(scale.labels))
    return _named(level, "level", {**LEVELS, **dict.fromkeys(SET_LEVELS)}, scale, how, period)


def _named(
    name: Any, argument: str, table: dict[str, Maker | None], scale: Scale, how: str | None, period: float | None
) -> Distance:
    make = choose(argument, name, table)
    if period is not None and name != "circular":
        problem = f"period= means something only with {argument}='circular', not with {name!r}"
        raise InputError(problem, option="period", code="idle option")
    if make is None:
        if how is not None:
            problem = f"scale= means nothing with {argument}='nominal': the labels are only the same or not"
            raise InputError(problem, option="scale", code="idle option")
        return Nominal(len(scale.labels), "nominal")
    values, shown = scale.values(name, argument, how)
    return make(values if name == "circular" else _ordinary(values, name), period, shown)


def _ordinary(x: Array, name: str) -> Array:
    """Values divided by a very large or small range, or their largest value if it is their ratio that counts."""
    width = x.max(initial=0.0) if name == "ratio" else x.max(initial=0.0) / 2 - x.min(initial=0.0) / 2
    return x / power_of_two(np.asarray(width))


def _tabulate(function: Callable[[Any, Any], float], labels: Any) -> Array:
    """A function of two labels, evaluated once for every pair of labels."""
    try:
        matrix = np.array([[float(function(a, b)) for b in labels] for a in labels])
    except (TypeError, ValueError) as error:
        problem = f"level= is a function that gives no number for some pair of labels: {error}"
        raise InputError(problem, option="level") from error
    return matrix.reshape(len(labels), len(labels))


def _set_level(name: str, scale: Scale) -> Distance:
    for label in scale.labels:
        if not isinstance(label, (frozenset, set, tuple)):
            why = f"compares sets, and the label {label!r} is not one"
            raise wrong_value("level", name, why, "give cells as lists", LabelTypeError, code="label is no set")
    sets = [frozenset(label) for label in scale.labels]
    return Table(len(sets), name, matrix=_tabulate(SET_LEVELS[name], sets))


def _square(matrix: Array, n: int, argument: str) -> Array:
    if matrix.ndim != 2 or matrix.shape != (n, n) or matrix.dtype.kind not in "biuf":
        shape = " x ".join(map(str, matrix.shape)) or "a single value"
        expected = f"a {n} x {n} matrix, a row and a column for each of the {n} categories in their order"
        raise InputError(
            f"{argument}= must be numbers in {expected}", f"got {shape} of {matrix.dtype}", option=argument
        )
    matrix = matrix.astype(float)
    if not np.isfinite(matrix).all():
        raise InputError(f"{argument}= has a value that is not a finite number", option=argument)
    return matrix


def _agreement_matrix(matrix: Array, n: int) -> Distance:
    matrix = _square(matrix, n, "weights")
    if not (np.diag(matrix) == 1).all():
        problem = "weights= must be 1 on the diagonal: they are agreement weights, 1 is full agreement"
        raise InputError(problem, option="weights")
    if (matrix < 0).any() or (matrix > 1).any():
        raise InputError("weights= must lie between 0 (full disagreement) and 1 (full agreement)", option="weights")
    return _custom(1 - matrix, bounded=True)


def _distance_matrix(matrix: Array, n: int) -> Distance:
    matrix = _square(matrix, n, "level")
    if not (np.diag(matrix) == 0).all():
        raise InputError("level= must be 0 on the diagonal: it holds distances, 0 is no disagreement", option="level")
    if (matrix < 0).any():
        raise InputError("level= holds distances, which cannot be negative", option="level")
    return _custom(matrix, bounded=False)


def _custom(matrix: Array, bounded: bool) -> Table:
    symmetric = (matrix + matrix.T) / 2
    directed = None if np.array_equal(matrix, matrix.T) else matrix
    return Table(len(matrix), "custom", bounded=bounded, matrix=symmetric, directed=directed)
