"""One result as a row."""

from __future__ import annotations

import pandas as pd

DEFAULTS = {"ac2": {"weights": "linear"}}


def run(agree: object, name: str, *coders: str, **options: object) -> pd.Series:
    return getattr(agree, name)(*coders, **(DEFAULTS.get(name, {}) | options)).iloc[0]
