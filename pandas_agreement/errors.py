"""Exceptions and warnings, and the helpers that raise them.

Every error that a user can cause is an `AgreementError` of the matching built-in kind, so both `except ValueError`
and `except AgreementError` work. Its fields are `problem` (what is wrong, and where), `remedy` (what to do), `option`
or `column` (which one is wrong) and `code` (the kind of mistake, for programs, which never read text). `choose` checks
a word against a table and `ColumnError.missing` reports an unknown name, so that the same mistake has the same message
everywhere.
"""

from __future__ import annotations

import difflib
import functools
import inspect
import os
import sys
import warnings
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from pandas_agreement.characters import visible

__all__ = ["AgreementError", "AgreementWarning", "ColumnError", "InputError", "LabelTypeError", "UnknownMethodError"]

T = TypeVar("T")
MAX_BYTES = 6e9  # of a table that is made
MAX_CHARACTERS = 200  # of a value in a message
MAX_LISTED = 100  # entries of a list that are made readable


def __dir__() -> list[str]:
    return __all__


def plain(value: Any) -> Any:
    """A number of numpy as one of Python, also in a tuple, so that messages show 3 and not np.int64(3).

    >>> plain((np.int64(3), "a"))
    (3, 'a')
    """
    if type(value) is tuple:
        return tuple(map(plain, value))
    return value.item() if isinstance(value, np.generic) and value.dtype.kind in "biufcUS" else value


def shown(value: Any) -> str:
    """A value or a name as messages show it, at most so long that the rest of the message can be read."""
    text = repr([*map(plain, value[:MAX_LISTED])] if type(value) is list else plain(value))
    return text if len(text) <= MAX_CHARACTERS else f"{text[: MAX_CHARACTERS - 3]}..."


def called(value: Any) -> str:
    """The type of a value as messages name it.

    >>> called([1]), called(1), called(np.ones(3))
    ('a list', 'an int', 'a numpy ndarray')
    """
    kind = type(value)
    name = f"{kind.__module__.partition('.')[0]} {kind.__name__}".removeprefix("builtins ")
    return "None" if value is None else f"{'an' if name.startswith('i') else 'a'} {name}"


METHODS = ("ccc", "icc", "pooled", "retest")  # names without a capital at the start of a message


def sentence(text: str) -> str:
    """A text with a capital and a full stop; a name of code stays as it is written.

    >>> sentence("coder 'ann' has no label"), sentence("metrics= is empty"), sentence("did you mean 'kappa'?")
    ("Coder 'ann' has no label.", 'metrics= is empty.', "Did you mean 'kappa'?")
    """
    first = text.split(" ", 1)[0].rstrip(",;:")
    capital = text[0].upper() + text[1:] if first.isalpha() and first.islower() and first not in METHODS else text
    return capital if capital.endswith((".", "?", "!")) else f"{capital}."


class Explained(Exception):  # noqa: N818 (warnings have these fields too)
    """Base of errors and warnings: a message made of fields.

    Parameters
    ----------
    problem : str
        What is wrong, and where.
    remedy : str
        What to do about it; may be empty.
    option : str, optional
        The option that is wrong.
    column : hashable, optional
        The column that is wrong, by its name in the frame.
    code : str
        A short name of the kind of mistake, such as 'unknown option'; it stays the same if the wording changes.
    facts
        Other values that a program may need.
    """

    def __init__(
        self,
        problem: str,
        remedy: str = "",
        *,
        option: str | None = None,
        column: Hashable = None,
        code: str = "",
        **facts: Any,
    ) -> None:
        super().__init__(problem, remedy)
        self.problem, self.remedy, self.option, self.column = problem, remedy, option, column
        self.code = code or ("invalid value" if option else "")
        self.facts = facts

    def __str__(self) -> str:
        text = " ".join(sentence(part) for part in (self.problem, self.remedy) if part)
        return visible(text[:-1] if text.endswith("=.") else text)  # an option to type ends the message as it is


class AgreementError(Explained):
    """Base of every error that this package raises: `problem`, `remedy`, `option`, `column`, `code`, `facts`."""


