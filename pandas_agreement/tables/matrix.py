"""Tables of results with one column per label: a confusion table, pairs of coders unstacked, probabilities of words."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import is_integer_dtype, is_numeric_dtype

from pandas_agreement.formatting import label_text
from pandas_agreement.tables.columns import KNOWN, LEVELS, Column, Style, coefficient, header, writer
from pandas_agreement.tables.frame import WIDTH

WORD = "word"  # the column of `interpret` with detail=True before the probabilities


def _named(result: pd.DataFrame) -> pd.DataFrame:
    """The matrix without the name of a benchmark: the words say what the columns are."""
    return result.rename_axis(columns=None) if WORD in result.columns else result


def is_matrix(result: pd.DataFrame) -> bool:
    """Whether all cells are numbers of one kind, after a word or not, and names say what rows or columns are."""
    named = result.columns.name is not None or not LEVELS.keys().isdisjoint(result.index.names)
    numbers = all(map(is_numeric_dtype, result.dtypes.drop(WORD, errors="ignore")))
    return named and numbers and result.index.names[0] is not None and KNOWN.keys().isdisjoint(map(str, result.columns))


def matrix_columns(result: pd.DataFrame, style: Style, digits: int) -> list[Column]:
    """One column per label if they fit in a line; otherwise one row per cell, the largest first, without zeros."""
    result = _named(result)
    wide = [*_keys(result), *_numbers(result, style, digits)]
    if sum(each.least() for each in wide) <= WIDTH or result.columns.nlevels > 1 or WORD in result.columns:
        return wide
    values = result.to_numpy()
    rows, places = np.nonzero(~np.isnan(values.astype(float)) & (values != 0))
    largest = np.argsort(-values[rows, places], kind="stable")
    rows, places = rows[largest], places[largest]
    name = "n" if all(map(is_integer_dtype, result.dtypes)) else "value"
    cells = pd.DataFrame({name: values[rows, places]}, index=result.index[rows])
    other = _label_column("Column" if result.columns.name is None else result.columns.name, result.columns[places])
    return [*_keys(cells), other, *_numbers(cells, style, digits)]


def matrix_sentence(result: pd.DataFrame, style: Style, digits: int) -> str:
    """One line per row: its keys, and each label with its number, if it has any."""
    result = _named(result)
    keys, numbers = _keys(result.rename_axis(columns=None)), _numbers(result, style, digits)
    of = "" if result.columns.name is None else f"{header(result.columns.name)} "
    lines = []
    for row in range(len(result)):
        where = ", ".join(f"{each.header} {each.cells[row]}" if of else each.cells[row] for each in keys)
        told = [f"{n.header} = {n.cells[row]}" for n in numbers if n.cells[row] not in ("", "0")]
        lines.append(f"{where}: {of}{', '.join(told) or 'none'}")
    return "\n".join(lines)


def _keys(result: pd.DataFrame) -> list[Column]:
    """The index levels; the last is headed by what is in rows and what in columns."""
    levels = [_label_column(name, result.index.get_level_values(n)) for n, name in enumerate(result.index.names)]
    if result.columns.name is None:
        return levels
    last = levels[-1]
    return [*levels[:-1], Column(last.source, rf"{last.header} \ {header(result.columns.name)}", last.cells, True)]


def _label_column(name: Hashable, labels: Any) -> Column:
    cells = [coefficient(label, None) if name == "coefficient" else label_text(label) for label in labels]
    return Column(name, header(name), cells, True)


def _numbers(result: pd.DataFrame, style: Style, digits: int) -> list[Column]:
    write = writer(style, digits, own_unit=False)

    def cell(value: Any, whole: bool) -> str:
        if pd.isna(value) or isinstance(value, str):
            return "" if pd.isna(value) else value
        return f"{value:,.0f}" if whole else write(value, "estimate")

    found = []
    for place, name in enumerate(result.columns):
        values = result.iloc[:, place]
        whole = is_integer_dtype(values.dtype)
        title = header(name) if name in {*KNOWN, WORD} else label_text(name)
        found.append(Column(name, title, [cell(value, whole) for value in values], False))
    return found
