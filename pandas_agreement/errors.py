"""What can go wrong, and the words for it.

Every error that a user can cause is an `AgreementError` of the matching built-in kind, so both `except ValueError`
and `except AgreementError` work. A message says what was wrong, where, and what to do. Wrong options all go through
`choose`, wrong column names through `ColumnError.missing`, so that the same mistake reads the same everywhere.
"""

from __future__ import annotations

import difflib
import sys
import warnings
from collections.abc import Hashable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")


class AgreementError(Exception):
    """Base of every error this package raises on purpose."""


class InputError(AgreementError, ValueError):
    """A value, an option or the data do not fit the call."""


class LabelTypeError(AgreementError, TypeError):
    """Labels of a type that cannot be compared as they are."""


class ColumnError(AgreementError, KeyError):
    """A name that the frame does not have."""

    def __str__(self) -> str:
        return str(self.args[0])  # KeyError would print the repr

    @classmethod
    def missing(cls, name: Hashable, available: Iterable[Hashable], what: str = "column") -> ColumnError:
        """The error for a name that is not there, with the nearest name that is."""
        return cls(f"no {what} {name!r}{nearest(name, available)}")


class UnknownMethodError(AgreementError, AttributeError):
    """A method or coefficient that does not exist."""


class AgreementWarning(UserWarning):
    """Something about the result or the data that should not go unnoticed."""


def nearest(name: Hashable, allowed: Iterable[Hashable], hint: bool = True) -> str:
    """'; did you mean ...?' for a near match, else the names there are."""
    allowed = list(allowed)
    names = [str(value) for value in allowed]
    match = difflib.get_close_matches(str(name), names, n=1, cutoff=0.6)
    twin = next((value for value in allowed if str(value) == str(name)), None)
    if twin is not None:
        return f"; there is {twin!r}, of another type ({type(twin).__name__}, not {type(name).__name__})"
    if match:
        return f"; did you mean {match[0]!r}?"
    if not hint or not names:
        return ""
    shown = ", ".join(map(repr, names[:12])) + (", ..." if len(names) > 12 else "")
    return f"; there are: {shown}"


def choose(argument: str, value: Any, table: Mapping[str, T]) -> T:
    """Look an option up in its table, or say what is allowed.

    >>> choose("missing", "pairable", {"pairable": 1, "all": 2})
    1
    """
    if isinstance(value, str) and value in table:
        return table[value]
    raise InputError(
        f"{argument}={value!r} is not known; use one of {', '.join(map(repr, table))}"
        + nearest(value, table, hint=False)
    )


_HOME = str(Path(__file__).parent)


def warn(message: str) -> None:
    """Warn at the line of the user's code that called us, however deep we are."""
    frame, depth = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_HOME):
        frame, depth = frame.f_back, depth + 1
    warnings.warn(message, AgreementWarning, stacklevel=depth)
