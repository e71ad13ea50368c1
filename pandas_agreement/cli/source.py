"""The data of a run of the command line: a file or the example, as the `Source` the tables are made from.

The options have been parsed; here they meet the columns of the file.
"""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import is_bool_dtype, is_numeric_dtype

from pandas_agreement.cli.files import as_numbers, guess_coders, is_number, known_columns, read_table
from pandas_agreement.cli.tables import WIDTH, Source, label_text
from pandas_agreement.errors import AgreementError, InputError
from pandas_agreement.example import load_example

PROGRAM = "pandas_agreement"
EXAMPLE_CODERS = ["ann", "bob", "cleo", "dev"]
SHOWN_NAMES = 8

EXAMPLE_HEADING = """\
The example that ships with pandas_agreement (made-up data): support tickets in six weekly batches,
each to be labelled by four people. After the third week the guidelines were rewritten and the
coders trained again."""

EXAMPLE_CLOSING = """\
What next?
  a file of your own, a row an item, a column a coder:
    python -m pandas_agreement labels.csv --coders ann bob --by batch
  a row a judgment, and a check for continuous integration:
    python -m pandas_agreement labels.csv --item doc --coder who --label tag --fail-under alpha=0.8
  in Python:
    import pandas_agreement
    df = pandas_agreement.load_example()
    df.agree.summary("ann", "bob", "cleo", "dev", by="batch")
    df.agree.confusion("ann", "dev")"""


def source_name(options: argparse.Namespace) -> str:
    """What to call the data in a message."""
    return {None: "the example", "-": "standard input"}.get(options.file, str(options.file))


def open_source(options: argparse.Namespace) -> Source:
    """The data and how to call the methods on them."""
    named = {"item": options.item, "coder": options.coder, "label": options.label}
    absent = [f"--{key}" for key, value in named.items() if value is None]
    if options.file is None:
        return _example(options, absent)
    frame = read_table(options.file, options.sep)
    if len(absent) == len(named):
        return _wide(frame, options)
    if absent:
        raise InputError(f"--item, --coder and --label go together; {' and '.join(absent)} is missing")
    return _long(frame, options, named)


def _example(options: argparse.Namespace, absent: list[str]) -> Source:
    """The shipped data; options that describe a file need one."""
    if len(absent) < 3 or options.sep is not None:
        raise InputError(f"--item, --coder, --label and --sep describe a file: python -m {PROGRAM} FILE ...")
    options.coders = options.coders or EXAMPLE_CODERS
    options.by = options.by or ["batch"]
    frame = load_example()
    try:
        known_columns(frame, {"--coders": options.coders, "--by": options.by})
    except AgreementError as error:
        raise InputError(f"{error} (no FILE was named; it comes first, before the options)") from None
    return _wide(frame, options, EXAMPLE_HEADING + "\n", EXAMPLE_CLOSING)


def _wide(frame: pd.DataFrame, options: argparse.Namespace, heading: str = "", closing: str = "") -> Source:
    """A row an item, a column a coder."""
    by = options.by
    known_columns(frame, {"--by": by, "--coders": options.coders or []})
    coders = options.coders or guess_coders(frame, by)
    both = [name for name in coders if name in by]
    if both:
        raise InputError(f"column {both[0]!r} cannot be both a coder (--coders) and a group (--by)")
    if len(coders) < 2:
        raise InputError(f"--coders: {coders[0]!r} alone has nobody to agree with; name two or more columns")
    frame = _with_numbers(frame, coders, by)
    labels = pd.concat([frame[name] for name in coders], ignore_index=True)
    facts = [_count(len(frame), "item"), _listed(coders, "coder"), *_label_facts(labels)]
    return Source(
        view=frame.agree,
        chosen=tuple(coders),
        coders=tuple(coders),
        judgments=pd.DataFrame({"coder": np.repeat(coders, len(frame)), "label": labels}),
        heading=heading + _filled(f"{'Data' if closing else source_name(options)}: {', '.join(facts)}"),
        closing=closing or _in_python(options, "df", coders),
        options=_shared_options(options, labels),
        weights=given(options, "weights"),
    )


def _long(frame: pd.DataFrame, options: argparse.Namespace, named: dict[str, str]) -> Source:
    """A row a judgment."""
    known_columns(frame, {"--by": options.by} | {f"--{key}": [name] for key, name in named.items()})
    frame = _with_numbers(frame, [named["label"]], options.by)
    who = frame[named["coder"]].astype("string")  # as they are named in --coders
    frame = frame.assign(**{named["coder"]: who})
    coders = options.coders or sorted(who.dropna().unique())
    labels = frame[named["label"]]
    n_items = _count(frame[named["item"]].nunique(), "item")
    facts = [
        f"{_count(len(frame), 'judgment')} of {n_items}",
        _listed(coders, "coder"),
        *_label_facts(labels),
    ]
    arguments = ", ".join(f"{key}={name!r}" for key, name in named.items())
    return Source(
        view=frame.agree.long(**named),
        chosen=tuple(options.coders or ()),
        coders=tuple(coders),
        judgments=pd.DataFrame({"coder": who, "label": labels}),
        heading=_filled(f"{source_name(options)}: {', '.join(facts)}"),
        closing=_in_python(options, f"df.agree.long({arguments})", options.coders or []),
        options=_shared_options(options, labels),
        weights=given(options, "weights"),
    )


def _with_numbers(frame: pd.DataFrame, labels: Sequence[str], by: Sequence[str]) -> pd.DataFrame:
    """Labels to numbers if all of them are; each key column on its own."""
    for columns in (labels, *([name] for name in by)):
        frame = as_numbers(frame, columns)
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
            raise InputError(f"--categories: {words[0]!r} is not a number, but the labels in the file are")
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


def _in_python(options: argparse.Namespace, frame: str, coders: Sequence[str]) -> str:
    by = [f"by={options.by!r}"] if options.by else []
    call = f"{frame}{'' if '.agree' in frame else '.agree'}.summary({', '.join([*map(repr, coders), *by])})"
    return f"In Python, with the file in a frame df:\n  import {PROGRAM}\n  {call}"
