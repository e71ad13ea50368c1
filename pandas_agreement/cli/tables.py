"""How the command line lays out what it prints: sections of a title, a table and a remark, as text or Markdown.

What the sections say is decided in `sections`. The machine-readable formats, CSV and JSON, are one frame and nothing
else.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from pandas_agreement.formatting import label_text

WIDTH = 100
GAP = "  "
CELL = 48  # characters of a cell of a text table; Markdown has no such limit
UNDEFINED = "undefined"


@dataclass(frozen=True)
class Section:
    """A table with its title.

    `keys` counts the columns on the left that say what a row is about: a table too wide for the page goes on below
    with these repeated. `right` are the columns of numbers, which are aligned on the right.
    """

    title: str
    header: list[str]
    rows: list[list[str]]
    remark: str = ""
    keys: int = 1
    right: Collection[int] = ()


def section(title: str, header: list[str], rows: list[list[str]], remark: str = "", keys: int = 1) -> Section:
    """A section whose columns are all numbers, but for the keys; a key called `items` is one too."""
    first = next((i for i in range(keys) if header[i : i + 1] == ["items"]), keys)
    return Section(title, header, rows, remark, keys, range(first, len(header)))


# ----------------------------------------------------------------------------------------------- the formats


def _text(heading: str, sections: Sequence[Section], closing: str) -> str:
    return joined(heading, *map(_text_section, sections), closing)


def _markdown(heading: str, sections: Sequence[Section], closing: str) -> str:
    return joined(heading, *map(_markdown_section, sections))


def _csv(frame: pd.DataFrame) -> str:
    return _with_plain_sets(frame, label_text).to_csv(index=False, lineterminator="\n")


def _json(frame: pd.DataFrame) -> str:
    plain = _with_plain_sets(frame, lambda labels: sorted(labels, key=str))
    text = plain.to_json(orient="records", indent=2, double_precision=15, force_ascii=False, date_format="iso")
    return f"{text}\n"


#: formats for people: heading, sections and closing to text
PAGES: dict[str, Callable[[str, Sequence[Section], str], str]] = {"table": _text, "markdown": _markdown}
#: formats for programs: a frame to text
RECORDS: dict[str, Callable[[pd.DataFrame], str]] = {"csv": _csv, "json": _json}
FORMATS = ["table", "csv", "json", "markdown"]


def _with_plain_sets(frame: pd.DataFrame, plain: Callable[[frozenset[Any]], Any]) -> pd.DataFrame:
    """Sets in an order that does not depend on hashing."""
    holders = [name for name in frame.columns if any(isinstance(cell, frozenset) for cell in frame[name])]
    columns = {name: [plain(cell) if isinstance(cell, frozenset) else cell for cell in frame[name]] for name in holders}
    return frame.assign(**columns)


def joined(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part) + "\n"


# ------------------------------------------------------------------------------------------- from values to text


def number(value: float, digits: int = 2) -> str:
    return UNDEFINED if pd.isna(value) else f"{value:.{digits}f}"


def estimate(row: Any, digits: int = 2) -> str:
    """`estimate [low, high]`, as far as they are defined; an interval without any width says nothing.

    >>> from types import SimpleNamespace as Row
    >>> estimate(Row(estimate=0.5, ci_low=0.25, ci_high=0.75, ci_method="analytic"))
    '0.50 [0.25, 0.75]'
    >>> estimate(Row(estimate=-1.0, ci_low=-1.0, ci_high=-1.0, ci_method="analytic"))
    '-1.00 [no interval]'
    """
    text = number(row.estimate, digits)
    if pd.isna(row.estimate) or not row.ci_method:
        return text
    if not row.ci_low < row.ci_high:
        return f"{text} [no interval]"
    return f"{text} [{row.ci_low:.{digits}f}, {row.ci_high:.{digits}f}]"


# ----------------------------------------------------------------------------------------------------- as text


def _text_section(section: Section) -> str:
    """Title, aligned table and remark; a table too wide for the page goes on below with its keys repeated."""
    if not section.rows:
        return "\n".join(part for part in (section.title, section.remark) if part)
    lines = [[_short(cell) for cell in row] for row in (section.header, *section.rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    blocks = [_text_block(lines, widths, columns, section.right) for columns in _fitting(widths, section.keys)]
    return "\n".join(part for part in (section.title, "\n\n".join(blocks), section.remark) if part)


def _short(cell: str) -> str:
    line = " ".join(cell.split()) if "\n" in cell or len(cell) > CELL else cell
    return line if len(line) <= CELL else f"{line[: CELL - 3]}..."


def _fitting(widths: list[int], keys: int) -> list[list[int]]:
    """Columns that fit side by side, in as many blocks as it takes, the key columns first in each."""
    left = list(range(keys))
    blocks: list[list[int]] = [[*left]]
    for column in range(keys, len(widths)):
        taken = sum(widths[i] + len(GAP) for i in blocks[-1])
        if len(blocks[-1]) > keys and taken + widths[column] > WIDTH:
            blocks.append([*left])
        blocks[-1].append(column)
    return blocks


def _text_block(lines: list[list[str]], widths: list[int], columns: Sequence[int], right: Collection[int]) -> str:
    aligned = []
    for row in lines:
        cells = [row[i].rjust(widths[i]) if i in right else row[i].ljust(widths[i]) for i in columns]
        aligned.append(GAP.join(cells).rstrip())
    return "\n".join(aligned)


# ------------------------------------------------------------------------------------------------- as Markdown


def _markdown_section(section: Section) -> str:
    """A heading, a pipe table and the remark."""
    title = f"### {section.title}"
    if not section.rows:
        return joined(title, section.remark).rstrip("\n")
    rule = ["---:" if i in section.right else "---" for i in range(len(section.header))]
    lines = [_markdown_row(row) for row in (section.header, rule, *section.rows)]
    return joined(title, "\n".join(lines), section.remark).rstrip("\n")


def _markdown_row(cells: Sequence[str]) -> str:
    escaped = [" ".join(cell.replace("\\", "\\\\").replace("|", "\\|").splitlines()) for cell in cells]
    return f"| {' | '.join(escaped)} |"
