"""Label columns as shared integer codes, and the `CategorySet` they refer to.

All rules about dtypes live here: which cells are missing, which labels are equal, which categories exist and in which
order. The rest of the package works with small integer codes, where -1 is missing, and one `CategorySet`.

Labels are equal if they are in Python (1 == 1.0 == True). None, NaN, NaT and NA are missing; the text "nan" is not.
A Categorical declares its categories; otherwise the categories are the sorted observed labels, in an order that does
not depend on hashing. Each column is coded by its own labels: the codes of a Categorical, the distance of whole numbers
from the smallest, or `pd.factorize`. Then labels are matched across columns.
"""

from __future__ import annotations

import datetime
import functools
from collections.abc import Hashable, Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from pandas.api.types import is_hashable

from pandas_agreement.characters import HALF
from pandas_agreement.core.category_counts import blocks
from pandas_agreement.core.classes import dataclass
from pandas_agreement.core.weights import reads_as_number
from pandas_agreement.errors import InputError, LabelTypeError, Remark, plain, shown, warn_once, wrong_value

MAX_EXACT_INTEGER = 2**53  # from here on a float may stand for several integers
MAX_RANGE = 4096  # of whole numbers that are not hashed
MAX_KEPT_LABELS = 64  # labels of an index that is cached
OUTSIDE = -2  # the code of a label that is not among the categories, until the error is raised
MAX_NUMERIC_CATEGORIES = 10  # different numbers that may be categories; more are scores
MAX_SHOWN = 12  # labels or columns that a message lists

BOOLS, NUMBERS, TEXT, DATES, TUPLES, SETS = "True/False", "numbers", "text", "dates", "tuples", "sets"
NUMPY_REAL = (np.integer, np.floating, np.bool_)
REAL = (int, float, Decimal, Fraction, *NUMPY_REAL)
KINDS: tuple[tuple[Any, str], ...] = (
    ((bool, np.bool_), BOOLS),
    (REAL, NUMBERS),
    (str, TEXT),
    (datetime.date, DATES),
    (tuple, TUPLES),
    (frozenset, SETS),
)
INFERRED = {BOOLS, NUMBERS, TEXT, DATES, "Timedelta", "Interval", "Period"}  # pandas may infer their dtype


@dataclass(frozen=True, eq=False)
class CategorySet:
    """The categories of one call, in their order; shared by all groups.

    Attributes
    ----------
    labels : pd.Index
        The categories as the user would write them; whole floats are integers again.
    ordered : bool
        An order was declared by an ordered Categorical or `categories=`.
    declared : bool
        The categories were declared by a Categorical or `categories=`; else they are the sorted observed labels.
    """

    labels: pd.Index
    ordered: bool
    declared: bool

    def __len__(self) -> int:
        return len(self.labels)

    def as_column(self) -> pd.Series:
        """The categories as a column of labels, from which the same categories are read."""
        if self.declared:
            return pd.Series(pd.Categorical(self.labels, self.labels, ordered=self.ordered))
        return pd.Series(self.labels.to_numpy() if self.labels.dtype == object else self.labels)

    def numbers(self) -> np.ndarray | None:
        """The category values minus `origin` (K,), the midpoint for intervals; None if a label is no number."""
        labels = self._as_numbers()
        if labels is None or not self.origin:
            return None if labels is None else np.array(labels, dtype=np.float64)
        return (labels.astype(object).to_numpy() - self.origin).astype(np.float64)

    @property
    def origin(self) -> int:
        """What is subtracted from numbers if one is whole and too large for floats, else 0."""
        labels = self._as_numbers()
        if labels is None or labels.dtype.kind in "bf" or not len(labels):
            return 0
        low, high = labels.min(), labels.max()
        return int(float(low)) if low < -MAX_EXACT_INTEGER or high > MAX_EXACT_INTEGER else 0

    def _as_numbers(self) -> pd.Index | None:
        """The labels, with int64 for dates and the midpoint for intervals; None if a label is no number."""
        labels: Any = self.labels
        if isinstance(labels.dtype, pd.ArrowDtype):
            labels = pd.Index(labels.tolist())
        if isinstance(labels, pd.IntervalIndex):
            labels = labels.mid
        if len(labels) and all(type(label) is datetime.date for label in labels):
            labels = pd.DatetimeIndex(labels)
        if isinstance(labels, (pd.DatetimeIndex, pd.TimedeltaIndex, pd.PeriodIndex)):
            labels = labels.astype("int64")
        numeric = labels.dtype.kind in "biuf" or all(isinstance(label, REAL) for label in labels)
        return labels if numeric else None

    @property
    def has_values(self) -> bool:
        """Undeclared numbers that are not all whole."""
        return not self.declared and self.labels.dtype.kind == "f"

    @property
    def many_fractions(self) -> bool:
        """More different numbers than categories have, and not all of them whole."""
        return self.has_values and len(self.labels) > MAX_NUMERIC_CATEGORIES

    def first_text(self) -> Any:
        """The first label that is not a number, for error messages, also not as text if possible; None if all are."""
        texts = [label for label in self.labels if not isinstance(label, REAL)]
        return next((label for label in texts if not reads_as_number(label)), texts[0] if texts else None)


