"""Where other packages go wrong: what they say in a comment, what is right in the assertion.

The defects (D1 ...) are numbered as in our survey of Python packages. Figures of krippendorff, nltk, scikit-learn and
statsmodels are what they return for the input of the test, unless marked "elsewhere": then, as for all other
packages, they are the survey's. "Rebuilt" is an input for which the wrong rule gives the figure the survey saw; the
package itself was not run on it.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction as F
from typing import Any

import numpy as np
import pandas as pd
import pytest

from pandas_agreement import AgreementWarning, InputError, LabelTypeError, scales
from tests import bruteforce
from tests.data_sets import LONG, rows_of
from tests.helpers import refuses

NAN = float("nan")
UNDEFINED = pytest.approx(NAN, nan_ok=True)

#: Krippendorff (2011) and Gwet (2014): twelve items, four coders, gaps; and its eight complete rows
K12 = pd.DataFrame(
    {
        "A": [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
        "B": [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, NAN],
        "C": [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 3],
        "D": [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
    }
)
FULL = K12.dropna()


def coders(*items: Any, names: str = "ab") -> pd.DataFrame:
    """A frame from one sequence of labels per item."""
    return pd.DataFrame([list(item) for item in items], columns=list(names[: len(items[0])]))


def judgments(*rows: tuple[Any, Any, Any], **given: Any) -> Any:
    """The accessor for judgments (coder, item, label)."""
    frame = pd.DataFrame(list(rows), columns=["who", "doc", "tag"])
    return frame.agree.long(**LONG, **given)


def value(result: pd.DataFrame, column: str = "estimate") -> float:
    return result[column].item()


def about(figure: Any, digits: int = 12) -> Any:
    return pytest.approx(float(figure), abs=0.5 * 10**-digits)


# ------------------------------------------------------------------------------------------------------------- values

ONE_TWO_TEN = coders((1, 1), (1, 1), (1, 2), (2, 2), (2, 2), (2, 10), (10, 1), (10, 10))
TABLE = pd.DataFrame([[1, 0, 0], [0, 1, 1], [1, 0, 0]], index=[1, 2, 3], columns=[1, 2, 4])
FIVE = [1, 2, 3, 4, 5]
SKEWED = coders(*[(1, 1)] * 8, (1, 2), (2, 1), *[(2, 2)] * 4, (2, 3), (3, 2), (3, 3))
MISMATCHED = coders((1, 1), (1, 2), (2, 3), (3, 3), (3, 1), (2, 2))
UNEVEN = pd.DataFrame([[2, 0, 0], [0, 3, 0], [0, 1, 2], [2, 1, 0], [0, 0, 5]], columns=[1, 2, 3]).agree.counts()
UNEVEN_ROWS = [
    [1, 1, None, None, None],
    [2, 2, 2, None, None],
    [2, 3, 3, None, None],
    [1, 1, 2, None, None],
    [3] * 5,
]
ONLY_SOME = coders("yy", ("y", None), "ny", "yn", (None, "n"), "nn", ("y", None), "ny")
REVERSED = coders((1, 5), (2, 4), (3, 3), (4, 2), (5, 1))
TWO_BY_TWO = pd.DataFrame([[4, 0], [1, 1]]).agree.crosstab()
BY_PLACE = coders((1, 1), (2, 10), (2, 10), (10, 10))
STEPS = ["low", "medium", "high"]
TEMPERATURES = coders(
    ("low", "low"),
    ("low", "low"),
    ("low", "medium"),
    ("medium", "low"),
    ("medium", "high"),
    ("high", "medium"),
    ("high", "high"),
)
UNUSED = coders((1, 2), (2, 2), (3, 5), (5, 5), (1, 1), (5, 3), (3, 3))  # 4 is
UNUSED_RIGHT = bruteforce.kappa(rows_of(UNUSED), bruteforce.linear(FIVE))
ITEMS_OF_ONE = coders("xx", "yx", "yx", ("y", None), ("y", None), ("y", None))
FAR = coders((1, 1), (1, 2), (10, 1), (10, 10))
PLACES = scales.positions("linear")


def gap_is_none(method: str, **options: Any) -> pd.DataFrame:
    return getattr(K12.agree, method)(missing="all", detail=True, **options)


#: defect: a call, and what is right of its columns
VALUES: dict[str, tuple[Callable[[], pd.DataFrame], dict[str, Any]]] = {
    # irrCAC on pandas 3: a gap becomes a sixth category; 0.78553, 0.78182 and nan
    "D1 ac1": (lambda: gap_is_none("ac1"), {"estimate": about(0.775444, 6), "n_categories": 5}),
    "D1 s": (lambda: gap_is_none("s"), {"estimate": about(0.772727, 6), "n_categories": 5}),
    "D1 ac2": (lambda: gap_is_none("ac2", weights="quadratic"), {"estimate": about(0.914001, 6), "n_categories": 5}),
    "D1 pi": (lambda: gap_is_none("pi"), {"estimate": about(0.761169, 6), "n_categories": 5}),
    "D1 kappa": (lambda: gap_is_none("kappa"), {"estimate": about(0.762817, 6), "n_categories": 5}),
    # irrCAC: weights on the sorted list, counts on the given one; elsewhere .94231 against .76923
    **{
        f"D2 {categories}": (
            lambda categories=categories: FULL.agree.ac2(weights="quadratic", categories=categories),
            {"estimate": about(bruteforce.ac2(rows_of(FULL), bruteforce.quadratic(FIVE), categories=FIVE))},
        )
        for categories in (FIVE, [3, 1, 5, 2, 4])
    },
    # irrCAC (rebuilt): .35135 for a list of int, .40741 (positions) for the same list of np.int64
    **{
        f"D3 {type(categories).__name__} of {type(categories[0]).__name__}, {weights}": (
            lambda categories=categories, weights=weights: ONE_TWO_TEN.agree.pi(weights=weights, categories=categories),
            {"estimate": about(right)},
        )
        for categories in ([1, 2, 10], list(np.array([1, 2, 10])), np.array([1, 2, 10]))
        for weights, right in (("linear", F(13, 37)), (PLACES, F(11, 27)))
    },
    # irrCAC (rebuilt): .27273, takes the third row and the third column for the same category
    "D4": (lambda: TABLE.agree.crosstab().kappa(detail=True), {"estimate": about(F(1, 3)), "n_categories": 4}),
    # pyirr -1.1, 1.0, IndexError, 0.645191
    "D5 perfect": (lambda: coders((1, 1), (2, 2), (3, 3), (1, 1)).agree.alpha(), {"estimate": about(1)}),
    "D5 never": (lambda: coders((1, 2), (2, 1), (1, 2), (2, 1)).agree.alpha(), {"estimate": about(F(-3, 4))}),
    "D5 six": (lambda: coders((1, 1), (2, 2), (3, 3), (4, 4), (5, 6)).agree.alpha(), {"estimate": about(F(32, 41))}),
    "D5 complete": (lambda: FULL.agree.alpha(), {"estimate": about(F(233, 357))}),
    # iaa-kit: ac2() is weighted kappa, "ordinal" is interval alpha
    "D6 kappa": (lambda: SKEWED.agree.kappa(weights="linear"), {"estimate": about(F(2, 3))}),
    "D6 ac2": (lambda: SKEWED.agree.ac2(weights="linear"), {"estimate": about(F(115, 149))}),
    "D6 ordinal": (lambda: SKEWED.agree.alpha(level="ordinal"), {"estimate": about(F(63, 80))}),
    "D6 interval": (lambda: SKEWED.agree.alpha(level="interval"), {"estimate": about(F(35, 46))}),
    # iaa-kit orders labels by repr: 10, 11, 12, 8, 9, and gives .545 (rebuilt)
    "D6 eight to twelve": (
        lambda: coders((8, 9), (9, 9), (10, 11), (11, 11), (12, 10)).agree.kappa(weights="linear"),
        {"estimate": about(F(7, 17))},
    ),
    # nltk: weighted observed, unweighted expected agreement: 0.0 for kappa, pi and S
    "D8 kappa": (lambda: MISMATCHED.agree.kappa(weights="linear"), {"estimate": about(F(1, 4))}),
    "D8 pi": (lambda: MISMATCHED.agree.pi(weights="linear"), {"estimate": about(F(1, 4))}),
    "D8 s": (lambda: MISMATCHED.agree.s(weights="linear"), {"estimate": about(F(1, 4))}),
    # torchmetrics, 1e-5 in the denominator: elsewhere .99998, and .990 with a rare category
    "D9 perfect": (
        lambda: pd.DataFrame([[3, 0]] * 999 + [[0, 3]], columns=["no", "yes"]).agree.counts().pi(),
        {"estimate": 1.0},
    ),
    # torchmetrics divides by the largest row: elsewhere -.127 for .601; statsmodels: AssertionError
    "D9 pi": (lambda: UNEVEN.pi(), {"estimate": about(bruteforce.pi(UNEVEN_ROWS))}),
    "D9 alpha": (lambda: UNEVEN.alpha(), {"estimate": about(bruteforce.alpha(UNEVEN_ROWS))}),
    # disagree divides by all rows
    "D10 gaps": (
        lambda: ONLY_SOME.agree.kappa(),
        {"estimate": about(F(-2, 13)), "observed": about(F(2, 5)), "n_items": 5},
    ),
    # disagree: correlation returns abs(r), +1 for a reversed scale
    "D10 alpha": (lambda: REVERSED.agree.alpha(level="interval"), {"estimate": about(F(-4, 5))}),
    "D10 kappa": (lambda: REVERSED.agree.kappa(weights="quadratic"), {"estimate": about(-1)}),
    # statsmodels aggregate_raters makes NaN a fourth category: .265
    "D11 gaps": (
        lambda: coders((1, 1, None), (2, 2, 2), (3, 3, 2), (1, 2, 1), names="abc").agree.pi(),
        {"estimate": about(F(7, 15))},
    ),
    # statsmodels: (-.121, 1.264)
    "D11 the interval": (lambda: TWO_BY_TWO.kappa(method="analytic"), {"estimate": about(F(4, 7)), "ci_high": 1.0}),
    # quica: Fleiss' kappa is not Davies & Fleiss' kappa; pyirr counts full agreement alone: .625
    "D14 pi": (lambda: FULL.agree.pi(), {"estimate": about(F(229, 357))}),
    "D14 kappa": (lambda: FULL.agree.kappa(), {"estimate": about(F(175, 271))}),
    "D14 light_kappa": (
        lambda: FULL.agree.light_kappa(),
        {"estimate": about(bruteforce.light_kappa(rows_of(FULL)))},
    ),
    "D14 observed": (lambda: FULL.agree.observed(), {"estimate": about(F(3, 4))}),
    # pycm uses sqrt(po (1 - po) / (n (1 - pe)^2)), here .10885
    "D15": (
        lambda: pd.DataFrame([[60, 5, 2], [6, 8, 1], [1, 2, 3]]).agree.crosstab().kappa(),
        {"se": about(0.09883589, 8)},
    ),
    # rater-agreement (rebuilt): .682, as if 1, 2, 10 were 1, 2, 3
    "D16 values": (lambda: BY_PLACE.agree.alpha(level="interval"), {"estimate": about(F(67, 291))}),
    "D16 places": (lambda: BY_PLACE.agree.alpha(level=scales.positions("interval")), {"estimate": about(F(15, 22))}),
    # scikit-learn sorts the words even of an ordered Categorical: -.05
    "3b ordered": (
        lambda: TEMPERATURES.astype(pd.CategoricalDtype(STEPS, ordered=True)).agree.kappa(weights="linear"),
        {"estimate": about(F(4, 11))},
    ),
    "3b order given": (
        lambda: TEMPERATURES.agree.kappa(weights="linear", categories=STEPS),
        {"estimate": about(F(4, 11))},
    ),
    # scikit-learn: weights on the labels seen, 5 next to 3: .656 for .568
    "3b unused": (lambda: UNUSED.agree.kappa(weights="linear"), {"estimate": about(UNUSED_RIGHT)}),
    "3b unused, ordered": (
        lambda: UNUSED.astype(pd.CategoricalDtype(FIVE, ordered=True)).agree.kappa(weights="linear"),
        {"estimate": about(UNUSED_RIGHT)},
    ),
    "3b unused, by place": (
        lambda: UNUSED.agree.kappa(weights=PLACES),
        {"estimate": about(bruteforce.kappa(rows_of(UNUSED), bruteforce.by_position(bruteforce.linear, [1, 2, 3, 5])))},
    ),
    # scikit-learn .25
    "3b by value": (
        lambda: FAR.agree.kappa(weights="linear", detail=True),
        {"estimate": about(F(4, 9)), "weights": "linear"},
    ),
    "3b by place": (
        lambda: FAR.agree.kappa(weights=PLACES, detail=True),
        {"estimate": about(F(1, 4)), "weights": 'positions("linear")'},
    ),
    # statsmodels: se 0.0 (elsewhere 8e-9); irrCAC: 0, so that z is infinite
    "3c one constant coder": (
        lambda: coders("xx", "xy", "xy", "xx").agree.kappa(detail=True),
        {"estimate": 0, "se": UNDEFINED, "note": "constant"},
    ),
    # with margins from all items of a coder, observed and expected agreement of a constant coder differ
    "3c a constant coder among items of one": (
        lambda: ITEMS_OF_ONE.agree.kappa(missing="all"),
        {"observed": about(F(1, 3)), "expected": about(F(1, 6)), "estimate": about(F(1, 5))},
    ),
    "3c a constant coder": (lambda: ITEMS_OF_ONE.agree.kappa(), {"estimate": 0}),
    # irrCAC: ZeroDivisionError
    **{
        f"3c one item, {name}": (
            lambda name=name: getattr(coders("xy").agree, name)(),
            {"estimate": right, "se": UNDEFINED},
        )
        for name, right in {"observed": 0, "kappa": 0, "pi": -1, "alpha": 0, "ac1": -1, "s": -1}.items()
    },
    **{
        f"3c two who never agree, {name} {given}": (
            lambda name=name, given=given: getattr(coders(*["xy"] * 4).agree, name)(**given),
            {"estimate": about(right)},
        )
        for given, values in (
            ({}, {"kappa": 0, "pi": -1, "alpha": F(-3, 4), "ac1": -1, "s": -1}),
            ({"categories": list("xyz")}, {"kappa": 0, "pi": -1, "alpha": F(-3, 4), "ac1": F(-1, 3), "s": F(-1, 2)}),
        )
        for name, right in values.items()
    },
}


@pytest.mark.parametrize("name", VALUES)
def test_where_others_are_wrong(name: str) -> None:
    call, expected = VALUES[name]
    result = call()
    assert {column: value(result, column) for column in expected} == expected


# ------------------------------------------------------------------------------------- gaps, types, sets, refusals


@pytest.mark.parametrize("longest", [2, 3, 10])
def test_d8_the_unit_of_a_distance_does_not_matter(longest: int) -> None:
    # nltk weighted_kappa(max_distance=1, 2, 3): .25, -.5, -1.25
    labels = np.array([1, 2, 3])
    weights = 1 - np.abs(labels[:, None] - labels) / longest
    assert value(MISMATCHED.agree.kappa(weights=weights)) == about(F(1, 4))
    assert value(MISMATCHED.agree.alpha(level=longest * (1 - weights))) == about(F(5, 16))


@pytest.mark.parametrize("gap", [None, NAN, pd.NA, np.nan, pd.NaT])
def test_d8_d18_a_missing_label_is_no_label(gap: Any) -> None:
    # nltk .103, crowd-kit -.08 on other data: NaN is a category of its own
    rows = [
        ("a", 1, "x"),
        ("b", 1, "x"),
        ("a", 2, "y"),
        ("b", 2, "x"),
        ("a", 3, "y"),
        ("b", 3, "y"),
        ("a", 4, "x"),
    ]
    assert value(judgments(*rows, ("b", 4, gap)).alpha()) == about(F(4, 9))
    assert value(coders("xx", "yx", "yy", ("x", gap)).agree.alpha()) == about(F(4, 9))


SETS = [("", ""), ("p", "p"), ("pq", "p"), ("q", "pr"), ("pqr", "qr"), ("", "r")]


FROZEN = [[frozenset(a), frozenset(b)] for a, b in SETS]


@pytest.mark.parametrize("level", ["jaccard", "masi"])
@pytest.mark.parametrize("kind", [frozenset, tuple, set, list, "|".join])
def test_d8_sets_may_be_empty(level: str, kind: Any) -> None:
    # nltk: two empty frozensets raise ZeroDivisionError
    frame = coders(*[(kind(a), kind(b)) for a, b in SETS])
    distance = getattr(bruteforce, f"{level}_distance")
    right = bruteforce.alpha(FROZEN, distance)
    assert value(frame.agree.alpha(level=level, sep="|")) == about(right)


@pytest.mark.parametrize("level", ["ordinal", "interval", "ratio", "circular", "bipolar"])
def test_d10_words_have_no_order_of_their_own(level: str) -> None:
    # disagree: interval alpha of words depends on PYTHONHASHSEED
    message = (
        f"level={level!r} needs labels that are numbers or have an order, and 'high' is text. Give the 3 "
        "labels in their order with categories=[lowest, ..., highest], or use an ordered Categorical."
    )
    with refuses(LabelTypeError, message):
        coders(("low", "high"), ("high", "high"), ("low", "medium")).agree.alpha(level=level)


def test_d17_a_ratio_scale_has_no_negative_numbers() -> None:
    # krippendorff: -1 against 1 is agreement, alpha 1.0
    message = (
        "Ratio needs labels that are not negative, and -1 is negative: with a zero in the middle of the scale -1 and 1 "
        "would "
        "count as agreement. Use 'quadratic' or 'interval' instead."
    )
    with refuses(InputError, message):
        coders((-1, 1), (1, -1), (2, 2)).agree.alpha(level="ratio")


@pytest.mark.parametrize("word", ["skill", "task", "label", "doc", "who", "tag", "coefficient", "estimate", "note"])
def test_d18_a_label_may_be_called_anything(word: str) -> None:
    # crowd-kit: elsewhere uncertainty 0.0 for .462, or KeyError
    rows = [("a", 1, word), ("b", 1, word), ("a", 2, "y"), ("b", 2, word), ("a", 3, "y"), ("b", 3, "y")]
    assert value(judgments(*rows).alpha()) == about(F(4, 9))
    by_category = judgments(*rows).by_category().reset_index()
    assert set(by_category["category"]) == {word, "y"}


NUMBERS = [(1, 1), (2, 2), (1, 2), (1, None)]


@pytest.mark.parametrize("dtype", ["float64", "Int64", "Float64", "category", "object", "string", "boolean"])
def test_3b_any_type_of_column_will_do(dtype: str) -> None:
    # krippendorff refuses object, str, Int64, category and bool; scikit-learn None, pd.NA and floats
    frame = coders(*NUMBERS)
    if dtype == "boolean":
        frame = frame.map(lambda x: pd.NA if pd.isna(x) else x == 1)
    if dtype == "string":
        frame = frame.map(lambda x: pd.NA if pd.isna(x) else f"{x:.0f}")
    assert value(frame.astype(dtype).agree.alpha()) == about(F(4, 9))
    assert value(frame.astype(dtype).agree.kappa()) == about(F(2, 5))


SAME = coders("xx", "xx", "xx")


@pytest.mark.parametrize("method", ["ac1", "s"])
def test_3c_one_category_of_one(method: str) -> None:
    # irrCAC: 1, z = 1e15
    with pytest.warns(AgreementWarning) as caught:
        result = getattr(SAME.agree, method)()
    assert len(caught) == 1
    assert np.isnan(value(result))


def test_3c_one_item_of_agreement() -> None:
    with pytest.warns(AgreementWarning):
        assert np.isnan(value(coders("xx").agree.kappa()))


@pytest.mark.parametrize("method", ["observed", "kappa", "pi", "alpha", "ac1", "s", "light_kappa"])
def test_3c_a_coder_without_labels_does_not_matter(method: str) -> None:
    # elsewhere: irrCAC Conger NaN; statsmodels -.149; disagree TypeError
    frame = coders("xx", "xy", "yy", "xx", "yx")
    idle = frame.assign(c=None)
    assert value(getattr(idle.agree, method)()) == about(value(getattr(frame.agree, method)()))
    assert value(getattr(idle.agree, method)(detail=True), "n_coders") == 2
