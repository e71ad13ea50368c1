"""The command line: `python -m pandas_agreement [FILE]`.

Exit statuses: 0 for success, 1 when a coefficient is below `--fail-under`, 2 when the input or an option is wrong, and
for unexpected errors. An error is one line on stderr; a traceback is shown only if the environment variable
PANDAS_AGREEMENT_TRACEBACK is set.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

import pandas as pd

from pandas_agreement import testing
from pandas_agreement.cli.arguments import OutputError, check, parser, say, source_name, write
from pandas_agreement.cli.output import JudgedOutput, Output, SpanOutput
from pandas_agreement.cli.remedies import as_typed
from pandas_agreement.cli.source import open_source
from pandas_agreement.errors import AgreementError, AgreementWarning, collect_warnings
from pandas_agreement.report.build import collected_warnings

INTERRUPTED = 130  # the exit status of a program stopped by the keyboard
TRACEBACK = "PANDAS_AGREEMENT_TRACEBACK"  # environment variable for developers
MAX_MESSAGE_CHARACTERS = 300  # of an unexpected error


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
        say("interrupted")
        return INTERRUPTED


def _parsed(argv: Sequence[str] | None) -> int:
    """Run with the arguments; an unexpected error is one line too."""
    try:
        options = parser().parse_args(argv)
        options.typed = sys.argv[1:] if argv is None else argv
    except SystemExit as stop:  # --help, --version or a wrong option: argparse has printed it
        return stop.code if isinstance(stop.code, int) else 0
    try:
        return _run(options)
    except Exception as error:  # a traceback would give status 1, which is that of --fail-under
        if os.environ.get(TRACEBACK, "0") not in ("", "0"):
            raise
        say(f"{source_name(options)}: {_unexpected(error)}")
        return 2


def _run(options: argparse.Namespace) -> int:
    """Read, compute and print; an error in the input is one line."""
    name = source_name(options)
    try:
        check(options)
        output = _output(options)
        with collect_warnings():  # undefined results and their reasons are in the text
            text = output.text()
        failures = _failures(output.result, options)
        write(text)
    except AgreementError as error:
        say(as_typed(error) if "of_read" in error.facts else f"{name}: {as_typed(error)}")
        return 2
    except OutputError as error:
        say(f"standard output: cannot be written ({error})")
        return 2
    for failure in failures:
        say(f"{name}: {failure}")
    return 1 if failures else 0


def _output(options: argparse.Namespace) -> Output | JudgedOutput | SpanOutput:
    """Read the file and compute; judges are compared with people, or all coders with each other."""
    notes: list[AgreementWarning] = []
    try:
        with collected_warnings() as notes:
            source = open_source(options)
            kind = SpanOutput if options.start else JudgedOutput if options.judge else Output
            return kind(source, options)
    finally:
        for note in dict.fromkeys(map(as_typed, notes)):
            say(f"note: {note}")


def _unexpected(error: Exception) -> str:
    message = " ".join(f"{type(error).__name__}: {error}".split())[:MAX_MESSAGE_CHARACTERS].rstrip(" .:")
    return f"unexpected {message}; to see where, set {TRACEBACK}=1"


def _failures(result: pd.DataFrame, options: argparse.Namespace) -> list[str]:
    """One line per row that does not reach its threshold, or rests on too few items."""
    least = options.min_items
    found = [testing.misses(result, each.name, each.on, each.least, least) for each in options.fail_under]
    return [miss.text({"at_least": "--fail-under", "min_items": "--min-items"}) for misses in found for miss in misses]
