"""Weights and levels: names, matrices, functions, ends, a tolerance, and labels that do not fit them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from pandas_agreement import (
    InputError,
    LabelTypeError,
    scales,
)
from pandas_agreement.core.weights import CategoryValues, make_level, make_weights
from tests import bruteforce
from tests.contract import VALUES
from tests.data_sets import rows_of, scores
from tests.helpers import refuses, same


def scale_of(*values: float) -> CategoryValues:
    return CategoryValues(list(values), np.array(values, float), ordered=True)


#: distances of the values 1, 2 and 5: of 1 and 2, of 1 and 5, of 2 and 5
WEIGHTS = {
    "nominal": (1, 1, 1),
    "linear": (1 / 4, 1, 3 / 4),
    "quadratic": (1 / 16, 1, 9 / 16),
    "ordinal": (1 / 3, 1, 1 / 3),  # ranks one step apart: 1 of 3 pairs; two steps: 3 of 3
    "radical": (1 / 2, 1, np.sqrt(3) / 2),
    "ratio": ((1 / 3) ** 2 / (2 / 3) ** 2, 1, (3 / 7) ** 2 / (2 / 3) ** 2),
    "bipolar": (1 / (1 * 7), 1, 9 / (5 * 3)),
}
LEVELS = {
    "nominal": (1, 1, 1),
    "interval": (1, 16, 9),
    "linear": (1, 4, 3),
    "radical": (1, 2, np.sqrt(3)),
    "ratio": ((1 / 3) ** 2, (2 / 3) ** 2, (3 / 7) ** 2),
    "bipolar": WEIGHTS["bipolar"],
}


@pytest.mark.parametrize("dense", [True, False])
@pytest.mark.parametrize(
    ("make", "name", "distances"),
    [
        (make, name, row)
        for make, table in ((make_weights, WEIGHTS), (make_level, LEVELS))
        for name, row in table.items()
    ],
)
def test_distances_by_name(
    monkeypatch: pytest.MonkeyPatch, make: Callable[..., object], name: str, distances: tuple[float, ...], dense: bool
) -> None:
    if not dense:
        monkeypatch.setattr("pandas_agreement.core.weights.MAX_DENSE_CATEGORIES", 2)
    found = np.asarray(make(name, scale_of(1, 2, 5)).as_matrix())  # type: ignore[attr-defined]
    np.testing.assert_allclose(found[np.triu_indices(3, 1)], distances, atol=1e-12)
    np.testing.assert_allclose(found, found.T, atol=1e-12)
    np.testing.assert_allclose(np.diag(found), 0, atol=1e-12)


@pytest.mark.parametrize(
    ("values", "period", "steps"),
    [((1, 2, 3, 4), None, 4), ((10, 20, 30), 120, 12), ((0.1, 0.2, 0.3), 0.5, 5), ((7,), None, 1), ((-3, 5), None, 2)],
)
def test_distances_on_a_circle(values: tuple[float, ...], period: float | None, steps: int) -> None:
    """The squared chord of a circle of diameter 1, for weights as a share of the largest."""
    place = np.arange(len(values))
    chord = np.sin(np.pi * (place[:, None] - place) / steps) ** 2
    for make, unit in ((make_level, 1.0), (make_weights, chord.max() or 1.0)):
        found = make(scales.circular(period), scale_of(*values))
        np.testing.assert_allclose(found.as_matrix(), chord / unit, atol=1e-12)
        assert found.name == ("circular()" if period is None else f"circular(period={period})")


def test_values_far_apart_on_both_sides_of_0() -> None:
    found = make_weights("quadratic", scale_of(-1e200, 0, 1e200)).as_matrix()
    np.testing.assert_allclose(found, [[0, 0.25, 1], [0.25, 0, 0.25], [1, 0.25, 0]], atol=1e-12)


@pytest.mark.parametrize("size", [1e-180, 1e300, 1.0])
@pytest.mark.parametrize("name", ["quadratic", "bipolar"])
def test_distances_do_not_depend_on_the_unit(name: str, size: float) -> None:
    """Numbers whose squares vanish or overflow, on one side of 0."""
    found = make_weights(name, scale_of(*(-size * np.array([9, 8, 5])))).as_matrix()
    assert found[0, 1:] == pytest.approx([1 / 16, 1] if name == "quadratic" else [1 / 7, 1])
    near = make_weights(scales.bipolar(0, 1), scale_of(0.1, 0.2, 0.3)).as_matrix()
    assert near[0] == pytest.approx([0, 0.01 / (0.3 * 1.7), 0.04 / (0.4 * 1.6)]), "products below 1"


def test_distances_of_sets() -> None:
    a, b, c, d = (frozenset(text) for text in ("xy", "xyz", "yzw", ""))
    sets = [a, b, c, d, frozenset("uv"), frozenset("u"), frozenset([1, None, ("x",)])]
    for name, definition in (("jaccard", bruteforce.jaccard_distance), ("masi", bruteforce.masi_distance)):
        expected = [[float(definition(one, two)) for two in sets] for one in sets]
        np.testing.assert_allclose(
            make_level(name, CategoryValues(sets, None, ordered=False)).as_matrix(), expected, atol=1e-15
        )
    assert expected[0][:3] == pytest.approx([0, 1 - 4 / 9, 1 - 1 / 12])
    many = CategoryValues([frozenset([number]) for number in range(5001)], None, ordered=False)
    message = "level='masi' compares all pairs of sets, and 5,001 different sets are more than 5,000. "
    with refuses(InputError, f"{message}Leave out rare labels."):
        make_level("masi", many)
    labels = CategoryValues([("x", "y"), frozenset("xyz")], None, ordered=False)
    assert make_level("masi", labels).as_matrix()[0, 1] == pytest.approx(1 - 4 / 9)
    with refuses(
        LabelTypeError, "level='jaccard' compares sets, and the label 'x' is not one. Give cells as lists."
    ) as caught:
        make_level("jaccard", CategoryValues(["x", ("y",)], None, ordered=False, text="x"))
    assert caught.value.code == "label is no set"


def test_a_function_of_two_labels_makes_a_label_agree_with_itself() -> None:
    found = make_weights(lambda a, b: 1 - 1e-12 if a == b else 0.5 + 1e-12 * (a > b), scale_of(1, 2)).as_matrix()
    assert np.diag(found).tolist() == [0, 0]
    np.testing.assert_allclose(found[0, 1], 0.5)
    assert make_weights(lambda a, b: 1 + 1e-12 * (a != b), scale_of(1, 2)).as_matrix().tolist() == [[0, 0], [0, 0]]


@pytest.mark.parametrize(
    ("level", "message"),
    {
        "negative": ([[0, -1], [1, 0]], "level= holds distances, which cannot be negative."),
        "diagonal": ([[1, 1], [1, 0]], "level= must be 0 on the diagonal: it holds distances, 0 is no disagreement."),
        "infinite": ([[0, np.inf], [1, 0]], "level= has a value that is not a finite number."),
        "shape": (
            [[0, 1]],
            "level= must be numbers in a 2 x 2 matrix, a row and a column for each of the 2 categories in their "
            "order, not 1 x 2 of int64.",
        ),
    }.values(),
)
def test_matrices_that_are_no_distances(level: list[list[float]], message: str) -> None:
    with refuses(InputError, message):
        make_level(np.array(level), scale_of(1, 2))


def test_ratios_need_exact_numbers() -> None:
    shifted = CategoryValues([1, 2], np.array([0.0, 1]), ordered=True, shifted=True, as_written=("weights", "ratio"))
    with refuses(
        InputError,
        "weights='ratio' needs numbers that a float represents exactly, and a label is beyond 2^53. Use 'quadratic' or "
        "'interval' instead.",
    ):
        make_weights("ratio", shifted)
    tiny = make_weights("ratio", scale_of(1e-200, 2e-200, 5e-200)).as_matrix()
    np.testing.assert_allclose(tiny[np.triu_indices(3, 1)], WEIGHTS["ratio"])


def test_a_matrix_of_weights_may_have_true_and_false_as_labels() -> None:
    df = pd.DataFrame({"a": [True, False, True], "b": [True, True, True]})
    frame = pd.DataFrame([[1, 0.5], [0.5, 1]], index=[True, False], columns=[True, False])
    assert df.agree.observed(weights=frame)["estimate"].iloc[0] == pytest.approx(2.5 / 3)
    with pytest.raises(InputError, match=r"^weights= has the label True twice\.$"):
        df.agree.observed(weights=frame.set_axis([True, True], axis=0))


def test_an_unused_end_of_the_scale_counts_for_weights_and_not_for_levels() -> None:
    df = pd.DataFrame({"a": [1, 2, 3, 3], "b": [1, 2, 2, 3]})
    observed = [
        df.agree.pi(weights="quadratic", categories=categories)["observed"].iloc[0]
        for categories in ([1, 2, 3], [1, 2, 3, 4, 5])
    ]
    assert observed == [1 - 0.25 / 4, 1 - 0.0625 / 4]
    assert df.agree.alpha(level="interval", categories=[1, 2, 3, 4, 5])["observed"].iloc[0] == 1 - 0.25 / 4


# ------------------------------------------------------------------------------------------------- functions


def near(a: float, b: float) -> float:
    return 1 / (1 + abs(a - b))


@pytest.mark.parametrize("name", ["observed", "kappa", "pi", "ac2", "s", "light_kappa", "bias"])
def test_a_function_of_two_labels_is_the_matrix_of_its_values(name: str) -> None:
    df = scores(40).assign(batch=["x", "y"] * 20)
    matrix = [[near(a, b) for b in VALUES] for a in VALUES]
    options = {"by": "batch", "categories": VALUES, "detail": True}
    found = getattr(df.agree, name)("ann", "bob", "cleo", weights=near, **options)
    same(found, getattr(df.agree, name)("ann", "bob", "cleo", weights=matrix, **options))
    assert set(found["weights"]) == {"custom"}


def broken(a: int, b: int) -> float:
    raise KeyError(a)


FUNCTIONS = {
    "number": (
        lambda a, b: "x",
        "gives no number for the labels 1 and 1: ValueError: could not convert string to float: 'x'",
    ),
    "none": (
        lambda a, b: None,
        "gives no number for the labels 1 and 1: TypeError: float() argument must be a string or a real number, not "
        "'NoneType'",
    ),
    "raises": (broken, "gives no number for the labels 1 and 1: KeyError: 1"),
    "one argument": (
        lambda a: 1,
        "gives no number for the labels 1 and 1: TypeError: <lambda>() takes 1 positional argument but 2 were given",
    ),
    "nan": (
        lambda a, b: float("nan") if (a, b) == (2, 3) else float(a == b),
        "must give a finite number, and it gives nan for the labels 2 and 3",
    ),
    "diagonal": (
        lambda a, b: 0.0 if a == b == 2 else 1.0,
        "must give 1, full agreement, for a label and itself, and it gives 0 for the labels 2 and 2",
    ),
    "range": (
        lambda a, b: 1 - abs(a - b),
        "must give a number between 0 (full disagreement) and 1, and it gives -1 for the labels 1 and 3",
    ),
    "direction": (
        lambda a, b: 1.0 if a == b else 0.5 if a > b else 0.25,
        "must give the same number in both directions, and it gives 0.25 for the labels 1 and 2, and 0.5 for the "
        "reverse",
    ),
}


@pytest.mark.parametrize(("function", "message"), FUNCTIONS.values(), ids=FUNCTIONS)
def test_functions_that_are_no_weights(function: object, message: str) -> None:
    with pytest.raises(InputError) as caught:
        scores(20, 2, 3).agree.kappa(weights=function)
    assert str(caught.value) == f"weights= is a function that {message}."
    assert caught.value.option == "weights"


@pytest.mark.parametrize("option", ["weights", "level"])
def test_a_function_of_very_many_labels_is_refused(monkeypatch: pytest.MonkeyPatch, option: str) -> None:
    monkeypatch.setattr("pandas_agreement.core.weights.MAX_TABULATED", 3)
    method = scores(20, 2, 4).agree.kappa if option == "weights" else scores(20, 2, 4).agree.alpha
    with pytest.raises(InputError) as caught:
        method(**{option: near})
    assert str(caught.value) == (
        f"{option}= is a function, which is called for every pair of labels, and there are 4 labels. Use a name, or at "
        "most 3 labels."
    )


# ------------------------------------------------------------------------------------------------- ends of the scale


@pytest.mark.parametrize(("low", "high"), [(0, 9), (None, 7), (-3.5, None), (1, 4)])
@pytest.mark.parametrize("n_categories", [4, 2000])
def test_the_ends_of_a_bipolar_scale(
    monkeypatch: pytest.MonkeyPatch, low: float | None, high: float | None, n_categories: int
) -> None:
    if n_categories > 1000:
        monkeypatch.setattr("pandas_agreement.core.weights.MAX_DENSE_CATEGORIES", 3)
    df = scores(24, 3, gaps=0.25)
    distance = bruteforce.bipolar_distance(1 if low is None else low, 4 if high is None else high)
    scale = scales.bipolar(low, high)
    alpha, rows = df.agree.alpha(level=scale).iloc[0], rows_of(df)
    assert alpha["estimate"] == pytest.approx(float(bruteforce.alpha(rows, distance)), abs=1e-12)
    for name in ("observed", "kappa", "pi"):  # two ends of the scale disagree fully
        expected = bruteforce.ORACLES[name](rows, weight=lambda a, b: 1 - distance(a, b))
        found = getattr(df.agree, name)(weights=scale, detail=True).iloc[0]
        assert found["estimate"] == pytest.approx(float(expected), abs=1e-12)
        assert found["weights"] == str(scale)


def test_the_ends_of_the_scale_are_those_of_the_declared_categories() -> None:
    df = scores(40, 2, 3, gaps=0) + 1
    declared = df.agree.kappa(weights="bipolar", categories=[1, 2, 3, 4, 5], detail=True)
    given = df.agree.kappa(weights=scales.bipolar(1, 5), detail=True)
    dropped = [
        "n_categories",
        "note",
        "remarks",
        "weights",
        "pabak",
    ]  # an unused category at the end is far from the rest
    same(given.drop(columns=dropped), declared.drop(columns=dropped))


def test_ends_by_position_are_positions() -> None:
    df = pd.DataFrame({"ann": ["low", "mid", "high", "mid"], "bob": ["low", "high", "high", "low"]})
    numbers = df.apply(lambda column: column.map({"low": 1, "mid": 2, "high": 3}))
    scale = scales.bipolar(0, 4)
    found = df.agree.kappa(categories=["low", "mid", "high"], weights=scale, detail=True)
    same(found, numbers.agree.kappa(weights=scale, detail=True))
    assert found["weights"].tolist() == ["bipolar(low=0, high=4)"]


@pytest.mark.parametrize(
    ("ends", "message"),
    [
        (
            {"low": 2},
            "low=2 is an end of the scale, and the label 1 lies below it. Give the lowest value that a label can have.",
        ),
        (
            {"high": 3.5},
            "high=3.5 is an end of the scale, and the label 4 lies above it. Give the highest value that a label can "
            "have.",
        ),
    ],
)
def test_ends_that_are_none(ends: dict[str, float], message: str) -> None:
    for call in (
        lambda: scores().agree.alpha(level=scales.bipolar(**ends)),
        lambda: scores().agree.pi(weights=scales.bipolar(**ends)),
    ):
        with refuses(InputError, message):
            call()


# ------------------------------------------------------------------------------------------------- tolerance


@pytest.mark.parametrize("tolerance", [0, 1, 1.5, 2, 10])
@pytest.mark.parametrize("n_coders", [2, 4])
@pytest.mark.parametrize("dense", [True, False])
def test_agreement_within_a_tolerance_follows_the_definition(
    monkeypatch: pytest.MonkeyPatch, tolerance: float, n_coders: int, dense: bool
) -> None:
    if not dense:
        monkeypatch.setattr("pandas_agreement.core.weights.MAX_DENSE_CATEGORIES", 3)
    df = scores(40, n_coders, 6, gaps=0.25).assign(batch=["x", "y"] * 20)
    coders = df.columns[:-1]
    found = df.agree.observed(*coders, weights=scales.within(tolerance), by="batch", detail=True)
    for batch, part in df.groupby("batch"):
        rows, row = rows_of(part[coders]), found.loc[batch]

        def function(rows: object, omega: object = None) -> object:
            return bruteforce.observed(rows, bruteforce.within(tolerance), omega=omega)  # type: ignore[arg-type]

        assert row["estimate"] == pytest.approx(float(function(rows)), abs=1e-12)  # type: ignore[arg-type]
        assert row["se"] == pytest.approx(bruteforce.influence_se(function, rows), rel=1e-9, abs=1e-12)
    assert set(found["weights"]) == {f"within({tolerance})"}
    assert found["expected"].isna().all()


def test_rounding_does_not_make_a_difference_larger() -> None:
    df = pd.DataFrame({"a": [0.8, 0.3, 1.1, 0.1], "b": [0.7, 0.1, 1.2, 0.31]})
    assert df.agree.observed(weights=scales.within(0.1))["estimate"].iloc[0] == 0.5
    assert (df + 1000).agree.observed(weights=scales.within(0.1))["estimate"].iloc[0] == 0.5
    assert df.agree.observed(weights=scales.within(0.2))["estimate"].iloc[0] == 0.75
    assert df.agree.observed(weights=scales.within(0.2099))["estimate"].iloc[0] == 0.75


def test_ordered_labels_within_a_step() -> None:
    kind = pd.CategoricalDtype(["low", "mid", "high"], ordered=True)
    df = pd.DataFrame({"a": ["low", "mid", "high"], "b": ["mid", "high", "low"]}, dtype=kind)
    row = df.agree.observed(weights=scales.within(1), detail=True).iloc[0]
    assert (row["estimate"], row["weights"]) == (pytest.approx(2 / 3), "within(1)")


# ------------------------------------------------------------------------------------------------- levels


@pytest.mark.parametrize("by_place", [False, True])
def test_words_for_differences(by_place: bool) -> None:
    df = scores(40) * 2

    def alpha(level: str) -> pd.Series:
        return df.agree.alpha(level=scales.positions(level) if by_place else level, detail=True).iloc[0]

    assert alpha("quadratic")["estimate"] == alpha("interval")["estimate"]
    assert alpha("quadratic")["weights"] == ('positions("quadratic")' if by_place else "interval")
    unit = 2 if by_place else 1
    for level, distance in (("linear", bruteforce.linear_distance), ("radical", bruteforce.radical_distance)):
        row = alpha(level)
        expected = bruteforce.alpha(rows_of(df / unit), distance)
        assert row["estimate"] == pytest.approx(float(expected), abs=1e-12)
        assert row["weights"] == (f'positions("{level}")' if by_place else level)


@pytest.mark.parametrize("level", ["linear", "radical"])
@pytest.mark.parametrize("method", ["log", "jackknife", "percentile", "bca", "kalpha"])
def test_every_interval_of_a_level_is_that_of_its_distances(level: str, method: str) -> None:
    df = scores(30)
    options = {"method": method, "rng": 1, "n_resamples": 200, "detail": True}
    named = df.agree.alpha(level=level, **options)
    given = df.agree.alpha(level=getattr(bruteforce, f"{level}_distance"), **options)
    same(named.drop(columns="weights"), given.drop(columns="weights"), 1e-9)


@pytest.mark.parametrize("size", [1e120, 2**60])
def test_numbers_that_are_compared_with_one_of_the_users_are_not_rescaled(size: float) -> None:
    large = int(size) if size == 2**60 else size
    df = pd.DataFrame({"ann": [large, large + 2, large * 2], "bob": [large, large + 4, large * 2]})
    calls = {
        "tolerance": lambda: df.agree.observed(weights=scales.within(1)),
        "circular": lambda: df.agree.kappa(weights=scales.circular(7)),
        "bipolar": lambda: df.agree.kappa(weights=scales.bipolar(0, large * 3)),
        "one end": lambda: df.agree.kappa(weights=scales.bipolar(0)),
    }
    for name, call in calls.items():
        with pytest.raises(InputError) as caught:
            call()
        assert caught.value.code == "large label", name
