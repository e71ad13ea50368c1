"""What a report holds, as plain data: sections of text, lists, tables and pictures.

Nothing here knows how it will look: the renderers (HTML, Markdown, text) lay it out and escape it, so text is as the
user wrote it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from pandas_agreement.formatting import more


@dataclass(frozen=True)
class Text:
    """A paragraph; `kind` is "lead" for the answer, "note" for small print, "quote" for text to paste, or empty."""

    text: str
    kind: str = ""


@dataclass(frozen=True)
class Points:
    """A list whose points begin with some words that stand out (or none)."""

    points: tuple[tuple[str, str], ...]
    numbered: bool = False


@dataclass(frozen=True)
class Table:
    """A table; the first `keys` columns say what a row is about, and the columns in `right` hold numbers."""

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    keys: int = 1
    right: frozenset[int] = frozenset()
    more: str = ""  # what is not shown


@dataclass(frozen=True)
class Code:
    """Lines to paste into a program or a shell."""

    lines: tuple[str, ...]


@dataclass(frozen=True)
class Picture:
    """A drawing as SVG, and the same in words for those who do not see it."""

    svg: bytes
    alt: str


Block: TypeAlias = Text | Points | Table | Code | Picture
Renderers: TypeAlias = dict[type[Block], Callable[[Any], str]]  # how each kind of block is laid out


@dataclass(frozen=True)
class Section:
    """A title and what stands below it."""

    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Contents:
    """The whole report."""

    title: str
    sections: tuple[Section, ...]
    footer: str


def table(
    caption: str, header: list[str], rows: list[list[str]], keys: int = 1, text: tuple[str, ...] = (), more: str = ""
) -> Table:
    """A table whose columns are all numbers, but for the keys and those named in `text`."""
    right = frozenset(place for place, name in enumerate(header) if place >= keys and name not in text)
    return Table(caption, tuple(header), tuple(tuple(row) for row in rows), keys, right, more)


def listing(
    caption: str, rows: Sequence[Mapping[str, str]], total: int, what: str, keys: int = 1, text: tuple[str, ...] = ()
) -> Block:
    """A table of rows that name their cells, of which there are `total` in all."""
    if not rows:
        return Text(f"{caption}: none.")
    cut = more(total, len(rows), what)
    return table(caption, list(rows[0]), [list(row.values()) for row in rows], keys, text, cut)
