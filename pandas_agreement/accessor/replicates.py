"""Columns with repeated judgments of the same items by the same coders."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import pandas as pd

from pandas_agreement.accessor.base import Base
from pandas_agreement.data.reading import scores_of
from pandas_agreement.errors import InputError, plain, shown
from pandas_agreement.options import Options


def columns_of_coders(what: str, judgments: Sequence[Any], least: int = 2) -> dict[Hashable, list[Hashable]]:
    """The columns of each coder, of a method that takes them as a dict."""
    remedy = f"write df.agree.{what}({{'ann': ['ann_1', 'ann_2'], 'bob': ['bob_1', 'bob_2']}})"
    if len(judgments) != 1 or not isinstance(judgments[0], Mapping) or not judgments[0]:
        problem = f"{what} on wide data takes a dict of coders and their columns"
        raise InputError(problem, remedy, code="no judgments")
    found: dict[Hashable, list[Hashable]] = {}
    for coder, columns in judgments[0].items():
        names = list(map(plain, columns)) if isinstance(columns, (list, pd.Index)) else []
        if len(set(names)) < least:
            needed = "a list of its columns" if least == 1 else "two columns or more"
            problem = f"{what} needs {needed} of each coder, and {shown(coder)} has {shown(columns)}"
            raise InputError(problem, remedy, code="no judgments")
        found[plain(coder)] = names
    _check_once(what, [name for names in found.values() for name in names])
    return found


def _check_once(what: str, names: Sequence[Hashable]) -> None:
    """Raise for a column that is named twice: it always agrees with itself, and has one coder."""
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        problem = f"{what} names the column {shown(twice)} twice"
        raise InputError(problem, "name each column once, for one coder", column=twice, code="repeated name")


def with_replicates(view: Any, coders: Sequence[Any], options: Options) -> tuple[list[Base], Sequence[Hashable]]:
    """Data, and the names of the coders; for a dict of columns means, numbers of replicates and squared deviations."""
    if not any(isinstance(each, Mapping) for each in coders):
        return [view], coders
    if view._format != "wide data":
        problem = "bland_altman takes a dict of columns for wide data"
        raise InputError(problem, "give the coders' names", code="too many names")
    columns = columns_of_coders("bland_altman", coders, least=1)
    every = [name for names in columns.values() for name in names]
    scores_of(view._read(every, options, scores=True), "bland_altman")  # raises for what is no number
    values = {coder: view._frame[names].apply(pd.to_numeric).astype("float64") for coder, names in columns.items()}
    rest = view._frame.drop(columns=every)
    means = {coder: part.mean(axis=1) for coder, part in values.items()}
    number = {coder: part.count(axis=1).where(lambda n: n > 0) for coder, part in values.items()}
    spread = {coder: number[coder] * part.var(axis=1, ddof=0) for coder, part in values.items()}
    return [view._on(pd.concat([rest, pd.DataFrame(each)], axis=1)) for each in (means, number, spread)], list(columns)
