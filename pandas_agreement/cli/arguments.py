"""The arguments of the command line: the parser, and what is wrong with them before the file is read."""

from __future__ import annotations

import argparse
import math
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from pandas_agreement import testing
from pandas_agreement.characters import in_one_line, visible
from pandas_agreement.cli.remedies import as_typed
from pandas_agreement.coefficients.registry import REGISTRY
from pandas_agreement.errors import AgreementError, InputError
from pandas_agreement.exports import TOOLS
from pandas_agreement.report import document
from pandas_agreement.testing import DIFFERENCE_LOWER, LOWER

PROGRAM = "pandas_agreement"
DEFAULT_LEVEL = 0.95  # of the intervals
PAGES, RECORDS = ["table", "markdown"], ["csv", "json"]  # formats for people and for programs
WRITERS = {ending: method for method, endings in document.ENDINGS.items() for ending in endings}

DESCRIPTION = """\
Measure how well coders agree, by pair of coders, by category and by group.
Without FILE it analyses the example that ships with the package."""

EPILOG = """\
The file is wide (one row per item, one column per coder: --coders)
or long (one row per judgment: --item --coder --label; without --coder the raters are anonymous),
or has one row per span (--item --coder --start --end --label --length),
or has all ratings of an item in one cell (--cells), or is a table of numbers (--counts, --crosstab).
With --frequency a row stands for several items.

The export of a tool is recognized, and an overview of it is shown first (--field --tool --item --models).
The columns of other files are never guessed: if they are not clear, the message suggests the options to use.

Numbers with fractions are scores: ICC, concordance, and alpha at the interval level.
Whole numbers may be categories or steps of a scale: alpha is shown for both, unless you pass
--level nominal or --level ordinal. --level or --weights sets both, for all coefficients.

Text files are read as pandas.read_csv reads them: an empty cell, NA, N/A, None and null are missing.
Other cells are not changed: "x " and "x" are two labels.
Only names of columns lose the blanks around them, and numbers are read as numbers if all labels are.

Exit status: 0, or 1 if a --fail-under is not reached, or 2 if the input or an option is wrong."""


class OutputError(Exception):
    """Standard output cannot be written, for the reason in the message."""


def source_name(options: argparse.Namespace) -> str:
    """The name of the data in a message."""
    return {None: "the example", "-": "standard input"}.get(options.file, str(options.file))


def write(text: str) -> None:
    """Print; characters that the terminal does not have are escaped, and a closed pipe (head) is no error."""
    if sys.stdout is None:
        raise OutputError("it is closed")
    encoding = sys.stdout.encoding or "utf-8"
    text = visible(text) if sys.stdout.isatty() else text  # data for programs can have any character
    try:
        sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
        sys.stdout.flush()
    except OSError as error:
        # Python flushes stdout again at exit, which would be an error
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            raise OutputError(error.strerror or str(error)) from None


def say(line: str) -> None:
    """One line on stderr, if it is open."""
    if sys.stderr is not None:  # print would take stdout instead
        with suppress(OSError):
            print(in_one_line(f"{PROGRAM}: {line}"), file=sys.stderr, flush=True)


def is_given(options: argparse.Namespace, name: str) -> bool:
    return getattr(options, name) not in (None, False)


def given(options: argparse.Namespace, *names: str) -> dict[str, Any]:
    """The options that were given, by their names in Python."""
    return {name: getattr(options, name) for name in names if getattr(options, name) is not None}


# ----------------------------------------------------------------------------------------------------- parser
class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        say(f"{message}; see python -m {PROGRAM} --help")
        self.exit(2)


