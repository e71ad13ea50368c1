"""The plot of one document with a lane for each coder."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pandas as pd
import pytest

from pandas_agreement import AgreementError
from pandas_agreement.plotting import style
from tests.plotting.helpers import contrast
from tests.spans.helpers import BOOK, COLUMNS, ROLES, SEVERAL, frame_of

plt = pytest.importorskip("matplotlib.pyplot", reason="pictures need matplotlib")
pytestmark = pytest.mark.filterwarnings("ignore::pandas_agreement.AgreementWarning")


def drawn(ax: Any) -> list[Any]:
    """The bars of spans, not those of lanes."""
    return [bar for bar in ax.patches if bar.get_zorder() == 2]


def bars(ax: Any) -> list[tuple[float, float, float]]:
    """Row, start and end of what is drawn."""
    return [(bar.get_y() + bar.get_height() / 2, bar.get_x(), bar.get_x() + bar.get_width()) for bar in drawn(ax)]


def test_every_span_is_a_bar_in_the_lane_of_its_coder() -> None:
    ax = BOOK.agree.spans(**ROLES, length=70).plot.document("d")
    assert sorted((round(row), start, end) for row, start, end in bars(ax)) == sorted(
        (ord(row.who) - ord("a"), row.start, row.end) for row in BOOK.itertuples()
    )
    assert [text.get_text() for text in ax.get_yticklabels()] == list("abc")
    assert ax.get_xlim() == (0, 70)
    assert {text.get_text() for text in ax.get_legend().get_texts()} == set("1234567")
    assert ax.get_title(loc="left") == "Spans in d"
    plt.close("all")


def test_spans_of_one_coder_never_cover_each_other() -> None:
    frame = frame_of({"a": [(0, 3), (0, 8), (2, 5), (8, 9)], "b": [(1, 9)]})
    found = bars(frame.agree.spans(**ROLES).plot.document("d"))
    assert sorted(row for row, *_ in found) == [0, 0, 1, 2, 3]  # 8-9 lies beside 0-8
    assert (0, 0, 8) in found  # the longest of those that start together comes first
    for one, two in combinations(found, 2):
        assert one[0] != two[0] or one[2] <= two[1] or two[2] <= one[1]
    plt.close("all")


def test_a_lane_for_whoever_saw_the_document() -> None:
    spans = SEVERAL.agree.spans(**ROLES, unmarked="absent")
    ax = spans.plot.document("d2")
    assert [text.get_text() for text in ax.get_yticklabels()] == ["a", "b"]
    assert "marked nothing" in [text.get_text() for text in ax.texts]
    colours = [{bar.get_facecolor() for bar in drawn(spans.plot.document(name))} for name in ("d1", "d2", "d3")]
    assert colours[0] == colours[1] | colours[2]  # A has its colour in every document, and B another
    plt.close("all")


def test_many_labels_have_patterns_and_the_rarest_are_listed_below() -> None:
    rows = [("d", who, 10 * n, 10 * n + 5, f"code {n}") for n in range(22) for who in "ab"]
    ax = pd.DataFrame(rows, columns=COLUMNS).agree.spans(**ROLES, length=220).plot.document("d")
    looks = {(bar.get_facecolor(), bar.get_hatch()) for bar in drawn(ax)}
    assert len(looks) == 22
    assert len(ax.get_legend().get_texts()) == 18
    assert "also, but rarer: code 18, code 19, code 20, code 21" in ax.get_xlabel().replace("\n", " ")
    plt.close("all")


@pytest.mark.parametrize("look", ["default", "dark_background"])
def test_a_label_is_written_where_it_fits_and_can_be_read(look: str) -> None:
    frame = pd.DataFrame([("d", "a", 0, 150, "PER"), ("d", "b", 0, 2, "PER")], columns=COLUMNS)
    with plt.style.context(look):
        ax = frame.agree.spans(**ROLES, length=300).plot.document("d")
        (text,) = ax.texts
        assert text.get_text() == "PER"
        assert contrast(text.get_color(), style.COLOURS[0]) >= 4.5
        edges = {round(bar.get_x() + bar.get_width()): bar.get_edgecolor() for bar in drawn(ax)}
        assert edges[150][:3] == pytest.approx(plt.matplotlib.colors.to_rgb(style.paper(ax)))
        assert edges[2] == drawn(ax)[-1].get_facecolor()  # else nothing of it would be seen
    plt.close("all")


def test_axes_size_and_style_are_the_users() -> None:
    _, ax = plt.subplots()
    spans = BOOK.agree.spans(**ROLES, length=60)
    assert spans.plot.document("d", ax=ax, title="Here", style={"color": "black"}) is ax
    assert {bar.get_facecolor()[:3] for bar in drawn(ax)} == {(0, 0, 0)}
    assert spans.plot.by_pair().get_title(loc="left") == "F1 of every pair of coders"
    plt.close("all")


def test_errors() -> None:
    spans = BOOK.agree.spans(**ROLES, length=60)
    for call, message in (
        (lambda: spans.plot.document("e"), "No document 'e'. There are: 'd'."),
        (lambda: spans.plot.forest, "Plot has no kind 'forest'. There are: 'by_category', 'by_pair', 'document'."),
    ):
        with pytest.raises(AgreementError) as caught:
            call()
        assert str(caught.value) == message
