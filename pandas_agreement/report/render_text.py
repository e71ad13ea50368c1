"""A report as plain text for a terminal: titles, indented paragraphs, lists and aligned tables; no pictures.

Quotation marks, dashes and dots of our own become ASCII, since not every terminal has the others; labels stay as the
user wrote them.
"""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Callable, Sequence
from typing import Any

from pandas_agreement.formatting import DASH
from pandas_agreement.report.contents import Block, Code, Contents, Picture, Points, Section, Table, Text

WIDTH = 100  # columns of the terminal
INDENT = "  "
GAP = "  "  # between the columns of a table
LONGEST_CELL = 48  # columns of a cell
ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"
PLAIN = str.maketrans({"\N{LEFT DOUBLE QUOTATION MARK}": '"', "\N{RIGHT DOUBLE QUOTATION MARK}": '"', ELLIPSIS: "..."})


def render(contents: Contents) -> str:
    """The whole report."""
    parts = [_filled(contents.title), *map(_section, contents.sections), _filled(contents.footer)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _section(section: Section) -> str:
    blocks = [RENDER[type(block)](block) for block in section.blocks]
    return "\n".join([section.title, textwrap.indent("\n\n".join(filter(None, blocks)), INDENT)])


def _filled(text: str, hanging: str = "") -> str:
    """Text in lines that fit between the indents; the lines after the first begin with `hanging`."""
    room = WIDTH - len(INDENT)
    plain = text.translate(PLAIN)
    return textwrap.fill(plain, room, subsequent_indent=hanging, break_long_words=False, break_on_hyphens=False)


def _text(block: Text) -> str:
    return _filled(block.text)


def _points(block: Points) -> str:
    lines = []
    for place, (strong, text) in enumerate(block.points, 1):
        mark = f"{place}. " if block.numbered else "- "
        lines.append(_filled(f"{mark}{strong}: {text}" if strong else f"{mark}{text}", " " * len(mark)))
    return "\n".join(lines)


def _code(block: Code) -> str:
    return "\n".join(block.lines)


def _picture(block: Picture) -> str:
    return ""


# --------------------------------------------------------------------------------------------------------------- tables


def _table(block: Table) -> str:
    """Caption, aligned cells and what is left out; columns that do not fit go on below, with the keys repeated."""
    header = [block.header] if any(block.header) else []
    lines = [[_cell(text) for text in row] for row in (*header, *block.rows)]
    widths = [max(map(columns_of, column)) for column in zip(*lines, strict=True)]
    parts = [_aligned(lines, widths, places, block) for places in _fitting(widths, block.keys)]
    return "\n".join(part for part in (f"{block.caption}:", "\n\n".join(parts), block.more.translate(PLAIN)) if part)


def _cell(text: str) -> str:
    """A cell in one line, cut where it is too long."""
    if text == DASH:
        return "-"
    line = " ".join(text.split()) if "\n" in text or len(text) > LONGEST_CELL else text
    start, end = ("..." if line.startswith(ELLIPSIS) else ""), ("..." if line.endswith(ELLIPSIS) else "")
    line = f"{start}{line.strip(ELLIPSIS)}{end}"
    while columns_of(line) > LONGEST_CELL:
        line = f"{line.removesuffix('...')[:-1].rstrip()}..."
    return line


def columns_of(text: str) -> int:
    """How many columns of a terminal a text takes.

    >>> columns_of("ja"), columns_of("\u662f"), columns_of("e\u0301")
    (2, 2, 1)
    """
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)
    return len(text) + wide - sum(unicodedata.combining(letter) > 0 for letter in text)


def _fitting(widths: Sequence[int], keys: int) -> list[list[int]]:
    """The places of the columns that fit side by side, in as many parts as it takes, the keys first in each."""
    parts: list[list[int]] = [list(range(keys))]
    for place in range(keys, len(widths)):
        taken = sum(widths[other] + len(GAP) for other in parts[-1])
        if len(parts[-1]) > keys and len(INDENT) + taken + widths[place] > WIDTH:
            parts.append(list(range(keys)))
        parts[-1].append(place)
    return parts


def _aligned(lines: Sequence[Sequence[str]], widths: Sequence[int], places: Sequence[int], block: Table) -> str:
    aligned = []
    for row in lines:
        blanks = {place: " " * (widths[place] - columns_of(row[place])) for place in places}
        cells = [blanks[i] + row[i] if i in block.right else row[i] + blanks[i] for i in places]
        aligned.append(GAP.join(cells).rstrip())
    return "\n".join(aligned)


RENDER: dict[type[Block], Callable[[Any], str]] = {
    Text: _text,
    Points: _points,
    Table: _table,
    Code: _code,
    Picture: _picture,
}