NO_CATEGORIES = CategorySet(pd.Index([], dtype=float), ordered=False, declared=False)  # of scores


class _Coded(NamedTuple):
    """One column, coded by its own labels."""

    name: Hashable
    codes: np.ndarray  # (n_rows,) positions in `labels`, -1 is missing
    labels: list[Any]  # None is missing
    kinds: frozenset[str]  # of the labels, in words
    dtype: Any  # the CategoricalDtype that declares the labels, or None


def encode(
    columns: Sequence[pd.Series],
    names: Sequence[Hashable],
    categories: Iterable[Any] | pd.CategoricalDtype | None = None,
    remarks: list[Remark] | None = None,
) -> tuple[list[np.ndarray], CategorySet]:
    """Shared integer codes of several label columns; -1 is missing.

    Parameters
    ----------
    columns : sequence of pd.Series
        The columns; rows are matched by position, not by index.
    names : sequence of Hashable
        The name of each column in error messages.
    categories : sequence or CategoricalDtype, optional
        The categories, in order. They take precedence over those of Categoricals.
    remarks : list, optional
        Takes what is odd about the labels; without it there is a warning.

    Returns
    -------
    list of np.ndarray
        One array of codes per column: positions in `CategorySet.labels`, of any signed integer dtype. They may be views
        of the user's memory and must not be written to.
    CategorySet
        The categories.

    Examples
    --------
    >>> ann, bob = pd.Series(["yes", "no", None]), pd.Series(["yes", "yes", "no"])
    >>> codes, category_set = encode([ann, bob], ["ann", "bob"])
    >>> category_set.labels.tolist()
    ['no', 'yes']
    >>> [column.tolist() for column in codes]
    [[1, 0, -1], [1, 1, 0]]
    """
    columns = [unwrap(column) for column in columns]
    coded = [_code(column, name) for column, name in zip(columns, names, strict=True)]
    for column in coded:
        if not column.kinds <= {BOOLS, NUMBERS}:
            check_text(column.labels, f"{shown(column.name)} holds the label")
    labels, category_set = _from_columns(coded, remarks) if categories is None else _from_argument(categories)
    table = {label: position for position, label in enumerate(labels)}
    table[None] = -1
    return [_recode(column, table, len(labels), categories is not None) for column in coded], category_set


def check_text(texts: Sequence[Any], what: str) -> None:
    """Refuse text that holds half of a character (a lone surrogate): no file and no screen can show it."""
    every = [text for one in texts for text in (one if isinstance(one, (frozenset, tuple)) else (one,))]
    strings = [text for text in every if isinstance(text, str)]
    try:
        "".join(strings).encode()
    except UnicodeEncodeError:
        bad = next(text for text in strings if HALF.search(text))
        problem = f"{what} {bad!r}, in which half of a character is missing"
        raise InputError(problem, "read the file again, in its own encoding", code="half character") from None


