"""Errors and warnings in the words of a shell: by their code, never by their text."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import pandas_agreement
from pandas_agreement.cli.remedies import PROBLEMS, REMEDIES, as_typed
from pandas_agreement.errors import AgreementWarning, InputError, choose, wrong_value
from tests.cli.helpers import LONG, small

HOME = Path(pandas_agreement.__file__).parent


def codes() -> set[str]:
    """Every code that the package gives an error or a warning."""
    found = set()
    for path in HOME.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.keyword) and node.arg == "code" and isinstance(node.value, ast.Constant):
                found.add(node.value.value)
            if isinstance(node, ast.Assign) and "code" in ast.unparse(node.targets[0]):
                texts = [each for each in ast.walk(node.value) if isinstance(each, ast.Constant)]
                found |= {each.value for each in texts if isinstance(each.value, str)}
    return found


def test_every_code_in_the_tables_exists() -> None:
    assert {*REMEDIES, *PROBLEMS} <= codes()


def test_options_are_written_as_they_are_typed() -> None:
    error = wrong_value("weights", "my own", "is not known", "use another")
    assert as_typed(error) == "--weights 'my own' is not known; use another"
    assert as_typed(wrong_value("missing", "raise", ": 3 items lack a label")) == (
        "--missing raise: 3 items lack a label"
    )
    with pytest.raises(InputError) as raised:
        choose("missing", "al", {"all": 1, "pairable": 2})
    assert as_typed(raised.value) == ("--missing al is not known; use one of 'all', 'pairable'; did you mean 'all'?")


def test_what_is_not_in_the_tables_is_said_as_it_is() -> None:
    assert as_typed(AgreementWarning("one\nthing", "do\nthis", code="a new code")) == "one thing; do this"
    assert as_typed(InputError("one thing")) == "one thing"


def test_text_that_looks_like_an_option_stays() -> None:
    assert as_typed(InputError("the label missing='all' is odd")) == "the label missing='all' is odd"


CASES = {
    "no weights": ("a,b\nx,y\ny,y\n", ("--metrics", "ac2"), "ac2 needs --weights, such as linear or quadratic"),
    "no such level": (
        "a,b\n1,2\n2,2\n",
        ("--level", "ordnial"),
        "--level ordnial is not known; use one of 'nominal', 'ordinal', 'interval', 'linear', 'radical', 'ratio', "
        "'circular', 'bipolar', 'jaccard', 'masi'; did you mean 'ordinal'?",
    ),
    "repeated": (
        "doc,who,tag\n1,p,x\n1,q,x\n1,q,y\n2,p,y\n2,q,y\n",
        LONG,
        "judgments are repeated, 1 in all: coder 'q' labelled item '1' 2 times; "
        "keep one with --duplicates first or last, or take them as a set with --duplicates set",
    ),
    "below zero": (
        "a,b\n-1,2\n2,2\n",
        ("--weights", "ratio"),
        "ratio needs labels that are not negative, and -1 is negative: with a zero in the middle of the scale -1 and 1 "
        "would "
        "count as agreement; use 'quadratic' or 'interval' instead",
    ),
    "no coder": ("doc,who,tag\n1,p,x\n1,q,x\n", (*LONG, "--coders", "p", "r"), "no coder 'r'; there are: 'p', 'q'"),
}


@pytest.mark.parametrize("name", CASES)
def test_errors_of_the_package_are_for_a_shell(run, tmp_path, name):
    text, options, message = CASES[name]
    small(tmp_path / "x.csv", text)
    assert run("x.csv", *options) == (2, "", f"pandas_agreement: x.csv: {message}\n")


def test_what_is_left_out_of_the_page_is_said_in_the_words_of_a_shell(run, tmp_path):
    small(tmp_path / "x.csv", "a,b,share\nx,y,1\nx,x,1\n")
    status, out, _ = run("x.csv", "--coders", "a", "b", "--worst", "1", "--format", "csv")
    message = "the file has a column 'share', and --worst adds one; rename that column in the file"
    assert (status, out) == (2, "")
    assert message in run("x.csv", "--coders", "a", "b", "--worst", "1", "--format", "csv")[2]