class InputError(AgreementError, ValueError):
    """A value, an option or data that do not fit the call."""


class LabelTypeError(AgreementError, TypeError):
    """Labels of a type that cannot be compared as they are."""


class ColumnError(AgreementError, KeyError):
    """A name that is missing from the frame."""

    @classmethod
    def missing(cls, name: Hashable, available: Iterable[Hashable], what: str = "column") -> ColumnError:
        """The error for an unknown name, with the nearest known name as remedy."""
        return cls(f"no {what} {shown(name)}", nearest(name, available), column=name, code="unknown column")


class UnknownMethodError(AgreementError, AttributeError):
    """A method or coefficient that does not exist."""


class AgreementWarning(Explained, UserWarning):
    """A warning about the result or the data, with the fields of the errors."""


def nearest(name: Hashable, allowed: Iterable[Hashable], hint: bool = True, likeness: float = 0.6) -> str:
    """'did you mean ...?' for a similar name, else the list of names; empty if there are none."""
    allowed = list(map(plain, allowed))
    names = [str(value) for value in allowed]
    match = difflib.get_close_matches(str(name), names, n=1, cutoff=likeness)
    same_text = next((value for value in allowed if str(value) == str(name)), None)
    if same_text is not None:
        return f"there is {same_text!r}, of another type ({type(same_text).__name__}, not {type(name).__name__})"
    if match:
        return f"did you mean {match[0]!r}?"
    if not hint or not names:
        return ""
    shown = ", ".join(map(repr, names[:12])) + (", ..." if len(names) > 12 else "")
    return f"there are: {shown}"


def wrong_value(
    option: str, value: Any, why: str, remedy: str = "", kind: type[AgreementError] = InputError, **fields: Any
) -> AgreementError:
    """The error for a value that an option cannot have, or not with these data.

    >>> print(wrong_value("n", 0, "must be a whole number above 0"))
    n=0 must be a whole number above 0.
    """
    after = why if why.startswith(":") else f" {why}"
    return kind(f"{option}={shown(value)}{after}", remedy, option=option, value=value, after=after, **fields)


def choose(argument: str, value: Any, table: Mapping[str, T]) -> T:
    """Look a word up in the table of an option, or raise with the allowed words.

    >>> choose("missing", "pairable", {"pairable": 1, "all": 2})
    1
    """
    if isinstance(value, str) and value in table:
        return table[value]
    suggestion = nearest(value, table, hint=False)
    remedy = f"use one of {', '.join(map(repr, table))}" + (f"; {suggestion}" if suggestion else "")
    raise wrong_value(argument, value, "is not known", remedy, code="unknown value")


def counted(n: int, one: str, several: str) -> str:
    """A number and the words that go with it.

    >>> counted(1, "row has", "rows have"), counted(2, "row has", "rows have")
    ('1 row has', '2 rows have')
    """
    return f"{n} {one if n == 1 else several}"


def needs_weights(coefficient: str) -> InputError:
    """The error for a weighted coefficient without weights."""
    return InputError(
        f"{coefficient} needs weights=, for instance weights='linear' or weights='quadratic'",
        option="weights",
        code="needs weights",
        coefficient=coefficient,
    )


def needs_coders(what: str, instead: str = "use pi, alpha, ac1, s or icc_1") -> InputError:
    """The error for counts and anonymous ratings where the coder of each label is needed."""
    problem = f"{what} needs the coder of each label, which these data do not contain"
    remedy = f"{instead}, or give the data as df.agree.long(item=..., coder=..., label=...)"
    return InputError(problem, remedy, code="needs coders")


_HOME = f"{Path(__file__).parent}{os.sep}"
ALSO = ". Also: "  # between the remarks of one warning


class Remark(NamedTuple):
    """What is odd about the data, but possible."""

    problem: str
    remedy: str
    code: str
    column: Hashable = None
    option: str | None = None


def warn(problem: str, remedy: str = "", **fields: Any) -> None:
    """Warn of something; `fields` are those of the errors."""
    say(AgreementWarning(problem, remedy, **fields))