# ----------------------------------------------------------------------------------------- one column, its own codes
def unwrap(column: pd.Series) -> pd.Series:
    """Make sparse columns dense and Arrow dictionaries Categorical; leave every other column as it is."""
    dtype, array = column.dtype, column.array
    if isinstance(dtype, pd.SparseDtype):
        return pd.Series(np.asarray(array))
    if isinstance(dtype, pd.ArrowDtype) and hasattr(dtype.pyarrow_dtype, "index_type"):
        try:
            return pd.Series(array.__arrow_array__().to_pandas())
        except ValueError:  # a dictionary that holds a null declares no categories
            return pd.Series(column.tolist(), dtype=object)
    return column


def _code(column: pd.Series, name: Hashable) -> _Coded:
    dtype: Any = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        values = dtype.categories.tolist()
        return _Coded(name, column.array.codes, values, _kinds(values), dtype)
    plain = isinstance(dtype, np.dtype) and dtype.kind not in "mM"  # as array, dates keep their type
    rows: Any = column.to_numpy() if plain else column.array
    if dtype in (np.float16, np.longdouble):
        rows = rows.astype(np.float64)
    if plain and dtype.kind in "biuf" and (found := _by_distance(rows)) is not None:
        return _Coded(name, *found, _kinds(found[1]), None)
    try:
        codes, uniques = pd.factorize(rows)
    except (TypeError, NotImplementedError):  # the second is Arrow's, for dtypes that it cannot factorize
        rows = pd.Series(column.tolist(), dtype=object).to_numpy()
        if not all(map(is_hashable, rows)):
            raise _unhashable(rows, name) from None
        codes, uniques = pd.factorize(rows)
    values = [None if is_missing(value) else value for value in uniques.tolist()]
    return _Coded(name, codes, values, _kinds(values, rows if dtype.kind == "O" else ()), None)


def _by_distance(rows: np.ndarray) -> tuple[np.ndarray, list[Any]] | None:
    """Whole numbers of a narrow range by their distance from the smallest; unused numbers are None in the labels."""
    if not rows.size or not (high := np.fmax.reduce(rows).item()) - (low := np.fmin.reduce(rows).item()) < MAX_RANGE:
        return None  # also where all are NaN
    low, small = int(low), smallest(int(high) - int(low) + 1)
    if rows.dtype.kind == "f":
        distances = rows - low
        distances[np.isnan(distances)] = -1
        codes: np.ndarray = distances.astype(small)
        if (codes != distances).any():
            return None
    else:
        codes = rows.astype(small) - np.array(low).astype(small)  # the first may wrap around, the second wraps it back
    used = np.zeros(int(high) - low + 2, bool)  # the last is for a missing label
    for block in blocks(len(codes)):
        used[codes[block]] = True
        if used[:-1].all():
            break
    numbers = np.fromiter(range(low, int(high) + 1), rows.dtype).tolist()
    return codes, [number if one else None for number, one in zip(numbers, used, strict=False)]


def is_missing(value: Any) -> bool:
    return value is None or value is pd.NA or bool(value != value)  # NaN, NaT


def _unhashable(rows: Iterable[Any], name: Hashable) -> LabelTypeError:
    """The error for the first cell that cannot be a label."""
    value = next(value for value in rows if not is_hashable(value))
    who, cell = plain(name), plain(value)
    problem = f"column {who!r} has the label {cell!r}, and a {type(value).__name__} cannot be compared as a label"
    example = f"df[{who!r}].map(frozenset, na_action='ignore')"
    remedy = f"cells with several labels must be made hashable, for example {example}"
    return LabelTypeError(problem, remedy, column=name, code="unusable label")


# -------------------------------------------------------------------------------------------------- kinds of labels
@functools.lru_cache(maxsize=256)
def kind_of(label_type: Any) -> str:
    """The word for labels of this type in messages."""
    return next((kind for types, kind in KINDS if issubclass(label_type, types)), label_type.__name__)


