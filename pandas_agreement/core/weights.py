"""Distances from the options `weights` and `level`: a name, a scale, a matrix or a function.

`WEIGHTS` holds agreement weights by name (kappa and its relatives), `LEVELS` Krippendorff's difference functions
(alpha); `make_weights` and `make_level` read the options. Gwet's "ordinal" weights and Krippendorff's "ordinal" level
have the same name in the literature and are different. `CategoryValues` holds the categories as numbers, a `Scale` a
name and its arguments. `LEVEL_OF_WEIGHTS` pairs the two options where one of them stands for both. Only numpy here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.classes import dataclass
from pandas_agreement.core.distances import Distance, Formula, Nominal, Points, Ranks, Table
from pandas_agreement.core.sums import power_of_two
from pandas_agreement.errors import AgreementError, InputError, LabelTypeError, choose, wrong_value
from pandas_agreement.scales import Scale

MAX_NUMBER = 1e100  # a label; products of a few larger ones are infinite


@dataclass(frozen=True, eq=False)
class CategoryValues:
    """The labels of the categories, their numbers if all are numbers, and whether they are ordered."""

    labels: Any  # an index or a list
    numbers: Array | None
    ordered: bool
    by_order: bool = False  # an ordered Categorical: places are the default even for numbers
    text: Any = None  # the first label that is not a number
    shifted: bool = False  # a number is subtracted from all numbers, as they are too large for floats
    as_written: tuple[str, Any] = (
        "weights",
        "nominal",
    )  # the option and its value, for messages

    @property
    def by_position(self) -> bool:
        """Whether a category's value is its place, unless the scale says otherwise."""
        return self.ordered and (self.numbers is None or self.by_order)

    def of(self, scale: Scale) -> Array:
        """The category values on a scale."""
        position = scale.places or self.by_position
        if self.numbers is None and not (position and self.ordered):
            raise self._needs_order()
        if position or self.numbers is None:
            return np.arange(1.0, len(self.labels) + 1)
        if self.shifted and scale.name == "ratio":
            why = "needs numbers that a float represents exactly, and a label is beyond 2^53"
            raise wrong_value(*self.as_written, why, "use 'quadratic' or 'interval' instead", code="large label")
        if not np.isfinite(self.numbers).all():
            raise wrong_value(*self.as_written, "needs finite numbers, and a label is infinite", code="infinite label")
        return self.numbers

    def check_fixed(self) -> None:
        """Raise for numbers that are compared with a number of the user's, and so cannot be divided by their range."""
        if self.numbers is None or not (self.shifted or np.abs(self.numbers).max(initial=0) > MAX_NUMBER):
            return
        why = f"needs numbers that a float holds exactly and that can be squared, up to 2^53 and {MAX_NUMBER:g}"
        raise wrong_value(*self.as_written, why, "use 'quadratic' or 'interval' instead", code="large label")

    def _needs_order(self) -> AgreementError:
        n = len(self.labels)
        if all(reads_as_number(label) for label in self.labels):
            why = f"needs labels that are numbers, and these are numbers written as text, such as {self.text!r}"
            remedy, code = "convert the columns, for instance with pd.to_numeric", "numbers as text"
        elif any(isinstance(label, frozenset) for label in self.labels):
            why, remedy = "needs labels that are numbers or have an order, and these are sets", COMPARE_SETS
            code = "sets"
        elif any(map(has_decimal_comma, self.labels)):
            why, remedy = f"needs labels that are numbers, and {self.text!r} is text", READ_COMMAS
            code = "decimal commas"
        else:
            why = f"needs labels that are numbers or have an order, and {self.text!r} is text"
            order = f"give the {n} labels in their order with categories=[lowest, ..., highest]"
            remedy, code = f"{order}, or use an ordered Categorical", "needs order"
        return wrong_value(*self.as_written, why, remedy, LabelTypeError, code=code, n_categories=n)


COMPARE_SETS = "compare sets by alpha, with level='masi' or level='jaccard'"
#: what to do about numbers with decimal commas
READ_COMMAS = "it looks like a number with a decimal comma: read the file with pd.read_csv(..., decimal=',')"


