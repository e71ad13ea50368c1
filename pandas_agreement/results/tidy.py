"""The last step of a call: from all columns to the frame that the user sees.

The steps before give every column of the schema and the level `coefficient`. Here the columns of `detail=True` and a
level that does not distinguish rows are left out, and `attrs["agree"]` says how the numbers were made. `fact` and
`of_rows` read such facts from a level, a column or attrs.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.formatting import confidence
from pandas_agreement.results import frames, schemas
from pandas_agreement.version import VERSION

SCHEMAS = sorted(
    (schema for schema in vars(schemas).values() if isinstance(schema, schemas.Schema)), key=len, reverse=True
)
LEVEL = "coefficient"
UNKNOWN = "estimate"  # stands for the name of an unknown coefficient
#: facts about a result, and the columns that hold them
FACTS = {"weights": "weights", "missing": "missing", "ci_level": "ci_level", "method": "ci_method"}
FIELD = "field"  # the level of the index that names the label column, where there are several


def schema_of(result: pd.DataFrame) -> schemas.Schema | None:
    """The schema with which the columns begin; None for the user's own rows and for tables."""
    made = next((schema for schema in SCHEMAS if result.columns.is_(frames.column_names(tuple(schema)))), None)
    if made is not None:  # the index that all results of a schema share
        return made
    columns = list(result.columns)
    return next((schema for schema in SCHEMAS if columns[: len(schema)] == list(schema)), None)


def tidy(
    found: pd.DataFrame | Mapping[Hashable, pd.DataFrame],
    method: str,
    detail: bool = False,
    listed: bool = True,
    as_index: bool = True,
    of_rows: bool = False,
    ci: float | None = None,
) -> pd.DataFrame:
    """The frame of a method.

    Parameters
    ----------
    found
        All columns, with the level `coefficient`, if there are coefficients; or those of each label column.
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
    ci
        The level of the intervals, where no column has it.
    """
    result = found if isinstance(found, pd.DataFrame) else frames.concat_fields(found)
    schema = schema_of(result)
    facts = _facts(result)
    if schema is not None and "ci_level" not in schema and any(name.endswith("_low") for name in schema):
        facts["ci_level"] = ci
    if result is not found and facts["weights"] is None:
        facts |= _levels_of_fields(found)
    if not of_rows:
        result = _named(result, listed)
    if schema is not None:
        result = _with_detail(result, schema, facts) if detail else _shown(result, schema)
    if not of_rows:
        if schema is not None or not as_index:  # columns of a confusion are the user's labels, which may be any name
            frames.check_keys(result.index, [*result.columns])
        result = result if as_index else result.reset_index()
    result.attrs["agree"] = {"version": VERSION, "result": method, **facts}
    return result


def _levels_of_fields(parts: Any) -> dict[str, Any]:
    """The weights or level of each label column, as `fields`; empty unless they are known."""
    levels = {str(field): _facts(part)["weights"] for field, part in parts.items()}
    return {"fields": levels} if len(levels) == len(parts) and None not in levels.values() else {}


def _facts(result: pd.DataFrame) -> dict[str, Any]:
    """What all rows share: plain text and numbers, None where rows differ or nothing is known."""
    facts, schema = {LEVEL: _shared(_coefficients(result.index))}, schema_of(result)
    names = list(result.columns if schema is None else schema)
    place = {fact: names.index(column) for fact, column in FACTS.items() if column in names}
    return facts | dict.fromkeys(FACTS) | {fact: _shared(frames.array(result, n)) for fact, n in place.items()}


def _coefficients(index: pd.Index) -> pd.Index:
    """The coefficients of the rows; without rows those that the level knows."""
    if LEVEL not in index.names:
        return pd.Index([])
    names = index.get_level_values(LEVEL)
    return names if len(names) or not isinstance(index, pd.MultiIndex) else index.levels[index.names.index(LEVEL)]


