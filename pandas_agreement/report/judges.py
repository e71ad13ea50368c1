"""The section of judges against people, from the result of `versus_humans` with its details."""

from __future__ import annotations

import pandas as pd

from pandas_agreement import formatting as fmt
from pandas_agreement.coefficients.registry import find
from pandas_agreement.core.remarks import remarks_in
from pandas_agreement.report.contents import Section, Text, listing

MAX_ROWS = 50  # judges and groups in the table
MAX_NOTES = 4
EXPLAINED = (
    "Agreement: the judge with the people, and the people with each other. Difference: judge minus people. Margin: the "
    "largest loss that counts as none."
)


def judge_section(result: pd.DataFrame) -> Section:
    """One row per group and judge: agreement, difference with its interval, and the verdict."""
    rows = []
    keys = result.index.names
    for names, row in fmt.each(result.head(MAX_ROWS)):
        line = {str(key): fmt.cell(name) for key, name in zip(keys, names, strict=True)}
        line |= {"agreement": fmt.number(row.estimate), "of people": fmt.number(row.ceiling)}
        line |= {"difference": fmt.signed(row.difference)}
        line |= dict.fromkeys(fmt.interval_header(result), fmt.interval(row, of="difference"))
        line |= {"margin": fmt.number(row.margin), "items": f"{row.n_items:,}", "verdict": row.verdict or fmt.DASH}
        rows.append(line)
    used = result["coefficient"].unique()
    caption = fmt.listed([fmt.coefficient_name(find(name)) for name in used])
    table = listing(caption, rows, len(result), "row", len(keys), ("verdict",))
    return Section("Judges against people", (table, Text(EXPLAINED, "note"), *_notes(result)))


def _notes(result: pd.DataFrame) -> list[Text]:
    """The notes of the rows, each part once."""
    parts = list(dict.fromkeys(part for note in result["remarks"] for part in remarks_in(note) if part))
    texts = [Text(fmt.sentence(part), "note") for part in parts[:MAX_NOTES]]
    return texts if len(parts) <= MAX_NOTES else [*texts, Text("Further notes are in the column note.", "note")]
