"""A report as HTML: one self-contained file, or a part of a notebook.

There are no scripts; styles and pictures are embedded. All text may come from the user, so all of it is escaped here.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from html import escape as escape_html
from pathlib import Path

from pandas_agreement.characters import visible
from pandas_agreement.report.contents import Bullets, Code, Contents, Grid, Picture, Renderers, Section, Text

MAX_UNBROKEN_CHARACTERS = 28  # characters of a cell that may be broken into lines
MAX_UNBROKEN_COLUMNS = 9  # of a table whose cells are not broken into lines
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"  # nothing is loaded from outside

PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>
{style}@page {{ margin: 16mm 14mm; }}
</style>
</head>
<body class="agreement-page">
{body}
</body>
</html>
"""


def escape(text: str) -> str:
    """Escape text for HTML; hidden characters become visible.

    >>> escape('<b>"x" & y</b>')
    '&lt;b&gt;&quot;x&quot; &amp; y&lt;/b&gt;'
    """
    return escape_html(visible(text))


@lru_cache(maxsize=1)
def style() -> str:
    """The style sheet; every rule begins with a class of the report, so that it does not change a notebook."""
    return Path(__file__).with_name("style.css").read_text(encoding="utf-8")


def page(contents: Contents) -> str:
    """The whole document."""
    body = _main("main", contents, 1)
    return PAGE.format(policy=escape(POLICY), title=escape(contents.title), style=style(), body=body)


def fragment(contents: Contents) -> str:
    """A part of another page, such as a notebook, whose colours it has."""
    return f"<style>\n{style()}</style>\n{_main('div', contents, 2, 'agreement-part')}"


def _main(tag: str, contents: Contents, level: int, kind: str = "") -> str:
    title = f"<h{level}>{escape(contents.title)}</h{level}>"
    title += f'\n<p class="note">{escape(contents.date)}</p>' if contents.date else ""
    sections = "\n".join(_section(section, level + 1) for section in contents.sections)
    footer = f"<footer>{escape(contents.footer)}</footer>"
    return f'<{tag} class="{f"agreement-report {kind}".strip()}">\n{title}\n{sections}\n{footer}\n</{tag}>'


def _section(section: Section, level: int) -> str:
    blocks = "\n".join(RENDER[type(block)](block) for block in section.blocks)
    return f"<section>\n<h{level}>{escape(section.title)}</h{level}>\n{blocks}\n</section>"


def _text(block: Text) -> str:
    if block.kind == "quote":
        return f"<blockquote><p>{escape(block.text)}</p></blockquote>"
    kind = f' class="{block.kind}"' if block.kind else ""
    return f"<p{kind}>{escape(block.text)}</p>"


def _points(block: Bullets) -> str:
    tag = "ol" if block.numbered else "ul"
    items = []
    for strong, text in block.points:
        lead = f"<strong>{escape(strong)}:</strong> " if strong else ""
        items.append(f"<li>{lead}{escape(text)}</li>")
    return f"<{tag}>\n" + "\n".join(items) + f"\n</{tag}>"


def _table(block: Grid) -> str:
    """A table in a box that scrolls if the table is wider than the page."""
    head = "".join(_cell("th", name, place in block.right, "col") for place, name in enumerate(block.header))
    rows = "\n".join(f"<tr>{_cells(block, row)}</tr>" for row in block.rows)
    header = f"<thead><tr>{head}</tr></thead>\n" if any(block.header) else ""
    table = f"<table>\n<caption>{escape(block.caption)}</caption>\n{header}<tbody>\n{rows}\n</tbody>\n</table>"
    wide = " wide" if len(block.header) > MAX_UNBROKEN_COLUMNS else ""
    more = f'\n<p class="more">{escape(block.more)}</p>' if block.more else ""
    label = escape(block.caption)
    return f'<div class="table{wide}" role="region" aria-label="{label}" tabindex="0">\n{table}\n</div>{more}'


def _cells(block: Grid, row: Sequence[str]) -> str:
    cells = []
    for place, text in enumerate(row):
        tag, scope = ("th", "row") if place < block.keys else ("td", "")
        cells.append(_cell(tag, text, place in block.right, scope, place in block.prose))
    return "".join(cells)


def _cell(tag: str, text: str, right: bool, scope: str, prose: bool = False) -> str:
    kind = "number" if right else "long" if len(text) > MAX_UNBROKEN_CHARACTERS else ""
    kind = "prose" if prose and kind == "long" else kind
    about = (f' scope="{scope}"' if scope else "") + (f' class="{kind}"' if kind else "")
    return f"<{tag}{about}>{escape(text)}</{tag}>"


def _code(block: Code) -> str:
    return "<pre>" + escape("\n".join(block.lines)) + "</pre>"


def _picture(block: Picture) -> str:
    svg = block.svg.decode().replace("<svg", f'<svg role="img" aria-label="{escape(block.alt)}"', 1)
    return f"<figure>{svg}</figure>"


RENDER: Renderers = {Text: _text, Bullets: _points, Grid: _table, Code: _code, Picture: _picture}
