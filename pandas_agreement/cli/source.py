"""The `Source` of a run of the command line: a file or the example, and the parsed options that apply to it."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from shlex import quote
from typing import Any

import pandas as pd
from pandas.api.types import is_bool_dtype, is_numeric_dtype

from pandas_agreement.cli.columns import (
    as_numbers,
    check_cells,
    guess_coders,
    is_number,
    known_columns,
    note_blanks,
    refuse_no_labels,
)
from pandas_agreement.cli.files import FileTable, read_table
from pandas_agreement.cli.recipe import SAVED, call, is_stream, literal, reading_lines
from pandas_agreement.data.guesses import role_of
from pandas_agreement.data.lists import elements
from pandas_agreement.errors import AgreementError, InputError, warn
from pandas_agreement.example import load_example

PROGRAM = "pandas_agreement"
DEFAULT_LEVEL = 0.95  # of the intervals
EXAMPLE_CODERS = ["ann", "bob", "cleo", "dev"]
#: the options about coders, which other layouts do not have
OF_CODERS = ("coders", "item", "coder", "label", "duplicates")
TABLE = "the file is a table of numbers"
#: the layouts without columns of coders: the further options that they do not have, and why
LAYOUTS = {
    "counts": (("sep", "crosstab", "cells"), TABLE),
    "crosstab": (("sep", "counts", "cells", "frequency"), TABLE),
    "cells": (("counts", "crosstab"), "nobody knows who gave which rating"),
}
EXAMPLE_READING = ["import pandas_agreement", "df = pandas_agreement.load_example()"]


@dataclass(frozen=True)
class Source:
    """The data of one run and the options of its calls.

    `view` is `df.agree`, or `df.agree.long(...)` and the like, as `way` has it in Python; `chosen` are the coders to
    name in each call (none: all of them). `roles` are the columns of a long file (item, coder, label), empty for
    others. `options` are for every method, `scale` (weights, level, sep) and `by` for those that have them. `reading`
    are the lines of Python that read the frame. `named` is false if the coders of the labels are unknown.
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
    is_example: bool = False
    where: str = ""
    named: bool = True

    @property
    def groups(self) -> dict[str, Any]:
        """The groups as an option: a single key as a name."""
        return {"by": self.by[0] if len(self.by) == 1 else self.by} if self.by else {}

    def lines(self, method: str, options: Mapping[str, Any]) -> list[str]:
        """The lines of Python that read the file and call a method."""
        return [*self.reading, *call(f"{self.way}.{method}", [literal(name) for name in self.chosen], options)]


def source_name(options: argparse.Namespace) -> str:
    """The name of the data in a message."""
    return {None: "the example", "-": "standard input"}.get(options.file, str(options.file))


