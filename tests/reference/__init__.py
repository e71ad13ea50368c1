"""A benchmark of agreement statistics: data sets, certified values, and what this package makes of them.

The files are for any program: `data/*.csv`, `data_sets.csv` (layout and source), `certified.csv` (one value per row,
with its tolerance and source), `packages.csv` (versions) and `other_numbers.csv` (who gives another number, and why).
`README.md` explains their columns. `python -m tests.reference` compares this package with all of them.
"""

from __future__ import annotations

import csv
import functools
import json
import math
import warnings
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

import pandas_agreement
from pandas_agreement import scales

HERE = Path(__file__).parent

#: weights and levels that see more of two labels than whether they are equal
ORDERED = {"linear", "quadratic", "ordinal", "radical", "ratio", "bipolar", "interval", "circular"}
#: statistics that other names have as methods: the method, its options
METHODS: dict[str, tuple[str, dict[str, Any]]] = {
    "rate": ("by_category", {"metrics": ("rate",)}),
    "specific": ("by_category", {"metrics": ("specific",)}),
    "kappa_pairs": ("kappa", {"pool": "pairs"}),
}
UNNAMED = {"icc_1", "icc_1k", "icc_c1", "icc_ck", "icc_a1", "icc_ak", "ccc", "kendall_w"}  # options: missing alone


class Call(NamedTuple):
    """A statistic of a data set: everything but the number."""

    data: str
    coders: str  # "|" between them; empty: all
    statistic: str
    compare: str  # weights, or for alpha the level
    missing: str


class Certified(NamedTuple):
    """One number that a program has to give."""

    call: Call
    category: str
    quantity: str  # se_over_n: a standard error that divides by n items instead of n - 1
    value: str
    tolerance: float
    basis: str
    source: str

    @property
    def number(self) -> float:
        return float(Fraction(self.value)) if "/" in self.value else float(self.value)


def rows_of(name: str) -> list[dict[str, str]]:
    with (HERE / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def certified() -> list[Certified]:
    """Every certified value."""
    names = Call._fields
    return [
        Certified(
            Call(*(row[name] for name in names)),
            *(row[name] for name in ("category", "quantity", "value")),
            float(row["tolerance"]),
            row["basis"],
            row["source"],
        )
        for row in rows_of("certified")
    ]


# ------------------------------------------------------------------------------------------------- the data


@functools.cache
def data_sets() -> dict[str, dict[str, str]]:
    """Layout and source of each data set."""
    return {row["data"]: row for row in rows_of("data_sets")}


def typed(labels: list[str]) -> list[Any]:
    """Header cells as the numbers they are, if all are."""
    numbers = pd.to_numeric(pd.Series(labels), errors="coerce")
    return labels if numbers.isna().any() else numbers.tolist()


@functools.cache
def frame_of(name: str) -> pd.DataFrame:
    """A data set as pandas reads its file."""
    layout = data_sets()[name]["layout"]
    path = HERE / "data" / f"{name}.csv"
    frame = pd.read_csv(
        path, index_col=0 if layout == "contingency" else None, keep_default_na=False, na_values=[""]
    ).rename_axis(None)
    return frame if layout == "wide" else frame.set_axis(typed(frame.columns.tolist()), axis=1)


@functools.cache
def labels_of(name: str) -> list[Any]:
    """Labels in their order: that of the table, else sorted."""
    frame = frame_of(name)
    return (
        sorted(pd.unique(frame.stack().dropna())) if data_sets()[name]["layout"] == "wide" else frame.columns.tolist()
    )


# ------------------------------------------------------------------------------------------------- this package


def matrix(text: str) -> np.ndarray:
    """A matrix of fractions as numbers."""
    return np.array([[float(Fraction(cell)) for cell in row] for row in json.loads(text)])


def gwet_ordinal_distances(n: int) -> np.ndarray:
    """Pairs of categories from one to the other, as a distance."""
    steps = np.abs(np.subtract.outer(np.arange(n), np.arange(n)))
    return steps * (steps + 1) / 2


def measured(compare: str, labels: list[Any]) -> Any:
    """What this package takes for weights or a level."""
    if compare.startswith("["):
        return matrix(compare)
    name, _, argument = compare.rstrip(")").partition("(")
    if name == "ordinal_gwet":
        return gwet_ordinal_distances(len(labels))
    if name == "positions":
        return scales.positions(argument)
    return scales.circular(float(argument)) if name == "circular" else compare


def options_of(call: Call) -> dict[str, Any]:
    """The keywords of a call."""
    labels = labels_of(call.data) if call.compare not in ("", "nominal") else []
    name = call.compare.partition("(")[0]
    in_order = name[:1] == "[" or name == "ordinal_gwet" or (name in ORDERED and isinstance(labels[0], str))
    keyword = "level" if call.statistic == "alpha" else "weights"
    return {
        **METHODS.get(call.statistic, ("", {}))[1],
        **({keyword: measured(call.compare, labels)} if call.compare not in ("", "nominal") else {}),
        **({"categories": labels} if in_order else {}),
        "missing": call.missing,
        "detail": True,
    }


def coders_of(call: Call) -> list[Any]:
    """The coders of a wide frame by name, so that none is taken for another column."""
    if data_sets()[call.data]["layout"] != "wide":
        return []
    return call.coders.split("|") if call.coders else frame_of(call.data).columns.tolist()


def opened(name: str) -> Any:
    """The accessor for the layout of a data set."""
    agree = frame_of(name).agree
    return {"wide": lambda: agree, "contingency": agree.crosstab, "counts": agree.counts}[data_sets()[name]["layout"]]()


def result_of(call: Call, agree: Any = None) -> pd.DataFrame:
    """The result of a call, by the layout of the data set or another accessor that holds the same labels."""
    method = METHODS.get(call.statistic, (call.statistic, {}))[0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pandas_agreement.AgreementWarning)
        found = getattr(opened(call.data) if agree is None else agree, method)
        result = found(*(coders_of(call) if agree is None else []), **options_of(call))
    return result.reset_index()


def as_text(label: Any) -> str:
    return label if isinstance(label, str) else f"{label:g}"


def number_in(result: pd.DataFrame, row: Certified) -> float:
    """The number of a result that a certified value is about."""
    line = result[[as_text(label) == row.category for label in result["category"]]] if row.category else result
    if row.quantity == "se_over_n":
        n = line["n_items"].item()
        return float(line["se"].item() * math.sqrt((n - 1) / n))
    return float(line[row.quantity].item())


class Compared(NamedTuple):
    """A certified value and the number of this package."""

    row: Certified
    found: float

    @property
    def agrees(self) -> bool:
        return abs(self.found - self.row.number) <= self.row.tolerance * max(1.0, abs(self.row.number))


def compared(rows: list[Certified]) -> Iterator[Compared]:
    """All values, each call made once."""
    result_for = functools.cache(result_of)
    for row in rows:
        yield Compared(row, number_in(result_for(row.call), row))
