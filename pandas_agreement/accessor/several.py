"""A method of one coefficient for several of them: `metrics=` as a name or a list."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pandas as pd

from pandas_agreement.coefficients.registry import Coefficient
from pandas_agreement.engine import check_named
from pandas_agreement.results.frames import with_coefficients


def by_coefficient(
    of: Callable[[Coefficient], pd.DataFrame], metrics: str | Sequence[str], records: Sequence[Coefficient]
) -> pd.DataFrame:
    """The result of one coefficient; of a list all rows of each, with the last index level `coefficient`."""
    check_named(records)
    if isinstance(metrics, str):
        return of(records[0])
    return with_coefficients({record.name: of(record) for record in records})
