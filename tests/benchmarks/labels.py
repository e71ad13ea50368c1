"""Seconds and bytes per label of inferred labels: `python -m tests.benchmarks.labels --labels 1e6 --sweeps 10`.

Five labels per item, four categories, coders of accuracy .5 to .95. Time is that of the processor, so that a busy
machine does not matter, from the frame to the labels. Memory is the highest use beyond what the process needed before
the call. With `--groups 1000` there are as many fits, of 20 coders each. Beside it stands crowd-kit's Dawid-Skene with
the same number of sweeps, if it is installed; nothing here needs it. Every contestant has a process of its own.
"""

from __future__ import annotations

import importlib.util
import multiprocessing
import resource
import time
import warnings

import numpy as np
import pandas as pd

import pandas_agreement
from tests.benchmarks.runner import asked

LONG = {"item": "task", "coder": "worker", "label": "label"}
EACH, K = 5, 4


def crowd(n_labels: int, n_groups: int = 0, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray]:
    """Judgments in random order, and the true labels."""
    rng = np.random.default_rng(seed)
    n_items, n_coders = n_labels // EACH, 20 if n_groups else max(n_labels // 2000, 50)
    truth = rng.integers(0, K, n_items)
    item = np.repeat(np.arange(n_items), EACH)
    coder = ((rng.integers(0, n_coders, n_items)[:, None] + 7 * np.arange(EACH)) % n_coders).ravel()
    right = rng.random(len(item)) < rng.uniform(0.5, 0.95, n_coders)[coder]
    label = np.where(right, truth[item], rng.integers(0, K, len(item)))
    order = rng.permutation(len(item))
    frame = pd.DataFrame({"task": item[order], "worker": coder[order], "label": label[order]})
    return (frame.assign(group=frame["task"] % n_groups) if n_groups else frame), truth


def peak() -> int:
    """Highest memory of the process so far, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def ours(n_labels: int, n_groups: int, method: str, sweeps: int) -> str:
    frame, truth = crowd(n_labels, n_groups)
    given = {} if not sweeps or method == "majority" else {"max_iter": sweeps}
    by = {"by": "group"} if n_groups else {}
    crowd(500)[0].agree.long(**LONG).truth(method=method).by_item()  # imports what is imported on first use
    before, start = peak(), time.process_time()
    fitted = frame.agree.long(**LONG).truth(method=method, **given, **by)
    items = fitted.by_item()
    seconds, size = time.process_time() - start, (peak() - before) / len(frame)
    right = (items["label"].to_numpy() == truth[items.index.get_level_values("task")]).mean()
    done = fitted.summary()["n_sweeps"].max()
    return f"pandas_agreement {method}: {seconds:.2f} s, {size:.0f} bytes a label, {done} sweeps, accuracy {right:.4f}"


def theirs(n_labels: int, n_groups: int, method: str, sweeps: int) -> str:
    if importlib.util.find_spec("crowdkit") is None:
        return "crowd-kit is not installed"
    from crowdkit.aggregation import DawidSkene

    frame, truth = crowd(n_labels)
    DawidSkene(n_iter=1).fit_predict(crowd(500)[0])
    model = DawidSkene(n_iter=sweeps, tol=-np.inf)  # any other stops when its loss falls
    before, start = peak(), time.process_time()
    labels = model.fit_predict(frame)
    seconds, size = time.process_time() - start, (peak() - before) / len(frame)
    right, done = (labels.to_numpy() == truth[labels.index]).mean(), len(model.loss_history_)
    return f"crowd-kit {method}: {seconds:.2f} s, {size:.0f} bytes a label, {done} sweeps, accuracy {right:.4f}"


def run(name: str, *given: object) -> None:
    """One contestant, in a process of its own."""
    warnings.simplefilter("ignore")
    print(globals()[name](*given), flush=True)


def main() -> None:
    options = asked(__doc__, labels=1e6, groups=0.0, method="dawid_skene", sweeps=0)
    print(f"pandas_agreement {pandas_agreement.__version__}, {int(options.labels):,} labels")
    beside = options.method == "dawid_skene" and options.sweeps and not options.groups
    fresh = multiprocessing.get_context("spawn")
    for name in ["ours", "theirs"] if beside else ["ours"]:
        given = (name, int(options.labels), int(options.groups), options.method, options.sweeps)
        process = fresh.Process(target=run, args=given)
        process.start()
        process.join()


if __name__ == "__main__":
    main()