def parser() -> argparse.ArgumentParser:
    """The parser of all arguments."""
    from pandas_agreement import __version__

    whole = _Parser(
        prog=f"python -m {PROGRAM}",
        usage=f"python -m {PROGRAM} [FILE] [options]",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    formats = "CSV, TSV, JSON, JSON lines or Parquet; the export of an annotation tool or an evaluation log; "
    formats += "- is CSV on stdin"
    whole.add_argument("file", nargs="?", metavar="FILE", help=formats)
    whole.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    _add_data_options(whole.add_argument_group("the data"))
    _add_result_options(whole.add_argument_group("the result"))
    return whole


def _add_data_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--coders", nargs="+", metavar="NAME", help="the coders' columns (long files: which coders)")
    group.add_argument("--field", metavar="NAME", help="exports: the question")
    tool = f"exports: the tool, if it is not recognised: {', '.join(TOOLS)}"
    group.add_argument("--tool", metavar="NAME", help=tool)
    models = "exports: also the predictions and suggestions of models"
    group.add_argument("--models", action="store_true", help=models)
    item = "long files: what is judged; several columns name it together. Exports: another key as the item"
    group.add_argument("--item", nargs="+", metavar="COLUMN", help=item)
    group.add_argument("--coder", metavar="COLUMN", help="long files: who judges (left out: anonymous raters)")
    group.add_argument("--label", metavar="COLUMN", help="long files: the judgment")
    group.add_argument("--start", metavar="COLUMN", help="files of spans: where a span starts")
    group.add_argument("--end", metavar="COLUMN", help="files of spans: the position after its last")
    length = "files of spans: how many positions a document has, a column or a number (default: up to its last span)"
    group.add_argument("--length", metavar="COLUMN", help=length)
    unmarked = "files of spans: documents without a row of a coder were seen or are absent (default: raise)"
    group.add_argument("--unmarked", metavar="RULE", help=unmarked)
    judge = "judges or models to compare with people, by kappa or the coefficient of --metrics"
    group.add_argument("--judge", nargs="+", metavar="NAME", help=judge)
    group.add_argument("--humans", nargs="+", metavar="NAME", help="with --judge: the people")
    group.add_argument("--by", nargs="+", metavar="COLUMN", help="a result for each group")
    where: dict[str, Any] = {
        "type": _condition,
        "nargs": "+",
        "action": "extend",
        "default": [],
        "metavar": "COLUMN=VALUE",
    }
    group.add_argument("--where", help="only the rows with this value, such as batch=w06", **where)
    group.add_argument("--categories", nargs="+", metavar="LABEL", help="the categories, in their order")
    group.add_argument("--missing", metavar="RULE", help="pairable (default), all, complete or raise")
    duplicates = "long files, a judgment given twice: raise, first, last or set"
    group.add_argument("--duplicates", metavar="RULE", help=duplicates)
    counts = "a table of counts: one row per item; the columns of the categories (none named: all columns)"
    group.add_argument("--counts", nargs="*", metavar="COLUMN", help=counts)
    crosstab = "a contingency table of two coders; the first column holds the labels of the first"
    group.add_argument("--crosstab", action="store_true", help=crosstab)
    cells = "the column with all ratings of an item in one cell: a list, or text with --sep between the ratings"
    group.add_argument("--cells", metavar="COLUMN", help=cells)
    frequency = "how many items a row stands for, a column of whole numbers"
    group.add_argument("--frequency", metavar="COLUMN", help=frequency)
    sep = "with --cells, --level jaccard or --level masi: the text between the labels of a cell, such as |"
    group.add_argument("--sep", metavar="TEXT", help=sep)
    delimiter = "separator of the columns of the file (default: , or for .tsv a tab)"
    group.add_argument("--delimiter", metavar="CHARACTER", help=delimiter)
    group.add_argument("--encoding", metavar="NAME", help="encoding of a text file (default: utf-8), such as cp1252")
    group.add_argument("--decimal", metavar="CHARACTER", help="decimal mark of a text file (default: .)")


def _add_result_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--metrics", nargs="+", metavar="NAME", help=f"of {', '.join(REGISTRY)}")
    weights = 'the same as agreement weights: linear, quadratic, "within(1)"'
    group.add_argument("--weights", metavar="NAME", help=weights)
    level = 'scale of the labels: nominal, ordinal, interval, "circular(period=360)"'
    group.add_argument("--level", metavar="NAME", help=level)
    at_least = "the agreement that you need: answers yes, no or not settled first, by the interval of alpha, or of the "
    at_least += "first of --metrics"
    group.add_argument("--at-least", type=_least, metavar="VALUE", help=at_least)
    ci = "level of the intervals, or none"
    group.add_argument("--ci", type=_level, default=DEFAULT_LEVEL, metavar="LEVEL", help=ci)
    group.add_argument("--worst", type=_whole, metavar="N", help="show the N items to adjudicate first instead")
    report = "write a report instead, .html or .md"
    group.add_argument("--report", type=_ending_in(".html or .md", set(WRITERS)), metavar="FILE", help=report)
    consensus = "write the majority label of each item instead, .csv"
    group.add_argument("--consensus", type=_ending_in(".csv", {".csv"}), metavar="FILE", help=consensus)
    group.add_argument("--format", choices=[*PAGES, *RECORDS], default="table", help="default: table")
    formulas = "with --format csv: put ' before text that a spreadsheet would run (begins with = + - @, tab or return)"
    group.add_argument("--no-formulas", action="store_true", help=formulas)
    fail_under = "status 1 if the coefficient is below the value, or undefined, in any row; may be repeated; "
    fail_under += "alpha.ci_low=0.6 is about the lower bound of the interval, and with --judge difference_low=-0.1 "
    fail_under += "about that of judge minus people"
    kind: dict[str, Any] = {"type": _threshold, "action": "append", "default": [], "metavar": "NAME=VALUE"}
    group.add_argument("--fail-under", help=fail_under, **kind)
    min_items = "with --fail-under: status 1 also if a row has fewer items"
    group.add_argument("--min-items", type=_whole, default=0, metavar="N", help=min_items)


# ----------------------------------------------------------------------------------------------------- values
def _condition(text: str) -> tuple[str, str]:
    """A value of --where."""
    name, mark, value = text.partition("=")
    if not (name and mark):
        raise argparse.ArgumentTypeError(f"{text!r} should read like batch=w06")
    return name, value


def _least(text: str) -> float:
    """The value of --at-least."""
    value = _float(text)
    if not -1 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} must be a number between -1 and 1, such as 0.67")
    return value


