"""The report as Markdown: the user's text stays text."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from pandas_agreement.report import render_markdown as markdown
from tests.report.helpers import NASTY, SCRIPT, nasty_report


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
        r"\*\*x\*\* \_y\_ \`z\` \[a\](http\://evil.example) \# h \~\~s\~\~ \$m\$"
    )
    assert markdown.escape(SCRIPT) == "&lt;script&gt;alert(1)&lt;/script&gt;"
    assert markdown.escape("one\ntwo & \\|") == "one two &amp; \\\\\\|"


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("https://evil.example/x", r"https\://evil.example/x"),
        ("www.evil.example", r"www\.evil.example"),
        ("WWW.evil.example", r"WWW\.evil.example"),
        ("mailto:me@evil.example", r"mailto\:me\@evil.example"),
        ("<http://evil.example>", r"&lt;http\://evil.example&gt;"),
        ("![x](y)", r"!\[x\](y)"),
        ("- x", r"\- x"),
        ("1. x", r"1\. x"),
        ("-0.5 to 1.5: a-b, 12:30", "-0.5 to 1.5: a-b, 12:30"),
    ],
)
def test_an_address_is_no_link_and_a_dash_no_list(text: str, escaped: str) -> None:
    assert markdown.escape(text) == escaped
