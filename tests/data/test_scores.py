"""Cells that should be numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import pandas_agreement
from pandas_agreement import InputError, LabelTypeError
from tests.data_sets import scores, to_long
from tests.helpers import same


def test_text_is_refused_with_the_column_and_the_value() -> None:
    df = pandas_agreement.load_example()
    with pytest.raises(
        pandas_agreement.LabelTypeError, match=r"^icc_1 needs numbers, and 'bug' \(of 'ann'\) is not one"
    ):
        df.agree.icc("ann", "bob", detail=True)


# ------------------------------------------------------------------------------------- numbers are not coded as labels

SCORE_DTYPES = [
    "int8",
    "uint16",
    "int64",
    "float32",
    "float64",
    "Int64",
    "Float64",
    "int64[pyarrow]",
    "double[pyarrow]",
]
SCORE_METRICS = ["icc_1", "icc_c1", "icc_a1", "ccc", "pearson", "spearman", "kendall_w", "cronbach_alpha"]


def rated(gaps: bool) -> pd.DataFrame:
    batch = np.random.default_rng(7).choice(["x", "y"], 30)
    return scores(30, 3, 9, gaps=0.15 if gaps else 0.0, seed=7).assign(batch=batch)


def as_labels(frame: pd.DataFrame) -> pd.DataFrame:
    """The same numbers as Python objects, which are coded as categories."""
    return frame.astype(dict.fromkeys(("ann", "bob", "cleo"), object))


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("options", [{}, {"by": "batch"}, {"missing": "complete"}, {"missing": "all", "by": "batch"}])
def test_scores_give_the_numbers_of_coded_labels(options: dict[str, Any], gaps: bool) -> None:
    frame, options = rated(gaps), options | {"detail": True}
    quick = frame.agree.summary("ann", "bob", "cleo", metrics=SCORE_METRICS, **options)
    same(quick, as_labels(frame).agree.summary("ann", "bob", "cleo", metrics=SCORE_METRICS, **options))
    assert (quick["n_categories"] == 0).all()
    beside = frame.agree.summary("ann", "bob", "cleo", metrics=[*SCORE_METRICS, "alpha"], **options)
    same(beside[beside.index.get_level_values("coefficient") != "alpha"], quick)


@pytest.mark.parametrize("dtype", SCORE_DTYPES)
def test_every_dtype_of_numbers_gives_the_same_scores(dtype: str) -> None:
    if "pyarrow" in dtype:
        pytest.importorskip("pyarrow", reason="pyarrow is an extra")
    for gaps in (False, True) if dtype in ("Int64", "Float64", "float64", "int64[pyarrow]") else (False,):
        frame = rated(gaps)[["ann", "bob", "cleo"]]
        same(frame.astype(dtype).agree.icc_a1(), frame.astype(float).agree.icc_a1())


@pytest.mark.parametrize("duplicates", ["first", "last"])
def test_repeated_scores_are_kept_as_asked(duplicates: str) -> None:
    rows = to_long(rated(gaps=False), ("batch",))
    again = pd.concat([rows, rows.head(20).assign(tag=lambda df: df["tag"] + 5)], ignore_index=True)
    found = again.agree.long(item="doc", coder="who", label="tag", duplicates=duplicates).icc_a1()
    kept = again.drop_duplicates(["doc", "who"], keep=duplicates)
    same(found, kept.agree.long(item="doc", coder="who", label="tag").icc_a1())


def test_many_combinations_of_items_and_coders_are_sorted_in_two_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = to_long(rated(gaps=True), ("batch",)).sample(frac=1, random_state=0)
    door = rows.agree.long(item="doc", coder="who", label="tag")
    usual = door.icc_a1(by="batch"), door.alpha(by="batch"), door.by_item()
    monkeypatch.setattr("pandas_agreement.data.long.MAX_CELLS", 0)
    monkeypatch.setattr("pandas_agreement.data.long.MAX_COMBINATION", 30 * 3 * 2 + 1)
    for one, two in zip((door.icc_a1(by="batch"), door.alpha(by="batch"), door.by_item()), usual, strict=True):
        same(one, two, 1e-9)  # restricted likelihood stops at a tolerance


def test_text_among_scores_is_named_with_its_coder() -> None:
    frame = rated(gaps=False).assign(bob="high")
    with (
        pytest.warns(pandas_agreement.AgreementWarning, match="different kinds"),
        pytest.raises(LabelTypeError, match=r"^icc_a1 needs numbers, and 'high' \(of 'bob'\) is not one"),
    ):
        frame.agree.icc_a1("ann", "bob", "cleo")


def test_declared_categories_are_checked_for_scores_too() -> None:
    with pytest.raises(InputError, match="categories"):
        rated(gaps=False).agree.icc_a1("ann", "bob", "cleo", categories=[1, 2])


def test_a_gap_that_must_not_be_is_counted_by_coder() -> None:
    frame = pd.DataFrame({"ann": [1.0, np.nan, 3.0], "bob": [1.0, 2.0, 2.5]})
    with pytest.raises(InputError) as caught:
        frame.agree.icc_a1(missing="raise")
    assert caught.value.problem == "missing='raise': 1 of 3 items lacks a label ('ann': 1)"
