"""The remarks on the rows of a result, their short codes, and the one warning for all its undefined estimates.

A row may have several remarks, joined with '; '. The column `remarks` holds them, and `note` the code of the gravest.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.core.arrays import Array
from pandas_agreement.errors import counted, warn

#: the codes of the column `note`, the gravest first, and a pattern that finds remarks with this code
CODES: dict[str, str] = {
    # there is no value
    "no group": "^no group$",
    "no human": "^no human label among the judged items|^no judged item without",
    "no labels": "^no label",
    "no vote": "^no vote has weight",
    "no pairs": "^no item (with two labels|that both|has labels|shared)",
    "no items": "^no item (with|that all|is)|^no human has",
    "no verdict": "^no verdict|^no consistent verdict",
    "no swaps": "^no item was judged in both orders",
    "one category": "^only one category|^one category|one category only",
    "one human": "^one human: no ceiling",
    "one run": "^one run",
    "one coder": "^one coder",
    "same labels": "^labels count as the same",
    "no overlap": "^no category in common|^never met, not even|^not comparable",
    "no variation": "no variation|did not choose this|^nobody chose|one value possible|in one direction",
    "judge random": "no better than chance on the items",
    "not tested": "not tested|^no difference can be tested|fewer than two items",
    "confounded": "cannot be told apart",
    "never lost": "^never lost",
    "never won": "^never won",
    "undefined": "(?<!resamples )undefined($|:)|no (finite maximum|estimate|reliability of means|share fits)|more even",
    "no converge": "did not converge",
    # the value needs a second look
    "constant": "^constant",
    "a copy": "an agreement with itself",
    "tie": "^tie$",
    "not all met": "candidates? never met",
    "one label": "^one label",
    "against vote": "^differs from the vote",
    "too low": "the value is too low",
    "outside 0-1": "outside 0 to 1",
    "fractions": "^fractions",
    "crowd": "^crowd",
    "few weigh": "% of items carry|^the largest weight",
    "two coders": "^two coders|^two humans",
    "few coders": "^too few (coders|humans)|^the humans are few",
    # the interval or the test needs one
    "at chance": "^not above chance",
    "no se": "no se$|no interval$",
    "no p": "no p-value|^gaps: use",
    "perfect": "^perfect",
    "se is 0": "se is 0$",
    "rare label": "labels per human$|category has <",
    "few labels": "^fewer than .* labels",
    "few items": "^(humans? with )?fewer than|humans? with fewer than",
    "few pairs": "common items",
    "narrow ci": "is narrow|at its bound",
    "rough p": "^p is approximate",
    "lost draws": "of resamples undefined",
    # to know
    "invalid": "outside the categories counted as",
    "one order": "^one order",
    "left out": "left out|^no usable label|outside the categories|no majority$|no human label among the",
    "not used": "^uses few|never has this category|never gives this label|that no human used",
    "margin": "within the margin",
    "baseline": "^no better than|^not shown to be better|^a constant answer",
    "ci of coders": "^ci for other",
    "coders": "^groups of coders",
    "not judged": "without a label of the judge",
    "see kappa": "^kappa with its interval",
    "optimistic": "is too high when coders err",
    "best human": "^best human",
    "runs": "runs",
    "ties": "counts? as half",
    "groups": "groups? contributes?$",
    "see margins": "^see margins",
}
BETWEEN = "; "  # two remarks
MORE = "+"
LONGEST = 12  # characters of a code
OTHER = "see remarks"


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


def remarks_in(text: str) -> list[str]:
    """The remarks on a row; the first is the reason for an undefined estimate."""
    return text.split(BETWEEN)


def codes_of(remarks: str | Array) -> str | Array:
    """The code of the gravest remark on each row, with a plus sign if there are more."""
    if isinstance(remarks, str):
        return _code(remarks)
    number, different = pd.factorize(np.asarray(remarks, object))
    return np.array([_code(each) for each in different] or [""], object)[number]


def _code(remarks: str) -> str:
    parts = remarks_in(remarks) if remarks else []
    found = [code for code in map(_code_of_one, parts) if code]
    if not found:
        return OTHER if parts else ""
    gravest = min(found, key=list(CODES).index)
    return gravest if len(found) == 1 else gravest[: LONGEST - len(MORE)].rstrip() + MORE


def _code_of_one(remark: str) -> str:
    """The first code of which the remark contains a phrase; '' for a piece of a name with a semicolon in it."""
    return next((code for code, pattern in CODES.items() if re.search(pattern, remark)), "")
