"""Facts that a result states in an index level, in a column or in its attrs."""

from __future__ import annotations

import pandas as pd


def coefficient_of(result: pd.DataFrame | pd.Series) -> pd.Index | None:
    """The coefficient of each row; None if the result does not say it.

    An index level `coefficient` holds, then a column of that name. The attrs of a frame, which pandas keeps through
    many operations and loses in others, are the last resort, and only where there is an estimate.
    """
    if "coefficient" in result.index.names:
        return result.index.get_level_values("coefficient")
    if not isinstance(result, pd.DataFrame):
        return None
    if "coefficient" in result.columns:
        return pd.Index(result["coefficient"])
    known = result.attrs.get("agree") if "estimate" in result.columns else None
    name = known.get("coefficient") if isinstance(known, dict) else None
    return None if name is None else pd.Index([name]).repeat(len(result))
