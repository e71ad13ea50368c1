"""Coefficients of numbers and of many categories at scale: `python -m tests.benchmarks.numeric_speed`.

Prints seconds of CPU, the fastest of a few turns; set OMP_NUM_THREADS=1 to leave out the threads of BLAS.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

import pandas_agreement  # noqa: F401  (registers df.agree)
from tests.benchmarks.workloads import measurements


def scores(n: int, n_coders: int, gaps: float) -> pd.DataFrame:
    """Normal items, coders of different levels, some scores missing."""
    rng = np.random.default_rng(0)
    truth = rng.normal(50, 10, n)
    columns = {f"c{j}": truth + rng.normal(0, 4, n) + rng.normal(0, 2) for j in range(n_coders)}
    return pd.DataFrame(columns).mask(rng.random((n, n_coders)) < gaps)


def labels(n: int, n_coders: int, n_categories: int) -> pd.DataFrame:
    """Coders who copy the truth with probability .7."""
    rng = np.random.default_rng(3)
    truth = rng.integers(0, n_categories, n)
    columns = {f"c{j}": np.where(rng.random(n) < 0.7, truth, rng.integers(0, n_categories, n)) for j in range(n_coders)}
    return pd.DataFrame(columns).astype(str)


def ratios(n: int, n_coders: int) -> pd.DataFrame:
    rng = np.random.default_rng(4)
    truth = rng.lognormal(3, 1, n)
    return pd.DataFrame({f"c{j}": truth * rng.lognormal(0, 0.2, n) for j in range(n_coders)})


def in_groups(frame: pd.DataFrame, n_groups: int) -> pd.DataFrame:
    return frame.assign(group=np.arange(len(frame)) % n_groups)


Call = Callable[[pd.DataFrame], Any]
#: name: (frame, call)
CALLS: dict[str, tuple[Callable[[], pd.DataFrame], Call]] = {
    "alpha(level='interval'), 1e6 values": (
        lambda: measurements(1_000_000),
        lambda frame: frame.agree.alpha(level="interval"),
    ),
    "the same, 5e4 values in 1,000 groups": (
        lambda: in_groups(measurements(50_000), 1000),
        lambda frame: frame.agree.alpha(level="interval", by="group"),
    ),
    "icc_a1(method='bca'), 1,000 items with gaps": (
        lambda: scores(1000, 4, 0.2),
        lambda frame: frame.agree.icc_a1(method="bca", rng=1),
    ),
    "the same, 10,000 items": (
        lambda: scores(10_000, 4, 0.2),
        lambda frame: frame.agree.icc_a1(method="bca", rng=1),
    ),
    "icc_1(method='bca'), 1,000 items with gaps": (
        lambda: scores(1000, 4, 0.2),
        lambda frame: frame.agree.icc_1(method="bca", rng=1),
    ),
    "icc_a1 with gaps, 1,000 groups": (
        lambda: in_groups(scores(20_000, 4, 0.2), 1000),
        lambda frame: frame.agree.icc_a1(by="group"),
    ),
    "icc (six forms) with gaps, 1,000 groups": (
        lambda: in_groups(scores(20_000, 4, 0.2), 1000),
        lambda frame: frame.agree.icc(by="group"),
    ),
    "icc (six forms), 300 coders, 80 % gaps": (lambda: scores(2000, 300, 0.8), lambda frame: frame.agree.icc()),
    "kappa(method='jackknife'), K = 2,000, 5 coders": (
        lambda: labels(10_000, 5, 2000),
        lambda frame: frame.agree.kappa(method="jackknife"),
    ),
    "alpha(level='ratio'), 4 coders, 10,000 values": (
        lambda: ratios(2500, 4),
        lambda frame: frame.agree.alpha(level="ratio"),
    ),
    "the same, 200,000 items": (lambda: ratios(200_000, 4), lambda frame: frame.agree.alpha(level="ratio")),
    "diagnose, 1,000 items of 4 numbers": (lambda: scores(1000, 4, 0.1), lambda frame: frame.agree.diagnose()),
}


def seconds(call: Call, frame: pd.DataFrame, turns: int = 3) -> float:
    """CPU time of the fastest turn; a call of more than two seconds has one turn."""
    found: list[float] = []
    while not found or (len(found) < turns and found[0] < 2):
        start = time.process_time()
        call(frame)
        found.append(time.process_time() - start)
    return min(found)


def main() -> None:
    warnings.simplefilter("ignore")
    for name, (make, call) in CALLS.items():
        sys.stdout.write(f"{name:48} {seconds(call, make()):8.3f} s\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
