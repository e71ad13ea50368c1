"""What the reader of a tool gets and gives: a record and its context, and a row of each answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any, NamedTuple, TypeAlias

import pandas as pd

from pandas_agreement.errors import InputError, Remark, nearest

Record: TypeAlias = Mapping[str, Any]
INPUTS = ("data", "metadata", "vars")  # where tools keep what they were given


class Row(NamedTuple):
    """One answer: what a coder said about an item.

    A list as label holds one or several labels, which the whole field decides; a frozenset is always a set. Without a
    field the row says that the coder saw the item. A span has its first character and the one after its last.
    """

    item: Any
    coder: Any
    field: str | None = None
    label: Any = None
    kind: str = "person"
    time: Any = None
    start: int | None = None
    end: int | None = None
    record: int = 0  # the number of its record, which `read` fills in


@dataclass(frozen=True)
class Wish:
    """What the user asked for."""

    field: str | None = None
    item: str | None = None
    data: Sequence[str] = ()


@dataclass(frozen=True)
class Export:
    """The records of one file or sheet.

    `name` is that of the file, `coder` that without its ending where several files are read, each of which may belong
    to one coder; both are the user's name for the coder, if there is one. `place` is the path within what was read. The
    values of a `plain` file, such as CSV, are all text.
    """

    name: str
    records: Sequence[Any]
    plain: bool = False
    coder: str | None = None
    asked: Wish = field(default_factory=Wish)
    place: PurePosixPath = field(default_factory=PurePosixPath)

    def item_of(self, record: Record, *keys: str) -> Any:
        """The value that names the item: of the key the user chose, or else of the first of these keys that is set."""
        if self.asked.item is not None:
            return looked_up(record, self.asked.item)
        return next((record[key] for key in keys if record.get(key) is not None), None)


def every_key(parts: Sequence[Export]) -> list[str]:
    """The keys of all records, in the order in which they appear."""
    records = (record for part in parts for record in part.records if isinstance(record, Mapping))
    return list(dict.fromkeys(key for record in records for key in record))


def places(record: Record) -> list[Record]:
    """Where the names of items and data are looked up: the record, then its inputs."""
    return [record, *(record[name] for name in INPUTS if isinstance(record.get(name), Mapping))]


def looked_up(record: Record, key: str) -> Any:
    """The value of a key of the record, or else of its inputs."""
    return next((place[key] for place in places(record) if key in place), None)


Found: TypeAlias = Iterator["Row | str"]  # an answer, or the reason why something was left out
Reader: TypeAlias = Callable[[Record, Export], Found]


def no_check(parts: Sequence[Export]) -> None:
    """All files can be read."""


def no_doubt(frame: pd.DataFrame, first: Record) -> Remark | None:
    """Nothing in what was read makes a number wrong."""
    return None


class Tool(NamedTuple):
    """An annotation tool or evaluation log: one row of the table of tools.

    `keys` are alternatives: 'a/b c' is a record with `a` or `b`, and with `c`. `models` says whether answers of models
    are read unless the user says otherwise. `check` raises if the files together cannot be read, and `doubt` finds
    what makes a number wrong though they are read right. `carried` are columns of `data` that are always there.
    `tells_unmarked` says that the export has a trace of who saw a document and marked nothing.
    """

    name: str
    title: str
    keys: Sequence[str]
    reader: Reader
    models: bool = False
    check: Callable[[Sequence[Export]], None] = no_check
    doubt: Callable[[pd.DataFrame, Record], Remark | None] = no_doubt
    by_file: bool = False  # each file belongs to a coder
    carried: tuple[str, ...] = ()
    tells_unmarked: bool = False


def unknown_field(name: str, fields: Sequence[str]) -> InputError:
    """The error for a question that the file does not have."""
    return InputError(f"there is no question {name!r}", nearest(name, fields), option="field", code="unknown field")
