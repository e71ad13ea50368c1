"""Messages of the package in the words of the command line.

The package speaks to people who write Python: its messages name options as `missing='all'` and end in remedies such
as `df.rename(...)`. Who sits at a shell types `--missing all` and can change the file.
"""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Callable
from typing import Any

Words = str | Callable[[re.Match[str]], str]

PYTHON_OPTION = re.compile(
    r"(?<!['\"\w])(by|weights|level|categories|missing|duplicates|metrics|ci)=('[^']*'|\d*\.?\d+|\[[^\[\]]*\])?"
)


def _first_row(found: re.Match[str]) -> str:
    return f"(the first is row {int(found[1]) + 1}, not counting the names); fill it in, or take them out of the file"


#: what a message says in Python, and the same for a shell; looked for from the top
REMEDIES: dict[str, Words] = {
    r"\(the first is row (\d+)\); drop them with df\.dropna\(.*": _first_row,
    r"; df\.groupby\(.*\)\.agree makes them a group of their own": "; give them one in the file to have them counted",
    r"the frame has a column ('.*'), which disagreements adds": r"the file has a column \1, and --worst adds one",
    r"rename it: (?:df|key)\.rename.*": "rename that column in the file",
    r", or use an ordered Categorical$|, or give both columns the same CategoricalDtype$": "",
    r"it is for df\.agree\.long\(\.\.\.\)$": "it is for long files (--item, --coder and --label)",
    r"convert one of the columns, for example with .*": "write them alike in the file",
    r"if that is not meant, convert them to one kind$": "if that is not meant, write them alike in the file",
    r"convert the columns, for instance with pd\.to_numeric$": "write them as plain numbers in the file",
    r"summary has no option '(weights|level)'(; there are: .*)?": r"--\1 means nothing to these coefficients",
    r"it is called '(weights|level)' there$": r"use --\1",
    r"the weighted form is 'ac2'$": "the weighted form is ac2",
    r"give period= \(for instance .*\)$": "list all labels of the circle with --categories",
    r"map the labels to numbers, for instance with .*": "write the labels as numbers in the file",
    r"with categories=\[lowest, \.\.\., highest\].*": "with --categories LOWEST ... HIGHEST",
    r"; see the column 'note'$": "",
    r",? for (?:instance|example),? with (?:df|pd)[.\[].*": "",  # whatever else is said in Python
}


def as_typed(message: str) -> str:
    """A message in one line, in words for a shell: `missing='all'` becomes `--missing all`.

    >>> as_typed("keep one with duplicates='first', or give categories=['low', 'very high']")
    "keep one with --duplicates first, or give --categories low 'very high'"
    """
    line = " ".join(message.splitlines())
    for pattern, words in REMEDIES.items():
        line = re.sub(pattern, words, line)
    return PYTHON_OPTION.sub(_typed_option, line)


def _typed_option(found: re.Match[str]) -> str:
    name, value = found.groups()
    try:
        words: Any = ast.literal_eval(value or "[]")
    except (SyntaxError, ValueError):
        return found.group()
    listed = words if isinstance(words, list) else [words]
    typed = ["..." if word is Ellipsis else shlex.quote(str(word)) for word in listed]
    return " ".join([f"--{name}", *typed])