def has_decimal_comma(label: Any) -> bool:
    """Whether a label is text such as '1,5'."""
    return isinstance(label, str) and re.fullmatch(r"\s*[+-]?\d+,\d+\s*", label) is not None


def reads_as_number(label: Any) -> bool:
    """Whether a label is a number, or text that is one."""
    try:
        float(label)
    except (TypeError, ValueError):
        return False
    return True


def _linear(x: Array, y: Array, low: float, high: float) -> Array:
    return np.abs(x - y)


def _radical(x: Array, y: Array, low: float, high: float) -> Array:
    return np.sqrt(np.abs(x - y))


def _gwet_ordinal(x: Array, y: Array, low: float, high: float) -> Array:
    steps = np.abs(x - y)  # of ranks
    return steps * (steps + 1) / 2


def _ratio(x: Array, y: Array, low: float, high: float) -> Array:
    if low < 0:
        why = "with a zero in the middle of the scale -1 and 1 would count as agreement"
        problem = f"ratio needs labels that are not negative, and {low:g} is negative: {why}"
        raise InputError(problem, "use 'quadratic' or 'interval' instead", code="negative label")
    total = x + y
    return np.divide(np.abs(x - y), total, out=np.zeros_like(total), where=total > 0) ** 2


def _bipolar(x: Array, y: Array, low: float, high: float) -> Array:
    bottom = ((x - low) + (y - low)) * ((high - x) + (high - y))
    distance = np.divide((x - y) ** 2, bottom, out=np.zeros_like(bottom), where=bottom > 0)
    return np.minimum(distance, 1.0)  # the distance of the ends, but for rounding


ROUNDING_OF_VALUE = 4 * np.finfo(float).eps  # relative: 0.8 and 0.7 differ by 0.1


def _beyond(x: Array, y: Array, tolerance: float) -> Array:
    rounding = ROUNDING_OF_VALUE * np.maximum(np.abs(x), np.abs(y))
    return (np.abs(x - y) > tolerance + rounding).astype(float)


def _ends(x: Array, scale: Scale) -> tuple[float, float]:
    """The ends of the scale: as given, else the smallest and the largest value."""
    low = x.min(initial=np.inf) if scale.low is None else float(scale.low)
    high = x.max(initial=-np.inf) if scale.high is None else float(scale.high)
    for name, end, outside in (("low", low, x[x < low]), ("high", high, x[x > high])):
        if len(outside):
            side = "below" if name == "low" else "above"
            problem = f"{name}={end:g} is an end of the scale, and the label {outside[0]:g} lies {side} it"
            raise InputError(problem, f"give the {name}est value that a label can have", option=name, code="off scale")
    return low, high


def _unit(matrix: Array) -> Array:
    """Divide by the largest distance, if there is one."""
    top = matrix.max(initial=0.0)
    return matrix / top if top > 0 else matrix


def _on_circle(x: Array, period: float | None) -> Array:
    """Points on a circle of diameter 1: the squared chord is sin^2(pi d / period)."""
    period = _period(x) if period is None else float(period)
    angle = 2 * np.pi * (x - x.min(initial=0.0)) / period
    return np.stack([np.cos(angle), np.sin(angle)], -1) / 2


def _period(x: Array) -> float:
    """The length of the circle, one step more than the range of equally spaced labels."""
    steps = np.diff(np.sort(x))
    if len(x) < 2:
        return 1.0
    if not np.allclose(steps, steps[0]):
        problem = "'circular' cannot derive the length of the circle from labels that are not equally spaced"
        remedy = "give its length: scales.circular(period=360) for degrees, scales.circular(period=12) for months"
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


Maker = Callable[[Array, Scale, str], Distance]  # of category values, the scale, and its name in results
MAX_DENSE_CATEGORIES = 1000  # categories above which no K x K matrix is made
MAX_PAIRED = 20_000  # different numbers above which a distance that needs all pairs of them is refused
MAX_TABULATED = 5000  # sets, or labels of a function of two labels: it is called for every pair


def _paired(function: Callable[..., Array], unit: bool = False, ranks: bool = False, **facts: bool) -> Maker:
    """Distances by a function of two values and the ends of the scale; with `unit` the largest distance is 1.

    `facts` are those of a `Distance`.
    """

    def make(x: Array, scale: Scale, name: str) -> Distance:
        if ranks:
            x = np.argsort(np.argsort(x)).astype(float)
        low, high = _ends(x, scale)
        return _by_function(partial(function, low=low, high=high), x, name, unit, **facts)

    return make


