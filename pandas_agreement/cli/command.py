"""The command line: `python -m pandas_agreement [FILE]`.

Options and exit statuses: 0 for success, 1 when a coefficient is below `--fail-under`, 2 when the input or an option is
wrong, and for unexpected errors. An error is one line on stderr; a traceback is shown only if the environment variable
PANDAS_AGREEMENT_TRACEBACK is set. Reading is in `files` and `source`, printing in `output`.
"""

from __future__ import annotations

import argparse
import errno
import math
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple, NoReturn

import pandas as pd

from pandas_agreement import testing
from pandas_agreement.characters import in_one_line, visible
from pandas_agreement.cli.judged import JudgedOutput, check_judged
from pandas_agreement.cli.output import FORMATS, Output, check_output, consensus_path, report_path
from pandas_agreement.cli.remedies import as_typed
from pandas_agreement.cli.source import DEFAULT_LEVEL, PROGRAM, open_source, source_name
from pandas_agreement.coefficients.registry import REGISTRY
from pandas_agreement.errors import AgreementError, AgreementWarning, collect_warnings
from pandas_agreement.report.build import collected_warnings

INTERRUPTED = 130  # the exit status of a program stopped by the keyboard
TRACEBACK = "PANDAS_AGREEMENT_TRACEBACK"  # environment variable for developers
MAX_MESSAGE_CHARACTERS = 300  # of an unexpected error

DESCRIPTION = """\
Agreement between coders: how much, between whom, on which categories, in which group.
Without FILE the example that ships with the package is shown."""

EPILOG = """\
The file is wide (one row per item, one column per coder: --coders)
or long (one row per judgment: --item --coder --label; without --coder the raters are anonymous),
or has all ratings of an item in one cell (--cells),
or is a table of numbers (--counts, --crosstab).
With --frequency a row stands for several items.
A file is never read by guess: where its columns are not clear, the options to type are proposed.
Numbers with fractions are scores: ICC, concordance, and alpha at the interval level. Whole numbers
may be names or steps of a scale: alpha is shown both ways, until --level nominal or --level ordinal.
--level or --weights stands for both, for all coefficients.
Only an empty cell is missing: NA, None, null and n/a are labels like any other.
Cells are taken as they are: "x " and "x" are two labels. Only names of columns lose the blanks
around them, and numbers are read as numbers if all labels are.
Exit status: 0, or 1 when a --fail-under is not reached, or 2 when the input or an option is wrong."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments, without the name of the program; default: those of the process.

    Returns
    -------
    int
        The exit status: 0, or 1 when a `--fail-under` is not reached, or 2 when the input is wrong.

    Examples
    --------
    >>> status = main(["--metrics", "kappa", "--ci", "none", "--by", "batch"])  # doctest: +ELLIPSIS
    The example that ships with pandas_agreement...
    >>> status
    0
    """
    try:
        return _parsed(argv)
    except KeyboardInterrupt:
        _say("interrupted")
        return INTERRUPTED


def _parsed(argv: Sequence[str] | None) -> int:
    """Run with the arguments; an unexpected error is one line too."""
    try:
        options = _parser().parse_args(argv)
    except SystemExit as stop:  # --help, --version or a wrong option: argparse has printed it
        return stop.code if isinstance(stop.code, int) else 0
    try:
        return _run(options)
    except Exception as error:  # a traceback would give status 1, which is that of --fail-under
        if os.environ.get(TRACEBACK, "0") not in ("", "0"):
            raise
        _say(f"{source_name(options)}: {_unexpected(error)}")
        return 2


def _run(options: argparse.Namespace) -> int:
    """Read, compute and print; an error in the input is one line."""
    name = source_name(options)
    try:
        check_output(options)
        check_judged(options)
        notes: list[AgreementWarning] = []
        try:
            with collected_warnings() as notes:
                output = _output(options)
        finally:
            for note in dict.fromkeys(map(as_typed, notes)):
                _say(f"note: {note}")
        with collect_warnings():  # undefined results and their reasons are in the text
            text = output.text()
        failures = _failures(output.result, options)
    except AgreementError as error:
        _say(f"{name}: {as_typed(error)}")
        return 2
    try:
        _write(text)
    except OSError as error:
        _say(f"standard output: cannot be written ({error.strerror or error})")
        return 2
    for failure in failures:
        _say(f"{name}: {failure}")
    return 1 if failures else 0


