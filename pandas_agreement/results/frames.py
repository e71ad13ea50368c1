"""Data frames from arrays, a schema and index levels; the columns of a coefficient."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from pandas_agreement.core.arrays import Array
from pandas_agreement.core.classes import dataclass
from pandas_agreement.errors import InputError
from pandas_agreement.results.schemas import RESULT

TEXT = "str" if int(pd.__version__.partition(".")[0]) >= 3 else object


@dataclass(frozen=True, eq=False)
class Repeated:
    """An index level whose values repeat, so that they are sorted once and not row by row: all of them occur."""

    labels: pd.Index
    place: Array  # (rows,) which of them each row has

    def repeat(self, times: int) -> Repeated:
        return Repeated(self.labels, self.place.repeat(times))

    def in_full(self) -> pd.Index:
        return self.labels.take(self.place)


Level = pd.Index | Repeated


@lru_cache(maxsize=256)
def _names(values: tuple[str, ...]) -> pd.Index:
    return pd.Index(values, name="coefficient", dtype=TEXT)


def row_index(groups: pd.Index | None, levels: Mapping[Any, Any], coefficients: Sequence[str]) -> pd.Index:
    """Index of group keys, then the levels, then the coefficient, which varies fastest.

    `groups` has one entry per value of the levels if there are any, else one per group.
    """
    repeat = len(coefficients)
    outer = _levels(groups, levels)
    if not outer:
        return _names(tuple(coefficients)).view()  # renaming it must not change the cached index
    names, place = np.unique(np.array(coefficients, object), return_inverse=True)
    n_rows = len(outer[-1].place if isinstance(outer[-1], Repeated) else outer[-1])
    last = pd.Index(np.tile(place, n_rows), name="coefficient")
    index: Any = multi([*(level.repeat(repeat) for level in outer), last])  # numbers are sorted faster than names
    return index.set_levels(_names(tuple(names)), level=-1, verify_integrity=False)


def index_of(groups: pd.Index | None, levels: Mapping[Any, Any]) -> pd.Index:
    """Index of group keys, then the levels; all of one length."""
    arrays = _levels(groups, levels)
    if len(arrays) > 1:
        return multi(arrays)
    return arrays[0].in_full() if isinstance(arrays[0], Repeated) else arrays[0]


def multi(levels: Sequence[Level]) -> pd.MultiIndex:
    """One index of several levels."""
    if not any(isinstance(level, Repeated) for level in levels):
        return _from_arrays(levels)
    parts: list[Any] = [_from_arrays([level.labels if isinstance(level, Repeated) else level]) for level in levels]
    codes: list[Any] = [
        part.codes[0].take(level.place) if isinstance(level, Repeated) else part.codes[0]
        for part, level in zip(parts, levels, strict=True)
    ]
    names = [part.names[0] for part in parts]
    return pd.MultiIndex([part.levels[0] for part in parts], codes, names=names, verify_integrity=False)


def _from_arrays(levels: Sequence[Any]) -> pd.MultiIndex:
    """`MultiIndex.from_arrays`, which cannot sort tuples among other names without a warning."""
    if not any(level.inferred_type == "mixed" and len({type(name) is tuple for name in level}) > 1 for level in levels):
        return pd.MultiIndex.from_arrays(levels)
    found: list[Any] = [pd.factorize(level) for level in levels]
    values: list[Any] = [pd.Index(values, tupleize_cols=False) for _, values in found]
    return pd.MultiIndex(values, [codes for codes, _ in found], names=[level.name for level in levels])


def pair_levels(coders: Sequence[Hashable], first: Array, second: Array) -> dict[str, list[Any]]:
    """The names of pairs of coders as index levels."""
    names = np.empty(len(coders), dtype=object)  # names may be tuples, which np.array would split
    names[:] = list(coders)
    return {"coder_1": names[first].tolist(), "coder_2": names[second].tolist()}


def check_keys(groups: pd.Index | None, names: Iterable[Any]) -> None:
    """Raise for a group key that is called like a level or a column of the result."""
    keys = set() if groups is None else set(groups.names)
    for name in [name for name in names if name in keys]:
        problem = f"a group key cannot be called {name!r}, as this result has that name"
        remedy = f"rename it, for instance with df.rename(columns={{{name!r}: '{name}_key'}})"
        raise InputError(problem, remedy, option="by", column=name, code="name taken")


def _levels(groups: pd.Index | None, levels: Mapping[Any, Any]) -> list[Level]:
    keys = [] if groups is None else [groups.get_level_values(i) for i in range(groups.nlevels)]
    check_keys(groups, levels)
    return [*keys, *(_level(name, values) for name, values in levels.items())]


def _level(name: Any, values: Any) -> Level:
    if not isinstance(values, Repeated):
        return pd.Index(values, name=name, tupleize_cols=False)
    used = values.labels if len(values.place) else values.labels[:0]
    return Repeated(used.rename(name), values.place)


def concat_fields(parts: Mapping[Hashable, pd.DataFrame]) -> pd.DataFrame:
    """The results of several label columns one below the other; the first index level is the `field`."""
    first = next(iter(parts.values()))
    for name, part in parts.items():
        if "field" in part.index.names:
            problem = "a group key cannot be called 'field', as results of several label columns have that name"
            raise InputError(problem, "rename it", option="by", column="field", code="name taken")
        if not part.columns.equals(first.columns):
            problem = f"the label columns have different categories, and {name!r} does not fit the first"
            raise InputError(problem, "declare all of them with categories=", option="label", code="several fields")
    names = pd.Index(list(parts), name="field", tupleize_cols=False).repeat([len(part) for part in parts.values()])
    joined = pd.concat([part for part in parts.values() if len(part)] or [first])
    levels = [joined.index.get_level_values(level) for level in range(joined.index.nlevels)]
    return joined.set_axis(multi([names, *levels]), axis=0)


def with_coefficients(parts: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """The results of several coefficients, the rows of each key together; the last index level is `coefficient`."""
    plain = [part.droplevel("coefficient") if _has_keys(part.index) else part for part in parts.values()]
    joined = pd.concat([part for part in plain if len(part)] or plain[:1])
    name = np.repeat(np.array(list(parts), object), [len(part) for part in plain])
    key = pd.factorize(joined.index.to_flat_index())[0]
    same = len({len(part) for part in plain}) == 1  # then rows match by position, also if keys are there twice
    order = np.argsort(np.tile(np.arange(len(plain[0])), len(plain)) if same else key, kind="stable")
    joined, coefficient = joined.iloc[order], pd.Index(name[order], name="coefficient", dtype=TEXT)
    if joined.index.names == ["coefficient"]:
        return joined.set_axis(coefficient, axis=0)
    levels = [joined.index.get_level_values(level) for level in range(joined.index.nlevels)]
    return joined.set_axis(multi([*levels, coefficient]), axis=0)


def _has_keys(index: pd.Index) -> bool:
    """Whether `coefficient` is one of several levels."""
    return index.nlevels > 1 and "coefficient" in index.names


def with_totals(
    each: pd.DataFrame, every: pd.DataFrame, groups: pd.Index | None, owner: Array, names: Mapping[str, Iterable[Any]]
) -> pd.DataFrame:
    """The parts of each group (`each`, by `owner` and `names`), followed by the row of the group, keyed '(all)'."""
    owner = np.append(owner, np.arange(len(every)))
    order = np.argsort(owner, kind="stable")
    keys = {level: pd.Index([*parts, *["(all)"] * len(every)], tupleize_cols=False) for level, parts in names.items()}
    joined = pd.concat([each.reset_index(drop=True), every.reset_index(drop=True)]).iloc[order]
    index = row_index(
        None if groups is None else groups.take(owner[order]),
        {level: values[order] for level, values in keys.items()},
        every.index.get_level_values("coefficient").unique().tolist(),
    )
    return joined.set_axis(index, axis=0)


def with_overall(each: pd.DataFrame, every: pd.DataFrame, keys: Sequence[Hashable]) -> pd.DataFrame:
    """The rows of the groups, then those of all items together; levels of `keys` that are not text become object."""
    levels = []
    for level, name in enumerate(each.index.names):
        first, last = each.index.get_level_values(level), every.index.get_level_values(level)
        if name in keys:
            dtype = TEXT if first.inferred_type == "string" else object
            levels.append(pd.Index([*first, *last], dtype=dtype, name=name, tupleize_cols=False))
        else:
            levels.append(first.append(last))
    joined = pd.concat([part for part in (each, every) if len(part)] or [each])
    return joined.set_axis(levels[0] if len(levels) == 1 else multi(levels), axis=0)


@lru_cache(maxsize=256)
def _constant(value: str) -> Any:
    return _strings(np.array([value], dtype=object))


def _strings(values: Array) -> Any:
    return pd.array(values, dtype="str") if TEXT == "str" else values


def text(values: str | Array, n: int) -> Any:
    """A column of strings; constant ones are cached, as making one takes longer than all numbers of a short result."""
    if not isinstance(values, str):
        return _strings(values)
    return _constant(values).copy() if n == 1 else _constant(values).take(np.zeros(n, np.intp))


def result(index: pd.Index, columns: dict[str, Any], schema: Mapping[str, tuple[str, str]] = RESULT) -> pd.DataFrame:
    """The frame of a schema; a column is an array of the index's length, or one string for all rows."""
    data = {}
    for name, (dtype, _) in schema.items():
        value = columns[name]
        if dtype != "label":  # labels of the user keep their dtype
            value = text(value, len(index)) if dtype == "str" else np.asarray(value, dtype)
        data[name] = value
    return made(data, index)


