"""Numbers, percents, lists and labels as text, for the report, the command line and the pictures."""

from __future__ import annotations

import functools
import math
import re
from collections import namedtuple
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import Any

import pandas as pd

from pandas_agreement.coefficients.registry import Coefficient

UNDEFINED = "undefined"
DASH = "\N{EN DASH}"  # for a missing value
MINUS = "\N{MINUS SIGN}"
MAX_CELL_CHARACTERS = 120  # of a table
MONTHS = (  # not those of the locale: the report is in English
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


def number(value: float, digits: int = 3, undefined: str = UNDEFINED) -> str:
    """A number with `digits` decimals; never -0.000.

    >>> number(0.50049), number(-0.0001), number(float("nan"))
    ('0.500', '0.000', 'undefined')
    """
    if pd.isna(value):
        return undefined
    text = f"{value:.{digits}f}"
    return text.lstrip("-") if float(text) == 0 else text


def measured(value: float) -> str:
    """A number in the unit of the scores, with three significant digits, or all those before the point.

    >>> measured(1234.56), measured(0.012345), measured(-3.14159), measured(0.0)
    ('1235', '0.0123', '-3.14', '0')
    """
    if pd.isna(value):
        return UNDEFINED
    if value == 0 or not math.isfinite(value):
        return f"{value:g}".lstrip("-")
    if not 1e-6 < abs(value) < 1e9:
        return f"{value:.3g}"
    return f"{value:.{max(0, 2 - math.floor(math.log10(abs(value))))}f}"


def p_value(value: float) -> str:
    """A p-value.

    >>> p_value(0.00002), p_value(0.0312), p_value(1.0)
    ('< 0.001', '0.031', '1.000')
    """
    if pd.isna(value):
        return UNDEFINED
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def p_words(value: float) -> str:
    """A p-value in a sentence.

    >>> p_words(0.00002), p_words(0.0312)
    ('p < 0.001', 'p = 0.031')
    """
    return f"p {p_value(value)}" if value < 0.001 else f"p = {p_value(value)}"


def percent(part: float) -> str:
    """A share as a percentage; 0% and 100% are exact.

    >>> percent(0.5), percent(0.001), percent(0.0), percent(0.999)
    ('50%', '< 1%', '0%', '> 99%')
    """
    if pd.isna(part):
        return UNDEFINED
    rounded = f"{part:.0%}"
    if rounded == "0%" and part > 0:
        return "< 1%"
    return "> 99%" if rounded == "100%" and part < 1 else rounded


def interval(row: Any, digits: int = 3, joint: str = " to ", of: str = "ci") -> str:
    """An interval of a row of a result; a dash if there is none or its width is 0."""
    low, high = getattr(row, f"{of}_low"), getattr(row, f"{of}_high")
    return f"{number(low, digits)}{joint}{number(high, digits)}" if low < high else DASH


def confidence(level: float) -> str:
    """The level of an interval.

    >>> confidence(0.95), confidence(0.995)
    ('95%', '99.5%')
    """
    return f"{100 * level:.6g}%"


def count(number: float, what: str) -> str:
    """A number with its noun in singular or plural.

    >>> count(1, "item"), count(1234, "category")
    ('1 item', '1,234 categories')
    """
    whole = round(number)
    plural = f"{what[:-1]}ies" if what.endswith("y") else f"{what}s"
    return f"{whole:,} {what if whole == 1 else plural}"


def label_text(value: Any) -> str:
    """A label as text: 1 for 1.0, {a, b} for a set, a date without the time 00:00.

    Empty text, and text with blanks around it, is in quotation marks.

    >>> label_text(1.0), label_text(frozenset({"b", "a"})), label_text("a"), label_text("a "), label_text("")
    ('1', '{a, b}', 'a', "'a '", "''")
    """
    if isinstance(value, str):
        return value if value and value == value.strip() else repr(value)
    if isinstance(value, pd.Timestamp) and value == value.normalize():
        return str(value.date())
    if isinstance(value, frozenset):
        return f"{{{', '.join(sorted(map(str, value)))}}}"
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def short(text: str, longest: int = MAX_CELL_CHARACTERS) -> str:
    """Text in one line, cut to `longest` characters.

    >>> short("one  two\\nthree", 8)
    'one two…'
    """
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"


def is_missing(value: Any) -> bool:
    """Whether a cell of the user's frame is missing; empty text is not."""
    return bool(pd.api.types.is_scalar(value) and pd.isna(value))


def cell(value: Any) -> str:
    """A value of the user's frame in a table: empty if missing, fractions with three significant digits."""
    if isinstance(value, (str, frozenset)):
        return short(label_text(value))
    if is_missing(value):
        return ""
    if isinstance(value, float) and not value.is_integer():
        return measured(value)
    return short(label_text(value))


def fact(value: Any) -> str:
    """A value of the user's other columns in a table; blanks around it are left out."""
    value = value.strip() if isinstance(value, str) else value
    return "" if isinstance(value, str) and not value else cell(value)


def listed(names: Iterable[Any], most: int = 8, longest: int = 40) -> str:
    """The first names, separated by commas, and how many more there are.

    >>> listed(["ann", "bob", "cleo"], 2)
    'ann, bob and 1 more'
    """
    texts = [short(label_text(name), longest) for name in names]
    left = len(texts) - most
    return ", ".join(texts[:most]) + (f" and {left:,} more" if left > 0 else "")


def more(total: int, shown: int, what: str) -> str:
    """The line below a table that was cut; empty if all rows are shown."""
    return f"… and {count(total - shown, f'more {what}')}" if total > shown else ""


def coefficient_name(record: Coefficient, n_coders: float | None = None, weights: str = "") -> str:
    """The name of a coefficient for readers, which may depend on the number of coders, and its weights if it has some.

    >>> from pandas_agreement.coefficients.registry import find
    >>> coefficient_name(find("kappa"), 2), coefficient_name(find("alpha"), 3, "ordinal")
    ("Cohen's kappa", "Krippendorff's alpha (ordinal level)")
    """
    name = record.title.partition(":")[0].removesuffix(" of two coders")
    if record.display and n_coders and n_coders > 1:
        name = record.display[n_coders > 2]
    return f"{name} ({credit(record, weights)})" if credit(record, weights) else name


def credit(record: Coefficient, weights: str) -> str:
    """The weights or the level of a coefficient, in words."""
    name = weights_name(weights)
    if not name or (name == "nominal" and not record.accepts("level")):
        return ""
    if name.startswith("within("):  # a tolerance
        return name
    return f"{name} level" if record.accepts("level") else f"{name} weights"


def short_name(record: Coefficient) -> str:
    """The name of a coefficient without its author, for the head of a column: 'alpha', 'AC1', 'observed agreement'."""
    return within(coefficient_name(record).rpartition("'s ")[2])


def weights_name(weights: str) -> str:
    """Weights or a level in text for readers; whether they use positions is in the result.

    >>> weights_name('positions("ordinal")'), weights_name("within(1)")
    ('ordinal', 'within(1)')
    """
    return weights.removeprefix('positions("').removesuffix('")')


def within(name: str) -> str:
    """The name of a coefficient inside a sentence: a common noun loses its capital.

    >>> within("Kappa"), within("ICC(A,1)"), within("Bennett's S"), within("Observed agreement")
    ('kappa', 'ICC(A,1)', "Bennett's S", 'observed agreement')
    """
    return name[0].lower() + name[1:] if re.fullmatch(r"[A-Z][a-z]+( [a-z]+)*", name) else name


def each(result: pd.DataFrame) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """The key of each row, as a tuple, and the row: as `itertuples`, which makes a class for each call."""
    several = result.index.nlevels > 1
    columns = [column.to_numpy(object).tolist() for _, column in result.items()]
    row_of = _row_class(tuple(map(str, result.columns)))._make
    for key, *cells in zip(result.index, *columns, strict=True):
        yield (key if several else (key,)), row_of(cells)


@functools.cache
def _row_class(columns: tuple[str, ...]) -> Any:
    return namedtuple("Row", columns, rename=True)


def joined(names: Sequence[str]) -> str:
    """Names with commas and a final "and".

    >>> joined(["a", "b", "c"])
    'a, b and c'
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def dash(value: float, digits: int = 3) -> str:
    """A number, or a dash."""
    return number(value, digits, DASH)


def signed(value: float, digits: int = 3) -> str:
    """A difference, with its sign, or a dash.

    >>> signed(0.0821), signed(-0.5), signed(0.0)
    ('+0.082', '-0.500', '0.000')
    """
    text = dash(value, digits)
    return f"+{text}" if value > 0 and float(text) != 0 else text


def day(when: date) -> str:
    """A date that cannot be misread.

    >>> day(date(2026, 3, 9))
    '9 March 2026'
    """
    return f"{when.day} {MONTHS[when.month - 1]} {when.year}"


def typeset(text: str) -> str:
    """A number for a picture, with a typographic minus sign."""
    return text.replace("-", MINUS)


def sentence(text: str) -> str:
    """Text with a capital at its beginning and a full stop at its end.

    >>> sentence("is it so?"), sentence("it is")
    ('Is it so?', 'It is.')
    """
    return text[:1].upper() + text[1:] + ("" if text.endswith(("?", "!", ".")) else ".")
