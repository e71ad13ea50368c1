"""The report as a file: whatever the user's labels and names hold stays text, and nothing comes from outside."""

from __future__ import annotations

import os
import re
import stat
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pandas as pd
import pytest

from pandas_agreement import InputError, load_example
from pandas_agreement.report import Report
from pandas_agreement.report import render_html as html
from pandas_agreement.report import render_markdown as markdown
from pandas_agreement.report import text as words
from pandas_agreement.report.contents import Contents, Picture, Points, Section, Text, table

SCRIPT = "<script>alert(1)</script>"
NASTY = {
    "script": SCRIPT,
    "image": "<img src=x onerror=alert(1)>",
    "quotes": "\"'><b>bold</b>",
    "entity": "&lt;b&gt; & co",
    "pipe": "a|b",
    "lines": "one\ntwo\r\nthree",
    "markdown": "**x** _y_ `z` [a](http://evil.example) # h ~~s~~ $m$",
    "backslash": "c:\\new|x",
}
VOID = {"meta", "link", "img", "br"}


class Reader(HTMLParser):
    """Tags with their attributes, the text, and whether every tag that is opened is closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.open: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def all(self, name: str) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.tags if tag == name]


def nasty_frame(nasty: str) -> pd.DataFrame:
    """Nasty labels, names of coders, columns, cells and groups; enough disagreement for findings about all of them."""
    first, second = [nasty, "x"] * 30, [nasty, "x", "x", nasty] * 15
    columns = {nasty: first, f"{nasty}2": second, "bob": ["x"] * 60, f"note {nasty}": [nasty] * 60}
    return pd.DataFrame(columns).assign(batch=[nasty, "b"] * 30)


def nasty_report(nasty: str) -> Report:
    df = nasty_frame(nasty)
    return df.agree.report(nasty, f"{nasty}2", "bob", by="batch", title=nasty, pictures=False)


def as_shown(text: str) -> str:
    return " ".join(text.split())


# ----------------------------------------------------------------------------------------------------------- escaping


@pytest.mark.parametrize("nasty", NASTY.values(), ids=NASTY)
def test_the_users_text_stays_text_in_html(nasty: str) -> None:
    reader = Reader(nasty_report(nasty).to_html() or "")
    assert reader.open == []
    names = {tag for tag, _ in reader.tags}
    assert not names & {"script", "b", "img", "a", "iframe", "object"}
    assert not [name for _, attributes in reader.tags for name in attributes if name.startswith("on")]
    cells = [as_shown(text) for text in reader.text]
    assert cells.count(as_shown(nasty)) > 5  # title, heading, labels, cells, groups


@pytest.mark.parametrize("nasty", NASTY.values(), ids=NASTY)
def test_the_users_text_stays_text_in_markdown(nasty: str) -> None:
    text = nasty_report(nasty).to_markdown() or ""
    assert "<" not in text
    lines = text.splitlines()
    assert lines[0] == f"# {markdown.escape(nasty)}"
    assert {line[:3] for line in lines if line.startswith("#")} == {"# " + lines[0][2], "## "}
    width = 0
    for line, below in pairwise([*lines, ""]):
        if below.startswith("| ---"):
            width = below.count("|")
        if line.startswith("|"):  # as many cells as the rule has; an escaped bar is none
            assert len(re.findall(r"\|", re.sub(r"\\.", "", line))) == width


def test_markdown_escapes_every_sign_that_means_something() -> None:
    assert markdown.escape(NASTY["markdown"]) == (
        r"\*\*x\*\* \_y\_ \`z\` \[a\](http://evil.example) \# h \~\~s\~\~ \$m\$"
    )
    assert markdown.escape(SCRIPT) == "&lt;script&gt;alert(1)&lt;/script&gt;"
    assert markdown.escape("one\ntwo & \\|") == "one two &amp; \\\\\\|"


def test_html_has_no_control_characters() -> None:
    assert html.escape("a\x00b\x1b[1mc\td") == "a\ufffdb\ufffd[1mc\td"


@pytest.mark.parametrize("nasty", [f"$x^{{$ {SCRIPT}", "日本\n語"])
def test_pictures_take_any_name(nasty: str) -> None:
    pytest.importorskip("matplotlib")
    report = nasty_frame(nasty).agree.report(nasty, f"{nasty}2", "bob", by="batch")
    svgs = [block.svg for section in report.contents.sections for block in section.blocks if isinstance(block, Picture)]
    assert len(svgs) == 5
    assert not [svg for svg in svgs if b"<script" in svg]


# ------------------------------------------------------------------------------------------------------------ the page


@pytest.fixture(scope="module")
def page() -> str:
    return load_example().agree.report("ann", "bob", "cleo", by="batch").to_html() or ""


def test_the_page_is_whole(page: str) -> None:
    reader = Reader(page)
    assert page.startswith('<!doctype html>\n<html lang="en">')
    assert reader.open == []
    assert [len(reader.all(tag)) for tag in ("title", "main", "h1")] == [1, 1, 1]
    assert {"charset": "utf-8"} in reader.all("meta")
    assert "prefers-color-scheme: dark" in page
    assert "@media print" in page


def test_tables_say_what_their_cells_are_about(page: str) -> None:
    reader = Reader(page)
    assert len(reader.all("table")) == len(reader.all("caption")) > 5
    assert {attributes.get("scope") for attributes in reader.all("th")} == {"col", "row"}


def test_nothing_comes_from_outside(page: str) -> None:
    reader = Reader(page)
    sources = [value for _, attributes in reader.tags for name, value in attributes.items() if name in ("src", "href")]
    assert all(str(value).startswith("data:") for value in sources)
    assert not re.search(r"url\(|@import|@font-face", page.partition("</style>")[0])
    assert "default-src &#x27;none&#x27;" in page


def test_pictures_have_words_for_those_who_do_not_see_them(page: str) -> None:
    pytest.importorskip("matplotlib")
    pictures = Reader(page).all("img")
    assert len(pictures) == 5
    assert all(picture["alt"] for picture in pictures)


def test_a_notebook_gets_a_part_that_leaves_the_rest_alone() -> None:
    report = load_example().agree.report("ann", "bob", pictures=False)
    part = report._repr_html_()
    assert Reader(part).open == []
    assert not re.search(r"<(html|body|head|title|h1)\b", part)
    rules = re.sub(r"/\*.*?\*/", "", html.style())
    selectors = [each.strip() for head in re.findall(r"([^{};]+)\{", rules) for each in head.split(",")]
    assert all(each.startswith((".agreement-", "@media")) for each in selectors)


def test_the_text_form_says_what_to_do() -> None:
    report = load_example().agree.report("ann", "bob", pictures=False, title="Mine")
    assert repr(report).startswith("<Report 'Mine': In short, What to do next, ")
    assert repr(report).endswith("write it with .to_html(path) or .to_markdown(path)>")


def test_every_kind_of_block_is_laid_out() -> None:
    blocks = (
        Text("lead", "lead"),
        Text("quote", "quote"),
        Points((("strong", "text"), ("", "plain")), numbered=True),
        table("caption", ["a", "b"], [["x", "1"]], more="… and 1 more row"),
        Picture(b"<svg/>", "alt & text"),
    )
    contents = Contents("title", (Section("part", blocks),), "end")
    assert markdown.render(contents) == (
        "# title\n\n## part\n\n**lead**\n\n> quote\n\n1. **strong:** text\n2. plain\n\n"
        "caption:\n\n| a | b |\n| --- | ---: |\n| x | 1 |\n\n… and 1 more row\n\nend\n"
    )
    page = html.page(contents)
    assert '<p class="lead">lead</p>\n<blockquote><p>quote</p></blockquote>' in page
    assert "<ol>\n<li><strong>strong:</strong> text</li>\n<li>plain</li>\n</ol>" in page
    assert '<tr><th scope="row">x</th><td class="number">1</td></tr>' in page
    assert '<img alt="alt &amp; text" src="data:image/svg+xml;base64,PHN2Zy8+">' in page


# ------------------------------------------------------------------------------------------------------------- numbers


@pytest.mark.parametrize(
    ("function", "value", "text"),
    [
        (words.number, -0.0004, "0.000"),
        (words.number, -0.0006, "-0.001"),
        (words.number, float("nan"), "undefined"),
        (words.p_value, 0.0009, "< .001"),
        (words.p_value, 0.001, ".001"),
        (words.p_value, 0.005, ".005"),
        (words.p_value, 0.05, ".050"),
        (words.p_value, 0.9999, "1.000"),
        (words.percent, 0.004, "< 1%"),
        (words.percent, 1.0, "100%"),
        (words.percent, 0.9999, "> 99%"),
        (words.signed, -0.0001, "0.000"),
        (words.measured, 99.96, "100.0"),
        (words.measured, -1234567.0, "-1234567"),
        (words.measured, 1.5e12, "1.5e+12"),
        (words.cell, 3.0, "3"),
        (words.cell, None, ""),
        (words.cell, pd.NaT, ""),
        (words.cell, pd.Timestamp("2026-01-05"), "2026-01-05"),
        (words.cell, [1, 2], "[1, 2]"),
        (words.cell, " x", "' x'"),
        (words.cell, "", "''"),
        (words.fact, " ", ""),
        (words.label_text, pd.Timestamp("2026-01-05"), "2026-01-05"),
        (words.label_text, pd.Timestamp("2026-01-05 12:00"), "2026-01-05 12:00:00"),
        (words.sentence, "is it so?", "Is it so?"),
        (words.sentence, "it is so", "It is so."),
    ],
)
def test_values_as_text(function, value, text) -> None:
    assert function(value) == text


# --------------------------------------------------------------------------------------------------------------- files


@pytest.fixture(scope="module")
def report() -> Report:
    return load_example().agree.report("ann", "bob", pictures=False, title="Grüße ✓")


@pytest.mark.parametrize("method", ["to_html", "to_markdown"])
@pytest.mark.parametrize("kind", [str, Path])
def test_a_file_is_the_text(report: Report, tmp_path: Path, method: str, kind: type) -> None:
    path = tmp_path / "report"
    path.write_text("old", encoding="utf-8")
    assert getattr(report, method)(kind(path)) is None
    assert path.read_text(encoding="utf-8") == getattr(report, method)()
    assert os.listdir(tmp_path) == ["report"]


def test_a_new_file_has_the_usual_rights(report: Report, tmp_path: Path) -> None:
    (tmp_path / "other").write_text("x")
    report.to_html(tmp_path / "report.html")
    modes = {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("other", "report.html")}
    assert len(modes) == 1


def test_half_a_character_does_not_stop_it(tmp_path: Path) -> None:
    df = pd.DataFrame({"ann": ["x", "y"] * 5, "bob": ["x", "y"] * 5})
    df.agree.report(pictures=False, title="\ud800").to_html(tmp_path / "report.html")
    assert "<h1>\\ud800</h1>" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_a_folder_that_is_not_there(report: Report, tmp_path: Path) -> None:
    path = tmp_path / "none" / "report.html"
    with pytest.raises(InputError) as error:
        report.to_html(path)
    assert str(error.value) == f"cannot write {str(path)!r}: there is no folder {str(path.parent)!r}; make it first"


def test_a_folder_is_no_file(report: Report, tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        report.to_markdown(tmp_path)
    assert str(error.value) == f"cannot write {str(tmp_path)!r}: it is a folder; name a file in it"


def test_a_failed_write_leaves_the_old_file(report: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "report.html"
    path.write_text("old", encoding="utf-8")

    def full(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(InputError) as error:
        report.to_html(path)
    assert str(error.value) == f"cannot write {str(path)!r}: No space left on device"
    assert path.read_text(encoding="utf-8") == "old"
    assert os.listdir(tmp_path) == ["report.html"]
