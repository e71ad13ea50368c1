"""A million items, three humans, five judges, a hundred slices: `python -m tests.benchmarks.judge_speed`.

`versus_humans` beside a loop over slices and pairs with the kappa of scikit-learn, if it is installed: no interval.
Prints seconds of CPU.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

import pandas_agreement  # noqa: F401  (registers df.agree)
from tests.benchmarks.runner import asked

HUMANS = ["ann", "bob", "cleo"]
JUDGES = [f"judge_{number}" for number in range(5)]


def draw(n_items: int, n_slices: int = 100, seed: int = 0) -> pd.DataFrame:
    """Labels 0 to 3 of coders who know the true one with probability .8 (humans) or .7 (judges)."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 4, n_items)
    know = dict.fromkeys(HUMANS, 0.8) | dict.fromkeys(JUDGES, 0.7)
    columns = {
        name: np.where(rng.random(n_items) < share, truth, rng.integers(0, 4, n_items)) for name, share in know.items()
    }
    return pd.DataFrame(columns).assign(slice=rng.integers(0, n_slices, n_items))


def seconds(call: Callable[[], Any]) -> float:
    """CPU time of a call."""
    start = time.process_time()
    call()
    return time.process_time() - start


def ours(frame: pd.DataFrame, metric: str = "kappa") -> pd.DataFrame:
    return frame.agree.judges(*JUDGES, humans=HUMANS).versus_humans(by="slice", metrics=metric)


def loop(frame: pd.DataFrame) -> pd.Series:
    """Mean kappa with the humans minus mean kappa among them, by slice and judge, one pair at a time."""
    from sklearn.metrics import cohen_kappa_score

    found = {}
    for key, part in frame.groupby("slice"):
        people = [cohen_kappa_score(part[a], part[b]) for a, b in combinations(HUMANS, 2)]
        for judge in JUDGES:
            with_judge = [cohen_kappa_score(part[judge], part[human]) for human in HUMANS]
            found[key, judge] = np.mean(with_judge) - np.mean(people)
    return pd.Series(found)


def main() -> None:
    frame = draw(asked(__doc__, items=1_000_000).items)
    for metric in ("kappa", "observed"):
        print(f"versus_humans, {metric:9} {seconds(lambda metric=metric: ours(frame, metric)):6.2f} s")
    try:
        print(f"loop over scikit-learn   {seconds(lambda: loop(frame)):6.2f} s")
    except ImportError:
        print("scikit-learn is not installed")


if __name__ == "__main__":
    main()
