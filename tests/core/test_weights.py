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
