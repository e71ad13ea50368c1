"""The notes of the rows of a result, and the one warning for all its undefined estimates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.errors import counted, warn


class RowNotes:
    """Notes of rows, joined with '; '. The rows may have any shape."""

    what = "estimate"  # what is undefined

    def __init__(self, shape: int | tuple[int, ...]) -> None:
        self._texts = np.full(shape, "", object)
        self._reasons: Counter[str] = Counter()

    def add(self, rows: Any, text: str | Array) -> None:
        """Add a text, or one text per row, to the rows where `rows` is true; both are broadcast."""
        chosen = np.broadcast_to(rows, self._texts.shape) & (np.asarray(text, object) != "")
        texts = np.broadcast_to(np.asarray(text, object), self._texts.shape)[chosen]
        old = self._texts[chosen]
        self._texts[chosen] = [f"{one}; {two}" if one else two for one, two in zip(old, texts, strict=True)]

    def each(self, texts: Iterable[str]) -> None:
        """Add a text to each row; an empty one is none."""
        listed = np.empty(self._texts.shape, object)
        listed[...] = list(texts)
        self.add(True, listed)

    def count(self, numbers: Array, one: str, several: str) -> None:
        """Add a number and its words to the rows where it is above 0; broadcast."""
        texts = [counted(int(n), one, several) if n else "" for n in numbers.ravel()]
        self.add(True, np.array(texts, object).reshape(numbers.shape))

    def undefined(self, rows: Any, reason: str) -> None:
        """Add the reason why these rows have no value, and count them."""
        self.add(rows, reason)
        self._reasons[reason] += int(np.broadcast_to(rows, self._texts.shape).sum())

    def text(self) -> Array:
        """The notes."""
        return self._texts

    def warn(self, what: str = "", n_rows: int | None = None) -> None:
        """One warning for all undefined values of so many rows; default: of all."""
        warn_undefined(self._reasons, self._texts.size if n_rows is None else n_rows, what or self.what)


def warn_undefined(reasons: Counter[str], n_rows: int, what: str = "estimate") -> None:
    """Warn of undefined values among so many rows, with their reasons; silent if there are none."""
    if not reasons.total():
        return
    why = [reason if reasons.total() == n else f"{reason} ({n})" for reason, n in reasons.most_common() if n]
    of = f"of {n_rows} {what}s"
    told = f"the {what} is" if n_rows == 1 else counted(reasons.total(), f"{of} is", f"{of} are")
    warn(f"{told} undefined (NaN): {', '.join(why)}", "see the column 'note'", code="undefined")