def _kinds(values: list[Any], rows: Any = ()) -> frozenset[str]:
    """The kinds of labels; with the `rows` of an object column also the kinds of equal labels, such as 1 and True."""
    types: set[Any] = {type(value) for value in values if value is not None}
    kinds = frozenset([kind_of(label_type) for label_type in types])
    if len(rows) and kinds & {BOOLS, NUMBERS}:
        inferred = pd.api.types.infer_dtype(rows, skipna=True)
        if inferred.startswith("mixed") and inferred != "mixed-integer-float":
            types = {type(value) for value in rows if isinstance(value, REAL) and not is_missing(value)}
            kinds |= {kind_of(label_type) for label_type in types}
    return kinds


def _remark_on_kinds(coded: list[_Coded], kinds: frozenset[str]) -> list[Remark]:
    """One remark if labels of different kinds are compared, unless one Categorical declares them all."""
    if len(kinds) < 2 or any(column.dtype is not None and column.kinds == kinds for column in coded):
        return []
    where = {kind: _show([c.name for c in coded if kind in c.kinds], " and ") for kind in sorted(kinds)}
    found = ", ".join(f"{kind} in {names}" for kind, names in where.items())
    merged = "; True counts as 1 and False as 0" if {BOOLS, NUMBERS} <= kinds else ""
    problem = f"labels of different kinds are compared: {found}{merged}"
    return [Remark(problem, "if that is not meant, convert them to one kind", code="kinds of labels")]


def _show(values: list[Any], between: str = ", ") -> str:
    return between.join([repr(value) for value in values[:MAX_SHOWN]] + ["..."] * (len(values) > MAX_SHOWN))


def spellings(value: Any) -> set[str]:
    """A number as text: 1 and 1.0 as '1' and '1.0'."""
    if not isinstance(value, REAL):
        return set()
    whole = not isinstance(value, (bool, np.bool_)) and isinstance(_plain(value), int)
    return {str(_plain(value)), f"{_plain(value)}.0"} if whole else {str(value)}


def _refuse_numbers_as_text(coded: list[_Coded]) -> None:
    """Raise if one column holds numbers and another the same numbers as text, which never agree."""
    texts = [column for column in coded if TEXT in column.kinds]
    for number in [column for column in coded if texts and column.kinds and column.kinds <= {BOOLS, NUMBERS}]:
        spelled = {text: label for label in number.labels for text in spellings(label)}
        for text in texts:
            twin = next((label for label in text.labels if label in spelled), None)
            if twin is not None and set(number.labels).isdisjoint(set(text.labels) - {None}):
                label, remedy = _plain(spelled[twin]), f"pd.to_numeric(df[{text.name!r}])"
                if BOOLS in number.kinds:
                    label, remedy = spelled[twin], f"df[{number.name!r}].astype('boolean').astype('string')"
                pair = f"column {number.name!r} has the label {label!r} and column {text.name!r} the text {twin!r}"
                remedy = f"convert one of the columns, for example with {remedy}"
                raise InputError(f"{pair}, which never agree", remedy, column=text.name, code="never equal")


# ----------------------------------------------------------------------------------------------- the category set
def _category_index(categories: pd.Index) -> pd.Index:
    if categories.dtype.kind == "f":
        return _float_index(categories.to_numpy(dtype=np.float64))
    return categories if categories.name is None else categories.rename(None)


def _float_index(values: np.ndarray) -> pd.Index:
    """Labels of floats; whole ones become integers, as they come from integers with missing values."""
    whole = (np.abs(values) < MAX_EXACT_INTEGER).all() and (values == np.floor(values)).all()
    return pd.Index(values.astype(np.int64) if whole else values + 0)  # -0.0 + 0 is 0.0


def smallest(size: int) -> type:
    """The smallest signed integer type for the codes -2..size."""
    return np.int8 if size <= 127 else np.int16 if size <= 32_767 else np.int32


