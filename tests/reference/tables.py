"""The comparison as tables, for the command and the page of the site."""

from __future__ import annotations

import pandas as pd

from tests.reference import Call, Compared, data_sets, rows_of

BASES = {
    "printed": "printed in the source",
    "formula": "exact, by a published formula",
    "packages": "two or more packages",
    "package": "one package",
}


def by_statistic(found: list[Compared]) -> pd.DataFrame:
    """Per statistic: the number of values by basis, how many agree, and the largest difference from a package."""
    rows = pd.DataFrame(
        {
            "statistic": [one.row.call.statistic for one in found],
            "basis": [BASES[one.row.basis] for one in found],
            "agrees": [one.agrees for one in found],
            "difference": [
                abs(one.found - one.row.number)
                if one.row.tolerance < 1e-7 and one.row.quantity != "f"
                else float("nan")
                for one in found
            ],
        }
    )
    counts = pd.crosstab(rows["statistic"], rows["basis"]).reindex(columns=[*BASES.values()], fill_value=0)
    grouped = rows.groupby("statistic")
    agree = [f"{sum(group)} of {len(group)}" for _, group in grouped["agrees"]]
    largest = [f"{value:.0e}" if value == value else "" for value in grouped["difference"].max()]
    return counts.assign(**{"agree": agree, "largest difference": largest}).rename_axis(None, axis=1)


def as_words(call: Call, category: str = "", quantity: str = "estimate") -> str:
    """A statistic and what is special about it: "alpha, ordinal", "pi, all labels, se"."""
    compare = "matrix" if call.compare.startswith("[") else call.compare.replace("nominal", "")
    missing = {"all": "missing: all", "complete": "complete items"}.get(call.missing, "")
    special = [compare, missing, f"category {category}" if category else "", quantity.replace("estimate", "")]
    return ", ".join([call.statistic, *filter(None, special)])


def of_literature(found: list[Compared]) -> pd.DataFrame:
    """Each estimate that a source prints, with the number of this package."""
    printed = [one for one in found if one.row.basis == "printed" and one.row.quantity == "estimate"]
    rows = [
        {
            "data": one.row.call.data,
            "statistic": as_words(one.row.call, one.row.category),
            "certified": one.row.value,
            "this package": f"{one.found:.6f}",
            "source": one.row.source,
        }
        for one in printed
    ]
    return pd.DataFrame(rows)


def other_numbers(found: list[Compared]) -> pd.DataFrame:
    """Packages that give another number, with the certified one and the reason."""
    certified = {(one.row.call, one.row.quantity): one for one in reversed(found)}
    rows = []
    for other in rows_of("other_numbers"):
        call = Call(*(other[name] for name in Call._fields))
        one = certified[call, other["quantity"]]
        rows.append(
            {
                "data": call.data,
                "statistic": as_words(call, quantity=other["quantity"]),
                "certified": f"{one.row.number:.6g}",
                "package": f"{other['package']} {other['version']}",
                "gives": other["gives"],
                "why": other["why"],
            }
        )
    return pd.DataFrame(rows)


def sources() -> pd.DataFrame:
    """Data sets with layout and source."""
    return pd.DataFrame([*data_sets().values()])


def as_markdown(table: pd.DataFrame) -> str:
    """A table for the site, its text as it is."""
    cells = [[*map(str, table.columns)], ["---"] * table.shape[1], *table.astype(str).to_numpy().tolist()]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |\n" for row in cells)
