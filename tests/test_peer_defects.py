"""Where other packages go wrong: what they say in a comment, what is right in the assertion.

The defects (D1 ...) are numbered as in our survey of Python packages. Figures of krippendorff, nltk, scikit-learn and
statsmodels are what they return for the input of the test, unless marked "elsewhere": then, as for all other
packages, they are the survey's. "Rebuilt" is an input for which the wrong rule gives the figure the survey saw; the
package itself was not run on it.
"""

from __future__ import annotations

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


# --- D1 irrCAC on pandas 3: a gap becomes a sixth category


@pytest.mark.parametrize(
    ("method", "options", "right"),
    [
        ("ac1", {}, 0.775444),  # irrCAC 0.78553
        ("s", {}, 0.772727),  # irrCAC 0.78182
        ("ac2", {"weights": "quadratic"}, 0.914001),  # irrCAC nan
        ("pi", {}, 0.761169),
        ("kappa", {}, 0.762817),
    ],
)
def test_d1_a_gap_is_not_a_category(method: str, options: dict[str, Any], right: float) -> None:
    result = getattr(K12.agree, method)(missing="all", detail=True, **options)
    assert value(result) == about(right, 6)
    assert value(result, "n_categories") == 5


# --- D2, D3 irrCAC: declared categories and their weights fall out of step


def test_d2_the_order_of_declared_numbers_does_not_move_weights_by_value() -> None:
    # irrCAC: weights on the sorted list, counts on the given one; elsewhere .94231 against .76923
    sorted_categories = FULL.agree.ac2(weights="quadratic", categories=[1, 2, 3, 4, 5])
    shuffled = FULL.agree.ac2(weights="quadratic", categories=[3, 1, 5, 2, 4])
    weight = bruteforce.quadratic([1, 2, 3, 4, 5])
    assert value(shuffled) == value(sorted_categories)
    assert value(shuffled) == about(bruteforce.ac2(rows_of(FULL), weight, categories=[1, 2, 3, 4, 5]))


ONE_TWO_TEN = coders((1, 1), (1, 1), (1, 2), (2, 2), (2, 2), (2, 10), (10, 1), (10, 10))


@pytest.mark.parametrize("categories", [None, [1, 2, 10], list(np.array([1, 2, 10])), np.array([1, 2, 10])])
def test_d3_numpy_integers_are_numbers(categories: Any) -> None:
    # irrCAC (rebuilt): .35135 for a list of int, .40741 (positions) for the same list of np.int64
    options = {} if categories is None else {"categories": categories}
    assert value(ONE_TWO_TEN.agree.pi(weights="linear", **options)) == about(F(13, 37))
    assert value(ONE_TWO_TEN.agree.pi(weights=scales.positions("linear"), **options)) == about(F(11, 27))


# --- D4 irrCAC: tables by position, intervals past the end of the scale, few confidence levels


def test_d4_a_table_is_matched_by_label() -> None:
    # irrCAC (rebuilt): .27273, takes the third row and the third column for the same category
    table = pd.DataFrame([[1, 0, 0], [0, 1, 1], [1, 0, 0]], index=[1, 2, 3], columns=[1, 2, 4])
    result = table.agree.crosstab().kappa(detail=True)
    assert value(result) == about(F(1, 3))
    assert value(result, "n_categories") == 4


# --- D5 pyirr: alpha


@pytest.mark.parametrize(
    ("frame", "right"),
    [
        pytest.param(coders((1, 1), (2, 2), (3, 3), (1, 1)), 1, id="perfect"),  # pyirr -1.1
        pytest.param(coders((1, 2), (2, 1), (1, 2), (2, 1)), F(-3, 4), id="never"),  # pyirr 1.0
        pytest.param(coders((1, 1), (2, 2), (3, 3), (4, 4), (5, 6)), F(32, 41), id="six"),  # pyirr IndexError
        pytest.param(FULL, F(233, 357), id="complete"),  # pyirr 0.645191
    ],
)
def test_d5_alpha_for_any_number_of_categories(frame: pd.DataFrame, right: Any) -> None:
    assert value(frame.agree.alpha()) == about(right)


# --- D6 iaa-kit


SKEWED = coders(*[(1, 1)] * 8, (1, 2), (2, 1), *[(2, 2)] * 4, (2, 3), (3, 2), (3, 3))


