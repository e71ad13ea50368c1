"""Labels of every dtype to shared codes."""

from __future__ import annotations

import datetime
import enum
import re
import warnings
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pandas_agreement.core.category_counts import blocks
from pandas_agreement.data.labels import CategorySet, encode
from pandas_agreement.errors import AgreementWarning, InputError, LabelTypeError
from tests.helpers import printed

try:
    import pyarrow as pa
except ImportError:
    pa = None

NA = pd.NA
DAY = pd.Timestamp("2024-05-01")
needs_arrow = pytest.mark.skipif(pa is None, reason="needs pyarrow")


def series(*values, dtype=object):
    return pd.Series(list(values), dtype=dtype)


def cat(*values, categories=None, ordered=False):
    return pd.Series(pd.Categorical(list(values), categories=categories, ordered=ordered))


def arrow(values, arrow_type):
    return pd.Series(pd.arrays.ArrowExtensionArray(pa.array(values, arrow_type)))


def read(*columns, categories=None):
    """Labels, then the codes of each column; names are ann, bob, cat, dan."""
    codes, category_set = encode(list(columns), ["ann", "bob", "cat", "dan"][: len(columns)], categories)
    assert all(code.dtype.kind == "i" for code in codes)
    return category_set.labels.tolist(), *[code.tolist() for code in codes]


def same_labels(found, expected):
    """Equal, and of equal types, so that 1, 1.0 and True are told apart."""
    assert found == expected
    assert [type(label) for label in found[0]] == [type(label) for label in expected[0]]


