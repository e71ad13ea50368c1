"""The remarks on the rows of a result: each has a code and a sentence. And the one warning for all undefined values.

A row may have several remarks. The column `note` has the code of the gravest, `remarks` all the sentences.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import numpy as np

from pandas_agreement.core.arrays import Array
from pandas_agreement.errors import counted, warn

#: the codes of the column `note`, the gravest first, and what they mean
CODES: dict[str, str] = {
    # there is no value
    "no group": "the row of the frame has no group key, so it does not belong to a result",
    "no human": "no judged item has a human label",
    "no labels": "nobody labelled the item, or the judge gave no labels",
    "no vote": "the coders who labelled the item have no weight",
    "no pairs": "no item has labels of two coders, so nothing can be compared",
    "no items": "no item has all the labels that this needs",
    "no verdict": "there is no verdict, or none that is the same in both orders",
    "no spans": "nobody marked anything, so there is nothing to compare",
    "overlaps": "spans of one coder overlap, and the coefficient needs one label at a position",
    "no swaps": "no item was judged in both orders",
    "one category": "only one category was used; if the remark says so, declare the unused ones with `categories=`",
    "one human": "there is one human, and the agreement of humans with each other needs two",
    "one run": "the judge ran once, so there is nothing to compare",
    "one coder": "there is only one coder",
    "same labels": "the weights count all labels in use as the same, so there is no variation",
    "no overlap": "the two have no category in common, or were never compared, not even through others",
    "no variation": "the values do not vary, or not in the direction that the statistic needs",
    "judge random": "the judge is no better than chance where humans labelled, so they cannot correct its labels",
    "not tested": "there are not enough data for this test, or it does not apply",
    "confounded": "every pair of candidates was shown in one order only, so position and quality cannot be separated",
    "never lost": "the candidate won every verdict, so its strength has no upper bound",
    "never won": "the candidate lost every verdict, so its strength has no lower bound",
    "undefined": "the value is undefined for another reason; `remarks` has it",
    "no converge": "the fit of the model did not converge: increase `max_iter`",
    # the value needs a second look
    "constant": "a coder or the judge always gave the same label, so the estimate is the same for all items",
    "a copy": "the judge equals a human on all items, so it is compared with itself",
    "tie": "several labels lead, so no label is inferred",
    "not all met": "the candidate was never compared with some of the others, not even through others, and is ranked "
    "without them",
    "one label": "the item has only one label",
    "against vote": "the label that the model infers differs from the majority vote",
    "too low": "groups with few items make the pooled value too low",
    "outside 0-1": "the corrected share was outside the range 0 to 1 and was set to the nearer bound",
    "fractions": 'many fractions were treated as categories; for scores use `icc` or `alpha(level="interval")`',
    "whole sets": "sets of labels were compared as whole labels, without credit for shared labels",
    "blank cells": "blank cells of several labels count as missing; fill them with an empty text if no label applies",
    "crowd": 'chance agreement comes from all pairs of coders, however few items they share; `pool="pairs"` weights '
    "them",
    "last span": "without `length=` a document ends with its last span, on which the coefficient depends",
    "few weigh": "a few items or labels have most of the weight; `help` of the coefficient says what counts equally",
    "two coders": "there are two coders or humans, so it is impossible to tell which of them is wrong",
    "few coders": "there are too few coders or humans for an interval about other coders",
    # the interval or the test needs one
    "at chance": "the coefficient is 0 if agreement is not above chance, and then has no standard error",
    "no se": "there are too few items or clusters for a standard error",
    "no p": "there is no p-value, because the test does not allow for clusters or for missing values",
    "perfect": "nobody disagreed; the lower bound shows how much disagreement may be unseen with this number of items",
    "se is 0": "every item contributes the same, which does not mean that there is no uncertainty",
    "rare label": "a category has so few labels that the interval or the test is too optimistic",
    "small errors": "all disagreements were small: if a few labels are guesses, the lower limit is too high",
    "few labels": "there are fewer labels than the method needs",
    "few items": "there are fewer items than the interval or the test needs",
    "few pairs": "some pairs of coders share only a few items",
    "narrow ci": "the interval is too narrow, or the estimate is at its bound and has none",
    "rough p": "chance alone would give fewer than five joint choices, so the p-value is an approximation",
    "lost draws": "the coefficient was undefined in some of the resamples; above 5% there is no interval",
    # to know
    "invalid": "labels outside the categories counted as wrong, or as a label of their own",
    "one order": "every item was judged in one order, so the result is right only if the order was random",
    "left out": "some items, labels, coders or pairs could not be used",
    "not used": "some categories are used by few coders, or by only one of the two sides",
    "margin": "the judge is below the humans, but by less than the margin",
    "baseline": "a constant answer does as well as the judge",
    "ci of coders": "the interval is about other coders, or other items and coders, as `sampling=` says",
    "coders": "the groups are groups of coders of the same items, which `coder_groups` compares",
    "not seen": "in the export some documents have no row of some coders, which count as not seen",
    "not judged": "some items have no label of the judge",
    "see kappa": "the remark has the call that gives kappa with its interval",
    "optimistic": "the expected accuracy is too high if coders make the same mistakes",
    "best human": "the remark names the human with the highest accuracy",
    "runs": "the value depends on the number of runs",
    "ties": "ties count as half a win",
    "groups": "the remark has the number of groups that contribute",
    "see margins": "`margins` shows which coder chooses which category more often",
}
BETWEEN = "; "  # two sentences
MORE = "+"
LONGEST = 12  # characters of a code


def with_more(code: str) -> str:
    """The code of a row that has further remarks."""
    return code[: LONGEST - len(MORE)].rstrip() + MORE


#: what may stand in the column `note`, and how grave it is
GRAVITY = {note: place for place, code in enumerate(CODES) for note in (code, with_more(code))}


@cache
def _graver(note: str, code: str) -> str:
    """What to write for a row that gets a further remark."""
    return with_more(list(CODES)[min(GRAVITY[note], GRAVITY[code])])


class Remarks:
    """The remarks on rows of any shape, to which all arguments are broadcast."""

    def __init__(self, shape: int | tuple[int, ...], note: str | Array = "", remarks: str | Array = "") -> None:
        """`note` and `remarks` are those that the rows have already."""
        self._codes, self._texts = (np.full(shape, column, object) for column in (note, remarks))
        self.reasons: Counter[str] = Counter()  # why rows are undefined, and how many of them

    @property
    def none(self) -> Array:
        """The rows without a remark."""
        return self._codes == ""

    def add(self, rows: Any, code: str, text: Any) -> Remarks:
        """A remark on some rows; where the text is empty there is none."""
        if code not in CODES:
            raise ValueError(f"the code {code!r} of {text!r} is not in CODES")
        if not np.any(rows):
            return self
        text = np.asarray(text, object)
        rows, text = np.broadcast_to(rows & (text != ""), self._texts.shape), np.broadcast_to(text, self._texts.shape)
        first, again = rows & self.none, rows & ~self.none
        self._codes[first], self._texts[first] = code, text[first]
        self._codes[again] = [_graver(note, code) for note in self._codes[again]]
        self._texts[again] += BETWEEN + text[again]
        return self

    def undefined(self, rows: Any, code: str, reason: str) -> None:
        """The reason why some rows have no value."""
        self.add(rows, code, reason)
        self.reasons[reason] += int(np.broadcast_to(rows, self._texts.shape).sum())

    def count(self, numbers: Array, code: str, one: str, several: str) -> None:
        """A number and its words, on the rows where it is above 0."""
        texts = [counted(int(n), one, several) if n else "" for n in numbers.ravel()]
        self.add(numbers > 0, code, np.array(texts, object).reshape(numbers.shape))

    def columns(self, rows: Any = ...) -> dict[str, Array]:
        """The columns `note` and `remarks` of some rows."""
        return {"note": self._codes[rows], "remarks": self._texts[rows]}

    def warn(self, what: str = "estimate", n_rows: int | None = None) -> None:
        """One warning for all undefined values of so many rows; default: of all."""
        warn_undefined(self.reasons, self._texts.size if n_rows is None else n_rows, what)


def warn_undefined(reasons: Counter[str], n_rows: int, what: str = "estimate") -> None:
    """Warn of undefined values among so many rows, with their reasons; silent if there are none."""
    if not reasons.total():
        return
    why = [reason if reasons.total() == n else f"{reason} ({n})" for reason, n in reasons.most_common() if n]
    of = f"of {n_rows} {what}s"
    told = f"the {what} is" if n_rows == 1 else counted(reasons.total(), f"{of} is", f"{of} are")
    warn(f"{told} undefined (NaN): {', '.join(why)}", "see the column 'note'", code="undefined")


def remarks_in(text: str) -> list[str]:
    """The sentences of a row; the first is the reason for an undefined estimate."""
    return text.split(BETWEEN)
