"""The README's examples print what it says they print, and its links lead somewhere."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pandas as pd
import pytest

from pandas_agreement import AgreementAccessor
from pandas_agreement.coefficients.registry import REGISTRY

README = Path(__file__).parent.parent / "README.md"
TEXT = README.read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n([^`]*)```\n\n```text\n([^`]*)```", TEXT)


def run(code: str, names: dict[str, object]) -> object:
    """Execute the lines and give the value of the last one."""
    tree = ast.parse(code)
    *before, last = tree.body
    exec(compile(ast.Module(before, []), "README.md", "exec"), names)
    assert isinstance(last, ast.Expr)
    return eval(compile(ast.Expression(last.value), "README.md", "eval"), names)


@pytest.mark.skipif(pd.__version__ < "3", reason="pandas 2 prints Categoricals and strings in another way")
def test_examples_print_what_the_readme_shows() -> None:
    assert len(EXAMPLES) == TEXT.count("```text\n") > 6
    names: dict[str, object] = {}
    with pd.option_context("display.width", 120, "display.max_columns", 20):
        for code, shown in EXAMPLES:
            printed = [line.rstrip() for line in repr(run(code, names)).splitlines()]
            assert printed == shown.rstrip().splitlines()


def test_pictures_are_there_and_small() -> None:
    pictures = re.findall(r"!\[[^]]+\]\(([^)]+)\)", TEXT)
    assert len(pictures) == 2
    for path in pictures:
        assert 1000 < (README.parent / path).stat().st_size < 50_000


def test_every_coefficient_is_in_the_table() -> None:
    table = TEXT.partition("## Which coefficient?")[2].partition("## What the columns mean")[0]
    for name in REGISTRY:
        assert f"`{name}`" in table


def test_every_method_is_named() -> None:
    for name in dir(AgreementAccessor):
        if not name.startswith("_"):
            assert re.search(rf"[`.]{name}\b", TEXT), name


@pytest.mark.parametrize(
    "path",
    [
        "notebooks/01_first_look.ipynb",
        "notebooks/02_where_it_breaks.ipynb",
        "notebooks/03_scores_and_scales.ipynb",
        "notebooks/04_how_sure.ipynb",
        "notebooks/05_judge_against_people.ipynb",
        "notebooks/06_large_data.ipynb",
        "notebooks/07_from_votes_to_labels.ipynb",
        "CONTRIBUTING.md",
        "tests/benchmarks",
    ],
)
def test_what_it_points_to_is_there(path: str) -> None:
    assert f"`{path}`" in TEXT
    assert (README.parent / path).exists()
