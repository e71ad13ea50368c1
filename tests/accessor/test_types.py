"""What type checkers and editors see of `df.agree`: the words of options, the stub, and mistakes that mypy reports."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import typing
from pathlib import Path
from typing import Any, Literal

import pandas as pd
import pytest

from pandas_agreement import accessor, options
from pandas_agreement.coefficients.registry import REGISTRY
from pandas_agreement.core.selection import RULES
from pandas_agreement.core.weights import LEVELS, SET_LEVELS, WEIGHTS
from tests import make_stubs
from tests.accessor import typed_calls

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
        (options.Method, {method for record in REGISTRY.values() for method in record.all_methods}),
    ],
)
def test_types_of_options_have_the_words_that_are_known(annotation: Any, known: set[str]) -> None:
    assert words(annotation) == known


@pytest.mark.parametrize("option", options.OPTIONS.values(), ids=lambda option: option.name)
def test_every_word_of_a_type_is_accepted(option: options.Option) -> None:
    for word in words(eval(option.annotation, vars(options))):
        option.check(option.name, word)


# --------------------------------------------------------------------------------------------------------- the stub

STUB = make_stubs.STUB.read_text(encoding="utf-8")


def test_the_stub_is_up_to_date() -> None:
    assert make_stubs.make_stub() == STUB, "run python -m tests.make_stubs"


def names(block: ast.ClassDef) -> set[str]:
    """The public names that a class declares."""
    methods = {node.name for node in block.body if isinstance(node, ast.FunctionDef)}
    aliases = {ast.unparse(node.targets[0]) for node in block.body if isinstance(node, ast.Assign)}
    return {name for name in methods | aliases if not name.startswith("_")}


@pytest.mark.parametrize("name", accessor.__all__)
def test_the_stub_has_every_public_name(name: str) -> None:
    blocks = {node.name: node for node in ast.parse(STUB).body if isinstance(node, ast.ClassDef)}
    parents = {name for base in blocks[name].bases for name in names(blocks[ast.unparse(base)])}
    public = {each for each in dir(getattr(accessor, name)) if not each.startswith("_")}
    assert names(blocks[name]) | parents == public


def test_what_mypy_does_not_check_because_of_the_stub_only_imports() -> None:
    tree = ast.parse(make_stubs.STUB.with_suffix(".py").read_text(encoding="utf-8"))
    assert {type(node) for node in tree.body[1:-1]} == {ast.ImportFrom}
    assert [type(node) for node in (tree.body[0], tree.body[-1])] == [ast.Expr, ast.Assign]
    assert list(Path(options.__file__).parent.rglob("*.pyi")) == [make_stubs.STUB]


# --------------------------------------------------------------------------------------------------- what mypy says

ROOT = Path(__file__).parents[2]
MISTAKES = Path(__file__).with_name("typed_mistakes.py")


def test_mypy_accepts_right_calls_and_reports_every_mistake() -> None:
    pytest.importorskip("mypy")
    # strict, by our settings: with others mypy could not use what it already knows of the package
    command = [sys.executable, "-m", "mypy", typed_calls.__file__, str(MISTAKES)]
    environment = {**os.environ, "MYPYPATH": str(ROOT)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=ROOT, check=False)
    found = re.findall(r"(\w+)\.py:(\d+): error: .*\[([\w-]+)\]$", done.stdout, flags=re.MULTILINE)
    lines = enumerate(MISTAKES.read_text(encoding="utf-8").splitlines(), 1)
    marked = [(number, line.partition("# error: ")[2]) for number, line in lines]
    assert found == [("typed_mistakes", str(number), code) for number, code in marked if code], done.stdout


@pytest.mark.parametrize("calls", [typed_calls.wide, typed_calls.other_formats, typed_calls.others])
def test_the_calls_that_mypy_accepts_run(calls: Any) -> None:
    df = pd.DataFrame(
        {"ann": [1, 2, 3, 1, 2, 3, 1, 2], "bob": [1, 2, 3, 1, 3, 3, 2, 2], "cleo": [1, 2, 2, 1, 2, 3, 1, 1]}
    )
    assert len(calls(df.assign(batch=list("xxxxyyyy")))) >= 3
