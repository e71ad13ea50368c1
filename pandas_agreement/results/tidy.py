"""The last step of a call: from all columns to the frame that the user sees.

The steps before give every column of the schema and the level `coefficient`. Here the columns of `detail=True` and a
level that does not distinguish rows are left out, and `attrs["agree"]` says how the numbers were made.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import pandas as pd

from pandas_agreement.results import frames, schemas
from pandas_agreement.results.facts import FACTS, LEVEL

VERSION = "0.3.0"
SCHEMAS = sorted(
    (schema for schema in vars(schemas).values() if isinstance(schema, schemas.Schema)), key=len, reverse=True
)


def schema_of(result: pd.DataFrame) -> schemas.Schema | None:
    """The schema with which the columns begin; None for the user's own rows and for tables."""
    columns = list(result.columns)
    return next((schema for schema in SCHEMAS if columns[: len(schema)] == list(schema)), None)


def tidy(
    result: pd.DataFrame,
    method: str,
    detail: bool = False,
    listed: bool = True,
    as_index: bool = True,
    of_rows: bool = False,
) -> pd.DataFrame:
    """The frame of a method.

    Parameters
    ----------
    result
        All columns, with the level `coefficient`, if there are coefficients.
    method
        The name of the method.
    detail
        Keep the columns about how the numbers were made.
    listed
        Several coefficients were asked for, so that their level stays even if there is one.
    as_index
        Keep the keys in the index, as `groupby(as_index=False)` does not.
    of_rows
        The rows are those of the frame or its items, whose index stays as it is.
    """
    schema = schema_of(result)
    facts = _facts(result)
    if not of_rows:
        result = _named(result, listed)
    if schema is not None:
        result = result[_columns(result, schema, detail)] if not detail else _with_detail(result, schema, facts)
    if not of_rows:
        if schema is not None or not as_index:  # columns of a confusion are the user's labels, which may be any name
            frames.check_keys(result.index, [*result.columns])
        result = result if as_index else result.reset_index()
    result.attrs["agree"] = {"version": VERSION, "result": method, **facts}
    return result


def _facts(result: pd.DataFrame) -> dict[str, Any]:
    """What all rows share: plain text and numbers, None where rows differ or nothing is known."""
    names = result.index.get_level_values(LEVEL) if LEVEL in result.index.names else ()
    facts = {LEVEL: _shared(pd.Series(names, dtype=object))}
    return facts | {fact: _shared(result[column]) if column in result else None for fact, column in FACTS.items()}


def _shared(values: pd.Series) -> Any:
    """The one value of all rows that have one: a row without an interval has neither its level nor its method."""
    different = values[values.notna() & (values != "")].unique().tolist()
    return different[0] if len(different) == 1 else None


def _named(result: pd.DataFrame, listed: bool) -> pd.DataFrame:
    """Without the level of a coefficient that does not distinguish rows."""
    index: Any = result.index
    if not listed and index.nlevels > 1 and LEVEL in index.names:
        index = index.droplevel(LEVEL)
    return result if index is result.index else result.set_axis(index, axis=0)


def _columns(result: pd.DataFrame, schema: schemas.Schema, detail: bool) -> list[Hashable]:
    """The columns to show: those of the schema first."""
    ours = list(schema) if detail else list(schema.shown)
    return [*ours, *(name for name in result.columns if name not in schema)]


def _with_detail(result: pd.DataFrame, schema: schemas.Schema, facts: dict[str, Any]) -> pd.DataFrame:
    """All columns, among them the coefficient where the index does not hold it."""
    columns = _columns(result, schema, detail=True)
    if facts[LEVEL] is not None and LEVEL not in [*result.index.names, *columns]:
        result = result.assign(**{LEVEL: frames.text(str(facts[LEVEL]), len(result))})
        columns.insert(len(schema.shown), LEVEL)
    return result[columns]