@lru_cache(maxsize=64)
def column_names(names: tuple[str, ...]) -> pd.Index:
    return pd.Index(names)


#: the constructor of pandas for arrays that need no conversion; it is not public and may not exist
FROM_ARRAYS = getattr(pd.DataFrame, "_from_arrays", None)
COLUMN_ARRAY = getattr(pd.DataFrame, "_get_column_array", None)  # neither
READY = (np.ndarray, pd.api.extensions.ExtensionArray)


def made(data: dict[str, Any], index: pd.Index) -> pd.DataFrame:
    """A frame of arrays without checks or conversions, which would take a quarter of the time of a short call."""
    n = len(index)
    ready = all(isinstance(value, READY) and len(value) == n for value in data.values())
    if FROM_ARRAYS is None or not ready:
        return pd.DataFrame(data, index=index)
    return FROM_ARRAYS(list(data.values()), column_names(tuple(data)).view(), index, verify_integrity=False)


def array(frame: pd.DataFrame, place: int) -> Any:
    """A column; a Series, which is ten times as slow, only where pandas has no other way."""
    return COLUMN_ARRAY(frame, place) if COLUMN_ARRAY else frame.iloc[:, place].array


def confusion(
    table: Array, labels: pd.Index, coders: tuple[Hashable, Hashable], groups: pd.Index | None
) -> pd.DataFrame:
    """Counts of the first coder's labels (rows) against the second's (columns); (G, K, K) -> G * K rows."""
    columns = labels.rename(coders[1])
    index: pd.Index = labels.rename(coders[0])
    if groups is not None:
        index = pd.MultiIndex.from_product([groups, index]) if groups.nlevels == 1 else _product(groups, index)
    return pd.DataFrame(table.reshape(len(index), len(labels)), index=index, columns=columns)