ABC = ["a", "b", "c"]
SILENT = {
    "object text with all kinds of missing": (
        [series("b", None, np.nan, NA, pd.NaT, "a"), series("a", "a", "b", "b", "a", "a")],
        (["a", "b"], [1, -1, -1, -1, -1, 0], [0, 0, 1, 1, 0, 0]),
    ),
    "text that spells missing is a label": (
        [series("nan", "NA", "None", ""), series("nan", None, "null", "")],
        (["", "NA", "None", "nan", "null"], [3, 1, 2, 0], [3, -1, 4, 0]),
    ),
    "numpy text": ([pd.Series(np.array(["b", "a"])), series(np.str_("a"), "b")], (["a", "b"], [1, 0], [0, 1])),
    "bool": ([series(True, False, dtype=bool), series(True, True, dtype=bool)], ([False, True], [1, 0], [1, 1])),
    "bool of which one is used": ([series(True, True, dtype=bool)], ([True], [0, 0])),
    "boolean": (
        [series(True, NA, dtype="boolean"), series(False, True, dtype="boolean")],
        ([False, True], [1, -1], [0, 1]),
    ),
    "bool with gaps, as object": (
        [series(True, None, False), series(True, np.nan, True)],
        ([False, True], [1, -1, 0], [1, -1, 1]),
    ),
    "boolean with bool as object": (
        [series(True, NA, dtype="boolean"), series(False, None)],
        ([False, True], [1, -1], [0, -1]),
    ),
    "int8 over its whole range": (
        [series(-128, 127, dtype="int8"), series(0, 127, dtype="int8")],
        ([-128, 0, 127], [0, 2], [1, 2]),
    ),
    "uint8 with negative int8": (
        [series(255, 0, dtype="uint8"), series(-3, 0, dtype="int8")],
        ([-3, 0, 255], [2, 1], [0, 1]),
    ),
    "int far apart": (
        [series(-(10**12), 5, dtype="int64"), series(5, 10**12, dtype="int64")],
        ([-(10**12), 5, 10**12], [0, 1], [1, 2]),
    ),
    "int beyond the reach of floats": (
        [series(2**53 + 1, 2**53, dtype="int64"), series(2**53, 1, dtype="int64")],
        ([1, 2**53, 2**53 + 1], [2, 1], [1, 0]),
    ),
    "int beyond the reach of floats, with float": (
        [series(2**53 + 1, 2**53, dtype="int64"), series(np.nan, 2.0**53, dtype="float64")],
        ([2**53, 2**53 + 1], [1, 0], [-1, 0]),
    ),
    "Int64 beyond the reach of floats": (
        [series(2**60 + 1, NA, 2**60, dtype="Int64")],
        ([2**60, 2**60 + 1], [1, -1, 0]),
    ),
    "Int64 at the reach of floats": ([series(2**53 + 1, NA, 2**53, dtype="Int64")], ([2**53, 2**53 + 1], [1, -1, 0])),
    "uint64 beyond int64": (
        [series(2**63 + 5, 2**63 + 4, dtype="uint64"), series(2**63 + 4, 2**63 + 4, dtype="uint64")],
        ([2**63 + 4, 2**63 + 5], [1, 0], [0, 0]),
    ),
    "whole floats are shown as integers": (
        [series(1.0, np.nan, dtype="float64"), series(2.0, 1.0, dtype="float32")],
        ([1, 2], [0, -1], [1, 0]),
    ),
    "floats": (
        [series(0.5, np.nan, dtype="float64"), series(1, 2, dtype="int64")],
        ([0.5, 1.0, 2.0], [0, -1], [1, 2]),
    ),
    "float16": ([series(0.5, 1, dtype="float16"), series(1, 2, dtype="float16")], ([0.5, 1.0, 2.0], [0, 1], [1, 2])),
    "infinity is a label": (
        [series(np.inf, 1.0, dtype="float64"), series(-np.inf, np.nan, dtype="float64")],
        ([-np.inf, 1.0, np.inf], [2, 1], [0, -1]),
    ),
    "minus zero is zero": (
        [series(-0.0, 0.5, dtype="float64"), series(0.0, 0.5, dtype="float64")],
        ([0.0, 0.5], [0, 1], [0, 1]),
    ),
    "floats close together but not whole": (
        [series(1.0, 1.5, dtype="float64"), series(2.0, 1.0, dtype="float64")],
        ([1.0, 1.5, 2.0], [0, 1], [2, 0]),
    ),
    "Float64 with UInt8": (
        [series(1.5, NA, dtype="Float64"), series(1, 2, dtype="UInt8")],
        ([1.0, 1.5, 2.0], [1, -1], [0, 2]),
    ),
    "int and float as object": ([series(1, 1.0, 2.5)], ([1.0, 2.5], [0, 0, 1])),
    "numpy and plain numbers": ([series(np.int64(1), np.float64(2)), series(2, 1)], ([1, 2], [0, 1], [1, 0])),
    "Decimal": (
        [series(Decimal("1.5"), Decimal("nan")), series(Decimal("0.5"), Decimal("1.50"))],
        ([Decimal("0.5"), Decimal("1.5")], [1, -1], [0, 1]),
    ),
    "Decimal with Fraction": (
        [series(Decimal("1.5"), Fraction(1, 3))],
        ([Fraction(1, 3), Decimal("1.5")], [1, 0]),
    ),
    "dates": (
        [pd.Series([DAY, pd.NaT]), pd.Series([DAY - pd.Timedelta("1D"), DAY])],
        ([DAY - pd.Timedelta("1D"), DAY], [1, -1], [0, 1]),
    ),
    "dates with a time zone": (
        [pd.Series([DAY, pd.NaT]).dt.tz_localize("UTC")],
        ([DAY.tz_localize("UTC")], [0, -1]),
    ),
    "dates in different units": (
        [pd.Series([DAY]).astype("datetime64[s]"), pd.Series([DAY]).astype("datetime64[ns]")],
        ([DAY], [0], [0]),
    ),
    "plain dates": (
        [series(datetime.date(2024, 5, 2), None, datetime.date(2024, 5, 1))],
        ([datetime.date(2024, 5, 1), datetime.date(2024, 5, 2)], [1, -1, 0]),
    ),
    "durations": (
        [pd.Series(pd.to_timedelta([2, None, 1], unit="D"))],
        ([pd.Timedelta("1D"), pd.Timedelta("2D")], [1, -1, 0]),
    ),
    "periods": (
        [pd.Series(pd.PeriodIndex(["2024-02", "2024-01"], freq="M"))],
        ([pd.Period("2024-01"), pd.Period("2024-02")], [1, 0]),
    ),
    "intervals": (
        [pd.Series([pd.Interval(1, 2), None, pd.Interval(0, 1)])],
        ([pd.Interval(0, 1), pd.Interval(1, 2)], [1, -1, 0]),
    ),
    "bins of pd.cut": (
        [pd.cut(pd.Series([5, 1]), [0, 2, 4, 6])],
        ([pd.Interval(0, 2), pd.Interval(2, 4), pd.Interval(4, 6)], [2, 0]),
    ),
    "Sparse numbers": (
        [pd.Series(pd.arrays.SparseArray([0, 0, 2])), series(2, 1, 0, dtype="int64")],
        ([0, 1, 2], [0, 0, 2], [2, 1, 0]),
    ),
    "Sparse with gaps": ([pd.Series(pd.arrays.SparseArray([np.nan, 1.0, 2.0]))], ([1, 2], [-1, 0, 1])),
    "tuples keep the order of their numbers": (
        [series(("a", 10), ("a", 2), None), series(("a", 2), ("b", 1), ("a", 2))],
        ([("a", 2), ("a", 10), ("b", 1)], [1, 0, -1], [0, 2, 0]),
    ),
    "frozensets": (
        [series(frozenset("b"), frozenset("ab"), None), series(frozenset(), frozenset("ba"), frozenset("b"))],
        ([frozenset(), frozenset("ab"), frozenset("b")], [2, 1, -1], [0, 1, 2]),
    ),
    "complex numbers have no order but their text": ([series(2j, 1j)], ([1j, 2j], [1, 0])),
    "bytes": ([series(b"b", b"a")], ([b"a", b"b"], [1, 0])),
    "all missing": ([series(None, np.nan), series(np.nan, np.nan, dtype="float64")], ([], [-1, -1], [-1, -1])),
    "all missing, nullable": (
        [series(NA, NA, dtype="Int64"), series(NA, NA, dtype="boolean")],
        ([], [-1, -1], [-1, -1]),
    ),
    "all missing bool with numbers": (
        [series(NA, NA, dtype="boolean"), series(7, 9, dtype="int64")],
        ([7, 9], [-1, -1], [0, 1]),
    ),
    "no rows": ([series(), series(dtype="int64"), series(dtype="float64")], ([], [], [], [])),
    "no rows of numbers": ([series(dtype="int64"), series(dtype="Float64")], ([], [], [])),
    "Categorical, unused categories kept": (
        [cat("b", None, categories=ABC), cat("a", "b", categories=ABC)],
        (ABC, [1, -1], [0, 1]),
    ),
    "Categoricals in another order: that of the first": (
        [cat("a", "c", categories=["c", "a"]), cat("a", "c", categories=["a", "c"])],
        (["c", "a"], [1, 0], [1, 0]),
    ),
    "Categoricals, union in order of appearance": (
        [cat("z", "b", categories=["z", "b"]), cat("a", "b", categories=["b", "a", "y"])],
        (["z", "b", "a", "y"], [0, 1], [2, 1]),
    ),
    "Categoricals of integers and of whole floats": (
        [series(1.0, np.nan, dtype="float64").astype("category"), series(1, 3, dtype="int64").astype("category")],
        ([1, 3], [0, -1], [0, 1]),
    ),
    "Categorical with plain": (
        [series("b", None), cat("c", "b", categories=["c", "b", "a"])],
        (["c", "b", "a"], [1, -1], [0, 1]),
    ),
    "Categorical without a category": (
        [cat(None, None), cat("a", "b", categories=["b", "a"], ordered=True)],
        (["b", "a"], [-1, -1], [1, 0]),
    ),
    "Categorical of mixed labels, declared so": (
        [cat(1, "x", categories=["x", 1]), series(1, "x")],
        (["x", 1], [1, 0], [1, 0]),
    ),
}