def _by_function(
    function: Callable[[Array, Array], Array],
    x: Array,
    name: str,
    unit: bool = False,
    bounded: bool = True,
    negative_type: bool = False,
    monotone: bool = False,
) -> Distance:
    """Distances by a function of two values: a matrix, or the function itself if there are too many values."""
    if len(x) <= MAX_DENSE_CATEGORIES:
        matrix = function(x[:, None], x[None, :])
        return Table(len(x), name, bounded, negative_type, matrix=_unit(matrix) if unit else matrix)
    if len(x) > MAX_PAIRED:
        problem = (
            f"{name!r} compares all pairs of {len(x):,} different numbers, more than the maximum of {MAX_PAIRED:,}"
        )
        raise InputError(problem, "round the numbers, or use 'quadratic' or 'interval'", code="too large")
    top = float(function(x.min(keepdims=True), x.max(keepdims=True))[0]) if unit else 1.0
    scaled = partial(_scaled, function, top)
    return Formula(len(x), name, bounded, negative_type, values=x, function=scaled, monotone=monotone)


def _scaled(function: Callable[[Array, Array], Array], unit: float, x: Array, y: Array) -> Array:
    return function(x, y) / unit


#: agreement weights by name: how to make the distances 1 - w from the values of the categories
WEIGHTS: dict[str, Maker | None] = {
    "nominal": None,
    "linear": _paired(_linear, unit=True, negative_type=True),
    "quadratic": lambda x, scale, name: Points(len(x), name, points=_line(x, _range(x))),
    "ordinal": _paired(_gwet_ordinal, unit=True, ranks=True),
    "radical": _paired(_radical, unit=True, negative_type=True),
    "ratio": _paired(_ratio, unit=True),
    "circular": lambda x, scale, name: _circular_weights(x, scale.period, name),
    "bipolar": _paired(_bipolar),
}

#: Krippendorff's difference functions by name
LEVELS: dict[str, Maker | None] = {
    "nominal": None,
    "ordinal": lambda x, scale, name: Ranks(len(x), name, order=np.argsort(x, kind="stable")),
    "interval": lambda x, scale, name: Points(len(x), name, bounded=False, points=_line(x, 1.0)),
    "linear": _paired(_linear, negative_type=True, bounded=False, monotone=True),
    "radical": _paired(_radical, negative_type=True, bounded=False, monotone=True),
    "ratio": _paired(_ratio),
    "circular": lambda x, scale, name: Points(len(x), name, points=_on_circle(x, scale.period)),
    "bipolar": _paired(_bipolar),
}


def _jaccard(common: Array, one: Array, two: Array) -> Array:
    """Jaccard distance of sets with so many elements, 1 - |a & b| / |a | b|; 0 for two empty sets."""
    union = one + two - common
    return np.where(union > 0, 1 - common / np.maximum(union, 1), 0.0)


def _masi(common: Array, one: Array, two: Array) -> Array:
    """MASI distance: 1 minus Jaccard's similarity times 1 (equal), 2/3 (subset), 1/3 (overlap) or 0 (disjoint)."""
    kinds = [(common == one) & (common == two), common == np.minimum(one, two), common > 0]
    return 1 - (1 - _jaccard(common, one, two)) * np.select(kinds, [1.0, 2 / 3, 1 / 3], 0.0)


#: distances of sets, from the number of elements that both have, and that each has
SET_LEVELS: dict[str, Callable[[Array, Array, Array], Array]] = {"jaccard": _jaccard, "masi": _masi}

#: one word for all coefficients: agreement weights, and the level of alpha that goes with them; sets have no weights
LEVEL_OF_WEIGHTS = {
    "nominal": "nominal",
    "ordinal": "ordinal",
    "quadratic": "interval",
    "linear": "linear",
    "radical": "radical",
    "ratio": "ratio",
    "circular": "circular",
    "bipolar": "bipolar",
}
WEIGHTS_OF_LEVEL = {level: weights for weights, level in LEVEL_OF_WEIGHTS.items()}
COUNTERPARTS = {"weights": LEVEL_OF_WEIGHTS, "level": WEIGHTS_OF_LEVEL}
WORDS = {"weights": WEIGHTS_OF_LEVEL, "level": LEVEL_OF_WEIGHTS}  # by option, its word for that of the other one


