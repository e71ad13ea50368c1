"""The data of a run of the command line: a file or the example, as the `Source` everything is asked from.

The options have been parsed; here they meet the columns of the file.
"""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
from pandas.api.types import is_bool_dtype, is_numeric_dtype

from pandas_agreement.cli.columns import as_numbers, check_cells, guess_coders, is_number, known_columns, note_blanks
from pandas_agreement.cli.files import Table, read_table
from pandas_agreement.cli.recipe import SAVED, call, in_python, literal, reading_lines
from pandas_agreement.cli.tables import WIDTH
from pandas_agreement.errors import AgreementError, InputError
from pandas_agreement.example import load_example
from pandas_agreement.formatting import label_text

PROGRAM = "pandas_agreement"
EXAMPLE_CODERS = ["ann", "bob", "cleo", "dev"]
EXAMPLE_READING = ["import pandas_agreement", "df = pandas_agreement.load_example()"]
SHOWN_NAMES = 8

EXAMPLE_HEADING = """\
The example that ships with pandas_agreement (made-up data): support tickets in six weekly batches,
each to be labelled by four people. After the third week the guidelines were rewritten and the
coders trained again.
"""

WHAT_NEXT = """\
What next? Add --worst 10 for the items to adjudicate first, or give a file of your own:
  python -m pandas_agreement labels.csv --coders ann bob --by batch
  python -m pandas_agreement labels.csv --item doc --coder who --label tag --fail-under alpha=0.8"""


@dataclass(frozen=True)
class Source:
    """The data of one run, and how they are to be read.

    `view` is `df.agree` or what `df.agree.long` returned; `chosen` are the coders to name in each call (none: all of
    them), `coders` those there are. `roles` are the columns of a long file (item, coder, label), empty for a wide one.
    `options` go to every method, `scale` (weights, level) to those that take it, `by` to those that have groups.
    `heading` says what the data are, `reading` are the lines of Python that make the frame, `next` what else to type.
    """

    view: Any
    frame: pd.DataFrame
    chosen: tuple[str, ...]
    coders: tuple[str, ...]
    roles: dict[str, str]
    by: list[str]
    options: dict[str, Any]
    scale: dict[str, Any]
    heading: str
    reading: list[str]
    where: str = ""
    next: str = ""

    @property
    def groups(self) -> dict[str, Any]:
        """The groups as an option: a single key as a name."""
        return {"by": self.by[0] if len(self.by) == 1 else self.by} if self.by else {}

    def closing(self, method: str, options: dict[str, Any]) -> str:
        """The lines of Python that give what was printed, and what to try next."""
        roles = ", ".join(f"{role}={column!r}" for role, column in self.roles.items())
        view = f"df.agree.long({roles})" if roles else "df.agree"
        shown = {name: value for name, value in options.items() if (name, value) != ("ci", 0.95)}
        lines = call(f"{view}.{method}", [literal(name) for name in self.chosen], shown)
        return in_python([*self.reading, *lines], self.where) + (f"\n\n{self.next}" if self.next else "")


def source_name(options: argparse.Namespace) -> str:
    """What to call the data in a message."""
    return {None: "the example", "-": "standard input"}.get(options.file, str(options.file))


def open_source(options: argparse.Namespace) -> Source:
    """The data and how to call the methods on them."""
    roles = {"item": options.item, "coder": options.coder, "label": options.label}
    absent = [f"--{role}" for role, column in roles.items() if column is None]
    if options.file is None:
        return _example(options, absent)
    table = read_table(options.file, options.sep)
    if len(absent) == len(roles):
        return _wide(table, options)
    if absent:
        raise InputError(
            "--item, --coder and --label go together", f"{' and '.join(absent)} is missing", code="missing option"
        )
    return _long(table, options, roles)


def _example(options: argparse.Namespace, absent: list[str]) -> Source:
    """The shipped data; options that describe a file need one."""
    if len(absent) < 3 or options.sep is not None:
        raise InputError(
            f"--item, --coder, --label and --sep describe a file: python -m {PROGRAM} FILE ...", code="missing file"
        )
    options.coders = options.coders or EXAMPLE_CODERS
    options.by = options.by or ["batch"]
    frame = load_example()
    try:
        known_columns(frame, {"--coders": options.coders, "--by": options.by})
    except AgreementError as error:
        raise InputError(
            error.problem, f"{error.remedy} (no FILE was named; it comes first, before the options)"
        ) from None
    return _wide(Table(frame, ""), options)


