"""Weights and levels: matrices, functions, and labels that do not fit them."""

from __future__ import annotations

import pandas as pd
import pytest

from pandas_agreement import (
    InputError,
    LabelTypeError,
)
from tests.data_sets import scores


def test_a_matrix_of_weights_may_have_true_and_false_as_labels() -> None:
    df = pd.DataFrame({"a": [True, False, True], "b": [True, True, True]})
    frame = pd.DataFrame([[1, 0.5], [0.5, 1]], index=[True, False], columns=[True, False])
    assert df.agree.observed(weights=frame)["estimate"].iloc[0] == pytest.approx(2.5 / 3)
    with pytest.raises(InputError, match=r"^weights= has the label True twice$"):
        df.agree.observed(weights=frame.set_axis([True, True], axis=0))


@pytest.mark.parametrize("period", [float("inf"), float("nan"), 0, -1])
def test_a_circle_has_a_length(period: float) -> None:
    with pytest.raises(InputError, match="must be a positive number: the length of the whole circle"):
        scores(20, 2).agree.alpha(level="circular", period=period)


def test_an_unused_end_of_the_scale_counts_for_weights_and_not_for_levels() -> None:
    df = pd.DataFrame({"a": [1, 2, 3, 3], "b": [1, 2, 2, 3]})
    observed = [
        df.agree.pi(weights="quadratic", categories=categories)["observed"].iloc[0]
        for categories in ([1, 2, 3], [1, 2, 3, 4, 5])
    ]
    assert observed == [1 - 0.25 / 4, 1 - 0.0625 / 4]
    assert df.agree.alpha(level="interval", categories=[1, 2, 3, 4, 5])["observed"].iloc[0] == 1 - 0.25 / 4


def test_numbers_written_as_text_are_to_be_converted() -> None:
    df = pd.DataFrame({"a": ["1", "10", "2"], "b": ["1", "2", "10"]})
    with pytest.raises(LabelTypeError) as caught:
        df.agree.alpha(level="interval")
    assert str(caught.value) == (
        "level='interval' needs labels that are numbers, and these are numbers written as text, such as '1'; convert "
        "the columns, for instance with pd.to_numeric"
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": "circular", "period": "x"}, "period='x' must be a positive number: the length of the whole circle"),
        (
            {"level": lambda a, b: None},
            "level= is a function that gives no number for some pair of labels: float() argument must be a string or a "
            "real number, not 'NoneType'",
        ),
    ],
)
def test_odd_options_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        scores(10, 2).agree.alpha(**options)
    assert str(caught.value) == message
    with pytest.raises(InputError, match=r"^a coefficient is given by its name, such as 'kappa', and not as "):
        scores(10, 2).agree.pairwise(metric=["kappa"])
