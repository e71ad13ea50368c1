"""The examples in the docstrings run, every public thing has one, and imports point one way."""

from __future__ import annotations

import ast
import doctest
import importlib
import importlib.util
import inspect
import pkgutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

import pandas_agreement
from pandas_agreement import plotting
from pandas_agreement.accessor import AgreementAccessor, Methods
from pandas_agreement.accessor.docs import SETUP
from pandas_agreement.accessor.plots import KINDS, Plots
from pandas_agreement.report import Report

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
    "catalog": pandas_agreement.catalog,
    "interpret": pandas_agreement.interpret,
    "membership": pandas_agreement.membership,
    "load_example": pandas_agreement.load_example,
    "plot_result": pandas_agreement.plot_result,
    "stream": pandas_agreement.stream,
    **{f"Report.{name}": getattr(Report, name) for name in ("to_html", "to_markdown")},
    **{f"plot.{name}": getattr(Plots, name) for name in KINDS},
    **{f"plotting.{name}": getattr(plotting, name) for name in plotting.__all__},
    **{f"plan.{name}": getattr(pandas_agreement.plan, name) for name in pandas_agreement.plan.__all__},
}


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_thing_has_a_docstring_with_an_example(name: str) -> None:
    doc = inspect.getdoc(PUBLIC[name]) or ""
    assert "Examples\n--------\n" in doc
    assert ">>> " in doc


def test_help_shows_the_options() -> None:
    signature = str(inspect.signature(Methods.kappa))
    assert signature.startswith("(self, *coders, by=None, weights='nominal', scale=None, period=None, pool='coders'")


# ------------------------------------------------------------------------------------------------- layers

#: a module may import those above it
LAYERS = [
    {"errors", "numeric_codes"},
    {"counts", "judgments"},
    {"labels"},
    {"distances", "grouping", "sets"},
    {"weights", "ratings", "example"},
    {"crosstabs", "group_blocks"},
    {"pairs", "patterns", "tally", "missing", "reading.common", "tidy"},
    {"moments"},
    {"reading.wide", "reading.long", "reading.tables"},
    {"reading"},
    {"registry"},
    {"options"},
    {"coefficients.correction", "docs"},
    {"coefficients.chance", "coefficients.alpha", "coefficients.pooling", "coefficients.category"},
    {"coefficients.homogeneity", "coefficients.indices", "coefficients.rare"},
    {"values", "quantiles"},
    {"coefficients.crossed"},
    {"coefficients.reml", "coefficients.concordance"},
    {"coefficients.icc"},
    {"coefficients.association"},
    {"coefficients.numeric"},
    {"coefficients.bias"},
    {"coefficients"},
    {"inference", "interpret"},
    {"notes", "numbers", "plotting.style", "recall"},
    {"resampling"},
    {"plotting.intervals", "plotting.tables", "plotting.chart"},
    {"plotting.rows", "plotting.lines", "plotting.spread"},
    {"plotting.results"},
    {"plotting"},
    {"engine"},
    {"pieces"},
    {"streaming"},
    {"dask"},
    {
        "breakdown.categories",
        "breakdown.coders",
        "breakdown.items",
        "breakdown.tables",
        "breakdown.homogeneity",
        "breakdown.scores",
    },
    {"breakdown.diagnose", "comparing"},
    {"chance_tests", "plan_published"},
    {"plan"},
    {"breakdown"},
    {"report.contents", "report.words"},
    {"report.html", "report.markdown", "report.material"},
    {"report.document", "report.findings", "report.methods", "report.pictures"},
    {"report.breaks"},
    {"report.sections"},
    {"report.build"},
    {"report"},
    {"accessor.base"},
    {"accessor.coefficients", "accessor.breakdown", "accessor.scores", "accessor.comparing", "accessor.plots"},
    {"accessor.reporting"},
    {"accessor.ways"},
    {"accessor"},
    {"registration"},
    {""},
]
NO_PANDAS = {"counts", "distances", "weights", "ratings", "pairs", "tally", "missing", "registry", "inference", "notes"}
NO_PANDAS |= {"crosstabs", "group_blocks", "judgments", "patterns", "moments", "recall"}


def imports(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            known = [f"{node.module}.{alias.name}" for alias in node.names]
            modules = [name for name in known if name in MODULES]
            names |= set(modules) or {node.module}
    return names


def path_of(name: str) -> Path:
    path = HOME.joinpath(*name.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def layer_of(name: str) -> int:
    return next(number for number, layer in enumerate(LAYERS) if name in layer)


CHECKED = sorted(name for layer in LAYERS for name in layer)


@pytest.mark.parametrize("name", CHECKED)
def test_imports_point_one_way(name: str) -> None:
    ours = {found for found in imports(path_of(name)) if found.startswith("pandas_agreement")}
    for found in ours:
        other = found.removeprefix("pandas_agreement").removeprefix(".")
        if other not in ("", name):
            assert layer_of(other) < layer_of(name), f"{name} imports {other}"


def test_every_module_has_a_place() -> None:
    names = {name.removeprefix("pandas_agreement.") for name in MODULES}
    apart = {name for name in names if name.startswith("cli") or name == "example.make_example"}  # on top of everything
    assert names == {*CHECKED, *apart} - {""}


@pytest.mark.parametrize("name", sorted(NO_PANDAS) + [n for n in CHECKED if n.startswith("coefficients")])
def test_numbers_know_nothing_of_pandas(name: str) -> None:
    assert "pandas" not in imports(path_of(name))


@pytest.mark.parametrize("name", MODULES)
def test_no_slow_import_at_the_top(name: str) -> None:
    tree = ast.parse(path_of(name.removeprefix("pandas_agreement.")).read_text(encoding="utf-8"))
    top = [node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]
    found = [ast.unparse(node) for node in top]
    assert not [line for line in found if "scipy" in line or "matplotlib" in line or "dask" in line]
