"""Exports of annotation tools and evaluation logs, read as one long frame.

`unpack` opens files and archives, `texts` makes records of what they hold, `tools` has the table of tools and
recognises which one wrote them. A reader is a generator over one record that yields rows, or the reason why something
is left out: `label_studio`, `annotation_tools`, `webanno`, `brat`, `evaluation_logs`. `long_frame` makes the frame of
the rows, `entry` is the call, `overview` a first look at a file. To read another tool, write such a generator and add a
row to the table; a span is a row with `start` and `end`.
"""

from pandas_agreement.exports.entry import read
from pandas_agreement.exports.overview import is_export, questions
from pandas_agreement.exports.tools import TOOLS

__all__ = ["TOOLS", "is_export", "questions", "read"]
