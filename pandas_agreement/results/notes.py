"""The notes of the rows of a result, and the one warning for all its undefined estimates."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.errors import counted, warn


class RowNotes:
    """Notes of rows, joined with '; '. The rows may have any shape."""

    def __init__(self, shape: int | tuple[int, ...]) -> None:
        self.text = np.full(shape, "", object)
        self.reasons: Counter[str] = Counter()

    def add(self, rows: Any, text: str | Array) -> None:
        """Add a text, or one text per row, to the rows where `rows` is true; both are broadcast."""
        chosen = np.broadcast_to(rows, self.text.shape)
        texts = np.broadcast_to(np.asarray(text, object), self.text.shape)[chosen]
        self.text[chosen] = [f"{old}; {new}" if old else new for old, new in zip(self.text[chosen], texts, strict=True)]

    def add_counts(self, numbers: Array, one: str, several: str) -> None:
        """Add a number and its words to the rows where it is above 0; broadcast."""
        texts = [counted(int(n), one, several) if n else "" for n in numbers.ravel()]
        self.add(numbers > 0, np.array(texts, object).reshape(numbers.shape))

    def undefined(self, rows: Any, reason: str) -> None:
        """Add the reason why the estimate of these rows is NaN, and count them."""
        self.add(rows, reason)
        self.reasons[reason] += int(np.broadcast_to(rows, self.text.shape).sum())

    def warn(self, n_rows: int | None = None) -> None:
        """One warning for all undefined estimates of so many rows; default: of all."""
        warn_undefined(self.reasons, self.text.size if n_rows is None else n_rows)


def warn_undefined(reasons: Counter[str], n_rows: int) -> None:
    """Warn of undefined estimates among so many rows, with their reasons; silent if there are none."""
    if not reasons.total():
        return
    why = [reason if reasons.total() == n else f"{reason} ({n})" for reason, n in reasons.most_common() if n]
    of = f"of {n_rows} estimates"
    what = "the estimate is" if n_rows == 1 else counted(reasons.total(), f"{of} is", f"{of} are")
    warn(f"{what} undefined (NaN): {', '.join(why)}", "see the column 'note'", code="undefined")
