"""What established packages outside Python say about the same data (`reference.json` explains itself).

Estimates must agree to ten digits, standard errors to eight, where the two mean the same thing.
"""

from __future__ import annotations

import functools
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from pandas_agreement import scales
from tests.helpers import every

REFERENCE: dict[str, Any] = json.loads((Path(__file__).parent / "reference.json").read_text("utf-8"))

#: weights and levels that see more of two labels than whether they are equal
ORDERED = {
    "linear",
    "quadratic",
    "ordinal",
    "radical",
    "ratio",
    "circular",
    "bipolar",
    "interval",
    "ordinal_gwet",
}


def typed(labels: list[str]) -> list[Any]:
    """Header cells as the numbers they are, if all are."""
    numbers = pd.to_numeric(pd.Series(labels), errors="coerce")
    return labels if numbers.isna().any() else numbers.tolist()


@functools.cache
def frame_of(name: str) -> pd.DataFrame:
    """A data set as pandas reads its file."""
    data = REFERENCE["data"][name]
    text = "\n".join([data["header"], *data["rows"].split("; ")])
    index = 0 if data["layout"] == "contingency" else None
    frame = pd.read_csv(io.StringIO(text), index_col=index, keep_default_na=False, na_values=[""])
    return frame if data["layout"] == "wide" else frame.set_axis(typed(frame.columns.tolist()), axis=1)


def door(name: str) -> Any:
    """The accessor for the layout of a data set."""
    agree = frame_of(name).agree
    return {"wide": lambda: agree, "contingency": agree.crosstab, "counts": agree.counts}[
        REFERENCE["data"][name]["layout"]
    ]()


@functools.cache
def categories_of(name: str) -> list[Any]:
    """Labels in their order: that of the table, else sorted."""
    frame = frame_of(name)
    if REFERENCE["data"][name]["layout"] == "wide":
        return sorted(pd.unique(frame.stack().dropna()))
    return frame.columns.tolist()


def gwet_ordinal_distances(n: int) -> np.ndarray:
    """Pairs of categories from one to the other, a custom matrix for alpha."""
    steps = np.abs(np.subtract.outer(np.arange(n), np.arange(n)))
    return steps * (steps + 1) / 2


def options_for(name: str, coefficient: str, how: str) -> dict[str, Any]:
    """The keywords of a call: how to compare two labels, and their order where words have one."""
    how, _, position = how.partition(":")
    labels = categories_of(name)
    words = isinstance(labels[0], str)
    options: dict[str, Any] = {"categories": labels} if how in ORDERED and words else {}
    measured: Any = scales.positions(how) if position else how
    if how == "circular":  # as many places as there are whole numbers from the lowest label to the highest
        measured = scales.circular(len(labels) if words else labels[-1] - labels[0] + 1)
    if how == "ordinal_gwet":
        return {"level": gwet_ordinal_distances(len(labels)), "categories": labels}
    if coefficient == "alpha":
        return {**options, "level": measured}
    return options if how == "nominal" else {**options, "weights": measured}


def coders_of(name: str) -> list[Any]:
    """The coders of a wide frame by name, so that none is taken for another column."""
    return frame_of(name).columns.tolist() if REFERENCE["data"][name]["layout"] == "wide" else []


def name_of(value: list[Any]) -> str:
    return "-".join(map(str, value[:4])).replace(" ", "")


def check(where: str, coefficient: str, how: str, missing: str, estimate: float, se: float | None, peers: str) -> None:
    name, _, pair = where.partition(": ")
    coders = pair.split(", ") if pair else coders_of(name)
    result = getattr(door(name), coefficient)(*coders, missing=missing, **options_for(name, coefficient, how))
    single_precision = peers == "magree"
    assert result["estimate"].item() == pytest.approx(estimate, abs=1e-6 if single_precision else 1e-10)
    if se is not None:
        assert result["se"].item() == pytest.approx(se, abs=1e-8)


@pytest.mark.filterwarnings("ignore:.*'ratio' compares positions:pandas_agreement.AgreementWarning")
@pytest.mark.parametrize("coefficient", sorted({value[1] for value in REFERENCE["values"]}))
def test_package_agrees_with_peers(coefficient: str) -> None:
    values = [value for value in REFERENCE["values"] if value[1] == coefficient]
    every({f"{name_of(value)} ({value[-1]})": value for value in values}, check)


def check_specific(name: str) -> None:
    expected = {category: estimate for where, category, estimate, _ in REFERENCE["specific"] if where == name}
    result = door(name).by_category(*coders_of(name), metrics=("specific",)).reset_index()
    found = dict(zip(result["category"], result["estimate"], strict=True))
    assert found == {category: pytest.approx(estimate, abs=1e-10) for category, estimate in expected.items()}


def test_specific_agreement_agrees_with_peers() -> None:
    every({name: (name,) for name in sorted({value[0] for value in REFERENCE["specific"]})}, check_specific)


def test_there_are_values_for_every_coefficient() -> None:
    coefficients = {value[1] for value in REFERENCE["values"]}
    assert coefficients == {"observed", "kappa", "pi", "alpha", "ac1", "ac2", "s", "light_kappa"}
