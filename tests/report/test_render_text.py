"""The report as text for a terminal."""

from __future__ import annotations

import pytest

from pandas_agreement.formatting import DASH
from pandas_agreement.report import render_text
from pandas_agreement.report.contents import Block, Bullets, Code, Contents, Grid, Picture, Section, Text, table
from tests.report.helpers import NASTY, nasty_report


def rendered(*blocks: Block) -> str:
    return render_text.render(Contents("A title", (Section("A section", blocks),), "The end."))


def lines_of(block: Block) -> list[str]:
    """The lines of a block, without title, indent and footer."""
    lines = rendered(block).splitlines()
    assert lines[:3] == ["A title", "", "A section"]
    assert lines[-2:] == ["", "The end."]
    return [line.removeprefix("  ") for line in lines[3:-2]]


def test_every_kind_of_block() -> None:
    text = rendered(
        Text("The answer is “yes”.", "lead"),
        Bullets((("first", "Do this."), ("", "… and 2 more")), numbered=True),
        Bullets((("", "One."),)),
        table(
            "Counts", ["who", "n", "why"], [["ann", "1,000", DASH], ["bob", "7", "so"]], text=("why",), more="… more"
        ),
        Code(("x = '“'", "    y")),
        Picture(b"<svg/>", "a picture"),
    )
    assert text == (
        "A title\n"
        "\n"
        "A section\n"
        '  The answer is "yes".\n'
        "\n"
        "  1. first: Do this.\n"
        "  2. ... and 2 more\n"
        "\n"
        "  - One.\n"
        "\n"
        "  Counts:\n"
        "  who      n  why\n"
        "  ann  1,000  -\n"
        "  bob      7  so\n"
        "  ... more\n"
        "\n"
        "  x = '“'\n"
        "      y\n"
        "\n"
        "The end.\n"
    )


def test_a_table_without_a_header() -> None:
    assert lines_of(table("Facts", ["", ""], [["items", "5"], ["coders", "ann, bob"]], text=("",))) == [
        "items   5",
        "coders  ann, bob",
    ]


def test_a_wide_table_goes_on_below_with_its_keys() -> None:
    header = ["key", *(f"column_{i:02d}" for i in range(12))]
    lines = lines_of(table("Wide", header, [["k", *map(str, range(12))]]))
    assert [line.split() for line in lines if line] == [
        ["Wide:"],
        ["key", *header[1:9]],
        ["k", *map(str, range(8))],
        ["key", *header[9:]],
        ["k", *map(str, range(8, 12))],
    ]
    assert max(map(len, lines)) <= 98


def test_long_cells_are_cut_and_text_on_the_right_has_the_room_that_is_left() -> None:
    long = "word " * 40
    middle = lines_of(table("T", ["a", "b", "n"], [["x", long, "1"]], text=("b",)))[2]
    assert middle == "x  word word word word word word word word word...  1"
    right = lines_of(table("T", ["a", "n", "b"], [["x", "1", long]], text=("b",)))[2]
    assert len(right) == 98
    assert right.endswith("word...")


def test_text_on_the_right_keeps_some_room() -> None:
    header = ["a", *(f"column_{i:02d}" for i in range(7)), "b"]
    lines = lines_of(table("T", header, [["x", *"1234567", "word " * 9]], text=("b",)))
    assert lines[-1] == "x  word word word word word wo..."


@pytest.mark.parametrize("label", ["是", "e\u0301te\u0301", "jaß", "ok"])
def test_columns_are_aligned_whatever_the_letters(label: str) -> None:
    lines = lines_of(table("T", ["label", "n"], [[label, "1"], ["longest", "2"]]))
    assert {render_text.columns_of(line) for line in lines[1:]} == {10}


def test_labels_stay_as_the_user_wrote_them() -> None:
    label = f"“a{DASH}b”"
    assert lines_of(Grid("T", ("label",), ((label,),)))[-1] == label
    assert lines_of(Grid("T", ("label",), (("a … b",),)))[-1] == "a … b"


@pytest.mark.parametrize("nasty", NASTY.values(), ids=list(NASTY))
def test_nasty_labels_do_not_break_the_page(nasty: str) -> None:
    text = render_text.render(nasty_report(nasty).contents)
    assert "\r" not in text
    assert [line for line in text.splitlines() if line and not line.startswith(" ")][-1].startswith("Made with ")