@pytest.mark.parametrize(("columns", "expected"), SILENT.values(), ids=SILENT)
def test_every_dtype(columns, expected):
    same_labels(read(*columns), expected)


ARROW = {
    "string": (["b", None, "a"], "string", (["a", "b"], [1, -1, 0])),
    "large_string": (["b", None, "a"], "large_string", (["a", "b"], [1, -1, 0])),
    "int64": ([5, None, 3], "int64", ([3, 5], [1, -1, 0])),
    "uint8": ([5, 3, 3], "uint8", ([3, 5], [1, 0, 0])),
    "double": ([2.0, None, 1.0], "float64", ([1, 2], [1, -1, 0])),
    "double with NaN": ([2.5, float("nan"), 1.0], "float64", ([1.0, 2.5], [1, -1, 0])),
    "bool": ([True, None, False], "bool_", ([False, True], [1, -1, 0])),
    "timestamp": ([DAY.to_pydatetime(), None], "date32", ([datetime.date(2024, 5, 1)], [0, -1])),
    "null": ([None, None], "null", ([], [-1, -1])),
    "binary": ([b"b", b"a"], "binary", ([b"a", b"b"], [1, 0])),
}


@needs_arrow
@pytest.mark.parametrize(("values", "arrow_type", "expected"), ARROW.values(), ids=ARROW)
def test_arrow(values, arrow_type, expected):
    same_labels(read(arrow(values, getattr(pa, arrow_type)())), expected)


@needs_arrow
def test_arrow_text_with_other_text():
    columns = [arrow(["b", None], pa.string()), series("a", "b"), series("b", NA, dtype="string[pyarrow]")]
    assert read(*columns) == (["a", "b"], [1, -1], [0, 1], [1, -1])


@needs_arrow
@pytest.mark.parametrize("ordered", [True, False])
def test_arrow_dictionary_is_a_categorical(ordered):
    array = pa.DictionaryArray.from_arrays(
        pa.array([2, None, 0], pa.int8()), pa.array(["lo", "mid", "hi"]), ordered=ordered
    )
    codes, category_set = encode([pd.Series(pd.arrays.ArrowExtensionArray(array))], ["ann"])
    assert category_set.labels.tolist() == ["lo", "mid", "hi"]
    assert (category_set.ordered, category_set.declared) == (ordered, True)
    assert codes[0].tolist() == [2, -1, 0]


@needs_arrow
def test_arrow_dictionary_with_a_null_declares_nothing():
    array = pa.DictionaryArray.from_arrays(pa.array([2, 1, 0], pa.int8()), pa.array(["b", None, "a"]))
    codes, category_set = encode([pd.Series(pd.arrays.ArrowExtensionArray(array))], ["ann"])
    assert category_set.labels.tolist() == ["a", "b"]
    assert not category_set.declared
    assert codes[0].tolist() == [0, -1, 1]


