"""Data for the fuzzer: ratings as codes, then labels of some dtype, then a frame of some format."""

from __future__ import annotations

import datetime
import importlib.util
from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

Rng = np.random.Generator
Array = np.ndarray
ARROW = importlib.util.find_spec("pyarrow") is not None
GAP = -1

DAYS = pd.date_range("2026-01-01", periods=6)
#: the labels of a kind, in their natural order
LABELS: dict[str, list[Any]] = {
    "text": list("abcdef"),
    "look-alikes": ["Bug", "bug ", "bug", "1", "2", "x"],
    "odd text": ["", " ", "nan", "a\x00b", "$x^{$", "\u202eab"],
    "mixed": [1, "1", "a", (1, 2), frozenset({"a"}), 2.5],
    "unorderable": [object(), object(), 3 + 1j, len, "a", 1],
    "sets": [frozenset(), frozenset("a"), frozenset("ab"), frozenset("bc"), frozenset("c"), frozenset("abc")],
    "joined": ["a|b", "a", "b|c", "c", "", "a|c"],
    "whole": [0, 1, 2, 3, 4, 5],
    "far apart": [-(2**62), -1, 0, 7, 1000, 2**62],
    "fractions": [0.0, 0.5, 1.25, 2.0, 3.5, 1e300],
    "infinite": [float("-inf"), -0.0, 0.5, 1.0, 2.0, float("inf")],
    "bools": [False, True],
    "bools and numbers": [True, 0, 2, False, 1.0, 3],
    "decimals": [Decimal(1), Decimal("2.5"), Decimal(3), Decimal(4), Decimal(5), Decimal(6)],
    "dates": list(DAYS),
    "days": [day.date() for day in DAYS],
    "times": [datetime.time(hour) for hour in range(6)],
    "zoned": list(DAYS.tz_localize("Europe/Berlin")),
    "durations": [pd.Timedelta(hours=hours) for hours in range(6)],
    "periods": list(pd.period_range("2026-01", periods=6, freq="M")),
    "intervals": list(pd.interval_range(0, 6)),
    "lists": [["a"], ["a", "b"], [], ["b"], ["c"], ["b", "c"]],
}
#: the dtypes that labels of a kind may have; None is what pandas infers
DTYPES: dict[str, list[Any]] = {
    "text": [None, object, "string", "category", "ordered", "arrow text", "arrow dictionary", "arrow null"],
    "look-alikes": [None, object, "category"],
    "odd text": [None, object, "category"],
    "mixed": [object, "category"],
    "unorderable": [object],
    "joined": [None, "category"],
    "sets": [object],
    "lists": [object],
    "whole": [None, "int8", "uint8", "Int64", "float", "category", "ordered", object, "Sparse[int]", "arrow whole"],
    "far apart": [None, "Int64", object],
    "fractions": [None, "Float64", "category", "ordered", object],
    "infinite": [None, "Float64"],
    "bools": [None, "boolean", object, "category", "ordered", "arrow bool"],
    "bools and numbers": [object],
}
FORMATS = ("wide", "long", "counts", "crosstab", "grouped", "grouped long", "grouped counts", "stream", "stream long")
CODERS = ("ann", "bob", "cleo", "dev", "eve", "fay")


@dataclass(frozen=True, eq=False)
class Ratings:
    """Codes of labels, one row per item and one column per coder; `GAP` is missing."""

    codes: Array
    labels: list[Any]
    dtype: Any
    group: Array
    coders: list[Any]

    @cached_property
    def columns(self) -> list[pd.Series]:
        return [as_column(column, self.labels, self.dtype) for column in self.codes.T]

    @property
    def values(self) -> list[Any]:
        """All cells, the coders of an item one after the other."""
        return [self.labels[code] if code != GAP else None for code in self.codes.ravel()]


