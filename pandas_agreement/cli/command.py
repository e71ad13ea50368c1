"""The command line: `python -m pandas_agreement [FILE]`.

Here live the options and the exit statuses: 0 when all is well, 1 when a coefficient is below `--fail-under`,
2 when the input or the options are wrong, or when something happens that nobody thought of; that costs one line on
stderr and never a traceback, unless PANDAS_AGREEMENT_TRACEBACK is set. Files are read in `files`, meet the options in
`source` and become text in `output`.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import warnings
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

import pandas as pd

from pandas_agreement.cli.output import FORMATS, Output, check_report, report_path
from pandas_agreement.cli.remedies import as_typed
from pandas_agreement.cli.source import DEFAULT_LEVEL, PROGRAM, open_source, source_name
from pandas_agreement.coefficients.registry import REGISTRY, find
from pandas_agreement.errors import AgreementError, AgreementWarning

TRACEBACK = "PANDAS_AGREEMENT_TRACEBACK"  # in the environment: show developers where it happened
LONGEST_MESSAGE = 300  # characters of a message that was not written for the reader
INTERRUPTED = 130  # what shells give for a program stopped by the keyboard

DESCRIPTION = """\
Agreement between coders: how much, between whom, on which categories, in which group.
Without FILE the example that ships with the package is shown."""

EPILOG = """\
The file is wide (one row per item, one column per coder: --coders)
or long (one row per judgment: --item --coder --label).
More than ten different numbers are scores: ICC, concordance, and alpha at the interval level.
--metrics, --weights, --categories or --level nominal say that they are categories.
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
        options = _parser().parse_args(argv)
    except SystemExit as stop:  # argparse has spoken: --help, --version or a wrong option
        return stop.code if isinstance(stop.code, int) else 0
    try:
        return _run(options)
    except KeyboardInterrupt:
        _say("interrupted")
        return INTERRUPTED
    except Exception as error:  # status 1 is for --fail-under, and Python gives it to any traceback
        if os.environ.get(TRACEBACK, "0") not in ("", "0"):
            raise
        _say(f"{source_name(options)}: {_unexpected(error)}")
        return 2


def _run(options: argparse.Namespace) -> int:
    """Read, compute, print; if something is wrong with the input, say so in one line."""
    name = source_name(options)
    try:
        check_report(options)
        with _notes_to_stderr():
            output = Output(open_source(options), options)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", AgreementWarning)  # the report says what is undefined, and why
            text = output.text()
    except AgreementError as error:
        _say(f"{name}: {as_typed(error)}")
        return 2
    failures = _failures(output.result, options.fail_under)
    _write(text)
    for failure in failures:
        _say(f"{name}: {failure}")
    return 1 if failures else 0


def _unexpected(error: Exception) -> str:
    words = " ".join(f"{type(error).__name__}: {error}".split())[:LONGEST_MESSAGE].rstrip(" .:")
    return f"unexpected {words}; to see where, set {TRACEBACK}=1"


# ----------------------------------------------------------------------------------------------- the options