# --------------------------------------------------------------------------------------------------- mixed kinds
MIXED = {
    "bool with int": (
        [series(True, False, dtype=bool), series(1, 2, dtype="int64")],
        ([0, 1, 2], [1, 0], [1, 2]),
        "True/False in 'ann', numbers in 'bob'; True counts as 1 and False as 0",
    ),
    "boolean with Int64": (
        [series(True, NA, dtype="boolean"), series(0, 1, dtype="Int64")],
        ([0, 1], [1, -1], [0, 1]),
        "True/False in 'ann', numbers in 'bob'; True counts as 1 and False as 0",
    ),
    "1, 1.0 and True in one column": (
        [series(1, 1.0, True, 0)],
        ([0, 1], [1, 1, 1, 0]),
        "True/False in 'ann', numbers in 'ann'; True counts as 1 and False as 0",
    ),
    "bool with floats": (
        [series(True, 2.5, False)],
        ([0.0, 1.0, 2.5], [1, 2, 0]),
        "True/False in 'ann', numbers in 'ann'; True counts as 1 and False as 0",
    ),
    "numbers before text": (
        [series("b", 10, 9.0), series("a", "b", 9)],
        ([9, 10, "a", "b"], [3, 1, 0], [2, 3, 0]),
        "numbers in 'ann' and 'bob', text in 'ann' and 'bob'",
    ),
    "number and text in different columns": (
        [series(2, 1, dtype="int64"), series("a", "b")],
        ([1, 2, "a", "b"], [1, 0], [2, 3]),
        "numbers in 'ann', text in 'bob'",
    ),
    "True with text": (
        [series(True, "maybe", None)],
        ([True, "maybe"], [0, 1, -1]),
        "True/False in 'ann', text in 'ann'",
    ),
    "dates with text": (
        [series(DAY, "2023")],
        (["2023", DAY], [1, 0]),
        "dates in 'ann', text in 'ann'",
    ),
    "containers last": (
        [series(frozenset("b"), ("z", 1), "a", ("z",), frozenset("a"))],
        (["a", ("z",), ("z", 1), frozenset("a"), frozenset("b")], [4, 2, 0, 1, 3]),
        "sets in 'ann', text in 'ann', tuples in 'ann'",
    ),
    "Categoricals of bool and of int": (
        [cat(True, False), cat(0, 2)],
        ([0, 1, 2], [1, 0], [0, 2]),
        "True/False in 'ann', numbers in 'bob'; True counts as 1 and False as 0",
    ),
}


@pytest.mark.parametrize(("columns", "expected", "found"), MIXED.values(), ids=MIXED)
def test_labels_of_different_kinds_warn_once(columns, expected, found):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        same_labels(read(*columns), expected)
    message = f"Labels of different kinds are compared: {found}. If that is not meant, convert them to one kind."
    assert [(w.category, str(w.message)) for w in caught] == [(AgreementWarning, message)]


def test_objects_without_a_text_of_their_own_keep_their_order_of_appearance():
    class Thing:
        pass

    things = [Thing() for _ in range(5)]
    assert read(series(*things)) == (things, [0, 1, 2, 3, 4])


def test_enum_members_sort_by_name():
    Color = enum.Enum("Color", ["RED", "BLUE"])
    assert read(series(Color.RED, Color.BLUE)) == ([Color.BLUE, Color.RED], [1, 0])


# ------------------------------------------------------------------------------------------- orders and declarations
def universe_of(*columns, categories=None):
    return encode(list(columns), ["ann", "bob", "cat"][: len(columns)], categories)[1]


LOW = ["lo", "mid", "hi"]


@pytest.mark.parametrize(
    ("columns", "found", "ordered", "declared"),
    [
        ([series("b", "a")], ["a", "b"], False, False),
        ([cat("b", categories=["b", "a"])], ["b", "a"], False, True),
        ([cat("lo", categories=LOW, ordered=True)], LOW, True, True),
        ([cat("lo", categories=LOW, ordered=True), cat("hi", categories=LOW, ordered=True)], LOW, True, True),
        ([cat("lo", categories=["lo", "hi"], ordered=True), cat("hi", categories=LOW, ordered=True)], LOW, True, True),
        ([cat("lo", categories=LOW, ordered=True), cat("hi", categories=["hi", "lo"])], LOW, True, True),
        ([cat("lo", categories=LOW), cat("hi", categories=LOW, ordered=True)], LOW, True, True),
        ([cat("lo", categories=LOW, ordered=True), series("hi")], LOW, True, True),
        ([cat("lo", categories=LOW), series("hi")], LOW, False, True),
    ],
)
def test_what_is_ordered_and_declared(columns, found, ordered, declared):
    category_set = universe_of(*columns)
    assert (category_set.labels.tolist(), category_set.ordered, category_set.declared) == (found, ordered, declared)
    assert len(category_set) == len(found)


@pytest.mark.parametrize("values", [(-0.0, 0.5), (0.5, -0.0)])
def test_zero_is_shown_without_a_sign(values):
    assert str(read(series(*values, dtype="float64"))[0]) == "[0.0, 0.5]"


def test_codes_of_a_shorter_order():
    short, long = cat("lo", "hi", categories=["lo", "hi"], ordered=True), cat("hi", None, categories=LOW, ordered=True)
    assert read(short, long) == (LOW, [0, 2], [2, -1])