def counterpart(argument: str, value: Any) -> Any:
    """The value of `level` that goes with one of `weights`, or the reverse; None if there is none.

    A scale, a matrix or a function stays as it is.

    >>> counterpart("weights", "quadratic"), counterpart("level", "masi")
    ('interval', None)
    """
    return COUNTERPARTS[argument].get(value) if isinstance(value, str) else value


def make_weights(weights: Any, categories: CategoryValues) -> Distance:
    """The distances of agreement weights: a name, a scale, a matrix in the order of the categories, or a function."""
    if isinstance(weights, (str, Scale)) or weights is None:
        return _named(weights, "weights", WEIGHTS, categories)
    if callable(weights):
        return _agreement_function(weights, categories.labels)
    return _agreement_matrix(_as_matrix(weights, "weights"), len(categories.labels))


def make_level(level: Any, categories: CategoryValues) -> Distance:
    """The distances of a level of measurement: a name, a scale, a K x K matrix, or a function of two labels."""
    if isinstance(level, str) and level in SET_LEVELS:
        return _set_level(level, categories)
    if isinstance(level, (str, Scale)) or level is None:
        return _named(level, "level", {**LEVELS, **dict.fromkeys(SET_LEVELS)}, categories)
    if callable(level):
        return _distance_matrix(_tabulate(level, categories.labels, "level"), len(categories.labels))
    return _distance_matrix(_as_matrix(level, "level"), len(categories.labels))


def _as_matrix(given: Any, argument: str) -> Array:
    """The user's matrix as an array."""
    try:
        return np.asarray(given)
    except ValueError as error:
        problem = f"{argument}= is a matrix whose rows have different lengths"
        raise InputError(problem, "give one row and one column per category", option=argument) from error


MAKERS = {"weights": make_weights, "level": make_level}


def make_distance(own: str, asked: str, value: Any, categories: CategoryValues) -> Distance:
    """The distances of a coefficient that takes the option `own`, where the user gave the option `asked`."""
    categories = replace(categories, as_written=(asked, value))
    if asked == own:
        return MAKERS[own](value, categories)
    if isinstance(value, (str, Scale)):
        return MAKERS[own](counterpart(asked, value), categories)
    given: Any = MAKERS[asked](value, categories)  # a Table, of a matrix or function
    return replace(given, bounded=False) if own == "level" else _as_weights(given)


def _as_weights(given: Table) -> Table:
    """Distances of the user as those of agreement weights, 1 - D / max D."""
    top = (given.matrix if given.directed is None else given.directed).max(initial=0.0)
    top = top if top > 0 else 1.0
    directed = None if given.directed is None else given.directed / top
    return replace(given, bounded=True, matrix=given.matrix / top, directed=directed)


def _within(x: Array, scale: Scale, name: str) -> Distance:
    """0 for values that differ by at most the tolerance, else 1."""
    return _by_function(partial(_beyond, tolerance=float(scale.tolerance or 0)), x, name)


def _named(value: Any, argument: str, table: dict[str, Maker | None], categories: CategoryValues) -> Distance:
    """The distances of a name or a scale."""
    scale, name = Scale(value), value
    if isinstance(value, Scale):  # which states the measurement in the words of either option
        scale, name = value, WORDS[argument].get(value.name, value.name)
    make = _within if scale.tolerance is not None else choose(argument, name, table)
    if make is None:
        return Nominal(len(categories.labels), "nominal")
    values = categories.of(scale)
    shown = str(Scale(name, places=True) if scale is not value and categories.by_position else value)
    if name == "circular" or any(number is not None for number in (scale.tolerance, scale.low, scale.high)):
        categories.check_fixed()
        return make(values, scale, shown)
    return make(_ordinary(values, name), scale, shown)


def _ordinary(x: Array, name: str) -> Array:
    """Values divided by a very large or small range, or their largest value if it is their ratio that counts."""
    width = x.max(initial=0.0) if name == "ratio" else x.max(initial=0.0) / 2 - x.min(initial=0.0) / 2
    return x / power_of_two(np.asarray(width))


