"""What a contestant is, and when two of them have found the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

REPLICATES = 10_000


@dataclass(frozen=True)
class Contestant:
    """A call from the user's frame to the number, or to an array of numbers with NaN where it did not look."""

    call: str
    kind: str  # ours, limit or peer
    finds: str  # contestants that find the same are compared
    run: Callable[[pd.DataFrame], Any]
    digits: float = 1e-9  # by how much its numbers may differ from ours
    draws: int = 0  # the numbers are the two ends of an interval from so many random resamples
    share: float = 1.0  # the part of the work that it does; its time is divided by it
    most_rows: int = 10**9  # beyond, it takes more than a minute or gigabytes


def difference(ours: Any, theirs: Any, contestant: Contestant) -> str:
    """Empty if both found the same, else what differs."""
    one, other = np.asarray(ours, float).ravel(), np.asarray(theirs, float).ravel()
    if one.shape != other.shape:
        return f"{other.size} numbers, not {one.size}"
    known = ~np.isnan(other)
    if not known.any() or np.isnan(one[known]).any():
        return "undefined"
    if contestant.kind != "peer" and not (known | np.isnan(one)).all():
        return "undefined"
    largest = float(np.abs(one[known] - other[known]).max())
    return "" if largest <= allowed(one, contestant) else f"differs by {largest:.2g}"


def allowed(ours: Any, contestant: Contestant) -> float:
    """Random ends of an interval: five of their standard errors, which are about the width / sqrt(draws)."""
    if not contestant.draws:
        return contestant.digits
    return 5 * float(ours[1] - ours[0]) / contestant.draws**0.5
