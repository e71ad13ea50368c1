"""WebAnno TSV 3, the span format of WebAnno and INCEpTION: one file per document and coder.

A project export holds `annotation/<document>/<coder>.tsv`. Offsets count UTF-16 units there, and characters here.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from pandas_agreement.errors import InputError
from pandas_agreement.exports.row import Export, Found, Record, Row

VERSION = re.compile(r"#FORMAT=WebAnno TSV ?(\S*)")
OLD = {"2": re.compile(r"#? *# *[\w.]+ \| "), "1": re.compile(r"#id=")}  # how files of older versions begin
UNIT = re.compile(r"\d+-\d+(?:\.\d+)*\t(\d+)-(\d+)\t")
VALUE = re.compile(r"((?:\\.|[^\\|\[\]])*)(?:\[(\d+)\])?(?:\||$)")  # of stacked spans; the number joins several units
ESCAPED = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))")
CONTROL = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "b": "\b"}
NOTHING, NO_VALUE = "_", "*"
SPANS, SLOT = "#T_SP=", "ROLE_"
KINDS = (SPANS, "#T_RL=", "#T_CH=")  # spans, relations, chains
NOT_PEOPLE = {"INITIAL_CAS": "initial import", "CURATION_USER": "curation"}
AGAIN = "export it again as WebAnno TSV v3.3"


def of_project(places: Iterable[PurePosixPath]) -> list[PurePosixPath]:
    """The files of coders in the export of a project; none if it is something else."""
    places = list(places)
    inside = [place for place in places if place.parts[-3:-2] == ("annotation",)]
    found = [place for place in inside if place.suffix == ".tsv"]
    if inside and not found and any(place.name.startswith("exportedproject") for place in places):
        problem = f"the project holds its annotations as {inside[0].suffix or 'other'} files, which read does not know"
        raise InputError(problem, "export the project again with the format WebAnno TSV v3.3", code="unknown tool")
    return found


def records(text: str, name: str) -> list[dict[str, Any]] | None:
    """The one record of a file, None if it is not in this format."""
    begins = text[:200].lstrip()
    named = VERSION.match(begins)
    version = named[1] if named else next((number for number, pattern in OLD.items() if pattern.match(begins)), None)
    if version is None:
        return None
    if version.startswith("3"):
        document = _Document(text)
        return [{"webanno": document, "length": document.length}]
    problem = f"{name} is WebAnno TSV {version}, and read knows version 3"
    raise InputError(problem, AGAIN, code="unknown tool")


def webanno(record: Record, part: Export) -> Found:
    """The spans of one coder in one document."""
    named, place = part.coder == part.name, part.place
    coder, item = (part.coder, place.stem) if named else (place.stem, place.parent.name or place.stem)
    reason = next((reason for name, reason in NOT_PEOPLE.items() if place.stem.startswith(name)), None)
    if reason and not named:
        yield reason
        return
    blank = Row(part.item_of(record) if part.asked.item else item, coder)
    yield blank
    document: _Document = record["webanno"]
    for field, label, start, end in document.spans():
        yield blank._replace(field=field, label=label, start=document.place(start), end=document.place(end))


class _Column(NamedTuple):
    """What one column of the file is about; `field` is None unless it holds the values of spans."""

    layer: str
    field: str | None


class _Document:
    """A file, with the places of characters that are two units in UTF-16."""

    def __init__(self, text: str) -> None:
        self._lines = text.replace("\r\n", "\n").split("\n")
        self._columns = [column for line in self._lines if line.startswith(KINDS) for column in _columns(line)]
        self._wide: list[int] = []
        self.length = self._measure()

    def _measure(self) -> int:
        """Characters up to the end of the last sentence; notes the wide ones on the way."""
        end, texts = 0, list[str]()
        for line in self._lines:
            unit = UNIT.match(line)
            if line.startswith("#Text="):
                texts.append(_unescaped(line.removeprefix("#Text=")))
            elif unit:
                if texts:  # the first token of a sentence
                    end = self._sentence("\n".join(texts), line.split("\t")[2], int(unit[1]))
                    texts = []
                end = max(end, int(unit[2]))
        return self.place(end)

    def _sentence(self, text: str, token: str, begin: int) -> int:
        """The end of a sentence, of which the first token begins there."""
        at = begin - _units(text[: max(text.find(token), 0)])
        if not text.isascii():
            starts = (at + _units(text[:number]) for number, sign in enumerate(text) if ord(sign) > 0xFFFF)
            self._wide += starts
        return at + _units(text)

    def place(self, unit: int) -> int:
        """The character at a unit of UTF-16."""
        return unit - bisect_left(self._wide, unit)

    def spans(self) -> Iterable[tuple[str, str | None, int, int]]:
        """Field, label, first unit and the one after the last; a span of several tokens has a number in the file."""
        found: dict[Any, tuple[str, str | None, int, int]] = {}
        for line in self._lines:
            unit = UNIT.match(line)
            if unit:
                start, end = int(unit[1]), int(unit[2])
                for key, field, label in self._values(line):
                    known = found.get(key, (field, label, start, end))
                    found[key] = (field, label, min(known[2], start), max(known[3], end))
        return found.values()

    def _values(self, line: str) -> Iterable[tuple[Any, str, str | None]]:
        cells = line.removesuffix("\t").split("\t")[3:][-len(self._columns) or None :]  # a token may hold a tab
        for (layer, field), cell in zip(self._columns, cells, strict=True):
            if field is None or cell == NOTHING:
                continue
            values = list(VALUE.finditer(cell))
            if sum(len(value[0]) for value in values) < len(cell):
                raise ValueError(f"a cell is {cell[:40]}")
            for place, (text, number) in enumerate(value.groups() for value in values):
                if text not in ("", NOTHING):
                    label = layer if field == layer else None if text == NO_VALUE else _unescaped(text)
                    yield (field, number) if number else (line, field, place), field, label


def _columns(line: str) -> list[_Column]:
    """The columns of a layer, which a line of the header names."""
    name, *features = line.partition("=")[2].strip().split("|")
    layer = name.rpartition(".")[2]
    out, slot = [], False
    for feature in features or [""]:
        hidden = not line.startswith(SPANS) or slot or feature.startswith(SLOT)
        slot = feature.startswith(SLOT)  # the next column has what is in the slot
        out.append(_Column(layer, None if hidden else f"{layer}.{feature}" if feature else layer))
    return out


def _unescaped(text: str) -> str:
    return _joined(ESCAPED.sub(_sign, text)) if "\\" in text else text


def _sign(found: re.Match[str]) -> str:
    return chr(int(found[1], 16)) if found[1] else CONTROL.get(found[2], found[2])


def _joined(text: str) -> str:
    """Halves of wide characters, which were escaped one by one, as one."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