def _output(options: argparse.Namespace) -> Output | JudgedOutput:
    """Read the file; judges are compared with people, or all coders with each other."""
    source = open_source(options)
    if not options.judge:
        return Output(source, options)
    judged = JudgedOutput(source, options)
    judged.result  # noqa: B018 (computed here, so that its warnings are printed)
    return judged


def _unexpected(error: Exception) -> str:
    message = " ".join(f"{type(error).__name__}: {error}".split())[:MAX_MESSAGE_CHARACTERS].rstrip(" .:")
    return f"unexpected {message}; to see where, set {TRACEBACK}=1"


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        _say(f"{message}; see python -m {PROGRAM} --help")
        self.exit(2)


def _parser() -> _Parser:
    from pandas_agreement import __version__

    parser = _Parser(
        prog=f"python -m {PROGRAM}",
        usage=f"python -m {PROGRAM} [FILE] [options]",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    formats = "CSV, TSV, JSON, JSON lines or Parquet; - is CSV on stdin"
    parser.add_argument("file", nargs="?", metavar="FILE", help=formats)
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    _add_data_options(parser.add_argument_group("the data"))
    _add_result_options(parser.add_argument_group("the result"))
    return parser


def _add_data_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--coders", nargs="+", metavar="NAME", help="the coders' columns (long files: which coders)")
    item = "long files: what is judged; several columns name it together"
    group.add_argument("--item", nargs="+", metavar="COLUMN", help=item)
    group.add_argument("--coder", metavar="COLUMN", help="long files: who judges (left out: anonymous raters)")
    group.add_argument("--label", metavar="COLUMN", help="long files: the judgment")
    judge = "judges or models to compare with people, by kappa or the coefficient of --metrics"
    group.add_argument("--judge", nargs="+", metavar="NAME", help=judge)
    group.add_argument("--humans", nargs="+", metavar="NAME", help="with --judge: the people")
    group.add_argument("--by", nargs="+", metavar="COLUMN", default=[], help="a result for each group")
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
    group.add_argument("--report", type=report_path, metavar="FILE", help="write a report instead, .html or .md")
    consensus = "write the majority label of each item instead, .csv"
    group.add_argument("--consensus", type=consensus_path, metavar="FILE", help=consensus)
    group.add_argument("--format", choices=FORMATS, default="table", help="default: table")
    formulas = "with --format csv: put ' before text that a spreadsheet would run (begins with = + - @, tab or return)"
    group.add_argument("--no-formulas", action="store_true", help=formulas)
    fail_under = "status 1 if the coefficient is below the value, or undefined, in any row; may be repeated; "
    fail_under += "alpha.ci_low=0.6 is about the lower limit of the interval, and with --judge difference_low=-0.1 "
    fail_under += "about that of judge minus people"
    kind: dict[str, Any] = {"type": _threshold, "action": "append", "default": [], "metavar": "NAME=VALUE"}
    group.add_argument("--fail-under", help=fail_under, **kind)
    min_items = "with --fail-under: status 1 also if a row rests on fewer items"
    group.add_argument("--min-items", type=_whole, default=0, metavar="N", help=min_items)


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
        bound = f"{testing.DIFFERENCE_LOWER}={value}"
        raise argparse.ArgumentTypeError(f"{text!r} should read {bound}: the lower limit of judge minus people")
    try:
        testing.check_least(what, least)
    except AgreementError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return Threshold(name, on or testing.ESTIMATE, least)


def _failures(result: pd.DataFrame, options: argparse.Namespace) -> list[str]:
    """One line per row that does not reach its threshold, or rests on too few items."""
    least = options.min_items
    found = [testing.misses(result, each.name, each.on, each.least, least) for each in options.fail_under]
    return [miss.text({"at_least": "--fail-under", "min_items": "--min-items"}) for misses in found for miss in misses]


def _say(line: str) -> None:
    """One line on stderr, if it is open."""
    if sys.stderr is not None:  # print would take stdout instead
        with suppress(OSError):
            print(in_one_line(f"{PROGRAM}: {line}"), file=sys.stderr, flush=True)


def _write(text: str) -> None:
    """Print; characters that the terminal does not have are escaped, and a closed pipe (head) is no error."""
    if sys.stdout is None:
        raise OSError(errno.EBADF, "it is closed")
    encoding = sys.stdout.encoding or "utf-8"
    text = visible(text) if sys.stdout.isatty() else text  # data for programs can have any character
    try:
        sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
        sys.stdout.flush()
    except OSError as error:
        # Python flushes stdout again at exit, which would be an error
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            raise
