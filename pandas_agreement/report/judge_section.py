"""The section of a report about judges: how they compare with people, and what they get wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from pandas_agreement import formatting as fmt
from pandas_agreement import plotting
from pandas_agreement.coefficients.registry import find
from pandas_agreement.report import pictures
from pandas_agreement.report.contents import Block, Bullets, Section, Text, table

MAX_ROWS = 30  # of a table
WORDS = {
    "better": "agrees with people more than people agree with each other",
    "as good": "is as good as a person: not below the people by the margin",
    "worse": "agrees with people less than people agree with each other",
    "not shown": "is not shown to be as good as a person",
}


def judge_section(versus: pd.DataFrame, detail: pd.DataFrame, rates: pd.DataFrame | None, draw: bool) -> Section:
    """The section, from the results of `versus_humans` (also by human) and `error_rates`, which scores do not have."""
    return Section("Judges against people", tuple(_blocks(versus, detail, rates, draw)))


def _blocks(versus: pd.DataFrame, detail: pd.DataFrame, rates: pd.DataFrame | None, draw: bool) -> Iterator[Block]:
    yield Bullets(tuple(_answers(versus)))
    if draw and pictures.can_draw() and versus["difference"].notna().any():
        alt = "Judge minus humans with intervals and the margin, as in the table."
        yield pictures.picture(lambda: plotting.versus_humans(versus), alt)
    keys = len(versus.index.names)
    header = ["agreement", "among people", "difference", "interval", "margin", "constant answer", "items", "verdict"]
    rows = [[*_key(key), *_cells(row)] for key, row in fmt.each(versus.head(MAX_ROWS))]
    names = [str(name) for name in versus.index.names]
    used = fmt.listed([fmt.coefficient_name(find(name)) for name in versus["coefficient"].unique()])
    yield table(f"{used} on the same items", [*names, *header], rows, keys, ("interval", "verdict"))
    by_human = [
        [*_key(key), fmt.number(row.estimate), fmt.number(row.ceiling), fmt.number(row.difference), f"{row.n_items:,}"]
        for key, row in fmt.each(detail.head(MAX_ROWS))
    ]
    names = [str(name) for name in detail.index.names]
    yield table("With each person", [*names, "agreement", "of others", "difference", "items"], by_human, len(names))
    if rates is not None:
        yield _rates(rates)
    notes = [(str(key[-1]), row.remarks) for key, row in fmt.each(versus.head(MAX_ROWS)) if row.remarks]
    if notes:
        yield Bullets(tuple(notes))
    never = "A judge that is not shown to beat a constant answer and guessing, or copies a person, is never as good."
    yield Text(f"The margin is your decision. {never}", "note")


def _rates(rates: pd.DataFrame) -> Block:
    wrong = [
        [*_key(key), *(fmt.percent(value) for value in (row.sensitivity, row.precision)), _signed(row.favours)]
        for key, row in fmt.each(rates.head(MAX_ROWS))
    ]
    names = [str(name) for name in rates.index.names]
    return table("Against the vote of all people", [*names, "found", "right", "given too often"], wrong, len(names))


def _answers(versus: pd.DataFrame) -> Iterator[tuple[str, str]]:
    for key, row in fmt.each(versus.head(MAX_ROWS)):
        about = f"{_name(key)} {WORDS[row.verdict]}"
        if pd.notna(row.difference) and pd.notna(row.difference_low):
            ends = f"{fmt.number(row.difference_low)} to {fmt.number(row.difference_high)}"
            about += f" (difference {fmt.number(row.difference)}, {fmt.level(versus)} interval {ends})"
        yield row.verdict, f"{about}."


def _name(key: Any) -> str:
    return ", ".join(fmt.short(fmt.label_text(part), 40) for part in key)


def _key(key: Any) -> list[str]:
    return [fmt.short(fmt.label_text(part), 40) for part in key]


def _cells(row: Any) -> list[str]:
    known = pd.notna(row.difference_low)
    ends = f"{fmt.number(row.difference_low)} to {fmt.number(row.difference_high)}" if known else ""
    numbers = [fmt.number(value) for value in (row.estimate, row.ceiling, row.difference)]
    return [*numbers, ends, fmt.number(row.margin), fmt.number(row.baseline), f"{row.n_items:,}", row.verdict]


def _signed(value: float) -> str:
    return "" if pd.isna(value) else fmt.typeset(fmt.signed(value, 2))
