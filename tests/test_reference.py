"""The benchmark in `tests/reference`: this package gives every certified value, and so do the definitions as loops.

Values from the literature are computed by every way in that their data allow: wide, long, as a contingency table (two
coders, nothing missing) and, where a coefficient need not know who said what, as counts.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd
import pytest

from pandas_agreement import InputError
from tests import bruteforce, reference
from tests.data_sets import LONG
from tests.helpers import every, none_of
from tests.pages import TOP, read
from tests.reference import Call, Certified

Rows = Sequence[Sequence[Any]]

CERTIFIED = reference.certified()
LITERATURE = [row for row in CERTIFIED if row.basis in ("printed", "formula")]
NEEDS_CODERS = {"kappa", "kappa_pairs", "light_kappa", "bias"}
NUMERIC = reference.UNNAMED | {"cronbach_alpha"}


def name_of(row: Certified) -> str:
    return "-".join([*row.call, row.category, row.quantity])


# --- the files


def test_every_data_set_has_a_file_a_source_and_a_value() -> None:
    files = {path.stem for path in (reference.HERE / "data").glob("*.csv")}
    assert files == set(reference.data_sets()) == {row.call.data for row in CERTIFIED}
    assert all(entry["source"] for entry in reference.data_sets().values())


def test_every_value_has_a_source_and_a_tolerance() -> None:
    versions = {row["package"] for row in reference.rows_of("packages")}
    none_of([row for row in CERTIFIED if not row.source or not 0 < row.tolerance <= 0.005])
    of_packages = [row for row in CERTIFIED if row.basis.startswith("package")]
    none_of([row.source for row in of_packages if not versions.issuperset(row.source.split("+"))])
    none_of([row for row in of_packages if (row.basis == "packages") != ("+" in row.source)])
    none_of(
        [row.source for row in LITERATURE if not re.search(r"\d{4}|lecture|Lecture|Wikipedia|delta method", row.source)]
    )


def test_the_tolerance_of_printed_digits_is_half_a_unit_of_the_last() -> None:
    digits = [row for row in LITERATURE if "/" not in row.value]
    none_of([row for row in digits if row.tolerance > 0.5 * 10 ** -len(row.value.partition(".")[2]) * 1.0001])


def test_no_value_is_certified_twice_with_different_numbers() -> None:
    seen: dict[Any, Certified] = {}
    for row in CERTIFIED:
        other = seen.setdefault((row.call, row.category, row.quantity), row)
        assert abs(other.number - row.number) <= other.tolerance + row.tolerance, (other, row)


# --- the package


def check(call: Call) -> None:
    result = reference.result_of(call)
    for row in CERTIFIED:
        if row.call == call:
            compared = reference.Compared(row, reference.number_in(result, row))
            assert compared.agrees, compared


@pytest.mark.parametrize("statistic", sorted({row.call.statistic for row in CERTIFIED}))
def test_package_gives_the_certified_values(statistic: str) -> None:
    every({"-".join(row.call): (row.call,) for row in CERTIFIED if row.call.statistic == statistic}, check)


def test_a_wrong_number_does_not_agree() -> None:
    row = next(row for row in CERTIFIED if row.value == "0.815388")
    assert reference.Compared(row, 0.8153884).agrees
    assert not reference.Compared(row, 0.815389).agrees


def test_the_command_prints_the_table() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.reference", "shrout_fleiss1979"],
        cwd=TOP,
        capture_output=True,
        text=True,
        check=True,
    )
    n = sum(row.call.data == "shrout_fleiss1979" for row in CERTIFIED)
    assert re.search(r"^icc_a1 +1 +0 +5 +0 +6 of 6 ", done.stdout, re.MULTILINE)
    assert f"\n{n} of {n} values agree\n" in done.stdout


# --- other packages


def test_other_numbers_are_of_certified_calls() -> None:
    """Each number of another package differs from a certified value by more than its tolerance."""
    others = reference.rows_of("other_numbers")
    assert len(others) > 15
    for other in others:
        calls = {name: other[name] for name in Call._fields}
        row = next(row for row in CERTIFIED if row.call == Call(**calls) and row.quantity == other["quantity"])
        assert not reference.Compared(row, float(other["gives"])).agrees, other
        assert other["why"].endswith(".")


# --- the ways in


def rows_from(name: str) -> list[list[Any]]:
    """Data of any layout as one row of labels per item."""
    frame, layout = reference.frame_of(name), reference.data_sets()[name]["layout"]
    if layout == "wide":
        return frame.astype(object).where(frame.notna(), None).to_numpy().tolist()
    if layout == "contingency":
        return [[a, b] for a, line in frame.iterrows() for b, n in line.items() for _ in range(n)]
    rows = [[label for label, n in line.items() for _ in range(n)] for _, line in frame.iterrows()]
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


def ways_for(call: Call) -> list[str]:
    """The ways that know enough for this call."""
    rows = rows_from(call.data)
    named = reference.data_sets()[call.data]["layout"] != "counts"
    complete_pair = len(rows[0]) == 2 and all(None not in items for items in rows)
    allowed = {
        "wide": named,
        "long": named,
        "crosstab": complete_pair,
        "counts": call.statistic not in NEEDS_CODERS,
    }
    return [way for way, fits in allowed.items() if fits]


def check_way(row: Certified, way: str) -> None:
    result = reference.result_of(row.call, WAYS[way](rows_from(row.call.data)))
    assert reference.Compared(row, reference.number_in(result, row)).agrees


LABELS = [row for row in LITERATURE if row.call.statistic not in NUMERIC]


@pytest.mark.parametrize("way", WAYS)
def test_package_gives_the_values_of_the_literature(way: str) -> None:
    every({f"{name_of(row)}-{way}": (row, way) for row in LABELS if way in ways_for(row.call)}, check_way)


@pytest.mark.parametrize(("method", "name"), [("bias", "Bias"), ("kappa", "Kappa"), ("light_kappa", "light_kappa")])
def test_counts_refuse_what_needs_to_know_who_said_what(method: str, name: str) -> None:
    message = (
        f"{name} needs the coder of each label, which these data do not contain. Use pi, alpha, ac1, s or icc_1, or "
        "give the data as df.agree.long(item=..., coder=..., label=...)."
    )
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        getattr(counts(rows_from("artstein_poesio2005_two")), method)()


# --- the brute force


def pairing(call: Call) -> Any:
    """The weight or distance of a call as a function of two labels."""
    labels = reference.labels_of(call.data)
    if call.compare.startswith("["):
        return bruteforce.from_matrix(labels, reference.matrix(call.compare).tolist())
    if call.statistic == "alpha":
        distances = {
            "nominal": bruteforce.nominal_distance,
            "ordinal": "ordinal",
            "interval": bruteforce.interval_distance,
            "ratio": bruteforce.ratio_distance,
        }
        return distances[call.compare]
    if call.compare == "nominal":
        return bruteforce.nominal
    return bruteforce.by_position(bruteforce.WEIGHTS[call.compare], labels)


def oracle(call: Call, label: Any) -> Callable[..., Any]:
    """The brute force of a call, as a function of rows and item weights."""
    name = "kappa" if call.statistic == "kappa_pairs" else call.statistic
    function = getattr(bruteforce, name)
    if name in ("rate", "specific"):
        return lambda rows, omega=None: function(rows, label, call.missing, omega)
    if name in ("ac1", "perreault_leigh"):
        return lambda rows, omega=None: function(rows, call.missing, omega)
    extra = {"pool": "pairs"} if call.statistic == "kappa_pairs" else {}
    return lambda rows, omega=None: function(rows, pairing(call), call.missing, omega, **extra)


def check_brute_force(row: Certified) -> None:
    rows = rows_from(row.call.data)
    label = next((x for x in reference.labels_of(row.call.data) if reference.as_text(x) == row.category), None)
    function = oracle(row.call, label)
    if row.quantity == "estimate":
        found = float(function(rows))
    else:
        n = len(bruteforce.kept(rows, row.call.missing))
        factor = ((n - 1) / n) ** 0.5 if row.quantity == "se_over_n" else 1.0
        found = factor * bruteforce.influence_se(function, rows, row.call.missing)
    assert reference.Compared(row, found).agrees, found


#: a thousand items are too many for loops over all pairs of labels, and for a derivative per item
TOO_MANY = {row for row in LABELS if row.call.data == "siegel2018_sandwich"}
TOO_MANY -= {row for row in TOO_MANY if row.quantity == "estimate" and row.call.statistic != "alpha"}
SMALL = [row for row in LABELS if row.quantity not in ("observed", "expected") and row not in TOO_MANY]


@pytest.mark.parametrize("statistic", sorted({row.call.statistic for row in SMALL}))
def test_brute_force_gives_the_values_of_the_literature(statistic: str) -> None:
    every({name_of(row): (row,) for row in SMALL if row.call.statistic == statistic}, check_brute_force)


# --- the page


def test_the_benchmark_explains_its_columns() -> None:
    text = read(reference.HERE / "README.md")
    for file in ("data_sets", "certified", "packages", "other_numbers"):
        assert f"`{file}.csv`" in text
        for column in reference.rows_of(file)[0]:
            assert f"`{column}`" in text, (file, column)
