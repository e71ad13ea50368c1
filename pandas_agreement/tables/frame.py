"""The table that `table` returns: a frame of strings that is written with its notes below it.

The cells hold the whole texts, so that a part of a table, a file or another package has them all. Lines, letters for
notes and the order of the parts are made when the table is written.
"""

from __future__ import annotations

import html
import re
import textwrap
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from string import ascii_lowercase
from typing import Any

import pandas as pd

from pandas_agreement.formatting import notes_of

NOTE = "Note"
WIDTH = 79  # of 80, as pandas prints an empty index before the table
SHORT = 24  # characters of a text that is broken only if nothing else helps
NARROWEST = 12  # characters of a line of text in a table that is too wide
LONGEST = 34  # characters of a cell in one line of LaTeX
NUMBERS = re.compile(r"[-\[\]\d.,< ]*")
#: what LaTeX would not print as it stands
LATEX = str.maketrans(
    {sign: f"\\{sign}" for sign in "&%$#_{}"}
    | {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"}
    | {"<": r"\textless{}", ">": r"\textgreater{}"}
)


class Table(pd.DataFrame):
    """A small frame of strings; notes are letters in the last column, and texts below, wherever it is written."""

    @property
    def _constructor(self) -> type[Table]:
        return Table

    def to_string(self, buf: Any = None, **options: Any) -> str | None:  # type: ignore[override]
        """As DataFrame.to_string, with long texts in several lines, and the notes below."""
        body, notes = marked(self)
        options |= {"max_colwidth": None} if is_text(body) else {}
        if len(body) <= (options.get("max_rows") or 0):  # which counts rows of the table, not lines
            options |= {"max_rows": None}
        if options.get("line_width"):
            options["line_width"] += 1  # pandas folds a table that just fits
        text = lines_of(body).to_string(**options)
        below = [textwrap.fill(note, WIDTH, initial_indent="  ", subsequent_indent="     ") for note in notes]
        return _put("\n".join([text, "", *below] if notes else [text]), buf)

    def to_markdown(self, buf: Any = None, mode: str = "wt", **options: Any) -> str | None:  # type: ignore[override]
        """As DataFrame.to_markdown, without the index, with all digits, and with the notes below."""
        body, notes = marked(self)
        if options.get("tablefmt", "pipe") in ("pipe", "github"):
            body = _each(body, lambda text: text.replace("|", r"\|"))
        defaults: dict[str, Any] = {"index": False, "disable_numparse": True}
        if len(body) and not options.get("index"):
            defaults["colalign"] = ["right" if number else "left" for number in are_numbers(body)]
        return _put("\n\n".join([str(body.to_markdown(**defaults | options)), *notes]), buf, mode)

    def to_latex(self, buf: Any = None, columns: Any = None, **options: Any) -> str | None:  # type: ignore[override]
        """As DataFrame.to_latex, without the index, with all signs escaped, and with the notes below."""
        body, notes = marked(self if columns is None else self[list(columns)])
        escape = _latex if options.pop("escape", True) else str
        options = {"index": False} | options
        if not options["index"]:
            options.setdefault("column_format", "".join(map(_latex_column, are_numbers(body), _longest(body))))
        text = str(_each(body, escape).to_latex(**options, escape=False))
        text = re.sub(r"(?m)^\[", "{[}", text)  # which would be an option of the row before
        n_columns = len(body.columns) + bool(options["index"])
        lines = [line for note in notes for line in textwrap.wrap(note, WIDTH)]
        below = "".join(f"\\multicolumn{{{n_columns}}}{{l}}{{\\footnotesize {escape(line)}}} \\\\\n" for line in lines)
        end = text.rindex("\\end{longtable}" if options.get("longtable") else "\\end{tabular}")
        return _put(text[:end] + below + text[end:], buf)

    def to_html(self, buf: Any = None, columns: Any = None, **options: Any) -> str | None:  # type: ignore[override]
        """As DataFrame.to_html, without the index, with long texts at the left, and with the notes below."""
        body, notes = marked(self if columns is None else self[list(columns)])
        long = [longest > LONGEST for longest in _longest(body)]
        if options.pop("escape", True):
            body = _each(body, html.escape)
        with pd.option_context("display.max_colwidth", None):
            text = str(
                _each(body, *(_left if is_long else str for is_long in long)).to_html(
                    **{"index": False} | options, escape=False
                )
            )
        return _put(text + _html(notes), buf)

    def _repr_html_(self) -> str | None:
        if not pd.get_option("display.notebook_repr_html"):
            return None
        return self.to_html(max_rows=pd.get_option("display.max_rows"), notebook=True)


# ----------------------------------------------------------------------------------------------------------- notes


def marked(table: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """The table with letters for its notes, and the notes with their letters; each note once."""
    body = pd.DataFrame(table)
    if not is_text(body) or not len(body.columns) or body.columns[-1] != NOTE:
        return body, []
    of_rows = [notes_of(cell) if cell else [] for cell in body[NOTE]]
    places = {note: place for place, note in enumerate(dict.fromkeys(chain.from_iterable(of_rows)))}
    cells = [", ".join(map(_letter, sorted(places[note] for note in notes))) for notes in of_rows]
    return body.assign(**{NOTE: cells}), [f"{_letter(place)}. {note}" for note, place in places.items()]


def _letter(place: int) -> str:
    """The letter of a note: a to z, then aa, ab and so on."""
    before, last = divmod(place, len(ascii_lowercase))
    return (_letter(before - 1) if before else "") + ascii_lowercase[last]


def is_text(body: pd.DataFrame) -> bool:
    """Whether all cells and headers are text, as `table` makes them, and not what was computed from it."""
    cells = chain(body.columns, *(body.iloc[:, place] for place in range(body.shape[1])))
    return body.columns.is_unique and all(isinstance(cell, str) for cell in cells)


# ----------------------------------------------------------------------------------------------------------- lines


def lines_of(body: pd.DataFrame) -> pd.DataFrame:
    """The table as it is printed: the widest texts are broken so that it fits, and go on in the rows below."""
    if not is_text(body):
        return body
    longest, numbers = _longest(body), are_numbers(body)
    least = [max(len(str(name)), longest[n] + 1 if numbers[n] else 0) for n, name in enumerate(body)]
    caps = list(longest)
    for short in (SHORT, 0):  # long texts first
        cap = max(longest, default=0)
        while cap > NARROWEST and sum(map(lambda low, most: max(low, most + 1) + 1, least, caps)) > WIDTH:
            cap -= 1
            caps = [min(most, cap) if long > short else most for most, long in zip(caps, longest, strict=True)]
    widths = [max(most, low - 1) for most, low in zip(caps, least, strict=True)]
    cells = [[_wrap(cell, width) for cell in body[name]] for name, width in zip(body, widths, strict=True)]
    heights = [max(map(len, row)) for row in zip(*cells, strict=True)]
    data = [
        [line for cell, height in zip(column, heights, strict=True) for line in [*cell, *[""] * (height - len(cell))]]
        for column in map(_flush, cells)
    ]
    frame = pd.DataFrame(dict(enumerate(data)), index=[""] * sum(heights), dtype=object)
    return frame.set_axis(body.columns, axis=1)


def _wrap(cell: str, width: int) -> list[str]:
    return textwrap.wrap(cell, width) if len(cell) > width else [cell]


def _flush(column: list[list[str]]) -> list[list[str]]:
    """The lines of a column, which begin at one edge if one of its cells has several."""
    if all(len(lines) == 1 for lines in column):
        return column
    longest = max(len(line) for lines in column for line in lines)
    return [[line.ljust(longest) for line in lines] for lines in column]


def are_numbers(body: pd.DataFrame) -> list[bool]:
    """Whether the cells of each column are numbers or intervals, which are never broken."""
    return [is_text(body[[name]]) and all(map(NUMBERS.fullmatch, body[name])) for name in body.columns]


def _longest(body: pd.DataFrame) -> list[int]:
    return [max((len(str(cell)) for cell in body.iloc[:, place]), default=0) for place in range(body.shape[1])]


# --------------------------------------------------------------------------------------------------------- formats


def _each(body: pd.DataFrame, *changes: Callable[[str], str]) -> pd.DataFrame:
    """The table with another text in each cell and header; one change for all columns, or one for each."""
    of_columns = changes if len(changes) > 1 else changes * body.shape[1]
    cells = [[change(str(cell)) for cell in body.iloc[:, n]] for n, change in enumerate(of_columns)]
    names = [change(str(name)) for name, change in zip(body, of_columns, strict=True)]
    return pd.DataFrame(dict(enumerate(cells)), index=body.index, dtype=object).set_axis(names, axis=1)


def _latex(text: str) -> str:
    """Text for LaTeX, with a minus sign before numbers."""
    return re.sub(r"(?<![\w-])-(?=[\d.])", "$-$", text.translate(LATEX))


def _latex_column(number: bool, longest: int) -> str:
    if number:
        return "r"
    return "l" if longest <= LONGEST else r"p{0.45\linewidth}"


def _left(text: str) -> str:
    return f'<div style="text-align: left">{text}</div>'


def _html(notes: list[str]) -> str:
    return f"\n<p><small>{'<br>'.join(map(html.escape, notes))}</small></p>" if notes else ""


def _put(text: str, buf: Any, mode: str = "wt") -> str | None:
    """The text, or None after it was written to a file."""
    if buf is None:
        return text
    if hasattr(buf, "write"):
        buf.write(text)
    else:
        with Path(buf).open(mode, encoding="utf-8") as file:
            file.write(text)
    return None
