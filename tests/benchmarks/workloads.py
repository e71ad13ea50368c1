"""Seeded data of the workloads W1 to W9: what is measured, on which frames, in which sizes.

A workload is one question on one kind of frame. Coders copy the truth of an item with probability 0.7 and otherwise
say anything, so every coefficient lies well between 0 and 1. All frames are made from the number of rows alone: the
same size is the same data everywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Codes = NDArray[Any]
Make = Callable[[int], pd.DataFrame]

COPYING = 0.7
WORDS = np.array([f"category {number}" for number in range(10)], dtype=object)


def opinions(truth: Codes, K: int, rng: np.random.Generator, gaps: float = 0.0) -> Codes:
    """What one coder says about each item; -1 where the coder says nothing."""
    said = np.where(rng.random(len(truth)) < COPYING, truth, rng.integers(0, K, len(truth))).astype(np.int8)
    if gaps:
        said[rng.random(len(truth)) < gaps] = -1
    return said


def truths(n: int, K: int, rng: np.random.Generator) -> Codes:
    """The true category of each item; the first ones are more frequent."""
    shares = 1 / np.sqrt(np.arange(1, K + 1))
    return rng.choice(K, n, p=shares / shares.sum())


def _words(codes: Codes) -> NDArray[Any]:
    words = WORDS[codes]
    words[codes < 0] = None
    return words


#: codes of a coder → column of a dtype; those without a missing value take complete codes only
DRESS: dict[str, Callable[[Codes, int], Any]] = {
    "category": lambda codes, K: pd.Categorical.from_codes(codes, list(WORDS[:K])),
    "int64": lambda codes, K: codes.astype(np.int64),
    "int8": lambda codes, K: codes.astype(np.int8),
    "float64": lambda codes, K: np.where(codes < 0, np.nan, codes.astype(np.float64)),
    "str": lambda codes, K: pd.Series(_words(codes), dtype="str"),
    "object": lambda codes, K: pd.Series(_words(codes), dtype=object),
}


def wide(n: int, coders: int, K: int, gaps: float, dtype: str, seed: int) -> pd.DataFrame:
    """A row an item, a column a coder."""
    rng = np.random.default_rng(seed)
    truth = truths(n, K, rng)
    return pd.DataFrame({f"c{j:02d}": DRESS[dtype](opinions(truth, K, rng, gaps), K) for j in range(coders)})


def two_coders(dtype: str, seed: int = 1) -> Make:
    return lambda n: wide(n, 2, 5, 0.0, dtype, seed)


def three_coders(dtype: str) -> Make:
    return lambda n: wide(n, 3, 5, 0.0, dtype, 2)


def grouped(coders: int, gaps: float, seed: int) -> Make:
    """A hundred rows a batch on average, batches in no order."""

    def make(n: int) -> pd.DataFrame:
        frame = wide(n, coders, 5, gaps, "category", seed)
        batch = np.random.default_rng(seed + 1).integers(0, max(1, n // 100), n)
        frame.insert(0, "batch", batch)
        return frame

    return make


def long(ids: str, seed: int = 30) -> Make:
    """A row a judgment, in no order: three of fifty coders an item, one judgment in ten lost."""

    def make(n: int) -> pd.DataFrame:
        rng = np.random.default_rng(seed)
        n_items = n // 3
        first = rng.integers(0, 50, n_items)
        item = np.repeat(np.arange(n_items), 3)
        coder = (first[:, None] + np.array([0, 11, 24])).ravel() % 50
        label = opinions(truths(n_items, 10, rng)[item], 10, rng)
        rows = rng.permutation(len(item))
        rows = rows[rng.random(len(rows)) >= 0.1]
        item, coder, label = item[rows], coder[rows].astype(np.int8), label[rows]
        who = pd.Categorical.from_codes(coder, [f"coder {number}" for number in range(50)])
        if ids == "int":
            return pd.DataFrame({"item": item, "coder": who, "label": DRESS["category"](label, 10)})
        names = pd.Series([f"item-{number:08d}" for number in range(n_items)], dtype="str").array
        return pd.DataFrame({"item": names.take(item), "coder": who, "label": DRESS["str"](label, 10)})

    return make


def measurements(n: int) -> pd.DataFrame:
    """`n` different numbers of three coders, one in ten lost."""
    rng = np.random.default_rng(60)
    truth = rng.normal(50, 10, round(n / 2.7))
    columns = {}
    for coder in ("c00", "c01", "c02"):
        said = truth + rng.normal(0, 4, len(truth))
        said[rng.random(len(truth)) < 0.1] = np.nan
        columns[coder] = said
    return pd.DataFrame(columns)


def complete_scores(n: int) -> pd.DataFrame:
    """Scores of four coders without gaps."""
    rng = np.random.default_rng(90)
    truth = rng.normal(50, 10, n)
    return pd.DataFrame({f"c{coder:02d}": truth + rng.normal(coder, 4, n) for coder in range(4)})


@dataclass(frozen=True)
class Workload:
    """One question on one kind of frame; `task` names the contestants."""

    key: str
    task: str
    data: str
    sizes: tuple[int, ...]
    make: Make
    fixed: bool = False  # the size is the point: --scale leaves it alone

    def rows(self, scale: float, ends: bool = False) -> list[int]:
        """The sizes at this scale, smallest first; `ends` leaves what tells the growth of large frames."""
        if self.fixed:
            return list(self.sizes)
        sizes = [size for size in self.sizes if size >= 100_000] if ends else self.sizes
        if ends:
            sizes = [sizes[0], sizes[-1]]
        return sorted({min(size, max(600, round(size * scale))) for size in sizes})


UP_TO_1E7 = (1_000, 100_000, 10_000_000)
WORKLOADS = [
    *(Workload("W1", "two coders", dtype, UP_TO_1E7, two_coders(dtype)) for dtype in DRESS),
    Workload("W2", "long", "integer ids", (100_000, 1_000_000, 10_000_000), long("int")),
    Workload("W2", "long", "string ids", (100_000, 1_000_000, 10_000_000), long("str")),
    Workload("W3", "wide", "20 coders, 30 % gaps", (10_000, 1_000_000), lambda n: wide(n, 20, 5, 0.3, "category", 3)),
    *(
        Workload("W3", "three coders", dtype, (1_000_000, 10_000_000), three_coders(dtype))
        for dtype in ("category", "int64")
    ),
    Workload("W4", "groups, kappa", "2 coders", (10_000, 1_000_000), grouped(2, 0.0, 40)),
    Workload("W4", "groups, alpha", "5 coders, 10 % gaps", (10_000, 1_000_000), grouped(5, 0.1, 45)),
    Workload("W5", "bootstrap, kappa", "2 coders", (100_000,), two_coders("category", 50)),
    Workload("W5", "bootstrap, alpha", "5 coders, 10 % gaps", (100_000,), lambda n: wide(n, 5, 5, 0.1, "category", 55)),
    Workload("W6", "interval", "different numbers", (300, 1_000, 10_000, 1_000_000), measurements),
    Workload("W7", "pairs", "50 coders, 30 % gaps", (1_000, 100_000), lambda n: wide(n, 50, 5, 0.3, "category", 70)),
    *(Workload("W8", "short", dtype, (50,), two_coders(dtype, 80), fixed=True) for dtype in DRESS),
    Workload("W9", "ICC", "4 coders, complete", (100_000, 1_000_000), complete_scores),
]


def labels_in(frame: pd.DataFrame) -> int:
    """How many labels the frame holds; gaps are none."""
    if "label" in frame:
        return len(frame)
    coders = [name for name in frame if name != "batch"]
    return int(sum(frame[name].count() for name in coders))
