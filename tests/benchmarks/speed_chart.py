"""Three common tasks beside the usual alternative: `python -m tests.benchmarks.speed_chart` writes `.docs/speed.json`.

The site draws its chart of speed from that file. Contestants take turns in one process on one thread; the fastest of
their runs counts. They have to find the same estimate.
"""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Callable
from importlib import metadata
from typing import Any

import numpy as np
import pandas as pd

from tests.pages import DOCS

LABELS = np.array(["bug", "praise", "question", "request"])
Contestants = dict[str, Callable[[], Any]]


def coded(n_items: int, n_coders: int, missing: float = 0.0) -> np.ndarray:
    """Codes of items x coders, NaN for a missing label; two labels in three are the same."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, len(LABELS), (n_items, 1))
    codes = np.where(rng.random((n_items, n_coders)) < 0.7, truth, rng.integers(0, len(LABELS), (n_items, n_coders)))
    return np.where(rng.random(codes.shape) < missing, np.nan, codes)


def two_coders() -> Contestants:
    from sklearn.metrics import cohen_kappa_score

    df = pd.DataFrame(LABELS[coded(1_000_000, 2).astype(int)], columns=["ann", "bob"])
    return {
        "pandas_agreement": lambda: df.agree.kappa("ann", "bob")["estimate"].item(),
        "scikit-learn": lambda: cohen_kappa_score(df["ann"], df["bob"]),
    }


def missing_labels() -> Contestants:
    import krippendorff

    df = pd.DataFrame(coded(100_000, 5, 0.2), columns=["ann", "bob", "cleo", "dev", "eve"])
    transposed = df.to_numpy().T
    return {
        "pandas_agreement": lambda: df.agree.alpha(*df.columns)["estimate"].item(),
        "krippendorff": lambda: krippendorff.alpha(transposed, level_of_measurement="nominal"),
    }


def groups() -> Contestants:
    from sklearn.metrics import cohen_kappa_score

    df = pd.DataFrame(LABELS[coded(100_000, 2).astype(int)], columns=["ann", "bob"])
    df["batch"] = np.arange(len(df)) % 1_000
    alone = df.groupby("batch")[["ann", "bob"]]
    return {
        "pandas_agreement": lambda: df.agree.kappa("ann", "bob", by="batch")["estimate"].sum(),
        "groupby.apply and scikit-learn": lambda: alone.apply(lambda g: cohen_kappa_score(g["ann"], g["bob"])).sum(),
    }


TASKS: dict[str, Callable[[], Contestants]] = {
    "Kappa of two coders, 1,000,000 items": two_coders,
    "Alpha of five coders, 100,000 items, 20% missing": missing_labels,
    "Kappa in 1,000 groups of 100 items": groups,
}


def measured(contestants: Contestants, rounds: int = 5) -> dict[str, float]:
    """Seconds of each contestant: the fastest of its turns."""
    seconds = dict.fromkeys(contestants, float("inf"))
    for _ in range(rounds):
        for name, run in contestants.items():
            start = time.perf_counter()
            run()
            seconds[name] = min(seconds[name], time.perf_counter() - start)
    return seconds


def main() -> None:
    tasks = {}
    for task, make in TASKS.items():
        contestants = make()
        first, *others = [run() for run in contestants.values()]
        if not np.allclose(others, first):
            raise ValueError(f"{task}: {first} is not {others}")
        tasks[task] = measured(contestants)
        print(task, tasks[task])
    packages = ("pandas", "numpy", "scikit-learn", "krippendorff")
    versions = {"Python": platform.python_version(), **{name: metadata.version(name) for name in packages}}
    text = json.dumps({"versions": versions, "cores": os.cpu_count(), "tasks": tasks}, indent=2)
    (DOCS / "speed.json").write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