def _tabulate(function: Callable[[Any, Any], float], labels: Any, argument: str) -> Array:
    """A function of two labels, evaluated once for every pair of labels."""
    n = len(labels)
    if n > MAX_TABULATED:
        problem = f"{argument}= is a function, which is called for every pair of labels, and there are {n:,} labels"
        raise InputError(problem, f"use a name, or at most {MAX_TABULATED:,} labels", option=argument, code="too large")
    matrix = [[_number_of(function, one, two, argument) for two in labels] for one in labels]
    return np.array(matrix, float).reshape(n, n)


def _number_of(function: Callable[[Any, Any], float], one: Any, two: Any, argument: str) -> float:
    try:
        return float(function(one, two))
    except Exception as error:  # whatever the user's function raises
        why = f"{type(error).__name__}: {error}"
        problem = f"{argument}= is a function that gives no number for the labels {one!r} and {two!r}: {why}"
        raise InputError(problem, option=argument, code="no number") from error


def _set_level(name: str, categories: CategoryValues) -> Distance:
    for label in categories.labels:
        if not isinstance(label, (frozenset, set, tuple)):
            why = f"compares sets, and the label {label!r} is not one"
            raise wrong_value("level", name, why, "give cells as lists", LabelTypeError, code="label is no set")
    sets = [frozenset(label) for label in categories.labels]
    if len(sets) > MAX_TABULATED:
        why = f"compares all pairs of sets, and {len(sets):,} different sets are more than {MAX_TABULATED:,}"
        raise wrong_value("level", name, why, "leave out rare labels", code="too large")
    return Table(len(sets), name, matrix=SET_LEVELS[name](*_overlaps(sets)))


def _overlaps(sets: Sequence[frozenset[Any]]) -> tuple[Array, Array, Array]:
    """The number of elements that two sets have in common (K, K), and of those that each has: (K, 1), (1, K)."""
    from scipy.sparse import csr_array

    number: dict[Any, int] = {}
    elements = [number.setdefault(element, len(number)) for each in sets for element in each]
    sizes = np.array([len(each) for each in sets], np.int64)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    members = csr_array((np.ones(len(elements)), elements, starts), shape=(len(sets), max(len(number), 1)))
    return (members @ members.T).toarray(), sizes[:, None], sizes[None, :]


def _square(matrix: Array, n: int, argument: str) -> Array:
    if matrix.ndim != 2 or matrix.shape != (n, n) or matrix.dtype.kind not in "biuf":
        shape = " x ".join(map(str, matrix.shape)) or "a single value"
        expected = f"a {n} x {n} matrix, a row and a column for each of the {n} categories in their order"
        problem = f"{argument}= must be numbers in {expected}, not {shape} of {matrix.dtype}"
        raise InputError(problem, option=argument)
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


ROUNDING = 1e-9  # how far a function of two labels may miss 1 or its other direction


def _agreement_function(function: Callable[[Any, Any], float], labels: Any) -> Distance:
    """The distances of a function that gives the agreement of two labels."""
    labels = list(labels)
    matrix = _tabulate(function, labels, "weights")
    same = np.eye(len(matrix), dtype=bool)
    rules = {
        "a finite number": ~np.isfinite(matrix),
        "1, full agreement, for a label and itself": same & (np.abs(matrix - 1) > ROUNDING),
        "a number between 0 (full disagreement) and 1": (matrix < -ROUNDING) | (matrix > 1 + ROUNDING),
        "the same number in both directions": np.abs(matrix - matrix.T) > ROUNDING,
    }
    for rule, broken in rules.items():
        for one, two in np.argwhere(broken)[:1]:
            gives = f"gives {matrix[one, two]:g} for the labels {labels[one]!r} and {labels[two]!r}"
            back = f", and {matrix[two, one]:g} for the reverse" if "directions" in rule else ""
            raise InputError(f"weights= is a function that must give {rule}, and it {gives}{back}", option="weights")
    agreement = np.where(same, 1.0, np.clip((matrix + matrix.T) / 2, 0.0, 1.0))
    return Table(len(matrix), "custom", matrix=1 - agreement)


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
