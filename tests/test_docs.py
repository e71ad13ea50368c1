"""The examples in the docstrings run, every public thing has one, and imports point one way."""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import inspect
import pkgutil
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

import pandas_agreement
from pandas_agreement.accessor import (
    AgreementAccessor,
    GroupedCoders,
    JudgedAgreement,
    Methods,
    Preferences,
    SpanAgreement,
)
from pandas_agreement.accessor.docs import SETUP
from pandas_agreement.accessor.plots import KINDS, Plots
from pandas_agreement.accessor.spans import NAMES as SPANS
from pandas_agreement.accessor.tests import TESTS, AgreementTests
from pandas_agreement.accessor.truth import Truth
from pandas_agreement.report import Report
from tests.helpers import none_of

HOME = Path(pandas_agreement.__file__).parent
MODULES = [name for _, name, _ in pkgutil.walk_packages([str(HOME)], "pandas_agreement.") if "__main__" not in name]
HAS_DASK = importlib.util.find_spec("dask") is not None
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def examples() -> list[doctest.DocTest]:
    names: dict[str, object] = {}
    exec("\n".join(line.removeprefix(">>> ") for line in SETUP.splitlines()), names)
    found = {}
    for name in ["pandas_agreement", *MODULES]:
        if name == "pandas_agreement.dask" and not HAS_DASK:  # an extra
            continue
        for test in doctest.DocTestFinder().find(importlib.import_module(name), extraglobs=names):
            found[test.name] = test
    return [test for test in found.values() if test.examples]


@pytest.fixture
def closed_figures() -> Iterator[None]:
    """Examples of pictures leave none open."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


@pytest.mark.parametrize("test", examples(), ids=lambda test: test.name)
@pytest.mark.skipif(pd.__version__ < "3", reason="pandas 2 prints the dtype of strings in another way")
@pytest.mark.usefixtures("closed_figures")
def test_the_example_runs(test: doctest.DocTest) -> None:
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    runner.run(test)
    assert runner.summarize(verbose=False).failed == 0


PUBLIC = {
    **{f"agree.{name}": getattr(AgreementAccessor, name) for name in dir(AgreementAccessor) if name[0] != "_"},
    **{f"judges.{name}": getattr(JudgedAgreement, name) for name in dir(JudgedAgreement) if name[0] != "_"},
    **{f"coder_groups.{name}": getattr(GroupedCoders, name) for name in ("within", "across", "compare")},
    "catalog": pandas_agreement.catalog,
    "interpret": pandas_agreement.interpret,
    "load_example": pandas_agreement.load_example,
    "plot": pandas_agreement.plot,
    "stream": pandas_agreement.stream,
    **{f"Preferences.{name}": getattr(Preferences, name) for name in ("position_bias", "strengths", "win_rate")},
    **{f"spans.{name}": getattr(SpanAgreement, name) for name in SPANS},
    **{f"Report.{name}": getattr(Report, name) for name in ("to_html", "to_markdown")},
    **{f"plot.{name}": getattr(Plots, name) for name in KINDS},
    **{f"test.{name}": getattr(AgreementTests, name) for name in TESTS},
    **{f"plan.{name}": getattr(pandas_agreement.plan, name) for name in pandas_agreement.plan.__all__},
}


def test_every_public_thing_has_a_docstring_with_an_example() -> None:
    docs = {name: inspect.getdoc(thing) or "" for name, thing in PUBLIC.items()}
    none_of([name for name, doc in docs.items() if "Examples\n--------\n" not in doc or ">>> " not in doc])


COMPOSED = {name for name in PUBLIC if name.startswith(("agree.", "plot.", "test."))}
COMPOSED -= {"agree.plot", "agree.test", "agree.report"}  # written in full
ENTRY = re.compile(r"\*{0,2}[a-z]\w*(, \*{0,2}\w+)*( : .+)?")  # of parameters; their text is indented


def test_a_docstring_is_aligned_in_every_version_of_python() -> None:
    """From 3.13 on the text is without indent when it is filled in, and before it is not."""
    docs = {name: PUBLIC[name].__doc__ for name in sorted(COMPOSED)}
    none_of([name for name, doc in docs.items() if doc.rstrip() != inspect.cleandoc(doc)])
    parameters = {name: doc.partition("Parameters\n----------\n")[2].partition("\n\n")[0] for name, doc in docs.items()}
    lines = [(name, line) for name, entries in parameters.items() for line in entries.splitlines()]
    none_of([(name, line) for name, line in lines if not (ENTRY.fullmatch(line) or line.startswith("    "))])


def test_a_list_follows_an_empty_line() -> None:
    """Otherwise its entries run together on the documentation site."""
    things = {**PUBLIC, **{f"truth.{name}": getattr(Truth, name) for name in dir(Truth) if name[0] != "_"}}
    docs = {name: inspect.getdoc(thing) or "" for name, thing in things.items()}
    none_of([name for name, doc in docs.items() if re.search(r"^(?! *- ).*\S\n +- `", doc, re.MULTILINE)])


def test_help_shows_the_options() -> None:
    signature = str(inspect.signature(Methods.kappa))
    assert signature.startswith(
        "(self, *coders, by=None, overall=False, weights='nominal', pool='coders', categories=None"
    )
