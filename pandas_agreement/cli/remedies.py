"""Errors and warnings in the words of a shell.

The package speaks to people who write Python. Who sits at a shell types `--missing all` and can change the file: what
went wrong is known from the fields of the error, and the tables here say it anew.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable

from pandas_agreement.errors import Explained

#: what to do about an option that the coefficients do not have
INSTEAD = {"": "", "level": "use --level", "weights": "use --weights", "ac2": "the weighted form is ac2"}

#: what to do, by the code of an error or a warning; where nothing stands here, its own remedy is good for a shell too
REMEDIES: dict[str, Callable[[Explained], str]] = {
    "column taken": lambda said: "rename that column in the file",
    "kinds of labels": lambda said: "if that is not meant, write them alike in the file",
    "missing key": lambda said: "fill it in, or take them out of the file",
    "missing labels": lambda said: "fill them in, or choose --missing pairable, all or complete",
    "name taken": lambda said: "rename that column in the file",
    "needs numbers": lambda said: "write the labels as numbers in the file",
    "needs order": lambda said: (
        f"give the {said.facts['n_categories']} labels in their order with --categories LOWEST ... HIGHEST"
    ),
    "never equal": lambda said: "write them alike in the file",
    "numbers as text": lambda said: "write them as plain numbers in the file",
    "orders differ": lambda said: "give the order of all labels with --categories ...",
    "repeated judgment": lambda said: "keep one with --duplicates first or --duplicates last",
    "rows without a group": lambda said: "give them one in the file to have them counted",
    "undeclared label": lambda said: "correct it or list all labels with --categories",
    "undefined": lambda said: "",
    "unknown label": lambda said: "correct it or add it to --categories",
    "unknown option": lambda said: INSTEAD[said.facts["instead"]],
    "unknown period": lambda said: "list all labels of the circle with --categories",
    "wrong format": lambda said: "it is for long files (--item, --coder and --label)",
}

#: what is wrong, where the words of the package are not those of a shell
PROBLEMS: dict[str, Callable[[Explained], str]] = {
    "column taken": lambda said: f"the file has a column {said.column!r}, and --worst adds one",
    "missing key": lambda said: (
        f"{said.facts['n']} rows have a label but no {said.column!r} (the first is row {said.facts['first'] + 1}, not "
        "counting the names)"
    ),
    "needs weights": lambda said: f"{said.facts['coefficient']} needs --weights, such as linear or quadratic",
    "unknown option": lambda said: f"--{said.option} means nothing to these coefficients",
    "wrong format": lambda said: f"--{said.option} means nothing for wide files",
}


def as_typed(said: Explained) -> str:
    """An error or a warning in one line, with the options as they are typed.

    >>> from pandas_agreement.errors import wrong_value
    >>> as_typed(wrong_value("missing", "al", "is not known", "did you mean 'all'?"))
    "--missing al is not known; did you mean 'all'?"
    """
    problem, remedy = _problem(said), REMEDIES[said.code](said) if said.code in REMEDIES else said.remedy
    return " ".join((f"{problem}; {remedy}" if remedy else problem).splitlines())


def _problem(said: Explained) -> str:
    if said.code in PROBLEMS:
        return PROBLEMS[said.code](said)
    if "after" not in said.facts:
        return said.problem
    return f"--{said.option} {shlex.quote(str(said.facts['value']))}{said.facts['after']}"