def as_column(codes: Array, labels: list[Any], dtype: Any) -> pd.Series:
    """A column of labels."""
    if dtype in ("category", "ordered"):
        return pd.Series(pd.Categorical.from_codes(codes, labels, ordered=dtype == "ordered"))
    cells = np.empty(len(codes), object)
    cells[:] = [None if code == GAP else labels[code] for code in codes]
    if dtype is object:
        return pd.Series(cells, dtype=object)
    if isinstance(dtype, str) and dtype.startswith("arrow"):
        return _arrow(codes, cells, labels, dtype)
    plain = pd.Series(cells.tolist() if len(cells) else [], dtype=None if len(cells) else object)
    gaps = (codes == GAP).any()
    return plain if dtype is None or (gaps and dtype in NO_GAPS) or plain.dtype == object else plain.astype(dtype)


NO_GAPS = ("int8", "uint8", "Sparse[int]", "float")


def _arrow(codes: Array, cells: Array, labels: list[Any], dtype: str) -> pd.Series:
    import pyarrow as pa

    if dtype in ("arrow dictionary", "arrow null"):
        names = pa.array([*labels, None] if dtype == "arrow null" else labels)
        places = pa.array(np.where(codes == GAP, len(labels) if dtype == "arrow null" else 0, codes), pa.int32())
        if dtype == "arrow dictionary":
            places = pa.array([None if code == GAP else int(code) for code in codes], pa.int32())
        array = pa.DictionaryArray.from_arrays(places, names)
    else:
        kind = {"arrow text": pa.string(), "arrow whole": pa.int64(), "arrow bool": pa.bool_()}[dtype]
        array = pa.array(cells.tolist(), kind)
    return pd.Series(pd.arrays.ArrowExtensionArray(pa.chunked_array([array])))


def draw_ratings(rng: Rng, simple: bool = False) -> Ratings:
    """Codes of coders who more or less agree; `simple` leaves out labels that are odd and data that are empty."""
    kind = str(rng.choice(SIMPLE if simple else list(LABELS)))
    labels = LABELS[kind][: int(rng.integers(2 if simple else 1, 7))]
    dtypes = [dtype for dtype in DTYPES.get(kind, [None, object]) if ARROW or "arrow" not in str(dtype)]
    dtype = dtypes[int(rng.integers(len(dtypes)))]
    n_items = int(rng.choice([8, 12, 20] if simple else [0, 1, 2, 3, 5, 8, 12, 20]))
    n_coders = int(rng.choice([2, 2, 3, 4, 6] if simple else [0, 1, 2, 2, 2, 3, 3, 4, 6]))
    truth = rng.integers(len(labels), size=(n_items, 1))
    codes = np.where(
        rng.random((n_items, n_coders)) < rng.choice([0, 0.5, 0.9, 1]),
        truth,
        rng.integers(len(labels), size=(n_items, n_coders)),
    )
    codes[rng.random(codes.shape) < rng.choice([0, 0, 0.1, 0.5, 1.0] if not simple else [0, 0.1, 0.4])] = GAP
    group = rng.integers(3, size=n_items)
    return Ratings(codes, labels, dtype, group, list(CODERS[:n_coders]))


SIMPLE = ("text", "whole", "fractions", "bools", "dates")


# ---------------------------------------------------------------------------------------------------------- formats

#: names of coders
NAMES: list[Callable[[int], list[Any]]] = [
    lambda n: list(CODERS[:n]),
    lambda n: list(CODERS[:n]),
    lambda n: list(CODERS[:n]),
    lambda n: list(range(n)),
    lambda n: [np.int64(i) for i in range(n)],
    lambda n: [("team", i) for i in range(n)],
    lambda n: [float("nan"), *CODERS[1:n]][:n],
    lambda n: [None, *CODERS[1:n]][:n],
    lambda n: [1, "1", 1.5, ("a", 1), True, "x"][:n],
    lambda n: ["estimate", "coefficient", "note", "coder", "category", "item"][:n],
    lambda n: ["ann"] * n,
]
KEYS = ("batch", "batch", "batch", "site", None, float("nan"), 7, "coder", "estimate")


