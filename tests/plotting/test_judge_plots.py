"""Pictures of judges against people."""

from __future__ import annotations

import pytest

pytest.importorskip("matplotlib")

import pandas_agreement
from pandas_agreement import plotting

JUDGED = pandas_agreement.load_example().agree.judges("dev", humans=["ann", "bob", "cleo"])


def test_differences_have_the_line_of_the_margin() -> None:
    ax = pandas_agreement.plot(JUDGED.versus_humans(by="batch", margin=0.2, detail=True))
    lines = {round(float(line.get_xdata()[0]), 6) for line in ax.lines if len(set(line.get_xdata())) == 1}
    assert {0.0, -0.2} <= lines
    assert ax.get_xlabel().endswith("dashed: the margin, 0.2 below")
    assert next(text.get_text() for text in ax.get_yticklabels()) == "2026-w01"


def test_without_a_margin_there_is_no_line() -> None:
    ax = plotting.versus_humans(JUDGED.ceilings())
    assert "margin" not in ax.get_xlabel()
    assert ax.get_title(loc="left") == "Judge minus human"
    assert "margin" not in plotting.versus_humans(JUDGED.versus_humans()).get_xlabel()  # nor without its column


def test_judge_and_each_human() -> None:
    result = JUDGED.versus_humans(by_human=True)
    ax = pandas_agreement.plot(result)
    judge, others = ax.lines[0].get_xdata(), ax.lines[1].get_xdata()
    assert list(judge) == result["estimate"].tolist()
    assert list(others) == result["ceiling"].tolist()
    assert [text.get_text() for text in ax.get_yticklabels()] == ["ann", "bob", "cleo"]