def _from_argument(categories: Any) -> tuple[list[Any], CategorySet]:
    """The category set of `categories=`; an unordered CategoricalDtype declares labels but no order."""
    ordered = True
    if isinstance(categories, pd.CategoricalDtype):
        categories, ordered = categories.categories, bool(categories.ordered)
    if isinstance(categories, np.ndarray) and categories.dtype.kind in "mM":
        categories = pd.Index(categories)  # dates as pandas shows them
    if isinstance(categories, (str, bytes, set, frozenset)) or not isinstance(categories, Iterable):
        raise wrong_value("categories", categories, "gives no order", "give a list of all labels, in order, or 'group'")
    seen: dict[Any, None] = {}
    for label in map(plain, categories):
        if not is_hashable(label):
            problem = f"categories= holds {label!r}, and a {type(label).__name__} cannot be a label"
            raise LabelTypeError(problem, option="categories", code="unusable label")
        if is_missing(label):
            raise InputError(
                f"categories= holds {label!r}, but missing is not a category", "leave it out", option="categories"
            )
        if label in seen:
            raise InputError(
                f"categories= holds {label!r} twice", "list every label once", option="categories", code="repeated name"
            )
        seen[label] = None
    labels = list(seen)
    check_text(labels, "categories= holds")
    return labels, CategorySet(_index(labels, _kinds(labels)), ordered, True)


def _from_columns(coded: list[_Coded], remarks: list[Remark] | None) -> tuple[list[Any], CategorySet]:
    """The category set of the columns: declared by Categoricals, or observed."""
    kinds: frozenset[str] = frozenset().union(*(column.kinds for column in coded))
    if len(kinds) > 1:
        _refuse_numbers_as_text(coded)
        note = _remark_on_kinds(coded, kinds)
        warn_once(note) if remarks is None else remarks.extend(note)
    declared = [column for column in coded if column.dtype is not None]
    if declared:
        return _declared(declared, kinds)
    labels = list(dict.fromkeys([value for column in coded for value in column.labels if value is not None]))
    labels = _in_order(labels, kinds)
    return labels, CategorySet(_index(labels, kinds), False, False)


def _declared(coded: list[_Coded], kinds: frozenset[str]) -> tuple[list[Any], CategorySet]:
    """The categories of several Categoricals: the longest order if one is ordered, else the union."""
    base = max(coded, key=lambda column: (column.dtype.ordered, len(column.labels)))
    if not base.dtype.ordered:
        labels = list(dict.fromkeys([value for column in coded for value in column.labels]))
        index = _category_index(coded[0].dtype.categories)
        return labels, CategorySet(index if len(labels) == len(index) else _index(labels, kinds), False, True)
    places = {value: place for place, value in enumerate(base.labels)}
    for column in coded:
        found = [places.get(value, OUTSIDE) for value in column.labels]
        if OUTSIDE in found or (column.dtype.ordered and found != sorted(found)):
            raise _no_common_order(base, column)
    return base.labels, CategorySet(_category_index(base.dtype.categories), True, True)


def _no_common_order(base: _Coded, other: _Coded) -> InputError:
    clash = f"the orders of two columns differ: {_show(other.labels, ' < ')} in {other.name!r}, "
    if not other.dtype.ordered:
        stray = next(value for value in other.labels if value not in base.labels)
        clash = f"column {other.name!r} has the category {stray!r}, which has no place in the order "
    problem = f"{clash}{_show(base.labels, ' < ')} in {base.name!r}"
    remedy = "give the order of all labels with categories=[...], or give both columns the same CategoricalDtype"
    return InputError(problem, remedy, option="categories", column=other.name, code="orders differ")


def _in_order(labels: list[Any], kinds: frozenset[str]) -> list[Any]:
    """Sort labels in their natural order if they have one; else numbers, text, then containers by their members."""
    if not kinds & {TUPLES, SETS} and (len(kinds) < 2 or kinds <= {BOOLS, NUMBERS}):
        try:
            return sorted(labels)
        except TypeError:  # labels that cannot be compared
            pass
    return sorted(labels, key=_rank)


