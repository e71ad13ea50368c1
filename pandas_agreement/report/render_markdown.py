"""A report as Markdown: headings, paragraphs, lists and pipe tables; no pictures.

All text may come from the user, so all markup of Markdown and HTML in it is escaped, and an address does not become a
link.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pandas_agreement.characters import visible
from pandas_agreement.report.contents import Bullets, Code, Contents, Grid, Picture, Renderers, Section, Text

#: signs of markup; those that make a link of a bare address (http://, www., a@b); those that begin a list
MARKUP = re.compile(
    r"[\\`*_\[\]#|~$@]|:(?=//)|(?<=\bwww)\.|(?<=\bmailto):|(?<=\bxmpp):|^[-+](?= |$)|(?<=^\d)[.)](?= |$)", re.IGNORECASE
)
ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


def escape(text: str) -> str:
    """Escape text for Markdown, in one line; hidden characters become visible.

    >>> escape("a|b <i> *c*\\n# d")
    'a\\\\|b &lt;i&gt; \\\\*c\\\\* \\\\# d'
    """
    line = " ".join(visible(text).split())
    for sign, entity in ENTITIES.items():
        line = line.replace(sign, entity)
    return MARKUP.sub(r"\\\g<0>", line)


def render(contents: Contents) -> str:
    """The whole report."""
    title = f"# {escape(contents.title)}" if contents.title else ""
    parts = [title, escape(contents.date), *map(_section, contents.sections), escape(contents.footer)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _section(section: Section) -> str:
    blocks = [RENDER[type(block)](block) for block in section.blocks]
    return "\n\n".join([f"## {escape(section.title)}", *(block for block in blocks if block)])


def _text(block: Text) -> str:
    mark = "**" if block.kind == "lead" else ""
    return ("> " if block.kind == "quote" else "") + f"{mark}{escape(block.text)}{mark}"


def _points(block: Bullets) -> str:
    lines = []
    for place, (strong, text) in enumerate(block.points, 1):
        mark = f"{place}." if block.numbered else "-"
        lead = f"**{escape(strong)}:** " if strong else ""
        lines.append(f"{mark} {lead}{escape(text)}")
    return "\n".join(lines)


def _table(block: Grid) -> str:
    rule = ["---:" if place in block.right else "---" for place in range(len(block.header))]
    lines = [_row([escape(cell) for cell in block.header]), _row(rule)]
    lines += [_row([escape(cell) for cell in row]) for row in block.rows]
    more = [escape(block.more)] if block.more else []
    return "\n\n".join([f"{escape(block.caption)}:", "\n".join(lines), *more])


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _code(block: Code) -> str:
    return "\n".join(f"    {visible(line)}" for line in block.lines)  # a fence could occur in the user's own names


def _picture(block: Picture) -> str:
    return ""


RENDER: Renderers = {Text: _text, Bullets: _points, Grid: _table, Code: _code, Picture: _picture}