def group_key(rng: Rng, group: Array) -> Any:
    """A column of group keys, of some dtype, with or without gaps."""
    kinds: list[Callable[[], Any]] = [
        lambda: group,
        lambda: np.array(list("pqr"), object)[group],
        lambda: np.where(group == 2, None, np.array(list("pqr"), object)[group]),
        lambda: np.where(group == 2, np.nan, group),
        lambda: pd.Categorical.from_codes(group, ["p", "q", "r", "unused"]),
        lambda: pd.Categorical.from_codes(np.where(group == 2, -1, group), ["p", "q", "r"], ordered=True),
        lambda: DAYS[group],
        lambda: pd.array(group, "Int64"),
        lambda: np.array([1, "1", "a"], object)[group],
        lambda: group == 1,
        lambda: as_column(group, list("pqr"), "arrow null" if ARROW else None).array,
        lambda: as_column(np.where(group == 2, GAP, group), list("pqr"), "arrow null" if ARROW else None).array,
    ]
    return kinds[int(rng.integers(len(kinds)))]()


def index_of(rng: Rng, n: int) -> pd.Index:
    kinds: list[Callable[[], pd.Index]] = [
        lambda: pd.RangeIndex(n),
        lambda: pd.RangeIndex(n),
        lambda: pd.Index([f"doc {i}" for i in range(n)], name="doc"),
        lambda: pd.Index(rng.integers(3, size=n)),
        lambda: pd.Index([None, *range(1, n)][:n], dtype=object),
        lambda: pd.MultiIndex.from_arrays([np.arange(n) // 2, np.arange(n) % 2], names=["a", None]),
        lambda: pd.date_range("2026-01-01", periods=n, name="week"),
    ]
    return kinds[int(rng.integers(len(kinds)))]()


@dataclass(frozen=True, eq=False)
class Data:
    """A frame of some format, and how `agree` is reached from it."""

    frame: pd.DataFrame
    format: str
    ratings: Ratings
    key: Any = None  # the column of the groups, if there is one
    by: Any = None  # the keys of a grouped frame

    @property
    def title(self) -> str:
        grouping = f".groupby({self.by!r})" if self.by is not None else ""
        way = {"long": LONG_CALL, "counts": ".counts()", "crosstab": ".crosstab()"}.get(self.format.split()[-1], "")
        return f"df{grouping}.agree{way}" if not self.format.startswith("stream") else "stream"

    def agree(self) -> Any:
        """What `df.agree` is in this format."""
        view: Any = (
            self.frame.agree if self.by is None else self.frame.groupby(self.by, dropna=False, observed=True).agree
        )
        last = self.format.split()[-1]
        return (
            view.long(**LONG) if last == "long" else getattr(view, last)() if last in ("counts", "crosstab") else view
        )


LONG = {"item": "item", "coder": "who", "label": "tag"}
LONG_CALL = ".long(item='item', coder='who', label='tag')"


def wide(ratings: Ratings, rng: Rng | None = None) -> pd.DataFrame:
    """One row per item; without `rng` plain names and index."""
    n = ratings.codes.shape[1]
    names = ratings.coders if rng is None else NAMES[int(rng.integers(len(NAMES)))](n)
    frame = pd.concat(ratings.columns, axis=1) if n else pd.DataFrame(index=range(len(ratings.codes)))
    frame.columns = pd.Index(names, dtype=None if names else object, tupleize_cols=False)
    return frame if rng is None else frame.set_axis(index_of(rng, len(frame)), axis=0)


def long(ratings: Ratings, rng: Rng | None = None) -> pd.DataFrame:
    """One row per judgment, the items one after the other."""
    n_items, n_coders = ratings.codes.shape
    names = ratings.coders if rng is None else NAMES[int(rng.integers(len(NAMES)))](n_coders)
    who = np.empty(n_coders, object)
    who[:] = names
    frame = pd.DataFrame(
        {
            "item": np.repeat(np.arange(n_items), n_coders),
            "who": pd.Series(np.tile(who, n_items), dtype=object),
            "tag": as_column(ratings.codes.ravel(), ratings.labels, ratings.dtype),
        }
    )
    if rng is None:
        return frame[ratings.codes.ravel() != GAP].reset_index(drop=True)
    if rng.random() < 0.3:
        frame["who"] = frame["who"].astype("category") if ratings.coders == names else frame["who"]
    if rng.random() < 0.1:
        frame["item"] = frame["item"].where(frame["item"] > 0)
    if rng.random() < 0.2 and len(frame):
        frame = frame.sample(frac=1, random_state=int(rng.integers(99)), replace=bool(rng.random() < 0.3))
    return frame


def counts(ratings: Ratings) -> pd.DataFrame:
    """One row per item, one column per category."""
    table = (ratings.codes[:, :, None] == np.arange(len(ratings.labels))).sum(1)
    return pd.DataFrame(table, columns=_label_index(ratings))


def crosstab(ratings: Ratings) -> pd.DataFrame:
    """The first two coders."""
    k = len(ratings.labels)
    table = np.zeros((k, k), int)
    for first, second in ratings.codes[:, :2]:
        if GAP not in (first, second):
            table[first, second] += 1
    labels = _label_index(ratings)
    return pd.DataFrame(table, index=labels, columns=labels)


def _label_index(ratings: Ratings) -> pd.Index:
    labels = np.empty(len(ratings.labels), object)
    labels[:] = ratings.labels
    return pd.Index(labels, tupleize_cols=False).infer_objects()


def draw_data(rng: Rng, tame: bool = False) -> Data:
    """A frame of any format; a tame one has plain labels, names and keys."""
    ratings, format_ = draw_ratings(rng, tame), str(rng.choice(FORMATS))
    last = format_.split()[-1]
    if last == "counts" and not all(map(_hashable, ratings.labels)):
        last = format_ = "wide"
    if last == "crosstab":
        table = crosstab(_two(ratings))
        return Data(table if tame else _damaged(rng, table), "crosstab", ratings)
    if last == "counts":
        frame = counts(ratings) if tame else _damaged(rng, counts(ratings))
    else:
        frame = (long if last == "long" else wide)(ratings, None if tame else rng)
    frame, key = _with_keys(rng, frame, ratings, tame)
    by: Any = None
    if format_.startswith("grouped"):
        by = key if key is not NO_KEY else np.arange(len(frame)) % 2
    return Data(frame, format_, ratings, key, by)


class _NoKey:
    def __repr__(self) -> str:
        return "no key"


NO_KEY = _NoKey()


def _hashable(label: Any) -> bool:
    return not isinstance(label, list)


def _two(ratings: Ratings) -> Ratings:
    codes = ratings.codes[:, :2]
    if codes.shape[1] < 2:
        codes = np.full((len(codes), 2), GAP)
    labels = [label if _hashable(label) else str(label) for label in ratings.labels]
    return replace(ratings, codes=codes, labels=labels)


def _damaged(rng: Rng, table: pd.DataFrame) -> pd.DataFrame:
    """Now and then a cell that is no count."""
    if rng.random() > 0.2 or not table.size:
        return table
    wrong = rng.choice([-1, 0.5, np.nan, np.inf])
    table = table.astype(float)
    table.iat[int(rng.integers(len(table))), int(rng.integers(table.shape[1]))] = wrong
    return table if rng.random() < 0.5 else table.astype("Float64")


def _with_keys(rng: Rng, frame: pd.DataFrame, ratings: Ratings, tame: bool) -> tuple[pd.DataFrame, Any]:
    """The frame with a column of groups, and its name."""
    key = "batch" if tame else KEYS[int(rng.integers(len(KEYS)))]
    if rng.random() < 0.4 or key in list(frame.columns) or (pd.isna(key) and frame.columns.isna().any()):
        return frame, NO_KEY
    n = len(frame)
    group = ratings.group if n == len(ratings.group) else rng.integers(3, size=n)
    column = pd.Series(group if tame else group_key(rng, group), index=frame.index)
    names = [*frame.columns, key]
    frame = frame.set_axis(range(frame.shape[1]), axis=1).assign(key=column)
    frame.columns = pd.Index(names, dtype=object, tupleize_cols=False).infer_objects()
    return frame, key
