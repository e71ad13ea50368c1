"""The report as a page: the user's text stays text, and nothing comes from outside."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from pandas_agreement import load_example
from pandas_agreement.characters import HIDDEN, visible
from pandas_agreement.report import render_html as html
from pandas_agreement.report import render_markdown as markdown
from pandas_agreement.report import render_text
from pandas_agreement.report.contents import Bullets, Contents, Picture, Section, Text, table
from tests.helpers import HOSTILE_TOGETHER
from tests.report.helpers import NASTY, nasty_report

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


def as_shown(text: str) -> str:
    return " ".join(text.split())


# ------------------------------------------------------------------------------------------------------------- escaping


@pytest.mark.parametrize("nasty", NASTY.values(), ids=NASTY)
def test_the_users_text_stays_text_in_html(nasty: str) -> None:
    reader = Reader(nasty_report(nasty).to_html() or "")
    assert reader.open == []
    names = {tag for tag, _ in reader.tags}
    assert not names & {"script", "b", "img", "a", "iframe", "object"}
    assert not [name for _, attributes in reader.tags for name in attributes if name.startswith("on")]
    cells = [as_shown(text) for text in reader.text]
    assert cells.count(as_shown(nasty)) > 5  # title, heading, labels, cells, groups


@pytest.mark.parametrize("hostile", HOSTILE_TOGETHER.values(), ids=HOSTILE_TOGETHER)
def test_no_report_has_hidden_characters(hostile: str) -> None:
    report = nasty_report(hostile)
    for text in (report.to_html(), report._repr_html_(), report.to_markdown(), render_text.render(report.contents)):
        assert text
        assert not HIDDEN.search(text)
    assert f"<h1>{visible(hostile)}</h1>" in (report.to_html() or "")


# ------------------------------------------------------------------------------------------------------------- the page


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
    pictures = Reader(page).all("svg")
    assert len(pictures) == 5
    assert all(picture["role"] == "img" and picture["aria-label"] for picture in pictures)


def test_a_notebook_gets_a_part_that_leaves_the_rest_alone() -> None:
    report = load_example().agree.report("ann", "bob", pictures=False)
    part = report._repr_html_()
    assert Reader(part).open == []
    assert not re.search(r"<(html|body|head|title|h1)\b", part)
    rules = re.sub(r"/\*.*?\*/", "", html.style())
    selectors = [each.strip() for head in re.findall(r"([^{};]+)\{", rules) for each in head.split(",")]
    assert all(each.startswith((".agreement-", "@media")) for each in selectors)


def test_every_kind_of_block_is_laid_out() -> None:
    blocks = (
        Text("lead", "lead"),
        Text("quote", "quote"),
        Bullets((("strong", "text"), ("", "plain")), numbered=True),
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
    assert '<figure><svg role="img" aria-label="alt &amp; text"/></figure>' in page