def _level(text: str) -> float | None:
    """The value of --ci."""
    if text.lower() == "none":
        return None
    level = _float(text)
    if not 0 < level < 1:
        raise argparse.ArgumentTypeError(f"{text!r} must lie between 0 and 1, such as 0.95, or be none")
    return level


def _float(text: str) -> float:
    """A number; NaN if the text is none."""
    try:
        return float(text)
    except ValueError:
        return math.nan


def _whole(text: str) -> int:
    """The value of --worst or --min-items."""
    if not (text.isascii() and text.isdigit() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"{text!r} must be a whole number above 0, such as 10")
    return int(text)


def _ending_in(words: str, endings: set[str]) -> Callable[[str], str]:
    """The value of --report or --consensus."""

    def check(text: str) -> str:
        if Path(text).suffix.lower() not in endings:
            raise argparse.ArgumentTypeError(f"{text!r} must end in {words}")
        return text

    return check


class Threshold(NamedTuple):
    """A value of --fail-under: the coefficient, whether its estimate or its lower limit, and the least value."""

    name: str
    on: str
    least: float


def _threshold(text: str) -> Threshold:
    """The value of --fail-under: alpha=0.8 or alpha.ci_low=0.8."""
    what, _, value = text.partition("=")
    name, _, on = what.partition(".")
    least = _float(value)
    if not name or on not in ("", *testing.COLUMNS) or math.isnan(least):
        raise argparse.ArgumentTypeError(f"{text!r} should read like alpha=0.8 or alpha.ci_low=0.8")
    if on and name in testing.DIFFERENCES:
        bound = f"{DIFFERENCE_LOWER}={value}"
        raise argparse.ArgumentTypeError(f"{text!r} should read {bound}: the lower bound of judge minus people")
    try:
        testing.check_least(what, least)
    except AgreementError as error:
        raise argparse.ArgumentTypeError(as_typed(error)) from None
    return Threshold(name, on or testing.ESTIMATE, least)


# --------------------------------------------------------------------------------------- what goes with what
OF_EXPORTS = ("field", "tool", "models")
OF_SPANS = ("start", "end", "length", "unmarked")
OF_TABLES = (*OF_SPANS, "coder", "label", "counts", "crosstab", "cells", "delimiter", "encoding", "decimal")
OF_FILES = (*OF_EXPORTS, "item", *OF_TABLES)
OF_CODERS = ("coders", "item", "coder", "label", "duplicates")
OF_RESULTS = ("judge", "worst", "report", "consensus", "at_least", "metrics", "weights", "level")
OF_LABELS = (*OF_RESULTS, "counts", "crosstab", "cells", "sep", "categories", "missing", "duplicates", "frequency")
TABLE = "the file is a table of numbers"
#: options that cannot be used together: the first, the others, and why
APART: list[tuple[str, tuple[str, ...], str]] = [
    ("judge", ("coders", "worst", "report", "consensus", "counts", "cells", "crosstab", "at_least"), ""),
    ("counts", (*OF_CODERS, "sep", "crosstab", "cells"), TABLE),
    ("crosstab", (*OF_CODERS, "sep", "cells", "frequency", "by", "where"), TABLE),
    ("cells", OF_CODERS, "the coder of each rating is not known"),
    ("consensus", ("report", "worst"), "it writes labels"),
    *((name, OF_TABLES, "the export of a tool has its own form") for name in OF_EXPORTS),
]
SPANS = "a file of spans has --item, --coder, --start, --end and --label"
#: options that need another: the option, the others, one of which is needed, and an example
TOGETHER: list[tuple[str, tuple[str, ...], str]] = [
    ("judge", ("humans",), "such as --judge gpt --humans ann bob cleo"),
    ("humans", ("judge",), "such as --judge gpt --humans ann bob cleo"),
    ("min_items", ("fail_under",), "such as --fail-under alpha.ci_low=0.6"),
    ("start", ("end",), SPANS),
    *((name, ("start",), SPANS) for name in OF_SPANS[1:]),
    ("start", ("item",), SPANS),
    ("start", ("coder",), SPANS),
    ("label", ("item",), "--coder may be left out if the raters are anonymous"),
    ("coder", ("item",), "a file of judgments has --item, --coder and --label"),
]