def open_source(options: argparse.Namespace) -> Source:
    """Read the data and prepare the options of the calls."""
    if options.file is None:
        return _example(options)
    for layout in (layout for layout in LAYOUTS if _is_given(options, layout)):
        _refuse_other_layouts(layout, options)
    table = read_table(options.file, options.delimiter, options.cells)
    for layout, read in {"crosstab": _crosstab, "counts": _counts, "cells": _cells}.items():
        if _is_given(options, layout):
            return read(table, options)
    roles = {"item": options.item, "coder": options.coder, "label": options.label}
    absent = [f"--{role}" for role, column in roles.items() if column is None]
    if len(absent) == len(roles):
        return _wide(table, options)
    if absent not in ([], ["--coder"]):
        problem = "--item and --label go together, with --coder unless the raters are anonymous"
        missing = [name for name in absent if name != "--coder"]
        raise InputError(problem, f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing")
    return _long(table, options)


def _is_given(options: argparse.Namespace, name: str) -> bool:
    return getattr(options, name) not in (None, False)


def _example(options: argparse.Namespace) -> Source:
    """The example data; options that describe a file are an error."""
    described = ("item", "coder", "label", "counts", "crosstab", "cells", "delimiter")
    if any(_is_given(options, name) for name in described):
        names = [f"--{name}" for name in described]
        raise InputError(f"{', '.join(names[:-1])} and {names[-1]} describe a file: python -m {PROGRAM} FILE ...")
    options.coders = options.coders or EXAMPLE_CODERS
    options.by = options.by or ["batch"]
    frame = load_example()
    try:
        known_columns(frame, {"--coders": options.coders, "--by": options.by})
    except AgreementError as error:
        remedy = f"{error.remedy} (no FILE was named; it comes first, before the options)"
        raise InputError(error.problem, remedy) from None
    return _wide(FileTable(frame, ""), options)


def _wide(table: FileTable, options: argparse.Namespace) -> Source:
    """One row per item, one column per coder."""
    if options.duplicates:
        remedy = "it is for long files (--item, --coder and --label)"
        raise InputError("--duplicates is not an option of wide files", remedy)
    frame = table.frame
    who = (
        {"--judge": options.judge, "--humans": options.humans} if options.judge else {"--coders": options.coders or []}
    )
    known_columns(frame, {**_keys(options), **who})
    coders = options.coders or guess_coders(frame, _other_columns(options))
    _refuse_both(coders, "a coder (--coders)", options)
    if len(coders) < 2:
        raise InputError(f"--coders: {coders[0]!r} is a single coder", "name two or more columns")
    frame = _numbered(_prepared(frame, {"label": coders}, options))
    is_numeric = all(_is_numeric(frame[name]) for name in coders)
    common = _common(table, frame, options, is_numeric, coders)
    return Source(frame.agree, frame, "df.agree", tuple(coders), {}, **common)


def _long(table: FileTable, options: argparse.Namespace) -> Source:
    """One row per judgment; without a column of coders the raters are anonymous."""
    coder, columns = options.coder, {"item": options.item, "coder": [options.coder], "label": [options.label]}
    if coder is None:
        del columns["coder"]
        _check_anonymous(table.frame, options)
    known_columns(table.frame, {**_keys(options), **{f"--{role}": names for role, names in columns.items()}})
    frame = _prepared(table.frame, columns, options)
    used = [name for names in columns.values() for name in names]
    common = _common(table, frame, options, _is_numeric(frame[options.label]), used, coder)
    roles = {role: names if len(names) > 1 else names[0] for role, names in columns.items()}
    said = roles | given(options, "duplicates")
    named = ", ".join(f"{name}={value!r}" for name, value in said.items())
    view, chosen = frame.agree.long(**said), tuple(options.coders or ())
    return Source(view, frame, f"df.agree.long({named})", chosen, roles, **common, named=coder is not None)


def _check_anonymous(frame: pd.DataFrame, options: argparse.Namespace) -> None:
    """Refuse options about coders where the raters are anonymous, and warn of a column that is called like coders."""
    for option in ("judge", "coders", "duplicates"):
        if _is_given(options, option):
            raise InputError(f"--{option} is about coders, and without --coder the raters are anonymous")
    used = {*options.item, options.label, *_other_columns(options)}
    found = next((name for name in frame.columns if name not in used and role_of(name) == "coder"), None)
    if found is not None:
        warn("without --coder the raters are anonymous", f"if column {found!r} names them, add --coder {quote(found)}")


def _cells(table: FileTable, options: argparse.Namespace) -> Source:
    """One row per item, with all its ratings in one cell."""
    name, sep = options.cells, given(options, "sep")
    known_columns(table.frame, {**_keys(options), "--cells": [name]})
    _refuse_both([name], "the ratings (--cells)", options)
    frame = _numbered(_prepared(table.frame, {}, options))
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
    _refuse_both(names, "a category (--counts)", options)
    frame = _prepared(table.frame, {"label": names}, options)
    common = _common(table, frame, options, all(map(is_number, names)), names)
    numbers = _numbers_of(names)
    frame = _numbered(frame.rename(columns=numbers))
    chosen = [numbers.get(name, name) for name in options.counts]
    way = f"df{_renamed(numbers)}.agree.counts({', '.join(map(literal, chosen))})"
    return Source(frame.agree.counts(*chosen), frame, way, (), {}, **common, named=False)


def _crosstab(table: FileTable, options: argparse.Namespace) -> Source:
    """The contingency table of two coders; the first column holds the labels of the first."""
    if options.by:
        raise InputError("--by is not an option of a crosstab, which is one group")
    first, *names = map(str, table.frame.columns)
    frame = as_numbers(table.frame, names)
    are_numbers = all(map(is_number, [*names, *frame[first].dropna().astype(str)]))
    frame = as_numbers(frame, [first]) if are_numbers else frame
    common = _common(table, frame, options, are_numbers, [first, *names])
    numbers = _numbers_of(names) if are_numbers else {}
    frame = frame.set_index(first).rename(columns=numbers)
    way = f"df.set_index({first!r}){_renamed(numbers)}.agree.crosstab()"
    return Source(frame.agree.crosstab(), frame, way, (), {}, **common)


def _numbers_of(names: Sequence[str]) -> dict[str, Any]:
    """The new names of columns that are called like numbers, if all of these are."""
    if not all(map(is_number, names)):
        return {}
    return dict(zip(names, pd.to_numeric(pd.Series(names)).tolist(), strict=True))


def _renamed(numbers: dict[str, Any]) -> str:
    return f".rename(columns={numbers!r})" if numbers else ""


def _numbered(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows as they are counted in a file; records by id keep their ids."""
    return frame.set_axis(range(1, len(frame) + 1)) if isinstance(frame.index, pd.RangeIndex) else frame


def _refuse_other_layouts(layout: str, options: argparse.Namespace) -> None:
    """Refuse options about coders where the file holds none, and a second layout."""
    refused, why = LAYOUTS[layout]
    for option in (*OF_CODERS, *refused):
        if _is_given(options, option):
            raise InputError(f"--{option} cannot be used with --{layout}: {why}")


def _keys(options: argparse.Namespace) -> dict[str, list[str]]:
    """The columns that are neither coders nor labels, by option."""
    return {"--by": options.by, "--frequency": [] if options.frequency is None else [options.frequency]}


def _other_columns(options: argparse.Namespace) -> list[str]:
    return [name for names in _keys(options).values() for name in names]


def _refuse_both(names: Sequence[str], what: str, options: argparse.Namespace) -> None:
    """Refuse a column of labels that is also a group or a frequency."""
    words = {"--by": "a group", "--frequency": "a frequency"}
    for option, keys in _keys(options).items():
        for key in (key for key in keys if key in names):
            raise InputError(f"column {key!r} cannot be both {what} and {words[option]} ({option})")


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
    title = f"Agreement report: {source_name(options)}"
    columns = {name: frame[name] for name in dict.fromkeys([*labels, *_other_columns(options)])}
    return {
        "by": options.by,
        "options": _shared_options(options, is_numeric),
        "scale": given(options, "weights", "level", "sep"),
        "title": "The example that ships with pandas_agreement" if is_example else title,
        "reading": EXAMPLE_READING if is_example else reading_lines(options.file, table, columns, coder),
        "is_example": is_example,
        "where": "" if is_example or not is_stream(options.file) else f", with the input saved as {SAVED}",
    }


def _prepared(frame: pd.DataFrame, roles: dict[str, list[str]], options: argparse.Namespace) -> pd.DataFrame:
    """Convert labels to numbers if all of them are numbers, each key on its own, and names of coders to text."""
    keys = _other_columns(options)
    check_cells(frame, [*(name for columns in roles.values() for name in columns), *keys])
    for columns in (roles.get("label", []), *([name] for name in keys)):
        frame = as_numbers(frame, columns)
    refuse_no_labels(frame, roles.get("label", []))
    for name in roles.get("coder", []):
        frame = frame.assign(**{name: frame[name].astype("string")})  # as they are named in --coders
    for what, columns in {**roles, "group": options.by}.items():
        note_blanks(frame, columns, what)
    return frame


def given(options: argparse.Namespace, *names: str) -> dict[str, Any]:
    """The options that were given, by their names in Python."""
    return {name: getattr(options, name) for name in names if getattr(options, name) is not None}


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
