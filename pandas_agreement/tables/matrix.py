"""Tables of results with one column per label: a confusion table, pairs of coders unstacked, probabilities of words."""

from __future__ import annotations

from typing import Any

import pandas as pd
from pandas.api.types import is_integer_dtype, is_numeric_dtype

from pandas_agreement.formatting import label_text
from pandas_agreement.results.facts import LEVEL
from pandas_agreement.tables.columns import KNOWN, LEVELS, WIDTH, Column, NumberForm, coefficient, header, label_cell

WORD = "word"  # the column of `interpret` with detail=True before the probabilities


def is_matrix(result: pd.DataFrame) -> bool:
    """Whether all cells are numbers of one kind, after a word or not, and names say what rows or columns are."""
    named = result.columns.name is not None or not LEVELS.isdisjoint(result.index.names)
    numbers = all(map(is_numeric_dtype, result.dtypes.drop(WORD, errors="ignore")))
    return named and numbers and result.index.names[0] is not None and KNOWN.keys().isdisjoint(map(str, result.columns))


def matrix_columns(result: pd.DataFrame, form: NumberForm) -> list[Column]:
    """One column per label if they fit in a line; otherwise one row per cell, the largest first, without zeros."""
    keys, numbers, name = _keys(result), _numbers(result, form), _name(result)
    title = rf"{keys[-1].header} \ {name}" if name else keys[-1].header
    wide = [*keys[:-1], Column(keys[-1].source, title, keys[-1].cells), *numbers]
    if sum(each.width() for each in wide) <= WIDTH or result.columns.nlevels > 1 or WORD in result.columns:
        return wide
    named: Any = result.set_axis(result.columns.rename(name or "Column"), axis=1)
    cells = named.stack(future_stack=True).dropna()  # noqa: PD013
    whole = all(map(is_integer_dtype, result.dtypes))
    listed = cells[cells != 0].sort_values(ascending=False, kind="stable").to_frame("n" if whole else "Value")
    return [*_keys(listed), *_numbers(listed, form)]


def matrix_sentence(result: pd.DataFrame, form: NumberForm) -> str:
    """One line per row: its keys, and each label with its number, if it has any."""
    keys, numbers, name = _keys(result), _numbers(result, form), _name(result)
    lines = []
    for row in range(len(result)):
        where = ", ".join(f"{each.header} {each.cells[row]}" if name else each.cells[row] for each in keys)
        told = [f"{n.header} = {n.cells[row]}" for n in numbers if n.cells[row] not in ("", "0")]
        lines.append(f"{where}: {name}{' ' if name else ''}{', '.join(told) or 'none'}")
    return "\n".join(lines)


def _name(result: pd.DataFrame) -> str:
    """What the columns are; nothing for the words of a benchmark, which say it themselves."""
    return "" if result.columns.name is None or WORD in result.columns else header(result.columns.name)


def _keys(result: pd.DataFrame) -> list[Column]:
    found = []
    for place, name in enumerate(result.index.names):
        values = result.index.get_level_values(place).tolist()
        cells = [coefficient(value, None) if name == LEVEL else label_cell(value) for value in values]
        found.append(Column(name, header(name), cells))
    return found


def _numbers(result: pd.DataFrame, form: NumberForm) -> list[Column]:
    found = []
    for place, name in enumerate(result.columns):
        values, whole = result.iloc[:, place], is_integer_dtype(result.dtypes.iloc[place])
        cells = [_cell(one, whole, form) for one in values.tolist()]
        found.append(Column(name, "Word" if name == WORD else label_text(name), cells))
    return found


def _cell(value: Any, whole: bool, form: NumberForm) -> str:
    if pd.isna(value) or isinstance(value, str):
        return value if isinstance(value, str) else ""
    return f"{value:,.0f}" if whole else form.number(value)
