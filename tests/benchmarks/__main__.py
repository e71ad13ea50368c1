"""Speed of the common calls beside the leanest numpy that gives the same number: `python -m tests.benchmarks`.

Absolute times mean nothing on a shared machine, so the contestants of a workload take turns in one run, the fastest
round of each counts, and the table shows ratios. `--scale 0.1` makes everything ten times smaller; `--json` is for
other programs.
"""

from __future__ import annotations

import argparse
import json
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

import pandas_agreement  # noqa: F401  (registers df.agree)

Contestant = Callable[[], Any]
LABELS = list("vwxyz")


def labels(n: int, n_coders: int, gaps: float, seed: int = 0) -> list[np.ndarray]:
    """Codes of coders who agree on seven items in ten; -1 is a gap."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 5, n)
    columns = []
    for _ in range(n_coders):
        codes = np.where(rng.random(n) < 0.7, truth, rng.integers(0, 5, n)).astype(np.int8)
        codes[rng.random(n) < gaps] = -1
        columns.append(codes)
    return columns


def categorical(columns: list[np.ndarray]) -> pd.DataFrame:
    return pd.DataFrame({f"c{i:02d}": pd.Categorical.from_codes(c, LABELS) for i, c in enumerate(columns)})


def plain_kappa(frame: pd.DataFrame) -> float:
    """Kappa of two Categoricals, with nothing around it."""
    first, second = (frame[name].cat.codes.to_numpy() for name in ("c00", "c01"))
    table = np.bincount(first.astype(np.int64) * 5 + second, minlength=25).reshape(5, 5) / len(frame)
    expected = table.sum(0) @ table.sum(1)
    return float((np.trace(table) - expected) / (1 - expected))


def two_coders(scale: float) -> dict[str, Contestant]:
    df = categorical(labels(int(1e7 * scale), 2, 0.0))
    first, second = (df[name].cat.codes.to_numpy() for name in df)
    fused = first.astype(np.int64) * 5 + second
    return {
        "bincount of ready-made cell numbers": lambda: np.bincount(fused, minlength=25),
        "plain numpy kappa": lambda: plain_kappa(df),
        "df.agree.kappa(ci=None)": lambda: df.agree.kappa("c00", "c01", ci=None),
        "df.agree.kappa()": lambda: df.agree.kappa("c00", "c01"),
    }


def groups(scale: float) -> dict[str, Contestant]:
    n = int(1e6 * scale)
    df = categorical(labels(n, 2, 0.0))
    df["batch"] = np.random.default_rng(1).integers(0, n // 100, n)
    return {
        "groupby.apply of plain numpy kappa": lambda: df.groupby("batch")[["c00", "c01"]].apply(plain_kappa),
        "df.agree.kappa(by=, ci=None)": lambda: df.agree.kappa("c00", "c01", by="batch", ci=None),
        "df.agree.kappa(by=)": lambda: df.agree.kappa("c00", "c01", by="batch"),
    }


def many_coders(scale: float) -> dict[str, Contestant]:
    df = categorical(labels(int(1e6 * scale), 20, 0.3))
    codes = [df[name].cat.codes.to_numpy() for name in df]
    return {
        "counts of each category by item": lambda: [sum((c == k).view(np.int8) for c in codes) for k in range(5)],
        "df.agree.alpha(ci=None)": lambda: df.agree.alpha(ci=None),
        "df.agree.alpha()": lambda: df.agree.alpha(),
        "df.agree.kappa()": lambda: df.agree.kappa(),
    }


def crowd(scale: float) -> dict[str, Contestant]:
    n = int(1e6 * scale)
    rng = np.random.default_rng(2)
    item = rng.permutation(np.repeat(np.arange(n // 5), 5))
    truth = rng.integers(0, 5, n // 5)[item]
    label = np.array(LABELS)[np.where(rng.random(n) < 0.7, truth, rng.integers(0, 5, n))]
    df = pd.DataFrame({"item": item, "coder": rng.integers(0, 5000, n), "label": label})
    df = df.drop_duplicates(["item", "coder"])
    door = df.agree.long(item="item", coder="coder", label="label")
    return {
        "factorizing the labels": lambda: pd.factorize(df["label"]),
        "long().alpha()": lambda: door.alpha(),
        "long().kappa()": lambda: door.kappa(),
        "long().summary()": lambda: door.summary(),
    }


def short(scale: float) -> dict[str, Contestant]:
    df = categorical(labels(50, 2, 0.0)).astype(str)
    contestants: dict[str, Contestant] = {"df.agree.kappa()": lambda: df.agree.kappa("c00", "c01")}
    try:
        from sklearn.metrics import cohen_kappa_score
    except ImportError:
        return {"value_counts of one column": lambda: df["c00"].value_counts(), **contestants}
    return {"sklearn, no interval": lambda: cohen_kappa_score(df["c00"], df["c01"]), **contestants}


WORKLOADS: dict[str, Callable[[float], dict[str, Contestant]]] = {
    "two coders, 1e7 rows": two_coders,
    "two coders, 1e6 rows in 1e4 groups": groups,
    "20 coders x 1e6 items, 30 % gaps": many_coders,
    "long, 1e6 labels of 5,000 coders": crowd,
    "two coders, 50 rows of strings": short,
}


def measure(contestants: dict[str, Contestant], rounds: int) -> list[dict[str, Any]]:
    """The fastest of some rounds, in turns; then the peak of memory in one more."""
    best = dict.fromkeys(contestants, float("inf"))
    for _ in range(rounds):
        for name, run in contestants.items():
            start = time.perf_counter()
            run()
            best[name] = min(best[name], time.perf_counter() - start)
    first = next(iter(best.values()))
    rows = []
    for name, run in contestants.items():
        tracemalloc.start()
        run()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        rows.append({"call": name, "ms": best[name] * 1e3, "ratio": best[name] / first, "MB": peak / 1e6})
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--scale", type=float, default=1.0, help="size of the data, 1 for those in the titles")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    results = []
    for title, make in WORKLOADS.items():
        rows = measure(make(chosen.scale), chosen.rounds)
        results += [{"workload": title, **row} for row in rows]
        if not chosen.json:
            print(f"\n{title}: ratio to the first line")
            for row in rows:
                print(f"  {row['call']:38s}{row['ms']:10.2f} ms {row['ratio']:8.2f} {row['MB']:8.1f} MB")
    if chosen.json:
        print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
