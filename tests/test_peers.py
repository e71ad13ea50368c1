"""What the README says of other packages, checked on those that are installed (the extra `peers`).

irrCAC requires pandas 2, so it cannot be installed beside the newest pandas.
"""

from __future__ import annotations

import inspect
import re
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

from pandas_agreement.coefficients.registry import REGISTRY
from tests.pages import TOP, read

LONG = pd.DataFrame(
    {
        "item": [1, 1, 2, 2, 3, 3, 4, 4, 5, 5],
        "coder": ["ann", "bob"] * 5,
        "score": [1, 2, 2, 2, 3, 4, 4, np.nan, 5, 5],
    }
)
TRIPLES = [("ann", 1, "x"), ("bob", 1, "x"), ("ann", 2, "y"), ("bob", 2, "x"), ("ann", 3, "y")]


@pytest.fixture(autouse=True)
def without_their_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def facts(package: str) -> dict[str, str]:
    """The column of a package in the table of the README."""
    table = read(TOP / "README.md").partition("## Why not another package?")[2].partition("\n\n[")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.strip().splitlines()]
    column = rows[0].index(package)
    return {row[0]: row[column] for row in rows[2:]}


def test_facts_of_this_package() -> None:
    said = facts("pandas_agreement")
    assert said["coefficients"] == str(len(REGISTRY))
    frame = pd.DataFrame({"ann": ["x", "y", None, "x"], "bob": ["x", "x", "y", "x"], "cleo": ["x", "y", "y", None]})
    frame["batch"] = ["a", "a", "b", "b"]
    result = frame.agree.alpha("ann", "bob", "cleo", by="batch", missing="pairable")
    assert result.index.tolist() == ["a", "b"]
    assert result[["ci_low", "ci_high"]].notna().all(axis=None)


def test_facts_of_scikit_learn() -> None:
    kappa = pytest.importorskip("sklearn.metrics").cohen_kappa_score
    said = facts("scikit-learn")
    assert list(inspect.signature(kappa).parameters)[:2] == ["y1", "y2"]
    assert (said["several coders"], said["confidence interval"]) == ("no", "no")
    assert said["missing labels"] == "error"
    with pytest.raises((TypeError, ValueError)):
        kappa(pd.Series(["x", "y", None, "x"]), pd.Series(["x", "x", "y", "x"]))
    order = ["low", "mid", "high"]
    first, second = ["low", "mid", "high", "low", "mid"], ["low", "high", "high", "low", "low"]
    ordered = [pd.Series(pd.Categorical(labels, order, ordered=True)) for labels in (first, second)]
    assert said["order of text labels"] == "alphabetical, or `labels=`"
    assert kappa(*ordered, weights="linear") == kappa(first, second, weights="linear", labels=sorted(order))
    assert kappa(*ordered, weights="linear") != kappa(first, second, weights="linear", labels=order)


def test_facts_of_krippendorff() -> None:
    krippendorff = pytest.importorskip("krippendorff")
    said = facts("krippendorff")
    assert [name for name in dir(krippendorff) if name in ("alpha", "kappa", "pi")] == ["alpha"]
    found = krippendorff.alpha([[1, 2, 1, np.nan], [1, 2, 2, 1], [1, 1, 2, 1]], level_of_measurement="nominal")
    assert (said["coefficients"], said["several coders"], said["missing labels"]) == ("alpha", "yes", "yes")
    assert isinstance(found, float)
    assert said["confidence interval"] == "no"


def test_facts_of_pingouin() -> None:
    pingouin = pytest.importorskip("pingouin")
    said = facts("pingouin")
    assert [name for name in ("intraclass_corr", "cronbach_alpha", "cohen_kappa") if hasattr(pingouin, name)] == [
        "intraclass_corr",
        "cronbach_alpha",
    ]
    assert said["coefficients"] == "ICC, Cronbach's alpha"
    roles = {"targets": "item", "raters": "coder", "ratings": "score"}
    assert said["missing labels"] == "error by default"
    with pytest.raises(ValueError, match="missing values"):
        pingouin.intraclass_corr(LONG, **roles)
    assert said["confidence interval"] == "yes"
    assert any(column.startswith("CI95") for column in pingouin.intraclass_corr(LONG[LONG["item"] < 4], **roles))


def test_facts_of_nltk() -> None:
    task: Any = pytest.importorskip("nltk.metrics.agreement").AnnotationTask
    said = facts("nltk")
    assert said["coefficients"] == "kappa, pi, alpha, S"
    assert {"kappa", "pi", "alpha", "S"} <= set(dir(task))
    assert isinstance(task(TRIPLES).alpha(), float)
    assert said["missing labels"] == "alpha only"
    for name in ("pi", "kappa"):
        with pytest.raises(RuntimeError):
            getattr(task(TRIPLES), name)()
    assert said["confidence interval"] == "no"


def test_every_package_of_the_table_is_an_extra_or_explained() -> None:
    header = re.findall(r"^\| \| (pandas_agreement .+) \|$", read(TOP / "README.md"), re.MULTILINE)[0]
    (extra,) = re.findall(r"^peers = \[(.+)\]$", read(TOP / "pyproject.toml"), re.MULTILINE)
    installable = set(re.findall(r'"([\w-]+)', extra))
    assert set(header.split(" | ")) - installable == {"pandas_agreement", "irrCAC"}
    assert facts("irrCAC")["pandas 3"] == "requires pandas 2"
