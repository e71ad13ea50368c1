"""Calls for the fuzzer: a method, coders and options, right and wrong ones."""

from __future__ import annotations

import datetime
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

import pandas_agreement
from pandas_agreement import scales
from pandas_agreement.accessor import AgreementAccessor
from pandas_agreement.accessor.names import groups_for
from pandas_agreement.accessor.tests import TESTS
from pandas_agreement.accessor.truth import Truth
from pandas_agreement.coefficients.registry import REGISTRY, having
from pandas_agreement.streaming.partial import STREAM_OPTIONS
from tests.fuzz.frames import LONG, NO_KEY, Data, Rng, draw_data
from tests.helpers import defaults, documented, reach

FORMAT_METHODS = (
    "long",
    "counts",
    "crosstab",
    "cells",
    "spans",
    "coder_groups",
    "judges",
    "plot",
    "preferences",
    "test",
)
SHOWN = [name for group in groups_for(AgreementAccessor) for name in group.names if name not in FORMAT_METHODS]
METHODS = list(dict.fromkeys([*SHOWN, *REGISTRY, *(f"test.{name}" for name in TESTS)]))
DEAR = {"report": 0.1, "diagnose": 0.3}  # methods that take long, and how often they are called in place of always
STREAMED = having("stream")
COEFFICIENTS = list(REGISTRY)

OTHER_METHODS = [name for name in METHODS if name not in REGISTRY]

#: values that hardly an option can have
WRONG: list[Any] = [
    None, [], {}, set(), "", "nonsense", b"x", 0, -1, 2.5, 1e9, True, np.int64(3), np.float64("nan"), float("inf"), (),
    ["kappa", "kappa"], [[]], {"a": []}, object(), len, np.zeros(3), np.zeros((2, 2)), pd.Series(["a", "b"]),
    pd.DataFrame({"a": [1]}), pd.NA, pd.NaT, slice(None), ("ann", "bob"), [None], [np.nan], np.array(["kappa"]),
    "kappa", pd.Timestamp("2026-01-01"), range(3), iter([1, 2]), 10**400, 1j, np.bool_(True), pd.Index(["ann"]),
    "\x1b[31m",
]  # fmt: skip


def _one(*values: Any) -> Callable[[Rng, Data], Any]:
    return lambda rng, data: values[int(rng.integers(len(values)))]


def _matrix(rng: Rng, data: Data) -> Any:
    k = len(data.ratings.labels)
    matrix = np.eye(k) if rng.random() < 0.5 else rng.random((k, k))
    return matrix if rng.random() < 0.5 else pd.DataFrame(matrix, index=range(k), columns=range(k))


SCALES: list[Any] = [scales.circular(), scales.circular(12), scales.circular(360.0), scales.radical(), scales.bipolar()]
SCALES += [scales.bipolar(0), scales.bipolar(-1.5, 1e6), scales.bipolar(high=5), "circular(period=7)"]
SCALES += [scales.within(tolerance) for tolerance in (0, 1, 0.5)] + [scales.within(1, positions=True)]
SCALES += [scales.positions(name) for name in ("linear", "quadratic", "interval", "ordinal", "ratio", "circular")]


def _weights(rng: Rng, data: Data) -> Any:
    words = ("nominal", "linear", "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar", "squared")
    if rng.random() < 0.2:
        return SCALES[int(rng.integers(len(SCALES)))]
    return _matrix(rng, data) if rng.random() < 0.1 else words[int(rng.integers(len(words)))]


def _level(rng: Rng, data: Data) -> Any:
    words = ("nominal", "ordinal", "interval", "ratio", "circular", "bipolar", "jaccard", "masi")
    if rng.random() < 0.2:
        return SCALES[int(rng.integers(len(SCALES)))]
    return _distance if rng.random() < 0.1 else words[int(rng.integers(len(words)))]


def _distance(first: Any, second: Any) -> float:
    return float(first != second)


def _by(rng: Rng, data: Data) -> Any:
    n = len(data.frame)
    values: list[Any] = [
        [data.key] if data.key is not NO_KEY else "x",
        (np.arange(n) % 2).tolist(),
        np.arange(n) % 2,
        pd.Series(np.arange(n) % 3, index=data.frame.index),
        lambda place: 1,
        pd.Grouper(key=data.key),
        "missing column",
        0,
        [np.arange(n) % 2, np.arange(n) % 3],
    ]
    return data.key if data.key is not NO_KEY and rng.random() < 0.8 else values[int(rng.integers(len(values)))]


