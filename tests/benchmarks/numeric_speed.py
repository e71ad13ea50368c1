"""Methods at scale, in seconds of CPU beside those wanted: `python -m tests.benchmarks.numeric_speed [part of a name]`.

The fastest of a few turns counts; set OMP_NUM_THREADS=1 to leave out the threads of BLAS. Calls that are compared with
the leanest numpy or with other packages are in `python -m tests.benchmarks --targets`.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

import pandas_agreement
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


def label_sets(n: int, n_coders: int) -> pd.DataFrame:
    """Sets of up to eight labels, more than a thousand different ones."""
    rng = np.random.default_rng(6)
    pool = [frozenset(np.flatnonzero(rng.random(10) < 0.25).tolist()) for _ in range(4000)]
    truth = rng.integers(0, len(pool), n)
    said = [np.where(rng.random(n) < 0.7, truth, rng.integers(0, len(pool), n)) for _ in range(n_coders)]
    return pd.DataFrame({f"c{j}": [pool[number] for number in numbers] for j, numbers in enumerate(said)})


def categorical(n: int, n_coders: int, n_categories: int) -> pd.DataFrame:
    return labels(n, n_coders, n_categories).astype(pd.CategoricalDtype([str(k) for k in range(n_categories)]))


def closed(picture: Any) -> None:
    """Close a picture, so that the next call does not find it open."""
    import matplotlib.pyplot as plt

    plt.close(picture.figure)


def refused(call: Call) -> Call:
    """A call that has to be refused."""

    def run(frame: pd.DataFrame) -> None:
        try:
            call(frame)
        except pandas_agreement.AgreementError:
            return
        raise AssertionError("not refused")

    return run


Make = Callable[[], pd.DataFrame]
Call = Callable[[pd.DataFrame], Any]
#: name: (frame, call, seconds wanted if there is a target)
CALLS: dict[str, tuple[Make, Call, float | None]] = {
    "test.chance by permutation, 3 coders, K = 5, 1,000 items": (
        lambda: labels(1000, 3, 5),
        lambda frame: frame.agree.test.chance(method="permutation", rng=1),
        2.0,
    ),
    "the same, 10,000 items in 1,000 groups": (
        lambda: in_groups(labels(10_000, 3, 5), 1000),
        lambda frame: frame.agree.test.chance(method="permutation", by="group", rng=1),
        10.0,
    ),
    "alpha(method='bca'), 100,000 items, K = 100, 999 resamples": (
        lambda: labels(100_000, 3, 100),
        lambda frame: frame.agree.alpha(method="bca", n_resamples=999, rng=1),
        2.0,
    ),
    "alpha(method='percentile'), the same": (
        lambda: labels(100_000, 3, 100),
        lambda frame: frame.agree.alpha(method="percentile", n_resamples=999, rng=1),
        2.0,
    ),
    "alpha(method='bca', by=), 100,000 items, 1,000 groups": (
        lambda: in_groups(labels(100_000, 3, 5), 1000),
        lambda frame: frame.agree.alpha(by="group", method="bca", n_resamples=999, rng=1),
        1.5,
    ),
    "the same, 10,000 groups": (
        lambda: in_groups(labels(100_000, 3, 5), 10_000),
        lambda frame: frame.agree.alpha(by="group", method="bca", n_resamples=999, rng=1),
        8.0,
    ),
    "alpha(level='ratio'), 4 coders, 2,500 items": (
        lambda: ratios(2500, 4),
        lambda frame: frame.agree.alpha(level="ratio"),
        1.0,
    ),
    "table of six rows": (
        lambda: in_groups(labels(60, 2, 3), 6).agree.kappa("c0", "c1", by="group"),
        pandas_agreement.table,
        0.003,
    ),
    "diagnose, 50 items, 3 coders": (lambda: labels(50, 3, 3), lambda frame: frame.agree.diagnose(), 0.03),
    "diagnose, 1,000 items of 4 numbers": (lambda: scores(1000, 4, 0.1), lambda frame: frame.agree.diagnose(), 0.3),
    "by_coder, 5 coders, 1e6 items": (lambda: categorical(1_000_000, 5, 5), lambda frame: frame.agree.by_coder(), 0.5),
    "by_coder, 5 coders, 10,000 items, K = 2,000": (
        lambda: labels(10_000, 5, 2000),
        lambda frame: frame.agree.by_coder(),
        1.0,
    ),
    "by_category(metrics=['kappa', 'alpha']), the same": (
        lambda: labels(10_000, 5, 2000),
        lambda frame: frame.agree.by_category(metrics=["kappa", "alpha"]),
        1.0,
    ),
    "kappa(method='jackknife'), the same": (
        lambda: labels(10_000, 5, 2000),
        lambda frame: frame.agree.kappa(method="jackknife"),
        2.0,
    ),
    "icc_a1(method='bca'), 1,000 items with gaps": (
        lambda: scores(1000, 4, 0.2),
        lambda frame: frame.agree.icc_a1(method="bca", rng=1),
        5.0,
    ),
    "icc_a1 with gaps, 1,000 groups": (
        lambda: in_groups(scores(20_000, 4, 0.2), 1000),
        lambda frame: frame.agree.icc_a1(by="group"),
        0.5,
    ),
    "icc (six forms) with gaps, 1,000 groups": (
        lambda: in_groups(scores(20_000, 4, 0.2), 1000),
        lambda frame: frame.agree.icc(by="group"),
        0.5,
    ),
    "icc (six forms), 64 coders, 80 % gaps": (lambda: scores(2000, 64, 0.8), lambda frame: frame.agree.icc(), 1.0),
    "alpha(level='interval', by=), 5e4 values, 1,000 groups": (
        lambda: in_groups(measurements(50_000), 1000),
        lambda frame: frame.agree.alpha(level="interval", by="group"),
        0.2,
    ),
    "test.margins, 5 coders, 300 labels": (
        lambda: labels(10_000, 5, 300),
        lambda frame: frame.agree.test.margins(),
        3.0,
    ),
    "diagnose, two coders, 800 labels": (lambda: labels(20_000, 2, 800), lambda frame: frame.agree.diagnose(), None),
    "contrasts of 10,000 groups, refused": (
        lambda: in_groups(labels(100_000, 3, 5), 10_000),
        refused(lambda frame: frame.agree.compare(by="group")),
        None,
    ),
    "report, 1e6 rows, 3 coders": (lambda: categorical(1_000_000, 3, 5), lambda frame: frame.agree.report(), 10.0),
    "report, 1e6 rows of 3 scores": (lambda: scores(1_000_000, 3, 0.0), lambda frame: frame.agree.report(), 10.0),
    "report of label sets, 5,000 items": (
        lambda: label_sets(5000, 3),
        lambda frame: frame.agree.report(level="masi"),
        5.0,
    ),
    "plot.bland_altman, 25,000 pairs of coders": (
        lambda: scores(20, 224, 0.0),
        lambda frame: closed(frame.agree.plot.bland_altman()),
        3.0,
    ),
    "plot.by_pair, 780 pairs of coders": (
        lambda: labels(100, 40, 4),
        lambda frame: closed(frame.agree.plot.by_pair()),
        2.0,
    ),
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
    chosen = sys.argv[1:]
    for name, (make, call, wanted) in CALLS.items():
        if not chosen or any(part in name for part in chosen):
            target = "" if wanted is None else f", wanted {wanted:g}"
            print(f"{name:60} {seconds(call, make()):8.3f} s{target}", flush=True)


if __name__ == "__main__":
    main()
