"""The start of the command line: importing pandas takes a second, in which the keyboard may interrupt.

`python -m pandas_agreement` imports the package before any code of the command line runs, so the package imports this
module first. In other programs nothing is changed.
"""

from __future__ import annotations

import os
import signal
import sys

INTERRUPTED = 130  # the exit status of a program stopped by the keyboard
SCRIPT = "pandas-agreement"


def _is_command_line() -> bool:
    """Whether this process was started as `python -m pandas_agreement` or by the script."""
    called = getattr(sys, "argv", [])[:1]  # an embedded interpreter may have none
    if called == ["-m"]:  # until Python has found the module
        return any(word.removeprefix("-m") == __package__ for word in sys.orig_argv)
    return bool(called) and os.path.basename(called[0]).partition(".")[0] == SCRIPT


def started() -> None:
    """Interrupt as Python does, from now on."""
    if signal.getsignal(signal.SIGINT) is _quit:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _quit(*_: object) -> None:
    os._exit(INTERRUPTED)


if _is_command_line() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, _quit)  # until `started`
