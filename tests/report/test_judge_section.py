"""The section of a report about judges."""

from __future__ import annotations

import pytest

import pandas_agreement


def test_the_section_stands_after_the_summary() -> None:
    judged = pandas_agreement.load_example().agree.judges("dev", humans=["ann", "bob", "cleo"])
    report = judged.report(pictures=False)
    titles = [section.title for section in report.contents.sections]
    assert titles[:2] == ["In short", "Judges against people"]
    text = report.to_markdown()
    assert text is not None
    assert "dev agrees with people less than people agree with each other (difference -0.153, 95% interval" in text
    assert "| dev | kappa | 0.430 | 0.582 | -0.153 | -0.217 to -0.088 | 0.100 | 0.000 | 423 | worse |" in text
    assert "| coders | 3: ann, bob, cleo |" in text


def test_with_groups_and_pictures() -> None:
    pytest.importorskip("matplotlib")
    judged = pandas_agreement.load_example().agree.judges("dev", humans=["ann", "bob", "cleo"])
    text = judged.report(by="batch").to_html()
    assert text is not None
    assert "2026-w03" in text
    assert "Judge minus humans with intervals and the margin" in text
