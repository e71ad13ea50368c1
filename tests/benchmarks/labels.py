"""Seconds and bytes per label of inferred labels: `python -m tests.benchmarks.labels --labels 1e6 --sweeps 10`.

Five labels per item, four categories, coders of accuracy .5 to .95. Time is that of the processor, so that a busy
machine does not matter, from the frame to the labels. Memory is the highest use beyond what the process needed before
the call. Beside it stands crowd-kit with the same number of sweeps, if it is installed; nothing here needs it.
"""

from __future__ import annotations

import argparse
import importlib.util
import resource
import time
import warnings

import numpy as np
import pandas as pd

import pandas_agreement

LONG = {"item": "task", "coder": "worker", "label": "label"}
EACH, K = 5, 4


def crowd(n_labels: int, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray]:
    """Judgments in random order, and the true labels."""
    rng = np.random.default_rng(seed)
    n_items, n_coders = n_labels // EACH, max(n_labels // 2000, 50)
    truth = rng.integers(0, K, n_items)
    item = np.repeat(np.arange(n_items), EACH)
    coder = ((rng.integers(0, n_coders, n_items)[:, None] + 7 * np.arange(EACH)) % n_coders).ravel()
    right = rng.random(len(item)) < rng.uniform(0.5, 0.95, n_coders)[coder]
    label = np.where(right, truth[item], rng.integers(0, K, len(item)))
    order = rng.permutation(len(item))
    return pd.DataFrame({"task": item[order], "worker": coder[order], "label": label[order]}), truth


def peak() -> int:
    """Highest memory of the process so far, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def ours(frame: pd.DataFrame, truth: np.ndarray, method: str, sweeps: int | None) -> str:
    given = {} if sweeps is None or method == "majority" else {"max_iter": sweeps}
    before, start = peak(), time.process_time()
    fitted = frame.agree.long(**LONG).truth(method=method, **given)
    items = fitted.items()
    seconds, size = time.process_time() - start, (peak() - before) / len(frame)
    right = (items["label"].to_numpy() == truth[items.index]).mean()
    done = fitted.summary()["n_sweeps"].iloc[0]
    return f"pandas_agreement {method}: {seconds:.2f} s, {size:.0f} bytes a label, {done} sweeps, accuracy {right:.4f}"


def theirs(frame: pd.DataFrame, truth: np.ndarray, sweeps: int) -> str:
    if importlib.util.find_spec("crowdkit") is None:
        return "crowd-kit is not installed"
    from crowdkit.aggregation import DawidSkene

    before, start = peak(), time.process_time()
    labels = DawidSkene(n_iter=sweeps, tol=0).fit_predict(frame)
    seconds, size = time.process_time() - start, (peak() - before) / len(frame)
    right = (labels.to_numpy() == truth[labels.index]).mean()
    return f"crowd-kit dawid_skene: {seconds:.2f} s, {size:.0f} bytes a label, {sweeps} sweeps, accuracy {right:.4f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--labels", type=float, default=1e6)
    parser.add_argument("--method", default="dawid_skene")
    parser.add_argument("--sweeps", type=int, default=None, help="at most so many; default: until convergence")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    frame, truth = crowd(int(options.labels))
    print(f"pandas_agreement {pandas_agreement.__version__}, {len(frame):,} labels")
    print(ours(frame, truth, options.method, options.sweeps))
    if options.method == "dawid_skene" and options.sweeps:
        print(theirs(frame, truth, options.sweeps))


if __name__ == "__main__":
    main()
