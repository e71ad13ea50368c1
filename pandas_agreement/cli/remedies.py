"""Errors and warnings for a shell, where options are typed as `--missing all` and the file can be changed.

The messages of the package are for Python. The tables here replace problems and remedies by the code of the error.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Hashable, Mapping

from pandas_agreement.cli.columns import NAMED
from pandas_agreement.errors import ALSO, AgreementWarning, Explained, counted

#: remedies for an option that the coefficients do not have
INSTEAD = {"": "", "level": "use --level", "weights": "use --weights", "ac2": "the weighted form is ac2"}

#: remedies by the code of an error or a warning; for other codes the remedy of the package is used
REMEDIES: dict[str, Callable[[Explained], str]] = {
    "another form": lambda error: "if another tool wrote it, name it with --tool",
    "column taken": lambda error: "rename that column in the file",
    "decimal commas": lambda error: "numbers with decimal commas are read with --decimal ,",
    "kinds of labels": lambda error: "if that is not meant, write them alike in the file",
    "look-alike labels": lambda error: "write them alike in the file, or list all labels with --categories",
    "missing key": lambda error: "fill it in, or take such rows out of the file",
    "missing labels": lambda error: "fill them in, or choose --missing pairable, all or complete",
    "long data": lambda error: f"name the columns: {_options(error.facts['roles'])}",
    "name taken": lambda error: "rename that column in the file",
    "needs field": lambda error: "name the question with --field, or export JSON instead",
    "needs coders": lambda error: (
        "use pi, alpha, ac1, s or icc_1, or a file with one row per judgment (--item, --coder and --label)"
    ),
    "needs numbers": lambda error: "write the labels as numbers in the file",
    "needs order": lambda error: (
        f"give the {error.facts['n_categories']} labels in their order with --categories LOWEST ... HIGHEST"
    ),
    "no coders": lambda error: NAMED,
    "not a coder": lambda error: f"name the coders: --coders {shlex.join(map(str, error.facts['coders']))}",
    "no coder": lambda error: "export a file for each coder, put the files into a folder, and name the folder",
    "no row": lambda error: (
        "write --unmarked seen if these coders saw the document and marked nothing, --unmarked absent if they did not "
        "see it"
    ),
    "not whole": lambda error: "write whole numbers in the file: characters, tokens or milliseconds",
    "no list": lambda error: "a cell is a list, or text with --sep between the ratings, such as --sep '|'",
    "never equal": lambda error: "write them alike in the file",
    "numbers as text": lambda error: "write them as plain numbers in the file",
    "of difference": lambda error: "use --fail-under difference_low=..., or a coefficient without .ci_low",
    "orders differ": lambda error: "give the order of all labels with --categories ...",
    "repeated judgment": lambda error: (
        "keep one with --duplicates first or last, or take them as a set with --duplicates set"
    ),
    "rows without a group": lambda error: "give such rows one in the file to have them counted",
    "same name": lambda error: "name each file after its coder",
    "same span": lambda error: "keep it once in the file",
    "several questions": lambda error: "keep one question with --where field=...",
    "groups repeat judgments": lambda error: "keep one group with --where",
    "unclear column": lambda error: (
        f"name the column with --{error.option}; there are: {', '.join(map(repr, error.facts['columns']))}"
    ),
    "undeclared label": lambda error: "correct it or list all labels with --categories",
    "undefined": lambda error: "",
    "unknown label": lambda error: "correct it or add it to --categories",
    "unknown option": lambda error: INSTEAD[error.facts["instead"]],
    "unknown period": lambda error: (
        'list all labels of the circle with --categories, or give its length, such as "circular(period=360)"'
    ),
}

#: problems by code; for other codes the problem of the package is used
PROBLEMS: dict[str, Callable[[Explained], str]] = {
    "column taken": lambda error: f"the file has a column {error.column!r}, and --worst adds one",
    "long data": lambda error: f"the file has one row per {'span' if 'start' in error.facts['roles'] else 'judgment'}",
    "missing key": lambda error: (
        f"{counted(error.facts['n'], 'row has', 'rows have')} a label but no {error.column!r} "
        f"(the first is row {error.facts['first'] + 1}, not counting the names)"
    ),
    "not whole": lambda error: f"--{error.option} must hold whole numbers, and {error.facts['holds']}",
    "needs weights": lambda error: f"{error.facts['coefficient']} needs --weights, such as linear or quadratic",
    "unknown option": lambda error: f"--{error.option} is not an option of these coefficients",
    "idle option": lambda error: "--sep splits cells into sets, which only --level jaccard and --level masi compare",
    "no such form": lambda error: (
        f"{error.facts['coefficient']} has no form with --{error.option} {error.facts['chosen']}"
    ),
}


def _options(roles: Mapping[str, Hashable]) -> str:
    """The columns of a long file, as they are typed."""
    return shlex.join([word for role, name in roles.items() for word in (f"--{role}", str(name))])


def as_typed(error: Explained) -> str:
    """An error or a warning in one line, with the options as they are typed.

    >>> from pandas_agreement.errors import wrong_value
    >>> as_typed(wrong_value("missing", "al", "is not known", "did you mean 'all'?"))
    "--missing al is not known; did you mean 'all'?"
    """
    parts = error.facts.get("remarks", ())
    if len(parts) > 1:
        return ALSO.join(as_typed(AgreementWarning(part.problem, part.remedy, code=part.code)) for part in parts)
    problem, remedy = error.problem, REMEDIES[error.code](error) if error.code in REMEDIES else error.remedy
    if error.code in PROBLEMS:
        problem = PROBLEMS[error.code](error)
    elif "after" in error.facts:
        problem = f"--{error.option} {shlex.quote(str(error.facts['value']))}{error.facts['after']}"
    return " ".join((f"{problem}; {remedy}" if remedy else problem).splitlines())
