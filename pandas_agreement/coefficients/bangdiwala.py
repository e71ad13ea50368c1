"""Bangdiwala's B of a table, which the agreement chart shows."""

from __future__ import annotations

import numpy as np

from pandas_agreement.core.arrays import Array


def b_of_table(table: Array) -> float:
    """B of one contingency table (K, K); NaN if the coders have no category in common."""
    overlap = float(table.sum(0) @ table.sum(1))
    return float((np.diagonal(table) ** 2).sum() / overlap) if overlap else float("nan")
