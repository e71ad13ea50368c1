"""The remarks on the rows of a result: codes and sentences."""

from __future__ import annotations

import numpy as np
import pytest

from pandas_agreement import AgreementWarning
from pandas_agreement.core.remarks import CODES, GRAVITY, Remarks

ROW = np.arange(4)


def shown(remarks: Remarks) -> list[tuple[str, str]]:
    columns = remarks.columns()
    return list(zip(columns["note"].flat, columns["remarks"].flat, strict=True))


def test_codes_are_short_and_differ_with_a_plus() -> None:
    assert [code for code in GRAVITY if not 0 < len(code) <= 12] == []
    assert len(GRAVITY) == 2 * len(CODES)


def test_the_gravest_of_several_remarks_is_shown_with_a_plus() -> None:
    remarks = Remarks(4)
    remarks.add(ROW % 2 == 1, "perfect", "perfect: ci_low is a bound")
    remarks.add(ROW == 2, "crowd", "a crowd")
    remarks.add(ROW > 1, "one category", ["", "", "no other", "no other; none"])
    remarks.add(ROW == 3, "groups", "3 groups contribute")
    assert shown(remarks) == [
        ("", ""),
        ("perfect", "perfect: ci_low is a bound"),
        ("one categor+", "a crowd; no other"),
        ("one categor+", "perfect: ci_low is a bound; no other; none; 3 groups contribute"),
    ]
    assert remarks.none.tolist() == [True, False, False, False]


def test_remarks_are_broadcast_and_rows_picked() -> None:
    remarks = Remarks((2, 2))
    remarks.count(np.array([[0], [1]]), "ties", "tie", "ties")
    remarks.add(True, "runs", np.array(["", "two runs"]))
    assert shown(remarks) == [("", ""), ("runs", "two runs"), ("ties", "1 tie"), ("runs+", "1 tie; two runs")]
    chosen = remarks.columns(np.array([[False, True], [True, False]]))
    assert chosen["note"].tolist() == ["runs", "ties"]


def test_rows_may_have_remarks_already() -> None:
    remarks = Remarks(2, np.array(["", "one categor+"], object), np.array(["", "one; two"], object))
    remarks.add(True, "ties", "a tie")
    assert shown(remarks) == [("ties", "a tie"), ("one categor+", "one; two; a tie")]


def test_without_a_text_there_is_no_remark() -> None:
    remarks = Remarks(1)
    remarks.add(True, "ties", "")
    remarks.add(False, "ties", "a tie")
    assert shown(remarks) == [("", "")]


def test_an_unknown_code_is_an_error() -> None:
    with pytest.raises(ValueError, match="'few' of 'few items' is not in CODES"):
        Remarks(1).add(False, "few", "few items")


def test_reasons_are_counted_for_one_warning() -> None:
    remarks = Remarks(4)
    remarks.undefined(ROW > 1, "no items", "no item")
    remarks.undefined(ROW == 0, "one run", "one run")
    with pytest.warns(AgreementWarning, match=r"^3 of 4 rates are undefined \(NaN\): no item \(2\), one run \(1\)"):
        remarks.warn("rate")
