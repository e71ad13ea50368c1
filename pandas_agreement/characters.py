"""Characters that a terminal obeys or a reader does not see: control, bidirectional and zero-width characters.

Labels, names and paths come from the user. Whatever is shown to a person passes through `visible`: messages, reports,
pictures and the output of the command line. Data for programs (frames, CSV, JSON) stay as they are.
"""

from __future__ import annotations

import re

#: Escape sequences begin with a control character, and a direction or a joiner changes what stands beside it. Line ends
#: and tabs are layout. U+FE0E and U+FE0F stay, as they only choose the look of a sign.
HIDDEN = re.compile(
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f"  # directions
    "\u00ad\u034f\u180b-\u180f\u200b-\u200d\u2060-\u2065\ufe00-\ufe0d\ufeff\ufff0-\ufffb"  # zero width
    "\u115f\u1160\u17b4\u17b5\u3164\uffa0\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    "\u2028\u2029"  # ends of lines and paragraphs
    "\ud800-\udfff"  # halves of characters
    "]"
)
HALF = re.compile("[\ud800-\udfff]")  # of a character, which no file can hold


def visible(text: str) -> str:
    r"""Text with hidden characters as escapes.

    >>> print(visible("\x1b[31mred, \u202eleft, no\u200bwidth"))
    \x1b[31mred, \u202eleft, no\u200bwidth
    """
    lines = text.replace("\r\n", "\n")
    return HIDDEN.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), lines)


def in_one_line(text: str) -> str:
    r"""Visible text whose line ends and tabs are escapes too.

    >>> print(in_one_line("a\n\tb"))
    a\n\tb
    """
    return visible(text).replace("\n", r"\n").replace("\t", r"\t")