def test_d6_ac2_is_not_weighted_kappa_and_ordinal_is_not_interval() -> None:
    # iaa-kit: ac2() is weighted kappa, "ordinal" is interval alpha
    assert value(SKEWED.agree.kappa(weights="linear")) == about(F(2, 3))
    assert value(SKEWED.agree.ac2(weights="linear")) == about(F(115, 149))
    assert value(SKEWED.agree.alpha(level="ordinal")) == about(F(63, 80))
    assert value(SKEWED.agree.alpha(level="interval")) == about(F(35, 46))


def test_d6_labels_from_eight_to_twelve_are_numbers() -> None:
    # iaa-kit orders labels by repr: 10, 11, 12, 8, 9, and gives .545 (rebuilt)
    frame = coders((8, 9), (9, 9), (10, 11), (11, 11), (12, 10))
    assert value(frame.agree.kappa(weights="linear")) == about(F(7, 17))


# --- D7 prodigy-iaa: any weights but the identity


# --- D8 nltk


MISMATCHED = coders((1, 1), (1, 2), (2, 3), (3, 3), (3, 1), (2, 2))


@pytest.mark.parametrize("method", ["kappa", "pi", "s"])
def test_d8_observed_and_expected_use_the_same_weights(method: str) -> None:
    # nltk: weighted observed, unweighted expected agreement: 0.0 for kappa, pi and S
    assert value(getattr(MISMATCHED.agree, method)(weights="linear")) == about(F(1, 4))


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


# --- D9 torchmetrics: Fleiss' kappa with 1e-5 in the denominator


def test_d9_perfect_agreement_is_one_however_rare_a_category() -> None:
    # torchmetrics: elsewhere .99998, and .990 with a rare category
    counts = pd.DataFrame([[3, 0]] * 999 + [[0, 3]], columns=["no", "yes"])
    assert value(counts.agree.counts().pi()) == 1.0


def test_d9_items_may_have_different_numbers_of_coders() -> None:
    # torchmetrics divides by the largest row: elsewhere -.127 for .601; statsmodels: AssertionError
    counts = pd.DataFrame([[2, 0, 0], [0, 3, 0], [0, 1, 2], [2, 1, 0], [0, 0, 5]], columns=[1, 2, 3])
    rows = [
        [1, 1, None, None, None],
        [2, 2, 2, None, None],
        [2, 3, 3, None, None],
        [1, 1, 2, None, None],
        [3] * 5,
    ]
    assert value(counts.agree.counts().pi()) == about(bruteforce.pi(rows))
    assert value(counts.agree.counts().alpha()) == about(bruteforce.alpha(rows))


# --- D10 disagree


def test_d10_kappa_with_gaps_uses_the_items_both_coded() -> None:
    # disagree divides by all rows
    frame = coders("yy", ("y", None), "ny", "yn", (None, "n"), "nn", ("y", None), "ny")
    result = frame.agree.kappa()
    assert value(result) == about(F(-2, 13))
    assert value(result, "observed") == about(F(2, 5))
    assert value(result, "n_items") == 5


def test_d10_reversed_coders_disagree() -> None:
    # disagree: correlation returns abs(r), +1 for a reversed scale
    frame = coders((1, 5), (2, 4), (3, 3), (4, 2), (5, 1))
    assert value(frame.agree.alpha(level="interval")) == about(F(-4, 5))
    assert value(frame.agree.kappa(weights="quadratic")) == about(-1)


@pytest.mark.parametrize("level", ["ordinal", "interval", "ratio", "circular", "bipolar"])
def test_d10_words_have_no_order_of_their_own(level: str) -> None:
    # disagree: interval alpha of words depends on PYTHONHASHSEED
    message = (
        f"level={level!r} needs labels that are numbers or have an order, and 'high' is text; give the 3 "
        "labels in their order with categories=[lowest, ..., highest], or use an ordered Categorical"
    )
    with refuses(LabelTypeError, message):
        coders(("low", "high"), ("high", "high"), ("low", "medium")).agree.alpha(level=level)


# --- D11 statsmodels


def test_d11_fleiss_with_gaps() -> None:
    # statsmodels aggregate_raters makes NaN a fourth category: .265
    frame = coders((1, 1, None), (2, 2, 2), (3, 3, 2), (1, 2, 1), names="abc")
    assert value(frame.agree.pi()) == about(F(7, 15))


