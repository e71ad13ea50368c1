"""A report as plain text for a terminal: titles, indented paragraphs, lists and aligned tables; no pictures.

Typographic quotation marks, dashes and ellipses of the report become ASCII, because not every terminal has them. Labels
stay as the user wrote them, with hidden characters as escapes.
"""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Sequence

from pandas_agreement.characters import visible
from pandas_agreement.formatting import DASH
from pandas_agreement.report.contents import Bullets, Code, Contents, Grid, Picture, Renderers, Section, Text

WIDTH = 100  # columns of the terminal
INDENT = "  "
GAP = "  "  # between the columns of a table
MAX_CELL_COLUMNS = 48  # columns of the terminal for a cell; text in the last column has the rest of the line
MIN_LAST_COLUMNS = 30  # columns of the terminal for text in the last column
LAYOUT = re.compile(r"[\n\t]")  # of a cell, which has one line
ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"
PLAIN = str.maketrans({"\N{LEFT DOUBLE QUOTATION MARK}": '"', "\N{RIGHT DOUBLE QUOTATION MARK}": '"', ELLIPSIS: "..."})


def render(contents: Contents) -> str:
    """The whole report."""
    parts = [_filled(contents.title), contents.date, *map(_section, contents.sections), _filled(contents.footer)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _section(section: Section) -> str:
    """Title and blocks, with a blank line between blocks, except before a note on the block above it."""
    body = ""
    for block in section.blocks:
        text = RENDER[type(block)](block)
        between = "\n" if isinstance(block, Text) and block.kind == "note" else "\n\n"
        body += f"{between if body and text else ''}{text}"
    return "\n".join([visible(section.title), textwrap.indent(body, INDENT)])


def _filled(text: str, hanging: str = "") -> str:
    """Text in lines that fit between the indents; the lines after the first begin with `hanging`."""
    room = WIDTH - len(INDENT)
    plain = visible(text).translate(PLAIN)
    return textwrap.fill(plain, room, subsequent_indent=hanging, break_long_words=False, break_on_hyphens=False)


def _text(block: Text) -> str:
    return _filled(block.text)


def _points(block: Bullets) -> str:
    lines = []
    for place, (strong, text) in enumerate(block.points, 1):
        mark = f"{place}. " if block.numbered else "- "
        lines.append(_filled(f"{mark}{strong}: {text}" if strong else f"{mark}{text}", " " * len(mark)))
    return "\n".join(lines)


def _code(block: Code) -> str:
    return "\n".join(map(visible, block.lines))


def _picture(block: Picture) -> str:
    return ""


def _table(block: Grid) -> str:
    """Caption, aligned cells, number of rows not shown; columns that do not fit follow below, with the keys repeated.

    A table without a header has no caption: the title of its section is enough.
    """
    header = [block.header] if any(block.header) else []
    columns = [[_plain(text) for text in column] for column in zip(*header, *block.rows, strict=True)]
    rooms = _rooms(columns, block)
    columns = [[_cut(text, room) for text in column] for column, room in zip(columns, rooms, strict=True)]
    widths = [max(map(columns_of, column)) for column in columns]
    parts = [_aligned(columns, widths, places, block) for places in _fitting(widths, block.keys)]
    caption = visible(f"{block.caption}:") if header else ""
    return "\n".join(filter(None, (caption, "\n\n".join(parts), block.more.translate(PLAIN))))


def _plain(text: str) -> str:
    """A cell in one line, with dash and ellipsis in ASCII."""
    text = visible(text)
    line = " ".join(text.split()) if LAYOUT.search(text) or len(text) > MAX_CELL_COLUMNS else text
    start, end = ("..." if line.startswith(ELLIPSIS) else ""), ("..." if line.endswith(ELLIPSIS) else "")
    return "-" if text == DASH else f"{start}{line.strip(ELLIPSIS)}{end}"


def _rooms(columns: Sequence[Sequence[str]], block: Grid) -> list[int]:
    """The most columns of the terminal for each column of a table."""
    rooms = [MAX_CELL_COLUMNS] * len(columns)
    if len(columns) - 1 not in block.right and len(columns) > block.keys:
        taken = [min(max(map(columns_of, column)), MAX_CELL_COLUMNS) + len(GAP) for column in columns[:-1]]
        rooms[-1] = max(WIDTH - len(INDENT) - sum(taken), MIN_LAST_COLUMNS)
    return rooms


def _cut(text: str, room: int) -> str:
    while columns_of(text) > room:
        text = f"{text.removesuffix('...')[:-1].rstrip()}..."
    return text


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
    """Positions of the columns in each part of the table that fits the terminal; every part begins with the keys."""
    parts: list[list[int]] = [list(range(keys))]
    for place in range(keys, len(widths)):
        taken = sum(widths[other] + len(GAP) for other in parts[-1])
        if len(parts[-1]) > keys and len(INDENT) + taken + widths[place] > WIDTH:
            parts.append(list(range(keys)))
        parts[-1].append(place)
    return parts


def _aligned(columns: Sequence[Sequence[str]], widths: Sequence[int], places: Sequence[int], block: Grid) -> str:
    aligned = []
    for place in places:
        blanks = [" " * (widths[place] - columns_of(text)) for text in columns[place]]
        pairs = zip(columns[place], blanks, strict=True)
        aligned.append([blank + text if place in block.right else text + blank for text, blank in pairs])
    return "\n".join(GAP.join(row).rstrip() for row in zip(*aligned, strict=True))


RENDER: Renderers = {Text: _text, Bullets: _points, Grid: _table, Code: _code, Picture: _picture}
