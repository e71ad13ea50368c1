"""The group of each row, and the index of the groups.

A group key is anything that `groupby` takes; rows are numbered by position, and the index equals that of
`groupby(...).size()`. Only the public interface of pandas is used. A single key column is coded without `groupby`.

`ngroup()` numbers the groups that occur. `size()` also lists groups that could occur (unused categories with
`observed=False`), in pandas 2.2 even in another order. So rows are numbered among the groups that occur, and these are
then looked up in the full index.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import is_hashable

from pandas_agreement.core.category_counts import renumber
from pandas_agreement.core.classes import dataclass
from pandas_agreement.data.labels import is_missing, unwrap
from pandas_agreement.errors import (
    AgreementError,
    ColumnError,
    InputError,
    Remark,
    counted,
    shown,
    warn_once,
    wrong_value,
)

LEVELS = ("category", "coder_1", "coder_2", "coder", "coefficient")  # index levels of results, after the keys
COLUMNS = ("estimate", "ci_low", "ci_high", "se", "observed", "expected", "n_items", "n_coders", "n_categories")
OPTIONS = ("weights", "missing", "ci_method", "ci_level", "note", "remarks")  # columns, too
ALL = "(all)"  # the key of all groups together, as in the margins of pandas
RESERVED = (*LEVELS, *COLUMNS, *OPTIONS)


@dataclass(frozen=True, eq=False)
class Groups:
    """The groups of the rows of one frame.

    Attributes
    ----------
    codes : np.ndarray
        (n_rows,) intp, positions in `index`; -1 is a row without a group.
    index : pd.Index
        One entry per group, as `groupby(...).size().index`, every level named.
    columns : frozenset
        The columns of the frame that are keys, and so never coders.
    as_index : bool
        Results have the keys in their index, and not as columns.
    """

    codes: np.ndarray
    index: pd.Index
    columns: frozenset[Hashable]
    as_index: bool = True

    def only(self, rows: np.ndarray) -> Groups:
        """Some rows, by position; groups that lose all of theirs are gone."""
        codes, before = self.codes[rows], np.bincount(self.codes[self.codes >= 0], minlength=len(self.index))
        after = np.bincount(codes[codes >= 0], minlength=len(self.index))
        kept = (after > 0) | (before == 0)
        return Groups(np.append(np.cumsum(kept) - 1, -1)[codes], self.index[kept], self.columns)

    def together(self) -> Groups:
        """One group of all rows, keyed '(all)' in every level; raises for a group that is called so already."""
        for level, name in enumerate(self.index.names):
            if ALL in set(self.index.get_level_values(level)):
                problem = f"overall=True calls the row of all items {ALL!r}, and a group of {shown(name)} has that name"
                raise InputError(problem, "rename the group", option="overall", column=name, code="name taken")
        keys = [pd.Index([ALL], name=name) for name in self.index.names]
        index = keys[0] if len(keys) == 1 else pd.MultiIndex.from_arrays(keys)
        return Groups(np.zeros(len(self.codes), np.intp), index, self.columns)

    @property
    def grouped_rows(self) -> Any:
        """What selects the rows that belong to a group: a boolean array, or a slice of all rows."""
        inside = self.codes >= 0
        return slice(None) if inside.all() else inside


def group_rows(frame: pd.DataFrame, by: Any) -> Groups:
    """The groups of `frame.groupby(by, observed=True)`; warns if rows have no key.

    Parameters
    ----------
    frame : pd.DataFrame
        Rows are taken by position; the frame is not changed.
    by : Any
        A column or index level, a Series or array as long as the frame, a function, a dict, a `pd.Grouper`, or a list
        of these.

    Examples
    --------
    >>> groups = group_rows(pd.DataFrame({"batch": ["b", "a", "b"]}), "batch")
    >>> groups.codes.tolist(), groups.index.tolist()
    ([1, 0, 1], ['a', 'b'])
    """
    written = repr(by) if all(isinstance(key, (str, tuple, int)) for key in _keys(frame, by)) else "..."
    try:
        if _is_one_column(frame, _alone(by)):
            codes, index = _by_column(frame, _alone(by))
        else:
            _check_keys(frame, by)
            keys = [by] if isinstance(by, pd.Grouper) else by  # alone, one with a frequency would sort the frame
            codes, index = _number(_with_nulls(frame, by).groupby(keys, observed=True, sort=True, dropna=True))
    except AgreementError:
        raise
    except (KeyError, TypeError, ValueError, NotImplementedError) as error:
        raise InputError(f"by={written} cannot group the rows: {error}", option="by", code="invalid groups") from error
    index = _named(index, frame)
    warn_once(without_group(int(np.count_nonzero(codes < 0)), len(codes), written))
    return Groups(codes, index, _key_columns(frame, by))


def without_group(lost: int, n_rows: int, written: str) -> list[Remark]:
    """The remark on rows without a key; `written` is `by=`."""
    of = f"of {n_rows} rows"
    problem = counted(lost, f"{of} has no group key and is left out", f"{of} have no group key and are left out")
    remedy = f"df.groupby({written}, dropna=False).agree makes them a group of their own"
    return [Remark(problem, remedy, code="rows without a group", option="by")] if lost else []


def from_groupby(grouped: pd.api.typing.DataFrameGroupBy[Any, Any]) -> Groups:
    """The groups of a groupby object with its `sort`, `dropna` and `observed`; the rows are those of `grouped.obj`.

    Examples
    --------
    >>> frame = pd.DataFrame({"batch": ["b", None, "b"]})
    >>> from_groupby(frame.groupby("batch", dropna=False)).codes.tolist()
    [0, 1, 0]
    """
    frame: Any = grouped.obj
    if getattr(grouped, "axis", 0) != 0:
        raise InputError("groupby(axis=1) groups columns, and agreement needs groups of rows", "group the rows")
    name = _alone(grouped.keys)
    quick = grouped.sort and grouped.dropna and grouped.observed and _is_one_column(frame, name)
    try:
        codes, index = _by_column(frame, name) if quick else _number(grouped)
    except (KeyError, TypeError, ValueError, NotImplementedError) as error:
        raise InputError(f"pandas cannot number the groups of this groupby: {error}", code="invalid groups") from error
    return Groups(codes, _named(index, frame), _key_columns(frame, grouped.keys), bool(grouped.as_index))


def nested(outer: Groups | None, inner: Groups) -> tuple[Groups, np.ndarray, pd.Index]:
    """The groups of `inner` within those of `outer` that occur, numbered; the outer group and the inner key of each."""
    codes, n = np.zeros(len(inner.codes), np.intp) if outer is None else outer.codes, max(len(inner.index), 1)
    both = np.where((codes < 0) | (inner.codes < 0), -1, codes * n + inner.codes)
    numbers, used = renumber(both, (1 if outer is None else len(outer.index)) * n)
    return Groups(numbers, pd.RangeIndex(len(used), name="group"), frozenset()), used // n, inner.index.take(used % n)


# ------------------------------------------------------------------------------------------------------ one column
def _is_name(names: Any, key: Any) -> bool:
    return is_hashable(key) and key in names


def _alone(by: Any) -> Any:
    """The key itself; a list of one key is that key."""
    return by[0] if isinstance(by, list) and len(by) == 1 else by


def _is_one_column(frame: pd.DataFrame, key: Any) -> bool:
    """Whether the key names one column and no index level, of a dtype that groupby keeps."""
    if not _is_name(frame.columns, key) or key in frame.index.names:
        return False
    column = frame[key]
    return isinstance(column, pd.Series) and not isinstance(column.dtype, np.dtypes.ObjectDType)


def _by_column(frame: pd.DataFrame, name: Hashable) -> tuple[np.ndarray, pd.Index]:
    """The groups of one key column: equal to those of `groupby`, but faster."""
    column: Any = unwrap(frame[name])
    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        codes, used = renumber(column.array.codes.astype(np.intp), len(dtype.categories))
        return codes, pd.CategoricalIndex(pd.Categorical.from_codes(used, dtype=dtype), name=name)
    if isinstance(dtype, np.dtype) and dtype.kind in "iu" and len(column):
        values = column.to_numpy()
        low, width = values.min(), int(values.max()) - int(values.min()) + 1
        if width <= max(4 * len(values), 256):
            place = values.astype(np.intp, copy=False)
            codes, used = renumber(place - low.astype(np.intp) if low else place, width)
            return codes, pd.Index(
                used.astype(dtype) + low, name=name
            )  # overflow is undone: the subtraction wrapped the same way
    codes, uniques = pd.factorize(column, sort=True)
    return codes, pd.Index(uniques, name=name)


# ----------------------------------------------------------------------------------------------- any key of pandas
def _number(grouped: Any) -> tuple[np.ndarray, pd.Index]:
    """Codes and index of a groupby object."""
    mixed = isinstance(grouped.keys, list) and any(isinstance(key, pd.Grouper) for key in grouped.keys)
    if mixed or not grouped.as_index:
        grouped = _regroup(grouped, grouped.observed)
    index = grouped.size().index
    if grouped.observed or not any(isinstance(dtype, pd.CategoricalDtype) for dtype in _dtypes(index)):
        return _row_numbers(grouped), index
    occurring = _regroup(grouped, True)
    places = _places(index, occurring.size().index)
    return np.append(places, -1)[_row_numbers(occurring)], index


def _regroup(grouped: Any, observed: bool) -> Any:
    """The same groupby with its keys as index; in a list of keys a Grouper is replaced by its column or level."""
    frame, keys = grouped.obj, grouped.keys
    keys = [_plain(frame, key) for key in keys] if isinstance(keys, list) else keys
    return frame.groupby(keys, level=grouped.level, sort=grouped.sort, dropna=grouped.dropna, observed=observed)


def _plain(frame: pd.DataFrame, key: Any) -> Any:
    """The column or level of a Grouper without a frequency: pandas may misplace its rows in a list of keys."""
    if not isinstance(key, pd.Grouper) or key.freq is not None:
        return key
    level: Any = key.level
    return key.key if key.key is not None else frame.index.get_level_values(level)


def _places(index: pd.Index, entries: pd.Index) -> np.ndarray:
    """Positions of the entries in the index, NaN included, which `get_indexer` does not find in a MultiIndex."""
    codes = []
    for level in range(index.nlevels):
        values = [part.get_level_values(level).to_numpy(dtype=object) for part in (index, entries)]
        codes.append(pd.factorize(np.concatenate(values))[0])
    full, some = (
        pd.MultiIndex.from_arrays([code[part] for code in codes]) for part in np.s_[: len(index), len(index) :]
    )
    places = full.get_indexer(some)
    if (places < 0).any():
        raise InputError("this groupby has groups that are not in its index", "use groupby(..., observed=True)")
    return places


def _row_numbers(grouped: Any) -> np.ndarray:
    numbers = grouped.ngroup().to_numpy()
    return np.where(np.isnan(numbers), -1, numbers).astype(np.intp)  # float with NaN if rows were dropped


def _dtypes(index: pd.Index) -> list[Any]:
    return [level.dtype for level in index.levels] if isinstance(index, pd.MultiIndex) else [index.dtype]


# ------------------------------------------------------------------------------------------------ the names of keys
def _keys(frame: pd.DataFrame, by: Any) -> list[Any]:
    """The keys as a list; a list of values, one per row, is a single key."""
    if not isinstance(by, list):
        return [] if by is None else [by]
    values = 1 < len(by) == len(frame) and all(is_hashable(key) and not callable(key) for key in by)
    named = any(isinstance(key, pd.Grouper) or key in frame.columns or key in frame.index.names for key in by * values)
    return [np.empty(0)] if values and not named else by


def _check_keys(frame: pd.DataFrame, by: Any) -> None:
    """Raise for a name that is missing from the frame or repeated in it."""
    levels = [name for name in frame.index.names if name is not None]
    if isinstance(by, tuple) and by not in frame.columns and all(_is_name(frame.columns, name) for name in by):
        raise wrong_value("by", by, "is a single name", f"several keys are a list: by={list(by)!r}")
    for key in _keys(frame, by):
        if not is_hashable(key) or callable(key) or isinstance(key, pd.Grouper) or key in levels:
            continue
        if key not in frame.columns:
            raise ColumnError.missing(key, [*frame.columns, *levels])
        if isinstance(frame[key], pd.DataFrame):
            raise wrong_value("by", key, f"stands for {frame[key].shape[1]} columns", "a key is one column")


def _key_columns(frame: pd.DataFrame, by: Any) -> frozenset[Hashable]:
    """The columns among the keys, also if given as Series or inside a Grouper."""
    columns: set[Hashable] = set()
    for key in _keys(frame, by):
        name = key.key if isinstance(key, pd.Grouper) else key.name if isinstance(key, pd.Series) else key
        if _is_name(frame.columns, name) and (not isinstance(key, pd.Series) or key.equals(frame[name])):
            columns.add(name)
    return frozenset(columns)


def _named(index: pd.Index, frame: pd.DataFrame) -> pd.Index:
    """Name every level of the index; raise for a repeated name or one that results use."""
    index = _without_dictionaries(index)
    names = [None if is_missing(name) else name for name in index.names]  # pandas does not find what is called NaN
    unnamed = [level for level, name in enumerate(names) if name is None]
    for number, level in enumerate(unnamed):
        names[level] = "group" if len(unnamed) == 1 else f"group_{number}"
    for name in names:
        if names.count(name) > 1:
            problem = f"two group keys are called {shown(name)}"
            raise InputError(problem, "rename one of them", option="by", column=name, code="repeated name")
        if name in RESERVED:
            problem = f"a group key cannot be called {shown(name)}, as results have that name"
            raise InputError(problem, _rename(name, frame), option="by", column=name, code="name taken")
    return index.set_names(names) if unnamed else index


def _with_nulls(frame: pd.DataFrame, by: Any) -> pd.DataFrame:
    """The frame with Arrow dictionaries among the keys as Categoricals: pandas takes their null for a value."""
    for name in _key_columns(frame, by):
        if isinstance(frame[name].dtype, pd.ArrowDtype):
            frame = frame.copy(deep=False)
            frame[name] = unwrap(frame[name]).set_axis(frame.index)
    return frame


def _without_dictionaries(index: pd.Index) -> pd.Index:
    """The index with Arrow dictionaries as Categoricals: pandas cannot make a MultiIndex of one that holds a null."""
    if not any(isinstance(dtype, pd.ArrowDtype) for dtype in _dtypes(index)):
        return index
    levels = [unwrap(index.get_level_values(level).to_series()) for level in range(index.nlevels)]
    if len(levels) > 1:
        return pd.MultiIndex.from_arrays([level.array for level in levels], names=index.names)
    return pd.Index(levels[0].array, name=index.name)


def _rename(name: Hashable, frame: pd.DataFrame) -> str:
    new = f"{name}_key"
    if _is_name(frame.columns, name):
        return f"rename it: df.rename(columns={{{name!r}: {new!r}}})"
    if name in frame.index.names:
        return f"rename it: df.rename_axis(index={{{name!r}: {new!r}}})"
    return f"rename it: key.rename({new!r})"