class _Parser(argparse.ArgumentParser):
    """argparse, with errors of one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{PROGRAM}: {message}; see python -m {PROGRAM} --help\n")


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
    parser.add_argument(
        "file", nargs="?", metavar="FILE", help="CSV, TSV, JSON, JSON lines or Parquet; - is CSV on stdin"
    )
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    _add_data_options(parser.add_argument_group("the data"))
    _add_result_options(parser.add_argument_group("the result"))
    return parser


def _add_data_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--coders", nargs="+", metavar="NAME", help="the coders' columns (long files: which coders)")
    group.add_argument("--item", metavar="COLUMN", help="long files: what is judged")
    group.add_argument("--coder", metavar="COLUMN", help="long files: who judges")
    group.add_argument("--label", metavar="COLUMN", help="long files: the judgment")
    group.add_argument("--by", nargs="+", metavar="COLUMN", default=[], help="a result for each group")
    group.add_argument("--categories", nargs="+", metavar="LABEL", help="the categories, in their order")
    group.add_argument("--missing", metavar="RULE", help="pairable (default), all, complete or raise")
    group.add_argument("--duplicates", metavar="RULE", help="long files, a judgment given twice: raise, first or last")
    group.add_argument("--sep", metavar="CHARACTER", help="separator of the cells (default: , or for .tsv a tab)")


def _add_result_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--metrics", nargs="+", metavar="NAME", help=f"of {', '.join(REGISTRY)}")
    group.add_argument("--weights", metavar="NAME", help="agreement weights, such as linear or quadratic")
    group.add_argument("--level", metavar="NAME", help="level of measurement for alpha, such as ordinal")
    group.add_argument(
        "--ci", type=_level, default=DEFAULT_LEVEL, metavar="LEVEL", help="level of the intervals, or none"
    )
    group.add_argument("--worst", type=_whole, metavar="N", help="show the N items to adjudicate first instead")
    group.add_argument("--report", type=report_path, metavar="FILE", help="write a report instead, .html or .md")
    group.add_argument("--format", choices=FORMATS, default="table", help="default: table")
    group.add_argument(
        "--fail-under",
        type=_threshold,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="status 1 if the coefficient is below the value, or undefined, in any row; may be repeated",
    )


def _level(text: str) -> float | None:
    """The value of --ci."""
    if text.lower() == "none":
        return None
    try:
        level = float(text)
    except ValueError:
        level = math.nan
    if not 0 < level < 1:
        raise argparse.ArgumentTypeError(f"{text!r} must lie between 0 and 1, such as 0.95, or be none")
    return level


def _whole(text: str) -> int:
    """The value of --worst."""
    if not (text.isascii() and text.isdigit() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"{text!r} must be a whole number above 0, such as 10")
    return int(text)


def _threshold(text: str) -> tuple[str, float]:
    """The value of --fail-under."""
    name, _, value = text.partition("=")
    try:
        threshold = float(value)
    except ValueError:
        threshold = math.nan
    if not name or math.isnan(threshold):
        raise argparse.ArgumentTypeError(f"{text!r} should read like alpha=0.8")
    return name, threshold


# ------------------------------------------------------------------------------------------------ the result


def _failures(summary: pd.DataFrame, thresholds: Sequence[tuple[str, float]]) -> list[str]:
    """A line for each row that does not reach its threshold."""
    lines = []
    for name, threshold in thresholds:
        rows = summary.loc[summary.index.get_level_values(-1) == find(name).name, "estimate"]
        for key, estimate in rows[~(rows >= threshold)].items():
            lines.append(_failure(rows.index.names, key, estimate, threshold))
    return lines


def _failure(levels: Sequence[Hashable], key: Any, estimate: float, threshold: float) -> str:
    *group, name = key if isinstance(key, tuple) else (key,)
    where = ", ".join(f"{level} {value}" for level, value in zip(levels, group, strict=False))
    value = "undefined" if math.isnan(estimate) else f"{estimate:.4f}"
    return f"{name} is {value}{', in ' + where if where else ''}: --fail-under asks for {threshold:g}"


# --------------------------------------------------------------------------------------------- what to print


@contextmanager
def _notes_to_stderr() -> Iterator[None]:
    """Say each warning of the package once, in a line of its own; pass on the others."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", AgreementWarning)
        try:
            yield
        finally:
            ours = [as_typed(each.message) for each in caught if isinstance(each.message, AgreementWarning)]
            for message in dict.fromkeys(ours):
                _say(f"note: {message}")
    for each in caught:
        if not issubclass(each.category, AgreementWarning):
            warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)


def _say(line: str) -> None:
    print(f"{PROGRAM}: {line}", file=sys.stderr)


def _write(text: str) -> None:
    """Print; a terminal without some letters is no error, nor is a reader that has gone, such as head."""
    encoding = sys.stdout.encoding or "utf-8"
    try:
        sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
        sys.stdout.flush()
    except BrokenPipeError:
        # Python flushes stdout again at exit and would complain then
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
