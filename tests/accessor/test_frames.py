"""`pandas_agreement.agree`: frames of polars, pyarrow and DuckDB, and plain tables of Python."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest

import pandas_agreement
from pandas_agreement import InputError
from tests.helpers import every, refuses

SIZES = ["small", "medium", "large"]  # not in the order of the alphabet
LABELS = {"ann": ["large", "small", "medium", "small"], "bob": ["large", "medium", "medium", "large"]}


def expected() -> pd.DataFrame:
    ordered = pd.DataFrame(LABELS).astype(pd.CategoricalDtype(SIZES, ordered=True))
    return ordered.agree.kappa("ann", "bob", weights="linear")


def same(frame: Any) -> None:
    """The weights follow the order of the type: by the alphabet the value would be another."""
    found = pandas_agreement.agree(frame).kappa("ann", "bob", weights="linear")
    pd.testing.assert_frame_equal(found, expected())


def test_an_enum_of_polars_keeps_its_order() -> None:
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame(LABELS, schema=dict.fromkeys(LABELS, pl.Enum(SIZES)))
    same(frame)
    same(frame.lazy())


def test_an_enum_of_duckdb_keeps_its_order() -> None:
    duckdb = pytest.importorskip("duckdb")
    base = duckdb.connect()
    base.execute(f"create type size as enum {tuple(SIZES)!r}; create table t (ann size, bob size)")
    base.executemany("insert into t values (?, ?)", list(zip(*LABELS.values(), strict=True)))
    same(base.sql("select * from t"))
    same(base.execute("select * from t"))


def test_a_dictionary_of_arrow_keeps_its_order() -> None:
    pa = pytest.importorskip("pyarrow")
    codes = {name: [SIZES.index(label) for label in labels] for name, labels in LABELS.items()}
    columns = {name: pa.DictionaryArray.from_arrays(code, SIZES, ordered=True) for name, code in codes.items()}
    same(pa.table(columns))


def test_lists_of_labels_of_polars_are_sets() -> None:
    pl = pytest.importorskip("polars")
    labels = {"ann": [["x"], ["x", "y"], ["y"]], "bob": [["x"], ["y"], ["y", "x"]]}
    found = pandas_agreement.agree(pl.DataFrame(labels)).alpha("ann", "bob", level="jaccard")
    sets = pd.DataFrame({name: [frozenset(label) for label in column] for name, column in labels.items()})
    pd.testing.assert_frame_equal(found, sets.agree.alpha("ann", "bob", level="jaccard"))


def test_plain_tables_of_python() -> None:
    records = pd.DataFrame(LABELS).to_dict("records")
    plain = pd.DataFrame(LABELS).agree.kappa("ann", "bob")
    for frame in (LABELS, records, pd.DataFrame(LABELS)):
        pd.testing.assert_frame_equal(pandas_agreement.agree(frame).kappa("ann", "bob"), plain)


def test_whatever_is_no_table_is_named() -> None:
    wrong: dict[str, tuple[Any, str]] = {
        "numbers": ([1, 2], "agree takes a frame, not a list"),
        "a column": (pd.Series([1]), "agree takes a frame, not a pandas Series"),
        "a class": (pd.DataFrame, "agree takes a frame, not a type"),
        "nothing": (None, "agree takes a frame, not None"),
        "unequal": ({"a": [1], "b": [1, 2]}, "this is not a table: All arrays must be of the same length"),
    }

    def check(frame: Any, problem: str) -> None:
        with pytest.raises(InputError) as caught:
            pandas_agreement.agree(frame)
        assert caught.value.problem == problem
        assert "a frame of pandas, polars, pyarrow or DuckDB" in caught.value.remedy

    every(wrong, check)
    with pytest.raises(InputError, match=r"df\.agree needs a pandas DataFrame, and this is a dict\. "):
        pandas_agreement.AgreementAccessor({"a": [1]})  # type: ignore[arg-type]


def test_columns_of_polars_among_the_arguments() -> None:
    pl = pytest.importorskip("polars")
    df = pd.DataFrame({"ann": list("xyxy"), "bob": list("xyyy")})
    other = pl.DataFrame({"gold": list("xyxy")})
    calls: dict[str, tuple[str, Callable[[], object]]] = {
        "by": ("Series", lambda: df.agree.kappa("ann", "bob", by=other["gold"])),
        "reference": ("Series", lambda: df.agree.judges("ann", humans=["bob"]).accuracy(reference=other["gold"])),
        "gold": ("Series", lambda: df.agree.truth("ann", "bob", gold=other["gold"])),
        "chunk": ("DataFrame", lambda: pandas_agreement.stream([other], "ann", "bob")),
        "item": ("Series", lambda: df.agree.long(item=other["gold"], coder="ann", label="bob")),
        "result": ("DataFrame", lambda: pandas_agreement.table(other)),
        "plotted": ("DataFrame", lambda: pandas_agreement.plot(other)),  # type: ignore[arg-type]
        "words": ("DataFrame", lambda: pandas_agreement.interpret(other)),
        "planned": ("DataFrame", lambda: pandas_agreement.plan.more_items(other, 0.2)),
    }

    def check(kind: str, call: Callable[[], object]) -> None:
        problem = f"Expected a frame or a column of pandas, not a polars {kind}"
        with refuses(InputError, f"{problem}. Convert it with .to_pandas()."):
            call()

    every(calls, check)


NO_ARROW = """
import sys

sys.modules["pyarrow"] = None
import polars as pl
from pandas_agreement import InputError, agree

try:
    agree(pl.DataFrame({"ann": ["x"], "bob": ["x"]}))
except InputError as error:
    print(error)
"""


def test_polars_without_pyarrow_says_what_to_install() -> None:
    pytest.importorskip("polars")
    found = subprocess.run([sys.executable, "-c", NO_ARROW], capture_output=True, text=True, check=True)
    assert found.stdout.startswith("The frame cannot be converted: ")
    assert found.stdout.endswith(". Install it with: pip install pyarrow.\n")
