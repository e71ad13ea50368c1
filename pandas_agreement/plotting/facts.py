"""Facts about a result, such as its coefficient: from a level of the index, else a column, else `attrs`."""

from __future__ import annotations

from typing import Any

import pandas as pd

UNKNOWN = "estimate"  # stands for the name of an unknown coefficient


def attribute(result: pd.DataFrame, name: str) -> Any:
    """What the method that made the result noted in `attrs`; None if it noted nothing, or `attrs` are the user's."""
    noted = result.attrs.get("agree")
    return noted.get(name) if isinstance(noted, dict) else None


def fact(result: pd.DataFrame, name: str) -> Any:
    """The one value of a level or column, else what is in `attrs`; None if it is unknown or differs between rows."""
    if name not in result.index.names and name not in result:
        return attribute(result, name)
    values: Any = result.index.get_level_values(name) if name in result.index.names else result[name]
    found = values.dropna().unique()
    return found[0] if len(found) == 1 else None


def with_coefficient(result: pd.DataFrame) -> pd.DataFrame:
    """The result with the index level `coefficient`, from a column or `attrs` if it has none."""
    if "coefficient" in result.index.names:
        return result
    if "coefficient" in result:
        return result.set_index("coefficient", append=True, drop=False)
    name = attribute(result, "coefficient") or UNKNOWN
    level = pd.Index([name] * len(result), name="coefficient", dtype=object)
    return result.set_index(level, append=True)
