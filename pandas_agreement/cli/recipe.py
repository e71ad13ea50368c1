"""The lines of Python that give the printed numbers, ready to paste.

They read the file as the command line does, so that a label such as 007 is unchanged, and repeat every option.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from pandas_agreement.cli.columns import may_be_inferred
from pandas_agreement.cli.files import READ, FileTable
from pandas_agreement.report.render_text import INDENT, WIDTH
from pandas_agreement.scales import Scale

HANGING = "    "
ROOM = WIDTH - len(INDENT)
SAVED = "labels.csv"  # file name for what can be read only once
EXAMPLE = ["import pandas_agreement", "df = pandas_agreement.load_example()"]
SETS = {
    "read_json": "map(lambda cell: frozenset(cell) if isinstance(cell, list) else cell)",
    "read_parquet": "map(frozenset, na_action='ignore')",
}


def is_stream(path: str) -> bool:
    """Whether a file can be read only once: standard input, a pipe or a device."""
    return path == "-" or not (Path(path).is_file() or Path(path).is_dir())


def reading_lines(
    path: str | None, table: FileTable, used: Mapping[str, pd.Series], coder: str | None, where: Mapping[str, Any]
) -> list[str]:
    """Lines that read the file into `df`; `used` are the columns in use, after conversion.

    `coder` is the column with the names of the coders, which are always text; `where` has the rows to keep.
    """
    kept = [f"df = df[df[{name!r}] == {cell!r}]" for name, cell in where.items()]
    if path is None:
        return [*EXAMPLE, *kept]
    text, decimal = table.function == "read_csv", table.options.get("decimal", ".")
    guarded = text and any(_is_text(column) and may_be_inferred(column, decimal) for column in used.values())
    options = table.options | ({"dtype": str} if guarded else {})
    lines = [*(["import pandas as pd"] if table.function != READ else []), "import pandas_agreement"]
    function = table.function if table.function == READ else f"pd.{table.function}"
    lines += call(f"df = {function}", [literal(SAVED if is_stream(path) else path)], options)
    lines += table.steps
    lines += _changed("sets", [name for name in table.sets if name in used], SETS.get(table.function, ""))
    if guarded or not text:  # otherwise pandas converts numbers itself
        numbers = [name for name, column in used.items() if _is_text(table.frame[name]) and not _is_text(column)]
        points = "pd.to_numeric" if decimal == "." else f"lambda c: pd.to_numeric(c.str.replace({decimal!r}, '.'))"
        lines += _changed("numbers", numbers, f"apply({points})")
    if coder is not None and not text and set(map(type, table.frame[coder].dropna())) != {str}:
        lines.append(f"df[{coder!r}] = df[{coder!r}].astype('string')")
    return lines + kept


def _is_text(column: pd.Series) -> bool:
    return not pd.api.types.is_numeric_dtype(column.dtype)


def _changed(what: str, columns: list[str], how: str) -> list[str]:
    """Lines that convert some columns, if there are any."""
    return [*_filled("", _parts(f"{what} = ", columns), ""), f"df[{what}] = df[{what}].{how}"] if columns else []


def call(function: str, names: Sequence[str], options: Mapping[str, Any]) -> list[str]:
    """A call, in one or more lines.

    >>> call("df.agree.kappa", ["'ann'", "'bob'"], {"by": "batch", "categories": ["y", "n"]})
    ["df.agree.kappa('ann', 'bob', by='batch', categories=['y', 'n'])"]
    """
    parts = [*names, *(part for name, value in options.items() for part in _parts(f"{name}=", value))]
    return _filled(f"{function}(", parts, ")")


def _filled(opening: str, parts: Sequence[str], closing: str) -> list[str]:
    """The parts with commas between them, in lines that fit the page."""
    lines, line = [], opening
    for place, part in enumerate(parts, 1):
        text = part + ("," if place < len(parts) else closing)
        if line.strip() and len(line) + len(text) > ROOM:
            lines.append(line.rstrip())
            line = HANGING
        line += f"{text} "
    return [*lines, line.rstrip() if parts else opening + closing]


def _parts(name: str, value: Any) -> list[str]:
    """A name and its value; a list that is too long for a line in parts, between which a line may break."""
    whole = f"{name}{literal(value)}"
    if not isinstance(value, list) or len(value) < 2 or len(HANGING) + len(whole) < ROOM:
        return [whole]
    first, *between, last = map(literal, value)
    return [f"{name}[{first}", *between, f"{last}]"]


def literal(value: Any) -> str:
    """A value as it is written in Python; a scale as text, which needs no import."""
    return "str" if value is str else repr(str(value) if isinstance(value, Scale) else value)
