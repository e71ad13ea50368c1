"""Remarks about the rows of a result, and why differences are undefined. Only numpy here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.errors import counted, warn


class RowNotes:
    """The notes of n rows."""

    def __init__(self, n: int) -> None:
        self._texts: list[list[str]] = [[] for _ in range(n)]
        self._reasons: Counter[str] = Counter()

    def add(self, rows: Array, text: str) -> None:
        """The same remark about some rows: (n,) of bool."""
        for row in np.flatnonzero(rows):
            self._texts[row].append(text)

    def each(self, texts: Iterable[str]) -> None:
        """A remark about each row; an empty one is none."""
        for row, text in zip(self._texts, texts, strict=True):
            if text:
                row.append(text)

    def count(self, numbers: Array, one: str, several: str) -> None:
        """A number of things about each row, where it is not 0."""
        self.each(counted(int(n), one, several) if n else "" for n in numbers.tolist())

    def undefined(self, rows: Array, reason: str) -> None:
        """Why some rows have no value."""
        self.add(rows, reason)
        self._reasons[reason] += int(rows.sum())

    def text(self) -> Array:
        """The notes: (n,)."""
        notes = np.empty(len(self._texts), dtype=object)
        notes[:] = ["; ".join(texts) for texts in self._texts]
        return notes

    def warn(self, what: str = "difference") -> None:
        """One warning for all undefined rows."""
        total = self._reasons.total()
        if not total:
            return
        why = [reason if n == total else f"{reason} ({n})" for reason, n in self._reasons.most_common() if n]
        of = f"of {len(self._texts)} {what}s"
        told = f"the {what} is" if len(self._texts) == 1 else counted(total, f"{of} is", f"{of} are")
        warn(f"{told} undefined (NaN): {', '.join(why)}", "see the column 'note'", code="undefined")
