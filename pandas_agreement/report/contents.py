"""The contents of a report as plain data: sections of text, lists, tables and pictures.

Layout and escaping are in the renderers (HTML, Markdown, text), also of hidden characters. Until then text is as the
user wrote it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import pandas as pd

from pandas_agreement.formatting import more
from pandas_agreement.results.tidy import level_of


@dataclass(frozen=True)
class Text:
    """A paragraph; `kind` is "lead" for the answer, "note" for small print, "quote" for text to paste, or empty."""

    text: str
    kind: str = ""


@dataclass(frozen=True)
class Bullets:
    """A list; each point is a pair of highlighted first words (or none) and the text after them."""

    points: tuple[tuple[str, str], ...]
    numbered: bool = False


@dataclass(frozen=True)
class Grid:
    """A table; the first `keys` columns identify a row, and the columns in `right` hold numbers."""

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    keys: int = 1
    right: frozenset[int] = frozenset()
    more: str = ""  # how many rows are not shown
    prose: frozenset[int] = frozenset()  # columns of long text


@dataclass(frozen=True)
class Code:
    """Lines to paste into a program or a shell."""

    lines: tuple[str, ...]


@dataclass(frozen=True)
class Picture:
    """A drawing as SVG, and a description for screen readers."""

    svg: bytes
    alt: str


Block: TypeAlias = Text | Bullets | Grid | Code | Picture
Renderers: TypeAlias = dict[type[Block], Callable[[Any], str]]  # from the kind of block to the function that formats it


@dataclass(frozen=True)
class Section:
    """A title and the blocks below it."""

    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Contents:
    """The whole report."""

    title: str
    sections: tuple[Section, ...]
    footer: str
    date: str = ""


def table(
    caption: str, header: list[str], rows: list[list[str]], keys: int = 1, text: tuple[str, ...] = (), more: str = ""
) -> Grid:
    """A table in which all columns hold numbers, except the keys and those named in `text`."""
    right = frozenset(place for place, name in enumerate(header) if place >= keys and name not in text)
    return Grid(caption, tuple(header), tuple(tuple(row) for row in rows), keys, right, more)


def listing(
    caption: str, rows: Sequence[Mapping[str, str]], total: int, what: str, keys: int = 1, text: tuple[str, ...] = ()
) -> Block:
    """A table from rows that map column names to cells; `total` counts also the rows that are not shown."""
    if not rows:
        return Text(f"{caption}: none.")
    cells = [list(row.values()) for row in rows]
    return table(caption, list(rows[0]), cells, keys, text, more(total, len(rows), what))


def interval_header(result: pd.DataFrame) -> list[str]:
    """The header of the intervals of a result, as a list; empty if there are none."""
    return [f"{level_of(result)}interval"] if level_of(result) else []
