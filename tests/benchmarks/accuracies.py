"""Coverage of the intervals of `truth().by_coder()`: `python -m tests.benchmarks.accuracies`.

Coders who are right on 60 to 90 % of each of two categories, whose shares are drawn as well. 'inferred' is the interval
of `coders()`, 'taken as true' is Wilson's interval of the agreement with the inferred labels. All data sets are
groups of one call.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

import pandas_agreement  # noqa: F401  (gives frames `agree`)
from pandas_agreement.inference.means import wilson
from tests.benchmarks.runner import asked, held

SETTINGS = [(n_items, n_coders) for n_items in (100, 200, 300) for n_coders in (3, 5)]


def crowds(n_items: int, n_coders: int, draws: int, rng: np.random.Generator) -> tuple[pd.DataFrame, np.ndarray]:
    """Labels of all data sets, and the accuracy of each coder: (draws, C)."""
    share = rng.dirichlet([5.0, 5.0], draws)
    right = rng.uniform(0.6, 0.9, (draws, n_coders, 2))
    truth = (rng.random((draws, n_items)) < share[:, 1:]).astype(int)
    given = rng.random((draws, n_coders, n_items)) < np.take_along_axis(right, truth[:, None, :], axis=2)
    labels = np.where(given, truth[:, None, :], 1 - truth[:, None, :])
    frame = pd.DataFrame(labels.transpose(0, 2, 1).reshape(-1, n_coders)).rename(columns=lambda c: f"c{c}")
    accuracy = np.einsum("dck,dk->dc", right, share)
    return frame.assign(draw=np.repeat(np.arange(draws), n_items)), accuracy


def coverage(n_items: int, n_coders: int, draws: int, rng: np.random.Generator) -> dict[str, float]:
    frame, accuracy = crowds(n_items, n_coders, draws, rng)
    coders = [name for name in frame.columns if name != "draw"]
    truth = frame.agree.truth(*coders, method="dawid_skene", by="draw")
    found, label = truth.by_coder(), truth.by_item()["label"]
    correct = frame[coders].eq(label, axis=0).groupby(frame["draw"]).sum().to_numpy()
    low, high = wilson(correct / n_items, np.full(correct.shape, n_items), 0.95)
    taken = float(((low <= accuracy) & (accuracy <= high)).mean())
    return {"inferred": held(found, accuracy.ravel(), "accuracy"), "taken as true": taken}


def main() -> None:
    options = asked(__doc__, draws=400, seed=0)
    rng = np.random.default_rng(options.seed)
    rows = {setting: coverage(*setting, options.draws, rng) for setting in SETTINGS}
    table = pd.DataFrame(rows).T.rename_axis(index=["items", "coders"])
    print(table.round(3).to_string())


if __name__ == "__main__":
    main()
