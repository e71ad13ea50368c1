"""What `import pandas_agreement` offers, and that importing the command line does not run it."""

from __future__ import annotations

import importlib
import runpy
import subprocess
import sys

import pytest

import pandas_agreement
from tests import helpers

LATE = ("dask", "exports", "judges", "planning", "plotting", "preferences", "report", "spans", "streaming", "truth")
PUBLIC = [
    "AgreementAccessor",
    "AgreementError",
    "AgreementWarning",
    "ColumnError",
    "InputError",
    "LabelTypeError",
    "__version__",
    "agree",
    "catalog",
    "interpret",
    "load_example",
    "plan",
    "plot",
    "read",
    "scales",
    "sentence",
    "stream",
    "table",
    "testing",
]


def test_dir_shows_the_public_names_and_nothing_else() -> None:
    assert dir(pandas_agreement) == PUBLIC
    assert sorted([*pandas_agreement.__all__, "__version__"]) == PUBLIC


@pytest.mark.parametrize("name", ["plan", "testing", "errors", "plotting", "dask"])
def test_dir_of_a_public_module_shows_its_public_names_and_nothing_else(name: str) -> None:
    if name in ("dask", "plotting"):  # extras
        pytest.importorskip({"plotting": "matplotlib"}.get(name, name))
    module = importlib.import_module(f"pandas_agreement.{name}")
    assert dir(module) == sorted(module.__all__)
    assert all(hasattr(module, shown) and not shown.startswith("_") for shown in module.__all__)


def test_dir_of_plan_is_planning() -> None:
    assert dir(pandas_agreement.plan) == [
        "double_code",
        "items_for_noninferiority",
        "items_for_power",
        "items_for_width",
        "judge_labels",
        "krippendorff_items",
        "labels_per_item",
        "lower_limit",
        "more_items",
        "power",
    ]


@pytest.mark.parametrize("name", PUBLIC)
def test_every_name_that_is_shown_is_there(name: str) -> None:
    assert getattr(pandas_agreement, name)


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match=r"^module 'pandas_agreement' has no attribute 'lod_example'$"):
        getattr(pandas_agreement, "lod_example")  # noqa: B009


def test_the_old_name_of_plot_says_the_new_one() -> None:
    with pytest.raises(AttributeError, match=r"^module 'pandas_agreement' has no attribute 'plot_result'; .* 'plot'$"):
        getattr(pandas_agreement, "plot_result")  # noqa: B009


def test_importing_main_does_not_run_it() -> None:
    assert "main" in runpy.run_module("pandas_agreement.__main__", run_name="imported")


def test_the_module_runs_as_a_program() -> None:
    command = [sys.executable, "-m", "pandas_agreement", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == f"pandas_agreement {pandas_agreement.__version__}\n"


def test_what_most_calls_do_not_need_is_not_imported() -> None:
    rooms = ["scipy.stats", "matplotlib", *(f"pandas_agreement.{name}" for name in LATE)]
    code = "import sys, pandas_agreement; pandas_agreement.AgreementAccessor; "
    code += f"print(*[name for name in {rooms} if name in sys.modules])"
    assert helpers.printed(code).strip() == ""


def test_importing_the_package_imports_the_accessor_on_first_use() -> None:
    code = """
import sys, pandas as pd, pandas_agreement
frame = pd.DataFrame({"ann": ["a", "b"], "bob": ["a", "b"]})
print("agree" in dir(frame), "pandas_agreement.engine" in sys.modules)
print(type(frame.agree).__name__, type(frame.groupby("ann").agree).__name__, pd.DataFrame.agree.kappa.__name__)
print(pandas_agreement.interpret.__name__, "pandas_agreement.engine" in sys.modules)
"""
    assert helpers.printed(code).splitlines() == [
        "True False",
        "AgreementAccessor GroupByAgreement kappa",
        "interpret True",
    ]
