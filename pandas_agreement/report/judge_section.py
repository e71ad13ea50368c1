"""The section about judges: how they compare with people, and what they get wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from pandas_agreement import formatting as fmt
from pandas_agreement import plotting
from pandas_agreement.coefficients.registry import find
from pandas_agreement.core.remarks import remarks_in
from pandas_agreement.report import pictures
from pandas_agreement.report.contents import Block, Bullets, Section, Text, listing
from pandas_agreement.results.tidy import level_of

MAX_ROWS = 30  # of a table
MAX_NOTES = 4
WORDS = {
    "better": "agrees with people more than people agree with each other",
    "as good": "is as good as a person: not below the people by the margin",
    "worse": "agrees with people less than people agree with each other",
    "not shown": "is not shown to be as good as a person",
}
NOTE = (
    "The margin is your decision. A judge that is not shown to beat a constant answer and guessing, or that copies a "
    "person, is never as good as a person."
)


def judge_section(
    versus: pd.DataFrame, detail: pd.DataFrame | None = None, rates: pd.DataFrame | None = None, draw: bool = False
) -> Section:
    """The section, from `versus_humans`, the same by human, and `error_rates`, which scores do not have."""
    return Section("Judges against people", tuple(_blocks(versus, detail, rates, draw)))


def _blocks(
    versus: pd.DataFrame, detail: pd.DataFrame | None, rates: pd.DataFrame | None, draw: bool
) -> Iterator[Block]:
    yield Bullets(tuple(_answers(versus)))
    if draw and pictures.can_draw() and versus["difference"].notna().any():
        alt = "Judge minus humans with intervals and the margin, as in the table."
        yield pictures.picture(lambda: plotting.versus_humans(versus), alt)
    yield _table(f"{_measures(versus)} on the same items", versus, _compared, ("interval", "verdict"))
    if detail is not None:
        yield _table("With each person", detail, _of_person)
    if rates is not None:
        yield _table("Against the vote of all people", rates, _of_category)
    yield from _notes(versus)
    yield Text(NOTE, "note")


def _measures(versus: pd.DataFrame) -> str:
    """The coefficients, with their weights or level."""
    used = versus[["coefficient", "weights"]].drop_duplicates().itertuples(index=False)
    names = [fmt.coefficient_name(find(name), 2, "" if weights == "nominal" else weights) for name, weights in used]
    return fmt.listed(list(dict.fromkeys(names)))


def _table(caption: str, result: pd.DataFrame, cells: Any, text: tuple[str, ...] = ()) -> Block:
    """The first rows of a result: its keys, and the cells that are made of each row."""
    keys = list(map(str, result.index.names))
    rows = [dict(zip(keys, _key(key), strict=True)) | cells(row) for key, row in fmt.each(result.head(MAX_ROWS))]
    return listing(caption, rows, len(result), "row", len(keys), text)


def _key(key: Any) -> list[str]:
    return [fmt.short(fmt.label_text(part), 40) for part in key]


def _compared(row: Any) -> dict[str, str]:
    numbers = {"agreement": row.estimate, "among people": row.ceiling, "difference": row.difference}
    cells = {name: fmt.number(value) for name, value in numbers.items()}
    cells |= {"interval": fmt.interval(row, of="difference"), "margin": fmt.number(row.margin)}
    cells |= {"constant": fmt.number(row.baseline), "items": f"{row.n_items:,}"}
    return cells | {"verdict": row.verdict or fmt.DASH}


def _of_person(row: Any) -> dict[str, str]:
    numbers = {"agreement": row.estimate, "of others": row.ceiling, "difference": row.difference}
    return {name: fmt.number(value) for name, value in numbers.items()} | {"items": f"{row.n_items:,}"}


def _of_category(row: Any) -> dict[str, str]:
    cells = {"found": fmt.percent(row.sensitivity), "right": fmt.percent(row.precision)}
    return cells | {"given too often": fmt.typeset(fmt.signed(row.favours, 2))}


def _answers(versus: pd.DataFrame) -> Iterator[tuple[str, str]]:
    for key, row in fmt.each(versus.head(MAX_ROWS)):
        about = f"{', '.join(_key(key))} {WORDS.get(row.verdict, WORDS['not shown'])}"
        if pd.notna(row.difference) and pd.notna(row.difference_low):
            ends = fmt.interval(row, of="difference")
            about += f" (difference {fmt.number(row.difference)}, {level_of(versus)}interval {ends})"
        yield row.verdict, f"{about}."


def _notes(result: pd.DataFrame) -> Iterator[Text]:
    """The remarks on the rows, each once."""
    parts = list(dict.fromkeys(part for remarks in result["remarks"] for part in remarks_in(remarks) if part))
    yield from (Text(fmt.sentence(part), "note") for part in parts[:MAX_NOTES])
    if len(parts) > MAX_NOTES:
        yield Text("Further remarks are in the result of versus_humans(detail=True).", "note")