def _clusters(rng: Rng, data: Data) -> Any:
    return data.key if data.key is not NO_KEY and rng.random() < 0.5 else (np.arange(len(data.frame)) % 4).tolist()


def _categories(rng: Rng, data: Data) -> Any:
    labels = data.ratings.labels
    return [labels, labels[::-1], labels[:-1], [*labels, "more"], np.array([1, 2]), "group"][int(rng.integers(6))]


def _metrics(rng: Rng, data: Data) -> Any:
    chosen = rng.choice(COEFFICIENTS, size=int(rng.integers(1, 4))).tolist()
    if rng.random() < 0.4:
        return chosen[0]
    return chosen if rng.random() < 0.8 else ["rate", "specific", "conditional_kappa"][: int(rng.integers(1, 4))]


#: values that an option may have
RIGHT: dict[str, Callable[[Rng, Data], Any]] = {
    "by": _by,
    "weights": _weights,
    "level": _level,
    "sep": _one("|", None),
    "pool": _one("coders", "pairs"),
    "frequency": _one(None, "no such column"),
    "overall": _one(True, False),
    "categories": _categories,
    "missing": _one("pairable", "all", "complete", "raise"),
    "ci": _one(0.95, 0.5, None),
    "method": _one("analytic", "log", "jackknife", "percentile", "bca", "kalpha"),
    "clusters": _clusters,
    "sampling": _one("items", "coders", "both"),
    "n_resamples": _one(100),
    "rng": _one(0, 1),
    "progress": _one(False),
    "detail": _one(True, False),
    "form": _one(None, "A1", "ck", 1),
    "metrics": _metrics,
    "tests": _one(None, ["bowker"], ["mcnemar", "cochran_q"], "bhapkar"),
    "alternative": _one("two-sided", "greater", "less"),
    "share": _one(0.95, 0.5),
    "n": _one(1, 5),
    "full": _one(True, False),
    "common": _one(True, False),
    "multilabel": _one(True, False),
    "title": _one("A title"),
    "date": _one(datetime.date(2026, 11, 18), None),
    "benchmark": _one("fleiss", "koo_li"),
    "at_least": _one(0.6, -0.2),
    "pictures": _one(False),
    "gold": lambda rng, data: (
        data.frame.columns[-1] if data.frame.size and rng.random() < 0.5 else pd.Series([data.ratings.labels[0]])
    ),
    "ties": _one("missing", "first", "random", "prior"),
    "smoothing": _one(0, 0.5, 2.0),
    "prior": _one("estimate", "uniform"),
    "fit": _one(
        None, {"diagonal": 1}, {"tol": 1e-6, "max_iter": 50}, {"max_iter": 1}, {"start": "random", "restarts": 2}
    ),
}
#: options that mean another thing for some methods
OF_CHANCE: dict[str, Callable[[Rng, Data], Any]] = {"method": _one("analytic", "permutation")}
OF_TRUTH: dict[str, Callable[[Rng, Data], Any]] = {
    "method": _one("majority", "dawid_skene", "one_coin", "mace"),
    "weights": _one("agreement", None),
}
VIEWS = ("by_item", "by_coder", "confusions", "queue", "summary", "shares", "qualify")
CHUNK = 16  # rows
TAME = 0.6  # share of the calls that are more or less right
GROUPED = ("test.groups", "pooled")  # need groups


@dataclass(frozen=True, eq=False)
class Call:
    """One call: its data, method, coders and options."""

    seed: int
    data: Data
    method: str
    coders: tuple[Any, ...]
    options: dict[str, Any]

    @property
    def key(self) -> str:
        """Its place in the table of schemas."""
        return self.method

    def run(self) -> Any:
        if not self.data.format.startswith("stream"):
            result = reach(self.data.agree(), self.method)(*self.coders, **self.options)
            return getattr(result, VIEWS[self.seed % len(VIEWS)])() if isinstance(result, Truth) else result
        chunks = [
            self.data.frame.iloc[start : start + CHUNK] for start in range(0, max(len(self.data.frame), 1), CHUNK)
        ]
        columns = LONG if self.data.format == "stream long" else {}
        return pandas_agreement.stream(chunks, *self.coders, metrics=self.method, **columns, **self.options)

    def __str__(self) -> str:
        given = [repr(coder) for coder in self.coders] + [f"{name}={value!r}" for name, value in self.options.items()]
        labels = f"labels {self.data.ratings.labels!r} as {self.data.ratings.dtype}"
        return f"{self.data.title}.{self.method}({', '.join(given)}) on {self.data.format} data, {labels}"