def check(options: argparse.Namespace) -> None:
    """Check before the file is read which options go together; `coders` are those of --judge, too."""
    typed = {name for name in vars(options) if getattr(options, name) not in (None, False, 0) and name != "file"}
    typed -= {name for name in ("where", "fail_under") if not getattr(options, name)}
    if options.file is None and typed.intersection(OF_FILES):
        names = [f"--{name}" for name in OF_FILES]
        raise InputError(f"{', '.join(names[:-1])} and {names[-1]} describe a file: python -m {PROGRAM} FILE ...")
    for first, others, why in APART:
        for other in (other for other in others if {first, other} <= typed):
            raise InputError(f"{_typed(other)} cannot be used with {_typed(first)}{why and ': '}{why}")
    for first, others, example in TOGETHER:
        if first in typed and not typed.intersection(others):
            raise InputError(f"{_typed(first)} goes with {_typed(others[0])}", example)
    _check_pages(options)
    _check_targets(options)
    options.by = options.by or []
    if options.judge:
        options.coders = [*options.judge, *options.humans]


def _typed(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def check_spans(options: argparse.Namespace) -> None:
    """Raise for options of labels, once it is known that the file holds spans."""
    for name in OF_LABELS:
        if is_given(options, name):
            raise InputError(f"{_typed(name)} is about labels, and spans have coefficients of their own")


def check_table(options: argparse.Namespace) -> None:
    """Check what belongs to files of judgments, once the file is known to be no export."""
    if options.duplicates and not options.item:
        problem = "--duplicates goes with --item"
        raise InputError(problem, "it is for files of judgments, with --item, --coder and --label")
    if options.item and not options.label and not options.start:
        raise InputError("--item goes with --label", "--coder may be left out if the raters are anonymous")
    about = next((name for name in ("judge", "coders", "duplicates") if is_given(options, name)), None)
    if options.item and options.coder is None and about:
        raise InputError(f"{_typed(about)} is about coders, and without --coder the raters are anonymous")


def _check_pages(options: argparse.Namespace) -> None:
    """Check what belongs to a page for people, to a table for programs, and to an interval."""
    if options.no_formulas and options.format != "csv" and not options.consensus:
        raise InputError("--no-formulas is for --format csv")
    if options.judge and len(options.metrics or ()) > 1:
        raise InputError("--judge compares by one coefficient, and --metrics names several", "name one")
    if options.report and options.format != "table":
        raise InputError(f"--format {options.format} cannot be used with --report, whose ending is the format")
    lists = "--consensus" if options.consensus else "--worst" if options.worst and not options.report else ""
    other = lists or (f"--format {options.format}" if options.format in RECORDS else "")
    if options.at_least is not None and other:
        problem = f"--at-least is answered on a page, and {other} writes none"
        raise InputError(problem, "leave one of them out")
    bounds = any({LOWER, DIFFERENCE_LOWER} & {threshold.on, threshold.name} for threshold in options.fail_under)
    if options.ci is None and (bounds or options.at_least is not None):
        about = "--fail-under is about an interval" if bounds else "--at-least goes by the interval"
        raise InputError(f"{about}, and --ci is none", "leave out --ci none")


def _check_targets(options: argparse.Namespace) -> None:
    """Refuse to write over the file that is read, also by a link, and what cannot be written."""
    for name in ("consensus", "report"):
        target = getattr(options, name)
        if target and options.file and os.path.exists(target) and _is_same_file(options.file, target):
            raise InputError(f"--{name} would replace the file that is read", "name another file")
    if options.report:
        document.check(options.report, WRITERS[Path(options.report).suffix.lower()])


def _is_same_file(path: str, target: str) -> bool:
    return os.path.exists(path) and os.path.samefile(path, target)