def _product(groups: pd.Index, labels: pd.Index) -> pd.MultiIndex:
    keys = [groups.get_level_values(i).repeat(len(labels)) for i in range(groups.nlevels)]
    return pd.MultiIndex.from_arrays([*keys, labels.take(np.tile(np.arange(len(labels)), len(groups)))])


# --------------------------------------------------------------------------------------------- columns of a coefficient


@dataclass(frozen=True, eq=False)
class Limits:
    """Standard error and interval of each row, and their method; no method means no interval."""

    se: Array | None = None
    low: Array | None = None
    high: Array | None = None
    method: str | Array = ""
    level: float = np.nan


NO_INTERVAL = Limits()


def result_columns(estimate: Array, limits: Limits, **columns: Any) -> dict[str, Any]:
    """All columns of a result: arrays of the shape of the estimate, or one string for all rows."""
    unknown = np.full(estimate.shape, np.nan)
    level = unknown if isinstance(limits.method, str) and not limits.method else np.full(estimate.shape, limits.level)
    return {
        "estimate": estimate,
        "ci_low": unknown if limits.low is None else limits.low,
        "ci_high": unknown if limits.high is None else limits.high,
        "se": unknown if limits.se is None else limits.se,
        "observed": unknown,
        "expected": unknown,
        "weights": "nominal",
        "ci_method": limits.method,
        "ci_level": level,
        "note": "",
        "remarks": "",
        **columns,
    }


def interleave(parts: Sequence[Any], shape: tuple[int, ...]) -> Any:
    """The values of several coefficients, alternating by row; one string if all are the same."""
    if all(isinstance(part, str) and part == parts[0] for part in parts):
        return parts[0]
    arrays = [np.full(shape, part, object) if isinstance(part, str) else part for part in parts]
    return arrays[0].ravel() if len(arrays) == 1 else np.stack(arrays, -1).ravel()