def _rank(label: Any) -> tuple[int, Any, str, tuple[Any, ...]]:
    if isinstance(label, REAL):
        return 0, label if isinstance(label, (int, float)) else float(label), "", ()
    if isinstance(label, tuple):
        return 2, 0, "", tuple(_rank(part) for part in label)
    if isinstance(label, frozenset):  # its text depends on the hash seed
        return 3, 0, "", tuple(sorted(_rank(part) for part in label))
    label_type: Any = type(label)  # the default text of an object contains its address
    own_text = label_type.__str__ is not object.__str__ or label_type.__repr__ is not object.__repr__
    return 1, 0, str(label) if own_text else label_type.__name__, ()


@functools.lru_cache(maxsize=64, typed=True)
def _plain_index(*labels: str | int) -> pd.Index:
    return pd.Index(list(labels))  # cached: the slowest step of a small call, and equal in repeated calls


def _index(labels: list[Any], kinds: frozenset[str]) -> pd.Index:
    if NUMBERS in kinds and len(kinds) > 1:
        labels = [_plain(label) for label in labels]
    if kinds <= INFERRED:
        try:
            if len(labels) < MAX_KEPT_LABELS and (kinds == {TEXT} or all(type(label) is int for label in labels)):
                return _plain_index(*labels)
            index = pd.Index(labels, tupleize_cols=False)
            return _float_index(index.to_numpy()) if index.dtype.kind == "f" else index
        except (UnicodeEncodeError, OverflowError):  # text that Arrow cannot hold, whole numbers that no float can
            pass
    objects = np.empty(len(labels), dtype=object)
    for place, label in enumerate(labels):  # one by one, or numpy would unpack containers
        objects[place] = label
    return pd.Index(objects, dtype=object, tupleize_cols=False)


def _plain(label: Any) -> Any:
    """A bool or a whole float as the integer that it equals."""
    if isinstance(label, (float, np.floating)):
        return int(label) if abs(float(label)) < MAX_EXACT_INTEGER and label == int(label) else label
    return int(label) if isinstance(label, (int, np.integer, np.bool_)) else label


def _recode(column: _Coded, table: dict[Any, int], size: int, given: bool) -> np.ndarray:
    """The column in positions of the category set."""
    lookup = [table.get(value, OUTSIDE) for value in column.labels]
    if column.codes.dtype == smallest(size) and lookup == list(range(len(lookup))):
        return column.codes
    codes: np.ndarray = np.array([*lookup, -1], dtype=smallest(size))[column.codes]
    if OUTSIDE in lookup and (codes == OUTSIDE).any():
        raise _outside(column, lookup, [label for label in table if label is not None], given)
    return codes


def _outside(column: _Coded, lookup: list[int], labels: list[Any], given: bool) -> InputError:
    """The error for an observed label that is not among the categories."""
    counts = np.bincount(column.codes[column.codes >= 0], minlength=len(lookup))
    strays = [code for code, place in enumerate(lookup) if place == OUTSIDE and counts[code]]
    label, rows = column.labels[strays[0]], int(counts[strays[0]])
    others = f" ({len(strays) - 1} more like it)" if len(strays) > 1 else ""
    twin = next((value for value in labels if label in spellings(value) or value in spellings(label)), None)
    code = "unknown label" if given else "undeclared label"
    remedy = f"correct it or {'add it to categories=' if given else 'declare all labels with categories=[...]'}"
    if twin is not None:
        remedy, code = f"{label!r} and {twin!r} differ in type, so convert one of them", "never equal"
    categories = f"{_show(labels)}{'' if given else ' of the Categoricals'}"
    problem = f"column {column.name!r} has the label {label!r} in {rows} row{'s' * (rows != 1)}{others}"
    problem += f", which is not among the categories {categories}"
    return InputError(problem, remedy, option="categories", column=column.name, code=code)
