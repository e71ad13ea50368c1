"""Pictures in the report."""

from __future__ import annotations

import warnings
from typing import Any

import pandas as pd
import pytest

from pandas_agreement.report import Report, pictures
from pandas_agreement.report.contents import Picture
from tests.data_sets import CODERS
from tests.report.helpers import copies, left_out, measurements, plain


def drawn(report: Report) -> dict[str, int]:
    count = {each.title: sum(isinstance(b, Picture) for b in each.blocks) for each in report.contents.sections}
    return {title: number for title, number in count.items() if number}


def test_pictures_stand_with_their_tables(example: pd.DataFrame) -> None:
    pytest.importorskip("matplotlib")
    report = example.agree.report(*CODERS, by="batch")
    assert drawn(report) == dict.fromkeys(
        ["How much agreement", "By batch", "Categories", "Coders", "Pairs of coders"], 1
    )
    assert drawn(measurements().agree.report())["Pairs of coders"] == 2


def test_pictures_leave_matplotlib_as_it_was() -> None:
    pyplot = pytest.importorskip("matplotlib.pyplot")
    before, figures = dict(pyplot.rcParams), pyplot.get_fignums()
    first, second = (copies(0.8, 60).agree.report() for _ in range(2))
    assert (dict(pyplot.rcParams), pyplot.get_fignums()) == (before, figures)
    assert drawn(first)["Confusions"] == 1
    assert first.to_html() == second.to_html()  # nothing of the day, or by chance


def test_without_matplotlib_there_is_a_line_about_it(example: pd.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "find_spec", lambda name: None)
    report = example.agree.report("ann", "bob")
    assert drawn(report) == {}
    assert left_out(report) == {
        "Pictures": "Plots need matplotlib, which is not installed: pip install 'pandas-agreement[plot]'."
    }


def test_pictures_can_be_left_out(example: pd.DataFrame) -> None:
    assert drawn(plain(example.agree, "ann", "bob")) == {}
    assert left_out(plain(example.agree, "ann", "bob")) == {}


def test_only_the_warning_about_signs_is_silenced() -> None:
    pyplot = pytest.importorskip("matplotlib.pyplot")

    def draw(title: str, warning: str) -> Any:
        axes = pyplot.figure().subplots()
        axes.set_title(title)
        if warning:
            warnings.warn(warning, UserWarning, stacklevel=1)
        return axes

    assert pictures.picture(lambda: draw("\U0001fae8", ""), "signs").alt == "signs"
    with pytest.warns(UserWarning, match="of something else"):
        pictures.picture(lambda: draw("plain", "a warning of something else"), "else")


def test_a_picture_that_fails_leaves_nothing_open(monkeypatch: pytest.MonkeyPatch) -> None:
    pyplot = pytest.importorskip("matplotlib.pyplot")
    before = pyplot.get_fignums()

    def fail(*args: Any, **kwargs: Any) -> None:
        pyplot.figure()
        raise ValueError("no ink")

    monkeypatch.setattr(pictures.plotting, "forest", fail)
    with pytest.raises(ValueError, match="no ink"):
        copies(0.8, 60).agree.report()
    assert pyplot.get_fignums() == before


def test_readers_see_names_instead_of_keys_and_python(monkeypatch: pytest.MonkeyPatch) -> None:
    pyplot = pytest.importorskip("matplotlib.pyplot")
    texts: list[str] = []

    def keep(draw: Any, alt: str) -> pictures.Picture:
        axes = draw()
        texts.extend([axes.get_title(loc="left"), axes.get_xlabel()])
        texts.extend(text.get_text() for text in [*axes.get_yticklabels(), *axes.get_xticklabels()])
        pyplot.close(axes.figure)
        return pictures.Picture(b"", alt)

    monkeypatch.setattr(pictures, "picture", keep)
    measurements().agree.report()
    assert {"ICC(A,1)", "concordance correlation", "ICC(A,1) of every pair of coders"} <= set(texts)
    tags = [frozenset({"a"}), frozenset({"a", "b"})]
    pd.DataFrame({"ann": tags * 10, "bob": tags * 9 + tags[::-1]}).agree.report(level="masi")
    assert "{a, b}" in texts
    assert not [text for text in texts if "frozenset" in text or "icc_" in text]
