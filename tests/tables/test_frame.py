"""Tables as they are written: letters and texts of notes, lines, Markdown, LaTeX, HTML and great_tables."""

from __future__ import annotations

import html
import io
from pathlib import Path

import pandas as pd
import pytest

from pandas_agreement import table
from pandas_agreement.tables.frame import Table, _letter

LONG = "a coder who labelled hardly any of these items was left out of the mean, as were 12 others; see the guide"
RESULT = pd.DataFrame(
    {"estimate": [0.5, -0.25, 0.123], "ci_low": 0.1, "ci_high": 0.9, "note": ["first; second", "", f"{LONG}; second"]},
    index=pd.Index(["a|b", "[x] & 50%", "c_1 < 2"], name="batch"),
)
WORDS = pd.Index([" ".join(["word"] * 60)], name="by")
BY_TEXT = pd.DataFrame({"estimate": [0.5], "ci_low": -0.2, "ci_high": -0.1}, index=WORDS)
MADE = table(RESULT, style="apa")


def test_notes_are_letters_with_texts_below() -> None:
    assert [line.rstrip() for line in repr(MADE).splitlines()] == [
        "      batch Estimate          CI     Note",
        "        a|b      .50  [.10, .90]     a, b",
        "  [x] & 50%     -.25  [.10, .90]",
        "    c_1 < 2      .12  [.10, .90]  b, c, d",
        "",
        "  a. first",
        "  b. second",
        "  c. a coder who labelled hardly any of these items was left out of the mean,",
        "     as were 12 others",
        "  d. see the guide",
    ]
    assert [_letter(place) for place in (0, 25, 26, 27, 26 * 27)] == ["a", "z", "aa", "ab", "aaa"]


def test_a_part_has_its_own_notes_and_no_others() -> None:
    assert isinstance(MADE.head(1), Table)
    assert repr(MADE.tail(1)).split("\n\n")[1].startswith("  a. a coder")
    assert "a." not in repr(MADE.iloc[1:2])
    assert repr(MADE[["Note", "batch"]]).count("second") == 2  # a column like others: nothing is lost
    for computed in (MADE == "", MADE.T, MADE.describe(), MADE.head(0), pd.concat([MADE, MADE], axis=1)):
        assert repr(computed)
        assert computed._repr_html_()
        assert isinstance(computed.to_html(), str)


def test_a_key_called_note_is_no_note() -> None:
    made = table(RESULT.rename_axis("Note"))
    assert made.columns.tolist() == ["Note", "Estimate", "CI", "Note (2)"]
    assert "first; second" in repr(made)


def test_long_texts_are_broken_only_where_they_are_printed() -> None:
    made = table(BY_TEXT)
    text = BY_TEXT.index[0]
    assert made["by"].tolist() == [text]
    lines = repr(made).splitlines()
    assert len(lines) > 4
    assert max(map(len, lines)) <= 80
    assert repr(made).split().count("word") == 60
    assert repr(table(pd.concat([BY_TEXT] * 30))).split().count("word") == 30 * 60  # more lines than pandas shows rows
    assert "0.50  [-0.20, -0.10]" in lines[1]  # numbers are never broken
    assert text in made._repr_html_()
    with pd.option_context("display.notebook_repr_html", False):
        assert made._repr_html_() is None


def test_markdown() -> None:
    pytest.importorskip("tabulate", reason="to_markdown needs it")
    assert MADE.to_markdown().splitlines()[:8] == [
        "| batch     |   Estimate |         CI | Note    |",
        "|:----------|-----------:|-----------:|:--------|",
        r"| a\|b      |        .50 | [.10, .90] | a, b    |",
        "| [x] & 50% |       -.25 | [.10, .90] |         |",
        "| c_1 < 2   |        .12 | [.10, .90] | b, c, d |",
        "",
        "a. first",
        "",
    ]
    assert f"c. {LONG.partition(';')[0]}\n\nd. see the guide" in MADE.to_markdown()
    assert MADE.head(0).to_markdown().count("\n") == 1
    assert "a|b" in MADE.to_markdown(tablefmt="grid", index=True)


def test_latex() -> None:
    pytest.importorskip("jinja2", reason="to_latex needs it")
    assert MADE.to_latex().splitlines()[:10] == [
        r"\begin{tabular}{lrrl}",
        r"\toprule",
        r"batch & Estimate & CI & Note \\",
        r"\midrule",
        r"a|b & .50 & [.10, .90] & a, b \\",
        r"{[}x] \& 50\% & $-$.25 & [.10, .90] &  \\",
        r"c\_1 \textless{} 2 & .12 & [.10, .90] & b, c, d \\",
        r"\bottomrule",
        r"\multicolumn{4}{l}{\footnotesize a. first} \\",
        r"\multicolumn{4}{l}{\footnotesize b. second} \\",
    ]
    assert MADE.to_latex().endswith("d. see the guide} \\\\\n\\end{tabular}\n")
    assert r"\multicolumn{2}{l}" in MADE.to_latex(columns=["CI", "Note"])
    assert MADE.to_latex(longtable=True).rstrip().endswith("\\end{longtable}")
    assert "50% " in MADE.to_latex(escape=False)
    text = pd.DataFrame({"estimate": [1.0]}, index=pd.Index([LONG], name="by"))
    assert r"p{0.45\linewidth}" in table(text).to_latex()


def test_html_and_great_tables() -> None:
    page = MADE.to_html()
    assert "<td>c_1 &lt; 2</td>" in page
    assert page.endswith("<br>d. see the guide</small></p>")
    assert (
        f'<div style="text-align: left">{LONG} &amp;</div>'
        in table(wide := RESULT.rename({"a|b": f"{LONG} &"})).to_html()
    )
    assert "<small>" not in table(wide).to_html(columns=["batch"])
    great_tables = pytest.importorskip("great_tables", reason="an extra")
    shown = html.unescape(great_tables.GT(MADE).as_raw_html())
    assert all(note in shown for note in RESULT["note"])
    assert ">-.25<" in shown


def test_files(tmp_path: Path) -> None:
    target = io.StringIO()
    assert MADE.to_string(target) is None
    assert target.getvalue() == repr(MADE)
    MADE.to_html(tmp_path / "table.html")
    assert (tmp_path / "table.html").read_text(encoding="utf-8") == MADE.to_html()
