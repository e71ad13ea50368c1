"""What type checkers and editors see of `df.agree`: the words of options, the stub, and mistakes that mypy reports."""

from __future__ import annotations

import typing
from typing import Any, Literal

import pytest

from pandas_agreement import options
from pandas_agreement.coefficients.registry import REGISTRY
from pandas_agreement.core.missing import RULES
from pandas_agreement.core.weights import LEVELS, SET_LEVELS, WEIGHTS

# ------------------------------------------------------------------------------------------------- words of options


def words(annotation: Any) -> set[str]:
    """The words among the values that a type allows."""
    if typing.get_origin(annotation) is Literal:
        return set(typing.get_args(annotation))
    return {word for part in typing.get_args(annotation) for word in words(part)}


@pytest.mark.parametrize(
    ("annotation", "known"),
    [
        (options.Weights, {*WEIGHTS, *options.SAME_WEIGHTS}),
        (options.Level, {*LEVELS, *SET_LEVELS, *options.SAME_LEVELS}),
        (options.Missing, {*RULES}),
        (options.Method, {method for record in REGISTRY.values() for method in record.methods}),
    ],
)
def test_types_of_options_have_the_words_that_are_known(annotation: Any, known: set[str]) -> None:
    assert words(annotation) == known


@pytest.mark.parametrize("option", options.OPTIONS.values(), ids=lambda option: option.name)
def test_every_word_of_a_type_is_accepted(option: options.Option) -> None:
    for word in words(eval(option.annotation, vars(options))):
        option.check(option.name, word)