def warn_once(remarks: Sequence[Remark]) -> None:
    """One warning for all remarks of a reading."""
    if remarks:
        say(_joined(remarks))


def _joined(remarks: Sequence[Remark]) -> AgreementWarning:
    first, *others = remarks
    remedy = ALSO.join(filter(None, [first.remedy, *map(_said, others)]))
    problem, column, option, code = first.problem, first.column, first.option, first.code
    return AgreementWarning(problem, remedy, option=option, column=column, code=code, remarks=tuple(remarks))


def _said(remark: Remark) -> str:
    """Problem and remedy of a further remark, which begin and end within a sentence."""
    return f"{remark.problem}. {sentence(remark.remedy)}".removesuffix(".") if remark.remedy else remark.problem


#: what the call under way has said, if somebody listens
_HEARD: ContextVar[list[AgreementWarning] | None] = ContextVar("collect_warnings", default=None)


@contextmanager
def collect_warnings() -> Iterator[list[AgreementWarning]]:
    """Collect the warnings of this package in place of giving them."""
    said: list[AgreementWarning] = []
    token = _HEARD.set(said)
    try:
        yield said
    finally:
        _HEARD.reset(token)


def say(warning: AgreementWarning) -> None:
    """Tell those who listen; else warn at the line of the user's code that called this package."""
    said = _HEARD.get()
    if said is not None:
        said.append(warning)
        return
    frame, depth = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_HOME):
        frame, depth = frame.f_back, depth + 1
    warnings.warn(warning, stacklevel=depth)


def together(said: Sequence[AgreementWarning]) -> AgreementWarning:
    """One warning for several, which says everything once."""
    return said[0] if len(said) == 1 else _joined(remarks_of(said))


def remarks_of(said: Iterable[AgreementWarning]) -> list[Remark]:
    """What warnings are made of, each once."""
    whole = ((one, Remark(one.problem, one.remedy, one.code, one.column, one.option)) for one in said)
    return list(dict.fromkeys(part for one, remark in whole for part in one.facts.get("remarks", (remark,))))


def check_memory(what: str, n_bytes: float, remedy: str, most: float | None = None) -> None:
    """Raise if `what` needs more bytes than `most`, by default `MAX_BYTES`."""
    if n_bytes > (MAX_BYTES if most is None else most):
        raise InputError(f"{what} would need about {n_bytes / 1e9:,.0f} GB", remedy, code="too large")


def check_pandas(value: Any) -> None:
    """Raise for a frame or a column of another package."""
    if hasattr(type(value), "to_pandas"):  # an instance may look the name up elsewhere
        problem = f"expected a frame or a column of pandas, not {called(value)}"
        raise InputError(problem, "convert it with .to_pandas()", code="not pandas")


def in_one_word(given: dict[str, Any], method: str) -> dict[str, Any]:
    """The keywords with `metrics` for `metric`."""
    if "metric" not in given:
        return given
    if "metrics" in given:
        problem = f"{method} got metric= and metrics=, which are the same option"
        raise InputError(problem, "write metrics= alone", option="metric", code="same option")
    return {"metrics" if name == "metric" else name: value for name, value in given.items()}


Public = TypeVar("Public", bound=Callable[..., Any])


def public(function: Public) -> Public:
    """A call of the user: keywords are known, and at most one warning says everything, but nothing about arithmetic."""
    code = function.__code__
    names = [name for name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount] if name != "self"]
    takes_others = bool(code.co_flags & inspect.CO_VARKEYWORDS)

    @functools.wraps(function)
    def call(*args: Any, **given: Any) -> Any:
        said: list[AgreementWarning] = []
        given = in_one_word(given, function.__name__) if "metrics" in names else given
        for name in () if takes_others else given.keys() - {*names}:
            problem = f"{function.__name__} has no option {name!r}"
            raise InputError(problem, nearest(name, names), option=name, code="unknown option")
        for value in (*args, *given.values()):
            check_pandas(value)
        try:
            with np.errstate(all="ignore"), collect_warnings() as said:
                return function(*args, **given)
        finally:  # also beside an error, which a warning may explain
            if said:
                say(together(said))

    return call  # type: ignore[return-value]
