"""brat: a folder per coder, and in it a `.ann` file per document, beside the text.

Offsets count characters. Only text-bound annotations (T) are spans; each of their fragments is a row.
"""

from __future__ import annotations

import re
from typing import Any

from pandas_agreement.exports.row import Export, Found, Record, Row

ENDING, TEXT = ".ann", ".txt"
MARK = "\ufeff"  # of the order of bytes, with which some editors begin a file
SPAN = re.compile(r"(\S+) (\d+ \d+(?:;\d+ \d+)*)$")


def standoff(annotations: str, text: str | None = None) -> list[dict[str, Any]]:
    """The one record of a file; the text says how long the document is."""
    return [{"standoff": annotations, "length": None if text is None else len(text)}]


def brat(record: Record, part: Export) -> Found:
    """The spans of one coder in one document."""
    folder = part.coder if part.coder == part.name else part.place.parent.name
    blank = Row(part.item_of(record) if part.asked.item else part.place.stem, folder)
    yield blank
    for line in record["standoff"].removeprefix(MARK).split("\n"):
        if line.startswith("T"):
            span = SPAN.fullmatch(line.split("\t")[1].rstrip())
            if span is None:
                raise ValueError(f"the line is {line[:40]}")
            for fragment in span[2].split(";"):
                start, end = map(int, fragment.split())
                yield blank._replace(field="spans", label=span[1], start=start, end=end)