def _shared(values: Any) -> Any:
    """The one value of all rows that have one: a row without an interval has neither its level nor its method."""
    first = values[0] if len(values) else None
    if len(values) > 1 and not bool((values == first).all()):  # most columns have one value
        known = pd.Series(values)
        found = known[known.notna() & (known != "")].unique()
        first = found[0] if len(found) == 1 else None
    if first is None or first != first or first == "":
        return None
    return float(first) if isinstance(first, np.floating) else first


def _named(result: pd.DataFrame, listed: bool) -> pd.DataFrame:
    """Without the level of a coefficient that does not distinguish rows."""
    index: Any = result.index
    if not listed and index.nlevels > 1 and LEVEL in index.names:
        index = index.droplevel(LEVEL)
    return result if index is result.index else result.set_axis(index, axis=0)


def _shown(result: pd.DataFrame, schema: schemas.Schema) -> pd.DataFrame:
    """The columns at the start of the schema, and those that are none of it."""
    if len(result.columns) == len(schema):
        return frames.made({name: frames.array(result, n) for n, name in enumerate(schema.shown)}, result.index)
    return result[[*schema.shown, *result.columns[len(schema) :]]]


def _with_detail(result: pd.DataFrame, schema: schemas.Schema, facts: dict[str, Any]) -> pd.DataFrame:
    """All columns, among them the coefficient where the index does not hold it."""
    if facts[LEVEL] is None or LEVEL in [*result.index.names, *result.columns]:
        return result
    result = result.copy(deep=False)
    result.insert(len(schema.shown), LEVEL, frames.text(str(facts[LEVEL]), len(result)))
    return result


# --------------------------------------------------------------------------------- reading what a result says of itself


def noted(result: pd.DataFrame, name: str) -> Any:
    """What the method that made the result noted in `attrs`; None if it noted nothing, or `attrs` are the user's."""
    known = result.attrs.get("agree")
    return known.get(name) if isinstance(known, dict) else None


def of_rows(result: pd.DataFrame | pd.Series, name: str) -> pd.Index | None:
    """A fact about each row, from a level of the index, else from its column; None if there is neither."""
    if name in result.index.names:
        return result.index.get_level_values(name)
    column = FACTS.get(name, name)
    if isinstance(result, pd.DataFrame) and column in result.columns:
        return pd.Index(result[column])
    return _level_of_fields(result) if name == "weights" and isinstance(result, pd.DataFrame) else None


def _level_of_fields(result: pd.DataFrame) -> pd.Index | None:
    """The weights or level of each row, where every label column has its own and the result noted them."""
    levels = noted(result, "fields")
    if not isinstance(levels, dict) or FIELD not in [*result.index.names, *result.columns]:
        return None
    fields = result.index.get_level_values(FIELD) if FIELD in result.index.names else result[FIELD]
    return pd.Index([levels.get(str(field)) for field in fields], dtype=object)


def fact(result: pd.DataFrame, name: str) -> Any:
    """A fact about the whole result; None if it is unknown or differs between rows."""
    values = of_rows(result, name)
    if values is None:
        return noted(result, name)
    found = values.dropna().unique().tolist()
    return found[0] if len(found) == 1 else None


def level_of(result: pd.DataFrame) -> str:
    """The level of the intervals, such as '95% '; empty if it is not known, or not the same in all rows."""
    level = fact(result, "ci_level")
    return f"{confidence(level)} " if level else ""


def coefficient_of(result: pd.DataFrame | pd.Series) -> pd.Index | None:
    """The coefficient of each row; None if the result does not say it. Attrs hold only where there is an estimate."""
    found = of_rows(result, LEVEL)
    if found is not None or not isinstance(result, pd.DataFrame) or "estimate" not in result.columns:
        return found
    name = noted(result, LEVEL)
    return None if name is None else pd.Index([name]).repeat(len(result))


def with_coefficient(result: pd.DataFrame) -> pd.DataFrame:
    """The result with the index level `coefficient`; UNKNOWN where it does not say it."""
    if LEVEL in result.index.names:
        return result
    found = coefficient_of(result)
    names = [UNKNOWN] * len(result) if found is None else found
    return result.set_index(pd.Index(names, name=LEVEL, dtype=object), append=True)
