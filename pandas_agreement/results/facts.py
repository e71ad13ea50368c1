"""Facts about a result, such as its coefficient: from a level of the index, else from a column, else from its attrs.

pandas keeps attrs through many operations and loses them in others, so that a level or a column holds before them.
"""

from __future__ import annotations

from typing import Any

import pandas as pd

LEVEL = "coefficient"
UNKNOWN = "estimate"  # stands for the name of an unknown coefficient
#: facts about a result, and the columns that hold them
FACTS = {"weights": "weights", "missing": "missing", "ci_level": "ci_level", "method": "ci_method"}
FIELD = "field"  # the level of the index that names the label column, where there are several


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
