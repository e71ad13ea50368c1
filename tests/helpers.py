"""What tests of several folders do."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

import pandas_agreement
from pandas_agreement.accessor.coefficients import method_of
from pandas_agreement.accessor.tests import AgreementTests
from pandas_agreement.coefficients.registry import REGISTRY
from pandas_agreement.errors import sentence


def documented(name: str) -> Any:
    """A method of `df.agree` as its class has it, with its signature; also a hidden one and one of a namespace."""
    space, _, own = name.rpartition(".")
    if not space:
        return method_of(REGISTRY[name]) if name in REGISTRY else getattr(pandas_agreement.AgreementAccessor, name)
    return getattr(AgreementTests, own)


def reach(agree: Any, name: str) -> Any:
    """A method of `df.agree` by its name, such as 'kappa' or 'test.chance'."""
    return attrgetter(name)(agree)


def defaults(name: str) -> dict[str, Any]:
    """What a coefficient cannot do without."""
    return {"weights": "linear"} if REGISTRY[name].needs_weights else {}


def call(agree: Any, name: str, *coders: str, **options: Any) -> pd.DataFrame:
    """A coefficient by its name, with what it cannot do without."""
    return getattr(agree, name)(*coders, **(defaults(name) | options))


def row_of(agree: Any, name: str, *coders: str, **options: Any) -> pd.Series:
    """The first row of that."""
    return call(agree, name, *coders, **options).iloc[0]


def part_of(found: pd.DataFrame, **keys: Any) -> pd.DataFrame:
    """The rows with these keys, as the call without them returns them: a lone one is indexed by its coefficient."""
    rows = found[np.logical_and.reduce([found.index.get_level_values(level) == key for level, key in keys.items()])]
    if set(found.index.names) - set(keys):
        return rows.droplevel([*keys])
    if "coefficient" in rows:
        return rows.set_index("coefficient")
    return rows.set_axis(pd.Index([rows.attrs["agree"]["coefficient"]] * len(rows), name="coefficient"), axis=0)


def loop_over(parts: Mapping[Any, pd.DataFrame], *names: str) -> pd.DataFrame:
    """The results of groups alone, below each other as `by=` has them: one coefficient is no level."""
    joined = pd.concat(parts, names=[*names])
    alone = all(part.index.names == ["coefficient"] and len(part) == 1 for part in parts.values())
    return joined.droplevel("coefficient") if alone else joined


def same(found: pd.DataFrame, expected: pd.DataFrame, rtol: float = 1e-12, **options: Any) -> None:
    """The same frame, but for rounding."""
    if options or not _surely_same(found, expected, rtol):
        assert_frame_equal(found, expected, rtol=rtol, atol=ATOL, **options)


ATOL = 1e-12


def _surely_same(found: pd.DataFrame, expected: pd.DataFrame, rtol: float) -> bool:
    """Whether frames of numbers and text are the same, in a tenth of the time that `assert_frame_equal` takes.

    False means that it is not known: then `assert_frame_equal` decides, and says what differs.
    """
    alike = type(found) is type(expected) and found.flags == expected.flags
    if not (alike and found.dtypes.tolist() == expected.dtypes.tolist()):
        return False
    if not (_same_index(found.index, expected.index) and _same_index(found.columns, expected.columns)):
        return False
    columns = zip(found.items(), expected.items(), strict=True)
    return all(_same_cells(one, other, rtol) for (_, one), (_, other) in columns)


def _same_index(found: pd.Index, expected: pd.Index) -> bool:
    one, other = (
        [level.dtype for level in index.levels] if isinstance(index, pd.MultiIndex) else [index.dtype]
        for index in (found, expected)
    )
    return found.identical(expected) and one == other and "category" not in one


def _same_cells(found: pd.Series, expected: pd.Series, rtol: float) -> bool:
    if found.dtype == "float64":
        x, y = found.to_numpy(), expected.to_numpy()
        with np.errstate(invalid="ignore"):  # inf - inf
            gap = np.abs(x - y)
        close = np.isfinite(gap) & (gap <= np.maximum(ATOL, rtol * np.maximum(np.abs(x), np.abs(y))))
        return bool((close | (x == y) | (np.isnan(x) & np.isnan(y))).all())
    cells = found.tolist()
    return {type(cell) for cell in cells} <= {str, int, bool} and cells == expected.tolist()


def every(cases: Mapping[str, Sequence[Any]], check: Callable[..., None]) -> None:
    """Check all cases by name, and say of each that fails what is wrong: cheaper than a test for each of hundreds."""
    wrong = []
    for name, case in cases.items():
        try:
            check(*case)
        except Exception as error:
            wrong.append(f"{name}: {type(error).__name__}: {error}")
    none_of(wrong)


def none_of(wrong: Sequence[Any]) -> None:
    """There is nothing in the list; all of it is shown, where pytest would cut it."""
    assert not wrong, "\n".join(["", *map(str, wrong)])


def refuses(error: type[Exception], message: str) -> Any:
    """The call raises this error, with just this message."""
    return pytest.raises(error, match=f"^{re.escape(message)}$")


def all_refused(error: type[Exception], calls: Mapping[str, Callable[[], Any]]) -> None:
    """Each of the calls raises this error, with its whole message."""

    def check(message: str, call: Callable[[], Any]) -> None:
        with refuses(error, message):
            call()

    every({message: (message, call) for message, call in calls.items()}, check)


def printed(code: str, **environment: str) -> str:
    """What the code prints in a fresh interpreter that finds this package."""
    home = {"PYTHONPATH": str(Path(pandas_agreement.__file__).parents[1])}
    command = [sys.executable, "-W", "ignore", "-c", code]
    return subprocess.run(
        command, env=os.environ | home | environment, capture_output=True, text=True, check=True
    ).stdout


#: name: text with characters that a terminal obeys, or nobody sees
HOSTILE = {
    "escape sequence": "\x1b[2J\x1b]0;title\x07",
    "NUL": "a\x00b",
    "one-character escape": "\x9b31mred",
    "direction": "\u202eevil\u202c \u2066x\u2069 \u200f",
    "zero width": "no\u200bwidth\ufeff\u200d\u2060",
    "return": "good\rbad",
    "ends of lines": "a\u2028b\x85c",
    "tags": "x\U000e0041",
}
#: all of them in one text, for whatever shows text at some cost; the second begins as the first ends
HOSTILE_TOGETHER = {"in order": " ".join(HOSTILE.values()), "in reverse": " ".join([*HOSTILE.values()][::-1])}


def as_subject(name: str) -> str:
    """The name of a method at the start of a message: with a capital, unless it is code or no word."""
    return sentence(f"{name} is").removesuffix(" is.")