def _wide(table: Table, options: argparse.Namespace) -> Source:
    """A row an item, a column a coder."""
    frame, by = table.frame, options.by
    known_columns(frame, {"--by": by, "--coders": options.coders or []})
    coders = options.coders or guess_coders(frame, by)
    both = [name for name in coders if name in by]
    if both:
        raise InputError(
            f"column {both[0]!r} cannot be both a coder (--coders) and a group (--by)", column=both[0], code="two roles"
        )
    if len(coders) < 2:
        raise InputError(
            f"--coders: {coders[0]!r} alone has nobody to agree with",
            "name two or more columns",
            option="coders",
            code="too few coders",
        )
    frame = _prepared(frame, {"label": coders}, by)
    labels = pd.concat([frame[name] for name in coders], ignore_index=True)
    facts = [_count(len(frame), "item"), _listed(coders, "coder"), *_label_facts(labels)]
    return Source(
        view=frame.agree,
        chosen=tuple(coders),
        coders=tuple(coders),
        roles={},
        **_common(table, frame, options, labels, [*coders, *by], facts),
    )


def _long(table: Table, options: argparse.Namespace, roles: dict[str, str]) -> Source:
    """A row a judgment."""
    frame = table.frame
    known_columns(frame, {"--by": options.by} | {f"--{role}": [column] for role, column in roles.items()})
    frame = _prepared(frame, {role: [column] for role, column in roles.items()}, options.by)
    coders = options.coders or sorted(frame[roles["coder"]].dropna().unique())
    labels = frame[roles["label"]]
    n_items = _count(frame[roles["item"]].nunique(), "item")
    facts = [f"{_count(len(frame), 'judgment')} of {n_items}", _listed(coders, "coder"), *_label_facts(labels)]
    used = list(dict.fromkeys([*roles.values(), *options.by]))
    return Source(
        view=frame.agree.long(**roles),
        chosen=tuple(options.coders or ()),
        coders=tuple(coders),
        roles=roles,
        **_common(table, frame, options, labels, used, facts, roles["coder"]),
    )


def _common(
    table: Table,
    frame: pd.DataFrame,
    options: argparse.Namespace,
    labels: pd.Series,
    used: list[str],
    facts: list[str],
    coder: str | None = None,
) -> dict[str, Any]:
    """What a source has whatever its layout."""
    example = options.file is None
    return {
        "frame": frame,
        "by": options.by,
        "options": _shared_options(options, labels),
        "scale": given(options, "weights", "level"),
        "heading": (EXAMPLE_HEADING if example else "")
        + _filled(f"{'Data' if example else source_name(options)}: {', '.join(facts)}"),
        "reading": EXAMPLE_READING
        if example
        else reading_lines(options.file, table, {name: frame[name] for name in used}, coder),
        "where": f", with the input saved as {SAVED}" if options.file == "-" else "",
        "next": WHAT_NEXT if example and options.worst is None else "",
    }


def _prepared(frame: pd.DataFrame, roles: dict[str, list[str]], by: Sequence[str]) -> pd.DataFrame:
    """Labels as numbers if all of them are, each key on its own; names of coders as text."""
    check_cells(frame, [*(name for columns in roles.values() for name in columns), *by])
    for columns in (roles["label"], *([name] for name in by)):
        frame = as_numbers(frame, columns)
    for name in roles.get("coder", []):
        frame = frame.assign(**{name: frame[name].astype("string")})  # as they are named in --coders
    for what, columns in {**roles, "group": list(by)}.items():
        note_blanks(frame, columns, what)
    return frame


def given(options: argparse.Namespace, *names: str) -> dict[str, Any]:
    """The options that were given, under the names they have in Python."""
    return {name: getattr(options, name) for name in names if getattr(options, name) is not None}


def _shared_options(options: argparse.Namespace, labels: pd.Series) -> dict[str, Any]:
    """What every method takes."""
    shared = {"ci": options.ci, **given(options, "missing", "categories", "duplicates")}
    if options.categories and is_numeric_dtype(labels.dtype) and not is_bool_dtype(labels.dtype):
        words = [word for word in options.categories if not is_number(word)]
        if words:
            raise InputError(
                f"--categories: {words[0]!r} is not a number, but the labels in the file are",
                option="categories",
                code="unknown label",
            )
        shared["categories"] = pd.to_numeric(pd.Series(options.categories)).tolist()
    return shared


# -------------------------------------------------------------------------------------------------- in words


def _filled(text: str) -> str:
    return textwrap.fill(text, WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def _listed(names: Sequence[Hashable], what: str) -> str:
    shown = f" ({', '.join(map(str, names))})" if len(names) <= SHOWN_NAMES else ""
    return _count(len(names), what) + shown


def _count(number: int, what: str) -> str:
    plural = {"category": "categories"}.get(what, f"{what}s")
    return f"{number} {what if number == 1 else plural}"


def _label_facts(labels: pd.Series) -> list[str]:
    """The labels in use, and how many are missing."""
    gaps = labels.isna().mean()
    used = labels.dropna().unique()
    in_order = sorted(used) if is_numeric_dtype(labels.dtype) else sorted(used, key=label_text)
    facts = [_listed([label_text(label) for label in in_order], "category")]
    return facts if gaps == 0 else [*facts, f"{100 * gaps:.0f}% of the labels missing"]
