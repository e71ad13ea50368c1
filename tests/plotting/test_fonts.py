"""Characters that the default font does not have: no box, and no warning (which is an error in the tests)."""

from __future__ import annotations

import pandas as pd
import pytest

from pandas_agreement import load_example

pyplot = pytest.importorskip("matplotlib.pyplot", reason="pictures need matplotlib")

from pandas_agreement.plotting import fonts  # noqa: E402

NAMES = {"ann": "\u5b89\u5a1c", "bob": "\N{KATAKANA LETTER BO}\N{KATAKANA LETTER BU}", "cleo": "dev \N{ROBOT FACE}"}


def frame() -> pd.DataFrame:
    return load_example()[list(NAMES)].rename(columns=NAMES)


def shown(monkeypatch: pytest.MonkeyPatch, installed: dict[str, str]) -> tuple[list[str], str]:
    """The names of the coders in a picture, and the label below it, with these fonts beside the default one."""
    monkeypatch.setattr(fonts, "_installed", lambda: installed)
    fonts._home.cache_clear()
    ax = frame().agree.plot.by_coder(sort=False)
    ax.figure.canvas.draw()
    fonts._home.cache_clear()
    return [text.get_text() for text in ax.get_yticklabels()], ax.get_xlabel()


def test_without_a_font_characters_are_written_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    names, below = shown(monkeypatch, {})
    assert names == ["[U+5B89][U+5A1C]", "bobu", "dev [robot face]"]
    assert below.endswith(fonts.NOTE)


def test_with_a_font_they_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    found = fonts._installed()
    if not any("CJK" in name for name in found):
        pytest.skip("no font with East Asian letters: install fonts-noto-cjk")
    names, _ = shown(monkeypatch, found)
    assert names[:2] == [NAMES["ann"], NAMES["bob"]]


def test_plain_text_is_left_alone() -> None:
    ax = load_example().agree.plot.by_coder("ann", "bob", "cleo")
    assert fonts.NOTE not in ax.get_xlabel()
    assert ax.get_yticklabels()[0].get_fontfamily() == pyplot.rcParams["font.family"]
