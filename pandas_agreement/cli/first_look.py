"""The first look at an export: its questions, who answered them, what was left out, and the command to go on with."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from pandas_agreement.characters import in_one_line
from pandas_agreement.cli.arguments import PROGRAM, given, say, write
from pandas_agreement.errors import InputError, counted
from pandas_agreement.exports import TOOLS, questions
from pandas_agreement.exports.row import Row
from pandas_agreement.formatting import label_text

MAX_SHOWN = 5  # categories of a question
BY_MODEL = "by a model"  # left out for this reason unless --models is given


def asked(options: argparse.Namespace) -> dict[str, Any]:
    """The options of `read`: groups and conditions may be inputs of the tool."""
    if len(options.item or ()) > 1:
        raise InputError("--item names several keys, and the items of an export have one", "name one")
    names = dict.fromkeys([*options.by, *(name for name, _ in options.where)])
    data = [name for name in names if name not in Row._fields]
    item = {"item": options.item[0]} if options.item else {}
    models = {"models": True} if options.models else {}
    return {**given(options, "field", "tool"), **item, **models, **({"data": data} if data else {})}


def show(frame: pd.DataFrame, options: argparse.Namespace) -> None:
    """Print what an export holds, beside data for programs only what to know about it; raise if nothing is shared."""
    found, source = questions(frame), frame.attrs["source"]
    notes, repeated = [], n_repeated(frame)
    if source["left_out"]:
        left = [
            f"{n} {reason}{' (--models)' * (reason == BY_MODEL)}" for reason, n in sorted(source["left_out"].items())
        ]
        notes.append(f"left out: {', '.join(left)}")
    if repeated:
        newest = "" if options.duplicates else "; the newest counts (--duplicates)"
        notes.append(f"repeated judgments: {repeated}{newest}")
    who = {kind: frame.loc[frame["kind"] == kind, "coder"].unique() for kind in ("model", "person")}
    if all(map(len, who.values())) and not options.judge:
        notes.append(f"models against people: {again(options, '--judge', *who['model'], '--humans', *who['person'])}")
    if options.format == "table":
        tool = TOOLS[source["tool"]].title if source["tool"] else "no records"
        title = f"{Path(options.file).name}: {tool}, {counted(len(found), 'question', 'questions')}"
        write("".join(f"{in_one_line(line)}\n" for line in (title, *_table(found), *notes)) + "\n")
    else:
        for note in notes:
            say(f"note: {note}")
    _check_shared(found, options)


def n_repeated(frame: pd.DataFrame) -> int:
    """How many judgments a coder gave again."""
    return 0 if "start" in frame.columns else int(frame.duplicated(["item", "coder", "field"]).sum())


def _table(found: pd.DataFrame) -> list[str]:
    """A line for each question, below the names of the columns."""
    if found.empty:
        return []
    plain = found.assign(categories=[_few(labels) for labels in found["categories"]]).reset_index()
    cells = [[*plain.columns], *(list(map(in_one_line, row)) for row in plain.astype(str).to_numpy().tolist())]
    widths = [max(map(len, column)) for column in list(zip(*cells, strict=True))[:-1]]
    return ["  ".join([*map(str.rjust, line[:-1], widths), line[-1]]) for line in cells]


def _few(labels: Sequence[Any]) -> str:
    return ", ".join([*map(label_text, labels[:MAX_SHOWN]), *(["..."] if len(labels) > MAX_SHOWN else [])])


def _check_shared(found: pd.DataFrame, options: argparse.Namespace) -> None:
    """Raise unless two coders share items, and there is one question or a result for each was asked for."""
    shared = found.index[found["shared"] > 0]
    if not len(shared):
        raise InputError("no item was judged by two coders", code="nothing shared")
    if len(found) > 1 and "field" not in dict(options.where):
        raise InputError(
            f"several questions: {again(options, '--field', shared[0])}", code="several questions in a file"
        )


def again(options: argparse.Namespace, *more: str) -> str:
    """The command with more options."""
    return shlex.join(["python", "-m", PROGRAM, *options.typed, *more])
