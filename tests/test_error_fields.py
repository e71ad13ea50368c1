"""Errors and warnings have fields, which programs read instead of the text."""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest

import pandas_agreement
from pandas_agreement import AgreementError, InputError, load_example
from pandas_agreement.errors import AgreementWarning, LabelTypeError, wrong_value

LONG = pd.DataFrame({"doc": [1, 1, 2], "who": ["p", None, "q"], "tag": list("xxy")})
TEXT = pd.DataFrame({"a": ["x", "y"], "b": ["y", "y"]})


def long(frame: pd.DataFrame) -> Any:
    return frame.agree.long(item="doc", coder="who", label="tag")


ERRORS: dict[str, tuple[Callable[[], Any], dict[str, Any], str]] = {
    "unknown column": (
        lambda: TEXT.agree.kappa("a", "c"),
        {"problem": "no column 'c'", "remedy": "there are: 'a', 'b'", "column": "c", "code": "unknown column"},
        "No column 'c'. There are: 'a', 'b'.",
    ),
    "unknown value": (
        lambda: TEXT.agree.kappa(missing="al"),
        {"problem": "missing='al' is not known", "option": "missing", "code": "unknown value"},
        "missing='al' is not known. Use one of 'pairable', 'all', 'complete', 'raise'; did you mean 'all'?",
    ),
    "invalid value": (
        lambda: TEXT.agree.kappa(ci=95),
        {"option": "ci", "code": "invalid value", "remedy": "did you mean ci=0.95?"},
        "ci=95 must be a level between 0 and 1, such as 0.95, or None. Did you mean ci=0.95?",
    ),
    "missing key": (
        lambda: long(LONG).alpha(),
        {"column": "who", "code": "missing key", "facts": {"n": 1, "first": 1}},
        "1 row has a label but no 'who' (the first is row 1). Drop such rows with df.dropna(subset=['who']).",
    ),
    "needs order": (
        lambda: TEXT.agree.kappa(weights="linear"),
        {"option": "weights", "code": "needs order", "problem": "weights='linear' needs labels that are numbers or "
         "have an order, and 'x' is text"},
        "weights='linear' needs labels that are numbers or have an order, and 'x' is text. Give the 2 labels in their "
        "order with categories=[lowest, ..., highest], or use an ordered Categorical.",
    ),
    "name taken": (
        lambda: TEXT.assign(category=1).agree.kappa("a", "b", by="category"),
        {"option": "by", "column": "category", "code": "name taken"},
        "A group key cannot be called 'category', as results have that name. "
        "Rename it: df.rename(columns={'category': 'category_key'}).",
    ),
    "unknown option": (
        lambda: TEXT.agree.alpha(weights="linear"),
        {"option": "weights", "code": "unknown option", "facts": {"instead": "level"}},
        "Alpha has no option 'weights'. It is called 'level' there.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ERRORS)
def test_the_fields_of_an_error(name: str) -> None:
    call, fields, message = ERRORS[name]
    with pytest.raises(AgreementError) as raised:
        call()
    error = raised.value
    assert {field: getattr(error, field) for field in fields} == fields
    assert str(error) == message


def test_the_fields_of_a_warning() -> None:
    frame = load_example()
    frame.loc[:2, "batch"] = None
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        frame.agree.kappa("ann", "bob", by="batch")
    (warning,) = [each.message for each in caught]
    assert isinstance(warning, AgreementWarning)
    assert isinstance(warning, UserWarning)
    assert (warning.option, warning.code) == ("by", "rows without a group")
    assert str(warning) == (
        "3 of 600 rows have no group key and are left out. "
        "df.groupby('batch', dropna=False).agree makes them a group of their own."
    )
    assert caught[0].filename == __file__


def test_undefined_estimates_are_told_apart_from_other_warnings() -> None:
    with pytest.warns(AgreementWarning) as caught:
        pd.DataFrame({"a": ["x", "x"], "b": ["x", "x"]}).agree.kappa()
    (warning,) = [each.message for each in caught]
    assert (warning.code, warning.remedy) == ("undefined", "see the column 'note'")


def test_a_wrong_value_knows_option_and_value() -> None:
    error = wrong_value("n", 0, "must be above 0", "try 1", LabelTypeError, code="too small", least=1)
    assert isinstance(error, LabelTypeError)
    assert str(error) == "n=0 must be above 0. Try 1."
    assert (error.option, error.code, error.facts["value"], error.facts["least"]) == ("n", "too small", 0, 1)
    assert str(wrong_value("missing", "raise", ": 1 gap")) == "missing='raise': 1 gap."


@pytest.mark.parametrize("kind", [InputError, AgreementWarning])
def test_fields_survive_another_process(kind: type[Any]) -> None:
    again = pickle.loads(pickle.dumps(kind("a problem", "a remedy", option="ci", code="odd", n=3)))
    assert (str(again), again.option, again.code, again.facts) == ("A problem. A remedy.", "ci", "odd", {"n": 3})


def test_a_keyword_that_matplotlib_refuses_is_found_by_drawing() -> None:
    pytest.importorskip("matplotlib")
    with pytest.raises(InputError) as raised:
        pandas_agreement.plot(load_example().agree.kappa("ann", "bob"), style={"alpha": 0.5, "colour": "red"})
    assert (raised.value.option, raised.value.code) == ("style", "unknown option")
    assert "'colour'" in raised.value.problem
