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
    largest = [f"{value:.0e}" for value in grouped["difference"].max()]
    return counts.assign(**{"agree": agree, "largest difference": largest}).rename_axis(None, axis=1)


def as_call(call: Call) -> dict[str, str]:
    """A call in words, a matrix of weights as "matrix"."""
    compare = "matrix" if call.compare.startswith("[") else call.compare
    return {"data": call.data, "statistic": call.statistic, "weights or level": compare, "missing": call.missing}


def of_literature(found: list[Compared]) -> pd.DataFrame:
    """Each estimate that a source prints, with the number of this package."""
    printed = [one for one in found if one.row.basis == "printed" and one.row.quantity == "estimate"]
    rows = [
        {
            **as_call(one.row.call),
            "category": one.row.category,
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
        shown = as_call(call)
        shown["statistic"] += f" ({other['quantity']})" if other["quantity"] != "estimate" else ""
        gives = {"certified": f"{one.row.number:.6g}", "package": f"{other['package']} {other['version']}"}
        rows.append({**shown, **gives, "gives": other["gives"], "why": other["why"]})
    return pd.DataFrame(rows)


def sources() -> pd.DataFrame:
    """Data sets with layout and source."""
    return pd.DataFrame([*data_sets().values()])


def as_markdown(table: pd.DataFrame) -> str:
    """A table for the site, its text as it is."""
    cells = [[*map(str, table.columns)], ["---"] * table.shape[1], *table.astype(str).to_numpy().tolist()]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |\n" for row in cells)