def test_name_of_the_categories_is_not_kept():
    column = pd.Series(pd.Categorical(["a"], categories=pd.Index(["a"], name="tag")))
    assert universe_of(column).labels.name is None


def raises(error, message, *columns, categories=None):
    with pytest.raises(error) as caught:
        read(*columns, categories=categories)
    assert str(caught.value) == message


ONE_ORDER = "the order of all labels with categories=[...], or give both columns the same CategoricalDtype."
CONVERT = "which never agree. Convert one of the columns, for example with"
#: columns, categories= and the message
REFUSED = {
    "orders that differ": (
        [cat("lo", categories=LOW, ordered=True), cat("lo", categories=["hi", "lo"], ordered=True)],
        None,
        "The orders of two columns differ: 'hi' < 'lo' in 'bob', 'lo' < 'mid' < 'hi' in 'ann'. Give " + ONE_ORDER,
    ),
    "orders that only overlap": (
        [cat("lo", categories=LOW, ordered=True), cat("mid", categories=["mid", "top"], ordered=True)],
        None,
        "The orders of two columns differ: 'mid' < 'top' in 'bob', 'lo' < 'mid' < 'hi' in 'ann'. Give " + ONE_ORDER,
    ),
    "a category without a place in the order": (
        [cat("lo", categories=LOW, ordered=True), cat("lo", categories=["lo", "top"])],
        None,
        "Column 'bob' has the category 'top', which has no place in the order 'lo' < 'mid' < 'hi' in 'ann'. Give the "
        + ONE_ORDER.removeprefix("the "),
    ),
    "a plain label outside the Categorical": (
        [cat("yes", None, "no", categories=["no", "yes"]), series("maybe", "yes", "maybe")],
        None,
        "Column 'bob' has the label 'maybe' in 2 rows, which is not among the categories 'no', 'yes' of the "
        "Categoricals. Correct it or declare all labels with categories=[...].",
    ),
    **{
        f"labels outside, {kind}": (
            [column],
            ["a", "b"],
            "Column 'ann' has the label 'x' in 2 rows (1 more like it), which is not among the categories 'a', 'b'. "
            "Correct it or add it to categories=",
        )
        for kind, column in {"plain": series("b", "x", "x", "y"), "Categorical": cat("b", "x", "x", "y")}.items()
    },
    "a number outside text": (
        [series(2, dtype="int64")],
        ["1", "2"],
        "Column 'ann' has the label 2 in 1 row, which is not among the categories '1', '2'. 2 and '2' differ in type, "
        "so convert one of them.",
    ),
    "text outside numbers": (
        [series("2")],
        [1, 2],
        "Column 'ann' has the label '2' in 1 row, which is not among the categories 1, 2. '2' and 2 differ in type, "
        "so convert one of them.",
    ),
    **{
        f"whole floats against {spelled!r}": (
            [series(1.0, np.nan, dtype="float64"), series(spelled, "x")],
            None,
            f"Column 'ann' has the label 1 and column 'bob' the text {spelled!r}, {CONVERT} pd.to_numeric(df['bob']).",
        )
        for spelled in ("1", "1.0")
    },
    "bool against text": (
        [series(True, False, dtype=bool), series("True", "False")],
        None,
        f"Column 'ann' has the label True and column 'bob' the text 'True', {CONVERT} "
        "df['ann'].astype('boolean').astype('string').",
    ),
    "no label": ([series("a")], [["a"]], "categories= holds ['a'], and a list cannot be a label."),
}


