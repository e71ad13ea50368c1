"""The `Source` of a run of the command line: a file or the example, and the parsed options that apply to it."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from shlex import quote
from typing import Any

import pandas as pd
from pandas.api.types import is_bool_dtype, is_numeric_dtype

from pandas_agreement.cli import columns, first_look
from pandas_agreement.cli.arguments import (
    DEFAULT_LEVEL,
    OF_EXPORTS,
    OF_TABLES,
    check_spans,
    check_table,
    given,
    is_given,
    source_name,
)
from pandas_agreement.cli.columns import as_numbers, is_number, known_columns
from pandas_agreement.cli.files import PARQUET, READ, FileTable, read_export, read_table
from pandas_agreement.cli.recipe import SAVED, call, is_stream, literal, reading_lines
from pandas_agreement.data.guesses import role_of
from pandas_agreement.data.tables import elements
from pandas_agreement.errors import AgreementError, InputError, nearest, warn
from pandas_agreement.example import load_example
from pandas_agreement.exports import is_export

EXAMPLE_CODERS = ["ann", "bob", "cleo", "dev"]
EXAMPLE_TITLE = "The example that ships with pandas_agreement"


@dataclass(frozen=True)
class Source:
    """The data of one run and the options of its calls.

    `view` is `df.agree`, or `df.agree.long(...)` and the like, as `way` has it in Python; `chosen` are the coders to
    name in each call (none: all of them). `roles` are the columns of a long file (item, coder, label), or the options
    of `spans`, and empty for others. `options` are for every method, `scale` (weights, level, sep) and `by` for those
    that have them. `reading` are the lines of Python that read the frame, from a file that is `saved` first if it can
    be read only once. `named` is false if the coders of the labels are unknown.
    """

    view: Any
    frame: pd.DataFrame
    way: str
    chosen: tuple[str, ...]
    roles: dict[str, Any]
    by: list[str]
    options: dict[str, Any]
    scale: dict[str, Any]
    title: str
    reading: list[str]
    is_example: bool
    saved: str
    named: bool = True

    @property
    def groups(self) -> dict[str, Any]:
        """The groups as an option: a single key as a name."""
        return {"by": self.by[0] if len(self.by) == 1 else self.by} if self.by else {}

    def lines(self, method: str, options: Mapping[str, Any]) -> list[str]:
        """The lines of Python that read the file and call a method."""
        return [*self.reading, *call(f"{self.way}.{method}", [literal(name) for name in self.chosen], options)]


def open_source(options: argparse.Namespace) -> Source:
    """Read the data and prepare the options of the calls."""
    if any(is_given(options, name) for name in OF_EXPORTS) or _may_be_export(options):
        return _export(options)
    check_table(options)
    table = _example(options) if options.file is None else read_table(options)
    layout = next((layout for name, layout in LAYOUTS.items() if is_given(options, name)), _wide)
    return layout(_numbered(table), options)


def _may_be_export(options: argparse.Namespace) -> bool:
    """Whether a tool wrote the file, and no option says how it is arranged."""
    is_table = options.file is None or is_stream(options.file) or Path(options.file).suffix in PARQUET
    return not is_table and not any(is_given(options, name) for name in OF_TABLES) and is_export(options.file)


def _example(options: argparse.Namespace) -> FileTable:
    """The example data, by default with all coders and groups."""
    options.coders = options.coders or EXAMPLE_CODERS
    options.by = options.by or ["batch"]
    frame = load_example()
    try:
        known_columns(frame, {"--coders": options.coders, "--by": options.by})
    except AgreementError as error:
        remedy = f"{error.remedy} (no FILE was named; it comes first, before the options)"
        raise InputError(error.problem, remedy) from None
    return FileTable(frame, "load_example")


def _numbered(table: FileTable) -> FileTable:
    """The rows as they are counted in a file; records by id keep their ids."""
    is_plain = isinstance(table.frame.index, pd.RangeIndex)
    return replace(table, frame=table.frame.set_axis(range(1, len(table.frame) + 1))) if is_plain else table


# ---------------------------------------------------------------------------------------------------- layouts
def _wide(table: FileTable, options: argparse.Namespace) -> Source:
    """One row per item, one column per coder."""
    who = {"--judge": options.judge, "--humans": options.humans} if options.judge else {"--coders": options.coders}
    known_columns(table.frame, {**_keys(options), **{option: names or [] for option, names in who.items()}})
    coders = options.coders or columns.guess_coders(table.frame, _other_columns(options), options.decimal or ".")
    if len(coders) < 2:
        raise InputError(f"--coders: {coders[0]!r} is a single coder", "name two or more columns")
    frame = _prepared(table, {"label": coders}, options)
    common = _common(table, frame, options, all(_is_numeric(frame[name]) for name in coders), coders)
    return Source(frame.agree, frame, "df.agree", tuple(coders), {}, **common)


def _export(options: argparse.Namespace) -> Source:
    """The answers to one question of an export, or to several by field; of repeated judgments the newest."""
    table = read_export(options, first_look.asked(options))
    first_look.show(table.frame, options)
    if options.duplicates is None and first_look.n_repeated(table.frame):
        options.duplicates = "last"
    options.item, options.coder, options.label = ["item"], "coder", "label"
    if "start" in table.frame.columns:
        options.start, options.end = "start", "end"
        return _spans(_numbered(table), options)
    return _long(_numbered(table), options)


def _long(table: FileTable, options: argparse.Namespace) -> Source:
    """One row per judgment; without a column of coders the raters are anonymous."""
    used = {"item": options.item, "coder": [options.coder], "label": [options.label]}
    if options.coder is None:
        del used["coder"]
    known_columns(table.frame, {**_keys(options), **{f"--{role}": names for role, names in used.items()}})
    if options.coder is None:
        _note_anonymous(table.frame, options)
    frame = _prepared(table, used, options)
    names = [name for role in used.values() for name in role]
    common = _common(table, frame, options, _is_numeric(frame[options.label]), names, options.coder)
    roles = {role: names if len(names) > 1 else names[0] for role, names in used.items()}
    found = table.function == READ  # by their names
    said = ({} if found else roles) | given(options, "duplicates")
    way = f"df.agree.long({', '.join(f'{name}={value!r}' for name, value in said.items())})"
    chosen, named = tuple(options.coders or ()), options.coder is not None
    return Source(frame.agree.long(**said), frame, way, chosen, roles, **common, named=named)


def _spans(table: FileTable, options: argparse.Namespace) -> Source:
    """One row per span; the columns of an export are found by their names."""
    check_spans(options)
    found = table.function == READ
    roles = {"item": options.item, **{role: [getattr(options, role)] for role in ("coder", "start", "end", "label")}}
    roles = {role: names for role, names in roles.items() if names != [None]}
    if options.length is not None and not is_number(options.length):
        roles["length"] = [options.length]
    known_columns(table.frame, {**_keys(options), **{f"--{role}": names for role, names in roles.items()}})
    frame = _prepared(table, {role: names for role, names in roles.items() if role in ("item", "coder")}, options)
    for name in [name for role in ("start", "end", "length", "label") for name in roles.get(role, [])]:
        frame = as_numbers(frame, [name], options.decimal or ".")
    common = _common(table, frame, options, False, [name for names in roles.values() for name in names], options.coder)
    said = {role: names if len(names) > 1 else names[0] for role, names in roles.items()}
    said |= {} if options.length is None or "length" in roles else {"length": int(float(options.length))}
    said |= given(options, "unmarked")
    view = frame.agree.spans() if found else frame.agree.spans(**said)
    return Source(view, frame, "df.agree.spans", tuple(options.coders or ()), {} if found else said, **common)


def _note_anonymous(frame: pd.DataFrame, options: argparse.Namespace) -> None:
    """Warn of a column that is called like coders."""
    used = {*options.item, options.label, *_other_columns(options)}
    found = next((name for name in frame.columns if name not in used and role_of(name) == "coder"), None)
    if found is not None:
        warn("without --coder the raters are anonymous", f"if column {found!r} names them, add --coder {quote(found)}")


def _cells(table: FileTable, options: argparse.Namespace) -> Source:
    """One row per item, with all its ratings in one cell."""
    name, sep = options.cells, given(options, "sep")
    known_columns(table.frame, {**_keys(options), "--cells": [name]})
    frame = _prepared(table, {}, options)
    view = frame.agree.cells(name, **sep)
    common = _common(table, frame, options, _is_numeric(elements(frame[name], **sep)[1]), [name])
    common["scale"] = given(options, "weights", "level")
    way = f"df.agree.cells({', '.join([literal(name), *(f'sep={text!r}' for text in sep.values())])})"
    return Source(view, frame, way, (), {}, **common, named=False)


def _counts(table: FileTable, options: argparse.Namespace) -> Source:
    """One row per item, one column per category."""
    known_columns(table.frame, {**_keys(options), "--counts": options.counts})
    others = _other_columns(options)
    names = options.counts or [str(name) for name in table.frame.columns if name not in others]
    frame = _prepared(table, {"label": names}, options)
    numbers = _numbers_of(names)
    common = _common(table, frame, options, bool(numbers), names)
    frame = frame.rename(columns=numbers)
    chosen = [numbers.get(name, name) for name in options.counts]
    way = f"df{_renamed(numbers)}.agree.counts({', '.join(map(literal, chosen))})"
    return Source(frame.agree.counts(*chosen), frame, way, (), {}, **common, named=False)


def _crosstab(table: FileTable, options: argparse.Namespace) -> Source:
    """The contingency table of two coders; the first column holds the labels of the first."""
    first, *names = map(str, table.frame.columns)
    frame = as_numbers(table.frame, names, options.decimal or ".")
    are_numbers = all(map(is_number, [*names, *frame[first].dropna().astype(str)]))
    frame = as_numbers(frame, [first]) if are_numbers else frame
    common = _common(table, frame, options, are_numbers, [first, *names])
    numbers = _numbers_of(names) if are_numbers else {}
    frame = frame.set_index(first).rename(columns=numbers)
    way = f"df.set_index({first!r}){_renamed(numbers)}.agree.crosstab()"
    return Source(frame.agree.crosstab(), frame, way, (), {}, **common)


#: the option that says how the file is arranged, and its reader; without any of them it is wide
LAYOUTS: dict[str, Callable[[FileTable, argparse.Namespace], Source]] = {
    "crosstab": _crosstab,
    "counts": _counts,
    "cells": _cells,
    "start": _spans,
    "item": _long,
}


def _numbers_of(names: Sequence[str]) -> dict[str, Any]:
    """The new names of columns that are called like numbers, if all of these are."""
    if not all(map(is_number, names)):
        return {}
    return dict(zip(names, pd.to_numeric(pd.Series(names)).tolist(), strict=True))


def _renamed(numbers: dict[str, Any]) -> str:
    return f".rename(columns={numbers!r})" if numbers else ""


# ------------------------------------------------------------------------------------- what all layouts share
def _keys(options: argparse.Namespace) -> dict[str, list[str]]:
    """The columns that are neither coders nor labels, by option."""
    frequency = [] if options.frequency is None else [options.frequency]
    return {"--by": options.by, "--frequency": frequency, "--where": [name for name, _ in options.where]}


def _other_columns(options: argparse.Namespace) -> list[str]:
    return list(dict.fromkeys(name for names in _keys(options).values() for name in names))


def _prepared(table: FileTable, roles: dict[str, list[str]], options: argparse.Namespace) -> pd.DataFrame:
    """Convert labels to numbers if all of them are numbers, each key on its own, and names of coders to text."""
    labels, keys = roles.get("label", []), _other_columns(options)
    columns.check_cells(table.frame, [*(name for names in roles.values() for name in names), *keys])
    columns.note_missing([text for name in labels for text in table.missing.get(name, ())])
    frame = table.frame
    alone = [[name] for name in keys if name not in labels]
    for together in (*([labels] if table.function != READ else []), *alone):
        frame = as_numbers(frame, together, options.decimal or ".")
    for name in roles.get("coder", []):
        frame = frame.assign(**{name: frame[name].astype("string")})  # as they are named in --coders
    for what in ("item", "coder"):
        columns.note_blanks(frame, roles.get(what, []), what)
    columns.note_blanks(frame, options.by, "group")
    for name, text in options.where:
        frame = frame[frame[name] == _cell_called(frame[name], text)]
    columns.refuse_no_labels(frame, labels)
    return frame


def _cell_called(column: pd.Series, text: str) -> Any:
    """The cell of a column that is written so in --where, a number also in another way."""
    cells = {str(cell): cell for cell in column.dropna().unique().tolist()}
    number = float(text) if _is_numeric(column) and is_number(text) else None
    found = [cell for shown, cell in cells.items() if shown == text or cell == number]
    if not found:
        raise InputError(f"--where: no row has {text!r} in column {column.name!r}", nearest(text, list(cells)))
    return found[0]


def _common(
    table: FileTable,
    frame: pd.DataFrame,
    options: argparse.Namespace,
    is_numeric: bool,
    labels: list[str],
    coder: str | None = None,
) -> dict[str, Any]:
    """The fields of a source that do not depend on its layout."""
    is_example = options.file is None
    title = EXAMPLE_TITLE if is_example else f"Agreement report: {source_name(options)}"
    used = {name: frame[name] for name in dict.fromkeys([*labels, *_other_columns(options)])}
    where = {name: _cell_called(frame[name], text) for name, text in options.where}
    return {
        "by": options.by,
        "options": _shared_options(options, is_numeric),
        "scale": given(options, "weights", "level", "sep"),
        "title": ", ".join([title, *(f"{name} {cell}" for name, cell in where.items())]),
        "reading": reading_lines(options.file, table, used, coder, where),
        "is_example": is_example,
        "saved": "" if is_example or not is_stream(options.file) else f", with the input saved as {SAVED}",
    }


def _is_numeric(labels: pd.Series) -> bool:
    return is_numeric_dtype(labels.dtype) and not is_bool_dtype(labels.dtype)


def _shared_options(options: argparse.Namespace, is_numeric: bool) -> dict[str, Any]:
    """The options of every method; categories are numbers if the labels are."""
    level = {} if options.ci == DEFAULT_LEVEL else {"ci": options.ci}
    shared = level | given(options, "missing", "categories", "frequency")
    if options.categories and is_numeric:
        words = [word for word in options.categories if not is_number(word)]
        if words:
            raise InputError(f"--categories: {words[0]!r} is not a number, but the labels in the file are")
        shared["categories"] = pd.to_numeric(pd.Series(options.categories)).tolist()
    return shared
