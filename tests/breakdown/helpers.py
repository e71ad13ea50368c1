"""Helpers of several tests of breakdowns."""

from __future__ import annotations

from typing import Any

import pandas as pd

from tests.data_sets import to_long


def long_door(df: pd.DataFrame, keys: tuple[str, ...] = ()) -> Any:
    return to_long(df, keys).agree.long(item="doc", coder="who", label="tag")


CATEGORIES = [1, 2, 3, 4]