@pytest.mark.parametrize(("columns", "categories", "message"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused(columns, categories, message):
    error = LabelTypeError if "cannot be a label" in message else InputError
    raises(error, message, *columns, categories=categories)


def test_long_orders_are_cut_short_in_messages():
    letters = list("abcdefghijklmn")
    with pytest.raises(InputError) as caught:
        read(cat("a", categories=letters, ordered=True), cat("b", categories=["b", "a"], ordered=True))
    assert "'k' < 'l' < ... in 'ann'" in str(caught.value)


# -------------------------------------------------------------------------------------------------------- categories=
@pytest.mark.parametrize(
    "categories",
    [
        ["hi", "lo", "no"],
        ("hi", "lo", "no"),
        pd.Index(["hi", "lo", "no"], name="x"),
        np.array(["hi", "lo", "no"]),
        np.array(["hi", "lo", "no"], dtype=object),
        pd.Series(["hi", "lo", "no"]),
        pd.CategoricalDtype(["hi", "lo", "no"], ordered=True),
    ],
    ids=lambda value: type(value).__name__,
)
def test_given_categories_in_every_form(categories):
    codes, category_set = encode(
        [series("lo", None), cat("hi", "lo", categories=["lo", "hi"])], ["ann", "bob"], categories
    )
    assert (category_set.labels.tolist(), category_set.ordered, category_set.declared) == (
        ["hi", "lo", "no"],
        True,
        True,
    )
    assert category_set.labels.name is None
    assert [code.tolist() for code in codes] == [[1, -1], [0, 1]]


def test_an_unordered_dtype_declares_no_order():
    category_set = universe_of(series("b"), categories=pd.CategoricalDtype(["b", "a"]))
    assert (category_set.labels.tolist(), category_set.ordered, category_set.declared) == (["b", "a"], False, True)


@pytest.mark.parametrize("categories", [[3, 1, 2], np.array([3, 1, 2]), [np.int64(3), 1.0, np.float32(2)]])
@pytest.mark.parametrize("dtype", ["int8", "float64", "Int64", "object", "category"])
def test_given_numbers_match_across_types(categories, dtype):
    same_labels(read(series(1, 3, dtype=dtype), categories=categories), ([3, 1, 2], [1, 0]))


def test_given_categories_ignore_unused_categories_of_a_categorical():
    assert read(cat("a", "b", categories=["a", "b", "zzz"]), categories=["b", "a"]) == (["b", "a"], [1, 0])


def test_given_mixed_categories_do_not_warn():
    same_labels(read(series(True, "x"), categories=["x", True, 5]), (["x", 1, 5], [1, 0]))


def test_given_dates():
    days = np.array(["2024-05-02", "2024-05-01"], dtype="datetime64[D]")
    assert read(pd.Series([DAY, pd.NaT]), categories=days) == ([DAY + pd.Timedelta("1D"), DAY], [1, -1])


def test_given_tuples():
    assert read(series(("a", 1), ("b", 2)), categories=[("b", 2), ("a", 1)]) == ([("b", 2), ("a", 1)], [1, 0])


def test_no_given_categories_fit_only_missing_labels():
    assert read(series(None, None), categories=[]) == ([], [-1, -1])


@pytest.mark.parametrize(
    ("categories", "message"),
    [
        (["a", "b", "a"], "categories= holds 'a' twice. List every label once."),
        ([0, 1, True], "categories= holds True twice. List every label once."),
        (np.array([1, 1]), "categories= holds 1 twice. List every label once."),
        (["a", None], "categories= holds None, but missing is not a category. Leave it out."),
        ([1, np.nan], "categories= holds nan, but missing is not a category. Leave it out."),
        (["a", pd.NA], "categories= holds <NA>, but missing is not a category. Leave it out."),
        ("abc", "categories='abc' gives no order. Give a list of all labels, in order, or 'group'."),
        ({"a"}, "categories={'a'} gives no order. Give a list of all labels, in order, or 'group'."),
        (3, "categories=3 gives no order. Give a list of all labels, in order, or 'group'."),
        (pd.CategoricalDtype(), "categories=None gives no order. Give a list of all labels, in order, or 'group'."),
    ],
)
def test_bad_categories(categories, message):
    raises(InputError, message, series("a"), categories=categories)


# ------------------------------------------------------------------------------------------------- numbers as text
@pytest.mark.parametrize(
    "number", [series(1, 2, dtype="int64"), series(1, 2, dtype="Int64"), cat(1, 2), series(1, None)]
)
@pytest.mark.parametrize("text", [series("1", "3"), cat("1", "3"), pd.Series(["1", None], dtype="string")])
@pytest.mark.parametrize("flip", [False, True])
def test_numbers_against_the_same_numbers_as_text(number, text, flip):
    first, second = ("bob", "ann") if flip else ("ann", "bob")
    message = (
        f"Column {first!r} has the label 1 and column {second!r} the text '1', which never agree. Convert one of the "
        f"columns, for example with pd.to_numeric(df[{second!r}])."
    )
    raises(InputError, message, *([text, number] if flip else [number, text]))


def test_numbers_with_text_that_also_holds_numbers_only_warn():
    with pytest.warns(AgreementWarning, match="numbers in 'ann' and 'bob', text in 'bob'"):
        assert read(series(1, 2, dtype="int64"), series(1, "2")) == ([1, 2, "2"], [0, 1], [0, 2])


# ------------------------------------------------------------------------------------------------------- unhashable
@pytest.mark.parametrize(
    ("value", "kind"), [(["a", "b"], "list"), ({"a"}, "set"), ({"a": 1}, "dict"), (("a", []), "tuple")], ids=str
)
def test_cells_that_cannot_be_labels(value, kind):
    raises(
        LabelTypeError,
        f"Column 'bob' has the label {value!r}, and a {kind} cannot be compared as a label. Cells with several labels "
        "must be made hashable, for example df['bob'].map(frozenset, na_action='ignore').",
        series("a", "b", None),
        series("a", None, value),
    )


def test_names_of_numpy_are_shown_as_numbers():
    frame = pd.DataFrame({0: [["a"], ["b"]], 1: ["a", "b"]})
    with pytest.raises(LabelTypeError, match=r"^Column 0 has the label \['a'\], .* for example df\[0\]\.map"):
        frame.agree.kappa(np.int64(0), np.int64(1))


def test_large_numbers_keep_their_order_beside_text():
    with pytest.warns(AgreementWarning, match="different kinds"):
        assert read(series(2**53 + 1, 2**53, "a"), series(10**400, 1, "a"))[0] == [1, 2**53, 2**53 + 1, 10**400, "a"]


@needs_arrow
def test_arrow_lists_cannot_be_labels():
    raises(
        LabelTypeError,
        "Column 'ann' has the label ['a'], and a list cannot be compared as a label. Cells with several labels must be "
        "made hashable, for example df['ann'].map(frozenset, na_action='ignore').",
        arrow([None, ["a"]], pa.list_(pa.string())),
    )


# -------------------------------------------------------------------------------------------------------- CategorySet
NUMBERS = {
    "int": (pd.Index([1, 3]), [1.0, 3.0]),
    "float": (pd.Index([0.5, np.inf]), [0.5, np.inf]),
    "bool": (pd.Index([False, True]), [0.0, 1.0]),
    "objects": (pd.Index([True, 2, 0.5, Decimal("1.5"), Fraction(1, 4)], dtype=object), [1, 2, 0.5, 1.5, 0.25]),
    "seconds": (pd.DatetimeIndex(["1970-01-01", "1970-01-02"]).as_unit("s"), [0.0, 86400.0]),
    "time zone": (pd.DatetimeIndex(["1970-01-01"], tz="UTC").as_unit("s"), [0.0]),
    "durations": (pd.to_timedelta([1, 2], unit="s").as_unit("s"), [1.0, 2.0]),
    "periods": (pd.PeriodIndex(["1970-01", "1970-03"], freq="M"), [0.0, 2.0]),
    "intervals": (pd.IntervalIndex.from_breaks([0, 1, 4]), [0.5, 2.5]),
    "none": (pd.Index([], dtype=object), []),
}


@pytest.mark.parametrize(("index", "numbers"), NUMBERS.values(), ids=NUMBERS)
def test_numbers(index, numbers):
    found = CategorySet(index, False, False).numbers()
    assert found.dtype == np.float64
    assert found.tolist() == numbers


def test_numbers_of_plain_dates_are_evenly_spaced():
    first = datetime.date(2024, 2, 28)
    days = pd.Index([first, first + datetime.timedelta(1), first + datetime.timedelta(3)], dtype=object)
    one, two = np.diff(CategorySet(days, False, False).numbers())
    assert two == 2 * one > 0


@needs_arrow
def test_numbers_of_arrow_categories():
    column = series(2, 1, dtype="int64").astype(pd.ArrowDtype(pa.int64())).astype("category")
    assert universe_of(column).numbers().tolist() == [1.0, 2.0]


@pytest.mark.parametrize("index", [["a", 1], [1, "a"], [("a",)], [1j]])
def test_no_numbers(index):
    assert CategorySet(pd.Index(index, dtype=object, tupleize_cols=False), False, False).numbers() is None


def test_first_text():
    assert CategorySet(pd.Index([1, "b", "a"], dtype=object), False, False).first_text() == "b"
    assert CategorySet(pd.Index([1, 2]), False, False).first_text() is None


# ------------------------------------------------------------------------------------------------------- properties
def as_object(values, missing):
    return pd.Series([None if m else v for v, m in zip(values, missing, strict=True)], dtype=object)


def as_dtype(dtype):
    def build(values, missing):
        return as_object(values, missing).astype(dtype)

    return build


def as_category(values, missing):
    pool = {str: TEXT_POOL, int: INT_POOL, float: FLOAT_POOL}[type(values[0])]
    return pd.Series(pd.Categorical(as_object(values, missing), categories=pool[::-1]))


def as_float(values, missing):
    return pd.Series([np.nan if m else float(v) for v, m in zip(values, missing, strict=True)], dtype="float64")


def as_int(values, missing):
    return pd.Series(values, dtype="int16") if not any(missing) else as_float(values, missing)


TEXT_POOL = ["a", "b", "nan", "", "é", "1"]
INT_POOL = [-3, 0, 1, 2, 70000, 2**40]
FLOAT_POOL = [-0.5, 0.0, 1.0, 2.25, float("inf")]
FAMILIES = [
    (TEXT_POOL, [as_object, as_dtype("string[python]"), as_dtype("string"), as_category]),
    (INT_POOL[:4], [as_object, as_dtype("Int64"), as_float, as_int, as_dtype("Float64"), as_category]),
    (INT_POOL, [as_object, as_dtype("Int64"), as_float, as_category]),
    (FLOAT_POOL, [as_object, as_dtype("Float64"), as_float, as_category]),
]


@st.composite
def tables(draw):
    """Columns of one family of labels in a mixture of dtypes, with what was put in."""
    pool, builders = draw(st.sampled_from(FAMILIES))
    rows = draw(st.integers(1, 12))
    columns = []
    for _ in range(draw(st.integers(1, 4))):
        values = draw(st.lists(st.sampled_from(pool), min_size=rows, max_size=rows))
        missing = draw(st.lists(st.booleans(), min_size=rows, max_size=rows))
        columns.append((draw(st.sampled_from(builders))(values, missing), values, missing))
    return columns


def codes_map_back(table):
    codes, category_set = encode([column for column, _, _ in table], [f"c{i}" for i in range(len(table))])
    found = category_set.labels.tolist()
    for code, (_, values, missing) in zip(codes, table, strict=True):
        back = [None if c < 0 else found[c] for c in code.tolist()]
        assert back == [None if m else v for v, m in zip(values, missing, strict=True)]
    assert len(set(found)) == len(found)
    if not category_set.declared:
        observed = {v for _, values, missing in table for v, m in zip(values, missing, strict=True) if not m}
        assert found == sorted(observed)


ANYTHING = given(table=tables())


@settings(max_examples=50)
@ANYTHING
def test_codes_map_back_to_the_labels(table):
    codes_map_back(table)


@pytest.mark.slow
@settings(max_examples=500, derandomize=False, print_blob=True)
@ANYTHING
def test_codes_of_any_labels_map_back(table):
    codes_map_back(table)


def test_many_rows_cross_block_borders():
    rng = np.random.default_rng(2)
    values = rng.integers(1, 6, next(blocks(10**9)).stop + 100)
    values[-1] = 9  # seen in the last block only
    gaps = np.where(rng.random(len(values)) < 0.1, np.nan, values)
    codes, category_set = encode([pd.Series(values), pd.Series(gaps)], ["ann", "bob"])
    assert category_set.labels.tolist() == [1, 2, 3, 4, 5, 9]
    lookup = category_set.labels.to_numpy()
    assert (lookup[codes[0]] == values).all()
    assert ((codes[1] == -1) == np.isnan(gaps)).all()
    assert (lookup[codes[1]][codes[1] >= 0] == gaps[codes[1] >= 0]).all()


# ----------------------------------------------------------------------------------------------------------- manners


def test_the_index_of_the_columns_does_not_matter():
    ann, bob = series("a", "b", "a"), series("b", "b", "a")
    ann.index, bob.index = [7, 7, 1], [1, 7, 7]
    assert read(ann, bob) == (["a", "b"], [0, 1, 0], [1, 1, 0])


HASHED = """
import pandas as pd
from pandas_agreement.data.labels import encode
sets = [frozenset(s.split()) for s in ("price service", "service", "food price", "food", "")]
words = ["delta", "alpha", "charlie", "bravo"]
columns = words, sets, [*words, *sets, ("b", 1), ("a", 2), 3, 1.5], [tuple(s) for s in map(sorted, sets)]
for column in columns:
    codes, universe = encode([pd.Series(column, dtype=object)], ["ann"])
    print([sorted(x) if isinstance(x, frozenset) else x for x in universe.labels], codes[0].tolist())
"""


def test_nothing_depends_on_hashing():
    outputs = [printed(HASHED, PYTHONHASHSEED=seed) for seed in ("1", "2")]
    assert outputs[0] == outputs[1]
    lines = outputs[0].splitlines()
    assert lines[1] == "[[], ['food'], ['food', 'price'], ['price', 'service'], ['service']] [3, 4, 2, 1, 0]"


HALF = "x\ud800"


@pytest.mark.parametrize(
    ("frame", "problem"),
    [
        ({"ann": [HALF, "y", "y"], "bob": [HALF, "y", "x"]}, "'ann' holds the label 'x\\ud800'"),
        ({"ann": ["y", "y", "x"], "bob": ["y", ("a", HALF), "x"]}, "'bob' holds the label 'x\\ud800'"),
        ({HALF: ["x", "y", "y"], "bob": ["x", "y", "x"]}, "A coder is called 'x\\ud800'"),
    ],
)
def test_half_of_a_character_is_refused_at_the_door(frame: dict[str, list[Any]], problem: str) -> None:
    """Once a dozen methods raised UnicodeEncodeError, others gave numbers."""
    df = pd.DataFrame(dict(enumerate(pd.Series(labels, dtype=object) for labels in frame.values())))
    df.columns = pd.Index(list(frame), dtype=object)
    text = f"{problem}, in which half of a character is missing. Read the file again, in its own encoding."
    for call in (df.agree.kappa, df.agree.by_category, df.agree.by_coder, df.agree.diagnose, df.agree.report):
        with pytest.raises(InputError, match=re.escape(text)):
            call()


def test_half_of_a_character_among_the_declared_categories() -> None:
    df = pd.DataFrame({"ann": list("xyy"), "bob": list("xyx")})
    with pytest.raises(InputError, match=re.escape("categories= holds 'x\\ud800', in which half of a character")):
        df.agree.kappa(categories=["x", "y", HALF])


def test_half_of_a_character_in_the_name_of_a_coder_of_long_data() -> None:
    who = pd.Series(["ann", HALF] * 3, dtype=object)
    df = pd.DataFrame({"item": [1, 1, 2, 2, 3, 3], "who": who, "tag": list("xxyyxy")})
    with pytest.raises(InputError, match=re.escape("A coder is called 'x\\ud800'")):
        df.agree.long(item="item", coder="who", label="tag").alpha()