def test_d11_the_interval_is_clipped() -> None:
    # statsmodels: (-.121, 1.264)
    table = pd.DataFrame([[4, 0], [1, 1]])
    result = table.agree.crosstab().kappa(method="analytic")
    assert value(result) == about(F(4, 7))
    assert value(result, "ci_high") == 1.0
    assert value(table.agree.crosstab().kappa(), "ci_high") < 1.0


# --- D14 quica: Fleiss' kappa is not Davies & Fleiss' kappa


def test_d14_many_coders_have_several_kappas() -> None:
    assert value(FULL.agree.pi()) == about(F(229, 357))  # Fleiss; .641457
    assert value(FULL.agree.kappa()) == about(F(175, 271))  # Conger, Davies & Fleiss; .645756
    assert value(FULL.agree.light_kappa()) == about(bruteforce.light_kappa(rows_of(FULL)))  # .643503
    assert value(FULL.agree.observed()) == about(F(3, 4))  # pyirr counts full agreement alone: .625


# --- D15 pycm: a crude standard error, gaps as a class, undefined as the word 'None'


def test_d15_the_standard_error_knows_that_chance_is_estimated() -> None:
    # pycm uses sqrt(po (1 - po) / (n (1 - pe)^2)), here .10885
    table = pd.DataFrame([[60, 5, 2], [6, 8, 1], [1, 2, 3]])
    assert value(table.agree.crosstab().kappa(), "se") == about(0.09883589, 8)


# --- D16 rater-agreement: interval alpha on positions


def test_d16_interval_alpha_uses_the_numbers() -> None:
    # rater-agreement (rebuilt): .682, as if 1, 2, 10 were 1, 2, 3
    frame = coders((1, 1), (2, 10), (2, 10), (10, 10))
    assert value(frame.agree.alpha(level="interval")) == about(F(67, 291))
    assert value(frame.agree.alpha(level=scales.positions("interval"))) == about(F(15, 22))


# --- D17 krippendorff


def test_d17_a_ratio_scale_has_no_negative_numbers() -> None:
    # krippendorff: -1 against 1 is agreement, alpha 1.0
    message = (
        "ratio needs labels that are not negative, and -1 is: with a zero in the middle of the scale -1 and 1 would "
        "count as agreement; use 'quadratic' or 'interval' instead"
    )
    with refuses(InputError, message):
        coders((-1, 1), (1, -1), (2, 2)).agree.alpha(level="ratio")


# --- D18 crowd-kit: labels named like columns


@pytest.mark.parametrize("word", ["skill", "task", "label", "doc", "who", "tag", "coefficient", "estimate", "note"])
def test_d18_a_label_may_be_called_anything(word: str) -> None:
    # crowd-kit: elsewhere uncertainty 0.0 for .462, or KeyError
    rows = [("a", 1, word), ("b", 1, word), ("a", 2, "y"), ("b", 2, word), ("a", 3, "y"), ("b", 3, "y")]
    assert value(judgments(*rows).alpha()) == about(F(4, 9))
    by_category = judgments(*rows).by_category().reset_index()
    assert set(by_category["category"]) == {word, "y"}


# --- D21 agreement: a label outside the declared ones is filed under its neighbour


# --- order and type of labels

STEPS = ["low", "medium", "high"]
TEMPERATURES = [
    ("low", "low"),
    ("low", "low"),
    ("low", "medium"),
    ("medium", "low"),
    ("medium", "high"),
    ("high", "medium"),
    ("high", "high"),
]


def test_3b_an_ordered_categorical_keeps_its_order() -> None:
    # scikit-learn sorts the words even of an ordered Categorical: -.05
    frame = coders(*TEMPERATURES).astype(pd.CategoricalDtype(STEPS, ordered=True))
    assert value(frame.agree.kappa(weights="linear")) == about(F(4, 11))
    assert value(coders(*TEMPERATURES).agree.kappa(weights="linear", categories=STEPS)) == about(F(4, 11))


