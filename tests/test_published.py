"""Every published value, by every way in that its data allow; and the brute force that other tests lean on.

The table is in `published`. Wide data go in as they are, long, as a contingency table (two coders, no gaps)
and, where a coefficient need not know who said what, as counts.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

from pandas_agreement import InputError
from tests import bruteforce
from tests.data_sets import LONG
from tests.helpers import every
from tests.published import DATA, PUBLISHED, Counts, Row, Table, Wide

Rows = Sequence[Sequence[Any]]

NEEDS_CODERS = {"kappa", "light_kappa", "bias"}


# --- the ways in


def rows_from(data: Wide | Table | Counts) -> list[list[Any]]:
    """Data of any kind as one row of labels per item."""
    if isinstance(data, Wide):
        return [list(row) for row in data.rows]
    if isinstance(data, Table):
        cells = [
            (a, b, n)
            for a, line in zip(data.labels, data.cells, strict=True)
            for b, n in zip(data.labels, line, strict=True)
        ]
        return [[a, b] for a, b, n in cells for _ in range(n)]
    rows = [[label for label, n in zip(data.labels, line, strict=True) for _ in range(n)] for line in data.cells]
    most = max(map(len, rows))
    return [row + [None] * (most - len(row)) for row in rows]


def wide(rows: Rows) -> Any:
    """A column a coder."""
    return pd.DataFrame(rows, columns=[f"coder {g}" for g in range(len(rows[0]))]).agree


def long(rows: Rows) -> Any:
    """A row a judgment, in no order."""
    judgments = [(i, f"coder {g}", x) for i, row in enumerate(rows) for g, x in enumerate(row) if x is not None]
    frame = pd.DataFrame(judgments, columns=["doc", "who", "tag"]).sample(frac=1, random_state=1)
    return frame.agree.long(**LONG)


def crosstab(rows: Rows) -> Any:
    """The contingency table of two coders."""
    return pd.crosstab(*(pd.Series(coder) for coder in zip(*rows, strict=True))).agree.crosstab()


def counts(rows: Rows) -> Any:
    """How many coders chose each label, per item."""
    labels = bruteforce.categories_of(rows)
    cells = [[list(row).count(label) for label in labels] for row in rows]
    return pd.DataFrame(cells, columns=labels).agree.counts()


WAYS: dict[str, Callable[[Rows], Any]] = {"wide": wide, "long": long, "crosstab": crosstab, "counts": counts}


def ways_for(row: Row) -> list[str]:
    """The ways that know enough for this row."""
    rows = rows_from(DATA[row.data])
    named = not isinstance(DATA[row.data], Counts)
    complete_pair = len(rows[0]) == 2 and all(None not in items for items in rows)
    allowed = {
        "wide": named,
        "long": named,
        "crosstab": complete_pair,
        "counts": row.method not in NEEDS_CODERS,
    }
    return [way for way, fits in allowed.items() if fits]


# --- figures


def number(figure: Fraction | str) -> float:
    return float(figure)


def tolerance(figure: Fraction | str) -> float:
    """Half a unit of the last printed digit; exact fractions leave room for rounding alone."""
    digits = len(figure.split(".")[1]) if isinstance(figure, str) else 12
    return 0.5 * 10**-digits + 1e-12


def approx(figure: Fraction | str, factor: float = 1.0) -> Any:
    return pytest.approx(factor * number(figure), abs=factor * tolerance(figure), rel=0)


def by_label(figures: Any) -> Mapping[Any, Any]:
    """A coefficient has one figure a column, categories have one a label."""
    return figures if isinstance(figures, Mapping) else {None: figures}


def check(row: Row, value: Callable[[str, Any], float], n_items: int) -> None:
    """Compare every figure of a row; `value(column, label)` is the candidate."""
    for column, figures in row.expected.items():
        # a variance over n instead of n - 1
        factor = math.sqrt(n_items / (n_items - 1)) if column == "se_over_n" else 1.0
        ours = "se" if column == "se_over_n" else column
        for label, figure in by_label(figures).items():
            assert value(ours, label) == approx(figure, factor), (column, label)


def options_for(row: Row) -> dict[str, Any]:
    """Matrices are exact fractions in the table and arrays in the call."""
    matrices = {
        key: np.array(value, dtype=float)
        for key, value in row.options.items()
        if key in ("weights", "level") and not isinstance(value, str)
    }
    order = {"categories": DATA[row.data].labels} if matrices else {}
    return {**row.options, **matrices, **order}


# --- the package


def check_package(row: Row, way: str) -> None:
    result = getattr(WAYS[way](rows_from(DATA[row.data])), row.method)(**options_for(row))
    frame = result.reset_index()

    def value(column: str, label: Any) -> float:
        line = frame if label is None else frame[frame["category"] == label]
        (found,) = line[column]
        return found

    check(row, value, int(frame["n_items"].iloc[0]))


@pytest.mark.parametrize("way", WAYS)
def test_package_gives_the_published_value(way: str) -> None:
    every({f"{row.id}-{way}": (row, way) for row in PUBLISHED if way in ways_for(row)}, check_package)


@pytest.mark.parametrize("method", sorted(NEEDS_CODERS))
def test_counts_refuse_what_needs_to_know_who_said_what(method: str) -> None:
    message = (
        f"{method} needs the coder of each label, which these data do not hold; use pi, alpha, ac1, s or icc_1, or "
        "give the data as df.agree.long(item=..., coder=..., label=...)"
    )
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        getattr(counts(rows_from(DATA["two"])), method)()


# --- the brute force


def pairing(row: Row) -> Any:
    """The weight or distance of a row as a function of two labels."""
    options, data = row.options, DATA[row.data]
    named = options.get("weights", options.get("level", "nominal"))
    if not isinstance(named, str):
        return bruteforce.from_matrix(data.labels, named)
    if row.method == "alpha":
        distances = {
            "nominal": bruteforce.nominal_distance,
            "ordinal": "ordinal",
            "interval": bruteforce.interval_distance,
            "ratio": bruteforce.ratio_distance,
        }
        return distances[named]
    if named == "nominal":
        return bruteforce.nominal
    return bruteforce.by_position(bruteforce.WEIGHTS[named], options["categories"])


def oracle(row: Row) -> Callable[..., Any]:
    """The brute force of a row, as a function of rows, a label (by category) and item weights."""
    missing = row.options.get("missing", "pairable")
    if row.method == "by_category":
        function = getattr(bruteforce, row.options["metrics"][0])
        return lambda rows, label, omega=None: function(rows, label, missing, omega)
    if row.method in ("ac1", "perreault_leigh"):
        unweighted = getattr(bruteforce, row.method)
        return lambda rows, label, omega=None: unweighted(rows, missing, omega)
    extra = {"pool": row.options["pool"]} if "pool" in row.options else {}
    function = getattr(bruteforce, row.method)
    return lambda rows, label, omega=None: function(rows, pairing(row), missing, omega, **extra)


# a thousand items are too many for loops over all pairs of labels
SMALL = [row for row in PUBLISHED if row.data != "sandwich" or row.method not in ("alpha",)]


def check_brute_force(row: Row) -> None:
    rows = rows_from(DATA[row.data])
    missing = row.options.get("missing", "pairable")
    function = oracle(row)

    def value(column: str, label: Any) -> float:
        if column == "se":
            return bruteforce.influence_se(lambda items, omega: function(items, label, omega), rows, missing)
        return float(function(rows, label))

    known = {column: figures for column, figures in row.expected.items() if column not in ("observed", "expected")}
    if row.data == "sandwich":  # a derivative per item, for a thousand items
        known = {"estimate": row.expected["estimate"]}
    check(row._replace(expected=known), value, len(bruteforce.kept(rows, missing)))


@pytest.mark.parametrize("method", sorted({row.method for row in SMALL}))
def test_brute_force_gives_the_published_value(method: str) -> None:
    every({row.id: (row,) for row in SMALL if row.method == method}, check_brute_force)
