"""Characters that the default font does not have."""

from __future__ import annotations

import pandas as pd
import pytest

from pandas_agreement import load_example

pyplot = pytest.importorskip("matplotlib.pyplot", reason="plots need matplotlib")
from matplotlib.font_manager import findfont  # noqa: E402

from pandas_agreement.plotting import fonts  # noqa: E402


@pytest.fixture
def snow(monkeypatch: pytest.MonkeyPatch) -> pd.DataFrame:
    """A coder whose name the fonts of matplotlib for formulas do not have; the font that has it is installed."""
    monkeypatch.setattr(fonts, "_installed", lambda: {"DejaVu Sans": findfont("DejaVu Sans")})
    fonts._home.cache_clear()
    return load_example()[["ann", "bob", "cleo"]].rename(columns={"ann": "\N{SNOWMAN}"})


def test_an_installed_font_draws_what_the_usual_one_lacks(snow: pd.DataFrame) -> None:
    with pyplot.rc_context({"font.family": "cmr10", "axes.formatter.use_mathtext": True, "axes.unicode_minus": False}):
        ax = snow.agree.plot.by_coder(sort=False)
        ax.figure.canvas.draw()  # a missing character would be a warning, which is an error
        name, other = ax.get_yticklabels()[:2]
    assert name.get_text() == "\N{SNOWMAN}"
    assert name.get_fontfamily() == ["cmr10", "DejaVu Sans"]
    assert other.get_fontfamily() == ["cmr10"]


def test_a_font_that_has_everything_is_left_alone(snow: pd.DataFrame) -> None:
    ax = snow.agree.plot.by_coder(sort=False)
    assert ax.get_yticklabels()[0].get_fontfamily() == pyplot.rcParams["font.family"]
