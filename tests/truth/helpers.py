"""Data and definitions of the tests of inferred labels: the real data sets, simulated coders, and EM as plain loops."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

DATA = Path(__file__).parent / "data"
EXACT: dict[str, Any] = {"tol": 1e-15, "max_iter": 5000}


def anaesthetists() -> Any:
    frame = pd.read_csv(DATA / "anaesthetists.csv")
    return frame.agree.long(item="patient", coder="observer", label="label", duplicates="all")


def bluebird() -> pd.DataFrame:
    return pd.read_csv(DATA / "bluebird_labels.csv")


def bluebird_long() -> Any:
    return bluebird().agree.long(item="item", coder="coder", label="label")


def bluebird_truth() -> pd.Series:
    frame = pd.read_csv(DATA / "bluebird_truth.csv")
    return frame.set_index(frame.columns[0]).iloc[:, 0]


def tiny() -> pd.DataFrame:
    """Six items, three coders: without the diagonal in the prior all probabilities creep towards 1/2."""
    rows = ["000", "001", "111", "110", "010", "101"]
    return pd.DataFrame([list(map(int, row)) for row in rows], columns=["ann", "bob", "cleo"])


def simulated(
    n_items: int = 120, n_coders: int = 5, n_categories: int = 3, gaps: float = 0.3, seed: int = 0
) -> tuple[pd.DataFrame, pd.Series]:
    """Coders of accuracy .5 to .9 whose errors fall evenly, and the truth."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, n_categories, n_items)
    columns = {}
    for number in range(n_coders):
        wrong = (truth + rng.integers(1, n_categories, n_items)) % n_categories
        right = rng.random(n_items) < 0.5 + 0.4 * number / max(n_coders - 1, 1)
        label = np.array(list("abcdefgh"), object)[np.where(right, truth, wrong)]
        label[rng.random(n_items) < gaps] = None
        columns[f"c{number}"] = label
    return pd.DataFrame(columns), pd.Series(np.array(list("abcdefgh"), object)[truth])


def dawid_skene(rows: list[list[Any]], K: int, s: float, d: float, sweeps: int) -> dict[str, Any]:
    """EM as plain loops: `rows` holds the code of each coder, None for a gap."""
    rows = [row for row in rows if any(x is not None for x in row)]
    C = len(rows[0])
    T = []
    for row in rows:
        seen = [x for x in row if x is not None]
        T.append([seen.count(k) / len(seen) for k in range(K)])
    objectives = []
    for _ in range(sweeps):
        pi = [(sum(t[k] for t in T) + s) / (len(T) + K * s) for k in range(K)]
        theta = [[[0.0] * K for _ in range(K)] for _ in range(C)]
        for c in range(C):
            for k in range(K):
                cell = [
                    sum(t[k] for t, row in zip(T, rows, strict=True) if row[c] == x) + s + d * (x == k)
                    for x in range(K)
                ]
                theta[c][k] = [value / sum(cell) if sum(cell) else 1 / K for value in cell]
        loglik, T = 0.0, []
        for row in rows:
            joint = [pi[k] * math.prod(theta[c][k][x] for c, x in enumerate(row) if x is not None) for k in range(K)]
            loglik += math.log(sum(joint))
            T.append([value / sum(joint) for value in joint])
        prior = sum(
            (s + d * (x == k)) * math.log(theta[c][k][x]) for c in range(C) for k in range(K) for x in range(K) if s + d
        )
        objectives.append(loglik + prior + (s * sum(map(math.log, pi)) if s else 0.0))
    return {"T": np.array(T), "pi": np.array(pi), "theta": np.array(theta), "objectives": objectives, "loglik": loglik}
