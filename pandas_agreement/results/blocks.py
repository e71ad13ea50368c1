"""The columns of a result as arrays; the same for coefficients of all data, of pairs and of categories."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.classes import dataclass


@dataclass(frozen=True, eq=False)
class Limits:
    """Standard error and interval of each row, and their method; no method means no interval."""

    se: Array | None = None
    low: Array | None = None
    high: Array | None = None
    method: str | Array = ""
    level: float = np.nan


NO_INTERVAL = Limits()


def result_columns(estimate: Array, limits: Limits, **columns: Any) -> dict[str, Any]:
    """All columns of a result: arrays of the shape of the estimate, or one string for all rows."""
    unknown = np.full(estimate.shape, np.nan)
    level = unknown if isinstance(limits.method, str) and not limits.method else np.full(estimate.shape, limits.level)
    return {
        "estimate": estimate,
        "ci_low": unknown if limits.low is None else limits.low,
        "ci_high": unknown if limits.high is None else limits.high,
        "se": unknown if limits.se is None else limits.se,
        "observed": unknown,
        "expected": unknown,
        "weights": "nominal",
        "ci_method": limits.method,
        "ci_level": level,
        "note": "",
        "remarks": "",
        **columns,
    }


def interleave(parts: Sequence[Any], shape: tuple[int, ...]) -> Any:
    """The values of several coefficients, alternating by row; one string if all are the same."""
    if all(isinstance(part, str) and part == parts[0] for part in parts):
        return parts[0]
    arrays = [np.full(shape, part, object) if isinstance(part, str) else part for part in parts]
    return arrays[0].ravel() if len(arrays) == 1 else np.stack(arrays, -1).ravel()
