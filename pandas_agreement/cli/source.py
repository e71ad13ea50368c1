"""The `Source` of a run of the command line: a file or the example, and the parsed options that apply to it."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
from pandas.api.types import is_bool_dtype, is_numeric_dtype

from pandas_agreement.cli.columns import as_numbers, check_cells, guess_coders, is_number, known_columns, note_blanks
from pandas_agreement.cli.files import Table, read_table
from pandas_agreement.cli.recipe import SAVED, call, is_stream, literal, reading_lines
from pandas_agreement.errors import AgreementError, InputError
from pandas_agreement.example import load_example

PROGRAM = "pandas_agreement"
DEFAULT_LEVEL = 0.95  # of the intervals
EXAMPLE_CODERS = ["ann", "bob", "cleo", "dev"]
EXAMPLE_READING = ["import pandas_agreement", "df = pandas_agreement.load_example()"]


@dataclass(frozen=True)
class Source:
    """The data of one run and the options of its calls.

    `view` is `df.agree`, or `df.agree.long(...)` and the like, as `way` has it in Python; `chosen` are the coders to
    name in each call (none: all of them). `roles` are the columns of a long file (item, coder, label), empty for
    others. `options` are for every method, `scale` (weights, level, sep) and `by` for those that have them. `reading`
    are the lines of Python that read the frame.
    """

    view: Any
    frame: pd.DataFrame
    way: str
    chosen: tuple[str, ...]
    roles: dict[str, str]
    by: list[str]
    options: dict[str, Any]
    scale: dict[str, Any]
    title: str
    reading: list[str]
    is_example: bool = False
    where: str = ""

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
    roles = {"item": options.item, "coder": options.coder, "label": options.label}
    absent = [f"--{role}" for role, column in roles.items() if column is None]
    if options.file is None:
        return _example(options, absent)
    tables = {"--counts": options.counts is not None, "--crosstab": options.crosstab}
    for name in (name for name, is_given in tables.items() if is_given):
        _refuse_options_of_coders(name, options)
    table = read_table(options.file, options.delimiter)
    if options.crosstab:
        return _crosstab(table, options)
    if options.counts is not None:
        return _counts(table, options)
    if len(absent) == len(roles):
        return _wide(table, options)
    if absent:
        raise InputError("--item, --coder and --label go together", f"{' and '.join(absent)} is missing")
    return _long(table, options, roles)


def _example(options: argparse.Namespace, absent: list[str]) -> Source:
    """The example data; options that describe a file are an error."""
    described = (options.delimiter, options.counts, options.crosstab or None)
    if len(absent) < 3 or any(option is not None for option in described):
        names = "--item, --coder, --label, --counts, --crosstab and --delimiter"
        raise InputError(f"{names} describe a file: python -m {PROGRAM} FILE ...")
    options.coders = options.coders or EXAMPLE_CODERS
    options.by = options.by or ["batch"]
    frame = load_example()
    try:
        known_columns(frame, {"--coders": options.coders, "--by": options.by})
    except AgreementError as error:
        remedy = f"{error.remedy} (no FILE was named; it comes first, before the options)"
        raise InputError(error.problem, remedy) from None
    return _wide(Table(frame, ""), options)


def _wide(table: Table, options: argparse.Namespace) -> Source:
    """One row per item, one column per coder."""
    frame, by = table.frame, options.by
    who = (
        {"--judge": options.judge, "--humans": options.humans} if options.judge else {"--coders": options.coders or []}
    )
    known_columns(frame, {"--by": by, **who})
    coders = options.coders or guess_coders(frame, by)
    both = [name for name in coders if name in by]
    if both:
        raise InputError(f"column {both[0]!r} cannot be both a coder (--coders) and a group (--by)")
    if len(coders) < 2:
        raise InputError(f"--coders: {coders[0]!r} is a single coder", "name two or more columns")
    frame = _prepared(frame, {"label": coders}, by)
    if isinstance(frame.index, pd.RangeIndex):  # else the ids of records
        frame = frame.set_axis(range(1, len(frame) + 1))  # rows as they are counted in a file
    is_numeric = all(_is_numeric(frame[name]) for name in coders)
    common = _common(table, frame, options, is_numeric, [*coders, *by])
    return Source(frame.agree, frame, "df.agree", tuple(coders), {}, **common)


def _long(table: Table, options: argparse.Namespace, roles: dict[str, str]) -> Source:
    """One row per judgment."""
    frame = table.frame
    known_columns(frame, {"--by": options.by} | {f"--{role}": [column] for role, column in roles.items()})
    frame = _prepared(frame, {role: [column] for role, column in roles.items()}, options.by)
    used, is_numeric = list(dict.fromkeys([*roles.values(), *options.by])), _is_numeric(frame[roles["label"]])
    common = _common(table, frame, options, is_numeric, used, roles["coder"])
    named = ", ".join(f"{role}={column!r}" for role, column in roles.items())
    chosen = tuple(options.coders or ())
    return Source(frame.agree.long(**roles), frame, f"df.agree.long({named})", chosen, roles, **common)


def _counts(table: Table, options: argparse.Namespace) -> Source:
    """One row per item, one column per category."""
    frame, by = table.frame, options.by
    known_columns(frame, {"--by": by, "--counts": options.counts})
    names = options.counts or [str(name) for name in frame.columns if name not in by]
    for key in (key for key in by if key in names):
        raise InputError(f"column {key!r} cannot be both a category (--counts) and a group (--by)")
    frame = _prepared(frame[[*names, *by]], {"label": names}, by)
    common = _common(table, frame, options, all(map(is_number, names)), [*names, *by])
    frame, renamed = _with_number_names(frame, names)
    frame = frame.set_axis(range(1, len(frame) + 1))
    chosen = f"df[{[*names, *by]!r}]" if len(table.frame.columns) > len(frame.columns) else "df"
    return Source(frame.agree.counts(), frame, f"{chosen}{renamed}.agree.counts()", (), {}, **common)


def _crosstab(table: Table, options: argparse.Namespace) -> Source:
    """The contingency table of two coders; the first column holds the labels of the first."""
    if options.by:
        raise InputError("--by is not an option of a crosstab, which is one group")
    first, *names = map(str, table.frame.columns)
    frame, renamed = as_numbers(table.frame, names), ""
    are_numbers = all(map(is_number, [*names, *frame[first].dropna().astype(str)]))
    frame = as_numbers(frame, [first]) if are_numbers else frame
    common = _common(table, frame, options, are_numbers, [first, *names])
    frame = frame.set_index(first)
    if are_numbers:
        frame, renamed = _with_number_names(frame, names)
    way = f"df.set_index({first!r}){renamed}.agree.crosstab()"
    return Source(frame.agree.crosstab(), frame, way, (), {}, **common)


def _with_number_names(frame: pd.DataFrame, names: Sequence[str]) -> tuple[pd.DataFrame, str]:
    """Rename columns that are called like numbers, if all of these are, and the same in Python."""
    if not all(map(is_number, names)):
        return frame, ""
    numbers = dict(zip(names, pd.to_numeric(pd.Series(names)).tolist(), strict=True))
    return frame.rename(columns=numbers), f".rename(columns={numbers!r})"


def _refuse_options_of_coders(name: str, options: argparse.Namespace) -> None:
    """Refuse options about coders where the file holds none."""
    other = "counts" if name == "--crosstab" else "crosstab"
    for option in ("coders", "item", "coder", "label", "duplicates", "sep", other):
        if getattr(options, option) not in (None, False):
            raise InputError(f"--{option} cannot be used with {name}: the file is a table of numbers")


def _common(
    table: Table,
    frame: pd.DataFrame,
    options: argparse.Namespace,
    is_numeric: bool,
    used: list[str],
    coder: str | None = None,
) -> dict[str, Any]:
    """The fields of a source that do not depend on its layout."""
    is_example = options.file is None
    title = f"Agreement report: {source_name(options)}"
    columns = {name: frame[name] for name in used}
    return {
        "by": options.by,
        "options": _shared_options(options, is_numeric),
        "scale": given(options, "weights", "level", "sep"),
        "title": "The example that ships with pandas_agreement" if is_example else title,
        "reading": EXAMPLE_READING if is_example else reading_lines(options.file, table, columns, coder),
        "is_example": is_example,
        "where": "" if is_example or not is_stream(options.file) else f", with the input saved as {SAVED}",
    }


def _prepared(frame: pd.DataFrame, roles: dict[str, list[str]], by: Sequence[str]) -> pd.DataFrame:
    """Convert labels to numbers if all of them are numbers, each key on its own, and names of coders to text."""
    check_cells(frame, [*(name for columns in roles.values() for name in columns), *by])
    for columns in (roles["label"], *([name] for name in by)):
        frame = as_numbers(frame, columns)
    for name in roles.get("coder", []):
        frame = frame.assign(**{name: frame[name].astype("string")})  # as they are named in --coders
    for what, columns in {**roles, "group": list(by)}.items():
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
    shared = level | given(options, "missing", "categories", "duplicates")
    if options.categories and is_numeric:
        words = [word for word in options.categories if not is_number(word)]
        if words:
            raise InputError(f"--categories: {words[0]!r} is not a number, but the labels in the file are")
        shared["categories"] = pd.to_numeric(pd.Series(options.categories)).tolist()
    return shared