def draw_call(seed: int) -> Call:
    """The call of a seed."""
    rng = np.random.default_rng(seed)
    tame = rng.random() < TAME
    data = draw_data(rng, tame)
    streamed = data.format.startswith("stream")
    method = str(rng.choice(STREAMED if streamed else METHODS))
    if not streamed and rng.random() < 0.3:  # or most calls were those of coefficients
        method = str(rng.choice(OTHER_METHODS))
    if rng.random() > DEAR.get(method, 1):
        method = "kappa"
    options = _options(rng, data, method, streamed, 0.05 if tame else 0.2)
    if tame:
        options = _fitting(data, method, options)
    return Call(seed, data, method, _coders(rng, data, method, tame), options)


def _fitting(data: Data, method: str, options: dict[str, Any]) -> dict[str, Any]:
    """The options without those that this format or method cannot use."""
    without = {"duplicates"} if not data.format.endswith("long") else set()
    without |= {"by", "clusters"} if data.format == "crosstab" else set()
    without |= {"by"} if data.format.startswith("grouped") else set()
    if method in GROUPED and data.key is not NO_KEY:
        options.setdefault("by", data.key)
    needed = defaults(method) if method in REGISTRY else {}
    return needed | {name: value for name, value in options.items() if name not in without}


@lru_cache
def keywords_of(method: str) -> list[str]:
    parameters = inspect.signature(documented(method)).parameters.values()
    return [one.name for one in parameters if one.kind is one.KEYWORD_ONLY]


def _options(rng: Rng, data: Data, method: str, streamed: bool, wrong: float) -> dict[str, Any]:
    known = [name for name in keywords_of(method) if not streamed or name in STREAM_OPTIONS]
    chosen = rng.permutation(known)[: int(rng.choice([0, 1, 1, 2, 3]))].tolist()
    other = {"truth": OF_TRUTH, "consensus": OF_TRUTH, "test.chance": OF_CHANCE}
    right = RIGHT | other.get(method, {})
    options = {name: right[name](rng, data) for name in chosen}
    if "detail" in known and rng.random() < 0.5:  # the rules see more of it
        options["detail"] = True
    if options and rng.random() < wrong:
        options[str(rng.choice(list(options)))] = WRONG[int(rng.integers(len(WRONG)))]
    if "n_resamples" in known and not streamed and (method == "test.chance" or "method" in chosen):
        options = {"n_resamples": 100, "rng": 1} | options
    if method == "report":
        options = {"pictures": False} | options
    if data.key is not NO_KEY and "by" in known and not data.format.startswith("grouped") and rng.random() < 0.5:
        options.setdefault("by", data.key)
    return {name: value for name, value in options.items() if not _endless(name, value)}


def _endless(name: str, value: Any) -> bool:
    """A right value that would take forever."""
    return name == "n_resamples" and isinstance(value, (int, float)) and value > 1000


def _coders(rng: Rng, data: Data, method: str, tame: bool) -> tuple[Any, ...]:
    if rng.random() < 0.03 and not tame:
        return tuple(WRONG[int(place)] for place in rng.integers(len(WRONG), size=int(rng.integers(1, 3))))
    names = list(data.frame.columns[: data.ratings.codes.shape[1]])
    if data.format.endswith("long"):
        names = list(dict.fromkeys(data.frame["who"]))
    if method == "retest" and data.format in ("wide", "grouped"):
        return ({"twice": names[:2], "again": names[1:]},)
    if method == "compare":
        return tuple(names[start : start + 2] for start in range(2)) if rng.random() < 0.9 else tuple(names)
    if data.format.split()[-1] in ("counts", "crosstab") or rng.random() < 0.5:
        return ()
    return tuple(names[: int(rng.integers(2 if tame else 1, len(names) + 1))]) if names[int(tame) :] else ()