def test_3b_an_unused_score_keeps_its_place() -> None:
    # scikit-learn: weights on the labels seen, 5 next to 3: .656 for .568
    frame = coders((1, 2), (2, 2), (3, 5), (5, 5), (1, 1), (5, 3), (3, 3))
    right = bruteforce.kappa(rows_of(frame), bruteforce.linear([1, 2, 3, 4, 5]))
    assert value(frame.agree.kappa(weights="linear")) == about(right)
    ordered = frame.astype(pd.CategoricalDtype([1, 2, 3, 4, 5], ordered=True))
    assert value(ordered.agree.kappa(weights="linear")) == about(right)
    seen = bruteforce.by_position(bruteforce.linear, [1, 2, 3, 5])
    by_place = frame.agree.kappa(weights=scales.positions("linear"))
    assert value(by_place) == about(bruteforce.kappa(rows_of(frame), seen))


def test_3b_value_and_position_are_both_there_and_named() -> None:
    frame = coders((1, 1), (1, 2), (10, 1), (10, 10))
    by_value = frame.agree.kappa(weights="linear", detail=True)
    by_place = frame.agree.kappa(weights=scales.positions("linear"), detail=True)
    assert (value(by_value), value(by_place)) == (about(F(4, 9)), about(F(1, 4)))  # scikit-learn .25
    assert (value(by_value, "weights"), value(by_place, "weights")) == ("linear", 'positions("linear")')


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


# --- degenerate input: NaN with a reason, one warning, never an exception

SAME = coders("xx", "xx", "xx")


@pytest.mark.parametrize("method", ["ac1", "s"])
def test_3c_one_category_of_one(method: str) -> None:
    # irrCAC: 1, z = 1e15
    with pytest.warns(AgreementWarning) as caught:
        result = getattr(SAME.agree, method)()
    assert len(caught) == 1
    assert np.isnan(value(result))


@pytest.mark.parametrize(
    ("method", "right"), [("observed", 0), ("kappa", 0), ("pi", -1), ("alpha", 0), ("ac1", -1), ("s", -1)]
)
def test_3c_one_item_of_disagreement(method: str, right: float) -> None:
    # irrCAC: ZeroDivisionError
    result = getattr(coders("xy").agree, method)()
    assert value(result) == right
    assert np.isnan(value(result, "se"))


def test_3c_one_item_of_agreement() -> None:
    with pytest.warns(AgreementWarning):
        assert np.isnan(value(coders("xx").agree.kappa()))


@pytest.mark.parametrize(
    ("method", "two", "three"),
    [
        ("kappa", 0, 0),
        ("pi", -1, -1),
        ("alpha", F(-3, 4), F(-3, 4)),
        ("ac1", -1, F(-1, 3)),
        ("s", -1, F(-1, 2)),
    ],
)
def test_3c_constant_coders_who_never_agree(method: str, two: Any, three: Any) -> None:
    frame = coders("xy", "xy", "xy", "xy")
    assert value(getattr(frame.agree, method)()) == about(two)
    assert value(getattr(frame.agree, method)(categories=list("xyz"))) == about(three)


def test_3c_one_constant_coder() -> None:
    # statsmodels: se 0.0 (elsewhere 8e-9); irrCAC: 0, so that z is infinite
    result = coders("xx", "xy", "xy", "xx").agree.kappa(detail=True)
    assert value(result) == 0
    assert np.isnan(value(result, "se"))
    assert value(result, "note") == "constant"
    assert value(result, "remarks").startswith("constant coder: no se")


def test_3c_a_constant_coder_among_items_of_one() -> None:
    # with margins from all items of a coder, observed and expected agreement of a constant coder differ
    frame = coders("xx", "yx", "yx", ("y", None), ("y", None), ("y", None))
    result = frame.agree.kappa(missing="all")
    assert (value(result, "observed"), value(result, "expected")) == (about(F(1, 3)), about(F(1, 6)))
    assert value(result) == about(F(1, 5))
    assert value(frame.agree.kappa()) == 0


@pytest.mark.parametrize("method", ["observed", "kappa", "pi", "alpha", "ac1", "s", "light_kappa"])
def test_3c_a_coder_without_labels_does_not_matter(method: str) -> None:
    # elsewhere: irrCAC Conger NaN; statsmodels -.149; disagree TypeError
    frame = coders("xx", "xy", "yy", "xx", "yx")
    idle = frame.assign(c=None)
    assert value(getattr(idle.agree, method)()) == about(value(getattr(frame.agree, method)()))
    assert value(getattr(idle.agree, method)(detail=True), "n_coders") == 2
